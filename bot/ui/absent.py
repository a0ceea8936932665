"""A GM who has left, or does nothing for long: players are told once who can name another one.

Discord is asked whether somebody is still on the server only where something waits for them.
"""

from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime, timedelta

import discord

from bot.language import say
from bot.language.line import heading
from bot.render.absent import absent_lines
from bot.render.card import Button, Card, Tone
from bot.render.waiting import people, waiting
from bot.store.history import Entry
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.ui.line import PASSING
from bot.use.absent import Absence, absence_of, note_absence
from bot.use.jobs import NotDone
from rules.unseen import seen_by_all

LONG = timedelta(days=14)
"""Who does nothing for so long, while others play, is absent."""
SHORT = timedelta(days=1)
"""Who did something so lately is taken to be there."""
LOOK = timedelta(hours=6)
"""Between two looks at a table whose GM has done nothing lately."""
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

    async def follow(self, entry: Entry) -> None:
        """Something has happened at a table: its players are told where its GM is gone."""
        now, campaign, gms = datetime.now(UTC), entry.campaign, entry.table.gms
        is_played = bool(gms) and not (entry.deleted or entry.table.archived)
        if not is_played or (campaign in self._next and now < self._next[campaign]):
            return
        last = await self._ledger.past.led_last(campaign, gms)
        server = await self._ledger.past.server_of(campaign)
        at = now if last is None or not server else last[1]
        if last is None or now - at < SHORT:
            self._next[campaign] = at + SHORT
            return
        if _waits(entry) and not await self._there(server, gms):
            await self._tell(entry, Absence(*last, has_left=True))
        elif now - at >= LONG:
            await self._tell(entry, Absence(*last, has_left=False))
        self._next[campaign] = now + LOOK

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
        """The GMs who are still on the server; where none is, the players are told so."""
        gms = entry.table.gms
        there = await self._there(await self._ledger.past.server_of(entry.campaign), gms)
        last = await self._ledger.past.led_last(entry.campaign, gms) if gms and not there else None
        if last is not None:
            await self._tell(entry, Absence(*last, has_left=True))
        return there

    async def _there(self, server: int, gms: Collection[int]) -> set[int]:
        """Those who are on a server, as Discord says now, or does not say. Raises NotDone for a cut line."""
        guild = self._client.get_guild(server)
        there = set(gms)
        if guild is None:
            return there
        for gm in gms:
            try:
                await guild.fetch_member(gm)
            except PASSING as error:
                raise NotDone(f"It is not known who is gone: {error!r}") from error
            except discord.HTTPException as error:
                there -= {gm} if error.code in GONE else set()
        return there

    async def _tell(self, entry: Entry, absence: Absence) -> None:
        """Tell the players, once until a GM does something again."""
        known = await absence_of(self._ledger, entry.campaign, entry.table.gms)
        if known is not None and known.step == absence.step:
            return
        lines = absent_lines(entry.table, absence.since, has_left=absence.has_left)
        rows = ((Button(say("What waits"), "view", subject="waiting"),),)
        card = Card((heading(say("Where is the GM?")), *lines), rows, tone=Tone.CALM)
        about = f"absent {absence.step}"
        await self._post(entry, card, Job(about, "absent", datetime.now(UTC), entry.campaign, {}), about)
        await note_absence(self._ledger, entry.campaign, absence)


def _waits(entry: Entry) -> bool:
    """Whether something waits for a GM."""
    table = seen_by_all(entry.table)
    return any(set(people(table, each)) & set(table.gms) for each in waiting(table))
