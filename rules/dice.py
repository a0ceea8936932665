"""Dice: their sizes and steps, how they are written, and the faces that people threw (D1, D2, D5)."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist

from rules.errors import NotAllowed, Unreadable
from rules.names import GM, former, key
from rules.text import OR, Phrase, Row, Words, shorten
from rules.values import replace

SIZES = (4, 6, 8, 10, 12)
"""The usual sizes of dice, each one step above the one before."""


Ladder = tuple[int, ...]
"""The sizes of a table's dice, each a step above the one before (N13)."""


ALL_SIZES = (2, 3, 4, 6, 8, 10, 12, 14, 16, 20)
"""The sizes of dice that a table can choose from (N13)."""


MOST_DICE = 30
"""A pool holds no more dice than this."""


VERBS = ("up", "down", "double", "split", "hinder")
"""Words that do something to the die behind them, in the order written (D4, D6)."""


SAFE_WORD = "safe"
"""The word before a safe die, where the table has such dice; else it is a label (N14)."""


SCALE_WORD = "scale"
"""The word for the die of D7; neither it nor a verb is a label, unless in quotation marks."""


_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


COUNTS = {"a": 1, "an": 1} | {word: number for number, word in enumerate(_NUMBERS, 1)}
"""Words that count the dice right behind them."""


OPERATORS = frozenset(
    {*VERBS, SCALE_WORD, SAFE_WORD, "and", "plus", "vs", "v", "versus", "k", "keep", "x", "d"}
)
"""Words that mean something where dice are typed, whatever is known there."""


_OTHERS = """
    kh less push challenge from against difficulty diff dc tn target beat beats or minus then without
    half drop kl dl dh explode explodes exploded exploding twice thrice adv dis advantage disadvantage
"""


NOTATION = OPERATORS | {*COUNTS, *_OTHERS.split()}
"""The same, and words that mean something beside dice. A label that is one goes in quotation marks."""


FROM_DOOM = "from doom"
"""The words for a die that is taken out of the doom pool (D4)."""


_DIE = re.compile("(?:1?[dD])?([0-9]{1,3})")


_MARKS = str.maketrans('"“”', "'''")


Throw = Callable[[Sequence[int]], Sequence[int]]
"""Throws dice of the given sizes and tells the faces, in the same order."""


def size_of(text: str, sizes: Ladder = SIZES) -> int:
    """The size of one die as typed: `d8`, `D8` or `8`; `sizes` are those of the table (N13).

    Raises Unreadable when it is no die of the game.
    """
    match = _DIE.fullmatch(text.strip())
    size = int(match[1]) if match else 0
    if size not in sizes:
        raise no_die(text, size, sizes)
    return size


def no_die(text: str, size: int, sizes: Ladder) -> Unreadable:
    """The refusal of a die that the table has not; of a size that it can choose, with the setting (N13)."""
    if size in ALL_SIZES:
        return Unreadable(
            "{text} isn't a die here. Use {sizes}; the {gm.one} can add that size: /campaign set "
            "setting:sizes value:{more}",
            text=shorten(text),
            sizes=dice_named(sizes),
            more=" ".join(f"d{each}" for each in with_those(sizes, (size,))),
        )
    return Unreadable(
        "{text} isn't a die here. Use {sizes}.",
        text=shorten(text),
        sizes=dice_named(sizes),
    )


def dice_named(sizes: Ladder) -> Phrase:
    """Return a list of die sizes in words: `d4, d6, d8, d10 or d12`."""
    return Row([f"d{size}" for size in sizes], OR)


def with_those(sizes: Ladder, there: Iterable[int]) -> Ladder:
    """The sizes of a table, and those of dice that lie there, which may be off its list (N13)."""
    return tuple(sorted({*sizes, *there}))


def example_size(sizes: Ladder) -> int:
    """A size for an example: d8, or else d6, which every table has (N13)."""
    return 8 if 8 in sizes else 6


def step_of(size: int, sizes: Ladder = SIZES) -> int:
    """How many steps a size is above the least one; what is off the list is as the next smaller one (N13)."""
    return bisect_right(sizes, size) - 1


def up(size: int, steps: int = 1, sizes: Ladder = SIZES) -> int:
    """The size that many steps above, the largest at most; from off the list a step goes to it (N13)."""
    place = min(bisect_right(sizes, size) - 1 + steps, len(sizes) - 1)
    return max(size, sizes[place]) if place >= 0 else size


def down(size: int, steps: int = 1, sizes: Ladder = SIZES) -> int:
    """The size that many steps below; 0 under the least, which leaves (D5)."""
    place = bisect_left(sizes, size) - steps
    return sizes[place] if place >= 0 else 0


def write_dice(sizes: Iterable[int]) -> str:
    """A pool in words: sizes rising, multiples grouped, `empty` for none.

    >>> write_dice([8, 6, 6])
    '2d6 d8'
    """
    held = list(sizes)
    return " ".join([_times(held.count(size), size) for size in sorted({*held})]) or "empty"


def held_words(sizes: Sequence[int]) -> Phrase:
    """What somebody has of dice, in a refusal."""
    return Row((write_dice(sizes),)) if sizes else Words("empty")


def check_count(count: int) -> None:
    """Refuse a pool of more than thirty dice."""
    if count > MOST_DICE:
        raise NotAllowed(
            "That's {count} dice; a pool can have at most {most_dice}.",
            count=count,
            most_dice=MOST_DICE,
        )


def _times(count: int, size: int) -> str:
    return f"{count}d{size}" if count > 1 else f"d{size}"


def typable(label: str) -> str:
    """A label without the quotation marks that part words: it is typed with plain apostrophes instead."""
    return label.translate(_MARKS)


def quoted_label(label: str) -> str:
    """A label in quotation marks, as it can be typed again."""
    return f'"{typable(label)}"'


LEAST = 20
"""Fewer dice say nothing about luck."""


@dataclass(frozen=True, slots=True)
class Faces:
    """How often each face was thrown, by the size of the dice."""

    of: Mapping[int, Mapping[int, int]]

    def count(self, size: int) -> int:
        """How many dice of that size were thrown."""
        return sum(self.of[size].values())

    def mean(self, size: int) -> float:
        """What dice of that size came to on average."""
        return sum(face * count for face, count in self.of[size].items()) / self.count(size)

    @property
    def dice(self) -> int:
        """How many dice were thrown."""
        return sum(map(self.count, self.of))

    @property
    def beyond(self) -> float:
        """By how much a die came to more than expected, on average over all dice."""
        more = sum(self.count(size) * (self.mean(size) - (size + 1) / 2) for size in self.of)
        return more / self.dice

    @property
    def chance(self) -> float:
        """How often fair dice are at least as far from what is expected, above or below.

        It is the normal distribution's, which sums of `LEAST` dice come near.
        """
        # That part is the variance of a fair die of that size.
        spread = sqrt(sum(self.count(size) * (size**2 - 1) / 12 for size in self.of))
        return 2 * (1 - NormalDist().cdf(abs(self.beyond) * self.dice / spread))

    @property
    def uneven(self) -> float:
        """How unevenly the dice are spread over the faces of their sizes: the sum of their chi-squares."""
        return sum(
            (self.of[size].get(face, 0) - expected) ** 2 / expected
            for size in self.of
            for expected in [self.count(size) / size]
            for face in range(1, size + 1)
        )

    @property
    def uneven_expected(self) -> int:
        """How unevenly fair dice are spread on average: by their degrees of freedom."""
        return sum(size - 1 for size in self.of)

    @property
    def uneven_chance(self) -> float:
        """How often fair dice are spread at least as unevenly, as Wilson and Hilferty come near it."""
        expected = self.uneven_expected
        variance = 2 / (9 * expected)
        return 1 - NormalDist(1 - variance, sqrt(variance)).cdf((self.uneven / expected) ** (1 / 3))


Shown = tuple[tuple[int, int], ...]
"""Dice, each by its size and the face that it showed."""


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice that somebody threw; the GM's as well as a GMC's where it is `gm`.

    Those that bear a `mark` take the place of dice with the same one that were thrown before; they are new,
    or nothing where there were none.
    """

    who: str
    dice: Shown
    gm: bool = False
    mark: str = ""
    is_new: bool = True

    def is_by(self, who: str | None) -> bool:
        """Whether that person threw them; everybody did for None."""
        return who is None or key(who) == key(self.who) or (self.gm and key(who) == key(GM))


@dataclass(slots=True)
class Throws:
    """The dice that were thrown, while they are counted step by step."""

    marked: dict[str, Thrown] = field(default_factory=dict)
    others: list[Thrown] = field(default_factory=list)

    def hear(self, dice: Thrown, of: str) -> None:
        """Dice of a game that were thrown."""
        mark = f"{of} {dice.mark}"
        if not dice.mark:
            self.others.append(dice)
        elif dice.is_new or mark in self.marked:
            self.marked[mark] = dice

    def rename(self, was: str, name: str) -> None:
        """Whoever was called so has another name, and has thrown what they threw under that."""
        known = {key(each.who) for each in self.thrown()}
        if key(name) != was and key(name) in known:
            self.rename(key(name), former(name))
        self.marked = {mark: _named(each, was, name) for mark, each in self.marked.items()}
        self.others = [_named(each, was, name) for each in self.others]

    def thrown(self) -> Iterator[Thrown]:
        """All dice as they were in the end."""
        yield from self.others
        yield from self.marked.values()


def _named(dice: Thrown, was: str, name: str) -> Thrown:
    return replace(dice, who=name) if key(dice.who) == was else dice


def count_faces(throws: Throws, who: str | None = None) -> Faces:
    """The faces that somebody threw, or everybody; whoever was renamed threw them under both names.

    Dice against a roll are the GM's, as are those of doom, of crises, challenges and GMCs. A die that was
    rolled again counts each time. Dice of One-Roll games that are chosen were not thrown (O3).
    """
    found: dict[int, Counter[int]] = {}
    for each in throws.thrown():
        for size, face in each.dice if each.is_by(who) else ():
            found.setdefault(size, Counter())[face] += 1
    return Faces({size: dict(sorted(found[size].items())) for size in sorted(found)})
