"""Rolling dice never needs room: where people only roll there is no campaign, until they keep more."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.loopback.model import Channel
from bot.services.jobs import DAILY, Keeping
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from rules.campaign.rolls import keeps_only_rolls
from rules.campaign.seats import Actor
from rules.cortex.model import CORTEX
from rules.cortex.roll import make, with_roll
from rules.game import Step
from rules.table import Table
from rules.values import replace
from tests.bot.store.test_migrate import made_at, rows
from tests.bot.test_buttons import is_refused
from tests.clock import START
from tests.game import Game

FULL = "1 campaigns, which is the limit"


@pytest.fixture
async def full(game: Game) -> Game:
    """A server with one campaign, which is all that it can have."""
    game.campaigns = 1
    await game.restart()
    await game.play("gm: /campaign new name:Skyfall")
    return game


def side(game: Game) -> Channel:
    """A channel in which nobody has played."""
    return game.discord.channel("side")


async def test_dice_are_rolled_where_a_server_is_full(full: Game) -> None:
    full.dice.show((3, 4, 5), (1, 2, 3, 4, 5), (6, 5, 2))
    rolled = await full.alice.slash("/roll dice:2d6 d8", channel=side(full))
    assert rolled.text.startswith("alice: Total 9")
    assert not is_refused(await full.alice.slash("/ore roll dice:5d", channel=side(full)))
    again = await full.alice.slash("/roll dice:last", channel=side(full))
    assert "d8: 2" in again.text
    assert "Total 9" in (await full.bob.slash("/log", channel=side(full))).text
    assert "3 rolls" in (await full.bob.slash("/stats who:all", channel=side(full))).text.lower()
    assert not is_refused(await full.alice.slash("/undo", channel=side(full)))
    assert not is_refused(await full.alice.slash("/redo", channel=side(full)))


async def test_the_buttons_of_a_roll_work_there(full: Game) -> None:
    rolled = await full.alice.slash("/roll dice:2d6 d8 d10", channel=side(full))
    other = await full.alice.press(rolled, "Other dice")
    assert other.form is not None
    assert not is_refused(await full.alice.press(rolled, "Reroll"))
    shown = await full.alice.slash("/log", channel=side(full))
    assert not (await full.alice.press(shown, "Share")).private


async def test_what_keeps_anything_else_makes_a_campaign_or_is_refused(
    full: Game, subtests: pytest.Subtests
) -> None:
    for line in (
        "/campaign set setting:name value:Deep Water",
        "/pp give who:Alice",
        "/asset add what:Rope die:d8",
        "/campaign set setting:doom pool value:on",
        "/campaign set setting:resources value:on",
        "/note text:The map lies",
        "/campaign gm",
        "/character new name:Ada",
        "/session start",
    ):
        with subtests.test(line=line):
            server = full.discord.guild(line)  # each has room for one campaign
            table, aside, third = (
                full.discord.channel(f"{name} of {line}", guild=server) for name in ("table", "side", "third")
            )
            await full.gm.slash("/campaign new name:Skyfall", channel=table)
            full.dice.show((3, 4, 5))
            await full.alice.slash("/roll dice:2d6 d8", channel=aside)
            refused = await full.alice.slash(line, channel=aside)
            assert is_refused(refused)
            assert FULL in refused.text
            asked = await full.gm.slash("/campaign delete", channel=table)
            await full.gm.press(asked, "Delete")
            assert not is_refused(await full.alice.slash(line, channel=aside))
            assert "alice: Total" in (await full.alice.slash("/log", channel=aside)).text
            offered = await full.alice.complete("/campaign join name:", channel=table)
            assert len(offered) == 1, "it is a campaign, with its rolls"
            again = await full.gm.slash("/asset add what:Rope", channel=third)
            assert FULL in again.text


async def test_an_applied_effect_makes_a_campaign() -> None:
    anna = Actor(5, "Anna")
    rolled = make(Table(), anna, lambda sizes: sizes, "2d6 d8")
    assert keeps_only_rolls(Table(), rolled)
    (roll,) = CORTEX.of(rolled.table).rolls.values()
    applied = with_roll(rolled.table, replace(roll, applied=(2,)))
    assert not keeps_only_rolls(rolled.table, Step(applied, ()))


async def test_it_is_listed_and_joined_nowhere(game: Game) -> None:
    await game.alice.slash("/roll dice:2d6 d8", channel=side(game))
    assert await game.gm.complete("/campaign join name:") == []
    assert is_refused(await game.says("gm: /campaign join name:side"))
    assert "side" not in (await game.says("gm: /setup")).text
    assert is_refused(await game.gm.slash("/campaign leave", channel=side(game)))


async def test_a_campaign_takes_its_place_and_gives_it_back(game: Game) -> None:
    await game.play("alice: /roll dice:2d6 d8", "gm: /campaign new name:Skyfall")
    assert [str(each.value) for each in await game.gm.complete("/campaign join name:")] == ["Skyfall"]
    await game.play("gm: /undo")
    assert "alice: Total" in (await game.says("alice: /log")).text
    assert await game.gm.complete("/campaign join name:") == []


def aged(file: Path, days: int) -> None:
    """Everything has happened so many days earlier."""
    then = (START - timedelta(days=days)).strftime("%Y-%m-%d %H:%M:%S.%f")
    with closing(sqlite3.connect(file)) as clock:
        clock.execute("UPDATE entry SET at = ?", (then,))
        clock.commit()


def campaigns(game: Game) -> list[str]:
    """The names of what is kept, campaigns or not."""
    with closing(sqlite3.connect(game.file)) as database:
        return [name for (name,) in database.execute("SELECT name FROM campaign ORDER BY name")]


@pytest.mark.parametrize("idle", [0, 5])
async def test_thirty_days_after_its_last_roll_it_goes_by_itself(game: Game, idle: int) -> None:
    game.keeping = Keeping(idle=idle)
    await game.alice.slash("/roll dice:2d6 d8", channel=side(game))
    for days, left in ((29, ["side"]), (31, [])):
        await game.stop()
        aged(game.file, days)
        game.discord.gateway.ready.clear()
        await game.start()
        await game.ledger.jobs.put(Job(DAILY, DAILY, START))
        await game.at_rest()
        assert _due(game) > 60
        assert campaigns(game) == left
    assert not is_refused(await game.alice.slash("/roll dice:2d6 d8", channel=side(game)))


def _due(game: Game) -> float:
    """In how many seconds the daily work is due."""
    with closing(sqlite3.connect(game.file)) as database:
        ((due,),) = database.execute("SELECT due FROM job WHERE key = ?", (DAILY,))
    return (datetime.fromisoformat(due).replace(tzinfo=UTC) - START).total_seconds()


async def test_in_direct_messages_it_is_no_campaign_either(game: Game) -> None:
    private = game.discord.dm(game.alice)
    await game.alice.slash("/roll dice:2d6 d8", channel=private)
    await game.stop()
    with closing(sqlite3.connect(game.file)) as database:
        assert database.execute("SELECT rolls_only FROM campaign").fetchall() == [(1,)]
    game.discord.gateway.ready.clear()
    await game.start()


async def test_what_only_ever_held_rolls_gives_its_room_back(empty: str) -> None:
    await made_at(empty, "0011")
    entry = "INSERT INTO entry (campaign_id, number, actor_id, actor_name, at, facts, position, parent, tip, "
    entry += "undoes, redoes, base) VALUES ({}, {}, 5, 'Anna', '2026-01-01', '{}', 1, 0, 1, 0, 0, 1)"
    made = "INSERT INTO campaign (id, guild_id, name, created_at) VALUES ({}, 1, 'side', '2026-01-01')"
    roll, note, old = (
        f'{{"version":3,"facts":[{{"fact":"{kind}"}}]}}' for kind in ("RollMade", "Noted", "Line")
    )
    for of, facts in ((1, (roll, roll)), (2, (roll, note)), (3, (old,)), (4, ("",)), (5, (roll,))):
        await rows(empty, made.format(of))
        for number, each in enumerate(facts, 1):
            await rows(empty, entry.format(of, number, each))
    await rows(empty, "INSERT INTO person (campaign_id, player_id, is_gm) VALUES (5, 5, true)")
    await migrate(empty)
    marked = await rows(empty, "SELECT id FROM campaign WHERE rolls_only ORDER BY id")
    assert marked == [(1,)]
    ledger = await Ledger.open(empty)
    await ledger.close()
