"""Pools of One-Roll Engine games: `5d 2w 1h e7 c3` (O1, O3)."""

import re
from dataclasses import dataclass

from rules.dice import shorten
from rules.errors import NotAllowed, Unreadable
from rules.words import Counted, Phrase, Row, Words

SIDES = 10
"""Every die is a d10, so heights go from 1 to this."""
LEAST, MOST = 2, 10
"""A pool has so many normal dice; with special dice beside them any number up to the most."""
MOST_OF_A_KIND = 10
"""And at most so many special dice of a kind, however few the normal ones (O3)."""
WIDEST = MOST + 2 * MOST_OF_A_KIND + 1
"""No set is wider than all dice of the largest pool."""
LONGEST = 200
"""Text longer than this is no pool."""
WIGGLE, EXPERT = "wiggle", "expert"
"""What these dice are called where nobody says otherwise."""

_GAP = re.compile(r"^[\s,;+&]*(?:and\b)?[\s,;+&]*")
# The number stands behind a die that has a value, and before all others.
_VALUED = re.compile(
    r"(expert|awesome|called|call|ed|e|c)\s*(?:die|shot)?\s*[:=]?\s*(-?[0-9]{1,9})(?![0-9a-z])"
)
_COUNTED = re.compile(
    r"([0-9]{1,9}(?![0-9]))?\s*(awesome\s*x\s*2|wiggle|trump|master|hard|d10|[wtmh]d|[dwtmh])?"
    r"(?![0-9a-z])(?:\s*(?:dice|die)\b)?"
)
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
    are what the game at the table calls those dice.
    """

    dice: int = 0
    hard: int = 0
    wiggle: int = 0
    expert: int = 0
    called: int = 0
    wiggle_name: str = WIGGLE
    expert_name: str = EXPERT

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


def read(
    text: str, hard: int = 0, wiggle: int = 0, expert: int | None = None, called: int | None = None
) -> OrePool:
    """The pool that is meant, the options added to what the text says.

    Raises Unreadable for what is no die of these games, NotAllowed for a pool out of range.
    """
    counts = {"d": 0, "h": hard, "w": wiggle}
    values = {"e": [expert] if expert is not None else [], "c": [called] if called is not None else []}
    names = {"w": WIGGLE, "e": EXPERT}
    for count, word in _tokens(text):
        if word[0] == "c":
            values["c"].append(count)
        elif word[0] == "e" or word == "awesome":
            values["e"].append(count)
            names["e"] = "awesome" if word == "awesome" else EXPERT
        elif word[0] in _WIGGLES:
            counts["w"] += count
            names["w"] = _WIGGLES[word[0]]
        else:
            counts[word[0]] += count
    fixed = {key: _value(given, names["e"] if key == "e" else "called") for key, given in values.items()}
    pool = OrePool(counts["d"], counts["h"], counts["w"], fixed["e"], fixed["c"], names["w"], names["e"])
    check(pool)
    return pool


def check(pool: OrePool) -> None:
    """Refuse a pool that is too small or too large, or has no die for its called shot (O1, O3)."""
    hard, wiggle = (pool.hard, Words("hard")), (pool.wiggle, special(pool.wiggle_name))
    for count, name in (hard, wiggle):
        if not count >= 0:
            raise NotAllowed(
                "A pool cannot have {count} {name} dice. Example: 5d 2w 1h", count=count, name=name
            )
    if pool.called and not pool.dice:
        raise NotAllowed("A called shot takes one of the normal dice, and there is none. Example: 5d c3")
    total = pool.dice + pool.special
    if pool.dice > MOST:
        raise NotAllowed(
            "That is {dice} normal dice. A pool has {least} to {most}, and special dice beside them. "
            "Example: 10d 2w",
            dice=pool.dice,
            least=LEAST,
            most=MOST,
        )
    for count, name in (hard, wiggle):
        if count > MOST_OF_A_KIND:
            raise NotAllowed(
                "That is {count} {name} dice. A pool has {most_of_a_kind} of a kind at most. Example: 5d 4w",
                count=count,
                name=name,
                most_of_a_kind=MOST_OF_A_KIND,
            )
    if total < LEAST:
        raise NotAllowed(
            "That is {what}. A pool has {least} to {most} normal dice, or fewer beside special dice, "
            "with {least} at least in all. Example: 5d 2w",
            what=Counted(total, "{count} die", "{count} dice"),
            least=LEAST,
            most=MOST,
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
    return " ".join(text for count, text in parts if count)


def _tokens(text: str) -> list[tuple[int, str]]:
    """What was typed, each die with its number: how many, or which value."""
    plain = text.strip().lower().replace("×", "x")
    if len(plain) > LONGEST:
        raise Unreadable(
            "That has {count} characters; a pool has {longest} at most. Example: 5d 2w",
            count=len(plain),
            longest=LONGEST,
        )
    found: list[tuple[int, str]] = []
    rest = _GAP.sub("", plain, count=1)
    while rest:
        valued, counted = _VALUED.match(rest), _COUNTED.match(rest)
        if valued:
            found.append((int(valued[2]), valued[1]))
        # All of that is optional, so it fits nothing too.
        elif counted and (counted[1] or counted[2]):
            found.append((int(counted[1] or 1), counted[2] or "d"))
        else:
            raise Unreadable(
                "{rest} is no die of a One-Roll game. There are normal dice (5d), wiggle dice (2w), hard "
                "dice (1h), an expert die (e7) and a called one (c3), and names once the sheet has a line "
                "such as Ratings: Body 3d. Example: 5d 2w",
                rest=shorten(rest),
            )
        end = valued.end() if valued else counted.end() if counted else 0
        rest = _GAP.sub("", rest[end:], count=1)
    if not found:
        raise Unreadable("There are no dice in that. Example: 5d 2w")
    return found


def _value(given: list[int], name: str) -> int:
    """The value of the expert or called die, 0 for none."""
    wrong = [value for value in given if not 1 <= value <= SIDES]
    example = "5d c3" if name == "called" else "5d e7"
    called = Words("called") if name == "called" else special(name)
    if wrong:
        raise NotAllowed(
            "The {name} die has a value from 1 to {sides}, not {wrong}. Example: {example}",
            name=called,
            sides=SIDES,
            wrong=wrong[0],
            example=example,
        )
    if len(set(given)) > 1:
        raise NotAllowed(
            "There is one {name} die at most, not {given}. Example: {example}",
            name=called,
            given=Row(given),
            example=example,
        )
    return given[0] if given else 0
