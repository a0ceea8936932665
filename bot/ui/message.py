"""Sending and editing: answers to interactions, with nobody pinged but those they concern."""

import re
from collections.abc import Iterable
from functools import partial
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import discord
import structlog
from discord import Interaction, ui

from bot.asks.question import STALE, Pressed
from bot.clock import clock_of
from bot.language.line import Text
from bot.language.printers import as_typed
from bot.render.card import Button, Card, Picture
from bot.tell import Done
from bot.ui.account import PRESSED
from bot.ui.answered import answered_of
from bot.ui.faces import drawn
from bot.ui.invitations import with_invitation, without_file
from bot.ui.layout import NOBODY, contents, edited, files, fitting, gallery_item, with_rest
from bot.ui.line import CUT, line_of
from bot.ui.own import owner
from bot.ui.portraits import with_portrait, with_shown_portrait
from bot.ui.roll_messages import shown_of
from rules.errors import TooLate
from rules.values import replace

log = structlog.get_logger(__name__)

_CODE = re.compile("`([^`]+)`")
PATIENCE = 5.0
"""Seconds that a picture may take to come back from Discord, to be shared."""


async def answer(it: Interaction, done: Done) -> None:
    """Answer with what came of a command; its message is new, so it calls whom the news concern."""
    news = done.card.news
    card = done.card if news is None else replace(done.card, calls=news.calls)
    await reply(it, card, done.campaign)


async def show_again(it: Interaction, done: Done) -> None:
    """Answer a press or a form by showing what came of it in the pressed message itself.

    An edit calls nobody, so an ending or a takeout is told in a message of its own as well.
    """
    is_alone = it.message is not None and it.message.flags.ephemeral
    if is_alone and done.card.roll and not owner(it):
        await answer(it, done)  # a form that was asked about, or typed again: the roll is for all to see
        return
    await update(it, done.card, done.campaign)
    if done.card.news is not None:
        await _say(it, done.card.news, done.campaign)


async def reply(it: Interaction, card: Card, campaign: int = 0) -> None:
    """Answer an interaction with a card, in public unless the card is private.

    What does not fit into one message follows in further ones; under a roll, `Rest` shows it.
    """
    card = await with_portrait(it, card, campaign)
    if card.invitation is not None:
        card = await with_invitation(card, campaign, clock_of(it.client).now())
    first, *others = fitting(drawn(it, card))
    if others and card.roll:
        first, others = with_rest(first), []
    message = await _say(it, first, campaign)
    if message is not None and not card.private:
        answered_of(it).note(it, message, campaign)
    if card.roll and message is not None:
        await shown_of(it).learn(it, campaign, card.roll, message)
    for other in others:
        await _say(it, other, campaign)


async def update(it: Interaction, card: Card, campaign: int) -> None:
    """Answer a press by showing the card in the pressed message itself, which keeps its pictures."""
    shown = [discord.MediaGalleryItem(each.media.url, description=each.description) for each in _shown(it)]
    fresh = drawn(it, with_shown_portrait(it.message, card))
    if fresh.invitation is not None:
        fresh = await with_invitation(fresh, campaign, clock_of(it.client).now())
    pressed: Pressed | None = it.extras.get(PRESSED)
    job = pressed.job if pressed else 0  # a reminder that is pressed before it was noted is found as well
    try:
        await line_of(it).show(partial(edited, fresh, campaign, shown, job), NOBODY)
    except discord.HTTPException as error:
        bare = without_file(fresh, error)
        await line_of(it).show(partial(edited, bare, campaign, shown, job), NOBODY)
    if it.message is not None and not it.message.flags.ephemeral:
        answered_of(it).note(it, it.message.id, campaign)
    if card.roll and it.message is not None:
        await shown_of(it).learn(it, campaign, card.roll, it.message.id)


def _words(message: discord.Message) -> str:
    """What can be read in a message of the bot's own."""
    return "\n".join(part.content for part in parts(message) if isinstance(part, discord.TextDisplay))


def texts_in(message: discord.Message | None) -> list[str]:
    """The texts that stand apart in a message of the bot's own, as they were typed."""
    return [as_typed(part.content) for part in parts(message) if isinstance(part, discord.TextDisplay)]


def code_in(message: discord.Message | None) -> str:
    """What a message of the bot's own shows as it is typed. Raises TooLate where it is gone."""
    found = _CODE.search(_words(message)) if message else None
    if found is None:
        raise TooLate(STALE)
    return found[1]


async def say_again(it: Interaction) -> None:
    """Say to all, in a message without buttons, what the pressed message says to one person."""
    view = ui.LayoutView(timeout=None)
    pictures = await _fetched(it)
    gallery: list[ui.Item[Any]] = [ui.MediaGallery(*map(gallery_item, pictures))] if pictures else []
    for part in () if it.message is None else it.message.components:
        if isinstance(part, discord.Container):
            view.add_item(ui.Container(*_texts(part.children), *gallery, accent_colour=part.accent_colour))
        else:
            for item in _texts((part,)):
                view.add_item(item)
    view.stop()  # as in `layout`: discord.py is not to keep it
    await line_of(it).say(
        lambda is_edit: {"view": view, "files": files(pictures)}, NOBODY, private=False, anew=bool(pictures)
    )


def parts(message: discord.Message | None) -> list[discord.Component]:
    """The components of a message, those inside others too."""
    found: list[discord.Component] = []
    waiting = [] if message is None else list(message.components)
    while waiting:
        part: Any = waiting.pop(0)
        found.append(part)
        waiting = [*getattr(part, "children", ()), *waiting]
    return found


def _shown(it: Interaction) -> list[discord.MediaGalleryItem]:
    """The pictures that the pressed message shows."""
    galleries = [part for part in parts(it.message) if isinstance(part, discord.MediaGalleryComponent)]
    return [item for gallery in galleries for item in gallery.items]


async def _fetched(it: Interaction) -> list[Picture]:
    """The same with what is in them; none where Discord does not hand them over, and the text says it all."""
    found = []
    for each in _shown(it):
        name = PurePosixPath(urlsplit(each.media.url).path).name
        try:
            async with clock_of(it.client).timeout(PATIENCE):
                data = await it.client.http.get_from_cdn(each.media.url)
        except (discord.HTTPException, *CUT) as error:
            log.warning("shared without its picture", picture=name, reason=repr(error))
            return []
        found.append(Picture(name, data, each.description or ""))
    return found


def _texts(parts: Iterable[object]) -> list[ui.Item[Any]]:
    """What can be read in a message, and what parts it."""
    found: list[ui.Item[Any]] = []
    for part in parts:
        if isinstance(part, discord.TextDisplay):
            found.append(ui.TextDisplay(part.content))
        elif isinstance(part, discord.SeparatorComponent):
            found.append(ui.Separator())
    return found


async def refuse(
    it: Interaction, sentence: Text, rows: tuple[tuple[Button, ...], ...] = (), campaign: int = 0
) -> None:
    """Tell the caller alone why something is not done."""
    await reply(it, Card((sentence,), rows, private=True), campaign)


async def _say(it: Interaction, card: Card, campaign: int) -> int | None:
    """Send a card as one message; the id of the message, if Discord says it."""
    what, whom = partial(contents, card, campaign), only(card.calls)
    return await line_of(it).say(what, whom, private=card.private, anew=_has_files(card))


def _has_files(card: Card) -> bool:
    """Whether pictures or a file go along, which an edit cannot be trusted to bring."""
    return bool(card.pictures or card.shown or (card.portrait and card.portrait.data))


def only(players: tuple[int, ...]) -> discord.AllowedMentions:
    """Ping exactly these people, never a role or everyone."""
    users = [discord.Object(player) for player in players]
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)
