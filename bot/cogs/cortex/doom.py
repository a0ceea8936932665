"""`/doom`: the GM's pool (M1 to M9)."""

from functools import partial

from discord import Interaction, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.options import DoomDice, DoomDie, Several, SeveralOrScene
from bot.language import spoken
from bot.play import Play
from bot.render.card import private
from bot.ui.line import alone
from bot.ui.message import reply
from bot.ui.request import asked
from bot.ui.threads import SceneThreads
from rules.cortex.gm import doom_use, gm_roll
from rules.cortex.state.kinds import Use
from rules.cortex.traits import doom

_USES = [Choice(name=use.value, value=use.value) for use in Use]


class Doom(Group, commands.GroupCog, name="doom", description="The GM's doom pool"):
    """Everything that happens to the doom pool."""

    def __init__(self, play: Play, threads: SceneThreads) -> None:
        super().__init__(play)
        self.threads = threads

    @alone
    @app_commands.command(name="show", description="Look at the doom pool")
    async def show_doom(self, it: Interaction) -> None:
        """The doom pool, to the caller alone."""
        await self.show(it, "doom")

    @app_commands.command(description="Add dice to the doom pool (GM)")
    @app_commands.describe(dice="Dice, such as d6 or 2d8", why="A note of why")
    async def add(self, it: Interaction, dice: str, why: str = "") -> None:
        """Dice join the pool."""
        await self.change(it, doom.add, pool=dice, why=why)

    @app_commands.command(description="Remove dice from the doom pool (GM)")
    @app_commands.describe(dice="Dice that are in the pool, such as d6")
    async def remove(self, it: Interaction, dice: DoomDice) -> None:
        """Dice leave the pool."""
        await self.change(it, doom.remove, pool=dice)

    @app_commands.command(description="Step up a doom die, the smallest unless named (GM)")
    @app_commands.describe(die="Which die; the smallest if left out", steps="How many steps; 1 if left out")
    async def stepup(self, it: Interaction, die: DoomDie | None = None, steps: int = 1) -> None:
        """A die grows."""
        await self.change(it, doom.step_up, die=die, steps=steps)

    @app_commands.command(description="Step down a doom die, the largest unless named (GM)")
    @app_commands.describe(die="Which die; the largest if left out", steps="How many steps; 1 if left out")
    async def stepdown(self, it: Interaction, die: DoomDie | None = None, steps: int = 1) -> None:
        """A die shrinks; at d4 it is gone."""
        await self.change(it, doom.step_down, die=die, steps=steps)

    @app_commands.command(name="set", description="Set the whole doom pool (GM)")
    @app_commands.describe(dice="The dice it has then, such as 2d6 d8")
    async def set_pool(self, it: Interaction, dice: str) -> None:
        """The pool is what was typed."""
        await self.change(it, doom.put, pool=dice)

    @app_commands.command(description="Empty the doom pool (GM)")
    async def clear(self, it: Interaction) -> None:
        """The pool is empty."""
        await self.change(it, doom.clear)

    @app_commands.command(description="Roll the doom pool as the opposition (GM)")
    @app_commands.rename(with_="with")
    @app_commands.describe(
        dice="Which doom dice; all if left out",
        with_="What else stands in the way, such as Rain d8",
        keep="How many results count; 2 if left out",
        on="Whom it concerns",
    )
    async def roll(
        self,
        it: Interaction,
        dice: DoomDice | None = None,
        with_: str | None = None,
        keep: int = 2,
        on: Several | None = None,
    ) -> None:
        """All or some doom dice are rolled in the open."""
        await self.change(
            it, gm_roll.roll_doom, throw=self.play.throw, dice=dice, with_=with_, keep=keep, on=on
        )

    @app_commands.command(description="Spend a doom die; alone, it lists what a die can buy (GM)")
    @app_commands.rename(for_="for")
    @app_commands.choices(for_=_USES)
    @app_commands.describe(
        dice="The dice to spend; the smallest that pays if left out",
        for_="What for",
        name="The name of what it makes; of an extra with its trait: Thug: Brawler",
        on="Whom it concerns: a character, several, all, scene",
        keep_for_pp="Keep the dice and pay those it concerns 1 PP each instead",
    )
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
        use = partial(
            doom_use.spend, throw=self.play.throw, dice=dice, name=name, on=on, keep_for_pp=keep_for_pp
        )
        if for_ is None:
            await reply(it, private(*map(spoken, doom_use.price_list())))
        elif for_ == Use.END_SCENE:
            ends = partial(use, use=Use.END_SCENE)
            await self.threads.answer(it, await self.play.change(asked(it), ends))
        else:
            await self.change(it, use, use=Use(for_))
