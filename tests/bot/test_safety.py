"""`/safety` as it is met at a table: it works, and nobody is known for it."""

import json
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.loopback.model import EPHEMERAL, AnswerType, Message, Permission
from bot.loopback.people import Person
from bot.loopback.reply import BotReply
from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_late import told_late
from tests.bot.test_privacy import rows
from tests.bot.test_process import serving
from tests.game import Game

CASSANDRA = "Cassandra"
ANONYMOUS = ("/safety x-card", "/safety open-door", "/safety line what:Spiders", "/safety veil what:Gore")


def cassandra(game: Game) -> Person:
    """Somebody who has done nothing here yet, and whose name is nobody else's."""
    return game.discord.person("cassandra", display=CASSANDRA)


def told(game: Game) -> list[Message]:
    """What stands in the channel for all to see."""
    return game.discord.messages()


def is_named(person: Person, text: str) -> bool:
    return str(person.id) in text or person.name in text.casefold()


@pytest.mark.parametrize("line", ANONYMOUS)
async def test_the_channel_is_told_by_a_message_that_answers_nobody(table: Game, line: str) -> None:
    who = cassandra(table)
    before = len(told(table))
    reply = await who.slash(line)
    assert reply.private
    (message,) = told(table)[before:]
    assert message.interaction is None
    assert message.author.is_bot
    assert not is_named(who, repr(message))


@pytest.mark.parametrize(
    ("label", "says"), [("X-card", "Stop here and change course"), ("Open door", "is stepping out")]
)
async def test_the_buttons_of_the_list_do_the_same(table: Game, label: str, says: str) -> None:
    who = cassandra(table)
    shown = await who.slash("/safety show")
    before = len(told(table))
    assert (await who.press(shown, label)).private
    (message,) = told(table)[before:]
    assert says in message.text
    assert message.interaction is None


async def test_neither_the_database_nor_any_message_names_who_did_it(table: Game) -> None:
    who = cassandra(table)
    shown = await who.slash("/safety show")
    for line in ANONYMOUS:
        await who.slash(line)
    await who.submit((await who.press(shown, "Add a line")).form, {"What": "Snakes"})
    refused = await who.submit((await who.press(shown, "Add a veil")).form, {"What": "Gore"})
    assert "is already a veil" in refused.text
    assert refused.buttons == [], "what was typed would be kept with who typed it"
    await who.slash("/safety veil what:Spiders")
    await who.press(shown, "X-card")
    assert "Snakes" in rows(table)
    assert not is_named(who, rows(table))
    assert not [message for message in told(table) if is_named(who, repr(message))]
    assert "nothing about you" in (await who.slash("/privacy show")).text
    log = await table.says("gm: /log")
    assert "Somebody" in log.text
    assert not is_named(who, log.text)


async def test_the_log_names_nobody_however_much_is_logged(tmp_path: Path) -> None:
    async with serving(tmp_path, LOG_LEVEL="DEBUG", LOG_FORMAT="json") as (program, loopback):
        who = loopback.person("cassandra")
        for line in (*ANONYMOUS, ANONYMOUS[0], ANONYMOUS[2]):
            await who.slash(line)
        loopback.forbid(loopback.table, Permission.SEND_MESSAGES)
        await who.slash("/safety veil what:Blood")
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
    assert code == 0
    over = [json.loads(line) for line in printed.splitlines() if '"over"' in line]
    assert "safety x-card" in [line["command"] for line in over]
    assert not is_named(who, printed)
    with closing(sqlite3.connect(tmp_path / "game.db")) as kept:
        assert kept.execute("SELECT count(*) FROM entry WHERE actor_id != 0").fetchone() == (0,)
        assert kept.execute("SELECT count(*) FROM person").fetchone() == (0,)
        assert kept.execute("SELECT count(*) FROM waiting").fetchone() == (0,)


async def test_an_answer_that_comes_late_is_waited_for_alone(table: Game) -> None:
    who = cassandra(table)
    for line in ANONYMOUS[:3]:
        told = table.discord.faults.hold("POST /channels/*/messages")
        reply = await told_late(table, who.slash(line), told)
        assert reply.private
        assert reply.interaction.answer is not None
        assert reply.interaction.answer.type is AnswerType.DEFER_MESSAGE
        assert reply.interaction.answer.data["flags"] & EPHEMERAL, "all would see who it is"


async def test_what_another_delivery_has_done_is_told_alone(table: Game) -> None:
    reply = await cassandra(table).slash("/safety line what:Spiders")
    done = await table.bot.play.done_by(reply.interaction.id)
    assert done is not None
    assert done.card.private


@pytest.mark.parametrize("line", ANONYMOUS[:2])
async def test_a_channel_is_told_once_in_a_while_whoever_asks(table: Game, line: str) -> None:
    await cassandra(table).slash(line)
    before = len(told(table))
    again = await table.alice.slash(line)
    assert is_refused(again)
    assert "less than 30 seconds ago" in again.text
    assert len(told(table)) == before
    other = table.discord.channel("other")
    assert "The channel has been told" in (await table.alice.slash(line, other)).text
    assert len(table.discord.messages(other)) == 1


async def test_a_second_line_soon_after_is_kept_and_not_told(table: Game) -> None:
    await table.alice.slash("/safety line what:Spiders")
    before = len(told(table))
    reply = await table.bob.slash("/safety veil what:Gore")
    assert "To see your change in the list: /safety show" in reply.text
    assert len(told(table)) == before
    assert "Veils: Gore" in (await table.says("bob: /safety show")).text


@pytest.mark.parametrize(
    ("right", "name"),
    [(Permission.SEND_MESSAGES, "Send Messages"), (Permission.VIEW_CHANNEL, "View Channel")],
)
async def test_where_the_bot_may_not_write_the_missing_right_is_told_alone(
    table: Game, right: Permission, name: str
) -> None:
    table.discord.forbid(table.discord.table, right)
    table.discord.close_dm(table.gm)
    before = len(told(table))
    for line in ANONYMOUS:
        reply = await table.alice.slash(line)
        assert reply.private
        assert name in reply.text
    assert len(told(table)) == before
    table.discord.table.app_permissions |= right
    assert "The channel has been told" in (await table.alice.slash("/safety x-card")).text, (
        "none was told before"
    )
    _, now = await seen(table)
    assert (list(now.lines.values()), list(now.veils.values())) == (["Spiders"], ["Gore"])


async def test_where_discord_does_not_take_it_the_channel_is_not_told(table: Game) -> None:
    table.discord.faults.lose("POST /channels/*/messages", times=2)
    reply = await table.says("alice: /safety x-card")
    assert reply.private
    assert "Discord didn't accept the message, so the channel wasn't told. Try again." in reply.text


async def test_in_a_thread_the_right_for_threads_is_named(table: Game) -> None:
    thread = table.discord.thread("aside")
    assert "The channel has been told" in (await table.alice.slash("/safety x-card", thread)).text
    table.discord.forbid(thread, Permission.SEND_MESSAGES_IN_THREADS, Permission.SEND_MESSAGES)
    table.discord.close_dm(table.gm)
    assert "Send Messages in Threads" in (await table.alice.slash("/safety open-door", thread)).text


async def test_the_gm_takes_an_entry_back_and_puts_it_back_and_who_added_it_does_not(table: Game) -> None:
    await table.alice.slash("/safety line what:Spiders")
    number, _ = await seen(table)
    assert is_refused(await table.says(f"alice: /undo step:{number}"))
    assert "New line: Spiders" in (await table.play(f"gm: /undo step:{number}")).text
    assert (await seen(table))[1].lines == {}
    await table.play("gm: /redo")
    assert (await seen(table))[1].lines == {"spiders": "Spiders"}


async def test_a_plain_undo_leaves_lines_and_veils_alone(table: Game) -> None:
    await table.play("gm: /doom add dice:d10")
    await table.alice.slash("/safety line what:Spiders")
    await table.alice.slash("/safety veil what:Gore")
    assert "Undone: Doom pool: 2d6 again" in (await table.play("gm: /undo")).text
    now = (await seen(table))[1]
    assert (list(now.lines), list(now.veils)) == (["spiders"], ["gore"])


async def test_where_there_is_nothing_else_the_number_is_asked_for(game: Game) -> None:
    await game.says("alice: /safety line what:Spiders")
    refused = await game.says("bob: /undo")
    assert is_refused(refused)
    assert "The only steps left to undo are lines, veils and other people's answers" in refused.text
    assert refused.text.endswith("Example: /undo step:1")
    assert "New line: Spiders" in (await game.play("bob: /undo step:1")).text


async def test_who_may_take_back_nothing_is_sent_to_the_gm_and_to_nobody_nameless(table: Game) -> None:
    await table.alice.slash("/safety line what:Spiders")
    await table.play("gm: /scene end", "gm: /undo")
    refused = (await table.says("zoe: /undo")).text
    assert refused == "None of these steps is yours to undo. Ask the GM."
    assert "Somebody" not in refused


async def test_the_gm_removes_and_a_table_without_one_lets_everybody(game: Game) -> None:
    await game.says("alice: /safety line what:Spiders")
    assert "Line removed: Spiders" in (await game.says("bob: /safety remove what:spi")).text


async def test_suggestions_are_the_list(table: Game) -> None:
    await table.alice.slash("/safety line what:Spiders")
    await table.alice.slash("/safety veil what:Gore")
    found = await table.gm.complete("/safety remove what:")
    assert [choice.value for choice in found] == ["Spiders", "Gore"]


async def test_without_a_table_all_of_it_works(game: Game) -> None:
    assert "There are none yet" in (await game.says("alice: /safety show")).text
    assert "The channel has been told" in (await game.says("alice: /safety x-card")).text
    refused = await game.says("alice: /safety remove what:Gore")
    assert 'There\'s no line or veil called "Gore".' in refused.text
    shown = await game.says("alice: /safety show")
    added = await game.alice.submit((await game.alice.press(shown, "Add a veil")).form, {"What": "Gore"})
    assert "New veil: Gore" in added.text
    assert "Veils: Gore" in (await game.says("bob: /safety show")).text


async def test_in_direct_messages_all_of_it_works(game: Game) -> None:
    own = game.discord.dm(game.alice)
    for line in ANONYMOUS:
        reply = await game.alice.slash(line, own)
        assert "Nobody can see that it was you" in reply.text


async def join(game: Game, name: str) -> BotReply:
    await game.says("gm: /table pin")
    who = game.person(name.casefold())
    return await who.submit((await who.press(game.discord.pins()[0], "Join")).form, {"Name": name})


async def test_who_joins_is_told_the_lines_and_veils(table: Game) -> None:
    assert "A line" not in (await join(table, "Dora")).text
    await table.alice.slash("/safety line what:Spiders")
    for reply in (await join(table, "Carol"), await table.says("dave: /character new name:Dave")):
        assert "A line never comes up in play" in reply.text
        assert "Lines: Spiders" in reply.text
    for number in range(4):
        await table.alice.slash(f"/safety veil what:{number} {'gore ' * 18}")
    long = await table.says("erin: /character new name:Erin")
    assert "This table has 5 lines and veils. To see them: /safety show" in long.text
    assert "gore" not in long.text


async def test_a_file_of_the_table_keeps_the_list(table: Game, tmp_path: Path) -> None:
    await table.alice.slash("/safety line what:Spiders")
    await table.alice.slash("/safety veil what:Gore")
    export = await table.says("gm: /campaign export")
    elsewhere = table.discord.channel("elsewhere")
    assert export.message is not None
    (file,) = export.message.files
    path = tmp_path / "skyfall.json"
    path.write_bytes(file.data)
    asked = await table.gm.slash(f"/campaign import file:{path}", elsewhere)
    await table.gm.press(asked, "Import")
    shown = await table.gm.slash("/safety show", elsewhere)
    assert "Lines: Spiders" in shown.text
    assert "Veils: Gore" in shown.text
