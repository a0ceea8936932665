"""How many hands of a pool have each total, and how far it may shrink for an effect die (R1, R3).

Hands are counted by the highest result that the total leaves over, and by the total. Several counts are
packed into one whole number, so that multiplying two of them joins two groups of dice.
"""

import struct
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from math import comb, prod
from operator import mul, sub

from rules.cortex.state.landed import lowest
from rules.cortex.state.ruleset import PRIME, NoDieLeft, Ruleset
from rules.dice import SIZES, step_of

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
    """All hands of a pool of dice, counted by `left`, the highest result left over (0: none), and total.

    With `left` known, a total is `keep * left` and what each higher die has beyond `left`: its `excess`.
    An effect die of a result above `left` gives its place in the total to a die that shows `left`.
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
        """All hands, by the highest result left over."""
        return self.up_to(self.top)

    def up_to(self, most: int) -> list["Level"]:
        """The hands that leave over no higher result."""
        top = self.groups[-1][0] if len(self.sizes) > self.keep else 0
        lefts = [0, *range(self.low + 1, min(most, top) + 1)]
        for left in lefts:
            if left not in self._levels:
                self._levels[left] = Level(self, left)
        return [self._levels[left] for left in lefts]

    def totals(self, more: int = 0) -> dict[int, int]:
        """How many hands have each total; with one result more, that is the highest left over."""
        kept = self.keep + more
        packed = sum(level.without(()) << self.bits * kept * level.left for level in self.levels)
        return {total: count for total, count in enumerate(digits(packed, self.bits)) if count}

    def above(self, left: int, groups: int) -> Rows:
        """The first groups together, by how many dice are above a result, packed by their faces."""
        if not groups:
            return (1, *self._none[1:])
        if (left, groups) not in self._above:
            rows = self._rows(groups - 1, min(left, self.groups[groups - 1][0]), left + 1)
            self._above[left, groups] = joined(self.above(left, groups - 1), rows)
        return self._above[left, groups]

    def shown(self, place: int, lowest: int) -> Rows:
        """The dice of a group that show so much or more, packed by their faces; all others show a hitch."""
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
        """A row for each number of dice that can be kept."""
        return (*rows, *self._none[len(rows) :])


class Level:
    """The hands that leave over a certain highest result.

    Hands are counted in rows, one for each number of dice above `left`: whole numbers with a slot for each
    excess.
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
        """The hands of the first groups of up to so many dice above `left`, the most first."""
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
        """How many of the hands have each excess."""
        return digits(self.without(()), self.hands.bits)

    def short(self, excess: int, slack: tuple[int, ...]) -> int:
        """How many of the hands with that excess have no effect die that reaches far enough.

        A die within reach helps from outside the total; one above `left` helps unless the total without it
        is too low, so to be no help it has to show more than the slack beyond `left`.
        """
        return self.at(self.without(slack), excess)

    def without(self, slack: tuple[int, ...]) -> int:
        """The hands by excess, packed, where no usable die of the last groups, those within reach, helps."""
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
        """Dice that were packed by their faces."""
        if not self.left:
            return rows
        less = self.hands.bits * self.left
        return tuple([row >> less * above for above, row in enumerate(rows)])

    def _up_to(self, rows: Rows) -> Rows:
        """The same by how many dice are above at most."""
        return tuple(accumulate(self.of_excess(rows)))

    def at(self, packed: int, excess: int) -> int:
        """What is counted for an excess."""
        return packed >> self.hands.bits * excess & self.slot


def joined(one: Rows, more: Rows) -> Rows:
    """Dice together with a group, by how many of both count; of the group there may be fewer rows."""
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
    """The counts that are packed into a number, without the zeros at its end."""
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
