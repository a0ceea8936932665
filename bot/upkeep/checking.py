"""`check`: whether a start would succeed, and what it would change."""

from dataclasses import dataclass

from bot import EX_CONFIG
from bot.settings import Settings
from bot.store.engine import Away, Unreachable
from bot.store.revision import NewerDatabase, known, revision
from bot.store.writable import try_to_write
from bot.ui.registered import Differences
from bot.upkeep.outcome import Later, Outcome, Refused
from bot.upkeep.quiet import logged_in
from bot.upkeep.registering import reaching, told
from bot.upkeep.state import copied

_UNNEEDED = {
    "members": ("gateway_guild_members", "gateway_guild_members_limited"),
    "presence": ("gateway_presence", "gateway_presence_limited"),
    "message content": ("gateway_message_content", "gateway_message_content_limited"),
}
"""Privileged intents, each with the flags of an application that has it."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was looked at, in short, and what somebody may want to know of it."""

    short: str
    notes: tuple[str, ...] = ()


async def check(chosen: Settings) -> Outcome:
    """Look at the database and at Discord, and try to write where a start would; neither is changed."""
    seen, wrong, code = list[_Seen](), list[str](), 0
    for look in (_database, _discord):
        try:
            seen.append(await look(chosen))
        except (Away, Later) as error:
            wrong.append(str(error))
            code = code or 1
        except (Unreachable, NewerDatabase, Refused) as error:
            wrong.append(str(error))
            code = EX_CONFIG
    notes = [note for each in seen for note in each.notes]
    short = "; ".join(each.short for each in seen)
    return Outcome((*notes, *wrong, "Not all is well." if wrong else f"All is well: {short}."), code)


async def _database(chosen: Settings) -> _Seen:
    found, newest = await revision(chosen.database_url), known()[-1]
    await try_to_write(chosen.database_url, chosen.backup_dir, makes_tables=found != newest)
    if found == newest:
        return _Seen(f"the database has revision {found}")
    if found is None:
        return _Seen("the database has no tables yet", ("The first start makes the database's tables.",))
    change = f"The next start brings the database from revision {found} to {newest}. {copied(chosen)}"
    return _Seen(f"the database has revision {found}", (change,))


async def _discord(chosen: Settings) -> _Seen:
    async with logged_in(chosen) as bot:
        application = bot.application
        assert application is not None
        on = [name for name, flags in _UNNEEDED.items() if any(getattr(application.flags, f) for f in flags)]
        notes = [f"Privileged intents are on that the bot does not need: {', '.join(on)}."] if on else []
        with reaching():
            differences = await bot.registered.differences()
        if not differences.are_none:
            notes.append(f"The next start registers commands: {told(differences)}.")
        return _Seen(f"Discord knows {bot.user}, with {_count(differences)}", tuple(notes))


def _count(differences: Differences) -> str:
    return f"{differences.same + len(differences.changed) + len(differences.removed)} commands"
