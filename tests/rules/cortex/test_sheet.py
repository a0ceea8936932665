"""Sheets as text: read and written as a pair, with every mistake named by its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX, CortexCharacter
from rules.cortex.sheet import MOST_MISTAKES, MOST_TRAITS, Sheet, of, put_sheet, read, write
from rules.dice import SIZES
from rules.errors import RuleError
from rules.names import has_die
from rules.ore.notation import MOST_RATINGS
from rules.table import Character
from rules.values import replace
from tests import strategies

FULL = (
    "Pronouns: they/them\nPortrait: https://example.org/alice.png\nDistinctions: Old Soldier d8, "
    'Reckless d8\nAttributes: Mind d10 (a quick roll), Body d8\nSkills: "Fight, dirty" d8, "Mark 3" '
    "d6, Quick d12\nSignature assets: Sword d8\nResources: Wealth d8\nSFX: Focus (Mind): double "
    'Mind, for 1 PP, when angry\nSFX: "Dirty: trick": add d6\nSaved pool: Fly: Mind + Quick vs 11\n'
    'Saved pool: "At home: asleep": d4, "Fight, dirty"\nRatings: Body 3d, Fight 2d 1w e7\n'
    "Milestones: Find the map; Lose a friend\nNotes: First line\nsecond: line"
)


def test_D1_a_sheet_is_read_and_written_the_same() -> None:
    sheet = read(FULL)
    assert write(sheet) == FULL
    assert read(write(sheet)) == sheet
    assert [trait.label for trait in sheet.traits[TraitKind.TRAIT]] == [
        "Mind",
        "Body",
        "Fight, dirty",
        "Mark 3",
        "Quick",
    ]
    assert sheet.traits[TraitKind.ASSET][0].signature == 8


@pytest.mark.parametrize(
    ("typed", "label", "die", "note"),
    [
        ("A: mind d8", "mind", 8, ""),
        ("a : Mind D8 ;", "Mind", 8, ""),
        ("A: Mind 8", "Mind", 8, ""),
        ("A:Mind d8 (note)", "Mind", 8, "note"),
        ('A: "8 of luck" d4', "8 of luck", 4, ""),
        ("A: 😀 d6", "😀", 6, ""),
        ("A: קסם d12", "קסם", 12, ""),
        ("A: O'Neil d6,", "O'Neil", 6, ""),
        (f"A: {'x' * 100} d6", "x" * 100, 6, ""),
    ],
)
def test_D1_a_trait_is_read_forgivingly(typed: str, label: str, die: int, note: str) -> None:
    (trait,) = read(typed.rstrip(" ;")).traits[TraitKind.TRAIT]
    assert (trait.label, trait.die, trait.note) == (label, die, note)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("Skills Fight", 'Line 1, "Skills Fight": a line starts with a name and a colon'),
        ("Skills Fight d8", r'Line 1, "Skills Fight d8": these traits .* Example: Skills: Fight d8$'),
        ('A: "d8 of luck" d4', r'Line 1, .*"d8 of luck" has a die in it\. Leave d8 out of the name'),
        ("A: Mind d8\n\nB: Fight", r'Line 3, "B: Fight": "Fight" needs a die'),
        ("A: Mind d7", 'Line 1, "A: Mind d7": "d7" isn\'t a die'),
        (
            "A: Mind d8\nB: MIND d6",
            (r"Line 2, .*A has MIND twice\. Give one of the two another name"),
        ),
        ("A: Mind d8\nSFX: Focus", r"Line 2, .*an SFX needs a name, a colon and a benefit"),
        ("SFX: A: up\nSFX: a: up", r"Line 2, .*has a twice\. Give one of the two another name"),
        ("Portrait: alice", r"Line 1, .*a portrait needs a link"),
        ("Saved pool: Fly", r"Line 1, .*a saved pool needs a name, a colon and dice"),
        (f"Pronouns: {'x' * 41}", r"That line of pronouns has 41 characters"),
        (f"Milestones: Home; {'x' * 201}", r"That milestone has 201 characters"),
        ("Ratings: Body 3d, body 2d", r"Line 1, .*body twice\. Give one of the two another name"),
        ("Ratings: " + ", ".join(f"T{n}x 2d" for n in range(MOST_RATINGS + 1)), "40 ratings"),
        (
            "\n".join(f"SFX: T{n}x: up" for n in range(MOST_TRAITS + 1)),
            "Line 41, .*: A sheet can have at most 40 SFX",
        ),
        (
            "\n".join(f"Saved pool: T{n}x: d6" for n in range(21)),
            "Line 21, .*: A sheet can have at most 20 saved pools",
        ),
        (f"A: {'x' * 101} d8", r"101 characters"),
        ('Attri"butes: Mind d8', "Line 1, .*A quotation mark isn't closed"),
        ("A: " + ", ".join(f"T{n}x d6" for n in range(MOST_TRAITS + 1)), "40 traits, and"),
        ("\n".join(f"S{n}: T{n}x d6" for n in range(21)), "20 trait sets"),
        ("x" * 19001, "19001 characters"),
        ("Notes: " + "x" * 2001, "2001 characters"),
    ],
)
def test_a_mistake_is_named_with_its_line(typed: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        read(typed)


def test_twenty_mistakes_are_told_and_that_there_are_more() -> None:
    with pytest.raises(RuleError, match=r"Line 20, .*\nThere are more mistakes\.$") as told:
        read("Fight d8\n" * (MOST_MISTAKES + 5))
    assert "Line 21" not in str(told.value)


def test_what_is_in_play_keeps_its_state() -> None:
    alice = put_sheet(Character("Alice"), read(FULL))
    alice = CORTEX.give(
        alice,
        replace(
            CORTEX.has(alice),
            resources={"wealth": replace(CORTEX.has(alice).resources["wealth"], spent=True)},
            assets={
                **CORTEX.has(alice).assets,
                "rope": Trait("Rope", 6),
                "sword": replace(CORTEX.has(alice).assets["sword"], die=12),
            },
        ),
    )
    again = put_sheet(alice, read(FULL.replace("Mind d10", "Mind d12")))
    own = CORTEX.has(again)
    assert own.resources["wealth"].spent
    assert (own.assets["sword"].die, own.assets["rope"].die) == (12, 6)
    assert own.sheet["mind"].die == 12
    assert set(own.sfx) == {"focus", "dirty: trick"}


def test_X1_an_sfx_of_a_trait_that_left_the_sheet_is_named() -> None:
    with pytest.raises(RuleError, match="SFX Focus belongs to Mind, which isn't on the sheet"):
        put_sheet(Character("Alice"), read("Skills: Fight d8\nSFX: Focus (Mind): up"))


def test_D1_sets_of_the_ruleset_have_a_line_even_when_empty() -> None:
    lines = write(read("Skills: Fight d8"), ("Distinctions", "Attributes", "Skills", "Signature assets"))
    heads = ["Distinctions:", "Skills: Fight d8", "Attributes:", "Signature assets:"]
    assert lines.split("\n") == heads
    assert write(read(lines), ("Skills",), resources=True).endswith("Signature assets:\nResources:")
    assert write(read(lines)) == write(read("Skills: Fight d8"))


def test_D1_a_die_alone_is_the_trait_of_its_set() -> None:
    (tier,) = read("Tier: d8").traits[TraitKind.TRAIT]
    assert (tier.label, tier.die, tier.set) == ("Tier", 8, "Tier")
    assert write(read(write(read("Tier: d8")))) == write(read("Tier: d8"))


def test_D1_lines_of_one_set_are_one_set_up_to_case() -> None:
    assert {trait.set for trait in read("Skills: Climb d8\nskills: Sneak d6").traits[TraitKind.TRAIT]} == {
        "Skills"
    }


@given(
    st.lists(strategies.labels(), min_size=1, max_size=8, unique_by=str.casefold),
    st.data(),
)
def test_D1_whatever_a_trait_is_called_it_comes_back(labels: list[str], data: st.DataObject) -> None:
    # What stands in curly quotation marks, as phones type them, is what stands in straight ones.
    traits = tuple(
        Trait(label, data.draw(st.sampled_from(SIZES)), set="Skills")
        for label in labels
        if not has_die(label) and not {*"“”"} & {*label}
    )
    sheet = Sheet(
        {
            TraitKind.DISTINCTION: (),
            TraitKind.TRAIT: traits,
            TraitKind.ASSET: (),
            TraitKind.RESOURCE: (),
        }
    )
    assert of(put_sheet(Character("Alice"), read(write(sheet)))) == sheet


def test_D1_forty_traits_with_the_longest_names_come_back() -> None:
    traits = tuple(Trait(f"{number:03} {'x' * 96}", 12, set="Skills") for number in range(MOST_TRAITS))
    alice = CORTEX.give(Character("Alice"), CortexCharacter(sheet={trait.label: trait for trait in traits}))
    text = write(of(alice))
    assert max(map(len, text.split("\n"))) < 1700
    assert read(text).traits[TraitKind.TRAIT] == traits
