"""Effect dice used on what they were rolled against."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.seats import Actor
from rules.cortex import effects, gm_pools, spending
from rules.cortex.effects import (
    is_direct,
    open_effects,
    sizes,
    strike,
    take_out,
    takeouts_left,
    takes_die,
    target_of,
)
from rules.cortex.facts import Called, Over, RollChanged
from rules.cortex.gmc import roll_pool
from rules.cortex.kinds import Ending, Foe, Rank, Target, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.roll import against_roll, make
from rules.cortex.roll_status import resolve
from rules.cortex.ruleset import ADEPT, HEROIC
from rules.dice import SIZES, down
from rules.errors import NotAllowed, RuleError, TooLate, Unknown
from rules.table import Table
from rules.values import replace
from tests.rules.people import (
    ALICE,
    BOB,
    FIRE,
    GRETA,
    REX,
    ZOE,
    after,
    die,
    faces,
    facing,
    having,
    in_crisis,
    newest,
    table,
    tried,
)


def won(at: Table, vs: str = "Fire", dice: str = "2d12 d8", shown: tuple[int, ...] = (12, 11, 2)) -> Table:
    """Alice beats it by 3 with an effect of d8: its dice show ones, and 20 is against her besides."""
    target = FIRE if vs == "Fire" else REX
    pool = gm_pools.dice(at, target)
    traits = len(CORTEX.has(at.characters["rex"]).sheet) if target == REX else 0
    rolled = faces(*shown, *[1] * (len(pool) + traits))
    made = after(make(at, ALICE, rolled, dice, vs))
    hand = newest(made).against
    assert hand is not None
    return CORTEX.put(
        made,
        replace(
            CORTEX.of(made),
            rolls={newest(made).number: replace(newest(made), against=replace(hand, number=20))},
        ),
    )


def left(at: Table, pool: Target = FIRE) -> tuple[int, ...]:
    return gm_pools.dice(at, pool) if gm_pools.is_there(at, pool) else ()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("foe", [FIRE, REX], ids=["crisis", "mob"])
def test_K3_B2_an_effect_of_d8_removes_what_is_smaller_and_steps_down_the_rest(
    foe: Target, size: int
) -> None:
    at = in_crisis(table(), size, size) if foe is FIRE else facing(table(), "Rex", f"2d{size}", Rank.MOB)
    step = strike(won(at, "Fire" if foe is FIRE else "Rex"), ALICE, 1, 0)
    assert left(step.table, foe) == tuple(sorted((size, *([] if size < 8 else [down(size)]))))
    assert isinstance(step.facts[-1], RollChanged)


def test_K3_a_failure_leaves_the_pool_as_it_is() -> None:
    at = after(make(in_crisis(table(), 6, 8), ALICE, faces(2, 3, 6, 7), "2d6", "Fire"))
    assert target_of(at, resolve(at, newest(at))) is None
    for who in (ALICE, GRETA):
        with pytest.raises(RuleError):
            strike(at, who, 1, 0)


def test_K3_a_tie_is_a_failure() -> None:
    at = after(make(in_crisis(table(), 6, 8), ALICE, faces(5, 6, 5, 6), "2d6", "Fire"))
    assert target_of(at, resolve(at, newest(at))) is None


def test_K3_the_die_is_chosen() -> None:
    at = won(in_crisis(table(), 6, 8, 8, 12))
    assert sizes(at, newest(at), FIRE) == (12, 8, 6)
    assert not is_direct(at, resolve(at, newest(at)), 0)
    with pytest.raises(NotAllowed, match=r"Choose a die of Crisis Fire to hit. It has d6 d8 d12.$"):
        strike(at, ALICE, 1, 0)
    with pytest.raises(NotAllowed, match="Choose a die of Crisis Fire to hit"):
        strike(at, ALICE, 1, 0, "d10")
    assert left(strike(at, ALICE, 1, 0, "d6").table) == (8, 8, 12)
    assert left(strike(at, ALICE, 1, 0, "8").table) == (6, 6, 8, 12)


@pytest.mark.parametrize("typed", ["", "d20", "fish"])
def test_K3_what_is_no_die_is_not_hit(typed: str) -> None:
    with pytest.raises(RuleError):
        strike(won(in_crisis(table(), 6, 8)), ALICE, 1, 0, typed)


def test_K3_no_dice_left_resolves_the_crisis() -> None:
    step = strike(won(in_crisis(table(), 4)), ALICE, 1, 0)
    assert (
        CORTEX.of(step.table).crises,
        Over(Called(Foe.CRISIS, "Fire"), Ending.RESOLVED, "Alice") in step.facts,
    ) == ({}, True)


def further(at: Table) -> Table:
    """Alice has effects of d8 and d8."""
    made = won(at, dice="2d12 2d8", shown=(12, 11, 2, 2))
    return after(spending.spend_effect(made, ALICE, 1))


def test_K3_a_further_effect_die_goes_to_another_die() -> None:
    at = further(in_crisis(table(), 8, 8))
    assert [effect.size for effect in open_effects(at, resolve(at, newest(at)))] == [8, 8]
    at = after(strike(at, ALICE, 1, 0))
    assert (left(at), sizes(at, newest(at), FIRE)) == ((6, 8), (8,))
    assert left(strike(at, ALICE, 1, 1).table) == (6, 6)
    with pytest.raises(NotAllowed, match="Choose a die of Crisis Fire to hit"):
        strike(at, ALICE, 1, 1, "d6")


def test_K3_a_die_of_the_size_that_another_fell_to_can_still_be_hit() -> None:
    at = after(strike(further(in_crisis(table(), 6, 8)), ALICE, 1, 0, "d8"))
    assert (left(at), sizes(at, newest(at), FIRE)) == ((6, 6), (6,))
    assert left(strike(at, ALICE, 1, 1).table) == (6,)


def test_K3_with_no_other_die_there_is_nothing_left_to_hit() -> None:
    at = after(strike(further(in_crisis(table(), 8)), ALICE, 1, 0))
    assert left(at) == (6,)
    assert target_of(at, resolve(at, newest(at))) is None
    with pytest.raises(NotAllowed, match="There's nothing left for this effect die to hit"):
        strike(at, ALICE, 1, 1)


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_K3_only_the_roller_and_the_gm_use_the_effect(who: Actor, may: bool) -> None:
    assert (tried(lambda: strike(won(in_crisis(table(), 8)), who, 1, 0)) is not None) is may


def test_K3_of_two_who_press_at_once_the_second_hears_who_was_first() -> None:
    at = after(strike(won(in_crisis(table(), 8, 8)), ALICE, 1, 0))
    with pytest.raises(TooLate, match=r"Alice got there first\. That effect die has already been used"):
        strike(at, GRETA, 1, 0)
    at = after(effects.apply(won(in_crisis(table(), 8, 8)), ALICE, 1, 0, TraitKind.ASSET, "Rope"))
    with pytest.raises(TooLate, match="Alice got there first"):
        strike(at, ALICE, 1, 0)


def test_K3_what_is_over_or_off_meanwhile_is_not_hit() -> None:
    at = won(in_crisis(table(), 8, 8))
    here = CORTEX.of(at)
    for gone in (
        after(gm_pools.end(at, GRETA, Foe.CRISIS)),
        CORTEX.put(at, replace(here, ruleset=HEROIC)),
        CORTEX.put(at, replace(here, crises={})),
    ):
        assert target_of(gone, resolve(gone, newest(gone))) is None
        assert not is_direct(gone, resolve(gone, newest(gone)), 0)
        with pytest.raises(NotAllowed, match="nothing left"):
            strike(gone, ALICE, 1, 0)
    with pytest.raises(Unknown, match="That roll is closed"):
        strike(CORTEX.put(at, replace(here, rolls={})), ALICE, 1, 0)


def test_K3_a_roll_against_the_gms_roll_of_a_crisis_hits_it_too() -> None:
    at = after(roll_pool(in_crisis(table(), 8, 8), GRETA, faces(2, 3), Foe.CRISIS))
    at = after(against_roll(at, ALICE, faces(4, 5, 2), 1, "3d8"))
    assert left(strike(at, ALICE, 2, 0).table) == (6, 8)


def test_M9_an_effect_never_removes_doom_dice() -> None:
    at = after(make(table(ADEPT, doom=[6, 6]), ALICE, faces(8, 7, 2, 1, 1), "3d8", "doom"))
    assert target_of(at, resolve(at, newest(at))) is None
    with pytest.raises(NotAllowed, match="nothing left"):
        strike(at, ALICE, 1, 0)


@pytest.mark.parametrize("rank", [Rank.EXTRA, Rank.MINOR])
def test_B2_a_gmc_with_traits_alone_has_no_die_to_hit(rank: Rank) -> None:
    at = won(facing(table(), "Rex", "Fangs d8", rank), "Rex")
    assert target_of(at, resolve(at, newest(at))) is None
    step = effects.apply(at, ALICE, 1, 0, TraitKind.COMPLICATION, "Mud", "Rex")
    assert die(step.table, "rex", TraitKind.COMPLICATION, "Mud") == 8


def test_B1_a_boss_is_hit_as_by_a_complication_at_one_press() -> None:
    at = won(facing(table(), "Rex", "Fangs d8, 3d8", Rank.BOSS), "Rex")
    assert is_direct(at, resolve(at, newest(at)), 0)
    step = strike(at, ALICE, 1, 0)
    assert (left(step.table, REX), die(step.table, "rex", TraitKind.COMPLICATION, "Trouble")) == (
        (8, 8, 8),
        8,
    )
    at = having(at, "rex", TraitKind.COMPLICATION, Trait("Net", 4), Trait("Mud", 6))
    step = strike(at, ALICE, 1, 0)
    assert (left(step.table, REX), die(step.table, "rex", TraitKind.COMPLICATION, "Mud")) == ((8, 8, 8), 8)
    at = having(at, "rex", TraitKind.COMPLICATION, Trait("Mud", 8))
    step = strike(at, ALICE, 1, 0)
    assert (left(step.table, REX), die(step.table, "rex", TraitKind.COMPLICATION, "Mud")) == ((8, 8), 0)


def beaten(at: Table, vs: str, sizes: int) -> Table:
    """Alice has 23, with an effect of d12, against dice that show 8 and 9, and the rest 1."""
    return after(make(at, ALICE, faces(12, 11, 2, 8, 9, *[1] * (sizes - 2)), "3d12", vs))


def takes_boss_die(at: Table) -> bool:
    """Whether the first effect of the newest roll takes a boss die."""
    came = resolve(at, newest(at))
    return takes_die(at, came, open_effects(at, came)[0], REX)


def test_B1_an_effect_past_d12_takes_a_die_of_a_d12_boss_and_is_used_up() -> None:
    at = beaten(facing(table(), "Rex", "3d12", Rank.BOSS), "Rex", 3)
    assert [e.size for e in open_effects(at, resolve(at, newest(at)))] == [12, 6]
    assert takes_boss_die(at)
    at = after(strike(at, ALICE, 1, 0))
    assert (left(at, REX), CORTEX.has(at.characters["rex"]).complications) == ((12, 12), {})
    assert open_effects(at, resolve(at, newest(at))) == []


def test_B1_an_unstepped_d12_is_a_complication_of_a_d12_boss() -> None:
    at = facing(table(), "Rex", "3d12", Rank.BOSS)
    at = after(make(at, ALICE, faces(12, 11, 2, 12, 9, 1), "3d12", "Rex"))
    assert not takes_boss_die(at)
    at = after(strike(at, ALICE, 1, 0))
    assert (left(at, REX), die(at, "rex", TraitKind.COMPLICATION, "Trouble")) == ((12, 12, 12), 12)


def test_B1_a_step_past_d12_that_is_used_first_takes_a_die_and_leaves_the_d12() -> None:
    at = beaten(facing(table(), "Rex", "3d12", Rank.BOSS), "Rex", 3)
    at = after(strike(at, ALICE, 1, 1))
    assert left(at, REX) == (12, 12)
    assert not takes_boss_die(at)
    at = after(strike(at, ALICE, 1, 0))
    assert (left(at, REX), die(at, "rex", TraitKind.COMPLICATION, "Trouble")) == ((12, 12), 12)
    assert open_effects(at, resolve(at, newest(at))) == []


@pytest.mark.parametrize(
    ("boss", "past", "taken"),
    [
        ("3d8", 2, 3),
        ("3d8", 1, 2),
        ("4d8", 3, 4),
        ("4d8", 0, 1),
        ("5d10", 4, 5),
        ("4d12", 1, 1),
        ("4d12", 2, 2),
        ("4d12", 0, 0),
        ("2d4", 3, 2),
    ],
)
@pytest.mark.parametrize("way", ["strike", "take out"])
def test_B1_R7_each_step_past_d12_takes_a_boss_die_beside_the_effect_itself(
    boss: str, past: int, taken: int, way: str
) -> None:
    at = facing(table(), "Rex", boss, Rank.BOSS)
    count = int(boss[0])
    low = [1] * count  # the boss's total is 0, so each 5 of Alice's is a step
    high = {0: (2, 2), 1: (4, 4), 2: (6, 6), 3: (9, 8), 4: (12, 10)}[past]
    at = after(make(at, ALICE, faces(*high, 2, *low), "3d12", "Rex"))
    assert sum(e.past for e in resolve(at, newest(at)).effects) == past
    while "rex" in at.characters and (there := open_effects(at, resolve(at, newest(at)))):
        if way == "take out" and takeouts_left(resolve(at, newest(at))):
            at = after(take_out(at, ALICE, 1, there[-1].place, TraitKind.COMPLICATION, "Mud", "Rex"))
        else:
            at = after(strike(at, ALICE, 1, there[0].place))
    assert count - (len(left(at, REX)) if "rex" in at.characters else 0) == taken


def test_K3_a_step_past_d12_takes_a_d12_and_is_used_up_but_not_by_a_smaller_die() -> None:
    at = beaten(in_crisis(table(), 12, 12, 8), "Fire", 3)
    gone = after(strike(at, ALICE, 1, 0, "d12"))
    assert (left(gone), open_effects(gone, resolve(gone, newest(gone)))) == ((8, 12), [])
    gone = after(strike(at, ALICE, 1, 0, "d8"))
    assert (left(gone), [e.size for e in open_effects(gone, resolve(gone, newest(gone)))]) == ((12, 12), [6])


def test_B1_the_last_die_of_a_boss_defeats_it() -> None:
    step = strike(won(facing(table(), "Rex", "d6", Rank.BOSS), "Rex"), ALICE, 1, 0)
    assert "rex" not in step.table.characters
    assert Over(Called(Foe.GMC, "Rex"), Ending.DEFEATED, "Alice") in step.facts


def test_is_direct_for_an_effect_that_is_there_and_one_size_alone() -> None:
    at = won(in_crisis(table(), 8, 8))
    assert [is_direct(at, resolve(at, newest(at)), place) for place in (0, 1)] == [True, False]
    assert not is_direct(won(in_crisis(table(), 6, 8)), resolve(won(in_crisis(table(), 6, 8)), newest(at)), 0)


@given(
    st.lists(st.sampled_from(SIZES), min_size=1, max_size=6),
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from(SIZES)), max_size=6),
    st.sampled_from([FIRE, REX]),
)
def test_K3_each_effect_die_hits_another_die_once(
    dice: list[int], hits: list[tuple[int, int]], foe: Target
) -> None:
    mob = facing(table(), "Rex", f"{len(dice)}d{dice[0]}", Rank.MOB)
    at = won(in_crisis(mob, *dice), "Fire" if foe is FIRE else "Rex", "2d12 3d8", (12, 12, 2, 2, 2))
    at = at.with_owner(
        "alice", CORTEX.give(at.characters["alice"], replace(CORTEX.has(at.characters["alice"]), pp=2))
    )
    at = after(spending.spend_effect(after(spending.spend_effect(at, ALICE, 1)), ALICE, 1))
    fallen = 0
    before = left(at, foe)
    for place, size in hits:
        done = tried(lambda: strike(at, ALICE, 1, place, f"d{size}"))  # noqa: B023
        if done is None:
            continue
        at = after(done)
        fallen += 1
        assert len(left(at, foe)) >= len(before) - fallen
        assert sum(left(at, foe)) < sum(before)
    assert fallen <= min(3, len(before))
    assert len(CORTEX.of(at).rolls[1].applied) == fallen
