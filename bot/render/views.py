"""The views that people can look at and share: each a table's lines by a short name."""

from collections.abc import Callable, Mapping

from bot.render import table as tables
from rules.cortex.table import Kind, Table

Links = Mapping[int, str]
"""Where rolls are shown, by their number."""

VIEWS: Mapping[str, Callable[[Table, Links], list[str]]] = {
    "table": tables.table_lines,
    "scene": tables.scene_lines,
    "campaign": lambda table, links: tables.campaign_lines(table),
    "doom": lambda table, links: tables.doom_lines(table),
    "pp": lambda table, links: tables.points_lines(table),
    "asset": lambda table, links: tables.trait_lines(table, (Kind.ASSET,)),
    "comp": lambda table, links: tables.trait_lines(table, (Kind.COMPLICATION,)),
    "stress": lambda table, links: tables.trait_lines(table, (Kind.STRESS, Kind.TRAUMA)),
    "dist": lambda table, links: tables.trait_lines(table, (Kind.DISTINCTION,)),
}
