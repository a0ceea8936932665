"""What dice of doom or a crisis buy: like plot points (M4), for the scene (M5), or PP instead (M6)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.cortex import gm_pools, gmc, plot
from rules.cortex.gm_pools import DOOM
from rules.cortex.in_force import rules_of
from rules.cortex.outcome import gm_hand, settle, with_gm_hand
from rules.cortex.roll import changed, check_open, find, open_roll
from rules.cortex.scene import scene_ended, split
from rules.cortex.spend import one_more_effect, one_more_total
from rules.cortex.traits import gained
from rules.dice import SIZES, Die, Throw, check_count, rated, write
from rules.errors import NotAllowed, Unknown, Unreadable
from rules.facts import DiceJoined, GmUsed, PoolChanged, RollBettered, SceneCut
from rules.kinds import Use
from rules.names import clean
from rules.notation import read_dice
from rules.reasons import Cause, Change, Why
from rules.result import Step
from rules.seats import Actor, require_gm, several
from rules.table import SCENE, Foe, Hand, Kind, Roll, RolledDie, Table, Target, key


@dataclass(frozen=True, slots=True)
class Price:
    """What a use of doom dice costs, and what goes with it."""

    words: str
    """The price in words."""
    least: int = SIZES[0]
    """The least size of a die that pays."""
    count: int = 1
    """So many dice pay."""
    is_on_roll: bool = False
    """It does something for a roll, which tells it itself (M4)."""
    is_sized: bool = False
    """It makes a trait of the size of the die that pays (M5)."""
    is_named: bool = False
    """What it makes needs a name (M5)."""


PRICES: Mapping[Use, Price] = {
    Use.TOTAL: Price("any die: another die in the total of the GM's last roll", is_on_roll=True),
    Use.EFFECT: Price("any die: another effect die of the GM's last roll", is_on_roll=True),
    Use.DIE: Price("any die: it joins the GM's last roll", is_on_roll=True),
    Use.SFX: Price("any die: an SFX of a GMC"),
    Use.COMPLICATION: Price(
        "any die: a complication of its size, on the scene or on somebody", is_sized=True, is_named=True
    ),
    Use.ASSET: Price(
        "any die: an asset of its size, for the scene or somebody", is_sized=True, is_named=True
    ),
    Use.DISTINCTION: Price("d8 or more: a scene distinction d8", least=8, is_named=True),
    Use.EXTRA: Price("any die: an extra with one trait of its size", is_sized=True, is_named=True),
    Use.GMC: Price("a die as large as its highest trait: a GMC enters", is_named=True),
    Use.SPLIT: Price("d10 or d12: the group is split, its parts with ; between them", least=10),
    Use.END_SCENE: Price("2d12: the scene ends", least=12, count=2),
}
"""What each use costs."""
_NAME = {Foe.DOOM: "name", Foe.CRISIS: "what"}


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
    """Spend doom dice (M4, M5), or keep them and pay those it concerns instead (M6).

    `purse` is the pool that pays: a crisis pays like doom, for itself only (K4).
    """
    require_gm(table, actor, f"spend {purse.foe} dice")
    gm_pools.require_on(table, purse.foe)
    label = clean(name, "name", 200) if name and name.strip() else ""
    price = PRICES[use]
    if price.is_sized:
        label, dice = _rated(label, dice)
    sizes = read_dice(dice) if dice and dice.strip() else _smallest(table, use, purse, label)
    _check_price(use, sizes)
    if price.is_named and not label:
        raise Unreadable(
            "Give it a name. Example: dice:{sizes} for:{use} {name}:Fog",
            sizes=write(sizes),
            use=use,
            name=_NAME[purse.foe],
        )
    if use is Use.GMC:
        _check_gmc_price(table, purse, label, sizes[0])
    why = None if price.is_on_roll else Why(Cause.DOOM_USE, label, use=use)
    spent = gm_pools.lost(table, purse, sizes, Change.SPENT, why)
    paid = _paid(table, actor, "all" if use is Use.SPLIT else on) if keep_for_pp else spent
    if keep_for_pp:
        paid = Step(table, (_held(table, purse, sizes, why),)).then(paid)
    if price.is_on_roll:
        of = gm_roll(table, purse, number)
        return paid.then(_on_roll(paid.table, throw, [Die(s, label, purse.foe) for s in sizes], use, of))
    return paid.then(_used(paid.table, actor, sizes, use, label, on))


def _rated(label: str, dice: str | None) -> tuple[str, str | None]:
    """What is made, and the die that pays for it: its rating may be typed behind the name (M5, D1)."""
    if dice and len(read_dice(dice)) > 1:
        return label, dice
    bare, size = rated(label, write(read_dice(dice)) if dice and dice.strip() else None)
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
    """Spend dice of a crisis like doom dice, for that crisis only (K4)."""
    require_gm(table, actor, "spend crisis dice")
    purse = gm_pools.named(table, Foe.CRISIS, crisis)
    return spend(table, actor, throw, dice, use, what, on, keep_for_pp, purse)


def price_list(foe: Foe = Foe.DOOM) -> list[str]:
    """What doom dice, or those of a crisis, buy, a line each (M4, M5, K4)."""
    prices = [f"{use}: {price.words}" for use, price in PRICES.items()]
    example = f"Example: /{foe} spend dice:d8 for:complication {_NAME[foe]}:Fog"
    return [f"A {foe} die buys:", *prices, example]


def opposition_purses(table: Table, roll: Roll) -> list[Target]:
    """What the GM pays with for the dice that oppose a roll: doom, and a crisis for itself (M4, K4)."""
    if roll.gm or roll.applied or roll.answered or gm_hand(roll) is None:
        return []
    target = _rolled(roll)
    is_crisis = target is not None and target.foe is Foe.CRISIS and gm_pools.is_there(table, target)
    purses = [
        *([target] if target is not None and is_crisis else []),
        *([DOOM] if table.ruleset.doom else []),
    ]
    return [purse for purse in purses if gm_pools.dice(table, purse)]


def gm_roll(table: Table, purse: Target = DOOM, number: int = 0) -> tuple[Roll, Hand]:
    """The newest open roll with dice of the GM, their own or the opposition's, and those dice (M4).

    Where a crisis pays, the newest of its own (K4); by its `number` that one alone.
    """
    rolls = [open_roll(table, number)] if number else reversed(tuple(table.rolls.values()))
    for each in rolls:
        hand = gm_hand(each)
        if hand is not None and (purse == DOOM or purse == _rolled(each)):
            return find(table, each.number), hand
    if purse == DOOM:
        raise Unknown("The GM has no open roll. Example: /doom roll")
    name = table.crises[purse.key].name
    raise Unknown("Crisis {name} has no open roll. Example: /crisis roll name:{name}", name=name)


def _rolled(roll: Roll) -> Target | None:
    """What the GM's dice in a roll are of."""
    return roll.target if roll.gm or roll.against is None else roll.against.target


def _on_roll(table: Table, throw: Throw, dice: Sequence[Die], use: Use, of: tuple[Roll, Hand]) -> Step:
    """What the dice do to a roll of the GM (M4)."""
    match use:
        case Use.TOTAL:
            return _bettered(table, of, one_more_total, use)
        case Use.EFFECT:
            return _bettered(table, of, one_more_effect, use)
        case _:
            return _joined(table, throw, dice, of)


def _used(table: Table, actor: Actor, sizes: tuple[int, ...], use: Use, label: str, on: str | None) -> Step:
    """What the dice do for the scene once they are paid for (M5)."""
    largest = max(sizes)
    match use:
        case Use.TOTAL | Use.EFFECT | Use.DIE:
            raise AssertionError(use)
        case Use.SFX:
            return Step(table, (GmUsed(Why(Cause.GMC_SFX, label)),))
        case Use.COMPLICATION | Use.ASSET:
            table, keys = _attached(table, actor, on)
            step = Step(table, ())
            for owner in keys:
                step = step.then(gained(step.table, owner, Kind(use.value), label, largest))
            return step
        case Use.DISTINCTION:
            return gained(table, SCENE, Kind.DISTINCTION, label, 8)
        case Use.EXTRA | Use.GMC:
            return gmc.enter(table, label, largest, is_extra=use is Use.EXTRA)
        case Use.SPLIT:
            return split(table, on or label)
        case Use.END_SCENE:
            if not table.is_scene:
                raise NotAllowed("No scene runs that could end. Example: /scene start name:The docks")
            how = (SceneCut(label),) if label else ()
            return Step(table, how).then(scene_ended(table))


def _check_price(use: Use, sizes: tuple[int, ...]) -> None:
    """Refuse dice that do not pay for that use (M4, M5)."""
    price = PRICES[use]
    fits = len(sizes) == price.count and min(sizes) >= price.least
    if not fits:
        raise NotAllowed(
            "{sizes} does not pay for that. The price of {use} is {words}.",
            sizes=write(sizes),
            use=use,
            words=PRICES[use].words,
        )


def _smallest(table: Table, use: Use, purse: Target, label: str) -> tuple[int, ...]:
    """The smallest dice in the pool that pay for that use."""
    price = PRICES[use]
    if price.count > 1:
        return (price.least,) * price.count
    least = price.least
    if use is Use.GMC and label:
        least = max(4, gmc.price_of(table, label))
    fits = [size for size in gm_pools.dice(table, purse) if size >= least]
    if not fits:
        held = f"{gm_pools.title(table, purse)}: {write(gm_pools.dice(table, purse))}"
        raise NotAllowed("The price of {use} is {words}. {held}", use=use, words=PRICES[use].words, held=held)
    return (fits[0],)


def _check_gmc_price(table: Table, purse: Target, label: str, size: int) -> None:
    """A GMC costs a die as large as its highest trait, the next larger where there is none (M5)."""
    least = gmc.price_of(table, label)
    if not least:
        return
    fits = [each for each in gm_pools.dice(table, purse) if each >= least]
    if not fits or size != fits[0]:
        price = f"d{fits[0]}" if fits else f"d{least}, which {gm_pools.title(table, purse)} does not have"
        example = f"dice:d{fits[0]}" if fits else f"/doom add dice:d{least}"
        raise NotAllowed(
            "The highest trait is d{least}, so the price is {price}. Example: {example}",
            least=least,
            price=price,
            example=example,
        )


def _paid(table: Table, actor: Actor, on: str | None) -> Step:
    """The GM keeps the dice and pays everybody it concerns one PP (M6)."""
    people, is_scene = _people(on)
    table, keys = several(table, actor, people or "all") if people or not is_scene else (table, ())
    step = Step(table, ())
    for one in keys:
        if one in step.table.characters and not step.table.characters[one].gmc:
            step = step.then(plot.earned(step.table, one, 1, Why(Cause.DOOM_KEPT)))
    if not step.facts:
        raise NotAllowed(
            "Doom dice are kept by paying a player's character, and none is named. Example: on:Alice"
        )
    return step


def _attached(table: Table, actor: Actor, on: str | None) -> tuple[Table, tuple[str, ...]]:
    """Whom something is attached to: the scene, or characters that the GM names (M5)."""
    people, is_scene = _people(on)
    table, keys = several(table, actor, people) if people else (table, ())
    return table, (*keys, *((SCENE,) if is_scene or not keys else ()))


def _people(on: str | None) -> tuple[str, bool]:
    """The characters among those named with commas, and whether the scene is one of them."""
    parts = [part.strip() for part in (on or "").split(",") if part.strip()]
    people = [part for part in parts if key(part) != SCENE]
    return ", ".join(people), len(people) < len(parts)


def _joined(table: Table, throw: Throw, paid: Sequence[Die], of: tuple[Roll, Hand]) -> Step:
    """A die joins the GM's last roll; it is rolled alone (D8, M4)."""
    current, held = of
    check_open(current)
    sizes = [die.size for die in paid]
    dice = tuple(RolledDie(d.size, f, d.label, d.source) for d, f in zip(paid, throw(sizes), strict=True))
    check_count(len(held.dice) + len(dice))
    fresh = with_gm_hand(current, replace(held, dice=(*held.dice, *dice), chosen=False))
    said = DiceJoined(current.who, tuple(sizes), not current.gm)
    return changed(table, settle(fresh, rules_of(table, fresh)), said)


def _bettered(table: Table, of: tuple[Roll, Hand], change: Callable[[Roll, Hand], Hand], use: Use) -> Step:
    """The dice of the GM in the newest roll that has any, changed as the spent die buys (M4)."""
    current, held = of
    fresh = with_gm_hand(current, change(current, held))
    said = RollBettered(current.who, use, not current.gm)
    return changed(table, settle(fresh, rules_of(table, fresh)), said)
