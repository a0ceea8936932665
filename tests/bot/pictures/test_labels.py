"""The words in charts: large enough for a phone, and clear of each other and of what is drawn."""

from itertools import combinations
from typing import Any

import pytest

from bot.language.printers import spelled
from bot.pictures import canvas
from bot.pictures.canvas import FAINT, HEIGHT, LINE, WIDTH, Box
from bot.pictures.charts import luck_chart
from bot.pictures.cortex.odds import odds_chart
from bot.pictures.cortex.session import session_chart
from rules.dice import Faces
from tests.bot.pictures.cortex.test_flow import table
from tests.bot.pictures.cortex.test_odds import CASES, asked
from tests.bot.pictures.cortex.test_session import EVENING, long

PHONE = 300 / WIDTH
"""A message on a phone shows a chart about 300 pixels wide."""
CAPITAL = 0.72
"""How high a capital letter is, in parts of a letter's height."""
ROWS = [
    ("2d6", "11"),
    ("4d6", "d12"),
    ("d12", "6"),
    ("d8 d10 d12", "2d8"),
    ("3d10 2d12", "19"),
    ("2d12", None),
    ("d4 d6 d8", "3"),
    ("2d4", "7"),
]


class Recorder(canvas.Canvas):
    """A chart that knows where its words are, and what else is drawn."""

    words: list[tuple[str, int, Box]]
    drawn: list[Box]

    def __init__(self) -> None:
        super().__init__()
        self.words, self.drawn = [], []
        made.append(self)

    def text(self, at: Any, words: Any, size: int, **how: Any) -> None:
        super().text(at, words, size, **how)
        wide = self.width(words, size, is_bold=how.get("is_bold", False))
        left = at[0] - {"l": 0, "m": wide / 2, "r": wide}[how.get("anchor", "ls")[0]]
        if spelled(words):
            self.words.append((spelled(words), size, (left, at[1] - CAPITAL * size, left + wide, at[1])))

    def box(self, box: Box, colour: Any) -> None:
        super().box(box, colour)
        if colour != LINE:
            self.drawn.append(box)

    def hatched(self, box: Box, colour: Any) -> None:
        super().hatched(box, colour)
        self.drawn.append(box)

    def dashed(self, start: Any, end: Any, colour: Any, width: float) -> None:
        super().dashed(start, end, colour, width)
        if colour != FAINT:
            self.drawn.append((start[0] - width / 2, start[1], end[0] + width / 2, end[1]))


made: list[Recorder] = []


@pytest.fixture(autouse=True)
def recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    made.clear()
    monkeypatch.setattr(canvas, "Canvas", Recorder)


def touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def is_clear(chart: Recorder) -> None:
    """Every word of a chart can be read on a phone, lies inside it, and touches nothing."""
    assert chart.words
    for words, size, box in chart.words:
        assert size * PHONE >= 12, words
        assert box[0] >= 0, words
        assert box[2] <= WIDTH, words
        assert box[3] <= HEIGHT, words
        assert [each for each in chart.drawn if touch(box, each)] == [], words
    for one, other in combinations(chart.words, 2):
        assert not touch(one[2], other[2]), (one[0], other[0])


@pytest.mark.parametrize(("dice", "vs", "keep"), [*CASES, *((*each, 2) for each in ROWS)])
def test_words_in_odds_touch_nothing(dice: str, vs: str | None, keep: int) -> None:
    odds_chart(asked(dice, vs, keep))
    is_clear(made[0])


@pytest.mark.parametrize(
    "steps",
    [EVENING, EVENING[:1], long(1, "The docks"), long(3, "The burning hangar"), long(20, "Roof")],
    ids=["evening", "start", "one", "three", "twenty"],
)
def test_words_in_a_session_touch_nothing(steps: Any) -> None:
    session_chart(steps, table(6, 8, alice=2, bob=0))
    is_clear(made[0])


@pytest.mark.parametrize("sizes", [(4, 6, 8, 10, 12), (4,), (4, 12)])
def test_words_in_thrown_faces_touch_nothing(sizes: tuple[int, ...]) -> None:
    luck_chart(Faces({size: dict.fromkeys(range(1, size + 1), 3) for size in sizes}))
    is_clear(made[0])
