"""Traits with several dice, and parts, as they join a pool (N21, N23)."""

import pytest

from rules.cortex import builder, gmc, sheet, spending
from rules.cortex.kinds import Rank, Target, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.opposition import target_pool
from rules.cortex.pool import Source, write_pool
from rules.cortex.pool_resolver import gather
from rules.cortex.pool_words import WRITTEN
from rules.cortex.roll import make
from rules.cortex.ruleset import EMPIRE, PRIME, ResourceUse
from rules.cortex.spending import past_limits
from rules.errors import NotAllowed, RuleError
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, GRETA, REX, after, answered, faces, having, newest, table

SKILLS = (
    Trait("Crew", 8, set="Skills", more=(6, 6)),
    Trait("Fight", 8, set="Skills"),
    Trait("Knives", 6, set="Skills", part_of="Fight"),
    Trait("Swords", 8, set="Skills", part_of="Fight"),
    Trait("Scouts", 6, set="Roles", more=(6,)),
    Trait("Rangers", 6, set="Roles", part_of="Scouts", more=(4,)),
)


def skilled(at: Table | None = None) -> Table:
    return having(at or table(), "alice", TraitKind.TRAIT, *SKILLS)


@pytest.mark.parametrize(
    ("typed", "pool", "past"),
    [
        ("Crew", "Crew d8, Crew d6, Crew d6", 0),
        ("crew, d4", "Crew d8, Crew d6, Crew d6, d4", 0),
        ("Crew + Fight", "Crew d8, Crew d6, Crew d6, Fight d8", 1),
        ("up Crew d6", "Crew d8, Crew d8, Crew d6", 0),
        ("less one Crew d8", "Crew d6, Crew d6", 0),
        ("Crew 3d6", "Crew d6, Crew d6, Crew d6", 0),
        ("Crew 4d6", "Crew d6, Crew d6, Crew d6, Crew d6", 1),
        ("Fight 2d8", "Fight d8, Fight d8", 1),
        ("double Crew", "double Crew d8, Crew d6, Crew d6", 0),
        ("up Crew", "Crew d10, Crew d6, Crew d6", 0),
        ("up up Crew", "Crew d12, Crew d6, Crew d6", 0),
        ("down Crew", "Crew d6, Crew d6, Crew d6", 0),
        ("less one Crew", "Crew d8, Crew d6", 0),
        ("less one less one Crew", "Crew d8", 0),
        ("d4 + Less One crew", "Crew d8, Crew d6, d4", 0),
        ("d10 less one Crew", "Crew d8, Crew d6, d10", 0),
        ("Knives", "Fight d8, Knives d6", 0),
        ("Knives d6", "Knives d6", 0),
        ("Knives, Swords", "Fight d8, Knives d6, Swords d8", 0),
        ("Knives + Fight", "Knives d6, Fight d8", 0),
        ("Fight d10, Knives", "Fight d10, Knives d6", 0),
        ("up Knives", "Fight d8, Knives d8", 0),
        ("Rangers", "Scouts d6, Scouts d6, Rangers d6, Rangers d4", 0),
    ],
)
def test_N21_and_N23_what_a_name_brings_is_one_trait(typed: str, pool: str, past: int) -> None:
    found = answered(ALICE, lambda who: gather(skilled(), who, typed, None, "Alice"))
    assert write_pool(found.pool) == pool
    assert past_limits([die.source for die in found.pool], PRIME) == past


def test_N21_a_die_that_a_trait_has_not_is_none_of_it() -> None:
    with pytest.raises(NotAllowed, match=r"^Crew has no d10\. It has 2d6 d8\.$"):
        gather(skilled(), ALICE, "up Crew d10", None, "Alice")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("less one Fight", "less one only works on a trait with several dice"),
        ("less one", "less one only works on a trait with several dice"),
        ("less one Knives d6, less", r"Alice has no less\. Try Crew, Fight, Knives,"),
    ],
)
def test_N21_one_die_alone_is_no_dice_less_one(typed: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        gather(skilled(), ALICE, typed, None, "Alice")


def test_N21_a_label_that_begins_so_stays_one() -> None:
    at = having(skilled(), "alice", TraitKind.TRAIT, Trait("Less One Hand", 4))
    assert write_pool(gather(at, ALICE, "less one hand", None, "Alice").pool) == '"Less One Hand" d4'
    found = gather(skilled(), ALICE, "less one hand d6", None, "Alice")
    assert write_pool(found.pool) == '"less one hand" d6'


@pytest.mark.parametrize(
    "typed",
    [
        "Crew",
        "double Crew",
        "up Crew, d6",
        "Knives",
        "Rangers, d4",
        "Crew 4d6",
        "less one Crew",
        "split Crew",
    ],
)
def test_N21_and_N23_the_last_pool_is_the_same_again(typed: str) -> None:
    at = after(answered(ALICE, lambda who: make(skilled(), who, lambda sizes: [2] * len(sizes), typed)))
    pool = answered(ALICE, lambda who: gather(skilled(), who, typed, None, "Alice")).pool
    assert gather(at, ALICE, "last", None, "Alice").pool == pool


def test_N21_a_hindered_distinction_of_several_dice_is_one_d4() -> None:
    at = having(table(), "alice", TraitKind.DISTINCTION, Trait("Twins", 8, more=(8,)))
    found = gather(at, ALICE, "hinder Twins, d6", None, "Alice")
    assert write_pool(found.pool) == "Twins d4, d6"
    again = gather(at, replace(ALICE, agreed=(WRITTEN,)), found.text, None, "Alice")
    assert again.pool == found.pool
    assert write_pool(gather(at, ALICE, "Twins, d6", "Twins", "Alice").pool) == "Twins d4, d6"


@pytest.mark.parametrize(("resources", "apart"), [(ResourceUse.ON, False), (ResourceUse.APART, True)])
def test_N21_all_dice_of_a_resource_are_spent_as_one(resources: ResourceUse, apart: bool) -> None:
    at = having(
        table(replace(EMPIRE, resources=resources)),
        "alice",
        TraitKind.RESOURCE,
        Trait("Crew", 8, more=(6,)),
    )
    step = make(at, ALICE, faces(8, 5, 2, 1), "Crew, d4, d6")
    made = newest(step.table)
    assert [die.apart for die in made.hand.dice] == [apart, apart, False, False]
    assert not spending.over_limit(made, CORTEX.of(at).ruleset)
    assert CORTEX.has(step.table.characters["alice"]).resources["crew"].spent
    with pytest.raises(RuleError, match="Crew d8 d6 is spent"):
        make(after(step), ALICE, faces(1, 1), "less one Crew, d4")


def test_N23_a_part_of_a_resource_is_spent_itself() -> None:
    held = Trait("Band", 8), Trait("Drums", 6, part_of="Band")
    at = having(table(EMPIRE), "alice", TraitKind.RESOURCE, *held)
    alone = CORTEX.has(make(at, ALICE, faces(3, 2), "Drums d6, d4").table.characters["alice"]).resources
    assert [one.spent for one in alone.values()] == [False, True]
    both = make(at, ALICE, faces(3, 2), "Drums").table
    assert [one.spent for one in CORTEX.has(both.characters["alice"]).resources.values()] == [True, True]


def test_N23_a_part_whose_trait_is_gone_is_a_trait_of_its_own() -> None:
    at = having(table(), "alice", TraitKind.TRAIT, Trait("Knives", 6, set="Skills", part_of="Fight"))
    (die,) = gather(at, ALICE, "Knives", None, "Alice").pool
    assert die.source == Source(TraitKind.TRAIT, "Skills")
    assert "Skills: Knives d6" in sheet.write(sheet.of(at.characters["alice"]))
    ring = Trait("Fight", 8, set="Skills", part_of="Knives")
    both = gather(having(at, "alice", TraitKind.TRAIT, ring), ALICE, "Knives", None, "Alice")
    assert write_pool(both.pool) == "Fight d8, Knives d6"


@pytest.mark.parametrize(
    ("dice", "kind", "rank", "pool"),
    [
        ("Gang 3d6, Claws d8", None, Rank.MINOR, "Gang d6, Gang d6, Gang d6, Claws d8"),
        ("Gang 3d6", None, Rank.EXTRA, "Gang d6, Gang d6, Gang d6"),
        ("Gang 2d6, 4d10", None, Rank.BOSS, "Gang d6, Gang d6, 4d10"),
    ],
)
def test_N21_a_gmc_rolls_all_dice_of_its_traits(dice: str, kind: str | None, rank: Rank, pool: str) -> None:
    at = gmc.new(table(), GRETA, "Wolves", dice, kind).table
    assert CORTEX.has(at.characters["wolves"]).rank is rank
    assert write_pool(target_pool(at, Target(REX.foe, "wolves"))) == pool


@pytest.mark.parametrize("dice", ["Gang 11d6", "Gang d6, Gang d8", "Gang 2d6, Gang 2d6"])
def test_N21_too_many_dice_and_a_label_twice_are_refused_for_a_gmc(dice: str) -> None:
    with pytest.raises(
        RuleError, match=r"^A trait can have at most 10 dice\.|^Two traits have the same label\."
    ):
        gmc.new(table(), GRETA, "Wolves", dice)


def test_N21_and_N23_the_builder_offers_and_prices_them() -> None:
    at = skilled()
    built = builder.retype(at, ALICE, builder.Build(), "Crew + Knives")
    assert [piece.name for piece in built.pieces] == ["Crew", "Knives"]
    seen = builder.look(at, ALICE, built)
    assert seen.gathered is not None
    assert write_pool(seen.gathered.pool) == "Crew d8, Crew d6, Crew d6, Fight d8, Knives d6"
    assert seen.over == 1
    rows = {section.name: section.candidates for section in seen.sections}
    assert {each.label: each.price for each in rows["Skills"]} == {
        "Crew d8 2d6": 0,
        "Fight d8": 0,
        "Knives d6": 0,
        "Swords d8": 0,
    }
    begun = builder.look(at, ALICE, builder.retype(at, ALICE, builder.Build(), "Crew"))
    assert [each.price for each in begun.sections[0].candidates] == [0, 1, 1, 1]
