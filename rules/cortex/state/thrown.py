"""The dice that were thrown in rolls of Cortex."""

from collections.abc import Iterable

from rules.cortex.state.outcome import gm_hand
from rules.cortex.state.roll_facts import DiceRerolled
from rules.cortex.state.rolled import RollChanged, RollMade
from rules.cortex.state.table import Hand
from rules.fact import Fact
from rules.luck import Shown, Thrown
from rules.names import GM


def thrown(fact: Fact) -> Iterable[Thrown]:
    """A roll's dice, and those against it, which are the GM's; a die that was rolled again was thrown too.

    What a roll shows in the end takes the place of what it showed before.
    """
    if isinstance(fact, DiceRerolled):
        sizes = (die.size for die in fact.dice)
        yield Thrown(fact.who, tuple(zip(sizes, fact.faces, strict=True)))
    elif isinstance(fact, RollMade | RollChanged):
        roll, is_new = fact.roll, isinstance(fact, RollMade)
        yield Thrown(roll.who, _shown(roll.hand), roll.gm, f"{roll.number}", is_new)
        against = None if roll.gm else gm_hand(roll)
        dice = () if against is None else _shown(against)
        yield Thrown(GM, dice, True, f"{roll.number} against", is_new)


def _shown(hand: Hand) -> Shown:
    """Each die by its size and face; a hitch that an SFX handed over was not thrown (H3)."""
    return tuple((die.size, die.face) for die in hand.dice if not die.is_handed)
