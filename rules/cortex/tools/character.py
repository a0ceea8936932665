"""Sheets of characters: taken along, changed trait by trait, edited as a whole (D1)."""

from zlib import crc32

from rules import seats
from rules.characters import shown
from rules.cortex.state.facts import TraitChanged
from rules.cortex.state.kinds import ON_SHEET, Kind, Trait
from rules.cortex.state.part import CORTEX, ladder, with_traits
from rules.cortex.tools import statement as statements
from rules.cortex.traits import sheet
from rules.cortex.traits.finding import find_trait, label_for
from rules.dice import size_of
from rules.errors import NotAllowed, Unknown
from rules.facts import SheetChanged
from rules.kinds import key
from rules.names import LABEL, clean
from rules.result import Step
from rules.seats import (
    Actor,
    find_character,
    owner_of,
    require_character,
)
from rules.table import Character, Table
from rules.values import replace
from rules.words import COMMA, Row, Words

DISTINCTIONS, SIGNATURE, RESOURCES = "Distinctions", "Signature assets", "Resources"
_SETS = {DISTINCTIONS: Kind.DISTINCTION, SIGNATURE: Kind.ASSET, RESOURCES: Kind.RESOURCE}


def join(table: Table, actor: Actor, name: str, text: str = "") -> Step:
    """Take a character that nobody plays, or a new one of that name, with the sheet that is typed (D1)."""
    step = seats.join(table, actor, name)
    typed = sheet.read(text, ladder(table))
    blank = sheet.write(sheet.Sheet())
    if sheet.write(typed) == blank:
        return step
    character = step.table.played_by(actor.id)
    if character is None or sheet.write(sheet.of(character)) != blank:
        raise NotAllowed(
            "{name} has a sheet already, which is as it was. It is changed by /character edit", name=name
        )
    after = step.table.with_owner(key(character.name), sheet.put(character, typed))
    return step.then(Step(after, (SheetChanged(character.name),)))


def put(
    table: Table,
    actor: Actor,
    trait: str,
    die: str | None = None,
    trait_set: str | None = None,
    who: str | None = None,
    statement: str | None = None,
) -> Step:
    """Give a sheet a trait of a trait set, another rating, or a statement (D1, N7)."""
    if statement is not None:
        statements.require_on(table)
    elif die is None:
        raise NotAllowed("Say its die. Example: /character set trait:{trait} die:d8", trait=trait)
    step = Step(table, ()) if die is None else _put(table, actor, trait, die, trait_set, who)
    if statement is None:
        return step
    table, owner = owner_of(step.table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    require_character(table, actor, character, Words("change the sheet"))
    held = _held(character, clean(trait, LABEL))
    if held is None:
        raise Unknown(
            "{who} has no {trait} on the sheet. A new trait needs a die. "
            "Example: /character set trait:{trait} die:d8 trait_set:Values statement:Nobody is left behind",
            who=character.name,
            trait=clean(trait, LABEL),
        )
    return step.then(statements.given(table, owner, *held, statement))


def _put(table: Table, actor: Actor, trait: str, die: str, trait_set: str | None, who: str | None) -> Step:
    """Give a sheet a trait of a trait set, or another rating (D1)."""
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    require_character(table, actor, character, Words("change the sheet"))
    label, size = clean(trait, LABEL), size_of(die, ladder(table))
    held = _held(character, label)
    if held is not None and (trait_set is None or not trait_set.strip()):
        kind, old = held
        fresh = replace(old, die=size, signature=size if old.signature else 0)
    else:
        if held is not None:
            raise NotAllowed(
                "{character} has {label} d{die} already. Leave trait_set out.",
                character=character.name,
                label=held[1].label,
                die=held[1].die,
            )
        kind, name = kind_of(table, character, trait_set)
        old = None
        label = label_for(table, kind, label)
        fresh = Trait(label, size, size if kind is Kind.ASSET else 0, set=name if kind is Kind.TRAIT else "")
        _require_fits(character, kind, name)
    traits = {**CORTEX.has(character).traits(kind), key(label): fresh}
    after = table.with_owner(owner, with_traits(character, kind, traits))
    return Step(after, (TraitChanged(character.name, kind, old, fresh),))


def unset(table: Table, actor: Actor, trait: str, who: str | None = None) -> Step:
    """Take a trait off a sheet, with its SFX."""
    owner, label, kind = find_trait(table, actor, ON_SHEET, trait, who)
    character = table.characters.get(owner)
    if character is None:
        raise NotAllowed("The {scene.one} has no sheet. Example: /dist remove what:Fog")
    require_character(table, actor, character, Words("change the sheet"))
    old = CORTEX.has(character).traits(kind)[label]
    traits = {k: each for k, each in CORTEX.has(character).traits(kind).items() if k != label}
    sfx = {k: each for k, each in CORTEX.has(character).sfx.items() if key(each.trait) != label}
    fresh = CORTEX.give(character, replace(CORTEX.has(character).with_traits(kind, traits), sfx=sfx))
    return Step(table.with_owner(owner, fresh), (TraitChanged(character.name, kind, old, None),))


def edited(table: Table, actor: Actor, who: str, text: str, seen: str = "") -> Step:
    """The sheet as it was typed in the form; `seen` is the mark of the sheet that the form showed."""
    owner = find_character(table, who)
    character = table.characters[owner]
    require_character(table, actor, character, Words("change the sheet"))
    if seen and seen != mark(character):
        raise NotAllowed(
            "The sheet of {character} has changed meanwhile. Look at it: /character show",
            character=character.name,
        )
    after = sheet.put(character, sheet.read(text, ladder(table)))
    if after == character:
        raise NotAllowed("The sheet of {character} is as it was.", character=character.name)
    return Step(table.with_owner(owner, after), (SheetChanged(character.name),))


def editable(table: Table, actor: Actor, who: str | None = None) -> Character:
    """The character that is meant, where the caller may change the sheet. Raises as `shown` does."""
    found = shown(table, actor, who)
    require_character(table, actor, found, Words("change the sheet"))
    return found


def mark(character: Character) -> str:
    """A short sign of a sheet as it is."""
    return f"{crc32(sheet.write(sheet.of(character)).encode()):08x}"


def kind_of(table: Table, character: Character, trait_set: str | None) -> tuple[Kind, str]:
    """What a trait set holds, and its name; a set that nobody named before is new."""
    known = list(dict.fromkeys([*sets(table, character), *_SETS]))
    if trait_set is None or not trait_set.strip():
        raise NotAllowed(
            "Say in which trait set. There is {known}. Example: trait_set:{first}",
            known=Row(known, COMMA),
            first=known[0],
        )
    typed = clean(trait_set, Words("trait set"), 40)
    own = [trait.set for trait in CORTEX.has(character).sheet.values() if trait.set]
    exact = [each for each in (*own, *known) if key(each) == key(typed)][:1]
    begun = exact or [each for each in known if key(each).startswith(key(typed))]
    name = begun[0] if len(begun) == 1 else typed
    return _SETS.get(name, Kind.TRAIT), name


def sets(table: Table, character: Character) -> list[str]:
    """The trait sets of the ruleset and of the character."""
    own = [trait.set for trait in CORTEX.has(character).sheet.values() if trait.set]
    return list(dict.fromkeys([*CORTEX.of(table).ruleset.trait_sets, *own]))


def _held(character: Character, label: str) -> tuple[Kind, Trait] | None:
    """The trait of that label on the sheet, and its kind."""
    for kind in ON_SHEET:
        found = CORTEX.has(character).traits(kind).get(key(label))
        if found is not None and (kind is not Kind.ASSET or found.signature):
            return kind, found
    return None


def _require_fits(character: Character, kind: Kind, name: str) -> None:
    """Refuse more traits in one set than a sheet holds."""
    held = [t for t in CORTEX.has(character).traits(kind).values() if kind is not Kind.TRAIT or t.set == name]
    if len(held) >= sheet.MOST_TRAITS:
        raise NotAllowed(
            "{name} has {most_traits} traits already, which is the most.",
            name=name,
            most_traits=sheet.MOST_TRAITS,
        )
