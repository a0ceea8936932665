"""The forms that people at the table have open, and what they have entered so far."""

import re
from dataclasses import dataclass, field

from bot.local.errors import UnknownCommand
from bot.local.forms import MANY, FieldKind, FieldOption, Form
from bot.local.orders import NAMED_VALUE, named_values
from bot.local.people import Person

ACROSS = re.compile(r"\s*[|,]\s*")

Entered = dict[str, str | list[str]]


@dataclass(slots=True)
class OpenForms:
    """At most one open form for each person."""

    forms: dict[Person, Form] = field(default_factory=dict)
    entered: dict[Person, Entered] = field(default_factory=dict)

    def open(self, who: Person, form: Form) -> None:
        """A form opens; one that was open before is gone."""
        self.forms[who], self.entered[who] = form, {}

    def of(self, who: Person) -> Form | None:
        """The form that someone has open."""
        return self.forms.get(who)

    def has_field(self, who: Person, line: str) -> bool:
        """The line is `Field: value` for a field of someone's form."""
        form, found = self.forms.get(who), NAMED_VALUE.match(line)
        if form is None or found is None:
            return False
        names = {name.lower() for part in form.inputs() for name in (part.label, part.custom_id)}
        return found["name"].strip().lower() in names

    def enter(self, who: Person, line: str) -> None:
        """Put `Field: value` into a form.

        Raises:
            UnknownCommand: no form is open, or it has no such field.
        """
        form, found = self._open_form(who, line), NAMED_VALUE.match(line)
        if found is None:
            labels = ", ".join(part.label for part in form.inputs())
            raise UnknownCommand(
                f"{line}. Fill in the open form “{form.title}” ({labels}), then send or cancel."
            )
        self._put(who, form, found["name"], found["value"])

    def filled(self, who: Person, line: str) -> tuple[Form, Entered]:
        """The form to be sent with all that was entered, the rest of this line included.

        Raises:
            UnknownCommand: no form is open, or it has no such field.
        """
        form, values = self._open_form(who, "send"), named_values(line)
        if line and not values:
            raise UnknownCommand(f"send {line}. Type send Field: value; Field: value.")
        for name, text in values:
            self._put(who, form, name, text)
        return form, self.entered[who]

    def close(self, who: Person) -> None:
        """The form is sent or dismissed.

        Raises:
            UnknownCommand: no form is open.
        """
        self._open_form(who, "cancel")
        del self.forms[who], self.entered[who]

    def _put(self, who: Person, form: Form, name: str, text: str) -> None:
        part = form.field(name)
        # The name of a file may have commas.
        is_file = part.kind is FieldKind.FILE and part.most == 1
        value = [text] if is_file else as_value(part.options, text, several=part.kind in MANY)
        self.entered[who][part.custom_id] = value

    def _open_form(self, who: Person, what: str) -> Form:
        form = self.forms.get(who)
        if form is None:
            raise UnknownCommand(f"{what}. {who.name} has no open form.")
        return form


def as_value(options: tuple[FieldOption, ...], text: str, *, several: bool) -> str | list[str]:
    """What was entered in a field, choices also by number; in a text, \\n stands for a new line."""
    if several:
        return [pick_number(options, one) for one in ACROSS.split(text) if one]
    return pick_number(options, text) if options else text.replace("\\n", "\n")


def pick_number(options: tuple[FieldOption, ...], text: str) -> str:
    """The value of a choice given by its label, or by the number shown before it; else the text as typed.

    Raises:
        UnknownCommand: no choice has that number.
    """
    wanted = text.strip().lower()
    labelled = next((option.value for option in options if option.label.lower() == wanted), None)
    if labelled is not None or not (options and wanted.isdecimal()):
        return text if labelled is None else labelled
    if not 0 < int(wanted) <= len(options):
        raise UnknownCommand(f"There's no choice {wanted}. Choose 1 to {len(options)}.")
    return options[int(wanted) - 1].value
