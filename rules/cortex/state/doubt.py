"""Whether a roll of somebody who is taken out stands is for the GM to say, once (C4)."""

from rules.cortex.state.part import CORTEX
from rules.cortex.state.table import Roll
from rules.errors import NotAllowed
from rules.table import Table

ALLOWED = "allowed"
"""Under this a roll holds who let it stand, though whoever made it was taken out (C4)."""


def is_in_doubt(table: Table, roll: Roll) -> bool:
    """Whether the GM still has to say if a roll stands; where there is no GM, nobody has to (C4)."""
    is_open = roll.number in CORTEX.of(table).rolls and bool(table.gms)
    return roll.out and is_open and ALLOWED not in roll.doers


def require_stands(table: Table, roll: Roll) -> None:
    """Refuse to do anything with a roll in doubt: what has been used cannot be taken back alone (C4)."""
    if is_in_doubt(table, roll):
        raise NotAllowed(
            "{who} is taken out, so the {gm.one} first needs to decide whether that roll stands.",
            who=roll.who,
        )
