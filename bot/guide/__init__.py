"""The guide: its pages and their sections."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
PLAY, HOST = FOLDER / "play", FOLDER / "host"
TOPICS: Mapping[str, str] = {
    "start": "",
    "rolling": "cortex",
    "characters": "",
    "hitches": "cortex",
    "opposition": "cortex",
    "story": "",
    "planning": "",
    "post": "",
    "one-roll": "ore",
    "house-rules": "cortex",
    "moving": "",
}
"""The pages that `/help` offers, in order, each with the game it is about, or an empty text for any game."""
_WORDS = re.compile(r"<!-- words: ([^<>]*) -->")
_GAME = re.compile(r"<!-- game: ([a-z]+) -->")
_ITEM = re.compile(r"(?:[-*]|[0-9]+\.) ")
_FENCE = "```"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: its title, the words that find it, its lines as Markdown, and its typed examples."""

    title: str
    words: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()
    game: str = ""
    """The game that it is about; nothing for any game, or for that of its page."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its name, its title, the sentence below the title, and its sections."""

    name: str
    title: str
    about: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class SectionRef:
    """A reference to a section of the guide: the name of its page, and its number there from 0."""

    page: str
    number: int

    @property
    def section(self) -> Section:
        """Return the section itself; KeyError or IndexError if the guide has no such section."""
        return pages()[self.page].sections[self.number]

    @property
    def game(self) -> str:
        """The game that the section is about; nothing for any game."""
        return TOPICS[self.page] or self.section.game


@cache
def pages() -> Mapping[str, Page]:
    """Return every page that `/help` offers, by name, in the order of `TOPICS`."""
    return {name: read(name, (PLAY / f"{name}.md").read_text(encoding="utf-8")) for name in TOPICS}


@cache
def words(game: str = "") -> Mapping[str, SectionRef]:
    """Return the section for each keyword, heading and page name, keyed by the text in lower case.

    With a game, only its sections and those about any game; of two for a word, the first one.
    """
    every = [SectionRef(page.name, n) for page in pages().values() for n in range(len(page.sections))]
    places = [each for each in every if not game or each.game in ("", game)]
    found = dict[str, SectionRef]()
    for place in places:
        for word in place.section.words:
            found.setdefault(word, place)
    for place in places:
        found.setdefault(place.section.title.casefold(), place)
    for page in pages().values():
        for name in (page.title.casefold(), page.name):
            if first := next((each for each in places if each.page == page.name), None):
                found.setdefault(name, first)
    return found


def read(name: str, text: str) -> Page:
    """Parse the Markdown of a page, up to its first rule, `---`."""
    first, *parts = re.split(r"^## ", text.partition("\n---\n")[0], flags=re.MULTILINE)
    title, _, about = first.strip().partition("\n")
    return Page(name, title.removeprefix("# "), _joined(about), tuple(map(_section, parts)))


def _section(part: str) -> Section:
    title, _, rest = part.partition("\n")
    named = _WORDS.search(rest)
    words = tuple(word.strip().casefold() for word in named[1].split(",")) if named else ()
    game = _GAME.search(rest)
    blocks = _GAME.sub("", _WORDS.sub("", rest)).split(_FENCE)
    typed = [line for block in blocks[1::2] for line in block.splitlines()[1:] if line]
    lines = [line for block in blocks[::2] for line in _lines(block)]
    return Section(title.strip(), words, tuple(lines), tuple(typed), game[1] if game else "")


def _lines(block: str) -> Iterator[str]:
    """Each paragraph, and each item of a list, as one line."""
    for paragraph in block.split("\n\n"):
        held = ""
        for line in paragraph.splitlines():
            if _ITEM.match(line) and held:
                yield held
                held = ""
            held = _joined(f"{held} {line}")
        if held:
            yield held


def _joined(text: str) -> str:
    return " ".join(text.split())
