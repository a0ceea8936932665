"""Read campaigns and entries, and cache the newest ones.

The cache may be out of date if another process writes to the same database. That does no harm: moving a
channel away from a campaign adds an entry to that campaign, so a step on an old table, or in a channel that
has moved, always collides with an entry of its own number.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import structlog
from sqlalchemy import BigInteger, ColumnElement, Row, Select, and_, bindparam, cast, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.clock import UNKNOWN
from bot.metrics_hooks import NO_METRICS, MetricsHooks
from bot.store import codec
from bot.store.engine import when_there
from bot.store.history import Author, Entry, LogStep, Move, Pin, PinState, Place
from bot.store.schema import BEHIND, THREAD, campaign, channel, entry, note, pin, shown, step_log
from bot.worker import MANY
from rules.campaign.privacy import people
from rules.facts import Illegible
from rules.table import Table
from rules.values import replace

LIMIT = 128 * 1024 * 1024
"""So many bytes are remembered, unless another number is set."""


@dataclass(slots=True, eq=False)
class Newest:
    """The newest entry of a campaign, written or about to be.

    - `base`, `key`: the number and text of the keyframe that its state is packed against; the key is None if
    unreadable, so that the next state must be a keyframe. - `written`: the future of its commit, None if it
    was read from the database. - `previous`: the step of play before it, if known; the two tables share
    most of their parts. - `guild`: the campaign's server, 0 for direct messages. - `people`: the people whom
    the database is known to hold for it, with whether they are GM. - `size`: approximate memory in bytes.
    """

    entry: Entry
    base: int
    key: bytes | None
    guild: int
    people: Mapping[int, bool]
    size: int = 0
    written: asyncio.Future[None] | None = None
    previous: Entry | None = None
    channels: set[int] = field(default_factory=set)

    @property
    def is_settled(self) -> bool:
        """Whether the database is known to contain it."""
        return self.written is None or self.written.done()

    @property
    def has_happened(self) -> bool:
        """Whether it was read or committed, and not rolled back."""
        return self.written is None or (self.written.done() and self.written.exception() is None)

    async def settle(self) -> bool:
        """Wait until the commit succeeds or fails; return whether it succeeded."""
        if self.written is None:
            return True
        if not self.written.done():
            await asyncio.wait([self.written])
        return self.written.exception() is None


@dataclass(frozen=True, slots=True)
class Binding:
    """The campaign that a place shows, and the channel that is bound to it: the place's own or its parent."""

    campaign: int
    channel: int


def size_of(table: Table, text: bytes, key: bytes) -> int:
    """Return the approximate memory in bytes of a table with its keyframe, from the length of its text.

    Measured with sys.getsizeof over all parts: a new table takes 1.5 kB; 40 large sheets (134 kB of text)
    take 765 kB when read, since each text is a string of its own; 60 plain characters (2.3 kB) take 17 kB,
    since a character has all fields even if unused.
    """
    own = 0 if text is key else len(key)
    return 4_000 + 6 * len(text) + 300 * len(table.characters) + own


class EntryCache:
    """A cache of the newest entries of the recently used campaigns, and of the places that show them."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._size = 0
        self._newest: OrderedDict[int, Newest] = OrderedDict()
        self._seats: dict[int, Binding] = {}

    def __len__(self) -> int:
        return len(self._newest)

    @property
    def size(self) -> int:
        """The approximate memory in bytes of the cache."""
        return self._size

    def newest(self, campaign: int) -> Newest | None:
        """Return the newest known entry of a campaign; None if not cached."""
        known = self._newest.get(campaign)
        if known is not None:
            self._newest.move_to_end(campaign)
        return known

    def seat(self, channel: int) -> Binding | None:
        """Return the cached binding of a channel or thread; None if not cached."""
        return self._seats.get(channel)

    def advance(self, newest: Newest) -> None:
        """Cache the next entry of a campaign."""
        campaign = newest.entry.campaign
        if known := self._newest.get(campaign):
            newest.channels = known.channels
            self._size -= known.size
        self._newest[campaign] = newest
        self._newest.move_to_end(campaign)
        self._size += newest.size
        # The last one stays, however large: whoever has read it looks for it here next.
        while self._size > self._limit and len(self._newest) > 1:
            self.forget(next(iter(self._newest)))

    def take_in(self, read: Newest) -> bool:
        """Cache an entry that was read; return False if a newer one is known or being written."""
        campaign = read.entry.campaign
        known = self._newest.get(campaign)
        if known is not None and known.entry.number >= read.entry.number:
            # What is being written may be taken back.
            return known.entry.number == read.entry.number and known.is_settled
        self.forget(campaign)
        self.advance(read)
        return True

    def sit(self, channel: int, seat: Binding) -> None:
        """Cache the binding of a channel or thread, for as long as its campaign is cached."""
        if known := self._newest.get(seat.campaign):
            self._seats[channel] = seat
            known.channels.add(channel)

    def leave(self, campaign: int) -> None:
        """Remove the bindings of a campaign from the cache."""
        if known := self._newest.get(campaign):
            for channel in known.channels:
                self._seats.pop(channel, None)
            known.channels = set()

    def forget(self, campaign: int) -> None:
        """Remove a campaign from the cache."""
        self.leave(campaign)
        if known := self._newest.pop(campaign, None):
            self._size -= known.size


def channels_of(moves: Any) -> frozenset[int]:
    """Return the channels of stored moves; damaged moves have none."""
    return frozenset(move.channel for move in moves_of(moves) or () if move.channel)


def seats(table: Table) -> dict[int, bool]:
    """Return the people whom a table knows, each with whether they are GM."""
    return {who: who in table.gms for who in people(table)}


def step_of(row: Row[Any]) -> LogStep:
    """Return the step in a row; unreadable parts of it become placeholders."""
    moves = moves_of(row.moves)
    unread = () if moves is not None else (Illegible("moves"),)
    return LogStep(
        number=row.number,
        author=Author(row.actor_id, row.actor_name),
        at=row.at,
        # SQLite gives what was put there, whatever the column says.
        written=row.facts if isinstance(row.facts, str) else str(row.facts),
        position=row.position,
        parent=row.parent,
        tip=row.tip,
        undoes=row.undoes,
        redoes=row.redoes,
        moves=moves or (),
        secret=row.secret,
        interaction=row.interaction_id or 0,
        unread=unread if row.at != UNKNOWN else (*unread, Illegible("at")),
    )


def moves_of(found: Any) -> tuple[Move, ...] | None:
    """Return the moves in a row; None if they are unreadable."""
    if found is None:
        return ()
    try:
        moves = tuple(Move(*move) for move in found)
    except TypeError:
        return None
    ids = [number for move in moves for number in (move.channel, move.source or 0, move.target or 0)]
    return moves if all(isinstance(number, int) for number in ids) else None


def newest_in(row: Row[Any]) -> Newest | None:
    """Return the entry in a row, with its keyframe; None if its state is damaged or no longer stored."""
    if row.state is None:
        return None
    try:
        key = codec.unpack(row.state if row.base == row.number else row.key)
        text = key if row.base == row.number else codec.unpack(row.state, key)
        table = codec.read(text, row.number)
    except codec.FAULTS:
        return None
    is_deleted = row.deleted_at is not None
    read = Entry(row.campaign_id, step_of(row), table, deleted=is_deleted, rolls_only=row.rolls_only)
    return Newest(read, row.base, key, row.guild_id, seats(table), size_of(table, text, key))


log = structlog.get_logger(__name__)

_KEYFRAME = entry.alias("keyframe")
_STEP = [column for column in entry.c if column.key != "state"]
STEP: Select[Any] = select(*_STEP)
"""A step, as `step_of` reads it."""
_WITH_STATE = (
    select(
        *_STEP,
        *(entry.c.state, _KEYFRAME.c.state.label("key")),
        *(campaign.c.guild_id, campaign.c.deleted_at, campaign.c.rolls_only),
    )
    .join_from(
        entry,
        _KEYFRAME,
        and_(_KEYFRAME.c.campaign_id == entry.c.campaign_id, _KEYFRAME.c.number == entry.c.base),
    )
    .join(campaign, campaign.c.id == entry.c.campaign_id)
)
_LAST = entry.alias("last")
_PACKED = (
    select(entry.c.number, entry.c.base, entry.c.state, _KEYFRAME.c.state.label("key"))
    .join_from(
        entry,
        _KEYFRAME,
        and_(_KEYFRAME.c.campaign_id == entry.c.campaign_id, _KEYFRAME.c.number == entry.c.base),
    )
    .where(
        entry.c.campaign_id == bindparam("of"),
        entry.c.number.in_(bindparam("positions", expanding=True)),
        entry.c.state.is_not(None),
    )
)


def last(of: ColumnElement[int]) -> ColumnElement[int]:
    """Return the SQL expression for the number of a campaign's newest entry."""
    return select(func.max(_LAST.c.number)).where(_LAST.c.campaign_id == of).scalar_subquery()


# Asked with most commands, so composed but once: to compose one takes as long as SQLite does to answer it.
_NEWEST = _WITH_STATE.where(
    entry.c.campaign_id == bindparam("of"), entry.c.number == last(bindparam("of", type_=BigInteger))
)
_SEATED = (
    _WITH_STATE.add_columns(channel.c.channel_id)
    .join(channel, channel.c.campaign_id == entry.c.campaign_id)
    .where(
        channel.c.channel_id.in_((bindparam("channel"), bindparam("parent"))),
        entry.c.number == last(channel.c.campaign_id),
    )
)
_MADE_BY = _WITH_STATE.where(entry.c.interaction_id == bindparam("interaction"))
_AT = _WITH_STATE.where(entry.c.campaign_id == bindparam("of"), entry.c.number == bindparam("position"))
_NUMBER = select(func.max(entry.c.number)).where(entry.c.campaign_id == bindparam("of"))
_OWN, _ABOVE = channel.alias("own"), channel.alias("above")
_PINNED = func.coalesce(_OWN.c.campaign_id, _ABOVE.c.campaign_id)
"""The campaign of a pin, which stands in its channel or in a thread below."""
_PINS_THERE = pin.outerjoin(_OWN, pin.c.channel_id == _OWN.c.channel_id).outerjoin(
    _ABOVE, pin.c.parent_id == _ABOVE.c.channel_id
)
_PINS = select(pin).select_from(_PINS_THERE).where(bindparam("of") == _PINNED)
_PINS_LEFT = (
    select(pin)
    .select_from(_PINS_THERE)
    .where(_PINNED.is_(None), bindparam("place").in_((pin.c.channel_id, pin.c.parent_id)))
)
_IN_THREADS = select(cast(func.substr(note.c.key, len(THREAD) + 1), BigInteger)).where(
    note.c.key.startswith(THREAD)
)
_IS_BEHIND = campaign.c.id.in_(select(shown.c.campaign_id).where(shown.c.sign == BEHIND))
_CHANGED_LAST = (
    select(campaign.c.id, campaign.c.guild_id, entry.c.at, _IS_BEHIND.label("is_behind"))
    .join(entry, entry.c.campaign_id == campaign.c.id)
    .where(
        campaign.c.id.in_(
            select(_PINNED)
            .select_from(_PINS_THERE)
            .union(select(shown.c.campaign_id), select(step_log.c.campaign_id), _IN_THREADS)
        ),
        entry.c.number == last(campaign.c.id),
    )
    .order_by(_IS_BEHIND.desc(), entry.c.at.desc())
    .limit(500)
)
_LED_LAST = (
    select(entry.c.number, entry.c.at)
    .where(
        entry.c.campaign_id == bindparam("of"),
        # By its text: to read the facts of all steps takes much longer.
        or_(entry.c.actor_id.in_(bindparam("gms", expanding=True)), entry.c.facts.contains('"seat":"gm"')),
    )
    .order_by(entry.c.number.desc())
    .limit(1)
)
_SEATS = select(channel, last(channel.c.campaign_id).label("number")).where(
    channel.c.channel_id.in_((bindparam("channel"), bindparam("parent")))
)


def _pin(row: Row[Any]) -> Pin:
    return Pin(row.channel_id, row.message_id, PinState(row.state))


class Reader:
    """Queries to the database."""

    def __init__(self, engine: AsyncEngine, watch: MetricsHooks = NO_METRICS) -> None:
        self._engine = engine
        self._watch = watch

    async def newest(self, of: int) -> Newest | None:
        """Return the newest entry of a campaign; None for none."""
        row = await self.first(_NEWEST, {"of": of})
        return None if row is None else await self._newest(row)

    async def seated(self, place: Place) -> tuple[Binding, Newest] | None:
        """Return the binding of a place and its newest entry, read together; None for none."""
        ids = {"channel": place.channel, "parent": place.parent}
        rows = {row.channel_id: row for row in await self.rows(_SEATED, ids)}
        row = rows.get(place.channel) or rows.get(place.parent)
        return None if row is None else (Binding(row.campaign_id, row.channel_id), await self._newest(row))

    async def seat_and_number(self, place: Place) -> tuple[Binding, int] | None:
        """Return the binding of a place and the number of its newest entry; None for none."""
        ids = {"channel": place.channel, "parent": place.parent}
        found = {row.channel_id: row for row in await self.rows(_SEATS, ids)}
        row = found.get(place.channel) or found.get(place.parent)
        return None if row is None else (Binding(row.campaign_id, row.channel_id), row.number)

    async def number(self, of: int) -> int | None:
        """Return the number of a campaign's newest entry; None for none."""
        row = await self.first(_NUMBER, {"of": of})
        return None if row is None else row[0]

    async def made_by(self, interaction: int) -> Entry | None:
        """Return the entry that an interaction made, with a blank table if its state is no longer stored."""
        row = await self.first(_MADE_BY, {"interaction": interaction})
        if row is None:
            return None
        read = newest_in(row)
        return read.entry if read else Entry(row.campaign_id, step_of(row), Table(row.number))

    async def table(self, of: int, position: int) -> Table | None:
        """Return the table at a position; a blank one at 0, None if it is no longer stored."""
        if position == 0:
            return Table()
        row = await self.first(_AT, {"of": of, "position": position})
        read = None if row is None else newest_in(row)
        return read.entry.table if read else None

    async def steps(self, of: int, since: int, until: int | None = None) -> list[LogStep]:
        """Return the steps of a campaign between two numbers, and the steps that they undo or redo.

        Many are read page by page, so that others have their turn in between.
        """
        ours, recent = entry.c.campaign_id == of, entry.c.number >= since
        if until is not None:
            recent = and_(recent, entry.c.number <= until)
        if since > 1:
            positions = select(entry.c.position).where(ours, recent).scalar_subquery()
            recent = or_(recent, entry.c.number.in_(positions))
        wanted = STEP.where(ours, recent).order_by(entry.c.number).limit(MANY)
        found = [step_of(row) for row in await self.rows(wanted)]
        while len(found) % MANY == 0 and found:
            rows = await self.rows(wanted.where(entry.c.number > found[-1].number))
            if not rows:
                break
            found += [step_of(row) for row in rows]
        return found

    async def page(self, of: int, count: int, author: int | None, before: int | None) -> list[int]:
        """Return the numbers of a campaign's newest steps, by `author` and before `before` if given."""
        wanted = select(entry.c.number).where(entry.c.campaign_id == of)
        if author is not None:
            wanted = wanted.where(entry.c.actor_id == author)
        if before is not None:
            wanted = wanted.where(entry.c.number < before)
        rows = await self.rows(wanted.order_by(entry.c.number.desc()).limit(count))
        return [row.number for row in rows]

    async def texts(self, of: int, positions: Collection[int]) -> dict[int, bytes]:
        """Return the texts of the tables stored at these positions; empty for one that is damaged.

        Position 0 has the text of a blank table.
        """
        found, keys = {0: codec.write(Table())} if 0 in positions else {}, dict[int, bytes]()
        for row in await self.rows(_PACKED, {"of": of, "positions": tuple(positions)}):
            try:
                key = keys.setdefault(row.base, keys.get(row.base) or codec.unpack(row.key))
                found[row.number] = key if row.base == row.number else codec.unpack(row.state, key)
            except codec.FAULTS:
                found[row.number] = b""
            await asyncio.sleep(0)
        return found

    async def count(self, guild: int) -> int:
        """Return how many campaigns a server has, without deleted ones and places with mere rolls."""
        ours = (campaign.c.guild_id == guild, campaign.c.deleted_at.is_(None), ~campaign.c.rolls_only)
        found: int = await self.value(select(func.count()).select_from(campaign).where(*ours))
        return found

    async def bindings(self, channels: Sequence[int]) -> dict[int, int]:
        """Return the campaigns of channels that have one of their own, by channel."""
        rows = await self.rows(select(channel).where(channel.c.channel_id.in_(channels)))
        return {row.channel_id: row.campaign_id for row in rows}

    async def channels(self, of: int) -> set[int]:
        """Return the channels that show a campaign."""
        rows = await self.rows(select(channel).where(channel.c.campaign_id == of))
        return {row.channel_id for row in rows}

    async def places(self, of: int) -> frozenset[int]:
        """Return the channels that show a campaign; if none does, those of its last moves."""
        return frozenset(await self.channels(of)) or (await self.last_places((of,))).get(of, frozenset())

    async def last_places(self, of: Collection[int]) -> dict[int, frozenset[int]]:
        """Return the channels of the last moves of campaigns, by campaign."""
        moved = (
            select(entry.c.campaign_id, func.max(entry.c.number).label("number"))
            .where(entry.c.campaign_id.in_(of), entry.c.moves.is_not(None))
            .group_by(entry.c.campaign_id)
            .subquery()
        )
        same = and_(entry.c.campaign_id == moved.c.campaign_id, entry.c.number == moved.c.number)
        rows = await self.rows(select(entry.c.campaign_id, entry.c.moves).join(moved, same))
        return {row.campaign_id: channels_of(row.moves) for row in rows}

    async def pins(self, of: int) -> list[Pin]:
        """Return the pinned messages of a campaign."""
        return [_pin(row) for row in await self.rows(_PINS, {"of": of})]

    async def find_left_pins(self, place: int) -> list[Pin]:
        """Return the pinned messages in a channel and its threads that show no campaign any more."""
        return [_pin(row) for row in await self.rows(_PINS_LEFT, {"place": place})]

    async def pin_at(self, place: int) -> Pin | None:
        """Return the pinned message of a channel or thread; None for none."""
        row = await self.first(select(pin).where(pin.c.channel_id == place))
        return None if row is None else _pin(row)

    async def led_last(self, of: int, gms: Collection[int]) -> tuple[int, datetime] | None:
        """Return a campaign's last step by one of these GMs, or that gave it a GM, as number and time."""
        row = await self.first(_LED_LAST, {"of": of, "gms": tuple(gms)})
        return None if row is None else (row.number, row.at)

    async def moments(self, of: int, numbers: Collection[int]) -> dict[int, datetime]:
        """Return the times of a campaign's entries, by number."""
        wanted = (entry.c.campaign_id == of, entry.c.number.in_(numbers))
        rows = await self.rows(select(entry.c.number, entry.c.at).where(*wanted))
        return {row.number: row.at for row in rows}

    async def server_of(self, of: int) -> int:
        """Return the server of a campaign; 0 for direct messages, and if there is no such campaign."""
        guild: int | None = await self.value(select(campaign.c.guild_id).where(campaign.c.id == of))
        return guild or 0

    async def changed_last(self) -> list[tuple[int, int, datetime, bool]]:
        """Return the campaigns that messages show: campaign, server, time of change, is a message behind?

        Those with messages behind come first, then the latest changes.
        """
        return [(row.id, row.guild_id, row.at, row.is_behind) for row in await self.rows(_CHANGED_LAST)]

    async def value(self, wanted: Select[Any], values: dict[str, Any] | None = None) -> Any:
        """Return the single value that a statement selects, or None."""
        row = await self.first(wanted, values)
        return None if row is None else row[0]

    async def _newest(self, row: Row[Any]) -> Newest:
        """The newest entry, in that row; where its state is damaged, with the last one that is not."""
        if read := newest_in(row):
            return read
        earlier = (entry.c.campaign_id == row.campaign_id, entry.c.number < row.number)
        kept = _WITH_STATE.where(*earlier, entry.c.state.is_not(None)).order_by(entry.c.number.desc())
        last = next((read for each in await self.rows(kept) if (read := newest_in(each))), None)
        table = last.entry.table if last else Table()
        self._watch.unreadable()
        log.error("state unreadable", campaign=row.campaign_id, step=row.number, last=table.number)
        lost = replace(table, number=row.number, lost=row.number - table.number)
        at = last.entry.step.position if last else 0  # so the next step is one after that
        step, is_deleted = replace(step_of(row), position=at), row.deleted_at is not None
        newest = Entry(row.campaign_id, step, lost, deleted=is_deleted, rolls_only=row.rolls_only)
        return Newest(newest, row.base, None, row.guild_id, seats(lost))

    async def first(self, wanted: Select[Any], values: dict[str, Any] | None = None) -> Row[Any] | None:
        """Return the first row that a statement selects, or None."""

        async def look(connection: AsyncConnection) -> Row[Any] | None:
            row: Row[Any] | None = (await connection.execute(wanted, values)).first()
            return row

        return await when_there(self._engine, look)

    async def rows(self, wanted: Select[Any], values: dict[str, Any] | None = None) -> Sequence[Row[Any]]:
        """Return the rows that a statement selects."""

        async def look(connection: AsyncConnection) -> Sequence[Row[Any]]:
            rows: Sequence[Row[Any]] = (await connection.execute(wanted, values)).all()
            return rows

        return await when_there(self._engine, look)


_STATES = select(entry.c.number, entry.c.base, entry.c.state).where(entry.c.state.is_not(None))


@dataclass(frozen=True, slots=True)
class State:
    """The state after a step: the keyframe it is packed against, its text and its table.

    Text and table are None if the state or its keyframe is damaged.
    """

    number: int
    base: int
    text: bytes = b""
    table: Table | None = None


class PackedState(NamedTuple):
    """The state after a step as stored: packed against its keyframe, or in full if it is one."""

    number: int
    base: int
    state: bytes


async def packed_states(connection: AsyncConnection, of: int) -> Sequence[PackedState]:
    """Return the stored states of a campaign, each keyframe before those packed against it."""
    rows = (await connection.execute(_STATES.where(entry.c.campaign_id == of))).all()
    return sorted((PackedState(*row) for row in rows), key=lambda row: (row.base, row.number))


async def unpacked(rows: Iterable[PackedState]) -> AsyncIterator[State]:
    """Unpack states one by one, in the order of `packed_states`; yields to the event loop in between."""
    base, key = 0, None
    for row in rows:  # a keyframe has the number of its base
        if row.base != base:
            base, key = row.base, None
        read = State(row.number, row.base)
        if key is not None or row.number == row.base:
            with suppress(*codec.FAULTS):
                text = codec.unpack(row.state, key)
                await asyncio.sleep(0)  # at a table of 1 MB reading it takes 15 ms
                read = State(row.number, row.base, text, codec.read(text, row.number))
        if row.number == row.base and read.table is not None:
            key = read.text
        yield read
        await asyncio.sleep(0)
