"""Play by post: who is late, reminders, and a GM who is gone."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from bot.store.jobs import Job
from bot.store.ledger import Ledger
from rules.campaign.schedule import QuietHours
from rules.values import replace

WAIT, LATE = "wait", "late"
"""The kinds of job: what waits for one person, and what is late, for the GM."""
NEVER = datetime(2100, 1, 1, tzinfo=UTC)
"""When a job is due of which nobody is reminded any more."""
HOUR = 3600
TIMES = 2
"""So often somebody is told of a thing: at half of its time, and at its end."""
SOON = 4 * HOUR
"""What is due for somebody so soon is told along with what is due now."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Since when each thing waits for a person, by its sign, in seconds since 1970; late after so many hours.

    They are told of each at half of its time and at its end; `said` says how often they have been by now. The
    player 0 is nobody in particular.
    """

    player: int
    hours: int
    since: Mapping[str, int] = field(default_factory=dict)
    said: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, payload: Mapping[str, Any]) -> "Waits":
        """What a job holds; one of an earlier version says only until when they were `told`."""
        known = cls(payload["player"], payload["hours"], payload["since"])
        said = payload.get("said")
        return replace(known, said=known.due_by(payload.get("told", 0)) if said is None else said)

    def job(self, campaign: int, due: datetime | None = None) -> Job:
        """The job that reminds of it, when they are told next, or then."""
        payload = {
            "player": self.player,
            "hours": self.hours,
            "since": dict(self.since),
            "said": dict(self.said),
        }
        return Job(key_of(campaign, self.player), WAIT, due or self.next_moment, campaign, payload)

    def with_signs(self, signs: Collection[str], hours: int, now: int) -> "Waits":
        """The same where only these things wait, those that are new since now."""
        since = {sign: self.since.get(sign, now) for sign in signs}
        return replace(
            self, hours=hours, since=since, said={s: n for s, n in self.said.items() if s in since}
        )

    def deadline(self, sign: str) -> int:
        """When something is late."""
        return self.since[sign] + self.hours * HOUR

    def moments(self, sign: str) -> tuple[int, int]:
        """When they are told of something: at half of its time, and at its end."""
        return self.since[sign] + self.hours * HOUR // 2, self.deadline(sign)

    def due_by(self, now: int) -> dict[str, int]:
        """How often they are to be told of each thing by then."""
        return {sign: sum(at <= now for at in self.moments(sign)) for sign in self.since}

    @property
    def next_moment(self) -> datetime:
        """When they are told next."""
        following = [self.moments(sign)[count] for sign, count in self._counts() if count < TIMES]
        return datetime.fromtimestamp(min(following), UTC) if following and self.player else NEVER

    def is_due(self, now: int) -> bool:
        """Whether there is something that they have not been told of."""
        return bool(self.player) and self.next_moment.timestamp() <= now

    def told(self, now: int) -> "Waits":
        """The same once they are told of all that is due, and of what soon will be."""
        due, soon = self.due_by(now), self.due_by(now + SOON)
        said = {sign: max(n, due[sign], min(n + 1, soon[sign])) for sign, n in self._counts()}
        return replace(self, said=said)

    def due(self, rest: QuietHours, now: datetime, known: datetime | None = None) -> datetime:
        """When they are told next: in the morning, where they asked for that.

        A morning that was `known`, and whose reminder is not sent yet, stays.
        """
        if not rest.is_gathered or self.next_moment == NEVER:
            return self.next_moment
        is_late = known is not None and known <= now and rest.is_morning(known)
        return known if known is not None and is_late else rest.morning(now)

    def told_until(self, morning: int) -> "Waits":
        """The same once they are told, until that next morning, of all that waits.

        Each thing is told on the first morning, and on the last one before it is late.
        """
        said = {sign: TIMES if self.deadline(sign) <= morning else max(1, n) for sign, n in self._counts()}
        return replace(self, said=said)

    def _counts(self) -> Iterable[tuple[str, int]]:
        """How often they have been told of each thing."""
        return ((sign, self.said.get(sign, 0)) for sign in self.since)

    def new_in(self, told: "Waits") -> set[str]:
        """The signs of what they are told of then, and have not been yet."""
        return {sign for sign, count in told.said.items() if count > self.said.get(sign, 0)}


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


@dataclass(frozen=True, slots=True)
class Absence:
    """Who is gone of the GMs of a table, their last step there, and when they made it.

    They have left the server, or have long done nothing. Delegates may be there still.
    """

    step: int
    since: datetime
    has_left: bool
    gone: tuple[int, ...] = ()

    def is_of_all(self, gms: Collection[int]) -> bool:
        """Whether no GM is left."""
        return set(self.gone) >= set(gms)


async def absence_of(ledger: Ledger, campaign: int, gms: Collection[int]) -> Absence | None:
    """What the players were told of their GM's absence, as long as it lasts."""
    noted = await ledger.notes.read(_key(campaign)) if gms else None
    if not noted:
        return None
    step, _, how = noted.partition(" ")
    last = await ledger.past.led_last(campaign, gms)
    is_lasting = last is not None and step == str(last[0])
    return Absence(*last, how == "left", tuple(gms)) if last is not None and is_lasting else None


async def was_told(ledger: Ledger, campaign: int, absence: Absence, *, is_all: bool) -> bool:
    """Whether the players have been told."""
    noted = await ledger.notes.read(_key(campaign, is_all=is_all)) or ""
    return noted.partition(" ")[0] == str(absence.step)


async def note_absence(ledger: Ledger, campaign: int, absence: Absence, *, is_all: bool) -> None:
    """The players have been told."""
    how = "left" if absence.has_left else "idle"
    await ledger.notes.keep(_key(campaign, is_all=is_all), f"{absence.step} {how}")


def _key(campaign: int, *, is_all: bool = True) -> str:
    return f"{'absent' if is_all else 'left'}:{campaign}"
