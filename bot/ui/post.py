"""Play by post: who is reminded of what waits for them, and what the GM is told of that is late.

What waits is read off the table after each change. There is one job for each person at a table, and one for
what is late. A reminder is sent and then noted; before it is sent again after a crash in between, it is
looked for in its channel.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime

import discord

from bot.asks.post import late_rows, reminder_row
from bot.language import say, say_of
from bot.language.line import Text, heading, small
from bot.render.card import Card, Tone
from bot.render.waiting import Waiting, one_line, people, waiting
from bot.store.history import Entry
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.ui.absent import AbsentGms
from bot.ui.debounce import Later
from bot.ui.notice import post
from bot.ui.roll_messages import ShownRolls
from bot.use.jobs import Kind, NotDone
from bot.use.post import LATE, NEVER, WAIT, Waits, key_of, since_of, waits_of
from rules.campaign.schedule import QuietHours
from rules.table import Pace
from rules.values import replace
from rules.visibility import seen_by_all

MOST, MOST_IN_A_DAY = 5, 10
"""So many things are told in one reminder, and in that of a whole day."""


class Post:
    """Reminds people of what waits for them, where they play by post."""

    def __init__(self, client: discord.Client, ledger: Ledger, shown: ShownRolls, pause: float) -> None:
        self._client = client
        self._ledger = ledger
        self._shown = shown
        self._slow: set[int] = set()
        """Campaigns that this process has seen played by post."""
        self.gms = AbsentGms(client, ledger, self._post)
        self.later = Later(self._follow, pause, ledger.clock)

    def kinds(self) -> Mapping[str, Kind]:
        """What is done when a job of each kind is due."""
        return {WAIT: self._remind, LATE: self._tell_late, **self.gms.kinds()}

    async def wait_on(self, campaign: int, player: int) -> None:
        """What waits for somebody has its whole time again."""
        known = (await waits_of(self._ledger, campaign)).get(player)
        if known is not None:
            now, rest = self._ledger.clock.now(), await self._ledger.quiet_hours.of(player)
            fresh = replace(known, said={}, since=dict.fromkeys(known.since, int(now.timestamp())))
            await self._ledger.jobs.put(fresh.job(campaign, fresh.due(rest, now)))
        self.later.touch(campaign)

    async def rests(self, campaign: int, person: int, rest: QuietHours) -> None:
        """Somebody wants to be told at other times of what waits for them at a table."""
        job = await self._ledger.jobs.get(key_of(campaign, person))
        if job is not None and job.claimed is None:  # else that one looks when they rest
            due = Waits.of(job.payload).due(rest, self._ledger.clock.now(), job.due)
            await self._ledger.jobs.move(job, due)

    async def _follow(self, campaign: int) -> bool:
        """Note since when each thing waits; whether that could be done."""
        entry = await self._ledger.newest(campaign)
        if entry is not None:
            with suppress(NotDone):  # the next change tries again, and what waits is noted all the same
                await self.gms.follow(entry)
        if entry is not None and entry.table.settings.pace is Pace.POST:
            self._slow.add(campaign)
        elif campaign not in self._slow:
            return True
        jobs = await self._ledger.jobs.of_campaign(campaign)
        known = {job.payload["player"]: job for job in jobs.values() if job.kind == WAIT}
        wanted = _by_person(entry)
        if any(job.claimed for job in jobs.values() if job.kind in (WAIT, LATE)):
            return False  # somebody is being reminded, and that is noted first
        now, hours = self._now(), entry.table.settings.deadline if entry is not None else 0
        rests = await self._ledger.quiet_hours.of_all(wanted)
        for player in known.keys() | wanted.keys():
            before = Waits.of(known[player].payload) if player in known else Waits(player, hours)
            after = before.with_signs([each.sign for each in wanted.get(player, ())], hours, now)
            if not after.since:
                await self._ledger.jobs.drop(key_of(campaign, player))
            elif after != before:
                job = known.get(player)
                due = after.due(rests[player], datetime.fromtimestamp(now, UTC), job.due if job else None)
                await self._ledger.jobs.put(after.job(campaign, due))
        await self._follow_late(campaign, jobs.get(_late_key(campaign)), now)
        return True

    async def _follow_late(self, campaign: int, known: Job | None, now: int) -> None:
        """Have the GM told of the next thing that will be late."""
        told = int(known.payload["told"]) if known is not None else now
        due = await self._next_late(campaign, told)
        if known is None and due == NEVER:
            return
        if not await waits_of(self._ledger, campaign):
            await self._ledger.jobs.drop(_late_key(campaign))
        elif known is None or known.due != due:
            await self._ledger.jobs.put(Job(_late_key(campaign), LATE, due, campaign, {"told": told}))

    async def _next_late(self, campaign: int, told: int) -> datetime:
        """When the next thing will be late that waits for somebody."""
        waits = (await waits_of(self._ledger, campaign)).values()
        late = [each.deadline(sign) for each in waits if each.player for sign in each.since]
        following = min((at for at in late if at > told), default=0)
        return datetime.fromtimestamp(following, UTC) if following else NEVER

    async def _remind(self, job: Job) -> Job | None:
        """Remind somebody of what waits for them and is due, unless they rest now."""
        entry, waits, now = await self._ledger.newest(job.campaign or 0), Waits.of(job.payload), self._now()
        mine = _by_person(entry).get(waits.player, [])
        if entry is None or not mine:
            return None
        current = waits.with_signs([each.sign for each in mine], waits.hours, now)
        rest = await self._ledger.quiet_hours.of(waits.player)
        if rest.is_gathered:
            return await self._remind_in_the_morning(entry, mine, current, rest, job)
        told = current.told(now)
        if current.is_due(now):
            awake = await self._awake(waits.player, entry.campaign, now)
            if awake is not None and awake.timestamp() > now:
                return replace(job, due=awake)
            if awake is not None and await self.gms.is_there(entry, waits.player):
                new = current.new_in(told)
                await self._tell(entry, [each for each in mine if each.sign in new], waits.player, job)
        return (told if current.is_due(now) else current).job(entry.campaign)

    async def _remind_in_the_morning(
        self, entry: Entry, mine: list[Waiting], current: Waits, rest: QuietHours, job: Job
    ) -> Job:
        """Tell somebody of all that waits for them at once, if something is new or soon late."""
        now, person = self._ledger.clock.now(), current.player
        next_, is_muted = rest.morning(now), entry.campaign in rest.muted
        # Put before they asked for the morning, or for a morning over which they slept or were away.
        if not is_muted and not (rest.is_morning(job.due) and rest.awake(now) <= now):
            return current.job(entry.campaign, current.due(rest, now))
        told = current.told_until(int(next_.timestamp()))
        if current.new_in(told) and not is_muted and await self.gms.is_there(entry, person):
            oldest = sorted(mine, key=lambda each: current.since[each.sign])
            await self._tell(entry, oldest, person, job, MOST_IN_A_DAY)
        return told.job(entry.campaign, told.due(rest, now))

    async def _tell(self, entry: Entry, mine: list[Waiting], player: int, job: Job, most: int = MOST) -> None:
        head = say_of(len(mine), "{count} thing is waiting for you", "{count} things are waiting for you")
        hours = say(
            "After {hours} hours, the {gm.one} can go on without you.", hours=entry.table.settings.deadline
        )
        lines = (heading(head), *await self._lines(entry, mine, most), small(hours))
        card = Card(lines, (reminder_row(),), calls=(player,), tone=Tone.CALM)
        await self._post(entry, card, job, f"{player} {job.due.timestamp()}")

    async def _tell_late(self, job: Job) -> Job | None:
        """Tell the GM what is late, with what can be done about it, unless they rest now."""
        entry, now = await self._ledger.newest(job.campaign or 0), self._now()
        if entry is None or not (found := _by_person(entry)):
            return None
        told = job.payload["told"]
        known = await waits_of(self._ledger, entry.campaign)
        late_at = [
            (waits.deadline(each.sign), each)
            for player, waits in known.items()
            if player and player not in entry.table.gms
            for each in found.get(player, ())
            if each.sign in waits.since and told < waits.deadline(each.sign) <= now
        ]
        first, late = min((at for at, _ in late_at), default=now), [each for _, each in late_at]
        there = await self.gms.present(entry) if late else set()
        resting = {gm: await self._awake(gm, entry.campaign, now, first) for gm in there}
        awake = {gm: at for gm, at in resting.items() if at is not None}
        if late and awake and min(awake.values()).timestamp() > now:
            return replace(job, due=min(awake.values()))
        if late and awake:
            lines = (heading(say("The deadline has passed")), *await self._lines(entry, late, MOST))
            called = tuple(gm for gm, at in awake.items() if at.timestamp() <= now)
            card = Card(lines, late_rows(entry.table, late[:MOST]), calls=called, tone=Tone.CALM)
            await self._post(entry, card, job, f"late {job.due.timestamp()}")
        return replace(job, due=await self._next_late(entry.campaign, now), payload={"told": now})

    async def _lines(self, entry: Entry, some: list[Waiting], most: int) -> list[Text]:
        """What waits, each with since when and where it is, and how much more there is."""
        links = await self._shown.of(entry.campaign)
        since = await since_of(self._ledger, entry.campaign)
        lines: list[Text] = [one_line(each, links, since.get(each.sign)) for each in some[:most]]
        more = len(some) - most
        return [*lines, say("To see {count} more: /table waiting", count=more)] if more > 0 else lines

    async def _awake(self, person: int, campaign: int, now: int, first: int | None = None) -> datetime | None:
        """When somebody may be told of something, from now on; None for never.

        What is late since that `first` moment waits for the morning where they asked for that.
        """
        at, rest = datetime.fromtimestamp(now, UTC), await self._ledger.quiet_hours.of(person)
        if first is not None and rest.is_gathered:
            at = max(at, rest.morning(datetime.fromtimestamp(first, UTC)))
        return None if campaign in rest.muted else rest.awake(at)

    async def _post(self, entry: Entry, card: Card, job: Job, about: str) -> None:
        """Post a card where the table is played: where its last roll is shown, or in its first channel."""
        shown = await self._ledger.shown.of(entry.campaign)
        channels = [shown[-1].channel] if shown else sorted(await self._ledger.past.channels(entry.campaign))
        for channel in channels[:1]:
            await post(self._client, channel, card, job, about)

    def _now(self) -> int:
        return int(self._ledger.clock.now().timestamp())


def _by_person(entry: Entry | None) -> dict[int, list[Waiting]]:
    """What waits, by the Discord id of whom it waits for; under 0 what waits for nobody in particular."""
    found: dict[int, list[Waiting]] = {}
    if entry is None or entry.deleted or entry.table.archived or entry.table.settings.pace is not Pace.POST:
        return found
    table = seen_by_all(entry.table)
    for each in waiting(table):
        for player in people(table, each) or (0,):
            found.setdefault(player, []).append(each)
    return found


def _late_key(campaign: int) -> str:
    return f"{LATE}:{campaign}"
