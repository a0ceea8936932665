"""The guide is true: its pages have their shape, fit a phone, and every example in them works."""

import re
import textwrap
from collections.abc import Iterator

import pytest

from bot.guide import FOLDER, PLAY, TOPICS, SectionRef, pages, words
from bot.language.line import BREAK
from bot.language.printers import spelled
from bot.views.card import Card
from bot.views.help import topic_card
from bot.views.question import MOST_IN_MENU
from rules.errors import Undecided
from rules.table import Table
from tests.bot.test_every_command import names
from tests.game import Game

PAGES = sorted(str(path.relative_to(FOLDER).with_suffix("")) for path in FOLDER.glob("*/*.md"))
PLAYED = [page for page in PAGES if page.startswith("play/")]
CODE = re.compile(r"```text\n(?P<block>.*?)```|```.*?```|`(?P<code>[^`]+)`", re.DOTALL)
SPOKEN = re.compile(r"([a-z]+): (/.*)")
_PARTS = re.compile(r"[:.…]|[0-9]|arc$")
"""What a line has that is more than the name of a command."""
NO_COMMANDS = {"/live", "/ready", "/metrics", "/tmp"}
"""Addresses and folders."""
COLUMNS, LINES = 40, 12
"""What a phone shows of a topic."""


def text_of(page: str) -> str:
    return (FOLDER / f"{page}.md").read_text(encoding="utf-8")


def typed(page: str) -> Iterator[str]:
    """What is typed in a page, as it stands there: `alice: /roll dice:2d6`, `/roll`."""
    for found in CODE.finditer(text_of(page)):
        if found["code"] and found["code"].startswith("/") and found["code"] not in NO_COMMANDS:
            yield " ".join(found["code"].split())
        elif found["block"]:
            yield from (line for line in found["block"].splitlines() if SPOKEN.fullmatch(line))


def examples(page: str) -> list[str]:
    """The lines of a page that are played, each with who says it."""
    return [line for line in typed(page) if SPOKEN.fullmatch(line)]


def phone_lines(card: Card) -> int:
    lines = [spelled(line) for line in card.lines if line != BREAK]
    return sum(len(textwrap.wrap(line, COLUMNS)) for line in lines)


def test_help_offers_every_page_for_players_but_the_list_of_commands() -> None:
    assert sorted((*TOPICS, "commands")) == sorted(path.stem for path in PLAY.glob("*.md"))


@pytest.mark.parametrize("page", TOPICS)
def test_a_page_has_a_title_a_sentence_and_sections_with_words_and_one_example(page: str) -> None:
    read = pages()[page]
    assert read.title
    assert re.fullmatch(r"[A-Z][^.]+\.", read.about), "one sentence"
    assert len(read.about) <= 100, "it is the hint of the menu"
    assert 1 < len(read.sections) <= MOST_IN_MENU
    for section in read.sections:
        assert section.words, section.title
        assert section.lines, section.title
        assert all(SPOKEN.fullmatch(line) for line in section.typed), section.title
        assert section.typed, section.title


async def test_each_topic_fits_a_phone(game: Game) -> None:
    known = {name: 10**18 for command in game.discord.commands for name in names(command)}
    long = [
        f"{page}: {section.title}"
        for page in TOPICS
        for place, section in enumerate(pages()[page].sections)
        if phone_lines(topic_card(SectionRef(page, place), Table(), known)) > LINES
    ]
    assert long == []


def test_no_word_means_two_sections() -> None:
    places = [SectionRef(page, number) for page in TOPICS for number in range(len(pages()[page].sections))]
    for game in filter(None, {*TOPICS.values()}):
        held = [word for each in places if each.game in ("", game) for word in each.section.words]
        assert len(held) == len(set(held))
        assert set(held) <= set(words(game))


async def test_every_command_of_the_guide_exists(game: Game) -> None:
    known = {name for command in game.discord.commands for name in names(command)}
    known |= {name.split()[0] for name in known}
    bare = [
        (page, line.removeprefix("/")) for page in PAGES for line in typed(page) if not _PARTS.search(line)
    ]
    assert [(page, name) for page, name in bare if name not in known] == []


@pytest.mark.parametrize("page", [page for page in PLAYED if examples(page)])
async def test_every_example_of_the_guide_works(
    table: Game, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    refused: list[str] = []
    explain = table.bot.refusals.explain

    async def noting(it: object, error: BaseException, *more: object) -> None:
        if not isinstance(getattr(error, "original", error), Undecided):
            refused.append(str(error))
        await explain(it, error, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(table.bot.refusals, "explain", noting)
    table.discord.channel("log")
    for line in examples(page):
        reply = await (table.begin if "/campaign new" in line else table.says)(line)
        assert reply.failed is None, line
        assert refused == [], line
        assert reply.text or reply.form, line
