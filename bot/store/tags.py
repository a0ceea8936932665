"""By what each kind of fact is kept: a tag of its own, for ever. Those of a game stand in its rooms.

Until version 4 a kind was kept by the name that its class had then. A class may be renamed, moved, or stand
in a row for what it replaces.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from rules import facts
from rules.facts import Fact, SharedFact
from rules.game import Game, Tag, tell_of_games
from rules.values import exhaustive

TAGS: tuple[Tag, ...] = (
    (facts.Began, "began", "Began"),
    (facts.Ended, "ended", "Ended"),
    (facts.Noted, "noted", "Noted"),
    (facts.NoteDone, "note done", ""),
    (facts.RollNoted, "roll noted", ""),
    (facts.Quoted, "quoted", ""),
    (facts.Titled, "titled", "Titled"),
    (facts.Planned, "planned", "Planned"),
    (facts.CalledOff, "called off", "CalledOff"),
    (facts.Replied, "replied", "Replied"),
    (facts.TimesAsked, "times asked", ""),
    (facts.TimeSuited, "time suited", ""),
    (facts.Seated, "seated", "Seated"),
    (facts.Moved, "moved", "Moved"),
    (facts.SettingChanged, "setting", "SettingChanged"),
    (facts.SettingsKept, "settings kept", "SettingsKept"),
    (facts.SheetChanged, "sheet", "SheetChanged"),
    (facts.PortraitChanged, "portrait", "PortraitChanged"),
    (facts.Imported, "imported", "Imported"),
    (facts.StepsLost, "steps lost", "StepsLost"),
    (facts.BoundaryChanged, "boundary", "BoundaryChanged"),
    (facts.OldWords, "line", "Line"),
    (facts.Undone, "undone", "Undone"),
    (facts.Redone, "redone", "Redone"),
    (facts.QuoteTakenOut, "quote taken out", ""),
    (facts.Forgotten, "forgotten", "Forgotten"),
)
"""Those of any table. Rows are only ever added, and nothing that stands here ever changes."""
# Backwards, so that a class with several rows is written by the first of them.
_SHARED = exhaustive(
    SharedFact,
    {facts.Illegible: "", **{kind: tag for kind, tag, _ in reversed(TAGS)}},  # which is never kept as such
)


class Tags:
    """The tags of any table, and of some games."""

    def __init__(self, games: Sequence[Game]) -> None:
        self.rows: tuple[Tag, ...] = (*TAGS, *(row for game in games for row in game.tags))
        own = {kind: tag for kind, tag, _ in reversed(self.rows)}
        self.of: Mapping[type[Fact], str] = {**own, **_SHARED}
        """By kind."""
        self.read: Mapping[str, type[Fact]] = {
            name: kind for kind, tag, old in self.rows for name in (tag, old) if name
        }
        """The kind by each name that it is read by."""
        self.marks = cache(self._found)
        """What there is in a text of facts that holds one of some kinds."""

    def _found(self, kinds: tuple[type[Fact], ...]) -> tuple[str, ...]:
        names = [name for name, kind in self.read.items() if kind in kinds]
        # With a blank where the doctor has written the facts anew.
        return tuple(mark for name in names for mark in (f'"fact":"{name}"', f'"fact": "{name}"'))


_now = Tags(())


def _hear(games: tuple[Game, ...]) -> None:
    global _now
    _now = Tags(games)


tell_of_games(_hear)


def tags() -> Tags:
    """The tags of what can be played."""
    return _now


def may_hold(text: str, *kinds: type[Fact]) -> bool:
    """Whether there may be a fact of those kinds in a text of facts, which is not read for that."""
    return any(mark in text for mark in _now.marks(kinds))
