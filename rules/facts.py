"""Facts shared by every game: what happened at a table, as data.

A fact holds who, what, the values before and after, a reason from a closed set, and notes as they were
typed, but never a sentence. Facts are stored with their step, and other modules put them into words.
Each game has facts of its own as well.
"""

from abc import ABCMeta
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, TypeVar

from rules.names import Coming, Label, Name, Note, Person
from rules.values import Value


class Fact(Value, tag_field="fact"):
    """Base class of everything that can have happened."""

    is_secret: ClassVar[bool] = False
    """Whether only the GM and the person who caused it may see it."""


def tag_of(kind: type[Fact]) -> str:
    """Return the tag under which facts of a class are stored."""
    return str(kind.__struct_config__.tag)


_Kind = TypeVar("_Kind", bound=type[Fact])


class FactKinds:
    """The kinds of facts of a game, each declared by decorating its class.

    >>> dice = FactKinds()
    >>> @dice.kind(was="Throw")
    ... class DiceThrown(Fact, tag="thrown"):
    ...     pass
    >>> dice.tags == {DiceThrown: "thrown"}, sorted(dice.by_tag)
    (True, ['Throw', 'thrown'])
    """

    def __init__(self) -> None:
        self.tags: dict[type[Fact], str] = {}
        """The tag under which each kind is stored."""
        self.by_tag: dict[str, type[Fact]] = {}
        """The kind of each tag, former ones too."""

    def kind(self, *, was: str = "", is_secret: bool = False) -> Callable[[_Kind], _Kind]:
        """Declare a class of facts. Its tag, which never changes, is the class's; `was` is its former one.

        Raises LookupError if another class has that tag.
        """

        def declared(kind: _Kind) -> _Kind:
            tag = tag_of(kind)
            for name in filter(None, (tag, was)):
                if name in self.by_tag:
                    raise LookupError(f"{name} is the tag of {self.by_tag[name].__name__}")
                self.by_tag[name] = kind
            self.tags[kind] = tag
            if is_secret:
                kind.is_secret = True
            return kind

        return declared


SHARED_FACTS = FactKinds()
"""The facts of every table; all but `Illegible`, which is never stored as such."""


class Named:
    """Something that a fact refers to by its name, such as a pool of dice."""

    __slots__ = ()
    name: str


class Told(Fact):
    """A fact that belongs to a step of play."""


class Event(Told):
    """A fact that holds no roll, so that a roll can list it among its consequences."""


# Annotations of stored values use these names for facts. msgspec then asks the codec, which knows the kinds
# of every game by their tags.
if TYPE_CHECKING:
    AnyFact = Fact
    AnyTold = Told
    AnyEvent = Event
else:
    AnyFact = ABCMeta("AnyFact", (), {})
    AnyTold = ABCMeta("AnyTold", (AnyFact,), {})
    AnyEvent = ABCMeta("AnyEvent", (AnyTold,), {})
    AnyFact.register(Fact)
    AnyTold.register(Told)
    AnyEvent.register(Event)


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


@SHARED_FACTS.kind(was="Began")
class Began(Event, tag="began"):
    """A session, an act or a scene began; each has a number, a scene also a name and its day in the story.

    For a session, `missed` lists those who had said that they couldn't come. `told` is what a ready-made
    story says of a scene, to be read aloud.
    """

    what: Stretch
    number: int
    name: Label = ""
    day: Label = ""
    missed: tuple[Name, ...] = ()
    told: Note = ""


@SHARED_FACTS.kind(was="Ended")
class Ended(Event, tag="ended"):
    """A session, an act or a scene ended; `closed` lists those whose rolls can no longer be changed.

    For a session that began early, `missed` lists those who had said that they couldn't come.
    """

    what: Stretch
    number: int
    name: Label = ""
    closed: tuple[Name, ...] = ()
    missed: tuple[Name, ...] = ()


@SHARED_FACTS.kind(was="Noted")
class Noted(Event, tag="noted"):
    """A note for the recap, as typed; only the GM sees one that is `secret`.

    A note with `is_open` stays listed until it is done; `about` names who or what it is about.
    """

    text: Note
    secret: bool = False
    is_open: bool = False
    about: Name = ""


@SHARED_FACTS.kind()
class NoteDone(Event, tag="note done"):
    """An open note was marked as done."""

    text: Note
    secret: bool = False


@SHARED_FACTS.kind()
class RollNoted(Event, tag="roll noted"):
    """Somebody added or changed the note of a roll; only the GM sees one that is `secret`."""

    roll: int
    who: Name
    note: Note
    secret: bool = False


@SHARED_FACTS.kind()
class Quoted(Event, tag="quoted"):
    """A quoted message: `by` is the person who wrote it, `who` the character they spoke as.

    A quote that was taken out has no `text`. `player` is the writer's Discord id, `message` the message's.
    """

    text: Note
    by: Person = ""
    who: Name = ""
    player: int = 0
    message: int = 0


@SHARED_FACTS.kind(was="Titled")
class Titled(Event, tag="titled"):
    """A session was given a title."""

    number: int
    title: Label


@SHARED_FACTS.kind(was="Planned")
class Planned(Event, tag="planned"):
    """The next session was planned or moved; times are in seconds since 1970, `was` the time before a move.

    `asked` means that the time was picked from a poll; `least` is the least number of players needed.
    """

    at: int
    note: Note = ""
    weeks: int = 0
    was: int = 0
    asked: bool = False
    least: int = 0


@SHARED_FACTS.kind()
class TimesAsked(Event, tag="times asked"):
    """A poll of times for the next session was started; `was` is the time planned before, if any."""

    times: tuple[int, ...]
    note: Note = ""
    weeks: int = 0
    was: int = 0
    least: int = 0


@SHARED_FACTS.kind()
class TimeSuited(Event, tag="time suited"):
    """Somebody said that one of the times in a poll suits them, or no longer does."""

    who: Name
    at: int
    can: bool = True


@SHARED_FACTS.kind(was="CalledOff")
class CalledOff(Event, tag="called off"):
    """The session planned for that time was called off; `at` is 0 if it was a poll of times."""

    at: int


@SHARED_FACTS.kind(was="Replied")
class Replied(Event, tag="replied"):
    """Somebody said whether they will come to the session at that time."""

    who: Name
    coming: Coming
    at: int


@SHARED_FACTS.kind(was="Seated")
class Seated(Event, tag="seated"):
    """Somebody's seat changed; `by` is the person who plays them, `was` their former name."""

    who: Name
    seat: SeatChange
    by: Person = ""
    was: Name = ""


@SHARED_FACTS.kind(was="Moved")
class Moved(Event, tag="moved"):
    """A campaign was archived, woken, deleted, restored or moved to another channel."""

    name: Label
    fate: Fate


@SHARED_FACTS.kind(was="SettingChanged")
class SettingChanged(Event, tag="setting"):
    """A campaign setting was changed; values are as people type them."""

    setting: str
    value: str
    value_before: str = ""
    """Empty for a new campaign, and in old steps."""


@SHARED_FACTS.kind(was="SettingsKept")
class SettingsKept(Event, tag="settings kept"):
    """Settings changed by hand that a change of ruleset left alone, with their values."""

    settings: tuple[tuple[str, str], ...]


@SHARED_FACTS.kind(was="SheetChanged")
class SheetChanged(Event, tag="sheet"):
    """Somebody's sheet was edited as a whole."""

    who: Name


@SHARED_FACTS.kind(was="XpChanged")
class XpChanged(Event, tag="xp"):
    """Somebody's experience points changed."""

    who: Name
    before: int
    after: int
    why: Note = ""


@SHARED_FACTS.kind(was="PortraitChanged")
class PortraitChanged(Event, tag="portrait"):
    """Somebody's portrait was changed, or removed if `is_gone`."""

    who: Name
    is_gone: bool = False


@SHARED_FACTS.kind(was="Imported")
class Imported(Event, tag="imported"):
    """A table was imported from a file, with these characters."""

    what: Label
    names: tuple[Name, ...]


@SHARED_FACTS.kind(was="StepsLost")
class StepsLost(Event, tag="steps lost"):
    """A number of steps, up to this one, can't be read any more, and their effects are not on the table."""

    number: int
    count: int


@SHARED_FACTS.kind(was="BoundaryChanged")
class BoundaryChanged(Event, tag="boundary"):
    """A line or veil was added, or removed if `is_gone`; nothing records by whom."""

    kind: Boundary
    what: Note
    is_gone: bool = False


@SHARED_FACTS.kind(was="Line")
class OldWords(Event, tag="line"):
    """The text of an old step, in the wording of its time."""

    text: Note


class Illegible(Event, tag=""):
    """A fact that this version can't read: its kind, if known, and the stored value as JSON.

    It is never stored in this form: the original value is written back unchanged.
    """

    kind: Label
    kept: Note = "null"


@SHARED_FACTS.kind(was="Undone")
class Undone(Fact, tag="undone"):
    """A step was undone; `facts` are that step's."""

    step: int
    facts: tuple[AnyTold, ...]
    has_later: bool = False
    """Whether other parts of what the step changed, such as other dice of a pool, have changed since."""


@SHARED_FACTS.kind(was="Redone")
class Redone(Fact, tag="redone"):
    """An undone step was redone; `facts` are that step's."""

    step: int
    facts: tuple[AnyTold, ...]
    has_later: bool = False
    """As of an undone step."""


@SHARED_FACTS.kind()
class QuoteTakenOut(Fact, tag="quote taken out"):
    """A quote was deleted; `by` and `who` are those of the quote."""

    by: Person = ""
    who: Name = ""


@SHARED_FACTS.kind(was="Forgotten")
class Forgotten(Fact, tag="forgotten"):
    """Somebody's data was deleted at their request."""

    name: Name = ""
