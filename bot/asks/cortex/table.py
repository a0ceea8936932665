"""What is offered below the table and below a sheet: a roll, and to edit it."""

from functools import partial

from bot.asks.cortex import sheet
from bot.asks.cortex.oppose import pool_field
from bot.asks.question import Answer, Pressed, Question, Rule
from bot.language import say
from bot.render.card import Button, Field, Form, Weight, mark
from rules.campaign.seats import Actor, is_gm
from rules.cortex import characters, roll
from rules.table import Character, Table


def roll_button(table: Table) -> tuple[Button, ...]:
    """A roll, below the table."""
    return (Button(say("Roll"), "rollnow", weight=Weight.MAIN),)


def sheet_buttons(table: Table, shown: Character, actor: Actor) -> tuple[Button, ...]:
    """The row below a sheet, for who looks at it: `Edit` for who may, `Roll` for who plays them."""
    subject = f"{mark(shown.name)}.{characters.mark(shown)}"
    edit = Button(say("Edit"), sheet.VERB, subject=subject)
    own = table.played_by(actor.id)
    if own is not None and own.name == shown.name:
        return edit, Button(say("Roll"), "rollnow", weight=Weight.MAIN)
    return (edit,) if is_gm(table, actor) else ()


def roll_form(table: Table, actor: Actor) -> Form:
    """A roll: the likeliest dice filled in, what it is against and what it is for left open."""
    against = say("{doom_pool.Short}, {crisis.a}, a name, a number or dice")
    fields = (
        pool_field(table, actor),
        Field("vs", say("Against"), hint=against, required=False, longest=200),
        Field("note", say("What it's for"), hint=say("Example: Force the door"), required=False),
    )
    return Form(say("Roll"), fields)


def _ask(table: Table, actor: Actor, press: Pressed) -> Form:
    return roll_form(table, actor)


def _read(answer: Answer) -> Rule:
    vs, note = answer.fields.typed("vs"), answer.fields.typed("note")
    return partial(
        roll.make, throw=answer.throw, dice=answer.fields["dice"], vs=vs or None, note=note or None
    )


QUESTIONS = (Question("rollnow", form=_ask, read=_read, apart=True),)
