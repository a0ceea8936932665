"""What people threw, told by the facts of steps."""

from collections.abc import Iterable, Sequence

from rules.causes import Seat
from rules.fact import Fact
from rules.facts import Seated
from rules.game import played
from rules.kinds import key
from rules.luck import Faces, Throws, counted


def faces(steps: Iterable[Sequence[Fact]], who: str | None = None) -> Faces:
    """The faces that somebody threw, or everybody, in whatever game."""
    found = Throws()
    for fact in (fact for step in steps for fact in step):
        if isinstance(fact, Seated) and fact.seat is Seat.RENAMED:
            found.rename(key(fact.was), fact.who)
        for game in played():
            for dice in game.thrown(fact):
                found.hear(dice, game.part.name)
    return counted(found, who)
