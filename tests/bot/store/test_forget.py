"""A person who is forgotten is in no row of the database, and everything else goes on."""

import asyncio
import json
import random
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.language.printers import spelled
from bot.store import codec, privacy
from bot.store.engine import connect
from bot.store.history import Author, Draft, NamedCampaign
from bot.store.ledger import Ledger
from bot.store.places import Drafting
from bot.store.privacy import FORGOTTEN
from bot.store.schema import METADATA
from bot.views.facts import summary
from rules.campaign.seats import Actor
from rules.cortex import points, roll
from rules.cortex.builder import Build
from rules.cortex.model import CORTEX
from rules.errors import NotAllowed
from rules.facts import SeatChange, Seated
from rules.table import Character, Table
from rules.values import replace
from tests.bot.store.samples import ANNA, BEN, HERE, THERE, anybody, gift, kept, named, pp, scene, told

QUINN = Author(987654321987654321, "Quinn Ö'Dea")


async def everything(url: str) -> str:
    """All that a database holds, its states unpacked."""
    engine = connect(url)
    found: list[str] = []
    async with engine.connect() as connection:
        for table in METADATA.tables:
            rows = (await connection.execute(text(f"SELECT * FROM {table}"))).mappings().all()
            found += [repr({k: v for k, v in row.items() if k != "state"}) for row in rows]
            if table == "entry":
                found += states(rows)
    await engine.dispose()
    return "\n".join(found)


def states(rows: Sequence[Any]) -> list[str]:
    """The states of entries, with what JSON escapes as it was typed."""
    held = {(row["campaign_id"], row["number"]): row for row in rows if row["state"] is not None}
    unpacked = []
    for (campaign, number), row in held.items():
        if row["base"] == number:
            blob = codec.unpack(row["state"])
        else:
            key = codec.unpack(held[campaign, row["base"]]["state"])
            blob = codec.unpack(row["state"], key)
        codec.read(blob, number)
        unpacked.append(repr(json.loads(codec.joined(blob))))
    return unpacked


def is_free(said: str) -> bool:
    return str(QUINN.id) not in said and "quinn" not in said.casefold()


def seated(table: Table) -> Draft:
    """Quinn plays Mira, and is a delegate."""
    mira = Character("Mira", player=QUINN.id, player_name=QUINN.name, owner=QUINN.id)
    fresh = replace(table, gms={**table.gms, QUINN.id: QUINN.name})
    return Draft(fresh.with_owner("mira", mira), (Seated("Mira", SeatChange.PLAYED, QUINN.name),))


def rolled(table: Table) -> Draft:
    """Quinn rolls."""
    actor = Actor(QUINN.id, QUINN.name)
    chance = random.Random(1)
    step = roll.make(table, actor, lambda sizes: [chance.randint(1, size) for size in sizes], "2d6 d8")
    return Draft(step.table, step.facts)


def pointed(table: Table) -> Draft:
    """Somebody else gives Quinn PP, by name."""
    anna = Actor(ANNA.id, ANNA.name, agreed=("new quinn ö'dea",))
    step = points.give_points(replace(table, gms={}), anna, "Quinn Ö'Dea")
    return Draft(step.table, step.facts)


async def lived(ledger: Ledger, steps: int = 40) -> int:
    """A campaign in which Quinn has left traces of every kind."""
    entry = await ledger.append(HERE, ANNA, 0, gift())
    rules: list[tuple[Author, Drafting]] = [
        (QUINN, rolled),
        (ANNA, seated),
        (QUINN, rolled),
        (ANNA, gift()),
        (ANNA, pointed),
        (QUINN, gift()),
        (BEN, rolled),
    ]
    for number in range(steps):
        author, rule = rules[number % len(rules)]
        await ledger.append(HERE, author, 10_000 + number, rule)
    await ledger.undo(entry.campaign, ANNA, 0, anybody)
    return entry.campaign


@pytest.mark.parametrize("steps", [2, 40, 160])
async def test_neither_id_nor_name_is_left_in_any_row(
    ledger: Ledger, url: str, few_states: int, steps: int
) -> None:
    campaign = await lived(ledger, steps)
    assert not is_free(await everything(url))
    await ledger.people.forget(campaign, QUINN.id)
    assert is_free(await everything(url))


async def test_an_id_in_what_somebody_else_typed_goes_too(ledger: Ledger, url: str) -> None:
    campaign = await lived(ledger)
    await ledger.append(HERE, ANNA, 1, scene(f"The house of <@{QUINN.id}>, {QUINN.id}1"))
    await ledger.people.forget(campaign, QUINN.id)
    newest = await ledger.newest(campaign)
    assert newest is not None
    assert newest.table.scene == f"The house of Somebody, {QUINN.id}1"
    assert f"{QUINN.id}>" not in await everything(url)


async def test_what_happened_stays(ledger: Ledger) -> None:
    campaign = await lived(ledger)
    before = await ledger.newest(campaign)
    log = await ledger.past.log(campaign, count=100)
    await ledger.people.forget(campaign, QUINN.id)
    after = await ledger.newest(campaign)
    assert before is not None
    assert after is not None
    assert after.number == before.number + 1
    assert pp(after.table) == pp(before.table)
    assert len(CORTEX.of(after.table).rolls) == len(CORTEX.of(before.table).rolls)
    now = await ledger.past.log(campaign, count=100)
    assert now[0].facts == (FORGOTTEN,)
    assert [step.number for step in now[1:]] == [step.number for step in log]
    assert {step.author.name for step in now} == {"Anna", "Ben", "Somebody"}


async def test_no_way_back_or_forward_brings_them_back(ledger: Ledger, url: str) -> None:
    campaign = await lived(ledger)
    await ledger.people.forget(campaign, QUINN.id)
    undone = 0
    while True:
        try:
            await ledger.undo(campaign, ANNA, 0, anybody)
            undone += 1
        except NotAllowed:
            break
    assert undone > 30
    assert is_free(await everything(url))
    for _ in range(undone):
        await ledger.redo(campaign, ANNA, 0, anybody)
    assert is_free(await everything(url))
    for step in range(5, 30, 6):
        try:
            await ledger.undo(campaign, ANNA, 0, anybody, step)
        except NotAllowed:
            continue
    assert is_free(await everything(url))


async def test_it_is_no_step_that_could_be_undone(ledger: Ledger) -> None:
    campaign = await lived(ledger)
    before = await ledger.newest(campaign)
    assert before is not None
    await ledger.people.forget(campaign, QUINN.id)
    with pytest.raises(NotAllowed, match="changed nothing at the table"):
        await ledger.undo(campaign, ANNA, 0, anybody, before.number + 1)
    redone = await ledger.redo(campaign, ANNA, 0, anybody)
    assert spelled(summary(redone.facts)) == "Redone: Somebody: 6 PP (+1)"
    undone = await ledger.undo(campaign, ANNA, 0, anybody)
    assert spelled(summary(undone.facts)) == "Undone: Somebody gives back 1 PP and has 5 PP"


async def test_play_goes_on_in_both_processes(ledger: Ledger, other: Ledger, url: str) -> None:
    campaign = await lived(ledger)
    await other.append(NamedCampaign(campaign, HERE), BEN, 0, gift())
    await ledger.append(NamedCampaign(campaign, HERE), BEN, 0, gift())
    before = await ledger.newest(campaign)
    assert before is not None
    await other.newest(campaign)
    await ledger.people.forget(campaign, QUINN.id)
    for one in (other, ledger, other, other, ledger):
        last = await one.append(NamedCampaign(campaign, HERE), BEN, 0, gift())
    assert pp(last.table) == pp(before.table) + 5
    assert is_free(await everything(url))


async def test_steps_at_the_same_time_are_neither_lost_nor_unreadable(
    ledger: Ledger, other: Ledger, url: str
) -> None:
    campaign = await lived(ledger)
    before = await ledger.newest(campaign)
    assert before is not None

    async def give(one: Ledger, count: int) -> None:
        for _ in range(count):
            await one.append(NamedCampaign(campaign, HERE), BEN, 0, gift())

    await asyncio.gather(
        *(give(ledger, 1) for _ in range(20)),
        give(ledger, 10),
        ledger.people.forget(campaign, QUINN.id),
        give(other, 10),
        other.people.forget(campaign, QUINN.id),
        *(give(ledger, 1) for _ in range(20)),
    )
    after = await other.newest(campaign)
    assert after is not None
    assert pp(after.table) == pp(before.table) + 60
    assert is_free(await everything(url))


async def test_only_campaigns_that_know_them_change(ledger: Ledger) -> None:
    campaign = await lived(ledger)
    stranger = await ledger.append(THERE, ANNA, 0, gift())
    assert [line.id for line in await ledger.people.campaigns_of(QUINN.id)] == [campaign]
    await ledger.people.forget(stranger.campaign, QUINN.id)
    assert await ledger.newest(stranger.campaign) == replace(stranger)
    await ledger.people.forget(campaign, QUINN.id)
    assert [line.id for line in await ledger.people.campaigns_of(QUINN.id)] == []


async def test_who_never_did_anything_but_was_seated_is_known_too(ledger: Ledger, url: str) -> None:
    entry = await ledger.append(HERE, ANNA, 0, seated)
    await ledger.append(
        HERE, ANNA, 0, lambda table: Draft(replace(table, characters={}, gms={}), told("Gone"))
    )
    assert [line.id for line in await ledger.people.campaigns_of(QUINN.id)] == [entry.campaign]
    await ledger.people.forget(entry.campaign, QUINN.id)
    assert is_free(await everything(url))


async def test_a_pool_that_they_build_is_gone_too(ledger: Ledger, url: str) -> None:
    entry = await ledger.append(HERE, ANNA, 0, gift())
    await ledger.builds.keep(entry.campaign, QUINN.id, Build())
    await ledger.builds.keep(entry.campaign, ANNA.id, Build())
    assert [line.id for line in await ledger.people.campaigns_of(QUINN.id)] == [entry.campaign]
    await ledger.people.forget(entry.campaign, QUINN.id)
    assert [line.id for line in await ledger.people.campaigns_of(QUINN.id)] == []
    assert is_free(await everything(url))
    assert [line.id for line in await ledger.people.campaigns_of(ANNA.id)] == [entry.campaign]


async def test_a_repeated_interaction_of_theirs_is_still_known(ledger: Ledger) -> None:
    entry = await ledger.append(HERE, QUINN, 77, gift())
    await ledger.people.forget(entry.campaign, QUINN.id)
    again = await ledger.append(HERE, QUINN, 77, gift())
    assert again.repeated
    assert again.number == entry.number


async def test_a_deleted_campaign_forgets_too(ledger: Ledger, url: str) -> None:
    campaign = await lived(ledger, 3)
    await ledger.places.delete(campaign, QUINN, 0, kept)
    await ledger.people.forget(campaign, QUINN.id)
    assert is_free(await everything(url))
    assert [line.deleted_by for line in await ledger.servers.deleted(1)] == [0]


async def test_a_plain_character_of_their_name_is_somebody_everywhere(ledger: Ledger) -> None:
    entry = await ledger.append(HERE, Author(QUINN.id, "Zoe"), 0, gift())
    await ledger.append(HERE, ANNA, 0, gift())
    await ledger.append(HERE, ANNA, 0, named("Skyfall"))
    await ledger.append(HERE, ANNA, 0, kept)
    await ledger.people.forget(entry.campaign, QUINN.id)
    log = [spelled(summary(step.facts)) for step in await ledger.past.log(entry.campaign)]
    assert log[1:] == ["Nothing", "Named Skyfall", "Somebody +1 PP", "Somebody +1 PP"]


async def test_who_plays_while_it_is_worked_out_waits_for_nothing_and_loses_nothing(
    ledger: Ledger, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = await lived(ledger)
    before = await ledger.newest(campaign)
    assert before is not None
    prepared, played = privacy.prepare_forgetting, list[int]()

    async def slow(engine: AsyncEngine, of: int, person: int, at: datetime) -> privacy.PreparedForgetting:
        made = await prepared(engine, of, person, at)
        if len(played) < 7:  # more often than it is worked out beside them
            played.append((await ledger.append(NamedCampaign(campaign, HERE), BEN, 0, gift())).number)
        return made

    monkeypatch.setattr(privacy, "prepare_forgetting", slow)
    await ledger.people.forget(campaign, QUINN.id)
    after = await ledger.newest(campaign)
    assert after is not None
    assert played
    assert pp(after.table) == pp(before.table) + len(played)
    assert after.number == played[-1] + 1
    assert is_free(await everything(url))
