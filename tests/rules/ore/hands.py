"""Made-up pools and hands of One-Roll games."""

from functools import cache

from hypothesis import strategies as st

from rules.ore import model
from rules.ore.model import OreHand
from rules.ore.pool import EXPERT, LEAST, MOST, MOST_OF_A_KIND, WIGGLE, OrePool
from tests import strategies


@cache
@st.composite
def pools(draw: st.DrawFn, most: int = MOST, wiggles: int = MOST_OF_A_KIND) -> OrePool:
    """A pool in range, with at most so many normal dice and wiggle dice."""
    dice = draw(st.integers(0, most))
    expert = draw(st.sampled_from([0, 0, 1, 7, 10]))
    wiggle = draw(st.integers(0, wiggles))
    hard = draw(st.integers(max(0, LEAST - dice - bool(expert) - wiggle), MOST_OF_A_KIND))
    called = draw(st.sampled_from([0, 0, 3, 7, 10])) if dice else 0
    names = draw(st.sampled_from([WIGGLE, "trump", "master", "awesome ×2"])) if wiggle else WIGGLE
    expert_name = draw(st.sampled_from([EXPERT, "awesome"])) if expert else EXPERT
    return OrePool(dice, hard, wiggle, expert, called, names, expert_name)


@cache
@st.composite
def full(draw: st.DrawFn) -> OreHand:
    """A full roll, its wiggle dice not placed."""
    return model.full(draw(pools()), draw(strategies.throws()))


@cache
@st.composite
def fast(draw: st.DrawFn) -> OreHand:
    """A quick roll, its wiggle dice not placed."""
    return model.fast(draw(pools()), draw(strategies.throws()))
