"""`/sfx`: special effects and limits of characters (X1)."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.asks.cortex import sfx_template
from bot.asks.question import Fields, Pressed
from bot.cogs.base import Group, on_form, on_press
from bot.cogs.cortex.options import Lasting, SfxName, Shut, UsedOn
from bot.cogs.options import Who
from bot.ui.forms import open_form
from bot.ui.menus import chosen
from bot.ui.message import answer, reply
from bot.ui.reach import alone
from bot.ui.request import asked
from rules.cortex import sfx_use


class SpecialEffects(Group, commands.GroupCog, name="sfx", description="SFX and limits of characters"):
    """SFX are added, used and removed; what they shut down is recovered."""

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
        it: Interaction,
        name: str,
        benefit: str,
        cost: str | None = None,
        when: str | None = None,
        trait: Lasting | None = None,
        who: Who | None = None,
    ) -> None:
        """A character has an SFX more."""
        await self.change(
            it, sfx_use.add, name=name, benefit=benefit, cost=cost, when=when, trait=trait, who=who
        )

    @alone
    @app_commands.command(description="Add an SFX by choosing what it does, its name and its traits")
    @app_commands.describe(who="Which character. Default: yours")
    async def template(self, it: Interaction, who: Who | None = None) -> None:
        """The templates of SFX, to the caller alone."""
        await self._offered(it, 0, who)

    @on_press(sfx_template.OFFER)
    async def press_templates(self, it: Interaction, press: Pressed) -> None:
        """The templates of SFX for one's own character."""
        await self._offered(it, press.campaign)

    async def _offered(self, it: Interaction, of: int, who: str | None = None) -> None:
        asking = asked(it, of)
        campaign, table = await self.play.see(asking)
        await reply(it, sfx_template.menu(table, asking.actor, who), campaign)

    @on_press(sfx_template.VERB, sfx_template.CHOSEN)
    async def press_template(self, it: Interaction, press: Pressed) -> None:
        """The template that was chosen opens as a form."""
        asking, wanted = asked(it, press.campaign), "".join(chosen(it))
        await open_form(
            it, sfx_template.form(await self.play.look(asking), asking.actor, press.subject, wanted), press
        )

    @on_form(sfx_template.VERB, sfx_template.CHOSEN)
    async def send_template(self, it: Interaction, press: Pressed, fields: Fields) -> None:
        """A character has the SFX that the form describes."""
        rule = sfx_template.read(press.subject, fields)
        await answer(it, await self.play.change(asked(it, press.campaign), rule))

    @app_commands.command(description="Use an SFX; if it changes dice, it changes the dice of your last roll")
    @app_commands.describe(
        name="Which SFX",
        who="Which character. Default: yours",
        on="The die the SFX affects, or the target of its complication",
    )
    async def use(
        self, it: Interaction, name: SfxName, who: Who | None = None, on: UsedOn | None = None
    ) -> None:
        """The costs and benefits of an SFX, all in one go."""
        await self.change(it, sfx_use.use, throw=self.play.throw, name=name, who=who, on=on)

    @alone
    @app_commands.command(name="show", description="Show all SFX and shut-down traits")
    async def show_sfx(self, it: Interaction) -> None:
        """All SFX, to the caller alone."""
        await self.show(it, "sfx")

    @app_commands.command(description="Recover a trait that an SFX has shut down")
    @app_commands.describe(what="Which trait", who="Which character. Default: yours")
    async def recover(self, it: Interaction, what: Shut, who: Who | None = None) -> None:
        """A trait works again."""
        await self.change(it, sfx_use.recover, what=what, who=who)

    @app_commands.command(description="Remove an SFX from a character")
    @app_commands.describe(name="Which SFX", who="Which character. Default: yours")
    async def remove(self, it: Interaction, name: SfxName, who: Who | None = None) -> None:
        """A character has an SFX less."""
        await self.change(it, sfx_use.remove, name=name, who=who)
