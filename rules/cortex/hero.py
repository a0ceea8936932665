"""Hero dice: banked on a heroic success or handed out, rolled or taken for a PP (Z1, Z2)."""

from dataclasses import replace

from rules.cortex import outcome, pools
from rules.cortex.exchange import is_decided
from rules.cortex.facts import HeroDiceChanged, Step
from rules.cortex.outcome import HEROIC_STEP
from rules.cortex.ruleset import Heroic, Ruleset
from rules.cortex.seats import Actor, require_gm, several
from rules.cortex.table import Character, Hand, Roll, Table, key
from rules.dice import size_of, write
from rules.errors import NotAllowed

MOST_DICE = 30
"""Nobody holds more hero dice than this."""


def dice(character: Character) -> tuple[int, ...]:
    """The sizes of somebody's hero dice, rising."""
    return tuple(size for size, count in sorted(character.hero.items()) for _ in range(count))


def require_on(table: Table) -> None:
    """Refuse where the campaign plays without hero dice."""
    if table.ruleset.heroic is Heroic.EFFECT:
        raise NotAllowed(
            "This campaign plays without hero dice. The setting is heroic success. "
            "Example: /campaign set setting:heroic success value:hero dice and effect"
        )


def give(table: Table, actor: Actor, who: str, die: str) -> Step:
    """The GM hands out a hero die, to one character, several or all (Z1)."""
    require_gm(table, actor, "give hero dice")
    require_on(table)
    size = size_of(die)
    table, keys = several(table, who)
    step = Step(table, ())
    for one in keys:
        character = table.characters[one]
        if character.gmc:
            raise NotAllowed(f"{character.name} is a GMC. Hero dice are for players. Example: who:Alice")
        step = step.then(gained(step.table, one, size))
    return step


def gained(table: Table, who: str, size: int) -> Step:
    """A hero die comes. Raises NotAllowed where there is no room for one."""
    character = table.characters[who]
    if sum(character.hero.values()) >= MOST_DICE:
        raise NotAllowed(f"{character.name} has {MOST_DICE} hero dice, which is the most.")
    return _with(table, who, (*dice(character), size), f"d{size} added")


def spent(table: Table, who: str, size: int) -> Step:
    """A hero die goes. Raises NotAllowed when there is none of that size (Z2)."""
    character = table.characters[who]
    held = list(dice(character))
    if size not in held:
        example = f"die:d{held[0]}" if held else "/hero show"
        raise NotAllowed(
            f"{character.name} has no hero d{size}. Hero dice: {write(held)}. Example: {example}"
        )
    held.remove(size)
    return _with(table, who, tuple(held), f"d{size} used")


def banked(table: Table, roll: Roll) -> Step:
    """The hero die of a heroic success against dice, banked once (Z1). The roll is not yet kept."""
    earned = _earned(roll, roll.rules or table.ruleset)
    is_open = bool(roll.contest) and not is_decided(table, roll)
    if roll.banked or earned is None or is_open:
        return Step(table, ())
    who, size = key(earned[0]), earned[1]
    character = table.characters.get(who)
    if character is None or character.gmc or sum(character.hero.values()) >= MOST_DICE:
        return Step(table, ())
    return gained(table, who, size)


def _earned(roll: Roll, rules: Ruleset) -> tuple[str, int] | None:
    """Who banks a hero die for a roll, and of which size (Z1); the winner of a contest may (T4)."""
    how, against = outcome.verdict(roll), roll.against
    if rules.heroic is not Heroic.HERO_DICE or how is None or against is None or against.hand is None:
        return None
    who, beaten = roll.who, against.hand
    if roll.contest and how.result is outcome.Result.FAILURE and -how.margin >= HEROIC_STEP:
        who, beaten = against.label, roll.hand
    elif how.result is not outcome.Result.HEROIC or roll.gm:
        return None
    size = _highest(beaten)
    return (who, size) if size else None


def _highest(hand: Hand) -> int:
    """The size of the die that rolled highest, the larger where they tie (Z1); 0 where none is left."""
    return max(((die.face, die.size) for die in hand.dice if not die.removed), default=(0, 0))[1]


def _with(table: Table, who: str, sizes: tuple[int, ...], how: str) -> Step:
    character = table.characters[who]
    fresh = replace(character, hero=pools.counted(sizes))
    return Step(table.with_owner(who, fresh), (HeroDiceChanged(character.name, sizes, how),))
