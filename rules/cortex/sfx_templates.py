"""SFX of templates: which a table offers, what they can name, and adding one to a character (X1)."""

from collections.abc import Iterator, Sequence

from rules.campaign.seats import Actor
from rules.cortex import traits
from rules.cortex.kinds import TROUBLE
from rules.cortex.model import CORTEX
from rules.cortex.sfx import TEMPLATES, Placeholder, Template, can_be_named, fill_template
from rules.cortex.sfx_use import changeable, give_sfx
from rules.errors import TooLate
from rules.game import Step
from rules.names import fold
from rules.table import Character, Table


def offered_templates(table: Table) -> tuple[Template, ...]:
    """Return the templates that a table can use: those whose setting is on."""
    rules = CORTEX.of(table).ruleset
    return tuple(each for each, of in TEMPLATES.items() if of.is_offered(rules))


def template_choices(table: Table, character: Character, place: Placeholder) -> tuple[str, ...]:
    """Return what can fill a placeholder: the character's own traits, or their trouble and the stress tracks.

    Names that an SFX can't contain are left out.
    """
    found = _trouble(table, character) if place is Placeholder.TROUBLE else _traits(character)
    return tuple({fold(each): each for each in found if can_be_named(each)}.values())


def _traits(character: Character) -> Iterator[str]:
    return (trait.label for _, trait in traits.held(character))


def _trouble(table: Table, character: Character) -> Iterator[str]:
    for kind in TROUBLE:
        yield from (trait.label for trait in CORTEX.has(character).traits(kind).values())
    yield from CORTEX.of(table).ruleset.stress


def require_template(table: Table, template: Template) -> None:
    """Check that a template can still be used. Raises TooLate if a setting has since removed it."""
    if template not in offered_templates(table):
        raise TooLate(
            "You can't use that template: its setting is off. Choose a different template: /sfx template"
        )


def add_from_template(
    table: Table,
    actor: Actor,
    template: Template,
    name: str,
    traits: Sequence[str] = (),
    when: str | None = None,
    who: str | None = None,
) -> Step:
    """Give a character the SFX of a template, replacing one of the same name (X1).

    Raises TooLate if the template is no longer offered; otherwise as `fill_template` and `given` do.
    """
    require_template(table, template)
    table, owner = changeable(table, actor, who)
    sizes = CORTEX.of(table).ruleset.sizes
    return give_sfx(table, actor, owner, fill_template(template, name, traits, when, sizes))
