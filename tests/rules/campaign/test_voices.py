"""Speaking as one's own character, or for the GM as a GMC, and as nobody else."""

import pytest

from rules.campaign.characters import voice, voices
from rules.campaign.seats import Actor
from rules.errors import NotAllowed, RuleError
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, ZOE, table


@pytest.mark.parametrize(
    ("actor", "who", "name"), [(ALICE, None, "Alice"), (ALICE, "ali", "Alice"), (GRETA, "Rex", "Rex")]
)
def test_who_speaks_as_whom(actor: Actor, who: str | None, name: str) -> None:
    assert voice(table(), actor, who).name == name


@pytest.mark.parametrize(
    ("actor", "who", "why"),
    [
        (ALICE, "Bob", "Only the player of Bob can speak as Bob"),
        (GRETA, "Bob", "Only the player of Bob can speak as Bob"),
        (ALICE, "Rex", "Only the GM can speak as Rex"),
        (GRETA, None, "the GM can also choose a GMC"),
        (ZOE, None, "You don't play a character at this table"),
        (ZOE, "Nobody", "no character called"),
    ],
)
def test_nobody_speaks_as_somebody_else(actor: Actor, who: str | None, why: str) -> None:
    with pytest.raises(RuleError, match=why):
        voice(table(), actor, who)


def test_a_gmc_that_somebody_plays_is_theirs() -> None:
    at = table()
    at = at.with_owner("rex", replace(at.characters["rex"], player=ZOE.id))
    assert voice(at, ZOE).name == "Rex"
    with pytest.raises(NotAllowed):
        voice(at, GRETA, "Rex")


def test_one_that_waits_says_nothing() -> None:
    at = table()
    at = at.with_owner("rex", replace(at.characters["rex"], away=True))
    with pytest.raises(NotAllowed, match="Rex isn't in the scene, so they can't do that openly"):
        voice(at, GRETA, "Rex")
    assert voices(at, GRETA) == []


def test_without_a_gm_everybody_speaks_as_a_gmc_and_nobody_as_anothers() -> None:
    at = replace(table(), gms={})
    assert voice(at, BOB, "Rex").name == "Rex"
    with pytest.raises(NotAllowed):
        voice(at, BOB, "Alice")
    assert [each.name for each in voices(at, BOB)] == ["Bob", "Rex"]


def test_at_a_blank_table_nobody_speaks() -> None:
    with pytest.raises(RuleError):
        voice(Table(), ALICE)
