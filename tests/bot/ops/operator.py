"""An operator at the command line."""

import asyncio
import os
import resource
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.ops import logs
from tests.forked import forked
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]

Typing = Callable[..., tuple[int, str]]
"""Types a command, within this process: the exit code, and all that is printed."""


async def typed(*words: str, **settings: str) -> tuple[int | None, str]:
    """Type a command, for a process of its own: its exit code, and all that is printed."""
    return await _typed(words, settings)


async def cramped(*words: str, **settings: str) -> tuple[int | None, str]:
    """The same where there is no room for a file of more than 20 kB, as on a full disk."""
    return await _typed(words, settings, partial(resource.setrlimit, resource.RLIMIT_FSIZE, (20_000, 20_000)))


async def _typed(
    words: Sequence[str], settings: Mapping[str, str], before: Callable[[], None] | None = None
) -> tuple[int | None, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment = {**kept, "PYTHONPATH": str(ROOT), **settings}
    process = await forked(words, Path.cwd(), environment, before)
    async with asyncio.timeout(PATIENCE):
        printed, _ = await process.communicate()
    assert "Traceback" not in printed.decode(), printed.decode()
    return process.returncode, printed.decode().strip()


async def aside(types: Typing, *words: str, **settings: str) -> tuple[int, str]:
    """Type a command within this process, while its loop goes on: a Discord of ours is on it."""
    return await asyncio.to_thread(types, *words, **settings)


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typing:
    """Types commands within this process."""
    monkeypatch.setattr(logs, "set_up", lambda *_: None)

    def type_(*words: str, **settings: str) -> tuple[int, str]:
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        code = main(words)
        told = capsys.readouterr()
        return code, (told.out + told.err).strip()

    return type_
