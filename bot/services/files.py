"""Import and export tables, characters, portraits and stories.

A previewed file is stored for a day until it is imported, because a button has no room for it. If importing
it would now do something else than the preview said, or would replace something else, the preview is shown
again first.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from bot.language import later, say
from bot.language.line import Text, joined
from bot.pictures.portrait import portrait, require_portrait
from bot.services.play import Play, Request, require_awake
from bot.services.responses import Done
from bot.store import codec, files
from bot.store.files import CharacterFile, TableFile
from bot.store.ledger import Ledger
from bot.store.pending import WaitingKind
from bot.store.personal import Portraits, digest_of
from bot.views import files as views_files
from bot.views.card import Button, Card, Document, Menu, Tone, Weight, portrait_of
from bot.views.game import Rule
from bot.views.handout import handout
from bot.worker import WorkerThread, aside
from rules.campaign import characters
from rules.campaign import files as campaign_files
from rules.campaign.lifecycle import Story
from rules.campaign.seats import Actor, require_gm
from rules.errors import NotAllowed, TooLate, Unknown, Unreadable
from rules.game import Foreign, Step, played
from rules.names import find, fold, key
from rules.table import Character, PlannedScene, Table
from rules.text import Row, Words, shorten
from rules.values import replace

Choices = Mapping[str, str]
"""What somebody chose in the menus of a preview, by what it is about."""
WHO, OPEN = ":who", ":open"
"""Which character of several was chosen, and which set stands open: no set is called so."""


@dataclass(frozen=True, slots=True)
class SheetsSeen:
    """A preview of imported sheets: the rule that imports them, its lines, its menus and its stamp."""

    rule: Rule
    lines: tuple[Text, ...]
    menus: tuple[Menu, ...]
    stamp: int


def chosen_place(choices: Choices, count: int) -> int:
    """Return the place of the chosen one of so many characters of a file, the first if none is chosen."""
    who = choices.get(WHO, "0")
    return int(who) if who.isdecimal() and int(who) < count else 0


def brought(table: Table, actor: Actor, found: Sequence[Character]) -> tuple[Rule, list[Character], int]:
    """Return the rule that brings characters to a table, how they come, and a stamp of that."""
    rule = partial(_bring, found=found)
    after = rule(table, actor).table
    come = [after.characters[key(each.name)] for each in found]
    stamp = 0
    for each in come:
        stamp ^= codec.sign(each)
    return rule, come, stamp or 1


def _bring(table: Table, actor: Actor, found: Sequence[Character]) -> Step:
    """They come to the table, one after the other."""
    step = Step(table, ())
    for each in found:
        step = step.then(campaign_files.bring_character(step.table, actor, each, is_home=False))
    return step


@dataclass(frozen=True, slots=True)
class SheetsRead:
    """A parsed file of sheets: its portraits, and `look`, which previews it for a table.

    `look` takes the request, the table, and the verb and number of the preview's buttons.
    """

    pictures: tuple[bytes, ...]
    look: Callable[[Request, Table, str, int], SheetsSeen]


@dataclass(frozen=True, slots=True)
class Blank:
    """An empty sheet of another program: its title, and a step that starts a campaign with its trait sets."""

    title: str
    begin: Callable[[Step], Step]
    told: Callable[[Table], tuple[Text, ...]]
    """What is said of it at the table that began with it."""


@dataclass(frozen=True, slots=True)
class SheetFiles:
    """How a game reads and writes the sheets of other programs.

    `read` takes JSON, the menu choices, and whether to import all characters of the file. It returns None for
    JSON that isn't a file of these programs, and raises RuleError for a file that cannot be imported.
    """

    game: str
    """The name of the game."""
    programs: tuple[str, ...]
    """What is read, marked with `later`: `Foundry actors of reign`."""
    knows: Callable[[Any], bool]
    """Whether a file looks like one that is read; it may have faults."""
    read: Callable[[Any, Choices, bool], SheetsRead | None]
    write: Callable[[Character, str, str, bytes | None], bytes] | None = None
    """Writes a sheet; None if the game can't."""
    blank: Callable[[Any], Blank] | None = None
    """Reads a blank sheet, and raises RuleError for any other file; None if the game can't begin with one."""


_GONE = later(
    "That file is no longer waiting: it was imported, has expired, or someone's data was deleted. Send it "
    "again to import it."
)


_OWN = later("files it exported")
_UNKNOWN = later(
    "The bot can only read {files}. /campaign import also reads the text of CortexPal2000's /info."
)
_UNKNOWN_ALONE = later("The bot can only read {files}.")
NO_BLANK = later(
    "The bot can't read that file. Start the campaign without a file, or with an empty Cortex Toolkit sheet."
)
_MEANWHILE = later("The table changed in the meantime. Press Import again to see what would be imported now.")


@dataclass(frozen=True, slots=True)
class _Preview:
    """What an import would do: its rule, how that is told, and what may not change until it is done."""

    rule: Rule
    lines: tuple[Text, ...]
    stamp: int
    menus: tuple[Menu, ...] = ()


Founding = Callable[[Table, Actor, str], Step]
"""A rule that begins a campaign of a name."""
AS = ":as"
"""That what is chosen is what the open set is taken as."""
_Look = Callable[[Request, int, Table, "_Offer"], _Preview]
"""What somebody would import, as it comes to a campaign and its table, and where that is offered."""


@dataclass(frozen=True, slots=True)
class _Offer:
    """By which verb and number what waits is pressed."""

    verb: str
    number: int


@dataclass(frozen=True, slots=True)
class _Waiting:
    """What somebody has looked at, as it was written, and the campaign and stamp with which they saw it.

    After somebody's data was deleted it is not imported any more: it may know them.
    """

    text: str
    is_table: bool
    campaign: int = 0
    stamp: int = 0
    choices: Mapping[str, str] = field(default_factory=dict)


async def table_page(play: Play, kept: Portraits, asked: Request) -> tuple[Card, int]:
    """Return the table as a page to print, with all that everybody may see, and the campaign."""
    campaign, table = await play.see(asked, is_public=True)
    faces = {each.picture for each in table.characters.values() if each.picture}
    portraits = await kept.of(campaign, faces) if faces else {}
    written = await aside(asked.actor.id, handout, table, portraits)
    document = Document(views_files.file_name(say("{name} table", name=table.name), "html"), written.encode())
    return Card((say("Here's the table as a page to print."),), private=True, document=document), campaign


class Files:
    """Exports tables and characters, and imports them through buttons with the given verb.

    `sheets` are the files of other programs that the games read; the first of them writes sheets.
    """

    def __init__(
        self,
        play: Play,
        ledger: Ledger,
        verb: str,
        sheets: Sequence[SheetFiles],
        then: Callable[[], tuple[Button, ...]] | None = None,
    ) -> None:
        self._play = play
        self._verb = verb
        self._sheets = sheets
        self._then = then
        self._waiting, self._portraits = ledger.waiting, ledger.portraits

    async def table(self, asked: Request) -> Done:
        """Return the whole table as a file.

        Raises NotAllowed if the caller is not a GM; Unknown if there is no table.
        """
        campaign, table = await self._play.see(asked)
        require_gm(table, asked.actor, Words("export the table"))
        if not campaign:
            raise Unknown("There's no table in this channel yet. Example: /campaign new name:Skyfall")
        pictures = await self._pictures(campaign, table.characters.values())
        data = files.write_table(table, asked.place.guild, campaign, pictures)
        more = [say("The file contains the players' Discord ids.")]
        if pictures and len(data) > files.LARGEST:
            data = files.write_table(table, asked.place.guild, campaign)
            more.append(
                say("With portraits, the file would be too large to import again, so they're left out.")
            )
        name = table.name or say("This table")
        return Done(campaign, table, _sent(name, data, "/campaign import", *more))

    async def character(
        self, asked: Request, who: str | None, of: str | None = None, when: datetime | None = None
    ) -> Done:
        """Return a character as a file: the caller's own, here or at the table `of`, or any if they are a GM.

        With `when`, the file is for another program and carries that time.
        """
        campaign, table, found = await self._own(asked, who, of)
        if when is not None:
            return Done(campaign, table, await self._sheet(asked, campaign, table, found, when))
        data = files.write_character(found, asked.place.guild, await self._pictures(campaign, (found,)))
        return Done(campaign, table, _sent(found.name, data, "/character import"))

    async def text(self, asked: Request, who: str | None, of: str | None = None) -> Done:
        """Return a character's sheet as a text that people can read and edit, and that can be imported."""
        campaign, table, found = await self._own(asked, who, of)
        data = campaign_files.write_text(table, found).encode()
        name = say("{who}'s sheet", who=found.name)
        return Done(campaign, table, _sent(name, data, "/character import", ending="txt"))

    async def _own(self, asked: Request, who: str | None, of: str | None) -> tuple[int, Table, Character]:
        """A character that the caller may export, with campaign and table."""
        if of is not None:
            return await self._play.own(asked, of)
        campaign, table = await self._play.see(asked)
        found = characters.character_shown(table, asked.actor, who)
        campaign_files.require_own(table, asked.actor, found)
        return campaign, table, found

    async def _sheet(
        self, asked: Request, campaign: int, table: Table, found: Character, when: datetime
    ) -> Card:
        """A character as a file of another program, with the portrait. Raises NotAllowed if there is none."""
        write = next((each.write for each in self._of(table) if each.write), None)
        if write is None:
            raise NotAllowed("This table's game can't write such a file. Leave out as.")
        pictures = await self._portraits.of(campaign, (found.picture,)) if found.picture else {}
        at = f"{when.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        data = await aside(asked.actor.id, write, found, str(uuid4()), at, pictures.get(found.picture))
        return _sent(found.name, data, "/character import")

    async def found(
        self, asked: Request, name: str, rule: Founding, text: str | None
    ) -> tuple[Done, tuple[Text, ...]]:
        """Start a campaign, from a blank sheet if `text` holds one; without a name it gets the sheet's title.

        Return the outcome, and the lines that describe what was taken from the blank sheet.
        """
        blank = await aside(asked.actor.id, _blank, text, self._sheets) if text is not None else None

        def begun(table: Table, actor: Actor) -> Step:
            if blank is None:
                return rule(table, actor, name)
            step = rule(table, actor, name or blank.title)
            if step.table.game:
                raise NotAllowed("That sheet is for another game than the ruleset. Leave one of them out.")
            return blank.begin(step)

        done = await self._play.found(asked, begun)
        return done, blank.told(done.table) if blank is not None else ()

    async def preview(self, asked: Request, text: str) -> Done:
        """Preview the import of a table, from a file or from another program's text.

        Raises NotAllowed for non-GMs.
        """
        _, table = await self._here(asked)
        require_gm(table, asked.actor, Words("import a table"))
        return await self._shown(asked, _Waiting(text, is_table=True))

    async def preview_character(self, asked: Request, text: str) -> Done:
        """Preview the import of a character from a file."""
        return await self._shown(asked, _Waiting(text, is_table=False))

    async def require_here(self, asked: Request) -> None:
        """Raise TooLate if a button's table is archived, or is no longer the table of this channel."""
        here, _ = await self._play.see(replace(asked, campaign=0))
        _, table = await self._play.see(asked)
        if asked.campaign != here:
            raise TooLate(
                "{table} is no longer this channel's table. To import the file here: /character import",
                table=table.name or Words("That table"),
            )
        require_awake(table)

    async def bring(self, asked: Request, number: int) -> Done:
        """Import a previewed file, or show a new preview if the old one is out of date.

        The file stays stored until it has been imported. Raises TooLate if it is no longer stored.
        """
        body = await self._waiting.find(WaitingKind.IMPORT, number, asked.actor.id)
        if body is None:
            raise TooLate(_GONE)
        waiting = _Waiting(**json.loads(body))
        campaign, table = await self._here(asked)
        look, pictures = await aside(asked.actor.id, _read, waiting, *self._readers(table))
        seen = await aside(
            asked.actor.id, look, asked, campaign, table, _Offer(self._verb, asked.interaction)
        )
        if (campaign, seen.stamp) != (waiting.campaign, waiting.stamp):
            fresh = replace(waiting, campaign=campaign, stamp=seen.stamp)
            again = replace(seen, lines=views_files.again(seen.lines))
            return await self._offered(asked, table, fresh, again, asked.interaction)
        done = await self._play.change(replace(asked, campaign=campaign, typed=waiting.text), seen.rule)
        # After the step: the campaign may have begun by it.
        for each in pictures:
            await self._portraits.keep(done.campaign, asked.actor.id, each)
        await self._waiting.take(WaitingKind.IMPORT, number, asked.actor.id)
        return done.offering(*self._then()) if self._then else done

    async def choose(self, asked: Request, number: int, what: str, value: str) -> Done:
        """Change one choice in a preview and show it again.

        Raises TooLate if the file is no longer stored.
        """
        body = await self._waiting.find(WaitingKind.IMPORT, number, asked.actor.id)
        if body is None:
            raise TooLate(_GONE)
        waiting = _Waiting(**json.loads(body))
        about = waiting.choices.get(OPEN, "") if what == AS else what
        choices = {**waiting.choices, about: value} | ({OPEN: ""} if what in (WHO, AS) else {})
        return await self._shown(asked, replace(waiting, choices=choices), number)

    def _of(self, table: Table) -> Sequence[SheetFiles]:
        """The files of other programs that are read at a table: those of its games."""
        return [each for each in self._sheets if table.game in ("", each.game)]

    def _readers(self, table: Table) -> tuple[Sequence[SheetFiles], Unreadable]:
        """What reads files at a table, and what is said of a file that nobody can read there."""
        sheets = self._of(table)
        names = Row([Words(name) for name in (_OWN, *(name for each in sheets for name in each.programs))])
        return sheets, Unreadable(_UNKNOWN_ALONE if table.game else _UNKNOWN, files=names)

    async def _pictures(self, campaign: int, characters: Iterable[Character]) -> dict[str, str]:
        """The uploaded portraits of characters, as a file has them."""
        digests = {each.picture for each in characters if each.picture}
        found = await self._portraits.of(campaign, digests) if digests else {}
        return {digest: b64encode(data).decode() for digest, data in found.items()}

    async def _here(self, asked: Request) -> tuple[int, Table]:
        """Where an import would come: the table in play in this channel, else one that begins with it."""
        campaign, table = await self._play.see(replace(asked, campaign=0))
        return (campaign, table) if campaign and not table.archived else (0, Table(name=asked.channel))

    async def _shown(self, asked: Request, waiting: _Waiting, number: int = 0) -> Done:
        """A preview, of the newest table, of what waits by that number, or from now on."""
        number = number or asked.interaction
        campaign, table = await self._here(asked)
        look, _ = await aside(asked.actor.id, _read, waiting, *self._readers(table))
        seen = await aside(asked.actor.id, look, asked, campaign, table, _Offer(self._verb, number))
        waiting = replace(waiting, campaign=campaign, stamp=seen.stamp)
        return await self._offered(asked, table, waiting, seen, number)

    async def _offered(
        self, asked: Request, table: Table, waiting: _Waiting, seen: _Preview, number: int
    ) -> Done:
        """A preview with its button, and with what can be chosen of it."""
        body = json.dumps(asdict(waiting), ensure_ascii=False)
        await self._waiting.keep(WaitingKind.IMPORT, number, asked.actor.id, body)
        row = (Button(say("Import"), self._verb, number, weight=Weight.GOOD),)
        return Done(waiting.campaign, table, Card(seen.lines, (row,), private=True, menus=seen.menus))


def _read(
    waiting: _Waiting, sheets: Sequence[SheetFiles], refusal: Unreadable
) -> tuple[_Look, tuple[bytes, ...]]:
    """What a text would bring, and the portraits of whom it would bring.

    Raises what reading it raises, `refusal` for what nobody can read, and NotAllowed for the other command's
    text.
    """
    if not waiting.text.startswith(("{", "[")):
        if waiting.is_table:
            return partial(_look_at_foreign, _foreign(waiting.text, refusal)), ()
        if campaign_files.is_text(waiting.text):
            return partial(_look_at_text, waiting.text), ()
        raise refusal
    form = _whole(waiting.text, refusal, sheets)
    # The first game reads the sheets of any Foundry system, the others only those of their own.
    for each in reversed(sheets):
        if (read := each.read(form, waiting.choices, waiting.is_table)) is not None:
            return partial(_look_at_sheets, read), read.pictures
    if not files.is_ours(form):
        raise refusal
    found = files.read(waiting.text)
    portraits = {digest: _portrait(digest, text) for digest, text in found.pictures.items()}
    come = found.table.characters.values() if isinstance(found, TableFile) else (found.character,)
    pictures = tuple(portraits[each] for each in {one.picture for one in come} if each in portraits)
    if isinstance(found, TableFile):
        if waiting.is_table:
            return partial(_look_at_table, found), pictures
        raise NotAllowed("That file holds a whole table. To import it: /campaign import")
    if waiting.is_table:
        raise NotAllowed("That file holds a character, not a table. To import it: /character import")
    return partial(_look_at_character, found), pictures


def _blank(text: str, sheets: Sequence[SheetFiles]) -> Blank:
    """A blank sheet of another program. Raises what reading it raises."""
    none = Unreadable(NO_BLANK)
    if not text.startswith(("{", "[")):
        raise none
    blank = next(each.blank for each in sheets if each.blank)
    return blank(_whole(text, none, sheets))


def _whole(text: str, refusal: Unreadable, sheets: Sequence[SheetFiles]) -> Any:
    """What a JSON text says that somebody can read here. Raises Unreadable, with `refusal` for any other."""
    form = files.parse(text, fractions=True)
    # Its head first: looking for faults in what nobody reads takes as long as the sender likes.
    if not (files.is_ours(form) or any(each.knows(form) for each in sheets)):
        raise refusal
    files.require_whole(form, "table")
    return form


def _portrait(digest: str, text: str) -> bytes:
    """A portrait of a file. Raises Unreadable where it is none, or not the one that it is called."""
    try:
        data = b64decode(text, validate=True)
    except ValueError as error:
        raise Unreadable("pictures.{digest}: the picture isn't base64.", digest=shorten(digest)) from error
    if digest_of(data) != digest:
        raise Unreadable("pictures.{digest}: the picture doesn't match its name.", digest=shorten(digest))
    require_portrait(data, f"pictures.{shorten(digest)}")
    return data


def _foreign(text: str, refusal: Unreadable) -> Foreign:
    """What a text says of a table, by the first game that reads such. Raises what the last one refuses."""
    refused = refusal
    for game in played():
        try:
            if (found := game.foreign(text)) is not None:
                return found
        except Unreadable as error:
            refused = error
    raise refused


def _look_at_foreign(found: Foreign, asked: Request, campaign: int, table: Table, offer: _Offer) -> _Preview:
    """What another program showed, as it would come."""
    del campaign, offer
    then = found.bring(table, asked.actor).table
    return _seen_table(found.bring, table, views_files.table_preview(table, then, found.left_out(table)))


def _look_at_table(found: TableFile, asked: Request, campaign: int, table: Table, offer: _Offer) -> _Preview:
    """The table of a file, as it would come."""
    del offer
    is_same = bool(campaign) and found.campaign == campaign
    is_home = is_same or _is_home(asked, found)
    rule = partial(campaign_files.bring_table, found=found.table, is_home=is_home, is_same=is_same)
    then = rule(table, asked.actor).table
    behind = views_files.behind_line(found.table, then)
    return _seen_table(rule, table, views_files.table_preview(table, then, behind=behind))


def _look_at_character(
    found: CharacterFile, asked: Request, campaign: int, table: Table, offer: _Offer
) -> _Preview:
    """The character of a file, as they would come: whatever else is played meanwhile does not matter."""
    del campaign, offer
    rule = partial(campaign_files.bring_character, found=found.character, is_home=_is_home(asked, found))
    come = rule(table, asked.actor).table.characters[key(found.character.name)]
    return _Preview(rule, views_files.character_preview(table, found.character, come), codec.sign(come))


def _look_at_text(text: str, asked: Request, campaign: int, table: Table, offer: _Offer) -> _Preview:
    """The character of a sheet as text, as they would come."""
    del campaign, offer
    found = campaign_files.read_text(table, asked.actor, text)
    rule, come, stamp = brought(table, asked.actor, (found,))
    return _Preview(rule, views_files.character_preview(table, found, come[0]), stamp)


def _look_at_sheets(
    found: SheetsRead, asked: Request, campaign: int, table: Table, offer: _Offer
) -> _Preview:
    """The sheets of another program, as they would come: whatever else is played does not matter."""
    del campaign
    seen = found.look(asked, table, offer.verb, offer.number)
    return _Preview(seen.rule, seen.lines, seen.stamp, seen.menus)


def _seen_table(rule: Rule, seen: Table, lines: tuple[Text, ...]) -> _Preview:
    """An import that takes the place of exactly this table."""

    def checked(table: Table, actor: Actor) -> Step:
        if table.number != seen.number:
            raise TooLate(_MEANWHILE)
        return rule(table, actor)

    return _Preview(checked, lines, seen.number)


def _is_home(asked: Request, found: TableFile | CharacterFile) -> bool:
    """Whether a file is of the server that it comes to."""
    return bool(asked.place.guild) and found.server == asked.place.guild


def _sent(name: Text, data: bytes, command: str, *more: Text, ending: str = "json") -> Card:
    document = Document(views_files.file_name(name, ending), data)
    said = [views_files.sent_line(name, command), *more]
    if len(data) > files.LARGEST:
        said.append(
            say(
                "The file has {bytes:,} bytes; the limit for importing it again is {most:,}.",
                bytes=len(data),
                most=files.LARGEST,
            )
        )
    return Card((joined(" ", said),), private=True, document=document)


FULL = later(
    "You already have {most} pictures waiting, in a queue of {waiting}. When they're done, send the "
    "next picture."
)
Read = Callable[[], Awaitable[bytes]]
"""Fetches the file that somebody gave."""


class PortraitUploads:
    """Sets the portraits that people upload for characters."""

    def __init__(self, play: Play, kept: Portraits) -> None:
        self._play = play
        self._kept = kept
        self._lane = WorkerThread("pictures", FULL)

    async def put(self, asked: Request, read: Read, who: str | None, alt: str | None) -> Done:
        """Set a character's portrait.

        Raises Unreadable if the file is no picture; also whatever the rule raises.

        The file is downloaded only when its turn comes, so queued uploads take no memory.
        """
        campaign, table = await self._play.see(asked)
        name = characters.whose(table, asked.actor, who).name
        async with self._lane.turn(asked.actor.id):
            small = await self._lane.do(portrait, await read())
        picture = await self._kept.keep(campaign, asked.actor.id, small)
        done = await self._play.change(asked, partial(characters.change, who=name, picture=picture, alt=alt))
        shown = next((each for each in done.table.characters.values() if each.name == name), None)
        beside = portrait_of(shown) if shown else None
        return replace(done, card=replace(done.card, portrait=beside, tone=Tone.CALM))

    async def remove(self, asked: Request, who: str | None) -> Done:
        """Remove a character's portrait."""
        return await self._play.change(asked, partial(characters.change, who=who))


FOLDER = Path(__file__).parents[1] / "stories"


@cache
def stories() -> Mapping[str, Story]:
    """Return all built-in stories, keyed by their folded kinds; each is one JSON file."""
    read = (json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json")))
    return {fold(form["kind"]): _story(form) for form in read}


def chosen_story(typed: str, *, has_file: bool = False) -> Story | None:
    """Return the story of the typed kind to start a campaign with; None if nothing was typed.

    Raises Unknown or Ambiguous if the kind is not clear; NotAllowed if a file was attached, too.
    """
    if not typed:
        return None
    kind = find(typed, [each.kind for each in stories().values()], Words("story"))
    if has_file:
        raise NotAllowed(
            "Start a campaign with a story or with a file, not both. Example: /campaign new story:{kind}",
            kind=kind,
        )
    return stories()[fold(kind)]


def _story(form: dict[str, Any]) -> Story:
    """A story of a file, in which a sheet is a list of lines."""
    sheets = {who: "\n".join(lines) for who, lines in form["characters"].items()}
    scenes = tuple(PlannedScene(**each) for each in form["scenes"])
    return Story(**form | {"characters": sheets, "scenes": scenes})
