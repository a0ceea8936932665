"""Forms: opened with the likeliest answer, read from what Discord sends back, also after a restart."""

from collections.abc import Mapping
from typing import Any, TypeVar

import discord
from discord import Interaction, ui

from bot.asks.question import Fields, Pressed
from bot.language.printers import in_words
from bot.render.card import Field, Form
from bot.ui.line import line_of
from rules.values import replace

_Option = TypeVar("_Option", discord.CheckboxGroupOption, discord.RadioGroupOption, discord.SelectOption)
# Discord's limit for radio buttons, and for boxes.
MOST_RADIOS = 10
"""More options than this become a menu."""


TYPED = "typed"
"""Where an interaction carries what somebody had typed into a form that was refused."""


def typed_before(it: Interaction, key: str) -> str:
    """What somebody had typed into a field of a form that was refused; nothing where none was."""
    typed: Mapping[str, str] = it.extras.get(TYPED, {})
    return typed.get(key, "")


async def open_form(it: Interaction, form: Form, press: Pressed) -> None:
    """Open a form, with what somebody had typed into it before, if it was refused."""
    typed: Mapping[str, str] = it.extras.get(TYPED, {})
    what = press if form.subject is None else replace(press, subject=form.subject)
    # Discord's limits: 45 characters for titles and labels, 100 for hints, options and what stands in
    # a field.
    modal = ui.Modal(title=in_words(form.title, 45), custom_id=str(what))
    for field in form.fields:
        modal.add_item(_label(field, typed.get(field.key, field.value)))
    modal.stop()  # as with views: what is sent is found by its id, not by what discord.py keeps
    await line_of(it).open(modal)


def answers(it: Interaction) -> Fields:
    """What was filled in, by the fields' keys."""
    data: Mapping[str, Any] = it.data or {}
    found = Fields()
    for label in data.get("components", ()):
        part = label.get("component") or {}
        value = part.get("value")
        if value is None:
            value = ",".join(part.get("values") or ())
        found[part.get("custom_id", "")] = str(value)
    return found


def _label(field: Field, value: str) -> ui.Label[Any]:
    part: ui.Item[Any]
    if field.is_file:
        # What was given before cannot stand in it: Discord lets nobody but its owner choose a file.
        least = 1 if field.required else 0
        part = ui.FileUpload(custom_id=field.key, required=field.required, min_values=least, max_values=1)
    elif not field.options:
        part = ui.TextInput(
            custom_id=field.key,
            default=value[: field.longest] or None,
            placeholder=in_words(field.otherwise, 100) or None,
            required=field.required,
            max_length=field.longest,
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
