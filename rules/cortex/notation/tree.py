"""The tree of typed dice: what was typed, and where; and what cannot be read without asking (L5)."""

from dataclasses import dataclass

from rules.cortex.notation.names import Known
from rules.cortex.state.table import Modifier
from rules.dice import shorten
from rules.words import Phrase, Words


class Unclear(Exception):
    """Text that can be read in several ways, which throw other dice: one sign for each (L5)."""

    def __init__(self, question: str, /, *answers: tuple[Phrase, str], **data: object) -> None:
        super().__init__(question)
        self.question = question
        self.answers = answers
        self.data = data


@dataclass(frozen=True, slots=True)
class Node:
    """One item: what is done to it in order, a known name, dice as typed, or both, and the label of new dice.

    `start` and `end` are places in the plain text. A name with dice has these for this once; where `is_lent`
    the dice come out of the doom pool (D4).
    """

    start: int
    end: int
    verbs: tuple[str, ...] = ()
    name: str = ""
    sizes: tuple[int, ...] = ()
    label: str = ""
    is_lent: bool = False
    is_safe: bool = False
    """Its dice are safe (N14)."""
    is_scale: bool = False
    """It is the die of scale (D7)."""
    picked: int = 0
    """Of a name with several dice the size of the one that the verbs are for (N21)."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A pool as it was typed: its items, what is added to the total, what it is against, and the keep."""

    text: str
    nodes: tuple[Node, ...]
    plus: tuple[Modifier, ...] = ()
    versus: str = ""
    keep: int = 0
    dice: str = ""
    """The text without what it is against."""


def choose(
    known: Known, question: str, /, *answers: tuple[Phrase, str], written: int = 0, **data: object
) -> int:
    """Return the place of the answer that was given; in what the bot wrote itself that at `written`.

    Raises Unclear where none was.
    """
    for place, (_, sign) in enumerate(answers):
        if sign in known.decided:
            return place
    if known.is_written:
        return written
    raise Unclear(question, *answers, **data)


def either(known: Known, typed: str, *readings: str, written: int = 0) -> int:
    """Return which of two readings of something typed is meant; each is written as it would be typed."""
    answers = [(Words("{typed}", typed=reading), f"{typed} is {reading}") for reading in readings]
    question = "{typed} can be read in two ways. Which do you mean?"
    return choose(known, question, *answers, written=written, typed=shorten(typed))
