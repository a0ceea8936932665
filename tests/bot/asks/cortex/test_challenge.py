"""What a challenge does, and who reacts."""

from functools import partial

from bot.asks.cortex import challenge as asked
from rules.cortex.state.kinds import Foe, Target
from rules.cortex.state.part import CORTEX
from rules.cortex.tools import challenge
from rules.cortex.tools.challenge import ChallengeAct
from tests.bot.asks.asking import ALICE, GM, after, answers, begun, newest

STORM = Target(Foe.CHALLENGE, "storm")


def test_a_challenge_does_whatever_is_offered_and_whom_it_is_against_reacts() -> None:
    table = after(
        begun(),
        (GM, partial(challenge.new, name="Storm", difficulty="2d8")),
        (GM, partial(challenge.skip, who="Alice")),
        (GM, partial(challenge.skip, who="Bob")),
    )
    steps = answers(table, GM, asked.button(table, STORM))
    assert len(steps) == 2 + 1 + 1
    assert {CORTEX.of(step.table).challenges["storm"].against for step in steps} == {"", "alice", "bob"}
    table = after(table, (GM, partial(challenge.act, what=ChallengeAct.TARGET, who="Alice")))
    (step,) = answers(table, ALICE, asked.react_button(table, STORM), dice="2d6 d8")
    assert newest(step.table).who == "Alice"
