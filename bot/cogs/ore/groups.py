"""All command groups of One-Roll games."""

from collections.abc import Iterator

from bot.cogs.base import Group, Needs
from bot.cogs.ore.ore import OreCommands


def groups(needs: Needs) -> Iterator[Group]:
    """Each with what it needs."""
    yield OreCommands(needs.play)
