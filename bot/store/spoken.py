"""Which messages somebody said as a character, so that they can be taken back; never what they say."""

from dataclasses import asdict, dataclass
from datetime import timedelta

from sqlalchemy import delete, insert, select

from bot.store.recorder import Recorder
from bot.store.schema import spoken

KEPT = timedelta(days=365)
"""How long a message can be taken back."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message, its campaign and channel, who said it, and the webhook that posted it, 0 for the bot."""

    message_id: int
    campaign_id: int
    player_id: int
    channel_id: int
    webhook_id: int


class SpokenMessages:
    """The messages that can be taken back."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    async def learn(self, one: Spoken) -> None:
        """Somebody has said something."""
        await self._recorder.write(insert(spoken).values(**asdict(one), at=self._recorder.clock.now()))

    async def find(self, message: int) -> Spoken | None:
        """Who said a message, if it can be taken back."""
        rows = await self._recorder.reader.rows(select(spoken).where(spoken.c.message_id == message))
        return next((_read(row._mapping) for row in rows), None)

    async def forget(self, message: int) -> None:
        """A message is gone."""
        await self._recorder.write(delete(spoken).where(spoken.c.message_id == message))


def _read(row: object) -> Spoken:
    return Spoken(**{name: row[name] for name in Spoken.__slots__})  # type: ignore[index]
