"""Rolls that mods bend: other effects, sizes, modifiers, hitches, resources apart (N10, N13, N14, N22)."""

from typing import Any

import pytest

from rules.campaign import scenes
from rules.cortex import effects as cortex_effects
from rules.cortex import gm_pools, hitches, outcome, roll, spending, traits
from rules.cortex.facts import EffectRolled, PointsChanged
from rules.cortex.hitches import Way
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.opposition import number_of
from rules.cortex.pool import Die
from rules.cortex.roll import can_roll, roll_effect
from rules.cortex.roll_status import resolve
from rules.cortex.ruleset import (
    ADEPT,
    PRIME,
    ComplicationsPay,
    EffectBy,
    HitchOn,
    NoDieLeft,
    Opposition,
    ResourceUse,
    StepUpD12,
)
from rules.errors import NotAllowed, SettingOff, TooLate, Unreadable
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, FIRE, GRETA, after, faces, having, in_crisis, newest, rolled, table


def bent(**settings: Any) -> Table:
    """A table of prime with these settings, where everybody has 3 PP."""
    return table(replace(PRIME, **settings), pp=3)


def effects(at: Table) -> list[int]:
    """The effect dice of the newest roll that count."""
    return [effect.size for effect in resolve(at, newest(at)).effects]


# N10


@pytest.mark.parametrize(
    ("shown", "vs", "made"),
    [((5, 4, 2), "8", [6]), ((6, 7, 2), "8", [8]), ((6, 8, 2), "4", [10]), ((3, 4, 2), "8", [])],
)
def test_N10_without_effect_dice_a_success_makes_a_d6_a_step_up_for_each_margin(
    shown: tuple[int, ...], vs: str, made: list[int]
) -> None:
    at = rolled(bent(effect=EffectBy.NONE), ALICE, "d6 d8 d10", *shown, vs=vs)
    assert effects(at) == made
    assert resolve(at, newest(at)).counted == ()
    assert outcome.kept(newest(at).hand).effects == ()


def test_N10_all_dice_is_the_sum_of_all_that_are_usable_on_both_sides() -> None:
    at = rolled(bent(effect=EffectBy.ALL_DICE), ALICE, "d6 d8 d10", 1, 4, 9, 5, 6, vs="2d8")
    made = newest(at)
    assert made.against is not None
    assert (outcome.total(made.hand), outcome.difficulty(made.against)) == (13, 11)
    assert (len(outcome.choices(made.hand)), effects(at)) == (1, [6])
    with pytest.raises(NotAllowed, match="Every die"):
        spending.spend_total(at, ALICE, made.number)


def test_N10_a_botch_of_all_dice_is_0() -> None:
    at = rolled(bent(effect=EffectBy.ALL_DICE, modifiers=True), ALICE, "d6 d8 +5", 1, 1, vs="2")
    assert (outcome.total(newest(at).hand), resolve(at, newest(at)).is_failed) == (0, True)


@pytest.mark.parametrize(
    ("again", "size"),
    [((2, 8, 3), 8), ((6, 6, 1), 8), ((5, 1, 5), 10), ((1, 1, 1), 4), ((6, 2, 1), 6)],
)
def test_N10_the_die_that_rolls_highest_again_is_the_effect(again: tuple[int, ...], size: int) -> None:
    at = rolled(bent(effect=EffectBy.ROLLED_AGAIN), ALICE, "d6 d8 d10", 2, 3, 4, vs="5")
    assert (effects(at), can_roll(resolve(at, newest(at)))) == ([], True)
    step = roll_effect(at, ALICE, faces(*again), newest(at).number)
    assert isinstance(step.facts[0], EffectRolled)
    assert step.facts[0].dice == (Die(6), Die(8), Die(10))
    assert effects(step.table) == [size]
    assert outcome.total(newest(step.table).hand) == 7
    with pytest.raises(TooLate, match="already"):
        roll_effect(step.table, ALICE, faces(), newest(at).number)


def test_N10_the_effect_rolled_again_is_stepped_by_the_first_roll() -> None:
    at = rolled(bent(effect=EffectBy.ROLLED_AGAIN), ALICE, "d6 d8", 6, 8, vs="8")
    assert effects(roll_effect(at, ALICE, faces(5, 3), newest(at).number).table) == [8]


def test_N10_a_failure_and_others_roll_no_effect() -> None:
    at = rolled(bent(effect=EffectBy.ROLLED_AGAIN), ALICE, "d6 d8", 2, 3, vs="8")
    with pytest.raises(
        NotAllowed, match=("You only roll for the effect after a success, and that roll isn't a success")
    ):
        roll_effect(at, ALICE, faces(), newest(at).number)
    at = rolled(bent(effect=EffectBy.ROLLED_AGAIN), ALICE, "d6 d8", 5, 6, vs="8")
    with pytest.raises(NotAllowed):
        roll_effect(at, BOB, faces(), newest(at).number)
    with pytest.raises(SettingOff, match="Effect dice aren't rolled again in this campaign") as refused:
        roll_effect(rolled(bent(), ALICE, "d6", 3), ALICE, faces(), 1)
    assert (refused.value.setting, refused.value.value) == ("effect", "rolled again")


def test_N10_no_die_left_may_mean_no_effect() -> None:
    at = rolled(bent(no_die_left=NoDieLeft.NONE), ALICE, "d6 d8", 5, 6, vs="3")
    assert effects(at) == []
    assert effects(rolled(bent(), ALICE, "d6 d8", 5, 6, vs="3")) == [6]
    # A die that could be the effect is then worth more than a higher total (R8).
    at = rolled(bent(no_die_left=NoDieLeft.NONE, lone_die=True), ALICE, "d6 d8", 5, 6, vs="4")
    assert (outcome.total(newest(at).hand), effects(at)) == (5, [8])


def test_N10_K3_a_crisis_die_is_compared_with_the_d6_that_a_success_makes() -> None:
    at = in_crisis(bent(effect=EffectBy.NONE), 4, 8)
    at = rolled(at, ALICE, "2d10", 9, 8, 2, 4, vs="Fire")  # a margin of 11: d10
    hit = cortex_effects.strike(at, ALICE, newest(at).number, 0, "d8").table
    assert gm_pools.dice(hit, FIRE) == (4,)


def test_N10_T5_a_recovery_is_compared_with_it_too() -> None:
    at = having(
        bent(effect=EffectBy.NONE, opposition=Opposition.STATIC),
        "alice",
        TraitKind.COMPLICATION,
        Trait("Cold", 8),
    )
    step = cortex_effects.recover(at, ALICE, faces(8, 7), (TraitKind.COMPLICATION,), "Cold", "2d10")
    done = cortex_effects.apply_recovery(after(step), ALICE, newest(after(step)).number).table
    assert CORTEX.has(done.characters["alice"]).complications["cold"].die == 6  # a d6 is not larger than a d8


def test_N10_no_further_effect_is_bought() -> None:
    at = rolled(bent(effect=EffectBy.NONE), ALICE, "d6 2d8 d10", 5, 4, 3, 2, vs="3")
    with pytest.raises(NotAllowed, match="There's no die left for the effect"):
        spending.spend_effect(at, ALICE, newest(at).number)


# N13


def test_N13_steps_go_along_the_list_of_sizes() -> None:
    at = bent(sizes=(2, 4, 6, 8, 20))
    at = having(at, "alice", TraitKind.COMPLICATION, Trait("Mud", 8), Trait("Old", 12), Trait("Speck", 2))
    held = CORTEX.has(after(traits.step_up(at, ALICE, TraitKind.COMPLICATION, "Mud")).characters["alice"])
    assert held.complications["mud"].die == 20
    # What is off the list goes to it.
    up = CORTEX.has(traits.step_up(at, ALICE, TraitKind.COMPLICATION, "Old").table.characters["alice"])
    down = CORTEX.has(traits.step_down(at, ALICE, TraitKind.COMPLICATION, "Old").table.characters["alice"])
    assert (up.complications["old"].die, down.complications["old"].die) == (20, 8)
    gone = traits.step_down(at, ALICE, TraitKind.COMPLICATION, "Speck").table
    assert "speck" not in CORTEX.has(gone.characters["alice"]).complications


def test_N13_the_largest_acts_as_a_d12_does() -> None:
    at = having(bent(sizes=(4, 6, 8)), "alice", TraitKind.COMPLICATION, Trait("Mud", 8))
    assert CORTEX.has(
        traits.step_up(at, ALICE, TraitKind.COMPLICATION, "Mud").table.characters["alice"]
    ).is_taken_out
    rules = replace(PRIME, sizes=(4, 6, 8), step_up_d12=StepUpD12.NEXT_LOWER)
    at = rolled(table(rules), ALICE, "up d8, d6", 2, 3)
    assert [die.size for die in newest(at).hand.dice] == [8, 8]
    at = rolled(bent(sizes=(4, 6, 8)), ALICE, "up d8", 2, 3)
    assert [die.size for die in newest(at).hand.dice] == [8, 6]
    at = rolled(bent(sizes=(4, 6, 8)), ALICE, "3d8", 8, 7, 2, vs="4")
    assert next((e.size, e.past) for e in resolve(at, newest(at)).effects) == (8, 2)


def test_N13_dice_that_the_table_lacks_are_refused_with_those_it_has() -> None:
    with pytest.raises(Unreadable, match="Use d2, d4, d6 or d20; the GM can add that size"):
        roll.make(bent(sizes=(2, 4, 6, 20)), ALICE, faces(), "d8")
    with pytest.raises(Unreadable, match="Use d4, d6, d8, d10 or d12"):
        roll.make(bent(), ALICE, faces(), "d20")


def test_N13_modifiers_add_up_on_each_side() -> None:
    at = rolled(bent(modifiers=True), ALICE, '2d8, "High ground" +2 -1', 5, 6, 7, 3, vs="2d8 +1")
    made = newest(at)
    assert made.against is not None
    assert (outcome.total(made.hand), outcome.difficulty(made.against)) == (12, 11)
    at = rolled(bent(modifiers=True), ALICE, "2d8 -20", 5, 6, vs="11 -20")
    made = newest(at)
    assert made.against is not None
    assert (outcome.total(made.hand), made.against.number, resolve(at, made).is_failed) == (0, 0, True)


def test_N13_doom_has_its_own_total_changed() -> None:
    rules = replace(ADEPT, modifiers=True)
    at = rolled(table(rules, doom=[6, 8]), ALICE, "2d8", 5, 6, 4, 5, vs="doom -1")
    against = newest(at).against
    assert against is not None
    assert outcome.difficulty(against) == 8


def test_N13_T3_halves_are_rounded_down() -> None:
    at = having(bent(sizes=(3, 6)), "alice", TraitKind.COMPLICATION, Trait("Mud", 3))
    against = newest(rolled(at, ALICE, "2d6", 5, 6, vs="8 + Mud")).against
    assert against is not None
    assert against.number == 9


# N14


def test_N14_two_faces_are_hitches() -> None:
    at = rolled(bent(hitch_on=HitchOn.TWO), ALICE, "2d6 2d8", 2, 1, 3, 8)
    made = newest(at)
    assert (outcome.total(made.hand), cortex_effects.hitches(made)) == (11, (0, 1))
    assert resolve(rolled(bent(hitch_on=HitchOn.TWO), ALICE, "d6 d8", 2, 1), newest(at)).is_botch is False
    botch = rolled(bent(hitch_on=HitchOn.TWO), ALICE, "d6 d8", 2, 1)
    assert resolve(botch, newest(botch)).is_botch


@pytest.mark.parametrize(
    ("pays", "first", "second"),
    [(ComplicationsPay.ONCE, 1, 0), (ComplicationsPay.EACH, 1, 1), (ComplicationsPay.NEVER, 0, 0)],
)
def test_N14_complications_pay_as_the_setting_says(pays: ComplicationsPay, first: int, second: int) -> None:
    at = rolled(bent(complications_pay=pays), ALICE, "3d6 2d8", 1, 1, 3, 4, 5)
    paid = []
    for name in ("Mud", "Rain"):
        step = hitches.buy(at, GRETA, newest(at).number, Way.COMPLICATION, name, 1)
        paid.append(sum(f.after - f.before for f in step.facts if isinstance(f, PointsChanged)))
        at = after(step)
    assert paid == [first, second]


def test_N14_where_nothing_is_paid_no_way_pays() -> None:
    rules = replace(ADEPT, complications_pay=ComplicationsPay.NEVER)
    at = rolled(table(rules, doom=[6]), ALICE, "3d6 2d8", 1, 1, 3, 4, 5)
    assert {each.pp for each in hitches.ways(at, resolve(at, newest(at)))} == {0}


# N22


def wealthy(**settings: Any) -> Table:
    """Alice has two resources, at a table that rolls them apart."""
    at = bent(resources=ResourceUse.APART, **settings)
    return having(at, "alice", TraitKind.RESOURCE, Trait("Wealth", 8), Trait("Crew", 6))


def test_N22_resources_are_rolled_beside_the_pool_and_their_highest_is_added() -> None:
    at = rolled(wealthy(), ALICE, "2d8, Wealth, Crew", 5, 6, 7, 1, vs="10")
    made = newest(at)
    assert outcome.total(made.hand) == 5 + 6 + 7 + 1
    assert cortex_effects.hitches(made) == ()  # a 1 of a resource is none
    assert [die.size for die in made.hand.dice if die.is_usable] == [8, 8]
    held = CORTEX.has(at.characters["alice"]).resources
    assert held["wealth"].spent
    assert held["crew"].spent
    assert not spending.over_limit(made, CORTEX.of(at).ruleset)


def test_N22_a_botch_of_the_other_dice_stays_0() -> None:
    at = rolled(wealthy(), ALICE, "2d8, Wealth", 1, 1, 8, vs="1")
    assert (outcome.total(newest(at).hand), resolve(at, newest(at)).is_botch) == (0, True)
    assert CORTEX.has(at.characters["alice"]).resources["wealth"].spent


def test_N22_what_is_left_is_rolled_after_the_roll_without_a_pp() -> None:
    at = rolled(wealthy(), ALICE, "2d8, Wealth", 5, 6, 3, vs="14")
    assert [one.label for one in spending.resources_left(at, newest(at))] == ["Crew"]
    step = spending.spend_resource(at, ALICE, faces(4), newest(at).number, "Crew")
    assert outcome.total(newest(step.table).hand) == 5 + 6 + 3 + 4
    assert not any(isinstance(fact, PointsChanged) for fact in step.facts)
    assert spending.resources_left(step.table, newest(step.table)) == ()
    with pytest.raises(TooLate, match="spent, or is gone"):
        spending.spend_resource(step.table, ALICE, faces(), newest(at).number, "Crew")


def test_N22_where_resources_are_on_they_are_dice_of_the_pool() -> None:
    at = having(bent(resources=ResourceUse.ON), "alice", TraitKind.RESOURCE, Trait("Wealth", 8))
    at = rolled(at, ALICE, "2d8, Wealth", 5, 6, 1, vs="14")
    assert (outcome.total(newest(at).hand), cortex_effects.hitches(newest(at))) == (11, (2,))


# The margin, and the ladder of difficulties


@pytest.mark.parametrize(("margin", "steps"), [(2, 3), (3, 2), (5, 1), (7, 1), (10, 0)])
def test_R7_the_margin_is_the_tables(margin: int, steps: int) -> None:
    at = rolled(bent(heroic_margin=margin), ALICE, "d6 d8", 6, 8, vs="7")
    how = resolve(at, newest(at)).verdict
    assert how is not None
    assert (how.margin, how.steps) == (7, steps)


def test_T1_difficulties_have_the_tables_numbers() -> None:
    at = bent(opposition=Opposition.STATIC, difficulties=(5, 10, 15, 20, 25))
    assert [number_of(at, name)[0] for name in ("very easy", "hard")] == [5, 20]


def test_an_open_roll_keeps_the_settings_that_it_was_made_with() -> None:
    at = rolled(bent(effect=EffectBy.NONE, heroic_margin=2), ALICE, "d6 d8 d10", 5, 4, 2, vs="4")
    before = resolve(at, newest(at))
    now = CORTEX.put(at, replace(CORTEX.of(at), ruleset=PRIME))
    assert outcome.judged(newest(now)) == outcome.judged(newest(at))
    assert before.verdict is not None
    assert before.verdict.steps == 2


def test_Z1_and_the_end_of_a_scene_know_the_margin() -> None:
    at = after(scenes.start_scene(bent(heroic_margin=3), GRETA, "Docks"))
    at = rolled(at, ALICE, "d6 d8", 6, 8, 5, 6, vs="d6 d8")
    ended = after(scenes.end_scene(at, GRETA))
    assert CORTEX.has(ended.characters["alice"]).hero == {8: 1}
