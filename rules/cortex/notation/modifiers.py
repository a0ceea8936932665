"""Numbers that are added to a total, as they are limited and written: `"High ground" +2 -1` (N13)."""

import re
from collections.abc import Iterable, Sequence

from rules.cortex.state.table import Modifier
from rules.dice import quoted_label, shorten
from rules.errors import NotAllowed

LARGEST = 20
"""A modifier is from this with a minus to this."""
MOST = 10
"""A pool takes at most so many."""
_MODIFIER = re.compile(r'(?:"[^"]*"\s+)?[+\-−][0-9]{1,3}')


def checked(number: int, typed: str) -> int:
    """The number of a modifier. Raises NotAllowed for one that is too large."""
    if number > LARGEST:
        raise NotAllowed("{typed} is too much: a modifier can be -20 to 20.", typed=shorten(typed))
    return number


def require_few(plus: Sequence[Modifier]) -> None:
    """Refuse more modifiers than a pool takes."""
    if len(plus) > MOST:
        raise NotAllowed(
            "That's {count} modifiers; a pool can have at most {most}.", count=len(plus), most=MOST
        )


def is_one(text: str) -> bool:
    """Whether a text is one modifier as it is written, and nothing else."""
    return _MODIFIER.fullmatch(text) is not None


def write(plus: Iterable[Modifier]) -> str:
    """Modifiers as they can be typed again: `"High ground" +2 -1`."""
    return " ".join(_written(each) for each in plus)


def beside(pool: str, plus: tuple[Modifier, ...]) -> str:
    """A pool as it is typed, with its modifiers."""
    return f"{pool} {write(plus)}" if plus else pool


def _written(one: Modifier) -> str:
    return f"{quoted_label(one.label)} {one.number:+}" if one.label else f"{one.number:+}"
