"""Lines typed at the local table, and the forms that are open there."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from bot.loopback.errors import UnknownCommand
from bot.loopback.forms import MANY, FieldKind, FieldOption, OpenForm
from bot.loopback.people import Person

WORDS = (
    "as",
    "press",
    "choose",
    "complete",
    "menu",
    "long",
    "send",
    "cancel",
    "channel",
    "thread",
    "dm",
    "install",
    "elsewhere",
    "group",
    "hide",
    "show",
    "seats",
    "pins",
    "say",
    "read",
    "save",
    "help",
    "wait",
    "quit",
)
SEAT = re.compile(r"^(?:@(?P<at>[\w.-]+)[ :]++|(?P<name>[\w.-]+): *+)(?P<rest>.+)$")
NAMED_VALUE = re.compile(r"^(?P<name>[^:=/\s](?:[^:=\s]|\s++(?![:=]))*+)\s*[:=]\s*+(?P<value>.*)$")
IN_MESSAGE = re.compile(r"^(?P<what>.*\S)\s+in\s++#?(?P<handle>\d+)$")
LONG_PRESS = re.compile(
    r"^(?:\"(?P<quoted>[^\"]+)\"|(?P<bare>.*?\S))(?:\s+(?:#?(?P<handle>\d+)|@(?P<seat>\S+)))?$"
)

DICE = re.compile(r"^[0-9]{0,2}d[0-9]{1,2}\b", re.IGNORECASE)

HELP = """\
2d6 d8                       roll dice
/command option:value …      send a command to the bot as the current seat
@bob /roll …   bob: 2        act once as another seat (created when first named)
as bob                       change seats
press 2, 2, Hitches          press a button on the newest message (press 2 in 4: on message 4)
choose 3 Red, Blue           choose from a menu
Field: value … send          fill in an open form and send it (send Field: value; Field: value), or cancel
complete /asset remove what:ro   show the bot's suggestions
long "Undo this" 4, long "Give 1 PP" @alice   use a command on a message or a person
channel side, thread side, dm    go there
install, elsewhere, group    install the bot for yourself; go to a server or a group without it
hide, hide bob, show bob     hide this channel from everyone or from bob, or show it to bob
say Hello                    send an ordinary message
/campaign import file:table.json   use a file on this machine as an option
read, read 4, save table.json, save table.json in 4   show or save the file on a message
seats, pins, help, wait 2, quit"""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One action: the verb, the rest of the line, and the message it refers to, if given."""

    verb: str
    rest: str = ""
    handle: int | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What a line can name: long presses, commands without their slash, buttons and seats."""

    long_presses: Collection[str] = ()
    commands: Collection[str] = ()
    buttons: Collection[str] = ()
    seats: Collection[str] = ()


NOTHING = Known()


def split_seat(line: str, known: Known = NOTHING) -> tuple[str | None, str]:
    """Return the seat named at the start of a line (None if there is none) and the rest.

    >>> split_seat("bob: /roll 2d6")
    ('bob', '/roll 2d6')
    >>> split_seat("@bob 2")
    ('bob', '2')
    >>> split_seat("Name: Broken Leg")
    (None, 'Name: Broken Leg')
    """
    match = SEAT.match(line)
    if match and (match["at"] or _is_order(match["name"], match["rest"], known)):
        return match["at"] or match["name"], match["rest"].lstrip()
    return None, line


def _is_order(name: str, rest: str, known: Known) -> bool:
    """Whether a line begins with a seat's name; a new name needs an order that can't be a field's value."""
    order = read(rest, known)
    is_plain = rest.startswith("/") or order == read(rest, Known(known.long_presses))
    is_known = name.lower() in map(str.lower, known.seats)
    return order is not None and (is_known or (is_plain and not DICE.match(rest)))


def read(text: str, known: Known = NOTHING) -> Instruction | None:
    """Parse an order; return None if the text is not one. Dice alone are rolled.

    >>> read("press Hitches in 4")
    Instruction(verb='press', rest='Hitches', handle=4)
    >>> read("2")
    Instruction(verb='press', rest='2', handle=None)
    >>> read("2d6 d8")
    Instruction(verb='slash', rest='/roll 2d6 d8', handle=None)
    >>> read("join", Known(buttons=["Join"]))
    Instruction(verb='press', rest='join', handle=None)
    """
    word, _, rest = text.partition(" ")
    word, rest = word.lower(), rest.strip()
    if word == "/as":
        return Instruction("as", rest)
    if text.startswith("/"):
        return Instruction("slash", text)
    if word.isdigit():
        return about_message("press", text)
    if text == "?":
        return Instruction("help")
    if DICE.match(text):
        return Instruction("slash", f"/roll {text}")
    for name in known.long_presses:
        if text.lower().startswith(name.lower()):
            return Instruction("long", f'"{name}"{text[len(name) :]}')
    if word == "read":
        return Instruction(
            word, handle=int(rest.removeprefix("#")) if rest.removeprefix("#").isdigit() else None
        )
    if word in ("press", "choose", "save"):
        return about_message(word, rest)
    if word == "menu":
        return Instruction("long", rest)
    if word in WORDS:
        return Instruction(word, rest)
    if text.lower() in map(str.lower, known.buttons):
        return Instruction("press", text)
    return Instruction("slash", f"/{text}") if word in known.commands else None


def about_message(verb: str, rest: str) -> Instruction:
    """Return an order that may end in the number of a message."""
    match = IN_MESSAGE.match(rest)
    return Instruction(verb, match["what"], int(match["handle"])) if match else Instruction(verb, rest)


def named_values(text: str) -> list[tuple[str, str]]:
    """Return the fields in `Field: value; Field: value`, in order.

    >>> named_values("Name: Broken Leg; Die=d8")
    [('Name', 'Broken Leg'), ('Die', 'd8')]
    """
    found: list[tuple[str, str]] = []
    for part in text.split(";"):
        match = NAMED_VALUE.match(part.strip())
        if match:
            found.append((match["name"], match["value"]))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]};{part}")
    return found


ACROSS = re.compile(r"(?:(?<!\s)\s+)?[|,]\s*")

Entered = dict[str, str | list[str]]


@dataclass(slots=True)
class OpenForms:
    """The open forms, at most one per person."""

    forms: dict[Person, OpenForm] = field(default_factory=dict)
    entered: dict[Person, Entered] = field(default_factory=dict)

    def open(self, who: Person, form: OpenForm) -> None:
        """Open a form; it replaces the person's open one."""
        self.forms[who], self.entered[who] = form, {}

    def of(self, who: Person) -> OpenForm | None:
        """Return a person's open form, or None."""
        return self.forms.get(who)

    def has_field(self, who: Person, line: str) -> bool:
        """Return whether the line is `Field: value` for a field of the person's form."""
        form, found = self.forms.get(who), NAMED_VALUE.match(line)
        if form is None or found is None:
            return False
        names = {name.lower() for part in form.inputs() for name in (part.label, part.custom_id)}
        return found["name"].strip().lower() in names

    def enter(self, who: Person, line: str) -> None:
        """Enter `Field: value` into the person's form.

        Raises UnknownCommand if no form is open or it has no such field.
        """
        form, found = self._open_form(who, line), NAMED_VALUE.match(line)
        if found is None:
            labels = ", ".join(part.label for part in form.inputs())
            raise UnknownCommand(
                f"{line}. Fill in the open form “{form.title}” ({labels}), then send or cancel."
            )
        self._put(who, form, found["name"], found["value"])

    def filled(self, who: Person, line: str) -> tuple[OpenForm, Entered]:
        """Return the form to submit and all values entered, including those in this line.

        Raises UnknownCommand if no form is open or it has no such field.
        """
        form, values = self._open_form(who, "send"), named_values(line)
        if line and not values:
            raise UnknownCommand(f"send {line}. Type send Field: value; Field: value.")
        for name, text in values:
            self._put(who, form, name, text)
        return form, self.entered[who]

    def close(self, who: Person) -> None:
        """Close a person's form, submitted or dismissed.

        Raises UnknownCommand if no form is open.
        """
        self._open_form(who, "cancel")
        del self.forms[who], self.entered[who]

    def _put(self, who: Person, form: OpenForm, name: str, text: str) -> None:
        part = form.field(name)
        # The name of a file may have commas.
        is_file = part.kind is FieldKind.FILE and part.most == 1
        value = [text] if is_file else as_value(part.options, text, several=part.kind in MANY)
        self.entered[who][part.custom_id] = value

    def _open_form(self, who: Person, what: str) -> OpenForm:
        form = self.forms.get(who)
        if form is None:
            raise UnknownCommand(f"{what}. {who.name} has no open form.")
        return form


def as_value(options: tuple[FieldOption, ...], text: str, *, several: bool) -> str | list[str]:
    r"""Return what was entered; choices can be given by number, and \n in a text is a line break."""
    if several:
        return [pick_number(options, one) for one in ACROSS.split(text) if one]
    return pick_number(options, text) if options else text.replace("\\n", "\n")


def pick_number(options: tuple[FieldOption, ...], text: str) -> str:
    """Return the value of a choice, given by its label or displayed number; other text is returned as is.

    Raises UnknownCommand if no choice has that number.
    """
    wanted = text.strip().lower()
    labelled = next((option.value for option in options if option.label.lower() == wanted), None)
    if labelled is not None or not (options and wanted.isdecimal()):
        return text if labelled is None else labelled
    if not 0 < int(wanted) <= len(options):
        raise UnknownCommand(f"There's no choice {wanted}. Choose 1 to {len(options)}.")
    return options[int(wanted) - 1].value
