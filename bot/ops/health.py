"""The health page, and a limit on its connections."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import structlog
from aiohttp import web

from bot.clock import SYSTEM, Clock
from bot.metrics_hooks import NO_METRICS, MetricsHooks

if TYPE_CHECKING:
    from bot.doomkeeper import Doomkeeper
    from bot.ops.metrics import Metrics, Snapshot
    from bot.store.ledger import Ledger


log = structlog.get_logger(__name__)

BEAT = 1.0
"""Seconds between two looks at how late the event loop is."""
LAG = 5.0
"""Seconds of lag from which on the bot is not alive."""
PATIENCE = 2.0
"""Seconds that the database has to answer."""
STAY = 10.0
"""Seconds that a connection may be silent, or take over one request."""
MOST = 32
"""So many connections are open at a time: each takes one of the files that the process may have open."""


class PortTaken(Exception):
    """Raised if the port is not available; its text is one line."""


class Health:
    """Serves `/live` and `/ready`, and `/metrics` if the extra is installed."""

    def __init__(self, clock: Clock = SYSTEM) -> None:
        self._clock = clock
        self.bot: Doomkeeper | None = None
        self.ledger: Ledger | None = None
        self.lag = 0.0
        self._jobs: int | None = None
        self._metrics = _metrics()
        if self._metrics is not None:
            self._metrics.look_at(self._state)

    @property
    def watch(self) -> MetricsHooks:
        """The object that counts events."""
        return self._metrics or NO_METRICS

    def routes(self) -> list[web.RouteDef]:
        """Return the HTTP routes."""
        return [
            web.get("/live", self._live),
            web.get("/ready", self._ready),
            web.get("/metrics", self._figures),
        ]

    async def beat(self) -> None:
        """Measure the lag of the event loop, until cancelled."""
        while True:
            due = self._clock.monotonic() + BEAT
            await self._clock.sleep(BEAT)
            self.lag = max(0.0, self._clock.monotonic() - due)

    async def _live(self, _: web.Request) -> web.Response:
        is_alive = self.lag < LAG
        return _said(is_alive, "alive" if is_alive else f"the event loop was {self.lag:.1f} s late")

    async def _ready(self, _: web.Request) -> web.Response:
        missing = await self._missing()
        late = self.bot.late_shards if self.bot else {}
        others = "".join(f"; shard {shard} is late by {late[shard]:.0f} s" for shard in sorted(late))
        return _said(not missing, f"{missing or 'ready'}{others}")

    async def _missing(self) -> str:
        """What is not there yet; empty where everything is."""
        if self.bot is None or self.ledger is None or not (self.bot.is_ready() or self.bot.is_in_reserve):
            return "not connected to Discord yet"
        away = [str(number) for number, latency in self.bot.latency_of_shards().items() if latency is None]
        if away:
            return f"shards not connected: {', '.join(away)}"
        if self.bot.silence:
            return f"late by {self.bot.silence:.0f} s"
        try:
            async with self._clock.timeout(PATIENCE):
                await self.ledger.ping()
        except Exception as error:  # of whatever kind: it is not ready
            return f"the database does not answer: {type(error).__name__}"
        return ""

    async def _figures(self, _: web.Request) -> web.Response:
        if self._metrics is None:
            return _said(False, "install the extra metrics: uv sync --inexact --extra metrics", 404)
        from bot.ops.metrics import TYPE

        self._jobs = await self._waiting()
        return web.Response(body=self._metrics.written(), headers={"Content-Type": TYPE})

    async def _waiting(self) -> int | None:
        """How many jobs wait; None where the database does not say."""
        if self.bot is None or self.ledger is None or self.bot.is_closed():
            return None
        try:
            async with self._clock.timeout(PATIENCE):
                return await self.ledger.jobs.count()
        except Exception as error:
            log.debug("jobs not counted", reason=type(error).__name__)
            return None

    def _state(self) -> "Snapshot | None":
        from bot.ops.metrics import Snapshot

        if self.bot is None or self.ledger is None:
            return None
        held = self.ledger.held()
        return Snapshot(
            shards=self.bot.latency_of_shards(),
            servers=len(self.bot.guilds),
            campaigns=held.campaigns,
            cached=held.bytes,
            writes=held.writes,
            lag=self.lag,
            free=self.bot.free_shards,
            late=len(self.bot.late_shards),
            jobs=self._jobs,
            copied=self.bot.keeper.copied,
            copy_period=self.bot.keeper.period,
        )


class ConnectionLimit:
    """Limits the connections: a new one beyond the limit closes the oldest, answered or not."""

    def __init__(self, server: web.Server) -> None:
        self._server = server

    def __call__(self) -> web.RequestHandler:
        """Let somebody in."""
        lines = [each.transport for each in self._server.connections]
        staying = [line for line in lines if line is not None and not line.is_closing()]
        for line in staying[: max(0, len(staying) + 1 - MOST)]:
            line.abort()
        return self._server()


@asynccontextmanager
async def answering(health: Health, host: str, port: int) -> AsyncIterator[int]:
    """Serve at that address while the context lasts; yields the port. Raises PortTaken if it is in use."""
    application = web.Application()
    application.add_routes(health.routes())
    runner = web.AppRunner(application, access_log=None, keepalive_timeout=STAY, shutdown_timeout=PATIENCE)
    await runner.setup()
    assert runner.server is not None
    beating = asyncio.create_task(health.beat(), name="health beat")
    try:
        loop = asyncio.get_running_loop()
        try:
            # Not by a site of aiohttp's: that closes who is silent, but lets in as many as come.
            listening = await loop.create_server(ConnectionLimit(runner.server), host, port)
        except OSError as error:
            raise PortTaken(f"HEALTH_PORT: cannot listen on {host}:{port}: {error.strerror}.") from None
        try:
            yield listening.sockets[0].getsockname()[1]
        finally:
            listening.close()
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating
        await runner.cleanup()


def _said(is_well: bool, words: str, otherwise: int = 503) -> web.Response:
    return web.Response(text=f"{words}\n", status=200 if is_well else otherwise)


def _metrics() -> "Metrics | None":
    """What counts, where the extra is installed."""
    try:
        from bot.ops.metrics import Metrics
    except ModuleNotFoundError:
        return None
    return Metrics()
