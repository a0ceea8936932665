"""A session as a story: what was decided scene by scene, its moments, and what each character did.

All of it is counted from facts. Lines of old steps, which hold sentences, say nothing here.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields

from rules.causes import Seat, Stretch
from rules.cortex.state.facts import (
    BackIn,
    Contested,
    ContestWon,
    GaveIn,
    Over,
    PointsChanged,
    SceneCut,
    TakenOut,
    TraitChanged,
    XpChanged,
)
from rules.cortex.state.kinds import Kind, Result
from rules.cortex.state.outcome import gm_hand, is_botch, is_failed, total, verdict
from rules.cortex.state.rolled import RollChanged, RollMade
from rules.cortex.state.table import Roll
from rules.fact import Fact
from rules.facts import Began, Noted, Seated
from rules.kinds import SCENE, key
from rules.names import GM, former
from rules.ore.facts import OreRolled
from rules.values import replace

Decided = Over | TakenOut | ContestWon | GaveIn | SceneCut | TraitChanged
"""What a scene decided; a changed trait is one that stayed."""
_STAYING = (Kind.COMPLICATION, Kind.TRAUMA)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A scene, 0 before the first one, and what was decided in it."""

    number: int
    name: str = ""
    decided: tuple[Decided, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """What somebody rolled, and the PP and XP that they gained and spent.

    `opposed` are rolls of others that dice of theirs were against, which are the GM's.
    """

    name: str
    gm: bool = False
    rolls: int = 0
    opposed: int = 0
    successes: int = 0
    heroic: int = 0
    hitches: int = 0
    botches: int = 0
    gained: int = 0
    spent: int = 0
    xp_gained: int = 0
    xp_spent: int = 0


@dataclass(frozen=True, slots=True)
class Story:
    """A session: its scenes, its rolls as they ended, those that a PP turned, its notes, who did what."""

    chapters: tuple[Chapter, ...]
    rolls: tuple[Roll, ...]
    turned: tuple[Roll, ...]
    notes: tuple[Noted, ...]
    people: tuple[Tally, ...]

    @property
    def of_players(self) -> tuple[Roll, ...]:
        """The rolls that were not the GM's."""
        return tuple(roll for roll in self.rolls if not roll.gm)

    @property
    def highest(self) -> Roll | None:
        """The roll of a player with the highest total, the first of several; None where nobody rolled."""
        return max(self.of_players, key=lambda roll: total(roll.hand), default=None)

    @property
    def heroic(self) -> Mapping[str, int]:
        """Who had heroic successes, and how many."""
        return {each.name: each.heroic for each in self.people if each.heroic and not each.gm}

    @property
    def botches(self) -> Mapping[str, int]:
        """Who botched, and how often."""
        return {each.name: each.botches for each in self.people if each.botches and not each.gm}


@dataclass(slots=True)
class _Teller:
    """A story while it is told, fact by fact."""

    chapters: list[tuple[int, str, list[Decided]]] = field(default_factory=lambda: [(0, "", [])])
    stayed: dict[tuple[str, str], tuple[list[Decided], TraitChanged]] = field(default_factory=dict)
    rolls: dict[int, Roll] = field(default_factory=dict)
    turned: dict[int, Roll] = field(default_factory=dict)
    notes: list[Noted] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    gms: dict[str, bool] = field(default_factory=lambda: {key(GM): True})
    """Who rolled as the GM when they last rolled."""
    counts: dict[str, Counter[str]] = field(default_factory=dict)

    def count(self, name: str, **more: int) -> None:
        """Somebody did so much more."""
        self.names.setdefault(key(name), name)
        self.counts.setdefault(key(name), Counter()).update(more)

    def hear(self, step: Sequence[Fact]) -> None:
        """What a step did."""
        paid = {key(f.who) for f in step if isinstance(f, PointsChanged) and f.after < f.before}
        for fact in step:
            if isinstance(fact, RollMade | RollChanged):
                self._rolled(fact, paid)
            elif isinstance(fact, OreRolled):
                self.count(fact.roll.who, rolls=1)
                self.gms[key(fact.roll.who)] = fact.roll.gm
            else:
                self._happened(fact, step)

    def _rolled(self, fact: RollMade | RollChanged, paid: set[str]) -> None:
        """A roll is another; one from before the session counts for nothing."""
        roll = fact.roll
        before = self.rolls.get(roll.number)
        if before is None and isinstance(fact, RollChanged):
            return
        now = verdict(roll)
        is_won = now is not None and now.result is not Result.FAILURE
        if before is not None and is_failed(before) and is_won and key(roll.who) in paid:
            self.turned[roll.number] = roll
        self.rolls[roll.number] = roll

    def _happened(self, fact: Fact, step: Sequence[Fact]) -> None:
        scene = self.chapters[-1][2]
        match fact:
            case Began(what=Stretch.SCENE):
                self.chapters.append((fact.number, fact.name, []))
            case Over() | TakenOut() | ContestWon() | GaveIn() | SceneCut():
                scene.append(fact)
            case Contested() if not any(isinstance(each, RollMade) for each in step):
                sides = {key(fact.waiting), key(fact.leader)}
                won = [each for each in scene if isinstance(each, ContestWon) and key(each.who) in sides]
                scene[:] = [each for each in scene if each not in won]
            case BackIn(paid=True):
                out = [
                    each for each in scene if isinstance(each, TakenOut) and key(each.who) == key(fact.who)
                ]
                scene[:] = [each for each in scene if each not in out]
            case TraitChanged() if fact.kind in _STAYING and key(fact.owner) != SCENE:
                self._marked(fact)
            case PointsChanged():
                by = fact.after - fact.before
                self.count(fact.who, gained=max(by, 0), spent=max(-by, 0))
            case XpChanged():
                by = fact.after - fact.before
                self.count(fact.who, xp_gained=max(by, 0), xp_spent=max(-by, 0))
            case Noted():
                self.notes.append(fact)
            case Seated(seat=Seat.RENAMED):
                self._renamed(key(fact.was), fact.who)

    def _marked(self, fact: TraitChanged) -> None:
        """A complication or trauma came, changed or went."""
        trait = fact.after or fact.before
        assert trait is not None
        place = (key(fact.owner), key(trait.label))
        scene = self.stayed.pop(place, (self.chapters[-1][2], fact))[0]
        if fact.after is not None:
            self.stayed[place] = (scene, fact)

    def _is_known(self, who: str) -> bool:
        owners = (owner for owner, _ in self.stayed)
        return who in self.counts or who in owners or who in (key(roll.who) for roll in self.rolls.values())

    def _renamed(self, was: str, name: str) -> None:
        if key(name) != was and self._is_known(key(name)):
            self._renamed(key(name), former(name))
        if was in self.counts:
            self.names.pop(was)
            self.gms[key(name)] = self.gms.pop(was, False)
            self.count(name, **self.counts.pop(was))
        for owner, label in list(self.stayed):
            if owner == was:
                scene, fact = self.stayed.pop((owner, label))
                self.stayed[key(name), label] = (scene, replace(fact, owner=name))
        self.rolls = {n: replace(r, who=name) if key(r.who) == was else r for n, r in self.rolls.items()}

    def end(self) -> Story:
        """The whole story."""
        for roll in self.rolls.values():
            self.count(roll.who, **_came_to(roll))
            self.gms[key(roll.who)] = roll.gm
            if not roll.gm and gm_hand(roll) is not None:
                self.count(GM, opposed=1)
        for scene, fact in self.stayed.values():
            scene.append(fact)
        people = (Tally(self.names[who], self.gms.get(who, False), **n) for who, n in self.counts.items())
        return Story(
            tuple(Chapter(number, name, tuple(decided)) for number, name, decided in self.chapters),
            tuple(self.rolls.values()),
            tuple(self.turned.values()),
            tuple(self.notes),
            tuple(people),
        )


def story(steps: Iterable[Sequence[Fact]]) -> Story:
    """What the steps of a session did, oldest first, without those that are undone."""
    teller = _Teller()
    for step in steps:
        teller.hear(step)
    return teller.end()


def _came_to(roll: Roll) -> dict[str, int]:
    """What a roll counts for whoever made it."""
    how = verdict(roll)
    result = None if how is None else how.result
    return {
        "rolls": 1,
        "successes": int(result in (Result.SUCCESS, Result.HEROIC)),
        "heroic": int(result is Result.HEROIC),
        "hitches": sum(die.is_one and not die.is_handed for die in roll.hand.dice),
        "botches": int(is_botch(roll.hand)),
    }


def together(name: str, people: Iterable[Tally]) -> Tally:
    """What all of them did, under one name."""
    counts: Counter[str] = Counter()
    for each in people:
        counts.update({part.name: getattr(each, part.name) for part in fields(Tally)[2:]})  # but name and gm
    return Tally(name, False, **counts)
