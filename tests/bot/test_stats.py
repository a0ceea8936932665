"""`/stats`: what was rolled, counted from what happened."""

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
        "PP: 2 in, 0 out",
        "d6: 3 thrown, 4.0 on average (3.5 expected)",
        "These are too few dice to speak of luck.",
    ]
    assert "d6, 1 to 6: 1, 0, 0, 0, 1, 1." in picture_of(told.message)[0]
    assert "d8: 2 thrown" in (await table.says("bob: /stats who:GM")).text
    assert "d8: 2 thrown" in (await table.says("gm: /stats session:1")).text


async def test_what_was_undone_counts_for_nothing(table: Game) -> None:
    await table.play("alice: /roll dice:3d6", "alice: /undo")
    assert "No dice were thrown." in (await table.says("alice: /stats")).text


async def test_dice_that_come_high_are_told_with_how_rarely_that_happens(table: Game) -> None:
    table.dice.show((6,) * 12, (6,) * 12)
    await table.play("alice: /roll dice:12d6", "alice: /roll dice:12d6")
    text = (await table.says("alice: /stats")).text
    assert text.endswith("Fair dice are so far off once in 1000000 times; these came high.")
