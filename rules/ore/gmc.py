"""Creatures of a One-Roll table: characters of the GM, who roll their ratings."""

from functools import reduce

from rules.campaign import characters
from rules.campaign.seats import Actor, require_gm, require_room
from rules.dice import Throw
from rules.errors import NotAllowed, Unknown
from rules.facts import SeatChange, Seated
from rules.game import Step
from rules.names import CHARACTER_NAME, clean, find, key, require_one
from rules.ore import roll
from rules.ore.damage import read_boxes
from rules.ore.model import ORE, OneRollRating, OreCharacter, OreHand, OreKind, full
from rules.ore.notation import MOST_RATINGS, quote_label, read_items
from rules.ore.pool import MOST_IN_CROWD, NO_DICE, OrePool, added, write
from rules.table import Character, Table
from rules.text import Words
from rules.values import replace


def new(
    table: Table,
    actor: Actor,
    name: str,
    dice: str,
    kind: str | None = None,
    away: bool = False,
    boxes: str | None = None,
) -> Step:
    """Create a creature in the scene, or with `away` outside it; labelled dice are ratings of their own.

    Dice without a label are a rating that is called like the creature; of a crowd, it has a die for each of
    its members. `boxes` are its places. Raises NotAllowed for anybody but the GM, and what reading raises.
    """
    require_gm(table, actor, Words("make {gmc.a}"))
    if kind not in (None, CROWD):
        raise NotAllowed("One-Roll has no such kind. Choose crowd, or leave out kind.")
    require_room(table)
    label = clean(name, CHARACTER_NAME, 80)
    require_one(label)
    label = characters.free_name(table, label)
    own = OreCharacter(_ratings(label, dice, actor), read_boxes(boxes) if boxes else {})
    if kind == CROWD:
        own = _crowd(own, key(label))
    made = ORE.give(Character(label, gmc=True, away=away), own)
    seat = SeatChange.WAITS if away else SeatChange.ENTERS
    return Step(table.with_owner(key(label), made), (Seated(label, seat),))


CROWD = "crowd"
"""The kind of many who act as one (O8)."""


def _crowd(own: OreCharacter, name: str) -> OreCharacter:
    """A crowd: its only rating is a die for each member, which falls as they do. Raises NotAllowed."""
    plain = own.ratings.get(name)
    members = plain.dice.removesuffix("d") if plain and len(own.ratings) == 1 and not own.boxes else ""
    if not members.isdigit() or not 2 <= int(members) <= MOST_IN_CROWD:
        raise NotAllowed(
            "A crowd has a die for each of its 2 to {most} members, and no boxes, such as dice:15d.",
            most=MOST_IN_CROWD,
        )
    return replace(own, members=int(members))


def _ratings(name: str, dice: str, actor: Actor) -> dict[str, OneRollRating]:
    found = dict[str, OrePool]()
    for item in read_items(dice, {}, actor.agreed):
        if item.is_penalty:
            raise NotAllowed("A rating can't have negative dice, such as -1d.")
        label = item.label or name
        found[label] = reduce(added, (found.get(label, NO_DICE), item.dice))
    if len(found) > MOST_RATINGS:
        raise NotAllowed("A sheet can have at most {most_traits} ratings.", most_traits=MOST_RATINGS)
    return {key(label): OneRollRating(label, write(pool)) for label, pool in found.items()}


def roll_gmc(
    table: Table,
    actor: Actor,
    throw: Throw,
    name: str,
    dice: str | None = None,
    vs: str | None = None,
    keep: int = 2,
    on: str | None = None,
) -> Step:
    """Roll a creature's only rating, or the dice or ratings that are typed.

    Raises NotAllowed for anybody but the GM, for options that One-Roll doesn't have, and if it has several
    ratings and none is named.
    """
    require_gm(table, actor, Words("roll for {gmc.a}"))
    options = {"vs": vs is not None, "keep": keep != 2, "on": on is not None}
    if other := next((name for name, is_given in options.items() if is_given), None):
        raise NotAllowed("A One-Roll pool has nothing to do with {other}. Leave it out.", other=other)
    creature = find_gmc(table, name)
    if (members := ORE.has(creature).members) and not dice:
        return _roll_crowd(table, actor, throw, creature.name, members)
    labels = [quote_label(each.label) for each in ORE.has(creature).ratings.values()]
    if not dice and len(labels) != 1:
        raise NotAllowed(
            "Choose what {name} rolls, such as dice:{example}.",
            name=creature.name,
            example=labels[0] if labels else "5d",
        )
    return roll.typed(table, actor, roll.full, throw, dice or labels[0], who=creature.name)


def _roll_crowd(table: Table, actor: Actor, throw: Throw, name: str, members: int) -> Step:
    """Roll a die for each member; a set is no wider than the table wants a crowd's (O8)."""
    widest = ORE.of(table).crowd_width

    def thrown() -> tuple[OreHand, ...]:
        return (replace(full(OrePool(members), throw), widest=widest),)

    return roll.new_roll(table, actor, OreKind.FULL, thrown, name)


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
