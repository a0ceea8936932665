"""What somebody can do next at a table, as buttons that do it: below `/help`."""

from collections.abc import Sequence
from typing import assert_never

from bot.asks.offers import join_button, offers
from bot.asks.question import pick
from bot.asks.stretch import next_stretch
from bot.language import say
from bot.render.card import Button, Field, Form, Option, led
from bot.render.help import Situation
from bot.render.waiting import people, waiting
from rules.seats import Actor
from rules.table import Table
from rules.values import replace

MOST = 3
"""So many things are offered at most."""


def next_steps(table: Table, actor: Actor, where: Situation) -> tuple[Button, ...]:
    """The two or three likeliest things, the first in colour: what waits for them, then what comes next."""
    rows = led(_steps(table, actor, where)[:MOST])
    return rows[0] if rows else ()


def begin_form(rulesets: Sequence[Option], stories: Sequence[Option]) -> Form:
    """Return the form that starts a campaign: a name and a ruleset, or one of the ready-made stories."""
    return Form(
        say("New campaign"),
        (
            Field("name", say("Name"), hint=say("Example: Skyfall"), required=False),
            pick("ruleset", say("Ruleset"), list(rulesets), optional=True),
            pick("story", say("Or a ready-made story"), list(stories), optional=True),
        ),
    )


def _steps(table: Table, actor: Actor, where: Situation) -> Sequence[Button]:
    rolls = [button for each in offers() for button in each.rolls(table)]
    show = Button(say("Show the table"), "view", subject="table")
    match where:
        case Situation.OUTSIDE:
            return [*rolls, Button(say("Start a campaign"), "begin")]
        case Situation.ARCHIVED:
            return [show]
        case Situation.WAITED_FOR:
            count = sum(actor.id in people(table, each) for each in waiting(table))
            waits = Button(say("Waiting: {count}", count=count), "view", subject="waiting")
            return [waits, *rolls, show]
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
    """To edit the caller's sheet."""
    own = table.played_by(actor.id)
    below = [button for each in offers() for button in each.sheet(table, own, actor)] if own else []
    return [replace(each, label=say("Edit my sheet")) for each in below[:1]]
