"""Small made-up rules, and people who use them."""

from bot.store.history import Author, Draft, LogStep, Place
from bot.store.places import Drafting
from rules.cortex.model import CORTEX
from rules.errors import NotAllowed
from rules.facts import Fact, OldWords
from rules.table import Character, Table
from rules.values import replace

ANNA = Author(11, "Anna")
BEN = Author(12, "Ben")
HERE = Place(channel=100, guild=1)
THERE = Place(channel=200, guild=1)
THREAD = Place(channel=101, guild=1, parent=100)


def told(text: str) -> tuple[Fact, ...]:
    """Facts that say just that."""
    return (OldWords(text),)


def gift(name: str = "Zoe", pp: int = 1) -> Drafting:
    """Give PP to a character, who comes to the table if they are not there."""

    def rule(table: Table) -> Draft:
        old = table.characters.get(name, Character(name))
        own = CORTEX.has(old)
        return Draft(
            table.with_owner(name, CORTEX.give(old, replace(own, pp=own.pp + pp))), told(f"{name} +{pp} PP")
        )

    return rule


def spend(name: str = "Zoe") -> Drafting:
    """Take one PP. Raises NotAllowed if there is none."""

    def rule(table: Table) -> Draft:
        old = table.characters.get(name, Character(name))
        own = CORTEX.has(old)
        if not own.pp:
            raise NotAllowed(f"{name} has no PP.")
        return Draft(
            table.with_owner(name, CORTEX.give(old, replace(own, pp=own.pp - 1))), told(f"{name} -1 PP")
        )

    return rule


def named(name: str) -> Drafting:
    """Name the table."""
    return lambda table: Draft(replace(table, name=name), told(f"Named {name}"))


def archived(table: Table) -> Draft:
    """Archive the table."""
    return Draft(replace(table, archived=True), told("Archived"))


def kept(table: Table) -> Draft:
    """Change nothing."""
    return Draft(table, told("Nothing"))


def scene(name: str) -> Drafting:
    """Name the scene."""
    return lambda table: Draft(replace(table, scene=name), told(f"Scene {name}"))


def anybody(step: LogStep) -> bool:
    """Everybody may undo everything."""
    return True


def pp(table: Table, name: str = "Zoe") -> int:
    """What PP a character has."""
    return CORTEX.has(table.characters[name]).pp
