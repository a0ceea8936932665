"""Which SFX template somebody takes, and the form that gives it a name and its traits (X1)."""

from functools import partial

from bot.asks.question import MOST_IN_MENU, SIGN, Fields, Rule, choice, marked, pick
from bot.language import say
from bot.render.card import Button, Card, Field, Form, Menu, Option, mark
from bot.render.cortex.sfx_template import PLACES, TEMPLATES
from rules.campaign.seats import Actor
from rules.cortex import sfx_use
from rules.cortex.sfx import TEMPLATES as PARTS
from rules.cortex.sfx import Placeholder, Template
from rules.game import Step
from rules.table import Character, Table

VERB = "sfxtemplate"
OFFER = "sfxtemplates"
CHOSEN = rf"(?:{SIGN})?(?:\.[a-z ]+)?"
"""The subject of the menu: whose SFX it becomes, if they are there; of the form: which template, too."""


def button(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    """Offer the templates to who plays somebody."""
    own = actor and table.played_by(actor.id)
    return (Button(say("Templates"), OFFER),) if own else ()


def menu(table: Table, actor: Actor, who: str | None = None) -> Card:
    """The templates there are, by what they do. Raises NotAllowed for who may not change those SFX."""
    seated, owner = sfx_use.changeable(table, actor, who, asks=False)
    character = seated.characters[owner]
    options = tuple(Option(say(TEMPLATES[each]), each) for each in sfx_use.offered_templates(table))
    # Who has no character yet gets one with the SFX.
    sign = mark(character.name) if owner in table.characters else ""
    shown = Menu(say("What it does"), VERB, sign, options)
    line = say("Choose what {who}'s new SFX does.", who=character.name)
    return Card((line,), private=True, menus=(shown,))


def form(table: Table, actor: Actor, subject: str, chosen: str) -> Form:
    """The name, the traits and the condition of a template that was chosen, or is in the subject."""
    sign, _, opened = subject.partition(".")
    template = choice(Template, chosen or opened)
    sfx_use.require_template(table, template)
    seated, owner = sfx_use.changeable(table, actor, _named(table, sign), asks=False)
    character = seated.characters[owner]
    of = PARTS[template]
    fields = (
        Field("name", say("Name"), hint=say("Example: Focus"), longest=60),
        *(_place(table, character, place) for place in of.places),
        Field(
            "when",
            say("When"),
            hint=say("Example: my past catches up with me"),
            required=of.needs_when,
            longest=200,
        ),
    )
    return Form(say(TEMPLATES[template]), fields, f"{sign}.{template}")


def _named(table: Table, sign: str) -> str | None:
    """Whose SFX it becomes; the actor's own where there is no sign."""
    return marked(table, sign).name if sign else None


def _place(table: Table, character: Character, place: Placeholder) -> Field:
    """What can stand in a place, to be chosen; typed where there is nothing, or too much for a menu."""
    there = sfx_use.template_choices(table, character, place)
    label = say(PLACES[place])
    if not 0 < len(there) <= MOST_IN_MENU:
        return Field(place, label, hint=say("Example: {name}", name=there[0] if there else "Mind"))
    likeliest = there[1] if place is Placeholder.OTHER and len(there) > 1 else there[0]
    return pick(place, label, [Option(each, each) for each in there], likeliest)


def read(subject: str, fields: Fields) -> Rule:
    """The rule that a form means."""
    sign, _, named = subject.partition(".")
    return partial(_added, sign=sign, template=choice(Template, named), fields=fields)


def _added(table: Table, actor: Actor, sign: str, template: Template, fields: Fields) -> Step:
    traits = [fields[place] for place in PARTS[template].places]
    who = _named(table, sign)
    return sfx_use.add_from_template(
        table, actor, template, fields["name"], traits, fields.typed("when"), who
    )
