"""`/odds`: exact chances, private until shared (R1 to R8)."""

from discord import Interaction, app_commands

from bot.apart import apart
from bot.asks.question import Pressed
from bot.cogs.base import Group, on_press
from bot.cogs.cortex.dice_options import Dice, Versus
from bot.pictures.cortex.odds import odds_chart
from bot.render.card import Card
from bot.render.cortex.odds import odds_card
from bot.side_lane import aside
from bot.ui.message import reply, say_again
from bot.ui.reach import alone, everywhere
from bot.ui.request import asked
from rules.cortex import odds
from rules.values import replace


class OddsOf(Group):
    """What a pool is good for, before it is rolled."""

    @alone
    @app_commands.command(description="Show a pool's exact chances, only to you")
    @everywhere
    @app_commands.describe(
        dice="The pool, such as 2d6 d8 or Mind + Sharp",
        vs="The opposition: a number, a difficulty, doom or dice",
        keep="How many results count. Default: 2",
    )
    async def odds(self, it: Interaction, dice: Dice, vs: Versus | None = None, keep: int = 2) -> None:
        """Every chance of a pool, to the caller alone; large pools are counted beside other commands."""
        table, actor = await self.play.look(asked(it)), asked(it).actor
        await reply(it, await _told(actor.id, await aside(actor.id, odds.ask, table, actor, dice, vs, keep)))

    @on_press("shareodds")
    async def press_share(self, it: Interaction, press: Pressed) -> None:
        """Show everybody the odds that were shown to one person."""
        await say_again(it)


async def _told(person: int, what: odds.Uncounted) -> Card:
    """The odds of what was asked, counted where nobody waits for it."""
    found = await (apart if what.takes_long else aside)(person, odds.counted, what)
    return await aside(person, charted, found)


def charted(found: odds.OddsQuestion) -> Card:
    """Odds in words, and as a chart below them."""
    return replace(odds_card(found), pictures=(odds_chart(found),))
