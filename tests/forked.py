"""The program in a process of its own that need not load it: loading takes most of the time of a start."""

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from bot.__main__ import main

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["bot.ops.serve", "bot.ops.check", "bot.loopback.terminal", "alembic.command"])


class Forked:
    """Something done in a process of its own, as `asyncio.create_subprocess_exec` gives one."""

    def __init__(self, does: Callable[[], int | None], folder: Path, environment: Mapping[str, str]) -> None:
        self._reading, writing = _FORKS.Pipe(duplex=False)
        self._process = _FORKS.Process(target=_run, args=(does, folder, dict(environment), writing))
        self._process.start()
        writing.close()
        self.pid = self._process.pid or 0
        self.stdout = asyncio.StreamReader()
        self._ended = asyncio.Event()

    async def listen(self) -> None:
        """Read what it prints, and hear when it ends."""
        loop = asyncio.get_running_loop()
        printed = os.fdopen(os.dup(self._reading.fileno()), "rb", 0)
        self._reading.close()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(self.stdout), printed)
        loop.add_reader(self._process.sentinel, self._end)

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._process.sentinel)
        self._process.join()
        self._ended.set()

    @property
    def returncode(self) -> int | None:
        """How it has ended: None while it runs, and below 0 the signal that has killed it."""
        return self._process.exitcode

    def send_signal(self, sign: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.returncode is None:
            os.kill(self.pid, sign)

    def terminate(self) -> None:
        """Tell it to stop."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    async def wait(self) -> int | None:
        """Wait until it ends: how."""
        await self._ended.wait()
        return self.returncode

    async def communicate(self) -> tuple[bytes, None]:
        """Wait until it ends: all that it has printed."""
        printed = await self.stdout.read()
        await self.wait()
        return printed, None


async def forked(
    words: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    before: Callable[[], None] | None = None,
) -> Forked:
    """The program, begun in a folder with these words and settings alone; what it prints is read.

    Something may be done in the process `before` it begins.
    """
    return await forked_to(partial(_begin, words, before), folder, environment)


async def forked_to(does: Callable[[], int | None], folder: Path, environment: Mapping[str, str]) -> Forked:
    """The same for whatever can be sent to another process."""
    process = Forked(does, folder, environment)
    await process.listen()
    return process


def is_loaded(module: str) -> int:
    """1 if a module is loaded once the bot is, else 0: an exit code of another process."""
    return module in sys.modules


def _begin(words: Sequence[str], before: Callable[[], None] | None) -> int:
    if before is not None:
        before()
    return main(words)


def _run(
    does: Callable[[], int | None], folder: Path, environment: Mapping[str, str], printing: Connection
) -> None:
    for stream in (1, 2):
        os.dup2(printing.fileno(), stream)
    printing.close()
    sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.exit(does())
