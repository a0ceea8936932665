"""Values of Cortex settings as people type them: dice sizes, difficulties, and what nothing is called."""

import re
from itertools import pairwise

from rules.dice import ALL_SIZES, dice_named, write_dice
from rules.errors import Unreadable
from rules.settings import write_names
from rules.text import shorten

_SIZE = re.compile("[dD]?([0-9]{1,2})")


def read_sizes(typed: str) -> tuple[int, ...]:
    """Return the sizes of a table's dice, in rising order (N13). Raises Unreadable.

    >>> read_sizes("d8 6 d10")
    (6, 8, 10)
    """
    found = [_SIZE.fullmatch(word) for word in typed.replace(",", " ").split()]
    sizes = tuple(sorted({int(match[1]) for match in found if match}))
    is_known = all(found) and set(sizes) <= set(ALL_SIZES)
    if not is_known or not 2 <= len(sizes) <= len(ALL_SIZES) or 6 not in sizes:
        raise Unreadable(
            "{typed} isn't a list of sizes. Type 2 to 10 of {sizes}, including d6. Example: d2 d4 d6 d8 "
            "d10 d12",
            typed=shorten(typed),
            sizes=dice_named(ALL_SIZES),
        )
    return sizes


def write_sizes(value: object) -> str:
    """Return dice sizes as people type them, one by one: `d6 d6 d8`."""
    return " ".join(f"d{size}" for size in value) if isinstance(value, tuple) else str(value)


def read_difficulties(typed: str) -> tuple[int, ...]:
    """Return five rising numbers, from very easy to very hard (T1). Raises Unreadable.

    >>> read_difficulties("4, 8, 12, 16, 20")
    (4, 8, 12, 16, 20)
    """
    words = typed.replace(",", " ").split()
    found = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 3]
    is_rising = all(less < more for less, more in pairwise(found))
    if not len(words) == len(found) == 5 or found[0] < 1 or not is_rising:
        raise Unreadable(
            "{typed} isn't a list of difficulties. Type five rising numbers from 1 to 99, very easy to "
            "very hard. Example: 4, 8, 12, 16, 20",
            typed=shorten(typed),
        )
    return tuple(found)


def write_or_none(value: object) -> str:
    """Return names as people type them; `none` if there are none."""
    return write_names(value) if value else "none"


def write_pool(value: object) -> str:
    """Return dice as people type them, counted: `2d6 d8`."""
    return write_dice(value) if isinstance(value, tuple) else str(value)


def write_limit(value: object) -> str:
    """Return a limit as people type it; 0 is `no limit`."""
    return str(value) if value else "no limit"
