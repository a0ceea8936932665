"""What things are called: pools, stretches of play, reasons, verdicts. Nothing reads these words back."""

from bot.language import later, say, say_of
from bot.language.line import Text, together
from bot.render.kinds import STRETCHES
from rules.facts import Stretch

NOBODY = later("nobody")
UNNAMED = later("This table")
"""What a campaign is called that has no name."""


def lost_words(number: int, count: int) -> Text:
    """That the last steps up to that number cannot be read any more."""
    lost = say_of(
        count,
        "Step {number} can't be read any more.",
        "The last {count} steps can't be read any more.",
        number=number,
    )
    last = number - count
    now = (
        say("The table is now as it was after step {number}.", number=last)
        if last
        else say("The table starts over from the beginning.")
    )
    return together(lost, " ", now)


def stretch_words(what: Stretch, number: int, name: str = "") -> Text:
    """A stretch of play: `Session 2`, `Scene The docks`; a scene without a name of its own has its number."""
    word = what.capitalize()
    if name in ("", f"{word} {number}"):
        return say(STRETCHES[what], which=number)
    return name if name.startswith(word) else say(STRETCHES[what], which=name)
