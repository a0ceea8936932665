"""Refusals: each class says in one plain sentence what is wrong, and carries the data of that sentence."""

from collections.abc import Sequence

from rules.terms import ENGLISH, IN_TERMS
from rules.text import Phrase, Words
from rules.values import Value


class RuleError(Exception):
    """A refusal for the user to read: what is wrong, and what works instead.

    The `sentence` has placeholders for its `data`, so that it can be translated. Anything in the data
    that isn't a name, a number or dice must be a Phrase.

    >>> print(NotAllowed("{who} has no {die}.", who="Mira", die="d8"))
    Mira has no d8.
    """

    def __init__(self, sentence: str, /, **data: object) -> None:
        said = IN_TERMS[sentence, ENGLISH]
        super().__init__(said.format_map(data) if data else said)
        self.sentence = sentence
        self.data = data
        self.campaign = 0
        """The campaign whose table refuses, if it isn't the one of this place."""

    @property
    def words(self) -> Words:
        """The sentence as a phrase, for use inside another sentence."""
        return Words(self.sentence, **self.data)


class Unreadable(RuleError):
    """The text or dice can't be parsed."""


class NotAllowed(RuleError):
    """The rules, or this person's role at the table, don't allow it."""


class SettingOff(NotAllowed):
    """A campaign `setting` doesn't allow the command; with this `value` it would.

    The sentence says only what is off. The bot adds a button for the GM, or the GM's name for others.

    >>> SettingOff("Crises are off.", setting="crises").command
    '/campaign set setting:crises value:on'
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
    """The command needs an `option`, with one of these `choices` as its value."""

    def __init__(self, sentence: str, /, *, option: str, choices: Sequence[str], **data: object) -> None:
        super().__init__(sentence, **data)
        self.option = option
        self.choices = choices


class ZoneNeeded(NotAllowed):
    """A time of day was typed, but no time zone is known; the `example` is a command that names one."""


class TooLate(NotAllowed):
    """Somebody else was faster, or the thing is closed; the same request can't succeed any more."""


class Unknown(RuleError):
    """Nothing at the table has that name."""


class Closed(TooLate, Unknown):
    """What the pressed message shows is closed, so none of its buttons can work any more."""


class Gone(TooLate):
    """What the pressed button is about is no more, so no button of its message about the same can work."""


class TableGone(Gone):
    """The pressed message belongs to a table that was deleted, or that is no longer in the channel."""


class Ambiguous(RuleError):
    """The name could mean several things at the table."""


class PossibleAnswer(Value):
    """One answer to a question: its button label, and the sign that marks it as agreed to."""

    label: Phrase
    sign: str


class Undecided(RuleError):
    """A question that must be answered first; nothing happens until one of the `answers` is agreed to."""

    def __init__(self, question: str, /, *answers: PossibleAnswer, **data: object) -> None:
        super().__init__(question, **data)
        self.answers = answers
