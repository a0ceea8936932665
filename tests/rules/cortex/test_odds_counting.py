"""What comes of two kept results, and of any number."""

from hypothesis import given
from hypothesis import strategies as st

from rules.cortex import odds_counting
from rules.cortex.odds_counting import WORD, Hands, digits
from rules.cortex.ruleset import PRIME, Ruleset
from tests import strategies
from tests.rules.cortex.test_odds import RULES


def pools(least: int, most: int) -> st.SearchStrategy[list[int]]:
    return st.lists(strategies.sizes(), min_size=least, max_size=most)


@given(pools(2, 12), st.integers(0, 25), RULES)
def test_R8_two_kept_results_are_told_as_any_number_is(sizes: list[int], goal: int, rules: Ruleset) -> None:
    hands = Hands(sizes, 2, rules)
    assert odds_counting.two_kept_outcomes(hands, {goal: 1}) == odds_counting.outcomes(hands, {goal: 1})


@given(pools(2, 8), pools(1, 30))
def test_R8_so_are_they_against_dice(sizes: list[int], opposing: list[int]) -> None:
    hands, goals = Hands(sizes, 2, PRIME), Hands(opposing, 2).totals()
    assert odds_counting.two_kept_outcomes(hands, goals) == odds_counting.outcomes(hands, goals)


@given(pools(2, 30), st.integers(1, 5))
def test_P2_totals_of_one_result_more_are_those_of_more_kept_results(sizes: list[int], keep: int) -> None:
    if keep < len(sizes):
        assert Hands(sizes, keep).totals(1) == Hands(sizes, keep + 1).totals()


@given(st.lists(st.integers(0, 2**8 - 1), max_size=9), st.sampled_from([8, 13, WORD, WORD + 1, 3 * WORD]))
def test_packed_counts_are_unpacked(counts: list[int], bits: int) -> None:
    found = digits(sum(count << bits * place for place, count in enumerate(counts)), bits)
    assert found == counts[: len(found)]
    assert not any(counts[len(found) :])
