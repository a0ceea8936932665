"""Dice in a message of anybody's, of any game: understood, and rolled as they would be typed."""

from collections.abc import Callable
from dataclasses import dataclass

from rules.campaign.seats import Actor
from rules.errors import NotAllowed, RuleError, TooLate, Unknown
from rules.game import Step
from rules.table import Table

GAME = "[a-z]*"
"""The subject of a button: the game whose dice were read, nothing for those that `/roll` rolls."""


@dataclass(frozen=True, slots=True)
class Read:
    """Dice that were read in a message, their game, and what of it could not be read.

    `is_sure` says that no other game has such dice.
    """

    dice: str
    left: tuple[str, ...] = ()
    is_sure: bool = False
    game: str = ""


@dataclass(frozen=True, slots=True)
class Reads:
    """How a game reads dice in a text: None, or a refusal, where it has none; and how they are rolled."""

    game: str
    understood: Callable[[Table, Actor, str], Read | None]
    roll: Callable[..., Step]


_known: list[Reads] = []


def learn(*games: Reads) -> None:
    """Let these games read dice; where several can, the first does, but for dice that are another's alone."""
    _known[:] = games


def rolls(game: str) -> Callable[..., Step]:
    """How the dice of a game are rolled. Raises TooLate for one that is not played."""
    found = next((each.roll for each in _known if each.game == game), None)
    if found is None:
        raise TooLate("The bot doesn't play that game any more.")
    return found


def understood(table: Table, actor: Actor, text: str) -> Read:
    """The dice in a text. Raises Unknown where there are none, NotAllowed for too many."""
    found: list[Read] = []
    refused: RuleError | None = None
    for each in _known:
        try:
            read = each.understood(table, actor, text)
        except (Unknown, NotAllowed) as error:
            refused = refused or error
        else:
            found += [read] if read else []
    if not found:
        raise refused or Unknown("That message has no dice to roll.")
    best = next((each for each in found if each.is_sure), found[0])
    others = [each for each in found if each is not best]
    more = [part for each in others for part in (each.dice, *(() if best.is_sure else each.left))]
    return Read(best.dice, tuple(dict.fromkeys((*best.left, *more))), best.is_sure, best.game)
