"""What the bot says by itself: in its place, in another channel of the table, or by direct message."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta

import pytest

from bot.loopback.model import Channel, Interaction, Message, Permission
from bot.loopback.world import Happening
from bot.store.jobs import Job, JobTable
from tests.clock import START
from tests.game import Game

SOON = f"when:<t:{int((START + timedelta(days=2)).timestamp())}>"
LINES = (
    "gm: /scene start name:The docks again thread:true",
    "gm: /campaign set log:#log",
    "gm: /campaign set setting:pace value:post",
    f"gm: /session plan {SOON} at_least:2 again:weekly zone:berlin",
)
NOTICES = {
    "Done, even though Discord showed no answer": (1, {"gm": 1, "alice": 1}),
    "The log is off": (1, {"gm": 1}),
    "“A map”": (1, {"gm": 1, "alice": 1, "bob": 1}),
    "The session starts soon": (2, {"gm": 2, "alice": 2, "bob": 2}),
    "Not enough players yet: 0 of 2": (1, {"gm": 1}),
    "Next session": (1, {"gm": 1, "alice": 1, "bob": 1}),
    "1 thing is waiting for you": (4, {"gm": 4, "alice": 2}),
    "The deadline has passed": (1, {"gm": 1}),
    "Where is the GM?": (1, {"alice": 1, "bob": 1}),
}
"""How often each notice comes that the lines lead to: in a channel, or to each person if none takes it."""
ALONE = {words: people for words, (_, people) in NOTICES.items()}


class Heard:
    """The messages that the bot sent by itself, as they were when they came."""

    def __init__(self, game: Game) -> None:
        self.messages: list[tuple[Message, str]] = []
        game.discord.world.listeners.append(self._hear)

    def _hear(self, happening: Happening) -> None:
        message = happening.message
        if happening.kind == "created" and happening.interaction is None and message.author.is_bot:
            self.messages.append((message, message.text))

    def counts(self) -> Mapping[str, Counter[str]]:
        """How often each notice came, by the names of the channels and people that got it."""
        return {
            words: Counter(message.channel.name for message, text in self.messages if words in text)
            for words in NOTICES
        }


def in_channel(place: Channel) -> Mapping[str, Mapping[str, int]]:
    return {words: {place.name: count} for words, (count, _) in NOTICES.items()}


async def begin(table: Game, place: Channel) -> Channel:
    """Play at a place what leads to each notice; return another channel of the table."""
    other = table.discord.channel("other")
    table.discord.channel("log")
    assert (await table.gm.slash("/campaign join name:Skyfall", other)).failed is None
    for line in LINES:
        reply = await table.gm.slash(line.removeprefix("gm: "), place)
        assert reply.failed is None
        if "is still running in" in reply.text:
            await table.gm.press(reply, "End it and start the next one here")
    await table.at_rest()
    return other


async def play(table: Game, place: Channel) -> None:
    """Play what the bot tells at once: the log channel is gone, an answer is lost, a scene ends."""
    await table.discord.delete_channel(table.discord.channel("log"))
    await table.gm.slash("/note text:A map", place)
    table.discord.server.answers.deadline = -1
    await table.alice.slash("/pp spend", place)
    table.discord.server.answers.deadline = 3.0
    await table.gm.slash("/scene end", place)
    await table.gm.slash("/turn start who:Alice", place)
    await table.alice.slash("/roll dice:2d8", place)
    await table.at_rest()


async def days_pass(table: Game, place: Channel) -> None:
    """Let the days pass until all is told that is told of the lines, and then the GM leave."""
    await table.advance(hours=61)
    table.discord.world.home.gone.add(table.gm.user.id)
    await table.alice.slash("/roll dice:2d8", place)
    await table.at_rest()
    await table.advance(hours=25)
    await table.at_rest()


async def lose(table: Game, place: Channel, how: str) -> None:
    discord = table.discord
    if how == "View Channel":
        discord.forbid(place, Permission.VIEW_CHANNEL)
    elif how == "Send Messages":
        discord.forbid(place, Permission.SEND_MESSAGES, Permission.SEND_MESSAGES_IN_THREADS)
    elif how == "locked":
        discord.forbid(place, Permission.MANAGE_THREADS)
        discord.archive(place, locked=True)
    else:
        await discord.delete_channel(place)
        await table.rest()


@pytest.mark.parametrize("how", ["View Channel", "Send Messages", "deleted", "locked"])
async def test_a_notice_whose_place_is_closed_goes_to_another_channel_once(table: Game, how: str) -> None:
    place = table.discord.thread("side") if how == "locked" else table.discord.table
    other = await begin(table, place)
    heard = Heard(table)
    await lose(table, place, how)
    there = table.discord.table if how == "locked" else other
    await play(table, there if how in ("deleted", "locked") else place)
    await days_pass(table, there)
    assert heard.counts() == in_channel(there)
    await table.restart()
    await table.advance(hours=1)
    assert heard.counts() == in_channel(there)


async def test_where_no_channel_takes_a_notice_people_get_it_alone_once(table: Game) -> None:
    other = await begin(table, table.discord.table)
    heard = Heard(table)
    await lose(table, table.discord.table, "View Channel")
    await lose(table, other, "Send Messages")
    await play(table, table.discord.table)
    await days_pass(table, other)
    assert heard.counts() == ALONE
    await table.restart()
    await table.advance(hours=1)
    assert heard.counts() == ALONE


async def test_what_nobody_takes_is_told_once_somebody_does(table: Game) -> None:
    other = await begin(table, table.discord.table)
    heard = Heard(table)
    await lose(table, table.discord.table, "View Channel")
    await lose(table, other, "Send Messages")
    for person in (table.gm, table.alice, table.bob):
        table.discord.close_dm(person)
    await play(table, table.discord.table)
    await table.advance(hours=25)
    await table.restart()
    await table.advance(hours=1)
    assert heard.messages == []
    table.discord.close_dm(table.alice, is_closed=False)
    await table.advance(hours=1)
    expected: dict[str, Mapping[str, int]] = {words: {} for words in NOTICES} | {
        "Done, even though Discord showed no answer": {"alice": 1},
        "“A map”": {"alice": 1},
        "The session starts soon": {"alice": 1},
        "1 thing is waiting for you": {"alice": 1},
    }
    assert heard.counts() == expected
    table.discord.permit(other, Permission.SEND_MESSAGES)
    await table.advance(hours=1)
    expected["The log is off"] = {"other": 1}
    expected["Not enough players yet: 0 of 2"] = {"other": 1}
    expected["1 thing is waiting for you"] = {"alice": 1, "other": 1}
    assert heard.counts() == expected


@pytest.mark.parametrize("is_alone", [False, True])
async def test_what_was_sent_before_a_kill_is_found_again(
    table: Game, is_alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that sent its notice and could not be finished is one whose process was killed in between."""
    finish, killed = JobTable.finish, set[tuple[str, datetime]]()

    async def finish_again(self: JobTable, done: Job, again: datetime | Job | None = None) -> None:
        if (done.key, done.due) not in killed:
            killed.add((done.key, done.due))
            for message, _ in heard.messages:
                message.nonce = None  # it was minutes ago
            raise ConnectionError("killed")
        await finish(self, done, again)

    other = await begin(table, table.discord.table)
    heard = Heard(table)
    await lose(table, table.discord.table, "View Channel")
    if is_alone:
        await lose(table, other, "Send Messages")
    monkeypatch.setattr(JobTable, "finish", finish_again)
    await play(table, table.discord.table)
    await days_pass(table, other)
    assert heard.counts() == (ALONE if is_alone else in_channel(other))
    assert len(killed) > len(NOTICES)


ASIDE = {
    "gm: /whisper to:@bob text:psst": ("whispers to", "bob"),
    "alice: /whisper to:@bob text:psst": ("whispers to", "bob"),
    "alice: /safety x-card": ("Stop", "gm"),
    "bob: /safety open-door": ("Someone is stepping out", "gm"),
    "alice: /safety line what:Spiders": ("Spiders", "gm"),
    "alice: /safety veil what:Gore": ("Gore", "gm"),
    "gm: /roll dice:2d8 hidden:true": ("rolls in secret", ""),
}
"""What is told beside an answer, and who gets it by direct message if no channel takes it."""


def asides(heard: Heard, words: str) -> list[str]:
    return [message.channel.name for message, text in heard.messages if words in text]


@pytest.mark.parametrize("right", [Permission.SEND_MESSAGES, Permission.VIEW_CHANNEL])
@pytest.mark.parametrize("line", ASIDE)
async def test_what_is_told_beside_an_answer_goes_to_another_channel_of_the_table(
    table: Game, line: str, right: Permission
) -> None:
    await table.says("gm: /campaign set setting:hidden GM rolls value:on")
    other = table.discord.channel("other")
    await table.gm.slash("/campaign join name:Skyfall", other)
    heard = Heard(table)
    table.discord.forbid(table.discord.table, right)
    answer = await table.says(line)
    assert f"The bot can't post in this channel, so it told <#{other.id}>." in answer.text
    assert "The channel has been told" not in answer.text
    assert asides(heard, ASIDE[line][0]) == ["other"]


@pytest.mark.parametrize("line", ASIDE)
async def test_what_is_told_beside_an_answer_goes_to_whom_it_concerns(table: Game, line: str) -> None:
    await table.says("gm: /campaign set setting:hidden GM rolls value:on")
    heard = Heard(table)
    table.discord.forbid(table.discord.table, Permission.SEND_MESSAGES)
    answer = await table.says(line)
    words, person = ASIDE[line]
    assert asides(heard, words) == ([person] if person else [])
    expected = "so it sent a direct message" if person else "The channel wasn't told"
    assert expected in answer.text


async def test_a_whisper_told_by_direct_message_is_opened_and_answered_there(table: Game) -> None:
    heard = Heard(table)
    table.discord.forbid(table.discord.table, Permission.SEND_MESSAGES)
    table.discord.server.answers.deadline = -1
    await table.alice.slash("/whisper to:@bob text:psst")
    table.discord.server.answers.deadline = 3.0
    await table.at_rest()
    ((notice, _),) = [each for each in heard.messages if "whispers to" in each[1]]
    opened = await table.bob.press(notice, "Open")
    assert "psst" in opened.text
    form = (await table.bob.press(opened, "Answer")).form
    assert form is not None
    await table.bob.submit(form, {"What": "What?"})
    assert asides(heard, "**bob** whispers to") == ["alice"]
    table.discord.close_dm(table.alice)
    form = (await table.bob.press(opened, "Answer")).form
    refused = await table.bob.submit(form, {"What": "Well?"})
    assert "Discord didn't deliver your whisper. Try again in a channel that you share." in refused.text


async def test_a_whisper_that_reaches_nobody_is_not_kept(table: Game) -> None:
    table.discord.forbid(table.discord.table, Permission.SEND_MESSAGES)
    table.discord.close_dm(table.bob)
    refused = await table.says("alice: /whisper to:@bob text:psst")
    assert "The channel wasn't told: the bot needs Send Messages in this channel." in refused.text
    assert await table.ledger.whispers.of(table.bob.id) == []


async def test_a_reminder_opens_no_archived_thread(table: Game) -> None:
    side = table.discord.thread("side")
    await table.gm.slash("/session plan when:in 2 days 20:00 zone:UTC", side)
    heard = Heard(table)
    table.discord.archive(side)
    await table.advance(hours=49)
    assert side.archived
    assert set(asides(heard, "The session starts soon")) == {"table"}
    table.discord.reopen(side)
    await table.gm.slash("/session plan when:in 2 days 20:00 zone:UTC", side)
    await table.advance(hours=49)
    assert set(asides(heard, "The session starts soon")) == {"table", "side"}


async def test_a_command_in_a_locked_thread_is_answered(table: Game) -> None:
    side = table.discord.thread("side")
    table.discord.lock(side)
    assert "Alice: 1 PP" in (await table.gm.slash("/pp show", side)).text
    assert "Alice: 2 PP" in (await table.gm.slash("/pp give who:Alice", side)).text


async def test_what_is_done_in_a_thread_that_was_locked_meanwhile_is_told_elsewhere(
    table: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    side, heard = table.discord.thread("side"), Heard(table)
    deliver = table.discord.deliver

    async def lock(opened: Interaction) -> None:
        table.discord.archive(side, locked=True)
        await deliver(opened)
        await table.at_rest()
        table.discord.give_up()

    monkeypatch.setattr(table.discord, "deliver", lock)
    assert (await table.gm.slash("/pp give who:Alice", side)).failed
    await table.at_rest()
    assert side.archived
    assert asides(heard, "Done, even though Discord showed no answer") == ["table"]
    assert "unforeseen" not in capsys.readouterr().out
