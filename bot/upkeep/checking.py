"""`check`: whether a start would succeed, and what it would change."""

from dataclasses import dataclass

import discord

from bot import EX_CONFIG
from bot.settings import BotSettings
from bot.store.engine import Away, Unreachable
from bot.store.revision import NewerDatabase, known, revision
from bot.store.writable import try_to_write
from bot.ui.registered import Differences
from bot.upkeep.outcome import NotYet, OrderOutcome, OrderRefused
from bot.upkeep.quiet import logged_in
from bot.upkeep.registering import difference_words, reaching
from bot.upkeep.state import copied

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
    """Look at the database and at Discord, and try to write where a start would; neither is changed."""
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


def _count(differences: Differences) -> str:
    return f"{differences.same + len(differences.changed) + len(differences.removed)} commands"
