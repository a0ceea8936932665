"""`/pool`: named pools of dice that anyone at the table may share (D2, D4, D5)."""

from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.options import Dice, PoolDice, PoolName, Versus
from bot.ui.asked import asked
from bot.ui.message import answer
from rules.cortex import named_pool

_WHICH = "Which pool; the only one if left out"


class Pools(Group, commands.GroupCog, name="pool", description="Named pools of dice for the whole table"):
    """Pools are gathered, changed and rolled by anyone."""

    @app_commands.command(description="Add dice to a named pool; a new name begins one")
    @app_commands.describe(dice="Dice, or names with dice", name=_WHICH)
    async def add(self, it: Interaction, dice: Dice, name: PoolName | None = None) -> None:
        """Dice join a pool."""
        await answer(it, await self.play.change(asked(it), partial(named_pool.add, dice=dice, name=name)))

    @app_commands.command(description="Remove dice from a named pool")
    @app_commands.describe(dice="Dice that are in it", name=_WHICH)
    async def remove(self, it: Interaction, dice: PoolDice, name: PoolName | None = None) -> None:
        """Dice leave a pool."""
        await answer(it, await self.play.change(asked(it), partial(named_pool.remove, dice=dice, name=name)))

    @app_commands.command(description="Step up dice of a named pool")
    @app_commands.describe(dice="Dice that are in it", name=_WHICH, steps="How many steps; 1 if left out")
    async def stepup(
        self, it: Interaction, dice: PoolDice, name: PoolName | None = None, steps: int = 1
    ) -> None:
        """Dice grow."""
        rule = partial(named_pool.step_up, dice=dice, name=name, steps=steps)
        await answer(it, await self.play.change(asked(it), rule))

    @app_commands.command(description="Step down dice of a named pool; under d4 they leave it")
    @app_commands.describe(dice="Dice that are in it", name=_WHICH, steps="How many steps; 1 if left out")
    async def stepdown(
        self, it: Interaction, dice: PoolDice, name: PoolName | None = None, steps: int = 1
    ) -> None:
        """Dice shrink."""
        rule = partial(named_pool.step_down, dice=dice, name=name, steps=steps)
        await answer(it, await self.play.change(asked(it), rule))

    @app_commands.command(description="Double dice of a named pool")
    @app_commands.describe(dice="Dice that are in it", name=_WHICH)
    async def double(self, it: Interaction, dice: PoolDice, name: PoolName | None = None) -> None:
        """Dice are there twice."""
        await answer(it, await self.play.change(asked(it), partial(named_pool.double, dice=dice, name=name)))

    @app_commands.command(description="Clear a named pool")
    @app_commands.describe(name=_WHICH)
    async def clear(self, it: Interaction, name: PoolName | None = None) -> None:
        """A pool is gone."""
        await answer(it, await self.play.change(asked(it), partial(named_pool.clear, name=name)))

    @app_commands.command(name="show", description="Look at the named pools")
    async def show_pools(self, it: Interaction) -> None:
        """All named pools, to the caller alone."""
        await self.show(it, "pool")

    @app_commands.command(description="Roll a named pool; it stays as it is")
    @app_commands.describe(
        name=_WHICH, keep="How many results count; 2 if left out", vs="Against what, as in /roll"
    )
    async def roll(
        self, it: Interaction, name: PoolName | None = None, keep: int = 2, vs: Versus | None = None
    ) -> None:
        """A pool is rolled in the open."""
        rule = partial(named_pool.throw_pool, throw=self.play.throw, name=name, keep=keep, vs=vs)
        await answer(it, await self.play.change(asked(it), rule))
