"""What people are told of One-Roll: the introduction, the lines of /help, and what to use here instead."""

from collections.abc import Mapping, Sequence

from bot.language import later, say
from bot.language.line import Text
from rules.table import Table
from rules.text import Phrase, Words


def how_to_roll(table: Table) -> tuple[Text, list[Text]]:
    """Return the page of the introduction on rolls: its title and lines."""
    return say("How to roll"), [
        say("Press Roll and choose a stat and a skill. You roll the dice of both together."),
        say("Dice that show the same number are a set. 3×7 is three dice that show 7."),
        say("With no set, you fail."),
    ]


def how_sets_count(table: Table) -> tuple[Text, list[Text]]:
    """Return the page of the introduction on sets: its title and lines."""
    return say("Sets and special dice"), [
        say("The first number of a set is its width: wider is faster."),
        say("The second number is its height: higher is better."),
        say("A hard die (h) always shows 10. A wiggle die (w) shows what you choose after the roll."),
        say("The pinned table shows who acts first: the widest set, then the highest."),
    ]


HELP_LINES: Mapping[str, Sequence[str]] = {
    "without character": (later("Press **Join**. You can also `/ore roll` without a character."),),
    "playing": (
        later("Press **Roll** and choose a stat and a skill, or type: `/ore roll`"),
        later("Below the roll, **Place** wiggle dice. **Gobble** cancels dice of another's set."),
    ),
    "running": (
        later("Everyone rolls, and the pinned table shows who acts first."),
        later("When all have acted, press **Next round** on the pinned table."),
    ),
}
"""What /help says of One-Roll, by the situation of the person who asks."""


_INSTEAD: Mapping[str, str] = {
    "/roll": "/ore roll",
    "/reroll": "/undo",
    "/odds": "/ore odds",
    "/pool": "/ore roll dice:5d",
    "/turn": "/ore order",
    "/stress": "/ore hurt",
    "/comp": "/ore hurt",
    "/gmc hit": "/ore hurt",
}
"""The command to use in place of another game's, by that one's name or its first word."""
TWINS: Mapping[str, str] = {"roll": "ore roll", "odds": "ore odds"}
"""The command that takes the same `dice` as another game's, by that one's name."""


def instead(command: str) -> Phrase:
    """Return what to use in place of a command of another game, such as `/pp give`; a button has no name."""
    known = _INSTEAD.get(command) or _INSTEAD.get(command.partition(" ")[0])
    if known:
        return Words(
            "This table plays One-Roll. Use {known} instead of {command}.", command=command, known=known
        )
    if command:
        return Words("One-Roll has no {command}. To see what it has: /help", command=command)
    return Words("This table plays One-Roll now, so that button no longer works. To roll: /ore roll dice:5d")
