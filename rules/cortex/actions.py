"""What can be done with a roll, and how the GM corrects its opposition (R1 to R8, H4, T3)."""

from rules.campaign.rolls import is_dice_only
from rules.campaign.seats import Actor, require_gm
from rules.cortex import doom, effects, outcome, points
from rules.cortex.doom import opposition_purses
from rules.cortex.facts import OppositionChanged
from rules.cortex.hitches import hero_die_back, opportunities, ways
from rules.cortex.kinds import Target, Trait
from rules.cortex.model import CORTEX, Against, Contest, Hand, Roll, RolledDie, landed
from rules.cortex.opposition import (
    IN_THE_WAY,
    besides,
    besides_of,
    kept_by_scale,
    label_in_the_way,
    number_of,
)
from rules.cortex.outcome import Effect, KeepChoice, Outcome
from rules.cortex.pool import Pool, TraitUse
from rules.cortex.push_and_challenge import helps
from rules.cortex.reroll import is_fixed
from rules.cortex.roll import can_roll, change_roll, check_open, done_by, find, near_name
from rules.cortex.roll_status import is_given_in, is_in_doubt, is_waiting, lost_contest, resolve, rules_of
from rules.cortex.ruleset import EffectBy, Opportunities, ResourceUse, Ruleset
from rules.cortex.sfx_use import usable
from rules.cortex.spending import (
    can_effect,
    can_hero,
    can_pay,
    can_total,
    over_limit,
    paid,
    resources_left,
    version,
)
from rules.cortex.trait_lookup import owners, wording
from rules.dice import Throw, check_count
from rules.errors import NotAllowed
from rules.game import Step
from rules.names import SCENE, fold
from rules.table import Table
from rules.text import Words
from rules.values import Value, replace


def candidates(table: Table, roll: Roll) -> list[str]:
    """Return the traits that could also be in the way of a roll, the roller's own first (T3)."""
    there = roll.against.plus if roll.against is not None else ()
    found = [
        (owner.name != roll.who, wording(owner.name, kind, trait))
        for who, owner in owners(table)
        for kind in IN_THE_WAY
        for trait in CORTEX.has(owner).traits(kind).values()
        if f"{label_in_the_way(table, who, trait, roll.who)} d{trait.die}" not in there
        and not helps(CORTEX.of(table).ruleset, kind, trait.die)
    ]
    return [written for _, written in sorted(found, key=lambda one: one[0])]


def can_amend(roll: Roll) -> bool:
    """Whether the GM can correct what opposes a roll: not another roll, a contest or a recovery."""
    against = roll.against
    is_own = against is not None and not against.roll and not roll.contest
    return is_own and roll.recovery is None and not roll.applied


def base_of(against: Against) -> int:
    """Return a static difficulty without modifiers and what is in the way.

    >>> base_of(Against("11", 15, plus=("Rain d8",)))
    11
    """
    added = sum(each.number for each in against.modifiers)
    return against.number - added - sum(_size(each) // 2 for each in against.plus)


def amend(
    table: Table,
    actor: Actor,
    throw: Throw,
    number: int,
    kept: tuple[int, ...],
    more: tuple[str, ...] = (),
    base: str = "",
) -> Step:
    """Change a static difficulty, and remove or add what is in the way (T3).

    `kept` are the indices of what stays in the way, `more` what joins, `base` another number. Raises
    NotAllowed for anybody but the GM, if an effect has been applied, and if nothing would change.
    """
    require_gm(table, actor, Words("change what opposes a roll"))
    roll = find(table, number)
    check_open(roll)
    if roll.against is None or not can_amend(roll):
        raise NotAllowed("You can't change the opposition to that roll.")
    gone = [name for place, name in enumerate(roll.against.plus) if place not in kept]
    rules = rules_of(table, roll)
    against = _without(roll.against, gone, rules)
    if base:
        against = _with_base(table, against, base)
    added = besides(table, actor, more, roll.who, against.plus)
    _require_not_pushed(roll, added)
    against = _with(against, added, throw, rules)
    if against == roll.against:
        raise NotAllowed(
            "That wouldn't change anything. Type another number, or choose something that's in the way."
        )
    fresh = outcome.settle(done_by(replace(roll, against=against), "opposition", actor), rules)
    return change_roll(table, fresh, OppositionChanged(roll.who, against.label, against.plus))


def _require_not_pushed(roll: Roll, added: Pool) -> None:
    """Refuse trouble that the roller has pushed into the pool instead (N3)."""
    pushed = [die for die in roll.hand.dice if die.source.use is TraitUse.PUSHED]
    there = {(fold(die.label), die.source.kind) for die in pushed}
    twice = next((die for die in added if (fold(die.label), die.source.kind) in there), None)
    if twice is not None:
        raise NotAllowed(
            "{trait} has been pushed into the pool, so it can't be in the way.", trait=twice.label
        )


def _with_base(table: Table, against: Against, typed: str) -> Against:
    """The same with another number, which goes by its name where it has one."""
    if against.hand is not None:
        raise NotAllowed(
            "That roll is opposed by dice, so there's no number to change. Change the opposing dice instead."
        )
    found, label = number_of(table, typed)
    return replace(against, label=label, number=max(0, found + against.number - base_of(against)))


def _without(against: Against, gone: list[str], rules: Ruleset) -> Against:
    """The opposition without some of what is in the way."""
    hand, number, plus = against.hand, against.number, list(against.plus)
    for name in gone:
        plus.remove(name)
        number -= 0 if hand is not None else _size(name) // 2
        hand = None if hand is None else _short_of(hand, name, rules)
    return replace(against, hand=hand, number=number, plus=tuple(plus))


def _with(against: Against, added: Pool, throw: Throw, rules: Ruleset) -> Against:
    """The opposition with more in the way: a number is raised, to dice each joins as one (T3)."""
    if not added:
        return against
    plus = (*against.plus, *besides_of(added))
    if against.hand is None:
        return replace(against, number=against.number + sum(die.size // 2 for die in added), plus=plus)
    check_count(len(against.hand.dice) + len(added))
    faces = throw([die.size for die in added])
    thrown = (landed(die, face, rules) for die, face in zip(added, faces, strict=True))
    hand = _unsettled(against.hand, (*against.hand.dice, *thrown), rules)
    return replace(against, hand=hand, plus=plus)


def _short_of(hand: Hand, name: str, rules: Ruleset) -> Hand:
    """Dice without the one that is in the way under that name."""
    label, size = _rated(name)
    places = [n for n, die in enumerate(hand.dice) if (die.label, die.size) == (label, size)]
    free = [place for place in places if not hand.dice[place].used]
    if places and not free:
        raise NotAllowed(
            "The 1 on {name} was used as {opportunity.a}, so you can't remove that die. To take back "
            "that use: /undo",
            name=name,
        )
    return _unsettled(hand, tuple(die for n, die in enumerate(hand.dice) if n not in free[-1:]), rules)


def _unsettled(hand: Hand, dice: tuple[RolledDie, ...], rules: Ruleset) -> Hand:
    """These dice instead, of which none is chosen; a scale die that comes or goes changes the keep (D7)."""
    keep = hand.keep + kept_by_scale(dice, rules) - kept_by_scale(hand.dice, rules)
    return replace(
        hand, dice=dice, keep=keep, total=(), effects=(), chosen=False, has_apart=any(d.apart for d in dice)
    )


def _size(name: str) -> int:
    """The size of what is in the way: `Rain d8`."""
    return _rated(name)[1]


def _rated(name: str) -> tuple[str, int]:
    """The label and the size of what is in the way; of a plain die only a size."""
    label, _, size = name.rpartition("d")
    return label.strip(), int(size)


MOST_OTHERS = 4
"""So many other choices are worked out: a message has no room for more."""


class Unused(Value):
    """An effect die that is unused, and the die that pressing it removes, if any (K3, B1)."""

    effect: Effect
    takes_boss_die: bool = False
    takes_d12: bool = False


class Recovering(Value):
    """The trait that a roll tries to recover, with its owner's name (T5)."""

    owner: str
    trait: Trait
    is_ready: bool
    """The roll has still to do what it came to."""
    after: Trait | None
    """What the trait is then; None where it is gone."""
    is_failed: bool
    """Its hitches step the trait up."""


class RollActions(Value):
    """What can be done with a roll that stands on the table, as its buttons offer it."""

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
    """How many opportunities can be used on a trait, if there is one, or comes to be one (H2)."""
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


class RollReading(Value):
    """A roll as its table reads it; worked out once for a command and never stored."""

    came: Outcome
    theirs: KeepChoice | None
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
    over: int
    """How many dice past the usual pool are still to be paid for (D3)."""
    can_pay: bool
    """There is a PP, or a die of the GM's, to pay with (P2, M4)."""
    is_used_up: bool
    """Effects of it were used, and none is left."""
    recovering: Recovering | None
    """None also where the trait is gone."""
    actions: RollActions


def read_roll(table: Table, roll: Roll) -> RollReading:
    """Return a roll as the table reads it; one that is off the table or in doubt offers no actions."""
    here = CORTEX.of(table)
    came, hand, against = resolve(table, roll), roll.hand, roll.against
    free = outcome.usable(hand)
    is_on_table = roll.number in here.rolls
    in_doubt = is_in_doubt(table, roll)
    bare = is_dice_only(table)
    left = effects.open_effects(table, came)
    heroes = tuple(place for place, die in enumerate(hand.dice) if die.is_counted)
    over = over_limit(roll, came.rules) if is_on_table and not _is_closed(roll) else 0
    payable = is_on_table and can_pay(table, roll)
    recovering = _recovering(table, came)
    actions = RollActions()
    if is_on_table and not in_doubt:
        actions = _choices(table, came, left, can_pay=payable and not bare)
        actions = replace(actions, near=None if bare or _is_closed(roll) else near_name(table, roll))
        if not bare:
            actions = _actions(table, came, actions, left, can_pay=payable, is_over=over > 0)
    return RollReading(
        came,
        None if against is None or against.hand is None else outcome.kept(against.hand),
        tuple(place for place in free if place not in (*hand.total, *hand.effects)),
        outcome.always(hand) if hand.has_apart else heroes,
        len(free),
        is_on_table,
        bare,
        in_doubt,
        here.contests.get(roll.contest),
        is_waiting(table, roll),
        over,
        payable,
        bool(roll.applied) and not left,
        recovering,
        actions,
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
    found = effects.recovery_of(table, came)
    after = found[1] if found else None
    return Recovering(owner.name, now, found is not None, after, effects.is_failed_recovery(came))


def _choices(table: Table, came: Outcome, left: list[Effect], *, can_pay: bool) -> RollActions:
    """The other choices of a roll's dice, those of its effect dice, and the one that a PP buys (R3, R4)."""
    roll, rules = came.roll, came.rules
    shares = came.shares if left and not roll.applied and len(came.shares) > 1 else ()
    shared = tuple((share, outcome.shared(came, share)) for share in shares)
    if _is_closed(roll):
        return RollActions(shares=shared, version=version(roll))
    offered = outcome.options(roll, rules)
    free = [choice for choice in offered if choice != came.kept]
    # A contest that is over stays won or lost, whatever is kept (T4).
    if came.verdict and (is_given_in(table, roll) or lost_contest(table, roll)):
        goal = came.verdict.difficulty
        free = [choice for choice in free if (choice.total <= goal) == came.is_failed]
    others = [outcome.with_choice(roll, choice, rules) for choice in free[:MOST_OTHERS]]
    bought = paid(table, came, offered) if can_pay else None
    return RollActions(
        shares=shared,
        others=tuple(outcome.of(other, rules) for other in others),
        bought=outcome.of(bought, rules) if bought is not None else None,
        can_pick=len(outcome.usable(roll.hand)) > outcome.fewest(roll.hand),
        version=version(roll),
    )


def _actions(
    table: Table, came: Outcome, actions: RollActions, left: list[Effect], *, can_pay: bool, is_over: bool
) -> RollActions:
    """The same with what players and the GM may do besides."""
    roll = came.roll
    target = effects.target_of(table, came)
    first = [] if roll.recovery is not None else left[:2]
    can_buy = _can_buy(table, came, can_pay=can_pay, is_over=is_over)
    ones = opportunities(roll) if came.rules.opportunities is Opportunities.TRAITS else ()
    return replace(
        actions,
        unused=tuple(_unused(table, came, effect, target) for effect in first),
        target=target,
        is_boss=target is not None and effects.is_boss(table, target),
        bankable=points.bankable(table, came),
        hero_back=hero_die_back(table, roll) if roll.bought else 0,
        lent=tuple((place, doom.gone_back(table, size)) for place, size in doom.lent(table, roll)),
        hitches=len(effects.hitches(roll)) if ways(table, came) else 0,
        opportunities=len(ones),
        can_buy=can_buy,
        can_spend=can_buy or bool(opposition_purses(table, roll)),
        can_oppose=_can_oppose(roll),
        can_roll_effect=came.rules.effect is EffectBy.ROLLED_AGAIN and can_roll(came),
    )


def _unused(table: Table, came: Outcome, effect: Effect, target: Target | None) -> Unused:
    if target is None:
        return Unused(effect)
    takes_boss_die = effects.takes_die(table, came, effect, target)
    return Unused(effect, takes_boss_die, effects.takes_last_size(table, came, effect, target))


def _can_buy(table: Table, came: Outcome, *, can_pay: bool, is_over: bool) -> bool:
    """Whether the roller could buy anything for the roll, or use an SFX or a resource."""
    roll = came.roll
    is_apart = came.rules.resources is ResourceUse.APART
    if _is_closed(roll):
        return False
    if can_pay and (roll.gm or can_total(roll) or can_effect(roll) or is_over or can_hero(table, roll)):
        return True
    is_free = came.rules.reroll_for_pp and not all(map(is_fixed, roll.hand.dice))
    if can_pay and is_free and not is_given_in(table, roll):
        return True
    # Last, since each SFX is tried on the dice.
    return bool((is_apart and resources_left(table, roll)) or usable(table, roll))


def _can_oppose(roll: Roll) -> bool:
    """Whether the GM could give the roll its opposition, choose for it, or put it right (T2, T3)."""
    if roll.applied or roll.gm or roll.recovery is not None or roll.contest:
        return False
    return roll.against is None or can_amend(roll)
