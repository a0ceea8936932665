"""What things are called: pools, stretches of play, reasons, verdicts. Nothing reads these words back."""

from bot.language import later, say, say_of
from bot.render.kinds import CAUSES, FOES, RESULTS, STRETCHES
from rules.causes import Stretch
from rules.cortex.state.causes import Called, Why
from rules.cortex.state.kinds import Result, Verdict
from rules.cortex.state.table import Against
from rules.cortex.traits import doom

NOBODY = later("nobody")
UNNAMED = later("This table")
"""What a campaign is called that has no name."""


def lost_words(number: int, count: int) -> str:
    """That the last steps up to that number cannot be read any more."""
    lost = say_of(
        count,
        "Step {number} cannot be read any more.",
        "The last {count} steps cannot be read any more.",
        number=number,
    )
    last = number - count
    now = (
        say("The table is as it was after step {number}.", number=last)
        if last
        else say("The table begins anew.")
    )
    return f"{lost} {now}"


def verdict_words(how: Verdict) -> str:
    """How a roll went: `vs 11: success by 3`."""
    words = RESULTS[how.result]
    if how.margin and words.by:
        return say(words.by, difficulty=how.difficulty, margin=how.margin)
    return say(words.against, difficulty=how.difficulty)


def result_word(result: Result) -> str:
    """How a roll would go, in a word: `heroic`."""
    return say(RESULTS[result].word)


def answer_words(waiting: str, leader: str, total: int) -> str:
    """Who is to answer whom in a contest, and what with (T4)."""
    return say(
        "{who} is to answer {leader}: beat {total}, or give in.", who=waiting, leader=leader, total=total
    )


def called(pool: Called) -> str:
    """What a pool of the GM is called: `Doom pool`, `Crisis Fire`, `Rex`."""
    return say(FOES[pool.foe].title, name=pool.name)


def against_words(against: Against) -> str:
    """What is against a roll, as it is called."""
    return say(against.label) if against.label == doom.NAME else against.label


def stretch_words(what: Stretch, number: int, name: str = "") -> str:
    """A stretch of play: `Session 2`, `Scene The docks`; a scene without a name of its own has its number."""
    word = what.capitalize()
    if name in ("", f"{word} {number}"):
        return say(STRETCHES[what], which=number)
    return name if name.startswith(word) else say(STRETCHES[what], which=name)


def why_words(why: Why) -> str:
    """Why something changed."""
    return CAUSES[why.cause](why)
