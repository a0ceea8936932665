"""Pools of One-Roll Engine games: `5d 2w 1h e7 c3` (O1, O3)."""

from dataclasses import dataclass

from rules.errors import NotAllowed
from rules.texts import Note
from rules.values import replace
from rules.words import Counted, Phrase, Row, Words

SIDES = 10
"""Every die is a d10, so heights go from 1 to this."""
LEAST, MOST = 2, 10
"""A pool has so many normal dice; with special dice beside them any number up to the most."""
MOST_OF_A_KIND = 10
"""And at most so many special dice of a kind, however few the normal ones (O3)."""
MOST_IN_CROWD = 15
"""A pool of a crowd has at most so many dice of a kind, also normal ones."""
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


@dataclass(frozen=True, slots=True)
class OrePool:
    """Dice of a pool: normal ones, hard ones at 10, wiggle dice, an expert die and a called one by value.

    The called die is one of the normal `dice`, the others are beside them. `wiggle_name` and `expert_name`
    are what the game at the table calls those dice. `typed` is the sum that was typed where it says more
    than the dice: names, penalties, or dice `over` the most that are rolled.
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
        """How many normal dice are rolled: a called one is fixed before."""
        return self.dice - bool(self.called)

    @property
    def special(self) -> int:
        """How many dice are beside the normal ones."""
        return self.hard + self.wiggle + bool(self.expert)

    def fixed(self, height: int) -> int:
        """How many dice show that height before anything is rolled."""
        hard = self.hard if height == SIDES else 0
        return hard + (self.expert == height) + (self.called == height)


NO_DICE = OrePool()


def check(pool: OrePool, most: int = MOST_OF_A_KIND) -> None:
    """Refuse a pool that is too small or too large, or has no die for its called shot (O1, O3)."""
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
            what=Counted(total, "{count} die", "{count} dice"),
            least=LEAST,
            most=MOST,
        )


def added(one: OrePool, other: OrePool) -> OrePool:
    """Return the dice of both together. Raises NotAllowed for a second expert die or called shot."""
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
    """Return the pool less the dice of a penalty, and with at most so many normal dice (O6).

    Normal dice go first, then the expert die, hard dice, wiggle dice; of the normal ones those over the most.
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
    """What a game calls its wiggle dice, or its expert die."""
    return SPECIAL.get(name) or Row((name,))


def write(pool: OrePool) -> str:
    """The pool as it can be typed again.

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
