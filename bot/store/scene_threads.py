"""The threads in which scenes are played: which one each campaign has, as a note."""

import re
from collections.abc import Set
from dataclasses import dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.notes import Notes
from bot.store.recorder import Recorder
from bot.store.schema import THREAD, note
from rules.values import replace


@dataclass(frozen=True, slots=True)
class SceneThread:
    """The thread of a campaign's scene, its channel, and the step that began the scene.

    The step is 0 once the scene's story is told, or about to be: what is left is to put the thread away.
    """

    campaign: int
    thread: int
    channel: int
    step: int

    @property
    def told(self) -> "SceneThread":
        """The same, its story told."""
        return replace(self, step=0)

    @property
    def key(self) -> str:
        """Under what it is noted."""
        return f"{THREAD}{self.campaign}"

    @property
    def value(self) -> str:
        """As what it is noted."""
        return f"{self.thread}:{self.channel}:{self.step}"


class NotedThreads:
    """The threads of scenes. Where it `is_alone`, it knows which campaigns have one."""

    def __init__(self, recorder: Recorder, notes: Notes, *, is_alone: bool = False) -> None:
        self._recorder = recorder
        self._notes = notes
        self._is_alone = is_alone
        self._known: set[int] | None = None
        self._begun_before_known: set[int] = set()
        self._begun = 0

    async def look(self) -> Set[int] | None:
        """The campaigns that have one, which this keeps up to date; None where others may give them one."""
        if self._is_alone and self._known is None:
            wanted = select(note.c.key).where(note.c.key.startswith(THREAD), note.c.value != "")
            found = [row.key.removeprefix(THREAD) for row in await self._recorder.reader.rows(wanted)]
            if self._known is None:  # another look may have ended first
                noted = {int(campaign) for campaign in found if campaign.isdecimal()}
                self._known = noted | self._begun_before_known
        return self._known

    async def of(self, campaign: int) -> SceneThread | None:
        """The thread of a campaign, if it has one."""
        begun = self._begun
        # An ended scene's was once noted as nothing.
        noted = await self._notes.read(f"{THREAD}{campaign}") or ""
        if re.fullmatch("[0-9]+:[0-9]+:[0-9]+", noted):
            return SceneThread(campaign, *map(int, noted.split(":")))
        if self._known is not None and begun == self._begun:
            self._known.discard(campaign)
        return None

    async def begin(self, one: SceneThread) -> None:
        """A scene has this thread from now on, instead of the one that its campaign has."""
        await self._notes.keep(one.key, one.value)
        self._begun += 1
        (self._begun_before_known if self._known is None else self._known).add(one.campaign)

    async def claim(self, one: SceneThread) -> bool:
        """Be who tells the scene's story, which nobody else does then; whether that is so."""
        is_ours = False

        async def take(connection: AsyncConnection) -> None:
            nonlocal is_ours
            taken = update(note).where(note.c.key == one.key, note.c.value == one.value)
            # Of several that read the same note, the first changes it.
            is_ours = (await connection.execute(taken.values(value=one.told.value))).rowcount == 1

        await self._recorder.write(last=take)
        return is_ours

    async def end(self, one: SceneThread) -> None:
        """It is put away, and is the thread of no scene any more."""
        await self._recorder.write(delete(note).where(note.c.key == one.key, note.c.value == one.value))
