"""Texts are plain English: patterns that a native speaker would not write, and the length of refusals."""

import re

import pytest

from tests import catalog

BANNED = (
    r"\bare the most\b",
    r"(?<![Tt]here )\b(?:is|are) no (?!longer|more|smaller|larger)[\w{]",
    r"\balready\b[.:;,]|\balready$",
    r"\bif left out\b",
    r"\bthe rights? [A-Z{]",
    r"\b[Ww]hoever\b|\b[Ww]ho (?!is|has|acts)",
    r"There is .*, .* and",
    r"^(Closed|Kept|Free) are",
    r"\bparted by\b",
    r"^Whether",
    r"\b(?:is|are) to [a-z]",
    r"\bsomebody\b",
    r"\btherein\b|\bits own\b",
)
"""Patterns that mark a sentence as translated."""
RELATIVE = "a clause about somebody who has just been named"
QUESTION = "a question as people ask it"
EXCEPTIONS = {
    "Who did what": QUESTION,
    "One die makes one trait. Who gets {label}?": QUESTION,
    "{what} acts against {who}, who rolls first": RELATIVE,
    "{challenge}. It acts against {who}, who rolls first": RELATIVE,
}
"""Texts in which such a pattern is right, with the reason."""
MOST_WORDS = 20
MOST_SENTENCES = 2
_EXAMPLE = re.compile(r" ?Examples?:.*$", re.DOTALL)
_PLACE = re.compile(r"\{[^}]*\}")


def _said() -> dict[str, str]:
    """What the program says and what commands are for, each with its place."""
    return {**catalog.commands(), **catalog.said_by(catalog.SAID)}


@pytest.mark.parametrize("pattern", BANNED)
def test_no_text_reads_as_translated(pattern: str) -> None:
    banned = re.compile(pattern)
    found = {text: place for text, place in _said().items() if banned.search(text)}
    assert {text: place for text, place in found.items() if text not in EXCEPTIONS} == {}


def test_each_exception_is_needed() -> None:
    texts = _said()
    assert [
        text
        for text in EXCEPTIONS
        if text not in texts or not any(re.search(pattern, text) for pattern in BANNED)
    ] == []


def test_a_refusal_has_at_most_two_short_sentences() -> None:
    """A value counts as one word; an example is no sentence."""
    long = {}
    for text, place in catalog.said_by(catalog.REFUSALS).items():
        sentences = re.split(r"(?<=[.?!])\s+", _EXAMPLE.sub("", _PLACE.sub("{}", text)))
        if len(sentences) > MOST_SENTENCES or max(len(each.split()) for each in sentences) > MOST_WORDS:
            long[text] = place
    assert long == {}
