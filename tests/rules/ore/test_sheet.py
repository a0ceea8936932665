"""One-Roll sheets are read as people type them (O1)."""

import pytest

from rules.errors import RuleError
from rules.ore.sheet import read_sheet, write_sheet


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
        ("Stats: Body 3d; Skills: Body 2d", "The sheet has Body twice"),
        ("Boxes: 4", '"4" isn\'t a place with its boxes'),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(typed: str, told: str) -> None:
    with pytest.raises(RuleError, match=told):
        read_sheet(f"Pronouns: she\n{typed}")
