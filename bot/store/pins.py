"""Pinned messages: which message shows the table of a campaign in a channel."""

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import schema
from bot.store.recorder import Recorder


class Pins:
    """The pinned messages of all campaigns."""

    def __init__(self, recorder: Recorder, *, is_alone: bool) -> None:
        self._recorder = recorder
        self._is_alone = is_alone
        self._known: dict[int, list[tuple[int, int]]] = {}
        self._moves = 0

    async def of(self, campaign: int) -> list[tuple[int, int]]:
        """The channels of a campaign that have a pinned message, each with it.

        Asked after every change, and remembered until that may be otherwise.
        """
        if self._recorder.moves != self._moves:
            self._known.clear()
            self._moves = self._recorder.moves
        known = self._known.get(campaign)
        if known is not None:
            return known
        moves = self._moves
        pins = await self._recorder.reader.pins(campaign)
        # Not where a pin was set while this was read.
        if self._is_alone and moves == self._moves == self._recorder.moves:
            self._known[campaign] = pins
        return pins

    async def at(self, channel: int) -> int | None:
        """The pinned message of a channel."""
        wanted = select(schema.pin.c.message_id).where(schema.pin.c.channel_id == channel)
        message: int | None = await self._recorder.reader.value(wanted)
        return message

    async def keep(self, channel: int, message: int | None, parent: int = 0) -> None:
        """Remember the pinned message of a channel, or of a thread under one; or that it has none."""
        old = delete(schema.pin).where(schema.pin.c.channel_id == channel)
        row = {"channel_id": channel, "message_id": message, "parent_id": parent}
        await self._recorder.write(old, *([] if message is None else [insert(schema.pin).values(row)]))
        self._recorder.moves += 1

    async def replace(self, channel: int, old: int, new: int) -> bool:
        """Remember a new message in the place of an old one; False if that is not the pinned one any more."""
        replaced = [0]

        async def put(connection: AsyncConnection) -> None:
            ours = (schema.pin.c.channel_id == channel, schema.pin.c.message_id == old)
            done = await connection.execute(update(schema.pin).where(*ours).values(message_id=new))
            replaced[:] = [done.rowcount]

        await self._recorder.write(last=put)
        self._recorder.moves += 1
        return replaced == [1]
