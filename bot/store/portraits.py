"""The portraits of a campaign, by what is in them: a character names one, and states share it."""

import hashlib
from collections.abc import Collection

from sqlalchemy import delete, select

from bot.store.recorder import Recorder
from bot.store.schema import portrait
from bot.store.writer import Write

MOST = 150
"""So many portraits that one person brought to a campaign are kept, the latest."""


def digest_of(data: bytes) -> str:
    """What a portrait is known by."""
    return hashlib.sha256(data).hexdigest()[:32]


def is_whole(digest: str, data: object) -> bool:
    """Whether that is the portrait which is known by the digest, and not damaged."""
    return isinstance(data, bytes) and digest_of(data) == digest


class Portraits:
    """The portraits that people have uploaded."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._keep = recorder.insert(portrait).on_conflict_do_nothing(
            index_elements=["campaign_id", "digest"]
        )

    async def keep(self, campaign: int, person: int, data: bytes) -> str:
        """Keep a portrait that somebody brought; the digest by which it is found."""
        digest = digest_of(data)
        columns = portrait.c
        theirs = (columns.campaign_id == campaign, columns.player_id == person)
        latest = select(columns.at).where(*theirs).order_by(columns.at.desc())
        oldest = latest.offset(MOST - 1).limit(1).scalar_subquery()
        row = {
            "campaign_id": campaign,
            "digest": digest,
            "player_id": person,
            "data": data,
            "at": self._recorder.clock.now(),
        }
        await self._recorder.write(
            delete(portrait).where(*theirs, columns.at <= oldest),
            Write(self._keep, values=row),
        )
        return digest

    async def find(self, campaign: int, digest: str) -> bytes | None:
        """A portrait by its digest; None where it is gone with who brought it, too long ago, or damaged."""
        return (await self.of(campaign, (digest,))).get(digest)

    async def of(self, campaign: int, digests: Collection[str]) -> dict[str, bytes]:
        """Those portraits of a campaign that are still kept, by digest."""
        columns = (portrait.c.campaign_id == campaign, portrait.c.digest.in_(digests))
        rows = await self._recorder.reader.rows(select(portrait.c.digest, portrait.c.data).where(*columns))
        return {row.digest: row.data for row in rows if is_whole(row.digest, row.data)}

    async def by(self, campaign: int, person: int) -> dict[str, bytes]:
        """The portraits that somebody brought to a campaign, by digest."""
        columns = (portrait.c.campaign_id == campaign, portrait.c.player_id == person)
        rows = await self._recorder.reader.rows(select(portrait.c.digest, portrait.c.data).where(*columns))
        return {row.digest: row.data for row in rows if is_whole(row.digest, row.data)}
