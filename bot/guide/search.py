"""Finding the section of the guide that answers a question, by SQLite's full-text search."""

import re
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import pairwise

from bot.guide import Place, pages

_WEIGHTS = (10.0, 6.0, 1.0)
"""How much a match counts among a section's words, in its heading, and in its text."""
_FILLERS = frozenset(
    """
    a about add again am an and another any anyone anything are as at be been but by can could d did
    do does doing don else everyone everything for from get gets gonna got had happens has have having
    he her him his how i if in into is it its just let ll m make may me must my need no not now of on
    one or our out please s see she should show so some somebody someone something t that the their
    them then there these they this those to us use using want was way we were what when where which
    who whom whose why will with without work works would you your
    """.split()  # noqa: SIM905
)
"""Words of a question that say nothing of what it is about."""
_GENERAL = _FILLERS | {"next"}
_WORD = re.compile(r"\w+")
_LONG, _NEAR = 4, 0.8
"""A word of so many letters or more may be mistyped; this is how alike the meant one has to be."""
_LIKE = 0.6
"""How alike a word has to be where only near sections are offered."""


def find(question: str, among: Collection[str]) -> list[Place]:
    """Return the sections of these pages that a question is about, best first; none if no word is known.

    Forms of a word count as one word, two words that stand together count more, and a mistyped word means the
    nearest known one.

    >>> find("how do I heal", ["hitches"])[0].section.title
    'Recover'
    """
    asked = list(map(_spelled, _words(question)))
    # What stands in quotation marks is searched for as it is; these words hold none.
    terms = [f'"{word}"' for word in asked if word not in _FILLERS]
    terms += [f'words : "{" ".join(two)}"' for two in pairwise(asked) if not _FILLERS.issuperset(two)]
    if not terms:
        return []
    wanted = " OR ".join(dict.fromkeys(terms))
    rows = _index().execute(
        "SELECT page, place FROM section WHERE section MATCH ? ORDER BY bm25(section, ?, ?, ?)",
        (wanted, *_WEIGHTS),
    )
    return [Place(page, place) for page, place in rows if page in among]


def keyword(question: str) -> str:
    """Return what a question is about without its filling words: `how do I roll` is `roll`."""
    return " ".join(word for word in _words(question) if word not in _FILLERS)


def is_general(question: str) -> bool:
    """Return whether a question names nothing in particular: `what do I do next`."""
    return _GENERAL.issuperset(_words(question))


def nearest(question: str, among: Collection[str], count: int) -> Sequence[Place]:
    """Return `count` sections of these pages that are most like a question about none of them."""
    meant = [near for word in _words(question) for near in get_close_matches(word, _known(), 1, _LIKE)]
    found = find(" ".join(meant), among)
    others = (Place(name, number) for number in range(count) for name in pages() if name in among)
    return list(dict.fromkeys((*found, *others)))[:count]


def _spelled(word: str) -> str:
    """A word as it is, or the nearest of the guide's if none of its texts has it."""
    if word in _FILLERS or len(word) < _LONG or _has(word):
        return word
    return next(iter(get_close_matches(word, _known(), 1, _NEAR)), word)


def _has(word: str) -> bool:
    found = _index().execute("SELECT 1 FROM section WHERE section MATCH ? LIMIT 1", (f'"{word}"',))
    return found.fetchone() is not None


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold().replace("'", " ").replace("’", " "))


@cache
def _known() -> Sequence[str]:
    """The words of headings, and those that sections are asked for by."""
    texts = (f"{each.title} {' '.join(each.words)}" for page in pages().values() for each in page.sections)
    return list(dict.fromkeys(word for text in texts for word in _words(text) if word not in _FILLERS))


@cache
def _index() -> sqlite3.Connection:
    """The sections in memory, ready to be searched; made with the first question."""
    index = sqlite3.connect(":memory:", check_same_thread=False)
    index.execute(
        "CREATE VIRTUAL TABLE section USING fts5"
        "(words, title, text, page UNINDEXED, place UNINDEXED, tokenize = 'porter unicode61')"
    )
    index.executemany("INSERT INTO section VALUES (?, ?, ?, ?, ?)", _rows())
    return index


def _rows() -> Iterator[tuple[str, str, str, str, int]]:
    for page in pages().values():
        for place, each in enumerate(page.sections):
            yield ", ".join(each.words), each.title, " ".join(each.lines), page.name, place
