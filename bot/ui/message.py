"""Sending and editing: answers to interactions, with nobody pinged but those they concern."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import discord
from discord import Interaction, ui

from bot.play import Done
from bot.render.card import Button, Card
from bot.ui.layout import NOBODY, contents, fitting, fitting_layout, with_rest
from bot.ui.shown import shown_of


async def answer(it: Interaction, done: Done) -> None:
    """Answer with what came of a command; its message is new, so it calls whom the news concern."""
    news = done.card.news
    card = done.card if news is None else replace(done.card, calls=news.calls)
    await reply(it, card, done.campaign)


async def show_again(it: Interaction, done: Done) -> None:
    """Answer a press or a form by showing what came of it in the pressed message itself.

    An edit calls nobody, so an ending or a takeout is told in a message of its own as well.
    """
    await update(it, done.card, done.campaign)
    if done.card.news is not None:
        only: dict[str, Any] = {"allowed_mentions": _only(done.card.news.calls)}
        await it.followup.send(**contents(done.card.news, done.campaign), **only)


async def reply(it: Interaction, card: Card, campaign: int = 0) -> None:
    """Answer an interaction with a card, in public unless the card is private.

    What does not fit into one message follows in further ones; under a roll, `Rest` shows it.
    """
    first, *others = fitting(card)
    if others and card.roll:
        first, others = with_rest(first), []
    only: dict[str, Any] = {"ephemeral": card.private, "allowed_mentions": _only(card.calls)}
    sent = await it.response.send_message(**contents(first, campaign), **only)
    if card.roll and sent.message_id is not None:
        shown_of(it).learn(it, campaign, card.roll, sent.message_id)
    for other in others:
        await it.followup.send(**contents(other, campaign), **only)


async def answer_in_time(it: Interaction, work: Callable[[], Awaitable[Card]]) -> None:
    """Answer one person with what may take longer than Discord waits: first that it is being done."""
    await it.response.defer(ephemeral=True, thinking=True)
    for card in fitting(await work()):
        await it.followup.send(**contents(card, 0), ephemeral=True, allowed_mentions=NOBODY)


async def update(it: Interaction, card: Card, campaign: int) -> None:
    """Answer a press by showing the card in the pressed message itself."""
    await it.response.edit_message(view=fitting_layout(card, campaign), allowed_mentions=NOBODY)
    if card.roll and it.message is not None:
        shown_of(it).learn(it, campaign, card.roll, it.message.id)


async def say_again(it: Interaction) -> None:
    """Say to all, in a message without buttons, what the pressed message says to one person."""
    shown = () if it.message is None else it.message.components
    view = ui.LayoutView(timeout=None)
    for part in shown:
        if isinstance(part, discord.TextDisplay):
            view.add_item(ui.TextDisplay(part.content))
    view.stop()
    await it.response.send_message(view=view, allowed_mentions=NOBODY)


async def refuse(
    it: Interaction, sentence: str, rows: tuple[tuple[Button, ...], ...] = (), campaign: int = 0
) -> None:
    """Tell the caller alone why something is not done."""
    card = Card((sentence,), rows, private=True)
    if it.response.is_done():
        await it.followup.send(**contents(card, campaign), ephemeral=True, allowed_mentions=NOBODY)
    else:
        await reply(it, card, campaign)


def _only(players: tuple[int, ...]) -> discord.AllowedMentions:
    """Ping exactly these people, never a role or everyone."""
    users = [discord.Object(player) for player in players]
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)
