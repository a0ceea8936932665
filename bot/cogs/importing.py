"""What is chosen in the preview of a file."""

from discord import Interaction

from bot.asks.question import Pressed
from bot.tell import Done
from bot.ui.menus import chosen
from bot.ui.request import asked
from bot.use.foreign import OPEN, WHO
from bot.use.importing import AS, Files

NUMBER = "[0-9]{1,19}"
"""The subject of a menu: by which number the file waits."""
NUMBERS = r"[0-9]{1,19}\.[0-9]{1,2}"
"""The same of one of several menus, with its place."""
_ABOUT = {"who": WHO, "set": OPEN, "as": AS}


async def chose(it: Interaction, files: Files, press: Pressed, verb: str) -> Done:
    """The preview with what was chosen in the pressed menu."""
    number = int(press.subject.partition(".")[0])
    about = _ABOUT[press.verb.removeprefix(verb)]
    return await files.choose(asked(it, press.campaign), number, about, "".join(chosen(it)))
