"""The log in words: who did what, when."""

from collections.abc import Iterable

from bot.render.card import moment
from bot.store.history import Step


def log_lines(steps: Iterable[Step]) -> list[str]:
    """Steps, newest first, one line each; what is undone says so."""
    lines = [_line(step) for step in steps]
    return lines or ["Nothing has happened at this table yet."]


def recap_lines(steps: Iterable[Step]) -> list[str]:
    """Steps as a story, oldest first, without times."""
    lines = [f"{step.author.name}: {step.summary}" for step in steps]
    return ["What happened:", *lines] if lines else ["Nothing has happened in this session yet."]


def _line(step: Step) -> str:
    undone = " (undone)" if step.undone else ""
    return f"{step.number}. {step.author.name}, {moment(step.at)}: {step.summary}{undone}"
