"""Forms as Discord modals, and questions asked through them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import discord
from discord import Interaction, app_commands, ui

from bot.client.messages import answer, show_again
from bot.client.request import AGREED, asked, command_options
from bot.client.responder import responder_of
from bot.language import later
from bot.language.printers import in_words
from bot.services.play import Play
from bot.store.pending import WaitingKind, WaitingStore
from bot.views import question
from bot.views.card import Button, Field, Form
from bot.views.game import Rule
from bot.views.question import STALE, Answer, Fields, Pressed, Question
from rules.errors import PossibleAnswer, TooLate, Unreadable
from rules.values import replace

_Option = TypeVar("_Option", discord.CheckboxGroupOption, discord.RadioGroupOption, discord.SelectOption)
# Discord's limit for radio buttons, and for boxes.
MOST_RADIOS = 10
"""More options than this become a menu."""


_REQUIRED = "*"
"""The end of the id of a text field that has to be filled in: Discord takes blanks for that."""


TYPED = "typed"
"""Where an interaction carries what somebody had typed into a form that was refused."""


def typed_before(interaction: Interaction, key: str) -> str:
    """Return what the person had typed into a field of a refused form; empty if nothing."""
    typed: Mapping[str, str] = interaction.extras.get(TYPED, {})
    return typed.get(key, "")


async def open_form(interaction: Interaction[Any], form: Form, press: Pressed) -> None:
    """Open a form; if it was refused before, with the previous input filled in."""
    typed: Mapping[str, str] = interaction.extras.get(TYPED, {})
    what = press if form.subject is None else replace(press, subject=form.subject)
    # Discord's limits: 45 characters for titles and labels, 100 for hints, options and what stands in
    # a field.
    modal = ui.Modal(title=in_words(form.title, 45), custom_id=str(what))
    lengths = interaction.client.handlers.lengths.get(press.verb, {})
    for field in form.fields:
        longest = lengths.get(field.key, lengths.get("", question.LONGEST))
        modal.add_item(_label(field, typed.get(field.key, field.value), longest))
    modal.stop()  # a sent form is found by its id, so discord.py need not keep it
    await responder_of(interaction).open(modal)


def answers(interaction: Interaction) -> Fields:
    """Return the values of a sent form, by field key."""
    return Fields((key.removesuffix(_REQUIRED), value) for key, value in _sent_values(interaction))


def require_filled(interaction: Interaction) -> None:
    """Check that each required field of a sent form has more than blanks. Raises Unreadable if not."""
    if any(key.endswith(_REQUIRED) and not value.strip() for key, value in _sent_values(interaction)):
        raise Unreadable("A field that isn't optional is empty. Fill it in.")


def _sent_values(interaction: Interaction) -> Iterator[tuple[str, str]]:
    data: Mapping[str, Any] = interaction.data or {}
    for label in data.get("components", ()):
        part = label.get("component") or {}
        value = part.get("value")
        if value is None:
            value = ",".join(part.get("values") or ())
        yield part.get("custom_id", ""), str(value)


def _label(field: Field, value: str, longest: int) -> ui.Label[Any]:
    part: ui.Item[Any]
    if field.is_file:
        # What was given before cannot stand in it: Discord lets nobody but its owner choose a file.
        least = 1 if field.required else 0
        part = ui.FileUpload(custom_id=field.key, required=field.required, min_values=least, max_values=1)
    elif not field.options:
        part = ui.TextInput(
            custom_id=f"{field.key}{_REQUIRED}" if field.required else field.key,
            default=value[:longest] or None,
            placeholder=in_words(field.otherwise, 100) or None,
            required=field.required,
            max_length=longest,
            style=discord.TextStyle.paragraph if field.lines else discord.TextStyle.short,
        )
    elif field.most > 1:
        part = _several(field, value.split(","))
    # Discord takes no radio button alone.
    elif 2 <= len(field.options) <= MOST_RADIOS:
        part = ui.RadioGroup(
            custom_id=field.key,
            required=field.required,
            options=_options(discord.RadioGroupOption, field, [value]),
        )
    else:
        part = ui.Select(
            custom_id=field.key,
            required=field.required,
            options=_options(discord.SelectOption, field, [value]),
        )
    # A label has 45 characters, what stands below it 100.
    return ui.Label(
        text=in_words(field.label, 45), description=in_words(field.hint, 100) or None, component=part
    )


def _several(field: Field, chosen: list[str]) -> ui.Item[Any]:
    """Boxes to tick, or a menu where they are too many for boxes."""
    least, most = field.least if field.required else 0, min(field.most, len(field.options))
    if len(field.options) <= MOST_RADIOS:
        boxes = _options(discord.CheckboxGroupOption, field, chosen)
        return ui.CheckboxGroup(
            custom_id=field.key, required=field.required, min_values=least, max_values=most, options=boxes
        )
    rows = _options(discord.SelectOption, field, chosen)
    return ui.Select(
        custom_id=field.key, required=field.required, min_values=least, max_values=most, options=rows
    )


def _options(kind: type[_Option], field: Field, chosen: list[str]) -> list[_Option]:
    """What a field has to choose of, each with what it means."""
    return [
        kind(
            label=in_words(o.label, 100),
            value=o.value[:100],
            description=in_words(o.hint, 100) if o.hint else None,
            default=o.value in chosen,
        )
        for o in field.options
    ]


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
    """Pending questions, by the person asked and the interaction that led to them."""

    def __init__(self, waiting: WaitingStore) -> None:
        self._waiting = waiting

    async def ask(
        self, interaction: Interaction[Any], answers: Sequence[PossibleAnswer], again: Again, campaign: int
    ) -> tuple[Button, ...]:
        """Store a question with its possible answers, and return a button for each."""
        signs = tuple(answer.sign for answer in answers)
        asked = _Open(
            interaction.guild_id,
            interaction.channel_id,
            campaign,
            signs,
            interaction.extras.get(AGREED, ()),
            again,
        )
        await self._waiting.keep(
            WaitingKind.QUESTION, interaction.id, interaction.user.id, json.dumps(asdict(asked))
        )
        return question.answer_buttons(answers, interaction.id)

    async def answer(self, interaction: Interaction[Any], number: int, subject: str, campaign: int) -> Again:
        """Record the answer on the interaction that gives it, and return what to repeat now.

        Raises TooLate if the question was answered already, was not asked of this person here, or is about
        another table than the one that is here now.
        """
        body = await self._waiting.find(WaitingKind.QUESTION, number, interaction.user.id)
        asked = _Open(**json.loads(body)) if body else None
        is_here = asked is not None and (asked.guild, asked.channel) == (
            interaction.guild_id,
            interaction.channel_id,
        )
        if asked is None or not is_here or asked.campaign != campaign:
            raise TooLate(_OVER)
        agreed = question.read(subject, tuple(asked.signs))
        # Last: an answer that cannot be read leaves the question open, and of two presses one takes it.
        if not await self._waiting.take(WaitingKind.QUESTION, number, interaction.user.id):
            raise TooLate(_OVER)
        interaction.extras[AGREED] = (*asked.agreed, agreed)
        return corrected(asked.again, agreed)


def meant(typed: str, name: str) -> str:
    """Return the sign of an answer that repeats a command with `typed` replaced by `name`."""
    return _CORRECTION + json.dumps(["text", typed, name])


def sign_with_option(option: str, value: str) -> str:
    """Return the sign of an answer that repeats a command with an option set to `value`."""
    return _CORRECTION + json.dumps(["option", option, value])


def sign_by_command(name: str) -> str:
    """Return the sign of an answer that gives the options to another command, such as `ore roll`."""
    return _CORRECTION + json.dumps(["command", name, ""])


def corrected(again: Again, sign: str) -> Again:
    """Return what to repeat, with the correction in the sign of an answer applied, if it holds one."""
    if not sign.startswith(_CORRECTION):
        return again
    again = dict(deepcopy(again))
    kind, what, value = json.loads(sign.removeprefix(_CORRECTION))
    options = command_options(again.get("command", {}))
    if kind == "command":
        for name in reversed(what.split()):
            options = [{"name": name, "type": _COMMAND, "options": options}]
        return {"command": again["command"] | options[0]}
    if kind == "option":
        options[:] = [each for each in options if each["name"] != what]
        options.append({"name": what, "type": _STRING, "value": value})
        return again
    for each in options:
        if isinstance(each.get("value"), str):
            each["value"] = _replaced(each["value"], what, value)
    if "fields" in again:
        again["fields"] = {name: _replaced(text, what, value) for name, text in again["fields"].items()}
    return again


def is_typed(again: Again, what: str) -> bool:
    """Return whether a text occurs exactly once in the options of a command or the fields of a form."""
    options = [each.get("value") for each in command_options(again.get("command", {}))]
    found = [text for text in (*options, *again.get("fields", {}).values()) if isinstance(text, str)]
    return sum(each.casefold().count(what.casefold()) for each in found) == 1 if what else False


def _replaced(text: str, what: str, value: str) -> str:
    for typed in (f'"{what}"', what):
        place = text.casefold().find(typed.casefold())
        if place >= 0:
            return text[:place] + value + text[place + len(typed) :]
    return text


_COMMAND = 1
"""The type of a command as Discord counts them, both of one alone and of one in a group."""
_STRING = 3
"""The type of an option that holds text, as Discord counts them."""
_CORRECTION = "again with "
_OVER = later("That question was answered or has expired. Send the command again.")


def command_again(interaction: Interaction[Any]) -> Again | None:
    """Return a command with its options, to repeat it; None if the interaction is no command."""
    return {"command": interaction.data} if isinstance(interaction.command, app_commands.Command) else None


def command_line(data: Mapping[str, Any], without: str) -> str:
    """Return a command as it was typed, without one option: `/away until:sat 19:30`."""
    words, options = [data["name"]], data.get("options", [])
    while options and "options" in options[0]:
        words.append(options[0]["name"])
        options = options[0]["options"]
    typed = (f"{each['name']}:{each['value']}" for each in options if each["name"] != without)
    return "/" + " ".join((*words, *typed))


def as_sent(interaction: Interaction[Any], press: Pressed, fields: Fields) -> Fields:
    """Store a press on the interaction as a sent form, to repeat it after a question.

    By then, the message that was pressed is no longer at hand.
    """
    interaction.extras[question.VERB] = {"press": str(press), "fields": fields}
    return fields


async def do_command(
    interaction: Interaction[Any], tree: app_commands.CommandTree[Any], data: Mapping[str, Any]
) -> None:
    """Run a command with its options for another interaction.

    Raises TooLate if the command no longer exists.
    """
    command, options = tree.get_command(data["name"]), data.get("options", [])
    while isinstance(command, app_commands.Group):
        command, options = command.get_command(options[0]["name"]), options[0].get("options", [])
    if not isinstance(command, app_commands.Command):
        raise TooLate(STALE)
    given = app_commands.Namespace(interaction, data.get("resolved", {}), options)
    names = {each.name: each.display_name for each in command.parameters if each.display_name in given}
    typed = {name: getattr(given, shown) for name, shown in names.items()}
    callback, cog = command.callback, command.binding
    await callback(cog, interaction, **typed)  # type: ignore[arg-type]


async def press(play: Play, question: Question, interaction: Interaction, press: Pressed) -> None:
    """Open the form of a question, or act at once if it needs none."""
    asking = asked(interaction, press.campaign)
    if question.form is not None:
        await open_form(interaction, question.form(await play.look(asking), asking.actor, press), press)
    elif question.press is not None:
        await _do(play, question, interaction, press, question.press(_answer(play, press)))


async def sent(
    play: Play, question: Question, interaction: Interaction, press: Pressed, fields: Fields
) -> None:
    """Act on the answer to a question."""
    if question.read is not None:
        await _do(play, question, interaction, press, question.read(_answer(play, press, fields)))


async def _do(play: Play, question: Question, interaction: Interaction, press: Pressed, rule: Rule) -> None:
    made = await play.press(asked(interaction, press.campaign), rule)
    if isinstance(made, Form):
        await open_form(interaction, made, press)
    else:
        await (answer if question.apart else show_again)(interaction, made)


def _answer(play: Play, press: Pressed, fields: Fields | None = None) -> Answer:
    return Answer(press.number, press.subject, play.throw, Fields() if fields is None else fields)
