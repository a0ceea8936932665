"""Telling what happened where some of it cannot be told: that harms nothing but itself."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import structlog

from bot.render.story import whole_story
from rules.campaign.rolls import faces
from rules.campaign.story import story
from rules.errors import RuleError
from rules.facts import Fact, Illegible
from rules.game import played
from rules.table import Table

log = structlog.get_logger(__name__)

_Told = TypeVar("_Told")
Facts = Sequence[tuple[Fact, ...]]
"""What each of some steps did."""


def telling(facts: Facts, tell: Callable[[Facts], _Told]) -> _Told:
    """What is made of the facts; of those that nothing can be made of, as if they could not be read.

    Raises what `tell` refuses.
    """
    try:
        return tell(facts)
    except RuleError:
        raise
    except Exception as error:
        log.warning("facts not rendered", reason=repr(error))
    return tell([tuple(map(_borne, step)) for step in facts])


def _borne(fact: Fact) -> Fact:
    """A fact of which a story can be made."""
    made = [roll for game in played() if (roll := game.as_made(fact)) is not None and roll != fact]
    tried = [(*made, fact)]
    try:
        whole_story(story(tried), Table(), is_last=False)
        faces(tried)
    except Exception:
        return Illegible(type(fact).__name__)
    return fact
