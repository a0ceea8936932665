"""Every kind of fact with every member of every closed set in it, with what may be missing and without."""

import types
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from itertools import combinations, product
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from bot.store.codec import tags
from rules.cortex.kinds import Foe, TraitKind
from rules.cortex.model import Against, Closes, Closing, Hand, Roll, RolledDie
from rules.cortex.outcome import settle
from rules.cortex.pool import NEW, Source, Special, TraitUse
from rules.cortex.ruleset import PROFILES
from rules.facts import AnyEvent, AnyTold, Illegible, OldWords
from rules.ore.model import OreHand, OreRoll
from rules.ore.pool import OrePool
from rules.values import Value, replace

_DICE = (RolledDie(8, 7, "Mind"), RolledDie(6, 6), RolledDie(10, 3), RolledDie(6, 1))
ROLL = settle(
    Roll(
        8,
        2,
        "Alice",
        Hand(_DICE),
        against=Against("doom", hand=Hand(_DICE[1:])),
        note="Force the door",
        closing=(Closing(Closes.STEPS_DOWN, "alice", TraitKind.TRAIT, "Mind"),),
    ),
    PROFILES["adept"],
)
"""A roll that lies on the table, with a hitch, a verdict and a note."""
ORE_ROLL = OreRoll(8, 2, "Alice", (OreHand(OrePool(4), faces=(6, 6, 3, 1)),))
SOURCES = (
    NEW,
    Source(TraitKind.TRAIT, "Attributes"),
    *(Source(kind) for kinds in (TraitKind, Foe, Special) for kind in kinds),
    *(Source(kind, is_scene=True) for kind in TraitKind),
    *(Source(TraitKind.STRESS, use=use) for use in TraitUse),
    Source(TraitKind.TRAIT, "Values", TraitUse.CHALLENGED),
    Source(TraitKind.ASSET, is_signature=True),
    Source(TraitKind.ASSET, use=TraitUse.CHALLENGED, is_signature=True),
)
"""Where dice can come from, each kind of it."""
_ILLEGIBLE = Illegible("eclipse", '{"fact": "eclipse", "moons": 2}')
_GIVEN: Mapping[object, object] = {
    Roll: ROLL,
    OreRoll: ORE_ROLL,
    Illegible: _ILLEGIBLE,
    AnyEvent: OldWords("Rain"),
    AnyTold: OldWords("Rain"),
    Source: Source(TraitKind.TRAIT, "Attributes"),
    str: "Rain",
    int: 8,
    bool: False,
}
"""What stands for a value of a type whose parts have to fit together, or of which any will do."""


KINDS = [*tags().by_kind]


@cache
def parts(kind: type[Value]) -> dict[str, Any]:
    """The types of a class's fields, by name."""
    hints = get_type_hints(kind)
    return {name: hints[name] for name in kind.__struct_fields__}


def sample(of: Any) -> Any:
    """A value of a type in which nothing is missing."""
    if of in _GIVEN:
        return _GIVEN[of]
    if get_origin(of) is Annotated:
        return sample(get_args(of)[0])
    args = get_args(of)
    if get_origin(of) is tuple:
        return (sample(args[0]),) if args[-1] is ... else tuple(map(sample, args))
    if get_origin(of) is Mapping:
        return {sample(args[0]): sample(args[1])}
    if get_origin(of) in (Union, types.UnionType):
        return sample(args[0])
    if issubclass(of, StrEnum):
        return next(iter(of))
    return of(**{name: sample(part) for name, part in parts(of).items()})


def variants(of: Any, base: Any, *, pairs: int) -> Iterator[Any]:
    """The value and others of its type: with each member of each set in it, without what may be missing.

    Any two parts of a class differ at once, so many classes deep as `pairs` says.
    """
    yield base
    if get_origin(of) is Annotated:
        yield from variants(get_args(of)[0], base, pairs=pairs)
    elif get_origin(of) in (Union, types.UnionType):
        if type(None) in get_args(of):
            yield None
            (inner,) = (part for part in get_args(of) if part is not type(None))
            yield from variants(inner, sample(inner) if base is None else base, pairs=pairs)
    elif get_origin(of) is tuple and base:
        for place, each in enumerate(base):
            inner = get_args(of)[0 if get_args(of)[-1] is ... else place]
            for other in variants(inner, each, pairs=0):
                yield (*base[:place], other, *base[place + 1 :])
    elif of is bool:
        yield not base
    elif of is Source:
        yield from (
            NEW,
            Source(TraitKind.ASSET, is_signature=True),
            Source(TraitKind.STRESS, use=TraitUse.PUSHED),
        )
    elif isinstance(of, type) and issubclass(of, StrEnum):
        yield from of
    elif isinstance(of, type) and issubclass(of, Value):
        yield from _of_class(of, base, pairs=pairs)


def _of_class(kind: type[Value], base: Any, *, pairs: int) -> Iterator[Any]:
    found: dict[str, list[Any]] = {}
    for part in msgspec.structs.fields(kind):
        hint, value = parts(kind)[part.name], getattr(base, part.name)
        found[part.name] = list(variants(hint, value, pairs=0))
        if part.default is not msgspec.NODEFAULT and part.default != value:
            found[part.name].append(part.default)
        for other in variants(hint, value, pairs=max(0, pairs - 1)):
            yield replace(base, **{part.name: other})
    for one, two in combinations(found, 2) if pairs else ():
        for values in product(found[one], found[two]):
            yield replace(base, **dict(zip((one, two), values, strict=True)))


def every(kind: type, *, pairs: int = 1) -> list[Any]:
    """Facts of a kind, in which any two parts differ at once, so many classes deep as `pairs` says."""
    found: dict[str, Any] = {}
    for each in variants(kind, sample(kind), pairs=pairs):
        found.setdefault(repr(each), each)
    return list(found.values())
