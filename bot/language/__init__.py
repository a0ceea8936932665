"""The language of what people read: English stands in the code, and a catalog holds it in another one.

A catalog is what `gettext` reads, so that translators work with the tools they know. A sentence is its key
and its values until a printer says it (`bot.language.printers`): names, notes, dice and numbers go in as
values, never as text to be translated.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations

from bot.language.line import Line, Sentence, Text
from rules.terms import ENGLISH, Language, Term, Worded, Wording, base_of, later, worded
from rules.text import Counted

__all__ = ["SPEECH", "later", "say", "say_of", "speak_as", "speaking"]

SPEECH: ContextVar[Language] = ContextVar("language", default=ENGLISH)
"""The language of the moment, in which a printer says things."""


def say(text: str, /, **values: object) -> Text:
    """A sentence with its values, some of which may be lines.

    >>> say("{who} wins", who="Nova").parts
    (Sentence(text='{who} wins', values={'who': 'Nova'}),)
    """
    return Line((Sentence(text, values),))


def say_of(count: int, one: str, many: str, /, **values: object) -> Text:
    """The same for a number of things, which is the value `count`; languages have their own plurals."""
    return Line((Counted(count, one, many, **values),))


@contextmanager
def speaking(catalog: NullTranslations) -> Iterator[None]:
    """Say everything in the language of a catalog, here and in what is started from here."""
    token = SPEECH.set(catalog)
    try:
        yield
    finally:
        SPEECH.reset(token)


def speak_as(own: Mapping[Term, Wording]) -> None:
    """Say the terms of the game with the words of a table, from here on until another table is looked at."""
    now = SPEECH.get()
    if isinstance(now, Worded) and now.own == own:
        return
    if own:
        SPEECH.set(worded(base_of(now), tuple(own.items())))
    elif now is not ENGLISH:
        SPEECH.set(base_of(now))
