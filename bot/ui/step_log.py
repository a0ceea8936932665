"""The log in a channel of its own: a line a step with a link to it, which follows what becomes of the step.

It follows the table off the commands' path. Steps are claimed in the database before they are told, so that
none is told twice, whoever tells it; what a process has claimed that dies before it tells it is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import attrgetter

import discord
import structlog

from bot.render.log import rolls_now
from bot.store import codec
from bot.store.history import Entry, LogStep, Place
from bot.store.ledger import Ledger
from bot.store.step_log import StepLine, StepLog
from bot.ui.answered import Answered
from bot.ui.debounce import Later
from bot.ui.layout import NOBODY
from bot.ui.line import PASSING, once_more
from bot.ui.log_ended import UNLOGGED, tell_gm, telling
from bot.ui.step_lines import LogMessage, LogSteps, messages, whole
from bot.use.jobs import Kind
from rules.campaign.rolls import rolls_on
from rules.values import replace

log = structlog.get_logger(__name__)

GIVE_UP = 120.0
"""Seconds for which a message is tried: for some minutes Discord knows that it is the same one."""
LOCKED = 50083
"""Discord's code for a thread that is put away, and that the bot cannot open."""
NO_MESSAGE = 10008
"""Discord's code for a message that is gone."""


class Closed(Exception):
    """The bot cannot write any more where a log is told."""


@dataclass(frozen=True, slots=True)
class _LastTold:
    """The last step that was told when all lines were looked at, and the rolls that were open then."""

    told: int
    rolls: Mapping[int, object]


class StepTeller:
    """Tells the steps of tables in the channels that their GMs chose."""

    def __init__(self, client: discord.Client, ledger: Ledger, answered: Answered, pause: float) -> None:
        self._client = client
        self._ledger = ledger
        self._logs = ledger.step_logs
        self._answered = answered
        self._waiting: dict[int, list[LogMessage]] = {}
        """What is claimed and not told yet, by campaign."""
        self._seen: dict[int, _LastTold] = {}
        """What the lines of each campaign were last held against."""
        self._unlinked: set[int] = set()
        """The campaigns with a line whose step was not answered when it was told."""
        self.later = Later(self._follow, pause, ledger.clock)
        answered.heard = self._hear

    def kinds(self) -> Mapping[str, Kind]:
        """What is done when a job of each kind is due."""
        return {UNLOGGED: partial(tell_gm, self._client, self._ledger)}

    def _hear(self, campaign: int) -> None:
        """Something of a campaign is answered: a line that has no link may have one now."""
        if campaign in self._unlinked:
            self._unlinked.discard(campaign)
            self._seen.pop(campaign, None)
            self.later.touch(campaign)

    async def known(self, campaign: int) -> StepLog | None:
        """Where the steps of a campaign are told; None where they are not."""
        return await self._logs.of(campaign)

    async def begin(self, campaign: int, place: Place) -> None:
        """Tell each step there from now on."""
        newest = await self._ledger.newest(campaign)
        self._let_go(campaign)
        await self._logs.begin(StepLog(campaign, place.channel, place.parent, newest.number if newest else 0))
        self.later.touch(campaign)

    async def end(self, campaign: int) -> StepLog | None:
        """Tell no step of a campaign any more; where they were told. What stands there stays."""
        known = await self._logs.of(campaign)
        if known is not None:
            self._let_go(campaign)
            await self._logs.end(known)
        return known

    def _let_go(self, campaign: int) -> None:
        """Keep nothing more in memory of a log."""
        self._waiting.pop(campaign, None)
        self._seen.pop(campaign, None)
        self._unlinked.discard(campaign)

    async def is_own(self, campaign: int, place: Place) -> bool:
        """Whether a campaign is played at a place."""
        there = await self._ledger.look(place)
        return there is not None and there.campaign == campaign

    async def _follow(self, campaign: int) -> bool:
        """Tell what is new, then bring up to date what stands there; whether all of that could be done."""
        known = await self._logs.of(campaign)
        entry = await self._ledger.newest(campaign) if known is not None else None
        if known is None or entry is None or entry.deleted:
            self._let_go(campaign)
            return True
        server = await self._ledger.past.server_of(campaign)
        if await self.is_own(campaign, Place(known.place, server, known.parent)):
            await self._close(known, is_own=True)
            return True
        sheet, lines = await self._sheet(known, entry, server)
        fresh = [StepLine(number, 0, 0, 0, 0) for number in sheet.steps if number > known.told]
        told = messages(sheet, await self._linked(campaign, sheet, fresh), self._ledger.clock.monotonic())
        if known.told < entry.number:
            if not await self._logs.claim(known, entry.number):
                return True  # another process tells them
            self._waiting.setdefault(campaign, []).extend(told)
        if not all(line.answer for one in told for line in one.lines):
            self._unlinked.add(campaign)
        self._seen[campaign] = _LastTold(entry.number, rolls_on(entry.table))
        is_done = False
        try:
            is_done = await self._post(known) and await self._edit(
                known, sheet, await self._linked(campaign, sheet, lines)
            )
        except Closed:
            await self._close(known, is_own=False)
            return True
        finally:
            if not is_done:
                self._seen.pop(campaign, None)
        return is_done

    async def _sheet(self, known: StepLog, entry: Entry, server: int) -> tuple[LogSteps, list[StepLine]]:
        """What new lines are made of, and those that may read otherwise now, with the lines beside them."""
        new = await self._steps(entry, known.told + 1)
        lines = await self._logs.lines(entry.campaign)
        touched = self._touched(known, entry, new)
        if touched is not None:
            there = {line.message for line in lines if line.number in touched}
            lines = [line for line in lines if line.message in there]
        steps = await self._steps(entry, lines[0].number) if lines else new
        seen = [step for step in steps if not step.is_veiled]
        sheet = LogSteps(server, {each.number: each for each in reversed(seen)}, rolls_now(entry.table, seen))
        return sheet, lines

    async def _steps(self, entry: Entry, since: int) -> list[LogStep]:
        """The steps from that one on, the newest first, hidden ones by their numbers alone."""
        count, before = entry.number - since + 1, entry.number + 1  # more may have happened meanwhile
        if count < 1:
            return []
        return await self._ledger.past.log(entry.campaign, count=count, before=before, secrets=False)

    def _touched(self, known: StepLog, entry: Entry, new: Sequence[LogStep]) -> set[int] | None:
        """The steps whose rolls are others than when all lines were looked at; None where any may be.

        So it is where somebody went back or forward, and where another process told the last steps.
        """
        seen = self._seen.get(entry.campaign)
        if seen is None or seen.told != known.told or not all(step.is_play for step in new):
            return None
        now = rolls_on(entry.table)
        return {
            number for number in seen.rolls.keys() | now.keys() if seen.rolls.get(number) != now.get(number)
        }

    async def _linked(self, campaign: int, sheet: LogSteps, lines: Sequence[StepLine]) -> list[StepLine]:
        """The lines, each with the message that answered its step, where it is known by now."""
        shown: dict[int, tuple[int, int]] = {}
        if any(not line.answer for line in lines):
            shown = {one.roll: (one.channel, one.message) for one in await self._ledger.shown.of(campaign)}
        found = []
        for line in lines:
            step = sheet.steps.get(line.number)
            if step is not None and not line.answer:
                place, answer = self._answered.find(step.interaction)
                place, answer = (place, answer) if answer else shown.get(line.number, (0, 0))
                line = replace(line, answer_place=place, answer=answer)
            found.append(line)
        return found

    async def _post(self, known: StepLog) -> bool:
        """Tell what waits, in its order; whether all of it is told. Raises Closed."""
        place = self._client.get_partial_messageable(known.place)
        while waiting := self._waiting.get(known.campaign):
            one = waiting[0]
            if self._ledger.clock.monotonic() - one.since > GIVE_UP:
                log.warning("steps not posted", channel=known.place, steps=len(one.lines))
                waiting.remove(one)
                continue
            only = {"allowed_mentions": NOBODY, "suppress_embeds": True, "silent": True, "nonce": one.nonce}
            try:
                sent = await once_more(partial(place.send, one.text, **only))
            except PASSING as error:
                log.warning("steps not posted yet", channel=known.place, reason=repr(error))
                return False
            except discord.HTTPException as error:
                if isinstance(error, discord.Forbidden | discord.NotFound) or error.code == LOCKED:
                    raise Closed from error
                log.warning("steps not posted", channel=known.place, reason=str(error))
                waiting.remove(one)
            else:
                waiting.remove(one)
                told = [replace(line, message=sent.id) for line in one.lines]
                await self._logs.learn(known.campaign, told)
        return True

    async def _edit(self, known: StepLog, sheet: LogSteps, lines: Sequence[StepLine]) -> bool:
        """Bring up to date the messages whose lines read otherwise; whether that is done. Raises Closed."""
        is_done = True
        for message, group in groupby(lines, attrgetter("message")):
            there = list(group)
            if self.later.is_asked_again(known.campaign):
                return False  # what is new is told first
            if all(line.number in sheet.steps for line in there):
                is_done &= await self._edit_one(known, message, sheet, there)
        return is_done

    async def _edit_one(
        self, known: StepLog, message: int, sheet: LogSteps, lines: Sequence[StepLine]
    ) -> bool:
        now = [replace(line, sign=codec.sign(sheet.text(line))) for line in lines]
        changed = [line for line, before in zip(now, lines, strict=True) if line.sign != before.sign]
        if not changed:
            return True
        part = self._client.get_partial_messageable(known.place).get_partial_message(message)
        try:
            await part.edit(content=whole(sheet, now), allowed_mentions=NOBODY)
        except PASSING as error:
            log.warning("steps not updated yet", channel=known.place, reason=repr(error))
            return False
        except discord.HTTPException as error:
            if error.code == NO_MESSAGE:
                await self._logs.forget(known.campaign, message)
                return True
            if isinstance(error, discord.Forbidden | discord.NotFound):
                raise Closed from error
            log.info("steps not updated", channel=known.place, code=error.code, status=error.status)
        await self._logs.learn(known.campaign, changed)
        return True

    async def _close(self, known: StepLog, *, is_own: bool) -> None:
        """End a log that cannot be told there any more, and have the GM told once."""
        log.info("log ended", channel=known.place, is_own=is_own)
        self._let_go(known.campaign)
        await self._logs.end(known, telling(known, self._ledger.clock.now(), is_own=is_own))
