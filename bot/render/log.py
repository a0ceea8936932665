"""The log in words: who did what, when."""

from collections.abc import Iterable, Mapping
from typing import Any

from bot.language import say
from bot.render.card import (
    MENTION_CLOSES,
    MENTION_OPENS,
    TIME_CLOSES,
    TIME_OPENS,
    channel,
    heading,
    moment,
    small,
    strong,
)
from bot.render.facts import summary
from bot.render.settings import LOG
from bot.store.history import LogStep
from bot.store.schema import UNKNOWN
from rules.fact import Fact
from rules.game import played
from rules.table import Table


def log_lines(steps: Iterable[LogStep], who: str | None = None) -> list[str]:
    """Steps, newest first, one line each; what is undone says so. They may be those that name somebody."""
    lines = [_line(step) for step in steps]
    none = say("No step here names that.") if who else say("Nothing has happened at this table yet.")
    return lines or [none]


def recap_lines(steps: Iterable[LogStep]) -> list[str]:
    """Steps as a story, oldest first, without times."""
    lines = [f"{strong(step.author.name)}: {summary(step.facts)}" for step in steps]
    return (
        [heading(say("What happened")), *lines]
        if lines
        else [say("Nothing has happened in this session yet.")]
    )


def step_words(step: LogStep) -> str:
    """A step in a sentence: `step 3 (“Alice: 2 PP (+1)”)`."""
    if step.secret:
        return say("step {number} (the GM’s)", number=step.number)
    return say("step {number} (“{what}”)", number=step.number, what=summary(step.facts))


def _line(step: LogStep) -> str:
    if step.is_veiled:
        return say("{number}: a hidden step", number=step.number)
    when = "" if step.at == UNKNOWN else f", {moment(step.at)}"
    line = f"{step.number}. {step.author.name}{when}: {summary(step.facts)}"
    return say("{step} (undone)", step=line) if step.undone else line


def place_lines(place: int) -> list[str]:
    """Where each step is told as well, among the settings; 0 is nowhere."""
    return [small(f"{LOG}: {channel(place) if place else say('off')}")]


def told_line(step: LogStep, rolls: Mapping[int, Fact], link: str, most: int) -> str:
    """A step as the log has it, with its roll as it is now and a link to it.

    Of what happened it says so many characters at most.
    """
    what = summary(tuple(_as_it_is(fact, rolls) for fact in step.facts))
    line = f"{step.number}. {step.author.name}: {_cut(what, most)}"
    line = say("{step} (undone)", step=line) if step.undone else line
    return f"{line} {link}" if link else line


def rolls_now(table: Table, steps: Iterable[LogStep]) -> dict[int, Fact]:
    """The rolls that steps made, by their numbers: as they are on the table, or as steps left them last.

    The steps are the newest first.
    """
    found: dict[int, Fact] = {}
    for fact in (fact for step in steps if not step.undone for fact in step.facts):
        for made in filter(None, (game.as_made(fact) for game in played())):
            found.setdefault(_number(made), made)
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


def _cut(text: str, most: int) -> str:
    """A text of so many characters, which ends inside no mark."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    for opens, closes in (TIME_OPENS, TIME_CLOSES), (MENTION_OPENS, MENTION_CLOSES):
        if head.count(opens) > head.count(closes):
            head = head[: head.rindex(opens)]
    return f"{head.rstrip()}…"
