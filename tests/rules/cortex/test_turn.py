"""Whose turn it is."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.scenes import end_scene
from rules.campaign.seats import Actor
from rules.cortex import turn
from rules.cortex.facts import OrderEnded, PassedOver, TurnCame
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX, CortexTable, TurnOrder
from rules.cortex.turn import candidates, hand_on, skip, stamp, start
from rules.errors import NotAllowed, OptionNeeded, RuleError, TooLate, Unknown
from rules.game import Step
from rules.table import Character, Table
from rules.values import replace
from tests import strategies
from tests.rules.people import ALICE, BOB, GRETA, ZOE, facing, having, table, tried


def ordered(at: Table | None = None, **changes: object) -> Table:
    """The table with an order of turns, by default Alice's the first."""
    order = replace(TurnOrder(turn="alice"), **changes)  # type: ignore[arg-type]
    at = at or table()
    return CORTEX.put(at, replace(CORTEX.of(at), order=order))


def order(at: Table) -> TurnOrder:
    here = CORTEX.of(at)
    assert here.order is not None
    return here.order


def test_L2_the_gm_starts_and_may_name_the_first() -> None:
    step = start(table(), GRETA, "bob", "Rex")
    assert (CORTEX.of(step.table).order, step.facts) == (
        TurnOrder(turn="bob", absent=("rex",)),
        (TurnCame("Bob", None, 1),),
    )
    step = start(table(), GRETA)
    assert (CORTEX.of(step.table).order, step.facts) == (TurnOrder(), (TurnCame("", None, 1),))
    assert CORTEX.of(start(ordered(acted=("bob",), round=4), GRETA).table).order == TurnOrder()


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
def test_L2_only_the_gm_starts_ends_and_passes_over(who: Actor) -> None:
    deeds: tuple[Callable[[], Step], ...] = (
        lambda: start(table(), who),
        lambda: skip(ordered(), who, "Alice"),
        lambda: turn.end(ordered(), who),
    )
    for deed in deeds:
        with pytest.raises(NotAllowed, match="Only the GM can"):
            deed()


def test_L2_without_an_order_nobody_has_the_turn() -> None:
    deeds: tuple[Callable[[], Step], ...] = (
        lambda: hand_on(table(), GRETA, "Bob"),
        lambda: skip(table(), GRETA, "Bob"),
        lambda: turn.end(table(), GRETA),
    )
    for deed in deeds:
        with pytest.raises(NotAllowed, match=r"There's no turn order\. The GM can start one: /turn start"):
            deed()
    assert candidates(table()) == []


@pytest.mark.parametrize(("who", "without"), [("Zorro", None), (None, "Zorro"), ("Alice", "Bob, Zorro")])
def test_L2_who_is_named_has_to_be_known(who: str | None, without: str | None) -> None:
    with pytest.raises(Unknown, match="no character called"):
        start(table(), GRETA, who, without)


def test_L2_who_is_absent_is_not_the_first() -> None:
    with pytest.raises(
        NotAllowed,
        match=(r"can't take a turn now\. Still to go this round: Alice and Rex\."),
    ):
        start(table(), GRETA, "Bob", "Bob")


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_L2_who_has_the_turn_and_the_gm_hand_it_on(who: Actor, may: bool) -> None:
    done = tried(lambda: hand_on(ordered(), who, "Rex"))
    assert (done is not None) is may
    assert done is None or order(done.table) == TurnOrder(turn="rex", acted=("alice",))


def test_L2_everybody_acts_once_and_a_gmc_too() -> None:
    at = hand_on(ordered(), ALICE, "Rex").table
    assert candidates(at) == ["bob"]
    with pytest.raises(NotAllowed, match=r"can't take a turn now\. Still to go this round: Bob\."):
        hand_on(at, GRETA, "Alice")
    with pytest.raises(NotAllowed, match="Only the GM or Rex can choose who is next"):
        hand_on(at, ALICE, "Bob")
    at = hand_on(at, GRETA, "Bob").table
    assert order(at) == TurnOrder(turn="bob", acted=("alice", "rex"))


@pytest.mark.parametrize("following", ["Bob", "Alice", "Rex"])
def test_L2_whoever_acted_last_names_the_first_of_the_next_round_or_themselves(following: str) -> None:
    at = ordered(turn="bob", acted=("alice", "rex"))
    assert candidates(at) == ["alice", "bob", "rex"]
    with pytest.raises(NotAllowed, match="Only the GM or Bob"):
        hand_on(at, ALICE, following)
    step = hand_on(at, BOB, following)
    assert order(step.table) == TurnOrder(turn=following.lower(), round=2)
    assert step.facts == (TurnCame(following, None, 2),)


def test_L2_who_is_taken_out_away_or_absent_is_passed_over() -> None:
    at = having(ordered(), "bob", TraitKind.COMPLICATION, Trait("Leg", 12, out=True))
    assert candidates(at) == ["rex"]
    at = at.with_owner("rex", replace(at.characters["rex"], away=True))
    assert candidates(at) == ["alice"]
    assert candidates(ordered(absent=("bob", "rex"))) == ["alice"]
    assert order(hand_on(at, ALICE, "Alice").table) == TurnOrder(turn="alice", round=2)


def test_L2_with_nobody_left_nobody_is_named() -> None:
    at = having(ordered(absent=("bob", "rex")), "alice", TraitKind.COMPLICATION, Trait("Leg", 12, out=True))
    assert candidates(at) == []
    with pytest.raises(NotAllowed, match="Nobody is left this round"):
        hand_on(at, GRETA, "Bob")


def test_L2_an_old_button_hands_nothing_on() -> None:
    seen = stamp(order(ordered()))
    at = hand_on(ordered(), ALICE, "Bob", seen).table
    for who in (ALICE, BOB, GRETA):
        with pytest.raises(TooLate, match="The turn has already moved on"):
            hand_on(at, who, "Rex", seen)
    assert order(hand_on(at, BOB, "Rex", stamp(order(at))).table).turn == "rex"


def test_L2_a_stamp_is_of_one_turn_alone() -> None:
    orders = [TurnOrder(turn=who, round=number) for who in ("", "alice", "bob") for number in (1, 2, 11)]
    assert len({stamp(each) for each in orders}) == len(orders)


@pytest.mark.parametrize("at", [ordered(turn=""), ordered()], ids=["nobody's turn", "Alice's turn"])
@pytest.mark.parametrize("who", ["Alice", "Bob", "Rex"])
def test_L2_the_gm_passes_anybody_over_who_has_not_acted(at: Table, who: str) -> None:
    step = skip(at, GRETA, who)
    assert who.lower() in order(step.table).acted
    assert order(step.table).turn == ("" if who == "Alice" else order(at).turn)
    assert step.facts == (PassedOver(who, None, 1),)


@pytest.mark.parametrize("at", [ordered(turn="", acted=("bob",)), ordered(acted=("bob",))])
def test_L2_who_has_acted_is_not_passed_over(at: Table) -> None:
    with pytest.raises(
        NotAllowed,
        match=(r"Bob can't take a turn now\. Still to go this round: (Alice and Rex|Rex and Alice)\."),
    ):
        skip(at, GRETA, "Bob")


def test_L2_who_acted_before_names_the_next_after_a_turn_passed_over() -> None:
    at = skip(ordered(turn="rex", acted=("alice",)), GRETA, "Rex").table
    assert order(hand_on(at, ALICE, "Bob").table) == TurnOrder(turn="bob", acted=("alice", "rex"))


def test_B1_the_order_goes_on_when_the_gmc_whose_turn_it_is_has_left() -> None:
    at = ordered(facing(table(), "Rex", "d8"), turn="rex", acted=("alice",))
    people = {who: one for who, one in at.characters.items() if who != "rex"}
    at = replace(at, characters=people)
    with pytest.raises(NotAllowed, match="Only the GM can choose who is next"):
        hand_on(at, ALICE, "Bob")
    with pytest.raises(NotAllowed, match=r"can't take a turn now\. Still to go"):
        skip(at, GRETA, "Alice")
    assert order(hand_on(at, GRETA, "Bob").table).turn == "bob"


def test_L2_while_nobody_plays_a_character_all_of_them_act() -> None:
    at = CORTEX.put(
        Table(characters={"zed": Character("Zed"), "rex": Character("Rex", gmc=True)}),
        CortexTable(order=TurnOrder()),
    )
    assert candidates(at) == ["zed", "rex"]


def test_the_order_ends_by_hand_and_with_the_scene() -> None:
    step = turn.end(ordered(), GRETA)
    assert (CORTEX.of(step.table).order, step.facts) == (None, (OrderEnded(),))
    assert CORTEX.of(end_scene(replace(ordered(), is_scene=True), GRETA).table).order is None


@given(
    st.lists(
        st.tuples(
            st.sampled_from([GRETA, ALICE, BOB, ZOE]),
            st.sampled_from(["next", "skip"]),
            st.sampled_from(["Alice", "Bob", "Rex"]),
        ),
        max_size=20,
    )
)
def test_L2_in_a_round_everybody_acts_at_most_once(deeds: list[tuple[Actor, str, str]]) -> None:
    at = start(table(), GRETA).table
    turns: list[tuple[int, str]] = []
    for who, what, whom in deeds:
        try:
            at = (hand_on if what == "next" else skip)(at, who, whom).table
        except RuleError:
            continue
        if what == "next":
            turns.append((order(at).round, order(at).turn))
        assert len(set(order(at).acted)) == len(order(at).acted)
        assert set(order(at).acted) <= set(at.characters)
    assert len(set(turns)) == len(turns)
    assert [number for number, _ in turns] == sorted(number for number, _ in turns)


@given(strategies.typed(), st.none() | strategies.typed(), st.booleans())
def test_any_text_names_somebody_or_is_refused(text: str, other: str | None, is_running: bool) -> None:
    at = ordered() if is_running else table()
    tried(lambda: start(at, GRETA, text, other))
    tried(lambda: hand_on(at, GRETA, text, other))
    tried(lambda: skip(at, GRETA, text))


@pytest.mark.parametrize("who", [None, "", " "])
def test_L2_the_only_one_who_is_left_need_not_be_named(who: str | None) -> None:
    at = ordered(turn="rex", acted=("alice",))
    assert order(hand_on(at, GRETA, who).table).turn == "bob"
    with pytest.raises(
        OptionNeeded, match=r"^Choose who is next\. Still to go this round: Bob and Rex\.$"
    ) as refused:
        hand_on(ordered(), ALICE, who)
    assert (refused.value.option, refused.value.choices) == ("who", ["Bob", "Rex"])
