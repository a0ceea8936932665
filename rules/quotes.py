"""What people write, kept in their own words: by their leave, and for as long as they like."""

from collections.abc import Iterable
from typing import Any

from rules.errors import NotAllowed, Unreadable
from rules.fact import Fact
from rules.facts import Quoted, Redone, Undone
from rules.names import NOTE, clean
from rules.result import Step
from rules.seats import Actor, is_gm
from rules.table import Table
from rules.values import replace

LONGEST_QUOTE = 1000
"""A message of more characters is kept no more."""


def quotable(text: str) -> str:
    """The text of a message as it is kept, on one line. Raises NotAllowed where it is empty, or too long."""
    try:
        line = clean(text, NOTE, len(text))
    except Unreadable:
        raise NotAllowed("That message has no text to keep.") from None
    if len(line) > LONGEST_QUOTE:
        raise NotAllowed(
            "That message has {count} characters; the limit is {most}. Write what matters as a note. "
            "Example: /note text:The map lies",
            count=len(line),
            most=LONGEST_QUOTE,
        )
    return line


def quote(table: Table, actor: Actor, quoted: Quoted) -> Step:
    """What somebody wrote is kept. Raises NotAllowed for a text that is empty, or too long."""
    return Step(table, (replace(quoted, text=quotable(quoted.text)),))


def may_take_out(table: Table, actor: Actor, quoted: Quoted) -> bool:
    """Whether somebody may have a quotation taken out: whoever wrote it, and the GM."""
    return actor.id == quoted.player or is_gm(table, actor)


def require_own(table: Table, actor: Actor, quoted: Quoted) -> None:
    """Refuse to take out what somebody else wrote to all but the GM."""
    if not may_take_out(table, actor, quoted):
        raise NotAllowed(
            "Only {who} and the {gm.one} can take that message out.", who=quoted.by or quoted.who
        )


def quotes_in(facts: Iterable[Fact], message: int) -> list[Quoted]:
    """What facts have of a message, taken out or not, also where its step was undone or put back."""
    found = list[Quoted]()
    for fact in facts:
        if isinstance(fact, Undone | Redone):
            found += quotes_in(fact.facts, message)
        elif isinstance(fact, Quoted) and fact.message == message:
            found.append(fact)
    return found


def without_quote(facts: tuple[Any, ...], message: int) -> tuple[Any, ...]:
    """Facts in which nothing is left of the text of a message."""

    def taken_out(fact: Any) -> Any:
        if isinstance(fact, Undone | Redone):
            return replace(fact, facts=without_quote(fact.facts, message))
        is_it = isinstance(fact, Quoted) and fact.message == message
        return replace(fact, text="") if is_it else fact

    return tuple(map(taken_out, facts))
