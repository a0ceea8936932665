"""One record for each member of a closed set."""

from enum import StrEnum

import pytest

from rules.cortex.kinds import KINDS, TROUBLE, TraitKind
from rules.cortex.model import CORTEX
from rules.facts import Illegible, OldWords
from rules.table import Character
from rules.values import exhaustive, members


class Season(StrEnum):
    """Two seasons."""

    DRY = "dry"
    WET = "wet"


def test_a_member_without_a_record_is_named() -> None:
    assert exhaustive(Season, {Season.DRY: 1, Season.WET: 2})[Season.WET] == 2
    with pytest.raises(LookupError, match=r"Season\.WET"):
        exhaustive(Season, {Season.DRY: 1})


def test_a_union_has_a_record_for_each_of_its_classes() -> None:
    assert [*members(OldWords | Illegible)] == [OldWords, Illegible]
    with pytest.raises(LookupError, match="Illegible"):
        exhaustive(OldWords | Illegible, {OldWords: 1})


def test_every_kind_of_trait_has_a_place_of_its_own_on_a_character() -> None:
    places = [each.held for each in KINDS.values()]
    assert len(set(places)) == len(places)
    assert all(CORTEX.has(Character("Alice")).traits(kind) == {} for kind in TraitKind)
    assert all(KINDS[kind].harms for kind in TROUBLE)
