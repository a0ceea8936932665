"""The language of what people read: English stands in the code, a catalog holds it in another one."""

from gettext import NullTranslations
from typing import Protocol


class Language(Protocol):
    """What says texts in another language, as a catalog of `gettext` does."""

    def gettext(self, message: str, /) -> str:
        """A text in that language."""

    def ngettext(self, one: str, many: str, count: int, /) -> str:
        """The form of a text that the language has for a number of things."""

    def __hash__(self) -> int:
        """A language is found again by what it is."""


ENGLISH: Language = NullTranslations()


def later(text: str, /) -> str:
    """A text that stands in a table in the code, and is said later: this only shows it to translators."""
    return text
