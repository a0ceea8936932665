"""Which dice of a roll are meant: as they are named, or by a question where several could be (D4, D8)."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from rules.cortex.notation.pool import read
from rules.cortex.state.pool import Die
from rules.cortex.state.ruleset import ANY_SIZE
from rules.cortex.state.table import Hand, Roll, RolledDie
from rules.dice import shorten
from rules.errors import NotAllowed, PossibleAnswer, Undecided, Unknown
from rules.kinds import key
from rules.words import Phrase, Row

MOST_ASKED = 20
"""A question about dice has so many answers at most; of more dice, those that come first."""
_SHOWN = re.compile(r"(?P<label>[^,+:]*?)\s*\bd(?P<size>[0-9]{1,2}):\s*(?P<face>[0-9]{1,2})", re.IGNORECASE)
"""A die by what it shows, as the bot writes it: `Mind d8: 5`."""


@dataclass(frozen=True, slots=True)
class NamedDie:
    """A die of a roll as somebody names it: its size, and the label and the face if they are said."""

    size: int
    label: str = ""
    face: int = 0

    def fits(self, die: RolledDie) -> bool:
        """Whether that die can be meant."""
        return (
            die.size == self.size
            and (not self.label or key(die.label) == key(self.label))
            and self.face in (0, die.face)
        )


def is_fixed(die: RolledDie) -> bool:
    """Whether a die can no longer be rolled again, or was never rolled (D8, H3)."""
    return die.removed or die.used or die.is_handed


def free_dice(hand: Hand) -> list[int]:
    """The places of the dice that can be changed, in order. Raises NotAllowed where there is none (D8)."""
    free = [place for place, die in enumerate(hand.dice) if not is_fixed(die)]
    if not free:
        raise NotAllowed(
            "You can't change any of those dice: their {hitch.many} have been activated, or the dice "
            "are gone."
        )
    return free


def ones_of(hand: Hand) -> list[int]:
    """The places of all 1s that can be taken out. Raises NotAllowed where there is none (D4)."""
    ones = [place for place, die in enumerate(hand.dice) if die.is_one and not is_fixed(die)]
    if not ones:
        raise NotAllowed("That roll has no 1 to take out.")
    return ones


def highest_of(hand: Hand) -> list[int]:
    """The places of the dice that show the most (D4). Raises NotAllowed where none can be changed."""
    free = free_dice(hand)
    most = max(hand.dice[place].face for place in free)
    return [place for place in free if hand.dice[place].face == most]


def alike(die: RolledDie) -> tuple[int, int, str]:
    """What two dice have in common between which nobody has to choose."""
    return die.size, die.face, key(die.label)


def distinct(hand: Hand, places: Iterable[int]) -> list[int]:
    """Of dice that are alike the first alone."""
    first: dict[tuple[int, int, str], int] = {}
    for place in places:
        first.setdefault(alike(hand.dice[place]), place)
    return list(first.values())


def names_of(hand: Hand, typed: str) -> list[NamedDie]:
    """The dice that are named: `d8`, `Mind`, `2d6`, or by what they show, `d8: 5`. Raises Unreadable."""
    shown = [
        NamedDie(int(m["size"]), m["label"].strip(" \"'"), int(m["face"])) for m in _SHOWN.finditer(typed)
    ]
    left = " ".join(_SHOWN.sub(" ", typed).replace(",", " ").replace("+", " ").split()) if shown else typed
    if not left:
        return shown
    known = {die.label: Die(die.size, die.label) for die in hand.dice if die.label}
    return [
        *shown,
        *(
            NamedDie(die.size, die.label)
            for die in read(left, known, ANY_SIZE, is_written=True, is_pick=True).pool
        ),
    ]


def named_dice(roll: Roll, typed: str, agreed: Collection[str]) -> list[int]:
    """The places of dice as they are named. Raises Unreadable, Unknown, and Undecided between several."""
    hand, chosen = roll.hand, list[int]()
    wanted = names_of(hand, typed)
    free = free_dice(hand)
    for named in dict.fromkeys(sorted(wanted, key=lambda one: (not one.face, not one.label))):
        count = wanted.count(named)
        fits = [place for place in free if place not in chosen and named.fits(hand.dice[place])]
        if len(fits) < count:
            what = shorten(f"{named.label or f'd{named.size}'}{f': {named.face}' if named.face else ''}")
            if fits:
                raise Unknown(
                    "That roll has {count} {wanted} to change, not {asked}. It has {has}.",
                    count=len(fits),
                    wanted=what,
                    asked=count,
                    has=dice_shown(hand, free),
                )
            raise Unknown(
                "That roll has no {wanted} to change. It has {has}.",
                wanted=what,
                has=dice_shown(hand, free),
            )
        chosen += ask(roll, _combined(hand, fits, count), agreed)
    return chosen


def _combined(hand: Hand, places: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """Each way to take so many of these dice that differs from the ways before it."""
    seen = set[tuple[tuple[int, int, str], ...]]()
    for way in islice(combinations(places, count), 10_000):
        taken = tuple(sorted(alike(hand.dice[place]) for place in way))
        if taken not in seen:
            seen.add(taken)
            yield way


def ask(
    roll: Roll,
    ways: Iterable[tuple[int, ...]],
    agreed: Collection[str],
    sfx: str = "",
    labels: Sequence[Phrase] = (),
) -> tuple[int, ...]:
    """The one way there is to take dice of a roll, or the one that was agreed to; raises Undecided.

    `sfx` is the name of the SFX that takes them, if one does, and `labels` say each way in its words.
    """
    offered = list(islice(ways, MOST_ASKED))
    signs = {f"dice {key(sfx)} {roll.number}.{roll.rerolls}.{len(roll.sfx)} {way}": way for way in offered}
    meant = next((way for sign, way in signs.items() if sign in agreed), None)
    if meant is None and len(offered) > 1:
        words = labels or [dice_shown(roll.hand, way) for way in offered]
        answers = [PossibleAnswer(said, sign) for said, sign in zip(words, signs, strict=False)]
        if sfx and any(len(set(way)) > 1 for way in offered):
            raise Undecided("{sfx}: which dice?", *answers, sfx=sfx)
        if sfx:
            raise Undecided("{sfx}: which die?", *answers, sfx=sfx)
        raise Undecided("Which die?", *answers)
    return meant or offered[0]


def dice_shown(hand: Hand, places: Iterable[int]) -> Row:
    """Dice of a roll with what they show, as they can be typed: `Mind d8: 5`."""
    return Row([shown(hand.dice[place]) for place in places])


def shown(die: RolledDie) -> str:
    """A die with what it shows, as it can be typed: `Mind d8: 5`."""
    return f"{die.label} d{die.size}: {die.face}".strip()
