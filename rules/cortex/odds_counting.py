"""Count the hands of a pool exactly: totals, effect dice and heroic successes (R1, R3, R7, R8).

Hands are counted by the highest result that the total leaves over, and by the total. Several counts
are packed as fixed-width digits into one integer, so one multiplication combines two groups of
dice.

With two kept results, hands are grouped into classes: the highest result left over, the largest die
left over, and the sizes of the kept results that come from larger dice. Only the number of hands in
a class depends on the pool. What a class comes to is the same for every pool, so it is worked out
once and cached.
"""

import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, combinations, combinations_with_replacement, product
from math import comb, prod
from operator import add, mul, sub

from rules.cortex.model import lowest
from rules.cortex.ruleset import PRIME, NoDieLeft, PastD12, Ruleset
from rules.dice import SIZES, step_of
from rules.values import Value

NO_EFFECT = -1
"""The step of what has no effect at all, which is less than any other (N10)."""


PAST = len(SIZES)
"""The reach of an effect that is stepped up past d12 once, where dice have the usual sizes (R7)."""


MOST_KEPT = 12
"""Odds are counted for at most so many kept results, which takes some seconds for the largest pools."""


WORD = 64
"""Counts of two kept results are some words wide, so that they are unpacked at once, in C."""


WRITTEN_OUT = (2, 3)
"""The usual numbers of kept results, for which `joined` is written out: it takes a third of the time."""


Rows = tuple[int, ...]
"""What is counted for no, one, two … dice of a kind, each packed by their excess."""


class Hands:
    """All hands of a pool of dice, counted by total and by `left`, the highest result left over (0: none).

    For a given `left`, a total is `keep * left` plus what each higher die shows beyond `left`: its
    `excess`. An effect die with a result above `left` gives up its place in the total to a die that
    shows `left`.

    >>> Hands((6, 8, 8), 2).all_ways
    384
    >>> Hands((6, 8, 8), 2).groups
    ((6, 1), (8, 2))
    """

    def __init__(self, sizes: Sequence[int], keep: int, rules: Ruleset = PRIME) -> None:
        # Counts are digits of one whole number, each `bits` wide: wide enough for all ways, so that none
        # runs over into the next. Multiplying two such numbers adds up all pairs of excesses at once, in C.
        # Numbers of dice have a number each: a product of larger ones would keep other threads waiting.
        self.rules, self.sizes = rules, sizes
        self.groups = tuple(sorted(Counter(sizes).items()))
        self.keep = min(keep, len(sizes))
        self.all_ways = prod(sizes)
        self.low = lowest(rules)
        self.top = max(SIZES[-1], *sizes)
        self.margin = rules.heroic_margin
        # Steps are counted from the least one that there is, that of the d4 where no die is left among them.
        there = {size: step_of(size, rules.sizes) for size in sizes}
        has_d4 = rules.no_die_left is NoDieLeft.D4
        self.base = min(*there.values(), step_of(SIZES[0], rules.sizes)) if has_d4 else min(there.values())
        self.step = {size: step - self.base for size, step in there.items()}
        self.no_die = step_of(SIZES[0], rules.sizes) - self.base if has_d4 else NO_EFFECT
        bits = (self.all_ways * MOST_KEPT * self.top).bit_length()  # totals are added up, too
        # Many pools of the same width share what is known of pairs.
        self.bits = -(-bits // WORD) * WORD if self.keep == 2 else bits
        self.least = min(1 if rules.lone_die else 2, keep)
        self.runs = [0, *accumulate(1 << self.bits * face for face in range(self.top + 1))]
        self._combs = [
            tuple(comb(count, some) for some in range(min(count, self.keep) + 1)) for _, count in self.groups
        ]
        self._none: Rows = (0,) * (self.keep + 1)
        self._levels: dict[int, Level] = {}
        self._above: dict[tuple[int, int], Rows] = {}
        self._powers: dict[tuple[int, int], list[int]] = {}
        self._shown: dict[tuple[int, int], Rows] = {}

    @property
    def levels(self) -> list["Level"]:
        """All hands, one level for each highest result left over, rising."""
        return self.up_to(self.top)

    def up_to(self, most: int) -> list["Level"]:
        """Return the levels of the hands whose highest result left over is at most this, rising."""
        top = self.groups[-1][0] if len(self.sizes) > self.keep else 0
        lefts = [0, *range(self.low + 1, min(most, top) + 1)]
        for left in lefts:
            if left not in self._levels:
                self._levels[left] = Level(self, left)
        return [self._levels[left] for left in lefts]

    def totals(self, more: int = 0) -> dict[int, int]:
        """Return how many hands have each total, in rising order; a total that no hand has is missing.

        With `more` at 1 the total has one further result: the highest one that was left over.

        >>> Hands((4, 4), 2).totals()
        {0: 1, 2: 2, 3: 2, 4: 3, 5: 2, 6: 3, 7: 2, 8: 1}
        >>> Hands((4, 4, 4), 2).totals(more=1)[12]
        1
        """
        kept = self.keep + more
        packed = sum(level.without(()) << self.bits * kept * level.left for level in self.levels)
        return {total: count for total, count in enumerate(digits(packed, self.bits)) if count}

    def above(self, left: int, groups: int) -> Rows:
        """Return the first groups combined, by the number of dice above `left`, packed by face."""
        if not groups:
            return (1, *self._none[1:])
        if (left, groups) not in self._above:
            rows = self._rows(groups - 1, min(left, self.groups[groups - 1][0]), left + 1)
            self._above[left, groups] = joined(self.above(left, groups - 1), rows)
        return self._above[left, groups]

    def shown(self, place: int, lowest: int) -> Rows:
        """Return a group's dice that show at least `lowest`, packed by face; the others show a hitch."""
        if (place, lowest) not in self._shown:
            self._shown[place, lowest] = self._rows(place, min(self.low, self.groups[place][0]), lowest)
        return self._shown[place, lowest]

    def _rows(self, place: int, rest: int, lowest: int) -> Rows:
        """The dice of a group: each shows one of `rest` faces, or at least the lowest face that counts."""
        size, count = self.groups[place]
        if max(lowest, self.low + 1) > size:
            return (rest**count,)
        if (place, lowest) not in self._powers:
            die = self.runs[size + 1] - self.runs[max(self.low + 1, lowest)]
            powers = accumulate([die] * (len(self._combs[place]) - 1), mul, initial=1)
            self._powers[place, lowest] = list(map(mul, self._combs[place], powers))
        rows = self._powers[place, lowest]
        if rest > 1:
            rows = [rest ** (count - above) * row for above, row in enumerate(rows)]
        return self.full(rows) if self.keep in WRITTEN_OUT else tuple(rows)

    def full(self, rows: Sequence[int]) -> Rows:
        """Pad the rows with zeros, so that there is one for each number of dice that can be kept."""
        return (*rows, *self._none[len(rows) :])


class Level:
    """The hands that leave over one particular highest result.

    Hands are counted in rows, one for each number of dice above `left`. A row is an integer with one
    slot for each excess.
    """

    def __init__(self, hands: Hands, left: int) -> None:
        self.hands, self.left = hands, left
        self.spare = hands.groups[-1][0] - left
        # A die that shows `left` is at least so large, and is left over; where none is, there is a d4 (R3).
        self.lowest = (
            next(hands.step[size] for size, _ in hands.groups if size >= left) if left else hands.no_die
        )
        self.width = hands.keep * self.spare + 1
        self.slot = (1 << hands.bits) - 1
        self.bounds: dict[tuple[int, ...], Rows] = {(): (1, *[0] * hands.keep)}
        self.grouped: dict[tuple[int, int], Rows] = {}
        self.known: dict[tuple[int, ...], int] = {}
        self._free: dict[int, Rows] = {}
        # Where none is left over, so many dice or fewer are the total whole: no choice but one.
        self.least = min(hands.least, hands.keep)
        self.few = 0 if left else self._up_to(hands.above(hands.low, len(hands.groups)))[self.least]

    def free(self, groups: int) -> Rows:
        """Return the hands of the first groups by the most dice allowed above `left`, falling."""
        if groups not in self._free:
            if not self.left:
                up_to = self._up_to(self.hands.above(self.hands.low, groups))
                none = [0] * (self.hands.keep - self.least)
                rows = tuple(map(sub, up_to, (*none, *up_to[: self.least + 1])))
            elif not groups or self.hands.groups[groups - 1][0] < self.left:
                rows = (0,) * (self.hands.keep + 1)  # none of them shows so much
            else:
                up, under = (self.hands.above(most, groups) for most in (self.left, self.left - 1))
                rows = self._up_to(tuple(map(sub, up, under)))
            self._free[groups] = rows[::-1]
        return self._free[groups]

    @cached_property
    def counts(self) -> list[int]:
        """How many of the hands have each excess, from 0 up."""
        return digits(self.without(()), self.hands.bits)

    def short(self, excess: int, slack: tuple[int, ...]) -> int:
        """Return how many hands with that excess have no effect die that reaches far enough.

        A die within reach helps if it is outside the total. One above `left` helps unless the total without
        it is too low, so it is no help only if it shows more than the slack beyond `left`.
        """
        return self.at(self.without(slack), excess)

    def without(self, slack: tuple[int, ...]) -> int:
        """Return the hands for which no usable die of the last groups helps, packed by excess.

        The last groups are those within reach, one for each entry of `slack`.
        """
        if slack not in self.known:
            free = self.free(len(self.hands.groups) - len(slack))
            self.known[slack] = self.few + sum(map(mul, self._bound(slack), free))
        return self.known[slack]

    def _bound(self, slack: tuple[int, ...]) -> Rows:
        """The last groups together, each die of which shows more than its slack allows, or a hitch."""
        if slack not in self.bounds:
            place = len(self.hands.groups) - len(slack)
            if (place, slack[0]) not in self.grouped:
                shown = self.hands.shown(place, self.left + slack[0])
                self.grouped[place, slack[0]] = self.of_excess(shown)
            self.bounds[slack] = joined(self._bound(slack[1:]), self.grouped[place, slack[0]])
        return self.bounds[slack]

    def of_excess(self, rows: Rows) -> Rows:
        """Repack dice by their excess over `left` instead of by face."""
        if not self.left:
            return rows
        less = self.hands.bits * self.left
        return tuple([row >> less * above for above, row in enumerate(rows)])

    def _up_to(self, rows: Rows) -> Rows:
        """The same by how many dice are above at most."""
        return tuple(accumulate(self.of_excess(rows)))

    def at(self, packed: int, excess: int) -> int:
        """Return the count for one excess from a packed number."""
        return packed >> self.hands.bits * excess & self.slot


def joined(one: Rows, more: Rows) -> Rows:
    """Combine dice with one more group, by how many of both count; the group may have fewer rows.

    >>> joined((1, 2), (3, 4))
    (3, 10)
    """
    least, few = more[0], len(more)
    if few == 1:
        return one if least == 1 else tuple([row * least for row in one])
    if len(one) == 1 + WRITTEN_OUT[0]:
        a, b, c = one
        _, f, g = more
        return a * least, b * least + a * f, c * least + b * f + a * g
    if len(one) == 1 + WRITTEN_OUT[1]:
        a, b, c, d = one
        _, f, g, h = more
        return a * least, b * least + a * f, c * least + b * f + a * g, d * least + c * f + b * g + a * h
    back = more[::-1]
    fewer = [sum(map(mul, one, back[few - rows :])) for rows in range(1, few)]
    return (*fewer, *[sum(map(mul, one[rows - few : rows], back)) for rows in range(few, len(one) + 1)])


def digits(packed: int, bits: int) -> list[int]:
    """Return the counts that are packed into a number, lowest slot first, without trailing zeros.

    >>> digits(0x0203, bits=8)
    [3, 2]
    >>> digits(0, bits=64)
    []
    """
    if bits % WORD:
        slot = (1 << bits) - 1
        return [packed >> at & slot for at in range(0, packed.bit_length(), bits)]
    words = -(-packed.bit_length() // bits) * bits // WORD
    each = struct.unpack(f"<{words}Q", packed.to_bytes(words * WORD // 8, "little"))
    if bits == WORD:
        return list(each)
    parts = [each[first :: bits // WORD] for first in range(bits // WORD)]
    return [
        sum(part << WORD * place for place, part in enumerate(whole)) for whole in zip(*parts, strict=True)
    ]


NEVER = 10_000
"""A margin that no roll has."""


class Outcomes(Value):
    """Counts over all pairs of a hand and a goal.

    `effects` are those with an effect of at least d6, d8 and so on, `heroic` the heroic successes,
    `standing` the sum of the totals that stand.
    """

    effects: tuple[float, ...]
    heroic: int
    standing: int


def outcomes(hands: Hands, goals: Mapping[int, int]) -> Outcomes:
    """Count what hands come to against the goals by the choice that stands (R7, R8).

    `goals` maps each number to beat to the number of ways that lead to it.

    >>> outcomes(Hands((6, 6), 2), {7: 1})
    Outcomes(effects=(1, 0, 0, 0, 0), heroic=1, standing=240)
    """
    of = hands.all_ways * sum(goals.values())
    reaches = range(1, len(hands.rules.sizes) + (hands.rules.past_d12 is PastD12.TAKEOUT))
    effects = [of - _short(hands, _needed(hands, reach - hands.base), goals) for reach in reaches]
    return Outcomes(tuple(effects), _heroic(hands, goals), _standing(hands, goals))


def reached(hands: Hands, margin: int) -> int:
    """Return how many steps up the table's sizes the effect reaches when no die is left for it (R3)."""
    reach = _reach(hands, hands.no_die, margin)
    return 0 if reach == NO_EFFECT else reach + hands.base


def ever_heroic(hands: Hands, goals: Mapping[int, int]) -> int:
    """Count the pairs of hand and goal with a heroic choice, whichever choice stands (R7).

    >>> ever_heroic(Hands((6, 6), 2), {7: 1})
    1
    >>> ever_heroic(Hands((6, 6), 2), {8: 1})
    0
    """
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
    """Count the pairs that are not heroic by the choice that stands although the best total is (R7, R8).

    There a die of the total becomes the effect and leaves a margin that is not heroic, because no
    heroic choice has an effect as large.
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
    """Return whether the classes of these hands are cached: two kept results, by the usual rules.

    >>> are_usual(Hands((6, 8, 10), keep=2))
    True
    >>> are_usual(Hands((6, 8, 10), keep=3))
    False
    """
    rules = hands.rules
    is_usual = (rules.sizes, rules.heroic_margin, hands.low) == (SIZES, HEROIC, 1)
    return hands.keep == 2 and is_usual and hands.no_die == 0 and set(hands.sizes) <= set(SIZES)


def two_kept_outcomes(hands: Hands, goals: Mapping[int, int]) -> Outcomes:
    """Count what hands with two kept results come to against the goals, like `outcomes` but faster.

    >>> hands, goals = Hands((6, 8, 10), 2), {11: 1}
    >>> two_kept_outcomes(hands, goals) == outcomes(hands, goals)
    True
    """
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


class _Class(Value):
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


class _Marks(Value):
    """How what comes of a hand is written as digits of one number, by which rules.

    A digit for each reach, one for heroic, and one for what the total loses. A choice has a rank, its reach
    and then its margin, so that of several the larger number stands.
    """

    bits: int
    steps_effects: bool
    stays: bool

    def rank(self, step: int, margin: int) -> int:
        """Return a choice's rank: the largest effect stands, then the best total (R7, R8)."""
        reach = step + (margin // HEROIC if self.steps_effects else 0)
        return (min(reach, PAST - 1) if self.stays else reach) * _MARGINS + margin

    def mark(self, rank: int) -> int:
        """Return what the choice of that rank comes to, without what the total loses."""
        reach, margin = divmod(rank, _MARGINS)
        effects = sum(1 << self.bits * each for each in range(min(reach, PAST)))
        return effects + ((margin >= HEROIC) << self.bits * PAST)


@lru_cache(16)
def _ranks(marks: _Marks, most: int) -> tuple[list[list[int]], dict[int, int]]:
    """The ranks of an effect die of each size with each margin, none below 1, and what comes of each rank."""
    ranks = [[0, *(marks.rank(step, margin) for margin in range(1, most + 1))] for step in _STEPS]
    return ranks, {rank: marks.mark(rank) for some in ranks for rank in some}


class _Table(Value):
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
