"""What is offered first where a session has ended: XP."""

from functools import partial

from bot.asks.question import Answer, Pressed, Question, Rule, pick, whole
from bot.language import say
from bot.render.card import Button, Field, Form, Option
from rules.campaign.seats import Actor, require_gm
from rules.cortex import points
from rules.table import Table
from rules.text import Words

ALL = "all"
"""The option that means everybody; no character can be called so."""


def ended_buttons() -> tuple[Button, ...]:
    """Give XP, below the end of a session."""
    return (Button(say("Give XP"), "givexp"),)


def _ask_xp(table: Table, actor: Actor, press: Pressed) -> Form:
    require_gm(table, actor, Words("give XP"))
    names = [c.name for c in table.characters.values() if not c.gmc]
    options = [Option(say("Everybody"), ALL), *(Option(name, name) for name in names)]
    fields = (
        pick("who", say("Recipients"), options),
        Field("number", say("How many"), "1", longest=3),
        Field("why", say("Why"), required=False, longest=200),
    )
    return Form(say("Give XP"), fields)


def _read_xp(answer: Answer) -> Rule:
    fields = answer.fields
    return partial(
        points.give_xp,
        who=fields["who"],
        number=whole(fields.typed("number") or "1"),
        why=fields.typed("why"),
    )


QUESTIONS = (Question("givexp", form=_ask_xp, read=_read_xp, apart=True),)
