"""Whom somebody plays: a character that nobody plays, a new one, or one of a file."""

from functools import partial

from bot.asks.cortex import sheet
from bot.asks.question import TYPED, Answer, Pressed, Question, Rule, pick
from bot.language import say
from bot.render.card import Field, Form, Option
from rules.campaign.seats import Actor, character_of
from rules.cortex import characters
from rules.cortex import sheet as sheets
from rules.cortex.model import CORTEX
from rules.table import Character, Table

FILE = "file"
"""The field for a file; one that is given counts alone, and is looked at first."""


def join_form(table: Table, actor: Actor) -> Form:
    """Take a character that nobody plays, or name a new one, with a sheet or its file if it is at hand."""
    here = CORTEX.of(table)
    free = [each for each in table.characters.values() if not each.player and not each.gmc]
    sets = here.ruleset.trait_sets
    rules = here.ruleset
    first = characters.of(table)
    empty = sheets.write(first, sets, resources=rules.has_resources, safe=rules.safe_dice)
    typed = sheet.field(empty, sheet.hint(sets))
    hint = say("A file from /character export, the Cortex Toolkit or Foundry; it replaces everything above")
    file = Field(FILE, say("Sheet file"), hint=hint, required=False, is_file=True)
    if not free:
        own = character_of(table, actor).name
        new = Field("name", say("Name"), own, hint=say("For a new character"), longest=80)
        return Form(say("Join"), (new, typed, file))
    options = [
        *(Option(each.name, each.name, _about(each)) for each in free),
        Option(say("A new character, named below"), TYPED),
    ]
    hint = say("Or name a new character, instead of choosing one above")
    new = Field("name", say("Name"), hint=hint, required=False, longest=80)
    return Form(say("Join"), (pick("what", say("What"), options), new, typed, file))


def _about(character: Character) -> str:
    """What somebody is known by, for who chooses among those whom nobody plays."""
    distinctions = ", ".join(each.label for each in CORTEX.has(character).distinctions.values())
    return distinctions or character.notes.partition("\n")[0]


def _ask(table: Table, actor: Actor, press: Pressed) -> Form:
    return join_form(table, actor)


def _read(answer: Answer) -> Rule:
    name = answer.fields.typed("name") or answer.fields.get("what", TYPED)
    text = sheet.text(answer.fields)
    return partial(characters.join, text=text, name="" if name == TYPED else name)


JOIN = Question("join", form=_ask, read=_read, apart=True)
QUESTIONS = (JOIN,)
