"""How long exact odds take."""

import statistics
import time

from rules.cortex import odds
from rules.cortex.odds_counting import Hands

COMMON = "12 mixed dice vs 11"
ODDS = {
    COMMON: ((4, 4, 6, 6, 6, 8, 8, 8, 10, 10, 12, 12), (), 2),
    "12 mixed dice vs 4 dice": ((4, 4, 6, 6, 6, 8, 8, 8, 10, 10, 12, 12), (6, 8, 8, 8), 2),
    "30 mixed dice vs 11": ((4, 6, 8, 10, 12) * 6, (), 2),
    "30 mixed dice vs 30": ((4, 6, 8, 10, 12) * 6, (4, 6, 8, 10, 12) * 6, 2),
    "12 mixed dice vs 11, 5 kept": ((4, 4, 6, 6, 6, 8, 8, 8, 10, 10, 12, 12), (), 5),
    "30 mixed dice vs 11, 20 kept": ((4, 6, 8, 10, 12) * 6, (), 20),
}
"""Pools, the dice against them (none: the number 11), and how many results are kept."""


async def count_odds() -> None:
    """Print how much CPU exact odds take, opposition included."""
    for what in ODDS:
        print(f"odds of {what:<30} {odds_take(what):>8.2f} ms")


def odds_take(what: str) -> float:
    """Milliseconds of CPU that some odds take: the median of some tries."""
    sizes, opposing, keep = ODDS[what]
    spent = []
    for _ in range(20 if keep < 20 else 3):
        begun = time.process_time()
        odds.odds(sizes, keep, Hands(opposing, 2).totals() if opposing else {11: 1})
        spent.append(time.process_time() - begun)
    return statistics.median(spent) * 1e3
