"""Channels, chat and pins of the page outlive a restart."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.loopback.driver import Loopback
from bot.loopback.model import Emoji
from bot.loopback.web import views
from bot.loopback.web.access import Addresses, Key
from bot.loopback.web.memory import FILES, TableFileUnusable, remembered
from tests.clock import HeldClock
from tests.game import Game


@asynccontextmanager
async def evening(folder: Path, *, is_fresh: bool = False) -> AsyncIterator[Game]:
    """The table is opened, and closed again."""
    async with (
        Loopback("", is_lasting=True, keep_messages=30, clock=HeldClock()) as discord_,
        remembered(discord_, folder / "web.db", is_fresh=is_fresh),
    ):
        game = Game(discord_, folder / "game.db")
        await game.start()
        try:
            yield game
        finally:
            await game.stop()


async def test_an_old_roll_is_applied_after_a_restart(tmp_path: Path) -> None:
    async with evening(tmp_path) as game:
        await game.table()
        await game.says("gm: /table pin")
        game.dice.show([10, 4])
        await game.play("alice: /roll dice:d10 d6 vs:5 note:Force the door")
        await game.says("alice: /character show")
    was = [message.text for message in game.discord.table.messages.values()]
    async with evening(tmp_path) as game:
        discord_ = game.discord
        assert [message.text for message in discord_.table.messages.values()] == was
        (pinned,) = discord_.pins()
        roll = next(m for m in discord_.messages() if "Force the door" in m.text)
        form = (await game.alice.press(roll, "Apply")).form
        await game.alice.submit(form, {"Name": "Broken lock"})
        await game.at_rest()
        assert "Broken lock" in roll.text
        assert "Broken lock" in pinned.text
        private = [m for m in discord_.table.messages.values() if m.viewer is game.alice.user]
        assert [m.text.partition("\n")[0] for m in private] == ["### You play Alice", "### Alice"]
        view = views.message_view(roll, discord_.world, Addresses(Key(b"k" * 32)), game.bob.user)
        assert (view["used"]["by"]["name"], view["used"]["what"]) == ("alice", "/roll")


async def test_places_people_files_and_emojis_are_there_again(tmp_path: Path) -> None:
    async with evening(tmp_path) as game:
        discord_ = game.discord
        discord_.world.emojis[5] = Emoji(5, "d10_7", b"picture", "image/png")
        side = discord_.channel("side-quest")
        thread = discord_.world.open_thread("The docks", side, game.gm.user)
        await discord_.person("carol").write("psst", thread, files={"map.png": b"pixels"})
        await game.table()
        await game.says("alice: /odds dice:2d6")
    async with evening(tmp_path) as game:
        discord_ = game.discord
        again = discord_.world.channels[thread.id]
        assert (again.name, again.parent) == ("The docks", discord_.channel("side-quest"))
        (said,) = again.messages.values()
        assert (said.text, said.author.name, said.files[0].data) == ("psst", "carol", b"pixels")
        assert discord_.world.files[said.files[0].id] is said.files[0]
        assert discord_.world.emojis[5].data == b"picture"
        assert "carol" in [person.name for person in discord_.people()]
        odds = list(discord_.table.messages.values())[-1]
        assert discord_.world.files_url in str(odds.components)
        assert FILES not in str(odds.components)
        discord_.world.delete(said)
    async with evening(tmp_path) as game:
        assert not game.discord.world.channels[thread.id].messages


async def test_the_oldest_messages_go_and_a_fresh_table_has_none(tmp_path: Path) -> None:
    async with evening(tmp_path) as game:
        for number in range(40):
            await game.alice.write(f"line {number}")
        first = next(iter(game.discord.table.messages.values()))
        game.discord.world.pin(first, pinned=True)
        for number in range(40, 45):
            await game.alice.write(f"line {number}")
    async with evening(tmp_path) as game:
        said = [message.text for message in game.discord.messages()]
        assert (said[0], said[-1]) == ("line 10", "line 44")
        assert len(said) <= 31
        assert [message.text for message in game.discord.pins()] == ["line 10"]
    async with evening(tmp_path, is_fresh=True) as game:
        assert not game.discord.messages()
    assert written(tmp_path / "web.db") == 0
    assert (tmp_path / "web.db").stat().st_mode & 0o077 == 0


async def test_it_is_written_a_moment_later(tmp_path: Path) -> None:
    file = tmp_path / "web.db"
    clock = HeldClock()
    async with Loopback(is_lasting=True, clock=clock) as discord_, remembered(discord_, file):
        await discord_.person("alice").write("hello")
        assert written(file) == 0
        await clock.advance(minutes=1)
        assert written(file) == 1


@pytest.mark.parametrize("is_newer", [True, False])
async def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, is_newer: bool) -> None:
    file = tmp_path / "web.db"
    if is_newer:
        with sqlite3.connect(file) as database:
            database.execute("PRAGMA user_version = 99")
    else:
        file.write_bytes(b"no database" * 100)
    async with Loopback(is_lasting=True) as discord_:
        with pytest.raises(TableFileUnusable, match="--fresh"):
            async with remembered(discord_, file):
                raise AssertionError
        async with remembered(discord_, file, is_fresh=True):
            assert not discord_.messages()


def written(file: Path) -> int:
    """How many messages stand in the file."""
    with sqlite3.connect(file) as database:
        return int(database.execute("SELECT count(*) FROM message").fetchone()[0])
