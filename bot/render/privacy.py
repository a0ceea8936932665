"""What is kept about a person, in words."""

from collections.abc import Iterable, Sequence

from bot.store.files import PersonTable
from rules.names import listed, shortened

NOTHING = "Nothing is kept about you."
KEPT = (
    "Kept are your Discord id, the names that you went by, and what you did with this bot at these tables, "
    "with its time. Nothing else that is written in Discord is read."
)


def kept_lines(tables: Sequence[PersonTable], person: int) -> list[str]:
    """What is kept, a line for each table."""
    if not tables:
        return [NOTHING]
    lines = [_line(table, person) for table in tables]
    return [*lines, KEPT, "As a file: /privacy export. To delete it for ever: /privacy delete."]


def question_lines(names: list[str], alone: Iterable[str]) -> list[str]:
    """The question whether all of it shall be deleted; `alone` are the tables that lose their only GM."""
    where = f"{_count(len(names), 'table')}: {listed(shortened(names))}"
    lines = [
        f"Delete what is kept about you at {where}? This cannot be undone.",
        "Your id and your names go. Your characters stay, played by nobody. What happened stays in the log, "
        "done by Somebody.",
    ]
    return [*lines, *(f"{name} then has no GM, so everybody may do everything there." for name in alone)]


def deleted_line(count: int) -> str:
    """That it is gone."""
    where = _count(count, "table")
    return f"What was kept about you at {where} is deleted. What you do from now on is kept again."


def _line(table: PersonTable, person: int) -> str:
    """One table: `Skyfall: you are GM, you play Alice, 12 steps as alice`."""
    played = [each.name for each in table.characters if each.player == person]
    owned = [each.name for each in table.characters if each.player != person]
    names = dict.fromkeys(step.author.name for step in table.steps)
    parts = ["you are GM"] if table.gm else []
    parts += [f"you play {listed(played)}"] if played else []
    parts += [f"{listed(owned)} {'is' if len(owned) == 1 else 'are'} yours"] if owned else []
    steps = _count(len(table.steps), "step")
    parts.append(f"{steps} as {listed(names)}" if names else steps)
    return f"{table.name}: {', '.join(parts)}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
