"""What a step did, in words: a line for each fact, one line for the log, and what is news."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from bot.language import say, say_of
from bot.language.line import Text, aloud, joined
from bot.language.said import distinct
from bot.render import events
from bot.render.illegible import or_illegible
from bot.render.telling import Telling, learn, line_of, telling
from rules.facts import Fact, Forgotten, QuoteTakenOut, Redone, SettingChanged, Undone
from rules.names import key
from rules.table import Table
from rules.values import exhaustive, replace

_MOST_UNDONE = 5
"""An undo says at most this many changes."""


def fact_lines(fact: Fact) -> list[Text]:
    """What a fact says; nothing for a roll, which has a card of its own and says what it waits for."""
    return or_illegible(lambda: _fact_lines(fact), type(fact).__name__)


def _fact_lines(fact: Fact) -> list[Text]:
    how = telling(fact)
    return [] if how.line is None or how.is_beside else [how.line(fact)]


def lines_told(table: Table, of: Sequence[Fact]) -> tuple[tuple[Text, ...], tuple[int, ...]]:
    """The lines of facts, and the people whom they concern."""
    return tuple(lines(of)), concerned(table, of)


def summed_up(table: Table, of: Sequence[Fact]) -> tuple[Text, tuple[int, ...]]:
    """Facts in one line for the log, and the people whom they concern."""
    return summary(of), concerned(table, of)


def lines(of: Iterable[Fact]) -> list[Text]:
    """All facts, one line each."""
    return [line for fact in of for line in fact_lines(fact)]


def summary(of: Sequence[Fact]) -> Text:
    """What happened, in one line for the log: rolls with every die that was seen."""
    found: list[Text] = []
    is_told = False
    for fact in of:
        found += or_illegible(partial(_summed, fact, of, is_told=is_told), type(fact).__name__)
        is_told = telling(fact).is_of_roll
    return aloud(joined("; ", distinct(found)))


def _summed(fact: Fact, of: Sequence[Fact], *, is_told: bool) -> list[Text]:
    """What a fact is in the log, among those of its step; `is_told` where the one before told of its roll."""
    in_log = telling(fact).in_log
    if in_log is None:
        return fact_lines(fact)
    line = in_log(fact, of, is_told)
    return [] if line is None else [line]


def news(table: Table, of: Sequence[Fact]) -> tuple[tuple[Text, ...], tuple[int, ...]]:
    """What deserves a message of its own where a roll's message is only edited, and whom it concerns.

    That is an ending, a takeout, or a contest that goes on after all.
    """
    found = []
    for fact in of:
        is_news = telling(fact).is_news
        if is_news is not None and is_news(fact):
            found.append(line_of(fact))
    return tuple(found), concerned(table, of) if found else ()


def concerned(table: Table, of: Iterable[Fact]) -> tuple[int, ...]:
    """The people whom facts concern: players of who is taken out, whose turn it is, who is to answer, whom a
    GM's roll is on; for a GMC the GM."""
    names, others = set[str](), list[int]()
    for fact in of:
        how = telling(fact)
        if how.whom is not None:
            names.update(map(key, how.whom(fact)))
        if how.people is not None:
            others += how.people(table, fact)
    whom = [each for who, each in table.characters.items() if who in names] if names else []
    players = [each.player for each in whom if each.player]
    is_gms = any(each.gmc and not each.player for each in whom)
    return tuple(dict.fromkeys([*players, *others, *(table.gms if is_gms else ())]))


def _undone(fact: Undone) -> Text:
    """Say the state after an undo; quote facts that have no state as they were told."""
    states, others, settings = list[Text](), list[Fact](), set[str]()
    for each in _merged(fact.facts):
        how = telling(each)
        if isinstance(each, SettingChanged):  # a step changes settings first
            settings.add(each.setting)
        if settings and how.setting is not None and how.setting(each) in settings:
            continue
        state = None if how.undone is None else how.undone(each)
        if state is None:
            others.append(each)
        else:
            states.append(state)
    quoted = [say("“{what}”", what=summary(others[:_MOST_UNDONE]))] if others else []
    told = distinct([*quoted, *states])
    if more := len(others[_MOST_UNDONE:]) + len(told[_MOST_UNDONE:]):
        told = [*told[:_MOST_UNDONE], say_of(more, "{count} more change", "{count} more changes")]
    return say("Undone: {what}", what=aloud(joined("; ", told)))


def _merged(facts: Iterable[Fact]) -> Iterable[Any]:
    """Yield the facts of a step, with changes of the same thing merged: from its first state to its last."""
    found: dict[Hashable, Any] = {}
    for place, each in enumerate(facts):
        subject = telling(each).subject
        of = place if subject is None else (type(each), subject(each))
        found[of] = replace(found[of], after=getattr(each, "after")) if of in found else each  # noqa: B009
    return found.values()


def _redone(fact: Redone) -> Text:
    return say("Redone: {what}", what=summary(fact.facts))


def _quote_taken_out(fact: QuoteTakenOut) -> Text:
    return say("A quote by {who} has been removed", who=fact.who or fact.by)


def _forgotten(fact: Forgotten) -> Text:
    return say("{who}'s data was deleted at their request", who=fact.name)


WORDS: Mapping[type[Fact], Telling] = exhaustive(
    Undone | Redone | QuoteTakenOut | Forgotten,
    {
        Undone: Telling(_undone, people=events.asked_anew),
        Redone: Telling(_redone, people=events.asked_anew),
        QuoteTakenOut: Telling(_quote_taken_out),
        Forgotten: Telling(_forgotten),
    },
)
"""How steps back and forward are told, and that something is no longer kept."""
learn({**events.WORDS, **WORDS})
