"""A GM who is gone, in words: what players read, and who can do something about it."""

from datetime import datetime

from bot.language import say, say_of
from bot.language.line import Clock, Text, code, moment, strong
from bot.render.parts import listed
from rules.table import Character, Table

NAMING = "/campaign gm player:"


def absent_lines(table: Table, since: datetime, *, has_left: bool) -> list[Text]:
    """Who is gone, or has long done nothing, and who can name another GM: somebody of this table."""
    gms, players = table.gms.values(), (each for each in table.characters.values() if not each.gmc)
    naming = NAMING + next((f"@{each.player_name}" for each in players if _may_follow(table, each)), "")
    names = strong(listed(gms))
    gone = say_of(len(gms), "{gm} has left this server.", "{gm} have left this server.", gm=names)
    last = say("{gm} last did something at this table {when}.", gm=names, when=moment(since, Clock.UNTIL))
    return [
        gone if has_left else last,
        say("Whoever has the right Manage Server can name another GM: {command}", command=code(naming)),
    ]


def _may_follow(table: Table, character: Character) -> bool:
    """Whether somebody plays that character who is not GM yet."""
    return bool(character.player and character.player_name) and character.player not in table.gms
