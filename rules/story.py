"""A session as a story: what was decided scene by scene, its moments, and what each character did.

All of it is counted from facts; of its own, each game says what they tell. Lines of old steps, which hold
sentences, say nothing here.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rules.causes import Seat, Stretch
from rules.fact import Fact
from rules.facts import Began, Noted, Seated
from rules.game import played
from rules.kinds import key
from rules.names import GM, former


@dataclass(frozen=True, slots=True)
class Chapter:
    """A scene, 0 before the first one, and what was decided in it."""

    number: int
    name: str = ""
    decided: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """What somebody did, counted: `rolls` in any game, and what else each game counts, by its word."""

    name: str
    gm: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)

    def __getitem__(self, what: str) -> int:
        return self.counts.get(what, 0)


@dataclass(frozen=True, slots=True)
class Story:
    """A session: its scenes, its notes, who did what, and what each game tells besides, by its name."""

    chapters: tuple[Chapter, ...]
    notes: tuple[Noted, ...]
    people: tuple[Tally, ...]
    games: Mapping[str, object] = field(default_factory=dict)


class _Teller:
    """A story while it is told, fact by fact."""

    def __init__(self) -> None:
        self.chapters: list[tuple[int, str, list[Fact]]] = [(0, "", [])]
        self.notes: list[Noted] = []
        self.names: dict[str, str] = {}
        self.gms: dict[str, bool] = {key(GM): True}
        """Who rolled as the GM when they last rolled."""
        self.counts: dict[str, Counter[str]] = {}
        self.games = {game.part.name: game.deeds(self) for game in played()}

    @property
    def decided(self) -> list[Fact]:
        """What the scene that runs has decided so far."""
        return self.chapters[-1][2]

    def count(self, name: str, *, is_gm: bool | None = None, **more: int) -> None:
        """Somebody did so much more, as the GM or not where that is known."""
        who = key(name)
        self.names.setdefault(who, name)
        self.counts.setdefault(who, Counter()).update(more)
        if is_gm is not None:
            self.gms[who] = is_gm

    def hear(self, step: Sequence[Fact]) -> None:
        """What a step did."""
        for fact in step:
            match fact:
                case Began(what=Stretch.SCENE):
                    self.chapters.append((fact.number, fact.name, []))
                case Noted():
                    self.notes.append(fact)
                case Seated(seat=Seat.RENAMED):
                    self._renamed(key(fact.was), fact.who)
            for game in self.games.values():
                game.hear(fact, step)

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
        for game in self.games.values():
            game.renamed(was, name)

    def end(self) -> Story:
        """The whole story."""
        games = {name: game.end() for name, game in self.games.items()}
        chapters = (Chapter(number, name, tuple(decided)) for number, name, decided in self.chapters)
        people = (Tally(self.names[who], self.gms.get(who, False), n) for who, n in self.counts.items())
        return Story(tuple(chapters), tuple(self.notes), tuple(people), games)


def story(steps: Iterable[Sequence[Fact]]) -> Story:
    """What the steps of a session did, oldest first, without those that are undone."""
    teller = _Teller()
    for step in steps:
        teller.hear(step)
    return teller.end()


def together(name: str, people: Iterable[Tally]) -> Tally:
    """What all of them did, under one name."""
    counts: Counter[str] = Counter()
    for each in people:
        counts.update(each.counts)
    return Tally(name, False, counts)
