"""Facts of Cortex that hold a roll, in words."""

from collections.abc import Iterable, Mapping, Sequence

from bot.language import say
from bot.language.line import Text
from bot.render.cortex.roll import changed_line, headline, seen
from bot.render.telling import Telling
from rules.cortex.facts import CortexRolled, HiddenDropped, HiddenRolled, RollChanged, RollMade
from rules.facts import Fact
from rules.values import exhaustive


def _hidden(fact: HiddenRolled) -> Text:
    return say("In secret: {roll}", roll=seen(fact.roll, fact.effects))


def _dropped(fact: HiddenDropped) -> Text:
    return say("Dropped unseen: {roll}", roll=headline(fact.roll))


def _made_in_log(fact: RollMade, of: Sequence[Fact], is_told: bool) -> Text:
    return seen(fact.roll, fact.effects)


def _changed_in_log(fact: RollChanged, of: Sequence[Fact], is_told: bool) -> Text | None:
    """The whole roll where something told of it, what changed where nothing else was done."""
    if is_told:
        return seen(fact.roll, fact.effects)
    is_alone = all(isinstance(each, RollChanged) for each in of)
    return changed_line(fact.roll, fact.effects) if is_alone else None


def _concerned(fact: RollMade) -> Iterable[str]:
    return fact.roll.on


WORDS: Mapping[type[Fact], Telling] = exhaustive(
    CortexRolled,
    {
        RollMade: Telling(None, in_log=_made_in_log, whom=_concerned),
        RollChanged: Telling(None, in_log=_changed_in_log),
        HiddenRolled: Telling(_hidden),
        HiddenDropped: Telling(_dropped),
    },
)
"""How each kind is told."""
