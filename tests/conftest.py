"""A game for each test that asks for one.

Laws are held without a clock, so that a busy computer fails none of them, and with the same examples in
every run, so that no change is refused for what an earlier one did: with a few, or with as many as `.ci/run`
takes by `--hypothesis-profile=laws`. `--hypothesis-profile=hunt` looks for new ones.
"""

import gc
import importlib
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, is_hypothesis_test, settings

from bot.games import play_games
from bot.worker import settle
from tests.game import Game, playing
from tests.needs import skip_if_missing
from tests.refused import Refusals
from tests.texts_met import Report, note_all

settings.register_profile("hunt", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("laws", settings.get_profile("hunt"), derandomize=True)
settings.register_profile("few", settings.get_profile("laws"), max_examples=10)
settings.load_profile("few")
gc.disable()  # collecting makes thousands of tests, none of them garbage; `settle` enables it again

HERE = Path(__file__).parent
REFUSALS = Refusals()
SELDOM = 200_000
"""So many new things are looked through for garbage at once."""
MEMORY, ROOM = Path("/dev/shm"), 4 * 1024**3
"""Where files lie in memory on Linux, and how many bytes have to be free there."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add options of our own."""
    parser.addoption("--texts", metavar="FILE", help="add the texts that are said to FILE")


def pytest_configure(config: pytest.Config) -> None:
    """Note which texts are said, and leave slow tests out of a run that names no tests."""
    note_all()
    REFUSALS.install()
    # Print log lines plainly: colors and local times take longer than all else of a line.
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.dev.set_exc_info,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["level", "event"]),
        ]
    )
    # On a disk, half of the time is waiting for it.
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    options = config.option
    is_all = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    is_whole = is_all and not (options.keyword or options.markexpr or getattr(options, "lf", False))
    if is_whole:
        options.markexpr = "not slow"
    config.pluginmanager.register(Report(config, is_whole=is_whole))


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let every second worker load all tests from the last to the first.

    In a fresh clone all test files have to be compiled, which takes about 15 s: so two workers compile half
    of them each, and not all of them twice.
    """
    # As a bot does when it starts, since views are tested without one, too.
    play_games()
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if session.config.args_source is pytest.Config.ArgsSource.TESTPATHS and int(worker[2:]) % 2:
        for path in sorted(HERE.rglob("test_*.py"), reverse=True):
            importlib.import_module(".".join(path.relative_to(HERE.parent).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests of PostgreSQL as slow: a server costs more than a file, and few changes break it alone."""
    for item in items:
        params = item.callspec.params if hasattr(item, "callspec") else {}
        if "postgresql" in params.values() or "server" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs a program which is missing here."""
    skip_if_missing(item)
    REFUSALS.begin(is_law=is_hypothesis_test(getattr(item, "obj", None)))


def pytest_collection_finish() -> None:
    """As a bot does that serves, but more seldom: some thousand tests are no garbage either."""
    settle()
    gc.set_threshold(SELDOM)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """Fail a test in which something was refused that is half in English in another language."""
    yield
    REFUSALS.end()


@pytest.fixture
async def game(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Game]:
    """The bot on a loopback Discord.

    Nobody has played yet; but a test with a `table` goes on from there, and one that is marked `begins`
    from what it is marked with, which was played once for all of them.
    """
    mark = request.node.get_closest_marker("begins")
    table = Game.table if "table" in request.fixturenames else None
    async with playing(tmp_path, mark.kwargs["at"] if mark else table) as game:
        yield game


@pytest.fixture
async def table(game: Game) -> Game:
    """A campaign by the ruleset `adept` with a GM, Alice and Bob, in a scene."""
    return game
