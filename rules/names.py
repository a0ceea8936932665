"""Names: clean what was typed, find what it means, find names in facts, and erase somebody's names."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from enum import Enum, StrEnum, auto
from functools import lru_cache
from typing import Annotated, Any, TypeVar, assert_never, cast, get_args, get_type_hints

from rules.errors import Ambiguous, NotAllowed, Unknown, Unreadable
from rules.terms import later
from rules.text import AND, OR, Counted, Phrase, Row, Words, shorten
from rules.values import replace

GM = "GM"
"""What the GM rolls as who plays nobody."""


SOMEBODY = "Somebody"
"""What is said instead of a name that cannot be read, or that is forgotten."""


LISTED = 5
"""A refusal lists at most this many names."""


LONGEST = 100
"""A name has at most this many characters."""


NAME, CHARACTER_NAME = Words("name"), Words("character name")


LABEL, NOTE = Words("label"), Words("note")
"""What is typed, as a refusal of it says."""


# They have no width, but some scripts and pictures are written with them.
_JOINERS = "\u200c\u200d"


def is_seen(character: str) -> bool:
    """Whether a character can be seen, or joins some that can."""
    return character in _JOINERS or unicodedata.category(character)[0] != "C"


def spelt(name: str) -> str:
    """A name as the place of a fault says it: what cannot be seen is escaped, and an empty one is `""`."""
    return "".join(c if is_seen(c) else json.dumps(c)[1:-1] for c in name) or '""'


def clean(text: str, what: Phrase = NAME, longest: int = LONGEST) -> str:
    """A name as typed, on one line, without characters that cannot be seen.

    Raises Unreadable when nothing is left of it, or too much.
    """
    is_plain = text.isascii() and text.isprintable()  # most are: then there is nothing to look for
    kept = text if is_plain else "".join(c if is_seen(c) else _blank(c) for c in text)
    line = " ".join(kept.split()).strip(_JOINERS + " ")
    if not any(c.isprintable() and not c.isspace() and c not in _JOINERS for c in line):
        raise Unreadable("That {what} is empty. Type some letters.", what=what)
    if len(line) > longest:
        raise Unreadable(
            "That {what} has {count} characters; the limit is {longest}.",
            what=what,
            count=len(line),
            longest=longest,
        )
    return line


def is_several(name: str) -> bool:
    """Whether it would be read as several names: a comma parts people, a semicolon groups of them."""
    return "," in name or ";" in name


def require_one(name: str) -> None:
    """Refuse a name that would be read as several."""
    if is_several(name):
        raise NotAllowed("Commas and semicolons separate names, so a name can't contain them.")


def former(name: str) -> str:
    """The name under which is counted what somebody did who had that name before another took it."""
    return f"{name} (before)"


def remark(text: str | None) -> str:
    """A note as typed, on one line; nothing where nothing was typed. Raises Unreadable for a long one."""
    return clean(text, NOTE, 200) if text and text.strip() else ""


def find(typed: str, names: Iterable[str], what: Phrase, as_typed: Callable[[str], str] = str) -> str:
    """The one name that is meant: an exact one (capitals do not matter), else one that begins so.

    Raises Ambiguous when several begin so, Unknown (with the nearest names) when none does.
    """
    known = list(dict.fromkeys(names))
    wanted = clean(typed, what).casefold()
    exact = [name for name in known if name.casefold() == wanted]
    begun = exact or [name for name in known if name.casefold().startswith(wanted)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise Ambiguous(
            "{typed} could be {begun}. Type more of the name.",
            typed=shorten(typed),
            begun=Candidates(begun, as_typed),
        )
    if not known:
        raise Unknown("There's no {what} called {typed}.", what=what, typed=shorten(typed))
    raise Unknown(
        "There's no {what} called {typed}. {hint}",
        what=what,
        typed=shorten(typed),
        hint=offer(wanted, known),
    )


def offer(wanted: str, known: Iterable[str]) -> Phrase:
    """What there is instead: the nearest names, else all of them."""
    names = list(dict.fromkeys(known))
    if not names:
        return Words("There are none yet.")
    near = alike(wanted, names)
    return DidYouMean(near) if near else Words("Try {names}.", names=one_of(names))


def there_are(names: Sequence[str]) -> Phrase:
    """Say how many names there are, with the first five, or that there are none."""
    if not names:
        return Words("There are none yet.")
    if len(names) == 1:
        return Words("There's one: {name}.", name=names[0])
    return Words("There are {count}: {names}.", count=len(names), names=Row(shortened(names)))


class Candidates(Words):
    """The names `near` that may be meant, at most five; `as_typed` turns a name into what to type for it.

    >>> str(Candidates(["Fire", "Flood"]))
    'Fire or Flood'
    """

    __slots__ = ("as_typed", "near")

    def __init__(
        self, near: Sequence[object], as_typed: Callable[[str], str] = str, sentence: str = "{names}"
    ) -> None:
        super().__init__(sentence, names=one_of(near))
        self.near = near[:LISTED]
        self.as_typed = as_typed


class DidYouMean(Candidates):
    """The question if one of the names `near` was meant."""

    __slots__ = ()

    def __init__(self, near: Sequence[object], as_typed: Callable[[str], str] = str) -> None:
        super().__init__(near, as_typed, later("Did you mean {names}?"))


def alike(wanted: str, known: Iterable[str]) -> list[str]:
    """The names that are most like what was typed, three at most; none where nothing is like it.

    Where a later word of one begins so, it is meant: `crossbow` is `Notched crossbow`.
    """
    by_key = {name.casefold(): name for name in known}
    typed = wanted.casefold()
    within = [key for key in by_key if len(typed) > 2 and f" {typed}" in key]
    return [by_key[key] for key in within[:3] or get_close_matches(typed, by_key, n=3)]


def nearest(typed: str, known: Iterable[str]) -> str:
    """The one name that begins so, or is most like it; empty where none is like it."""
    by_key = {name.casefold(): name for name in known}
    wanted = typed.casefold()
    begun = [key for key in by_key if key.startswith(wanted)]
    near = begun if len(begun) == 1 else get_close_matches(wanted, by_key, n=1)
    return by_key[near[0]] if near else ""


def one_of(names: Sequence[object]) -> Phrase:
    """Return names as a list with "or", at most five.

    >>> str(one_of(["Ann", "Bob", "Cy"]))
    'Ann, Bob or Cy'
    >>> str(one_of(["Ann", "Bob", "Cy", "Dee", "Eve", "Fay"]))
    'Ann, Bob, Cy, Dee, Eve and 1 more'
    """
    return Row(shortened(names), AND if len(names) > LISTED else OR)


def shortened(names: Sequence[object]) -> Sequence[object]:
    """Return the first five names, and how many more there are."""
    more = len(names) - LISTED
    return [*names[:LISTED], Counted(more, "{count} more", "{count} more")] if more > 0 else names


def _blank(character: str) -> str:
    return " " if character in "\t\n\r\v\f" else ""


class TextMark(Enum):
    """What a text in a fact is: a name of somebody at the table, of a person, of a thing, or typed words."""

    NAME = auto()
    PERSON = auto()
    LABEL = auto()
    NOTE = auto()


Name = Annotated[str, TextMark.NAME]


Person = Annotated[str, TextMark.PERSON]


Label = Annotated[str, TextMark.LABEL]


Note = Annotated[str, TextMark.NOTE]


SCENE = "scene"
"""The key under which the scene owns traits of its own."""


def key(name: str) -> str:
    """The key of a name: equal for names that differ in capitals only."""
    return name.casefold()


class Coming(StrEnum):
    """Whether somebody comes to a session; who is away then has not said so of this one."""

    IN = "in"
    MAYBE = "maybe"
    OUT = "out"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class Thread:
    """Something that was noted and is still open, as typed; what is `secret` is the GM's alone."""

    text: Note
    secret: bool = False
    about: Name = ""
    """Who or what it is about."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What somebody has answered, by the name they go by; None while they are asked anew."""

    name: str
    coming: Coming | None = None
    moved: int = 0
    """To which time of the session: what the plan's `moved` was."""
    said: int = 0
    """When, in milliseconds since 1970; 0 for who has planned the session, and pressed nothing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """When the next session is to be: the number of the step that planned it, and seconds since 1970.

    It is at 0 while people are asked which of several `times` suits them. After so many `weeks` the next one
    is planned; 0 for never. One that `is_off` is called off, and one that `is_over` was the last.
    """

    number: int
    at: int
    note: str = ""
    weeks: int = 0
    replies: Mapping[int, Reply] = field(default_factory=dict)
    """By Discord id."""
    is_off: bool = False
    unread: str = ""
    """What is kept in its place, as JSON, where this version cannot read it; then it is off."""
    is_over: bool = False
    moved: int = 0
    """The number of the step that has given it its time since it was planned; 0 where none has."""
    minute: int | None = None
    """The minute of the day that those after it are for, where the clocks skip it on its own day."""
    times: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    """The times that are asked for, or were, in seconds since 1970: who can then, by Discord id, by name."""
    gone: tuple[int, ...] = ()
    """Which of these times are over, where the plan is told at a time."""
    least: int = 0
    """So many players have to come, or the GM is told; 0 for any number."""
    since: int = 0
    """How often the table's plans had been changed when it was planned."""

    @property
    def is_asked(self) -> bool:
        """Whether people are still asked which time suits them."""
        return self.is_open and not self.at

    @property
    def is_open(self) -> bool:
        """Whether the session may still be."""
        return not (self.is_off or self.is_over)


_Part = TypeVar("_Part")


Reword = Callable[[TextMark, str], str]
"""A text of that sort, said otherwise."""


def said(part: object) -> Iterator[tuple[TextMark, str]]:
    """Every name, label and note in a fact, with what it is."""
    found: list[tuple[TextMark, str]] = []

    def note(says: TextMark, text: str) -> str:
        found.append((says, text))
        return text

    reworded(part, note)
    return (each for each in found if each[1])


def reworded(part: _Part, reword: Reword) -> _Part:
    """A fact, or facts, with every name, label and note said otherwise; what says nothing stays the same."""
    return cast("_Part", _reworded(part, None, reword))


def _reworded(part: Any, says: TextMark | None, reword: Reword) -> Any:
    if isinstance(part, str):
        return reword(says, part) if says else part
    if isinstance(part, tuple):
        fresh = tuple(_reworded(each, says, reword) for each in part)
        return part if fresh == part else fresh
    if isinstance(part, Mapping):
        return {name: _reworded(each, says, reword) for name, each in part.items()}
    if not is_dataclass(part) or isinstance(part, type):
        return part
    changes = {}
    for name, what in _texts(type(part)).items():
        before = getattr(part, name)
        after = _reworded(before, what, reword)
        if after != before:
            changes[name] = after
    return replace(cast("Any", part), **changes) if changes else part


@lru_cache(maxsize=256)
def _texts(kind: type) -> Mapping[str, TextMark | None]:
    """The fields of a class, with what their texts say."""
    hints = get_type_hints(kind, include_extras=True)
    return {each.name: _says(hints[each.name]) for each in fields(kind)}


def _says(hint: Any) -> TextMark | None:
    """What a text is by its annotation, or what each is in a row of them."""
    marks = (mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, TextMark))
    return next(marks, None) or next(filter(None, map(_says, get_args(hint))), None)


DELETED = "[deleted]"
"""Stands for a note that somebody typed who is forgotten."""


_STANDS = (
    ("It is the turn of ", r" \("),
    ("The sheet of ", " is changed"),
    ("acts against ", ", who"),
    (r"gives in\. ", " wins"),
    ("the contest of ", " and "),
    (" and ", ", in which "),
    (", in which ", " is to answer"),
)
"""Between which words of the log only somebody's name can stand."""


_TYPED = re.compile(r"(Why: |(?:PP|XP) \([+-][0-9]+, )([^;)\n]*)")
"""Where in an old line of the log stands what somebody typed."""


_CLOSED = re.compile(r"(?<=Closed are the rolls of )[^;.\n]*")


@dataclass(frozen=True, slots=True)
class Erasure:
    """Somebody who is forgotten: their Discord id, and all names they go by.

    Of the `names` those that are `left` are no character's, and those that are `shared` mean something else
    at the table too.
    """

    person: int
    names: frozenset[str]
    left: frozenset[str]
    shared: frozenset[str] = frozenset()
    steps: frozenset[int] = frozenset()
    """The numbers of the steps that they made."""
    is_author: bool = False
    """Whether the texts are of a step that they made, so that the notes in them are theirs."""

    def person_in(self, text: str) -> str:
        """The name of a person, or Somebody: a person goes by all of the names."""
        return SOMEBODY if key(text) in set(map(key, self.names)) else text

    def name_in(self, text: str) -> str:
        """The name of somebody at the table, or Somebody."""
        return SOMEBODY if self.is_left(text) else text

    def is_left(self, text: str) -> bool:
        """Whether a name is theirs, and no character's."""
        return key(text) in set(map(key, self.left))

    def note(self, text: str) -> str:
        """What somebody typed, without the names."""
        return erase_names(text, self.names - self.shared)

    def own_note(self, text: str, player: int) -> str:
        """What was typed for a roll; DELETED where it is their own."""
        return DELETED if text and player == self.person else text

    def reworded(self, says: TextMark, text: str) -> str:
        """A text of that sort without the names."""
        match says:
            case TextMark.PERSON:
                return self.person_in(text)
            case TextMark.NAME:
                return self.name_in(text)
            case TextMark.NOTE:
                return DELETED if text and self.is_author else self.note(text)
            case TextMark.LABEL:
                return text
            case _:
                assert_never(says)

    def line(self, text: str) -> str:
        """A line of the log without the names; one that is a character's goes only from who plays."""
        for name in self.names - self.left:
            text = forgotten_player(text, name)
        return forgotten_line(text, self.left, self.shared)


def forgotten_line(line: str, names: frozenset[str], shared: frozenset[str] = frozenset()) -> str:
    """A line of the log without a person's names; one that is `shared` goes only where a person stands.

    One in small letters could be a word of the line itself: it goes there too, and from what was typed.
    """
    line = _TYPED.sub(lambda found: found[1] + erase_names(found[2], names - shared), line)
    shared |= frozenset(name for name in names if name.islower())
    line = erase_names(line, names - shared)
    for name in sorted(shared & names, key=len, reverse=True):
        word = re.escape(name)
        begins = rf"(^|; |\n|: ){word}(?=: | · | is | wins | stays | gives | uses | names | and )"
        line = re.sub(begins, rf"\g<1>{SOMEBODY}", forgotten_player(line, name))
        for before, behind in _STANDS:
            line = re.sub(rf"(?<={before}){word}(?={behind})", SOMEBODY, line)
        closed = _CLOSED.search(line)
        if closed:
            line = line.replace(closed[0], erase_names(closed[0], frozenset({name})))
    return line


def forgotten_player(line: str, name: str) -> str:
    """A line of the log in which nobody of that name plays anybody, or is GM; a character keeps it."""
    word = re.escape(name)
    line = re.sub(rf"(?<=played by ){word}(?!\w)", SOMEBODY, line)
    return re.sub(rf"(?<!\w){word}(?= is (?:no longer )?GM\b)", SOMEBODY, line)


def erase_names(text: str, names: frozenset[str]) -> str:
    """A text that says somebody wherever one of the names stands as a word."""
    # The longest first, or a part of a name would be left of the other.
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", SOMEBODY, text)
    return text


def unread(kept: str, person: int, names: frozenset[str]) -> str:
    """What cannot be read, as JSON, without a person: nobody knows where in it they stand, so everywhere."""
    before = json.loads(kept)
    said = [rf"(?<!\d){person}(?!\d)", *(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names)]
    said.sort(key=len, reverse=True)

    def leave(part: Any) -> Any:
        if isinstance(part, str):
            return re.sub("|".join(said), SOMEBODY, part, flags=re.IGNORECASE)
        if isinstance(part, dict):
            return {leave(name): leave(each) for name, each in part.items()}
        if isinstance(part, list):
            return [leave(each) for each in part]
        return 0 if not isinstance(part, bool) and part == person else part

    after = leave(before)
    return kept if after == before else json.dumps(after)
