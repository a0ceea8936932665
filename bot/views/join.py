"""Joining a table: choosing or making a character, and cards that explain the game to a new player."""

from functools import partial

from bot.language import later, say
from bot.language.line import Text, heading, joined
from bot.views.card import Button, Card, Field, Form, Menu, Option, Tone, Weight, led, portrait_of
from bot.views.game import SHOWN, Rule
from bot.views.labels import listed, shortened
from bot.views.question import MOST_IN_MENU, Fields
from bot.views.sheet import ADD_DICE, sheet_field, sheet_text
from rules.campaign.seats import Actor, character_of
from rules.game import Step, sheets_at
from rules.table import Character, Table

NEW = "new"
"""The subject of `Join` that opens the form for a new character."""
TAKE = "joinas"
"""The verb of the menu of characters nobody plays."""
FILE = "file"
"""The key of the field for a file; if one is given, the other fields don't count."""


def choosing(table: Table) -> Card | None:
    """Return the card to choose a character nobody plays, or somebody new; None if all are played."""
    menus = free_menu(table)
    if not menus:
        return None
    lines: list[Text] = [heading(say("Choose your character"))]
    more = len(_free(table)) - MOST_IN_MENU
    if more > 0:
        lines.append(say("There are {count} more. To play one: /character play", count=more))
    row = (Button(say("Somebody new"), "join", subject=NEW),)
    return Card(tuple(lines), (row,), private=True, menus=menus, tone=Tone.CALM)


def free_menu(table: Table) -> tuple[Menu, ...]:
    """Return the menu to choose a character nobody plays; nothing if all are played."""
    options = [Option(each.name, each.name, _about(table, each)) for each in _free(table)[:MOST_IN_MENU]]
    return (Menu(say("Choose a character"), TAKE, "", tuple(options)),) if options else ()


def _free(table: Table) -> list[Character]:
    return [each for each in table.characters.values() if not each.player and not each.gmc]


def _about(table: Table, character: Character) -> Text:
    """What tells a character from others, or the first line of their notes."""
    known = [what for known_by in SHOWN.at(table).known_by for what in known_by(character)]
    return joined(", ", known) or character.notes.partition("\n")[0]


def form(table: Table, actor: Actor) -> Form:
    """Return the form for a new character, with an example sheet for this table's trait sets."""
    name = Field("name", say("Name"), character_of(table, actor).name)
    is_open = bool(SHOWN.at(table).unrated(table, None))
    about = say(ADD_DICE) if is_open else say("An example to change as you like, line by line")
    typed = sheet_field(sheets_at(table).example(table), about)
    hint = say("A file from /character export, Foundry or another program; it replaces everything above")
    file = Field(FILE, say("Sheet file"), hint=hint, required=False, is_file=True)
    return Form(say("Join"), (name, typed, file), NEW)


def read(fields: Fields) -> Rule:
    """Return the rule that plays the character of a form."""
    return partial(_joins, text=sheet_text(fields), name=fields.typed("name"))


def _joins(table: Table, actor: Actor, name: str, text: str) -> Step:
    return sheets_at(table).join(table, actor, name, text)


_BEST = 3
"""How many traits the card for a new player names."""


def joined_card(table: Table, actor: Actor, *, knows: bool) -> Card | None:
    """Return the private card for somebody who has just joined: who they play, with their best traits.

    None if they don't play anybody. The button `How this works` is left out for those who know, and for a
    character of another game, which it doesn't explain.
    """
    own = table.played_by(actor.id)
    if own is None:
        return None
    here = SHOWN.at(table)
    best = here.best(own)[:_BEST]
    lines: list[Text] = [heading(say("You play {who}", who=own.name))]
    if best:
        lines.append(say("Best at: {traits}", traits=joined(", ", best)))
    if lacking := here.unrated(table, own):
        names = listed(shortened(list(lacking)))
        lines.append(say("Still without dice: {names}. Press My sheet, then Edit.", names=names))
    has_sheet = any(has(own) for has in here.has_sheet)
    if not (best or has_sheet):
        lines.append(say("Your sheet is empty. To fill it in, press My sheet, then Edit."))
    rolls = [button for each in here.offers for button in each.rolls(table)]
    is_of_another_game = has_sheet and not best
    intro = (
        []
        if knows or is_of_another_game or not here.intro
        else [Button(say("How this works"), INTRO, subject="1")]
    )
    rows = led([*rolls, Button(say("My sheet"), "mine"), *intro])
    return Card(tuple(lines), rows, private=True, tone=Tone.CALM, portrait=portrait_of(own))


INTRO = "intro"
"""The verb of the buttons that turn the pages of the introduction; the subject is the page, from 1."""
KNOWN = "introknown"
"""The verb of the button after which the introduction is never offered again."""
PAGES = 3
"""Two of the game, and one that fits any game."""


def intro_card(table: Table, page: int) -> Card:
    """Return a page of the introduction, from 1 to 3, as a private card."""
    title, lines = (*SHOWN.at(table).intro, _mending)[page - 1](table)
    onward = [Button(say("Next"), INTRO, subject=str(page + 1), weight=Weight.MAIN)] if page < PAGES else []
    rows = ((*onward, Button(say("I know"), KNOWN)),)
    return Card((heading(title), *lines), rows, private=True, tone=Tone.CALM)


def _mending(table: Table) -> tuple[Text, list[Text]]:
    del table
    return say("Mistakes and help"), [
        say("/undo takes back your last step. /redo brings it back."),
        say("/help says what you can do next, and answers questions."),
    ]


KNOWS = later("You won't be asked again. /help has it all whenever you need it.")
"""What is said to somebody who knows how the game works."""
