"""Names: clean up typed names, look them up, find them in facts, and erase a person's names."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum, StrEnum, auto
from functools import lru_cache
from typing import Annotated, Any, TypeVar, assert_never, cast, get_args, get_type_hints

from msgspec import field

from rules.errors import Ambiguous, NotAllowed, Unknown, Unreadable
from rules.terms import later
from rules.text import AND, OR, Phrase, Row, Words, counted, shorten
from rules.values import Value, replace

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
    """Return whether a character is visible, or is a joiner that visible text needs."""
    return character in _JOINERS or unicodedata.category(character)[0] != "C"


def spelt(name: str) -> str:
    """Return a name for an error message, with invisible characters escaped.

    >>> spelt("Mira"), spelt("")
    ('Mira', '""')
    """
    return "".join(c if is_seen(c) else json.dumps(c)[1:-1] for c in name) or '""'


def clean(text: str, what: Phrase = NAME, longest: int = LONGEST) -> str:
    """Return a name on one line, without invisible characters and extra spaces.

    Raises Unreadable if nothing is left or it is too long.

    >>> clean("  Sister   Halda ")
    'Sister Halda'
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
    """Return whether text would be read as several names, because of a comma or semicolon."""
    return "," in name or ";" in name


def require_one(name: str) -> None:
    """Check that a name would be read as just one. Raises NotAllowed if it has a comma or semicolon."""
    if is_several(name):
        raise NotAllowed("Commas and semicolons separate names, so a name can't contain them.")


def former(name: str) -> str:
    """Return the name under which to count what a previous bearer of a name did.

    >>> former("Mira")
    'Mira (before)'
    """
    return f"{name} (before)"


def remark(text: str | None) -> str:
    """Return a note on one line, or "" for None or blank text. Raises Unreadable if it is too long."""
    return clean(text, NOTE, 200) if text and text.strip() else ""


def find(typed: str, names: Iterable[str], what: Phrase, as_typed: Callable[[str], str] = str) -> str:
    """Return the one name that is meant: an exact match, ignoring case, or else a unique prefix.

    Raises Ambiguous if several names begin that way; Unknown, with the nearest names, if none does.

    >>> find("mi", ["Mira", "Bolt"], NAME)
    'Mira'
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
    """Return what to try instead of an unknown name: the nearest names, else all of them.

    >>> str(offer("Boult", ["Mira", "Bolt"])), str(offer("Zed", ["Mira", "Bolt"]))
    ('Did you mean Bolt?', 'Try Mira or Bolt.')
    """
    names = list(dict.fromkeys(known))
    if not names:
        return Words("There are none yet.")
    near = alike(wanted, names)
    return DidYouMean(near) if near else Words("Try {names}.", names=one_of(names))


def there_are(names: Sequence[str]) -> Phrase:
    """Return how many names there are and the first five, or that there are none.

    >>> str(there_are(["Rope", "Lamp"])), str(there_are([]))
    ('There are 2: Rope and Lamp.', 'There are none yet.')
    """
    if not names:
        return Words("There are none yet.")
    if len(names) == 1:
        return Words("There's one: {name}.", name=names[0])
    return Words("There are {count}: {names}.", count=len(names), names=Row(shortened(names)))


class Candidates(Words):
    """Up to five names that may be meant; `as_typed` turns a name into what to type for it.

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
    """The question whether one of the `near` names was meant."""

    __slots__ = ()

    def __init__(self, near: Sequence[object], as_typed: Callable[[str], str] = str) -> None:
        super().__init__(near, as_typed, later("Did you mean {names}?"))


def alike(wanted: str, known: Iterable[str]) -> list[str]:
    """Return up to three names that resemble the typed one, best first.

    Names that have a later word beginning with it come before all others.

    >>> alike("crossbow", ["Notched crossbow", "Cross"])
    ['Notched crossbow']
    >>> alike("zed", ["Mira", "Bolt"])
    []
    """
    by_key = {name.casefold(): name for name in known}
    typed = wanted.casefold()
    within = [key for key in by_key if len(typed) > 2 and f" {typed}" in key]
    return [by_key[key] for key in within[:3] or get_close_matches(typed, by_key, n=3)]


def nearest(typed: str, known: Iterable[str]) -> str:
    """Return the one name that begins with the typed text, or else the most similar; "" if none is.

    >>> nearest("mi", ["Mira", "Bolt"]), nearest("Boult", ["Mira", "Bolt"]), nearest("x", ["Mira"])
    ('Mira', 'Bolt', '')
    """
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
    return [*names[:LISTED], counted(more, "{count} more", "{count} more")] if more > 0 else names


def _blank(character: str) -> str:
    return " " if character in "\t\n\r\v\f" else ""


class TextMark(Enum):
    """What a text in a fact is: the name of a character, person or thing, or free text."""

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
    """Return the key of a name, which is the same regardless of case."""
    return name.casefold()


class Coming(StrEnum):
    """Somebody's answer to a session invitation; AWAY if an absence answers for them."""

    IN = "in"
    MAYBE = "maybe"
    OUT = "out"
    AWAY = "away"


class Thread(Value):
    """An open note, as typed; only the GM sees one that is `secret`."""

    text: Note
    secret: bool = False
    about: Name = ""
    """Who or what it is about."""


class Reply(Value):
    """Somebody's answer, with the name they go by; `coming` is None after they were asked again."""

    name: str
    coming: Coming | None = None
    moved: int = 0
    """To which time of the session: what the plan's `moved` was."""
    said: int = 0
    """When, in milliseconds since 1970; 0 for who has planned the session, and pressed nothing."""


class Plan(Value):
    """The plan of the next session: the number of the step that made it, and the time in seconds since 1970.

    `at` is 0 while people vote on `times`. The session repeats every `weeks` weeks; 0 for never. A plan
    that `is_off` was called off; one that `is_over` has taken place, and was the last.
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
        """Whether people are still voting on a time."""
        return self.is_open and not self.at

    @property
    def is_open(self) -> bool:
        """Whether the session is still ahead."""
        return not (self.is_off or self.is_over)


_Part = TypeVar("_Part")


Reword = Callable[[TextMark, str], str]
"""Returns a marked text reworded."""


def said(part: object) -> Iterator[tuple[TextMark, str]]:
    """Yield every text in a fact that names somebody or was typed, with its kind."""
    found: list[tuple[TextMark, str]] = []

    def note(says: TextMark, text: str) -> str:
        found.append((says, text))
        return text

    reworded(part, note)
    return (each for each in found if each[1])


def reworded(part: _Part, reword: Reword) -> _Part:
    """Return facts with every name, label and note replaced by what `reword` returns for it."""
    return cast("_Part", _reworded(part, None, reword))


def _reworded(part: Any, says: TextMark | None, reword: Reword) -> Any:
    if isinstance(part, str):
        return reword(says, part) if says else part
    if isinstance(part, tuple):
        fresh = tuple(_reworded(each, says, reword) for each in part)
        return part if fresh == part else fresh
    if isinstance(part, Mapping):
        return {name: _reworded(each, says, reword) for name, each in part.items()}
    if not isinstance(part, Value):
        return part
    changes: dict[str, Any] = {}
    for name, what in _texts(type(part)).items():
        before = getattr(part, name)
        after = _reworded(before, what, reword)
        if after != before:
            changes[name] = after
    return replace(part, **changes) if changes else part


@lru_cache(maxsize=256)
def _texts(kind: type[Value]) -> Mapping[str, TextMark | None]:
    """The fields of a class, with what their texts say."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: _says(hints[name]) for name in kind.__struct_fields__}


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


class Erasure(Value):
    """A person whose data is deleted: their Discord id, and all names they go by.

    Of the `names`, those in `left` belong to no character, and those in `shared` also mean something
    else at the table.
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
        """Return a person's name, or SOMEBODY if it is one of the erased names."""
        return SOMEBODY if key(text) in set(map(key, self.names)) else text

    def name_in(self, text: str) -> str:
        """Return a character's name, or SOMEBODY if only the erased person goes by it."""
        return SOMEBODY if self.is_left(text) else text

    def is_left(self, text: str) -> bool:
        """Return whether a name is the person's and no character's."""
        return key(text) in set(map(key, self.left))

    def note(self, text: str) -> str:
        """Return free text with the person's names replaced."""
        return erase_names(text, self.names - self.shared)

    def own_note(self, text: str, player: int) -> str:
        """Return the note of a roll, or DELETED if the person made the roll."""
        return DELETED if text and player == self.person else text

    def reworded(self, says: TextMark, text: str) -> str:
        """Return a text without the person's names, according to its kind."""
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
        """Return an old log line without the person's names; a character of that name keeps it."""
        for name in self.names - self.left:
            text = forgotten_player(text, name)
        return forgotten_line(text, self.left, self.shared)


def forgotten_line(line: str, names: frozenset[str], shared: frozenset[str] = frozenset()) -> str:
    """Return an old log line without a person's names.

    A `shared` name, or one in lower case that could be a word of the line itself, is replaced only
    where a person's name must stand, and the latter in typed text too.
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
    """Return an old log line with a name replaced where it names a player or the GM, not a character.

    >>> forgotten_player("Mira is played by Mira; Mira is GM", "Mira")
    'Mira is played by Somebody; Somebody is GM'
    """
    word = re.escape(name)
    line = re.sub(rf"(?<=played by ){word}(?!\w)", SOMEBODY, line)
    return re.sub(rf"(?<!\w){word}(?= is (?:no longer )?GM\b)", SOMEBODY, line)


def erase_names(text: str, names: frozenset[str]) -> str:
    """Return a text with each of the names, as whole words, replaced by SOMEBODY.

    >>> erase_names("Al met Alma", frozenset({"Al"}))
    'Somebody met Alma'
    """
    # The longest first, or a part of a name would be left of the other.
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", SOMEBODY, text)
    return text


def unread(kept: str, person: int, names: frozenset[str]) -> str:
    """Return unreadable stored JSON without a person's id and names, wherever they may stand."""
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
