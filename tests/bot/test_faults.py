"""Bad days: crowds, errors, lost and late answers, a dropped gateway, a pinned table that is gone."""

import asyncio
from collections import Counter

import pytest
from structlog.testing import capture_logs

from bot.language.line import Text
from bot.language.printers import spelled
from bot.loopback.driver import Loopback
from bot.loopback.model import Message, Permission
from bot.loopback.reply import BotReply
from bot.metrics_hooks import MetricsHooks
from bot.store.history import Place
from bot.views.facts import summary
from tests.bot.test_buttons import is_refused, seen
from tests.game import Game
from tests.patience import PATIENCE, until

CALLBACK = "POST /interactions/*/callback"
PEOPLE = 40


async def summaries(game: Game) -> list[Text]:
    """The log, oldest first."""
    entry = await game.ledger.look(Place(game.discord.table.id, game.discord.world.home.id))
    assert entry is not None
    return [
        spelled(summary(step.facts))
        for step in reversed(await game.ledger.past.log(entry.campaign, count=500))
    ]


async def open_crowd(game: Game) -> None:
    """An open table with a doom pool, where everybody may do everything."""
    await game.play("bob: /campaign new name:Crowd ruleset:adept open:true", "bob: /act start")


async def at_once(game: Game, line: str) -> list[BotReply]:
    """Forty people send the same line in the same instant."""
    people = [game.person(f"person {number}") for number in range(PEOPLE)]
    return list(await asyncio.gather(*(person.slash(line) for person in people)))


async def test_forty_people_give_pp_in_the_same_instant(game: Game) -> None:
    await open_crowd(game)
    await game.play("bob: /pp give who:Alice")
    replies = await at_once(game, "/pp give who:Alice")
    assert not [reply.text for reply in replies if is_refused(reply)]
    assert Counter(reply.text.splitlines()[0] for reply in replies) == {
        f"Alice: {number} PP (+1)": 1 for number in range(2, PEOPLE + 2)
    }
    assert "Alice: 41 PP" in (await game.says("bob: /pp show")).text


async def test_forty_people_add_doom_in_the_same_instant(game: Game) -> None:
    await open_crowd(game)
    replies = await at_once(game, "/doom add dice:d6")
    told = {reply.text for reply in replies if not is_refused(reply)}
    assert told == {f"Doom pool: {number}d6 (d6 added)" for number in range(3, 31)}
    assert sum("a pool can have at most 30" in reply.text for reply in replies) == PEOPLE - len(told)
    assert "Doom pool: 30d6" in (await game.says("bob: /doom show")).text


async def test_forty_people_press_the_same_opportunity_and_one_has_it(table: Game) -> None:
    table.dice.show((1, 4))
    await table.play("gm: /comp add what:Rain who:scene die:d12")
    reply = await table.play("gm: /doom roll")
    people = [table.person(f"person {number}") for number in range(PEOPLE)]
    await table.play(*(f"{one.name}: /character new name:{one.name}" for one in people))
    forms = [(one, (await one.press(reply, "Opportunities")).form) for one in people]
    done = await asyncio.gather(*(one.submit(form, {}) for one, form in forms))
    (winner,) = (each for each in done if not is_refused(each))
    for late in done:
        if late is not winner:
            assert f"{winner.by.name} got there first" in late.text
    assert "Scene · Rain d10" in (await table.says("bob: /comp show")).text


def is_tried(table: Game) -> bool:
    """Whether the bot has tried to answer."""
    return table.discord.faults.waiting[0].times < 10


@pytest.mark.parametrize("takes_effect", [False, True])
async def test_an_error_of_discord_keeps_the_change_whole_and_in_the_log(
    table: Game, *, takes_effect: bool
) -> None:
    before = await seen(table)
    table.discord.faults.fail(CALLBACK, 500, times=10, takes_effect=takes_effect)
    await table.unanswered(table.says("gm: /pp give who:Alice, Bob"), lambda: is_tried(table))
    table.discord.faults.waiting.clear()
    log = (await table.says("bob: /log count:1")).text
    points = (await table.says("bob: /pp show")).text
    assert (await seen(table))[0] == before[0] + 1
    assert "Alice: 2 PP" in log
    assert "Bob: 2 PP" in log
    assert "Alice: 2 PP" in points
    assert "Bob: 2 PP" in points


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_an_error_that_passes_is_tried_again_and_changes_nothing_twice(
    table: Game, status: int
) -> None:
    before = await seen(table)
    table.discord.faults.fail(CALLBACK, status, takes_effect=False)
    reply = await table.says("gm: /pp give who:Alice")
    assert reply.failed is None
    assert "Alice: 2 PP" in reply.text
    assert (await seen(table))[0] == before[0] + 1


async def test_an_answer_that_arrived_but_was_reported_lost_is_not_doubled(table: Game) -> None:
    before = await seen(table)
    table.discord.faults.fail(CALLBACK, 502, takes_effect=True)
    messages = len(table.discord.messages())
    await table.says("gm: /pp give who:Alice")
    await table.says("bob: /pp show")
    assert (await seen(table))[0] == before[0] + 1
    assert len(table.discord.messages()) == messages + 1


async def test_a_cut_connection_keeps_the_change_whole(table: Game) -> None:
    before = await seen(table)
    table.discord.faults.lose(CALLBACK, times=10)
    await table.unanswered(table.says("gm: /pp give who:Alice"), lambda: is_tried(table))
    table.discord.faults.waiting.clear()
    assert (await seen(table))[0] == before[0] + 1
    assert "Alice: 2 PP" in (await table.says("bob: /log count:1")).text


class QueueWatch(MetricsHooks):
    """Knows how many requests wait for a connection."""

    waiting = 0

    def queued(self, waiting: int) -> None:
        self.waiting = waiting


async def test_requests_beyond_the_connections_wait_for_one_and_the_log_and_a_metric_say_so(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.doomkeeper.CONNECTIONS", 5)
    table.watch = watch = QueueWatch()
    await table.restart()
    free, people = 4, 20  # the gateway has the fifth
    goes_on = table.discord.faults.hold(CALLBACK, times=people)
    with capture_logs() as records:
        doing = [
            asyncio.create_task(table.person(f"person {number}").slash("/roll dice:d6"))
            for number in range(people)
        ]
        await until(lambda: (watch.waiting, table.discord.server.held) == (people - free, free))
    said = [each["event"] for each in records if each["log_level"] == "warning"]
    assert said == ["requests to Discord wait for a free connection"]
    asking = asyncio.create_task(table.bot.fetch_channel(table.discord.table.id))
    await until(lambda: watch.waiting == people - free + 1)
    asking.cancel()
    await until(lambda: watch.waiting == people - free)
    goes_on.set()
    assert [reply.failed for reply in await asyncio.gather(*doing)] == [None] * people
    assert watch.waiting == 0


async def test_a_refused_change_leaves_nothing_behind_when_its_answer_is_lost(table: Game) -> None:
    before = await seen(table)
    table.discord.faults.fail(CALLBACK, 500, times=10)
    await table.unanswered(table.says("alice: /doom add dice:d6"), lambda: is_tried(table))
    table.discord.faults.waiting.clear()
    assert await seen(table) == before


async def test_a_late_answer_keeps_the_change_whole_and_in_the_log(table: Game) -> None:
    table.discord.server.answers.deadline = -1
    late = await table.says("gm: /pp give who:Alice")
    table.discord.server.answers.deadline = PATIENCE
    assert late.failed is not None
    assert "Alice: 2 PP" in (await table.says("bob: /log count:1")).text
    assert "Alice: 2 PP" in (await table.says("bob: /pp show")).text


async def test_a_dropped_gateway_is_resumed_and_no_command_is_lost(table: Game) -> None:
    reply = await table.play("alice: /roll dice:2d6 d8")
    await table.discord.faults.drop_gateway(resumable=True)
    said = asyncio.create_task(table.says("gm: /pp give who:Alice"))
    await table.discord.ready()
    assert "Alice: 2 PP" in (await said).text
    assert table.discord.gateway.resumed == 1
    assert table.discord.gateway.identified == 1
    assert (await table.gm.press(reply, "Oppose")).form is not None


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shard may identify again at once: this Discord demands no pause."""
    monkeypatch.setattr("bot.client.shards.TURN", 0.0)


async def test_a_gateway_that_is_not_resumable_is_opened_anew(hasty: None, table: Game) -> None:
    await table.discord.faults.drop_gateway(resumable=False)
    await table.discord.ready()
    assert "Alice: 2 PP" in (await table.play("gm: /pp give who:Alice")).text
    assert table.discord.gateway.identified == 2


@pytest.mark.parametrize(
    "line",
    [
        "alice: /roll dice:2d6 d8 vs:doom",
        "gm: /pp give who:all",
        "gm: /doom add dice:d8",
        "gm: /undo",
        "gm: /campaign new name:Deep Water",
        "gm: /session end",
    ],
)
async def test_the_same_interaction_delivered_twice_changes_nothing_twice(table: Game, line: str) -> None:
    reply = await table.says(line)
    before = await seen(table)
    messages = len(table.discord.messages())
    await reply.by.again(reply)
    assert await seen(table) == before
    assert len(table.discord.messages()) == messages
    assert is_whole(reply)


async def test_the_same_interaction_delivered_again_after_a_restart_changes_nothing(table: Game) -> None:
    reply = await table.play("gm: /pp give who:all")
    before = await seen(table)
    await table.restart()
    await reply.by.again(reply)
    assert await seen(table) == before


async def test_a_press_and_a_form_delivered_twice_change_nothing_twice(table: Game) -> None:
    table.dice.show((9, 7, 2, 3))
    pressed = await table.alice.press(await table.play("alice: /roll dice:d10 d8 2d6"), "Total 12, effect d8")
    opened = await table.gm.press(pressed, "Oppose")
    sent = await table.gm.submit(opened.form, {"Dice": "11"})
    before = await seen(table)
    for reply in (pressed, opened, sent):
        await reply.by.again(reply)
    assert await seen(table) == before


def is_whole(reply: BotReply) -> bool:
    """An answer without any fault."""
    return reply.failed is None and "Something went wrong" not in reply.text


async def pinned(game: Game) -> Message:
    """The pinned table, pinned just now."""
    await game.says("gm: /table pin")
    (message,) = game.discord.pins()
    return message


async def follows(game: Game, points: int) -> None:
    """Wait until one pinned message shows Alice with so many PP."""
    await game.at_rest()
    assert [f"Alice: {points} PP" in pin.text for pin in game.discord.pins()] == [True]


async def test_the_pinned_table_follows_every_change(table: Game) -> None:
    message = await pinned(table)
    await table.play("gm: /pp give who:Alice")
    await follows(table, 2)
    await table.play("gm: /undo")
    await follows(table, 1)
    assert table.discord.pins() == [message]


async def test_many_changes_make_few_edits(table: Game) -> None:
    message = await pinned(table)
    await asyncio.gather(*(table.says("gm: /pp give who:Alice") for _ in range(PEOPLE)))
    await follows(table, PEOPLE + 1)
    assert len(message.versions) < PEOPLE / 2


async def test_a_rate_limit_on_the_pinned_table_delays_it_and_no_command(table: Game) -> None:
    await pinned(table)
    table.discord.faults.rate_limit("PATCH /channels/*/messages/*", retry_after=0.2, times=2)
    await table.play("gm: /pp give who:Alice", "gm: /pp give who:Alice")
    await follows(table, 3)


async def test_an_error_on_the_pinned_table_is_made_good_at_the_next_change(table: Game) -> None:
    message = await pinned(table)
    table.discord.faults.fail("PATCH /channels/*/messages/*", 403, code=50001, message="Missing Access")
    await table.play("gm: /pp give who:Alice")
    await table.at_rest()
    assert not table.discord.faults.waiting
    await table.play("gm: /pp give who:Alice")
    await follows(table, 3)
    assert table.discord.pins() == [message]


async def test_a_pin_that_could_not_be_edited_follows_the_next_change_at_once(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await pinned(table)
    table.bot.pinned.later.retry = 300.0  # so long the next try of its own would wait
    failed = asyncio.Event()

    async def fail(*_: object) -> None:
        monkeypatch.undo()
        failed.set()
        raise TimeoutError

    monkeypatch.setattr(table.bot.pinned, "_edit", fail)
    await table.play("gm: /pp give who:Alice")
    await table.at_rest()
    assert failed.is_set()
    await table.play("gm: /pp give who:Alice")
    await follows(table, 3)
    assert table.discord.pins() == [message]


async def test_a_deleted_pinned_table_heals(table: Game) -> None:
    message = await pinned(table)
    await table.discord.delete_message(message)
    await table.play("gm: /pp give who:Alice")
    await follows(table, 2)
    await table.play("gm: /pp give who:Alice")
    await follows(table, 3)


async def test_pinning_without_the_right_says_what_is_missing_and_leaves_nothing(table: Game) -> None:
    table.discord.forbid(table.discord.table, Permission.PIN_MESSAGES)
    before = table.discord.messages()
    refused = await table.says("gm: /table pin")
    assert is_refused(refused)
    assert "Pin Messages" in refused.text
    assert table.discord.messages() == before


async def test_pinning_where_the_connection_is_cut_leaves_nothing_and_may_be_tried_again(table: Game) -> None:
    table.discord.faults.lose("POST /channels/*/messages", times=2)
    refused = await table.says("gm: /table pin")
    assert is_refused(refused)
    assert "Discord didn't accept the table. Try again. Example: /table pin" in refused.text
    assert table.discord.pins() == []


async def test_pinning_where_too_much_is_pinned_says_so(table: Game) -> None:
    table.discord.faults.fail("PUT /channels/*/pins/*", 400, code=30003, message="Maximum number of pins")
    before = table.discord.messages()
    refused = await table.says("gm: /table pin")
    assert is_refused(refused)
    assert "pins" in refused.text
    assert table.discord.messages() == before


async def test_a_channel_that_is_gone_disturbs_nobody(table: Game) -> None:
    thread = table.discord.thread("side")
    await table.gm.slash("/table pin", channel=thread)
    await pinned(table)
    await table.discord.delete_channel(thread)
    await table.play("gm: /pp give who:Alice")
    await follows(table, 2)


async def test_a_stopping_bot_takes_no_new_work_and_shows_the_last_change(table: Game) -> None:
    message = await pinned(table)
    table.bot.pinned.later.pause = 60
    await table.play("gm: /pp give who:Alice")
    await table.stop()
    assert "Alice: 2 PP" in message.text
    await table.start()


async def test_loads_of_people_at_loads_of_tables_do_not_mix(game: Game) -> None:
    loopback: Loopback = game.discord
    places = [loopback.channel(f"room {number}") for number in range(10)]
    lines = [(place, f"/pp give who:P{n} number:{n + 1}") for n, place in enumerate(places)] * 4
    for n, place in enumerate(places):
        await game.alice.slash(f"/character new name:P{n}", channel=place)
    await asyncio.gather(*(game.alice.slash(line, channel=place) for place, line in lines))
    for n, place in enumerate(places):
        assert f"P{n}: {4 * (n + 1)} PP" in (await game.alice.slash("/pp show", channel=place)).text
