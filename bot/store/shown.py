"""Which messages show rolls, and as what: known after a restart, and to every process."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import bindparam, delete, select, update

from bot.store.recorder import Recorder
from bot.store.schema import shown
from bot.store.writer import Write

KEPT = timedelta(days=60)
"""How long it is known that a message shows a roll; its buttons work longer."""
MESSAGES = 3
"""So many messages of one roll are followed, the latest."""
MOST, LEFT = 120, 90
"""So many messages of one campaign are known; where they are more, the latest are left."""


_OF = select(shown).where(shown.c.campaign_id == bindparam("of")).order_by(shown.c.message_id)


@dataclass(frozen=True, slots=True)
class Shown:
    """A message that shows a roll; `sign` tells how the roll was when it was shown, 0 that it is closed."""

    message: int
    roll: int
    guild: int
    channel: int
    sign: int


class ShownMessages:
    """The messages that show rolls."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        new = recorder.insert(shown)
        changed = {column.name: new.excluded[column.name] for column in shown.c if not column.primary_key}
        self._learn = new.on_conflict_do_update(index_elements=["message_id"], set_=changed)

    async def learn(self, campaign: int, one: Shown) -> None:
        """A message shows a roll of a campaign."""
        row = {
            "message_id": one.message,
            "campaign_id": campaign,
            "roll": one.roll,
            "guild_id": one.guild,
            "channel_id": one.channel,
            "sign": one.sign,
            "at": datetime.now(UTC),
        }
        await self._recorder.write(Write(self._learn, values=row))

    async def of(self, campaign: int) -> list[Shown]:
        """The messages of a campaign's rolls, the oldest first; the latest ones of each roll."""
        rows = await self._recorder.reader.rows(_OF, {"of": campaign})
        found: dict[int, list[Shown]] = {}
        for row in rows:
            one = Shown(row.message_id, row.roll, row.guild_id, row.channel_id, row.sign)
            found.setdefault(row.roll, []).append(one)
        if len(rows) > MOST:
            ours = (shown.c.campaign_id == campaign, shown.c.message_id < rows[-LEFT].message_id)
            await self._recorder.write(delete(shown).where(*ours))
        return [one for messages in found.values() for one in messages[-MESSAGES:]]

    async def is_still(self, one: Shown) -> bool:
        """Whether that message shows its roll as it did when it was looked up."""
        sign: int | None = await self._recorder.reader.value(
            select(shown.c.sign).where(shown.c.message_id == one.message)
        )
        return sign == one.sign

    async def change(self, one: Shown, sign: int) -> None:
        """The message shows its roll otherwise now, unless it was shown yet otherwise meanwhile."""
        ours = (shown.c.message_id == one.message, shown.c.sign == one.sign)
        await self._recorder.write(update(shown).where(*ours).values(sign=sign))

    async def forget(self, one: Shown) -> None:
        """The message is gone, or is not followed any more."""
        await self._recorder.write(delete(shown).where(shown.c.message_id == one.message))
