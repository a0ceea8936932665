"""Plot points."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.seats import Actor
from rules.cortex import points
from rules.cortex.facts import PointsChanged, note_why
from rules.cortex.model import CORTEX
from rules.cortex.ruleset import MOST_PP
from rules.errors import NotAllowed, RuleError, Undecided, Unknown
from rules.table import Table
from rules.values import replace
from tests import strategies
from tests.rules.people import ALICE, BOB, GRETA, ZOE, answered, pp, table, tried


@pytest.mark.parametrize(
    ("who", "alice", "bob"), [("Alice", 3, 1), ("all", 3, 3), ("bob, ALICE", 3, 3), ("Alice, Alice", 3, 1)]
)
def test_P1_the_gm_gives_pp_to_one_several_or_all(who: str, alice: int, bob: int) -> None:
    step = points.give_points(table(), GRETA, who, 2, "Fine play")
    assert (pp(step.table, "alice"), pp(step.table, "bob")) == (alice, bob)
    assert isinstance(step.facts[0], PointsChanged)
    assert step.facts[0].why == note_why("Fine play")


def test_P1_giving_to_a_new_name_makes_a_character_once_that_is_agreed_to() -> None:
    step = answered(GRETA, lambda actor: points.give_points(table(), actor, "Zed", 2))
    assert pp(step.table, "zed") == 2
    with pytest.raises(Undecided, match="Nobody here is called Zed"):
        points.give_points(table(), GRETA, "Zed", 2)


def test_P1_the_gm_gives_a_pp_to_whoever_a_person_plays() -> None:
    assert pp(points.give_to_player(table(), GRETA, ALICE).table, "alice") == 2
    with pytest.raises(NotAllowed, match="Zoe doesn't play a character here yet"):
        points.give_to_player(table(), GRETA, ZOE)


def test_P1_characters_of_the_gm_have_no_pp() -> None:
    for rule in (partial(points.give_points, number=1), partial(points.set_points, number=3)):
        with pytest.raises(NotAllowed, match="Rex is a GMC"):
            rule(table(), GRETA, "Rex")
    with pytest.raises(NotAllowed, match="Rex is a GMC"):
        points.move_points(table(), GRETA, "Rex", 1, "Alice")
    assert CORTEX.has(points.give_points(table(), GRETA, "all").table.characters["rex"]).pp == 0


@pytest.mark.parametrize(("number", "left"), [(1, 2), (3, 0)])
def test_P2_a_player_spends_their_own_pp(number: int, left: int) -> None:
    step = points.spend_points(table(pp=3), ALICE, number, "An SFX")
    assert step.facts == (PointsChanged("Alice", 3, left, note_why("An SFX")),)


@pytest.mark.parametrize(
    ("has", "says"), [(0, "That costs 2"), (1, r"Alice has 1\. The GM can give more: /pp")]
)
def test_P1_pp_never_go_under_zero(has: int, says: str) -> None:
    with pytest.raises(NotAllowed, match=says):
        points.spend_points(table(pp=has), ALICE, 2)


@pytest.mark.parametrize("number", [0, -1, 1000])
def test_P1_a_number_that_makes_no_sense_is_refused(number: int) -> None:
    for rule in (
        partial(points.give_points, table(), GRETA, "Alice", number),
        partial(points.spend_points, table(), ALICE, number),
        partial(points.move_points, table(), GRETA, "Bob", number, "Alice"),
    ):
        with pytest.raises(NotAllowed, match="Choose 1 to 999"):
            rule()


def test_P1_pp_are_set_from_zero_up() -> None:
    assert pp(points.set_points(table(), GRETA, "Alice", 0).table, "alice") == 0
    with pytest.raises(NotAllowed, match="Choose 0 to 999"):
        points.set_points(table(), GRETA, "Alice", -1)


def test_P1_nobody_holds_more_than_999() -> None:
    with pytest.raises(NotAllowed, match="Alice has 999 PP; the limit is 999"):
        points.give_points(table(pp=999), GRETA, "Alice")


def test_P3_the_gm_moves_pp_between_players() -> None:
    step = points.move_points(table(pp=3), GRETA, "Bob", 2, "Alice")
    assert (pp(step.table, "alice"), pp(step.table, "bob")) == (1, 5)


@pytest.mark.parametrize(
    ("to", "because"),
    [
        ("Alice", "Choose one other character to give PP"),
        ("all", '"all" means all characters, but this takes one'),
        ("Bob, Zed", "That's several names, but this takes one. Choose Bob"),
    ],
)
def test_P3_pp_move_to_one_other_character(to: str, because: str) -> None:
    with pytest.raises(RuleError, match=because):
        points.move_points(table(), GRETA, to, 1, "Alice")


@pytest.mark.parametrize("who", [None, "", "  "])
def test_P3_who_plays_nobody_says_from_whom_pp_move(who: str | None) -> None:
    with pytest.raises(
        NotAllowed,
        match=(
            r"You don't play a character at this table\. Name the "
            r"character who is giving\.$"
        ),
    ):
        points.move_points(table(), GRETA, "Bob", 1, who)


def test_P3_pp_that_are_not_there_do_not_move() -> None:
    with pytest.raises(NotAllowed, match=r"Alice has none\. The GM can give some: /pp"):
        points.move_points(table(pp=0), GRETA, "Bob", 1, "Alice")


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
def test_P3_only_the_gm_gives_sets_and_moves_pp(who: Actor) -> None:
    for rule in (
        partial(points.give_points, table(), who, "Alice"),
        partial(points.give_to_player, table(), who, ALICE),
        partial(points.set_points, table(), who, "Alice", 5),
        partial(points.move_points, table(), who, "Bob", 1, "Alice"),
    ):
        with pytest.raises(NotAllowed, match="Only the GM can"):
            rule()


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_P2_a_character_s_pp_are_spent_by_its_player_and_the_gm(who: Actor, may: bool) -> None:
    assert (tried(lambda: points.spend_points(table(), who, 1, "", "Alice")) is not None) is may


def test_P2_an_unknown_character_spends_nothing() -> None:
    with pytest.raises(Unknown, match="Did you mean Alice"):
        points.spend_points(table(), GRETA, 1, "", "Alise")


def test_at_an_open_table_everybody_gives_pp() -> None:
    assert pp(points.give_points(replace(table(), gms={}), ZOE, "Alice").table, "alice") == 2


@given(
    strategies.set_tables(),
    st.lists(st.tuples(st.sampled_from(["give", "spend", "put", "move"]), st.integers(-2, 1200)), max_size=8),
)
def test_P1_pp_stay_between_zero_and_999_whatever_is_done(at: Table, deeds: list[tuple[str, int]]) -> None:
    for deed, number in deeds:
        try:
            match deed:
                case "give":
                    at = points.give_points(at, GRETA, "all", number).table
                case "spend":
                    at = points.spend_points(at, ALICE, number).table
                case "put":
                    at = points.set_points(at, GRETA, "Bob", number).table
                case _:
                    at = points.move_points(at, GRETA, "Bob", number, "Alice").table
        except RuleError:
            continue
        assert all(0 <= CORTEX.has(one).pp <= MOST_PP for one in at.characters.values())


@given(strategies.set_tables(), strategies.typed(), strategies.typed())
def test_any_text_names_people_for_pp_or_is_refused(at: Table, who: str, to: str) -> None:
    for rule in (
        partial(points.give_points, at, GRETA, who),
        partial(points.set_points, at, GRETA, who, 2),
        partial(points.spend_points, at, GRETA, 1, "", who),
        partial(points.move_points, at, GRETA, to, 1, who),
    ):
        done = tried(rule)
        assert done is None or {*at.characters} <= {*done.table.characters}
