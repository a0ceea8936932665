"""Rolls in secret: allowed by a setting, the GM's alone, revealed or dropped (R9)."""

import pytest

from rules.campaign.seats import Actor
from rules.cortex import roll
from rules.cortex.facts import HiddenDropped, HiddenRolled, RollMade
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX, CortexTable
from rules.cortex.ruleset import ADEPT
from rules.errors import NotAllowed, RuleError, SettingOff, Unknown
from rules.game import Step
from rules.table import Table
from rules.values import replace
from rules.visibility import for_players, seen_by, seen_by_all, with_unseen
from tests.rules.people import ALICE, GRETA, ZOE, faces, having, never, table

RULES = replace(ADEPT, hidden_rolls=True)
MAX = Actor(7, "Max")


def secret(at: Table | None = None) -> Table:
    """A table with a hidden roll of Greta's."""
    step = roll.make_hidden(at or table(RULES, doom=(6, 8)), GRETA, faces(5, 3, 7, 2, 2), "2d6 d8", vs="doom")
    return replace(step.table, number=step.table.number + 1)


def test_a_hidden_roll_is_no_roll_of_the_table() -> None:
    at = table(RULES, doom=(6, 8))
    step = roll.make_hidden(at, GRETA, faces(5, 3, 7, 2, 2), "2d6 d8", vs="doom", note="Perception")
    (fact,) = step.facts
    assert isinstance(fact, HiddenRolled)
    assert step.table == CORTEX.put(at, replace(CORTEX.of(at), hidden={1: fact.roll}))
    assert [die.face for die in fact.roll.hand.dice] == [5, 3, 7]
    assert fact.roll.note == "Perception"


@pytest.mark.parametrize("actor", [ALICE, ZOE])
def test_only_the_gm_rolls_in_secret(actor: Actor) -> None:
    with pytest.raises(NotAllowed, match="Only the GM can roll in secret"):
        roll.make_hidden(table(RULES), actor, never, "2d6")


def test_a_table_without_a_gm_has_no_secrets() -> None:
    with pytest.raises(NotAllowed, match="/campaign gm"):
        roll.make_hidden(replace(table(RULES), gms={}), ALICE, never, "2d6")


def test_rolls_are_open_unless_the_table_says_otherwise() -> None:
    with pytest.raises(SettingOff, match="Hidden rolls are off in this campaign") as refused:
        roll.make_hidden(table(ADEPT), GRETA, never, "2d6")
    assert refused.value.setting == "hidden GM rolls"


@pytest.mark.parametrize("dice", ["2d6, from doom d8", "hinder Sailor, 2d6"])
def test_what_would_be_seen_is_refused(dice: str) -> None:
    at = having(table(RULES, doom=(6, 8)), "alice", TraitKind.DISTINCTION, Trait("Sailor", 8))
    with pytest.raises(
        NotAllowed, match="A hidden roll can't involve PP, doom dice, SFX, resources or turns"
    ):
        roll.make_hidden(at, GRETA, faces(4, 3, 5), dice, who="Alice")


def test_there_are_only_so_many() -> None:
    one = CORTEX.of(secret()).hidden[1]
    most = {n: replace(one, number=n) for n in range(1, roll.MOST + 1)}
    full = CORTEX.put(table(RULES), CortexTable(ruleset=RULES, hidden=most))
    with pytest.raises(
        NotAllowed, match=r"A table can have at most 20 hidden rolls\. Reveal or drop one: /table show"
    ):
        roll.make_hidden(full, GRETA, never, "2d6")


def test_revealed_it_is_a_roll_like_any_other() -> None:
    at = secret()
    here = CORTEX.of(at)
    step = roll.reveal_hidden(at, GRETA, 1)
    (fact,) = step.facts
    assert isinstance(fact, RollMade)
    assert CORTEX.of(step.table).hidden == {}
    assert CORTEX.of(step.table).rolls == {2: fact.roll}
    assert fact.roll == replace(here.hidden[1], number=2, ruled=1)
    assert CORTEX.of(step.table).last_pools == here.last_pools
    assert for_players(at, step) == (step, False)


def test_dropped_it_leaves_nothing_on_the_table() -> None:
    at = secret()
    here = CORTEX.of(at)
    step = roll.drop_hidden(at, GRETA, 1)
    assert step.table == CORTEX.put(at, replace(here, hidden={}))
    assert step.facts == (HiddenDropped(here.hidden[1]),)
    assert for_players(at, step) == (step, True)


@pytest.mark.parametrize("rule", [roll.reveal_hidden, roll.drop_hidden])
def test_for_players_it_is_not_there(rule: object) -> None:
    at = secret()
    for number in (1, 9):
        with pytest.raises(
            Unknown, match="That roll is no longer hidden: it was revealed, dropped or undone"
        ) as refused:
            rule(at, ALICE, number)  # type: ignore[operator]
        assert "5" not in str(refused.value)


def test_who_sees_it() -> None:
    at = secret(replace(table(RULES, doom=(6, 8)), gms={1: "Greta", 7: "Max"}))
    assert [bool(CORTEX.of(seen_by(at, who)).hidden) for who in (GRETA, MAX, ALICE, ZOE)] == [
        True,
        True,
        False,
        False,
    ]
    assert CORTEX.of(seen_by_all(at)).hidden == {}
    open_ = replace(at, gms={})
    assert [bool(CORTEX.of(seen_by(open_, who)).hidden) for who in (GRETA, MAX, ALICE)] == [
        True,
        False,
        False,
    ]
    assert CORTEX.of(seen_by_all(open_)).hidden == {}


def test_what_others_do_keeps_it() -> None:
    at = secret()
    seen = seen_by(at, ALICE)
    changed = having(seen, "alice", TraitKind.ASSET, Trait("Rope", 6))
    whole = with_unseen(at, seen, Step(changed, ()))
    assert whole.table == CORTEX.put(changed, replace(CORTEX.of(changed), hidden=CORTEX.of(at).hidden))


def test_notes_of_the_gm_on_gmcs_are_the_gms() -> None:
    at = table(RULES)
    at = at.with_owner("rex", replace(at.characters["rex"], notes="He is the heir"))
    at = at.with_owner("alice", replace(at.characters["alice"], notes="I am the heir"))
    seen = seen_by(at, ALICE)
    assert [seen.characters[who].notes for who in ("rex", "alice")] == ["", "I am the heir"]
    hurt = having(seen, "rex", TraitKind.COMPLICATION, Trait("Burned", 6))
    kept = with_unseen(at, seen, Step(hurt, ())).table
    assert kept.characters["rex"].notes == "He is the heir"
    assert "burned" in CORTEX.has(kept.characters["rex"]).complications
    gone = replace(hurt, characters={k: c for k, c in hurt.characters.items() if k != "rex"})
    assert "rex" not in with_unseen(at, seen, Step(gone, ())).table.characters


def test_refusals_name_the_command_that_helps() -> None:
    with pytest.raises(SettingOff, match="Hidden rolls are off in this campaign") as refused:
        roll.make_hidden(table(ADEPT), GRETA, never, "2d6")
    assert refused.value.command == "/campaign set setting:hidden GM rolls value:on"
    with pytest.raises(RuleError, match=r"this table has none\. To become the GM: /campaign gm"):
        roll.make_hidden(replace(table(RULES), gms={}), ALICE, never, "2d6")
