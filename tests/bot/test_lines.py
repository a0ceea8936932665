"""Broken lines: a connection cut at the answer or at an edit, before Discord had it or after."""

from collections.abc import AsyncIterator

import pytest

from tests.bot.test_buttons import seen
from tests.cut import Proxy, proxied
from tests.game import Game

CALLBACK = "POST /api/v10/interactions/*/callback"
EDIT = "PATCH /api/v10/channels/*/messages/*"
WHEN = pytest.mark.parametrize("after", [False, True], ids=["before", "after"])


@pytest.fixture
async def line(table: Game) -> AsyncIterator[Proxy]:
    """The table's line to Discord, which can be cut."""
    async with proxied() as proxy:
        yield proxy


@WHEN
async def test_a_reply_whose_connection_is_cut_arrives_once(table: Game, line: Proxy, *, after: bool) -> None:
    messages, (steps, _) = len(table.discord.messages()), await seen(table)
    line.cut(CALLBACK, after=after)
    reply = await table.says("gm: /pp give who:Alice")
    assert line.done
    assert "Alice: 2 PP" in reply.text
    assert len(table.discord.messages()) == messages + 1
    assert (await seen(table))[0] == steps + 1


@WHEN
async def test_a_roll_whose_connection_was_cut_is_followed_like_any_other(
    table: Game, line: Proxy, *, after: bool
) -> None:
    table.dice.show((9, 7, 2, 3))
    line.cut(CALLBACK, after=after)
    reply = await table.says("alice: /roll dice:d10 d8 2d6")
    assert reply.message is not None
    await table.play("gm: /scene end")
    await table.at_rest()
    assert "This roll is closed" in reply.text


async def test_a_roll_whose_answer_was_reported_lost_is_followed_like_any_other(table: Game) -> None:
    table.discord.faults.fail("POST /interactions/*/callback", 502, takes_effect=True)
    reply = await table.says("alice: /roll dice:d10 d8 2d6")
    await table.play("gm: /scene end")
    await table.at_rest()
    assert "This roll is closed" in reply.text


@WHEN
async def test_a_press_whose_connection_is_cut_is_shown(table: Game, line: Proxy, *, after: bool) -> None:
    table.dice.show((9, 7, 2, 3))
    rolled = await table.play("alice: /roll dice:d10 d8 2d6")
    line.cut(CALLBACK, after=after)
    pressed = await table.alice.press(rolled, "Total 12, effect d8")
    assert line.done
    assert pressed.failed is None
    assert "Total 12, effect d8" in rolled.text.splitlines()[0]


@WHEN
async def test_a_form_opens_and_is_answered_over_a_line_that_is_cut(
    table: Game, line: Proxy, *, after: bool
) -> None:
    table.dice.show((9, 7, 2, 3), (3, 4))
    rolled = await table.play("alice: /roll dice:d10 d8 2d6")
    line.cut(CALLBACK, after=after)
    opened = await table.gm.press(rolled, "Oppose")
    line.cut(CALLBACK, after=after)
    sent = await table.gm.submit(opened.form, {"Dice": "2d6"})
    assert len(line.done) == 2
    assert sent.failed is None
    assert "vs 7" in rolled.text


@WHEN
async def test_share_works_over_a_line_that_is_cut(table: Game, line: Proxy, *, after: bool) -> None:
    shown = await table.says("alice: /table show")
    line.cut(CALLBACK, after=after)
    shared = await table.alice.press(shown, "Share")
    assert not shared.private
    assert shared.message is not None
    assert [message.text for message in table.discord.messages()].count(shared.message.text) == 1


@WHEN
async def test_the_second_page_of_an_answer_arrives_over_a_line_that_is_cut(
    table: Game, line: Proxy, *, after: bool
) -> None:
    await table.play(*(f'gm: /asset add what:"{"Long " * 18}{n}" who:scene' for n in range(39)))
    line.cut("POST /api/v10/webhooks/*", after=after)
    ended = await table.says("gm: /scene end")
    await table.at_rest()
    assert line.done
    assert ended.more
    assert "Long Long" in ended.more[-1].text


@WHEN
async def test_an_edit_of_the_pinned_table_that_is_cut_is_tried_again(
    table: Game, line: Proxy, *, after: bool
) -> None:
    await table.says("gm: /table pin")
    (pinned,) = table.discord.pins()
    line.cut(EDIT, after=after)
    await table.play("gm: /pp give who:Alice")
    await table.at_rest()
    assert line.done
    assert "Alice: 2 PP" in pinned.text
    assert table.discord.pins() == [pinned]


@WHEN
async def test_pinning_over_a_line_that_is_cut_pins_one_table(
    table: Game, line: Proxy, *, after: bool
) -> None:
    messages = len(table.discord.messages())
    line.cut("POST /api/v10/channels/*/messages", after=after)
    await table.says("gm: /table pin")
    assert len(table.discord.pins()) == 1
    assert len(table.discord.messages()) == messages + 1


@WHEN
async def test_an_edit_of_a_shown_roll_that_is_cut_is_tried_again(
    table: Game, line: Proxy, *, after: bool
) -> None:
    table.dice.show((9, 7, 2, 3))
    rolled = await table.play("alice: /roll dice:d10 d8 2d6")
    line.cut(EDIT, after=after)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert line.done
    assert "This roll is closed" in rolled.text


async def test_a_channel_whose_line_is_cut_keeps_no_other_waiting(table: Game) -> None:
    thread = table.discord.thread("side")
    lost = await table.alice.slash("/roll dice:2d6", channel=thread)
    kept = await table.bob.slash("/roll dice:2d6")
    await table.gm.slash("/table pin", channel=thread)
    await table.says("gm: /table pin")
    table.discord.faults.lose(f"PATCH /channels/{thread.id}/messages/*", times=100)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert "This roll is closed" in kept.text
    assert "The docks" not in table.discord.pins()[0].text
    table.discord.faults.waiting.clear()
    await table.at_rest()
    assert "This roll is closed" in lost.text
