"""Exact chances of a roll, counted and never thrown (R1 to R8).

Hands are counted by the highest result that the total leaves over, and by the total. Several counts are
packed into one whole number, so that multiplying two of them joins two groups of dice.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import comb, prod
from operator import mul, sub

from rules.cortex.rolling.gather import Gathered, gather
from rules.cortex.rolling.opposition import against, thrown
from rules.cortex.rolling.roll import check_keep
from rules.cortex.state.outcome import HEROIC_STEP, is_of_challenge
from rules.cortex.state.part import CORTEX
from rules.cortex.state.ruleset import PRIME, PastD12, Ruleset
from rules.cortex.state.table import Against, Hand
from rules.cortex.state.typed_pool import parted
from rules.dice import SIZES, Pool
from rules.errors import NotAllowed
from rules.roller import roller
from rules.seats import Actor
from rules.table import Table
from rules.values import replace

MOST_KEPT = 12
"""Odds are counted for at most so many kept results, which takes some seconds for the largest pools."""
LONG = 100
"""Dice times kept results above which counting takes long."""
PAST = len(SIZES)
"""The reach of an effect that is stepped up past d12 once (R7)."""
NEVER = 10_000
"""A margin that no roll has."""

_Rows = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """Chances of success and heroic success, and the mean total; without a goal that alone.

    Heroic and mean are those of the choice that stands (R8): of several successes the one with the largest
    effect, else the best total. Of one PP more the mean is counted without a goal alone. Against a challenge,
    where steps may become effect dice (L3), heroic is that some choice is, and there is no mean.
    """

    mean: float | None
    success: float | None = None
    heroic: float | None = None


@dataclass(frozen=True, slots=True)
class Odds:
    """The chances of a pool, each from 0 to 1, under the best choice for each goal.

    `effects` is by reach, `more` what the total has with one PP more, None where no die is left for it.
    `totals` are the chances of each best total, `successes` those that it comes and beats the goal.
    """

    kept: Kept
    effects: Mapping[int, float]
    hitch: float
    botch: float
    totals: Mapping[int, float]
    successes: Mapping[int, float]
    more: Kept | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A pool with what it is rolled against, as it was asked for."""

    pool: Pool
    keep: int
    against: Against | None
    odds: Odds


@dataclass(frozen=True, slots=True)
class Uncounted:
    """The same before its odds are counted: its dice, and the settings of the table."""

    pool: Pool
    keep: int
    against: Against | None
    sizes: tuple[int, ...]
    rules: Ruleset

    @property
    def takes_long(self) -> bool:
        """Whether counting takes more than some 100 ms."""
        return len(self.sizes) * self.keep > LONG


def ask(table: Table, actor: Actor, dice: str, vs: str | None = None, keep: int = 2) -> Uncounted:
    """A pool as typed, against what was typed, by the settings of the table."""
    check_keep(keep)
    _check_kept(keep)
    dice, vs = parted(dice, vs)
    name, _ = roller(table, actor, None)
    return asked_of(table, actor, gather(table, actor, dice, None, name, asks=False), vs, keep)


def asked_of(table: Table, actor: Actor, gathered: Gathered, vs: str | None, keep: int = 2) -> Uncounted:
    """A pool that is gathered, against what was typed."""
    # A hitch that an SFX hands over is no die that is thrown (H3).
    hand = thrown(gathered.pool, keep, table, _laid, replace(gathered.beside, hitches=()))
    _check_kept(hand.keep)
    opposing = against(table, actor, vs, _laid, gathered.beside.theirs) if vs and vs.strip() else None
    return Uncounted(gathered.pool, hand.keep, opposing, _sizes(hand), CORTEX.of(table).ruleset)


def counted(asked: Uncounted) -> Question:
    """The odds of what was asked."""
    sizes, keep, opposing = asked.sizes, asked.keep, asked.against
    found = odds(sizes, keep, None if opposing is None else goals(opposing), asked.rules)
    if opposing is not None and is_of_challenge(opposing):
        best = _best(sizes, keep, goals(opposing), asked.rules)
        found = replace(found, kept=replace(found.kept, mean=None, heroic=best))
    return Question(asked.pool, keep, opposing, found)


def _check_kept(keep: int) -> None:
    """Refuse to count more kept results than can be counted in time."""
    if keep > MOST_KEPT:
        raise NotAllowed(
            "Odds are told for up to {most_kept} kept results. Example: keep:3", most_kept=MOST_KEPT
        )


def goals(opposing: Against) -> dict[int, int]:
    """The numbers that may have to be beaten, each with how many ways lead to it; dice keep their best."""
    if opposing.hand is None:
        return {opposing.number: 1}
    ways = totals(_sizes(opposing.hand), opposing.hand.keep)
    return {total + opposing.number: count for total, count in ways.items()}


def totals(sizes: Sequence[int], keep: int) -> dict[int, int]:
    """How many ways dice have to come to each best total (R1)."""
    return _Hands(tuple(sorted(sizes)), keep).totals()


def odds(
    sizes: Sequence[int], keep: int = 2, goals: Mapping[int, int] | None = None, rules: Ruleset = PRIME
) -> Odds:
    """The exact chances of dice against goals and the ways that lead to each; without, of the dice alone."""
    all_ways = prod(sizes)
    hands = _Hands(tuple(sorted(sizes)), keep, rules)
    more = _Hands(tuple(sorted(sizes)), keep + 1, rules) if keep < len(sizes) else None
    reaches = range(1, PAST + (rules.past_d12 is PastD12.TAKEOUT))
    if goals is None:
        of, ways = all_ways, _effects_alone(sizes, hands.least)
        ways = {reach: ways[reach] for reach in ways if reach in reaches}
    else:
        of = all_ways * sum(goals.values())
        ways = {reach: of - hands.short(_needed(reach, rules), goals) for reach in reaches}
    by_total = hands.totals()
    beaten = {} if goals is None else {total: _beaten(total, goals) for total in by_total}
    kept = _kept(hands, by_total, goals)
    return Odds(
        kept if goals is None else replace(kept, mean=_standing(hands, goals) / of),
        {reach: count / of for reach, count in ways.items()},
        hitch=(all_ways - prod(size - 1 for size in sizes)) / all_ways,
        botch=1 / all_ways,
        totals={total: count / all_ways for total, count in by_total.items()},
        successes={total: by_total[total] * times / of for total, times in beaten.items()},
        more=_kept(more, more.totals(), goals) if more else None,
    )


def _beaten(total: int, goals: Mapping[int, int]) -> int:
    """How many of the goals a total beats: a tie is none (R6)."""
    return sum(times for goal, times in goals.items() if goal < total)


def _kept(hands: "_Hands", ways: Mapping[int, int], goals: Mapping[int, int] | None) -> Kept:
    """What hands of those totals come to against the goals: a tie fails, five more is heroic (R6, R7)."""
    if goals is None:
        return Kept(sum(total * count for total, count in ways.items()) / sum(ways.values()))
    of = hands.all_ways * sum(goals.values())
    success = sum(count * _beaten(total, goals) for total, count in ways.items())
    return Kept(None, success / of, _heroic(hands, goals) / of)


def _standing(hands: "_Hands", goals: Mapping[int, int]) -> int:
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


def _margins(level: "_Level", best: int, rules: Ruleset) -> int:
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


def _heroic(hands: "_Hands", goals: Mapping[int, int]) -> int:
    """How many hands and goals together are a heroic success by the choice that stands (R7, R8).

    That is the choice with the largest effect, of several the highest total. So it is heroic where some
    heroic choice reaches as far as any other does: for each reach, the hands with such a choice and none
    that reaches further. They are the hands without one that reaches further, less those which have no
    heroic choice of that reach either. That is asked only of margins of which the choices can differ: where
    the best total is not heroic none is, and where no die takes enough from it all are.
    """
    rules = hands.rules
    last = PAST - (rules.past_d12 is PastD12.STAYS)
    heroic = sum(
        times * count
        for level in hands.levels
        for excess, count in enumerate(level.counts)
        for goal, times in goals.items()
        if hands.keep * level.left + excess - goal >= HEROIC_STEP
    )
    heroic -= hands.short(_heroically(last, rules), goals, is_doubtful=True)
    return heroic + sum(
        hands.short(_needed(reach + 1, rules), goals, is_doubtful=True)
        - hands.short(_either(reach, rules), goals, is_doubtful=True)
        for reach in range(last)
    )


def _best(sizes: Sequence[int], keep: int, goals: Mapping[int, int], rules: Ruleset) -> float:
    """The chance that some choice is heroic, whatever its effect (R7)."""
    hands = _Hands(tuple(sorted(sizes)), keep, rules)
    of = hands.all_ways * sum(goals.values())
    return (of - hands.short((HEROIC_STEP,) * len(SIZES), goals)) / of


def _needed(reach: int, rules: Ruleset) -> tuple[int, ...]:
    """The least margin with which an effect die of each size reaches so far; NEVER where it cannot (R7)."""
    return tuple(max(1, _steps(reach - step, rules)) for step in range(len(SIZES)))


def _heroically(reach: int, rules: Ruleset) -> tuple[int, ...]:
    """The same for a choice that is heroic besides."""
    return tuple(max(HEROIC_STEP, margin) for margin in _needed(reach, rules))


def _either(reach: int, rules: Ruleset) -> tuple[int, ...]:
    """The same for a choice that reaches further, or so far and is heroic besides."""
    further, heroic = _needed(reach + 1, rules), _heroically(reach, rules)
    return tuple(map(min, further, heroic))


def _steps(steps: int, rules: Ruleset) -> int:
    """The margin that gives so many steps."""
    return HEROIC_STEP * steps if steps <= 0 or rules.steps_effects else NEVER


def _effects_alone(sizes: Sequence[int], least: int) -> dict[int, int]:
    """How many ways leave a usable die of each size or more beside the total, without a goal (R3)."""
    needed = least + 1

    def enough(some: Sequence[int]) -> int:
        ways = [1]
        for size in some:
            ways = [a + b * (size - 1) for a, b in zip([*ways, 0], [0, *ways], strict=True)]
        return sum(ways[needed:])

    return {
        reach: enough(sizes) - enough([size for size in sizes if SIZES.index(size) < reach])
        for reach in range(1, len(SIZES))
    }


class _Hands:
    """All hands of a pool of dice, counted by `left`, the highest result left over (0: none), and total.

    With `left` known, a total is `keep * left` and what each higher die has beyond `left`: its `excess`.
    An effect die of a result above `left` gives its place in the total to a die that shows `left`.
    """

    def __init__(self, sizes: tuple[int, ...], keep: int, rules: Ruleset = PRIME) -> None:
        # Counts are digits of one whole number, each `bits` wide: wide enough for all ways, so that none
        # runs over into the next. Multiplying two such numbers adds up all pairs of excesses at once, in C.
        # Numbers of dice have a number each: a product of larger ones would keep other threads waiting.
        self.rules = rules
        self.groups = tuple(sorted(Counter(sizes).items()))
        self.keep = min(keep, len(sizes))
        self.all_ways = prod(sizes)
        self.bits = (self.all_ways * MOST_KEPT * SIZES[-1]).bit_length()  # totals are added up, too
        self.least = min(1 if rules.lone_die else 2, keep)
        top = sizes[-1] if len(sizes) > self.keep else 0
        self.levels = [_Level(self, left) for left in (0, *range(2, top + 1))]

    def totals(self) -> dict[int, int]:
        """How many hands have each total."""
        ways: Counter[int] = Counter()
        for level in self.levels:
            for excess, count in enumerate(level.counts):
                ways[self.keep * level.left + excess] += count
        return {total: count for total, count in sorted(ways.items()) if count}

    def short(self, needed: tuple[int, ...], goals: Mapping[int, int], *, is_doubtful: bool = False) -> int:
        """How many hands and goals together have no choice that beats the goal by what its effect needs.

        `needed` is the least margin for an effect die of each size; without one left it is a d4 (R3). With
        `is_doubtful` only those of which some choices can be heroic and others not.
        """
        # With the margin of a d4 every hand has a choice, as there always is a d4 (R3).
        slack = [self._slack(needed, margin) for margin in range(min(needed[0], self.keep * SIZES[-1] + 1))]
        short = 0
        for level in self.levels:
            doubtful = range(HEROIC_STEP, HEROIC_STEP + level.spare) if is_doubtful else None
            for excess, count in enumerate(level.counts):
                total = self.keep * level.left + excess
                for goal, times in goals.items() if count else ():
                    margin = total - goal
                    if doubtful is not None and margin not in doubtful:
                        continue
                    if margin < 1:
                        short += times * count
                    elif margin < needed[level.lowest]:
                        short += times * level.short(excess, slack[margin])
        return short

    def _slack(self, needed: tuple[int, ...], margin: int) -> tuple[int, ...]:
        """By how much the total may shrink for each size within reach, and one more; the largest sizes."""
        least = (needed[SIZES.index(size)] for size, _ in self.groups)
        return tuple(margin + 1 - each for each in least if margin >= each)


class _Level:
    """The hands that leave over a certain highest result.

    Hands are counted in rows, one for each number of dice above `left`: whole numbers with a slot for each
    excess. `free` holds, for none to all of the groups from the smallest size on, the hands of up to so many
    such dice, the last row first.
    """

    def __init__(self, hands: _Hands, left: int) -> None:
        self.hands, self.left = hands, left
        self.spare = hands.groups[-1][0] - left
        # A die that shows `left` is at least so large, and is left over; where none is, there is a d4 (R3).
        self.lowest = next(SIZES.index(size) for size, _ in hands.groups if size >= left) if left else 0
        self.width = hands.keep * self.spare + 1
        self.slot = (1 << hands.bits) - 1
        self.runs = [0, *accumulate(1 << hands.bits * excess for excess in range(SIZES[-1] + 1))]
        self.bounds: dict[tuple[int, ...], _Rows] = {(): (1, *[0] * hands.keep)}
        self.grouped: dict[tuple[int, int], _Rows] = {}
        self.known: dict[tuple[int, ...], int] = {}
        self.few = 0
        if left:
            fewer = self._up_to(left - 1, left)
        else:
            up_to, least = self._up_to(1, 2), min(hands.least, hands.keep)
            self.few = up_to[-1][least]
            none = [0] * (hands.keep - least)
            fewer = [(*none, *rows[: least + 1]) for rows in up_to]
        both = zip(self._up_to(left, left + 1) if left else up_to, fewer, strict=True)
        self.free = [tuple(map(sub, up, under))[::-1] for up, under in both]
        self.counts = [self.at(self.without(()), excess) for excess in range(self.width)]

    def short(self, excess: int, slack: tuple[int, ...]) -> int:
        """How many of the hands with that excess have no effect die that reaches far enough.

        A die within reach helps from outside the total; one above `left` helps unless the total without it
        is too low, so to be no help it has to show more than the slack beyond `left`.
        """
        return self.at(self.without(slack), excess)

    def without(self, slack: tuple[int, ...]) -> int:
        """The hands by excess, packed, where no usable die of the last groups, those within reach, helps."""
        if slack not in self.known:
            free = self.free[len(self.hands.groups) - len(slack)]
            self.known[slack] = self.few + sum(map(mul, self._bound(slack), free))
        return self.known[slack]

    def _bound(self, slack: tuple[int, ...]) -> _Rows:
        """The last groups together, each die of which shows more than its slack allows, or a 1."""
        if slack not in self.bounds:
            reached = -len(slack), slack[0]
            if reached not in self.grouped:
                size, count = self.hands.groups[reached[0]]
                self.grouped[reached] = self._group(size, count, 1, self.left + slack[0])
            self.bounds[slack] = _joined(self.grouped[reached], self._bound(slack[1:]))
        return self.bounds[slack]

    def _up_to(self, rest: int, lowest: int) -> list[_Rows]:
        """None to all groups together, by how many dice at most are above; `rest` faces are left over."""
        none: _Rows = (1,) * (self.hands.keep + 1)
        grouped = (self._group(size, count, min(rest, size), lowest) for size, count in self.hands.groups)
        return list(accumulate(grouped, _joined, initial=none))

    def _group(self, size: int, count: int, rest: int, lowest: int) -> _Rows:
        """Dice of one size: each shows one of `rest` faces, or at least the lowest face above `left`."""
        die = 0 if lowest > size else self.runs[size + 1 - self.left] - self.runs[max(2, lowest) - self.left]
        some = range(min(count, self.hands.keep) + 1)
        more = (0,) * (self.hands.keep + 1 - len(some))
        return (*(comb(count, above) * rest ** (count - above) * die**above for above in some), *more)

    def at(self, packed: int, excess: int) -> int:
        """What is counted for an excess."""
        return packed >> self.hands.bits * excess & self.slot


def _joined(one: _Rows, more: _Rows) -> _Rows:
    """Two groups of dice together, by how many of both are above."""
    back = more[::-1]
    return tuple(sum(map(mul, one, back[-above:])) for above in range(1, len(one) + 1))


def _laid(sizes: Sequence[int]) -> Sequence[int]:
    """Dice that are laid down unthrown."""
    return sizes


def _sizes(hand: Hand) -> tuple[int, ...]:
    return tuple(die.size for die in hand.dice)
