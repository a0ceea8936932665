"""`/help`, made from the command tree, and `/about`."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from discord import Interaction, app_commands
from discord.app_commands import Choice, Command

from bot import VERSION
from bot.asks.question import Pressed
from bot.cogs.base import Group, on_press
from bot.cogs.options import suggest
from bot.language import later, say
from bot.render.card import Button, Card, private
from bot.ui.layout import paged
from bot.ui.message import reply, update
from rules.dice import shorten
from rules.errors import Unknown
from rules.names import listed

FIRST = {
    later("For players:"): ("roll", "asset", "pp", "undo"),
    later("For the GM:"): ("doom", "comp", "scene", "session"),
}
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
WORDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "hitch": (
        "A 1 on a player's die. The GM may buy it with Hitches below the roll, and the player gets a PP.",
        ("roll",),
    ),
    "botch": (
        "Every die left shows a 1: no success. The GM gets a complication free of charge.",
        ("roll",),
    ),
    "heroic success": (
        "Beating the difficulty by 5: the effect die steps up.",
        ("roll", "hero show"),
    ),
    "recover": ("A roll gets rid of a complication or of stress.", ("comp recover", "stress recover")),
    "opportunity": (
        "A 1 on a GM's die. A player uses it for a PP with Opportunities.",
        ("roll",),
    ),
    "plot point": ("What players pay with: below a roll with Spend, or for an asset.", ("pp", "asset add")),
    "complication": (
        "What stands in somebody's way, as a die. A roll gets rid of it again.",
        ("comp add", "comp stepdown", "comp recover"),
    ),
    "effect": ("The die kept for its size. Apply below a roll uses it.", ("roll",)),
    "effect die": ("The die kept for its size. Apply below a roll uses it.", ("roll",)),
    "doom pool": ("The GM's dice, which oppose rolls and pay for trouble.", ("doom",)),
    "difficulty": ("What a roll has to beat: a number, a name such as hard, doom, or dice.", ("roll",)),
    "distinction": (
        "A trait of somebody or the scene: d8, or d4 with hinder.",
        ("dist add", "roll"),
    ),
    "hinder": ("A distinction goes in as a d4, and its player gets a PP.", ("roll",)),
    "trauma": ("What stress leaves behind: any stress command with trauma:true.", ("stress add",)),
    "taken out": ("Past d12 a character is taken out. A PP lets them stay in.", ("comp stayin",)),
    "hero dice": ("Dice won by heroic successes, for later rolls.", ("hero",)),
    "sheet": (
        "A character's traits, in a form or one by one.",
        ("character edit", "character set"),
    ),
    "trait": ("A trait on a sheet stands for its die in any pool.", ("character set", "character edit")),
    "boss": ("A GMC with several dice of one size: /gmc new name:Rex dice:4d10", ("gmc new",)),
    "mob": ("A GMC with several dice of one size and kind:mob.", ("gmc new",)),
    "initiative": ("Turns are handed on from one to the next.", ("turn start", "turn next")),
    "gm": ("Who begins a campaign is its GM. Without one a table is open to all.", ("campaign gm",)),
    "undo": ("Every change can be taken back, the newest or one alone.", ("undo", "redo", "log")),
    "die": ("Dice and names, such as Mind + 2d6 d8, up Sharp, hinder Reckless.", ("roll", "pool build")),
    "dice": ("Dice and names, such as Mind + 2d6 d8, up Sharp, hinder Reckless.", ("roll", "pool build")),
    "ruleset": (
        "Prime, heroic, empire or adept, and single settings.",
        ("campaign new", "campaign set"),
    ),
    "setting": ("Each setting of a campaign has its name and values.", ("campaign set", "campaign show")),
}
"""Words of the games: a sentence, and the commands that they are about."""
ABOUT = (
    later("Doomkeeper {version}: a bot for playing Cortex and One-Roll Engine games together."),
    later("It is unofficial and quotes no rules: you need the rules of your game."),
    later(
        "It keeps what people type at their table, their Discord ids and the names they go by, nothing else."
    ),
    later("Begin with /help."),
)


class Help(Group):
    """What there is, and how to use it."""

    @app_commands.command(description="What there is, and how to use it")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(topic="A command such as doom add, or a word of the game such as hitches")
    async def help(self, it: Interaction, topic: str = "") -> None:
        """The most needed commands, or all there is to say about one."""
        await reply(it, help_card(everything(it), topic))

    @help.autocomplete("topic")
    async def topics(self, it: Interaction, typed: str) -> list[Choice[str]]:
        """The names of all commands, and words of the game."""
        return suggest(typed, [*(command.qualified_name for command in everything(it)), *WORDS])

    @app_commands.command(description="What this bot is")
    async def about(self, it: Interaction) -> None:
        """Version and disclaimer."""
        await reply(it, private(*(say(line, version=VERSION) for line in ABOUT)))

    @on_press("help", ".{0,40}")
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
    word = _word(wanted)
    if wanted and not about and word is None:
        raise Unknown(
            "There is no help about {wanted}. {instead}",
            wanted=shorten(wanted),
            instead=_instead(known, wanted),
        )
    if about:
        lines = list(_all_of(about))
    else:
        lines = list(_about(known, *WORDS[word])) if word else list(_first(known))
    return paged(Card(tuple(lines), private=True), page, Button("", "help", subject=wanted[:40]))


def _word(wanted: str) -> str | None:
    """The word of the games that is meant: also in the plural, or by a part of it."""
    ones = (wanted, wanted.removesuffix("s"), f"{wanted.removesuffix('ies')}y", wanted.removesuffix("es"))
    return next((one for one in ones if one in WORDS), None)


def _about(known: Sequence[Command[Any, ..., Any]], said: str, names: tuple[str, ...]) -> Iterator[str]:
    """A word of the games, and the commands that it is about."""
    yield said
    for name in names:
        yield from (_line(c) for c in known if f"{c.qualified_name} ".startswith(f"{name} "))


def _instead(known: Sequence[Command[Any, ..., Any]], wanted: str) -> str:
    """Where a command of another bot went, or the few nearest things that there is help about."""
    moved = HABITS.get(f"/{wanted}")
    near = get_close_matches(wanted, [*(c.qualified_name for c in known), *WORDS], n=3)
    there_is = f"Here it is {moved}." if moved else f"Did you mean {listed(near, 'or')}?" if near else ""
    example = near[0] if near else "hitches"
    return f"{there_is} Commands and words of the game work. Example: /help topic:{example}".strip()


def _first(known: Sequence[Command[Any, ..., Any]]) -> Iterator[str]:
    for heading, names in FIRST.items():
        yield say(heading)
        for name in names:
            yield from (_line(c) for c in known if c.qualified_name.split()[0] == name)
    yield say("Everything else:")
    shown = {name for names in FIRST.values() for name in names}
    yield from (_line(c) for c in known if c.qualified_name.split()[0] not in shown)
    yield say("All about one command: /help topic:roll")
    yield say("Long press a message for Undo this, a member for Give 1 PP.")
    moved = "; ".join(say("{old} is {new}", old=old, new=new) for old, new in HABITS.items())
    yield say("Used to another bot? {moved}", moved=moved)


def _all_of(commands: Sequence[Command[Any, ..., Any]]) -> Iterator[str]:
    for command in commands:
        yield _line(command)
        for option in command.parameters:
            said = str(option.description)
            if not option.required and "left out" not in said:
                said = say("{hint}, may be left out", hint=said)
            yield f"    {option.display_name}: {said}"


def _line(command: Command[Any, ..., Any]) -> str:
    return f"/{command.qualified_name}: {command.description}"
