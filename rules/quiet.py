"""When somebody is not to be reminded: in quiet hours of their day, while they are away, or of a table."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from rules.zones import local

DAY = 24 * 60
SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Somebody's quiet hours, in minutes of the day in their zone, none where both are the same.

    They are away `until` then, in seconds since 1970, and hear nothing of the campaigns that are `muted`.
    `since` is when they have said so, in milliseconds; 0 where it is not known. `by_morning` is whether what
    waits for them is told in one message a day, when their quiet hours end.
    """

    zone: str = ""
    begins: int = 0
    ends: int = 0
    until: int = 0
    muted: tuple[int, ...] = ()
    since: int = 0
    by_morning: bool = False

    @property
    def has_quiet_hours(self) -> bool:
        """Whether there are any."""
        return self.begins != self.ends

    @property
    def is_gathered(self) -> bool:
        """Whether what waits for them is told in the morning alone."""
        return self.by_morning and self.has_quiet_hours

    def morning(self, now: datetime) -> datetime:
        """The first end of their quiet hours after now at which they are not away."""
        after = max(now, datetime.fromtimestamp(self.until, UTC) - SECOND)
        here = local(after, self.zone)
        # Of an hour that clocks show twice, the first: there is one morning a day.
        end = here.replace(hour=self.ends // 60, minute=self.ends % 60, second=0, microsecond=0, fold=0)
        today = end.astimezone(UTC)
        return today if today > after else (end + timedelta(days=1)).astimezone(UTC)

    def is_morning(self, at: datetime) -> bool:
        """Whether their quiet hours end just then."""
        return self.is_gathered and self.morning(at - SECOND) == at

    def awake(self, now: datetime) -> datetime:
        """The first moment from now on in which they may be reminded."""
        at = max(now, datetime.fromtimestamp(self.until, UTC))
        if not self.has_quiet_hours:
            return at
        here = local(at, self.zone)
        minute = here.hour * 60 + here.minute
        if (minute - self.begins) % DAY >= (self.ends - self.begins) % DAY:
            return at
        days = 1 if self.ends <= minute else 0
        end = (here + timedelta(days=days)).replace(
            hour=self.ends // 60, minute=self.ends % 60, second=0, microsecond=0
        )
        return max(at, end.astimezone(UTC))
