"""Route presses and forms to their handlers."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any, TypeVar

import discord
from discord import Interaction, app_commands

from bot.client import forms
from bot.client.forms import TYPED, Again, Questions, answers, do_command, require_filled
from bot.client.lifecycle import Running
from bot.client.refusals import AGAIN, Refusals, as_typed
from bot.client.request import GAME_KEY, PRESSED, asked, custom_id
from bot.cogs.base import FormHandler, Group, PressHandler
from bot.games import SHARED_QUESTIONS, GamePresentation
from bot.services.play import Play
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
        self.games = {each.verb: game.game.part.name for game in games for each in game.questions}
        """The game that each verb belongs to; others belong to any."""
        self.lengths: dict[str, Mapping[str, int]] = {}
        """The most characters of the fields of each verb's form, by key; "" for all others."""
        for question in (*SHARED_QUESTIONS, *(question for game in games for question in game.questions)):
            subject = re.compile(question.subject)
            self.presses[question.verb] = subject, partial(forms.press, play, question)
            if question.read is not None:
                self.forms[question.verb] = subject, partial(forms.sent, play, question)
                self.lengths[question.verb] = question.longest

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
                self.forms[verb], self.lengths[verb] = (subject, method), method.__longest__
            if group.game and not hasattr(method, "__any_game__"):
                marks = (getattr(method, mark, {}) for mark in ("__press__", "__form__"))
                self.games.update({verb: group.game for verbs in marks for verb in verbs})

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
                interaction.extras[GAME_KEY] = self._handlers.games.get(press.verb, "")
                await self._handlers.of_press(press)(interaction, press)
        except Exception as error:
            await self._refusals.explain(interaction, error)

    async def sent(self, interaction: Interaction[Any], press: Pressed, fields: Fields) -> None:
        """Handle a form; a refused one can be reopened with its input."""
        if not await self._running.admit(interaction):
            return
        try:
            interaction.extras[DECIDE] = as_typed(press, fields)
            interaction.extras[GAME_KEY] = self._handlers.games.get(press.verb, "")
            require_filled(interaction)
            await self._handlers.of_form(press)(interaction, press, fields)
        except Exception as error:
            await self._refusals.explain(interaction, error, (press, fields))

    async def _do_again(self, interaction: Interaction[Any], again: Again) -> None:
        """Do what was asked before a question, now that it is answered."""
        if "command" in again:
            await do_command(interaction, self._tree, again["command"])
            return
        press = _read(again["press"])
        interaction.extras[GAME_KEY] = self._handlers.games.get(press.verb, "")
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
