"""`/help`, made from the command tree, and `/about`."""

from collections.abc import Iterator, Sequence
from typing import Any

from discord import Interaction, app_commands
from discord.app_commands import Choice, Command

from bot import VERSION
from bot.cogs.base import Group, on_press
from bot.cogs.options import suggest
from bot.render.card import Button, Card, private
from bot.ui.buttons import Pressed
from bot.ui.layout import paged
from bot.ui.message import reply, update
from rules.errors import Unknown
from rules.names import offer

FIRST = {"For players": ("roll", "asset", "pp", "undo"), "For the GM": ("doom", "comp", "scene", "session")}
"""What help begins with."""
HABITS = {
    "/info": "/table show",
    "/pin": "/table pin",
    "/clean": "/scene end or /campaign delete",
    "/option": "/campaign set",
    "/report": "/log",
    "/pp add": "/pp give",
}
"""Where the commands of other bots went."""
ABOUT = (
    f"Doomkeeper {VERSION}: a bot for playing Cortex and One-Roll Engine games together.",
    "It is unofficial and quotes no rules: you need the rules of your game.",
    "It keeps what people type at their table, their Discord ids and the names they go by, nothing else.",
    "Begin with /help.",
)


class Help(Group):
    """What there is, and how to use it."""

    @app_commands.command(description="What there is, and how to use it")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(topic="A command, such as roll or doom add")
    async def help(self, it: Interaction, topic: str = "") -> None:
        """The most needed commands, or all there is to say about one."""
        await reply(it, help_card(everything(it), topic))

    @help.autocomplete("topic")
    async def topics(self, it: Interaction, typed: str) -> list[Choice[str]]:
        """The names of all commands."""
        return suggest(typed, (command.qualified_name for command in everything(it)))

    @app_commands.command(description="What this bot is")
    async def about(self, it: Interaction) -> None:
        """Version and disclaimer."""
        await reply(it, private(*ABOUT))

    @on_press("help")
    async def press_help(self, it: Interaction, press: Pressed) -> None:
        """Turn a page of help."""
        await update(it, help_card(everything(it), press.subject, press.number), 0)


def everything(it: Interaction) -> list[Command[Any, ..., Any]]:
    """Every command that can be typed, by the tree that is registered."""
    tree: app_commands.CommandTree[Any] = it.client.tree  # type: ignore[attr-defined]
    found = [command for command in tree.walk_commands() if isinstance(command, Command)]
    return sorted(found, key=lambda command: command.qualified_name)


def help_card(known: Sequence[Command[Any, ..., Any]], topic: str, page: int = 0) -> Card:
    """Help as a private card. Raises Unknown for a topic that is no command."""
    wanted = topic.strip().removeprefix("/").casefold()
    about = [c for c in known if f"{c.qualified_name} ".startswith(f"{wanted} ")]
    if wanted and not about:
        moved = HABITS.get(f"/{wanted}")
        where = f"Here it is {moved}." if moved else offer(wanted, (c.qualified_name for c in known))
        raise Unknown(f"There is no command /{wanted[:40]}. {where} Example: /help topic:roll")
    lines = list(_all_of(about)) if wanted else list(_first(known))
    return paged(Card(tuple(lines), private=True), page, Button("", "help", subject=wanted[:40]))


def _first(known: Sequence[Command[Any, ..., Any]]) -> Iterator[str]:
    for heading, names in FIRST.items():
        yield f"{heading}:"
        for name in names:
            yield from (_line(c) for c in known if c.qualified_name.split()[0] == name)
    yield "Everything else:"
    shown = {name for names in FIRST.values() for name in names}
    yield from (_line(c) for c in known if c.qualified_name.split()[0] not in shown)
    yield "All about one command: /help topic:roll"
    yield "Long press a message for Undo this, a member for Give 1 PP."
    yield "Used to another bot? " + "; ".join(f"{old} is {new}" for old, new in HABITS.items())


def _all_of(commands: Sequence[Command[Any, ..., Any]]) -> Iterator[str]:
    for command in commands:
        yield _line(command)
        for option in command.parameters:
            must = "" if option.required or "left out" in str(option.description) else ", may be left out"
            yield f"    {option.display_name}: {option.description}{must}"


def _line(command: Command[Any, ..., Any]) -> str:
    return f"/{command.qualified_name}: {command.description}"
