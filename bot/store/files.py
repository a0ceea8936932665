"""Tables and characters as JSON files with a published, versioned schema.

A file says what it contains, the version of its format (the ledger's own, upgraded in the same way), and its
server and campaign, so that a table that comes back finds its people and open rolls again. The format follows
the classes, so the schema beside this module is generated from them and never edited by hand.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from enum import Enum
from math import isfinite
from pathlib import Path
from typing import Any, Literal, get_origin

import msgspec
from msgspec import field

from bot.store import codec
from bot.store.file_schema import Misfit, misfit, schema_of
from bot.store.upgrades import LIFTS, VERSION, Lifts, lift
from rules.campaign import files
from rules.campaign.schedule import QuietHours
from rules.errors import Unreadable
from rules.facts import Fact, Illegible, OldWords
from rules.game import Fault, played
from rules.names import spelt
from rules.table import Character, Table
from rules.terms import later
from rules.text import OR, Phrase, Row, Words, shorten
from rules.values import Value, replace

DEEPEST = 30
"""Nothing of ours is nested deeper than this."""
MOST = 25_000
"""Lists and objects in one text; a file of ours with a million bytes has about 20,000."""
_LONGEST_NUMBER = 20


_WRONG = {
    "expecting value": Words("expecting value"),
    "expecting ',' delimiter": Words("expecting ',' delimiter"),
    "expecting ':' delimiter": Words("expecting ':' delimiter"),
    "expecting property name enclosed in double quotes": Words("expected a property name in double quotes"),
    "extra data": Words("extra data"),
    "unterminated string starting at": Words("unterminated string"),
    "invalid control character at": Words("invalid control character"),
}
"""What Python says of JSON that is none; what another version of it may say is left in its words."""


MOST_FAULTS = 100
"""So many faults are told apart while a text is parsed; a file of nothing else would take a lot of memory."""


class _Fault:
    """Stands where something cannot be read, until its place is known."""

    __slots__ = ("why",)

    def __init__(self, why: Phrase) -> None:
        self.why = why


_ONE_MORE = _Fault(Words("the value can't be read"))


class _JsonReader:
    """What is made of the numbers and objects of one text, and how many of them were faulty."""

    def __init__(self) -> None:
        self._faults = 0

    def _fault(self, why: Callable[[], Phrase]) -> _Fault:
        self._faults += 1
        return _Fault(why()) if self._faults <= MOST_FAULTS else _ONE_MORE

    def members(self, pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
        """Return a parsed object; a duplicate key becomes a fault."""
        found: dict[str, Any] = {}
        for name, value in pairs:
            found[name] = self._fault(lambda: Words("it appears twice")) if name in found else value
        return found

    def number(self, digits: str) -> object:
        """Return a whole number, or a fault if it is too large."""
        # Longer ones take long to be read, and beyond 4,300 digits Python raises another error.
        return int(digits) if len(digits) <= _LONGEST_NUMBER else self._too_large(digits)

    def no_fraction(self, digits: str) -> object:
        """Return a fault, because fractions are not allowed here."""
        return self._fault(lambda: Words("{digits} isn't a whole number", digits=shorten(digits)))

    def fraction(self, digits: str) -> object:
        """Return a fraction."""
        number = float(digits)
        return number if isfinite(number) else self._too_large(digits)

    def constant(self, word: str) -> object:
        """Return a fault for NaN and Infinity, which Python accepts but JSON does not."""
        return self._fault(lambda: Words("{word} isn't a number", word=word))

    def _too_large(self, digits: str) -> _Fault:
        return self._fault(lambda: Words("{digits} is too large", digits=shorten(digits)))


def parse(text: str, *, fractions: bool = False) -> Any:
    """Parse a JSON text, with `fractions` if those are allowed. Raises Unreadable if it isn't JSON.

    Parts may still be faulty. `require_whole` finds these, which takes long, so look at the head first.
    """
    # Each takes many times the memory of its bracket, so they are counted before anything is made of them.
    if text.count("[") + text.count("{") > MOST:
        raise Unreadable("That file has too many parts. The limit is {most:,} lists and objects.", most=MOST)
    reader = _JsonReader()
    try:
        return json.loads(
            text,
            object_pairs_hook=reader.members,
            parse_int=reader.number,
            parse_float=reader.fraction if fractions else reader.no_fraction,
            parse_constant=reader.constant,
        )
    except json.JSONDecodeError as error:
        raise Unreadable(
            "That isn't valid JSON: {why} at line {line}, character {place}.",
            why=_WRONG.get(error.msg.lower()) or Row((error.msg.lower(),)),
            line=error.lineno,
            place=error.colno,
        ) from None
    except RecursionError:
        raise Unreadable(
            "That JSON is nested too deeply; the limit is {deepest} levels.", deepest=DEEPEST
        ) from None


def require_whole(found: Any, inside: str = "") -> None:
    """Raise Unreadable if a part of parsed JSON is faulty, with its path relative to `inside`."""
    for place, fault in _faults(found):
        raise Unreadable("{place}: {fault}.", place=place.removeprefix(f"{inside}."), fault=fault)


def unknown(given: Any, known: Any) -> Iterator[str]:
    """Yield the paths in `given` that do not exist in `known`."""
    pairs: list[tuple[str, Any, Any]] = [("", given, known)]
    while pairs:
        where, mine, theirs = pairs.pop()
        if isinstance(mine, dict) and isinstance(theirs, dict):
            for name, part in mine.items():
                if name in theirs:
                    pairs.append((join(where, name), part, theirs[name]))
                else:
                    yield join(where, name)
        elif isinstance(mine, list) and isinstance(theirs, list):
            rows = zip(mine, theirs, strict=False)
            pairs += [(join(where, str(number)), a, b) for number, (a, b) in enumerate(rows)]


def join(where: str, name: str) -> str:
    """Return the path of a part, such as `characters.alice`; very long names are cut."""
    said = spelt(name[:100])
    return f"{where}.{said}"[-300:] if where else said


_Way = tuple[Any, str | int] | None
"""The way to a part: the way to what it is a part of, and its name or number there."""


def _faults(found: Any) -> Iterator[Fault]:
    """The faults in what was read, and where they stand, those that are nested least first."""
    if (why := _wrong(found)) is not None:
        yield "", why
    level: list[tuple[_Way, Any]] = [(None, found)]
    for _ in range(DEEPEST - 1):
        inside: list[tuple[_Way, Any]] = []
        for way, part in level:
            for name, each in _parts(part):
                if isinstance(each, dict | list):
                    inside.append(((way, name), each))
                elif (why := _wrong(each)) is not None:
                    yield _place((way, name)), why
        level = inside
    for way, part in level:
        for name, _each in _parts(part):
            yield (
                _place((way, name)),
                Words("the value is nested too deeply; the limit is {deepest} levels", deepest=DEEPEST),
            )
            return


def _wrong(part: Any) -> Phrase | None:
    """What is wrong with a part that holds no others, if anything is."""
    if isinstance(part, _Fault):
        return part.why
    if isinstance(part, str) and not _is_whole(part):
        return Words("the text contains an invalid character")
    return None


def _place(way: _Way) -> str:
    """A way in words: `characters.alice.0`."""
    names: list[str] = []
    while way is not None:
        way, name = way
        names.append(str(name))
    where = ""
    for each in reversed(names):
        where = join(where, each)
    return where


def _is_whole(text: str) -> bool:
    # JSON can say half of a pair, which cannot be written as UTF-8.
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _parts(part: Any) -> Iterable[tuple[str | int, Any]]:
    if isinstance(part, dict):
        return [*part.items(), *((name, name) for name in part if not _is_whole(name))]
    return enumerate(part) if isinstance(part, list) else ()


LARGEST = 1_000_000
"""A file has at most this many bytes."""
SCHEMA = Path(__file__).with_name("file.schema.json")
"""The published schema of the files."""


Pictures = Mapping[str, str]
"""Uploaded portraits by their digests, as base64."""


class TableFile(Value):
    """A whole table, as `/campaign export` writes it; default values may be omitted."""

    doomkeeper: Literal["table"]
    version: int
    table: Table
    server: int = 0
    campaign: int = 0
    pictures: Pictures = field(default_factory=dict)


class CharacterFile(Value):
    """One character, as `/character export` writes it; default values may be omitted."""

    doomkeeper: Literal["character"]
    version: int
    character: Character
    server: int = 0
    pictures: Pictures = field(default_factory=dict)


class PersonStep(Value):
    """A step that a person made: its number, time (if known), the name they used, and its summary."""

    number: int
    at: datetime | None
    name: str
    said: str


class PersonWhisper(Value):
    """A whisper that a person sent or received: time, sender, recipient and text."""

    at: datetime
    sender: str
    to: str
    text: str


class PersonTable(Value):
    """Everything a table stores about a person: seat, characters, steps, portraits and quotes."""

    name: str
    gm: bool
    characters: tuple[Character, ...]
    steps: tuple[PersonStep, ...]
    portraits: Pictures = field(default_factory=dict)
    quotes: tuple[str, ...] = ()


File = TableFile | CharacterFile

_KINDS: Mapping[str, type[File]] = {"table": TableFile, "character": CharacterFile}


def write_table(table: Table, server: int, campaign: int, pictures: Pictures | None = None) -> bytes:
    """Encode a table as a file, without the GM's secret rolls, because files get passed on."""
    plan = table.plan if table.plan is None or not table.plan.unread else None
    open_ = replace(table, number=0, lost=0, scene_place=0, plan=plan)
    for game in played():
        rolls = {number: _legible(roll) for number, roll in game.part.rolls_of(open_).items()}
        open_ = game.handed_on(game.part.with_rolls(open_, rolls))
    return _written(TableFile("table", VERSION, open_, server, campaign, pictures or {}))


def write_character(character: Character, server: int, pictures: Pictures | None = None) -> bytes:
    """Encode a character as a file."""
    return _written(CharacterFile("character", VERSION, character, server, pictures or {}))


def write_person(
    person: int,
    tables: Iterable[bytes],
    rest: QuietHours,
    whispers: Iterable[PersonWhisper] = (),
    *,
    knows: bool = False,
) -> bytes:
    """Encode everything stored about a person as a file; `tables` are encoded already.

    `knows` is True once the person knows the introduction.

    This file cannot be imported.
    """
    head = f'{{"doomkeeper": "person", "version": {VERSION}, "id": {person}, "reminders": '
    head += f'{codec.dump_whole(rest).decode()}, "introduced": {json.dumps(knows)}, "tables": ['
    said = _airy(codec.whole(tuple(whispers)))
    return head.encode() + b",\n".join(tables) + b'], "whispers": ' + said + b"}"


def write_person_table(kept: PersonTable, more: Mapping[str, Any]) -> bytes:
    """Encode what one table stores about a person, as part of their file.

    `more` is the data of games.
    """
    return _airy(codec.whole(kept) | {name: codec.whole(what) for name, what in more.items()})


def read(text: str, lifts: Lifts = LIFTS, version: int = VERSION) -> File:
    """Decode a file. Raises Unreadable, with the path of the fault, if it is faulty."""
    form = parse(text)
    kind = form.get("doomkeeper") if isinstance(form, dict) else None
    if kind == "person":
        raise Unreadable(
            "A file from /privacy export can't be imported. Use a file from /campaign export or "
            "/character export."
        )
    if not isinstance(kind, str) or kind not in _KINDS:
        raise Unreadable(
            'That isn\'t a file from this bot: the bot\'s files begin with "doomkeeper": "table" or '
            '"character".'
        )
    require_whole(form, "table")
    form = _lifted(form, kind, lifts, version)
    try:
        found: File = codec.strict().convert(form, _KINDS[kind])
    except ValueError:
        fault = misfit(form, _KINDS[kind])
        way = fault.place[1:] if fault.place[:1] == ("table",) else fault.place
        where = ".".join(spelt(part[:100]) for part in way)
        raise Unreadable("{where}: {why}.", where=where or kind, why=_why(fault)) from None
    for place in unknown(form, codec.whole(found)):
        raise Unreadable("{place}: there's no such field.", place=place.removeprefix("table."))
    if isinstance(found, TableFile):
        files.check(found.table)
    else:
        files.check(found.character, "character")
    return found


def is_ours(form: Any) -> bool:
    """Return whether parsed JSON says that it is a file of this bot."""
    return isinstance(form, dict) and "doomkeeper" in form


def schema() -> dict[str, Any]:
    """Return the JSON schema of the files, generated from the classes."""
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A table or a character of Doomkeeper",
        "description": f"Version {VERSION} of the shape. What has its default value may be left out.",
    }
    return described | schema_of(tuple(_KINDS.values()))


def schema_text() -> str:
    """Return the schema as it is published."""
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


def _legible(roll: Any) -> Any:
    """A roll as it is handed on: of what cannot be read, only that there was something."""
    after: Mapping[int, tuple[Fact, ...]] = getattr(roll, "after", {})
    if all(map(codec.is_legible, after.values())):
        return roll
    said = OldWords("something this version can't read")
    told = {
        step: tuple(said if isinstance(fact, Illegible) else fact for fact in facts)
        for step, facts in after.items()
    }
    return replace(roll, after=told)


def _written(file: File) -> bytes:
    text = codec.dump(file)
    airy = msgspec.json.format(text, indent=1)
    # With room to read where it fits; a very large table at least fits.
    return text if len(airy) > LARGEST else airy


def _airy(plain: Any) -> bytes:
    """Plain data as JSON with room to read."""
    return json.dumps(plain, ensure_ascii=False, indent=1).encode()


def _lifted(form: dict[str, Any], kind: str, lifts: Lifts, version: int) -> dict[str, Any]:
    """The form in the shape of now; older ones are lifted, newer ones refused."""
    old = form.get("version")
    if not isinstance(old, int) or isinstance(old, bool) or old < 1:
        raise Unreadable(
            "version: {cut} isn't a format version; this bot writes version {version}.",
            cut=_cut(old),
            version=version,
        )
    if old > version:
        raise Unreadable(
            "version: a newer bot wrote this file. The file has version {old}; this bot reads versions "
            "up to {version}.",
            old=old,
            version=version,
        )
    inner = form.get(kind)
    if old == version or not isinstance(inner, dict):
        return form | {"version": VERSION}
    try:
        table = lift(inner if kind == "table" else {"characters": {"": inner}}, old, version, lifts)
    except (AttributeError, TypeError, ValueError):  # something is of another type than in that version
        raise Unreadable("{kind}: that isn't the shape of version {old}.", kind=kind, old=old) from None
    return form | {"version": VERSION, kind: table if kind == "table" else table["characters"][""]}


_WORDS = {
    int: later("{given} isn't a whole number"),
    str: later("{given} isn't text"),
    bool: later("{given} isn't true or false"),
    tuple: later("{given} isn't a list"),
}
"""What is wrong with a value that should be of this type; any other type is an object."""
_NO_OBJECT = later("{given} isn't an object")


def _why(fault: Misfit) -> Phrase:
    """Return why a part of a file is refused."""
    if fault.is_missing:
        return Words("it is missing")
    given, wanted = _cut(fault.found), get_origin(fault.wanted) or fault.wanted
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        known = [f"'{each.value}'" for each in wanted]
        return Words("{given} isn't recognized; use {known}", given=given, known=Row(known, OR))
    shape = list if wanted is tuple else None if wanted in _WORDS else dict
    if shape is not None and isinstance(fault.found, shape):
        return Words("{given} isn't recognized", given=given)
    return Words(_WORDS.get(wanted, _NO_OBJECT), given=given)


def _cut(given: object) -> str:
    """What was found instead, as it stands in the file."""
    text = spelt(json.dumps(given, ensure_ascii=False))
    return text if len(text) <= 40 else f"{text[:39]}…"
