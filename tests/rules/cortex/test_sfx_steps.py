"""What an SFX steps by its name: complications and stress of either side, doom, dice of the pool (X1)."""

import pytest

from rules.cortex import sfx_use
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.roll import make
from rules.cortex.ruleset import ADEPT, EMPIRE
from rules.cortex.sfx import new_sfx
from rules.errors import Ambiguous, NotAllowed, RuleError, Undecided, Unknown
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, after, die, faces, facing, having, never, newest, table


def able(benefit: str, cost: str = "", *, at: Table | None = None) -> Table:
    """A table where Alice has Mind d10 and Angry d6, Rex has Webbed d8, and Alice an SFX called Trick."""
    at = having(at or table(ADEPT, doom=(6, 8)), "alice", TraitKind.TRAIT, Trait("Mind", 10))
    at = having(at, "alice", TraitKind.COMPLICATION, Trait("Angry", 6))
    at = having(at, "rex", TraitKind.COMPLICATION, Trait("Webbed", 8))
    return at.with_owner(
        "alice",
        CORTEX.give(
            at.characters["alice"],
            replace(CORTEX.has(at.characters["alice"]), sfx={"trick": new_sfx("Trick", benefit, cost)}),
        ),
    )


@pytest.mark.parametrize(
    ("benefit", "cost", "who", "label", "size"),
    [
        ("down Angry", "", "alice", "Angry", 4),
        ("up Webbed", "", "rex", "Webbed", 10),
        ("down rex \u00b7 webbed", "", "rex", "Webbed", 6),
        ("asset d8", "up Angry", "alice", "Angry", 8),
    ],
)
def test_X1_what_stands_is_stepped_without_a_roll(
    benefit: str, cost: str, who: str, label: str, size: int
) -> None:
    step = sfx_use.use(able(benefit, cost), ALICE, never, "Trick")
    assert die(step.table, who, TraitKind.COMPLICATION, label) == size


def test_C4_ones_own_trouble_past_d12_takes_out() -> None:
    at = having(able("add d6", "up Angry"), "alice", TraitKind.COMPLICATION, Trait("Angry", 12))
    step = make(at, ALICE, faces(4, 3), "Mind, Trick")
    assert CORTEX.has(step.table.characters["alice"]).is_taken_out


def test_X1_a_die_of_what_stands_in_the_pool_steps_with_it() -> None:
    step = make(able("up Webbed"), ALICE, faces(4, 3), "Mind, Webbed, Trick")
    assert [each.size for each in newest(step.table).hand.dice] == [10, 10]
    assert die(step.table, "rex", TraitKind.COMPLICATION, "Webbed") == 10


def test_X1_what_stands_against_a_roll_is_stepped_before_it() -> None:
    step = make(able("down Webbed", at=table(EMPIRE)), ALICE, faces(4), "Mind, Trick", "11 + Webbed")
    against = newest(step.table).against
    assert against is not None
    assert against.number == 14


def test_X1_a_name_that_is_two_things_is_asked_for() -> None:
    at = having(able("down Webbed"), "bob", TraitKind.COMPLICATION, Trait("Webbed", 10))
    with pytest.raises(Undecided, match=r"Trick: which Webbed steps down\?") as asked:
        sfx_use.use(at, ALICE, never, "Trick")
    assert [str(each.label) for each in asked.value.answers] == [
        "Bob \u00b7 Webbed d10",
        "Rex \u00b7 Webbed d8",
    ]
    agreed = replace(ALICE, agreed=(asked.value.answers[1].sign,))
    step = sfx_use.use(at, agreed, never, "Trick")
    assert die(step.table, "rex", TraitKind.COMPLICATION, "Webbed") == 6
    assert die(step.table, "bob", TraitKind.COMPLICATION, "Webbed") == 10


def test_X1_a_name_that_is_more_things_than_can_be_asked_for_needs_its_owner() -> None:
    at = able("down Webbed")
    for name in ("Ann", "Ben", "Cleo", "Dan", "Eve"):
        at = having(facing(at, name, "d8"), name.casefold(), TraitKind.COMPLICATION, Trait("Webbed", 6))
    with pytest.raises(Ambiguous, match=r"Webbed could be Rex.* or Dan.*\. Name the owner in the SFX\.$"):
        sfx_use.use(at, ALICE, never, "Trick")


def test_X1_a_die_of_the_pool_and_what_stands_are_two_things() -> None:
    at = having(able("up Mind"), "rex", TraitKind.COMPLICATION, Trait("Mind", 6))
    with pytest.raises(Undecided) as asked:
        make(at, ALICE, never, "Mind, Trick")
    of_rex, of_pool = asked.value.answers
    assert str(of_pool.label) == "Mind d10 in the pool"
    step = make(at, replace(ALICE, agreed=(of_pool.sign,)), faces(4), "Mind, Trick")
    assert [each.size for each in newest(step.table).hand.dice] == [12]
    step = make(at, replace(ALICE, agreed=(of_rex.sign,)), faces(4), "Mind, Trick")
    assert [each.size for each in newest(step.table).hand.dice] == [10]
    assert die(step.table, "rex", TraitKind.COMPLICATION, "Mind") == 8


@pytest.mark.parametrize(
    ("benefit", "cost", "says"),
    [
        ("1 PP", "up Webbed", "no complication or"),
        ("1 PP, down Tired", "", "but nothing in play has that name"),
        ("1 PP, up Mind", "", "Trick steps dice before the roll, so type it with the dice"),
        ("down Angry", "2 PP", "That costs 2"),
    ],
)
def test_X1_what_cannot_be_stepped_or_paid_changes_nothing(benefit: str, cost: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        sfx_use.use(able(benefit, cost), ALICE, never, "Trick")


@pytest.mark.parametrize(
    ("benefit", "doom", "left"),
    [
        ("down doom", (6, 8), {6: 2}),
        ("down doom", (6,), {}),
        ("up doom", (6, 8), {8: 2}),
    ],
)
def test_M8_a_doom_die_is_stepped_at_once(benefit: str, doom: tuple[int, ...], left: dict[int, int]) -> None:
    at = able(benefit, at=table(ADEPT, doom=doom))
    assert CORTEX.of(sfx_use.use(at, ALICE, never, "Trick").table).doom == left
    with pytest.raises(NotAllowed, match="doom pool is empty"):
        sfx_use.use(CORTEX.put(at, replace(CORTEX.of(at), doom={})), ALICE, never, "Trick")


def test_X1_against_a_number_what_is_in_the_way_is_stepped() -> None:
    at = able("down theirs", at=table(EMPIRE))
    with pytest.raises(NotAllowed, match="11 is a number, so it has no dice"):
        make(at, ALICE, faces(4), "Mind, Trick", "11")
    step = make(at, ALICE, faces(4), "Mind, Trick", "11 + Webbed")
    against = newest(step.table).against
    assert against is not None
    assert (against.number, against.plus) == (14, ("Webbed d6",))


def test_X1_what_an_sfx_steps_may_come_later() -> None:
    at = able("up")
    with pytest.raises(Undecided, match="no Tired here") as asked:
        sfx_use.add(at, ALICE, "Rest", "down Tired")
    agreed = replace(ALICE, agreed=(asked.value.answers[0].sign,))
    at = after(sfx_use.add(at, agreed, "Rest", "down Tired"))
    with pytest.raises(Unknown):
        sfx_use.use(at, ALICE, never, "Rest")
    with pytest.raises(RuleError, match="Rest steps Tired, but nothing in play has that name"):
        make(at, ALICE, never, "Mind, Rest")
