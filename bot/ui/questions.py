"""Questions that come before something is done: they are asked in buttons, and one press does it."""

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from typing import Any

from discord import Interaction, app_commands

from bot.asks import undecided
from bot.asks.question import STALE, Fields, Pressed
from bot.language import later
from bot.render.card import Button
from bot.store.waiting import WaitingKind, WaitingStore
from bot.ui.request import AGREED
from rules.errors import PossibleAnswer, TooLate

Again = Mapping[str, Any]
"""What is done again for another interaction of the same person: `command`, as Discord sent it, or `press`,
the id of what was pressed, with the `fields` of a form."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A question that waits: where it was asked, of which campaign, what its answers agree to, what was
    agreed before, and what is then done."""

    guild: int | None
    channel: int | None
    campaign: int
    signs: tuple[str, ...]
    agreed: tuple[str, ...]
    again: Again


class Questions:
    """The questions that wait for an answer, by who was asked and the interaction that led to them."""

    def __init__(self, waiting: WaitingStore) -> None:
        self._waiting = waiting

    async def ask(
        self, it: Interaction[Any], answers: Sequence[PossibleAnswer], again: Again, campaign: int
    ) -> tuple[Button, ...]:
        """Store a question with its possible answers, and return a button for each."""
        signs = tuple(answer.sign for answer in answers)
        asked = _Open(it.guild_id, it.channel_id, campaign, signs, it.extras.get(AGREED, ()), again)
        await self._waiting.keep(WaitingKind.QUESTION, it.id, it.user.id, json.dumps(asdict(asked)))
        return undecided.buttons(answers, it.id)

    async def answer(self, it: Interaction[Any], number: int, subject: str, campaign: int) -> Again:
        """Note the answer on the interaction that gives it, and tell what is to be done now.

        Raises TooLate for a question that has been answered, that nobody asked this person here, or that is
        about another table than the one that is here now.
        """
        body = await self._waiting.find(WaitingKind.QUESTION, number, it.user.id)
        asked = _Open(**json.loads(body)) if body else None
        is_here = asked is not None and (asked.guild, asked.channel) == (it.guild_id, it.channel_id)
        if asked is None or not is_here or asked.campaign != campaign:
            raise TooLate(_OVER)
        agreed = undecided.read(subject, tuple(asked.signs))
        # Last: an answer that cannot be read leaves the question open, and of two presses one takes it.
        if not await self._waiting.take(WaitingKind.QUESTION, number, it.user.id):
            raise TooLate(_OVER)
        it.extras[AGREED] = (*asked.agreed, agreed)
        return corrected(asked.again, agreed)


def meant(typed: str, name: str) -> str:
    """Return the sign of an answer that repeats a command with `typed` replaced by `name`."""
    return _CORRECTION + json.dumps(["text", typed, name])


def chosen(option: str, value: str) -> str:
    """Return the sign of an answer that repeats a command with an option set to `value`."""
    return _CORRECTION + json.dumps(["option", option, value])


def corrected(again: Again, sign: str) -> Again:
    """Return what to repeat, with the correction in the sign of an answer applied, if it holds one."""
    if not sign.startswith(_CORRECTION) or "command" not in again:
        return again
    again = deepcopy(dict(again))
    kind, what, value = json.loads(sign.removeprefix(_CORRECTION))
    options = _options(again["command"])
    if kind == "option":
        options[:] = [each for each in options if each["name"] != what]
        options.append({"name": what, "type": _STRING, "value": value})
        return again
    for each in options:
        if isinstance(each.get("value"), str):
            each["value"] = _replaced(each["value"], what, value)
    return again


def is_typed(again: Again, what: str) -> bool:
    """Return whether a text occurs exactly once in the options of a command."""
    found = [
        each["value"] for each in _options(again.get("command", {})) if isinstance(each.get("value"), str)
    ]
    return sum(each.casefold().count(what.casefold()) for each in found) == 1 if what else False


def _replaced(text: str, what: str, value: str) -> str:
    for typed in (f'"{what}"', what):
        place = text.casefold().find(typed.casefold())
        if place >= 0:
            return text[:place] + value + text[place + len(typed) :]
    return text


def _options(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the command's own list of options, below its group; changes to the list change the command."""
    options: list[dict[str, Any]] = data.get("options", [])
    while options and "options" in options[0]:
        options = options[0]["options"]
    return options


_STRING = 3
"""The type of an option that holds text, as Discord counts them."""
_CORRECTION = "again with "
_OVER = later("That question was answered or has expired. Send the command again.")


def command_again(it: Interaction[Any]) -> Again | None:
    """The command of an interaction, with what was typed into it; None where it is none."""
    return {"command": it.data} if isinstance(it.command, app_commands.Command) else None


def command_line(data: Mapping[str, Any], without: str) -> str:
    """A command as it was typed, but for one option: `/away until:sat 19:30`."""
    words, options = [data["name"]], data.get("options", [])
    while options and "options" in options[0]:
        words.append(options[0]["name"])
        options = options[0]["options"]
    typed = (f"{each['name']}:{each['value']}" for each in options if each["name"] != without)
    return "/" + " ".join((*words, *typed))


def as_sent(it: Interaction[Any], press: Pressed, fields: Fields) -> Fields:
    """The press counts as a form that was sent so: after a question its own message is not at hand."""
    it.extras[undecided.VERB] = {"press": str(press), "fields": fields}
    return fields


async def do_command(
    it: Interaction[Any], tree: app_commands.CommandTree[Any], data: Mapping[str, Any]
) -> None:
    """Do a command with what was typed into it, for another interaction. Raises TooLate if it is gone."""
    command, options = tree.get_command(data["name"]), data.get("options", [])
    while isinstance(command, app_commands.Group):
        command, options = command.get_command(options[0]["name"]), options[0].get("options", [])
    if not isinstance(command, app_commands.Command):
        raise TooLate(STALE)
    given = app_commands.Namespace(it, data.get("resolved", {}), options)
    names = {each.name: each.display_name for each in command.parameters if each.display_name in given}
    typed = {name: getattr(given, shown) for name, shown in names.items()}
    callback, cog = command.callback, command.binding
    await callback(cog, it, **typed)  # type: ignore[arg-type]
