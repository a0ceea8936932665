"""What somebody writes, before any game reads it."""

import pytest

from rules.text import LONGEST, bracketed, without_quotes


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("> quoted d6\nmine", "\nmine"),
        (">\n\n  >> d4\nmine", "\n\nmine"),
        ("  > quoted too\nmine", "\nmine"),
        ("~~no d6~~  d8\n\n\n d10", "  d8\nd10"),
        ("d6 https://example.org/2d6 d8", "d6   d8"),
        ("**Strong** __d10__ ||d6|| *d4*", "Strong d10 d6 d4"),
        ("- d6\n# d8\n-# d10", "d6\nd8\nd10"),
        ("“Fast Car” d8", '"Fast Car" d8'),
        ("snake_case 2*d6", "snake_case 2*d6"),
        ("x" * (LONGEST + 1), "x" * LONGEST),
    ],
)
def test_only_ones_own_words_are_read(text: str, left: str) -> None:
    assert without_quotes(text) == left


def test_what_stands_in_brackets_is_one_line_each() -> None:
    assert [*bracketed("a (b  c) d [e] `f + g` () (h\ni)")] == ["b c", "e", "f + g"]
