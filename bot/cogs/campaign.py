"""`/campaign`: start, set up, move and delete campaigns."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import discord
from discord import Interaction, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.client import log_channel
from bot.client.access import alone, gms_command
from bot.client.forms import open_form
from bot.client.log_channel import LogPoster
from bot.client.messages import answer, chosen_values, reply, update
from bot.client.request import actor, asked
from bot.client.uploads import given_text, hung
from bot.clock import clock_of
from bot.cogs.base import NUMBER, Group, chose, on_form, on_press, on_presses
from bot.cogs.options import (
    CampaignName,
    DeletedName,
    FileText,
    LogPlace,
    NewName,
    PlayedName,
    SettingName,
    SettingValue,
)
from bot.language import say
from bot.language.line import Text, joined
from bot.language.printers import spelled
from bot.services.files import Files, chosen_story, stories
from bot.services.play import Play
from bot.services.responses import Done
from bot.views import settings
from bot.views.card import Button, Card, Option, Tone, Weight
from bot.views.game import Rule
from bot.views.join import free_menu
from bot.views.question import Fields, Pressed, join_button
from bot.views.settings import LOG, ruleset_words
from bot.views.table import begun_lines
from rules.campaign import lifecycle, seats
from rules.campaign.lifecycle import Story, found_campaign
from rules.custom_terms import LONGEST as LONGEST_WORD
from rules.errors import NotAllowed, Unreadable
from rules.names import fold
from rules.values import replace


class Campaigns(Group, commands.GroupCog, name="campaign", description="This table's campaign"):
    """Commands to start, change, move, export, import, archive and delete campaigns."""

    def __init__(self, play: Play, logs: LogPoster, files: Files) -> None:
        super().__init__(play)
        self.logs, self.files = logs, files
        # Which there are, the games say.
        rulesets = [
            Choice(name=spelled(ruleset_words(name)), value=name)
            for name in lifecycle.values(lifecycle.RULESET)
        ]
        kinds = [Choice(name=f"{one.kind}: {one.told}"[:100], value=one.kind) for one in stories().values()]
        app_commands.choices(ruleset=rulesets, story=kinds)(self.new)
        self.menu = alone(app_commands.ContextMenu(name="Import table", callback=self.import_this))

    @app_commands.command(description="Start a new campaign in this channel, archiving the current one")
    @app_commands.describe(
        name="Its name. Default: that of the story or the file",
        ruleset="The rules to play by. Default: the story's rules, or prime",
        open="No GM: everyone can do everything",
        file="An empty Cortex Toolkit sheet for new characters to start from",
        story="A ready-made story with rules, words and characters to play",
    )
    async def new(
        self,
        interaction: Interaction,
        name: NewName = "",
        ruleset: str = "",
        open: bool = False,
        file: discord.Attachment | None = None,
        story: str = "",
    ) -> None:
        """Start a campaign with the caller as its GM."""
        told = chosen_story(story, has_file=file is not None)
        if not (name or told or file):
            form = settings.new_campaign_form(_kinds(), ruleset, is_open=open)
            await open_form(interaction, form, Pressed("begin", 0, 0, ""))
            return
        await answer(
            interaction, await self._new(interaction, name, file, told, ruleset=ruleset, is_open=open)
        )

    async def _sent(self, interaction: Interaction, press: Pressed, fields: Fields) -> Done:
        """Start a campaign as filled in on the form."""
        name, story = fields.typed("name"), fields.typed("story")
        told = chosen_story("" if story == settings.OWN else story)
        if not (name or told):
            raise Unreadable("Type a name, or choose a story.")
        is_open = press.subject == settings.OPEN
        return await self._new(
            interaction, name, None, told, ruleset=fields.typed("ruleset"), is_open=is_open
        )

    async def _new(
        self,
        interaction: Interaction,
        name: str,
        file: discord.Attachment | None,
        told: Story | None,
        **how: Any,
    ) -> Done:
        """What came of beginning a campaign, by itself, with a story, or with a blank sheet."""
        text = await given_text(clock_of(interaction.client), file) if file else None
        done, more = await self.files.found(
            asked(interaction), name, partial(found_campaign, story=told, **how), text
        )
        return _begun(done, told, more)

    @on_press("begin")
    async def press_begin(self, interaction: Interaction, press: Pressed) -> None:
        """Open the form for a new campaign."""
        await open_form(interaction, settings.new_campaign_form(_kinds()), press)

    @on_form("begin", f"(?:{settings.OPEN})?")
    async def send_begin(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Start the campaign; the person who sends the form is its GM, unless it is open."""
        await answer(interaction, await self._sent(interaction, press, fields))

    @alone
    @app_commands.command(name="show", description="Show the campaign's GM and settings")
    async def show_campaign(self, interaction: Interaction) -> None:
        """Show seats and settings privately."""
        await self.show(interaction, "campaign")

    @app_commands.command(
        description="Bring a campaign on this server to this channel; its GM can also wake it from the "
        "archive"
    )
    @app_commands.describe(name="Which campaign")
    async def join(self, interaction: Interaction, name: CampaignName) -> None:
        """Bring a campaign to this channel; an archived one is woken, and a player here is offered a seat."""
        request = asked(interaction)
        campaign, table = await self.play.see(request)
        is_here = campaign and not table.archived and fold(table.name) == fold(name)
        if is_here and not seats.is_gm(table, request.actor):
            here = say(
                "{campaign} is already played in this channel. To take a character, press Join.",
                campaign=table.name,
            )
            await reply(interaction, Card((here,), ((join_button(),),), private=True), campaign)
            return
        await answer(interaction, await self.play.bind(request, name, lifecycle.wake))

    @on_press("wake")
    async def press_wake(self, interaction: Interaction, press: Pressed) -> None:
        """Wake the archived campaign of this channel."""
        await answer(interaction, await self.play.wake(asked(interaction), press.campaign, lifecycle.wake))

    @app_commands.command(
        description="Take this channel out of its campaign (GM), or leave a table as a player"
    )
    @app_commands.describe(name="The table to leave; your character there becomes free to play")
    async def leave(self, interaction: Interaction, name: PlayedName | None = None) -> None:
        """Take this channel out of its campaign, or make the caller leave the campaign that they name."""
        request = asked(interaction)
        table = await self.play.look(request)
        is_player = not seats.is_gm(table, request.actor) and table.played_by(request.actor.id) is not None
        if name is None and not is_player:
            await answer(interaction, await self.play.unbind(request, lifecycle.leave))
            return
        done = await self.play.stand_up(request, name, seats.stand_up)
        await answer(interaction, replace(done, card=replace(done.card, private=True)))

    @app_commands.command(description="Become the GM, or add or remove a GM or delegate")
    @app_commands.describe(
        player="The GM or delegate to add or remove. Default: you", remove="Remove them instead"
    )
    async def gm(
        self, interaction: Interaction, player: discord.User | None = None, remove: bool = False
    ) -> None:
        """Add or remove a GM."""
        rule = _naming(interaction, player, remove=remove) if player or remove else seats.claim
        await answer(interaction, await self.play.change(asked(interaction), rule))

    @gms_command(name="set", description="Change a campaign setting, or see its possible values")
    @app_commands.describe(
        setting="Which setting",
        value="Its new value",
        log="A channel to post the log in, one line for each step",
    )
    async def set_setting(
        self,
        interaction: Interaction,
        setting: SettingName | None = None,
        value: SettingValue | None = None,
        log: LogPlace | None = None,
    ) -> None:
        """Change a setting, or choose the log channel."""
        await self._set(interaction, setting or "", value or "", log)

    async def _set(self, interaction: Interaction, setting: str, value: str, log: int | None) -> None:
        """Set one thing and answer with what came of it; a setting alone is shown with what it can be."""
        if setting and not value and log is None:
            table = await self.play.look(asked(interaction))
            await self.show(interaction, settings.view_with(table, setting))
        else:
            await answer(interaction, await self._done(interaction, setting, value, log))

    async def _done(self, interaction: Interaction, setting: str, value: str, log: int | None) -> Done:
        """What came of setting one thing. Raises NotAllowed for what is not one thing with its value."""
        if log is not None and not (setting or value):
            return await log_channel.begin(interaction, self.play, self.logs, log)
        if log is not None or not (setting and value):
            raise NotAllowed("Choose a setting and a value, or only a channel for the log.")
        if fold(setting) == LOG:
            return await log_channel.end(interaction, self.play, self.logs, value)
        return await self.play.change(
            asked(interaction), partial(lifecycle.change, setting=setting, value=value)
        )

    @on_press("settings")
    async def press_subject(self, interaction: Interaction, press: Pressed) -> None:
        """Show the chosen subject of the settings in place."""
        await update(
            interaction,
            *await self.seen(interaction, settings.chosen_view(chosen_values(interaction)), press.campaign),
        )

    @on_press("settingschange", settings.OPENED)
    async def press_change(self, interaction: Interaction, press: Pressed) -> None:
        """Open a page of settings as a form."""
        asking = asked(interaction, press.campaign)
        await open_form(
            interaction, settings.change_form(await self.play.look(asking), asking.actor, press), press
        )

    @on_form("settingschange", settings.OPENED, {"": settings.LONGEST})
    async def send_change(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Apply the settings of a form in one step."""
        await self._changed(interaction, press, settings.read_change(press.subject, fields))

    @on_press("settingsreset", settings.PAGE)
    async def press_reset(self, interaction: Interaction, press: Pressed) -> None:
        """Reset the settings of a subject to the ruleset's defaults."""
        await self._changed(interaction, press, settings.read_reset(press.subject))

    @on_press("term", rf"(?:{settings.TERM})?")
    async def press_term(self, interaction: Interaction, press: Pressed) -> None:
        """Open a form for the table's own word for a term."""
        asking, wanted = (
            asked(interaction, press.campaign),
            "".join(chosen_values(interaction)) or press.subject,
        )
        await open_form(
            interaction, settings.term_form(await self.play.look(asking), asking.actor, wanted), press
        )

    @on_form("term", settings.TERM, {"": LONGEST_WORD})
    async def send_term(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Set the table's own word for a term."""
        rule = settings.read_term(press.subject, fields)
        await answer(interaction, await self.play.change(asked(interaction, press.campaign), rule))

    async def _changed(self, interaction: Interaction, press: Pressed, rule: Rule) -> None:
        """Show the page as it is now, and tell everybody in one line what is another."""
        done = await self.play.change(asked(interaction, press.campaign), rule)
        view = settings.view_of(*settings.read_page(press.subject))
        await update(interaction, *await self.seen(interaction, view, press.campaign))
        line = joined("; ", done.card.lines)
        await answer(interaction, replace(done, card=replace(done.card, lines=(line,))))

    @alone
    @gms_command(description="Export the whole table as a file")
    async def export(self, interaction: Interaction) -> None:
        """Send the table as a file, privately."""
        await answer(interaction, await self.files.table(asked(interaction)))

    @alone
    @gms_command(name="import", description="Import a table from a file, replacing the current one")
    @app_commands.describe(
        file="A file from /campaign export, or sheets from the Cortex Toolkit or Foundry",
        text="The file's contents as text, or CortexPal2000's answer to /info",
    )
    async def import_table(
        self, interaction: Interaction, file: discord.Attachment | None = None, text: FileText | None = None
    ) -> None:
        """Preview the import of a table privately, with a button that imports it."""
        await answer(
            interaction,
            await self.files.preview(
                asked(interaction), await given_text(clock_of(interaction.client), file, text)
            ),
        )

    async def import_this(self, interaction: Interaction, message: discord.Message) -> None:
        """Preview the table that a message shows or has attached, by context menu."""
        await answer(
            interaction,
            await self.files.preview(asked(interaction), await hung(clock_of(interaction.client), message)),
        )

    @on_press("import")
    async def press_import(self, interaction: Interaction, press: Pressed) -> None:
        """Import the previewed table, or show the preview again if it is out of date."""
        await answer(interaction, await self.files.bring(asked(interaction, press.campaign), press.number))

    @on_presses({"importset": NUMBER, "importas": NUMBER})
    async def press_choice(self, interaction: Interaction, press: Pressed) -> None:
        """Change a choice in an import preview."""
        done = await chose(interaction, self.files, press, "import")
        await update(interaction, done.card, done.campaign)

    @gms_command(description="Archive this campaign; /campaign join wakes it")
    async def archive(self, interaction: Interaction) -> None:
        """Archive the campaign; nothing is lost."""
        await self.change(interaction, lifecycle.archive)

    @alone
    @app_commands.command(
        description="Delete this campaign (GM; if there's no GM, members with Manage Server)"
    )
    async def delete(self, interaction: Interaction) -> None:
        """Ask whether to delete the campaign."""
        question = await self.play.deletable(asked(interaction), _deleting(interaction))
        await answer(interaction, question.offering(Button(say("Delete"), "delete", weight=Weight.DANGER)))

    @on_press("delete")
    async def press_delete(self, interaction: Interaction, press: Pressed) -> None:
        """Delete the campaign."""
        await answer(
            interaction, await self.play.delete(asked(interaction, press.campaign), _deleting(interaction))
        )

    @app_commands.command(
        description="Bring a deleted campaign back to this channel, if you deleted it or have Manage Server"
    )
    @app_commands.describe(name="Which campaign")
    async def restore(self, interaction: Interaction, name: DeletedName) -> None:
        """Restore a deleted campaign to this channel."""
        await answer(interaction, await self.play.restore(asked(interaction), name, lifecycle.restore))


def _kinds() -> list[Option]:
    """Return the ready-made stories as options of a form."""
    return [Option(one.kind, one.kind, one.told) for one in stories().values()]


def first_steps() -> tuple[Button, ...]:
    """Return the buttons for the first things to do at a new table."""
    return join_button(), Button(say("Pin"), "pin")


def _begun(done: Done, told: Story | None = None, more: Sequence[Text] = ()) -> Done:
    """A campaign that begins, with what is done first."""
    first, *others = (
        join_button(),
        Button(say("Start {session.one}"), "startsession"),
        Button(say("Settings"), "view", subject="campaign"),
        Button(say("Pin"), "pin"),
    )
    row = (replace(first, weight=Weight.GOOD), *others)
    menus = free_menu(done.table)
    lines = (*begun_lines(done.table, told), *more)
    card = Card(lines, (row,), menus=menus, tone=Tone.CALM, are_buttons_first=True)
    return replace(done, card=card)


def _deleting(interaction: Interaction) -> Rule:
    """The rule that deletes a campaign where it is asked for."""
    return partial(lifecycle.delete, is_private=interaction.guild_id is None)


def _naming(interaction: Interaction, player: discord.User | None, *, remove: bool) -> Rule:
    """The rule that names a GM or lets one go: whoever asks, where nobody else is named."""
    on_server = interaction.guild_id is not None
    return partial(
        seats.name_gm, player=actor(player or interaction.user), remove=remove, on_server=on_server
    )
