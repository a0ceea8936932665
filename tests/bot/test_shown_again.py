"""What was deleted is shown again: open rolls, contests and the plan, which go on in both messages."""

import pytest

from bot.loopback.model import Message
from bot.loopback.reply import BotReply, buttons_of
from rules.cortex.model import CORTEX
from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_dates import WHEN
from tests.game import Game


def message(reply: BotReply) -> Message:
    assert reply.message is not None
    return reply.message


def labels(reply: BotReply) -> list[str]:
    return [button.label for button in reply.buttons if button.label.startswith("Show")]


async def rolled(table: Game) -> BotReply:
    """Alice has beaten 7, and has an effect to apply."""
    table.dice.show((9, 7, 2, 3))
    return await table.play("alice: /roll dice:d10 d8 2d6 vs:7")


@pytest.mark.parametrize("is_deleted", [True, False])
@pytest.mark.parametrize("how", ["waiting", "show"])
async def test_an_open_roll_is_shown_again_and_played_on(table: Game, how: str, is_deleted: bool) -> None:
    first = await rolled(table)
    if is_deleted:
        await table.discord.delete_message(message(first))
    if how == "waiting":
        waiting = await table.says("bob: /table waiting")
        assert labels(waiting) == ["Show"]
        await table.restart()
        again = await table.bob.press(waiting, "Show")
    else:
        again = await table.says("alice: /roll dice:Show")
    assert not again.private
    assert "Total 12, effect d10" in again.text
    assert [each.label for each in again.buttons] == [each.label for each in buttons_of(message(first))]
    await table.alice.press(again, "Total 16, effect d8")
    assert "Total 16, effect d8" in message(again).text.replace("**", "")
    await table.at_rest()
    if not is_deleted:
        assert "Total 16, effect d8" in message(first).text.replace("**", "")
        await table.alice.press(first, "Total 12, effect d10")
        await table.at_rest()
        assert "Total 12, effect d10" in message(again).text.replace("**", "")
    link = f"/{message(again).id}"
    assert link in (await table.says("bob: /table waiting")).text
    await table.play("gm: /scene end")
    await table.at_rest()
    assert "This roll is closed" in message(again).text


async def test_a_contest_goes_on_in_the_message_that_shows_its_question_again(table: Game) -> None:
    table.dice.show((5, 4, 2), (6, 5, 2))
    first = await table.play("bob: /contest start dice:2d8 d6 against:Alice note:the map")
    await table.discord.delete_message(message(first))
    again = await table.alice.press(await table.says("alice: /table waiting"), "Show")
    assert "Alice: beat 9 or give in." in again.text
    form = (await table.alice.press(again, "Roll against")).form
    assert form is not None
    answer = await table.alice.submit(form, {"Dice": "2d8 d6"})
    assert "Alice, vs 9: success by 2" in answer.text
    await table.at_rest()
    assert "beat 9 or give in" not in message(again).text


@pytest.mark.parametrize("how", ["/session plan", "Show"])
async def test_a_plan_is_shown_again_and_answered_there(table: Game, how: str) -> None:
    first = await table.play(f"gm: /session plan {WHEN} note:Snacks")
    await table.discord.delete_message(message(first))
    waiting = await table.says("alice: /table waiting")
    assert labels(waiting) == ["Show"]
    assert "Next session: " in waiting.text
    await table.restart()
    again = await (table.says("gm: /session plan") if how != "Show" else table.alice.press(waiting, how))
    assert not again.private
    assert not message(again).pings
    assert "Snacks" in again.text
    await table.bob.press(again, "I'm in")
    assert "In: gm and Bob" in message(again).text
    assert f"/{message(again).id}" in (await table.says("alice: /table waiting")).text


async def test_a_poll_is_shown_again_and_answered_there(table: Game) -> None:
    first = await table.play("gm: /session plan when:tomorrow 19:30, in 3 days 20:00 zone:UTC")
    await table.discord.delete_message(message(first))
    again = await table.says("gm: /session plan")
    suits = again.buttons[0].label
    await table.alice.press(again, suits)
    assert "**2**, gm and Alice" in message(again).text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("gm: /session plan", "No session is planned. To plan one: /session plan when:sat 19:30"),
        ("gm: /session plan note:Snacks", "Add when the session is. Example: /session plan when:sat 19:30"),
        ("bob: /roll dice:show", "You have no open roll."),
        ("bob: /roll dice:show who:Alice", "Alice has no open roll."),
    ],
)
async def test_where_nothing_is_open_it_says_so(table: Game, line: str, why: str) -> None:
    reply = await table.says(line)
    assert is_refused(reply)
    assert why in reply.text


async def test_what_is_over_is_not_shown_again(table: Game) -> None:
    await rolled(table)
    await table.play(f"gm: /session plan {WHEN}")
    waiting = await table.says("bob: /table waiting")
    assert labels(waiting) == ["Show: Alice", "Show: the plan"]
    await table.play("gm: /scene end", "gm: /session plan when:in 3 days 20:00 zone:UTC")
    reply = await table.bob.press(waiting, "Show: Alice")
    assert is_refused(reply)
    assert "That's over. To see what's still waiting: /table waiting" in reply.text


async def test_each_button_says_what_it_shows(table: Game) -> None:
    table.dice.show((9, 7, 2, 3), (9, 7, 2, 3), (8, 7))
    await table.play(
        "alice: /roll dice:d10 d8 2d6 vs:7",
        "bob: /roll dice:d10 d8 2d6 vs:7",
        "gm: /gmc new name:Rex dice:Fangs d8, Claws d8",
        "gm: /gmc roll name:Rex dice:2d8 on:Alice",
    )
    shown = labels(await table.says("bob: /table waiting"))
    assert shown == ["Show: Alice: 1 effect", "Show: Bob", "Show: Alice: 1 answer"]


async def test_show_is_completed_and_names_nothing(table: Game) -> None:
    assert "show" in [str(each.value) for each in await table.alice.complete("/roll dice:sh")]
    assert "show" not in [str(each.value) for each in await table.alice.complete("/odds dice:sh")]
    before = (await seen(table))[1]
    assert is_refused(await table.says("alice: /roll dice:show"))
    assert (await seen(table))[1] == before
    table.dice.show((5, 4, 2))
    assert "Show d8" in (await table.play("alice: /roll dice:Show d8 2d6")).text
    assert CORTEX.of((await seen(table))[1]).rolls
    refused = await table.says("alice: /pool save name:show dice:2d6")
    assert "already means something in a dice pool" in refused.text


async def test_a_hidden_roll_is_not_shown_again(table: Game) -> None:
    table.dice.show((5, 4))
    await table.says("gm: /roll dice:2d8 hidden:true")
    assert labels(await table.says("gm: /table waiting")) == []
    assert is_refused(await table.says("gm: /roll dice:show"))


async def test_a_roll_of_one_roll_is_shown_again(ore: Game) -> None:
    ore.dice.show((3, 3, 7))
    first = await ore.play("alice: /ore roll dice:3d 1w")
    await ore.discord.delete_message(message(first))
    waiting = await ore.says("alice: /table waiting")
    assert labels(waiting) == ["Show"]
    again = await ore.alice.press(waiting, "Show")
    assert not again.private
    assert [each.label for each in again.buttons] == [each.label for each in first.buttons]


@pytest.mark.parametrize("rollers", [("alice",), ("alice", "bob"), ("alice", "alice")])
async def test_earlier_hitches_are_shown_again_and_activated_there(
    table: Game, rollers: tuple[str, ...]
) -> None:
    firsts = []
    for face, who in enumerate(rollers, 3):
        table.dice.show((1, face, 4), (2, 3, 4))
        firsts.append(await table.play(f"{who}: /roll dice:3d6"))
        await table.play(f"{who}: /roll dice:3d6")
    for first in firsts:
        await table.discord.delete_message(message(first))
    waiting = await table.says("gm: /table waiting")
    assert f"From earlier rolls: {rollers[0].title()} 1 hitch" in waiting.text
    shows = labels(waiting)
    assert len(shows) == len(set(shows)) == len(rollers)
    await table.restart()
    for label in shows:
        again = await table.gm.press(waiting, label)
        done = await table.gm.press(again, "Hitches: 1")
        assert done.failed is None
    await table.at_rest()
