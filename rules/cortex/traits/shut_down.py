"""Traits that an SFX or a limit has shut down, until they are recovered or the scene ends (X1)."""

from rules.cortex.state.facts import TraitShut
from rules.cortex.state.kinds import LENDING, Kind, Sfx, Trait
from rules.cortex.state.part import CORTEX, with_traits
from rules.dice import shorten
from rules.errors import NotAllowed, Unknown
from rules.kinds import key
from rules.result import Step
from rules.table import Character, Table
from rules.values import replace


def held(character: Character) -> list[tuple[Kind, Trait]]:
    """The traits of somebody that SFX can belong to, each with its kind."""
    return [(kind, trait) for kind in LENDING for trait in CORTEX.has(character).traits(kind).values()]


def shut(table: Table, who: str, label: str) -> Step:
    """A trait is shut down: it joins no pool until it is recovered. Raises Unknown, NotAllowed (X1)."""
    character = table.characters[who]
    for kind, trait in held(character):
        if key(trait.label) == key(label):
            require_open(trait)
            return _changed(table, who, kind, trait, is_shut=True)
    raise Unknown("{character} has no {label} to shut down.", character=character.name, label=shorten(label))


def opened(table: Table, who: str, label: str) -> Step:
    """A trait that was shut down works again."""
    for kind, trait in held(table.characters[who]):
        if trait.shut and key(trait.label) == key(label):
            return _changed(table, who, kind, trait, is_shut=False)
    return Step(table, ())


def all_opened(table: Table) -> Step:
    """Every trait that was shut down works again: the scene has ended."""
    step = Step(table, ())
    for who, character in table.characters.items():
        for _, trait in held(character):
            step = step.then(opened(step.table, who, trait.label)) if trait.shut else step
    return step


def require_open(trait: Trait) -> None:
    """Refuse a trait that is shut down (X1)."""
    if trait.shut:
        raise NotAllowed(
            "{trait} is shut down until it's recovered or the {scene.one} ends. Example: /sfx recover "
            "what:{trait}",
            trait=trait.label,
        )


def require_usable(character: Character, sfx: Sfx) -> None:
    """Refuse an SFX of a trait that is shut down (X1)."""
    for _, trait in held(character):
        if sfx.trait and key(trait.label) == key(sfx.trait):
            require_open(trait)


def _changed(table: Table, who: str, kind: Kind, old: Trait, *, is_shut: bool) -> Step:
    character = table.characters[who]
    traits = {**CORTEX.has(character).traits(kind), key(old.label): replace(old, shut=is_shut)}
    said = TraitShut(character.name, old.label, old.die, is_shut)
    return Step(table.with_owner(who, with_traits(character, kind, traits)), (said,))
