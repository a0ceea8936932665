"""Post reminders of overdue actions, and let somebody take over from an absent GM.

There is one job per table that is to be checked for absent GMs. Discord is asked whether people are still on
the server only if something waits for them.

What waits is derived from the table after each change. There is one job per person at a table, and one for
what is late.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

import discord
import structlog
from discord import Interaction

from bot.client.debounce import Debouncer
from bot.client.layout import without_buttons
from bot.client.messages import answer
from bot.client.notices import Notices, Untold
from bot.client.request import asked
from bot.client.responder import PASSING, edit
from bot.client.roll_messages import ShownRolls
from bot.language import say, say_of
from bot.language.line import Text, heading, small
from bot.services.jobs import Kind, NotDone
from bot.services.play import Play
from bot.services.play_by_post import (
    LATE,
    NEVER,
    WAIT,
    Absence,
    Waits,
    absence_of,
    key_of,
    note_absence,
    since_of,
    waits_of,
    was_told,
)
from bot.store.history import Entry
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.views.absent_gm import offer_card
from bot.views.card import Card, Tone
from bot.views.game import Rule, Waiting
from bot.views.play_by_post import late_rows, reminder_row
from bot.views.question import Pressed
from bot.views.waiting import one_line, people, waiting
from rules.campaign import seats
from rules.campaign.schedule import QuietHours
from rules.campaign.seats import gm_words
from rules.errors import TooLate
from rules.table import Pace, Table
from rules.values import replace
from rules.visibility import seen_by_all

ABSENT = "absent"
"""The kind of job that sees whether a GM is gone."""
LONG = timedelta(days=14)
"""Who does nothing for so long, while others play, is absent."""
SHORT = timedelta(days=1)
"""Only if the last step of a GM is older than this, a look after `LONG` is planned."""
LOOK = timedelta(hours=6)
"""Between two looks at a table."""
REMEMBERED = timedelta(minutes=10)
"""For so long, what Discord said about the GMs of a table where somebody was refused is taken to be so."""
PATIENCE = 2.0
"""Seconds that a refusal waits for Discord to say who is there."""
GONE = (10007, 10013)
"""Discord's codes for who is on a server no more, or nowhere."""

AGAIN = timedelta(minutes=10)
"""A reminder that nobody could be given is tried again after this time."""


class AbsentGms:
    """Finds out which GMs are absent."""

    def __init__(self, client: discord.Client, ledger: Ledger, notices: Notices) -> None:
        self._client = client
        self._ledger = ledger
        self._notices = notices
        self._next: dict[int, datetime] = {}
        """When each table is looked at again, by campaign."""
        self._left: dict[int, tuple[datetime, Absence | None]] = {}
        """What was found when somebody was refused, and until when that is taken to be so, by campaign."""

    def kinds(self) -> Mapping[str, Kind]:
        """Return the handlers of these jobs by kind."""
        return {ABSENT: self._offer}

    async def follow(self, entry: Entry) -> None:
        """Check a changed table: if its GM seems to be absent, schedule a closer look."""
        now, campaign, gms = self._ledger.clock.now(), entry.campaign, entry.table.gms
        is_played = bool(gms) and not (entry.deleted or entry.table.archived)
        if not is_played or (campaign in self._next and now < self._next[campaign]):
            return
        last = await self._ledger.past.led_last(campaign, gms)
        server = await self._ledger.past.server_of(campaign)
        if last is None or not server:
            self._next[campaign] = now + SHORT
            return
        # A step of a GM, such as the start of a scene, doesn't say that they are still here.
        if _waits(entry) and not await self._there(server, tuple(gms)[:1]):
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
        """Return whether a person for whom something waits is still on the server; for GMs, see `present`.

        A GM whom the players were told to be inactive counts as absent until their next step.
        """
        if player in entry.table.gms:
            absence = await absence_of(self._ledger, entry.campaign, entry.table.gms)
            is_idle = absence is not None and not absence.has_left
            return not is_idle and player in await self.present(entry)
        return player in await self._there(await self._ledger.past.server_of(entry.campaign), (player,))

    async def present(self, entry: Entry) -> set[int]:
        """Return the GMs who are still on the server; if the first is not, schedule a closer look."""
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
        """Return which GMs are absent: all left, all are inactive, or the first has left. None if nobody is.

        The first GM started or claimed the table, the others are delegates, who lead it as well. So nothing
        needs to be taken over if a delegate leaves, and a first GM who lets delegates lead is not missed.

        Raises NotDone if Discord cannot say who is there.
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

    async def told_absence(self, entry: Entry) -> Absence | None:
        """Return the absence of GMs who have all left, if the players were told of it before."""
        absence = await absence_of(self._ledger, entry.campaign, entry.table.gms)
        return absence if absence is not None and absence.has_left else None

    async def all_left(self, campaign: int) -> Absence | None:
        """Return the absence if all GMs have left the server; None if one is there, as far as is known.

        What Discord says is remembered for a while, and if all have left, the players are told as well.
        Raises NotDone or TimeoutError if Discord cannot say.
        """
        entry, now = await self._ledger.newest(campaign), self._ledger.clock.now()
        gms = entry.table.gms if entry else ()
        last = await self._ledger.past.led_last(campaign, gms) if gms else None
        if entry is None or last is None:
            return None
        until, found = self._left.get(campaign, (now, None))
        if now >= until or (found is not None and found.step != last[0]):
            async with self._ledger.clock.timeout(PATIENCE):
                found = await self.absence(entry)
            found = found if found and found.has_left and found.is_of_all(entry.table.gms) else None
            known = {key: each for key, each in self._left.items() if each[0] > now}
            self._left = {**known, campaign: (now + REMEMBERED, found)}
            if found is not None:
                await self._look_into(campaign, now)
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
        players = [each.player for each in entry.table.characters.values() if each.player]
        await self._notices.send(job, entry.table, replace(card, calls=called), concerned=players)
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


MOST, MOST_IN_A_DAY = 5, 10
"""So many things are told in one reminder, and in that of a whole day."""


class PostReminders:
    """Reminds people of what waits for them at play-by-post tables."""

    def __init__(
        self, client: discord.Client, ledger: Ledger, shown: ShownRolls, notices: Notices, pause: float
    ) -> None:
        self._ledger = ledger
        self._shown = shown
        self._notices = notices
        self._slow: set[int] = set()
        """Campaigns that this process has seen played by post."""
        self.gms = AbsentGms(client, ledger, notices)
        self.later = Debouncer(self._follow, pause, ledger.clock)

    def kinds(self) -> Mapping[str, Kind]:
        """Return the handlers of these jobs by kind."""
        return {
            WAIT: partial(self._retry, self._remind),
            LATE: partial(self._retry, self._tell_late),
            **self.gms.kinds(),
        }

    async def _retry(self, remind: Callable[[Job], Awaitable[Job | None]], job: Job) -> Job | None:
        """Remind people, or later if nobody can be told now: a failed job would stay claimed until then."""
        try:
            return await remind(job)
        except Untold:
            return replace(job, due=self._ledger.clock.now() + AGAIN)

    async def wait_on(self, campaign: int, player: int) -> None:
        """Restart the time limit of everything that waits for a person."""
        known = (await waits_of(self._ledger, campaign)).get(player)
        if known is not None:
            now, rest = self._ledger.clock.now(), await self._ledger.quiet_hours.of(player)
            fresh = replace(known, said={}, since=dict.fromkeys(known.since, int(now.timestamp())))
            await self._ledger.jobs.put(fresh.job(campaign, fresh.due(rest, now)))
        self.later.touch(campaign)

    async def rests(self, campaign: int, person: int, rest: QuietHours) -> None:
        """Reschedule a person's reminders after their quiet hours have changed."""
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
        await self._notices.send(job, entry.table, card)

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
        absence = await self.gms.told_absence(entry) if late and not there else None
        if absence is not None:
            lines = (heading(say("The deadline has passed")), *await self._lines(entry, late, MOST))
            card = offer_card(entry.table, absence.gone, absence.step, absence.since, has_left=True)
            await self._notices.send(job, entry.table, replace(card, lines=(*lines, *card.lines[1:])))
        if late and awake:
            lines = (heading(say("The deadline has passed")), *await self._lines(entry, late, MOST))
            called = tuple(gm for gm, at in awake.items() if at.timestamp() <= now)
            card = Card(lines, late_rows(entry.table, late[:MOST]), calls=called, tone=Tone.CALM)
            await self._notices.send(job, entry.table, card)
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


log = structlog.get_logger(__name__)


class GmTakeover:
    """Hands a table over to the person who takes it."""

    def __init__(self, play: Play, ledger: Ledger, absent: AbsentGms) -> None:
        self._play = play
        self._ledger = ledger
        self._absent = absent

    async def take(self, interaction: Interaction, press: Pressed) -> None:
        """Make the caller the GM if the GMs are still absent; close the offer if it is used or void.

        Raises NotAllowed if the caller may not take over; TooLate if nobody is needed any more.
        """
        campaign, table = await self._play.see(asked(interaction, press.campaign))
        rule = await self._rule(interaction, press, campaign)
        if rule is None:
            await self._close(interaction)
            raise TooLate("This table no longer needs anyone to take over. {gms}", gms=gm_words(table))
        await answer(interaction, await self._play.change(asked(interaction, press.campaign), rule))
        await self._close(interaction)

    async def _rule(self, interaction: Interaction, press: Pressed, campaign: int) -> Rule | None:
        """The rule by which somebody takes over; None where those who were gone are back, or replaced."""
        entry = await self._ledger.newest(campaign)
        try:
            absence = await self._absent.absence(entry) if entry is not None else None
        except NotDone:
            raise TooLate("Discord didn't say who has left. Press again in a moment.") from None
        if (
            entry is None
            or absence is None
            or absence.step != press.number
            or _is_first(entry.table, interaction)
        ):
            return None
        return partial(seats.take_over, gone=absence.gone, has_left=absence.has_left, seen=entry.number)

    async def _close(self, interaction: Interaction) -> None:
        """Take the buttons from the pressed message: what it offered is over."""
        message = interaction.message
        if message is None or message.flags.ephemeral:  # such a message is edited by its own press alone
            return
        try:
            view = without_buttons(message, say("This offer has ended."))
            if view is not None:
                await edit(interaction.client, message.channel.id, message.id, view)
        except discord.DiscordException as error:  # its buttons go on saying so
            log.info("offer not closed", message=message.id, reason=repr(error))


def _is_first(table: Table, interaction: Interaction) -> bool:
    """Whether it is the GM who was gone that presses: they are back."""
    return next(iter(table.gms), 0) == interaction.user.id
