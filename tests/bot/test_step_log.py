"""The log in a channel of its own: a line a step, which follows the step, and holds nothing up."""

import asyncio

import pytest

from bot.client.log_channel import KNOWN
from bot.loopback.model import Channel, Message, Overwrite, Permission
from bot.loopback.reply import BotReply
from bot.store.history import Place
from bot.store.messages import LINES_LEFT, MOST_LINES, StepLine, StepLog
from bot.store.messages import StepLogs as Claims
from tests.bot.test_buttons import is_refused
from tests.bot.test_tables import begin_nameless
from tests.game import Game

SET = "/campaign set log:#log"
OFF = "/campaign set setting:log value:off"
CATEGORY = 4
FIRST = "The steps of Skyfall, played in "


@pytest.fixture
async def logged(table: Game) -> Channel:
    """A channel in which the steps of the table are told."""
    place = table.discord.channel("log")
    await settled(table)
    told = await table.play(f"gm: {SET}")
    assert told.text == (
        f"From now on, every step that isn't hidden is posted in <#{place.id}>.\nTo stop the log: {OFF}"
    )
    await settled(table)
    return place


async def settled(table: Game) -> None:
    """All that follows the table has followed it."""
    await table.at_rest()
    assert not table.bot.step_logs.later.waits


def texts(table: Game, place: Channel) -> list[str]:
    """What stands in a log, without its first line, each message as its text."""
    first, *others = table.discord.messages(place)
    assert first.text.startswith(
        f"{FIRST}<#{table.discord.table.id}>, are posted in this channel. To stop the log, the GM can use "
    )
    return [message.text.replace("\\", "") for message in others]


async def lines(table: Game, place: Channel) -> list[str]:
    """The lines of a log once all is told, oldest first, without the links."""
    await settled(table)
    return [line.partition(" https")[0] for text in texts(table, place) for line in text.splitlines()]


def link(message: Message | None) -> str:
    assert message is not None
    assert message.channel.guild is not None
    return f"https://discord.com/channels/{message.channel.guild.id}/{message.channel.id}/{message.id}"


async def campaign(table: Game) -> int:
    place = Place(table.discord.table.id, table.discord.world.home.id)
    entry = await table.ledger.look(place)
    assert entry is not None
    return entry.campaign


async def number(table: Game) -> int:
    entry = await table.ledger.newest(await campaign(table))
    assert entry is not None
    return entry.number


async def test_each_step_is_a_line_with_a_link_to_what_answered_it(table: Game, logged: Channel) -> None:
    given = await table.play("gm: /pp give who:Alice")
    first = await number(table)
    table.dice.show((6, 5, 4))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:7")
    await settled(table)
    assert "\n".join(texts(table, logged)).splitlines() == [
        f"{first}. gm: Alice: 2 PP (+1) {link(given.message)}",
        f"{first + 1}. alice: Alice: Total 11, effect d8, vs 7: success by 4 (d6: 6, d6: 5, d8: 4) "
        f"{link(rolled.message)}",
    ]


async def test_there_is_nothing_to_press_and_nobody_is_pinged(table: Game, logged: Channel) -> None:
    await table.play("gm: /note text:@everyone, ask <@1> **now**", f"alice: /note text:{table.bob.mention}")
    await settled(table)
    for message in table.discord.messages(logged):
        assert message.components == []
        assert not message.pings
    told = "".join(message.text for message in table.discord.messages(logged))
    assert "\\*\\*now" in told
    assert told.count(f"\\{table.bob.mention}") == told.count(table.bob.mention) == 1


async def test_what_happens_while_a_step_is_told_is_told_next(
    table: Game, logged: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim, claimed = Claims.claim, []

    async def slowly(self: Claims, log: StepLog, until: int) -> bool:
        is_ours = await claim(self, log, until)
        claimed.append(until)
        if len(claimed) == 1:
            await table.play("gm: /pp give who:Bob")
        return is_ours

    monkeypatch.setattr(Claims, "claim", slowly)
    await table.play("gm: /pp give who:Alice")
    assert [line.partition(" ")[2] for line in await lines(table, logged)] == [
        "gm: Alice: 2 PP (+1)",
        "gm: Bob: 2 PP (+1)",
    ]


async def test_steps_that_come_together_are_told_in_one_message(table: Game, logged: Channel) -> None:
    table.bot.step_logs.later.pause = 300.0
    await table.play("gm: /pp give who:Alice", "gm: /pp give who:Bob", "gm: /doom add dice:d6")
    assert texts(table, logged) == []
    await table.bot.step_logs.later.flush()
    (only,) = texts(table, logged)
    assert len(only.splitlines()) == 3


async def test_many_long_lines_take_several_messages_and_each_fits(table: Game, logged: Channel) -> None:
    table.bot.step_logs.later.pause = 300.0
    for n in range(16):
        await table.play(f"gm: /note text:{n:02}{'*long_' * 30}")
    await table.bot.step_logs.later.flush()
    sent = table.discord.messages(logged)[1:]
    assert len(sent) > 1
    assert all(len(message.text) <= 2000 for message in sent)
    assert all(f": {n:02}*long" in "\n".join(texts(table, logged)) for n in range(16))


async def told(table: Game, place: Channel) -> list[str]:
    """The lines of a log without their numbers."""
    return [line.partition(". ")[2] for line in await lines(table, place)]


async def test_one_line_that_is_too_long_for_a_message_is_cut(table: Game, logged: Channel) -> None:
    for n in range(40):
        await table.play(f"gm: /asset add what:{n:02}{'*' * 50} who:scene pay:false")
    await table.play("gm: /scene end")
    *_, last = await told(table, logged)
    assert last.startswith("gm: Scene The docks ends; ")
    assert last.endswith("…")
    assert all(len(message.text) <= 2000 for message in table.discord.messages(logged))
    await table.play("gm: /undo")
    *_, ended, undone = await told(table, logged)
    assert ended.endswith("… (undone)")
    assert undone.startswith("gm: Undone: Scene The docks is running again; Scene · 00")
    assert undone.endswith(" is back; 36 more changes")


async def test_a_roll_that_is_changed_changes_its_line_and_keeps_its_link(
    table: Game, logged: Channel
) -> None:
    await table.play("gm: /campaign set setting:reroll for 1 PP value:on")
    await settled(table)
    table.dice.show((4, 3, 6, 2))
    await table.play("alice: /roll dice:2d6 d8 d10 vs:7")
    _, before = await lines(table, logged)
    assert "Total 10" in before
    (message,) = [one for one in table.discord.messages(logged) if "Total 10" in one.text]
    table.dice.show((10,))
    await table.play("alice: /reroll dice:d10")
    _, after, changed = await lines(table, logged)
    assert "Total 14" in after
    assert "rerolled d10" in changed
    assert message.text.count("https://discord.com/channels/") == 1
    await table.play("gm: /scene end", "gm: /undo", "gm: /undo")
    await settled(table)
    assert "Total 10" in message.text.splitlines()[0]


async def test_a_roll_keeps_its_last_line_when_its_scene_is_over(table: Game, logged: Channel) -> None:
    await table.play("gm: /campaign set setting:reroll for 1 PP value:on")
    await settled(table)
    table.bot.step_logs.later.pause = 300.0
    table.dice.show((4, 3, 6, 2), (10,))
    await table.play("alice: /roll dice:2d6 d8 d10 vs:7", "gm: /pp give who:Bob", "alice: /reroll dice:d10")
    await table.play("gm: /scene end")
    await table.play(f"gm: /undo step:{await number(table) - 2}")
    await table.bot.step_logs.later.flush()
    _, rolled, given, *_ = await told(table, logged)
    assert "Total 14" in rolled
    assert given == "gm: Bob: 2 PP (+1) (undone)"


async def test_a_one_roll_roll_follows_its_wiggle_dice(table: Game, logged: Channel) -> None:
    table.dice.show((3, 3, 5))
    rolled = await table.play("alice: /ore roll dice:3d 1w")
    (before,) = await told(table, logged)
    form = (await table.alice.press(rolled, 0)).form
    assert form is not None
    await table.alice.submit(form, {form.fields[0].label: "On 3"})
    after, placed = await told(table, logged)
    assert after != before
    assert "3×3" in after
    assert "wiggle" in placed


async def test_what_is_undone_says_so_and_loses_it_when_it_is_put_back(table: Game, logged: Channel) -> None:
    await table.play("gm: /pp give who:Alice")
    given = await number(table)
    await table.play("gm: /undo")
    assert await told(table, logged) == [
        "gm: Alice: 2 PP (+1) (undone)",
        "gm: Undone: Alice gives back 1 PP and has 1 PP",
    ]
    await table.play(f"gm: /redo step:{given}")
    assert await told(table, logged) == [
        "gm: Alice: 2 PP (+1)",
        "gm: Undone: Alice gives back 1 PP and has 1 PP",
        "gm: Redone: Alice: 2 PP (+1)",
    ]


async def test_hidden_steps_are_never_told_and_a_revealed_roll_is(table: Game, logged: Channel) -> None:
    await table.play("gm: /campaign set setting:hidden GM rolls value:on")
    table.dice.show((5, 4, 3), (6, 5, 4))
    secret = await table.says("gm: /roll dice:2d6 d8 hidden:true")
    await table.says("gm: /note text:The butler did it hidden:true")
    dropped = await table.says("gm: /roll dice:2d6 d10 hidden:true")
    await table.gm.press(dropped, "Drop")
    await table.says("gm: /undo")
    assert await told(table, logged) == ["gm: hidden GM rolls: on"]
    await table.gm.press(secret, "Reveal")
    _, revealed = await told(table, logged)
    assert "Total 9" in revealed
    assert "butler" not in "".join(texts(table, logged))


async def test_a_step_that_is_answered_late_gets_its_link_then(table: Game, logged: Channel) -> None:
    released = table.discord.faults.hold("POST /interactions/*/callback")
    giving = asyncio.create_task(table.play("gm: /pp give who:Alice"))
    await table.at_rest()
    assert len(table.discord.messages(logged)) == 2
    message = table.discord.messages(logged)[1]
    assert "https" not in message.text
    released.set()
    answer = await giving
    await table.at_rest()
    assert link(answer.message) in message.text


async def test_nothing_of_discord_holds_a_command_up(table: Game, logged: Channel) -> None:
    released = table.discord.faults.hold(f"POST /channels/{logged.id}/messages")
    await table.play("gm: /pp give who:Alice", "gm: /pp give who:Alice", "gm: /pp give who:Alice")
    released.set()
    assert [line[-8:] for line in await told(table, logged)] == [
        "2 PP (+1)"[-8:],
        "3 PP (+1)"[-8:],
        "4 PP (+1)"[-8:],
    ]


@pytest.mark.parametrize("takes_effect", [False, True])
async def test_what_discord_fails_to_take_is_told_once_later(
    table: Game, logged: Channel, *, takes_effect: bool
) -> None:
    posts = f"POST /channels/{logged.id}/messages"
    table.discord.faults.lose(posts, times=2, takes_effect=takes_effect)
    table.discord.faults.rate_limit(posts, 0.01)
    await table.play("gm: /pp give who:Alice", "gm: /pp give who:Bob")
    await table.at_rest()
    assert len(texts(table, logged)) >= 1
    assert not table.discord.faults.waiting
    assert await told(table, logged) == ["gm: Alice: 2 PP (+1)", "gm: Bob: 2 PP (+1)"]


@pytest.mark.parametrize("takes_effect", [True, False])
async def test_what_discord_does_not_take_for_long_is_told_once_it_does(
    table: Game, logged: Channel, takes_effect: bool
) -> None:
    await table.play("gm: /pp give who:Alice", "gm: /pp set who:Alice number:1")
    await table.at_rest()
    posts = f"POST /channels/{logged.id}/messages"
    table.discord.faults.lose(posts, times=2, takes_effect=takes_effect)
    table.discord.faults.lose(posts, times=1_000)
    await table.play("gm: /pp give who:Alice")  # the same line as before
    await table.advance(3 * KNOWN)
    for message in table.discord.messages(logged):
        message.nonce = None
    table.discord.faults.waiting.clear()
    await table.play("gm: /pp give who:Bob")
    await table.advance(3 * KNOWN)
    lines = await told(table, logged)
    assert lines[-2:] == ["gm: Alice: 2 PP (+1)", "gm: Bob: 2 PP (+1)"]
    assert lines.count("gm: Alice: 2 PP (+1)") == 2


async def test_a_restart_tells_nothing_twice_and_goes_on(table: Game, logged: Channel) -> None:
    await table.play("gm: /pp give who:Alice")
    await table.restart()
    await table.play("gm: /pp give who:Bob", "gm: /undo")
    assert await told(table, logged) == [
        "gm: Alice: 2 PP (+1)",
        "gm: Bob: 2 PP (+1) (undone)",
        "gm: Undone: Bob gives back 1 PP and has 1 PP",
    ]
    await table.play("gm: /undo")
    assert (await told(table, logged))[0] == "gm: Alice: 2 PP (+1) (undone)"


async def test_what_a_killed_bot_had_not_claimed_is_told_after_the_next_start(
    table: Game, logged: Channel
) -> None:
    table.bot.step_logs.later.pause = 300.0
    await table.play("gm: /pp give who:Alice")
    for campaign in tuple(table.bot.step_logs.later._soon):
        table.bot.step_logs.later._soon.pop(campaign).cancel()
        table.bot.step_logs.later.failed.add(campaign)  # a killed bot does not note that all is shown
    await table.restart()
    await table.at_rest()
    assert texts(table, logged)
    assert await told(table, logged) == ["gm: Alice: 2 PP (+1)"]


@pytest.mark.slow
async def test_what_a_killed_bot_had_claimed_is_left_out(
    table: Game, logged: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> bool:
        raise RuntimeError

    table.bot.step_logs.later.retry = 0.0
    monkeypatch.setattr("bot.client.log_channel.LogPoster._post", killed)
    await table.play("gm: /pp give who:Alice")
    await settled(table)
    monkeypatch.undo()
    await table.restart()
    await table.play("gm: /pp give who:Bob")
    assert await told(table, logged) == ["gm: Bob: 2 PP (+1)"]


async def test_a_deleted_message_is_followed_no_more(table: Game, logged: Channel) -> None:
    await table.play("gm: /pp give who:Alice")
    await settled(table)
    await table.discord.delete_message(table.discord.messages(logged)[1])
    await table.play("gm: /undo", "gm: /pp give who:Bob")
    assert await told(table, logged) == [
        "gm: Undone: Alice gives back 1 PP and has 1 PP",
        "gm: Bob: 2 PP (+1)",
    ]


async def test_the_last_lines_are_followed_whole_messages_at_a_time(table: Game, logged: Channel) -> None:
    of, logs = await campaign(table), table.ledger.step_logs
    await logs.learn(of, [StepLine(n, 1000 + n // 2, 0, 0, 7) for n in range(MOST_LINES + 1)])
    left = await logs.lines(of)
    assert [line.number for line in left] == list(range(MOST_LINES + 1 - LINES_LEFT - 1, MOST_LINES + 1))
    assert await logs.lines(of) == left


GONE = {
    "it is deleted": lambda table, place: table.discord.delete_channel(place),
    "it is hidden": lambda table, place: table.discord.forbid(place, Permission.VIEW_CHANNEL),
    "it is silent": lambda table, place: table.discord.forbid(place, Permission.SEND_MESSAGES),
}


@pytest.mark.parametrize("why", GONE)
async def test_a_channel_where_the_bot_cannot_write_ends_the_log_and_the_gm_is_told_once(
    table: Game, logged: Channel, why: str
) -> None:
    gone = GONE[why](table, logged)
    if gone is not None:
        await gone
    told_before = len(table.discord.messages())
    assert not is_refused(await table.play("gm: /pp give who:Alice"))
    await table.at_rest()
    assert len(table.discord.messages()) == told_before + 2
    notice = table.discord.messages()[-1]
    assert notice.pings == {table.gm.id}
    assert "The log is off" in notice.text
    assert f"<#{logged.id}> is gone, or the bot can't use it." in notice.text
    await table.play("gm: /pp give who:Alice")
    await table.restart()
    await table.play("gm: /pp give who:Alice")
    await settled(table)
    assert len([m for m in table.discord.messages() if "The log is off" in m.text]) == 1
    assert await table.ledger.step_logs.of(await campaign(table)) is None


async def test_an_edit_that_is_forbidden_ends_the_log_too(table: Game, logged: Channel) -> None:
    await table.play("gm: /pp give who:Alice")
    await settled(table)
    table.discord.faults.fail(f"PATCH /channels/{logged.id}/messages", 403, code=50001)
    await table.play("gm: /undo")
    await table.at_rest()
    assert "The log is off" in table.discord.messages()[-1].text


async def test_where_the_table_is_silent_as_well_the_gm_is_told_alone(table: Game, logged: Channel) -> None:
    table.discord.forbid(table.discord.table, Permission.SEND_MESSAGES)
    await table.discord.delete_channel(logged)
    await table.play("gm: /pp give who:Alice")
    alone = table.discord.dm(table.gm)
    await table.at_rest()
    assert table.discord.messages(alone)
    assert "The log is off" in table.discord.messages(alone)[-1].text


async def test_a_log_that_becomes_the_tables_own_channel_ends(table: Game, logged: Channel) -> None:
    await table.gm.slash("/campaign join name:Skyfall", channel=logged)
    await table.at_rest()
    assert any("The log is off" in m.text for m in table.discord.messages())
    assert not any("gm: Skyfall" in m.text for m in table.discord.messages(logged))


async def test_a_log_is_switched_off_by_its_setting(table: Game, logged: Channel) -> None:
    offered = [str(each.value) for each in await table.gm.complete("/campaign set setting:lo")]
    assert "log" in offered
    (off,) = await table.gm.complete("/campaign set setting:log value:")
    assert off.value == "off"
    assert is_refused(await table.says(f"bob: {OFF}"))
    assert is_refused(await table.says("gm: /campaign set setting:log value:#log"))
    assert (await table.play(f"gm: {OFF}")).text == f"Steps are no longer posted in <#{logged.id}>."
    await table.play("gm: /pp give who:Alice")
    assert await told(table, logged) == []
    assert is_refused(await table.says(f"gm: {OFF}"))


async def test_the_log_moves_to_another_channel(table: Game, logged: Channel) -> None:
    await table.play("gm: /pp give who:Alice")
    await settled(table)
    other = table.discord.channel("other")
    await table.play("gm: /campaign set log:#other", "gm: /undo")
    assert await told(table, other) == ["gm: Undone: Alice gives back 1 PP and has 1 PP"]
    assert await told(table, logged) == ["gm: Alice: 2 PP (+1)"]


async def test_a_campaign_that_is_deleted_has_no_log_when_it_comes_back(table: Game, logged: Channel) -> None:
    await table.gm.press(await table.says("gm: /campaign delete"), "Delete")
    await table.play("gm: /campaign restore name:Skyfall", "gm: /pp give who:Alice")
    assert await told(table, logged) == []


async def test_the_settings_show_where_steps_are_told(table: Game, logged: Channel) -> None:
    assert f"log: <#{logged.id}>" in (await table.says("bob: /campaign show")).text
    await table.play(f"gm: {OFF}")
    assert "log:" not in (await table.says("bob: /campaign show")).text


async def test_who_is_forgotten_goes_from_the_last_lines_too(table: Game, logged: Channel) -> None:
    await table.play("alice: /note text:A map")
    assert await told(table, logged) == ["alice: Note: A map"]
    await table.forget(table.alice)
    await table.at_rest()
    assert "alice" not in "".join(texts(table, logged))
    assert (await told(table, logged))[0] == "Somebody: Note: [deleted]"


async def test_a_file_of_the_table_names_no_channel(table: Game, logged: Channel) -> None:
    reply = await table.says("gm: /campaign export")
    assert reply.message is not None
    assert str(logged.id).encode() not in reply.message.files[0].data


@pytest.mark.parametrize("kind", ["thread", "private"])
async def test_a_thread_of_another_channel_may_be_the_log(table: Game, kind: str) -> None:
    people = [table.gm] if kind == "private" else None
    place = table.discord.thread("log", parent=table.discord.channel("elsewhere"), people=people)
    await table.play(f"gm: {SET}", "gm: /pp give who:Alice")
    assert await told(table, place) == ["gm: Alice: 2 PP (+1)"]


async def refused(table: Game, because: str, line: str = SET, who: str = "gm") -> BotReply:
    """Setting the log is refused, and nothing is told anywhere."""
    reply = await table.says(f"{who}: {line}")
    assert is_refused(reply), reply.text
    assert because in reply.text
    assert await table.ledger.step_logs.of(await campaign(table)) is None
    return reply


async def test_only_the_gm_chooses_the_log(table: Game) -> None:
    table.discord.channel("log")
    await refused(table, "Only the GM", who="bob")


async def test_who_may_not_write_in_a_channel_does_not_choose_it(table: Game) -> None:
    place = table.discord.channel("log")
    assert place.guild is not None
    table.discord.allow(place, place.guild, Overwrite(deny=Permission.SEND_MESSAGES))
    await refused(table, "You can't write in that channel")
    assert not table.discord.messages(place)
    table.discord.allow(place, table.gm, Overwrite(allow=Permission.SEND_MESSAGES))
    assert not is_refused(await table.gm.slash(SET))


async def test_who_does_not_see_a_channel_does_not_choose_it(table: Game) -> None:
    place = table.discord.channel("log")
    table.discord.hide(place)
    await refused(table, "You can't see that channel")
    table.discord.show(place, table.gm)
    await table.play(f"gm: {SET}")


async def test_a_private_thread_is_chosen_by_its_members_alone(table: Game) -> None:
    table.discord.thread("log", parent=table.discord.channel("elsewhere"), people=[table.bob])
    await refused(table, "You can't see that channel")


async def test_a_private_thread_that_the_bot_does_not_know_is_looked_for(table: Game) -> None:
    above, world = table.discord.channel("elsewhere"), table.discord.world
    world.add_thread("log", above, {table.gm.id})
    above.app_permissions &= ~Permission.VIEW_CHANNEL
    await refused(table, "The bot can't see that channel. Give the bot View Channel")
    above.app_permissions |= Permission.VIEW_CHANNEL
    await table.play(f"gm: {SET}")


@pytest.mark.parametrize(
    ("right", "because"),
    [
        (Permission.SEND_MESSAGES, "Give the bot Send Messages,"),
        (Permission.VIEW_CHANNEL, "Give the bot View Channel"),
    ],
)
async def test_where_the_bot_may_not_write_it_says_what_it_needs(
    table: Game, right: Permission, because: str
) -> None:
    place = table.discord.channel("log")
    table.discord.forbid(place, right)
    table.discord.allow(place, table.discord.world.home, Overwrite())
    await refused(table, because)


async def test_a_thread_that_is_locked_takes_no_log(table: Game) -> None:
    place = table.discord.thread("log", parent=table.discord.channel("elsewhere"))
    place.archived = place.locked = True
    await refused(table, "reopen the thread if it's closed, then")


async def test_where_discord_is_out_of_order_it_says_so(table: Game) -> None:
    place = table.discord.channel("log")
    table.discord.faults.lose(f"POST /channels/{place.id}/messages", times=2)
    await refused(table, "Try again in a moment")


async def test_where_discord_does_not_say_what_a_channel_is_it_may_be_tried_again(table: Game) -> None:
    place = table.discord.world.add_thread("log", table.discord.channel("elsewhere"), {table.gm.id})
    table.discord.faults.lose(f"GET /channels/{place.id}", times=2)
    await refused(table, "Discord didn't say which channel that is. Try again in a moment.")


async def test_a_category_is_no_place_for_a_log_however_it_is_chosen(table: Game) -> None:
    table.discord.world.add_channel("log", table.discord.world.home).kind = CATEGORY
    await refused(table, "A log can't be posted there. Choose a text channel or a thread.")


async def test_the_log_of_a_table_without_a_name_is_this_tables(game: Game) -> None:
    await begin_nameless(game)
    place = game.discord.channel("log")
    await game.play(f"gm: {SET}")
    assert game.discord.messages(place)[0].text.startswith("The steps of this table, played in")


async def test_the_tables_own_places_are_refused(table: Game) -> None:
    side = table.discord.thread("side")
    await refused(table, "table belongs to this table", "/campaign set log:#table")
    await refused(table, "side belongs to this table", "/campaign set log:#side")
    await table.gm.slash("/campaign new name:Elsewhere", channel=side)
    await table.play("gm: /campaign set log:#side")


async def test_the_same_channel_again_is_refused(table: Game, logged: Channel) -> None:
    reply = await table.says(f"gm: {SET}")
    assert is_refused(reply)
    assert f"The log is already posted in #log. To stop the log: {OFF}" in reply.text


@pytest.mark.parametrize("line", ["", "value:words", "setting:dice value:words log:#log"])
async def test_one_thing_is_set_with_its_value(table: Game, line: str) -> None:
    table.discord.channel("log")
    await refused(table, "a setting and a value, or only a channel for the log", f"/campaign set {line}")


async def test_where_no_table_is_there_is_no_log(game: Game) -> None:
    game.discord.channel("log")
    reply = await game.says(f"gm: {SET}")
    assert is_refused(reply)
    assert "There's no table in this channel yet" in reply.text


async def test_private_messages_have_no_channel_for_a_log(game: Game) -> None:
    alone = game.discord.dm(game.alice)
    await game.alice.slash("/campaign new name:Diary", channel=alone)
    reply = await game.alice.slash("/campaign set log:#table", channel=alone)
    assert is_refused(reply)
    assert "A log channel only works on a server" in reply.text


async def test_a_voice_or_other_channel_is_no_place_for_a_log(game: Game) -> None:
    (command,) = (each for each in game.discord.commands if each["name"] == "campaign")
    (set_,) = (each for each in command["options"] if each["name"] == "set")
    (log,) = (each for each in set_["options"] if each["name"] == "log")
    assert sorted(log["channel_types"]) == [0, 5, 10, 11, 12]
