"""Crisis pools: how they come, and how their dice are made."""

from collections.abc import Iterator
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.seats import Actor
from rules.cortex import gm_pools
from rules.cortex.crisis import can_become, new
from rules.cortex.facts import Called, Over
from rules.cortex.gm_pools import doom_dice
from rules.cortex.kinds import Ending, Foe
from rules.cortex.model import CORTEX, Crisis
from rules.cortex.ruleset import ADEPT, EMPIRE, HEROIC, PRIME, Ruleset
from rules.dice import SIZES
from rules.errors import NotAllowed, SettingOff, Unreadable
from tests import strategies
from tests.rules.people import ALICE, BOB, FIRE, GRETA, ZOE, challenged, in_crisis, table, tried


def test_K1_a_crisis_is_made_from_nothing() -> None:
    step = new(table(), GRETA, "Fire", "d8 2d6")
    assert CORTEX.of(step.table).crises == {"fire": Crisis("Fire", {6: 2, 8: 1})}


def test_K1_doom_dice_leave_doom_in_the_same_move() -> None:
    step = new(table(ADEPT, doom=[6, 6, 8, 10]), GRETA, "Fire", from_doom="d6 d10")
    assert gm_pools.dice(step.table, FIRE) == (6, 10)
    assert doom_dice(step.table) == (6, 8)


@pytest.mark.parametrize(
    ("taken", "into", "sizes", "left"),
    [
        ("d6", "2d4", (4, 4), (6, 8)),
        ("2d6", "d8", (8,), (8,)),
        ("d6 d8", "d10", (10,), (6,)),
        ("2d6 d8", "d8 d8", (8, 8), ()),
        ("2d6 d8", "2d4 d6 d8", (4, 4, 6, 8), ()),
    ],
)
def test_K2_dice_are_split_and_combined_on_the_way(
    taken: str, into: str, sizes: tuple[int, ...], left: tuple[int, ...]
) -> None:
    step = new(table(ADEPT, doom=[6, 6, 8]), GRETA, "Fire", from_doom=taken, into=into)
    assert (gm_pools.dice(step.table, FIRE), doom_dice(step.table)) == (sizes, left)


@pytest.mark.parametrize(
    ("before", "after", "can"),
    [
        ((6,), (4, 4), True),
        ((6, 6), (8,), True),
        ((6, 8), (10,), True),
        ((4, 4), (6,), True),
        ((4,), (4,), True),
        ((12,), (10, 10), True),
        ((12, 12), (10, 10, 12), True),
        ((6, 10), (12,), True),
        ((6, 6, 8), (8, 8), True),
        ((6, 6, 6, 6), (8, 8), True),
        ((6, 6, 6, 6), (8, 4, 4, 6), True),
        ((12, 12), (12,), False),
        ((12, 6), (12,), False),
        ((4,), (), False),
        ((), (4,), False),
        ((6,), (6, 6), False),
        ((6, 6), (10,), False),
        ((6, 6, 6, 6), (10,), False),
        ((6, 6, 6), (10,), False),
        ((8,), (4, 4, 4, 4), False),
        ((8,), (6,), False),
        ((4, 4), (4,), False),
    ],
)
def test_K2_what_dice_can_become(before: tuple[int, ...], after: tuple[int, ...], can: bool) -> None:
    assert can_become(before, after) is can


def outcomes(dice: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Everything that dice can become, tried out one die after the other."""
    if not dice:
        yield ()
        return
    first, rest = dice[0], dice[1:]
    for others in outcomes(rest):
        yield (first, *others)
        if first > 4:
            yield (first - 2, first - 2, *others)
    for place, partner in enumerate(rest):
        if max(first, partner) < 12:
            for others in outcomes(rest[:place] + rest[place + 1 :]):
                yield (max(first, partner) + 2, *others)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_K2_dice_become_just_what_trying_everything_gives(count: int) -> None:
    for before in combinations_with_replacement(SIZES, count):
        found = {tuple(sorted(row)) for row in outcomes(before)}
        for length in range(1, 2 * count + 1):
            for after in combinations_with_replacement(SIZES, length):
                assert can_become(before, after) is (after in found), (before, after)


@given(st.lists(st.sampled_from(SIZES), min_size=1, max_size=6).map(tuple), st.data())
def test_K2_what_trying_gives_for_more_dice_is_allowed_in_any_order(
    before: tuple[int, ...], data: st.DataObject
) -> None:
    found = sorted({tuple(sorted(row)) for row in outcomes(before)})
    after = data.draw(st.sampled_from(found))
    assert can_become(before, tuple(data.draw(st.permutations(after))))
    more = data.draw(st.lists(st.sampled_from(SIZES), min_size=1, max_size=8).map(sorted).map(tuple))
    assert can_become(before, more) is (more in set(found))


@given(
    st.lists(st.sampled_from(SIZES), min_size=20, max_size=30).map(tuple),
    st.lists(st.sampled_from(SIZES), min_size=15, max_size=30).map(tuple),
)
def test_K2_thirty_dice_are_judged_at_once(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    assert can_become(before, before)
    assert can_become(before, after) in (True, False)


def test_K2_dice_that_cannot_become_those_stay_in_doom() -> None:
    with pytest.raises(NotAllowed, match=r"2d6 can't become d10\. Keep a die"):
        new(table(ADEPT, doom=[6, 6]), GRETA, "Fire", from_doom="2d6", into="d10")


@pytest.mark.parametrize(
    ("dice", "from_doom", "into", "message"),
    [
        (None, None, None, r"Choose dice\. Example: dice:2d8, or from_doom:2d6 into:d8"),
        (" ", "", " ", r"Choose dice\. Example: dice:2d8, or from_doom:2d6 into:d8"),
        ("d6", None, "d8", "into says what doom dice become"),
        ("d6", "d6", None, "either dice or from_doom, not both"),
        (None, "d12", None, "has no d12"),
    ],
)
def test_K1_what_makes_no_crisis_is_refused(
    dice: str | None, from_doom: str | None, into: str | None, message: str
) -> None:
    with pytest.raises(NotAllowed, match=message):
        new(table(ADEPT, doom=[6]), GRETA, "Fire", dice, from_doom, into)


def test_K1_a_crisis_has_dice_without_labels() -> None:
    with pytest.raises(Unreadable, match="can't have labels"):
        new(table(), GRETA, "Fire", "Heat d8")


def test_K1_without_doom_no_doom_dice_become_a_crisis() -> None:
    with pytest.raises(SettingOff, match="The doom pool is off in this campaign") as refused:
        new(table(PRIME, doom=[6]), GRETA, "Fire", from_doom="d6")
    assert refused.value.setting == "doom pool"


@pytest.mark.parametrize("rules", [HEROIC, EMPIRE], ids=["heroic", "empire"])
def test_K1_crises_that_are_off_are_not_made(rules: Ruleset) -> None:
    with pytest.raises(SettingOff, match="Crises are off in this campaign") as refused:
        new(table(rules), GRETA, "Fire", "d6")
    assert refused.value.setting == "crisis pools"


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
def test_K1_only_the_gm_makes_changes_and_ends_a_crisis(who: Actor) -> None:
    with pytest.raises(NotAllowed, match="Only the GM can make a crisis"):
        new(table(), who, "Fire", "d6")
    with pytest.raises(NotAllowed, match="Only the GM can add crisis dice"):
        gm_pools.add(in_crisis(table(), 6), who, Foe.CRISIS, "d6")
    with pytest.raises(NotAllowed, match="Only the GM can end a crisis"):
        gm_pools.end(in_crisis(table(), 6), who, Foe.CRISIS)


@pytest.mark.parametrize("name", ["fire", "STORM", "Alice", "rex"])
def test_K1_a_name_that_is_taken_is_refused_with_another(name: str) -> None:
    at = challenged(in_crisis(table(), 6), 8)
    with pytest.raises(
        NotAllowed, match=rf"The name {name} is already taken\. Choose another name\. Example: {name} 2$"
    ):
        new(at, GRETA, name, "d6")


@pytest.mark.parametrize(
    "name", ["all", "Scene", "gm", "doom", "Hard", "very easy", "11", "-3", "2d8", "d6 d8", "a + b"]
)
def test_T1_T2_a_name_that_means_something_else_is_refused(name: str) -> None:
    with pytest.raises(NotAllowed, match="means something else here"):
        new(table(), GRETA, name, "d6")


@pytest.mark.parametrize("name", ["Route 66", "Hard times", "D-Day 1944"])
def test_K1_a_name_may_hold_numbers_and_words(name: str) -> None:
    assert CORTEX.of(new(table(), GRETA, name, "d6").table).crises[name.casefold()].name == name


def test_K1_twenty_crises_are_the_most() -> None:
    at = table()
    for number in range(20):
        at = new(at, GRETA, f"Fire {chr(65 + number)}", "d6").table
    with pytest.raises(NotAllowed, match="A table can have at most 20 crises"):
        new(at, GRETA, "Flood", "d6")


def test_M8_the_gm_adds_dice_and_ends_a_crisis() -> None:
    at = in_crisis(table(), 6)
    assert gm_pools.dice(gm_pools.add(at, GRETA, Foe.CRISIS, "d8 d4").table, FIRE) == (4, 6, 8)
    step = gm_pools.end(at, GRETA, Foe.CRISIS, "fire")
    assert (CORTEX.of(step.table).crises, step.facts) == (
        {},
        (Over(Called(Foe.CRISIS, "Fire"), Ending.ENDED),),
    )
    assert gm_pools.find_pool(at, Foe.CRISIS, None) == FIRE


@given(
    strategies.typed(),
    st.none() | strategies.typed(),
    st.none() | st.just("2d6"),
    st.none() | strategies.typed(),
)
def test_any_text_makes_a_crisis_or_is_refused(
    name: str, dice: str | None, from_doom: str | None, into: str | None
) -> None:
    at = table(ADEPT, doom=[6, 6, 8])
    done = tried(lambda: new(at, GRETA, name, dice, from_doom, into))
    if done is not None:
        assert len(CORTEX.of(done.table).crises) == 1
        assert len(doom_dice(done.table)) == (1 if from_doom else 3)
