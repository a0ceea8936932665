"""One-Roll sheets are read as people type them (O1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import RuleError
from rules.names import key
from rules.ore.model import OneRollRating
from rules.ore.sheet import OreSheet, read_sheet, write_sheet

LABELS = (
    *("Stats", "Boxes", "Notes", "Members", "Portrait", "Penalty", "On", "Half", "A", "Hard", "and", "Vs"),
    *("Plan 9", "Lore; Elves: old", "Mr. Stats man", "A; Run:", "Science: Math", "x. Skills: y", "Rating"),
)
GROUPS = ("", "Stats", "Skills", "Main skills", "Magic lore", "On")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (
            "Stats: Body 3d, Mind 2d; Skills: Fight 2d 1w; Boxes: Head 4, Torso 10 armour 2",
            "Stats: Body 3d, Mind 2d\nSkills: Fight 2d 1w\nBoxes: Head 4, Torso 10 armour 2",
        ),
        ("Stats: Body 3d. Skills: Fight 2d", "Stats: Body 3d\nSkills: Fight 2d"),
        ("Stats Body 3d; Skills Fight 2d. Boxes Head 4", "Stats: Body 3d\nSkills: Fight 2d\nBoxes: Head 4"),
        ("Stats Body 3d, Mind 2d\nBoxes Head 4, Body 10", "Stats: Body 3d, Mind 2d\nBoxes: Head 4, Body 10"),
        ("Stats:\nMind: 2d\nBody: 3d 1w\nSkills:\nRun: 2d", "Stats: Mind 2d, Body 3d 1w\nSkills: Run 2d"),
        ("Stats: Body 3d; Mind: 2d", "Stats: Body 3d, Mind 2d"),
        ("**Stats:** Body 3d", "Stats: Body 3d"),
        ("Boxes: Head: 4; Body : 10", "Boxes: Head 4, Body 10"),
        ("Boxes: Head: 4; Body: 10 armour 2, Arm: 5", "Boxes: Head 4, Body 10 armour 2, Arm 5"),
        ("Boxes:\nHead: 4\nSkills: Run 2d", "Skills: Run 2d\nBoxes: Head 4"),
        ("Stats: Body 3d, Skills: Run 2d, Boxes: Head 4", "Stats: Body 3d\nSkills: Run 2d\nBoxes: Head 4"),
        ("Stats: Body 3d Skills: Run 2d 1wd Notes: hi", "Stats: Body 3d\nSkills: Run 2d 1w\nNotes: hi"),
        ("**Stats:** Body 3d; **Skills:** Run 2d", "Stats: Body 3d\nSkills: Run 2d"),
        ("Main skills: Run 2d", "Main skills: Run 2d"),
        ('Skills: "Lore; Elves: old" 3d, "On" 2d', 'Skills: "Lore; Elves: old" 3d, "On" 2d'),
        ("Portrait: https://example.org/a;b:c", "Portrait: https://example.org/a;b:c"),
        ("Members: 12; Notes: Late.", "Members: 12\nNotes: Late."),
        ("Notes: Late. Always: be there; Boxes: none", "Notes: Late. Always: be there; Boxes: none"),
        (
            "Portrait: https://example.org/a.png; Pronouns: they/them",
            "Pronouns: they/them\nPortrait: https://example.org/a.png",
        ),
    ],
)
def test_a_sheet_is_read_as_it_is_typed(typed: str, read: str) -> None:
    assert write_sheet(read_sheet(typed)) == read
    assert write_sheet(read_sheet(read)) == read


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("Stats: 3d", "3d needs a name"),
        ("Skills: Fight 2d; Wealth: 5", "5d needs a name"),
        ("Members: 99", "A crowd has 1 to 15 members"),
        (f"Notes: {'x' * 2001}\nNothing", "the notes have 2009 characters"),
        ("Stats: Body 3d; Skills: Body 2d", "The sheet has Body twice"),
        ("Boxes: 4", '"4" isn\'t a place with its boxes'),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(typed: str, told: str) -> None:
    with pytest.raises(RuleError, match=told):
        read_sheet(f"Pronouns: she\n{typed}")


@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(GROUPS)), unique_by=lambda each: each[0]))
def test_a_sheet_of_any_names_reads_back(rated: list[tuple[str, str]]) -> None:
    ratings = {key(label): OneRollRating(label, "2d 1w", group) for label, group in rated}
    assert read_sheet(write_sheet(OreSheet(ratings))).ratings == ratings


@pytest.mark.parametrize(
    "part", ["; a:", "; a: 1", "“", "; ", " ", "http://", "a ", "1 ", "5d penalty ", "3d Stats: "]
)
@pytest.mark.parametrize("head", ["a: ", "Boxes: a"])
def test_a_sheet_of_nothing_but_separators_is_refused_at_once(head: str, part: str) -> None:
    # A pattern that goes back again and again would take minutes here.
    with pytest.raises(RuleError):
        read_sheet(f"{head}{part * (19_900 // len(part))}b")
