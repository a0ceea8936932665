"""What a roll was for, to be said or changed from its card until its session ends."""

from bot.language import say
from bot.language.line import Text
from bot.render.card import MOST_IN_ROW, Button, Field, Form
from rules.campaign.notes import LONGEST_NOTE
from rules.table import Rolled

VERB = "whatfor"
Rows = tuple[tuple[Button, ...], ...]
"""What can be pressed below a roll."""


def button(roll: Rolled) -> Button:
    """Ask what the roll was for."""
    return Button(say("What was it?"), VERB, roll.number)


def asking(rows: Rows, roll: Rolled) -> Rows:
    """The rows of a roll with that question last in the first of two that has room, also where it has a note.

    Two full rows stay as they are: whatever else can be done with the roll goes before.
    """
    main, *more = rows or ((),)
    if len(main) < MOST_IN_ROW:
        return ((*main, button(roll)), *more)
    choices, *rest = more or [()]
    return (main, (*choices, button(roll)), *rest) if len(choices) < MOST_IN_ROW else rows


def form(note: str) -> Form:
    """What the roll was for; what has been said of it stands there already."""
    field = Field(
        "note", say("What the roll was for"), note, hint=say("Example: Force the door"), longest=LONGEST_NOTE
    )
    return Form(say("What was it?"), (field,))


def headed(title: Text, roll: Rolled) -> Text:
    """The title of a form about a roll, with what it was for: whoever presses may not have rolled it."""
    return say("{title}: {note}", title=title, note=roll.note) if roll.note else title
