"""`/crisis`: the GM's pools for local troubles (K1 to K4)."""

from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.cortex.dice_options import CrisisDie, CrisisName, DoomDice
from bot.cogs.cortex.gm_pool import MADE, rolling, spending, stepping, tell_prices, which
from bot.cogs.options import Several, SeveralOrScene
from bot.ui.reach import alone, gms_command
from rules.cortex import crisis, doom, gm_pools, gmc
from rules.cortex.kinds import Foe, Use

_WHICH = which(Foe.CRISIS)


class Crises(Group, commands.GroupCog, name="crisis", description="Crisis pools: local troubles"):
    """Crises come from doom or from nothing, roll, pay, and are ended die by die."""

    @gms_command(description="Start a crisis, from new dice or from doom dice")
    @app_commands.describe(
        name="Its name",
        dice="New dice for the crisis",
        from_doom="The doom dice to make the crisis from",
        into="What the doom dice become, split or combined, such as d8 for 2d6",
    )
    async def new(
        self,
        it: Interaction,
        name: str,
        dice: str | None = None,
        from_doom: DoomDice | None = None,
        into: str | None = None,
    ) -> None:
        """A crisis is there."""
        await self.change(it, crisis.new, name=name, dice=dice, from_doom=from_doom, into=into)

    @alone
    @app_commands.command(name="show", description="Show the crises")
    async def show_crises(self, it: Interaction) -> None:
        """All crises, to the caller alone."""
        await self.show(it, "crisis")

    @gms_command(description="Roll a crisis as the opposition")
    @rolling(name=_WHICH)
    async def roll(
        self,
        it: Interaction,
        name: CrisisName | None = None,
        with_: str | None = None,
        keep: int = 2,
        on: Several | None = None,
    ) -> None:
        """A crisis is rolled in the open."""
        pool = partial(gmc.roll_pool, throw=self.play.throw, foe=Foe.CRISIS, name=name)
        await self.change(it, pool, with_=with_, keep=keep, on=on)

    @gms_command(description="Spend crisis dice; without options, list what they can buy")
    @spending(name=_WHICH, what=MADE)
    async def spend(
        self,
        it: Interaction,
        name: CrisisName | None = None,
        dice: CrisisDie | None = None,
        for_: str | None = None,
        what: str | None = None,
        on: SeveralOrScene | None = None,
        keep_for_pp: bool = False,
    ) -> None:
        """A crisis die pays for something that the crisis does."""
        use = partial(doom.spend_crisis, throw=self.play.throw, crisis=name, dice=dice, what=what, on=on)
        if for_ is None:
            await tell_prices(self, it, Foe.CRISIS)
        else:
            await self.change(it, use, use=Use(for_), keep_for_pp=keep_for_pp)

    @gms_command(description="Add dice to a crisis")
    @app_commands.describe(
        dice="New dice, such as d6 or 2d8",
        name=_WHICH,
        from_doom="Doom dice to move into the crisis",
        into="What the doom dice become, split or combined, such as d8 for 2d6",
    )
    async def add(
        self,
        it: Interaction,
        dice: str | None = None,
        name: CrisisName | None = None,
        from_doom: DoomDice | None = None,
        into: str | None = None,
    ) -> None:
        """Dice join a crisis."""
        await self.change(it, crisis.add, name=name, dice=dice, from_doom=from_doom, into=into)

    @gms_command(description="Remove dice from a crisis; with none left, it's resolved")
    @app_commands.describe(dice="Dice from the pool, such as d6 or 2d8", name=_WHICH)
    async def remove(self, it: Interaction, dice: CrisisDie, name: CrisisName | None = None) -> None:
        """Dice leave a crisis."""
        await self.change(it, gm_pools.remove, foe=Foe.CRISIS, name=name, dice=dice)

    @gms_command(description="Step up a crisis die, by default the smallest")
    @stepping("smallest", name=_WHICH)
    async def stepup(
        self, it: Interaction, die: CrisisDie | None = None, name: CrisisName | None = None, steps: int = 1
    ) -> None:
        """A die grows."""
        await self.change(it, gm_pools.step_up, foe=Foe.CRISIS, name=name, die=die, steps=steps)

    @gms_command(description="Step down a crisis die, by default the largest")
    @stepping("largest", name=_WHICH)
    async def stepdown(
        self, it: Interaction, die: CrisisDie | None = None, name: CrisisName | None = None, steps: int = 1
    ) -> None:
        """A die shrinks."""
        await self.change(it, gm_pools.step_down, foe=Foe.CRISIS, name=name, die=die, steps=steps)

    @gms_command(description="End a crisis; its dice are lost")
    @app_commands.describe(name=_WHICH)
    async def end(self, it: Interaction, name: CrisisName | None = None) -> None:
        """A crisis is over."""
        await self.change(it, gm_pools.end, foe=Foe.CRISIS, name=name)
