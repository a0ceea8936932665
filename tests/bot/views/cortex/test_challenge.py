"""What a challenge does, and who reacts."""

from functools import partial

from bot.language.printers import spelled
from bot.views.card import Form
from bot.views.cortex import challenge
from rules.campaign.seats import Actor, join
from rules.cortex import challenge as cortex_challenge
from rules.cortex.challenge import ChallengeAct
from rules.cortex.kinds import Foe, Target
from rules.cortex.model import CORTEX
from tests.bot.views.asking import ALICE, GM, after, answers, begun, newest, opened

STORM = Target(Foe.CHALLENGE, "storm")


def test_a_challenge_does_whatever_is_offered_and_whom_it_is_against_reacts() -> None:
    table = after(
        begun(),
        (GM, partial(cortex_challenge.new, name="Storm", difficulty="2d8")),
        (GM, partial(cortex_challenge.skip, who="Alice")),
        (GM, partial(cortex_challenge.skip, who="Bob")),
    )
    steps = answers(table, GM, challenge.act_button(table, STORM))
    assert len(steps) == 2 + 1 + 1
    assert {CORTEX.of(step.table).challenges["storm"].against for step in steps} == {"", "alice", "bob"}
    table = after(table, (GM, partial(cortex_challenge.act, what=ChallengeAct.TARGET, who="Alice")))
    (step,) = answers(table, ALICE, challenge.react_button(table, STORM), dice="2d6 d8")
    assert newest(step.table).who == "Alice"


def test_whom_the_list_has_no_room_for_is_typed() -> None:
    crowd = ((Actor(n, f"p{n}"), partial(join, name=f"Player {n}")) for n in range(4, 21))
    table = after(begun(), *crowd, (GM, partial(cortex_challenge.new, name="Storm")))
    skipped = [(GM, partial(cortex_challenge.skip, who=each.name)) for each in table.characters.values()]
    table = after(table, *skipped)
    form = opened(table, GM, challenge.act_button(table, STORM))
    assert isinstance(form, Form)
    assert spelled(form.fields[1].hint) == "Or against someone who isn't in the list"
    steps = answers(table, GM, challenge.act_button(table, STORM), name="Player 20")
    assert {CORTEX.of(step.table).challenges["storm"].against for step in steps} == {"player 20"}
