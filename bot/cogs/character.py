"""`/character`: characters and their sheets, of any game."""

from functools import partial
from typing import Literal

import discord
from discord import Interaction, app_commands
from discord.ext import commands

from bot.client.access import alone
from bot.client.forms import as_sent, open_form
from bot.client.messages import answer, chosen_values, reply, update
from bot.client.request import actor, asked
from bot.client.uploads import given_text, read, sent
from bot.clock import clock_of
from bot.cogs.base import NUMBER, NUMBERS, Group, chose, on_form, on_press, on_presses
from bot.cogs.options import NewName, PlayedName, RatingText, ShortNote, TraitName, TraitSet, Who, WholeName
from bot.language import say
from bot.pictures.portrait import LARGEST
from bot.services.files import Files, PortraitUploads
from bot.services.play import Play
from bot.services.responses import Done
from bot.store.personal import Introductions
from bot.views import join, sheet
from bot.views.card import Card
from bot.views.game import Rule
from bot.views.question import Fields, Pressed
from bot.views.table import sheet_of
from rules.campaign import characters
from rules.campaign.characters import LONGEST_ALT
from rules.game import sheets_at
from rules.values import replace


class Characters(Group, commands.GroupCog, name="character", description="Characters and their sheets"):
    """Commands to create, play, change, remove, export and import characters."""

    def __init__(
        self, play: Play, files: Files, portraits: PortraitUploads, introductions: Introductions
    ) -> None:
        super().__init__(play)
        self.files, self.portraits, self.introductions = files, portraits, introductions

    @app_commands.command(description="Create a character and play them")
    @app_commands.describe(name="Their name", player="The character's player, if it isn't you (GM)")
    async def new(self, interaction: Interaction, name: NewName, player: discord.User | None = None) -> None:
        """Create a character."""
        whose = actor(player) if player else None
        await self.change(interaction, lambda table, by: characters.new(table, by, name, whose))

    @app_commands.command(name="play", description="Play one of your characters, or one that nobody plays")
    @app_commands.describe(name="Which character")
    async def play_one(self, interaction: Interaction, name: Who) -> None:
        """Switch the caller to another character."""
        await self.change(interaction, lambda table, actor: characters.play(table, actor, name))

    @app_commands.command(
        description="Give a character to another player; /character play takes the character back"
    )
    @app_commands.describe(name="Which character", player="Their new player")
    async def give(self, interaction: Interaction, name: Who, player: discord.User) -> None:
        """Hand a character over to another player."""
        to = actor(player)
        await self.change(interaction, lambda table, by: characters.give(table, by, name, to))

    @alone
    @app_commands.command(name="show", description="Show a character's sheet")
    @app_commands.describe(who="Which character. Default: yours")
    async def show_sheet(self, interaction: Interaction, who: Who | None = None) -> None:
        """Show a sheet privately."""
        found = characters.character_shown(
            await self.play.look(asked(interaction)), asked(interaction).actor, who
        )
        await self.show(interaction, sheet_of(found))

    @app_commands.command(name="set", description="Add a trait to a sheet, or change a trait's die")
    @app_commands.describe(
        trait="The trait, such as Mind",
        die="The trait's die or dice, such as d8 or 3d6",
        trait_set="The trait set for a new trait",
        who="Which character. Default: yours",
        statement="The trait's statement, if statements are on; - removes it",
        part_of="The trait that this one is part of, or - for none",
    )
    async def set_trait(
        self,
        interaction: Interaction,
        trait: TraitName,
        die: RatingText | None = None,
        trait_set: TraitSet | None = None,
        who: Who | None = None,
        statement: ShortNote | None = None,
        part_of: WholeName | None = None,
    ) -> None:
        """Set a trait on a sheet: its die, its statement, or the trait that it is part of."""
        await self.change(
            interaction,
            partial(
                characters.set_trait,
                trait=trait,
                die=die,
                trait_set=trait_set,
                who=who,
                statement=statement,
                part_of=part_of,
            ),
        )

    @app_commands.command(description="Remove a trait from a sheet")
    @app_commands.describe(trait="Which trait", who="Which character. Default: yours")
    async def unset(self, interaction: Interaction, trait: TraitName, who: Who | None = None) -> None:
        """Remove a trait from a sheet."""
        await self.change(interaction, lambda table, actor: sheets_at(table).unset(table, actor, trait, who))

    @app_commands.command(description="Edit a whole sheet as text")
    @app_commands.describe(who="Which character. Default: yours")
    async def edit(self, interaction: Interaction, who: Who | None = None) -> None:
        """Open a sheet as a form."""
        campaign, table = await self.play.see(asked(interaction))
        await open_form(
            interaction,
            sheet.sheet_form(table, asked(interaction).actor, who),
            Pressed(sheet.VERB, campaign, 0, ""),
        )

    @app_commands.command(description="Set a character's portrait; without a picture, remove it")
    @app_commands.describe(
        picture="A PNG, JPEG, WebP or GIF; the bot stores it small and square",
        alt="A description of the picture, for screen readers",
        who="Which character. Default: yours",
    )
    async def portrait(
        self,
        interaction: Interaction,
        picture: discord.Attachment | None = None,
        alt: app_commands.Range[str, 1, LONGEST_ALT] | None = None,
        who: Who | None = None,
    ) -> None:
        """Set a character's portrait."""
        await answer(interaction, await self._portrait(interaction, picture, alt, who))

    async def _portrait(
        self, interaction: Interaction, picture: discord.Attachment | None, alt: str | None, who: str | None
    ) -> Done:
        if picture is None:
            return await self.portraits.remove(asked(interaction), who)
        return await self.portraits.put(
            asked(interaction), partial(read, picture, LARGEST, clock_of(interaction.client)), who, alt
        )

    @app_commands.command(description="Rename a character")
    @app_commands.describe(to="The new name", who="Which character. Default: yours")
    async def rename(self, interaction: Interaction, to: NewName, who: Who | None = None) -> None:
        """Rename a character."""
        await self.change(interaction, lambda table, actor: characters.rename(table, actor, to, who))

    @app_commands.command(description="Remove a character from the table, with everything they have")
    @app_commands.describe(name="Which character")
    async def remove(self, interaction: Interaction, name: Who) -> None:
        """Remove a character."""
        await self.change(interaction, lambda table, actor: characters.remove(table, actor, name))

    @alone
    @app_commands.command(description="Export a character as a file")
    @app_commands.describe(
        who="Which character. Default: yours",
        table="Another table you play at on this server, even in a channel you can't see",
        as_="Text: the sheet to read and edit. Toolkit: for the Cortex Toolkit. Default: a file for this bot",
    )
    @app_commands.rename(as_="as")
    async def export(
        self,
        interaction: Interaction,
        who: Who | None = None,
        table: PlayedName | None = None,
        as_: Literal["Text", "Toolkit"] | None = None,
    ) -> None:
        """Send a character as a file, privately."""
        asking = asked(interaction)
        if as_ == "Text":
            done = await self.files.text(asking, who, table)
        else:
            done = await self.files.character(asking, who, table, when=as_ and interaction.created_at)
        await answer(interaction, done)

    @alone
    @app_commands.command(name="import", description="Import a character from a file")
    @app_commands.describe(
        file="A file from /character export, or a sheet from the Cortex Toolkit or Foundry"
    )
    async def import_one(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Preview the import of a character privately, with a button that imports it."""
        await answer(
            interaction,
            await self.files.preview_character(
                asked(interaction), await given_text(clock_of(interaction.client), file)
            ),
        )

    @on_press("join", f"(?:{join.NEW})?")
    async def press_join(self, interaction: Interaction, press: Pressed) -> None:
        """Show the characters nobody plays, or open the form for a new one."""
        asking = asked(interaction, press.campaign)
        table = await self.play.look(asking)
        choosing = None if press.subject == join.NEW else join.choosing(table)
        if choosing is None:
            await open_form(interaction, join.form(table, asking.actor), press)
        else:
            await reply(interaction, choosing, press.campaign)

    @on_press(join.TAKE)
    async def press_take(self, interaction: Interaction, press: Pressed) -> None:
        """Play the chosen character, as if their name had been typed into the form."""
        form = replace(press, verb="join", subject=join.NEW)
        typed = Fields(name="".join(chosen_values(interaction)))
        await self.send_join(interaction, form, as_sent(interaction, form, typed))

    @on_form("join", f"(?:{join.NEW})?", sheet.LENGTHS)
    async def send_join(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Join with a new character; a character from a file is previewed privately first."""
        if fields.typed(join.FILE):
            await self._look(interaction, press, fields)
        else:
            await self._join(interaction, press, join.read(fields))

    async def _join(self, interaction: Interaction, press: Pressed, rule: Rule) -> None:
        """Apply the rule, tell everybody, and show the new player privately what to do first."""
        asking = asked(interaction, press.campaign)
        done = await self.play.change(asking, rule)
        await answer(interaction, done)
        knows = await self.introductions.knows(asking.actor.id)
        card = join.joined_card(done.table, asking.actor, knows=knows)
        if card is not None:
            await reply(interaction, card, done.campaign)

    @on_press(join.INTRO, f"[1-{join.PAGES}]")
    async def press_intro(self, interaction: Interaction, press: Pressed) -> None:
        """Show a page of the introduction: the first in a new message, the others in place.

        Reading the last page counts as `I know`: the introduction isn't offered again.
        """
        campaign, table = await self.play.see(asked(interaction, press.campaign))
        page = int(press.subject)
        if page == join.PAGES:
            await self.introductions.keep(interaction.user.id)
        card = join.intro_card(table, page)
        await (reply if press.subject == "1" else update)(interaction, card, campaign)

    @on_press(join.KNOWN)
    async def press_known(self, interaction: Interaction, press: Pressed) -> None:
        """Never offer the introduction to this person again."""
        await self.introductions.keep(interaction.user.id)
        await update(interaction, Card((say(join.KNOWS),), private=True), press.campaign)

    async def _look(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Show who would come from the file of a form, where its table is still played here."""
        here = asked(interaction, press.campaign)
        await self.files.require_here(here)
        text = await given_text(clock_of(interaction.client), sent(interaction, fields, join.FILE))
        await answer(interaction, await self.files.preview_character(here, text))

    @on_press("importone")
    async def press_import(self, interaction: Interaction, press: Pressed) -> None:
        """Import the previewed character."""
        await answer(interaction, await self.files.bring(asked(interaction, press.campaign), press.number))

    @on_presses({"importonewho": NUMBERS, "importoneset": NUMBER, "importoneas": NUMBER})
    async def press_choice(self, interaction: Interaction, press: Pressed) -> None:
        """Change a choice in an import preview."""
        done = await chose(interaction, self.files, press, "importone")
        await update(interaction, done.card, done.campaign)

    @alone
    @app_commands.command(name="list", description="List all characters and their players")
    async def list_all(self, interaction: Interaction) -> None:
        """List all characters privately."""
        await self.show(interaction, "characters")
