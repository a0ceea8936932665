"""Pools as they are typed at the table: what hinders, and the last ones again."""

import pytest

from rules.campaign.seats import Actor
from rules.cortex.facts import Cause, PointsChanged, Why
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.roll import LAST_POOLS, make
from rules.errors import NotAllowed, RuleError, Unknown
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, after, faces, having, never, newest, pp, table


def rolled(at: Table, who: Actor, dice: str, *shown: int) -> Table:
    return after(make(at, who, faces(*shown), dice))


@pytest.mark.parametrize(
    ("dice", "hinder", "sizes"),
    [
        ("hinder Knight, d6", None, [4, 6]),
        ("d6", "Knight", [6, 4]),
        ("Knight, d6", "knight", [4, 6]),
        ("d6", "kn", [6, 4]),
        ("Knight d8, d6", "Knight", [4, 6]),
        ("hinder Knight, d6", "Knight", [4, 6]),
    ],
)
def test_P1_hindering_a_distinction_makes_it_a_d4_and_gives_one_pp(
    dice: str, hinder: str | None, sizes: list[int]
) -> None:
    at = having(table(), "alice", TraitKind.DISTINCTION, Trait("Knight", 8))
    step = make(at, ALICE, faces(2, 2), dice, hinder=hinder)
    assert [die.size for die in newest(step.table).hand.dice] == sizes
    assert pp(step.table, "alice") == 2
    assert step.facts[1:] == (PointsChanged("Alice", 1, 2, Why(Cause.HINDRANCE, "Knight")),)


@pytest.mark.parametrize(
    ("dice", "hinder", "pps"),
    [
        ("hinder Fog, d6", None, 2),
        ("d6", "fog", 2),
        ("hinder Reckless d8, d6", None, 2),
        ("Reckless d8, d6", "reck", 2),
        ("hinder Reckless d8, hinder reckless d8", None, 2),
    ],
)
@pytest.mark.parametrize("gms", [{1: "Greta"}, {}], ids=["gm", "open"])
def test_P1_a_distinction_of_the_scene_or_a_labelled_die_hinders(
    dice: str, hinder: str | None, pps: int, gms: dict[int, str]
) -> None:
    at = replace(having(table(), "scene", TraitKind.DISTINCTION, Trait("Fog", 8)), gms=gms)
    assert pp(make(at, ALICE, faces(2, 2), dice, hinder=hinder).table, "alice") == pps


@pytest.mark.parametrize(
    ("dice", "hinder", "says"),
    [
        (
            "2d6",
            "nothing",
            'There\'s no distinction called "nothing" to hinder\\. Try Knight\\. Example: hinder',
        ),
        ("2d6", "Knigt", r"Did you mean Knight\? Example: hinder Knight"),
        ("hinder d8, d6", None, 'no distinction called "d8"'),
        ("hinder 2d8", None, 'no distinction called "d8"'),
        ("hinder Rope, d6", None, 'no distinction called "Rope"'),
        ("hinder Rope d6, d6", None, 'no distinction called "Rope"'),
        ("d6", "Rope", 'no distinction called "Rope"'),
    ],
)
@pytest.mark.parametrize("gms", [{1: "Greta"}, {}], ids=["gm", "open"])
def test_P1_nothing_but_a_distinction_hinders(
    dice: str, hinder: str | None, says: str, gms: dict[int, str]
) -> None:
    at = having(table(), "alice", TraitKind.DISTINCTION, Trait("Knight", 8))
    at = replace(having(at, "alice", TraitKind.ASSET, Trait("Rope", 6)), gms=gms)
    with pytest.raises(Unknown, match=says):
        make(at, ALICE, never, dice, hinder=hinder)


def test_P1_what_is_stepped_down_out_of_the_pool_hinders_nothing() -> None:
    at = having(table(), "alice", TraitKind.DISTINCTION, Trait("Knight", 8))
    with pytest.raises(NotAllowed, match="Knight can't hinder if the step removes it from the pool"):
        make(at, ALICE, never, "hinder down Knight, 2d6")


def test_P1_a_distinction_of_a_gmc_hinders_them_without_a_pp() -> None:
    at = having(table(), "rex", TraitKind.DISTINCTION, Trait("Old", 8))
    step = make(at, GRETA, faces(2, 3), "d6", hinder="old", who="Rex")
    assert ([die.size for die in newest(step.table).hand.dice], len(step.facts)) == ([6, 4], 1)


def test_P1_without_a_distinction_the_refusal_has_an_example() -> None:
    with pytest.raises(Unknown, match=r"There are none yet\. Example: hinder Reckless d8"):
        make(table(), ALICE, never, "2d6", hinder="nothing")


def test_P1_the_gm_gets_no_pp_for_hindering() -> None:
    step = make(table(), GRETA, faces(2, 3), "hinder Old d8, d6")
    assert len(step.facts) == 1


@pytest.mark.parametrize("typed", ["last", "LAST", " last  1 "])
def test_the_last_pool_is_rolled_again(typed: str) -> None:
    at = rolled(table(), ALICE, 'Mind d10, "Quick Wits" d8, 2d6', 2, 3, 4, 5)
    assert [die.label for die in newest(rolled(at, ALICE, typed, 2, 3, 4, 5)).hand.dice] == [
        "Mind",
        "Quick Wits",
        "",
        "",
    ]


def test_the_last_three_different_pools_are_kept_for_each_person() -> None:
    at = table()
    for size in (4, 6, 8, 10, 10):
        at = rolled(at, ALICE, f"d{size}", 2)
    at = rolled(at, BOB, "d12", 2)
    assert CORTEX.of(at).last_pools == {2: ("d10", "d8", "d6"), 3: ("d12",)}
    assert newest(rolled(at, ALICE, "last 3", 2)).hand.dice[0].size == 6
    assert LAST_POOLS == 3


@pytest.mark.parametrize("typed", ["last", "last 0", "last 4", "last 999"])
def test_a_last_pool_that_is_not_there_is_refused(typed: str) -> None:
    with pytest.raises(Unknown, match="You don't have a last pool"):
        make(table(), ALICE, never, typed)


@pytest.mark.parametrize(
    "typed", ["last ²", "last a2", "last " + "9" * 5990, "last last", "last 2 2", "last up"]
)
def test_what_only_looks_like_a_last_pool_is_read_as_dice(typed: str) -> None:
    with pytest.raises(RuleError):
        make(table(), ALICE, never, typed)
