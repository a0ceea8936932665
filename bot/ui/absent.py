"""A GM who has left, or does nothing for long: others are offered once to take over.

There is one job for each table at which that is to be looked into. Discord is asked whether somebody is still
on the server only where something waits for them.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from datetime import datetime, timedelta

import discord

from bot.render.absent import offer_card
from bot.render.card import Card
from bot.render.waiting import people, waiting
from bot.store.history import Entry
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.ui.line import PASSING
from bot.use.absent import Absence, absence_of, note_absence, was_told
from bot.use.jobs import Kind, NotDone
from rules.values import replace
from rules.visibility import seen_by_all

ABSENT = "absent"
"""The kind of job that sees whether a GM is gone."""
LONG = timedelta(days=14)
"""Who does nothing for so long, while others play, is absent."""
SHORT = timedelta(days=1)
"""Who did something so lately is taken to be there."""
LOOK = timedelta(hours=6)
"""Between two looks at a table whose GM has done nothing lately."""
PATIENCE = 2.0
"""Seconds that a refusal waits for Discord to say who is there."""
GONE = (10007, 10013)
"""Discord's codes for who is on a server no more, or nowhere."""

Posted = Callable[[Entry, Card, Job, str], Awaitable[None]]
"""What posts a card where a table is played."""


class AbsentGms:
    """Knows which GMs are gone."""

    def __init__(self, client: discord.Client, ledger: Ledger, post: Posted) -> None:
        self._client = client
        self._ledger = ledger
        self._post = post
        self._next: dict[int, datetime] = {}
        """When each table is looked at again, by campaign."""
        self._left: dict[int, tuple[datetime, Absence | None]] = {}
        """What was found when somebody was refused, and until when that is taken to be so, by campaign."""

    def kinds(self) -> Mapping[str, Kind]:
        """What is done when a job of each kind is due."""
        return {ABSENT: self._offer}

    async def follow(self, entry: Entry) -> None:
        """Something has happened at a table: where its GM seems to be gone, that is looked into."""
        now, campaign, gms = self._ledger.clock.now(), entry.campaign, entry.table.gms
        is_played = bool(gms) and not (entry.deleted or entry.table.archived)
        if not is_played or (campaign in self._next and now < self._next[campaign]):
            return
        last = await self._ledger.past.led_last(campaign, gms)
        server = await self._ledger.past.server_of(campaign)
        if last is None or not server:
            self._next[campaign] = now + SHORT
            return
        first = next(iter(gms))
        own = await self._ledger.past.led_last(campaign, (first,)) if len(gms) > 1 else last
        if own is not None and now - own[1] < SHORT:
            self._next[campaign] = own[1] + SHORT
            return
        if _waits(entry) and not await self._there(server, (first,)):
            await self._look_into(campaign, now)
        elif now - last[1] >= SHORT:
            await self._look_into(campaign, last[1] + LONG)
        self._next[campaign] = now + LOOK

    async def _look_into(self, campaign: int, due: datetime) -> None:
        """See by then whether a GM is gone, and offer others to take over."""
        job = Job(f"{ABSENT}:{campaign}", ABSENT, due, campaign)
        known = await self._ledger.jobs.get(job.key)
        if known is None or (known.claimed is None and known.due > due):
            await self._ledger.jobs.put(job)

    async def is_there(self, entry: Entry, player: int) -> bool:
        """Whether somebody for whom something waits is there: on the server, of GMs as `present` does.

        A GM of whom the players were told that they have long done nothing is not, until they do something.
        """
        if player in entry.table.gms:
            absence = await absence_of(self._ledger, entry.campaign, entry.table.gms)
            is_idle = absence is not None and not absence.has_left
            return not is_idle and player in await self.present(entry)
        return player in await self._there(await self._ledger.past.server_of(entry.campaign), (player,))

    async def present(self, entry: Entry) -> set[int]:
        """The GMs who are still on the server; where the first is not, that is looked into."""
        gms = entry.table.gms
        there = await self._there(await self._ledger.past.server_of(entry.campaign), gms)
        if gms and next(iter(gms)) not in there:
            await self._look_into(entry.campaign, self._ledger.clock.now())
        elif last := await self._ledger.past.led_last(entry.campaign, gms) if _waits(entry) else None:
            await self._look_into(entry.campaign, last[1] + LONG)
        return there

    async def _there(self, server: int, gms: Collection[int]) -> set[int]:
        """Those who are on a server, as Discord says now, or does not say. Raises NotDone for a cut line."""
        there = set(gms)
        for gm in gms if server else ():
            try:
                # A job may be done by a process that does not serve this server.
                guild = self._client.get_guild(server) or await self._client.fetch_guild(server)
                await guild.fetch_member(gm)
            except PASSING as error:
                raise NotDone(f"It is not known who is gone: {error!r}") from error
            except discord.HTTPException as error:
                there -= {gm} if error.code in GONE else set()
        return there

    async def absence(self, entry: Entry) -> Absence | None:
        """Which GMs are gone: all have left, all have long done nothing, or the first has left.

        Whoever began or claimed a table is its first GM, the others are delegates: they lead it as well, so a
        delegate who goes leaves nothing to take over, and nobody is missed who has let delegates lead.

        Raises:
            NotDone: Discord does not say now who is there.
        """
        campaign, gms, now = entry.campaign, tuple(entry.table.gms), self._ledger.clock.now()
        server = await self._ledger.past.server_of(campaign)
        last = await self._ledger.past.led_last(campaign, gms) if gms and server else None
        if last is None or entry.deleted or entry.table.archived:
            return None
        there = await self._there(server, gms)
        gone = tuple(gm for gm in gms if gm not in there)
        if not there:
            return Absence(*last, True, gone)
        self._left.pop(campaign, None)
        # A table that sleeps as a whole misses nobody.
        if now - last[1] >= LONG and (entry.number > last[0] or _waits(entry)):
            return Absence(*last, False, gms)
        own = await self._ledger.past.led_last(campaign, gms[:1]) if gms[0] in gone else None
        return Absence(*own, True, gone) if own is not None else None

    async def all_left(self, campaign: int) -> Absence | None:
        """The absence of GMs who have all left the server; None where one is there, as far as is known.

        Discord is asked only of GMs who have done nothing lately, and once in `LOOK`. Raises NotDone and
        TimeoutError.
        """
        entry, now = await self._ledger.newest(campaign), self._ledger.clock.now()
        gms = entry.table.gms if entry else ()
        last = await self._ledger.past.led_last(campaign, gms) if gms else None
        if entry is None or last is None or now - last[1] < SHORT:
            return None
        until, found = self._left.get(campaign, (now, None))
        if now >= until or (found is not None and found.step != last[0]):
            async with self._ledger.clock.timeout(PATIENCE):
                found = await self.absence(entry)
            found = found if found and found.has_left and found.is_of_all(entry.table.gms) else None
            known = {key: each for key, each in self._left.items() if each[0] > now}
            self._left = {**known, campaign: (now + LOOK, found)}
        return found

    async def _offer(self, job: Job) -> datetime | None:
        """Offer others to take over, once until a GM does something again; or look again later."""
        entry = await self._ledger.newest(job.campaign or 0)
        absence = await self.absence(entry) if entry is not None else None
        if entry is None or absence is None:
            return await self._next_look(entry)
        is_all = absence.is_of_all(entry.table.gms)
        if await was_told(self._ledger, entry.campaign, absence, is_all=is_all):
            return None
        delegates = [gm for gm in entry.table.gms if gm not in absence.gone] or tuple(entry.table.gms)[1:]
        card = offer_card(entry.table, absence.gone, absence.step, absence.since, has_left=absence.has_left)
        called = () if is_all and absence.has_left else await self._awake(entry.campaign, delegates)
        await self._post(entry, replace(card, calls=called), job, f"absent {absence.step}")
        await note_absence(self._ledger, entry.campaign, absence, is_all=is_all)
        return None

    async def _next_look(self, entry: Entry | None) -> datetime | None:
        """When it can be known that a GM who is there does nothing; None where nothing has happened since."""
        if entry is None or entry.deleted or entry.table.archived:
            return None
        last = await self._ledger.past.led_last(entry.campaign, entry.table.gms)
        is_missed = last is not None and (entry.number > last[0] or _waits(entry))
        due = last[1] + LONG if last is not None and is_missed else None
        return due if due is not None and due > self._ledger.clock.now() else None

    async def _awake(self, campaign: int, people: Collection[int]) -> tuple[int, ...]:
        """Those of some people who may be told of something now."""
        now = self._ledger.clock.now()
        moments = {each: await self._ledger.quiet_hours.awake(each, campaign, now) for each in people}
        return tuple(each for each, at in moments.items() if at is not None and at <= now)


def _waits(entry: Entry) -> bool:
    """Whether something waits for a GM."""
    table = seen_by_all(entry.table)
    return any(set(people(table, each)) & set(table.gms) for each in waiting(table))
