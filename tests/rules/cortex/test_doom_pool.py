"""The GM's doom pool."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.seats import Actor
from rules.cortex import gm_pools
from rules.cortex.facts import Called, Change, PoolChanged, note_why
from rules.cortex.kinds import Foe
from rules.cortex.ruleset import ADEPT, EMPIRE, HEROIC, PRIME, Ruleset
from rules.dice import MOST_DICE
from rules.errors import NotAllowed, SettingOff
from rules.game import Step
from rules.table import Table
from tests import strategies
from tests.rules.people import ALICE, BOB, GRETA, ZOE, table, tried


def pool(*sizes: int, rules: Ruleset = HEROIC) -> Table:
    return table(rules, doom=sizes)


def test_M8_the_gm_adds_dice_with_a_note_of_why() -> None:
    step = gm_pools.add(pool(8), GRETA, Foe.DOOM, "2d6", why="A scream")
    assert gm_pools.doom_dice(step.table) == (6, 6, 8)
    assert step.facts == (
        PoolChanged(Called(Foe.DOOM), (8,), (6, 6, 8), Change.ADDED, (6, 6), why=note_why("A scream")),
    )


def test_M8_the_gm_removes_sets_and_clears_dice() -> None:
    assert gm_pools.doom_dice(gm_pools.remove(pool(6, 6, 8), GRETA, Foe.DOOM, "d6 d8").table) == (6,)
    assert gm_pools.doom_dice(gm_pools.set_doom(pool(6, 6, 8), GRETA, "d12 d8").table) == (8, 12)
    assert gm_pools.doom_dice(gm_pools.clear_doom(pool(6, 6, 8), GRETA).table) == ()


def test_M8_a_die_that_is_not_there_is_not_removed() -> None:
    with pytest.raises(NotAllowed, match=r"has no 2d8. Doom pool: 2d6 d8"):
        gm_pools.remove(pool(6, 6, 8), GRETA, Foe.DOOM, "2d8")


@pytest.mark.parametrize("dice", ["d4", "2d6 d4", "4"])
def test_M1_a_d4_put_in_is_refused(dice: str) -> None:
    for change in (partial(gm_pools.add, foe=Foe.DOOM, dice=dice), partial(gm_pools.set_doom, pool=dice)):
        with pytest.raises(NotAllowed, match="The doom pool can't hold a d4"):
            change(pool(6), GRETA)


@pytest.mark.parametrize(
    ("before", "die", "steps", "after"),
    [
        ((6, 8), None, 1, (8, 8)),
        ((6, 8), "d8", 1, (6, 10)),
        ((6, 8), "d6", 3, (8, 12)),
        ((6, 8), "8", 2, (6, 12)),
    ],
)
def test_M8_the_smallest_die_steps_up_unless_another_is_named(
    before: tuple[int, ...], die: str | None, steps: int, after: tuple[int, ...]
) -> None:
    assert gm_pools.doom_dice(gm_pools.step_up(pool(*before), GRETA, Foe.DOOM, die, steps).table) == after


@pytest.mark.parametrize(
    ("before", "die", "steps", "after"),
    [
        ((6, 8), None, 1, (6, 6)),
        ((6, 8), "d6", 1, (8,)),
        ((8,), None, 2, ()),
        ((12, 6), None, 3, (6, 6)),
        ((12,), None, 5, ()),
    ],
)
def test_M1_the_largest_die_steps_down_and_at_d4_it_is_gone(
    before: tuple[int, ...], die: str | None, steps: int, after: tuple[int, ...]
) -> None:
    assert gm_pools.doom_dice(gm_pools.step_down(pool(*before), GRETA, Foe.DOOM, die, steps).table) == after


@pytest.mark.parametrize(
    ("rules", "before", "steps", "after"),
    [
        (HEROIC, (6, 10, 12), 2, (8, 12, 12)),
        (ADEPT, (6, 10, 12), 2, (6, 6, 6, 10, 12)),
        (HEROIC, (12, 12), 1, (6, 12, 12)),
        (HEROIC, (12,), 3, (10, 12)),
        (ADEPT, (12,), 1, (6, 12)),
    ],
)
def test_D5_a_d12_in_doom_steps_up_as_the_profile_says(
    rules: Ruleset, before: tuple[int, ...], steps: int, after: tuple[int, ...]
) -> None:
    assert (
        gm_pools.doom_dice(gm_pools.step_up(pool(*before, rules=rules), GRETA, Foe.DOOM, "d12", steps).table)
        == after
    )


@pytest.mark.parametrize(
    ("die", "says"), [("d12", r"has no d12. Doom pool: 2d6"), ("d7", "isn't a die"), ("x", "isn't a die")]
)
def test_M8_a_die_that_is_not_there_does_not_step(die: str, says: str) -> None:
    for change in (gm_pools.step_up, gm_pools.step_down):
        with pytest.raises(Exception, match=says):
            change(pool(6, 6), GRETA, Foe.DOOM, die)


def test_M8_an_empty_pool_does_not_step() -> None:
    for change in (gm_pools.step_up, gm_pools.step_down):
        with pytest.raises(NotAllowed, match=r"empty. Example: /doom add dice:2d6"):
            change(pool(), GRETA, Foe.DOOM)


@pytest.mark.parametrize("steps", [0, -1, 6])
def test_M8_steps_go_from_one_to_five(steps: int) -> None:
    for change in (gm_pools.step_up, gm_pools.step_down):
        with pytest.raises(NotAllowed, match=r"You can't step by .*\. Choose 1 to 5"):
            change(pool(6), GRETA, Foe.DOOM, None, steps)


def test_D3_thirty_dice_are_the_most() -> None:
    with pytest.raises(NotAllowed, match="31 dice"):
        gm_pools.add(pool(*[6] * MOST_DICE), GRETA, Foe.DOOM, "d6")


CHANGES: dict[str, Callable[[Table, Actor], Step]] = {
    "add": lambda at, who: gm_pools.add(at, who, Foe.DOOM, "d6"),
    "remove": lambda at, who: gm_pools.remove(at, who, Foe.DOOM, "d6"),
    "step up": lambda at, who: gm_pools.step_up(at, who, Foe.DOOM),
    "step down": lambda at, who: gm_pools.step_down(at, who, Foe.DOOM),
    "put": lambda at, who: gm_pools.set_doom(at, who, "d6"),
    "clear": lambda at, who: gm_pools.clear_doom(at, who),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize(("who", "may"), [(GRETA, True), (ALICE, False), (BOB, False), (ZOE, False)])
def test_M8_only_the_gm_changes_doom(name: str, who: Actor, may: bool) -> None:
    assert (tried(lambda: CHANGES[name](pool(6, 8), who)) is not None) is may


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("rules", [PRIME, EMPIRE], ids=["prime", "empire"])
def test_doom_that_is_off_names_its_setting_and_loses_nothing(name: str, rules: Ruleset) -> None:
    with pytest.raises(SettingOff, match="The doom pool is off in this campaign") as refused:
        CHANGES[name](pool(6, 8, rules=rules), GRETA)
    assert refused.value.command == "/campaign set setting:doom pool value:on"


@given(st.lists(st.tuples(st.sampled_from([*CHANGES]), strategies.sizes(), st.integers(1, 5)), max_size=12))
def test_M1_doom_never_holds_a_d4_whatever_is_done(changes: list[tuple[str, int, int]]) -> None:
    for rules in (HEROIC, ADEPT):
        at = pool(6, 6, rules=rules)
        for name, size, steps in changes:
            made: dict[str, Callable[[], Step]] = {
                "add": partial(gm_pools.add, at, GRETA, Foe.DOOM, f"d{size}"),
                "remove": partial(gm_pools.remove, at, GRETA, Foe.DOOM, f"d{size}"),
                "step up": partial(gm_pools.step_up, at, GRETA, Foe.DOOM, f"d{size}", steps),
                "step down": partial(gm_pools.step_down, at, GRETA, Foe.DOOM, f"d{size}", steps),
                "put": partial(gm_pools.set_doom, at, GRETA, f"2d{size}"),
                "clear": partial(gm_pools.clear_doom, at, GRETA),
            }
            done = tried(made[name])
            at = done.table if done else at
            assert all(each in (6, 8, 10, 12) for each in gm_pools.doom_dice(at))
            assert len(gm_pools.doom_dice(at)) <= MOST_DICE


@given(strategies.typed(), strategies.typed())
def test_any_text_changes_doom_or_is_refused(dice: str, die: str) -> None:
    for text in (dice, die):
        tried(partial(gm_pools.add, pool(6, 8), GRETA, Foe.DOOM, text))
        tried(partial(gm_pools.remove, pool(6, 8), GRETA, Foe.DOOM, text))
        tried(partial(gm_pools.set_doom, pool(6, 8), GRETA, text))
        tried(partial(gm_pools.step_up, pool(6, 8), GRETA, Foe.DOOM, text))
        tried(partial(gm_pools.step_down, pool(6, 8), GRETA, Foe.DOOM, text))


@pytest.mark.parametrize(
    ("change", "how"),
    [
        (partial(gm_pools.step_up, foe=Foe.DOOM, steps=1), (Change.STEPPED_UP, (6,), 1)),
        (partial(gm_pools.step_up, foe=Foe.DOOM, die="d8", steps=2), (Change.STEPPED_UP, (8,), 2)),
        (partial(gm_pools.step_down, foe=Foe.DOOM, steps=1), (Change.STEPPED_DOWN, (8,), 1)),
    ],
)
def test_M8_a_step_names_its_die(
    change: Callable[..., Step], how: tuple[Change, tuple[int, ...], int]
) -> None:
    fact = change(table(ADEPT, doom=[6, 8]), GRETA).facts[0]
    assert isinstance(fact, PoolChanged)
    assert (fact.change, fact.dice, fact.steps) == how


@pytest.mark.parametrize(("held", "there"), [((8, 10), "d8 d10"), ((), "empty")])
def test_M8_dice_that_are_not_there_are_refused_with_those_that_are(
    held: tuple[int, ...], there: str
) -> None:
    with pytest.raises(NotAllowed, match=rf"The doom pool has no d12\. Doom pool: {there}\."):
        gm_pools.remove(table(ADEPT, doom=held), GRETA, Foe.DOOM, "d12")
