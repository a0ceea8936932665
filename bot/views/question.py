"""A question: its button, the form that it opens, and what reads the answer."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

from bot.language import later, say
from bot.language.line import Text, spoken
from bot.language.printers import spelled
from bot.views.card import MOST_IN_ROW, Button, Field, Form, Option, Weight, mark
from bot.views.waiting import Waiting, waiting
from rules.campaign.notes import LONGEST_NOTE
from rules.campaign.seats import Actor
from rules.dice import Throw
from rules.errors import PossibleAnswer, RuleError, TooLate, Unknown
from rules.game import Step
from rules.table import Character, Rolled, Table
from rules.text import truncate

NUMBER = "[0-9]{1,9}"
"""The subject of a button: a number, or a place among dice."""
SIGN = "[0-9a-f]{8}"
"""The subject of a button: the sign of a name."""
VERSION = r"[0-9]+(?:\.[0-9]+)*"
"""The subject of a button: as what was pressed stood when it was shown."""
CHOICE = r"[0-9]{1,9}(?:\.[0-9]{1,9})*"
"""The subject of a button: several numbers, such as a total and its effect dice."""
MOST_IN_MENU = 25
"""A menu shows this many options."""
LONGEST = 100
"""A label, and what is typed into most fields, has at most this many characters."""
TYPED = "typed"
"""The option that means what is typed below."""
STALE = later("That message is out of date, perhaps from another version of the bot. Send the command again.")
"""What is said of an id or a choice that cannot be read, whoever made it."""

Rule = Callable[[Table, Actor], Step]
"""What a command asks for: a rule with its options, waiting for the table and who asks."""
_Choice = TypeVar("_Choice", bound=Enum)
_ID = re.compile(
    r"dk:(?P<verb>[a-z]+):(?P<campaign>[0-9]{1,13}):(?P<number>[0-9]{1,19})(?:\.(?P<job>[0-9]{1,19}))?"
    r":(?P<subject>.*)"
)
"""An id of ours: a campaign has 40 bits, a number is at most the id of an interaction."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a button's id says: its verb, campaign, step and subject, and the job that posted it, or 0."""

    verb: str
    campaign: int
    number: int
    subject: str
    job: int = 0

    def __str__(self) -> str:
        number = f"{self.number}.{self.job}" if self.job else f"{self.number}"
        return f"dk:{self.verb}:{self.campaign}:{number}:{self.subject}"

    @classmethod
    def read(cls, custom_id: str) -> "Pressed | None":
        """What an id says, or None if it is none of ours."""
        match = _ID.fullmatch(custom_id)
        if match is None:
            return None
        campaign, number, job = (int(match[each] or 0) for each in ("campaign", "number", "job"))
        return cls(match["verb"], campaign, number, match["subject"], job)


def button_ids(rows: Sequence[Sequence[Button]], campaign: int, job: int = 0) -> list[list[str]]:
    """The ids of buttons, row by row, each of what it does."""
    return [
        [str(Pressed(each.verb, campaign, each.number, each.subject, job)) for each in row] for row in rows
    ]


class Fields(dict[str, str]):
    """What was filled in, by the fields' keys; asking for one that the form has not raises TooLate."""

    def __missing__(self, key: str) -> str:
        raise TooLate(STALE)

    def typed(self, key: str) -> str:
        """What was typed into a field that may be left out, or be missing."""
        return self.get(key, "").strip()


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody answers: the number and the subject of what they pressed, what they filled in."""

    number: int
    subject: str
    throw: Throw
    fields: Fields = field(default_factory=Fields)


class FormRequired(RuleError):
    """A press that cannot be done at once: this form comes first."""

    def __init__(self, form: Form) -> None:
        super().__init__("A form comes first.")
        self.form = form


@dataclass(frozen=True, slots=True)
class Question:
    """What a button asks: its verb, the pattern of its subjects, its form, the rule that an answer means.

    `press` is the rule of the press itself, where there is no form; it may raise Asks. What came of it shows
    in the pressed message, or `apart`, in one of its own.
    """

    verb: str
    subject: str = ""
    form: Callable[[Table, Actor, Pressed], Form] | None = None
    press: Callable[[Answer], Rule] | None = None
    read: Callable[[Answer], Rule] | None = None
    apart: bool = False


def choice(kind: type[_Choice], text: str) -> _Choice:
    """One of a closed set of choices. Raises TooLate for any other."""
    try:
        return kind(text)
    except ValueError:
        raise TooLate(STALE) from None


def whole_number(text: str) -> int:
    """A number as an option holds it. Raises TooLate for anything else."""
    # Alone, `isdigit` is true of ² as well, of which `int` makes no number.
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise TooLate(STALE)
    return int(text)


def numbers(text: str) -> tuple[int, ...]:
    """Several numbers as a button or an option holds them: `15.8`."""
    return tuple(whole_number(part) for part in text.split("."))


def marked(table: Table, sign: str) -> Character:
    """The character with that sign. Raises Unknown when there is none."""
    found = next((c for c in table.characters.values() if mark(c.name) == sign), None)
    if found is None:
        raise Unknown("That character is no longer at the table.")
    return found


def pick(
    key: str,
    label: Text,
    options: list[Option],
    default: str = "",
    *,
    optional: bool = False,
    hint: Text = "",
) -> Field:
    """One of several options, the first unless another is likelier; 25 are the most that a menu shows.

    Discord opens no form in which two options mean the same.
    """
    shown = tuple({option.value: option for option in options}.values())[:MOST_IN_MENU]
    if not shown:
        raise TooLate("There's nothing left to choose.")
    first = "" if optional else shown[0].value
    return Field(key, label, default or first, shown, hint, required=not optional)


def how_many(count: int, default: int) -> Field:
    """So many of them at most."""
    options = [Option(str(n), str(n)) for n in range(count, 0, -1)]
    return pick("count", say("How many"), options, str(default))


def chosen_count(answer: Answer) -> int | None:
    """How many were chosen, if the form asked for it."""
    return whole_number(answer.fields["count"]) if answer.fields.get("count") else None


def cut(of: Text, most: int = LONGEST) -> str:
    """Text short enough for a label or a field."""
    return truncate(spelled(of), most)


VERB = "decide"
"""The verb of a button that answers a question."""


def answer_buttons(answers: Sequence[PossibleAnswer], number: int) -> tuple[Button, ...]:
    """The answers to a question that an interaction led to; the first is the likeliest."""
    labels = [spoken(answer.label) for answer in answers]
    return tuple(
        Button(label, VERB, number, str(place), Weight.QUIET if place else Weight.MAIN)
        for place, label in enumerate(labels)
    )


def read(subject: str, signs: tuple[str, ...]) -> str:
    """What is agreed to. Raises TooLate for an answer that was not offered."""
    if not subject.isdecimal() or len(subject) > 2 or int(subject) >= len(signs):
        raise TooLate("You can no longer choose that answer. Send the command again.")
    return signs[int(subject)]


WHAT_FOR = "whatfor"
Rows = tuple[tuple[Button, ...], ...]
"""What can be pressed below a roll."""


def what_for_button(roll: Rolled) -> Button:
    """Ask what the roll was for."""
    return Button(say("What was it?"), WHAT_FOR, roll.number)


def asking(rows: Rows, roll: Rolled) -> Rows:
    """The rows of a roll with that question last in the first of two that has room, also where it has a note.

    Two full rows stay as they are: whatever else can be done with the roll goes before.
    """
    main, *more = rows or ((),)
    if len(main) < MOST_IN_ROW:
        return ((*main, what_for_button(roll)), *more)
    choices, *rest = more or [()]
    return (main, (*choices, what_for_button(roll)), *rest) if len(choices) < MOST_IN_ROW else rows


def form(note: str) -> Form:
    """What the roll was for; what has been said of it stands there already."""
    field = Field(
        "note", say("What the roll was for"), note, hint=say("Example: Force the door"), longest=LONGEST_NOTE
    )
    return Form(say("What was it?"), (field,))


def headed(title: Text, roll: Rolled) -> Text:
    """The title of a form about a roll, with what it was for: whoever presses may not have rolled it."""
    return say("{title}: {note}", title=title, note=roll.note) if roll.note else title


def _no_buttons(table: Table) -> tuple[Button, ...]:
    return ()


def _no_sheet(table: Table, shown: Character, actor: Actor) -> tuple[Button, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class GameOffers:
    """What a game offers; of what it says nothing, it offers nothing."""

    rolls: Callable[[Table], tuple[Button, ...]] = _no_buttons
    """To roll, below the table."""
    unseen: Callable[[Table], tuple[Button, ...]] = _no_buttons
    """What not everybody sees, for who does."""
    sheet: Callable[[Table, Character, Actor], tuple[Button, ...]] = _no_sheet
    """What is done with a sheet, for who looks at it."""
    ended: Callable[[], tuple[Button, ...]] = tuple
    """What comes first where a session has ended."""
    view_of: Callable[[Table, Waiting], str] | None = None
    """The view on which something can be done that no roll shows; nothing where it is not the game's."""
    passed_over: Callable[[Table, Waiting], Rule | None] | None = None
    """Passing over whoever something waits for; None where that cannot be."""


_known: list[GameOffers] = []


def learn(*games: GameOffers) -> None:
    """Let these be the offers of the games that are played."""
    _known[:] = games


def offers() -> Sequence[GameOffers]:
    """What each game offers."""
    return _known


def below_table(table: Table) -> tuple[Button, ...]:
    """The row below the table: one's own sheet, rolls, what waits where something does, a seat."""
    count = len(waiting(table))
    waits = [Button(say("Waiting: {count}", count=count), "view", subject="waiting")] if count else []
    rolls = (button for each in _known for button in each.rolls(table))
    return (Button(say("My sheet"), "mine"), *rolls, *waits, join_button())


def join_button() -> Button:
    """Begin to play somebody."""
    return Button(say("Join"), "join")
