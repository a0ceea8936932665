"""GMCs: how they come, roll and are hit."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.seats import Actor
from rules.cortex import gm_pools, gmc, outcome, traits
from rules.cortex.facts import Called, Change, Over, PoolChanged, TraitChanged
from rules.cortex.gmc import find_gmc, hit, new, remove, roll_gmc
from rules.cortex.kinds import Ending, Foe, Rank, Trait, TraitKind
from rules.cortex.model import CORTEX, TurnOrder
from rules.cortex.pool import Die, write_pool
from rules.cortex.pool_text import read
from rules.cortex.roll import against_roll
from rules.cortex.ruleset import ADEPT, PRIME
from rules.dice import Throw
from rules.errors import Ambiguous, NotAllowed, RuleError, Unknown
from rules.facts import SeatChange, Seated
from rules.game import Step
from rules.table import Table
from rules.values import replace
from tests import strategies
from tests.rules.people import (
    ALICE,
    BOB,
    GRETA,
    REX,
    ZOE,
    after,
    challenged,
    die,
    faces,
    facing,
    having,
    in_crisis,
    never,
    newest,
    table,
    tried,
)


@pytest.mark.parametrize(
    ("dice", "kind", "rank", "sheet", "pool"),
    [
        ("Brawler d8", None, Rank.EXTRA, {"Brawler": 8}, {}),
        ("d8", None, Rank.EXTRA, {"Wolf": 8}, {}),
        ("d8", "extra", Rank.EXTRA, {"Wolf": 8}, {}),
        ("Fangs d10, Swift d8", None, Rank.MINOR, {"Fangs": 10, "Swift": 8}, {}),
        ("Fangs d10", "minor", Rank.MINOR, {"Fangs": 10}, {}),
        ("Fangs d10, Swift d8", "Major", Rank.MAJOR, {"Fangs": 10, "Swift": 8}, {}),
        ("4d10", "boss", Rank.BOSS, {}, {10: 4}),
        ("Fangs d8, 4d10", None, Rank.BOSS, {"Fangs": 8}, {10: 4}),
        ("d10", "boss", Rank.BOSS, {}, {10: 1}),
        ("5d6", "mob", Rank.MOB, {}, {6: 5}),
        ("Torches d6, 3d8", "mo", Rank.MOB, {"Torches": 6}, {8: 3}),
    ],
)
def test_B1_B2_dice_make_a_gmc_of_their_kind(
    dice: str, kind: str | None, rank: Rank, sheet: dict[str, int], pool: dict[int, int]
) -> None:
    wolf = new(table(), GRETA, "Wolf", dice, kind).table.characters["wolf"]
    own = CORTEX.has(wolf)
    assert (wolf.gmc, own.rank, own.pool, wolf.player, own.pp) == (True, rank, pool, 0, 0)
    assert {trait.label: trait.die for trait in own.sheet.values()} == sheet


@pytest.mark.parametrize(
    ("dice", "kind", "message"),
    [
        (
            "Fangs d10, fangs d8",
            None,
            (
                r"Two traits have the same label\. Give each trait a different "
                r"label"
            ),
        ),
        ("4d10, d8", None, "A boss needs unlabeled dice, all the same size"),
        ("Fangs d10", "boss", "A boss needs unlabeled dice, all the same size"),
        ("Fangs d10", "mob", "A mob needs unlabeled dice, all the same size"),
        ("2d8", "extra", "An extra needs exactly one trait"),
        ("A d6, B d8", "extra", "An extra needs exactly one trait"),
        ("Fangs d8, d6", "minor", "Each die of a minor GMC needs a label"),
        ("2d8", "major", "Each die of a major GMC needs a label"),
        ("d8", "king", "There's no kind of GMC called"),
        ("", None, "no dice"),
        ("31d6", None, "a pool can"),
    ],
)
def test_B1_B2_dice_that_make_no_gmc_are_refused(dice: str, kind: str | None, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        new(table(), GRETA, "Wolf", dice, kind)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("alice", r"The name alice is already taken\. Choose another name\. Example: alice 2$"),
        ("Rex", r"The name Rex is already taken\. Choose another name\. Example: Rex 2$"),
        ("Fire", r"The name Fire is already taken\. Choose another name\. Example: Fire 2$"),
        ("STORM", r"The name STORM is already taken\. Choose another name\. Example: STORM 2$"),
        ("all", r'"all" already means something else here\. Choose another name'),
        ("scene", (r'"scene" already means something else here\. Choose another name')),
        ("Wolf, Bear", "Commas and semicolons separate names, so a name can't contain them"),
        ("a+b", r'"a\+b" already means something else here\. Choose another name'),
        ("hard", r'"hard" already means something else here\. Choose another name'),
    ],
)
def test_B2_a_name_that_is_taken_or_parts_names_is_refused(name: str, says: str) -> None:
    with pytest.raises(NotAllowed, match=says):
        new(challenged(in_crisis(table(), 6), 8), GRETA, name, "d8")


@pytest.mark.parametrize(
    ("order", "away", "how"),
    [
        (None, False, SeatChange.ENTERS),
        (TurnOrder(), False, SeatChange.ENTERS_ORDER),
        (TurnOrder(), True, SeatChange.WAITS),
    ],
)
def test_B2_who_comes_is_told_with_their_dice(order: TurnOrder | None, away: bool, how: SeatChange) -> None:
    at = CORTEX.put(table(), replace(CORTEX.of(table()), order=order))
    step = new(at, GRETA, "Wolf", "Fangs d8, 4d10", away=away)
    assert step.facts == (
        Seated("Wolf", how),
        TraitChanged("Wolf", TraitKind.TRAIT, None, Trait("Fangs", 8)),
        PoolChanged(Called(Foe.GMC, "Wolf"), (), (10, 10, 10, 10), Change.ENTERED, rank=Rank.BOSS),
    )
    assert step.table.characters["wolf"].away is away


def test_a_full_table_takes_no_gmc_more() -> None:
    people = {f"p{n}": replace(table().characters["alice"], name=f"P{n}", player=0) for n in range(60)}
    with pytest.raises(NotAllowed, match="This table is full: it has 60 characters"):
        new(replace(table(), characters=people), GRETA, "Wolf", "d8")


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
def test_B2_only_the_gm_makes_rolls_hits_and_removes_gmcs(who: Actor) -> None:
    deeds: tuple[Callable[[], Step], ...] = (
        lambda: new(table(), who, "Wolf", "d8"),
        lambda: roll_gmc(table(), who, never, "Rex", "d8"),
        lambda: hit(table(), who, "Rex", "d8"),
        lambda: remove(table(), who, "Rex"),
    )
    for deed in deeds:
        with pytest.raises(NotAllowed, match="Only the GM can"):
            deed()


def test_B1_a_gmc_rolls_all_its_dice() -> None:
    at = having(facing(table(), "Rex", "Fangs d6, 3d10"), "rex", TraitKind.DISTINCTION, Trait("Sly", 8))
    made = newest(roll_gmc(at, GRETA, faces(2, 3, 8, 9, 4), "rex", on="Alice").table)
    assert [(each.size, each.label) for each in made.hand.dice] == [
        (6, "Fangs"),
        (8, "Sly"),
        (10, ""),
        (10, ""),
        (10, ""),
    ]
    assert (outcome.total(made.hand), made.gm, made.who, made.target, made.on) == (
        17,
        True,
        "Rex",
        REX,
        ("Alice",),
    )


def test_B2_a_gmc_rolls_the_dice_that_are_named_its_traits_by_label() -> None:
    at = facing(table(), "Rex", "Fangs d10, Swift d8")
    made = newest(roll_gmc(at, GRETA, faces(9, 3), "Rex", "Fangs, d6", keep=1).table)
    assert [(each.size, each.label) for each in made.hand.dice] == [(10, "Fangs"), (6, "")]
    assert outcome.total(made.hand) == 9


@pytest.mark.parametrize(
    ("dice", "rank", "typed", "rolled"),
    [
        ("Fangs d8, 3d10", Rank.BOSS, "boss", "3d10"),
        ("Fangs d8, 3d10", Rank.BOSS, "Fangs + boss", "Fangs d8, 3d10"),
        ("Fangs d8, 3d10", Rank.BOSS, "BOSS, d6", "d6 3d10"),
        ("Fangs d8, 3d10", Rank.BOSS, "less one boss", "2d10"),
        ("Fangs d8, 3d10", Rank.BOSS, "up Fangs, boss", "Fangs d10, 3d10"),
        ("4d6", Rank.MOB, "mob", "4d6"),
        ("4d6", Rank.MOB, "mob, d8", "4d6 d8"),
        ("2d12", Rank.BOSS, "double boss", "3d12"),
    ],
)
def test_B1_B2_the_dice_of_a_boss_or_mob_are_rolled_by_name(
    dice: str, rank: Rank, typed: str, rolled: str
) -> None:
    at = facing(table(), "Rex", dice, rank)
    made = newest(roll_gmc(at, GRETA, lambda sizes: [2] * len(sizes), "Rex", typed).table)
    own = [die for die in made.hand.dice if not die.label]
    assert write_pool(Die(die.size, die.label) for die in made.hand.dice) == write_pool(read(rolled).pool)
    assert sum(die.source.kind is Foe.GMC for die in own) == len(own) - typed.count("d6") - typed.count("d8")


@pytest.mark.parametrize(("dice", "rank"), [("Fangs d8", Rank.MINOR), ("Brawler d8", Rank.EXTRA)])
def test_B2_a_gmc_without_such_dice_has_no_name_for_them(dice: str, rank: Rank) -> None:
    at = facing(table(), "Rex", dice, rank)
    with pytest.raises(RuleError):
        roll_gmc(at, GRETA, never, "Rex", "boss")


def test_T6_a_gmcs_roll_may_be_against_something_and_be_rolled_against() -> None:
    at = facing(table(), "Rex", "Fangs d10, Swift d8")
    made = newest(roll_gmc(at, GRETA, faces(9, 3), "Rex", vs="11").table)
    how = outcome.verdict(made)
    assert how is not None
    assert (how.difficulty, how.margin) == (11, 1)
    at = after(roll_gmc(at, GRETA, faces(9, 3), "Rex"))
    against = newest(against_roll(at, ALICE, faces(8, 7), 1, "2d8").table).against
    assert against is not None
    assert (against.label, against.target, outcome.difficulty(against)) == ("Rex", REX, 12)


@pytest.mark.parametrize(
    ("name", "dice", "keep", "message"),
    [
        ("Alice", None, 2, "There's no GMC called"),
        ("Rex", None, 2, "Rex has no dice to roll"),
        ("Rex", "Claws", 2, "Claws"),
        ("Rex", "d8", 0, r"can't keep 0 results\. Keep"),
    ],
)
def test_B2_what_cannot_be_rolled_is_refused(name: str, dice: str | None, keep: int, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        roll_gmc(table(), GRETA, never, name, dice, keep=keep)


@pytest.mark.parametrize(
    ("effect", "left"), [("d6", {8: 4, 6: 1}), ("d8", {8: 4, 6: 1}), ("d10", {8: 4}), ("12", {8: 4})]
)
def test_B2_a_mob_loses_or_steps_down_its_largest_die(effect: str, left: dict[int, int]) -> None:
    at = facing(table(), "Rex", "5d8", Rank.MOB)
    assert CORTEX.has(hit(at, GRETA, "Rex", effect).table.characters["rex"]).pool == left


def test_B2_a_mob_without_dice_is_defeated() -> None:
    step = hit(facing(table(), "Rex", "d4", Rank.MOB), GRETA, "rex", "d4")
    assert step.facts[-1] == Over(Called(Foe.GMC, "Rex"), Ending.DEFEATED)
    assert "rex" not in step.table.characters


def test_B2_a_complication_on_a_mob_changes_no_die() -> None:
    at = traits.gained(
        facing(table(), "Rex", "5d8", Rank.MOB), "rex", TraitKind.COMPLICATION, "Mud", 12
    ).table
    assert (CORTEX.has(at.characters["rex"]).pool, die(at, "rex", TraitKind.COMPLICATION, "Mud")) == (
        {8: 5},
        12,
    )


@pytest.mark.parametrize(("what", "label"), [(None, "Trouble"), (" ", "Trouble"), ("Blind", "Blind")])
def test_B2_an_effect_on_another_gmc_is_a_complication(what: str | None, label: str) -> None:
    at = hit(facing(table(), "Rex", "Fangs d8"), GRETA, "Rex", "d10", what).table
    assert die(at, "rex", TraitKind.COMPLICATION, label) == 10


@pytest.mark.parametrize("typed", ["", "d20", "2d6", "fish"])
def test_B2_what_is_no_die_hits_nobody(typed: str) -> None:
    with pytest.raises(RuleError, match=f'"{typed}" isn\'t a die here. Use d4, d6, d8, d10 or d12'):
        hit(facing(table(), "Rex", "5d8", Rank.MOB), GRETA, "Rex", typed)


def test_B2_a_gmc_is_removed_and_a_player_is_not() -> None:
    step = remove(table(), GRETA, "rex")
    assert (step.facts, sorted(step.table.characters)) == (
        (Seated("Rex", SeatChange.LEAVES),),
        ["alice", "bob"],
    )
    with pytest.raises(Unknown, match="There's no GMC called"):
        remove(table(), GRETA, "Alice")


def test_B2_a_gmc_is_found_by_a_beginning_or_refused_with_what_there_is() -> None:
    at = facing(table(), "Rexa", "d8")
    assert find_gmc(at, "REX") == REX
    with pytest.raises(Ambiguous, match="Rex or Rexa"):
        find_gmc(at, "re")
    with pytest.raises(Unknown, match=r"There are no GMCs yet. Example: /gmc new"):
        find_gmc(Table(), "Rex")


@pytest.mark.parametrize(("dice", "size"), [("Fangs d10, Swift d8", 10), ("Fangs d6, 4d8", 8), ("d4", 4)])
def test_M5_the_highest_trait_is_the_price(dice: str, size: int) -> None:
    wolf = new(table(), GRETA, "Wolf", dice).table.characters["wolf"]
    assert gmc.highest(wolf) == size
    assert gmc.highest(table().characters["rex"]) == 0


@given(strategies.typed(), strategies.typed(), st.none() | st.sampled_from([*Rank]) | strategies.typed())
def test_any_text_makes_a_gmc_or_is_refused(name: str, dice: str, kind: str | None) -> None:
    done = tried(lambda: new(table(ADEPT), GRETA, name, dice, kind))
    if done is not None:
        made = [*done.table.characters.values()][-1]
        own = CORTEX.has(made)
        assert made.gmc
        assert own.rank
        assert gmc.highest(made)
        assert (len(set(own.pool)) == 1) is (own.rank in (Rank.BOSS, Rank.MOB))


@given(strategies.throws(), strategies.typed(), strategies.typed(), st.none() | strategies.typed())
def test_any_text_rolls_or_hits_a_gmc_or_is_refused(
    throw: Throw, name: str, dice: str, on: str | None
) -> None:
    at = facing(table(PRIME), "Rex", "Fangs d8, 4d10")
    for who in (name, "Rex"):
        tried(lambda who=who: roll_gmc(at, GRETA, throw, who, dice, on=on))  # type: ignore[misc]
        tried(lambda who=who: hit(at, GRETA, who, dice, on))  # type: ignore[misc]
    assert gm_pools.dice(at, REX) == (10,) * 4
