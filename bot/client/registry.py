"""Register commands and emojis with Discord.

Emojis that Discord does not have, or refuses, are shown as words: `markup` lacks them. Discord does not
reveal from which picture an emoji was made, so a note stores that; an emoji without a note is assumed to be
current. A changed picture gets the same name, which screen readers read aloud; the old emoji is renamed, so
that old messages, which hold its id, keep their pictures.
"""

import asyncio
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, cast

import discord
import structlog
from discord import Interaction, app_commands

from bot.pictures.faces import FACES, picture
from bot.store.ledger import Ledger
from bot.views.card import Card
from bot.worker import aside
from rules.values import replace

log = structlog.get_logger(__name__)


_SHAPE = frozenset(
    {
        *("name", "description", "type", "options", "required", "choices", "value", "channel_types"),
        *("min_value", "max_value", "min_length", "max_length", "autocomplete", "nsfw"),
        *("default_member_permissions", "contexts", "integration_types"),
    }
)
"""What makes a command what it is; Discord tells more of each."""
_NOT_OF_ONE_SERVER = frozenset({"contexts", "integration_types"})
"""What Discord does not keep of a command of one server."""


@dataclass(frozen=True, slots=True)
class CommandDifferences:
    """The names of commands that registering would add, change and remove, and how many stay the same."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    same: int

    @property
    def are_none(self) -> bool:
        """Whether nothing would change."""
        return not (self.added or self.changed or self.removed)


class CommandRegistry:
    """The commands registered with Discord."""

    def __init__(
        self,
        tree: app_commands.CommandTree[Any],
        ledger: Ledger,
        dev_guild: int | None = None,
        *,
        always: bool = False,
    ) -> None:
        self._tree = tree
        self._ledger = ledger
        self._guild = discord.Object(dev_guild) if dev_guild else None
        self._always = always
        self.numbers: Mapping[str, int] = {}
        """Discord's number of each command or group, by its name; empty where they are not known."""

    def everything(self) -> list[app_commands.Command[Any, ..., Any]]:
        """Return every command that can be typed, subcommands included."""
        found = [each for each in self._tree.walk_commands() if isinstance(each, app_commands.Command)]
        return sorted(found, key=lambda each: each.qualified_name)

    def full(self) -> dict[str, int]:
        """Return the Discord ids of all commands, by full name; 0 if not known."""
        names = [each.qualified_name for each in self.everything()]
        return {name: self.numbers.get(name.split()[0], 0) for name in names}

    async def bring(self) -> None:
        """Register the commands if they differ from those registered last, and learn their ids.

        If Discord refuses them, the old ones stay.
        """
        self._place()
        # Not with each start: Discord limits those who register without need.
        if not self._always and await self._ledger.notes.read(self._note("commands")) == self._digest():
            await self._remember()
            return
        try:
            await self.register()
        except (discord.HTTPException, app_commands.CommandSyncFailure) as error:
            if error.status >= 500:  # that passes, and is tried again
                raise
            log.error("commands not registered, keeping the old ones", reasons=str(error))
            await self._remember()

    async def register(self) -> None:
        """Register the commands.

        Raises discord.HTTPException or app_commands.CommandSyncFailure on failure.
        """
        self._place()
        known = await self._tree.sync(guild=self._guild)
        await self._ledger.notes.keep(self._note("commands"), self._digest())
        await self._learn(known)

    async def differences(self) -> CommandDifferences:
        """Return what registering would change. Raises discord.HTTPException if Discord fails."""
        self._place()
        http, application = self._tree.client.http, self._tree.client.application_id or 0
        if self._guild is None:
            found: Sequence[Any] = await http.get_global_commands(application)
        else:
            found = await http.get_guild_commands(application, self._guild.id)
        shape = _SHAPE if self._guild is None else _SHAPE - _NOT_OF_ONE_SERVER
        registered = {_name(each): _plain(each, shape) for each in found}
        here = (each.to_dict(self._tree) for each in self._tree.get_commands(guild=self._guild))
        wanted = {_name(each): _plain(each, shape) for each in here}
        both = wanted.keys() & registered.keys()
        return CommandDifferences(
            tuple(sorted(wanted.keys() - registered.keys())),
            tuple(sorted(name for name in both if wanted[name] != registered[name])),
            tuple(sorted(registered.keys() - wanted.keys())),
            sum(wanted[name] == registered[name] for name in both),
        )

    def _place(self) -> None:
        """Let the commands be those of the one server, where there is one."""
        if self._guild is not None:
            self._tree.copy_global_to(guild=self._guild)

    async def look(self) -> None:
        """Load the ids that another process has stored."""
        self.numbers = json.loads(await self._ledger.notes.read(self._note("numbers")) or "{}")

    def _digest(self) -> str:
        shapes = sorted(
            json.dumps(command.to_dict(self._tree), sort_keys=True)
            for command in self._tree.get_commands(guild=self._guild)
        )
        return hashlib.sha256("\n".join(shapes).encode()).hexdigest()

    def _note(self, what: str) -> str:
        application = self._tree.client.application_id
        return f"{what}:{application}:{self._guild.id if self._guild else 0}"

    async def _remember(self) -> None:
        """The numbers as they were noted, or as Discord says where nobody has noted them yet."""
        noted = await self._ledger.notes.read(self._note("numbers"))
        if noted is not None:
            self.numbers = json.loads(noted)
            return
        try:
            known = await self._tree.fetch_commands(guild=self._guild)
        except discord.HTTPException as error:
            log.warning("command ids unknown, help shows plain text", reason=str(error))
        else:
            await self._learn(known)

    async def _learn(self, known: Iterable[app_commands.AppCommand]) -> None:
        self.numbers = {
            each.name: each.id for each in known if each.type is discord.AppCommandType.chat_input
        }
        await self._ledger.notes.keep(self._note("numbers"), json.dumps(self.numbers))


def _name(command: Mapping[str, Any]) -> str:
    """A command's name as people see it."""
    is_typed = command.get("type", 1) == discord.AppCommandType.chat_input.value
    return f"/{command['name']}" if is_typed else str(command["name"])


def _plain(thing: Any, shape: frozenset[str]) -> Any:
    """What makes a command what it is, without what is nothing, in the form in which Discord tells it too."""
    if isinstance(thing, Mapping):
        kept = {name: _plain(value, shape) for name, value in thing.items() if name in shape}
        if kept.get("default_member_permissions") is not None:
            kept["default_member_permissions"] = str(kept["default_member_permissions"])
        for name in _NOT_OF_ONE_SERVER & kept.keys():
            kept[name] = sorted(kept[name] or ())
        return {name: value for name, value in kept.items() if value not in (None, False, [], "")}
    return [_plain(each, shape) for each in thing] if isinstance(thing, list | tuple) else thing


PACE = 1.0
"""Seconds between two uploads; Discord has limits of its own for them, which it does not tell."""
PAUSES = (60.0, 600.0, 3600.0)
"""Seconds after which what failed is tried again."""


class DieEmojis:
    """The emojis for the faces of dice."""

    def __init__(self, client: discord.Client, ledger: Ledger) -> None:
        self._client = client
        self._ledger = ledger
        self.markup: dict[str, str] = {}
        """Faces by name as they are written in a message, `<:d10_7:…>`."""
        self._noted: str | None = None
        self._uploading: asyncio.Task[None] | None = None
        self.pace = PACE

    def begin(self) -> None:
        """Upload missing emojis slowly in the background."""
        self._uploading = asyncio.get_running_loop().create_task(self._upload())

    async def stop(self) -> None:
        """Stop uploading."""
        if self._uploading is not None:
            self._uploading.cancel()
            await asyncio.wait({self._uploading})

    async def look(self) -> None:
        """Load the emojis that another process has uploaded, if that has changed."""
        noted = await self._ledger.notes.read(self._key)
        if noted is None or noted == self._noted:
            return
        there = {emoji.name: emoji for emoji in await self._client.fetch_application_emojis()}
        brought = json.loads(noted).keys() & there.keys()
        self.markup = {each: str(there[each]) for each in FACES if each in brought}
        self._noted = noted

    @property
    def _key(self) -> str:
        """Where it is noted what each face was made of."""
        return f"faces:{self._client.application_id}"

    async def _upload(self) -> None:
        # Later than all that people wait for: until then words do.
        await self._client.wait_until_ready()
        for pause in (0.0, *PAUSES):
            await self._ledger.clock.sleep(pause)
            try:
                await self._bring()
                return
            except Exception as error:  # words stand for what is missing
                if not pause:
                    log.warning("dice without a picture stay words", exc_info=error)

    async def _bring(self) -> None:
        """Upload the faces that Discord lacks, or has as they were drawn before."""
        key = self._key
        digests = await aside(0, _digests)
        noted: dict[str, str] = json.loads(await self._ledger.notes.read(key) or "{}")
        there = {emoji.name: emoji for emoji in await self._client.fetch_application_emojis()}
        self.markup = {each: str(there[each]) for each in FACES if each in there}
        now = {each: noted.get(each, digests[each]) for each in self.markup}
        if now != noted:
            await self._ledger.notes.keep(key, json.dumps(now))
        for each in FACES:
            if now.get(each) == digests[each]:
                continue
            if self.markup.pop(each, None):
                # Discord changes no emoji's picture; words stand for it until the new one is there.
                former = next(old for n in count(1) if (old := f"{each}_old{n}") not in there)
                there[former] = await there[each].edit(name=former)
            made = await self._client.create_application_emoji(name=each, image=picture(each))
            self.markup[each] = str(made)
            now[each] = digests[each]
            # After each, so that a bot which is stopped goes on from here.
            await self._ledger.notes.keep(key, json.dumps(now))
            await self._ledger.clock.sleep(self.pace)


def drawn(interaction: Interaction[Any], card: Card) -> Card:
    """Return a card with emojis for its dice, if its table wants them and Discord has them."""
    return card if card.is_in_words else replace(card, faces=faces_of(interaction).markup)


def faces_of(interaction: Interaction[Any]) -> DieEmojis:
    """Return the client's die emojis."""
    return cast("DieEmojis", interaction.client.faces)


def _digests() -> dict[str, str]:
    """What tells the pictures of all faces from other ones, by name."""
    return {each: hashlib.sha256(picture(each)).hexdigest()[:16] for each in FACES}
