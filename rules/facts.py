"""Facts of every game: what happened at a table, as data.

A fact holds who, what, what was before and after, a reason out of a closed set, and a note as it was typed;
never a sentence. It is kept with its step, and others put it into words. Each game has facts of its own.
"""

from dataclasses import dataclass
from enum import StrEnum

from rules.names import Coming, Label, Name, Note, Person


@dataclass(frozen=True, slots=True)
class Fact:
    """Everything that can have happened."""


class Named:
    """What a fact tells of by its name, such as a pool of dice."""

    __slots__ = ()
    name: str


@dataclass(frozen=True, slots=True)
class Told(Fact):
    """A fact of a step of play."""


@dataclass(frozen=True, slots=True)
class Event(Told):
    """A fact that holds no roll, so that a roll can hold it as what followed."""


class Stretch(StrEnum):
    """The stretches of play that begin and end."""

    SESSION = "session"
    ACT = "act"
    SCENE = "scene"


class SeatChange(StrEnum):
    """What becomes of somebody's seat at the table."""

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
    """What becomes of a campaign as a whole."""

    ARCHIVED = "archived"
    HERE = "here"
    LEFT = "left"
    JOINED = "joined"
    REPLACED = "replaced"
    DELETED = "deleted"
    RESTORED = "restored"


class Boundary(StrEnum):
    """What a table keeps out of play, or out of sight."""

    LINE = "line"
    VEIL = "veil"


@dataclass(frozen=True, slots=True)
class Began(Event):
    """A session, an act or a scene began; each has its number, a scene its name, and the day it is on.

    Of a session, `missed` are those who had said that they cannot come.
    """

    what: Stretch
    number: int
    name: Label = ""
    day: Label = ""
    missed: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """A session, an act or a scene ended; `closed` are those whose rolls can no longer be changed.

    Of a session that began before its time, `missed` are those who had said that they cannot come.
    """

    what: Stretch
    number: int
    name: Label = ""
    closed: tuple[Name, ...] = ()
    missed: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class Noted(Event):
    """Something was noted for the recap, as it was typed; what is `secret` is the GM's alone.

    What `is_open` stays until it is done; `about` is who or what it is about.
    """

    text: Note
    secret: bool = False
    is_open: bool = False
    about: Name = ""


@dataclass(frozen=True, slots=True)
class NoteDone(Event):
    """Of something that was open nothing is left to do, or to find out."""

    text: Note
    secret: bool = False


@dataclass(frozen=True, slots=True)
class RollNoted(Event):
    """Somebody said later what a roll was for; of one that is `secret`, to the GM alone."""

    roll: int
    who: Name
    note: Note
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Quoted(Event):
    """What somebody wrote is kept as they wrote it: `by` whom, and as which character they said it.

    Of what is taken out no `text` is left. `player` is who wrote it, `message` the one that it stood in.
    """

    text: Note
    by: Person = ""
    who: Name = ""
    player: int = 0
    message: int = 0


@dataclass(frozen=True, slots=True)
class Titled(Event):
    """A session has a title."""

    number: int
    title: Label


@dataclass(frozen=True, slots=True)
class Planned(Event):
    """The next session is to be at a time, in seconds since 1970; `was` is when it was to be, if it moved.

    It may be one of several times that people were `asked` for, and have so many players at `least`.
    """

    at: int
    note: Note = ""
    weeks: int = 0
    was: int = 0
    asked: bool = False
    least: int = 0


@dataclass(frozen=True, slots=True)
class TimesAsked(Event):
    """People are asked which of several times suits them; `was` is when the session was to be before."""

    times: tuple[int, ...]
    note: Note = ""
    weeks: int = 0
    was: int = 0
    least: int = 0


@dataclass(frozen=True, slots=True)
class TimeSuited(Event):
    """Somebody can play at one of the times that are asked for, or no longer."""

    who: Name
    at: int
    can: bool = True


@dataclass(frozen=True, slots=True)
class CalledOff(Event):
    """The session that was to be at that time is not; at 0 where people were only asked for a time."""

    at: int


@dataclass(frozen=True, slots=True)
class Replied(Event):
    """Somebody says whether they come to the session of that time."""

    who: Name
    coming: Coming
    at: int


@dataclass(frozen=True, slots=True)
class Seated(Event):
    """Somebody took a seat, or left one; `by` is who plays them, `was` their name before."""

    who: Name
    seat: SeatChange
    by: Person = ""
    was: Name = ""


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A campaign as a whole was put away, woken, deleted, or is played in another channel."""

    name: Label
    fate: Fate


@dataclass(frozen=True, slots=True)
class SettingChanged(Event):
    """A setting of the campaign has another value, as people type it."""

    setting: str
    value: str
    value_before: str = ""
    """Empty for a new campaign, and in old steps."""


@dataclass(frozen=True, slots=True)
class SettingsKept(Event):
    """What another ruleset left as it had been changed by hand: settings and their values."""

    settings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SheetChanged(Event):
    """Somebody's sheet was edited as a whole."""

    who: Name


@dataclass(frozen=True, slots=True)
class PortraitChanged(Event):
    """Somebody has another portrait, or none any more where it `is_gone`."""

    who: Name
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class Imported(Event):
    """A table came from a file, with these characters at it."""

    what: Label
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class StepsLost(Event):
    """So many steps up to that number cannot be read any more, and what they did is not on the table."""

    number: int
    count: int


@dataclass(frozen=True, slots=True)
class BoundaryChanged(Event):
    """The table has a line or a veil, or has it no more where it `is_gone`; never by whom."""

    kind: Boundary
    what: Note
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class OldWords(Event):
    """What an old step said, in the words of its time."""

    text: Note


@dataclass(frozen=True, slots=True)
class Illegible(Event):
    """Something that this version cannot read: its kind, if it says one, and what is kept there, as JSON.

    It is never kept as such: what was there is written back as it was.
    """

    kind: Label
    kept: Note = "null"


@dataclass(frozen=True, slots=True)
class Undone(Fact):
    """A step was taken back; `facts` are what it had done."""

    step: int
    facts: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Redone(Fact):
    """A step that had been taken back was put back."""

    step: int
    facts: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class QuoteTakenOut(Fact):
    """What somebody had written is kept no longer; `by` and `who` are as of the quotation."""

    by: Person = ""
    who: Name = ""


@dataclass(frozen=True, slots=True)
class Forgotten(Fact):
    """Somebody's data was deleted, as they asked."""

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
