"""What only the bot knows of a seat: how much waits for it, and the commands that it needs most."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.local.driver import Loopback
from bot.local.message import Channel
from bot.local.places import User


@dataclass(frozen=True, slots=True)
class Asker:
    """Somebody in a place, by ids as the bot knows them; 0 stands for no server and for no parent."""

    person: int
    channel: int
    guild: int
    parent: int


@dataclass(frozen=True, slots=True)
class AtHand:
    """So many things wait for somebody, and these commands are offered first, by their full names."""

    waits: int = 0
    first: tuple[str, ...] = ()


Knows = Callable[[Asker], Awaitable[AtHand]]
"""How the bot is asked; whoever joins it to the page says how, since the page knows no bot."""


async def nothing_known(asker: Asker) -> AtHand:
    """What is known where nobody says it."""
    return AtHand()


async def at_hand(loopback: Loopback, knows: Knows, user: User, place: Channel) -> AtHand:
    """What somebody has at hand in a place; nothing while the bot is away."""
    if not loopback.gateway.ready.is_set():
        return AtHand()
    guild, parent = place.guild, place.parent
    return await knows(Asker(user.id, place.id, guild.id if guild else 0, parent.id if parent else 0))
