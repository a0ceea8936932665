"""Which effect dice get the steps: every way that is shown."""

from functools import partial

from bot.views.cortex import roll_changes
from rules.cortex.actions import read_roll
from rules.cortex.effects import step_shares
from rules.cortex.roll_status import resolve
from rules.cortex.spending import spend_effect
from tests.bot.views.asking import ALICE, after, answers, begun, newest, rolled


def test_each_way_to_place_steps_is_understood() -> None:
    for total in ("5", "1"):
        table = rolled(begun(), "2d8 d6 d8 d10", 8, 8, 6, 4, 5, vs=total)
        table = after(table, (ALICE, partial(spend_effect, number=newest(table).number)))
        (button,) = roll_changes.step_buttons(read_roll(table, newest(table)))
        shared = [newest(step.table).steps_to for step in answers(table, ALICE, button)]
        shares = step_shares(table, resolve(table, newest(table)))
        assert set(shared) <= set(shares)
        assert len(shared) == (1 if button.verb == "step" else len(shares))
