"""A campaign told session by session, as Markdown or as one page that needs nothing else."""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bot.language import later, say, say_of
from bot.language.line import Text, strong
from bot.language.printers import marked, spelled, tagged
from bot.render.parts import listed
from bot.render.portrait import portrait_of
from bot.render.story import known_for
from bot.render.words import UNNAMED
from rules.campaign.story import Appearance
from rules.table import Table

if TYPE_CHECKING:
    from jinja2 import Template

KNOWN = later("People and places")
_PAGE = Path(__file__).with_name("chronicle.html")


@dataclass(frozen=True, slots=True)
class ToldSession:
    """A session: its title, its days, what happened, who did what, its charts in a page and in words, and
    each of its rolls."""

    title: Text
    days: tuple[date, ...]
    happened: Sequence[Text]
    people: Sequence[Text]
    charts: Sequence[tuple[str, str]]
    rolls: Sequence[Text] = ()


@dataclass(frozen=True, slots=True)
class Player:
    """A player's character: their line, and their portrait with the words that say the same, if any."""

    line: Text
    portrait: tuple[bytes, Text] | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody or some place that was told of: in which sessions, and what was noted."""

    line: Text
    notes: Sequence[Text] = ()


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A campaign: its name, its GMs, its players' characters, its sessions, who did what in all of it, and
    who is who."""

    name: str
    gms: Sequence[str]
    cast: Sequence[Player]
    sessions: Sequence[ToldSession]
    people: Sequence[Text]
    known: Sequence[Known] = ()

    @property
    def led(self) -> Text:
        """Who is GM; nothing where nobody is."""
        return say("{gm.One}: {who}", who=listed(self.gms)) if self.gms else ""


def cast(table: Table, portraits: Mapping[str, bytes]) -> list[Player]:
    """Each player's character: `Mira, played by Ana: Sky pirate`, with their portrait, by its digest."""
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


def who_is_who(found: Iterable[Appearance]) -> list[Known]:
    """Everybody and every place, by name: `Regent: session 1 and 3`, and what was noted about them."""
    return [
        Known(
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
    """All of it as Markdown, the charts in words."""
    parts = [f"# {marked(found.name or say(UNNAMED))}", marked(found.led)]
    parts += [_items([each.line for each in found.cast])]
    for each in found.sessions:
        parts += [f"## {marked(each.title)}", *([_days(each.days)] if each.days else [])]
        parts += [_items(each.happened)]
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
    """All of it as a page, the charts inside."""
    said = {
        "contents": say("Contents"),
        "who": say("Who did what"),
        "all": say("All {session.many}"),
        "known": say(KNOWN),
    }
    written: str = _template().render(
        title=found.name or say(UNNAMED),
        led=found.led,
        cast=found.cast,
        sessions=found.sessions,
        people=found.people,
        known=found.known,
        said=said,
    )
    return written


def rolls_title(rolls: Sequence[Text]) -> Text:
    """How many rolls there are, above them."""
    return say_of(len(rolls), "{count} roll", "{count} rolls")


def _items(lines: Sequence[Text]) -> str:
    return "\n".join(f"- {marked(line)}" for line in lines)


def _days(days: Sequence[date]) -> str:
    """The first and the last day, as they are written everywhere."""
    first, *_, last = (*days, days[-1])
    return spelled(say("{first} to {last}", first=first, last=last)) if first != last else str(first)


@cache
def _template() -> "Template":
    """The page, in which everything is escaped but what a filter says is a part of it."""
    from jinja2 import Environment, StrictUndefined  # no start has to wait for it
    from markupsafe import Markup

    made = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    made.filters["told"] = lambda line: Markup(tagged(line))
    made.filters["rolls"] = lambda rolls: Markup(tagged(rolls_title(rolls)))
    made.filters["drawn"] = Markup
    made.filters["days"] = _days
    made.filters["base64"] = lambda data: b64encode(data).decode()
    return made.from_string(_PAGE.read_text(encoding="utf-8"))
