"""Deleting what is kept about somebody is a job: answered at once, done in pieces, and to its end."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta

import pytest

from bot.loopback.people import Person
from bot.loopback.reply import BotReply
from bot.services.privacy import FORGET, FORGOTTEN
from bot.store.privacy import People
from tests.bot.test_buttons import is_refused
from tests.bot.test_privacy import NAME, is_known
from tests.game import Game


class Held:
    """Forgetting that waits before its second campaign, until it is let go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.goes_on = asyncio.Event(), asyncio.Event()
        self.count = 0
        forget = People.forget

        async def held(people: People, campaign: int, person: int) -> None:
            self.count += 1
            if self.count == 2:
                self.reached.set()
                await self.goes_on.wait()
            await forget(people, campaign, person)

        monkeypatch.setattr(People, "forget", held)

    async def begun(self) -> None:
        """Wait until the first campaign has forgotten, and the second has not."""
        async with asyncio.timeout(30):
            await self.reached.wait()


@pytest.fixture
async def held(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Held]:
    """Forgetting that stops in the middle; at the end it goes on."""
    held = Held(monkeypatch)
    yield held
    held.goes_on.set()


async def zoltan_at_two(table: Game) -> tuple[Person, BotReply]:
    """Somebody who has played at two tables, and who has asked to delete what is kept about them."""
    zoltan = table.discord.person("zoltan", display=NAME)
    await zoltan.slash("/roll dice:2d6 d8")
    await zoltan.slash("/campaign new name:Elsewhere", channel=table.discord.channel("elsewhere"))
    return zoltan, await zoltan.slash("/privacy delete")


def jobs(game: Game, *kinds: str) -> int:
    """How many jobs there are of some kinds."""
    with closing(sqlite3.connect(game.file)) as database:
        signs = ", ".join("?" * len(kinds))
        ((found,),) = database.execute(f"SELECT count(*) FROM job WHERE kind IN ({signs})", kinds)
    return int(found)


async def test_it_is_answered_at_once_and_the_answer_says_when_it_is_done(table: Game, held: Held) -> None:
    zoltan, asked = await zoltan_at_two(table)
    told = await zoltan.press(asked, "Delete for ever")
    assert told.private
    assert "is being deleted" in told.text
    await held.begun()
    assert "is being deleted" in told.text
    held.goes_on.set()
    await table.at_rest()
    assert told.text.startswith("Your data at 2 tables has been deleted.")
    assert not is_known(table, zoltan)
    assert jobs(table, FORGET) == 0


async def test_meanwhile_others_play_and_whoever_asks_is_told_so(table: Game, held: Held) -> None:
    zoltan, asked = await zoltan_at_two(table)
    await zoltan.press(asked, "Delete for ever")
    await held.begun()
    for command in ("show", "delete"):
        reply = await zoltan.slash(f"/privacy {command}")
        assert "is being deleted" in reply.text
        assert reply.buttons == []
    assert "is being deleted" in (await zoltan.press(asked, "Delete for ever")).text
    await table.play("gm: /doom add dice:d8", "alice: /roll dice:2d6", "gm: /undo")
    assert not is_refused(
        await table.alice.slash("/roll dice:d6", channel=table.discord.channel("elsewhere"))
    )
    assert "is being deleted" not in (await table.says("alice: /privacy show")).text
    assert jobs(table, FORGET) == 1


async def test_after_a_kill_it_goes_on_where_it_was_and_the_answer_says_so(table: Game, held: Held) -> None:
    zoltan, asked = await zoltan_at_two(table)
    told = await zoltan.press(asked, "Delete for ever")
    await held.begun()
    await table.stop()
    with closing(sqlite3.connect(table.file)) as database:  # who is killed lets nothing go
        claimed = "UPDATE job SET claimed_until = '2100-01-01 00:00:00.000000' WHERE kind = ?"
        assert database.execute(claimed, (FORGET,)).rowcount == 1
        database.commit()
    assert is_known(table, zoltan)
    table.discord.gateway.ready.clear()
    await table.start()
    await table.at_rest()
    assert "at 2 tables has been deleted" in told.text
    assert not is_known(table, zoltan)


async def test_who_is_killed_before_the_answer_has_promised_it_all_the_same(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    zoltan, asked = await zoltan_at_two(table)
    monkeypatch.setattr("bot.services.privacy.UNANSWERED", timedelta(0))
    monkeypatch.setattr("bot.services.privacy.Privacy.begin", lambda *_: asyncio.sleep(0))
    await zoltan.press(asked, "Delete for ever")
    await table.at_rest()
    assert not is_known(table, zoltan)


async def test_after_fifteen_minutes_it_is_told_nowhere(table: Game, held: Held) -> None:
    zoltan, asked = await zoltan_at_two(table)
    told = await zoltan.press(asked, "Delete for ever")
    await held.begun()
    before = len(table.discord.messages())
    await table.advance(minutes=16)
    held.goes_on.set()
    await table.at_rest()
    assert not jobs(table, FORGET, FORGOTTEN)
    assert not is_known(table, zoltan)
    assert "is being deleted" in told.text
    assert len(table.discord.messages()) == before


async def test_where_discord_fails_the_answer_is_edited_later(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.services.jobs.PAUSE", 0.01)
    zoltan, asked = await zoltan_at_two(table)
    table.discord.faults.lose("PATCH /webhooks", times=3)
    told = await zoltan.press(asked, "Delete for ever")
    await table.at_rest()
    assert "at 2 tables has been deleted" in told.text
    assert not jobs(table, FORGET, FORGOTTEN)
