"""Whether somebody who was taken out stays in, for a PP and a complication (C4)."""

from collections.abc import Iterable
from functools import partial

from bot.asks.question import SIGN, Answer, Pressed, Question, Rule, marked, pick
from bot.language import say
from bot.language.line import Text
from bot.render.card import Button, Field, Form, Option, Weight, mark
from bot.render.cortex.words import unnamed
from rules.campaign.seats import Actor, is_game_master
from rules.cortex import traits
from rules.game import Step
from rules.table import Table

_PAID, _FREE = "paid", "free"
"""Whether staying in costs its price."""


def buttons(table: Table, out: Iterable[str]) -> tuple[Button, ...]:
    """A button for everybody who was taken out."""
    return tuple(
        Button(say("Stay in: {who}", who=who), "stayin", table.number, mark(who), Weight.GOOD) for who in out
    )[:5]  # a row has five


def stay_in_form(price: Text, *, can_waive: bool = False, is_free: bool = False) -> Form:
    """The complication that staying in costs besides its price, which the GM may waive, or has waived."""
    hint = say("A name for the new d6 {complication.one}")
    name = Field("name", say("Name"), hint=hint, required=False, otherwise=unnamed(is_asset=False))
    paid = Option(say("For {price}", price=price), _PAID)
    waived = pick("what", say("What"), [*([] if is_free else [paid]), Option(say("For free"), _FREE)])
    title = say("Stay in for free") if is_free else say("Stay in for {price}", price=price)
    return Form(title, (waived, name) if can_waive or is_free else (name,))


def _ask(table: Table, actor: Actor, press: Pressed) -> Form:
    character = marked(table, press.subject)
    traits.require_taken_out(table, actor, character)
    if traits.is_waived(table, actor, character):
        return stay_in_form("", is_free=True)
    price = say("{doom_pool.a_short} die") if character.gmc else say("1 {plot_point.short}")
    return stay_in_form(price, can_waive=is_game_master(table, actor))


def _read(answer: Answer) -> Rule:
    free = answer.fields.get("what") == _FREE
    return partial(
        _stayed, sign=answer.subject, name=answer.fields.typed("name") or unnamed(is_asset=False), free=free
    )


def _stayed(table: Table, actor: Actor, sign: str, name: str, free: bool) -> Step:
    return traits.stay_in(table, actor, marked(table, sign).name, name, free)


QUESTIONS = (Question("stayin", SIGN, form=_ask, read=_read, apart=True),)
