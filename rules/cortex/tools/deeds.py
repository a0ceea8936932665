"""What Cortex tells of a session: what a scene decided, its moments, and what each character did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
from rules.cortex.state.keeping import is_botch, total
from rules.cortex.state.kinds import Kind, Result
from rules.cortex.state.outcome import gm_hand, is_failed, verdict
from rules.cortex.state.rolled import RollChanged, RollMade
from rules.cortex.state.table import Roll
from rules.deeds import Deeds, Hearing
from rules.fact import Fact
from rules.kinds import SCENE, key
from rules.names import GM
from rules.values import replace

_STAYING = (Kind.COMPLICATION, Kind.TRAUMA)


@dataclass(frozen=True, slots=True)
class Moments:
    """The rolls of a session as they ended, and those that a PP turned."""

    rolls: tuple[Roll, ...] = ()
    turned: tuple[Roll, ...] = ()

    @property
    def of_players(self) -> tuple[Roll, ...]:
        """The rolls that were not the GM's."""
        return tuple(roll for roll in self.rolls if not roll.gm)

    @property
    def highest(self) -> Roll | None:
        """The roll of a player with the highest total, the first of several; None where nobody rolled."""
        return max(self.of_players, key=lambda roll: total(roll.hand), default=None)


class CortexDeeds(Deeds):
    """Rolls as they ended, points, and traits that stayed."""

    def __init__(self, hearing: Hearing) -> None:
        super().__init__(hearing)
        self._stayed: dict[tuple[str, str], tuple[list[Fact], TraitChanged]] = {}
        self._rolls: dict[int, Roll] = {}
        self._turned: dict[int, Roll] = {}

    def hear(self, fact: Fact, step: Sequence[Fact]) -> None:
        """A roll, or what happened besides."""
        scene = self.hearing.decided
        match fact:
            case RollMade() | RollChanged():
                self._rolled(fact, {key(f.who) for f in step if isinstance(f, PointsChanged) and _is_paid(f)})
            case Over() | TakenOut() | ContestWon() | GaveIn() | SceneCut():
                scene.append(fact)
            case Contested() if not any(isinstance(each, RollMade) for each in step):
                sides = {key(fact.waiting), key(fact.leader)}
                scene[:] = [f for f in scene if not (isinstance(f, ContestWon) and key(f.who) in sides)]
            case BackIn(paid=True):
                scene[:] = [f for f in scene if not (isinstance(f, TakenOut) and key(f.who) == key(fact.who))]
            case TraitChanged() if fact.kind in _STAYING and key(fact.owner) != SCENE:
                self._marked(fact)
            case PointsChanged():
                by = fact.after - fact.before
                self.hearing.count(fact.who, gained=max(by, 0), spent=max(-by, 0))
            case XpChanged():
                by = fact.after - fact.before
                self.hearing.count(fact.who, xp_gained=max(by, 0), xp_spent=max(-by, 0))

    def _rolled(self, fact: RollMade | RollChanged, paid: set[str]) -> None:
        """A roll is another; one from before the session counts for nothing."""
        roll = fact.roll
        before = self._rolls.get(roll.number)
        if before is None and isinstance(fact, RollChanged):
            return
        now = verdict(roll)
        is_won = now is not None and now.result is not Result.FAILURE
        if before is not None and is_failed(before) and is_won and key(roll.who) in paid:
            self._turned[roll.number] = roll
        self._rolls[roll.number] = roll

    def _marked(self, fact: TraitChanged) -> None:
        """A complication or trauma came, changed or went."""
        trait = fact.after or fact.before
        assert trait is not None
        place = (key(fact.owner), key(trait.label))
        scene = self._stayed.pop(place, (self.hearing.decided, fact))[0]
        if fact.after is not None:
            self._stayed[place] = (scene, fact)

    def knows(self, who: str) -> bool:
        """Whoever rolled, or has kept a trait."""
        owners = (owner for owner, _ in self._stayed)
        return who in owners or who in (key(roll.who) for roll in self._rolls.values())

    def renamed(self, was: str, name: str) -> None:
        """Their rolls and traits have the other name."""
        for owner, label in list(self._stayed):
            if owner == was:
                scene, fact = self._stayed.pop((owner, label))
                self._stayed[key(name), label] = (scene, replace(fact, owner=name))
        self._rolls = {n: replace(r, who=name) if key(r.who) == was else r for n, r in self._rolls.items()}

    def end(self) -> Moments:
        """What rolls came to, and what stayed in the scene in which it came."""
        for roll in self._rolls.values():
            self.hearing.count(roll.who, is_gm=roll.gm, **_came_to(roll))
            if not roll.gm and gm_hand(roll) is not None:
                self.hearing.count(GM, opposed=1)
        for scene, fact in self._stayed.values():
            scene.append(fact)
        return Moments(tuple(self._rolls.values()), tuple(self._turned.values()))


def _is_paid(fact: PointsChanged) -> bool:
    return fact.after < fact.before


def _came_to(roll: Roll) -> Mapping[str, int]:
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
