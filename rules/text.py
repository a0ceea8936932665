"""Phrases: texts with placeholders for names, numbers and terms, translated when somebody reads them.

`str()` of a phrase is plain English, for logs and for code that has no language.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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
    "Language",
    "Phrase",
    "Row",
    "Words",
    "counted",
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
    """Something that can be put into the reader's language."""

    __slots__ = ()

    def said(self, language: Language) -> str:
        """Return the phrase, and all phrases inside it, in a language."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.said(ENGLISH)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


# Not frozen, as all else is: an answer holds dozens, and what is frozen takes three times as long to set.
@dataclass(unsafe_hash=True, slots=True, init=False)
class Words(Phrase):
    """A text with placeholders, and their values: names, numbers, dice and further phrases.

    A text with a plural form, `many`, has the value `count`, which chooses between them: see `counted`.

    >>> str(Words("roll a {foe}", foe=Words("crisis")))
    'roll a crisis'
    """

    text: str
    values: Mapping[str, object] = field(hash=False)
    many: str

    def __init__(self, text: str, /, **values: object) -> None:
        self.text = text
        self.values = values
        self.many = ""

    def template(self, language: Language) -> str:
        """Return the text in a language, with its placeholders and terms."""
        if self.many:
            count: Any = self.values["count"]
            return language.ngettext(self.text, self.many, count)
        return language.gettext(self.text)

    def said(self, language: Language) -> str:
        """Return the text in a language, with its values filled in."""
        text = IN_TERMS[self.template(language), language]
        return text.format_map(resolved(self.values, language)) if self.values else text


def counted(count: int, one: str, many: str, /, **values: object) -> Words:
    """Return a text with a plural form, chosen by a number that is also the value `count`.

    >>> str(counted(2, "{count} hitch", "{count} hitches"))
    '2 hitches'
    """
    words = object.__new__(Words)  # `Words(…)` would pack the values anew
    words.text, words.values, words.many = one, {"count": count, **values}, many
    return words


@dataclass(frozen=True, slots=True)
class Row(Phrase):
    """A list of names and phrases, joined as in a sentence.

    >>> str(Row(("Rope", "Lantern", "Map")))
    'Rope, Lantern and Map'
    >>> str(Row(("Rope", "Map"), OR)), str(Row(("Rope",)))
    ('Rope or Map', 'Rope')
    """

    names: Sequence[object] = field(hash=False)
    last: str = AND
    """How the last is joined to those before it."""
    each: str = COMMA
    """How those are joined."""

    def said(self, language: Language) -> str:
        """Return the list in a language; "" if it is empty."""
        names = [each.said(language) if isinstance(each, Phrase) else str(each) for each in self.names]
        if not names:
            return ""
        row, each = names[0], language.gettext(self.each)
        for name in names[1:-1]:
            row = each.format(first=row, last=name)
        return language.gettext(self.last).format(first=row, last=names[-1]) if len(names) > 1 else row


@dataclass(frozen=True, slots=True)
class ChannelMention(Phrase):
    """A channel, which Discord shows by its name."""

    channel: int

    def said(self, language: Language) -> str:
        """Return the channel as Discord reads it."""
        return f"<#{self.channel}>"


NO_WORDS: Phrase = Row(())
"""Where nothing more is to be said."""


def truncate(text: str, most: int) -> str:
    """Return the text, cut to at most that many characters at a word boundary, with an ellipsis.

    >>> truncate("Nobody sails at night", 15)
    'Nobody sails…'
    """
    return text if len(text) <= most else f"{whole_words(text, most - 1)}…"


def whole_words(text: str, most: int) -> str:
    """Return the first whole words of a text, in at most that many characters; a very long word is cut.

    >>> whole_words("Nobody sails at night", 15)
    'Nobody sails at'
    """
    head, behind = text[:most], text[most : most + 1]
    if behind.strip() and len(begun := head.rpartition(" ")[2]) <= _LONGEST_WORD:
        head = head[: len(head) - len(begun)].rstrip() or head
    return head.rstrip()


def join_phrases(*sentences: Phrase) -> Phrase:
    """Join sentences with spaces, leaving out NO_WORDS.

    >>> str(join_phrases(Words("Done."), NO_WORDS, Words("Roll again.")))
    'Done. Roll again.'
    """
    return Row([each for each in sentences if each is not NO_WORDS], BESIDE, BESIDE)


def resolved(values: Mapping[str, object], language: Language) -> Mapping[str, object]:
    """Return the values of a text with every phrase replaced by its text in a language."""
    for value in values.values():
        if isinstance(value, Phrase):
            return {
                name: each.said(language) if isinstance(each, Phrase) else each
                for name, each in values.items()
            }
    return values


_OPENING = re.compile(r'(?P<kept>"[^"]*")|(?<!\w)(?P<mark>\*{1,3}|_{1,3}|\|\||`{1,3})(?=[^\s*_|`])')
"""A mark of Markdown before a word, or words in quotation marks, which keep theirs."""


_DEEPEST = 4
"""So many marks can stand in each other: `||**_d8_**||`."""


def without_paired_marks(text: str) -> str:
    """Return a text without marks of Markdown around words; those in quotation marks stay.

    >>> without_paired_marks('||**Mind**|| d8, 2*3, "*d6*"')
    'Mind d8, 2*3, "*d6*"'
    """
    for _ in range(_DEEPEST):
        bare = _without_outer_marks(text)
        if bare == text:
            break
        text = bare
    return text


def _without_outer_marks(text: str) -> str:
    """The text without the first pairs of marks; a pair stands on one line, right around words."""
    closings = dict[str, list[int]]()
    parts, place, end_of_line = list[str](), 0, -1
    while found := _OPENING.search(text, place):
        parts.append(text[place : found.start()])
        start, mark = found.end(), found["mark"]
        if end_of_line < start:
            end_of_line = text.find("\n", start) % (len(text) + 1)  # the end where there is no further line
        if mark and mark not in closings:
            closing = re.compile(rf"(?<=[^\s*_|`]){re.escape(mark)}(?!\w)")
            closings[mark] = [match.start() for match in closing.finditer(text)]
        behind = bisect_left(closings[mark], start) if mark else 0
        if mark and behind < len(closings[mark]) and (end := closings[mark][behind]) < end_of_line:
            parts.append(text[start:end])
            place = end + len(mark)
        else:
            place = start if found["kept"] else found.start() + 1
            parts.append(text[found.start() : place])
    return "".join((*parts, text[place:]))


LONGEST = 2000
"""So much of what is written is read."""


_BRACKETS = re.compile(r"\(([^()\n]+)\)|\[([^\[\]\n]+)\]|`([^`\n]+)`")


_QUOTED_LINES = re.compile(r"^ ?>.*$", re.MULTILINE)


_LEFT_OUT = re.compile(r"~~(?:[^~]|~(?!~))*+~~|https?://\S+")


_MARKS = re.compile(r"\*\*|__|\|\||(?<![\w*])[*_]|[*_](?![\w*])|^ ?(?:#+|-#|[-*])\s", re.MULTILINE)


def without_quotes(text: str) -> str:
    r"""Return a message's text without quoted lines, struck-out text, URLs and Markdown marks.

    >>> without_quotes("> roll d6\n**d8** plus ~~d4~~ d10").split()
    ['d8', 'plus', 'd10']
    """
    return without_marks(own_words(text))


def own_words(text: str) -> str:
    """Return a message's text without the lines it quotes, with spaces collapsed and straight quotes."""
    # Long runs of blanks are one: patterns that look over them would take a second for a message of them.
    tight = re.sub(r"(?<!\s)\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", text[:LONGEST]))
    return _QUOTED_LINES.sub("", tight.replace("“", '"').replace("”", '"'))


def without_marks(text: str) -> str:
    """Return a text without struck-out text, URLs and Markdown marks."""
    return _MARKS.sub("", _LEFT_OUT.sub(" ", text))


def bracketed(text: str) -> Iterator[str]:
    """Yield the content of each pair of brackets or backticks, on one line.

    >>> list(bracketed("I jump (d8  d6) and roll `2d10`"))
    ['d8 d6', '2d10']
    """
    for found in _BRACKETS.finditer(text):
        yield " ".join(next(filter(None, found.groups())).split())


def shorten(text: str, most: int = 40) -> str:
    """Return typed text in quotation marks, shortened for use in a reply.

    >>> shorten("a  lantern")
    '"a lantern"'
    """
    line = " ".join(text.split())
    return f'"{truncate(line, most)}"'
