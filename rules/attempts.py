"""What people tried in a session and how it went, collected fact by fact."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from rules.facts import Fact
from rules.names import Name, Note, key
from rules.table import Rolled
from rules.values import replace

_Roll = TypeVar("_Roll", bound=Rolled)


class AttemptResult(StrEnum):
    """How it went, from the best to the worst; `rolled` where nothing stood against it."""

    HEROIC = "heroic"
    SUCCESS = "success"
    ROLLED = "rolled"
    FAILURE = "failure"
    BOTCH = "botch"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What somebody tried with a roll, as they typed it: how it went, against whom or what it was."""

    roll: int
    """The number of the roll."""
    who: Name
    note: Note
    went: AttemptResult = AttemptResult.ROLLED
    against: Name = ""
    """Nothing where that has no name of its own."""
    left: tuple[Fact, ...] = ()
    """What it left to stay: traits, as they came."""


@dataclass(slots=True)
class SceneAttempts:
    """A scene while it is heard, 0 before the first one: what was decided in it, and what was tried."""

    number: int = 0
    name: str = ""
    day: str = ""
    decided: list[Fact] = field(default_factory=list)
    deeds: list[Attempt] = field(default_factory=list)
    untold: Counter[str] = field(default_factory=Counter)
    """How many rolls have no note, by the names of who rolled."""

    def rolled(self, deed: Attempt) -> None:
        """A roll was made here; without a note it is but counted."""
        if deed.note:
            self.deeds.append(deed)
        else:
            self.untold[deed.who] += 1


class Hearing(Protocol):
    """A story while it is told, as far as games have a hand in it."""

    @property
    def scene(self) -> SceneAttempts:
        """The scene that runs."""

    @property
    def noted(self) -> Mapping[int, str]:
        """What rolls were for, as somebody said later, by their numbers."""

    @property
    def counts(self) -> dict[str, Counter[str]]:
        """How often each did what, by the keys of their names."""

    def count(self, name: str, *, is_gm: bool | None = None, **more: int) -> None:
        """Somebody did so much more, as the GM or not where that is known."""


class GameAttempts:
    """What a game tells beside what is told of any; this one tells nothing."""

    def __init__(self, hearing: Hearing) -> None:
        self.hearing = hearing

    def hear(self, fact: Fact, step: Sequence[Fact]) -> None:
        """What a fact tells, among those of its step."""

    def knows(self, who: str) -> bool:
        """Whether something has been told of somebody, by the key of their name."""
        return False

    def renamed(self, was: str, name: str) -> None:
        """Somebody has another name; `was` is the key of the old one."""

    def end(self) -> object:
        """What there is to tell beside what was decided, tried and counted, once all is heard."""
        return None


class RollAttempts(GameAttempts, Generic[_Roll]):
    """What a game with rolls tells: each as it lay at last, in the scene in which it was made."""

    def __init__(self, hearing: Hearing) -> None:
        super().__init__(hearing)
        self.rolls: dict[int, _Roll] = {}
        self._scenes: dict[int, SceneAttempts] = {}

    def made(self, roll: _Roll) -> None:
        """Dice were rolled in the scene that runs."""
        self.rolls[roll.number] = roll
        self._scenes.setdefault(roll.number, self.hearing.scene)

    def changed(self, roll: _Roll) -> None:
        """A roll is another; one from before the session counts for nothing."""
        if roll.number in self.rolls:
            self.rolls[roll.number] = roll

    def knows(self, who: str) -> bool:
        """Whoever rolled."""
        return who in (key(roll.who) for roll in self.rolls.values())

    def renamed(self, was: str, name: str) -> None:
        """Their rolls have the other name."""
        self.rolls = {number: self.by_name(roll, was, name) for number, roll in self.rolls.items()}

    def by_name(self, roll: _Roll, was: str, name: str) -> _Roll:
        """A roll of somebody by another name."""
        held: Any = roll
        renamed: _Roll = replace(held, who=name) if key(roll.who) == was else held
        return renamed

    def scene_of(self, roll: _Roll) -> SceneAttempts:
        """The scene in which a roll was made."""
        return self._scenes[roll.number]

    def note(self, roll: _Roll) -> str:
        """What a roll was for, as it was said last."""
        return self.hearing.noted.get(roll.number, roll.note)

    def tell(
        self,
        roll: _Roll,
        went: AttemptResult = AttemptResult.ROLLED,
        against: str = "",
        left: tuple[Fact, ...] = (),
    ) -> None:
        """What a roll was for, how it went, and what it left, in its scene."""
        self.scene_of(roll).rolled(Attempt(roll.number, roll.who, self.note(roll), went, against, left))
