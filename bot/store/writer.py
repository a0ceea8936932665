"""The only task that writes; pending changes are committed together."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from sqlalchemy import Executable, Insert, delete, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.clock import SYSTEM, Clock
from bot.metrics_hooks import NO_METRICS, MetricsHooks
from bot.store import schema
from bot.store.engine import begin, is_away, is_back, passes
from bot.store.history import Entry, Move

_LOST_RACES = {"40001", "40P01"}  # PostgreSQL: serialization failure, deadlock
_ENTRY: Insert = insert(schema.entry)


Work = Callable[[AsyncConnection], Awaitable[None]]
"""Reads and writes inside a transaction."""


class Overtaken(Exception):
    """Raised if another command wrote first: read again and retry."""


@dataclass(frozen=True, slots=True)
class Write:
    """A statement besides the entries, with its values.

    `must_hit` requires that it changes exactly one row.
    """

    statement: Executable
    must_hit: bool = False
    values: Mapping[str, Any] | None = None


@dataclass(slots=True, eq=False)
class PendingWrite:
    """The changes of one command. The future `written` is done on commit, or raises Overtaken.

    `last` is a function that reads and writes freely, after everything else in the same commit.
    """

    campaigns: frozenset[int]
    entries: list[dict[str, Any]] = field(default_factory=list)
    before: list[Write] = field(default_factory=list)
    after: list[Write] = field(default_factory=list)
    last: Work | None = None
    written: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def fail(self, error: Exception) -> None:
        """Tell the command that nothing was written."""
        self.written.set_exception(error)
        self.written.exception()  # nobody may be waiting any more: that is no fault


class Writer:
    """Commits changes in order, over a connection of its own.

    `forget` is called with changes that were not written, before their commands hear of it.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        forget: Callable[[Iterable[PendingWrite]], None],
        watch: MetricsHooks = NO_METRICS,
        clock: Clock = SYSTEM,
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._forget = forget
        self._watch = watch
        self._begin = begin(engine)
        self._connection: AsyncConnection | None = None
        self._waiting: asyncio.Queue[PendingWrite | None] = asyncio.Queue()
        self._is_closed = False
        self._task = asyncio.create_task(self._work(), name="ledger writer")

    @property
    def waiting(self) -> int:
        """The number of changes in the queue behind the current one."""
        return self._waiting.qsize()

    def put(self, change: PendingWrite) -> None:
        """Queue a change. Raises RuntimeError if the writer is closed."""
        if self._is_closed:
            raise RuntimeError("The ledger is closed.")
        self._waiting.put_nowait(change)

    async def close(self) -> None:
        """Write pending changes, then stop."""
        self._is_closed = True
        self._waiting.put_nowait(None)
        await self._task
        await self._drop_connection()

    async def _work(self) -> None:
        is_open = True
        while is_open:
            batch = [await self._waiting.get(), *self._drain()]
            changes = [change for change in batch if change]
            is_open = len(changes) == len(batch)
            if changes:
                await self._attempt(changes)

    async def _attempt(self, changes: list[PendingWrite]) -> bool:
        # One commit costs a wait for the disk, so what came meanwhile goes into one. A lost race is
        # everybody's: what was worked out is older than what somebody else wrote, so each command reads and
        # does it again. Where one statement is at fault, all are tried one by one, so that one person's
        # fault is not everybody's. A database that is away is away for all of them; where it comes back in
        # time nobody knows what it had written before, so each command looks, and does what is not done.
        began = self._clock.monotonic()
        try:
            await self._commit(changes)
        except Exception as error:  # every kind reaches the command that waits
            if _is_lost_race(error) or (passes(error) and await is_back(self._engine)):
                self._take_back(changes, Overtaken())
            elif len(changes) > 1 and not is_away(error):
                await self._attempt_singly(changes)
            else:
                self._take_back(changes, error)
            return False
        self._watch.committed(len(changes), self._clock.monotonic() - began)
        for change in changes:
            change.written.set_result(None)
        return True

    async def _attempt_singly(self, changes: list[PendingWrite]) -> None:
        """Find out which change cannot be written; those after it may build on it."""
        for place, change in enumerate(changes):
            if not await self._attempt([change]):
                self._take_back(changes[place + 1 :], Overtaken())
                return

    def _take_back(self, changes: list[PendingWrite], error: Exception) -> None:
        """Tell commands that nothing was written, and those queued meanwhile, which build on it."""
        built_on = self._drain_changes()
        self._forget([*changes, *built_on])
        for change in changes:
            change.fail(error)
        for change in built_on:
            change.fail(error if is_away(error) else Overtaken())

    async def _commit(self, changes: list[PendingWrite]) -> None:
        if self._connection is None:
            self._connection = await self._engine.connect()
        connection = self._connection
        entries = [entry for change in changes for entry in change.entries]
        before = [write for change in changes for write in change.before]
        after = [write for change in changes for write in change.after]
        works = [change.last for change in changes if change.last]
        is_lone = len([*entries, *before, *after]) == 1 and not works  # it commits by itself
        try:
            if not is_lone:
                await connection.exec_driver_sql(self._begin)
            await _run(connection, before)
            if entries:
                await connection.execute(_ENTRY, entries[0] if is_lone else entries)
            await _run(connection, after)
            for work in works:
                await work(connection)
            if not is_lone:
                await connection.exec_driver_sql("COMMIT")
        except TimeoutError:  # the server says nothing any more
            await self._drop_connection()
            raise
        except Exception:
            await self._roll_back(connection, is_begun=not is_lone)
            raise

    async def _roll_back(self, connection: AsyncConnection, *, is_begun: bool) -> None:
        try:
            if is_begun and not connection.invalidated:
                await connection.exec_driver_sql("ROLLBACK")
        except (DBAPIError, OSError):  # a transaction ends with its connection, too
            await connection.invalidate()
        if connection.invalidated:
            await self._drop_connection()

    async def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.invalidate()
            await connection.close()

    def _drain(self) -> list[PendingWrite | None]:
        return [self._waiting.get_nowait() for _ in range(self._waiting.qsize())]

    def _drain_changes(self) -> list[PendingWrite]:
        drained = self._drain()
        if None in drained:  # closing: the word stays in the queue
            self._waiting.put_nowait(None)
        return [change for change in drained if change]


async def _run(connection: AsyncConnection, writes: list[Write]) -> None:
    """Run statements in their order, the same one with different values in one go."""
    for (statement, must_hit), some in groupby(writes, lambda write: (write.statement, write.must_hit)):
        values = [write.values for write in some if write.values]
        done = await connection.execute(statement, values or None)
        if must_hit and done.rowcount != 1:
            raise Overtaken


def _is_lost_race(error: Exception) -> bool:
    if isinstance(error, DBAPIError):
        state = getattr(error.orig, "sqlstate", None)
        # The primary key is the lock: an entry with that number is there already.
        return isinstance(error, IntegrityError) or error.connection_invalidated or state in _LOST_RACES
    return isinstance(error, Overtaken)


KEPT = 6_000
"""How many of a campaign's last entries keep their states, at least: 60 sessions of 100 steps."""
_OLDEST = schema.entry.alias("oldest")


def row_of(entry: Entry, interaction: int, base: int, state: bytes) -> dict[str, Any]:
    """Return the row of an entry, with its state packed against the keyframe `base`."""
    step = entry.step
    return {
        "campaign_id": entry.campaign,
        "number": step.number,
        "actor_id": step.author.id,
        "actor_name": step.author.name,
        "at": step.at,
        "facts": step.written,
        "position": step.position,
        "parent": step.parent,
        "tip": step.tip,
        "undoes": step.undoes,
        "redoes": step.redoes,
        "interaction_id": interaction or None,
        "base": base,
        "state": state,
        "moves": [[move.channel, move.source, move.target] for move in step.moves] or None,
        "secret": step.secret,
    }


def found_statement(entry: Entry, guild: int) -> Any:
    """Return the statement that creates a campaign."""
    return insert(schema.campaign).values(
        id=entry.campaign,
        guild_id=guild,
        name=entry.table.name,
        archived=entry.table.archived,
        created_at=entry.at,
        rolls_only=entry.rolls_only,
    )


def rename_statement(entry: Entry) -> Any:
    """Return the statement that updates a campaign's name and whether it is archived."""
    ours = schema.campaign.c.id == entry.campaign
    return update(schema.campaign).where(ours).values(name=entry.table.name, archived=entry.table.archived)


def delete_statement(entry: Entry) -> Any:
    """Return the statement that marks a campaign as deleted or restored."""
    ours = schema.campaign.c.id == entry.campaign
    at, by = (entry.at, entry.author.id) if entry.deleted else (None, None)
    return update(schema.campaign).where(ours).values(deleted_at=at, deleted_by=by)


def begin_statement(entry: Entry) -> Any:
    """Return the statement that turns a place with mere rolls into a campaign."""
    ours = schema.campaign.c.id == entry.campaign
    return update(schema.campaign).where(ours).values(rolls_only=entry.rolls_only)


def prune_statement(entry: Entry) -> Any:
    """Return the statement that drops states which neither recent entries nor their packing need."""
    columns = schema.entry.c
    base = select(_OLDEST.c.base).where(
        _OLDEST.c.campaign_id == entry.campaign, _OLDEST.c.number == entry.number - KEPT + 1
    )
    unneeded = (columns.number < base.scalar_subquery(), columns.state.is_not(None))
    return update(schema.entry).where(columns.campaign_id == entry.campaign, *unneeded).values(state=None)


def bind_statement(move: Move) -> Write:
    """Return the statement that binds a channel to a campaign."""
    columns = schema.channel.c
    if move.source is None:
        return Write(insert(schema.channel).values(channel_id=move.channel, campaign_id=move.target))
    old = (columns.channel_id == move.channel, columns.campaign_id == move.source)
    if move.target is None:
        return Write(delete(schema.channel).where(*old), must_hit=True)
    return Write(update(schema.channel).where(*old).values(campaign_id=move.target), must_hit=True)
