"""The parts of lines: names in a row, dice, traits, SFX and pools, as cards say them."""

from collections.abc import Iterable, Sequence

from bot.language import say, say_of, spoken
from rules.dice import Die, write, write_pool
from rules.words import AND, Row


def listed(names: Iterable[str], last: str = AND) -> str:
    """Names in a row as one says them: `Rope, Lantern and Map`."""
    row = list(names)
    return spoken(Row(row, last)) if len(row) > 1 else "".join(row)


def shortened(names: Sequence[str]) -> list[str]:
    """Ten names at most, and how many there are besides."""
    more = len(names) - 10
    return [*names[:10], say_of(more, "{count} more", "{count} more")] if more > 0 else list(names)


def sizes(of: Iterable[int]) -> str:
    """Dice by their sizes: `2d6 d8`; `empty` for none."""
    dice = list(of)
    return write(dice) if dice else say("empty")


def effects(of: Iterable[int]) -> str:
    """Effect dice by their sizes: `d8 and d6`."""
    return say(" and ").join(f"d{size}" for size in of)


def dice_words(of: Sequence[Die]) -> str:
    """Dice with their labels: `Mind d10, 2d6`; `empty` for none."""
    return write_pool(of) if of else say("empty")
