"""One-Roll rolls at a table: kept, changed by their roller, closed; several actions and crowds."""

from collections.abc import Callable

import pytest

from rules.campaign import characters, lifecycle, scenes
from rules.campaign.seats import Actor
from rules.errors import NotAllowed, RuleError, TooLate, Unknown
from rules.facts import Ended, Stretch
from rules.game import Step
from rules.ore import model, roll
from rules.ore.model import ORE, OneRollRating, OreChanged, OreCharacter, OreKind, OreRoll, OreRolled, sets
from rules.ore.notation import read
from rules.ore.pool import OrePool, write
from rules.table import Character, Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, faces, never, table


def newest(at: Table) -> OreRoll:
    """The latest One-Roll roll."""
    here = ORE.of(at)
    return here.rolls[max(here.rolls)]


def full(at: Table, actor: Actor, pool: str, *shown: int, note: str = "", who: str | None = None) -> Table:
    return after(roll.full(at, actor, faces(*shown), read(pool), who, note))


def made(of: OreRoll) -> list[list[str]]:
    return [[str(one) for one in sets(hand)] for hand in of.hands]


def test_O1_a_roll_lies_on_the_table_under_the_name_of_who_rolled() -> None:
    step = roll.full(table(), ALICE, faces(6, 3, 6), read("3d"), note=" To the  roof ")
    kept = newest(step.table)
    assert step.facts == (OreRolled(kept),)
    assert (kept.number, kept.who, kept.player, kept.gm, kept.note) == (1, "Alice", 2, False, "To the roof")
    assert made(kept) == [["2×6"]]


def test_the_gm_rolls_as_the_gm_or_as_a_gmc() -> None:
    at = full(full(table(), GRETA, "2d", 1, 2), GRETA, "2d", 1, 2, who="Rex")
    assert [(each.who, each.gm) for each in ORE.of(at).rolls.values()] == [("GM", True), ("Rex", True)]


def test_a_roll_as_somebody_elses_character_is_refused() -> None:
    with pytest.raises(NotAllowed, match="Only"):
        roll.full(table(), BOB, never, read("2d"), "Alice")


def test_O1_wiggle_dice_are_placed_and_placed_again_until_they_are_used() -> None:
    at = full(table(), ALICE, "3d 1w", 6, 3, 6)
    step = roll.place(at, ALICE, 1, (6,))
    assert step.facts == (OreChanged(newest(step.table), placed=(6,)),)
    again = roll.place(step.table, ALICE, 1, (3,)).table
    assert made(newest(again)) == [["2×6", "2×3"]]


@pytest.mark.parametrize(("actor", "may"), [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)])
def test_only_the_roller_and_the_gm_place_wiggle_dice(actor: Actor, may: bool) -> None:
    at = full(table(), ALICE, "3d 1w", 6, 3, 6)
    if may:
        assert made(newest(roll.place(at, actor, 1, (6,)).table)) == [["3×6"]]
    else:
        with pytest.raises(NotAllowed, match="Only Alice can do that: it's"):
            roll.place(at, actor, 1, (6,))


def test_wiggle_dice_of_the_gm_are_the_gms_to_place() -> None:
    at = full(table(), GRETA, "3d 1w", 6, 3, 6)
    with pytest.raises(NotAllowed, match="Only the GM"):
        roll.place(at, ALICE, 1, (6,))


def test_O3_a_set_of_tens_changes_once_and_says_so() -> None:
    at = after(roll.quick(table(), ALICE, faces(4, 10), read("5d e7")))
    step = roll.change_tens(at, ALICE, 1, 7)
    assert step.facts == (OreChanged(newest(step.table), tens=7),)
    with pytest.raises(NotAllowed, match="That set already has that height, or can't change to it"):
        roll.change_tens(step.table, ALICE, 1, 7)


@pytest.mark.parametrize(
    "closing", [scenes.end_scene, scenes.start_scene, roll.clear], ids=["the end", "the next", "a new round"]
)
def test_a_roll_closes_when_the_scene_goes_on(closing: Callable[[Table, Actor], Step]) -> None:
    at = full(replace(table(), is_scene=True, scene="The docks"), ALICE, "3d 1w", 6, 3, 6)
    closed = closing(at, GRETA)
    assert ORE.of(closed.table).rolls == {}
    with pytest.raises(TooLate, match="the scene or round has ended"):
        roll.place(closed.table, ALICE, 1, (6,))


def test_the_end_of_a_scene_names_whose_rolls_are_closed() -> None:
    at = full(replace(table(), is_scene=True, scene="The docks"), ALICE, "2d", 6, 3)
    assert scenes.end_scene(at, GRETA).facts[0] == Ended(Stretch.SCENE, 0, "The docks", ("Alice",))


def test_a_scene_that_is_the_first_closes_what_was_rolled_before_it() -> None:
    assert ORE.of(scenes.start_scene(full(table(), ALICE, "2d", 6, 3), GRETA).table).rolls == {}


def test_only_the_gm_begins_a_new_round_and_only_where_there_is_a_roll() -> None:
    with pytest.raises(NotAllowed, match="Only the GM"):
        roll.clear(full(table(), ALICE, "2d", 6, 3), ALICE)
    with pytest.raises(NotAllowed, match="Example: /ore roll"):
        roll.clear(table(), GRETA)


def test_a_table_keeps_so_many_rolls_and_the_oldest_close() -> None:
    at = table()
    for _ in range(roll.OPEN_ROLLS + 2):
        at = full(at, ALICE, "2d", 6, 3)
    assert list(ORE.of(at).rolls) == list(range(3, roll.OPEN_ROLLS + 3))


def test_a_table_keeps_so_many_pools_of_crowds() -> None:
    at = table()
    for _ in range(4):
        at = after(roll.crowd(at, GRETA, lambda sizes: [1] * len(sizes), "4d", 50))
    assert list(ORE.of(at).rolls) == [2, 3, 4]


def test_a_new_name_goes_with_the_roll() -> None:
    at = full(table(), ALICE, "2d", 6, 3)
    assert newest(characters.rename(at, ALICE, "Alicia").table).who == "Alicia"


def test_rolls_of_two_games_share_a_table_and_survive_changed_settings() -> None:
    at = full(table(), ALICE, "2d 1w", 6, 3)
    changed = lifecycle.change(at, GRETA, "resources", "on").table
    assert newest(roll.place(changed, ALICE, 1, (6,)).table).hands[0].placed == (6,)


# Several actions


def test_O4_the_sources_example() -> None:
    step = roll.actions(table(), ALICE, faces(6, 3, 4, 8), ["8d", "6d"])
    kept = newest(step.table)
    assert [hand.pool.dice for hand in kept.hands] == [5, 3]
    assert made(kept) == [["2×3"], []]
    assert kept.kind is OreKind.ACTIONS


def test_O4_the_die_is_taken_off_once_and_no_set_takes_nothing_off() -> None:
    hands = roll.in_turn([OrePool(n) for n in (9, 8, 7, 10)], faces(1, 5, 2, 6, 6, 7, 9, 8))
    assert [hand.pool.dice for hand in hands] == [6, 6, 4, 2]
    assert [[str(one) for one in sets(hand)] for hand in hands] == [[], ["2×6"], ["2×7"], []]


def test_O4_under_two_dice_the_rest_fail_without_a_throw() -> None:
    hands = roll.in_turn([OrePool(n) for n in (4, 4, 4)], faces(9, 6))
    assert [hand.pool.dice for hand in hands] == [3, 1, 1]
    assert [bool(sets(hand)) for hand in hands] == [True, False, False]


def test_O4_special_dice_are_for_the_action_that_they_are_typed_with_and_not_used_up() -> None:
    kept = newest(roll.actions(table(), ALICE, faces(6, 3, 4, 8), ["8d 2h", "6d e7"]).table)
    assert [hand.pool for hand in kept.hands] == [OrePool(5, hard=2), OrePool(3, expert=7)]
    assert made(kept) == [["2×10", "2×3"], []]


def test_O4_wiggle_dice_are_placed_in_each_action_by_itself() -> None:
    at = after(roll.actions(table(), ALICE, faces(6, 3, 9, 1, 4, 8), ["8d 1w", "6d 1w"]))
    assert [hand.waiting for hand in newest(at).hands] == [1, 1]
    at = after(roll.place(at, ALICE, 1, (8,), 1))
    assert made(newest(at)) == [["2×3"], ["2×8"]]
    at = after(roll.place(at, ALICE, 1, (3,), 0))
    assert made(newest(at)) == [["3×3"], ["2×8"]]
    with pytest.raises(NotAllowed, match="That pool isn't in the roll"):
        roll.place(at, ALICE, 1, (3,), 2)
    with pytest.raises(
        NotAllowed, match="can't set a single wiggle die to 2: no rolled die shows that height"
    ):
        roll.place(at, ALICE, 1, (2,), 1)


def test_O4_a_lone_wiggle_die_with_nothing_to_join_is_none_and_two_are_a_set() -> None:
    lone, pair = (roll.in_turn([OrePool(1), OrePool(9, wiggle=count)], never)[1] for count in (1, 2))
    assert (lone.waiting, pair.waiting) == (0, 2)


SHEET = ORE.give(
    Character("Alice", player=2),
    OreCharacter(ratings={"body": OneRollRating("Body", "3d"), "fight": OneRollRating("Fight", "2d 1h")}),
)


@pytest.mark.parametrize(
    ("typed", "pool"),
    [
        ("Body + Fight", "5d 1h"),
        ("body, fi", "5d 1h"),
        ("Body + 2d + e7", "5d e7"),
        ("BODY + 2d", "5d"),
        ("5d 1w", "5d 1w"),
    ],
)
def test_O1_names_of_a_sheet_stand_for_their_dice(typed: str, pool: str) -> None:
    at = table().with_owner("alice", SHEET)
    rolled = roll.typed(at, ALICE, roll.full, lambda sizes: [1] * len(sizes), typed)
    assert write(newest(rolled.table).hands[0].pool) == pool


def test_O4_and_in_several_actions_and_what_is_no_name_is_refused() -> None:
    at = table().with_owner("alice", SHEET)
    kept = newest(roll.actions(at, ALICE, faces(1, 1, 1, 1), ["Body", "Body + Fight"]).table)
    assert [write(hand.pool) for hand in kept.hands] == ["2d", "2d 1h"]
    assert [hand.pool.typed for hand in kept.hands] == ["Body 3d", "Body 3d + Fight 2d 1h"]
    with pytest.raises(Unknown, match="Bdoy"):
        roll.typed(at, ALICE, roll.full, faces(), "Bdoy + Fight")


@pytest.mark.parametrize(
    ("dice", "because"),
    [
        (["8d"], r"Each action needs a pool\. Example: /ore actions dice:8d second:6d"),
        (
            ["8d", "1d"],
            r"That's 1 die\. A pool needs at least 2 dice and can have at most 10 normal dice",
        ),
    ],
)
def test_O4_what_cannot_be_several_actions_is_refused_with_what_is_wrong(
    dice: list[str], because: str
) -> None:
    with pytest.raises(NotAllowed, match=because):
        roll.actions(table(), ALICE, never, dice)


# Crowds


def test_O5_a_crowd_is_so_many_of_each_pool() -> None:
    assert roll.pools_of("4d, 6d 1h\n5d;", 2) == [
        read(each) for each in ("4d", "4d", "6d 1h", "6d 1h", "5d", "5d")
    ]


@pytest.mark.parametrize(
    ("dice", "count", "because"),
    [
        (" , ", 3, r"A crowd needs pools\. Example: /ore crowd dice:4d count:12"),
        ("", 1, r"A crowd needs pools\. Example: /ore crowd dice:4d count:12"),
        ("4d", 0, "A crowd can have 1 to 50 pools, not 0"),
        ("4d", 51, "A crowd can have 1 to 50 pools, not 51"),
        ("4d, 5d", 26, "That's too many pools; a crowd can have at most 50"),
        ("4d," * 600, 1, "That's too many pools; a crowd can have at most 50"),
        ("4d, 31d", 2, '"31d" is too many dice; the limit is 30'),
        ("4d 16w", 2, "That's 16 wiggle dice; a pool can have at most 15 of a kind"),
        ("4d and 6d", 2, r"Put commas between the pools of a crowd\. Example: 4d, 3d \+ 3d"),
        ("Guards 4d Wolves 6d", 2, r"Put commas between the pools of a crowd\. Example: 4d, 3d \+ 3d"),
    ],
)
def test_O5_a_crowd_out_of_range_is_refused_with_what_is_possible(
    dice: str, count: int, because: str
) -> None:
    with pytest.raises(RuleError, match=because):
        roll.crowd(table(), GRETA, never, dice, count)


# The order of action


def test_sets_act_by_width_then_by_height_and_equal_ones_together() -> None:
    at = full(table(), ALICE, "4d", 3, 3, 9, 9)
    at = full(at, BOB, "4d", 2, 2, 2, 5)
    at = full(at, GRETA, "2d", 9, 9, who="Rex")
    assert [(each.place, each.roll.who, str(each.made)) for each in model.acting(model.latest(at))] == [
        (1, "Bob", "3×2"),
        (2, "Alice", "2×9"),
        (2, "Rex", "2×9"),
        (4, "Alice", "2×3"),
    ]


def test_only_the_latest_roll_of_everybody_acts() -> None:
    at = full(full(table(), ALICE, "2d", 9, 9), ALICE, "2d", 1, 2)
    assert model.acting(model.latest(at)) == []
    assert model.idle(model.latest(at)) == ["Alice"]


def test_who_has_wiggle_dice_to_place_is_not_without_a_set() -> None:
    at = full(full(table(), ALICE, "2d 1w", 9, 1), BOB, "2d", 1, 2)
    assert model.acting(model.latest(at)) == []
    assert model.idle(model.latest(at)) == ["Bob"]


def test_the_gms_rolls_with_different_notes_act_separately() -> None:
    at = full(full(table(), GRETA, "2d", 9, 9, note="Captain"), GRETA, "2d", 8, 8, note="Wolf")
    assert [model.set_owner(each.roll, each.hand) for each in model.acting(model.latest(at))] == [
        "GM (Captain)",
        "GM (Wolf)",
    ]


def test_pools_of_a_crowd_and_several_actions_act_by_number() -> None:
    at = after(roll.crowd(table(), GRETA, faces(1, 6, 8), "4d", 2, "Guards"))
    at = after(roll.actions(at, ALICE, faces(6, 3, 4, 8), ["8d", "6d"]))
    assert [
        (model.set_owner(each.roll, each.hand), str(each.made)) for each in model.acting(model.latest(at))
    ] == [
        ("GM (Guards), pool 2", "2×8"),
        ("Alice, action 1", "2×3"),
    ]
