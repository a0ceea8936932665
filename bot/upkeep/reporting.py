"""`report`: what to send along when asking for help, with nothing of anybody in it."""

import platform
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import version
from typing import Literal, get_origin

from bot import home, lately
from bot.clock import SYSTEM
from bot.settings import BotSettings
from bot.store.charts import Checkup
from bot.store.doctor import examine
from bot.store.engine import Unreachable, address
from bot.store.maintenance import size as size_of
from bot.store.revision import NewerDatabase, known, revision
from bot.store.usage import usage
from bot.upkeep import using
from bot.upkeep.doctoring import whole
from bot.upkeep.outcome import OrderOutcome, size

_CLOSING = "This report has no names, texts, ids or secrets. Read it before you share it anyway."
WARNINGS = 20
"""So many warnings are told, the last ones."""
_LIBRARIES = ("discord.py", "aiohttp", "SQLAlchemy", "pydantic")
_NAMES_A_SERVER = "dev_guild_id"
_PLAIN = ("shard_count", "shards")
"""Settings in letters that can hold nothing but numbers and a few words."""


async def report(chosen: BotSettings) -> OrderOutcome:
    """Tell it, also where the database cannot be read."""
    parts = {
        "Program": list(_program()),
        "Settings": [f"{name.upper()}: {_shown(name, chosen)}" for name in BotSettings.model_fields],
        "Database": [line async for line in _database(chosen.database_url)],
        "Last warnings": list(_warnings(chosen.database_url)) or ["none"],
    }
    lines = [line for title, told in parts.items() for line in (f"{title}:", *(f"  {one}" for one in told))]
    return OrderOutcome((*lines, _CLOSING))


def without_settings(name: str) -> tuple[str, ...]:
    """What there is to tell where a setting of that name cannot be used; why may hold a path."""
    program = (f"  {line}" for line in _program())
    return ("Program:", *program, "Settings:", f"  {name} is not valid. Run `check` to see why.", _CLOSING)


def _program() -> Iterator[str]:
    yield f"Doomkeeper {home.full_version()}, {'from a clone or the image' if home.IS_CLONE else 'installed'}"
    yield f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    yield ", ".join([*(f"{each} {version(each)}" for each in _LIBRARIES), f"SQLite {sqlite3.sqlite_version}"])


def _shown(name: str, chosen: BotSettings) -> str:
    """A number, or one of a few words; of all else, such as a secret or a name, whether it is set."""
    value, field = getattr(chosen, name), BotSettings.model_fields[name]
    if value is None or value == "":
        return "not set"
    is_choice = get_origin(field.annotation) is Literal or name in _PLAIN
    if is_choice or (isinstance(value, int | float) and name != _NAMES_A_SERVER):
        return str(value)
    return "default" if value == field.default else "set"


async def _database(url: str) -> AsyncIterator[str]:
    """Which kind it is, how much is in it, and what the doctor finds."""
    try:
        yield address(url).get_backend_name()
        found, newest = await revision(url), known()[-1]
        yield f"revision {found or 'none'}; this version needs {newest}"
        if found != newest:
            return
        yield f"total size {size(await size_of(url))}"
        for line in using.counts(await usage(url, SYSTEM.now())):
            yield line
        health = Checkup()
        findings = [one async for one in examine(url, health, repairs=False)]
        yield f"Doctor: {whole(health, findings)}"
        for plain, times in Counter(one.plain for one in findings).items():
            yield _times(times) + plain
    except (Unreachable, NewerDatabase) as error:
        yield f"Cannot be read: {lately.kinds(error.__context__ or error)}"


def _warnings(url: str) -> Iterator[str]:
    """The last warnings, each once, with when it was last and how often."""
    try:
        kept = [line.partition(" ") for line in lately.kept(url)]
    except (Unreachable, OSError) as error:
        yield f"Cannot be read: {lately.kinds(error)}"
        return
    times, last = Counter(what for _, _, what in kept), {what: at for at, _, what in kept}
    for what in sorted(last, key=last.__getitem__)[-WARNINGS:]:
        yield f"{last[what]} {_times(times[what])}{what}"


def _times(count: int) -> str:
    return "" if count == 1 else f"({count} times) "
