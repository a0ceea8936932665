"""Resources: used once a scene, in a roll or outside of one (C2)."""

import pytest

from rules.campaign.scenes import end_scene
from rules.cortex.facts import ResourceUsed
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.pool import Source
from rules.cortex.roll import make
from rules.cortex.ruleset import EMPIRE, PRIME
from rules.cortex.traits import refresh, use
from rules.errors import NotAllowed, RuleError, SettingOff
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, after, faces, having, never, newest, table

AT: Table = having(table(EMPIRE), "alice", TraitKind.RESOURCE, Trait("Wealth", 8))


def is_spent(at: Table) -> bool:
    return CORTEX.has(at.characters["alice"]).resources["wealth"].spent


def test_C2_a_resource_is_used_and_spent_until_the_scene_ends() -> None:
    step = use(AT, ALICE, "we")
    assert step.facts == (ResourceUsed("Alice", "Wealth", 8, True),)
    at = after(step)
    with pytest.raises(NotAllowed, match="is spent until the scene ends"):
        use(at, ALICE, "Wealth")
    at = after(end_scene(replace(at, is_scene=True), GRETA))
    assert not is_spent(at)


def test_C2_a_resource_named_in_a_roll_is_used() -> None:
    at = after(make(AT, ALICE, faces(3, 4), "Wealth, d6"))
    assert is_spent(at)
    assert newest(at).hand.dice[0].source == Source(TraitKind.RESOURCE)
    with pytest.raises(NotAllowed, match="is spent"):
        make(at, ALICE, never, "Wealth, d6")


def test_C2_the_gm_gives_it_back() -> None:
    at = after(use(AT, ALICE, "Wealth"))
    assert not is_spent(refresh(at, GRETA, "Alice").table)
    assert not is_spent(refresh(at, GRETA).table)
    with pytest.raises(NotAllowed, match="None of those resources"):
        refresh(AT, GRETA)
    with pytest.raises(NotAllowed, match="Only the GM"):
        refresh(at, ALICE)


def test_C2_nobody_uses_what_is_not_theirs_or_what_is_off() -> None:
    with pytest.raises(NotAllowed, match="the GM can use a resource for Alice"):
        use(AT, BOB, "Wealth")
    with pytest.raises(SettingOff, match="Resources are off in this campaign") as refused:
        use(CORTEX.put(AT, replace(CORTEX.of(AT), ruleset=PRIME)), ALICE, "Wealth")
    assert refused.value.setting == "resources"
    with pytest.raises(RuleError):
        make(CORTEX.put(AT, replace(CORTEX.of(AT), ruleset=PRIME)), ALICE, never, "Wealth, d6")
