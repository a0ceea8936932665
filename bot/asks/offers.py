"""What is offered below the table, a sheet, the end of a session, and what is late: by each game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.asks.question import Rule
from bot.language import say
from bot.render.card import Button
from bot.render.waiting import Waiting, waiting
from rules.campaign.seats import Actor
from rules.table import Character, Table


def _no_buttons(table: Table) -> tuple[Button, ...]:
    return ()


def _no_sheet(table: Table, shown: Character, actor: Actor) -> tuple[Button, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Offers:
    """What a game offers; of what it says nothing, it offers nothing."""

    rolls: Callable[[Table], tuple[Button, ...]] = _no_buttons
    """To roll, below the table."""
    unseen: Callable[[Table], tuple[Button, ...]] = _no_buttons
    """What not everybody sees, for who does."""
    sheet: Callable[[Table, Character, Actor], tuple[Button, ...]] = _no_sheet
    """What is done with a sheet, for who looks at it."""
    ended: Callable[[], tuple[Button, ...]] = tuple
    """What comes first where a session has ended."""
    view_of: Callable[[Table, Waiting], str] | None = None
    """The view on which something can be done that no roll shows; nothing where it is not the game's."""
    passed_over: Callable[[Table, Waiting], Rule | None] | None = None
    """Passing over whoever something waits for; None where that cannot be."""


_known: list[Offers] = []


def learn(*games: Offers) -> None:
    """Let these be the offers of the games that are played."""
    _known[:] = games


def offers() -> Sequence[Offers]:
    """What each game offers."""
    return _known


def below_table(table: Table) -> tuple[Button, ...]:
    """The row below the table: one's own sheet, rolls, what waits where something does, a seat."""
    count = len(waiting(table))
    waits = [Button(say("Waiting: {count}", count=count), "view", subject="waiting")] if count else []
    rolls = (button for each in _known for button in each.rolls(table))
    return (Button(say("My sheet"), "mine"), *rolls, *waits, join_button())


def join_button() -> Button:
    """Begin to play somebody."""
    return Button(say("Join"), "join")
