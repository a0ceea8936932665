"""Texts about files that are exported and imported."""

import re
from collections.abc import Iterable, Sequence

from bot.language import say, say_of
from bot.language.line import Text
from bot.language.printers import spelled
from bot.views.card import Menu, Option, pages
from bot.views.game import SHOWN
from bot.views.labels import UNNAMED, listed, shortened
from bot.views.question import MOST_IN_MENU
from bot.views.table import character_lines, list_lines, table_lines
from bot.views.xp import earned_lines
from rules.campaign import lifecycle
from rules.campaign.lifecycle import RULESET, names
from rules.campaign.rolls import rolls_on
from rules.table import Character, Table

ROOM = 3000
"""A preview has about this many characters."""


def file_name(name: Text, ending: str = "json") -> str:
    """Return a portable file name for something of that name.

    >>> file_name("Sister Halda"), file_name("Ünnö!", "md")
    ('sister-halda.json', 'nn.md')
    """
    plain = re.sub("[^a-z0-9]+", "-", spelled(name).casefold()).strip("-")
    return f"{plain[:60].strip('-') or 'doomkeeper'}.{ending}"


def sent_line(what: Text, command: str) -> Text:
    """Return what a file is, and how to import it again."""
    return say(
        "{what} as a file. To bring it back, use {command} with this file.", what=what, command=command
    )


def table_preview(now: Table, then: Table, missed: Iterable[str] = (), behind: Text = "") -> tuple[Text, ...]:
    """Return what an import would change, what wouldn't come along, and all that it would bring."""
    lines = [say("Import this table? Nothing has changed yet."), _replaced(now)]
    lines += [behind] if behind else []
    lines += [say("Not understood: {line}", line=line) for line in missed]
    gms = listed(then.gms.values()) or say("nobody, so everyone can do everything")
    lines.append(say("{gm.One}: {names}", names=gms))
    lines += (
        [say("Ruleset: {name}", name=lifecycle.setting_value(then, RULESET))] if RULESET in names() else []
    )
    lines += list_lines(then) if then.characters else []
    return _short([*lines, *table_lines(then), *earned_lines(then)])


def character_preview(table: Table, found: Character, come: Character) -> tuple[Text, ...]:
    """Return whom an import would bring to a table, and what in the file wouldn't come along."""
    lines = [say("Import this character? Nothing has changed yet.")]
    lines += _left_out(table, found, come)
    return _short([*lines, *character_lines(come, table)])


def sheets_preview(
    table: Table,
    first: Text,
    notes: Iterable[Text],
    found: Character | None = None,
    come: Sequence[Character] = (),
) -> tuple[Text, ...]:
    """Return whom another program's file would bring: general remarks first, then the sheet if just one."""
    lines = [first, *notes]
    if found is not None:
        lines += _left_out(table, found, come[0])
        lines += character_lines(come[0], table)
    return _short(lines)


def _left_out(table: Table, found: Character, come: Character) -> list[Text]:
    """What a player's import leaves out, since only the GM can give it."""
    lines = [line for left_out in SHOWN.at(table).left_out if (line := left_out(found, come))]
    xp = [say("XP isn't imported: only the {gm.one} can give it.")] if found.xp != come.xp else []
    return [*lines, *xp]


def who_menus(names: Sequence[str], who: str, verb: str, number: int) -> list[Menu]:
    """Return menus of the characters in a file, if it has several; `who` is the place of the chosen one."""
    found: list[Menu] = []
    for first in range(0, len(names) if len(names) > 1 else 0, MOST_IN_MENU):
        some = enumerate(names[first : first + MOST_IN_MENU], first)
        options = tuple(Option(name, str(place)) for place, name in some)
        chosen = tuple(each.value for each in options if each.value == who)
        label = say("Which character") if not first else say("Which character (more)")
        found.append(Menu(label, f"{verb}who", f"{number}.{first}", options, chosen))
    return found


def again(lines: tuple[Text, ...]) -> tuple[Text, ...]:
    """Return a preview that is shown again because the previous one is out of date."""
    changed = say("The table has changed in the meantime, so nothing has been imported yet. Import now?")
    return (changed, *lines[1:])


def behind_line(found: Table, then: Table) -> Text:
    """Return what is open in a file and won't come along."""
    rolls = len(rolls_on(found)) - len(rolls_on(then))
    parts = [say_of(rolls, "{count} open roll", "{count} open rolls")] if rolls else []
    parts += [part for behind in SHOWN.at(then).left_behind for part in behind(found, then)]
    if not parts:
        return ""
    return say("These items belong to another table, so they aren't imported: {things}", things=listed(parts))


def _replaced(now: Table) -> Text:
    name = now.name or say(UNNAMED)
    called = shortened([character.name for character in now.characters.values()])
    if not (now.number or now.characters):
        return say("There's no table in this channel yet.")
    if called:
        return say(
            "The import replaces {table} and its characters ({names}); /undo brings them back.",
            table=name,
            names=listed(called),
        )
    return say("The import replaces {table}; /undo brings that table back.", table=name)


def _short(lines: list[Text]) -> tuple[Text, ...]:
    first, *others = pages(lines, ROOM)
    return (*first, say("The rest doesn't fit in this preview.")) if others else first
