"""`/gmc`: extras, minor and major GMCs, bosses and mobs (B1, B2)."""

from discord import Interaction, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.cortex.dice_options import GmcDice, GmcName, Versus
from bot.cogs.options import Several
from bot.ui.reach import alone, gms_command, hiding
from rules.cortex import gmc
from rules.cortex.kinds import Rank

_KINDS = [Choice(name=rank.value, value=rank.value) for rank in Rank]


class Gmcs(Group, commands.GroupCog, name="gmc", description="Characters of the GM: extras, bosses, mobs"):
    """GMCs come, roll, are hit, and go."""

    @hiding("away")
    @gms_command(description="Create a GMC; named dice are traits, and the rest are boss or mob dice")
    @app_commands.choices(kind=_KINDS)
    @app_commands.describe(
        name="Their name",
        dice="The GMC's dice, such as Fangs d10, 4d10",
        kind="The kind of GMC. Default: extra, minor or boss, depending on the dice",
        away="Keep the GMC out of the scene until /doom spend for:gmc brings them in",
    )
    async def new(
        self, it: Interaction, name: str, dice: str, kind: str | None = None, away: bool = False
    ) -> None:
        """A GMC is there."""
        await self.change(it, gmc.new, name=name, dice=dice, kind=kind, away=away)

    @alone
    @app_commands.command(name="show", description="Show the GMCs")
    async def show_gmcs(self, it: Interaction) -> None:
        """All GMCs, to the caller alone."""
        await self.show(it, "gmc")

    @gms_command(description="Roll all or some of a GMC's dice")
    @app_commands.describe(
        name="Which GMC",
        dice="Which dice. Default: all",
        vs="The opposition: a number, a difficulty or dice",
        keep="How many results count. Default: 2",
        on="The characters the roll concerns",
    )
    async def roll(
        self,
        it: Interaction,
        name: GmcName,
        dice: GmcDice | None = None,
        vs: Versus | None = None,
        keep: int = 2,
        on: Several | None = None,
    ) -> None:
        """A GMC's dice are rolled in the open."""
        await self.change(
            it, gmc.roll_gmc, throw=self.play.throw, name=name, dice=dice, vs=vs, keep=keep, on=on
        )

    @gms_command(description="Hit a GMC with an effect die by hand")
    @app_commands.describe(
        name="Which GMC", die="The effect die", what="A name for the complication. Default: the standard name"
    )
    async def hit(self, it: Interaction, name: GmcName, die: str, what: str | None = None) -> None:
        """A boss, mob or other GMC is hit."""
        await self.change(it, gmc.hit, name=name, die=die, what=what)

    @gms_command(description="Remove a GMC from the table")
    @app_commands.describe(name="Which GMC")
    async def remove(self, it: Interaction, name: GmcName) -> None:
        """A GMC is gone."""
        await self.change(it, gmc.remove, name=name)
