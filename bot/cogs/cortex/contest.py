"""`/contest`: two sides roll against each other until one gives in or fails (T4)."""

from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.cortex.dice_options import Dice
from bot.cogs.cortex.options import Rival
from bot.cogs.options import Who
from bot.ui.message import answer
from bot.ui.reach import alone
from bot.ui.request import asked
from rules.cortex import contest
from rules.cortex.model import CORTEX


class Contests(Group, commands.GroupCog, name="contest", description="Contests: roll against each other"):
    """Contests go back and forth, over days if need be."""

    @app_commands.command(description="Start a contest: your roll sets the difficulty")
    @app_commands.describe(
        dice="Your pool",
        against="Your opponent. Default: the only other character",
        note="What it's about",
        who="Which character starts the contest. Default: yours",
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
        await self.change(
            it, contest.start, throw=self.play.throw, dice=dice, against=against, note=note, who=who
        )

    @app_commands.command(name="answer", description="Answer in a contest: beat the other side's total")
    @app_commands.describe(dice="Your pool", against="The other side, to say which contest you mean")
    async def answer_contest(self, it: Interaction, dice: Dice, against: Rival | None = None) -> None:
        """The other side rolls."""
        await self._answer(it, dice, await self._meant(it, against))

    @app_commands.command(description="Escalate a contest: roll again against the total that beat you")
    @app_commands.describe(
        dice="Your pool, the same or a different one", against="The other side, to say which contest you mean"
    )
    async def escalate(self, it: Interaction, dice: Dice, against: Rival | None = None) -> None:
        """The beaten side rolls again."""
        await self._answer(it, dice, await self._meant(it, against))

    @app_commands.command(description="Give in to the other side of a contest; as a player, you get 1 PP")
    @app_commands.describe(against="The other side, to say which contest you mean")
    async def givein(self, it: Interaction, against: Rival | None = None) -> None:
        """The other side wins."""
        number, seen = await self._meant(it, against)
        await self.change(it, contest.give_in, number=number, seen=seen)

    @alone
    @app_commands.command(name="show", description="Show the contests")
    async def show_contests(self, it: Interaction) -> None:
        """All contests, to the caller alone."""
        await self.show(it, "contest")

    async def _meant(self, it: Interaction, against: str | None) -> tuple[int, int]:
        """The contest and the roll that a command answers, as its caller sees them now."""
        asking = asked(it)
        table = await self.play.look(asking)
        number = contest.which(table, asking.actor, against)
        return number, CORTEX.of(table).contests[number].roll

    async def _answer(self, it: Interaction, dice: str, meant: tuple[int, int], campaign: int = 0) -> None:
        """Roll the answer to that roll of a contest; to no other, should somebody be quicker."""
        rule = partial(contest.answer, throw=self.play.throw, dice=dice, number=meant[0], seen=meant[1])
        await answer(it, await self.play.change(asked(it, campaign), rule))
