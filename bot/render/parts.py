"""The parts of lines: names in a row, dice, traits, SFX and pools, as cards say them."""

from collections.abc import Iterable, Mapping, Sequence

from bot.language import say, say_of
from bot.language.line import Text, joined, spoken
from rules.dice import Die, write, write_pool
from rules.names import GM
from rules.words import AND, Row


def listed(names: Iterable[Text], last: str = AND) -> Text:
    """Names in a row as one says them: `Rope, Lantern and Map`."""
    row = list(names)
    if len(row) > 1:
        return spoken(Row(row, last))
    return row[0] if row else ""


ROLLERS: Mapping[str, Text] = {GM: say("{gm.One}")}
"""Who rolls by a name that is a term of the game."""


def roller(who: str) -> Text:
    """Who rolled: a name, or the GM."""
    return ROLLERS.get(who, who)


def shortened(names: Sequence[Text]) -> list[Text]:
    """Ten names at most, and how many there are besides."""
    more = len(names) - 10
    return [*names[:10], say_of(more, "{count} more", "{count} more")] if more > 0 else list(names)


def sizes(of: Iterable[int]) -> Text:
    """Dice by their sizes: `2d6 d8`; `empty` for none."""
    dice = list(of)
    return write(dice) if dice else say("empty")


def effects(of: Iterable[int]) -> Text:
    """Effect dice by their sizes: `d8 and d6`."""
    return joined(say(" and "), (f"d{size}" for size in of))


def dice_words(of: Sequence[Die]) -> Text:
    """Dice with their labels: `Mind d10, 2d6`; `empty` for none."""
    return write_pool(of) if of else say("empty")
