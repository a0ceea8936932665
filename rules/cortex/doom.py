"""Spend doom and crisis dice: plot point effects, traits, GMCs, the scene's end, or PP (D4, M4 to M6)."""

from collections.abc import Callable, Collection, Sequence
from typing import NoReturn

from rules.campaign.scenes import scene_ended
from rules.campaign.seats import (
    Actor,
    expand_groups,
    find_meant_name,
    is_scene,
    require_gm,
    several,
    split_names,
)
from rules.cortex import gm_pools, gmc, points, rating
from rules.cortex.facts import (
    Cause,
    Change,
    DiceJoined,
    GmUsed,
    PoolChanged,
    RollBettered,
    RollChanged,
    SceneCut,
    Why,
)
from rules.cortex.gm_pools import DOOM
from rules.cortex.kinds import Foe, Target, TraitKind, Use
from rules.cortex.model import CORTEX, Hand, Roll, RolledDie
from rules.cortex.outcome import gm_hand, settle, with_gm_hand
from rules.cortex.pool import SOURCES, Die, Special
from rules.cortex.pool_words import step_up_pool
from rules.cortex.reroll import MOST_ASKED
from rules.cortex.roll import change_roll, check_open, find, open_roll, with_roll
from rules.cortex.roll_status import rules_of
from rules.cortex.scenes import split
from rules.cortex.spending import one_more_effect, one_more_total
from rules.cortex.traits import gained
from rules.dice import SIZES, Throw, check_count, held_words, with_those, write_dice
from rules.errors import NotAllowed, PossibleAnswer, RuleError, TooLate, Undecided, Unknown, Unreadable
from rules.game import Step
from rules.names import NAME, SCENE, clean, fold, key
from rules.table import Table
from rules.text import Words
from rules.values import Value, exhaustive, replace


class Spent(Value):
    """Dice that are being spent: their sizes, the use, a name for what they make, and on whom.

    >>> Spent((6, 10), Use.TOTAL, "", None).largest
    10
    """

    sizes: tuple[int, ...]
    use: Use
    label: str
    on: str | None

    @property
    def largest(self) -> int:
        """The size of the largest of them."""
        return max(self.sizes)


_ANY_DIE = Words("one die of any size")


class DoomUse(Value):
    """A use of doom dice: its price, the options that go with it, and its effect."""

    buys: Words
    """What the price buys, in words."""
    does: Callable[[Table, Actor, Spent], Step] | None = None
    """What it does for the scene (M5); none where it does something for a roll."""
    betters: Callable[[Roll, Hand], Hand] | None = None
    """What it does to the dice of the GM in a roll, where the die that pays does not join them (M4)."""
    price: Words = _ANY_DIE
    """The price in words."""
    least: int = SIZES[0]
    """The least size of a die that pays."""
    count: int = 1
    """So many dice pay."""
    is_sized: bool = False
    """It makes a trait of the size of the die that pays (M5)."""
    is_named: bool = False
    """What it makes needs a name (M5)."""
    price_of: Callable[[Table, str, Collection[str]], int] | None = None
    """The size that what is named costs, where that is its own (M5)."""
    concerns_all: bool = False
    """Whoever is named is not whom it concerns alone: keeping the dice pays everybody (M6)."""

    @property
    def is_on_roll(self) -> bool:
        """Whether it acts on a roll, which reports it itself (M4).

        >>> [str(use) for use, each in USES.items() if each.is_on_roll]
        ['total', 'effect', 'die']
        """
        return self.does is None


def check_price(use: Use, price: DoomUse, sizes: tuple[int, ...]) -> None:
    """Raise NotAllowed if these dice do not pay for that use (M4, M5).

    >>> check_price(Use.DIE, USES[Use.DIE], (8,))
    >>> check_price(Use.SPLIT, USES[Use.SPLIT], (8,))
    Traceback (most recent call last):
        ...
    rules.errors.NotAllowed: d8 doesn't pay for split: the price is d10 or d12.
    """
    fits = len(sizes) == price.count and min(sizes) >= price.least
    if not fits:
        raise NotAllowed(
            "{sizes} doesn't pay for {use}: the price is {price}.",
            sizes=write_dice(sizes),
            use=use,
            price=price.price,
        )


def smallest(
    table: Table, use: Use, price: DoomUse, purse: Target, label: str, agreed: Collection[str] = ()
) -> tuple[int, ...]:
    """Return the smallest dice in the pool that pay for that use. Raises NotAllowed if none do."""
    if price.count > 1:
        return (price.least,) * price.count
    least = price.least
    if price.price_of is not None and label:
        least = max(least, price.price_of(table, label, agreed))
    fits = [size for size in gm_pools.dice(table, purse) if size >= least]
    if not fits:
        raise NotAllowed(
            "You can't afford {use}: it costs {price}. {pool}: {held}",
            use=use,
            price=price.price,
            pool=gm_pools.titled(table, purse),
            held=held_words(gm_pools.dice(table, purse)),
        )
    return (fits[0],)


def check_price_of(table: Table, purse: Target, least: int, size: int) -> None:
    """Raise NotAllowed unless `size` is the right price for a highest trait of `least` (M5).

    The price is a die as large as the highest trait, or the next larger one that the pool holds.
    """
    if not least:
        return
    fits = [each for each in gm_pools.dice(table, purse) if each >= least]
    if not fits or size != fits[0]:
        if not fits:
            raise NotAllowed(
                "The highest trait is d{least}, so the price is d{least} or more. {pool}: {held}",
                least=least,
                pool=gm_pools.titled(table, purse),
                held=held_words(gm_pools.dice(table, purse)),
            )
        raise NotAllowed(
            "The highest trait is d{least}, so the price is d{price}. Example: dice:d{price}",
            least=least,
            price=fits[0],
        )


def spend(
    table: Table,
    actor: Actor,
    throw: Throw,
    dice: str | None,
    use: Use,
    name: str | None = None,
    on: str | None = None,
    keep_for_pp: bool = False,
    purse: Target = DOOM,
    number: int = 0,
) -> Step:
    """Spend doom dice (M4, M5), or keep them and pay PP to those whom it concerns (M6).

    `purse` is the pool that pays: a crisis pays like doom, but only for itself (K4). Raises NotAllowed
    for anybody but the GM and for dice that do not pay; Unreadable without a name that is needed;
    Undecided if several characters could get the trait; Unknown if there is no open roll to act on;
    SettingOff if the pool is off.
    """
    require_gm(table, actor, Words("spend {foe} dice", foe=gm_pools.FOES[purse.foe].noun))
    gm_pools.require_on(table, purse.foe)
    label = clean(name, NAME, 200) if name and name.strip() else ""
    price = USES[use]
    if price.is_sized and label:
        label, dice = _rated(table, actor, purse, label, dice)
    sizes = (
        gm_pools.those_of(table, purse, dice, actor.agreed)
        if dice and dice.strip()
        else smallest(table, use, USES[use], purse, label, actor.agreed)
    )
    check_price(use, USES[use], sizes)
    if price.is_named and not label:
        raise Unreadable(
            "Name what you're buying. Example: dice:{sizes} for:{use} {name}:Fog",
            sizes=write_dice(sizes),
            use=use,
            name=gm_pools.FOES[purse.foe].option,
        )
    if price.price_of is not None:
        check_price_of(table, purse, price.price_of(table, label, actor.agreed), sizes[0])
    why = None if price.is_on_roll else Why(Cause.DOOM_USE, label, use=use)
    spent = gm_pools.remove_dice(table, purse, sizes, Change.SPENT, why)
    paid = _paid(table, actor, "all" if price.concerns_all else on) if keep_for_pp else spent
    if keep_for_pp:
        paid = Step(table, (_held(table, purse, sizes, why),)).then(paid)
    if price.does is not None:
        return paid.then(price.does(paid.table, actor, Spent(sizes, use, label, on)))
    of = gm_roll(table, purse, number)
    if price.betters is not None:
        return paid.then(_bettered(paid.table, of, price.betters, use))
    return paid.then(_joined(paid.table, throw, [Die(size, label, SOURCES[purse.foe]) for size in sizes], of))


def _rated(table: Table, actor: Actor, purse: Target, label: str, dice: str | None) -> tuple[str, str | None]:
    """What is made, and the die that pays for it: its rating may be typed behind the name (M5, D1)."""
    typed = gm_pools.those_of(table, purse, dice, actor.agreed) if dice and dice.strip() else ()
    if len(typed) > 1:
        return label, dice
    rules = CORTEX.of(table).ruleset
    rules = replace(rules, sizes=with_those(rules.sizes, gm_pools.dice(table, purse)))
    bare, size = rating.rated_once(label, write_dice(typed) if typed else None, rules, actor.agreed)
    return bare, f"d{size}" if size else dice


def _held(table: Table, purse: Target, sizes: tuple[int, ...], why: Why | None) -> PoolChanged:
    """The dice that would have been spent, and that the GM keeps (M6)."""
    there = gm_pools.dice(table, purse)
    return PoolChanged(gm_pools.called(table, purse), there, there, Change.KEPT, sizes, why=why)


def spend_crisis(
    table: Table,
    actor: Actor,
    throw: Throw,
    crisis: str | None,
    dice: str | None,
    use: Use,
    what: str | None = None,
    on: str | None = None,
    keep_for_pp: bool = False,
) -> Step:
    """Spend dice of a crisis like doom dice, for that crisis only (K4).

    Raises what `spend` raises, and Unknown if there is no such crisis.
    """
    require_gm(table, actor, Words("spend {crisis.one} dice"))
    purse = gm_pools.find_pool(table, Foe.CRISIS, crisis)
    return spend(table, actor, throw, dice, use, what, on, keep_for_pp, purse)


def affordable(table: Table, purse: Target, sizes: tuple[int, ...] = ()) -> list[Use]:
    """Return what these dice can buy now, or any dice of the pool if there are no `sizes` (M4, M5, K4)."""
    held = gm_pools.dice(table, purse)
    return [use for use, each in USES.items() if _pays(each, sizes, held) and _has_use(table, purse, use)]


def _pays(price: DoomUse, sizes: tuple[int, ...], held: tuple[int, ...]) -> bool:
    """Whether the chosen dice are the price, or can be found among those of the pool."""
    if sizes:
        return len(sizes) == price.count and min(sizes) >= price.least
    return len([size for size in held if size >= price.least]) >= price.count


def _has_use(table: Table, purse: Target, use: Use) -> bool:
    """Whether there is a roll that would be bettered, a scene to end, or a group to split."""
    if use is Use.END_SCENE:
        return table.is_scene
    if use is Use.SPLIT:
        return len([each for each in table.characters.values() if each.player]) > 1
    if not USES[use].is_on_roll:
        return True
    betters = USES[use].betters
    try:
        of = gm_roll(table, purse)
        if betters is not None:
            betters(*of)
    except RuleError:
        return False
    return True


def opposition_purses(table: Table, roll: Roll) -> list[Target]:
    """Return the pools the GM can pay from for a roll's opposition: its crisis, doom (M4, K4)."""
    if roll.gm or roll.applied or roll.answered or gm_hand(roll) is None:
        return []
    target = _rolled(roll)
    is_crisis = target is not None and target.foe is Foe.CRISIS and gm_pools.is_there(table, target)
    purses = [
        *([target] if target is not None and is_crisis else []),
        *([DOOM] if CORTEX.of(table).ruleset.doom else []),
    ]
    return [purse for purse in purses if gm_pools.dice(table, purse)]


def gm_roll(table: Table, purse: Target = DOOM, number: int = 0) -> tuple[Roll, Hand]:
    """Return the newest open roll with GM dice, their own or the opposition's, and those dice (M4).

    If a crisis pays, it is the newest roll against that crisis or of it (K4). A `number` selects one
    roll. Raises Unknown if there is no such roll.
    """
    here = CORTEX.of(table)
    rolls = [open_roll(table, number)] if number else reversed(tuple(here.rolls.values()))
    for each in rolls:
        hand = gm_hand(each)
        if hand is not None and (purse == DOOM or purse == _rolled(each)):
            return find(table, each.number), hand
    if purse == DOOM:
        raise Unknown("The {gm.one} has no open roll. Example: /doom roll")
    name = here.crises[purse.key].name
    raise Unknown("{crisis.One} {name} has no open roll. Example: /crisis roll name:{name}", name=name)


def _rolled(roll: Roll) -> Target | None:
    """What the GM's dice in a roll are of."""
    return roll.target if roll.gm or roll.against is None else roll.against.target


def _gmc_used(table: Table, actor: Actor, spent: Spent) -> Step:
    return Step(table, (GmUsed(Why(Cause.GMC_SFX, spent.label)),))


def _trait_made(table: Table, actor: Actor, spent: Spent) -> Step:
    """A complication or an asset of the die's size, on the scene or on somebody: one die, one trait (M5)."""
    table, owner = _attached(table, actor, spent)
    return gained(table, owner, TraitKind(spent.use.value), spent.label, spent.largest)


def _distinction_made(table: Table, actor: Actor, spent: Spent) -> Step:
    return gained(table, SCENE, TraitKind.DISTINCTION, spent.label, 8)


def _gmc_entered(table: Table, actor: Actor, spent: Spent) -> Step:
    return gmc.enter(table, actor, spent.label, spent.largest, is_extra=USES[spent.use].is_sized)


def _split(table: Table, actor: Actor, spent: Spent) -> Step:
    return split(table, spent.on or spent.label)


def _scene_ended(table: Table, actor: Actor, spent: Spent) -> Step:
    if not table.is_scene:
        raise NotAllowed("There's no {scene.one} to end.")
    how = (SceneCut(spent.label),) if spent.label else ()
    return Step(table, how).then(scene_ended(table, actor.agreed))


def _paid(table: Table, actor: Actor, on: str | None) -> Step:
    """The GM keeps the dice and pays everybody it concerns one PP (M6)."""
    people, has_scene = _people(table, actor, on)
    table, keys = several(table, actor, people or "all") if people or not has_scene else (table, ())
    step = Step(table, ())
    for one in keys:
        if one in step.table.characters and not step.table.characters[one].gmc:
            step = step.then(points.earn_points(step.table, one, 1, Why(Cause.DOOM_KEPT)))
    if not step.facts:
        raise NotAllowed(
            "To keep your {doom_pool.short} dice, pay a player's character instead. Say which character."
        )
    return step


def _attached(table: Table, actor: Actor, spent: Spent) -> tuple[Table, str]:
    """Whom a trait is attached to: the scene, or the character that the GM names (M5).

    Raises Undecided where several are named, and NotAllowed where they are too many to ask.
    """
    people, has_scene = _people(table, actor, spent.on)
    named = [find_meant_name(table, name) for name in expand_groups(table, people)]
    names = [*{fold(name): name for name in named}.values()]
    answers = [*names, *([SCENE] if has_scene else [])]
    chosen = next((name for name in answers if _of(name) in actor.agreed), "")
    if not chosen and any(sign.startswith(_of("")) for sign in actor.agreed):
        raise TooLate("That character is no longer at the table. Send the command again.")
    if len(answers) > 1:
        if not chosen:
            _ask_whose(spent.label, names, has_scene=has_scene)
        people = "" if chosen == SCENE else chosen
    if not people:
        return table, SCENE
    table, (owner,) = several(table, actor, people)
    return table, owner


def _of(name: str) -> str:
    """The sign of the answer that something is theirs."""
    return f"of {key(name)}"


def _ask_whose(label: str, names: Sequence[str], *, has_scene: bool) -> NoReturn:
    """Raises Undecided between those who are named, or NotAllowed where they are too many."""
    if len(names) > MOST_ASKED:
        raise NotAllowed(
            "One die makes only one trait, so name only one character. Example: on:{name}", name=names[0]
        )
    answers = [PossibleAnswer(Words("{name}", name=name), _of(name)) for name in names]
    scene = [PossibleAnswer(Words("The {scene.one}"), _of(SCENE))] if has_scene else []
    raise Undecided("One die makes one trait. Who gets {label}?", *answers, *scene, label=label)


def _people(table: Table, actor: Actor, on: str | None) -> tuple[str, bool]:
    """The characters among those named, and whether the scene is one of them (N1)."""
    parts = split_names(table, on or "")
    people = [part for part in parts if not is_scene(table, actor, part)]
    return ", ".join(people), len(people) < len(parts)


def _joined(table: Table, throw: Throw, paid: Sequence[Die], of: tuple[Roll, Hand]) -> Step:
    """A die joins the GM's last roll; it is rolled alone (D8, M4)."""
    current, held = of
    check_open(current)
    sizes = [die.size for die in paid]
    thrown = zip(paid, throw(sizes), strict=True)
    dice = tuple(RolledDie(d.size, face, d.label, d.source, low=held.low, safe=d.safe) for d, face in thrown)
    check_count(len(held.dice) + len(dice))
    fresh = with_gm_hand(current, replace(held, dice=(*held.dice, *dice), chosen=False))
    said = DiceJoined(current.who, tuple(sizes), not current.gm)
    return change_roll(table, settle(fresh, rules_of(table, fresh)), said)


def _bettered(table: Table, of: tuple[Roll, Hand], change: Callable[[Roll, Hand], Hand], use: Use) -> Step:
    """The dice of the GM in the newest roll that has any, changed as the spent die buys (M4)."""
    current, held = of
    fresh = with_gm_hand(current, change(current, held))
    said = RollBettered(current.who, use, not current.gm)
    return change_roll(table, settle(fresh, rules_of(table, fresh)), said)


USES = exhaustive(
    Use,
    {
        Use.TOTAL: DoomUse(
            Words("another die in the total of the {gm.one}'s last roll"), betters=one_more_total
        ),
        Use.EFFECT: DoomUse(Words("another effect die in the {gm.one}'s last roll"), betters=one_more_effect),
        Use.DIE: DoomUse(Words("the die itself, added to the {gm.one}'s last roll")),
        Use.SFX: DoomUse(Words("{gmc.a}'s SFX"), _gmc_used),
        Use.COMPLICATION: DoomUse(
            Words("{complication.a} as large as the die, on the {scene.one} or a character"),
            _trait_made,
            is_sized=True,
            is_named=True,
        ),
        Use.ASSET: DoomUse(
            Words("{asset.a} as large as the die, on the {scene.one} or a character"),
            _trait_made,
            is_sized=True,
            is_named=True,
        ),
        Use.DISTINCTION: DoomUse(
            Words("{scene.a} {distinction.one} d8"),
            _distinction_made,
            price=Words("d8 or more"),
            least=8,
            is_named=True,
        ),
        Use.EXTRA: DoomUse(
            Words("an extra with one trait as large as the die"),
            _gmc_entered,
            is_sized=True,
            is_named=True,
        ),
        Use.GMC: DoomUse(
            Words("{gmc.a}, brought into the {scene.one}"),
            _gmc_entered,
            price=Words("a die as large as the highest trait"),
            is_named=True,
            price_of=gmc.price_of,
        ),
        Use.SPLIT: DoomUse(
            Words("a split group; separate the groups with ;"),
            _split,
            price=Words("d10 or d12"),
            least=10,
            concerns_all=True,
        ),
        Use.END_SCENE: DoomUse(
            Words("the end of the {scene.one}"), _scene_ended, price=Words("2d12"), least=12, count=2
        ),
    },
)
"""What dice of doom or a crisis buy. A new use is a member of `Use`, a record here, and its words."""


def lent(table: Table, roll: Roll) -> list[tuple[int, int]]:
    """Return the doom dice of a roll that have not gone back, as pairs of index and size."""
    if not CORTEX.of(table).ruleset.doom:
        return []
    dice = enumerate(roll.hand.dice)
    return [
        (n, die.size) for n, die in dice if die.source.kind is Special.FROM_DOOM and n not in roll.returned
    ]


def gone_back(table: Table, size: int) -> tuple[int, ...]:
    """Return what a doom die becomes when it goes back, stepped up (D4, D5).

    >>> gone_back(Table(), 8)
    (10,)
    >>> gone_back(Table(), 12)
    (6, 12)
    """
    return step_up_pool((size,), size, CORTEX.of(table).ruleset)


def give_back(table: Table, actor: Actor, number: int, place: int) -> Step:
    """Put a doom die of a roll back into the doom pool, stepped up; it still counts in the roll (D4).

    Raises NotAllowed for anybody but the GM; SettingOff if doom is off; TooLate if the die is back
    already.
    """
    require_gm(table, actor, Words("put dice back into {doom_pool.short}"))
    gm_pools.require_doom(table)
    roll = find(table, number)
    size = dict(lent(table, roll)).get(place)
    if size is None:
        raise TooLate("That die is already back in the {doom_pool.one}, or it never came from there.")
    step = gm_pools.add_doom_dice(table, gone_back(table, size), Why(Cause.LENT))
    fresh = replace(roll, returned=(*roll.returned, place))
    return Step(with_roll(step.table, fresh), (*step.facts, RollChanged(fresh)))
