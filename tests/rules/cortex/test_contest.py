"""Contests: back and forth, and how a roll changes what they come to."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.scenes import end_scene
from rules.campaign.seats import Actor
from rules.cortex import contest, effects, hitches, outcome, points, reroll, roll_status, spending
from rules.cortex.contest import answer, give_in, require_waiting, running, start
from rules.cortex.effects import open_effects
from rules.cortex.facts import Cause, Contested, ContestWon, GaveIn, PointsChanged, Why
from rules.cortex.kinds import Result, TraitKind
from rules.cortex.model import CORTEX, Contest, Roll
from rules.cortex.roll import check_open, choose, keep_dice, oppose
from rules.cortex.roll_status import resolve
from rules.cortex.ruleset import ADEPT, BASES, PRIME, Ruleset
from rules.dice import Throw
from rules.errors import NotAllowed, RuleError, TooLate, Undecided, Unknown
from rules.game import Step
from rules.table import Table
from rules.values import replace
from tests import strategies
from tests.rules.people import (
    ALICE,
    BOB,
    GRETA,
    ZOE,
    after,
    die,
    faces,
    facing,
    never,
    newest,
    pp,
    table,
    tried,
)


def begun(at: Table | None = None, *shown: int, who: Actor = ALICE, against: str = "Bob") -> Table:
    """Alice begins with 3 dice, 4 and 5 by default: a total of 9."""
    return after(start(at or table(), who, faces(*(shown or (4, 5, 2))), "d6 d8 d10", against))


def answered(at: Table, who: Actor, *shown: int, dice: str = "d6 d8 d10") -> Table:
    return after(answer(at, who, faces(*shown), dice))


def only(at: Table) -> Contest:
    here = CORTEX.of(at)
    assert len(here.contests) == 1
    return next(iter(here.contests.values()))


def sizes(at: Table, made: Roll) -> list[tuple[int, int]]:
    return [(effect.size, effect.past) for effect in open_effects(at, resolve(at, made))]


STARTED = begun()
BEATEN = answered(STARTED, BOB, 6, 8, 2)
"""Bob has 14 against Alice's 9."""


def test_T4_a_contest_needs_somebody_else() -> None:
    at = table()
    alone = replace(at, characters={"alice": at.characters["alice"]})
    with pytest.raises(
        NotAllowed,
        match=(
            r"^A contest needs two sides, and nobody else is at this table "
            r"yet\.$"
        ),
    ):
        start(alone, ALICE, never, "2d6")


def test_T4_the_initiator_rolls_and_sets_the_difficulty() -> None:
    step = start(table(), ALICE, faces(4, 5, 2), "d6 d8 d10", "bob", "Arm wrestling")
    assert step.facts[-1] == Contested("Bob", "Alice", 9)
    made = only(step.table)
    assert (made.sides, made.leader, made.waiting, made.roll) == (("Alice", "Bob"), 0, "Bob", 1)
    assert (made.note, made.exchanges, newest(step.table).note) == ("Arm wrestling", 1, "Arm wrestling")


@pytest.mark.parametrize(
    "shown", [(3, 5, 1), (4, 5, 2), (2, 3, 2), (1, 1, 1)], ids=["less", "tie", "low", "botch"]
)
def test_T4_without_beating_it_the_initiator_wins(shown: tuple[int, ...]) -> None:
    step = answer(STARTED, BOB, faces(*shown), "d6 d8 d10")
    assert step.facts[-1] == ContestWon("Alice", "Bob")
    assert only(step.table).closing == 2
    with pytest.raises(TooLate, match="That contest is over"):
        running(step.table, 1)


def test_T4_who_beats_it_waits_for_the_other_and_it_goes_back_and_forth() -> None:
    at = STARTED
    sides = [(BOB, "Bob", "Alice"), (ALICE, "Alice", "Bob")] * 3
    for place, (who, name, other) in enumerate(sides):
        step = answer(at, who, faces(5 + place, 6, 1), "2d12 d6")
        assert step.facts[-1] == Contested(other, name, 11 + place)
        at = after(step)
        assert only(at).exchanges == place + 2
        goal = newest(at).against
        assert goal is not None
        assert outcome.difficulty(goal) == (9 if not place else 10 + place)
    assert len(CORTEX.of(at).rolls) == 7
    assert [made.answered for made in CORTEX.of(at).rolls.values()] == [True] * 6 + [False]


def test_T4_any_pool_escalates() -> None:
    at = answered(BEATEN, ALICE, 12, 11, dice="2d12")
    assert only(at).waiting == "Bob"


@pytest.mark.parametrize("who", [BOB, GRETA])
def test_T4_P1_who_gives_in_gets_a_pp(who: Actor) -> None:
    at = answered(BEATEN, ALICE, 12, 11, dice="2d12")
    step = give_in(at, who)
    assert CORTEX.of(step.table).contests == {}
    assert step.facts[0] == GaveIn("Bob", "Alice")
    assert PointsChanged("Bob", 1, 2, Why(Cause.GIVING_IN)) in step.facts
    assert pp(step.table, "bob") == 2


def test_T4_who_gives_in_before_rolling_gets_no_pp() -> None:
    step = give_in(STARTED, BOB)
    assert step.facts[0] == GaveIn("Bob", "Alice")
    assert pp(step.table, "bob") == 1


def test_T4_a_gmc_gives_in_for_nothing() -> None:
    step = give_in(begun(against="Rex"), GRETA)
    assert not [fact for fact in step.facts if isinstance(fact, PointsChanged)]
    assert CORTEX.has(step.table.characters["rex"]).pp == 0


def test_T4_the_winners_effect_counts_once_the_other_gives_in() -> None:
    assert sizes(BEATEN, newest(BEATEN)) == []
    at = after(give_in(BEATEN, ALICE))
    assert sizes(at, CORTEX.of(at).rolls[2]) == [(12, 0)]
    assert sizes(at, CORTEX.of(at).rolls[1]) == []
    step = effects.apply(at, BOB, 2, 0, TraitKind.COMPLICATION, "Sore", "Alice")
    assert die(step.table, "alice", TraitKind.COMPLICATION, "Sore") == 12
    at = after(give_in(STARTED, BOB))
    assert sizes(at, CORTEX.of(at).rolls[1]) == [(10, 0)]


@pytest.mark.parametrize(
    ("shown", "size"), [((4, 4, 1), 10), ((2, 2, 1), 12), ((1, 3, 1), 12), ((1, 1, 1), 12)]
)
@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_T4_R7_the_winners_effect_is_stepped_by_how_far_its_last_total_is_above(
    rules: Ruleset, shown: tuple[int, ...], size: int
) -> None:
    at = answered(begun(table(rules)), BOB, *shown)
    made = newest(at)
    assert [effect.size for effect in open_effects(at, resolve(at, made))] == [size]
    assert effects.winner(at, made) == at.characters["alice"]
    assert effects.concerned(at, resolve(at, made)) == "Bob"


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_T4_the_winners_effect_is_theirs(who: Actor, may: bool) -> None:
    at = answered(STARTED, BOB, 3, 5, 1)
    done = tried(lambda: effects.apply(at, who, 2, 0, TraitKind.COMPLICATION, "Sore", "Bob"))
    assert (done is not None) is may
    assert done is None or die(done.table, "bob", TraitKind.COMPLICATION, "Sore") == 10
    asset = tried(lambda: effects.apply(at, who, 2, 0, TraitKind.ASSET, "Fame"))
    assert asset is None or die(asset.table, "alice", TraitKind.ASSET, "Fame") == 10


def test_T4_a_roll_of_a_contest_that_goes_on_has_no_effect_yet() -> None:
    for at in (STARTED, BEATEN):
        with pytest.raises(TooLate, match="has already been used, or the roll has no effect dice"):
            effects.apply(at, GRETA, newest(at).number, 0, TraitKind.ASSET, "Fame")


def test_T4_Z1_the_winner_banks_one_hero_die_and_nobody_for_a_roll_that_was_beaten() -> None:
    at = answered(BEATEN, ALICE, 12, 11, 1, dice="2d12 d6")
    at = answered(at, BOB, 2, 3, 1)
    assert [bool(points.banked(at, made).facts) for made in CORTEX.of(at).rolls.values()] == [
        False,
        False,
        False,
        True,
    ]
    at = after(end_scene(replace(at, is_scene=True), GRETA))
    assert (points.dice(at.characters["alice"]), points.dice(at.characters["bob"])) == ((8,), ())


def test_T4_Z1_a_contest_that_still_goes_on_banks_nothing() -> None:
    at = after(end_scene(replace(BEATEN, is_scene=True), GRETA))
    assert not any(CORTEX.has(character).hero for character in at.characters.values())


def test_T4_Z1_who_is_given_in_to_banks_for_the_roll_that_stands() -> None:
    at = after(give_in(BEATEN, ALICE))
    at = after(points.bank(at, BOB, 2))
    assert points.dice(at.characters["bob"]) == (8,)


def test_T4_the_loser_may_buy_more_and_the_contest_goes_on() -> None:
    lost = answered(STARTED, BOB, 4, 3, 3)
    step = spending.spend_total(lost, BOB, 2)
    assert Contested("Alice", "Bob", 10) in step.facts
    assert (only(step.table).closing, only(step.table).waiting) == (0, "Alice")
    at = answered(after(step), ALICE, 6, 8, 2)
    assert only(at).waiting == "Bob"


def test_T4_another_choice_may_lose_what_was_won_and_only_a_pp_wins_it_back() -> None:
    at = answered(STARTED, BOB, 3, 6, 8)
    step = choose(at, BOB, 2, 9, (10,))
    assert step.facts[-1] == ContestWon("Alice", "Bob")
    lost = after(step)
    with pytest.raises(NotAllowed, match=r"^Alice has won that contest\. To take back the choice"):
        choose(lost, BOB, 2, 14, (6,))
    with pytest.raises(NotAllowed, match=r"^Alice has won that contest\."):
        keep_dice(lost, BOB, 2, (1, 2), (0,))
    step = spending.spend_total(lost, BOB, 2)
    assert step.facts[-1] == Contested("Alice", "Bob", 14)
    assert (only(step.table).closing, only(step.table).exchanges) == (0, 2)


def test_T4_who_has_lost_may_keep_another_choice_that_loses() -> None:
    lost = answered(STARTED, BOB, 2, 3, 5)
    assert not [fact for fact in choose(lost, BOB, 2, 7, (8,)).facts if isinstance(fact, ContestWon)]


def test_T4_nothing_reopens_a_contest_once_both_sides_are_in_another() -> None:
    lost = answered(STARTED, BOB, 4, 3, 3)
    at = after(start(lost, BOB, faces(3, 4), "2d6", "Alice"))
    with pytest.raises(NotAllowed, match="already in a contest"):
        spending.spend_total(at, BOB, 2)


def test_T4_what_the_leader_buys_before_the_answer_raises_the_difficulty() -> None:
    at = after(spending.spend_total(STARTED, ALICE, 1))
    assert outcome.total(only(at).hand) == 11
    step = answer(at, BOB, faces(5, 6, 1), "d6 d8 d10")
    assert step.facts[-1] == ContestWon("Alice", "Bob")


def test_T4_an_answered_roll_stays_as_it_is() -> None:
    for change in (spending.spend_total, spending.spend_effect):
        with pytest.raises(TooLate, match="has been answered"):
            change(BEATEN, ALICE, 1)
    with pytest.raises(TooLate, match="has been answered"):
        check_open(CORTEX.of(BEATEN).rolls[1])


def test_T4_a_roll_of_a_contest_gets_no_other_opposition() -> None:
    for at in (STARTED, BEATEN):
        with pytest.raises(NotAllowed, match="the other side of the contest can answer that roll"):
            oppose(at, GRETA, never, newest(at).number, "2d8")


def test_T4_an_applied_effect_ends_the_contest_for_good() -> None:
    at = after(effects.apply(answered(STARTED, BOB, 4, 3, 3), ALICE, 2, 0, TraitKind.ASSET, "Fame"))
    with pytest.raises(NotAllowed, match="has been applied"):
        spending.spend_total(at, BOB, 2)


def test_H1_hitches_of_a_contest_are_bought_while_it_goes_on() -> None:
    at = answered(STARTED, BOB, 1, 8, 6)
    step = hitches.buy(at, GRETA, 2, hitches.Way.COMPLICATION, "Tired")
    assert (pp(step.table, "bob"), die(step.table, "bob", TraitKind.COMPLICATION, "Tired")) == (2, 6)
    assert only(step.table).waiting == "Alice"


@pytest.mark.parametrize(("who", "may"), [(BOB, True), (GRETA, True), (ALICE, False), (ZOE, False)])
def test_T4_only_who_is_waited_for_and_the_gm_answer_or_give_in(who: Actor, may: bool) -> None:
    throw = faces(4, 3, 3)
    assert (tried(lambda: answer(STARTED, who, throw, "d6 d8 d10")) is not None) is may
    assert (tried(lambda: give_in(STARTED, who)) is not None) is may
    assert (tried(lambda: require_waiting(STARTED, who, 1, 1)) is not None) is may
    if not may:
        with pytest.raises(
            NotAllowed, match=r"No contest is waiting for you\. Still to answer: Bob \(against Alice\)\."
        ):
            give_in(STARTED, who)
        with pytest.raises(NotAllowed, match="can answer for Bob"):
            give_in(STARTED, who, number=1)


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
def test_T4_only_the_gm_answers_for_a_gmc(who: Actor) -> None:
    at = begun(facing(table(), "Rex", "Fangs d8"), against="rex")
    with pytest.raises(NotAllowed, match="Only the GM can answer for Rex"):
        answer(at, who, never, "2d6", number=1)
    at = answered(at, GRETA, 8, 6, dice="Fangs, d6")
    assert (newest(at).gm, newest(at).who, only(at).waiting) == (True, "Rex", "Alice")


def test_T4_the_gm_begins_for_a_gmc_by_name() -> None:
    step = start(table(), GRETA, faces(3, 4), "2d6", "Alice", who="Rex")
    assert (only(step.table).sides, newest(step.table).gm) == (("Rex", "Alice"), True)
    with pytest.raises(NotAllowed, match=r"Name the GMC that starts the contest\.$"):
        start(table(), GRETA, never, "2d6", "Alice")


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
def test_T4_nobody_begins_for_somebody_else(who: Actor) -> None:
    with pytest.raises(NotAllowed, match="can roll for Rex"):
        start(table(), who, never, "2d6", "Alice", who="Rex")


def test_T4_who_has_no_seat_begins_as_themselves() -> None:
    at = after(start(table(), ZOE, faces(3, 4), "2d6", "Alice"))
    assert only(at).sides == ("Zoe", "Alice")
    assert at.characters["zoe"].player == ZOE.id


def test_T4_at_an_open_table_a_new_name_begins_as_itself() -> None:
    at = replace(table(), gms={})
    with pytest.raises(Undecided, match="Nobody here is called Zed"):
        start(at, ZOE, faces(3, 4), "2d6", "Alice", who="Zed")
    zoe = replace(ZOE, agreed=("new zed",))
    at = after(start(at, zoe, faces(3, 4), "2d6", "Alice", who="Zed"))
    assert (only(at).sides, newest(at).who, "zed" in at.characters) == (("Zed", "Alice"), "Zed", True)


@pytest.mark.parametrize(
    ("against", "keep", "message"),
    [
        ("Alice", 2, "A contest needs two sides. Example: against:Bob"),
        ("Zorro", 2, "There's no character called"),
        ("Bob", 0, r"can't keep 0 results\. Keep"),
    ],
)
def test_T4_what_makes_no_contest_is_refused(against: str, keep: int, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        start(table(), ALICE, never, "2d6", against, keep=keep)


@pytest.mark.parametrize("second", ["answer", "give in", "form"])
def test_T4_of_two_who_press_at_once_the_second_is_told(second: str) -> None:
    first: tuple[Callable[[], Step], ...] = (
        lambda: answer(STARTED, BOB, faces(6, 8, 2), "d6 d8 d10", number=1, seen=1),
        lambda: answer(STARTED, BOB, faces(2, 3, 2), "d6 d8 d10", number=1, seen=1),
        lambda: give_in(STARTED, BOB, number=1, seen=1),
    )
    for one in first:
        at = after(one())
        late: dict[str, Callable[[], object]] = {
            "answer": lambda at=at: answer(at, GRETA, never, "2d6", number=1, seen=1),  # type: ignore[misc]
            "give in": lambda at=at: give_in(at, GRETA, number=1, seen=1),  # type: ignore[misc]
            "form": lambda at=at: require_waiting(at, GRETA, 1, 1),  # type: ignore[misc]
        }
        with pytest.raises(
            TooLate,
            match=r"^That (roll was answered or undone in the meantime|contest is over or was undone)\.",
        ):
            late[second]()


def test_T4_of_several_contests_one_is_named() -> None:
    at = begun(STARTED, who=ZOE, against="Bob")
    with pytest.raises(NotAllowed, match=r"Choose a contest: against Alice or Zoe\."):
        give_in(at, BOB)
    assert list(CORTEX.of(give_in(at, BOB, "alice").table).contests) == [2]
    assert list(CORTEX.of(give_in(at, BOB, "zo").table).contests) == [1]
    with pytest.raises(Unknown, match="There's no opponent called"):
        give_in(at, BOB, "Rex")


def test_T4_ones_own_contest_is_meant_first() -> None:
    at = after(start(STARTED, GRETA, faces(4, 5), "2d6", "Alice", who="Rex"))
    at = replace(at, gms={2: "Alice"})
    assert contest.which(at, ALICE, None) == 2


def test_T4_two_sides_have_one_contest_at_a_time() -> None:
    for who, other in ((ALICE, "Bob"), (BOB, "Alice")):
        with pytest.raises(NotAllowed, match="are already in a contest"):
            start(STARTED, who, never, "2d6", other)


def test_T4_without_a_contest_nobody_answers() -> None:
    with pytest.raises(
        NotAllowed,
        match=r"No contest is waiting for you\. There are no open contests\. To start one: /contest",
    ):
        answer(table(), ALICE, never, "2d6")
    with pytest.raises(TooLate, match="That contest is over"):
        answer(table(), ALICE, never, "2d6", number=5)


def test_T4_twenty_contests_are_the_most_and_old_ones_make_room() -> None:
    at = begun()
    others = {n: replace(only(at), sides=("Alice", f"Other {n}")) for n in range(100, 119)}
    at = CORTEX.put(at, replace(CORTEX.of(at), contests={**CORTEX.of(at).contests, **others}))
    with pytest.raises(NotAllowed, match="A table can have at most 20 open contests"):
        begun(at)
    closed = {number: replace(each, closing=number) for number, each in CORTEX.of(at).contests.items()}
    at = begun(CORTEX.put(at, replace(CORTEX.of(at), contests=closed)))
    assert sorted(CORTEX.of(at).contests) == [1, 2]


def test_T4_a_contest_goes_on_in_the_next_scene_and_one_that_is_over_does_not() -> None:
    at = after(end_scene(replace(BEATEN, is_scene=True), GRETA))
    assert only(at).waiting == "Alice"
    step = answer(at, ALICE, faces(2, 3, 2), "d6 d8 d10")
    assert step.facts[-1] == ContestWon("Bob", "Alice")
    assert CORTEX.of(end_scene(replace(after(step), is_scene=True), GRETA).table).contests == {}


def test_B1_the_gm_answers_for_a_gmc_who_has_left() -> None:
    at = begun(facing(table(), "Rex", "Fangs d8"), against="Rex")
    at = replace(at, characters={who: one for who, one in at.characters.items() if who != "rex"})
    step = answer(at, GRETA, faces(2, 3), "2d6")
    assert step.facts[-1] == ContestWon("Alice", "Rex")
    assert CORTEX.of(give_in(at, GRETA).table).contests == {}


def test_T4_which_roll_a_contest_waits_on() -> None:
    assert roll_status.is_waiting(BEATEN, CORTEX.of(BEATEN).rolls[2])
    assert not roll_status.is_waiting(BEATEN, CORTEX.of(BEATEN).rolls[1])
    lost = answered(STARTED, BOB, 2, 3, 2)
    here = CORTEX.of(lost)
    assert roll_status.is_decided(lost, here.rolls[2])
    assert not roll_status.is_decided(lost, here.rolls[1])


@given(
    strategies.throws(),
    st.sampled_from([PRIME, ADEPT]),
    st.lists(
        st.tuples(
            st.sampled_from([ALICE, BOB, GRETA]),
            st.sampled_from(["answer", "give in", "total", "effect", "reroll"]),
            st.sampled_from(["2d6", "3d8", "d6 d8 d10", "4d12"]),
        ),
        max_size=12,
    ),
)
def test_T4_a_contest_is_won_by_one_side_and_its_difficulty_is_the_last_total(
    throw: Throw, rules: Ruleset, deeds: list[tuple[Actor, str, str]]
) -> None:
    at = after(start(table(rules, pp=5), ALICE, throw, "3d8", "Bob"))
    for who, deed, dice in deeds:
        try:
            match deed:
                case "answer":
                    at = after(answer(at, who, throw, dice, number=1))
                case "give in":
                    at = after(give_in(at, who, number=1))
                case "total":
                    at = after(spending.spend_total(at, who, newest(at).number))
                case "effect":
                    at = after(spending.spend_effect(at, who, newest(at).number))
                case _:
                    at = after(reroll.reroll(at, who, throw))
        except RuleError:
            continue
        going = CORTEX.of(at).contests.get(1)
        if going is None:
            break
        made = newest(at)
        how = outcome.verdict(made)
        is_lost = how is not None and how.result is Result.FAILURE
        assert bool(going.closing) is is_lost
        assert (going.sides[going.leader] == made.who) is not is_lost
        standing = CORTEX.of(at).rolls[going.roll].hand
        assert outcome.total(going.hand) == outcome.total(standing)
        assert [number for number, each in CORTEX.of(at).rolls.items() if not each.answered] == [made.number]
    winners = [number for number, made in CORTEX.of(at).rolls.items() if open_effects(at, resolve(at, made))]
    assert len(winners) <= 1
