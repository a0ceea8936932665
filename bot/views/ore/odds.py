"""One-Roll odds as text."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from bot.language import later, say
from bot.language.line import Text, heading, small
from bot.views.card import Button, Card, Tone, Weight
from bot.views.ore.roll import difficulty_words, pool_words
from bot.views.stats import share
from rules.ore.model import OreSet
from rules.ore.odds import Chance, OreOdds, full_set
from rules.ore.pool import SIDES, OrePool, write
from rules.ore.roll import NO_DIFFICULTY

LEAST = Fraction(1, 2000)
"""A smaller chance would read as 0.0%."""
_WIDTH = later("Width {number} {chance}"), later("Width {number} or more {chance}")
_HEIGHT = later("Height {number} {chance}"), later("Height {number} or more {chance}")
"""The largest number alone, and one with all above it."""


ALL, ROLL_ODDS = "oreodds", "rollore"
"""The verbs: show all odds of a pool, as it can be typed, and roll that pool, after the difficulty."""
MOST_TYPED = 60
"""A typed pool of at most this many characters fits into the id of a button."""


def set_odds_card(pool: OrePool, least: OreSet = NO_DIFFICULTY) -> Card:
    """Return the odds that matter as a private card: any set, or one that counts, then a few more.

    Its buttons roll the pool, show all odds, and share these.
    """
    typed = write(pool)
    needs = f"{least.width}.{least.height}.{typed}"
    roll = Button(say("Roll this"), ROLL_ODDS, subject=needs, weight=Weight.MAIN)
    row = (roll, Button(say("All"), ALL, subject=typed), share())
    lines = (heading(odds_title(pool, least)), small(say("Odds of {dice}", dice=pool_words(pool))))
    more = [*_more(pool)] if least == NO_DIFFICULTY else []
    return Card((*lines, *more), (row,), private=True, tone=Tone.CALM)


def odds_title(pool: OrePool, least: OreSet = NO_DIFFICULTY) -> Text:
    """Return the chance of any set or, where a set needs more to count, of one that counts."""
    if least == NO_DIFFICULTY:
        return say("Any set {chance}", chance=percent(full_set(pool, 2, 1)))
    chance = percent(full_set(pool, max(2, least.width), max(1, least.height)))
    needs = str(least) if least.width and least.height else difficulty_words(least)
    return say("A set of at least {least}: {chance}", least=needs, chance=chance)


def _more(pool: OrePool) -> Iterator[Text]:
    """The chances of a wider set and of a higher one, if there are any."""
    if (chance := full_set(pool, 3, 1)) >= LEAST:
        yield say(_WIDTH[1], number=3, chance=percent(chance))
    if (chance := full_set(pool, 2, 6)) >= LEAST:
        yield say(_HEIGHT[1], number=6, chance=percent(chance))


def ore_odds_card(found: OreOdds) -> Card:
    """Return all odds as a private card, with a button that shares them."""
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
