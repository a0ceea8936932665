"""What doom dice do: oppose (M3), pay like plot points (M4), change the scene (M5), or pay players (M6)."""

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from rules.cortex import doom, plot
from rules.cortex.facts import Seated, Step, Told
from rules.cortex.opposition import doom_pool, thrown
from rules.cortex.outcome import settle
from rules.cortex.roll import changed, check_keep, check_open, gm_hand, known_names, placed, with_gm_hand
from rules.cortex.scene import scene_ended
from rules.cortex.seats import Actor, known_or_new, require_gm, several
from rules.cortex.spend import one_more_effect, one_more_total
from rules.cortex.table import SCENE, Character, Hand, Kind, Roll, RolledDie, Table, key
from rules.cortex.traits import gained
from rules.dice import Die, Throw, check_count, write
from rules.errors import NotAllowed, Unknown, Unreadable
from rules.names import clean
from rules.notation import read, read_dice


class Use(StrEnum):
    """What a doom die can be spent for (M4, M5)."""

    TOTAL = "total"
    EFFECT = "effect"
    DIE = "die"
    SFX = "sfx"
    COMPLICATION = "complication"
    ASSET = "asset"
    DISTINCTION = "distinction"
    EXTRA = "extra"
    GMC = "gmc"
    SPLIT = "split"
    END_SCENE = "end scene"


PRICES = {
    Use.TOTAL: "any die: another die in the total of the GM's last roll",
    Use.EFFECT: "any die: another effect die of the GM's last roll",
    Use.DIE: "any die: it joins the GM's last roll",
    Use.SFX: "any die: an SFX of a GMC",
    Use.COMPLICATION: "any die: a complication of its size, on the scene or on somebody",
    Use.ASSET: "any die: an asset of its size, for the scene or somebody",
    Use.DISTINCTION: "d8 or more: a scene distinction d8",
    Use.EXTRA: "any die: an extra with one trait of its size",
    Use.GMC: "a die as large as its highest trait: a GMC enters",
    Use.SPLIT: "d10 or d12: the group is split in two",
    Use.END_SCENE: "2d12: the scene ends",
}
"""Each use with its price, in words."""
_ON_A_ROLL = (Use.TOTAL, Use.EFFECT, Use.DIE)
"""Uses that the roll itself tells (M4)."""
_NAMED = (Use.COMPLICATION, Use.ASSET, Use.DISTINCTION, Use.EXTRA, Use.GMC)


def roll(
    table: Table,
    actor: Actor,
    throw: Throw,
    dice: str | None = None,
    with_: str | None = None,
    keep: int = 2,
    on: str | None = None,
) -> Step:
    """Roll all or some doom dice as the opposition, with what else stands in the way (M3, R9)."""
    require_gm(table, actor, "roll the doom pool")
    check_keep(keep)
    pool = doom_pool(table)
    if dice and dice.strip():
        wanted = read_dice(dice)
        doom.lost(table, wanted)
        pool = tuple(Die(size, "", "doom") for size in wanted)
    extra = (
        read(with_, known_names(table, None), table.ruleset.step_up_d12).pool
        if with_ and with_.strip()
        else ()
    )
    target: tuple[str, ...] = ()
    if on and on.strip():
        table, keys = several(table, on)
        target = tuple(table.characters[one].name for one in keys)
    hand = thrown((*pool, *extra), keep, table, throw)
    return placed(table, Roll(table.number + 1, actor.id, doom.NAME, hand, gm=True, on=target))


def spend(
    table: Table,
    actor: Actor,
    throw: Throw,
    dice: str | None,
    use: Use,
    name: str | None = None,
    on: str | None = None,
    keep_for_pp: bool = False,
) -> Step:
    """Spend doom dice (M4, M5), or keep them and pay those it concerns instead (M6)."""
    require_gm(table, actor, "spend doom dice")
    doom.require_on(table)
    sizes = read_dice(dice) if dice and dice.strip() else _smallest(table, use)
    _check_price(use, sizes)
    label = clean(name, "name") if name and name.strip() else ""
    if use in _NAMED and not label:
        raise Unreadable(f"Give it a name. Example: /doom spend dice:{write(sizes)} for:{use} name:Fog")
    why = "" if use in _ON_A_ROLL else f"{use} {label}".strip()
    spent = doom.lost(table, sizes, "spent", why)
    paid = _paid(table, on) if keep_for_pp else spent
    effect = _used(paid.table, throw, sizes, use, label, on)
    return paid.then(effect)


def price_list() -> list[str]:
    """What doom dice buy, a line each."""
    prices = [f"{use}: {price}" for use, price in PRICES.items()]
    return ["A doom die buys:", *prices, "Example: /doom spend dice:d8 for:complication name:Fog"]


def gm_roll(table: Table) -> tuple[Roll, Hand]:
    """The newest open roll with dice of the GM, their own or the opposition's, and those dice (M4)."""
    for each in reversed(tuple(table.rolls.values())):
        hand = gm_hand(each)
        if hand is not None:
            return each, hand
    raise Unknown("The GM has no open roll. Example: /doom roll")


def _used(table: Table, throw: Throw, sizes: tuple[int, ...], use: Use, label: str, on: str | None) -> Step:
    """What the dice do once they are paid for."""
    largest = max(sizes)
    match use:
        case Use.TOTAL:
            return _bettered(table, one_more_total, "another die in the GM's total")
        case Use.EFFECT:
            return _bettered(table, one_more_effect, "another effect die of the GM")
        case Use.DIE:
            return _joined(table, throw, sizes, label)
        case Use.SFX:
            return Step(table, (Told(f"The GM uses an SFX{f': {label}' if label else ''}"),))
        case Use.COMPLICATION | Use.ASSET:
            table, owner = _attached(table, on)
            return gained(table, owner, Kind(use.value), label, largest)
        case Use.DISTINCTION:
            return gained(table, SCENE, Kind.DISTINCTION, label, 8)
        case Use.EXTRA | Use.GMC:
            return _entered(table, use, label, largest)
        case Use.SPLIT:
            return Step(table, (Told(f"The group is split{f': {label}' if label else ''}"),))
        case Use.END_SCENE:
            if not table.is_scene:
                raise NotAllowed("No scene runs that could end. Example: /scene start name:The docks")
            return scene_ended(table)


def _check_price(use: Use, sizes: tuple[int, ...]) -> None:
    """Refuse dice that do not pay for that use (M4, M5)."""
    if use is Use.END_SCENE:
        fits = sorted(sizes) == [12, 12]
    elif use is Use.SPLIT:
        fits = len(sizes) == 1 and sizes[0] >= 10
    elif use is Use.DISTINCTION:
        fits = len(sizes) == 1 and sizes[0] >= 8
    else:
        fits = len(sizes) == 1
    if not fits:
        raise NotAllowed(f"{write(sizes)} does not pay for that. The price of {use} is {PRICES[use]}.")


def _smallest(table: Table, use: Use) -> tuple[int, ...]:
    """The smallest dice in the pool that pay for that use."""
    if use is Use.END_SCENE:
        return (12, 12)
    least = {Use.DISTINCTION: 8, Use.SPLIT: 10}.get(use, 6)
    fits = [size for size in doom.dice(table) if size >= least]
    if not fits:
        raise NotAllowed(f"The price of {use} is {PRICES[use]}. Doom pool: {write(doom.dice(table))}")
    return (fits[0],)


def _paid(table: Table, on: str | None) -> Step:
    """The GM keeps the dice and pays everybody it concerns one PP (M6)."""
    table, keys = several(table, on or "all")
    step = Step(table, ())
    for one in keys:
        if one in step.table.characters and not step.table.characters[one].gmc:
            step = step.then(plot.earned(step.table, one, 1, "the GM keeps the doom dice"))
    if not step.facts:
        raise NotAllowed(
            "Doom dice are kept by paying a player's character, and none is named. Example: on:Alice"
        )
    return step


def _attached(table: Table, on: str | None) -> tuple[Table, str]:
    if not on or not on.strip() or key(on.strip()) == SCENE:
        return table, SCENE
    return known_or_new(table, clean(on, "name of a character", 80))


def _joined(table: Table, throw: Throw, sizes: tuple[int, ...], label: str) -> Step:
    """A die joins the GM's last roll; it is rolled alone (D8, M4)."""
    current, held = gm_roll(table)
    check_open(current)
    faces = throw(sizes)
    dice = tuple(RolledDie(size, face, label, "doom") for size, face in zip(sizes, faces, strict=True))
    check_count(len(held.dice) + len(dice))
    fresh = with_gm_hand(current, replace(held, dice=(*held.dice, *dice), chosen=False))
    return changed(table, settle(fresh, table.ruleset), f"{write(sizes)} joins")


def _bettered(table: Table, change: Callable[[Roll, Hand], Hand], how: str) -> Step:
    """The dice of the GM in the newest roll that has any, changed as the spent die buys (M4)."""
    current, held = gm_roll(table)
    fresh = with_gm_hand(current, change(current, held))
    return changed(table, settle(fresh, table.ruleset), how)


def _entered(table: Table, use: Use, label: str, size: int) -> Step:
    """An extra with one trait, or a GMC, is in the scene (M5, B2); `Thug: Brawler` names the trait."""
    label, trait = _name_and_trait(label)
    old = table.characters.get(key(label))
    if old is not None and not old.gmc:
        raise NotAllowed(f"{old.name} is a character of a player. Give the {use} another name.")
    if old is not None:
        return Step(table, (Seated(old.name, "enters the scene"),))
    table, who = known_or_new(table, label)
    gmc = Character(table.characters[who].name, gmc=True)
    step = Step(table.with_owner(who, gmc), (Seated(gmc.name, "enters the scene"),))
    return step.then(gained(step.table, who, Kind.DISTINCTION, trait, size))


def _name_and_trait(typed: str) -> tuple[str, str]:
    """A name, and the trait after its colon; a trait of the same name where there is none (B2)."""
    name, _, trait = (part.strip() for part in typed.partition(":"))
    return clean(name, "name of a character", 80), clean(trait or name, "label")
