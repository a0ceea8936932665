"""Cards as text and components: what a message holds, page by page, with nobody pinged by what was typed."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from typing import Any

import discord
from discord import ui

from bot.asks.question import Pressed
from bot.language import say
from bot.render.card import TIME_CLOSES, TIME_OPENS, Button, Card, Menu, Picture, Tone, pages

PLAIN_LONGEST = 1900
"""A plain message holds this many characters, with room for mentions."""
LONGEST = 3800
"""A message of components holds this many characters, with room for mentions."""
MOST_IN_ROW = 5
"""A row holds this many buttons."""
_STYLES = {
    Tone.QUIET: discord.ButtonStyle.secondary,
    Tone.MAIN: discord.ButtonStyle.primary,
    Tone.GOOD: discord.ButtonStyle.success,
    Tone.DANGER: discord.ButtonStyle.danger,
}
_SPECIAL = re.compile(r"<(?=[@#:/A-Za-z])|@(?=everyone|here)")
_NUMBERED = re.compile(r"^(\s*[0-9]+)\.(?=\s)", re.MULTILINE)
"""How a list begins, which Discord would number anew from its first line: `32.`, `31.` as 32, 33."""
_TIME = re.compile(f"{TIME_OPENS}([0-9]+){TIME_CLOSES}")
NOBODY = discord.AllowedMentions.none()


@lru_cache(maxsize=1024)
def harmless(text: str) -> str:
    """Text as it was typed, with markdown and mentions that do nothing."""
    escaped = discord.utils.escape_markdown(text, ignore_links=False)
    listless = _NUMBERED.sub(r"\1\\.", escaped)
    calm = _SPECIAL.sub(lambda match: f"\\{match[0]}", listless)
    return _TIME.sub(r"<t:\1:f>", calm)


def layout(card: Card, campaign: int, shown: Sequence[discord.MediaGalleryItem] = ()) -> ui.LayoutView:
    """A card as components: one text, its pictures, rows of buttons that work for ever.

    What is `shown` are pictures that the message has already, and keeps.
    """
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(_text(card) or "\u200b"))
    if gallery := [*shown, *map(gallery_item, card.pictures)]:
        view.add_item(ui.MediaGallery(*gallery))
    for menu in card.menus:
        view.add_item(ui.ActionRow(_select(menu, campaign)))
    for row in card.rows:
        view.add_item(ui.ActionRow(*(press(button, campaign) for button in row)))
    # A stopped view is sent like any other, but discord.py does not keep it: presses come to the client by
    # their ids, after restarts too, and nothing piles up in memory.
    view.stop()
    return view


def gallery_item(picture: Picture) -> discord.MediaGalleryItem:
    """A picture by the name of its file, which is sent with the message."""
    return discord.MediaGalleryItem(f"attachment://{picture.name}", description=picture.alt)


def files(pictures: Sequence[Picture]) -> list[discord.File]:
    """The files of pictures, to be sent once."""
    return [discord.File(BytesIO(each.data), each.name) for each in pictures]


def _select(menu: Menu, campaign: int) -> ui.Select[Any]:
    """A menu that says in its id what it does; as few or as many options may be chosen as it allows."""
    return ui.Select(
        custom_id=str(Pressed(menu.verb, campaign, 0, menu.subject)),
        placeholder=menu.label[:150],
        min_values=0 if menu.most > 1 else 1,
        max_values=min(menu.most, len(menu.options)),
        options=[
            discord.SelectOption(
                label=option.label[:100],
                value=option.value,
                description=option.hint[:100] or None,
                default=option.value in menu.chosen,
            )
            for option in menu.options
        ],
    )


def press(button: Button, campaign: int) -> ui.Button[Any]:
    """A button that says in its id what it does."""
    label = button.label if len(button.label) <= 80 else f"{button.label[:79]}…"
    what = Pressed(button.verb, campaign, button.number, button.subject)
    return ui.Button(label=label, style=_STYLES[button.tone], custom_id=str(what))


def paged(card: Card, page: int, turn: Button) -> Card:
    """One page of a card that may be too long, with a button that turns to the next one."""
    found = pages(card.lines, LONGEST, _width)
    if len(found) == 1:
        return card
    following = (page + 1) % len(found)
    label = say("Page {page} of {pages}", page=following + 1, pages=len(found))
    more = replace(turn, label=label, number=following)
    first, *others = card.rows or ((),)
    return replace(card, lines=found[page % len(found)], rows=((*first, more), *others))


def page_lines(lines: Sequence[str]) -> list[tuple[str, ...]]:
    """Lines in pages that fit into a message each, as they are sent."""
    return pages(lines, LONGEST - 100, _width)


def fitting(card: Card) -> list[Card]:
    """The card in as many as fit into a message each; buttons stay with the first."""
    if 2 * sum(len(line) + 1 for line in card.lines) < LONGEST:
        return [card]
    first, *others = pages(card.lines, LONGEST, _width)
    return [replace(card, lines=first), *(Card(lines, private=card.private) for lines in others)]


def with_rest(card: Card) -> Card:
    """The card with a button for what does not fit, in its last row where there is room."""
    *others, last = card.rows or ((),)
    rest = Button(say("Rest"), "rest", card.roll.number if card.roll else 0)
    rows = (*others, (*last, rest)) if len(last) < MOST_IN_ROW else (*card.rows, (rest,))
    return replace(card, rows=rows)


def contents(card: Card, campaign: int, is_edit: bool = False) -> dict[str, Any]:
    """What a message with that card is sent with: plain text and a file, or components with buttons.

    An edit cannot say that links are not to be shown as previews, but components never are. It cannot bring
    pictures either: Discord does not find them then (issue 7529 of discord-api-docs).
    """
    text = _text(card)
    if card.document is not None:
        file = discord.File(BytesIO(card.document.data), card.document.name)
        return {"content": text, **({"attachments": [file]} if is_edit else {"file": file})}
    if card.pictures and not is_edit:
        return {"view": layout(card, campaign), "files": files(card.pictures)}
    if is_edit or card.rows or card.menus or card.roll or len(text) > PLAIN_LONGEST:
        return {"view": layout(replace(card, pictures=()), campaign)}
    return {"content": text, "suppress_embeds": True}


def _text(card: Card) -> str:
    calls = " ".join(f"<@{player}>" for player in card.calls)
    return "\n".join([*(harmless(line) for line in card.lines), *([calls] if calls else [])])


def _width(line: str) -> int:
    return len(harmless(line))


def fitting_layout(
    card: Card, campaign: int, shown: Sequence[discord.MediaGalleryItem] = ()
) -> ui.LayoutView:
    """A card as one message of components; what does not fit is behind `Rest`."""
    first, *others = fitting(card)
    return layout(with_rest(first) if others else first, campaign, shown)
