"""A character's sheet as text, to be edited in a form."""

from collections.abc import Sequence
from functools import partial

from bot.asks.question import SIGN, Answer, Fields, Pressed, Question, Rule, marked
from bot.language import say
from bot.language.line import Text
from bot.render.card import Field, Form, mark
from rules.campaign.seats import Actor
from rules.cortex import characters, sheet
from rules.cortex.model import CORTEX
from rules.cortex.ruleset import ABILITIES
from rules.errors import NotAllowed
from rules.game import Step
from rules.names import key
from rules.table import Table

ROOM = 4000
"""A field of a form holds this many characters."""
MOST_FIELDS = 5
"""A form has this many fields."""
VERB = "sheet"


def asked(table: Table, actor: Actor, who: str | None = None) -> Form:
    """Return a form with somebody's sheet as text, in as many fields as it needs.

    A trait set without traits has an empty line. An empty sheet shows what new characters begin with.
    """
    found = characters.editable(table, actor, who)
    rules = CORTEX.of(table).ruleset
    sets, own = rules.trait_sets, sheet.of(found)
    shown = characters.of(table) if characters.is_none(own) and not found.gmc else own
    parts = _parts(sheet.write(shown, sets, resources=rules.has_resources, safe=rules.safe_dice))
    if any(len(part) > ROOM for part in parts):
        raise NotAllowed(
            "{found}'s sheet is too long for a form. Change one trait at a time: /character set",
            found=found.name,
        )
    fields = tuple(field(part, hint(sets), number) for number, part in enumerate(parts, 1))
    title = say("{who}'s sheet", who=found.name)
    return Form(title, fields, f"{mark(found.name)}.{characters.mark(found)}")


def field(text: str, hint: Text, number: int = 1) -> Field:
    """A part of a sheet as text."""
    label = say("Sheet") if number == 1 else say("Sheet {number}", number=number)
    return Field(_key(number), label, text, hint=hint, required=False, longest=ROOM, lines=True)


def hint(sets: Sequence[str]) -> Text:
    """What a form of a sheet says beside its lines: an example, filled in."""
    if ABILITIES not in sets:
        name = next((name for name in sets if key(name) != "distinctions"), "Skills")
        return say("Example: Distinctions: Old Sailor, Reckless. {name}: Mind d10, Body d8", name=name)
    return say("Start each line with the ability set's name. Example: Sorcery: Ward d8")


def text(fields: Fields) -> str:
    """The text of a sheet that was filled in, its parts in their order."""
    return "\n".join(fields.get(_key(number), "") for number in range(1, MOST_FIELDS + 1))


def _ask(table: Table, actor: Actor, press: Pressed) -> Form:
    return asked(table, actor, marked(table, press.subject.partition(".")[0]).name)


def _read(answer: Answer) -> Rule:
    return partial(_edited, subject=answer.subject, text=text(answer.fields))


def _edited(table: Table, actor: Actor, subject: str, text: str) -> Step:
    """The sheet of whom the form is about, as long as it is as the form showed it."""
    who, _, seen = subject.partition(".")
    return characters.edited(table, actor, marked(table, who).name, text, seen)


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


QUESTIONS = (Question(VERB, rf"{SIGN}\.{SIGN}", form=_ask, read=_read, apart=True),)
