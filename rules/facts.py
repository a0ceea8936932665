"""Facts shared by every game: what happened at a table, as data.

A fact holds who, what, the values before and after, a reason from a closed set, and notes as they were
typed, but never a sentence. Facts are stored with their step, and other modules put them into words.
Each game has facts of its own as well.
"""

from dataclasses import dataclass
from enum import StrEnum

from rules.names import Coming, Label, Name, Note, Person


@dataclass(frozen=True, slots=True)
class Fact:
    """Base class of everything that can have happened."""


class Named:
    """Something that a fact refers to by its name, such as a pool of dice."""

    __slots__ = ()
    name: str


@dataclass(frozen=True, slots=True)
class Told(Fact):
    """A fact that belongs to a step of play."""


@dataclass(frozen=True, slots=True)
class Event(Told):
    """A fact that holds no roll, so that a roll can list it among its consequences."""


class Stretch(StrEnum):
    """The stretches of play: sessions, acts and scenes."""

    SESSION = "session"
    ACT = "act"
    SCENE = "scene"


class SeatChange(StrEnum):
    """What happened to somebody's seat at the table."""

    NEW = "new"
    PLAYED = "played"
    GM = "gm"
    NO_GM = "no gm"
    STAYS_GM = "stays gm"
    RENAMED = "renamed"
    LEAVES = "leaves"
    ENTERS = "enters"
    ENTERS_ORDER = "enters order"
    WAITS = "waits"
    IMPORTED = "imported"
    IMPORTED_PLAYED = "imported played"


class Fate(StrEnum):
    """What happened to a campaign as a whole."""

    ARCHIVED = "archived"
    HERE = "here"
    LEFT = "left"
    JOINED = "joined"
    REPLACED = "replaced"
    DELETED = "deleted"
    RESTORED = "restored"


class Boundary(StrEnum):
    """What a table keeps out of play (a line) or off-screen (a veil)."""

    LINE = "line"
    VEIL = "veil"


@dataclass(frozen=True, slots=True)
class Began(Event):
    """A session, an act or a scene began; each has a number, a scene also a name and its day in the story.

    For a session, `missed` lists those who had said that they couldn't come.
    """

    what: Stretch
    number: int
    name: Label = ""
    day: Label = ""
    missed: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """A session, an act or a scene ended; `closed` lists those whose rolls can no longer be changed.

    For a session that began early, `missed` lists those who had said that they couldn't come.
    """

    what: Stretch
    number: int
    name: Label = ""
    closed: tuple[Name, ...] = ()
    missed: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class Noted(Event):
    """A note for the recap, as typed; only the GM sees one that is `secret`.

    A note with `is_open` stays listed until it is done; `about` names who or what it is about.
    """

    text: Note
    secret: bool = False
    is_open: bool = False
    about: Name = ""


@dataclass(frozen=True, slots=True)
class NoteDone(Event):
    """An open note was marked as done."""

    text: Note
    secret: bool = False


@dataclass(frozen=True, slots=True)
class RollNoted(Event):
    """Somebody added or changed the note of a roll; only the GM sees one that is `secret`."""

    roll: int
    who: Name
    note: Note
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Quoted(Event):
    """A quoted message: `by` is the person who wrote it, `who` the character they spoke as.

    A quote that was taken out has no `text`. `player` is the writer's Discord id, `message` the message's.
    """

    text: Note
    by: Person = ""
    who: Name = ""
    player: int = 0
    message: int = 0


@dataclass(frozen=True, slots=True)
class Titled(Event):
    """A session was given a title."""

    number: int
    title: Label


@dataclass(frozen=True, slots=True)
class Planned(Event):
    """The next session was planned or moved; times are in seconds since 1970, `was` the time before a move.

    `asked` means that the time was picked from a poll; `least` is the least number of players needed.
    """

    at: int
    note: Note = ""
    weeks: int = 0
    was: int = 0
    asked: bool = False
    least: int = 0


@dataclass(frozen=True, slots=True)
class TimesAsked(Event):
    """A poll of times for the next session was started; `was` is the time planned before, if any."""

    times: tuple[int, ...]
    note: Note = ""
    weeks: int = 0
    was: int = 0
    least: int = 0


@dataclass(frozen=True, slots=True)
class TimeSuited(Event):
    """Somebody said that one of the times in a poll suits them, or no longer does."""

    who: Name
    at: int
    can: bool = True


@dataclass(frozen=True, slots=True)
class CalledOff(Event):
    """The session planned for that time was called off; `at` is 0 if it was a poll of times."""

    at: int


@dataclass(frozen=True, slots=True)
class Replied(Event):
    """Somebody said whether they will come to the session at that time."""

    who: Name
    coming: Coming
    at: int


@dataclass(frozen=True, slots=True)
class Seated(Event):
    """Somebody's seat changed; `by` is the person who plays them, `was` their former name."""

    who: Name
    seat: SeatChange
    by: Person = ""
    was: Name = ""


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A campaign was archived, woken, deleted, restored or moved to another channel."""

    name: Label
    fate: Fate


@dataclass(frozen=True, slots=True)
class SettingChanged(Event):
    """A campaign setting was changed; values are as people type them."""

    setting: str
    value: str
    value_before: str = ""
    """Empty for a new campaign, and in old steps."""


@dataclass(frozen=True, slots=True)
class SettingsKept(Event):
    """Settings changed by hand that a change of ruleset left alone, with their values."""

    settings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SheetChanged(Event):
    """Somebody's sheet was edited as a whole."""

    who: Name


@dataclass(frozen=True, slots=True)
class PortraitChanged(Event):
    """Somebody's portrait was changed, or removed if `is_gone`."""

    who: Name
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class Imported(Event):
    """A table was imported from a file, with these characters."""

    what: Label
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class StepsLost(Event):
    """A number of steps, up to this one, can't be read any more, and their effects are not on the table."""

    number: int
    count: int


@dataclass(frozen=True, slots=True)
class BoundaryChanged(Event):
    """A line or veil was added, or removed if `is_gone`; nothing records by whom."""

    kind: Boundary
    what: Note
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class OldWords(Event):
    """The text of an old step, in the wording of its time."""

    text: Note


@dataclass(frozen=True, slots=True)
class Illegible(Event):
    """A fact that this version can't read: its kind, if known, and the stored value as JSON.

    It is never stored in this form: the original value is written back unchanged.
    """

    kind: Label
    kept: Note = "null"


@dataclass(frozen=True, slots=True)
class Undone(Fact):
    """A step was undone; `facts` are that step's."""

    step: int
    facts: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Redone(Fact):
    """An undone step was redone; `facts` are that step's."""

    step: int
    facts: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class QuoteTakenOut(Fact):
    """A quote was deleted; `by` and `who` are those of the quote."""

    by: Person = ""
    who: Name = ""


@dataclass(frozen=True, slots=True)
class Forgotten(Fact):
    """Somebody's data was deleted at their request."""

    name: Name = ""


SharedEvent = (
    Began
    | Ended
    | Noted
    | NoteDone
    | RollNoted
    | Quoted
    | Titled
    | Planned
    | CalledOff
    | Replied
    | TimesAsked
    | TimeSuited
    | Seated
    | Moved
    | SettingChanged
    | SettingsKept
    | SheetChanged
    | PortraitChanged
    | Imported
    | StepsLost
    | BoundaryChanged
    | OldWords
    | Illegible
)
"""The facts of any table that hold no roll."""


SharedFact = SharedEvent | Undone | Redone | QuoteTakenOut | Forgotten
"""The facts of any table, whatever is played there."""
