"""`/session`: sessions and the plot points they start with (P1)."""

from collections.abc import Sequence
from dataclasses import replace

from discord import Interaction, app_commands
from discord.ext import commands

from bot.aside import aside
from bot.asks.question import Pressed
from bot.cogs.base import Group, on_press
from bot.language import say
from bot.pictures.session import session_chart
from bot.render.card import Button, Card, Tone, pages
from bot.render.log import recap_lines
from bot.store.history import LogStep
from bot.ui.layout import paged
from bot.ui.message import reply, update
from bot.ui.request import asked
from rules.cortex import memory, scene
from rules.table import Table


class Sessions(Group, commands.GroupCog, name="session", description="Sessions begin and end"):
    """An evening of play."""

    @app_commands.command(description="Start a session: everybody gets their starting PP (GM)")
    async def start(self, it: Interaction) -> None:
        """A session begins."""
        await self.change(it, scene.start_session)

    @app_commands.command(description="End the session; the scene stays open (GM)")
    async def end(self, it: Interaction) -> None:
        """The session ends."""
        done = await self.play.change(asked(it), scene.end_session)
        await reply(it, ended_card(done.card, await self._charted(it, is_public=True)), done.campaign)

    @app_commands.command(name="title", description="Give the session that runs or ran last a title (GM)")
    @app_commands.describe(title="Its title")
    async def title_session(self, it: Interaction, title: str) -> None:
        """The session has a title."""
        await self.change(it, memory.title, title=title)

    @app_commands.command(description="What happened in this session, as a story")
    async def recap(self, it: Interaction) -> None:
        """The session's story, to the caller alone."""
        card = await self._charted(it)
        await reply(it, recap_card(card), await self._campaign(it))

    @on_press("recap")
    async def press_recap(self, it: Interaction, press: Pressed) -> None:
        """Turn a page of the story."""
        lines = recap_lines(await self.play.recap(asked(it, press.campaign)))
        await update(it, recap_card(Card(tuple(lines), tone=Tone.CALM), press.number), press.campaign)

    @on_press("sharerecap")
    async def press_share(self, it: Interaction, press: Pressed) -> None:
        """Tell everybody the story."""
        await reply(it, await self._charted(it, press.campaign, is_public=True), press.campaign)

    async def _charted(self, it: Interaction, campaign: int = 0, *, is_public: bool = False) -> Card:
        """The session's story with its chart, as the caller sees it, or as it is told to all."""
        steps = await self.play.recap(asked(it, campaign), is_public=is_public)
        _, table = await self.play.see(asked(it, campaign), is_public=is_public)
        return await aside(charted, steps, table)

    async def _campaign(self, it: Interaction) -> int:
        return await self.play.campaign(asked(it))


def charted(steps: Sequence[LogStep], table: Table) -> Card:
    """The story, and below it how doom and PP went."""
    chart = session_chart((step.facts for step in steps), table)
    return Card(tuple(recap_lines(steps)), pictures=(chart,) if chart else (), tone=Tone.CALM)


def recap_card(story: Card, page: int = 0) -> Card:
    """The story for one person, page by page, with `Share`."""
    card = replace(story, rows=((Button(say("Share"), "sharerecap"),),), private=True)
    return paged(card, page, Button("", "recap"))


def ended_card(card: Card, story: Card) -> Card:
    """The end of the session with the first page of its story, and how doom and PP went."""
    first, *others = pages((*card.lines, *story.lines), 3000)
    more = (say("The rest is in /session recap"),) if others else ()
    return replace(story, lines=(*first, *more))
