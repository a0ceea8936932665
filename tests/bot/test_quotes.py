"""`Keep for the chronicle`: by the leave of who wrote it, once, and taken out again for good."""

import asyncio
import json
import re

import pytest

from bot.language.printers import as_typed
from bot.loopback.model import Message, Permission
from bot.loopback.people import Person
from bot.loopback.reply import BotReply, buttons_of
from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_moving import file_of
from tests.bot.test_privacy import rows
from tests.game import Game

MENU = "Keep for the chronicle"
LIES = "The **map** lies.\n1. Run, @everyone! \\o/"
KEPT = "“The **map** lies. 1. Run, @everyone! \\o/”"


def shown(reply: BotReply) -> Message:
    assert reply.message is not None
    return reply.message


def labels(message: Message) -> list[str]:
    return [each.label or "" for each in buttons_of(message)]


async def log(game: Game) -> list[str]:
    """The lines of the log, newest first."""
    lines = as_typed((await game.says("gm: /log")).text).splitlines()
    return [re.sub(", <t:[0-9]+:t>", "", each) for each in lines if not each.endswith(":D>")]


async def kept(game: Game) -> int:
    """How often something is kept, by the log."""
    return sum("Quoted: " in line for line in await log(game))


async def said(game: Game, line: str) -> Message:
    """What somebody says as a character."""
    await game.says(line)
    return game.discord.messages()[-1]


async def asked(game: Game, text: str = LIES) -> tuple[Message, BotReply]:
    """Alice's message, and the answer to Bob, who would keep it."""
    written = await game.alice.write(text)
    return written, await game.bob.menu_command(MENU, written)


async def test_whoever_wrote_it_is_asked_and_keeps_it_also_after_a_restart(table: Game) -> None:
    number = (await seen(table))[1].number
    _, question = await asked(table)
    message = shown(question)
    assert not question.private
    assert message.pings == {table.alice.id}
    assert "Nothing is kept unless the author presses Keep." in question.text
    assert "map" not in rows(table)
    assert (await seen(table))[1].number == number
    await table.restart()
    for other in (table.bob, table.gm):
        refused = await other.press(message, "Keep")
        assert is_refused(refused)
        assert "Only the author of that message can keep it." in refused.text
    assert (await table.alice.press(message, "Keep")).updated
    assert labels(message) == ["Take it out"]
    assert (await log(table))[0].endswith(f"alice: Quoted: alice: {KEPT}")
    await table.play("alice: /undo")
    assert await kept(table) == 2  # the step, and that it is undone
    assert "Quoted" not in (await table.says("alice: /session recap")).text


async def test_two_presses_at_once_keep_it_once(table: Game) -> None:
    written, first = await asked(table)
    second = await table.gm.menu_command(MENU, written)
    await asyncio.gather(*(table.alice.press(each, "Keep") for each in (first, second)))
    assert await kept(table) == 1
    for each in (first, second):
        assert labels(shown(each)) == ["Take it out"]


async def test_one_message_that_several_long_press_at_once_is_kept_once(table: Game) -> None:
    line = await said(table, "alice: /say text:Over here")
    await asyncio.gather(*(who.menu_command(MENU, line) for who in (table.alice, table.bob, table.gm)))
    assert await kept(table) == 1


async def test_ones_own_message_is_kept_at_once_with_the_names_in_it(table: Game) -> None:
    written = await table.alice.write(f"{table.bob.mention} lies\u200b")
    reply = await table.alice.menu_command(MENU, written)
    assert not reply.private
    assert shown(reply).pings == frozenset()
    assert reply.text == "Quoted: alice: “@bob lies”"
    again = await table.alice.menu_command(MENU, written)
    assert again.private
    assert again.text == "That message is already kept for the chronicle.\nQuoted: alice: “@bob lies”"
    assert labels(shown(again)) == ["Take it out"]
    assert labels(shown(await table.bob.menu_command(MENU, written))) == []


@pytest.mark.parametrize("right", [True, False], ids=["by webhook", "as a card"])
async def test_what_a_character_says_is_kept_at_once_by_anybody_at_the_table(
    table: Game, right: bool
) -> None:
    await table.play("gm: /gmc new name:Rex (old) dice:Fangs d8")
    if not right:
        table.discord.forbid(table.discord.table, Permission.MANAGE_WEBHOOKS)
    line = await said(table, "alice: /say text:**Over** here\nnow")
    assert as_typed((await table.bob.menu_command(MENU, line)).text) == "Quoted: Alice: “**Over** here now”"
    line = await said(table, "gm: /say text:Grr as:Rex (old)")
    assert (await table.alice.menu_command(MENU, line)).text == "Quoted: Rex (old): “Grr”"
    await table.play("gm: /scene end")
    recap = (await table.says("alice: /session recap")).text
    assert "Alice: “**Over** here now” Rex (old): “Grr”" in as_typed(recap)
    await table.play("gm: /session end")
    page = await table.says("bob: /chronicle as:Markdown")
    assert "**Over** here now" in file_of(page).decode().replace("\\", "")


PLURALKIT = 466378653216014359


@pytest.mark.parametrize("application", [PLURALKIT, 0], ids=["by a bot", "by hand"])
@pytest.mark.parametrize("name", ["Luna", "Mira (she/her)", "Luna | Moon", "Alice", "**Loud**", "L" * 80])
async def test_what_another_bots_webhook_said_is_kept_at_once_by_the_name_shown(
    table: Game, name: str, application: int
) -> None:
    line = table.discord.proxy(name, "The map\nlies", application=application)
    first, again = [await table.bob.menu_command(MENU, line) for _ in range(2)]
    assert as_typed(first.text) == f"Quoted: {name}: “The map lies”"
    assert "already kept" in again.text
    assert await kept(table) == 1
    assert labels(shown(again)) == []
    gms = await table.gm.menu_command(MENU, line)
    assert labels(shown(gms)) == ["Take it out"]
    await table.gm.press(gms, "Take it out")
    assert await kept(table) == 0
    refused = await table.alice.menu_command(MENU, line)
    assert "Ask the GM to keep it again." in refused.text
    for person in (table.bob, table.gm):
        assert as_typed((await person.menu_command(MENU, line)).text) == f"Quoted: {name}: “The map lies”"
        await table.gm.press(await table.gm.menu_command(MENU, line), "Take it out")
    assert await kept(table) == 0


async def test_no_webhook_is_taken_for_a_person(table: Game) -> None:
    line = await said(table, "alice: /say text:Over here")
    await table.forget(table.alice)
    answer = table.discord.proxy("robot", "Done", application=PLURALKIT)
    answer.author.id = answer.webhook = PLURALKIT  # as the answer to a command has it
    for message in (line, answer):
        reply = await table.bob.menu_command(MENU, message)
        assert "No person wrote that message, so nobody can agree to keep it." in reply.text
    empty = await table.bob.menu_command(MENU, table.discord.proxy("Luna", "\u200b"))
    assert "That message has no text to keep." in empty.text
    assert await kept(table) == 0


async def test_what_nobody_can_have_kept_is_refused(table: Game) -> None:
    robot = table.discord.person("robot")
    robot.user.is_bot = True
    line = await said(table, "alice: /say text:Over here")
    elsewhere = table.discord.channel("elsewhere")
    refused = {
        "No person wrote that message, so nobody can agree to keep it.": await robot.write("Beep"),
        "That's the bot's own message.": shown(await table.play("alice: /roll dice:2d6")),
        "That message has no text to keep.": await table.alice.write("\u200b "),
        (
            "That message has 1001 characters; the limit is 1000. Write what matters as a note. "
            "Example: /note text:The map lies"
        ): await table.alice.write("a" * 1001),
        "There's no table in this channel yet.": await table.alice.write("Here", elsewhere),
    }
    before = (await seen(table))[1].number
    for why, message in refused.items():
        reply = await table.alice.menu_command(MENU, message)
        assert is_refused(reply), why
        assert why in reply.text
    stranger = table.person("carol")
    reply = await stranger.menu_command(MENU, await stranger.write("I was here"))
    assert is_refused(reply)
    assert "Only the GM and players with a character can write notes." in reply.text
    assert (await seen(table))[1].number == before
    await table.alice.menu_command(MENU, await table.alice.write("a" * 1000))
    assert await kept(table) == 1
    await table.begin("gm: /campaign new name:Later")
    reply = await table.gm.menu_command(MENU, line)
    assert "That message is from another table, not from this channel's table." in reply.text


async def test_where_people_only_roll_dice_there_is_no_table(game: Game) -> None:
    await game.play("alice: /roll dice:2d6")
    reply = await game.alice.menu_command(MENU, await game.alice.write("Run"))
    assert is_refused(reply)
    assert "There's no table in this channel yet." in reply.text


async def test_a_text_that_is_not_the_one_that_was_asked_about_is_not_kept(table: Game) -> None:
    _, question = await asked(table, "The map lies.")
    message = shown(question)
    (button,) = buttons_of(message)
    message.components = json.loads(json.dumps(message.components).replace("map", "GM"))
    reply = await table.alice.push(message, button)
    assert is_refused(reply)
    assert "That message is out of date, perhaps from another version of the bot." in reply.text
    assert await kept(table) == 0


@pytest.mark.parametrize("who", ["alice", "gm"])
async def test_it_is_taken_out_for_good_by_who_wrote_it_and_by_the_gm(table: Game, who: str) -> None:
    written, question = await asked(table, "Zyzzyva waits")
    await table.alice.press(question, "Keep")
    await table.play("alice: /undo", "alice: /redo", "alice: /undo")
    await table.alice.menu_command(MENU, written)
    message = shown(question)
    await table.restart()
    refused = await table.bob.press(message, "Take it out")
    assert is_refused(refused)
    assert "Only alice and the GM can take that message out." in refused.text
    taken = await table.person(who).press(message, "Take it out")
    assert taken.updated
    assert message.text == "That quote has been removed. The bot keeps nothing from the message."
    assert "Zyzzyva" not in rows(table)
    lines = await log(table)
    assert lines[0].endswith(f"{who}: A quote by alice has been removed")
    assert "A quote by alice, since removed" in lines[1]
    await table.play("alice: /undo", "alice: /redo")
    assert "Zyzzyva" not in rows(table)
    assert "“" not in (await table.says("alice: /session recap")).text


async def test_of_two_who_take_it_out_at_once_one_is_told_that_it_is_gone(table: Game) -> None:
    written = await table.alice.write("Zyzzyva waits")
    public = await table.alice.menu_command(MENU, written)
    alone = await table.gm.menu_command(MENU, written)
    found = await asyncio.gather(
        table.alice.press(public, "Take it out"), table.gm.press(alone, "Take it out")
    )
    assert sorted(map(is_refused, found)) == [False, True]
    assert any("Nothing from that message is kept any more." in each.text for each in found)
    taken, quoted, before, *_ = await log(table)
    assert taken in {f"7. {who}: A quote by alice has been removed" for who in ("alice", "gm")}
    assert quoted == "6. alice: A quote by alice, since removed"
    assert "taken out" not in before


async def test_an_undo_meanwhile_brings_nothing_of_it_back(table: Game) -> None:
    reply = await table.alice.menu_command(MENU, await table.alice.write("Zyzzyva waits"))
    await asyncio.gather(table.alice.press(reply, "Take it out"), table.says("gm: /undo"))
    assert "Zyzzyva" not in rows(table)


async def test_what_a_character_said_and_had_taken_out_is_kept_again_by_its_speaker_alone(
    table: Game,
) -> None:
    line = await said(table, "alice: /say text:Over here")
    await table.alice.press(await table.bob.menu_command(MENU, line), "Take it out")
    refused = await table.gm.menu_command(MENU, line)
    assert is_refused(refused)
    assert "That message was kept, then taken out. Only the author can keep it again." in refused.text
    assert (await table.alice.menu_command(MENU, line)).text == "Quoted: Alice: “Over here”"


async def keeping(game: Game, who: Person, *texts: str) -> None:
    for text in texts:
        await who.menu_command(MENU, await who.write(text))


async def test_who_is_quoted_sees_it_takes_it_along_and_deletes_it(table: Game) -> None:
    await keeping(table, table.alice, "Zyzzyva waits")
    line = await said(table, "alice: /say text:Perihelion nears")
    await table.bob.menu_command(MENU, line)
    await keeping(table, table.bob, "alice knows the way")
    shown_ = (await table.says("alice: /privacy show")).text
    assert "you are quoted: “Zyzzyva waits” and “Perihelion nears”" in shown_
    assert "you are quoted: “alice knows the way”" in (await table.says("bob: /privacy show")).text
    data = json.loads(file_of(await table.says("alice: /privacy export")))
    assert data["tables"][0]["quotes"] == ["Zyzzyva waits", "Perihelion nears"]
    assert "quotes" in (await table.says("alice: /privacy delete")).text
    await table.forget(table.alice)
    left = rows(table)
    assert not any(each in left for each in ("Zyzzyva", "Perihelion", str(table.alice.id), str(line.id)))
    assert "Quoted: bob: “Somebody knows the way”" in "\n".join(await log(table))


async def test_who_never_did_anything_but_is_quoted_is_forgotten_too(table: Game) -> None:
    carol = table.person("carol")
    await table.play("gm: /character new name:Cleo player:@carol")
    line = await said(table, "carol: /say text:Zyzzyva waits")
    await table.bob.menu_command(MENU, line)
    await table.play("gm: /character give name:Cleo player:@bob")
    await table.play(*(["gm: /pp give who:Bob"] * 2))
    assert "you are quoted: “Zyzzyva waits”" in (await carol.slash("/privacy show")).text
    await table.forget(carol)
    assert "Zyzzyva" not in rows(table)
    assert str(carol.id) not in rows(table)


async def test_an_archived_table_keeps_nothing(table: Game) -> None:
    _, question = await asked(table)
    await table.says("gm: /campaign archive")
    for reply in (
        await table.alice.press(question, "Keep"),
        await table.alice.menu_command(MENU, await table.alice.write("The map lies")),
    ):
        assert is_refused(reply)
        assert "Skyfall is archived. /campaign join wakes it." in reply.text
    assert "map" not in rows(table)
