"""What the GM may do about what is late."""

from functools import partial

from bot.language.printers import spelled
from bot.views import play_by_post
from bot.views.card import Button
from bot.views.cortex.gm_pools import CortexWhat
from bot.views.game import Waiting
from bot.views.waiting import waiting
from rules.cortex import challenge, contest, roll, turn
from rules.table import Pace, Table
from rules.values import replace
from tests.bot.views.asking import ALICE, BOB, GM, after, begun, highest, newest, rolled

TURNS = partial(turn.start, who="Alice")
STORM = partial(challenge.new, name="Storm")
FIRST = partial(challenge.first, who="Bob")
CONTEST = partial(contest.start, throw=highest, dice="2d6", against="Bob")


def late(table: Table) -> tuple[Waiting, list[Button]]:
    """The one thing that waits, with what the GM may do."""
    (each,) = waiting(table)
    ((*row,),) = play_by_post.late_rows(table, [each])
    return each, row


def test_of_several_answers_of_one_person_the_buttons_say_what_they_are_of() -> None:
    table = after(begun(pace=Pace.POST), (ALICE, CONTEST))
    (each,) = waiting(table)
    other = replace(each, of="Contest Rex against Bob", roll=99)
    rows = play_by_post.late_rows(table, [each, other])
    labels = [[spelled(button.label) for button in row] for row in rows]
    assert labels[0][0].startswith("Act for Bob: 1 answer, Contest Alice against Bob")
    assert labels[1] == [
        f"{verb} Bob: 1 answer, {spelled(other.of)}" for verb in ("Act for", "Keep waiting for")
    ]


def test_turns_wait_only_where_people_play_by_post() -> None:
    assert waiting(after(begun(), (GM, TURNS))) == []


def test_the_next_turn_of_the_same_person_is_another_thing() -> None:
    first = after(begun(pace=Pace.POST), (GM, TURNS))
    later = after(first, (ALICE, partial(turn.hand_on, who="Bob")), (BOB, partial(turn.hand_on, who="Alice")))
    assert waiting(first)[0].sign != waiting(later)[0].sign
    assert waiting(first)[0].sign == waiting(replace(first, number=99))[0].sign


def test_a_roll_waits_for_its_opposition_where_people_play_by_post() -> None:
    at = rolled(begun(pace=Pace.POST), "2d6", 4, 5)
    assert [(each.who, each.what) for each in waiting(at)] == [("GM", CortexWhat.OPPOSITION)]
    opposed = after(at, (GM, partial(roll.oppose, throw=highest, number=newest(at).number, vs="5")))
    assert CortexWhat.OPPOSITION not in [each.what for each in waiting(opposed)]
    assert waiting(rolled(begun(), "2d6", 4, 5)) == []
