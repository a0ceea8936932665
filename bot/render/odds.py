"""What is offered below odds, of whatever game."""

from bot.language import say
from bot.render.card import Button


def share() -> Button:
    """What shows odds to all."""
    return Button(say("Share"), "shareodds")
