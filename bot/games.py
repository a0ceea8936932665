"""The playable games, each with its rules, views, commands and questions.

To add a game, add a line here and one in `rules.games`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from bot.cogs.base import Group, GroupServices
from bot.cogs.cortex.challenge import Challenges, Contests
from bot.cogs.cortex.character import Characters, SpecialEffects
from bot.cogs.cortex.gm_pools import Crises, Doom, Gmcs
from bot.cogs.cortex.points import Experience, HeroDice, PlotPoints
from bot.cogs.cortex.roll import OddsCommands, Pools, Rolls
from bot.cogs.cortex.scene import Acts, Scenes, TurnCommands
from bot.cogs.cortex.traits import Assets, Complications, Distinctions, ResourceCommands, StressTracks
from bot.cogs.ore.ore import OreCommands
from bot.pictures import charts
from bot.pictures.charts import Charts
from bot.pictures.cortex.session import CHARTS
from bot.services import files, play
from bot.services.cortex import SHEETS as CORTEX_SHEETS
from bot.services.cortex import Builder
from bot.services.files import Files, PortraitUploads, SheetFiles
from bot.services.play import Read, Reads
from bot.views import facts, play_by_post, question, schedule, session, story, waiting
from bot.views import table as views_table
from bot.views.cortex import (
    builder,
    challenge,
    contest,
    effects,
    hitches,
    opposition,
    roll_actions,
    roll_changes,
    scenes,
    sheet,
    spending,
    table,
)
from bot.views.cortex.facts import WORDS as CORTEX_WORDS
from bot.views.cortex.gm_pools import find_waiting as cortex_waiting
from bot.views.cortex.roll_actions import SHOWS as CORTEX_SHOWS
from bot.views.cortex.story import STORIES
from bot.views.cortex.table import AT_TABLE as CORTEX_TABLE
from bot.views.cortex.table import OFFERS
from bot.views.cortex.table import VIEWS as CORTEX_VIEWS
from bot.views.facts import FactWords
from bot.views.ore.facts import AT_TABLE as ONE_ROLL_TABLE
from bot.views.ore.facts import WORDS as ONE_ROLL_WORDS
from bot.views.ore.facts import find_waiting as one_roll_waiting
from bot.views.ore.roll import QUESTIONS as ONE_ROLL_QUESTIONS
from bot.views.ore.roll import SHOWS as ONE_ROLL_SHOWS
from bot.views.ore.roll import VIEWS as ONE_ROLL_VIEWS
from bot.views.question import GameOffers, Question
from bot.views.story import Stories
from bot.views.table import AtTable, Shows, View
from bot.views.waiting import Waiting
from rules.campaign.seats import Actor
from rules.cortex import dice_in_text, roll
from rules.cortex.game import GAME as CORTEX
from rules.game import Game, enrol
from rules.ore import game
from rules.ore import roll as ore_roll
from rules.ore.game import GAME as ONE_ROLL
from rules.table import Table
from rules.values import exhaustive


def cortex_groups(needs: GroupServices) -> Iterator[Group]:
    """Yield the command groups of Cortex, with their dependencies."""
    have = (
        Assets,
        Complications,
        Distinctions,
        Experience,
        PlotPoints,
        ResourceCommands,
        SpecialEffects,
        StressTracks,
    )
    foes = (Acts, Challenges, Contests, Crises, Doom, Gmcs, HeroDice, OddsCommands, Scenes, TurnCommands)
    for kind in (*have, *foes):
        yield kind(needs.play)
    builder = Builder(needs.play, needs.ledger)
    yield Pools(needs.play, builder)
    # A sheet is Cortex's; seats belong to any game (`rules.campaign.characters`).
    files = Files(needs.play, needs.ledger, "importone")
    yield Characters(needs.play, files, PortraitUploads(needs.play, needs.ledger.portraits))
    yield Rolls(needs.play, builder, needs.ledger.spoken)


def one_roll_groups(needs: GroupServices) -> Iterator[Group]:
    """Yield the command groups of One-Roll games, with their dependencies."""
    yield OreCommands(needs.play)


def _cortex_understood(table: Table, actor: Actor, text: str) -> Read:
    found = dice_in_text.find_dice(table, actor, text)
    return Read(found.dice, found.left)


CORTEX_READS = Reads("", _cortex_understood, roll.make)
"""How Cortex reads and rolls dice in a message."""


def _one_roll_understood(table: Table, actor: Actor, text: str) -> Read | None:
    pool = game.find_dice(table, actor, text)
    return Read(pool.dice, pool.left, pool.is_sure, "ore") if pool else None


ONE_ROLL_READS = Reads("ore", _one_roll_understood, partial(ore_roll.typed, how=ore_roll.full))
"""How One-Roll reads and rolls dice in a message."""


_ASKING = (
    builder,
    challenge,
    contest,
    effects,
    hitches,
    opposition,
    roll_actions,
    roll_changes,
    scenes,
    sheet,
    spending,
    table,
)
CORTEX_QUESTIONS = tuple(question for room in _ASKING for question in room.QUESTIONS)


def _nothing(table: Table) -> Iterable[Waiting]:
    return ()


@dataclass(frozen=True, slots=True)
class GamePresentation:
    """A game with its part in each package of the bot."""

    game: Game
    groups: Callable[[GroupServices], Iterator[Group]]
    """Its command groups."""
    questions: Sequence[Question]
    """What it asks: a button, and the form behind it."""
    words: FactWords
    """What its facts say."""
    shows: Shows
    """How it shows its rolls."""
    at_table: AtTable = field(default_factory=AtTable)
    """What it shows of a table and of who sits there."""
    waiting: Callable[[Table], Iterable[Waiting]] = _nothing
    """What of it waits for somebody."""
    views: Mapping[str, View] = field(default_factory=dict)
    """The views that it has, by their short names."""
    offers: GameOffers = field(default_factory=GameOffers)
    """What it offers below the table and elsewhere."""
    reads: Reads | None = None
    """How it reads dice in a message."""
    sheets: SheetFiles | None = None
    """How it reads and writes sheets of another program."""
    stories: Stories = field(default_factory=Stories)
    """How it tells of a session."""
    charts: Charts | None = None
    """How it draws one."""

    def __post_init__(self) -> None:
        """Raises LookupError if a kind of its facts has no words."""
        exhaustive(self.game.facts.tags, self.words.by_kind)


GAMES = (
    GamePresentation(
        CORTEX,
        cortex_groups,
        CORTEX_QUESTIONS,
        CORTEX_WORDS,
        CORTEX_SHOWS,
        at_table=CORTEX_TABLE,
        waiting=cortex_waiting,
        views=CORTEX_VIEWS,
        offers=OFFERS,
        reads=CORTEX_READS,
        sheets=CORTEX_SHEETS,
        stories=STORIES,
        charts=CHARTS,
    ),
    GamePresentation(
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


def join(games: Sequence[GamePresentation] = GAMES) -> None:
    """Register these games in every package."""
    enrol(each.game for each in games)
    facts.learn({kind: how for each in games for kind, how in each.words.by_kind.items()})
    views_table.learn_cards(*(each.shows for each in games))
    views_table.learn_views({name: view for each in games for name, view in each.views.items()})
    question.learn(*(each.offers for each in games))
    views_table.learn_tables(*(each.at_table for each in games))
    waiting.learn(*(each.waiting for each in games))
    story.learn(*(each.stories for each in games))
    play.learn(*(each.reads for each in games if each.reads))
    files.learn(*(each.sheets for each in games if each.sheets))
    charts.learn(*(each.charts for each in games if each.charts))


join()


SHARED_QUESTIONS = tuple(
    question for room in (schedule, play_by_post, session) for question in room.QUESTIONS
)
