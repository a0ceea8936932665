"""Names with ratings as people type them where a `what` or a `name` may have one (L1 to L5, D1, N21)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex import rating
from rules.cortex.pool import Rating, write_sizes
from rules.cortex.rating import Rated
from rules.cortex.ruleset import PRIME
from rules.dice import SIZES
from rules.errors import RuleError, Undecided
from rules.names import has_die
from rules.values import replace
from tests import strategies

SAFE = replace(PRIME, safe_dice=True)


@pytest.mark.parametrize(
    ("typed", "label", "dice"),
    [
        ("Rope", "Rope", ""),
        ("Rope d8", "Rope", "d8"),
        ("Rope 2d8", "Rope", "2d8"),
        ("Rope d8x2", "Rope", "2d8"),
        ("Rope d8 x 2", "Rope", "2d8"),
        ("Rope 2 x d8", "Rope", "2d8"),
        ("Rope: d8", "Rope", "d8"),
        ("Rope = d8", "Rope", "d8"),
        ("Rope - d8", "Rope", "d8"),
        ("Rope (d8)", "Rope", "d8"),
        ("Rope [2d8]", "Rope", "2d8"),
        ("d8 Rope", "Rope", "d8"),
        ("2d8 Rope", "Rope", "2d8"),
        ("two d8 Rope", "Rope", "2d8"),
        ("**Rope** d8", "Rope", "d8"),
        ("Rope `d8`", "Rope", "d8"),
        ("Ｒope ｄ８", "Rope", "d8"),
        ("Rope\u00a0d8", "Rope", "d8"),
        ("“Rope” d8", "Rope", "d8"),
        ('"Rope" d8', "Rope", "d8"),
        ('"Agent 8" d8', "Agent 8", "d8"),
        ('"Rope"', "Rope", ""),
        ("Rope D8.", "Rope", "d8"),
        ("Rope 2d8s", "Rope", "2d8"),
        ("Rope d8 d6", "Rope", "d8 d6"),
        ("Rope d8 + 2d6", "Rope", "d8 2d6"),
        ("Rope, long d8", "Rope, long", "d8"),
        ("Rope (old) d8", "Rope (old)", "d8"),
        ("Agent 47 d8", "Agent 47", "d8"),
        ("Agent 47", "Agent 47", ""),
        ("12 Monkeys d8", "12 Monkeys", "d8"),
        ("The 4 Winds d8", "The 4 Winds", "d8"),
        ("R2D2 d8", "R2D2", "d8"),
        ("K9 d8", "K9", "d8"),
        ("Unit K9", "Unit K9", ""),
        ("Alice vs Bob", "Alice vs Bob", ""),
        ("Hope against hard odds", "Hope against hard odds", ""),
        ('"Rope vs doom" d6', "Rope vs doom", "d6"),
        ('"Rope k3"', "Rope k3", ""),
        ("Roped8", "Roped8", ""),
        ("💧d8", "💧", "d8"),
        ("Sword +1", "Sword +1", ""),
        ("Sword +1 d8", "Sword +1", "d8"),
        ("Double Agent d8", "Double Agent", "d8"),
        ("Split d8", "Split", "d8"),
        ("Cloak and Dagger d8", "Cloak and Dagger", "d8"),
        ("Cloak & Dagger d8", "Cloak & Dagger", "d8"),
        ("Keep the Faith d8", "Keep the Faith", "d8"),
        ("Man vs Wild d8", "Man vs Wild", "d8"),
        ("AC/DC d8", "AC/DC", "d8"),
        ("Against All Odds d8", "Against All Odds", "d8"),
        ("Difficulty d8", "Difficulty", "d8"),
        ("Plan: B d8", "Plan: B", "d8"),
        (": Brawler", ": Brawler", ""),
        ('Jack "The Knife" d8', 'Jack "The Knife"', "d8"),
        ('"Jack ""The Knife""" d8', 'Jack "The Knife"', "d8"),
        ("X d8", "X", "d8"),
    ],
)
def test_a_name_is_read_with_its_rating(typed: str, label: str, dice: str) -> None:
    name, found = rating.rated(typed)
    assert (name, write_sizes((found.die, *found.more)) if found else "") == (label, dice)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("d8", r"d8 needs a name\. Example: Broken Arm d8$"),
        ("2d8", r"Example: Broken Arm 2d8$"),
        ("Rope d7", '"d7" isn\'t a die here\\. Use'),
        ("Rope d1O", r"Did you mean d10"),
        ("Rope d8!", r"Did you mean d8"),
        ("Rope 2d6kl1", r"Did you mean 2d6"),
        ("Rope 5d", r"Did you mean 5d6"),
        ("Rope d8 vs 11", r'"vs 11" only works in a roll\. Leave it out here'),
        ("Rope vs d8", r'"vs d8" only works in a roll'),
        (
            "Rope tn12",
            (
                r'"tn12" only works in a roll\. Leave it out, or put the name in quotation marks: "Rope '
                r'tn12"'
            ),
        ),
        ("Rope vs doom", '"vs doom" only works in a roll'),
        ("Rope vs doom 2d8", '"vs doom" only works in a roll.* in quotation marks: "Rope vs doom" 2d8'),
        ("Rope keep 2 d8", '"keep 2" only works in a roll.* in quotation marks: "Rope keep 2" d8'),
        ("Stand against Very Hard", '"against Very Hard" only works in a roll'),
        ("Rope k3", '"k3" only works in a roll'),
        ("Rope keep 2", '"keep 2" only works in a roll'),
        ("Rope d8 > 11", r'"> 11" only works in a roll'),
        ("Rope d8 difficulty 12", r'"difficulty 12" only works in a roll'),
        ("Rope d8 +2", r'"\+2" only works in a roll'),
        ("Rope d8 -1", r'"-1" only works in a roll'),
        ("Rope d8 k3", r'"k3" only works in a roll'),
        ("Rope 11d6", "a trait can have 1 to 10 dice"),
        ("Rope 0d6", "a trait can have 1 to 10 dice"),
        ("Rope 6d6 5d8", "a trait can have 1 to 10 dice"),
        ("Rope d8 Hook d6", r"Type one name and its dice\. Example: Rope Hook d8$"),
        ("Rope d8 (old)", r'Example: "Rope \(old\)" d8$'),
        ("Rope x2", '"x2" needs a die next to it'),
        ('"Rope d8x2" d6', r"has a die in it\. Leave d8 out of the name"),
        ('"Rope d8"', r"has a die in it"),
        ('Rope" d8', "A quotation mark isn't closed"),
        ("~~Rope~~ d8", r'"Rope" is struck out\. Type it without ~~, or leave it out'),
        ("-", r"is empty"),
        (f"{'x' * 101} d8", r"101 characters"),
        ("x" * 2000, r"2000 characters"),
    ],
)
def test_what_is_no_name_with_a_rating_is_refused_by_name(typed: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        rating.rated(typed)


@pytest.mark.parametrize(
    ("typed", "answers"),
    [
        ("Rope 8", ['"Rope 8"', "Rope d8"]),
        ("Level 4 d8", ['"Level 4" d8', "Level d8 d4"]),
        ("Level 3 d8", ['"Level 3" d8', "Level 3d8"]),
        ("Rope two d8", ['"Rope two" d8', "Rope 2d8"]),
        ("12 Monkeys", ['"12 Monkeys"', "Monkeys d12"]),
        ("4 d6 Rope", ["Rope 4d6", "Rope d6 d4"]),
    ],
)
def test_what_can_be_read_in_two_ways_is_asked_and_each_answer_parses(typed: str, answers: list[str]) -> None:
    with pytest.raises(Undecided) as asked:
        rating.rated(typed)
    assert [str(each.label) for each in asked.value.answers] == answers
    for answer in asked.value.answers:
        meant = rating.rated(typed, decided=(answer.sign,))
        assert meant == rating.rated(str(answer.label)), "what is offered is what it does"


def test_where_one_die_is_meant_there_is_nothing_to_ask() -> None:
    assert rating.rated_once("Level 4 d8", None, PRIME) == ("Level 4", 8)
    assert rating.rated("Rope 8", "d6") == ("Rope 8", Rating(6))
    with pytest.raises(
        RuleError,
        match=(
            r'"Rope 2d8" has 2 dice\. Type only one die\. Example: Rope '
            r"d8$"
        ),
    ):
        rating.rated_once("Rope 2d8", None, PRIME)


@pytest.mark.parametrize("typed", ["Crew d8", "Crew d8 d6", "crew: d8", "Alice · Crew d8"])
def test_what_is_there_is_found_with_a_rating_behind_it(typed: str) -> None:
    found = rating.read_named(typed, ["Crew"])
    assert found.rating is not None
    assert found.label.casefold().endswith("crew")
    assert rating.read_named("Level 4 d8", ["Level 4"]) == Rated("Level 4", Rating(8))
    assert rating.read_named("Rope d8 of luck d6", []) == Rated("Rope d8 of luck d6")


@given(strategies.labels(), st.lists(st.sampled_from(SIZES), min_size=1, max_size=10), st.booleans())
def test_L3_a_name_that_is_written_with_its_rating_is_read_the_same(
    label: str, sizes: list[int], is_safe: bool
) -> None:
    if has_die(label) or "“" in label or "”" in label:  # one that could not have been typed
        return
    held = sorted(sizes, reverse=True)
    one = Rated(label, Rating(held[0], tuple(held[1:]), is_safe))
    assert rating.rated(rating.write(one), None, SAFE) == (one.label, one.rating)


@given(strategies.typed())
def test_L1_no_name_holds_a_die(typed: str) -> None:
    try:
        label, found = rating.rated(typed)
    except RuleError:
        return
    assert not has_die(label)
    assert found is None or 1 <= 1 + len(found.more) <= 10
