"""`/doom`: the GM's pool (M1 to M9)."""

from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.cortex.dice_options import DoomDice, DoomDie
from bot.cogs.cortex.gm_pool import MADE, rolling, spending, stepping, tell_prices
from bot.cogs.options import Several, SeveralOrScene
from bot.ui.reach import alone, gms_command
from rules.cortex import doom, gm_pools, gmc
from rules.cortex.kinds import Foe, Use


class Doom(Group, commands.GroupCog, name="doom", description="The GM's doom pool"):
    """Everything that happens to the doom pool."""

    @alone
    @app_commands.command(name="show", description="Show the doom pool")
    async def show_doom(self, it: Interaction) -> None:
        """The doom pool, to the caller alone."""
        await self.show(it, "doom")

    @gms_command(description="Add dice to the doom pool")
    @app_commands.describe(dice="Dice, such as d6 or 2d8", why="The reason")
    async def add(self, it: Interaction, dice: str, why: str = "") -> None:
        """Dice join the pool."""
        await self.change(it, gm_pools.add, foe=Foe.DOOM, dice=dice, why=why)

    @gms_command(description="Remove dice from the doom pool")
    @app_commands.describe(dice="Dice from the pool, such as d6")
    async def remove(self, it: Interaction, dice: DoomDice) -> None:
        """Dice leave the pool."""
        await self.change(it, gm_pools.remove, foe=Foe.DOOM, dice=dice)

    @gms_command(description="Step up a doom die, by default the smallest")
    @stepping("smallest")
    async def stepup(self, it: Interaction, die: DoomDie | None = None, steps: int = 1) -> None:
        """A die grows."""
        await self.change(it, gm_pools.step_up, foe=Foe.DOOM, die=die, steps=steps)

    @gms_command(description="Step down a doom die, by default the largest")
    @stepping("largest")
    async def stepdown(self, it: Interaction, die: DoomDie | None = None, steps: int = 1) -> None:
        """A die shrinks; at d4 it is gone."""
        await self.change(it, gm_pools.step_down, foe=Foe.DOOM, die=die, steps=steps)

    @gms_command(name="set", description="Set the whole doom pool")
    @app_commands.describe(dice="The new dice, such as 2d6 d8")
    async def set_pool(self, it: Interaction, dice: str) -> None:
        """The pool is what was typed."""
        await self.change(it, gm_pools.set_doom, pool=dice)

    @gms_command(description="Empty the doom pool")
    async def clear(self, it: Interaction) -> None:
        """The pool is empty."""
        await self.change(it, gm_pools.clear_doom)

    @gms_command(description="Roll the doom pool as the opposition")
    @rolling(dice="Which doom dice. Default: all")
    async def roll(
        self,
        it: Interaction,
        dice: DoomDice | None = None,
        with_: str | None = None,
        keep: int = 2,
        on: Several | None = None,
    ) -> None:
        """All or some doom dice are rolled in the open."""
        await self.change(it, gmc.roll_doom, throw=self.play.throw, dice=dice, with_=with_, keep=keep, on=on)

    @gms_command(description="Spend doom dice; without options, list what they can buy")
    @spending(name=MADE)
    async def spend(
        self,
        it: Interaction,
        dice: DoomDice | None = None,
        for_: str | None = None,
        name: str | None = None,
        on: SeveralOrScene | None = None,
        keep_for_pp: bool = False,
    ) -> None:
        """A die pays for something, or the players it concerns are paid."""
        use = partial(doom.spend, throw=self.play.throw, dice=dice, name=name, on=on, keep_for_pp=keep_for_pp)
        if for_ is None:
            await tell_prices(self, it, Foe.DOOM)
        else:
            await self.change(it, use, use=Use(for_))
