"""A character of another name, wherever a table of Cortex names them."""

from rules.cortex.state import turn
from rules.cortex.state.kinds import Foe, Target
from rules.cortex.state.part import CORTEX
from rules.cortex.state.table import Against, Contest, Roll
from rules.kinds import key
from rules.table import Table
from rules.values import replace


def renamed(table: Table, who: str, name: str) -> Table:
    """The table with a character renamed in rolls, contests, pools, parts of the group and turns."""
    old, fresh = table.characters[who].name, key(name)
    here = CORTEX.of(table)
    after = replace(
        here,
        rolls={number: _roll(roll, old, name) for number, roll in here.rolls.items()},
        contests={number: _contest(contest, old, name) for number, contest in here.contests.items()},
        pools={k: replace(each, who=fresh) if each.who == who else each for k, each in here.pools.items()},
        split=tuple(tuple(name if each == old else each for each in group) for group in here.split),
    )
    return turn.renamed(CORTEX.put(table, after), who, fresh)


def _roll(roll: Roll, old: str, new: str) -> Roll:
    """A roll with everything on it that names somebody by another name."""
    on = tuple(new if each == old else each for each in roll.on)
    goal = roll.recovery
    if goal is not None and goal.owner == key(old):
        goal = replace(goal, owner=key(new), said=goal.said.replace(old, new, 1))
    who = new if roll.who == old else roll.who
    target = _target(roll.target, old, new)
    closing = tuple(
        replace(each, owner=key(new)) if each.owner == key(old) else each for each in roll.closing
    )
    roll = replace(roll, closing=closing)
    turn = new if roll.turn == old else roll.turn
    return replace(
        roll, who=who, on=on, against=_against(roll, old, new), recovery=goal, target=target, turn=turn
    )


def _against(roll: Roll, old: str, new: str) -> Against | None:
    if roll.against is None:
        return None
    is_named = roll.against.label == old and (roll.contest or roll.against.target is not None)
    label = new if is_named else roll.against.label
    return replace(roll.against, label=label, target=_target(roll.against.target, old, new))


def _target(target: Target | None, old: str, new: str) -> Target | None:
    is_theirs = target is not None and target.foe is Foe.GMC and target.key == key(old)
    return Target(Foe.GMC, key(new)) if is_theirs else target


def _contest(contest: Contest, old: str, new: str) -> Contest:
    first, second = (new if side == old else side for side in contest.sides)
    return replace(contest, sides=(first, second))
