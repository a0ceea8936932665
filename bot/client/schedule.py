"""Session reminders, and events in the server's calendar.

These follow the table, whether a command, a button or an undo changed it.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import discord
import structlog

from bot.client.debounce import Debouncer
from bot.client.notices import Notices
from bot.client.play_by_post import AbsentGms
from bot.client.responder import PASSING
from bot.language import say
from bot.language.printers import spelled
from bot.services.jobs import Kind
from bot.services.play import Play
from bot.store.history import Entry, Place
from bot.store.jobs import Job, JobTable
from bot.store.ledger import Ledger
from bot.store.messages import ShownRoll
from bot.views.card import Card, Tone
from bot.views.schedule import LASTS, few_lines, next_card, plan_rows, reminder_lines
from rules.campaign.schedule import answers, is_repeated, repeated, standing
from rules.names import Coming, Plan
from rules.table import Table
from rules.values import replace

log = structlog.get_logger(__name__)


class ServerCalendar:
    """Creates, changes and deletes events, if the bot has the permission."""

    def __init__(self, client: discord.Client, jobs: JobTable) -> None:
        self._client = client
        self._jobs = jobs

    async def show(self, place: ShownRoll, said: str, plan: Plan, number: int) -> int | None:
        """Create or update the event of a session; return its number.

        Returns 0 if the bot may not create events or there is no server, None if it should be tried again.
        """
        if not place.guild:
            return 0
        begins = datetime.fromtimestamp(plan.at, UTC)
        name, _, note = said.partition("\n")[2].partition("\n")
        name = name or spelled(say("Game {session.one}"))
        link = f"https://discord.com/channels/{place.guild}/{place.channel}/{place.message}"
        only: dict[str, Any] = {
            "name": name,
            "description": note,
            "start_time": begins,
            "end_time": begins + LASTS,
            "location": link,
        }
        try:
            server = self._client.get_guild(place.guild) or await self._client.fetch_guild(place.guild)
            if number:
                with suppress(discord.NotFound):  # somebody has deleted it
                    known = await server.fetch_scheduled_event(number)
                    await known.edit(**only)
                    return number
            made = await server.create_scheduled_event(
                **only,
                entity_type=discord.EntityType.external,
                privacy_level=discord.PrivacyLevel.guild_only,
            )
        except PASSING as error:
            log.warning("event not created yet", server=place.guild, reason=repr(error))
            return None
        except discord.HTTPException as error:
            log.info("event not created", server=place.guild, code=error.code, status=error.status)
            return number
        return made.id

    async def forget(self, job: Job) -> bool:
        """Delete an event; return False if it should be tried again."""
        server, number = int(job.payload["server"]), int(job.payload["event"])
        try:
            if number:
                there = self._client.get_guild(server) or await self._client.fetch_guild(server)
                await (await there.fetch_scheduled_event(number)).delete()
        except PASSING as error:
            log.warning("event not removed yet", server=server, reason=repr(error))
            return False
        except discord.HTTPException as error:
            log.info("event not removed", server=server, code=error.code, status=error.status)
        await self._jobs.drop(job.key)
        return True


REMIND, NEXT, EVENT, FEW, TIMES = "remind", "next", "event", "few", "times"
BEFORE = (24, 1)
"""So many hours before a session people are reminded."""
AFTER = timedelta(hours=12)
"""So long after a session the next one is asked for, also where nobody has ended that one."""
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


class SessionReminders:
    """Schedules reminders and events for the next session of each table."""

    def __init__(
        self,
        client: discord.Client,
        play: Play,
        ledger: Ledger,
        gms: AbsentGms,
        notices: Notices,
        pause: float,
    ) -> None:
        self._play = play
        self._notices = notices
        self._gms = gms
        self._ledger = ledger
        self._calendar = ServerCalendar(client, ledger.jobs)
        self._planned: set[int] = set()
        """Campaigns for which something is set up, or was; most tables plan nothing, and cost no look."""
        self.later = Debouncer(self._follow, pause, ledger.clock)

    def kinds(self) -> Mapping[str, Kind]:
        """Return the handlers of these jobs by kind."""
        return {
            REMIND: self._remind,
            NEXT: self._ask_for_next,
            EVENT: self._is_over,
            FEW: self._tell_few,
            TIMES: self._is_over,
        }

    async def look(self) -> None:
        """Load which campaigns have something scheduled, before their tables change."""
        known = await self._ledger.jobs.of_kind(REMIND, NEXT, EVENT, FEW, TIMES)
        self._planned |= {job.campaign for job in known if job.campaign}

    async def _follow(self, campaign: int) -> bool:
        """Set up what the table's plan needs, and take away what it needs no more; whether all is done."""
        entry = await self._ledger.newest(campaign)
        now = self._ledger.clock.now()
        plan, again = _plan(entry, now), _again(entry)
        times = _times(entry, now) if entry is not None and entry.table.plan is not None else ()
        if plan is not None or again is not None or times:
            self._planned.add(campaign)
        elif campaign not in self._planned:
            return True
        if entry is not None and entry.table.plan is not None and entry.table.plan.unread:
            return True  # nobody knows what it says, so what is set up stays
        known = await self._ledger.jobs.of_campaign(campaign)
        is_over = plan is None and entry is not None and _has_begun(entry.table.plan, now)
        for hours in BEFORE:
            await self._set_up(campaign, plan, hours, known.get(f"{REMIND}:{campaign}:{hours}"))
        await self._set_up_next(campaign, again, known.get(f"{NEXT}:{campaign}"))
        await self._set_up_few(campaign, plan, known.get(f"{FEW}:{campaign}"))
        await self._set_up_times(campaign, times, known.get(f"{TIMES}:{campaign}"))
        event = known.get(f"{EVENT}:{campaign}")
        if plan is None:
            return event is None or is_over or await self._calendar.forget(event)
        said = _said(entry.table.name if entry else "", plan)
        if event is not None and event.payload["said"] == said:
            return True
        place = await self._place(campaign, plan)
        if place is None:
            return False  # its message is told in a moment
        # An event that has begun goes on until it ends by itself, so another is made.
        is_same = event is not None and event.due > now + LASTS
        number = await self._calendar.show(
            place, said, plan, event.payload["event"] if event and is_same else 0
        )
        if number is None:
            return False
        payload = {"said": said, "event": number, "server": place.guild}
        over = datetime.fromtimestamp(plan.at, UTC) + LASTS
        await self._ledger.jobs.put(Job(f"{EVENT}:{campaign}", EVENT, over, campaign, payload))
        return True

    async def _set_up(self, campaign: int, plan: Plan | None, hours: int, known: Job | None) -> None:
        """Have people reminded so many hours before the session, if that is to come."""
        at = plan.at if plan is not None else 0
        due = datetime.fromtimestamp(at, UTC) - timedelta(hours=hours)
        if known is not None and known.payload["at"] != at:
            await self._ledger.jobs.drop(known.key)
            known = None
        if known is None and plan is not None and due > self._ledger.clock.now():
            payload = {"at": at, "hours": hours}
            await self._ledger.jobs.put(Job(f"{REMIND}:{campaign}:{hours}", REMIND, due, campaign, payload))

    async def _set_up_next(self, campaign: int, plan: Plan | None, known: Job | None) -> None:
        """Have the next session asked for after this one, where there is one every so many weeks."""
        payload = {"at": plan.at, "plan": plan.number} if plan is not None else {}
        if known is not None and known.payload != payload:
            await self._ledger.jobs.drop(known.key)
            known = None
        due = datetime.fromtimestamp(payload.get("at", 0), UTC) + AFTER
        if known is None and due > self._ledger.clock.now():
            await self._ledger.jobs.put(Job(f"{NEXT}:{campaign}", NEXT, due, campaign, payload))

    async def _set_up_few(self, campaign: int, plan: Plan | None, known: Job | None) -> None:
        """Have the GM told a day before where too few come; of what is nearer, when people could answer."""
        at, least = (plan.at, plan.least) if plan is not None else (0, 0)
        if known is not None and (known.payload["at"], known.payload["least"]) != (at, least):
            await self._ledger.jobs.drop(known.key)
            known = None
        if known is None and least:
            now, begins = self._ledger.clock.now(), datetime.fromtimestamp(at, UTC)
            due = max(begins - DAY, now + min(HOUR, (begins - now) / 2))
            payload = {"at": at, "least": least, "told": []}
            await self._ledger.jobs.put(Job(f"{FEW}:{campaign}", FEW, due, campaign, payload))

    async def _set_up_times(self, campaign: int, times: Sequence[int], known: Job | None) -> None:
        """Have the buttons of a time that is asked for taken away when it is over."""
        at = min(times, default=0)
        if known is not None and known.payload["at"] != at:
            await self._ledger.jobs.drop(known.key)
            known = None
        if known is None and at:
            due = datetime.fromtimestamp(at, UTC)
            await self._ledger.jobs.put(Job(f"{TIMES}:{campaign}", TIMES, due, campaign, {"at": at}))

    async def _tell_few(self, job: Job) -> Job | None:
        """Tell the GMs that too few have said they come, each once, unless they rest till then.

        Until the session the job stays, so that nobody is told again of the same time.
        """
        entry, now = await self._ledger.newest(job.campaign or 0), self._ledger.clock.now()
        plan, begins = _plan(entry, now), datetime.fromtimestamp(job.payload["at"], UTC)
        if entry is None or plan is None or plan.at != job.payload["at"] or now >= begins:
            return None
        table, told = await self._ledger.quiet_hours.told(entry.table), job.payload["told"]
        assert table.plan is not None
        said = answers(table, table.plan).items()
        coming = [name for who, (name, come) in said if come is Coming.IN and who not in table.gms]
        left = [gm for gm in table.gms if gm not in told]
        if len(coming) >= plan.least or not left:
            return replace(job, due=begins, payload={**job.payload, "told": list(table.gms)})
        moments = {gm: await self._ledger.quiet_hours.awake(gm, entry.campaign, now) for gm in left}
        up = [gm for gm, at in moments.items() if at is not None and at <= now]
        here = tuple([gm for gm in up if await self._gms.is_there(entry, gm)])
        if here:
            silent = [name for who, (name, come) in said if come is None and who not in table.gms]
            lines = tuple(few_lines(plan, coming, silent))
            rows = (plan_rows(table, plan)[-1],)
            await self._send(job, table, Card(lines, rows, calls=here, roll=table.plan, tone=Tone.CALM))
        later = [at for at in moments.values() if at is not None and now < at < begins]
        return replace(job, due=min(later, default=begins), payload={**job.payload, "told": [*told, *here]})

    async def _ask_for_next(self, job: Job) -> None:
        """Plan the session after one that nobody has ended, and ask who comes, unless that is done."""
        campaign, at = job.campaign or 0, job.payload["at"]
        if job.key == f"{NEXT}:{campaign}":
            # The new plan puts a job of its own under this key, whatever has become of this one by then.
            await self._ledger.jobs.change(job.key, replace(job, key=f"{job.key}:{at}"))
            return
        entry = await self._ledger.newest(campaign)
        if entry is None or entry.deleted or entry.table.archived:
            return
        channel = await self._channel(campaign, job.payload["plan"])
        server, plan = await self._ledger.past.server_of(campaign), entry.table.plan
        if (channel or server) and plan is not None and plan.at == at and is_repeated(plan):
            now = max(self._ledger.clock.now(), datetime.fromtimestamp(at, UTC) + AFTER)
            rule = partial(repeated, at=at, now=now)
            plan = (await self._play.come_round(campaign, Place(channel, server), rule)).table.plan
        elif not job.is_begun_before or plan is None or await self._place(campaign, plan) is not None:
            return  # it has been moved, or followed at its end
        assert plan is not None
        entry = await self._ledger.newest(campaign)
        if entry is None or entry.table.plan is None or entry.table.plan.number != plan.number:
            return  # somebody has changed it meanwhile, and told so
        table = await self._ledger.quiet_hours.told(entry.table)
        assert table.plan is not None
        await self._notices.send(job, table, next_card(table, table.plan), channel)

    async def _channel(self, campaign: int, plan: int) -> int:
        """The channel in which a plan was last told, else another of its table; 0 for none."""
        shown = [one.channel for one in await self._ledger.shown.of(campaign) if one.roll == plan]
        return next(iter([*shown[-1:], *sorted(await self._ledger.past.channels(campaign))]), 0)

    async def _send(self, job: Job, table: Table, card: Card) -> None:
        """Send a notice about the plan of a table. Raises what `Notices.send` raises."""
        assert table.plan is not None
        await self._notices.send(job, table, card, await self._channel(job.campaign or 0, table.plan.number))

    async def _remind(self, job: Job) -> Job | None:
        """Remind of a session, unless it has moved since, has begun, or is called off.

        Whoever rests now is reminded when they do no more, if that is in time; who is gone is not.
        """
        entry = await self._ledger.newest(job.campaign or 0)
        plan = _plan(entry, self._ledger.clock.now())
        if entry is None or plan is None or plan.at != job.payload["at"]:
            return None
        hours, now = job.payload["hours"], self._ledger.clock.now()
        last = datetime.fromtimestamp(plan.at, UTC)
        if hours > min(BEFORE):
            last -= timedelta(hours=min(BEFORE))  # then the nearer reminder is due, too
        if now >= last:
            return None
        table, told = await self._ledger.quiet_hours.told(entry.table), job.payload.get("told", [])
        assert table.plan is not None
        said = answers(table, table.plan)
        called = [who for who, (_, coming) in said.items() if coming in (Coming.IN, None) and who not in told]
        moments = {who: await self._ledger.quiet_hours.awake(who, entry.campaign, now) for who in called}
        up = [who for who, at in moments.items() if at is not None and at <= now]
        here = [who for who in up if await self._gms.is_there(entry, who)]
        if here:
            silent = [name for name, coming in said.values() if coming is None]
            lines = tuple(reminder_lines(plan, silent))
            rows = plan_rows(entry.table, plan)
            await self._send(
                job, table, Card(lines, rows, calls=tuple(here), roll=table.plan, tone=Tone.CALM)
            )
        later = min((at for at in moments.values() if at is not None and now < at < last), default=None)
        if later is None:
            return None
        return replace(job, due=later, payload={**job.payload, "told": [*told, *here]})

    async def _is_over(self, job: Job) -> None:
        """An event has ended by itself, and is the next one nowhere; or a time that was asked for is over."""
        self._play.changed(job.campaign or 0)

    async def _place(self, campaign: int, plan: Plan) -> ShownRoll | None:
        """The latest message that shows a plan."""
        known = [one for one in await self._ledger.shown.of(campaign) if one.roll == plan.number]
        return known[-1] if known else None


def _plan(entry: Entry | None, now: datetime) -> Plan | None:
    """The session that a table is to play; a table that is put away plays none."""
    if entry is None or entry.deleted or entry.table.archived:
        return None
    return standing(entry.table, now)


def _times(entry: Entry | None, now: datetime) -> Sequence[int]:
    """The times to come that are asked for."""
    if entry is None or entry.deleted or entry.table.archived or entry.table.plan is None:
        return ()
    plan = entry.table.plan
    return [at for at in plan.times if at > now.timestamp()] if plan.is_asked else ()


def _again(entry: Entry | None) -> Plan | None:
    """The session of a table, to come or not, after which there is to be another."""
    if entry is None or entry.deleted or entry.table.archived:
        return None
    plan = entry.table.plan
    return plan if plan is not None and is_repeated(plan) else None


def _has_begun(plan: Plan | None, now: datetime) -> bool:
    """Whether the time of a plan is over: its event goes on until it ends by itself."""
    return plan is not None and not plan.is_off and 0 < plan.at <= now.timestamp()


def _said(name: str, plan: Plan) -> str:
    """What an event says: it is another one where this is another."""
    return f"{plan.at}\n{name}\n{plan.note}"
