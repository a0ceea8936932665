"""A session as a chart, and the words that say the same."""

from io import BytesIO

import pytest
from PIL import Image

from bot.language.printers import spelled
from bot.pictures.cortex.session import session_chart
from bot.views.card import Picture
from rules.cortex.facts import PointsChanged
from rules.facts import Began, Fact, Stretch
from tests.bot.pictures.cortex.test_flow import doom, table

EVENING: list[tuple[Fact, ...]] = [
    (Began(Stretch.SESSION, 2), PointsChanged("Alice", 0, 1), doom((), (6, 6))),
    (Began(Stretch.SCENE, 1, "The docks"),),
    (PointsChanged("Alice", 1, 2), doom((6, 6), (6, 6, 8))),
    (doom((6, 6, 8), (6, 8)),),
    (Began(Stretch.SCENE, 2, "港"),),
    (PointsChanged("Bob", 1, 0),),
]


def chart(steps: list[tuple[Fact, ...]]) -> Picture:
    found = session_chart(steps, table(6, 8, alice=2, bob=0))
    assert found is not None
    return found


def long(scenes: int, name: str) -> list[tuple[Fact, ...]]:
    """A long session: in each scene Alice gains ten PP and loses them."""
    up: list[tuple[Fact, ...]] = [(PointsChanged("Alice", n, n + 1),) for n in range(10)]
    down: list[tuple[Fact, ...]] = [(PointsChanged("Alice", n, n - 1),) for n in range(10, 0, -1)]
    parts = [[(Began(Stretch.SCENE, n, name),), *up, *down] for n in range(1, scenes + 1)]
    return [step for part in parts for step in part]


@pytest.mark.parametrize("steps", [EVENING, EVENING[:1], long(20, "Roof")], ids=["evening", "start", "long"])
def test_a_chart_is_a_png_for_a_phone_and_the_same_each_time(steps: list[tuple[Fact, ...]]) -> None:
    found = chart(steps)
    image = Image.open(BytesIO(found.data))
    assert (image.format, image.size, found.name) == ("PNG", (800, 450), "session.png")
    assert len(found.data) < 100_000
    assert chart(steps) == found


def test_the_words_hold_every_figure_scene_by_scene() -> None:
    assert spelled(chart(EVENING).alt) == (
        "Session 2: doom dice and PP. At first: doom dice 0, 2; PP 1, 2. "
        "Scene The docks: doom dice 2, 3, 2; PP 2, 3. Scene 港: doom dice 2; PP 3, 2."
    )


@pytest.mark.parametrize(
    ("scenes", "name", "hears"),
    [
        (3, "Roof", "Scene Roof: doom dice 2; PP 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9"),
        (14, "Roof", "Scene Roof: doom dice 2; PP 0 to 0, lowest 0, highest 10."),
        (20, "x" * 99, "20 scenes: doom dice 2; PP 0 to 0, lowest 0, highest 10."),
    ],
)
def test_a_long_session_is_told_in_brief(scenes: int, name: str, hears: str) -> None:
    alt = spelled(chart(long(scenes, name)).alt)
    assert hears in alt
    assert len(alt) <= 1024


def test_a_session_without_doom_speaks_of_points_alone() -> None:
    found = session_chart([(PointsChanged("Alice", 0, 2),)], table(alice=2, bob=0))
    assert found is not None
    assert spelled(found.alt) == "Everyone's PP. At first: PP 0, 2."


def test_a_chart_of_doom_alone_is_called_by_its_dice() -> None:
    found = session_chart([(doom((), (6,)),)], table(6, alice=0, bob=0))
    assert found is not None
    assert spelled(found.alt) == "doom dice. At first: doom dice 0, 1."


def test_where_nothing_changed_there_is_no_chart() -> None:
    assert session_chart([(Began(Stretch.SESSION, 1),)], table(6)) is None
    assert session_chart([], table()) is None
