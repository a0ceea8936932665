"""Which messages show rolls, and as what: known after a restart, and to every process."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import cache
from typing import Any

import structlog
from sqlalchemy import bindparam, delete, exists, select, update

from bot.store import schema
from bot.store.recorder import Recorder
from bot.store.schema import shown
from bot.store.writer import Write
from rules.values import replace

log = structlog.get_logger(__name__)

KEPT = timedelta(days=60)
"""How long it is known that a message shows a roll; its buttons work longer."""
MESSAGES = 3
"""So many messages of one roll are followed, the latest."""
MOST, LEFT = 120, 90
"""So many messages of one campaign are known; where they are more, the latest are left."""


KNOWN = 2_000
"""The messages of so many campaigns are kept in memory: of each at most `MOST`, most have ten."""
PAUSE = 5.0
"""Seconds after which what was learned is written down, all at once."""

_OF = select(shown).where(shown.c.campaign_id == bindparam("of")).order_by(shown.c.message_id)
_CHANGE = update(shown).where(shown.c.message_id == bindparam("of")).values(sign=bindparam("now"))
_FORGET = delete(shown).where(shown.c.message_id == bindparam("of"))


@cache
def _learning(insert: Callable[..., Any]) -> Any:
    """Write down what a message shows, whatever is written of it."""
    new = insert(shown)
    changed = {column.name: new.excluded[column.name] for column in shown.c if not column.primary_key}
    return new.on_conflict_do_update(index_elements=["message_id"], set_=changed)


@cache
def _adding(insert: Callable[..., Any]) -> Any:
    """The same, unless its campaign has been erased before that: it is nobody's then."""
    ours = exists().where(schema.campaign.c.id == bindparam("its_campaign_id"))
    row = select(*(bindparam(f"its_{column.name}", type_=column.type) for column in shown.c)).where(ours)
    new = insert(shown)
    changed = {column.name: new.excluded[column.name] for column in shown.c if not column.primary_key}
    added = new.from_select([column.name for column in shown.c], row)
    return added.on_conflict_do_update(index_elements=["message_id"], set_=changed)


@dataclass(frozen=True, slots=True)
class ShownRoll:
    """A message that shows a roll; `sign` tells how the roll was when it was shown, 0 that it is closed."""

    message: int
    roll: int
    guild: int
    channel: int
    sign: int


class ShownMessages:
    """The messages that show rolls."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._learn = _learning(recorder.insert)

    async def learn(self, campaign: int, one: ShownRoll) -> None:
        """A message shows a roll of a campaign."""
        await self._recorder.write(Write(self._learn, values=_row(campaign, one, self._recorder.clock.now())))

    async def of(self, campaign: int) -> list[ShownRoll]:
        """The messages of a campaign's rolls, the oldest first; the latest ones of each roll."""
        found = await self._read(campaign)
        if len(found) > MOST:
            ours = (shown.c.campaign_id == campaign, shown.c.message_id < found[-LEFT].message)
            await self._recorder.write(delete(shown).where(*ours))
        return _latest(found)

    async def _read(self, campaign: int) -> list[ShownRoll]:
        rows = await self._recorder.reader.rows(_OF, {"of": campaign})
        return [ShownRoll(row.message_id, row.roll, row.guild_id, row.channel_id, row.sign) for row in rows]

    async def is_still(self, campaign: int, one: ShownRoll) -> bool:
        """Whether that message shows its roll as it did when it was looked up."""
        sign: int | None = await self._recorder.reader.value(
            select(shown.c.sign).where(shown.c.message_id == one.message)
        )
        return sign == one.sign

    async def change(self, campaign: int, one: ShownRoll, sign: int) -> None:
        """The message shows its roll otherwise now, unless it was shown yet otherwise meanwhile."""
        ours = (shown.c.message_id == one.message, shown.c.sign == one.sign)
        await self._recorder.write(update(shown).where(*ours).values(sign=sign))

    async def forget(self, campaign: int, one: ShownRoll) -> None:
        """The message is gone, or is not followed any more."""
        await self._recorder.write(delete(shown).where(shown.c.message_id == one.message))

    async def write(self) -> None:
        """Write down what is not written yet."""

    async def reread(self) -> None:
        """Others have changed what is written: look it up anew."""

    async def close(self) -> None:
        """Write down what is not written yet, before the database is closed."""


class RememberedMessages(ShownMessages):
    """The same where no other process writes to the database: read once, and written down a little later.

    Most rolls are shown, changed and closed between two commands, so what is written one by one would cost
    more than the steps themselves. A process that is killed takes what it has learned last with it: such a
    message follows its roll again from the next press on it, which tells of it anew.
    """

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder)
        self._known: OrderedDict[int, dict[int, ShownRoll]] = OrderedDict()
        self._unwritten: dict[int, _Unwritten] = {}
        self._let_go = 0
        self._soon: asyncio.Task[None] | None = None
        self._add = _adding(recorder.insert)

    async def learn(self, campaign: int, one: ShownRoll) -> None:
        """A message shows a roll of a campaign."""
        messages = await self._of(campaign)
        # They are in the order of their ids.
        is_late = one.message not in messages and one.message < next(reversed(messages), 0)
        messages[one.message] = one
        self._later(campaign, one, _Fate.LEARNED)
        if is_late:  # the oldest first
            self._known[campaign] = dict(sorted(messages.items()))
        for each in (
            sorted(messages.values(), key=lambda each: each.message)[:-LEFT] if len(messages) > MOST else ()
        ):
            await self.forget(campaign, each)

    async def of(self, campaign: int) -> list[ShownRoll]:
        """The messages of a campaign's rolls, the oldest first; the latest ones of each roll."""
        return _latest((await self._of(campaign)).values())

    async def is_still(self, campaign: int, one: ShownRoll) -> bool:
        """Whether that message shows its roll as it did when it was looked up."""
        return (await self._of(campaign)).get(one.message) == one

    async def change(self, campaign: int, one: ShownRoll, sign: int) -> None:
        """The message shows its roll otherwise now, unless it was shown yet otherwise meanwhile."""
        messages = await self._of(campaign)
        if messages.get(one.message) == one:
            messages[one.message] = now = replace(one, sign=sign)
            self._later(campaign, now, _Fate.CHANGED)

    async def forget(self, campaign: int, one: ShownRoll) -> None:
        """The message is gone, or is not followed any more."""
        if (await self._of(campaign)).pop(one.message, None) is not None:
            self._later(campaign, one, _Fate.FORGOTTEN)

    async def write(self) -> None:
        """Write down what is not written yet."""
        batch = dict(self._unwritten)
        if not batch:
            return
        learned, changed, forgotten = (
            [each for each in batch.values() if each.fate is fate] for fate in _Fate
        )
        now = self._recorder.clock.now()
        added = (
            {f"its_{name}": value for name, value in _row(each.campaign, each.one, now).items()}
            for each in learned
        )
        await self._recorder.write(
            *(Write(self._add, values=row) for row in added),
            *(Write(_CHANGE, values={"of": each.one.message, "now": each.one.sign}) for each in changed),
            *(Write(_FORGET, values={"of": each.one.message}) for each in forgotten),
        )
        for message, each in batch.items():
            if self._unwritten.get(message) is each:  # else it has become otherwise meanwhile
                del self._unwritten[message]

    async def reread(self) -> None:
        """Others have changed what is written: look it up anew."""
        self._let_go += 1
        # Those that are not all written yet are known here alone.
        busy = {each.campaign for each in self._unwritten.values()}
        self._known = OrderedDict((of, messages) for of, messages in self._known.items() if of in busy)

    async def close(self) -> None:
        """Write down what is not written yet, before the database is closed."""
        if self._soon is not None:
            self._soon.cancel()
            await asyncio.wait([self._soon])  # raises nothing that it raises
        try:
            await self.write()
        except Exception as error:
            log.warning("roll messages not saved", count=len(self._unwritten), reason=repr(error))

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
        if all(each.campaign != oldest for each in self._unwritten.values()):
            del self._known[oldest]
            self._let_go += 1

    def _later(self, campaign: int, one: ShownRoll, fate: "_Fate") -> None:
        before = self._unwritten.get(one.message)
        # It is still to be added: an UPDATE alone would find no row.
        if before is not None and before.fate is _Fate.LEARNED and fate is _Fate.CHANGED:
            fate = _Fate.LEARNED
        self._unwritten[one.message] = _Unwritten(campaign, one, fate)
        if self._soon is None:
            self._soon = asyncio.create_task(self._write_soon(), name="messages of rolls")

    async def _write_soon(self) -> None:
        try:
            while self._unwritten:
                await self._recorder.clock.sleep(PAUSE)
                try:
                    await self.write()
                except Exception as error:  # it stays in memory, and is tried again
                    log.warning("roll messages not saved yet", reason=repr(error))
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


def _row(campaign: int, one: ShownRoll, now: datetime) -> dict[str, Any]:
    return {
        "message_id": one.message,
        "campaign_id": campaign,
        "roll": one.roll,
        "guild_id": one.guild,
        "channel_id": one.channel,
        "sign": one.sign,
        "at": now,
    }
