"""Cards for big moments: takeouts, what is defeated, resolved or won, a boss's die, a hero die."""

from collections.abc import Sequence

from bot.language import say
from bot.language.line import Text, heading, small
from bot.views import facts
from bot.views.card import Button, Card, Tone, portrait_of
from bot.views.cortex.labels import ENDINGS
from bot.views.facts import line_of
from rules.cortex import outcome
from rules.cortex.facts import (
    Change,
    ContestWon,
    GaveIn,
    HeroDiceChanged,
    Over,
    PoolChanged,
    RollChanged,
    RollMade,
    TakenOut,
)
from rules.cortex.kinds import Ending
from rules.facts import Fact
from rules.names import key
from rules.table import Table

Rows = tuple[tuple[Button, ...], ...]
Climax = TakenOut | Over | ContestWon | GaveIn | PoolChanged | HeroDiceChanged
CLIMAXES = frozenset({TakenOut, Over, ContestWon, GaveIn, PoolChanged, HeroDiceChanged})
"""The kinds of facts of which some are big moments."""
_RANK = (Over, ContestWon, GaveIn, TakenOut, PoolChanged, HeroDiceChanged)
"""Of several big moments in one step, the first of these has the headline."""


def climax_of(of: Sequence[Fact]) -> Climax | None:
    """Return the biggest moment among these facts; None if there is none."""
    found = [fact for fact in of if isinstance(fact, Climax) and _is_big(fact)]
    return min(found, key=lambda fact: _RANK.index(type(fact)), default=None)


def _is_big(fact: Climax) -> bool:
    if isinstance(fact, Over):
        return fact.ending is not Ending.ENDED
    if isinstance(fact, PoolChanged):
        return fact.change is Change.KNOCKED_OFF and bool(fact.after)
    return not isinstance(fact, HeroDiceChanged) or fact.change is Change.ADDED


def climax_card(table: Table, of: Sequence[Fact], fact: Climax, others: Sequence[Text], rows: Rows) -> Card:
    """Return the card of a big moment: the news, what follows, the `others` that are told, and buttons."""
    who, tone = _whose(fact)
    character = table.characters.get(key(who))
    is_over = isinstance(fact, Over) and table.is_scene
    ends = ((Button(say("End {scene.one}"), "endscene", table.scenes),),) if is_over else ()
    lines = (heading(_headline(fact)), *_following(fact, of), *others)
    portrait = portrait_of(character) if character else None
    calls = facts.concerned(table, of)
    return Card(lines, (*rows, *ends), calls=calls, tone=tone, portrait=portrait)


def is_told(fact: Fact, big: Climax) -> bool:
    """Return whether the card of a big moment tells this fact: the moment itself, or the last die gone."""
    if isinstance(fact, PoolChanged) and isinstance(big, Over):
        return fact.pool == big.pool and not fact.after
    return fact is big


def _headline(fact: Climax) -> Text:
    if isinstance(fact, PoolChanged):
        lost, before = len(fact.before) - len(fact.after), len(fact.before)
        return say("{who} loses {count} of {before} dice", who=fact.pool.name, count=lost, before=before)
    if isinstance(fact, HeroDiceChanged):
        return say("{who} banks {hero_die.a} d{die}", who=fact.who, die=fact.die)
    return line_of(fact)


def _whose(fact: Climax) -> tuple[str, Tone]:
    """Whose portrait is shown, and how it went."""
    match fact:
        case TakenOut():
            return fact.who, Tone.BAD
        case Over():
            return fact.by, ENDINGS[fact.ending].tone
        case GaveIn():
            return fact.winner, Tone.GREAT
        case PoolChanged():
            return fact.pool.name, Tone.GOOD
        case _:
            return fact.who, Tone.GREAT


def _following(fact: Climax, of: Sequence[Fact]) -> list[Text]:
    """What follows from it, in a line."""
    match fact:
        case TakenOut(for_good=False):
            how = (
                say("The {gm.one} can keep them in, with a new {complication.one} d6.")
                if fact.is_gmc
                else say("To stay in: 1 {plot_point.short} and a new {complication.one} d6")
            )
            return [say("Out until the {scene.one} ends."), small(how)]
        case Over(by=by) if by:
            return _blow(fact, of)
        case ContestWon(against=against, note=note) if against:
            versus = say("Against {who}", who=against)
            return [say("{against}: {note}", against=versus, note=note) if note else versus]
        case PoolChanged() | HeroDiceChanged():
            return [line_of(fact)]
        case _:
            return []


def _blow(fact: Over, of: Sequence[Fact]) -> list[Text]:
    """Who took its last die, with which total against what."""
    rolls = [each.roll for each in of if isinstance(each, RollMade | RollChanged)]
    words = ENDINGS[fact.ending].by
    against = rolls[-1].against if rolls else None
    if against is None or not words:
        return []
    total, number = outcome.total(rolls[-1].hand), outcome.difficulty(against)
    return [say(words, who=fact.by, total=total, difficulty=number)]
