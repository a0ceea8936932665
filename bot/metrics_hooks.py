"""Hooks that metrics listen to: what the bot does, told as it happens."""


class MetricsHooks:
    """Is told what happens while the bot serves; this one forgets it. `bot.ops.metrics` counts it.

    Times are seconds.
    """

    def done(self, kind: str, command: str, outcome: str, answered: float | None) -> None:
        """A `command`, `press`, `form` or `suggestion` is over; it was answered after so long, or not."""

    def deferred(self) -> None:
        """An answer took so long that Discord was told that it comes later."""

    def committed(self, changes: int, seconds: float) -> None:
        """So many changes were written in one commit."""

    def overtaken(self) -> None:
        """Somebody else was faster, and a command reads its table again."""

    def busy(self) -> None:
        """A command gave up, since others were faster time after time."""

    def unreadable(self) -> None:
        """A state of a table could not be read; an older one stands for it."""

    def pinned(self, *, is_refreshed: bool) -> None:
        """A pinned table was brought up to date, or could not be."""

    def requested(self, method: str, status: int) -> None:
        """Discord answered a request of its REST API; status 0 for a line that was cut."""

    def queued(self, waiting: int) -> None:
        """So many requests wait for a free connection to Discord now."""


NO_METRICS = MetricsHooks()
"""Counts nothing."""
