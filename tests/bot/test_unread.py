"""What cannot be read or said harms nothing but itself: it is told as one line, and kept as it was."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.__main__ import main
from bot.language.printers import spelled
from bot.services.responses import telling
from bot.store import codec, upgrades
from bot.store.campaign_check import Checkup
from bot.store.jobs import SHAPES, Job
from bot.store.maintenance import examine
from bot.views.facts import summary
from rules.campaign.rolls import faces
from rules.campaign.story import story
from rules.cortex.facts import RollMade
from rules.cortex.model import CORTEX, Roll
from rules.facts import Fact, Illegible, Undone
from rules.values import replace
from tests.bot.test_chronicle import file_of
from tests.bot.test_dates import IN_TWO_DAYS, WHEN
from tests.clock import START
from tests.game import Game

LINE = "something this version can't read"
UNREAD: dict[str, tuple[object, str]] = {
    "an unknown kind": ({"fact": "Eclipse", "who": "Alice", "moons": [1, 2.5, None]}, f"{LINE} (Eclipse)"),
    "an unknown member": (
        {"fact": "GmUsed", "why": {"cause": "bribery"}, "who": "Alice"},
        f"{LINE} (GmUsed)",
    ),
    "a missing field": ({"fact": "PointsChanged", "who": "Alice"}, f"{LINE} (PointsChanged)"),
    "no kind": ({"who": "Alice"}, LINE),
    "no object": ("Alice", LINE),
    "a kind that could be anything": ({"fact": "@everyone **x**"}, LINE),
    "what is told of what cannot be read": (
        {"fact": "Undone", "step": 3, "facts": [{"fact": "Eclipse", "who": "Alice"}]},
        f"Undone: “{LINE} (Eclipse)”",
    ),
    "words that raise": (
        {"fact": "dice rerolled", "who": "Alice", "dice": [{"size": 6}], "faces": []},
        f"{LINE} (DiceRerolled)",
    ),
    "a roll that cannot be": (
        {
            "fact": "RollMade",
            "roll": {
                "number": 99,
                "player": 5,
                "who": "Alice",
                "hand": {"dice": [{"size": 6, "face": 1}], "effects": [7]},
            },
        },
        f"{LINE} (RollMade)",
    ),
    "what no story can tell": (
        {"fact": "TraitChanged", "owner": "Alice", "kind": "complication", "before": None, "after": None},
        "",
    ),
}


def rows(game: Game, statement: str, *values: Any) -> list[Any]:
    """What a statement finds in the game's file, or changes there."""
    with closing(sqlite3.connect(game.file)) as meddler:
        found = meddler.execute(statement, values).fetchall()
        meddler.commit()
    return found


async def away(game: Game, *changes: Callable[[Game], object]) -> None:
    """Change rows while the bot is away."""
    await game.stop()
    for change in changes:
        change(game)
    game.discord.gateway.ready.clear()
    await game.start()


def told(game: Game, step: int, *facts: object) -> None:
    """A step did that, too."""
    (text,) = rows(game, "SELECT facts FROM entry WHERE number = ?", step)[0]
    whole = json.loads(text)
    whole["facts"] += facts
    rows(game, "UPDATE entry SET facts = ? WHERE number = ?", json.dumps(whole), step)


def newest(game: Game) -> int:
    return int(rows(game, "SELECT max(number) FROM entry")[0][0])


@pytest.mark.parametrize("what", UNREAD)
async def test_a_fact_that_cannot_be_read_or_said_is_one_line_and_all_else_works(
    table: Game, what: str
) -> None:
    fact, line = UNREAD[what]
    await table.play("alice: /roll dice:2d6 vs:3", "gm: /pp give who:Alice")
    number = newest(table)
    await away(table, lambda game: told(game, number, fact))
    log = (await table.says("bob: /log")).text
    assert f"Alice: 2 PP (+1); {line}" in log.replace("**", "")
    assert "PP: 3 gained" in (await table.says("alice: /stats who:all")).text
    recap = await table.says("alice: /session recap")
    assert "1 success" in recap.text
    assert line in (await table.alice.press(recap, "Every roll")).text.replace("\\", "")
    assert "Alice" in file_of(await table.says("alice: /chronicle"))[1]
    assert "Alice" in file_of(await table.says("gm: /campaign export"))[1]
    assert "steps" in file_of(await table.says("gm: /privacy export"))[1]
    undone = await table.play("gm: /undo")
    assert line.removeprefix("Undone: ") in undone.text or what == "what is told of what cannot be read"
    assert "Alice: 1 PP" in (await table.says("bob: /pp show")).text
    assert line.removeprefix("Undone: ") in (await table.play("gm: /redo")).text or "Undone" in line
    assert "Alice: 2 PP" in (await table.says("bob: /pp show")).text
    (kept,) = rows(table, "SELECT facts FROM entry WHERE number = ?", number)[0]
    assert json.loads(kept)["facts"][-1] == fact
    if "Undone" not in line and what != "what no story can tell":
        (undone_,) = rows(table, "SELECT facts FROM entry WHERE number = ?", number + 1)[0]
        (again,) = codec.read_facts(undone_)
        assert isinstance(again, Undone)
        assert again.facts[-1:] == codec.read_facts(
            json.dumps({"version": upgrades.VERSION, "facts": [fact]})
        )


async def test_facts_that_are_no_text_of_facts_are_one_line(table: Game) -> None:
    await table.play("gm: /pp give who:Alice")
    number = newest(table)
    await away(table, lambda game: rows(game, "UPDATE entry SET facts = '{oh' WHERE number = ?", number))
    assert f": {LINE}" in (await table.says("bob: /log count:1")).text
    await table.play("gm: /undo", "gm: /redo")
    assert rows(table, "SELECT facts FROM entry WHERE number = ?", number) == [("{oh",)]


async def test_who_asks_is_forgotten_also_in_what_cannot_be_read(table: Game) -> None:
    alice = table.alice.user
    fact = {"fact": "Eclipse", "by": alice.id, "of": {"Alice": f"alice and <@{alice.id}>"}, "moons": [2]}
    await table.play("gm: /pp give who:Bob")
    await away(table, lambda game: told(game, newest(game), fact))
    await table.play("gm: /undo")
    asked = await table.says("alice: /privacy delete")
    told_ = await table.alice.press(asked, "Delete for ever")
    await table.at_rest()
    assert "has been deleted" in told_.text
    texts = [text for (text,) in rows(table, "SELECT facts FROM entry WHERE facts LIKE '%Eclipse%'")]
    assert len(texts) == 2
    for text in texts:
        assert "alice" not in text.casefold()
        assert str(alice.id) not in text
        assert '"moons":[2]' in text.replace(" ", "")
    assert f"{LINE} (Eclipse)" in (await table.says("bob: /log")).text


async def test_what_followed_from_a_roll_and_cannot_be_read_stays_on_the_roll(table: Game) -> None:
    """The state holds it: the table does not fall back to an older one."""
    table.dice.show((6, 5))
    rolled = await table.play("alice: /roll dice:2d6 vs:3")
    await table.play("gm: /pp give who:Alice")
    fact = {"fact": "Eclipse", "moons": 2}

    def change(game: Game) -> None:
        found = rows(game, "SELECT number, base, state FROM entry")
        keys = {number: codec.unpack(state) for number, base, state in found if base == number}
        for number, base, state in found:
            key = None if base == number else keys[base]
            form = json.loads(codec.joined(codec.unpack(state, key)))
            for roll in form["table"].get("games", {}).get("cortex", {}).get("rolls", {}).values():
                roll["after"] = {str(number): [fact]}
            fresh = codec.pack(json.dumps(form).encode())
            rows(game, "UPDATE entry SET state = ?, base = number WHERE number = ?", fresh, number)

    await away(table, change)
    assert "can't be read any more" not in (await table.says("bob: /table show")).text
    await table.play("gm: /pp give who:Alice")
    assert "Alice: 3 PP" in (await table.says("bob: /pp show")).text
    await table.play("gm: /undo")
    exported = file_of(await table.says("gm: /campaign export"))[1]
    assert "Eclipse" not in exported
    assert LINE in exported
    (state,) = rows(table, "SELECT state FROM entry ORDER BY number DESC LIMIT 1")[0]
    assert state
    entry = await table.ledger.newest(rows(table, "SELECT id FROM campaign")[0][0])
    assert entry is not None
    (roll,) = CORTEX.of(entry.table).rolls.values()
    assert [one for said in roll.after.values() for one in said] == [codec.illegible(fact)]
    assert rolled.message is not None


@pytest.mark.parametrize("moves", ["{oh", "[1]", '[["here", 2, 3]]', '"no"', "true"])
async def test_moves_that_cannot_be_read_are_one_line(table: Game, moves: str) -> None:
    await table.play("gm: /pp give who:Alice")
    number = newest(table)
    await away(table, lambda game: rows(game, SET.format("moves"), moves, number))
    assert f"2 PP (+1); {LINE} (moves)" in (await table.says("bob: /log")).text.replace("**", "")
    await table.play("gm: /undo", "gm: /redo", "gm: /pp give who:Alice")
    assert "Deleted" not in (await table.says("gm: /stats")).text
    assert rows(table, "SELECT moves FROM entry WHERE number = ?", number) == [(moves,)]


SET = "UPDATE entry SET {} = ? WHERE number = ?"


@pytest.mark.parametrize("at", ["rubbish", "", "2026-99-99"])
async def test_a_moment_that_cannot_be_read_is_one_line(table: Game, at: str) -> None:
    await table.play("gm: /pp give who:Alice")
    number = newest(table)
    await away(table, lambda game: rows(game, SET.format("at"), at, number))
    assert f"{number}\\. gm: Alice: 2 PP (+1); {LINE} (at)" in (await table.says("bob: /log")).text.replace(
        "**", ""
    )
    await table.play("alice: /roll dice:2d6")
    assert "1 roll" in (await table.says("alice: /stats")).text
    await table.play("gm: /undo", "gm: /undo", "gm: /redo")
    assert "Alice" in file_of(await table.says("alice: /chronicle"))[1]
    assert '"at": null' in file_of(await table.says("gm: /privacy export"))[1]
    assert rows(table, "SELECT at FROM entry WHERE number = ?", number) == [(at,)]


@pytest.mark.parametrize(
    "plan", [{"number": "x"}, {"number": 3, "at": 10**40}, 7, {"number": 3, "at": 1, "replies": {"5": 1}}]
)
async def test_a_plan_that_cannot_be_read_is_one_line_until_there_is_another(
    table: Game, plan: object
) -> None:
    await table.play(f"gm: /session plan {WHEN}")

    def change(game: Game) -> None:
        number, base = rows(game, "SELECT number, base FROM entry ORDER BY number DESC LIMIT 1")[0]
        key = codec.unpack(rows(game, "SELECT state FROM entry WHERE number = ?", base)[0][0])
        (state,) = rows(game, "SELECT state FROM entry WHERE number = ?", number)[0]
        form = json.loads(codec.joined(codec.unpack(state, None if base == number else key)))
        assert form["table"]["plan"]["at"] == int(IN_TWO_DAYS.timestamp())
        form["table"]["plan"] = plan
        fresh = codec.pack(json.dumps(form).encode())
        rows(game, "UPDATE entry SET state = ?, base = number WHERE number = ?", fresh, number)

    await away(table, change)
    shown = (await table.says("bob: /table show")).text
    assert f"{LINE} (plan)" in shown
    assert "can't be read any more" not in shown
    await table.play("gm: /pp give who:Alice", "gm: /pp give who:Bob", "gm: /undo step:7")
    (text,) = (
        codec.joined(codec.write(entry.table)) for entry in [await table.ledger.newest(of(table))] if entry
    )
    assert json.loads(text)["table"]["plan"] == plan
    assert '"plan"' not in file_of(await table.says("gm: /campaign export"))[1]
    await table.play(f"gm: /session plan {WHEN}")
    assert LINE not in (await table.says("bob: /table show")).text


def of(game: Game) -> int:
    return int(rows(game, "SELECT id FROM campaign")[0][0])


JOBS = (
    ("payload", "{oh"),
    ("payload", "[1]"),
    ("payload", "{}"),
    ("payload", '{"at": "soon", "hours": 1}'),
    ("due", ""),
    ("due", "!rubbish"),
)


async def test_a_job_that_cannot_be_read_is_set_aside_and_the_others_run(
    table: Game, subtests: pytest.Subtests
) -> None:
    soon = START - timedelta(seconds=1)
    broken = Job("remind:1:1", "remind", soon, of(table), {"at": 1, "hours": 1})
    # A server that nobody left long ago: its job goes as soon as it is looked at.
    other = Job("left:5", "left", soon + timedelta(milliseconds=1), payload={"server": 5, "left": 0.0})
    for column, value in JOBS:
        with subtests.test(column=column, value=value):
            await table.stop()
            rows(table, "DELETE FROM job WHERE key IN ('remind:1:1', 'left:5')")
            ledger = await type(table.ledger).open(table.url, clock=table.clock)
            await ledger.jobs.put(broken)
            await ledger.close()
            rows(table, f"UPDATE job SET {column} = ? WHERE key = 'remind:1:1'", value)
            table.discord.gateway.ready.clear()
            await table.start()
            await table.ledger.jobs.put(other)
            await table.at_rest()
            assert rows(table, "SELECT 1 FROM job WHERE key = 'left:5'") == []
            assert rows(table, "SELECT kind FROM job WHERE key = 'remind:1:1'") == [("unread remind",)]
            assert await table.ledger.jobs.of_kind("remind") == []
            await table.play("gm: /pp give who:Alice")


async def test_a_damaged_portrait_is_as_if_it_were_gone(table: Game) -> None:
    campaign, person = of(table), table.alice.user.id
    digest = await table.ledger.portraits.keep(campaign, person, b"a picture")
    assert await table.ledger.portraits.find(campaign, digest) == b"a picture"
    rows(table, "UPDATE portrait SET data = x'00ff'")
    assert await table.ledger.portraits.find(campaign, digest) is None
    rows(table, "UPDATE portrait SET data = 'text'")
    assert await table.ledger.portraits.by(campaign, person) == {}
    assert '"portraits": {}' in file_of(await table.says("alice: /privacy export"))[1]


async def test_a_pool_that_is_built_and_cannot_be_read_is_as_if_it_were_empty(table: Game) -> None:
    rows(table, "INSERT INTO build VALUES (?, ?, '{oh')", of(table), table.alice.user.id)
    assert "Something went wrong" not in (await table.says("alice: /pool build")).text
    asked = await table.says("bob: /privacy delete")
    assert "deleted" in (await table.bob.press(asked, "Delete for ever")).text


@given(
    st.recursive(
        st.none() | st.integers() | st.text() | st.booleans(),
        lambda parts: (
            st.lists(parts, max_size=3)
            | st.dictionaries(
                st.sampled_from(["fact", "who", "facts", "roll"]) | st.text(max_size=4), parts, max_size=4
            )
        ),
        max_leaves=8,
    )
)
def test_whatever_stands_for_a_fact_is_read_and_written_back_as_it_was(found: object) -> None:
    text = json.dumps({"version": upgrades.VERSION, "facts": [found]})
    (fact,) = codec.read_facts(text)
    if isinstance(fact, Illegible):
        assert json.loads(codec.write_facts((fact,)))["facts"] == [found]
        (again,) = codec.read_facts(codec.write_facts((Undone(1, (fact,)),)))
        assert again == Undone(1, (fact,))


@given(st.from_type(Roll))
def test_whatever_roll_is_kept_a_story_can_be_told(roll: Roll) -> None:
    """Readable, but of no game: no dice, places that are not there, numbers out of all bounds."""
    steps: list[tuple[Fact, ...]] = [(RollMade(replace(roll, after={})),)]
    assert spelled(summary(steps[0]))
    telling(steps, story)
    telling(steps, faces)


async def test_what_is_set_aside_goes_with_whom_it_may_tell_of(table: Game) -> None:
    fact = {"fact": "Eclipse", "of": "Alice", "by": table.alice.user.id}
    number = newest(table)

    def repair(game: Game) -> None:
        told(game, number, fact)
        assert main(["doctor", "--repair"]) == 0

    with pytest.MonkeyPatch.context() as settings:
        settings.setenv("DATABASE_URL", table.url)
        await table.stop()
        await asyncio.to_thread(repair, table)
    table.discord.gateway.ready.clear()
    await table.start()
    (kept,) = rows(table, "SELECT facts FROM entry WHERE number = ?", number)[0]
    assert json.loads(kept)["aside"] == [fact]
    assert "What happened in this step cannot be read any more." in (await table.says("bob: /log")).text
    asked = await table.says("alice: /privacy delete")
    told_ = await table.alice.press(asked, "Delete for ever")
    await table.at_rest()
    assert "has been deleted" in told_.text
    assert rows(table, "SELECT number FROM entry WHERE facts LIKE '%Eclipse%'") == []


async def test_every_job_that_a_bot_does_says_what_it_has_to_hold(game: Game) -> None:
    """Whatever is no such job is set aside, and the doctor names it."""
    assert set(game.bot.keeper.jobs._kinds) == set(SHAPES)


async def test_the_doctor_finds_nothing_in_what_was_played(table: Game) -> None:
    await table.play(
        *("alice: /roll dice:2d6 vs:3", "gm: /comp add what:Lost who:Bob die:d8", "gm: /undo", "gm: /redo"),
        *(f"gm: /session plan {WHEN}", "gm: /campaign set setting:pace value:post"),
        "gm: /turn start who:Alice",
    )
    await table.begin("gm: /campaign new name:Other")
    await table.play("gm: /pp give who:Zoe")
    await table.stop()
    found = [finding async for finding in examine(table.url, Checkup(), repairs=False)]
    await table.start()
    assert found == []
