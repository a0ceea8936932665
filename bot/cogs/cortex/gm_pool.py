"""What the commands of the GM's pools say alike: which pool is meant, a roll of it, what its dice buy."""

from collections.abc import Callable
from typing import TypeVar

from discord import Interaction, app_commands
from discord.app_commands import Choice

from bot.cogs.base import Group
from bot.language.line import spoken
from bot.render.card import private
from bot.ui.message import reply
from bot.ui.request import asked
from rules.cortex import doom
from rules.cortex.kinds import Foe, Use

_USES = [Choice(name=use.value, value=use.value) for use in Use]
MADE = "The name of what you make; for an extra with its trait, such as Thug: Brawler"
_Method = TypeVar("_Method", bound=Callable[..., object])


def which(foe: Foe) -> str:
    """Which of several pools of a kind."""
    return f"Which {foe}. Default: the only one"


async def tell_prices(group: Group, it: Interaction, foe: Foe) -> None:
    """Tell the caller what dice of such a pool buy, with the words of the table (M4, M5, K4, N1)."""
    await group.play.look(asked(it))
    await reply(it, private(*map(spoken, doom.price_list(foe))))


def rolling(**dice: str) -> Callable[[_Method], _Method]:
    """Say what the options of a roll are for, those that say of which dice as told here."""

    def told(method: _Method) -> _Method:
        described = app_commands.describe(
            **dice,
            with_="Anything else in the way, such as Rain d8",
            keep="How many results count. Default: 2",
            on="The characters the roll concerns",
        )
        return app_commands.rename(with_="with")(described(method))

    return told


def spending(**made: str) -> Callable[[_Method], _Method]:
    """Say what the options are for by which dice buy something, those that say for what as told here."""

    def told(method: _Method) -> _Method:
        described = app_commands.describe(
            **made,
            dice="The dice to spend. Default: the smallest that will do",
            for_="What it's for",
            on="The target: a character, several, all or scene",
            keep_for_pp="Keep the dice, and give each target 1 PP instead",
        )
        return app_commands.rename(for_="for")(app_commands.choices(for_=_USES)(described(method)))

    return told


def stepping(first: str, **pool: str) -> Callable[[_Method], _Method]:
    """Say what the options of a step are for; `first` is the die that steps where none is named."""
    return app_commands.describe(
        **pool, die=f"Which die. Default: the {first}", steps="How many steps. Default: 1"
    )
