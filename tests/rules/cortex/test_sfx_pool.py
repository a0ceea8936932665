"""SFX in a pool: what they do to dice, what they cost."""

import pytest

from rules.cortex import outcome
from rules.cortex.facts import SfxUsed
from rules.cortex.gmc import roll_gmc
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.odds import ask
from rules.cortex.roll import make
from rules.cortex.ruleset import ADEPT, HEROIC, PRIME, Ruleset
from rules.cortex.sfx import new_sfx
from rules.cortex.sfx_use import use_on
from rules.cortex.spending import over_limit
from rules.errors import NotAllowed, RuleError
from rules.names import SCENE
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, GRETA, after, die, faces, facing, having, never, newest, pp, table


def able(
    benefit: str, cost: str = "", *, at: Table | None = None, trait: str = "", who: str = "alice"
) -> Table:
    """A table where Alice has Mind d10, Sharp d8, and an SFX called Trick."""
    at = having(
        at or table(ADEPT, doom=(6, 8)), "alice", TraitKind.TRAIT, Trait("Mind", 10), Trait("Sharp", 8)
    )
    owner = at.characters[who]
    return at.with_owner(
        who, CORTEX.give(owner, replace(CORTEX.has(owner), sfx={"trick": new_sfx("Trick", benefit, cost)}))
    )


def sizes(at: Table) -> list[int]:
    return [each.size for each in newest(at).hand.dice]


@pytest.mark.parametrize(
    ("benefit", "dice", "thrown"),
    [
        ("double Mind", "Mind + Sharp + Trick", [10, 10, 8]),
        ("double", "Mind + Trick Sharp", [10, 8, 8]),
        ("double", "Mind, trick d6, d4", [10, 6, 6, 4]),
        ("up", "Trick Mind, Sharp", [12, 8]),
        ("up Mind, add d6", "tri + Mind", [12, 6]),
        ("down", "Mind, Trick d4", [10]),
        ("add d6", "Mind, Trick", [10, 6]),
        ("add d6", "Mind Trick", [10, 6]),
    ],
)
def test_X1_an_sfx_among_the_dice_changes_them(benefit: str, dice: str, thrown: list[int]) -> None:
    step = make(able(benefit), ALICE, faces(*[3] * len(thrown)), dice)
    assert sizes(step.table) == thrown
    assert any(isinstance(fact, SfxUsed) and fact.sfx.name == "Trick" for fact in step.facts)


@pytest.mark.parametrize(("rules", "thrown"), [(PRIME, [12, 8, 6]), (HEROIC, [12, 10])])
def test_D5_an_sfx_steps_up_a_d12_by_the_setting(rules: Ruleset, thrown: list[int]) -> None:
    step = make(able("up, up", at=table(rules)), ALICE, faces(*[2] * len(thrown)), "Trick Mind, Sharp")
    assert sizes(step.table) == thrown


def test_X1_another_effect_die() -> None:
    step = make(able("effect"), ALICE, faces(5, 4, 3, 2), "Mind, Sharp, d8, d6, Trick")
    assert len(newest(step.table).hand.effects) == 2


def test_X1_another_die_in_the_total_and_a_step_of_the_effect() -> None:
    step = make(able("total, effect up"), ALICE, faces(5, 4, 3, 2), "Mind, Sharp, d8, d6, Trick")
    assert outcome.total(newest(step.table).hand) == 12
    assert [each.size for each in outcome.of(newest(step.table), ADEPT).effects] == [8]
    assert ask(able("total"), ALICE, "Mind, Sharp, d6, Trick").keep == 3


@pytest.mark.parametrize(("benefit", "thrown"), [("down theirs", (6, 6)), ("up theirs", (6, 10))])
def test_X1_the_oppositions_largest_die_is_stepped(benefit: str, thrown: tuple[int, ...]) -> None:
    step = make(able(benefit), ALICE, faces(3, 4, 3, 4), "Mind, Sharp, Trick", "doom")
    against = newest(step.table).against
    assert against is not None
    assert against.hand is not None
    assert tuple(each.size for each in against.hand.dice) == thrown


@pytest.mark.parametrize("vs", [None, "11", " "])
def test_X1_no_dice_against_it_cannot_be_stepped(vs: str | None) -> None:
    with pytest.raises(NotAllowed, match="dice"):
        make(able("down theirs"), ALICE, faces(3), "Mind, Trick", vs)


def test_X1_costs_and_benefits_come_in_one_go() -> None:
    at = able("1 PP, asset d8 Cover, complication d6 Webbed", "complication d8, doom d6, shut down Sharp")
    step = make(at, ALICE, faces(4), "Mind, Trick")
    assert pp(step.table, "alice") == 2
    assert die(step.table, "alice", TraitKind.ASSET, "Cover") == 8
    assert die(step.table, "alice", TraitKind.COMPLICATION, "Trick") == 8
    assert die(step.table, SCENE, TraitKind.COMPLICATION, "Webbed") == 6
    assert CORTEX.of(step.table).doom == {6: 2, 8: 1}
    assert CORTEX.has(step.table.characters["alice"]).sheet["sharp"].shut


@pytest.mark.parametrize(
    ("benefit", "cost", "dice"),
    [
        ("add d6", "2 PP", "Mind, Trick"),
        ("double Sharp", "1 PP", "Mind, Trick"),
        ("double", "1 PP", "Mind, Sharp, Trick"),
        ("reroll", "1 PP", "Mind, Trick"),
        ("add d6", "opportunity", "Mind, Trick"),
        ("up", "", "up Trick, Mind"),
        ("add d6", "", "Trick"),
    ],
)
def test_X1_what_cannot_be_paid_or_done_changes_nothing(benefit: str, cost: str, dice: str) -> None:
    at = able(benefit, cost)
    with pytest.raises(RuleError):
        make(at, ALICE, never, dice)


def test_D3_a_die_that_an_sfx_gives_is_within_the_limits() -> None:
    at = having(table(), "alice", TraitKind.TRAIT, Trait("Mind", 10, set="Attributes"))
    at = able("double Mind", at=having(at, "alice", TraitKind.DISTINCTION, Trait("Bold", 8)))
    made_roll = newest(make(at, ALICE, faces(3, 4, 5), "Mind, Bold, Trick").table)
    assert over_limit(made_roll, PRIME) == 0


def test_H3_an_sfx_uses_an_opportunity_once() -> None:
    at = able("add d6", "opportunity")
    at = after(make(at, ALICE, faces(5, 1, 4), "Mind", "doom"))
    step = make(at, ALICE, faces(5, 2), "Mind, Trick")
    assert len(sizes(step.table)) == 2
    with pytest.raises(NotAllowed, match="needs an opportunity"):
        make(after(step), ALICE, never, "Mind, Trick")


def test_M4_M7_a_gmcs_sfx_is_paid_with_doom() -> None:
    rex = able("add d6", "1 PP", who="rex").characters["rex"]
    own = replace(CORTEX.has(rex), sheet={"fangs": Trait("Fangs", 8)})
    rex = CORTEX.give(rex, own)
    at = table(ADEPT, doom=(6, 8)).with_owner("rex", rex)
    step = make(at, GRETA, faces(3, 4), "Fangs, Trick", who="Rex")
    assert CORTEX.of(step.table).doom == {8: 1}
    dear = at.with_owner(
        "rex", CORTEX.give(rex, replace(own, sfx={"trick": new_sfx("Trick", "add d6", "2 PP")}))
    )
    assert CORTEX.of(make(dear, GRETA, faces(3, 4), "Fangs, Trick", who="Rex").table).doom == {}
    gains = at.with_owner("rex", CORTEX.give(rex, replace(own, sfx={"trick": new_sfx("Trick", "1 PP")})))
    assert CORTEX.of(make(gains, GRETA, faces(3), "Fangs, Trick", who="Rex").table).doom == {6: 2, 8: 1}
    broke = CORTEX.put(at, replace(CORTEX.of(at), doom={}))
    with pytest.raises(NotAllowed, match="costs 1 doom die"):
        make(broke, GRETA, never, "Fangs, Trick", who="Rex")


def test_X1_an_sfx_alone_is_no_pool() -> None:
    with pytest.raises(NotAllowed, match="Trick is an SFX, so add dice to roll with it"):
        make(able("add d6"), ALICE, never, "trick")


def test_a_trait_of_that_name_goes_before_the_sfx() -> None:
    at = able("add d6")
    assert sizes(make(at, ALICE, faces(4, 3), "Mind, Sharp").table) == [10, 8]
    at = having(at, "alice", TraitKind.ASSET, Trait("Trick", 4))
    assert sizes(make(at, ALICE, faces(4, 3), "Mind, Trick").table) == [10, 4]


def test_the_last_pool_with_an_sfx_or_a_hinder_is_paid_for_again() -> None:
    at = having(able("add d6", "1 PP", at=table(pp=2)), "alice", TraitKind.DISTINCTION, Trait("Bold", 8))
    step = make(at, ALICE, faces(4, 3, 2), "Mind\nTrick", hinder="Bold")
    assert pp(step.table, "alice") == 2
    again = make(after(step), ALICE, faces(4, 3, 2), "last")
    assert sizes(again.table) == [10, 4, 6]
    assert pp(again.table, "alice") == 2
    assert CORTEX.of(again.table).last_pools[2] == ("Mind d10, hinder Bold d8, Trick",)


def test_odds_know_sfx_and_pay_nothing() -> None:
    asked = ask(able("double Mind, down theirs", "1 PP"), ALICE, "Mind, Trick", "doom")
    assert [each.size for each in asked.pool] == [10, 10]
    assert asked.against is not None
    assert asked.against.hand is not None
    assert sorted(each.size for each in asked.against.hand.dice) == [6, 6]


def test_M4_a_gmc_rolled_by_name_uses_its_sfx_too() -> None:
    at = facing(table(ADEPT, doom=(6, 8)), "Rex", "Fangs d8 d6")
    at = at.with_owner(
        "rex",
        CORTEX.give(
            at.characters["rex"],
            replace(
                CORTEX.has(at.characters["rex"]), sfx={"trick": new_sfx("Trick", "double Fangs", "1 PP")}
            ),
        ),
    )
    step = roll_gmc(at, GRETA, faces(3, 4, 5), "Rex", "Fangs, Trick, d6")
    assert (sizes(step.table), CORTEX.of(step.table).doom) == ([8, 8, 6], {8: 1})


def test_X1_a_complication_hits_the_gmc_that_is_rolled_against() -> None:
    at = facing(able("complication d6 Webbed"), "Rex", "Fangs d8")
    step = make(at, ALICE, faces(4, 3), "Mind, Trick", "Rex")
    assert die(step.table, "rex", TraitKind.COMPLICATION, "Webbed") == 6


def test_M4_the_gm_chooses_the_doom_die_that_pays_for_an_sfx() -> None:
    at = facing(table(ADEPT, doom=(6, 6, 10)), "Rex", "Fangs d8 d6")
    able_rex = CORTEX.give(
        at.characters["rex"],
        replace(CORTEX.has(at.characters["rex"]), sfx={"trick": new_sfx("Trick", "add d4", "2 PP")}),
    )
    at = after(roll_gmc(at.with_owner("rex", able_rex), GRETA, faces(3, 4), "Rex"))
    assert CORTEX.of(use_on(at, GRETA, faces(2), 1, "Trick", doom_die="doom:d10").table).doom == {6: 1}
