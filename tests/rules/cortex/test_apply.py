"""Using effect dice: traits, doom, recovery."""

import pytest

from rules.campaign.seats import Actor
from rules.cortex import effects, gmc, outcome, roll
from rules.cortex.effects import apply_recovery, apply_to_doom, can_recover, open_effects, recover
from rules.cortex.gm_pools import doom_dice
from rules.cortex.hitches import ways
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX, Roll
from rules.cortex.roll import against_roll, make
from rules.cortex.roll_status import resolve
from rules.cortex.ruleset import ADEPT, BASES, EMPIRE, HEROIC, PRIME, Ruleset
from rules.errors import NotAllowed, RuleError, Unknown
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
    facing,
    having,
    never,
    pp,
    table,
    tried,
)


def rolled(at: Table, who: Actor, dice: str, *shown: int, vs: str | None = None) -> Table:
    return after(make(at, who, faces(*shown), dice, vs))


def newest(at: Table) -> Roll:
    here = CORTEX.of(at)
    return here.rolls[max(here.rolls)]


WON = rolled(table(), ALICE, "d6 d8 d10", 6, 8, 2, vs="11")
"""Alice has a total of 14 against 11, and an effect of d10."""


@pytest.mark.parametrize(
    ("kind", "what", "on", "owner"),
    [
        (TraitKind.ASSET, "Rope", None, "alice"),
        (TraitKind.ASSET, "Rope", "Bob", "bob"),
        (TraitKind.COMPLICATION, "Blind", "Rex", "rex"),
        (TraitKind.COMPLICATION, "Fire", "scene", "scene"),
        (TraitKind.COMPLICATION, "Blind", "The Wolf", "the wolf"),
    ],
)
def test_C1_an_effect_die_becomes_a_trait_of_its_size(
    kind: TraitKind, what: str, on: str | None, owner: str
) -> None:
    step = answered(ALICE, lambda actor: effects.apply(WON, actor, 1, 0, kind, what, on))
    assert die(step.table, owner, kind, what) == 10


@pytest.mark.parametrize("kind", [TraitKind.COMPLICATION, TraitKind.STRESS])
@pytest.mark.parametrize("at", [table(ADEPT), replace(table(ADEPT), gms={})], ids=["gm", "open"])
def test_T6_a_player_says_on_whom_an_effect_is(kind: TraitKind, at: Table) -> None:
    at = rolled(at, ALICE, "d6 d8 d10", 6, 8, 2, vs="11")
    with pytest.raises(NotAllowed, match=r"Choose a target\. Try Bob, Rex or Scene\."):
        effects.apply(at, ALICE, 1, 0, kind, "Mental")


def test_C5_the_gm_says_on_whom_stress_is() -> None:
    at = rolled(table(ADEPT), ALICE, "d6 d8 d10", 6, 8, 2, vs="11")
    with pytest.raises(NotAllowed, match=r"Stress can only affect a character\. Try Bob"):
        effects.apply(at, GRETA, 1, 0, TraitKind.STRESS, "Mental")


@pytest.mark.parametrize("who", [ALICE, GRETA])
def test_C1_an_asset_is_the_rollers_unless_somebody_is_named(who: Actor) -> None:
    assert (
        die(effects.apply(WON, who, 1, 0, TraitKind.ASSET, "Rope").table, "alice", TraitKind.ASSET, "Rope")
        == 10
    )


@pytest.mark.parametrize(
    ("kind", "what", "owner"),
    [
        (TraitKind.COMPLICATION, "Blind", "alice"),
        (TraitKind.STRESS, "Mental", "alice"),
        (TraitKind.ASSET, "Cover", "scene"),
    ],
)
def test_T6_an_effect_of_the_opposition_hits_who_lost(kind: TraitKind, what: str, owner: str) -> None:
    at = rolled(table(HEROIC), ALICE, "2d6", 2, 3, 8, 7, 4, vs="2d8 d10")
    assert die(effects.apply(at, GRETA, 1, 0, kind, what).table, owner, kind, what) == 12


def test_T6_an_effect_of_the_gm_hits_the_scene_where_their_roll_concerns_nobody() -> None:
    at = after(gmc.roll_doom(table(ADEPT, doom=[6, 6, 8]), GRETA, faces(5, 4, 3)))
    step = effects.apply(at, GRETA, 1, 0, TraitKind.COMPLICATION, "Blind")
    assert die(step.table, "scene", TraitKind.COMPLICATION, "Blind") == 8


@pytest.mark.parametrize("on", ["Bob", "Bob, Alice"])
def test_T6_an_action_has_its_effect_on_who_reacts(on: str) -> None:
    at = after(gmc.roll_doom(table(ADEPT, doom=[6, 6, 8]), GRETA, faces(5, 4, 3), on=on))
    assert effects.open_effects(at, resolve(at, CORTEX.of(at).rolls[1])) == []
    at = after(against_roll(at, BOB, faces(2, 3), 1, "2d6"))
    step = effects.apply(at, GRETA, 2, 0, TraitKind.COMPLICATION, "Blind")
    assert die(step.table, "bob", TraitKind.COMPLICATION, "Blind") == 8


def test_C1_an_asset_of_a_gmcs_roll_is_theirs() -> None:
    at = after(make(table(), GRETA, faces(4, 5, 6), "3d8", who="Rex"))
    assert (
        die(
            effects.apply(at, GRETA, 1, 0, TraitKind.ASSET, "Cover").table,
            "rex",
            TraitKind.ASSET,
            "Cover",
        )
        == 8
    )


def test_R7_an_effect_die_works_once() -> None:
    at = after(effects.apply(WON, ALICE, 1, 0, TraitKind.ASSET, "Rope"))
    assert open_effects(at, resolve(at, newest(at))) == []
    with pytest.raises(
        NotAllowed, match=("That effect die has already been used, or the roll has no effect dice left")
    ):
        effects.apply(at, ALICE, 1, 0, TraitKind.ASSET, "Map")


def test_R4_an_applied_effect_closes_the_choice() -> None:
    at = after(effects.apply(WON, ALICE, 1, 0, TraitKind.ASSET, "Rope"))
    with pytest.raises(NotAllowed, match="applied"):
        roll.choose(at, ALICE, 1, 10, (8,))


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_T6_the_winners_effect_is_the_rollers(who: Actor, may: bool) -> None:
    done = tried(lambda: effects.apply(WON, who, 1, 0, TraitKind.ASSET, "Rope", "Alice"))
    assert (done is not None) is may


@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_R6_a_failure_against_a_number_has_no_effect(rules: Ruleset) -> None:
    at = rolled(table(rules), ALICE, "d6 d8 d10", 2, 3, 2, vs="11")
    with pytest.raises(NotAllowed, match="has already been used, or the roll has no effect dice"):
        effects.apply(at, ALICE, 1, 0, TraitKind.ASSET, "Rope")


@pytest.mark.parametrize(("who", "may"), [(GRETA, True), (ALICE, False), (BOB, False)])
def test_T6_a_resisting_winners_effect_is_the_gms(who: Actor, may: bool) -> None:
    at = rolled(table(HEROIC), ALICE, "2d6", 2, 3, 8, 7, 4, vs="2d8 d10")
    done = tried(lambda: effects.apply(at, who, 1, 0, TraitKind.COMPLICATION, "Blind", "Alice"))
    assert (done is not None) is may
    if done is not None:
        assert die(done.table, "alice", TraitKind.COMPLICATION, "Blind") == 12


def test_C3_an_effect_of_the_same_label_steps_up_what_is_there() -> None:
    at = having(WON, "rex", TraitKind.COMPLICATION, Trait("Blind", 10))
    step = effects.apply(at, ALICE, 1, 0, TraitKind.COMPLICATION, "blind", "Rex")
    assert die(step.table, "rex", TraitKind.COMPLICATION, "Blind") == 12


HEROIC_WIN = rolled(table(), ALICE, "d10 d12 2d12", 10, 12, 2, 3, vs="16")
"""Alice beats 16 by 6 with an effect of d12: one step goes past it."""


def test_R7_a_step_past_d12_takes_the_target_out() -> None:
    at = after(effects.take_out(HEROIC_WIN, ALICE, 1, 0, TraitKind.COMPLICATION, "Blind", "Bob"))
    assert CORTEX.has(at.characters["bob"]).is_taken_out
    assert [effect.size for effect in open_effects(at, resolve(at, newest(at)))] == [12]
    with pytest.raises(NotAllowed, match="can't take anyone out"):
        effects.take_out(at, ALICE, 1, 0, TraitKind.COMPLICATION, "Blind", "Rex")
    at = after(effects.apply(at, ALICE, 1, 0, TraitKind.COMPLICATION, "Blind", "Rex"))
    assert die(at, "rex", TraitKind.COMPLICATION, "Blind") == 12
    assert not CORTEX.has(at.characters["rex"]).is_taken_out
    assert open_effects(at, resolve(at, newest(at))) == []


MORE = rolled(table(), ALICE, "2d12 d12", 12, 9, 2, vs="6")
"""Alice beats 6 by 15 with an effect of d12: three steps go past it."""
OUT, GIVEN = "out", "given"


@pytest.mark.parametrize(
    ("uses", "outs", "sizes"),
    [
        ([(OUT, 0, "Bob")], ["bob"], [12, 8]),
        ([(OUT, 0, "Bob, Rex")], ["bob", "rex"], [12, 6]),
        ([(OUT, 0, "Bob,Rex,Alice")], ["alice", "bob", "rex"], [12]),
        ([(OUT, 0, "Bob"), (OUT, 0, "Rex"), (OUT, 0, "Alice")], ["alice", "bob", "rex"], [12]),
        ([(OUT, 1, "Bob"), (OUT, 1, "Rex")], ["bob", "rex"], [12, 6]),
        ([(GIVEN, 0, "Bob"), (OUT, 1, "Rex"), (OUT, 1, "Alice")], ["alice", "rex"], [6]),
        ([(GIVEN, 0, "Bob"), (OUT, 1, "Bob")], ["bob"], [8]),
        ([(GIVEN, 1, "Bob")], [], [12]),
        ([(OUT, 0, "Bob"), (GIVEN, 1, "Rex")], ["bob"], [12]),
        ([(OUT, 0, "Bob"), (GIVEN, 0, "Rex"), (GIVEN, 1, "Alice")], ["bob"], []),
    ],
)
def test_R7_as_many_takeouts_as_are_said_can_be_taken(
    uses: list[tuple[str, int, str]], outs: list[str], sizes: list[int]
) -> None:
    at = MORE
    for way, place, on in uses:
        do = effects.take_out if way is OUT else effects.apply
        at = after(do(at, ALICE, 1, place, TraitKind.COMPLICATION, "Blind", on))
    assert sorted(who for who, c in at.characters.items() if CORTEX.has(c).is_taken_out) == outs
    assert [effect.size for effect in open_effects(at, resolve(at, newest(at)))] == sizes
    assert tried(lambda: roll.keep_dice(at, ALICE, 1, (0, 2), (1,))) is None  # its dice stay as they are


@pytest.mark.parametrize(
    ("uses", "on", "says"),
    [
        ([], "Bob, Rex, Alice, Bob", "has 3 takeouts left. Choose fewer targets"),
        ([(OUT, 0, "Bob, Rex")], "Bob, Alice", "has 1 takeout left. Choose fewer targets"),
        ([(OUT, 0, "Bob, Rex, Alice")], "Bob", "can't take anyone out"),
        ([(GIVEN, 1, "Bob")], "Bob", "can't take anyone out"),
        ([], "Bob, scene", "A takeout needs"),
        ([], "Bob, Bob", "Bob is already taken out. Choose someone else"),
        ([(OUT, 0, "Rex")], "Alice, rex", "Rex is already taken out"),
    ],
)
def test_R7_no_more_takeouts_than_steps_that_are_left(
    uses: list[tuple[str, int, str]], on: str, says: str
) -> None:
    at = MORE
    for way, place, whom in uses:
        do = effects.take_out if way is OUT else effects.apply
        at = after(do(at, ALICE, 1, place, TraitKind.COMPLICATION, "Blind", whom))
    with pytest.raises(NotAllowed, match=says):
        effects.take_out(at, ALICE, 1, 0, TraitKind.COMPLICATION, "Blind", on)


def test_R7_a_step_past_d12_is_a_further_d6_instead() -> None:
    at = after(effects.apply(HEROIC_WIN, ALICE, 1, 0, TraitKind.COMPLICATION, "Blind", "Bob"))
    assert not CORTEX.has(at.characters["bob"]).is_taken_out
    step = effects.apply(at, ALICE, 1, 1, TraitKind.ASSET, "Rope")
    assert die(step.table, "alice", TraitKind.ASSET, "Rope") == 6


@pytest.mark.parametrize(
    ("kind", "on"),
    [(TraitKind.ASSET, "Bob"), (TraitKind.DISTINCTION, "Bob"), (TraitKind.COMPLICATION, "scene")],
)
def test_R7_only_a_character_is_taken_out_by_a_complication_or_stress(kind: TraitKind, on: str) -> None:
    with pytest.raises(NotAllowed, match="A takeout needs a complication or stress on a character"):
        effects.take_out(HEROIC_WIN, ALICE, 1, 0, kind, "Blind", on)


def test_R7_nobody_is_taken_out_without_a_step_past_d12() -> None:
    with pytest.raises(NotAllowed, match="can't take anyone out"):
        effects.take_out(WON, ALICE, 1, 0, TraitKind.COMPLICATION, "Blind", "Bob")


def test_M7_an_effect_die_of_the_gm_joins_doom() -> None:
    at = rolled(table(ADEPT, doom=[6]), GRETA, "d8 d6 d10", 8, 6, 2)
    step = apply_to_doom(at, GRETA, 1, 0)
    assert doom_dice(step.table) == (6, 10)
    with pytest.raises(
        NotAllowed, match=("That effect die has already been used, or the roll has no effect dice left")
    ):
        apply_to_doom(after(step), GRETA, 1, 0)


def test_M1_an_effect_of_d4_does_not_join_doom() -> None:
    at = rolled(table(ADEPT), GRETA, "d8 d6", 8, 6)
    with pytest.raises(NotAllowed, match="The doom pool can't hold a d4"):
        apply_to_doom(at, GRETA, 1, 0)


@pytest.mark.parametrize(
    ("at", "who", "says"),
    [
        (WON, ALICE, "Only the GM"),
        (WON, GRETA, "The doom pool is off in this campaign"),
        (rolled(table(ADEPT), ALICE, "d8 d6 d10", 8, 6, 2), GRETA, "Only effect dice from the GM's"),
    ],
)
def test_M7_nothing_else_joins_doom(at: Table, who: Actor, says: str) -> None:
    with pytest.raises(NotAllowed, match=says):
        apply_to_doom(at, who, 1, 0)


def hurt(rules: Ruleset, size: int = 8, doom: tuple[int, ...] = ()) -> Table:
    at = having(table(rules, doom=doom), "alice", TraitKind.COMPLICATION, Trait("Leg", size))
    return having(at, "scene", TraitKind.DISTINCTION, Trait("Rain", 6))


def recovering(
    at: Table, *shown: int, vs: str | None = None, dice: str = "2d6 d10", who: Actor = ALICE
) -> Table:
    return after(recover(at, who, faces(*shown), (TraitKind.COMPLICATION,), "Leg", dice, vs, "Alice"))


@pytest.mark.parametrize(("size", "goal"), [(4, 10), (6, 11), (8, 12), (10, 13), (12, 14)])
def test_T5_recovery_is_against_eight_and_half_the_rating(size: int, goal: int) -> None:
    made = newest(recovering(hurt(EMPIRE, size), 2, 2, 2))
    assert made.against is not None
    assert outcome.difficulty(made.against) == goal


@pytest.mark.parametrize(
    ("at", "shown", "against"),
    [
        (hurt(PRIME), (3, 4, 5), [8, 8, 8]),
        (hurt(HEROIC, doom=(6, 10)), (3, 4, 5), [8, 6, 10]),
        (hurt(HEROIC), (3, 4, 5), [8, 8, 8]),
        (hurt(ADEPT, doom=(12,)), (3, 4), [8, 12]),
    ],
)
def test_T5_recovery_is_against_the_trait_with_two_d8_or_doom(
    at: Table, shown: tuple[int, ...], against: list[int]
) -> None:
    made = newest(recovering(at, 2, 2, 2, *shown))
    assert made.against is not None
    assert made.against.hand is not None
    assert [rolled.size for rolled in made.against.hand.dice] == against


@pytest.mark.parametrize(
    ("at", "shown"),
    [(hurt(PRIME), (3, 3, 3, 6)), (hurt(HEROIC, doom=(6, 6)), (3, 3, 3, 6)), (hurt(EMPIRE), ())],
)
def test_T3_what_else_is_in_the_way_of_a_recovery_counts(at: Table, shown: tuple[int, ...]) -> None:
    made = newest(recovering(at, 2, 2, 2, *shown, vs="+ Rain"))
    assert made.against is not None
    assert made.against.plus == ("Rain d6",)
    assert outcome.difficulty(made.against) == (15 if not shown else 9)


def test_T5_a_larger_effect_that_beats_it_ends_the_trait() -> None:
    at = recovering(hurt(PRIME), 6, 5, 2, 2, 3, 4)
    step = apply_recovery(at, ALICE, 1)
    assert die(step.table, "alice", TraitKind.COMPLICATION, "Leg") == 0


@pytest.mark.parametrize(
    ("size", "dice", "shown", "left"),
    [
        (8, "2d10 d8", (7, 7, 2), 6),
        (12, "2d10 d8", (8, 7, 2), 10),
        (12, "2d12 d8", (12, 12, 2), 10),
        (4, "2d8 d4", (6, 5, 2), 0),
    ],
)
def test_T5_an_equal_or_smaller_effect_steps_it_down_and_bars_it(
    size: int, dice: str, shown: tuple[int, ...], left: int
) -> None:
    at = recovering(hurt(EMPIRE, size), *shown, dice=dice)
    done = after(apply_recovery(at, ALICE, 1))
    assert die(done, "alice", TraitKind.COMPLICATION, "Leg") == left
    if left:
        with pytest.raises(
            NotAllowed, match=rf"tried to recover Alice · Leg d{left}\. Wait for the next scene"
        ):
            recovering(done, dice="2d8")


@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_T5_a_failure_steps_it_up_once_for_every_hitch(rules: Ruleset) -> None:
    at = recovering(hurt(rules, doom=(6, 6) if rules.doom else ()), 1, 1, 2, vs="15")
    done = after(apply_recovery(at, ALICE, 1))
    assert die(done, "alice", TraitKind.COMPLICATION, "Leg") == 12
    assert (pp(done, "alice"), ways(done, resolve(done, newest(done)))) == (1, [])
    assert not can_recover(done, resolve(done, newest(done)))


@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_T5_a_failure_against_dice_never_ends_the_trait(rules: Ruleset) -> None:
    at = recovering(hurt(rules), 1, 2, 2, 8, 8, 7, vs="3d8")
    done = apply_recovery(at, ALICE, 1)
    assert die(done.table, "alice", TraitKind.COMPLICATION, "Leg") == 10


@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_T5_a_failure_without_hitches_changes_nothing(rules: Ruleset) -> None:
    at = recovering(hurt(rules), 2, 2, 2, 8, 8, 7, vs="3d8")
    with pytest.raises(NotAllowed, match="That roll has nothing left to recover"):
        apply_recovery(at, ALICE, 1)


@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_T5_a_failed_recovery_leaves_the_opposition_no_effect(rules: Ruleset) -> None:
    made = newest(recovering(hurt(rules), 1, 2, 2, 8, 8, 7, vs="3d8"))
    assert list(outcome.of(made, rules).effects) == []
    assert not outcome.of(made, rules).is_opposed


def test_T5_a_recovery_remembers_whose_trait_it_was() -> None:
    made = newest(recovering(hurt(PRIME), 2, 2, 2, vs="3"))
    assert made.recovery is not None
    assert made.recovery.said == "Alice · Leg"


def test_T5_hitches_of_a_failed_recovery_give_no_pp() -> None:
    failed = recovering(hurt(PRIME), 1, 2, 2, vs="15")
    won = recovering(hurt(PRIME), 1, 6, 9, vs="3")
    assert ways(failed, resolve(failed, newest(failed))) == []
    assert ways(won, resolve(won, newest(won))) != []


@pytest.mark.parametrize("shown", [(1, 2, 2), (6, 5, 2)])
def test_T5_a_second_recovery_waits_until_the_first_is_applied(shown: tuple[int, ...]) -> None:
    at = recovering(hurt(PRIME), *shown, vs="9")
    with pytest.raises(NotAllowed, match=r"Alice has already rolled to recover Alice · Leg d8\. Press Apply"):
        recover(at, BOB, never, (TraitKind.COMPLICATION,), "Leg", "2d6", None, "Alice")


def test_T5_a_failed_recovery_without_hitches_can_be_tried_again() -> None:
    at = recovering(recovering(hurt(PRIME), 2, 2, 2, vs="9"), 6, 5, 2, vs="9")
    assert can_recover(at, resolve(at, newest(at)))


def test_T5_another_trait_is_recovered_meanwhile() -> None:
    at = having(recovering(hurt(PRIME), 1, 2, 2, vs="9"), "alice", TraitKind.COMPLICATION, Trait("Arm", 6))
    assert recover(at, ALICE, faces(2, 2), (TraitKind.COMPLICATION,), "Arm", "2d6", "9")


def test_T5_past_d12_a_failed_recovery_takes_its_owner_out() -> None:
    at = recovering(hurt(PRIME, 12), 1, 2, 2, vs="15")
    assert CORTEX.has(apply_recovery(at, ALICE, 1).table.characters["alice"]).is_taken_out


def test_T5_a_helper_recovers_for_somebody_else() -> None:
    at = recovering(hurt(PRIME), 6, 5, 2, vs="3", who=BOB)
    assert newest(at).who == "Bob"
    assert die(apply_recovery(at, BOB, 1).table, "alice", TraitKind.COMPLICATION, "Leg") == 0


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_T5_the_roller_or_the_gm_applies_a_recovery(who: Actor, may: bool) -> None:
    at = recovering(hurt(PRIME), 6, 5, 2, vs="3")
    assert (tried(lambda: apply_recovery(at, who, 1)) is not None) is may


def test_T5_a_recovery_roll_is_not_used_as_an_effect() -> None:
    at = recovering(hurt(PRIME), 6, 5, 2, vs="3")
    with pytest.raises(NotAllowed):
        effects.apply(at, ALICE, 1, 0, TraitKind.ASSET, "Rope")


def test_T5_what_is_gone_already_cannot_be_recovered() -> None:
    at = recovering(hurt(PRIME), 6, 5, 2, vs="3")
    gone = at.with_owner(
        "alice",
        CORTEX.give(at.characters["alice"], replace(CORTEX.has(at.characters["alice"]), complications={})),
    )
    with pytest.raises(NotAllowed, match="That roll has nothing left to recover"):
        apply_recovery(gone, ALICE, 1)


def test_P1_a_distinction_that_hinders_a_recovery_gives_its_pp() -> None:
    at = having(hurt(PRIME), "alice", TraitKind.DISTINCTION, Trait("Knight", 8))
    assert pp(recovering(at, 2, 2, vs="3", dice="hinder Knight, d6"), "alice") == 2


def test_T5_the_last_pool_recovers_too() -> None:
    at = rolled(hurt(PRIME), ALICE, "d6 d12", 3, 4)
    assert [each.size for each in newest(recovering(at, 2, 2, vs="3", dice="last")).hand.dice] == [6, 12]


@pytest.mark.parametrize("what", ["Arm", "", "x" * 6000])
def test_T5_an_unknown_trait_is_not_recovered(what: str) -> None:
    with pytest.raises(RuleError):
        recover(hurt(PRIME), ALICE, never, (TraitKind.COMPLICATION,), what, "2d6")
    with pytest.raises(Unknown):
        recover(hurt(PRIME), ALICE, never, (TraitKind.STRESS,), "Leg", "2d6")


def test_T6_a_gms_roll_that_was_beaten_has_no_effect_left() -> None:
    at = after(make(table(), GRETA, faces(3, 4), "d6 d8"))
    assert effects.open_effects(at, resolve(at, newest(at)))
    lost = after(against_roll(at, BOB, faces(2, 3), 1, "2d6"))
    assert effects.open_effects(lost, resolve(lost, CORTEX.of(lost).rolls[1]))
    won = after(against_roll(at, BOB, faces(6, 6), 1, "2d6"))
    assert not effects.open_effects(won, resolve(won, CORTEX.of(won).rolls[1]))


def test_T6_one_attack_hits_once_where_the_winner_counts() -> None:
    at = after(make(table(HEROIC), GRETA, faces(5, 6, 4), "d6 d8 d10"))
    at = after(effects.apply(at, GRETA, 1, 0, TraitKind.COMPLICATION, "Hurt", "Bob"))
    at = after(against_roll(at, BOB, faces(2, 3), 1, "2d6"))
    assert not effects.open_effects(at, resolve(at, newest(at)))


def test_T6_an_effect_against_a_gmc_hits_them_where_nobody_is_named() -> None:
    at = facing(table(), "Rex", "Fangs d8")
    at = after(make(at, ALICE, faces(6, 8, 7, 2), "d6 d8 d10", "Rex"))
    step = effects.apply(at, ALICE, 1, 0, TraitKind.COMPLICATION, "Hurt")
    assert "hurt" in CORTEX.has(step.table.characters["rex"]).complications
    assert (
        "rope"
        in CORTEX.has(
            effects.apply(at, ALICE, 1, 0, TraitKind.ASSET, "Rope").table.characters["alice"]
        ).assets
    )
