"""What of the files of other programs goes along with characters, and where that ends."""

import pytest

from rules.campaign.files import bring_character
from rules.cortex import files
from rules.cortex.model import CORTEX, LONGEST_FILE, CortexCharacter, Origin
from rules.errors import NotAllowed
from rules.table import Character, Table
from tests.rules.people import GRETA, table


def having(name: str, length: int) -> Character:
    return CORTEX.give(Character(name), CortexCharacter(origin=Origin("x" * length)))


def brought(at: Table, name: str, length: int) -> Table:
    return bring_character(at, GRETA, having(name, length), is_home=False).table


def test_a_file_is_kept_whole_or_refused() -> None:
    files.require_short(having("Zoe", LONGEST_FILE))
    with pytest.raises(
        NotAllowed,
        match=(
            r"Zoe's sheet would have 1,000,001 characters; the limit is 1,000,000\. Shorten it, then "
            r"send"
        ),
    ):
        files.require_short(having("Zoe", LONGEST_FILE + 1))


def test_the_files_of_a_table_have_an_end_together_and_who_has_none_comes_all_the_same() -> None:
    full = brought(brought(table(), "Zoe", 900_000), "Yan", 1_000_000)
    with pytest.raises(
        NotAllowed,
        match=(
            r"With Xi, the imported sheets would have 2,000,001 characters; the limit is 2,000,000\. "
            r"To make room, remove Yan, whose sheet is the longest: /character remove"
        ),
    ):
        brought(full, "Xi", 100_001)
    assert "xi" in brought(full, "Xi", 100_000).characters
    assert "xi" in bring_character(full, GRETA, Character("Xi"), is_home=False).table.characters
