"""Servers and channels that come and go: what is kept of them, for how long, and what goes with them."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot.loopback.model import Channel, Guild
from bot.services.jobs import DAILY, LEFT, Keeping
from bot.store.jobs import Job
from bot.store.places import Servers
from rules.values import replace
from tests.clock import START
from tests.game import Game, playing

MONTH = Keeping(retention=30)
AT_ONCE = Keeping(retention=0)


@pytest.fixture
async def lasting(tmp_path: Path) -> AsyncIterator[Game]:
    """A game in which servers and channels have the same ids each time that they come."""
    async with playing(tmp_path, is_lasting=True) as game:
        game.keeping = MONTH
        await game.restart()
        await game.rest()
        yield game


async def played(game: Game) -> Guild:
    """Another server, with a table whose pinned message is in a channel."""
    guild = await game.discord.join("Deep Water", "play")
    place = play(game, guild)
    await game.gm.slash("/campaign new name:Below", channel=place)
    asked = await game.gm.slash("/pp give who:Alice", channel=place)
    await game.gm.press(asked, "Someone new: Alice")
    assert "pinned" in (await game.gm.slash("/table pin", channel=place)).text
    return guild


def play(game: Game, guild: Guild) -> Channel:
    return game.discord.channel("play", guild=guild)


async def marked(game: Game) -> list[Job]:
    """The servers whose tables are to be deleted, once the bot has heard all."""
    await game.at_rest()
    return await game.ledger.jobs.of_kind(LEFT)


async def gone(game: Game, key: str) -> None:
    """A job is done by now."""
    await game.at_rest()
    assert await game.ledger.jobs.get(key) is None


def counts(game: Game, *tables: str) -> list[int]:
    with closing(sqlite3.connect(game.file)) as reader:
        return [reader.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]


async def test_a_server_that_was_left_is_kept_for_a_month_and_all_is_there_again(lasting: Game) -> None:
    guild = await played(lasting)
    left = lasting.now
    await lasting.discord.leave_guild(guild)
    (job,) = await marked(lasting)
    assert job.due == left + timedelta(days=30)
    await lasting.restart()
    assert await marked(lasting) == [job], "a restart does not begin it anew"
    again = await lasting.discord.join("Deep Water", "play")
    assert await marked(lasting) == []
    assert "Alice: 1 PP" in (await lasting.gm.slash("/pp show", channel=play(lasting, again))).text


async def test_when_its_time_is_over_nothing_of_it_is_kept_and_others_lose_nothing(lasting: Game) -> None:
    await lasting.play("gm: /campaign new name:Skyfall", "gm: /pp give who:Bob")
    guild = await played(lasting)
    await lasting.discord.leave_guild(guild)
    (job,) = await marked(lasting)
    await lasting.ledger.jobs.put(replace(job, due=START, payload={**job.payload, "left": 0}))
    await gone(lasting, job.key)
    assert counts(lasting, "campaign", "channel", "pin", "job") == [1, 1, 0, 1]
    assert "Below" not in (await lasting.says("gm: /privacy show")).text
    assert "Bob: 1 PP" in (await lasting.says("gm: /pp show")).text
    assert b"Below" not in lasting.file.read_bytes()


async def test_a_server_that_comes_back_too_late_reads_once_what_is_gone(lasting: Game) -> None:
    guild = await played(lasting)
    await lasting.discord.leave_guild(guild)
    (job,) = await marked(lasting)
    await lasting.ledger.jobs.put(replace(job, due=START, payload={**job.payload, "left": 0}))
    await gone(lasting, job.key)
    for is_told in (True, False):
        again = await lasting.discord.join("Deep Water", "play")
        here = play(lasting, again)
        await lasting.at_rest()
        (greeting,) = lasting.discord.messages(here)
        assert ("1 table on this server was deleted for good" in greeting.text) is is_told
        assert ("/campaign import" in greeting.text) is is_told
        await lasting.advance(minutes=1)
        await lasting.discord.leave_guild(again)
        assert len(await marked(lasting)) == 1


async def test_days_that_are_added_later_count(lasting: Game) -> None:
    guild = await played(lasting)
    await lasting.discord.leave_guild(guild)
    (job,) = await marked(lasting)
    await lasting.ledger.jobs.put(replace(job, due=START))
    (job,) = await marked(lasting)
    assert job.due > lasting.now
    assert counts(lasting, "campaign") == [1]


async def test_a_server_that_the_bot_is_on_again_is_never_deleted(lasting: Game) -> None:
    await lasting.play("gm: /pp give who:Bob")
    home = lasting.discord.world.home.id
    late = Job(f"{LEFT}:{home}", LEFT, START, payload={"server": home})
    await lasting.ledger.jobs.put(late)
    await gone(lasting, late.key)
    assert "Bob: 1 PP" in (await lasting.says("gm: /pp show")).text


async def test_servers_left_and_joined_while_the_bot_was_away_are_noticed(lasting: Game) -> None:
    guild = await played(lasting)
    await lasting.stop()
    lasting.discord.world.guilds.pop(guild.id)
    lasting.discord.gateway.ready.clear()
    await lasting.start()
    (job,) = await marked(lasting)
    assert job.payload["server"] == guild.id
    await lasting.stop()
    lasting.discord.world.guilds[guild.id] = guild
    lasting.discord.gateway.ready.clear()
    await lasting.start()
    assert await marked(lasting) == []


async def test_an_outage_and_servers_of_other_processes_are_no_farewell(lasting: Game) -> None:
    guild = await played(lasting)
    await lasting.discord.outage(guild)
    gone = {"id": str(guild.id), "unavailable": True}
    await lasting.discord.gateway.tell("GUILD_DELETE", gone, guild.id)
    assert await marked(lasting) == []
    await lasting.bot.keeper.compare(set, lambda server: server != guild.id)
    assert [job.payload["server"] for job in await marked(lasting)] == []


async def test_a_server_that_comes_while_all_are_compared_was_not_left(
    lasting: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    guild = await played(lasting)
    there: set[int] = set()
    read = Servers.all

    async def joined_meanwhile(servers: Servers) -> set[int]:
        found = await read(servers)
        there.add(guild.id)
        return found

    monkeypatch.setattr(Servers, "all", joined_meanwhile)
    await lasting.bot.keeper.compare(lambda: there, lambda server: server == guild.id)
    assert await marked(lasting) == []


async def test_retention_of_no_days_deletes_at_once(lasting: Game) -> None:
    lasting.keeping = AT_ONCE
    await lasting.restart()
    guild = await played(lasting)
    await lasting.discord.leave_guild(guild)
    await lasting.at_rest()
    assert counts(lasting, "campaign", "job") == [0, 1]


async def test_where_nothing_is_to_go_a_server_that_was_left_stays(game: Game) -> None:
    guild = await played(game)
    await game.discord.leave_guild(guild)
    await game.restart()
    assert await marked(game) == []
    assert counts(game, "campaign") == [1]


@pytest.mark.parametrize("is_thread", [False, True])
async def test_a_deleted_channel_loses_its_rows_and_its_table_is_joined_elsewhere(
    game: Game, is_thread: bool
) -> None:
    place = game.discord.thread("aside") if is_thread else game.discord.channel("play")
    await game.gm.slash("/campaign new name:Skyfall", channel=place)
    await game.gm.slash("/table pin", channel=place)
    assert counts(game, "channel", "pin") == [1, 1]
    await game.discord.delete_channel(place)
    await game.at_rest()
    assert counts(game, "channel", "pin") == [0, 0]
    await game.play("gm: /campaign join name:Skyfall", "gm: /pp give who:Alice", "gm: /undo", "gm: /undo")


async def test_a_deleted_channel_takes_the_pins_of_its_threads_along(game: Game) -> None:
    thread = game.discord.thread("aside", parent=game.discord.channel("play"))
    await game.gm.slash("/doom add dice:d6", channel=game.discord.channel("play"))
    await game.gm.slash("/table pin", channel=thread)
    await game.discord.delete_channel(game.discord.channel("play"))
    await game.at_rest()
    assert counts(game, "channel", "pin") == [0, 0]


async def test_a_table_that_nobody_touches_is_deleted_as_by_its_gm(game: Game) -> None:
    game.keeping = Keeping(idle=100)
    await game.restart()
    other = game.discord.channel("other")
    await game.play("gm: /campaign new name:Skyfall")
    await game.says("gm: /table pin")
    await game.gm.slash("/campaign new name:Deep Water", channel=other)
    await game.stop()
    with closing(sqlite3.connect(game.file)) as clock:
        old = "(SELECT id FROM campaign WHERE name = 'Skyfall')"
        clock.execute(f"UPDATE entry SET at = '2020-01-01 00:00:00.000000' WHERE campaign_id = {old}")
        clock.commit()
    game.discord.gateway.ready.clear()
    await game.start()
    await game.ledger.jobs.put(Job(DAILY, DAILY, START))
    await game.at_rest()
    assert counts(game, "channel") == [1]
    assert not game.discord.pins()
    assert "Deep Water" in (await game.gm.slash("/table show", channel=other)).text
    await game.play("gm: /campaign restore name:Skyfall", "gm: /pp give who:Alice")


async def test_privacy_says_how_long_a_server_that_was_left_is_kept(lasting: Game) -> None:
    await lasting.play("gm: /pp give who:Bob")
    assert "the server's tables are deleted 30 days later" in (await lasting.says("gm: /privacy show")).text
