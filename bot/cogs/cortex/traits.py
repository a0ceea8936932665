"""`/asset`, `/comp`, `/dist`, `/stress` and `/resource`."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.client.access import alone, gms_command
from bot.cogs.base import Group
from bot.cogs.cortex.options import Dice, Held, Resource, Track, Versus
from bot.cogs.options import LabelText, NewName, RatingText, Several, Who, WhoOrScene
from bot.views.cortex.labels import KINDS
from rules.cortex import effects, traits
from rules.cortex.kinds import TraitKind


class HeldTraits(Group):
    """Commands for traits of one kind that can be removed and listed."""

    game = "cortex"

    kinds: tuple[TraitKind, ...]

    @app_commands.command(description="Remove one from a character or the scene")
    @app_commands.describe(what="Which one", who="Its owner")
    async def remove(self, interaction: Interaction, what: Held, who: WhoOrScene | None = None) -> None:
        """Remove a trait."""
        await self.change(
            interaction, lambda table, actor: traits.remove(table, actor, self.kinds[0], what, who)
        )

    @alone
    @app_commands.command(name="show", description="Show all of them")
    async def show_all(self, interaction: Interaction) -> None:
        """Show all traits of this kind privately."""
        await self.show(interaction, KINDS[self.kinds[0]].view)


class SteppedTraits(HeldTraits):
    """Commands for traits of one kind that can also be stepped up and down."""

    @app_commands.command(description="Step one up")
    @app_commands.describe(what="Which one", steps="How many steps. Default: 1", who="Its owner")
    async def stepup(
        self, interaction: Interaction, what: Held, steps: int = 1, who: WhoOrScene | None = None
    ) -> None:
        """Step up a trait."""
        await self.change(
            interaction,
            lambda table, actor: traits.step_up(
                table, actor, kind=self.kinds[0], what=what, steps=steps, who=who
            ),
        )

    @app_commands.command(description="Step one down; below d4, it's gone")
    @app_commands.describe(what="Which one", steps="How many steps. Default: 1", who="Its owner")
    async def stepdown(
        self, interaction: Interaction, what: Held, steps: int = 1, who: WhoOrScene | None = None
    ) -> None:
        """Step down a trait."""
        await self.change(
            interaction,
            lambda table, actor: traits.step_down(
                table, actor, kind=self.kinds[0], what=what, steps=steps, who=who
            ),
        )


class NamedTraits(SteppedTraits):
    """Commands for traits of one kind that people name as they like."""

    @app_commands.command(description="Give one another name")
    @app_commands.describe(what="Which one", to="Its new name", who="Its owner")
    async def rename(
        self, interaction: Interaction, what: Held, to: NewName, who: WhoOrScene | None = None
    ) -> None:
        """Rename a trait."""
        await self.change(
            interaction,
            lambda table, actor: traits.rename(table, actor, self.kinds[0], what=what, to=to, who=who),
        )


class Assets(NamedTraits, commands.GroupCog, name="asset", description="Assets of characters and the scene"):
    """Commands for assets."""

    kinds = (TraitKind.ASSET,)

    @app_commands.command(description="Make an asset; players pay 1 PP for a d6")
    @app_commands.describe(
        what="Its name",
        who="The owner. Default: your character",
        die="The die. Default: d6",
        pay="Pay 1 PP for the asset",
        session="Keep the asset until the session ends, for 2 PP, if the settings allow it",
    )
    async def add(
        self,
        interaction: Interaction,
        what: LabelText,
        who: WhoOrScene | None = None,
        die: RatingText | None = None,
        pay: bool | None = None,
        session: bool = False,
    ) -> None:
        """Add an asset."""
        await self.change(
            interaction,
            lambda table, actor: traits.add_asset(
                table, actor, what=what, who=who, die=die, pay=pay, session=session
            ),
        )


class Complications(
    NamedTraits, commands.GroupCog, name="comp", description="Complications of characters and the scene"
):
    """Commands for complications."""

    kinds = (TraitKind.COMPLICATION,)

    @app_commands.command(description="Add a complication; adding it again steps it up")
    @app_commands.describe(
        what="Its name", who="The owner. Default: your character", die="The die. Default: d6"
    )
    async def add(
        self,
        interaction: Interaction,
        what: LabelText,
        who: WhoOrScene | None = None,
        die: RatingText | None = None,
    ) -> None:
        """Add a complication."""
        await self.change(
            interaction,
            lambda table, actor: traits.add(
                table, actor, kind=TraitKind.COMPLICATION, what=what, who=who, die=die
            ),
        )

    @app_commands.command(description="Roll to recover from a complication, yours or someone else's")
    @app_commands.describe(
        what="Which complication",
        dice="Your pool",
        vs="The opposition. Default: the standard opposition",
        who="Its owner",
    )
    async def recover(
        self,
        interaction: Interaction,
        what: Held,
        dice: Dice,
        vs: Versus | None = None,
        who: WhoOrScene | None = None,
    ) -> None:
        """Roll to recover from a complication; the `Apply` button carries out the result."""
        await self.change(
            interaction,
            lambda table, actor: effects.recover(
                table,
                actor,
                throw=self.play.throw,
                kinds=(TraitKind.COMPLICATION,),
                what=what,
                dice=dice,
                vs=vs,
                who=who,
            ),
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
        self, interaction: Interaction, who: Who | None = None, name: NewName = "", free: bool = False
    ) -> None:
        """Let a taken-out character stay in."""
        await self.change(interaction, lambda table, actor: traits.stay_in(table, actor, who, name, free))


class Distinctions(
    HeldTraits, commands.GroupCog, name="dist", description="Distinctions of characters and the scene"
):
    """Commands for distinctions."""

    kinds = (TraitKind.DISTINCTION,)

    @app_commands.command(description="Add a distinction")
    @app_commands.describe(
        what="Its name", who="The owner. Default: your character", die="The die. Default: d8"
    )
    async def add(
        self,
        interaction: Interaction,
        what: LabelText,
        who: WhoOrScene | None = None,
        die: RatingText | None = None,
    ) -> None:
        """Add a distinction."""
        await self.change(
            interaction,
            lambda table, actor: traits.add(
                table, actor, kind=TraitKind.DISTINCTION, what=what, who=who, die=die
            ),
        )


class StressTracks(Group, commands.GroupCog, name="stress", description="Stress and trauma of characters"):
    """Commands for stress and, with `trauma`, for trauma."""

    game = "cortex"

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
        interaction: Interaction,
        what: Track,
        who: Who | None = None,
        die: RatingText | None = None,
        trauma: bool = False,
    ) -> None:
        """Add stress."""
        await self.change(
            interaction,
            lambda table, actor: traits.add(table, actor, kind=_kind(trauma), what=what, who=who, die=die),
        )

    @app_commands.command(description="Step up stress; past d12, it takes the character out")
    @app_commands.describe(
        what="Which stress", steps="How many steps. Default: 1", who="Its owner", trauma="Trauma instead"
    )
    async def stepup(
        self,
        interaction: Interaction,
        what: Held,
        steps: int = 1,
        who: Who | None = None,
        trauma: bool = False,
    ) -> None:
        """Step up stress."""
        await self.change(
            interaction,
            lambda table, actor: traits.step_up(
                table, actor, kind=_kind(trauma), what=what, steps=steps, who=who
            ),
        )

    @app_commands.command(description="Step down stress; below d4, it's gone")
    @app_commands.describe(
        what="Which stress", steps="How many steps. Default: 1", who="Its owner", trauma="Trauma instead"
    )
    async def stepdown(
        self,
        interaction: Interaction,
        what: Held,
        steps: int = 1,
        who: Who | None = None,
        trauma: bool = False,
    ) -> None:
        """Step down stress."""
        await self.change(
            interaction,
            lambda table, actor: traits.step_down(
                table, actor, kind=_kind(trauma), what=what, steps=steps, who=who
            ),
        )

    @app_commands.command(description="Remove the stress on one track")
    @app_commands.describe(what="Which stress", who="Its owner", trauma="Trauma instead")
    async def remove(
        self, interaction: Interaction, what: Held, who: Who | None = None, trauma: bool = False
    ) -> None:
        """Remove the stress of one track."""
        await self.change(
            interaction, lambda table, actor: traits.remove(table, actor, _kind(trauma), what, who)
        )

    @app_commands.command(description="Remove all of a character's stress")
    @app_commands.describe(who="Which character. Default: yours", trauma="Trauma instead")
    async def clear(self, interaction: Interaction, who: Who | None = None, trauma: bool = False) -> None:
        """Remove all stress of a character."""
        await self.change(
            interaction, lambda table, actor: traits.clear_stress(table, actor, who, _kind(trauma))
        )

    @alone
    @app_commands.command(name="show", description="Show all stress and trauma")
    async def show_stress(self, interaction: Interaction) -> None:
        """Show all stress and trauma privately."""
        await self.show(interaction, "stress")

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
        interaction: Interaction,
        what: Held,
        dice: Dice,
        vs: Versus | None = None,
        who: Who | None = None,
        trauma: bool = False,
    ) -> None:
        """Roll to recover from stress; the `Apply` button carries out the result."""
        await self.change(
            interaction,
            lambda table, actor: effects.recover(
                table,
                actor,
                throw=self.play.throw,
                kinds=(_kind(trauma),),
                what=what,
                dice=dice,
                vs=vs,
                who=who,
            ),
        )


def _kind(trauma: bool) -> TraitKind:
    return TraitKind.TRAUMA if trauma else TraitKind.STRESS


class ResourceCommands(
    Group, commands.GroupCog, name="resource", description="Resources, each used once a scene"
):
    """Commands to use and refresh resources."""

    game = "cortex"

    @app_commands.command(description="Use a resource; it's spent until the scene ends")
    @app_commands.describe(what="Which resource", who="Which character. Default: yours")
    async def use(self, interaction: Interaction, what: Resource, who: Who | None = None) -> None:
        """Use a resource."""
        await self.change(interaction, lambda table, actor: traits.use(table, actor, what, who))

    @gms_command(description="Refresh spent resources")
    @app_commands.describe(who="Which character. Default: everyone")
    async def refresh(self, interaction: Interaction, who: Several | None = None) -> None:
        """Make used resources available again."""
        await self.change(interaction, lambda table, actor: traits.refresh(table, actor, who))
