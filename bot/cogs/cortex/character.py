"""`/character`: sheets, and who plays whom (D1, B2)."""

from functools import partial
from typing import Literal

import discord
from discord import Interaction, app_commands
from discord.ext import commands

from bot.asks.cortex import sheet
from bot.asks.cortex.join import FILE, JOIN
from bot.asks.question import Fields, Pressed
from bot.asks.views import sheet_of
from bot.clock import clock_of
from bot.cogs.base import Group, on_form, on_press, on_presses
from bot.cogs.cortex.options import Lasting, TraitSet, Whole
from bot.cogs.importing import NUMBER, NUMBERS, chose
from bot.cogs.options import PlayedName, Who
from bot.pictures.portrait import LARGEST
from bot.play import Play
from bot.tell import Done
from bot.ui import ask
from bot.ui.forms import open_form
from bot.ui.message import answer, update
from bot.ui.reach import alone
from bot.ui.request import actor, asked
from bot.ui.uploads import given, read, sent
from bot.use.importing import Files
from bot.use.portraits import PortraitUploads
from rules import characters
from rules.cortex.tools import character
from rules.portrait import LONGEST_ALT


class Characters(Group, commands.GroupCog, name="character", description="Characters and their sheets"):
    """Characters are made, played, handed on, changed, removed, and go out and in as files."""

    def __init__(self, play: Play, files: Files, portraits: PortraitUploads) -> None:
        super().__init__(play)
        self.files, self.portraits = files, portraits

    @app_commands.command(description="Make a character, and play it")
    @app_commands.describe(name="Their name", player="Who plays them; you if left out (GM)")
    async def new(self, it: Interaction, name: str, player: discord.User | None = None) -> None:
        """A character is there."""
        await self.change(it, characters.new, name=name, player=actor(player) if player else None)

    @app_commands.command(name="play", description="Play a character of yours, or one that nobody plays")
    @app_commands.describe(name="Which character")
    async def play_one(self, it: Interaction, name: Who) -> None:
        """A person plays another character from now on."""
        await self.change(it, characters.play, name=name)

    @app_commands.command(description="Hand a character to somebody else; playing it takes it back")
    @app_commands.describe(name="Which character", player="Who plays it from now on")
    async def give(self, it: Interaction, name: Who, player: discord.User) -> None:
        """Somebody else plays a character."""
        await self.change(it, characters.give, name=name, player=actor(player))

    @alone
    @app_commands.command(name="show", description="Look at a character's sheet")
    @app_commands.describe(who="Whose; your own if left out")
    async def show_sheet(self, it: Interaction, who: Who | None = None) -> None:
        """A sheet, to the caller alone."""
        found = characters.shown(await self.play.look(asked(it)), asked(it).actor, who)
        await self.show(it, sheet_of(found))

    @app_commands.command(name="set", description="Give a sheet a trait, or a trait another die")
    @app_commands.describe(
        trait="The trait, such as Mind",
        die="Its die, such as d8; or dice, such as 3d6",
        trait_set="In which trait set, if it is new",
        who="Whose; your own if left out",
        statement="A sentence that it stands for, where the table has such; - takes it away",
        part_of="The trait that it is a part of; - for none",
    )
    async def set_trait(
        self,
        it: Interaction,
        trait: Lasting,
        die: str | None = None,
        trait_set: TraitSet | None = None,
        who: Who | None = None,
        statement: str | None = None,
        part_of: Whole | None = None,
    ) -> None:
        """A sheet has a trait of that size, with that statement, or as a part of another."""
        rule = partial(character.put, die=die, trait_set=trait_set, who=who, statement=statement)
        await self.change(it, rule, trait=trait, part_of=part_of)

    @app_commands.command(description="Take a trait off a sheet")
    @app_commands.describe(trait="Which trait", who="Whose; your own if left out")
    async def unset(self, it: Interaction, trait: Lasting, who: Who | None = None) -> None:
        """A trait is gone from a sheet."""
        await self.change(it, character.unset, trait=trait, who=who)

    @app_commands.command(description="Edit a whole sheet as text")
    @app_commands.describe(who="Whose; your own if left out")
    async def edit(self, it: Interaction, who: Who | None = None) -> None:
        """The sheet opens as a form."""
        campaign, table = await self.play.see(asked(it))
        await open_form(it, sheet.asked(table, asked(it).actor, who), Pressed(sheet.VERB, campaign, 0, ""))

    @app_commands.command(description="Give a character a portrait; without a picture, take it away")
    @app_commands.describe(
        picture="PNG, JPEG, WebP or GIF; kept small, and square",
        alt="What it shows, in words, for who does not see it",
        who="Whose; your own if left out",
    )
    async def portrait(
        self,
        it: Interaction,
        picture: discord.Attachment | None = None,
        alt: app_commands.Range[str, 1, LONGEST_ALT] | None = None,
        who: Who | None = None,
    ) -> None:
        """A character has a face."""
        await answer(it, await self._portrait(it, picture, alt, who))

    async def _portrait(
        self, it: Interaction, picture: discord.Attachment | None, alt: str | None, who: str | None
    ) -> Done:
        if picture is None:
            return await self.portraits.remove(asked(it), who)
        return await self.portraits.put(
            asked(it), partial(read, picture, LARGEST, clock_of(it.client)), who, alt
        )

    @app_commands.command(description="Give a character another name")
    @app_commands.describe(to="The new name", who="Whose; your own if left out")
    async def rename(self, it: Interaction, to: str, who: Who | None = None) -> None:
        """A character is called otherwise."""
        await self.change(it, characters.rename, to=to, who=who)

    @app_commands.command(description="Take a character off the table, with everything they have")
    @app_commands.describe(name="Which character")
    async def remove(self, it: Interaction, name: Who) -> None:
        """A character is gone."""
        await self.change(it, characters.remove, name=name)

    @alone
    @app_commands.command(description="Get a character as a file")
    @app_commands.describe(
        who="Which one; your own if left out",
        table="Your own of another table of this server, whether you see its channel or not",
        as_="Toolkit: a sheet for the Cortex Toolkit; else a file for this bot",
    )
    @app_commands.rename(as_="as")
    async def export(
        self,
        it: Interaction,
        who: Who | None = None,
        table: PlayedName | None = None,
        as_: Literal["Toolkit"] | None = None,
    ) -> None:
        """A character as a file, to the caller alone."""
        await answer(it, await self.files.character(asked(it), who, table, when=as_ and it.created_at))

    @alone
    @app_commands.command(name="import", description="Bring a character from a file to this table")
    @app_commands.describe(file="What /character export gave, or a sheet of the Cortex Toolkit or Foundry")
    async def import_one(self, it: Interaction, file: discord.Attachment) -> None:
        """Who would come, to the caller alone, with a button that brings them."""
        await answer(
            it, await self.files.preview_character(asked(it), await given(clock_of(it.client), file))
        )

    @on_form(JOIN.verb)
    async def send_join(self, it: Interaction, press: Pressed, fields: Fields) -> None:
        """Somebody plays a character; who would come from a file is shown to them alone first."""
        has_file = bool(fields.typed(FILE))
        await (self._look(it, press, fields) if has_file else ask.sent(self.play, JOIN, it, press, fields))

    async def _look(self, it: Interaction, press: Pressed, fields: Fields) -> None:
        """Show who would come from the file of a form, where its table is still played here."""
        here = asked(it, press.campaign)
        await self.files.require_here(here)
        text = await given(clock_of(it.client), sent(it, fields, FILE))
        await answer(it, await self.files.preview_character(here, text))

    @on_press("importone")
    async def press_import(self, it: Interaction, press: Pressed) -> None:
        """The character is there."""
        await answer(it, await self.files.bring(asked(it, press.campaign), press.number))

    @on_presses({"importonewho": NUMBERS, "importoneset": NUMBER, "importoneas": NUMBER})
    async def press_choice(self, it: Interaction, press: Pressed) -> None:
        """Something of the file is taken otherwise, in the preview itself."""
        done = await chose(it, self.files, press, "importone")
        await update(it, done.card, done.campaign)

    @alone
    @app_commands.command(name="list", description="Look at all characters and who plays them")
    async def list_all(self, it: Interaction) -> None:
        """All characters, to the caller alone."""
        await self.show(it, "characters")
