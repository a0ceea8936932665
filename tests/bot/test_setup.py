"""What who manages a server sees of the bot there, and nobody else."""

from pathlib import Path

import pytest

from bot.language.printers import spelled
from bot.loopback.errors import UnknownCommand
from bot.loopback.model import InteractionKind, Permission
from bot.loopback.reply import plain_text
from bot.services.jobs import Keeping
from bot.views.help import FURTHER, MANY, RIGHTS, late_lines, rights_lines, table_words
from tests.game import Game


async def told(game: Game) -> str:
    reply = await game.says("gm: /setup")
    assert reply.private
    assert reply.message is not None
    return plain_text(reply.message.text, game.discord.world)


async def test_nothing_is_missing_and_there_is_no_table_yet(game: Game) -> None:
    text = await told(game)
    assert text.startswith("Permissions in this channel\nThe bot has all 7 permissions it needs.")
    assert "This server has no tables yet. To start one: /campaign new" in text
    assert "Server Settings > Integrations" in text


async def test_what_is_missing_is_told_with_what_it_is_for(game: Game) -> None:
    game.discord.forbid(game.discord.table, Permission.PIN_MESSAGES, Permission.ATTACH_FILES)
    text = await told(game)
    assert "Pin Messages is missing: pinning the table" in text
    assert "Attach Files is missing: charts, and tables and characters as files" in text
    assert "has these permissions: View Channel, Send Messages" in text


async def test_a_backup_that_fails_is_told_to_whoever_hosts_the_bot_until_one_is_made(
    game: Game, tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    folder.write_text("A file where a folder should be.")
    game.keeping = Keeping(folder=folder, every=24)
    game.discord.world.owner = game.gm.user
    await game.restart()
    await game.table()
    assert "backup" not in await told(game)
    await game.advance(hours=25)
    fails = "The automatic backup is failing; the bot's log says why."
    assert f"{fails} There's no backup yet.\nPermissions in this channel" in await told(game)
    game.discord.world.owner = game.alice.user
    await game.restart()
    assert fails not in await told(game), "they manage the server, and another hosts the bot"
    game.discord.world.owner = game.gm.user
    await game.restart()
    assert fails in await told(game)
    folder.unlink()
    await game.advance(hours=3)
    await game.at_rest()
    assert [path.name for path in folder.iterdir()] != []
    assert fails not in await told(game)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("A file where a folder should be.")
    await game.advance(hours=25)
    assert f"{fails} The last backup is from" in await told(game)


def test_shards_that_are_late_are_told_to_whoever_hosts_the_bot() -> None:
    assert late_lines({}) == []
    assert [*map(spelled, late_lines({3: 12.7, 0: 29.9}))] == [
        "Shard 0 is late: its process hasn't responded for 29 s.",
        "Shard 3 is late: its process hasn't responded for 12 s.",
        "After 30 s, a spare process takes over.",
        "",
    ]


def test_each_right_is_told_with_what_is_lost_without_it() -> None:
    assert [*map(spelled, rights_lines({**RIGHTS, **FURTHER}))] == [
        "Permissions in this channel",
        "View Channel is missing: the pinned table, and rolls that stay up to date",
        "Send Messages is missing: the pinned table, X-card and open door",
        "Send Messages in Threads is missing: the pinned table in a thread",
        "Embed Links is missing: links and pictures in messages",
        "Attach Files is missing: charts, and tables and characters as files",
        "Read Message History is missing: finding pinned tables and reminders again",
        "Pin Messages is missing: pinning the table",
        "Create Public Threads is missing (optional): scenes in separate threads",
        "Create Events is missing (optional): the next session in the server's calendar",
        "Manage Webhooks is missing (optional): speaking under a character's name with /say",
    ]


@pytest.mark.parametrize(
    ("channels", "where"),
    [(0, "in no channel"), (MANY, "#1, #2, #3, #4, #5, #6, #7, #8, #9, #10"), (MANY + 2, "#10 and 2 more")],
)
def test_a_table_is_told_with_some_of_its_channels(channels: int, where: str) -> None:
    told = spelled(table_words("Skyfall", [], range(1, channels + 1), archived=False))
    assert told.startswith("Skyfall: GM nobody (open to everyone); ")
    assert told.endswith(where)


async def test_the_tables_of_the_server_are_told_with_their_gms_and_channels(table: Game) -> None:
    other = table.discord.channel("other")
    await table.alice.slash("/campaign new name:Deep *Water*", other)
    await table.bob.slash("/asset add what:Rope die:d8", table.discord.channel("third"))
    await table.bob.slash("/roll dice:2d6", table.discord.channel("fourth"))
    far = table.discord.channel("far", guild=table.discord.guild("Far away"))
    await table.alice.slash("/campaign new name:Elsewhere", far)
    text = await told(table)
    assert "Skyfall: GM @gm; #table" in text
    assert "Deep *Water*: GM @alice; #other" in text
    assert "third: GM nobody (open to everyone); #third" in text
    assert "fourth" not in text, "people only roll dice there"
    assert "Elsewhere" not in text


VIEW, SEND, IN_THREADS = (
    Permission.VIEW_CHANNEL,
    Permission.SEND_MESSAGES,
    Permission.SEND_MESSAGES_IN_THREADS,
)
PIN, ATTACH = Permission.PIN_MESSAGES, Permission.ATTACH_FILES
CLOSED = {
    "view": ("table", (VIEW, SEND), "The bot lacks View Channel in #table."),
    "send": ("other", (SEND,), "The bot lacks Send Messages in #other."),
    "pin": ("other", (PIN, ATTACH), "The bot lacks Attach Files and Pin Messages in #other."),
    "log": ("log", (SEND, PIN), "The bot lacks Send Messages in #log."),
    "log alone": ("log", (PIN,), ""),
    "thread": ("thread", (IN_THREADS,), "The bot lacks Send Messages in Threads in #side."),
    "away": ("thread", (IN_THREADS,), "The bot lacks Send Messages in Threads in #side."),
    "another": ("nobody's", (SEND,), ""),
}
"""What is taken from the bot where, and what is said of it."""


@pytest.mark.parametrize("which", CLOSED)
async def test_each_channel_of_a_table_is_checked_wherever_it_is_typed(table: Game, which: str) -> None:
    discord, here = table.discord, table.discord.channel("here")
    places = {name: discord.channel(name) for name in ("table", "other", "log", "nobody's", "parent")}
    places["thread"] = discord.thread("side", parent=places["parent"])
    for name in ("other", "thread"):
        assert (await table.gm.slash("/campaign join name:Skyfall", places[name])).failed is None
    await table.play("gm: /campaign set log:#log")

    async def lacking() -> list[str]:
        reply = await table.gm.slash("/setup", here)
        assert reply.message is not None
        text = plain_text(reply.message.text, discord.world)
        return [line for line in text.splitlines() if "The bot lacks" in line or "is gone" in line]

    assert await lacking() == []
    name, rights, line = CLOSED[which]
    if which == "away":
        discord.archive(places[name])
        await table.restart()  # what is archived is not known from the start
    discord.forbid(places[name], *rights)
    found = await lacking()
    assert len(found) == bool(line)
    assert all(each.endswith(line) for each in found)
    discord.permit(places[name], *rights)
    assert await lacking() == []


THREADS = {
    "a pinned table": "/table pin",
    "the last roll": "/roll dice:2d6",
    "the plan": "/session plan when:in 2 days 20:00 zone:UTC",
    "a scene": "/scene start name:The docks thread:true",
}
"""What the bot writes in a thread that has no table of its own."""


@pytest.mark.parametrize("what", THREADS)
async def test_threads_that_the_bot_writes_in_are_checked(table: Game, what: str) -> None:
    here, home = table.discord.channel("here"), table.discord.table
    if what != "a scene":
        assert (await table.gm.slash(THREADS[what], table.discord.thread("side"))).failed is None
    else:
        assert "Play continues in" in (await table.gm.slash(THREADS[what])).text
    await table.at_rest()
    assert "The bot lacks" not in (await table.gm.slash("/setup", here)).text
    table.discord.forbid(home, IN_THREADS)
    (thread,) = [each for each in table.discord.world.channels.values() if each.parent is home]
    told = (await table.gm.slash("/setup", here)).text
    assert f"The bot lacks Send Messages in Threads in <#{thread.id}>." in told


async def test_a_channel_that_is_locked_is_told_unless_the_bot_may_open_it(table: Game) -> None:
    parent = table.discord.channel("parent")
    side = table.discord.thread("side", parent=parent)
    assert (await table.gm.slash("/campaign join name:Skyfall", side)).failed is None
    table.discord.archive(side, locked=True)
    assert f"<#{side.id}> is gone, or a locked thread." in (await table.says("gm: /setup")).text
    table.discord.permit(parent, Permission.MANAGE_THREADS)
    assert "is gone" not in (await table.says("gm: /setup")).text


async def test_an_archived_table_says_so(table: Game) -> None:
    await table.play("gm: /campaign archive")
    assert "Skyfall (archived): GM @gm" in await told(table)


async def test_many_tables_have_pages(game: Game) -> None:
    for number in range(60):
        await game.gm.slash(f"/campaign new name:{number} {'long ' * 15}", game.discord.channel(f"c{number}"))
    first = await game.says("gm: /setup")
    assert [button.label[:7] for button in first.buttons] == ["Page 2 "]
    second = await game.gm.press(first, "Page 2")
    assert second.message is first.message
    assert "34 long" in second.text


async def test_nobody_else_sees_it(table: Game) -> None:
    with pytest.raises(UnknownCommand):
        await table.says("alice: /setup")
    shown = await table.says("alice: /table show")
    assert shown.message is not None
    data = {"component_type": 2, "custom_id": "dk:setup:0:0:"}
    refused = await table.alice._act(InteractionKind.COMPONENT, shown.message.channel, data, shown.message)
    assert refused.private
    assert "Only members with Manage Server" in refused.text


async def test_what_needs_a_server_is_offered_on_servers_alone(game: Game) -> None:
    alone = {str(command["name"]) for command in game.discord.commands if command["contexts"] == [0]}
    assert alone == {"setup", "say", "whisper"}
