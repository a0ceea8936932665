"""What cannot be read, or be said, in words: one line, so that it harms nothing but itself."""

from collections.abc import Callable
from typing import TypeVar

import structlog

from bot.language import say
from bot.language.line import Text

log = structlog.get_logger(__name__)

_Said = TypeVar("_Said")


def illegible(kind: str) -> Text:
    """The line for something that cannot be read, of a kind where it says one."""
    if kind:
        return say("something that this version cannot read ({kind})", kind=kind)
    return say("something that this version cannot read")


def said(words: Callable[[], _Said], kind: str, instead: Callable[[Text], _Said]) -> _Said:
    """What the words for something say, or what is said instead of it where they fail."""
    try:
        return words()
    except Exception as error:
        log.warning("not said", kind=kind, reason=repr(error))
        return instead(illegible(kind))
