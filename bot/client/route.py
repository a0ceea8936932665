"""Where a press or a form goes, also one from before a restart."""

import json
from typing import Any

import discord
from discord import Interaction, app_commands

from bot.asks.question import STALE, Fields, Pressed
from bot.asks.undecided import VERB as DECIDE
from bot.client.commands import AGAIN, Handlers
from bot.client.refuse import Refusals, as_typed
from bot.client.running import Running
from bot.play import Play
from bot.store.waiting import WaitingKind, WaitingStore
from bot.ui.account import PRESSED, custom_id
from bot.ui.forms import TYPED, answers
from bot.ui.questions import Again, Questions, do_command
from bot.ui.request import asked
from rules.errors import TooLate, Unknown


class Route:
    """Hands presses and forms to what answers them; whatever goes wrong, the person hears of it."""

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

    async def take(self, it: Interaction[Any]) -> None:
        """Presses and forms, also those on what is from before a restart, or gone from its message."""
        # discord.py forgets its forms and buttons with each restart, and forms that are dismissed stay with
        # it for ever: so it is told of none, and all are read by their ids here.
        try:
            it.extras[PRESSED] = press = _read(custom_id(it))
        except TooLate as error:
            await self._refusals.explain(it, error)
            return
        if it.type is discord.InteractionType.modal_submit:
            await self.sent(it, press, answers(it))
        else:
            await self.pressed(it, press)

    async def pressed(self, it: Interaction[Any], press: Pressed) -> None:
        """Do what a button says; whatever goes wrong, the person hears of it."""
        if not await self._running.admit(it):
            return
        try:
            if press.verb == AGAIN:
                await self._again(it, press)
            elif press.verb == DECIDE:
                here = await self._play.awake(asked(it))
                again = await self._questions.answer(it, press.number, press.subject, here)
                it.extras[DECIDE] = again
                await self._do_again(it, again)
            else:
                it.extras[DECIDE] = {"press": custom_id(it)}
                await self._handlers.of_press(press)(it, press)
        except Exception as error:
            await self._refusals.explain(it, error)

    async def sent(self, it: Interaction[Any], press: Pressed, fields: Fields) -> None:
        """Do what a form asks; a refused one can be opened again as it was typed."""
        if not await self._running.admit(it):
            return
        try:
            it.extras[DECIDE] = as_typed(press, fields)
            await self._handlers.of_form(press)(it, press, fields)
        except Exception as error:
            await self._refusals.explain(it, error, (press, fields))

    async def _do_again(self, it: Interaction[Any], again: Again) -> None:
        """Do what was asked before a question, now that it is answered."""
        if "command" in again:
            await do_command(it, self._tree, again["command"])
            return
        press = _read(again["press"])
        if "fields" in again:
            await self._handlers.of_form(press)(it, press, Fields(again["fields"]))
        else:
            await self._handlers.of_press(press)(it, press)

    async def _again(self, it: Interaction[Any], press: Pressed) -> None:
        """Open a refused form as it was typed."""
        body = await self._waiting.find(WaitingKind.FORM, press.number, it.user.id)
        if body is None:
            raise Unknown("What you typed is gone. Press the button on the message again.")
        typed = json.loads(body)
        first, it.extras[TYPED] = _read(typed["press"]), typed["fields"]
        await self._handlers.of_press(first)(it, first)


def _read(custom_id: str) -> Pressed:
    """What an id says. Raises TooLate for one that is none of ours."""
    press = Pressed.read(custom_id)
    if press is None:
        raise TooLate(STALE)
    return press
