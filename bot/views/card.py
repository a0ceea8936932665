"""Cards: what a message says and offers, before it becomes a message; paging, and unreadable parts."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from zlib import crc32

import structlog

from bot.language import say
from bot.language.line import BREAK, Line, Part, Strong, Text
from bot.language.printers import Faces, spelled
from bot.language.said import UNSAID, said, width
from rules.names import Plan
from rules.table import Character, Rolled
from rules.values import replace


class Tone(Enum):
    """How things went for the person who acted; it never says anything that the words don't."""

    CALM = "calm"
    GOOD = "good"
    GREAT = "great"
    BAD = "bad"
    WORST = "worst"


class Weight(Enum):
    """How prominent a button is."""

    QUIET = "quiet"
    MAIN = "main"
    GOOD = "good"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """A button: its label, its verb, and the step and subject that it is about.

    A button with an `address` is only a link. The `hint` is shown below it in a menu.
    """

    label: Text
    verb: str
    number: int = 0
    subject: str = ""
    weight: Weight = Weight.QUIET
    address: str = ""
    hint: Text = ""


def led(*rows: Sequence[Button], but: Collection[str] = ()) -> tuple[tuple[Button, ...], ...]:
    """Return rows of buttons with the first one colored, as the likeliest; empty rows are dropped.

    Buttons with one of the verbs `but` stay uncolored, as does everything below the first row.
    """
    quiet = [
        [each if each.weight is Weight.QUIET else replace(each, weight=Weight.QUIET) for each in row]
        for row in rows
        if row
    ]
    for place, each in enumerate(quiet[0] if quiet else ()):
        if each.verb not in but:
            quiet[0][place] = replace(each, weight=Weight.MAIN)
            break
    return tuple(map(tuple, quiet))


@dataclass(frozen=True, slots=True)
class Option:
    """An option in a form or a menu."""

    label: Text
    value: str
    hint: Text = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu in a message: its placeholder, verb, subject and options.

    `chosen` holds the currently selected values; at most `most` can be selected.
    """

    label: Text
    verb: str
    subject: str
    options: tuple[Option, ...]
    chosen: tuple[str, ...] = ()
    most: int = 1


@dataclass(frozen=True, slots=True)
class Document:
    """A file attached to a card: its name and content."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Invitation:
    """A session as a calendar entry: its plan, table, number, time and note.

    `sequence` counts changes. With `is_gone` the session is no longer planned, unless it has taken place.
    """

    number: int
    table: str
    session: int
    at: int
    note: str
    sequence: int
    is_off: bool = False
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture on a card: its file name, its PNG, and its alt text."""

    name: str
    data: bytes
    alt: Text


@dataclass(frozen=True, slots=True)
class Portrait:
    """A character's picture next to text about them: its URL, and whom it shows.

    An uploaded one has a `digest`, and is sent as a file once its `data` are loaded.
    """

    address: str
    alt: Text
    digest: str = ""
    data: bytes = b""

    @staticmethod
    def named(digest: str) -> str:
        """Return the file name of a portrait with that digest."""
        return f"portrait-{digest[:16]}.webp"

    @property
    def file(self) -> str:
        """The file name of this portrait."""
        return self.named(self.digest)


@dataclass(frozen=True, slots=True)
class Card:
    """A card: lines, menus, button rows, the people concerned, the roll or plan shown, and a file.

    A card with a `tone` is set apart as a block; without one it is a line or two among other messages.
    `news` is a card to be sent as a separate message when this one only edits a message.
    """

    lines: tuple[Text, ...]
    rows: tuple[tuple[Button, ...], ...] = ()
    private: bool = False
    calls: tuple[int, ...] = ()
    roll: Rolled | Plan | None = None
    opposed: Rolled | None = None
    """The roll that `roll` is compared with: when it changes, the card changes."""
    news: "Card | None" = None
    menus: tuple[Menu, ...] = ()
    document: Document | None = None
    tone: Tone | None = None
    faces: Faces = field(default_factory=dict)
    """What rolled dice are drawn with."""
    portrait: Portrait | None = None
    is_in_words: bool = False
    """The table wants no pictures of dice."""
    are_buttons_first: bool = False
    """Its buttons stand above its menus."""
    more: tuple[Button, ...] = ()
    """Further buttons, which are the options of a menu `More` below the others."""
    pictures: tuple[Picture, ...] = ()
    invitation: Invitation | None = None
    shown: Document | None = None
    """A file that stands in the message, as the invitation is once it is written."""

    @property
    def text(self) -> str:
        """All lines as they are read aloud, separated by newlines."""
        return "\n".join(spelled(each) for each in self.lines if each != BREAK)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form: text on one line or several, options to choose from, or a file.

    Input is read by `key`, independent of the label. One option can be selected, or `least` to `most`;
    their values are then in `value`, separated by commas. `otherwise` is shown while nothing is typed;
    unlike `value`, it doesn't have to be deleted first. A file's value is its number.
    """

    key: str
    label: Text
    value: str = ""
    options: tuple[Option, ...] = ()
    hint: Text = ""
    required: bool = True
    otherwise: str = ""
    lines: bool = False
    least: int = 1
    most: int = 1
    is_file: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """A form: its title and fields, with the likeliest answers filled in.

    `subject` is sent with it, if it isn't the subject of the button that opens the form.
    """

    title: Text
    fields: tuple[Field, ...]
    subject: str | None = None


MOST_IN_ROW = 5
"""Discord shows so many buttons in a row."""
MOST_SHOWN = 5
"""A card that can be pressed in many ways shows so many buttons; the others are in a menu."""
ROW_WIDTH = 41
"""A phone's row of buttons has room for so many characters, of which each button takes 4 for its edges."""


def phone_rows(
    actions: Sequence[Button],
    choices: Sequence[Button],
    needed: Sequence[Button] = (),
    rest: Sequence[Button] = (),
) -> tuple[tuple[tuple[Button, ...], tuple[Button, ...]], tuple[Button, ...]]:
    """Return the buttons that fit into two rows of a phone, and those that go into the menu `More`.

    The first row has actions, the likeliest first; the second has all that are `needed`, then the other
    actions and the choices that fit. The `rest` is always in the menu, unless it is a single button.
    """
    room = MOST_SHOWN - len(needed)
    first, left = _fitting(actions, ROW_WIDTH, room)
    wide = ROW_WIDTH - sum(map(_wide, needed))
    second, more = _fitting([*left, *choices], wide, room - len(first))
    hidden = [*more, *rest]
    is_one = len(hidden) == 1 and len(first) + len(second) < room
    if is_one and _wide(hidden[0]) <= wide - sum(map(_wide, second)):
        return (tuple(first), (*needed, *second, *hidden)), ()
    return (tuple(first), (*needed, *second)), tuple(hidden)


def _fitting(buttons: Sequence[Button], wide: int, most: int) -> tuple[list[Button], list[Button]]:
    """The buttons that fit into a row, and the others, each in their order."""
    found: list[Button] = []
    left: list[Button] = []
    for each in buttons:
        takes = _wide(each)
        if len(found) < most and takes <= wide:
            found.append(each)
            wide -= takes
        else:
            left.append(each)
    return found, left


def _wide(button: Button) -> int:
    return width(button.label) + 4


def mark(text: str) -> str:
    """Return a short hash of a text, regardless of case, where there is no room for the text itself.

    >>> mark("Mira") == mark("MIRA"), len(mark("Mira"))
    (True, 8)
    """
    return f"{crc32(text.casefold().encode()):08x}"


def private(*lines: Text) -> Card:
    """Return a card that only one person sees."""
    return Card(lines, private=True)


LONGEST_LINE = 900
"""A longer line is broken in two; escaped twice over, one still fits into a plain message."""
_BETWEEN, _SPACE = re.compile("[,;.] "), re.compile(" ")


def pages(
    lines: Sequence[Text], longest: int = 3900, size: Callable[[Text], int] = width
) -> list[tuple[Text, ...]]:
    """Return lines split into pages that fit into a message each; a line too long for one is broken up.

    `size` measures how many characters a line takes in the message.

    >>> pages(["Mira", "Bolt", "Nova"], longest=10)
    [('Mira', 'Bolt'), ('Nova',)]
    """
    found: list[tuple[Text, ...]] = []
    page: list[Text] = []
    room = longest
    for each in lines:
        for part in _broken(said(each)):
            taken = size(part) + 1
            if page and taken > room:
                found.append(tuple(page))
                page, room = [], longest
            page.append(part)
            room -= taken
    return [*found, tuple(page)]


def _broken(text: Text) -> Iterator[Text]:
    """Break a text into parts that are not too long: between names, else between words, inside no span."""
    while width(text) > LONGEST_LINE:
        if isinstance(text, str):
            at = _last_place(text, LONGEST_LINE) or _last_place(text, LONGEST_LINE, _SPACE) or LONGEST_LINE
            yield text[:at].rstrip(" ")
            text = text[at:]
            continue
        head, left = _parted(text)
        if not left:
            break
        yield replace(head, style=text.style)
        text = left
    yield text


def _last_place(text: str, room: int, between: re.Pattern[str] = _BETWEEN) -> int:
    """How much of a text is before the last place where it can be broken; 0 where it has none."""
    return max((found.end() for found in between.finditer(text[: max(0, room)])), default=0)


def _parted(of: Line) -> tuple[Line, Line]:
    """As much of a line as is not too long, and what is left of it."""
    room, at, after_word = LONGEST_LINE, (0, 0), (0, 0)
    for place, part in enumerate(of.parts):
        if isinstance(part, str) and (found := _last_place(part, room)):
            at = (place, found)
        if isinstance(part, str) and (found := _last_place(part, room, _SPACE)):
            after_word = (place, found)
        room -= width(Line((part,)))
        if room < 0:
            break
    first, *others = of.parts
    if at == (0, 0) and place == 0 and isinstance(first, Strong) and width(Line(first.parts)) > LONGEST_LINE:
        head, left = _parted(Line(first.parts))
        rest = (Strong(left.parts), *others) if left else tuple(others)
        return Line((Strong(head.parts),)), Line(rest)
    if at == (0, 0):
        at = after_word
    if at == (0, 0):  # nowhere to break: inside a word, else before the span that is too much
        at = (place, len(part) + room if isinstance(part, str) else 0)
    place, inside = at
    middle = of.parts[place]
    if not isinstance(middle, str):
        return _line(*of.parts[: place or 1]), _line(*of.parts[place or 1 :])
    before, after = middle[:inside].rstrip(" "), middle[inside:]
    return _line(*of.parts[:place], before), _line(after, *of.parts[place + 1 :])


def _line(*parts: Part) -> Line:
    return Line(tuple(part for part in parts if part != ""))


log = structlog.get_logger(__name__)


def illegible(kind: str) -> Text:
    """Return the line for something that can't be read, with its kind if known."""
    return say("something this version can't read ({kind})", kind=kind) if kind else say(UNSAID)


def or_illegible(words: Callable[[], list[Text]], kind: str) -> list[Text]:
    """Return the lines from `words`, or the line that it can't be shown if they can't be made."""
    try:
        return words()
    except Exception as error:
        log.warning("fact not rendered", kind=kind, reason=repr(error))
        return [illegible(kind)]


_ADDRESS = re.compile(r"https://[^\s/.]+\.[^\s/]+/\S{1,1900}")


def portrait_of(character: Character) -> Portrait | None:
    """Return a character's picture: the uploaded one, or the one at a URL that Discord accepts."""
    if character.picture:
        alt = character.picture_alt or say("Portrait of {who}", who=character.name)
        return Portrait(f"attachment://{Portrait.named(character.picture)}", alt, character.picture)
    if not _ADDRESS.fullmatch(character.portrait):
        return None
    return Portrait(character.portrait, say("Portrait of {who}", who=character.name))
