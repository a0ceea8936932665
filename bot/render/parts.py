"""The parts of lines: names in a row, dice, traits, SFX and pools, as cards say them."""

from collections.abc import Iterable, Mapping, Sequence

from bot.language import later, say, say_of
from bot.language.line import Text, joined, spoken
from rules.cortex.pool import Die, write_pool
from rules.dice import write_dice
from rules.terms import in_terms
from rules.text import AND, Row


def listed(names: Iterable[Text], last: str = AND) -> Text:
    """Names in a row as one says them: `Rope, Lantern and Map`."""
    row = list(names)
    if len(row) > 1:
        return spoken(Row(row, last))
    return row[0] if row else ""


_WHOLE = {in_terms(text): say(text) for text in (later("{gm.One}"), later("{doom_pool.One}"))}
_BEFORE_NAMES = {
    in_terms(text).partition("{")[0]: text
    for text in (later("{crisis.One} {name}"), later("{challenge.One} {name}"))
}
"""What is stored before the name of a crisis or a challenge that rolls, with how one is called."""
_MOST_KNOWN = 4096


class _Rollers(dict[str, Text]):
    """Rollers by the names that are stored; looking up one that was said before is no call."""

    def __missing__(self, who: str) -> Text:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        found = _WHOLE.get(who, who)
        for before, text in _BEFORE_NAMES.items():
            if who.startswith(before):
                found = say(text, name=who.removeprefix(before))
        self[who] = found
        return found


ROLLERS: Mapping[str, Text] = _Rollers()
"""Rollers by the names that are stored: the GM and the GM's pools are called by the table's words."""


def roller(who: str) -> Text:
    """Who rolled: a name, the GM, or a pool of the GM: `Doom pool`, `Crisis Fire`."""
    return ROLLERS[who]


def shortened(names: Sequence[Text]) -> list[Text]:
    """Ten names at most, and how many there are besides."""
    more = len(names) - 10
    return [*names[:10], say_of(more, "{count} more", "{count} more")] if more > 0 else list(names)


def sizes(of: Iterable[int]) -> Text:
    """Dice by their sizes: `2d6 d8`; `empty` for none."""
    dice = list(of)
    return write_dice(dice) if dice else say("empty")


def effects(of: Iterable[int]) -> Text:
    """Effect dice by their sizes: `d8 and d6`."""
    return joined(say(" and "), (f"d{size}" for size in of))


def dice_words(of: Sequence[Die]) -> Text:
    """Dice with their labels: `Mind d10, 2d6`; `empty` for none."""
    return write_pool(of) if of else say("empty")
