"""Scenes, acts and sessions."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given

from rules.campaign import scenes
from rules.campaign.seats import Actor
from rules.cortex import gm_pools, points
from rules.cortex import scenes as cortex_scenes
from rules.cortex.effects import recover
from rules.cortex.facts import BackIn, Cause, Change, PoolChanged, TakenOut, TraitChanged, Why
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.roll import make
from rules.cortex.ruleset import ADEPT, BASES, HEROIC, PRIME, Rest, Ruleset
from rules.cortex.trait_lookup import owners
from rules.errors import NotAllowed, SettingOff, Undecided, Unreadable
from rules.facts import Began, Ended, Stretch
from rules.game import Step
from rules.table import Table
from rules.values import replace
from tests import strategies
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, die, faces, having, pp, table, tried


def playing(rules: Ruleset = HEROIC, doom_dice: tuple[int, ...] = ()) -> Table:
    return replace(table(rules, doom=doom_dice), is_scene=True, scene="Docks", scenes=1, is_act=True, act=1)


def test_the_day_of_the_story_stays_until_another_is_named() -> None:
    at = table()
    days = []
    for day in (None, " Third  day of frost ", None, " ", "Fourth"):
        step = scenes.start_scene(at, GRETA, day=day)
        at = step.table
        days.append((at.day, *(fact.day for fact in step.facts if isinstance(fact, Began))))
    third = ("Third day of frost", "Third day of frost")
    assert days == [("", ""), third, third, third, ("Fourth", "Fourth")]
    with pytest.raises(Unreadable, match="That day has 61 characters"):
        scenes.start_scene(at, GRETA, day="a" * 61)


def test_C1_temporary_assets_go_and_signature_assets_recover() -> None:
    at = having(playing(), "alice", TraitKind.ASSET, Trait("Rope", 8), Trait("Sword", 6, signature=8))
    at = having(at, "scene", TraitKind.ASSET, Trait("Cover", 6))
    step = scenes.end_scene(at, GRETA)
    assert {
        trait.label: trait.die for trait in CORTEX.has(step.table.characters["alice"]).assets.values()
    } == {"Sword": 8}
    assert CORTEX.has(step.table.scenery).assets == {}
    changes = [fact for fact in step.facts if isinstance(fact, TraitChanged)]
    assert sorted((fact.owner, fact.before.label) for fact in changes if fact.before) == [
        ("Alice", "Rope"),
        ("Alice", "Sword"),
        ("Scene", "Cover"),
    ]


def test_T5_time_passes_and_recovery_is_open_again() -> None:
    at = having(playing(), "alice", TraitKind.COMPLICATION, Trait("Leg", 8, barred=True))
    assert CORTEX.has(scenes.end_scene(at, GRETA).table.characters["alice"]).complications["leg"] == Trait(
        "Leg", 8
    )


@pytest.mark.parametrize("rest", list(Rest))
@pytest.mark.parametrize("is_scene", [True, False], ids=["in a scene", "between scenes"])
@pytest.mark.parametrize(
    ("owner", "kind"),
    [
        ("alice", TraitKind.COMPLICATION),
        ("alice", TraitKind.STRESS),
        ("alice", TraitKind.TRAUMA),
        ("rex", TraitKind.COMPLICATION),
        ("scene", TraitKind.COMPLICATION),
    ],
)
def test_T5_a_new_scene_opens_recovery_again(owner: str, kind: TraitKind, is_scene: bool, rest: Rest) -> None:
    barred = Trait("Physical", 8, barred=True)
    at = having(replace(playing(replace(HEROIC, rest=rest)), is_scene=is_scene), owner, kind, barred)
    begun = scenes.start_scene(at, GRETA).table
    left = CORTEX.has(begun.owner(owner)).traits(kind).get("physical")
    assert left is None or not left.barred
    assert (left is None) is (owner == "scene" and is_scene)  # what the scene has goes with it


@pytest.mark.parametrize("kind", [TraitKind.COMPLICATION, TraitKind.STRESS, TraitKind.TRAUMA])
def test_C4_whoever_is_taken_out_between_scenes_is_out_in_the_next(kind: TraitKind) -> None:
    at = having(
        replace(playing(), is_scene=False), "alice", kind, Trait("Physical", 12, out=True, barred=True)
    )
    begun = scenes.start_scene(at, GRETA).table
    assert CORTEX.has(begun.characters["alice"]).traits(kind)["physical"] == Trait("Physical", 12, out=True)


@pytest.mark.parametrize(
    ("size", "shown", "vs", "left", "is_out"),
    [
        (8, (1, 1, 5), "15", 12, False),
        (8, (6, 5, 2), "3", 6, False),
        (6, (2, 2, 2), "15", 6, False),
        (4, (6, 5, 2), "3", 0, False),
        (12, (1, 2, 2), "15", 12, True),
    ],
)
def test_T5_a_scene_that_starts_applies_recoveries_rolled_before_it(
    size: int, shown: tuple[int, ...], vs: str, left: int, is_out: bool
) -> None:
    at = having(replace(playing(), is_scene=False), "alice", TraitKind.COMPLICATION, Trait("Leg", size))
    at = after(recover(at, ALICE, faces(*shown), (TraitKind.COMPLICATION,), "Leg", "3d6", vs))
    step = scenes.start_scene(at, GRETA)
    assert die(step.table, "alice", TraitKind.COMPLICATION, "Leg") == left
    assert CORTEX.has(step.table.characters["alice"]).is_taken_out is is_out
    assert any(isinstance(fact, TakenOut) for fact in step.facts) is is_out
    assert CORTEX.of(step.table).rolls == {}


def test_Z1_a_hero_die_earned_between_scenes_is_banked_as_the_next_starts() -> None:
    at = replace(playing(PRIME), is_scene=False)
    at = after(make(at, ALICE, faces(6, 6, 2, 2), "2d6", "2d4"))
    assert points.dice(scenes.start_scene(at, GRETA).table.characters["alice"]) == (4,)


@pytest.mark.parametrize(
    ("size", "shown", "vs", "left"),
    [(8, (1, 1, 5), "15", 12), (8, (6, 5, 2), "3", 6), (6, (2, 2, 2), "15", 6), (4, (6, 5, 2), "3", 0)],
)
def test_T5_a_scene_that_ends_applies_open_recoveries(
    size: int, shown: tuple[int, ...], vs: str, left: int
) -> None:
    at = having(playing(), "alice", TraitKind.COMPLICATION, Trait("Leg", size))
    at = after(recover(at, ALICE, faces(*shown), (TraitKind.COMPLICATION,), "Leg", "3d6", vs))
    step = scenes.end_scene(at, GRETA)
    assert die(step.table, "alice", TraitKind.COMPLICATION, "Leg") == left
    told = [fact for fact in step.facts if isinstance(fact, TraitChanged)]
    assert [fact.after.die if fact.after else 0 for fact in told] == ([] if left == size else [left])


def test_T5_whom_a_recovery_takes_out_as_the_scene_ends_is_back_at_once() -> None:
    at = having(playing(), "alice", TraitKind.COMPLICATION, Trait("Leg", 12))
    at = after(recover(at, ALICE, faces(1, 2, 2), (TraitKind.COMPLICATION,), "Leg", "3d6", "15"))
    step = scenes.end_scene(at, GRETA)
    assert not CORTEX.has(step.table.characters["alice"]).is_taken_out
    assert [type(fact) for fact in step.facts] == [TraitChanged, Ended]


def test_C4_nobody_stays_taken_out_and_the_trait_stays_d12() -> None:
    at = having(playing(), "alice", TraitKind.STRESS, Trait("Physical", 12, out=True))
    step = scenes.end_scene(at, GRETA)
    alice = step.table.characters["alice"]
    own = CORTEX.has(alice)
    assert step.facts[1:] == (BackIn("Alice"),)
    assert (own.is_taken_out, own.stress["physical"].die) == (False, 12)


def test_what_the_scene_has_goes_with_it_and_what_people_have_stays() -> None:
    at = having(playing(), "scene", TraitKind.DISTINCTION, Trait("Fog", 8))
    at = having(at, "scene", TraitKind.COMPLICATION, Trait("Fire", 8))
    at = having(at, "alice", TraitKind.COMPLICATION, Trait("Leg", 8))
    at = having(at, "alice", TraitKind.DISTINCTION, Trait("Knight", 8))
    done = scenes.end_scene(at, GRETA).table
    assert (CORTEX.has(done.scenery).distinctions, CORTEX.has(done.scenery).complications) == ({}, {})
    assert [
        die(done, "alice", kind, label)
        for kind, label in ((TraitKind.COMPLICATION, "Leg"), (TraitKind.DISTINCTION, "Knight"))
    ] == [8, 8]


def test_H4_open_rolls_close_and_are_named() -> None:
    at = playing()
    for who in (ALICE, GRETA, ALICE):
        at = after(make(at, who, faces(1, 2), "2d6"))
    step = scenes.end_scene(at, GRETA)
    assert CORTEX.of(step.table).rolls == {}
    assert step.facts[0] == Ended(Stretch.SCENE, at.scenes, "Docks", ("Alice", "GM"))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (None, {}),
        ("Fog", {"Fog": 8}),
        ("Fog, Dark Alley d6", {"Fog": 8, "Dark Alley": 6}),
        ('"Route 66" D10, , Rain', {"Route 66": 10, "Rain": 8}),
        ("Fog d6", {"Fog": 6}),
        ("up Hill d4", {"up Hill": 4}),
    ],
)
def test_a_scene_starts_with_distinctions_of_its_own(typed: str | None, expected: dict[str, int]) -> None:
    step = scenes.start_scene(table(), GRETA, "Docks", distinctions=typed)
    assert {
        trait.label: trait.die for trait in CORTEX.has(step.table.scenery).distinctions.values()
    } == expected
    assert step.facts[0] == Began(Stretch.SCENE, 1, "Docks")


def test_a_scene_that_starts_ends_the_one_that_runs() -> None:
    at = having(playing(), "alice", TraitKind.ASSET, Trait("Rope", 8))
    step = scenes.start_scene(at, GRETA, None)
    assert (step.table.scene, step.table.scenes, step.table.is_scene) == ("Scene 2", 2, True)
    assert CORTEX.has(step.table.characters["alice"]).assets == {}
    assert [type(fact) for fact in step.facts if not isinstance(fact, TraitChanged)] == [Ended, Began]


@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_M2_an_act_starts_with_two_d6_where_doom_is_on(rules: Ruleset) -> None:
    step = scenes.start_act(table(rules), GRETA)
    assert gm_pools.doom_dice(step.table) == ((6, 6) if rules.doom else ())
    assert (step.table.act, step.table.is_act) == (1, True)


@pytest.mark.parametrize(("dice", "expected"), [("3d6", (6, 6, 6)), ("2d8 d10", (8, 8, 10))])
def test_M2_the_gm_sets_what_an_act_starts_with(dice: str, expected: tuple[int, ...]) -> None:
    for rules in (HEROIC, ADEPT):
        at = replace(table(rules, doom=[12]), act=3)
        assert gm_pools.doom_dice(scenes.start_act(at, GRETA, dice=dice).table) == expected
        ruled = replace(rules, doom_start=expected)
        assert gm_pools.doom_dice(scenes.start_act(table(ruled), GRETA).table) == expected


def test_M1_an_act_does_not_start_with_a_d4() -> None:
    with pytest.raises(NotAllowed, match="The doom pool can't hold a d4"):
        scenes.start_act(table(HEROIC), GRETA, dice="d4")


@pytest.mark.parametrize(("rules", "left"), [(HEROIC, ()), (ADEPT, (8, 10))])
def test_M2_what_is_left_is_lost_except_in_adept(rules: Ruleset, left: tuple[int, ...]) -> None:
    at = scenes.end_act(playing(rules, (8, 10)), GRETA).table
    assert (gm_pools.doom_dice(at), at.is_act) == (left, False)
    assert gm_pools.doom_dice(scenes.start_act(at, GRETA).table) == (left or (6, 6))


@pytest.mark.parametrize("rules", [ADEPT, PRIME, HEROIC])
@pytest.mark.parametrize("act", [0, 1])
def test_M2_dice_from_before_an_act_stay(rules: Ruleset, act: int) -> None:
    before = gm_pools.add_doom_dice(table(replace(rules, doom=True)), (10, 10, 10)).table
    before = replace(before, act=act, is_act=False)
    assert gm_pools.doom_dice(scenes.start_act(before, GRETA).table) == (10, 10, 10)
    assert gm_pools.doom_dice(scenes.start_act(before, GRETA, dice="2d8").table) == (8, 8)


def test_M2_an_act_that_starts_ends_the_one_that_runs() -> None:
    step = scenes.start_act(playing(HEROIC, (8, 10)), GRETA)
    assert (gm_pools.doom_dice(step.table), step.table.act) == ((6, 6), 2)
    assert Ended(Stretch.ACT, 1) in step.facts


@pytest.mark.parametrize(
    ("arc", "left", "change"),
    [("reset", (6, 6), Change.SET), ("weaken", (6, 8, 10), Change.STEPPED_DOWN)],
)
def test_M2_the_gm_resets_or_weakens_doom_at_an_arcs_end(
    arc: str, left: tuple[int, ...], change: Change
) -> None:
    step = scenes.end_act(playing(ADEPT, (6, 8, 10, 12)), GRETA, arc=arc)
    assert (gm_pools.doom_dice(step.table), step.table.is_act) == (left, False)
    told = step.facts[-1]
    assert isinstance(told, PoolChanged)
    assert (told.change, told.why) == (change, Why(Cause.ARC_END))
    assert gm_pools.doom_dice(scenes.start_act(step.table, GRETA).table) == left


def test_M2_an_arc_ends_with_empty_doom_without_a_word() -> None:
    step = scenes.end_act(playing(ADEPT, ()), GRETA, arc="weaken")
    assert [type(fact) for fact in step.facts] == [Ended]


def test_M2_an_arc_ends_only_where_doom_is_kept_over_acts() -> None:
    with pytest.raises(NotAllowed, match="so leave arc out"):
        scenes.end_act(playing(HEROIC, (6,)), GRETA, arc="reset")
    with pytest.raises(SettingOff, match="The doom pool is off in this campaign") as refused:
        scenes.end_act(playing(PRIME, ()), GRETA, arc="weaken")
    assert refused.value.setting == "doom pool"


def test_doom_dice_for_an_act_need_doom() -> None:
    with pytest.raises(SettingOff, match="The doom pool is off in this campaign") as refused:
        scenes.start_act(table(), GRETA, dice="2d6")
    assert refused.value.setting == "doom pool"


@pytest.mark.parametrize(("has", "least", "starts"), [(0, 1, 1), (1, 1, 1), (5, 1, 5), (1, 3, 3), (0, 0, 0)])
def test_P1_everybody_starts_a_session_with_the_least_or_more(has: int, least: int, starts: int) -> None:
    rules = replace(HEROIC, starting_pp=least)
    done = scenes.start_session(table(rules, pp=has), GRETA).table
    assert (pp(done, "alice"), pp(done, "rex")) == (starts, 0)


@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_M2_a_session_starts_an_act_if_doom_is_on_and_none_runs(rules: Ruleset) -> None:
    done = scenes.start_session(table(rules), GRETA).table
    assert (done.is_act, done.act) == ((True, 1) if rules.doom else (False, 0))
    assert scenes.start_session(playing(rules), GRETA).table.act == 1


def test_a_session_that_starts_asks_before_it_ends_the_one_that_runs_and_none_ends_the_scene() -> None:
    at = scenes.start_session(playing(), GRETA).table
    with pytest.raises(Undecided, match="Session 1 is still running") as asked:
        scenes.start_session(at, GRETA)
    (answer,) = asked.value.answers
    step = scenes.start_session(at, replace(GRETA, agreed=(answer.sign,)))
    assert (step.table.session, Ended(Stretch.SESSION, 1) in step.facts) == (2, True)
    assert scenes.end_session(step.table, GRETA).table.is_scene


RULES: dict[str, Callable[[Table, Actor], Step]] = {
    "start scene": scenes.start_scene,
    "end scene": scenes.end_scene,
    "start act": scenes.start_act,
    "end act": scenes.end_act,
    "start session": scenes.start_session,
    "end session": scenes.end_session,
}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(("who", "may"), [(GRETA, True), (ALICE, False), (BOB, False), (ZOE, False)])
def test_only_the_gm_says_what_time_it_is(name: str, who: Actor, may: bool) -> None:
    at = replace(playing(), is_session=name == "end session")
    assert (tried(partial(RULES[name], at, who)) is not None) is may


@pytest.mark.parametrize("name", ["end scene", "end act", "end session"])
def test_what_does_not_run_does_not_end(name: str) -> None:
    with pytest.raises(NotAllowed, match="Example: /"):
        RULES[name](table(), GRETA)


def test_M5_who_is_in_no_part_of_the_group_joins_none() -> None:
    at = CORTEX.put(playing(), replace(CORTEX.of(playing()), split=(("Alice",), ("Bob",))))
    with pytest.raises(NotAllowed, match=r"Rex isn't in any part of the split group: Alice; Bob\."):
        cortex_scenes.join(at, GRETA, "Rex")


def test_a_scene_needs_a_name_that_can_be_seen() -> None:
    with pytest.raises(Unreadable):
        scenes.start_scene(table(), GRETA, "\u200b")


@given(strategies.tables())
def test_C1_after_a_scene_only_signature_assets_are_left(at: Table) -> None:
    done = scenes.scene_ended(at).table
    assert all(trait.signature for _, owner in owners(done) for trait in CORTEX.has(owner).assets.values())
    assert not any(CORTEX.has(owner).is_taken_out for _, owner in owners(done))


@given(strategies.typed(), strategies.typed())
def test_any_text_names_a_scene_or_is_refused(name: str, distinctions: str) -> None:
    done = tried(partial(scenes.start_scene, table(), GRETA, name, distinctions=distinctions))
    assert done is None or all(trait.label for trait in CORTEX.has(done.table.scenery).distinctions.values())
