"""Use cases for One-Roll only: reading actors of Foundry's `reign` and `wild-talents-2e`."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from bot.language import later, say
from bot.language.line import Text
from bot.services.files import WHO, Choices, SheetFiles, SheetsRead, SheetsSeen, brought, chosen_place
from bot.services.play import Request
from bot.views.files import sheets_preview, who_menus
from bot.views.labels import listed
from rules.ore import foundry
from rules.ore.model import ORE
from rules.table import Character, Table


def knows(form: Any) -> bool:
    """Return whether JSON looks like actors of those systems."""
    first = form[0] if isinstance(form, list) and form else form
    return foundry.is_actor(first)


def read(form: Any, choices: Choices, all_of_them: bool) -> SheetsRead | None:
    """Parse actors; None for any other JSON. Raises RuleError for an actor that can't be read."""
    if not knows(form):
        return None
    forms = [each for each in (form if isinstance(form, list) else [form]) if foundry.is_actor(each)]
    if all_of_them:
        return SheetsRead((), partial(_look, [*map(foundry.read_actor, forms)], (), choices))
    chosen = foundry.read_actor(forms[chosen_place(choices, len(forms))])
    return SheetsRead((), partial(_look, [chosen], tuple(map(foundry.name_of, forms)), choices))


def _look(
    found: Sequence[Character],
    names: tuple[str, ...],
    choices: Choices,
    asked: Request,
    table: Table,
    verb: str,
    number: int,
) -> SheetsSeen:
    """What those actors would bring to a table."""
    rule, come, stamp = brought(table, asked.actor, found)
    menus = who_menus(names, choices.get(WHO, "0"), verb, number)
    return SheetsSeen(rule, _told(table, come), tuple(menus), stamp)


def _told(table: Table, come: Sequence[Character]) -> tuple[Text, ...]:
    """Whom a file would bring: one with the sheet, several by their names."""
    if len(come) == 1:
        return sheets_preview(
            table, say("Import this character? Nothing has changed yet."), (), come[0], come
        )
    names = say("They are: {names}", names=listed(each.name for each in come))
    return sheets_preview(table, say("Import these characters? Nothing has changed yet."), (names,))


SHEETS = SheetFiles(
    ORE.name,
    (later("Foundry actors of reign"), later("Foundry actors of wild-talents-2e")),
    knows,
    read,
)
"""How One-Roll reads them."""
