"""`/stress`: stress and the trauma behind it (C3 to C5, T5)."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.cortex.dice_options import Dice, Versus
from bot.cogs.cortex.options import Held, Track
from bot.cogs.options import Who
from bot.ui.reach import alone
from rules.cortex import effects, traits
from rules.cortex.kinds import TraitKind


class StressTracks(Group, commands.GroupCog, name="stress", description="Stress and trauma of characters"):
    """Stress comes, steps, goes and is recovered from; with `trauma`, trauma does."""

    kinds = (TraitKind.STRESS, TraitKind.TRAUMA)

    @app_commands.command(description="Add stress; adding to a track again steps it up")
    @app_commands.describe(
        what="Which track",
        who="Which character. Default: yours",
        die="The die. Default: d6",
        trauma="Trauma instead",
    )
    async def add(
        self,
        it: Interaction,
        what: Track,
        who: Who | None = None,
        die: str | None = None,
        trauma: bool = False,
    ) -> None:
        """Stress comes."""
        await self.change(it, traits.add, kind=_kind(trauma), what=what, who=who, die=die)

    @app_commands.command(description="Step up stress; past d12, it takes the character out")
    @app_commands.describe(
        what="Which stress", steps="How many steps. Default: 1", who="Its owner", trauma="Trauma instead"
    )
    async def stepup(
        self, it: Interaction, what: Held, steps: int = 1, who: Who | None = None, trauma: bool = False
    ) -> None:
        """Stress grows."""
        await self.change(it, traits.step_up, kind=_kind(trauma), what=what, steps=steps, who=who)

    @app_commands.command(description="Step down stress; below d4, it's gone")
    @app_commands.describe(
        what="Which stress", steps="How many steps. Default: 1", who="Its owner", trauma="Trauma instead"
    )
    async def stepdown(
        self, it: Interaction, what: Held, steps: int = 1, who: Who | None = None, trauma: bool = False
    ) -> None:
        """Stress shrinks."""
        await self.change(it, traits.step_down, kind=_kind(trauma), what=what, steps=steps, who=who)

    @app_commands.command(description="Remove the stress on one track")
    @app_commands.describe(what="Which stress", who="Its owner", trauma="Trauma instead")
    async def remove(self, it: Interaction, what: Held, who: Who | None = None, trauma: bool = False) -> None:
        """Stress of one track goes."""
        await self.change(it, traits.remove, kind=_kind(trauma), what=what, who=who)

    @app_commands.command(description="Remove all of a character's stress")
    @app_commands.describe(who="Which character. Default: yours", trauma="Trauma instead")
    async def clear(self, it: Interaction, who: Who | None = None, trauma: bool = False) -> None:
        """All stress goes."""
        await self.change(it, traits.clear_stress, who=who, kind=_kind(trauma))

    @alone
    @app_commands.command(name="show", description="Show all stress and trauma")
    async def show_stress(self, it: Interaction) -> None:
        """All stress and trauma, to the caller alone."""
        await self.show(it, "stress")

    @app_commands.command(description="Roll to recover from stress, yours or someone else's")
    @app_commands.describe(
        what="Which stress",
        dice="Your pool",
        vs="The opposition. Default: the standard opposition",
        who="Its owner",
        trauma="Trauma instead",
    )
    async def recover(
        self,
        it: Interaction,
        what: Held,
        dice: Dice,
        vs: Versus | None = None,
        who: Who | None = None,
        trauma: bool = False,
    ) -> None:
        """Dice are rolled against the stress; `Apply` does what they come to."""
        await self.change(
            it,
            effects.recover,
            throw=self.play.throw,
            kinds=(_kind(trauma),),
            what=what,
            dice=dice,
            vs=vs,
            who=who,
        )


def _kind(trauma: bool) -> TraitKind:
    return TraitKind.TRAUMA if trauma else TraitKind.STRESS
