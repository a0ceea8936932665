"""The names, labels and notes in facts: to find whom a fact names, and to say them otherwise."""

from collections.abc import Iterable

from rules.causes import Stretch
from rules.fact import Fact
from rules.facts import Began, OldWords
from rules.game import played
from rules.kinds import key
from rules.texts import Says
from rules.walk import said


def is_named(facts: Iterable[Fact], who: str) -> bool:
    """Whether facts name somebody or something, or a part of its name; old lines are searched as they are."""
    wanted = key(who.strip())
    for fact in facts:
        rolled = (name for game in played() for name in game.named_in(fact))
        texts = (
            *rolled,
            *(text for says, text in said(fact) if says is not Says.NOTE or isinstance(fact, OldWords)),
        )
        parts = (deep for deep in getattr(fact, "facts", ()))
        if any(wanted in key(text) for text in texts) or is_named(parts, who):
            return True
    return False


def begins_session(facts: Iterable[Fact]) -> bool:
    """Whether a session began with these facts."""
    return any(isinstance(fact, Began) and fact.what is Stretch.SESSION for fact in facts)
