"""`/help`, `/about`, `/privacy` and `/setup`."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import discord
from discord import Interaction, app_commands
from discord.app_commands import Choice, Command
from discord.ext import commands

from bot import VERSION, paths
from bot.client.access import (
    alone,
    everywhere,
    for_people,
    install_rows,
    lacking_rights,
    on_servers,
    owner,
    server_row,
)
from bot.client.layout import paged
from bot.client.messages import chosen_values, reply, told_by, update
from bot.client.registry import CommandRegistry
from bot.client.request import asked, game_of_command
from bot.client.servers import greet
from bot.clock import Clock
from bot.cogs.base import Group, on_press
from bot.cogs.options import MOST, TextList, suggest
from bot.guide import TOPICS, SectionRef, pages, search, words
from bot.language import later, say
from bot.language.line import Text, code, command, heading, small, strong
from bot.services.jobs import Keeper, gone, gone_key
from bot.services.play import Play
from bot.services.privacy import Privacy
from bot.store.ledger import Ledger
from bot.store.pending import Notes
from bot.store.places import TableLine
from bot.views.card import Button, Card, Tone
from bot.views.game import SHOWN
from bot.views.help import (
    FURTHER,
    RIGHTS,
    VERB,
    WRITING,
    Numbers,
    closed_line,
    copy_lines,
    first_card,
    greeting_card,
    is_about,
    late_lines,
    next_steps,
    own_card,
    pages_for,
    place_buttons,
    sections_for,
    setup_lines,
    situation,
    table_words,
    topic_card,
    topics,
)
from bot.views.privacy import Host, about_lines
from bot.views.question import STALE, Pressed, whole_number
from rules.custom_terms import as_standard, standard_words
from rules.errors import TooLate
from rules.names import alike, get_named
from rules.table import Table
from rules.text import shorten
from rules.values import replace

SHEET = "sheet"
"""The keyword of the section on character sheets."""
MOST_BESIDE = 2
"""At most this many other sections are offered next to the answer to a question."""
MOST_NEAR = 3
"""This many sections are suggested if none answers what was typed."""
ABOUT = (
    later("This is a bot for playing Cortex and One-Roll Engine games together."),
    later(
        "The bot is unofficial and not affiliated with the publishers of these games. It doesn't quote "
        "any rules, so you need your game's rulebook. Cortex is a trademark of Dire Wolf Digital, LLC."
    ),
    later(
        "The bot stores only what people type at their table, their Discord ids and the names they go "
        "by. /privacy show shows your data; /privacy delete deletes it."
    ),
    later("The bot is free software under the MIT licence. Start with /help."),
)


class Help(Group):
    """The commands `/help` and `/about`, and the greeting on new servers."""

    def __init__(
        self, play: Play, registered: CommandRegistry, host: Host, notes: Notes, clock: Clock
    ) -> None:
        super().__init__(play)
        self._clock = clock
        self.notes = notes
        self.registered, self.host = registered, host

    @alone
    @app_commands.command(description="Show what to do next, or help on any topic")
    @everywhere
    @app_commands.describe(topic="A question, a game term or a command, such as how do I heal")
    async def help(self, interaction: Interaction, topic: TextList = "") -> None:
        """Show what to do next, or help on a topic."""
        await reply(interaction, *await self._help(interaction, topic))

    @help.autocomplete("topic")
    async def topics(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        """Suggest keywords and commands that match what is typed so far, then headings that answer it."""
        table = await self.play.look(asked(interaction))
        among = pages_for(table)
        known = suggest(typed, [*words_of(table, among), *_commands(self.registered, among)])
        seen = {each.value for each in known}
        matches = search.find(_as_guide(table, typed), among)
        found = (place.section.title for place in matches if is_about(table, place))
        return [*known, *suggest("", [each for each in found if each not in seen])][:MOST]

    @alone
    @app_commands.command(description="About this bot: version, licence, privacy and links")
    @everywhere
    async def about(self, interaction: Interaction) -> None:
        """Show version, disclaimer, privacy, and who hosts the bot."""
        await reply(interaction, about_card(self.host, install_rows(interaction)))

    @on_press("help", ".{0,40}")
    async def press_help(self, interaction: Interaction, press: Pressed) -> None:
        """Turn a page of help."""
        table = await self.play.look(asked(interaction, press.campaign))
        await update(
            interaction, command_card(self.registered, table, press.subject, press.number), press.campaign
        )

    @on_press(VERB, "[a-z-]{0,20}")
    async def press_topic(self, interaction: Interaction, press: Pressed) -> None:
        """Show a section of the guide in place, from a menu or its button."""
        table = await self.play.look(asked(interaction, press.campaign))
        await update(
            interaction, self._here(interaction, self._topic(interaction, press, table)), press.campaign
        )

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server that the bot joins; if it comes back, say what was deleted meanwhile."""
        lost = await gone(self.notes, guild.id)
        card = greeting_card(self.registered.full(), lost)
        await greet(self.notes, guild, card, gone_key(guild.id), self._clock.now())

    async def _help(self, interaction: Interaction, topic: str) -> tuple[Card, int]:
        """Return the card on a topic or on what to do next, and the campaign in this channel."""
        campaign, table = await self.play.see(asked(interaction))
        typed = topic.strip().removeprefix("/")
        is_command = self._has(table, typed.casefold())
        if typed and (is_command or not search.is_general(_as_guide(table, typed))):
            return self._here(interaction, self._about(table, typed)), campaign
        if owner(interaction):
            return own_card(self.registered.full(), server_row(interaction)), campaign
        actor = asked(interaction).actor
        where = situation(table, actor, outside=asked(interaction).is_outside(table))
        steps = next_steps(table, actor, where)
        return first_card(table, actor, self.registered.full(), where, steps), campaign

    def _topic(self, interaction: Interaction, press: Pressed, table: Table) -> Card:
        """Return the section that was chosen in a menu, or that a button names."""
        name, _, number = "".join(chosen_values(interaction)).partition(".")
        place = _place(name, whole_number(number)) if name else _place(press.subject, press.number)
        return topic_card(place, table, self.registered.full())

    def _about(self, table: Table, typed: str) -> Card:
        """Return the card for a keyword or heading, for a command, or for a question, tried in that order.

        The full name of a command in a group, such as `doom add`, shows that command before any keyword.
        """
        known, among = self.registered.full(), pages_for(table)
        wanted = as_standard(table, typed).casefold()
        group = wanted if self._has(table, wanted) else ""
        question = _as_guide(table, typed)
        place = None if " " in wanted and group else _word(table.game, question.casefold())
        if place is not None:
            return topic_card(place, table, known, group=group)
        if group:
            return command_card(self.registered, table, wanted)
        is_character = get_named(table.characters, typed) is not None
        asked_for = [
            place for word in search.keywords(question) if (place := _word(table.game, word)) is not None
        ]
        if is_character or asked_for:
            return topic_card(words(table.game)[SHEET] if is_character else asked_for[0], table, known)
        matches = search.find(question, pages())
        found = [each for each in matches if is_about(table, each)] or ([] if table.game else matches)
        if any(_word("", word) for word in search.keywords(question)):
            found = []  # it asks about another game
        if found:
            return topic_card(found[0], table, known, found[1 : 1 + MOST_BESIDE])
        alike_words = alike(wanted, words_of(table, among))
        near = [
            place for word in alike_words if (place := _word(table.game, _as_guide(table, word).casefold()))
        ]
        near += [each for each in search.similar(question, among) if is_about(table, each)]
        first = [sections_for(table, name)[0] for name in among]
        offered = list(dict.fromkeys((*near, *first)))[:MOST_NEAR]
        return missing_card(table, typed, offered, is_near=bool(near))

    def _has(self, table: Table, wanted: str) -> bool:
        """Whether there is such a command, or group of commands, which the table's game doesn't rule out."""
        found = commands_of(self.registered, wanted)
        return any(not table.game or game_of_command(each) in ("", table.game) for each in found)

    def _here(self, interaction: Interaction, card: Card) -> Card:
        """Return the card, with a line of the commands that work if the bot is not on the server."""
        if not owner(interaction):
            return card
        commands = " ".join(f"/{name}" for name in sorted(for_people(interaction)))
        line = small(
            say(
                "Without the bot on the server, only these commands work: {commands}.",
                commands=commands,
            )
        )
        return replace(card, lines=(*card.lines, line))


def command_card(registered: CommandRegistry, table: Table, wanted: str, page: int = 0) -> Card:
    """Return a card on one command, or on the commands of a group. Raises TooLate if neither exists."""
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
        lines.append(small(say("For more about a command: {example}", example=example)))
    card = Card(tuple(lines), private=True, tone=Tone.CALM, menus=(topics(table),))
    # A button's id has 100 characters, and what it turns to is among them.
    return paged(card, page, Button("", "help", subject=wanted[:40]))


def commands_of(registered: CommandRegistry, wanted: str) -> list[Command[Any, ..., Any]]:
    """Return the command of that name, or the commands of that group; empty if neither exists."""
    known = registered.everything() if wanted else ()
    return [each for each in known if f"{each.qualified_name} ".startswith(f"{wanted} ")]


def words_of(table: Table, among: Collection[str]) -> list[str]:
    """Return the keywords that lead to these pages, with the table's terms (N1) and the names in play."""
    own = table.settings.words
    replaced = {word.casefold() for term in own for word in standard_words(term)}
    helped = [word.one for word in own.values() if _word(table.game, as_standard(table, word.one).casefold())]
    names = [name for each in SHOWN.at(table).helped for name in each(table)]
    known = (
        word for word, place in words(table.game).items() if is_about(table, place) and word not in replaced
    )
    return [*helped, *names, *known]


def missing_card(table: Table, typed: str, offered: Sequence[SectionRef], *, is_near: bool) -> Card:
    """Return a card that says there is no such topic, with sections to choose from and a menu of all topics.

    `is_near` says that the sections are like what was typed.
    """
    line = say("There's no help on {wanted}. Choose a topic.", wanted=shorten(typed))
    if is_near:
        line = say("There's no help on {wanted}. Did you mean one of these topics?", wanted=shorten(typed))
    rows = (place_buttons(offered),)
    return Card((line,), rows, private=True, tone=Tone.CALM, menus=(topics(table),), are_buttons_first=True)


def about_card(host: Host, ways: tuple[tuple[Button, ...], ...] = ()) -> Card:
    """Return a private card about the bot, its host, and the ways to install it."""
    lines = (say(line) for line in ABOUT)
    commit = paths.commit()
    title = say("Doomkeeper {version} (commit {commit})", version=VERSION, commit=commit)
    title = heading(title if commit else say("Doomkeeper {version}", version=VERSION))
    said = (title, *lines, *about_lines(host))
    return Card(said, ways, private=True, tone=Tone.CALM)


def _word(game: str, wanted: str) -> SectionRef | None:
    """Return the section for a keyword, singular or plural; with a game, none of another game."""
    ones = (wanted, wanted.removesuffix("s"), f"{wanted.removesuffix('ies')}y", wanted.removesuffix("es"))
    known = words(game)
    return next((known[one] for one in ones if one in known), None)


def _as_guide(table: Table, typed: str) -> str:
    """Replace the table's terms and the names in play with the guide's words: `fear` with `stress`."""
    question = as_standard(table, typed)
    for name, word in (pair for each in SHOWN.at(table).helped for pair in each(table).items()):
        question = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", word, question, flags=re.IGNORECASE)
    return question


def _commands(registered: CommandRegistry, among: Collection[str]) -> list[str]:
    """Return the names of all commands except those of games that these pages don't cover."""
    covered = {TOPICS[page] for page in among}
    games = {each.qualified_name: game_of_command(each) for each in registered.everything()}
    return [name for name, game in games.items() if game in covered]


def _place(name: str, number: int) -> SectionRef:
    """Return the reference to a section. Raises TooLate if this version doesn't have it."""
    page = pages().get(name)
    if page is None or number >= len(page.sections):
        raise TooLate(STALE)
    return SectionRef(name, number)


def _options(one: Command[Any, ..., Any]) -> Iterator[Text]:
    """Yield a line for each option of a command, with its description."""
    for option in one.parameters:
        said = say(str(option.description))
        if not option.required and "default" not in str(option.description).casefold():
            said = say("{hint} (optional)", hint=said)
        yield say("{option}: {hint}", option=strong(option.display_name), hint=said)


def _line(one: Command[Any, ..., Any], known: Numbers) -> Text:
    name = one.qualified_name
    return say("{command}: {what}", command=command(name, known[name]), what=say(one.description))


@everywhere
class OwnData(Group, commands.GroupCog, name="privacy", description="What the bot stores about you"):
    """Commands to show, export and delete the caller's data, all private."""

    def __init__(self, play: Play, privacy: Privacy) -> None:
        super().__init__(play)
        self.privacy = privacy

    @alone
    @app_commands.command(name="show", description="Show what the bot stores about you")
    async def show_kept(self, interaction: Interaction) -> None:
        """Describe what is stored about the caller."""
        await reply(interaction, await self.privacy.show(asked(interaction)))

    @alone
    @app_commands.command(description="Export what the bot stores about you as a file")
    async def export(self, interaction: Interaction) -> None:
        """Send what is stored about the caller as a file."""
        await reply(interaction, await self.privacy.export(asked(interaction)))

    @alone
    @app_commands.command(description="Permanently delete what the bot stores about you")
    async def delete(self, interaction: Interaction) -> None:
        """Ask whether to delete everything, which cannot be undone."""
        await reply(interaction, await self.privacy.ask(asked(interaction)))

    @on_press("forgetme")
    async def press_delete(self, interaction: Interaction, press: Pressed) -> None:
        """Start the deletion; the answer is edited once it is done."""
        # Answered before it begins: what comes of it edits that answer.
        await reply(interaction, await self.privacy.delete(asked(interaction), told_by(interaction)))
        await self.privacy.begin(asked(interaction))


class Setup(Group):
    """Commands for people who manage the server: missing permissions, and its tables."""

    def __init__(self, play: Play, keeper: Keeper, ledger: Ledger) -> None:
        super().__init__(play)
        self.keeper, self.ledger = keeper, ledger

    @alone
    @app_commands.command(description="Check the bot's permissions, and list the server's tables")
    # The only command that needs a Discord permission. For all others, the campaign says who may use them.
    @app_commands.default_permissions(manage_guild=True)
    @on_servers
    async def setup(self, interaction: Interaction) -> None:
        """Show permissions and tables privately."""
        await reply(interaction, await self._setup(interaction))

    @on_press("setup")
    async def press_setup(self, interaction: Interaction, press: Pressed) -> None:
        """Turn a page of the list of tables."""
        await update(interaction, await self._setup(interaction, press.number), 0)

    async def _setup(self, interaction: Interaction[Any], page: int = 0) -> Card:
        tables: list[Text] = []
        for each in await self.play.tables(asked(interaction)):
            name, is_archived = each.campaign.name, each.campaign.archived
            tables.append(table_words(name, each.gms, each.channels, archived=is_archived))
            if interaction.guild is not None and not is_archived:
                tables += await self._closed_lines(interaction.guild, each)
        missing = [right for right in (*RIGHTS, *FURTHER) if not getattr(interaction.app_permissions, right)]
        failing = await self.keeper.copies() if _hosts(interaction) else None
        late = interaction.client.late_shards if _hosts(interaction) else {}
        warnings = [*(copy_lines(failing) if failing else ()), *late_lines(late)]
        lines = [*warnings, *setup_lines(missing, tables)]
        card = Card(tuple(lines), private=True, tone=Tone.CALM)
        return paged(card, page, Button("", "setup"))

    async def _closed_lines(self, guild: discord.Guild, table: TableLine) -> list[Text]:
        """A line for each channel or thread of a table in which the bot lacks something.

        The log needs little, and so does a thread where the bot only posts the next notice, or plays a scene.
        """
        campaign = table.campaign.id
        log, scene = await self.ledger.step_logs.of(campaign), await self.ledger.scene_threads.of(campaign)
        written = [
            *([log.place] if log else []),
            *([scene.thread] if scene else []),
            *(one.channel for one in (await self.ledger.shown.of(campaign))[-1:]),
        ]
        pinned = [pin.channel for pin in await self.ledger.pins.of(campaign)]
        needed = dict.fromkeys(written, WRITING) | dict.fromkeys([*table.channels, *pinned], RIGHTS)
        found = {place: await lacking_rights(guild, place, rights) for place, rights in needed.items()}
        return [closed_line(place, missing) for place, missing in found.items() if missing != []]


def _hosts(interaction: Interaction) -> bool:
    """Return whether the application is the person's own, or their team's."""
    told = interaction.client.application
    if told is None:
        return False
    hosts = [*(told.team.members if told.team else ()), told.owner]
    return interaction.user.id in {each.id for each in hosts}
