"""One record for each member of a closed set."""

from enum import StrEnum

import pytest

from rules.cortex.state.kinds import KINDS, TROUBLE, Kind
from rules.cortex.state.part import CORTEX
from rules.every import every, members
from rules.facts import Illegible, OldWords, SharedEvent, SharedFact, Undone
from rules.table import Character


class Season(StrEnum):
    """Two seasons."""

    DRY = "dry"
    WET = "wet"


def test_a_member_without_a_record_is_named() -> None:
    assert every(Season, {Season.DRY: 1, Season.WET: 2})[Season.WET] == 2
    with pytest.raises(LookupError, match=r"Season\.WET"):
        every(Season, {Season.DRY: 1})


def test_a_union_has_a_record_for_each_of_its_classes() -> None:
    assert {OldWords, Illegible} < set(members(SharedEvent)) < set(members(SharedFact))
    assert Undone in set(members(SharedFact))
    with pytest.raises(LookupError, match="Illegible"):
        every(OldWords | Illegible, {OldWords: 1})


def test_every_kind_of_trait_has_a_place_of_its_own_on_a_character() -> None:
    places = [each.held for each in KINDS.values()]
    assert len(set(places)) == len(places)
    assert all(CORTEX.has(Character("Alice")).traits(kind) == {} for kind in Kind)
    assert all(KINDS[kind].harms for kind in TROUBLE)
