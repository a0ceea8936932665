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
from rules.errors import NotAllowed
from rules.seats import require_gm
from rules.table import Table
from rules.words import Words

OFF = "/campaign set setting:log value:off"
"""How a log ends."""
EXAMPLE = "/campaign set log:#log"

_Where = discord.TextChannel | discord.Thread


async def begin(it: Interaction, play: Play, logs: StepTeller, number: int) -> Done:
    """Tell each step of the table in that channel from now on. Raises NotAllowed."""
    campaign, table = await _led(it, play)
    place = await _place(it, number)
    if not await Eyes(it).sees(place):
        raise NotAllowed(
            "You do not see that channel, so the log is not told there. Choose one that you see. "
            "Example: {example}",
            example=EXAMPLE,
        )
    if not _may_write(it.user, place):
        raise NotAllowed(
            "You may not write in that channel, so the log is not told there. Choose one in which you may. "
            "Example: {example}",
            example=EXAMPLE,
        )
    parent = place.parent_id if isinstance(place, discord.Thread) else 0
    if await logs.is_own(campaign, Place(place.id, place.guild.id, parent)):
        raise NotAllowed(
            "#{place} is this table's own: whoever plays there sees each step already. Choose another "
            "channel, or a thread in another one. Example: {example}",
            place=place.name,
            example=EXAMPLE,
        )
    known = await logs.known(campaign)
    if known is not None and known.place == place.id:
        raise NotAllowed("The log is told in #{place} already. It ends by {off}", place=place.name, off=OFF)
    await _greet(it, place, table)
    await logs.begin(campaign, Place(place.id, place.guild.id, parent))
    told = say("Each step is told in {place} from now on, hidden ones never.", place=channel(place.id))
    return Done(campaign, table, Card((told, say("It ends by {off}", off=OFF)), tone=Tone.CALM))


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
        raise NotAllowed(
            "The setting log takes off, and nothing else. Its channel is chosen by the option log. "
            "Examples: {off}, {example}",
            off=OFF,
            example=EXAMPLE,
        )
    ended = await logs.end(campaign)
    if ended is None:
        raise NotAllowed(
            "This table's steps are told in no other channel. Example: {example}", example=EXAMPLE
        )
    told = say("Steps are told in {place} no more.", place=channel(ended.place))
    return Done(campaign, table, Card((told,), tone=Tone.CALM))


async def _led(it: Interaction, play: Play) -> tuple[int, Table]:
    """The campaign here, of which whoever asks is GM. Raises NotAllowed."""
    who = asked(it)
    campaign, table = await play.see(who)
    if not campaign:
        raise NotAllowed("There is no table here yet. Begin one first. Example: /campaign new name:Skyfall")
    require_gm(table, who.actor, Words("change settings"))
    return campaign, table


async def _place(it: Interaction, number: int) -> _Where:
    """A text channel or thread of this server. Raises NotAllowed where there is none for the bot."""
    guild = it.guild
    if guild is None:
        raise NotAllowed("Only a server has channels for a log. In private messages there is /log.")
    try:
        place = guild.get_channel_or_thread(number) or await guild.fetch_channel(number)
    except PASSING as error:
        raise NotAllowed("Discord does not say what channel that is. Try again in a moment.") from error
    except (discord.HTTPException, discord.InvalidData) as error:
        raise NotAllowed(
            "The bot does not see that channel. It needs {right} there, and has to be added to a private "
            "thread. Who manages it can do that; then again: {example}",
            right=right_name("view_channel"),
            example=EXAMPLE,
        ) from error
    if not isinstance(place, _Where):
        raise NotAllowed(
            "A log is told in a text channel or a thread, and that is neither. Example: {example}",
            example=EXAMPLE,
        )
    return place


async def _greet(it: Interaction, place: _Where, table: Table) -> None:
    """Begin the log by a first line, which shows whether the bot may write there. Raises NotAllowed."""
    name = table.name or say("this table")
    line = say(
        "The steps of {table}, played in {place}, are told here. Its {gm.one} ends that there, "
        "by {off}; so does "
        "who takes from the bot the right to write here.",
        off=OFF,
        table=name,
        place=channel(it.channel_id or 0),
    )
    only = {"allowed_mentions": NOBODY, "silent": True, "nonce": secrets.randbits(63)}
    try:
        await once_more(partial(place.send, **contents(Card((line,)), 0), **only))
    except PASSING as error:
        raise NotAllowed("Discord did not take the log's first line. Try again in a moment.") from error
    except discord.HTTPException as error:
        write = "send_messages_in_threads" if isinstance(place, discord.Thread) else "send_messages"
        may = place.permissions_for(place.guild.me)
        missing = [right for right in ("view_channel", write) if not getattr(may, right)]
        raise NotAllowed(
            "The bot cannot write in #{place}, so the log is not told there. It needs {rights}, and "
            "a thread has to be open. Then again: {example}",
            place=place.name,
            rights=right_names(missing or [write]),
            example=EXAMPLE,
        ) from error
