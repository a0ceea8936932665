"""The channel in which each step of a campaign is told as well, and the lines that stand there."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.jobs import Job, JobTable
from bot.store.recorder import Recorder
from bot.store.schema import step_line, step_log
from bot.store.writer import Write

MOST, LEFT = 130, 100
"""So many lines of one campaign are known; where they are more, the latest are left: what can be undone."""
_LOG = select(step_log).where(step_log.c.campaign_id == bindparam("of"))
_LINES = select(step_line).where(step_line.c.campaign_id == bindparam("of")).order_by(step_line.c.number)


@dataclass(frozen=True, slots=True)
class StepLog:
    """Where the steps of a campaign are told; `parent` is the channel of a thread, 0 for a channel.

    `told` is the last step that was, or is about to be.
    """

    campaign: int
    place: int
    parent: int
    told: int


@dataclass(frozen=True, slots=True)
class StepLine:
    """The line of a step: the message that it stands in, and the message that answered the step, 0 for none.

    `sign` tells how the line was when it was written.
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
    """The channels in which steps are told. Where it `is_alone`, it remembers which campaigns have none."""

    def __init__(self, recorder: Recorder, jobs: JobTable, *, is_alone: bool = False) -> None:
        self._recorder = recorder
        self._jobs = jobs
        self._is_alone = is_alone
        self._without: set[int] = set()
        self._begun = 0
        self._write = _writing(recorder.insert)

    async def of(self, campaign: int) -> StepLog | None:
        """Where the steps of a campaign are told, if they are."""
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
        """Tell the steps of a campaign there from now on, and nowhere else."""
        row = {"campaign_id": log.campaign, "place_id": log.place, "parent_id": log.parent, "told": log.told}
        await self._recorder.write(*_gone(log.campaign), insert(step_log).values(row))
        self._begun += 1
        self._without.discard(log.campaign)

    async def end(self, log: StepLog, job: Job | None = None) -> None:
        """Tell the steps there no more, and have a job done about it: both or nothing, or it had ended."""
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
        """Be who tells the steps up to that one, which nobody else does then; whether that is so."""
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
        """The last lines of a campaign, the oldest first; all of each message."""
        rows = await self._recorder.reader.rows(_LINES, {"of": campaign})
        found = [
            StepLine(row.number, row.message_id, row.answer_place_id, row.answer_id, row.sign) for row in rows
        ]
        if len(found) <= MOST:
            return found
        kept = found[-LEFT].message
        await self._recorder.write(delete(step_line).where(_of(campaign), step_line.c.message_id < kept))
        return [line for line in found if line.message >= kept]

    async def learn(self, campaign: int, lines: Iterable[StepLine]) -> None:
        """These lines stand there."""
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
        """A message with lines is gone."""
        await self._recorder.write(delete(step_line).where(_of(campaign), step_line.c.message_id == message))


def _of(campaign: int) -> ColumnElement[bool]:
    return step_line.c.campaign_id == campaign


def _gone(campaign: int) -> tuple[Write, ...]:
    log = delete(step_log).where(step_log.c.campaign_id == campaign)
    return Write(delete(step_line).where(_of(campaign))), Write(log)
