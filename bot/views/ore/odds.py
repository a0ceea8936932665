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
from rules.ore.pool import OrePool, write
from rules.ore.roll import NO_DIFFICULTY

LEAST = Fraction(1, 2000)
"""A smaller chance would read as 0.0%."""
_WIDTH = later("Width {number} {chance}"), later("Width {number} or more {chance}")
_HEIGHT = later("Height {number} {chance}"), later("Height {number} or more {chance}")
"""The largest number alone, and one with all above it."""


ALL, ROLL_ODDS = "oreodds", "rollore"
"""The verbs: show all odds of a pool, and roll it."""
MOST_TYPED = 60
"""A typed pool of at most this many characters fits into the id of a button."""
ODDS = rf"[0-9]{{1,2}}\.[0-9]{{1,2}}\..{{1,{MOST_TYPED}}}"
"""Their subject: the width and the height that a set needs, and the pool as it can be typed."""


def set_odds_card(pool: OrePool, least: OreSet = NO_DIFFICULTY) -> Card:
    """Return the odds that matter as a private card: any set, or one that counts, then a few more.

    Its buttons roll the pool, show all odds, and share these.
    """
    row = (_roll_this(pool, least), Button(say("All"), ALL, subject=_subject(pool, least)), share())
    lines = (heading(odds_title(pool, least)), small(say("Odds of {dice}", dice=pool_words(pool))))
    more = [*_more(pool)] if least == NO_DIFFICULTY else []
    return Card((*lines, *more), (row,), private=True, tone=Tone.CALM)


def _subject(pool: OrePool, least: OreSet) -> str:
    return f"{least.width}.{least.height}.{write(pool)}"


def read_subject(subject: str) -> tuple[OreSet, str]:
    """Return what a set needs to count, and the pool as it can be typed.

    >>> read_subject("3.0.5d 2w")
    (OreSet(width=3, height=0, nth=0), '5d 2w')
    """
    width, height, typed = subject.split(".", 2)
    return OreSet(int(width), int(height)), typed


def _roll_this(pool: OrePool, least: OreSet) -> Button:
    return Button(say("Roll this"), ROLL_ODDS, subject=_subject(pool, least), weight=Weight.MAIN)


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


def ore_odds_card(found: OreOdds, least: OreSet = NO_DIFFICULTY) -> Card:
    """Return all odds as a private card, first those of a set that counts, with buttons to roll and share."""
    row = (_roll_this(found.pool, least), share())
    return Card(tuple(ore_odds_lines(found, least)), (row,), private=True, tone=Tone.CALM)


def ore_odds_lines(found: OreOdds, least: OreSet = NO_DIFFICULTY) -> list[Text]:
    """Return the chances of any set, of each width and of each height, beside those of the quick roll.

    Where a set needs more to count, the chance of one that does is the title.
    """
    largest = max(chance.gap for chance in found.widths.values())
    anything = say("Any set {chance}", chance=_both(found.widths[2]))
    counts = least != NO_DIFFICULTY
    return [
        heading(odds_title(found.pool, least) if counts else anything),
        *([anything] if counts else []),
        small(say("Odds of {dice}, for a full roll and a quick roll", dice=pool_words(found.pool))),
        *_rows(*_WIDTH, {n: chance for n, chance in found.widths.items() if n > 2}),
        *_rows(*_HEIGHT, {n: chance for n, chance in found.heights.items() if n > 1}),
        say(
            "The full and quick chances for width differ by at most {points:.1f} percentage points",
            points=100 * float(largest),
        ),
    ]


def _rows(exact: str, least: str, chances: Mapping[int, Chance]) -> list[Text]:
    """A line for each number, without those that say no more than the next, or next to nothing.

    A number above which nothing is possible reads as that number alone.
    """
    more = {n for n, chance in chances.items() if chance.full or chance.quick}
    possible = {
        n: chance
        for n, chance in chances.items()
        if max(chance.full, chance.quick) >= LEAST and chance != chances.get(n + 1)
    }
    return [
        say(least if n + 1 in more else exact, number=n, chance=_both(chance))
        for n, chance in possible.items()
    ]


def _both(chance: Chance) -> Text:
    return say("{full}, quick {quick}", full=percent(chance.full), quick=percent(chance.quick))


def percent(chance: Fraction) -> str:
    """Return a chance as text; what isn't quite impossible or certain doesn't read as if it were.

    >>> percent(Fraction(621, 1000)), percent(Fraction(1)), percent(Fraction(99999, 100000))
    ('62.1%', '100.0%', '>99.9%')
    """
    said = f"{100 * float(chance):.1f}%"
    if said == "100.0%" and chance < 1:
        return ">99.9%"
    return "<0.1%" if said == "0.0%" and chance else said
