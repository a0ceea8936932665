"""What tests of One-Roll tables share."""

import re

from bot.loopback.reply import BotReply
from tests.game import Game

CORTEX = re.compile(
    r"\b(?:PP|plot points?|doom|hitch(?:es)?|distinctions?|complications?|assets?|stress|effect d|crisis|"
    r"d4|d6|d8|d12|SFX|Cortex|Milestones?)\b",
    re.IGNORECASE,
)
"""Words of Cortex that nobody at the table should read."""
NOT_HERE = "This table's game doesn't use {} here. Leave it out."
ROOK = {"Name": "Rook", "Sheet": "Stats: Body 3d, Mind 2d\nSkills: Fight 2d 1w, Run 1d"}


async def built(game: Game, *choices: str) -> BotReply:
    """The builder of Alice, after these choices."""
    shown = await game.alice.press(await game.says("alice: /table show"), "Roll")
    for each in choices:
        if each.startswith(("+", "-")):
            shown = await game.alice.press(shown, each)
        else:
            menu, _, option = each.partition(": ")
            shown = await game.alice.choose(shown, menu, [option])
    return shown
