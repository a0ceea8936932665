"""`/pool`: a private builder, and named pools of dice that anyone at the table may share (D2 to D7, X1)."""

from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.asks.cortex import build
from bot.asks.cortex.build import Change
from bot.asks.question import Fields, Pressed
from bot.cogs.base import Group, on_form, on_press, on_presses
from bot.cogs.cortex.dice_options import Dice, KeptName, PoolDice, PoolName, Versus
from bot.cogs.options import Who
from bot.play import Play
from bot.ui.forms import open_form
from bot.ui.menus import chosen, offered
from bot.ui.message import answer, reply, update
from bot.ui.reach import alone, everywhere
from bot.ui.request import asked
from bot.use.cortex.build import Builder
from rules.campaign.seats import Actor
from rules.cortex import builder, named_pools
from rules.cortex.builder import Build
from rules.table import Table

_WHICH = "Which pool. Default: the only one"


@everywhere
class Pools(Group, commands.GroupCog, name="pool", description="Named pools of dice for the whole table"):
    """Pools are gathered, changed and rolled by anyone."""

    def __init__(self, play: Play, builder: Builder) -> None:
        super().__init__(play)
        self.builder = builder

    @alone
    @app_commands.command(name="build", description="Build your pool from a menu, see its odds, then roll it")
    @app_commands.describe(who="Which character. Default: yours")
    async def open_builder(self, it: Interaction, who: Who | None = None) -> None:
        """The builder, as it was left, to the caller alone."""
        await reply(it, *await self.builder.show(asked(it), partial(_begun, who=who)))

    @app_commands.command(description="Add dice to a named pool, or start one with a new name")
    @app_commands.describe(dice="Dice or names, such as 2d6 or Rope d8", name=_WHICH)
    async def add(self, it: Interaction, dice: Dice, name: PoolName | None = None) -> None:
        """Dice join a pool."""
        await self.change(it, named_pools.add, dice=dice, name=name)

    @app_commands.command(description="Remove dice from a named pool")
    @app_commands.describe(dice="Dice from the pool, such as d6 or 2d8", name=_WHICH)
    async def remove(self, it: Interaction, dice: PoolDice, name: PoolName | None = None) -> None:
        """Dice leave a pool."""
        await self.change(it, named_pools.remove, dice=dice, name=name)

    @app_commands.command(description="Step up dice in a named pool")
    @app_commands.describe(
        dice="Dice from the pool, such as d6 or 2d8", name=_WHICH, steps="How many steps. Default: 1"
    )
    async def stepup(
        self, it: Interaction, dice: PoolDice, name: PoolName | None = None, steps: int = 1
    ) -> None:
        """Dice grow."""
        await self.change(it, named_pools.step_up, dice=dice, name=name, steps=steps)

    @app_commands.command(description="Step down dice in a named pool; below d4, they're gone")
    @app_commands.describe(
        dice="Dice from the pool, such as d6 or 2d8", name=_WHICH, steps="How many steps. Default: 1"
    )
    async def stepdown(
        self, it: Interaction, dice: PoolDice, name: PoolName | None = None, steps: int = 1
    ) -> None:
        """Dice shrink."""
        await self.change(it, named_pools.step_down, dice=dice, name=name, steps=steps)

    @app_commands.command(description="Double the dice in a named pool")
    @app_commands.describe(dice="Dice from the pool, such as d6 or 2d8", name=_WHICH)
    async def double(self, it: Interaction, dice: PoolDice, name: PoolName | None = None) -> None:
        """Dice are there twice."""
        await self.change(it, named_pools.double, dice=dice, name=name)

    @app_commands.command(description="Clear a named pool")
    @app_commands.describe(name=_WHICH)
    async def clear(self, it: Interaction, name: PoolName | None = None) -> None:
        """A pool is gone."""
        await self.change(it, named_pools.clear, name=name)

    @app_commands.command(description="Save a pool under a name, to roll it by that name later")
    @app_commands.describe(
        name="Its name",
        dice="The pool; trait names keep it up to date. Default: your last roll",
        vs="The pool's usual opposition, as in /roll",
        who="Which character. Default: yours",
        remove="Delete it instead",
    )
    async def save(
        self,
        it: Interaction,
        name: KeptName,
        dice: Dice | None = None,
        vs: Versus | None = None,
        who: Who | None = None,
        remove: bool = False,
    ) -> None:
        """A pool has a name on the sheet."""
        await self.change(it, named_pools.save, name=name, dice=dice, vs=vs, who=who, remove=remove)

    @alone
    @app_commands.command(name="show", description="Show the named pools")
    async def show_pools(self, it: Interaction) -> None:
        """All named pools, to the caller alone."""
        await self.show(it, "pool")

    @app_commands.command(description="Roll a named pool without using it up")
    @app_commands.describe(
        name=_WHICH, keep="How many results count. Default: 2", vs="The opposition, as in /roll"
    )
    async def roll(
        self, it: Interaction, name: PoolName | None = None, keep: int = 2, vs: Versus | None = None
    ) -> None:
        """A pool is rolled in the open."""
        await self.change(it, named_pools.throw_pool, throw=self.play.throw, name=name, keep=keep, vs=vs)

    @on_presses(build.CHANGES)
    async def press_change(self, it: Interaction, press: Pressed) -> None:
        """What is built is changed as the button or the menu says."""
        await self._change(it, press, build.read(press.verb, press.subject, chosen(it), offered(it)))

    @on_press("buildtype")
    async def press_type(self, it: Interaction, press: Pressed) -> None:
        """The pool opens as text."""
        await open_form(it, build.type_form(await self.builder.built(asked(it, press.campaign))), press)

    @on_form("buildtype")
    async def send_type(self, it: Interaction, press: Pressed, fields: Fields) -> None:
        """The pool is as it was typed."""
        await self._change(it, press, build.read_typed(fields))

    @on_presses(build.FINISHES)
    async def press_finish(self, it: Interaction, press: Pressed) -> None:
        """What was built is rolled in the open, or lies on the table for others."""
        rule = build.read_finish(press.verb, self.play.throw)
        await answer(it, await self.builder.finish(asked(it, press.campaign), press.subject, rule))

    async def _change(self, it: Interaction, press: Pressed, change: Change) -> None:
        """Change what is built, and show it in the same message."""
        shown = build.shown_after(press.verb, press.subject)
        await update(it, *await self.builder.show(asked(it, press.campaign), change, shown))


def _begun(table: Table, actor: Actor, built: Build, who: str | None) -> Build:
    """What is built for somebody."""
    return builder.begin(table, actor, built, who)
