"""Choosing where a table's log is told: its GM has to see that place, and the bot has to write there."""

import secrets
from functools import partial

import discord
from discord import Interaction

from bot.language import say
from bot.language.line import channel
from bot.play import Play
from bot.render.card import Card, Tone
from bot.render.setup import right_name, right_names
from bot.store.history import Place
from bot.tell import Done
from bot.ui.layout import NOBODY, contents
from bot.ui.line import PASSING, once_more
from bot.ui.request import asked
from bot.ui.sight import Eyes
from bot.ui.step_log import StepTeller
from rules.campaign.seats import require_gm
from rules.errors import NotAllowed
from rules.table import Table
from rules.text import Words

OFF = "/campaign set setting:log value:off"
"""How a log ends."""

_Where = discord.TextChannel | discord.Thread


async def begin(it: Interaction, play: Play, logs: StepTeller, number: int) -> Done:
    """Tell each step of the table in that channel from now on. Raises NotAllowed."""
    campaign, table = await _led(it, play)
    place = await _place(it, number)
    if not await Eyes(it).sees(place):
        raise NotAllowed("You can't see that channel. Choose one you can see.")
    if not _may_write(it.user, place):
        raise NotAllowed("You can't write in that channel. Choose one you can write in.")
    parent = place.parent_id if isinstance(place, discord.Thread) else 0
    if await logs.is_own(campaign, Place(place.id, place.guild.id, parent)):
        raise NotAllowed(
            "#{place} belongs to this table, so its players already see each step. Choose another "
            "channel, or a thread in another channel.",
            place=place.name,
        )
    known = await logs.known(campaign)
    if known is not None and known.place == place.id:
        raise NotAllowed(
            "The log is already posted in #{place}. To stop the log: {off}", place=place.name, off=OFF
        )
    await _greet(it, place, table)
    await logs.begin(campaign, Place(place.id, place.guild.id, parent))
    told = say("From now on, every step that isn't hidden is posted in {place}.", place=channel(place.id))
    return Done(campaign, table, Card((told, say("To stop the log: {off}", off=OFF)), tone=Tone.CALM))


def _may_write(who: discord.User | discord.Member, place: _Where) -> bool:
    """Whether somebody may write there, or manages it: the bot writes for them."""
    if not isinstance(who, discord.Member):
        return False
    may = place.permissions_for(who)
    writes = may.send_messages_in_threads if isinstance(place, discord.Thread) else may.send_messages
    return writes or may.manage_channels


async def end(it: Interaction, play: Play, logs: StepTeller, value: str) -> Done:
    """Tell no step anywhere else any more. Raises NotAllowed where none is, and for what is not `off`."""
    campaign, table = await _led(it, play)
    if value.strip().casefold() not in ("off", "none"):
        raise NotAllowed("The setting log only accepts off. To choose a channel, use the option log.")
    ended = await logs.end(campaign)
    if ended is None:
        raise NotAllowed("This table has no log channel.")
    told = say("Steps are no longer posted in {place}.", place=channel(ended.place))
    return Done(campaign, table, Card((told,), tone=Tone.CALM))


async def _led(it: Interaction, play: Play) -> tuple[int, Table]:
    """The campaign here, of which whoever asks is GM. Raises NotAllowed."""
    who = asked(it)
    campaign, table = await play.see(who)
    if not campaign:
        raise NotAllowed("There's no table in this channel yet. Example: /campaign new name:Skyfall")
    require_gm(table, who.actor, Words("change settings"))
    return campaign, table


async def _place(it: Interaction, number: int) -> _Where:
    """A text channel or thread of this server. Raises NotAllowed where there is none for the bot."""
    guild = it.guild
    if guild is None:
        raise NotAllowed("A log channel only works on a server. In direct messages, use /log.")
    try:
        place = guild.get_channel_or_thread(number) or await guild.fetch_channel(number)
    except PASSING as error:
        raise NotAllowed("Discord didn't say which channel that is. Try again in a moment.") from error
    except (discord.HTTPException, discord.InvalidData) as error:
        raise NotAllowed(
            "The bot can't see that channel. Give the bot {right} (and invite it to a private thread), "
            "then try again.",
            right=right_name("view_channel"),
        ) from error
    if not isinstance(place, _Where):
        raise NotAllowed("A log can't be posted there. Choose a text channel or a thread.")
    return place


async def _greet(it: Interaction, place: _Where, table: Table) -> None:
    """Begin the log by a first line, which shows whether the bot may write there. Raises NotAllowed."""
    name = table.name or say("this table")
    line = say(
        "The steps of {table}, played in {place}, are posted in this channel. To stop the log, the "
        "{gm.one} can use {off} there, or you can revoke the bot's permission to write here.",
        off=OFF,
        table=name,
        place=channel(it.channel_id or 0),
    )
    only = {"allowed_mentions": NOBODY, "silent": True, "nonce": secrets.randbits(63)}
    try:
        await once_more(partial(place.send, **contents(Card((line,)), 0), **only))
    except PASSING as error:
        raise NotAllowed("Discord didn't accept the log's first line. Try again in a moment.") from error
    except discord.HTTPException as error:
        write = "send_messages_in_threads" if isinstance(place, discord.Thread) else "send_messages"
        may = place.permissions_for(place.guild.me)
        missing = [right for right in ("view_channel", write) if not getattr(may, right)]
        raise NotAllowed(
            "The bot can't write in #{place}. Give the bot {rights}, reopen the thread if it's closed, "
            "then try again.",
            place=place.name,
            rights=right_names(missing or [write]),
        ) from error
