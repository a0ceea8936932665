"""A scene in a thread of its own: the same table, and its story in the channel at its end."""

import asyncio

import pytest

from bot.client.threads import SceneThreads
from bot.loopback.model import Channel, Permission
from bot.loopback.world import THREAD
from tests.game import Game

DOCKS = "gm: /scene start name:The docks again thread:true"
TABLE = '{"doomkeeper": "table", "version": 1, "table": {"name": "Deep Water"}}'


def threads(game: Game) -> list[Channel]:
    """The threads there are, oldest first."""
    return [place for place in game.discord.world.channels.values() if place.kind == THREAD]


def is_away(place: Channel) -> bool:
    """Whether a thread is put away."""
    return place.archived


def told(place: Channel) -> list[str]:
    """What stands in a place, oldest first."""
    return [message.text for message in place.messages.values()]


def stories(game: Game) -> int:
    """How often the channel is told of the map."""
    return len([text for text in told(game.discord.table) if text.endswith("again.** “A map”")])


async def test_a_scene_is_played_in_its_thread_and_told_in_the_channel_at_its_end(table: Game) -> None:
    table.dice.show((6, 5))
    begun = await table.play(DOCKS)
    (thread,) = threads(table)
    assert thread.name == "The docks again"
    assert begun.text.endswith(f"Play continues in <#{thread.id}>.")
    assert begun.message is not None
    assert begun.message.channel is table.discord.table
    assert told(thread)[0].startswith("### Scene The docks again")
    rolled = await table.alice.slash("/roll dice:2d6 vs:5", channel=thread)
    assert "Total 11" in rolled.text
    await table.restart()
    await table.play("gm: /comp add what:Lost who:Alice die:d8")
    assert not is_away(thread)
    await table.gm.slash("/scene end", channel=thread)
    await table.at_rest()
    assert is_away(thread)
    story = told(table.discord.table)[-1]
    assert story.startswith(
        "**The docks again.** Alice came away with Lost d8. And 1 other roll.\n"
        "Highest total: Alice **11** vs 5"
    )
    before = len(told(table.discord.table))
    await table.play("gm: /scene start name:The roof", "gm: /scene end")
    assert len(told(table.discord.table)) == before + 2, "a scene without a thread is not told again"


async def test_the_next_scene_puts_the_thread_away_and_has_one_of_its_own(table: Game) -> None:
    await table.play(DOCKS, "gm: /note text:A map", DOCKS)
    first, second = threads(table)
    await table.at_rest()
    assert first.archived
    await table.play("gm: /scene start name:The roof")
    await table.at_rest()
    assert second.archived
    stories = [text for text in told(table.discord.table) if text.startswith("**The ")]
    assert len([text for text in stories if "A map" in text]) == 1


async def test_from_within_a_thread_the_channel_gets_another(table: Game) -> None:
    side = table.discord.thread("side")
    asked = await table.gm.slash(DOCKS.removeprefix("gm: "), channel=side)
    await table.gm.press(asked, "End it and start the next one here")
    assert [place.parent for place in threads(table)] == [table.discord.table, table.discord.table]


async def test_without_the_right_the_scene_begins_and_says_what_is_missing(table: Game) -> None:
    table.discord.table.app_permissions &= ~Permission.CREATE_PUBLIC_THREADS
    begun = await table.play(DOCKS)
    assert "Scene The docks again begins" in begun.text
    assert "the bot needs Create Public Threads in this channel" in begun.text
    assert not threads(table)
    assert "Create Public Threads is missing" in (await table.says("gm: /setup")).text
    table.discord.table.app_permissions |= Permission.CREATE_PUBLIC_THREADS
    table.discord.faults.fail("/threads", 400, code=50024)
    assert "Discord didn't open a thread" in (await table.play(DOCKS)).text


async def test_a_thread_that_is_deleted_or_a_silent_channel_stops_nothing(table: Game) -> None:
    await table.play(DOCKS, "gm: /note text:A map")
    (thread,) = threads(table)
    await table.discord.delete_channel(thread)
    table.discord.table.app_permissions &= ~Permission.SEND_MESSAGES
    assert "ends" in (await table.play("gm: /scene end")).text
    assert "Scene The roof begins" in (await table.play("gm: /scene start name:The roof")).text


async def test_a_scene_that_is_undone_is_not_told(table: Game) -> None:
    before = len(told(table.discord.table))
    await table.play(DOCKS, "gm: /undo")
    (thread,) = threads(table)
    await table.at_rest()
    assert is_away(thread)
    assert len(told(table.discord.table)) == before + 2, "only the answers"


async def test_a_scene_whose_end_was_undone_before_it_was_told_goes_on_in_its_thread(table: Game) -> None:
    follower = table.bot.threads.later
    follower.pause = 300.0
    await table.play(DOCKS, "gm: /note text:A map", "gm: /scene end", "gm: /undo")
    (thread,) = threads(table)
    await follower.flush()
    assert not is_away(thread)
    await table.play("gm: /redo")
    await table.at_rest()
    assert is_away(thread)
    assert stories(table) == 1


async def test_a_table_that_is_brought_from_a_file_ends_the_scene(table: Game) -> None:
    await table.play(DOCKS, "gm: /note text:A map")
    (thread,) = threads(table)
    shown = await table.says(f"gm: /campaign import text:{TABLE}")
    assert not is_away(thread)
    assert (await table.gm.press(shown, "Import")).failed is None
    await table.at_rest()
    assert is_away(thread)
    assert stories(table) == 1


@pytest.mark.parametrize("has_claimed", [False, True])
async def test_a_killed_bot_puts_the_thread_away_after_the_next_start(table: Game, has_claimed: bool) -> None:
    follower = table.bot.threads.later
    follower.pause = 300.0
    await table.play(DOCKS, "gm: /note text:A map", "gm: /scene end")
    (thread,) = threads(table)
    for campaign in tuple(follower._soon):
        follower._soon.pop(campaign).cancel()
        follower.failed.add(campaign)  # a killed bot does not note that all is shown
        if has_claimed:
            noted = await table.ledger.scene_threads.of(campaign)
            assert noted is not None
            assert await table.bot.threads._claim(noted)
    await table.restart()
    await table.at_rest()
    assert is_away(thread)
    assert stories(table) == 1


async def test_of_two_processes_one_tells_the_scene(table: Game) -> None:
    bot = table.bot
    bot.threads.later.pause = 300.0
    other = SceneThreads(bot, bot.play, table.ledger, bot.threads._notices, 300.0, 0.0)
    await table.play(DOCKS, "gm: /note text:A map", "gm: /scene end")
    (thread,) = threads(table)
    for campaign in tuple(bot.threads.later._soon):
        other.later.touch(campaign)
    await table.held.through(asyncio.gather(bot.threads.later.flush(), other.later.flush()))
    assert is_away(thread)
    assert stories(table) == 1


async def test_what_is_delivered_twice_opens_one_thread(table: Game) -> None:
    begun = await table.play(DOCKS)
    await table.gm.again(begun)
    assert len(threads(table)) == 1


async def test_a_thread_that_discord_does_not_put_away_yet_is_tried_again(table: Game) -> None:
    table.bot.threads.later.retry = 0.0
    await table.play(DOCKS, "gm: /note text:A map")
    (thread,) = threads(table)
    table.discord.faults.lose(f"PATCH /channels/{thread.id}", times=2)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert is_away(thread)
    assert stories(table) == 1


async def test_a_scene_that_ends_for_doom_has_its_thread_put_away(table: Game) -> None:
    await table.play("gm: /doom set dice:2d12", DOCKS, "gm: /note text:A map")
    (thread,) = threads(table)
    await table.play("gm: /doom spend for:end scene")
    await table.at_rest()
    assert is_away(thread)
    assert "A map" in told(table.discord.table)[-1]


async def test_the_next_scene_begins_while_the_last_is_put_away(table: Game) -> None:
    await table.play(DOCKS, "gm: /note text:A map", "gm: /scene end", DOCKS)
    first, second = threads(table)
    await table.at_rest()
    assert first.archived
    await table.play("gm: /scene end")
    await table.at_rest()
    assert second.archived
    assert len([text for text in told(table.discord.table) if text.endswith("again.** “A map”")]) == 1


async def test_a_thread_with_a_table_of_its_own_has_no_other(table: Game) -> None:
    side = table.discord.thread("side")
    await table.gm.slash("/campaign new name:Elsewhere", channel=side)
    begun = await table.gm.slash(DOCKS.removeprefix("gm: "), channel=side)
    assert "This thread has a separate table, so the scene is played here." in begun.text
    assert threads(table) == [side]


async def test_in_direct_messages_the_scene_has_no_thread(game: Game) -> None:
    begun = await game.gm.slash(DOCKS.removeprefix("gm: "), channel=game.discord.dm(game.gm))
    assert begun.text.endswith("Only a server’s text channels have threads, so play continues here.")


@pytest.mark.parametrize("where", ["thread", "channel"])
async def test_a_scene_that_runs_elsewhere_ends_only_once_that_is_agreed_to(table: Game, where: str) -> None:
    side = getattr(table.discord, where)("side")
    if where == "channel":
        await table.gm.slash("/campaign join name:Skyfall", channel=side)
    asked = await table.gm.slash("/scene start name:The fen", channel=side)
    assert asked.text == f"The docks is still running in <#{table.discord.table.id}>."
    assert "The docks" in (await table.says("gm: /scene show")).text
    begun = await table.gm.press(asked, "End it and start the next one here")
    assert begun.text.startswith("Scene The docks ends")
    assert "Scene The fen begins" in begun.text
    for line in ("/scene start name:The mill", "/scene start"):  # it plays there now, so nobody is asked
        assert " ends\nScene " in (await table.gm.slash(line, channel=side)).text
    await table.gm.slash("/scene end", channel=side)
    assert (await table.play("gm: /scene start name:The roof")).text.startswith("Scene The roof begins")


async def test_a_scene_with_a_thread_of_its_own_ends_from_both_places_unasked(table: Game) -> None:
    await table.play(DOCKS)
    (thread,) = threads(table)
    assert (
        "Scene The mill begins" in (await table.gm.slash("/scene start name:The mill", channel=thread)).text
    )


async def test_a_scene_without_a_name_is_the_storys_next_one_or_another(game: Game) -> None:
    await game.play("gm: /campaign new story:Monster hunt")
    asked = await game.says("gm: /scene start")
    assert asked.text == "The story's next scene is “The mill at dusk”."
    begun = await game.gm.press(asked, "Start “The mill at dusk”")
    assert "Scene · Water is rising d8 (distinction)" in begun.text
    assert "Scene Mud begins" in (await game.play("gm: /scene start name:Mud")).text
    for name in ("the  DROWNED chapel", "The drowned chapel"):  # in any spelling, and only once
        begun = await game.play(f"gm: /scene start name:{name}")
        assert "Scene The drowned chapel begins" in begun.text
        assert ("(distinction)" in begun.text) is (name == "the  DROWNED chapel")
    asked = await game.says("gm: /scene start distinctions:Fog")
    other = await game.gm.press(asked, "Start another scene")
    assert "Scene · Fog d8 (distinction)" in other.text
    assert "Scene 5 begins" in other.text
    assert (await game.says("gm: /scene start")).text.startswith("The story's next scene is ")
