"""Charts in messages, as people meet them: below the words, told in words, kept, shared."""

import threading
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.client.messages import PATIENCE
from bot.loopback.errors import shown_media
from bot.loopback.model import File, Message
from bot.loopback.reply import BotReply, message_lines
from bot.views.card import Picture
from tests.game import Game

PNG = b"\x89PNG"


def picture_of(message: Message | None) -> tuple[str, File]:
    """The words of the one picture that a message shows, and its file."""
    assert message is not None
    (part,) = shown_media(message.components)
    (file,) = message.files
    assert part["media"]["url"] == file.url
    assert file.data.startswith(PNG)
    return part["description"], file


async def odds(table: Game) -> BotReply:
    return await table.says("alice: /odds dice:2d6 vs:10")


async def test_odds_have_their_chart_below_the_words(table: Game) -> None:
    reply = await odds(table)
    alt, file = picture_of(reply.message)
    assert reply.private
    assert file.name == "odds.png"
    assert alt.startswith("Success 8.3% vs 10. Totals that fail: 0: 2.8%")
    assert reply.message is not None
    lines = message_lines(reply.message, table.discord.world)
    assert lines[:2] == ["Success 8.3% vs 10", "Odds of 2d6 vs 10"]
    assert lines[-2:] == [f"[picture: {alt}]", "[1] Roll this  [2] Share"]


async def test_odds_that_are_shared_have_it_too(table: Game) -> None:
    private = await odds(table)
    alt, file = picture_of(private.message)
    shared = await table.alice.press(private, "Share")
    again, copy = picture_of(shared.message)
    assert not shared.private
    assert (again, copy.name, copy.data) == (alt, file.name, file.data)
    assert copy.id != file.id
    assert shared.text == private.text


@pytest.mark.parametrize("how", ["gone", "slow", "cut"])
async def test_odds_are_shared_in_words_where_discord_has_the_picture_no_more(table: Game, how: str) -> None:
    private = await odds(table)
    _, file = picture_of(private.message)
    if how == "gone":
        del table.discord.world.files[file.id]
    elif how == "slow":
        table.discord.settle = 2 * PATIENCE
        table.discord.faults.delay("GET /attachments/*", 2 * PATIENCE)
    else:
        table.discord.faults.lose("GET /attachments/*", times=2)  # one is asked for again by itself
    with capture_logs() as logged:
        shared = await table.held.through(table.alice.press(private, "Share"))
    assert shared.text == private.text
    assert shared.message is not None
    assert shared.message.files == []
    assert "shared without its picture" in [line["event"] for line in logged]


@pytest.mark.parametrize("line", ["/odds dice:2d6 vs:10", "/session recap"])
async def test_a_late_answer_brings_its_picture(table: Game, line: str) -> None:
    table.bot.running.late = 0.0
    table.discord.faults.delay("POST /interactions/*/callback", 0.1)
    reply = await table.says(f"alice: {line}")
    told = [reply.message, *reply.more]
    (message,) = [each for each in told if each is not None and not each.deleted]
    picture_of(message)
    assert message.is_private


async def test_the_end_of_a_session_shows_how_it_went_too(table: Game) -> None:
    await table.play("gm: /doom add dice:2d8", "gm: /pp give who:all")
    reply = await table.play("gm: /session end")
    alt, _ = picture_of(reply.message)
    assert alt.endswith("Scene The docks: doom dice 2, 4; PP 2, 4.")
    assert reply.text.startswith("Session 1 ends\nThe docks.")


async def test_the_recap_shows_how_doom_and_points_went(table: Game) -> None:
    await table.play("gm: /doom add dice:2d8", "gm: /pp give who:Alice", "gm: /scene start name:Roof")
    reply = await table.says("alice: /session recap")
    alt, file = picture_of(reply.message)
    assert reply.private
    assert file.name == "session.png"
    assert alt == (
        "Session 1: doom dice and PP. At first: doom dice 0, 2; PP 0, 2. "
        "Scene The docks: doom dice 2, 4; PP 2, 3. Scene Roof: doom dice 4; PP 3."
    )
    shared = await table.alice.press(reply, "Share")
    assert not shared.private
    assert picture_of(shared.message)[0] == alt
    assert shared.text == reply.text


async def test_what_was_undone_is_not_in_the_chart(table: Game) -> None:
    await table.play("gm: /doom add dice:2d8", "gm: /undo")
    alt, _ = picture_of((await table.says("alice: /session recap")).message)
    assert "Scene The docks: doom dice 2; PP 2." in alt


async def test_where_nothing_has_happened_there_is_no_chart(game: Game) -> None:
    reply = await game.says("alice: /session recap")
    assert reply.message is not None
    assert (reply.message.files, reply.text) == ([], "Nothing has happened in this session yet.")


async def test_charts_are_drawn_beside_the_loop(table: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def note(*_: Any) -> Picture:
        drawn.append(threading.current_thread().name)
        return Picture("chart.png", PNG, "A chart")

    def noted(*_: Any, is_last: bool) -> tuple[Picture]:
        return (note(),)

    monkeypatch.setattr("bot.cogs.cortex.roll.odds_chart", note)
    monkeypatch.setattr("bot.services.sessions.session_charts", noted)
    await odds(table)
    await table.says("alice: /session recap")
    assert [name.startswith("aside") for name in drawn] == [True, True]
