"""The state of a One-Roll table: dice, sets, rolls and facts, and how dice are thrown (O1 to O5)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice
from typing import Annotated

from msgspec import field

from rules.dice import Throw
from rules.facts import Event, FactKinds, Told
from rules.names import GM, Label, Name, get_named, key
from rules.ore import pool as ore_pool
from rules.ore.pool import FEWEST, MOST, SIDES, OrePool, QuickDice
from rules.settings import About, SettingSubject, write_names
from rules.table import Character, Part, Table
from rules.terms import later
from rules.values import Count, Value, exhaustive, replace

ORE_FACTS = FactKinds()
"""The facts of One-Roll games."""


HEIGHTS = range(1, SIDES + 1)
"""All heights that a set can have."""


class OreKind(StrEnum):
    """How a One-Roll pool was rolled."""

    FULL = "full"
    QUICK = "quick"
    ACTIONS = "actions"
    CROWD = "crowd"


PARTS = exhaustive(
    OreKind, {OreKind.FULL: "", OreKind.QUICK: "", OreKind.ACTIONS: "action", OreKind.CROWD: "pool"}
)
"""What each of several pools that were rolled at once is called; nothing where there is but one."""


class OreSet(Value):
    """A set of equal dice.

    >>> str(OreSet(2, 6))
    '2×6'
    """

    width: int
    height: int
    nth: int = 0
    """Which set of this height it is, from 0: a crowd's dice can make several (O8)."""

    @property
    def die(self) -> int:
        """How a die of this set is kept once it has gobbled or been gobbled; `height_of` reads it."""
        return self.height + SIDES * self.nth

    def __str__(self) -> str:
        return f"{self.width}×{self.height}"


def height_of(die: int) -> int:
    """Return the height of a kept die of a set.

    >>> height_of(OreSet(2, 10, nth=1).die)
    10
    """
    return (die - 1) % SIDES + 1


class OreHand(Value):
    """The dice of one pool, and what has been done with them.

    `faces` are the dice of a full roll, `quick` those of a quick one. `to` is the height that a quick set
    of tens was changed to (O3); `placed` holds the heights of the wiggle dice, empty while they wait.
    `spoiled` holds the dice gobbled by another roll, `spent` those used to gobble, each as `OreSet.die`.
    """

    pool: OrePool
    faces: tuple[int, ...] = ()
    quick: QuickDice | None = None
    to: int = 0
    placed: tuple[int, ...] = ()
    spoiled: tuple[int, ...] = ()
    spent: tuple[int, ...] = ()
    struck: tuple[OreSet, ...] = ()
    """The sets that have hit somebody, as they were then (O7)."""
    widest: int = 0
    """A wider set is several sets, each at most so wide; 0 for no limit (O8)."""

    @property
    def waiting(self) -> int:
        """The number of wiggle dice still to be placed; none if a single one has nothing left to join."""
        if self.placed or (self.pool.wiggle == 1 and not _can_join(self)):
            return 0
        return self.pool.wiggle

    @property
    def is_settled(self) -> bool:
        """Whether its dice have gobbled, been gobbled or hit, so that it can no longer be changed."""
        return bool(self.spoiled or self.spent or self.struck)


class OreRoll(Value):
    """A roll of one pool, of several actions, or of a crowd; its number is the step that made it.

    `player` is the person who rolled, `who` the name they rolled as; `gm` marks a roll of the GM.
    """

    number: int
    player: int
    who: Name
    hands: tuple[OreHand, ...]
    kind: OreKind = OreKind.FULL
    gm: bool = False
    note: str = ""
    least_width: int = 0
    """A set needs this width to count (O6)."""
    least_height: int = 0
    """And this height."""
    against: int = 0
    """The number of the roll that it opposes; 0 if it opposes none."""


def counting(roll: OreRoll, hand: OreHand) -> tuple[OreSet, ...]:
    """Return the sets of a pool that reach the roll's difficulty, widest first (O6).

    >>> roll = OreRoll(1, 0, "Rook", (OreHand(OrePool(4), (2, 2, 9, 9)),), least_height=5)
    >>> [str(each) for each in counting(roll, roll.hands[0])]
    ['2×9']
    """
    return tuple(
        one for one in sets(hand) if one.width >= roll.least_width and one.height >= roll.least_height
    )


def best_set(roll: OreRoll) -> OreSet | None:
    """Return the set that decides a contest: the widest, then the highest; None if no set counts."""
    found = [one for hand in roll.hands for one in counting(roll, hand)]
    return max(found, key=order, default=None)


def beats(one: OreSet | None, other: OreSet | None) -> int:
    """Return 1 if the first set wins a contest, -1 if the second does, and 0 if they are even.

    >>> beats(OreSet(3, 2), OreSet(2, 9)), beats(OreSet(2, 4), OreSet(2, 9)), beats(None, None)
    (1, -1, 0)
    """
    first, second = (order(each) if each else (0, 0) for each in (one, other))
    return (first > second) - (first < second)


def sets(hand: OreHand) -> tuple[OreSet, ...]:
    """Return all sets, widest first, then highest (O1, O3).

    >>> [str(each) for each in sets(OreHand(OrePool(5), (2, 6, 6, 10, 10)))]
    ['2×10', '2×6']
    >>> [str(each) for each in sets(OreHand(OrePool(5), (6, 6, 6, 6, 6), widest=3))]
    ['3×6', '2×6']
    """
    return tuple(sorted((one for one in _groups(hand) if one.width > 1), key=order, reverse=True))


def joinable(hand: OreHand) -> list[int]:
    """Return the heights that a single wiggle die can join, lowest first (O3).

    A rolled die shows that height, or fixed dice make a set there by themselves.

    >>> joinable(OreHand(OrePool(3, hard=1, wiggle=1, expert=7), (2, 6, 6)))
    [2, 6]
    >>> joinable(OreHand(OrePool(1, hard=2, wiggle=1), (2,)))
    [2, 10]
    """
    ready = [height for height in HEIGHTS if hand.pool.fixed(height) > 1]
    return sorted({*hand.faces, *heights(hand), *ready})


def _can_join(hand: OreHand) -> bool:
    """Whether a single wiggle die makes a set anywhere."""
    if not hand.spoiled:
        return bool(joinable(hand))
    where = joinable(hand)
    return any(one.height == height for height in where for one in sets(replace(hand, placed=(height,))))


def _groups(hand: OreHand) -> list[OreSet]:
    """The equal dice that are in no other set, without spoiled ones; a single die is a group, too.

    A spoiled die leaves its own set: what remains of a crowd's other sets stays as it was.
    """
    found = [
        OreSet(width, height, nth)
        for height, count in counts(hand).items()
        for nth, width in enumerate(parts(count, hand.widest))
    ]
    if not hand.spoiled:
        return found
    return [replace(one, width=one.width - hand.spoiled.count(one.die)) for one in found]


def parts(count: int, widest: int) -> list[int]:
    """Return the widths of the sets that equal dice make, each at most so wide (O8).

    >>> parts(4, 3), parts(5, 3), parts(7, 3), parts(7, 0)
    ([2, 2], [3, 2], [3, 2, 2], [7])
    """
    if not widest or count <= widest:
        return [count]
    number = -(-count // widest)
    return [count // number + (place < count % number) for place in range(number)]


def order(one: OreSet) -> tuple[int, int]:
    """Return the sort key of a set in the order of action: by width, then by height."""
    return one.width, one.height


def loose(hand: OreHand) -> tuple[int, ...]:
    """Return the dice that are in no set, lowest first.

    >>> loose(OreHand(OrePool(4), (2, 6, 6, 9)))
    (2, 9)
    """
    return tuple(one.height for one in _groups(hand) if one.width == 1)


def counts(hand: OreHand) -> dict[int, int]:
    """Return how many dice show each height, 1 to 10, spoiled dice too."""
    shown, width = heights(hand), wide(hand)

    def rolled(height: int) -> int:
        if hand.quick is None:
            return hand.faces.count(height)
        if width and shown[0] == height:
            return width
        return int(height in shown and height in hand.placed)  # a loose die that a wiggle die joins

    return {
        height: rolled(height) + hand.pool.fixed(height) + hand.placed.count(height) for height in HEIGHTS
    }


def wide(hand: OreHand) -> int:
    """Return the width of the set from a quick roll's width die, 0 for no set (O2)."""
    dice = hand.quick
    return ore_pool.width(hand.pool.rolled, dice.width, dice.second) if dice else 0


def heights(hand: OreHand) -> tuple[int, ...]:
    """Return the heights of a quick roll, its set's first, with any change of its ten applied (O3)."""
    shown = hand.quick.heights if hand.quick else ()
    return (hand.to, *shown[1:]) if hand.to else shown


def full(pool: OrePool, throw: Throw) -> OreHand:
    """Throw every normal die of a pool (O1).

    >>> full(OrePool(3), lambda sizes: [7, 2, 7]).faces
    (2, 7, 7)
    """
    return OreHand(pool, tuple(sorted(tens(throw, pool.rolled))))


def fast(pool: OrePool, throw: Throw) -> OreHand:
    """Throw a width die and a height die, and one more height die per wiggle die (O2, O3).

    With fewer than two normal dice there is no width die, and height dice only for wiggle dice to join.
    """
    widths = int(pool.rolled >= FEWEST)
    faces = tens(throw, widths + max(widths, _joinable(pool)))
    width = faces[0] if widths else 0
    (second,) = tens(throw, 1) if ore_pool.is_again(pool.rolled, width) else (0,)
    return OreHand(pool, quick=QuickDice(width, second, tuple(faces[widths:])))


def _joinable(pool: OrePool) -> int:
    """How many height dice wiggle dice can join: the usual one too, even without a width (O3)."""
    return pool.wiggle + 1 if pool.wiggle and pool.rolled else 0


def crowd(pools: Sequence[OrePool], throw: Throw) -> tuple[OreHand, ...]:
    """Throw many pools: all width dice, then all second ones, then height dice for those with a set (O5).

    Pools with wiggle dice get height dice for them to join as well (O3). Pools with too many normal dice
    for the quick roll are rolled in full, before the others.
    """
    large = {place: full(pool, throw) for place, pool in enumerate(pools) if pool.dice > MOST}
    hands = iter(_quick_crowd([pool for pool in pools if pool.dice <= MOST], throw))
    return tuple(large.get(place) or next(hands) for place in range(len(pools)))


def _quick_crowd(pools: Sequence[OrePool], throw: Throw) -> Iterator[OreHand]:
    able = [pool for pool in pools if pool.rolled >= FEWEST]
    widths = iter(tens(throw, len(able)))
    first = [next(widths) if pool.rolled >= FEWEST else 0 for pool in pools]
    again = [ore_pool.is_again(pool.rolled, face) for pool, face in zip(pools, first, strict=True)]
    seconds = iter(tens(throw, sum(again)))
    dice = [QuickDice(face, next(seconds) if more else 0) for face, more in zip(first, again, strict=True)]
    hands = [OreHand(pool, quick=each) for pool, each in zip(pools, dice, strict=True)]
    counts = [max(int(bool(wide(hand))), _joinable(hand.pool)) for hand in hands]
    heights = iter(tens(throw, sum(counts)))
    shown = [tuple(islice(heights, count)) for count in counts]
    rolled = zip(hands, dice, shown, strict=True)
    return (replace(hand, quick=replace(each, heights=row)) for hand, each, row in rolled)


def tens(throw: Throw, count: int) -> Sequence[int]:
    """Throw that many d10; nothing is thrown for 0."""
    return throw([SIDES] * count) if count else ()


class OneRollRating(Value):
    """A named rating of a character, as dice: `3d`, `2d 1w` (O1)."""

    label: Label
    dice: str
    set: str = ""
    """The group that it belongs to, such as Stats; nothing for none."""


class DamageKind(StrEnum):
    """What damage fills boxes with (O7)."""

    SHOCK = "shock"
    KILLING = "killing"
    BOTH = "both"


class Boxes(Value):
    """A place where somebody can be hit: its boxes, and what fills them (O7).

    `heights` are its own; without any, the table's list of places says which heights hit it.
    """

    label: Label
    size: Count
    heights: tuple[int, ...] = ()
    armour: Count = 0
    shock: Count = 0
    killing: Count = 0

    @property
    def is_out(self) -> bool:
        """Whether every box is full."""
        return self.shock + self.killing >= self.size

    @property
    def is_gone(self) -> bool:
        """Whether every box is full of killing damage."""
        return self.killing >= self.size


class OreCharacter(Value):
    """The One-Roll part of a character."""

    ratings: Mapping[str, OneRollRating] = field(default_factory=dict)
    """By key."""
    boxes: Mapping[str, Boxes] = field(default_factory=dict)
    """By key."""
    members: Count = 0
    """How many members a crowd has left; 0 if it isn't a crowd (O8)."""


PLACES = (
    *("left leg", "right leg", "left arm", "left arm", "right arm", "right arm"),
    *("body", "body", "body", "head"),
)
"""Where a hit of each height goes at first, from 1 to 10 (O7)."""


class Company(Value):
    """A group with a rating for each thing that companies have, and how much of each is used (O8)."""

    name: Name
    ratings: tuple[int, ...]
    used: tuple[int, ...]


COMPANY_RATINGS = ("might", "treasure", "influence", "territory", "sovereignty")
"""What the ratings of companies are called at first (O8)."""


class OreTable(Value):
    """The One-Roll part of a table."""

    rolls: Mapping[int, OreRoll] = field(default_factory=dict)
    """By number."""
    places: Annotated[
        tuple[str, ...],
        About(
            "places",
            later("the place that each height hits"),
            SettingSubject.ROLLING,
            values=("1 left leg, 2 right leg, 3-4 left arm, 5-6 right arm, 7-9 body, 10 head",),
        ),
    ] = PLACES
    crowd_width: Annotated[
        int,
        About(
            "crowd width",
            later("the widest set of a crowd; wider ones are split"),
            SettingSubject.ROLLING,
            values=("no limit", "3"),
            write=lambda width: str(width or "no limit"),
        ),
    ] = 0
    company_ratings: Annotated[
        tuple[str, ...],
        About(
            "company ratings",
            later("the names of the five ratings of companies"),
            SettingSubject.ROLLING,
            values=(", ".join(COMPANY_RATINGS),),
            write=write_names,
        ),
    ] = COMPANY_RATINGS
    companies: Mapping[str, Company] = field(default_factory=dict)
    """By key."""


ORE = Part("ore", OreTable, OreCharacter, OreRoll)
"""The game's part of a table, of a character, and its rolls."""


def ratings_of(character: Character) -> Mapping[str, OneRollRating]:
    """Return a character's ratings, by key; a crowd has one of its name, with a die for each member."""
    own = ORE.has(character)
    if not own.members:
        return own.ratings
    return {key(character.name): OneRollRating(character.name, f"{own.members}d")}


class Acting(Value):
    """A set in the order of action: its place, which equal sets share, its roll and its pool in that."""

    place: int
    roll: OreRoll
    hand: int
    made: OreSet


def acting(rolls: Iterable[OreRoll]) -> list[Acting]:
    """Return the sets of rolls, in the order in which they act."""
    found = [
        (made, roll, number)
        for roll in rolls
        for number, hand in enumerate(roll.hands)
        for made in counting(roll, hand)
    ]
    found.sort(key=lambda each: order(each[0]), reverse=True)
    kinds = [order(made) for made, *_ in found]
    return [Acting(kinds.index(order(made)) + 1, roll, hand, made) for made, roll, hand in found]


def idle(rolls: Iterable[OreRoll]) -> list[str]:
    """Return the names of those whose roll has no set that counts, and no wiggle die to place."""
    return [
        roll.who for roll in rolls if not any(hand.waiting or counting(roll, hand) for hand in roll.hands)
    ]


def latest(table: Table, *, of_companies: bool = False) -> list[OreRoll]:
    """Return everybody's latest roll; for the GM and for crowds, the latest one per note.

    Companies act in an order of their own (O8). A creature that is gone, such as a crowd with nobody left,
    acts no more.
    """
    newest: dict[tuple[str, str], OreRoll] = {}
    for _, roll in sorted(ORE.of(table).rolls.items()):
        is_company = get_named(ORE.of(table).companies, roll.who) is not None
        character = get_named(table.characters, roll.who)
        # Players don't see creatures outside the scene, so one that isn't there counts as gone, too.
        is_here = not roll.gm or roll.who == GM or (character is not None and not character.away)
        if is_company != of_companies or not (is_here or is_company):
            continue
        is_many = not is_company and (roll.gm or roll.kind is OreKind.CROWD)
        newest[roll.who, roll.note if is_many else ""] = roll
    return list(newest.values())


def set_owner(roll: OreRoll, number: int) -> str:
    """Return whose pool it is, with its number if it is an action or a pool of a crowd.

    >>> set_owner(OreRoll(1, 0, "GM", (), OreKind.CROWD, note="Guards"), 2)
    'GM (Guards), pool 3'
    """
    of = f" ({roll.note})" if roll.note else ""
    part = PARTS[roll.kind]
    return f"{roll.who}{of}, {part} {number + 1}" if part else f"{roll.who}{of}"


@ORE_FACTS.kind(was="OreClosed")
class OreClosed(Event, tag="ore closed"):
    """A new round began, and the One-Roll rolls of these people were closed."""

    who: tuple[Name, ...]


@ORE_FACTS.kind(was="OreRolled")
class OreRolled(Told, tag="ore"):
    """One-Roll dice were rolled (O1, O2, O4, O5)."""

    roll: OreRoll


@ORE_FACTS.kind(was="OreChanged")
class OreChanged(Told, tag="ore changed"):
    """A roller placed wiggle dice, or moved a set of tens to another height."""

    roll: OreRoll
    placed: tuple[int, ...] = ()
    tens: int = 0


@ORE_FACTS.kind(was="OreGobbled")
class OreGobbled(Told, tag="ore gobbled"):
    """Dice of a set spoiled dice of another set; `after` is what is left of that, None if no set.

    `roll` is the roll that gobbled, `prey` the roll with the spoiled set, in its pool `hand`.
    """

    roll: OreRoll
    own: OreSet
    prey: OreRoll
    hand: int
    spoiled: OreSet
    count: int
    after: OreSet | None = None


@ORE_FACTS.kind()
class RatingChanged(Event, tag="rating changed"):
    """A rating of a sheet came, changed or went (O1)."""

    who: Name
    label: Label
    before: OneRollRating | None
    after: OneRollRating | None


@ORE_FACTS.kind()
class OreHit(Told, tag="ore hit"):
    """A set hit somebody (O7): `amount` is its width and the weapon's bonus; armour `stopped` part of it."""

    roll: OreRoll
    own: OreSet
    who: Name
    kind: DamageKind
    amount: Count
    stopped: Count
    before: Boxes
    after: Boxes


@ORE_FACTS.kind()
class OreThinned(Told, tag="ore thinned"):
    """A set hit a crowd, which has fewer members (O8)."""

    roll: OreRoll
    own: OreSet
    who: Name
    before: Count
    after: Count


@ORE_FACTS.kind()
class OreHurt(Event, tag="ore hurt"):
    """Boxes were filled by hand (O7)."""

    who: Name
    kind: DamageKind
    amount: Count
    before: Boxes
    after: Boxes


@ORE_FACTS.kind()
class OreHealed(Event, tag="ore healed"):
    """Boxes were emptied (O7)."""

    who: Name
    before: Boxes
    after: Boxes


@ORE_FACTS.kind()
class CompanyChanged(Event, tag="company changed"):
    """A company came, changed for good or went; `labels` are what its ratings are called (O8)."""

    before: Company | None
    after: Company | None
    labels: tuple[Label, ...]


@ORE_FACTS.kind()
class CompanyUsed(Event, tag="company used"):
    """A company used ratings, which are lower until the session ends (O8)."""

    before: Company
    after: Company
    labels: tuple[Label, ...]


@ORE_FACTS.kind()
class CompaniesRested(Event, tag="companies rested"):
    """These companies have all of their ratings again (O8)."""

    names: tuple[Name, ...]
