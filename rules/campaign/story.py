"""A session retold: what was tried and decided, scene by scene, and what each character did.

Everything comes from facts; each game adds its own part. Log lines of old steps hold sentences instead
of facts, and are ignored.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import field

from rules.campaign.lifecycle import RULESET
from rules.facts import (
    Began,
    Ended,
    Fact,
    Noted,
    NoteDone,
    Quoted,
    RollNoted,
    SeatChange,
    Seated,
    SettingChanged,
    Stretch,
    XpChanged,
)
from rules.game import Attempt, SceneAttempts, played
from rules.names import GM, TextMark, former, key, key_in, reworded, said
from rules.values import Value, replace

_TOLD = (
    SeatChange.NEW,
    SeatChange.ENTERS,
    SeatChange.ENTERS_ORDER,
    SeatChange.IMPORTED,
    SeatChange.IMPORTED_PLAYED,
    SeatChange.PLAYED,
)


_SEATS = (*_TOLD, SeatChange.GM, SeatChange.NO_GM, SeatChange.RENAMED)
"""What becomes of a seat that is told."""


class Chapter(Value):
    """A scene, or 0 for what came before the first: what was tried, in order, and what was decided."""

    number: int
    name: str = ""
    day: str = ""
    """The day of the story, where one was named."""
    attempts: tuple[Attempt, ...] = ()
    decided: tuple[Fact, ...] = ()
    untold: Mapping[str, int] = field(default_factory=dict)
    """How many rolls have no note, by who rolled."""
    about: str = ""
    """What a ready-made story says of the scene."""

    @property
    def rolls(self) -> int:
        """The number of rolls without a note."""
        return sum(self.untold.values())

    @property
    def is_quiet(self) -> bool:
        """Whether the scene has nothing to tell."""
        return not (self.attempts or self.decided or self.untold)


class Tally(Value):
    """Counts of what somebody did: `rolls`, `xp_gained` and `xp_spent` in any game, and each game's own."""

    name: str
    gm: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)

    def __getitem__(self, what: str) -> int:
        return self.counts.get(what, 0)


class SessionStory(Value):
    """A session: its scenes, who did what, and what each game adds, by the game's name."""

    chapters: tuple[Chapter, ...]
    people: tuple[Tally, ...]
    games: Mapping[str, object] = field(default_factory=dict)


class _Teller:
    """A story while it is told, fact by fact."""

    def __init__(self) -> None:
        self.scenes = [SceneAttempts()]
        self.before_end: list[Fact] | None = None
        """What was decided in the last scene until it ended; None while one runs."""
        self.noted: dict[int, str] = {}
        self.names: dict[str, str] = {}
        self.gms: dict[str, bool] = {key(GM): True}
        """Who rolled as the GM when they last rolled."""
        self.counts: dict[str, Counter[str]] = {}
        self.games = {game.part.name: game.attempts(self) for game in played()}

    @property
    def scene(self) -> SceneAttempts:
        """The current scene."""
        return self.scenes[-1]

    def count(self, name: str, *, is_gm: bool | None = None, **more: int) -> None:
        """Add to somebody's counts; `is_gm` says whether they acted as the GM, None if unknown."""
        who = key(name)
        self.names.setdefault(who, name)
        self.counts.setdefault(who, Counter()).update(more)
        if is_gm is not None:
            self.gms[who] = is_gm

    def hear(self, step: Sequence[Fact]) -> None:
        """Take in the facts of a step."""
        for fact in step:
            match fact:
                case Began(what=Stretch.SCENE):
                    self._begin_scene(SceneAttempts(fact.number, fact.name, fact.day, about=fact.told))
                case Ended(what=Stretch.SCENE):
                    self.before_end = [*self.scene.decided]
                case RollNoted():
                    self.noted[fact.roll] = fact.note
                case Noted() | NoteDone():
                    self.scene.decided.append(fact)
                case Quoted() if fact.text:
                    self.scene.decided.append(fact)
                case SettingChanged() if fact.setting == RULESET:
                    self.scene.decided.append(fact)
                case XpChanged():
                    by = fact.after - fact.before
                    self.count(fact.who, xp_gained=max(by, 0), xp_spent=max(-by, 0))
                case Seated() if fact.seat in _SEATS:
                    self._seated(fact)
            for game in self.games.values():
                game.hear(fact, step)

    def _begin_scene(self, scene: SceneAttempts) -> None:
        """Add a scene, with everybody who was made since the last one ended."""
        if (told := self.before_end) is not None:
            decided = self.scene.decided
            scene.decided = [each for each in decided if _is_made(each) and each not in told]
            self.scene.decided = [each for each in decided if each not in scene.decided]
        self.before_end = None
        self.scenes.append(scene)

    def _seated(self, fact: Seated) -> None:
        """Somebody is new or has another name; who is new and played is told once."""
        if fact.seat is SeatChange.RENAMED:
            self._renamed(key(fact.was), fact.who)
        new = Seated(fact.who, SeatChange.NEW)
        if fact.seat is SeatChange.PLAYED and new in self.scene.decided:
            self.scene.decided.remove(new)
        self.scene.decided.append(fact)

    def _is_known(self, who: str) -> bool:
        return who in self.counts or any(game.knows(who) for game in self.games.values())

    def _renamed(self, was: str, name: str) -> None:
        if key(name) != was and self._is_known(key(name)):
            self._renamed(key(name), former(name))
        if was in self.counts:
            self.names.pop(was)
            self.gms[key(name)] = self.gms.pop(was, False)
            self.names.setdefault(key(name), name)
            self.counts.setdefault(key(name), Counter()).update(self.counts.pop(was))
        for scene in self.scenes:
            scene.decided = [_by_name(fact, was, name) for fact in scene.decided]
        for game in self.games.values():
            game.renamed(was, name)

    def end(self) -> SessionStory:
        """Return the whole story."""
        games = {name: game.end() for name, game in self.games.items()}
        people = (Tally(self.names[who], self.gms.get(who, False), n) for who, n in self.counts.items())
        return SessionStory(tuple(map(_chapter, self.scenes)), tuple(people), games)


def _is_made(fact: Fact) -> bool:
    return isinstance(fact, Seated) and fact.seat is SeatChange.NEW


def _by_name(fact: Fact, was: str, name: str) -> Fact:
    """A fact that names somebody by another name; that they were given one stays as it was."""
    if isinstance(fact, Seated) and fact.seat is SeatChange.RENAMED:
        return replace(fact, who=name) if key(fact.who) == was else fact
    return reworded(fact, lambda says, text: name if says is TextMark.NAME and key(text) == was else text)


def _chapter(scene: SceneAttempts) -> Chapter:
    attempts = sorted(scene.attempts, key=lambda attempt: attempt.roll)
    decided, untold = tuple(scene.decided), dict(scene.untold)
    return Chapter(scene.number, scene.name, scene.day, tuple(attempts), decided, untold, scene.about)


class Appearance(Value):
    """A name that came up in sessions: in which ones, and what was noted about it."""

    name: str
    sessions: tuple[int, ...]
    notes: tuple[str, ...] = ()


def appearances(sessions: Iterable[tuple[int, SessionStory]], names: Iterable[str]) -> list[Appearance]:
    """Return where each name appears, then other subjects of notes."""
    found: dict[str, Appearance] = {key(name): Appearance(name, ()) for name in names}
    for number, told in sessions:
        notes = [fact for each in told.chapters for fact in each.decided if isinstance(fact, Noted)]
        for note in notes:
            if note.about:
                who = key_in(found, note.about)
                was = found.get(who) or Appearance(note.about, ())
                found[who] = replace(was, notes=(*was.notes, note.text))
        for who in {key_in(found, name) for name in _named(told)} & found.keys():
            found[who] = replace(found[who], sessions=(*found[who].sessions, number))
    return [each for each in found.values() if each.sessions]


def _named(told: SessionStory) -> set[str]:
    """The keys of everybody whom a story names."""
    facts = [fact for each in told.chapters for fact in each.decided]
    attempts = [attempt for each in told.chapters for attempt in each.attempts]
    found = {key(each.name) for each in told.people}
    found |= {key(text) for each in (*facts, *attempts) for says, text in said(each) if says is TextMark.NAME}
    return found


def story(steps: Iterable[Sequence[Fact]]) -> SessionStory:
    """Return the story of a session from its steps, oldest first; undone steps are left out."""
    teller = _Teller()
    for step in steps:
        teller.hear(step)
    return teller.end()


def together(name: str, people: Iterable[Tally]) -> Tally:
    """Return the sum of several tallies under one name."""
    counts: Counter[str] = Counter()
    for each in people:
        counts.update(each.counts)
    return Tally(name, False, counts)
