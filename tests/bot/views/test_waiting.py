"""What waits at the table is listed for whoever it waits for, and for as long as somebody can do it."""

from functools import partial

from bot.language.printers import spelled
from bot.views.waiting import waiting_line
from rules.cortex import challenge, contest, gmc, roll, traits
from rules.cortex.kinds import TraitKind
from rules.cortex.model import CORTEX
from rules.table import Table
from tests.bot.views.test_texts import ALICE, BOB, GM, after, begun, ore, shows


def made(table: Table, *faces: int, dice: str, vs: str | None = None) -> Table:
    return after(table, (ALICE, partial(roll.make, throw=shows(*faces), dice=dice, vs=vs)))[0]


def test_an_effect_waits_for_whose_effect_counts() -> None:
    won = made(begun(), 5, 6, 2, dice="2d6 d8", vs="7")
    assert spelled(waiting_line(won)) == "Alice 1 effect"
    lost = made(begun("heroic"), 2, 3, 4, 5, dice="2d6", vs="2d8")
    assert spelled(waiting_line(lost)) == "GM 1 effect"


def test_a_roll_on_somebody_waits_for_their_answer_and_no_longer() -> None:
    on = after(begun(), (GM, partial(gmc.roll_doom, throw=shows(4, 5), on="Alice")))[0]
    assert spelled(waiting_line(on)) == "Alice 1 answer"
    against = partial(roll.against_roll, throw=shows(6, 6), number=max(CORTEX.of(on).rolls), dice="2d6")
    assert "answer" not in spelled(waiting_line(after(on, (ALICE, against))[0]))


def test_a_contest_waits_for_the_side_that_is_to_answer() -> None:
    begun_one = partial(contest.start, throw=shows(4, 5), dice="2d6", against="Rex")
    table = after(begun(), (ALICE, begun_one))[0]
    assert spelled(waiting_line(table)) == "Rex 1 answer"
    answer = partial(contest.answer, throw=shows(8, 8), dice="2d8", against="Alice")
    assert spelled(waiting_line(after(table, (BOB, answer))[0])) == "Alice 1 answer"


def test_a_challenge_waits_for_the_gm_once_everybody_has_had_a_turn() -> None:
    table = after(
        begun(),
        (GM, partial(challenge.new, name="Storm")),
        (GM, partial(challenge.skip, who="Alice")),
        (GM, partial(challenge.skip, who="Rex")),
    )[0]
    assert spelled(waiting_line(table)) == "GM 1 act"


def test_an_opportunity_waits_only_where_it_can_touch_something() -> None:
    table = made(begun(), 2, 3, 1, 6, dice="2d6", vs="2d8")
    assert "opportunity" not in spelled(waiting_line(table))
    hurt = after(table, (GM, partial(traits.add, kind=TraitKind.COMPLICATION, what="Rain", who="scene")))[0]
    assert "Players 1 opportunity" in spelled(waiting_line(hurt))


def test_a_roll_waits_no_more_once_its_roller_has_rolled_in_another_matter() -> None:
    first = made(begun(), 1, 5, 6, dice="3d6", vs="7")
    assert spelled(waiting_line(first)) == "GM 1 hitch, Alice 1 effect"
    assert spelled(waiting_line(made(first, 5, 4, dice="2d6"))) == ""
    assert waiting_line(after(first, (ALICE, ore("full", "4d", 1, 2, 3, 4)))[0]) == ""


def test_each_is_named_once_with_all_that_waits_for_them() -> None:
    one = made(begun(), 5, 6, 2, dice="2d6 d8", vs="7")
    both = after(one, (GM, partial(gmc.roll_doom, throw=shows(4, 5), on="Alice")))[0]
    assert spelled(waiting_line(both)) == "Alice 1 effect and 1 answer"
