"""A roll of somebody taken out, or out of turn: it happens, and the GM says whether it stands (C4, L2)."""

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
from rules.values import replace
from rules.words import Words


def require_in_doubt(table: Table, actor: Actor, number: int) -> Roll:
    """The roll of somebody taken out, where the caller is to say if it stands. Raises as `_require_open`."""
    return _require_open(table, actor, number, is_turn=False)


def _require_open(table: Table, actor: Actor, number: int, *, is_turn: bool) -> Roll:
    """The roll, where the caller is to say if it stands; `is_turn` where one out of turn is meant as well.

    Raises NotAllowed for others than the GM, TooLate where it stands.
    """
    require_gm(table, actor, Words("say whether a roll stands"))
    roll = open_roll(table, number)
    if not is_in_doubt(table, roll) and not (is_turn and roll.turn):
        raise too_late(roll, ALLOWED, Words("That roll already stands. To take back that decision: /undo"))
    return roll


def let_stand(table: Table, actor: Actor, number: int) -> Step:
    """The GM lets a roll of somebody who is taken out stand, or one that was made out of turn (C4, L2)."""
    roll = _require_open(table, actor, number, is_turn=True)
    is_held = is_in_doubt(table, roll) and is_waiting(table, roll)  # else who is to answer has been told
    waiting = CORTEX.of(table).contests[roll.contest].waiting if is_held else ""
    roll = replace(done_by(roll, ALLOWED, actor), turn="")
    return Step(with_roll(table, roll), (RollStood(roll.who, waiting), RollChanged(roll)))
