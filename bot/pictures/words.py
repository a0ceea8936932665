"""Words that say what a picture shows, no longer than Discord takes them."""

from bot.language import say
from bot.language.line import Text
from bot.language.printers import spelled

LONGEST = 1024
"""Characters that Discord takes for the words of a picture."""


def fitting(*tellings: Text) -> str:
    """The first telling that is short enough; if none is, the last one, which then says that it is cut."""
    for telling in map(spelled, tellings):
        if len(telling) <= LONGEST:
            return telling
    end = spelled(say("(cut)"))
    return f"{telling[: LONGEST - len(end) - 1].rstrip()} {end}"


def percent(chance: float) -> str:
    """A chance as it is read: `8.3%`."""
    return f"{100 * chance:.1f}%"
