"""The campaigns of a server: which are played there, which somebody finds, which are deleted."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Row, Select, select

from bot.clock import Clock
from bot.store.expired import DAYS_KEPT
from bot.store.reader import Reader, last
from bot.store.rows import channels_of
from bot.store.schema import campaign, channel, entry, person
from rules.values import replace


@dataclass(frozen=True, slots=True)
class CampaignLine:
    """A campaign in a list; a deleted one with who deleted it, and the channels that it was played in."""

    id: int
    name: str
    archived: bool
    deleted: bool = False
    deleted_by: int = 0
    channels: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Offer:
    """A campaign of a server with the channels that it is or was last played in, as somebody finds it.

    `is_led` says that it has a GM, `is_own` that it is theirs to lead.
    """

    campaign: CampaignLine
    is_led: bool
    is_own: bool


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table of a server: the channels that show it, and the people who are its GMs."""

    campaign: CampaignLine
    channels: tuple[int, ...]
    gms: tuple[int, ...]


class Servers:
    """What is played on servers; 0, where private conversations are, is none."""

    def __init__(self, reader: Reader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def campaigns(self, guild: int) -> list[CampaignLine]:
        """The campaigns of a server in which anything has happened, by name; none for 0."""
        if not guild:
            return []
        return [line_of(row) for row in await self._reader.rows(_begun(guild))]

    async def tables(self, guild: int) -> list[TableLine]:
        """The same, each with its channels and its GMs."""
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

    async def offers(self, guild: int, player: int) -> list[Offer]:
        """The same, as somebody finds them."""
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
        return [Offer(line, bool(first[of].led), bool(first[of].mine)) for of, line in lines.items()]

    async def known_to(self, guild: int, player: int) -> list[CampaignLine]:
        """The campaigns of a server that know somebody, by name; none for 0."""
        if not guild:
            return []
        mine = select(person.c.campaign_id).where(
            person.c.campaign_id == campaign.c.id, person.c.player_id == player
        )
        return [line_of(row) for row in await self._reader.rows(_begun(guild).where(mine.exists()))]

    async def deleted(self, guild: int) -> list[CampaignLine]:
        """The campaigns of a server that are deleted and can be brought back, the last one first."""
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
        """The servers that campaigns are of, deleted ones too."""
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
    """The campaign in a row."""
    return CampaignLine(row.id, row.name, row.archived, row.deleted_at is not None)
