"""Ratings of more than one die, and of safe dice, read and written as a pair (N21, N14)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rules.cortex.state.kinds import MOST_RATING, Trait
from rules.cortex.state.ruleset import Ruleset
from rules.dice import SAFE_WORD as SAFE
from rules.dice import Ladder, down, shorten, size_of, up
from rules.dice import rated as rated_once
from rules.errors import NotAllowed
from rules.values import replace

_DICE = re.compile(r"([0-9]{0,3})([dD][0-9]{1,3}|[0-9]{1,3})")
_RATED = re.compile(
    r"(?P<label>.*?\S)\s+(?P<dice>(?:safe\s+)?[0-9]{0,3}d[0-9]{1,3}(?:\s+[0-9]{0,3}d[0-9]{1,3})*)",
    re.IGNORECASE | re.DOTALL,
)
_ONE = re.compile(r"(?P<label>.*?\S)(?:\s+[0-9]{0,3}d[0-9]{1,3})+", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Rating:
    """The dice of a trait, the largest first, and whether they are safe."""

    die: int
    more: tuple[int, ...] = ()
    safe: bool = False


def sizes_of(one: Trait) -> tuple[int, ...]:
    """All dice of a trait, the largest first, also where a step was undone by itself (N21)."""
    return tuple(sorted((one.die, *one.more), reverse=True)) if one.more else (one.die,)


def dice_of(one: Trait) -> str:
    """The dice of a trait in words: `d8`, `3d6`, `d10 2d6`."""
    return written(sizes_of(one)) if one.more else f"d{one.die}"


def write(one: Trait, *, safe: bool = True) -> str:
    """The rating of a trait as it is typed: `d8`, `3d6`, `safe d8`."""
    return f"{SAFE} {dice_of(one)}" if one.safe and safe else dice_of(one)


def written(sizes: Iterable[int]) -> str:
    """Sizes as a rating has them, the largest first."""
    held = list(sizes)
    counts = [(held.count(size), size) for size in sorted({*held}, reverse=True)]
    return " ".join(f"{count if count > 1 else ''}d{size}" for count, size in counts)


def read(text: str, rules: Ruleset) -> Rating:
    """The rating that is typed: `d8`, `8`, `3d6`, `d8 d6`, `safe d8` (N21, N14).

    Raises Unreadable for what is no die of the game, NotAllowed for too many, and for safe dice where the
    table has none.
    """
    words = text.split()
    is_safe = len(words) > 1 and words[0].casefold() == SAFE
    if is_safe:
        require_safe(rules)
    return replace(of_dice(" ".join(words[is_safe:]), rules.sizes), safe=is_safe)


def of_dice(text: str, sizes: Ladder) -> Rating:
    """The rating that dice alone mean: `d8`, `3d6`, `d8 d6` (N21). Raises Unreadable or NotAllowed."""
    words = text.split()
    found: list[int] = []
    for word in words:
        match = _DICE.fullmatch(word)
        if match is None or (match[2].isdigit() and (match[1] or len(words) > 1)):
            return Rating(size_of(text, sizes))
        count = int(match[1] or 1)
        if not 1 <= count + len(found) <= MOST_RATING or not count:
            raise NotAllowed(
                "{text}: a trait has 1 to {most} dice. Example: 3d6", text=shorten(text), most=MOST_RATING
            )
        found += [size_of(match[2], sizes)] * count
    if not found:
        return Rating(size_of(text, sizes))
    found.sort(reverse=True)
    return Rating(found[0], tuple(found[1:]))


def require_safe(rules: Ruleset) -> None:
    """Refuse safe dice where the table has none (N14)."""
    if not rules.safe_dice:
        raise NotAllowed(
            "This campaign plays without safe dice. The setting is safe dice. "
            "Example: /campaign set setting:safe dice value:on"
        )


def rated(text: str, die: str | None, rules: Ruleset) -> tuple[str, Rating | None]:
    """A name and the rating typed at its end or beside it; None where none is typed (D1, N21, N14).

    Raises as `rated` of one die does.
    """
    beside = read(die, rules) if die and die.strip() else None
    match = _RATED.fullmatch(text.strip())
    if match is None or _is_one(match["dice"]) or (_is_said_safe(match["dice"]) and not rules.safe_dice):
        label, size = rated_once(text, None, rules.sizes)
        typed = Rating(size) if size else None
    else:
        label, typed = match["label"], read(match["dice"], rules)
    if typed and beside and typed != beside:
        raise NotAllowed(
            "{text} says {typed}, and die says {beside}. Leave one of them out.",
            text=shorten(text),
            typed=_said(typed),
            beside=_said(beside),
        )
    return label, typed or beside


def _is_one(dice: str) -> bool:
    """Whether a rating is one plain die."""
    return dice[:1] in "dD" and len(dice.split()) == 1


def _is_said_safe(dice: str) -> bool:
    return dice[:4].casefold() == SAFE


def _said(rating: Rating) -> str:
    dice = written((rating.die, *rating.more))
    return f"{SAFE} {dice}" if rating.safe else dice


def named_die(one: Trait, typed: str) -> int:
    """The size of the die of a trait that is named behind it: `Crew d6`; 0 where none is (N21)."""
    match = _ONE.fullmatch(typed.strip()) if one.more else None
    rest = typed.strip()[len(match["label"]) :].split() if match else []
    size = int(rest[0][1:]) if len(rest) == 1 and rest[0][0] in "dD" else 0
    return size if size in sizes_of(one) else 0


def stepped(one: Trait, steps: int, sizes: Ladder, named: int = 0) -> Trait | None:
    """A trait whose largest die, or the one that is named, steps; None where its last die has gone (N21).

    Steps down are less than nothing; each is taken by itself.
    """
    if not one.more:
        size = up(one.die, steps, sizes) if steps > 0 else down(one.die, -steps, sizes)
        return replace(one, die=size) if size else None
    dice = list(sizes_of(one))
    for _ in range(abs(steps)):
        place = dice.index(named or max(dice))
        size = up(dice[place], 1, sizes) if steps > 0 else down(dice[place], 1, sizes)
        dice[place : place + 1] = [size] if size else []
        named = size if named else 0
        if not dice:
            return None
    return with_dice(one, dice)


def with_dice(one: Trait, dice: Iterable[int]) -> Trait:
    """A trait with these dice, one at least (N21)."""
    held = sorted(dice, reverse=True)
    return replace(one, die=held[0], more=tuple(held[1:]))


def without(one: Trait, size: int) -> Trait:
    """A trait that has lost one of its dice for good, the one nearest to that size (N21)."""
    held = _but_one(sizes_of(one), size)
    usual = _but_one((one.signature, *one.usual), size) if one.signature and one.usual else ()
    left = with_dice(one, held)
    return replace(left, signature=usual[0], usual=usual[1:]) if usual else left


def _but_one(dice: tuple[int, ...], size: int) -> tuple[int, ...]:
    left = list(dice)
    left.remove(min(left, key=lambda each: abs(each - size)))
    return tuple(left)
