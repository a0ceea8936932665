"""Joining a table: choosing or making a character, and cards that explain the game to a new player."""

from functools import partial

from bot.language import later, say
from bot.language.line import Text, heading, joined
from bot.views.card import Button, Card, Field, Form, Menu, Option, Tone, Weight, led, portrait_of
from bot.views.cortex.sheet import sheet_field, sheet_text
from bot.views.game import SHOWN, Rule
from bot.views.question import MOST_IN_MENU, Fields
from rules.campaign.seats import Actor, character_of
from rules.cortex import characters, pool, traits
from rules.cortex.model import CORTEX
from rules.cortex.ruleset import EffectBy, HitchOn
from rules.table import Character, Table
from rules.values import exhaustive

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
    options = [Option(each.name, each.name, _about(each)) for each in _free(table)[:MOST_IN_MENU]]
    return (Menu(say("Choose a character"), TAKE, "", tuple(options)),) if options else ()


def _free(table: Table) -> list[Character]:
    return [each for each in table.characters.values() if not each.player and not each.gmc]


def _about(character: Character) -> str:
    """The character's distinctions, or the first line of their notes."""
    distinctions = ", ".join(each.label for each in CORTEX.has(character).distinctions.values())
    return distinctions or character.notes.partition("\n")[0]


def form(table: Table, actor: Actor) -> Form:
    """Return the form for a new character, with an example sheet for this table's trait sets."""
    name = Field("name", say("Name"), character_of(table, actor).name, longest=80)
    typed = sheet_field(
        characters.example_sheet(table), say("An example to change as you like: a line for each trait set")
    )
    hint = say("A file from /character export, the Cortex Toolkit or Foundry; it replaces everything above")
    file = Field(FILE, say("Sheet file"), hint=hint, required=False, is_file=True)
    return Form(say("Join"), (name, typed, file), NEW)


def read(fields: Fields) -> Rule:
    """Return the rule that plays the character of a form."""
    return partial(characters.join, text=sheet_text(fields), name=fields.typed("name"))


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
    rated = sorted((each for _, each in traits.held(own)), key=lambda each: -each.die)[:_BEST]
    best = joined(", ", [f"{each.label} {pool.write(each)}" for each in rated])
    lines: list[Text] = [heading(say("You play {who}", who=own.name))]
    if rated:
        lines.append(say("Best at: {traits}", traits=best))
    has_sheet = any(has(own) for has in SHOWN.has_sheet)
    if not (rated or has_sheet):
        lines.append(say("Your sheet is empty. To fill it in, press My sheet, then Edit."))
    rolls = [button for each in SHOWN.offers for button in each.rolls(table)]
    is_of_another_game = has_sheet and not rated
    intro = [] if knows or is_of_another_game else [Button(say("How this works"), INTRO, subject="1")]
    rows = led([*rolls, Button(say("My sheet"), "mine"), *intro])
    return Card(tuple(lines), rows, private=True, tone=Tone.CALM, portrait=portrait_of(own))


INTRO = "intro"
"""The verb of the buttons that turn the pages of the introduction; the subject is the page, from 1."""
KNOWN = "introknown"
"""The verb of the button after which the introduction is never offered again."""
PAGES = 3


def intro_card(table: Table, page: int) -> Card:
    """Return a page of the introduction, from 1 to 3, as a private card."""
    title, lines = (_rolling, _spending, _mending)[page - 1](table)
    onward = [Button(say("Next"), INTRO, subject=str(page + 1), weight=Weight.MAIN)] if page < PAGES else []
    rows = ((*onward, Button(say("I know"), KNOWN)),)
    return Card((heading(title), *lines), rows, private=True, tone=Tone.CALM)


_COUNTING = exhaustive(
    EffectBy,
    {
        EffectBy.DIE: later("Two dice make your total. A third one is your effect: only its size counts."),
        EffectBy.NONE: later("The two best dice make your total."),
        EffectBy.ALL_DICE: later("All your dice together make your total."),
        EffectBy.ROLLED_AGAIN: later("The two best dice make your total. Then you roll for the effect."),
    },
)
"""How the dice of a roll count."""


def _rolling(table: Table) -> tuple[Text, list[Text]]:
    effect = CORTEX.of(table).ruleset.effect
    lines: list[Text] = [
        say("Press Roll and choose what helps you. Each trait adds its die."),
        say(_COUNTING[effect]),
    ]
    if effect is not EffectBy.ALL_DICE:
        lines.append(say("Buttons below the roll offer other ways to keep your dice."))
    return say("How to roll"), lines


def _spending(table: Table) -> tuple[Text, list[Text]]:
    rules = CORTEX.of(table).ruleset
    shows = say("1 or 2") if rules.hitch_on is HitchOn.TWO else "1"
    lines: list[Text] = [
        say("A die that shows {faces} is {hitch.a}. You can't keep it.", faces=shows),
        say("For {hitch.a}, the {gm.one} can give you 1 {plot_point.short} and make trouble."),
    ]
    if rules.doom:
        lines.append(say("The {gm.one} has {doom_pool.a}, and trouble makes it grow."))
    lines.append(say("To use your {plot_point.many}, press Spend below your roll."))
    return say("{hitch.Many} and {plot_point.many}"), lines


def _mending(table: Table) -> tuple[Text, list[Text]]:
    del table
    return say("Mistakes and help"), [
        say("/undo takes back your last step. /redo brings it back."),
        say("/help says what you can do next, and answers questions."),
    ]


KNOWS = later("You won't be asked again. /help has it all whenever you need it.")
"""What is said to somebody who knows how the game works."""
