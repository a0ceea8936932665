"""Play by post: overdue actions, reminders, and absent GMs."""

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
    """What waits for one person: when each thing began to wait, by sign, in Unix seconds.

    A thing is late after `hours`. The person is reminded when half of that time is over and again at its end;
    `said` counts the reminders sent per sign. Player 0 stands for nobody in particular.
    """

    player: int
    hours: int
    since: Mapping[str, int] = field(default_factory=dict)
    said: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, payload: Mapping[str, Any]) -> "Waits":
        """Decode a job's payload; older payloads hold `told`, a time, instead of `said`."""
        known = cls(payload["player"], payload["hours"], payload["since"])
        said = payload.get("said")
        return replace(known, said=known.due_by(payload.get("told", 0)) if said is None else said)

    def job(self, campaign: int, due: datetime | None = None) -> Job:
        """Return the job that reminds the person, due at `due` or at the next reminder."""
        payload = {
            "player": self.player,
            "hours": self.hours,
            "since": dict(self.since),
            "said": dict(self.said),
        }
        return Job(key_of(campaign, self.player), WAIT, due or self.next_moment, campaign, payload)

    def with_signs(self, signs: Collection[str], hours: int, now: int) -> "Waits":
        """Return a copy in which exactly these things wait; new ones since `now`."""
        since = {sign: self.since.get(sign, now) for sign in signs}
        return replace(
            self, hours=hours, since=since, said={s: n for s, n in self.said.items() if s in since}
        )

    def deadline(self, sign: str) -> int:
        """Return when a thing is late, in Unix seconds."""
        return self.since[sign] + self.hours * HOUR

    def moments(self, sign: str) -> tuple[int, int]:
        """Return when the person is reminded of a thing, in Unix seconds: at half time and at the end."""
        return self.since[sign] + self.hours * HOUR // 2, self.deadline(sign)

    def due_by(self, now: int) -> dict[str, int]:
        """Return how many reminders of each thing are due by then, by sign."""
        return {sign: sum(at <= now for at in self.moments(sign)) for sign in self.since}

    @property
    def next_moment(self) -> datetime:
        """When the next reminder is due; `NEVER` if none is."""
        following = [self.moments(sign)[count] for sign, count in self._counts() if count < TIMES]
        return datetime.fromtimestamp(min(following), UTC) if following and self.player else NEVER

    def is_due(self, now: int) -> bool:
        """Return whether a reminder is due that has not been sent."""
        return bool(self.player) and self.next_moment.timestamp() <= now

    def told(self, now: int) -> "Waits":
        """Return a copy in which all reminders that are due, or will be soon, count as sent."""
        due, soon = self.due_by(now), self.due_by(now + SOON)
        said = {sign: max(n, due[sign], min(n + 1, soon[sign])) for sign, n in self._counts()}
        return replace(self, said=said)

    def due(self, rest: QuietHours, now: datetime, known: datetime | None = None) -> datetime:
        """Return when to send the next reminder: next morning, if the person wants reminders gathered.

        `known` is the morning planned so far; it stays if its reminder has not been sent yet.
        """
        if not rest.is_gathered or self.next_moment == NEVER:
            return self.next_moment
        is_late = known is not None and known <= now and rest.is_morning(known)
        return known if known is not None and is_late else rest.morning(now)

    def told_until(self, morning: int) -> "Waits":
        """Return a copy in which everything that waits counts as told until the next morning.

        Each thing is told on its first morning, and on the last morning before it is late.
        """
        said = {sign: TIMES if self.deadline(sign) <= morning else max(1, n) for sign, n in self._counts()}
        return replace(self, said=said)

    def _counts(self) -> Iterable[tuple[str, int]]:
        """How often they have been told of each thing."""
        return ((sign, self.said.get(sign, 0)) for sign in self.since)

    def new_in(self, told: "Waits") -> set[str]:
        """Return the signs that have more reminders in `told` than here."""
        return {sign for sign, count in told.said.items() if count > self.said.get(sign, 0)}


async def waits_of(ledger: Ledger, campaign: int) -> dict[int, Waits]:
    """Return what waits at a table, by the person that it waits for."""
    jobs = (await ledger.jobs.of_campaign(campaign)).values()
    return {job.payload["player"]: Waits.of(job.payload) for job in jobs if job.kind == WAIT}


async def since_of(ledger: Ledger, campaign: int) -> Mapping[str, datetime]:
    """Return when each thing began to wait at a play-by-post table, by sign."""
    known = await waits_of(ledger, campaign) if campaign else {}
    return {
        sign: datetime.fromtimestamp(at, UTC) for each in known.values() for sign, at in each.since.items()
    }


def key_of(campaign: int, player: int) -> str:
    """Return the key of the job that reminds a person."""
    return f"{WAIT}:{campaign}:{player}"


@dataclass(frozen=True, slots=True)
class Absence:
    """Which GMs of a table are gone, the number of their last step, and when they made it.

    Gone means that they left the server (`has_left`) or have done nothing for long. Delegates may still be
    there.
    """

    step: int
    since: datetime
    has_left: bool
    gone: tuple[int, ...] = ()

    def is_of_all(self, gms: Collection[int]) -> bool:
        """Return whether all these GMs are gone."""
        return set(self.gone) >= set(gms)


async def absence_of(ledger: Ledger, campaign: int, gms: Collection[int]) -> Absence | None:
    """Return the GMs' absence that the players were told of; None once it is over."""
    noted = await ledger.notes.read(_key(campaign)) if gms else None
    if not noted:
        return None
    step, _, how = noted.partition(" ")
    last = await ledger.past.led_last(campaign, gms)
    is_lasting = last is not None and step == str(last[0])
    return Absence(*last, how == "left", tuple(gms)) if last is not None and is_lasting else None


async def was_told(ledger: Ledger, campaign: int, absence: Absence, *, is_all: bool) -> bool:
    """Return whether the players have been told of this absence."""
    noted = await ledger.notes.read(_key(campaign, is_all=is_all)) or ""
    return noted.partition(" ")[0] == str(absence.step)


async def note_absence(ledger: Ledger, campaign: int, absence: Absence, *, is_all: bool) -> None:
    """Record that the players have been told of this absence."""
    how = "left" if absence.has_left else "idle"
    await ledger.notes.keep(_key(campaign, is_all=is_all), f"{absence.step} {how}")


def _key(campaign: int, *, is_all: bool = True) -> str:
    return f"{'absent' if is_all else 'left'}:{campaign}"
