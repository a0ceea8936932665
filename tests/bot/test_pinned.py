"""One pinned table in each place, whatever happens to its message, its thread and the bot's permissions."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from bot.client import pinned as pinned_tables
from bot.loopback.model import Channel, Message, Permission
from bot.loopback.reply import buttons_of
from tests.game import Game

Deed = Callable[[Game, Any], object]


@dataclass(frozen=True)
class Trouble:
    """What happens to a place with a pinned table, and what makes it good again."""

    begins: Deed
    ends: Deed = lambda table, place: None
    in_thread: bool = False
    """Whether the table is pinned in a thread."""
    pinned_at_end: int = 1
    shown_meanwhile: bool = False
    """Whether the table shows each step all the same."""


def forbid(*rights: Permission) -> Deed:
    return lambda table, place: table.discord.forbid(place, *rights)


def permit(*rights: Permission) -> Deed:
    return lambda table, place: table.discord.permit(place, *rights)


def both(*deeds: Deed) -> Deed:
    return lambda table, place: [deed(table, place) for deed in deeds]


def archive(table: Game, place: Channel) -> None:
    table.discord.archive(place)


def lock(table: Game, place: Channel) -> None:
    table.discord.archive(place, locked=True)


def reopen(table: Game, place: Channel) -> None:
    table.discord.reopen(place)


def delete(table: Game, place: Channel) -> None:
    (message,) = tables(place)
    table.discord.world.delete(message)


def unpin(table: Game, place: Channel) -> None:
    (message,) = tables(place)
    table.discord.pin(message, pinned=False)


def fill(table: Game, place: Channel) -> None:
    world = table.discord.world
    while len(place.pins()) < 250:
        message = Message(world.snowflake(), place, table.gm.user, content="Read this")
        world.post(message)
        table.discord.pin(message)


def clear(table: Game, place: Channel) -> None:
    table.discord.pin(next(each for each in place.pins() if not each.author.is_bot), pinned=False)


def everywhere(deed: Deed) -> Deed:
    return lambda table, place: deed(table, table.discord.world.home)


VIEW, SEND, PIN = Permission.VIEW_CHANNEL, Permission.SEND_MESSAGES, Permission.PIN_MESSAGES
THREAD_SEND, MANAGE = Permission.SEND_MESSAGES_IN_THREADS, Permission.MANAGE_THREADS
TROUBLES = {
    "archived": Trouble(archive, reopen, in_thread=True),
    "archived and deleted": Trouble(both(archive, delete), reopen, in_thread=True),
    "archived and unpinned before": Trouble(both(unpin, archive), reopen, in_thread=True, pinned_at_end=0),
    "archived and locked": Trouble(lock, reopen, in_thread=True),
    "archived and locked, where the bot manages threads": Trouble(
        both(permit(MANAGE), lock), reopen, in_thread=True
    ),
    "locked": Trouble(lambda table, place: table.discord.lock(place), reopen, in_thread=True),
    "locked and deleted": Trouble(
        both(lambda table, place: table.discord.lock(place), delete), reopen, in_thread=True
    ),
    "locked, and Manage Threads is lost": Trouble(
        both(permit(MANAGE), lambda table, place: table.discord.lock(place), forbid(MANAGE)),
        permit(MANAGE),
        in_thread=True,
    ),
    "View Channel is lost": Trouble(forbid(VIEW), permit(VIEW)),
    "View Channel is lost above a thread": Trouble(forbid(VIEW), permit(VIEW), in_thread=True),
    "View Channel is lost above an archived thread": Trouble(
        both(archive, forbid(VIEW)), both(permit(VIEW), reopen), in_thread=True
    ),
    "View Channel is lost everywhere": Trouble(everywhere(forbid(VIEW)), everywhere(permit(VIEW))),
    "View Channel is lost, and the message deleted": Trouble(both(delete, forbid(VIEW)), permit(VIEW)),
    "Send Messages is lost": Trouble(forbid(SEND), permit(SEND), shown_meanwhile=True),
    "Send Messages is lost, and the message deleted": Trouble(both(delete, forbid(SEND)), permit(SEND)),
    "Send Messages in Threads is lost, and the message deleted": Trouble(
        both(delete, forbid(THREAD_SEND)), permit(THREAD_SEND), in_thread=True
    ),
    "Pin Messages is lost": Trouble(forbid(PIN), permit(PIN), shown_meanwhile=True),
    "Pin Messages is lost, and the message deleted": Trouble(
        both(delete, forbid(PIN)), permit(PIN), shown_meanwhile=True
    ),
    "Pin Messages is lost everywhere, and the message deleted": Trouble(
        both(delete, everywhere(forbid(PIN))), everywhere(permit(PIN)), shown_meanwhile=True
    ),
    "the message is deleted": Trouble(delete, shown_meanwhile=True),
    "the message is deleted, and pins are full": Trouble(both(delete, fill), clear, shown_meanwhile=True),
    "the pin is removed": Trouble(unpin, pinned_at_end=0, shown_meanwhile=True),
    "the pin is removed, and pins are full": Trouble(
        both(unpin, fill), clear, pinned_at_end=0, shown_meanwhile=True
    ),
    "the pin is removed, then the message deleted": Trouble(
        unpin, delete, pinned_at_end=0, shown_meanwhile=True
    ),
    "the pin is removed and set again": Trouble(
        unpin, lambda table, place: table.discord.pin(tables(place)[0]), shown_meanwhile=True
    ),
}
"""What may happen to a pinned table."""


def tables(place: Channel) -> list[Message]:
    """The messages in a place that show the table and follow it, or did so once."""
    own = (each for each in place.messages.values() if each.interaction is None)
    return [each for each in own if "My sheet" in labels(each)]


def labels(message: Message) -> list[str]:
    return [button.label for button in buttons_of(message)]


def pinned(place: Channel) -> list[Message]:
    """The pinned tables of a place."""
    return [each for each in place.pins() if each in tables(place)]


def shows(message: Message, points: int) -> bool:
    """Whether a table says how many PP Alice has."""
    return f"Alice: {points} PP" in message.text.replace("*", "")


async def step(table: Game) -> None:
    await table.play("gm: /pp give who:Alice")
    await table.at_rest()


async def pin(table: Game, place: Channel) -> None:
    assert "The table is pinned" in (await table.gm.slash("/table pin", channel=place)).text
    await table.at_rest()


@pytest.mark.parametrize("restarts", [False, True], ids=["", "restart"])
@pytest.mark.parametrize("name", TROUBLES)
async def test_a_place_has_one_table_whatever_happens_to_it(
    table: Game, name: str, *, restarts: bool
) -> None:
    trouble = TROUBLES[name]
    place = table.discord.thread("side") if trouble.in_thread else table.discord.table
    await pin(table, place)
    trouble.begins(table, place)
    is_archived, points = place.archived, 1
    for is_started in (False, False, restarts):
        if is_started:
            await table.restart()
        await step(table)
        points += 1
        assert len(tables(place)) <= 1
        assert place.archived == is_archived
        if trouble.shown_meanwhile:
            assert [shows(each, points) for each in tables(place)] == [True]
    trouble.ends(table, place)
    await table.at_rest()
    if not is_archived:  # whoever opens a thread needs no step to see the table as it is
        await step(table)
        points += 1
    (message,) = tables(place)
    assert shows(message, points)
    assert len(pinned(place)) == trouble.pinned_at_end
    await step(table)
    assert tables(place) == [message], "it stays that message"
    assert shows(message, points + 1)


async def old(table: Game) -> Message:
    """A pinned table older than an hour, in a channel where old messages were just edited often."""
    await pin(table, table.discord.table)
    await table.advance(hours=2)
    table.discord.table.old_edits = [table.now.timestamp()] * 3
    (message,) = tables(table.discord.table)
    return message


@pytest.mark.parametrize("is_pinned", [True, False])
async def test_a_table_too_old_to_be_edited_is_replaced_and_its_pin_goes(
    table: Game, *, is_pinned: bool
) -> None:
    message = await old(table)
    message.pinned = is_pinned  # the bot was away when it was unpinned
    await step(table)
    (fresh,) = tables(table.discord.table)
    assert fresh is not message
    assert message.deleted
    assert shows(fresh, 2)
    assert pinned(table.discord.table) == ([fresh] if is_pinned else [])
    await step(table)
    assert tables(table.discord.table) == [fresh]
    assert shows(fresh, 3)


async def test_a_table_is_posted_once_though_the_bot_could_not_note_it(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = table.discord.table
    await pin(table, place)
    delete(table, place)
    with monkeypatch.context() as patch:
        patch.setattr(table.ledger.pins, "replace", lambda *_: 1 / 0)
        await step(table)
    assert len(tables(place)) == 1
    await table.restart()
    await step(table)
    (message,) = pinned(place)
    assert tables(place) == [message]
    assert shows(message, 3)


async def test_a_channel_deleted_while_the_bot_was_away_is_forgotten(table: Game) -> None:
    place = table.discord.thread("side")
    await pin(table, place)
    await table.stop()
    table.discord.world.drop_channel(place)
    table.discord.gateway.ready.clear()
    await table.start()
    await step(table)
    assert await table.ledger.pins.at(place.id) is None


async def test_a_thread_opened_while_the_bot_was_away_shows_the_table_at_the_next_step(table: Game) -> None:
    place = table.discord.thread("side")
    await pin(table, place)
    table.discord.archive(place)
    await step(table)
    await table.stop()
    await table.gm.write("Where were we?", place)
    table.discord.gateway.ready.clear()
    await table.start()
    await step(table)
    (message,) = pinned(place)
    assert tables(place) == [message]
    assert shows(message, 3)


async def test_a_pin_that_is_still_missing_is_set_once_another_message_is_unpinned(table: Game) -> None:
    place = table.discord.table
    await pin(table, place)
    both(delete, fill)(table, place)
    await step(table)
    assert pinned(place) == []
    clear(table, place)
    await table.at_rest()
    assert pinned(place) == tables(place)


async def test_a_table_is_unpinned_where_the_bot_can_see_it_alone(table: Game) -> None:
    place = table.discord.table
    await pin(table, place)
    table.discord.forbid(place, VIEW)
    refused = await table.says("gm: /table unpin")
    assert "The bot can't remove the table from this channel: it needs View Channel." in refused.text
    table.discord.permit(place, VIEW)
    table.discord.faults.lose("DELETE /channels/*/messages/*", times=9)
    assert "Discord didn't remove the table. Try again." in (await table.says("gm: /table unpin")).text
    table.discord.faults.waiting.clear()
    await step(table)
    assert [shows(each, 2) for each in pinned(place)] == [True]
    assert "no longer pinned" in (await table.says("gm: /table unpin")).text
    await step(table)
    assert tables(place) == []


async def test_of_a_table_pinned_again_and_again_the_newest_is_left(table: Game) -> None:
    place = table.discord.table
    for _ in range(3):
        await pin(table, place)
        await table.restart()
    assert len(tables(place)) == 1
    assert pinned(place) == tables(place)


@pytest.mark.parametrize(
    ("before", "is_replaced"),
    [(fill, True), (both(unpin, fill), False), (both(delete, fill), False), (both(fill, unpin), True)],
    ids=["one of them is the old table", "the old table is not pinned", "it is deleted", "one place is free"],
)
async def test_where_pins_are_full_a_new_table_takes_the_place_of_the_old_one(
    table: Game, before: Deed, *, is_replaced: bool
) -> None:
    place = table.discord.table
    await table.says("gm: /table pin")
    await table.at_rest()
    old = tables(place)
    before(table, place)
    await table.at_rest()
    left = tables(place)
    said = (await table.says("gm: /table pin")).text
    await table.at_rest()
    assert len(place.pins()) == 250
    if not is_replaced:
        assert said.startswith("This channel has as many pins as Discord allows.")
        assert tables(place) == left
        return
    (fresh,) = tables(place)
    assert (fresh not in old, fresh.pinned) == (True, True)
    await table.play("gm: /doom add dice:d12")
    await table.at_rest()
    assert "d12" in fresh.text
    assert tables(place) == [fresh]


async def delete_campaign(table: Game, place: Channel) -> None:
    await table.gm.press(await table.gm.slash("/campaign delete", channel=place), "Delete")


async def leave(table: Game, place: Channel) -> None:
    assert "no longer played" in (await table.gm.slash("/campaign leave", channel=place)).text


async def join_another(table: Game, place: Channel) -> None:
    await leave(table, place)
    await table.gm.slash("/campaign new name:New ruleset:prime", channel=place)


ENDS = {"deleted": delete_campaign, "left": leave, "left for another": join_another}
"""What ends a table in a place."""
HINDRANCES = {
    "nothing": Trouble(lambda table, place: None),
    "View Channel is lost": TROUBLES["View Channel is lost"],
    "View Channel is lost everywhere": TROUBLES["View Channel is lost everywhere"],
    "archived and locked": TROUBLES["archived and locked"],
    "Discord is out of order": Trouble(
        lambda table, place: table.discord.faults.lose("DELETE /channels/*/messages/*", times=9),
        lambda table, place: table.discord.faults.waiting.clear(),
    ),
}
"""Why the bot can't delete a table at once, and what makes it good again."""


@pytest.mark.parametrize("restarts", [False, True], ids=["", "restart"])
@pytest.mark.parametrize("hindrance", HINDRANCES)
@pytest.mark.parametrize("end", ENDS)
async def test_the_pinned_table_of_an_ended_campaign_goes_once_the_bot_can_delete_it(
    table: Game, end: str, hindrance: str, *, restarts: bool
) -> None:
    trouble = HINDRANCES[hindrance]
    place = table.discord.thread("side") if trouble.in_thread else table.discord.channel("other")
    if not trouble.in_thread:
        await table.gm.slash("/campaign join name:Skyfall", channel=place)
    await pin(table, place)
    trouble.begins(table, place)
    await ENDS[end](table, table.discord.table if trouble.in_thread else place)
    await table.at_rest()
    assert len(tables(place)) == (hindrance != "nothing")
    if restarts:
        await table.restart()
    trouble.ends(table, place)
    await table.advance(minutes=10)
    assert tables(place) == []


async def test_a_new_table_has_the_old_one_of_its_channel_removed(table: Game) -> None:
    place = table.discord.table
    await pin(table, place)
    (old_message,) = tables(place)
    table.discord.forbid(table.discord.world.home, VIEW)
    await delete_campaign(table, place)
    await table.at_rest()
    table.discord.permit(table.discord.world.home, VIEW)
    await table.begin("gm: /campaign new name:New ruleset:prime")
    await pin(table, place)
    assert old_message.deleted
    assert pinned(place) == tables(place)
    assert len(tables(place)) == 1


async def test_the_bot_gives_up_a_table_that_it_may_not_remove_for_long(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pinned_tables, "LONGEST_TRIED", timedelta(days=2))
    place = table.discord.table
    await pin(table, place)
    table.discord.forbid(place, VIEW)
    await delete_campaign(table, place)
    await table.advance(days=1)
    assert await table.ledger.jobs.of_kind("unpin")
    await table.advance(days=3)
    assert not await table.ledger.jobs.of_kind("unpin")
