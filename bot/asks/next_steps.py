"""Buttons below `/help` that do the likeliest next things."""

from collections.abc import Sequence
from typing import assert_never

from bot.asks.offers import join_button, offers
from bot.asks.stretch import next_stretch
from bot.language import say
from bot.render.card import Button, led
from bot.render.help import Situation
from rules.campaign.seats import Actor, is_gm
from rules.table import Table
from rules.values import replace

MOST = 3
"""At most this many buttons are offered."""


def next_steps(table: Table, actor: Actor, where: Situation) -> tuple[Button, ...]:
    """Return at most three buttons, the likeliest first and in colour; what waits for the person leads."""
    rows = led(_steps(table, actor, where)[:MOST])
    return rows[0] if rows else ()


def wake_button() -> Button:
    """Return the button that brings back the archived campaign of a channel."""
    return Button(say("Bring it back"), "wake")


def _steps(table: Table, actor: Actor, where: Situation) -> Sequence[Button]:
    rolls = [button for each in offers() for button in each.rolls(table)]
    show = Button(say("Show the table"), "view", subject="table")
    match where:
        case Situation.OUTSIDE:
            return [*rolls, Button(say("Start a campaign"), "begin")]
        case Situation.ARCHIVED:
            return [wake_button(), show] if is_gm(table, actor) else [show]
        case Situation.WAITED_FOR:
            return [Button(say("What's waiting"), "view", subject="waiting"), *rolls, show]
        case Situation.WITHOUT_CHARACTER:
            return [join_button(), *rolls, show]
        case Situation.WITHOUT_SHEET:
            return [*_edit(table, actor), *rolls, show]
        case Situation.PLAYING:
            return [*rolls, Button(say("My sheet"), "mine"), show]
        case Situation.WITHOUT_PLAYERS:
            return [Button(say("Pin"), "pin"), *next_stretch(table)]
        case Situation.WITHOUT_SESSION:
            settings = Button(say("Settings"), "view", subject="campaign")
            start = Button(say("Start {session.one}"), "startsession")
            return [start, Button(say("Pin"), "pin"), settings]
        case Situation.WITHOUT_SCENE | Situation.RUNNING:
            return [*next_stretch(table), show]
        case _:
            assert_never(where)


def _edit(table: Table, actor: Actor) -> Sequence[Button]:
    """Return the button that edits the caller's sheet, if there is one."""
    own = table.played_by(actor.id)
    below = [button for each in offers() for button in each.sheet(table, own, actor)] if own else []
    return [replace(each, label=say("Edit my sheet")) for each in below[:1]]
