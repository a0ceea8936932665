"""Creatures of a One-Roll table: characters of the GM, who roll their ratings."""

from functools import reduce

from rules.campaign import characters
from rules.campaign.seats import Actor, require_gm, require_room
from rules.dice import Throw
from rules.errors import NotAllowed, Unknown
from rules.facts import SeatChange, Seated
from rules.game import Step
from rules.names import CHARACTER_NAME, clean, find, fold, key, require_one
from rules.ore import roll
from rules.ore.damage import read_boxes
from rules.ore.model import ORE, OneRollRating, OreCharacter, OreHand, OreKind, full, ratings_of
from rules.ore.notation import MOST_RATINGS, is_label, quote_label, read_items
from rules.ore.pool import LEAST, MOST, MOST_IN_CROWD, NO_DICE, OrePool, added, check, write
from rules.ore.sheet import no_crowd
from rules.table import Character, Table
from rules.text import Words
from rules.values import replace


def new(
    table: Table,
    actor: Actor,
    name: str,
    dice: str,
    kind: str | None = None,
    boxes: str | None = None,
) -> Step:
    """Create a creature in the scene; labelled dice are ratings.

    Dice without a label are a rating with the creature's name; a crowd has a die for each of its members.
    `boxes` are its places. Raises NotAllowed for anybody but the GM, and what reading raises.
    """
    require_gm(table, actor, Words("make {gmc.a}"))
    require_room(table)
    label = clean(name, CHARACTER_NAME, 80)
    require_one(label)
    label = characters.new_name(table, label)
    if kind == CROWD:
        own = OreCharacter(members=_members(dice, boxes, actor))
    else:
        own = OreCharacter(_ratings(label, dice, actor), read_boxes(boxes) if boxes else {})
    made = ORE.give(Character(label, gmc=True), own)
    return Step(table.with_owner(key(label), made), (Seated(label, SeatChange.ENTERS),))


CROWD = "crowd"
"""The kind of many who act as one (O8)."""


def _members(dice: str, boxes: str | None, actor: Actor) -> int:
    """How many a crowd is: a die each. Raises NotAllowed for other dice, and for boxes."""
    first, *others = read_items(dice, {}, actor.agreed)
    count = first.dice.dice
    is_plain = not (others or boxes or first.label) and first.dice == OrePool(count)
    if not is_plain or not LEAST <= count <= MOST_IN_CROWD:
        raise no_crowd("dice:12d", LEAST)
    return count


def _ratings(name: str, dice: str, actor: Actor) -> dict[str, OneRollRating]:
    found = dict[str, OrePool]()
    for item in read_items(dice, {}, actor.agreed):
        if item.is_penalty:
            raise NotAllowed("A rating can't have negative dice, such as -1d.")
        if item.dice == NO_DICE:
            raise NotAllowed("A rating needs at least 1 die, such as 5d.")
        label = item.label or name
        if not is_label(label):
            raise NotAllowed(
                "{label} can't be the name of a rating. Give the dice another name, such as dice:Fight 5d.",
                label=label,
            )
        found[label] = reduce(added, (found.get(label, NO_DICE), item.dice))
    if len(found) > MOST_RATINGS:
        raise NotAllowed("A sheet can have at most {most_traits} ratings.", most_traits=MOST_RATINGS)
    for pool in found.values():
        check(replace(pool, dice=MOST))
    return {key(label): OneRollRating(label, write(pool)) for label, pool in found.items()}


def roll_gmc(table: Table, actor: Actor, throw: Throw, name: str, dice: str | None = None) -> Step:
    """Roll a creature's only rating, or the dice or ratings that are typed.

    Raises NotAllowed for anybody but the GM, and if it has several ratings and none is named.
    """
    require_gm(table, actor, Words("roll for {gmc.a}"))
    creature = find_gmc(table, name)
    if creature.away:
        raise NotAllowed("{name} isn't in the {scene.one} any more.", name=creature.name)
    if ORE.has(creature).members and (not dice or fold(dice.strip('"')) == fold(creature.name)):
        return roll_crowd(table, actor, throw, creature)
    labels = rollable(creature)
    if not dice and len(labels) != 1:
        raise NotAllowed(
            "Choose what {name} rolls, such as dice:{example}.",
            name=creature.name,
            example=labels[0] if labels else "5d",
        )
    return roll.typed(table, actor, roll.full, throw, dice or labels[0], who=creature.name)


def rollable(creature: Character) -> list[str]:
    """Return the ratings of a creature, as they can be typed."""
    return [quote_label(each.label) for each in ratings_of(creature).values()]


def roll_crowd(table: Table, actor: Actor, throw: Throw, crowd: Character, against: int = 0) -> Step:
    """Roll a die for each member; sets are at most as wide as the setting `crowd width` says (O8).

    `against` is the number of a roll to oppose. Raises TooLate if that is closed.
    """
    members, widest = ORE.has(crowd).members, ORE.of(table).crowd_width
    if against:
        roll.require_opposable(table, against, crowd.name)

    def thrown() -> tuple[OreHand, ...]:
        return (replace(full(OrePool(members), throw), widest=widest),)

    return roll.new_roll(table, actor, OreKind.FULL, thrown, crowd.name, against=against)


def remove(table: Table, actor: Actor, name: str) -> Step:
    """Remove a creature from the table. Raises NotAllowed for players; Unknown if there is none."""
    require_gm(table, actor, Words("remove {gmc.a}"))
    return characters.remove(table, actor, find_gmc(table, name).name)


def find_gmc(table: Table, name: str) -> Character:
    """Return the creature of that name. Raises Unknown if none fits; Ambiguous if several do."""
    known = [each.name for each in table.characters.values() if each.gmc]
    if not known:
        raise Unknown("There are no {gmc.many} yet. Example: /gmc new name:Ogre dice:5d 1h")
    return table.characters[key(find(name, known, Words("{gmc.one}")))]
