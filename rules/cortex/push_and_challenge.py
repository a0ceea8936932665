"""Pushed stress, challenged traits, and trait statements (N2, N3, N7)."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial

from rules.campaign.seats import Actor, require_character
from rules.cortex import gm_pools, points
from rules.cortex.facts import Cause, Change, StatementSettled, TraitChanged, Why
from rules.cortex.kinds import KINDS, LONGEST_STATEMENT, ON_SHEET, TROUBLE, Sfx, Trait, TraitKind
from rules.cortex.model import CORTEX, Closes, Closing, Roll, with_traits
from rules.cortex.pool import Die, Pool, Source, TraitUse, quote_label, source_of
from rules.cortex.roll_status import is_in_doubt
from rules.cortex.ruleset import PushStress, Ruleset
from rules.cortex.sfx import Act, parts
from rules.cortex.trait_lookup import kind_words
from rules.cortex.traits import challenge_trait, removed, stepped_up
from rules.dice import SIZES, typable
from rules.errors import NotAllowed, PossibleAnswer, RuleError, SettingOff, TooLate, Undecided
from rules.game import Step
from rules.names import clean, find, fold, get_named, key, one_of
from rules.table import Character, Table
from rules.text import Words
from rules.values import exhaustive, replace

PUSH, CHALLENGE = "push", "challenge"
"""Verbs while their setting is on, right before a die or a name."""


def verbs(rules: Ruleset) -> tuple[str, ...]:
    """Return the verbs that the settings allow: push, challenge, both or neither.

    >>> verbs(Ruleset(statements=True, push_stress=PushStress.ONE_PP)), verbs(Ruleset())
    (('push', 'challenge'), ())
    """
    push = (PUSH,) if rules.push_stress is not PushStress.OFF else ()
    return (*push, CHALLENGE) if rules.statements else push


def helps(rules: Ruleset, kind: TraitKind, size: int) -> bool:
    """Return whether trouble of this size helps its owner and nobody else (N2).

    >>> helps(Ruleset(d4_helps=True), TraitKind.STRESS, 4), helps(Ruleset(), TraitKind.STRESS, 4)
    (True, False)
    """
    return rules.d4_helps and kind in TROUBLE and size == SIZES[0]


def pushable(character: Character | None) -> list[tuple[TraitKind, Trait]]:
    """Return the character's stress and complications of d6 or more (N3)."""
    own = [] if character is None else [(kind, CORTEX.has(character).traits(kind)) for kind in TROUBLE]
    return [(kind, trait) for kind, held in own for trait in held.values() if trait.die > SIZES[0]]


def challengeable(character: Character | None) -> list[tuple[TraitKind, Trait]]:
    """Return the character's traits that have a statement (N7)."""
    own = [] if character is None else [(kind, CORTEX.has(character).traits(kind)) for kind in ON_SHEET]
    return [(kind, trait) for kind, held in own for trait in held.values() if trait.statement]


def offered(table: Table, character: Character | None) -> dict[str, Die]:
    """Return each verb with each trait that it applies to, mapped to its die: `push Angry`."""
    on = verbs(CORTEX.of(table).ruleset)
    found = {
        PUSH: (TraitUse.PUSHED, pushable(character)),
        CHALLENGE: (TraitUse.CHALLENGED, challengeable(character)),
    }
    return {
        f"{verb} {_typed(trait.label)}": Die(trait.die, trait.label, source_of(kind, trait).used(use))
        for verb, (use, traits) in found.items()
        if verb in on
        for kind, trait in traits
    }


def _typed(label: str) -> str:
    """A label as it is typed behind a verb: in quotation marks where a sign in it parts words."""
    words = typable(label)
    return f'"{words}"' if any(sign in words for sign in ",+;") else words


def typed_offers(table: Table, character: Character | None) -> dict[str, Die]:
    """Return as `offered`, with stress also under its full name: `push Angry stress`."""
    found = offered(table, character)
    own = pushable(character) if PUSH in verbs(CORTEX.of(table).ruleset) else ()
    for kind, trait in own:
        name = f"{PUSH} {_typed(trait.label)}"
        for word in kind_words(table, kind) if KINDS[kind].is_track else ():
            found.setdefault(f"{name}{word}", found[name])
    return found


def refusals(table: Table, character: Character | None) -> dict[str, Callable[[], RuleError]]:
    """Return a function for each verb that is on, which makes its refusal (N3, N7)."""
    there = {name: f"{die.label} d{die.size}" for name, die in offered(table, character).items()}
    return {
        verb: partial(
            _refusal, verb, tuple(said for name, said in there.items() if name.startswith(f"{verb} "))
        )
        for verb in verbs(CORTEX.of(table).ruleset)
    }


def _refusal(verb: str, there: tuple[str, ...]) -> NotAllowed:
    there_is = Words("Try {names}.", names=one_of(there)) if there else Words("You have none right now.")
    if verb == PUSH:
        return NotAllowed(
            "You can only push your own {stress.one} or {complication.one} of d6 or more. {there_is}",
            there_is=there_is,
        )
    return NotAllowed(
        "You can only challenge your own traits that have a statement. {there_is} To add a statement: "
        "/character set",
        there_is=there_is,
    )


def require_read(table: Table, character: Character | None, typed: str, known: Mapping[str, Die]) -> None:
    """Explain why a text that can't be read as dice names the character's trouble or traits (N2, N3, N7).

    Raises SettingOff if it needs a setting that is off; NotAllowed if a trait can't be pushed or challenged.
    Returns quietly if the text is about something else.
    """
    rules, read = CORTEX.of(table).ruleset, {fold(name) for name in known}
    trouble = {
        f"{fold(trait.label)}{word}": trait
        for kind in TROUBLE
        for trait in _own(character, kind)
        for word in ("", *(kind_words(table, kind) if KINDS[kind].is_track else ()))
    }
    for part in re.split(r"[,+;\n]", typed):
        name = fold(part.replace('"', " "))
        verb, _, behind = name.partition(" ")
        if verb == PUSH and behind in trouble:
            require_pushing(table, PushStress.ONE_PP)
            raise refusals(table, character)[PUSH]()
        if verb == CHALLENGE and rules.statements and _is_on_sheet(character, behind):
            raise refusals(table, character)[CHALLENGE]()
        if verb == CHALLENGE and not rules.statements and _is_on_sheet(character, behind):
            raise SettingOff(
                "Statements are off in this campaign, so traits can't be challenged.", setting="statements"
            )
        is_small = name in trouble and trouble[name].die == SIZES[0]
        if is_small and name not in read and not rules.d4_helps:
            raise SettingOff(
                '{label} d4 doesn\'t help, because the setting "d4 trouble helps" is off.',
                setting="d4 trouble helps",
                label=trouble[name].label,
            )


def _own(character: Character | None, kind: TraitKind) -> Iterable[Trait]:
    return () if character is None else CORTEX.has(character).traits(kind).values()


def _is_on_sheet(character: Character | None, name: str) -> bool:
    return any(fold(trait.label) == name for kind in ON_SHEET for trait in _own(character, kind))


def marked(pool: Pool) -> Pool:
    """Return a pool with the die of each challenged trait three times (N7).

    Raises NotAllowed for more of the character's trouble, or more challenges, than a roll may have.
    """
    uses = [die.source.use for die in pool]
    if uses.count(TraitUse.PUSHED) > 1:
        raise NotAllowed("A roll can push only one trait. Leave the other out.")
    if uses.count(TraitUse.CHALLENGED) > 1:
        raise NotAllowed("A roll can challenge only one trait. Leave the other out.")
    own = [key(die.label) for die in pool if die.source.use is TraitUse.HELPS]
    if twice := next((label for label in own if own.count(label) > 1), None):
        raise NotAllowed("{label} helps only once, so name it once.", label=twice)
    dice: list[Die] = []
    for die in pool:
        if die.source.use is TraitUse.CHALLENGED:
            # The first of the three is the trait's own die, the others are past no limit (D3).
            dice += [Die(die.size, die.label, die.source.used(None)), die, die]
        else:
            dice.append(die)
    return tuple(dice)


def write_trouble(die: Die, known: Collection[Die]) -> str:
    """Return a pushed or challenged die as it is typed again, with its size if that has changed.

    >>> angry = Die(8, "Angry", Source(TraitKind.STRESS, use=TraitUse.PUSHED))
    >>> write_trouble(angry, [angry]), write_trouble(angry, []), write_trouble(Die(8, "Angry"), [])
    ('push Angry', 'push Angry d8', '')

    Returns "" for any other die.
    """
    if die.source.use not in (TraitUse.PUSHED, TraitUse.CHALLENGED):
        return ""
    verb = PUSH if die.source.use is TraitUse.PUSHED else CHALLENGE
    name = f"{verb} {quote_label(die.label)}"
    return name if die in known else f"{name} d{die.size}"


def still(table: Table, character: Character | None, pool: Pool) -> Pool:
    """Return an earlier pool with the character's own trouble as it is now.

    Raises NotAllowed if a trait can no longer be pushed or challenged.
    """
    dice = []
    labels = {(die.source, key(die.label)) for die in offered(table, character).values()}
    for die in pool:
        use = die.source.use
        if use in (TraitUse.PUSHED, TraitUse.CHALLENGED) and (die.source, key(die.label)) not in labels:
            raise NotAllowed("You can no longer push or challenge {label}.", label=die.label)
        if use is TraitUse.HELPS and not _helps_still(table, character, die):
            die = Die(die.size, die.label)
        dice.append(die)
    return tuple(dice)


def _helps_still(table: Table, character: Character | None, die: Die) -> bool:
    """Whether the d4 of own trouble is still one (N2)."""
    own = [] if character is None else [CORTEX.has(character).traits(kind) for kind in TROUBLE]
    sizes = [held[key(die.label)].die for held in own if key(die.label) in held]
    return CORTEX.of(table).ruleset.d4_helps and SIZES[0] in sizes


def has_marks(pool: Pool) -> bool:
    """Return whether a pool has the character's own trouble or a challenged trait."""
    return any(die.source.use is not None for die in pool)


def trouble_points(
    table: Table,
    character: Character | None,
    pool: Pool,
    sfx: Iterable[Sfx],
    agreed: Iterable[str],
    asks: bool,
) -> Pool:
    """Return the pool with the dice that SFX push (N3).

    Raises SettingOff if pushing is off; NotAllowed if there is nothing to push; Undecided if a bare `push`
    could mean several.
    """
    for each in sfx:
        for part in parts(each.benefit):
            if part.act is Act.PUSH:
                require_pushing(table, PushStress.SFX)
                pool = _with_pushed(character, pool, each, part.label, tuple(agreed), asks)
    return pool


def require_pushing(table: Table, so: PushStress) -> None:
    """Check that pushing is on; `so` is the setting's value that would do (N3). Raises SettingOff if not."""
    if CORTEX.of(table).ruleset.push_stress is PushStress.OFF:
        raise SettingOff(
            "Pushing {stress.one} is off in this campaign.", setting="push stress", value=str(so)
        )


def _with_pushed(
    character: Character | None, pool: Pool, sfx: Sfx, label: str, agreed: tuple[str, ...], asks: bool
) -> Pool:
    """The pool with what one SFX pushes, unless it is in it already."""
    there = [die for die in pool if die.source.use is TraitUse.PUSHED]
    if there and (not label or fold(there[0].label) == fold(label)):
        return pool
    fits = [
        (kind, trait)
        for kind, trait in pushable(character)
        if fold(trait.label) == fold(label or trait.label)
    ]
    if not fits:
        raise NotAllowed(
            "{sfx} pushes {label}, but there's no matching {stress.one} or {complication.one} of d6 or more.",
            sfx=sfx.name,
            label=label or Words("something"),
        )
    signs = {f"push {kind} {key(trait.label)}": (kind, trait) for kind, trait in fits}
    meant = [each for sign, each in signs.items() if sign in agreed]
    if len(fits) > 1 and not meant and asks:
        answers = [
            PossibleAnswer(Words("{label} d{die}", label=trait.label, die=trait.die), sign)
            for sign, (_, trait) in list(signs.items())[:5]
        ]
        raise Undecided("What does {sfx} push?", *answers, sfx=sfx.name)
    kind, trait = (meant or fits)[0]
    return (*pool, Die(trait.die, trait.label, Source(kind, use=TraitUse.PUSHED)))


def require_paid(table: Table, pool: Pool, sfx: Iterable[Sfx]) -> None:
    """Check that an SFX allows the push. Raises SettingOff if only SFX may push and none does (N3)."""
    is_pushed = any(die.source.use is TraitUse.PUSHED for die in pool)
    if is_pushed and CORTEX.of(table).ruleset.push_stress is PushStress.SFX and not _gives(sfx):
        raise SettingOff(
            "Only an SFX can push in this campaign, and no SFX in this pool does.",
            setting="push stress",
            value="1 PP",
        )


def _gives(sfx: Iterable[Sfx]) -> bool:
    return any(part.act is Act.PUSH for each in sfx for part in parts(each.benefit))


def paid(table: Table, who: str, pool: Pool, sfx: Iterable[Sfx], *, gm: bool) -> Step:
    """Pay the owner for d4s of trouble, and take the price of pushing (N2, N3); the GM uses doom dice (P1).

    Raises NotAllowed if the price can't be paid.
    """
    step = Step(table, ())
    for die in pool:
        if die.source.use is TraitUse.HELPS and not gm:
            step = step.then(points.earn_points(step.table, who, 1, Why(Cause.HELP, die.label)))
        if die.source.use is not TraitUse.PUSHED or _gives(sfx):
            continue
        why = Why(Cause.PUSH, die.label)
        sizes = gm_pools.dice(step.table, gm_pools.DOOM) if gm and CORTEX.of(table).ruleset.doom else ()
        if not gm:
            step = step.then(points.pay_points(step.table, who, 1, why))
        elif CORTEX.of(table).ruleset.doom:
            if not sizes:
                raise NotAllowed(
                    "Pushing costs the {gm.one} {doom_pool.a_short} die, but the {doom_pool.one} is empty."
                )
            step = step.then(gm_pools.remove_dice(step.table, gm_pools.DOOM, sizes[:1], Change.SPENT, why))
    return step


NONE = "-"
"""What takes a statement away."""


SETTLE = Words("settle a statement")


Challenged = tuple[str, TraitKind, Trait]
"""A trait that was challenged, with its owner's key and its kind."""


def require_on(table: Table) -> None:
    """Check that the table has statements. Raises SettingOff if it hasn't (N7)."""
    if not CORTEX.of(table).ruleset.statements:
        raise SettingOff("Statements are off in this campaign.", setting="statements")


def read(typed: str) -> str:
    """Return a typed statement; "" for `-`, which removes it.

    >>> read("  Nobody  fools me "), read("-")
    ('Nobody fools me', '')

    Raises Unreadable if it is empty or too long.
    """
    return "" if typed.strip() == NONE else clean(typed, Words("statement"), LONGEST_STATEMENT)


def challenge_statement(table: Table) -> list[Challenged]:
    """Return the challenged traits whose statements haven't been settled yet (N7)."""
    return [
        (who, kind, trait)
        for who, character in table.characters.items()
        for kind in ON_SHEET
        for trait in CORTEX.has(character).traits(kind).values()
        if trait.was
    ]


def rewrite(table: Table, actor: Actor, who: str, kind: TraitKind, label: str, typed: str) -> Step:
    """Replace a statement and give its trait the rating from before the challenge (N7).

    Raises TooLate if that is settled already; NotAllowed without a new statement.
    """
    old = _challenged(table, actor, who, kind, label)
    said = read(typed)
    if not said:
        raise NotAllowed("A statement is a sentence. Example: Duty asks too much of me")
    return _settled(table, who, kind, old, replace(old, die=old.was, was=0, statement=said))


def keep(table: Table, actor: Actor, who: str, kind: TraitKind, label: str, other: str = "") -> Step:
    """Keep the lower rating; if its set's total is fixed, another trait of the set steps up (N7).

    Raises TooLate if that is settled already; NotAllowed if `other` is needed and missing;
    Unknown or Ambiguous if it can't step up.
    """
    old = _challenged(table, actor, who, kind, label)
    others = to_step_up(table, who, kind, old)
    if others and not other:
        raise NotAllowed("Choose the trait that steps up instead.")
    step = _settled(table, who, kind, old, replace(old, was=0))
    if not others:
        return step
    name = find(other, [each.label for each in others], Words("trait"))
    return step.then(stepped_up(step.table, who, kind, key(name)))


def to_step_up(table: Table, who: str, kind: TraitKind, trait: Trait) -> list[Trait]:
    """Return the traits of its set of which one steps up to keep the total; [] if it isn't fixed (N7)."""
    fixed = map(fold, CORTEX.of(table).ruleset.fixed_total)
    if trait.die == trait.was or fold(set_of(kind, trait)) not in fixed:
        return []
    held = CORTEX.has(table.characters[who]).traits(kind).values()
    return [
        each
        for each in held
        if each.label != trait.label and each.die < SIZES[-1] and set_of(kind, each) == set_of(kind, trait)
    ]


def set_of(kind: TraitKind, trait: Trait) -> str:
    """Return the trait set of a trait, as the settings name it.

    >>> set_of(TraitKind.TRAIT, Trait("Mind", 10, set="Attributes"))
    'Attributes'
    >>> set_of(TraitKind.ASSET, Trait("Sword", 8))
    'Signature assets'
    """
    if kind is TraitKind.TRAIT:
        return trait.set
    return "Signature assets" if kind is TraitKind.ASSET else KINDS[kind].section


def _challenged(table: Table, actor: Actor, who: str, kind: TraitKind, label: str) -> Trait:
    """The trait that was challenged. Raises TooLate where that is settled, NotAllowed for others."""
    require_on(table)
    character = table.characters.get(who)
    trait = None if character is None else CORTEX.has(character).traits(kind).get(key(label))
    if character is None or trait is None or not trait.was:
        raise TooLate("That statement has already been settled, or its trait is gone.")
    require_character(table, actor, character, SETTLE)
    return trait


def _settled(table: Table, who: str, kind: TraitKind, old: Trait, new: Trait) -> Step:
    owner = table.characters[who]
    after = replace(new, signature=new.die if new.signature else 0)
    said = StatementSettled(owner.name, kind, old, after)
    return Step(_with(table, who, owner, kind, after), (said,))


def statement_points(table: Table, who: str, kind: TraitKind, old: Trait, typed: str) -> Step:
    """Change or remove the statement of a trait (N7).

    Raises NotAllowed if it says that already; SettingOff if the table has no statements.
    """
    require_on(table)
    owner, new = table.characters[who], replace(old, statement=read(typed))
    if new == old:
        raise NotAllowed("The statement of {label} already says that.", label=old.label)
    said = TraitChanged(owner.name, kind, old, new)
    return Step(_with(table, who, owner, kind, new), (said,))


def _with(table: Table, who: str, owner: Character, kind: TraitKind, trait: Trait) -> Table:
    held = {**CORTEX.has(owner).traits(kind), key(trait.label): trait}
    return table.with_owner(who, with_traits(owner, kind, held))


def find_closings(table: Table, roll: Roll) -> tuple[Closing, ...]:
    """Return what will happen when a roll closes because of its own traits (N2, N3, N7)."""
    character = table.characters.get(key(roll.who))
    marked = [(die.label, die.source.use) for die in roll.hand.dice if die.source.use is not None]
    if character is None or not marked:
        return ()
    several = (_of(character, label, use) for label, use in marked)
    return tuple(dict.fromkeys(each for each in several if each is not None))


def _of(character: Character, label: str, use: TraitUse) -> Closing | None:
    """What a die of that label has to come, where its trait is there."""
    does = _AFTER[use]
    kinds = ON_SHEET if does is Closes.STEPS_DOWN else TROUBLE
    own = CORTEX.has(character)
    for kind in kinds:
        traits = own.traits(kind)
        trait = get_named(traits, label)
        if trait is not None and (does is not Closes.GOES or trait.die == SIZES[0]):
            return Closing(does, key(character.name), kind, trait.label)
    return None


def is_pending(roll: Roll) -> bool:
    """Return whether something has yet to happen when a roll closes."""
    return any(not each.done for each in roll.closing)


def closed(table: Table, roll: Roll) -> Step:
    """Do what was due when a roll closes, once."""
    done = replace(roll, closing=tuple(replace(each, done=True) for each in roll.closing))
    here = CORTEX.of(table)
    rolls = {**here.rolls, roll.number: done} if roll.number in here.rolls else here.rolls
    step = Step(CORTEX.put(table, replace(here, rolls=rolls)), ())
    for each in roll.closing:
        trait = trait_of(step.table, each)
        if trait is not None and not each.done:
            step = step.then(_DONE[each.does](step.table, each, trait))
    return step


def ahead(table: Table, name: str) -> Step:
    """Close the earlier rolls of a character, because the next one begins."""
    step = Step(table, ())
    for roll in CORTEX.of(table).rolls.values():
        # A roll that the GM has yet to rule on closes once it stands (C4).
        if is_pending(roll) and key(roll.who) == key(name) and not is_in_doubt(table, roll):
            step = step.then(closed(step.table, roll))
    return step


def trait_of(table: Table, each: Closing) -> Trait | None:
    """Return the trait that something will happen to; None if it is gone."""
    owner = table.characters.get(each.owner)
    return None if owner is None else CORTEX.has(owner).traits(each.kind).get(key(each.label))


def _gone(table: Table, each: Closing, trait: Trait) -> Step:
    """A d4 that has helped is gone; one that has grown stays (N2)."""
    if trait.die != SIZES[0]:
        return Step(table, ())
    return removed(table, each.owner, each.kind, key(each.label))


def _stepped_up(table: Table, each: Closing, trait: Trait) -> Step:
    """What was pushed steps up once (N3, C4, C5)."""
    return stepped_up(table, each.owner, each.kind, key(each.label))


def _close_challenged(table: Table, each: Closing, trait: Trait) -> Step:
    """What was challenged steps down once (N7)."""
    return challenge_trait(table, each.owner, each.kind, key(each.label))


_DONE: Mapping[Closes, Callable[[Table, Closing, Trait], Step]] = exhaustive(
    Closes, {Closes.GOES: _gone, Closes.STEPS_UP: _stepped_up, Closes.STEPS_DOWN: _close_challenged}
)


_AFTER = exhaustive(
    TraitUse,
    {
        TraitUse.HELPS: Closes.GOES,
        TraitUse.PUSHED: Closes.STEPS_UP,
        TraitUse.CHALLENGED: Closes.STEPS_DOWN,
    },
)


def helping(roll: Roll) -> tuple[Closing, ...]:
    """Return the d4s of trouble that helped a roll, even those that have since gone (N2)."""
    return tuple(each for each in roll.closing if each.does is Closes.GOES)


def is_helper(each: Closing, label: str) -> bool:
    """Return whether this is the removal of the helpful d4 with that label."""
    return each.does is Closes.GOES and key(each.label) == key(label)
