"""Traits that are shut down, and recovered."""

import pytest

from rules.campaign import scenes
from rules.cortex import traits
from rules.cortex.facts import TraitShut
from rules.cortex.kinds import Sfx, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.roll import make
from rules.errors import NotAllowed, Unknown
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, GRETA, faces, having, never, table

CLAWS = having(table(), "alice", TraitKind.TRAIT, Trait("Claws", 8, set="Powers"))


def closed(at: Table = CLAWS) -> Table:
    return traits.shut(at, "alice", "claws").table


def test_X1_a_trait_that_is_shut_down_joins_no_pool() -> None:
    with pytest.raises(NotAllowed, match=r"Claws is shut down.*/sfx recover what:Claws"):
        make(closed(), ALICE, never, "Claws + d6")


def test_X1_a_trait_is_shut_down_only_once() -> None:
    with pytest.raises(NotAllowed, match="Claws is shut down"):
        traits.shut(closed(), "alice", "Claws")
    with pytest.raises(Unknown, match='no "Wings" to shut down'):
        traits.shut(CLAWS, "alice", "Wings")


def test_X1_it_works_again_when_recovered_or_when_the_scene_ends() -> None:
    again = traits.opened(closed(), "alice", "claws")
    assert again.facts == (TraitShut("Alice", "Claws", 8, False),)
    assert len(CORTEX.of(make(again.table, ALICE, faces(3, 4), "Claws + d6").table).rolls[1].hand.dice) == 2
    ended = scenes.end_scene(replace(closed(), is_scene=True), GRETA)
    assert TraitShut("Alice", "Claws", 8, False) in ended.facts
    assert not CORTEX.has(ended.table.characters["alice"]).sheet["claws"].shut
    assert traits.all_opened(CLAWS).facts == ()


def test_X1_the_sfx_of_such_a_trait_cannot_be_used() -> None:
    slash = Sfx("Slash", ("add d6",), trait="Claws")
    alice = closed().characters["alice"]
    with pytest.raises(NotAllowed, match="Claws is shut down"):
        traits.require_usable(alice, slash)
    traits.require_usable(alice, replace(slash, trait=""))
