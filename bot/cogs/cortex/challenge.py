"""`/challenge` and `/contest`."""

from functools import partial

from discord import Interaction, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.client.access import alone, gms_command
from bot.client.messages import answer
from bot.client.request import asked
from bot.cogs.base import Group
from bot.cogs.cortex.gm_pools import rolling, which
from bot.cogs.cortex.options import ChallengeDie, ChallengeName, Dice, DiceText, NextInChallenge, Rival
from bot.cogs.options import Absent, NewName, Several, ShortNote, Who
from bot.views.cortex.table import challenge_view
from rules.cortex import challenge, contest, gm_pools, gmc
from rules.cortex.challenge import ChallengeAct
from rules.cortex.kinds import Foe
from rules.cortex.model import CORTEX
from rules.cortex.pool_words import DIFFICULTIES

_ACTS = [
    Choice(name="target: act against someone", value=ChallengeAct.TARGET.value),
    Choice(name="stepup: step up one of its dice", value=ChallengeAct.STEP_UP.value),
    Choice(name="add: add a d6", value=ChallengeAct.ADD.value),
]
_WHICH = which(Foe.CHALLENGE)
_DIFFICULTIES = ", ".join(DIFFICULTIES)


class Challenges(
    Group, commands.GroupCog, name="challenge", description="Challenges: troubles that take rounds"
):
    """Commands to start and run challenges."""

    game = "cortex"

    @gms_command(description="Start a challenge")
    @app_commands.describe(
        name="Its name",
        difficulty=f"{_DIFFICULTIES}, or dice such as 2d8. Default: challenging",
        extra="0 to 3 extra dice of the same size",
        rounds="Rounds until the challenge is lost. Default: no limit",
        absent="Characters not taking part, separated by commas",
    )
    async def new(
        self,
        interaction: Interaction,
        name: NewName,
        difficulty: DiceText | None = None,
        extra: int = 0,
        rounds: int = 0,
        absent: Absent | None = None,
    ) -> None:
        """Start a challenge."""
        await self.change(
            interaction,
            lambda table, actor: challenge.new(
                table, actor, name=name, difficulty=difficulty, extra=extra, rounds=rounds, absent=absent
            ),
        )

    @alone
    @app_commands.command(name="show", description="Show the challenges and whose turn it is")
    @app_commands.describe(name="Which challenge. Default: all of them")
    async def show_challenges(self, interaction: Interaction, name: ChallengeName | None = None) -> None:
        """Show all challenges or one privately."""
        table = await self.play.look(asked(interaction))
        await self.show(interaction, challenge_view(table, name))

    @gms_command(description="Choose who acts first in this round")
    @app_commands.describe(who="The character to act first", name=_WHICH)
    async def first(
        self, interaction: Interaction, who: NextInChallenge, name: ChallengeName | None = None
    ) -> None:
        """Name who has the first turn in a challenge."""
        await self.change(interaction, lambda table, actor: challenge.first(table, actor, who, name))

    @app_commands.command(description="Choose who acts next, if you acted last or are the GM")
    @app_commands.describe(who="The character to act next", name=_WHICH)
    async def next(
        self, interaction: Interaction, who: NextInChallenge, name: ChallengeName | None = None
    ) -> None:
        """Pass the turn to the next character."""
        await self.change(interaction, lambda table, actor: challenge.hand_on(table, actor, who, name))

    @gms_command(description="Skip someone this round")
    @app_commands.describe(who="The character to skip", name=_WHICH)
    async def skip(
        self, interaction: Interaction, who: NextInChallenge, name: ChallengeName | None = None
    ) -> None:
        """Skip a character's turn in this round."""
        await self.change(interaction, lambda table, actor: challenge.skip(table, actor, who, name))

    @gms_command(description="Roll a challenge as the opposition")
    @rolling(name=_WHICH)
    async def roll(
        self,
        interaction: Interaction,
        name: ChallengeName | None = None,
        with_: DiceText | None = None,
        keep: int = 2,
        on: Several | None = None,
    ) -> None:
        """Roll a challenge publicly."""
        await self.change(
            interaction,
            lambda table, actor: gmc.roll_pool(
                table,
                actor,
                throw=self.play.throw,
                foe=Foe.CHALLENGE,
                name=name,
                with_=with_,
                keep=keep,
                on=on,
            ),
        )

    @gms_command(description="Let a challenge act after everyone else")
    @app_commands.choices(what=_ACTS)
    @app_commands.describe(
        what="What it does",
        who="The character the challenge acts against",
        name=_WHICH,
        die="The die to step up. Default: the smallest",
    )
    async def act(
        self,
        interaction: Interaction,
        what: str,
        who: Who | None = None,
        name: ChallengeName | None = None,
        die: ChallengeDie | None = None,
    ) -> None:
        """Take the challenge's own turn."""
        await self.change(
            interaction,
            lambda table, actor: challenge.act(
                table, actor, what=ChallengeAct(what), who=who, die=die, name=name
            ),
        )

    @gms_command(description="Add dice to a challenge by hand")
    @app_commands.describe(dice="Dice, such as d6 or 2d8", name=_WHICH)
    async def add(self, interaction: Interaction, dice: DiceText, name: ChallengeName | None = None) -> None:
        """Add dice to a challenge."""
        await self.change(
            interaction, lambda table, actor: gm_pools.add(table, actor, Foe.CHALLENGE, dice, name)
        )

    @gms_command(description="Remove dice from a challenge by hand; with none left, it's won")
    @app_commands.describe(dice="Dice from the pool, such as d6 or 2d8", name=_WHICH)
    async def remove(
        self, interaction: Interaction, dice: ChallengeDie, name: ChallengeName | None = None
    ) -> None:
        """Remove dice from a challenge."""
        await self.change(
            interaction, lambda table, actor: gm_pools.remove(table, actor, Foe.CHALLENGE, dice, name)
        )

    @gms_command(description="End a challenge without winning or losing it")
    @app_commands.describe(name=_WHICH)
    async def end(self, interaction: Interaction, name: ChallengeName | None = None) -> None:
        """End a challenge."""
        await self.change(interaction, lambda table, actor: gm_pools.end(table, actor, Foe.CHALLENGE, name))


class Contests(Group, commands.GroupCog, name="contest", description="Contests: roll against each other"):
    """Commands for contests, which may go on for days."""

    game = "cortex"

    @app_commands.command(description="Start a contest: your roll sets the difficulty")
    @app_commands.describe(
        dice="Your pool",
        against="Your opponent. Default: the only other character",
        note="What it's about",
        who="Which character starts the contest. Default: yours",
    )
    async def start(
        self,
        interaction: Interaction,
        dice: Dice,
        against: Rival | None = None,
        note: ShortNote | None = None,
        who: Who | None = None,
    ) -> None:
        """Start a contest; the initiator's roll sets the difficulty."""
        await self.change(
            interaction,
            lambda table, actor: contest.start(
                table, actor, throw=self.play.throw, dice=dice, against=against, note=note, who=who
            ),
        )

    @app_commands.command(name="answer", description="Answer in a contest: beat the other side's total")
    @app_commands.describe(dice="Your pool", against="The other side, to say which contest you mean")
    async def answer_contest(
        self, interaction: Interaction, dice: Dice, against: Rival | None = None
    ) -> None:
        """Roll for the side that has to answer."""
        await self._answer(interaction, dice, await self._meant(interaction, against))

    @app_commands.command(description="Escalate a contest: roll again against the total that beat you")
    @app_commands.describe(
        dice="Your pool, the same or a different one", against="The other side, to say which contest you mean"
    )
    async def escalate(self, interaction: Interaction, dice: Dice, against: Rival | None = None) -> None:
        """Roll again for the side that was beaten."""
        await self._answer(interaction, dice, await self._meant(interaction, against))

    @app_commands.command(description="Give in to the other side of a contest; as a player, you get 1 PP")
    @app_commands.describe(against="The other side, to say which contest you mean")
    async def givein(self, interaction: Interaction, against: Rival | None = None) -> None:
        """Give in, so that the other side wins."""
        number, seen = await self._meant(interaction, against)
        await self.change(
            interaction, lambda table, actor: contest.give_in(table, actor, number=number, seen=seen)
        )

    @alone
    @app_commands.command(name="show", description="Show the contests")
    async def show_contests(self, interaction: Interaction) -> None:
        """Show all contests privately."""
        await self.show(interaction, "contest")

    async def _meant(self, interaction: Interaction, against: str | None) -> tuple[int, int]:
        """The contest and the roll that a command answers, as its caller sees them now."""
        asking = asked(interaction)
        table = await self.play.look(asking)
        number = contest.which(table, asking.actor, against)
        return number, CORTEX.of(table).contests[number].roll

    async def _answer(
        self, interaction: Interaction, dice: str, meant: tuple[int, int], campaign: int = 0
    ) -> None:
        """Roll the answer to that roll of a contest; to no other, should somebody be quicker."""
        rule = partial(contest.answer, throw=self.play.throw, dice=dice, number=meant[0], seen=meant[1])
        await answer(interaction, await self.play.change(asked(interaction, campaign), rule))
