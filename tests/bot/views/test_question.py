"""Reading what comes back: ids, numbers, choices."""

import pytest

from bot.views.card import Option
from bot.views.question import Fields, Pressed, choice, numbers, pick, whole_number
from rules.cortex.challenge import ChallengeAct
from rules.errors import TooLate


@pytest.mark.parametrize("job", [0, 2**56 - 1])
@pytest.mark.parametrize("subject", ["", "15.8", "00000000:1.00000000:00000000", "x:y:z"])
def test_an_id_is_read_as_it_was_written(subject: str, job: int) -> None:
    press = Pressed("keep", 2**40 - 1, 10**18, subject, job)
    assert Pressed.read(str(press)) == press


@pytest.mark.parametrize("text", ["", "x", "-1", "²", "1.5", "9" * 30])
def test_what_is_no_number_is_out_of_date(text: str) -> None:
    with pytest.raises(TooLate):
        whole_number(text)


def test_what_was_not_offered_is_out_of_date() -> None:
    with pytest.raises(TooLate):
        choice(ChallengeAct, "dance")
    with pytest.raises(TooLate):
        Fields()["what"]
    assert choice(ChallengeAct, "target") is ChallengeAct.TARGET
    assert numbers("15.8") == (15, 8)


def test_a_menu_without_options_is_not_shown() -> None:
    with pytest.raises(TooLate, match="There's nothing left to choose"):
        pick("what", "What", [])


def test_two_options_that_mean_the_same_are_offered_once() -> None:
    options = [Option("Mind d4", "a"), Option("Mind d4", "a"), Option("Sharp d6", "b")]
    assert [option.value for option in pick("what", "What", options).options] == ["a", "b"]
