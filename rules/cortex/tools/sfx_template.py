"""SFX of templates at a table: which there are, what they can be for, and how somebody is given one (X1)."""

from collections.abc import Iterator, Sequence

from rules.cortex.state.kinds import TROUBLE
from rules.cortex.state.part import CORTEX
from rules.cortex.state.sfx_template import TEMPLATES, Place, Template, can_be_named, made
from rules.cortex.tools import sfx_use
from rules.cortex.traits import shut_down
from rules.errors import TooLate
from rules.kinds import key
from rules.result import Step
from rules.seats import Actor
from rules.table import Character, Table


def offered(table: Table) -> tuple[Template, ...]:
    """The templates that can be used at a table: what a setting bends is there while it is on."""
    rules = CORTEX.of(table).ruleset
    return tuple(each for each, of in TEMPLATES.items() if of.is_offered(rules))


def choices(table: Table, character: Character, place: Place) -> tuple[str, ...]:
    """What can stand in a place: somebody's own traits, or their trouble and the stress tracks.

    Names that no SFX can say are not among them.
    """
    found = _trouble(table, character) if place is Place.TROUBLE else _traits(character)
    return tuple({key(each): each for each in found if can_be_named(each)}.values())


def _traits(character: Character) -> Iterator[str]:
    return (trait.label for _, trait in shut_down.held(character))


def _trouble(table: Table, character: Character) -> Iterator[str]:
    for kind in TROUBLE:
        yield from (trait.label for trait in CORTEX.has(character).traits(kind).values())
    yield from CORTEX.of(table).ruleset.stress


def require_offered(table: Table, template: Template) -> None:
    """Refuse a template that a setting has taken away since it was shown."""
    if template not in offered(table):
        raise TooLate(
            "You can't use that template: its setting is off. Choose a different template: /sfx template"
        )


def add(
    table: Table,
    actor: Actor,
    template: Template,
    name: str,
    traits: Sequence[str] = (),
    when: str | None = None,
    who: str | None = None,
) -> Step:
    """Give a character the SFX of a template; one of the same name is replaced (X1)."""
    require_offered(table, template)
    table, owner = sfx_use.changeable(table, actor, who)
    sizes = CORTEX.of(table).ruleset.sizes
    return sfx_use.given(table, actor, owner, made(template, name, traits, when, sizes))
