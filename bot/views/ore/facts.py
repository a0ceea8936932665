"""One-Roll facts, odds, tables and waiting actions as text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from bot.language import later, say, say_of
from bot.language.line import Text, heading, small, strong, together
from bot.views.card import Card, Tone
from bot.views.facts import always
from bot.views.game import AtTable, FactWords, Waiting, What
from bot.views.labels import listed, roller_words
from bot.views.ore import roll
from bot.views.ore.roll import headline, pool_words
from bot.views.stats import share
from bot.views.waiting import newest
from rules.facts import Fact
from rules.ore.model import ORE, OreChanged, OreClosed, OreGobbled, OreRolled
from rules.ore.notation import write_ratings
from rules.ore.odds import Chance, OreOdds
from rules.ore.pool import SIDES
from rules.table import Character, Table

WORDS = FactWords()
"""How facts of One-Roll games are put into words."""


@WORDS.line(OreClosed)
def _ore_closed(fact: OreClosed) -> Text:
    return say(
        "A new round begins. One-Roll rolls closed: {names}", names=listed(map(roller_words, fact.who))
    )


def _changed_in_log(fact: OreChanged, of: Sequence[Fact], is_told: bool) -> Text:
    return together(_ore_change(fact), "; ", roll.headline(fact.roll))


@WORDS.line(OreChanged, in_log=_changed_in_log)
def _ore_change(fact: OreChanged) -> Text:
    """What was changed of a One-Roll roll: `Alice: wiggle dice on 6 and 6`."""
    if fact.tens:
        return say("{who}: the 10 counts as {height}", who=roller_words(fact.roll.who), height=fact.tens)
    return say_of(
        len(fact.placed),
        "{who}: {name} die on {heights}",
        "{who}: {name} dice on {heights}",
        who=roller_words(fact.roll.who),
        name=roll.special(fact.roll.hands[0].pool.wiggle_name),
        heights=listed(map(str, fact.placed)),
    )


def _spoiled(table: Table, fact: OreGobbled) -> Iterable[int]:
    """The player who lost dice, unless they spoiled their own."""
    return () if fact.prey.player == fact.roll.player else (fact.prey.player,)


@WORDS.line(OreGobbled, is_news=always, people=_spoiled)
def _gobbled(fact: OreGobbled) -> Text:
    """A set that was spoiled: `Bob: 2×8 spoils 1 die of Alice: 2×6 is no set any more`."""
    line = say_of(
        fact.count,
        "{who}: {own} spoils {count} die of {whose}",
        "{who}: {own} spoils {count} dice of {whose}",
        who=roller_words(fact.roll.who),
        own=fact.own,
        whose=roll.whose(fact.prey, fact.hand),
    )
    if fact.after:
        return say("{line}: {spoiled} is now {after}", line=line, spoiled=fact.spoiled, after=fact.after)
    return say("{line}: {spoiled} is no longer a set", line=line, spoiled=fact.spoiled)


@WORDS.in_log(OreRolled)
def _rolled_in_log(fact: OreRolled, of: Sequence[Fact], is_told: bool) -> Text:
    return roll.seen(fact.roll)


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
    return say("{full}, quick {quick}", full=_percent(chance.full), quick=_percent(chance.quick))


def _percent(chance: Fraction) -> str:
    return f"{100 * float(chance):.1f}%"


def _sheet(character: Character) -> list[Text]:
    """Ratings on a line (O1)."""
    ratings = write_ratings(ORE.has(character).ratings.values())
    return [say("{head} {what}", head=strong(say("Ratings")), what=ratings)] if ratings else []


def _has_sheet(character: Character) -> bool:
    return bool(ORE.has(character).ratings)


AT_TABLE = AtTable(sheet=_sheet, has_sheet=_has_sheet)
"""What One-Roll shows."""


class OreWhat(What):
    """The kinds of things that wait, each as singular and plural."""

    DICE = later("{count} die still to place"), later("{count} dice still to place")


def find_waiting(table: Table) -> Iterator[Waiting]:
    """Yield the wiggle dice that the latest roller has not placed."""
    for number, made in ORE.of(table).rolls.items():
        count = sum(hand.waiting for hand in made.hands)
        if count and newest(table, made.who) == number:
            yield Waiting(made.who, OreWhat.DICE, count, headline(made), number)
