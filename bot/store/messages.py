"""Messages that the bot keeps up to date: rolls, pins, spoken lines, scene threads, the log."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Set
from dataclasses import asdict, dataclass
from datetime import timedelta
from enum import Enum, auto
from functools import cache
from itertools import chain
from typing import Any

import structlog
from sqlalchemy import ColumnElement, Executable, bindparam, delete, exists, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import schema
from bot.store.history import Pin
from bot.store.jobs import Job, JobTable
from bot.store.pending import Notes
from bot.store.recorder import Recorder
from bot.store.schema import BEHIND, THREAD, note, shown, spoken, step_line, step_log
from bot.store.writer import PendingWrite, Write
from rules.values import replace

log = structlog.get_logger(__name__)

SHOWN_KEPT = timedelta(days=60)
"""How long it is known that a message shows a roll; its buttons work longer."""
MESSAGES = 3
"""So many messages of one roll are followed, the latest."""
MOST, LEFT = 120, 90
"""So many messages of one campaign are known; where they are more, the latest are left."""


KNOWN = 2_000
"""The messages of so many campaigns are kept in memory: of each at most `MOST`, most have ten."""
PAUSE = 1.0
"""Seconds between two writes of the messages that were learned; each writes all of them."""

_OF = select(shown).where(shown.c.campaign_id == bindparam("of")).order_by(shown.c.message_id)
_CHANGE = update(shown).where(shown.c.message_id == bindparam("of")).values(sign=bindparam("now"))
_FORGET = delete(shown).where(shown.c.message_id == bindparam("of"))


@cache
def _adding(insert: Callable[..., Any]) -> Any:
    """Write down what a message shows, whatever is written of it, unless its campaign has been erased."""
    ours = exists().where(schema.campaign.c.id == bindparam("its_campaign_id"))
    row = select(*(bindparam(f"its_{column.name}", type_=column.type) for column in shown.c)).where(ours)
    new = insert(shown)
    changed = {column.name: new.excluded[column.name] for column in shown.c if not column.primary_key}
    added = new.from_select([column.name for column in shown.c], row)
    return added.on_conflict_do_update(index_elements=["message_id"], set_=changed)


@dataclass(frozen=True, slots=True)
class ShownRoll:
    """A message that shows a roll.

    `sign` is the checksum of the roll as shown, 0 if it is closed, `BEHIND` if the message is older.
    """

    message: int
    roll: int
    guild: int
    channel: int
    sign: int


class ShownMessages:
    """The messages that show rolls."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._add = _adding(recorder.insert)

    async def learn(self, campaign: int, one: ShownRoll) -> None:
        """Record that a message shows a roll of a campaign."""
        await self._recorder.write(self._adding(campaign, one))

    def _adding(self, campaign: int, one: ShownRoll) -> Write:
        row = {
            "its_message_id": one.message,
            "its_campaign_id": campaign,
            "its_roll": one.roll,
            "its_guild_id": one.guild,
            "its_channel_id": one.channel,
            "its_sign": one.sign,
            "its_at": self._recorder.clock.now(),
        }
        return Write(self._add, values=row)

    async def of(self, campaign: int) -> list[ShownRoll]:
        """Return the messages of a campaign's rolls, oldest first; only the latest ones of each roll."""
        found = await self._read(campaign)
        if len(found) > MOST:
            ours = (shown.c.campaign_id == campaign, shown.c.message_id < found[-LEFT].message)
            await self._recorder.write(delete(shown).where(*ours))
        return _latest(found)

    async def _read(self, campaign: int) -> list[ShownRoll]:
        rows = await self._recorder.reader.rows(_OF, {"of": campaign})
        return [ShownRoll(row.message_id, row.roll, row.guild_id, row.channel_id, row.sign) for row in rows]

    async def is_still(self, campaign: int, one: ShownRoll) -> bool:
        """Return whether the message still shows its roll as it did when it was read."""
        sign: int | None = await self._recorder.reader.value(
            select(shown.c.sign).where(shown.c.message_id == one.message)
        )
        return sign == one.sign

    async def change(self, campaign: int, one: ShownRoll, sign: int) -> None:
        """Record that the message shows its roll differently, unless another change came first."""
        ours = (shown.c.message_id == one.message, shown.c.sign == one.sign)
        await self._recorder.write(update(shown).where(*ours).values(sign=sign))

    async def put_off(self, campaign: int, one: ShownRoll) -> None:
        """Record that a message shows an older roll, because it could not be edited yet."""
        await self.change(campaign, one, BEHIND)

    async def forget(self, campaign: int, one: ShownRoll) -> None:
        """Stop tracking a message."""
        await self._recorder.write(delete(shown).where(shown.c.message_id == one.message))

    async def write(self) -> None:
        """Write pending changes."""

    async def reread(self) -> None:
        """Discard what was read, because others have changed the rows."""

    async def close(self) -> None:
        """Write pending changes before the database is closed."""


class RememberedMessages(ShownMessages):
    """A cache of ShownMessages for when no other process writes: reads once, and writes once a second.

    Most rolls are shown, changed and closed between two commands, so writing each change would cost more than
    the steps themselves. The first change is written at once, and those of the next second together. A new
    message is written with the next step of its campaign at the latest, in the same commit: if the process is
    killed before it has edited the message, the next start does. If it is killed before all that, the message
    follows its roll again from the next press of one of its buttons.
    """

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder)
        self._known: OrderedDict[int, dict[int, ShownRoll]] = OrderedDict()
        self._unwritten: dict[int, dict[int, _Unwritten]] = {}
        """The changed messages by campaign and message."""
        self._let_go = 0
        self._soon: asyncio.Task[None] | None = None

    async def learn(self, campaign: int, one: ShownRoll) -> None:
        """Record that a message shows a roll of a campaign."""
        before = self._known.get(campaign, {}).get(one.message)
        is_new = before is None or before.roll != one.roll
        # Before the others are read: the next step may come meanwhile.
        self._later(campaign, one, _Fate.LEARNED if is_new else _Fate.CHANGED)
        messages = await self._of(campaign)
        # They are in the order of their ids.
        is_late = one.message not in messages and one.message < next(reversed(messages), 0)
        messages[one.message] = one
        if is_late:  # the oldest first
            self._known[campaign] = dict(sorted(messages.items()))
        for each in (
            sorted(messages.values(), key=lambda each: each.message)[:-LEFT] if len(messages) > MOST else ()
        ):
            await self.forget(campaign, each)

    async def of(self, campaign: int) -> list[ShownRoll]:
        """Return the messages of a campaign's rolls, oldest first; only the latest ones of each roll."""
        return _latest((await self._of(campaign)).values())

    async def is_still(self, campaign: int, one: ShownRoll) -> bool:
        """Return whether the message still shows its roll as it did when it was read."""
        return (await self._of(campaign)).get(one.message) == one

    async def change(self, campaign: int, one: ShownRoll, sign: int) -> None:
        """Record that the message shows its roll differently, unless another change came first."""
        messages = await self._of(campaign)
        if messages.get(one.message) == one:
            messages[one.message] = now = replace(one, sign=sign)
            self._later(campaign, now, _Fate.CHANGED)

    async def forget(self, campaign: int, one: ShownRoll) -> None:
        """Stop tracking a message."""
        if (await self._of(campaign)).pop(one.message, None) is not None:
            self._later(campaign, one, _Fate.FORGOTTEN)

    async def write(self) -> None:
        """Write pending changes."""
        batch = list(chain.from_iterable(map(dict.values, self._unwritten.values())))
        if not batch:
            return
        learned, changed, forgotten = ([each for each in batch if each.fate is fate] for fate in _Fate)
        await self._recorder.write(
            *(self._adding(each.campaign, each.one) for each in learned),
            *(Write(_CHANGE, values={"of": each.one.message, "now": each.one.sign}) for each in changed),
            *(Write(_FORGET, values={"of": each.one.message}) for each in forgotten),
        )
        self._note_written(batch)

    def _add_new(self, change: PendingWrite) -> None:
        """Let the new messages of a campaign be written with its step, which may be the one they miss."""
        waiting = chain.from_iterable(self._unwritten.get(each, {}).values() for each in change.campaigns)
        learned = [each for each in waiting if each.fate is _Fate.LEARNED]
        change.after += [self._adding(each.campaign, each.one) for each in learned]
        change.written.add_done_callback(
            lambda written: None if written.exception() else self._note_written(learned)
        )

    def _note_written(self, batch: Iterable["_Unwritten"]) -> None:
        for each in batch:
            waiting = self._unwritten.get(each.campaign, {})
            if waiting.get(each.one.message) is each:  # otherwise it has changed in the meantime
                del waiting[each.one.message]
                if not waiting:
                    del self._unwritten[each.campaign], self._recorder.beside[each.campaign]

    async def reread(self) -> None:
        """Discard what was read, because others have changed the rows."""
        self._let_go += 1
        # Those that are not all written yet are known here alone.
        self._known = OrderedDict((of, known) for of, known in self._known.items() if of in self._unwritten)

    async def close(self) -> None:
        """Write pending changes before the database is closed."""
        if self._soon is not None:
            self._soon.cancel()
            await asyncio.wait([self._soon])  # raises nothing that it raises
        try:
            await self.write()
        except Exception as error:
            count = sum(map(len, self._unwritten.values()))
            log.warning("roll messages not saved", count=count, exc_info=error)

    async def _of(self, campaign: int) -> dict[int, ShownRoll]:
        """The messages of a campaign by their ids, to be changed."""
        while (messages := self._known.get(campaign)) is None:
            before = self._let_go
            found = await self._read(campaign)
            if before == self._let_go:  # else what was read may be older than what was let go of meanwhile
                self._known.setdefault(campaign, {one.message: one for one in found})
        self._known.move_to_end(campaign)
        if len(self._known) > KNOWN:
            self._make_room()
        return messages

    def _make_room(self) -> None:
        """Let go of the campaign that was used least lately, if all of it is written."""
        oldest = next(iter(self._known))
        if oldest not in self._unwritten:
            del self._known[oldest]
            self._let_go += 1

    def _later(self, campaign: int, one: ShownRoll, fate: "_Fate") -> None:
        waiting = self._unwritten.setdefault(campaign, {})
        before = waiting.get(one.message)
        # It is still to be added: an UPDATE alone would find no row.
        if before is not None and before.fate is _Fate.LEARNED and fate is _Fate.CHANGED:
            fate = _Fate.LEARNED
        waiting[one.message] = _Unwritten(campaign, one, fate)
        self._recorder.beside[campaign] = self._add_new
        if self._soon is None:
            self._soon = asyncio.create_task(self._write_soon(), name="messages of rolls")

    async def _write_soon(self) -> None:
        try:
            while self._unwritten:
                try:
                    await self.write()
                except Exception as error:  # it stays in memory, and is tried again
                    log.warning("roll messages not saved yet", exc_info=error)
                await self._recorder.clock.sleep(PAUSE)
        finally:
            self._soon = None


class _Fate(Enum):
    """What became of a message, in the order in which it is written."""

    LEARNED = auto()
    CHANGED = auto()
    FORGOTTEN = auto()


@dataclass(frozen=True, slots=True)
class _Unwritten:
    """A message of a campaign, as the database does not have it yet."""

    campaign: int
    one: ShownRoll
    fate: _Fate


def _latest(found: Iterable[ShownRoll]) -> list[ShownRoll]:
    """The latest messages of each roll."""
    by_roll: dict[int, list[ShownRoll]] = {}
    for one in found:
        by_roll.setdefault(one.roll, []).append(one)
    return [one for messages in by_roll.values() for one in messages[-MESSAGES:]]


class Pins:
    """The pinned messages of all campaigns."""

    def __init__(self, recorder: Recorder, *, is_alone: bool) -> None:
        self._recorder = recorder
        self._is_alone = is_alone
        self._known: dict[int, list[Pin]] = {}
        self._moves = 0

    async def of(self, campaign: int) -> list[Pin]:
        """Return the pinned messages of a campaign.

        Needed after every change, so it is cached until it may have changed.
        """
        if self._recorder.moves != self._moves:
            self._known.clear()
            self._moves = self._recorder.moves
        known = self._known.get(campaign)
        if known is not None:
            return known
        moves = self._moves
        pins = await self._recorder.reader.pins(campaign)
        # Not where a pin was set while this was read.
        if self._is_alone and moves == self._moves == self._recorder.moves:
            self._known[campaign] = pins
        return pins

    async def at(self, channel: int) -> Pin | None:
        """Return the pinned message of a channel; None for none."""
        return await self._recorder.reader.pin_at(channel)

    async def find_left(self, channel: int) -> list[Pin]:
        """Return the pinned messages in a channel and its threads that show no campaign any more."""
        return await self._recorder.reader.find_left_pins(channel)

    async def keep(self, channel: int, message: int | None, parent: int = 0) -> None:
        """Record the pinned message of a channel or thread, or with None that it has none."""
        old = delete(schema.pin).where(schema.pin.c.channel_id == channel)
        row = {"channel_id": channel, "message_id": message, "parent_id": parent}
        await self._recorder.write(old, *([] if message is None else [insert(schema.pin).values(row)]))
        self._recorder.moves += 1

    async def replace(self, old: Pin, new: Pin) -> bool:
        """Record a pin's new message and state; return False if the old message is not the pinned one."""
        replaced = [0]

        async def put(connection: AsyncConnection) -> None:
            ours = (schema.pin.c.channel_id == old.channel, schema.pin.c.message_id == old.message)
            values = {"message_id": new.message, "state": new.state}
            done = await connection.execute(update(schema.pin).where(*ours).values(values))
            replaced[:] = [done.rowcount]

        await self._recorder.write(last=put)
        self._recorder.moves += 1
        return replaced == [1]


SPOKEN_KEPT = timedelta(days=365)
"""How long a message can be taken back."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A spoken line: its message, campaign, channel, speaker, and webhook (0 for the bot)."""

    message_id: int
    campaign_id: int
    player_id: int
    channel_id: int
    webhook_id: int


class SpokenMessages:
    """The spoken messages that can still be deleted by their speaker."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    async def learn(self, one: Spoken) -> None:
        """Record a spoken message."""
        await self._recorder.write(insert(spoken).values(**asdict(one), at=self._recorder.clock.now()))

    async def find(self, message: int) -> Spoken | None:
        """Return a spoken message; None if it cannot be deleted by its speaker."""
        rows = await self._recorder.reader.rows(select(spoken).where(spoken.c.message_id == message))
        return next((_read(row._mapping) for row in rows), None)

    async def forget(self, message: int) -> None:
        """Stop tracking a message."""
        await self._recorder.write(delete(spoken).where(spoken.c.message_id == message))


def _read(row: object) -> Spoken:
    return Spoken(**{name: row[name] for name in Spoken.__slots__})  # type: ignore[index]


@dataclass(frozen=True, slots=True)
class SceneThread:
    """The thread of a campaign's scene, its channel, and the step that started the scene.

    The step is 0 once the scene's story is told or about to be; then the thread only needs to be archived.
    """

    campaign: int
    thread: int
    channel: int
    step: int

    @property
    def told(self) -> "SceneThread":
        """A copy whose story is told."""
        return replace(self, step=0)

    @property
    def key(self) -> str:
        """The key of its note."""
        return f"{THREAD}{self.campaign}"

    @property
    def value(self) -> str:
        """The value of its note."""
        return f"{self.thread}:{self.channel}:{self.step}"


class NotedThreads:
    """The threads of scenes. If `is_alone`, caches which campaigns have one."""

    def __init__(self, recorder: Recorder, notes: Notes, *, is_alone: bool = False) -> None:
        self._recorder = recorder
        self._notes = notes
        self._is_alone = is_alone
        self._known: set[int] | None = None
        self._begun_before_known: set[int] = set()
        self._begun = 0

    async def look(self) -> Set[int] | None:
        """Return a live set of the campaigns that have a thread; None if other processes write, too."""
        if self._is_alone and self._known is None:
            wanted = select(note.c.key).where(note.c.key.startswith(THREAD), note.c.value != "")
            found = [row.key.removeprefix(THREAD) for row in await self._recorder.reader.rows(wanted)]
            if self._known is None:  # another look may have ended first
                noted = {int(campaign) for campaign in found if campaign.isdecimal()}
                self._known = noted | self._begun_before_known
        return self._known

    async def of(self, campaign: int) -> SceneThread | None:
        """Return the thread of a campaign; None for none."""
        begun = self._begun
        # An ended scene's was once noted as nothing.
        noted = await self._notes.read(f"{THREAD}{campaign}") or ""
        if re.fullmatch("[0-9]+:[0-9]+:[0-9]+", noted):
            return SceneThread(campaign, *map(int, noted.split(":")))
        if self._known is not None and begun == self._begun:
            self._known.discard(campaign)
        return None

    async def begin(self, one: SceneThread) -> None:
        """Record the thread of a scene, replacing the campaign's earlier one."""
        await self._notes.keep(one.key, one.value)
        self._begun += 1
        (self._begun_before_known if self._known is None else self._known).add(one.campaign)

    async def claim(self, one: SceneThread, *then: Executable) -> bool:
        """Claim the telling of a scene's story, which only one process may do; return whether it got it.

        Runs `then` in the same transaction if it did.
        """
        is_ours = False

        async def take(connection: AsyncConnection) -> None:
            nonlocal is_ours
            taken = update(note).where(note.c.key == one.key, note.c.value == one.value)
            # Of several that read the same note, the first changes it.
            is_ours = (await connection.execute(taken.values(value=one.told.value))).rowcount == 1
            for statement in then if is_ours else ():
                await connection.execute(statement)

        await self._recorder.write(last=take)
        return is_ours

    async def end(self, one: SceneThread) -> None:
        """Record that the thread is archived and belongs to no scene any more."""
        await self._recorder.write(delete(note).where(note.c.key == one.key, note.c.value == one.value))


MOST_LINES, LINES_LEFT = 130, 100
"""So many lines of one campaign are known; where they are more, the latest are left: what can be undone."""
_LOG = select(step_log).where(step_log.c.campaign_id == bindparam("of"))
_LINES = select(step_line).where(step_line.c.campaign_id == bindparam("of")).order_by(step_line.c.number)


@dataclass(frozen=True, slots=True)
class StepLog:
    """The log channel of a campaign; `parent` is the channel of a thread, 0 for a channel.

    `told` is the number of the last step posted, or about to be.
    """

    campaign: int
    place: int
    parent: int
    told: int


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step's line in the log channel: its message, and the message that answered the step, 0 for none.

    `sign` is the checksum of the line when it was written.
    """

    number: int
    message: int
    answer_place: int
    answer: int
    sign: int


@cache
def _writing(insert: Callable[..., Any]) -> Any:
    """Write down where a line stands, whatever is written of it."""
    new = insert(step_line)
    changed = {column.name: new.excluded[column.name] for column in step_line.c if not column.primary_key}
    return new.on_conflict_do_update(index_elements=["campaign_id", "number"], set_=changed)


class StepLogs:
    """The log channels. If `is_alone`, caches which campaigns have none."""

    def __init__(self, recorder: Recorder, jobs: JobTable, *, is_alone: bool = False) -> None:
        self._recorder = recorder
        self._jobs = jobs
        self._is_alone = is_alone
        self._without: set[int] = set()
        self._begun = 0
        self._write = _writing(recorder.insert)

    async def of(self, campaign: int) -> StepLog | None:
        """Return the log channel of a campaign; None for none."""
        if campaign in self._without:
            return None
        begun = self._begun
        row = await self._recorder.reader.first(_LOG, {"of": campaign})
        if row is not None:
            return StepLog(row.campaign_id, row.place_id, row.parent_id, row.told)
        if self._is_alone and begun == self._begun:
            self._without.add(campaign)
        return None

    async def begin(self, log: StepLog) -> None:
        """Set the log channel of a campaign, replacing the earlier one."""
        row = {"campaign_id": log.campaign, "place_id": log.place, "parent_id": log.parent, "told": log.told}
        await self._recorder.write(*_gone(log.campaign), insert(step_log).values(row))
        self._begun += 1
        self._without.discard(log.campaign)

    async def end(self, log: StepLog, job: Job | None = None) -> None:
        """Remove a log channel and store a job for what remains to be done, atomically.

        Has no effect if the log was removed already.
        """
        is_ended = False

        async def let_go(connection: AsyncConnection) -> None:
            nonlocal is_ended
            ours = (step_log.c.campaign_id == log.campaign, step_log.c.place_id == log.place)
            is_ended = (await connection.execute(delete(step_log).where(*ours))).rowcount == 1
            if is_ended:
                await connection.execute(delete(step_line).where(step_line.c.campaign_id == log.campaign))
                for statement in () if job is None else self._jobs.putting(job):
                    await connection.execute(statement)

        await self._recorder.write(last=let_go)
        if is_ended and job is not None:
            self._jobs.changed.set()

    async def claim(self, log: StepLog, until: int) -> bool:
        """Claim the posting of steps up to `until`, so that only one process does it; return its success."""
        is_ours = False

        async def take(connection: AsyncConnection) -> None:
            nonlocal is_ours
            same = (step_log.c.place_id == log.place, step_log.c.told == log.told)
            taken = update(step_log).where(step_log.c.campaign_id == log.campaign, *same).values(told=until)
            # Of several processes that read the same `told`, the first changes it.
            is_ours = (await connection.execute(taken)).rowcount == 1

        await self._recorder.write(last=take)
        return is_ours

    async def lines(self, campaign: int) -> list[StepLine]:
        """Return the last lines of a campaign's log, oldest first; complete for each message."""
        rows = await self._recorder.reader.rows(_LINES, {"of": campaign})
        found = [
            StepLine(row.number, row.message_id, row.answer_place_id, row.answer_id, row.sign) for row in rows
        ]
        if len(found) <= MOST_LINES:
            return found
        kept = found[-LINES_LEFT].message
        await self._recorder.write(delete(step_line).where(_of(campaign), step_line.c.message_id < kept))
        return [line for line in found if line.message >= kept]

    async def learn(self, campaign: int, lines: Iterable[StepLine]) -> None:
        """Record lines that were posted."""
        rows = [
            {
                "campaign_id": campaign,
                "number": line.number,
                "message_id": line.message,
                "answer_place_id": line.answer_place,
                "answer_id": line.answer,
                "sign": line.sign,
            }
            for line in lines
        ]
        await self._recorder.write(*(Write(self._write, values=row) for row in rows))

    async def forget(self, campaign: int, message: int) -> None:
        """Stop tracking a message with lines."""
        await self._recorder.write(delete(step_line).where(_of(campaign), step_line.c.message_id == message))


def _of(campaign: int) -> ColumnElement[bool]:
    return step_line.c.campaign_id == campaign


def _gone(campaign: int) -> tuple[Write, ...]:
    log = delete(step_log).where(step_log.c.campaign_id == campaign)
    return Write(delete(step_line).where(_of(campaign))), Write(log)
