"""Portraits: made small beside everything else, kept with their campaign, named by their characters."""

from collections.abc import Awaitable, Callable
from functools import partial

from bot.pictures.portrait import portrait
from bot.play import Play
from bot.play.asked import Asked
from bot.render.card import Tone
from bot.render.portrait import portrait_of
from bot.side_lane import Lane
from bot.store.portraits import Portraits
from bot.tell import Done
from rules.campaign import characters
from rules.terms import later
from rules.values import replace

FULL = later(
    "You already have {most} pictures waiting, in a queue of {waiting}. When they're done, send the "
    "next picture."
)
Read = Callable[[], Awaitable[bytes]]
"""Fetches the file that somebody gave."""


class PortraitUploads:
    """Gives characters the portraits that people upload."""

    def __init__(self, play: Play, kept: Portraits) -> None:
        self._play = play
        self._kept = kept
        self._lane = Lane("pictures", FULL)

    async def put(self, asked: Asked, read: Read, who: str | None, alt: str | None) -> Done:
        """Give a character a portrait. Raises what the rule raises, and Unreadable for what is no picture.

        The file is read only when it is its turn: those that wait take no memory.
        """
        campaign, table = await self._play.see(asked)
        name = characters.whose(table, asked.actor, who).name
        async with self._lane.turn(asked.actor.id):
            small = await self._lane.do(portrait, await read())
        picture = await self._kept.keep(campaign, asked.actor.id, small)
        done = await self._play.change(asked, partial(characters.change, who=name, picture=picture, alt=alt))
        shown = next((each for each in done.table.characters.values() if each.name == name), None)
        beside = portrait_of(shown) if shown else None
        return replace(done, card=replace(done.card, portrait=beside, tone=Tone.CALM))

    async def remove(self, asked: Asked, who: str | None) -> Done:
        """Take a portrait away."""
        return await self._play.change(asked, partial(characters.change, who=who))
