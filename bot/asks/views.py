"""The views that people look at, share and turn the pages of: each a table's lines by a short name."""

from collections.abc import Callable, Mapping
from datetime import datetime

from bot.asks.question import SIGN
from bot.language import later, say
from bot.render import table as tables
from bot.render.card import Button, mark
from bot.render.cortex import foes
from bot.render.cortex.sheet import character_lines, list_lines, sfx_lines, xp_lines
from bot.render.kinds import KINDS
from bot.render.ore.roll import order_lines
from bot.render.waiting import waiting_lines
from rules.errors import TooLate
from rules.table import Character, Table

Links = Mapping[int, str]
"""Where rolls are shown, by their number."""

NO_CONTEST = later("There is no contest. Example: /contest start dice:2d8 d6 against:Rex")


def _of_traits(view: str) -> Callable[[Table, Links], list[str]]:
    """All traits of the kinds that a view lists."""
    kinds = tuple(kind for kind, words in KINDS.items() if words.view == view)
    return lambda table, links: tables.trait_lines(table, kinds)


_SHEET = "character"
VIEWS: Mapping[str, Callable[[Table, Links], list[str]]] = {
    **{words.view: _of_traits(words.view) for words in KINDS.values() if words.view != _SHEET},
    "table": lambda table, links: tables.table_lines(table),
    "waiting": waiting_lines,
    "scene": tables.scene_lines,
    "campaign": lambda table, links: tables.campaign_lines(table),
    "doom": lambda table, links: tables.doom_lines(table),
    "pp": lambda table, links: tables.points_lines(table),
    "crisis": lambda table, links: foes.crisis_lines(table),
    "challenge": lambda table, links: foes.challenge_lines(table),
    "gmc": lambda table, links: foes.gmc_lines(table),
    "hero": lambda table, links: foes.hero_lines(table),
    "contest": lambda table, links: foes.contest_lines(table) or [say(NO_CONTEST)],
    "turn": lambda table, links: foes.turn_lines(table),
    "pool": lambda table, links: foes.pool_lines(table),
    "characters": lambda table, links: list_lines(table),
    "sfx": lambda table, links: sfx_lines(table),
    "xp": lambda table, links: xp_lines(table),
    "ore": order_lines,
}

VIEW = rf"{'|'.join(VIEWS)}|{_SHEET}\.{SIGN}"
"""The subject of a button: a view by its short name, or a character's sheet."""


def all_button() -> Button:
    """Show the whole table."""
    return Button(say("Show all"), "view", subject="table")


def share_button(view: str, page: int) -> Button:
    """Show everybody what is shown to one person."""
    return Button(say("Share"), "share", page, view)


def page_button(view: str) -> Button:
    """Turn a page."""
    return Button("", "page", subject=view)


def sheet_of(character: Character) -> str:
    """The view of one character's sheet."""
    return f"{_SHEET}.{mark(character.name)}"


def view_lines(
    view: str, table: Table, links: Links, since: Mapping[str, datetime] | None = None
) -> list[str]:
    """The lines of a view; what waits has its time. Raises TooLate for the sheet of who is gone."""
    if view == "waiting":
        return waiting_lines(table, links, since)
    if view in VIEWS:
        return VIEWS[view](table, links)
    found = sheet_shown(table, view)
    if found is None:
        raise TooLate("That character is no longer at the table.")
    return character_lines(found)


def sheet_shown(table: Table, view: str) -> Character | None:
    """Whose sheet a view is, if it is one."""
    return next((c for c in table.characters.values() if sheet_of(c) == view), None)
