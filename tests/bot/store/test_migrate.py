"""Migrations: from nothing, with data, from a later version, out of reach."""

import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, select, update

from bot.language.printers import spelled
from bot.store import codec
from bot.store.engine import MIGRATIONS, NewerDatabase, Unreachable, connect
from bot.store.history import Author, Draft, Pin, PinState, Place
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from bot.store.places import Drafting
from bot.store.schema import entry
from bot.views.facts import summary
from rules.cortex.model import CORTEX, Hand, Roll, RolledDie
from rules.facts import Began, OldWords, Stretch
from rules.table import Character, Table
from rules.values import replace
from tests.bot.store.samples import ANNA, HERE, THERE, anybody, gift, told


def seated(player: Author) -> Drafting:
    """Somebody plays Zoe, and is the GM, instead of who was so before."""
    zoe = Character("Zoe", player=player.id, player_name=player.name, owner=player.id)
    rolls = {1: Roll(1, player.id, "Zoe", Hand((RolledDie(6, 4),)))}

    def rule(table: Table) -> Draft:
        fresh = CORTEX.put(
            replace(table, gms={player.id: player.name}),
            replace(CORTEX.of(table), rolls=rolls, last_pools={player.id: ("d6",)}),
        )
        return Draft(fresh.with_owner("zoe", zoe), told("Zoe is played"))

    return rule


RELEASED = Path(__file__).parent / "released"
"""What databases held when they were released, as SQL, by the last migration of then."""
ROOT = Path(__file__).parents[3]


async def test_an_empty_database_gets_its_tables(empty: str) -> None:
    await migrate(empty)
    ledger = await Ledger.open(empty)
    await ledger.append(HERE, ANNA, 1, gift())
    await ledger.close()


async def test_a_database_with_data_keeps_it(url: str) -> None:
    ledger = await Ledger.open(url)
    made = await ledger.append(HERE, ANNA, 1, gift())
    await ledger.close()
    await migrate(url)
    ledger = await Ledger.open(url)
    assert await ledger.look(HERE) == made
    await ledger.close()


async def rows(url: str, statement: str) -> list[tuple[object, ...]]:
    """What a statement gives, if it gives anything."""
    engine = connect(url)
    async with engine.connect() as connection:
        done = await connection.exec_driver_sql(statement)
        found = [tuple(row) for row in done] if done.returns_rows else []
    await engine.dispose()
    return found


async def made_at(url: str, revision: str) -> None:
    """Make the tables of an empty database as they were at a revision."""

    def make(connection: Connection) -> None:
        script = ScriptDirectory(str(MIGRATIONS))
        context = MigrationContext.configure(connection)
        with Operations.context(context):
            for each in reversed(list(script.iterate_revisions(revision, "base"))):
                each.module.upgrade()
                context.stamp(script, each.revision)

    engine = connect(url)
    async with engine.connect() as connection:
        await connection.run_sync(make)
    await engine.dispose()


async def pack_by_blocks(url: str) -> None:
    """Pack all states, which are small, as the program did whose database had the version 0003."""
    engine = connect(url)
    async with engine.connect() as connection:
        columns = (entry.c.campaign_id, entry.c.number, entry.c.base, entry.c.state)
        found = (await connection.execute(select(*columns).order_by(*columns[:2]))).all()
        texts: dict[tuple[int, int], bytes] = {}
        for of, number, base, state in found:
            texts[of, number] = text = codec.unpack(state, texts.get((of, base)))
            before = b"" if number == base else codec.joined(texts[of, base])
            packer = zlib.compressobj(zdict=before) if before else zlib.compressobj()
            blob = packer.compress(codec.joined(text)) + packer.flush()
            ours = (entry.c.campaign_id == of, entry.c.number == number)
            await connection.execute(update(entry).where(*ours).values(state=blob))
    await engine.dispose()


async def test_whom_a_campaign_knows_is_filled_in_from_what_was_played_before(url: str) -> None:
    people = [Author(10**17 + n, f"Player {n}") for n in range(4)]
    ledger = await Ledger.open(url)
    for number in range(40):
        await ledger.append(HERE, people[0], 0, seated(people[1 + number % 2]))
    await ledger.append(THERE, people[3], 0, gift())
    await ledger.close()
    wanted = "SELECT campaign_id, player_id, is_gm FROM person ORDER BY campaign_id, player_id"
    before = await rows(url, wanted)
    assert len(before) == 4
    await pack_by_blocks(url)
    for later in (
        "person",
        "job",
        "shown",
        "waiting",
        "whisper",
        "spoken",
        "portrait",
        "step_log",
        "step_line",
    ):
        await rows(url, f"DROP TABLE {later}")
    await rows(url, "ALTER TABLE campaign DROP COLUMN rolls_only")
    await rows(url, "ALTER TABLE pin DROP COLUMN state")
    await rows(url, "ALTER TABLE entry DROP COLUMN secret")
    await rows(url, "ALTER TABLE entry DROP COLUMN facts")
    await rows(url, "ALTER TABLE entry ADD COLUMN summary TEXT NOT NULL DEFAULT 'Zoe is played'")
    await rows(url, "UPDATE alembic_version SET version_num = '0003'")
    await migrate(url)
    assert await rows(url, wanted) == before


def released(path: Path, revision: str) -> str:
    """A database as a released program left it in that file, where it is."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((RELEASED / f"{revision}.sql").read_text())
    return f"sqlite:///{path}"


@pytest.mark.parametrize(
    "revision", ["0005", "0008", "0013", "0016"], ids=["0.1.0", "0.2.0", "0.3.0", "0.4.0"]
)
async def test_a_database_of_every_release_opens_and_is_played_on(tmp_path: Path, revision: str) -> None:
    url = released(tmp_path / "released.db", revision)
    await rows(url, "INSERT INTO pin SELECT channel_id, 7, 0 FROM channel")
    await migrate(url)
    ledger = await Ledger.open(url)
    ((campaign, guild, channel),) = await rows(
        url, "SELECT id, guild_id, channel_id FROM campaign JOIN channel ON campaign_id = id"
    )
    assert isinstance(campaign, int)
    assert isinstance(guild, int)
    assert isinstance(channel, int)
    assert await ledger.pins.of(campaign) == [Pin(channel, 7, PinState.PINNED)]
    log = await ledger.past.log(campaign, count=100)
    assert all(codec.is_legible(step.facts) and spelled(summary(step.facts)) for step in log)
    made = await ledger.append(Place(channel, guild), ANNA, 1, gift("Mira"))
    assert made.table.lost == 0
    assert len(made.table.characters) >= 3
    back = await ledger.undo(campaign, ANNA, 2, anybody, log[1].number, back=True)
    assert back.table.characters.keys() <= made.table.characters.keys()
    await ledger.close()


async def test_what_a_released_program_kept_is_read_as_it_was_said(tmp_path: Path) -> None:
    path = tmp_path / "released.db"
    url = released(path, "0005")
    with closing(sqlite3.connect(path)) as connection:
        said = connection.execute("SELECT campaign_id, number, summary FROM entry ORDER BY number").fetchall()
    await migrate(url)
    ledger = await Ledger.open(url)
    campaign = said[0][0]
    log = await ledger.past.log(campaign, count=100)
    assert {step.number: spelled(summary(step.facts)) for step in log} == {
        number: line for _, number, line in said
    }
    sessions = await ledger.past.facts(campaign, (Began,))
    assert [(step.number, fact) for step, fact in sessions] == [
        (2, Began(Stretch.SESSION, 1)),
        (19, Began(Stretch.SESSION, 2)),
    ]
    docks = await ledger.undo(campaign, ANNA, 0, anybody, 17, back=True)
    rolls = [roll for roll in CORTEX.of(docks.table).rolls.values() if roll.after]
    assert all(
        isinstance(fact, OldWords) for roll in rolls for facts in roll.after.values() for fact in facts
    )
    await ledger.close()


async def test_a_database_of_a_later_program_is_refused(url: str) -> None:
    engine = connect(url)
    async with engine.connect() as connection:
        await connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    await engine.dispose()
    with pytest.raises(NewerDatabase, match="newer version of this program"):
        await migrate(url)


@pytest.mark.needs("/proc/self")
@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////proc/nowhere/doomkeeper.db",
        "sqlite:////",
        "postgresql://anna:s3cret@127.0.0.1:1/doomkeeper",
        "postgres://anna:s3cret@nowhere.invalid/doomkeeper",
    ],
)
async def test_a_database_out_of_reach_is_explained_without_the_password(url: str) -> None:
    with pytest.raises(Unreachable) as refusal:
        await migrate(url)
    assert "database" in str(refusal.value)
    assert "s3cret" not in str(refusal.value)
    assert "\n" not in str(refusal.value)


async def test_a_file_that_is_no_database_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "letter.db"
    path.write_text("Dear reader, this is no database. " * 100)
    with pytest.raises(Unreachable, match="not a database"):
        await migrate(f"sqlite:///{path}")


@pytest.mark.slow
async def test_the_alembic_command_finds_tables_and_migrations_alike(url: str) -> None:
    for more in ([], ["-x", f"url={url}"]):
        command = [sys.executable, "-m", "alembic", *more, "check"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: ASYNC221
        assert done.returncode == 0, done.stderr
        assert "No new upgrade operations" in done.stdout
