"""An absent GM: what players read, and the button to take over."""

from collections.abc import Collection
from datetime import datetime

from bot.language import say, say_of
from bot.language.line import Text, TimeStyle, code, heading, moment, strong
from bot.views.card import Button, Card, Tone, Weight
from bot.views.labels import listed
from rules.table import Character, Table

NAMING = "/campaign gm player:"
TAKE_OVER = "takeover"
"""The verb of the button by which somebody is GM in the place of who is gone."""


def absent_lines(table: Table, since: datetime, *, has_left: bool) -> list[Text]:
    """Return who has left or long been inactive, and who of this table can name another GM."""
    naming = say("A member with Manage Server can name another {gm.one}: {command}", command=_naming(table))
    return [_gone_line(table, table.gms, since, has_left=has_left), naming]


def left_words(gone: Collection[int], table: Table | None) -> Text:
    """Return that all GMs have left and who can name another, for a refusal in place of the GM's name.

    `table` is None where it is a table of another channel.
    """
    if table is None:
        return say_of(
            len(gone),
            "The {gm.one} has left this server; a member with Manage Server can name another in that "
            "campaign's channel.",
            "The {gm.many} have left this server; a member with Manage Server can name another in that "
            "campaign's channel.",
        )
    return say_of(
        len(gone),
        "The {gm.one} has left this server; a member with Manage Server can name another: {command}",
        "The {gm.many} have left this server; a member with Manage Server can name another: {command}",
        command=_naming(table),
    )


def take_over_button(step: int, weight: Weight = Weight.QUIET) -> Button:
    """Return the button to become GM in place of those who were gone as of that step."""
    return Button(say("Take over"), TAKE_OVER, step, weight=weight)


def offer_card(table: Table, gone: Collection[int], step: int, since: datetime, *, has_left: bool) -> Card:
    """Return the card that says who is gone and who may take over: delegates first, then Manage Server.

    Active delegates are the only ones offered; inactive ones don't block others.
    """
    there = [name for gm, name in table.gms.items() if gm not in gone]
    silent = [] if has_left else list(table.gms.values())[1:]
    lines = [heading(say("Where is the {gm.one}?")), _gone_line(table, gone, since, has_left=has_left)]
    if there or silent:
        lines.append(say("{names} can take over.", names=strong(listed(there or silent))))
    if not there:
        text = say(
            "A member with Manage Server can take over, or name another {gm.one}: {command}",
            command=_naming(table),
        )
        lines.append(text)
    take = take_over_button(step, Weight.MAIN)
    return Card(
        tuple(lines), ((take, Button(say("What's waiting"), "view", subject="waiting")),), tone=Tone.CALM
    )


def _gone_line(table: Table, gone: Collection[int], since: datetime, *, has_left: bool) -> Text:
    names = [name for gm, name in table.gms.items() if gm in gone]
    who = strong(listed(names))
    if has_left:
        return say_of(len(names), "{gm} has left this server.", "{gm} have left this server.", gm=who)
    return say("{gm}: last active at this table {when}.", gm=who, when=moment(since, TimeStyle.UNTIL))


def _naming(table: Table) -> Text:
    players = (each for each in table.characters.values() if not each.gmc)
    return code(NAMING + next((f"@{each.player_name}" for each in players if _may_follow(table, each)), ""))


def _may_follow(table: Table, character: Character) -> bool:
    """Whether somebody plays that character who is not GM yet."""
    return bool(character.player and character.player_name) and character.player not in table.gms
