"""Which campaign a channel shows, and the campaigns of a server."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, Select, select

from bot.clock import Clock
from bot.store.history import Author, Draft, Entry, Move, Place
from bot.store.reader import Binding, Newest, Reader, channels_of, last
from bot.store.recorder import Recorder, Recording, known, plan_first_entry, plan_move
from bot.store.retention import DAYS_KEPT, Upkeep
from bot.store.schema import campaign, channel, entry, person
from rules.errors import NotAllowed
from rules.facts import Fate
from rules.table import Table
from rules.values import replace

Drafting = Callable[[Table], Draft]
"""What a command makes of the newest table; pure, since it may be asked again."""


class Left(StrEnum):
    """What happens to a channel's table when the channel shows another."""

    STAYS = "stays"
    """It is the table of the thread's channel, where it stays, or people have only rolled dice there."""
    ELSEWHERE = "elsewhere"
    """It can be brought back, or other channels show it."""
    ARCHIVED = "archived"


Leaving = Callable[[Table, Left], None]
"""May refuse that a place no longer shows a table, or ask first."""


def _left(table: Table, left: Left) -> None:
    """Any table may be left."""


def _left_of(seat: Binding, place: Place, newest: Newest, *, archives: bool = False) -> Left:
    """What becomes of the table that a seat shows, when the place shows another."""
    if newest.entry.rolls_only or seat.channel != place.channel:
        return Left.STAYS
    return Left.ARCHIVED if archives else Left.ELSEWHERE


class Places:
    """The channels in which campaigns are played; a server has at most `most` campaigns, 0 for no limit."""

    def __init__(self, recorder: Recorder, most: int, upkeep: Upkeep) -> None:
        self._recorder = recorder
        self._upkeep = upkeep
        self._reader = recorder.reader
        self.most = most

    async def found(
        self, place: Place, author: Author, interaction: int, rule: Drafting, *, leaving: Leaving = _left
    ) -> Entry:
        """Start a new campaign at a place, and archive the old one if no other channel shows it.

        `leaving` sees the place's old table and may refuse or ask. Raises what it or the rule raises.
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
            return plan_first_entry(
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
        """Show a campaign at a place, waking it if it is archived. Raises TooLate if it is gone.

        With `deleted`, it restores a deleted campaign, and finds no other. `leaving` sees the place's old
        table and may refuse or ask.
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
            return plan_move(entry, seat, old, Fate.JOINED)

        return await self._recorder.record(interaction, prepare)

    async def unbind(self, place: Place, author: Author, interaction: int, rule: Drafting) -> Entry:
        """Stop showing a campaign at a place. Raises NotAllowed if the place shows none of its own."""

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
        """Remove a campaign from all its channels; `bind` can restore it while it is kept."""

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
        """Raise NotAllowed if one more campaign exceeds the server's limit.

        Mere rolls and direct messages do not count.
        """
        if draft.rolls_only or not (self.most and guild):
            return
        if await self._reader.count(guild) >= self.most:
            raise NotAllowed(
                "This server already has {most} campaigns, which is the limit. Play one of them, or "
                "delete one in its channel.",
                most=self.most,
            )


@dataclass(frozen=True, slots=True)
class CampaignLine:
    """A campaign in a list; if it is deleted, with who deleted it and the channels it was played in."""

    id: int
    name: str
    archived: bool
    deleted: bool = False
    deleted_by: int = 0
    channels: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class CampaignChoice:
    """A campaign that a person may find, with the channels that it is or was last played in.

    `is_led` means that it has a GM; `is_own`, that the person is its GM.
    """

    campaign: CampaignLine
    is_led: bool
    is_own: bool


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table of a server: the channels that show it, and its GMs."""

    campaign: CampaignLine
    channels: tuple[int, ...]
    gms: tuple[int, ...]


class Servers:
    """The campaigns of each server; server 0, which stands for direct messages, has none."""

    def __init__(self, reader: Reader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def campaigns(self, guild: int) -> list[CampaignLine]:
        """Return the campaigns of a server in which anything has happened, by name."""
        if not guild:
            return []
        return [line_of(row) for row in await self._reader.rows(_begun(guild))]

    async def tables(self, guild: int) -> list[TableLine]:
        """Return the campaigns of a server with their channels and GMs."""
        if not (lines := await self.campaigns(guild)):
            return []
        ours = select(campaign.c.id).where(campaign.c.guild_id == guild)
        shows = await self._reader.rows(select(channel).where(channel.c.campaign_id.in_(ours)))
        leads = await self._reader.rows(select(person).where(person.c.campaign_id.in_(ours), person.c.is_gm))
        return [
            TableLine(
                line,
                tuple(sorted(row.channel_id for row in shows if row.campaign_id == line.id)),
                tuple(sorted(row.player_id for row in leads if row.campaign_id == line.id)),
            )
            for line in lines
        ]

    async def offers(self, guild: int, player: int) -> list[CampaignChoice]:
        """Return the campaigns of a server, as choices for a person."""
        if not guild:
            return []
        led = select(person.c.campaign_id).where(person.c.campaign_id == campaign.c.id, person.c.is_gm)
        mine = led.where(person.c.player_id == player)
        wanted = _begun(guild).add_columns(led.exists().label("led"), mine.exists().label("mine"))
        wanted = wanted.add_columns(channel.c.channel_id).join(
            channel, channel.c.campaign_id == campaign.c.id, isouter=True
        )
        rows = await self._reader.rows(wanted)
        where: dict[int, set[int]] = {}
        for row in rows:
            where.setdefault(row.id, set()).update({row.channel_id} - {None})
        nowhere = [of for of, channels in where.items() if not channels]
        was = await self._reader.last_places(nowhere) if nowhere else {}
        first = {row.id: row for row in reversed(rows)}
        lines = {
            of: replace(line_of(first[of]), channels=frozenset(channels) or was.get(of, frozenset()))
            for of, channels in where.items()
        }
        return [CampaignChoice(line, bool(first[of].led), bool(first[of].mine)) for of, line in lines.items()]

    async def known_to(self, guild: int, player: int) -> list[CampaignLine]:
        """Return the campaigns of a server that know a person, by name."""
        if not guild:
            return []
        mine = select(person.c.campaign_id).where(
            person.c.campaign_id == campaign.c.id, person.c.player_id == player
        )
        return [line_of(row) for row in await self._reader.rows(_begun(guild).where(mine.exists()))]

    async def deleted(self, guild: int) -> list[CampaignLine]:
        """Return the deleted campaigns of a server that can be restored, latest first."""
        since = self._clock.now() - timedelta(days=DAYS_KEPT)
        wanted = (
            select(campaign, entry.c.moves)
            .join(entry, entry.c.campaign_id == campaign.c.id)
            .where(
                campaign.c.guild_id == guild,
                campaign.c.deleted_at > since,
                entry.c.number == last(campaign.c.id),
            )
        )
        rows = await self._reader.rows(wanted.order_by(campaign.c.deleted_at.desc()))
        played = [channels_of(row.moves) for row in rows]
        return [
            replace(line_of(row), deleted_by=row.deleted_by, channels=channels)
            for row, channels in zip(rows, played, strict=True)
        ]

    async def all(self) -> set[int]:
        """Return the servers that have campaigns, including deleted ones."""
        guild = campaign.c.guild_id
        return {row.guild_id for row in await self._reader.rows(select(guild).distinct().where(guild != 0))}


def _begun(guild: int) -> Select[Any]:
    """The campaigns of a server in which anything but rolls has happened, by name; no deleted ones."""
    begun = select(entry.c.position).where(
        entry.c.campaign_id == campaign.c.id, entry.c.number == last(entry.c.campaign_id)
    )
    ours = (campaign.c.guild_id == guild, campaign.c.deleted_at.is_(None), ~campaign.c.rolls_only)
    # At 0 all that happened has been taken back.
    wanted = select(campaign).where(*ours, begun.scalar_subquery() > 0)
    return wanted.order_by(campaign.c.name, campaign.c.created_at)


def line_of(row: Row[Any]) -> CampaignLine:
    """Return the campaign in a row."""
    return CampaignLine(row.id, row.name, row.archived, row.deleted_at is not None)
