"""A roll of somebody who is taken out: it happens, and the GM says whether it stands (C4)."""

from rules.cortex.rolling.roll import done_by, open_roll, too_late, with_roll
from rules.cortex.state.doubt import ALLOWED, is_in_doubt
from rules.cortex.state.part import CORTEX
from rules.cortex.state.roll_facts import RollStood
from rules.cortex.state.rolled import RollChanged
from rules.cortex.state.table import Roll
from rules.cortex.traits.exchange import is_waiting
from rules.result import Step
from rules.seats import Actor, require_gm
from rules.table import Table
from rules.words import Words


def require_in_doubt(table: Table, actor: Actor, number: int) -> Roll:
    """The roll, where the caller is to say if it stands. Raises NotAllowed, TooLate where it stands."""
    require_gm(table, actor, Words("say whether a roll stands"))
    roll = open_roll(table, number)
    if not is_in_doubt(table, roll):
        raise too_late(roll, ALLOWED, Words("That roll stands already. To take it back: /undo"))
    return roll


def let_stand(table: Table, actor: Actor, number: int) -> Step:
    """The GM lets a roll of somebody who is taken out stand (C4)."""
    roll = done_by(require_in_doubt(table, actor, number), ALLOWED, actor)
    waiting = CORTEX.of(table).contests[roll.contest].waiting if is_waiting(table, roll) else ""
    return Step(with_roll(table, roll), (RollStood(roll.who, waiting), RollChanged(roll)))
