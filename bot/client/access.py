"""Who can see and do what in a channel, for the bot and for people.

Where the bot is not on the server, there is no table, only people's own dice: their last roll and their saved
pools. There, Discord lets the bot do nothing but answer. So a message changes only when one of its buttons is
pressed, which brings a token of its own, and nothing is pinned or closed automatically.

The interaction says where people ask from. Who sees other channels is known from the library: the caller's
roles come with the interaction, the permission overwrites with the server. Threads are visible to those who
see the channel above; private threads only to their members, whom only Discord knows.
"""

import re
from collections.abc import Callable, Collection, Coroutine
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

import aiohttp
import discord
from discord import Interaction, app_commands
from discord.ext import commands
from discord.utils import MISSING, oauth_url

from bot.language import say
from bot.language.line import Text, together
from bot.services.play import NEEDS_SERVER, OTHERS
from bot.views.card import Button
from bot.views.help import RIGHTS
from rules.errors import RuleError, TooLate
from rules.terms import in_terms
from rules.text import Words
from rules.values import replace

_KEPT = "reach"
Marked = app_commands.Command[Any, Any, Any] | app_commands.ContextMenu
_Command = TypeVar("_Command", bound=Marked)
_Offered = TypeVar("_Offered", bound=Any)
_Cog = TypeVar("_Cog", bound=app_commands.Group | commands.Cog)
_Options = ParamSpec("_Options")


@dataclass(frozen=True, slots=True)
class CommandReach:
    """Whether a command answers its caller alone unless refused, whether it is for GMs, and of which game.

    If the option named by `hides` is set, the answer is private; if the one named by `shares` is, it is
    public.
    """

    is_alone: bool = False
    is_gms: bool = False
    hides: str = ""
    shares: str = ""
    game: str = ""
    """The game that it belongs to; "" for that of its group."""


def reach(command: Marked) -> CommandReach:
    """Return what a command has declared about who sees its answers."""
    found: CommandReach = command.extras.get(_KEPT, CommandReach())
    return found


def alone(command: _Command) -> _Command:
    """Declare that a command answers its caller alone, usually because it only looks something up."""
    return _saying(command, is_alone=True)


def hiding(option: str) -> Callable[[_Command], _Command]:
    """Declare the option that makes a command's answer private."""
    return lambda command: _saying(command, hides=option)


def sharing(option: str) -> Callable[[_Command], _Command]:
    """Declare the option that makes a command's answer public."""
    return lambda command: _saying(command, shares=option)


def gms_command(
    *, description: str, name: str = MISSING
) -> Callable[
    [Callable[Concatenate[_Cog, Interaction, _Options], Coroutine[Any, Any, None]]],
    app_commands.Command[_Cog, _Options, None],
]:
    """Declare a command for GMs; its description ends in "(GM)"."""
    extras = {_KEPT: CommandReach(is_gms=True)}
    return app_commands.command(name=name, description=f"{description} (GM)", extras=extras)


def of_game(name: str) -> Callable[[_Command], _Command]:
    """Declare that a command belongs to a game, though others of its group belong to any."""
    return lambda command: _saying(command, game=name)


def everywhere(command: _Offered) -> _Offered:
    """Offer a command or group everywhere, also to people who installed the bot for themselves."""
    placed = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(command)
    return app_commands.allowed_installs(guilds=True, users=True)(placed)


def on_servers(command: _Offered) -> _Offered:
    """Offer a command or group on servers only."""
    return app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)(command)


def is_secret(interaction: Interaction[Any]) -> bool:
    """Return whether an interaction's answer must be private, as far as its command declares."""
    if interaction.command is None:
        return False
    said = reach(interaction.command)
    if said.shares and getattr(interaction.namespace, said.shares, False):
        return False
    return said.is_alone or bool(said.hides and getattr(interaction.namespace, said.hides, False))


def _saying(command: _Command, **more: Any) -> _Command:
    command.extras[_KEPT] = replace(reach(command), **more)
    return command


CUT = (aiohttp.ClientError, OSError, TimeoutError)
"""What a connection that breaks looks like."""


MOST_ASKED = 5
"""Discord is asked about so many channels at most for one answer."""
UNKNOWN = (discord.HTTPException, discord.InvalidData, discord.ClientException, *CUT)
"""What it looks like when Discord does not say."""


class ChannelAccess:
    """Which channels the caller of an interaction can see."""

    def __init__(self, interaction: Interaction) -> None:
        self._it = interaction
        self._learned: dict[int, bool] = {}

    @property
    def person(self) -> int:
        """The caller's Discord id."""
        return self._it.user.id

    def look(self, channels: Collection[int]) -> bool | None:
        """Return whether they see one of the channels; None if only Discord can tell."""
        it = self._it
        here = {it.channel_id, getattr(it.channel, "parent_id", None)}
        if it.permissions.manage_guild or here & set(channels):
            return True
        seen = [self._known(each) for each in channels]
        return True if any(seen) else None if None in seen else False

    async def ask(self, channels: Collection[int]) -> bool:
        """Return whether they see one of the channels; asks Discord, and no answer counts as no."""
        known = self.look(channels)
        if known is not None:
            return known
        unknown = [each for each in channels if self._known(each) is None]
        for each in sorted(unknown, reverse=True)[:MOST_ASKED]:
            self._learned[each] = await self._fetched(each)
            if self._learned[each]:
                return True
        return False

    def _known(self, channel: int) -> bool | None:
        """Whether they see a channel, as far as the library knows."""
        guild, who = self._it.guild, self._it.user
        if channel in self._learned:
            return self._learned[channel]
        place = guild.get_channel_or_thread(channel) if guild else None
        return _sees(who, place) if isinstance(who, discord.Member) and place else None

    async def _fetched(self, channel: int) -> bool:
        """Whether they see a channel that is not known, or are a member of a private thread."""
        guild, who = self._it.guild, self._it.user
        if guild is None or not isinstance(who, discord.Member):
            return False
        try:
            place = guild.get_channel_or_thread(channel) or await guild.fetch_channel(channel)
        except UNKNOWN:
            return False
        return await self.sees(place)

    async def sees(self, place: discord.abc.GuildChannel | discord.Thread) -> bool:
        """Return whether they see a channel themselves, whatever they manage; False if unknown."""
        who = self._it.user
        if not isinstance(who, discord.Member):
            return False
        known = _sees(who, place)
        if known is None and isinstance(place, discord.Thread) and place.parent is not None:
            try:
                await place.fetch_member(who.id)
            except UNKNOWN:
                return False
            return True
        return known is True


def _sees(who: discord.Member, place: discord.abc.GuildChannel | discord.Thread) -> bool | None:
    """Whether a person sees a channel; None where that cannot be worked out."""
    above = place.parent if isinstance(place, discord.Thread) else place
    if above is None:
        return None
    may = above.permissions_for(who)
    is_apart = isinstance(place, discord.Thread) and place.is_private() and not may.manage_threads
    return None if may.view_channel and is_apart else may.view_channel


async def lacking_rights(guild: discord.Guild, number: int, rights: Collection[str]) -> list[str] | None:
    """Return which rights the bot lacks in a channel or thread; None if it is gone, or locked.

    Of rights to write, only the one of its kind is checked. Without the first that it lacks of viewing and
    writing, the others are of no use, and only that one is returned.
    """
    try:
        place = guild.get_channel_or_thread(number) or await guild.fetch_channel(number)
    except discord.Forbidden:
        return ["view_channel"]
    except UNKNOWN as error:
        return None if isinstance(error, discord.NotFound) else []
    is_thread, may = isinstance(place, discord.Thread), place.permissions_for(guild.me)
    if isinstance(place, discord.Thread) and place.locked and not may.manage_threads:
        return None
    write = ("send_messages", "send_messages_in_threads")
    missing = [each for each in rights if each != write[not is_thread] and not getattr(may, each)]
    return next(([each] for each in missing if each in ("view_channel", *write)), missing)


ASKED = discord.Permissions(**dict.fromkeys(RIGHTS, True))
"""The rights that the bot asks of a server, those of the small link."""
_GUILD, _USER = 0, 1
_COMMAND = re.compile(r"(?<![\w/:.])/([a-z]+)")
_OF_A_TABLE = re.compile(r"\b(?:table|campaign|GM|session|scene|character|distinction|sheet|doom)\b")

Rows = tuple[tuple[Button, ...], ...]


def owner(interaction: Interaction[Any]) -> int:
    """Return the person whose installation of the bot is used; 0 if the bot is on the server.

    For a button, that is the person whose command made the message. The library itself only says whether that
    person presses it.
    """
    owners = interaction._integration_owners
    return 0 if _GUILD in owners else int(owners.get(_USER, 0))


def server_link(application: int) -> str:
    """Return the URL that adds the bot to a server, with the permissions that it needs."""
    return oauth_url(application, permissions=ASKED)


def person_link(application: int) -> str:
    """Return the URL that installs the bot for a person."""
    return f"{oauth_url(application, scopes=('applications.commands',))}&integration_type={_USER}"


def server_row(interaction: Interaction[Any]) -> Rows:
    """Return a row with the button that adds the bot to a server; none if the bot is not public."""
    button = Button(say("Add to a server"), "", address=server_link(interaction.application_id))
    return ((button,),) if _is_public(interaction) else ()


def install_rows(interaction: Interaction[Any]) -> Rows:
    """Return a row with both ways to install the bot; none that the host does not allow."""
    buttons = tuple(button for row in (*server_row(interaction), *_person_row(interaction)) for button in row)
    return (buttons,) if buttons else ()


def for_people(interaction: Interaction[Any]) -> set[str]:
    """Return the names of the commands available to people who installed the bot for themselves."""
    found = interaction.client.tree.get_commands(type=discord.AppCommandType.chat_input)
    return {each.name for each in found if each.allowed_installs and each.allowed_installs.user}


def with_way_in(
    interaction: Interaction[Any], error: BaseException, sentence: Text, rows: Rows
) -> tuple[Text, Rows]:
    """Return a refusal and its buttons, with the way to add the bot if what it names needs that.

    Only the template of the refusal counts, not the typed text inside it.
    """
    if not owner(interaction) or not isinstance(error, RuleError) or isinstance(error, TooLate):
        return sentence, rows
    if error.sentence == OTHERS:
        return sentence, (*rows, *_person_row(interaction))
    # A refusal that sends people where there is no way from here says that alone.
    if not set(_COMMAND.findall(f"{error.sentence} {error.data.get('example', '')}")) <= for_people(
        interaction
    ):
        sentence = say(NEEDS_SERVER)
    elif error.sentence != NEEDS_SERVER:
        texts = [error.sentence, *(each.text for each in error.data.values() if isinstance(each, Words))]
        if not _OF_A_TABLE.search(" ".join(map(in_terms, texts))):
            return sentence, rows
        sentence = together(sentence, "\n", say(NEEDS_SERVER))
    return sentence, (*rows, *server_row(interaction))


def _person_row(interaction: Interaction[Any]) -> Rows:
    told = interaction.client.application
    button = Button(say("Add for yourself"), "", address=person_link(interaction.application_id))
    return (
        ((button,),) if _is_public(interaction) and told is not None and told.user_integration_config else ()
    )


def _is_public(interaction: Interaction[Any]) -> bool:
    """Whether people other than the host may add the bot."""
    return interaction.client.application is not None and interaction.client.application.bot_public
