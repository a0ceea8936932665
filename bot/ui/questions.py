"""Questions that come before something is done: they are asked in buttons, and one press does it."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from discord import Interaction, app_commands

from bot.asks import undecided
from bot.render.card import Button
from bot.ui.request import AGREED
from rules.errors import TooLate, Undecided

KEPT = 500
"""So many open questions are kept."""

Again = Callable[[Interaction[Any]], Awaitable[None]]
"""Does the same as before, for another interaction of the same person."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A question that waits: where it was asked, of which campaign, what its answers agree to, what was
    agreed before, and what is then done."""

    place: tuple[int | None, int | None]
    campaign: int
    signs: tuple[str, ...]
    agreed: tuple[str, ...]
    again: Again


class Questions:
    """The questions that wait for an answer, by who was asked and the interaction that led to them."""

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[int, int], _Open] = OrderedDict()

    def ask(
        self, it: Interaction[Any], question: Undecided, again: Again, campaign: int
    ) -> tuple[Button, ...]:
        """Keep a question, and give the buttons that answer it."""
        signs = tuple(answer.sign for answer in question.answers)
        place = (it.guild_id, it.channel_id)
        self._open[it.user.id, it.id] = _Open(place, campaign, signs, it.extras.get(AGREED, ()), again)
        if len(self._open) > KEPT:
            self._open.popitem(last=False)
        return undecided.buttons(question, it.id)

    def answer(self, it: Interaction[Any], number: int, subject: str, campaign: int) -> Again:
        """Note the answer on the interaction that gives it, and tell what is to be done now.

        Raises TooLate for a question that has been answered, that nobody asked this person here, or that is
        about another table than the one that is here now.
        """
        question = self._open.get((it.user.id, number))
        is_here = question is not None and question.place == (it.guild_id, it.channel_id)
        if question is None or not is_here or question.campaign != campaign:
            raise TooLate("That question has been answered, or it is too long ago. Send the command again.")
        agreed = undecided.read(subject, question.signs)
        del self._open[it.user.id, number]
        it.extras[AGREED] = (*question.agreed, agreed)
        return question.again


def command_again(it: Interaction[Any]) -> Again | None:
    """Does the command of an interaction once more, with what was typed into it; None where it is none."""
    command = it.command
    if not isinstance(command, app_commands.Command):
        return None
    callback, cog = command.callback, command.binding
    typed = {
        each.name: getattr(it.namespace, each.display_name)
        for each in command.parameters
        if each.display_name in it.namespace
    }

    async def again(now: Interaction[Any]) -> None:
        await callback(cog, now, **typed)  # type: ignore[arg-type]

    return again
