"""The games that the bot plays: each game's rules beside its commands and its questions.

A new one is a line here, and one in `rules.games`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bot.asks import shows
from bot.asks.cortex.questions import QUESTIONS as CORTEX_QUESTIONS
from bot.asks.cortex.shows import SHOWS as CORTEX_SHOWS
from bot.asks.ore.roll import QUESTIONS as ONE_ROLL_QUESTIONS
from bot.asks.ore.shows import SHOWS as ONE_ROLL_SHOWS
from bot.asks.question import Question
from bot.asks.shows import Shows
from bot.cogs.base import Group, Needs
from bot.cogs.cortex.groups import groups as cortex_groups
from bot.cogs.ore.groups import groups as one_roll_groups
from bot.pictures import charts
from bot.pictures.charts import Charts
from bot.pictures.cortex.session import CHARTS
from bot.render import settings, story, telling
from bot.render.cortex.events import WORDS as CORTEX_EVENTS
from bot.render.cortex.rolled import WORDS as CORTEX_ROLLED
from bot.render.cortex.settings import ABOUT, RULESETS
from bot.render.cortex.story import STORIES
from bot.render.ore.events import WORDS as ONE_ROLL_WORDS
from bot.render.story import Stories
from bot.render.telling import Telling
from rules.cortex.game import GAME as CORTEX
from rules.fact import Fact
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
    words: Mapping[type[Fact], Telling]
    """What its facts say."""
    shows: Shows
    """How it shows its rolls."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What each of its settings is about."""
    rulesets: Mapping[str, str] = field(default_factory=dict)
    """What each ruleset of it means."""
    stories: Stories = field(default_factory=Stories)
    """How it tells of a session."""
    charts: Charts | None = None
    """How it draws one."""


GAMES = (
    Rooms(
        CORTEX,
        cortex_groups,
        CORTEX_QUESTIONS,
        {**CORTEX_EVENTS, **CORTEX_ROLLED},
        CORTEX_SHOWS,
        ABOUT,
        RULESETS,
        STORIES,
        CHARTS,
    ),
    Rooms(ONE_ROLL, one_roll_groups, ONE_ROLL_QUESTIONS, ONE_ROLL_WORDS, ONE_ROLL_SHOWS),
)
"""All of them."""

for game in GAMES:
    telling.learn(game.words)
    shows.learn(game.shows)
    settings.learn(game.settings, game.rulesets)
    story.learn(game.stories)
    if game.charts:
        charts.learn(game.charts)
