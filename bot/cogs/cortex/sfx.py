"""`/sfx`."""

from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.client.access import alone
from bot.client.forms import open_form
from bot.client.messages import answer, chosen_values, reply
from bot.client.request import asked
from bot.cogs.base import Group, on_form, on_press
from bot.cogs.cortex.options import SfxName, Shut, UsedOn
from bot.cogs.options import NewName, ShortNote, TextList, TraitName, Who
from bot.views.cortex import sheet
from bot.views.question import Fields, Pressed
from rules.campaign.notes import LONGEST_NOTE
from rules.cortex import sfx_use


class SpecialEffects(Group, commands.GroupCog, name="sfx", description="SFX and limits of characters"):
    """Commands for SFX, and to recover traits that they shut down."""

    game = "cortex"

    @app_commands.command(description="Give a character an SFX or a limit")
    @app_commands.describe(
        name="Its name",
        benefit='Benefits, separated by commas: double Mind, add d6, reroll, asset d8, 1 PP; or any "words"',
        cost='Costs, separated by commas: 1 PP, down Mind, complication d8, doom d6; or any "words"',
        when="When you can use the SFX, in your own words",
        trait="The trait the SFX belongs to",
        who="Which character. Default: yours",
    )
    async def add(
        self,
        interaction: Interaction,
        name: NewName,
        benefit: TextList,
        cost: TextList | None = None,
        when: ShortNote | None = None,
        trait: TraitName | None = None,
        who: Who | None = None,
    ) -> None:
        """Add an SFX to a character."""
        await self.change(
            interaction,
            lambda table, actor: sfx_use.add(
                table, actor, name=name, benefit=benefit, cost=cost, when=when, trait=trait, who=who
            ),
        )

    @alone
    @app_commands.command(description="Add an SFX by choosing what it does, its name and its traits")
    @app_commands.describe(who="Which character. Default: yours")
    async def template(self, interaction: Interaction, who: Who | None = None) -> None:
        """Show the SFX templates privately."""
        await self._offered(interaction, 0, who)

    @on_press(sheet.OFFER)
    async def press_templates(self, interaction: Interaction, press: Pressed) -> None:
        """Show the SFX templates for one's own character."""
        await self._offered(interaction, press.campaign)

    async def _offered(self, interaction: Interaction, of: int, who: str | None = None) -> None:
        asking = asked(interaction, of)
        campaign, table = await self.play.see(asking)
        await reply(interaction, sheet.menu(table, asking.actor, who), campaign)

    @on_press(sheet.TEMPLATE, sheet.CHOSEN)
    async def press_template(self, interaction: Interaction, press: Pressed) -> None:
        """Open the chosen template as a form."""
        asking, wanted = asked(interaction, press.campaign), "".join(chosen_values(interaction))
        await open_form(
            interaction, sheet.form(await self.play.look(asking), asking.actor, press.subject, wanted), press
        )

    @on_form(sheet.TEMPLATE, sheet.CHOSEN, {"when": LONGEST_NOTE})
    async def send_template(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Add the SFX that a form describes."""
        rule = sheet.read(press.subject, fields)
        await answer(interaction, await self.play.change(asked(interaction, press.campaign), rule))

    @app_commands.command(description="Use an SFX; if it changes dice, it changes the dice of your last roll")
    @app_commands.describe(
        name="Which SFX",
        who="Which character. Default: yours",
        on="The die the SFX affects, or the target of its complication",
        what="A name for the asset or complication it makes. Default: the name of the SFX",
    )
    async def use(
        self,
        interaction: Interaction,
        name: SfxName,
        who: Who | None = None,
        on: UsedOn | None = None,
        what: NewName | None = None,
    ) -> None:
        """Use an SFX: apply its costs and benefits in one step."""
        rule = partial(sfx_use.use, throw=self.play.throw, name=name, who=who, on=on, what=what)
        await self.change(interaction, rule)

    @alone
    @app_commands.command(name="show", description="Show all SFX and shut-down traits")
    async def show_sfx(self, interaction: Interaction) -> None:
        """Show all SFX privately."""
        await self.show(interaction, "sfx")

    @app_commands.command(description="Recover a trait that an SFX has shut down")
    @app_commands.describe(what="Which trait", who="Which character. Default: yours")
    async def recover(self, interaction: Interaction, what: Shut, who: Who | None = None) -> None:
        """Recover a shut-down trait."""
        await self.change(interaction, lambda table, actor: sfx_use.recover(table, actor, what, who))

    @app_commands.command(description="Remove an SFX from a character")
    @app_commands.describe(name="Which SFX", who="Which character. Default: yours")
    async def remove(self, interaction: Interaction, name: SfxName, who: Who | None = None) -> None:
        """Remove an SFX from a character."""
        await self.change(interaction, lambda table, actor: sfx_use.remove(table, actor, name, who))
