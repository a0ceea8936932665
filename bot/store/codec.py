"""Tables as lines of JSON, and these as small blobs.

A stored table leaves out whatever has its default value, and its number, which is its entry's. It
carries the version of its shape, and so do facts. When a field is renamed, or a default changes, raise
`VERSION` and add the function that lifts the version before: to `LIFTS` for tables, to `FACT_LIFTS` for
facts. A new kind of fact gets a row in `TAGS`.

A campaign's states differ little from one to the next, so a state is packed against an earlier one,
its keyframe: a line of its text that the keyframe has too is only referred to.
"""

import hashlib
import json
import re
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Generic, TypeVar

from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, core_schema

from rules import facts
from rules.cortex.state.facts import (
    ActsAgainst,
    BackIn,
    Contested,
    ContestGoesOn,
    ContestWon,
    CortexEvent,
    DiceJoined,
    DiceRerolled,
    DiceTakenOut,
    GaveIn,
    GmUsed,
    GroupJoined,
    GroupSplit,
    HeroDiceChanged,
    HeroDieUsed,
    NamedPoolChanged,
    OpportunityUsed,
    OppositionChanged,
    OrderEnded,
    Over,
    PassedOver,
    PointsChanged,
    PoolChanged,
    PoolKept,
    ResourceUsed,
    RollBettered,
    RollBought,
    RollStood,
    SceneCut,
    SfxChanged,
    SfxUsed,
    TakenOut,
    TraitChanged,
    TraitShut,
    TurnCame,
    VerdictChanged,
    XpChanged,
)
from rules.cortex.state.rolled import CortexRolled, HiddenDropped, HiddenRolled, RollChanged, RollMade
from rules.cortex.state.ruleset import EMPIRE, HEROIC
from rules.cortex.tools.build import Build
from rules.dates import LAST
from rules.every import every
from rules.fact import Event, Fact, Told
from rules.facts import Forgotten, Illegible, Line, Redone, SharedFact, Undone
from rules.games import PARTS
from rules.kinds import Plan
from rules.ore.facts import OreChanged, OreClosed, OreFact, OreGobbled, OreRolled
from rules.table import Character, Games, Table, TableGames
from rules.values import replace

VERSION = 6
"""The version of the shape that is written now."""

Form = dict[str, Any]
"""A table as plain dicts, lists and scalars, with nothing left out but its number."""

Lifts = Mapping[int, Callable[[Form], Form]]
"""For each old version, how to make the next one of it; works on the plain dict."""

TAGS: tuple[tuple[type[Fact], str, str], ...] = (
    (PoolChanged, "pool", "PoolChanged"),
    (PointsChanged, "points", "PointsChanged"),
    (TraitChanged, "trait", "TraitChanged"),
    (TakenOut, "taken out", "TakenOut"),
    (BackIn, "back in", "BackIn"),
    (facts.Began, "began", "Began"),
    (facts.Ended, "ended", "Ended"),
    (facts.Noted, "noted", "Noted"),
    (facts.Titled, "titled", "Titled"),
    (facts.Planned, "planned", "Planned"),
    (facts.CalledOff, "called off", "CalledOff"),
    (facts.Replied, "replied", "Replied"),
    (facts.Seated, "seated", "Seated"),
    (facts.Moved, "moved", "Moved"),
    (facts.SettingChanged, "setting", "SettingChanged"),
    (facts.SettingsKept, "settings kept", "SettingsKept"),
    (GmUsed, "gm used", "GmUsed"),
    (SceneCut, "scene cut", "SceneCut"),
    (GroupSplit, "group split", "GroupSplit"),
    (GroupJoined, "group joined", "GroupJoined"),
    (Over, "over", "Over"),
    (OrderEnded, "order ended", "OrderEnded"),
    (TurnCame, "turn", "TurnCame"),
    (PassedOver, "passed over", "PassedOver"),
    (ActsAgainst, "acts against", "ActsAgainst"),
    (HeroDiceChanged, "hero dice", "HeroDiceChanged"),
    (Contested, "contested", "Contested"),
    (ContestWon, "contest won", "ContestWon"),
    (GaveIn, "gave in", "GaveIn"),
    (ContestGoesOn, "contest goes on", "ContestGoesOn"),
    (ResourceUsed, "resource", "ResourceUsed"),
    (XpChanged, "xp", "XpChanged"),
    (SfxChanged, "sfx", "SfxChanged"),
    (PoolKept, "pool kept", "PoolKept"),
    (SfxUsed, "sfx used", "SfxUsed"),
    (TraitShut, "shut", "TraitShut"),
    (NamedPoolChanged, "named pool", "NamedPoolChanged"),
    (facts.SheetChanged, "sheet", "SheetChanged"),
    (facts.PortraitChanged, "portrait", "PortraitChanged"),
    (facts.Imported, "imported", "Imported"),
    (facts.StepsLost, "steps lost", "StepsLost"),
    (OreClosed, "ore closed", "OreClosed"),
    (RollBought, "roll bought", "RollBought"),
    (RollBettered, "roll bettered", "RollBettered"),
    (DiceJoined, "dice joined", "DiceJoined"),
    (DiceTakenOut, "dice taken out", "DiceTakenOut"),
    (DiceRerolled, "dice rerolled", "DiceRerolled"),
    (HeroDieUsed, "hero die", "HeroDieUsed"),
    (OpportunityUsed, "opportunity", "OpportunityUsed"),
    (VerdictChanged, "verdict", "VerdictChanged"),
    (OppositionChanged, "opposition", "OppositionChanged"),
    (RollStood, "roll stood", "RollStood"),
    (facts.BoundaryChanged, "boundary", "BoundaryChanged"),
    (facts.Line, "line", "Line"),
    (RollMade, "roll", "RollMade"),
    (RollChanged, "roll changed", "RollChanged"),
    (HiddenRolled, "hidden roll", "HiddenRolled"),
    (HiddenDropped, "hidden dropped", "HiddenDropped"),
    (OreRolled, "ore", "OreRolled"),
    (OreChanged, "ore changed", "OreChanged"),
    (OreGobbled, "ore gobbled", "OreGobbled"),
    (Undone, "undone", "Undone"),
    (Redone, "redone", "Redone"),
    (Forgotten, "forgotten", "Forgotten"),
)
"""How each kind of fact is kept: by its tag, and under which names it is read besides.

Rows are only ever added, and nothing that stands here ever changes: tags are in every database there is.
Until version 4 a kind was kept by the name that its class had then. A class may be renamed, moved, or stand
in a row for what it replaces.
"""
# Backwards, so that a class with several rows is written by the first of them.
_TAGS: Mapping[type[Fact], str] = every(
    SharedFact | CortexEvent | CortexRolled | OreFact,
    {Illegible: "", **{kind: tag for kind, tag, _ in reversed(TAGS)}},  # which is never kept as such
)
_READ: Mapping[str, type[Fact]] = {name: kind for kind, tag, old in TAGS for name in (tag, old) if name}


@cache
def _marks(kinds: tuple[type[Fact], ...]) -> tuple[str, ...]:
    names = [name for name, kind in _READ.items() if kind in kinds]
    # With a blank where the doctor has written the facts anew.
    return tuple(mark for name in names for mark in (f'"fact":"{name}"', f'"fact": "{name}"'))


def may_hold(text: str, *kinds: type[Fact]) -> bool:
    """Whether there may be a fact of those kinds in a text of facts, which is not read for that."""
    return any(mark in text for mark in _marks(kinds))


def _with_settings_of_their_own(form: Form) -> Form:
    """Version 2: what names of trait sets, and the ruleset's own name, used to say are settings."""
    rolls = {number: _settled(roll, "rules") for number, roll in (form.get("rolls") or {}).items()}
    return _settled(form, "ruleset") | ({"rolls": rolls} if rolls else {})


def _settled(form: Form, place: str) -> Form:
    rules: Form | None = form.get(place)
    if not rules:
        return form
    sets = {
        ("Affiliations or aptitudes", "Distinctions", "Ability sets", "Tier"): HEROIC.trait_sets,
        ("Distinctions", "Attributes", "Skills", "Resources or signature assets"): EMPIRE.trait_sets,
    }
    old = rules.get("trait_sets")
    fresh: Form = {"lone_die": rules.get("name") == HEROIC.name}
    if old:
        names = [str(name).casefold() for name in old]
        is_one = any("resources" in name and "signature assets" in name for name in names)
        fresh |= {"resource_or_signature": is_one, "trait_sets": list(sets.get(tuple(old), tuple(old)))}
    return form | {place: rules | fresh}


def _with_facts_after(form: Form) -> Form:
    """Version 3: what followed from a roll is facts; what was said before stays as it was said."""
    rolls = {number: _followed(roll) for number, roll in (form.get("rolls") or {}).items()}
    return form | ({"rolls": rolls} if rolls else {})


def _followed(roll: Form) -> Form:
    after: Mapping[str, str] = roll.get("after") or {}
    said = {
        step: [{"fact": "Line", "text": line} for line in text.split("\n")] for step, text in after.items()
    }
    return roll | ({"after": said} if said else {})


_BEND_NO_RULE = ("dice", "zone", "pace", "deadline")


def _with_settings_apart(form: Form) -> Form:
    """Version 4: what bends no rule is no ruleset's; what a ruleset lost after a roll stands by step.

    Costs and benefits of SFX that were mere words, and mean something now, stay words.
    """
    rules: Form = form.get("ruleset") or {}
    people = {who: _with_words(each) for who, each in (form.get("characters") or {}).items()}
    form = form | ({"characters": people} if people else {})
    fresh = form | {"settings": {name: rules[name] for name in _BEND_NO_RULE if name in rules}}
    rolls = {number: dict(roll) for number, roll in (form.get("rolls") or {}).items()}
    later = _bending(rules)
    changes: Form = {}
    # From the last one back: the rules that a roll held are those before the next change.
    for number in sorted(rolls, key=int, reverse=True):
        had = rolls[number].pop("rules", None)
        held = later if had is None else _bending(had)
        if held != later:
            changes[str(int(number) + 1)] = {"before": held, "after": later}
        later = held
        if traded := rolls[number].pop("traded", 0):  # now an effect die beyond those that are bought
            hand = dict(rolls[number].get("hand") or {})
            rolls[number]["hand"] = hand | {"effects_bought": hand.get("effects_bought", 0) - traded}
    return fresh | {"ruleset": _bending(rules), "rolls": rolls, "rule_changes": changes}


_ONCE_WORDS = re.compile(
    "total|(?:one more|another) die in the total|effect up|remove .*|use opportunity|"
    "(?:a |hand over a |hand the gm a )?hitch",
    re.IGNORECASE,
)


def _with_words(character: Form) -> Form:
    """A character with SFX whose mere words have quotation marks where they would mean something now."""
    sfx = {
        name: each
        | {
            part: [f'"{text}"' if _ONCE_WORDS.fullmatch(text) else text for text in each[part]]
            for part in ("benefit", "cost")
            if part in each
        }
        for name, each in (character.get("sfx") or {}).items()
    }
    return character | ({"sfx": sfx} if sfx else {})


def _bending(rules: Form) -> Form:
    """What of a ruleset bends a rule."""
    return {name: value for name, value in rules.items() if name not in _BEND_NO_RULE}


def _as_it_is(form: Form) -> Form:
    """Version 5: kinds of facts have tags; what they were called before is read as well."""
    return form


_OF_CORTEX = (
    *("ruleset", "rule_changes", "doom", "gm_pp", "crises", "challenges", "contests", "pools", "order"),
    *("split", "rolls", "hidden", "last_pools"),
)
_OWN_OF_CORTEX = (
    *("rank", "pp", "sheet", "pool", "hero", "distinctions", "assets", "complications", "stress", "trauma"),
    *("resources", "sfx", "kept", "xp", "milestones"),
)


def _with_games_apart(form: Form) -> Form:
    """Version 6: what only one game has is in its part of the table, and of each character."""
    fresh = _parted(form, _OF_CORTEX, {"ore": "rolls"})
    if scenery := form.get("scenery"):
        fresh["scenery"] = _parted(scenery, _OWN_OF_CORTEX, {"ratings": "ratings"})
    if people := form.get("characters"):
        fresh["characters"] = {
            who: _parted(one, _OWN_OF_CORTEX, {"ratings": "ratings"}) for who, one in people.items()
        }
    return fresh


def _parted(form: Form, cortex: Iterable[str], ore: Mapping[str, str]) -> Form:
    """Something of version 5 with what each game has in a part of its own."""
    parts = {
        "cortex": {name: form[name] for name in cortex if name in form},
        "ore": {now: form[name] for name, now in ore.items() if name in form},
    }
    left = {name: value for name, value in form.items() if name not in (*cortex, *ore)}
    return left | {"games": {name: part for name, part in parts.items() if part}}


LIFTS: Lifts = {
    1: _with_settings_of_their_own,
    2: _with_facts_after,
    3: _with_settings_apart,
    4: _as_it_is,
    5: _with_games_apart,
}
FACT_LIFTS: Lifts = {}
"""For old versions, how to make the next one of a fact; those that changed none are not here."""


def _lifted(found: Any, old: int, version: int, lifts: Lifts) -> Any:
    """A fact of an old version as one of that version, the facts that it holds first; else what it is."""
    if not isinstance(found, Mapping):
        return found
    fact = dict(found)
    if isinstance(held := fact.get("facts"), list):
        fact["facts"] = [_lifted(each, old, version, lifts) for each in held]
    if isinstance(roll := fact.get("roll"), Mapping):
        fact["roll"] = _with_lifted(dict(roll), old, version, lifts)
    for number in range(old, version):
        fact = lifts[number](fact) if number in lifts else fact
    return fact


def _with_lifted(roll: Form, old: int, version: int, lifts: Lifts) -> Form:
    """A roll, what followed from it lifted."""
    after = roll.get("after")
    if not isinstance(after, Mapping):
        return roll
    return roll | {"after": {n: [_lifted(f, old, version, lifts) for f in of] for n, of in after.items()}}


def _is_lifted(old: int, version: int, lifts: Lifts) -> bool:
    """Whether facts changed between two versions."""
    return any(number in lifts for number in range(old, version))


def lift(form: Form, old: int, version: int = VERSION, lifts: Lifts = LIFTS, of: Lifts = FACT_LIFTS) -> Form:
    """A table of an old version as one of that version. Raises KeyError if nothing lifts it."""
    for number in range(old, version):
        form = lifts[number](form)
    if not _is_lifted(old, version, of):
        return form
    games = form.get("games") or {}
    return form | {
        "games": {name: _with_lifted_rolls(part, old, version, of) for name, part in games.items()}
    }


def _with_lifted_rolls(part: Form, old: int, version: int, lifts: Lifts) -> Form:
    """A game's part of a table, what followed from its rolls lifted."""
    held = {place: part[place] for place in ("rolls", "hidden") if part.get(place)}
    return part | {
        place: {n: _with_lifted(roll, old, version, lifts) for n, roll in rolls.items()}
        for place, rolls in held.items()
    }


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
    held = [each for each in dict.fromkeys(kind for kind, *_ in TAGS) if issubclass(each, source)]
    schemas = {each: handler.generate_schema(each) for each in held}
    kinds = {_TAGS[each]: schema for each, schema in schemas.items()}
    kinds |= {name: schemas[each] for name, each in _READ.items() if each in schemas}
    written = core_schema.wrap_serializer_function_ser_schema(
        lambda fact, write: (
            json.loads(fact.kept)
            if isinstance(fact, Illegible)
            else {"fact": _TAGS[type(fact)], **write(fact)}
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
    return fact.get("fact") if isinstance(fact, Mapping) else _TAGS.get(type(fact))


def _of_games(kind: type[Games], source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """How the parts of games are kept: each by its name; one in which there is nothing is left out."""
    known = {part.name: part.state if kind is TableGames else part.own for part in PARTS}
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


# The rules know nothing of pydantic, so facts and the parts of games learn here how they are kept.
Fact.__get_pydantic_core_schema__ = classmethod(_of_facts)  # type: ignore[attr-defined]
Games.__get_pydantic_core_schema__ = classmethod(_of_games)  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class _Stored:
    version: int
    table: Table


@dataclass(frozen=True, slots=True)
class _Facts:
    version: int
    facts: tuple[Fact, ...]


_T = TypeVar("_T")
_ADAPTERS: dict[type, TypeAdapter[Any]] = {}
_BEARING: dict[type, TypeAdapter[Any]] = {}


def adapter(kind: type[_T]) -> TypeAdapter[_T]:
    """What reads and writes values of a class; made when it is first needed, since that takes long."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def _bearing(kind: type[_T]) -> TypeAdapter[_T]:
    """The same, which bears facts that it cannot read; made when there is one, since hardly ever there is."""
    if kind not in _BEARING:
        token = _bears.set(True)
        try:
            _BEARING[kind] = TypeAdapter(kind)
        finally:
            _bears.reset(token)
    return _BEARING[kind]


def learn() -> None:
    """Make what reads and writes all that play keeps: some 200 ms, better not in somebody's command."""
    rolls = (kind for part in PARTS if (kind := part.rolls))
    for kind in (_Stored, *rolls, *(part.state for part in PARTS), Character, _Facts, Build):
        adapter(kind)


_CURRENT = f'{{"version":{VERSION},'.encode()


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


_CHARACTERS = _Written(Character)
_NO_GAMES = TableGames()
_STATES: Mapping[str, _Written[Any]] = {part.name: _Written(part.state) for part in PARTS}
_ROLLS: Mapping[str, _Written[Any]] = {part.name: _Written(part.rolls) for part in PARTS if part.rolls}
_ROLL: Mapping[type, str] = {part.rolls: part.name for part in PARTS if part.rolls}


def write(table: Table) -> bytes:
    """The table as text: a line of JSON, then one for each character, each game, and each of its rolls."""
    rest = replace(table, number=0, lost=0, characters={}, games=_NO_GAMES)
    head = adapter(_Stored).dump_json(_Stored(VERSION, rest), exclude_defaults=True)
    if table.plan is not None and table.plan.unread:
        head = _with_plan_back(head, table.plan.unread)
    lines = [head]
    for who, one in table.characters.items():
        lines.append(b"c%s:%s" % (json.dumps(who).encode(), _CHARACTERS.write(one)))
    for name, state in vars(table.games).items():
        rolls = state.rolls if name in _ROLLS else {}
        bare = replace(state, rolls={}) if rolls else state
        lines.append(b'g"%s":%s' % (name.encode(), _STATES[name].write(bare)))
        lines += [b'r"%d":%s' % (number, _ROLLS[name].write(roll)) for number, roll in rolls.items()]
    return b"\n".join(lines)


def _with_plan_back(head: bytes, plan: str) -> bytes:
    """The first line of a table's text with the plan that was there, which cannot be read."""
    stored = json.loads(head)
    stored["table"]["plan"] = json.loads(plan)
    return json.dumps(stored, ensure_ascii=False, separators=(",", ":")).encode()


def sign(value: object) -> int:
    """A number for a roll or a character by which it can be told from others, in every process; never 0."""
    if type(value) in _ROLL:
        return _ROLLS[_ROLL[type(value)]].sign(value)
    if isinstance(value, Character):
        return _CHARACTERS.sign(value)
    return _signed(adapter(type(value)).dump_json(value))


def _signed(text: bytes) -> int:
    # 56 bits, since a column has 64 with a sign.
    return int.from_bytes(hashlib.sha256(text).digest()[:7], "big") or 1


def joined(text: bytes) -> bytes:
    """All lines of a text as one JSON object; older texts are one line."""
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


def _with_rolls(game: bytes, rolls: list[bytes]) -> bytes:
    """What a game has on the table, its rolls put back."""
    return _with_more(game, b'"rolls":{%s}' % b",".join(rolls)) if rolls else game


def _with_more(form: bytes, more: bytes) -> bytes:
    """The JSON of an object with more in it."""
    # One in which everything has its default ends so.
    comma = b"" if form.endswith(b"{}") else b","
    return b"%s%s%s}" % (form[:-1], comma, more)


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


def write_facts(facts: tuple[Fact, ...]) -> str:
    """What a step did, as JSON."""
    return adapter(_Facts).dump_json(_Facts(VERSION, facts), exclude_defaults=True).decode()


_VERSION = re.compile(r'\{"version": ?(?P<number>[1-9]\d{0,3})[,}]')


def read_facts(text: str, lifts: Lifts = FACT_LIFTS, version: int = VERSION) -> tuple[Fact, ...]:
    """The facts that `write_facts` wrote; what cannot be read of them is borne, and so is a text of none."""
    try:
        # Its beginning says its version: as JSON all of it would be read twice.
        old = _VERSION.match(text)
        if old and _is_lifted(int(old["number"]), version, lifts):
            kept = json.loads(text)
            held = [_lifted(each, int(old["number"]), version, lifts) for each in kept["facts"]]
            text = json.dumps(kept | {"facts": held})
        return adapter(_Facts).validate_json(text).facts
    except FAULTS:  # pydantic's are ValueErrors
        pass
    try:
        # A second time: if the first reading bore everything, it would be slower for all that is sound.
        return _bearing(_Facts).validate_json(text).facts
    except ValidationError:
        return (illegible(text),)


def is_legible(facts: Iterable[Fact]) -> bool:
    """Whether all of it can be read."""
    return not any(isinstance(f, Illegible) or not is_legible(getattr(f, "facts", ())) for f in facts)


GONE = Line("What happened in this step cannot be read any more.")
"""What a step says of facts that are set aside."""


def with_aside(text: str) -> str:
    """The facts in a text for the log, those that cannot be read set aside: kept, and looked at no more."""
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
    """Whether facts are set aside in that text."""
    return '"aside":' in text


def write_build(build: Build) -> str:
    """A pool that is built, as JSON."""
    return adapter(Build).dump_json(build, exclude_defaults=True).decode()


def read_build(text: str) -> Build | None:
    """The pool that `write_build` wrote; None where that cannot be read."""
    try:
        return adapter(Build).validate_json(text)
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
        table = _bearing(Table).validate_python(_with_plan_kept(plain))
    if table.plan is not None and is_beyond(table.plan):
        table = replace(table, plan=_kept(plain["plan"]))
    return replace(_parts(table, _bare), number=number)


def _parts(table: Table, change: Callable[[Any], Any]) -> Table:
    """The table with the parts of games changed, its own and those of characters and of the scene."""
    people = {who: replace(one, games=change(one.games)) for who, one in table.characters.items()}
    scenery = replace(table.scenery, games=change(table.scenery.games))
    return replace(table, games=change(table.games), characters=people, scenery=scenery)


_T_Games = TypeVar("_T_Games", bound=Games)


def _whole(games: _T_Games) -> _T_Games:
    """The part of every game, also an empty one: what is added to that would be one leaf otherwise."""
    return games.having({part.name: getattr(games, part.name) for part in PARTS})


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
        return plain | {"plan": adapter(Plan).dump_python(_kept(plan))}
    return plain


def _kept(plan: object) -> Plan:
    """What stands for a plan that cannot be read."""
    return Plan(0, 0, is_off=True, unread=json.dumps(plan))


def is_beyond(plan: Plan) -> bool:
    """Whether a plan is for a time that no clock shows."""
    return not 0 <= plan.at <= LAST


FAULTS = (zlib.error, KeyError, TypeError, ValueError)
"""What `unpack` and `read` raise for what is damaged, or of a shape that this program does not know."""

_BY_LINE = b"\x01"
"""Begins a blob that refers to lines of its keyframe; zlib's own begin otherwise."""
_BLOCK = 8 * 1024
_LIKE = 4 * 1024
"""So much of a keyframe is looked at for what is like in new lines; more takes longer than it saves."""
_WINDOW = 24 * 1024  # with a block, what zlib can look back on: 32 KiB


def pack(text: bytes, key: bytes | None = None) -> bytes:
    """The text compressed, against the text of its keyframe if it is not one itself.

    A line that the keyframe has too is left out: `=2,40` stands for 40 of its lines from its second on. The
    others are like its first line more often than not.
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
    """Whether a blob is packed against a keyframe."""
    return isinstance(blob, bytes) and blob.startswith(_BY_LINE)


def unpack(blob: bytes, key: bytes | None = None) -> bytes:
    """The text that was packed. Raises zlib.error or ValueError if the blob or the keyframe is another."""
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
