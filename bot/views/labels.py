"""Names of things in any game, and fragments of lines such as lists of names and dice."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.language import later, say, say_of
from bot.language.line import Text, joined, spoken, together, unrolled
from rules.dice import write_dice
from rules.facts import Boundary, Fate, SeatChange, Stretch
from rules.names import Coming
from rules.terms import in_terms
from rules.text import AND, Row
from rules.values import exhaustive


@dataclass(frozen=True, slots=True)
class ComingWords:
    """The words for an answer about a session: for one person's, and as the heading of a list."""

    told: str
    row: str = ""
    """Nothing for who is told among those of another answer."""


COMING = exhaustive(
    Coming,
    {
        Coming.IN: ComingWords(later("{who} is in for {day}"), later("In: {who}")),
        Coming.MAYBE: ComingWords(later("{who} might come on {day}"), later("Maybe: {who}")),
        Coming.OUT: ComingWords(later("{who} can't come on {day}"), later("Can't: {who}")),
        Coming.AWAY: ComingWords(later("{who} is away on {day}")),
    },
)

STRETCHES = exhaustive(
    Stretch,
    {
        Stretch.SESSION: later("{session.One} {which}"),
        Stretch.ACT: later("{act.One} {which}"),
        Stretch.SCENE: later("{scene.One} {which}"),
    },
)


FATES = exhaustive(
    Fate,
    {
        Fate.ARCHIVED: later("{table} is archived"),
        Fate.HERE: later("{table} is played in this channel"),
        Fate.LEFT: later("{table} is no longer played in this channel"),
        Fate.JOINED: later("This channel has joined another table"),
        Fate.REPLACED: later("A new table has begun in this channel"),
        Fate.DELETED: later("{table} is deleted"),
        Fate.RESTORED: later("{table} has been brought back to this channel"),
    },
)
"""What became of a campaign, or of a channel, told in the campaign that it left."""


@dataclass(frozen=True, slots=True)
class BoundaryWords:
    """The words for a new and a removed line or veil, the title of its form, and a hint with an example."""

    new: str
    gone: str
    title: str
    hint: str


BOUNDARIES = exhaustive(
    Boundary,
    {
        Boundary.LINE: BoundaryWords(
            later("New line: {what}"),
            later("Line removed: {what}"),
            later("A line"),
            later("Something that never comes up in play. Example: Spiders"),
        ),
        Boundary.VEIL: BoundaryWords(
            later("New veil: {what}"),
            later("Veil removed: {what}"),
            later("A veil"),
            later("Something that nobody describes. Example: Gore"),
        ),
    },
)

SEATS = exhaustive(
    SeatChange,
    {
        SeatChange.NEW: later("{who} is a new character"),
        SeatChange.PLAYED: later("{who} is played by {player}"),
        SeatChange.GM: later("{who} is {gm.one}"),
        SeatChange.NO_GM: later("{who} is no longer {gm.one}"),
        SeatChange.STAYS_GM: later("{who} stays {gm.one}"),
        SeatChange.RENAMED: later("{was} is now called {who}"),
        SeatChange.LEAVES: later("{who} leaves the table"),
        SeatChange.ENTERS: later("{who} enters the {scene.one}"),
        SeatChange.ENTERS_ORDER: later("{who} enters the {scene.one} and joins the turn order"),
        SeatChange.WAITS: later("{who} is waiting to be brought in"),
        SeatChange.IMPORTED: later("{who} is imported"),
        SeatChange.IMPORTED_PLAYED: later("{who} has been imported and is played by {player}"),
    },
)


NOBODY = later("nobody")
UNNAMED = later("This table")
"""What a campaign is called that has no name."""


def lost_words(number: int, count: int) -> Text:
    """Return that the last steps, up to that number, can't be read any more."""
    lost = say_of(
        count,
        "Step {number} can't be read any more.",
        "The last {count} steps can't be read any more.",
        number=number,
    )
    last = number - count
    now = (
        say("The table is now as it was after step {number}.", number=last)
        if last
        else say("The table starts over from the beginning.")
    )
    return together(lost, " ", now)


def stretch_words(what: Stretch, number: int, name: str = "") -> Text:
    """Return the title of a session, act or scene: `Session 2`, `Scene The docks`.

    A scene without a name has its number instead.
    """
    word = what.capitalize()
    if name in ("", f"{word} {number}"):
        return say(STRETCHES[what], which=number)
    return name if name.startswith(word) else say(STRETCHES[what], which=name)


_SCENE = Stretch.SCENE.capitalize()


def scene_name(name: str, number: int) -> Text:
    """Return the name of a scene, or its number in the table's words: `The docks`, `Muster 3`."""
    return name if name not in ("", f"{_SCENE} {number}") else stretch_words(Stretch.SCENE, number)


def listed(names: Iterable[Text], last: str = AND) -> Text:
    """Return names as a list in a sentence: `Rope, Lantern and Map`."""
    row = list(names)
    if len(row) > 1:
        return spoken(Row(row, last))
    return row[0] if row else ""


_WHOLE = {in_terms(text): say(text) for text in (later("{gm.One}"), later("{doom_pool.One}"))}
_BEFORE_NAMES = {
    in_terms(text).partition("{")[0]: text
    for text in (later("{crisis.One} {name}"), later("{challenge.One} {name}"))
}
"""What is stored before the name of a crisis or a challenge that rolls, with how one is called."""
_MOST_KNOWN = 4096


class _Rollers(dict[str, Text]):
    """Rollers by the names that are stored; looking up one that was said before is no call."""

    def __missing__(self, who: str) -> Text:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        found = _WHOLE.get(who, who)
        for before, text in _BEFORE_NAMES.items():
            if who.startswith(before):
                found = say(text, name=who.removeprefix(before))
        self[who] = found
        return found


ROLLERS: Mapping[str, Text] = _Rollers()
"""Rollers by the names that are stored: the GM and the GM's pools are called by the table's words."""


def roller_words(who: str) -> Text:
    """Return who rolled: a name, the GM, or a GM's pool: `Doom pool`, `Crisis Fire`."""
    return ROLLERS[who]


def shortened(names: Sequence[Text]) -> list[Text]:
    """Return the first ten names, and how many more there are."""
    more = len(names) - 10
    return [*names[:10], say_of(more, "{count} more", "{count} more")] if more > 0 else list(names)


def sizes(of: Iterable[int]) -> Text:
    """Return dice by size: `2d6 d8`; `empty` for none."""
    dice = list(of)
    return write_dice(dice) if dice else say("empty")


def unrolled_dice(of: Iterable[int]) -> Text:
    """Return dice that nobody has rolled, smallest first: pictures, or in words `2d6 d8` or `empty`."""
    dice = tuple(sorted(of))
    return unrolled(dice) if dice else say("empty")


def effects(of: Iterable[int]) -> Text:
    """Return effect dice by size: `d8 and d6`."""
    return joined(say(" and "), (f"d{size}" for size in of))


def balance(what: Text, gained: int, spent: int) -> Text:
    """Return what somebody gained and spent; empty if nothing.

    >>> from bot.language.printers import spelled
    >>> spelled(balance("PP", 6, 4))
    'PP +6 -4'
    """
    changes = [f"+{gained}"] * bool(gained) + [f"-{spent}"] * bool(spent)
    return joined(" ", [what, *changes]) if changes else ""
