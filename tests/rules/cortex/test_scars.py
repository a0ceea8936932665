"""Resting, and trauma that only recovery heals (N4)."""

from collections.abc import Callable

import pytest

from rules.campaign import lifecycle, scenes
from rules.campaign.seats import Actor
from rules.cortex import effects, roll, traits, turn
from rules.cortex.facts import BackIn, TakenOut, TraitChanged
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.ruleset import ADEPT, STRESS_TRACKS, Opposition, Rest
from rules.errors import NotAllowed, SettingOff
from rules.facts import Began
from rules.game import Step
from rules.table import Character, Table
from rules.values import replace
from rules.values import replace as with_values
from tests.rules.people import ALICE, BOB, GRETA, after, die, faces, having, never, newest, table

KEPT = (Rest.SCENE_START, Rest.BY_HAND)


def playing(rest: Rest) -> Table:
    """A table in a scene, whose opposition is a number, with that setting."""
    rules = replace(ADEPT, rest=rest, doom=False, opposition=Opposition.STATIC, stress=STRESS_TRACKS)
    return after(scenes.start_scene(table(rules, pp=3), GRETA, "The docks"))


def stressed(rest: Rest) -> Table:
    """Alice, Bob, Rex and a GMC who is away, each with stress."""
    at = playing(rest)
    at = at.with_owner("wolf", Character("Wolf", gmc=True, away=True))
    for who in ("alice", "rex", "wolf"):
        at = having(at, who, TraitKind.STRESS, Trait("Mental", 8, barred=True), Trait("Physical", 4))
    return having(at, "bob", TraitKind.STRESS, Trait("Mental", 12, out=True))


@pytest.mark.parametrize(
    ("rest", "ends", "starts", "by_hand"),
    [
        (Rest.OFF, 8, 8, None),
        (Rest.SCENE_END, 6, 6, None),
        (Rest.SCENE_START, 8, 6, 6),
        (Rest.BY_HAND, 8, 8, 6),
    ],
)
def test_N4_stress_steps_down_when_the_setting_says(
    rest: Rest, ends: int, starts: int, by_hand: int | None
) -> None:
    at = stressed(rest)
    ended = after(scenes.end_scene(at, GRETA))
    assert die(ended, "alice", TraitKind.STRESS, "Mental") == ends
    assert die(after(scenes.start_scene(ended, GRETA)), "alice", TraitKind.STRESS, "Mental") == starts
    if by_hand is None:
        with pytest.raises(SettingOff, match="Rest at the start of a scene is off in") as refused:
            scenes.start_scene(at, GRETA, kind="rest")
        assert refused.value.command == "/campaign set setting:rest value:by hand"
    else:
        rested = after(scenes.start_scene(at, GRETA, kind="rest"))
        assert die(rested, "alice", TraitKind.STRESS, "Mental") == by_hand


def test_N4_everybody_there_rests_before_anything_else_of_the_scene() -> None:
    at = after(scenes.end_scene(stressed(Rest.BY_HAND), GRETA))
    # Back in with the scene's end; out again, and barred again, while none runs.
    for who in ("alice", "bob"):
        at = having(at, who, TraitKind.STRESS, Trait("Mental", 12, out=True, barred=True))
    step = scenes.start_scene(at, GRETA, "Inn", kind="rest", distinctions="Warm hearth")
    told = [(type(fact), getattr(fact, "owner", "")) for fact in step.facts]
    assert told[0] == (Began, "")
    assert told[-1] == (TraitChanged, "Scene")
    assert BackIn("Bob") in step.facts
    now = after(step)
    held = {who: CORTEX.has(each).stress for who, each in now.characters.items()}
    assert held["bob"]["mental"] == Trait("Mental", 10)
    assert held["alice"] == {"mental": Trait("Mental", 10)}
    assert held["rex"] == {"mental": Trait("Mental", 6)}
    assert {label: each.die for label, each in held["wolf"].items()} == {"mental": 8, "physical": 4}


@pytest.mark.parametrize("rest", Rest)
def test_N4_trauma_heals_one_step_by_any_success_where_people_rest(rest: Rest) -> None:
    at = having(playing(rest), "alice", TraitKind.TRAUMA, Trait("Mental", 8))
    at = after(effects.recover(at, ALICE, faces(10, 9, 5), (TraitKind.TRAUMA,), "Mental", "3d12"))
    at = after(effects.apply_recovery(at, ALICE, newest(at).number))
    left = CORTEX.has(at.characters["alice"]).trauma
    assert left == ({"mental": Trait("Mental", 6, barred=True)} if rest in KEPT else {})


@pytest.mark.parametrize("rest", Rest)
def test_N4_only_the_gm_takes_trauma_away_by_hand_where_people_rest(rest: Rest) -> None:
    at = having(playing(rest), "alice", TraitKind.TRAUMA, Trait("Mental", 8))
    ways: tuple[Callable[[Actor], Step], ...] = (
        lambda who: traits.step_down(at, who, TraitKind.TRAUMA, "Mental", who="Alice"),
        lambda who: traits.remove(at, who, TraitKind.TRAUMA, "Mental", "Alice"),
        lambda who: traits.clear_stress(at, who, "Alice", TraitKind.TRAUMA),
    )
    for way in ways:
        assert way(GRETA).facts
        if rest in KEPT:
            with pytest.raises(
                NotAllowed,
                match=(
                    r"Only recovery or the GM can heal trauma in this campaign\. Example: /stress "
                    r"recover what:Mental"
                ),
            ):
                way(ALICE)
        else:
            assert way(ALICE).facts


def out_for_good(rest: Rest = Rest.BY_HAND) -> Table:
    at = having(playing(rest), "alice", TraitKind.TRAUMA, Trait("Mental", 12))
    step = traits.step_up(at, GRETA, TraitKind.TRAUMA, "Mental", who="Alice")
    assert TakenOut("Alice", "Mental", TraitKind.TRAUMA, for_good=rest in KEPT) in step.facts
    return after(step)


@pytest.mark.parametrize("rest", Rest)
def test_N4_past_d12_of_trauma_one_is_out_for_good(rest: Rest) -> None:
    at = out_for_good(rest)
    later = after(scenes.start_scene(at, GRETA))
    assert traits.is_retired(later, later.characters["alice"]) is (rest in KEPT)
    assert CORTEX.has(later.characters["alice"]).is_taken_out is (rest in KEPT)


def test_N4_nobody_rolls_recovers_or_stays_in_who_is_out_for_good() -> None:
    at = out_for_good()
    refused = r"Alice is out for good.*The GM can step the trauma down\.$"
    for actor in (ALICE, GRETA):
        with pytest.raises(NotAllowed, match=refused):
            roll.make(at, actor, faces(4, 4), "2d6", who="Alice")
    with pytest.raises(NotAllowed, match=refused):
        effects.recover(at, BOB, never, (TraitKind.TRAUMA,), "Mental", "2d8", who="Alice")
    with pytest.raises(NotAllowed, match=refused):
        traits.stay_in(at, ALICE, None, "Shaken")
    order = CORTEX.of(after(turn.start(at, GRETA))).order
    assert order is not None
    assert "alice" not in turn.members(at, order, gmcs=True)


def test_N4_the_gm_takes_it_back_by_a_step() -> None:
    step = traits.step_down(out_for_good(), GRETA, TraitKind.TRAUMA, "Mental", who="Alice")
    assert BackIn("Alice") in step.facts
    assert roll.make(after(step), ALICE, faces(4, 4), "2d6").facts


def test_C5_stress_out_leaves_trauma_that_can_be_for_good() -> None:
    at = having(playing(Rest.BY_HAND), "alice", TraitKind.TRAUMA, Trait("Mental", 12))
    at = having(at, "alice", TraitKind.STRESS, Trait("Mental", 12))
    at = after(traits.step_up(at, GRETA, TraitKind.STRESS, "Mental", who="Alice"))
    assert traits.is_retired(at, at.characters["alice"])


def test_T5_a_failed_recovery_at_a_scenes_end_can_be_for_good() -> None:
    at = having(playing(Rest.BY_HAND), "alice", TraitKind.TRAUMA, Trait("Mental", 12))
    at = after(effects.recover(at, ALICE, faces(1, 2), (TraitKind.TRAUMA,), "Mental", "2d12"))
    step = scenes.end_scene(at, GRETA)
    assert TakenOut("Alice", "Mental", TraitKind.TRAUMA, for_good=True) in step.facts
    assert traits.is_retired(step.table, step.table.characters["alice"])


@pytest.mark.parametrize(
    ("typed", "now"), [("on", Rest.SCENE_END), ("off", Rest.OFF), ("scene start", Rest.SCENE_START)]
)
def test_N4_the_old_name_still_sets_it(typed: str, now: Rest) -> None:
    before = Rest.BY_HAND
    at = with_values(playing(before))
    changed = after(lifecycle.change(at, GRETA, "Time heals  stress", typed))
    assert CORTEX.of(changed).ruleset.rest is now
    assert "time heals stress" not in lifecycle.names()
