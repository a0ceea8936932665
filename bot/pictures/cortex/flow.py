"""How doom and plot points went over a session, out of what happened (M1, P1)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.cortex.facts import PointsChanged, PoolChanged
from rules.cortex.kinds import Foe
from rules.cortex.model import CORTEX
from rules.facts import Began, Fact, SeatChange, Seated, Stretch
from rules.names import key
from rules.table import Table
from rules.values import replace

KINDS: tuple[type[Fact], ...] = (PoolChanged, PointsChanged, Began, Seated)
"""The facts that tell it."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene, and the place of its first value among all."""

    at: int
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Flow:
    """The number of doom dice and the PP of all players' characters together, at first and after each change.

    Where a scene begins, they stand once more. Either is empty where it never was anything. `session` is 0
    where its beginning is not among the facts.
    """

    doom: tuple[int, ...]
    points: tuple[int, ...]
    scenes: tuple[Scene, ...]
    session: int = 0

    @property
    def count(self) -> int:
        """How many values each of the two has."""
        return max(len(self.doom), len(self.points))

    @property
    def is_still(self) -> bool:
        """Whether nothing changed."""
        return len(set(self.doom)) <= 1 and len(set(self.points)) <= 1


def flow(steps: Iterable[Sequence[Fact]], table: Table, *, is_last: bool = True) -> Flow:
    """What the facts of a session, step by step, say of doom and PP; the table is as it is after the last.

    Who neither gained nor spent any is told by the table alone.
    """
    told = [tuple(facts) for facts in steps]
    facts = [fact for each in told for fact in each]
    known = table if is_last else CORTEX.put(table, replace(CORTEX.of(table), doom={}))
    doom, points = _doom_before(facts, known), _points_before(facts, table)
    dooms, sums = [doom], [sum(points.values())]
    scenes: list[Scene] = []
    session = 0
    for step in told:
        before = len(scenes)
        for fact in step:
            match fact:
                case PoolChanged(pool=pool, after=after) if pool.foe is Foe.DOOM:
                    doom = len(after)
                case PointsChanged(who=who, after=now) if key(who) in points:
                    points[key(who)] = now
                case Seated(who=who, seat=SeatChange.RENAMED, was=was) if key(was) in points:
                    points[key(who)] = points.pop(key(was))
                case Began(what=Stretch.SCENE, number=number, name=name):
                    scenes.append(Scene(len(dooms), number, name))
                case Began(what=Stretch.SESSION, number=number):
                    session = number
                case _:
                    pass
        if len(scenes) > before or (doom, sum(points.values())) != (dooms[-1], sums[-1]):
            dooms.append(doom)
            sums.append(sum(points.values()))
    return Flow(tuple(dooms) if any(dooms) else (), tuple(sums) if any(sums) else (), tuple(scenes), session)


def _doom_before(facts: Sequence[Fact], table: Table) -> int:
    """The doom dice before the first fact."""
    for fact in facts:
        if isinstance(fact, PoolChanged) and fact.pool.foe is Foe.DOOM:
            return len(fact.before)
    return sum(CORTEX.of(table).doom.values())


def _points_before(facts: Sequence[Fact], table: Table) -> dict[str, int]:
    """The PP of each player's character before the first fact, by the names of then."""
    points = {who: CORTEX.has(each).pp for who, each in table.characters.items() if not each.gmc}
    for fact in reversed(facts):
        if isinstance(fact, Seated) and fact.seat is SeatChange.RENAMED and key(fact.who) in points:
            points[key(fact.was)] = points.pop(key(fact.who))
        elif isinstance(fact, PointsChanged) and key(fact.who) in points:
            points[key(fact.who)] = fact.before
    return points
