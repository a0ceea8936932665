"""The effects of SFX on pools and on traits at the table (X1, C3)."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import assert_never

from rules.cortex import gm_pools, traits
from rules.cortex import points as cortex_points
from rules.cortex.facts import Cause, Change, OpportunityUsed, RollChanged, SfxUsed, Why
from rules.cortex.kinds import HARMFUL, LENDING, TROUBLE, Sfx, TraitKind
from rules.cortex.model import CORTEX, RolledDie
from rules.cortex.outcome import gm_hand, with_gm_hand
from rules.cortex.pool import SOURCES, Die, Pool, Special, require_safe, write_pool
from rules.cortex.pool_text import DOOM_LABEL
from rules.cortex.pool_words import step_up_die
from rules.cortex.ruleset import EffectBy, Ruleset
from rules.cortex.sfx import ON_ONE_DIE, Act, SfxPart, comes_after, is_unnamed, parts, parts_of
from rules.cortex.trait_lookup import owners, worded
from rules.cortex.traits import gained, stepped_down, stepped_up
from rules.dice import SIZES, down, held_words
from rules.errors import Ambiguous, NotAllowed, PossibleAnswer, SettingOff, Undecided, Unknown
from rules.game import Step
from rules.names import SCENE, fold, get_named, key, offer
from rules.table import Character, Table
from rules.text import OR, Phrase, Row, Words, counted, join_phrases, shorten
from rules.values import Value, replace

STEPS = (Act.UP, Act.DOWN)
"""What steps something that is named."""


_MOST_ASKED = 5


class Standing(Value):
    """A complication or stress that a part of an SFX steps: its owner, kind and key."""

    sfx: str
    part: SfxPart
    owner: str
    kind: TraitKind
    trait: str


def standing(
    table: Table, who: str, sfx: Sfx, agreed: Collection[str] = (), pool: Pool = (), *, asks: bool = True
) -> tuple[Standing, ...]:
    """Return the complications and stress that an SFX steps, on either side, but no die of `pool`.

    A cost steps up the character's own trouble. With `asks` off, the first of several meanings is taken.
    Raises Undecided if one name means two things; Unknown or NotAllowed if it means nothing.
    """
    found: list[Standing] = []
    for part, is_own in _named(sfx):
        several = list(_all(table, who, sfx, part, is_own=is_own))
        dice = [die for die in pool if fold(die.label) == fold(part.label) and not _is_theirs(die)]
        if not (several or dice):
            _require_trait(table, sfx, part, who, is_own=is_own)
        signs: dict[str, Phrase] = {_sign(each): _words(table, each) for each in several}
        if dice:
            signs[_sign_of_die(sfx, part)] = Words(
                "{label} d{size} in the pool", label=dice[0].label, size=dice[0].size
            )
        elif asks and not is_own and len(signs) == 1 and _is_trait(table, who, part):
            _require_meant(table, who, sfx, part, signs, agreed)
        meant = next((sign for sign in signs if sign in agreed), None) if len(signs) > 1 else None
        if len(signs) > 1 and meant is None:
            if asks:
                raise _question(sfx, part, signs)
            meant = next(iter(signs))
        found += [each for each in several if len(signs) == 1 or _sign(each) == meant]
    return tuple(found)


def stands(table: Table, who: str, sfx: Sfx) -> bool:
    """Return whether everything an SFX steps is a complication or stress at the table, so no die (X1)."""
    return all(any(_all(table, who, sfx, part, is_own=is_own)) for part, is_own in _named(sfx))


def require_there(table: Table, who: str, sfx: Sfx) -> None:
    """Check that what an SFX steps exists, as trouble or a trait. Raises Unknown or NotAllowed if not."""
    for part, is_own in _named(sfx):
        if not any(_all(table, who, sfx, part, is_own=is_own)):
            _require_trait(table, sfx, part, who, is_own=is_own)


def labels(table: Table) -> list[str]:
    """Return the labels of all complications and stress at the table, and of the stress tracks."""
    held = [
        trait.label
        for _, owner in owners(table)
        for kind in TROUBLE
        for trait in CORTEX.has(owner).traits(kind).values()
    ]
    return [*held, *CORTEX.of(table).ruleset.stress]


def stepped(table: Table, one: Standing) -> Step:
    """Step a complication or stress up or down, if it still exists (C3, C4)."""
    if one.trait not in CORTEX.has(table.owner(one.owner)).traits(one.kind):
        return Step(table, ())
    change = stepped_up if one.part.act is Act.UP else stepped_down
    return change(table, one.owner, one.kind, one.trait)


def is_of(die: Die, one: Standing, who: str) -> bool:
    """Return whether a die of a pool is the other side's trouble that an SFX steps."""
    return one.owner != who and _is_theirs(die) and fold(die.label) == fold(one.trait)


def _is_theirs(die: Die) -> bool:
    """Whether a die is trouble of another side or of the scene, and none of the roller's own."""
    return die.source.use is None and die.source.kind in HARMFUL


def _named(sfx: Sfx) -> Iterator[tuple[SfxPart, bool]]:
    """The parts that step something by its name, and whether that is one's own trouble."""
    for part in parts(sfx.cost):
        if part.act in STEPS and part.label:
            yield part, part.act is Act.UP
    for part in parts(sfx.benefit):
        if part.act in STEPS and part.label:
            yield part, False


def _all(table: Table, who: str, sfx: Sfx, part: SfxPart, *, is_own: bool) -> Iterator[Standing]:
    for owner, held in owners(table):
        for kind in TROUBLE if owner == who or not is_own else ():
            for trait in CORTEX.has(held).traits(kind):
                if fold(part.label) in map(fold, _names(held, kind, trait)):
                    yield Standing(sfx.name, part, owner, kind, trait)


def _names(owner: Character, kind: TraitKind, trait: str) -> tuple[str, ...]:
    """How a trait may be called: `stuck`, `physical stress`, `rex · stuck`."""
    short = (trait, f"{trait} {kind}")
    return (*short, *(f"{key(owner.name)} · {each}" for each in short))


def _words(table: Table, one: Standing) -> Phrase:
    owner = table.owner(one.owner)
    return worded(owner.name, one.kind, CORTEX.has(owner).traits(one.kind)[one.trait])


def _sign(one: Standing) -> str:
    return f"sfx {key(one.sfx)} {one.part.act} {key(one.part.label)}: {one.kind} of {one.owner}"


def _sign_of_die(sfx: Sfx, part: SfxPart) -> str:
    return f"sfx {key(sfx.name)} {part.act} {key(part.label)}: die"


def _question(sfx: Sfx, part: SfxPart, signs: Mapping[str, Phrase]) -> Undecided | Ambiguous:
    """Which of several is meant, as a question; too many for buttons are refused."""
    if len(signs) > _MOST_ASKED:
        return Ambiguous(
            "{label} could be {names}. Name the owner in the SFX.",
            label=part.label,
            names=Row([*signs.values()][:_MOST_ASKED], OR),
        )
    return Undecided(
        "{sfx}: which {label} steps {act}?",
        *(PossibleAnswer(words, sign) for sign, words in signs.items()),
        sfx=sfx.name,
        label=part.label,
        act=part.act,
    )


def _require_meant(
    table: Table, who: str, sfx: Sfx, part: SfxPart, signs: Mapping[str, Phrase], agreed: Collection[str]
) -> None:
    """Ask whether trouble is meant that is called as a trait whose die is not there to be stepped."""
    ((sign, words),) = signs.items()
    if sign not in agreed:
        raise Undecided(
            "{sfx}: {who} also has the trait {label}, but traits only step in a roll. Step the other "
            "one {act}?",
            PossibleAnswer(words, sign),
            sfx=sfx.name,
            label=part.label,
            who=table.owner(who).name,
            act=part.act,
        )


def _is_trait(table: Table, who: str, part: SfxPart) -> bool:
    """Whether somebody has a trait of that name, whose die could step in a pool."""
    return any(get_named(CORTEX.has(table.owner(who)).traits(kind), part.label) for kind in LENDING)


def _require_trait(table: Table, sfx: Sfx, part: SfxPart, who: str, *, is_own: bool) -> None:
    """Refuse what stands nowhere and is no trait whose die could step either."""
    if any(_is_trait(table, owner, part) for owner, _ in owners(table)):
        return
    is_track = fold(part.label) in map(fold, CORTEX.of(table).ruleset.stress)
    command = "stress" if is_track else "comp"
    if is_own:
        raise NotAllowed(
            "{sfx} costs a step up of {label}, but {who} has no {complication.one} or {stress.one} "
            "like that. Example: /{command} add what:{label}",
            sfx=sfx.name,
            label=part.label,
            who=table.owner(who).name,
            command=command,
        )
    example = f"/{command} add what:{shorten(part.label)[1:-1]}"
    none = Words(
        "{sfx} steps {label}, but nothing in play has that name.",
        sfx=sfx.name,
        label=shorten(part.label)[1:-1],
    )
    raise Unknown(
        "{none} Example: {example}",
        none=none if is_track else join_phrases(none, offer(part.label, labels(table))),
        example=example,
    )


class SfxBesidePool(Value):
    """What SFX give a pool besides its dice: more dice in the total, more effect dice, and steps (X1).

    `raised` counts steps of the effect, and `theirs` are steps of the opposition's dice. `hitches` has the
    name of an SFX once for each hitch that it hands over (H3).
    """

    totals: int = 0
    effects: int = 0
    raised: int = 0
    theirs: tuple[Act, ...] = ()
    hitches: tuple[str, ...] = ()


NOTHING = SfxBesidePool()
"""What a pool without SFX has beside its dice."""


def worked(
    pool: Pool,
    sfx: Sfx,
    on: Die | None,
    rules: Ruleset,
    who: str = "",
    stands: tuple[Standing, ...] = (),
    agreed: Collection[str] = (),
    *,
    asks: bool = True,
) -> tuple[Pool, tuple[int, ...]]:
    """Return the dice of a pool after an SFX, and the sizes of those that it moves to doom (X1, D4).

    It is used on the die `on` if it names none itself.

    Of `stands`, the trouble it steps, the other side's may also be a die in the pool. With `asks` off, the
    first of several dice is removed. Raises NotAllowed if a die isn't in the pool, or for an SFX that comes
    after the roll; Undecided if it could remove one of several dice.
    """
    dice, moved = list(pool), list[int]()
    for part in parts_of(sfx):
        if comes_after(part):
            raise NotAllowed(
                "{sfx} comes after the roll. Roll first, then press Spend.",
                sfx=sfx.name,
            )
        steps = next((one for one in stands if one.sfx == sfx.name and one.part == part), None)
        if steps is not None:
            dice = _with_trouble(dice, steps, who, rules, agreed if asks else None)
            continue
        match part.act:
            case Act.UP:
                place = _place(dice, sfx, part, on)
                dice = step_up_die(dice, place, rules, agreed if asks else None)
            case Act.DOWN:
                dice = _stepped_down(dice, _place(dice, sfx, part, on), rules)
            case Act.DOUBLE:
                at = _place(dice, sfx, part, on)
                dice.insert(at + 1, replace(dice[at], source=SOURCES[Special.SFX]))
            case Act.SAFE:
                dice = _made_safe(dice, _place(dice, sfx, part, on), rules)
            case Act.ADD:
                dice += [Die(part.die, "", SOURCES[Special.SFX])] * part.number
            case Act.FROM_DOOM:
                dice.append(Die(part.die, DOOM_LABEL, SOURCES[Special.FROM_DOOM]))
            case Act.REMOVE:
                del dice[_removed(dice, sfx, part, on, agreed, asks=asks)]
            case Act.TO_DOOM:
                moved.append(dice.pop(_removed(dice, sfx, part, on, agreed, asks=asks)).size)
            case (
                Act.PP
                | Act.UP_THEIRS
                | Act.DOWN_THEIRS
                | Act.UP_DOOM
                | Act.DOWN_DOOM
                | Act.REROLL
                | Act.TOTAL
                | Act.EFFECT
                | Act.EFFECT_UP
                | Act.ASSET
                | Act.COMPLICATION
                | Act.DOOM
                | Act.HITCH
                | Act.SHUT
                | Act.OPPORTUNITY
                | Act.PUSH
                | Act.WORDS
            ):
                pass
            case _:
                assert_never(part.act)
    return tuple(dice), tuple(moved)


def _removed(
    dice: list[Die], sfx: Sfx, part: SfxPart, on: Die | None, agreed: Collection[str], *, asks: bool
) -> int:
    """The place of the die that an SFX removes before the roll: none that another part is for (D4, X1)."""
    kept = _kept(dice, sfx, on)
    fits = [
        place
        for place, die in enumerate(dice)
        if place not in kept and (fold(die.label) == fold(part.label) if part.label else die.size == part.die)
    ]
    if not fits or len(dice) == 1:
        what = part.label or f"d{part.die}"
        if kept:
            raise NotAllowed(
                "{sfx} removes {what}, so the pool needs {what} and the die you use {sfx} on. Example: "
                "{sfx} d6, {what}",
                sfx=sfx.name,
                what=what,
            )
        raise NotAllowed(
            "{sfx} removes {what}, so the pool needs that and another die. Example: {what} + {sfx} + d6",
            sfx=sfx.name,
            what=what,
        )
    signs = {f"{key(sfx.name)} removes {key(dice[n].label)} d{dice[n].size}": n for n in reversed(fits)}
    meant = [place for sign, place in signs.items() if sign in agreed]
    if len(signs) > 1 and not meant and asks:
        several = [(sign, Row((write_pool([dice[place]]),))) for sign, place in reversed(signs.items())]
        answers = [PossibleAnswer(words, sign) for sign, words in several]
        raise Undecided("Which die does {sfx} remove?", *answers, sfx=sfx.name)
    return (meant or fits)[0]


def _kept(dice: list[Die], sfx: Sfx, on: Die | None) -> set[int]:
    """The places of the dice that an SFX is used on, or names to be stepped or doubled."""
    used = on if on is not None and needs_die(sfx) else None
    labels = {fold(part.label) for part in parts_of(sfx) if part.act in ON_ONE_DIE and part.label}
    found = [next((n for n, die in enumerate(dice) if die == used), -1)]
    found += [next((n for n, die in enumerate(dice) if fold(die.label) == label), -1) for label in labels]
    return {place for place in found if place >= 0}


def _with_trouble(
    dice: list[Die], one: Standing, who: str, rules: Ruleset, decided: Collection[str] | None
) -> list[Die]:
    """The dice of a pool as they are once another side's complication or stress has stepped (X1)."""
    place = next((n for n, die in enumerate(dice) if is_of(die, one, who)), None)
    if place is None:
        return dice
    is_up = one.part.act is Act.UP
    return step_up_die(dice, place, rules, decided) if is_up else _stepped_down(dice, place, rules)


def _made_safe(dice: list[Die], place: int, rules: Ruleset) -> list[Die]:
    """The dice of a pool with one safe, and all others of its trait (N14, N21)."""
    require_safe(rules)
    label = fold(dice[place].label)
    return [
        replace(die, safe=True) if at == place or (label and fold(die.label) == label) else die
        for at, die in enumerate(dice)
    ]


def handed(sfx: str) -> RolledDie:
    """Return the die of a hitch that an SFX hands over; it can be activated like a 1 on a d6 (H3).

    >>> handed("Jinx").size, handed("Jinx").face
    (6, 1)
    """
    return RolledDie(SIZES[1], 1, sfx, SOURCES[Special.HANDED])


def lent_by(sfx: Sfx) -> tuple[int, ...]:
    """Return the sizes of the doom dice that an SFX takes into the pool (D4, X1).

    >>> lent_by(Sfx("Dread", ("from doom d8", "from doom d6")))
    (8, 6)
    """
    return tuple(part.die for part in parts_of(sfx) if part.act is Act.FROM_DOOM)


def beside_pool(used: Iterable[Sfx]) -> SfxBesidePool:
    """Return what these SFX give a pool besides its dice (X1).

    >>> beside_pool([Sfx("Flurry", ("total", "effect up"), ("hitch",))])
    SfxBesidePool(totals=1, effects=0, raised=1, theirs=(), hitches=('Flurry',))
    """
    done = [(part.act, sfx.name) for sfx in used for part in parts_of(sfx)]
    acts = [act for act, _ in done]
    hitches = tuple(name for act, name in done if act is Act.HITCH)
    theirs = tuple(act for act in acts if act in (Act.UP_THEIRS, Act.DOWN_THEIRS))
    return SfxBesidePool(
        acts.count(Act.TOTAL), acts.count(Act.EFFECT), acts.count(Act.EFFECT_UP), theirs, hitches
    )


def require_given(sfx: Sfx, rules: Ruleset) -> None:
    """Check that the table has the total or effect dice that an SFX gives. Raises SettingOff if not (N10)."""
    acts = {part.act for part in parts_of(sfx)}
    if Act.EFFECT in acts and rules.effect is not EffectBy.DIE:
        raise SettingOff(
            "{sfx} adds an effect die, but this campaign doesn't keep effect dice.",
            setting="effect",
            value="die",
            sfx=sfx.name,
        )
    if Act.TOTAL in acts and rules.effect is EffectBy.ALL_DICE:
        raise SettingOff(
            "{sfx} adds a die to the total, but in this campaign every die already counts.",
            setting="effect",
            value="die",
            sfx=sfx.name,
        )


def stepped_theirs(
    pool: Pool, steps: tuple[Act, ...], rules: Ruleset, decided: Collection[str] | None = None
) -> Pool:
    """Return the opposition's dice with the largest stepped once for each step; a lone d4 isn't lost (X1).

    Raises Undecided if a d12 steps up one of several other dice, unless `decided` says which (D5).

    >>> [die.size for die in stepped_theirs((Die(8), Die(10)), (Act.UP_THEIRS,), Ruleset())]
    [8, 12]
    """
    dice = list(pool)
    for step in steps if dice else ():
        largest = max(range(len(dice)), key=lambda place: (dice[place].size, -place))
        if step is Act.UP_THEIRS:
            dice = step_up_die(dice, largest, rules, decided)
        else:
            dice = _stepped_down(dice, largest, rules) or dice  # a lone d4 stays
    return tuple(dice)


def needs_die(sfx: Sfx) -> bool:
    """Return whether the SFX is used on a die that it doesn't name itself.

    >>> needs_die(Sfx("Boost", ("double",))), needs_die(Sfx("Focus", ("double Mind",)))
    (True, False)
    """
    return any(part.act in ON_ONE_DIE and not part.label for part in parts_of(sfx))


def settled(
    table: Table,
    who: str,
    sfx: Sfx,
    on: str = "",
    hit: str = "",
    die: str | None = None,
    stands: tuple[Standing, ...] = (),
    label: str = "",
) -> Step:
    """Apply the costs and benefits of an SFX besides its dice, all of them or none (X1).

    `on` is the die it was used on, for the message; `hit` gets its complication (the scene by default);
    `die` is what the GM pays with for a GMC; `stands` are the complications and stress that it steps;
    `label` is the name of what it makes without one of its own, by default the SFX's.
    """
    character = table.characters[who]
    traits.require_usable(character, sfx)
    step = Step(table, (SfxUsed(character.name, sfx, on),))
    cost, benefit = (
        [replace(part, label=label or sfx.name) if is_unnamed(part) else part for part in parts(side)]
        for side in (sfx.cost, sfx.benefit)
    )
    for part in cost:
        if part.act is Act.PP and character.gmc:
            step = step.then(_doom_paid(step.table, sfx, part.number, die))
        else:
            step = step.then(_settled(step.table, who, sfx, part, who, is_cost=True))
    for part in benefit:
        step = step.then(_settled(step.table, who, sfx, part, hit or SCENE, is_cost=False))
    for one in stands:
        step = step.then(stepped(step.table, one))
    return step


def _settled(table: Table, who: str, sfx: Sfx, part: SfxPart, hit: str, *, is_cost: bool) -> Step:
    """One cost or benefit beside the dice."""
    match part.act:
        case Act.PP if table.characters[who].gmc:
            return _doom_gained(table, sfx, part.number)
        case Act.PP:
            points = cortex_points.pay_points if is_cost else cortex_points.earn_points
            return points(table, who, part.number, Why(Cause.SFX, sfx.name))
        case Act.ASSET:
            return gained(table, who, TraitKind.ASSET, part.label, part.die)
        case Act.COMPLICATION:
            return gained(table, hit, TraitKind.COMPLICATION, part.label, part.die)
        case Act.DOOM:
            gm_pools.require_doom(table)
            return gm_pools.add_doom_dice(table, (part.die,), Why(Cause.SFX, sfx.name))
        case Act.UP_DOOM | Act.DOWN_DOOM:
            return _doom_stepped(table, sfx, part.act)
        case Act.SHUT:
            return traits.shut(table, who, part.label or sfx.trait)
        case Act.OPPORTUNITY:
            return _opportunity_used(table, sfx)
        case (
            Act.UP
            | Act.DOWN
            | Act.DOUBLE
            | Act.SAFE
            | Act.UP_THEIRS
            | Act.DOWN_THEIRS
            | Act.ADD
            | Act.REROLL
            | Act.REMOVE
            | Act.TOTAL
            | Act.EFFECT
            | Act.EFFECT_UP
            | Act.FROM_DOOM
            | Act.TO_DOOM
            | Act.HITCH
            | Act.PUSH
            | Act.WORDS
        ):
            return Step(table, ())
        case _:
            assert_never(part.act)


def moved_to_doom(table: Table, sizes: tuple[int, ...]) -> Step:
    """Add dice that SFX move out of a pool to doom (D4).

    Raises SettingOff if doom is off; NotAllowed for a d4, which it never holds (M1).
    """
    if not sizes:
        return Step(table, ())
    gm_pools.require_doom(table)
    return gm_pools.add_doom_dice(table, sizes)


def _doom_paid(table: Table, sfx: Sfx, number: int, die: str | None) -> Step:
    """A GMC's SFX costs a doom die for each PP, the one that is named first, or nothing while doom is off."""
    if not CORTEX.of(table).ruleset.doom:
        return Step(table, ())
    sizes = list(gm_pools.doom_dice(table))
    if len(sizes) < number:
        raise NotAllowed(
            "You can't pay for {sfx}: it costs {dice}. {doom_pool.One}: {sizes}",
            sfx=sfx.name,
            dice=counted(number, "{count} {doom_pool.short} die", "{count} {doom_pool.short} dice"),
            sizes=held_words(sizes),
        )
    first = gm_pools.die_of(table, gm_pools.DOOM, die.rpartition(":")[2]) if die else sizes[0]
    others = sizes.copy()
    if first in others:  # else `lost` refuses it
        others.remove(first)
    why = Why(Cause.SFX, sfx.name)
    return gm_pools.remove_dice(table, gm_pools.DOOM, (first, *others[: number - 1]), Change.SPENT, why)


def _doom_stepped(table: Table, sfx: Sfx, act: Act) -> Step:
    """The smallest doom die steps up, or the largest down; the GM need not agree first (M8)."""
    gm_pools.require_doom(table)
    sizes = gm_pools.doom_dice(table)
    if not sizes:
        raise NotAllowed(
            "{sfx} steps {doom_pool.a_short} die, but the {doom_pool.one} is empty.", sfx=sfx.name
        )
    if act is Act.UP_DOOM:
        return gm_pools.step_up_doom_die(table, sizes[0])
    return gm_pools.stepped_down_once(table, gm_pools.DOOM, sizes[-1])


def _doom_gained(table: Table, sfx: Sfx, number: int) -> Step:
    """A GMC's limit adds a d6 to doom for each PP that it would give a player (M7)."""
    why = Why(Cause.SFX, sfx.name)
    return (
        gm_pools.add_doom_dice(table, (6,) * number, why)
        if CORTEX.of(table).ruleset.doom
        else Step(table, ())
    )


def _opportunity_used(table: Table, sfx: Sfx) -> Step:
    """The newest opportunity that nobody has used is used by an SFX (H3)."""
    here = CORTEX.of(table)
    for roll in sorted(here.rolls.values(), key=lambda each: -each.number):
        hand = gm_hand(roll)
        for place, die in enumerate(() if hand is None else hand.dice):
            if hand is not None and die.is_one and not die.used:
                dice = (*hand.dice[:place], replace(die, used=True), *hand.dice[place + 1 :])
                fresh = with_gm_hand(roll, replace(hand, dice=dice))
                after = CORTEX.put(table, replace(here, rolls={**here.rolls, roll.number: fresh}))
                return Step(after, (OpportunityUsed(fresh.who, sfx.name), RollChanged(fresh)))
    raise NotAllowed(
        "{sfx} needs {opportunity.a} on one of the {gm.one}'s dice, but none is open.", sfx=sfx.name
    )


def _place(dice: list[Die], sfx: Sfx, part: SfxPart, on: Die | None) -> int:
    """The die that a part is for: the one it names, else the one the SFX is used on, else the only one."""
    label = part.label or (on.label if on else "")
    for place, die in enumerate(dice):
        is_plain = on is not None and not label and not die.label and die.size == on.size
        if is_plain or (label and fold(die.label) == fold(label)):
            return place
    if label:
        raise NotAllowed(
            "{sfx} needs {label} in the pool. Example: {label} + {sfx}", sfx=sfx.name, label=label
        )
    if len(dice) == 1:
        return 0
    raise NotAllowed("Type the die for {sfx} right after it. Example: {sfx} d8", sfx=sfx.name)


def _stepped_down(dice: list[Die], place: int, rules: Ruleset) -> list[Die]:
    """A die stepped down; under the least size it leaves (D5)."""
    size = down(dice[place].size, 1, rules.sizes)
    return [*dice[:place], *([replace(dice[place], size=size)] if size else []), *dice[place + 1 :]]
