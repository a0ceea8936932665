"""Paying for more out of a roll."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.seats import Actor
from rules.cortex import doom, effects, gm_pools, gmc, outcome, reroll, roll, spending
from rules.cortex.facts import RollChanged, VerdictChanged
from rules.cortex.gm_pools import doom_dice
from rules.cortex.kinds import Foe, Result, Trait, TraitKind, Use
from rules.cortex.model import CORTEX, Against, CortexTable, Hand, Roll
from rules.cortex.roll import make
from rules.cortex.roll_status import resolve
from rules.cortex.ruleset import ADEPT, HEROIC, PRIME, Ruleset
from rules.dice import Throw
from rules.errors import NotAllowed, RuleError, TooLate, Undecided
from rules.table import Table
from rules.values import replace
from tests import strategies
from tests.rules.people import (
    ALICE,
    BOB,
    GRETA,
    ZOE,
    after,
    answered,
    faces,
    having,
    in_crisis,
    never,
    newest,
    pp,
    rolled,
    table,
    tried,
)


def opposed() -> Table:
    """The GM has a total of 9 (6 and 3), and a 2 beside it; Alice has rolled 11 against it."""
    at = rolled(table(ADEPT, doom=[6, 8]), GRETA, "d6 2d8", 6, 3, 2)
    return after(roll.against_roll(at, ALICE, faces(5, 6, 3), 1, "2d6 d8"))


ROPE, MAP, KEY = (Trait(label, 6) for label in ("Rope", "Map", "Key"))
LEG, RAGE = Trait("Leg", 6), Trait("Rage", 8)
KNIGHT, LIAR = Trait("Knight", 8), Trait("Liar", 8)


def test_P2_a_pp_buys_one_more_die_in_the_total() -> None:
    at = rolled(table(), ALICE, "d6 d8 d10", 3, 4, 5)
    step = spending.spend_total(at, ALICE, 1)
    assert (outcome.total(newest(at).hand), outcome.total(newest(step.table).hand)) == (9, 12)
    assert pp(step.table, "alice") == 0


def test_M4_only_the_gm_pays_for_an_sfx_of_a_gmc() -> None:
    with pytest.raises(NotAllowed, match=r"Only the GM can use a GMC\'s SFX. GM here: Greta\."):
        spending.spend_sfx(rolled(table(), ALICE, "d6 d8", 3, 4), ALICE, 1)


@pytest.mark.parametrize(
    ("dice", "shown", "vs", "rules", "total", "is_asked", "agreed"),
    [
        ("d6 d8 d10", (6, 8, 2), None, PRIME, 16, False, 0),
        ("d6 d8 d10 d6", (6, 7, 2, 3), "11", PRIME, 16, False, 0),
        ("d6 d8 d10 d6", (6, 7, 2, 2), "11", PRIME, 15, False, 0),
        ("d6 d8 d10", (6, 8, 2), "11", PRIME, 0, True, 16),
        ("d6 d8 d10", (6, 8, 2), "15", PRIME, 16, False, 0),
        ("4d6", (6, 5, 4, 3), "11", PRIME, 15, False, 0),
        ("d6 d8 d12", (2, 3, 4), "3", HEROIC, 0, True, 9),
        ("4d8", (2, 3, 4, 5), "3", PRIME, 12, False, 0),
    ],
    ids=[
        "no opposition",
        "becomes heroic",
        "same effect",
        "no die left",
        "fails",
        "for R7",
        "heroic",
        "steps",
    ],
)
def test_P2_R8_another_die_changes_what_is_kept_or_says_before_that_it_will_not(
    dice: str, shown: tuple[int, ...], vs: str | None, rules: Ruleset, total: int, is_asked: bool, agreed: int
) -> None:
    at = rolled(table(rules), ALICE, dice, *shown, vs=vs)
    if not is_asked:
        step = spending.spend_total(at, ALICE, 1)
        assert (outcome.total(newest(step.table).hand), pp(step.table, "alice")) == (total, 0)
        return
    was = outcome.total(newest(at).hand)
    with pytest.raises(Undecided, match=f"The best choice is still total {was}, effect") as asked:
        spending.spend_total(at, ALICE, 1)
    assert [str(answer.label) for answer in asked.value.answers] == [f"Keep total {agreed}"]
    step = answered(ALICE, lambda actor: spending.spend_total(at, actor, 1))
    assert (outcome.total(newest(step.table).hand), pp(step.table, "alice")) == (agreed, 0)
    with pytest.raises(NotAllowed, match="Alice has none"):
        answered(ALICE, lambda actor: spending.spend_total(poor(at), actor, 1))


def poor(at: Table) -> Table:
    alice = at.characters["alice"]
    return at.with_owner("alice", CORTEX.give(alice, replace(CORTEX.has(alice), pp=0)))


def test_P2_a_pp_buys_one_more_effect_die() -> None:
    at = rolled(table(), ALICE, "d6 d8 d10 d12", 6, 7, 2, 3)
    step = spending.spend_effect(at, ALICE, 1)
    assert outcome.kept(newest(step.table).hand).effects == (12, 10)
    assert pp(step.table, "alice") == 0


def how(made: Roll) -> tuple[int, Result, int]:
    """What a roll had to beat, how it went, and by how much."""
    found = outcome.verdict(made)
    assert found is not None
    return found.difficulty, found.result, found.margin


def test_M4_a_die_bought_for_a_gms_roll_reaches_whoever_rolled_against_it() -> None:
    step = spending.spend_total(opposed(), GRETA, 1)
    made = newest(step.table)
    assert how(made)[:2] == (11, Result.FAILURE)
    now = outcome.verdict(made)
    assert now is not None
    assert step.facts[-2:] == (VerdictChanged(made.who, now), RollChanged(made))


def test_M4_doom_spent_on_a_gms_roll_reaches_whoever_rolled_against_it() -> None:
    at = opposed()
    at = CORTEX.put(at, replace(CORTEX.of(at), rolls={2: CORTEX.of(at).rolls[2], 1: CORTEX.of(at).rolls[1]}))
    step = doom.spend(at, GRETA, never, "d6", Use.TOTAL)
    assert how(CORTEX.of(step.table).rolls[2]) == (11, Result.FAILURE, 0)
    step = doom.spend(at, GRETA, faces(6), "d6", Use.DIE)
    assert how(CORTEX.of(step.table).rolls[2]) == (12, Result.FAILURE, -1)


def test_D8_a_reroll_of_a_gms_roll_reaches_whoever_rolled_against_it() -> None:
    at = opposed()
    at = CORTEX.put(at, replace(CORTEX.of(at), ruleset=replace(CORTEX.of(at).ruleset, reroll_for_pp=True)))
    step = reroll.reroll_at(at, GRETA, faces(8), 1, (1,))
    assert how(newest(step.table)) == (14, Result.FAILURE, -3)


def test_R4_another_choice_of_a_gms_roll_reaches_whoever_rolled_against_it() -> None:
    at = rolled(table(ADEPT, doom=[6]), GRETA, "d10 d8 d6", 6, 5, 3)
    at = after(roll.against_roll(at, ALICE, faces(5, 6), 1, "2d6"))
    step = roll.choose(at, GRETA, 1, 8, (10,))
    assert how(newest(step.table)) == (8, Result.SUCCESS, 3)


def test_R4_the_choice_of_who_rolled_against_it_stays_theirs() -> None:
    at = rolled(table(ADEPT, doom=[6, 8]), GRETA, "d6 2d8", 6, 3, 2)
    at = after(roll.against_roll(at, ALICE, faces(5, 2, 6), 1, "2d6 d8"))
    at = after(roll.choose(at, ALICE, 2, 7, (8,)))
    assert newest(spending.spend_total(at, GRETA, 1).table).hand == newest(at).hand


def test_R4_an_applied_roll_keeps_the_dice_it_met() -> None:
    at = after(effects.apply(opposed(), ALICE, 2, 0, TraitKind.ASSET, "Rope"))
    step = spending.spend_total(at, GRETA, 1)
    assert newest(step.table) == newest(at)


def test_R1_no_die_left_for_the_total_cannot_be_bought() -> None:
    at = rolled(table(), ALICE, "d6 d8 d10", 3, 4, 1)
    with pytest.raises(NotAllowed, match="Every die that can count toward the total already does"):
        spending.spend_total(at, ALICE, 1)


def test_R3_no_die_left_for_the_effect_cannot_be_bought() -> None:
    at = rolled(table(), ALICE, "d6 d8 d10", 3, 4, 5)
    with pytest.raises(NotAllowed, match="There's no die left for the effect"):
        spending.spend_effect(at, ALICE, 1)


def test_P1_nothing_is_bought_without_a_pp() -> None:
    at = rolled(table(replace(PRIME, reroll_for_pp=True), pp=0), ALICE, "4d6", 3, 4, 5, 6)
    for bought in (spending.spend_total, spending.spend_effect):
        with pytest.raises(NotAllowed, match="That costs 1 PP; Alice has none"):
            bought(at, ALICE, 1)
    with pytest.raises(NotAllowed, match=r"Alice has none\. The GM can give some: /pp"):
        reroll.reroll(at, ALICE, never)


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_P2_only_the_roller_and_the_gm_spend_on_a_roll(who: Actor, may: bool) -> None:
    at = rolled(table(replace(PRIME, reroll_for_pp=True)), ALICE, "4d6", 3, 4, 5, 6)
    assert (tried(lambda: spending.spend_total(at, who, 1)) is not None) is may
    assert (tried(lambda: spending.spend_effect(at, who, 1)) is not None) is may
    assert (tried(lambda: reroll.reroll_at(at, who, faces(2), 1, (0,))) is not None) is may


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
def test_M4_only_the_gm_spends_on_a_roll_of_the_gm(who: Actor) -> None:
    at = rolled(table(ADEPT, doom=[6]), GRETA, "4d6", 3, 4, 5, 6)
    with pytest.raises(NotAllowed, match="Only the GM"):
        spending.spend_total(at, who, 1)


@pytest.mark.parametrize(("die", "left"), [(None, (8, 10)), ("d8", (6, 10)), ("10", (6, 8))])
def test_M4_the_gm_pays_with_a_doom_die(die: str | None, left: tuple[int, ...]) -> None:
    at = rolled(table(ADEPT, doom=[6, 8, 10]), GRETA, "3d6", 3, 4, 5)
    step = spending.spend_total(at, GRETA, 1, die)
    assert doom_dice(step.table) == left
    assert outcome.total(newest(step.table).hand) == 12


def test_M4_doom_without_that_die_does_not_pay() -> None:
    at = rolled(table(ADEPT, doom=[6]), GRETA, "3d6", 3, 4, 5)
    with pytest.raises(NotAllowed, match=r"has no d8. Doom pool: d6"):
        spending.spend_total(at, GRETA, 1, "d8")
    with pytest.raises(NotAllowed, match="doom pool is empty"):
        spending.spend_total(CORTEX.put(at, replace(CORTEX.of(at), doom={})), GRETA, 1)


def test_P1_the_gm_pays_nothing_where_doom_is_off() -> None:
    at = rolled(table(PRIME), GRETA, "3d6", 3, 4, 5)
    assert outcome.total(newest(spending.spend_total(at, GRETA, 1).table).hand) == 12


@pytest.mark.parametrize("bought", [spending.spend_total, spending.spend_effect])
def test_nothing_is_bought_once_the_effect_is_applied(bought: type) -> None:
    at = rolled(table(), ALICE, "4d6", 3, 4, 5, 6)
    at = roll.with_roll(at, replace(newest(at), applied=(0,)))
    with pytest.raises(NotAllowed, match="applied"):
        bought(at, ALICE, 1)


@pytest.mark.parametrize(
    ("rules", "dice", "past"),
    [
        (PRIME, "Knight, Rope, Leg, d6", 0),
        (PRIME, "Knight, Liar, d6", 1),
        (PRIME, "Rope, Map, Key", 0),
        (HEROIC, "Rope, Map", 0),
        (HEROIC, "Rope, Map, Key", 1),
        (PRIME, "Leg, Rage", 1),
        (HEROIC, "Knight, Liar, Rope, Map, Key, Leg, Rage", 3),
        (PRIME, "Fog, Knight", 0),
        (PRIME, "Knight d8, Liar d8", 1),
    ],
)
def test_D3_each_die_past_a_limit_is_pointed_out(rules: Ruleset, dice: str, past: int) -> None:
    at = having(table(rules), "alice", TraitKind.DISTINCTION, KNIGHT, LIAR)
    at = having(at, "alice", TraitKind.ASSET, ROPE, MAP, KEY)
    at = having(at, "bob", TraitKind.COMPLICATION, LEG, RAGE)
    at = having(at, "scene", TraitKind.DISTINCTION, Trait("Fog", 8))
    made = newest(rolled(at, ALICE, dice, *[2] * (dice.count(",") + 1)))
    assert spending.over_limit(made, rules) == past


def test_D3_a_die_past_a_limit_costs_a_pp_once() -> None:
    at = having(table(), "alice", TraitKind.DISTINCTION, KNIGHT, LIAR)
    at = rolled(at, ALICE, "Knight, Liar", 2, 2)
    paid = after(spending.spend_limit(at, ALICE, 1))
    assert pp(paid, "alice") == 0
    with pytest.raises(NotAllowed, match="within the usual limits, or has already been paid for"):
        spending.spend_limit(paid, ALICE, 1)


def test_D3_the_last_pool_still_knows_where_its_dice_come_from() -> None:
    at = having(table(), "alice", TraitKind.DISTINCTION, KNIGHT, LIAR)
    at = rolled(at, ALICE, "Knight, Liar", 2, 2)
    assert spending.over_limit(newest(rolled(at, ALICE, "last", 2, 2)), PRIME) == 1


@pytest.mark.parametrize(("goal", "total"), [("9", 12), ("8", None), ("12", None), ("4", None), ("11", 12)])
def test_P2_the_choice_that_a_pp_buys_is_offered_if_it_betters_the_verdict(
    goal: str, total: int | None
) -> None:
    at = rolled(table(), ALICE, "d6 d8 d10", 3, 4, 5, vs=goal)
    found = spending.paid(at, resolve(at, newest(at)))
    assert (outcome.total(found.hand) if found else None) == total


@given(strategies.hands(), strategies.opposition(), strategies.rulesets())
def test_P2_a_paid_choice_beats_what_was_kept(dice: Hand, against: Against, rules: Ruleset) -> None:
    made = outcome.settle(Roll(1, 2, "Alice", dice, against=against), rules)
    at = CORTEX.put(table(rules), CortexTable(ruleset=rules, rolls={1: made}))
    found = spending.paid(at, resolve(at, made))
    if found is not None:
        assert outcome.total(found.hand) > outcome.total(made.hand)
        assert spending.can_total(made)


@given(st.lists(st.sampled_from(["total", "effect", "reroll"]), max_size=6), strategies.throws())
def test_P1_pp_never_go_under_zero_and_no_die_counts_twice(buys: list[str], throw: Throw) -> None:
    at = after(make(table(pp=3), ALICE, throw, "2d6 2d8 d10"))
    for buy in buys:
        try:
            match buy:
                case "total":
                    at = after(spending.spend_total(at, ALICE, 1))
                case "effect":
                    at = after(spending.spend_effect(at, ALICE, 1))
                case _:
                    at = after(reroll.reroll(at, ALICE, throw))
        except RuleError:
            continue
        hand = newest(at).hand
        assert not {*hand.total} & {*hand.effects}
        assert pp(at, "alice") >= 0


def test_R3_five_effect_dice_are_the_most() -> None:
    at = table(replace(PRIME, doom=False))
    at = after(make(at, GRETA, faces(*[2] * 20), "20d8"))
    for _ in range(outcome.MOST_BOUGHT):
        at = after(spending.spend_effect(at, GRETA, 1))
    with pytest.raises(NotAllowed, match="A roll can have at most 5 effect dice"):
        spending.spend_effect(at, GRETA, 1)
    assert not spending.can_effect(CORTEX.of(at).rolls[1])


def test_K4_a_crisis_that_is_over_pays_for_nothing_and_doom_not_instead() -> None:
    at = in_crisis(table(ADEPT, doom=[6]), 6, 6)
    at = after(gmc.roll_pool(at, GRETA, faces(3, 4), Foe.CRISIS))
    at = after(gm_pools.end(at, GRETA, Foe.CRISIS))
    with pytest.raises(TooLate, match="That pool is gone, so it can't pay"):
        spending.spend_sfx(at, GRETA, 1, "crisis:d6")


def test_P2_a_price_seen_before_the_opposition_chose_is_not_taken() -> None:
    at = after(make(table(), ALICE, faces(4, 3, 6, 3, 5), "2d6", "2d8 d10"))
    seen = spending.version(CORTEX.of(at).rolls[1])
    at = after(roll.choose_opposition(at, GRETA, 1, 9, (10,)))
    with pytest.raises(TooLate, match=r"The roll changed in the meantime\. Look at it, then press again"):
        spending.check_version(at, 1, seen)
