"""Phrases: texts with places for names, numbers and terms, put into a language where somebody reads them.

`str()` of a phrase is plain English, for logs and for whoever asks no language.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rules.terms import ENGLISH, IN_TERMS, Language, later

__all__ = [
    "AND",
    "BESIDE",
    "COMMA",
    "ENGLISH",
    "LINES",
    "NO_WORDS",
    "OR",
    "SEMICOLON",
    "SENTENCES",
    "Counted",
    "Language",
    "Phrase",
    "Row",
    "Words",
    "join_phrases",
    "later",
    "resolved",
    "truncate",
    "whole_words",
]


_LONGEST_WORD = 20
"""A longer word may be cut inside."""


AND, OR = later("{first} and {last}"), later("{first} or {last}")


COMMA, SEMICOLON = later("{first}, {last}"), later("{first}; {last}")


SENTENCES, LINES = later("{first}. {last}"), "{first}\n{last}"


BESIDE = later("{first} {last}")
"""How one of several is joined to those before it."""


class Phrase:
    """Something that is said in the language of whoever reads it."""

    __slots__ = ()

    def said(self, language: Language) -> str:
        """The phrase in a language, with all phrases in it."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.said(ENGLISH)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


# Not frozen, as all else is: an answer holds dozens, and what is frozen takes three times as long to set.
@dataclass(unsafe_hash=True, slots=True, init=False)
class Words(Phrase):
    """A text with places, and what stands in them: names, numbers, dice and further phrases.

    >>> str(Words("roll a {foe}", foe=Words("crisis")))
    'roll a crisis'
    """

    text: str
    values: Mapping[str, object] = field(hash=False)

    def __init__(self, text: str, /, **values: object) -> None:
        self.text = text
        self.values = values

    def said(self, language: Language) -> str:
        """The text with its values in a language."""
        text = IN_TERMS[language.gettext(self.text), language]
        return text.format_map(resolved(self.values, language)) if self.values else text


@dataclass(unsafe_hash=True, slots=True, init=False)  # as with Words
class Counted(Phrase):
    """A number of things, which is the value `count`; languages have their own plurals.

    >>> str(Counted(2, "{count} hitch", "{count} hitches"))
    '2 hitches'
    """

    count: int
    one: str
    many: str
    values: Mapping[str, object] = field(hash=False)

    def __init__(self, count: int, one: str, many: str, /, **values: object) -> None:
        self.count = count
        self.one = one
        self.many = many
        self.values = {"count": count, **values}

    def said(self, language: Language) -> str:
        """The form for that number, with its values in a language."""
        text = IN_TERMS[language.ngettext(self.one, self.many, self.count), language]
        return text.format_map(resolved(self.values, language))


@dataclass(frozen=True, slots=True)
class Row(Phrase):
    """Names and phrases in a row as one says them; a name alone is said as it is.

    >>> str(Row(("Rope", "Lantern", "Map")))
    'Rope, Lantern and Map'
    """

    names: Sequence[object] = field(hash=False)
    last: str = AND
    """How the last is joined to those before it."""
    each: str = COMMA
    """How those are joined."""

    def said(self, language: Language) -> str:
        """The row in a language; nothing where nobody is in it."""
        names = [each.said(language) if isinstance(each, Phrase) else str(each) for each in self.names]
        if not names:
            return ""
        row, each = names[0], language.gettext(self.each)
        for name in names[1:-1]:
            row = each.format(first=row, last=name)
        return language.gettext(self.last).format(first=row, last=names[-1]) if len(names) > 1 else row


NO_WORDS: Phrase = Row(())
"""Where nothing more is to be said."""


def truncate(text: str, most: int) -> str:
    """The text, or its first whole words with an ellipsis, in at most so many characters.

    >>> truncate("Nobody sails at night", 15)
    'Nobody sails…'
    """
    return text if len(text) <= most else f"{whole_words(text, most - 1)}…"


def whole_words(text: str, most: int) -> str:
    """The first words of a text, in at most so many characters; a very long word is cut."""
    head, behind = text[:most], text[most : most + 1]
    if behind.strip() and len(begun := head.rpartition(" ")[2]) <= _LONGEST_WORD:
        head = head[: len(head) - len(begun)].rstrip() or head
    return head.rstrip()


def join_phrases(*sentences: Phrase) -> Phrase:
    """Sentences one behind the other, without those that say nothing."""
    return Row([each for each in sentences if each is not NO_WORDS], BESIDE, BESIDE)


def resolved(values: Mapping[str, object], language: Language) -> Mapping[str, object]:
    """The values of a text, in which no phrase is left."""
    for value in values.values():
        if isinstance(value, Phrase):
            return {
                name: each.said(language) if isinstance(each, Phrase) else each
                for name, each in values.items()
            }
    return values


LONGEST = 2000
"""So much of what is written is read."""


_BRACKETS = re.compile(r"\(([^()\n]+)\)|\[([^\[\]\n]+)\]|`([^`\n]+)`")


_QUOTED_LINES = re.compile(r"^ ?>.*$", re.MULTILINE)


_LEFT_OUT = re.compile(r"~~.*?~~|https?://\S+", re.DOTALL)


_MARKS = re.compile(r"\*\*|__|\|\||(?<![\w*])[*_]|[*_](?![\w*])|^ ?(?:#+|-#|[-*])\s", re.MULTILINE)


def without_quotes(text: str) -> str:
    """The text without what is quoted, struck out, an address or a mark."""
    return without_marks(own_words(text))


def own_words(text: str) -> str:
    """The text without the lines of others that it quotes, with straight quotation marks."""
    # Long runs of blanks are one: patterns that look over them would take a second for a message of them.
    tight = re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", text[:LONGEST]))
    return _QUOTED_LINES.sub("", tight.replace("“", '"').replace("”", '"'))


def without_marks(text: str) -> str:
    """The text without what is struck out, an address or a mark."""
    return _MARKS.sub("", _LEFT_OUT.sub(" ", text))


def bracketed(text: str) -> Iterator[str]:
    """What stands in each pair of brackets, in one line."""
    for found in _BRACKETS.finditer(text):
        yield " ".join(next(filter(None, found.groups())).split())


def shorten(text: str, most: int = 40) -> str:
    """What somebody typed, short enough to say back to them, in quotation marks."""
    line = " ".join(text.split())
    return f'"{truncate(line, most)}"'
