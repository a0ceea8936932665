"""A question with answers in buttons: each is understood."""

import pytest

from bot.views import question as views_question
from rules.errors import PossibleAnswer, TooLate, Undecided
from rules.text import Words


def test_each_answer_agrees_to_its_sign() -> None:
    question = Undecided("Which?", PossibleAnswer(Words("One"), "1st"), PossibleAnswer(Words("Two"), "2nd"))
    signs = tuple(answer.sign for answer in question.answers)
    assert [
        views_question.read(each.subject, signs)
        for each in views_question.answer_buttons(question.answers, 7)
    ] == [
        "1st",
        "2nd",
    ]


@pytest.mark.parametrize("subject", ["", "2", "x", "-1", "9" * 30])
def test_no_other_answer_is_understood(subject: str) -> None:
    with pytest.raises(TooLate):
        views_question.read(subject, ("1st", "2nd"))
