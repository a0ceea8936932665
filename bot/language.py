"""The language of what people read: English stands in the code, and a catalog holds it in another one.

A catalog is what `gettext` reads, so that translators work with the tools they know. Names, notes, dice and
numbers go in as values, never as text to be translated; what rules say of a refusal are phrases
(`rules.words`), which are said here, at the last moment.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations

from rules.words import ENGLISH, Phrase, later, resolved

__all__ = ["later", "say", "say_of", "speaking", "spoken"]

_catalog: ContextVar[NullTranslations | None] = ContextVar("language", default=None)
"""What holds the language of the moment; nothing for English, which is said as it stands in the code."""


def say(text: str, /, **values: object) -> str:
    """A sentence with its values, in the language of the moment.

    >>> say("{who} wins the contest", who="Nova")
    'Nova wins the contest'
    """
    catalog = _catalog.get()
    if catalog is None:  # then phrases are what they say themselves
        return text.format_map(values) if values else text
    said = catalog.gettext(text)
    return said.format_map(resolved(values, catalog)) if values else said


def say_of(count: int, one: str, many: str, /, **values: object) -> str:
    """The same for a number of things, which is the value `count`; languages have their own plurals.

    >>> say_of(2, "{count} hitch", "{count} hitches")
    '2 hitches'
    """
    catalog = _catalog.get()
    if catalog is None:
        return (one if count == 1 else many).format_map({"count": count, **values})
    return catalog.ngettext(one, many, count).format_map({"count": count, **resolved(values, catalog)})


def spoken(phrase: Phrase) -> str:
    """A phrase in the language of the moment."""
    return phrase.said(_catalog.get() or ENGLISH)


@contextmanager
def speaking(catalog: NullTranslations) -> Iterator[None]:
    """Say everything in the language of a catalog, here and in what is started from here."""
    token = _catalog.set(catalog)
    try:
        yield
    finally:
        _catalog.reset(token)
