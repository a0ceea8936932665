"""Safe dice, as they are typed, carried and rolled (N14)."""

from collections.abc import Callable

import pytest

from rules.campaign.characters import edited
from rules.cortex import builder, characters, gmc, outcome, sfx_use, sheet, traits
from rules.cortex.effects import hitches
from rules.cortex.kinds import Sfx, Target, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.opposition import target_pool
from rules.cortex.pool import write_pool
from rules.cortex.pool_resolver import gather
from rules.cortex.pool_words import WRITTEN
from rules.cortex.roll import make
from rules.cortex.ruleset import PRIME, Ruleset
from rules.errors import RuleError, SettingOff
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, GRETA, REX, after, answered, faces, having, newest, table

SAFE = replace(PRIME, safe_dice=True)


def lucky(rules: Ruleset = SAFE) -> Table:
    at = table(rules)
    at = having(at, "alice", TraitKind.TRAIT, Trait("Mind", 8, set="A"), Trait("Luck", 6, set="B", safe=True))
    return having(
        at, "alice", TraitKind.TRAIT, Trait("Safe House", 4), Trait("Crew", 6, more=(6,), safe=True)
    )


@pytest.mark.parametrize(
    ("typed", "pool"),
    [
        ("safe d6", "safe d6"),
        ("Safe 2d6, d8", "safe d6, safe d6, d8"),
        ("d8 safe d6", "safe d6, d8"),
        ("safe Mind", "Mind safe d8"),
        ("Mind", "Mind d8"),
        ("Luck", "Luck safe d6"),
        ("Luck d8", "Luck safe d8"),
        ("Luck + safe Mind", "Luck safe d6, Mind safe d8"),
        ("safe Mind d10", "Mind safe d10"),
        ("Mind safe d10", "Mind safe d10"),
        ("Hope safe d10", "Hope safe d10"),
        ("up safe d6", "safe d8"),
        ("safe up d6", "safe d8"),
        ("safe up Mind", "Mind safe d10"),
        ("d4 safe Mind", "Mind safe d8, d4"),
        ("double safe Mind", "double Mind safe d8"),
        ("safe house", '"Safe House" d4'),
        ("safe house d6", '"Safe House" d6'),
        ("safe Hope d6", "Hope safe d6"),
        ('"safe" d6', '"safe" d6'),
        ("Crew", "Crew safe d6, Crew safe d6"),
        ("from doom safe d6", "from doom d6"),
    ],
)
def test_N14_a_die_or_a_name_is_safe(typed: str, pool: str) -> None:
    found = answered(ALICE, lambda who: gather(lucky(), who, typed, None, "Alice"))
    assert write_pool(found.pool) == pool
    again = gather(lucky(), replace(ALICE, agreed=(WRITTEN,)), write_pool(found.pool), None, "Alice").pool
    assert sorted(map(repr, again)) == sorted(map(repr, found.pool))


@pytest.mark.parametrize(
    ("typed", "pool"),
    [
        ("safe d6", '"safe" d6'),
        ("Luck safe d6", '"Luck safe" d6'),
        ("Luck", "Luck d6"),
        ("Crew", "Crew d6, Crew d6"),
    ],
)
def test_N14_while_the_setting_is_off_it_is_a_label(typed: str, pool: str) -> None:
    found = answered(ALICE, lambda who: gather(lucky(PRIME), who, typed, None, "Alice"), -1)
    assert write_pool(found.pool) == pool


def test_N14_a_safe_hitch_counts_nowhere_but_for_a_botch() -> None:
    at = after(make(lucky(), ALICE, faces(1, 1), "Luck, Mind"))
    assert hitches(newest(at)) == (1,)
    assert outcome.is_botch(newest(at).hand)
    at = after(make(lucky(), ALICE, faces(1, 5), "Luck, Mind"))
    assert hitches(newest(at)) == ()
    assert (
        gather(at, ALICE, "last", None, "Alice").pool == gather(at, ALICE, "Luck, Mind", None, "Alice").pool
    )


def test_N14_traits_and_assets_are_made_safe_as_their_rating_is_typed() -> None:
    at = after(traits.add_asset(table(SAFE, pp=3), ALICE, "Shield", die="safe d8"))
    at = after(traits.add_asset(at, ALICE, "Cloak safe 2d6"))
    held = CORTEX.has(at.characters["alice"]).assets
    assert (held["shield"], held["cloak"]) == (
        Trait("Shield", 8, safe=True),
        Trait("Cloak", 6, more=(6,), safe=True),
    )
    at = after(characters.put(at, ALICE, "Luck", "safe d6", "Skills"))
    assert CORTEX.has(at.characters["alice"]).sheet["luck"].safe
    at = after(characters.put(at, ALICE, "Luck", "d6"))
    assert not CORTEX.has(at.characters["alice"]).sheet["luck"].safe


def charmed(at: Table) -> Table:
    alice = at.characters["alice"]
    held = replace(CORTEX.has(alice), sfx={"charm": Sfx("Charm", ("safe Mind",))})
    return at.with_owner("alice", CORTEX.give(alice, held))


OFF: dict[str, Callable[[Table], object]] = {
    "asset": lambda at: traits.add_asset(at, ALICE, "Shield", die="safe d8"),
    "trait": lambda at: characters.put(at, ALICE, "Mind", "safe d6"),
    "sfx": lambda at: sfx_use.add(at, ALICE, "Charm", "safe Mind"),
    "use": lambda at: gather(charmed(at), ALICE, "Mind, Charm", None, "Alice"),
}


@pytest.mark.parametrize("deed", OFF.values(), ids=[*OFF])
def test_N14_a_setting_that_is_off_is_named(deed: Callable[[Table], object]) -> None:
    with pytest.raises(SettingOff, match="Safe dice are off in this campaign") as refused:
        deed(lucky(PRIME))
    assert refused.value.setting == "safe dice"


@pytest.mark.parametrize(
    ("benefit", "typed", "pool"),
    [
        ("safe Mind", "Mind, Charm, d6", "Mind safe d8, d6"),
        ("safe", "d4, Charm Mind", "Mind safe d8, d4"),
        ("safe", "Charm d4, Mind", "safe d4, Mind d8"),
        ("safe Crew", "Charm, Crew", "Crew safe d6, Crew safe d6"),
    ],
)
def test_N14_an_sfx_makes_dice_safe(benefit: str, typed: str, pool: str) -> None:
    at = having(lucky(), "alice", TraitKind.TRAIT, Trait("Crew", 6, more=(6,)))
    at = after(sfx_use.add(at, ALICE, "Charm", benefit))
    assert write_pool(gather(at, ALICE, typed, None, "Alice").pool) == pool


def test_N14_an_sfx_without_a_trait_asks_for_the_die() -> None:
    at = after(sfx_use.add(lucky(), ALICE, "Charm", "safe"))
    with pytest.raises(RuleError, match="Type the die for Charm right after"):
        gather(at, ALICE, "d4, Mind, Charm", None, "Alice")


def test_N14_a_sheet_says_so_only_while_the_setting_is_on_and_loses_nothing() -> None:
    at = after(edited(table(SAFE), ALICE, "Alice", 'Skills: Luck safe d6, "Fail safe" d8, Mind d8'))
    held = CORTEX.has(at.characters["alice"]).sheet
    assert {one.label: one.safe for one in held.values()} == {"Luck": True, "Fail safe": False, "Mind": False}
    assert 'Luck safe d6, "Fail safe" d8' in sheet.write(sheet.of(at.characters["alice"]), safe=True)
    off = CORTEX.put(at, replace(CORTEX.of(at), ruleset=PRIME))
    assert "Luck d6, Fail safe d8" in sheet.write(sheet.of(off.characters["alice"]))
    off = after(edited(off, ALICE, "Alice", "Skills: Luck d8, Fail safe d8, Mind d10"))
    assert CORTEX.has(off.characters["alice"]).sheet["luck"] == Trait("Luck", 8, set="Skills", safe=True)


def test_N14_a_gmc_has_safe_traits() -> None:
    at = gmc.new(lucky(), GRETA, "Wolves", "Gang safe 2d6, Claws d8").table
    assert write_pool(target_pool(at, Target(REX.foe, "wolves"))) == "Gang safe d6, Gang safe d6, Claws d8"


def test_N14_the_builder_knows_safe_dice() -> None:
    at = lucky()
    built = builder.retype(at, ALICE, builder.Build(), "safe Mind, safe d6, Safe House, Luck safe d6")
    seen = builder.look(at, ALICE, built)
    assert seen.fault is None
    assert seen.gathered is not None
    assert write_pool(seen.gathered.pool) == 'Mind safe d8, safe d6, "Safe House" d4, Luck safe d6'
    assert not seen.gone
