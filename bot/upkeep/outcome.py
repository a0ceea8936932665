"""How an operator's command ends."""

from dataclasses import dataclass


class OrderRefused(Exception):
    """It cannot be done until somebody puts something right; a sentence or two."""


class NotYet(Exception):
    """It cannot be done just now, and may be done later; a sentence or two."""


@dataclass(frozen=True, slots=True)
class OrderOutcome:
    """What is printed, the last line saying how it went, and the exit code."""

    lines: tuple[str, ...]
    code: int = 0


def size(count: int) -> str:
    """So many bytes, in words."""
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count / 1e3:.1f} kB"


def many(count: int, one: str, more: str = "") -> str:
    """So many of something, in words: `1 entry`, `2 entries`."""
    return f"{count} {one if count == 1 else more or f'{one}s'}"
