"""What a challenge does, and who reacts."""

from functools import partial

from bot.asks.cortex import challenge as asked
from bot.language.printers import spelled
from bot.render.card import Form
from rules.cortex.state.kinds import Foe, Target
from rules.cortex.state.part import CORTEX
from rules.cortex.tools import challenge
from rules.cortex.tools.challenge import ChallengeAct
from rules.seats import Actor, join
from tests.bot.asks.asking import ALICE, GM, after, answers, begun, newest, opened

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


def test_whom_the_list_has_no_room_for_is_typed() -> None:
    crowd = ((Actor(n, f"p{n}"), partial(join, name=f"Player {n}")) for n in range(4, 21))
    table = after(begun(), *crowd, (GM, partial(challenge.new, name="Storm")))
    skipped = [(GM, partial(challenge.skip, who=each.name)) for each in table.characters.values()]
    table = after(table, *skipped)
    form = opened(table, GM, asked.button(table, STORM))
    assert isinstance(form, Form)
    assert spelled(form.fields[1].hint) == "Or against someone who isn't in the list"
    steps = answers(table, GM, asked.button(table, STORM), name="Player 20")
    assert {CORTEX.of(step.table).challenges["storm"].against for step in steps} == {"player 20"}
