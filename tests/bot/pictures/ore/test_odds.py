"""The chart of One-Roll odds says in words what it draws."""

from fractions import Fraction

import pytest

from bot.language.printers import spelled
from bot.pictures.ore.odds import set_chart, whole_percent
from rules.ore.notation import read
from rules.ore.odds import set_chances


@pytest.mark.parametrize("pool", ["2d", "7d", "10d 2w", "10h", "1d 1w"])
def test_the_chart_states_every_chance(pool: str) -> None:
    chances = set_chances(read(pool))
    picture = set_chart(chances, "Any set")
    assert picture.data.startswith(b"\x89PNG")
    assert spelled(picture.alt).startswith("Any set. Width 2 or more, height 1 to 10 or more, in percent: ")
    for width, by_height in chances.items():
        row = ", ".join(map(whole_percent, by_height.values()))
        assert f"Width {width} or more, height 1 to 10 or more, in percent: {row}." in spelled(picture.alt)


def test_what_can_happen_or_fail_never_reads_as_if_it_could_not() -> None:
    assert [whole_percent(Fraction(n, 1000)) for n in (0, 1, 500, 999, 1000)] == [
        "0",
        "<1",
        "50",
        ">99",
        "100",
    ]
