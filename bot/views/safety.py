"""Lines, veils, the X-card and the open door; nothing says who used them."""

from collections.abc import Sequence

from bot.language import say, say_of
from bot.language.line import Text, heading, small, strong
from bot.language.said import width
from bot.views.card import Button, Card, Field, Form, Tone, Weight, private
from bot.views.labels import BOUNDARIES
from rules.facts import Boundary
from rules.table import Table

SHORT = 300
"""A list of at most so many characters is told in full to who joins."""


def x_card() -> Card:
    """Return the channel's X-card message; it loads no table, so it doesn't use a table's own words."""
    lines = (
        heading(say("X-card: stop")),
        say("Stop here and change course. No questions asked."),
        small(say("To take back what happened: /undo")),
    )
    return Card(lines, tone=Tone.CALM)


def door_card() -> Card:
    """Return the channel's open-door message."""
    lines = (
        heading(say("Open door")),
        say("Someone is stepping out for a while, and will be back when they're ready. No questions asked."),
    )
    return Card(lines, tone=Tone.CALM)


def news_card(said: Sequence[Text]) -> Card:
    """Return the channel's message about a line or a veil."""
    return Card((*said, small(say("To see all lines and veils: /safety show"))), tone=Tone.CALM)


def told_card(elsewhere: Text) -> Card:
    """Return the confirmation for the person who pressed; `elsewhere` is who was told, if not the channel."""
    if elsewhere:
        return changed_card((), elsewhere)
    return private(
        say("The channel has been told. Nobody can see that it was you, and the bot doesn't store your name.")
    )


def changed_card(said: Sequence[Text], untold: Text) -> Card:
    """Return the confirmation of a changed list; `untold` is why the channel isn't told, if so."""
    kept = say("Nobody can see that it was you, and the bot doesn't store your name.")
    return private(*said, *([untold] if untold else []), small(kept))


def list_card(table: Table) -> Card:
    """Return the lines and veils, their meaning, and the other safety tools."""
    added = small(say("Adding a line or a veil is anonymous."))
    rows = (
        (Button(say("X-card"), "xcard", weight=Weight.DANGER), Button(say("Open door"), "opendoor")),
        (Button(say("Add a line"), "addline"), Button(say("Add a veil"), "addveil")),
    )
    title, meaning = heading(say("Lines and veils")), _meaning()
    lines = (title, meaning, *(_lists(table) or [say("There are none yet.")]), added)
    return Card(lines, rows, private=True, tone=Tone.CALM)


def welcome_lines(table: Table) -> list[Text]:
    """Return the lines and veils for somebody who joins, in full if there are few; none if there are none."""
    lists = _lists(table)
    if not lists:
        return []
    if sum(map(width, lists)) <= SHORT:
        return [_meaning(), *lists]
    count = len(table.lines) + len(table.veils)
    there = say_of(
        count,
        "This table has {count} line or veil. To see it: /safety show",
        "This table has {count} lines and veils. To see them: /safety show",
    )
    return [there]


def _meaning() -> Text:
    return say("A line never comes up in play. A veil happens out of sight: nobody describes it.")


def _lists(table: Table) -> list[Text]:
    found = []
    if table.lines:
        found.append(say("{title}: {all}", title=strong(say("Lines")), all="; ".join(table.lines.values())))
    if table.veils:
        found.append(say("{title}: {all}", title=strong(say("Veils")), all="; ".join(table.veils.values())))
    return found


ADDS = {"addline": Boundary.LINE, "addveil": Boundary.VEIL}
"""What each button and form of a list adds."""


def boundary_form(kind: Boundary) -> Form:
    """Return the form for a new line or veil."""
    words = BOUNDARIES[kind]
    return Form(say(words.title), (Field("what", say("What"), hint=say(words.hint)),))
