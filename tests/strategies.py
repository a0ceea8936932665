"""Made-up dice, pools, hands, words and tables for laws.

Each strategy is made once: made anew in each draw, it took most of the time of a law to be made and checked.
"""

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

from hypothesis import strategies as st

from rules.cortex.kinds import Rank, Trait
from rules.cortex.model import (
    CORTEX,
    Against,
    Challenge,
    Contest,
    CortexCharacter,
    CortexTable,
    Crisis,
    Hand,
    RolledDie,
    TurnOrder,
)
from rules.cortex.pool import Die
from rules.cortex.ruleset import (
    BASES,
    ComplicationsPay,
    EffectBy,
    HitchOn,
    NoDieLeft,
    PushStress,
    ResourceUse,
    Rest,
    Ruleset,
)
from rules.dice import ALL_SIZES, MOST_DICE, SIZES, Throw
from rules.errors import RuleError
from rules.names import LABEL, Thread, clean, key
from rules.table import Character, Table
from rules.values import replace
from tests.drawn import with_games

PIECES = (
    *("d4", "d6", "D8", "10", "12", "2d6", "3D10", "30d4", "d20", "0d6", "d", "6d", "8\ufe0f\u20e3"),
    *(
        "\U0001f51f",
        "1\ufe0f\u20e32\ufe0f\u20e3",
        "Mind",
        "sharp",
        "Quick Wits",
        '"Quick Wits"',
        '"',
        "“",
        "”",
    ),
    *("safe", "less one", "Gang", "Boys"),
    *("up", "down", "double", "split", "hinder", "scale", "last", "build", "UP", "vs", "doom", "hard"),
    *(
        "+",
        ",",
        ";",
        "\n",
        "\t",
        "-1",
        "²",
        "٣",
        "\u200d",
        "\ufe0f",
        "\u202e",
        "ß",
        "İ",
        "Alice",
        "Alice · Rain d8",
    ),
)
"""Parts of what people type, and of what they had better not type."""


@cache
def sizes(least: int = SIZES[0]) -> st.SearchStrategy[int]:
    """Sizes of dice."""
    return st.sampled_from([size for size in SIZES if size >= least])


@cache
def labels() -> st.SearchStrategy[str]:
    """Labels as a table holds them, strange ones too."""
    words = st.sampled_from(
        ["Mind", "Quick Wits", "up", "Scale", "last", "d8", "O'Neil", "Ünder", "4", "a+b"]
    )
    return words | st.text(min_size=1, max_size=20).map(_cleaned)


@cache
def typed() -> st.SearchStrategy[str]:
    """What somebody may type anywhere, up to 6,000 characters of it."""
    pieces = st.lists(st.sampled_from(PIECES), max_size=25)
    rows = st.builds(lambda parts, gap: gap.join(parts), pieces, st.sampled_from([" ", "", ", ", "+"]))
    long = st.builds(
        lambda part, times: (part * times)[:6000], st.sampled_from(PIECES), st.integers(50, 6000)
    )
    return rows | st.text(max_size=40) | long


@cache
@st.composite
def rolled_dice(draw: st.DrawFn) -> RolledDie:
    """A die on the table, removed now and then."""
    size = draw(sizes())
    return RolledDie(size, draw(st.integers(1, size)), removed=draw(st.integers(0, 9)) == 0)


@cache
@st.composite
def hands(draw: st.DrawFn, most: int = 6) -> Hand:
    """A few dice, with one to four kept and up to three effect dice."""
    dice = draw(st.lists(rolled_dice(), min_size=1, max_size=most))
    return Hand(tuple(dice), keep=draw(st.integers(1, 4)), effects_bought=draw(st.integers(0, 2)))


@cache
def pools(most: int = 10) -> st.SearchStrategy[tuple[Die, ...]]:
    """Pools of dice, some with a label."""
    dice = st.builds(Die, sizes(), st.just("") | labels())
    return st.lists(dice, min_size=1, max_size=min(most, MOST_DICE)).map(tuple)


@cache
def opposition() -> st.SearchStrategy[Against]:
    """A number, or dice with the first two kept."""
    numbers = st.integers(0, 30).map(lambda number: Against(str(number), number=number))
    return numbers | hands().map(lambda hand: Against("dice", hand=hand))


@cache
def rulesets() -> st.SearchStrategy[Ruleset]:
    """The four profiles, as they are or bent by mods."""
    profiles = st.sampled_from(list(BASES.values()))
    return profiles | st.builds(_bent, profiles, st.fixed_dictionaries(_MODS))


def _bent(rules: Ruleset, mods: dict[str, Any]) -> Ruleset:
    return replace(rules, **mods)


_MODS: dict[str, st.SearchStrategy[Any]] = {
    "d4_helps": st.booleans(),
    "push_stress": st.sampled_from(PushStress),
    "rest": st.sampled_from(Rest),
    "statements": st.booleans(),
    "fixed_total": st.sampled_from([(), ("Values",), ("Values", "Distinctions")]),
    "effect": st.sampled_from(EffectBy),
    "no_die_left": st.sampled_from(NoDieLeft),
    "sizes": st.sampled_from([SIZES, SIZES, (2, *SIZES), (4, 6, 8), (6, 20), ALL_SIZES]),
    "modifiers": st.booleans(),
    "hitch_on": st.sampled_from(HitchOn),
    "safe_dice": st.booleans(),
    "complications_pay": st.sampled_from(ComplicationsPay),
    "gangs_thin_out": st.booleans(),
    "resources": st.sampled_from(ResourceUse),
    "heroic_margin": st.integers(2, 10),
}
"""What mods a table may have, by the fields of a ruleset."""


@cache
def traits(least: int = SIZES[0]) -> st.SearchStrategy[dict[str, Trait]]:
    """A few traits by key."""
    said, was = st.sampled_from(["", "I leave nobody behind"]), st.sampled_from([0, 0, *SIZES])
    plain = st.builds(Trait, labels(), sizes(least), statement=said, was=was)
    several = st.builds(_several, labels(), st.lists(sizes(least), min_size=1, max_size=4), st.booleans())
    held = st.lists(plain | several, max_size=3)
    return st.builds(_with_part, held, st.booleans())


def _several(label: str, dice: list[int], safe: bool) -> Trait:
    """A trait of several dice (N21), safe ones or not (N14)."""
    first, *more = sorted(dice, reverse=True)
    return Trait(label, first, more=tuple(more), safe=safe)


def _with_part(row: list[Trait], is_part: bool) -> dict[str, Trait]:
    """Traits by key, the last a part of the first where there are two (N23)."""
    held = {key(trait.label): trait for trait in row}
    first, last = next(iter(held), ""), next(reversed(held), "")
    if is_part and first != last:
        held[last] = replace(held[last], part_of=held[first].label)
    return held


@cache
def counts(least: int = SIZES[0], at_least: int = 0) -> st.SearchStrategy[dict[int, int]]:
    """Dice of a pool: how many of each size."""
    held = st.dictionaries(sizes(least), st.integers(1, 3), min_size=at_least, max_size=3)
    return held.map(lambda found: dict(sorted(found.items())))


@cache
def orders() -> st.SearchStrategy[TurnOrder]:
    """Orders of turns among Alice, Bob and Rex, or nobody yet."""
    people = st.sampled_from(["alice", "bob", "rex"])
    some = st.lists(people, unique=True, max_size=2).map(tuple)
    return st.builds(TurnOrder, st.just("") | people, some, some, st.just("") | people, st.integers(1, 5))


@cache
def gmcs() -> st.SearchStrategy[Character]:
    """Rex: plain, an extra, a boss or a mob."""
    plain = st.builds(Character, st.just("Rex"), gmc=st.just(True), away=st.booleans())
    minor = st.builds(CortexCharacter, st.just(Rank.MINOR), sheet=traits())
    ranks = st.sampled_from([Rank.BOSS, Rank.MOB])
    dice = st.builds(lambda size, count: {size: count}, sizes(), st.integers(1, 4))
    boss = st.builds(CortexCharacter, ranks, sheet=traits(), pool=dice)
    return plain | st.builds(CORTEX.give, plain, minor | boss)


@cache
def contests() -> st.SearchStrategy[dict[int, Contest]]:
    """No contest, or one between Alice and Bob whose first roll is long closed."""
    sides = st.sampled_from([("Alice", "Bob"), ("Bob", "Rex"), ("Rex", "Alice")])
    contest = st.builds(Contest, sides, st.integers(0, 1), st.just(0), hands(), exchanges=st.integers(1, 9))
    return st.just({}) | contest.map(lambda each: {0: each})


@cache
def challenges() -> st.SearchStrategy[dict[str, Challenge]]:
    """One challenge, in some round, that may act against somebody."""
    against = st.sampled_from(["", "alice", "bob"])
    made = st.builds(
        Challenge, st.just("Storm"), counts(at_least=1), orders(), st.sampled_from([0, 3]), against
    )
    return made.map(lambda each: {"storm": each})


@cache
@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A table with a GM, two played characters, a GMC, notes, and things that they have, of each game."""
    players = [Character("Alice", player=2), Character("Bob", player=3)]
    people = [
        *(CORTEX.give(one, replace(CORTEX.has(one), hero=draw(counts()))) for one in players),
        draw(gmcs()),
    ]
    held = [_equipped(draw, one, pp=0 if one.gmc else draw(st.integers(0, 3))) for one in people]
    cortex = CORTEX.put(
        Table(
            number=draw(st.integers(0, 1000)),
            gms={1: "Greta"},
            characters={key(one.name): one for one in held},
            scenery=_equipped(draw, Character("Scene")),
            is_scene=draw(st.booleans()),
            is_act=draw(st.booleans()),
            threads=draw(_THREADS),
            day=draw(_DAYS),
        ),
        CortexTable(
            ruleset=draw(rulesets()),
            doom=dict(sorted(draw(_DOOM).items())),
            crises=draw(_CRISES),
            challenges=draw(_CHALLENGES),
            contests=draw(contests()),
            order=draw(_ORDER),
        ),
    )
    return with_games(draw, cortex)


@cache
def set_tables() -> st.SearchStrategy[Table]:
    """One of a few tables of each ruleset: for what is typed, of which a table drawn anew costs most."""
    return st.sampled_from(_SET)


def set_table() -> Table:
    """A table with everything on it that a word could mean."""
    return _SET[-1]


@cache
def throws() -> st.SearchStrategy[Throw]:
    """Dice that fall as they like."""
    return st.integers(0, 2**32).map(_thrower)


def _thrower(seed: int) -> Throw:
    chance = random.Random(seed)

    def throw(sizes: Sequence[int]) -> list[int]:
        return [chance.randint(1, size) for size in sizes]

    return throw


_THREADS: st.SearchStrategy[dict[str, Thread]] = st.sampled_from(
    [
        {},
        {"who sent the wolves?": Thread("Who sent the wolves?")},
        {
            "rex lies": Thread("Rex lies", secret=True, about="Rex"),
            "the bridge is out": Thread("The bridge is out", about="Alice"),
        },
    ]
)
_DAYS = st.sampled_from(["", "Third day of frost"])
_DOOM: st.SearchStrategy[dict[int, int]] = st.dictionaries(sizes(6), st.integers(1, 3))
_CRISES: st.SearchStrategy[dict[str, Crisis]] = st.just({}) | counts(at_least=1).map(
    lambda dice: {"fire": Crisis("Fire", dice)}
)
_CHALLENGES: st.SearchStrategy[dict[str, Challenge]] = st.just({}) | challenges()
_ORDER: st.SearchStrategy[TurnOrder | None] = st.none() | orders()


def _equipped(draw: st.DrawFn, one: Character, pp: int = 0) -> Character:
    has = replace(CORTEX.has(one), distinctions=draw(traits()), assets=draw(traits()))
    return CORTEX.give(one, replace(has, complications=draw(traits()), pp=pp))


def _cleaned(text: str) -> str:
    try:
        return clean(text, LABEL)
    except RuleError:
        return "Rope"


def _set(rules: Ruleset) -> Table:
    """A table with everything on it that a word could mean."""
    traits = {
        key(label): Trait(label, size) for label, size in (("Rope", 6), ("Broken Leg", 8), ("Émile", 12))
    }
    gang = Trait("Gang", 8, more=(6, 6), safe=True)
    traits |= {"gang": gang, "boys": Trait("Boys", 4, part_of="Gang", more=(4,))}
    alice = CORTEX.give(
        Character("Alice", player=2), CortexCharacter(pp=3, hero={8: 1}, assets=traits, distinctions=traits)
    )
    bob = CORTEX.give(Character("Bob", player=3), CortexCharacter(pp=1, complications=traits, stress=traits))
    rex = CORTEX.give(Character("Rex", gmc=True), CortexCharacter(rank=Rank.BOSS, pool={8: 3}, sheet=traits))
    return CORTEX.put(
        Table(
            number=7,
            gms={1: "Greta"},
            characters={"alice": alice, "bob": bob, "rex": rex},
            scenery=CORTEX.give(Character("Scene"), CortexCharacter(distinctions=traits)),
            is_scene=True,
            is_act=True,
        ),
        CortexTable(
            ruleset=rules,
            doom={6: 2, 10: 1},
            crises={"fire": Crisis("Fire", {6: 1, 8: 2})},
            challenges={"storm": Challenge("Storm", {8: 2}, TurnOrder(turn="alice"))},
            order=TurnOrder(turn="bob"),
        ),
    )


def _unled(rules: Ruleset) -> Table:
    """The same without a GM, whose doom pool and turn order it has not."""
    table = replace(_set(rules), gms={})
    return CORTEX.put(table, replace(CORTEX.of(table), doom={}, order=None))


_SET = [
    Table(),
    *(_set(rules) for rules in BASES.values()),
    *map(_unled, BASES.values()),
    _set(replace(BASES["adept"], safe_dice=True, gangs_thin_out=True)),
]
