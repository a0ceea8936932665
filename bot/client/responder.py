"""Send the response to an interaction: retry if the connection fails, once if it is delivered twice.

Discord waits three seconds for a first answer, and accepts one. Before that time is over, the answer is
deferred; then it becomes an edit or a further message. If a connection is cut, nobody knows whether Discord
has the answer, so the same one is sent again: if Discord had it, it says so.

discord.py would parse each sent message into objects. The bot knows what it has sent and needs only the id.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, TypeVar, cast

import discord
import structlog
from discord import Interaction, ui
from discord.http import handle_message_parameters
from discord.utils import MISSING
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.client.access import CUT, is_secret
from bot.client.layout import NOBODY
from bot.clock import Timer, clock_of
from bot.language import later
from rules.errors import TooLate

log = structlog.get_logger(__name__)

LATE = 2.0
"""Seconds after which Discord is told that the answer comes later."""
DELIVERY = 10.0
"""Seconds in which an answer is sent, all tries and the deferring together. discord.py alone takes 25 s for
each request that Discord answers with 5xx."""
CHECK = 8.0
"""Seconds in which Discord is then asked whether it has the answer."""
ANSWERED = 40060
"""Discord's code for an interaction that has its first answer."""
OVER = (10008, 10015, 10062, 50027, 50083, 160005)
"""Discord's codes for an answer to something whose message, webhook or three seconds are gone, or whose
thread was archived and locked since."""


OFTEN = 30046
"""Discord's code for an old message that is edited too often."""
WAITING = (50001, 50013, 50083, 160005)
"""Discord's codes for what the bot may not do now: it lacks a permission, or the thread is closed."""
PASSING = (*CUT, discord.DiscordServerError, discord.RateLimited)
"""What passes by itself, so that it is worth another try."""
NO_FORM = later("The form took longer to open than Discord allows. Nothing was changed; try again.")

_T = TypeVar("_T")


class Undelivered(Exception):
    """Raised if Discord no longer accepts an answer; its text is one line, for the log only."""


class AnswerState(Enum):
    """What Discord has been told.

    `ELSEWHERE`: another delivery of the same interaction was answered.
    """

    NOTHING = auto()
    THINKING = auto()
    LATER = auto()
    ALL = auto()
    ELSEWHERE = auto()


@dataclass(slots=True, eq=False)
class Responder:
    """The answers to one interaction; its methods may be called at any time and in any order."""

    interaction: Interaction[Any]
    told: AnswerState = AnswerState.NOTHING
    is_private: bool = False
    is_for_one: bool = False
    """Whether the last message was for one person only, even if it did not arrive."""
    has_arrived: bool = False
    """Whether Discord has taken something that people see."""
    answered: float | None = None
    """When Discord had the first answer, by the client's clock."""
    timer: Timer | None = None
    """What tells Discord in time that the answer comes later; whoever settles the account stops it."""
    # What answers and the timer that defers may come at the same moment; Discord takes one of them.
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _deferring: asyncio.Task[None] | None = None
    _until: float | None = None
    """When the tries of an answer that Discord has not taken yet end, by the client's clock."""

    async def say(
        self,
        contents: Callable[[bool], dict[str, Any]],
        mentions: discord.AllowedMentions,
        *,
        private: bool,
        anew: bool = False,
    ) -> int | None:
        """Send a message, the first one as the answer; return its id if Discord tells it.

        `contents` returns the arguments, for an edit if its argument is true; with `anew`, the message is
        never an edit. Raises Undelivered if Discord no longer accepts it.
        """
        async with self._lock:
            if self.told is AnswerState.ELSEWHERE:
                return None
            self.is_for_one = private
            message = await self._say(contents, mentions, private=private, anew=anew)
            self.has_arrived = True
            return message

    async def _say(
        self,
        contents: Callable[[bool], dict[str, Any]],
        mentions: discord.AllowedMentions,
        *,
        private: bool,
        anew: bool,
    ) -> int | None:
        if self.told is AnswerState.NOTHING:
            return await self._answer(contents, mentions, private=private)
        if self.told is AnswerState.THINKING:
            if private == self.is_private and not anew:
                message_id = await self._edit(contents, mentions)
                self.told = AnswerState.ALL
                return message_id
            # Who sees it was fixed when it was deferred, and an edit brings no files: so it goes, and
            # another comes.
            with suppress(Undelivered):
                await self._deliver(self.interaction.delete_original_response)
        self.told = AnswerState.ALL
        only: dict[str, Any] = {"ephemeral": private, "allowed_mentions": mentions, "wait": True}
        message: discord.Message = await self._deliver(
            lambda: self.interaction.followup.send(**contents(False), **only)
        )
        return message.id

    async def show(self, contents: Callable[[], dict[str, Any]], mentions: discord.AllowedMentions) -> None:
        """Update the pressed message. Raises Undelivered if Discord no longer accepts that."""
        async with self._lock:
            self.is_for_one = (
                self.interaction.message is not None and self.interaction.message.flags.ephemeral
            )
            if self.told is AnswerState.NOTHING:
                await self._first(
                    lambda: self.interaction.response.edit_message(**contents(), allowed_mentions=mentions)
                )
            elif self.told is not AnswerState.ELSEWHERE:
                self.told = AnswerState.ALL
                await self._edit(lambda _: contents(), mentions)
            self.has_arrived = True

    async def open(self, form: ui.Modal) -> None:
        """Open a form.

        Raises TooLate if the answer was deferred; Undelivered if Discord no longer accepts it.
        """
        async with self._lock:
            if self.told is AnswerState.NOTHING:
                await self._first(lambda: self.interaction.response.send_modal(form))
            elif self.told is not AnswerState.ELSEWHERE:
                raise TooLate(NO_FORM)

    async def _answer(
        self, contents: Callable[[bool], dict[str, Any]], mentions: discord.AllowedMentions, *, private: bool
    ) -> int | None:
        only: dict[str, Any] = {"ephemeral": private, "allowed_mentions": mentions}
        sent = await self._first(lambda: self.interaction.response.send_message(**contents(False), **only))
        if sent is not None:
            return sent.message_id
        try:
            return (await self._deliver(self.interaction.original_response)).id
        except Undelivered:  # the answer was no message
            return None

    async def _edit(
        self, contents: Callable[[bool], dict[str, Any]], mentions: discord.AllowedMentions
    ) -> int:
        """Let what was deferred be the answer. An edit may come twice; a further message would be doubled."""
        edit = self.interaction.edit_original_response
        return (await self._deliver(lambda: edit(**contents(True), allowed_mentions=mentions))).id

    async def _first(
        self, send: Callable[[], Awaitable[_T]], told: AnswerState = AnswerState.ALL
    ) -> _T | None:
        """Give the first answer. None if it was given already, by us where the line was cut."""
        is_cut = False

        async def attempt() -> _T:
            nonlocal is_cut
            try:
                return await send()
            except CUT:
                is_cut = True
                raise

        try:
            sent = await self._deliver(attempt)
        except discord.HTTPException as error:
            if error.code != ANSWERED:
                raise
            if not (is_cut or self.interaction.client.is_overlapping(self.interaction)):
                log.warning("answered already")
            self.told = told if is_cut else AnswerState.ELSEWHERE
            sent = None
        else:
            self.told = told
        self.answered = self.answered or clock_of(self.interaction.client).monotonic()
        return sent

    def leave(self) -> None:
        """Say nothing, because another process answers."""
        self.told = AnswerState.ELSEWHERE

    async def _deliver(self, send: Callable[[], Awaitable[_T]]) -> _T:
        """Send something, and once more where the connection was cut. Raises Undelivered."""
        clock = clock_of(self.interaction.client)
        if self._until is None:
            self._until = clock.monotonic() + DELIVERY
        try:
            async with clock.timeout(self._until - clock.monotonic()):
                result = await once_more(send)
        except CUT as error:
            raise Undelivered(f"the connection was cut: {type(error).__name__}") from None
        except discord.HTTPException as error:
            # A 5xx or a 429 comes after discord.py's own further tries, and these last longer than Discord's
            # three seconds.
            if error.code in OVER or error.status >= 500 or error.status == 429:
                raise Undelivered(f"Discord answers {error.status}, code {error.code}") from None
            raise
        self._until = None
        return result

    async def find_answer(self) -> int | None:
        """Return the message that Discord has as the answer although it didn't say so; None if it has none.

        Whatever Discord says of the last try: an earlier one may have arrived.
        """
        async with self._lock:
            if self.told in (AnswerState.NOTHING, AnswerState.THINKING):
                with suppress(discord.DiscordException, *CUT):
                    async with clock_of(self.interaction.client).timeout(CHECK):
                        message = await self.interaction.original_response()
                    return None if message.flags.loading else message.id
            return None

    def begin_deferring(self) -> None:
        """Start a task that defers the answer, if there is none yet."""
        self._deferring = asyncio.get_running_loop().create_task(self.defer())

    async def defer(self) -> None:
        """Defer the answer if there is none yet; a pressed message stays as it is.

        If Discord does not accept that, `told` stays NOTHING.
        """
        async with self._lock:
            if self.told is not AnswerState.NOTHING:
                return
            has_message = self.interaction.message is not None
            self.is_private = is_secret(self.interaction)
            soon = AnswerState.LATER if has_message else AnswerState.THINKING
            try:
                await self._first(
                    lambda: self.interaction.response.defer(
                        ephemeral=self.is_private, thinking=not has_message
                    ),
                    soon,
                )
                self.interaction.client.watch.deferred()
            except (discord.DiscordException, Undelivered) as error:
                log.warning("not deferred", reason=str(error))


def watch(interaction: Interaction[Any], late: float) -> None:
    """Defer the answer to an interaction if there is none after `late` seconds."""
    line = responder_of(interaction)
    line.timer = clock_of(interaction.client).call_later(late, line.begin_deferring)


def responder_of(interaction: Interaction[Any]) -> Responder:
    """Return the answers of an interaction."""
    line: Responder = interaction.extras.setdefault("line", Responder(interaction))
    return line


async def once_more(send: Callable[[], Awaitable[_T]]) -> _T:
    """Send something, and retry once if the connection was cut."""
    try:
        return await send()
    except CUT:
        return await send()


class _Receipts(AsyncWebhookAdapter):
    """Sends answers as the library does."""

    async def create_interaction_response(self, *what: Any, **how: Any) -> Any:
        """Send an answer; return Discord's response."""
        said = await super().create_interaction_response(*what, **how)
        if "resource" in said:  # the message; its id stands beside it
            del said["resource"]
        return said


def take_receipts() -> None:
    """Make this task and its subtasks parse no more of Discord's responses than needed."""
    async_context.set(_Receipts())  # type: ignore[no-untyped-call]


async def edit(
    client: discord.Client,
    channel: int,
    message: int,
    view: ui.LayoutView,
    attachments: Sequence[discord.File] = MISSING,
) -> Mapping[str, Any]:
    """Edit a message, without pings; return it as Discord has it. Raises what the library's `edit` raises."""
    # It does not take over the client's default of whom to ping, so that is said.
    only: dict[str, Any] = {"view": view, "attachments": attachments, "allowed_mentions": NOBODY}
    with handle_message_parameters(**only) as params:
        return await client.http.edit_message(channel, message, params=params)


MOST = 1000
"""So many interactions are remembered."""


class AnsweredMessages:
    """The messages that answered recent interactions; `heard` is called with the campaigns of new ones."""

    def __init__(self) -> None:
        self._messages: OrderedDict[int, tuple[int, int]] = OrderedDict()
        self.heard: Callable[[int], None] = lambda campaign: None

    def note(self, interaction: Interaction[Any], message: int, campaign: int = 0) -> None:
        """Record the public message that answers an interaction; only the first one counts."""
        if interaction.id in self._messages:
            return
        self._messages[interaction.id] = (interaction.channel_id or 0, message)
        if len(self._messages) > MOST:
            self._messages.popitem(last=False)
        if campaign:
            self.heard(campaign)

    def find(self, interaction: int) -> tuple[int, int]:
        """Return the channel and message that answered an interaction; 0 and 0 if not known."""
        return self._messages.get(interaction, (0, 0))


def answered_messages_of(interaction: Interaction[Any]) -> AnsweredMessages:
    """Return the client's record of answers."""
    return cast("AnsweredMessages", interaction.client.answered)


MONTH = 30 * 24 * 3600.0
"""Seconds until somebody is given the same hint again."""
MOST_HINTS = 10_000
"""So many people are remembered, those who were given it last."""


class HintHistory:
    """Who was given a hint, and when.

    Kept in memory only: in the database it would be the only data about people who merely roll dice, and
    `/privacy delete` would have to cover it. After a restart, people may see the same small line again.
    """

    def __init__(self) -> None:
        self._given: OrderedDict[int, float] = OrderedDict()

    def is_due(self, person: int, now: float) -> bool:
        """Return whether to give a person the hint now; if so, it counts as given."""
        last = self._given.get(person)
        if last is not None and now - last < MONTH:
            return False
        self._given[person] = now
        self._given.move_to_end(person)
        if len(self._given) > MOST_HINTS:
            self._given.popitem(last=False)
        return True
