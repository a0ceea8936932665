"""The words of every closed set: one record a member, so that a new one cannot go without."""

from dataclasses import dataclass

from bot.language import later
from rules.facts import Boundary, Fate, SeatChange, Stretch
from rules.names import Coming
from rules.values import exhaustive


@dataclass(frozen=True, slots=True)
class ComingWords:
    """An answer about a session: that somebody gave it, and all who did."""

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
    """That a line or a veil is there, and that it is gone."""

    new: str
    gone: str


BOUNDARIES = exhaustive(
    Boundary,
    {
        Boundary.LINE: BoundaryWords(later("New line: {what}"), later("Line removed: {what}")),
        Boundary.VEIL: BoundaryWords(later("New veil: {what}"), later("Veil removed: {what}")),
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
