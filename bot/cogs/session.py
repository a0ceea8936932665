"""`/session`: sessions, the plot points they start with (P1), and what is remembered of them."""

from dataclasses import replace

from discord import Interaction, app_commands
from discord.ext import commands

from bot.aside import aside
from bot.asks import session as asks
from bot.asks.question import Pressed
from bot.cogs.base import Group, on_press
from bot.cogs.options import SessionName
from bot.language import say
from bot.pictures.session import session_chart
from bot.render.card import Button, Card, Tone, pages
from bot.render.log import recap_lines
from bot.render.story import story_lines
from bot.tell import Done
from bot.ui.layout import paged
from bot.ui.message import reply, update
from bot.ui.request import asked
from bot.use.sessions import Session, session
from rules.cortex import memory, scene
from rules.story import story

NUMBER = "[0-9]{0,9}"
"""The subject of a button: the number of a session, or none for the last."""


class Sessions(Group, commands.GroupCog, name="session", description="Sessions begin and end"):
    """An evening of play."""

    @app_commands.command(description="Start a session: everybody gets their starting PP (GM)")
    async def start(self, it: Interaction) -> None:
        """A session begins."""
        await self.change(it, scene.start_session)

    @app_commands.command(description="End the session; the scene stays open (GM)")
    async def end(self, it: Interaction) -> None:
        """The session ends, and its story is told."""
        done = await self.play.change(asked(it), scene.end_session)
        await reply(it, await self._ended(it, done), done.campaign)

    @app_commands.command(name="title", description="Give the session that runs or ran last a title (GM)")
    @app_commands.describe(title="Its title")
    async def title_session(self, it: Interaction, title: str) -> None:
        """The session has a title."""
        await self.change(it, memory.title, title=title)

    @app_commands.command(name="recap", description="What happened in a session, as a story")
    @app_commands.describe(session="Its number or title; the last one if left out")
    async def recap_session(self, it: Interaction, session: SessionName = "") -> None:
        """A session's story, to the caller alone."""
        card, campaign = await self._recap(it, 0, session)
        await reply(it, replace(card, private=True), campaign)

    @on_press("everyroll", NUMBER)
    async def press_every_roll(self, it: Interaction, press: Pressed) -> None:
        """Show whoever presses every step of a session."""
        of = await session(self.play, asked(it, press.campaign), press.subject)
        await reply(it, replace(steps_card(of), private=True), press.campaign)

    @on_press("recap", NUMBER)
    async def press_page(self, it: Interaction, press: Pressed) -> None:
        """Turn a page of the steps."""
        of = await session(self.play, asked(it, press.campaign), press.subject)
        await update(it, steps_card(of, press.number), press.campaign)

    @on_press("sharerecap", NUMBER)
    async def press_share(self, it: Interaction, press: Pressed) -> None:
        """Tell everybody the story."""
        card, campaign = await self._recap(it, press.campaign, press.subject, is_public=True)
        await reply(it, card, campaign)

    async def _ended(self, it: Interaction, done: Done) -> Card:
        """The end of a session, with its story as it is told to all."""
        of = await session(self.play, asked(it), is_public=True)
        return ended_card(done.card, await aside(told, of), of.number, done.table.session)

    async def _recap(
        self, it: Interaction, campaign: int, wanted: str, *, is_public: bool = False
    ) -> tuple[Card, int]:
        """A session's story with its chart, as the caller sees it, or as it is told to all."""
        of = await session(self.play, asked(it, campaign), wanted, is_public=is_public)
        card = await aside(told, of)
        share = () if is_public else (Button(say("Share"), "sharerecap", subject=str(of.number)),)
        return replace(card, rows=((_rolls(of.number), *share),) if of.steps else ()), of.campaign


def told(of: Session) -> Card:
    """The story of a session, and below it how doom and PP went."""
    if not of.steps:
        return Card((say("Nothing has happened in this session yet."),), tone=Tone.CALM)
    facts = [step.facts for step in of.steps]
    found = story(facts)
    chart = session_chart(facts, of.table_with(each.name for each in found.people))
    lines, *rest = pages(tuple(story_lines(found, of.table, of.number, is_last=of.is_last)), 2500)
    more = (say("The rest is behind Every roll."),) if rest else ()
    return Card((*lines, *more), pictures=(chart,) if chart else (), tone=Tone.CALM)


def _rolls(number: int) -> Button:
    return Button(say("Every roll"), "everyroll", subject=str(number))


def steps_card(of: Session, page: int = 0) -> Card:
    """Every step of a session, page by page."""
    card = Card(tuple(recap_lines(of.steps)), tone=Tone.CALM)
    return paged(card, page, Button("", "recap", subject=str(of.number)))


def ended_card(card: Card, story: Card, number: int, ended: int) -> Card:
    """The end of a session with the story of that number, and what may come next."""
    return replace(story, lines=(*card.lines, *story.lines), rows=(asks.buttons(ended), (_rolls(number),)))
