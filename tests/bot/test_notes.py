"""Notes: open until they are done, about somebody, and what of them is suggested to whom."""

import asyncio
from pathlib import Path

from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_moving import exported
from tests.game import Game

WOLVES = "Who sent the wolves?"


async def test_what_is_open_is_done_by_anybody_who_plays_and_undone(table: Game) -> None:
    assert (await table.play(f"alice: /note text:{WOLVES} open:true about:Regent")).text == (
        f"Open note about Regent: {WOLVES}"
    )
    assert [each.value for each in await table.bob.complete("/note done:wol")] == [WOLVES]
    assert (await table.play(f"bob: /note done:{WOLVES}")).text == f"Done: {WOLVES}"
    assert await table.bob.complete("/note done:") == []
    await table.play("bob: /undo")
    assert [*(await seen(table))[1].threads] == [WOLVES.casefold()]


async def test_of_two_who_say_at_once_that_it_is_done_one_is_told_that_it_is_not_there(table: Game) -> None:
    await table.play(f"alice: /note text:{WOLVES} open:true")
    await table.restart()
    found = await asyncio.gather(*(table.says(f"{who}: /note done:{WOLVES}") for who in ("alice", "gm")))
    assert sorted(map(is_refused, found)) == [False, True]
    assert (await seen(table))[1].threads == {}


async def test_what_is_open_in_secret_is_the_gms_alone(table: Game) -> None:
    opened = await table.gm.slash("/note text:Zyzzyva waits open:true about:Perihelion hidden:true")
    assert opened.private
    assert opened.text == "The GM’s note about Perihelion, still open: Zyzzyva waits"
    for option in ("about:Peri", "done:Zyz"):
        assert await table.alice.complete(f"/note {option}") == []
        assert len(await table.gm.complete(f"/note {option}")) == 1
    refused = await table.says("alice: /note done:Zyzzyva waits")
    assert "There's no open note called" in refused.text
    assert "Perihelion" not in (await table.says("alice: /log")).text
    done = await table.gm.slash("/note done:Zyzzyva")
    assert done.private
    assert done.text == "The GM’s note is done: Zyzzyva waits"


async def test_names_of_earlier_notes_are_suggested_after_those_at_the_table(table: Game) -> None:
    await table.play("alice: /note text:It lies about:The Regent", "bob: /note text:Old about:alice")
    assert [each.value for each in await table.alice.complete("/note about:")] == [
        "Alice",
        "Bob",
        "The Regent",
    ]


async def test_a_long_note_is_suggested_as_far_as_it_fits_and_found_by_that(table: Game) -> None:
    long = " ".join(["wolves"] * 28)
    await table.play(f"alice: /note text:{long} open:true")
    (choice,) = await table.alice.complete("/note done:wol")
    assert len(str(choice.value)) <= 100
    assert (await table.play(f"alice: /note done:{choice.value}")).text == f"Done: {long}"


async def test_open_notes_come_with_the_file_of_the_table(table: Game, tmp_path: Path) -> None:
    await table.play(f"alice: /note text:{WOLVES} open:true about:Regent")
    before = (await seen(table))[1].threads
    path = await exported(table, tmp_path)
    await table.play(f"alice: /note done:{WOLVES}")
    assert (await seen(table))[1].threads == {}
    await table.gm.press(await table.says(f"gm: /campaign import file:{path}"), "Import")
    assert (await seen(table))[1].threads == before


async def test_the_day_of_the_story_stands_on_the_table_and_where_a_scene_begins(table: Game) -> None:
    begun = await table.play("gm: /scene start name:The lake day:Third day of frost")
    assert begun.text.splitlines()[-2:] == ["Scene The lake begins", "Day: Third day of frost"]
    await table.play("gm: /scene end")
    shown = (await table.says("alice: /table show")).text.splitlines()
    assert shown[1] == "Session 1, Act 1, Third day of frost"
    again = await table.play("gm: /scene start name:The ice")
    assert "Scene The ice begins\nDay: Third day of frost" in again.text
    await table.play("gm: /undo", "gm: /undo", "gm: /undo")
    assert (await seen(table))[1].day == ""
