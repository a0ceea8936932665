"""A GM who is gone, in words: what players read, and who can do something about it."""

from collections.abc import Collection
from datetime import datetime

from bot.language import say, say_of
from bot.render.card import Clock, code, moment, strong
from bot.render.parts import listed

NAMING = "/campaign gm player:@Alice"


def absent_lines(gms: Collection[str], since: datetime, *, has_left: bool) -> list[str]:
    """Who is gone, or has long done nothing, and who can name another GM."""
    names = strong(listed(gms))
    gone = say_of(len(gms), "{gm} has left this server.", "{gm} have left this server.", gm=names)
    last = say("{gm} last did something at this table {when}.", gm=names, when=moment(since, Clock.UNTIL))
    return [
        gone if has_left else last,
        say("Whoever has the right Manage Server can name another GM: {command}", command=code(NAMING)),
    ]
