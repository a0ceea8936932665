"""`/safety`: the X-card, the open door, lines and veils.

Every answer is private, because Discord shows who asked for a public one. The channel is told in a message
that is no reply.
"""

from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.client.access import alone, gms_command
from bot.client.forms import open_form
from bot.client.messages import AnonymousNotices, reply
from bot.client.request import asked
from bot.cogs.base import Group, on_form, on_press, on_presses
from bot.cogs.options import BoundaryName, NewName
from bot.services.play import Play
from bot.views import safety
from bot.views.game import Rule
from bot.views.question import Fields, Pressed
from bot.views.safety import changed_card, door_card, list_card, news_card, told_card, x_card
from rules.campaign import safety as campaign_safety
from rules.facts import Boundary
from rules.values import replace

"""A line or a veil, as it is typed."""


class Safety(Group, commands.GroupCog, name="safety", description="X-card, open door, lines and veils"):
    """Safety tools, all anonymous."""

    def __init__(self, play: Play) -> None:
        super().__init__(play)
        self.anonymous = AnonymousNotices()

    @alone
    @app_commands.command(name="x-card", description="Stop and change course; nobody learns that it was you")
    async def stop(self, interaction: Interaction) -> None:
        """Ask the channel to stop."""
        await reply(interaction, told_card(await self.anonymous.tell(interaction, "xcard", x_card())))

    @alone
    @app_commands.command(name="open-door", description="Step out for a while; nobody learns that it was you")
    async def step_out(self, interaction: Interaction) -> None:
        """Tell the channel that somebody steps out."""
        await reply(interaction, told_card(await self.anonymous.tell(interaction, "opendoor", door_card())))

    @alone
    @app_commands.command(description="Keep something out of play; nobody learns that it was you")
    @app_commands.describe(what="Something that never comes up in play, such as Spiders")
    async def line(self, interaction: Interaction, what: NewName) -> None:
        """Add a line to the list."""
        await self._change(interaction, partial(campaign_safety.add, kind=Boundary.LINE, what=what))

    @alone
    @app_commands.command(description="Keep something out of sight; nobody learns that it was you")
    @app_commands.describe(what="Something that nobody describes, such as Gore")
    async def veil(self, interaction: Interaction, what: NewName) -> None:
        """Add a veil to the list."""
        await self._change(interaction, partial(campaign_safety.add, kind=Boundary.VEIL, what=what))

    @alone
    @gms_command(description="Remove a line or a veil from the list")
    @app_commands.describe(what="Which line or veil")
    async def remove(self, interaction: Interaction, what: BoundaryName) -> None:
        """Remove a line or veil."""
        await self._change(interaction, partial(campaign_safety.remove, what=what))

    @alone
    @app_commands.command(
        name="show", description="Show the lines and veils, with buttons for the X-card and the open door"
    )
    async def show_list(self, interaction: Interaction) -> None:
        """Show the list privately."""
        campaign, table = await self.play.see(asked(interaction))
        await reply(interaction, list_card(table), campaign)

    @on_press("xcard")
    async def press_stop(self, interaction: Interaction, press: Pressed) -> None:
        """Ask the channel to stop."""
        await reply(interaction, told_card(await self.anonymous.tell(interaction, press.verb, x_card())))

    @on_press("opendoor")
    async def press_step_out(self, interaction: Interaction, press: Pressed) -> None:
        """Tell the channel that somebody steps out."""
        await reply(interaction, told_card(await self.anonymous.tell(interaction, press.verb, door_card())))

    @on_presses(dict.fromkeys(safety.ADDS, ""))
    async def press_add(self, interaction: Interaction, press: Pressed) -> None:
        """Open a form to add a line or veil."""
        await self.play.look(asked(interaction, press.campaign))
        await open_form(interaction, safety.boundary_form(safety.ADDS[press.verb]), press)

    @on_form("addline")
    async def send_line(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Add a line to the list."""
        await self._send(interaction, press, fields)

    @on_form("addveil")
    async def send_veil(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Add a veil to the list."""
        await self._send(interaction, press, fields)

    async def _send(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        rule = partial(campaign_safety.add, kind=safety.ADDS[press.verb], what=fields["what"])
        await self._change(interaction, rule, press.campaign)

    async def _change(self, interaction: Interaction, rule: Rule, campaign: int = 0) -> None:
        """Change the list by nobody, tell the channel what is new, and the caller that it is done."""
        done = await self.play.change(replace(asked(interaction, campaign), is_anonymous=True), rule)
        untold = await self.anonymous.mention(interaction, "list", news_card(done.card.lines))
        await reply(interaction, changed_card(done.card.lines, untold))
