"""`check` and `report`: can the bot start, and what to send with an issue."""

import platform
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from importlib.metadata import version

import discord

from bot import EX_CONFIG, paths
from bot.client.registry import CommandDifferences
from bot.clock import SYSTEM
from bot.ops import database, logs
from bot.ops.database import copied, with_sizes
from bot.ops.outcome import NotYet, OrderOutcome, OrderRefused, size
from bot.ops.sync import difference_words, logged_in, reaching
from bot.settings import DEFAULTS, BotSettings
from bot.store.campaign_check import Checkup
from bot.store.engine import Away, NewerDatabase, Unreachable, address, known, revision
from bot.store.maintenance import examine, try_to_write
from bot.store.maintenance import size as size_of
from bot.store.retention import usage

_UNNEEDED = {
    "members": ("gateway_guild_members", "gateway_guild_members_limited"),
    "presence": ("gateway_presence", "gateway_presence_limited"),
    "message content": ("gateway_message_content", "gateway_message_content_limited"),
}
"""Privileged intents, each with the flags of an application that has it."""


_TOLD = ("operator", "contact", "support_url", "source_url", "terms_url", "privacy_url")
"""Settings that people are told of."""
_OF_PROFILE = {"a description", "tags", "an install link"}
_VERIFIED_FROM = 100
"""A bot on so many servers has to be verified by Discord to be added to more."""


@dataclass(frozen=True, slots=True)
class _LookedAt:
    """What was looked at, in short, and what somebody may want to know of it."""

    short: str
    notes: tuple[str, ...] = ()


async def check(chosen: BotSettings) -> OrderOutcome:
    """Check the database and Discord, and test writing where a start would; changes neither."""
    seen, wrong, code = list[_LookedAt](), list[str](), 0
    for look in (_database, _discord):
        try:
            seen.append(await look(chosen))
        except (Away, NotYet) as error:
            wrong.append(str(error))
            code = code or 1
        except (Unreachable, NewerDatabase, OrderRefused) as error:
            wrong.append(str(error))
            code = EX_CONFIG
    notes = [note for each in seen for note in each.notes]
    short = "; ".join(each.short for each in seen)
    return OrderOutcome((*notes, *wrong, "Problems found." if wrong else f"All OK: {short}."), code)


async def _database(chosen: BotSettings) -> _LookedAt:
    found, newest = await revision(chosen.database_url), known()[-1]
    await try_to_write(chosen.database_url, chosen.backup_dir, makes_tables=found != newest)
    if found == newest:
        return _LookedAt(f"database at revision {found}")
    if found is None:
        return _LookedAt("database without tables", ("The first start creates the database tables.",))
    change = f"The next start migrates the database from revision {found} to {newest}. {copied(chosen)}"
    return _LookedAt(f"database at revision {found}", (change,))


async def _discord(chosen: BotSettings) -> _LookedAt:
    async with logged_in(chosen) as bot:
        application = bot.application
        assert application is not None
        on = [name for name, flags in _UNNEEDED.items() if any(getattr(application.flags, f) for f in flags)]
        notes = (
            [f"Turn off the privileged intents that the bot does not need: {', '.join(on)}."] if on else []
        )
        with reaching("register commands"):
            differences = await bot.registered.differences()
        if not differences.are_none:
            notes.append(f"The next start updates the commands: {difference_words(differences)}.")
        notes += _unnamed(chosen) + _asked_by_discord(application, is_verified=_is_verified(bot))
        return _LookedAt(f"logged in to Discord as {bot.user}, {_count(differences)}", tuple(notes))


def _unnamed(chosen: BotSettings) -> list[str]:
    """What people are told nothing of, since it is not set."""
    missing = [name.upper() for name in _TOLD if not getattr(chosen, name)]
    if not missing:
        return []
    return [f"Set these to show people who hosts this bot and where to get help: {', '.join(missing)}."]


def _is_verified(bot: discord.Client) -> bool:
    return bot.user is not None and bot.user.public_flags.verified_bot


def _asked_by_discord(application: discord.AppInfo, *, is_verified: bool) -> list[str]:
    """What Discord asks of a bot on many servers, and of one in its directory of apps, with what is there."""
    fulfilled = {
        "a terms of service link": bool(application.terms_of_service_url),
        "a privacy policy link": bool(application.privacy_policy_url),
        "no unneeded privileged intents": not any(
            getattr(application.flags, flag) for flags in _UNNEEDED.values() for flag in flags
        ),
        "verification by Discord": is_verified,
        "a public bot": application.bot_public,
        "a description": bool(application.description),
        "tags": bool(application.tags),
        "an install link": application.install_params is not None or bool(application.custom_install_url),
    }
    there = [what for what, is_there in fulfilled.items() if is_there]
    missing = [what for what, is_there in fulfilled.items() if not is_there]
    lines = [
        f"For {_VERIFIED_FROM} servers and the App Directory, Discord asks for this, which you have: "
        f"{', '.join(there)}."
    ]
    lines += [f"Discord also asks for this, which is missing: {', '.join(missing)}."] if missing else []
    lines += (
        ["Run `sync --profile` to set the description, tags and install link."]
        if _OF_PROFILE & {*missing}
        else []
    )
    return [
        *lines,
        "Discord also asks for the owner's identity, two-factor login and a support server. "
        "`check` can't see these.",
    ]


def _count(differences: CommandDifferences) -> str:
    return f"{differences.same + len(differences.changed) + len(differences.removed)} commands"


_CLOSING = "This report has no names, texts, ids or secrets. Read it before you share it anyway."
WARNINGS = 20
"""So many warnings are told, the last ones."""
_LIBRARIES = ("discord.py", "aiohttp", "SQLAlchemy", "msgspec")
_NAMES_A_SERVER = "dev_guild_id"
_PLAIN = ("dice_emojis", "log_format", "log_level", "shard_count", "shards")
"""Settings in letters that can hold nothing but numbers and a few words."""


async def report(chosen: BotSettings) -> OrderOutcome:
    """Collect program version, settings, database state and recent warnings; works without a database."""
    parts = {
        "Program": list(_program()),
        "Settings": [f"{name.upper()}: {_shown(name, chosen)}" for name in DEFAULTS],
        "Database": [line async for line in _database_lines(chosen.database_url)],
        "Last warnings": list(_warnings(chosen.database_url)) or ["none"],
    }
    lines = [line for title, told in parts.items() for line in (f"{title}:", *(f"  {one}" for one in told))]
    return OrderOutcome((*lines, _CLOSING))


def without_settings(name: str) -> tuple[str, ...]:
    """Return the report if a setting is invalid; it omits the reason, which may contain a path."""
    program = (f"  {line}" for line in _program())
    return ("Program:", *program, "Settings:", f"  {name} is not valid. Run `check` to see why.", _CLOSING)


def _program() -> Iterator[str]:
    place = "from a clone or the image" if paths.IS_CLONE else "installed"
    yield f"Doomkeeper {paths.full_version()}, {place}"
    yield f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    yield ", ".join([*(f"{each} {version(each)}" for each in _LIBRARIES), f"SQLite {sqlite3.sqlite_version}"])


def _shown(name: str, chosen: BotSettings) -> str:
    """A number, or one of a few words; of all else, such as a secret or a name, whether it is set."""
    value = getattr(chosen, name)
    if value is None or value == "":
        return "not set"
    if name in _PLAIN or (isinstance(value, int | float) and name != _NAMES_A_SERVER):
        return str(value)
    return "default" if value == DEFAULTS[name] else "set"


async def _database_lines(url: str) -> AsyncIterator[str]:
    """Which kind it is, how much is in it, and what the doctor finds."""
    try:
        yield address(url).get_backend_name()
        found, newest = await revision(url), known()[-1]
        yield f"revision {found or 'none'}; this version needs {newest}"
        if found != newest:
            return
        yield f"total size {size(await size_of(url))}"
        for line in database.counts(await usage(url, SYSTEM.now())):
            yield line
        health = Checkup()
        findings = [one async for one in examine(url, health, repairs=False)]
        yield f"Doctor: {with_sizes(health, findings)}"
        for plain, times in Counter(one.plain for one in findings).items():
            yield _times(times) + plain
    except (Unreachable, NewerDatabase) as error:
        yield f"Cannot be read: {logs.kinds(error.__context__ or error)}"


def _warnings(url: str) -> Iterator[str]:
    """The last warnings, each once, with when it was last and how often."""
    try:
        kept = [line.partition(" ") for line in logs.kept(url)]
    except (Unreachable, OSError) as error:
        yield f"Cannot be read: {logs.kinds(error)}"
        return
    times, last = Counter(what for _, _, what in kept), {what: at for at, _, what in kept}
    for what in sorted(last, key=last.__getitem__)[-WARNINGS:]:
        yield f"{last[what]} {_times(times[what])}{what}"


def _times(count: int) -> str:
    return "" if count == 1 else f"({count} times) "
