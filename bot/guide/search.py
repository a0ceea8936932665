"""Search the guide's sections by words."""

import re
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import pairwise

from bot.guide import SectionRef, pages

_WEIGHTS = (10.0, 6.0, 1.0)
"""Weights of a match in a section's keywords, in its heading, and in its text."""
_FILLERS = frozenset(
    """
    a about add again am an and another any anyone anything are as at be been but by can cant could d did
    do does doing don dont else everyone everything for from get gets gonna got had happens has have having
    he her him his how hows i if im in into is it its just let ll m make may me must my need no not now of on
    one or our out please s see she should show so some somebody someone something t that the their
    them then there these they this those to us use using want was way we were what whats when where
    wheres which who whom whos whose why will with without work works would you your
    """.split()  # noqa: SIM905
)
"""Words of a question that don't say what it is about."""
_GENERAL = _FILLERS | {"command", "commands", "help", "next"}
_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 20
"""Further words of a question are ignored."""
_LONG, _NEAR = 4, 0.8
"""Words of at least four letters are corrected, to a known word that is at least this similar (0 to 1)."""
_MOST_CORRECTED = 5
"""Further words that the guide never uses are not corrected: each is compared with hundreds."""
_LIKE = 0.7
"""The lower similarity that is enough for a suggestion (0 to 1)."""


def find(question: str, among: Collection[str]) -> list[SectionRef]:
    """Return the sections of these pages that answer a question, best first; none if no word is known.

    Forms of a word count as one word, two adjacent words that are a keyword count more, and a mistyped word
    is read as the most similar known word.

    >>> find("how do I heal", ["hitches"])[0].section.title
    'Recover'
    """
    asked = _asked(question)
    unknown = [word for word in dict.fromkeys(asked) if len(word) >= _LONG and not _is_known(word)]
    meant = {word: _nearest(word, _NEAR) for word in unknown[:_MOST_CORRECTED]}
    asked = [next(iter(meant.get(word, ())), word) for word in asked]
    # FTS5 takes a quoted string literally, and `_WORD` matches no quotation mark.
    terms = [f'"{word}"' for word in asked if word not in _FILLERS]
    terms += [f'words : "{" ".join(two)}"' for two in pairwise(asked) if not _FILLERS.issuperset(two)]
    if not terms:
        return []
    wanted = " OR ".join(dict.fromkeys(terms))
    rows = _index().execute(
        "SELECT page, number FROM section WHERE section MATCH ? ORDER BY bm25(section, ?, ?, ?)",
        (wanted, *_WEIGHTS),
    )
    return [SectionRef(page, number) for page, number in rows if page in among]


def keywords(question: str) -> Iterator[str]:
    """Yield what may be the keyword in a question: without leading filler words, then without any.

    >>> list(keywords("how do I roll for it"))
    ['how do i roll for it', 'do i roll for it', 'i roll for it', 'roll for it', 'roll']
    """
    words = _asked(question)
    for start, word in enumerate(words):
        yield " ".join(words[start:])
        if word not in _FILLERS:
            break
    yield " ".join(word for word in words if word not in _FILLERS)


def is_general(question: str) -> bool:
    """Return whether a question asks about nothing in particular.

    >>> is_general("what do I do next")
    True
    """
    return _GENERAL.issuperset(_asked(question))


def similar(question: str, among: Collection[str]) -> list[SectionRef]:
    """Return the sections of these pages with words like those of a question, best first."""
    asked = [word for word in dict.fromkeys(_asked(question)) if word not in _FILLERS]
    meant = [near for word in asked[:_MOST_CORRECTED] for near in _nearest(word, _LIKE)]
    return find(" ".join(meant), among)


def _nearest(word: str, least: float) -> list[str]:
    """Return the known word that is most similar, if it is at least so similar."""
    sizes = [size for size in _known() if 2 * min(size, len(word)) >= least * (size + len(word))]
    return get_close_matches(word, [each for size in sizes for each in _known()[size]], 1, least)


def _is_known(word: str) -> bool:
    if word in _FILLERS:
        return True
    found = _index().execute("SELECT 1 FROM section WHERE section MATCH ? LIMIT 1", (f'"{word}"',))
    return found.fetchone() is not None


def _asked(question: str) -> list[str]:
    return _words(question)[:_MOST_WORDS]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


@cache
def _known() -> Mapping[int, Sequence[str]]:
    """Return the words of all headings and keywords, by their length."""
    texts = (f"{each.title} {' '.join(each.words)}" for page in pages().values() for each in page.sections)
    found: dict[int, list[str]] = {}
    for word in dict.fromkeys(word for text in texts for word in _words(text) if word not in _FILLERS):
        found.setdefault(len(word), []).append(word)
    return found


@cache
def _index() -> sqlite3.Connection:
    """Return an in-memory full-text index of all sections, built with the first question."""
    index = sqlite3.connect(":memory:", check_same_thread=False)
    index.execute(
        "CREATE VIRTUAL TABLE section USING fts5"
        "(words, title, text, page UNINDEXED, number UNINDEXED, tokenize = 'porter unicode61')"
    )
    index.executemany("INSERT INTO section VALUES (?, ?, ?, ?, ?)", _rows())
    return index


def _rows() -> Iterator[tuple[str, str, str, str, int]]:
    for page in pages().values():
        for number, each in enumerate(page.sections):
            yield ", ".join(each.words), each.title, " ".join(each.lines), page.name, number
