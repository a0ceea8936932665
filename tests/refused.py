"""Every refusal that a test meets is said in another language too, and no English may be left in it."""

import re
from collections.abc import Iterator
from datetime import tzinfo
from typing import Any

from bot.store.history import LogStep
from bot.store.undo import StepRefused
from rules.errors import RuleError, Undecided
from rules.text import Phrase, Words
from tests.catalog import Capitals
from tests.texts_met import MET, note

VALUES = (str, int, tzinfo, Phrase, LogStep)
"""What a refusal is made of; names, dice and what was typed are texts."""
ENGLISH = {
    *("is", "are", "was", "be", "has", "have", "had", "do", "does", "did", "may", "can", "cannot", "will"),
    *("the", "this", "that", "these", "those", "there", "here", "it", "its", "you", "your", "nobody", "none"),
    *("not", "no", "for", "with", "which", "whom", "who", "only", "each", "already", "yet", "at most"),
}
"""Words of which every second sentence has one, and a name none."""
AS_GIVEN = ("typed", "place", "where")
"""What may be any words: what was typed, and places in a file."""
OTHER = Capitals()
"""One for all refusals: what a language makes of each term is found once."""
_QUOTED = r'"[^"]*"|“[^”]*”|(?<!\w)\'[^\']*\'(?!\w)'
_AS_TYPED = re.compile(rf"{_QUOTED}|EXAMPLES?: .*|/[a-z]+ .*|\w+(?:\.\w+)+|[a-z_]+:")
_WORD = re.compile(r"[^\W\d_]+")


class Refusals:
    """What is refused in the test that runs."""

    def __init__(self) -> None:
        self._of_test: list[RuleError] = []
        self._is_law = False

    def install(self) -> None:
        """Note refusals from now on, in the whole process."""
        made: Any = RuleError.__init__

        def noting(error: RuleError, sentence: str, /, **data: object) -> None:
            made(error, sentence, **data)
            if sentence not in MET or not self._is_law:  # a law is tried with many examples
                self._of_test.append(error)

        setattr(RuleError, "__init__", noting)  # noqa: B010 - mypy knows it as a method

    def begin(self, *, is_law: bool) -> None:
        """Begin a test."""
        self._of_test, self._is_law = [], is_law

    def end(self) -> None:
        """End a test: what was refused is noted, and can be said in another language whole.

        Where names are made up that is not known: texts of the program itself are among them. Raises
        AssertionError.
        """
        refused, self._of_test = self._of_test, []
        for error in refused:
            note(error)
        assert self._is_law or [fault for error in refused for fault in faults(error)] == []


def faults(error: RuleError) -> Iterator[str]:
    """What of a refusal no other language would say."""
    for place, value in error.data.items():
        for each in value if isinstance(value, tuple) else (value,):
            if not isinstance(each, VALUES):
                yield f"{error.sentence} has a {type(each).__name__} as its {place}"
    data = error.named(lambda step: "") if isinstance(error, StepRefused) else error.data
    yield from _left(Words(error.sentence, **data), *(str(data.get(place, "")) for place in AS_GIVEN))
    for answer in error.answers if isinstance(error, Undecided) else ():
        yield from _left(answer.label)


def _left(phrase: Phrase, *given: str) -> Iterator[str]:
    said = phrase.said(OTHER)
    for each in filter(None, given):
        said = said.replace(each, " ")
    if ENGLISH & set(_WORD.findall(_AS_TYPED.sub(" ", said))):
        yield f"English is left: {said}"
