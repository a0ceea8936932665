"""One-Roll facts and waiting actions as text."""

from collections.abc import Iterable, Iterator, Sequence

from bot.language import later, say, say_of
from bot.language.line import Text, joined, strong, together
from bot.views.facts import always
from bot.views.game import FactWords, Waiting, What
from bot.views.labels import listed, roller_words
from bot.views.ore import company, damage, roll
from bot.views.ore.roll import headline
from bot.views.waiting import newest
from rules.facts import Fact
from rules.names import key
from rules.ore.model import (
    ORE,
    CompaniesRested,
    CompanyChanged,
    CompanyUsed,
    OneRollRating,
    OreChanged,
    OreClosed,
    OreGobbled,
    OreHealed,
    OreHit,
    OreHurt,
    OreRolled,
    OreThinned,
    RatingChanged,
)
from rules.table import Table

WORDS = FactWords()
"""How facts of One-Roll games are put into words."""


def _rating_undone(fact: RatingChanged) -> Text:
    before, after = fact.before, fact.after
    if before is None:
        return say("{trait} is gone", trait=_rating(fact, None))
    said = _rating(fact, before)
    if after is None:
        return say("{trait} is back", trait=said)
    if before.set != after.set:
        said = together(said, " (", _group(before), ")")
    return say("{trait} again", trait=said)


@WORDS.line(RatingChanged, undone=_rating_undone, subject=lambda fact: (key(fact.who), key(fact.label)))
def _rating_changed(fact: RatingChanged) -> Text:
    """`Rook · Fight 3d (new, in Skills)`, `Rook · Fight 2d 1h (was 3d)`, `Rook · Fight is gone`."""
    before, after = fact.before, fact.after
    if after is None:
        return say("{trait} is gone", trait=_rating(fact, None))
    if before is None:
        changes = [say("new, in {set}", set=_group(after))]
    else:
        changes = [say("now in {set}", set=_group(after))] if before.set != after.set else []
        changes += [say("was {dice}", dice=before.dice)] if before.dice != after.dice else []
    return together(_rating(fact, after), " (", joined(", ", changes), ")")


def _rating(fact: RatingChanged, rating: OneRollRating | None) -> Text:
    """Whose rating it is, with its dice if it has any: `Rook · Fight 3d`."""
    said = together(fact.who, " · ", fact.label)
    return together(said, " ", strong(rating.dice)) if rating else said


def _group(rating: OneRollRating) -> Text:
    return rating.set or say("Ratings")


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
    """A set that was spoiled: `Bob: 2×8 spoils 1 die of Alice: 2×6 is no longer a set`."""
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


def _struck(table: Table, fact: OreHit | OreThinned) -> Iterable[int]:
    """The player who is hit."""
    character = table.characters.get(key(fact.who))
    return (character.player,) if character and character.player else ()


def _before(fact: OreHit | OreHurt | OreHealed) -> Text:
    return damage.state_words(fact.who, fact.before)


@WORDS.line(OreHit, is_news=always, people=_struck, undone=_before)
def _hit(fact: OreHit) -> Text:
    return damage.hit_words(fact)


@WORDS.line(OreThinned, is_news=always)
def _thinned(fact: OreThinned) -> Text:
    return damage.thinned_words(fact)


@WORDS.line(OreHurt, undone=_before)
def _hurt(fact: OreHurt) -> Text:
    return damage.hurt_words(fact)


@WORDS.line(OreHealed, undone=_before)
def _healed(fact: OreHealed) -> Text:
    return damage.healed_words(fact)


@WORDS.line(CompanyChanged, undone=company.state_words)
def _company_changed(fact: CompanyChanged) -> Text:
    return company.changed_words(fact)


@WORDS.line(CompanyUsed, is_news=always, undone=company.state_words)
def _company_used(fact: CompanyUsed) -> Text:
    return company.used_words(fact)


@WORDS.line(CompaniesRested)
def _companies_rested(fact: CompaniesRested) -> Text:
    return company.rested_words(fact)


@WORDS.in_log(OreRolled)
def _rolled_in_log(fact: OreRolled, of: Sequence[Fact], is_told: bool) -> Text:
    return roll.seen(fact.roll)


class OreWhat(What):
    """The kinds of things that wait, each as singular and plural."""

    DICE = later("{count} die still to place"), later("{count} dice still to place")


def find_waiting(table: Table) -> Iterator[Waiting]:
    """Yield the wiggle dice that the latest roller has not placed."""
    for number, made in ORE.of(table).rolls.items():
        count = sum(hand.waiting for hand in made.hands)
        if count and newest(table, made.who) == number:
            yield Waiting(made.who, OreWhat.DICE, count, headline(made), number)
