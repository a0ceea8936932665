"""Cards of `/help` and `/setup`, and the buttons for the next steps."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from bot.guide import TOPICS, Section, SectionRef, pages
from bot.language import later, say, say_of
from bot.language.line import (
    BREAK,
    Line,
    Text,
    TimeStyle,
    channel,
    code,
    command,
    heading,
    joined,
    moment,
    person,
    small,
    strong,
    together,
)
from bot.language.said import said
from bot.store.backups import CopyState
from bot.views.card import Button, Card, Menu, Option, Tone, led
from bot.views.game import SHOWN
from bot.views.question import join_button
from bot.views.session import next_stretch
from bot.views.table import stage_lines, time_lines
from bot.views.waiting import people, waiting
from rules.campaign.seats import Actor, is_game_master, is_gm
from rules.game import played_at
from rules.table import Table
from rules.text import AND, COMMA, Phrase, Row, Words
from rules.values import exhaustive, replace

Numbers = Mapping[str, int]
"""Discord's id of every command by its full name; 0 while Discord has told none."""
VERB = "guide"
"""The verb of menus and buttons that show a section of the guide."""
MOST_IN_PLAY = 4
"""At most this many things in play are named, not counting the caller's character."""
_INLINE = re.compile(r"\*\*([^*]+)\*\*|`([^`]+)`|\[([^\[\]]+)\]\([^()]+\)")
_COMMAND = re.compile(r"/([a-z]+(?: [a-z]+)?)")


class Situation(Enum):
    """The situation of a person who asks for help."""

    OUTSIDE = "outside"
    """The channel has no campaign."""
    ARCHIVED = "archived"
    WAITED_FOR = "waited for"
    """Something waits for this person, a player or the GM."""
    WITHOUT_CHARACTER = "without character"
    WITHOUT_SHEET = "without sheet"
    PLAYING = "playing"
    WITHOUT_SESSION = "without session"
    """The GM, while no session is running. The situations below are the GM's, too."""
    WITHOUT_SCENE = "without scene"
    WITHOUT_PLAYERS = "without players"
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class _Next:
    """The heading and the lines that say what to do next."""

    title: str
    lines: tuple[str, ...]


_NEXT: Mapping[Situation, _Next] = exhaustive(
    Situation,
    {
        Situation.OUTSIDE: _Next(
            later("Next: roll, or start a campaign"),
            (
                later("`/roll dice:2d6 d8 vs:11` rolls at once."),
                later("`/campaign new` starts a campaign with sheets and {scene.many}. You're its {gm.one}."),
                later("`/ore roll` rolls One-Roll dice."),
            ),
        ),
        Situation.ARCHIVED: _Next(
            later("Next: bring the campaign back"),
            (later("This campaign is archived. Its {gm.one} can bring it back."),),
        ),
        Situation.WAITED_FOR: _Next(
            later("Next: see what's waiting for you"),
            (later("**What's waiting** shows each thing, with a link to its roll."),),
        ),
        Situation.WITHOUT_CHARACTER: _Next(
            later("Next: take a character"),
            (later("Press **Join**."),),
        ),
        Situation.WITHOUT_SHEET: _Next(
            later("Next: fill in your sheet"), (later("`/character edit` opens your sheet as text."),)
        ),
        Situation.PLAYING: _Next(
            later("Next: roll"),
            (later("Press **Roll**."),),
        ),
        Situation.WITHOUT_SESSION: _Next(
            later("Next: start the {session.one}"),
            (later("`/session start` starts the {session.one}."),),
        ),
        Situation.WITHOUT_SCENE: _Next(
            later("Next: start {scene.a}"), (later("`/scene start` sets the stage."),)
        ),
        Situation.WITHOUT_PLAYERS: _Next(
            later("Next: invite the players"),
            (later("`/table pin` pins the table with a **Join** button."),),
        ),
        Situation.RUNNING: _Next(
            later("Next: call for a roll"),
            (later("When something is uncertain, ask for a roll."),),
        ),
    },
)


def situation(table: Table, actor: Actor, *, outside: bool) -> Situation:
    """Return the situation of a person; `outside` says that the channel has no campaign."""
    if outside or table.archived:
        return Situation.OUTSIDE if outside else Situation.ARCHIVED
    if any(actor.id in people(table, each) for each in waiting(table)):
        return Situation.WAITED_FOR
    if not is_game_master(table, actor):
        own = table.played_by(actor.id)
        if own is None:
            return Situation.WITHOUT_CHARACTER
        return (
            Situation.PLAYING
            if any(has(own) for has in SHOWN.at(table).has_sheet)
            else Situation.WITHOUT_SHEET
        )
    if not table.is_session:
        return Situation.WITHOUT_SESSION
    if not table.is_scene:
        return Situation.WITHOUT_SCENE
    is_played = any(each.player for each in table.characters.values())
    return Situation.RUNNING if is_played else Situation.WITHOUT_PLAYERS


def first_card(
    table: Table, actor: Actor, numbers: Numbers, where: Situation, steps: tuple[Button, ...]
) -> Card:
    """Return the card of `/help` alone: what to do next, what is in play, and `steps` as buttons."""
    told = _NEXT[where]
    own = SHOWN.at(table).help_lines.get(where.value, told.lines)
    lines = [inline(say(line), numbers) for line in own]
    if where is Situation.RUNNING:
        lines += [inline(line, numbers) for more in SHOWN.at(table).next_for_gm for line in more(table)]
    if where not in (Situation.OUTSIDE, Situation.ARCHIVED):
        lines += _in_play(table, actor)
        if table.is_open and actor.id:
            lines.append(inline(say("`/campaign gm` makes you the {gm.one}."), numbers))
    last = small(say("Ask anything: {example}", example=code("/help topic:how do I heal")))
    rows = (steps,) if steps else ()
    return Card(
        (heading(say(told.title)), *lines, last),
        rows,
        private=True,
        tone=Tone.CALM,
        menus=(topics(table),),
        are_buttons_first=True,
    )


def _in_play(table: Table, actor: Actor) -> list[Text]:
    """Return one line with what is in play and the caller's character; empty if there is nothing."""
    own = table.played_by(actor.id)
    mine = [begins(own, None) for begins in SHOWN.at(table).begins] if own else []
    mine += [part for parts in SHOWN.at(table).parts for part in parts(table, own, None)] if own else []
    found = [*[*time_lines(table), *stage_lines(table)][:MOST_IN_PLAY], *mine]
    return [say("In play: {what}", what=joined(". ", found))] if found else []


def own_card(numbers: Numbers, ways: tuple[tuple[Button, ...], ...]) -> Card:
    """Return the card of `/help` without the bot on the server; `ways` are buttons that install it."""
    lines = (
        say("`/roll dice:2d6 d8 vs:11` rolls at once; `/ore roll` rolls One-Roll dice."),
        say("`/odds` shows a pool's chances. `/pool save` saves a pool under a name."),
        say("Long press a message with dice in it, then choose **Roll this**."),
        say("`/privacy show` shows what the bot stores about you: your last pools and your saved pools."),
        say("For sheets, {doom_pool.short}, {scene.many} and undo, add the bot to the server."),
    )
    told = (heading(say("Next: roll")), *(inline(line, numbers) for line in lines))
    return Card(told, ways, private=True, tone=Tone.CALM, menus=(topics(Table()),))


def greeting_card(numbers: Numbers, gone: tuple[int, int] | None = None) -> Card:
    """Return the greeting for a server; `gone` is how many of its tables were deleted, and when."""
    lines = (
        *(_gone(*gone) if gone else ()),
        say("Roll at once, in any channel: `/roll dice:2d6 d8 vs:11`"),
        say("`/campaign new` starts a campaign with sheets and {scene.many}. You're its {gm.one}."),
        say("`/help` shows what comes next. If you manage this server, see `/setup`."),
    )
    title = heading(say("Doomkeeper is here"))
    return Card((title, *(inline(line, numbers) for line in lines)), tone=Tone.CALM)


def _gone(count: int, at: int) -> tuple[Text, ...]:
    line = say_of(
        count,
        "On {day}, while the bot was away, {count} table on this server was deleted for good.",
        "On {day}, while the bot was away, {count} tables on this server were deleted for good.",
        day=moment(at, TimeStyle.DAY),
    )
    return line, say(
        "If you have a table's file from `/campaign export`, `/campaign import` brings that table back."
    )


def topic_card(
    place: SectionRef, table: Table, numbers: Numbers, also: Sequence[SectionRef] = (), group: str = ""
) -> Card:
    """Return a section of the guide with menus of its page and of all topics.

    Other sections that the question may mean are `also` offered as buttons. `group` is the command, or the
    group of commands, that a button lists in full: by default the one of the section's example.
    """
    section = place.section
    named = command_of(_example(section), numbers)
    whole = group or (named or "").partition(" ")[0]
    is_group = any(name.startswith(f"{whole} ") for name in numbers)
    label = say("All /{group} commands", group=whole) if is_group else say("Options of /{group}", group=whole)
    more = [Button(label, "help", subject=whole)] if whole else []
    lines = (heading(say(section.title)), *_section(section, numbers))
    others = tuple(
        replace(each, label=say("Also: {title}", title=each.label)) for each in place_buttons(also)
    )
    rows = tuple(row for row in (others, tuple(more)) if row)
    menus = (_sections(table, place), topics(table, place.page))
    return Card(lines, rows, private=True, tone=Tone.CALM, menus=menus, are_buttons_first=True)


def place_buttons(places: Sequence[SectionRef]) -> tuple[Button, ...]:
    """Return a button for each section that shows it."""
    return tuple(Button(say(each.section.title), VERB, each.number, each.page) for each in places)


def _sections(table: Table, place: SectionRef) -> Menu:
    """Return a menu of the page's sections about the table's game, with this one selected."""
    options = tuple(
        Option(say(each.section.title), f"{place.page}.{each.number}")
        for each in sections_for(table, place.page) or every_section(place.page)
    )
    return Menu(say("On this page"), VERB, "sections", options, (f"{place.page}.{place.number}",))


def topics(table: Table, chosen: str = "") -> Menu:
    """Return a menu of the pages about the table's game, with the page `chosen` selected."""
    firsts = {name: sections_for(table, name)[0].number for name in pages_for(table)}
    options = tuple(
        Option(say(pages()[name].title), f"{name}.{first}", say(pages()[name].about))
        for name, first in firsts.items()
    )
    return Menu(say("Topics"), VERB, "", options, (f"{chosen}.{firsts.get(chosen, 0)}",))


def pages_for(table: Table) -> list[str]:
    """Return the names of the pages about the games that the table plays."""
    return [name for name in TOPICS if sections_for(table, name)]


def sections_for(table: Table, page: str) -> list[SectionRef]:
    """Return the sections of a page that are about the games that the table plays."""
    games = _games(table)
    return [each for each in every_section(page) if each.game in games]


def every_section(page: str) -> list[SectionRef]:
    """Return the sections of a page, whatever they are about."""
    return [SectionRef(page, number) for number in range(len(pages()[page].sections))]


def is_about(table: Table, place: SectionRef) -> bool:
    """Return whether a section is about a game that the table plays."""
    return place.game in _games(table)


def _games(table: Table) -> Collection[str]:
    """The games that the guide's sections may be about, and no game; all games where no table is yet."""
    if table.game:
        return ("", table.game)
    played = {name for each in table.characters.values() for name in each.games}
    if not played and not table.name:
        return ("", *TOPICS.values())
    return ("", *(played or {played_at(table)[0].part.name}))


def inline(text: Text, numbers: Numbers) -> Text:
    """Turn the Markdown in a sentence into spans; a code span that is a command can be pressed."""
    return together(*(_inline(part, numbers) for part in _parts(said(text))))


def _parts(of: Text) -> Iterator[Text | re.Match[str]]:
    """Yield plain text, spans that are there, and matches of Markdown, in order."""
    for part in (of,) if isinstance(of, str) else of.parts:
        if not isinstance(part, str):
            yield Line((part,))
            continue
        at = 0
        for found in _INLINE.finditer(part):
            yield part[at : found.start()]
            yield found
            at = found.end()
        yield part[at:]


def _inline(of: Text | re.Match[str], numbers: Numbers) -> Text:
    if not isinstance(of, re.Match):
        return of
    if of[1]:
        return strong(of[1])
    if of[3]:
        return of[3]
    name = of[2].removeprefix("/")
    is_command = of[2].startswith("/") and name in numbers
    return command(name, numbers[name]) if is_command else code(of[2])


def _section(section: Section, numbers: Numbers) -> Iterator[Text]:
    """Yield the lines of a section, one example, and the example's command if no line names it."""
    yield from (inline(say(line.removeprefix("- ")), numbers) for line in section.lines)
    yield say("Example: {example}", example=code(_example(section)))
    name = command_of(_example(section), numbers)
    if name and not any(f"`/{name}`" in line for line in section.lines):
        yield command(name, numbers[name])


def _example(section: Section) -> str:
    """Return the last typed line of a section, without the name of the person who types it."""
    return section.typed[-1].partition(": ")[2]


def command_of(line: str, known: Numbers) -> str | None:
    """Return the full name of the command that a line types, or None."""
    found = _COMMAND.match(line)
    names = [found[1], found[1].split()[0]] if found else []
    return next((name for name in names if name in known), None)


MOST = 3
"""At most this many buttons are offered."""


def next_steps(table: Table, actor: Actor, where: Situation) -> tuple[Button, ...]:
    """Return at most three buttons, the likeliest first and in colour; what waits for the person leads."""
    rows = led(_steps(table, actor, where)[:MOST])
    return rows[0] if rows else ()


def wake_button() -> Button:
    """Return the button that brings back the archived campaign of a channel."""
    return Button(say("Bring it back"), "wake")


def _steps(table: Table, actor: Actor, where: Situation) -> Sequence[Button]:
    rolls = [button for each in SHOWN.at(table).offers for button in each.rolls(table)]
    show = Button(say("Show the table"), "view", subject="table")
    match where:
        case Situation.OUTSIDE:
            return [*rolls, Button(say("Start a campaign"), "begin")]
        case Situation.ARCHIVED:
            return [wake_button(), show] if is_gm(table, actor) else [show]
        case Situation.WAITED_FOR:
            return [Button(say("What's waiting"), "view", subject="waiting"), *rolls, show]
        case Situation.WITHOUT_CHARACTER:
            return [join_button(), *rolls, show]
        case Situation.WITHOUT_SHEET:
            return [*_edit(table, actor), *rolls, show]
        case Situation.PLAYING:
            return [*rolls, Button(say("My sheet"), "mine"), show]
        case Situation.WITHOUT_PLAYERS:
            return [Button(say("Pin"), "pin"), *next_stretch(table)]
        case Situation.WITHOUT_SESSION:
            settings = Button(say("Settings"), "view", subject="campaign")
            start = Button(say("Start {session.one}"), "startsession")
            return [start, Button(say("Pin"), "pin"), settings]
        case Situation.WITHOUT_SCENE | Situation.RUNNING:
            return [*next_stretch(table), show]
        case _:
            assert_never(where)


def _edit(table: Table, actor: Actor) -> Sequence[Button]:
    """Return the button that edits the caller's sheet, if there is one."""
    own = table.played_by(actor.id)
    below = (
        [button for each in SHOWN.at(table).offers for button in each.sheet(table, own, actor)] if own else []
    )
    return [replace(each, label=say("Edit my sheet")) for each in below[:1]]


RIGHTS: Mapping[str, tuple[str, str]] = {
    "view_channel": (later("View Channel"), later("the pinned table, and rolls that stay up to date")),
    "send_messages": (later("Send Messages"), later("the pinned table, X-card and open door")),
    "send_messages_in_threads": (later("Send Messages in Threads"), later("the pinned table in a thread")),
    "embed_links": (later("Embed Links"), later("links and pictures in messages")),
    "attach_files": (later("Attach Files"), later("charts, and tables and characters as files")),
    "read_message_history": (
        later("Read Message History"),
        later("finding pinned tables and reminders again"),
    ),
    "pin_messages": (later("Pin Messages"), later("pinning the table")),
}
"""The rights that the bot asks for, as Discord calls them, and what each is for."""
WRITING = ("view_channel", "send_messages", "send_messages_in_threads")
"""The rights that the log of a table needs in its channel."""
FURTHER: Mapping[str, tuple[str, str]] = {
    "create_public_threads": (later("Create Public Threads"), later("{scene.many} in separate threads")),
    "create_events": (later("Create Events"), later("the next {session.one} in the server's calendar")),
    "manage_webhooks": (later("Manage Webhooks"), later("speaking under a character's name with /say")),
}
"""Rights that a server need not give; what each is for works without it as far as it can."""
MANY = 10
"""So many channels of a table are named."""


def right_names(rights: Iterable[str]) -> Phrase:
    """Return permissions in Discord's words: `View Channel and Send Messages`."""
    return Row([right_name(right) for right in rights], AND, AND)


def right_name(right: str) -> Phrase:
    """Return a permission in Discord's words."""
    return Words({**RIGHTS, **FURTHER}[right][0])


def rights_lines(missing: Collection[str]) -> list[Text]:
    """Return which permissions are missing in a channel and what they are for; optional ones are separate."""
    further = [
        small(say("{right} is missing (optional): {what}", right=say(name), what=say(what)))
        for right, (name, what) in FURTHER.items()
        if right in missing
    ]
    return [*_needed_lines(missing), *further]


def _needed_lines(missing: Collection[str]) -> list[Text]:
    lines = [heading(say("Permissions in this channel"))]
    if not RIGHTS.keys() & set(missing):
        return [*lines, say("The bot has all {count} permissions it needs.", count=len(RIGHTS))]
    there = [say(name) for right, (name, _) in RIGHTS.items() if right not in missing]
    lines += [
        say("{right} is missing: {what}", right=strong(say(name)), what=say(what))
        for right, (name, what) in RIGHTS.items()
        if right in missing
    ]
    return (
        [*lines, small(say("The bot has these permissions: {rights}", rights=Row(there, COMMA)))]
        if there
        else lines
    )


def table_words(name: str, gms: Sequence[int], channels: Sequence[int], *, archived: bool) -> Text:
    """Return a table of the server in a line: who is GM, and where it is played."""
    who = joined(", ", map(person, gms)) or say("nobody (open to everyone)")
    where = joined(", ", map(channel, channels[:MANY])) or say("in no channel")
    if len(channels) > MANY:
        where = say("{channels} and {count} more", channels=where, count=len(channels) - MANY)
    state = say("{table} (archived)", table=name) if archived else name
    return say("{table}: {gm.one} {who}; {where}", table=strong(state), who=who, where=where)


def unheard_lines(table: Table, called: Collection[int], who: int) -> list[Text]:
    """Return why somebody gets a notice by direct message, whom else it is for, and what a GM can do."""
    lines = [
        say("The bot can't post in any channel of {table}.", table=strong(table.name or say("this table")))
    ]
    if who not in table.gms:
        return lines
    if others := [each for each in called if each != who]:
        lines.append(say("This is also for {people}.", people=joined(", ", map(person, others))))
    check = code(f"/campaign join name:{table.name or 'Unnamed'}")
    return [
        *lines,
        say(
            "Check its permissions with {setup}, or play in another channel: {example}",
            setup=code("/setup"),
            example=check,
        ),
    ]


def closed_line(place: int, missing: Collection[str] | None) -> Text:
    """Return which rights the bot lacks in a channel of a table; None stands for a channel that is closed."""
    if missing is None:
        return small(say("{channel} is gone, or a locked thread.", channel=channel(place)))
    return small(
        say("The bot lacks {rights} in {channel}.", rights=right_names(missing), channel=channel(place))
    )


def copy_lines(failing: CopyState) -> list[Text]:
    """Return the lines that warn the bot's host of a failing automatic backup."""
    last = (
        say("The last backup is from {at}.", at=moment(failing.made))
        if failing.made
        else say("There's no backup yet.")
    )
    said = say("The automatic backup is failing; the bot's log says why. {last}", last=last)
    return [strong(said), BREAK]


def late_lines(late: Mapping[int, float]) -> list[Text]:
    """Return the lines that warn the bot's host of shards whose process is late by these seconds."""
    said = [
        say(
            "Shard {shard} is late: its process hasn't responded for {seconds} s.",
            shard=shard,
            seconds=int(seconds),
        )
        for shard, seconds in sorted(late.items())
    ]
    return [*map(strong, said), small(say("After 30 s, a spare process takes over.")), BREAK] if said else []


def setup_lines(missing: Collection[str], tables: Sequence[Text]) -> list[Text]:
    """Return permissions, tables, and how to hide the GM's commands."""
    begin = say("This server has no tables yet. To start one: {example}", example=code("/campaign new"))
    hide = say(
        "You can hide {gm.one} commands from other members in Server Settings > Integrations > this "
        "bot. Hiding commands doesn't change what people can do at a table."
    )
    title = strong(say("Tables of this server"))
    return [*rights_lines(missing), BREAK, title, *(tables or [begin]), BREAK, small(hide)]
