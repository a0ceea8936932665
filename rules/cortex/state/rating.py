"""Ratings of more than one die, and of safe dice, read and written as a pair (N21, N14)."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.cortex.state.kinds import Trait
from rules.cortex.state.ruleset import Ruleset
from rules.dice import SAFE_WORD as SAFE
from rules.dice import Ladder, down, up
from rules.errors import SettingOff
from rules.values import replace


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


def require_safe(rules: Ruleset) -> None:
    """Refuse safe dice where the table has none (N14)."""
    if not rules.safe_dice:
        raise SettingOff("Safe dice are off in this campaign.", setting="safe dice")


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
