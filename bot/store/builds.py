"""The pools that people build, each at their campaigns."""

from sqlalchemy import delete, insert, select

from bot.store import codec, schema
from bot.store.recorder import Recorder
from bot.store.writer import Write
from rules.cortex.tools.build import Build


class Builds:
    """What people build."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    async def of(self, campaign: int, player: int) -> Build:
        """The pool that somebody builds at a campaign; an empty one where there is none."""
        ours = (schema.build.c.campaign_id == campaign, schema.build.c.player_id == player)
        state: str | None = await self._recorder.reader.value(select(schema.build.c.state).where(*ours))
        return (state and codec.read_build(state)) or Build()

    async def keep(self, campaign: int, player: int, build: Build) -> None:
        """Keep the pool that somebody builds, instead of the one before."""
        await self._recorder.write(*(each.statement for each in building(campaign, player, build)))


def building(campaign: int, player: int, build: Build) -> tuple[Write, ...]:
    """Keep what somebody builds, instead of what they did before."""
    ours = (schema.build.c.campaign_id == campaign, schema.build.c.player_id == player)
    row = {"campaign_id": campaign, "player_id": player, "state": codec.write_build(build)}
    return Write(delete(schema.build).where(*ours)), Write(insert(schema.build).values(row))
