"""The operator's commands: what each is called and takes, and how it ends.

Little is imported before one is asked for, since a bot that starts reads this too.
"""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.upkeep.outcome import EX_CONFIG, Outcome, Refused

if TYPE_CHECKING:
    from bot.settings import Settings

ENDS = (
    "Exit code: 0 where all is well, 78 where somebody has to put something right first, 1 where the next "
    "try may go better: Discord or the database is away."
)
NAMES = frozenset({"backup", "restore", "doctor"})


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Let these commands be asked for."""

    def order(name: str, does: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=does, description=f"{does[0].upper()}{does[1:]}.", epilog=ENDS)

    copied = order("backup", "copy the database to a file, also while the bot runs")
    copied.add_argument("path", type=Path, metavar="PATH", help="a new file, or a folder")
    restored = order("restore", "put a copy in the place of the database; no bot may run on it")
    restored.add_argument("path", type=Path, metavar="PATH", help="what `backup` has made")
    seen = order("doctor", "read all that the database holds, and say what is not well")
    seen.add_argument("--repair", action="store_true", help="fall back to what can be read")


def run(asked: argparse.Namespace) -> int:
    """Do what was asked for, and print what came of it; the exit code."""
    from bot import settings
    from bot.store.engine import Away, Unreachable
    from bot.store.revision import NewerDatabase

    try:
        outcome = asyncio.run(_done(asked, settings.read()))
    except Away as error:
        print(error, file=sys.stderr)
        return 1
    except (settings.BadSetting, Unreachable, NewerDatabase, Refused) as error:
        print(error, file=sys.stderr)
        return EX_CONFIG
    for line in outcome.lines:
        print(line)
    return outcome.code


async def _done(asked: argparse.Namespace, chosen: "Settings") -> Outcome:
    from bot.upkeep import copying, doctoring

    if asked.command == "doctor":
        return await doctoring.doctor(chosen, repairs=asked.repair)
    if asked.command == "backup":
        return await copying.backup(chosen, asked.path)
    return await copying.restore(chosen, asked.path)
