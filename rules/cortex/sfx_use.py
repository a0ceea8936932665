"""Add, remove, use and recover the SFX and limits of characters (X1)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import NoReturn, assert_never

from rules.campaign.rolls import require_roller
from rules.campaign.seats import Actor, owner_of, require_character, seat_of
from rules.cortex import outcome, traits
from rules.cortex.facts import DiceTakenOut, SfxChanged
from rules.cortex.kinds import Foe, Sfx, TraitKind
from rules.cortex.model import CORTEX, Hand, Roll, RolledDie
from rules.cortex.pool import SOURCES, Die, Special, require_safe
from rules.cortex.pool_resolver import known_names
from rules.cortex.push_and_challenge import require_pushing
from rules.cortex.rating import label as read_label
from rules.cortex.rating import without_die
from rules.cortex.reroll import (
    MOST_ASKED,
    NamedDie,
    alike,
    ask,
    dice_shown,
    die_and_face,
    distinct,
    free_dice,
    highest_of,
    is_fixed,
    names_of,
    ones_of,
    rerolled,
)
from rules.cortex.roll import check_open, find, roller_seat
from rules.cortex.roll_status import is_given_in, require_undecided, rules_of
from rules.cortex.ruleset import PushStress
from rules.cortex.sfx import (
    BEFORE,
    HIGHEST,
    ON_ONE_DIE,
    ONES,
    Act,
    SfxPart,
    can_be_named,
    comes_after,
    has_use,
    is_unnamed,
    near_forms,
    new_sfx,
    parts,
    parts_of,
    write_part,
)
from rules.cortex.sfx_effects import STEPS, handed, moved_to_doom, require_there, settled, standing, stands
from rules.cortex.sfx_effects import labels as standing_labels
from rules.cortex.spending import (
    last_of,
    one_more_effect,
    one_more_step,
    one_more_total,
    resettled,
    with_higher_total,
)
from rules.custom_terms import as_standard
from rules.dice import Throw, check_count
from rules.errors import Ambiguous, NotAllowed, PossibleAnswer, RuleError, TooLate, Undecided, Unknown
from rules.game import Step
from rules.names import find as find_name
from rules.names import fold, get_named, key, offer, one_of, put_named
from rules.table import Character, Table
from rules.text import COMMA, Phrase, Row, Words, join_phrases, shorten
from rules.values import replace

_OF_A_TRAIT = (Act.DOUBLE, Act.SAFE, Act.REROLL, Act.REMOVE, Act.TO_DOOM, Act.SHUT)
_TAKES_OUT = (Act.REMOVE, Act.TO_DOOM)


def require_known(one: SfxPart, known: Mapping[str, Die], labels: list[str], of: str) -> None:
    """Check that the trait an SFX names exists at the table; it may be a typo, or meant as plain words.

    Raises Unknown if nobody has a trait of that name.
    """
    if one.act is Act.SHUT and not (one.label or of):
        raise Unknown("Name the trait to shut down. {hint}", hint=offer("", labels))
    is_by_face = one.act is Act.REMOVE and comes_after(one)
    is_named = one.act in _OF_A_TRAIT and bool(one.label) and not is_by_face
    there = labels if one.act is Act.SHUT else list(known)
    if is_named and fold(one.label) not in map(fold, there):
        raise Unknown(
            "{typed} doesn't work: there's no {one} here. {hint} To keep it as plain text, put it in "
            'quotation marks: "{part}"',
            typed=shorten(write_part(one)),
            one=shorten(one.label),
            hint=offer(one.label, there),
            part=write_part(one),
        )


def require_coming(table: Table, actor: Actor, one: SfxPart, known: Mapping[str, Die]) -> None:
    """Check that what an SFX steps exists at the table. Raises Undecided to ask whether it comes later."""
    there = [*known, *standing_labels(table)]
    bare = fold(one.label).rpartition(" · ")[2].removesuffix(" stress").removesuffix(" complication")
    sign = f"comes later: {key(one.label)}"
    is_there = {fold(one.label), bare} & set(map(fold, there))
    if one.act in STEPS and one.label and not is_there and sign not in actor.agreed:
        raise Undecided(
            "There's no {one} here. {hint} Or is it {complication.a} that comes later?",
            PossibleAnswer(Words("Yes, it comes later"), sign),
            one=shorten(one.label)[1:-1],
            hint=offer(one.label, there),
        )


_MOST_WAYS = 1_000
"""So many ways to take dice are told apart."""


_MOST_TRIES = 10_000
"""So many dice are tried for them: an SFX with many parts could take any of a large pool in any order."""


MOST = 40
"""A character has at most this many SFX."""


ON_A_ROLL = (
    Act.DOUBLE,
    Act.ADD,
    Act.REROLL,
    Act.REMOVE,
    Act.TO_DOOM,
    Act.TOTAL,
    Act.EFFECT,
    Act.EFFECT_UP,
    Act.HITCH,
)
"""What an SFX can do to dice that are rolled already (D4, D8, R1, R3)."""


def add(
    table: Table,
    actor: Actor,
    name: str,
    benefit: str,
    cost: str | None = None,
    when: str | None = None,
    trait: str | None = None,
    who: str | None = None,
) -> Step:
    """Give a character an SFX or a limit, replacing one of the same name (X1).

    Raises as `new_sfx`, `changeable` and `give_sfx` do.
    """
    table, owner = changeable(table, actor, who)
    labels = [each.label for _, each in traits.held(table.characters[owner])]
    of = find_name(trait, labels, Words("trait")) if trait and trait.strip() else ""
    gains, costs = as_standard(table, benefit), cost and as_standard(table, cost)
    sizes, near = CORTEX.of(table).ruleset.sizes, partial(_near_forms, table, actor, owner)
    return give_sfx(table, actor, owner, new_sfx(name, gains, costs, when, of, sizes, near))


def _near_forms(table: Table, actor: Actor, owner: str, typed: str, what: Words) -> Iterator[Phrase]:
    """The forms that this character can have, with traits that are there."""
    own = [each.label for _, each in traits.held(table.characters[owner])]
    trait, trouble = (next(filter(can_be_named, labels), "") for labels in (own, standing_labels(table)))

    # Who has as many SFX as can be may only replace one.
    name = next((each.name for each in CORTEX.has(table.characters[owner]).sfx.values()), "Example SFX")

    def works(form: SfxPart) -> bool:
        try:
            give_sfx(table, actor, owner, Sfx(name, (write_part(form),)))
        except RuleError:
            return False
        return has_use(form.act, CORTEX.of(table).ruleset)

    return near_forms(typed, what, trait, trouble, works)


def changeable(table: Table, actor: Actor, who: str | None, *, asks: bool = True) -> tuple[Table, str]:
    """Return the table and the key of the character whose SFX are to be changed.

    Raises as `owner_of` does; NotAllowed if the caller may not change that character's SFX.
    """
    table, owner = owner_of(table, actor, who, scene=False, new=False, asks=asks)
    require_character(table, actor, table.characters[owner], Words("change the SFX"))
    return table, owner


def give_sfx(table: Table, actor: Actor, owner: str, fresh: Sfx) -> Step:
    """Give a character this SFX, if everything it names exists (X1).

    Raises NotAllowed if a trait has that name or there are too many SFX; SettingOff for safe dice if the
    table has none; Unknown or Undecided if it names a trait that doesn't exist.
    """
    character = table.characters[owner]
    own = CORTEX.has(character)
    labels = [each.label for _, each in traits.held(character)]
    known = known_names(table, character)
    for each in parts_of(fresh):
        if each.act is Act.SAFE:
            require_safe(CORTEX.of(table).ruleset)
        if each.act is Act.PUSH:
            require_pushing(table, PushStress.SFX)
        require_known(each, known, labels, fresh.trait)
        require_coming(table, actor, each, known)
    if fold(fresh.name) in map(fold, known):
        raise NotAllowed(
            "{fresh} is already the name of a trait. Choose another name. Example: name:{fresh} trick",
            fresh=fresh.name,
        )
    without_die(fresh.name)
    old = get_named(own.sfx, fresh.name)
    fresh = replace(fresh, name=old.name) if old else fresh
    held = put_named(own.sfx, fresh.name, fresh)
    if len(held) > MOST:
        raise NotAllowed(
            "{character} already has {most} SFX, which is the limit.", character=character.name, most=MOST
        )
    after = table.with_owner(owner, CORTEX.give(character, replace(own, sfx=held)))
    return Step(after, (SfxChanged(character.name, fresh, was=old),))


def remove(table: Table, actor: Actor, name: str, who: str | None = None) -> Step:
    """Remove an SFX from a character."""
    owner, sfx = find_sfx(table, actor, name, who)
    character = table.characters[owner]
    own = CORTEX.has(character)
    require_character(table, actor, character, Words("change the SFX"))
    held = {k: each for k, each in own.sfx.items() if k != key(sfx.name)}
    after = table.with_owner(owner, CORTEX.give(character, replace(own, sfx=held)))
    return Step(after, (SfxChanged(character.name, sfx, is_gone=True),))


def recover(table: Table, actor: Actor, what: str, who: str | None = None) -> Step:
    """Recover a trait that an SFX has shut down (X1).

    Raises NotAllowed if the character has none; Unknown or Ambiguous if the name isn't that of just one.
    """
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    require_character(table, actor, character, Words("recover a trait"))
    closed = [trait.label for _, trait in traits.held(character) if trait.shut]
    if not closed:
        raise NotAllowed("{character} has no shut-down trait to recover.", character=character.name)
    return traits.opened(table, owner, find_name(what, closed, Words("shut-down trait")))


def use(
    table: Table,
    actor: Actor,
    throw: Throw,
    name: str,
    who: str | None = None,
    on: str | None = None,
    what: str | None = None,
) -> Step:
    """Use an SFX, on the character's last roll if it acts on dice; either all of it happens or nothing (X1).

    `on` names the dice it acts on, or who gets its complication; `what` is the name of the asset or
    complication that it makes. Raises NotAllowed if it can't be used now; Undecided if it could act on
    several dice.
    """
    owner, sfx = find_sfx(table, actor, name, who)
    character = table.characters[owner]
    require_character(table, actor, character, Words("use an SFX"))
    _require_after(table, owner, sfx)
    meant = on.strip() if on else ""
    is_for_dice = bool(_for_dice(sfx))
    hit, label = "", _read_name(sfx, what or "")
    if meant and not is_for_dice:
        if not any(each.act is Act.COMPLICATION for each in parts(sfx.benefit)):
            if can_name(sfx) and not label:
                raise NotAllowed(
                    "{sfx} doesn't affect a die or a character. To name what it makes: what:{meant}",
                    sfx=sfx.name,
                    meant=shorten(meant)[1:-1],
                )
            raise NotAllowed(
                "{sfx} doesn't affect a die or a character, so leave out the option on.", sfx=sfx.name
            )
        hit = owner_of(table, actor, meant, new=False)[1]
    if not is_on_roll(sfx):
        steps = standing(table, owner, sfx, actor.agreed)
        return settled(table, owner, sfx, hit=hit, stands=steps, label=label)
    is_own = table.played_by(actor.id) is character
    roll = last_of(table, actor, None if is_own else character.name)
    on_die = meant if is_for_dice else ""
    return use_on(table, actor, throw, roll.number, sfx.name, hit=hit, on=on_die, label=label)


def can_name(sfx: Sfx) -> bool:
    """Return whether an SFX makes an asset or complication that whoever uses it can name (X1).

    >>> can_name(Sfx("Planner", ("asset d8",))), can_name(Sfx("Climber", ("asset d8 Rope",)))
    (True, False)
    """
    return any(map(is_unnamed, parts_of(sfx)))


def find_unnamed_kinds(table: Table, sfx: Sfx, owner: str) -> list[TraitKind]:
    """Return the kinds of trait that an SFX has made for that owner, and that still have the SFX's name."""
    acts = {part.act for part in parts_of(sfx) if is_unnamed(part)}
    made = [
        kind
        for act, kind in ((Act.ASSET, TraitKind.ASSET), (Act.COMPLICATION, TraitKind.COMPLICATION))
        if act in acts
    ]
    return [kind for kind in made if key(sfx.name) in CORTEX.has(table.owner(owner)).traits(kind)]


def require_unnamed(table: Table, actor: Actor, who: str, sfx: Sfx, owner: str) -> list[TraitKind]:
    """Return the kinds of what an SFX of `who` made for that owner, for the caller to name (X1).

    Raises NotAllowed if the caller doesn't play `who`; TooLate if it has another name, or is gone.
    """
    require_character(table, actor, table.characters[who], Words("name what an SFX makes"))
    kinds = find_unnamed_kinds(table, sfx, owner)
    if not kinds:
        raise TooLate("That already has another name, or is gone.")
    return kinds


def name_made(table: Table, actor: Actor, who: str, sfx: Sfx, owner: str, to: str) -> Step:
    """Give what an SFX of `who` made for that owner a name of its own (X1).

    Raises as `require_unnamed` does, and NotAllowed if its owner has a trait of that name already.
    """
    step = Step(table, ())
    for kind in require_unnamed(table, actor, who, sfx, owner):
        step = step.then(traits.renamed(step.table, owner, kind, key(sfx.name), to))
    return step


def _read_name(sfx: Sfx, typed: str) -> str:
    """The name that was typed for what an SFX makes. Raises NotAllowed if it makes nothing to name."""
    if not typed.strip():
        return ""
    if not can_name(sfx):
        raise NotAllowed(
            "{sfx} makes nothing that needs a name. Use it without {typed}.",
            sfx=sfx.name,
            typed=shorten(typed),
        )
    return read_label(typed)


def use_on(
    table: Table,
    actor: Actor,
    throw: Throw,
    number: int,
    name: str,
    places: tuple[int, ...] = (),
    doom_die: str | None = None,
    hit: str = "",
    on: str = "",
    label: str = "",
) -> Step:
    """Use an SFX on a roll that has been made, with one of its `choices` of dice (X1, D4, D8).

    Without `places`, the dice are those named in `on`, or the only ones possible. `doom_die` is the die
    that the GM pays with for a GMC, `d8` or `doom:d8` (M4). `hit` is the key of whoever gets its
    complication; by default that is whoever the roll is against. `label` is the name of what it makes.

    Raises NotAllowed if it can't be used on that roll; Undecided if it could act on several dice.
    """
    roll = find(table, number)
    require_roller(table, actor, roll)
    check_open(roll)
    table, who = roller_seat(table, roll)
    character = table.characters[who]
    own = CORTEX.has(character)
    sfx = own.sfx[key(find_name(name, (each.name for each in own.sfx.values()), Words("SFX")))]
    _require_after(table, who, sfx)
    if _may_unsettle(sfx):
        require_undecided(table, roll)
    steps = standing(table, who, sfx, actor.agreed)
    if places and places not in choices(roll.hand, sfx):
        raise NotAllowed("You can't change that die: its 1 has been activated, or the die is gone.")
    faced = hit or _faced(table, roll)
    step = settled(table, who, sfx, hit=faced, die=doom_die, stands=steps, label=_read_name(sfx, label))
    if not (places or on) and (first := next(_ways(roll.hand, _for_dice(sfx)), None)):
        _on_dice(roll, sfx, first, tuple)  # nobody is asked for a die where all would be refused
    chosen = places or _chosen(roll, sfx, on, actor.agreed)
    step = step.then(moved_to_doom(step.table, _moved(roll, sfx, chosen)))
    hand, again = _on_dice(roll, sfx, chosen, throw)
    fresh = replace(roll, hand=replace(hand, chosen=False), sfx=(*roll.sfx, sfx.name))
    if again:
        step = step.then(Step(step.table, (rerolled(roll.who, again),)))
    if {part.act for part in parts_of(sfx) if part.act in ON_A_ROLL} == {Act.TOTAL}:
        rules = rules_of(table, roll)  # it throws no dice, so a question tells nothing
        fresh = with_higher_total(roll, outcome.settle(fresh, rules), rules, actor.agreed)
    return step.then(resettled(step.table, fresh, _gone(roll, hand)))


def _on_dice(roll: Roll, sfx: Sfx, places: Iterable[int], throw: Throw) -> tuple[Hand, list[RolledDie]]:
    """The dice of a roll after an SFX on one of its `choices`, and those that it rerolls, as they were."""
    chosen = iter(places)
    hand, again = roll.hand, list[RolledDie]()
    for each, is_chosen in _taking(sfx):
        place = next(chosen) if is_chosen else _last_highest(hand, each)
        if each.act is Act.REROLL:
            again.append(hand.dice[place])
        hand = _changed(roll, hand, each, sfx.name, throw, place)
    return hand, again


def _moved(roll: Roll, sfx: Sfx, places: Iterable[int]) -> tuple[int, ...]:
    """The sizes of the dice of a roll that an SFX moves to doom (D4)."""
    pairs = zip(_for_dice(sfx), places, strict=True)
    return tuple(roll.hand.dice[place].size for part, place in pairs if part.act is Act.TO_DOOM)


def _last_highest(hand: Hand, part: SfxPart) -> int:
    """The die that shows the most by now, of several the smallest, where that is removed; else nothing."""
    if part.act is not Act.REMOVE or part.label != HIGHEST:
        return 0
    return min(highest_of(hand), key=lambda place: (hand.dice[place].size, place))


def _gone(roll: Roll, hand: Hand) -> DiceTakenOut | None:
    """The dice that an SFX has taken out of a roll, if any (D8)."""
    # What has joined stands behind, and has no die of before.
    pairs = zip(roll.hand.dice, hand.dice, strict=False)
    gone = tuple(Die(new.size, new.label) for old, new in pairs if new.removed and not old.removed)
    return DiceTakenOut(roll.who, gone) if gone else None


def _faced(table: Table, roll: Roll) -> str:
    """The key of the GMC that a roll was against, whom a complication hits."""
    target = None if roll.against is None else roll.against.target
    is_gmc = target is not None and target.foe is Foe.GMC and target.key in table.characters
    return target.key if target is not None and is_gmc else ""


def usable(table: Table, roll: Roll) -> list[Sfx]:
    """Return the roller's SFX that can be used on a roll as it stands (X1)."""
    character = table.characters.get(key(roll.who))
    held = () if character is None else CORTEX.has(character).sfx.values()
    return [each for each in held if _can_use(table, roll, each)]


def _can_use(table: Table, roll: Roll, sfx: Sfx) -> bool:
    """Whether nothing of an SFX would be refused: its price, what it steps, what it does to the dice."""
    who = key(roll.who)
    way = next(_ways(roll.hand, _for_dice(sfx)), None)
    if way is None or not _has_its_ones(roll.hand, sfx) or not is_usable(table, who, sfx):
        return False
    if _may_unsettle(sfx) and is_given_in(table, roll):
        return False
    try:
        settled(table, who, sfx, hit=_faced(table, roll), stands=standing(table, who, sfx, asks=False))
        moved_to_doom(table, _moved(roll, sfx, way))
        _on_dice(roll, sfx, way, tuple)  # each die that would be thrown shows its highest face
    except RuleError:
        return False
    return True


def _may_unsettle(sfx: Sfx) -> bool:
    """Whether an SFX could make the total of a roll lower, and so lose a contest that is won (T4)."""
    return any(part.act in (Act.REROLL, *_TAKES_OUT) for part in parts_of(sfx))


def is_usable(table: Table, who: str, sfx: Sfx) -> bool:
    """Return whether an SFX can be used after a roll: it steps no dice, only complications and stress."""
    of_dice = (each for each in parts_of(sfx) if each.act in BEFORE)
    return all(each.act in STEPS and each.label for each in of_dice) and stands(table, who, sfx)


def is_on_roll(sfx: Sfx) -> bool:
    """Return whether an SFX acts on dice that are rolled.

    >>> is_on_roll(Sfx("Again", ("reroll",), ("1 PP",))), is_on_roll(Sfx("Jinx", ("1 PP",)))
    (True, False)
    """
    return any(each.act in ON_A_ROLL for each in parts_of(sfx))


def find_sfx(table: Table, actor: Actor, name: str, who: str | None = None) -> tuple[str, Sfx]:
    """Return the key of the owner and the SFX that a name means.

    Without `who`, the caller's own SFX come first, then the only one at the table with that name. Raises
    Unknown if there is none; Ambiguous if there are several.
    """
    typed = fold(name)
    own = table.played_by(actor.id)
    if not (who and who.strip()):
        every = [
            (held, each, one)
            for held, each in table.characters.items()
            for one in CORTEX.has(each).sfx.values()
        ]
        whole = [found for found in every if typed in (fold(owned(*found[1:])), fold(found[2].name))]
        mine = [found for found in whole if found[1] is own]
        if len(mine or whole) == 1:
            ((held, _, one),) = mine or whole
            return held, one
        if whole and not mine:
            several = [owned(*found[1:]) for found in whole]
            raise Ambiguous(
                "{name} could be {names}. Name the owner in the option who.", name=name, names=one_of(several)
            )
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    has = CORTEX.has(character)
    names = [sfx.name for sfx in has.sfx.values()]
    try:
        return owner, has.sfx[key(find_name(name, names, Words("SFX")))]
    except Unknown:
        raise Unknown(
            "{who} has no SFX {name}. {there_is}",
            who=character.name,
            name=shorten(name)[1:-1],
            there_is=join_phrases(seat_of(table, actor), offer(typed, names)),
        ) from None


def owned(character: Character, sfx: Sfx) -> str:
    """Return an SFX with its owner as text: `Alice · Lucky`."""
    return f"{character.name} · {sfx.name}"


def _require_after(table: Table, who: str, sfx: Sfx) -> None:
    """Refuse an SFX that steps dice where they are rolled already (D4)."""
    require_there(table, who, sfx)
    if not is_usable(table, who, sfx):
        raise NotAllowed(
            "{sfx} steps dice before the roll, so type it with the dice. Example: /roll dice:{example} "
            "vs:2d8",
            sfx=sfx.name,
            example=_example(sfx),
        )


def _example(sfx: Sfx) -> str:
    """A pool in which an SFX can stand."""
    labels = [each.label for each in parts_of(sfx) if each.label and each.act in ON_ONE_DIE]
    return " + ".join([*labels, sfx.name]) if labels else f"{sfx.name} d8"


def _changed(roll: Roll, hand: Hand, part: SfxPart, name: str, throw: Throw, place: int) -> Hand:
    """Dice of a roll after one cost or benefit, for the die at `place`; what joins is rolled alone (D8)."""
    source = SOURCES[Special.SFX]
    match part.act:
        case Act.EFFECT:
            return one_more_effect(roll, hand)
        case Act.EFFECT_UP:
            return one_more_step(roll, hand)
        case Act.TOTAL:
            return one_more_total(roll, hand)
        case Act.HITCH:
            return _joined(hand, handed(name))
        case Act.REMOVE | Act.TO_DOOM:
            places = ones_of(hand) if part.label == ONES else [place]
            dice = (replace(die, removed=die.removed or n in places) for n, die in enumerate(hand.dice))
            return replace(hand, dice=tuple(dice))
        case Act.ADD:
            faces = throw((part.die,) * part.number)
            return _joined(hand, *(RolledDie(part.die, face, "", source, low=hand.low) for face in faces))
        case Act.DOUBLE:
            die = hand.dice[place]
            return _joined(hand, RolledDie(die.size, throw((die.size,))[0], die.label, source, low=hand.low))
        case Act.REROLL:
            die = hand.dice[place]
            fresh = replace(die, face=throw((die.size,))[0])
            return replace(hand, dice=(*hand.dice[:place], fresh, *hand.dice[place + 1 :]))
        case (
            Act.PP
            | Act.UP
            | Act.DOWN
            | Act.SAFE
            | Act.UP_THEIRS
            | Act.DOWN_THEIRS
            | Act.UP_DOOM
            | Act.DOWN_DOOM
            | Act.ASSET
            | Act.COMPLICATION
            | Act.DOOM
            | Act.FROM_DOOM
            | Act.SHUT
            | Act.OPPORTUNITY
            | Act.PUSH
            | Act.WORDS
        ):
            return hand
        case _:
            assert_never(part.act)


def _joined(hand: Hand, *dice: RolledDie) -> Hand:
    check_count(len(hand.dice) + len(dice))
    return replace(hand, dice=(*hand.dice, *dice))


def _taking(sfx: Sfx) -> list[tuple[SfxPart, bool]]:
    """All that an SFX does, each with whether it is for a die that is chosen before anything is thrown.

    `remove highest` behind a throw can be chosen only after it.
    """
    found, is_thrown = list[tuple[SfxPart, bool]](), False
    for part in parts_of(sfx):
        is_by_face = part.act is Act.REMOVE and part.label in (ONES, HIGHEST)
        is_for_die = part.act in (Act.DOUBLE, Act.REROLL, *_TAKES_OUT)
        is_late = is_by_face and (part.label == ONES or is_thrown)
        found.append((part, is_for_die and not is_late))
        is_thrown = is_thrown or part.act in (Act.DOUBLE, Act.REROLL, Act.ADD)
    return found


def _for_dice(sfx: Sfx) -> list[SfxPart]:
    """What an SFX does to dice that are chosen, in order."""
    return [part for part, takes in _taking(sfx) if takes]


def choices(hand: Hand, sfx: Sfx) -> list[tuple[int, ...]]:
    """Return the ways to use an SFX on a roll, each as the places of dice, one per part that takes a die.

    All parts that name no die share one die, and none removes a die that another part takes. Of ways with
    the same result only the first is listed; the list is empty if the SFX can't be used on that roll.
    """
    taking = _for_dice(sfx)
    found: dict[tuple[tuple[int, tuple[int, int, str]], ...], tuple[int, ...]] = {}
    for way in islice(_ways(hand, taking), _MOST_WAYS):
        # Which of two like parts takes which die is all one.
        done = sorted((taking.index(part), alike(hand.dice[n])) for part, n in zip(taking, way, strict=True))
        found.setdefault(tuple(done), way)
    return list(found.values()) if _has_its_ones(hand, sfx) else []


def _has_its_ones(hand: Hand, sfx: Sfx) -> bool:
    """Whether there is a 1 to remove, where an SFX removes those."""
    has_ones = any(die.is_one and not is_fixed(die) for die in hand.dice)
    return has_ones or not any(part.act is Act.REMOVE and part.label == ONES for part in parts_of(sfx))


def _ways(hand: Hand, taking: Sequence[SfxPart]) -> Iterator[tuple[int, ...]]:
    """Each way to share dice among these parts, a place for each; after so many tries there are no more."""
    fits = [_fitting(hand, part) for part in taking]
    tries = iter(range(_MOST_TRIES))

    def further(way: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(way) == len(taking):
            yield way
            return
        for place in fits[len(way)]:
            if next(tries, None) is None:
                return
            if _may_take(taking, way, place):
                yield from further((*way, place))

    return further(()) if all(fits) else iter(())


def _may_take(taking: Sequence[SfxPart], way: tuple[int, ...], place: int) -> bool:
    """Whether the next part can be for that die, beside the dice that the parts before it are for."""
    part, before = taking[len(way)], taking[: len(way)]
    if part.act in _TAKES_OUT:
        # Like parts take their dice in order, so that no pair comes twice.
        return place not in way and not (before and before[-1] == part and place < way[-1])
    pairs = list(zip(before, way, strict=True))
    if any(done.act in _TAKES_OUT and taken == place for done, taken in pairs):
        return False
    shared = next((taken for done, taken in pairs if _is_for_any(done)), place)
    return not _is_for_any(part) or place == shared


def way_words(hand: Hand, sfx: Sfx, way: tuple[int, ...]) -> Phrase:
    """Return a choice of dice, with what happens to each if that differs: `remove d8: 5, double d10: 7`."""
    done = dict.fromkeys(zip((part.act for part in _for_dice(sfx)), way, strict=True))
    if len(set(way)) == 1 or len({act for act, _ in done}) == 1:
        return dice_shown(hand, dict.fromkeys(way))
    return Row([f"{act} {die_and_face(hand.dice[place])}" for act, place in done], last=COMMA)


def _is_for_any(part: SfxPart) -> bool:
    return part.act in ON_ONE_DIE and not part.label


def _fitting(hand: Hand, part: SfxPart) -> list[int]:
    """The places of the dice that a part can be for."""
    free = [place for place, die in enumerate(hand.dice) if not is_fixed(die)]
    if part.act is Act.REMOVE and part.label == HIGHEST:
        return highest_of(hand) if free else []
    if part.label:
        return [place for place in free if fold(hand.dice[place].label) == fold(part.label)]
    if part.act in _TAKES_OUT:
        return [place for place in free if hand.dice[place].size == part.die]
    return free


def _chosen(roll: Roll, sfx: Sfx, named: str, agreed: Collection[str]) -> tuple[int, ...]:
    """The dice of a roll that an SFX is used on: those that are named, or the only ones. Raises Undecided."""
    hand, ways = roll.hand, choices(roll.hand, sfx)
    if not ways:
        _refuse_dice(hand, sfx)
    wanted = names_of(hand, named) if named else []
    fitting = [way for way in ways if _holds(hand, way, wanted)]
    if not fitting:
        some = distinct(hand, sorted({place for way in ways for place in way}))
        raise NotAllowed(
            "You can't use {sfx} on {named} in that roll. Try {dice}.",
            sfx=sfx.name,
            named=shorten(named),
            dice=one_of([die_and_face(hand.dice[place]) for place in some]),
        )
    # Where all are named, they are named in the order of what is done to them.
    ordered = [way for way in fitting if _is_order(hand, way, wanted)]
    offered = ordered if len(ordered) == 1 else fitting
    labels = [way_words(hand, sfx, way) for way in offered[:MOST_ASKED]]
    return ask(roll, offered, agreed, sfx.name, labels)


def _holds(hand: Hand, way: tuple[int, ...], wanted: list[NamedDie]) -> bool:
    """Whether every die that is named is one of these, each another one."""
    taken: dict[int, NamedDie] = {}

    def takes(named: NamedDie, seen: set[int]) -> bool:
        for place in way:
            if place not in seen and named.fits(hand.dice[place]):
                seen.add(place)
                if place not in taken or takes(taken[place], seen):  # who has it may take another
                    taken[place] = named
                    return True
        return False

    return all(takes(named, set()) for named in wanted)


def _is_order(hand: Hand, way: tuple[int, ...], wanted: list[NamedDie]) -> bool:
    """Whether the dice are those that are named, in that order."""
    places = list(dict.fromkeys(way))
    return len(places) == len(wanted) and all(
        named.fits(hand.dice[place]) for named, place in zip(wanted, places, strict=True)
    )


def _refuse_dice(hand: Hand, sfx: Sfx) -> NoReturn:
    """Say why an SFX cannot be used on any die of a roll."""
    free = free_dice(hand)
    if any(part.act is Act.REMOVE and part.label == ONES for part in parts_of(sfx)):
        ones_of(hand)
    missing = next((part for part in _for_dice(sfx) if not _fitting(hand, part)), None)
    what = "" if missing is None else missing.label or f"d{missing.die}"
    raise NotAllowed(
        "That roll has no {what} for {sfx} to change. It has {dice}.",
        what=what or Words("other die"),
        sfx=sfx.name,
        dice=dice_shown(hand, free),
    )
