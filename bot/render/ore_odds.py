"""The odds of a One-Roll pool in words: the full roll, and how near the quick one comes."""

from collections.abc import Mapping
from fractions import Fraction

from bot.render.card import Card
from bot.render.odds import SHARE
from rules.ore.odds import Chance, OreOdds
from rules.ore.pool import SIDES, write

LEAST = Fraction(1, 2000)
"""A smaller chance would read as 0.0%."""


def ore_odds_card(found: OreOdds) -> Card:
    """Odds, to one person alone, with a button that shows them to all."""
    return Card(tuple(ore_odds_lines(found)), ((SHARE,),), private=True)


def ore_odds_lines(found: OreOdds) -> list[str]:
    """The chance of any set, of each width, of each height; the quick roll's beside it."""
    largest = max(chance.gap for chance in found.widths.values())
    return [
        f"Odds of {write(found.pool)}, by the full roll and by the quick one",
        f"Any set {_both(found.widths[2])}",
        *_rows("Width", {n: chance for n, chance in found.widths.items() if n > 2}),
        *_rows("Height", {n: chance for n, chance in found.heights.items() if n > 1}),
        f"In width the two are {100 * float(largest):.1f} points apart at most",
    ]


def _rows(name: str, chances: Mapping[int, Chance]) -> list[str]:
    """A line for each number, without those that say no more than the next, or next to nothing."""
    possible = {
        n: chance
        for n, chance in chances.items()
        if max(chance.full, chance.quick) >= LEAST and chance != chances.get(n + 1)
    }
    return [f"{name} {n}{'' if n == SIDES else ' or more'} {_both(c)}" for n, c in possible.items()]


def _both(chance: Chance) -> str:
    return f"{_percent(chance.full)}, quick {_percent(chance.quick)}"


def _percent(chance: Fraction) -> str:
    return f"{100 * float(chance):.1f}%"
