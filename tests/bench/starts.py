"""How long it is from the start of a process to its first answer, with and without bytecode."""

import statistics
import tempfile
import time

from bot.loopback.driver import Loopback
from rules.values import replace
from tests.bench.bots import BARE, NOW, Bot, database, serving


async def count_starts(tries: int = 5) -> None:
    """Print the medians of some starts."""
    with tempfile.TemporaryDirectory() as folder, database() as url:
        kept = {"PYTHONPYCACHEPREFIX": f"{folder}/kept", "PYTHONDONTWRITEBYTECODE": ""}
        never = {"PYTHONPYCACHEPREFIX": f"{folder}/none", "PYTHONDONTWRITEBYTECODE": "1"}
        for what, bot, variables in (
            ("bare bot, with bytecode", BARE, kept),
            ("with bytecode", NOW, kept),
            ("without bytecode", NOW, never),
        ):
            started = replace(bot, variables=variables)
            await start(started, url)  # writes the bytecode, and registers the commands
            spent = [await start(started, url) for _ in range(tries)]
            seconds, cpu = (statistics.median(each) for each in zip(*spent, strict=True))
            print(f"start to first answer, {what:<24} {seconds:>6.2f} s, CPU {cpu:.2f} s")


async def start(bot: Bot, url: str) -> tuple[float, float]:
    """Seconds from the start of a bot's process to its first answer, and seconds of CPU."""
    async with Loopback() as discord_:
        begun = time.perf_counter()
        async with serving(bot, discord_, url) as running:
            reply = await discord_.person("gm").slash("/pong" if bot.is_bare else "/about")
            assert reply.failed is None, reply.failed
            return time.perf_counter() - begun, running.cpu
