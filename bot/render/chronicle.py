"""A campaign told session by session, as Markdown or as one page that needs nothing else."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bot.language import say
from bot.language.line import Text, strong
from bot.language.printers import marked, spelled, tagged
from bot.render.parts import listed
from bot.render.portrait import portrait_of
from bot.render.story import known_for
from bot.render.words import UNNAMED
from rules.table import Table

if TYPE_CHECKING:
    from jinja2 import Template

_PAGE = Path(__file__).with_name("chronicle.html")


@dataclass(frozen=True, slots=True)
class ToldSession:
    """A session: its title, its days, what happened, who did what, its charts in a page and in words."""

    title: Text
    days: tuple[date, ...]
    happened: Sequence[Text]
    people: Sequence[Text]
    charts: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Player:
    """A player's character: their line, and their portrait with the words that say the same, if any."""

    line: Text
    portrait: tuple[bytes, Text] | None = None


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A campaign: its name, its players' characters, its sessions, who did what in all of it."""

    name: str
    cast: Sequence[Player]
    sessions: Sequence[ToldSession]
    people: Sequence[Text]


def cast(table: Table, portraits: Mapping[str, bytes]) -> list[Player]:
    """Each player's character: `Mira: Sky pirate, Loyal to a fault`, with their portrait, by its digest."""
    found = []
    for each in table.characters.values():
        if not each.gmc:
            traits = listed(known_for(each))
            name = strong(each.name)
            line = say("{who}: {what}", who=name, what=traits) if traits else name
            data = portraits.get(each.picture)
            shown = portrait_of(each)
            found.append(Player(line, (data, shown.alt) if data and shown else None))
    return found


def markdown(found: Chronicle) -> str:
    """All of it as Markdown, the charts in words."""
    parts = [f"# {marked(found.name or say(UNNAMED))}", _items([each.line for each in found.cast])]
    for each in found.sessions:
        parts += [f"## {marked(each.title)}", *([_days(each.days)] if each.days else [])]
        parts += [_items(each.happened)]
        parts += [f"### {marked(say('Who did what'))}", _items(each.people)] if each.people else []
        parts += [f"_{marked(words)}_" for _, words in each.charts]
    if len(found.sessions) > 1:
        parts += [f"## {marked(say('All sessions'))}", _items(found.people)]
    return "\n\n".join(filter(None, parts)) + "\n"


def page(found: Chronicle) -> str:
    """All of it as a page, the charts inside."""
    said = {"who": say("Who did what"), "all": say("All sessions")}
    written: str = _template().render(
        title=found.name or say(UNNAMED),
        cast=found.cast,
        sessions=found.sessions,
        people=found.people,
        said=said,
    )
    return written


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
    made.filters["drawn"] = Markup
    made.filters["days"] = _days
    made.filters["base64"] = lambda data: b64encode(data).decode()
    return made.from_string(_PAGE.read_text(encoding="utf-8"))
