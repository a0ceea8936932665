"""The playable games, each with its rules, views, commands and questions.

To add a game, add a line here and one in `rules.games`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from bot.cogs.base import Group, GroupServices
from bot.cogs.cortex.challenge import Challenges, Contests
from bot.cogs.cortex.gm_pools import Crises, Doom, Gmcs
from bot.cogs.cortex.points import HeroDice, PlotPoints
from bot.cogs.cortex.roll import OddsCommands, Pools, Rolls
from bot.cogs.cortex.scene import Acts, Scenes, TurnCommands
from bot.cogs.cortex.sfx import SpecialEffects
from bot.cogs.cortex.traits import Assets, Complications, Distinctions, ResourceCommands, StressTracks
from bot.cogs.ore.ore import OreCommands
from bot.pictures.cortex.session import CHARTS
from bot.services.cortex import SHEETS as CORTEX_SHEETS
from bot.services.cortex import Builder
from bot.services.files import SheetFiles
from bot.services.ore import SHEETS as ONE_ROLL_SHEETS
from bot.services.play import Read, Reads
from bot.store import codec
from bot.views import play_by_post, schedule, session, sheet, xp
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
    spending,
)
from bot.views.cortex.facts import WORDS as CORTEX_WORDS
from bot.views.cortex.gm_pools import earlier_hitches
from bot.views.cortex.gm_pools import find_waiting as cortex_waiting
from bot.views.cortex.roll_actions import SHOWS as CORTEX_SHOWS
from bot.views.cortex.story import STORIES
from bot.views.cortex.table import AT_TABLE as CORTEX_TABLE
from bot.views.cortex.table import OFFERS
from bot.views.cortex.table import VIEWS as CORTEX_VIEWS
from bot.views.game import SHOWN, GameViews
from bot.views.ore import builder as ore_builder
from bot.views.ore import damage as ore_damage
from bot.views.ore import roll as ore_views
from bot.views.ore.facts import WORDS as ONE_ROLL_WORDS
from bot.views.ore.facts import find_waiting as one_roll_waiting
from bot.views.ore.intro import TWINS as ONE_ROLL_TWINS
from bot.views.ore.intro import instead as one_roll_instead
from bot.views.ore.roll import SHOWS as ONE_ROLL_SHOWS
from bot.views.ore.table import AT_TABLE as ONE_ROLL_TABLE
from bot.views.ore.table import GUEST as ONE_ROLL_GUEST
from bot.views.ore.table import OFFERS as ONE_ROLL_OFFERS
from bot.views.ore.table import STORIES as ONE_ROLL_STORIES
from bot.views.ore.table import VIEWS as ONE_ROLL_VIEWS
from bot.views.question import Question
from rules.campaign.seats import Actor
from rules.cortex import dice_in_text, roll
from rules.cortex.game import GAME as CORTEX
from rules.ore import game
from rules.ore import roll as ore_roll
from rules.ore.game import GAME as ONE_ROLL
from rules.table import Table


def cortex_groups(needs: GroupServices) -> Iterator[Group]:
    """Yield the command groups of Cortex, with their dependencies."""
    have = (
        Assets,
        Complications,
        Distinctions,
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
    spending,
)
CORTEX_QUESTIONS = tuple(question for room in _ASKING for question in room.QUESTIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePresentation(GameViews):
    """A game with its part in each package of the bot."""

    groups: Callable[[GroupServices], Iterator[Group]]
    """Its command groups."""
    questions: Sequence[Question]
    """What it asks: a button, and the form behind it."""
    reads: Reads | None = None
    """Finds dice in messages; None if the game has no such dice."""
    sheets: SheetFiles | None = None
    """Reads and writes sheets of another program; None for none."""


GAMES = (
    GamePresentation(
        game=CORTEX,
        groups=cortex_groups,
        questions=CORTEX_QUESTIONS,
        words=CORTEX_WORDS,
        rolls=CORTEX_SHOWS,
        at_table=CORTEX_TABLE,
        waiting=cortex_waiting,
        earlier=earlier_hitches,
        views=CORTEX_VIEWS,
        offers=OFFERS,
        reads=CORTEX_READS,
        sheets=CORTEX_SHEETS,
        stories=STORIES,
        charts=CHARTS,
    ),
    GamePresentation(
        game=ONE_ROLL,
        groups=one_roll_groups,
        questions=(*ore_views.QUESTIONS, *ore_builder.QUESTIONS, *ore_damage.QUESTIONS),
        words=ONE_ROLL_WORDS,
        rolls=ONE_ROLL_SHOWS,
        at_table=ONE_ROLL_TABLE,
        guest=ONE_ROLL_GUEST,
        waiting=one_roll_waiting,
        views=ONE_ROLL_VIEWS,
        offers=ONE_ROLL_OFFERS,
        instead=one_roll_instead,
        twins=ONE_ROLL_TWINS,
        stories=ONE_ROLL_STORIES,
        reads=ONE_ROLL_READS,
        sheets=ONE_ROLL_SHEETS,
    ),
)
"""All of them."""


def play_games(games: Sequence[GamePresentation] = GAMES) -> None:
    """Register the games that this process plays, with their views, in place of those before."""
    codec.play_games(each.game for each in games)
    SHOWN.present(games)


SHARED_QUESTIONS = tuple(
    question for room in (schedule, play_by_post, session, sheet, xp) for question in room.QUESTIONS
)
