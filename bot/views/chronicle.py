"""A campaign session by session, as Markdown or a single HTML page, and its quotes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b

from bot.language import later, say, say_of
from bot.language.line import BREAK, Text, small, strong
from bot.language.printers import marked, spelled
from bot.views.card import Button, Card, Tone, Weight, portrait_of, private
from bot.views.facts import line_of
from bot.views.labels import UNNAMED, listed
from bot.views.story import ToldScene, known_for
from bot.views.web_page import render
from rules.campaign.story import Appearance
from rules.facts import Quoted
from rules.table import Table

KNOWN = later("People and places")


@dataclass(frozen=True, slots=True)
class ToldSession:
    """A session: title, days, scenes, what stood out, who did what, charts as SVG and in words, all rolls."""

    title: Text
    days: tuple[date, ...]
    scenes: Sequence[ToldScene]
    more: Sequence[Text]
    people: Sequence[Text]
    charts: Sequence[tuple[str, str]]
    rolls: Sequence[Text] = ()


@dataclass(frozen=True, slots=True)
class Player:
    """A player's character: their line, and their portrait with its alt text, if any."""

    line: Text
    portrait: tuple[bytes, Text] | None = None


@dataclass(frozen=True, slots=True)
class ChronicleEntry:
    """Somebody or some place that came up: in which sessions, and what was noted."""

    line: Text
    notes: Sequence[Text] = ()


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A campaign: its name, GMs, players' characters, sessions, overall figures, and who is who."""

    name: str
    gms: Sequence[str]
    cast: Sequence[Player]
    sessions: Sequence[ToldSession]
    people: Sequence[Text]
    known: Sequence[ChronicleEntry] = ()

    @property
    def led(self) -> Text:
        """Who is GM, in words; empty if nobody is."""
        return say("{gm.One}: {who}", who=listed(self.gms)) if self.gms else ""


def players_of(table: Table, portraits: Mapping[str, bytes]) -> list[Player]:
    """Return each player's character, `Mira, played by Ana: Sky pirate`, with the portrait by its digest."""
    found = []
    for each in table.characters.values():
        if not each.gmc:
            traits = listed(known_for(each))
            line = strong(each.name)
            if each.player_name:
                line = say("{who}, played by {player}", who=line, player=each.player_name)
            line = say("{who}: {what}", who=line, what=traits) if traits else line
            data = portraits.get(each.picture)
            shown = portrait_of(each)
            found.append(Player(line, (data, shown.alt) if data and shown else None))
    return found


def who_is_who(found: Iterable[Appearance]) -> list[ChronicleEntry]:
    """Return all people and places by name, `Regent: session 1 and 3`, with the notes about them."""
    return [
        ChronicleEntry(
            say_of(
                len(each.sessions),
                "{who}: {session.one} {numbers}",
                "{who}: {session.many} {numbers}",
                who=strong(each.name),
                numbers=listed(map(str, each.sessions)),
            ),
            each.notes,
        )
        for each in sorted(found, key=lambda each: each.name.casefold())
    ]


def markdown(found: Chronicle) -> str:
    """Return the chronicle as Markdown, with the charts in words."""
    parts = [f"# {marked(found.name or say(UNNAMED))}", marked(found.led)]
    parts += [_items([each.line for each in found.cast])]
    for each in found.sessions:
        parts += [f"## {marked(each.title)}", *([_days(each.days)] if each.days else [])]
        parts += [part for scene in each.scenes for part in _scene(scene)]
        parts += [_items(each.more)]
        parts += [f"### {marked(say('Who did what'))}", _items(each.people)] if each.people else []
        parts += [f"_{marked(words)}_" for _, words in each.charts]
        parts += [f"### {marked(rolls_title(each.rolls))}", _items(each.rolls)] if each.rolls else []
    if len(found.sessions) > 1:
        parts += [f"## {marked(say('All {session.many}'))}", _items(found.people)]
    if found.known:
        rows = [
            [f"- {marked(each.line)}", *(f"  - {marked(note)}" for note in each.notes)]
            for each in found.known
        ]
        parts += [f"## {marked(say(KNOWN))}", "\n".join(row for each in rows for row in each)]
    return "\n\n".join(filter(None, parts)) + "\n"


def page(found: Chronicle) -> str:
    """Return the chronicle as an HTML page, with the charts embedded."""
    said = {
        "contents": say("Contents"),
        "who": say("Who did what"),
        "all": say("All {session.many}"),
        "known": say(KNOWN),
    }
    return render(
        "chronicle.html",
        title=found.name or say(UNNAMED),
        led=found.led,
        cast=found.cast,
        sessions=found.sessions,
        people=found.people,
        known=found.known,
        said=said,
        days=_days,
        rolls_title=rolls_title,
    )


def _scene(scene: ToldScene) -> list[str]:
    """A scene as paragraphs: who fell and who won in bold, what people wrote as quotes."""
    about = f"_{marked(scene.about)}_" if scene.about else ""
    title = f"### {marked(scene.title)}" if scene.title else ""
    fates = [f"**{marked(each)}**" for each in scene.fates]
    words = [f"> {marked(each)}" for each in scene.words]
    return [title, about, marked(scene.told), *fates, *words]


def rolls_title(rolls: Sequence[Text]) -> Text:
    """Return the heading above a list of rolls, with their number."""
    return say_of(len(rolls), "{count} roll", "{count} rolls")


def _items(lines: Sequence[Text]) -> str:
    return "\n".join(f"- {marked(line)}" for line in lines)


def _days(days: Sequence[date]) -> str:
    """The first and the last day, as they are written everywhere."""
    first, *_, last = (*days, days[-1])
    return spelled(say("{first} to {last}", first=first, last=last)) if first != last else str(first)


KEEP, TAKE_OUT = "quote", "unquote"
"""The verbs of the buttons."""
PLACE = 1
"""The text is the second part of the card that asks, a part of its own."""


def sign(text: str) -> str:
    """Return a hash of a text, to verify that what is read back is what was shown."""
    return blake2b(text.encode(), digest_size=8).hexdigest()


def asking_card(text: str, message: int, author: int) -> Card:
    """Return the question to a message's author whether its text may be kept."""
    keep = Button(say("Keep"), KEEP, message, f"{author}.{sign(text)}", Weight.MAIN)
    asks = say("Keep this message for the chronicle?")
    till = small(say("Nothing is kept unless the author presses Keep."))
    return Card((asks, BREAK, text, BREAK, till), ((keep,),), calls=(author,), tone=Tone.CALM)


def kept_card(quoted: Quoted) -> Card:
    """Return the card that says what is kept, and how to have it deleted."""
    return Card((line_of(quoted),), ((_take_out(quoted),),), tone=Tone.CALM)


def known_card(quoted: Quoted, *, is_theirs: bool) -> Card:
    """Return the card that says that a message is kept already; with `is_theirs`, they can delete it."""
    lines = (say("That message is already kept for the chronicle."), line_of(quoted))
    return Card(lines, ((_take_out(quoted),),) if is_theirs else (), private=True, tone=Tone.CALM)


def taken_out_card() -> Card:
    """Return the card that says that the quote was deleted."""
    return private(say("That quote has been removed. The bot keeps nothing from the message."))


def _take_out(quoted: Quoted) -> Button:
    return Button(say("Take it out"), TAKE_OUT, quoted.message)
