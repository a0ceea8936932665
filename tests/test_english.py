"""Texts and pages are plain English: no pattern of translated sentences, and short refusals."""

import re
from pathlib import Path

import pytest

from tests import catalog

_WHO = r"\b[Ww]hoever\b|\b[Ww]ho (?!is|has|acts)"
_HEADLESS = r"\b[Ww]hoever\b|^[Ww]ho (?!is|has|acts)[^?]*\.$"
"""The same on pages, where "people who" and indirect questions are plain English."""
BANNED = (
    r"\bare the most\b",
    r"(?<![Tt]here )\b(?:is|are) no (?!longer|more|smaller|larger)[\w{]",
    r"\balready\b[.:;,]|\balready$",
    r"\bif left out\b",
    r"\bthe rights? [A-Z{]",
    _WHO,
    r"There is .*, .* and",
    r"^(Closed|Kept|Free) are",
    r"\bparted by\b",
    r"^Whether",
    r"\b(?:is|are) to [a-z]",
    r"\bsomebody\b",
    r"\btherein\b|\bits own\b",
)
"""Patterns that mark a sentence as translated."""
QUESTION = "a question as people ask it"
EXCEPTIONS = {
    "Who did what": QUESTION,
    "One die makes one trait. Who gets {label}?": QUESTION,
}
"""Texts in which such a pattern is right, with the reason."""
MOST_WORDS = 20
MOST_SENTENCES = 2
_EXAMPLE = re.compile(r" ?Examples?:.*$", re.DOTALL)
_PLACE = re.compile(r"\{[^}]*\}")


ROOT = Path(__file__).parents[1]
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "bot" / "guide").glob("*/*.md")))
    if page.name != "map.md"  # it is made of docstrings
]
_NO_PROSE = re.compile(r"```.*?```|`[^`]*`|<!--.*?-->|\]\([^)]*\)", re.DOTALL)
"""The parts of a page that aren't sentences: code, comments, and targets of links."""
_SENTENCE = re.compile(r"(?<=[.?!:;])\s+|\n\n|\n(?=[-|#]|[0-9]+\.)|\|")


def _said() -> dict[str, str]:
    """Return the texts of the program and the descriptions of commands, each with its place."""
    return {**catalog.commands(), **catalog.said_by(catalog.SAID)}


def _written() -> dict[str, str]:
    """Return the sentences of the pages, each with its page."""
    return {
        " ".join(sentence.split()): str(page.relative_to(ROOT))
        for page in PAGES
        for sentence in _SENTENCE.split(_NO_PROSE.sub("`…`", page.read_text(encoding="utf-8")))
    }


@pytest.mark.parametrize("pattern", BANNED)
def test_no_text_reads_as_translated(pattern: str) -> None:
    said, written = re.compile(pattern), re.compile(_HEADLESS if pattern == _WHO else pattern)
    found = {text: place for text, place in _said().items() if said.search(text)}
    found |= {text: place for text, place in _written().items() if written.search(text)}
    assert {text: place for text, place in found.items() if text not in EXCEPTIONS} == {}


def test_each_exception_is_needed() -> None:
    texts = _said()
    assert [
        text
        for text in EXCEPTIONS
        if text not in texts or not any(re.search(pattern, text) for pattern in BANNED)
    ] == []


def test_a_refusal_has_at_most_two_short_sentences() -> None:
    """Count the words of each sentence; a value is one word, and examples don't count."""
    long = {}
    for text, place in catalog.said_by(catalog.REFUSALS).items():
        sentences = re.split(r"(?<=[.?!])\s+", _EXAMPLE.sub("", _PLACE.sub("{}", text)))
        if len(sentences) > MOST_SENTENCES or max(len(each.split()) for each in sentences) > MOST_WORDS:
            long[text] = place
    assert long == {}
