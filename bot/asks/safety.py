"""A line or a veil, typed into a form. Who typed it is kept nowhere, not even for another try."""

from bot.asks.question import LONGEST
from bot.language import later, say
from bot.render.card import Field, Form
from rules.reasons import Boundary

ADDS = {"addline": Boundary.LINE, "addveil": Boundary.VEIL}
"""What each button and form of a list adds."""
_TITLES = {Boundary.LINE: later("A line"), Boundary.VEIL: later("A veil")}
_HINTS = {
    Boundary.LINE: later("What is never in play. Example: Spiders"),
    Boundary.VEIL: later("What nobody describes. Example: Gore"),
}


def form(kind: Boundary) -> Form:
    """What is to be kept out of play, or out of sight."""
    return Form(say(_TITLES[kind]), (Field("what", say("What"), hint=say(_HINTS[kind]), longest=LONGEST),))
