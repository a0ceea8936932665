"""Refusals: each kind says in one plain sentence what is wrong, and carries its data."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.terms import ENGLISH, IN_TERMS
from rules.text import Phrase, Words


class RuleError(Exception):
    """A refusal that the person can read: what was wrong, what there is, an example that works.

    Its `sentence` names its `data`, as in `NotAllowed("{who} has no {die}.", who="Mira", die="d8")`, so that
    another language can say the same; what in the data is no name, number or dice is a phrase.
    """

    def __init__(self, sentence: str, /, **data: object) -> None:
        said = IN_TERMS[sentence, ENGLISH]
        super().__init__(said.format_map(data) if data else said)
        self.sentence = sentence
        self.data = data

    @property
    def words(self) -> Words:
        """What it says, for a place in another sentence."""
        return Words(self.sentence, **self.data)


class Unreadable(RuleError):
    """The words or dice cannot be read."""


class NotAllowed(RuleError):
    """The rules, or this person's seat at the table, do not allow it."""


class SettingOff(NotAllowed):
    """A campaign `setting` doesn't allow the command; with this `value` it would.

    The sentence says only what is off. The bot adds a button for the GM, or the GM's name for others.
    """

    def __init__(self, sentence: str, /, *, setting: str, value: str = "on", **data: object) -> None:
        super().__init__(sentence, **data)
        self.setting = setting
        self.value = value

    @property
    def command(self) -> str:
        """The command that changes the setting."""
        return f"/campaign set setting:{self.setting} value:{self.value}"


class OptionNeeded(NotAllowed):
    """The command needs an `option`, one of these `choices`."""

    def __init__(self, sentence: str, /, *, option: str, choices: Sequence[str], **data: object) -> None:
        super().__init__(sentence, **data)
        self.option = option
        self.choices = choices


class ZoneNeeded(NotAllowed):
    """A time of day whose zone nobody has named; its `example` is a command that names one."""


class TooLate(NotAllowed):
    """Somebody was first, or the thing is closed: the same cannot be asked again."""


class Unknown(RuleError):
    """Nothing at the table has that name."""


class Ambiguous(RuleError):
    """Several things at the table could be meant."""


@dataclass(frozen=True, slots=True)
class PossibleAnswer:
    """One thing to answer to a question: its label, and the sign under which it is agreed to."""

    label: Phrase
    sign: str


class Undecided(RuleError):
    """A question first: the same is done once one of the `answers` is given, and nothing before."""

    def __init__(self, question: str, /, *answers: PossibleAnswer, **data: object) -> None:
        super().__init__(question, **data)
        self.answers = answers
