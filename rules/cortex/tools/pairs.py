"""What comes of two kept results (R3, R7, R8), the usual number: every class of hands is known beforehand.

A hand with two kept results is of a class: the highest result left over, the largest die left over, and the
sizes of those two of its results that larger dice show. How many hands a class has, only the pool says. What
comes of a class is the same for every pool, and is found once by going through its results.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from math import comb
from operator import mul, sub

from rules.cortex.state.ruleset import PastD12
from rules.cortex.tools.hands import PAST, Hands, Level, digits, joined
from rules.cortex.tools.standing import Outcomes
from rules.dice import SIZES

TABLES = 320
"""So many tables are kept, some 8 KB each: those of all goals that two dice can set, by one ruleset."""
HEROIC = 5
"""The usual margin of a heroic success (R7)."""
_MARGINS = 1 << 10
"""More than any margin."""
_STEPS = range(len(SIZES))
_LARGER = [range(step + 1, len(SIZES)) for step in _STEPS]
_PAIRS = [tuple(combinations_with_replacement(larger, 2)) for larger in _LARGER]
"""For each die left over, the pairs of larger dice."""


def are_usual(hands: Hands) -> bool:
    """Whether these are hands of which each class is known: two kept results, by the usual rules."""
    rules = hands.rules
    is_usual = (rules.sizes, rules.heroic_margin, hands.low) == (SIZES, HEROIC, 1)
    return hands.keep == 2 and is_usual and hands.no_die == 0 and set(hands.sizes) <= set(SIZES)


def outcomes(hands: Hands, goals: Mapping[int, int]) -> Outcomes:
    """What comes of hands with two kept results against the goals."""
    marks = _Marks(hands.bits, hands.rules.steps_effects, hands.rules.past_d12 is PastD12.STAYS)
    dice = [dict(hands.groups).get(size, 0) for size in SIZES]
    pairs = [tuple(_ways(dice, *pair) for pair in _PAIRS[step]) for step in _STEPS]
    known = [(level.left, list(_classes(level))) for level in hands.levels]
    found = [0] * (PAST + 2)
    for goal, times in goals.items():
        packed = 0
        for left, classes in known:
            table = _table(left, goal, marks)
            packed += sum(_came(each, table, dice, pairs[each.step]) for each in classes)
        found = [sum_ + times * count for sum_, count in zip(found, _split(packed, hands.bits), strict=True)]
    best = sum(total * count for total, count in hands.totals().items()) * sum(goals.values())
    return Outcomes(tuple(found[: PAST - marks.stays]), found[PAST], best - found[PAST + 1])


def _came(each: "_Class", table: "_Table", dice: Sequence[int], pairs: Sequence[int]) -> int:
    """What comes of all hands of some classes."""
    packed: int = sum(map(mul, each.none, table.none[each.step]))
    packed += each.two * sum(map(mul, pairs, table.two[each.step]))
    for larger, came in zip(_LARGER[each.step], table.one[each.step], strict=True):
        if dice[larger]:
            packed += dice[larger] * sum(map(mul, each.one, came))
    return packed


def _split(packed: int, bits: int) -> list[int]:
    slot = (1 << bits) - 1
    return [packed >> bits * place & slot for place in range(PAST + 2)]


def _ways(dice: Sequence[int], first: int, second: int) -> int:
    """How many pairs of dice of two sizes there are."""
    return comb(dice[first], 2) if first == second else dice[first] * dice[second]


@dataclass(frozen=True, slots=True)
class _Class:
    """Hands by the largest die left over, all larger ones of which show a 1 or are kept.

    By the excess of the other dice where no larger one is kept, where one is; and where two are.
    """

    step: int
    none: list[int]
    one: list[int]
    two: int


def _classes(level: Level) -> Iterable[_Class]:
    """The hands that leave over a certain result, by the largest die that they leave over."""
    bits = level.hands.bits
    if not level.left:  # none is left over: the effect is a d4 (R3)
        two, one, none = level.free(level.hands.groups[0][0] == SIZES[0])[::-1]
        yield _Class(0, digits(level.few + none, bits), digits(one, bits), two)
        return
    for place, (size, _) in enumerate(level.hands.groups):
        if size < level.left:  # what is left over is larger
            continue
        # Less those of which none of this size is left over: they are kept, or show a 1.
        kept = level.of_excess(level.hands.shown(place, level.left + 1))
        fewer = joined(level.free(place)[::-1], kept)
        two, one, none = map(sub, level.free(place + 1)[::-1], fewer)
        yield _Class(SIZES.index(size), digits(none, bits), digits(one, bits), two)


@dataclass(frozen=True, slots=True)
class _Marks:
    """How what comes of a hand is written as digits of one number, by which rules.

    A digit for each reach, one for heroic, and one for what the total loses. A choice has a rank, its reach
    and then its margin, so that of several the larger number stands.
    """

    bits: int
    steps_effects: bool
    stays: bool

    def rank(self, step: int, margin: int) -> int:
        """The rank of a choice: the largest effect stands, then the best total (R7, R8)."""
        reach = step + (margin // HEROIC if self.steps_effects else 0)
        return (min(reach, PAST - 1) if self.stays else reach) * _MARGINS + margin

    def mark(self, rank: int) -> int:
        """What comes of a choice that stands, but for what the total loses."""
        reach, margin = divmod(rank, _MARGINS)
        effects = sum(1 << self.bits * each for each in range(min(reach, PAST)))
        return effects + ((margin >= HEROIC) << self.bits * PAST)


@lru_cache(16)
def _ranks(marks: _Marks, most: int) -> tuple[list[list[int]], dict[int, int]]:
    """The ranks of an effect die of each size with each margin, none below 1, and what comes of each rank."""
    ranks = [[0, *(marks.rank(step, margin) for margin in range(1, most + 1))] for step in _STEPS]
    return ranks, {rank: marks.mark(rank) for some in ranks for rank in some}


@dataclass(frozen=True, slots=True)
class _Table:
    """What comes of each class with a certain result left over, by the die left over.

    `none` is where no larger die is kept, by the excess; `one` for each larger die, by the excess of the
    other; `two` for each pair of larger dice.
    """

    none: list[list[int]]
    one: list[list[list[int]]]
    two: list[list[int]]


@lru_cache(TABLES)
def _table(left: int, goal: int, marks: _Marks) -> _Table:
    """What comes of each class, of which no pool is known, against a goal."""
    ranks, came = _ranks(marks, 2 * SIZES[-1] + max(0, -goal))
    beside, lost = 2 * left - goal, marks.bits * (PAST + 1)
    excess = [range(1 if left else 2, max(size - left, 0) + 1) for size in SIZES]
    # Where none is left over the effect is a d4, and dice of any size are the total.
    both = [range(2 * excess[step if left else -1].stop - 1) for step in _STEPS]
    none = [[came[ranks[step][max(0, beside + each)]] for each in both[step]] for step in _STEPS]
    one = [[[0] * excess[step].stop for _ in _LARGER[step]] for step in _STEPS]
    for step, larger in combinations(_STEPS, 2):
        found = one[step][larger - step - 1]
        for other, mine in product(range(len(found)), excess[larger]):
            margin = beside + other + mine
            if margin > 0:
                rank = max(ranks[step][margin], ranks[larger][max(0, margin - mine)])
                found[other] += came[rank] + (margin - rank % _MARGINS << lost)
    two = {pair: [0] * pair[0] for pair in _PAIRS[0]}
    for (first, second), sums in two.items():
        for mine, other in product(excess[first], excess[second]):
            margin = beside + mine + other
            if margin > 0:
                best = max(ranks[first][max(0, margin - mine)], ranks[second][max(0, margin - other)])
                for step in range(first):
                    rank = max(best, ranks[step][margin])
                    sums[step] += came[rank] + (margin - rank % _MARGINS << lost)
    return _Table(none, one, [[two[pair][step] for pair in _PAIRS[step]] for step in _STEPS])
