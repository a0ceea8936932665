"""Saved pools: kept as they are typed, rolled by name with the dice of now (D2)."""

import pytest

from rules.cortex import pool_text
from rules.cortex.contest import start
from rules.cortex.facts import PoolKept
from rules.cortex.kinds import KeptPool, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.named_pools import save
from rules.cortex.pool_text import MOST
from rules.cortex.roll import make
from rules.cortex.ruleset import PRIME, PushStress
from rules.errors import NotAllowed, RuleError, SettingOff
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, after, faces, having, newest, table

AT: Table = having(table(), "alice", TraitKind.TRAIT, Trait("Mind", 8, set="Attributes"), Trait("Pilot", 6))
FLY = after(save(AT, ALICE, "Fly", "Mind + Pilot vs 11"))


def rolled(at: Table, dice: str, vs: str | None = None) -> tuple[list[str], str]:
    """The labels and sizes of what Alice rolls, and what it is against."""
    size = CORTEX.has(at.characters["alice"]).sheet["mind"].die
    roll = newest(after(make(at, ALICE, faces(size, 3), dice, vs)))
    return [f"{die.label} d{die.size}" for die in roll.hand.dice], roll.against.label if roll.against else ""


def test_D2_a_saved_pool_is_rolled_by_its_name_against_what_it_usually_is() -> None:
    assert CORTEX.has(FLY.characters["alice"]).kept == {"fly": KeptPool("Fly", "Mind + Pilot", "11")}
    assert rolled(FLY, " fLy ") == (["Mind d8", "Pilot d6"], "11")
    assert rolled(FLY, "fly vs 5")[1] == "5"
    assert rolled(FLY, "fly", "7")[1] == "7"


def test_D2_it_grows_with_its_traits() -> None:
    grown = having(FLY, "alice", TraitKind.TRAIT, Trait("Mind", 12, set="Attributes"))
    assert rolled(grown, "Fly")[0] == ["Mind d12", "Pilot d6"]


def test_D2_a_trait_of_that_name_goes_first() -> None:
    at = having(FLY, "alice", TraitKind.TRAIT, Trait("Fly", 10))
    roll = newest(after(make(at, ALICE, faces(7), "Fly")))
    assert [die.size for die in roll.hand.dice] == [10]


def test_D2_what_was_rolled_last_is_saved_by_its_names() -> None:
    at = after(make(AT, ALICE, faces(5, 3, 2), "Mind + Pilot + d6"))
    step = save(at, ALICE, "Again")
    assert step.facts == (PoolKept("Alice", KeptPool("Again", "Mind, Pilot, d6")),)


def test_N3_N7_what_is_pushed_and_challenged_is_saved_and_rolled_so() -> None:
    rules = replace(PRIME, push_stress=PushStress.ONE_PP, statements=True)
    at = having(table(rules, pp=2), "alice", TraitKind.COMPLICATION, Trait("Angry", 8))
    at = having(at, "alice", TraitKind.TRAIT, Trait("Duty", 6, statement="I leave nobody behind"))
    at = after(save(at, ALICE, "All in", "push Angry, challenge Duty"))
    rolls = after(make(at, ALICE, faces(5, 2, 3, 4), "all in"))
    assert [die.label for die in newest(rolls).hand.dice] == ["Angry", "Duty", "Duty", "Duty"]
    (again,) = save(rolls, ALICE, "Again").facts
    assert again == PoolKept("Alice", KeptPool("Again", "push Angry, challenge Duty"))
    with pytest.raises(
        SettingOff, match="Statements are off in this campaign, so traits can't be challenged"
    ) as refused:
        save(having(table(), "alice", TraitKind.TRAIT, Trait("Duty", 6)), ALICE, "My duty", "challenge Duty")
    assert refused.value.setting == "statements"


def test_D2_it_stands_for_its_dice_wherever_dice_are_typed() -> None:
    contest = newest(after(start(FLY, ALICE, faces(6, 5), "fly", "Bob")))
    assert [die.label for die in contest.hand.dice] == ["Mind", "Pilot"]


def test_D2_a_saved_pool_is_replaced_and_let_go() -> None:
    step = save(FLY, GRETA, "fly", "d6", who="Alice")
    assert step.facts == (
        PoolKept("Alice", KeptPool("Fly", "d6"), was=KeptPool("Fly", "Mind + Pilot", "11")),
    )
    gone = save(after(step), ALICE, "f", remove=True)
    assert gone.facts == (PoolKept("Alice", KeptPool("Fly", "d6"), is_gone=True),)
    assert not CORTEX.has(gone.table.characters["alice"]).kept


@pytest.mark.parametrize(
    ("name", "dice", "says"),
    [
        ("Mind", "d6", "already means something"),
        ("2d6", "d6", "already means something"),
        ("build", "d6", "already means something"),
        ("last 2", "d6", "already means something"),
        ("Me vs world", "d6", "vs world"),
        ("Swim", "Gills + d6", "Alice has no Gills"),
        ("Swim", "d6 vs", "after it"),
        ("x" * 41, "d6", "That name has 41 characters; the limit is 40"),
        ("Swim", "d6 " * 200, "That pool has 599 characters; the limit is 300"),
    ],
)
def test_D2_a_pool_that_cannot_be_rolled_is_not_saved(name: str, dice: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        save(AT, ALICE, name, dice)


def test_D2_what_a_sheet_could_not_hold_is_not_saved() -> None:
    with pytest.raises(RuleError, match="after it"):
        save(AT, ALICE, "Swim", "d6", vs=":")
    with pytest.raises(RuleError, match="That opposition has 101 characters; the limit is 100"):
        save(AT, ALICE, "Swim", "d6", vs="x" * 101)


def test_D2_a_pool_that_nobody_saved_is_not_let_go() -> None:
    with pytest.raises(RuleError, match=r'There\'s no saved pool called "Swim"\. Try Fly\.'):
        save(FLY, ALICE, "Swim", remove=True)


def test_D2_nobody_else_saves_it_and_there_is_an_end() -> None:
    with pytest.raises(RuleError, match="Only the player or the GM can save a pool for Alice"):
        save(AT, BOB, "Fly", "d6", who="Alice")
    at = AT
    for number in range(MOST):
        at = after(save(at, ALICE, f"Trick {chr(97 + number)}", "d6"))
    with pytest.raises(RuleError, match="Alice already has 20 saved pools, which is the limit"):
        save(at, ALICE, "Keep another", "d6")
    after(save(at, ALICE, "Trick a", "2d6"))


@pytest.mark.parametrize("name", ["d3", "2d3", "safe d3", "from doom d8", "Fly k3", "Fly tn 12", "5d"])
def test_no_saved_pool_is_called_what_means_something_else_at_its_table(name: str) -> None:
    rules = replace(CORTEX.of(AT).ruleset, sizes=(3, 4, 6, 8, 10, 12), safe_dice=True)
    at = CORTEX.put(AT, replace(CORTEX.of(AT), ruleset=rules))
    with pytest.raises(NotAllowed, match="already means something"):
        save(at, ALICE, name, "2d6")


def test_D2_a_sheet_can_say_in_other_words_than_vs_what_a_saved_pool_is_against() -> None:
    kept = {"zap": KeptPool("Zap", "Mind + Pilot tn 12")}
    at = AT.with_owner(
        "alice", CORTEX.give(AT.characters["alice"], replace(CORTEX.has(AT.characters["alice"]), kept=kept))
    )
    assert rolled(at, "zap") == (["Mind d8", "Pilot d6"], "12")
    assert rolled(at, "zap", "7")[1] == rolled(at, "zap vs 7")[1] == "7"


def test_D2_a_saved_pool_is_the_same_after_its_sheet_was_edited() -> None:
    at = having(AT, "alice", TraitKind.TRAIT, Trait("Man vs Wild", 8))
    with pytest.raises(NotAllowed, match="in quotation marks"):
        save(at, ALICE, "Duel", "Man vs Wild + d8")
    kept = CORTEX.has(after(save(at, ALICE, "Duel", '"Man vs Wild" + d8 k3')).characters["alice"]).kept[
        "duel"
    ]
    assert (
        kept
        == KeptPool("Duel", '"Man vs Wild" + d8 k3')
        == pool_text.read_saved_pool(pool_text.write_saved_pool(kept))
    )
