"""A question that comes before something is done: a button for each answer, read by its place."""

from collections.abc import Sequence

from bot.language.line import spoken
from bot.render.card import Button, Weight
from rules.errors import PossibleAnswer, TooLate

VERB = "decide"
"""The verb of a button that answers a question."""


def buttons(answers: Sequence[PossibleAnswer], number: int) -> tuple[Button, ...]:
    """The answers to a question that an interaction led to; the first is the likeliest."""
    labels = [spoken(answer.label) for answer in answers]
    return tuple(
        Button(label, VERB, number, str(place), Weight.QUIET if place else Weight.MAIN)
        for place, label in enumerate(labels)
    )


def read(subject: str, signs: tuple[str, ...]) -> str:
    """What is agreed to. Raises TooLate for an answer that was not offered."""
    if not subject.isdecimal() or len(subject) > 2 or int(subject) >= len(signs):
        raise TooLate("You can no longer choose that answer. Send the command again.")
    return signs[int(subject)]
