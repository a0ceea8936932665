"""`/log`, `/note`, `/undo` and `/redo`, and undoing what a message shows by long press."""

import discord
from discord import Interaction, app_commands
from discord.app_commands import Choice

from bot.asks import what_for
from bot.asks.question import Fields, Pressed
from bot.cogs.base import Group, on_form, on_press
from bot.cogs.options import NotedName, OpenNote, Who, suggest
from bot.language import say
from bot.language.line import Text, is_nothing
from bot.language.printers import spelled
from bot.play import Play
from bot.play.asked import Asked
from bot.render.card import Button, Card, Tone
from bot.render.facts import summary
from bot.render.log import log_lines
from bot.ui.forms import open_form
from bot.ui.layout import paged
from bot.ui.message import answer, reply, show_again, update
from bot.ui.reach import alone, hiding
from bot.ui.request import asked
from bot.ui.voices import voices_of
from bot.use import noting
from rules.campaign import notes
from rules.errors import NotAllowed

MOST = 50
"""`/log` shows this many steps at most."""


class LogCommands(Group):
    """What happened, and going back and forward in it."""

    def __init__(self, play: Play) -> None:
        super().__init__(play)
        self.menu = app_commands.ContextMenu(name="Undo this", callback=self.undo_this)

    @alone
    @app_commands.command(description="Show the table's log: the latest steps, newest first")
    @app_commands.describe(count="How many steps. Default: 10", who="Only steps that name this character")
    async def log(self, it: Interaction, count: int = 10, who: Who | None = None) -> None:
        """The last steps, to the caller alone."""
        lines, campaign = await self._lines(asked(it), count, who)
        await reply(it, log_card(lines, count), campaign)

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
        it: Interaction,
        text: str = "",
        is_open: bool = False,
        about: NotedName = "",
        done: OpenNote = "",
        hidden: bool = False,
    ) -> None:
        """Something is noted, or done."""
        await self.change(it, notes.note, text=text, is_open=is_open, about=about, done=done, secret=hidden)

    @app_commands.command(
        description="Undo your last step (for the GM, the table's last), or one older step by itself"
    )
    @app_commands.describe(step="The number of an older step, from the log")
    async def undo(self, it: Interaction, step: int | None = None) -> None:
        """A step is taken back."""
        done = await self.play.undo(asked(it), step)
        await answer(it, done)

    @app_commands.command(description="Redo the last undone step, or one step by itself")
    @app_commands.describe(step="The number of the step, from the log")
    async def redo(self, it: Interaction, step: int | None = None) -> None:
        """A step is put back."""
        done = await self.play.redo(asked(it), step)
        await answer(it, done)

    @undo.autocomplete("step")
    @redo.autocomplete("step")
    async def steps(self, it: Interaction, typed: str) -> list[Choice[int]]:
        """Steps of the log, newest first."""
        # Discord shows 25 suggestions.
        steps = [step for step in await self.play.log(asked(it), 25) if not step.is_veiled]
        said = [f"{step.number}. {step.author.name}: {spelled(summary(step.facts))}"[:100] for step in steps]
        lines = dict(zip(said, (step.number for step in steps), strict=True))
        return [Choice(name=choice.name, value=lines[choice.name]) for choice in suggest(str(typed), lines)]

    async def undo_this(self, it: Interaction, message: discord.Message) -> None:
        """Undo the step that made a message, or delete what a character said in it, by long press."""
        if not await voices_of(it).takes_back(it, message.id):
            made = message.interaction_metadata
            await answer(it, await self.play.undo_made_by(asked(it), made.id if made else 0))

    @on_press(what_for.VERB)
    async def press_what_for(self, it: Interaction, press: Pressed) -> None:
        """Ask what a roll was for."""
        form = await noting.asking(self.play, asked(it, press.campaign), press.number)
        await open_form(it, form, press)

    @on_form(what_for.VERB)
    async def send_what_for(self, it: Interaction, press: Pressed, fields: Fields) -> None:
        """Say what a roll was for."""
        asking = asked(it, press.campaign)
        await show_again(it, await noting.noted(self.play, asking, press.number, fields["note"]))

    @on_press("undo")
    async def press_undo(self, it: Interaction, press: Pressed) -> None:
        """Take back one step."""
        await answer(it, await self.play.undo(asked(it, press.campaign), press.number))

    @on_press("undoback")
    async def press_undo_back(self, it: Interaction, press: Pressed) -> None:
        """Go back before a step that later ones are built on."""
        done = await self.play.undo_back(asked(it, press.campaign), press.number)
        await answer(it, done)

    @on_press("sharelog")
    async def press_share(self, it: Interaction, press: Pressed) -> None:
        """Show everybody the log."""
        lines, campaign = await self._lines(asked(it, press.campaign), press.number, is_public=True)
        await reply(it, Card(tuple(lines), tone=Tone.CALM), campaign)

    @on_press("pagelog", "[1-9][0-9]?")
    async def press_page(self, it: Interaction, press: Pressed) -> None:
        """Turn a page of the log."""
        lines, campaign = await self._lines(asked(it, press.campaign), int(press.subject))
        await update(it, log_card(lines, int(press.subject), press.number), campaign)

    async def _lines(
        self, asking: Asked, count: int, who: str | None = None, *, is_public: bool = False
    ) -> tuple[list[Text], int]:
        """The last steps below their days, as the table's clocks have them, and the campaign."""
        steps = await self.play.log(asking, checked(count), who, is_public=is_public)
        campaign, table = await self.play.see(asking)
        return log_lines(steps, who, table.settings.zone), campaign


def checked(count: int) -> int:
    """The number of steps to show. Raises NotAllowed when it makes no sense."""
    if not 1 <= count <= MOST:
        raise NotAllowed(
            "The log can't show {count} steps. Choose 1 to {most}. Example: count:20",
            count=count,
            most=MOST,
        )
    return count


def log_card(lines: list[Text], count: int, page: int = 0) -> Card:
    """The log for the caller alone, page by page, with `Share`."""
    row = () if is_nothing(lines) else (Button(say("Share"), "sharelog", count),)
    return paged(
        Card(tuple(lines), (row,) if row else (), private=True, tone=Tone.CALM),
        page,
        Button("", "pagelog", subject=str(count)),
    )
