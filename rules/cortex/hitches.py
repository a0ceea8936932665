"""Use 1s: the GM buys a player's hitches, players use the GM's opportunities (H1 to H4, R5)."""

from bisect import bisect_left
from collections.abc import Callable
from enum import StrEnum

from rules.campaign.rolls import require_roller
from rules.campaign.seats import Actor, character_of, is_game_master, own_seat, require_gm
from rules.cortex import gm_pools, kinds, points, pool
from rules.cortex.effects import hitches, is_failed_recovery, spent_ones
from rules.cortex.facts import Cause, RollChanged, TraitChanged, Why
from rules.cortex.kinds import LENDING, Trait, TraitKind
from rules.cortex.model import CORTEX, Closing, Roll, ladder, with_traits
from rules.cortex.outcome import Outcome, gm_hand, with_gm_hand
from rules.cortex.pool import Special
from rules.cortex.push_and_challenge import helping, is_helper, trait_of
from rules.cortex.roll import done_by, find, roller_seat, too_late, with_roll
from rules.cortex.roll_status import resolve, rules_of
from rules.cortex.ruleset import ComplicationsPay, HitchesBuy, Opportunities, Ruleset
from rules.cortex.trait_lookup import find_trait, new_label, worded, wording
from rules.cortex.traits import gained, stepped_down, stepped_up
from rules.dice import SIZES, Ladder, step_of, up
from rules.errors import NotAllowed, SettingOff, TooLate
from rules.facts import Fact
from rules.game import Step
from rules.names import find as find_name
from rules.names import fold, key, key_in
from rules.table import Table
from rules.text import Words, shorten
from rules.values import Value, exhaustive, replace


def thinning(table: Table, roll: Roll) -> list[tuple[TraitKind, Trait]]:
    """Return the roller's traits that can lose a die by a hitch; [] if the setting is off (N21)."""
    character = table.characters.get(key(roll.who))
    if character is None or not CORTEX.of(table).ruleset.gangs_thin_out:
        return []
    dice = (roll.hand.dice[place] for place in hitches(roll))
    named = {fold(die.label) for die in dice if not die.source.is_new}
    held = [(kind, CORTEX.has(character).traits(kind)) for kind in LENDING]
    return [
        (kind, one)
        for kind, traits in held
        for k, one in traits.items()
        if one.more and fold(one.label) in named
    ]


def thinning_places(roll: Roll, label: str, most: int) -> tuple[int, ...]:
    """Return the indices of up to `most` hitches on a trait's dice, the smallest dice first (N21)."""
    ones = [place for place in hitches(roll) if fold(roll.hand.dice[place].label) == fold(label)]
    return tuple(sorted(ones, key=lambda place: roll.hand.dice[place].size)[:most])


def thinned(table: Table, who: str, roll: Roll, ones: tuple[int, ...], label: str) -> Step:
    """Remove a die from a trait for good for each of these hitches (N21).

    Raises NotAllowed if the roll has no such trait with a hitch left.
    """
    kind, old = _found(table, roll, label)
    left = old
    for place in ones:
        left = pool.without_die_near(left, roll.hand.dice[place].size)
    owner = table.owner(who)
    held = {**CORTEX.has(owner).traits(kind), key(old.label): left}
    facts: tuple[Fact, ...] = (TraitChanged(owner.name, kind, old, left),)
    return Step(table.with_owner(who, with_traits(owner, kind, held)), facts)


def thinned_dice(table: Table, roll: Roll, label: str, count: int) -> tuple[int, ...]:
    """Return the indices of the hitches that thin out a trait, leaving it one die (N21).

    Raises NotAllowed if the roll has no such trait with a hitch left.
    """
    if not CORTEX.of(table).ruleset.gangs_thin_out:
        return ()
    _, trait = _found(table, roll, label)
    return thinning_places(roll, trait.label, min(count, len(trait.more)))


def _found(table: Table, roll: Roll, label: str) -> tuple[TraitKind, Trait]:
    found = [(kind, one) for kind, one in thinning(table, roll) if fold(one.label) == fold(label)]
    if not found:
        raise NotAllowed(
            "That roll has no group {label} with {hitch.a} left. Press Hitches again.",
            label=shorten(label),
        )
    return found[0]


BUY = Words("buy {hitch.many}")
"""What the GM alone may."""


class Way(StrEnum):
    """The ways in which the GM may use hitches (H1, R5)."""

    COMPLICATION = "complication"
    BOTCH = "botch"
    DOOM_ONE = "doom one"
    DOOM_EACH = "doom each"
    DOOM_STEP = "doom step"
    DOOM_SIZE = "doom size"
    GROW = "d4 grows"
    THIN_OUT = "thin out"


class HitchWay(Value):
    """What a way to use hitches pays, and what it does."""

    does: Callable[[Table, str, Roll, tuple[int, ...], str], Step]
    """What comes of those hitches of somebody's roll, a complication under that label."""
    pp: int = 1
    """The PP that it pays."""
    is_each: bool = False
    """It pays for each hitch, else once a roll (H1)."""
    is_once: bool = False
    """It pays nothing where the roll's hitches have been bought so before."""


class Buyable(Value):
    """One way to use hitches, with the PP that it pays the player."""

    way: Way
    pp: int


class SteppableTrait(Value):
    """A trait that an opportunity can step, with its owner; `str` gives it as it is typed."""

    owner: str
    kind: TraitKind
    trait: Trait

    def __str__(self) -> str:
        return wording(self.owner, self.kind, self.trait)


def ways(table: Table, came: Outcome, count: int | None = None) -> list[Buyable]:
    """Return the ways in which the GM may use hitches of a roll, the ruleset's usual way first (H1).

    `count` limits how many hitches are used; None means all.
    """
    roll, rules = came.roll, came.rules
    ones = hitches(roll)[:count]
    if not ones or is_failed_recovery(came):
        return []
    found = [Way.BOTCH] if came.is_botch and not roll.bought else []
    if rules.hitches_buy is not HitchesBuy.DOOM:
        found.append(Way.COMPLICATION)
    if rules.hitches_buy is not HitchesBuy.COMPLICATION and CORTEX.of(table).ruleset.doom:
        found += _doom_ways(table, roll, len(ones))
    if roll.closing and growing(table, roll):
        found.append(Way.GROW)
    if rules.gangs_thin_out and thinning(table, roll):
        found.append(Way.THIN_OUT)
    return [Buyable(way, _price(way, roll, len(ones), rules)) for way in found]


def buy(
    table: Table,
    actor: Actor,
    number: int,
    way: Way,
    what: str = "",
    count: int | None = None,
) -> Step:
    """Activate hitches of a roll, so that its player gets PP (H1). Each hitch works once.

    `what` is the label of the complication or trait; `count` is how many hitches, all if None. Raises
    NotAllowed for anybody but the GM and for a wrong count; TooLate if no hitch is left; SettingOff for
    a way this campaign lacks.
    """
    require_gm(table, actor, BUY)
    roll = find(table, number)
    ones = require_hitches(roll)
    if count is not None and not 1 <= count <= len(ones):
        raise NotAllowed("{hitch.Many} left in that roll: {count}.", count=len(ones))
    number = len(ones) if count is None else count
    is_thin = way is Way.THIN_OUT
    taken = thinned_dice(table, roll, what, number) if is_thin else _taken(roll, way, number)
    offered = ways(table, resolve(table, roll), len(taken)) if taken else []
    offer = next((each for each in offered if each.way is way), None)
    if offer is None and is_thin:
        raise SettingOff("{hitch.Many} can't thin out groups in this campaign.", setting="gangs thin out")
    if offer is None:
        raise SettingOff(
            "{hitch.Many} can't buy that in this campaign.",
            setting="hitches buy",
            value="complication or doom",
        )
    table, who = roller_seat(table, roll)
    if way is Way.GROW:
        label = _growing_named(table, roll, what)
    else:
        label = what if is_thin else new_label(table, who, TraitKind.COMPLICATION, what)
    step = WAYS[way].does(table, who, roll, taken, label)
    if offer.pp:
        step = step.then(points.earn_points(step.table, who, offer.pp, Why(Cause.HITCH)))
    done = done_by(spent_ones(replace(roll, bought=(*roll.bought, way)), taken), "hitches", actor)
    if way is Way.GROW:
        done = replace(done, closing=tuple(each for each in done.closing if not is_helper(each, label)))
    return Step(with_roll(step.table, done), (*step.facts, RollChanged(done)))


def hero_die_back(table: Table, roll: Roll) -> int:
    """Return the size of a hero die that can be taken back for its hitch's PP; 0 for none (Z1)."""
    character = table.characters.get(key(roll.who))
    has_pp = character is not None and CORTEX.has(character).pp
    return _to_take_back(table, roll)[1] if has_pp else 0


def _to_take_back(table: Table, roll: Roll) -> tuple[int, int]:
    """The place and the size of a hero die whose 1 the GM has bought, one for each time that it paid PP."""
    dice = [(n, die) for n, die in enumerate(roll.hand.dice) if die.source.kind is Special.HERO and die.used]
    if not dice:
        return 0, 0
    rules, bare = rules_of(table, roll), replace(roll, bought=())
    paid = sum(bool(_price(Way(way), bare, 1, rules)) for way in roll.bought)
    left = [(n, die.size) for n, die in dice if not die.removed]
    return left[0] if left and len(dice) - len(left) < paid else (0, 0)


def take_hero_die_back(table: Table, actor: Actor, number: int) -> Step:
    """Take back a hero die that shows a 1, instead of the PP that its hitch paid (Z1).

    Raises NotAllowed for anybody but the roller; TooLate if there is no such die.
    """
    roll = find(table, number)
    require_roller(table, actor, roll)
    place, size = _to_take_back(table, roll)
    if not size:
        raise TooLate("That roll has no {hero_die.one} to take back.")
    step = points.pay_points(table, key(roll.who), 1, Why(Cause.HERO_BACK, dice=(size,)))
    step = step.then(points.gained(step.table, key(roll.who), size))
    dice = tuple(replace(die, removed=die.removed or n == place) for n, die in enumerate(roll.hand.dice))
    done = replace(roll, hand=replace(roll.hand, dice=dice))
    return Step(with_roll(step.table, done), (*step.facts, RollChanged(done)))


def growing(table: Table, roll: Roll) -> list[str]:
    """Return the labels of the d4s that helped a roll and may grow by one of its hitches (N2)."""
    return [each.label for each in helping(roll) if each.owner in table.characters and _may_grow(table, each)]


def _may_grow(table: Table, each: Closing) -> bool:
    """Whether a d4 is still one, or is gone since its roll has closed."""
    trait = trait_of(table, each)
    return trait.die == SIZES[0] if trait is not None else each.done


def _growing_named(table: Table, roll: Roll, what: str) -> str:
    """Which d4 is to grow: the one that is named, else the first."""
    there = growing(table, roll)
    return find_name(what, there, Words("d4")) if what.strip() else there[0]


def opportunities(roll: Roll) -> tuple[int, ...]:
    """Return the indices of a GM's 1s that nobody has used yet (H2)."""
    hand = gm_hand(roll)
    dice = hand.dice if hand is not None else ()
    return tuple(place for place, die in enumerate(dice) if die.is_one and not die.used)


def require_hitches(roll: Roll) -> tuple[int, ...]:
    """Return the indices of the hitches that are left. Raises TooLate if there are none."""
    left = hitches(roll)
    if not left:
        raise too_late(
            roll, "hitches", Words("That roll has no {hitch.many} left: they've already been bought.")
        )
    return left


def require_opportunities(roll: Roll) -> tuple[int, ...]:
    """Return the indices of the opportunities that are left. Raises TooLate if there are none."""
    left = opportunities(roll)
    if not left:
        raise too_late(
            roll,
            "opportunities",
            Words("That roll has no {opportunity.many} left: they've already been used."),
        )
    return left


def require_player(table: Table, actor: Actor) -> None:
    """Raise NotAllowed for a GM who plays no character: opportunities are the players' (H2)."""
    if is_game_master(table, actor) and table.played_by(actor.id) is None:
        raise NotAllowed(
            "{opportunity.Many} are for players with {plot_point.a_short}, but you don't play a "
            "character at this table."
        )


def seize(table: Table, actor: Actor, number: int, what: str, count: int = 1) -> Step:
    """Pay a PP to step down a complication or stress, or step up an asset, once per opportunity (H2).

    Opportunities that the trait cannot take stay for others. Raises NotAllowed for a GM without a
    character, a wrong count, an asset of the largest size and too few PP; TooLate if none is left;
    SettingOff if they only work for SFX.
    """
    roll = find(table, number)
    if rules_of(table, roll).opportunities is Opportunities.SFX:
        raise SettingOff(
            "In this campaign, {opportunity.many} only work for SFX.",
            setting="opportunities",
            value="traits and SFX",
        )
    require_player(table, actor)
    left = require_opportunities(roll)
    if not 1 <= count <= len(left):
        raise NotAllowed("{opportunity.Many} left in that roll: {count}.", count=len(left))
    owner, label, kind = find_trait(table, actor, (*kinds.TROUBLE, TraitKind.ASSET), what)
    trait = CORTEX.has(table.owner(owner)).traits(kind)[label]
    if kind is TraitKind.ASSET and trait.die >= ladder(table)[-1]:
        raise NotAllowed(
            "{wording} is already as large as {asset.a} can be.",
            wording=worded(table.owner(owner).name, kind, trait),
        )
    count = min(count, steps_left(kind, trait, ladder(table)))
    table, payer = own_seat(table, actor)
    cost = points.pay_points(table, payer, 1, Why(Cause.OPPORTUNITY))
    if CORTEX.of(table).ruleset.gm_pp:
        cost = cost.then(points.gm_earned(cost.table, 1, Why(Cause.OPPORTUNITY)))
    change = stepped_up if kind is TraitKind.ASSET else stepped_down
    step = cost.then(change(cost.table, owner, kind, label, count))
    done = done_by(_with_used(roll, left[:count]), "opportunities", actor)
    return Step(with_roll(step.table, done), (*step.facts, RollChanged(done)))


def steps_left(kind: TraitKind, trait: Trait, sizes: Ladder = SIZES) -> int:
    """Return how many steps a trait can take: an asset up to d12, others down to nothing (H2).

    >>> steps_left(TraitKind.ASSET, Trait("Rope", 8))
    2
    >>> steps_left(TraitKind.STRESS, Trait("Tired", 8))
    3
    """
    if kind is TraitKind.ASSET:
        return len(sizes) - 1 - step_of(trait.die, sizes)
    return bisect_left(sizes, trait.die) + 1


def touchable(table: Table, actor: Actor) -> list[SteppableTrait]:
    """Return the traits that an opportunity can step, the caller's own first (H2)."""
    own = key(character_of(table, actor).name)
    # Sorting keeps the order of equals, so that only one's own moves.
    people = sorted([*table.in_play.items()], key=lambda pair: pair[0] != own)
    found = []
    for _, owner in [*people, ("", table.scenery)]:
        has = CORTEX.has(owner)
        for kind in kinds.TROUBLE:
            found += [SteppableTrait(owner.name, kind, trait) for trait in has.traits(kind).values()]
        assets = [trait for trait in has.assets.values() if trait.die < ladder(table)[-1]]
        found += [SteppableTrait(owner.name, TraitKind.ASSET, trait) for trait in assets]
    return found


def has_touchable(table: Table) -> bool:
    """Whether there is any trait that an opportunity can step (H2)."""
    people = (*table.in_play.values(), table.scenery)
    return any(
        any(map(CORTEX.has(p).traits, kinds.TROUBLE))
        or any(a.die < ladder(table)[-1] for a in CORTEX.has(p).assets.values())
        for p in people
    )


def _taken(roll: Roll, way: Way, count: int) -> tuple[int, ...]:
    """The hitches that go that way: the largest dice for H1e, else the smallest, so that those stay.

    A d4 is never like a doom die (M1), so its hitch stays for another way.
    """
    ones = sorted(hitches(roll), key=lambda place: roll.hand.dice[place].size)
    if way is Way.BOTCH:
        return tuple(ones)
    if way is Way.GROW:
        return tuple(ones[:1])
    if way is Way.DOOM_SIZE:
        return tuple([place for place in ones if roll.hand.dice[place].size >= 6][-count:])
    return tuple(ones[:count])


def _price(way: Way, roll: Roll, count: int, rules: Ruleset) -> int:
    """The PP that a way pays: one for the roll, or one for each hitch that it takes (H1, N14)."""
    of = WAYS[way]
    if rules.complications_pay is ComplicationsPay.NEVER:
        return 0
    if way is Way.COMPLICATION and rules.complications_pay is ComplicationsPay.EACH:
        return of.pp
    if of.is_once and way in roll.bought:
        return 0
    return of.pp * len(_taken(roll, way, count)) if of.is_each else of.pp


def _doom_ways(table: Table, roll: Roll, count: int) -> list[Way]:
    found = [Way.DOOM_ONE, Way.DOOM_EACH]
    if CORTEX.of(table).doom:
        found.append(Way.DOOM_STEP)
    if _taken(roll, Way.DOOM_SIZE, count):
        found.append(Way.DOOM_SIZE)
    return found


def _complicated(table: Table, who: str, label: str, count: int) -> Step:
    """A complication d6, a step more per further hitch; or one that is there, a step per hitch (H1a)."""
    own = key_in(CORTEX.has(table.characters[who]).complications, label)
    if own in CORTEX.has(table.characters[who]).complications:
        return stepped_up(table, who, TraitKind.COMPLICATION, own, count)
    sizes = ladder(table)
    step = gained(table, who, TraitKind.COMPLICATION, label, up(6, count - 1, sizes))
    past = count - (len(sizes) - sizes.index(6))  # a d6 and three steps are a d12; the others go past it (C4)
    return step.then(stepped_up(step.table, who, TraitKind.COMPLICATION, own, past)) if past > 0 else step


def _with_used(roll: Roll, places: tuple[int, ...]) -> Roll:
    hand = gm_hand(roll)
    if hand is None:
        return roll
    dice = tuple(replace(die, used=die.used or place in places) for place, die in enumerate(hand.dice))
    return with_gm_hand(roll, replace(hand, dice=dice))


def _complication_bought(table: Table, who: str, roll: Roll, ones: tuple[int, ...], label: str) -> Step:
    return _complicated(table, who, label, len(ones))


def _die_bought(table: Table, who: str, roll: Roll, ones: tuple[int, ...], label: str) -> Step:
    return gm_pools.add_doom_dice(table, (up(6, len(ones) - 1, ladder(table)),))


def _dice_bought(table: Table, who: str, roll: Roll, ones: tuple[int, ...], label: str) -> Step:
    return gm_pools.add_doom_dice(table, (6,) * len(ones))


def _like_dice_bought(table: Table, who: str, roll: Roll, ones: tuple[int, ...], label: str) -> Step:
    return gm_pools.add_doom_dice(table, tuple(roll.hand.dice[place].size for place in ones))


def _steps_bought(table: Table, who: str, roll: Roll, ones: tuple[int, ...], label: str) -> Step:
    step = Step(table, ())
    for _ in ones:
        step = step.then(gm_pools.step_up_doom_die(step.table, gm_pools.doom_dice(step.table)[0]))
    return step


def _grown(table: Table, who: str, roll: Roll, ones: tuple[int, ...], label: str) -> Step:
    """A d4 that has helped is a d6 instead of gone (N2)."""
    each = next(each for each in helping(roll) if is_helper(each, label))
    if trait_of(table, each) is None:
        return gained(table, each.owner, each.kind, each.label, SIZES[1])
    return stepped_up(table, each.owner, each.kind, key(each.label))


WAYS = exhaustive(
    Way,
    {
        Way.COMPLICATION: HitchWay(_complication_bought, is_once=True),
        Way.BOTCH: HitchWay(_complication_bought, pp=0),
        Way.DOOM_ONE: HitchWay(_die_bought),
        Way.DOOM_EACH: HitchWay(_dice_bought, is_each=True),
        Way.DOOM_STEP: HitchWay(_steps_bought, is_once=True),
        Way.DOOM_SIZE: HitchWay(_like_dice_bought, is_each=True),
        Way.GROW: HitchWay(_grown, pp=0),
        Way.THIN_OUT: HitchWay(thinned, pp=0),
    },
)
