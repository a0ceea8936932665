"""The log in words: who did what, when."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.language import say
from bot.language.line import Text, TimeStyle, channel, heading, moment, nothing, strong, together
from bot.language.said import cut
from bot.render.facts import summary
from bot.render.settings import LOG
from bot.store import tags
from bot.store.history import LogStep
from bot.store.schema import UNKNOWN
from rules.campaign.zones import local
from rules.facts import Fact, RollNoted
from rules.game import played
from rules.table import Table, with_note
from rules.values import replace


def log_lines(steps: Iterable[LogStep], who: str | None = None, zone: str = "") -> list[Text]:
    """Steps, newest first, one line each below their day by the clocks of a zone; what is undone says so.

    They may be those that name somebody.
    """
    found = list(steps)
    notes = _later_notes(found)
    lines: list[Text] = []
    day = None
    for step in found:
        if not step.is_veiled and step.at != UNKNOWN and (now := local(step.at, zone).date()) != day:
            lines.append(heading(moment(step.at, TimeStyle.CALENDAR)))
            day = now
        lines.append(_line(step, notes))
    none = (
        say("No step in the log names that character.")
        if who
        else say("Nothing has happened at this table yet.")
    )
    return lines or [nothing(none)]


def recap_lines(steps: Iterable[LogStep]) -> list[Text]:
    """Steps as a story, oldest first, without times."""
    found = list(steps)
    notes = _later_notes(found)
    lines = [
        together(strong(step.author.name), ": ", summary(_with_notes(step.facts, notes))) for step in found
    ]
    return (
        [heading(say("What happened")), *lines]
        if lines
        else [say("Nothing has happened in this {session.one} yet.")]
    )


def rolls_told(steps: Iterable[tuple[str, Sequence[Fact]]]) -> list[Text]:
    """The steps that made a roll, by who did them, oldest first, without times."""
    made = tuple(game.made for game in played() if game.made)
    return [
        together(strong(who), ": ", summary(facts))
        for who, facts in steps
        if any(isinstance(fact, made) for fact in facts)
    ]


def step_words(step: LogStep) -> Text:
    """A step in a sentence: `step 3 (“Alice: 2 PP (+1)”)`."""
    if step.secret:
        return say("step {number} (the {gm.one}’s)", number=step.number)
    return say("step {number} (“{what}”)", number=step.number, what=summary(step.facts))


def _line(step: LogStep, notes: Mapping[int, str]) -> Text:
    if step.is_veiled:
        return say("{number}: a hidden step", number=step.number)
    when = "" if step.at == UNKNOWN else together(", ", moment(step.at, TimeStyle.TIME))
    what = summary(_with_notes(step.facts, notes))
    line: Text = together(step.number, ". ", step.author.name, when, ": ", what)
    return say("{step} (undone)", step=line) if step.undone else line


def _later_notes(steps: Iterable[LogStep]) -> dict[int, str]:
    """What was said later of rolls, by their numbers: what was said last."""
    told = [step for step in steps if not step.undone and tags.may_hold(step.written, RollNoted)]
    told.sort(key=lambda step: step.number)
    return {fact.roll: fact.note for step in told for fact in step.facts if isinstance(fact, RollNoted)}


def _with_notes(facts: Sequence[Fact], notes: Mapping[int, str]) -> tuple[Fact, ...]:
    """Facts whose rolls say what they were for, also where that was said later."""
    return tuple(_with_note(fact, notes) if notes else fact for fact in facts)


def _with_note(fact: Fact, notes: Mapping[int, str]) -> Fact:
    made: Any = fact
    if not any(type(fact) is game.made for game in played()) or made.roll.number not in notes:
        return fact
    fresh: Fact = replace(made, roll=with_note(made.roll, notes[made.roll.number]))
    return fresh


def place_lines(place: int) -> list[Text]:
    """Where each step is told as well, among the settings; nothing where it is nowhere."""
    return [strong(together(LOG, ": ", channel(place)))] if place else []


def told_line(step: LogStep, rolls: Mapping[int, Fact], link: str, most: int) -> Text:
    """A step as the log has it, with its roll as it is now and a link to it.

    Of what happened it says so many characters at most.
    """
    what = summary(tuple(_as_it_is(fact, rolls) for fact in step.facts))
    line: Text = together(step.number, ". ", step.author.name, ": ", cut(what, most))
    line = say("{step} (undone)", step=line) if step.undone else line
    return together(line, " ", link) if link else line


def rolls_now(table: Table, steps: Iterable[LogStep]) -> dict[int, Fact]:
    """The rolls that steps made, by their numbers: as they are on the table, or as steps left them last.

    The steps are the newest first.
    """
    found: dict[int, Fact] = {}
    steps = list(steps)
    notes = _later_notes(steps)
    for fact in (fact for step in steps if not step.undone for fact in step.facts):
        for made in filter(None, (game.as_made(fact) for game in played())):
            found.setdefault(_number(made), _with_note(made, notes))
    for game in played():
        found |= game.rolls_now(table)
    return found


def _as_it_is(fact: Fact, rolls: Mapping[int, Fact]) -> Fact:
    is_made = any(type(fact) is game.made for game in played())
    return rolls.get(_number(fact), fact) if is_made else fact


def _number(made: Any) -> int:
    """The number of the roll that was made."""
    number: int = made.roll.number
    return number
