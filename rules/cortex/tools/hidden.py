"""Rolls that the GM makes in secret, where the table allows it, until they are revealed (R9).

They are no rolls of the table: nothing of the game knows them, so that nothing of it can tell of them.
"""

from rules.cortex.rolling import roll
from rules.cortex.state.part import CORTEX
from rules.cortex.state.rolled import HiddenDropped, HiddenRolled, RollMade
from rules.cortex.state.table import Roll
from rules.dice import Throw
from rules.errors import NotAllowed, SettingOff, Unknown
from rules.result import Step
from rules.seats import Actor, require_secrets
from rules.table import Table
from rules.unseen import sees
from rules.values import replace
from rules.words import Words

MOST = 20
"""A table has at most this many hidden rolls."""


def make(
    table: Table,
    actor: Actor,
    throw: Throw,
    dice: str,
    vs: str | None = None,
    keep: int = 2,
    hinder: str | None = None,
    who: str | None = None,
    note: str | None = None,
) -> Step:
    """Roll a pool in secret (R9).

    Raises NotAllowed where the table does not allow it, and for a roll that takes or gives something: that
    would be seen.
    """
    here = CORTEX.of(table)
    require_secrets(table, actor, Words("roll in secret"))
    if not here.ruleset.hidden_rolls:
        raise SettingOff("Hidden rolls are off in this campaign.", setting="hidden GM rolls")
    if len(here.hidden) >= MOST:
        raise NotAllowed(
            "A table can have at most {most} hidden rolls. Reveal or drop one: /table show",
            most=MOST,
        )
    # As if none were open: for one roll more the oldest would close, and that would be seen.
    step = roll.make(
        CORTEX.put(table, replace(here, rolls={})), actor, throw, dice, vs, keep, hinder, who, note
    )
    made, *others = step.facts
    after = CORTEX.put(
        step.table, replace(CORTEX.of(step.table), rolls=here.rolls, last_pools=here.last_pools)
    )
    if others or after != table or not isinstance(made, RollMade) or made.roll.closing:
        raise NotAllowed(
            "A hidden roll can't involve {plot_point.short}, {doom_pool.short} dice, SFX, resources or "
            "turns. Use plain dice. Example: /roll dice:2d6 d8 hidden:true"
        )
    hidden = {**here.hidden, made.roll.number: made.roll}
    return Step(CORTEX.put(table, replace(here, hidden=hidden)), (HiddenRolled(made.roll),))


def reveal(table: Table, actor: Actor, number: int) -> Step:
    """A hidden roll is a roll like any other from now on. Raises Unknown where it is no longer hidden."""
    made = find(table, actor, number)
    return roll.placed(_without(table, made), replace(made, number=table.number + 1, ruled=made.number))


def drop(table: Table, actor: Actor, number: int) -> Step:
    """A hidden roll goes without anybody having seen it. Raises Unknown where it is no longer hidden."""
    made = find(table, actor, number)
    return Step(_without(table, made), (HiddenDropped(made),))


def find(table: Table, actor: Actor, number: int) -> Roll:
    """The hidden roll of that number. Raises Unknown for whom it is hidden from too: they learn nothing."""
    made = CORTEX.of(table).hidden.get(number)
    if made is None or not sees(table, actor, made):
        raise Unknown(
            "That roll is no longer hidden: it was revealed, dropped or undone. To see the table: /table show"
        )
    return made


def _without(table: Table, made: Roll) -> Table:
    here = CORTEX.of(table)
    return CORTEX.put(
        table, replace(here, hidden={n: each for n, each in here.hidden.items() if n != made.number})
    )
