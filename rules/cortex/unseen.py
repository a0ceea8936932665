"""What is kept from players: a GMC that is away, until the GM brings it in (B2, M5)."""

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from rules.errors import NotAllowed
from rules.reasons import Called
from rules.result import Fact, Step
from rules.seats import Actor, is_gm, require_room
from rules.table import Table, key


def seen_by_all(table: Table) -> Table:
    """The table as players see it; where there is no GM, everybody sees everything."""
    away = [who for who, character in table.characters.items() if character.gmc and character.away]
    if not away or table.is_open:
        return table
    return replace(table, characters={k: c for k, c in table.characters.items() if k not in away})


def seen_by(table: Table, actor: Actor) -> Table:
    """The table as somebody sees it."""
    return table if is_gm(table, actor) else seen_by_all(table)


def with_unseen(before: Table, step: Step) -> Step:
    """A step that was made of what is seen, at the whole table again. Raises NotAllowed for a name in use."""
    unseen = {k: c for k, c in before.characters.items() if k not in seen_by_all(before).characters}
    taken = next((c.name for k, c in step.table.characters.items() if k in unseen), None)
    if taken is not None:
        raise NotAllowed(
            "{taken} cannot be the name of a new character here. Choose another name.", taken=taken
        )
    if len(step.table.characters) > len(before.characters) - len(unseen):
        require_room(before)
    return Step(replace(step.table, characters={**step.table.characters, **unseen}), step.facts)


def told(before: Table, step: Step) -> tuple[Step, bool]:
    """The step with what players may hear of it; one of which they may hear nothing is secret, and whole."""
    after = step.table
    away = {k for table in (before, after) for k in table.characters} - set(seen_by_all(after).characters)
    hidden = away & {k for table in (before, after) for k, c in table.characters.items() if c.gmc and c.away}
    if not hidden or after.is_open:
        return step, False
    facts = tuple(fact for each in step.facts for fact in _told(each, hidden))
    return (step, True) if step.facts and not facts else (Step(after, facts), False)


def _told(fact: Fact, hidden: set[str]) -> Iterator[Fact]:
    """The fact, without names that are hidden in a row of several; nothing of one that is about them."""
    for field in fields(fact):
        said = getattr(fact, field.name)
        name = said.name if isinstance(said, Called) else said
        if isinstance(name, str) and key(name) in hidden:
            return
        if isinstance(said, tuple):
            left = tuple(each for each in said if not (isinstance(each, str) and key(each) in hidden))
            changes: dict[str, Any] = {field.name: left}
            fact = fact if left == said else replace(fact, **changes)
    yield fact
