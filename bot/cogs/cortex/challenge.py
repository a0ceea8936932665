"""`/challenge`: troubles that take rounds, with handoff and a turn of their own (L1 to L6)."""

from functools import partial

from discord import Interaction, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.asks.cortex.views import challenge_view
from bot.cogs.base import Group
from bot.cogs.cortex.dice_options import ChallengeDie, ChallengeName
from bot.cogs.cortex.gm_pool import rolling, which
from bot.cogs.cortex.options import NextInChallenge
from bot.cogs.options import Absent, Several, Who
from bot.ui.reach import alone, gms_command
from bot.ui.request import asked
from rules.cortex import challenge, gm_pools, gmc
from rules.cortex.challenge import ChallengeAct
from rules.cortex.kinds import Foe
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
    """Challenges begin, turns are handed on, the challenge acts, and it is won or lost."""

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
        it: Interaction,
        name: str,
        difficulty: str | None = None,
        extra: int = 0,
        rounds: int = 0,
        absent: Absent | None = None,
    ) -> None:
        """A challenge is there."""
        await self.change(
            it, challenge.new, name=name, difficulty=difficulty, extra=extra, rounds=rounds, absent=absent
        )

    @alone
    @app_commands.command(name="show", description="Show the challenges and whose turn it is")
    @app_commands.describe(name="Which challenge. Default: all of them")
    async def show_challenges(self, it: Interaction, name: ChallengeName | None = None) -> None:
        """All challenges or one of them, to the caller alone."""
        table = await self.play.look(asked(it))
        await self.show(it, challenge_view(table, name))

    @gms_command(description="Choose who acts first in this round")
    @app_commands.describe(who="The character to act first", name=_WHICH)
    async def first(self, it: Interaction, who: NextInChallenge, name: ChallengeName | None = None) -> None:
        """Somebody has the first turn."""
        await self.change(it, challenge.first, who=who, name=name)

    @app_commands.command(description="Choose who acts next, if you acted last or are the GM")
    @app_commands.describe(who="The character to act next", name=_WHICH)
    async def next(self, it: Interaction, who: NextInChallenge, name: ChallengeName | None = None) -> None:
        """The turn is handed on."""
        await self.change(it, challenge.hand_on, who=who, name=name)

    @gms_command(description="Skip someone this round")
    @app_commands.describe(who="The character to skip", name=_WHICH)
    async def skip(self, it: Interaction, who: NextInChallenge, name: ChallengeName | None = None) -> None:
        """Somebody has no turn in this round."""
        await self.change(it, challenge.skip, who=who, name=name)

    @gms_command(description="Roll a challenge as the opposition")
    @rolling(name=_WHICH)
    async def roll(
        self,
        it: Interaction,
        name: ChallengeName | None = None,
        with_: str | None = None,
        keep: int = 2,
        on: Several | None = None,
    ) -> None:
        """A challenge is rolled in the open."""
        pool = partial(gmc.roll_pool, throw=self.play.throw, foe=Foe.CHALLENGE, name=name)
        await self.change(it, pool, with_=with_, keep=keep, on=on)

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
        it: Interaction,
        what: str,
        who: Who | None = None,
        name: ChallengeName | None = None,
        die: ChallengeDie | None = None,
    ) -> None:
        """The challenge's own turn."""
        await self.change(it, challenge.act, what=ChallengeAct(what), who=who, die=die, name=name)

    @gms_command(description="Add dice to a challenge by hand")
    @app_commands.describe(dice="Dice, such as d6 or 2d8", name=_WHICH)
    async def add(self, it: Interaction, dice: str, name: ChallengeName | None = None) -> None:
        """Dice join a challenge."""
        await self.change(it, gm_pools.add, foe=Foe.CHALLENGE, name=name, dice=dice)

    @gms_command(description="Remove dice from a challenge by hand; with none left, it's won")
    @app_commands.describe(dice="Dice from the pool, such as d6 or 2d8", name=_WHICH)
    async def remove(self, it: Interaction, dice: ChallengeDie, name: ChallengeName | None = None) -> None:
        """Dice leave a challenge."""
        await self.change(it, gm_pools.remove, foe=Foe.CHALLENGE, name=name, dice=dice)

    @gms_command(description="End a challenge without winning or losing it")
    @app_commands.describe(name=_WHICH)
    async def end(self, it: Interaction, name: ChallengeName | None = None) -> None:
        """A challenge is over."""
        await self.change(it, gm_pools.end, foe=Foe.CHALLENGE, name=name)
