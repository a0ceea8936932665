"""The story of a session in Cortex: attempts, decisions, and each character's moments."""

from collections.abc import Mapping, Sequence

from rules.cortex.facts import (
    BackIn,
    Change,
    Contested,
    ContestWon,
    GaveIn,
    Over,
    PointsChanged,
    PoolChanged,
    RollChanged,
    RollDropped,
    RollMade,
    SceneCut,
    TakenOut,
    TraitChanged,
)
from rules.cortex.kinds import Foe, Result, TraitKind
from rules.cortex.model import Roll
from rules.cortex.outcome import gm_hand, is_botch, is_failed, total, verdict
from rules.facts import Ended, Fact
from rules.game import AttemptResult, RollAttempts, SceneAttempts, SessionListener
from rules.names import GM, SCENE, key
from rules.values import Value, exhaustive, replace

_STAYING = (TraitKind.COMPLICATION, TraitKind.TRAUMA)


_NAMED = (Foe.CRISIS, Foe.CHALLENGE, Foe.GMC)


_WENT = exhaustive(
    Result,
    {
        Result.FAILURE: AttemptResult.FAILURE,
        Result.SUCCESS: AttemptResult.SUCCESS,
        Result.HEROIC: AttemptResult.HEROIC,
    },
)


class Moments(Value):
    """The final rolls of a session, and those whose outcome a PP changed."""

    rolls: tuple[Roll, ...] = ()
    turned: tuple[Roll, ...] = ()

    @property
    def of_players(self) -> tuple[Roll, ...]:
        """The rolls of players, in order."""
        return tuple(roll for roll in self.rolls if not roll.gm)

    @property
    def highest(self) -> Roll | None:
        """The player's roll with the highest total, the first of equals; None if no player rolled."""
        return max(self.of_players, key=lambda roll: total(roll.hand), default=None)


class _Stayed(Value):
    """A trait that somebody has kept so far: its scene, and the roll that left it, if any."""

    scene: SceneAttempts
    fact: TraitChanged
    roll: int = 0


class CortexAttempts(RollAttempts[Roll]):
    """A collector of final rolls, points, and traits that lasted."""

    def __init__(self, hearing: SessionListener) -> None:
        super().__init__(hearing)
        self._stayed: dict[tuple[str, str], _Stayed] = {}
        self._turned: dict[int, Roll] = {}

    def hear(self, fact: Fact, step: Sequence[Fact]) -> None:
        """Take in a roll, or anything else that happened."""
        match fact:
            case RollMade() | RollChanged():
                self._rolled(fact, {key(f.who) for f in step if isinstance(f, PointsChanged) and _is_paid(f)})
            case TraitChanged() if fact.kind in _STAYING and key(fact.owner) != SCENE:
                self._marked(fact, step)
            case RollDropped():
                self.rolls.pop(fact.roll, None)
                self._turned.pop(fact.roll, None)
            case PointsChanged():
                by = fact.after - fact.before
                self.hearing.count(fact.who, gained=max(by, 0), spent=max(-by, 0))
            case _:
                self._decided(fact, step)

    def _decided(self, fact: Fact, step: Sequence[Fact]) -> None:
        """What came, what is over, who was taken out and who won, as far as it stands."""
        scene = self.hearing.scene.decided
        match fact:
            case Over():
                scene[:] = [f for f in scene if not (isinstance(f, PoolChanged) and f.pool == fact.pool)]
                scene.append(fact)
            case PoolChanged() if _has_come(fact):
                scene.append(fact)
            case TakenOut():
                scene[:] = [f for f in scene if not _has_stayed(f, fact.who)]
                scene.append(fact)
            case ContestWon() | GaveIn() | SceneCut():
                scene.append(fact)
            case Contested() if not any(isinstance(each, RollMade) for each in step):
                sides = {key(fact.waiting), key(fact.leader)}
                scene[:] = [f for f in scene if not (isinstance(f, ContestWon) and key(f.who) in sides)]
            case BackIn(paid=True):
                scene[:] = [f for f in scene if not (isinstance(f, TakenOut) and key(f.who) == key(fact.who))]
                scene.append(fact)
            # With a scene everybody comes back, which needs no words.
            case BackIn() if not any(isinstance(each, Ended) for each in step):
                scene.append(fact)

    def _rolled(self, fact: RollMade | RollChanged, paid: set[str]) -> None:
        """A roll was made, or is another."""
        roll, before = fact.roll, self.rolls.get(fact.roll.number)
        now = verdict(roll)
        is_won = now is not None and now.result is not Result.FAILURE
        if before is not None and is_failed(before) and is_won and key(roll.who) in paid:
            self._turned[roll.number] = roll
        if isinstance(fact, RollMade):
            self.made(roll)
        else:
            self.changed(roll)

    def _marked(self, fact: TraitChanged, step: Sequence[Fact]) -> None:
        """A complication or trauma came, changed or went."""
        trait = fact.before or fact.after
        assert trait is not None
        place = (key(fact.owner), key(trait.label))
        from_ = next((f.roll.number for f in step if isinstance(f, RollMade | RollChanged)), 0)
        before = self._stayed.pop(place, None) or _Stayed(self.hearing.scene, fact, from_)
        if fact.after is not None:
            self._stayed[place[0], key(fact.after.label)] = replace(before, fact=fact)

    def knows(self, who: str) -> bool:
        """Return whether somebody has rolled or kept a trait."""
        return super().knows(who) or who in (owner for owner, _ in self._stayed)

    def renamed(self, was: str, name: str) -> None:
        """Use a character's new name for their rolls and traits."""
        super().renamed(was, name)
        for owner, label in list(self._stayed):
            if owner == was:
                stayed = self._stayed.pop((owner, label))
                self._stayed[key(name), label] = replace(stayed, fact=replace(stayed.fact, owner=name))

    def by_name(self, roll: Roll, was: str, name: str) -> Roll:
        """Return a roll by or against somebody under their new name."""
        roll = super().by_name(roll, was, name)
        if roll.against is None or key(roll.against.label) != was:
            return roll
        return replace(roll, against=replace(roll.against, label=name))

    def end(self) -> Moments:
        """Return the final rolls; first add lasting traits to their scene or the roll that left them."""
        left: dict[int, list[Fact]] = {}
        for each in self._stayed.values():
            roll = self.rolls.get(each.roll)
            if roll is not None and self.note(roll):
                left.setdefault(each.roll, []).append(each.fact)
            else:
                each.scene.decided.append(each.fact)
        for number, roll in self.rolls.items():
            self.hearing.count(roll.who, is_gm=roll.gm, **_came_to(roll))
            if not roll.gm and gm_hand(roll) is not None:
                self.hearing.count(GM, opposed=1)
            if not _is_of_won_contest(roll, self.note(roll), self.scene_of(roll)):
                self.tell(roll, _went(roll), _named(roll), tuple(left.get(number, ())))
        return Moments(tuple(self.rolls.values()), tuple(self._turned.values()))


def _has_stayed(fact: Fact, who: str) -> bool:
    """Whether a fact tells that somebody was nearly taken out."""
    return isinstance(fact, BackIn) and fact.paid and key(fact.who) == key(who)


def _is_paid(fact: PointsChanged) -> bool:
    return fact.after < fact.before


def _has_come(fact: PoolChanged) -> bool:
    """Whether a crisis or a challenge began; a boss is new like anybody else."""
    return fact.change is Change.NEW and fact.pool.foe in (Foe.CRISIS, Foe.CHALLENGE)


def _went(roll: Roll) -> AttemptResult:
    """How a roll went, in the words of any game."""
    if is_botch(roll.hand):
        return AttemptResult.BOTCH
    how = verdict(roll)
    return AttemptResult.ROLLED if how is None else _WENT[how.result]


def _named(roll: Roll) -> str:
    """What a roll was against, where that has a name of its own."""
    against = roll.against
    if against is None or not (roll.contest or (against.target and against.target.foe in _NAMED)):
        return ""
    if against.target is None:
        return against.label
    name = against.label[-len(against.target.key) :]  # behind what it is: `Crisis Flood`
    return name if key(name) == against.target.key else against.label


def _is_of_won_contest(roll: Roll, note: str, scene: SceneAttempts) -> bool:
    """Whether a roll is one of a contest that was won in its scene: who won it about what says it all."""
    if not roll.contest:
        return False
    for fact in scene.decided:
        if isinstance(fact, ContestWon | GaveIn) and fact.note == note:
            sides = (fact.who, fact.against if isinstance(fact, ContestWon) else fact.winner)
            if key(roll.who) in map(key, sides):
                return True
    return False


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
