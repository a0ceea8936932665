"""The guide: Markdown pages that `/help` shows and GitHub renders, each written once.

A page has a shape that `tests/bot/test_guide.py` holds: a title, one sentence of what it is about, then
sections, each of paragraphs, lists and blocks of lines that people type. A comment `words:` below a section's
title says by what words it is asked for. What stands below a rule, `---`, is long, and for GitHub alone.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.home import COMMAND, IS_CLONE

TOPICS = (
    "players",
    "gm",
    "dice",
    "hitches",
    "mods",
    "bent",
    "doom",
    "bosses",
    "contests",
    "secrets",
    "stories",
    "story",
    "dates",
    "post",
    "characters",
    "gangs",
    "faces",
    "one-roll",
    "moving",
    "hosting",
    "privacy",
)
"""The pages that `/help` offers, in their order."""
FOLDER = Path(__file__).parent
_WORDS = re.compile(r"<!-- words: (.*) -->")
_ITEM = re.compile(r"(?:[-*]|[0-9]+\.) ")
_IN_A_CLONE = re.compile(r"(?:python3 -m uv run (?:--no-dev )?)?python -m bot")
_FENCE = "```"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: its title, the words for it, its lines with their Markdown, what is typed."""

    title: str
    words: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its name, title, the sentence that says what it is about, its sections."""

    name: str
    title: str
    about: str
    sections: tuple[Section, ...]


@cache
def pages() -> Mapping[str, Page]:
    """Every page that `/help` offers, by its name."""
    return {name: read(name, _text(name)) for name in TOPICS}


def _text(name: str) -> str:
    """A page's Markdown, with the program called as it is called here."""
    written = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    return written if IS_CLONE else _IN_A_CLONE.sub(COMMAND, written)


@cache
def words() -> Mapping[str, tuple[str, int]]:
    """The word for each section, in small letters, with its page and its place there."""
    found: dict[str, tuple[str, int]] = {}
    for page in pages().values():
        for place, section in enumerate(page.sections):
            found |= dict.fromkeys(section.words, (page.name, place))
        for name in (page.name, page.title.casefold()):
            found.setdefault(name, (page.name, 0))
    return found


def read(name: str, text: str) -> Page:
    """A page as it is written, without what stands below its rule."""
    first, *parts = re.split(r"^## ", text.partition("\n---\n")[0], flags=re.MULTILINE)
    title, _, about = first.strip().partition("\n")
    return Page(name, title.removeprefix("# "), _joined(about), tuple(map(_section, parts)))


def _section(part: str) -> Section:
    title, _, rest = part.partition("\n")
    named = _WORDS.search(rest)
    words = tuple(word.strip().casefold() for word in named[1].split(",")) if named else ()
    blocks = _WORDS.sub("", rest).split(_FENCE)
    typed = [line for block in blocks[1::2] for line in block.splitlines()[1:] if line]
    lines = [line for block in blocks[::2] for line in _lines(block)]
    return Section(title.strip(), words, tuple(lines), tuple(typed))


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
