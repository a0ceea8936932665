"""How a host's command ends, or why it was refused. Every start loads this, so it imports little."""

from dataclasses import dataclass


class OrderRefused(Exception):
    """Raised if a command cannot run until somebody fixes something; its text is a sentence or two."""


class NotYet(Exception):
    """Raised if a command cannot run now, but may later; its text is a sentence or two."""


@dataclass(frozen=True, slots=True)
class OrderOutcome:
    """The lines to print, of which the last says how it went, and the exit code."""

    lines: tuple[str, ...]
    code: int = 0


def size(count: int) -> str:
    """Return a number of bytes as text.

    >>> size(2_500), size(1_250_000)
    ('2.5 kB', '1.2 MB')
    """
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count / 1e3:.1f} kB"


def many(count: int, one: str, more: str = "") -> str:
    """Return a count with its noun: `1 entry`, `2 entries`; the plural is `more`, else `one` with an s."""
    return f"{count} {one if count == 1 else more or f'{one}s'}"
