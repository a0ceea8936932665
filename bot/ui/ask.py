"""Asking: a press opens its question's form or is the answer itself, a form that is sent is the answer."""

from discord import Interaction

from bot.asks.question import Answer, Fields, Pressed, Question, Rule
from bot.play import Play
from bot.render.card import Form
from bot.ui.forms import open_form
from bot.ui.message import answer, show_again
from bot.ui.request import asked


async def press(play: Play, question: Question, it: Interaction, press: Pressed) -> None:
    """Open the form of a question, or do at once what needs none."""
    asking = asked(it, press.campaign)
    if question.form is not None:
        await open_form(it, question.form(await play.look(asking), asking.actor, press), press)
    elif question.press is not None:
        await _do(play, question, it, press, question.press(_answer(play, press)))


async def sent(play: Play, question: Question, it: Interaction, press: Pressed, fields: Fields) -> None:
    """Do what the answer to a question means."""
    if question.read is not None:
        await _do(play, question, it, press, question.read(_answer(play, press, fields)))


async def _do(play: Play, question: Question, it: Interaction, press: Pressed, rule: Rule) -> None:
    made = await play.press(asked(it, press.campaign), rule)
    if isinstance(made, Form):
        await open_form(it, made, press)
    else:
        await (answer if question.apart else show_again)(it, made)


def _answer(play: Play, press: Pressed, fields: Fields | None = None) -> Answer:
    return Answer(press.number, press.subject, play.throw, Fields() if fields is None else fields)
