"""What is told after the answer to a command: the answer itself is edited, as long as Discord lets it be."""

from collections.abc import Mapping

import discord
import structlog
from discord import Interaction

from bot.clock import clock_of
from bot.store.jobs import Job
from bot.ui.layout import NOBODY, contents
from bot.ui.line import OVER, PASSING
from bot.use.jobs import Kind, NotDone
from bot.use.privacy import EDITED, FORGOTTEN, ForgetReply, Privacy

log = structlog.get_logger(__name__)

ANSWER = "@original"
"""What Discord calls the first answer to an interaction."""


def told_by(it: Interaction) -> ForgetReply:
    """The answer to an interaction, as it is edited later, perhaps by another process."""
    return ForgetReply(it.application_id, it.token, (it.created_at + EDITED).timestamp())


class Afterwards:
    """Tells people what has become of what takes longer than an answer."""

    def __init__(self, client: discord.Client, privacy: Privacy) -> None:
        self._client = client
        self._privacy = privacy

    def kinds(self) -> Mapping[str, Kind]:
        """What is done when a job of each kind is due."""
        return {FORGOTTEN: self._tell}

    async def _tell(self, job: Job) -> None:
        """Say that what was kept about somebody is gone. Raises NotDone where it is worth another try."""
        card, told = await self._privacy.gone(job), ForgetReply.of(job.payload)
        if told.is_over(clock_of(self._client).now()):
            return
        answers = discord.Webhook.partial(told.application, told.token, client=self._client)
        shown = contents(card, 0, is_edit=True)
        try:
            await answers.edit_message(ANSWER, **shown, allowed_mentions=NOBODY)  # type: ignore[call-overload]
        except PASSING as error:
            raise NotDone(f"An answer is not edited yet: {error!r}") from error
        except discord.HTTPException as error:
            if error.code not in OVER:  # else nobody can read it any more
                log.warning("answer not edited", code=error.code, status=error.status)
