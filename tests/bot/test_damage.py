"""Damaged rows: the last state that can be read is taken, the table says so, and nobody else is harmed."""

import sqlite3
from contextlib import closing

import pytest

from tests.bot.test_buttons import seen
from tests.game import Game

LOST = "can't be read any more. The table"
DAMAGES = {
    "is no archive": "UPDATE entry SET state = x'00ff' WHERE number >= {first}",
    "is gone": "UPDATE entry SET state = NULL WHERE number >= {first}",
    "is packed otherwise": "UPDATE entry SET base = number WHERE number >= {first}",
}


async def damage(game: Game, how: str = "is no archive", steps: int = 1) -> None:
    """The last rows of every table are damaged while the bot is away."""
    newest = (await seen(game))[0]
    await game.stop()
    with closing(sqlite3.connect(game.url.removeprefix("sqlite+aiosqlite:///"))) as broken:
        broken.execute(DAMAGES[how].format(first=newest - steps + 1))
        broken.commit()
    game.discord.gateway.ready.clear()
    await game.start()


@pytest.mark.parametrize("how", DAMAGES)
@pytest.mark.parametrize("steps", [1, 3])
async def test_the_last_readable_state_is_taken_and_the_table_says_so(
    table: Game, how: str, steps: int
) -> None:
    await table.play(*["gm: /pp give who:Alice"] * 5)
    await damage(table, how, steps)
    shown = (await table.says("bob: /table show")).text
    assert LOST in shown
    assert f"Alice: {6 - steps} PP" in shown
    changed = await table.play("gm: /pp give who:Alice")
    assert LOST in changed.text
    assert f"Alice: {7 - steps} PP" in changed.text
    assert LOST in (await table.says("bob: /log count:1")).text
    assert LOST not in (await table.says("bob: /table show")).text
    await table.play("gm: /undo")
    assert f"Alice: {6 - steps} PP" in (await table.says("bob: /pp show")).text
    await table.play("gm: /redo")
    await table.restart()
    assert f"Alice: {7 - steps} PP" in (await table.says("bob: /pp show")).text


async def test_the_pinned_table_says_what_cannot_be_read(table: Game) -> None:
    await table.play("gm: /pp give who:Alice")
    await damage(table)
    await table.says("gm: /table pin")
    assert LOST in table.discord.pins()[0].text


@pytest.mark.parametrize(
    ("line", "hears"),
    [
        ("gm: /campaign new name:Deep Water", ("Starting a new campaign in this channel archives Skyfall.")),
        ("gm: /campaign export", "Skyfall as a file"),
        ("gm: /campaign delete", "Delete Skyfall"),
        ("gm: /campaign leave", "no longer played in this channel"),
        ("gm: /undo", "Undone: Alice"),
        ("alice: /privacy show", "you play Alice"),
        ("alice: /roll dice:2d6", "Total"),
    ],
)
async def test_a_damaged_table_can_be_left_copied_and_played(table: Game, line: str, hears: str) -> None:
    await table.play("gm: /pp give who:Alice", "gm: /pp give who:Alice")
    await damage(table)
    reply = await table.says(line)
    assert hears in reply.text
    for button in reply.buttons:
        if button.label == "Archive it":
            assert "Deep Water begins" in (await reply.by.press(reply, button.label)).text
        if button.label.startswith("Delete"):
            assert "is deleted" in (await reply.by.press(reply, button.label)).text


async def test_a_step_that_cannot_be_read_is_not_put_back_but_says_why(table: Game) -> None:
    await table.play("gm: /pp give who:Alice", "gm: /pp give who:Alice")
    await damage(table)
    number = (await seen(table))[0]
    await table.play("gm: /pp give who:Bob")
    assert "can't be read any more" in (await table.says(f"gm: /redo step:{number}")).text


async def test_one_damaged_table_harms_no_other(table: Game) -> None:
    await table.play("gm: /pp give who:Alice")
    await damage(table)
    other = table.discord.channel("other")
    asked = await table.gm.slash("/pp give who:Zoe", channel=other)
    assert "Zoe: 1 PP" in (await table.gm.press(asked, "Someone new: Zoe")).text
    assert "Zoe: 1 PP" in (await table.gm.slash("/pp show", channel=other)).text
    assert "Skyfall" in (await table.says("gm: /privacy show")).text


async def test_where_nothing_can_be_read_a_table_begins_anew(table: Game) -> None:
    await damage(table, steps=1000)
    assert LOST in (await table.says("bob: /table show")).text
    assert "Alice: 1 PP" in (await table.play("alice: /pp give who:Alice")).text


async def test_a_person_is_forgotten_also_where_rows_are_damaged(table: Game) -> None:
    await table.play("gm: /pp give who:Alice")
    await damage(table)
    assert "has been deleted" in (await table.forget(table.alice)).text
    assert "nothing" in (await table.says("alice: /privacy show")).text.lower()
