"""Database commands: backup, restore, doctor, maintain, usage."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from bot.clock import SYSTEM, Clock
from bot.ops.outcome import OrderOutcome, OrderRefused, many, size
from bot.settings import BotSettings
from bot.store import backups, maintenance
from bot.store.backups import CopyState, NoBackup
from bot.store.campaign_check import Checkup, Finding
from bot.store.engine import Occupied, Unstamped, address, is_file, known, revision
from bot.store.maintenance import examine
from bot.store.retention import Usage, usage
from bot.worker import settle


async def backup(chosen: BotSettings, path: Path) -> OrderOutcome:
    """Back up the database. Raises OrderRefused if that is impossible, and the errors of the database."""
    try:
        made = await backups.backup(chosen.database_url, path)
    except NoBackup as error:
        raise OrderRefused(str(error)) from error
    return OrderOutcome(
        (f"Database backed up to {made}, {size(made.stat().st_size)}. The backup was verified.",)
    )


async def restore(chosen: BotSettings, path: Path) -> OrderOutcome:
    """Replace the database by a backup.

    Raises OrderRefused if that is impossible, and the errors of the database.
    """
    try:
        seen = await backups.restore(chosen.database_url, path)
    except NoBackup as error:
        raise OrderRefused(str(error)) from error
    is_current = seen == known()[-1]
    then = "the current one" if is_current else f"which the next start migrates to {known()[-1]}"
    return OrderOutcome((f"Database restored from {path}, revision {seen}, {then}.",))


def copied(chosen: BotSettings) -> str:
    """Return the sentence that says whether a start backs up the database before migrating it."""
    if chosen.backup_dir or is_file(address(chosen.database_url)):
        return "A backup is made first."
    return "No backup is made first: set BACKUP_DIR, or make one yourself."


async def require_current(chosen: BotSettings) -> None:
    """Raise OrderRefused if the database does not exist yet or needs a migration.

    Also raises what engine.revision raises.
    """
    found = await revision(chosen.database_url)
    where = address(chosen.database_url)
    if found is None and is_file(where) and not await asyncio.to_thread(Path(str(where.database)).exists):
        raise OrderRefused(
            f"The database file {where.database} does not exist. The bot's first start creates it."
        )
    if found is None:
        raise OrderRefused("The database has no tables yet. The bot's first start creates them.")
    if found != known()[-1]:
        raise OrderRefused(
            f"The database has revision {found}, but this version needs {known()[-1]}. Start the bot once to "
            f"migrate it. {copied(chosen)}"
        )


class ProgressLine:
    """A line in a terminal that says how far a check is; nothing if it is no terminal."""

    def __init__(self, out: TextIO, clock: Clock = SYSTEM) -> None:
        self._out, self._clock = out, clock
        self._last = clock.monotonic()
        self._is_shown = False

    def show(self, checked: int, total: int) -> None:
        """Show how many steps have been checked, unless the line has just been shown."""
        if self._out.isatty() and self._clock.monotonic() - self._last >= 1:
            self._last, self._is_shown = self._clock.monotonic(), True
            print(f"\rChecked {checked:,} of {total:,} steps", end="", file=self._out, flush=True)

    def clear(self) -> None:
        """Remove the line."""
        if self._is_shown:
            print("\r\033[K", end="", file=self._out, flush=True)


FOUND = 1
"""The exit code where something is not well and not mended."""


async def doctor(chosen: BotSettings, *, repairs: bool) -> OrderOutcome:
    """Check the whole database, and repair it if `repairs`; the exit code says whether problems remain.

    Raises OrderRefused if a bot uses the database, and the errors of the database.
    """
    with suppress(Unstamped):  # that is one of the things it finds
        await require_current(chosen)
    settle()  # looking for garbage would be a tenth of the time
    health, line = Checkup(), ProgressLine(sys.stderr)
    try:
        found = [one async for one in examine(chosen.database_url, health, repairs=repairs, tell=line.show)]
    except Occupied as error:
        raise OrderRefused(str(error)) from error
    finally:
        line.clear()
    if health.copies.is_failing(chosen.backup_every, SYSTEM.now()):
        found.append(_not_copied(health.copies))
    code = FOUND if any(one.is_open for one in found) else 0
    return OrderOutcome((*(one.sentence for one in found), with_sizes(health, found)), code)


def _not_copied(copies: CopyState) -> Finding:
    """Return the finding that the automatic backup fails."""
    last = (
        f"The last backup is from {copies.made:%Y-%m-%d %H:%M} UTC" if copies.made else "There are none yet"
    )
    return Finding(f"The automatic backup is failing; the bot's log says why. {last}.", is_open=True)


def with_sizes(health: Checkup, found: list[Finding]) -> str:
    """Return the summary of a check: how it went, and how large everything is."""
    said = "Problems found" if any(one.is_open for one in found) else "All OK"
    sizes = f"the largest has {size(health.largest)}" if health.campaigns else "no campaigns yet"
    counted = f"{many(health.campaigns, 'campaign')}, {many(health.entries, 'entry', 'entries')}"
    return f"{said}: {counted}, {size(health.bytes)}; {sizes}."


async def maintain(chosen: BotSettings) -> OrderOutcome:
    """Delete expired rows and compact the database.

    Raises OrderRefused if that is impossible now, and the errors of the database.
    """
    await require_current(chosen)
    try:
        done = await maintenance.maintain(chosen.database_url)
    except Occupied as error:
        raise OrderRefused(str(error)) from error
    sizes = f"size before {size(done.before)}, now {size(done.after)}"
    return OrderOutcome((f"Maintenance done: {many(done.expired, 'expired row')} deleted; {sizes}.",))


async def count(chosen: BotSettings) -> OrderOutcome:
    """Report the usage of the database.

    Raises OrderRefused if it needs a migration, and the errors of the database.
    """
    await require_current(chosen)
    return OrderOutcome(lines(await usage(chosen.database_url, SYSTEM.now())))


def lines(found: Usage) -> tuple[str, ...]:
    """Return the usage as lines of text, with the weeks from the first that has a step."""
    weeks = list(found.steps.items())
    while weeks and not weeks[0][1]:
        weeks.pop(0)
    return (
        *counts(found),
        *(f"Week of {monday:%Y-%m-%d}: {many(steps, 'step')}" for monday, steps in weeks),
        "Counted from the current data, so deleted data is not included. Nothing is sent anywhere.",
    )


def counts(found: Usage) -> tuple[str, str]:
    """Return how many servers, tables and people there are, as two texts."""
    return (
        f"{many(found.servers, 'server')}, {many(found.campaigns, 'active table')}; "
        f"{found.archived} archived, {found.rolls_only} with rolls only, "
        f"{found.deleted} deleted but still restorable.",
        f"{many(found.people, 'person', 'people')}, including {many(found.gms, 'GM')}.",
    )
