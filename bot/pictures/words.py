"""Words that say what a picture shows, no longer than Discord takes them."""

from bot.language import say

LONGEST = 1024
"""Characters that Discord takes for the words of a picture."""


def fitting(*tellings: str) -> str:
    """The first telling that is short enough; if none is, the last one, which then says that it is cut."""
    for telling in tellings:
        if len(telling) <= LONGEST:
            return telling
    end = say("(cut)")
    return f"{tellings[-1][: LONGEST - len(end) - 1].rstrip()} {end}"


def percent(chance: float) -> str:
    """A chance as it is read: `8.3%`."""
    return f"{100 * chance:.1f}%"
