"""Dice that were read in a message, in words."""

from collections.abc import Sequence

from bot.language import say
from bot.language.line import code
from bot.render.card import Button, Card, Field, Form, Tone, Weight


def read_card(dice: str, game: str, left: Sequence[str] = ()) -> Card:
    """The dice that were read in a message, and what was not, to whoever asked; they may be changed."""
    roll = Button(say("Roll"), "rollthis", subject=game, weight=Weight.MAIN)
    change = Button(say("Change"), "changethis", subject=game)
    lines = [say("Dice in that message: {dice}", dice=code(dice))]
    if left:
        lines.append(say("Left out: {names}", names=", ".join(left)))
    return Card(tuple(lines), ((roll, change),), private=True, tone=Tone.CALM)


def change_form(dice: str) -> Form:
    """The dice that were read, to be put right before they are rolled."""
    field = Field("dice", say("Dice"), dice, longest=1000)
    return Form(say("Roll these dice"), (field,))
