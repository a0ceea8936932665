"""The language that people read: English texts are in the code, and a catalog translates them.

Catalogs are those of `gettext`, so that translators can use familiar tools. A sentence stays a key with
values until a printer renders it (`bot.language.printers`): names, notes, dice and numbers are values,
and never part of the text to translate.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations

from bot.language.line import Line, Text
from rules.terms import ENGLISH, Language, Term, Worded, Wording, base_of, later, worded
from rules.text import Words, counted

__all__ = ["SPEECH", "later", "say", "say_of", "speak_as", "speaking"]

SPEECH: ContextVar[Language] = ContextVar("language", default=ENGLISH)
"""The language of the moment, in which a printer says things."""


def say(text: str, /, **values: object) -> Text:
    """Return a sentence with its values, some of which may be lines.

    >>> say("{who} wins", who="Nova").parts
    (Words(text='{who} wins', values={'who': 'Nova'}, many=''),)
    """
    # Filled here, since an answer says dozens: `Words(…)` would pack the values anew.
    words = object.__new__(Words)
    words.text, words.values, words.many = text, values, ""
    return Line((words,))


def say_of(count: int, one: str, many: str, /, **values: object) -> Text:
    """Return a sentence in the plural form for a number, which is also the value `count`."""
    return Line((counted(count, one, many, **values),))


@contextmanager
def speaking(catalog: NullTranslations) -> Iterator[None]:
    """Use a catalog's language inside the block, and in tasks started there."""
    token = SPEECH.set(catalog)
    try:
        yield
    finally:
        SPEECH.reset(token)


def speak_as(own: Mapping[Term, Wording]) -> None:
    """Use a table's own words for game terms from now on, until another table is loaded."""
    now = SPEECH.get()
    if isinstance(now, Worded) and now.own == own:
        return
    if own:
        SPEECH.set(worded(base_of(now), tuple(own.items())))
    elif now is not ENGLISH:
        SPEECH.set(base_of(now))
