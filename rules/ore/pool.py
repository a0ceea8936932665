"""Pools of One-Roll dice, `5d 2w 1h e7 c3`, and the width die of the quick roll (O1 to O3)."""

from collections import Counter

from rules.errors import NotAllowed
from rules.names import Note
from rules.text import Phrase, Row, Words, counted
from rules.values import Value, replace

SIDES = 10
"""Every die is a d10, so heights go from 1 to this."""


LEAST, MOST = 2, 10
"""A pool without special dice has this many normal dice; with special dice, any number up to the most."""


MOST_OF_A_KIND = 10
"""A pool has at most this many special dice of a kind, however few the normal ones (O3)."""


MOST_IN_CROWD = 15
"""A pool of a crowd has at most this many dice of a kind, normal ones too."""


WIDEST = MOST + 2 * MOST_OF_A_KIND + 1
"""No set is wider than all dice of the largest pool."""


WIGGLE, EXPERT = "wiggle", "expert"
"""What these dice are called where nobody says otherwise."""


_WIGGLES = {"w": WIGGLE, "t": "trump", "m": "master", "a": "awesome ×2"}


SPECIAL = {
    WIGGLE: Words("wiggle"),
    "trump": Words("trump"),
    "master": Words("master"),
    "awesome ×2": Words("awesome ×2"),
    EXPERT: Words("expert"),
    "awesome": Words("awesome"),
}
"""What games call their wiggle and expert dice."""


class OrePool(Value):
    """A pool: normal dice, hard dice (always 10), wiggle dice, and the values of expert and called dice.

    The called die is one of the normal `dice`; the others are additional. `wiggle_name` and `expert_name`
    are what the table's game calls those dice. `typed` is the sum as typed, if it says more than the
    dice: names, penalties, or dice `over` the limit, which aren't rolled.
    """

    dice: int = 0
    hard: int = 0
    wiggle: int = 0
    expert: int = 0
    called: int = 0
    wiggle_name: str = WIGGLE
    expert_name: str = EXPERT
    over: int = 0
    typed: Note = ""

    @property
    def rolled(self) -> int:
        """The number of normal dice that are rolled; a called die is not."""
        return self.dice - bool(self.called)

    @property
    def special(self) -> int:
        """The number of dice besides the normal ones."""
        return self.hard + self.wiggle + bool(self.expert)

    def fixed(self, height: int) -> int:
        """Return how many dice show a height before anything is rolled.

        >>> OrePool(5, hard=2, expert=7).fixed(10), OrePool(5, expert=7).fixed(7)
        (2, 1)
        """
        hard = self.hard if height == SIDES else 0
        return hard + (self.expert == height) + (self.called == height)


NO_DICE = OrePool()


def check(pool: OrePool, most: int = MOST_OF_A_KIND) -> None:
    """Check a pool (O1, O3). Raises NotAllowed if it is too small or large, or has no die to call."""
    hard, wiggle = (pool.hard, Words("hard")), (pool.wiggle, special(pool.wiggle_name))
    for count, name in (hard, wiggle):
        if not count >= 0:
            raise NotAllowed("A pool can't have {count} {name} dice.", count=count, name=name)
    if pool.called and not pool.dice:
        raise NotAllowed("A called shot needs a normal die, and this pool has none. Example: 5d c3")
    for count, name in (hard, wiggle):
        if count > most:
            raise NotAllowed(
                "That's {count} {name} dice; a pool can have at most {most} of a kind.",
                count=count,
                name=name,
                most=most,
            )
    total = pool.dice + pool.special
    if total < LEAST:
        raise NotAllowed(
            "That's {what}. A pool needs at least {least} dice and can have at most {most} normal dice.",
            what=counted(total, "{count} die", "{count} dice"),
            least=LEAST,
            most=MOST,
        )


def added(one: OrePool, other: OrePool) -> OrePool:
    """Return two pools added together. Raises NotAllowed for a second expert die or called shot.

    >>> write(added(OrePool(3), OrePool(2, wiggle=1)))
    '5d 1w'
    """
    for name, example in (("expert", "5d e7"), ("called", "5d c3")):
        given = [value for pool in (one, other) if (value := getattr(pool, name))]
        if len(given) > 1:
            called = special(one.expert_name) if name == "expert" else Words("called")
            raise NotAllowed(
                "A pool can have only one {name} die, not {given}. Example: {example}",
                name=called,
                given=Row(given),
                example=example,
            )
    wiggles = {pool.wiggle_name for pool in (one, other) if pool.wiggle}
    return OrePool(
        one.dice + other.dice,
        one.hard + other.hard,
        one.wiggle + other.wiggle,
        one.expert or other.expert,
        one.called or other.called,
        wiggles.pop() if len(wiggles) == 1 else WIGGLE,
        one.expert_name if one.expert else other.expert_name,
    )


def reduced(pool: OrePool, penalty: int, most: int = MOST) -> OrePool:
    """Return the pool less the dice of a penalty, and with at most `most` normal dice (O6).

    A penalty takes normal dice first, starting with those over the limit, then the expert die, hard dice
    and wiggle dice.

    >>> write(reduced(OrePool(3, hard=1), 2)), write(reduced(OrePool(1, hard=1), 2))
    ('1d 1h', '0d')
    """
    dice = max(0, pool.dice - penalty)
    left = penalty - (pool.dice - dice)
    expert = 0 if left > 0 else pool.expert
    left -= bool(pool.expert) - bool(expert)
    hard = min(left, pool.hard) if left > 0 else 0
    wiggle = min(left - hard, pool.wiggle) if left > hard else 0
    return replace(
        pool,
        dice=min(dice, most),
        expert=expert,
        hard=pool.hard - hard,
        wiggle=pool.wiggle - wiggle,
        over=max(0, dice - most),
    )


def special(name: str) -> Phrase:
    """Return what a game calls its wiggle dice or expert die, as a phrase."""
    return SPECIAL.get(name) or Row((name,))


def write(pool: OrePool) -> str:
    """Return the pool as it can be typed again.

    >>> write(OrePool(5, hard=1, wiggle=2, expert=7))
    '5d 2w 1h e7'
    """
    wiggle = next(letter for letter, name in _WIGGLES.items() if name == pool.wiggle_name)
    wiggles = f"{pool.wiggle} awesome x2" if wiggle == "a" else f"{pool.wiggle}{wiggle}"
    expert = f"{'awesome ' if pool.expert_name == 'awesome' else 'e'}{pool.expert}"
    parts = (
        (pool.dice, f"{pool.dice}d"),
        (pool.wiggle, wiggles),
        (pool.hard, f"{pool.hard}h"),
        (pool.expert, expert),
        (pool.called, f"c{pool.called}"),
    )
    return " ".join(text for count, text in parts if count) or "0d"


TWO_FROM = {2: 10, 3: 8, 4: 6, 5: 4, 6: 2, 7: 2, 8: 2, 9: 1, 10: 1}
"""For each number of dice, the face of the width die from which the set is two wide."""


THREE_FROM = {5: 10, 6: 8, 7: 8, 8: 7, 9: 6, 10: 5}
"""And from which it is three wide."""


AGAIN = {3: (2, 10), 4: (2, 8), 6: (3, 10), 7: (3, 9), 8: (3, 7), 9: (4, 10), 10: (4, 9)}
"""Where a 10 is rolled again: how wide the set is, and the face of the second die that adds one."""


FEWEST = min(TWO_FROM)
"""Fewer normal dice than this make no set."""


class QuickDice(Value):
    """The dice of a quick roll: the width die, its second roll (0 for none) and the height dice.

    The first height is the usual one; wiggle dice add the others (O3).
    """

    width: int = 0
    second: int = 0
    heights: tuple[int, ...] = ()

    @property
    def thrown(self) -> tuple[int, ...]:
        """The faces of all dice that were thrown."""
        return tuple(face for face in (self.width, self.second, *self.heights) if face)


def is_again(dice: int, face: int) -> bool:
    """Return whether the width die is rolled a second time."""
    return face == SIDES and dice in AGAIN


def width(dice: int, face: int, second: int = 0) -> int:
    """Return the width of the set that the width die gives for a number of normal dice; 0 for no set.

    >>> width(7, 5)
    2
    >>> width(3, 10, 9), width(3, 10, 10)
    (2, 3)
    """
    if is_again(dice, face):
        wide, more_from = AGAIN[dice]
        return wide + (second >= more_from)
    if face >= THREE_FROM.get(dice, SIDES + 1):
        return 3
    return 2 if dice >= FEWEST and face >= TWO_FROM[dice] else 0


def chances(dice: int) -> dict[int, int]:
    """Return how many out of a hundred throws give each width, keyed by width.

    >>> chances(3)
    {0: 70, 2: 29, 3: 1}
    """
    if dice < FEWEST:
        return {0: SIDES * SIDES}
    faces = range(1, SIDES + 1)
    return dict(sorted(Counter(width(dice, face, second) for face in faces for second in faces).items()))
