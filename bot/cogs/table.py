"""`/table`, `/stats`, `/log`, `/undo` and `/redo`."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import discord
from discord import Interaction, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.client.access import alone, hiding
from bot.client.forms import open_form
from bot.client.layout import paged
from bot.client.messages import answer, reply, show_again, update
from bot.client.pinned import PinnedTables
from bot.client.request import asked
from bot.client.voices import voices_of
from bot.cogs.base import Group, on_form, on_press
from bot.cogs.options import NotedName, OpenNote, SessionName, ShortNote, Who, WhoRolled, suggest
from bot.language import say
from bot.language.line import Text, is_nothing
from bot.language.printers import spelled
from bot.pictures.charts import luck_chart
from bot.services import sessions
from bot.services.files import table_page
from bot.services.play import Play, Request
from bot.services.responses import Facts, shown_again, telling
from bot.services.sessions import counted_from, renamed_after, steps_of
from bot.store.history import LogStep
from bot.store.personal import Portraits
from bot.views import question
from bot.views.card import Button, Card, Tone, mark, private
from bot.views.facts import log_lines, summary
from bot.views.labels import roller_words
from bot.views.question import SIGN, Fields, Pressed
from bot.views.stats import stats_lines
from bot.views.table import VIEW, sheet_of
from bot.views.waiting import SHOW
from bot.worker import aside
from rules.campaign import characters, notes
from rules.campaign.notes import LONGEST_NOTE
from rules.campaign.rolls import faces
from rules.campaign.schedule import told_at
from rules.campaign.seats import find_meant_name
from rules.campaign.story import Tally, story, together
from rules.custom_terms import means
from rules.dice import Faces
from rules.errors import NotAllowed
from rules.names import GM, find, fold, get_named, key
from rules.table import Table
from rules.terms import Term
from rules.text import Words
from rules.values import replace


class Tables(Group, commands.GroupCog, name="table", description="The whole table at a glance"):
    """Commands to show, pin, share and join the table."""

    def __init__(self, play: Play, pinned: PinnedTables, portraits: Portraits) -> None:
        super().__init__(play)
        self.pinned = pinned
        self.portraits = portraits

    @alone
    @app_commands.command(name="show", description="Show the whole table, here or as a page to print")
    @app_commands.describe(as_="Page: a file to print. Default: a message")
    @app_commands.rename(as_="as")
    async def show_table(self, interaction: Interaction, as_: Literal["Page"] | None = None) -> None:
        """Show the whole table privately, as a message or as a file."""
        if as_ is None:
            await self.show(interaction, "table")
        else:
            await reply(interaction, *await table_page(self.play, self.portraits, asked(interaction)))

    @alone
    @app_commands.command(name="waiting", description="Show what's waiting and for whom, oldest first")
    async def show_waiting(self, interaction: Interaction) -> None:
        """Show privately what waits for whom."""
        await self.show(interaction, "waiting")

    @alone
    @app_commands.command(description="Pin the table in this channel; it updates with every change")
    async def pin(self, interaction: Interaction) -> None:
        """Pin the table, with a `Join` button."""
        await self.press_pin(interaction, Pressed("pin", 0, 0, ""))

    @alone
    @app_commands.command(description="Unpin the table in this channel")
    async def unpin(self, interaction: Interaction) -> None:
        """Remove the pinned table."""
        await reply(interaction, private(await self.pinned.unpin(asked(interaction))))

    @on_press("pin")
    async def press_pin(self, interaction: Interaction, press: Pressed) -> None:
        """Pin the table in the button's channel."""
        await reply(interaction, private(await self.pinned.pin(asked(interaction))))

    @on_press("share", VIEW)
    async def press_share(self, interaction: Interaction, press: Pressed) -> None:
        """Show a private view to everybody."""
        await reply(
            interaction,
            *await self.seen(interaction, press.subject, press.campaign, press.number, private=False),
        )

    @on_press("page", VIEW)
    async def press_page(self, interaction: Interaction, press: Pressed) -> None:
        """Turn a page in place."""
        alone = interaction.message is not None and interaction.message.flags.ephemeral
        await update(
            interaction,
            *await self.seen(interaction, press.subject, press.campaign, press.number, private=alone),
        )

    @on_press("mine")
    async def press_mine(self, interaction: Interaction, press: Pressed) -> None:
        """Show the person who presses their own sheet."""
        campaign, table = await self.play.see(asked(interaction, press.campaign))
        await reply(
            interaction,
            *await self.seen(
                interaction, sheet_of(characters.character_shown(table, asked(interaction).actor)), campaign
            ),
        )

    @on_press(SHOW)
    async def press_show_again(self, interaction: Interaction, press: Pressed) -> None:
        """Show everybody an open roll or plan again, in a new message that works as the first one does."""
        campaign, table = await self.play.see(asked(interaction, press.campaign), is_public=True)
        table = told_at(table, interaction.created_at)
        await reply(interaction, shown_again(table, press.number), campaign)

    @on_press("view", VIEW)
    async def press_view(self, interaction: Interaction, press: Pressed) -> None:
        """Show a pinned view in full, privately."""
        await reply(interaction, *await self.seen(interaction, press.subject, press.campaign))


EVERYBODY = "all"


class Stats(Group):
    """Statistics counted from the steps."""

    @alone
    @app_commands.command(description="Show someone's rolls: how they went, and luck")
    @app_commands.describe(
        who="A character, all or GM. Default: your character",
        session="A session's number or title. Default: all sessions",
    )
    async def stats(self, interaction: Interaction, who: WhoRolled = "", session: SessionName = "") -> None:
        """Show somebody's statistics privately."""
        card = await self._counted(interaction, who.strip(), session)
        await reply(interaction, card, await self.play.campaign(asked(interaction)))

    async def _counted(self, interaction: Interaction, who: str, session: str) -> Card:
        table = await self.play.look(asked(interaction))
        who = GM if means(table, Term.GM, who) and get_named(table.characters, who) is None else who
        who = find_meant_name(table, who)
        own = table.played_by(asked(interaction).actor.id)
        steps = await steps_of(self.play, asked(interaction), session)
        later = await renamed_after(self.play, asked(interaction), steps) if session.strip() else []
        return await aside(
            asked(interaction).actor.id,
            count_attempts,
            table,
            steps,
            who or (own.name if own else EVERYBODY),
            later,
        )


def count_attempts(table: Table, steps: Sequence[LogStep], who: str, later: Facts = ()) -> Card:
    """Return the statistics of one person, or of all together, from these steps.

    `later` are the renamings since, so that people appear under their current names. Raises Unknown or
    Ambiguous if the name is not clear.
    """
    names = [each.name for each in table.characters.values()]
    found, thrown = telling([*(step.facts for step in steps), *later], partial(_of, who, names))
    chart = luck_chart(thrown)
    lines = tuple(stats_lines(table, found, thrown, counted_from(steps)))
    return Card(lines, pictures=(chart,) if chart else (), private=True, tone=Tone.CALM)


def _of(who: str, names: Sequence[str], facts: Facts) -> tuple[Tally, Faces]:
    """What somebody did, and the faces that they threw; `names` are those of the table's characters."""
    people = {spelled(roller_words(each.name)): each for each in story(facts).people}
    if fold(who) == EVERYBODY or not people:
        return together(spelled(say("Everybody")), people.values()), faces(facts)
    if fold(who) == fold(GM):
        return together(GM, (each for each in people.values() if each.gm)), faces(facts, GM)
    stored = {key(each.name): each for each in people.values()}  # as anybody may type it, whatever the words
    found = get_named(stored, who)
    if found is None:
        label = find(who, [*people, *(name for name in names if key(name) not in stored)], Words("character"))
        found = people.get(label) or Tally(label)
    return found, faces(facts, found.name)


MOST = 50
"""`/log` shows this many steps at most."""
LOG_PAGE = rf"[1-9][0-9]?(?:\.[0-9]{{1,9}}(?:\.{SIGN})?)?"
"""The subject of buttons below the log: how many steps, before which, and whose."""


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log: how many steps, before which one (0 for the newest), and the sign of whose."""

    count: int
    before: int = 0
    who: str = ""

    def __str__(self) -> str:
        return f"{self.count}.{self.before}.{self.who}".removesuffix(".")

    @classmethod
    def read(cls, subject: str) -> "LogPage":
        """Return the page that the subject of a button stands for."""
        count, _, rest = subject.partition(".")
        before, _, who = rest.partition(".")
        return cls(int(count), int(before or 0), who)

    def turns(self, steps: Sequence[LogStep], newest: int) -> tuple[Button, ...]:
        """Return the buttons `Older` and `Newer`, where there may be such steps."""
        found = []
        if len(steps) == self.count and steps[-1].number > 1:
            found.append(_turn(say("Older"), replace(self, before=steps[-1].number)))
        if self.before:
            later = 0 if self.who else self.before + self.count
            found.append(_turn(say("Newer"), replace(self, before=later if later <= newest else 0)))
        return tuple(found)


def _turn(label: Text, page: LogPage) -> Button:
    return Button(label, "pagelog", subject=str(page))


class LogCommands(Group):
    """Commands for the log, notes, undo and redo."""

    def __init__(self, play: Play) -> None:
        super().__init__(play)
        self.menu = app_commands.ContextMenu(name="Undo this", callback=self.undo_this)

    @alone
    @app_commands.command(description="Show the table's log: the latest steps, newest first")
    @app_commands.describe(count="How many steps. Default: 10", who="Only steps that name this character")
    async def log(self, interaction: Interaction, count: int = 10, who: Who | None = None) -> None:
        """Show the last steps privately."""
        await reply(interaction, *await self._page(asked(interaction), LogPage(checked(count)), who))

    @hiding("hidden")
    @app_commands.command(description="Add a note to the log and the session's recap")
    @app_commands.rename(is_open="open")
    @app_commands.describe(
        text="What to remember",
        is_open="Show the note in every recap until it's done",
        about="The person or thing the note is about",
        done="An open note that is now done",
        hidden="Hide the note from everyone but the GM (GM)",
    )
    async def note(
        self,
        interaction: Interaction,
        text: ShortNote = "",
        is_open: bool = False,
        about: NotedName = "",
        done: OpenNote = "",
        hidden: bool = False,
    ) -> None:
        """Add a note, or mark an open one as done."""
        await self.change(
            interaction,
            lambda table, actor: notes.note(
                table, actor, text=text, is_open=is_open, about=about, done=done, secret=hidden
            ),
        )

    @app_commands.command(
        description="Undo your last step (for the GM, the table's last), or one older step by itself"
    )
    @app_commands.describe(step="The number of an older step, from the log")
    async def undo(self, interaction: Interaction, step: int | None = None) -> None:
        """Undo a step."""
        done = await self.play.undo(asked(interaction), step)
        await answer(interaction, done)

    @app_commands.command(description="Redo the last undone step, or one step by itself")
    @app_commands.describe(step="The number of the step, from the log")
    async def redo(self, interaction: Interaction, step: int | None = None) -> None:
        """Redo a step."""
        done = await self.play.redo(asked(interaction), step)
        await answer(interaction, done)

    @undo.autocomplete("step")
    @redo.autocomplete("step")
    async def steps(self, interaction: Interaction, typed: str) -> list[Choice[int]]:
        """Suggest steps from the log, newest first."""
        # Discord shows 25 suggestions.
        steps = [step for step in await self.play.log(asked(interaction), 25) if not step.is_veiled]
        said = [f"{step.number}. {step.author.name}: {spelled(summary(step.facts))}"[:100] for step in steps]
        lines = dict(zip(said, (step.number for step in steps), strict=True))
        return [Choice(name=choice.name, value=lines[choice.name]) for choice in suggest(str(typed), lines)]

    async def undo_this(self, interaction: Interaction, message: discord.Message) -> None:
        """Undo the step that made a message, or delete a spoken message, by context menu."""
        if not await voices_of(interaction).takes_back(interaction, message.id):
            made = message.interaction_metadata
            await answer(
                interaction, await self.play.undo_made_by(asked(interaction), made.id if made else 0)
            )

    @on_press(question.WHAT_FOR)
    async def press_what_for(self, interaction: Interaction, press: Pressed) -> None:
        """Ask what a roll was for."""
        form = await sessions.asking(self.play, asked(interaction, press.campaign), press.number)
        await open_form(interaction, form, press)

    @on_form(question.WHAT_FOR, longest={"note": LONGEST_NOTE})
    async def send_what_for(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Record what a roll was for."""
        asking = asked(interaction, press.campaign)
        await show_again(interaction, await sessions.noted(self.play, asking, press.number, fields["note"]))

    @on_press("undo")
    async def press_undo(self, interaction: Interaction, press: Pressed) -> None:
        """Undo one step."""
        await answer(interaction, await self.play.undo(asked(interaction, press.campaign), press.number))

    @on_press("undoback")
    async def press_undo_back(self, interaction: Interaction, press: Pressed) -> None:
        """Undo a step together with all later ones."""
        done = await self.play.undo_back(asked(interaction, press.campaign), press.number)
        await answer(interaction, done)

    @on_press("sharelog", f"(?:{LOG_PAGE})?")
    async def press_share(self, interaction: Interaction, press: Pressed) -> None:
        """Show this page of the log to everybody."""
        page = LogPage.read(press.subject or str(checked(press.number)))
        card, campaign = await self._page(asked(interaction, press.campaign), page, is_public=True)
        await reply(interaction, Card(card.lines, tone=Tone.CALM), campaign)

    @on_press("pagelog", LOG_PAGE)
    async def press_page(self, interaction: Interaction, press: Pressed) -> None:
        """Turn a page of the log, or show older or newer steps."""
        asking, page = asked(interaction, press.campaign), LogPage.read(press.subject)
        await update(interaction, *await self._page(asking, page, part=press.number))

    async def _page(
        self,
        asking: Request,
        page: LogPage,
        who: str | None = None,
        *,
        part: int = 0,
        is_public: bool = False,
    ) -> tuple[Card, int]:
        """A page of the log, below the days that the table's clocks have, and the campaign."""
        campaign, table = await self.play.see(asking)
        who = find_meant_name(table, who) if who else None
        named = who or (question.marked(table, page.who).name if page.who else None)
        steps = await self.play.log(asking, page.count, named, before=page.before, is_public=is_public)
        if named is not None and (character := get_named(table.characters, named)):
            page = replace(page, who=mark(character.name))
        can_turn = bool(page.who) or named is None
        turns = page.turns(steps, table.number) if can_turn else ()
        return log_card(log_lines(steps, named, table.settings.zone), page, turns, part), campaign


def checked(count: int) -> int:
    """Return the number of steps to show. Raises NotAllowed if it is out of range."""
    if not 1 <= count <= MOST:
        raise NotAllowed(
            "The log can't show {count} steps. Choose 1 to {most}. Example: count:20",
            count=count,
            most=MOST,
        )
    return count


def log_card(lines: list[Text], page: LogPage, turns: tuple[Button, ...], part: int = 0) -> Card:
    """Return a page of the log as a private card, with buttons for older and newer steps and `Share`.

    A page that is too long for one message is shown in parts.
    """
    share = () if is_nothing(lines) else (Button(say("Share"), "sharelog", page.count, str(page)),)
    row = (*turns, *share)
    card = Card(tuple(lines), (row,) if row else (), private=True, tone=Tone.CALM)
    return paged(card, part, Button("", "pagelog", subject=str(page)))
