"""The commands as Discord has them: registered where they differ, with the numbers to press them by."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import discord
import structlog
from discord import app_commands

from bot.store.ledger import Ledger

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
class Differences:
    """The commands that registering would add, change and remove, by name, and how many stay as they are."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    same: int

    @property
    def are_none(self) -> bool:
        """Whether all stays as it is."""
        return not (self.added or self.changed or self.removed)


class Registered:
    """What Discord knows of the commands."""

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
        """Every command that can be typed, by its full name."""
        found = [each for each in self._tree.walk_commands() if isinstance(each, app_commands.Command)]
        return sorted(found, key=lambda each: each.qualified_name)

    def full(self) -> dict[str, int]:
        """The full name of each of them, with the number by which Discord knows it, or 0."""
        names = [each.qualified_name for each in self.everything()]
        return {name: self.numbers.get(name.split()[0], 0) for name in names}

    async def bring(self) -> None:
        """Register the commands where they differ from those registered last, and learn their numbers.

        Where Discord refuses them, the old ones stay.
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
        """Register the commands. Raises discord.HTTPException and app_commands.CommandSyncFailure."""
        self._place()
        known = await self._tree.sync(guild=self._guild)
        await self._ledger.notes.keep(self._note("commands"), self._digest())
        await self._learn(known)

    async def differences(self) -> Differences:
        """What registering would change. Raises discord.HTTPException."""
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
        return Differences(
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
        """Learn the numbers that another process has noted."""
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
