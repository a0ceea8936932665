"""The games that the bot plays: each game's rules beside its commands and its questions.

A new one is a line here, and one in `rules.games`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bot.asks import offers, shows, views
from bot.asks.cortex.questions import QUESTIONS as CORTEX_QUESTIONS
from bot.asks.cortex.shows import SHOWS as CORTEX_SHOWS
from bot.asks.cortex.views import OFFERS
from bot.asks.cortex.views import VIEWS as CORTEX_VIEWS
from bot.asks.offers import Offers
from bot.asks.ore.roll import QUESTIONS as ONE_ROLL_QUESTIONS
from bot.asks.ore.shows import SHOWS as ONE_ROLL_SHOWS
from bot.asks.ore.shows import VIEWS as ONE_ROLL_VIEWS
from bot.asks.question import Question
from bot.asks.shows import Shows
from bot.asks.views import View
from bot.cogs.base import Group, Needs
from bot.cogs.cortex.groups import groups as cortex_groups
from bot.cogs.ore.groups import groups as one_roll_groups
from bot.pictures import charts
from bot.pictures.charts import Charts
from bot.pictures.cortex.session import CHARTS
from bot.render import at_table, settings, story, telling, waiting
from bot.render.at_table import AtTable
from bot.render.cortex.events import WORDS as CORTEX_EVENTS
from bot.render.cortex.rolled import WORDS as CORTEX_ROLLED
from bot.render.cortex.settings import ABOUT, RULESETS
from bot.render.cortex.story import STORIES
from bot.render.cortex.table import AT_TABLE as CORTEX_TABLE
from bot.render.cortex.waiting import found as cortex_waiting
from bot.render.ore.events import WORDS as ONE_ROLL_WORDS
from bot.render.ore.table import AT_TABLE as ONE_ROLL_TABLE
from bot.render.ore.waiting import found as one_roll_waiting
from bot.render.settings import About
from bot.render.story import Stories
from bot.render.telling import Telling
from bot.render.waiting import Waiting
from bot.use import foreign, written
from bot.use.cortex.toolkit import SHEETS as CORTEX_SHEETS
from bot.use.cortex.written import READS as CORTEX_READS
from bot.use.foreign import SheetFiles
from bot.use.ore.written import READS as ONE_ROLL_READS
from bot.use.written import Reads
from rules.cortex.game import GAME as CORTEX
from rules.facts import Fact
from rules.game import Game, enrol
from rules.ore.game import GAME as ONE_ROLL
from rules.table import Table


def _nothing(table: Table) -> Iterable[Waiting]:
    return ()


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
    settings: Mapping[str, About] = field(default_factory=dict)
    """What each of its settings is about."""
    rulesets: Mapping[str, str] = field(default_factory=dict)
    """What each ruleset of it means."""
    at_table: AtTable = field(default_factory=AtTable)
    """What it shows of a table and of who sits there."""
    waiting: Callable[[Table], Iterable[Waiting]] = _nothing
    """What of it waits for somebody."""
    views: Mapping[str, View] = field(default_factory=dict)
    """The views that it has, by their short names."""
    offers: Offers = field(default_factory=Offers)
    """What it offers below the table and elsewhere."""
    reads: Reads | None = None
    """How it reads dice in a message."""
    sheets: SheetFiles | None = None
    """How it reads and writes sheets of another program."""
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
        settings=ABOUT,
        rulesets=RULESETS,
        at_table=CORTEX_TABLE,
        waiting=cortex_waiting,
        views=CORTEX_VIEWS,
        offers=OFFERS,
        reads=CORTEX_READS,
        sheets=CORTEX_SHEETS,
        stories=STORIES,
        charts=CHARTS,
    ),
    Rooms(
        ONE_ROLL,
        one_roll_groups,
        ONE_ROLL_QUESTIONS,
        ONE_ROLL_WORDS,
        ONE_ROLL_SHOWS,
        at_table=ONE_ROLL_TABLE,
        waiting=one_roll_waiting,
        views=ONE_ROLL_VIEWS,
        reads=ONE_ROLL_READS,
    ),
)
"""All of them."""


def join(games: Sequence[Rooms] = GAMES) -> None:
    """Let these be the games that are played, in every room."""
    enrol(each.game for each in games)
    telling.learn({kind: how for each in games for kind, how in each.words.items()})
    shows.learn(*(each.shows for each in games))
    views.learn({name: view for each in games for name, view in each.views.items()})
    offers.learn(*(each.offers for each in games))
    at_table.learn(*(each.at_table for each in games))
    waiting.learn(*(each.waiting for each in games))
    settings.learn(
        {name: about for each in games for name, about in each.settings.items()},
        {name: about for each in games for name, about in each.rulesets.items()},
    )
    story.learn(*(each.stories for each in games))
    written.learn(*(each.reads for each in games if each.reads))
    foreign.learn(*(each.sheets for each in games if each.sheets))
    charts.learn(*(each.charts for each in games if each.charts))


join()
