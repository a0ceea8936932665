"""Play by post: since when things wait, when people are reminded of them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from bot.store.jobs import Job
from bot.store.ledger import Ledger

WAIT, LATE = "wait", "late"
"""The kinds of job: what waits for one person, and what is late, for the GM."""
NEVER = datetime(2100, 1, 1, tzinfo=UTC)
"""When a job is due of which nobody is reminded any more."""
HOUR = 3600


@dataclass(frozen=True, slots=True)
class Waits:
    """Since when each thing waits for a person, by its sign, in seconds since 1970; late after so many hours.

    They were `told` of whatever was half late, or late, until then. The player 0 is nobody in particular.
    """

    player: int
    told: int
    hours: int
    since: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, payload: Mapping[str, Any]) -> "Waits":
        """What a job holds."""
        return cls(payload["player"], payload["told"], payload["hours"], payload["since"])

    def job(self, campaign: int) -> Job:
        """The job that reminds of it."""
        payload = {"player": self.player, "told": self.told, "hours": self.hours, "since": dict(self.since)}
        return Job(key_of(campaign, self.player), WAIT, self.next_moment, campaign, payload)

    def with_signs(self, signs: Collection[str], now: int, hours: int) -> "Waits":
        """The same where only these things wait, those that are new since now."""
        return replace(self, hours=hours, since={sign: self.since.get(sign, now) for sign in signs})

    def deadline(self, sign: str) -> int:
        """When something is late."""
        return self.since[sign] + self.hours * HOUR

    @property
    def moments(self) -> list[int]:
        """When they are reminded: at half of each thing's time, and at its end."""
        half = self.hours * HOUR // 2
        return [at for sign in self.since for at in (self.since[sign] + half, self.deadline(sign))]

    @property
    def next_moment(self) -> datetime:
        """When they are reminded next."""
        following = min((at for at in self.moments if at > self.told), default=0)
        return datetime.fromtimestamp(following, UTC) if following and self.player else NEVER

    def is_due(self, now: int) -> bool:
        """Whether there is something that they have not been told of."""
        return bool(self.player) and any(self.told < at <= now for at in self.moments)


async def waits_of(ledger: Ledger, campaign: int) -> dict[int, Waits]:
    """Since when things wait at a table, by the person that they wait for."""
    jobs = (await ledger.jobs.of_campaign(campaign)).values()
    return {job.payload["player"]: Waits.of(job.payload) for job in jobs if job.kind == WAIT}


async def since_of(ledger: Ledger, campaign: int) -> Mapping[str, datetime]:
    """Since when things wait at a table where people play by post, by the signs of these things."""
    known = await waits_of(ledger, campaign) if campaign else {}
    return {
        sign: datetime.fromtimestamp(at, UTC) for each in known.values() for sign, at in each.since.items()
    }


def key_of(campaign: int, player: int) -> str:
    """The key of the job that reminds a person."""
    return f"{WAIT}:{campaign}:{player}"
