"""Help in words: the next step for whoever asks, and the topics of the guide."""

import re
from collections.abc import Iterator, Mapping, Sequence

from bot.guide import Page, Section, pages
from bot.language import say, say_of
from bot.language.line import Line, Text, TimeStyle, code, command, heading, moment, small, strong, together
from bot.language.said import said
from bot.render.at_table import shown
from bot.render.card import Button, Card, Menu, Option, Tone
from rules.seats import Actor, is_game_master
from rules.table import Character, Table

Numbers = Mapping[str, int]
"""Every command by its full name, with the number by which Discord knows it, or 0."""
VERB = "guide"
"""What a menu or a button does that shows a topic."""
_INLINE = re.compile(r"\*\*(.+?)\*\*|`(.+?)`|\[(.+?)\]\(.+?\)")
_COMMAND = re.compile(r"/([a-z]+(?: [a-z]+)?)")


def first_card(table: Table, actor: Actor, numbers: Numbers, *, outside: bool) -> Card:
    """What to do next, for whoever asks, at the table or outside one; all topics below."""
    title, *lines = _outside() if outside else _steps(table, actor)
    join = Button(say("Join"), "join")
    rows = ((join,),) if not outside and _needs_character(table, actor) else ()
    last = small(say("Any word or command: {example}", example=code("/help topic:hitch")))
    shown = (heading(title), *(inline(line, numbers) for line in lines), last)
    return Card(shown, rows, private=True, tone=Tone.CALM, menus=(topics(),))


def own_card(numbers: Numbers, ways: tuple[tuple[Button, ...], ...]) -> Card:
    """What there is where the bot is not on the server; below it the `ways` to there, and all topics."""
    lines = (
        say("`/roll dice:2d6 d8 vs:11` rolls at once, `/ore roll` rolls One-Roll dice."),
        say("`/odds` shows a pool's chances. `/pool save` saves a pool under a name."),
        say("Long press a message with dice in it: **Roll this**."),
        say("`/privacy show` shows what the bot stores about you: your last pools and your saved ones."),
        say("Sheets, {doom_pool.short}, {scene.many} and undo need the bot on the server."),
    )
    shown = (heading(say("Next: roll")), *(inline(line, numbers) for line in lines))
    return Card(shown, ways, private=True, tone=Tone.CALM, menus=(topics(),))


def greeting_card(numbers: Numbers, gone: tuple[int, int] | None = None) -> Card:
    """What the bot says when it comes to a server; where it comes back, how many tables are gone."""
    lines = (
        *(_gone(*gone) if gone else ()),
        say("Roll at once, in any channel: `/roll dice:2d6 d8 vs:11`"),
        say(
            "`/campaign new` starts a table with sheets, {doom_pool.short} and undo, and makes you its "
            "{gm.one}."
        ),
        say("`/help` shows what comes next. If you manage this server, see `/setup`."),
    )
    title = heading(say("Doomkeeper is here"))
    return Card((title, *(inline(line, numbers) for line in lines)), tone=Tone.CALM)


def _gone(count: int, at: int) -> tuple[Text, ...]:
    line = say_of(
        count,
        "While the bot was away, {count} table of this server was deleted for good, on {day}.",
        "While the bot was away, {count} tables of this server were deleted for good, on {day}.",
        day=moment(at, TimeStyle.DAY),
    )
    return line, say("With a file from `/campaign export`, `/campaign import` brings a table back.")


def topic_card(page: Page, place: int, numbers: Numbers, group: str = "") -> Card:
    """One section of a page, the others as buttons, all topics below.

    `group` is whose commands are offered in full; else it is that of the example.
    """
    section = page.sections[place]
    others = [
        Button(say(each.title), VERB, n, page.name) for n, each in enumerate(page.sections) if n != place
    ]
    named = command_of(_example(section), numbers)
    whole = group or (named or "").partition(" ")[0]
    more = [Button(say("All /{group} commands", group=whole), "help", subject=whole)] if whole else []
    lines = (heading(say(section.title)), *_section(section, numbers))
    rows = tuple(tuple(row) for row in (others, more) if row)
    return Card(lines, rows, private=True, tone=Tone.CALM, menus=(topics(page.name),))


def topics(chosen: str = "") -> Menu:
    """The menu of all topics."""
    options = tuple(Option(say(page.title), name, say(page.about)) for name, page in pages().items())
    return Menu(say("Topics"), VERB, "", options, (chosen,))


def inline(text: Text, numbers: Numbers) -> Text:
    """Markdown of ours inside a sentence as spans; a command by itself can be pressed."""
    return together(*(_inline(part, numbers) for part in _parts(said(text))))


def _parts(of: Text) -> Iterator[Text | re.Match[str]]:
    """Text, and what is marked in it; a span is marked already."""
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
    """What a section says, one example of it, and its command where nothing else names it."""
    yield from (inline(say(line.removeprefix("- ")), numbers) for line in section.lines)
    yield say("Example: {example}", example=code(_example(section)))
    name = command_of(_example(section), numbers)
    if name and not any(f"`/{name}`" in line for line in section.lines):
        yield command(name, numbers[name])


def _example(section: Section) -> str:
    """The last line that is typed in a section, without who types it."""
    return section.typed[-1].partition(": ")[2]


def command_of(line: str, known: Numbers) -> str | None:
    """The full name of the command that a line types, if it is one."""
    found = _COMMAND.match(line)
    names = [found[1], found[1].split()[0]] if found else []
    return next((name for name in names if name in known), None)


def _steps(table: Table, actor: Actor) -> Sequence[Text]:
    """A title and a few lines, the next step first."""
    if is_game_master(table, actor):
        return _for_gm(table)
    own = table.played_by(actor.id)
    claim = (say("`/campaign gm` makes you the {gm.one}."),) if table.is_open else ()
    if own is None:
        return (
            say("Next: take a character"),
            say("Press **Join** below."),
            say("You can also `/roll` without one."),
            say("`/table show` shows everything in play."),
            *claim,
        )
    return (*_for_player(own), say("`/undo` takes back your last step."), *claim)


def _outside() -> Sequence[Text]:
    return (
        say("Next: roll, or start a table"),
        say("`/roll dice:2d6 d8 vs:11` rolls at once."),
        say(
            "`/campaign new` starts a table with sheets, {doom_pool.short} and undo, and makes you its "
            "{gm.one}."
        ),
        say("`/ore roll` rolls One-Roll dice."),
    )


def _for_gm(table: Table) -> Sequence[Text]:
    if not table.is_session:
        title, first = (
            say("Next: start the {session.one}"),
            say("`/session start` gives everybody their {plot_point.short}."),
        )
    elif not table.is_scene:
        title, first = say("Next: start {scene.a}"), say("`/scene start` sets the stage.")
    elif not any(each.player for each in table.characters.values()):
        title, first = say("Next: invite the players"), say("`/table pin` pins the table, with **Join**.")
    else:
        title = say("Next: call for a roll")
        first = say("Below each `/roll`: **{hitch.Many}**, **Oppose**.")
    more = [line for more in shown().next_for_gm for line in more(table)]
    waiting = say("`/table show` lists what's waiting.")
    return (title, first, *more, waiting, say("`/undo` takes back anyone's last step."))


def _for_player(own: Character) -> Sequence[Text]:
    if any(has_sheet(own) for has_sheet in shown().has_sheet):
        title, first = say("Next: roll"), say("`/roll` names from your sheet, or dice.")
    else:
        title, first = say("Next: fill in your sheet"), say("`/character edit` opens it as text.")
    return (
        title,
        first,
        say("Below a roll: **Apply** its effect, **Spend** {plot_point.short}."),
        say("`/asset add` makes a die that helps."),
    )


def _needs_character(table: Table, actor: Actor) -> bool:
    return not is_game_master(table, actor) and table.played_by(actor.id) is None
