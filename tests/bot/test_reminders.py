"""A reminder that was posted and not noted before a kill: it is found in its channel, else posted twice."""

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.loopback.driver import Loopback
from bot.loopback.model import Message, Permission
from bot.loopback.reply import BotReply
from bot.loopback.world import Happening
from bot.services.play_by_post import Waits
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from rules.values import replace
from tests.bot.test_process import Program, serving
from tests.patience import until

pytestmark = pytest.mark.slow

WHEN = f"{datetime.now(UTC) + timedelta(days=2):%Y-%m-%dT%H:%M:%SZ}"
PLANNED = ("gm: /session start", f"gm: /session plan when:{WHEN}")
BY_POST = ("gm: /campaign set setting:pace value:post", "gm: /turn start who:Alice")
MORNING = datetime.now(UTC).replace(second=0, microsecond=0)
HOURS = f"from:{MORNING - timedelta(hours=8):%H:%M} to:{MORNING:%H:%M}"
BY_MORNING = (*BY_POST, f"alice: /quiet {HOURS} zone:UTC by:morning")


async def planned(ledger: Ledger) -> None:
    """A session is near."""
    (day,) = [job for job in await ledger.jobs.of_kind("remind") if job.payload["hours"] == 24]
    await ledger.jobs.put(replace(day, due=datetime.now(UTC)))


async def waited(ledger: Ledger, hours: int = 25, told: int = 0) -> None:
    """Something has waited for so many hours for somebody, who was told of it so often."""
    (job,) = await ledger.jobs.of_kind("wait")
    known = Waits.of(job.payload)
    since = {sign: at - hours * 3600 for sign, at in known.since.items()}
    assert job.campaign is not None
    await ledger.jobs.put(replace(known, since=since, said=dict.fromkeys(since, told)).job(job.campaign))


async def morning(ledger: Ledger) -> None:
    """The morning has come of somebody who wants one message a day."""
    (job,) = await ledger.jobs.of_kind("wait")
    await ledger.jobs.put(replace(job, due=MORNING))


async def late(ledger: Ledger) -> None:
    """A deadline is over, of which the GM is to hear."""
    await waited(ledger, hours=49, told=2)
    (job,) = await ledger.jobs.of_kind("late")
    told = {"told": job.payload["told"] - 49 * 3600}
    await ledger.jobs.put(replace(job, payload=told, due=datetime.now(UTC)))


async def begun(loopback: Loopback, lines: tuple[str, ...]) -> BotReply:
    """A table at which Alice plays; the reply to the last of some lines."""
    gm, alice = loopback.person("gm"), loopback.person("alice")
    form = (await alice.press(await gm.slash("/campaign new name:Skyfall ruleset:adept"), "Join")).form
    assert form is not None
    await alice.submit(form, {"Name": "Alice"})
    for line in lines:
        name, _, command = line.partition(": ")
        reply = await loopback.person(name).slash(command)
        assert reply.failed is None
    return reply


def jobs(folder: Path, which: str) -> int:
    """How many jobs there are of which something is true."""
    with closing(sqlite3.connect(folder / "game.db")) as database:
        found: int = database.execute(f"SELECT count(*) FROM job WHERE {which}").fetchone()[0]
        return found


async def killed(program: Program) -> None:
    program.process.kill()
    await program.process.wait()


async def posted_and_cut(
    program: Program, loopback: Loopback, make_due: Callable[[Ledger], Awaitable[None]]
) -> list[Message]:
    """What the bot says by itself: it is killed as soon as Discord has the first of it.

    That is some minutes ago then, and Discord no longer knows that it must not come twice.
    """
    await killed(program)
    ledger = await Ledger.open(f"sqlite+aiosqlite:///{program.folder / 'game.db'}")
    await make_due(ledger)
    await ledger.close()
    said: list[Message] = []

    def hear(happening: Happening) -> None:
        message = happening.message
        if happening.kind == "created" and happening.interaction is None and message.author.is_bot:
            said.append(message)
            if len(said) == 1:
                program.process.kill()

    loopback.world.listeners.append(hear)
    await program.start()
    await program.process.wait()
    said[0].nonce = None
    return said


@pytest.mark.parametrize("may_read", [True, False])
@pytest.mark.parametrize(
    ("kind", "lines", "make_due"),
    [
        ("remind", PLANNED, planned),
        ("wait", BY_POST, waited),
        ("wait", BY_MORNING, morning),
        ("late", BY_POST, late),
    ],
)
async def test_what_was_posted_before_a_kill_is_posted_again_only_where_it_cannot_be_seen(
    tmp_path: Path,
    kind: str,
    lines: tuple[str, ...],
    make_due: Callable[[Ledger], Awaitable[None]],
    may_read: bool,
) -> None:
    async with serving(tmp_path) as (program, loopback):
        await begun(loopback, lines)
        await until(lambda: jobs(tmp_path, f"kind = '{kind}'"))
        if not may_read:
            loopback.forbid(loopback.table, Permission.READ_MESSAGE_HISTORY)
        said = await posted_and_cut(program, loopback, make_due)
        await program.again()
        await until(lambda: not jobs(tmp_path, f"kind = '{kind}' AND tries > 0"))
        assert len(said) == (1 if may_read else 2)
        assert len({message.text for message in said}) == 1
        assert all(message.pings for message in said)


async def test_a_reminder_that_was_found_again_is_one_like_any_other(tmp_path: Path) -> None:
    async with serving(tmp_path) as (program, loopback):
        asked = await begun(loopback, PLANNED)
        await until(lambda: jobs(tmp_path, "kind = 'remind'"))
        said = await posted_and_cut(program, loopback, planned)
        for number in range(40):
            await loopback.person("gm").write(f"Talk {number}")
        await program.again()
        await until(lambda: not jobs(tmp_path, "kind = 'remind' AND tries > 0"))
        await loopback.person("alice").press(asked, "I'm in")
        await until(lambda: "In: gm and Alice" in said[0].text)
        assert len(said) == 1


async def missed(ledger: Ledger) -> None:
    """It is to be seen whether a GM is gone."""
    (job,) = await ledger.jobs.of_kind("wait")
    assert job.campaign is not None
    await ledger.jobs.put(Job(f"absent:{job.campaign}", "absent", datetime.now(UTC), job.campaign))


async def test_a_gm_who_is_gone_is_missed_once_also_where_the_bot_was_killed_over_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as (program, loopback):
        await begun(loopback, BY_POST)
        await until(lambda: jobs(tmp_path, "kind = 'wait'"))
        loopback.world.home.gone.add(loopback.person("gm").user.id)
        said = await posted_and_cut(program, loopback, missed)
        await program.again()
        await until(lambda: not jobs(tmp_path, "kind = 'absent'"))
        (offer,) = said
        assert "gm has left this server." in offer.text.replace("**", "")
        taken = await loopback.person("zoe", manage_guild=True).press(offer, "Take over")
        assert "zoe is GM" in taken.text
