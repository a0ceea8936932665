"""What somebody writes, as any game reads dice in it: their own words, and what stands in brackets."""

import re
from collections.abc import Iterator

LONGEST = 2000
"""So much of what is written is read."""
_BRACKETS = re.compile(r"\(([^()\n]+)\)|\[([^\[\]\n]+)\]|`([^`\n]+)`")
_QUOTED_LINES = re.compile(r"^ ?>.*$", re.MULTILINE)
_LEFT_OUT = re.compile(r"~~.*?~~|https?://\S+", re.DOTALL)
_MARKS = re.compile(r"\*\*|__|\|\||(?<![\w*])[*_]|[*_](?![\w*])|^ ?(?:#+|-#|[-*])\s", re.MULTILINE)


def plain(text: str) -> str:
    """The text without what is quoted, struck out, an address or a mark."""
    return without_marks(own_words(text))


def own_words(text: str) -> str:
    """The text without the lines of others that it quotes, with straight quotation marks."""
    # Long runs of blanks are one: patterns that look over them would take a second for a message of them.
    tight = re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", text[:LONGEST]))
    return _QUOTED_LINES.sub("", tight.replace("“", '"').replace("”", '"'))


def without_marks(text: str) -> str:
    """The text without what is struck out, an address or a mark."""
    return _MARKS.sub("", _LEFT_OUT.sub(" ", text))


def bracketed(text: str) -> Iterator[str]:
    """What stands in each pair of brackets, in one line."""
    for found in _BRACKETS.finditer(text):
        yield " ".join(next(filter(None, found.groups())).split())
