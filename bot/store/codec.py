"""Encode and decode states and facts, and pack states into small blobs.

A stored table omits everything that has its default value, and its number, which is stored with its entry.
Tables and facts carry the version of their format. The parts that belong to a game are defined by the
registered games.

A state is packed against an earlier one, its keyframe: lines that the keyframe contains are only referred to.

Up to version 4, a fact was stored under its class name of that time. A class may since have been renamed,
moved or replaced.
"""

import hashlib
import json
import re
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, core_schema

import rules.games  # noqa: F401  (so that they can be played)
from bot.store.upgrades import FACT_LIFTS, LIFTS, VERSION, Form, Lifts, is_lifted, lift, lifted
from rules.campaign.dates import LAST
from rules.facts import SHARED_FACTS, Event, Fact, Illegible, OldWords, Told
from rules.game import Game, building, played, tell_of_games
from rules.names import Plan
from rules.table import Character, Games, Table, TableGames
from rules.values import StoredAsText, replace


class Tags:
    """The tags under which facts are stored, in every table and for some games.

    Raises LookupError if two of the games have the same tag.
    """

    def __init__(self, games: Sequence[Game]) -> None:
        kinds = (SHARED_FACTS, *(game.facts for game in games))
        self.of: Mapping[type[Fact], str] = {
            Illegible: "",  # which is never stored as such
            **{kind: tag for each in kinds for kind, tag in each.tags.items()},
        }
        """By kind."""
        self.read: Mapping[str, type[Fact]] = {
            tag: kind for each in kinds for tag, kind in each.by_tag.items()
        }
        """The kind by each tag, former ones too."""
        if len(self.read) < sum(len(each.by_tag) for each in kinds):
            raise LookupError("Two games have a fact of the same tag.")
        self.marks = cache(self._found)
        """What there is in a text of facts that holds one of some kinds."""

    def _found(self, kinds: tuple[type[Fact], ...]) -> tuple[str, ...]:
        names = [name for name, kind in self.read.items() if kind in kinds]
        # With a blank where the doctor has written the facts anew.
        return tuple(mark for name in names for mark in (f'"fact":"{name}"', f'"fact": "{name}"'))


_now = Tags(())


def _hear(games: tuple[Game, ...]) -> None:
    global _now
    _now = Tags(games)


tell_of_games(_hear)


def tags() -> Tags:
    """Return the tags of the games that can be played."""
    return _now


def may_hold(text: str, *kinds: type[Fact]) -> bool:
    """Return whether a stored text may contain a fact of these kinds, without decoding it."""
    return any(mark in text for mark in _now.marks(kinds))


def joined(text: bytes) -> bytes:
    """Join the lines of a stored table into one JSON object; older texts are a single line.

    Raises KeyError if a line is of an unknown kind.
    """
    head, *lines = text.split(b"\n")
    if not lines:
        return head
    characters, rolls, games = list[bytes](), list[bytes](), list[tuple[bytes, list[bytes]]]()
    for line in lines:
        match line[:1]:
            case b"c":
                characters.append(line[1:])
            case b"g":
                games.append((line[1:], []))
            case b"r" if games:
                games[-1][1].append(line[1:])
            case b"r":  # before version 6 they were the table's own
                rolls.append(line[1:])
            case other:
                raise KeyError(other)
    found = {b"characters": characters, b"rolls": rolls, b"games": [_with_rolls(*each) for each in games]}
    mappings = (b'"%s":{%s}' % (name, b",".join(items)) for name, items in found.items() if items)
    return _with_more(head[:-1], b",".join(mappings)) + b"}"


class StoredLine(NamedTuple):
    """The JSON of one line of a stored table, empty if the table has no such line, and the path inside it."""

    text: bytes
    path: tuple[str, ...]


def line_with(text: bytes, path: tuple[str, ...]) -> StoredLine | None:
    """Return the line of a stored table that holds a path of names; None for texts of older versions.

    >>> line_with(CURRENT + b'"table":{}}\\nc"alice":{"name":"Alice"}', ("characters", "alice", "name"))
    StoredLine(text=b'{"name":"Alice"}', path=('name',))
    """
    if not text.startswith(CURRENT):
        return None
    match path:
        case "characters", who, *rest:
            return StoredLine(_line(text, b"c", who), tuple(rest))
        case "games", game, "rolls", number, *rest:
            start = text.find(b"\ng%s:" % json.dumps(game).encode())
            end = text.find(b"\ng", start + 1)
            rolls = text[start : end if end > 0 else None] if start > 0 else b""
            return StoredLine(_line(rolls, b"r", number), tuple(rest))
        case "games", _, "rolls":
            return None
        case "games", game, *rest:
            return StoredLine(_line(text, b"g", game), tuple(rest))
    return StoredLine(text.partition(b"\n")[0], ("table", *path))


def _line(text: bytes, kind: bytes, name: str) -> bytes:
    """The JSON of the line of that kind and name."""
    head = b"\n%s%s:" % (kind, json.dumps(name).encode())
    start = text.find(head)
    if start < 0:
        return b""
    end = text.find(b"\n", start + 1)
    return text[start + len(head) : end if end > 0 else None]


def _with_rolls(game: bytes, rolls: list[bytes]) -> bytes:
    """What a game has on the table, its rolls put back."""
    return _with_more(game, b'"rolls":{%s}' % b",".join(rolls)) if rolls else game


def _with_more(form: bytes, more: bytes) -> bytes:
    """The JSON of an object with more in it."""
    # One in which everything has its default ends so.
    comma = b"" if form.endswith(b"{}") else b","
    return b"%s%s%s}" % (form[:-1], comma, more)


# A context variable: pydantic calls `_of_facts` itself, and hands on nothing of ours.
_bears: ContextVar[bool] = ContextVar("bears", default=False)
"""Whether what reads is made so that it bears facts which cannot be read."""
_KIND = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,39}")


def _of_facts(kind: type[Fact], source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """How a fact is kept: one of a kind by its class, any of a base with the tag of its kind.

    One that cannot be read is refused, or borne; it is written back as it was.
    """
    if source not in (Fact, Told, Event):
        return handler(source)
    known_as = tags()
    held = [kind for kind, tag in known_as.of.items() if tag and issubclass(kind, source)]
    schemas = {each: handler.generate_schema(each) for each in held}
    kinds = {known_as.of[each]: schema for each, schema in schemas.items()}
    kinds |= {name: schemas[each] for name, each in known_as.read.items() if each in schemas}
    written = core_schema.wrap_serializer_function_ser_schema(
        lambda fact, write: (
            json.loads(fact.kept)
            if isinstance(fact, Illegible)
            else {"fact": known_as.of[type(fact)], **write(fact)}
        ),
        schema=core_schema.tagged_union_schema(kinds, _kind_of),
    )
    if not _bears.get():
        return core_schema.tagged_union_schema(kinds, _kind_of, serialization=written)
    known = core_schema.tagged_union_schema(kinds, _kind_of)
    other = core_schema.no_info_plain_validator_function(illegible)
    return core_schema.union_schema([known, other], mode="left_to_right", serialization=written)


def illegible(found: Any) -> Illegible:
    """Return a placeholder for unreadable data: its kind, if it names one, and the data itself as JSON."""
    kind = found.get("fact") if isinstance(found, Mapping) else None
    is_kind = isinstance(kind, str) and _KIND.fullmatch(kind) is not None
    return Illegible(str(kind) if is_kind else "", json.dumps(found, default=str))


def _kind_of(fact: Any) -> str | None:
    return fact.get("fact") if isinstance(fact, Mapping) else _table_now.tags.of.get(type(fact))


def _of_games(kind: type[Games], source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """How the parts of games are kept: each by its name; one in which there is nothing is left out."""
    known = {
        part.name: part.state if kind is TableGames else part.own for part in (game.part for game in played())
    }
    parts = core_schema.typed_dict_schema(
        {
            name: core_schema.typed_dict_field(handler.generate_schema(each), required=False)
            for name, each in known.items()
        }
    )
    written = core_schema.wrap_serializer_function_ser_schema(
        lambda games, write: write(vars(games)), schema=parts
    )
    return core_schema.no_info_after_validator_function(kind.having, parts, serialization=written)


def _of_texts(kind: type[StoredAsText], source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """How a value is stored that is stored as one text."""
    text = core_schema.str_schema()
    written = core_schema.plain_serializer_function_ser_schema(str, return_schema=text)
    return core_schema.no_info_after_validator_function(kind.of_text, text, serialization=written)


# The rules know nothing of pydantic, so facts, parts of games and texts learn here how they are kept.
Fact.__get_pydantic_core_schema__ = classmethod(_of_facts)  # type: ignore[attr-defined]
Games.__get_pydantic_core_schema__ = classmethod(_of_games)  # type: ignore[attr-defined]
StoredAsText.__get_pydantic_core_schema__ = classmethod(_of_texts)  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class _Stored:
    version: int
    table: Table


@dataclass(frozen=True, slots=True)
class StoredFacts:
    """The facts of a step, with the version of their format."""

    version: int
    facts: tuple[Fact, ...]


_T = TypeVar("_T")


class _Written(Generic[_T]):
    """The JSON of values of a class, remembered: most of a table is the same from step to step."""

    def __init__(self, kind: type[_T], limit: int = 5000) -> None:
        self._kind, self._limit = kind, limit
        self._known: OrderedDict[int, tuple[_T, bytes, int]] = OrderedDict()

    def write(self, value: _T) -> bytes:
        """Return a value as JSON; the result is cached by identity, because values never change."""
        return self._found(value)[1]

    def sign(self, value: _T) -> int:
        """Return a checksum of the value's JSON."""
        return self._found(value)[2]

    def _found(self, value: _T) -> tuple[_T, bytes, int]:
        found = self._known.get(id(value))
        if found is None or found[0] is not value:
            text = adapter(self._kind).dump_json(value, exclude_defaults=True)
            # With the value itself: without it, its id could soon be another's.
            self._known[id(value)] = found = (value, text, _signed(text))
            if len(self._known) > self._limit:
                self._known.popitem(last=False)
        return found


class _Codecs:
    """What reads and writes all that is kept of some games; each is made when it is first needed."""

    def __init__(self, games: tuple[Game, ...]) -> None:
        self.tags = tags()
        self.adapters: dict[Any, TypeAdapter[Any]] = {}
        self.bearing: dict[Any, TypeAdapter[Any]] = {}
        parts = [game.part for game in games]
        self.characters = _Written(Character)
        self.states: Mapping[str, _Written[Any]] = {part.name: _Written(part.state) for part in parts}
        self.rolls: Mapping[str, _Written[Any]] = {
            part.name: _Written(part.rolls) for part in parts if part.rolls
        }
        self.roll: Mapping[type, str] = {part.rolls: part.name for part in parts if part.rolls}


_table_now = _Codecs(())


def _hear_games(games: tuple[Game, ...]) -> None:
    global _table_now
    _table_now = _Codecs(games)


tell_of_games(_hear_games)


def adapter(kind: type[_T]) -> TypeAdapter[_T]:
    """Return the cached pydantic adapter of a class; creating one is slow, so it is created on first use."""
    known = _table_now.adapters
    if kind not in known:
        known[kind] = TypeAdapter(kind)
    return known[kind]


def bearing(kind: type[_T]) -> TypeAdapter[_T]:
    """Return an adapter that tolerates unreadable facts; created on first use, which is rare."""
    known = _table_now.bearing
    if kind not in known:
        token = _bears.set(True)
        try:
            known[kind] = TypeAdapter(kind)
        finally:
            _bears.reset(token)
    return known[kind]


def learn() -> None:
    """Create all adapters that play needs, at startup: it takes some 200 ms, too long inside a command."""
    parts = [game.part for game in played()]
    rolls = (kind for part in parts if (kind := part.rolls))
    builds = (kind for game in played() if (kind := game.built))
    for kind in (_Stored, *rolls, *(part.state for part in parts), Character, StoredFacts, *builds):
        adapter(kind)


CURRENT = f'{{"version":{VERSION},'.encode()
"""The beginning of a table's text of this version."""


_NO_GAMES = TableGames()


def write(table: Table) -> bytes:
    """Encode a table: a line of JSON, then one line per character, per game and per roll of a game."""
    rest = replace(table, number=0, lost=0, characters={}, games=_NO_GAMES)
    head = adapter(_Stored).dump_json(_Stored(VERSION, rest), exclude_defaults=True)
    if table.plan is not None and table.plan.unread:
        head = _with_plan_back(head, table.plan.unread)
    lines, kept = [head], _table_now
    for who, one in table.characters.items():
        lines.append(b"c%s:%s" % (json.dumps(who).encode(), kept.characters.write(one)))
    for name, state in vars(table.games).items():
        rolls = state.rolls if name in kept.rolls else {}
        bare = replace(state, rolls={}) if rolls else state
        lines.append(b'g"%s":%s' % (name.encode(), kept.states[name].write(bare)))
        lines += [b'r"%d":%s' % (number, kept.rolls[name].write(roll)) for number, roll in rolls.items()]
    return b"\n".join(lines)


def _with_plan_back(head: bytes, plan: str) -> bytes:
    """The first line of a table's text with the plan that was there, which cannot be read."""
    stored = json.loads(head)
    stored["table"]["plan"] = json.loads(plan)
    return json.dumps(stored, ensure_ascii=False, separators=(",", ":")).encode()


def sign(value: object) -> int:
    """Return a checksum of a roll or character, the same in every process and never 0."""
    kept = _table_now
    if type(value) in kept.roll:
        return kept.rolls[kept.roll[type(value)]].sign(value)
    if isinstance(value, Character):
        return kept.characters.sign(value)
    return _signed(adapter(type(value)).dump_json(value))


def _signed(text: bytes) -> int:
    # 56 bits, since a column has 64 with a sign.
    return int.from_bytes(hashlib.sha256(text).digest()[:7], "big") or 1


def read(text: bytes, number: int, lifts: Lifts = LIFTS, version: int = VERSION) -> Table:
    """Decode a table, as the state after step `number`.

    Raises KeyError if its version cannot be upgraded; pydantic.ValidationError if it is no table.
    """
    text = joined(text)
    if version == VERSION and text.startswith(CURRENT):
        # What is refused here is read once more below, and borne.
        with suppress(ValidationError):
            table = adapter(_Stored).validate_json(text).table
            if table.plan is None or not (table.plan.unread or is_beyond(table.plan)):
                return replace(table, number=number)
    stored = json.loads(text)
    return read_form(lift(stored["table"], stored["version"], version, lifts), number)


def write_build(build: object) -> str:
    """Encode a pool being built as JSON."""
    return adapter(type(build)).dump_json(build, exclude_defaults=True).decode()


def read_build(text: str) -> Any:
    """Decode what `write_build` wrote; None if it cannot be read."""
    game = building()
    if game is None or game.built is None:
        return None
    try:
        return adapter(game.built).validate_json(text)
    except ValidationError:
        return None


def read_form(plain: Form, number: int) -> Table:
    """Decode a stored table as plain data; unreadable facts and plans become placeholders.

    Raises pydantic.ValidationError if it is no table.
    """
    try:
        table = adapter(Table).validate_python(plain)
    except ValidationError:
        table = bearing(Table).validate_python(_with_plan_kept(plain))
    if table.plan is not None and is_beyond(table.plan):
        table = replace(table, plan=_unread(plain["plan"]))
    return replace(_parts(table, _bare), number=number)


def _parts(table: Table, change: Callable[[Any], Any]) -> Table:
    """The table with the parts of games changed, its own and those of characters and of the scene."""
    people = {who: replace(one, games=change(one.games)) for who, one in table.characters.items()}
    scenery = replace(table.scenery, games=change(table.scenery.games))
    return replace(table, games=change(table.games), characters=people, scenery=scenery)


_T_Games = TypeVar("_T_Games", bound=Games)


def _bare(games: _T_Games) -> _T_Games:
    """The parts in which there is something."""
    kind = type(games)
    return games.having({name: part for name, part in games.items() if part != getattr(kind, name)})


def _with_plan_kept(plain: Form) -> Form:
    """The same with a plan that can be read: where it cannot, it is kept as it is, and is off."""
    plan = plain.get("plan")
    if plan is None:
        return plain
    try:
        adapter(Plan).validate_python(plan)
    except ValidationError:
        return plain | {"plan": adapter(Plan).dump_python(_unread(plan))}
    return plain


def _unread(plan: object) -> Plan:
    """What stands for a plan that cannot be read."""
    return Plan(0, 0, is_off=True, unread=json.dumps(plan))


def is_beyond(plan: Plan) -> bool:
    """Return whether a plan is for a time outside the supported range."""
    return not all(0 <= at <= LAST for at in (plan.at, *plan.times))


FAULTS = (zlib.error, KeyError, TypeError, ValueError)
"""What `unpack` and `read` raise for what is damaged, or of a shape that this program does not know."""


def write_facts(facts: tuple[Fact, ...]) -> str:
    """Encode the facts of a step as JSON."""
    return adapter(StoredFacts).dump_json(StoredFacts(VERSION, facts), exclude_defaults=True).decode()


_VERSION = re.compile(r'\{"version": ?(?P<number>[1-9]\d{0,3})[,}]')


def read_facts(text: str, lifts: Lifts = FACT_LIFTS, version: int = VERSION) -> tuple[Fact, ...]:
    """Decode what `write_facts` wrote; unreadable facts, or a whole unreadable text, become placeholders."""
    try:
        # Its beginning says its version: as JSON all of it would be read twice.
        old = _VERSION.match(text)
        if old and is_lifted(int(old["number"]), version, lifts):
            kept = json.loads(text)
            held = [lifted(each, int(old["number"]), version, lifts) for each in kept["facts"]]
            text = json.dumps(kept | {"facts": held})
        return adapter(StoredFacts).validate_json(text).facts
    except FAULTS:  # pydantic's are ValueErrors
        pass
    try:
        # A second time: if the first reading bore everything, it would be slower for all that is sound.
        return bearing(StoredFacts).validate_json(text).facts
    except ValidationError:
        return (illegible(text),)


def is_legible(facts: Iterable[Fact]) -> bool:
    """Return whether all facts, and the facts inside them, could be read."""
    return not any(isinstance(f, Illegible) or not is_legible(getattr(f, "facts", ())) for f in facts)


GONE = OldWords("What happened in this step cannot be read any more.")
"""What a step says of facts that are set aside."""


def with_aside(text: str) -> str:
    """Return the stored facts with unreadable ones moved to `aside`: kept, but never decoded."""
    told: list[Fact] = []
    kept: list[Any] = []
    for fact in read_facts(text):
        if is_legible((fact,)):
            told.append(fact)
        else:
            kept += json.loads(write_facts((fact,)))["facts"]
            told += [GONE] if GONE not in told else []
    return json.dumps(json.loads(write_facts(tuple(told))) | {"aside": kept})


def has_aside(text: str) -> bool:
    """Return whether a stored text has facts that were set aside."""
    return '"aside":' in text


_BY_LINE = b"\x01"
"""Begins a blob that refers to lines of its keyframe; zlib's own begin otherwise."""
_BLOCK = 8 * 1024
_LIKE = 4 * 1024
"""So much of a keyframe is looked at for what is like in new lines; more takes longer than it saves."""
_WINDOW = 24 * 1024  # with a block, what zlib can look back on: 32 KiB


def pack(text: bytes, key: bytes | None = None) -> bytes:
    """Compress a text, against its keyframe unless it is one itself.

    A line that the keyframe has is left out: `=2,40` stands for 40 of its lines from its second on. The other
    lines mostly resemble its first line, so the keyframe's beginning serves as the compression dictionary.

    A step at a table of 72 kB takes 80 µs and 75 bytes; with the keyframe as zlib's dictionary, which looks
    back on 32 KiB, it would take 950 µs and 5.8 kB. At one of 10 kB: 35 µs and 40 bytes for 67 µs and 137.
    """
    if key is None:
        return zlib.compress(text)
    places, sign = _places(key)
    packed: list[bytes] = []
    first = last = -1
    # The last one is none, and ends what is being referred to.
    for line in (*text.split(b"\n"), None):
        place = -1 if line is None else places.get(line, -1)
        if first >= 0 and place != last + 1:
            packed.append(b"=%d,%d" % (first, last + 1 - first))
            first = -1
        if place < 0 and line is not None:
            packed.append(line)
        elif first < 0:
            first = place
        last = place
    packer = zlib.compressobj(zdict=key[:_LIKE])
    return _BY_LINE + sign + packer.compress(b"\n".join(packed)) + packer.flush()


def is_against(blob: object) -> bool:
    """Return whether a blob is packed against a keyframe."""
    return isinstance(blob, bytes) and blob.startswith(_BY_LINE)


def unpack(blob: bytes, key: bytes | None = None) -> bytes:
    """Decompress a packed text.

    Raises zlib.error or ValueError if the blob is damaged or has another keyframe.
    """
    if key is None:
        return zlib.decompress(blob)
    if not blob.startswith(_BY_LINE):
        return _unpacked_by_block(blob, key)
    start = len(_BY_LINE) + len(_sign(key))
    if blob[len(_BY_LINE) : start] != _sign(key):
        raise ValueError("That state is packed against another keyframe.")
    lines, found = key.split(b"\n"), list[bytes]()
    for line in zlib.decompressobj(zdict=key[:_LIKE]).decompress(blob[start:]).split(b"\n"):
        # No line of a text begins so: the first is JSON, the others have their section's letter.
        if line.startswith(b"="):
            first, _, count = line[1:].partition(b",")
            found += lines[int(first) : int(first) + int(count)]
        else:
            found.append(line)
    return b"\n".join(found)


@lru_cache(maxsize=32)
def _places(key: bytes) -> tuple[dict[bytes, int], bytes]:
    """Where each line of a keyframe stands, and its sign: remembered while steps are packed against it."""
    return {line: place for place, line in enumerate(key.split(b"\n"))}, _sign(key)


def _sign(key: bytes) -> bytes:
    """What tells a keyframe from others, in four bytes."""
    return zlib.crc32(key).to_bytes(4, "big")


def _unpacked_by_block(blob: bytes, key: bytes) -> bytes:
    """The text of a blob from before lines: block by block, each packed against the keyframe around it."""
    blocks: list[bytes] = []
    while blob:
        unpacker = zlib.decompressobj(zdict=_around(key, len(blocks) * _BLOCK))
        blocks.append(unpacker.decompress(blob))
        blob = unpacker.unused_data
    return b"".join(blocks)


def _around(key: bytes, start: int) -> bytes:
    return key[max(0, start - _BLOCK) : start - _BLOCK + _WINDOW] if start else key[:_WINDOW]
