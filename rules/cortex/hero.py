"""Hero dice: banked on a heroic success or given, rolled or traded for a PP (Z1, Z2)."""

from rules.campaign.seats import Actor, require_character, require_gm, several
from rules.cortex import gm_pools
from rules.cortex.facts import Change, HeroDiceChanged, RollChanged
from rules.cortex.kinds import Result
from rules.cortex.model import CORTEX, Hand, Roll, ladder
from rules.cortex.outcome import Outcome
from rules.cortex.roll_status import is_decided, require_stands, resolve, rules_of
from rules.cortex.tokens import one_die
from rules.dice import held_words
from rules.errors import NotAllowed, SettingOff, TooLate
from rules.game import Step
from rules.names import key
from rules.table import Character, Table
from rules.text import Words
from rules.values import replace

MOST_DICE = 30
"""Nobody holds more hero dice than this."""


def dice(character: Character) -> tuple[int, ...]:
    """The sizes of somebody's hero dice, rising."""
    return tuple(size for size, count in sorted(CORTEX.has(character).hero.items()) for _ in range(count))


def require_on(table: Table) -> None:
    """Refuse where the campaign plays without hero dice."""
    if not CORTEX.of(table).ruleset.has_hero_dice:
        raise off()


def off() -> SettingOff:
    """Return the refusal where a campaign plays without hero dice."""
    return SettingOff(
        "{hero_die.Many} are off in this campaign.", setting="heroic success", value="hero dice and effect"
    )


def give(table: Table, actor: Actor, who: str, die: str) -> Step:
    """The GM hands out a hero die, to one character, several or all (Z1)."""
    require_gm(table, actor, Words("give {hero_die.many}"))
    require_on(table)
    size = one_die(die, ladder(table))
    table, keys = several(table, actor, who)
    step = Step(table, ())
    for one in keys:
        character = table.characters[one]
        if character.gmc:
            raise NotAllowed(
                "{character} is {gmc.a}, but {hero_die.many} are only for players' characters.",
                character=character.name,
            )
        step = step.then(gained(step.table, one, size))
    return step


def gained(table: Table, who: str, size: int) -> Step:
    """A hero die comes. Raises NotAllowed where there is no room for one."""
    character = table.characters[who]
    if sum(CORTEX.has(character).hero.values()) >= MOST_DICE:
        raise NotAllowed(
            "{character} already has {most_dice} {hero_die.many}, which is the limit.",
            character=character.name,
            most_dice=MOST_DICE,
        )
    return _with(table, who, (*dice(character), size), Change.ADDED, size)


def spent(table: Table, who: str, size: int) -> Step:
    """A hero die goes. Raises NotAllowed when there is none of that size (Z2)."""
    character = table.characters[who]
    held = list(dice(character))
    if size not in held:
        raise NotAllowed(
            "{character} doesn't have a hero d{size}. {hero_die.Many} available: {held}.",
            character=character.name,
            size=size,
            held=held_words(held),
        )
    held.remove(size)
    return _with(table, who, tuple(held), Change.USED, size)


def bank(table: Table, actor: Actor, number: int) -> Step:
    """Bank the hero die of a heroic success, for use from the next roll on (Z1)."""
    roll = CORTEX.of(table).rolls.get(number)
    if roll is None:
        raise TooLate("That roll is closed, and its {hero_die.one} has been banked.")
    require_stands(table, roll)
    came = resolve(table, roll)
    if not bankable(table, came):
        raise TooLate("That roll has no {hero_die.one} to bank, or it has already been banked.")
    require_character(table, actor, table.characters[_winner(came)], Words("bank {hero_die.a}"))
    step, fresh = banked(table, roll), replace(roll, banked=True)
    after = CORTEX.put(
        step.table, replace(CORTEX.of(step.table), rolls={**CORTEX.of(step.table).rolls, number: fresh})
    )
    return Step(after, (*step.facts, RollChanged(fresh)))


def banked(table: Table, roll: Roll) -> Step:
    """The hero die of a heroic success against dice comes, unless it is banked already (Z1)."""
    if roll.banked or not rules_of(table, roll).banks_hero_dice:  # asked of each roll that a scene closes
        return Step(table, ())
    came = resolve(table, roll)
    size = bankable(table, came)
    return gained(table, _winner(came), size) if size else Step(table, ())


def bankable(table: Table, came: Outcome) -> int:
    """The size of the hero die that a roll still has to bank; 0 for none (Z1)."""
    roll, earned = came.roll, _earned(came)
    is_open = bool(roll.contest) and not is_decided(table, roll)
    if roll.banked or earned is None or is_open:
        return 0
    character = table.characters.get(key(earned[0]))
    if character is None or character.gmc or sum(CORTEX.has(character).hero.values()) >= MOST_DICE:
        return 0
    return earned[1]


def usable(table: Table, roll: Roll) -> tuple[int, ...]:
    """The hero dice that the roller may use on a roll: not the one that it has banked itself (Z1, Z2)."""
    character = table.characters.get(key(roll.who))
    held = [] if character is None else list(dice(character))
    own = _earned(resolve(table, roll)) if roll.banked else None
    if own is not None and key(own[0]) == key(roll.who) and own[1] in held:
        held.remove(own[1])
    return tuple(held)


def require_earned(table: Table, roll: Roll) -> None:
    """Refuse a choice that is no heroic success any more, where the hero die of that is banked (Z1)."""
    if roll.banked and _earned(resolve(table, roll)) is None:
        raise NotAllowed(
            "That roll has already banked its {hero_die.one}, but this choice isn't a heroic success. "
            "To take the die back: /undo"
        )


def _winner(came: Outcome) -> str:
    """The key of who banks the hero die of a roll."""
    earned = _earned(came)
    return key(earned[0]) if earned else ""


def _earned(came: Outcome) -> tuple[str, int] | None:
    """Who banks a hero die for a roll, and of which size (Z1); the winner of a contest may (T4)."""
    roll, how, against = came.roll, came.verdict, came.roll.against
    if not came.rules.banks_hero_dice or how is None or against is None or against.hand is None:
        return None
    who, beaten = roll.who, against.hand
    if roll.contest and came.is_failed and -how.margin >= roll.margin:
        who, beaten = against.label, roll.hand
    elif how.result is not Result.HEROIC or roll.gm:
        return None
    size = _highest(beaten)
    return (who, size) if size else None


def _highest(hand: Hand) -> int:
    """The size of the die that rolled highest, the larger where they tie (Z1); 0 where none is left."""
    return max(((die.face, die.size) for die in hand.dice if not die.removed), default=(0, 0))[1]


def _with(table: Table, who: str, sizes: tuple[int, ...], change: Change, die: int) -> Step:
    character = table.characters[who]
    fresh = CORTEX.give(character, replace(CORTEX.has(character), hero=gm_pools.counted(sizes)))
    return Step(table.with_owner(who, fresh), (HeroDiceChanged(character.name, sizes, change, die),))
