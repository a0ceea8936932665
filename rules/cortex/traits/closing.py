"""What a mod does when a roll closes: at its last effect, its roller's next roll, or the scene's end."""

from collections.abc import Callable, Mapping

from rules.cortex.state.kinds import ON_SHEET, TROUBLE, Trait
from rules.cortex.state.part import CORTEX
from rules.cortex.state.pool import TraitUse
from rules.cortex.state.table import Closes, Closing, Roll
from rules.cortex.traits.traits import challenged, removed, stepped_up
from rules.dice import SIZES
from rules.every import every
from rules.kinds import key
from rules.result import Step
from rules.table import Character, Table
from rules.values import replace


def found(table: Table, roll: Roll) -> tuple[Closing, ...]:
    """What is to happen when a roll closes, by what is done with its traits (N2, N3, N7)."""
    character = table.characters.get(key(roll.who))
    marked = [(die.label, die.source.use) for die in roll.hand.dice if die.source.use is not None]
    if character is None or not marked:
        return ()
    several = (_of(character, label, use) for label, use in marked)
    return tuple(dict.fromkeys(each for each in several if each is not None))


def _of(character: Character, label: str, use: TraitUse) -> Closing | None:
    """What a die of that label has to come, where its trait is there."""
    does = _AFTER[use]
    kinds = ON_SHEET if does is Closes.STEPS_DOWN else TROUBLE
    own = CORTEX.has(character)
    for kind in kinds:
        trait = own.traits(kind).get(key(label))
        if trait is not None and (does is not Closes.GOES or trait.die == SIZES[0]):
            return Closing(does, key(character.name), kind, trait.label)
    return None


def is_pending(roll: Roll) -> bool:
    """Whether something is still to happen when a roll closes."""
    return any(not each.done for each in roll.closing)


def closed(table: Table, roll: Roll) -> Step:
    """What was to happen when that roll closes happens, once."""
    done = replace(roll, closing=tuple(replace(each, done=True) for each in roll.closing))
    here = CORTEX.of(table)
    rolls = {**here.rolls, roll.number: done} if roll.number in here.rolls else here.rolls
    step = Step(CORTEX.put(table, replace(here, rolls=rolls)), ())
    for each in roll.closing:
        trait = trait_of(step.table, each)
        if trait is not None and not each.done:
            step = step.then(_DONE[each.does](step.table, each, trait))
    return step


def ahead(table: Table, name: str) -> Step:
    """The earlier rolls of that name close as its next one comes."""
    step = Step(table, ())
    for roll in CORTEX.of(table).rolls.values():
        if roll.closing and is_pending(roll) and key(roll.who) == key(name):
            step = step.then(closed(step.table, roll))
    return step


def trait_of(table: Table, each: Closing) -> Trait | None:
    """The trait that something is to happen to, while it is there."""
    owner = table.characters.get(each.owner)
    return None if owner is None else CORTEX.has(owner).traits(each.kind).get(key(each.label))


def _gone(table: Table, each: Closing, trait: Trait) -> Step:
    """A d4 that has helped is gone; one that has grown stays (N2)."""
    if trait.die != SIZES[0]:
        return Step(table, ())
    return removed(table, each.owner, each.kind, key(each.label))


def _stepped_up(table: Table, each: Closing, trait: Trait) -> Step:
    """What was pushed steps up once (N3, C4, C5)."""
    return stepped_up(table, each.owner, each.kind, key(each.label))


def _challenged(table: Table, each: Closing, trait: Trait) -> Step:
    """What was challenged steps down once (N7)."""
    return challenged(table, each.owner, each.kind, key(each.label))


_DONE: Mapping[Closes, Callable[[Table, Closing, Trait], Step]] = every(
    Closes, {Closes.GOES: _gone, Closes.STEPS_UP: _stepped_up, Closes.STEPS_DOWN: _challenged}
)
_AFTER = every(
    TraitUse,
    {
        TraitUse.HELPS: Closes.GOES,
        TraitUse.PUSHED: Closes.STEPS_UP,
        TraitUse.CHALLENGED: Closes.STEPS_DOWN,
    },
)


def helping(roll: Roll) -> tuple[Closing, ...]:
    """The d4s of trouble that have helped a roll, gone by now or not (N2)."""
    return tuple(each for each in roll.closing if each.does is Closes.GOES)


def is_helper(each: Closing, label: str) -> bool:
    """Whether that is what happens to the d4 of that label."""
    return each.does is Closes.GOES and key(each.label) == key(label)
