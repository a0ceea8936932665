"""The dice that the GM has at the table."""

from collections.abc import Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.seats import Actor
from rules.cortex import gm_pools
from rules.cortex.facts import Cause, Change, Over, PoolChanged, Why
from rules.cortex.gm_pools import (
    DOOM,
    dice,
    find_pool,
    remove_dice,
    stepped_down,
    stepped_up,
    struck,
    with_dice,
)
from rules.cortex.kinds import Ending, Foe, Target
from rules.cortex.ruleset import ADEPT, EMPIRE, HEROIC, Ruleset
from rules.dice import SIZES, write_dice
from rules.errors import Ambiguous, NotAllowed, OptionNeeded, RuleError, SettingOff, TooLate, Unknown
from rules.table import Table
from rules.terms import Term, Wording
from rules.values import replace
from tests.rules.people import (
    ALICE,
    BOB,
    FIRE,
    GRETA,
    REX,
    STORM,
    ZOE,
    challenged,
    facing,
    in_crisis,
    table,
    tried,
)

POOLS = [DOOM, FIRE, STORM, REX]
OTHERS = [FIRE, STORM, REX]


def full(*sizes: int, rules: Ruleset = ADEPT) -> Table:
    """A table whose doom, crisis, challenge and mob have the same dice."""
    at = challenged(in_crisis(table(rules, doom=sizes), *sizes), *sizes)
    at = facing(at, "Rex", "4d4")
    return with_dice(at, REX, sizes, Change.SET).table


@pytest.mark.parametrize(
    ("pool", "title"),
    [(DOOM, "Doom pool"), (FIRE, "Crisis Fire"), (STORM, "Challenge Storm"), (REX, "Rex")],
)
def test_K1_each_pool_has_its_title_and_its_dice(pool: Target, title: str) -> None:
    at = full(10, 6, 6)
    assert (gm_pools.title(at, pool), dice(at, pool)) == (title, (6, 6, 10))


@pytest.mark.parametrize(
    ("foe", "typed", "found"),
    [
        (Foe.CRISIS, "crisis fire", FIRE),
        (Foe.CRISIS, "PERIL  Fi", FIRE),
        (Foe.CRISIS, "P fire", FIRE),
        (Foe.CHALLENGE, "challenge storm", STORM),
        (Foe.CHALLENGE, "Storm", STORM),
        (Foe.GMC, "gmc Rex", REX),
    ],
)
def test_N1_a_pool_is_found_behind_the_word_for_its_kind(foe: Foe, typed: str, found: Target) -> None:
    at = full(6)
    at = replace(at, settings=replace(at.settings, words={Term.CRISIS: Wording("Peril", "Perils", "P")}))
    assert gm_pools.pool_by_name(at, foe, typed) == found
    noun = "GMC" if foe is Foe.GMC else foe
    with pytest.raises(Unknown, match='called "Nothing'):
        gm_pools.pool_by_name(at, foe, f"{foe} Nothing")
    with pytest.raises(Unknown, match=rf'There\'s no {noun} called "{foe}"\. Try (Fire|Storm|Rex)\.'):
        gm_pools.pool_by_name(at, foe, str(foe))


def test_N1_a_name_that_begins_with_the_tables_word_stays_whole() -> None:
    words = {Term.CHALLENGE: Wording("Sto", "Stos", "Storm")}
    at = full(6)
    at = replace(at, settings=replace(at.settings, words=words))
    assert gm_pools.pool_by_name(at, Foe.CHALLENGE, "Sto") == STORM


@pytest.mark.parametrize("pool", OTHERS)
def test_K1_a_pool_that_is_over_is_refused_as_too_late(pool: Target) -> None:
    at = gm_pools.without_pool(full(6), pool)
    assert not gm_pools.is_there(at, pool)
    with pytest.raises(TooLate, match="is over or was undone"):
        dice(at, pool)


@pytest.mark.parametrize(
    ("pool", "how"), [(FIRE, Ending.RESOLVED), (STORM, Ending.WON), (REX, Ending.DEFEATED), (DOOM, None)]
)
def test_K3_L5_B1_without_dice_it_is_over_and_doom_is_just_empty(pool: Target, how: Ending | None) -> None:
    step = remove_dice(full(6, 8), pool, (6, 8))
    over = [fact for fact in step.facts if isinstance(fact, Over)]
    assert over == ([Over(gm_pools.called(full(6), pool), how)] if how else [])
    assert gm_pools.is_there(step.table, pool) is (how is None)


def test_M1_doom_alone_holds_no_d4() -> None:
    with pytest.raises(NotAllowed, match="The doom pool can't hold a d4"):
        with_dice(full(6), DOOM, (4,), Change.SET)
    for pool in OTHERS:
        assert dice(with_dice(full(6), pool, (4, 6), Change.SET).table, pool) == (4, 6)


@pytest.mark.parametrize("pool", POOLS)
def test_thirty_dice_are_the_most(pool: Target) -> None:
    assert len(dice(gm_pools.add_dice(full(6), pool, (6,) * 29).table, pool)) == 30
    with pytest.raises(NotAllowed, match="31 dice"):
        gm_pools.add_dice(full(6), pool, (6,) * 30)


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("wanted", [(10,), (6, 6), (8, 8)])
def test_M8_dice_that_are_not_there_do_not_leave(pool: Target, wanted: tuple[int, ...]) -> None:
    with pytest.raises(NotAllowed, match=rf" has no {write_dice(wanted)}\. .*: d6 d8\.$"):
        remove_dice(full(6, 8), pool, wanted)


HITS = [
    ((8,), 8, 10, ()),
    ((8,), 8, 8, (6,)),
    ((8,), 8, 6, (6,)),
    ((4,), 4, 4, ()),
    ((4,), 4, 6, ()),
    ((12,), 12, 12, (10,)),
    ((6, 8, 8), 8, 12, (6, 8)),
    ((6, 8, 8), 8, 4, (6, 6, 8)),
]


@pytest.mark.parametrize(("before", "size", "effect", "left"), HITS)
@pytest.mark.parametrize("pool", OTHERS)
def test_K3_a_larger_effect_removes_a_die_and_another_steps_it_down(
    pool: Target, before: tuple[int, ...], size: int, effect: int, left: tuple[int, ...]
) -> None:
    step = struck(full(*before), pool, size, effect)
    assert (dice(step.table, pool) if left else ()) == left
    assert gm_pools.is_there(step.table, pool) is bool(left)
    assert isinstance(step.facts[0], PoolChanged)
    assert step.facts[0].why == Why(Cause.HIT, dice=(effect, size))


def test_K3_what_an_effect_leaves_of_a_die() -> None:
    assert [gm_pools.fallen_to(8, effect) for effect in SIZES] == [6, 6, 6, 0, 0]
    assert gm_pools.fallen_to(4, 4) == 0


def test_K3_a_die_that_is_not_there_is_not_hit() -> None:
    for effect in (4, 12):
        with pytest.raises(NotAllowed, match="Crisis Fire has no d10"):
            struck(full(6), FIRE, 10, effect)


@pytest.mark.parametrize(
    ("rules", "steps", "after"),
    [
        (ADEPT, 1, (6, 6, 10, 12)),
        (ADEPT, 2, (6, 6, 6, 10, 12)),
        (HEROIC, 1, (6, 12, 12)),
        (HEROIC, 2, (8, 12, 12)),
    ],
    ids=["prime once", "prime twice", "heroic once", "heroic twice"],
)
@pytest.mark.parametrize("pool", POOLS)
def test_D5_a_d12_steps_up_as_the_setting_says(
    pool: Target, rules: Ruleset, steps: int, after: tuple[int, ...]
) -> None:
    step = stepped_up(full(6, 10, 12, rules=rules), pool, "d12", steps)
    assert dice(step.table, pool) == after


@pytest.mark.parametrize("pool", OTHERS)
@pytest.mark.parametrize(
    ("before", "die", "steps", "after"),
    [
        ((6, 10), None, 1, (6, 8)),
        ((6, 10), "d6", 1, (4, 10)),
        ((6, 10), "d6", 2, (10,)),
        ((6, 10), "d6", 5, (10,)),
        ((4,), None, 1, ()),
    ],
)
def test_K3_by_hand_a_die_steps_down_and_under_d4_it_is_gone(
    pool: Target, before: tuple[int, ...], die: str | None, steps: int, after: tuple[int, ...]
) -> None:
    step = stepped_down(full(*before) if 4 not in before else with_four(pool), pool, die, steps)
    assert (dice(step.table, pool) if gm_pools.is_there(step.table, pool) else ()) == after


def with_four(pool: Target) -> Table:
    return with_dice(full(6), pool, (4,), Change.SET).table


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
@pytest.mark.parametrize("pool", POOLS)
def test_M8_only_the_gm_changes_a_pool_by_hand(pool: Target, who: Actor) -> None:
    deeds = (
        partial(gm_pools.add, full(6), who, pool.foe, "d6", pool.key),
        partial(gm_pools.remove, full(6), who, pool.foe, "d6", pool.key),
        partial(gm_pools.step_up, full(6), who, pool.foe, name=pool.key),
        partial(gm_pools.step_down, full(6), who, pool.foe, name=pool.key),
    )
    for deed in deeds:
        with pytest.raises(NotAllowed, match="Only the GM can"):
            deed()


@pytest.mark.parametrize(
    ("rules", "foe", "setting"),
    [
        (HEROIC, Foe.CRISIS, "crisis pools"),
        (EMPIRE, Foe.CRISIS, "crisis pools"),
        (HEROIC, Foe.CHALLENGE, "challenges"),
        (EMPIRE, Foe.DOOM, "doom pool"),
    ],
)
def test_what_is_off_names_its_setting(rules: Ruleset, foe: Foe, setting: str) -> None:
    assert not gm_pools.is_on(table(rules), foe)
    with pytest.raises(SettingOff, match="off in this campaign") as refused:
        gm_pools.require_on(table(rules), foe)
    assert refused.value.command == f"/campaign set setting:{setting} value:on"
    gm_pools.require_on(table(ADEPT), foe)


@pytest.mark.parametrize("typed", [None, "", "fire", "FIRE", "crisis Fire", "Crisis fi", "f"])
def test_K1_a_crisis_is_found_by_its_name_and_alone_by_none(typed: str | None) -> None:
    assert find_pool(full(6), Foe.CRISIS, typed) == FIRE


def test_K1_one_of_several_has_to_be_named() -> None:
    at = in_crisis(full(6), 8, name="Crisis of Faith")
    assert find_pool(at, Foe.CRISIS, "crisis of faith").key == "crisis of faith"
    assert find_pool(at, Foe.CRISIS, "crisis fire") == FIRE
    with pytest.raises(
        OptionNeeded, match=r"^Which crisis\? There are 2: Fire and Crisis of Faith\.$"
    ) as refused:
        find_pool(at, Foe.CRISIS, None)
    assert (refused.value.option, list(refused.value.choices)) == ("name", ["Fire", "Crisis of Faith"])
    with pytest.raises(Ambiguous, match=r'"fir" could be Fire or Fireworms\. Type more of the name'):
        find_pool(in_crisis(at, 8, name="Fireworms"), Foe.CRISIS, "fir")
    with pytest.raises(Unknown, match=r'There\'s no crisis called "Zzz"\. Try Fire or Crisis of Faith\.'):
        find_pool(at, Foe.CRISIS, "Zzz")
    with pytest.raises(NotAllowed, match=r"There's no challenge yet\.$"):
        find_pool(table(), Foe.CHALLENGE, None)


@given(
    st.sampled_from(POOLS),
    st.lists(st.sampled_from(SIZES[1:]), min_size=1, max_size=8),
    st.sampled_from(["add", "remove", "up", "down"]),
    st.sampled_from(SIZES),
    st.integers(1, 5),
)
def test_a_pool_changed_by_hand_touches_no_other(
    pool: Target, sizes: Sequence[int], how: str, size: int, steps: int
) -> None:
    at = full(*sizes)
    deeds = {
        "add": lambda: gm_pools.add(at, GRETA, pool.foe, f"d{size}", pool.key),
        "remove": lambda: gm_pools.remove(at, GRETA, pool.foe, f"d{size}", pool.key),
        "up": lambda: stepped_up(at, pool, f"d{size}", steps),
        "down": lambda: stepped_down(at, pool, f"d{size}", steps),
    }
    done = tried(deeds[how])
    if done is None:
        return
    for other in POOLS:
        if other != pool:
            assert dice(done.table, other) == dice(at, other)
    if gm_pools.is_there(done.table, pool):
        change = {"add": {1}, "remove": {-1}, "up": set(range(steps + 1)), "down": {0, -1}}[how]
        assert len(dice(done.table, pool)) - len(sizes) in change


@pytest.mark.parametrize("typed", ["", "Mind d8", "d20", "31d6", "fish"])
@pytest.mark.parametrize("pool", POOLS)
def test_what_are_no_dice_is_refused(pool: Target, typed: str) -> None:
    for deed in (gm_pools.add, gm_pools.remove):
        with pytest.raises(RuleError):
            deed(full(6), GRETA, pool.foe, typed, pool.key)


@pytest.mark.parametrize("foe", [Foe.CRISIS, Foe.CHALLENGE])
def test_M8_a_pool_is_changed_by_hand_by_its_name(foe: Foe) -> None:
    at, pool = full(6, 8), FIRE if foe is Foe.CRISIS else STORM
    assert dice(gm_pools.add(at, GRETA, foe, "d4").table, pool) == (4, 6, 8)
    assert dice(gm_pools.remove(at, GRETA, foe, "d6", title_of(pool)).table, pool) == (8,)
    assert dice(gm_pools.step_up(at, GRETA, foe).table, pool) == (8, 8)
    assert dice(gm_pools.step_down(at, GRETA, foe, steps=2).table, pool) == (4, 6)
    for who in (ALICE, ZOE):
        with pytest.raises(NotAllowed, match=f"Only the GM can add {foe} dice"):
            gm_pools.add(at, who, foe, "d4", "Zzz")
    with pytest.raises(Unknown, match=f'There\'s no {foe} called "Zzz"'):
        gm_pools.remove(at, GRETA, foe, "d6", "Zzz")


def title_of(pool: Target) -> str:
    return gm_pools.title(full(6), pool).casefold()
