"""Several processes of the bot on one Discord, each serving some of its shards."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.loopback.driver import Loopback
from bot.loopback.model import Channel
from tests.bot.test_process import Program
from tests.patience import PATIENCE, until


def tables(loopback: Loopback) -> list[Channel]:
    """A channel in a server of each shard, in the order of the shards."""
    count = loopback.gateway.shards
    found: dict[int, Channel] = {}
    while len(found) < count:
        guild = loopback.guild(f"guild {len(loopback.world.guilds)}")
        found.setdefault((guild.id >> 22) % count, loopback.channel("table", guild=guild))
    return [found[shard] for shard in range(count)]


async def started(folder: Path, loopback: Loopback, **settings: str) -> Program:
    """A process that has begun; it may not be connected yet."""
    program = Program(folder, loopback, **settings)
    await program.start()
    return program


@asynccontextmanager
async def running(*programs: Program) -> AsyncIterator[None]:
    """Start processes one after the other; whatever a test does not end is killed."""
    begun: list[Program] = []
    try:
        for program in programs:
            await program.start()
            begun.append(program)
        yield
    finally:
        for program in begun:
            if program.process.returncode is None:
                program.process.kill()
            await program.process.communicate()


async def serves(loopback: Loopback, *shards: int, patience: float = PATIENCE) -> None:
    """Wait until exactly these shards are connected."""
    await until(lambda: loopback.gateway.served() == set(shards), limit=patience)
