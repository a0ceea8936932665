"""What people build before it is a step, each at their campaigns."""

from typing import Any

from sqlalchemy import delete, insert, select

from bot.store import codec, schema
from bot.store.recorder import Recorder
from bot.store.writer import Write


class Builds:
    """What people build."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    async def of(self, campaign: int, player: int) -> Any:
        """What somebody builds at a campaign; None where there is nothing."""
        ours = (schema.build.c.campaign_id == campaign, schema.build.c.player_id == player)
        state: str | None = await self._recorder.reader.value(select(schema.build.c.state).where(*ours))
        return codec.read_build(state) if state else None

    async def keep(self, campaign: int, player: int, build: object) -> None:
        """Keep what somebody builds, instead of what they did before."""
        await self._recorder.write(*(each.statement for each in building(campaign, player, build)))


def building(campaign: int, player: int, build: object) -> tuple[Write, ...]:
    """Keep what somebody builds, instead of what they did before."""
    ours = (schema.build.c.campaign_id == campaign, schema.build.c.player_id == player)
    row = {"campaign_id": campaign, "player_id": player, "state": codec.write_build(build)}
    return Write(delete(schema.build).where(*ours)), Write(insert(schema.build).values(row))
