"""A character's uploaded portrait: given and taken away by its player and the GM."""

import pytest

from rules.campaign.characters import change
from rules.campaign.seats import Actor
from rules.errors import NotAllowed, RuleError
from rules.facts import PortraitChanged
from tests.rules.people import ALICE, BOB, GRETA, ZOE, table

DIGEST = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    ("actor", "who", "key"), [(ALICE, None, "alice"), (GRETA, "Bob", "bob"), (GRETA, "rex", "rex")]
)
def test_it_is_given_and_taken_away(actor: Actor, who: str | None, key: str) -> None:
    step = change(table(), actor, who, DIGEST, " A scar  over\nthe eye ")
    given = step.table.characters[key]
    assert (given.picture, given.picture_alt) == (DIGEST, "A scar over the eye")
    assert step.facts == (PortraitChanged(given.name),)
    gone = change(step.table, actor, who)
    assert gone.table == table()
    assert gone.facts == (PortraitChanged(given.name, is_gone=True),)


@pytest.mark.parametrize(
    ("actor", "who"), [(BOB, "Alice"), (ZOE, "Alice"), (ALICE, "Rex"), (ALICE, "Nobody")]
)
def test_others_keep_theirs(actor: Actor, who: str) -> None:
    with pytest.raises(RuleError):
        change(table(), actor, who, DIGEST)


def test_there_is_none_to_take_away() -> None:
    with pytest.raises(NotAllowed, match="has no uploaded portrait"):
        change(table(), ALICE)


def test_what_it_shows_is_told_in_three_hundred_characters() -> None:
    with pytest.raises(RuleError, match="That description has 301 characters; the limit is 300"):
        change(table(), ALICE, None, DIGEST, "x" * 301)
