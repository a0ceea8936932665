"""Rolling dice, and what the roller may do with them."""

import pytest
from hypothesis import given

from rules.campaign.seats import Actor
from rules.cortex import outcome, roll
from rules.cortex.facts import RollMade
from rules.cortex.kinds import Result, Trait, TraitKind, Verdict
from rules.cortex.model import CORTEX, Roll
from rules.cortex.roll import OPEN_ROLLS, make
from rules.cortex.roll_status import rules_of, with_rules
from rules.cortex.ruleset import BASES, EMPIRE, HEROIC, PRIME, Ruleset
from rules.dice import Throw
from rules.errors import NotAllowed, Unknown
from rules.table import Table
from rules.values import replace
from tests import strategies
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, faces, having, never, table, tried

OPEN = replace(table(), gms={})


def newest(at: Table) -> Roll:
    here = CORTEX.of(at)
    return here.rolls[max(here.rolls)]


def rolled(at: Table, who: Actor, dice: str, *shown: int, vs: str | None = None) -> Table:
    return after(make(at, who, faces(*shown), dice, vs))


@pytest.mark.parametrize(
    ("who", "name", "is_gm"),
    [(ALICE, "Alice", False), (ZOE, "Zoe", False), (GRETA, "GM", True)],
)
def test_R9_everybody_can_roll_as_who_they_are(who: Actor, name: str, is_gm: bool) -> None:
    made = newest(rolled(table(), who, "d6 d8", 3, 7))
    assert (made.who, made.player, made.gm) == (name, who.id, is_gm)


def test_R9_dice_need_no_table_and_no_character() -> None:
    step = make(Table(), ZOE, faces(3, 7), "d6 d8")
    assert step.facts == (RollMade(newest(step.table)),)
    assert outcome.total(newest(step.table).hand) == 10
    assert step.table.characters == {}


@pytest.mark.parametrize(
    ("who", "as_", "name", "is_gm"),
    [
        (GRETA, "Rex", "Rex", True),
        (GRETA, "Alice", "Alice", False),
        (GRETA, "gm", "GM", True),
        (ALICE, "alice", "Alice", False),
        (ALICE, "Al", "Alice", False),
    ],
)
def test_R9_one_may_roll_as_somebody_by_name(who: Actor, as_: str, name: str, is_gm: bool) -> None:
    made = newest(make(table(), who, faces(3), "d6", who=as_).table)
    assert (made.who, made.gm) == (name, is_gm)


@pytest.mark.parametrize(("who", "as_"), [(ALICE, "Bob"), (ALICE, "Rex"), (ALICE, "gm"), (ZOE, "Alice")])
def test_nobody_rolls_as_somebody_elses_character(who: Actor, as_: str) -> None:
    with pytest.raises(NotAllowed, match="Greta"):
        make(table(), who, never, "d6", who=as_)


def test_at_an_open_table_one_rolls_under_any_name() -> None:
    assert newest(make(OPEN, ZOE, faces(3), "d6", who="The Wolf").table).who == "The Wolf"
    assert newest(make(OPEN, ZOE, faces(3), "d6", who="Alice").table).who == "Alice"


def test_an_unknown_character_cannot_roll() -> None:
    with pytest.raises(Unknown, match="Did you mean Alice"):
        make(table(), GRETA, never, "d6", who="Alise")


@pytest.mark.parametrize("keep", [0, -1, 31])
def test_R1_no_die_or_more_than_a_pool_has_cannot_be_kept(keep: int) -> None:
    with pytest.raises(NotAllowed, match=f"You can't keep {keep} results. Keep 1 to 30"):
        make(table(), ALICE, never, "d6", keep=keep)


def test_R1_keep_lets_three_results_count() -> None:
    made = newest(make(table(), ALICE, faces(3, 4, 5), "3d6", keep=3).table)
    assert outcome.total(made.hand) == 12


def test_D2_a_known_trait_rolls_with_its_label_and_source() -> None:
    at = having(table(), "alice", TraitKind.ASSET, Trait("Rope", 8))
    at = having(at, "bob", TraitKind.COMPLICATION, Trait("Broken Leg", 6))
    at = having(at, "scene", TraitKind.DISTINCTION, Trait("Fog", 10))
    made = newest(rolled(at, ALICE, "Rope, broken, fog", 1, 2, 3))
    assert [(die.size, die.label, str(die.source)) for die in made.hand.dice] == [
        (8, "Rope", "asset"),
        (6, "Broken Leg", "complication"),
        (10, "Fog", "scene distinction"),
    ]


def test_D2_ones_own_trait_comes_before_another_of_the_same_name() -> None:
    at = having(table(), "alice", TraitKind.ASSET, Trait("Rope", 8))
    at = having(at, "bob", TraitKind.ASSET, Trait("Rope", 12))
    assert [newest(rolled(at, who, "Rope", 4)).hand.dice[0].size for who in (ALICE, BOB)] == [8, 12]


@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_D7_scale_keeps_one_more_where_the_profile_says_so(rules: Ruleset) -> None:
    made = newest(rolled(table(rules), ALICE, "2d6 scale", 3, 4, 5))
    assert outcome.total(made.hand) == (12 if rules.scale_keeps_extra else 9)


@pytest.mark.parametrize(("rules", "sizes"), [(PRIME, [12, 8, 6]), (HEROIC, [12, 10])])
def test_D5_the_tables_profile_says_how_a_d12_steps_up(rules: Ruleset, sizes: list[int]) -> None:
    made = newest(make(table(rules), ALICE, faces(*[2] * len(sizes)), "up d12, d8").table)
    assert [die.size for die in made.hand.dice] == sizes


def test_sixty_rolls_stay_open_and_the_oldest_closes() -> None:
    at = table()
    for _ in range(OPEN_ROLLS + 1):
        at = rolled(at, ALICE, "d6", 2)
    assert len(CORTEX.of(at).rolls) == OPEN_ROLLS
    with pytest.raises(Unknown, match="That roll is closed"):
        roll.find(at, 1)


def test_a_note_is_kept_on_one_line() -> None:
    made = newest(make(table(), ALICE, faces(2), "d6", note=" over\nthe wall ").table)
    assert made.note == "over the wall"


@pytest.mark.parametrize(
    ("total", "effect"),
    [(14, 6), (8, 12)],
)
def test_R4_the_roller_keeps_any_choice_that_is_listed(total: int, effect: int) -> None:
    at = rolled(table(), ALICE, "d4 d12 d6", 2, 12, 6)
    kept = newest(roll.choose(at, ALICE, 1, total, (effect,)).table)
    assert (outcome.total(kept.hand), outcome.kept(kept.hand).effect) == (total, effect)
    assert kept.hand.chosen


def test_R4_a_choice_that_is_not_listed_is_refused() -> None:
    at = rolled(table(), ALICE, "d8 d6 d10", 2, 6, 9)
    with pytest.raises(NotAllowed, match="That choice is gone: the dice of this roll have changed"):
        roll.choose(at, ALICE, 1, 17, (12,))


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_R4_only_the_roller_and_the_gm_choose(who: Actor, may: bool) -> None:
    at = rolled(table(), ALICE, "d8 d6 d10", 2, 6, 9)
    assert (tried(lambda: roll.choose(at, who, 1, 8, (10,))) is not None) is may


def test_R4_who_plays_the_character_now_chooses() -> None:
    at = rolled(table(), ALICE, "d8 d6 d10", 2, 6, 9)
    at = at.with_owner("alice", replace(at.characters["alice"], player=ZOE.id))
    assert tried(lambda: roll.choose(at, ZOE, 1, 8, (10,))) is not None
    assert tried(lambda: roll.choose(at, ALICE, 1, 8, (10,))) is None


@pytest.mark.parametrize(("who", "may"), [(GRETA, True), (ALICE, False), (BOB, False), (ZOE, False)])
def test_T2_only_the_gm_chooses_for_the_opposition(who: Actor, may: bool) -> None:
    at = rolled(table(), ALICE, "2d6", 6, 6, 2, 6, 9, vs="d8 d6 d10")
    done = tried(lambda: roll.choose_opposition(at, who, 1, 8, (10,)))
    assert (done is not None) is may
    if done is not None:
        found = outcome.verdict(newest(done.table))
        assert found is not None
        assert found.margin == 4


def test_T2_a_closed_choice_stays_whatever_the_opposition_does() -> None:
    at = rolled(table(), ALICE, "2d6", 6, 6, 2, 6, 9, vs="d8 d6 d10")
    at = roll.with_roll(at, replace(newest(at), applied=(0,)))
    with pytest.raises(NotAllowed, match="applied"):
        roll.choose_opposition(at, GRETA, 1, 8, (10,))


def test_T2_the_gm_opposes_a_roll_that_has_no_opposition() -> None:
    at = rolled(table(), ALICE, "d8 d6 d10", 2, 6, 9)
    assert outcome.total(newest(at).hand) == 15
    found = newest(roll.oppose(at, GRETA, never, 1, "7").table)
    assert (outcome.total(found.hand), outcome.kept(found.hand).effect) == (15, 8)
    assert outcome.verdict(found) == Verdict(7, Result.HEROIC, 8, 1)


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
def test_T2_only_the_gm_opposes(who: Actor) -> None:
    at = rolled(table(), ALICE, "d8", 2)
    with pytest.raises(NotAllowed, match=r"Only the GM can oppose a roll\. GM here: Greta"):
        roll.oppose(at, who, never, 1, "7")


def test_T2_a_roll_is_opposed_once() -> None:
    at = rolled(table(), ALICE, "d8", 2, vs="11")
    with pytest.raises(NotAllowed, match="That roll already has opposition"):
        roll.oppose(at, GRETA, never, 1, "7")


def test_T2_a_player_rolls_against_a_roll_of_the_gm() -> None:
    at = rolled(table(), GRETA, "2d8", 5, 4)
    made = newest(after(roll.against_roll(at, ALICE, faces(6, 5), 1, "2d6")))
    assert made.against is not None
    assert (made.against.roll, outcome.difficulty(made.against)) == (1, 9)
    assert outcome.verdict(made) == Verdict(9, Result.SUCCESS, 2, 0)


def test_T2_nobody_rolls_against_a_players_roll() -> None:
    at = rolled(table(), ALICE, "2d8", 5, 4)
    with pytest.raises(NotAllowed, match="can only roll against the GM's"):
        roll.against_roll(at, BOB, never, 1, "2d6")


@pytest.mark.parametrize(("who", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_T2_a_roll_that_concerns_one_is_for_them_alone(who: Actor, may: bool) -> None:
    at = rolled(table(), GRETA, "2d8", 5, 4)
    at = roll.with_roll(at, replace(newest(at), on=("Alice",)))
    assert (tried(lambda: roll.against_roll(at, who, faces(2, 2), 1, "2d6")) is not None) is may


@pytest.mark.parametrize(
    ("rules", "goal"), [(EMPIRE, "11"), (EMPIRE, "challenging"), (PRIME, "11"), (HEROIC, "11")]
)
def test_T1_a_roll_against_a_number_tells_by_how_much_it_beats_it(rules: Ruleset, goal: str) -> None:
    made = newest(rolled(table(rules), ALICE, "d8 d6 d10", 2, 6, 9, vs=goal))
    assert outcome.verdict(made) == Verdict(11, Result.SUCCESS, 4, 0)


def test_a_roll_is_finished_under_the_settings_it_was_made_with() -> None:
    at = rolled(table(PRIME), ALICE, "2d6", 2, 2)
    changed = replace(with_rules(at, HEROIC), number=at.number + 1)
    assert rules_of(changed, newest(changed)) == PRIME
    later = with_rules(rolled(changed, ALICE, "2d6", 2, 2), PRIME)
    assert [rules_of(later, made) for made in CORTEX.of(later).rolls.values()] == [PRIME, HEROIC]
    assert newest(changed) is newest(at)


@given(strategies.set_tables(), strategies.throws(), strategies.typed(), strategies.typed())
def test_any_text_is_rolled_or_refused(at: Table, throw: Throw, dice: str, vs: str) -> None:
    done = tried(lambda: make(at, ALICE, throw, dice, vs or None, hinder=None, note=vs[:50]))
    if done is not None:
        made = newest(done.table)
        assert all(1 <= die.face <= die.size for die in made.hand.dice)
        assert not {*made.hand.total} & {*made.hand.effects}
        assert set(CORTEX.of(done.table).last_pools) == {ALICE.id}
