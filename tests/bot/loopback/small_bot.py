"""A small but real discord.py bot that uses what the loopback Discord promises."""

import asyncio
import io
import re
from typing import Any, Self

import discord
import pytest
import yarl
from discord import app_commands, ui
from discord.ext import commands

from bot.loopback.driver import Loopback
from tests.patience import PATIENCE

Here = discord.Interaction[discord.Client]

HASTY = pytest.mark.parametrize("discord_", [0.01], indirect=True, ids=["hasty"])
"""A Discord that waits only a moment for an answer: for tests in which none ever comes."""


class Tally(ui.DynamicItem[ui.Button[ui.LayoutView]], template=r"tally:(?P<count>\d+)"):
    """A button that survives a restart."""

    def __init__(self, count: int) -> None:
        super().__init__(ui.Button(label=f"Count: {count}", custom_id=f"tally:{count}"))
        self.count = count

    @classmethod
    async def from_custom_id(cls, interaction: Here, item: ui.Item[Any], match: re.Match[str], /) -> Self:
        return cls(int(match["count"]))

    async def callback(self, interaction: Here) -> None:
        await interaction.response.edit_message(view=tally_view(self.count + 1))


def tally_view(count: int) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    box: ui.Container[ui.LayoutView] = ui.Container(ui.TextDisplay(f"The count is **{count}**"))
    view.add_item(box)
    row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
    row.add_item(Tally(count))
    view.add_item(row)
    return view


class AssetForm(ui.Modal, title="New asset"):
    def __init__(self) -> None:
        super().__init__(custom_id="asset-form", timeout=60)
        self.called: ui.TextInput[Any] = ui.TextInput(custom_id="name", max_length=20)
        self.die: ui.RadioGroup[Any] = ui.RadioGroup(
            custom_id="die",
            options=[
                discord.RadioGroupOption(label="d6", value="6", default=True),
                discord.RadioGroupOption(label="d8", value="8"),
            ],
        )
        self.on: ui.Select[Any] = ui.Select(
            custom_id="on",
            options=[discord.SelectOption(label="Alice"), discord.SelectOption(label="Bob", default=True)],
        )
        self.add_item(ui.TextDisplay("Assets help."))
        self.add_item(ui.Label(text="Name", description="In a few words", component=self.called))
        self.add_item(ui.Label(text="Die", component=self.die))
        self.add_item(ui.Label(text="On", component=self.on))

    async def on_submit(self, interaction: Here, /) -> None:
        await interaction.response.send_message(
            f"{self.called.value} d{self.die.value} on {self.on.values[0]}"
        )


class Panel(ui.View):
    @ui.button(label="Who", style=discord.ButtonStyle.primary)
    async def who(self, interaction: Here, button: ui.Button[Self]) -> None:
        await interaction.response.send_message(f"You are {interaction.user.display_name}", ephemeral=True)

    @ui.button(label="Form")
    async def form(self, interaction: Here, button: ui.Button[Self]) -> None:
        await interaction.response.send_modal(AssetForm())

    @ui.button(label="Later")
    async def later(self, interaction: Here, button: ui.Button[Self]) -> None:
        await interaction.response.defer()
        await interaction.followup.send("a follow-up")

    @ui.button(label="Off", disabled=True)
    async def off(self, interaction: Here, button: ui.Button[Self]) -> None:
        raise AssertionError

    @ui.select(
        placeholder="Colour",
        options=[discord.SelectOption(label="Red", value="r"), discord.SelectOption(label="Blue", value="b")],
    )
    async def colour(self, interaction: Here, select: ui.Select[Self]) -> None:
        await interaction.response.edit_message(content=f"chose {select.values[0]}")


class Asset(app_commands.Group):
    """Assets of the small bot."""

    @app_commands.command(description="Put an asset on someone")
    async def add(self, interaction: Here, what: str, who: discord.User | None = None) -> None:
        await interaction.response.send_message(f"{what} on {who.mention if who else 'nobody'}")

    @app_commands.command(description="Take an asset away")
    async def remove(self, interaction: Here, what: str) -> None:
        await interaction.response.send_message(f"removed {what}")

    @remove.autocomplete("what")
    async def what_there_is(self, interaction: Here, current: str) -> list[app_commands.Choice[str]]:
        return [
            app_commands.Choice(name=name, value=name)
            for name in ("Broken Chair", "Rope", "Rotten Egg")
            if current.lower() in name.lower()
        ]


class SmallBot(commands.Bot):
    """The bot; `heard` notes the interactions that reached it."""

    def __init__(self) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents(guilds=True), max_messages=None)
        self.heard: list[int] = []
        self.resumes = 0
        self.errors: list[BaseException] = []
        self.failed = asyncio.Event()
        self._connection.guild_ready_timeout = 0.05
        every: list[app_commands.Command[Any, ..., Any]] = [
            roll,
            say,
            slow,
            silent,
            twice,
            tally,
            panel,
            form,
            pin,
            file,
            weigh,
            mention,
            tidy,
            choosers,
            setup,
        ]
        for command in every:
            self.tree.add_command(command)
        self.tree.add_command(Asset(name="asset"))
        self.tree.add_command(undo)
        self.tree.add_command(give)
        self.tree.error(self.on_tree_error)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Tally)
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify again at once, where discord.py waits for 5 seconds: this Discord demands no pause."""

    async def on_interaction(self, interaction: Here) -> None:
        self.heard.append(interaction.id)

    async def on_resumed(self) -> None:
        self.resumes += 1

    async def on_tree_error(self, interaction: Here, error: app_commands.AppCommandError) -> None:
        self.errors.append(getattr(error, "original", error))
        self.failed.set()

    async def first_error_code(self) -> int:
        """Discord's code for what went wrong first; waits for it."""
        await asyncio.wait_for(self.failed.wait(), PATIENCE)
        assert isinstance(self.errors[0], discord.HTTPException)
        return self.errors[0].code


@app_commands.command(description="Roll dice")
@app_commands.choices(
    how=[
        app_commands.Choice(name="Openly", value="open"),
        app_commands.Choice(name="Secretly", value="secret"),
    ]
)
async def roll(
    interaction: Here,
    dice: str,
    vs: app_commands.Range[int, 1, 30] | None = None,
    how: str = "open",
    hard: bool = False,
) -> None:
    await interaction.response.send_message(
        f"{interaction.user.display_name} rolls {dice} vs {vs} hard={hard}", ephemeral=how == "secret"
    )


@app_commands.command(description="Say anything")
async def say(interaction: Here, text: app_commands.Range[str, 1, 6000]) -> None:
    await interaction.response.send_message(text)


@app_commands.command(description="Think first")
async def slow(interaction: Here) -> None:
    await interaction.response.defer(thinking=True)
    await asyncio.sleep(0.05)
    await interaction.edit_original_response(content="thought about it")
    await interaction.followup.send("and this", ephemeral=True)


@app_commands.command(description="Never answers")
async def silent(interaction: Here) -> None:
    return


@app_commands.command(description="Answers twice")
async def twice(interaction: Here) -> None:
    adapter = discord.webhook.async_.async_context.get()
    for _ in range(2):
        await adapter.create_interaction_response(
            interaction.id,
            interaction.token,
            session=interaction._session,
            params=discord.webhook.async_.interaction_message_response_params(type=4, content="once"),
        )


@app_commands.command(description="A counter")
async def tally(interaction: Here) -> None:
    await interaction.response.send_message(view=tally_view(0))


@app_commands.command(description="Buttons and a menu")
async def panel(interaction: Here) -> None:
    view = Panel(timeout=60)
    view.add_item(ui.Button(label="Rules", url="https://example.com/rules"))
    await interaction.response.send_message("A panel", view=view)


@app_commands.command(description="Opens a form")
async def form(interaction: Here) -> None:
    await interaction.response.send_modal(AssetForm())


@app_commands.command(description="Posts and pins")
async def pin(interaction: Here) -> None:
    assert isinstance(interaction.channel, discord.abc.Messageable)
    message = await interaction.channel.send("pinned words")
    await message.pin()
    await interaction.response.send_message(
        f"{len([m async for m in interaction.channel.pins()])} pinned", ephemeral=True
    )
    await interaction.channel.get_partial_message(message.id).edit(content="pinned words, edited")  # type: ignore[union-attr]


@app_commands.command(description="Sends a file")
async def file(interaction: Here) -> None:
    await interaction.response.send_message(
        "a picture", file=discord.File(io.BytesIO(b"pixels"), "map.png", description="A map")
    )


@app_commands.command(name="weigh", description="Reads a file")
async def weigh(interaction: Here, file: discord.Attachment) -> None:
    words = (await file.read()).decode()
    await interaction.response.send_message(f"{file.filename}, {file.size}, {file.content_type}: {words}")


@app_commands.command(description="Mentions someone")
async def mention(interaction: Here, who: discord.User, quietly: bool = False) -> None:
    allowed = discord.AllowedMentions.none() if quietly else discord.AllowedMentions(users=True)
    await interaction.response.send_message(f"Hey {who.mention}", allowed_mentions=allowed)


@app_commands.command(description="Says something, takes it back and whispers")
async def tidy(interaction: Here) -> None:
    await interaction.response.send_message("a moment")
    assert (await interaction.original_response()).content == "a moment"
    await interaction.delete_original_response()
    await interaction.user.send("psst")


class Choosers(ui.Modal, title="Who and where"):
    def __init__(self, user: discord.User | discord.Member) -> None:
        super().__init__(timeout=60)
        self.who: ui.UserSelect[Any] = ui.UserSelect(default_values=[user])
        self.where: ui.ChannelSelect[Any] = ui.ChannelSelect()
        self.traits: ui.CheckboxGroup[Any] = ui.CheckboxGroup(
            options=[discord.CheckboxGroupOption(label=word) for word in ("Wit", "Grit", "Zeal")]
        )
        self.sure: ui.Checkbox[Any] = ui.Checkbox(default=False)
        self.add_item(ui.Label(text="Who", component=self.who))
        self.add_item(ui.Label(text="Where", component=self.where))
        self.add_item(ui.Label(text="Traits", component=self.traits))
        self.add_item(ui.Label(text="Sure", component=self.sure))

    async def on_submit(self, interaction: Here, /) -> None:
        who, where = self.who.values[0].name, str(self.where.values[0])
        await interaction.response.send_message(
            " ".join([who, where, *self.traits.values, str(self.sure.value)])
        )


@app_commands.command(description="A form with every other kind of field")
async def choosers(interaction: Here) -> None:
    await interaction.response.send_modal(Choosers(interaction.user))


@app_commands.command(description="Only for those who manage the server")
@app_commands.default_permissions(manage_guild=True)
@app_commands.guild_only()
async def setup(interaction: Here) -> None:
    await interaction.response.send_message("set up")


@app_commands.context_menu(name="Undo this")
async def undo(interaction: Here, message: discord.Message) -> None:
    await interaction.response.send_message(f"undone: {message.content}", ephemeral=True)


@app_commands.context_menu(name="Give 1 PP")
async def give(interaction: Here, user: discord.Member) -> None:
    await interaction.response.send_message(f"1 PP for {user.display_name}")


class Connected:
    """A small bot on a loopback Discord, from login to a clean end."""

    def __init__(self, discord_: Loopback, token: str | None = None) -> None:
        self.discord = discord_
        self.token = token or discord_.token

    async def __aenter__(self) -> SmallBot:
        discord.http.Route.BASE = self.discord.api_url
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(self.discord.gateway_url)
        self.bot = SmallBot()
        try:
            await self.bot.login(self.token)
        except discord.LoginFailure:
            await self.bot.close()
            raise
        self.task = asyncio.create_task(self.bot.connect())
        await self.discord.ready()
        return self.bot

    async def __aexit__(self, *_: object) -> None:
        await self.bot.close()
        await asyncio.wait([self.task], timeout=PATIENCE)
