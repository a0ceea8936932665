"""Damage by the width of a set, where its height says: boxes, armour, hits and healing (O7).

boxes := box (("," | ";") box)*
box   := [heights] label [":"] size ["armour" number]

Head 4, 7-9 Body 10 armour 2, 1/3 Tail 6
"""

import re
from collections.abc import Collection, Iterable, Iterator

from rules.campaign.rolls import require_roller
from rules.campaign.seats import Actor, find_character, owner_of, require_character
from rules.errors import NotAllowed, TooLate, Unreadable
from rules.facts import Fact
from rules.game import Step
from rules.names import LABEL, clean, find, get_named, key
from rules.ore.gobble import dice_left, unused
from rules.ore.model import (
    HEIGHTS,
    ORE,
    Boxes,
    DamageKind,
    OreHealed,
    OreHit,
    OreHurt,
    OreRoll,
    OreSet,
    OreThinned,
)
from rules.ore.pool import MOST_IN_CROWD
from rules.ore.roll import find as find_roll
from rules.ore.roll import with_hand, with_roll
from rules.settings import number
from rules.table import Character, Table
from rules.text import Words, shorten
from rules.values import replace

MOST_BOXES = 30
"""A place has at most this many boxes."""


MOST_PLACES = 12
"""A character has at most this many places."""


NARROWEST = 3
"""A crowd's sets can't be limited to less: three dice would leave one that isn't a set."""


MOST_PLUS = 20
"""A weapon adds at most this to a hit."""


EXAMPLE = "Head 4, Left arm 5, Right arm 5, Body 10, Left leg 5, Right leg 5"
"""Boxes for the places of the table's list, as it is at first."""


_HEIGHTS = r"[0-9]{1,2}(?: ?[-–] ?[0-9]{1,2})?(?: ?/ ?[0-9]{1,2}(?: ?[-–] ?[0-9]{1,2})?)*"
"""Heights as they are typed: `7-9`, or `1/3-4` with gaps."""


_BOX = re.compile(
    rf"(?:(?P<heights>{_HEIGHTS}) )?(?P<label>[^\W\d_][^\d,:;]*?) ?:? (?P<size>[0-9]{{1,9}})"
    r"(?: armou?r (?P<armour>[0-9]{1,9}))?",
    re.IGNORECASE,
)


_PLACE = re.compile(rf"(?P<heights>{_HEIGHTS}) (?P<label>[^\W\d_][^\d,]*)")


def read_boxes(typed: str) -> dict[str, Boxes]:
    """Return boxes by key, in order.

    >>> [(each.label, each.size, each.heights) for each in read_boxes("Head 4, 1-3 Tail 6").values()]
    [('Head', 4, ()), ('Tail', 6, (1, 2, 3))]

    Raises Unreadable for text that isn't a place with its boxes or gives a height two places, NotAllowed for
    too many.
    """
    found, taken = dict[str, Boxes](), set[int]()
    for part in (" ".join(each.split()) for each in re.split("[,;]", typed) if each.strip()):
        match = _BOX.fullmatch(part)
        if match is None:
            raise Unreadable(
                "{part} isn't a place with its boxes, such as Body 10 armour 2.", part=shorten(part)
            )
        label, size = clean(match["label"], LABEL, 40), int(match["size"])
        if not 1 <= size <= MOST_BOXES:
            raise NotAllowed(
                "{label} can have 1 to {most} boxes, not {size}.", label=label, most=MOST_BOXES, size=size
            )
        if get_named(found, label) is not None:
            raise NotAllowed("The sheet has {each} twice. Give one of the two another name.", each=label)
        heights = _heights(match["heights"])
        _require_free(heights, taken)
        taken.update(heights)
        armour = int(match["armour"] or 0)
        if armour > MOST_BOXES:
            raise NotAllowed(
                "{label} can have at most {most} armour, not {armour}.",
                label=label,
                most=MOST_BOXES,
                armour=armour,
            )
        found[key(label)] = Boxes(label, size, heights, armour)
    if len(found) > MOST_PLACES:
        raise NotAllowed("A character can have at most {most} places.", most=MOST_PLACES)
    return found


def _require_free(heights: Iterable[int], taken: Collection[int]) -> None:
    """Raise Unreadable for a height that already has a place."""
    if (twice := next((height for height in heights if height in taken), None)) is not None:
        raise Unreadable("Height {height} has two places.", height=twice)


def _heights(typed: str | None) -> tuple[int, ...]:
    """The heights before a label: `7-9`. Raises NotAllowed for heights that no set can have."""
    found = set[int]()
    for part in typed.split("/") if typed else ():
        first, *rest = map(int, re.findall("[0-9]+", part))
        last = rest[0] if rest else first
        if not HEIGHTS[0] <= first <= last <= HEIGHTS[-1]:
            raise NotAllowed("Heights go from 1 to 10, such as 7-9.")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def kept(fresh: Boxes, was: Boxes) -> Boxes:
    """Return boxes with what filled them before."""
    killing = min(was.killing, fresh.size)
    return replace(fresh, killing=killing, shock=min(was.shock, fresh.size - killing))


def write_boxes(boxes: Iterable[Boxes]) -> str:
    """Return boxes as `read_boxes` reads them.

    >>> write_boxes([Boxes("Head", 4), Boxes("Body", 10, (7, 8, 9), 2)])
    'Head 4, 7-9 Body 10 armour 2'
    """
    return ", ".join(_box(each) for each in boxes)


def _box(each: Boxes) -> str:
    armour = f" armour {each.armour}" if each.armour else ""
    return f"{_range(each.heights)}{each.label} {each.size}{armour}"


def _range(heights: tuple[int, ...]) -> str:
    """Heights as they are typed, followed by a space: `7-9 `; "" for none."""
    runs = list[list[int]]()
    for height in heights:
        if runs and height == runs[-1][-1] + 1:
            runs[-1].append(height)
        else:
            runs.append([height])
    said = "/".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"{said} " if said else ""


def read_places(typed: str) -> tuple[str, ...]:
    """Return the place of each height, from 1 to 10.

    >>> read_places("1-5 legs, 6-10 body")[4:6]
    ('legs', 'body')

    Raises Unreadable unless each height has one place.
    """
    found = dict[int, str]()
    for part in (" ".join(each.split()) for each in typed.split(",") if each.strip()):
        match = _PLACE.fullmatch(part)
        if match is None:
            raise Unreadable("{part} isn't a place with its heights, such as 7-9 body.", part=shorten(part))
        heights = _heights(match["heights"])
        _require_free(heights, found)
        found.update(dict.fromkeys(heights, clean(match["label"], LABEL, 40)))
    if missing := [height for height in HEIGHTS if height not in found]:
        raise Unreadable(
            "Height {height} has no place. Name one for each height from 1 to 10.", height=missing[0]
        )
    return tuple(found[height] for height in HEIGHTS)


def write_places(value: object) -> str:
    """Return places as people type them: `1 left leg, 2 right leg`."""
    places: tuple[str, ...] = value  # type: ignore[assignment]
    labels = dict.fromkeys(places)
    heights = {
        each: tuple(n for n, label in zip(HEIGHTS, places, strict=True) if label == each) for each in labels
    }
    return ", ".join(f"{_range(heights[label])}{label}" for label in labels)


def read_crowd_width(typed: str) -> int:
    """Return the widest set of a crowd, 0 for no limit. Raises Unreadable for any other text.

    >>> read_crowd_width("3"), read_crowd_width("no limit")
    (3, 0)
    """
    width: int = number(MOST_IN_CROWD)(typed)  # type: ignore[assignment]
    if width in range(1, NARROWEST):
        raise Unreadable(
            "A crowd's widest set is {least} to {most}, or no limit.", least=NARROWEST, most=MOST_IN_CROWD
        )
    return width


def place_at(table: Table, character: Character, height: int) -> Boxes | None:
    """Return the boxes that a hit of that height fills: by their own heights, else by the table's list."""
    boxes = ORE.has(character).boxes
    own = next((each for each in boxes.values() if height in each.heights), None)
    return own or get_named(boxes, ORE.of(table).places[height - 1])


def filled(boxes: Boxes, amount: int, kind: DamageKind) -> Boxes:
    """Return boxes after that much damage: killing displaces shock, and shock without room turns to killing.

    >>> filled(Boxes("Head", 4, shock=3), 2, DamageKind.KILLING)
    Boxes(label='Head', size=4, heights=(), armour=0, shock=2, killing=2)
    >>> filled(Boxes("Head", 4, shock=3), 2, DamageKind.SHOCK).killing
    1
    """
    if kind is not DamageKind.SHOCK:
        killing = min(boxes.size, boxes.killing + amount)
        boxes = replace(boxes, killing=killing, shock=min(boxes.shock, boxes.size - killing))
    if kind is not DamageKind.KILLING:
        room = boxes.size - boxes.killing - boxes.shock
        more = max(0, amount - room)
        killing = min(boxes.size, boxes.killing + more)
        shock = min(boxes.shock + min(amount, room), boxes.size - killing)
        boxes = replace(boxes, killing=killing, shock=shock)
    return boxes


def usable(roll: OreRoll) -> Iterator[tuple[int, OreSet]]:
    """Yield the sets that count and have neither hit nor gobbled, each with its pool."""
    for place, hand in enumerate(roll.hands):
        for one in unused(roll, hand):
            if dice_left(hand, one) == one.width:
                yield place, one


def targets(table: Table, roll: OreRoll) -> list[Character]:
    """Return whom a roll can hit, the other side first: those who are here with boxes, and crowds."""
    if key(roll.who) in ORE.of(table).companies:
        return []  # companies fight companies
    people = (each for each in table.in_play.values() if not each.away and key(each.name) != key(roll.who))
    found = [each for each in people if ORE.has(each).boxes or ORE.has(each).members]
    return sorted(found, key=lambda each: each.gmc == roll.gm)


def hit(
    table: Table,
    actor: Actor,
    number: int,
    which: str,
    whom: str,
    kind: DamageKind = DamageKind.BOTH,
    plus: int = 0,
) -> Step:
    """Hit somebody with a set of an open roll (roller only): its width is how much, its height where (O7).

    `which` is the set, after the place of its pool: `0.3×7`. Raises TooLate if that set is gone or has been
    used, or if `whom` can't be hit any more; NotAllowed if there is nothing to hit at its height.
    """
    roll = find_roll(table, number)
    require_roller(table, actor, roll)
    at, one = next((each for each in usable(roll) if which == f"{each[0]}.{each[1]}"), (0, None))
    if one is None:
        raise TooLate("That set is gone, or has been used.")
    if not 0 <= plus <= MOST_PLUS:
        raise NotAllowed("A weapon adds 0 to {most}, not {plus}.", most=MOST_PLUS, plus=plus)
    who = find_character(table, whom)
    character = table.characters[who]
    if character not in targets(table, roll):
        raise TooLate("{who} can't be hit any more.", who=character.name)
    hand = roll.hands[at]
    fresh = with_hand(roll, at, replace(hand, struck=(*hand.struck, one)))
    struck = with_roll(table, fresh)
    if ORE.has(character).members:
        return _thinned(struck, fresh, one, who, plus)
    return _wounded(struck, fresh, one, who, kind, plus)


def _thinned(table: Table, roll: OreRoll, one: OreSet, who: str, plus: int) -> Step:
    """A set takes out as many members of a crowd as it is wide (O8)."""
    if plus:
        raise NotAllowed("A weapon adds nothing against a crowd: the width alone counts. Set it to 0.")
    character = table.characters[who]
    own = ORE.has(character)
    left = max(0, own.members - one.width)
    # A crowd of which nobody is left isn't in the scene any more.
    crowd = replace(character, away=character.away or not left)
    told = OreThinned(roll, one, character.name, own.members, left)
    return Step(table.with_owner(who, ORE.give(crowd, replace(own, members=left))), (told,))


def _wounded(table: Table, roll: OreRoll, one: OreSet, who: str, kind: DamageKind, plus: int) -> Step:
    """A set fills boxes where its height says. Raises NotAllowed if there are none."""
    character = table.characters[who]
    boxes = place_at(table, character, one.height)
    if boxes is None:
        raise NotAllowed(
            "{who} has no boxes for height {height} ({place}). They go on the sheet, in a line such as "
            "Boxes: {place} 5",
            who=character.name,
            height=one.height,
            place=ORE.of(table).places[one.height - 1],
        )
    amount = one.width + plus
    stopped = min(boxes.armour, amount)
    hurt = filled(boxes, amount - stopped, kind)
    told = OreHit(roll, one, character.name, kind, amount, stopped, boxes, hurt)
    return Step(_with_boxes(table, who, hurt), (told,))


def _with_boxes(table: Table, who: str, boxes: Boxes) -> Table:
    character = table.characters[who]
    own = ORE.has(character)
    fresh = replace(own, boxes={**own.boxes, key(boxes.label): boxes})
    return table.with_owner(who, ORE.give(character, fresh))


def hurt(
    table: Table,
    actor: Actor,
    place: str,
    amount: int,
    kind: DamageKind = DamageKind.BOTH,
    who: str | None = None,
) -> Step:
    """Fill boxes by hand, past any armour (O7). Raises NotAllowed for others' characters."""
    owner, boxes = _boxes_of(table, actor, place, who, amount)
    after = filled(boxes, amount, kind)
    return _changed(
        table, owner, boxes, after, OreHurt(table.characters[owner].name, kind, amount, boxes, after)
    )


def heal(
    table: Table,
    actor: Actor,
    place: str,
    amount: int,
    kind: DamageKind = DamageKind.BOTH,
    who: str | None = None,
) -> Step:
    """Empty boxes: shock first, then killing, or only one of the two (O7).

    Raises NotAllowed if nothing heals.
    """
    owner, boxes = _boxes_of(table, actor, place, who, amount)
    shock = 0 if kind is DamageKind.KILLING else min(amount, boxes.shock)
    killing = 0 if kind is DamageKind.SHOCK else min(amount - shock, boxes.killing)
    after = replace(boxes, shock=boxes.shock - shock, killing=boxes.killing - killing)
    return _changed(table, owner, boxes, after, OreHealed(table.characters[owner].name, boxes, after))


def _changed(table: Table, owner: str, before: Boxes, after: Boxes, fact: Fact) -> Step:
    if before == after:
        raise NotAllowed(
            "Nothing changes: {who}'s {place} stays as it is.",
            who=table.characters[owner].name,
            place=before.label,
        )
    return Step(_with_boxes(table, owner, after), (fact,))


def _boxes_of(table: Table, actor: Actor, place: str, who: str | None, amount: int) -> tuple[str, Boxes]:
    """Whose boxes are meant, and which. Raises NotAllowed for none, or for a number that can't be."""
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    require_character(table, actor, character, Words("change damage"))
    boxes = ORE.has(character).boxes
    if not boxes:
        raise NotAllowed(
            "{who} has no boxes. {where}",
            who=character.name,
            where=Words("They go on the sheet, in a line such as Boxes: Head 4, Body 10")
            if table.game == ORE.name
            else Words("Only sheets of a One-Roll campaign have them."),
        )
    if not 1 <= amount <= MOST_BOXES:
        raise NotAllowed("Choose 1 to {most} boxes, not {amount}.", most=MOST_BOXES, amount=amount)
    label = find(place, [each.label for each in boxes.values()], Words("place"))
    return owner, boxes[key(label)]
