"""The request behind an interaction, rate limits, and a log record of each interaction."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import structlog
from discord import Interaction, app_commands

from bot.client.access import ChannelAccess, owner, reach
from bot.client.responder import AnswerState, responder_of
from bot.clock import Clock, clock_of
from bot.language import say
from bot.language.printers import spelled
from bot.metrics_hooks import NO_METRICS, MetricsHooks
from bot.services.play import Own, Request
from bot.store.history import Place
from bot.views.question import LONGEST as LONGEST_TYPED
from bot.views.question import MORE, Pressed
from bot.views.question import VERB as DECIDE
from rules.campaign.seats import Actor
from rules.errors import Unreadable
from rules.names import LONGEST as LONGEST_NAME
from rules.names import clean
from rules.text import Words, shorten

AGREED = "agreed"
"""Where an interaction carries what its person has agreed to."""
EYES = "eyes"
"""Where it carries what was learned of what they see."""


GAME_KEY = "game"
"""Where an interaction carries the game that its button or form belongs to."""


def game_of(interaction: Interaction) -> str:
    """Return the name of the game that a command, button or form belongs to; "" if it belongs to any."""
    if interaction.command is None:
        found: str = interaction.extras.get(GAME_KEY, "")
        return found
    return game_of_command(interaction.command)


def game_of_command(command: app_commands.Command[Any, ..., Any] | app_commands.ContextMenu) -> str:
    """Return the name of the game that a command belongs to; "" if it belongs to any."""
    own: str = getattr(getattr(command, "binding", None), "game", "")
    return own or reach(command).game


def asked(interaction: Interaction, campaign: int = 0) -> Request:
    """Return the request of an interaction: who asks, where, and by which interaction.

    If the bot is not on the server, the place stands for the personal dice of the person who installed it.
    """
    data: Mapping[str, Any] = interaction.data or {}
    typed = interaction.extras.get(DECIDE) or data.get("options")
    if own := owner(interaction):
        is_theirs = own == interaction.user.id
        who = actor(interaction.user, agreed=interaction.extras.get(AGREED, ()))
        kind = Own.THEIRS if is_theirs else Own.ANOTHERS
        name = spelled(say("Your own dice"))
        return Request(who, Place(own), interaction.id, campaign, name, own=kind, typed=typed)
    channel = interaction.channel_id or 0
    parent = interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else 0
    place = Place(channel, interaction.guild_id or 0, parent)
    who = actor(
        interaction.user,
        manages=interaction.permissions.manage_guild,
        agreed=interaction.extras.get(AGREED, ()),
        place=channel,
    )
    return Request(
        who,
        place,
        interaction.id,
        campaign,
        _name(interaction),
        sight=interaction.extras.setdefault(EYES, ChannelAccess(interaction)),
        game="" if interaction.type is discord.InteractionType.autocomplete else game_of(interaction),
        command=interaction.command,
        typed=typed,
    )


def _name(interaction: Interaction) -> str:
    """What the place is called."""
    name = getattr(interaction.channel, "name", None)
    if not name:
        return spelled(say("Direct messages"))
    return _readable(str(name)) or spelled(say("Table"))


def actor(
    user: discord.User | discord.Member,
    *,
    manages: bool = False,
    agreed: tuple[str, ...] = (),
    place: int = 0,
) -> Actor:
    """Return a person, under the name that others see."""
    return Actor(user.id, _readable(user.display_name) or spelled(say("Somebody")), manages, agreed, place)


@lru_cache(maxsize=1024)
def _readable(name: str) -> str:
    """The beginning of a name, as long as a name can be, without what cannot be seen; "" for nothing."""
    try:
        return clean(name[:LONGEST_NAME])
    except Unreadable:
        return ""


SUGGESTIONS = 100
"""So many suggestions one person gets in 10 seconds: they come with every key, and each costs a look."""


class Budget:
    """A rate limit: at most `most` interactions of a person within `seconds`; 0 for no limit."""

    def __init__(self, most: int, seconds: float = 10.0) -> None:
        self.most = most
        self._seconds = seconds
        self._taken: OrderedDict[int, deque[float]] = OrderedDict()

    def allows(self, person: int, now: float) -> bool:
        """Return whether one more interaction is allowed, and count it if so; `now` is a monotonic time."""
        if not self.most:
            return True
        taken = self._taken.setdefault(person, deque(maxlen=self.most))
        if len(taken) == self.most and now - taken[0] < self._seconds:
            return False
        taken.append(now)
        self._taken.move_to_end(person)
        self._forget(now)
        return True

    def give_back(self, person: int) -> None:
        """Clear a person's count, because the last allowed interaction did nothing."""
        self._taken.pop(person, None)

    def _forget(self, now: float) -> None:
        """Let go of who was not here for that long."""
        while now - next(iter(self._taken.values()))[-1] >= self._seconds:
            self._taken.popitem(last=False)


log = structlog.get_logger(__name__)

PRESSED = "pressed"
"""Where an interaction carries what its id says, once that is read."""
SUBCOMMANDS = (1, 2)
"""Discord's types of the options that are commands below a command."""


class InteractionEnd(StrEnum):
    """How an interaction ended."""

    DONE = "done"
    REFUSED = "refused"
    """By a rule, or by what the bot takes: nothing was changed."""
    BUSY = "busy"
    """Others changed the table too often meanwhile."""
    AWAY = "away"
    """The database could not be reached."""
    FAILED = "failed"
    """By a fault that nobody foresaw."""
    UNANSWERED = "unanswered"
    """Discord no longer took the answer, or could not be reached."""
    LATE = "late"
    """It came when Discord took no answer any more: nothing was changed."""
    ELSEWHERE = "elsewhere"
    """Another delivery of the same interaction was answered."""
    ENDED = "ended"
    """The bot stopped before it was over."""


USUAL = (InteractionEnd.DONE, InteractionEnd.REFUSED, InteractionEnd.ELSEWHERE)
"""Ends that an operator need not look at."""
SLOW = 1.0
"""Seconds after which an answer is slow."""


@dataclass(slots=True, eq=False)
class RequestLog:
    """The record of an interaction, written when it is over."""

    interaction: Interaction[Any]
    watch: MetricsHooks
    kind: str
    command: str
    named: str
    """What was asked, for the log: `roll`, `press spend`."""
    began: float
    outcome: InteractionEnd = InteractionEnd.DONE

    def settle(self, task: asyncio.Task[Any]) -> None:
        """Record how an interaction ended, in the metrics and in the log.

        Unusual ends are logged at INFO, others at DEBUG; suggestions are not logged, because there are so
        many.
        """
        line = responder_of(self.interaction)
        if line.timer is not None:
            line.timer.cancel()
        answered = (
            clock_of(self.interaction.client).monotonic() if self.kind == "suggestion" else line.answered
        )
        if task.cancelled():
            self.outcome = InteractionEnd.ENDED
        elif line.told is AnswerState.ELSEWHERE:
            self.outcome = InteractionEnd.ELSEWHERE
        taken = None if answered is None else answered - self.began
        self.watch.done(self.kind, self.command, self.outcome, taken)
        if self.kind != "suggestion":
            is_usual = self.outcome in USUAL and (taken is None or taken <= SLOW)
            write = log.debug if is_usual else log.info
            write("over", outcome=str(self.outcome), ms=None if taken is None else round(taken * 1000))


_MORE = f"dk:{MORE}:"
"""How the id of the menu `More` begins."""


def custom_id(interaction: Interaction[Any]) -> str:
    """Return the id of the button, menu or form of an interaction; empty if it has none.

    For the menu `More`, it is the id of the button that was chosen in it.
    """
    data: Mapping[str, Any] = interaction.data or {}
    found: str = data.get("custom_id", "")
    if found.startswith(_MORE):
        return next(iter(data.get("values") or ()), "")
    return found


def account_of(interaction: Interaction[Any]) -> RequestLog:
    """Return the record of an interaction, creating it on first use."""
    account: RequestLog | None = interaction.extras.get("account")
    if account is None:
        kind, command = what(interaction)
        named = command if kind in ("command", "suggestion") else f"press {command}"
        interaction.extras["account"] = account = RequestLog(
            interaction,
            interaction.client.watch,
            kind,
            command,
            named,
            clock_of(interaction.client).monotonic(),
        )
    return account


def what(interaction: Interaction[Any]) -> tuple[str, str]:
    """Return an interaction's kind, and its command's full name or the verb of its button or form."""
    data: Mapping[str, Any] = interaction.data or {}
    if "custom_id" in data:
        press: Pressed | None = interaction.extras.get(PRESSED)
        kind = "form" if interaction.type is discord.InteractionType.modal_submit else "press"
        # An id may be forged: only verbs of our own are named in figures and in the log.
        return kind, press.verb if press and interaction.client.handlers.knows(press.verb) else "?"
    names = [data.get("name", "")]
    options = data.get("options") or ()
    while options and options[0].get("type") in SUBCOMMANDS:
        names.append(options[0]["name"])
        options = options[0].get("options") or ()
    is_typing = interaction.type is discord.InteractionType.autocomplete
    return "suggestion" if is_typing else "command", " ".join(names)


LONGEST_MESSAGE = 4000
"""Discord allows no longer messages than this, nor longer texts in a form."""
LONGEST_VALUE, MOST_VALUES = 100, 25
"""A value chosen in a menu has at most so many characters, and a menu so many values."""


def find_overlong(interaction: Interaction[Any]) -> Unreadable | None:
    """Return the refusal of an interaction with a text longer than declared; None if every text fits.

    Discord holds people to these lengths, so only a forged interaction has longer ones. Asked before
    anything else reads the texts.
    """
    data: Mapping[str, Any] = interaction.data or {}
    # Plain loops: this is asked of each key that somebody types.
    texts = [("", str(value), LONGEST_VALUE) for value in data["values"]] if "values" in data else []
    if "options" in data:
        declared = tuple(getattr(interaction.command, "parameters", ()))
        for option in command_options(data):
            longest = LONGEST_VALUE
            for each in declared:
                if each.display_name == option["name"] and each.type is discord.AppCommandOptionType.string:
                    # What declares no length takes nothing but its choices.
                    longest = each.max_value or max((len(str(c.value)) for c in each.choices), default=0)
            texts.append((option["name"], str(option.get("value", "")), longest))
    if "components" in data:
        lengths = interaction.client.handlers.lengths.get(interaction.extras[PRESSED].verb, {})
        for part in [label.get("component") or {} for label in data["components"]]:
            longest = lengths.get(part.get("custom_id", ""), lengths.get("", LONGEST_TYPED))
            texts.append(("", str(part.get("value") or ""), longest))
            texts.append(("", ",".join(part.get("values") or ()), (LONGEST_VALUE + 1) * MOST_VALUES))
    if "resolved" in data:
        for message in data["resolved"].get("messages", {}).values():
            texts.append(("", message.get("content", ""), LONGEST_MESSAGE))
    for name, text, longest in texts:
        if len(text) > longest:
            return Unreadable(
                "{what} has {count:,} characters; the limit is {longest:,}. Send a shorter text.",
                what=Words("The option {option}", option=shorten(name)) if name else Words("That text"),
                count=len(text),
                longest=longest,
            )
    return None


def command_options(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the command's own list of options, below its group; changes to the list change the command."""
    options: list[dict[str, Any]] = data.get("options", [])
    while options and "options" in options[0]:
        options = options[0]["options"]
    return options


CONNECTIONS = 400
"""So many connections to Discord's API there are at once: a process may often open 1,024 files."""
SAY_AGAIN = 60.0
"""Seconds in which the log says once that requests wait for a connection."""


def trace_requests(watch: MetricsHooks, clock: Clock) -> aiohttp.TraceConfig:
    """Return the configuration that counts the HTTP requests of discord.py, and those that wait."""
    waiting, said = 0, -SAY_AGAIN

    async def wait(
        _: aiohttp.ClientSession, request: SimpleNamespace, __: aiohttp.TraceConnectionQueuedStartParams
    ) -> None:
        nonlocal waiting, said
        request.waits = True
        waiting += 1
        watch.queued(waiting)
        if clock.monotonic() - said >= SAY_AGAIN:
            said = clock.monotonic()
            log.warning("requests to Discord wait for a free connection", connections=CONNECTIONS)

    def go_on(request: SimpleNamespace) -> None:
        nonlocal waiting
        if getattr(request, "waits", False):
            request.waits = False
            waiting -= 1
            watch.queued(waiting)

    async def connect(
        _: aiohttp.ClientSession, request: SimpleNamespace, __: aiohttp.TraceConnectionQueuedEndParams
    ) -> None:
        go_on(request)

    async def ended(
        _: aiohttp.ClientSession, __: SimpleNamespace, did: aiohttp.TraceRequestEndParams
    ) -> None:
        watch.requested(did.method, did.response.status)

    async def cut(
        _: aiohttp.ClientSession, request: SimpleNamespace, did: aiohttp.TraceRequestExceptionParams
    ) -> None:
        go_on(request)  # a request that gave up waiting has no connection
        watch.requested(did.method, 0)

    config = aiohttp.TraceConfig()
    config.on_connection_queued_start.append(wait)
    config.on_connection_queued_end.append(connect)
    if watch is not NO_METRICS:  # every request would call it for nothing
        config.on_request_end.append(ended)
    config.on_request_exception.append(cut)
    return config
