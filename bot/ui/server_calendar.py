"""Sessions as events in a server's calendar."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import discord
import structlog

from bot.language import say
from bot.language.printers import spelled
from bot.render.invitation import LASTS
from bot.store.jobs import Job, JobTable
from bot.store.shown import ShownRoll
from bot.ui.line import PASSING
from rules.names import Plan

log = structlog.get_logger(__name__)


class ServerCalendar:
    """Makes, changes and removes events, where the bot may."""

    def __init__(self, client: discord.Client, jobs: JobTable) -> None:
        self._client = client
        self._jobs = jobs

    async def show(self, place: ShownRoll, said: str, plan: Plan, number: int) -> int | None:
        """Let the server's calendar show a session; the number of the event.

        It is 0 where the bot may make none, or there is no server. None where another try is worth while.
        """
        if not place.guild:
            return 0
        begins = datetime.fromtimestamp(plan.at, UTC)
        name, _, note = said.partition("\n")[2].partition("\n")
        name = name or spelled(say("Game {session.one}"))
        link = f"https://discord.com/channels/{place.guild}/{place.channel}/{place.message}"
        only: dict[str, Any] = {
            "name": name,
            "description": note,
            "start_time": begins,
            "end_time": begins + LASTS,
            "location": link,
        }
        try:
            server = self._client.get_guild(place.guild) or await self._client.fetch_guild(place.guild)
            if number:
                with suppress(discord.NotFound):  # somebody has deleted it
                    known = await server.fetch_scheduled_event(number)
                    await known.edit(**only)
                    return number
            made = await server.create_scheduled_event(
                **only,
                entity_type=discord.EntityType.external,
                privacy_level=discord.PrivacyLevel.guild_only,
            )
        except PASSING as error:
            log.warning("event not created yet", server=place.guild, reason=repr(error))
            return None
        except discord.HTTPException as error:
            log.info("event not created", server=place.guild, code=error.code, status=error.status)
            return number
        return made.id

    async def forget(self, job: Job) -> bool:
        """Take an event out of the server's calendar; whether another try is not worth while."""
        server, number = int(job.payload["server"]), int(job.payload["event"])
        try:
            if number:
                there = self._client.get_guild(server) or await self._client.fetch_guild(server)
                await (await there.fetch_scheduled_event(number)).delete()
        except PASSING as error:
            log.warning("event not removed yet", server=server, reason=repr(error))
            return False
        except discord.HTTPException as error:
            log.info("event not removed", server=server, code=error.code, status=error.status)
        await self._jobs.drop(job.key)
        return True
