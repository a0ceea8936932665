"""Traits of several dice and parts on sheets and in play (N21, N23)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign import scenes
from rules.campaign.characters import edited as rewritten
from rules.cortex import characters, sheet, traits
from rules.cortex.facts import TraitChanged
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.pool import sizes_of
from rules.errors import RuleError
from rules.names import has_die
from rules.table import Table
from tests.rules.people import ALICE, GRETA, after, having, table
from tests.strategies import labels, sizes

SHEET = """Skills: Fight d8 (> Knives d6 (sharp), Swords d8), Crew 3d6, Gang d8 2d6 (loud) (> Boys d4), Run d6
Signature assets: Wolves 2d8 (> Pup d4)"""


def held(at: Table, kind: TraitKind = TraitKind.TRAIT) -> dict[str, tuple[tuple[int, ...], str]]:
    has = CORTEX.has(at.characters["alice"]).traits(kind)
    return {one.label: (sizes_of(one), one.part_of) for one in has.values()}


def edited(text: str = SHEET) -> Table:
    return after(rewritten(table(), ALICE, "Alice", text))


def test_N21_and_N23_a_sheet_has_them() -> None:
    at = edited()
    assert held(at) == {
        "Fight": ((8,), ""),
        "Knives": ((6,), "Fight"),
        "Swords": ((8,), "Fight"),
        "Crew": ((6, 6, 6), ""),
        "Gang": ((8, 6, 6), ""),
        "Boys": ((4,), "Gang"),
        "Run": ((6,), ""),
    }
    assert held(at, TraitKind.ASSET) == {"Wolves": ((8, 8), ""), "Pup": ((4,), "Wolves")}
    assert SHEET in sheet.write(sheet.of(at.characters["alice"]))
    assert CORTEX.has(at.characters["alice"]).sheet["knives"].note == "sharp"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A: Fight d8 (> Knives d6 (> Small d4))", "A part can't have parts"),
        ("A: Fight d8 (> Knives)", '"Knives" needs a die'),
        ("A: Fight d8 (> Fight d6)", "Fight twice"),
        ("A: Crew 11d6", "a trait can have 1 to 10 dice"),
        ("A: Crew 2d7", r'"2d7" isn\'t a die here\. Use d4, d6, d8, d10 or d12'),
    ],
)
def test_N21_and_N23_what_no_sheet_has_is_named(text: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        sheet.read(text)


def _is_typable(label: str) -> bool:
    return not has_die(label) and not {*"“”"} & {*label}


_ONE = st.tuples(
    (labels() | st.sampled_from(["safe", "Fail safe", "Less one", "Crew 36"])).filter(_is_typable),
    st.lists(sizes(), min_size=1, max_size=10),
    st.booleans(),
    st.sampled_from(["", "loud", "> not a part", "\\> nor this", "so (> there)"]),
)
_SOME = st.lists(_ONE, min_size=1, max_size=5, unique_by=lambda one: one[0].casefold())


@given(_SOME, st.booleans(), st.data())
def test_N21_and_N23_whatever_a_sheet_has_comes_back(
    ones: list[tuple[str, list[int], bool, str]], safe: bool, data: st.DataObject
) -> None:
    made, whole = list[Trait](), ""
    for label, dice, is_safe, note in ones:
        held = sorted(dice, reverse=True)
        part_of = whole if whole and data.draw(st.booleans()) else ""
        whole = whole if part_of else label
        is_safe = is_safe and safe
        made.append(
            Trait(
                label, held[0], set="Skills", more=tuple(held[1:]), part_of=part_of, safe=is_safe, note=note
            )
        )
    before = sheet.Sheet({TraitKind.TRAIT: tuple(made)})
    after_ = sheet.read(sheet.write(before, safe=safe), safe=safe)
    assert after_.traits[TraitKind.TRAIT] == tuple(made)


def test_N23_a_part_is_set_moved_and_freed() -> None:
    at = edited("Skills: Fight d8, Shoot d6")
    at = after(characters.put(at, ALICE, "Knives", "d6", part_of="fight"))
    assert held(at)["Knives"] == ((6,), "Fight")
    assert CORTEX.has(at.characters["alice"]).sheet["knives"].set == "Skills"
    at = after(characters.put(at, ALICE, "Knives", "2d6", part_of="Shoot"))
    assert held(at)["Knives"] == ((6, 6), "Shoot")
    at = after(characters.put(at, ALICE, "Knives", "d6"))
    assert held(at)["Knives"] == ((6,), "Shoot")
    at = after(characters.put(at, ALICE, "Knives", "d6", part_of="-"))
    assert held(at)["Knives"] == ((6,), "")


@pytest.mark.parametrize(
    ("trait", "part_of", "says"),
    [
        ("Knives", "Magic", "no trait called"),
        ("Knives", "Boys", "Boys is part of Gang, so it can't have parts"),
        ("Fight", "Fight", "no trait called"),
        ("Gang", "Fight", "Gang has parts"),
        ("Wolves", "Fight", "Wolves has parts itself|no trait called"),
    ],
)
def test_N23_what_is_no_part_is_refused(trait: str, part_of: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        characters.put(edited(), ALICE, trait, "d6", part_of=part_of)


def test_N23_the_parts_of_a_trait_that_goes_stay_as_traits_of_their_own() -> None:
    at = after(characters.unset(edited(), ALICE, "Fight"))
    assert (held(at)["Knives"], held(at)["Swords"]) == (((6,), ""), ((8,), ""))
    assert held(at)["Boys"] == ((4,), "Gang")
    at = after(traits.removed(at, "alice", TraitKind.ASSET, "wolves"))
    assert held(at, TraitKind.ASSET) == {"Pup": ((4,), "")}


def test_N21_a_signature_asset_has_all_its_dice_again_when_the_scene_ends() -> None:
    at = after(scenes.start_scene(edited(), GRETA, "Den"))
    for _ in range(5):
        at = after(traits.stepped_down(at, "alice", TraitKind.ASSET, "wolves"))
    assert held(at, TraitKind.ASSET)["Wolves"] == ((4,), "")
    step = scenes.end_scene(at, GRETA)
    assert held(step.table, TraitKind.ASSET)["Wolves"] == ((8, 8), "")
    assert any(isinstance(fact, TraitChanged) for fact in step.facts)


def test_N21_an_asset_is_made_and_stepped_with_all_its_dice() -> None:
    at = after(traits.add_asset(table(pp=3), ALICE, "Crew 3d6"))
    assert held(at, TraitKind.ASSET) == {"Crew": ((6, 6, 6), "")}
    at = after(traits.step_up(at, ALICE, TraitKind.ASSET, "Crew"))
    assert held(at, TraitKind.ASSET) == {"Crew": ((8, 6, 6), "")}
    at = after(traits.step_down(at, ALICE, TraitKind.ASSET, "Alice · Crew d6"))
    assert held(at, TraitKind.ASSET) == {"Crew": ((8, 6, 4), "")}
    at = after(traits.step_down(at, ALICE, TraitKind.ASSET, "Alice · Crew d8 d6 d4", 2))
    assert held(at, TraitKind.ASSET) == {"Crew": ((6, 4, 4), "")}
    at = after(traits.remove(at, ALICE, TraitKind.ASSET, "crew 3d6"))
    assert held(at, TraitKind.ASSET) == {}


def test_N21_a_larger_rating_replaces_the_largest_die() -> None:
    at = having(table(), "alice", TraitKind.ASSET, Trait("Crew", 6, more=(6,)))
    assert held(after(traits.gained(at, "alice", TraitKind.ASSET, "Crew", 10)), TraitKind.ASSET)["Crew"] == (
        (10, 6),
        "",
    )
    assert held(after(traits.gained(at, "alice", TraitKind.ASSET, "Crew", 6)), TraitKind.ASSET)["Crew"] == (
        (8, 6),
        "",
    )
