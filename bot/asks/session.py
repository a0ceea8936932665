"""What is offered where a session ends: XP, its title, the next session."""

from functools import partial

from bot.asks.question import Answer, Pressed, Question, Rule, pick, whole
from bot.language import say
from bot.render.card import Button, Field, Form, Option
from rules import memory
from rules.cortex.tools import scene, xp
from rules.errors import TooLate
from rules.memory import LONGEST_TITLE
from rules.result import Step
from rules.seats import Actor, require_gm
from rules.table import Table
from rules.words import Words

ALL = "all"
"""The option that means everybody; no character can be called so."""


def buttons(number: int) -> tuple[Button, ...]:
    """The row below the end of that session."""
    return (
        Button(say("Give XP"), "givexp"),
        Button(say("Next session"), "nextsession", number),
        Button(say("Title"), "titlesession", number),
    )


def _next(answer: Answer) -> Rule:
    def rule(table: Table, actor: Actor) -> Step:
        if table.session != answer.number:
            raise TooLate("Session {number} has begun already.", number=table.session)
        return scene.start_session(table, actor)

    return rule


def _ask_xp(table: Table, actor: Actor, press: Pressed) -> Form:
    require_gm(table, actor, Words("give XP"))
    names = [c.name for c in table.characters.values() if not c.gmc]
    options = [Option(say("Everybody"), ALL), *(Option(name, name) for name in names)]
    fields = (
        pick("who", say("To whom"), options),
        Field("number", say("How many"), "1", longest=3),
        Field("why", say("Why"), required=False, longest=200),
    )
    return Form(say("Give XP"), fields)


def _read_xp(answer: Answer) -> Rule:
    fields = answer.fields
    return partial(
        xp.give, who=fields["who"], number=whole(fields.typed("number") or "1"), why=fields.typed("why")
    )


def _ask_title(table: Table, actor: Actor, press: Pressed) -> Form:
    require_gm(table, actor, Words("give a session its title"))
    now = table.titles.get(press.number, "")
    field = Field("title", say("Title"), now, hint=say("Example: The fall"), longest=LONGEST_TITLE)
    return Form(say("Session {number}", number=press.number), (field,))


def _read_title(answer: Answer) -> Rule:
    return partial(memory.title, title=answer.fields["title"], number=answer.number)


QUESTIONS = (
    Question("nextsession", press=_next, apart=True),
    Question("givexp", form=_ask_xp, read=_read_xp, apart=True),
    Question("titlesession", form=_ask_title, read=_read_title, apart=True),
)
