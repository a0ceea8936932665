"""`/session`, `/note` and `/chronicle`."""

from datetime import datetime
from functools import partial
from typing import Literal

from discord import Interaction, app_commands
from discord.ext import commands

from bot.client.access import alone, gms_command, sharing
from bot.client.forms import open_form
from bot.client.layout import paged
from bot.client.messages import reply, show_again, update
from bot.client.request import asked
from bot.cogs.base import Group, on_form, on_press
from bot.cogs.options import LONGEST_TIMES, SessionName, ShortNote, Title, When, ZoneName
from bot.language import later, say
from bot.language.line import small
from bot.services.play import Play
from bot.services.responses import Done
from bot.services.sessions import (
    SessionSteps,
    chronicle,
    missed_card,
    own_card,
    own_character,
    renamed_after,
    session,
    session_card,
    sessions,
)
from bot.store.personal import AllQuietHours, Portraits
from bot.views import schedule, table
from bot.views import session as asks
from bot.views.card import Button, Card, Tone
from bot.views.facts import recap_lines
from bot.views.game import Rule
from bot.views.question import Fields, Pressed
from bot.views.schedule import moved_lines, zone_lines
from bot.worker import aside
from rules.campaign import notes, scenes
from rules.campaign import schedule as campaign_schedule
from rules.campaign.schedule import told_at
from rules.campaign.seats import Actor
from rules.errors import NotAllowed
from rules.facts import Ended, Stretch
from rules.game import Step
from rules.table import Table
from rules.values import replace

NUMBER = "[0-9]{0,9}"
"""The subject of a button: the number of a session, or none for the last."""


WEEKS = {None: None, "once": 0, "weekly": 1, "every two weeks": 2}
"""How often a session is planned again."""
NO_EVENT = later("The bot can't add a calendar event: it needs the Create Events permission in this channel.")


class Sessions(Group, commands.GroupCog, name="session", description="Plan, start and end sessions"):
    """Commands for sessions of play."""

    def __init__(self, play: Play, quiet: AllQuietHours) -> None:
        super().__init__(play)
        self.quiet_hours = quiet

    @gms_command(description="Start a session; everyone gets their starting PP")
    async def start(self, interaction: Interaction) -> None:
        """Start a session."""
        done = await self.play.change(asked(interaction), partial(_begun, now=interaction.created_at))
        await self._begin(interaction, done)

    @gms_command(description="Plan or move the next session, or show its plan again; players are asked")
    @app_commands.describe(
        when="One to five dates, separated by commas: sat 19:30, tomorrow 7pm, in 3 days, 29.11. 19:30",
        note="A note for the players",
        again="Plan the next session automatically when this one ends",
        zone="The time zone of the times you type; a table without one remembers it",
        at_least="Warn the GM a day ahead if fewer players than this are coming; 0 for never",
    )
    async def plan(
        self,
        interaction: Interaction,
        when: When = "",
        note: ShortNote = "",
        again: Literal["weekly", "every two weeks", "once"] | None = None,
        zone: ZoneName = "",
        at_least: app_commands.Range[int, 0, campaign_schedule.MOST] | None = None,
    ) -> None:
        """Plan the next session, or ask which of several times suit people; or show the plan again."""
        if not when:
            await self._show_plan(interaction, is_alone=not (note or again or zone or at_least is not None))
            return
        rule = partial(
            campaign_schedule.plan, when=when, note=note, weeks=WEEKS[again], zone=zone, least=at_least
        )
        await self._planned(interaction, partial(rule, now=interaction.created_at))

    @on_press("moveplan")
    async def press_move(self, interaction: Interaction, press: Pressed) -> None:
        """Open a form for a new time of the session."""
        asking = asked(interaction, press.campaign)
        await open_form(
            interaction, schedule.move_form(await self.play.look(asking), asking.actor, press), press
        )

    @on_form("moveplan", longest={"when": LONGEST_TIMES})
    async def send_move(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Move the session to another time."""
        rule = partial(
            campaign_schedule.plan, when=fields["when"], zone=fields.typed("zone"), now=interaction.created_at
        )
        await show_again(interaction, await self.play.change(asked(interaction, press.campaign), rule))

    @on_press("coming", schedule.COMING_SUBJECT)
    async def press_coming(self, interaction: Interaction, press: Pressed) -> None:
        """Record whether somebody is coming."""
        rule = schedule.coming(press, interaction.created_at, await self.quiet_hours.of(interaction.user.id))
        await show_again(interaction, await self.play.change(asked(interaction, press.campaign), rule))

    @on_press("timesuits", schedule.TIME)
    async def press_time(self, interaction: Interaction, press: Pressed) -> None:
        """Record that a time suits somebody, or no longer does."""
        rule = schedule.suit(press, interaction.created_at)
        await show_again(interaction, await self.play.change(asked(interaction, press.campaign), rule))

    @on_press("taketime", schedule.TIME)
    async def press_take(self, interaction: Interaction, press: Pressed) -> None:
        """Plan the session for one of the proposed times."""
        rule = schedule.take(press, interaction.created_at)
        await show_again(interaction, await self.play.change(asked(interaction, press.campaign), rule))

    @on_press("skipplan", schedule.MOVED)
    async def press_skip(self, interaction: Interaction, press: Pressed) -> None:
        """Cancel this session; the next one stays as planned."""
        rule = schedule.skip(press, interaction.created_at)
        await show_again(interaction, await self.play.change(asked(interaction, press.campaign), rule))

    @gms_command(description="End the session; the scene stays open")
    async def end(self, interaction: Interaction) -> None:
        """End the session and tell its story."""
        done = await self.play.change(asked(interaction), partial(_over, now=interaction.created_at))
        await self._end(interaction, done)

    @on_press("endsession")
    async def press_end(self, interaction: Interaction, press: Pressed) -> None:
        """End the session, unless it has already ended."""
        rule = partial(_over, now=interaction.created_at, number=press.number)
        await self._end(interaction, await self.play.change(asked(interaction, press.campaign), rule))

    @gms_command(name="title", description="Give the current or last session a title")
    @app_commands.describe(title="Its title")
    async def title_session(self, interaction: Interaction, title: Title) -> None:
        """Give the session a title."""
        await self.change(interaction, lambda table, actor: notes.title(table, actor, title))

    @alone
    @app_commands.command(name="recap", description="Tell the story of a session")
    @app_commands.describe(
        session="A session's number or title. Default: the last session",
        whom="Only what involved your character",
    )
    @app_commands.rename(whom="for")
    async def recap_session(
        self, interaction: Interaction, session: SessionName = "", whom: Literal["me"] | None = None
    ) -> None:
        """Show the story of a session privately."""
        card, campaign = await (self._own_recap if whom else self._recap)(interaction, 0, session)
        await reply(interaction, replace(card, private=True), campaign)

    @on_press("ownrecap", NUMBER)
    async def press_own_recap(self, interaction: Interaction, press: Pressed) -> None:
        """Show the person who presses what concerned their character."""
        card, campaign = await self._own_recap(interaction, press.campaign, press.subject)
        await reply(interaction, replace(card, private=True), campaign)

    @on_press("everyroll", NUMBER)
    async def press_every_roll(self, interaction: Interaction, press: Pressed) -> None:
        """Show every step of a session privately."""
        of = await session(self.play, asked(interaction, press.campaign), press.subject)
        await reply(interaction, replace(steps_card(of), private=True), press.campaign)

    @on_press("recap", NUMBER)
    async def press_page(self, interaction: Interaction, press: Pressed) -> None:
        """Turn a page of the list of steps."""
        of = await session(self.play, asked(interaction, press.campaign), press.subject)
        await update(interaction, steps_card(of, press.number), press.campaign)

    @on_press("sharerecap", NUMBER)
    async def press_share(self, interaction: Interaction, press: Pressed) -> None:
        """Show the story to everybody."""
        card, campaign = await self._recap(interaction, press.campaign, press.subject, is_public=True)
        await reply(interaction, card, campaign)

    async def _show_plan(self, interaction: Interaction, *, is_alone: bool) -> None:
        """Show everybody the plan again. Raises NotAllowed if there is none, or if more was typed."""
        campaign, table = await self.play.see(asked(interaction), is_public=True)
        table = await self.quiet_hours.told(told_at(table, interaction.created_at))
        example = f"/session plan when:{schedule.WHEN}"
        if not is_alone:
            raise NotAllowed("Add when the session is. Example: {example}", example=example)
        if table.plan is None or not table.plan.is_open:
            raise NotAllowed("No {session.one} is planned. To plan one: {example}", example=example)
        await reply(interaction, schedule.plan_card(table, table.plan), campaign)

    async def _planned(self, interaction: Interaction, rule: Rule) -> None:
        """Tell everybody of a plan, and what the bot may not do for it here."""
        done = await self.play.change(asked(interaction), rule)
        lines = (*done.card.lines, *zone_lines(done.facts), *moved_lines(done.facts))
        card = replace(done.card, lines=lines)
        if card.news is not None:
            card = replace(card, calls=card.news.calls)
        if interaction.guild_id and not (
            interaction.app_permissions.create_events or interaction.app_permissions.manage_events
        ):
            card = replace(card, lines=(*card.lines, small(say(NO_EVENT))))
        await reply(interaction, card, done.campaign)

    async def _tell(self, interaction: Interaction, done: Done, card: Card, of: SessionSteps | None) -> None:
        """Answer with a card, offer who could not come to the session that ended what concerned them, and ask
        who comes to one that was planned as it ended."""
        await reply(interaction, card, done.campaign)
        if of is not None and (missed := missed_card(of, done)):
            await reply(interaction, missed, done.campaign)
        table = await self.quiet_hours.told(done.table)
        if table.plan is not None and table.plan.number == table.number:
            await reply(interaction, schedule.next_card(table, table.plan), done.campaign)

    async def _begin(self, interaction: Interaction, done: Done) -> None:
        """Tell that a session begins, and the one before it has ended where it ran."""
        over = (fact for fact in done.facts if isinstance(fact, Ended))
        ends = [fact.number for fact in over if fact.what is Stretch.SESSION]
        known = await sessions(self.play, asked(interaction), is_public=True) if ends else ()
        of = [each for each in known if each.number in ends]
        await self._tell(interaction, done, done.card, of[-1] if of else None)

    async def _end(self, interaction: Interaction, done: Done) -> None:
        """Tell that a session has ended, with its story as it is told to all."""
        of = await session(self.play, asked(interaction), is_public=True)
        story = await aside(0, session_card, of, above=done.card.lines)
        card = ended_card(done.table, done.card, story, of.number, done.table.session)
        more = table.step_rows(done.table, Step(done.table, tuple(done.facts)))
        await self._tell(interaction, done, replace(card, rows=(*card.rows, *more)), of)

    async def _recap(
        self, interaction: Interaction, campaign: int, wanted: str, *, is_public: bool = False
    ) -> tuple[Card, int]:
        """A session's story with its chart, as the caller sees it, or as it is told to all."""
        of = await session(self.play, asked(interaction, campaign), wanted, is_public=is_public)
        card = await aside(interaction.user.id, session_card, of)
        share = () if is_public else (Button(say("Share"), "sharerecap", subject=str(of.number)),)
        return replace(card, rows=((_rolls(of.number), *share),) if of.steps else ()), of.campaign

    async def _own_recap(self, interaction: Interaction, campaign: int, wanted: str) -> tuple[Card, int]:
        """What of a session concerned the caller's character."""
        of = await session(self.play, asked(interaction, campaign), wanted)
        name = own_character(of, asked(interaction).actor)
        later = await renamed_after(self.play, asked(interaction, campaign), of.steps)
        return replace(
            await aside(interaction.user.id, own_card, of, name, later), rows=((_rolls(of.number),),)
        ), of.campaign


def _begun(table: Table, actor: Actor, now: datetime) -> Step:
    """A session begins; of one that runs, what is planned after it."""
    step = scenes.start_session(table, actor)
    return campaign_schedule.followed(step, now) if table.is_session else step


def _over(table: Table, actor: Actor, now: datetime, number: int = 0) -> Step:
    """The session ends, and the next one is planned where that is so every so many weeks."""
    if number:
        asks.require_running(table, number)
    return campaign_schedule.followed(scenes.end_session(table, actor), now)


def _rolls(number: int) -> Button:
    return Button(say("Every roll"), "everyroll", subject=str(number))


def steps_card(of: SessionSteps, page: int = 0) -> Card:
    """Return one page of the steps of a session."""
    card = Card(tuple(recap_lines(of.steps)), tone=Tone.CALM)
    return paged(card, page, Button("", "recap", subject=str(of.number)))


def ended_card(table: Table, card: Card, story: Card, number: int, ended: int) -> Card:
    """Return the card of an ended session, with its story and what can come next."""
    return replace(
        story, lines=(*card.lines, *story.lines), rows=(asks.session_buttons(table, ended), (_rolls(number),))
    )


Form = Literal["Page", "Markdown"]


class Chronicles(Group):
    """Commands for the whole history of a campaign."""

    def __init__(self, play: Play, portraits: Portraits) -> None:
        super().__init__(play)
        self.portraits = portraits

    @sharing("share")
    @alone
    @app_commands.command(description="Get the story of the whole campaign as a file, session by session")
    @app_commands.describe(
        form="A web page or Markdown. Default: a web page",
        share="Show the story to everyone in the channel",
    )
    @app_commands.rename(form="as")
    async def chronicle(self, interaction: Interaction, form: Form = "Page", share: bool = False) -> None:
        """Send everything that players may see as a file, privately or publicly."""
        card = await chronicle(self.play, self.portraits, asked(interaction), is_page=form == "Page")
        await reply(interaction, replace(card, private=not share))
