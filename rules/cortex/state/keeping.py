"""Which rolled dice are kept for the total and for the effect, and what they come to (R1 to R5)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from operator import ge

from rules.cortex.state.ruleset import EffectBy, NoDieLeft
from rules.cortex.state.table import Hand
from rules.dice import SIZES
from rules.errors import NotAllowed, TooLate
from rules.values import replace
from rules.words import Counted, Phrase, Words


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to keep dice: the places of the total and of the effect dice, and what they come to.

    `effects` are sizes, largest first; the d4 of a hand with no die left is among them (R3).
    """

    total: int
    effects: tuple[int, ...]
    total_at: tuple[int, ...]
    effects_at: tuple[int, ...]

    @property
    def effect(self) -> int:
        """The size of the first effect die; 0 where the table plays without effects (N10)."""
        return self.effects[0] if self.effects else 0


def usable(hand: Hand) -> list[int]:
    """The places of the dice that can be kept (R1, R2)."""
    return [place for place, die in enumerate(hand.dice) if die.is_usable]


def is_botch(hand: Hand) -> bool:
    """Whether every die left shows a 1 (R5)."""
    if any(die.face > die.low and not (die.removed or die.is_handed or die.apart) for die in hand.dice):
        return False
    return any(not (die.removed or die.is_handed or die.apart) for die in hand.dice)


def choices(hand: Hand) -> tuple[Choice, ...]:
    """Every choice that no other betters, the highest total first (R4)."""
    # The lowest first, which is what an effect die costs least; of equal faces the last.
    places = sorted(usable(hand), key=lambda place: (hand.dice[place].face, -place))
    most = min(most_effects(hand), max(0, len(places) - fewest(hand)))
    there, more = sorted({hand.dice[place].size for place in places}), added(hand)
    if hand.by is EffectBy.ALL_DICE:
        return (_as_choice(hand, tuple(sorted(places)), (), more),)
    found: dict[tuple[int, tuple[int, ...]], Choice] = {}
    # The most first: where a rolled d4 is left, it is the effect, and not the d4 of no die at all (R3).
    # The d4 of no die is none's where one is left (R3), which matters where dice are smaller (N13).
    is_left = most > 0 and len(places) > hand.keep
    for count in reversed(range(is_left, most + 1)):
        for sizes in combinations_with_replacement(there, count):
            choice = _choice(hand, places, sizes, more)
            if choice is not None:
                found.setdefault((choice.total, choice.effects), choice)
    kept: list[Choice] = []
    # What betters a choice comes before it.
    for key in sorted(found, reverse=True):
        if not any(_has_effects(better.effects, key[1]) for better in kept):
            kept.append(found[key])
    return tuple(kept)


def fewest(hand: Hand) -> int:
    """So many results are kept at least, while so many are usable (R1)."""
    return len(usable(hand)) if hand.by is EffectBy.ALL_DICE else min(hand.least, hand.keep)


def most_effects(hand: Hand) -> int:
    """So many rolled dice can be effect dice; a hero die in their place is not among them (R3, Z2)."""
    return 0 if hand.by is not EffectBy.DIE else (0 if hand.hero else 1) + hand.effects_bought


def is_without_effects(hand: Hand) -> bool:
    """Whether no die of these is kept for an effect (N10)."""
    return hand.by is not EffectBy.DIE


def picked(hand: Hand, total_at: Iterable[int], effects_at: Iterable[int], more: int = 0) -> Choice:
    """Any usable dice as the total and the effect, listed by R4 or not (R1). Raises NotAllowed.

    `more` effect dice may be kept for steps that the total gives (L3).
    """
    totals, effects = sorted(set(total_at)), list(dict.fromkeys(effects_at))
    free = usable(hand)
    if set(totals) & set(effects):
        raise NotAllowed("A die can count toward the total or the effect, not both.")
    if not set(totals) | set(effects) <= set(free):
        raise TooLate("One of those dice can't be kept: it's {hitch.a}, or it's gone.")
    top = len(free) if hand.by is EffectBy.ALL_DICE else hand.keep
    least, most = min(fewest(hand), len(free)), min(top, len(free))
    _check_picked(Words("total"), len(totals), least, most)
    most = min(most_effects(hand) + more, len(free) - len(totals))
    _check_picked(Words("effect"), len(effects), min(1, most), most)
    effects.sort(key=lambda place: -hand.dice[place].size)
    return _as_choice(hand, tuple(totals), tuple(effects), added(hand))


def _check_picked(what: Phrase, count: int, least: int, most: int) -> None:
    """Refuse too few or too many dice for the total or the effect (R1, R3)."""
    if not least <= count <= most:
        number = most if least == most else Words("{least} to {most}", least=least, most=most)
        raise NotAllowed(
            "Choose {dice} for the {what}, not {count}.",
            what=what,
            dice=Counted(most, "{number} die", "{number} dice", number=number),
            count=count,
        )


def keep(hand: Hand, choice: Choice) -> Hand:
    """The hand with that choice kept."""
    return replace(hand, total=choice.total_at, effects=choice.effects_at)


def kept(hand: Hand) -> Choice:
    """The choice that the hand stands at."""
    return _as_choice(hand, hand.total, hand.effects, added(hand))


def highest(hand: Hand) -> int:
    """The highest total that the hand can come to, with every other die left for the effect (R1)."""
    faces = sorted([die.face for die in hand.dice if die.is_usable])
    kept = faces if hand.by is EffectBy.ALL_DICE else faces[-hand.keep :]
    return max(0, sum(kept) + added(hand))


def total(hand: Hand) -> int:
    """The sum of the kept results, and of what is added beside them (Z2, N13, N22)."""
    faces = [hand.dice[place].face for place in hand.total]
    if hand.plus or hand.has_apart:
        return _with_added(hand, faces, added(hand))
    return sum(faces) + added(hand)


def added(hand: Hand) -> int:
    """What is added to the kept results: hero dice, resources apart, modifiers (Z2, N22, N13)."""
    heroes = sum([die.face for die in hand.dice if die.beside and die.is_counted])
    if hand.plus or hand.has_apart:
        return heroes + apart(hand) + sum([each.number for each in hand.plus])
    return heroes


def apart(hand: Hand) -> int:
    """What resources beside the pool add: of each the highest face (N22)."""
    return sum([hand.dice[place].face for place in _highest_apart(hand)])


def always(hand: Hand) -> tuple[int, ...]:
    """The places of dice that count beside the kept ones: heroes, the highest of each resource (Z2, N22)."""
    heroes = tuple(place for place, die in enumerate(hand.dice) if die.is_counted)
    return (*heroes, *_highest_apart(hand)) if hand.has_apart else heroes


def _highest_apart(hand: Hand) -> tuple[int, ...]:
    best: dict[str, int] = {}
    for place, die in enumerate(hand.dice):
        if die.apart and not die.removed:
            other = best.get(die.label)
            if other is None or die.face > hand.dice[other].face:
                best[die.label] = place
    return tuple(best.values())


def _with_added(hand: Hand, faces: Sequence[int], more: int) -> int:
    """Results with what is added to them: never under 0, and a botch stays 0 (R5, N13)."""
    if not faces and more and is_botch(hand):
        return 0
    return max(0, sum(faces) + more)


def _choice(hand: Hand, places: list[int], sizes: tuple[int, ...], more: int) -> Choice | None:
    """The best total beside effect dice of these sizes, which rise; None if there are no such dice.

    The `places` are those of the lowest faces first, `more` is what hero dice add to any total.
    """
    left = places.copy()
    effects_at: list[int] = []
    for size in reversed(sizes):
        of_size = [place for place in left if hand.dice[place].size == size]
        if not of_size:
            return None
        left.remove(of_size[0])
        effects_at.append(of_size[0])
    best = left[-hand.keep :] if hand.keep else []  # `[-0:]` is all of them
    return _as_choice(hand, tuple(sorted(best)), tuple(effects_at), more)


def _as_choice(hand: Hand, total_at: tuple[int, ...], effects_at: tuple[int, ...], more: int) -> Choice:
    dice = hand.dice
    taken = (hand.hero,) if hand.hero else ()
    sizes = (*taken, *[dice[place].size for place in effects_at])
    if not sizes:
        is_usual = hand.by is EffectBy.DIE and hand.no_die is NoDieLeft.D4
        sizes = (SIZES[0],) if is_usual else _no_die(hand)
    faces = [dice[place].face for place in total_at]
    is_bent = hand.plus or hand.has_apart
    whole = _with_added(hand, faces, more) if is_bent else sum(faces) + more
    return Choice(whole, sizes, total_at, effects_at)


def _no_die(hand: Hand) -> tuple[int, ...]:
    """The effect where no die is left for one: a d4, or none (R3); what rolling again gave (N10)."""
    if hand.again:
        rolled = zip(hand.dice, hand.again, strict=False)
        best = max(((face, die.size) for die, face in rolled if face > die.low), default=(0, SIZES[0]))
        return best[1:]
    return (SIZES[0],) if hand.by is EffectBy.DIE and hand.no_die is NoDieLeft.D4 else ()


def _has_effects(ours: tuple[int, ...], theirs: tuple[int, ...]) -> bool:
    """Whether effect dice are as many as others at least, and each as large."""
    return len(ours) >= len(theirs) and all(map(ge, ours, theirs))
