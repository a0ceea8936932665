"""How a session, an act or a scene begins or ends: a title, what moved, and one small line of what closed."""

from collections.abc import Iterable, Sequence

from bot.language import say
from bot.language.line import Text, heading, joined, small
from bot.render import facts
from bot.render.parts import listed, roller
from bot.render.words import stretch_words
from rules.facts import Began, Ended, Fact, Stretch

_WIDEST = (Stretch.SESSION, Stretch.ACT, Stretch.SCENE)


def titled(of: Iterable[Fact]) -> Began | Ended | None:
    """What a step is told as: what began, else what ended; of several the widest stretch of play."""
    found = [fact for fact in of if isinstance(fact, Began | Ended)]
    begun = [fact for fact in found if isinstance(fact, Began)]
    return min(begun or found, key=lambda fact: _WIDEST.index(fact.what), default=None)


def stretch_lines(of: Sequence[Fact]) -> list[Text]:
    """What ended, then what began, each with its title, what it changed, and in small print the rest."""
    begins = next((place for place, fact in enumerate(of) if isinstance(fact, Began)), 0)
    parts = (of[:begins], of[begins:]) if titled(of[:begins]) else (of,)
    lines: list[Text] = []
    for part in parts:
        if title := titled(part):
            lines += _part(part, title)
    return lines


def _part(of: Sequence[Fact], title: Began | Ended) -> list[Text]:
    """The lines of what ended, or of what began, below its title."""
    others = [fact for fact in of if isinstance(fact, Began | Ended)]
    moved = [fact for fact in of if not isinstance(fact, Began | Ended)]
    lines = [heading(_words(title)), *facts.lines(moved)]
    day = [say("Day: {day}", day=title.day)] if isinstance(title, Began) and title.day else []
    beside = [*day, *[_words(fact) for fact in others if fact is not title]]
    closed = list(dict.fromkeys([name for fact in others if isinstance(fact, Ended) for name in fact.closed]))
    if closed:
        beside.append(say("Open rolls closed: {names}", names=listed(map(roller, closed))))
    return [*lines, small(joined(". ", beside))] if beside else lines


def _words(fact: Began | Ended) -> Text:
    what = stretch_words(fact.what, fact.number, fact.name)
    return say("{what} begins", what=what) if isinstance(fact, Began) else say("{what} ends", what=what)
