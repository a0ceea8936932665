"""What somebody has at hand at a table: how much waits for them, and the commands that they need most."""

from bot.render.waiting import people, waiting
from bot.store.history import Place
from bot.store.ledger import Ledger
from rules.table import Table
from rules.visibility import seen_by_all

PLAYERS = ("roll", "asset add", "pp spend", "undo")
GMS = ("doom add", "comp add", "scene start", "session start")
NEWCOMERS = ("campaign new", "roll", "odds", "help")


async def waits_for(ledger: Ledger, place: Place, person: int) -> int:
    """How many things wait for somebody at the table of a place."""
    entry = await ledger.look(place)
    if entry is None or entry.deleted or entry.table.archived:
        return 0
    table = seen_by_all(entry.table)
    return sum(person in people(table, each) for each in waiting(table))


async def needed_first(ledger: Ledger, place: Place, person: int) -> tuple[str, ...]:
    """The full names of the commands that are used most by who they are at the table of a place."""
    entry = await ledger.look(place)
    if entry is None or entry.deleted or entry.table.archived or entry.rolls_only:
        return NEWCOMERS
    return by_role(entry.table, person)


def by_role(table: Table, person: int) -> tuple[str, ...]:
    """The commands of a GM or of a player; where there is no GM, everybody is both."""
    if not table.gms:
        return (*PLAYERS, *GMS)
    return (*GMS, *PLAYERS) if person in table.gms else PLAYERS
