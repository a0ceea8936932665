"""What waits for somebody at the table, in any game."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from math import inf

from bot.language import later, say, say_of
from bot.language.line import Text, TimeStyle, joined, moment, nothing, strong, together
from bot.language.printers import spelled
from bot.views.card import mark
from bot.views.labels import ROLLERS, listed
from rules.campaign.rolls import rolls_on
from rules.names import key
from rules.table import Table

GM, PLAYERS = "GM", later("Players")
"""What stands for whom in place of a name."""
_PLAYERS = say(PLAYERS)


class What(Enum):
    """The kinds of what waits, each by one and by several; each game has its own."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits: for whom, how many of it, what it is of, and the number of the roll that shows it.

    What no roll shows has a `stamp`, by which it is told from the same of another turn.
    """

    who: str
    what: What
    count: int
    of: Text
    roll: int = 0
    stamp: str = ""

    @property
    def sign(self) -> str:
        """A short sign for it: the same as long as it is the same that waits."""
        # What it is of, only where no roll shows it: the words for a roll change as the roll does.
        of = spelled(self.of) if self.stamp else ""
        return mark(f"{self.who} {self.what.name} {self.roll} {of} {self.stamp}")


_known: list[Callable[[Table], Iterable[Waiting]]] = []


def learn(*games: Callable[[Table], Iterable[Waiting]]) -> None:
    """Let these be what waits in the games that are played."""
    _known[:] = games


def waiting(table: Table) -> list[Waiting]:
    """Everything that waits for somebody, the oldest first; what no roll shows comes last.

    A roll waits for nobody any more once whoever made it has rolled in another matter.
    """
    found = [each for game in _known for each in game(table)]
    shown = sorted((each for each in found if each.roll), key=lambda each: each.roll)
    return [*shown, *(each for each in found if not each.roll)]


def newest(table: Table, who: str) -> int:
    """The number of the latest roll that somebody made, of whatever game."""
    return max(number for number, roll in rolls_on(table).items() if roll.who == who)


def waiting_lines(
    table: Table, links: Mapping[int, str], since: Mapping[str, datetime] | None = None
) -> list[Text]:
    """What waits, each with what it is of and where that is; `since` when, by its sign, the longest first."""
    known = since or {}
    found = waiting(table)
    # Of what no time is known, it has just come.
    found.sort(key=lambda each: known[each.sign].timestamp() if each.sign in known else inf)
    lines = [one_line(each, links, known.get(each.sign)) for each in found]
    return lines or [nothing(say("Nobody needs to do anything right now."))]


def one_line(each: Waiting, links: Mapping[int, str], since: datetime | None = None) -> Text:
    """One thing that waits: for whom, since when, what it is of and where that is."""
    who = strong(together(who_words(each), ": ", how_much(each)))
    line = say("{who}, of {what}", who=who, what=each.of)
    if since is not None:
        line = say("{line} ({when})", line=line, when=moment(since, TimeStyle.UNTIL))
    return together(line, " ", links[each.roll]) if each.roll in links else line


def who_words(each: Waiting) -> Text:
    """For whom something waits: a name, or a word for the GM and for all players."""
    return _PLAYERS if each.who == PLAYERS else ROLLERS[each.who]


def how_much(each: Waiting) -> Text:
    """What waits and how many of it: `1 answer`."""
    return _words(each.what, each.count)


def people(table: Table, each: Waiting) -> tuple[int, ...]:
    """The Discord ids of those for whom something waits; none where it is nobody's in particular."""
    if each.who == GM:
        return tuple(table.gms)
    who = table.characters.get(key(each.who))
    return (who.player,) if who is not None and who.player else ()


def waiting_line(table: Table) -> Text:
    """Who has something to do, in one line: `GM 2 hitches, Nova 1 effect and 1 answer`."""
    counts: dict[str, Counter[What]] = {}
    for each in waiting(table):
        counts.setdefault(each.who, Counter())[each.what] += each.count
    said = {who: listed(_words(what, n) for what, n in of.items()) for who, of in counts.items()}
    return joined(
        ", ",
        (together(_PLAYERS if who == PLAYERS else ROLLERS[who], " ", what) for who, what in said.items()),
    )


def _words(what: What, count: int) -> Text:
    one, many = what.value
    return say_of(count, one, many)
