"""A roll of somebody who is taken out (C4)."""

from collections.abc import Callable
from functools import partial

import pytest

from rules.campaign import scenes
from rules.campaign.seats import Actor
from rules.cortex import points
from rules.cortex.contest import answer, start
from rules.cortex.effects import recover
from rules.cortex.facts import ContestWon, RollChanged, RollDropped, RollStood, Ruled
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.outcome import total
from rules.cortex.roll import OPEN_ROLLS, let_stand, make
from rules.cortex.roll_status import is_in_doubt
from rules.cortex.ruleset import EMPIRE, PRIME, PushStress, Ruleset
from rules.errors import NotAllowed, TooLate, Undecided
from rules.game import Step
from rules.table import Table
from rules.values import replace
from tests.rules.people import (
    ALICE,
    BOB,
    GRETA,
    ZOE,
    after,
    answered,
    die,
    faces,
    having,
    newest,
    table,
    tried,
)


def out() -> Table:
    return having(table(), "alice", TraitKind.COMPLICATION, Trait("Hurt", 12, out=True))


def test_C4_a_roll_of_somebody_taken_out_happens_and_waits_for_the_gm_once() -> None:
    at = after(make(out(), ALICE, faces(3, 4), "2d6"))
    assert is_in_doubt(at, newest(at))
    step = let_stand(at, GRETA, 1)
    assert step.facts == (RollStood("Alice", "", Ruled(1, 7)), RollChanged(newest(step.table)))
    assert not is_in_doubt(step.table, newest(step.table))
    with pytest.raises(TooLate, match="Greta got there first"):
        let_stand(step.table, GRETA, 1)


def test_C4_a_contest_of_somebody_taken_out_waits_for_the_gm_too() -> None:
    at = after(start(out(), ALICE, faces(3, 4), "2d6", "Bob"))
    assert is_in_doubt(at, newest(at))


@pytest.mark.parametrize(
    ("at", "who", "name"),
    [
        (table(), ALICE, None),
        (out(), BOB, None),
        (out(), GRETA, "Alice"),
        (replace(out(), gms={}), ALICE, None),
    ],
    ids=["not out", "another", "by the GM", "no GM"],
)
def test_C4_nobody_is_asked_where_there_is_nothing_to_ask(at: Table, who: Actor, name: str | None) -> None:
    at = after(make(at, who, faces(3, 4), "2d6", who=name))
    assert not is_in_doubt(at, newest(at))
    with pytest.raises(TooLate, match="roll already"):
        let_stand(at, GRETA, 1)


@pytest.mark.parametrize(("who", "may"), [(GRETA, True), (ALICE, False), (BOB, False), (ZOE, False)])
def test_C4_only_the_gm_says_whether_it_stands(who: Actor, may: bool) -> None:
    at = after(make(out(), ALICE, faces(3, 4), "2d6"))
    assert (tried(lambda: let_stand(at, who, 1)) is not None) is may


def test_C4_what_the_gm_rolls_for_somebody_taken_out_is_told_as_let_stand() -> None:
    at = after(make(out(), GRETA, faces(3, 4), "2d6", who="Alice"))
    assert newest(at).out
    with pytest.raises(NotAllowed, match="Greta got there first"):
        let_stand(at, GRETA, 1)


# The scene ends, and nobody has ruled


def scene(rules: Ruleset = PRIME) -> Table:
    return replace(having(table(rules), "alice", TraitKind.COMPLICATION, HURT, LEG), is_scene=True, scenes=1)


def recovered(at: Table) -> Table:
    return after(recover(at, ALICE, faces(5, 4), (TraitKind.COMPLICATION,), "Leg", "2d6", "7"))


def heroic(at: Table) -> Table:
    return after(make(at, ALICE, faces(6, 6, 2, 2), "2d6", "2d4"))


def pushed(at: Table) -> Table:
    return after(make(at, ALICE, faces(3, 4, 4), "2d6, push Leg"))


def begun(at: Table) -> Table:
    return after(start(at, ALICE, faces(3, 4), "2d6", "Bob"))


def answered_by(*shown: int) -> Callable[[Table], Table]:
    def plays(at: Table) -> Table:
        at = after(start(at, BOB, faces(3, 4), "2d6", "Alice"))
        return after(answer(at, ALICE, faces(*shown), "2d6"))

    return plays


def left(at: Table) -> object:
    """What Alice has, and the contests that go on: what an unruled roll could have changed."""
    own, here = CORTEX.has(at.characters["alice"]), CORTEX.of(at)
    contests = [(one.waiting, one.exchanges, one.closing, total(one.hand)) for one in here.contests.values()]
    return (
        own.complications["leg"].die if "leg" in own.complications else 0,
        points.dice(at.characters["alice"]),
        contests,
    )


HURT, LEG = Trait("Hurt", 12, out=True), Trait("Leg", 6)
PUSHING = replace(PRIME, push_stress=PushStress.ONE_PP)


@pytest.mark.parametrize("ends", [scenes.end_scene, scenes.start_scene])
@pytest.mark.parametrize(
    ("rules", "plays", "dropped", "stood"),
    [
        (PRIME, recovered, (6, (), []), (4, (), [])),
        (PRIME, heroic, (6, (), []), (6, (4,), [])),
        (PUSHING, pushed, (6, (), []), (8, (), [])),
        (PRIME, begun, (6, (), []), (6, (), [("Bob", 1, 0, 7)])),
        (PRIME, answered_by(6, 6), (6, (), [("Alice", 1, 0, 7)]), (6, (), [("Bob", 2, 0, 12)])),
        (PRIME, answered_by(2, 2), (6, (), [("Alice", 1, 0, 7)]), (6, (), [])),
    ],
    ids=["recovery", "hero die", "pushed", "contest", "contest answered", "contest lost"],
)
def test_C4_a_scene_asks_about_a_roll_without_a_ruling_as_it_ends(
    rules: Ruleset,
    plays: Callable[[Table], Table],
    dropped: object,
    stood: object,
    ends: Callable[[Table, Actor], Step],
) -> None:
    at = plays(scene(rules))
    assert is_in_doubt(at, newest(at))
    with pytest.raises(Undecided, match="Alice was taken out, but rolled") as asked:
        ends(at, GRETA)
    assert [str(one.label) for one in asked.value.answers] == ["Let it stand", "Drop it"]
    for place, expected, said in ((0, stood, RollStood), (1, dropped, RollDropped)):
        step = answered(GRETA, partial(ends, at), place)
        assert left(step.table) == expected
        assert [type(fact) for fact in step.facts if isinstance(fact, RollStood | RollDropped)] == [said]
        assert CORTEX.of(step.table).rolls == {}


@pytest.mark.parametrize(
    "plays",
    [
        lambda at: after(make(at, ALICE, faces(3, 4), "2d6")),
        lambda at: after(make(at, ALICE, faces(6, 6, 2, 2), "2d6", "2d4", who="Alice")),
        lambda at: after(recover(at, ALICE, faces(2, 3), (TraitKind.COMPLICATION,), "Leg", "2d6", "7")),
        lambda at: after(let_stand(recovered(at), GRETA, 1)),
        lambda at: recovered(replace(at, gms={})),
        lambda at: after(make(at, BOB, faces(6, 6, 2, 2), "2d6", "2d4")),
    ],
    ids=["changes nothing", "no hero dice", "failed without hitches", "ruled on", "no GM", "not out"],
)
def test_C4_nobody_is_asked_about_a_roll_that_changes_nothing_or_stands(
    plays: Callable[[Table], Table],
) -> None:
    assert not scenes.end_scene(plays(scene(EMPIRE)), GRETA).table.is_scene


def test_C4_each_roll_without_a_ruling_is_asked_about_by_itself() -> None:
    at = heroic(recovered(scene()))
    agreed = replace(GRETA, agreed=("drop 1", "stand 2"))
    assert left(scenes.end_scene(at, agreed).table) == (6, (4,), [])


def test_C4_an_unruled_roll_that_closes_by_its_age_does_nothing() -> None:
    at = heroic(scene())
    for _ in range(OPEN_ROLLS):
        at = after(make(at, BOB, faces(3, 4), "2d6"))
    assert left(at) == (6, (), [])


def test_C4_N3_what_is_pushed_waits_for_the_ruling_past_the_next_roll() -> None:
    at = after(make(pushed(scene(PUSHING)), ALICE, faces(3, 4), "2d6"))
    assert die(at, "alice", TraitKind.COMPLICATION, "Leg") == 6
    assert die(let_stand(at, GRETA, 1).table, "alice", TraitKind.COMPLICATION, "Leg") == 8


def test_C4_T4_a_contest_is_won_once_the_roll_that_lost_it_stands() -> None:
    at = after(start(scene(), BOB, faces(3, 4), "2d6", "Alice"))
    step = answer(at, ALICE, faces(2, 2), "2d6")
    assert not any(isinstance(fact, ContestWon) for fact in step.facts)
    assert ContestWon("Bob", "Alice") in let_stand(after(step), GRETA, 2).facts
