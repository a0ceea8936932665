"""Names that are read from right to left, set apart from the sentence around them.

Without that, a reader's screen takes what follows such a name for more of it: `نورا: 1 PP` is shown with its
number first. What is typed, completed or exported has no marks, and neither has any other name, so that it is
found by searching.
"""

import re

_LETTER = (
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"  # Hebrew to Adlam
)
_NAME = re.compile(f"{_LETTER}(?:(?:{_LETTER}|[ \u00a0'’.-])*{_LETTER})?")
_FIRST_STRONG, _POP = "\u2068", "\u2069"


def isolated(text: str, most: int | None = None) -> str:
    """A text in which each such name stands by itself, in `most` characters."""
    short = text[:most]
    marked = _NAME.sub(lambda name: f"{_FIRST_STRONG}{name[0]}{_POP}", short)
    if most is None or len(marked) <= most:
        return marked
    return isolated(short[: len(short) - (len(marked) - most)], most)


def without_marks(text: str) -> str:
    """The text that was typed, of one in which names stand by themselves."""
    return text.replace(_FIRST_STRONG, "").replace(_POP, "")
