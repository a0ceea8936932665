"""What becomes of statements that were challenged (N7)."""

import pytest

from bot.views.cortex.scenes import statement_rows
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.table import Table
from tests.bot.views.asking import ALICE, GM, answers, begun, of
from tests.rules.people import having


def challenged(*fixed: str) -> Table:
    """Duty and Glory were challenged; Love is of the same set."""
    traits = (
        Trait("Duty", 8, set="Values", statement="I stay", was=10),
        Trait("Glory", 4, set="Values", statement="I shine", was=4),
        Trait("Love", 6, set="Values"),
    )
    return having(begun(statements=True, fixed_total=fixed), "alice", TraitKind.TRAIT, *traits)


def rating(table: Table, label: str) -> tuple[int, int]:
    trait = CORTEX.has(table.characters["alice"]).sheet[label]
    return trait.die, trait.was


def test_a_statement_is_rewritten() -> None:
    at = challenged()
    button = of([each for row in statement_rows(at) for each in row], "rewritestatement")
    for actor in (GM, ALICE):
        (done,) = answers(at, actor, button, statement="I go")
        assert rating(done.table, "duty") == (10, 0)
        assert CORTEX.has(done.table.characters["alice"]).sheet["duty"].statement == "I go"


@pytest.mark.parametrize("fixed", [(), ("Values",)])
def test_a_rating_is_kept(fixed: tuple[str, ...]) -> None:
    at = challenged(*fixed)
    button = of([each for row in statement_rows(at) for each in row], "keepstatement")
    done = [step.table for step in answers(at, ALICE, button)]
    assert all(rating(each, "duty") == (8, 0) for each in done)
    raised = [(rating(each, "glory")[0], rating(each, "love")[0]) for each in done]
    assert raised == ([(6, 6), (4, 8)] if fixed else [(4, 6)])
