"""Who is GM: taking over from one who is gone."""

from functools import partial

import pytest

from rules.campaign.seats import Actor, take_over
from rules.errors import NotAllowed, TooLate
from rules.table import Table

GRETA, BOB, CAROL = Actor(1, "Greta"), Actor(2, "Bob"), Actor(3, "Carol")
MANAGER = Actor(9, "Zoe", manages=True)
ONE = Table(gms={1: "Greta"}, number=7)
TWO = Table(gms={1: "Greta", 2: "Bob"}, number=7)


@pytest.mark.parametrize(
    ("table", "who", "gone", "has_left", "gms"),
    [
        (ONE, MANAGER, (1,), True, {9: "Zoe"}),
        (ONE, MANAGER, (1,), False, {9: "Zoe"}),
        (TWO, BOB, (1,), True, {2: "Bob"}),
        (TWO, BOB, (1, 2), False, {2: "Bob"}),
        (TWO, MANAGER, (1, 2), True, {9: "Zoe"}),
        (TWO, MANAGER, (1, 2), False, {9: "Zoe"}),
    ],
)
def test_who_takes_over_is_gm_and_who_was_gone_no_longer(
    table: Table, who: Actor, gone: tuple[int, ...], has_left: bool, gms: dict[int, str]
) -> None:
    assert take_over(table, who, gone, has_left=has_left, seen=7).table.gms == gms


def test_delegates_who_are_there_stay_gms_and_whoever_takes_over_is_the_first() -> None:
    three = Table(gms={1: "Greta", 2: "Bob", 3: "Carol"}, number=7)
    after = take_over(three, CAROL, (1,), has_left=True, seen=7).table
    assert list(after.gms) == [3, 2]


@pytest.mark.parametrize(
    ("table", "who", "gone", "has_left", "may"),
    [
        (ONE, BOB, (1,), True, "Only members with Manage Server can"),
        (TWO, MANAGER, (1,), True, "Only Bob can"),
        (TWO, CAROL, (1, 2), False, "Only Bob or members with Manage Server can"),
    ],
)
def test_nobody_else_takes_over(
    table: Table, who: Actor, gone: tuple[int, ...], has_left: bool, may: str
) -> None:
    with pytest.raises(NotAllowed, match=may):
        take_over(table, who, gone, has_left=has_left, seen=7)


def test_what_has_happened_since_it_was_seen_who_is_gone_comes_first() -> None:
    take = partial(take_over, gone=(1,), has_left=True, seen=6)
    with pytest.raises(TooLate, match=r"The table changed in the meantime\. Press again"):
        take(ONE, MANAGER)
