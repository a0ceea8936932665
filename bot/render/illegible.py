"""What cannot be read, or be said, in words: one line, so that it harms nothing but itself."""

from collections.abc import Callable

import structlog

from bot.language import say
from bot.language.line import Text
from bot.language.said import UNSAID

log = structlog.get_logger(__name__)


def illegible(kind: str) -> Text:
    """The line for something that cannot be read, of a kind where it says one."""
    return say("something this version can't read ({kind})", kind=kind) if kind else say(UNSAID)


def or_illegible(words: Callable[[], list[Text]], kind: str) -> list[Text]:
    """The lines that say something, or the one that says that it cannot be said."""
    try:
        return words()
    except Exception as error:
        log.warning("fact not rendered", kind=kind, reason=repr(error))
        return [illegible(kind)]
