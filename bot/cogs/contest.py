"""`/contest`: two sides roll against each other until one gives in or fails (T4)."""

from collections.abc import Mapping
from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group, on_form, on_press
from bot.cogs.options import Dice, Rival, Who
from bot.render.foe_forms import pool_form
from bot.ui.asked import asked
from bot.ui.buttons import Pressed
from bot.ui.forms import open_form
from bot.ui.message import answer
from rules.cortex import contest


class Contests(Group, commands.GroupCog, name="contest", description="Contests: roll against each other"):
    """Contests go back and forth, over days if need be."""

    @app_commands.command(description="Begin a contest: your roll sets the difficulty")
    @app_commands.describe(
        dice="Your pool",
        against="Against whom; the only other character if left out",
        note="What it is about",
        who="Who begins it; your own character if left out",
    )
    async def start(
        self,
        it: Interaction,
        dice: Dice,
        against: Rival | None = None,
        note: str | None = None,
        who: Who | None = None,
    ) -> None:
        """The initiator's roll sets the difficulty."""
        rule = partial(contest.start, throw=self.play.throw, dice=dice, against=against, note=note, who=who)
        await answer(it, await self.play.change(asked(it), rule))

    @app_commands.command(description="Answer in a contest: beat the other side's total")
    @app_commands.describe(dice="Your pool", against="Which contest, by the other side")
    async def answer(self, it: Interaction, dice: Dice, against: Rival | None = None) -> None:
        """The other side rolls."""
        rule = partial(contest.answer, throw=self.play.throw, dice=dice, against=against)
        await answer(it, await self.play.change(asked(it), rule))

    @app_commands.command(description="Escalate a contest: roll again, against the total that beat you")
    @app_commands.describe(dice="Your pool, any you like", against="Which contest, by the other side")
    async def escalate(self, it: Interaction, dice: Dice, against: Rival | None = None) -> None:
        """The beaten side rolls again."""
        rule = partial(contest.answer, throw=self.play.throw, dice=dice, against=against)
        await answer(it, await self.play.change(asked(it), rule))

    @app_commands.command(description="Give in in a contest; a player gets 1 PP")
    @app_commands.describe(against="Which contest, by the other side")
    async def givein(self, it: Interaction, against: Rival | None = None) -> None:
        """The other side wins."""
        await answer(it, await self.play.change(asked(it), partial(contest.give_in, against=against)))

    @app_commands.command(name="show", description="Look at the contests")
    async def show_contests(self, it: Interaction) -> None:
        """All contests, to the caller alone."""
        await self.show(it, "contest")

    @on_press("answer")
    async def press_answer(self, it: Interaction, press: Pressed) -> None:
        """Ask for the pool to answer with."""
        asking = asked(it, press.campaign)
        table = await self.play.look(asking)
        going = contest.require_waiting(table, asking.actor, int(press.subject), press.number)
        await open_form(it, pool_form(table, asking.actor, going.sides[going.leader], going.waiting), press)

    @on_form("answer")
    async def send_answer(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """The answer is rolled."""
        rule = partial(contest.answer, throw=self.play.throw, dice=fields["Dice"])
        rule = partial(rule, number=int(press.subject), seen=press.number)
        await answer(it, await self.play.change(asked(it, press.campaign), rule))

    @on_press("givein")
    async def press_give_in(self, it: Interaction, press: Pressed) -> None:
        """Give in."""
        rule = partial(contest.give_in, number=int(press.subject), seen=press.number)
        await answer(it, await self.play.change(asked(it, press.campaign), rule))
