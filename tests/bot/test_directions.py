"""Names that are read from right to left stand by themselves in what the bot says, and nowhere else."""

import json
import re
from pathlib import Path

import pytest

from bot.language.line import isolated
from bot.loopback.reply import buttons_of
from tests.game import Game

NORA, DAVID = "نورا", "דוד כהן"
APART = f"\u2068{NORA}\u2069"
MARKS = re.compile("[\u2066-\u2069\u200e\u200f]")


@pytest.fixture
async def theirs(table: Game) -> Game:
    """A table at which Alice is called Nora, in Arabic letters."""
    await table.play(f"gm: /character rename who:Alice to:{NORA}")
    return table


async def test_a_sentence_reads_right_around_such_a_name(theirs: Game) -> None:
    assert f"{APART}: 2 PP" in (await theirs.play(f"gm: /pp give who:{NORA}")).text
    assert (await theirs.play("alice: /roll dice:2d6 d8")).text.startswith(f"{APART}: Total")
    for look in ("table show", "log", "character list"):
        assert APART in (await theirs.says(f"bob: /{look}")).text
    assert f"Did you mean {APART}?" in (await theirs.says("gm: /pp give who:نور")).text


async def test_a_button_too(theirs: Game) -> None:
    begun = await theirs.play("gm: /challenge new name:Storm")
    assert begun.message is not None
    assert f"First: {APART}" in [button.label for button in buttons_of(begun.message)]


async def test_words_for_a_picture_too(theirs: Game, face: Path) -> None:
    given = await theirs.play(f"alice: /character portrait picture:{face}")
    assert given.message is not None
    assert f"Portrait of {APART}" in json.dumps(given.message.components, ensure_ascii=False)


async def test_what_is_completed_or_exported_has_no_marks(theirs: Game) -> None:
    offered = await theirs.gm.complete("/pp give who:")
    assert NORA in [choice.name for choice in offered]
    assert not any(MARKS.search(f"{choice.name}{choice.value}") for choice in offered)
    exported = await theirs.says("gm: /campaign export")
    assert exported.message is not None
    (file,) = exported.message.files
    assert NORA in file.data.decode()
    assert not MARKS.search(file.data.decode())


async def test_other_names_have_no_marks(table: Game) -> None:
    assert not MARKS.search((await table.play("gm: /pp give who:Alice")).text)
    assert not MARKS.search((await table.says("gm: /table show")).text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{NORA}: 1 PP", f"{APART}: 1 PP"),
        (f"{NORA}, {DAVID} and Bob", f"{APART}, \u2068{DAVID}\u2069 and Bob"),
        ("Bob: 1 PP", "Bob: 1 PP"),
    ],
)
def test_each_name_stands_by_itself(text: str, told: str) -> None:
    assert isolated(text) == told


@pytest.mark.parametrize("most", range(8, 40))
def test_what_has_to_be_short_stays_so(most: int) -> None:
    marked = isolated(f"{NORA}, {DAVID}, {NORA} and {DAVID}", most)
    assert len(marked) <= most
    assert marked.count("\u2068") == marked.count("\u2069")
