"""Exact chances."""

from itertools import product
from math import prod

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex import odds, outcome
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import Against, Hand, Roll, RolledDie
from rules.cortex.odds import KeptChances, Odds
from rules.cortex.odds_counting import PAST, Hands
from rules.cortex.ruleset import EMPIRE, HEROIC, PRIME, Heroic, PastD12, Ruleset
from rules.dice import SIZES
from rules.errors import NotAllowed, RuleError, SettingOff, Unreadable
from rules.table import Table
from rules.values import replace
from tests import strategies
from tests.rules import people

MIXED = (4, 4, 6, 6, 6, 8, 8, 8, 10, 10, 12, 12)
SMALL = st.lists(strategies.sizes(), min_size=1, max_size=4).filter(lambda sizes: prod(sizes) <= 500)


RULES = st.sampled_from(
    [
        PRIME,
        HEROIC,
        replace(PRIME, lone_die=True),
        replace(PRIME, heroic=Heroic.HERO_DICE_ALONE),
        replace(HEROIC, heroic=Heroic.HERO_DICE_ALONE, lone_die=False),
    ]
)


def hands(sizes: list[int], keep: int, rules: Ruleset = PRIME) -> list[Hand]:
    """Every way that the dice can fall."""
    every = product(*(range(1, size + 1) for size in sizes))
    least = 1 if rules.lone_die else 2
    return [Hand(tuple(map(RolledDie, sizes, faces)), keep=keep, least=least) for faces in every]


def reach(hand: Hand, goal: int, rules: Ruleset) -> int:
    """The furthest effect of any choice, in steps above d4; -1 for a failure."""
    return max(_reach(outcome.keep(hand, choice), goal, rules) for choice in outcome.choices(hand))


def stands(hand: Hand, goal: int, rules: Ruleset) -> int:
    """The total of the choice that the bot keeps."""
    return outcome.recommended(hand, goal, rules).total


def _reach(hand: Hand, goal: int, rules: Ruleset) -> int:
    effects = outcome.of(Roll(1, 2, "Alice", hand, against=Against("", number=goal)), rules).effects
    return SIZES.index(effects[0].size) + effects[0].past if effects else -1


@given(SMALL, st.integers(1, 4), st.integers(0, 22), RULES)
def test_odds_are_those_that_brute_force_finds(
    sizes: list[int], keep: int, goal: int, rules: Ruleset
) -> None:
    found = odds.odds(sizes, keep, {goal: 1}, rules)
    every = hands(sizes, keep, rules)
    best = [outcome.choices(hand)[0].total for hand in every]
    assert found.kept.success == sum(total > goal for total in best) / len(every)
    assert found.kept.heroic == sum(stands(hand, goal, rules) >= goal + 5 for hand in every) / len(every)
    assert found.kept.mean == sum(stands(hand, goal, rules) for hand in every) / len(every)
    assert found.botch == sum(map(outcome.is_botch, every)) / len(every)
    ones = sum(any(die.is_one for die in hand.dice) for hand in every) / len(every)
    assert found.hitch == ones
    assert found.totals == {total: best.count(total) / len(every) for total in sorted(set(best))}
    assert found.successes == {total: chance if total > goal else 0 for total, chance in found.totals.items()}
    reaches = [reach(hand, goal, rules) for hand in every]
    for wanted in range(1, PAST if rules.past_d12 is PastD12.STAYS else PAST + 1):
        assert found.effects[wanted] == sum(each >= wanted for each in reaches) / len(every)


@given(SMALL, st.integers(1, 4))
def test_without_a_goal_effects_are_the_largest_that_can_be_kept(sizes: list[int], keep: int) -> None:
    found = odds.odds(sizes, keep)
    every = hands(sizes, keep)
    best = [max(choice.effect for choice in outcome.choices(hand)) for hand in every]
    assert found.kept.success is None
    assert found.successes == {}
    assert found.effects == {
        step: sum(size >= SIZES[step] for size in best) / len(every) for step in range(1, len(SIZES))
    }


@given(st.lists(strategies.sizes(), min_size=1, max_size=3), st.integers(1, 3), st.integers(1, 3))
def test_dice_oppose_with_their_best_total(sizes: list[int], keep: int, other: int) -> None:
    goals = Hands([6, 4], other).totals()
    ways = Hands(sizes, keep).totals()
    of = sum(ways.values()) * 24
    mine = [*map(best, hands(sizes, keep) if prod(sizes) <= 150 else [])]
    theirs = [*map(best, hands([6, 4], other))]
    won = [one > their for one in mine for their in theirs]
    found = odds.odds(sizes, keep, goals)
    if won:
        assert found.kept.success == sum(won) / of
    apart = [(odds.odds(sizes, keep, {goal: 1}), count / 24) for goal, count in goals.items()]
    for total, chance in found.successes.items():
        assert chance == pytest.approx(sum(one.successes[total] * part for one, part in apart))
    for step, chance in found.effects.items():
        assert chance == pytest.approx(sum(one.effects[step] * part for one, part in apart))


@pytest.mark.parametrize("sizes", [MIXED, (6,) * 10, (4, 12) * 6, (4, 6, 8, 10, 12) * 6, (12,)])
@pytest.mark.parametrize("keep", [1, 2, 3, 5])
def test_R1_totals_are_icepools(sizes: tuple[int, ...], keep: int) -> None:
    dice = [icepool.Die([0, *range(2, size + 1)]) for size in sizes]
    theirs = icepool.Pool(dice).highest(min(keep, len(sizes))).sum()
    ways = Hands(sizes, keep).totals()
    assert sum(ways.values()) == prod(sizes)
    assert {total: count * theirs.denominator() for total, count in ways.items()} == {
        total: count * prod(sizes) for total, count in theirs.items()
    }


@pytest.mark.parametrize(
    ("sizes", "goal", "success", "heroic", "effects"),
    [
        ((6, 6), 11, 1 / 36, 0, [0, 0, 0, 0, 0]),
        ((6, 6), 6, 19 / 36, 3 / 36, [3 / 36, 0, 0, 0, 0]),
        ((6, 6), 12, 0, 0, [0, 0, 0, 0, 0]),
        ((12,), 0, 11 / 12, 8 / 12, [8 / 12, 3 / 12, 0, 0, 0]),
    ],
)
def test_R6_R7_known_chances(
    sizes: tuple[int, ...], goal: int, success: float, heroic: float, effects: list[float]
) -> None:
    found = odds.odds(sizes, 2, {goal: 1})
    assert (found.kept.success, found.kept.heroic) == pytest.approx((success, heroic))
    assert list(found.effects.values()) == pytest.approx(effects)


def test_R5_hitch_and_botch() -> None:
    found = odds.odds((6, 6), 2)
    assert (found.hitch, found.botch) == pytest.approx((11 / 36, 1 / 36))


def pools(most: int) -> st.SearchStrategy[list[int]]:
    return st.lists(strategies.sizes(), min_size=1, max_size=most)


@given(pools(12), st.integers(1, 4), st.integers(0, 25))
def test_laws_of_odds(sizes: list[int], keep: int, goal: int) -> None:
    found, more = odds.odds(sizes, keep, {goal: 1}), odds.odds(sizes, keep + 1, {goal: 1})
    chances = [found.kept.success, *found.effects.values()]
    assert all(isinstance(each, float) and 0 <= each <= 1 for each in chances)
    assert list(found.effects.values()) == sorted(found.effects.values(), reverse=True)
    assert found.kept.success is not None
    assert found.kept.heroic is not None
    assert max(found.kept.heroic, found.effects[1]) <= found.kept.success
    assert found.kept.heroic <= found.effects[1]
    assert found.botch <= found.hitch
    assert sum(found.totals.values()) == pytest.approx(1)
    assert sum(found.successes.values()) == pytest.approx(found.kept.success)
    assert found.more == (replace(more.kept, mean=None, ever_heroic=None) if keep < len(sizes) else None)
    assert (more.kept.success or 0) >= found.kept.success
    alone, kept_alone = odds.odds(sizes, keep + 1).kept.mean, odds.odds(sizes, keep).kept.mean
    assert (alone or 0) >= (kept_alone or 0)
    harder = odds.odds(sizes, keep, {goal + 1: 1})
    assert all(harder.effects[step] <= chance for step, chance in found.effects.items())


@given(pools(8), pools(4))
def test_the_order_of_dice_makes_no_odds(sizes: list[int], opposing: list[int]) -> None:
    goals = Hands(opposing, 2).totals()
    assert odds.odds(sizes, 2, goals) == odds.odds(sizes[::-1], 2, Hands(opposing[::-1], 2).totals())


def ask(dice: str, vs: str | None = None, keep: int = 2, at: Table | None = None) -> Odds:
    return odds.count_odds(odds.ask(at or people.table(EMPIRE), people.ALICE, dice, vs, keep)).odds


@pytest.mark.parametrize(
    ("vs", "goals"),
    [
        ("11", {11: 1}),
        ("challenging", {11: 1}),
        ("11 + d8", {15: 1}),
        ("2d6", Hands((6, 6), 2).totals()),
        ("2d6 + Rain", Hands((6, 6, 8), 2).totals()),
        ("Rex", Hands((8, 10, 10), 2).totals()),
    ],
)
def test_T1_T2_T3_what_stands_against_a_pool(vs: str, goals: dict[int, int]) -> None:
    at = people.facing(people.table(EMPIRE), "Rex", "Fangs d8, 2d10")
    at = people.having(at, "scene", TraitKind.COMPLICATION, Trait("Rain", 8))
    assert ask("2d8 d10", vs, at=at) == odds.odds((8, 8, 10), 2, goals)


@pytest.mark.parametrize(
    ("vs", "sizes"), [("doom", (6, 10)), ("hard", (10, 10)), ("Fire", (6, 8)), ("Storm", (8, 8))]
)
def test_T2_pools_and_difficulty_dice_oppose(vs: str, sizes: tuple[int, ...]) -> None:
    at = people.table(replace(PRIME, doom=True), doom=(6, 10))
    at = people.challenged(people.in_crisis(at, 6, 8), 8, 8)
    found = odds.odds((8, 8, 10), 2, Hands(sizes, 2).totals())
    if vs == "Storm":  # where a step may become an effect die, what stands is not counted (L3)
        mine, theirs = ([*map(best, hands([*dice], 2))] for dice in ((8, 8, 10), sizes))
        won = [one - other for one in mine for other in theirs]
        heroic = sum(margin >= 5 for margin in won) / len(won)
        found = replace(found, kept=replace(found.kept, mean=None, heroic=heroic))
    assert ask("2d8 d10", vs, at=at) == found


def best(hand: Hand) -> int:
    return outcome.choices(hand)[0].total


def test_D7_the_scale_die_keeps_one_more() -> None:
    assert ask("2d6, scale", "7") == odds.odds((6, 6, 8), 3, {7: 1})
    assert ask("2d6", "7 + d4").kept == odds.odds((6, 6), 2, {9: 1}).kept


def test_R7_an_effect_that_stays_d12_is_never_past_it() -> None:
    assert PAST not in ask("2d6 d8", "3", at=people.table(HEROIC)).effects
    assert PAST in ask("2d6 d8", "3").effects


def test_names_stand_for_dice_and_hindering_costs_nothing_yet() -> None:
    at = people.having(people.table(), "alice", TraitKind.DISTINCTION, Trait("Pirate", 8))
    assert ask("Pirate, d6", at=at) == odds.odds((8, 6))
    assert ask("hinder Pirate, d6", at=at) == odds.odds((4, 6))


def test_a_die_more_in_the_total_is_no_help_where_none_is_left() -> None:
    assert ask("2d6").more is None
    assert ask("3d6").more == KeptChances(odds.odds((6, 6, 6), 3).kept.mean)


@pytest.mark.parametrize(
    ("dice", "vs", "keep", "kind", "says"),
    [
        ("d7", "11", 2, Unreadable, r'"d7" isn\'t a die here\. Use d4, d6, d8, d10 or d12'),
        ("", None, 2, Unreadable, r"That pool has no dice\. Example: 2d6 d8"),
        ("2d6", "nothing", 2, Unreadable, r'against "nothing"\. Try Rex, a number such as 11 or dice'),
        ("2d6", "1000", 2, NotAllowed, 'A difficulty can\'t be "1000"\\. Choose 0 to 999'),
        ("2d6", "doom", 2, SettingOff, "The doom pool is off in this campaign"),
        ("2d6", "11", 0, NotAllowed, r"You can't keep 0 results\. Keep 1 to 30"),
        ("2d6", "11", 31, NotAllowed, r"You can't keep 31 results\. Keep 1 to 30"),
        ("31d6", "11", 2, NotAllowed, '"31d6" doesn\'t work: a pool can have 1 to 30 dice'),
    ],
)
def test_bad_input_is_refused_with_what_is_possible(
    dice: str, vs: str | None, keep: int, kind: type[RuleError], says: str
) -> None:
    with pytest.raises(kind, match=says):
        ask(dice, vs, keep)


@given(strategies.typed(), strategies.typed(), strategies.set_tables())
def test_whatever_is_typed_is_answered_or_refused(dice: str, vs: str, at: Table) -> None:
    people.tried(lambda: odds.ask(at, people.ALICE, dice, vs))


def test_more_kept_results_than_can_be_counted_in_time_are_refused() -> None:
    with pytest.raises(NotAllowed, match="keeping at most 12 results"):
        odds.ask(people.table(), people.ALICE, "20d6", keep=13)
