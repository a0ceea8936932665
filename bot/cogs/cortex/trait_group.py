"""What the groups of traits that come and go have in common: stepping, removing, looking."""

from discord import Interaction, app_commands

from bot.cogs.base import Group
from bot.cogs.cortex.options import Held
from bot.cogs.options import WhoOrScene
from bot.render.cortex.kinds import KINDS
from bot.ui.reach import alone
from rules.cortex import traits
from rules.cortex.kinds import TraitKind


class HeldTraits(Group):
    """Traits of one kind: they are removed, and looked at."""

    kinds: tuple[TraitKind, ...]

    @app_commands.command(description="Remove one from a character or the scene")
    @app_commands.describe(what="Which one", who="Its owner")
    async def remove(self, it: Interaction, what: Held, who: WhoOrScene | None = None) -> None:
        """A trait goes."""
        await self.change(it, traits.remove, kind=self.kinds[0], what=what, who=who)

    @alone
    @app_commands.command(name="show", description="Show all of them")
    async def show_all(self, it: Interaction) -> None:
        """All of them, to the caller alone."""
        await self.show(it, KINDS[self.kinds[0]].view)


class SteppedTraits(HeldTraits):
    """Traits of one kind that step up and down, too."""

    @app_commands.command(description="Step one up")
    @app_commands.describe(what="Which one", steps="How many steps. Default: 1", who="Its owner")
    async def stepup(
        self, it: Interaction, what: Held, steps: int = 1, who: WhoOrScene | None = None
    ) -> None:
        """A trait grows."""
        await self.change(it, traits.step_up, kind=self.kinds[0], what=what, steps=steps, who=who)

    @app_commands.command(description="Step one down; below d4, it's gone")
    @app_commands.describe(what="Which one", steps="How many steps. Default: 1", who="Its owner")
    async def stepdown(
        self, it: Interaction, what: Held, steps: int = 1, who: WhoOrScene | None = None
    ) -> None:
        """A trait shrinks."""
        await self.change(it, traits.step_down, kind=self.kinds[0], what=what, steps=steps, who=who)
