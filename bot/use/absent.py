"""A GM who is gone: since when, and what the players of their table were told of it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from bot.store.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Absence:
    """The last step of a GM at a table, when they made it, and whether no GM is on the server any more."""

    step: int
    since: datetime
    has_left: bool


async def absence_of(ledger: Ledger, campaign: int, gms: Collection[int]) -> Absence | None:
    """What the players were told of their GM's absence, as long as it lasts."""
    noted = await ledger.notes.read(_key(campaign)) if gms else None
    if not noted:
        return None
    step, _, how = noted.partition(" ")
    last = await ledger.past.led_last(campaign, gms)
    return Absence(*last, how == "left") if last is not None and step == str(last[0]) else None


async def note_absence(ledger: Ledger, campaign: int, absence: Absence) -> None:
    """The players have been told."""
    await ledger.notes.keep(_key(campaign), f"{absence.step} {'left' if absence.has_left else 'idle'}")


def _key(campaign: int) -> str:
    return f"absent:{campaign}"
