"""The log in words: who did what, when."""

from collections.abc import Iterable

from bot.language import say
from bot.render.card import heading, moment, strong
from bot.render.facts import summary
from bot.store.history import LogStep
from bot.store.schema import UNKNOWN


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
