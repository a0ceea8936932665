"""Ratings of several dice, read, written and stepped (N21)."""

import pytest

from rules.cortex import pool, rating
from rules.cortex.kinds import Trait
from rules.cortex.pool import Rating
from rules.cortex.ruleset import PRIME
from rules.dice import SIZES
from rules.errors import RuleError, SettingOff
from rules.values import replace

SAFE = replace(PRIME, safe_dice=True)


@pytest.mark.parametrize(
    ("typed", "meant", "written"),
    [
        ("d8", Rating(8), "d8"),
        ("8", Rating(8), "d8"),
        ("3d6", Rating(6, (6, 6)), "3d6"),
        ("d6 d8", Rating(8, (6,)), "d8 d6"),
        ("2d6 d10", Rating(10, (6, 6)), "d10 2d6"),
        ("10d4", Rating(4, (4,) * 9), "10d4"),
    ],
)
def test_N21_a_rating_has_up_to_ten_dice(typed: str, meant: Rating, written: str) -> None:
    assert rating.read(typed, PRIME) == meant
    assert pool.write(Trait("Crew", meant.die, more=meant.more)) == written
    assert rating.read(written, PRIME) == meant


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("11d6", '"11d6" doesn\'t work: a trait can have 1 to 10 dice'),
        ("6d6 5d8", '"6d6 5d8" doesn\'t work: a trait can have 1 to 10 dice'),
        ("0d6", '"0d6" doesn\'t work: a trait can have 1 to 10 dice'),
        ("d7", '"d7" isn\'t a die here. Use d4, d6, d8, d10 or d12'),
        ("2d7", '"2d7" isn\'t a die here. Use d4, d6, d8, d10 or d12'),
        ("d8 x", '"d8 x" isn\'t a die here. Use d4, d6, d8, d10 or d12'),
        ("d8 5", '"5" isn\'t a die here. Use d4, d6, d8, d10 or d12'),
        ("x", '"x" isn\'t a die here. Use d4, d6, d8, d10 or d12'),
        ("", "That label is empty. Type some letters"),
        ("safe d8", "Safe dice are off in this campaign"),
    ],
)
def test_N21_what_is_no_rating_is_refused(typed: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        rating.read(typed, PRIME)


@pytest.mark.parametrize(
    ("dice", "steps", "named", "left"),
    [
        ((6,), 1, 0, (8,)),
        ((4,), -1, 0, ()),
        ((6, 6, 6), 1, 0, (8, 6, 6)),
        ((6, 6, 6), 2, 0, (10, 6, 6)),
        ((6, 6, 6), -1, 0, (6, 6, 4)),
        ((6, 6, 6), -4, 0, (4, 4)),
        ((8, 6), -1, 0, (6, 6)),
        ((8, 6), 1, 6, (8, 8)),
        ((8, 4), -1, 4, (8,)),
        ((8, 4), -2, 4, (6,)),
        ((12, 6), 1, 0, (12, 6)),
        ((4, 4), -2, 0, ()),
    ],
)
def test_N21_the_largest_die_steps_or_the_one_that_is_named(
    dice: tuple[int, ...], steps: int, named: int, left: tuple[int, ...]
) -> None:
    found = pool.stepped(Trait("Crew", dice[0], more=dice[1:]), steps, SIZES, named)
    assert (() if found is None else pool.sizes_of(found)) == left


@pytest.mark.parametrize(
    ("typed", "die"),
    [("Crew", 0), ("Crew d6", 6), ("Crew d8", 8), ("Crew d8 d6", 0), ("Crew 2d6", 0), ("Crew d10", 0)],
)
def test_N21_a_die_is_named_behind_its_trait(typed: str, die: int) -> None:
    assert rating.named_die(Trait("Crew", 8, more=(6,)), typed) == die
    assert not rating.named_die(Trait("Crew", 8), typed)


@pytest.mark.parametrize(
    ("typed", "die", "label", "meant"),
    [
        ("Crew 3d6", None, "Crew", Rating(6, (6, 6))),
        ("Crew", "d8 d6", "Crew", Rating(8, (6,))),
        ("Crew d8", "d8", "Crew", Rating(8)),
        ("Shield safe d8", None, "Shield", Rating(8, (), True)),
        ("Shield", "safe d8", "Shield", Rating(8, (), True)),
        ("Shield", None, "Shield", None),
    ],
)
def test_N21_a_name_is_typed_with_its_rating(
    typed: str, die: str | None, label: str, meant: Rating | None
) -> None:
    assert rating.rated(typed, die, SAFE) == (label, meant)


def test_N14_a_word_is_a_label_while_no_die_is_safe() -> None:
    assert rating.rated("Shield safe d8", None, PRIME) == ("Shield safe", Rating(8))
    with pytest.raises(SettingOff, match="Safe dice are off in this campaign") as refused:
        rating.rated("Shield", "safe d8", PRIME)
    assert refused.value.setting == "safe dice"
    with pytest.raises(
        RuleError,
        match=(
            r'"Crew 3d6" says 3d6, but the option die says d6\. Leave one '
            r"of them out"
        ),
    ):
        rating.rated("Crew 3d6", "d6", PRIME)


@pytest.mark.parametrize(
    ("dice", "size", "left"), [((6, 6, 6), 6, (6, 6)), ((10, 6), 8, (6,)), ((10, 6), 4, (10,))]
)
def test_N21_a_die_goes_for_good(dice: tuple[int, ...], size: int, left: tuple[int, ...]) -> None:
    asset = Trait("Crew", dice[0], dice[0], more=dice[1:], usual=dice[1:])
    gone = pool.without_die_near(asset, size)
    assert pool.sizes_of(gone) == left == (gone.signature, *gone.usual)
