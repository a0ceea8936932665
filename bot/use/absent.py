"""A GM who is gone: since when, and what the players of their table were told of it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from bot.store.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Absence:
    """Who is gone of the GMs of a table, their last step there, and when they made it.

    They have left the server, or have long done nothing. Delegates may be there still.
    """

    step: int
    since: datetime
    has_left: bool
    gone: tuple[int, ...] = ()

    def is_of_all(self, gms: Collection[int]) -> bool:
        """Whether no GM is left."""
        return set(self.gone) >= set(gms)


async def absence_of(ledger: Ledger, campaign: int, gms: Collection[int]) -> Absence | None:
    """What the players were told of their GM's absence, as long as it lasts."""
    noted = await ledger.notes.read(_key(campaign)) if gms else None
    if not noted:
        return None
    step, _, how = noted.partition(" ")
    last = await ledger.past.led_last(campaign, gms)
    is_lasting = last is not None and step == str(last[0])
    return Absence(*last, how == "left", tuple(gms)) if last is not None and is_lasting else None


async def was_told(ledger: Ledger, campaign: int, absence: Absence, *, is_all: bool) -> bool:
    """Whether the players have been told."""
    noted = await ledger.notes.read(_key(campaign, is_all=is_all)) or ""
    return noted.partition(" ")[0] == str(absence.step)


async def note_absence(ledger: Ledger, campaign: int, absence: Absence, *, is_all: bool) -> None:
    """The players have been told."""
    how = "left" if absence.has_left else "idle"
    await ledger.notes.keep(_key(campaign, is_all=is_all), f"{absence.step} {how}")


def _key(campaign: int, *, is_all: bool = True) -> str:
    return f"{'absent' if is_all else 'left'}:{campaign}"
