"""The form to edit a whole sheet as text, of any game."""

from functools import partial

from bot.language import later, say
from bot.language.line import Text
from bot.views.card import Button, Field, Form, mark
from bot.views.game import SHOWN, Rule
from bot.views.question import SIGN, Answer, Fields, Pressed, Question, marked
from rules.campaign.characters import editable, edited
from rules.campaign.seats import Actor
from rules.errors import NotAllowed
from rules.game import Step, sheets_at
from rules.table import Character, Table

ROOM = 4000
"""A field of a form holds this many characters."""
MOST_FIELDS = 5
"""A form has this many fields."""
VERB = "sheet"
ADD_DICE = later("Add dice to each name that has none. A name without dice isn't on the sheet yet.")
"""The hint of a sheet with traits that have no dice yet."""


def sheet_form(table: Table, actor: Actor, who: str | None = None) -> Form:
    """Return a form with a sheet as text, in as many fields as needed.

    An empty sheet shows what new characters start with. Raises NotAllowed if the caller may not edit it.
    """
    found, rules = editable(table, actor, who), sheets_at(table)
    parts = _parts(rules.text(table, found))
    if any(len(part) > ROOM for part in parts):
        raise NotAllowed(
            "{found}'s sheet is too long for a form. Change one trait at a time: /character set",
            found=found.name,
        )
    here = SHOWN.at(table)
    hint = say(ADD_DICE) if here.unrated(table, found) else here.sheet_hint(table)
    fields = tuple(sheet_field(part, hint, number) for number, part in enumerate(parts, 1))
    title = say("{who}'s sheet", who=found.name)
    return Form(title, fields, f"{mark(found.name)}.{rules.mark(found)}")


def edit_button(table: Table, shown: Character) -> Button:
    """Return the button that opens a sheet as text."""
    return Button(say("Edit"), VERB, subject=f"{mark(shown.name)}.{sheets_at(table).mark(shown)}")


def sheet_field(text: str, hint: Text, number: int = 1) -> Field:
    """Return a field with a part of a sheet."""
    label = say("Sheet") if number == 1 else say("Sheet {number}", number=number)
    return Field(_key(number), label, text, hint=hint, required=False, lines=True)


def sheet_text(fields: Fields) -> str:
    """Return the sheet typed into a form, its parts joined in order."""
    return "\n".join(fields.get(_key(number), "") for number in range(1, MOST_FIELDS + 1))


def _ask(table: Table, actor: Actor, press: Pressed) -> Form:
    return sheet_form(table, actor, marked(table, press.subject.partition(".")[0]).name)


def _read(answer: Answer) -> Rule:
    return partial(_edited, subject=answer.subject, text=sheet_text(answer.fields))


def _edited(table: Table, actor: Actor, subject: str, text: str) -> Step:
    """The sheet of whom the form is about, as long as it is as the form showed it."""
    who, _, seen = subject.partition(".")
    return edited(table, actor, marked(table, who).name, text, seen)


def _key(number: int) -> str:
    return f"sheet{number}"


def _parts(text: str) -> list[str]:
    """A text in parts that fit into a field each, parted between lines."""
    parts = [""]
    for line in text.split("\n"):
        joined = f"{parts[-1]}\n{line}" if parts[-1] else line
        # So that something can be typed into each.
        if len(joined) > ROOM - 200 and parts[-1] and len(parts) < MOST_FIELDS:
            parts.append(line)
        else:
            parts[-1] = joined
    return parts


LENGTHS = {_key(number): ROOM for number in range(1, MOST_FIELDS + 1)}
"""The most characters of the fields for a sheet."""
QUESTIONS = (Question(VERB, rf"{SIGN}\.{SIGN}", form=_ask, read=_read, apart=True, longest=LENGTHS),)
