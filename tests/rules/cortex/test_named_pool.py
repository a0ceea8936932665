"""Named pools: gathered, changed and rolled by anyone."""

import pytest

from rules.campaign.characters import remove as remove_character
from rules.campaign.characters import rename
from rules.cortex import sfx_use
from rules.cortex.builder import Build, retype
from rules.cortex.characters import unset
from rules.cortex.facts import Change, NamedPoolChanged
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.named_pools import (
    MOST_POOLS,
    add,
    clear,
    double,
    oppose,
    remove,
    share,
    step_down,
    step_up,
    throw_pool,
)
from rules.cortex.pool import Die, NamedPool, write_pool
from rules.cortex.roll import make
from rules.cortex.ruleset import ADEPT, EMPIRE, HEROIC, PRIME, Ruleset
from rules.cortex.spending import over_limit
from rules.cortex.traits import shut
from rules.errors import NotAllowed, RuleError, Unknown
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, faces, having, never, newest, pp, table

AT: Table = after(add(table(), ALICE, "Mind d10, 2d6", "Escape"))


def held(at: Table, name: str = "escape") -> str:
    return write_pool(CORTEX.of(at).pools[name].dice)


def test_D2_dice_are_gathered_by_several_people() -> None:
    at = after(add(AT, BOB, "Strong d8", "escape"))
    step = add(at, ZOE, "d4")
    assert step.facts == (NamedPoolChanged(CORTEX.of(step.table).pools["escape"], Change.ADDED, (Die(4),)),)


def test_D2_names_of_ones_own_stand_for_dice() -> None:
    at = having(table(), "alice", TraitKind.ASSET, Trait("Rope", 8))
    assert held(add(at, ALICE, "rope, d6", "Climb").table, "climb") == "Rope d8, d6"


@pytest.mark.parametrize(
    ("rules", "dice", "steps", "after_it"),
    [
        (PRIME, "Mind", 1, "Mind d12, 2d6"),
        (PRIME, "Mind", 2, "Mind d12, 3d6"),
        (HEROIC, "Mind", 2, "Mind d12, d6 d8"),
        (PRIME, "2d6", 1, "Mind d10, 2d8"),
    ],
)
def test_D5_dice_step_up_by_the_setting(rules: Ruleset, dice: str, steps: int, after_it: str) -> None:
    assert (
        held(step_up(CORTEX.put(AT, replace(CORTEX.of(AT), ruleset=rules)), BOB, dice, steps=steps).table)
        == after_it
    )


def test_D4_D5_dice_step_down_double_and_leave() -> None:
    assert held(step_down(AT, BOB, "d6").table) == "Mind d10, d4 d6"
    assert held(step_down(AT, BOB, "d6", steps=2).table) == "Mind d10, d6"
    assert held(double(AT, BOB, "Mind").table) == "Mind d10, Mind d10, 2d6"
    assert held(remove(AT, BOB, "2d6").table) == "Mind d10"
    assert CORTEX.of(remove(AT, BOB, "Mind, 2d6").table).pools == {}
    assert clear(AT, BOB).facts == (NamedPoolChanged(NamedPool("Escape", ()), Change.CLEARED),)


def test_a_named_pool_is_rolled_and_stays() -> None:
    at = after(throw_pool(AT, BOB, faces(9, 3, 4), "esc", vs="11"))
    assert (newest(at).who, newest(at).note, newest(at).hand.dice[0].label) == ("Bob", "Escape", "Mind")
    assert held(at) == "Mind d10, 2d6"


def test_T2_a_named_pool_opposes() -> None:
    at = after(make(AT, BOB, faces(6, 6, 9, 3, 4), "2d6", "escape"))
    against = newest(at).against
    assert against is not None
    assert (against.label, against.hand is not None) == ("Pool Escape", True)


@pytest.mark.parametrize("name", ["Alice", "doom", "2d6", "hard", "a+b"])
def test_a_name_that_means_something_else_is_refused(name: str) -> None:
    with pytest.raises(RuleError):
        add(table(), ALICE, "d6", name)


def test_what_is_not_there_is_refused_with_what_is() -> None:
    with pytest.raises(Unknown, match=r"Pool Escape has no \"d8\"\. Pool Escape: Mind d10, 2d6"):
        remove(AT, ALICE, "d8")
    two = add(AT, ALICE, "d8", "Chase").table
    said = r"Choose a pool\. There are 2: Escape and Chase"
    with pytest.raises(NotAllowed, match=said):
        clear(two, ALICE)
    with pytest.raises(NotAllowed, match=said):
        throw_pool(two, ALICE, never)
    with pytest.raises(NotAllowed, match="That's 31 dice; a pool can have at most 30"):
        add(AT, ALICE, "28d6")


def test_twenty_named_pools_are_the_most() -> None:
    at = table()
    for number in range(MOST_POOLS):
        at = add(at, ALICE, "d6", f"Pool {number}x").table
    with pytest.raises(NotAllowed, match="A table can have at most 20 named pools"):
        add(at, ALICE, "d6", "Late")


def shared(vs: str = "", dice: str = "hinder Reckless, Trick, 2d6", pay: str = "1 PP") -> Table:
    at = having(table(PRIME, pp=2), "alice", TraitKind.DISTINCTION, Trait("Reckless", 8))
    at = sfx_use.add(at, ALICE, "Trick", "effect", pay).table
    return after(share(at, ALICE, retype(at, ALICE, Build(), dice, vs)))


def test_a_shared_pool_is_paid_for_when_it_is_rolled_and_is_gone_then() -> None:
    at = after(add(shared("11"), BOB, "d10", "Alice"))
    assert (held(at, "alice"), pp(at, "alice")) == ("Reckless d4, 2d6 d10", 2)
    step = throw_pool(at, ALICE, faces(3, 4, 5, 6), "Alice")
    assert newest(step.table).who == "Alice"
    assert newest(step.table).hand.effects_bought == 1
    assert newest(step.table).against is not None
    assert pp(step.table, "alice") == 2
    assert CORTEX.of(step.table).pools == {}


def test_T2_the_gm_opposes_a_shared_pool() -> None:
    step = oppose(shared(), GRETA, " 2d8 ", "Alice")
    assert step.facts == (NamedPoolChanged(CORTEX.of(step.table).pools["alice"], Change.OPPOSED),)
    pool = CORTEX.of(step.table).pools["alice"]
    assert (write_pool(pool.dice), pool.vs) == ("Reckless d4, 2d6", "2d8")
    assert (pool.hindered, pool.sfx) == (("Reckless",), ("Trick",))
    with pytest.raises(NotAllowed, match="Only the GM"):
        oppose(shared(), ALICE, "11", "Alice")
    with pytest.raises(RuleError, match="You can't roll against"):
        oppose(shared(), GRETA, "the moon", "Alice")


def test_only_its_owner_and_the_gm_roll_a_shared_pool() -> None:
    with pytest.raises(NotAllowed, match="the GM can roll for Alice"):
        throw_pool(shared(), BOB, never, "Alice")
    assert newest(throw_pool(shared(), GRETA, faces(3, 4, 5), "Alice").table).who == "Alice"


def test_X1_an_sfx_that_is_gone_is_named_and_nothing_is_rolled() -> None:
    at = sfx_use.remove(shared(), ALICE, "Trick").table
    with pytest.raises(Unknown, match="Pool Alice uses the SFX Trick, which is gone"):
        throw_pool(at, ALICE, never, "Alice")


def test_a_shared_pool_follows_its_owners_name() -> None:
    at = rename(shared(), ALICE, "Lady A").table
    assert newest(throw_pool(at, ALICE, faces(3, 4, 5), "Alice").table).who == "Lady A"
    gone = remove_character(shared(dice="2d6"), GRETA, "Alice").table
    assert newest(throw_pool(gone, BOB, faces(3, 4), "Alice").table).who == "Bob"


def test_an_empty_pool_and_one_too_many_are_not_shared() -> None:
    with pytest.raises(NotAllowed, match="That pool has no dice yet"):
        share(table(), ALICE, Build())
    at = table()
    for number in range(MOST_POOLS):
        at = add(at, ALICE, "d6", f"Pool {number}").table
    with pytest.raises(NotAllowed, match=f"{MOST_POOLS} named pools"):
        share(at, ALICE, retype(at, ALICE, Build(), "d6"))


def test_what_others_added_to_a_shared_pool_is_not_lost_by_sharing_again() -> None:
    at = after(add(shared(), BOB, "d10", "Alice"))
    with pytest.raises(NotAllowed, match="Roll it first: /pool roll name:Alice"):
        share(at, ALICE, retype(at, ALICE, Build(), "d6"))


def test_P1_D3_dice_of_helpers_are_plain_dice() -> None:
    at = having(shared(dice="Reckless, d6"), "bob", TraitKind.DISTINCTION, Trait("Bold", 8))
    with pytest.raises(
        NotAllowed,
        match=r"You can only hinder a distinction when you roll\.",
    ):
        add(at, BOB, "hinder Bold", "Alice")
    at = after(add(at, BOB, "Bold", "Alice"))
    made_roll = newest(throw_pool(at, ALICE, faces(3, 4, 5), "Alice").table)
    assert over_limit(made_roll, PRIME) == 0


def test_X1_a_number_has_no_dice_for_an_sfx_to_step() -> None:
    at = sfx_use.add(table(), ALICE, "Trick", "down theirs").table
    at = after(share(at, ALICE, retype(at, ALICE, Build(), "Trick, 2d6")))
    with pytest.raises(NotAllowed, match="a number, so it has no dice"):
        oppose(at, GRETA, "11", "Alice")


def test_D4_a_die_of_a_shared_pool_moves_to_doom_when_it_is_rolled() -> None:
    at = having(table(ADEPT, doom=[6]), "alice", TraitKind.TRAIT, Trait("Blast", 8))
    at = sfx_use.add(at, ALICE, "Burst", "add d10", "to doom Blast").table
    at = after(share(at, ALICE, retype(at, ALICE, Build(), "Blast, Burst, d6")))
    assert (held(at, "alice"), CORTEX.of(at).doom) == ("d6 d10", {6: 1})
    assert CORTEX.of(throw_pool(at, ALICE, faces(3, 4), "Alice").table).doom == {6: 1, 8: 1}


def test_C2_a_resource_that_is_gone_from_the_sheet_stays_a_die_of_a_shared_pool() -> None:
    at = having(table(EMPIRE), "alice", TraitKind.RESOURCE, Trait("Wealth", 8))
    at = after(share(at, ALICE, retype(at, ALICE, Build(), "Wealth, d6")))
    gone = unset(at, ALICE, "Wealth").table
    assert [each.size for each in newest(throw_pool(gone, ALICE, faces(3, 4), "Alice").table).hand.dice] == [
        8,
        6,
    ]


def test_X1_a_trait_that_is_shut_down_meanwhile_is_not_rolled_in_a_shared_pool() -> None:
    at = shut(shared(dice="Reckless, 2d6"), "alice", "Reckless").table
    with pytest.raises(NotAllowed, match="Reckless is shut down"):
        throw_pool(at, ALICE, never, "Alice")
