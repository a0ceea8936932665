"""`/comp`: complications, recovery from them, and staying in (C3, C4, T5)."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.cortex.dice_options import Dice, Versus
from bot.cogs.cortex.options import Held
from bot.cogs.cortex.trait_group import SteppedTraits
from bot.cogs.options import Who, WhoOrScene
from rules.cortex import effects, traits
from rules.cortex.kinds import TraitKind


class Complications(
    SteppedTraits, commands.GroupCog, name="comp", description="Complications of characters and the scene"
):
    """Complications come, step, go and are recovered from."""

    kinds = (TraitKind.COMPLICATION,)

    @app_commands.command(description="Add a complication; adding it again steps it up")
    @app_commands.describe(
        what="Its name", who="The owner. Default: your character", die="The die. Default: d6"
    )
    async def add(
        self, it: Interaction, what: str, who: WhoOrScene | None = None, die: str | None = None
    ) -> None:
        """A complication comes."""
        await self.change(it, traits.add, kind=TraitKind.COMPLICATION, what=what, who=who, die=die)

    @app_commands.command(description="Roll to recover from a complication, yours or someone else's")
    @app_commands.describe(
        what="Which complication",
        dice="Your pool",
        vs="The opposition. Default: the standard opposition",
        who="Its owner",
    )
    async def recover(
        self,
        it: Interaction,
        what: Held,
        dice: Dice,
        vs: Versus | None = None,
        who: WhoOrScene | None = None,
    ) -> None:
        """Dice are rolled against the complication; `Apply` does what they come to."""
        await self.change(
            it,
            effects.recover,
            throw=self.play.throw,
            kinds=(TraitKind.COMPLICATION,),
            what=what,
            dice=dice,
            vs=vs,
            who=who,
        )

    @app_commands.command(
        description="Spend 1 PP to stay in after being taken out; you get a new d6 complication"
    )
    @app_commands.describe(
        who="Which character. Default: yours",
        name="The new d6 complication",
        free="Waive the PP (GM)",
    )
    async def stayin(
        self, it: Interaction, who: Who | None = None, name: str = "Trouble", free: bool = False
    ) -> None:
        """A character who was taken out stays in."""
        await self.change(it, traits.stay_in, who=who, name=name, free=free)
