"""Statements of traits: given, challenged, and settled where a session ends (N7)."""

from rules.cortex.state.facts import StatementSettled, TraitChanged
from rules.cortex.state.kinds import KINDS, LONGEST_STATEMENT, ON_SHEET, Kind, Trait
from rules.cortex.state.part import CORTEX, with_traits
from rules.cortex.traits.traits import stepped_up
from rules.dice import SIZES
from rules.errors import NotAllowed, SettingOff, TooLate
from rules.kinds import key
from rules.names import clean, find
from rules.result import Step
from rules.seats import Actor, require_character
from rules.table import Character, Table
from rules.values import replace
from rules.words import Words

NONE = "-"
"""What takes a statement away."""
SETTLE = Words("settle a statement")

Challenged = tuple[str, Kind, Trait]
"""A trait that was challenged, with its owner's key and its kind."""


def require_on(table: Table) -> None:
    """Refuse statements where the setting is off (N7)."""
    if not CORTEX.of(table).ruleset.statements:
        raise SettingOff("Statements are off in this campaign.", setting="statements")


def read(typed: str) -> str:
    """A statement as typed, none for `-`. Raises Unreadable for one that is too long or empty."""
    return "" if typed.strip() == NONE else clean(typed, Words("statement"), LONGEST_STATEMENT)


def challenged(table: Table) -> list[Challenged]:
    """The traits that were challenged, and whose statements nobody has settled since (N7)."""
    return [
        (who, kind, trait)
        for who, character in table.characters.items()
        for kind in ON_SHEET
        for trait in CORTEX.has(character).traits(kind).values()
        if trait.was
    ]


def rewrite(table: Table, actor: Actor, who: str, kind: Kind, label: str, typed: str) -> Step:
    """A statement is another, and its trait has the rating of before it was challenged (N7)."""
    old = _challenged(table, actor, who, kind, label)
    said = read(typed)
    if not said:
        raise NotAllowed("A statement is a sentence. Example: Duty asks too much of me")
    return _settled(table, who, kind, old, replace(old, die=old.was, was=0, statement=said))


def keep(table: Table, actor: Actor, who: str, kind: Kind, label: str, other: str = "") -> Step:
    """The rating stays; where its set's total is fixed, another trait of the set steps up (N7)."""
    old = _challenged(table, actor, who, kind, label)
    others = to_step_up(table, who, kind, old)
    if others and not other:
        raise NotAllowed("Choose the trait that steps up instead.")
    step = _settled(table, who, kind, old, replace(old, was=0))
    if not others:
        return step
    name = find(other, [each.label for each in others], Words("trait"))
    return step.then(stepped_up(step.table, who, kind, key(name)))


def to_step_up(table: Table, who: str, kind: Kind, trait: Trait) -> list[Trait]:
    """The traits of its set one of which steps up where it stays down, and the total is fixed (N7)."""
    fixed = map(key, CORTEX.of(table).ruleset.fixed_total)
    if trait.die == trait.was or key(set_of(kind, trait)) not in fixed:
        return []
    held = CORTEX.has(table.characters[who]).traits(kind).values()
    return [
        each
        for each in held
        if each.label != trait.label and each.die < SIZES[-1] and set_of(kind, each) == set_of(kind, trait)
    ]


def set_of(kind: Kind, trait: Trait) -> str:
    """The trait set of a trait, as the setting names it."""
    if kind is Kind.TRAIT:
        return trait.set
    return "Signature assets" if kind is Kind.ASSET else KINDS[kind].section


def _challenged(table: Table, actor: Actor, who: str, kind: Kind, label: str) -> Trait:
    """The trait that was challenged. Raises TooLate where that is settled, NotAllowed for others."""
    require_on(table)
    character = table.characters.get(who)
    trait = None if character is None else CORTEX.has(character).traits(kind).get(key(label))
    if character is None or trait is None or not trait.was:
        raise TooLate("That statement has already been settled, or its trait is gone.")
    require_character(table, actor, character, SETTLE)
    return trait


def _settled(table: Table, who: str, kind: Kind, old: Trait, new: Trait) -> Step:
    owner = table.characters[who]
    after = replace(new, signature=new.die if new.signature else 0)
    said = StatementSettled(owner.name, kind, old, after)
    return Step(_with(table, who, owner, kind, after), (said,))


def given(table: Table, who: str, kind: Kind, old: Trait, typed: str) -> Step:
    """A trait of a sheet has another statement, or none any more (N7)."""
    require_on(table)
    owner, new = table.characters[who], replace(old, statement=read(typed))
    if new == old:
        raise NotAllowed("The statement of {label} already says that.", label=old.label)
    said = TraitChanged(owner.name, kind, old, new)
    return Step(_with(table, who, owner, kind, new), (said,))


def _with(table: Table, who: str, owner: Character, kind: Kind, trait: Trait) -> Table:
    held = {**CORTEX.has(owner).traits(kind), key(trait.label): trait}
    return table.with_owner(who, with_traits(owner, kind, held))
