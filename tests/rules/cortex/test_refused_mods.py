"""What mods refuse, each in a sentence of its own (N1 to N23)."""

from collections.abc import Callable
from typing import Any

import pytest

from rules import custom_terms
from rules.campaign import lifecycle
from rules.cortex import actions, hitches, push_and_challenge, sfx, spending, traits
from rules.cortex.formats import toolkit_form
from rules.cortex.hitches import Way
from rules.cortex.kinds import Sfx, Trait, TraitKind
from rules.cortex.model import CORTEX, Hand, Roll, RolledDie
from rules.cortex.pool import Die, Source, TraitUse
from rules.cortex.pool_resolver import gather
from rules.cortex.ruleset import ADEPT, PRIME, EffectBy, PushStress
from rules.errors import RuleError
from rules.table import Table
from rules.terms import Term, Wording
from rules.values import replace
from tests.rules.people import ALICE, GRETA, having, never, rolled, table

PUSHES = replace(ADEPT, push_stress=PushStress.ONE_PP, stress=("Angry",))


def raging(label: str = "") -> Table:
    """Alice has an SFX that pushes, and nothing to push."""
    at = table(PUSHES)
    rage = {"rage": Sfx("Rage", (f"push {label}".strip(),))}
    alice = at.characters["alice"]
    return at.with_owner("alice", CORTEX.give(alice, replace(CORTEX.has(alice), sfx=rage)))


def helped() -> Table:
    """A d4 of Alice's has helped a roll with a hitch."""
    at = having(table(replace(PRIME, d4_helps=True)), "alice", TraitKind.COMPLICATION, Trait("Cold", 4))
    return rolled(at, ALICE, "Cold, d8", 1, 5)


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: toolkit_form.read([3]), "A character of that file is no object|no sheet|Cortex Toolkit"),
    (lambda: toolkit_form._character(3), "A character in that file isn't a JSON object"),
    (lambda: hitches.buy(helped(), GRETA, 1, Way.GROW, "Zzz"), "There's no d4 called"),
    (
        lambda: spending.use_hero(
            rolled(table(replace(PRIME, effect=EffectBy.NONE), pp=3), ALICE, "2d8", 5, 6),
            ALICE,
            never,
            1,
            8,
            as_effect=True,
        ),
        r"That roll has no effect die, so use the hero die for the total\. Example: /hero use as:total",
    ),
    (lambda: sfx.new_sfx("Rage", "add d6", "push Angry"), "Pushing stress is a benefit"),
    (lambda: gather(raging("Angry"), ALICE, "Rage, d8", None, "Alice"), "Rage pushes Angry, but there's no"),
    (lambda: gather(raging(), ALICE, "Rage, d8", None, "Alice"), "Rage pushes something, but there's no"),
    (
        lambda: push_and_challenge.paid(
            table(PUSHES),
            "rex",
            (Die(8, "Angry", Source(TraitKind.STRESS, use=TraitUse.PUSHED)),),
            (),
            gm=True,
        ),
        "the GM a doom die, but the doom pool is empty",
    ),
    (
        lambda: push_and_challenge.still(
            table(PUSHES),
            table().characters["alice"],
            (Die(8, "Angry", Source(TraitKind.STRESS, use=TraitUse.PUSHED)),),
        ),
        "You can no longer push or challenge Angry",
    ),
    (
        lambda: traits.add(table(), ALICE, TraitKind.COMPLICATION, "Mud d8", None, "d6"),
        "says d8, but the option die says d6",
    ),
    (
        lambda: actions._require_not_pushed(
            Roll(
                1,
                2,
                "Alice",
                Hand((RolledDie(8, 5, "Angry", Source(TraitKind.STRESS, use=TraitUse.PUSHED)),)),
            ),
            (Die(8, "Angry", Source(TraitKind.STRESS)),),
        ),
        "Angry has been pushed into the pool, so it",
    ),
    (lambda: lifecycle.change(table(), GRETA, "sizes", "d4 d7"), "isn't a list of sizes"),
    (lambda: lifecycle.change(table(), GRETA, "difficulties", "3, 2, 1"), "isn't a list of difficulties"),
]


@pytest.mark.parametrize(("deed", "said"), REFUSED, ids=[said[:30] for _, said in REFUSED])
def test_it_is_refused_with_its_reason(deed: Callable[[], Any], said: str) -> None:
    with pytest.raises(RuleError, match=said):
        deed()


def test_a_roll_of_what_was_shared_keeps_what_is_still_so() -> None:
    at = having(table(PUSHES), "alice", TraitKind.STRESS, Trait("Angry", 8))
    pool = (Die(8, "Angry", Source(TraitKind.STRESS, use=TraitUse.PUSHED)), Die(6))
    assert push_and_challenge.still(at, at.characters["alice"], pool) == pool


def test_N1_a_word_in_a_file_is_one_as_it_would_be_typed() -> None:
    ((term, fault),) = custom_terms.faults({Term.DOOM_POOL: Wording("Dark  Side", "Dark Sides", "DS")})
    assert term is Term.DOOM_POOL
    assert "can't be a word; use 1 to 24 characters" in str(fault)
