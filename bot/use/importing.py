"""Tables and characters out and in as files; what comes in is looked at first.

What somebody has looked at waits in memory until it is imported: a file has no room in a button. It is
forgotten when the bot restarts, or when many others were looked at since; then the file is sent again. Where
it would bring something else by now, or in the place of something else, it is shown again first.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from bot.aside import aside
from bot.asks.question import Rule
from bot.language import say
from bot.play import Asked, Play
from bot.render import importing as words
from bot.render.card import Button, Card, Document, Weight
from bot.store import files
from bot.store.files import CharacterFile, TableFile
from bot.tell import Done
from rules.cortex import character, cortexpal, importing
from rules.cortex.cortexpal import Info
from rules.errors import NotAllowed, TooLate, Unknown
from rules.result import Step
from rules.seats import Actor, require_gm
from rules.table import Table, key

KEPT = 50
"""So many files wait for their `Import`."""
_GONE = (
    "That file is no longer waiting: it was imported, the bot was restarted, or somebody's data was deleted. "
    "Send it again to import it."
)


_MEANWHILE = "The table has changed at this very moment. Press Import again to see what would come now."


@dataclass(frozen=True, slots=True)
class _Seen:
    """What an import would do: its rule, how that is told, and what may not change until it is done."""

    rule: Rule
    lines: tuple[str, ...]
    stamp: object


_Look = Callable[[Asked, int, Table], _Seen]
"""What somebody would import, as it comes to a campaign and its table."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """What somebody has looked at, the campaign and stamp with which they saw it, and who was forgotten then.

    After somebody's data was deleted it is not imported any more: it may know them.
    """

    actor: int
    campaign: int
    stamp: object
    look: _Look
    forgotten: int


class Files:
    """Writes tables and characters as files, and brings them back by a button with that verb."""

    def __init__(self, play: Play, verb: str, then: Callable[[], tuple[Button, ...]] | None = None) -> None:
        self._play = play
        self._verb = verb
        self._then = then
        self._waiting: OrderedDict[int, _Waiting] = OrderedDict()

    async def table(self, asked: Asked) -> Done:
        """The whole table as a file (GM)."""
        campaign, table = await self._play.see(asked)
        require_gm(table, asked.actor, "export the table")
        if not campaign:
            raise Unknown("There is no table in this channel yet. Example: /campaign new name:Skyfall")
        data = files.write_table(table, asked.place.guild, campaign)
        more = [say("It holds the Discord ids of those who play.")]
        if len(data) > files.LARGEST:
            more.append(
                say(
                    "It has {bytes:,} bytes, and {most:,} are the most that can be brought back.",
                    bytes=len(data),
                    most=files.LARGEST,
                )
            )
        name = table.name or say("This table")
        return Done(campaign, table, _sent(name, data, "/campaign import", *more))

    async def character(self, asked: Asked, who: str | None) -> Done:
        """One character as a file: one's own, or any (GM)."""
        campaign, table = await self._play.see(asked)
        found = character.shown(table, asked.actor, who)
        importing.require_own(table, asked.actor, found)
        data = files.write_character(found, asked.place.guild)
        return Done(campaign, table, _sent(found.name, data, "/character import"))

    async def preview(self, asked: Asked, text: str) -> Done:
        """What a table would bring, from a file or from CortexPal2000 (GM)."""
        _, table = await self._here(asked)
        require_gm(table, asked.actor, "import a table")
        if not text.startswith(("{", "[")):
            info = await aside(cortexpal.read, text)
            return await self._shown(asked, partial(_look_at_info, info))
        found = await aside(files.read, text)
        if not isinstance(found, TableFile):
            raise NotAllowed(
                "That file holds a character, not a table. Send it to /character import instead."
            )
        return await self._shown(asked, partial(_look_at_table, found))

    async def preview_character(self, asked: Asked, text: str) -> Done:
        """Whom a file would bring."""
        found = await aside(files.read, text)
        if not isinstance(found, CharacterFile):
            raise NotAllowed("That file holds a whole table. Send it to /campaign import instead.")
        return await self._shown(asked, partial(_look_at_character, found))

    async def bring(self, asked: Asked, number: int) -> Done:
        """Import what was looked at, or show it again where it is out of date.

        Raises TooLate where it is no longer waiting. It waits on whenever it is not imported.
        """
        waiting = self._waiting.get(number)
        is_known = waiting is not None and waiting.forgotten == self._play.forgotten
        if waiting is None or waiting.actor != asked.actor.id or not is_known:
            raise TooLate(_GONE)
        campaign, table = await self._here(asked)
        seen = await aside(waiting.look, asked, campaign, table)
        if (campaign, seen.stamp) != (waiting.campaign, waiting.stamp):
            fresh = replace(waiting, campaign=campaign, stamp=seen.stamp)
            return self._offered(asked, table, fresh, words.again(seen.lines))
        done = await self._play.change(replace(asked, campaign=campaign), seen.rule)
        self._waiting.pop(number, None)
        return done.offering(*self._then()) if self._then else done

    async def _here(self, asked: Asked) -> tuple[int, Table]:
        """Where an import would come: the table in play in this channel, else one that begins with it."""
        campaign, table = await self._play.see(replace(asked, campaign=0))
        return (campaign, table) if campaign and not table.archived else (0, Table(name=asked.channel))

    async def _shown(self, asked: Asked, look: _Look) -> Done:
        """A preview, of the newest table."""
        campaign, table = await self._here(asked)
        seen = await aside(look, asked, campaign, table)
        waiting = _Waiting(asked.actor.id, campaign, seen.stamp, look, self._play.forgotten)
        return self._offered(asked, table, waiting, seen.lines)

    def _offered(self, asked: Asked, table: Table, waiting: _Waiting, lines: tuple[str, ...]) -> Done:
        """A preview with its button."""
        self._waiting[asked.interaction] = waiting
        if len(self._waiting) > KEPT:
            self._waiting.popitem(last=False)
        row = (Button(say("Import"), self._verb, asked.interaction, weight=Weight.GOOD),)
        return Done(waiting.campaign, table, Card(lines, (row,), private=True))


def _look_at_info(info: Info, asked: Asked, campaign: int, table: Table) -> _Seen:
    """What CortexPal2000 showed, as it would come."""
    del campaign
    rule = partial(cortexpal.bring, info=info)
    then = rule(table, asked.actor).table
    missed = cortexpal.left_out(table, info)
    return _seen_table(rule, table, words.table_preview(table, then, missed))


def _look_at_table(found: TableFile, asked: Asked, campaign: int, table: Table) -> _Seen:
    """The table of a file, as it would come."""
    is_same = bool(campaign) and found.campaign == campaign
    is_home = is_same or _is_home(asked, found)
    rule = partial(importing.bring_table, found=found.table, is_home=is_home, is_same=is_same)
    then = rule(table, asked.actor).table
    behind = words.behind_line(found.table, then)
    return _seen_table(rule, table, words.table_preview(table, then, behind=behind))


def _look_at_character(found: CharacterFile, asked: Asked, campaign: int, table: Table) -> _Seen:
    """The character of a file, as they would come: whatever else is played meanwhile does not matter."""
    del campaign
    rule = partial(importing.bring_character, found=found.character, is_home=_is_home(asked, found))
    come = rule(table, asked.actor).table.characters[key(found.character.name)]
    return _Seen(rule, words.character_preview(found.character, come), come)


def _seen_table(rule: Rule, seen: Table, lines: tuple[str, ...]) -> _Seen:
    """An import that takes the place of exactly this table."""

    def checked(table: Table, actor: Actor) -> Step:
        if table.number != seen.number:
            raise TooLate(_MEANWHILE)
        return rule(table, actor)

    return _Seen(checked, lines, seen.number)


def _is_home(asked: Asked, found: TableFile | CharacterFile) -> bool:
    """Whether a file is of the server that it comes to."""
    return bool(asked.place.guild) and found.server == asked.place.guild


def _sent(name: str, data: bytes, command: str, *more: str) -> Card:
    document = Document(words.file_name(name), data)
    return Card((" ".join((words.sent_line(name, command), *more)),), private=True, document=document)
