"""What a roll comes to."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex import outcome
from rules.cortex.kinds import Result, Verdict
from rules.cortex.model import Against, Hand, Modifier, Roll, RolledDie
from rules.cortex.outcome import Effect
from rules.cortex.ruleset import ADEPT, BASES, EMPIRE, HEROIC, PRIME, NoDieLeft, PastD12, Ruleset
from rules.dice import ALL_SIZES, SIZES
from rules.errors import NotAllowed
from rules.values import replace
from tests import strategies

Pair = tuple[int, tuple[int, ...]]


def hand(*dice: tuple[int, int], keep: int = 2, bought: int = 0, removed: Sequence[int] = ()) -> Hand:
    """A hand of dice given by size and face."""
    row = [RolledDie(size, face, removed=place in removed) for place, (size, face) in enumerate(dice)]
    return Hand(tuple(row), keep=keep, effects_bought=bought)


def roll(dice: Hand, against: Against | None = None, rules: Ruleset = PRIME) -> Roll:
    """A settled roll."""
    return outcome.settle(Roll(1, 2, "Alice", dice, against=against), rules)


def further(place: int, size: int) -> Effect:
    return Effect(place, size, is_further=True)


def number(goal: int) -> Against:
    return Against(str(goal), number=goal)


def pairs(dice: Hand) -> list[Pair]:
    return [(choice.total, choice.effects) for choice in outcome.choices(dice)]


def every_way(dice: Hand) -> Iterator[Pair]:
    """Every total and effects that R1 to R3 let a roller keep, from all subsets of the dice."""
    places = [n for n, die in enumerate(dice.dice) if die.face > 1 and not die.removed]
    least = min(2, dice.keep, len(places))
    for count in range(least, min(dice.keep, len(places)) + 1):
        for kept in combinations(places, count):
            left = [place for place in places if place not in kept]
            for more in range(min(1 + dice.effects_bought, len(left)) + 1):
                for chosen in combinations(left, more):
                    sizes = sorted((dice.dice[place].size for place in chosen), reverse=True) or [4]
                    yield sum(dice.dice[place].face for place in kept), tuple(sizes)


def is_better(one: Pair, other: Pair) -> bool:
    """Whether one has at least the total and the effects of the other, and betters one (R4)."""
    width = max(len(one[1]), len(other[1]))
    a = (one[0], *one[1], *[0] * (width - len(one[1])))
    b = (other[0], *other[1], *[0] * (width - len(other[1])))
    return a != b and all(x >= y for x, y in zip(a, b, strict=True))


def worth(pair: Pair, goal: int, past: PastD12) -> int:
    """The steps that a choice's effect dice come to together after R7 (R8)."""
    steps = sum(SIZES.index(size) for size in pair[1]) + (pair[0] - goal) // 5
    return min(steps, 4 * len(pair[1])) if past is PastD12.STAYS else steps


@pytest.mark.parametrize(
    ("dice", "total"),
    [
        (hand((8, 7), (6, 5), (10, 9)), 16),
        (hand((8, 7), (6, 5)), 12),
        (hand((8, 7), (6, 1)), 7),
        (hand((8, 1), (6, 1)), 0),
        (hand((8, 7), (6, 5), (10, 9), keep=3), 21),
        (hand((8, 7), (6, 5), keep=4), 12),
        (hand((8, 7), (6, 5), keep=1), 7),
        (hand((8, 7), (6, 5), (10, 9), removed=[2]), 12),
    ],
)
def test_R1_the_best_total_is_the_sum_of_the_kept_results(dice: Hand, total: int) -> None:
    assert outcome.choices(dice)[0].total == total


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        (hand((8, 7), (6, 5)), [(12, (4,))]),
        (hand((8, 7), (6, 1)), [(7, (4,))]),
        (hand((8, 1)), [(0, (4,))]),
        (hand((8, 7), (6, 5), keep=1), [(7, (6,)), (5, (8,))]),
        (hand((8, 5), (8, 3), (8, 2)), [(8, (8,))]),
        (hand((4, 4), (12, 2), (6, 6)), [(10, (12,))]),
        (hand((4, 2), (12, 12), (6, 6)), [(18, (4,)), (14, (6,)), (8, (12,))]),
        (hand((6, 5), (6, 4), (8, 3), keep=3), [(12, (4,)), (9, (8,))]),
    ],
)
def test_R4_every_choice_that_no_other_betters_is_listed(dice: Hand, expected: list[Pair]) -> None:
    assert pairs(dice) == expected


def test_R2_a_one_is_neither_in_the_total_nor_the_effect() -> None:
    ones = (0, 3)
    for choice in outcome.choices(hand((12, 1), (6, 3), (8, 4), (10, 1), keep=3, bought=2)):
        assert not {*choice.total_at, *choice.effects_at} & {*ones}


def test_R3_no_die_left_is_an_effect_of_d4_that_R7_steps() -> None:
    made = roll(hand((8, 7), (6, 5)), number(2))
    assert list(outcome.of(made, PRIME).effects) == [Effect(0, 8)]
    assert made.hand.effects == ()


def test_R3_a_rolled_d4_that_is_left_is_the_effect() -> None:
    dice = hand((6, 5), (6, 4), (4, 2))
    best = outcome.recommended(dice)
    assert (best.total, best.effects, best.effects_at) == (9, (4,), (2,))


def test_R3_a_bought_effect_die_needs_a_further_usable_die() -> None:
    assert pairs(hand((8, 7), (6, 5), (10, 9), bought=1)) == pairs(hand((8, 7), (6, 5), (10, 9)))
    assert (7, (12, 10)) in pairs(hand((4, 3), (4, 4), (12, 2), (10, 3), bought=1))


@given(strategies.hands())
def test_R4_the_listed_choices_are_those_that_brute_force_finds(dice: Hand) -> None:
    every = set(every_way(dice))
    best = {one for one in every if not any(is_better(other, one) for other in every)}
    assert set(pairs(dice)) == best
    assert len(pairs(dice)) == len(best)


@given(strategies.hands())
def test_R1_no_die_counts_twice(dice: Hand) -> None:
    for choice in outcome.choices(dice):
        places = (*choice.total_at, *choice.effects_at)
        assert len(set(places)) == len(places)
        assert all(dice.dice[place].is_usable for place in places)
        assert choice.total == sum(dice.dice[place].face for place in choice.total_at)
        assert choice.effects == (tuple(dice.dice[place].size for place in choice.effects_at) or (4,))


@given(strategies.hands())
def test_R4_choices_are_listed_with_the_highest_total_first(dice: Hand) -> None:
    totals = [choice.total for choice in outcome.choices(dice)]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] == outcome.highest(dice)


@given(strategies.hands(), st.integers(0, 30), st.sampled_from(PastD12))
def test_R8_the_recommended_choice_is_the_best_that_brute_force_finds(
    dice: Hand, goal: int, past: PastD12
) -> None:
    chosen = outcome.recommended(dice, goal, replace(PRIME, past_d12=past))
    every = list(every_way(dice))
    beating = [one for one in every if one[0] > goal]
    found = (chosen.total, chosen.effects)
    if beating:
        best = max((worth(one, goal, past), one[0]) for one in beating)
        assert (worth(found, goal, past), found[0]) == best
    else:
        assert found == max(every)


def test_R8_the_larger_effect_that_beats_the_difficulty_stands() -> None:
    made = roll(hand((8, 2), (6, 6), (10, 9)), number(11))
    assert (outcome.total(made.hand), outcome.kept(made.hand).effect) == (15, 8)
    assert made.hand.total == (1, 2)


def test_R8_the_only_choice_that_beats_the_difficulty_stands() -> None:
    made = roll(hand((8, 7), (6, 2), (10, 9)), number(15))
    assert (outcome.total(made.hand), outcome.kept(made.hand).effect) == (16, 6)


@pytest.mark.parametrize(
    ("dice", "goal", "expected"),
    [
        (hand((8, 2), (6, 6), (10, 9)), 15, (15, (8,))),
        (hand((4, 2), (12, 12), (6, 6)), 20, (18, (4,))),
        (hand((4, 2), (12, 12), (6, 6)), None, (18, (4,))),
        (hand((10, 7), (6, 6), (8, 8)), 3, (14, (10,))),
        (hand((4, 4), (6, 6), (8, 3)), 4, (10, (8,))),
        (hand((8, 8), (6, 6), (10, 3)), 3, (14, (10,))),
    ],
)
def test_R8_the_highest_total_stands_where_none_beats_the_difficulty(
    dice: Hand, goal: int | None, expected: Pair
) -> None:
    chosen = outcome.recommended(dice, goal)
    assert (chosen.total, chosen.effects) == expected


def test_R8_steps_past_d12_count_where_they_are_worth_something() -> None:
    dice = hand((12, 6), (10, 5), (12, 9))
    assert outcome.recommended(dice, 3, PRIME).total == 14
    assert outcome.recommended(dice, 3, replace(PRIME, past_d12=PastD12.STAYS)).total == 15


def test_R8_among_equal_dice_the_first_in_the_pool_are_kept() -> None:
    made = roll(hand((8, 5), (8, 5), (8, 5)))
    assert (made.hand.total, made.hand.effects) == ((0, 1), (2,))


def test_R8_opposition_keeps_its_highest_total() -> None:
    opposing = Against("dice", hand=hand((4, 2), (12, 12), (6, 6)))
    made = roll(hand((8, 8), (8, 8)), opposing)
    assert outcome.verdict(made) == Verdict(18, Result.FAILURE, -2, 0)


def test_R8_a_choice_that_was_picked_stands() -> None:
    picked = outcome.choices(hand((8, 2), (6, 6), (10, 9)))[-1]
    chosen = replace(outcome.keep(hand((8, 2), (6, 6), (10, 9)), picked), chosen=True)
    assert roll(chosen, number(3)).hand == chosen


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        (hand((8, 1)), True),
        (hand((8, 1), (6, 1)), True),
        (hand((8, 1), (6, 3), removed=[1]), True),
        (hand((8, 1), (6, 2)), False),
        (hand((8, 3)), False),
        (hand((8, 1), removed=[0]), False),
        (hand(), False),
    ],
)
def test_R5_a_botch_is_when_every_die_left_shows_a_one(dice: Hand, expected: bool) -> None:
    assert outcome.is_botch(dice) is expected


@pytest.mark.parametrize("rules", BASES.values(), ids=str)
def test_R5_a_botch_beats_nothing_and_has_no_effect(rules: Ruleset) -> None:
    made = roll(hand((8, 1), (6, 1)), number(0), rules)
    assert outcome.total(made.hand) == 0
    assert [outcome.of(each, rules).effects for each in (made, replace(made, against=None))] == [(), ()]
    found = outcome.verdict(made)
    assert found is not None
    assert found.result is Result.FAILURE


def test_R5_opposition_that_botched_has_no_effect_either() -> None:
    made = roll(hand((8, 1)), Against("dice", hand=hand((8, 1), (8, 1))), HEROIC)
    assert list(outcome.of(made, HEROIC).effects) == []


@pytest.mark.parametrize(
    ("goal", "result", "margin", "steps"),
    [
        (11, Result.SUCCESS, 1, 0),
        (12, Result.FAILURE, 0, 0),
        (13, Result.FAILURE, -1, 0),
        (8, Result.SUCCESS, 4, 0),
        (7, Result.HEROIC, 5, 1),
        (2, Result.HEROIC, 10, 2),
        (0, Result.HEROIC, 12, 2),
    ],
)
def test_R6_only_a_higher_total_beats_the_difficulty(
    goal: int, result: Result, margin: int, steps: int
) -> None:
    made = roll(hand((8, 7), (6, 5)), number(goal))
    assert outcome.verdict(made) == Verdict(goal, result, margin, steps)


def test_R6_a_roll_without_a_difficulty_has_no_verdict() -> None:
    assert outcome.verdict(roll(hand((8, 7)))) is None


@pytest.mark.parametrize(
    ("rules", "goal", "expected"),
    [
        (PRIME, 14, [Effect(0, 10)]),
        (PRIME, 9, [Effect(0, 12)]),
        (PRIME, 4, [Effect(0, 12, 1), further(1, 6)]),
        (EMPIRE, 4, [Effect(0, 12, 1), further(1, 6)]),
        (ADEPT, 4, [Effect(0, 12, 1), further(1, 6)]),
        (HEROIC, 4, [Effect(0, 12)]),
        (PRIME, 18, []),
        (HEROIC, 18, []),
    ],
)
def test_R7_each_five_above_the_difficulty_steps_up_the_effect(
    rules: Ruleset, goal: int, expected: list[Effect]
) -> None:
    made = roll(hand((10, 8), (10, 10), (10, 2)), number(goal), rules)
    assert list(outcome.of(made, rules).effects) == expected


@pytest.mark.parametrize(
    ("past", "sizes"), [(1, [6]), (2, [8]), (3, [10]), (4, [12]), (5, [12, 6]), (8, [12, 12])]
)
def test_R7_steps_past_d12_raise_the_further_effect_that_the_first_began(past: int, sizes: list[int]) -> None:
    made = roll(hand((12, 12), (12, 12), (12, 12), (12, 12), (12, 2), keep=4), number(48 - 5 * past))
    begun = [further(place, size) for place, size in enumerate(sizes, 1)]
    assert list(outcome.of(made, PRIME).effects) == [Effect(0, 12, past), *begun]


def test_R7_a_step_past_d12_that_is_used_up_raises_no_further_effect() -> None:
    made = roll(hand((12, 12), (12, 12), (12, 2)), number(9))
    assert list(outcome.of(replace(made, outs=1), PRIME).effects) == [Effect(0, 12, 3), further(1, 8)]


def test_R7_further_effects_come_behind_those_that_were_bought() -> None:
    made = roll(hand((12, 12), (10, 10), (12, 2), (8, 2), bought=1), number(16))
    assert list(outcome.of(made, PRIME).effects) == [Effect(0, 12, 1), Effect(1, 8), further(2, 6)]


def test_R7_steps_that_one_die_cannot_take_go_to_the_next_where_effects_stop_at_d12() -> None:
    made = roll(hand((12, 12), (10, 10), (12, 2), (8, 2), bought=1), number(11), HEROIC)
    assert list(outcome.of(made, HEROIC).effects) == [Effect(0, 12), Effect(1, 12)]


@pytest.mark.parametrize(
    ("rules", "ours", "theirs", "expected"),
    [
        (HEROIC, (4, 4), (6, 6, 8), [Effect(0, 8)]),
        (HEROIC, (4, 4), (4, 4, 8), [Effect(0, 8)]),
        (HEROIC, (2, 2), (6, 6, 8), [Effect(0, 10)]),
        (PRIME, (4, 4), (6, 6, 8), []),
        (EMPIRE, (4, 4), (6, 6, 8), []),
        (ADEPT, (4, 4), (6, 6, 8), []),
    ],
)
def test_T6_a_resisting_winners_effect_counts_where_the_profile_says_so(
    rules: Ruleset, ours: tuple[int, int], theirs: tuple[int, int, int], expected: list[Effect]
) -> None:
    opposing = Against("dice", hand=hand((6, theirs[0]), (6, theirs[1]), (theirs[2], 2)))
    made = roll(hand((4, ours[0]), (4, ours[1])), opposing, rules)
    assert list(outcome.of(made, rules).effects) == expected
    assert outcome.of(made, rules).is_opposed is bool(expected)


@pytest.mark.parametrize(
    ("keep", "totals", "says"),
    [
        (2, (0,), r"Choose 2 dice for the total, not 1\."),
        (3, (0,), r"Choose 2 to 3 dice for the total, not 1\."),
        (2, (0, 3), "One of those dice can't be kept: it's a hitch, or it's gone"),
        (2, (0, 4), "One of those dice can't be kept: it's a hitch, or it's gone"),
    ],
)
def test_R1_what_cannot_be_kept_is_refused(keep: int, totals: tuple[int, ...], says: str) -> None:
    dice = hand((6, 5), (8, 4), (8, 3), (10, 1), (6, 6), keep=keep, removed=[4])
    with pytest.raises(NotAllowed, match=says):
        outcome.picked(dice, totals, ())


def test_T6_a_number_that_was_not_beaten_has_no_effect() -> None:
    assert not outcome.of(roll(hand((4, 4)), number(20), HEROIC), HEROIC).is_opposed


@given(strategies.hands(), strategies.opposition(), strategies.rulesets())
def test_R6_verdict_and_effects_agree_with_the_totals(dice: Hand, against: Against, rules: Ruleset) -> None:
    made = roll(dice, against, rules)
    found = outcome.verdict(made)
    assert made.against is not None
    assert found is not None
    assert found.margin == outcome.total(made.hand) - outcome.difficulty(made.against)
    assert (found.result is Result.FAILURE) == (found.margin <= 0)
    assert (found.result is Result.HEROIC) == (found.margin >= 5)
    effects = outcome.of(made, rules).effects
    assert len({effect.place for effect in effects}) == len(effects)
    top = rules.sizes[-1]
    assert all(effect.size in ALL_SIZES and (effect.size >= top or not effect.past) for effect in effects)
    assert not (rules.past_d12 is PastD12.STAYS and any(effect.past for effect in effects))


@given(strategies.hands(), strategies.opposition(), strategies.rulesets())
def test_R8_settling_twice_changes_nothing_more(dice: Hand, against: Against, rules: Ruleset) -> None:
    made = roll(dice, against, rules)
    assert outcome.settle(made, rules) == made


@pytest.mark.parametrize("sizes", [(6, 8), (4, 6, 8), (6, 6, 10), (8, 8, 8), (4, 4, 6, 6)])
@pytest.mark.parametrize("keep", [1, 2, 3])
def test_R1_best_totals_are_spread_as_icepool_says(sizes: tuple[int, ...], keep: int) -> None:
    ours: Counter[int] = Counter()
    for shown in product(*(range(1, size + 1) for size in sizes)):
        ours[outcome.choices(hand(*zip(sizes, shown, strict=True), keep=keep))[0].total] += 1
    dice = [icepool.Die([0, *range(2, size + 1)]) for size in sizes]
    theirs = icepool.Pool(dice).highest(keep).sum()
    share = sum(ours.values()) / theirs.denominator()
    assert dict(ours) == {total: count * share for total, count in theirs.items()}


@pytest.mark.parametrize("sizes", [(6, 8), (4, 6, 8), (6, 6, 10)])
@pytest.mark.parametrize("goal", [5, 11])
def test_R6_chances_of_success_and_botch_are_those_of_icepool(sizes: tuple[int, ...], goal: int) -> None:
    made = [
        roll(hand(*zip(sizes, shown, strict=True)), number(goal))
        for shown in product(*(range(1, size + 1) for size in sizes))
    ]
    wins = sum(found.margin > 0 for found in map(outcome.verdict, made) if found is not None)
    dice = [icepool.Die([0, *range(2, size + 1)]) for size in sizes]
    theirs = icepool.Pool(dice).highest(2).sum()
    assert wins * theirs.denominator() == theirs.quantity(">", goal) * len(made)
    assert sum(outcome.is_botch(each.hand) for each in made) == 1


def test_N10_a_d2_as_effect_is_more_than_none_where_the_least_size_is_a_d4() -> None:
    dice = (RolledDie(4, 3), RolledDie(4, 3), RolledDie(2, 2))
    hand = Hand(dice, keep=3, plus=(Modifier(-5),), no_die=NoDieLeft.NONE)
    assert {(choice.total, choice.effects) for choice in outcome.choices(hand)} == {
        (0, (4,)),
        (1, (2,)),
        (3, ()),
    }
    assert outcome.recommended(hand, 0, PRIME).effects == (2,)
