"""Whom somebody plays: everybody who is offered, or a new character."""

from functools import partial

import pytest

from bot.views.question import join_button
from rules.campaign.seats import Actor
from rules.cortex import points
from rules.cortex.model import CORTEX
from rules.errors import Unreadable
from tests.bot.views.asking import GM, after, answers, begun, reading

CAROL = Actor(9, "carol")


def test_each_who_is_offered_is_played_and_a_new_one_needs_a_name() -> None:
    table = after(begun(), *((GM, partial(points.give_points, who=name)) for name in ("Ada", "Zoe")))
    rules = dict(zip(("Ada", "Zoe", "a new one"), reading(table, CAROL, join_button()), strict=True))
    for name in ("Ada", "Zoe"):
        played = rules[name][1](table, CAROL).table.played_by(CAROL.id)
        assert played is not None
        assert played.name == name
    with pytest.raises(Unreadable):
        rules["a new one"][1](table, CAROL)


def test_a_name_that_is_typed_counts_more_and_comes_with_its_sheet() -> None:
    (step,) = answers(begun(), CAROL, join_button(), name="Ada", sheet1="Attributes: Mind d10")
    assert CORTEX.has(step.table.characters["ada"]).sheet["mind"].die == 10
