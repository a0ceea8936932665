"""By what each fact of One-Roll is kept, for ever."""

from rules.game import Tag
from rules.ore.facts import OreChanged, OreClosed, OreGobbled, OreRolled

TAGS: tuple[Tag, ...] = (
    (OreClosed, "ore closed", "OreClosed"),
    (OreRolled, "ore", "OreRolled"),
    (OreChanged, "ore changed", "OreChanged"),
    (OreGobbled, "ore gobbled", "OreGobbled"),
)
"""Rows are only ever added, and none is ever changed."""
