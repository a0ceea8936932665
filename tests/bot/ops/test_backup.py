"""Copies: made while the bot plays, put back and played on; and what cannot be copied or put back."""

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.backups import TABLES, keep_newest
from bot.store.engine import Unreachable, address, known, revision
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from tests.bot.ops.operator import Typing, aside, typed
from tests.bot.store.samples import ANNA, HERE, gift, pp
from tests.bot.store.test_migrate import RELEASED, made_at, rows
from tests.bot.test_process import gift as given
from tests.bot.test_process import points, serving

pytestmark = pytest.mark.usefixtures("programs")


async def play(url: str, times: int = 1) -> int:
    """Give PP so many times; how many there are then."""
    ledger = await Ledger.open(url)
    for _ in range(times):
        entry = await ledger.append(HERE, ANNA, 0, gift())
    await ledger.close()
    return pp(entry.table)


def file_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


def copied_by(types: Typing, url: str, path: Path) -> Path:
    """A copy of a database in which one PP was given."""
    asyncio.run(play(url))
    assert types("backup", str(path), DATABASE_URL=url)[0] == 0
    return path


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_a_copy_made_while_the_bot_plays_is_put_back_and_played_on(
    url: str, tmp_path: Path, types: Typing
) -> None:
    copy = tmp_path / "copy"
    async with serving(tmp_path, DATABASE_URL=url) as (program, loopback):
        await given(loopback, 1)
        code, said = await typed("backup", str(copy), DATABASE_URL=url)
        assert (code, said.splitlines()) == (0, [said]), said
        assert said.startswith(f"Database backed up to {copy}, ")
        await given(loopback, 2)
        code, said = await aside(types, "restore", str(copy), DATABASE_URL=url)
        assert code == os.EX_CONFIG
        assert "Stop it first" in said
        program.process.send_signal(signal.SIGTERM)
        await program.ended()
        code, said = await typed("restore", str(copy), DATABASE_URL=url)
        assert (code, said) == (
            0,
            f"Database restored from {copy}, revision {known()[-1]}, the current one.",
        )
        await program.again()
        assert await points(loopback) == {1: 1}
        assert "P1: 2 PP" in (await given(loopback, 1)).text
    assert not {name for name in os.listdir(tmp_path) if name.endswith((".part", ".new", ".replaced"))}


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_a_server_is_copied_while_it_is_played_on_and_is_put_back_once_nobody_does(
    url: str, tmp_path: Path, types: Typing
) -> None:
    copy = tmp_path / "copy"
    ledger = await Ledger.open(url)
    await ledger.append(HERE, ANNA, 1, gift())
    assert (await typed("backup", str(copy), DATABASE_URL=url))[0] == 0
    await ledger.append(HERE, ANNA, 2, gift())
    code, said = await aside(types, "restore", str(copy), DATABASE_URL=url)
    assert (code, said) == (
        os.EX_CONFIG,
        "A bot is running on this database. Stop all its processes first.",
    )
    assert pp((await ledger.append(HERE, ANNA, 3, gift())).table) == 3
    await ledger.close()
    assert (await aside(types, "restore", str(copy), DATABASE_URL=url))[0] == 0
    assert await play(url) == 2


def test_a_copy_in_a_folder_has_the_moment_in_its_name_and_is_its_owners(
    url: str, tmp_path: Path, types: Typing
) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    copied_by(types, url, folder)
    (copy,) = folder.iterdir()
    assert copy.name in types("restore", str(copy), DATABASE_URL=url)[1]
    assert copy.stat().st_mode & 0o777 == 0o600
    assert asyncio.run(play(url)) == 2


@pytest.mark.needs("/proc/self")
def test_what_is_not_there_or_cannot_be_written_is_said(url: str, tmp_path: Path, types: Typing) -> None:
    asyncio.run(play(url))
    (tmp_path / "letter").write_text("Dear reader, this is no copy.")
    for words, why in (
        (("restore", f"{tmp_path}/none"), "none cannot be read: No such file or directory."),
        (("restore", f"{tmp_path}"), "cannot be read: Is a directory."),
        (("restore", f"{tmp_path}/letter"), "letter is not a backup made by `backup`."),
        (("backup", f"{tmp_path}/letter"), "letter already exists. Choose a new file or a folder."),
        (("backup", f"{tmp_path}/letter/copy"), "letter/copy cannot be written: Not a directory."),
        (("backup", f"{tmp_path}/none/copy"), "none/copy cannot be written: No such file or directory."),
        (("backup", "/proc/copy"), "/proc/copy cannot be written"),
    ):
        code, said = types(*words, DATABASE_URL=url)
        assert (code, len(said.splitlines())) == (os.EX_CONFIG, 1), said
        assert why in said
    assert asyncio.run(play(url)) == 2


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
def test_a_copy_of_a_newer_program_or_of_the_other_kind_is_refused(
    url: str, tmp_path: Path, types: Typing, server: str
) -> None:
    copy = copied_by(types, url, tmp_path / "copy")
    newest = known()[-1]
    asyncio.run(rows(url, "UPDATE alembic_version SET version_num = '9999'"))
    assert types("backup", f"{tmp_path}/newer", DATABASE_URL=url)[0] == os.EX_CONFIG
    later = tmp_path / "later"
    if url.startswith("sqlite"):
        later.write_bytes(copy.read_bytes())
        asyncio.run(rows(f"sqlite:///{later}", "UPDATE alembic_version SET version_num = '9999'"))
        other, kinds = server.format("postgres"), "a SQLite backup, but DATABASE_URL is PostgreSQL"
    else:
        subprocess.run(["pg_dump", "--format=custom", f"--file={later}", url], check=True)
        other, kinds = f"sqlite:///{tmp_path}/other.db", "a PostgreSQL backup, but DATABASE_URL is SQLite"
    asyncio.run(rows(url, f"UPDATE alembic_version SET version_num = '{newest}'"))
    code, said = types("restore", str(later), DATABASE_URL=url)
    assert (code, said) == (
        os.EX_CONFIG,
        f"{later} was made by a newer version of this program (revision 9999). Update the program.",
    )
    assert asyncio.run(play(url)) == 2
    code, said = types("restore", str(copy), DATABASE_URL=other)
    assert (code, kinds in said) == (os.EX_CONFIG, True)


def test_a_copy_that_breaks_off_changes_nothing(url: str, tmp_path: Path, types: Typing) -> None:
    asyncio.run(play(url, 40))
    copy = copied_by(types, url, tmp_path / "copy")
    copy.write_bytes(copy.read_bytes()[: -copy.stat().st_size // 3])
    code, said = types("restore", str(copy), DATABASE_URL=url)
    assert (code, len(said.splitlines())) == (os.EX_CONFIG, 1), said
    assert asyncio.run(play(url)) == 42


RUBBISH: dict[str, Callable[[bytes], bytes]] = {
    "the beginning alone": lambda copy: copy[:5],
    "rubbish after the beginning": lambda copy: copy[:5] + b"rubbish" * 500,
    "cut at its start": lambda copy: copy[: len(copy) // 50],
    "cut in the middle": lambda copy: copy[: len(copy) // 2],
    "cut near its end": lambda copy: copy[: len(copy) * 9 // 10],
    "damaged in the middle": lambda copy: (
        copy[: len(copy) * 3 // 5] + b"\xff" * 400 + copy[len(copy) * 3 // 5 + 400 :]
    ),
}


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_of_rubbish_it_says_what_is_wrong_with_it(url: str, tmp_path: Path, types: Typing) -> None:
    asyncio.run(play(url, 60))
    copy = copied_by(types, url, tmp_path / "copy")
    for name, broken in RUBBISH.items():
        bad = tmp_path / name.replace(" ", "-")
        bad.write_bytes(broken(copy.read_bytes()))
        code, said = types("restore", str(bad), DATABASE_URL=url)
        assert (code, len(said.splitlines())) == (os.EX_CONFIG, 1), said
        assert said.startswith(f"{bad} cannot be read: "), said
        assert len(said) > len(f"{bad} cannot be read: .."), said
    assert asyncio.run(play(url)) == 62


@pytest.mark.parametrize("table", ["entry", "campaign", "alembic_version"])
def test_a_copy_without_a_table_is_refused(url: str, tmp_path: Path, types: Typing, table: str) -> None:
    copy = copied_by(types, url, tmp_path / "copy")
    less = tmp_path / "less"
    if url.startswith("sqlite"):
        shutil.copy(copy, less)
        asyncio.run(rows(f"sqlite:///{less}", f"ALTER TABLE {table} RENAME TO other"))
    else:
        tables = [f"--table={name}" for name in TABLES if name != table]
        subprocess.run(["pg_dump", "--format=custom", *tables, f"--file={less}", url], check=True)
    code, said = types("restore", str(less), DATABASE_URL=url)
    assert (code, said) == (
        os.EX_CONFIG,
        f"{less} is not a database of this bot: the table {table} is missing.",
    )
    assert asyncio.run(play(url)) == 2


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_a_copy_is_sound_once_all_of_it_was_read(url: str, tmp_path: Path, types: Typing) -> None:
    """What pg_dump writes is damaged on its way to the disk: its list of contents can still be read."""
    asyncio.run(play(url, 60))
    folder, real = tmp_path / "bin", shutil.which("pg_dump")
    folder.mkdir()
    cut = 'for each in "$@"; do case "$each" in --file=*) f="${each#--file=}";; esac; done'
    size = 's=$(stat -c %s "$f"); truncate -s $((s - 300)) "$f"'
    (folder / "pg_dump").write_text(f'#!/bin/sh\n{real} "$@" || exit 1\n{cut}\n{size}\n')
    (folder / "pg_dump").chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    code, said = types("backup", f"{tmp_path}/copy", DATABASE_URL=url, PATH=path)
    assert (code, "cannot be read: " in said) == (os.EX_CONFIG, True), said
    assert [each.name for each in tmp_path.iterdir()] == ["bin"]


async def test_copies_that_never_ended_go_at_the_next_start_after_a_day(tmp_path: Path) -> None:
    folder, old = tmp_path / "copies", time.time() - 25 * 3600
    folder.mkdir()
    begun = b"SQLite format 3\0 and no more"
    files = {
        "old.db.part": begun,
        "empty.part": b"",
        "server.dump.part": b"PGDMP",
        "new.db.part": begun,
        "film.part": b"somebody else's",
        "old.db": begun,
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
        if not name.startswith("new"):
            os.utime(folder / name, (old, old))
    (folder / "folder.part").mkdir()
    async with serving(tmp_path, BACKUP_DIR=str(folder)) as (program, _):
        program.process.send_signal(signal.SIGTERM)
        _, printed = await program.ended()
    assert {path.name for path in folder.iterdir()} == {"new.db.part", "film.part", "old.db", "folder.part"}
    assert printed.count("unfinished copy deleted") == 3


def test_the_help_of_database_shows_an_example(types: Typing, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        types("play", "--help")
    assert "a file such as data/friday.db" in " ".join(capsys.readouterr().out.split())


def test_where_there_is_no_database_yet_there_is_nothing_to_copy(
    empty: str, tmp_path: Path, types: Typing
) -> None:
    code, said = types("backup", f"{tmp_path}/copy", DATABASE_URL=empty)
    assert (code, said) == (os.EX_CONFIG, "Nothing to back up: the database has no tables yet.")
    assert not file_of(empty).exists()


def test_a_copy_is_put_where_there_was_no_database(url: str, tmp_path: Path, types: Typing) -> None:
    copy = copied_by(types, url, tmp_path / "copy")
    if url.startswith("sqlite"):
        url = f"sqlite:///{tmp_path}/fresh/game.db"
    else:
        asyncio.run(rows(url, f"DROP TABLE {', '.join(TABLES)} CASCADE"))
    assert types("restore", str(copy), DATABASE_URL=url)[0] == 0
    assert asyncio.run(play(url)) == 2


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_what_a_file_left_behind_is_not_written_onto_the_copy(
    url: str, tmp_path: Path, types: Typing
) -> None:
    copy = copied_by(types, url, tmp_path / "copy")
    file = file_of(url)
    with closing(sqlite3.connect(file)) as killed:  # its log stays, as after a kill
        killed.execute("PRAGMA journal_mode = WAL")
        killed.execute("UPDATE campaign SET name = 'Written later'")
        killed.commit()
        logs = [file.with_name(f"{file.name}{ending}") for ending in ("-wal", "-shm")]
        kept = [(log, log.read_bytes()) for log in logs]
    file.unlink()
    for log, content in kept:
        log.write_bytes(content)
    assert types("restore", str(copy), DATABASE_URL=url)[0] == 0
    with closing(sqlite3.connect(file)) as restored:
        assert "Written later" not in restored.execute("SELECT name FROM campaign").fetchone()


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_command_takes_another_database_by_its_path(url: str, tmp_path: Path, types: Typing) -> None:
    asyncio.run(play(url))
    other = tmp_path / "other.db"
    file_of(url).rename(other)
    code, said = types("doctor", "--database", str(other), DATABASE_URL=url)
    assert (code, said.partition(":")[0]) == (0, "All OK")
    code, said = types("usage", "--database", "friday", DATABASE_URL=url)
    assert (code, said) == (
        os.EX_CONFIG,
        "The database file friday does not exist. A new file needs a name that ends in .db.",
    )
    assert types("backup", str(tmp_path / "copy"), DATABASE_URL=str(other))[0] == 0


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_file_without_bytes_is_no_new_database(url: str, tmp_path: Path, types: Typing) -> None:
    asyncio.run(play(url))
    copied_by(types, url, tmp_path / "copy")
    file_of(url).write_bytes(b"")
    for words in (("doctor",), ("backup", str(tmp_path / "second")), ("check",)):
        code, said = types(*words, DATABASE_URL=url)
        assert code == os.EX_CONFIG
        assert "is empty. Restore a backup" in said
    assert types("restore", str(tmp_path / "copy"), DATABASE_URL=url)[0] == 0
    assert asyncio.run(play(url)) == 3


@pytest.mark.needs("unshare")
@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_file_on_a_mount_that_is_only_read_is_looked_through_and_copied(url: str, tmp_path: Path) -> None:
    asyncio.run(play(url))
    there, mounted = file_of(url).parent, tmp_path / "mounted"
    mounted.mkdir()

    def mounted_says(*words: str) -> tuple[int, str]:
        mount = f"mount --bind {there} {mounted} && mount -o remount,ro,bind {mounted}"
        orders = ["unshare", "-rm", "sh", "-c", f'{mount} || exit 99; exec "$0" -m bot "$@"', sys.executable]
        database = ("--database", str(mounted / file_of(url).name))
        done = subprocess.run([*orders, *words, *database], capture_output=True, text=True, check=False)
        if done.returncode == 99 or done.stderr.startswith("unshare:"):
            pytest.skip("nobody may mount anything here")
        return done.returncode, done.stdout + done.stderr

    assert mounted_says("doctor")[1].startswith("All OK: 1 campaign")
    assert "The backup was verified" in mounted_says("backup", str(tmp_path / "first"))[1]
    with closing(sqlite3.connect(file_of(url))) as written:
        written.execute("CREATE TABLE more (n)")  # so that there are files beside it
        assert mounted_says("doctor")[1].startswith("All OK: 1 campaign")
        assert "The backup was verified" in mounted_says("backup", str(tmp_path / "second"))[1]
        kept = {path: path.read_bytes() for path in there.glob("*.db*") if not path.name.endswith("-shm")}
    for path, data in kept.items():
        path.write_bytes(data)
    code, said = mounted_says("doctor")
    assert (code, "-wal to a folder where you can write." in said) == (os.EX_CONFIG, True), said


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_damaged_file_is_replaced(url: str, tmp_path: Path, types: Typing) -> None:
    copy = copied_by(types, url, tmp_path / "copy")
    file_of(url).write_bytes(b"nothing that can be read" * 1000)
    assert types("backup", f"{tmp_path}/another", DATABASE_URL=url)[0] == os.EX_CONFIG
    assert types("restore", str(copy), DATABASE_URL=url)[0] == 0
    assert asyncio.run(play(url)) == 2


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_file_that_another_program_reads_is_not_replaced(url: str, tmp_path: Path, types: Typing) -> None:
    copy = copied_by(types, url, tmp_path / "copy")
    with closing(sqlite3.connect(file_of(url), isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM entry").fetchone()
        code, said = types("restore", str(copy), DATABASE_URL=url)
    assert (code, "Another program has" in said) == (os.EX_CONFIG, True)
    assert asyncio.run(play(url)) == 2


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_without_the_programs_of_postgresql_it_says_what_to_install(
    url: str, tmp_path: Path, types: Typing
) -> None:
    code, said = types("backup", f"{tmp_path}/copy", DATABASE_URL=url, PATH=str(tmp_path))
    assert code == os.EX_CONFIG
    assert said.startswith("pg_dump is not installed. Install the PostgreSQL client programs")


@pytest.mark.parametrize("order", ["backup", "restore"])
@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_a_server_out_of_reach_may_be_there_later(
    order: str, tmp_path: Path, types: Typing, url: str
) -> None:
    copy = copied_by(types, url, tmp_path / "copy")
    away = "postgresql://anna:s3cret@127.0.0.1:1/doomkeeper"
    path = copy if order == "restore" else tmp_path / "new"
    code, said = types(order, str(path), DATABASE_URL=away)
    assert (code, len(said.splitlines()), "s3cret" in said) == (1, 1, False), said


def released(path: Path) -> str:
    """A database of release 0.1.0."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((RELEASED / "0005.sql").read_text())
    return f"sqlite:///{path}"


def test_a_database_of_the_first_release_comes_along_and_back_out(tmp_path: Path, types: Typing) -> None:
    url = released(tmp_path / "game.db")
    before = asyncio.run(rows(url, "SELECT number, summary, state FROM entry ORDER BY number"))
    asyncio.run(migrate(url))
    asyncio.run(play(url))
    (copy,) = tmp_path.glob(f"game-*-before-{known()[-1]}.db")
    code, said = types("restore", str(copy), DATABASE_URL=url)
    assert (code, "revision 0005" in said) == (0, True)
    assert asyncio.run(revision(url)) == "0005"
    assert asyncio.run(rows(url, "SELECT number, summary, state FROM entry ORDER BY number")) == before
    asyncio.run(migrate(url))
    asyncio.run(play(url))


async def test_a_change_of_the_tables_is_preceded_by_a_copy(empty: str, tmp_path: Path) -> None:
    url = empty
    await made_at(url, "0006")
    nowhere = tmp_path / "letter"
    nowhere.write_text("A file where a folder should be.")
    with pytest.raises(Unreachable, match="the backup before it failed"):
        await migrate(url, nowhere)
    assert await revision(url) == "0006"
    await migrate(url, tmp_path / "copies")
    (copy,) = (tmp_path / "copies").iterdir()
    assert f"-before-{known()[-1]}." in copy.name
    await migrate(url, tmp_path / "copies")
    assert await play(url) == 1
    assert list((tmp_path / "copies").iterdir()) == [copy]


def test_the_newest_copies_are_kept_and_other_files_are_left_alone(tmp_path: Path) -> None:
    days = [f"game-2026112{day}-120000-000.db" for day in range(5)]
    others = [
        "game.db",
        "game-20261120-120000-000-before-0007.db",
        "other-20261120-120000-000.db",
        "game-notes.db",
    ]
    for name in (*days, *others):
        (tmp_path / name).touch()
    keep_newest(tmp_path, address(f"sqlite:///{tmp_path}/game.db"), 2)
    assert {path.name for path in tmp_path.iterdir()} == {*days[-2:], *others}


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_the_password_is_on_no_command_line(url: str, tmp_path: Path, types: Typing) -> None:
    asyncio.run(play(url))
    folder, told = tmp_path / "bin", tmp_path / "told"
    folder.mkdir()
    real = shutil.which("pg_dump")
    (folder / "pg_dump").write_text(f'#!/bin/sh\necho "$@ $PGPASSWORD." > {told}\nexec {real} "$@"\n')
    (folder / "pg_dump").chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    secret = url.replace("postgres:@", "postgres:s3cret@")
    assert types("backup", f"{tmp_path}/copy", DATABASE_URL=secret, PATH=path)[0] == 0
    assert told.read_text().count("s3cret") == told.read_text().count(" s3cret.") == 1
