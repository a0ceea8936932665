"""Which campaign a place shows: one begins there, comes there, leaves it, is deleted and is brought back."""

from collections.abc import Callable
from enum import StrEnum

from bot.store.cache import Binding, Newest
from bot.store.history import Author, Draft, Entry, Move, Place
from bot.store.plans import founding, moving
from bot.store.recorder import Recorder, Recording
from bot.store.upkeep import Upkeep
from rules.errors import NotAllowed, TooLate
from rules.facts import Fate
from rules.table import Table
from rules.terms import later
from rules.values import replace

Drafting = Callable[[Table], Draft]
"""What a command makes of the newest table; pure, since it may be asked again."""


class Left(StrEnum):
    """What becomes of the table that a channel showed, when it shows another."""

    STAYS = "stays"
    """It is the table of the thread's channel, where it stays, or people have only rolled dice there."""
    ELSEWHERE = "elsewhere"
    """It can be brought back, or other channels show it."""
    ARCHIVED = "archived"


Leaving = Callable[[Table, Left], None]
"""May refuse that a place no longer shows a table, or ask first."""

GONE = later(
    "That's out of date: the table was deleted, or isn't in this channel any more. To see this "
    "channel's table: /table show"
)


def _left(table: Table, left: Left) -> None:
    """Any table may be left."""


def _left_of(seat: Binding, place: Place, newest: Newest, *, archives: bool = False) -> Left:
    """What becomes of the table that a seat shows, when the place shows another."""
    if newest.entry.rolls_only or seat.channel != place.channel:
        return Left.STAYS
    return Left.ARCHIVED if archives else Left.ELSEWHERE


class Places:
    """The places at which campaigns are played; `most` campaigns may be of a server, 0 is no limit."""

    def __init__(self, recorder: Recorder, most: int, upkeep: Upkeep) -> None:
        self._recorder = recorder
        self._upkeep = upkeep
        self._reader = recorder.reader
        self.most = most

    async def found(
        self, place: Place, author: Author, interaction: int, rule: Drafting, *, leaving: Leaving = _left
    ) -> Entry:
        """Begin a new campaign at a place, and archive the one that no other channel shows then.

        `leaving` may refuse or ask, of the table that the place showed before.
        """

        async def prepare() -> Recording:
            found = await self._recorder.seen(place)
            seat, newest = found or (None, None)
            is_last = seat is not None and seat.channel == place.channel
            if is_last and seat is not None:
                is_last = await self._reader.channels(seat.campaign) == {place.channel}
            draft = rule(Table())
            if newest is not None and seat is not None:
                leaving(newest.entry.table, _left_of(seat, place, newest, archives=is_last))
            await self.require_room(place.guild, draft)
            return founding(
                place, seat, newest, author, draft, at=self._recorder.clock.now(), archives=is_last
            )

        return await self._recorder.record(interaction, prepare)

    async def bind(
        self,
        place: Place,
        campaign: int,
        author: Author,
        interaction: int,
        rule: Drafting,
        *,
        leaving: Leaving = _left,
        deleted: bool = False,
    ) -> Entry:
        """Let a place show a campaign, which is woken if it is archived. Raises TooLate.

        One that is `deleted` is there again; any other is not found then. `leaving` may refuse, of the table
        that the place showed before.
        """

        async def prepare() -> Recording:
            newest = await known(self._recorder, campaign, deleted=deleted)
            found = await self._recorder.seen(place)
            draft = rule(newest.entry.table)
            if deleted:
                await self.require_room(place.guild, draft)
            draft = replace(draft, table=replace(draft.table, archived=False))
            if found and found[0] == Binding(campaign, place.channel):
                return Recording((newest.entry.then(author, self._recorder.clock.now(), draft),))
            seat, old = found or (None, None)
            if old is not None and seat is not None and old.entry.campaign != campaign:
                leaving(old.entry.table, _left_of(seat, place, old))
            move = Move(place.channel, seat.campaign if seat else None, campaign)
            entry = newest.entry.then(author, self._recorder.clock.now(), draft, (move,))
            return moving(entry, seat, old, Fate.JOINED)

        return await self._recorder.record(interaction, prepare)

    async def unbind(self, place: Place, author: Author, interaction: int, rule: Drafting) -> Entry:
        """Let a place show no campaign any more. Raises NotAllowed if it shows none of its own."""

        async def prepare() -> Recording:
            found = await self._recorder.seen(place)
            if found is None or found[1].entry.rolls_only:
                raise NotAllowed("This channel has no table to leave.")
            seat, newest = found
            if seat.channel != place.channel:
                raise NotAllowed(
                    "This thread uses its channel's table. To leave that table, use the "
                    "command in the channel."
                )
            draft = rule(newest.entry.table)
            move = Move(place.channel, seat.campaign, None)
            entry = newest.entry.then(author, self._recorder.clock.now(), draft, (move,))
            return Recording((entry,), (move,))

        return await self._recorder.record(interaction, prepare)

    async def delete(self, campaign: int, author: Author, interaction: int, rule: Drafting) -> Entry:
        """Take a campaign out of all its channels; `bind` brings it back for as long as it is kept."""

        async def prepare() -> Recording:
            newest = await known(self._recorder, campaign)
            draft = rule(newest.entry.table)
            channels = sorted(await self._reader.channels(campaign))
            moves = tuple(Move(channel, campaign, None) for channel in channels)
            entry = newest.entry.then(author, self._recorder.clock.now(), draft, moves)
            return Recording((replace(entry, deleted=True),), moves)

        entry = await self._recorder.record(interaction, prepare)
        await self._upkeep.prune()
        return entry

    async def require_room(self, guild: int, draft: Draft) -> None:
        """Refuse one campaign more than a server can have; rolls are none, direct messages no server."""
        if draft.rolls_only or not (self.most and guild):
            return
        if await self._reader.count(guild) >= self.most:
            raise NotAllowed(
                "This server already has {most} campaigns, which is the limit. Play one of them, or "
                "delete one in its channel.",
                most=self.most,
            )


async def known(recorder: Recorder, campaign: int, *, deleted: bool = False) -> Newest:
    """The newest entry of a campaign. Raises TooLate where there is none such."""
    newest = await recorder.seen_of(campaign)
    if newest is None or newest.entry.deleted != deleted:
        raise TooLate(GONE)
    return newest
