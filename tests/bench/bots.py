"""The bots that are compared, each in a process of its own, on a loopback Discord in this one."""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bot.loopback.driver import Loopback

ROOT = Path(__file__).parents[2]
_OF_PROCESS = 2
"""The kind of clock that counts the CPU of all threads of a process."""


@dataclass(frozen=True, slots=True)
class Bot:
    """One of the bots: its name, the folder of its program, whether it is the bare one, and its Python."""

    name: str
    folder: Path = ROOT
    is_bare: bool = False
    python: str = sys.executable
    variables: Mapping[str, str] = field(default_factory=dict)


BARE = Bot("bare", is_bare=True)
NOW = Bot("now")


@dataclass(frozen=True, slots=True)
class Running:
    """A bot that serves: its process, and the Discord that it serves."""

    process: psutil.Process
    discord: Loopback

    @property
    def cpu(self) -> float:
        """Seconds of CPU that it has spent, its client and database threads included."""
        # What `clock_getcpuclockid` gives on Linux; the times in /proc are ticks of 10 ms.
        return time.clock_gettime(~self.process.pid << 3 | _OF_PROCESS)

    @property
    def memory(self) -> float:
        """MiB of memory that it holds."""
        return float(self.process.memory_info().rss) / 1024 / 1024


@asynccontextmanager
async def serving(bot: Bot, discord: Loopback, url: str) -> AsyncIterator[Running]:
    """The bot on that Discord and that database, until it is done with."""
    addresses = (discord.api_url, discord.gateway_url)
    variables = {"DISCORD_TOKEN": discord.token, "DATABASE_URL": url, "LOG_LEVEL": "WARNING"}
    variables |= dict(zip(("DISCORD_API_URL", "DISCORD_GATEWAY_URL"), addresses, strict=True))
    # The loopback Discord has few people, who do more than anybody could.
    variables |= {"USER_COMMANDS_PER_10S": "0", "CAMPAIGNS_PER_SERVER": "0"}
    bare = ("-m", "tests.bench.bare", *addresses, discord.token)
    running = await asyncio.create_subprocess_exec(
        bot.python,
        *(bare if bot.is_bare else ("-m", "bot")),
        env={**os.environ, **variables, **bot.variables},
        cwd=bot.folder,
    )
    try:
        await discord.ready()
        yield Running(psutil.Process(running.pid), discord)
    finally:
        if running.returncode is None:
            running.terminate()
        await running.wait()


@contextmanager
def database() -> Iterator[str]:
    """The address of a new database."""
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite+aiosqlite:///{Path(folder) / 'bench.db'}"


@contextmanager
def bots(last: str | None) -> Iterator[Sequence[Bot]]:
    """The bare bot, the one of another revision if there is one, and this one."""
    if last is None:
        yield (BARE, NOW)
        return
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder) / "last"
        git = ("git", "-C", str(ROOT), "worktree")
        subprocess.run([*git, "add", "--quiet", "--detach", str(there), last], check=True)
        try:
            # With what it needs itself, which may be more than is needed now.
            own = {**os.environ, "UV_PROJECT_ENVIRONMENT": str(there / "own"), "VIRTUAL_ENV": ""}
            uv = os.environ.get("UV") or shutil.which("uv") or "uv"
            extras = ("--all-extras", "--no-dev")
            subprocess.run([uv, "sync", "--quiet", "--locked", *extras], cwd=there, env=own, check=True)
            yield (BARE, Bot(last, there, python=str(there / "own" / "bin" / "python")), NOW)
        finally:
            subprocess.run([*git, "remove", "--force", str(there)], check=True)
