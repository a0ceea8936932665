"""`/help`, from the guide and from the command tree, and `/about`."""

from collections.abc import Iterator, Sequence
from typing import Any

import discord
from discord import Interaction, app_commands
from discord.app_commands import Choice, Command
from discord.ext import commands

from bot import VERSION, home
from bot.asks.question import STALE, Pressed
from bot.clock import Clock
from bot.cogs.base import Group, on_press
from bot.cogs.options import suggest
from bot.guide import pages, words
from bot.language import later, say
from bot.language.line import Text, code, command, heading, small, spoken, strong
from bot.play import Play
from bot.render.card import Button, Card, Tone
from bot.render.help import VERB, Numbers, first_card, greeting_card, own_card, topic_card, topics
from bot.render.host import Host, about_lines
from bot.store.notes import Notes
from bot.ui.greeting import greet
from bot.ui.layout import paged
from bot.ui.menus import chosen
from bot.ui.message import reply, update
from bot.ui.own import for_people, install_rows, owner, server_row
from bot.ui.reach import alone, everywhere
from bot.ui.registered import Registered
from bot.ui.request import asked
from bot.use.keeping import gone, gone_key
from rules.dice import shorten
from rules.errors import TooLate
from rules.names import DidYouMean, alike
from rules.own_words import as_standard, standard_words
from rules.table import Table
from rules.values import replace
from rules.words import Phrase, Words

ABOUT = (
    later("A bot for playing Cortex and One-Roll Engine games together."),
    later(
        "It's unofficial and not connected with the publishers of these games. It quotes no rules, so you "
        "need the rules of your game. Cortex is a trademark of Dire Wolf Digital, LLC."
    ),
    later(
        "It stores what people type at their table, their Discord ids and the names they go by, and "
        "nothing else. /privacy show shows yours; /privacy delete deletes it."
    ),
    later("Free software under the MIT licence. Start with /help."),
)


class Help(Group):
    """What there is, and how to use it."""

    def __init__(self, play: Play, registered: Registered, host: Host, notes: Notes, clock: Clock) -> None:
        super().__init__(play)
        self._clock = clock
        self.notes = notes
        self.registered, self.host = registered, host

    @alone
    @app_commands.command(description="Show what to do next, or help on any topic")
    @everywhere
    @app_commands.describe(topic="A command, such as doom add, or a word of the game, such as hitches")
    async def help(self, it: Interaction, topic: str = "") -> None:
        """The next step for whoever asks, or what there is to say about a topic."""
        await reply(it, *await self._help(it, topic))

    @help.autocomplete("topic")
    async def topics(self, it: Interaction, typed: str) -> list[Choice[str]]:
        """The topics of the guide, the names of all commands, and words of the game as the table has them."""
        titles = (page.title for page in pages().values())
        table = await self.play.look(asked(it))
        return suggest(typed, [*titles, *self.registered.full(), *words_of(table)])

    @alone
    @app_commands.command(description="About this bot: version, licence, privacy and links")
    @everywhere
    async def about(self, it: Interaction) -> None:
        """Version, disclaimer, privacy, and whose bot it is."""
        await reply(it, about_card(self.host, install_rows(it)))

    @on_press("help", ".{0,40}")
    async def press_help(self, it: Interaction, press: Pressed) -> None:
        """Turn a page of help."""
        await update(it, command_card(self.registered, press.subject, press.number), 0)

    @on_press(VERB, "[a-z-]{0,20}")
    async def press_topic(self, it: Interaction, press: Pressed) -> None:
        """Show a topic of the guide in place: by the menu, or a section by its button."""
        card = self._topic(press.subject or "".join(chosen(it)), press.number)
        await update(it, self._here(it, card), press.campaign)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Say how it begins, once, where the bot comes to a server; and what is gone where it comes back."""
        lost = await gone(self.notes, guild.id)
        card = greeting_card(self.registered.full(), lost)
        await greet(self.notes, guild, card, gone_key(guild.id), self._clock.now())

    async def _help(self, it: Interaction, topic: str) -> tuple[Card, int]:
        """Help about a topic, or about what comes next here, and the campaign that is played here.

        What is in the guide comes before the list of a command's options, which is one press behind it.
        """
        campaign, table = await self.play.see(asked(it))
        typed = topic.strip().removeprefix("/")
        wanted = as_standard(table, typed).casefold()
        if not wanted and owner(it):
            return own_card(self.registered.full(), server_row(it)), campaign
        if not wanted:
            outside = asked(it).is_outside(table)
            return first_card(table, asked(it).actor, self.registered.full(), outside=outside), campaign
        # Who names a command of a group whole wants that command; of a single word the guide has an example.
        place = None if " " in wanted and wanted in self.registered.full() else _word(wanted)
        if place is None:
            found = commands_of(self.registered, wanted)
            if found:
                return self._here(it, command_card(self.registered, wanted)), campaign
            return self._here(it, missing_card([*self.registered.full(), *words_of(table)], typed)), campaign
        group = wanted if commands_of(self.registered, wanted) else ""
        return self._here(
            it, topic_card(pages()[place[0]], place[1], self.registered.full(), group)
        ), campaign

    def _here(self, it: Interaction, card: Card) -> Card:
        """Help, with a line about which commands there are where the bot is not on the server."""
        if not owner(it):
            return card
        commands = " ".join(f"/{name}" for name in sorted(for_people(it)))
        line = small(
            say(
                "These commands work here: {commands}. Everything else needs the bot on the server.",
                commands=commands,
            )
        )
        return replace(card, lines=(*card.lines, line))

    def _topic(self, name: str, place: int) -> Card:
        """A section of a page. Raises TooLate for one that this version has not."""
        page = pages().get(name)
        if page is None or place >= len(page.sections):
            raise TooLate(STALE)
        return topic_card(page, place, self.registered.full())


def command_card(registered: Registered, wanted: str, page: int = 0) -> Card:
    """All about one command, or the commands of a group. Raises TooLate where there is none any more."""
    found = commands_of(registered, wanted)
    if not found:
        raise TooLate(STALE)
    lines = [heading(f"/{wanted}"), *(_line(c, registered.full()) for c in found)]
    if len(found) == 1:
        lines += _options(found[0])
    else:
        if (group := found[0].parent) is not None and group.qualified_name == wanted:
            lines.insert(1, small(say(group.description)))
        example = code(f"/help topic:{found[0].qualified_name}")
        lines.append(small(say("More about one of them: {example}", example=example)))
    card = Card(tuple(lines), private=True, tone=Tone.CALM, menus=(topics(),))
    # A button's id has 100 characters, and what it turns to is among them.
    return paged(card, page, Button("", "help", subject=wanted[:40]))


def commands_of(registered: Registered, wanted: str) -> list[Command[Any, ..., Any]]:
    """The command of that name, or the commands of that group; none where there is neither."""
    known = registered.everything() if wanted else ()
    return [each for each in known if f"{each.qualified_name} ".startswith(f"{wanted} ")]


def words_of(table: Table) -> list[str]:
    """The words of the game that there is help about, terms as the table calls them (N1)."""
    own = table.settings.words
    replaced = {word.casefold() for term in own for word in standard_words(term)}
    helped = [word.one for word in own.values() if _word(as_standard(table, word.one).casefold())]
    return [*helped, *(word for word in words() if word not in replaced)]


def missing_card(known: Sequence[str], typed: str) -> Card:
    """Return a card that says there is no such topic, the nearest known ones, and a menu of all."""
    instead = spoken(_instead(known, typed))
    line = say("There's no help on {wanted}. {instead}", wanted=shorten(typed), instead=instead)
    return Card((line,), private=True, tone=Tone.CALM, menus=(topics(),))


def about_card(host: Host, ways: tuple[tuple[Button, ...], ...] = ()) -> Card:
    """What this bot is, whose, and the ways to get it, to the caller alone."""
    lines = (say(line) for line in ABOUT)
    commit = home.commit()
    title = say("Doomkeeper {version} (commit {commit})", version=VERSION, commit=commit)
    title = heading(title if commit else say("Doomkeeper {version}", version=VERSION))
    said = (title, *lines, *about_lines(host))
    return Card(said, ways, private=True, tone=Tone.CALM)


def _word(wanted: str) -> tuple[str, int] | None:
    """The section that a word is about: also in the plural."""
    ones = (wanted, wanted.removesuffix("s"), f"{wanted.removesuffix('ies')}y", wanted.removesuffix("es"))
    return next((words()[one] for one in ones if one in words()), None)


def _instead(known: Sequence[str], typed: str) -> Phrase:
    """The few nearest things that there is help about."""
    near = alike(typed, known)
    if not near:
        return Words("Try a command or a word of the game. Example: /help topic:hitches")
    return Words("{did_you_mean} Example: /help topic:{first}", did_you_mean=DidYouMean(near), first=near[0])


def _options(one: Command[Any, ..., Any]) -> Iterator[Text]:
    """What each option of a command is for."""
    for option in one.parameters:
        said = say(str(option.description))
        if not option.required and "default" not in str(option.description).casefold():
            said = say("{hint} (optional)", hint=said)
        yield say("{option}: {hint}", option=strong(option.display_name), hint=said)


def _line(one: Command[Any, ..., Any], known: Numbers) -> Text:
    name = one.qualified_name
    return say("{command}: {what}", command=command(name, known[name]), what=say(one.description))
