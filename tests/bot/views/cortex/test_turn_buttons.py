"""What a challenge waits for, as buttons."""

from functools import partial

from bot.views.cortex.challenge import challenge_buttons
from rules.cortex import challenge
from rules.cortex.kinds import Foe, Target
from tests.bot.views.asking import GM, after, begun

STORM = Target(Foe.CHALLENGE, "storm")


def test_a_challenge_waits_for_who_is_first_and_then_for_a_roll() -> None:
    table = after(begun(), (GM, partial(challenge.new, name="Storm")))
    assert {button.verb for button in challenge_buttons(table, STORM)} == {"next"}
    table = after(table, (GM, partial(challenge.first, who="Alice")))
    assert challenge_buttons(table, STORM)[0].verb == "face"
