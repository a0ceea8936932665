"""The ledger: every campaign's entries, in order.

A campaign is a series of entries, and its newest entry holds its table. Adding an entry is the only way to
change the table, even for undo. A command is answered only after its entry was committed.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot import clock
from bot.clock import SYSTEM, Clock
from bot.language import SPEECH, speak_as
from bot.metrics_hooks import NO_METRICS, MetricsHooks
from bot.store import codec
from bot.store.engine import BOT, Owner, Patience, connect, file_of, is_sqlite, patience_of, unreachable
from bot.store.history import Author, Draft, Entry, LogStep, NamedCampaign, Place
from bot.store.jobs import JobTable
from bot.store.messages import NotedThreads, Pins, RememberedMessages, ShownMessages, SpokenMessages, StepLogs
from bot.store.migrate import migrate, migrate_apart
from bot.store.pending import Builds, Notes, Turns, WaitingStore, building
from bot.store.personal import AllQuietHours, Introductions, Portraits, Quotes, Whispers
from bot.store.places import Drafting, Places, Servers
from bot.store.privacy import People
from bot.store.reader import LIMIT, Binding, Newest, Reader
from bot.store.recorder import GONE, Recorder, Recording, known, plan_campaign
from bot.store.retention import Upkeep
from bot.store.undo import History, Permission, UndoPlan
from bot.store.writer import Overtaken
from bot.worker import aside, handle_many
from rules.errors import RuleError, TableGone, TooLate
from rules.facts import Fact, Seated
from rules.table import Table
from rules.terms import ENGLISH
from rules.values import replace

CAUGHT_UP = timedelta(minutes=2)
"""After this time every message shows a change, or cannot be edited."""
SHOWN_UNTIL = "shown until"
"""The key of the note that says up to when messages showed every change as the last process stopped."""


class StepHistory:
    """The steps of all campaigns, and where they were played."""

    def __init__(self, reader: Reader, shown: ShownMessages, notes: Notes, *, is_alone: bool) -> None:
        self._reader = reader
        self._shown = shown
        self._notes = notes
        self._is_alone = is_alone

    async def log(
        self,
        campaign: int,
        *,
        count: int = 10,
        author: int | None = None,
        before: int | None = None,
        secrets: bool = True,
    ) -> list[LogStep]:
        """Return the newest steps of a campaign, newest first.

        Only those by `author` and before number `before`, if given. Without `secrets`, steps that players may
        not see are included, but veiled.
        """
        numbers = await self._reader.page(campaign, count, author, before)
        if not numbers:
            return []
        steps = await self._reader.steps(campaign, numbers[-1])
        found = await handle_many(steps, _steps_with, frozenset(numbers))
        return [step if secrets or not step.secret else step.veiled for step in found]

    async def played(self, campaign: int, *, secrets: bool = True, since: int = 1) -> list[LogStep]:
        """Return the steps of play of a campaign since a step, oldest first, without undone ones.

        Without `secrets`, only those that players may see.
        """
        steps = await self._reader.steps(campaign, since)
        found = await handle_many(steps, _in_force, since)
        return found if secrets else [step for step in found if not step.secret]

    async def facts(
        self, campaign: int, kinds: tuple[type[Fact], ...], since: int = 1
    ) -> list[tuple[LogStep, Fact]]:
        """Return the facts of these kinds since a step, each with its step, oldest first.

        Undone steps are left out.
        """
        steps = await self._reader.steps(campaign, since)
        return await handle_many(steps, _facts_in, kinds, since)

    async def made_by(self, interaction: int) -> Entry | None:
        """Return the entry that an interaction made; None if it made none."""
        return await self._reader.made_by(interaction)

    async def before(self, entry: Entry) -> Table | None:
        """Return the table that an entry changed; None if it is no longer stored."""
        return await self._reader.table(entry.campaign, entry.step.parent)

    async def shown_before(self, entry: Entry) -> Table | None:
        """Return the table that was shown before an entry, even an undo; None if no longer stored."""
        return await self._reader.table(entry.campaign, entry.number - 1)

    async def changed_last(self) -> list[tuple[int, int]]:
        """Return the campaigns, with their servers, whose messages may not show their last change.

        These changed shortly before the newest change of all, so their process may have died in between, or
        Discord has not taken an edit yet. After a process that showed everything before it stopped, only what
        changed since then counts, the first time that this is asked.
        """
        await self._shown.write()
        found = [each for each in await self._reader.changed_last() if each[2] != clock.UNKNOWN]
        since = max((at for _, _, at, _ in found), default=clock.UNKNOWN + CAUGHT_UP) - CAUGHT_UP
        if noted := await self._notes.read(SHOWN_UNTIL):
            # Only for this start: the next process may be killed, or its clock set back.
            await self._notes.drop(SHOWN_UNTIL)
            since = max(since, datetime.fromisoformat(noted))
        return [(of, server) for of, server, at, is_behind in found if is_behind or at > since]

    async def note_shown(self, until: datetime) -> None:
        """Record that messages show every change before that time, so that the next start sends none."""
        if self._is_alone:
            await self._notes.keep(SHOWN_UNTIL, until.isoformat())

    async def led_last(self, campaign: int, gms: Collection[int]) -> tuple[int, datetime] | None:
        """Return the last step by one of a campaign's GMs, or that gave it a GM, as number and time."""
        return await self._reader.led_last(campaign, gms)

    async def moments(self, campaign: int, numbers: Collection[int]) -> dict[int, datetime]:
        """Return the times of a campaign's steps, by number."""
        return await self._reader.moments(campaign, numbers)

    async def server_of(self, campaign: int) -> int:
        """Return the server of a campaign; 0 for direct messages."""
        return await self._reader.server_of(campaign)

    async def channels(self, campaign: int) -> set[int]:
        """Return the channels in which a campaign is played."""
        return await self._reader.channels(campaign)


def _steps_with(steps: Sequence[LogStep], numbers: Collection[int]) -> list[LogStep]:
    return [step for step in History(steps) if step.number in numbers]


def _in_force(steps: Sequence[LogStep], since: int) -> list[LogStep]:
    return [step for step in History(steps).in_force() if step.number >= since]


def _facts_in(
    steps: Sequence[LogStep], kinds: tuple[type[Fact], ...], since: int
) -> list[tuple[LogStep, Fact]]:
    wanted = [step for step in _in_force(steps, since) if codec.may_hold(step.written, *kinds)]
    return [(step, fact) for step in wanted for fact in step.facts if isinstance(fact, kinds)]


@dataclass(frozen=True, slots=True)
class Held:
    """What a process holds: cached campaigns with their size in bytes, and pending writes."""

    campaigns: int
    bytes: int
    writes: int


Check = Callable[[Table, Table], None]
"""May refuse a walk from one table to another."""


def _fine(before: Table, after: Table) -> None:
    """Any walk is fine."""


class Ledger:
    """The campaigns of a database.

    Methods that record take the id of the interaction, 0 for none: a repeated one changes nothing and returns
    the entry that it made before. They raise whatever the rule raises, other refusals as RuleError, and
    recorder.Busy if there is too much contention.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        owner: Owner | None = None,
        campaigns_per_guild: int = 0,
        cache: int = LIMIT,
        watch: MetricsHooks = NO_METRICS,
        clock: Clock = SYSTEM,
    ) -> None:
        self._engine = engine
        self._owner = owner
        self.watch = watch
        self.clock = clock
        self.process = ""
        """The name under which others can replace this process; empty if they can't."""
        self._recorder = Recorder(engine, cache, is_alone=owner is not None, watch=watch, clock=clock)
        self._reader = self._recorder.reader
        self.turns = Turns(engine, clock)
        self.shown = (ShownMessages if owner is None else RememberedMessages)(self._recorder)
        self.upkeep = Upkeep(engine, self._recorder, self.shown)
        self.places = Places(self._recorder, campaigns_per_guild, self.upkeep)
        self.servers = Servers(self._reader, clock)
        self.people = People(engine, self._recorder)
        self.pins = Pins(self._recorder, is_alone=owner is not None)
        self.notes = Notes(self._recorder)
        self.past = StepHistory(self._reader, self.shown, self.notes, is_alone=owner is not None)
        self.quiet_hours = AllQuietHours(self.notes)
        self.introductions = Introductions(self.notes)
        self.builds = Builds(self._recorder)
        self.waiting = WaitingStore(self._recorder)
        self.whispers = Whispers(self._recorder)
        self.spoken = SpokenMessages(self._recorder)
        self.quotes = Quotes(self._recorder)
        self.portraits = Portraits(self._recorder)
        self.jobs = JobTable(self._recorder)
        """What is due at a time."""
        self.scene_threads = NotedThreads(self._recorder, self.notes, is_alone=owner is not None)
        self.step_logs = StepLogs(self._recorder, self.jobs, is_alone=owner is not None)

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
        process: str = "",
        watch: MetricsHooks = NO_METRICS,
        clock: Clock = SYSTEM,
    ) -> "Ledger":
        """Open the ledger of a database, with a cache of about `cache` bytes.

        `campaigns_per_guild` limits the campaigns of a server; 0 means no limit. The database must have been
        migrated, unless `migrates` is set: that backs it up to `copies` first, and runs in a separate process
        if `apart`. This process then owns a SQLite file, unless it is `shared`. `prunes` deletes expired
        data. PostgreSQL is used over at most `connections` connections; if it is unavailable, the ledger
        waits for `patience` seconds. Once others have replaced this `process`, methods raise engine.Replaced.
        Raises what migrate.migrate raises; engine.Occupied if another process owns the file.
        """
        engine = connect(url, BOT, Patience(patience, clock), connections, process)
        # The file is owned before its tables are changed: a second bot is refused before it touches them.
        owner = Owner(file_of(engine)) if is_sqlite(engine) and not shared else None
        try:
            if migrates:
                await (migrate_apart if apart else migrate)(url, copies)
            ledger = cls(engine, owner, campaigns_per_guild, cache, watch, clock)
            ledger.process = process
            if prunes:
                await ledger.upkeep.prune()
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
        """Wait for an unavailable database again; undoes `hurry`."""
        patience_of(self._engine).begin()

    def hurry(self) -> None:
        """Stop waiting for an unavailable database."""
        patience_of(self._engine).end()

    async def close(self) -> None:
        """Write pending changes, then close the database."""
        self.hurry()
        # In this order: each writes through the next, and the file is ours until nothing does.
        await self.shown.close()
        await self._recorder.close()
        await self._engine.dispose()
        if self._owner is not None:
            self._owner.release()

    async def ping(self) -> None:
        """Run an empty query. Raises the driver's error if the database is unavailable."""
        async with self._engine.connect() as connection:
            await connection.exec_driver_sql("SELECT 1")

    def held(self) -> Held:
        """Return what this process holds now."""
        memory, writer = self._recorder.memory, self._recorder.writer
        return Held(campaigns=len(memory), bytes=memory.size, writes=writer.waiting)

    async def look(self, where: Place | NamedCampaign) -> Entry | None:
        """Return the newest entry of the campaign at a place, even if archived; None if there is none.

        A named campaign is found only from a place that may use it; see NamedCampaign.
        """
        if isinstance(where, NamedCampaign):
            newest = await self._recorder.named(where, self._recorder.seen_of)
        else:
            found = await self._recorder.seen(where)
            newest = found[1] if found else None
        if newest is None:
            return None
        # Who has looked at a table says the terms of the game with its words; most tables have none.
        if newest.entry.table.settings.words or SPEECH.get() is not ENGLISH:
            speak_as(newest.entry.table.settings.words)
        return newest.entry

    async def newest(self, campaign: int) -> Entry | None:
        """Return the newest entry of a campaign, even if deleted; None if there is no such campaign."""
        found = await self._recorder.seen_of(campaign)
        if found is None:
            return None
        if found.entry.table.settings.words or SPEECH.get() is not ENGLISH:  # as in `look`
            speak_as(found.entry.table.settings.words)
        return found.entry

    async def missing(self, campaign: int) -> TooLate:
        """Return what to raise for a named campaign that cannot be used from a place.

        It is a TableGone only if the campaign is deleted: others may still see what this person can't.
        """
        newest = await self.newest(campaign)
        return TableGone(GONE) if newest is None or newest.deleted else TooLate(GONE)

    async def append(
        self,
        where: Place | NamedCampaign,
        author: Author,
        interaction: int,
        rule: Drafting,
        *,
        build: object = None,
        is_long: bool = False,
    ) -> Entry:
        """Apply a rule to the campaign at a place; one starts if none is in play there.

        `build` replaces what the author is building; if `is_long`, the rule is applied beside the event loop.
        Raises TooLate if a named campaign is gone or cannot be used from that place.
        """
        apply = (lambda table: aside(author.id, rule, table)) if is_long else rule

        async def prepare() -> Recording:
            seat, newest = await self._current(where)
            if isinstance(where, Place) and (newest is None or newest.entry.table.archived):
                draft = await self._apply(apply, Table(), where, newest)
                await self.places.require_room(where.guild, draft)
                return plan_campaign(where, seat, newest, author, draft, at=self.clock.now())
            if newest is None:
                raise await self.missing(0 if isinstance(where, Place) else where.campaign)
            draft = await self._apply(apply, newest.entry.table, where, newest)
            if newest.entry.rolls_only:
                await self.places.require_room(newest.guild, draft)
            beside = () if build is None else building(newest.entry.campaign, author.id, build)
            return Recording((newest.entry.then(author, self.clock.now(), draft),), beside=beside)

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
        """Undo the newest step that `may` allows, or the step with that number.

        An older step is undone alone, or with all later ones if `back`. `check` receives the table before and
        after and may refuse. Raises NotAllowed if the step may not be undone, its subclass undo.Entangled if
        later steps build on it; Unknown if there is no such step.
        """

        async def prepare() -> Recording:
            travel = await self._travel(campaign, author, step)
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
        """Redo the step undone last, if `may` allows, or the step with that number.

        `check` receives the table before and after and may refuse. Raises NotAllowed if the step may not be
        redone, its subclass undo.Entangled if it conflicts with others; Unknown if there is no such step.
        """

        async def prepare() -> Recording:
            travel = await self._travel(campaign, author, step)
            return _checked(travel, await travel.redo(may, step), check)

        return await self._recorder.record(interaction, prepare)

    async def _current(self, where: Place | NamedCampaign) -> tuple[Binding | None, Newest | None]:
        if isinstance(where, Place):
            return await self._recorder.at(where) or (None, None)
        return None, await self._recorder.named(where, self._recorder.of)

    async def _apply(
        self,
        rule: Callable[[Table], Draft | Awaitable[Draft]],
        table: Table,
        where: Place | NamedCampaign,
        newest: Newest | None,
    ) -> Draft:
        """What the rule makes of the table. Raises Overtaken if it refused an old one."""
        try:
            draft = rule(table)
            return draft if isinstance(draft, Draft) else await draft
        except RuleError:
            if not await self._is_current(where, newest):
                raise Overtaken from None
            raise

    async def _is_current(self, where: Place | NamedCampaign, newest: Newest | None) -> bool:
        now = await self.look(where)
        if newest is None or now is None:
            return newest is None and now is None
        is_same = (now.campaign, now.number) == (newest.entry.campaign, newest.entry.number)
        return is_same and newest.has_happened

    async def _travel(self, campaign: int, author: Author, step: int | None) -> UndoPlan:
        newest = await known(self._recorder, campaign)
        return await UndoPlan.begin(self._recorder, newest.entry, author, self.clock.now(), step)


def _checked(travel: UndoPlan, plan: Recording, check: Check) -> Recording:
    """A plan that the check has let pass; where GMs stay by it, as if they had gone: that is theirs to do."""
    made = plan.entries[0]
    stays = any(isinstance(fact, Seated) for fact in made.facts)
    check(travel.newest.table, replace(made.table, gms={}) if stays else made.table)
    return plan
