"""Record an entry: prepare it, queue it, and retry if another one was faster."""

import asyncio
import random
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.clock import SYSTEM, Clock
from bot.metrics_hooks import NO_METRICS, MetricsHooks
from bot.store import codec, schema
from bot.store.engine import is_sqlite
from bot.store.history import Author, Draft, Entry, LogStep, Move, NamedCampaign, Place, Sight
from bot.store.reader import LIMIT, Binding, EntryCache, Newest, Reader, seats, size_of
from bot.store.writer import (
    KEPT,
    Overtaken,
    PendingWrite,
    Work,
    Write,
    Writer,
    begin_statement,
    bind_statement,
    delete_statement,
    found_statement,
    prune_statement,
    rename_statement,
    row_of,
)
from rules.errors import RuleError, TableGone
from rules.facts import Fate, Moved
from rules.terms import later
from rules.values import replace

KEYFRAME_EVERY = 16
"""How many states of a campaign are packed against one keyframe, itself among them."""
_TRIES = 20
_RECENT = 256


class Busy(Exception):
    """Raised if a table was changed by others at every attempt to change it."""


@dataclass(frozen=True, slots=True)
class Recording:
    """The entries that a command wants to record; the first one is its answer.

    An entry with number 1 creates its campaign, on the server `guild`. The writes `beside` are committed in
    the same transaction.
    """

    entries: tuple[Entry, ...]
    moves: tuple[Move, ...] = ()
    guild: int = 0
    beside: tuple[Write, ...] = ()


class Recorder:
    """Records entries, and caches the newest tables that they are based on.

    If `is_alone`, no other process writes to the database, so the cache is always valid. Otherwise the
    database is asked whether it still is.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        cache: int = LIMIT,
        *,
        is_alone: bool = False,
        watch: MetricsHooks = NO_METRICS,
        clock: Clock = SYSTEM,
    ) -> None:
        self.clock = clock
        self._is_alone = is_alone
        self._watch = watch
        self.moves = 0
        """How often channels have moved from one campaign to another, or pins from one channel to another."""
        self.reader = Reader(engine, watch)
        self.memory = EntryCache(cache)
        self._recent: OrderedDict[int, asyncio.Future[Entry | None]] = OrderedDict()
        self._reads: dict[int, set[int]] = {}
        self.writer = Writer(engine, self._forget, watch, clock)
        self.insert = _insert_of(engine)
        """The database's own INSERT, which knows what is there already."""
        self.beside: dict[int, Callable[[PendingWrite], None]] = {}
        """By campaign, what is called with the change of its next step, and may add writes to it."""

    async def close(self) -> None:
        """Write pending changes, then stop."""
        await self.writer.close()

    async def at(self, place: Place) -> tuple[Binding, Newest] | None:
        """Return the binding of a place and its newest entry, perhaps still being written; None for none.

        A cached entry is returned even if another process may have written a newer one.
        """
        while True:
            if (seat := self.memory.seat(place.channel)) and (known := self.memory.newest(seat.campaign)):
                return seat, known
            if found := await self._read(place):
                if known := self.memory.newest(found[0].campaign):
                    await known.settle()
                continue
            if not (seat := self.memory.seat(place.channel) or self.memory.seat(place.parent)):
                return None
            if known := self.memory.newest(seat.campaign):
                await known.settle()
            self.memory.forget(seat.campaign)

    async def of(self, campaign: int) -> Newest | None:
        """Return the newest entry of a campaign, perhaps uncommitted or out of date; None for none."""
        newest = self.memory.newest(campaign) or await self.seen_of(campaign)
        return None if newest is None or newest.entry.deleted else newest

    async def named(
        self, where: NamedCampaign, newest: Callable[[int], Awaitable[Newest | None]]
    ) -> Newest | None:
        """Return the newest entry of a named campaign, as `newest` finds it; None if it may not be used here.

        From other places of its server, only people who see one of its channels and its GMs may use it.
        Direct messages all have server 0, so there it must be the campaign of this very place.
        """
        here = await self.at(where.place)  # first: what this reads is not read again
        found = await newest(where.campaign)
        if found is None or found.entry.deleted or found.guild != where.place.guild:
            return None
        if here and found.entry.number != here[1].entry.number:  # somebody else wrote, and may have moved it
            here = await self.at(where.place)
        if here and here[0].campaign == where.campaign:
            return found
        return found if found.guild and await self._is_seen(found, where.sight) else None

    async def _is_seen(self, found: Newest, sight: Sight | None) -> bool:
        """Whether somebody elsewhere may look at a campaign."""
        if sight is None:
            return False
        is_led = found.people.get(sight.person, False)
        return is_led or await sight.ask(await self.reader.places(found.entry.campaign))

    async def seen(self, place: Place) -> tuple[Binding, Newest] | None:
        """Return the binding of a place and its newest entry, checked against the database; None for none."""
        seat = self.memory.seat(place.channel)
        known = self.memory.newest(seat.campaign) if seat else None
        if (seat and known and await known.settle()) and (
            self._is_alone or await self.reader.seat_and_number(place) == (seat, known.entry.number)
        ):
            return seat, known
        return await self._read(place)

    async def seen_of(self, campaign: int) -> Newest | None:
        """Return the newest entry of a campaign, checked against the database; None for none.

        Includes deleted campaigns.
        """
        known = self.memory.newest(campaign)
        if (known and await known.settle()) and (
            self._is_alone or await self.reader.number(campaign) == known.entry.number
        ):
            return known
        with self._reading() as changed:
            read = await self.reader.newest(campaign)
        if read is None:
            self.memory.forget(campaign)
        elif campaign not in changed:
            self.memory.take_in(read)
        return read

    @contextmanager
    def _reading(self) -> Iterator[set[int]]:
        """The campaigns that change while something is read: what was read of them may be old already."""
        changed: set[int] = set()
        self._reads[id(changed)] = changed
        try:
            yield changed
        finally:
            del self._reads[id(changed)]

    async def _read(self, place: Place) -> tuple[Binding, Newest] | None:
        with self._reading() as changed:
            found = await self.reader.seated(place)
        if found is not None:
            seat, read = found
            is_new = read.entry.campaign not in changed and self.memory.take_in(read)
            if is_new and self.memory.seat(place.channel) is None:
                self.memory.sit(place.channel, seat)
                self.memory.sit(seat.channel, seat)
        return found

    async def record(self, interaction: int, prepare: Callable[[], Awaitable[Recording]]) -> Entry:
        """Prepare and write entries, again if another command was faster; once per interaction except 0.

        Raises what `prepare` raises; Busy after too many attempts.
        """
        while earlier := self._recent.get(interaction):
            # Shielded: who is cancelled while waiting must not cancel what all others wait for.
            if made := await asyncio.shield(earlier):
                return replace(made, repeated=True)
        if not interaction:
            return await self._record(interaction, prepare)
        future = self._recent[interaction] = asyncio.get_running_loop().create_future()
        if len(self._recent) > _RECENT:
            self._recent.popitem(last=False)
        entry = None
        try:
            entry = await self._record(interaction, prepare)
            return entry
        finally:
            future.set_result(entry)
            if entry is None:
                self._recent.pop(interaction, None)

    async def _record(self, interaction: int, prepare: Callable[[], Awaitable[Recording]]) -> Entry:
        for attempt in range(_TRIES):
            try:
                if attempt:
                    # At another moment than those who lost the same race.
                    await self.clock.sleep(random.uniform(0, 0.01 * attempt))
                    # Where the line broke after the commit, it is there already.
                    if made := await self._made_by(interaction):
                        return made
                plan = await prepare()
                # What is queued is written, also if nobody waits any more: the writer still sets this future.
                await asyncio.shield(self._put(plan, interaction))
            except Overtaken:
                self._watch.overtaken()
                continue
            # It may be refused because it is done already: while shards change hands two processes
            # hear the same.
            except RuleError:
                if made := await self._made_by(interaction):
                    return made
                raise
            return plan.entries[0]
        self._watch.busy()
        raise Busy("Too many people change this table at the same moment; please try again.")

    async def _made_by(self, interaction: int) -> Entry | None:
        made = await self.reader.made_by(interaction) if interaction else None
        return made and replace(made, repeated=True)

    async def write(self, *statements: Any, campaign: int | None = None, last: Work | None = None) -> None:
        """Run statements that add no entry, then `last`; drops `campaign` from the cache.

        Raises Busy after too many attempts.
        """
        for _ in range(_TRIES):
            change = PendingWrite(frozenset() if campaign is None else frozenset({campaign}), last=last)
            change.after = [one if isinstance(one, Write) else Write(one) for one in statements]
            self.writer.put(change)
            try:
                # Whoever stops waiting cancels nothing that the writer is at.
                await asyncio.shield(change.written)
            except Overtaken:
                self._watch.overtaken()
                continue
            self._forget([change])
            return
        self._watch.busy()
        raise Busy("The database is changed too often at the same moment; please try again.")

    def _put(self, plan: Recording, interaction: int) -> asyncio.Future[None]:
        """Queue a plan that was made on the newest known entries. Raises Overtaken if it was not."""
        for entry in plan.entries:
            known = self.memory.newest(entry.campaign)
            if entry.number != (known.entry.number + 1 if known else 1):
                raise Overtaken
        change = PendingWrite(frozenset(entry.campaign for entry in plan.entries), after=[*plan.beside])
        for campaign in change.campaigns & self.beside.keys():
            self.beside[campaign](change)
        self._note(change)
        try:
            for entry in plan.entries:
                self._add(change, entry, interaction if entry is plan.entries[0] else 0, plan.guild)
            self._move(change, plan)
            self.writer.put(change)
        except Exception:
            self._forget([change])
            raise
        return change.written

    def _move(self, change: PendingWrite, plan: Recording) -> None:
        if plan.moves:
            change.written.add_done_callback(self._count_move)
            for entry in plan.entries:
                self.memory.leave(entry.campaign)
        for move in plan.moves:
            change.before.append(bind_statement(move))
            if move.target is not None:
                self.memory.sit(move.channel, Binding(move.target, move.channel))

    def _count_move(self, _: object) -> None:
        self.moves += 1

    def _add(self, change: PendingWrite, entry: Entry, interaction: int, guild: int) -> None:
        known = self.memory.newest(entry.campaign)
        table, guild = entry.table, known.guild if known else guild
        if known is None:
            change.before.append(Write(found_statement(entry, guild)))
        elif (known.entry.table.name, known.entry.table.archived) != (table.name, table.archived):
            change.after.append(Write(rename_statement(entry)))
        if known is not None and known.entry.deleted != entry.deleted:
            change.after.append(Write(delete_statement(entry)))
        if known is not None and known.entry.rolls_only != entry.rolls_only:
            change.after.append(Write(begin_statement(entry)))
        people = self._learn(change, entry, known)
        text = codec.write(table)
        if known is None or known.key is None or entry.number - known.base >= KEYFRAME_EVERY:
            base, key, state = entry.number, text, codec.pack(text)
            # Seldom enough: what can go begins and ends with keyframes.
            if entry.number > KEPT:
                change.after.append(Write(prune_statement(entry)))
        else:
            base, key, state = known.base, known.key, codec.pack(text, known.key)
        size = size_of(table, text, key)
        previous = known.entry if known and known.entry.step.is_play else None
        newest = Newest(entry, base, key, guild, people, size, change.written, previous)
        change.entries.append(row_of(entry, interaction, newest.base, state))
        self.memory.advance(newest)

    def _learn(self, change: PendingWrite, entry: Entry, known: Newest | None) -> Mapping[int, bool]:
        """Note in the database whom the campaign knows from now on."""
        before = known.people if known else {}
        now = {**dict.fromkeys(before, False), entry.author.id: False, **seats(entry.table)}
        fresh = {who: is_gm for who, is_gm in now.items() if who and before.get(who) != is_gm}
        if fresh:
            rows = [
                {"campaign_id": entry.campaign, "player_id": who, "is_gm": is_gm}
                for who, is_gm in fresh.items()
            ]
            new = self.insert(schema.person).values(rows)
            values = {"index_elements": ["campaign_id", "player_id"], "set_": {"is_gm": new.excluded.is_gm}}
            change.after.append(Write(new.on_conflict_do_update(**values)))
        return {who: is_gm for who, is_gm in now.items() if who}

    def _note(self, change: PendingWrite) -> None:
        """Let whoever reads now know that these campaigns change meanwhile."""
        for changed in self._reads.values():
            changed |= change.campaigns

    def _forget(self, changes: Iterable[PendingWrite]) -> None:
        for change in changes:
            self._note(change)
            for campaign in change.campaigns:
                self.memory.forget(campaign)


def _insert_of(engine: AsyncEngine) -> Any:
    """The database's own INSERT, which knows what is there already; the other's is not even imported."""
    if is_sqlite(engine):
        from sqlalchemy.dialects.sqlite import insert as upsert
    else:
        from sqlalchemy.dialects.postgresql import insert as upsert  # type: ignore[assignment]
    return upsert


def plan_campaign(
    place: Place, seat: Binding | None, newest: Newest | None, author: Author, draft: Draft, *, at: datetime
) -> Recording:
    """Return the entry that starts a campaign for a channel, or for the channel of a thread."""
    channel = seat.channel if seat else place.parent or place.channel
    return plan_first_entry(
        replace(place, channel=channel), seat, newest, author, draft, at=at, archives=False
    )


def plan_first_entry(
    place: Place,
    seat: Binding | None,
    newest: Newest | None,
    author: Author,
    draft: Draft,
    *,
    at: datetime,
    archives: bool,
) -> Recording:
    """Return the entry that starts a new campaign at a place, replacing the one that it showed."""
    campaign = secrets.randbits(40)
    moves = (Move(place.channel, seat.campaign, campaign),) if seat else ()
    step = LogStep(
        1,
        author,
        at,
        codec.write_facts(draft.facts),
        position=1,
        parent=0,
        tip=1,
        moves=moves,
    )
    entry = Entry(campaign, step, replace(draft.table, number=1), rolls_only=draft.rolls_only)
    if not seat:
        return Recording((entry,), (Move(place.channel, None, campaign),), place.guild)
    plan = plan_move(entry, seat, newest, Fate.REPLACED, archives=archives)
    return replace(plan, guild=place.guild)


def plan_move(
    entry: Entry, seat: Binding | None, old: Newest | None, fate: Fate, *, archives: bool = False
) -> Recording:
    """Return an entry that moves a channel, and a second one that tells it in the campaign that it leaves."""
    (move,) = entry.step.moves
    if seat is None or old is None:
        return Recording((entry,), (move,))
    table = replace(old.entry.table, archived=old.entry.table.archived or archives)
    gone = Draft(table, (Moved(table.name, fate),), rolls_only=True)
    # The campaign that it leaves has an entry of it too: there it is told, and met by whoever acts on an
    # old table.
    left = old.entry.then(entry.author, entry.at, gone, entry.step.moves)
    is_own = seat.channel == move.channel
    return Recording((entry, left), (move if is_own else replace(move, source=None),))


GONE = later(
    "That's out of date: the table was deleted, or isn't in this channel any more. To see this "
    "channel's table: /table show"
)


async def known(recorder: Recorder, campaign: int, *, deleted: bool = False) -> Newest:
    """Return the newest entry of a campaign. Raises TooLate if it is gone, or not deleted if `deleted`."""
    newest = await recorder.seen_of(campaign)
    if newest is None or newest.entry.deleted != deleted:
        raise TableGone(GONE)
    return newest
