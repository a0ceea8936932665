"""Questions: a button, the form that it opens, and the code that reads the answer."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

from bot.language import later, say
from bot.language.line import Text, spoken
from bot.language.printers import spelled
from bot.views.card import MOST_IN_ROW, Button, Field, Form, Option, Weight, mark
from bot.views.game import SHOWN, Rule
from bot.views.waiting import waiting
from rules.campaign.seats import Actor
from rules.dice import Throw
from rules.errors import PossibleAnswer, RuleError, TooLate, Unknown, Unreadable
from rules.table import Character, Rolled, Table
from rules.text import shorten, truncate

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
"""A label, an id, and what is typed into most fields, has at most this many characters."""
LONGEST_LIST = 1000
"""A list of names, or of other short texts, has at most this many."""
TYPED = "typed"
"""The option that means what is typed below."""
STALE = later("That message is out of date, perhaps from another version of the bot. Send the command again.")
"""What is said of an id or a choice that cannot be read, whoever made it."""

_Choice = TypeVar("_Choice", bound=Enum)
_ID = re.compile(
    r"dk:(?P<verb>[a-z]+):(?P<campaign>[0-9]{1,13}):(?P<number>[0-9]{1,19})(?:\.(?P<job>[0-9]{1,19}))?"
    r":(?P<subject>.*)"
)
"""An id of ours: a campaign has 40 bits, a number is at most the id of an interaction."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """The content of a button's id: verb, campaign, step, subject, and the job that posted it, or 0."""

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
        """Parse a button's id; None if it isn't one of ours."""
        match = _ID.fullmatch(custom_id) if len(custom_id) <= LONGEST else None
        if match is None:
            return None
        campaign, number, job = (int(match[each] or 0) for each in ("campaign", "number", "job"))
        return cls(match["verb"], campaign, number, match["subject"], job)


def button_ids(rows: Sequence[Sequence[Button]], campaign: int, job: int = 0) -> list[list[str]]:
    """Return the ids of buttons, row by row."""
    return [
        [str(Pressed(each.verb, campaign, each.number, each.subject, job)) for each in row] for row in rows
    ]


class Fields(dict[str, str]):
    """The input of a form, by field key; a missing key raises TooLate."""

    def __missing__(self, key: str) -> str:
        raise TooLate(STALE)

    def typed(self, key: str) -> str:
        """Return the input of an optional field, "" if it is missing."""
        return self.get(key, "").strip()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: the number and subject of the pressed button, and the form's input."""

    number: int
    subject: str
    throw: Throw
    fields: Fields = field(default_factory=Fields)


class FormRequired(RuleError):
    """Raised by a press that needs more input: this form must be filled in first."""

    def __init__(self, form: Form) -> None:
        super().__init__("A form comes first.")
        self.form = form


@dataclass(frozen=True, slots=True)
class Question:
    """What a button asks: its verb, the pattern of its subjects, its form, and the rule for an answer.

    `press` is the rule for the press itself if there is no form; it may raise FormRequired. The result is
    shown in the pressed message, or with `apart` in a new one. `longest` has the most characters that can be
    typed into fields of its form, by key; "" stands for all others, which have 100 if it is left out.
    """

    verb: str
    subject: str = ""
    form: Callable[[Table, Actor, Pressed], Form] | None = None
    press: Callable[[Answer], Rule] | None = None
    read: Callable[[Answer], Rule] | None = None
    apart: bool = False
    longest: Mapping[str, int] = field(default_factory=dict)


def choice(kind: type[_Choice], text: str) -> _Choice:
    """Return the member of an enum with that value. Raises TooLate if there is none."""
    try:
        return kind(text)
    except ValueError:
        raise TooLate(STALE) from None


def only_one(chosen: tuple[str, ...]) -> str:
    """Return the one value chosen in a menu. Raises TooLate if none is."""
    if not chosen:
        raise TooLate(STALE)
    return chosen[0]


def whole_number(text: str) -> int:
    """Parse a number from an option. Raises TooLate if it isn't one.

    >>> whole_number("15"), numbers("15.8")
    (15, (15, 8))
    """
    # Alone, `isdigit` is true of ² as well, of which `int` makes no number.
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise TooLate(STALE)
    return int(text)


def typed_number(text: str) -> int | None:
    """Parse a number from a text field; None if the field is empty. Raises Unreadable for other text.

    >>> typed_number("15"), typed_number("")
    (15, None)
    """
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Unreadable("{typed} isn't a whole number, such as 3.", typed=shorten(text))
    return int(text)


def numbers(text: str) -> tuple[int, ...]:
    """Parse several numbers from a button or an option, such as `15.8`. Raises TooLate for others."""
    return tuple(whole_number(part) for part in text.split("."))


def marked(table: Table, sign: str) -> Character:
    """Return the character whose name has that hash. Raises Unknown if there is none."""
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
    """Return a field to choose one option, by default the first; a menu shows at most 25.

    Duplicate values are dropped, since Discord refuses such forms. Raises TooLate if there are no options.
    """
    shown = tuple({option.value: option for option in options}.values())[:MOST_IN_MENU]
    if not shown:
        raise TooLate("There's nothing left to choose.")
    first = "" if optional else shown[0].value
    return Field(key, label, default or first, shown, hint, required=not optional)


def how_many(count: int, default: int) -> Field:
    """Return a field for a number up to `count`."""
    options = [Option(str(n), str(n)) for n in range(count, 0, -1)]
    return pick("count", say("How many"), options, str(default))


def chosen_count(answer: Answer) -> int | None:
    """Return the number chosen, or None if the form didn't ask for one."""
    return whole_number(answer.fields["count"]) if answer.fields.get("count") else None


def cut(of: Text, most: int = LONGEST) -> str:
    """Return text short enough for a label or a field."""
    return truncate(spelled(of), most)


VERB = "decide"
"""The verb of a button that answers a question."""
MORE = "more"
"""The verb of the menu whose options are further buttons."""


def answer_buttons(answers: Sequence[PossibleAnswer], number: int) -> tuple[Button, ...]:
    """Return the possible answers to a question as buttons; the first is the likeliest."""
    labels = [spoken(answer.label) for answer in answers]
    return tuple(
        Button(label, VERB, number, str(place), Weight.QUIET if place else Weight.MAIN)
        for place, label in enumerate(labels)
    )


def read(subject: str, signs: tuple[str, ...]) -> str:
    """Return the sign that was agreed to. Raises TooLate for an answer that wasn't offered."""
    if not subject.isdecimal() or len(subject) > 2 or int(subject) >= len(signs):
        raise TooLate("You can no longer choose that answer. Send the command again.")
    return signs[int(subject)]


WHAT_FOR = "whatfor"
Rows = tuple[tuple[Button, ...], ...]
"""What can be pressed below a roll."""


def what_for_button(roll: Rolled) -> Button:
    """Return the button that asks what a roll was for."""
    return Button(say("What was it?"), WHAT_FOR, roll.number)


def asking(rows: Rows, roll: Rolled) -> Rows:
    """Return a roll's rows with the note button added to the first of two rows that has room.

    Two full rows stay as they are: everything else that can be done with the roll has priority.
    """
    main, *more = rows or ((),)
    if len(main) < MOST_IN_ROW:
        return ((*main, what_for_button(roll)), *more)
    choices, *rest = more or [()]
    return (main, (*choices, what_for_button(roll)), *rest) if len(choices) < MOST_IN_ROW else rows


def form(note: str) -> Form:
    """Return the form for a roll's note, with the current note filled in."""
    field = Field("note", say("What the roll was for"), note, hint=say("Example: Force the door"))
    return Form(say("What was it?"), (field,))


def headed(title: Text, roll: Rolled) -> Text:
    """Return the title of a form about a roll, with its note, as somebody else may have rolled it."""
    return say("{title}: {note}", title=title, note=roll.note) if roll.note else title


def below_table(table: Table) -> tuple[Button, ...]:
    """Return the buttons below the table: own sheet, rolls, what waits, a seat."""
    count = len(waiting(table))
    waits = [Button(say("Waiting: {count}", count=count), "view", subject="waiting")] if count else []
    here = SHOWN.at(table)
    rolls = (button for each in here.offers for button in each.rolls(table))
    more = (button for below in here.below_table for button in below(table)) if here.below_table else ()
    return (Button(say("My sheet"), "mine"), *rolls, *more, *waits, join_button())


def join_button() -> Button:
    """Return the button to start playing a character."""
    return Button(say("Join"), "join")
