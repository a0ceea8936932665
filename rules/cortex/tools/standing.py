"""What stands of a roll with any number of kept results: effect, total, whether it is heroic (R7, R8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import add, sub

from rules.cortex.state.outcome import HEROIC_STEP
from rules.cortex.state.ruleset import PastD12, Ruleset
from rules.cortex.tools.hands import PAST, Hands, Level, Rows, joined
from rules.dice import SIZES

NEVER = 10_000
"""A margin that no roll has."""
SUM = SIZES[-1] + HEROIC_STEP - 1
"""The most that a die shows and leaves of the margin together where that is not heroic."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Hands and goals together: those of an effect d6, d8 … or more, heroic ones, the totals that stand."""

    effects: tuple[int, ...]
    heroic: int
    standing: int


def outcomes(hands: Hands, goals: Mapping[int, int]) -> Outcomes:
    """What comes of hands against the goals, by the choice that stands (R7, R8)."""
    of = hands.all_ways * sum(goals.values())
    reaches = range(1, PAST + (hands.rules.past_d12 is PastD12.TAKEOUT))
    effects = [of - _short(hands, _needed(reach, hands.rules), goals) for reach in reaches]
    return Outcomes(tuple(effects), _heroic(hands, goals), _standing(hands, goals))


def ever_heroic(hands: Hands, goals: Mapping[int, int]) -> int:
    """How many hands and goals together have a heroic choice, whatever its effect (R7)."""
    return hands.all_ways * sum(goals.values()) - _short(hands, (HEROIC_STEP,) * len(SIZES), goals)


def _standing(hands: Hands, goals: Mapping[int, int]) -> int:
    """The totals that stand, of all hands and goals together: the best one where none beats the goal (R8)."""
    known: dict[tuple[int, int], int] = {}
    added = 0
    for at, level in enumerate(hands.levels):
        for excess, count in enumerate(level.counts):
            total = hands.keep * level.left + excess
            for goal, times in goals.items() if count else ():
                margin = total - goal
                if margin < 1:
                    added += times * count * total
                    continue
                if (at, margin) not in known:
                    known[at, margin] = _margins(level, margin, hands.rules)
                added += times * (count * goal + level.at(known[at, margin], excess))
    return added


def _margins(level: Level, best: int, rules: Ruleset) -> int:
    """The margins that stand, added up over hands whose best total has that margin, packed by excess (R8).

    An effect die from the total takes something from it: the furthest effect stands, of several the one
    that takes least. So they are gone through in that order, each with the hands that have no better one.
    """
    lowest = (-_reach(level.lowest, best, rules), 0)  # nothing worse stands
    ranked: dict[tuple[int, int], list[int]] = {}
    for place, (size, _) in enumerate(level.hands.groups):
        for less in range(min(max(0, size - level.left), best - 1) + 1):
            rank = (-_reach(SIZES.index(size), best - less, rules), less)
            if rank >= lowest:
                break  # and so is what takes more
            ranked.setdefault(rank, []).append(place)
    slack = [0] * len(level.hands.groups)
    left, added = level.without(()), 0
    for rank in sorted(ranked):
        for place in ranked[rank]:
            slack[place] = rank[1] + 1
        fewer = level.without(tuple(filter(None, slack)))
        added += (best - rank[1]) * (left - fewer)
        left = fewer
    return added + best * left


def _reach(step: int, margin: int, rules: Ruleset) -> int:
    """How far an effect die reaches with that margin, in steps above d4 (R7)."""
    reach = step + (margin // HEROIC_STEP if rules.steps_effects else 0)
    return min(reach, PAST - 1) if rules.past_d12 is PastD12.STAYS else reach


def _heroic(hands: Hands, goals: Mapping[int, int]) -> int:
    """How many hands and goals together are a heroic success by the choice that stands (R7, R8)."""
    best = sum(
        times * count
        for level in hands.levels
        for excess, count in enumerate(level.counts)
        for goal, times in goals.items()
        if hands.keep * level.left + excess - goal >= HEROIC_STEP
    )
    return best - unheroic(hands, goals)


def unheroic(hands: Hands, goals: Mapping[int, int]) -> int:
    """How many are none by the choice that stands, though the best total is one (R7, R8).

    A die of the total is the effect then, by a margin that is not heroic; no heroic choice reaches as far.
    """
    sums = {key: list(accumulate(rows, _added)) for key, rows in _further(hands).items()}
    found = 0
    # Every kept die shows `left` or more, and without that die they come to a goal and four at most.
    for level in hands.up_to((max(goals) + HEROIC_STEP - 1) // hands.keep if sums else 0):
        packed = 0
        for (free, steps), rows in sums.items():
            first = level.left + HEROIC_STEP * max(1, steps)
            last = first + HEROIC_STEP if steps else SUM + 1
            bound = map(sub, rows[min(last, SUM + 1)], rows[min(first, SUM + 1)])
            for kept, (some, others) in enumerate(zip(bound, level.free(free), strict=True)):
                packed += some * others << hands.bits * level.left * (hands.keep - kept)
        places = {goal - level.left + SUM: times for goal, times in goals.items()}
        found += sum(times * level.at(packed, at) for at, times in places.items() if at >= 0)
    return found


def _further(hands: Hands) -> dict[tuple[int, int], list[Rows]]:
    """Larger dice of which some reach further than any heroic choice, none of them as a heroic one.

    They are counted by how many groups of smaller dice there are and by the steps of the best total; and in
    a list by `at`, the best margin and the highest result left over together, which begins with none. As the
    effect a die leaves a margin of `at` less its face. So each die has a lowest face for each `at`, whatever
    is left over, with which it does not reach so far; or it shows a 1. Packed are the faces less `at`, so
    that with the smaller dice they come to what the goal needs, whatever the margin is.
    """
    none: Rows = (0,) * (hands.keep + 1)
    found: dict[tuple[int, int], list[Rows]] = {}
    for place, (size, _) in enumerate(hands.groups):
        reach = SIZES.index(size)
        all_steps = range(1, reach) if hands.rules.steps_effects else range(min(1, reach))
        for at in range(HEROIC_STEP, size + HEROIC_STEP if all_steps else 0):
            some, none_of_these = (hands.full(hands.shown(place, low)) for low in (at - HEROIC_STEP + 1, at))
            rows: Rows = tuple(map(sub, some, none_of_these))
            for larger in range(place + 1, len(hands.groups)):
                rows = joined(rows, hands.shown(larger, at))
            free = place
            for steps in all_steps:
                while free and (short := reach - SIZES.index(hands.groups[free - 1][0])) <= steps:
                    free -= 1
                    rows = joined(rows, hands.shown(free, at - HEROIC_STEP * short + 1))
                sums = found.setdefault((free, steps), [none] * (SUM + 2))
                sums[at + 1] = _added(sums[at + 1], [each << hands.bits * (SUM - at) for each in rows])
    return found


def _added(one: Sequence[int], more: Sequence[int]) -> Rows:
    return tuple(map(add, one, more))


def _short(hands: Hands, needed: tuple[int, ...], goals: Mapping[int, int]) -> int:
    """How many hands and goals together have no choice that beats the goal by what its effect needs.

    `needed` is the least margin for an effect die of each size; without one left it is a d4 (R3).
    """
    # With the margin of a d4 every hand has a choice, as there always is a d4 (R3).
    slack = [_slack(hands, needed, margin) for margin in range(min(needed[0], hands.keep * SIZES[-1] + 1))]
    found = 0
    for level in hands.levels:
        for excess, count in enumerate(level.counts):
            total = hands.keep * level.left + excess
            for goal, times in goals.items() if count else ():
                margin = total - goal
                if margin < 1:
                    found += times * count
                elif margin < needed[level.lowest]:
                    found += times * level.short(excess, slack[margin])
    return found


def _slack(hands: Hands, needed: tuple[int, ...], margin: int) -> tuple[int, ...]:
    """By how much the total may shrink for each size within reach, and one more; the largest sizes."""
    least = (needed[SIZES.index(size)] for size, _ in hands.groups)
    return tuple(margin + 1 - each for each in least if margin >= each)


def _needed(reach: int, rules: Ruleset) -> tuple[int, ...]:
    """The least margin with which an effect die of each size reaches so far; NEVER where it cannot (R7)."""
    return tuple(max(1, _steps(reach - step, rules)) for step in range(len(SIZES)))


def _steps(steps: int, rules: Ruleset) -> int:
    """The margin that gives so many steps."""
    return HEROIC_STEP * steps if steps <= 0 or rules.steps_effects else NEVER
