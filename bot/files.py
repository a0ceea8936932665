"""Tables and characters out and in as files; what comes in is looked at first.

What somebody has looked at waits in memory until they press `Import`: a file has no room in a button. It is
forgotten when the bot restarts, or when many others were looked at since; then the file is sent again.
"""

import asyncio
from collections import OrderedDict
from functools import partial

from bot.play import Asked, Done, Play, Rule
from bot.render import moved
from bot.render.card import Button, Card, Document, Tone
from bot.store import files
from bot.store.files import CharacterFile, TableFile
from rules.cortex import character, cortexpal, moving
from rules.cortex.seats import require_gm
from rules.cortex.table import Table, key
from rules.errors import NotAllowed, RuleError, TooLate, Unknown

KEPT = 50
"""So many files wait for their `Import`."""
_GONE = (
    "That file is no longer waiting: it was imported, or the bot was restarted. Send it again to import it."
)


class Files:
    """Writes tables and characters as files, and brings them back by a button with that verb."""

    def __init__(self, play: Play, verb: str) -> None:
        self._play = play
        self._verb = verb
        self._waiting: OrderedDict[int, tuple[int, Rule]] = OrderedDict()

    async def table(self, asked: Asked) -> Done:
        """The whole table as a file (GM)."""
        campaign, table = await self._play.see(asked)
        require_gm(table, asked.actor, "export the table")
        if not campaign:
            raise Unknown("There is no table in this channel yet. Example: /campaign new name:Skyfall")
        data = files.write_table(table, asked.place.guild, campaign)
        name = table.name or "This table"
        more = " It holds the Discord ids of those who play."
        if len(data) > files.LARGEST:
            more += (
                f" It has {len(data):,} bytes, and {files.LARGEST:,} are the most that can be brought back."
            )
        return Done(campaign, table, _sent(name, data, "/campaign import", more))

    async def character(self, asked: Asked, who: str | None) -> Done:
        """One character as a file: one's own, or any (GM)."""
        campaign, table = await self._play.see(asked)
        found = character.shown(table, asked.actor, who)
        moving.require_own(table, asked.actor, found)
        data = files.write_character(found, asked.place.guild)
        return Done(campaign, table, _sent(found.name, data, "/character import"))

    async def preview(self, asked: Asked, text: str) -> Done:
        """What a table would bring, from a file or from CortexPal2000 (GM)."""
        campaign, table = await self._here(asked)
        require_gm(table, asked.actor, "import a table")
        if not text.startswith(("{", "[")):
            info = await asyncio.to_thread(cortexpal.read, text)
            rule: Rule = partial(cortexpal.bring, info=info)
            then = rule(table, asked.actor).table
            missed = await asyncio.to_thread(cortexpal.left_out, table, asked.actor, info)
            return self._shown(asked, campaign, table, rule, moved.table_preview(table, then, missed))
        found = await asyncio.to_thread(files.read, text)
        if not isinstance(found, TableFile):
            raise NotAllowed(
                "That file holds a character, not a table. Send it to /character import instead."
            )
        is_same = bool(campaign) and found.campaign == campaign
        is_home = is_same or _is_home(asked, found)
        rule = partial(moving.bring_table, found=found.table, is_home=is_home, is_same=is_same)
        then = rule(table, asked.actor).table
        behind = moved.behind_line(found.table, then)
        return self._shown(asked, campaign, table, rule, moved.table_preview(table, then, behind=behind))

    async def preview_character(self, asked: Asked, text: str) -> Done:
        """Whom a file would bring."""
        campaign, table = await self._here(asked)
        found = await asyncio.to_thread(files.read, text)
        if not isinstance(found, CharacterFile):
            raise NotAllowed("That file holds a whole table. Send it to /campaign import instead.")
        rule = partial(moving.bring_character, found=found.character, is_home=_is_home(asked, found))
        come = rule(table, asked.actor).table.characters[key(found.character.name)]
        return self._shown(asked, campaign, table, rule, moved.character_preview(found.character, come))

    async def bring(self, asked: Asked, number: int) -> Done:
        """Import what was looked at. Raises TooLate where it is no longer waiting."""
        actor, rule = self._waiting.get(number, (0, None))
        if rule is None or actor != asked.actor.id:
            raise TooLate(_GONE)
        del self._waiting[number]
        try:
            return await self._play.change(asked, rule)
        except RuleError:
            self._waiting[number] = (actor, rule)
            raise

    async def _here(self, asked: Asked) -> tuple[int, Table]:
        """Where an import would come: the table in play here, else one that begins with it."""
        campaign, table = await self._play.see(asked)
        return (campaign, table) if campaign and not table.archived else (0, Table(name=asked.channel))

    def _shown(self, asked: Asked, campaign: int, table: Table, rule: Rule, lines: tuple[str, ...]) -> Done:
        """A preview with its button."""
        self._waiting[asked.interaction] = (asked.actor.id, rule)
        if len(self._waiting) > KEPT:
            self._waiting.popitem(last=False)
        row = (Button("Import", self._verb, asked.interaction, tone=Tone.GOOD),)
        return Done(campaign, table, Card(lines, (row,), private=True))


def _is_home(asked: Asked, found: TableFile | CharacterFile) -> bool:
    """Whether a file is of the server that it comes to."""
    return bool(asked.place.guild) and found.server == asked.place.guild


def _sent(name: str, data: bytes, command: str, more: str = "") -> Card:
    document = Document(moved.file_name(name), data)
    return Card((moved.sent_line(name, command) + more,), private=True, document=document)
