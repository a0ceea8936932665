"""How facts are told: a record for each kind. What a game's own facts say stands in its room."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.language.line import Text, joined
from bot.render.illegible import or_illegible
from rules.facts import Event, Fact
from rules.table import Table


def always(fact: Any) -> bool:
    """Each of them."""
    return True


@dataclass(frozen=True, slots=True)
class Telling:
    """How facts of one kind are told."""

    line: Callable[[Any], Text] | None
    """What one says, in a plain line; none for a roll, which has a card of its own."""
    is_beside: bool = False
    """In a card it stands beside a roll, which says the same."""
    in_log: Callable[[Any, Sequence[Fact], bool], Text | None] | None = None
    """What it is in the log among those of its step, where the one before told of its roll or not."""
    is_of_roll: bool = False
    """It says what was done to a roll, which is told beside it as it is then."""
    undone: Callable[[Any], Text | None] | None = None
    """Says the state after an undo; None quotes the fact instead."""
    subject: Callable[[Any], Hashable] | None = None
    """Returns the key of what a fact changed; of several changes, undo restores the first one's state."""
    setting: Callable[[Any], str] | None = None
    """Returns the campaign setting without which what a fact changed isn't in play."""
    is_news: Callable[[Any], bool] | None = None
    """Whether one deserves a message of its own where a roll's message is only edited."""
    whom: Callable[[Any], Iterable[str]] | None = None
    """The names of characters whom it concerns: for a GMC the GM hears of it."""
    people: Callable[[Table, Any], Iterable[int]] | None = None
    """The Discord ids of further people whom it concerns."""


def _nobody_says(fact: Fact) -> Text:
    raise LookupError(f"{type(fact).__name__} has no words")


_UNKNOWN = Telling(_nobody_says)
_known: dict[type[Fact], Telling] = {}


def learn(words: Mapping[type[Fact], Telling]) -> None:
    """Let facts of these kinds be told so."""
    _known.update(words)


def telling(fact: Fact) -> Telling:
    """How a fact is told; the line of one that nobody has words for raises LookupError."""
    return _known.get(type(fact), _UNKNOWN)


def line_of(fact: Fact) -> Text:
    """What a fact says in a plain line, or that it cannot be said."""
    return or_illegible(lambda: [_line(fact)], type(fact).__name__)[0]


def _line(fact: Fact) -> Text:
    line = telling(fact).line
    if line is None:
        raise LookupError(f"{type(fact).__name__} has a card of its own")
    return line(fact)


def followed(roll_number: int, step: int, of: Sequence[Event]) -> list[Text]:
    """What followed from a roll by one step: of the step that made it line by line, later in one line."""
    lines = list(map(line_of, of))
    return lines if step == roll_number else [joined("; ", lines)]
