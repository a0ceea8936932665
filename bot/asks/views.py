"""The views that people look at, share and turn the pages of: each a table's lines by a short name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.asks import settings
from bot.asks.offers import below_table, offers
from bot.asks.question import SIGN
from bot.language import say
from bot.language.line import Text
from bot.render import table as tables
from bot.render.card import Button, Menu, mark
from bot.render.settings import campaign_lines
from bot.render.sheet import character_lines, list_lines
from bot.render.waiting import waiting_lines
from rules.campaign.seats import Actor
from rules.errors import TooLate
from rules.table import Character, Table

Links = Mapping[int, str]
"""Where rolls are shown, by their number."""


def _nothing(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class View:
    """A view: its lines, and what is offered below them, for one person or for all."""

    lines: Callable[[Table, Links], list[Text]]
    buttons: Callable[[Table, Actor | None], tuple[Button, ...]] = _nothing
    of_one: Callable[[Table, str], tuple[list[Text], tuple[Button, ...]] | None] | None = None
    """The lines and buttons of one of those that it shows, by its sign, if that can be looked at alone."""


def _below_table(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    return (*below_table(table), *(button for each in offers() for button in each.unseen(table)))


_SHEET = "character"
_SHARED: Mapping[str, View] = {
    "table": View(lambda table, links: tables.table_lines(table), _below_table),
    "waiting": View(waiting_lines),
    "scene": View(tables.scene_lines),
    settings.OVERVIEW: View(lambda table, links: campaign_lines(table)),
    "characters": View(lambda table, links: list_lines(table)),
}
_known: dict[str, View] = {**_SHARED}
VIEW = rf"[a-z]+|[a-z]+\.{SIGN}|{settings.VIEW}"
"""The subject of a button: a view by its short name, one thing of it, a sheet, or a page of settings."""
WITH_MENU = (settings.OVERVIEW, settings.PAGES)
"""How the views begin that have a menu."""


def learn(views: Mapping[str, View]) -> None:
    """Let these be the views of the games that are played."""
    _known.clear()
    _known.update(_SHARED)
    _known.update(views)


def views() -> Mapping[str, View]:
    """Every view by its short name, but for sheets."""
    return _known


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
    return one_of(_SHEET, character.name)


def view_lines(
    view: str, table: Table, links: Links, since: Mapping[str, datetime] | None = None
) -> list[Text]:
    """The lines of a view; what waits has its time. Raises TooLate for the sheet of who is gone."""
    if view == "waiting":
        return waiting_lines(table, links, since)
    if view in _known:
        return _known[view].lines(table, links)
    if is_settings(view):
        return settings.page_lines(table, view)
    if (one := _one(view, table)) is not None:
        return one[0]
    found = sheet_shown(table, view)
    if found is None:
        raise TooLate("That's no longer at the table.")
    return character_lines(found, table)


def one_of(view: str, name: str) -> str:
    """The view of one of those that a view shows, by its name."""
    return f"{view}.{mark(name)}"


def _one(view: str, table: Table) -> tuple[list[Text], tuple[Button, ...]] | None:
    """The lines and buttons of one thing of a view, if it is that and still there."""
    base, _, sign = view.partition(".")
    shown = _known.get(base)
    return None if shown is None or shown.of_one is None else shown.of_one(table, sign)


def view_rows(table: Table, view: str, actor: Actor | None = None) -> tuple[Button, ...]:
    """What is offered below a view; for one person, what they may."""
    if view in _known:
        return _known[view].buttons(table, actor)
    if is_settings(view):
        return settings.buttons(table, view, actor)
    if (one := _one(view, table)) is not None:
        return one[1]
    found = sheet_shown(table, view)
    if found is None or actor is None:
        return ()
    return tuple(button for each in offers() for button in each.sheet(table, found, actor))


def view_menus(table: Table, view: str) -> tuple[Menu, ...]:
    """The menus below a view that has any, for whoever looks at it alone."""
    terms = (settings.term_menu(table),) if settings.has_words(view) else ()
    return (settings.menu(table, view), *terms)


def is_settings(view: str) -> bool:
    """Whether a view is a page of settings."""
    return view.startswith(settings.PAGES)


def sheet_shown(table: Table, view: str) -> Character | None:
    """Whose sheet a view is, if it is one."""
    return next((c for c in table.characters.values() if sheet_of(c) == view), None)
