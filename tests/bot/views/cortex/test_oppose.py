"""What opposes a roll, and who rolls against one."""

from functools import partial

import pytest

from bot.language.printers import spelled
from bot.views.card import Button, Form
from rules.cortex import crisis, gmc, traits
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.errors import TooLate
from rules.values import replace
from tests.bot.views.asking import (
    ALICE,
    GM,
    after,
    answers,
    begun,
    below,
    highest,
    newest,
    opened,
    reading,
    rolled,
)


def test_every_opposition_that_is_offered_opposes() -> None:
    foes = (crisis.new, "Fire"), (partial(gmc.new, kind="mob"), "Rex " + "x" * 70)
    there = [(GM, partial(new, name=name, dice="2d6")) for new, name in foes]
    table = rolled(after(begun(), *there), "2d6 d8", 3, 3, 4)
    steps = answers(table, GM, below(table, "oppose"))
    assert len(steps) == 8
    assert all(newest(step.table).against for step in steps)


def test_what_is_typed_counts_more() -> None:
    table = rolled(begun(), "2d6 d8", 3, 3, 4)
    for step in answers(table, GM, below(table, "oppose"), dice="17"):
        against = newest(step.table).against
        assert against is not None
        assert against.number == 17


def test_a_pool_is_rolled_against_a_roll_of_the_gm() -> None:
    table = after(begun(), (GM, partial(gmc.roll_doom, throw=highest)))
    (step,) = answers(table, ALICE, below(table, "against"), dice="2d6 d8")
    assert newest(step.table).who == "Alice"


def test_a_distinction_and_a_complication_of_one_name_stand_in_the_way_once() -> None:
    mind = {"mind": Trait("Mind", 4)}
    table = begun()
    alice = CORTEX.give(
        table.characters["alice"],
        replace(CORTEX.has(table.characters["alice"]), distinctions=mind, complications=mind),
    )
    table = rolled(table.with_owner("alice", alice), "2d6 d8", 3, 3, 4, vs="11")
    form = opened(table, GM, Button("", "amend", newest(table).number))
    assert isinstance(form, Form)
    (way,) = (field for field in form.fields if field.key == "way")
    assert [spelled(option.label) for option in way.options] == ["Alice · Mind d4"]


def test_what_is_gone_meanwhile_is_not_in_the_way() -> None:
    rain = partial(traits.add, kind=TraitKind.COMPLICATION, what="Rain", who="scene")
    table = rolled(after(begun(), (GM, rain)), "2d6 d8", 3, 3, 4, vs="11")
    ticked = [
        rule
        for fields, rule in reading(table, GM, Button("", "amend", newest(table).number))
        if fields.get("way", "")
    ]
    table = after(table, (GM, partial(traits.remove, kind=TraitKind.COMPLICATION, what="Rain", who="scene")))
    assert ticked
    for rule in ticked:
        with pytest.raises(TooLate, match=r"Something you chose is gone\. Press"):
            rule(table, GM)
