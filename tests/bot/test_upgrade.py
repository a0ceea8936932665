"""What was played with an older version, as people meet it after the upgrade."""

import sqlite3
from contextlib import closing

import pytest

from bot.store.migrate import migrate
from tests.bot.store.test_migrate import RELEASED
from tests.bot.test_chronicle import file_of
from tests.game import Game

OLDER = "This starts at step 23. For earlier steps, see the log."


@pytest.fixture
async def upgraded(game: Game) -> Game:
    """The database of the first release, played in this channel, and brought up to date by a start."""
    here = (await game.says("gm: /table show")).interaction
    await game.stop()
    game.file.unlink()
    with closing(sqlite3.connect(game.file)) as released:
        released.executescript((RELEASED / "0005.sql").read_text())
        released.execute("UPDATE channel SET channel_id = ?", [here.channel.id])
        released.execute("UPDATE campaign SET guild_id = ?", [game.discord.world.home.id])
        released.commit()
    await migrate(game.url)
    game.discord.gateway.ready.clear()
    await game.start()
    return game


async def test_what_cannot_be_counted_is_said_in_one_line(upgraded: Game) -> None:
    told = (await upgraded.says("alice: /stats who:all")).text
    assert told.splitlines() == ["Everybody", OLDER]
    assert OLDER in (await upgraded.says("alice: /session recap")).text
    assert OLDER.replace("23", "19") in (await upgraded.says("alice: /session recap session:1")).text
    written = file_of(await upgraded.says("alice: /chronicle"))[1]
    assert OLDER in written
    assert OLDER.replace("23", "19") in written
    assert "Mira: 2 PP (+1, fine play)" in (await upgraded.says("alice: /log")).text.replace("**", "")


async def test_from_then_on_all_is_counted_and_the_line_says_from_where(upgraded: Game) -> None:
    upgraded.dice.show((6, 5))
    await upgraded.play("carol: /roll dice:2d6")
    told = (await upgraded.says("alice: /stats who:all")).text.splitlines()
    assert (told[1], told[-1]) == ("1 roll: 0 successes, 0 of them heroic", OLDER)
    assert OLDER in (await upgraded.says("alice: /session recap")).text


async def test_where_all_was_played_with_this_version_nothing_is_said_of_it(table: Game) -> None:
    assert "No dice were rolled." in (await table.says("alice: /stats")).text
    assert "earlier play is in the log" not in (await table.says("alice: /session recap")).text
