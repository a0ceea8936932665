"""The host's commands, such as `backup` and `doctor`.

Modules are imported only when a command needs them, because a starting bot imports this file, too.
"""

import argparse
import asyncio
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bot import EX_CONFIG
from bot.ops.outcome import NotYet, OrderOutcome, OrderRefused

if TYPE_CHECKING:
    from bot.settings import BotSettings


ENDS = (
    "Exit code: 0 on success, 78 if you need to fix something first, 1 if a retry may help because Discord "
    "or the database is unavailable. `doctor` also exits with 1 when it finds problems."
)
NAMES = frozenset({"backup", "restore", "doctor", "check", "sync", "maintain", "usage", "report"})


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add these commands to the argument parser."""

    def order(name: str, does: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=does, description=f"{does[0].upper()}{does[1:]}.", epilog=ENDS)
        made.add_argument(
            "--database",
            metavar="PATH",
            help="database to use instead of DATABASE_URL: a file or a URL",
        )
        return made

    order("check", "check the settings, the database, write access and Discord; nothing is changed")
    copied = order("backup", "copy the database to a file, even while the bot runs")
    copied.add_argument("path", type=Path, metavar="PATH", help="a new file, or a folder")
    restored = order("restore", "replace the database with a backup; stop the bot first")
    restored.add_argument("path", type=Path, metavar="PATH", help="a file made by `backup`")
    order("maintain", "delete expired data and compact the database; with SQLite, stop the bot first")
    order("usage", "count servers, tables, people and steps per week; nothing is sent anywhere")
    order("report", "print diagnostics to share when you ask for help: no names, texts, ids or secrets")
    registered = order("sync", "register the commands with Discord and show what changes")
    what = registered.add_mutually_exclusive_group()
    what.add_argument("--guild", type=int, metavar="ID", help="register on one server only, for development")
    what.add_argument(
        "--profile",
        action="store_true",
        help="set the description, tags, install link and permissions instead of the commands",
    )
    registered.add_argument("--dry-run", action="store_true", help="only show what would change")
    seen = order("doctor", "check everything in the database and report problems")
    seen.add_argument(
        "--repair", action="store_true", help="repair or set aside damaged data; stop the bot first"
    )


def run(asked: argparse.Namespace) -> int:
    """Run the requested command and print its outcome; return the exit code."""
    from bot import settings
    from bot.store.engine import Away, NewerDatabase, Unreachable

    try:
        chosen = settings.read()
        if asked.database is not None:
            chosen = replace(chosen, database_url=asked.database)
        outcome = asyncio.run(_done(asked, chosen))
    except (Away, NotYet) as error:
        print(error, file=sys.stderr)
        return 1
    except settings.BadSetting as error:
        if asked.command == "report":
            from bot.ops import check

            for line in check.without_settings(str(error).partition(":")[0]):
                print(line)
        else:
            print(error, file=sys.stderr)
        return EX_CONFIG
    except (Unreachable, NewerDatabase, OrderRefused) as error:
        print(error, file=sys.stderr)
        return EX_CONFIG
    for line in outcome.lines:
        print(line)
    return outcome.code


async def _done(asked: argparse.Namespace, chosen: "BotSettings") -> OrderOutcome:
    if asked.command in ("check", "sync"):
        from bot.ops import check, sync

        if asked.command == "check":
            return await check.check(chosen)
        if asked.profile:
            return await sync.profile(chosen, is_dry=asked.dry_run)
        return await sync.sync(chosen, asked.guild, is_dry=asked.dry_run)
    from bot.ops import database
    from bot.store import codec
    from rules.games import GAMES

    codec.play_games(GAMES)
    if asked.command == "doctor":
        return await database.doctor(chosen, repairs=asked.repair)
    if asked.command == "maintain":
        return await database.maintain(chosen)
    if asked.command == "usage":
        return await database.count(chosen)
    if asked.command == "report":
        from bot.ops import check

        return await check.report(chosen)
    if asked.command == "backup":
        return await database.backup(chosen, asked.path)
    return await database.restore(chosen, asked.path)
