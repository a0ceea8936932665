"""What is kept about a person, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.names import listed, shortened

NOTHING = "Nothing is kept about you."
KEPT = (
    "Kept are your Discord id, the names that you went by, and what you did with this bot at these tables, "
    "with its time. Nothing else that is written in Discord is read."
)


SHOWN = 25
"""So many tables are shown, the latest."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a table keeps about a person: seat, characters, and how many steps they made by each name."""

    name: str
    gm: bool
    played: Sequence[str]
    owned: Sequence[str]
    steps: Mapping[str, int]


def kept_lines(tables: Sequence[Seen], count: int) -> list[str]:
    """What is kept, a line for each of the latest tables, out of so many."""
    if not count:
        return [NOTHING]
    older = count - len(tables)
    lines = [f"{_count(older, 'older table')}: /privacy export has all"] if older else []
    lines += [_line(table) for table in tables]
    return [*lines, KEPT, "As a file: /privacy export. To delete it for ever: /privacy delete."]


def question_lines(names: list[str], alone: list[str]) -> list[str]:
    """The question whether all of it shall be deleted; `alone` are the tables that lose their only GM."""
    where = f"{_count(len(names), 'table')}: {listed(shortened(names))}"
    lines = [
        f"Delete what is kept about you at {where}? This cannot be undone.",
        "Your id and your names go. Your characters stay, played by nobody. What happened stays in the log, "
        "done by Somebody.",
    ]
    if alone:
        has = "has" if len(alone) == 1 else "have"
        open_to = f"{listed(shortened(alone))} then {has} no GM, so everybody may do everything there."
        lines.append(open_to)
    return lines


def deleted_line(count: int) -> str:
    """That it is gone."""
    where = _count(count, "table")
    return f"What was kept about you at {where} is deleted. What you do from now on is kept again."


def _line(table: Seen) -> str:
    """One table: `Skyfall: you are GM, you play Alice, 12 steps as alice`."""
    parts = ["you are GM"] if table.gm else []
    parts += [f"you play {listed(table.played)}"] if table.played else []
    are = "is" if len(table.owned) == 1 else "are"
    parts += [f"{listed(table.owned)} {are} yours"] if table.owned else []
    steps = _count(sum(table.steps.values()), "step")
    parts.append(f"{steps} as {listed(table.steps)}" if table.steps else steps)
    return f"{table.name}: {', '.join(parts)}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
