"""Route presses and forms to their handlers; start and drain work in progress."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Any, TypeVar

import discord
import structlog
from discord import Interaction, app_commands

from bot.client import forms
from bot.client.access import CUT
from bot.client.forms import TYPED, Again, Questions, answers, do_command
from bot.client.refusals import AGAIN, Refusals, as_typed
from bot.client.request import PRESSED, SUGGESTIONS, Budget, InteractionEnd, account_of, asked, custom_id
from bot.client.responder import LATE, AnswerState, responder_of, watch
from bot.client.shards import ShardedBot
from bot.clock import Clock
from bot.cogs.base import FormHandler, Group, PressHandler
from bot.games import SHARED_QUESTIONS, GamePresentation
from bot.language import later
from bot.services.play import Play
from bot.store.ledger import Ledger
from bot.store.pending import WaitingKind, WaitingStore
from bot.views.question import STALE, Fields, Pressed
from bot.views.question import VERB as DECIDE
from rules.errors import TooLate, Unknown

_Handler = TypeVar("_Handler")


@cache
def _handlers(kind: type[Group]) -> tuple[str, ...]:
    """The names of what a group does when something is pressed or sent."""
    methods = ((name, getattr(kind, name)) for name in dir(kind))
    return tuple(name for name, each in methods if hasattr(each, "__press__") or hasattr(each, "__form__"))


class Handlers:
    """The handler for each verb of a button, menu or form, with the pattern of its subjects."""

    def __init__(self, play: Play, games: Sequence[GamePresentation]) -> None:
        self.presses: dict[str, tuple[re.Pattern[str], PressHandler]] = {}
        self.forms: dict[str, tuple[re.Pattern[str], FormHandler]] = {}
        for question in (*SHARED_QUESTIONS, *(question for game in games for question in game.questions)):
            subject = re.compile(question.subject)
            self.presses[question.verb] = subject, partial(forms.press, play, question)
            if question.read is not None:
                self.forms[question.verb] = subject, partial(forms.sent, play, question)

    def knows(self, verb: str) -> bool:
        """Return whether this version has a button or form with that verb."""
        return verb in self.presses or verb in self.forms or verb in (AGAIN, DECIDE)

    def take(self, group: Group) -> None:
        """Register the handlers that a command group has marked."""
        for name in _handlers(type(group)):
            method = getattr(group, name)
            for verb, subject in getattr(method, "__press__", {}).items():
                self.presses[verb] = subject, method
            for verb, subject in getattr(method, "__form__", {}).items():
                self.forms[verb] = subject, method

    def of_press(self, press: Pressed) -> PressHandler:
        """Return the handler of a press. Raises TooLate if this version has none."""
        return _known(self.presses, press)

    def of_form(self, press: Pressed) -> FormHandler:
        """Return the handler of a form. Raises TooLate if this version has none."""
        return _known(self.forms, press)


def _known(handlers: Mapping[str, tuple[re.Pattern[str], _Handler]], press: Pressed) -> _Handler:
    """What answers a verb. Raises TooLate for one, or for a subject, that this version does not know."""
    found = handlers.get(press.verb)
    if found is None or not found[0].fullmatch(press.subject):
        raise TooLate(STALE)
    return found[1]


log = structlog.get_logger(__name__)

DRAIN = 8.0
"""Seconds that running commands have to finish when the bot stops."""
FLUSH = 2.0
"""Seconds that pinned tables and shown rolls have to show the last change then."""
TOO_OLD = 3.0
"""Seconds after which Discord has told a person that the bot did not respond."""
ELSEWHERE = 1.0
"""Seconds that another process has to do what came while this one stops."""
STOPPING = later("The bot is restarting. In a moment, check /log, and try again if your change isn't there.")
SLOW_DOWN = later("Nothing was changed: the limit is {most} actions in 10 seconds. Try again in a moment.")


class Age:
    """Estimates how old interactions are when they arrive.

    The machine's clock may be wrong, so the estimate only decides when Discord must be asked.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ahead = 0.0
        """Seconds by which this machine's clock is taken to be ahead of Discord's."""

    def of(self, interaction: Interaction[Any]) -> float:
        """Return seconds since the command was sent or the button pressed."""
        passed = self._seconds(interaction)
        self._ahead = min(self._ahead, passed)
        return passed - self._ahead

    def is_new(self, interaction: Interaction[Any]) -> None:
        """Calibrate the clock with an interaction that is known to arrive in time."""
        self._ahead = self._seconds(interaction)

    def _seconds(self, interaction: Interaction[Any]) -> float:
        return (self._clock.now() - interaction.created_at).total_seconds()


class Running:
    """The interactions being handled, with a limit per person in ten seconds; 0 for no limit."""

    def __init__(self, bot: ShardedBot, ledger: Ledger, refusals: Refusals, budget: int) -> None:
        self._bot = bot
        self._ledger = ledger
        self._refusals = refusals
        self.tasks: set[asyncio.Task[Any]] = set()
        self.is_stopping = self._is_over = False
        self.late = LATE
        """Seconds that a person waits before Discord is told that the answer comes later."""
        self.age = Age(ledger.clock)
        self.budget = Budget(budget)
        self.suggestions = Budget(SUGGESTIONS if budget else 0)

    async def admit(self, interaction: Interaction[Any]) -> bool:
        """Count the current task as running, or refuse it while stopping or over the limit.

        Interactions that arrive too late are refused as well: Discord has already reported a failure, so
        people will repeat them.
        """
        account = account_of(interaction)
        _name_in_log(interaction, account.named)
        task = asyncio.current_task()
        if task is not None:
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
            task.add_done_callback(account.settle)
        if self._is_over or not await self._bot.is_left_to_us(interaction):
            responder_of(interaction).leave()
            return False
        if interaction.type is discord.InteractionType.autocomplete:
            return not self.is_stopping and await self._may_suggest(interaction)
        if self.is_stopping:
            await self._ledger.clock.sleep(ELSEWHERE)
            await self._refusals.explain(interaction, TooLate(STOPPING))
            return False
        if (age := self.age.of(interaction)) > TOO_OLD and not await self._is_awaited(interaction):
            log.warning("interaction too old: nothing was changed", seconds=round(age, 1))
            account.outcome = InteractionEnd.LATE
            return False
        if not self.budget.allows(interaction.user.id, self._ledger.clock.monotonic()):
            await self._refusals.explain(interaction, TooLate(SLOW_DOWN, most=self.budget.most))
            return False
        if task is not None:
            watch(interaction, self.late)
        return True

    async def _is_awaited(self, interaction: Interaction[Any]) -> bool:
        """Whether Discord still takes an answer to what seems to be too old: it is told that one comes."""
        line = responder_of(interaction)
        await line.defer()
        if line.told in (AnswerState.THINKING, AnswerState.LATER):
            self.age.is_new(interaction)
        return line.told is not AnswerState.NOTHING

    async def _may_suggest(self, interaction: Interaction[Any]) -> bool:
        """Whether somebody gets suggestions now; who has had too many is told that there are none."""
        if self.suggestions.allows(interaction.user.id, self._ledger.clock.monotonic()):
            return True
        account_of(interaction).outcome = InteractionEnd.REFUSED
        with suppress(discord.DiscordException, *CUT):  # nobody waits for it: the next key asks anew
            await interaction.response.autocomplete([])
        return False

    async def drain(self, flush: Callable[[], Awaitable[None]], *, waits: bool = False) -> None:
        """Stop accepting work, finish what runs, `flush` pending updates, and close.

        With `waits`, running work may wait for a database that is down.
        """
        self.is_stopping = True
        self._bot.take_no_more()
        if not waits:
            self._ledger.hurry()
        if self.tasks:
            # discord.py would close the session under them, and their answers would fail.
            _, late = await self._ledger.clock.wait(self.tasks, DRAIN)
            if late:
                log.warning("stopped with interactions still running", running=len(late))
        self._ledger.hurry()
        with suppress(TimeoutError):
            async with self._ledger.clock.timeout(FLUSH):
                await flush()
        await self._be_deaf()
        await self._bot.close()

    async def _be_deaf(self) -> None:
        """Hear nothing more from Discord, and tell those who came meanwhile; who comes later is left alone.

        Only then may the way to Discord be closed: nobody is being answered any more.
        """
        for shard in self._bot.shards.values():
            await shard.disconnect()
        with suppress(TimeoutError):
            async with self._ledger.clock.timeout(2 * ELSEWHERE):
                while self.tasks:
                    await asyncio.wait(self.tasks)
        self._is_over = True
        for task in self.tasks:
            task.cancel()
        if self.tasks:
            await self._ledger.clock.wait(self.tasks, ELSEWHERE)


def _name_in_log(interaction: Interaction[Any], command: str) -> None:
    """Let every record of the current task say what it is about."""
    shards = interaction.client.shard_count or 1
    structlog.contextvars.bind_contextvars(
        interaction=interaction.id,
        command=command,
        server=interaction.guild_id or 0,
        shard=((interaction.guild_id or 0) >> 22) % shards,  # as Discord shares servers out
    )
    log.debug("asked")


class InteractionRouter:
    """Passes presses and forms to their handlers, and tells the person if anything goes wrong."""

    def __init__(
        self,
        play: Play,
        tree: app_commands.CommandTree[Any],
        handlers: Handlers,
        running: Running,
        refusals: Refusals,
        waiting: WaitingStore,
        questions: Questions,
    ) -> None:
        self._play = play
        self._tree = tree
        self._handlers = handlers
        self._running = running
        self._refusals = refusals
        self._waiting = waiting
        self._questions = questions

    async def take(self, interaction: Interaction[Any]) -> None:
        """Handle a press or form, including those on messages from before a restart."""
        # discord.py forgets its forms and buttons with each restart, and forms that are dismissed stay with
        # it for ever: so it is told of none, and all are read by their ids here.
        try:
            interaction.extras[PRESSED] = press = _read(custom_id(interaction))
        except TooLate as error:
            await self._refusals.explain(interaction, error)
            return
        if interaction.type is discord.InteractionType.modal_submit:
            await self.sent(interaction, press, answers(interaction))
        else:
            await self.pressed(interaction, press)

    async def pressed(self, interaction: Interaction[Any], press: Pressed) -> None:
        """Handle a press; any error is reported to the person."""
        if not await self._running.admit(interaction):
            return
        try:
            if press.verb == AGAIN:
                await self._again(interaction, press)
            elif press.verb == DECIDE:
                here = await self._play.awake(asked(interaction))
                again = await self._questions.answer(interaction, press.number, press.subject, here)
                interaction.extras[DECIDE] = again
                await self._do_again(interaction, again)
            else:
                interaction.extras[DECIDE] = {"press": custom_id(interaction)}
                await self._handlers.of_press(press)(interaction, press)
        except Exception as error:
            await self._refusals.explain(interaction, error)

    async def sent(self, interaction: Interaction[Any], press: Pressed, fields: Fields) -> None:
        """Handle a form; a refused one can be reopened with its input."""
        if not await self._running.admit(interaction):
            return
        try:
            interaction.extras[DECIDE] = as_typed(press, fields)
            await self._handlers.of_form(press)(interaction, press, fields)
        except Exception as error:
            await self._refusals.explain(interaction, error, (press, fields))

    async def _do_again(self, interaction: Interaction[Any], again: Again) -> None:
        """Do what was asked before a question, now that it is answered."""
        if "command" in again:
            await do_command(interaction, self._tree, again["command"])
            return
        press = _read(again["press"])
        if "fields" in again:
            await self._handlers.of_form(press)(interaction, press, Fields(again["fields"]))
        else:
            await self._handlers.of_press(press)(interaction, press)

    async def _again(self, interaction: Interaction[Any], press: Pressed) -> None:
        """Open a refused form as it was typed."""
        body = await self._waiting.find(WaitingKind.FORM, press.number, interaction.user.id)
        if body is None:
            raise Unknown("What you typed is gone. Press the button on the message again.")
        typed = json.loads(body)
        first, interaction.extras[TYPED] = _read(typed["press"]), typed["fields"]
        await self._handlers.of_press(first)(interaction, first)


def _read(custom_id: str) -> Pressed:
    """What an id says. Raises TooLate for one that is none of ours."""
    press = Pressed.read(custom_id)
    if press is None:
        raise TooLate(STALE)
    return press
