"""`/comp`: complications, recovery from them, and staying in (C3, C4, T5)."""

from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import SIGN, on_form, on_press
from bot.cogs.held import SteppedTraits
from bot.cogs.options import Dice, Held, Versus, Who, WhoOrScene
from bot.play import marked, marked_stay_in
from bot.render.forms import FREE, stay_in_form
from bot.ui.asked import asked
from bot.ui.buttons import Pressed
from bot.ui.forms import open_form
from bot.ui.message import answer
from rules.cortex import apply, traits
from rules.cortex.seats import is_game_master
from rules.cortex.table import Kind


class Complications(
    SteppedTraits, commands.GroupCog, name="comp", description="Complications of characters and the scene"
):
    """Complications come, step, go and are recovered from."""

    kinds = (Kind.COMPLICATION,)
    view = "comp"

    @app_commands.command(description="Add a complication; the same label again steps it up")
    @app_commands.describe(
        what="What it is called", who="Whose it is; your own if left out", die="Its die; d6 if left out"
    )
    async def add(
        self, it: Interaction, what: str, who: WhoOrScene | None = None, die: str | None = None
    ) -> None:
        """A complication comes."""
        rule = partial(traits.add, kind=Kind.COMPLICATION, what=what, who=who, die=die)
        await answer(it, await self.play.change(asked(it), rule))

    @app_commands.command(description="Roll to recover from a complication, your own or another's")
    @app_commands.describe(
        what="Which complication", dice="Your pool", vs="What opposes it, if not the usual", who="Whose"
    )
    async def recover(
        self,
        it: Interaction,
        what: Held,
        dice: Dice,
        vs: Versus | None = None,
        who: WhoOrScene | None = None,
    ) -> None:
        """Dice are rolled against the complication; `Apply` does what they come to."""
        rule = partial(
            apply.recover,
            throw=self.play.throw,
            kinds=(Kind.COMPLICATION,),
            what=what,
            dice=dice,
            vs=vs,
            who=who,
        )
        await answer(it, await self.play.change(asked(it), rule))

    @app_commands.command(
        description="Spend 1 PP to stay in after being taken out, with a new d6 complication"
    )
    @app_commands.describe(
        who="Who stays in; your own if left out",
        name="The new d6 complication",
        free="Without the PP (GM)",
    )
    async def stayin(
        self, it: Interaction, who: Who | None = None, name: str = "Trouble", free: bool = False
    ) -> None:
        """A character who was taken out stays in."""
        done = await self.play.change(asked(it), partial(traits.stay_in, who=who, name=name, free=free))
        await answer(it, done)

    @on_press("stayin", SIGN)
    async def press_stay_in(self, it: Interaction, press: Pressed) -> None:
        """Ask for the name of the new complication."""
        asking = asked(it, press.campaign)
        table = await self.play.look(asking)
        character = marked(table, press.subject)
        traits.require_taken_out(table, asking.actor, character)
        is_gms = is_game_master(table, asking.actor)
        price = "a doom die" if character.gmc else "1 PP"
        await open_form(it, stay_in_form(price, can_waive=is_gms), press)

    @on_form("stayin", SIGN)
    async def send_stay_in(self, it: Interaction, press: Pressed, fields: dict[str, str]) -> None:
        """The character stays in."""
        is_free = fields.get("What") == FREE
        rule = partial(marked_stay_in, sign=press.subject, name=fields["Name"], free=is_free)
        await answer(it, await self.play.change(asked(it, press.campaign), rule))
