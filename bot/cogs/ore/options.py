"""The options of One-Roll's commands."""

from collections.abc import Iterable
from typing import Any, cast

from discord import Interaction
from discord.app_commands import Transform

from bot.cogs.options import Typed, focused, whose
from rules.ore.model import ORE, OreKind
from rules.ore.pool import LEAST, MOST, write
from rules.table import Table


class _OreDice(Typed):
    """A pool of a One-Roll game: those that the caller has rolled, then what is typed, then plain ones."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        mine = [roll for roll in reversed(tuple(ORE.of(table).rolls.values())) if roll.player == player]
        typed = focused(cast("Any", it.data).get("options", ()))
        own = whose(table, player, it)
        if own is not None and ORE.has(own).ratings:
            head, plus, last = typed.rpartition("+")
            begun = last.strip().casefold()
            named = [each.label for name, each in ORE.has(own).ratings.items() if name.startswith(begun)]
            before = f"{head.rstrip()} + " if plus else ""
            return [*(f"{before}{label}" for label in named), typed]
        pools = [write(roll.hands[0].pool) for roll in mine if roll.kind in (OreKind.FULL, OreKind.QUICK)]
        return [*pools, typed, *(f"{dice}d" for dice in range(LEAST, MOST + 1))]


OreDice = Transform[str, _OreDice()]
