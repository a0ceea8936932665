"""A roll as its table reads it: what a button would do is what it does."""

from hypothesis import given

from rules.cortex import outcome
from rules.cortex.actions import MOST_OTHERS, RollActions, read_roll
from rules.cortex.model import CORTEX, Against, Hand, Roll
from rules.cortex.roll import choose
from rules.cortex.roll_status import resolve
from rules.cortex.ruleset import Ruleset
from rules.cortex.spending import spend_total
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, after, newest, rolled, table
from tests.strategies import hands, opposition, rulesets


def lying(rules: Ruleset, hand: Hand, against: Against | None) -> Table:
    """A table of Alice's roll."""
    at = table(rules)
    made = outcome.settle(Roll(1, ALICE.id, "Alice", hand, against=against), rules)
    return CORTEX.put(replace(at, number=1), replace(CORTEX.of(at), rolls={1: made}))


@given(rulesets(), hands(), opposition())
def test_R4_each_other_choice_makes_of_the_roll_what_it_says(
    rules: Ruleset, hand: Hand, against: Against
) -> None:
    at = lying(rules, hand, against)
    reading = read_roll(at, newest(at))
    assert len(reading.actions.others) <= MOST_OTHERS
    for other in reading.actions.others:
        assert other.kept != reading.came.kept
        chosen = after(choose(at, ALICE, newest(at).number, other.kept.total, other.kept.effects))
        assert resolve(chosen, newest(chosen)) == other


@given(rulesets(), hands(), opposition())
def test_R8_what_a_pp_buys_makes_of_the_roll_what_it_says(
    rules: Ruleset, hand: Hand, against: Against
) -> None:
    at = lying(rules, hand, against)
    bought = read_roll(at, newest(at)).actions.bought
    if bought is not None:
        paid = after(spend_total(at, ALICE, newest(at).number))
        assert resolve(paid, newest(paid)) == bought


@given(rulesets(), hands(), opposition())
def test_a_reading_says_the_same_each_time_and_changes_nothing(
    rules: Ruleset, hand: Hand, against: Against
) -> None:
    at = lying(rules, hand, against)
    first, made = read_roll(at, newest(at)), newest(at)
    assert (read_roll(at, made), first.came.roll) == (first, made)
    places = [*made.hand.total, *made.hand.effects, *first.left]
    assert len(set(places)) == len(places) == first.usable


def test_a_roll_that_is_not_on_the_table_offers_nothing() -> None:
    at = rolled(table(), ALICE, "2d6 d8", 3, 4, 5)
    gone = CORTEX.put(at, replace(CORTEX.of(at), rolls={}))
    assert read_roll(at, newest(at)).actions != RollActions()
    assert (read_roll(gone, newest(at)).actions, read_roll(gone, newest(at)).is_on_table) == (
        RollActions(),
        False,
    )
