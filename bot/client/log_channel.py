"""The log channel, in which each step is posted as well.

It follows the table outside of commands. Steps are claimed in the database before they are posted, so that no
process posts one twice; if a process dies between claiming and posting, these steps are left out.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import attrgetter

import discord
import structlog
from discord import Interaction

from bot.client.access import ChannelAccess
from bot.client.debounce import Debouncer
from bot.client.layout import NOBODY, contents
from bot.client.notices import LOOK, Notices
from bot.client.request import asked
from bot.client.responder import PASSING, AnsweredMessages, once_more
from bot.language import say
from bot.language.line import Text, channel, heading
from bot.language.printers import harmless
from bot.services.jobs import Kind
from bot.services.play import Play
from bot.services.responses import Done
from bot.store import codec
from bot.store.history import Entry, LogStep, Place
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.store.messages import StepLine, StepLog
from bot.views.card import Button, Card, Tone
from bot.views.facts import rolls_now, told_line
from bot.views.help import right_name, right_names
from rules.campaign.rolls import rolls_on
from rules.campaign.seats import require_gm
from rules.errors import NotAllowed
from rules.facts import Fact
from rules.names import fold
from rules.table import Table
from rules.text import Words
from rules.values import replace

LONGEST = 2000
"""A plain message has at most this many characters."""
ROOM = 1500
"""So many are written at once: lines grow where they are undone, or their rolls change."""
LINK = 100
"""A link has fewer characters than this."""


@dataclass(frozen=True, slots=True)
class LogMessage:
    """Lines to post, when they began to wait, and the nonce by which Discord detects a duplicate."""

    text: str
    lines: tuple[StepLine, ...]
    since: float
    nonce: int = field(default_factory=lambda: secrets.randbits(63))


@dataclass(frozen=True, slots=True)
class LogSteps:
    """The public steps by number, and the current rolls: the data that log lines are made of."""

    server: int
    steps: Mapping[int, LogStep]
    rolls: Mapping[int, Fact]

    def text(self, line: StepLine, longest: int = ROOM - LINK) -> str:
        """Return a line as text of at most `longest` characters."""
        link = f"https://discord.com/channels/{self.server}/{line.answer_place}/{line.answer}"
        most = longest
        while True:
            told = told_line(self.steps[line.number], self.rolls, link if line.answer else "", most)
            said = harmless(told)
            if len(said) <= longest or most < 2:
                return said
            # How long a line is once it is harmless is seen only then.
            most = most * 2 // 3


def fitting_lines(sheet: LogSteps, lines: Sequence[StepLine]) -> str:
    """Return the current text of a message's lines; if it has grown too long, each line is cut."""
    text = "\n".join(map(sheet.text, lines))
    if len(text) <= LONGEST:
        return text
    return "\n".join(sheet.text(line, LONGEST // len(lines) - 1) for line in lines)


def messages(sheet: LogSteps, lines: Sequence[StepLine], since: float) -> list[LogMessage]:
    """Distribute new lines over messages, with room to grow."""
    found: list[list[tuple[StepLine, str]]] = []
    room = 0
    for line in lines:
        text = sheet.text(line)
        size = len(text) + 1 + (0 if line.answer else LINK)
        if size > room:
            found.append([])
            room = ROOM
        found[-1].append((replace(line, sign=codec.sign(text)), text))
        room -= size
    return [
        LogMessage("\n".join(text for _, text in some), tuple(line for line, _ in some), since)
        for some in found
    ]


UNLOGGED = "unlogged"
"""The kind of job that tells the GM."""


def telling(log: StepLog, now: datetime, *, is_own: bool) -> Job:
    """Return the job that tells the GM that the log has stopped; `is_own` if the table now plays there."""
    payload = {"place": log.place, "own": is_own}
    return Job(f"{UNLOGGED}:{log.campaign}", UNLOGGED, now, log.campaign, payload)


async def tell_gm(ledger: Ledger, notices: Notices, job: Job) -> None:
    """Tell the GMs that the log has stopped, and ping those who are not resting.

    Raises NotDone if it should be tried again.
    """
    entry = await ledger.newest(job.campaign or 0)
    if entry is None or entry.deleted:
        return
    now = ledger.clock.now()
    rests = {gm: await ledger.quiet_hours.awake(gm, entry.campaign, now) for gm in entry.table.gms}
    up = tuple(gm for gm, at in rests.items() if at is not None and at <= now)
    rows = ((Button(say("Settings"), "view", subject="campaign"),),)
    await notices.send(job, entry.table, Card(_closed_lines(job), rows, calls=up, tone=Tone.CALM))


def _closed_lines(job: Job) -> tuple[Text, ...]:
    """What the GM is told."""
    place = channel(job.payload["place"])
    if job.payload["own"]:
        why = say("{channel} now belongs to this table, so its players already see each step.", channel=place)
    else:
        why = say("{channel} is gone, or the bot can't use it.", channel=place)
    again = say(
        "Steps are no longer posted there. To choose another channel: {example}",
        example="/campaign set log:#log",
    )
    return heading(say("The log is off")), why, again


log = structlog.get_logger(__name__)

KNOWN = 120.0
"""Seconds for which Discord surely knows by the nonce that a message is the same one."""
LOCKED = (50083, 160005)
"""Discord's codes for a thread that is locked, whether it is archived or not."""
NO_MESSAGE = 10008
"""Discord's code for a message that is gone."""


class LogClosed(Exception):
    """Raised if the bot can no longer write in a log channel."""


@dataclass(frozen=True, slots=True)
class _LastTold:
    """The last step that was told when all lines were looked at, and the rolls that were open then."""

    told: int
    rolls: Mapping[int, object]


class LogPoster:
    """Posts the steps of tables in the log channels that their GMs chose."""

    def __init__(
        self,
        client: discord.Client,
        ledger: Ledger,
        answered: AnsweredMessages,
        notices: Notices,
        pause: float,
    ) -> None:
        self._client = client
        self._notices = notices
        self._ledger = ledger
        self._logs = ledger.step_logs
        self._answered = answered
        self._waiting: dict[int, list[LogMessage]] = {}
        """What is claimed and not told yet, by campaign."""
        self._seen: dict[int, _LastTold] = {}
        """What the lines of each campaign were last held against."""
        self._unlinked: set[int] = set()
        """The campaigns with a line whose step was not answered when it was told."""
        self.later = Debouncer(self._follow, pause, ledger.clock)
        answered.heard = self._hear

    def kinds(self) -> Mapping[str, Kind]:
        """Return the handlers of these jobs by kind."""
        return {UNLOGGED: partial(tell_gm, self._ledger, self._notices)}

    def _hear(self, campaign: int) -> None:
        """Something of a campaign is answered: a line that has no link may have one now."""
        if campaign in self._unlinked:
            self._unlinked.discard(campaign)
            self._seen.pop(campaign, None)
            self.later.touch(campaign)

    async def known(self, campaign: int) -> StepLog | None:
        """Return the log channel of a campaign; None for none."""
        return await self._logs.of(campaign)

    async def begin(self, campaign: int, place: Place) -> None:
        """Start posting a campaign's steps in a channel."""
        newest = await self._ledger.newest(campaign)
        self._let_go(campaign)
        await self._logs.begin(StepLog(campaign, place.channel, place.parent, newest.number if newest else 0))
        self.later.touch(campaign)

    async def end(self, campaign: int) -> StepLog | None:
        """Stop posting a campaign's steps; return its log channel. Posted lines stay."""
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
        """Return whether a campaign is played at a place."""
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
        except LogClosed:
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
        """Tell what waits, in its order; whether all of it is told. Raises LogClosed."""
        place = self._client.get_partial_messageable(known.place)
        while waiting := self._waiting.get(known.campaign):
            one = waiting[0]
            only = {"allowed_mentions": NOBODY, "suppress_embeds": True, "silent": True, "nonce": one.nonce}
            try:
                is_old = self._ledger.clock.monotonic() - one.since > KNOWN
                message = await self._find(known, one) if is_old else 0
                message = message or (await once_more(partial(place.send, one.text, **only))).id
            except PASSING as error:
                log.warning("steps not posted yet", channel=known.place, reason=repr(error))
                return False
            except discord.HTTPException as error:
                if isinstance(error, discord.Forbidden | discord.NotFound) or error.code in LOCKED:
                    raise LogClosed from error
                log.warning("steps not posted", channel=known.place, reason=str(error))
                waiting.remove(one)
            else:
                waiting.remove(one)
                told = [replace(line, message=message) for line in one.lines]
                await self._logs.learn(known.campaign, told)
        return True

    async def _find(self, known: StepLog, wanted: LogMessage) -> int:
        """Find the message that an earlier try has posted over a connection that was cut; 0 if there is none.

        Raises what passes by itself.
        """
        place = self._client.get_partial_messageable(known.place)
        lines = {line.message for line in await self._logs.lines(known.campaign)}
        try:
            async for message in place.history(limit=LOOK):
                is_ours = message.author == self._client.user and message.id not in lines
                if is_ours and message.content == wanted.text:
                    return message.id
        except PASSING:
            raise
        except discord.HTTPException as error:  # then it is rather posted twice than never
            log.info("earlier steps not checked", channel=known.place, code=error.code)
        return 0

    async def _edit(self, known: StepLog, sheet: LogSteps, lines: Sequence[StepLine]) -> bool:
        """Edit the messages whose lines have changed; return whether all are done. Raises LogClosed."""
        is_done = True
        for message, group in groupby(lines, attrgetter("message")):
            there = list(group)
            if self.later.is_asked_again(known.campaign):
                return False  # new lines come first
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
            await part.edit(content=fitting_lines(sheet, now), allowed_mentions=NOBODY)
        except PASSING as error:
            log.warning("steps not updated yet", channel=known.place, reason=repr(error))
            return False
        except discord.HTTPException as error:
            if error.code == NO_MESSAGE:
                await self._logs.forget(known.campaign, message)
                return True
            if isinstance(error, discord.Forbidden | discord.NotFound):
                raise LogClosed from error
            log.info("steps not updated", channel=known.place, code=error.code, status=error.status)
        await self._logs.learn(known.campaign, changed)
        return True

    async def _close(self, known: StepLog, *, is_own: bool) -> None:
        """End a log that cannot be told there any more, and have the GM told once."""
        log.info("log ended", channel=known.place, is_own=is_own)
        self._let_go(known.campaign)
        await self._logs.end(known, telling(known, self._ledger.clock.now(), is_own=is_own))


OFF = "/campaign set setting:log value:off"
"""How a log ends."""

_Where = discord.TextChannel | discord.Thread


async def begin(interaction: Interaction, play: Play, logs: LogPoster, number: int) -> Done:
    """Make a channel the log channel of this table.

    Raises NotAllowed if the caller is no GM, cannot see or write in the channel, or if it is one of the
    table's own.
    """
    campaign, table = await _led(interaction, play)
    place = await _place(interaction, number)
    if not await ChannelAccess(interaction).sees(place):
        raise NotAllowed("You can't see that channel. Choose one you can see.")
    if not _may_write(interaction.user, place):
        raise NotAllowed("You can't write in that channel. Choose one you can write in.")
    parent = place.parent_id if isinstance(place, discord.Thread) else 0
    if await logs.is_own(campaign, Place(place.id, place.guild.id, parent)):
        raise NotAllowed(
            "#{place} belongs to this table, so its players already see each step. Choose another "
            "channel, or a thread in another channel.",
            place=place.name,
        )
    known = await logs.known(campaign)
    if known is not None and known.place == place.id:
        raise NotAllowed(
            "The log is already posted in #{place}. To stop the log: {off}", place=place.name, off=OFF
        )
    await _greet(interaction, place, table)
    await logs.begin(campaign, Place(place.id, place.guild.id, parent))
    told = say("From now on, every step that isn't hidden is posted in {place}.", place=channel(place.id))
    return Done(campaign, table, Card((told, say("To stop the log: {off}", off=OFF)), tone=Tone.CALM))


def _may_write(who: discord.User | discord.Member, place: _Where) -> bool:
    """Whether somebody may write there, or manages it: the bot writes for them."""
    if not isinstance(who, discord.Member):
        return False
    may = place.permissions_for(who)
    writes = may.send_messages_in_threads if isinstance(place, discord.Thread) else may.send_messages
    return writes or may.manage_channels


async def end(interaction: Interaction, play: Play, logs: LogPoster, value: str) -> Done:
    """Stop the log of this table. Raises NotAllowed if it has none, or if `value` is not `off`."""
    campaign, table = await _led(interaction, play)
    if fold(value) not in ("off", "none"):
        raise NotAllowed("The setting log only accepts off. To choose a channel, use the option log.")
    ended = await logs.end(campaign)
    if ended is None:
        raise NotAllowed("This table has no log channel.")
    told = say("Steps are no longer posted in {place}.", place=channel(ended.place))
    return Done(campaign, table, Card((told,), tone=Tone.CALM))


async def _led(interaction: Interaction, play: Play) -> tuple[int, Table]:
    """Return the campaign here. Raises NotAllowed if the caller is not its GM."""
    who = asked(interaction)
    campaign, table = await play.see(who)
    if not campaign:
        raise NotAllowed("There's no table in this channel yet. Example: /campaign new name:Skyfall")
    require_gm(table, who.actor, Words("change settings"))
    return campaign, table


async def _place(interaction: Interaction, number: int) -> _Where:
    """A text channel or thread of this server. Raises NotAllowed where there is none for the bot."""
    guild = interaction.guild
    if guild is None:
        raise NotAllowed("A log channel only works on a server. In direct messages, use /log.")
    try:
        place = guild.get_channel_or_thread(number) or await guild.fetch_channel(number)
    except PASSING as error:
        raise NotAllowed("Discord didn't say which channel that is. Try again in a moment.") from error
    except (discord.HTTPException, discord.InvalidData) as error:
        raise NotAllowed(
            "The bot can't see that channel. Give the bot {right} (and invite it to a private thread), "
            "then try again.",
            right=right_name("view_channel"),
        ) from error
    if not isinstance(place, _Where):
        raise NotAllowed("A log can't be posted there. Choose a text channel or a thread.")
    return place


async def _greet(interaction: Interaction, place: _Where, table: Table) -> None:
    """Begin the log by a first line, which shows whether the bot may write there. Raises NotAllowed."""
    name = table.name or say("this table")
    line = say(
        "The steps of {table}, played in {place}, are posted in this channel. To stop the log, the "
        "{gm.one} can use {off} there, or you can revoke the bot's permission to write here.",
        off=OFF,
        table=name,
        place=channel(interaction.channel_id or 0),
    )
    only = {"allowed_mentions": NOBODY, "silent": True, "nonce": secrets.randbits(63)}
    try:
        await once_more(partial(place.send, **contents(Card((line,)), 0), **only))
    except PASSING as error:
        raise NotAllowed("Discord didn't accept the log's first line. Try again in a moment.") from error
    except discord.HTTPException as error:
        write = "send_messages_in_threads" if isinstance(place, discord.Thread) else "send_messages"
        may = place.permissions_for(place.guild.me)
        missing = [right for right in ("view_channel", write) if not getattr(may, right)]
        raise NotAllowed(
            "The bot can't write in #{place}. Give the bot {rights}, reopen the thread if it's closed, "
            "then try again.",
            place=place.name,
            rights=right_names(missing or [write]),
        ) from error
