"""Forms as a person sees and fills them in."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.loopback.errors import InputRefused, UnknownCommand
from bot.loopback.keyboard import nearest
from bot.loopback.model import Interaction, Json


class FieldKind(StrEnum):
    """How a field is filled in: by typing, choosing, ticking, and so on."""

    TEXT = "text"
    SELECT = "select"
    RADIO = "radio"
    CHECKBOXES = "checkboxes"
    CHECKBOX = "checkbox"
    USER = "user"
    CHANNEL = "channel"
    FILE = "file"
    NOTE = "note"


KINDS = {
    3: FieldKind.SELECT,
    4: FieldKind.TEXT,
    5: FieldKind.USER,
    7: FieldKind.USER,
    8: FieldKind.CHANNEL,
    10: FieldKind.NOTE,
    19: FieldKind.FILE,
    21: FieldKind.RADIO,
    22: FieldKind.CHECKBOXES,
    23: FieldKind.CHECKBOX,
}
MANY = {FieldKind.SELECT, FieldKind.CHECKBOXES, FieldKind.USER, FieldKind.CHANNEL, FieldKind.FILE}
LONG_TEXT = 2
YES, NO = {"true", "yes", "on", "x", "1"}, {"false", "no", "off", "", "0"}

Value = str | bool | list[str] | None
"""Text, a tick, the chosen values, or nothing."""

Finders = Mapping[FieldKind, Callable[[str], str]]
"""How people, channels and files are found by name: the id of each."""


@dataclass(frozen=True, slots=True)
class FieldOption:
    """An option of a field."""

    label: str
    value: str
    description: str = ""
    default: bool = False


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a form; a note is text between the fields."""

    custom_id: str
    label: str
    description: str
    kind: FieldKind
    options: tuple[FieldOption, ...]
    default: Value
    required: bool
    least: int
    most: int
    number: int
    type: int
    row: bool = False
    placeholder: str = ""
    is_long: bool = False


@dataclass(frozen=True, slots=True)
class OpenForm:
    """An open form; `opened_by` is the interaction that it answers."""

    title: str
    custom_id: str
    fields: tuple[FormField, ...]
    opened_by: Interaction

    def inputs(self) -> list[FormField]:
        """Return the fields that can be filled in."""
        return [field for field in self.fields if field.kind is not FieldKind.NOTE]

    def field(self, name: str) -> FormField:
        """Return a field by label or custom id, ignoring case.

        Raises UnknownCommand if the form has no such field.
        """
        wanted = name.strip().lower()
        for field in self.inputs():
            if wanted in (field.label.lower(), field.custom_id.lower()):
                return field
        labels = [field.label for field in self.inputs()]
        hint = nearest(name, [label.lower() for label in labels]) or f" Its fields: {', '.join(labels)}."
        raise UnknownCommand(f"The form “{self.title}” has no field {name}.{hint}")


def read_form(data: Json, opened_by: Interaction) -> OpenForm:
    """Return the form in a response of the bot."""
    numbers = iter(range(1, 1000))
    fields: list[FormField] = []
    for part in data["components"]:
        number = next(numbers)
        if part["type"] == 10:  # text
            fields.append(
                FormField(
                    "",
                    "",
                    part["content"],
                    FieldKind.NOTE,
                    (),
                    None,
                    False,
                    0,
                    0,
                    part.get("id") or number,
                    10,
                )
            )
        elif part["type"] == 18:  # a label with its field
            inner = part["component"]
            label, about = part["label"], part.get("description") or ""
            fields.append(read_field(inner, label, about, next(numbers), row=False))
        else:
            for inner in part["components"]:
                fields.append(read_field(inner, inner.get("label") or "", "", next(numbers), row=True))
    return OpenForm(data["title"], data["custom_id"], tuple(fields), opened_by)


def read_field(part: Json, label: str, about: str, number: int, *, row: bool) -> FormField:
    """Return one input of a form with its initial value."""
    kind = KINDS[part["type"]]
    options = tuple(
        FieldOption(o["label"], o["value"], o.get("description") or "", bool(o.get("default")))
        for o in part.get("options") or ()
    )
    required = part.get("required")
    required = kind is not FieldKind.CHECKBOX if required is None else bool(required)
    least, most = bounds(part, kind, options)
    return FormField(
        part["custom_id"],
        label,
        about,
        kind,
        options,
        initial(part, kind, options),
        required,
        least,
        most,
        part.get("id") or number,
        part["type"],
        row,
        part.get("placeholder") or "",
        part.get("style") == LONG_TEXT,
    )


def bounds(part: Json, kind: FieldKind, options: tuple[FieldOption, ...]) -> tuple[int, int]:
    """Return the minimum and maximum number of characters or choices."""
    if kind is FieldKind.TEXT:
        return part.get("min_length") or 0, part.get("max_length") or 4000
    least = part.get("min_values")
    most = part.get("max_values") or (len(options) if kind is FieldKind.CHECKBOXES else 1)
    return 1 if least is None else least, most


def initial(part: Json, kind: FieldKind, options: tuple[FieldOption, ...]) -> Value:
    """Return the value of a field when the form opens."""
    chosen = [option.value for option in options if option.default]
    if kind is FieldKind.TEXT:
        return str(part.get("value") or "")
    if kind is FieldKind.CHECKBOX:
        return bool(part.get("default"))
    if kind is FieldKind.RADIO:
        return chosen[0] if chosen else None
    return chosen + [str(default["id"]) for default in part.get("default_values") or ()]


def fill(form: OpenForm, values: Mapping[str, Any], find: Finders) -> list[Json]:
    """Return the components of a submitted form; fields not in `values` keep their initial values.

    Raises UnknownCommand if there is no such field or option; InputRefused if a required field is empty or
    a value is too long.
    """
    given = {form.field(name).custom_id: value for name, value in values.items()}
    return list(_components(form, given, find))


def _components(form: OpenForm, given: Mapping[str, Any], find: Finders) -> Iterator[Json]:
    for field in form.fields:
        if field.kind is FieldKind.NOTE:
            yield {"type": 10, "id": field.number}
            continue
        value = field.default
        if field.custom_id in given or field.kind in find:
            value = read_value(field, given.get(field.custom_id, value), find)
        check(field, value)
        inner: Json = {"type": field.type, "id": field.number, "custom_id": field.custom_id}
        inner["values" if field.kind in MANY else "value"] = value
        if field.row:
            yield {"type": 1, "id": field.number - 1, "components": [inner]}
        else:
            yield {"type": 18, "id": field.number - 1, "component": inner}


def read_value(field: FormField, value: Any, find: Finders) -> Value:
    """Return a field's value from what a person entered.

    Raises UnknownCommand if it is not one of the options.
    """
    if field.kind is FieldKind.TEXT:
        return str(value)
    if field.kind is FieldKind.CHECKBOX:
        if isinstance(value, bool):
            return value
        if str(value).lower() in YES | NO:
            return str(value).lower() in YES
        raise UnknownCommand(f"{field.label} needs yes or no, not “{value}”.")
    if field.kind is FieldKind.RADIO:
        return option_value(field, str(value)) if value not in (None, "") else None
    several = [value] if isinstance(value, str) else list(value or ())
    if field.kind in find:
        return [find[field.kind](one) for one in several if one]
    return [option_value(field, one) for one in several if one]


def option_value(field: FormField, text: str) -> str:
    """Return the value of an option named by its value or label, ignoring case, or by the start of its label.

    Raises UnknownCommand if no option, or more than one, matches.
    """
    found = known_option(field.options, text)
    if found is not None:
        return found
    wanted = text.strip().lower()
    begun = [option for option in field.options if option.label.lower().startswith(wanted)]
    if len(begun) == 1:
        return begun[0].value
    labels = ", ".join(option.label for option in field.options)
    raise UnknownCommand(f"{field.label} can be {labels}, not “{text}”.")


def known_option(options: tuple[FieldOption, ...], text: str) -> str | None:
    """Return the value of the option with this value, else with this label, or None."""
    if any(option.value == text for option in options):
        return text
    wanted = text.strip().lower()
    same = (each.value for each in options if wanted in (each.label.lower(), each.value.lower()))
    return next(same, None)


def check(field: FormField, value: Value) -> None:
    """Check a value as a Discord client would before sending it.

    Raises InputRefused if a required field is empty, or the value is too short or too long.
    """
    if value in (None, "", []) or (value is False and field.required):
        if field.required and field.kind is not FieldKind.CHECKBOX:
            raise InputRefused(f"Fill in {field.label}.")
        return
    if isinstance(value, (str, list)) and field.kind is not FieldKind.RADIO:
        what = "characters" if isinstance(value, str) else "choices"
        if not field.least <= len(value) <= field.most:
            raise InputRefused(f"{field.label} needs {field.least} to {field.most} {what}, not {len(value)}.")
