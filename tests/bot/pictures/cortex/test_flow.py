"""How doom and plot points went, out of what happened."""

from bot.pictures.cortex.session import Flow, SceneSpan, flow
from rules.cortex.facts import Called, Change, PointsChanged, PoolChanged
from rules.cortex.kinds import Foe
from rules.cortex.model import CORTEX
from rules.facts import Began, Fact, SeatChange, Seated, Stretch
from rules.table import Table
from rules.values import replace
from tests.rules import people

DOOM = Called(Foe.DOOM)


def doom(before: tuple[int, ...], after: tuple[int, ...]) -> Fact:
    return PoolChanged(DOOM, before, after, Change.SET)


def table(*dice: int, **points: int) -> Table:
    """The table of `people` as it is at the end."""
    at = people.table(doom=dice)
    for who, pp in points.items():
        at = at.with_owner(
            who, CORTEX.give(at.characters[who], replace(CORTEX.has(at.characters[who]), pp=pp))
        )
    return at


def test_doom_is_the_number_of_its_dice_and_points_are_those_of_all() -> None:
    steps: list[tuple[Fact, ...]] = [
        (Began(Stretch.SESSION, 2), PointsChanged("Alice", 0, 1), doom((), (6, 6))),
        (Began(Stretch.SCENE, 1, "The docks"),),
        (PointsChanged("Alice", 1, 2), doom((6, 6), (6, 6, 8))),
        (doom((6, 6, 8), (6, 8)),),
    ]
    assert flow(steps, table(6, 8, alice=2, bob=3)) == Flow(
        (0, 2, 2, 3, 2), (3, 4, 4, 5, 5), (SceneSpan(2, 1, "The docks"),), 2
    )


def test_what_never_was_anything_is_left_out() -> None:
    none = flow([(Began(Stretch.SESSION, 1),)], table(alice=0, bob=0))
    assert (none.doom, none.points, none.is_still) == ((), (), True)
    assert flow([(PointsChanged("Bob", 1, 0),)], table(alice=0, bob=0)).doom == ()
    assert flow([(doom((), (6,)),)], table(6, alice=0, bob=0)).points == ()


def test_pools_of_others_and_points_of_gmcs_do_not_count() -> None:
    steps = [(PoolChanged(Called(Foe.CRISIS, "Fire"), (), (6,), Change.NEW), PointsChanged("Rex", 0, 3))]
    assert flow(steps, table(6)).is_still


def test_somebody_who_was_renamed_is_the_same() -> None:
    steps: list[tuple[Fact, ...]] = [
        (PointsChanged("Al", 0, 1),),
        (Seated("Alice", SeatChange.RENAMED, was="Al"),),
        (PointsChanged("Alice", 1, 3),),
    ]
    assert flow(steps, table(alice=3, bob=0)).points == (0, 1, 3)
