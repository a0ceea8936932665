"""Cortex characters: join, edit a sheet by trait or as a whole, rename (D1)."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from zlib import crc32

from rules.campaign import seats
from rules.campaign.seats import Actor, owner_of, require_character
from rules.cortex import push_and_challenge, rating, sheet, sheet_lines, turn
from rules.cortex.facts import TraitChanged
from rules.cortex.kinds import ON_SHEET, Foe, Target, Trait, TraitKind
from rules.cortex.model import CORTEX, LONGEST_FIRST_SHEET, Against, Contest, Roll, with_traits
from rules.cortex.named_pools import require_free
from rules.cortex.pool import Rating
from rules.cortex.pool_resolver import vocabulary_of
from rules.cortex.pool_words import NameIndex
from rules.cortex.sheet import MOST_TRAITS, Sheet
from rules.cortex.trait_lookup import find_trait, label_for
from rules.cortex.traits import but
from rules.custom_terms import as_standard
from rules.dice import ALL_SIZES, with_those
from rules.errors import NotAllowed, OptionNeeded, RuleError, Unknown
from rules.game import Step
from rules.names import clean, find, fold, get_named, key, one_of, put_named
from rules.table import Character, Table
from rules.text import Words
from rules.values import replace


def of(table: Table) -> Sheet:
    """Return the sheet of a new character, without traits of trait sets that the table no longer has."""
    here = CORTEX.of(table)
    try:
        return without_other_sets(_read_first_sheet(here.first_sheet), here.ruleset.trait_sets)
    except RuleError:  # somebody's own file
        return Sheet()


# A long one takes 50 ms, and each sheet that is typed asks for it.
@lru_cache(maxsize=64)
def _read_first_sheet(text: str) -> Sheet:
    return sheet.read(text, ALL_SIZES, safe=True, is_written=True)


_EXAMPLES = {
    "distinctions": "Reckless Pilot d8, Far From Home d8, Never Gives Up d8",
    "attributes": "Body d8, Mind d10, Charm d6",
    "skills": "Climb d6, Sneak d8, Talk d10",
    "aptitudes": "Alone d6, In Pairs d8, In a Team d10",
    "abilities": "Flight d8, Strength d10",
    "powers": "Flight d8, Strength d10",
    "tier": "Hero d8",
    "values": "Duty d8, Glory d4, Justice d6, Love d10, Power d6, Truth d8",
    "relationships": "Sam d8, Kit d6",
    "specialties": "Medicine d8, Tracking d6",
    "signature assets": "Lucky Scarf d8",
    "resources": "Savings d6",
}
"""Example traits for well-known trait sets, by folded name; no trait is in two sets of one table."""


def example_sheet(table: Table) -> str:
    """Return the text of a new character's sheet, with example traits in trait sets that would be empty.

    It reads back as a whole sheet. A trait set with an unknown name has an empty line.
    """
    rules = CORTEX.of(table).ruleset
    text = sheet.write(of(table), rules.trait_sets, resources=rules.has_resources, safe=rules.safe_dice)
    rows = [(row, _EXAMPLES.get(fold(row[:-1]), "") if row.endswith(":") else "") for row in text.split("\n")]
    return "\n".join(f"{row} {example}".rstrip() for row, example in rows)


def form_text(table: Table, character: Character, *, is_form: bool = True) -> str:
    """Return a sheet as its form shows it; an empty one shows what new characters start with.

    A trait set without traits has an empty line. A trait that has no die yet has its name there if `is_form`:
    another table could not read it.
    """
    rules, own = CORTEX.of(table).ruleset, sheet.of(character)
    shown = of(table) if is_none(own) and not character.gmc else own
    shown = replace(shown, unrated=() if character.gmc or not is_form else unrated(table, own))
    return sheet.write(shown, rules.trait_sets, resources=rules.has_resources, safe=rules.safe_dice)


def unrated(table: Table, own: Sheet) -> tuple[tuple[TraitKind, Trait], ...]:
    """Return the traits of a new character that this sheet has no die for yet, with their kinds."""
    rated = {fold(each.label) for _, each in _traits(own) if each.die}
    return tuple(each for each in of(table).unrated if fold(each[1].label) not in rated)


def without_other_sets(whole: Sheet, names: Collection[str]) -> Sheet:
    """Return a sheet with only the traits of these trait sets, and only their SFX."""
    known = {fold(name) for name in names}
    return _with_traits(
        whole,
        [one for one in _traits(whole) if fold(sheet.row_of(*one)) in known],
    )


def shortened(whole: Sheet) -> Sheet:
    """Return a sheet with as many of its first traits as fit into a form, and their SFX."""
    traits = _traits(whole)

    def length(count: int) -> int:
        return len(sheet.write(_with_traits(whole, traits[:count])))

    fitting = bisect_right(range(len(traits) + 1), LONGEST_FIRST_SHEET, key=length) - 1
    return _with_traits(whole, traits[: max(0, fitting)])


def is_none(found: Sheet) -> bool:
    """Return whether a sheet is empty.

    >>> is_none(Sheet())
    True
    """
    return sheet.write(found) == sheet.write(Sheet())


def _traits(whole: Sheet) -> list[tuple[TraitKind, Trait]]:
    rated = [(kind, each) for kind, held in whole.traits.items() for each in held]
    return [*rated, *whole.unrated]


def _with_traits(whole: Sheet, traits: list[tuple[TraitKind, Trait]]) -> Sheet:
    labels = {"", *(fold(each.label) for _, each in traits if each.die)}
    return replace(
        whole,
        traits={kind: tuple(each for of, each in traits if of is kind and each.die) for kind in whole.traits},
        unrated=tuple((kind, each) for kind, each in traits if not each.die),
        sfx=tuple(each for each in whole.sfx if fold(each.trait) in labels),
    )


DISTINCTIONS, SIGNATURE, RESOURCES = "Distinctions", "Signature assets", "Resources"


APART = "-"
"""What makes a part a trait of its own again (N23)."""


_SFX_LINE = re.compile(
    r"^([^\S\n]*SFX[^\S\n]*:[^:\n]*:)(.*?)(,[^\S\n]*when\b.*)?$", re.IGNORECASE | re.MULTILINE
)
"""An SFX on a sheet: its name, what it gives and costs, and when."""


_SETS = {DISTINCTIONS: TraitKind.DISTINCTION, SIGNATURE: TraitKind.ASSET, RESOURCES: TraitKind.RESOURCE}


def join(table: Table, actor: Actor, name: str, text: str = "") -> Step:
    """Take over a free character, or create one of that name, with the sheet that is typed (D1).

    Raises NotAllowed if the character already has a sheet, and what reading the sheet raises.
    """
    step = seats.join(table, actor, name)
    typed = typed_sheet(table, text)
    if is_none(typed):
        return step
    character = step.table.played_by(actor.id)
    if character is None or not is_none(sheet.of(character)):
        untyped = (of(table), typed_sheet(table, example_sheet(table)))
        if sheet.write(typed) in map(sheet.write, untyped):
            return step
        raise NotAllowed(
            "{name} already has a sheet, so yours wasn't used. To change the sheet: /character edit",
            name=name,
        )
    after = step.table.with_owner(key(character.name), sheet.put_sheet(character, typed))
    _require_free_pools(after, actor, character)
    return replace(step, table=after)


def typed_sheet(
    table: Table, text: str, before: sheet.Sheet | None = None, own_sets: Iterable[str] = ()
) -> sheet.Sheet:
    """Return the sheet that a text means, with the table's dice sizes and safe dice (N13, N14).

    Dice on the sheet `before` may stay, even if the table no longer has their sizes; `own_sets` are its
    trait sets. Raises Unreadable for a line that is no part of a sheet.
    """
    before = before or sheet.Sheet()
    rules = CORTEX.of(table).ruleset
    sizes = with_those(rules.sizes, sheet.sizes_of(before))
    known = dict.fromkeys((*rules.trait_sets, *own_sets))
    typed, names = _in_standard_words(table, text), sheet.labels_of(before)
    lacking = {(fold(each.set), fold(each.label)) for _, each in of(table).unrated}
    return sheet.read(typed, sizes, (*known,), safe=rules.safe_dice, names=names, unrated=lacking)


def _in_standard_words(table: Table, text: str) -> str:
    """A sheet in which SFX give and cost what the table's own words mean (N1)."""
    if not table.settings.words:
        return text
    return _SFX_LINE.sub(lambda line: f"{line[1]}{as_standard(table, line[2])}{line[3] or ''}", text)


def put(
    table: Table,
    actor: Actor,
    trait: str,
    die: str | None = None,
    trait_set: str | None = None,
    who: str | None = None,
    statement: str | None = None,
    part_of: str | None = None,
) -> Step:
    """Put a trait on a sheet, or change its rating or statement (D1, N7).

    Raises NotAllowed without a die for a new rating and for a trait that is in another set; Unknown for
    a statement of a trait that the sheet lacks; OptionNeeded if a new trait needs a set.
    """
    if statement is not None:
        push_and_challenge.require_on(table)
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    label, dice = _typed(table, actor, character, trait, die)
    if statement is None and dice is None:
        raise NotAllowed("{trait} needs a die, such as die:d8.", trait=label)
    is_stated_alone = (
        statement is not None and not part_of and dice and _is_rated(character, label, dice, trait_set)
    )
    if dice is None or is_stated_alone:
        step = Step(table, ())
    else:
        step = _put(table, actor, owner, label, dice, trait_set, part_of)
    if statement is None:
        return step
    table = step.table
    character = table.characters[owner]
    require_character(table, actor, character, Words("change the sheet"))
    held = _held(character, label)
    if held is None:
        raise Unknown(
            "{who} has no {trait} on the sheet. A new trait needs a die. "
            "Example: /character set trait:{trait} die:d8 trait_set:Values statement:Nobody is left behind",
            who=character.name,
            trait=label,
        )
    return step.then(push_and_challenge.statement_points(table, owner, *held, statement))


def _typed(
    table: Table, actor: Actor, character: Character, trait: str, die: str | None
) -> tuple[str, Rating | None]:
    """The label of a trait, and the rating typed with it or beside it."""
    return rating.rated(trait, die, CORTEX.of(table).ruleset, actor.agreed, names=labels(character))


def _is_rated(character: Character, label: str, dice: Rating, trait_set: str | None) -> bool:
    """Whether a sheet has that trait with just that rating."""
    held = _held(character, label)
    if held is None:
        return False
    kind, old = held
    is_set = not trait_set or fold(trait_set) == fold(push_and_challenge.set_of(kind, old))
    is_own = old.signature in (0, old.die)
    return is_set and is_own and (old.die, old.more, old.safe) == (dice.die, dice.more, dice.safe)


def _put(
    table: Table,
    actor: Actor,
    owner: str,
    label: str,
    dice: Rating,
    trait_set: str | None,
    part_of: str | None,
) -> Step:
    """Give a sheet a trait of a trait set, or another rating (D1), also of several or safe dice (N21, N14).

    It may be a part of another trait; `-` as that makes it a trait of its own (N23).
    """
    character = table.characters[owner]
    require_character(table, actor, character, Words("change the sheet"))
    rules = CORTEX.of(table).ruleset
    held = _held(character, label)
    if held is not None and (trait_set is None or not trait_set.strip()):
        kind, old = held
        fresh = _rated(old, dice, is_safe=dice.safe if rules.safe_dice else old.safe)
    else:
        if held is not None:
            raise NotAllowed(
                "{character} already has {label} d{die}. To change it, leave trait_set out.",
                character=character.name,
                label=held[1].label,
                die=held[1].die,
            )
        kind, name = _place_of(table, character, trait_set, label, part_of)
        old = None
        label = label_for(table, kind, label)
        fresh = Trait(
            label, dice.die, int(kind is TraitKind.ASSET), set=name if kind is TraitKind.TRAIT else ""
        )
        fresh = _rated(fresh, dice, is_safe=dice.safe)
        _require_fits(character, kind, name)
    if part_of and part_of.strip():
        fresh = _as_part(CORTEX.has(character).traits(kind), fresh, part_of.strip())
    traits = put_named(CORTEX.has(character).traits(kind), fresh.label, fresh)
    after = table.with_owner(owner, with_traits(character, kind, traits))
    return Step(after, (TraitChanged(character.name, kind, old, fresh),))


def _rated(one: Trait, dice: Rating, *, is_safe: bool) -> Trait:
    """A trait of a sheet with another rating, to which a signature asset goes back (C1, N21, N14)."""
    fresh = replace(one, die=dice.die, more=dice.more, safe=is_safe)
    return replace(fresh, signature=dice.die, usual=dice.more) if one.signature else fresh


def _place_of(
    table: Table, character: Character, trait_set: str | None, label: str, part_of: str | None
) -> tuple[TraitKind, str]:
    """What a new trait is and its trait set, which is that of the trait that it is a part of (D1, N23)."""
    typed = (part_of or "").strip()
    if not typed and not (trait_set and trait_set.strip()) and not character.gmc:
        for kind, each in of(table).unrated:
            if fold(each.label) == fold(label):
                return kind, each.set
    if typed in ("", APART) or (trait_set and trait_set.strip()):
        return kind_of(table, character, trait_set)
    held = [(kind, CORTEX.has(character).traits(kind)) for kind in ON_SHEET]
    sheet_lines.require_whole((one for _, traits in held for one in traits.values()), typed)
    names = [one.label for _, traits in held for one in traits.values() if not one.part_of]
    name = find(typed, names, Words("trait"))
    kind, whole = next((kind, traits[key(name)]) for kind, traits in held if key(name) in traits)
    return kind, whole.set


def _as_part(traits: Mapping[str, Trait], one: Trait, typed: str) -> Trait:
    """A trait as a part of another one of its kind, or as one of its own (N23)."""
    if typed == APART:
        return replace(one, part_of="")
    whole = sheet_lines.whole_of(traits, one.label, typed)
    return replace(one, part_of=whole.label, set=whole.set)


def unset(table: Table, actor: Actor, trait: str, who: str | None = None) -> Step:
    """Remove a trait and its SFX from a sheet; its parts stay as traits of their own (N23).

    Raises NotAllowed for the scene and for a sheet the caller may not change; Unknown if there is no
    such trait.
    """
    owner, label, kind = find_trait(table, actor, ON_SHEET, trait, who)
    character = table.characters.get(owner)
    if character is None:
        raise NotAllowed("The {scene.one} has no sheet. To remove {distinction.a} from it: /dist remove")
    require_character(table, actor, character, Words("change the sheet"))
    old = CORTEX.has(character).traits(kind)[label]
    traits = but(CORTEX.has(character).traits(kind), label)
    sfx = {k: each for k, each in CORTEX.has(character).sfx.items() if fold(each.trait) != fold(label)}
    fresh = CORTEX.give(character, replace(CORTEX.has(character).with_traits(kind, traits), sfx=sfx))
    return Step(table.with_owner(owner, fresh), (TraitChanged(character.name, kind, old, None),))


def with_text(table: Table, actor: Actor, character: Character, text: str) -> Character:
    """Return a character with the sheet that a text means, in place of their own (D1).

    Raises NotAllowed for a saved pool whose name means something else; Unreadable for a line that is no
    part of a sheet.
    """
    typed = typed_sheet(table, text, sheet.of(character), sets(table, character))
    after = sheet.put_sheet(character, typed)
    _require_free_pools(table.with_owner(key(character.name), after), actor, character)
    return after


def _require_free_pools(table: Table, actor: Actor, before: Character) -> None:
    """Refuse a new saved pool whose name means something else where dice are typed (D2)."""
    after = table.characters[key(before.name)]
    old = CORTEX.has(before).kept
    fresh = [pool for name, pool in CORTEX.has(after).kept.items() if name not in old]
    known = vocabulary_of(table, actor, after) if fresh else NameIndex()
    for pool in fresh:
        require_free(pool.name, known)


def mark(character: Character) -> str:
    """Return a checksum of a character's sheet as eight hex digits.

    >>> len(mark(Character("Kim")))
    8
    """
    return f"{crc32(sheet.write(sheet.of(character), safe=True).encode()):08x}"


def kind_of(table: Table, character: Character, trait_set: str | None) -> tuple[TraitKind, str]:
    """Return the kind of trait that a set holds, and the set's name; an unknown name means a new set.

    Raises OptionNeeded if `trait_set` is empty.

    >>> kind_of(Table(), Character("Kim"), "distinctions")
    (<TraitKind.DISTINCTION: 'distinction'>, 'Distinctions')
    >>> kind_of(Table(), Character("Kim"), "Gear")
    (<TraitKind.TRAIT: 'trait'>, 'Gear')
    """
    known = list(dict.fromkeys([*sets(table, character), *_SETS]))
    if trait_set is None or not trait_set.strip():
        raise OptionNeeded(
            "Choose a trait set: {known}.", option="trait_set", choices=known, known=one_of(known)
        )
    typed = rating.without_die(clean(trait_set, Words("trait set"), 40))
    own = [trait.set for trait in CORTEX.has(character).sheet.values() if trait.set]
    exact = [each for each in (*own, *known) if fold(each) == fold(typed)][:1]
    begun = exact or [each for each in known if fold(each).startswith(fold(typed))]
    name = begun[0] if len(begun) == 1 else typed
    return _SETS.get(name, TraitKind.TRAIT), name


def sets(table: Table, character: Character) -> list[str]:
    """Return the names of the trait sets of the ruleset and of the character."""
    own = [trait.set for trait in CORTEX.has(character).sheet.values() if trait.set]
    return list(dict.fromkeys([*CORTEX.of(table).ruleset.trait_sets, *own]))


def sets_to_choose(table: Table, character: Character) -> list[str]:
    """Return the names of the trait sets that a new trait can be in."""
    return [*sets(table, character), RESOURCES]


def labels(character: Character) -> list[str]:
    """Return the labels of the traits on a sheet."""
    return [one.label for kind in ON_SHEET for one in CORTEX.has(character).traits(kind).values()]


def wholes(character: Character) -> list[str]:
    """Return the labels of the traits that can have parts: those that are no parts themselves (N23)."""
    held = (one for kind in ON_SHEET for one in CORTEX.has(character).traits(kind).values())
    return [one.label for one in held if not one.part_of]


def _held(character: Character, label: str) -> tuple[TraitKind, Trait] | None:
    """The trait of that label on the sheet, and its kind."""
    for kind in ON_SHEET:
        found = get_named(CORTEX.has(character).traits(kind), label)
        if found is not None and (kind is not TraitKind.ASSET or found.signature):
            return kind, found
    return None


def _require_fits(character: Character, kind: TraitKind, name: str) -> None:
    """Refuse more traits in one set than a sheet holds."""
    held = [
        t for t in CORTEX.has(character).traits(kind).values() if kind is not TraitKind.TRAIT or t.set == name
    ]
    if len(held) >= MOST_TRAITS:
        raise NotAllowed(
            "{name} already has {most_traits} traits, which is the limit.",
            name=name,
            most_traits=MOST_TRAITS,
        )


def renamed(table: Table, who: str, name: str) -> Table:
    """Return the table with a character renamed in rolls, contests, pools, groups and turns."""
    old, fresh = table.characters[who].name, key(name)
    here = CORTEX.of(table)
    after = replace(
        here,
        rolls={number: _roll(roll, old, name) for number, roll in here.rolls.items()},
        contests={number: _contest(contest, old, name) for number, contest in here.contests.items()},
        pools={k: replace(each, who=fresh) if each.who == who else each for k, each in here.pools.items()},
        split=tuple(tuple(name if each == old else each for each in group) for group in here.split),
    )
    return turn.renamed(CORTEX.put(table, after), who, fresh)


def _roll(roll: Roll, old: str, new: str) -> Roll:
    """A roll with everything on it that names somebody by another name."""
    on = tuple(new if each == old else each for each in roll.on)
    goal = roll.recovery
    if goal is not None and goal.owner == key(old):
        goal = replace(goal, owner=key(new), said=goal.said.replace(old, new, 1))
    who = new if roll.who == old else roll.who
    target = _target(roll.target, old, new)
    closing = tuple(
        replace(each, owner=key(new)) if each.owner == key(old) else each for each in roll.closing
    )
    roll = replace(roll, closing=closing)
    turn = new if roll.turn == old else roll.turn
    return replace(
        roll, who=who, on=on, against=_against(roll, old, new), recovery=goal, target=target, turn=turn
    )


def _against(roll: Roll, old: str, new: str) -> Against | None:
    if roll.against is None:
        return None
    is_named = roll.against.label == old and (roll.contest or roll.against.target is not None)
    label = new if is_named else roll.against.label
    return replace(roll.against, label=label, target=_target(roll.against.target, old, new))


def _target(target: Target | None, old: str, new: str) -> Target | None:
    is_theirs = target is not None and target.foe is Foe.GMC and target.key == key(old)
    return Target(Foe.GMC, key(new)) if is_theirs else target


def _contest(contest: Contest, old: str, new: str) -> Contest:
    first, second = (new if side == old else side for side in contest.sides)
    return replace(contest, sides=(first, second))
