"""The command line: builds the program from its parts, and ends it.

Modules are imported only when needed, because a bot that is told to stop during startup must notice.
"""

import argparse
import asyncio
import contextlib
import gc
import os
import signal
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bot import EX_CONFIG, paths
from bot.loopback import demo
from bot.ops import commands as ops_commands

if TYPE_CHECKING:
    from bot.loopback.driver import Loopback
    from bot.loopback.web.access import SeatHints, SeatPlace
    from bot.loopback.web.server import PageAddress
    from bot.settings import BotSettings
    from bot.store.ledger import Ledger
    from rules.dice import Throw


NO_TOKEN = (
    "DISCORD_TOKEN is not set. Create a bot at https://discord.com/developers/applications and put its token "
    f"in {paths.settings_file()}.\n"
    f"To try it without Discord, run: {paths.COMMAND} play"
)
KEPT_MESSAGES = 5_000
"""So many messages of a channel are there again when the page is opened the next time."""
DEMO_PATIENCE = 30.0
"""Seconds that a scene which plays itself waits for an answer."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve on Discord, play at the local table, or run an operator's command.

    Returns the exit code: 0 when told to stop, 78 (or EXIT_WHEN_UNUSABLE) if only a person can fix the
    cause, 1 if the next start may succeed.
    """
    asked = _parser().parse_args(arguments)
    if not (paths.IS_CLONE or (asked.command == "play" and asked.demo)):
        print(f"Settings and tables are stored in {paths.folder()}", file=sys.stderr)
    try:
        if asked.command == "play" or asked.command in ops_commands.NAMES:
            code = _play(asked) if asked.command == "play" else ops_commands.run(asked)
            sys.stdout.flush()
            return code
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))  # nothing has begun yet
        return _serve()
    except KeyboardInterrupt:
        return 130  # as shells have it for Ctrl-C
    except BrokenPipeError:  # what reads the lines has stopped, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _serve() -> int:
    """Serve until told to stop."""
    gc.disable()  # until it serves: what a start makes stays, and looking for garbage is a fifth of the time
    # structlog takes it in where it is there, to draw errors. Only the local table has a use for it.
    sys.modules.setdefault("rich", None)  # type: ignore[arg-type]
    from bot import settings
    from bot.ops.serve import LoginRefused, OutOfReach, serve
    from bot.store.engine import Away, NewerDatabase, Replaced, Unreachable

    try:
        chosen = settings.read()
        if chosen.discord_token is None:
            return _unusable(NO_TOKEN)
        with asyncio.Runner(loop_factory=_loop()) as runner:
            runner.run(serve(chosen, chosen.discord_token.value))
    except (Away, OutOfReach, Replaced) as error:
        print(error, file=sys.stderr)
        return 1
    except (settings.BadSetting, Unreachable, LoginRefused, NewerDatabase) as error:
        return _unusable(error)
    return 0


def _unusable(why: object) -> int:
    """Say what a person needs to fix. Returns the exit code, or waits to be stopped where that is set."""
    from bot import settings

    print(why, file=sys.stderr)
    code = settings.exit_when_unusable()
    if code != "wait":
        return code
    # Nothing answers on the health port meanwhile: that is how Docker sees that it is unhealthy.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    print("Waiting to be stopped. Fix this, then restart the bot.", file=sys.stderr, flush=True)
    threading.Event().wait()
    return 0


def _loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The event loop of the extra `speed` where it is installed; None for Python's own."""
    try:
        import uvloop
    except ModuleNotFoundError:
        return None
    return uvloop.new_event_loop


def _door(asked: argparse.Namespace) -> "PageAddress | None":
    """Where the page of the local table is to be opened; None for a table in the terminal."""
    if not asked.web:
        return None
    from bot.loopback.web.server import PageAddress

    folder = paths.folder()
    return PageAddress(asked.host, asked.port, folder / "web.key", asked.open, folder / "web.db", asked.fresh)


def _play(asked: argparse.Namespace) -> int:
    """Open a local table."""
    from bot import settings
    from bot.loopback.web.memory import TableFileUnusable
    from bot.loopback.web.server import AddressTaken
    from bot.store.engine import NewerDatabase, Unreachable

    try:
        at_the_table = _at_the_table(
            settings.read(), shown=asked.demo, database=asked.database, door=_door(asked)
        )
        return asyncio.run(at_the_table)
    except (settings.BadSetting, Unreachable, NewerDatabase, AddressTaken, TableFileUnusable) as error:
        print(error, file=sys.stderr)
        return EX_CONFIG


async def _at_the_table(
    chosen: "BotSettings", *, shown: str | None, database: str | None, door: "PageAddress | None"
) -> int:
    """A Discord of our own, the same bot, several seats; a scene that shows itself has a file of its own."""
    from bot.ops import logs

    logs.set_up("WARNING", "text")
    if shown:
        with tempfile.TemporaryDirectory() as folder:
            return await _seated(f"sqlite+aiosqlite:///{Path(folder) / 'demo.db'}", demo.SCENES[shown])
    url = database or paths.database("local")
    if door is not None:
        return await _in_browsers(url, door, dice_emojis=chosen.dice_emojis == "on")
    return await _seated(url, None)


async def _seated(url: str, scene: demo.DemoScene | None) -> int:
    """The table on that database, until its lines are over."""
    from bot.client.responder import LATE
    from bot.loopback.driver import Loopback
    from bot.loopback.play import run
    from bot.services.play import throw

    # A scene shows what is played, on however busy a machine; a table keeps Discord's three seconds.
    deadline, late = (DEMO_PATIENCE, DEMO_PATIENCE) if scene else (3.0, LATE)
    thrown = _loaded(scene.faces) if scene else throw
    async with (
        Loopback(is_lasting=True, deadline=deadline) as loopback,
        _playing(loopback, url, thrown, late),
    ):
        return await run(loopback, lines=_lines(scene), out=print)


async def _in_browsers(url: str, door: "PageAddress", *, dice_emojis: bool) -> int:
    """The table on that database as a page, until told to stop."""
    from bot.client.responder import LATE
    from bot.loopback.driver import Loopback
    from bot.loopback.web.memory import remembered
    from bot.loopback.web.server import run
    from bot.services.play import throw

    async with Loopback(is_lasting=True, keep_messages=KEPT_MESSAGES) as loopback:
        loopback.world.bot.display = "Doomkeeper"
        async with (
            remembered(loopback, door.memory, is_fresh=door.is_fresh),
            _playing(loopback, url, throw, LATE, dice_emojis=dice_emojis) as ledger,
        ):
            return await run(loopback, door, out=partial(print, flush=True), knows=partial(_at_hand, ledger))


async def _at_hand(ledger: "Ledger", asker: "SeatPlace") -> "SeatHints":
    """What the page of the local table asks the bot about a seat."""
    from bot.loopback.web.access import SeatHints
    from bot.services.responses import needed_first, waits_for
    from bot.store.history import Place

    place = Place(asker.channel, asker.guild, asker.parent)
    return SeatHints(
        await waits_for(ledger, place, asker.person), await needed_first(ledger, place, asker.person)
    )


@contextlib.asynccontextmanager
async def _playing(
    loopback: "Loopback", url: str, thrown: "Throw", late: float, *, dice_emojis: bool = False
) -> "AsyncIterator[Ledger]":
    """The bot on a Discord of our own, on that database."""
    from bot.doomkeeper import Doomkeeper, point_at
    from bot.services.play import Play

    async with _opened(url) as ledger:
        point_at(loopback.api_url, loopback.gateway_url)
        bot = Doomkeeper(Play(ledger, thrown), ledger, always_sync=True, pause=0.1, dice_emojis=dice_emojis)
        bot.running.late, bot.faces.pace = late, 0.0  # the loopback limits no uploads
        running = asyncio.ensure_future(bot.start(loopback.token))
        try:
            await loopback.ready()
            yield ledger
        finally:
            await bot.drain()
            await running


@contextlib.asynccontextmanager
async def _opened(url: str) -> "AsyncIterator[Ledger]":
    """The ledger in its database, which is brought up to date first."""
    from bot.store.ledger import Ledger

    ledger = await Ledger.open(url, migrates=True)
    try:
        yield ledger
    finally:
        await ledger.close()


def _lines(scene: demo.DemoScene | None) -> AsyncIterator[str] | None:
    """Where the local table's lines come from; None for a terminal."""
    from bot.loopback.play import lines_of

    if scene is not None:
        return _each(scene.lines)
    return None if sys.stdin.isatty() else lines_of(sys.stdin)


async def _each(lines: Sequence[str]) -> AsyncIterator[str]:
    for line in lines:
        yield line


def _loaded(faces: Sequence[Sequence[int]]) -> "Throw":
    """Dice that show given faces, roll by roll, and then chance."""
    from bot.services.play import throw

    left = list(faces)

    def thrown(sizes: Sequence[int]) -> Sequence[int]:
        return left.pop(0) if left and len(left[0]) == len(sizes) else throw(sizes)

    return thrown


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=paths.COMMAND,
        description="Doomkeeper, a Discord bot for Cortex and One-Roll games. "
        "Without a command, it connects to Discord.",
    )
    parser.add_argument("--version", action="version", version=paths.full_version())
    commands = parser.add_subparsers(dest="command")
    local = commands.add_parser("play", help="play at a local table, without Discord")
    way = local.add_mutually_exclusive_group()
    way.add_argument(
        "--demo",
        nargs="?",
        const=demo.FIRST,
        choices=demo.SCENES,
        help=f"watch a scripted scene (default: {demo.FIRST})",
    )
    way.add_argument("--web", action="store_true", help="play in the browser; each tab is a seat")
    local.add_argument(
        "--port", type=int, help="port of the page (default: 8377, or a free one if 8377 is taken)"
    )
    local.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1, this machine only)"
    )
    local.add_argument("--open", action="store_true", help="open the page in your browser")
    local.add_argument("--fresh", action="store_true", help="clear the page's chat history")
    local.add_argument(
        "--database",
        metavar="PATH",
        help=f"database to use instead of {paths.folder() / 'local.db'}: a file such as "
        f"{paths.folder() / 'friday.db'}, or a URL",
    )
    ops_commands.add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
