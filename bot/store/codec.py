"""Tables as lines of JSON, and facts, each with its tag.

A stored table leaves out whatever has its default value, and its number, which is its entry's. It carries the
version of its shape, and so do facts. What there is of each game, the games say that can be played.
"""

import hashlib
import json
import re
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, core_schema

import rules.games  # noqa: F401  (so that they can be played)
from bot.store.joining import joined
from bot.store.lifts import LIFTS, VERSION, Form, Lifts, lift
from bot.store.tags import tags
from rules.campaign.dates import LAST
from rules.facts import Event, Fact, Illegible, Told
from rules.game import Game, building, played, tell_of_games
from rules.names import Plan
from rules.table import Character, Games, Table, TableGames
from rules.values import StoredAsText, replace

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
    held = [each for each in dict.fromkeys(kind for kind, *_ in known_as.rows) if issubclass(each, source)]
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
    """What stands for something that cannot be read: its kind, where it says one, and all of it."""
    kind = found.get("fact") if isinstance(found, Mapping) else None
    is_kind = isinstance(kind, str) and _KIND.fullmatch(kind) is not None
    return Illegible(str(kind) if is_kind else "", json.dumps(found, default=str))


def _kind_of(fact: Any) -> str | None:
    return fact.get("fact") if isinstance(fact, Mapping) else _now.tags.of.get(type(fact))


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
    """The facts of a step, and the version of their shape."""

    version: int
    facts: tuple[Fact, ...]


_T = TypeVar("_T")


class _Written(Generic[_T]):
    """The JSON of values of a class, remembered: most of a table is the same from step to step."""

    def __init__(self, kind: type[_T], limit: int = 5000) -> None:
        self._kind, self._limit = kind, limit
        self._known: OrderedDict[int, tuple[_T, bytes, int]] = OrderedDict()

    def write(self, value: _T) -> bytes:
        """A value as JSON. The very same value has the same text, since nothing changes a value."""
        return self._found(value)[1]

    def sign(self, value: _T) -> int:
        """A number for that text."""
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


_now = _Codecs(())


def _hear(games: tuple[Game, ...]) -> None:
    global _now
    _now = _Codecs(games)


tell_of_games(_hear)


def adapter(kind: type[_T]) -> TypeAdapter[_T]:
    """What reads and writes values of a class; made when it is first needed, since that takes long."""
    known = _now.adapters
    if kind not in known:
        known[kind] = TypeAdapter(kind)
    return known[kind]


def bearing(kind: type[_T]) -> TypeAdapter[_T]:
    """The same, which bears facts that it cannot read; made when there is one, since hardly ever there is."""
    known = _now.bearing
    if kind not in known:
        token = _bears.set(True)
        try:
            known[kind] = TypeAdapter(kind)
        finally:
            _bears.reset(token)
    return known[kind]


def learn() -> None:
    """Make what reads and writes all that play keeps: some 200 ms, better not in somebody's command."""
    parts = [game.part for game in played()]
    rolls = (kind for part in parts if (kind := part.rolls))
    builds = (kind for game in played() if (kind := game.built))
    for kind in (_Stored, *rolls, *(part.state for part in parts), Character, StoredFacts, *builds):
        adapter(kind)


_CURRENT = f'{{"version":{VERSION},'.encode()


_NO_GAMES = TableGames()


def write(table: Table) -> bytes:
    """The table as text: a line of JSON, then one for each character, each game, and each of its rolls."""
    rest = replace(table, number=0, lost=0, characters={}, games=_NO_GAMES)
    head = adapter(_Stored).dump_json(_Stored(VERSION, rest), exclude_defaults=True)
    if table.plan is not None and table.plan.unread:
        head = _with_plan_back(head, table.plan.unread)
    lines, kept = [head], _now
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
    """A number for a roll or a character by which it can be told from others, in every process; never 0."""
    kept = _now
    if type(value) in kept.roll:
        return kept.rolls[kept.roll[type(value)]].sign(value)
    if isinstance(value, Character):
        return kept.characters.sign(value)
    return _signed(adapter(type(value)).dump_json(value))


def _signed(text: bytes) -> int:
    # 56 bits, since a column has 64 with a sign.
    return int.from_bytes(hashlib.sha256(text).digest()[:7], "big") or 1


def read(text: bytes, number: int, lifts: Lifts = LIFTS, version: int = VERSION) -> Table:
    """The table in that text, as the state after the step `number`.

    Raises KeyError if nothing lifts its version, pydantic.ValidationError if it is no table.
    """
    text = joined(text)
    if version == VERSION and text.startswith(_CURRENT):
        # What is refused here is read once more below, and borne.
        with suppress(ValidationError):
            table = adapter(_Stored).validate_json(text).table
            if table.plan is None or not (table.plan.unread or is_beyond(table.plan)):
                return replace(table, number=number)
    stored = json.loads(text)
    return read_form(lift(stored["table"], stored["version"], version, lifts), number)


def write_build(build: object) -> str:
    """What somebody builds, as JSON."""
    return adapter(type(build)).dump_json(build, exclude_defaults=True).decode()


def read_build(text: str) -> Any:
    """What `write_build` wrote; None where that cannot be read."""
    game = building()
    if game is None or game.built is None:
        return None
    try:
        return adapter(game.built).validate_json(text)
    except ValidationError:
        return None


def form(table: Table) -> Form:
    """The table as plain data, for comparing."""
    whole = replace(_parts(table, _whole), number=0, lost=0)
    plain: Form = adapter(Table).dump_python(whole, mode="json")
    return plain


def read_form(plain: Form, number: int) -> Table:
    """The table that `form` was made of, or what was kept; facts and a plan that cannot be read are borne.

    Raises pydantic.ValidationError.
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


def _whole(games: _T_Games) -> _T_Games:
    """The part of every game, also an empty one: what is added to that would be one leaf otherwise."""
    return games.having({part.name: getattr(games, part.name) for part in (game.part for game in played())})


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
    """Whether a plan is for a time that no clock shows."""
    return not all(0 <= at <= LAST for at in (plan.at, *plan.times))


FAULTS = (zlib.error, KeyError, TypeError, ValueError)
"""What `unpack` and `read` raise for what is damaged, or of a shape that this program does not know."""
