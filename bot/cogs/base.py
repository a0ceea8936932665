"""What all command groups share: turning commands into steps and responses."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from discord import Interaction
from discord.ext import commands

from bot.client.layout import paged
from bot.client.messages import answer, chosen_values, reply
from bot.client.request import asked
from bot.client.roll_messages import shown_of
from bot.language.line import Text, is_nothing
from bot.services.files import AS, OPEN, WHO, Files, SheetFiles
from bot.services.play import Play
from bot.services.responses import Done, Views
from bot.store.ledger import Ledger
from bot.views.card import MOST_IN_ROW, Button, Card, Tone, portrait_of
from bot.views.game import Rule
from bot.views.question import Fields, Pressed
from bot.views.table import (
    WITH_MENU,
    page_button,
    share_button,
    sheet_shown,
    view_lines,
    view_menus,
    view_rows,
)
from rules.campaign.schedule import told_at
from rules.table import Dice
from rules.values import replace

PressHandler = Callable[[Interaction, Pressed], Awaitable[None]]
FormHandler = Callable[[Interaction, Pressed, Fields], Awaitable[None]]
_Method = TypeVar("_Method", bound=Callable[..., Any])
_Press = TypeVar("_Press", bound=Callable[[Any, Interaction, Pressed], Awaitable[None]])
_Form = TypeVar("_Form", bound=Callable[[Any, Interaction, Pressed, Fields], Awaitable[None]])


def on_press(verb: str, subject: str = "") -> Callable[[_Press], _Press]:
    """Register a method for presses of buttons with that verb; `subject` is a pattern for their subjects."""
    return on_presses({verb: subject})


def on_presses(verbs: Mapping[str, str]) -> Callable[[_Press], _Press]:
    """Register a method for presses of buttons and menus; maps verbs to patterns for their subjects."""

    def marked(method: _Press) -> _Press:
        method.__press__ = {verb: re.compile(each) for verb, each in verbs.items()}  # type: ignore[attr-defined]
        return method

    return marked


def of_any_game(method: _Method) -> _Method:
    """Mark a handler that works at any table, though the other commands of its group belong to a game."""
    method.__any_game__ = True  # type: ignore[attr-defined]
    return method


def on_form(
    verb: str, subject: str = "", longest: Mapping[str, int] | None = None
) -> Callable[[_Form], _Form]:
    """Register a method for forms with that verb; `subject` is a pattern for their subjects.

    `longest` has the most characters that can be typed into their fields, as in `Question`.
    """

    def marked(method: _Form) -> _Form:
        method.__form__ = {verb: re.compile(subject)}  # type: ignore[attr-defined]
        method.__longest__ = longest or {}  # type: ignore[attr-defined]
        return method

    return marked


@dataclass(frozen=True, slots=True)
class GroupServices:
    """What command groups of a game need: the play service, the ledger, and the sheet files of all games."""

    play: Play
    ledger: Ledger
    sheets: Sequence[SheetFiles]


class Group(commands.Cog):
    """A group of commands that act on a table."""

    game = ""
    """The name of the game to which its commands belong; nothing if they belong to any."""

    def __init__(self, play: Play) -> None:
        self.play = play

    async def change(self, interaction: Interaction, rule: Rule) -> None:
        """Apply a rule to the newest table and answer with the outcome."""
        await answer(interaction, await self.play.change(asked(interaction), rule))

    async def show(self, interaction: Interaction, view: str) -> None:
        """Show a view of the table privately, with a button that shares it."""
        await reply(interaction, *await self.seen(interaction, view))

    async def seen(
        self, interaction: Interaction, view: str, of: int = 0, page: int = 0, *, private: bool = True
    ) -> tuple[Card, int]:
        """Return a view as a card, and its campaign."""
        campaign, now = await self.play.see(asked(interaction, of), is_public=not private)
        table = told_at(now, interaction.created_at)
        views = cast("Views", interaction.client.views)  # type: ignore[attr-defined]
        lines = view_lines(
            view, table, await shown_of(interaction).of(campaign), await views.since(view, campaign, table)
        )
        lines += await views.more(view, campaign, table)
        offered = view_rows(table, view, asked(interaction).actor if private else None)
        whose = sheet_shown(table, view)
        menus = view_menus(table, view) if private and view.startswith(WITH_MENU) else ()
        card = _view_card(view, lines, page, offered, private=private, is_led=bool(menus))
        portrait = portrait_of(whose) if whose else None
        is_in_words = table.settings.dice is Dice.WORDS
        return replace(card, portrait=portrait, menus=menus, is_in_words=is_in_words), campaign


def _view_card(
    view: str, lines: list[Text], page: int, offered: tuple[Button, ...], *, private: bool, is_led: bool
) -> Card:
    """A view page by page, with what it offers; the private one has `Share`, last where a menu leads."""
    own = (share_button(view, page),) if private and not is_nothing(lines) else ()
    below = [offered[n : n + MOST_IN_ROW] for n in range(0, len(offered), MOST_IN_ROW)]
    rows = ((*offered, *own),) if is_led else (own, *below)
    card = paged(Card(tuple(lines), rows, private, tone=Tone.CALM), page, page_button(view))
    return replace(card, rows=tuple(row for row in card.rows if row))


NUMBER = "[0-9]{1,19}"
"""The subject of a menu: by which number the file waits."""
NUMBERS = r"[0-9]{1,19}\.[0-9]{1,2}"
"""The same of one of several menus, with its place."""
_ABOUT = {"who": WHO, "set": OPEN, "as": AS}


async def chose(interaction: Interaction, files: Files, press: Pressed, verb: str) -> Done:
    """Return an import preview, updated with the choice made in the pressed menu."""
    number = int(press.subject.partition(".")[0])
    about = _ABOUT[press.verb.removeprefix(verb)]
    return await files.choose(
        asked(interaction, press.campaign), number, about, "".join(chosen_values(interaction))
    )
