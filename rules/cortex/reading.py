"""A roll as its table reads it: what it comes to, and what can be done with it (R1 to R8, H4, T2, T6)."""

from dataclasses import dataclass

from rules.cortex.gm.doom_use import opposition_purses
from rules.cortex.state import keeping, outcome
from rules.cortex.state.doubt import is_in_doubt
from rules.cortex.state.effects import Effect
from rules.cortex.state.in_force import come_to
from rules.cortex.state.keeping import Choice
from rules.cortex.state.kinds import Target, Trait
from rules.cortex.state.outcome import Outcome
from rules.cortex.state.part import CORTEX
from rules.cortex.state.ruleset import EffectBy, Opportunities, Resources
from rules.cortex.state.table import Contest, Roll
from rules.cortex.tools import apply, from_doom, recovery, strike
from rules.cortex.tools.amend import can_amend
from rules.cortex.tools.effect_roll import can_roll
from rules.cortex.tools.hitches import has_touchable, hero_die_back, opportunities, ways
from rules.cortex.tools.near_name import near_name
from rules.cortex.tools.sfx_use import usable
from rules.cortex.tools.spend import (
    can_effect,
    can_hero,
    can_pay,
    can_total,
    over_limit,
    paid,
    resources_left,
    version,
)
from rules.cortex.tools.which_dice import is_fixed
from rules.cortex.traits import hero
from rules.cortex.traits.exchange import is_waiting
from rules.kinds import SCENE
from rules.own import is_bare
from rules.table import Table
from rules.values import replace

MOST_OTHERS = 4
"""So many other choices are worked out: a message has no room for more."""


@dataclass(frozen=True, slots=True)
class Unused:
    """An effect die that nobody has used, and what a press on it takes away, if that is a die (K3, B1)."""

    effect: Effect
    takes_boss_die: bool = False
    takes_d12: bool = False


@dataclass(frozen=True, slots=True)
class Recovering:
    """The trait that a roll tries to lose, with the name of whose it is (T5)."""

    owner: str
    trait: Trait
    is_ready: bool
    """The roll has still to do what it came to."""
    after: Trait | None
    """What the trait is then; None where it is gone."""
    is_failed: bool
    """Its hitches step the trait up."""


@dataclass(frozen=True, slots=True)
class RollDeeds:
    """What can be done with a roll that is on the table and stands; each thing is as its button says it."""

    unused: tuple[Unused, ...] = ()
    target: Target | None = None
    """What an effect die hits by one press."""
    is_boss: bool = False
    shares: tuple[tuple[tuple[int, ...], tuple[Effect, ...]], ...] = ()
    """The ways to share R7's steps, each with what comes of it, the best first; () where there is but one."""
    bankable: int = 0
    """The size of the hero die that it may bank; 0 for none."""
    hero_back: int = 0
    """The size of the hero die that its roller may take back for a PP; 0 for none."""
    lent: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """The places of dice that came from doom, each with what goes back there."""
    hitches: int = 0
    """How many hitches can be bought."""
    opportunities: int = 0
    """How many opportunities can be used on a trait."""
    can_buy: bool = False
    """Its roller could pay for something, or has it free."""
    can_spend: bool = False
    """The same, or a doom die could buy something for the dice against it."""
    can_oppose: bool = False
    """The GM could give it an opposition, choose for that, or put it right."""
    others: tuple[Outcome, ...] = ()
    """The first other choices of its dice, as each would make it (R4)."""
    bought: Outcome | None = None
    """What one PP more would make of it, where that betters every verdict that is free (R8)."""
    can_pick: bool = False
    """Other dice than the kept ones could be kept (R1)."""
    version: str = ""
    """What has been bought and rerolled so far."""
    near: tuple[str, str] | None = None
    """A new label that is nearly a known name, and that name."""
    can_roll_effect: bool = False
    """Its dice can be thrown again for the effect (N10)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A roll as its table reads it: worked out once a command, handed on to who tells of it, never kept."""

    came: Outcome
    theirs: Choice | None
    """What the opposition keeps of its dice."""
    left: tuple[int, ...]
    """The places of dice that could be kept, and are not (R1)."""
    beside: tuple[int, ...]
    """Those that count in the total beside the kept ones: hero dice, and resources apart (Z2, N22)."""
    usable: int
    """How many dice could be kept."""
    is_on_table: bool
    is_bare: bool
    """People only roll dice here."""
    is_in_doubt: bool
    """The GM still has to say whether it stands (C4)."""
    contest: Contest | None
    is_waiting: bool
    """The other side of its contest is to answer (T4)."""
    is_against_gm: bool
    """Whoever is against it is the GM's (T6)."""
    over: int
    """How many dice past the usual pool are still to be paid for (D3)."""
    can_pay: bool
    """There is a PP, or a die of the GM's, to pay with (P2, M4)."""
    is_used_up: bool
    """Effects of it were used, and none is left."""
    recovering: Recovering | None
    """None also where the trait is gone."""
    deeds: RollDeeds


def read(table: Table, roll: Roll) -> Reading:
    """A roll as that table reads it; what is not on the table, or in doubt, offers nothing."""
    here = CORTEX.of(table)
    came, hand, against = come_to(table, roll), roll.hand, roll.against
    free = keeping.usable(hand)
    is_on_table = roll.number in here.rolls
    in_doubt = is_in_doubt(table, roll)
    bare = is_bare(table)
    left = apply.open_effects(table, came)
    heroes = tuple(place for place, die in enumerate(hand.dice) if die.is_counted)
    over = over_limit(roll, came.rules) if is_on_table and not _is_closed(roll) else 0
    payable = is_on_table and can_pay(table, roll)
    recovering = _recovering(table, came)
    deeds = RollDeeds()
    if is_on_table and not in_doubt:
        deeds = _choices(table, came, left, can_pay=payable and not bare)
        deeds = replace(deeds, near=None if bare or _is_closed(roll) else near_name(table, roll))
        if not bare:
            deeds = _deeds(table, came, deeds, left, can_pay=payable, is_over=over > 0)
    return Reading(
        came,
        None if against is None or against.hand is None else keeping.kept(against.hand),
        tuple(place for place in free if place not in (*hand.total, *hand.effects)),
        keeping.always(hand) if hand.has_apart else heroes,
        len(free),
        is_on_table,
        bare,
        in_doubt,
        here.contests.get(roll.contest),
        is_waiting(table, roll),
        apply.winner(table, roll) is None,
        over,
        payable,
        bool(roll.applied) and not left,
        recovering,
        deeds,
    )


def _is_closed(roll: Roll) -> bool:
    """Whether its dice stay as they are: an effect of it was used, or it was answered."""
    return bool(roll.applied) or roll.answered


def _recovering(table: Table, came: Outcome) -> Recovering | None:
    """The trait that a roll tries to lose, if it is still there, and what the roll makes of it (T5)."""
    goal = came.roll.recovery
    if goal is None or (goal.owner != SCENE and goal.owner not in table.characters):
        return None
    owner = table.owner(goal.owner)
    now = CORTEX.has(owner).traits(goal.kind).get(goal.trait)
    if now is None:
        return None
    found = recovery.recovery_of(table, came)
    after = found[1] if found else None
    return Recovering(owner.name, now, found is not None, after, recovery.is_failed_recovery(came))


def _choices(table: Table, came: Outcome, left: list[Effect], *, can_pay: bool) -> RollDeeds:
    """The other choices of a roll's dice, those of its effect dice, and the one that a PP buys (R3, R4)."""
    roll, rules = came.roll, came.rules
    shares = came.shares if left and not roll.applied and len(came.shares) > 1 else ()
    shared = tuple((share, outcome.shared(came, share)) for share in shares)
    if _is_closed(roll):
        return RollDeeds(shares=shared, version=version(roll))
    offered = outcome.options(roll, rules)
    free = [choice for choice in offered if choice != came.kept]
    others = [outcome.chosen(roll, choice, rules) for choice in free[:MOST_OTHERS]]
    bought = paid(table, came, offered) if can_pay else None
    return RollDeeds(
        shares=shared,
        others=tuple(outcome.of(other, rules) for other in others),
        bought=outcome.of(bought, rules) if bought is not None else None,
        can_pick=len(keeping.usable(roll.hand)) > keeping.fewest(roll.hand),
        version=version(roll),
    )


def _deeds(
    table: Table, came: Outcome, deeds: RollDeeds, left: list[Effect], *, can_pay: bool, is_over: bool
) -> RollDeeds:
    """The same with what players and the GM may do besides."""
    roll = came.roll
    target = strike.target_of(table, came)
    first = [] if roll.recovery is not None else left[:2]
    can_buy = _can_buy(table, came, can_pay=can_pay, is_over=is_over)
    ones = opportunities(roll) if came.rules.opportunities is Opportunities.TRAITS else ()
    return replace(
        deeds,
        unused=tuple(_unused(table, came, effect, target) for effect in first),
        target=target,
        is_boss=target is not None and strike.is_boss(table, target),
        bankable=hero.bankable(table, came),
        hero_back=hero_die_back(table, roll) if roll.bought else 0,
        lent=tuple((place, from_doom.gone_back(table, size)) for place, size in from_doom.lent(table, roll)),
        hitches=len(apply.hitches(roll)) if ways(table, came) else 0,
        opportunities=len(ones) if ones and has_touchable(table) else 0,
        can_buy=can_buy,
        can_spend=can_buy or bool(opposition_purses(table, roll)),
        can_oppose=_can_oppose(roll),
        can_roll_effect=came.rules.effect is EffectBy.ROLLED_AGAIN and can_roll(came),
    )


def _unused(table: Table, came: Outcome, effect: Effect, target: Target | None) -> Unused:
    if target is None:
        return Unused(effect)
    takes_boss_die = strike.takes_die(table, came, effect, target)
    return Unused(effect, takes_boss_die, strike.takes_last_size(table, came, effect, target))


def _can_buy(table: Table, came: Outcome, *, can_pay: bool, is_over: bool) -> bool:
    """Whether the roller could buy anything for the roll, or use an SFX or a resource."""
    roll = came.roll
    is_apart = came.rules.resources is Resources.APART
    if _is_closed(roll):
        return False
    if can_pay and (roll.gm or can_total(roll) or can_effect(roll) or is_over or can_hero(table, roll)):
        return True
    if can_pay and came.rules.reroll_for_pp and not all(map(is_fixed, roll.hand.dice)):
        return True
    # Last, since each SFX is tried on the dice.
    return bool((is_apart and resources_left(table, roll)) or usable(table, roll))


def _can_oppose(roll: Roll) -> bool:
    """Whether the GM could give the roll its opposition, choose for it, or put it right (T2, T3)."""
    if roll.applied or roll.gm or roll.recovery is not None or roll.contest:
        return False
    return roll.against is None or can_amend(roll)
