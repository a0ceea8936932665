"""What is waiting for somebody at the table, in any game."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from math import inf

from bot.language import later, say, say_of
from bot.language.line import Text, TimeStyle, joined, moment, nothing, small, strong, together
from bot.views.card import Button
from bot.views.game import SHOWN, Waiting, What
from bot.views.labels import ROLLERS, listed
from rules.campaign.rolls import rolls_on
from rules.names import key
from rules.table import Table

SHOW = "showagain"
"""The verb of the button that shows a roll or a plan again."""
MOST_SHOWN = 19
"""So many rolls have a button, and the plan has one more: four rows."""
GM, PLAYERS = "GM", later("Players")
"""What stands for whom in place of a name."""
_PLAYERS = say(PLAYERS)


def waiting(table: Table) -> list[Waiting]:
    """Return everything that is waiting, oldest first; items that no roll shows come last.

    A roll stops waiting once its roller has made another roll about something else.
    """
    found = [each for game in SHOWN.at(table).games for each in game.waiting(table)]
    shown = sorted((each for each in found if each.roll), key=lambda each: each.roll)
    return [*shown, *(each for each in found if not each.roll)]


def newest(table: Table, who: str) -> int:
    """Return the number of somebody's latest roll in any game."""
    return max(number for number, roll in rolls_on(table).items() if roll.who == who)


def waiting_lines(
    table: Table, links: Mapping[int, str], since: Mapping[str, datetime] | None = None
) -> list[Text]:
    """Return what is waiting with links, longest first; `since` holds the times by sign."""
    known = since or {}
    found = waiting(table)
    # Of what no time is known, it has just come.
    found.sort(key=lambda each: known[each.sign].timestamp() if each.sign in known else inf)
    lines = [one_line(each, links, known.get(each.sign)) for each in found]
    lines += earlier_lines(table, links)
    return lines or [nothing(say("Nobody needs to do anything right now."))]


def earlier_lines(table: Table, links: Mapping[int, str]) -> list[Text]:
    """Return a small line of what could still be done about earlier rolls; none if there is nothing."""
    items = [
        together(who_words(each), " ", how_much(each), " ", links.get(each.roll, ""))
        for each in _earlier(table)
    ]
    return [small(say("From earlier rolls: {items}", items=joined(", ", items)))] if items else []


def _earlier(table: Table) -> list[Waiting]:
    return [each for game in SHOWN.at(table).games for each in game.earlier(table)]


def show_buttons(table: Table) -> tuple[Button, ...]:
    """Return buttons that show again each roll that waits or has earlier hitches, and the open plan."""
    found = {each.roll: each for each in reversed(waiting(table)) if each.roll}
    items = sorted(found.values(), key=lambda each: each.roll)
    items = [*items, *_earlier(table)][:MOST_SHOWN]
    names = {each.roll: named_among(each, items) for each in items}
    if table.plan is not None and table.plan.is_open and not table.plan.unread:
        names[table.plan.number] = say("the plan")
    if len(names) == 1:
        return tuple(Button(say("Show"), SHOW, number) for number in names)
    return tuple(Button(say("Show: {who}", who=who), SHOW, number) for number, who in names.items())


def named_among(each: Waiting, items: Iterable[Waiting]) -> Text:
    """Return for whom something waits, and what it is if more of these items wait for them."""
    others = [other.what for other in items if other.who == each.who and other is not each]
    if not others:
        return who_words(each)
    what = how_much(each)
    if each.what in others:
        what = say("{what}, {of}", what=what, of=each.of)
    return say("{who}: {what}", who=who_words(each), what=what)


def one_line(each: Waiting, links: Mapping[int, str], since: datetime | None = None) -> Text:
    """Return a waiting item as a line: for whom, since when, what it is about, and a link."""
    who = strong(together(who_words(each), ": ", how_much(each)))
    line = say("{who}, of {what}", who=who, what=each.of)
    if since is not None:
        line = say("{line} ({when})", line=line, when=moment(since, TimeStyle.UNTIL))
    return together(line, " ", links[each.roll]) if each.roll in links else line


def who_words(each: Waiting) -> Text:
    """Return for whom something is waiting: a name, the GM, or all players."""
    return _PLAYERS if each.who == PLAYERS else ROLLERS[each.who]


def how_much(each: Waiting) -> Text:
    """Return what is waiting and how many: `1 answer`."""
    return _words(each.what, each.count)


def people(table: Table, each: Waiting) -> tuple[int, ...]:
    """Return the Discord ids of those for whom something is waiting; none if nobody in particular."""
    if each.who == GM:
        return tuple(table.gms)
    who = table.characters.get(key(each.who))
    return (who.player,) if who is not None and who.player else ()


def waiting_line(table: Table) -> Text:
    """Return who has something to do, in one line: `GM 2 hitches, Nova 1 effect and 1 answer`."""
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
