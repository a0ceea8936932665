"""Adding entries: what is answered is written, once, and nothing is lost."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from bot.language.printers import spelled
from bot.store import schema
from bot.store.history import Draft, Entry, NamedCampaign, Pin, Place
from bot.store.ledger import Ledger
from bot.views.facts import summary
from rules.campaign.seats import Actor
from rules.cortex import roll
from rules.cortex.builder import Build, Piece
from rules.cortex.facts import RollMade
from rules.errors import NotAllowed, TooLate
from rules.facts import SeatChange, Seated
from rules.table import Table
from rules.values import replace
from tests.bot.store.samples import (
    ANNA,
    BEN,
    HERE,
    THERE,
    THREAD,
    anybody,
    archived,
    gift,
    kept,
    named,
    pp,
    spend,
)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Ledger]:
    ledger = await Ledger.open(url)
    try:
        yield ledger
    finally:
        await ledger.close()


async def test_a_channel_without_a_table_shows_none(ledger: Ledger) -> None:
    assert await ledger.look(HERE) is None
    assert await ledger.newest(5) is None


async def test_the_first_command_in_a_channel_begins_a_table(ledger: Ledger) -> None:
    entry = await ledger.append(HERE, ANNA, 1, gift())
    assert (entry.number, entry.table.number, entry.author, spelled(summary(entry.facts))) == (
        1,
        1,
        ANNA,
        "Zoe +1 PP",
    )
    assert await ledger.look(HERE) == entry
    assert await ledger.newest(entry.campaign) == entry


async def test_a_table_is_the_same_after_a_restart(url: str) -> None:
    async with opened(url) as ledger:
        for number in range(40):
            entry = await ledger.append(HERE, ANNA, number, gift(f"Hero {number}"))
    async with opened(url) as ledger:
        assert await ledger.look(HERE) == entry


async def test_a_thread_belongs_to_its_channels_table(ledger: Ledger) -> None:
    in_thread = await ledger.append(THREAD, ANNA, 1, gift())
    in_channel = await ledger.append(HERE, ANNA, 2, gift())
    other_thread = await ledger.append(Place(102, 1, HERE.channel), ANNA, 3, gift())
    assert (in_thread.campaign, 2) == (in_channel.campaign, in_channel.number)
    assert (in_thread.campaign, 3) == (other_thread.campaign, other_thread.number)


async def test_threads_of_a_new_channel_begin_one_table_together(ledger: Ledger) -> None:
    places = [Place(200 + number, 1, 100) for number in range(10)]
    entries = await asyncio.gather(*(ledger.append(p, ANNA, p.channel, gift()) for p in places))
    assert sorted(entry.number for entry in entries) == list(range(1, 11))
    assert len({entry.campaign for entry in entries}) == 1


async def test_a_refusal_writes_nothing(ledger: Ledger) -> None:
    await ledger.append(HERE, ANNA, 1, gift())
    await ledger.append(HERE, ANNA, 2, spend())
    with pytest.raises(NotAllowed, match="no PP"):
        await ledger.append(HERE, ANNA, 3, spend())
    with pytest.raises(NotAllowed):
        await ledger.append(THERE, ANNA, 4, spend())
    look = await ledger.look(HERE)
    assert look is not None
    assert look.number == 2
    assert await ledger.look(THERE) is None


@pytest.mark.parametrize("people", [40, 500])
async def test_gifts_at_the_same_moment_all_count(ledger: Ledger, people: int) -> None:
    entries = await asyncio.gather(*(ledger.append(HERE, ANNA, n, gift()) for n in range(1, people + 1)))
    assert sorted(entry.number for entry in entries) == list(range(1, people + 1))
    assert {pp(entry.table) for entry in entries} == set(range(1, people + 1))


async def test_what_was_read_may_be_out_of_date(ledger: Ledger, other: Ledger) -> None:
    await ledger.append(HERE, ANNA, 1, gift())
    assert await other.look(HERE) == await ledger.look(HERE)
    await ledger.append(HERE, ANNA, 2, gift())
    seen = await other.look(HERE)
    assert seen is not None
    assert pp(seen.table) == 2
    await ledger.append(HERE, ANNA, 3, gift())
    assert pp((await other.append(HERE, BEN, 4, gift())).table) == 4


async def test_an_old_table_refuses_nothing(ledger: Ledger, other: Ledger) -> None:
    await ledger.append(HERE, ANNA, 1, gift())
    await other.append(HERE, BEN, 2, spend())
    await ledger.append(HERE, ANNA, 3, gift())
    assert pp((await other.append(HERE, BEN, 4, spend())).table) == 0


async def test_two_ledgers_on_one_database_lose_nothing(ledger: Ledger, other: Ledger) -> None:
    await ledger.append(HERE, ANNA, 0, gift())
    both = [(ledger, 2 * n) for n in range(1, 61)] + [(other, 2 * n + 1) for n in range(60)]
    await asyncio.gather(*(which.append(HERE, ANNA, n, gift()) for which, n in both))
    look = await ledger.look(HERE)
    assert look is not None
    assert (look.number, pp(look.table)) == (121, 121)


async def test_two_ledgers_begin_one_table_in_a_channel(ledger: Ledger, other: Ledger) -> None:
    one, two = await asyncio.gather(ledger.append(HERE, ANNA, 1, gift()), other.append(HERE, BEN, 2, gift()))
    assert one.campaign == two.campaign
    assert {one.number, two.number} == {1, 2}


async def test_a_repeated_interaction_changes_nothing(ledger: Ledger) -> None:
    first = await ledger.append(HERE, ANNA, 7, gift())
    await ledger.append(HERE, ANNA, 8, gift())
    again = await ledger.append(HERE, ANNA, 7, gift())
    assert await ledger.past.made_by(7) == first
    assert await ledger.past.made_by(9) is None
    assert again.repeated
    assert not first.repeated
    assert (again.number, again.table) == (1, first.table)
    assert [step.number for step in await ledger.past.log(first.campaign)] == [2, 1]


async def test_an_interaction_delivered_twice_at_once_counts_once(ledger: Ledger) -> None:
    await ledger.append(HERE, ANNA, 1, gift())
    entries = await asyncio.gather(*(ledger.append(HERE, ANNA, 2, gift()) for _ in range(5)))
    assert [entry.number for entry in entries] == [2] * 5
    assert [entry.repeated for entry in entries] == [False, True, True, True, True]


async def test_an_interaction_delivered_to_two_processes_counts_once(ledger: Ledger, other: Ledger) -> None:
    await ledger.append(HERE, ANNA, 1, gift())
    entries = await asyncio.gather(ledger.append(HERE, ANNA, 2, gift()), other.append(HERE, ANNA, 2, gift()))
    assert [entry.number for entry in entries] == [2, 2]
    assert sorted(entry.repeated for entry in entries) == [False, True]


async def test_a_repeated_interaction_is_not_refused(ledger: Ledger, other: Ledger) -> None:
    await ledger.append(HERE, ANNA, 1, gift())
    await ledger.append(HERE, ANNA, 2, spend())
    assert (await other.append(HERE, ANNA, 2, spend())).repeated


async def test_a_refused_interaction_may_be_tried_again(ledger: Ledger) -> None:
    with pytest.raises(NotAllowed):
        await ledger.append(HERE, ANNA, 1, spend())
    assert not (await ledger.append(HERE, ANNA, 1, gift())).repeated


async def test_facts_are_counted_without_what_is_undone(ledger: Ledger) -> None:
    faces = iter([5, 3, 4, 1, 2, 6] * 3)
    actor = Actor(ANNA.id, ANNA.name)

    def rolled(table: Table) -> Draft:
        step = roll.make(table, actor, lambda sizes: [next(faces) for _ in sizes], "2d6 d8")
        return Draft(step.table, step.facts)

    for interaction in range(1, 5):
        entry = await ledger.append(HERE, ANNA, interaction, rolled if interaction < 4 else gift())
    await ledger.undo(entry.campaign, ANNA, 9, anybody, 2)
    found = await ledger.past.facts(entry.campaign, (RollMade,))
    assert [step.number for step, _ in found] == [1, 3]
    thrown = [die for _, fact in found if isinstance(fact, RollMade) for die in fact.roll.hand.dice]
    assert [(die.size, die.face) for die in thrown] == [(6, 5), (6, 3), (8, 4)] * 2
    assert await ledger.past.facts(entry.campaign, (RollMade,), since=4) == []


async def test_the_last_step_of_a_gm_is_one_that_they_made_or_by_which_they_are_gm(ledger: Ledger) -> None:
    await ledger.append(HERE, ANNA, 1, gift())
    entry = await ledger.append(HERE, BEN, 2, named('"seat":"gm"'))
    last = await ledger.past.led_last(entry.campaign, {ANNA.id})
    assert last is not None
    assert last[0] == 1
    assert await ledger.past.led_last(entry.campaign, {13}) is None
    made = await ledger.append(HERE, BEN, 3, lambda table: Draft(table, (Seated("Zoe", SeatChange.GM),)))
    assert await ledger.past.led_last(entry.campaign, {13}) == (3, made.at)
    assert await ledger.past.server_of(entry.campaign) == HERE.guild
    assert await ledger.past.server_of(77) == 0


async def test_a_command_that_cannot_be_written_harms_no_other(ledger: Ledger) -> None:
    def broken(table: Table) -> object:
        return replace(kept(table), table=replace(table, name=None))  # type: ignore[arg-type]

    await ledger.append(HERE, ANNA, 1, gift())
    results = await asyncio.gather(
        ledger.append(HERE, ANNA, 2, gift()),
        ledger.append(HERE, ANNA, 3, broken),  # type: ignore[arg-type]
        ledger.append(HERE, ANNA, 4, gift()),
        ledger.append(THERE, ANNA, 5, gift()),
        return_exceptions=True,
    )
    assert [isinstance(result, Exception) for result in results] == [False, True, False, False]
    look = await ledger.look(HERE)
    assert look is not None
    assert (look.number, pp(look.table)) == (3, 3)


async def test_what_waits_is_written_before_closing(url: str) -> None:
    async with opened(url) as ledger:
        await ledger.append(HERE, ANNA, 0, gift())
        tasks = [asyncio.create_task(ledger.append(HERE, ANNA, n, gift())) for n in range(1, 20)]
        await asyncio.sleep(0)
    assert len(await asyncio.gather(*tasks)) == 19
    async with opened(url) as ledger:
        look = await ledger.look(HERE)
        assert look is not None
        assert pp(look.table) == 20
    with pytest.raises(RuntimeError, match="closed"):
        await ledger.append(HERE, ANNA, 99, gift())


async def test_a_command_that_is_given_up_leaves_the_ledger_whole(ledger: Ledger) -> None:
    await ledger.append(HERE, ANNA, 1, gift())
    task = asyncio.create_task(ledger.append(HERE, ANNA, 2, gift()))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    assert (await ledger.append(HERE, ANNA, 2, gift())).number == 2
    assert (await ledger.append(HERE, ANNA, 3, gift())).number == 3


async def test_an_archived_table_is_shown_and_the_next_command_begins_another(ledger: Ledger) -> None:
    old = await ledger.append(HERE, ANNA, 1, gift())
    await ledger.append(HERE, ANNA, 2, archived)
    look = await ledger.look(HERE)
    assert look is not None
    assert look.table.archived
    new = await ledger.append(HERE, ANNA, 3, gift())
    assert new.campaign != old.campaign
    assert (new.number, pp(new.table)) == (1, 1)


async def test_campaigns_of_a_server_follow_their_tables(ledger: Ledger) -> None:
    first = await ledger.append(HERE, ANNA, 1, named("Old"))
    second = await ledger.append(THERE, ANNA, 2, named("Empire"))
    await ledger.append(Place(300, guild=2), ANNA, 3, named("Elsewhere"))
    await ledger.append(HERE, ANNA, 4, named("Adept"))
    await ledger.append(HERE, ANNA, 5, archived)
    lines = [(line.id, line.name, line.archived) for line in await ledger.servers.campaigns(1)]
    assert lines == [(first.campaign, "Adept", True), (second.campaign, "Empire", False)]
    assert await ledger.servers.campaigns(0) == []


async def test_a_deleted_campaign_is_gone(ledger: Ledger, other: Ledger) -> None:
    entry = await ledger.append(HERE, ANNA, 1, gift())
    await other.append(HERE, ANNA, 2, gift())
    await ledger.places.delete(entry.campaign, ANNA, 0, kept)
    assert await ledger.look(HERE) is None
    assert await other.look(NamedCampaign(entry.campaign, HERE)) is None
    assert await ledger.servers.campaigns(1) == []
    with pytest.raises(TooLate, match="deleted"):
        await other.append(NamedCampaign(entry.campaign, HERE), ANNA, 3, gift())
    assert (await other.append(HERE, ANNA, 4, gift())).number == 1


async def age(ledger: Ledger, campaign: int, days: int) -> None:
    """Let a campaign have been deleted so many days ago."""
    at = datetime.now(UTC) - timedelta(days=days)
    ours = schema.campaign.c.id == campaign
    async with ledger._engine.connect() as connection:
        await connection.execute(update(schema.campaign).where(ours).values(deleted_at=at))


async def test_a_deleted_campaign_comes_back_as_it_was(ledger: Ledger, other: Ledger) -> None:
    first = await ledger.append(HERE, ANNA, 1, named("Skyfall"))
    await ledger.places.bind(THERE, first.campaign, ANNA, 2, kept)
    await other.append(HERE, ANNA, 3, gift())
    gone = await ledger.places.delete(first.campaign, ANNA, 4, kept)
    assert [line.channels for line in await other.servers.deleted(1)] == [{HERE.channel, THERE.channel}]
    await age(ledger, first.campaign, days=13)
    await other.upkeep.prune()
    back = await other.places.bind(THERE, first.campaign, ANNA, 5, kept, deleted=True)
    assert back.number == gone.number + 1
    assert pp(back.table) == 1
    assert await ledger.look(THERE) == back
    assert await ledger.look(HERE) is None
    assert await ledger.servers.deleted(1) == []
    assert (await ledger.append(THERE, ANNA, 6, gift())).campaign == first.campaign


async def test_a_deleted_campaign_comes_back_but_once(ledger: Ledger, other: Ledger) -> None:
    campaign = (await ledger.append(HERE, ANNA, 1, gift())).campaign
    await ledger.places.delete(campaign, ANNA, 2, kept)
    tries = [one.places.bind(HERE, campaign, ANNA, 0, kept, deleted=True) for one in (ledger, other)]
    done = await asyncio.gather(*tries, return_exceptions=True)
    assert sorted(isinstance(each, TooLate) for each in done) == [False, True]


async def test_nothing_is_written_into_a_campaign_that_is_being_deleted(
    ledger: Ledger, other: Ledger
) -> None:
    campaign = (await ledger.append(HERE, ANNA, 1, gift())).campaign
    await other.look(HERE)
    tried = [one.append(NamedCampaign(campaign, HERE), ANNA, 0, gift()) for one in (ledger, other)]
    gone, *tries = await asyncio.gather(
        ledger.places.delete(campaign, ANNA, 2, kept), *tried, return_exceptions=True
    )
    last = await other.newest(campaign)
    assert isinstance(gone, Entry)
    assert last is not None
    assert last.number == gone.number
    written = [each.number for each in tries if isinstance(each, Entry)]
    assert max(written, default=0) < gone.number
    assert all(isinstance(each, Entry | TooLate) for each in tries)


async def test_after_two_weeks_a_deleted_campaign_is_gone_with_the_next_start(url: str) -> None:
    async with opened(url) as ledger:
        campaign = (await ledger.append(HERE, ANNA, 1, gift())).campaign
        await ledger.places.delete(campaign, ANNA, 2, kept)
        await age(ledger, campaign, days=15)
        assert await ledger.servers.deleted(1) == []
    async with opened(url) as ledger:
        assert await ledger.newest(campaign) is None


async def test_undo_gives_a_channel_back_to_no_campaign_that_is_deleted(ledger: Ledger) -> None:
    old = await ledger.append(HERE, ANNA, 1, named("Old"))
    await ledger.places.bind(THERE, old.campaign, ANNA, 2, kept)
    new = await ledger.places.found(HERE, ANNA, 3, named("New"))
    await ledger.places.delete(old.campaign, ANNA, 4, kept)
    await ledger.undo(new.campaign, ANNA, 5, anybody)
    assert await ledger.look(HERE) is None


async def test_the_log_pages_and_tells_people_apart(ledger: Ledger) -> None:
    for number in range(1, 9):
        entry = await ledger.append(HERE, ANNA if number % 2 else BEN, number, gift())
    log = await ledger.past.log(entry.campaign, count=3)
    assert [step.number for step in log] == [8, 7, 6]
    log = await ledger.past.log(entry.campaign, count=3, author=BEN.id, before=8)
    assert [(step.number, step.author) for step in log] == [(6, BEN), (4, BEN), (2, BEN)]
    assert log[0].at.tzinfo is not None


async def test_pins_and_notes_are_kept(ledger: Ledger) -> None:
    assert await ledger.pins.at(1) is None
    await ledger.pins.keep(1, 2**62)
    await ledger.pins.keep(1, 2**62 + 1)
    assert await ledger.pins.at(1) == Pin(1, 2**62 + 1)
    await ledger.pins.keep(1, None)
    assert await ledger.pins.at(1) is None
    entry = await ledger.append(HERE, ANNA, 5, kept)
    await ledger.places.bind(THERE, entry.campaign, ANNA, 6, kept)
    await ledger.pins.keep(HERE.channel, 7)
    await ledger.pins.keep(300, 8)
    assert await ledger.pins.of(entry.campaign) == [Pin(HERE.channel, 7)]
    assert await ledger.notes.read("commands") is None
    await ledger.notes.keep("commands", "old")
    await ledger.notes.keep("commands", "new")
    assert await ledger.notes.read("commands") == "new"


async def test_what_is_built_is_kept_with_the_step_of_its_person_or_not_at_all(ledger: Ledger) -> None:
    campaign = (await ledger.append(HERE, ANNA, 1, gift())).campaign
    built = Build((Piece("d4"),), version=1)
    await ledger.append(HERE, ANNA, 2, gift(), build=built)
    assert await ledger.builds.of(campaign, ANNA.id) == built
    with pytest.raises(NotAllowed):
        await ledger.append(HERE, ANNA, 3, spend("Nobody"), build=Build())
    assert await ledger.builds.of(campaign, ANNA.id) == built


async def test_a_pool_that_is_built_is_its_persons_and_goes_with_the_campaign(ledger: Ledger) -> None:
    campaign = (await ledger.append(HERE, ANNA, 1, gift())).campaign
    built = Build((Piece("Mind", ("up",)), Piece('"Quick, Wits"', sfx=("Focus",))), "doom", 1, 2, "Rex")
    await ledger.builds.keep(campaign, 7, Build((Piece("d4"),)))
    await ledger.builds.keep(campaign, 7, built)
    assert await ledger.builds.of(campaign, 7) == built
    assert await ledger.builds.of(campaign, 8) is None
    await ledger.places.delete(campaign, ANNA, 0, kept)
    await age(ledger, campaign, days=15)
    await ledger.upkeep.prune()
    assert await ledger.builds.of(campaign, 7) is None
