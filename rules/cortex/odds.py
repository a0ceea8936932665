"""Exact chances of a roll, counted and never thrown (R1 to R8)."""

from collections.abc import Mapping, Sequence
from math import prod

from rules.campaign.rolls import find_roller
from rules.campaign.seats import Actor
from rules.cortex import odds_counting
from rules.cortex.model import CORTEX, Against, Hand, Modifier, lowest
from rules.cortex.odds_counting import MOST_KEPT, NO_EFFECT, Hands, Outcomes, ever_heroic
from rules.cortex.opposition import against, thrown
from rules.cortex.outcome import is_of_challenge
from rules.cortex.pool import Pool
from rules.cortex.pool_resolver import Gathered, gather, typed_roll
from rules.cortex.pool_words import FIRST_OF_TIE
from rules.cortex.roll import check_keep
from rules.cortex.ruleset import PRIME, EffectBy, HitchOn, PastD12, Ruleset
from rules.dice import SIZES, Ladder, step_of
from rules.errors import NotAllowed
from rules.table import Table
from rules.values import Value, replace

ALONE: Mapping[int, int] = {0: 1}
"""What is added to a total of dice alone: nothing, in one way."""


LONG = 100
"""Dice times kept results above which counting takes long."""


class KeptChances(Value):
    """Chances of success and heroic success, and the mean total; without a goal only the mean.

    Heroic and mean are those of the choice that stands (R8): among several successes the one with the
    largest effect, else the best total. For one more PP the mean is only counted without a goal.
    Against a challenge, where steps may become effect dice (L3), `heroic` is the chance that some
    choice is heroic, and `mean` is None.
    """

    mean: float | None
    success: float | None = None
    heroic: float | None = None
    ever_heroic: float | None = None
    """The chance that some choice is heroic, whichever stands; not counted of one PP more."""


class Odds(Value):
    """The chances of a pool, each from 0 to 1, with the best choice for each goal.

    `effects` maps each reach (1 is d6 or more) to its chance. `more` are the chances with one PP
    more, or None if no die is left for it. `totals` are the chances of each best total, `successes`
    the chances of each that also beats the goal.
    """

    kept: KeptChances
    effects: Mapping[int, float]
    hitch: float
    botch: float
    totals: Mapping[int, float]
    successes: Mapping[int, float]
    more: KeptChances | None = None
    ladder: Ladder = SIZES
    """The sizes that the effects are of, by reach (N13)."""


class OddsQuestion(Value):
    """A pool, what it is rolled against, and its odds."""

    pool: Pool
    keep: int
    """How many are kept for the total; 0 where all dice are in it (N10)."""
    against: Against | None
    odds: Odds
    plus: tuple[Modifier, ...] = ()
    """What is added to the total (N13)."""


class Uncounted(Value):
    """A pool and what it is rolled against, before its odds are counted, with the table's settings."""

    pool: Pool
    keep: int
    against: Against | None
    hand: Hand
    rules: Ruleset

    @property
    def takes_long(self) -> bool:
        """Whether counting takes more than about 100 ms."""
        return len(self.hand.dice) * self.keep > LONG


def ask(table: Table, actor: Actor, dice: str, vs: str | None = None, keep: int = 2) -> Uncounted:
    """Read a pool and its opposition as typed, by the settings of the table.

    Raises NotAllowed if more results are kept than can be counted in time, and what reading the pool
    raises.
    """
    name, _ = find_roller(table, actor, None)
    actor = replace(actor, agreed=(*actor.agreed, FIRST_OF_TIE))
    typed = typed_roll(table, actor, dice, name)
    vs, keep = typed.against(vs), typed.kept(keep)
    check_keep(table, keep)
    _check_kept(keep)
    return asked_of(table, actor, gather(table, actor, typed, None, name, asks=False), vs, keep)


def asked_of(table: Table, actor: Actor, gathered: Gathered, vs: str | None, keep: int = 2) -> Uncounted:
    """Return the question about a pool that is already gathered, against what is typed in `vs`.

    Raises NotAllowed if more results are kept than can be counted in time.
    """
    # A hitch that an SFX hands over is no die that is thrown (H3).
    hand = thrown(gathered.pool, keep, table, _laid, replace(gathered.beside, hitches=()), gathered.plus)
    _check_kept(hand.keep)
    opposing = None
    if vs and vs.strip():
        name, _ = find_roller(table, actor, None)
        opposing = against(table, actor, vs, _laid, gathered.beside.theirs, name, gathered.pool)
    return Uncounted(gathered.pool, hand.keep, opposing, hand, CORTEX.of(table).ruleset)


def count_odds(asked: Uncounted) -> OddsQuestion:
    """Return the question with its odds, counted exactly."""
    hand, keep, opposing, rules = asked.hand, asked.keep, asked.against, asked.rules
    beaten = None if opposing is None else goals(opposing)
    safe = tuple(die.size for die in hand.dice if die.safe and not die.apart)
    found = odds(_sizes(hand), keep, beaten, rules, extra=_extra(hand), safe=safe)
    if opposing is not None and is_of_challenge(opposing) and _has_effects(rules):
        found = replace(found, kept=replace(found.kept, mean=None, heroic=found.kept.ever_heroic))
    kept = 0 if rules.effect is EffectBy.ALL_DICE else keep
    return OddsQuestion(asked.pool, kept, opposing, found, hand.plus)


def _check_kept(keep: int) -> None:
    """Refuse to count more kept results than can be counted in time."""
    if keep > MOST_KEPT:
        raise NotAllowed("You can get odds for keeping at most {most_kept} results.", most_kept=MOST_KEPT)


def goals(opposing: Against) -> dict[int, int]:
    """Return the numbers that may have to be beaten, each with the number of ways that lead to it.

    Dice that oppose keep their best results.

    >>> goals(Against("hard", 13))
    {13: 1}
    """
    if opposing.hand is None:
        return {opposing.number: 1}
    hand = opposing.hand
    by_total = _totals(_sizes(hand), hand.keep, hand.low, hand.by)
    ways = _with_extra(by_total, _extra(hand))
    return {total + opposing.number: count for total, count in ways.items()}


def odds(
    sizes: Sequence[int],
    keep: int = 2,
    goals: Mapping[int, int] | None = None,
    rules: Ruleset = PRIME,
    *,
    extra: Mapping[int, int] = ALONE,
    safe: Sequence[int] = (),
) -> Odds:
    """Return the exact chances of dice against goals, or without `goals` those of the dice alone.

    `goals` maps each number to beat to the number of ways that lead to it. `extra` is what is added to
    each total, with its ways (N13, N22). `safe` are the sizes of the dice whose hitches do not count
    (N14).

    >>> round(odds((6, 8, 8), goals={11: 1}).kept.success, 4)
    0.349
    >>> round(odds((6, 8, 8), goals={11: 1}).kept.heroic, 4)
    0.0156
    >>> round(odds((6, 8, 8)).kept.mean, 2)
    10.13
    >>> odds((4, 4)).botch, odds((4, 4)).hitch
    (0.0625, 0.4375)
    >>> odds((4, 4, 4), safe=(4, 4, 4)).hitch
    0.0
    >>> odds((6, 6), goals={9: 1}).totals[12]
    0.027777777777777776
    >>> odds((6, 6, 6), extra={3: 1}).totals[15]
    0.07407407407407407
    >>> {reach: round(chance, 3) for reach, chance in odds((8, 8, 10)).effects.items()}
    {1: 0.689, 2: 0.689, 3: 0.689, 4: 0.0}
    """
    hands, low = Hands(sizes, keep, rules), lowest(rules)
    by_dice = _totals(sizes, keep, low, rules.effect)
    by_total = _with_extra(by_dice, extra)
    of = all_ways = sum(by_total.values())
    ways: dict[int, float]
    is_more = keep < len(sizes) and rules.effect is not EffectBy.ALL_DICE
    more_by_total = _with_extra(hands.totals(1), extra) if is_more else {}
    if goals is None:
        kept, beaten = KeptChances(_mean(by_total)), {}
        more = KeptChances(_mean(more_by_total)) if is_more else None
        alone = _effects_alone(hands) if _has_effects(rules) else {}
        ways = {reach: count * (all_ways // hands.all_ways) for reach, count in alone.items()}
    else:
        of *= sum(goals.values())
        beaten = {total: _beaten(total, goals) for total in by_total}
        came = _came(hands, goals, by_total, extra)
        ways = dict(enumerate(came.effects, 1))
        success = sum(by_total[total] * times for total, times in beaten.items())
        kept = KeptChances(
            came.standing / of, success / of, came.heroic / of, _ever(hands, goals, extra, came) / of
        )
        more = _more(hands, goals, more_by_total, extra) if is_more else None
    return Odds(
        kept,
        {reach: count / of for reach, count in ways.items()},
        hitch=_hitched(hands, safe) / hands.all_ways,
        botch=_botched(hands) / hands.all_ways,
        totals={total: count / all_ways for total, count in by_total.items()},
        successes={total: by_total[total] * times / of for total, times in beaten.items()},
        more=more,
        ladder=rules.sizes,
    )


def _has_effects(rules: Ruleset) -> bool:
    """Whether one of a roll's own dice is its effect (N10)."""
    return rules.effect is EffectBy.DIE


def _totals(sizes: Sequence[int], keep: int, low: int, by: EffectBy) -> dict[int, int]:
    """How many ways dice have to come to each best total (R1), or to that of all of them (N10)."""
    if by is not EffectBy.ALL_DICE:
        rules = PRIME if low == 1 else replace(PRIME, hitch_on=HitchOn.TWO)
        return Hands(sizes, keep, rules).totals()
    ways = {0: 1}
    for size in sizes:
        face = {0: min(low, size), **dict.fromkeys(range(low + 1, size + 1), 1)}
        ways = _joined(ways, face)
    return dict(sorted(ways.items()))


def _extra(hand: Hand) -> Mapping[int, int]:
    """What is added to the total of a hand, with the ways that lead to it (N13, N22)."""
    ways = {sum(each.number for each in hand.plus): 1}
    labels = dict.fromkeys(die.label for die in hand.dice if die.apart)
    for label in labels:
        sizes = [die.size for die in hand.dice if die.apart and die.label == label]
        # The highest shows so much or less in so many ways.
        at_most = [prod(min(face, size) for size in sizes) for face in range(max(sizes) + 1)]
        ways = _joined(ways, {face: at_most[face] - at_most[face - 1] for face in range(1, len(at_most))})
    return ways


def _joined(one: Mapping[int, int], more: Mapping[int, int]) -> dict[int, int]:
    """The ways to each sum of two numbers."""
    ways: dict[int, int] = {}
    for number, count in one.items():
        for other, times in more.items():
            ways[number + other] = ways.get(number + other, 0) + count * times
    return ways


def _with_extra(by_total: Mapping[int, int], extra: Mapping[int, int]) -> dict[int, int]:
    """Totals with what is added to them: never under 0, and a botch, which alone comes to 0, stays (N13)."""
    if extra == ALONE:
        return dict(by_total)
    ways: dict[int, int] = {}
    for total, count in by_total.items():
        for more, times in extra.items():
            whole = max(0, total + more) if total else 0
            ways[whole] = ways.get(whole, 0) + count * times
    return dict(sorted(ways.items()))


def _shifted(goals: Mapping[int, int], extra: Mapping[int, int]) -> dict[int, int]:
    """What the dice alone have to beat, where something is added to their total."""
    return _joined(goals, {-more: times for more, times in extra.items()})


def _came(
    hands: Hands, goals: Mapping[int, int], by_total: Mapping[int, int], extra: Mapping[int, int]
) -> Outcomes:
    """What comes of hands against the goals, by the choice that stands (R7, R8)."""
    if not _has_effects(hands.rules):
        return _by_totals(hands, goals, by_total)
    shifted = _shifted(goals, extra)
    came = (
        odds_counting.two_kept_outcomes(hands, shifted)
        if odds_counting.are_usual(hands)
        else odds_counting.outcomes(hands, shifted)
    )
    if extra == ALONE:
        return came
    # A botch beats nothing, whatever is added: those are taken out again.
    lost, effects, heroic = _botched(hands), list(came.effects), came.heroic
    for goal, times in shifted.items():
        margin = -goal
        heroic -= lost * times if margin >= hands.margin else 0
        for reach in range(1, odds_counting.reached(hands, margin) + 1) if margin > 0 else ():
            if reach <= len(effects):
                effects[reach - 1] -= lost * times
    # What stands of the dice, and what is added to it but for a botch; a total under 0 is 0.
    added = (hands.all_ways - lost) * sum(more * times for more, times in extra.items())
    raised = sum(
        -(total + more) * count * times
        for total, count in _totals(hands.sizes, hands.keep, hands.low, hands.rules.effect).items()
        for more, times in extra.items()
        if total and total + more < 0
    )
    stands = came.standing + (added + raised) * sum(goals.values())
    return Outcomes(tuple(effects), heroic, stands)


def _ever(hands: Hands, goals: Mapping[int, int], extra: Mapping[int, int], came: Outcomes) -> int:
    """How many hands and goals together have a heroic choice, whichever stands (R7)."""
    if not _has_effects(hands.rules):
        return came.heroic  # the best total stands
    shifted = _shifted(goals, extra)
    lost = _botched(hands) * sum(times for goal, times in shifted.items() if -goal >= hands.margin)
    return ever_heroic(hands, shifted) - lost


def _by_totals(hands: Hands, goals: Mapping[int, int], by_total: Mapping[int, int]) -> Outcomes:
    """The same where no die of the roll is the effect, so that the best total stands (N10)."""
    margin = hands.margin
    heroic = sum(count * _beaten(total - margin + 1, goals) for total, count in by_total.items() if total)
    stands = sum(total * count for total, count in by_total.items()) * sum(goals.values())
    if hands.rules.effect is not EffectBy.ROLLED_AGAIN:
        return Outcomes((), heroic, stands)
    steps: dict[int, int] = {}
    for total, count in by_total.items():
        for goal, times in goals.items() if total else ():
            if total > goal:
                by = (total - goal) // margin if hands.rules.steps_effects else 0
                steps[by] = steps.get(by, 0) + count * times
    return Outcomes(_again(hands, steps), heroic, stands)


def _again(hands: Hands, steps: Mapping[int, int]) -> tuple[float, ...]:
    """The effects d6, d8 … or more of dice that are rolled again, by the steps of the first roll (N10)."""
    ladder, sizes = hands.rules.sizes, hands.sizes
    highest: dict[int, int] = {step_of(SIZES[0], ladder): _botched(hands)}
    ranked = [(face, size) for size in sorted(set(sizes)) for face in range(hands.low + 1, size + 1)]
    below = _botched(hands)
    for face, size in sorted(ranked):
        # None shows more, and of equal faces none is of a larger die.
        up_to = prod(min(face if each <= size else face - 1, each) for each in sizes)
        step = step_of(size, ladder)
        highest[step] = highest.get(step, 0) + up_to - below
        below = up_to
    top, is_past = len(ladder) - 1, hands.rules.past_d12 is PastD12.TAKEOUT
    return tuple(
        sum(
            count * times
            for step, count in highest.items()
            for by, times in steps.items()
            if (step + by if is_past else min(step + by, top)) >= reach
        )
        / hands.all_ways  # they are thrown once more
        for reach in range(1, top + 1 + is_past)
    )


def _botched(hands: Hands) -> int:
    """How many hands are a botch (R5)."""
    return prod(min(hands.low, size) for size in hands.sizes)


def _hitched(hands: Hands, safe: Sequence[int]) -> int:
    """How many hands have a hitch that counts (R2, N14)."""
    free = list(hands.sizes)
    for size in safe:
        free.remove(size)
    return hands.all_ways - prod(size - min(hands.low, size) for size in free) * prod(safe)


def _mean(ways: Mapping[int, int]) -> float:
    return sum(total * count for total, count in ways.items()) / sum(ways.values())


def _beaten(total: int, goals: Mapping[int, int]) -> int:
    """How many of the goals a total beats: a tie is none (R6)."""
    return sum(times for goal, times in goals.items() if goal < total)


def _more(
    hands: Hands, goals: Mapping[int, int], ways: Mapping[int, int], extra: Mapping[int, int]
) -> KeptChances:
    """What one PP more buys (P2): a further result in the total."""
    of = sum(ways.values()) * sum(goals.values())
    success = sum(count * _beaten(total, goals) for total, count in ways.items())
    margin = hands.margin
    heroic = sum(count * _beaten(total - margin + 1, goals) for total, count in ways.items() if total)
    if _has_effects(hands.rules):
        heroic -= odds_counting.unheroic(
            Hands(hands.sizes, hands.keep + 1, hands.rules), _shifted(goals, extra)
        )
    return KeptChances(None, success / of, heroic / of)


def _effects_alone(hands: Hands) -> dict[int, int]:
    """How many ways leave a usable die of each size or more beside the total, without a goal (R3)."""
    needed, low, ladder = hands.least + 1, hands.low, hands.rules.sizes

    def enough(some: Sequence[int]) -> int:
        ways = [1]
        for size in some:
            hit = min(low, size)
            ways = [hit * a + b * (size - hit) for a, b in zip([*ways, 0], [0, *ways], strict=True)]
        return sum(ways[needed:])

    def short(reach: int) -> int:
        """Ways in which none of those that are large enough is left beside the total."""
        small = [size for size in hands.sizes if step_of(size, ladder) < reach]
        large = [size for size in hands.sizes if step_of(size, ladder) >= reach]
        return enough(small) * prod(min(low, size) for size in large)

    # Where no die is left there is a d4, which is not the least that every table has.
    usual = 0 if hands.no_die == NO_EFFECT else hands.no_die + hands.base
    there = {True: hands.all_ways, False: enough(hands.sizes)}
    return {reach: there[reach <= usual] - short(reach) for reach in range(1, len(ladder))}


def _laid(sizes: Sequence[int]) -> Sequence[int]:
    """Dice that are laid down unthrown."""
    return sizes


def _sizes(hand: Hand) -> tuple[int, ...]:
    return tuple(die.size for die in hand.dice if not die.apart)
