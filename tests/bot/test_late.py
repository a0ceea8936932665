"""Work that takes long: Discord is told in time that the answer comes later, and the person sees it."""

import asyncio
import sqlite3
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager

import pytest

from bot.client.responder import LATE
from bot.loopback.model import AnswerType
from bot.loopback.reply import BotReply
from bot.store.history import Entry, NamedCampaign, Place
from bot.store.ledger import Ledger
from tests.bot.test_buttons import is_refused, seen
from tests.clock import DATABASE
from tests.game import Game


@contextmanager
def held(game: Game) -> Iterator[None]:
    """Somebody else writes to the database, and everybody waits."""
    other = sqlite3.connect(game.url.removeprefix("sqlite+aiosqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def answered(reply: BotReply) -> AnswerType | None:
    """How Discord was answered first."""
    return reply.interaction.answer.type if reply.interaction.answer else None


async def told_late(game: Game, deed: Coroutine[None, None, BotReply], held: asyncio.Event) -> BotReply:
    """What comes of something that is held up until Discord has been told that the answer comes later."""
    done = asyncio.create_task(deed)
    await game.advance(LATE)
    assert not done.done()
    held.set()
    return await done


async def slowly(game: Game, deed: Coroutine[None, None, BotReply]) -> BotReply:
    """What comes of something that waits for the database until Discord has been told so."""
    with held(game):
        done = asyncio.create_task(deed)
        await game.held.advance(LATE, but=(DATABASE,))
        assert not done.done()
    return await done


async def overdue(
    game: Game, deed: Coroutine[None, None, BotReply], monkeypatch: pytest.MonkeyPatch
) -> BotReply:
    """What comes of something where every look at a table takes longer than Discord is kept waiting."""
    look = Ledger.look

    async def slowly(self: Ledger, where: Place | NamedCampaign) -> Entry | None:
        await self.clock.sleep(LATE + 0.1)
        return await look(self, where)

    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "look", slowly)
        done = asyncio.create_task(deed)
        await game.advance(10 * LATE)
    return await done


async def test_a_command_that_takes_long_is_answered_later(table: Game) -> None:
    reply = await slowly(table, table.says("gm: /pp give who:Alice"))
    assert answered(reply) is AnswerType.DEFER_MESSAGE
    assert "Alice: 2 PP" in reply.text
    assert not reply.private


async def test_a_refusal_that_takes_long_is_told_alone_and_nobody_sees_the_waiting(table: Game) -> None:
    table.bot.running.late = 0
    before = table.discord.messages()
    reply = await table.says("alice: /doom add dice:d6")
    assert answered(reply) is AnswerType.DEFER_MESSAGE
    assert is_refused(reply)
    assert table.discord.messages() == before


async def test_a_roll_that_takes_long_is_followed_like_any_other(table: Game) -> None:
    reply = await slowly(table, table.says("alice: /roll dice:2d6 d8"))
    await table.play("gm: /scene end")
    await table.at_rest()
    assert "This roll is closed" in reply.text


async def test_a_press_that_takes_long_shows_what_came_of_it_in_its_message(table: Game) -> None:
    table.dice.show((9, 7, 2, 3))
    rolled = await table.play("alice: /roll dice:d10 d8 2d6")
    pressed = await slowly(table, table.alice.press(rolled, "Total 12, effect d8"))
    assert answered(pressed) is AnswerType.DEFER_UPDATE
    await table.at_rest()
    assert "Total 12, effect d8" in rolled.text.splitlines()[0]


async def test_a_form_that_takes_long_is_kept_and_shown(table: Game) -> None:
    table.dice.show((9, 7, 2, 3), (3, 4))
    rolled = await table.play("alice: /roll dice:d10 d8 2d6")
    opened = await table.gm.press(rolled, "Oppose")
    sent = await slowly(table, table.gm.submit(opened.form, {"Dice": "2d6"}))
    assert answered(sent) is AnswerType.DEFER_UPDATE
    await table.at_rest()
    assert "vs 7" in rolled.text


async def test_a_form_that_cannot_open_any_more_says_so(table: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    rolled = await table.play("alice: /roll dice:d10 d8 2d6")
    before = await seen(table)
    told = await overdue(table, table.gm.press(rolled, "Oppose"), monkeypatch)
    assert is_refused(told)
    assert "try again" in told.text
    assert await seen(table) == before


async def test_a_command_whose_form_cannot_open_any_more_says_so(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = await overdue(table, table.says("alice: /character edit"), monkeypatch)
    assert is_refused(told)
    assert "try again" in told.text


async def test_nobody_sees_who_is_waited_for_behind_the_curtain(table: Game) -> None:
    reply = await slowly(table, table.says("gm: /gmc new name:Spy dice:2d6 kind:boss away:true"))
    assert "Spy" in reply.text
    assert reply.interaction.original is not None
    assert reply.interaction.original.is_private
