"""The games that the bot plays: each game's rules beside its commands and its questions.

A new one is a line here, and one in `rules.games`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bot.asks.cortex.questions import QUESTIONS as CORTEX_QUESTIONS
from bot.asks.ore.roll import QUESTIONS as ONE_ROLL_QUESTIONS
from bot.asks.question import Question
from bot.cogs.base import Group, Needs
from bot.cogs.cortex.groups import groups as cortex_groups
from bot.cogs.ore.groups import groups as one_roll_groups
from rules.cortex.game import GAME as CORTEX
from rules.game import Game
from rules.ore.game import GAME as ONE_ROLL


@dataclass(frozen=True, slots=True)
class Rooms:
    """A game, and what it has in the rooms of the bot."""

    game: Game
    groups: Callable[[Needs], Iterator[Group]]
    """Its command groups."""
    questions: Sequence[Question]
    """What it asks: a button, and the form behind it."""


GAMES = (
    Rooms(CORTEX, cortex_groups, CORTEX_QUESTIONS),
    Rooms(ONE_ROLL, one_roll_groups, ONE_ROLL_QUESTIONS),
)
"""All of them."""
