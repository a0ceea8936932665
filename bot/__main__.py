"""The one place where real things are chosen and joined; the command line."""

import argparse
import asyncio
import contextlib
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import aiohttp
import discord

from bot import VERSION, demo, logs, settings
from bot.client import Doomkeeper, point_at
from bot.local.driver import Loopback
from bot.local.table import lines_of, run
from bot.play import Play, throw
from bot.settings import BadSetting, Settings
from bot.store.engine import Unreachable
from bot.store.ledger import Ledger
from bot.store.migrate import NewerDatabase, migrate
from rules.dice import Throw

NO_TOKEN = (
    "No DISCORD_TOKEN is set: make a bot at https://discord.com/developers/applications and set its token.\n"
    "To try it without Discord: python -m bot play"
)
LOCAL_DATABASE = "sqlite+aiosqlite:///data/local.db"


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve on Discord, or play at the local table. Returns the exit code."""
    asked = _parser().parse_args(arguments)
    try:
        chosen = settings.read()
        if asked.command == "play":
            return asyncio.run(_play(chosen, shown=asked.demo, database=asked.database))
        return asyncio.run(_serve(chosen))
    except (BadSetting, Unreachable, NewerDatabase) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


async def _serve(chosen: Settings) -> int:
    """Connect to Discord and serve until told to stop."""
    logs.set_up(chosen.log_level, chosen.log_format)
    if chosen.discord_token is None:
        print(NO_TOKEN, file=sys.stderr)
        return 2
    token = chosen.discord_token.get_secret_value()
    point_at(chosen.discord_api_url, chosen.discord_gateway_url)
    async with _opened(chosen.database_url) as ledger:
        bot = Doomkeeper(Play(ledger), dev_guild=chosen.dev_guild_id)
        loop = asyncio.get_running_loop()
        told = asyncio.Event()
        for sign in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(sign, told.set)
        return await _until(bot, token, told)


async def _until(bot: Doomkeeper, token: str, told: asyncio.Event) -> int:
    """Run the bot until it is told to stop, or cannot go on."""
    running = asyncio.ensure_future(bot.start(token))
    stopping = asyncio.ensure_future(told.wait())
    await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    try:
        if told.is_set():
            await bot.drain()
            await asyncio.gather(running, return_exceptions=True)
        else:
            await running
    except discord.LoginFailure:
        print("Discord refuses the token. Set DISCORD_TOKEN to the one on the bot's page.", file=sys.stderr)
        return 1
    except (discord.GatewayNotFound, discord.HTTPException, aiohttp.ClientError, OSError) as error:
        print(f"Discord cannot be reached: {type(error).__name__}.", file=sys.stderr)
        return 1
    finally:
        stopping.cancel()
        await bot.close()
    return 0


async def _play(chosen: Settings, *, shown: str | None, database: str | None) -> int:
    """Open a local table: a Discord of our own, the same bot, several seats."""
    logs.set_up("WARNING", "text")
    scene = demo.SCENES[shown] if shown else None
    with tempfile.TemporaryDirectory() as folder:
        scratch = f"sqlite+aiosqlite:///{Path(folder) / 'demo.db'}"
        url = scratch if scene else database or LOCAL_DATABASE
        async with Loopback(is_lasting=True) as loopback, _opened(url) as ledger:
            point_at(loopback.api_url, loopback.gateway_url)
            bot = Doomkeeper(
                Play(ledger, _loaded(scene.faces) if scene else throw), always_sync=True, pause=0.1
            )
            running = asyncio.ensure_future(bot.start(loopback.token))
            try:
                await loopback.ready()
                return await run(loopback, lines=_lines(scene), out=print)
            finally:
                await bot.drain()
                await running


@contextlib.asynccontextmanager
async def _opened(url: str) -> AsyncIterator[Ledger]:
    """The ledger in its database, which is brought up to date first."""
    await migrate(url)
    ledger = await Ledger.open(url)
    try:
        yield ledger
    finally:
        await ledger.close()


def _lines(scene: demo.Scene | None) -> AsyncIterator[str] | None:
    """Where the local table's lines come from; None for a terminal."""
    if scene is not None:
        return _each(scene.lines)
    return None if sys.stdin.isatty() else lines_of(sys.stdin)


async def _each(lines: Sequence[str]) -> AsyncIterator[str]:
    for line in lines:
        yield line


def _loaded(faces: Sequence[Sequence[int]]) -> Throw:
    """Dice that show given faces, roll by roll, and then chance."""
    left = list(faces)

    def thrown(sizes: Sequence[int]) -> Sequence[int]:
        return left.pop(0) if left and len(left[0]) == len(sizes) else throw(sizes)

    return thrown


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot", description="Doomkeeper, a bot for Cortex games.")
    parser.add_argument("--version", action="version", version=VERSION)
    commands = parser.add_subparsers(dest="command")
    local = commands.add_parser("play", help="open a local table, without Discord")
    local.add_argument(
        "--demo",
        nargs="?",
        const=demo.FIRST,
        choices=demo.SCENES,
        help=f"let a scene play itself: {' or '.join(demo.SCENES)}",
    )
    local.add_argument("--database", help="another database than data/local.db")
    return parser


if __name__ == "__main__":
    sys.exit(main())
