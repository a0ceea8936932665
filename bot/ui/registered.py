"""The commands as Discord has them: registered where they differ, with the numbers to press them by."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import discord
import structlog
from discord import app_commands

from bot.store.ledger import Ledger

log = structlog.get_logger(__name__)


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
        if self._guild is not None:
            self._tree.copy_global_to(guild=self._guild)
        digest, note = self._digest(), self._note("commands")
        if not self._always and await self._ledger.note(note) == digest:
            await self._remember()
            return
        try:
            known = await self._tree.sync(guild=self._guild)
        except (discord.HTTPException, app_commands.CommandSyncFailure) as error:
            if error.status >= 500:
                raise
            log.error("commands not registered, the old ones stay", reasons=str(error))
            await self._remember()
        else:
            await self._ledger.set_note(note, digest)
            await self._learn(known)

    async def look(self) -> None:
        """Learn the numbers that another process has noted."""
        self.numbers = json.loads(await self._ledger.note(self._note("numbers")) or "{}")

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
        noted = await self._ledger.note(self._note("numbers"))
        if noted is not None:
            self.numbers = json.loads(noted)
            return
        try:
            known = await self._tree.fetch_commands(guild=self._guild)
        except discord.HTTPException as error:
            log.warning("numbers of commands not known, help shows them as text", reason=str(error))
        else:
            await self._learn(known)

    async def _learn(self, known: Iterable[app_commands.AppCommand]) -> None:
        self.numbers = {
            each.name: each.id for each in known if each.type is discord.AppCommandType.chat_input
        }
        await self._ledger.set_note(self._note("numbers"), json.dumps(self.numbers))
