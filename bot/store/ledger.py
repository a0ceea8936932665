"""The ledger: every campaign's steps, written down one after the other.

A campaign is a series of entries. Its newest entry holds its table; adding one is the only way to change
it, also to go back. What has been answered has been written.
"""

import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from sqlalchemy import bindparam, delete, insert, select, text, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import codec, forget, schema
from bot.store.backup import backup
from bot.store.cache import LIMIT, Newest, Seat
from bot.store.copies import BY_ITSELF, keep_newest, name_for
from bot.store.engine import BOT, Patience, clear_traces, connect, file_of, is_sqlite, patience_of
from bot.store.expired import DAYS_KEPT, EXPIRED, idle_since, rolled_until
from bot.store.history import Author, Draft, Entry, History, LogStep, Move, Named, Permission, Place
from bot.store.jobs import JobTable
from bot.store.migrate import migrate, migrate_apart
from bot.store.owner import Owner
from bot.store.portraits import Portraits
from bot.store.reader import CampaignLine, Offer, TableLine
from bot.store.recorder import Plan, Recorder
from bot.store.revision import unreachable
from bot.store.shown import RememberedMessages, ShownMessages
from bot.store.spoken import SpokenMessages
from bot.store.step_log import StepLogs
from bot.store.turns import Turns
from bot.store.undo import Travel
from bot.store.waiting import Waiting
from bot.store.whispers import Whispers
from bot.store.writer import Overtaken, Write
from bot.watch import NOBODY_LOOKS, Watch
from rules.cortex.build import Build
from rules.errors import NotAllowed, RuleError, TooLate
from rules.facts import Moved, Seated
from rules.reasons import Fate
from rules.result import Fact
from rules.table import Table
from rules.values import replace


@dataclass(frozen=True, slots=True)
class Held:
    """What a process holds: campaigns in memory with their size, and changes that wait to be written."""

    campaigns: int
    bytes: int
    writes: int


Drafting = Callable[[Table], Draft]
"""What a command makes of the newest table; pure, since it may be asked again."""

Leaving = Callable[[Table], None]
"""May refuse that a place no longer shows a table."""
Check = Callable[[Table, Table], None]
"""May refuse a walk from one table to another."""

GONE = (
    "That is no longer valid here: its table has been deleted, or is not of this place. The table of this "
    "channel: /table show"
)

FORGETTING = 5
"""So often forgetting somebody is worked out beside those who play, before they have to wait for it."""
_NOTE = select(schema.note.c.value).where(schema.note.c.key == bindparam("of"))
CAUGHT_UP = timedelta(minutes=2)
"""After this time every message shows a change, or cannot be edited."""


def _fine(before: Table, after: Table) -> None:
    """Any walk is fine."""


def _left(table: Table) -> None:
    """Any table may be left."""


class Ledger:
    """The campaigns of a database.

    Methods that record take the interaction's id, 0 for none: a repeated one changes nothing and gives
    back the entry that it made. They raise what the rule raises, other refusals as RuleError, and
    recorder.Busy.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        owner: Owner | None = None,
        campaigns_per_guild: int = 0,
        cache: int = LIMIT,
        watch: Watch = NOBODY_LOOKS,
    ) -> None:
        self._engine = engine
        self._owner = owner
        self._most = campaigns_per_guild
        self.watch = watch
        self._recorder = Recorder(engine, cache, is_alone=owner is not None, watch=watch)
        self._reader = self._recorder.reader
        self.turns = Turns(engine)
        self.shown = (ShownMessages if owner is None else RememberedMessages)(self._recorder)
        self.waiting = Waiting(self._recorder)
        self.whispers = Whispers(self._recorder)
        self.spoken = SpokenMessages(self._recorder)
        self.portraits = Portraits(self._recorder)
        self.jobs = JobTable(self._recorder)
        """What is due at a time."""
        self.step_logs = StepLogs(self._recorder, self.jobs, is_alone=owner is not None)
        self._unpinned: set[int] = set()
        self._moves = 0

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        campaigns_per_guild: int = 0,
        cache: int = LIMIT,
        migrates: bool = False,
        apart: bool = False,
        copies: Path | None = None,
        shared: bool = False,
        prunes: bool = True,
        patience: float = 0.0,
        connections: int | None = None,
        watch: Watch = NOBODY_LOOKS,
    ) -> "Ledger":
        """The ledger in a database, which remembers about `cache` bytes of tables.

        The database has been migrated, unless this `migrates` it, with a folder for `copies`, in a process
        `apart` where tables have to be changed. A SQLite file is owned by this process from now on, unless it
        is `shared`. A server can have so many campaigns; 0 is no limit. What has had its time goes, if it
        `prunes`. PostgreSQL is reached over so many `connections` at most, and where it is away it is waited
        for with `patience`, in seconds. Raises what migrate.migrate raises, and owner.Occupied.
        """
        engine = connect(url, BOT, Patience(patience), connections)
        # The file is owned before its tables are changed: a second bot is refused before it touches them.
        owner = Owner(file_of(engine)) if is_sqlite(engine) and not shared else None
        try:
            if migrates:
                await (migrate_apart if apart else migrate)(url, copies)
            ledger = cls(engine, owner, campaigns_per_guild, cache, watch)
            if prunes:
                await ledger.prune()
        except BaseException as error:
            if owner is not None:
                owner.release()
            if isinstance(error, DBAPIError | OSError):
                raise unreachable(engine, error) from None
            raise
        return ledger

    @property
    def is_alone(self) -> bool:
        """Whether no other process writes to the database."""
        return self._owner is not None

    def wait(self) -> None:
        """Wait for a database that is away, as after `hurry` nobody does."""
        patience_of(self._engine).begin()

    def hurry(self) -> None:
        """Wait no longer for a database that is away."""
        patience_of(self._engine).end()

    async def close(self) -> None:
        """Write what waits, then close the database."""
        self.hurry()
        # In this order: each writes through the next, and the file is ours until nothing does.
        await self.shown.close()
        await self._recorder.close()
        await self._engine.dispose()
        if self._owner is not None:
            self._owner.release()

    async def ping(self) -> None:
        """Ask the database for nothing. Raises what it raises where it is away."""
        async with self._engine.connect() as connection:
            await connection.exec_driver_sql("SELECT 1")

    def held(self) -> Held:
        """What this process holds at this moment."""
        memory, writer = self._recorder.memory, self._recorder.writer
        return Held(campaigns=len(memory), bytes=memory.size, writes=writer.waiting)

    async def look(self, where: Place | Named) -> Entry | None:
        """The newest entry of the campaign at a place, also of an archived one; None if it has none.

        A campaign that is named there is found only at a place of its own server, or of its own.
        """
        if isinstance(where, Named):
            newest = await self._recorder.named(where, self._recorder.seen_of)
            return newest.entry if newest else None
        found = await self._recorder.seen(where)
        return found[1].entry if found else None

    async def newest(self, campaign: int) -> Entry | None:
        """The newest entry of a campaign, also of a deleted one; None if there is no such campaign."""
        found = await self._recorder.seen_of(campaign)
        return found.entry if found else None

    async def append(
        self,
        where: Place | Named,
        author: Author,
        interaction: int,
        rule: Drafting,
        *,
        build: Build | None = None,
    ) -> Entry:
        """Apply a rule to the campaign at a place, which begins if there is none in play.

        What the author builds is `build` from then on. Raises TooLate where a campaign is named that is
        gone, or is not of that place.
        """

        async def prepare() -> Plan:
            seat, newest = await self._current(where)
            if isinstance(where, Place) and (newest is None or newest.entry.table.archived):
                draft = await self._apply(rule, Table(), where, newest)
                await self._require_room(where.guild, draft)
                return _beginning(where, seat, newest, author, draft)
            if newest is None:
                raise TooLate(GONE)
            draft = await self._apply(rule, newest.entry.table, where, newest)
            if newest.entry.rolls_only:
                await self._require_room(newest.guild, draft)
            beside = () if build is None else _building(newest.entry.campaign, author.id, build)
            return Plan((newest.entry.then(author, _now(), draft),), beside=beside)

        return await self._recorder.record(interaction, prepare)

    async def undo(
        self,
        campaign: int,
        author: Author,
        interaction: int,
        may: Permission,
        step: int | None = None,
        *,
        back: bool = False,
        check: Check = _fine,
    ) -> Entry:
        """Take back the newest step that `may` allows, or the one with that number.

        If it is not the last, it is taken back alone, or with all later ones if `back`. `check` may refuse,
        of the table as it is and as it would be. Raises NotAllowed, its kind history.Entangled if later
        steps build on it, and Unknown.
        """

        async def prepare() -> Plan:
            travel = await self._travel(campaign, author)
            return _checked(travel, await travel.undo(may, step, is_back=back), check)

        return await self._recorder.record(interaction, prepare)

    async def redo(
        self,
        campaign: int,
        author: Author,
        interaction: int,
        may: Permission,
        step: int | None = None,
        *,
        check: Check = _fine,
    ) -> Entry:
        """Put back the step undone last, if `may` allows, or the one with that number.

        `check` may refuse, of the table as it is and as it would be. Raises NotAllowed, its kind
        history.Entangled if it builds on others, and Unknown.
        """

        async def prepare() -> Plan:
            travel = await self._travel(campaign, author)
            return _checked(travel, await travel.redo(may, step), check)

        return await self._recorder.record(interaction, prepare)

    async def found(
        self, place: Place, author: Author, interaction: int, rule: Drafting, *, leaving: Leaving = _left
    ) -> Entry:
        """Begin a new campaign at a place, and archive the one that no other channel shows then.

        `leaving` may refuse, of the table that the place showed before.
        """

        async def prepare() -> Plan:
            found = await self._recorder.seen(place)
            seat, newest = found or (None, None)
            if newest is not None:
                leaving(newest.entry.table)
            draft = rule(Table())
            await self._require_room(place.guild, draft)
            is_last = seat is not None and seat.channel == place.channel
            if is_last and seat is not None:
                is_last = await self._reader.channels(seat.campaign) == {place.channel}
            return _founding(place, seat, newest, author, draft, archives=is_last)

        return await self._recorder.record(interaction, prepare)

    async def bind(
        self,
        place: Place,
        campaign: int,
        author: Author,
        interaction: int,
        rule: Drafting,
        *,
        leaving: Leaving = _left,
        deleted: bool = False,
    ) -> Entry:
        """Let a place show a campaign, which is woken if it is archived. Raises TooLate.

        One that is `deleted` is there again; any other is not found then. `leaving` may refuse, of the table
        that the place showed before.
        """

        async def prepare() -> Plan:
            newest = await self._known(campaign, deleted=deleted)
            found = await self._recorder.seen(place)
            draft = rule(newest.entry.table)
            if deleted:
                await self._require_room(place.guild, draft)
            draft = replace(draft, table=replace(draft.table, archived=False))
            if found and found[0] == Seat(campaign, place.channel):
                return Plan((newest.entry.then(author, _now(), draft),))
            seat, old = found or (None, None)
            if old is not None and old.entry.campaign != campaign:
                leaving(old.entry.table)
            move = Move(place.channel, seat.campaign if seat else None, campaign)
            entry = newest.entry.then(author, _now(), draft, (move,))
            return _moving(entry, seat, old, Fate.JOINED)

        return await self._recorder.record(interaction, prepare)

    async def unbind(self, place: Place, author: Author, interaction: int, rule: Drafting) -> Entry:
        """Let a place show no campaign any more. Raises NotAllowed if it shows none of its own."""

        async def prepare() -> Plan:
            found = await self._recorder.seen(place)
            if found is None or found[1].entry.rolls_only:
                raise NotAllowed("There is no table in this channel to leave.")
            seat, newest = found
            if seat.channel != place.channel:
                raise NotAllowed("This thread is at its channel's table; leave it in the channel.")
            draft = rule(newest.entry.table)
            move = Move(place.channel, seat.campaign, None)
            entry = newest.entry.then(author, _now(), draft, (move,))
            return Plan((entry,), (move,))

        return await self._recorder.record(interaction, prepare)

    async def log(
        self,
        campaign: int,
        *,
        count: int = 10,
        author: int | None = None,
        before: int | None = None,
        secrets: bool = True,
    ) -> list[LogStep]:
        """The newest steps of a campaign, newest first; of one author, before a number if given.

        Without `secrets`, of those that players may not see nothing is told but that they are there.
        """
        numbers = await self._reader.page(campaign, count, author, before)
        if not numbers:
            return []
        history = History(await self._reader.steps(campaign, numbers[-1]))
        steps = [step for step in history if step.number in set(numbers)]
        return [step if secrets or not step.secret else step.veiled for step in steps]

    async def played(self, campaign: int, *, secrets: bool = True, since: int = 1) -> list[LogStep]:
        """The steps of play of a campaign since a step, oldest first, without what is undone.

        Without `secrets`, those that players may see.
        """
        history = History(await self._reader.steps(campaign, since))
        found = [s for s in history if s.number >= since and s.is_play and not s.undone]
        return [step for step in reversed(found) if secrets or not step.secret]

    async def facts(
        self, campaign: int, kinds: tuple[type[Fact], ...], since: int = 1
    ) -> list[tuple[LogStep, Fact]]:
        """What happened of some kinds since a step, oldest first, each with its step; not what is undone.

        They are read in one go, also those of a whole campaign.
        """
        history = History(await self._reader.steps(campaign, since))
        found = [step for step in history if step.number >= since and step.is_play and not step.undone]
        wanted = [step for step in reversed(found) if codec.may_hold(step.written, *kinds)]
        return [(step, fact) for step in wanted for fact in step.facts if isinstance(fact, kinds)]

    async def campaigns(self, guild: int) -> list[CampaignLine]:
        """The campaigns of a server, by name; none for 0, where private conversations are."""
        return await self._reader.campaigns(guild) if guild else []

    async def tables(self, guild: int) -> list[TableLine]:
        """The same, each with its channels and its GMs."""
        return await self._reader.tables(guild) if guild else []

    async def offers(self, guild: int, player: int) -> list[Offer]:
        """The campaigns of a server as somebody finds them, by name; none for 0."""
        return await self._reader.offers(guild, player) if guild else []

    async def known_to(self, guild: int, player: int) -> list[CampaignLine]:
        """The campaigns of a server that know somebody, by name; none for 0."""
        return await self._reader.known_to(guild, player) if guild else []

    async def delete(self, campaign: int, author: Author, interaction: int, rule: Drafting) -> Entry:
        """Take a campaign out of all its channels; `bind` brings it back for as long as it is kept."""

        async def prepare() -> Plan:
            newest = await self._known(campaign)
            draft = rule(newest.entry.table)
            channels = sorted(await self._reader.channels(campaign))
            moves = tuple(Move(channel, campaign, None) for channel in channels)
            entry = newest.entry.then(author, _now(), draft, moves)
            return Plan((replace(entry, deleted=True),), moves)

        entry = await self._recorder.record(interaction, prepare)
        await self.prune()
        return entry

    async def deleted(self, guild: int) -> list[CampaignLine]:
        """The campaigns of a server that are deleted and can be brought back, the last one first."""
        return await self._reader.deleted(guild, _now() - timedelta(days=DAYS_KEPT))

    async def prune(self) -> int:
        """Let go for ever of what has had its time; of how many rows."""
        gone = [0]

        async def let_go(connection: AsyncConnection) -> None:
            gone[:] = [(await connection.execute(each(_now()))).rowcount for each in EXPIRED]

        await self._recorder.write(last=let_go)
        # They went with their rows, and this process may remember them.
        await self.shown.reread()
        return sum(gone)

    async def idle(self, since: datetime) -> list[int]:
        """The campaigns in which nothing has happened since then; no deleted ones."""
        return [row.id for row in await self._reader.rows(idle_since(since))]

    async def rolled_out(self, since: datetime) -> list[int]:
        """The places where people have only rolled dice, and none since then."""
        return [row.id for row in await self._reader.rows(rolled_until(since))]

    async def servers(self) -> set[int]:
        """The servers that campaigns are of, deleted ones too."""
        guild = schema.campaign.c.guild_id
        return {row.guild_id for row in await self._reader.rows(select(guild).distinct().where(guild != 0))}

    async def leave_server(self, server: int) -> int:
        """Let go for ever of all that is kept of a server; of how many campaigns."""
        ours = select(schema.campaign.c.id).where(schema.campaign.c.guild_id == server)
        campaigns = [row.id for row in await self._reader.rows(ours)]
        for each in campaigns:
            await self.erase(each)
        await self._recorder.write(delete(schema.note).where(schema.note.c.key == f"greeted:{server}"))
        await self.clear_traces()
        return len(campaigns)

    async def drop_channel(self, channel: int) -> None:
        """A channel or a thread is gone from Discord: so is its place at a campaign, and all shown there."""
        there = [table for table in schema.METADATA.sorted_tables if "channel_id" in table.c]
        gone = [delete(table).where(table.c.channel_id == channel) for table in there]
        # Written first: what still waits would be put back after it is deleted.
        below = delete(schema.pin).where(schema.pin.c.parent_id == channel)
        await self.shown.write()
        await self._recorder.write(*gone, below)
        await self.shown.reread()
        self._recorder.moves += 1

    async def tidy(self) -> None:
        """Let a SQLite file learn what has changed, to find things quickly; PostgreSQL does so itself."""
        if is_sqlite(self._engine):
            await self._recorder.write(text("PRAGMA optimize"))

    async def copy(self, folder: Path, keep: int) -> Path:
        """Copy the database to a new file in a folder, and keep so many of these copies; the file.

        Raises copies.NoBackup, and what revision.revision raises.
        """
        # What is not written yet is not in the copy.
        await self.shown.write()
        where = self._engine.url
        made = await backup(where.render_as_string(hide_password=False), folder / name_for(where, BY_ITSELF))
        keep_newest(folder, where, keep, BY_ITSELF)
        return made

    async def erase(self, campaign: int, *, rolled: datetime | None = None) -> None:
        """Let go of a campaign for ever, with its whole history, its channels and its pinned tables.

        With a moment, only if people have `rolled` dice there until then, and nothing else.
        """
        pinned = schema.pin.c.channel_id.in_([channel for channel, _ in await self._reader.pins(campaign)])
        gone = delete(schema.campaign).where(schema.campaign.c.id == campaign)
        gone = gone if rolled is None else gone.where(schema.campaign.c.id.in_(rolled_until(rolled)))
        await self._recorder.write(delete(schema.pin).where(pinned), gone, campaign=campaign)
        await self.shown.reread()
        self._recorder.moves += 1

    async def of_person(self, person: int) -> list[CampaignLine]:
        """The campaigns that know a person, by a step or in a state; the oldest first."""
        return await forget.campaigns_of(self._engine, person)

    async def led_alone_by(self, gm: int) -> list[int]:
        """The campaigns whose only GM somebody is."""
        return await forget.led_alone_by(self._engine, gm)

    async def steps_by(self, campaign: int, person: int) -> list[LogStep]:
        """Every step of a campaign that a person made, oldest first."""
        return await forget.steps_by(self._engine, campaign, person)

    async def names_of(self, campaigns: Collection[int], person: int) -> dict[int, dict[str, int]]:
        """The names that a person went by in campaigns, and how many steps they made by each."""
        return await forget.names_of(self._engine, campaigns, person)

    async def forget(self, campaign: int, person: int) -> None:
        """Let a campaign know a person no more: their id and names leave all its rows, for ever.

        What happened stays, done by somebody. The rows are changed in one transaction with a new last entry,
        so whoever is about to add one on what was before meets it, and begins again. What they become is
        worked out before, while others play; where they play too fast for that, they wait.
        """
        for _ in range(FORGETTING):
            made = await forget.prepared(self._engine, campaign, person)
            is_written: list[bool] = []

            async def write(connection: AsyncConnection, made: forget.Prepared = made) -> None:
                is_written[:] = [await forget.write(made, connection)]  # noqa: B023 - called at once

            await self._recorder.write(campaign=campaign, last=write)
            if is_written == [True]:
                return
        await self._recorder.write(campaign=campaign, last=partial(forget.rewrite, campaign, person))

    async def clear_traces(self) -> None:
        """Let nothing of what was forgotten stand in the database's own files."""
        await clear_traces(self._engine)

    async def made_by(self, interaction: int) -> Entry | None:
        """The entry that an interaction made, if it made any."""
        return await self._reader.made_by(interaction)

    async def before(self, entry: Entry) -> Table | None:
        """The table that an entry changed; None if it is kept no longer."""
        return await self._reader.table(entry.campaign, entry.step.parent)

    async def changed_last(self) -> list[tuple[int, int]]:
        """The campaigns, with their servers, whose messages may not show their last change: it was so shortly
        before the last one of all that whoever made it may have died."""
        await self.shown.write()
        found = [each for each in await self._reader.changed_last() if each[2] != schema.UNKNOWN]
        return [(of, server) for of, server, at in found if at >= found[0][2] - CAUGHT_UP]

    async def led_last(self, campaign: int, gms: Collection[int]) -> tuple[int, datetime] | None:
        """The last step of one of its GMs at a campaign, or by which there was one, and when it was made."""
        return await self._reader.led_last(campaign, gms)

    async def server_of(self, campaign: int) -> int:
        """The server on which a campaign is played; 0 for direct messages."""
        return await self._reader.server_of(campaign)

    async def channels(self, campaign: int) -> set[int]:
        """The channels in which a campaign is played."""
        return await self._reader.channels(campaign)

    async def pins(self, campaign: int) -> list[tuple[int, int]]:
        """The channels of a campaign that have a pinned message, each with it.

        Asked after every change; most campaigns have none, which is remembered until that may be otherwise.
        """
        if self._recorder.moves != self._moves:
            self._unpinned.clear()
            self._moves = self._recorder.moves
        if campaign in self._unpinned:
            return []
        pins = await self._reader.pins(campaign)
        # Not where a pin was set while this was read.
        if not pins and self._owner is not None and self._moves == self._recorder.moves:
            self._unpinned.add(campaign)
        return pins

    async def pin(self, channel: int) -> int | None:
        """The pinned message of a channel."""
        wanted = select(schema.pin.c.message_id).where(schema.pin.c.channel_id == channel)
        message: int | None = await self._reader.value(wanted)
        return message

    async def set_pin(self, channel: int, message: int | None, parent: int = 0) -> None:
        """Remember the pinned message of a channel, or of a thread under one; or that it has none."""
        old = delete(schema.pin).where(schema.pin.c.channel_id == channel)
        row = {"channel_id": channel, "message_id": message, "parent_id": parent}
        await self._recorder.write(old, *([] if message is None else [insert(schema.pin).values(row)]))
        self._recorder.moves += 1

    async def replace_pin(self, channel: int, message: int) -> None:
        """Remember another message in the place of the pinned one."""
        ours = schema.pin.c.channel_id == channel
        await self._recorder.write(update(schema.pin).where(ours).values(message_id=message))

    async def build(self, campaign: int, player: int) -> Build:
        """The pool that somebody builds at a campaign; an empty one where there is none."""
        ours = (schema.build.c.campaign_id == campaign, schema.build.c.player_id == player)
        state: str | None = await self._reader.value(select(schema.build.c.state).where(*ours))
        return (state and codec.read_build(state)) or Build()

    async def set_build(self, campaign: int, player: int, build: Build) -> None:
        """Keep the pool that somebody builds, instead of the one before."""
        await self._recorder.write(*(each.statement for each in _building(campaign, player, build)))

    async def note(self, key: str) -> str | None:
        """What was noted under a key."""
        value: str | None = await self._reader.value(_NOTE, {"of": key})
        return value

    async def notes(self, keys: Collection[str]) -> dict[str, str]:
        """What was noted under keys, by key."""
        wanted = select(schema.note.c.key, schema.note.c.value).where(schema.note.c.key.in_(keys))
        return {row.key: row.value for row in await self._reader.rows(wanted)}

    async def set_note(self, key: str, value: str) -> None:
        """Note something, instead of what was noted under that key."""
        old = delete(schema.note).where(schema.note.c.key == key)
        await self._recorder.write(old, insert(schema.note).values(key=key, value=value))

    async def drop_note(self, key: str) -> None:
        """Note nothing under a key."""
        await self._recorder.write(delete(schema.note).where(schema.note.c.key == key))

    async def _require_room(self, guild: int, draft: Draft) -> None:
        """Refuse one campaign more than a server can have; rolls are none, direct messages no server."""
        if draft.rolls_only or not (self._most and guild):
            return
        if await self._reader.count(guild) >= self._most:
            raise NotAllowed(
                "This server has {most} campaigns, which is the most. Play on in one of them, or delete "
                "one that is over, where it is played. Example: /campaign join",
                most=self._most,
            )

    async def _current(self, where: Place | Named) -> tuple[Seat | None, Newest | None]:
        if isinstance(where, Place):
            return await self._recorder.at(where) or (None, None)
        return None, await self._recorder.named(where, self._recorder.of)

    async def _apply(
        self, rule: Drafting, table: Table, where: Place | Named, newest: Newest | None
    ) -> Draft:
        """What the rule makes of the table. Raises Overtaken if it refused an old one."""
        try:
            return rule(table)
        except RuleError:
            if not await self._is_current(where, newest):
                raise Overtaken from None
            raise

    async def _is_current(self, where: Place | Named, newest: Newest | None) -> bool:
        now = await self.look(where)
        if newest is None or now is None:
            return newest is None and now is None
        is_same = (now.campaign, now.number) == (newest.entry.campaign, newest.entry.number)
        return is_same and newest.has_happened

    async def _known(self, campaign: int, *, deleted: bool = False) -> Newest:
        newest = await self._recorder.seen_of(campaign)
        if newest is None or newest.entry.deleted != deleted:
            raise TooLate(GONE)
        return newest

    async def _travel(self, campaign: int, author: Author) -> Travel:
        newest = await self._known(campaign)
        return await Travel.begin(self._recorder, newest.entry, author, _now())


def _beginning(place: Place, seat: Seat | None, newest: Newest | None, author: Author, draft: Draft) -> Plan:
    """A campaign of its own for a channel, or for the channel of a thread."""
    channel = seat.channel if seat else place.parent or place.channel
    return _founding(replace(place, channel=channel), seat, newest, author, draft, archives=False)


def _founding(
    place: Place, seat: Seat | None, newest: Newest | None, author: Author, draft: Draft, *, archives: bool
) -> Plan:
    campaign = secrets.randbits(40)
    moves = (Move(place.channel, seat.campaign, campaign),) if seat else ()
    step = LogStep(
        1, author, _now(), codec.write_facts(draft.facts), position=1, parent=0, tip=1, moves=moves
    )
    entry = Entry(campaign, step, replace(draft.table, number=1), rolls_only=draft.rolls_only)
    if not seat:
        return Plan((entry,), (Move(place.channel, None, campaign),), place.guild)
    plan = _moving(entry, seat, newest, Fate.REPLACED, archives=archives)
    return replace(plan, guild=place.guild)


def _moving(
    entry: Entry, seat: Seat | None, old: Newest | None, fate: Fate, *, archives: bool = False
) -> Plan:
    """A step that moves a channel, told also in the campaign that it leaves."""
    (move,) = entry.step.moves
    if seat is None or old is None:
        return Plan((entry,), (move,))
    table = replace(old.entry.table, archived=old.entry.table.archived or archives)
    gone = Draft(table, (Moved(table.name, fate),), rolls_only=True)
    # The campaign that it leaves has an entry of it too: there it is told, and met by whoever acts on an
    # old table.
    left = old.entry.then(entry.author, entry.at, gone, entry.step.moves)
    is_own = seat.channel == move.channel
    return Plan((entry, left), (move if is_own else replace(move, source=None),))


def _building(campaign: int, player: int, build: Build) -> tuple[Write, ...]:
    """Keep what somebody builds, instead of what they did before."""
    ours = (schema.build.c.campaign_id == campaign, schema.build.c.player_id == player)
    row = {"campaign_id": campaign, "player_id": player, "state": codec.write_build(build)}
    return Write(delete(schema.build).where(*ours)), Write(insert(schema.build).values(row))


def _now() -> datetime:
    return datetime.now(UTC)


def _checked(travel: Travel, plan: Plan, check: Check) -> Plan:
    """A plan that the check has let pass; where GMs stay by it, as if they had gone: that is theirs to do."""
    made = plan.entries[0]
    stays = any(isinstance(fact, Seated) for fact in made.facts)
    check(travel.newest.table, replace(made.table, gms={}) if stays else made.table)
    return plan
