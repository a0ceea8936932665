"""`/stats`: what was rolled, counted from what happened."""

import pytest

from tests.bot.test_pictures import picture_of
from tests.game import Game


async def test_rolls_points_and_faces_are_counted(table: Game) -> None:
    table.dice.show((6, 5, 1), (2, 3))
    await table.play("alice: /roll dice:3d6 vs:2d8", "gm: /pp give who:Alice")
    told = await table.says("alice: /stats")
    assert told.private
    assert told.text.splitlines() == [
        "Alice",
        "1 roll: 1 success, 1 of them heroic",
        "1 die with a 1, 0 botches",
        "PP: 2 gained, 0 spent",
        "d6: 3 rolled, 4.0 on average (3.5 expected)",
        "Too few dice were rolled to judge luck.",
    ]
    assert "d6, 1 to 6: 1, 0, 0, 0, 1, 1." in picture_of(told.message)[0]
    assert "d8: 2 rolled" in (await table.says("bob: /stats who:GM")).text
    assert "d8: 2 rolled" in (await table.says("gm: /stats session:1")).text


async def test_what_was_undone_counts_for_nothing(table: Game) -> None:
    await table.play("alice: /roll dice:3d6", "alice: /undo")
    assert "No dice were rolled." in (await table.says("alice: /stats")).text


@pytest.mark.parametrize(("face", "how"), [(6, "high"), (1, "low")])
async def test_dice_far_from_fair_are_told_with_how_rarely_that_happens(
    table: Game, face: int, how: str
) -> None:
    table.dice.show((face,) * 12, (face,) * 12)
    await table.play("alice: /roll dice:12d6", "alice: /roll dice:12d6")
    text = (await table.says("alice: /stats")).text
    assert (
        f"\nThe total is {how}: fair dice would be this far off only once in 1,000,000 tries. The faces"
        in text
    )
    assert text.endswith(
        "fair dice would be this uneven once in 1,000,000 tries (chi-square 120.0; about 5 is normal)."
    )


async def test_dice_that_show_only_the_lowest_and_the_highest_are_not_within_luck(table: Game) -> None:
    table.dice.show(*[(1, 8) * 10] * 5)
    await table.play(*["alice: /roll dice:20d8"] * 5)
    told = await table.says("alice: /stats")
    assert told.text.splitlines()[-1] == (
        "The total looks fair. The faces are uneven: fair dice would be this uneven once in 1,000,000 "
        "tries (chi-square 300.0; about 7 is normal)."
    )
    assert "chi-square 300.0; about 7 is" in picture_of(told.message)[0]


async def test_dice_of_everyday_are_within_what_luck_does(table: Game) -> None:
    table.dice.show((1, 2, 3, 4, 5, 6) * 4)
    await table.play("alice: /roll dice:24d6")
    told = await table.says("alice: /stats")
    assert told.text.endswith("\nThe dice look fair (chi-square 0.0; about 5 is normal).")


async def test_a_high_total_of_even_faces_is_told_as_that(table: Game) -> None:
    table.dice.show([face for face, count in enumerate((1, 2, 3, 5, 6, 7), 1) for _ in range(count)])
    await table.play("alice: /roll dice:24d6")
    told = (await table.says("alice: /stats")).text.splitlines()[-1]
    assert told.startswith("The total is high: fair dice would be this far off only once in ")
    assert told.endswith(" tries. The faces look fair (chi-square 7.0; about 5 is normal).")


async def test_whoever_is_renamed_keeps_dice_and_points(table: Game) -> None:
    table.dice.show((6, 5, 1), (4, 4))
    await table.play(
        "alice: /roll dice:3d6",
        "gm: /pp give who:Alice",
        "gm: /session end",
        "gm: /session start",
        "alice: /character rename to:Lady A",
        "alice: /roll dice:2d6",
    )
    for line, rolls, points, dice in (
        ("", "2 rolls", "PP: 2 gained, 0 spent", "d6: 5 rolled, 4.0"),
        (" session:1", "1 roll", "PP: 2 gained, 0 spent", "d6: 3 rolled, 4.0"),
        (" session:2", "1 roll", "PP: 0 gained, 0 spent", "d6: 2 rolled, 4.0"),
    ):
        told = (await table.says(f"alice: /stats{line}")).text
        assert told.startswith(f"Lady A\n{rolls}: ")
        assert points in told
        assert dice in told
    assert "d6: 5 rolled" in (await table.says("gm: /stats who:Lady A")).text


async def test_who_takes_the_name_of_somebody_who_is_gone_counts_their_own_alone(table: Game) -> None:
    table.dice.show((6, 5, 2), (4, 4))
    await table.play(
        "bob: /roll dice:3d6",
        "gm: /pp give who:Bob number:2",
        "alice: /roll dice:2d6",
        "bob: /character remove name:Bob",
        "gm: /character rename who:Alice to:Bob",
    )
    told = (await table.says("alice: /stats")).text
    assert told.startswith("Bob\n1 roll: ")
    assert "PP: 1 gained, 0 spent" in told
    assert "d6: 2 rolled" in told


async def test_dice_of_one_roll_games_are_counted(table: Game) -> None:
    table.dice.show((6, 6, 1), (4, 8), (8, 2))
    await table.play(
        "alice: /ore roll dice:3d", "alice: /ore quick dice:5d", "gm: /ore roll dice:2d note:Guards"
    )
    told = (await table.says("alice: /stats")).text
    assert "2 rolls: " in told
    assert "d10: 5 rolled" in told
    assert "1 roll: " in (await table.says("gm: /stats who:GM")).text


async def test_a_gm_who_only_opposes_is_told_so(table: Game) -> None:
    await table.play(*["alice: /roll dice:2d6 vs:doom"] * 3)
    told = (await table.says("gm: /stats who:GM")).text
    assert told.splitlines()[:2] == ["GM", "Opposed 3 rolls"]
    assert "0 rolls" not in told
    assert "d6: 6 rolled" in told
