"""A line or a veil, typed into a form. Who typed it is kept nowhere, not even for another try."""

from dataclasses import dataclass

from bot.asks.question import LONGEST
from bot.language import later, say
from bot.render.card import Field, Form
from rules.facts import Boundary
from rules.values import exhaustive

ADDS = {"addline": Boundary.LINE, "addveil": Boundary.VEIL}
"""What each button and form of a list adds."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """How one is asked for: the title of the form, and what is typed into it."""

    title: str
    hint: str


_ASKED = exhaustive(
    Boundary,
    {
        Boundary.LINE: _Asked(
            later("A line"), later("Something that never comes up in play. Example: Spiders")
        ),
        Boundary.VEIL: _Asked(later("A veil"), later("Something that nobody describes. Example: Gore")),
    },
)


def boundary_form(kind: Boundary) -> Form:
    """What is to be kept out of play, or out of sight."""
    asked = _ASKED[kind]
    return Form(say(asked.title), (Field("what", say("What"), hint=say(asked.hint), longest=LONGEST),))
