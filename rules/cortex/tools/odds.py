"""Exact chances of a roll, counted and never thrown (R1 to R8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from rules.cortex.rolling.gather import Gathered, gather
from rules.cortex.rolling.opposition import against, thrown
from rules.cortex.rolling.roll import check_keep
from rules.cortex.state.outcome import HEROIC_STEP, is_of_challenge
from rules.cortex.state.part import CORTEX
from rules.cortex.state.ruleset import PRIME, Ruleset
from rules.cortex.state.table import Against, Hand
from rules.cortex.state.typed_pool import parted
from rules.cortex.tools import pairs, standing
from rules.cortex.tools.hands import MOST_KEPT, Hands
from rules.cortex.tools.standing import ever_heroic
from rules.dice import SIZES, Pool
from rules.errors import NotAllowed
from rules.roller import roller
from rules.seats import Actor
from rules.table import Table
from rules.values import replace

LONG = 100
"""Dice times kept results above which counting takes long."""


@dataclass(frozen=True, slots=True)
class KeptChances:
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

    kept: KeptChances
    effects: Mapping[int, float]
    hitch: float
    botch: float
    totals: Mapping[int, float]
    successes: Mapping[int, float]
    more: KeptChances | None = None


@dataclass(frozen=True, slots=True)
class OddsQuestion:
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
    opposing = None
    if vs and vs.strip():
        name, _ = roller(table, actor, None)
        opposing = against(table, actor, vs, _laid, gathered.beside.theirs, name, gathered.pool)
    return Uncounted(gathered.pool, hand.keep, opposing, _sizes(hand), CORTEX.of(table).ruleset)


def counted(asked: Uncounted) -> OddsQuestion:
    """The odds of what was asked."""
    sizes, keep, opposing = asked.sizes, asked.keep, asked.against
    beaten = None if opposing is None else goals(opposing)
    found = odds(sizes, keep, beaten, asked.rules)
    if opposing is not None and beaten is not None and is_of_challenge(opposing):
        hands = Hands(sizes, keep, asked.rules)
        best = ever_heroic(hands, beaten) / (hands.all_ways * sum(beaten.values()))
        found = replace(found, kept=replace(found.kept, mean=None, heroic=best))
    return OddsQuestion(asked.pool, keep, opposing, found)


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
    return Hands(sizes, keep).totals()


def odds(
    sizes: Sequence[int], keep: int = 2, goals: Mapping[int, int] | None = None, rules: Ruleset = PRIME
) -> Odds:
    """The exact chances of dice against goals and the ways that lead to each; without, of the dice alone."""
    hands = Hands(sizes, keep, rules)
    of, by_total = hands.all_ways, hands.totals()
    if goals is None:
        kept, beaten = KeptChances(_mean(by_total)), {}
        more = KeptChances(_mean(hands.totals(1))) if keep < len(sizes) else None
        ways = _effects_alone(sizes, hands.least)
    else:
        all_goals = sum(goals.values())
        of *= all_goals
        beaten = {total: _beaten(total, goals) for total in by_total}
        came = pairs.outcomes(hands, goals) if hands.keep == 2 else standing.outcomes(hands, goals)
        ways = dict(enumerate(came.effects, 1))
        success = sum(by_total[total] * times for total, times in beaten.items())
        kept = KeptChances(came.standing / of, success / of, came.heroic / of)
        more = _more(hands, goals) if keep < len(sizes) else None
    return Odds(
        kept,
        {reach: count / of for reach, count in ways.items()},
        hitch=(hands.all_ways - prod(size - 1 for size in sizes)) / hands.all_ways,
        botch=1 / hands.all_ways,
        totals={total: count / hands.all_ways for total, count in by_total.items()},
        successes={total: by_total[total] * times / of for total, times in beaten.items()},
        more=more,
    )


def _mean(ways: Mapping[int, int]) -> float:
    return sum(total * count for total, count in ways.items()) / sum(ways.values())


def _beaten(total: int, goals: Mapping[int, int]) -> int:
    """How many of the goals a total beats: a tie is none (R6)."""
    return sum(times for goal, times in goals.items() if goal < total)


def _more(hands: Hands, goals: Mapping[int, int]) -> KeptChances:
    """What one PP more buys (P2): a further result in the total."""
    ways = hands.totals(1)
    of = hands.all_ways * sum(goals.values())
    success = sum(count * _beaten(total, goals) for total, count in ways.items())
    heroic = sum(count * _beaten(total - HEROIC_STEP + 1, goals) for total, count in ways.items())
    heroic -= standing.unheroic(Hands(hands.sizes, hands.keep + 1, hands.rules), goals)
    return KeptChances(None, success / of, heroic / of)


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


def _laid(sizes: Sequence[int]) -> Sequence[int]:
    """Dice that are laid down unthrown."""
    return sizes


def _sizes(hand: Hand) -> tuple[int, ...]:
    return tuple(die.size for die in hand.dice)
