"""Odds as a chart, and the words that say the same."""

import re
from io import BytesIO

import pytest
from PIL import Image

from bot.language.printers import spelled
from bot.pictures.charts import percent
from bot.pictures.cortex.odds import LEAST, odds_chart
from rules.cortex import odds
from rules.cortex.ruleset import EMPIRE
from tests.rules import people

CASES: list[tuple[str, str | None, int]] = [
    ("2d6 d8 d10", "11", 2),
    ("2d6 d8 d10", "2d8", 2),
    ("2d6 d8 d10", None, 2),
    ("2d6", "30", 2),
    ("d4", "0", 1),
    ("30d12", "100", 12),
    ("30d12", "12d12", 12),
    ("4d4 4d8 4d12", "4d12", 3),
]


def asked(dice: str, vs: str | None, keep: int = 2) -> odds.OddsQuestion:
    return odds.count_odds(odds.ask(people.table(EMPIRE), people.ALICE, dice, vs, keep))


@pytest.mark.parametrize(("dice", "vs", "keep"), CASES)
def test_a_chart_is_a_png_for_a_phone_and_the_same_each_time(dice: str, vs: str | None, keep: int) -> None:
    question = asked(dice, vs, keep)
    chart = odds_chart(question)
    image = Image.open(BytesIO(chart.data))
    assert (image.format, image.size, chart.name) == ("PNG", (800, 450), "odds.png")
    assert len(chart.data) < 100_000
    assert odds_chart(question) == chart


@pytest.mark.parametrize(("dice", "vs", "keep"), CASES)
def test_the_words_fit_and_hold_every_figure(dice: str, vs: str | None, keep: int) -> None:
    question = asked(dice, vs, keep)
    alt = spelled(odds_chart(question).alt)
    assert len(alt) <= 1024
    assert "(cut)" not in alt
    found = question.odds
    if found.kept.success and found.kept.success >= LEAST:
        assert f"Success {percent(found.kept.success)}" in alt
    for chance in found.effects.values():
        assert chance < LEAST or percent(chance) in alt
    told = re.findall(r"(\d+)(?: to (\d+))?: ([\d.]+)%", alt)
    for first, last, chance in told:
        exact = sum(found.totals.get(total, 0) for total in range(int(first), int(last or first) + 1))
        assert float(chance) == pytest.approx(100 * exact, abs=0.051)
    assert sum(float(chance) for *_, chance in told) == pytest.approx(100, abs=1)


def test_what_fails_is_told_apart_from_what_succeeds() -> None:
    alt = spelled(odds_chart(asked("2d6", "10")).alt)
    assert alt == (
        "Success 8.3% vs 10. Totals that fail: 0: 2.8%, 2: 5.6%, 3: 5.6%, 4: 8.3%, 5: 11.1%, 6: 13.9%, "
        "7: 11.1%, 8: 13.9%, 9: 11.1%, 10: 8.3%. Totals that succeed: 11: 5.6%, 12: 2.8%."
    )


def test_against_dice_each_total_says_how_much_of_it_is_success() -> None:
    alt = spelled(odds_chart(asked("d6", "d6", keep=1)).alt)
    assert alt.startswith(
        "Success 41.7% vs 3.3 on average. Totals, with the share that succeeds in brackets: 0: 16.7% (0.0%)"
    )
    assert "6: 16.7% (13.9%)" in alt


def test_totals_without_a_difficulty_are_just_told() -> None:
    assert (
        spelled(odds_chart(asked("d4", None, keep=1)).alt)
        == "Mean total 2.25. Totals: 0: 25.0%, 2: 25.0%, 3: 25.0%, 4: 25.0%."
    )


def test_where_totals_share_a_bar_those_that_fail_never_share_one_with_those_that_succeed() -> None:
    alt = spelled(odds_chart(asked("30d12", "101", 12)).alt)
    assert "102 to" in alt
    assert "and how much of each" not in alt
