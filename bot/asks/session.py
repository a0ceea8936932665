"""Buttons that start a session, give one its title and start the next."""

from functools import partial

from bot.asks.offers import offers
from bot.asks.question import Answer, Pressed, Question, Rule
from bot.language import say
from bot.render.card import Button, Field, Form
from rules.campaign import notes, scenes
from rules.campaign.notes import LONGEST_TITLE
from rules.campaign.seats import Actor, require_gm
from rules.errors import TooLate
from rules.game import Step
from rules.table import Table
from rules.text import Words


def buttons(number: int) -> tuple[Button, ...]:
    """The row below the end of that session."""
    return (
        *(button for each in offers() for button in each.ended()),
        Button(say("Next {session.one}"), "nextsession", number),
        Button(say("Title"), "titlesession", number),
    )


def _start(answer: Answer) -> Rule:
    def rule(table: Table, actor: Actor) -> Step:
        require_gm(table, actor, Words("start {session.a}"))
        if table.is_session:
            raise TooLate("{session.One} {number} has already begun.", number=table.session)
        return scenes.start_session(table, actor)

    return rule


def _next(answer: Answer) -> Rule:
    def rule(table: Table, actor: Actor) -> Step:
        if table.session != answer.number:
            raise TooLate("{session.One} {number} has already begun.", number=table.session)
        return scenes.start_session(table, actor)

    return rule


def _ask_title(table: Table, actor: Actor, press: Pressed) -> Form:
    require_gm(table, actor, Words("give {session.a} a title"))
    now = table.titles.get(press.number, "")
    field = Field("title", say("Title"), now, hint=say("Example: The fall"), longest=LONGEST_TITLE)
    return Form(say("{session.One} {number}", number=press.number), (field,))


def _read_title(answer: Answer) -> Rule:
    return partial(notes.title, title=answer.fields["title"], number=answer.number)


QUESTIONS = (
    Question("startsession", press=_start, apart=True),
    Question("nextsession", press=_next, apart=True),
    Question("titlesession", form=_ask_title, read=_read_title, apart=True),
)
