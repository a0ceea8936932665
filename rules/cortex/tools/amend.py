"""What opposes a roll, put right by the GM after it was made: a number, and what is in the way (T3)."""

from rules.cortex.rolling.opposition import (
    IN_THE_WAY,
    besides,
    besides_of,
    called,
    kept_by_scale,
    number_of,
)
from rules.cortex.rolling.own_trouble import helps
from rules.cortex.rolling.roll import changed, check_open, done_by, find
from rules.cortex.state import outcome
from rules.cortex.state.in_force import rules_of
from rules.cortex.state.landed import landed
from rules.cortex.state.part import CORTEX
from rules.cortex.state.pool import Pool, TraitUse
from rules.cortex.state.roll_facts import OppositionChanged
from rules.cortex.state.ruleset import Ruleset
from rules.cortex.state.table import Against, Hand, Roll, RolledDie
from rules.cortex.traits import hero
from rules.cortex.traits.finding import owners, wording
from rules.dice import Throw, check_count
from rules.errors import NotAllowed
from rules.kinds import key
from rules.result import Step
from rules.seats import Actor, require_gm
from rules.table import Table
from rules.values import replace
from rules.words import Words


def candidates(table: Table, roll: Roll) -> list[str]:
    """What could be in the way of a roll besides, as the bot writes it, the roller's own first (T3)."""
    there = roll.against.plus if roll.against is not None else ()
    found = [
        (owner.name != roll.who, wording(owner.name, kind, trait))
        for who, owner in owners(table)
        for kind in IN_THE_WAY
        for trait in CORTEX.has(owner).traits(kind).values()
        if f"{called(table, who, trait, roll.who)} d{trait.die}" not in there
        and not helps(CORTEX.of(table).ruleset, kind, trait.die)
    ]
    return [written for _, written in sorted(found, key=lambda one: one[0])]


def can_amend(roll: Roll) -> bool:
    """Whether what opposes a roll is for the GM to put right: not another roll, nor a contest's."""
    against = roll.against
    is_own = against is not None and not against.roll and not roll.contest
    return is_own and roll.recovery is None and not roll.applied


def base_of(against: Against) -> int:
    """A static difficulty without what is in the way."""
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
    """The GM changes a static difficulty, and takes away or adds what is in the way (T3).

    `kept` are the places of what is in the way and stays, `more` what joins, `base` another number. Raises
    NotAllowed where an effect has been applied, or nothing would change.
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
    fresh = done_by(replace(roll, against=against), "opposition", actor)
    settled = outcome.settle(fresh, rules)
    hero.require_earned(table, settled)
    return changed(table, settled, OppositionChanged(roll.who, against.label, against.plus))


def _require_not_pushed(roll: Roll, added: Pool) -> None:
    """Refuse trouble that the roller has pushed into the pool instead (N3)."""
    pushed = [die for die in roll.hand.dice if die.source.use is TraitUse.PUSHED]
    there = {(key(die.label), die.source.kind) for die in pushed}
    twice = next((die for die in added if (key(die.label), die.source.kind) in there), None)
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
