"""What all command groups share: the play, verbs of buttons and forms, and looking at the table."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

from discord import Interaction
from discord.ext import commands

from bot.play import Play
from bot.render.card import Button, Card
from bot.render.foes import MOST_IN_ROW, view_rows
from bot.render.views import view_lines
from bot.ui.asked import asked
from bot.ui.buttons import Pressed
from bot.ui.layout import paged
from bot.ui.message import reply
from bot.ui.shown import shown_of

PressHandler = Callable[[Any, Interaction, Pressed], Awaitable[None]]
FormHandler = Callable[[Any, Interaction, Pressed, dict[str, str]], Awaitable[None]]
_Press = TypeVar("_Press", bound=PressHandler)
_Form = TypeVar("_Form", bound=FormHandler)


NUMBER = "[0-9]{1,9}"
"""The subject of a button: a number, or a place among dice."""
SIGN = "[0-9a-f]{8}"
"""The subject of a button: the sign of a name."""
VERSION = r"[0-9]+(?:\.[0-9]+)*"
"""The subject of a button: as what was pressed stood when it was shown."""
CHOICE = r"[0-9]{1,9}(?:\.[0-9]{1,9})*"
"""The subject of a button: a total and its effect dice."""


def on_press(verb: str, subject: str = "") -> Callable[[_Press], _Press]:
    """The method answers presses of buttons with that verb; `subject` is the pattern of their subjects."""

    def marked(method: _Press) -> _Press:
        method.__press__ = verb, re.compile(subject)  # type: ignore[attr-defined]
        return method

    return marked


def on_form(verb: str, subject: str = "") -> Callable[[_Form], _Form]:
    """The method answers forms with that verb, when they are sent; `subject` is as in `on_press`."""

    def marked(method: _Form) -> _Form:
        method.__form__ = verb, re.compile(subject)  # type: ignore[attr-defined]
        return method

    return marked


class Group(commands.Cog):
    """A group of commands that play at a table."""

    def __init__(self, play: Play) -> None:
        self.play = play

    async def show(self, it: Interaction, view: str) -> None:
        """Show a view of the table to the caller alone, with a button that shares it."""
        campaign, card = await self.seen(it, view)
        await reply(it, card, campaign)

    async def seen(
        self, it: Interaction, view: str, of: int = 0, page: int = 0, *, private: bool = True
    ) -> tuple[int, Card]:
        """A view as a card, and the campaign that it is of."""
        campaign, table = await self.play.see(asked(it, of), is_public=not private)
        lines = view_lines(view, table, shown_of(it).of(campaign))
        return campaign, _view_card(
            view, lines, page, view_rows(table, view, asked(it).actor if private else None), private=private
        )


def _view_card(view: str, lines: list[str], page: int, offered: tuple[Button, ...], *, private: bool) -> Card:
    """A view page by page, with what it offers; the private one has `Share`."""
    own = (Button("Share", "share", page, view),) if private else ()
    below = [offered[n : n + MOST_IN_ROW] for n in range(0, len(offered), MOST_IN_ROW)]
    card = paged(Card(tuple(lines), (own, *below), private), page, Button("", "page", subject=view))
    return replace(card, rows=tuple(row for row in card.rows if row))
