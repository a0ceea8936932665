"""Names: clean up typed names, look them up, find them in facts, and erase a person's names."""

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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


_APOSTROPHES = "\u00b4\u02b9\u02bb\u02bc\u02bd\u02c8\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a\uff07"


_QUOTES = (
    "\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033\u2036\u2e42"
    "\u300c\u300d\u300e\u300f\u301d\u301e\u301f\uff02\uff62\uff63"
)


_DASHES = "\u02d7\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b"


PLAIN_SIGNS = str.maketrans(
    {**dict.fromkeys(_APOSTROPHES, "'"), **dict.fromkeys(_QUOTES, '"'), **dict.fromkeys(_DASHES, "-")}
)
"""The plain sign that stands for each kind of apostrophe, quotation mark and dash."""


_FOLDED_SIGNS = {**PLAIN_SIGNS, ord("`"): "'", 0xFE0E: "", 0xFE0F: ""}
"""The same where only looks count: a backtick is an apostrophe, and a picture's style doesn't matter."""


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Return the text by which names are compared: two that look the same are the same.

    Case, apostrophes, quotation marks, dashes, blanks, wide and composed letters don't matter, nor do
    characters that can't be seen. Superscripts and fractions stay, so that `x²` isn't `x2`.

    >>> fold("Will\u2011o\u2019\u2011the\u2011Wisp"), fold(" Ｓｉｓｔｅｒ\u00a0 Zoe\u0308 ")
    ("will-o'-the-wisp", 'sister zoë')
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.replace("`", "'").casefold().split())
    composed = unicodedata.normalize("NFC", text.translate(PLAIN_SIGNS))
    plain = (
        c if unicodedata.category(c) == "No" else unicodedata.normalize("NFKC", c)
        for c in composed
        if c.isprintable() or c.isspace()
    )
    folded = unicodedata.normalize("NFC", "".join(plain).casefold())
    return " ".join(folded.translate(_FOLDED_SIGNS).split())


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


DIE_IN_TEXT = re.compile(
    r"(?<![^\W_])(?:[0-9]+(?=[dw])|(?=[dw][0-9]+(?:s?(?![^\W_])|[dwx][0-9])))[dw](?:4|6|8|10|12|20)(?![0-9])",
    re.IGNORECASE,
)
"""A die that is a whole word, or a count of dice at the beginning of one."""


_MENTION = re.compile(r"<(?:@[!&]?|#)[0-9]{1,20}>|@(?:everyone|here)\b", re.IGNORECASE)


def has_die(text: str) -> str:
    """Return the first die inside a text; "" if it has none.

    >>> [has_die(name) for name in ("Rope d8", "K-d8", "2d6Fire", "D4vid", "R2D2", "Mark-4")]
    ['d8', 'd8', '2d6', '', '', '']
    """
    found = DIE_IN_TEXT.search(text)
    return found[0] if found else ""


def plain_name(name: str, die: str = "") -> str:
    """Return a name unchanged; `die` is one that was found in it in another notation.

    Raises Unreadable if it holds a die, or a mention of somebody, of a role or of everyone.
    """
    if die := die or has_die(fold(name)):
        raise Unreadable(
            "{label} has a die in it. Leave {die} out of the name.", label=shorten(name), die=die
        )
    return without_mention(name)


def without_mention(name: str) -> str:
    """Return a name unchanged. Raises Unreadable if it mentions somebody, a role or everyone."""
    if _MENTION.search(name):
        raise Unreadable("A name can't have a mention in it. Type the name instead.")
    return name


COMMAS = ",;\u060c\u061b\u3001\ufe50\ufe51\ufe54\uff0c\uff1b\uff64"
"""Every kind of comma and semicolon."""


def is_several(name: str) -> bool:
    """Return whether text would be read as several names, because of a comma or semicolon."""
    return any(sign in COMMAS for sign in name)


def strip_quotes(name: str) -> str:
    """Return a name without the quotation marks around it, of whatever kind.

    >>> strip_quotes("\u201cMira\u201d"), strip_quotes('Jack "Ace" Hart')
    ('Mira', 'Jack "Ace" Hart')
    """
    bare = name.strip()
    ends = (bare[:1] + bare[-1:]).translate(_FOLDED_SIGNS)
    return (bare[1:-1].strip() or name) if ends in ('""', "''") and len(bare) > 2 else name


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
    """Return the one name that is meant: the same name, however it is spelled, or else a unique prefix.

    Raises Ambiguous if several names look the same or begin that way; Unknown, with the nearest names, if
    none does.

    >>> find("mi", ["Mira", "Bolt"], NAME)
    'Mira'
    """
    known = list(dict.fromkeys(names))
    if (same := find_same(typed, known)) is not None:
        return same
    typed = strip_quotes(clean(typed, what))
    wanted = fold(typed)
    begun = [name for name in known if fold(name).startswith(wanted)]
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


def find_same(typed: str, names: Iterable[str]) -> str | None:
    """Return the name that looks the same as the typed one, or None.

    Raises Ambiguous if several look the same, as tables of older versions may have them; in quotation marks,
    one is meant exactly as it is spelled.

    >>> find_same("O\u2019BRIEN", ["O'Brien", "Bolt"]), find_same("O", ["O'Brien"])
    ("O'Brien", None)
    >>> find_same('"O\u2019Brien"', ["O'Brien", "O\u2019Brien"]) == "O\u2019Brien"
    True
    >>> find_same("\u00abbolt\u00bb", ["Bolt"])
    'Bolt'
    """
    known, wanted = list(names), fold(typed)
    same = [name for name in known if fold(name) == wanted]
    if not same and (bare := strip_quotes(typed)) != typed:
        wanted = fold(bare)
        same = [name for name in known if name == bare] or [name for name in known if fold(name) == wanted]
    if len(same) > 1:
        raise which_of(typed, same)
    return same[0] if same else None


def which_of(typed: str, same: Sequence[str]) -> Ambiguous:
    """Return the question which of several names that look the same is meant; the answer is quoted."""
    return Ambiguous(
        "Do you mean {same}? They look the same.",
        same=Lookalikes(same, '"{}"'.format, typed=typed),
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

    They replace the `typed` text, or else the value `typed` or `what` of the refusal.

    >>> str(Candidates(["Fire", "Flood"]))
    'Fire or Flood'
    """

    __slots__ = ("as_typed", "near", "typed")

    def __init__(
        self,
        near: Sequence[object],
        as_typed: Callable[[str], str] = str,
        sentence: str = "{names}",
        typed: str = "",
    ) -> None:
        super().__init__(sentence, names=one_of(near))
        self.near = near[:LISTED]
        self.as_typed = as_typed
        self.typed = typed


class Lookalikes(Candidates):
    """Names that look the same, of which one is typed in quotation marks."""

    __slots__ = ()


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
    by_key = {fold(name): name for name in known}
    typed = fold(wanted)
    within = [key for key in by_key if len(typed) > 2 and f" {typed}" in key]
    return [by_key[key] for key in within[:3] or get_close_matches(typed, by_key, n=3)]


def nearest(typed: str, known: Iterable[str]) -> str:
    """Return the one name that begins with the typed text, or else the most similar; "" if none is.

    >>> nearest("mi", ["Mira", "Bolt"]), nearest("Boult", ["Mira", "Bolt"]), nearest("x", ["Mira"])
    ('Mira', 'Bolt', '')
    """
    by_key = {fold(name): name for name in known}
    wanted = fold(typed)
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


_Thing = TypeVar("_Thing")


SCENE = "scene"
"""The key under which the scene owns traits of its own."""


def key(name: str) -> str:
    """Return the key under which something of that name is stored.

    Names that look the same may have different keys: `key_in` finds what is stored under any spelling.
    """
    return name.casefold()


def key_in(known: Collection[str], name: str) -> str:
    """Return the known key that looks the same as a name, or else the key of something new.

    >>> key_in(["o\u2019brien", "bolt"], "O'Brien") == "o\u2019brien", key_in(["bolt"], "Rope")
    (True, 'rope')
    """
    own = key(name)
    if own in known:
        return own
    wanted = fold(name)
    return next((each for each in known if fold(each) == wanted), own)


def get_named(known: Mapping[str, _Thing], name: str) -> _Thing | None:
    """Return what is stored under a name in any spelling, or None.

    >>> get_named({"o\u2019brien": 8}, "O'Brien"), get_named({"bolt": 6}, "Rope")
    (8, None)
    """
    return known.get(key_in(known, name))


def put_named(known: Mapping[str, _Thing], name: str, thing: _Thing) -> dict[str, _Thing]:
    """Return the mapping with something under this name, in the place of what has the name in any spelling.

    >>> put_named({"o\u2019brien": 8, "bolt": 6}, "O'Brien", 10)
    {"o'brien": 10, 'bolt': 6}
    """
    own, fresh = key_in(known, name), key(name)
    if own == fresh:
        return {**known, fresh: thing}
    return {fresh if k == own else k: thing if k == own else each for k, each in known.items()}


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
