"""Experience points: given and spent with reasons."""

import pytest

from rules.campaign.xp import give_xp, spend_xp
from rules.errors import NotAllowed
from rules.facts import XpChanged
from tests.rules.people import ALICE, BOB, GRETA, after, table


def test_xp_are_given_to_all_and_spent_by_who_has_them() -> None:
    at = after(give_xp(table(), GRETA, "all", 2, "the end"))
    assert [at.characters[one].xp for one in ("alice", "bob", "rex")] == [2, 2, 0]
    step = spend_xp(at, ALICE, 1, "Mind d12")
    assert step.facts == (XpChanged("Alice", 2, 1, "Mind d12"),)
    with pytest.raises(NotAllowed, match="That costs 3 XP; Alice has 2"):
        spend_xp(at, ALICE, 3)


@pytest.mark.parametrize("number", [0, -1, 1000])
def test_a_number_that_makes_no_sense_is_refused(number: int) -> None:
    with pytest.raises(NotAllowed, match="Choose 1 to 999"):
        give_xp(table(), GRETA, "Alice", number)


def test_only_the_gm_gives_and_nobody_spends_anothers() -> None:
    with pytest.raises(NotAllowed, match="Only the GM can give XP"):
        give_xp(table(), ALICE, "Alice")
    with pytest.raises(NotAllowed, match="spend XP for Alice"):
        spend_xp(after(give_xp(table(), GRETA, "Alice")), BOB, 1, "", "Alice")
    at = table()
    for _ in range(10):
        at = give_xp(at, GRETA, "Alice", 999).table
    with pytest.raises(NotAllowed, match="Alice has 9990 XP; the limit is 9999"):
        give_xp(at, GRETA, "Alice", 999)
