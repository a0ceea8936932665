"""What is asked about a roll of Cortex."""

from collections.abc import Callable

from bot.asks.question import Pressed
from bot.render.card import Form
from rules.campaign.seats import Actor
from rules.cortex.model import Roll
from rules.cortex.roll import find
from rules.table import Table


def about(ask: Callable[[Table, Actor, Roll], Form]) -> Callable[[Table, Actor, Pressed], Form]:
    """What is asked about the roll that a button names."""
    return lambda table, actor, press: ask(table, actor, find(table, press.number))
