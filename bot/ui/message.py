"""Sending and editing: answers to interactions, with nobody pinged but those they concern."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import discord
from discord import Interaction, ui

from bot.render.card import Button, Card
from bot.tell import Done
from bot.ui.layout import NOBODY, contents, fitting, fitting_layout, with_rest
from bot.ui.line import line_of
from bot.ui.roll_messages import shown_of


async def answer(it: Interaction, done: Done) -> None:
    """Answer with what came of a command; its message is new, so it calls whom the news concern."""
    news = done.card.news
    card = done.card if news is None else replace(done.card, calls=news.calls)
    await reply(it, card, done.campaign)


async def show_again(it: Interaction, done: Done) -> None:
    """Answer a press or a form by showing what came of it in the pressed message itself.

    An edit calls nobody, so an ending or a takeout is told in a message of its own as well.
    """
    if it.message is not None and it.message.flags.ephemeral and done.card.roll:
        await answer(it, done)  # a form that was asked about, or typed again: the roll is for all to see
        return
    await update(it, done.card, done.campaign)
    if done.card.news is not None:
        await _say(it, done.card.news, done.campaign)


async def reply(it: Interaction, card: Card, campaign: int = 0) -> None:
    """Answer an interaction with a card, in public unless the card is private.

    What does not fit into one message follows in further ones; under a roll, `Rest` shows it.
    """
    first, *others = fitting(card)
    if others and card.roll:
        first, others = with_rest(first), []
    message = await _say(it, first, campaign)
    if card.roll and message is not None:
        shown_of(it).learn(it, campaign, card.roll, message)
    for other in others:
        await _say(it, other, campaign)


async def update(it: Interaction, card: Card, campaign: int) -> None:
    """Answer a press by showing the card in the pressed message itself."""
    await line_of(it).show(partial(fitting_layout, card, campaign), NOBODY)
    if card.roll and it.message is not None:
        shown_of(it).learn(it, campaign, card.roll, it.message.id)


async def say_again(it: Interaction) -> None:
    """Say to all, in a message without buttons, what the pressed message says to one person."""
    view = ui.LayoutView(timeout=None)
    for part in () if it.message is None else it.message.components:
        if isinstance(part, discord.Container):
            view.add_item(ui.Container(*_texts(part.children), accent_colour=part.accent_colour))
        else:
            for item in _texts((part,)):
                view.add_item(item)
    view.stop()  # as in `layout`: discord.py is not to keep it
    await line_of(it).say(lambda is_edit: {"view": view}, NOBODY, private=False)


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
    it: Interaction, sentence: str, rows: tuple[tuple[Button, ...], ...] = (), campaign: int = 0
) -> None:
    """Tell the caller alone why something is not done."""
    await reply(it, Card((sentence,), rows, private=True), campaign)


async def _say(it: Interaction, card: Card, campaign: int) -> int | None:
    """Send a card as one message; the id of the message, if Discord says it."""
    return await line_of(it).say(partial(contents, card, campaign), _only(card.calls), private=card.private)


def _only(players: tuple[int, ...]) -> discord.AllowedMentions:
    """Ping exactly these people, never a role or everyone."""
    users = [discord.Object(player) for player in players]
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)
