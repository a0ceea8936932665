"""Bosses: dice that go one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex import effects, gm_pools, gmc, traits
from rules.cortex.facts import Called, Over, TakenOut
from rules.cortex.kinds import Ending, Foe, Rank, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.roll import make
from rules.cortex.ruleset import ADEPT, HEROIC
from rules.dice import SIZES
from rules.table import Table
from tests.rules.people import ALICE, GRETA, after, die, faces, facing, having, newest, table

HARMS = [TraitKind.COMPLICATION, TraitKind.STRESS]


def bossy(size: int = 10, count: int = 4) -> Table:
    return facing(table(ADEPT), "Rex", f"Fangs d8, {count}d{size}", Rank.BOSS)


def left(at: Table) -> int:
    """How many boss dice Rex has; 0 when defeated."""
    return sum(CORTEX.has(at.characters["rex"]).pool.values()) if "rex" in at.characters else 0


@pytest.mark.parametrize("kind", HARMS)
def test_B1_three_effects_of_d8_under_one_label_knock_one_d10_off(kind: TraitKind) -> None:
    at = bossy()
    for size in (8, 10):
        at = traits.gained(at, "rex", kind, "Physical", 8).table
        assert (die(at, "rex", kind, "Physical"), left(at)) == (size, 4)
    at = traits.gained(at, "rex", kind, "Physical", 8).table
    assert (die(at, "rex", kind, "Physical"), left(at)) == (0, 3)


def test_B1_the_same_by_rolls_that_hit_the_boss() -> None:
    at = bossy()
    for size, dice in ((8, 4), (10, 4), (0, 3)):
        shown = faces(6, 7, 2, *(1, 5, 5, 2, 1))
        at = after(make(at, ALICE, shown, "d6 d8 d8", "Rex"))
        at = after(effects.strike(at, ALICE, newest(at).number, 0))
        held = CORTEX.has(at.characters["rex"]).complications
        assert (max((t.die for t in held.values()), default=0), left(at)) == (size, dice)


@pytest.mark.parametrize("kind", HARMS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("effect", SIZES)
def test_B1_only_what_is_larger_than_the_boss_die_knocks_one_off(
    kind: TraitKind, size: int, effect: int
) -> None:
    at = traits.gained(bossy(size, 2), "rex", kind, "Physical", effect).table
    is_larger = effect > size
    assert (die(at, "rex", kind, "Physical"), left(at)) == (0 if is_larger else effect, 2 - is_larger)


@pytest.mark.parametrize("kind", HARMS)
@pytest.mark.parametrize(
    ("size", "there", "new", "stays"),
    [
        (8, 6, 6, 8),
        (8, 8, 4, 0),
        (8, 6, 10, 0),
        (12, 10, 10, 12),
        (12, 12, 6, 0),
        (12, 10, 12, 12),
        (4, 4, 4, 0),
    ],
)
def test_B1_stepped_up_past_the_boss_die_it_goes_too(
    kind: TraitKind, size: int, there: int, new: int, stays: int
) -> None:
    at = having(bossy(size, 3), "rex", kind, Trait("Physical", there), Trait("Mental", 4))
    at = traits.gained(at, "rex", kind, "Physical", new).table
    assert (die(at, "rex", kind, "Physical"), left(at)) == (stays, 2 if not stays else 3)
    assert die(at, "rex", kind, "Mental") == 4


@pytest.mark.parametrize("steps", [1, 2, 3, 5])
def test_B1_several_steps_at_once_knock_one_die_off(steps: int) -> None:
    at = having(bossy(8), "rex", TraitKind.COMPLICATION, Trait("Mud", 8))
    step = traits.step_up(at, GRETA, TraitKind.COMPLICATION, "Mud", steps, "Rex")
    assert (die(step.table, "rex", TraitKind.COMPLICATION, "Mud"), left(step.table)) == (0, 3)


@pytest.mark.parametrize("kind", [TraitKind.ASSET, TraitKind.DISTINCTION, TraitKind.TRAUMA])
def test_B1_nothing_else_knocks_a_die_off(kind: TraitKind) -> None:
    at = traits.gained(bossy(6), "rex", kind, "Physical", 12).table
    assert (die(at, "rex", kind, "Physical"), left(at)) == (12, 4)


@pytest.mark.parametrize("kind", HARMS)
@pytest.mark.parametrize("there", [0, 6])
def test_B1_a_takeout_knocks_one_die_off_and_takes_nobody_out(kind: TraitKind, there: int) -> None:
    at = bossy(12)
    at = having(at, "rex", kind, Trait("Physical", there)) if there else at
    at = after(make(at, ALICE, faces(10, 12, 2, 3), "d10 d12 2d12", "16"))
    step = effects.take_out(at, ALICE, 1, 0, kind, "Physical", "Rex")
    assert (die(step.table, "rex", kind, "Physical"), left(step.table)) == (0, 3)
    assert not CORTEX.has(step.table.characters["rex"]).is_taken_out
    assert not [fact for fact in step.facts if isinstance(fact, TakenOut)]


def test_B1_past_d12_a_boss_of_d12_loses_a_die_and_no_trauma_comes() -> None:
    at = having(facing(table(HEROIC), "Rex", "2d12"), "rex", TraitKind.STRESS, Trait("Physical", 12))
    step = traits.step_up(at, GRETA, TraitKind.STRESS, "Physical", 1, "Rex")
    assert (left(step.table), CORTEX.has(step.table.characters["rex"]).stress) == (1, {})
    assert CORTEX.has(step.table.characters["rex"]).trauma == {}


def test_B1_without_dice_the_boss_is_defeated_and_gone() -> None:
    step = traits.gained(bossy(8, 1), "rex", TraitKind.COMPLICATION, "Mud", 10)
    assert step.facts[-1] == Over(Called(Foe.GMC, "Rex"), Ending.DEFEATED)
    assert "rex" not in step.table.characters


@pytest.mark.parametrize("rank", [Rank.EXTRA, Rank.MINOR, Rank.MAJOR, None])
def test_B1_C4_who_is_no_boss_is_taken_out(rank: Rank | None) -> None:
    at = table() if rank is None else facing(table(), "Rex", "Fangs d8", rank)
    at = having(at, "rex", TraitKind.COMPLICATION, Trait("Mud", 12))
    assert not gm_pools.is_boss(at, "rex")
    assert CORTEX.has(
        traits.gained(at, "rex", TraitKind.COMPLICATION, "Mud", 4).table.characters["rex"]
    ).is_taken_out


def test_B1_neither_the_scene_nor_a_player_is_a_boss() -> None:
    assert not gm_pools.is_boss(bossy(), "scene")
    assert not gm_pools.is_boss(bossy(), "alice")
    assert gm_pools.is_boss(bossy(), "rex")


def test_B1_a_failed_recovery_of_the_bosss_trait_may_knock_a_die_off() -> None:
    at = having(bossy(8), "rex", TraitKind.COMPLICATION, Trait("Mud", 8))
    shown = faces(1, 1, 8, 8, 8)
    at = after(effects.recover(at, ALICE, shown, (TraitKind.COMPLICATION,), "Mud", "2d6", None, "Rex"))
    at = after(effects.apply_recovery(at, GRETA, 1))
    assert (die(at, "rex", TraitKind.COMPLICATION, "Mud"), left(at)) == (0, 3)


@given(
    st.sampled_from(SIZES),
    st.lists(st.tuples(st.sampled_from(["Mud", "Net"]), st.sampled_from(SIZES)), max_size=12),
)
def test_B1_the_boss_loses_a_die_for_each_effect_that_exceeds_it_and_holds_none_larger(
    size: int, effects: list[tuple[str, int]]
) -> None:
    at = bossy(size, 6)
    held: dict[str, int] = {}
    dice = 6
    for label, effect in effects:
        if not dice:
            break
        at = after(gmc.hit(at, GRETA, "Rex", f"d{effect}", label))
        old = held.pop(label, 0)
        now = effect if effect > old else old + 2
        dice -= now > size
        held.update({} if now > size else {label: now})
        assert left(at) == dice
        if dice:
            assert {t.label: t.die for t in CORTEX.has(at.characters["rex"]).complications.values()} == held


def test_B1_an_effect_without_a_label_gathers_on_the_largest_complication() -> None:
    at = having(bossy(), "rex", TraitKind.COMPLICATION, Trait("Mud", 6), Trait("Net", 8))
    assert effects.label_on(at, "rex") == "Net"
    assert effects.label_on(bossy(), "rex") == "Trouble"
    assert die(gmc.hit(at, GRETA, "Rex", "d6").table, "rex", TraitKind.COMPLICATION, "Net") == 10
