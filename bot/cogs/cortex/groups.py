"""All command groups of Cortex."""

from collections.abc import Iterator

from bot.cogs.base import Group, Needs
from bot.cogs.cortex.act import Acts
from bot.cogs.cortex.asset import Assets
from bot.cogs.cortex.challenge import Challenges
from bot.cogs.cortex.character import Characters
from bot.cogs.cortex.comp import Complications
from bot.cogs.cortex.contest import Contests
from bot.cogs.cortex.crisis import Crises
from bot.cogs.cortex.dist import Distinctions
from bot.cogs.cortex.doom import Doom
from bot.cogs.cortex.gmc import Gmcs
from bot.cogs.cortex.hero import HeroDice
from bot.cogs.cortex.odds import OddsOf
from bot.cogs.cortex.pool import Pools
from bot.cogs.cortex.pp import PlotPoints
from bot.cogs.cortex.resource import Resources
from bot.cogs.cortex.roll import Rolls
from bot.cogs.cortex.scene import Scenes
from bot.cogs.cortex.sfx import SpecialEffects
from bot.cogs.cortex.stress import StressTracks
from bot.cogs.cortex.turn import TurnCommands
from bot.cogs.cortex.xp import Experience
from bot.use.cortex.build import Builder
from bot.use.importing import Files
from bot.use.portraits import PortraitUploads


def groups(needs: Needs) -> Iterator[Group]:
    """Each with what it needs."""
    have = (
        Assets,
        Complications,
        Distinctions,
        Experience,
        PlotPoints,
        Resources,
        SpecialEffects,
        StressTracks,
    )
    foes = (Acts, Challenges, Contests, Crises, Doom, Gmcs, HeroDice, OddsOf, Scenes, TurnCommands)
    for kind in (*have, *foes):
        yield kind(needs.play)
    builder = Builder(needs.play, needs.ledger)
    yield Pools(needs.play, builder)
    # What is typed on a sheet is Cortex's; seats are rules.campaign.characters.
    files = Files(needs.play, needs.ledger, "importone")
    yield Characters(needs.play, files, PortraitUploads(needs.play, needs.ledger.portraits))
    yield Rolls(needs.play, builder, needs.ledger.spoken)
