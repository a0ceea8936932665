"""The dice of a roll thrown again for its effect, where the table finds it so (N10)."""

from rules.cortex.rolling.roll import changed, check_open, find
from rules.cortex.state.in_force import come_to
from rules.cortex.state.outcome import Outcome
from rules.cortex.state.pool import Die
from rules.cortex.state.roll_facts import EffectRolled
from rules.cortex.state.ruleset import EffectBy
from rules.cortex.state.table import RolledDie
from rules.dice import Throw
from rules.errors import NotAllowed, SettingOff, TooLate
from rules.result import Step
from rules.roller import require_roller
from rules.seats import Actor
from rules.table import Table
from rules.values import replace


def can_roll(came: Outcome) -> bool:
    """Whether a roll still has its dice to be thrown again for the effect: after a success, once (N10)."""
    roll = came.roll
    is_so = roll.hand.by is EffectBy.ROLLED_AGAIN and not roll.hand.again
    is_won = not (came.is_failed or came.is_botch) and bool(came.kept.total)
    return is_so and is_won and not (roll.applied or roll.answered) and any(map(_is_thrown, roll.hand.dice))


def roll_effect(table: Table, actor: Actor, throw: Throw, number: int) -> Step:
    """The roller throws the dice of a success again: the one that rolls highest is the effect (N10)."""
    roll = find(table, number)
    require_roller(table, actor, roll)
    check_open(roll)
    if roll.hand.by is not EffectBy.ROLLED_AGAIN:
        raise SettingOff(
            "Effect dice aren't rolled again in this campaign.", setting="effect", value="rolled again"
        )
    if roll.hand.again:
        raise TooLate("The dice of that roll have already been rolled for the effect.")
    if not can_roll(come_to(table, roll)):
        raise NotAllowed("You only roll for the effect after a success, and that roll isn't a success.")
    thrown = [die for die in roll.hand.dice if _is_thrown(die)]
    faces = iter(throw([die.size for die in thrown]))
    again = tuple(next(faces) if _is_thrown(die) else 0 for die in roll.hand.dice)
    fresh = replace(roll, hand=replace(roll.hand, again=again))
    dice = tuple(Die(die.size, die.label) for die in thrown)
    return changed(table, fresh, EffectRolled(roll.who, dice, tuple(face for face in again if face)))


def _is_thrown(die: RolledDie) -> bool:
    """Whether a die is thrown again: it lies there, and it was thrown before."""
    return not (die.removed or die.is_handed or die.apart)
