"""What reads typed text takes no seconds for any, and no text is too deep for it."""

from collections.abc import Callable
from itertools import islice

import pytest

from rules.cortex.formats import toolkit_form
from rules.cortex.sheet import read
from rules.errors import RuleError
from rules.ore.sheet import read_sheet
from tests.bench.imports import import_file, make_files
from tests.bench.pump import PIECES, pumped, watchdog
from tests.bench.readers import READERS, read_or_refuse
from tests.bot.test_toolkit import COUNTED

NUMBERED = (
    ", ".join(f"{number} d{size}" for number in (4, 6, 8, 10, 12) for size in (4, 6, 8, 10, 12)),
    " ".join(f"~~{letter}~~ d8" for letter in "abcdefghijklmnopqrst"),
    ", ".join(f"{number} d6 d8 x{number}" for number in range(13, 33)),
    " ".join(f"Mind{number}: d8" for number in range(22)) + " and a few words",
    "; ".join(f"{number} a" for number in range(500)),
    "".join("*_`"[n % 3] for n in range(400)) + "d8" + "".join("*_`"[n % 3] for n in reversed(range(400))),
    "(" * 450 + "d8" + ")" * 450,
    "[({" * 150 + "d8" + "})]" * 150,
)
"""Texts of pieces that differ, so that each is a question or a name by itself."""


@pytest.mark.parametrize("reader", READERS)
def test_long_text_is_read_or_refused_at_once(reader: str) -> None:
    for piece in PIECES:
        read_or_refuse(reader, pumped(piece, "!?", READERS[reader][0]))
    for text in NUMBERED:
        read_or_refuse(reader, text)


@pytest.mark.parametrize("reader", [read, read_sheet])
def test_a_sheet_of_many_lines_is_refused_by_its_first_mistakes(reader: Callable[[str], object]) -> None:
    with pytest.raises(RuleError, match=r"\nThere are more mistakes\.$") as refused:
        reader("a: b\n" * 1500)
    assert "Line 22" not in str(refused.value)


@pytest.mark.parametrize("share", [53, pytest.param(1, marks=[pytest.mark.slow, pytest.mark.timeout(1200)])])
def test_a_file_of_long_texts_or_lists_is_read_or_refused_at_once(share: int) -> None:
    found = islice(make_files(), 0, None, share)
    for number, (where, piece, text) in enumerate(found):
        with watchdog(f"{where} of {piece!r}"):
            import_file(text, is_table=bool(number % 2))


def test_a_sheet_of_the_toolkit_with_thousands_of_unknown_members_is_read_at_once() -> None:
    sheet = COUNTED | {f"odd{number}": number for number in range(20_000)}
    with watchdog("a sheet of unknown members"):
        (read,) = toolkit_form.read([sheet])
    assert read["custom"]["doomkeeper"]["odd19999"] == 19_999
