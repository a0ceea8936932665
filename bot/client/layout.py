"""Lay out cards as Discord components, with portraits and calendar files."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import discord
import structlog
from discord import Interaction, ui

from bot.client import components
from bot.client.components import Component, ReadyView
from bot.language import say
from bot.language.line import BREAK, Text, isolated, small
from bot.language.printers import harmless, in_words, spelled
from bot.language.said import at_most, dice_in, said
from bot.views.card import Button, Card, Menu, Picture, Portrait, Tone, Weight, pages
from bot.views.question import MORE, MOST_IN_MENU, Pressed, button_ids
from bot.views.schedule import calendar_file
from bot.worker import aside
from rules.text import whole_words
from rules.values import exhaustive, replace

PLAIN_LONGEST = 1900
"""A plain message holds this many characters, with room for mentions."""
LONGEST = 3800
"""A message of components holds this many characters, with room for mentions."""
BESIDE_PORTRAIT = 26
"""So many characters of a title fit on a line beside a portrait, on a phone."""
MOST_IN_ROW = 5
"""A row holds this many buttons."""
_STYLES = exhaustive(
    Weight,
    {
        Weight.QUIET: discord.ButtonStyle.secondary.value,
        Weight.MAIN: discord.ButtonStyle.primary.value,
        Weight.GOOD: discord.ButtonStyle.success.value,
        Weight.DANGER: discord.ButtonStyle.danger.value,
    },
)
NOBODY = discord.AllowedMentions.none()
ACCENTS: Mapping[Tone, int | None] = exhaustive(
    Tone,
    {
        Tone.CALM: None,
        Tone.GOOD: 0x2FA142,
        Tone.GREAT: 0xAA8800,
        Tone.BAD: 0xE2655C,
        Tone.WORST: 0xE2655C,
    },
)
"""The edge of a message that stands out, on light ground and on dark; what it says, the words say too."""


def layout(
    card: Card, campaign: int, shown: Sequence[discord.MediaGalleryItem] = (), job: int = 0
) -> ui.LayoutView:
    """Return a card as components: its text, pictures, menus and rows of persistent buttons.

    `shown` are pictures that the message already has and keeps. If a `job` posts the card, its box has that
    number as its marker, so that the message can be found again; the buttons keep the number over an edit.
    """
    texts: list[Component] = []
    for part in _parts(card):
        if texts:
            texts += [components.separator(), components.text(part)]
        else:
            texts += _beside(part, card.portrait) if card.portrait else [components.text(part)]
    if gallery := [*shown, *map(gallery_item, card.pictures)]:
        texts.append(components.gallery(gallery))
    if card.shown is not None:
        texts.append(components.file(card.shown.name))
    menus = [components.action_row([_select(menu, campaign)]) for menu in card.menus]
    if card.more:
        menus.append(components.action_row([_more(card.more, campaign, job)]))
    buttons = [
        components.action_row([_press(button, what) for button, what in zip(row, ids, strict=True)])
        for row, ids in zip(card.rows, button_ids(card.rows, campaign, job), strict=True)
    ]
    rows = [*buttons, *menus] if card.are_buttons_first or card.more else [*menus, *buttons]
    if card.tone is None:
        return ReadyView([*texts, *rows])
    return ReadyView([components.box([*texts, *rows], ACCENTS[card.tone], marker(job) if job else 0)])


def marker(job: int) -> int:
    """Return the id of a component for the number of a job: Discord takes ids of up to 31 bits."""
    return job % 2**30 + 2**30


def without_buttons(message: discord.Message, last: Text) -> ui.LayoutView | None:
    """Return a message's content without buttons, menus and files, with one more small line below.

    None if it has none of them.
    """
    view = ui.LayoutView.from_message(message, timeout=None)
    boxes: list[Any] = [view, *(item for item in view.children if isinstance(item, ui.Container))]
    is_bare = True
    for box in boxes:
        for item in tuple(box.children):
            if isinstance(item, ui.ActionRow | ui.File):
                box.remove_item(item)
                is_bare = False
    if is_bare:
        view.stop()
        return None
    boxes[-1].add_item(ui.TextDisplay[Any](harmless(small(last))))
    view.stop()
    return view


def _parts(card: Card) -> list[str]:
    """The text of a card, parted where it has breaks; never nothing, which Discord would not take."""
    parts: list[list[str]] = [[]]
    for line in card.lines:
        if line == BREAK:
            parts.append([])
        else:
            parts[-1].append(harmless(line, card.faces))
    parts[-1] += _calls(card)
    return ["\n".join(part) for part in parts if part] or ["\u200b"]


def _beside(text: str, portrait: Portrait) -> list[Component]:
    """A text with a portrait beside it; a title that would not fit on one line there stands above both."""
    title, _, rest = text.partition("\n")
    is_above = rest and len(title.removeprefix("### ")) > BESIDE_PORTRAIT
    beside = components.beside(rest if is_above else text, portrait.address, in_words(portrait.alt))
    return [components.text(title), beside] if is_above else [beside]


def gallery_item(picture: Picture) -> discord.MediaGalleryItem:
    """Return a picture that refers to a file sent with the message."""
    return discord.MediaGalleryItem(f"attachment://{picture.name}", description=in_words(picture.alt))


def files(pictures: Sequence[Picture]) -> list[discord.File]:
    """Return the files of pictures, each to be sent once."""
    return [discord.File(BytesIO(each.data), each.name, description=in_words(each.alt)) for each in pictures]


def _select(menu: Menu, campaign: int) -> Component:
    """A menu that says in its id what it does; as few or as many options may be chosen as it allows."""
    # What stands in a menu has 150 characters, each of its options 100.
    return components.select(
        str(Pressed(menu.verb, campaign, 0, menu.subject)),
        in_words(menu.label, 150),
        0 if menu.most > 1 else 1,
        min(menu.most, len(menu.options)),
        [
            components.option(
                in_words(option.label, 100),
                option.value,
                in_words(option.hint, 100),
                is_chosen=option.value in menu.chosen,
            )
            for option in menu.options
        ],
    )


def _more(buttons: Sequence[Button], campaign: int, job: int) -> Component:
    """A menu whose options are buttons; the value of an option is the id of its button."""
    (ids,) = button_ids([buttons], campaign, job)
    options = [
        components.option(
            isolated(spelled(button.label), 100),
            what,
            in_words(button.hint, 100) if button.hint else "",
            is_chosen=False,
        )
        for button, what in zip(buttons[:MOST_IN_MENU], ids, strict=False)
    ]
    return components.select(str(Pressed(MORE, campaign, 0, "")), in_words(say("More"), 150), 1, 1, options)


def _press(button: Button, what: str) -> Component:
    """A button that says in its id what it does."""
    # A button's label has 80 characters.
    words = spelled(button.label)
    label = isolated(words, 80) if len(words) <= 80 else f"{isolated(whole_words(words, 79), 79)}…"
    if button.address:
        return components.link(label, button.address)
    return components.button(label, _STYLES[button.weight], what)


def paged(card: Card, page: int, turn: Button) -> Card:
    """Return one page of a card, with a button that turns the page if there are several."""
    lines = tuple(map(said, card.lines))
    card = replace(card, lines=lines)
    if at_most(lines) < LONGEST:  # as with most
        return card
    found = pages(lines, LONGEST, _width)
    if len(found) == 1:
        return card
    following = (page + 1) % len(found)
    label = say("Page {page} of {pages}", page=following + 1, pages=len(found))
    more = replace(turn, label=label, number=following)
    first, *others = card.rows or ((),)
    return replace(card, lines=found[page % len(found)], rows=((*first, more), *others))


def page_lines(lines: Sequence[Text]) -> list[tuple[Text, ...]]:
    """Split lines into pages that fit into one message each."""
    most, are_said = LONGEST - 100, tuple(map(said, lines))  # room for a line that says there is more
    return [are_said] if at_most(are_said) < most else pages(are_said, most, _width)


def fitting(card: Card) -> list[Card]:
    """Split a card into cards that fit into one message each; buttons stay with the first."""
    lines = tuple(map(said, card.lines))
    card = replace(card, lines=lines)
    if at_most(lines) < LONGEST:  # most cards need not be measured
        return [card]
    first, *others = pages(lines, LONGEST, _width)
    return [
        replace(card, lines=first),
        *(Card(lines, private=card.private, tone=card.tone, faces=card.faces) for lines in others),
    ]


def with_rest(card: Card) -> Card:
    """Return a card with a button that shows the rest, in its last row if there is room."""
    *others, last = card.rows or ((),)
    rest = Button(say("Show the rest"), "rest", card.roll.number if card.roll else 0)
    rows = (*others, (*last, rest)) if len(last) < MOST_IN_ROW else (*card.rows, (rest,))
    return replace(card, rows=rows)


def contents(card: Card, campaign: int, is_edit: bool = False) -> dict[str, Any]:
    """Return the arguments that send a card: plain text and a file, or components with buttons.

    An edit cannot suppress link previews, but components never have any. Neither can it add pictures: Discord
    does not find them then (issue 7529 of discord-api-docs).
    """
    if card.document is not None:
        file = discord.File(BytesIO(card.document.data), card.document.name)
        return {"content": _text(card), **({"attachments": [file]} if is_edit else {"file": file})}
    face = card.portrait if card.portrait and card.portrait.data else None
    if (card.pictures or face or card.shown) and not is_edit:
        more = (Picture(face.file, face.data, face.alt),) if face else ()
        return {
            "view": layout(card, campaign),
            "files": [*files((*card.pictures, *more)), *shown_files(card)],
        }
    if is_edit and card.portrait and card.portrait.digest:
        card = replace(card, portrait=None)
    if (
        is_edit
        or card.rows
        or card.menus
        or card.more
        or card.tone
        or len(text := _text(card)) > PLAIN_LONGEST
    ):
        return {"view": layout(replace(card, pictures=(), shown=None), campaign)}
    return {"content": text, "suppress_embeds": True}


def shown_files(card: Card) -> list[discord.File]:
    """Return the files shown in a card, each to be sent once."""
    return [discord.File(BytesIO(card.shown.data), card.shown.name)] if card.shown else []


def _text(card: Card) -> str:
    return "\n".join([*(harmless(line, card.faces) for line in card.lines), *_calls(card)])


def _calls(card: Card) -> list[str]:
    """Whom a card concerns, as they are called."""
    return [" ".join(f"<@{player}>" for player in card.calls)] if card.calls else []


def _width(line: Text) -> int:
    # Where its dice are pictures it is longer: `<:d12_12:…>` instead of `d12: 12`.
    of = said(line)
    return len(harmless(of)) + 30 * (0 if isinstance(of, str) else dice_in(of.parts))


def edited(
    card: Card, campaign: int, shown: Sequence[discord.MediaGalleryItem] = (), job: int = 0
) -> dict[str, Any]:
    """Return the arguments that edit a message to show a card; a plan's calendar file is replaced."""
    first, *others = fitting(card)
    view = layout(with_rest(first) if others else first, campaign, shown, job)
    return {"view": view} if card.invitation is None else {"view": view, "attachments": shown_files(card)}


async def with_portrait(interaction: Interaction[Any], card: Card, campaign: int) -> Card:
    """Return a card for a new message, with its portrait loaded if it is still stored."""
    shown = card.portrait
    if shown is None or not shown.digest:
        return card
    data = await interaction.client.portraits.find(campaign, shown.digest)
    return replace(card, portrait=replace(shown, data=data) if data else None)


def with_shown_portrait(message: discord.Message | None, card: Card) -> Card:
    """Return a card for an edit: the message's own portrait stays, but an edit cannot add another."""
    wanted = card.portrait
    if wanted is None or not wanted.digest:
        return card
    address = _shown(message).get(wanted.file)
    return replace(card, portrait=replace(wanted, address=address) if address else None)


def _shown(message: discord.Message | None) -> dict[str, str]:
    """The addresses of the files that a message shows beside its texts, by their names."""
    found, waiting = dict[str, str](), list[Any](message.components if message else ())
    while waiting:
        part = waiting.pop()
        waiting += getattr(part, "children", ())
        beside = getattr(part, "accessory", None)
        if isinstance(beside, discord.ThumbnailComponent):
            found[PurePosixPath(urlsplit(beside.media.url).path).name] = beside.media.url
    return found


log = structlog.get_logger(__name__)

REFUSED = (400, 403)
"""What Discord answers where the bot may attach no files there, or where it does not find one that is edited
in (issue 7529 of discord-api-docs): the message is then shown without it."""


async def with_invitation(card: Card, campaign: int, now: datetime) -> Card:
    """Return a card with a calendar file made now, if it shows a planned session."""
    if card.invitation is None or not card.invitation.at:
        return card
    return replace(card, shown=await aside(0, calendar_file, card.invitation, campaign, now))


def without_file(card: Card, error: discord.HTTPException) -> Card:
    """Return a card without its file, if that may be why Discord refused it; else raise the error again."""
    if card.shown is None or error.status not in REFUSED:
        raise error
    log.info("shown without its file", code=error.code, status=error.status)
    return replace(card, shown=None)
