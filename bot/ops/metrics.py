"""Prometheus metrics."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from bot import VERSION
from bot.metrics_hooks import MetricsHooks

if TYPE_CHECKING:
    from prometheus_client.core import Metric


TYPE = CONTENT_TYPE_LATEST
"""The content type of what `Metrics.written` gives."""
ANSWERS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 10.0)
COMMITS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
CHANGES = (1, 2, 5, 10, 20, 50, 100, 200)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The current state: values that are looked up rather than counted.

    `shards` holds latencies in seconds, None if not connected; `jobs` is the number of pending jobs, None if
    the database is unavailable; `free` is the number of shards without a process, and `late` of those whose
    process doesn't respond. `copied` is the time of the
    last automatic backup and `copy_period` the interval; zero if there are none.
    """

    shards: dict[int, float | None]
    servers: int
    campaigns: int
    cached: int
    writes: int
    lag: float
    copied: datetime | None = None
    copy_period: timedelta = timedelta()
    free: int = 0
    late: int = 0
    jobs: int | None = None


class Metrics(MetricsHooks):
    """Counters for events; the guide describes their names."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # nobody asks when a figure began
        self.registry = CollectorRegistry()
        count, spread = self._counter, self._histogram
        self._over = count("interactions", "Interactions by outcome", "kind", "command", "outcome")
        self._answered = spread(
            "answer_seconds", "Time until Discord received the first answer", ANSWERS, "kind"
        )
        self._deferred = count("answers_deferred", "Answers that were deferred")
        self._commits = spread("commit_seconds", "Duration of a commit", COMMITS)
        self._changes = spread("commit_changes", "Changes written in one commit", CHANGES)
        self._overtaken = count("overtaken", "Tables read again because another process changed them")
        self._busy = count("busy", "Commands given up after repeated conflicts with other processes")
        self._faults = count("faults", "Interactions that failed with an unexpected error")
        self._away = count("database_away", "Interactions that failed because the database was unavailable")
        self._unreadable = count("states_unreadable", "Reads of a damaged state")
        self._pins = count("pins", "Edits of pinned tables", "outcome")
        self._requests = count("discord_requests", "Responses of Discord's REST API", "method", "status")
        self._queued = Gauge(
            "doomkeeper_discord_requests_waiting",
            "Requests to Discord that wait for a free connection.",
            registry=self.registry,
        )
        ProcessCollector(registry=self.registry)

    def look_at(self, state: Callable[[], Snapshot | None]) -> None:
        """Include the current state in every scrape."""
        self.registry.register(_Looking(state))

    def written(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return generate_latest(self.registry)

    def done(self, kind: str, command: str, outcome: str, answered: float | None) -> None:
        self._over.labels(kind, command, outcome).inc()
        if outcome == "failed":  # what has labels is not there before it happens, so no alert sees the first
            self._faults.inc()
        elif outcome == "away":
            self._away.inc()
        if answered is not None:
            self._answered.labels(kind).observe(answered)

    def deferred(self) -> None:
        self._deferred.inc()

    def committed(self, changes: int, seconds: float) -> None:
        self._commits.observe(seconds)
        self._changes.observe(changes)

    def overtaken(self) -> None:
        self._overtaken.inc()

    def busy(self) -> None:
        self._busy.inc()

    def unreadable(self) -> None:
        self._unreadable.inc()

    def pinned(self, *, is_refreshed: bool) -> None:
        self._pins.labels("refreshed" if is_refreshed else "failed").inc()

    def requested(self, method: str, status: int) -> None:
        self._requests.labels(method, str(status) if status else "cut").inc()

    def queued(self, waiting: int) -> None:
        self._queued.set(waiting)

    def _counter(self, name: str, about: str, *labels: str) -> Counter:
        return Counter(f"doomkeeper_{name}", f"{about}.", labels, registry=self.registry)

    def _histogram(self, name: str, about: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(f"doomkeeper_{name}", f"{about}.", labels, buckets=buckets, registry=self.registry)


class _Looking:
    """Asks for the state at each scrape."""

    def __init__(self, state: Callable[[], Snapshot | None]) -> None:
        self._state = state

    def collect(self) -> "Iterator[Metric]":
        """Yield the current values; only the version while no bot runs yet."""
        yield _gauge("info", "Always 1, with the version.", 1, version=VERSION)
        state = self._state()
        if state is None:
            return
        up = GaugeMetricFamily(
            "doomkeeper_shard_up", "1 if the shard is connected, else 0.", labels=["shard"]
        )
        latency = GaugeMetricFamily(
            "doomkeeper_shard_latency_seconds",
            "Time between a heartbeat and its acknowledgement.",
            labels=["shard"],
        )
        for number, seconds in state.shards.items():
            up.add_metric([str(number)], 0.0 if seconds is None else 1.0)
            if seconds is not None:
                latency.add_metric([str(number)], seconds)
        yield from (up, latency)
        yield _gauge("shards", "Shards of this process.", len(state.shards))
        yield _gauge("shards_free", "Shards that no process serves.", state.free)
        yield _gauge("shards_late", "Shards of other processes that don't respond.", state.late)
        yield _gauge("servers", "Servers that this process serves.", state.servers)
        yield _gauge("campaigns_cached", "Campaigns in the cache.", state.campaigns)
        yield _gauge("cache_bytes", "Approximate size of the cache.", state.cached)
        yield _gauge("writes_waiting", "Changes waiting to be written.", state.writes)
        yield _gauge("loop_lag_seconds", "Last measured delay of the event loop.", state.lag)
        if state.copied is not None and state.copy_period:
            made = state.copied.timestamp()
            yield _gauge("copied_timestamp_seconds", "Time of the last automatic backup.", made)
            seconds = state.copy_period.total_seconds()
            yield _gauge("copy_period_seconds", "Interval between automatic backups.", seconds)
        if state.jobs is not None:
            yield _gauge("jobs_waiting", "Scheduled jobs.", state.jobs)


def _gauge(name: str, about: str, value: float, **labels: str) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"doomkeeper_{name}", about, labels=list(labels))
    family.add_metric(list(labels.values()), value)
    return family
