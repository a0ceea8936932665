"""The account of an interaction: what was asked, how it ended, and how soon it was answered."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import discord
import structlog
from discord import Interaction

from bot.asks.question import Pressed
from bot.clock import clock_of
from bot.ui.line import AnswerState, line_of
from bot.watch import Watch

log = structlog.get_logger(__name__)

PRESSED = "pressed"
"""Where an interaction carries what its id says, once that is read."""
SUBCOMMANDS = (1, 2)
"""Discord's types of the options that are commands below a command."""


class InteractionEnd(StrEnum):
    """How an interaction ended."""

    DONE = "done"
    REFUSED = "refused"
    """By a rule, or by what the bot takes: nothing was changed."""
    BUSY = "busy"
    """Others changed the table too often meanwhile."""
    AWAY = "away"
    """The database could not be reached."""
    FAILED = "failed"
    """By a fault that nobody foresaw."""
    UNANSWERED = "unanswered"
    """Discord no longer took the answer, or could not be reached."""
    LATE = "late"
    """It came when Discord took no answer any more: nothing was changed."""
    ELSEWHERE = "elsewhere"
    """Another delivery of the same interaction was answered."""
    ENDED = "ended"
    """The bot stopped before it was over."""


USUAL = (InteractionEnd.DONE, InteractionEnd.REFUSED, InteractionEnd.ELSEWHERE)
"""Ends that an operator need not look at."""
SLOW = 1.0
"""Seconds after which an answer is slow."""


@dataclass(slots=True, eq=False)
class Account:
    """What is written down of one interaction when it is over."""

    it: Interaction[Any]
    watch: Watch
    kind: str
    command: str
    named: str
    """What was asked, for the log: `roll`, `press spend`."""
    began: float
    outcome: InteractionEnd = InteractionEnd.DONE

    def settle(self, task: asyncio.Task[Any]) -> None:
        """Write down how it ended, at INFO if somebody should look; suggestions are not, they are many."""
        line = line_of(self.it)
        if line.timer is not None:
            line.timer.cancel()
        answered = clock_of(self.it.client).monotonic() if self.kind == "suggestion" else line.answered
        if task.cancelled():
            self.outcome = InteractionEnd.ENDED
        elif line.told is AnswerState.ELSEWHERE:
            self.outcome = InteractionEnd.ELSEWHERE
        taken = None if answered is None else answered - self.began
        self.watch.done(self.kind, self.command, self.outcome, taken)
        if self.kind != "suggestion":
            is_usual = self.outcome in USUAL and (taken is None or taken <= SLOW)
            write = log.debug if is_usual else log.info
            write("over", outcome=str(self.outcome), ms=None if taken is None else round(taken * 1000))


def custom_id(it: Interaction[Any]) -> str:
    """The id of the button, menu or form that an interaction is of; "" where it is of none."""
    data: Mapping[str, Any] = it.data or {}
    found: str = data.get("custom_id", "")
    return found


def account_of(it: Interaction[Any]) -> Account:
    """The account of an interaction, begun when it is first asked for."""
    account: Account | None = it.extras.get("account")
    if account is None:
        kind, command = what(it)
        named = command if kind in ("command", "suggestion") else f"press {command}"
        it.extras["account"] = account = Account(
            it, it.client.watch, kind, command, named, clock_of(it.client).monotonic()
        )
    return account


def what(it: Interaction[Any]) -> tuple[str, str]:
    """What was asked: its kind, and a command's full name or the verb of a button or a form."""
    data: Mapping[str, Any] = it.data or {}
    if "custom_id" in data:
        press: Pressed | None = it.extras.get(PRESSED)
        kind = "form" if it.type is discord.InteractionType.modal_submit else "press"
        # An id may be forged: only verbs of our own are named in figures and in the log.
        return kind, press.verb if press and it.client.handlers.knows(press.verb) else "?"
    names = [data.get("name", "")]
    options = data.get("options") or ()
    while options and options[0].get("type") in SUBCOMMANDS:
        names.append(options[0]["name"])
        options = options[0].get("options") or ()
    is_typing = it.type is discord.InteractionType.autocomplete
    return "suggestion" if is_typing else "command", " ".join(names)
