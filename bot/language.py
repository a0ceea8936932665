"""The language of what people read: English stands in the code, and a catalog holds it in another one.

A catalog is what `gettext` reads, so that translators work with the tools they know. Names, notes, dice and
numbers go in as values, never as text to be translated. Refusals are still English only.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations

_catalog: ContextVar[NullTranslations] = ContextVar("language", default=NullTranslations())  # noqa: B039


def say(text: str, /, **values: object) -> str:
    """A sentence with its values, in the language of the moment.

    >>> say("{who} wins the contest", who="Nova")
    'Nova wins the contest'
    """
    said = _catalog.get().gettext(text)
    return said.format_map(values) if values else said


def say_of(count: int, one: str, many: str, /, **values: object) -> str:
    """The same for a number of things, which is the value `count`; languages have their own plurals.

    >>> say_of(2, "{count} hitch", "{count} hitches")
    '2 hitches'
    """
    return _catalog.get().ngettext(one, many, count).format_map({"count": count, **values})


def later(text: str, /) -> str:
    """A text that stands in a table in the code, and is said later: this only shows it to translators."""
    return text


@contextmanager
def speaking(catalog: NullTranslations) -> Iterator[None]:
    """Say everything in the language of a catalog, here and in what is started from here."""
    token = _catalog.set(catalog)
    try:
        yield
    finally:
        _catalog.reset(token)
