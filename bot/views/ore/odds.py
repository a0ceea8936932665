"""One-Roll odds as text."""

from collections.abc import Mapping
from fractions import Fraction

from bot.language import later, say
from bot.language.line import Text, heading, small
from bot.views.card import Card, Tone
from bot.views.ore.roll import pool_words
from bot.views.stats import share
from rules.ore.odds import Chance, OreOdds
from rules.ore.pool import SIDES

LEAST = Fraction(1, 2000)
"""A smaller chance would read as 0.0%."""
_WIDTH = later("Width {number} {chance}"), later("Width {number} or more {chance}")
_HEIGHT = later("Height {number} {chance}"), later("Height {number} or more {chance}")
"""The largest number alone, and one with all above it."""


def ore_odds_card(found: OreOdds) -> Card:
    """Return the odds as a private card, with a button that shares them."""
    return Card(tuple(ore_odds_lines(found)), ((share(),),), private=True, tone=Tone.CALM)


def ore_odds_lines(found: OreOdds) -> list[Text]:
    """Return the chances of any set, of each width and of each height, beside those of the quick roll."""
    largest = max(chance.gap for chance in found.widths.values())
    return [
        heading(say("Any set {chance}", chance=_both(found.widths[2]))),
        small(say("Odds of {dice}, for a full roll and a quick roll", dice=pool_words(found.pool))),
        *_rows(*_WIDTH, {n: chance for n, chance in found.widths.items() if n > 2}),
        *_rows(*_HEIGHT, {n: chance for n, chance in found.heights.items() if n > 1}),
        say(
            "The full and quick chances for width differ by at most {points:.1f} percentage points",
            points=100 * float(largest),
        ),
    ]


def _rows(exact: str, least: str, chances: Mapping[int, Chance]) -> list[Text]:
    """A line for each number, without those that say no more than the next, or next to nothing."""
    possible = {
        n: chance
        for n, chance in chances.items()
        if max(chance.full, chance.quick) >= LEAST and chance != chances.get(n + 1)
    }
    return [
        say(exact if n == SIDES else least, number=n, chance=_both(chance)) for n, chance in possible.items()
    ]


def _both(chance: Chance) -> Text:
    return say("{full}, quick {quick}", full=percent(chance.full), quick=percent(chance.quick))


def percent(chance: Fraction) -> str:
    """Return a chance as text: `62.1%`."""
    return f"{100 * float(chance):.1f}%"
