"""Dice: sizes and steps, how pools are written, and statistics of the faces thrown (D1, D2, D5)."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

from rules.errors import NotAllowed, Unreadable
from rules.names import GM, former, key
from rules.text import OR, Phrase, Row, Words, shorten
from rules.values import Value, replace

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
    """Return the size of one die as typed, such as `d8`, `D8` or `8`; `sizes` are the table's (N13).

    Raises Unreadable if the table has no such die.

    >>> size_of("d8"), size_of("1D10"), size_of("6")
    (8, 10, 6)
    """
    match = _DIE.fullmatch(text.strip())
    size = int(match[1]) if match else 0
    if size not in sizes:
        raise no_die(text, size, sizes)
    return size


def no_die(text: str, size: int, sizes: Ladder) -> Unreadable:
    """Return the refusal of a die that the table doesn't use.

    It names the setting if the table could add that size (N13).

    >>> print(no_die("d7", 7, SIZES))
    "d7" isn't a die here. Use d4, d6, d8, d10 or d12.
    """
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
    """Return a list of die sizes in words.

    >>> str(dice_named((4, 6, 8)))
    'd4, d6 or d8'
    """
    return Row([f"d{size}" for size in sizes], OR)


def with_those(sizes: Ladder, there: Iterable[int]) -> Ladder:
    """Return the table's sizes and those of dice in play, which may be off its list (N13), smallest first."""
    return tuple(sorted({*sizes, *there}))


def example_size(sizes: Ladder) -> int:
    """Return a size to use in examples: d8 if the table has it, else d6, which every table has (N13)."""
    return 8 if 8 in sizes else 6


def step_of(size: int, sizes: Ladder = SIZES) -> int:
    """Return how many steps a size is above the smallest.

    A size that isn't on the table's list counts as the next smaller one (N13).

    >>> step_of(4), step_of(8), step_of(9)
    (0, 2, 2)
    """
    return bisect_right(sizes, size) - 1


def up(size: int, steps: int = 1, sizes: Ladder = SIZES) -> int:
    """Return the size that many steps up, at most the largest of the table's sizes.

    A size off the list steps up to the next one on it; one above the largest stays as it is (N13).

    >>> up(8), up(10, 3), up(3), up(20)
    (10, 12, 4, 20)
    """
    place = min(bisect_right(sizes, size) - 1 + steps, len(sizes) - 1)
    return max(size, sizes[place]) if place >= 0 else size


def down(size: int, steps: int = 1, sizes: Ladder = SIZES) -> int:
    """Return the size that many steps down, or 0 if the die steps down below the smallest and leaves (D5).

    >>> down(8), down(12, 2), down(4), down(9)
    (6, 8, 0, 8)
    """
    place = bisect_left(sizes, size) - steps
    return sizes[place] if place >= 0 else 0


def write_dice(sizes: Iterable[int]) -> str:
    """Return a pool in words: smallest dice first, equal ones grouped, `empty` for none.

    >>> write_dice([8, 6, 6])
    '2d6 d8'
    """
    return write_in_order(tuple(sorted(sizes))) or "empty"


@lru_cache(maxsize=2048)
def write_in_order(sizes: tuple[int, ...]) -> str:
    """Return dice in words in the order of these sizes, equal ones grouped; empty for none.

    >>> write_in_order((10, 6, 6))
    'd10 2d6'
    """
    return " ".join(_times(count, size) for size, count in count_by_size(sizes))


def count_by_size(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Return each size once, in the order in which they come first, with how many dice there are of it."""
    return [(size, sizes.count(size)) for size in dict.fromkeys(sizes)]


def held_words(sizes: Sequence[int]) -> Phrase:
    """Return the dice that somebody has, in words, for use in a refusal."""
    return Row((write_dice(sizes),)) if sizes else Words("empty")


def check_count(count: int) -> None:
    """Check the size of a pool. Raises NotAllowed if it has more than MOST_DICE dice."""
    if count > MOST_DICE:
        raise NotAllowed(
            "That's {count} dice; a pool can have at most {most_dice}.",
            count=count,
            most_dice=MOST_DICE,
        )


def _times(count: int, size: int) -> str:
    return f"{count}d{size}" if count > 1 else f"d{size}"


def typable(label: str) -> str:
    """Return a label with its double quotation marks turned into apostrophes, so that it can be quoted.

    >>> typable('The "Duke"')
    "The 'Duke'"
    """
    return label.translate(_MARKS)


def quoted_label(label: str) -> str:
    """Return a label in quotation marks, ready to be typed again."""
    return f'"{typable(label)}"'


LEAST = 20
"""Fewer dice say nothing about luck."""


class Faces(Value):
    """How often each face was thrown, keyed by die size and then by face.

    >>> faces = Faces({6: {1: 1, 6: 3}, 8: {4: 2}})
    >>> faces.count(6), faces.mean(6), faces.dice
    (4, 4.75, 6)
    """

    of: Mapping[int, Mapping[int, int]]

    def count(self, size: int) -> int:
        """Return how many dice of a size were thrown."""
        return sum(self.of[size].values())

    def mean(self, size: int) -> float:
        """Return the average face of the dice of a size."""
        return sum(face * count for face, count in self.of[size].items()) / self.count(size)

    @property
    def dice(self) -> int:
        """The number of dice thrown."""
        return sum(map(self.count, self.of))

    @property
    def beyond(self) -> float:
        """How much higher than expected a die came up, averaged over all dice; negative if lower."""
        more = sum(self.count(size) * (self.mean(size) - (size + 1) / 2) for size in self.of)
        return more / self.dice

    @property
    def chance(self) -> float:
        """The probability that fair dice miss the expected total by at least as much, in either direction.

        Uses the normal approximation, which is close enough from `LEAST` dice on.
        """
        # That part is the variance of a fair die of that size.
        spread = sqrt(sum(self.count(size) * (size**2 - 1) / 12 for size in self.of))
        return 2 * (1 - NormalDist().cdf(abs(self.beyond) * self.dice / spread))

    @property
    def uneven(self) -> float:
        """The chi-square statistic of the faces, summed over all sizes: how unevenly they are spread."""
        return sum(
            (self.of[size].get(face, 0) - expected) ** 2 / expected
            for size in self.of
            for expected in [self.count(size) / size]
            for face in range(1, size + 1)
        )

    @property
    def uneven_expected(self) -> int:
        """The chi-square that fair dice have on average: the degrees of freedom."""
        return sum(size - 1 for size in self.of)

    @property
    def uneven_chance(self) -> float:
        """The probability that fair dice have at least this chi-square (Wilson-Hilferty approximation)."""
        expected = self.uneven_expected
        variance = 2 / (9 * expected)
        return 1 - NormalDist(1 - variance, sqrt(variance)).cdf((self.uneven / expected) ** (1 / 3))


Shown = tuple[tuple[int, int], ...]
"""Dice, each by its size and the face that it showed."""


class Thrown(Value):
    """Dice that somebody threw; with `gm`, they count for the GM as well as for the named GMC.

    Dice with a `mark` replace earlier dice with the same mark. If they are not new (`is_new`), they
    count only when there is something to replace.
    """

    who: str
    dice: Shown
    gm: bool = False
    mark: str = ""
    is_new: bool = True

    def is_by(self, who: str | None) -> bool:
        """Return whether that person threw them; always true for None."""
        return who is None or key(who) == key(self.who) or (self.gm and key(who) == key(GM))


@dataclass(slots=True)
class Throws:
    """Collects the dice thrown, step by step."""

    marked: dict[str, Thrown] = field(default_factory=dict)
    others: list[Thrown] = field(default_factory=list)

    def hear(self, dice: Thrown, of: str) -> None:
        """Add dice thrown in the game named `of`."""
        mark = f"{of} {dice.mark}"
        if not dice.mark:
            self.others.append(dice)
        elif dice.is_new or mark in self.marked:
            self.marked[mark] = dice

    def rename(self, was: str, name: str) -> None:
        """Credit earlier throws to a new name; `was` is the key of the old one.

        If somebody else threw under the new name before, their throws move to the `former` name.
        """
        known = {key(each.who) for each in self.thrown()}
        if key(name) != was and key(name) in known:
            self.rename(key(name), former(name))
        self.marked = {mark: _named(each, was, name) for mark, each in self.marked.items()}
        self.others = [_named(each, was, name) for each in self.others]

    def thrown(self) -> Iterator[Thrown]:
        """Yield all dice in their final state."""
        yield from self.others
        yield from self.marked.values()


def _named(dice: Thrown, was: str, name: str) -> Thrown:
    return replace(dice, who=name) if key(dice.who) == was else dice


def count_faces(throws: Throws, who: str | None = None) -> Faces:
    """Return the faces thrown by one person, or by everybody if `who` is None.

    Opposing dice count as the GM's, as do those of doom, crises, challenges and GMCs. Each reroll of a
    die counts. Chosen dice of One-Roll games don't count, since nobody threw them (O3).

    >>> throws = Throws(others=[Thrown("Mira", ((6, 2), (6, 5), (8, 5)))])
    >>> count_faces(throws).of
    {6: {2: 1, 5: 1}, 8: {5: 1}}
    """
    found: dict[int, Counter[int]] = {}
    for each in throws.thrown():
        for size, face in each.dice if each.is_by(who) else ():
            found.setdefault(size, Counter())[face] += 1
    return Faces({size: dict(sorted(found[size].items())) for size in sorted(found)})
