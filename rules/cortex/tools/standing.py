"""What stands of a roll with any number of kept results: effect, total, whether it is heroic (R7, R8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import add, sub

from rules.cortex.state.ruleset import PastD12
from rules.cortex.tools.hands import NO_EFFECT, Hands, Level, Rows, joined

NEVER = 10_000
"""A margin that no roll has."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Hands and goals together: those of an effect d6, d8 … or more, heroic ones, the totals that stand."""

    effects: tuple[float, ...]
    heroic: int
    standing: int


def outcomes(hands: Hands, goals: Mapping[int, int]) -> Outcomes:
    """What comes of hands against the goals, by the choice that stands (R7, R8)."""
    of = hands.all_ways * sum(goals.values())
    reaches = range(1, len(hands.rules.sizes) + (hands.rules.past_d12 is PastD12.TAKEOUT))
    effects = [of - _short(hands, _needed(hands, reach - hands.base), goals) for reach in reaches]
    return Outcomes(tuple(effects), _heroic(hands, goals), _standing(hands, goals))


def reached(hands: Hands, margin: int) -> int:
    """How far the effect reaches by a margin where no die is left for it, in sizes of the table (R3)."""
    reach = _reach(hands, hands.no_die, margin)
    return 0 if reach == NO_EFFECT else reach + hands.base


def ever_heroic(hands: Hands, goals: Mapping[int, int]) -> int:
    """How many hands and goals together have a heroic choice, whatever its effect (R7)."""
    of_any = dict.fromkeys((NO_EFFECT, hands.no_die, *hands.step.values()), hands.margin)
    return hands.all_ways * sum(goals.values()) - _short(hands, of_any, goals)


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
                    known[at, margin] = _margins(level, margin)
                added += times * (count * goal + level.at(known[at, margin], excess))
    return added


def _margins(level: Level, best: int) -> int:
    """The margins that stand, added up over hands whose best total has that margin, packed by excess (R8).

    An effect die from the total takes something from it: the furthest effect stands, of several the one
    that takes least. So they are gone through in that order, each with the hands that have no better one.
    """
    hands = level.hands
    lowest = (-_reach(hands, level.lowest, best), 0)  # nothing worse stands
    ranked: dict[tuple[int, int], list[int]] = {}
    for place, (size, _) in enumerate(hands.groups):
        for less in range(min(max(0, size - level.left), best - 1) + 1):
            rank = (-_reach(hands, hands.step[size], best - less), less)
            if rank >= lowest:
                break  # and so is what takes more
            ranked.setdefault(rank, []).append(place)
    slack = [0] * len(hands.groups)
    left, added = level.without(()), 0
    for rank in sorted(ranked):
        for place in ranked[rank]:
            slack[place] = rank[1] + 1
        fewer = level.without(tuple(filter(None, slack)))
        added += (best - rank[1]) * (left - fewer)
        left = fewer
    return added + best * left


def _reach(hands: Hands, step: int, margin: int) -> int:
    """How far an effect die reaches with that margin, in steps (R7)."""
    if step == NO_EFFECT:
        return NO_EFFECT
    reach, rules = step + (margin // hands.margin if hands.rules.steps_effects else 0), hands.rules
    return min(reach, len(rules.sizes) - 1 - hands.base) if rules.past_d12 is PastD12.STAYS else reach


def _heroic(hands: Hands, goals: Mapping[int, int]) -> int:
    """How many hands and goals together are a heroic success by the choice that stands (R7, R8)."""
    best = sum(
        times * count
        for level in hands.levels
        for excess, count in enumerate(level.counts)
        for goal, times in goals.items()
        if hands.keep * level.left + excess - goal >= hands.margin
    )
    return best - unheroic(hands, goals)


def unheroic(hands: Hands, goals: Mapping[int, int]) -> int:
    """How many are none by the choice that stands, though the best total is one (R7, R8).

    A die of the total is the effect then, by a margin that is not heroic; no heroic choice reaches as far.
    """
    sums = {key: list(accumulate(rows, _added)) for key, rows in _further(hands).items()}
    most = _most(hands)
    found = 0
    # Every kept die shows `left` or more, and without that die they come to a goal and four at most.
    for level in hands.up_to((max(goals) + hands.margin - 1) // hands.keep if sums else 0):
        packed = 0
        for (free, steps, is_of_left), rows in sums.items():
            if is_of_left and not level.left:
                continue
            first = level.left + hands.margin * max(1, steps)
            last = first + hands.margin if steps else most + 1
            bound = map(sub, rows[min(last, most + 1)], rows[min(first, most + 1)])
            for kept, (some, others) in enumerate(zip(bound, level.free(free), strict=True)):
                packed += some * others << hands.bits * level.left * (hands.keep - kept)
        places = {goal - level.left + most: times for goal, times in goals.items()}
        found += sum(times * level.at(packed, at) for at, times in places.items() if at >= 0)
    return found


def _most(hands: Hands) -> int:
    """The most that a die shows and leaves of the margin together where that is not heroic."""
    return hands.top + hands.margin - 1


def _further(hands: Hands) -> dict[tuple[int, int, bool], list[Rows]]:
    """Larger dice of which some reach further than any heroic choice, none of them as a heroic one.

    They are counted by how many groups of smaller dice there are, by the steps of the best total, and whether
    that is only where a die is left over: the d4 where none is may reach as far by those steps (R3); and in
    a list by `at`, the best margin and the highest result left over together, which begins with none. As the
    effect a die leaves a margin of `at` less its face. So each die has a lowest face for each `at`, whatever
    is left over, with which it does not reach so far; or it shows a 1. Packed are the faces less `at`, so
    that with the smaller dice they come to what the goal needs, whatever the margin is.
    """
    none: Rows = (0,) * (hands.keep + 1)
    found: dict[tuple[int, int, bool], list[Rows]] = {}
    most, margin = _most(hands), hands.margin
    for place, (size, _) in enumerate(hands.groups):
        reach = hands.step[size]
        all_steps = _all_steps(hands, reach)
        for at in range(margin, size + margin if all_steps else 0):
            some, none_of_these = (hands.full(hands.shown(place, low)) for low in (at - margin + 1, at))
            rows: Rows = tuple(map(sub, some, none_of_these))
            for larger in range(place + 1, len(hands.groups)):
                rows = joined(rows, hands.shown(larger, at))
            free = place
            for steps in all_steps:
                while free and (short := reach - hands.step[hands.groups[free - 1][0]]) <= steps:
                    free -= 1
                    rows = joined(rows, hands.shown(free, at - margin * max(1, short) + 1))
                is_of_left = hands.no_die != NO_EFFECT and steps >= reach - hands.no_die
                sums = found.setdefault((free, steps, is_of_left), [none] * (most + 2))
                sums[at + 1] = _added(sums[at + 1], [each << hands.bits * (most - at) for each in rows])
    return found


def _all_steps(hands: Hands, reach: int) -> range:
    """The steps of a best total that still leave it short of a die with that reach."""
    if not hands.rules.steps_effects:
        return range(1 if hands.no_die == NO_EFFECT else min(1, reach))
    # Without a d4 for hands with no die left, none of their heroic choices reaches as far.
    has_none = hands.no_die == NO_EFFECT
    return range(1, hands.keep * hands.top // hands.margin + 1 if has_none else reach)


def _added(one: Sequence[int], more: Sequence[int]) -> Rows:
    return tuple(map(add, one, more))


def _short(hands: Hands, needed: Mapping[int, int], goals: Mapping[int, int]) -> int:
    """How many hands and goals together have no choice that beats the goal by what its effect needs.

    `needed` is the least margin for an effect die by its step; without one left it is a d4 (R3).
    """
    # No margin is larger, and with what the least effect needs every hand has a choice.
    furthest = max(needed[step] for step in (hands.no_die, *hands.step.values()))
    most = min(furthest, hands.keep * hands.top + 1 + max(0, -min(goals)))
    slack = [_slack(hands, needed, margin) for margin in range(most)]
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


def _slack(hands: Hands, needed: Mapping[int, int], margin: int) -> tuple[int, ...]:
    """By how much the total may shrink for each size within reach, and one more; the largest sizes."""
    least = (needed[hands.step[size]] for size, _ in hands.groups)
    return tuple(margin + 1 - each for each in least if margin >= each)


def _needed(hands: Hands, reach: int) -> Mapping[int, int]:
    """The least margin with which an effect die of each step reaches so far; NEVER where it cannot (R7)."""
    steps = {*hands.step.values(), hands.no_die} - {NO_EFFECT}
    return {NO_EFFECT: NEVER, **{step: max(1, _margin(hands, reach - step)) for step in steps}}


def _margin(hands: Hands, steps: int) -> int:
    """The margin that gives so many steps."""
    return hands.margin * steps if steps <= 0 or hands.rules.steps_effects else NEVER
