"""What goes out as a file, and what would come in: the words around it."""

import re
from collections.abc import Iterable

from bot.render.card import pages
from bot.render.sheet import character_lines, list_lines, xp_lines
from bot.render.table import table_lines
from rules.names import listed, shortened
from rules.table import Character, Table

ROOM = 3000
"""A preview has about this many characters."""


def file_name(name: str) -> str:
    """The name of a file for something of that name, which every computer can keep."""
    plain = re.sub("[^a-z0-9]+", "-", name.casefold()).strip("-")
    return f"{plain[:60].strip('-') or 'doomkeeper'}.json"


def sent_line(what: str, command: str) -> str:
    """What a file is, and how it comes back."""
    return f"{what} as a file. To bring it back: {command} with this file."


def table_preview(now: Table, then: Table, missed: Iterable[str] = (), behind: str = "") -> tuple[str, ...]:
    """What an import would change, what would not come along, and everything that it would bring."""
    lines = ["Import this table? Nothing has changed yet.", _replaced(now)]
    lines += [behind] if behind else []
    lines += [f"Not understood: {line}" for line in missed]
    gms = listed(then.gms.values()) or "nobody, so everybody may do everything"
    lines += [f"GM: {gms}", f"Ruleset: {then.ruleset.name}", *(list_lines(then) if then.characters else [])]
    earned = xp_lines(then) if any(each.xp for each in then.characters.values()) else []
    return _short([*lines, *table_lines(then), *earned])


def character_preview(found: Character, come: Character) -> tuple[str, ...]:
    """Whom an import would bring, and what of the file would not come along."""
    lines = ["Import this character? Nothing has changed yet."]
    if (found.pp, found.xp, found.hero) != (come.pp, come.xp, come.hero):
        lines.append("PP, XP and hero dice do not come along: they are the GM's to give.")
    return _short([*lines, *character_lines(come)])


def again(lines: tuple[str, ...]) -> tuple[str, ...]:
    """A preview that is shown once more, since the one before is out of date."""
    return ("The table has changed since you looked, so nothing is imported yet. Import now?", *lines[1:])


def behind_line(found: Table, then: Table) -> str:
    """What is open in a file and stays behind."""
    parts = [
        f"{count} {word}{'' if count == 1 else 's'}"
        for word, count in (
            ("open roll", len(found.rolls) + len(found.ore) - len(then.rolls) - len(then.ore)),
            ("contest", len(found.contests) - len(then.contests)),
        )
        if count
    ]
    return f"Left behind, since they belong to another table: {listed(parts)}" if parts else ""


def _replaced(now: Table) -> str:
    name = now.name or "This table"
    names = shortened([character.name for character in now.characters.values()])
    if not (now.number or now.characters):
        return "There is no table in this channel yet."
    held = f", with {listed(names)}" if names else ""
    return f"It takes the place of {name}{held}. /undo brings that back."


def _short(lines: list[str]) -> tuple[str, ...]:
    first, *others = pages(lines, ROOM)
    return (*first, "And more, which does not fit here.") if others else first
