"""The messages of a roll follow what becomes of it, whoever and whatever changes it."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from bot.client.debounce import TRIES, Debouncer
from bot.loopback.model import Channel, Message, Permission
from bot.loopback.reply import BotReply, buttons_of
from bot.store.history import Entry, Place
from bot.store.ledger import Ledger
from bot.store.messages import RememberedMessages
from rules.table import Table
from tests.clock import HeldClock
from tests.game import Game

Deed = Callable[[Game, Channel], None]
ROLL = "alice: /roll dice:2d6 d8 d10 vs:7"


async def rolled(table: Game) -> Message:
    table.dice.show((4, 3, 6, 2))
    message = shown(await table.play(ROLL))
    await table.rest()  # People see the message before the bot knows that it does, and follows it.
    return message


def shown(reply: BotReply) -> Message:
    assert reply.message is not None
    return reply.message


def labels(message: Message) -> list[str]:
    return [button.label for button in buttons_of(message)]


async def applied(table: Game, message: Message) -> None:
    form = (await table.alice.press(message, "Apply")).form
    assert form is not None
    await table.alice.submit(form, {"Name": "Foothold"})


async def test_undo_gives_a_roll_its_buttons_back(table: Game) -> None:
    message = await rolled(table)
    before = labels(message)
    await applied(table, message)
    assert not [label for label in labels(message) if label.startswith("Apply")]
    await table.play("alice: /undo")
    await table.at_rest()
    assert labels(message) == before
    assert "Foothold" not in message.text


async def test_redo_takes_them_again(table: Game) -> None:
    message = await rolled(table)
    await applied(table, message)
    await table.play("alice: /undo", "alice: /redo")
    await table.at_rest()
    assert "Foothold" in message.text


async def test_the_end_of_a_scene_closes_its_rolls(table: Game) -> None:
    message = await rolled(table)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert labels(message) == ["What was it?"]
    assert "This roll is closed." in message.text


def box(message: Message) -> tuple[object, str]:
    """The colour of a message's edge, and all its text."""
    return message.components[0].get("accent_color"), message.text


async def test_a_closed_roll_keeps_its_looks_and_of_its_buttons_the_question_alone(table: Game) -> None:
    message = await rolled(table)
    accent, text = box(message)
    assert accent is not None
    await table.play("gm: /scene end")
    await table.at_rest()
    assert labels(message) == ["What was it?"]
    assert box(message) == (accent, f"{text}\n-# This roll is closed.")


async def test_a_closed_roll_shows_what_became_of_it_last(table: Game) -> None:
    await table.play("gm: /campaign set setting:reroll for 1 PP value:on")
    message = await rolled(table)
    table.bot.shown.later.pause = 300.0
    table.dice.show((6,))
    await table.play("alice: /reroll dice:d10", "gm: /scene end")
    await table.bot.shown.later.flush()
    assert "d10: 6" in message.text
    assert labels(message) == ["What was it?"]


@pytest.mark.parametrize("undone", [False, True])
async def test_where_the_state_before_is_gone_by_a_closed_roll_stays_as_it_is_shown(
    table: Game, *, undone: bool
) -> None:
    message = await rolled(table)
    await table.bot.shown.later.flush()
    table.bot.shown.later = Debouncer(table.bot.shown._refresh, 300.0, table.clock)
    accent, text = box(message)
    await table.play(
        "alice: /undo" if undone else "gm: /scene end", "gm: /doom add dice:d6", "gm: /doom add dice:d8"
    )
    await table.bot.shown.later.flush()
    assert labels(message) == []
    assert box(message) == (accent, f"{text}\n-# This roll is closed.")


async def test_a_roll_too_old_to_stay_open_loses_its_buttons_too(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rules.cortex.roll.OPEN_ROLLS", 3)
    rolls = [await rolled(table) for _ in range(5)]
    await table.at_rest()
    assert [len(labels(message)) > 1 for message in rolls] == [False] * 2 + [True] * 3
    assert "Total" in rolls[0].text


async def test_what_is_new_is_tried_at_once_after_an_edit_that_failed() -> None:
    tries = 0

    async def work(campaign: int) -> bool:
        nonlocal tries
        tries += 1
        return tries > 1

    clock = HeldClock()
    later = Debouncer(work, 0.0, clock)
    later.retry = 300.0  # so long the second try would wait
    for count in (1, 2):
        later.touch(1)
        await clock.rest()
        assert tries == count


async def test_what_fails_is_tried_again_one_campaign_at_a_time_until_it_is_given_up() -> None:
    first, tries, at_once = set[int](), Counter[int](), [0]

    async def work(campaign: int) -> bool:
        tries[campaign] += 1
        if campaign not in first:
            first.add(campaign)
            return False
        at_once.append(at_once[-1] + 1)
        await asyncio.sleep(0)
        at_once.append(at_once[-1] - 1)
        return False

    clock = HeldClock()
    later = Debouncer(work, 1.0, clock)
    for campaign in range(5):
        later.touch(campaign)
    await clock.advance(days=1)
    assert sum(tries.values()) == 5 * TRIES
    assert (set(tries.values()), max(at_once)) == ({TRIES}, 1)


async def test_a_closed_roll_whose_message_discord_refuses_to_edit_is_looked_up_once(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = [await rolled(table) for _ in range(3)]
    await table.bot.shown.later.flush()
    table.bot.shown.later = Debouncer(table.bot.shown._refresh, 0.0, table.clock)
    walked, refused = Counter[str](), 3
    before, edit = table.bot.shown._ledger.past.before, table.bot.shown._edit

    async def walk(entry: Entry) -> Table | None:
        walked["back"] += 1
        return await before(entry)

    async def refuse(*args: Any) -> None:
        walked["refused"] += 1
        if walked["refused"] <= refused * len(messages):
            raise TimeoutError
        await edit(*args)

    monkeypatch.setattr(table.bot.shown._ledger.past, "before", walk)
    monkeypatch.setattr(table.bot.shown, "_edit", refuse)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert all(labels(message) == ["What was it?"] for message in messages)
    assert all("Total" in message.text and "This roll is closed." in message.text for message in messages)
    assert walked["back"] <= 2  # one for the command, one for the looks


async def test_what_nobody_waits_for_any_more_has_ended_before_what_it_reads_is_closed() -> None:
    begun, let_go = asyncio.Event(), False

    async def work(campaign: int) -> bool:
        nonlocal let_go
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(10):  # as a connection that is handed back
                await asyncio.sleep(0)
            let_go = True
        return True

    later = Debouncer(work, 0.0, HeldClock())
    later.touch(1)
    await begun.wait()
    flushing = asyncio.create_task(later.flush())
    await asyncio.sleep(0)
    later.pause = 300.0
    later._hurry.clear()
    later.touch(2)  # so that it still waits when nobody does any more
    flushing.cancel()
    await asyncio.wait({flushing})
    assert (flushing.cancelled(), let_go, later.waits) == (True, True, False)


async def test_an_undone_roll_is_closed_and_a_redone_one_is_open(table: Game) -> None:
    message = await rolled(table)
    before = labels(message)
    await table.play("alice: /undo")
    await table.at_rest()
    assert labels(message) == []
    await table.play("alice: /redo")
    await table.at_rest()
    assert labels(message) == before


async def test_a_reroll_by_command_reaches_the_first_message(table: Game) -> None:
    await table.play("gm: /campaign set setting:reroll for 1 PP value:on")
    message = await rolled(table)
    table.dice.show((10,))
    await table.play("alice: /reroll dice:d10")
    await table.at_rest()
    assert "d10: 10" in message.text


async def test_doom_spent_on_the_opposition_reaches_the_roll(table: Game) -> None:
    table.dice.show((5, 4, 3), (2, 3))
    message = shown(await table.play("alice: /roll dice:2d6 d8 vs:doom"))
    assert "vs 5: success by 4" in message.text
    table.dice.show((6,))
    await table.play("gm: /doom spend for:die")
    await table.at_rest()
    assert "vs 9: failure" in message.text


async def test_a_crisis_die_spent_on_the_opposition_reaches_the_roll(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d6")
    table.dice.show((5, 4, 3), (2, 3), (6,))
    message = shown(await table.play("alice: /roll dice:2d6 d8 vs:Fire"))
    await table.play("gm: /crisis spend for:die")
    await table.at_rest()
    assert "vs 9: failure" in message.text


async def test_an_answer_in_a_contest_takes_the_buttons_of_the_roll_before(table: Game) -> None:
    table.dice.show((5, 4, 2), (8, 7))
    message = shown(await table.play("bob: /contest start dice:2d8 d6 against:Alice"))
    assert {"Roll against", "Give in", "Spend"} <= set(labels(message))
    await table.play("alice: /contest answer dice:2d8")
    await table.at_rest()
    assert labels(message) == ["What was it?"]
    await table.play("alice: /undo")
    await table.at_rest()
    assert {"Roll against", "Give in", "Spend"} <= set(labels(message))


@pytest.mark.parametrize("line", ["gm: /doom add dice:d6", "bob: /asset add what:Rope"])
async def test_what_does_not_touch_a_roll_edits_nothing(table: Game, line: str) -> None:
    message = await rolled(table)
    versions = len(message.versions)
    await table.play(line)
    await table.bot.shown.later.flush()
    assert len(message.versions) == versions


async def test_a_roll_made_while_the_table_is_read_keeps_its_buttons(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_read, go_on = asyncio.Event(), asyncio.Event()
    newest = Ledger.newest

    async def slowly(self: Ledger, campaign: int) -> Entry | None:
        entry = await newest(self, campaign)
        if not is_read.is_set():
            is_read.set()
            await go_on.wait()
        return entry

    await rolled(table)
    await table.bot.shown.later.flush()
    place = Place(table.discord.table.id, table.discord.world.home.id)
    entry = await table.ledger.look(place)
    assert entry is not None
    monkeypatch.setattr(Ledger, "newest", slowly)
    table.bot.shown.later.touch(entry.campaign)
    await is_read.wait()
    message = await rolled(table)
    before = labels(message)
    go_on.set()
    await table.bot.shown.later.flush()
    assert (labels(message), message.versions) == (before, [])


async def test_a_roll_that_is_told_late_follows_what_happened_before(table: Game) -> None:
    told = table.discord.faults.hold("POST /interactions/*/callback")
    rolling = asyncio.create_task(rolled(table))
    await table.at_rest()
    assert not table.discord.faults.waiting
    await table.play("gm: /scene end")
    told.set()
    message = await rolling
    await table.at_rest()
    assert "This roll is closed" in message.text


async def test_after_a_restart_a_roll_is_followed_and_linked_as_before(table: Game) -> None:
    await table.says("gm: /table pin")
    message = await rolled(table)
    before = message.text
    await table.restart()
    link = f"https://discord.com/channels/{table.discord.world.home.id}/{table.discord.table.id}/{message.id}"
    (pin,) = table.discord.pins()
    looked = (await table.alice.press(pin, "Waiting")).message
    assert looked is not None
    assert link in looked.text
    await table.play("gm: /scene end")
    await table.at_rest()
    assert "This roll is closed" in message.text
    assert before.splitlines()[0] in message.text
    await table.restart()
    await table.play("gm: /undo")
    await table.at_rest()
    assert "Apply d10" in labels(message)


async def test_a_restart_with_nothing_to_mend_sends_nothing(table: Game) -> None:
    await table.says("gm: /table pin")
    for _ in range(3):
        await rolled(table)
    await applied(table, await rolled(table))
    await table.at_rest()
    requests = ("PATCH /channels/*", "POST /channels/*", "GET /channels/*")
    for request in requests:
        table.discord.faults.fail(request, times=9)
    await table.restart()
    await table.advance(minutes=1)
    assert [fault.times for fault in table.discord.faults.waiting] == [9] * len(requests)
    table.discord.faults.waiting.clear()


async def test_a_card_that_discord_would_not_edit_is_edited_after_a_restart_however_late(table: Game) -> None:
    message = await rolled(table)
    await table.at_rest()
    table.discord.faults.fail("PATCH /channels/*/messages/*", 503, times=9_999)
    await table.play("gm: /scene end")
    await table.advance(hours=3)
    # Elsewhere people have played on since.
    await table.gm.slash("/roll dice:d8", channel=table.discord.channel("elsewhere"))
    await table.restart()
    assert "This roll is closed." not in message.text
    table.discord.faults.waiting.clear()
    await table.restart()
    await table.at_rest()
    assert "This roll is closed." in message.text


# Somebody who is taken out (C4)

OUT = ("gm: /comp add what:Hurt who:Alice die:d12", "gm: /comp stepup what:Hurt who:Alice")


async def test_a_message_that_a_killed_process_took_with_it_follows_its_roll_from_the_next_press_on(
    table: Game,
) -> None:
    message = await rolled(table)
    remembered = table.ledger.shown
    assert isinstance(remembered, RememberedMessages)
    remembered._known.clear()
    remembered._unwritten.clear()  # as after a kill in the seconds before it is written down
    await applied(table, message)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert "This roll is closed." in message.text


async def test_a_roll_of_somebody_taken_out_says_so_first_and_the_gm_lets_it_stand(table: Game) -> None:
    await table.play(*OUT)
    table.dice.show((6, 5, 4))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:7")
    assert rolled.text.splitlines()[1] == "Alice is taken out. The GM decides whether this roll stands."
    assert [button.label for button in rolled.buttons] == ["It stands", "Take back"]
    for press in ("It stands", "Take back"):
        assert "Only the GM can say whether a roll stands" in (await table.alice.press(rolled, press)).text
    pressed = rolled.buttons[1]
    stands = await table.gm.press(rolled, "It stands")
    assert "Alice is taken out. The GM lets this roll stand." in stands.text
    assert {"It stands", "Take back"}.isdisjoint(button.label for button in stands.buttons)
    again = await table.gm.push(rolled, pressed)
    assert again.private
    assert "gm got there first. That roll already stands" in again.text
    log = (await table.says("alice: /log")).text.splitlines()
    assert log[1].endswith("Alice: the roll with total 11 stands")
    refused = (await table.says("alice: /undo")).text
    assert refused == "Step 8 can't be undone by itself: step 9 builds on it. Ask the GM."
    await table.play("gm: /undo", "alice: /undo")


async def test_a_contest_waits_until_the_gm_lets_the_roll_of_somebody_taken_out_stand(table: Game) -> None:
    await table.play(*OUT)
    table.dice.show((6, 5), (6, 5), (4, 3))
    begun = await table.play("alice: /contest start dice:2d6 against:Bob")
    assert "Bob" not in (await table.says("gm: /table waiting")).text.replace("vs Bob", "")
    assert labels(shown(begun)) == ["It stands", "Take back"]
    assert "beat 11" not in begun.text
    assert table.bob.user.id not in shown(begun).pings
    for line in ("bob: /contest answer dice:2d6", "bob: /contest givein", "alice: /reroll"):
        refused = await table.says(line)
        assert refused.private
        assert "Alice is taken out, so the GM first needs to decide whether that roll stands." in refused.text
    assert "Undone: “Alice" in (await table.gm.press(begun, "Take back")).text
    again = await table.play("alice: /contest start dice:2d6 against:Bob")
    stands = await table.gm.press(again, "It stands")
    assert "Bob: beat 11 or give in." in stands.text
    said = "Alice: the roll against Bob (total 11) stands. Bob needs to answer"
    await table.at_rest()
    assert said in table.discord.messages()[-1].text
    assert table.discord.messages()[-1].pings == {table.bob.user.id}
    assert "Bob: 1 answer" in (await table.says("gm: /table waiting")).text
    assert "Total 7" in (await table.play("bob: /contest answer dice:2d6")).text
    assert "Take back" not in labels(shown(stands))


async def test_the_gm_takes_back_a_roll_of_somebody_taken_out(table: Game) -> None:
    await table.play(*OUT, "gm: /pp give who:Alice")
    table.dice.show((6, 5, 4), (3, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:7")
    await table.play("bob: /roll dice:2d6", "bob: /asset add what:Rope")
    assert "1 ruling" in (await table.says("gm: /table waiting")).text
    pressed = rolled.buttons[0]
    back = await table.gm.press(rolled, "Take back")
    assert "Undone: “Alice" in back.text
    await table.at_rest()
    assert not labels(shown(rolled))
    assert "That roll is closed" in (await table.gm.push(rolled, pressed)).text
    assert "Rope" in (await table.says("bob: /table show")).text


@pytest.mark.parametrize("ends", ["gm: /scene end", "gm: /scene start name:Later", "button", "doom"])
@pytest.mark.parametrize(("answer", "told"), [("Let it stand", "stands"), ("Drop it", "is dropped")])
async def test_the_end_of_a_scene_asks_about_a_roll_that_nobody_ruled_on(
    table: Game, ends: str, answer: str, told: str
) -> None:
    begun = await table.play("gm: /scene start name:Now")
    await table.play(*OUT, "alice: /comp add what:Leg die:d6", "gm: /doom add dice:2d12")
    table.dice.show((4, 4), (3, 3))
    rolled = await table.play("alice: /comp recover what:Leg dice:2d6 vs:2d4")
    if ends == "button":
        asked = await table.gm.press(begun, "End scene")
    else:
        asked = await table.says("gm: /doom spend dice:2d12 for:end scene" if ends == "doom" else ends)
    assert asked.private
    assert asked.text == (
        "Alice was taken out, but rolled 2d6 to recover Alice · Leg: total 8 against 6, a success. "
        "Does that roll stand?"
    )
    assert [button.label for button in asked.buttons] == ["Let it stand", "Drop it"]
    over = await table.gm.press(asked, answer)
    assert f"Alice: the roll to recover Alice · Leg (total 8) {told}" in over.text
    assert ("Leg d4 (was d6)" in over.text) is (answer == "Let it stand")
    await table.at_rest()
    assert {"It stands", "Take back"}.isdisjoint(labels(shown(rolled)))
    log = "\n".join((await table.says("gm: /log")).text.splitlines()[:4])
    assert f"(total 8) {told}" in log
    recap = (await table.says("gm: /session recap")).text
    assert ("1 roll, 1 success" in recap) is (answer == "Let it stand")
    await table.play("gm: /undo")
    assert "1 ruling" in (await table.says("gm: /table waiting")).text
    assert (await table.says("gm: /table show")).text.count("Leg d6") == 1


async def in_prime(game: Game) -> None:
    await game.table("prime")


async def asked_about(game: Game, *answers: str) -> list[str]:
    """The questions at the scene's end about rolls without a ruling; and the card of the end, last."""
    reply, said = await game.says("gm: /scene end"), list[str]()
    for answer in answers:
        said.append(reply.text)
        reply = await game.gm.press(reply, answer)
    return [*said, reply.text]


@pytest.mark.begins(at=in_prime)
async def test_of_several_rolls_without_a_ruling_each_is_named_with_what_it_changes(game: Game) -> None:
    await game.play(*OUT, "gm: /comp add what:Leg d8 who:Bob")
    game.dice.show((9, 9, 3), (2, 3), (5, 2, 1), (8, 2, 3), (4, 3), (6, 5))
    await game.play(
        "alice: /roll dice:2d10 d6 vs:2d8",
        "alice: /comp recover what:Bob · Leg dice:2d10 d6",
        "bob: /contest start dice:2d6 against:Alice",
        "alice: /contest answer dice:2d10",
    )
    rolled = "Alice was taken out, but rolled"
    first, second, third, over = await asked_about(game, "Drop it", "Let it stand", "Drop it")
    assert (
        first
        == f"{rolled} d6 2d10 for a hero die: total 12 against 5, a heroic success. Does that roll stand?"
    )
    assert second == (
        f"{rolled} d6 2d10 to recover Bob · Leg: total 7 against 11, a failure. Does that roll stand?"
    )
    assert third == (
        f"{rolled} 2d10 against Bob in a contest: total 11 against 7, a success. Does that roll stand?"
    )
    assert over.splitlines()[1:4] == [
        "Alice: the roll with total 12 is dropped",
        "Alice: the roll to recover Bob · Leg (total 7) stands",
        "Alice: the roll against Bob (total 11) is dropped",
    ]


UNDONE, CLOSED_ROLL = "This roll is closed: it was undone.", "This roll is closed."
STARTED, ANSWERED = "bob: /contest start dice:2d6 against:Alice", "alice: /contest answer dice:2d6"


@pytest.mark.parametrize(
    ("lines", "end", "has", "lacks"),
    [
        (("alice: /roll dice:2d6",), "gm: /undo", ("Alice is taken out.\n", UNDONE), ("decides",)),
        (("alice: /roll dice:2d6",), "Take back", ("Alice is taken out.\n", UNDONE), ("decides",)),
        (("bob: /roll dice:2d6",), "bob: /undo", (UNDONE,), (CLOSED_ROLL,)),
        ((STARTED,), "bob: /undo", (UNDONE,), ("or give in",)),
        ((STARTED,), "gm: /scene end", ("Alice: beat 7 or give in.", CLOSED_ROLL), ("undone",)),
        ((STARTED, ANSWERED), "gm: /undo", (UNDONE,), ("or give in", "decides")),
        (
            (STARTED, ANSWERED),
            "Drop it",
            ("The GM dropped this roll.", CLOSED_ROLL),
            ("or give in", "decides"),
        ),
        (
            (STARTED, ANSWERED),
            "Let it stand",
            ("The GM lets this roll stand.", "Bob: beat 11 or give in.", CLOSED_ROLL),
            ("decides",),
        ),
        (("alice: /contest start dice:2d6 against:Bob",), "Drop it", ("dropped this roll",), ("or give in",)),
    ],
)
async def test_the_card_of_a_roll_says_what_became_of_it(
    table: Game, lines: tuple[str, ...], end: str, has: tuple[str, ...], lacks: tuple[str, ...]
) -> None:
    await table.play(*OUT)
    table.dice.show((4, 3), (6, 5))
    rolled = await table.play(*lines)
    if end in ("Drop it", "Let it stand"):
        await asked_about(table, end)
    elif end == "Take back":
        await table.gm.press(rolled, end)
    else:
        await table.play(end)
    await table.at_rest()
    text = shown(rolled).text.replace("*", "")
    assert [each for each in has if each not in text] == []
    assert [each for each in lacks if each in text] == []


async def test_who_is_not_taken_out_rolls_as_ever(table: Game) -> None:
    await table.play(*OUT)
    table.dice.show((6, 5, 4))
    rolled = await table.play("bob: /roll dice:2d6 d8 vs:7")
    assert "taken out" not in rolled.text
    assert "It stands" not in [button.label for button in rolled.buttons]


# Where messages can't be edited for a while

VIEW = Permission.VIEW_CHANNEL
SHUT: dict[str, tuple[Deed, Deed]] = {
    "archived": (
        lambda game, place: game.discord.archive(place),
        lambda game, place: game.discord.reopen(place),
    ),
    "archived and locked": (
        lambda game, place: game.discord.archive(place, locked=True),
        lambda game, place: game.discord.reopen(place),
    ),
    "locked": (lambda game, place: game.discord.lock(place), lambda game, place: game.discord.reopen(place)),
    "hidden": (
        lambda game, place: game.discord.forbid(place, VIEW),
        lambda game, place: game.discord.permit(place, VIEW),
    ),
}
"""What keeps the bot from editing in a thread, and what lets it again."""
CLOSING = {
    "the scene ends": ("gm: /scene end",),
    "the roll is undone": ("gm: /undo",),
    "the scene ends, and the next begins": ("gm: /scene end", "gm: /scene start name:The roof"),
}


@pytest.mark.parametrize("restarts", [False, True], ids=["", "restart"])
@pytest.mark.parametrize("closing", CLOSING)
@pytest.mark.parametrize("how", SHUT)
async def test_a_roll_closed_where_the_bot_could_not_edit_loses_its_buttons_later(
    table: Game, how: str, closing: str, *, restarts: bool
) -> None:
    thread, (shut, let) = table.discord.thread("side"), SHUT[how]
    table.dice.show((4, 3, 6, 2), (4, 3, 6, 2))
    rolls = [shown(await table.alice.slash(ROLL.removeprefix("alice: "), channel=thread)) for _ in range(2)]
    await table.at_rest()
    message = rolls[-1]
    before = labels(message)
    shut(table, thread)
    await table.play(*CLOSING[closing])
    await table.at_rest()
    if restarts:
        await table.restart()
    await table.play("gm: /note text:Night falls")
    await table.at_rest()
    assert labels(message) == before
    is_archived = thread.archived
    let(table, thread)
    await table.at_rest()
    if not is_archived:  # nothing tells the bot that it may edit again, so the next step does
        await table.play("gm: /note text:Day breaks")
        await table.at_rest()
    assert set(labels(message)) <= {"What was it?"}
    assert message.text.count("This roll is closed") == 1
    versions = len(message.versions)
    await table.play("gm: /note text:Noon")
    await table.at_rest()
    assert len(message.versions) == versions


async def test_a_channel_that_takes_no_edits_is_asked_once_a_step(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = table.discord.thread("side")
    for _ in range(3):
        await table.alice.slash("/roll dice:2d6", channel=thread)
    await table.at_rest()
    table.discord.archive(thread)
    asked = Counter[str]()
    edit = table.bot.shown._edit

    async def count(*args: Any) -> None:
        asked["edits"] += 1
        await edit(*args)

    monkeypatch.setattr(table.bot.shown, "_edit", count)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert asked["edits"] == 1


async def closed_unseen(table: Game, line: str) -> Message:
    """A roll that was closed in a channel that the bot can't see."""
    table.dice.show((4, 3, 6, 2) if line == ROLL else (5, 4, 2))
    message = shown(await table.play(line))
    await table.at_rest()
    table.discord.forbid(message.channel, VIEW)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert len(labels(message)) > 1
    return message


@pytest.mark.parametrize(
    ("line", "number"),
    [*((ROLL, number) for number in range(3)), ("bob: /contest start dice:2d8 d6 against:Alice", 2)],
)
async def test_a_press_takes_the_buttons_of_a_closed_roll_where_the_bot_sees_nothing(
    table: Game, line: str, number: int
) -> None:
    message = await closed_unseen(table, line)
    by = table.gm if number else table.alice
    pressed = await by.push(message, buttons_of(message)[number])
    await table.at_rest()
    assert labels(message) == []
    assert pressed.updated
    assert "Total" in message.text
    told = [each for each in message.channel.messages.values() if each.viewer is by.user]
    assert told[-1].text in message.text, "the same is said below the roll"


@pytest.mark.parametrize("known", ["as closed", "not at all"])
async def test_a_press_takes_buttons_that_an_earlier_version_left_behind(table: Game, known: str) -> None:
    message = await rolled(table)
    await table.at_rest()
    before = message.components
    await table.play("gm: /scene end")
    await table.at_rest()
    message.components = before
    entry = await table.ledger.look(Place(message.channel.id, table.discord.world.home.id))
    assert entry is not None
    (one,) = await table.ledger.shown.of(entry.campaign)
    if known == "not at all":
        await table.ledger.shown.forget(entry.campaign, one)
    await table.restart()
    assert len(labels(message)) > 1
    assert "That roll is closed" in (await table.alice.push(message, buttons_of(message)[0])).text
    await table.at_rest()
    assert labels(message) == ["What was it?"]
    assert "This roll is closed." in message.text


async def test_who_presses_in_an_archived_thread_opens_it_and_the_buttons_go(table: Game) -> None:
    thread = table.discord.thread("side")
    message = shown(await table.alice.slash("/roll dice:2d6 d8", channel=thread))
    await table.at_rest()
    table.discord.archive(thread)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert thread.archived
    assert "That roll is closed" in (await table.gm.press(message, "Oppose")).text
    await table.at_rest()
    assert set(labels(message)) <= {"What was it?"}


async def test_rolls_that_are_edited_too_often_once_they_are_old_are_closed_later(table: Game) -> None:
    messages = [await rolled(table) for _ in range(5)]
    await table.at_rest()
    await table.advance(hours=2)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert all(labels(message) == ["What was it?"] for message in messages)
    edits = [message.edited for message in messages if message.edited is not None]
    assert max(edits) - min(edits) >= 6, "Discord took three of them at first"


GONE_THINGS = {
    "a deleted table's roll": (ROLL, ("gm: /campaign delete", "Delete"), "the table was deleted"),
    "a deleted table's scene": (
        "gm: /scene start name:Mill",
        ("gm: /campaign delete", "Delete"),
        "the table was deleted",
    ),
    "a crisis": ("gm: /crisis new name:Fire dice:2d6", ("gm: /crisis end name:Fire",), "has ended"),
    "an undone crisis": ("gm: /crisis new name:Fire dice:2d6", ("gm: /undo",), "has ended"),
    "a challenge": (
        "gm: /challenge new name:Storm difficulty:2d6",
        ("gm: /challenge end name:Storm",),
        "is over",
    ),
    "a GMC": ("gm: /gmc new name:Rex dice:Fangs d8", ("gm: /gmc remove name:Rex",), "has ended or left"),
    "a GMC of the last scene": (
        "gm: /gmc new name:Rex dice:Fangs d8",
        ("gm: /gmc remove name:Rex", "gm: /scene end", "gm: /scene start name:Mill"),
        "from a scene that has ended",
    ),
}
"""What a message shows, how it comes to be gone, and what whoever presses its button is told."""


@pytest.mark.parametrize("restarts", [False, True], ids=["", "restart"])
@pytest.mark.parametrize("who", ["alice", "gm"])
@pytest.mark.parametrize("thing", GONE_THINGS)
async def test_a_press_takes_the_buttons_of_what_is_gone(
    table: Game, thing: str, who: str, *, restarts: bool
) -> None:
    line, ends, why = GONE_THINGS[thing]
    table.dice.show((4, 3, 6, 2))
    message = shown(await table.play(line))
    await table.at_rest()
    for end in ends:
        if end.startswith("gm: "):
            reply = await table.says(end)
        else:
            await table.gm.press(reply, end)
    await table.at_rest()
    if restarts:
        await table.restart()
    assert labels(message)
    words = message.text
    pressed = await table.person(who).push(message, buttons_of(message)[-1])
    await table.at_rest()
    assert labels(message) == []
    assert words in message.text
    assert why in message.text
    assert (pressed.private, why in pressed.text) == (True, True)


OFF = "gm: /campaign set setting:crisis pools value:off"
STILL_THERE: dict[str, tuple[str, tuple[str, ...], str, str | int]] = {
    "not theirs": ("gm: /scene start name:Mill", (), "alice", "End scene"),
    "archived, which wakes": (ROLL, ("gm: /campaign archive",), "alice", "Apply"),
    "one of two things": ("gm: /scene start name:Mill", ("gm: /scene end",), "gm", "End scene"),
    "turned off": ("gm: /crisis new name:Fire dice:2d6", (OFF,), "alice", "Roll against"),
}
"""A message, what happens, and who presses which button that is refused: the message keeps its buttons."""


@pytest.mark.parametrize("case", STILL_THERE)
async def test_a_press_that_is_refused_for_another_reason_takes_no_buttons(table: Game, case: str) -> None:
    line, ends, who, which = STILL_THERE[case]
    await table.play("gm: /session end")
    table.dice.show((4, 3, 6, 2))
    message = shown(await table.play(line))
    await table.at_rest()
    for end in ends:
        reply = await table.says(end)
        if end == OFF:
            await table.gm.press(reply, "Set crisis pools")
    await table.at_rest()
    before = labels(message)
    refused = await table.person(who).press(message, which)
    await table.at_rest()
    assert refused.private
    assert labels(message) == before


async def test_a_press_takes_the_buttons_of_what_is_gone_where_the_bot_sees_nothing(table: Game) -> None:
    message = shown(await table.play("gm: /crisis new name:Fire dice:2d6"))
    await table.play("gm: /crisis end name:Fire")
    table.discord.forbid(message.channel, VIEW)
    await table.at_rest()
    assert (await table.alice.push(message, buttons_of(message)[0])).updated
    assert labels(message) == []
