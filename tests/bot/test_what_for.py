"""What a roll was for, said after it was made: by its roller or the GM, until its session ends."""

import asyncio

import pytest

from bot.loopback.forms import OpenForm
from bot.loopback.model import Message
from bot.loopback.reply import BotReply, pressable
from bot.views.question import Pressed
from rules.cortex.model import CORTEX
from rules.values import replace
from tests.bot.test_buttons import is_refused, seen
from tests.game import Game

ASKS = "What was it?"
FIELD = "What the roll was for"


def shown(reply: BotReply) -> Message:
    assert reply.message is not None
    return reply.message


def opened(reply: BotReply) -> OpenForm:
    assert reply.form is not None, reply.text
    return reply.form


async def said(game: Game, who: str, message: Message, note: str) -> BotReply:
    """Somebody says what the roll of a message was for."""
    person = game.person(who)
    return await person.submit(opened(await person.press(message, ASKS)), {FIELD: note})


@pytest.mark.parametrize(
    "line", ["alice: /roll dice:2d6 d8", "alice: /ore roll dice:5d", "gm: /roll dice:2d6 d8"]
)
async def test_who_rolled_says_later_what_it_was_and_all_see_it(table: Game, line: str) -> None:
    message = shown(await table.play(line))
    await said(table, line.partition(":")[0], message, "Force the door")
    assert "Force the door" in message.text
    log = (await table.says("bob: /log")).text.splitlines()
    who = "GM" if line.startswith("gm") else "Alice"
    assert log[1].endswith(f": What {who} rolled for: Force the door")
    assert log[2].endswith("Force the door")


async def test_the_gm_says_it_of_anybodys_and_others_are_told_who_may(table: Game) -> None:
    message = shown(await table.play("alice: /roll dice:2d6 d8"))
    refused = await table.bob.press(message, ASKS)
    assert is_refused(refused)
    assert "Only Alice and the GM can say what that roll was for." in refused.text
    await said(table, "gm", message, "Force the door")
    assert "Force the door" in message.text
    gms = shown(await table.play("gm: /roll dice:2d6 d8"))
    assert "Only the GM can say what a roll of the GM was for" in (await table.bob.press(gms, ASKS)).text


@pytest.mark.parametrize(
    "line",
    [
        "alice: /roll dice:2d6 d8 note:Force the dor",
        "alice: /ore roll dice:5d note:Force the dor",
        "gm: /roll dice:2d6 d8 hidden:true note:Force the dor",
    ],
)
async def test_what_was_said_stands_in_the_form_and_can_be_mended(table: Game, line: str) -> None:
    await table.play("gm: /campaign set setting:hidden GM rolls value:on")
    who, _, command = line.partition(": ")
    person = table.person(who)
    message = shown(await person.slash(command))
    for before, after in (("Force the dor", "Force the doot"), ("Force the doot", "Force the door")):
        form = opened(await person.press(message, ASKS))
        assert [field.default for field in form.fields] == [before]
        answered = await person.submit(form, {FIELD: after})
        message = answered.message or message
        assert after in message.text
        assert before not in message.text
        assert ASKS in [each.label for each in pressable(message)]


async def test_an_old_press_finds_the_note_that_is_there_and_says_it_otherwise(table: Game) -> None:
    message = shown(await table.play("alice: /roll dice:2d6 d8"))
    button = next(each for each in pressable(message) if each.label == ASKS)
    form = opened(await table.gm.push(message, button))
    await said(table, "alice", message, "Force the door")
    again = opened(await table.alice.push(message, button))
    assert [field.default for field in again.fields] == ["Force the door"]
    same = await table.alice.submit(again, {FIELD: "Force the door"})
    assert 'The roll already has that note: "Force the door"' in same.text
    await table.gm.submit(form, {FIELD: "Break the seal"})
    assert "Break the seal" in message.text
    assert "Force the door" not in message.text
    await table.play("gm: /undo")
    await table.at_rest()
    assert "Force the door" in message.text


async def test_two_who_say_it_at_once_are_both_in_the_log_and_a_restart_changes_nothing(table: Game) -> None:
    message = shown(await table.play("alice: /roll dice:2d6 d8"))
    forms = [opened(await person.press(message, ASKS)) for person in (table.alice, table.gm)]
    await table.restart()
    await asyncio.gather(
        table.alice.submit(forms[0], {FIELD: "Force the door"}),
        table.gm.submit(forms[1], {FIELD: "Break the seal"}),
    )
    log = (await table.says("bob: /log")).text
    assert "What Alice rolled for: Force the door" in log
    assert "What Alice rolled for: Break the seal" in log


async def test_a_closed_roll_takes_a_note_until_its_session_ends(table: Game) -> None:
    await table.play("gm: /session end", "gm: /session start", "gm: /scene start name:The docks")
    message = shown(await table.play("alice: /roll dice:2d6 d8"))
    button = next(each for each in pressable(message) if each.label == ASKS)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert [each.label for each in pressable(message)] == [ASKS]
    form = opened(await table.alice.push(message, button))
    await table.alice.submit(form, {FIELD: "Force the door"})
    assert "Force the door" in message.text
    assert message.text.endswith("This roll is closed.")
    assert [each.label for each in pressable(message)] == [ASKS]
    assert "Only Alice and the GM" in (await table.bob.push(message, button)).text
    again = opened(await table.gm.push(message, button))
    assert [field.default for field in again.fields] == ["Force the door"]
    log = (await table.says("bob: /log count:9")).text.splitlines()
    assert sum(line.endswith("Force the door") for line in log) == 2
    await table.play("gm: /session end")
    for reply in (
        await table.alice.push(message, button),
        await table.gm.submit(again, {FIELD: "Break the seal"}),
    ):
        assert is_refused(reply)
        assert "That roll was undone, or its session has ended. Write a note instead" in reply.text


async def test_where_people_only_roll_dice_they_say_it_too(game: Game) -> None:
    message = shown(await game.play("alice: /roll dice:2d6 d8"))
    refused = await game.bob.press(message, ASKS)
    assert "Only alice and the GM can say what that roll was for." in refused.text
    await said(game, "alice", message, "Force the door")
    assert "Force the door" in message.text
    await game.play("alice: /roll dice:2d6 d8")
    assert not (await seen(game))[1].characters


async def test_every_roll_of_a_session_says_what_it_was_for(table: Game) -> None:
    message = shown(await table.play("alice: /roll dice:2d6 d8"))
    await said(table, "alice", message, "Force the door")
    steps = await table.alice.press(await table.says("alice: /session recap"), "Every roll")
    assert sum(line.endswith("Force the door") for line in steps.text.splitlines()) == 2


async def test_a_roll_that_was_undone_takes_no_note(table: Game) -> None:
    message = shown(await table.play("alice: /roll dice:2d6 d8"))
    button = next(each for each in pressable(message) if each.label == ASKS)
    await table.play("alice: /undo")
    assert "That roll was undone" in (await table.alice.push(message, button)).text


async def test_a_hidden_roll_and_what_it_was_for_stay_the_gms(table: Game) -> None:
    await table.play("gm: /campaign set setting:hidden GM rolls value:on")
    made = await table.gm.slash("/roll dice:2d6 d8 hidden:true")
    told = await table.gm.submit(opened(await table.gm.press(made, ASKS)), {FIELD: "Zyzzyva"})
    assert told.private
    assert "Zyzzyva" in told.text
    assert "Only you can see this roll until you reveal it." in told.text
    (roll,) = CORTEX.of((await seen(table))[1]).hidden.values()
    assert roll.note == "Zyzzyva"
    message = shown(await table.play("alice: /roll dice:2d6 d8"))
    button = next(each for each in pressable(message) if each.label == ASKS)
    press = Pressed.read(button.custom_id or "")
    assert press is not None
    forged = replace(button, custom_id=str(replace(press, number=roll.number)))
    assert "That roll was undone" in (await table.alice.push(message, forged)).text
    for line in ("/log", "/session recap", "/table show"):
        assert "Zyzzyva" not in (await table.alice.slash(line)).text
    assert "What GM rolled for: Zyzzyva" in (await table.gm.slash("/log")).text
    revealed = await table.gm.press(told, "Reveal")
    assert "Zyzzyva" in revealed.text


async def test_forms_about_a_roll_are_headed_by_what_it_was_for(table: Game) -> None:
    await table.play("gm: /pp give who:Alice")
    table.dice.show((6, 5, 3, 3, 1))
    message = shown(await table.play("alice: /roll dice:4d6 d8 note:Force the door"))
    assert opened(await table.alice.press(message, "Apply")).title == "Apply d6: Force the door"
    assert opened(await table.alice.press(message, "Spend")).title == "Spend 1 PP: Force the door"
    assert opened(await table.gm.press(message, "Hitches: 1")).title == "Hitches of Alice: Force the door"
