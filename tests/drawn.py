"""What laws draw of each game: its part of a table, of a character, and a cell that steps write.

A game that can be played and is not here fails every generated law with a KeyError: none can be left out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import strategies as st

from rules.campaign.seats import Actor
from rules.cortex.kinds import Trait
from rules.cortex.model import CORTEX, CortexCharacter
from rules.game import played
from rules.ore import roll
from rules.ore.model import ORE, OneRollRating, OreCharacter
from rules.ore.pool import OrePool
from rules.table import Character, Table
from rules.values import replace


@dataclass(frozen=True, slots=True)
class Cell:
    """A thing that a made-up step writes into a table, and what stands there; None where nothing does."""

    write: Callable[[Table, int], Table]
    read: Callable[[Table], object]


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is drawn of a game: its part of a table, of a character, and the cells of it that steps write.

    Both are None where tables are drawn with them already.
    """

    state: Callable[[], st.SearchStrategy[Any]] | None
    own: Callable[[], st.SearchStrategy[Any]] | None
    cells: tuple[Cell, ...]


def _doom(table: Table, value: int) -> Table:
    return CORTEX.put(table, replace(CORTEX.of(table), doom={**CORTEX.of(table).doom, 6: value}))


def _points(name: str) -> Cell:
    """Somebody's plot points."""

    def write(table: Table, value: int) -> Table:
        return table.with_owner(name, CORTEX.give(Character(name), CortexCharacter(pp=value)))

    def read(table: Table) -> object:
        return CORTEX.has(table.characters[name]).pp if name in table.characters else None

    return Cell(write, read)


def _statement(table: Table, value: int) -> Table:
    """Fay's trait that was challenged (N7)."""
    trait = Trait("Duty", 8, statement=f"I am {value}", was=10)
    return table.with_owner("Fay", CORTEX.give(Character("Fay"), CortexCharacter(sheet={"duty": trait})))


def _statement_of(table: Table) -> object:
    held = CORTEX.has(table.characters["Fay"]).sheet if "Fay" in table.characters else {}
    return held["duty"].statement if "duty" in held else None


@cache
def _one_roll_state() -> st.SearchStrategy[Any]:
    """Rolls of One-Roll as the dice of a seed fall."""

    def rolled(dice: int, seed: int) -> Any:
        faces = [1 + (seed + 7 * place) % 10 for place in range(dice)]
        step = roll.full(Table(), Actor(2, "Alice"), lambda sizes: faces, OrePool(dice))
        return ORE.of(step.table)

    return st.builds(rolled, st.integers(2, 8), st.integers(0, 99))


@cache
def _ratings() -> st.SearchStrategy[OreCharacter]:
    held = st.dictionaries(st.sampled_from(["Body", "Mind"]), st.sampled_from(["2d", "3d 1w"]), max_size=2)
    return held.map(lambda found: OreCharacter({k.casefold(): OneRollRating(k, v) for k, v in found.items()}))


def _rating(table: Table, value: int) -> Table:
    """Dee's rating: somebody else than those whose plot points are cells."""
    dee = table.characters.get("Dee", Character("Dee"))
    return table.with_owner(
        "Dee", ORE.give(dee, OreCharacter({"body": OneRollRating("Body", f"{value + 2}d")}))
    )


def _rating_of(table: Table) -> object:
    ratings = ORE.has(table.characters["Dee"]).ratings if "Dee" in table.characters else {}
    return ratings["body"].dice if "body" in ratings else None


DRAWN: dict[str, Drawn] = {
    CORTEX.name: Drawn(
        None,
        None,
        (
            Cell(_doom, lambda table: CORTEX.of(table).doom.get(6)),
            *map(_points, ("Ada", "Bea", "Cid")),
            Cell(_statement, _statement_of),
        ),
    ),
    ORE.name: Drawn(_one_roll_state, _ratings, (Cell(_rating, _rating_of),)),
}
"""By the name of the game."""


def _scene(table: Table, value: int) -> Table:
    return replace(table, scene=str(value))


def cells() -> list[Cell]:
    """The cells of any table, and those of each game that can be played."""
    return [Cell(_scene, lambda table: table.scene), *(c for g in played() for c in DRAWN[g.part.name].cells)]


def with_games(draw: st.DrawFn, table: Table) -> Table:
    """The table with what is drawn of each game; steps up to the ninth may have made its rolls."""
    table = replace(table, number=max(table.number, 9))
    for game in played():
        drawn = DRAWN[game.part.name]
        if drawn.own is not None:
            for who, each in table.characters.items():
                table = table.with_owner(who, game.part.give(each, draw(drawn.own())))
        if drawn.state is not None:
            table = game.part.put(table, draw(drawn.state()))
    return table
