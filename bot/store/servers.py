"""The campaigns of a server: which are played there, which somebody finds, which are deleted."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from bot.store import schema
from bot.store.expired import DAYS_KEPT
from bot.store.reader import CampaignLine, Offer, Reader, TableLine


class Servers:
    """What is played on servers; 0, where private conversations are, is none."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def campaigns(self, guild: int) -> list[CampaignLine]:
        """The campaigns of a server, by name; none for 0, where private conversations are."""
        return await self._reader.campaigns(guild) if guild else []

    async def tables(self, guild: int) -> list[TableLine]:
        """The same, each with its channels and its GMs."""
        return await self._reader.tables(guild) if guild else []

    async def offers(self, guild: int, player: int) -> list[Offer]:
        """The campaigns of a server as somebody finds them, by name; none for 0."""
        return await self._reader.offers(guild, player) if guild else []

    async def known_to(self, guild: int, player: int) -> list[CampaignLine]:
        """The campaigns of a server that know somebody, by name; none for 0."""
        return await self._reader.known_to(guild, player) if guild else []

    async def deleted(self, guild: int) -> list[CampaignLine]:
        """The campaigns of a server that are deleted and can be brought back, the last one first."""
        return await self._reader.deleted(guild, datetime.now(UTC) - timedelta(days=DAYS_KEPT))

    async def all(self) -> set[int]:
        """The servers that campaigns are of, deleted ones too."""
        guild = schema.campaign.c.guild_id
        return {row.guild_id for row in await self._reader.rows(select(guild).distinct().where(guild != 0))}
