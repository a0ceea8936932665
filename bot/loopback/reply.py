"""What a person sees after an action, and messages as plain lines."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from bot.loopback.errors import FILE, SELECTS, UnknownCommand, not_shown, shown_media
from bot.loopback.forms import FieldKind, FieldOption, FormField, OpenForm, known_option
from bot.loopback.keyboard import nearest
from bot.loopback.model import Interaction, Json, Message, walk
from bot.loopback.world import World

_OWN_MARKUP = re.compile(r"(?<!\\)\*\*|^(?:###|-#) ", re.MULTILINE)
"""What a bot writes to give words weight; the same signs, typed by somebody, come with a backslash."""


@dataclass(frozen=True, slots=True)
class MessageMenu:
    """A menu of a message."""

    custom_id: str
    placeholder: str
    options: tuple[FieldOption, ...]
    least: int
    most: int
    disabled: bool
    type: int


@dataclass(frozen=True, slots=True)
class MessageButton:
    """A button of a message."""

    label: str
    custom_id: str | None
    style: int
    disabled: bool = False
    url: str | None = None
    emoji: str = ""
    menu: MessageMenu | None = None
    """The menu in which it is an option."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An autocomplete suggestion."""

    name: str
    value: str | int | float


class Presser(Protocol):
    """The person who acted, and who can press the buttons of the reply."""

    @property
    def name(self) -> str:
        """The display name."""

    async def press(self, on: "BotReply | Message", which: str | int) -> "BotReply":
        """Press a button."""

    async def again(self, reply: "BotReply") -> None:
        """Deliver the same interaction a second time."""


@dataclass(frozen=True, slots=True)
class BotReply:
    """The outcome of one command, press, choice or submitted form.

    `message` is the message in its latest state; `updated` is true if it is the message that was pressed;
    `failed` is the reason if the bot gave no valid answer.
    """

    by: Presser
    interaction: Interaction
    message: Message | None = None
    form: OpenForm | None = None
    updated: bool = False
    failed: str | None = None

    @property
    def text(self) -> str:
        """All visible text of the message, without heading, bold and subtext markup."""
        return _OWN_MARKUP.sub("", self.message.text) if self.message else ""

    @property
    def private(self) -> bool:
        """Whether only the person who acted sees the message."""
        return self.message is not None and self.message.is_private

    @property
    def buttons(self) -> list[MessageButton]:
        """The buttons, in reading order."""
        return buttons_of(self.message) if self.message else []

    @property
    def menus(self) -> list[MessageMenu]:
        """The menus, in reading order."""
        return menus(self.message) if self.message else []

    @property
    def more(self) -> list[Message]:
        """The follow-up messages of the same interaction so far."""
        return [m for m in self.interaction.messages if m is not self.message and not m.deleted]


def buttons_of(message: Message) -> list[MessageButton]:
    """Return the buttons of a message, in reading order."""
    return [read_button(part) for part in walk(message.components) if part["type"] == 2]


_SECONDARY = 2
"""The style of a button without colour."""
MORE = "More"
"""What the menu is called whose options are further buttons."""


def pressable(message: Message) -> list[MessageButton]:
    """Return the buttons of a message, then those in its menu `More`."""
    behind = [
        MessageButton(option.label, option.value, _SECONDARY, menu=menu)
        for menu in menus(message)
        if menu.placeholder == MORE
        for option in menu.options
    ]
    return [*buttons_of(message), *behind]


def read_button(part: Json) -> MessageButton:
    """Return a button from its component."""
    emoji = (part.get("emoji") or {}).get("name") or ""
    return MessageButton(
        part.get("label") or "",
        part.get("custom_id"),
        part["style"],
        bool(part.get("disabled")),
        part.get("url"),
        emoji,
    )


def menus(message: Message) -> list[MessageMenu]:
    """Return the menus of a message, in reading order."""
    return [read_menu(part) for part in walk(message.components) if part["type"] in SELECTS]


def read_menu(part: Json) -> MessageMenu:
    """Return a menu from its component."""
    options = tuple(
        FieldOption(o["label"], o["value"], o.get("description") or "", bool(o.get("default")))
        for o in part.get("options") or ()
    )
    least = part.get("min_values")
    return MessageMenu(
        part["custom_id"],
        part.get("placeholder") or "",
        options,
        1 if least is None else least,
        part.get("max_values") or 1,
        bool(part.get("disabled")),
        part["type"],
    )


def find_button(all_of_them: list[MessageButton], which: str | int) -> MessageButton:
    """Return a button by index, label, start of the label, or custom id.

    Raises UnknownCommand if there is no such button.
    """
    if isinstance(which, int):
        if 0 <= which < len(all_of_them):
            return all_of_them[which]
        raise UnknownCommand(f"There's no button {which + 1} (of {len(all_of_them)}).")
    wanted = which.strip().lower()
    for matches in (
        [b for b in all_of_them if wanted and wanted in (b.label.lower(), b.emoji)],
        [b for b in all_of_them if wanted and b.label.lower().startswith(wanted)],
        [b for b in all_of_them if b.custom_id == which],
    ):
        if matches:
            return matches[0]
    raise UnknownCommand(no_such("button", which, [b.label or b.emoji for b in all_of_them]))


def find_menu(all_of_them: list[MessageMenu], which: str | int) -> MessageMenu:
    """Return a menu by index, start of its placeholder, or custom id.

    Raises UnknownCommand if there is no such menu.
    """
    if isinstance(which, int):
        if 0 <= which < len(all_of_them):
            return all_of_them[which]
        raise UnknownCommand(f"There's no menu {which + 1} (of {len(all_of_them)}).")
    for menu in all_of_them:
        if menu.custom_id == which or menu.placeholder.lower().startswith(which.strip().lower()):
            return menu
    raise UnknownCommand(no_such("menu", which, [menu.placeholder for menu in all_of_them]))


def no_such(what: str, which: str, known: Iterable[str]) -> str:
    """Return the error message for a button or menu that does not exist."""
    names = [name for name in known if name]
    hint = nearest(which, [name.lower() for name in names])
    if not hint and names:
        hint = f" Try {', '.join(names)}."
    return f"There's no {what} “{which}”.{hint}"


def menu_value(menu: MessageMenu, text: str) -> str:
    """Return the value of a menu option, given by value or label.

    Raises UnknownCommand if it is not one of the options.
    """
    found = known_option(menu.options, text)
    if found is not None:
        return found
    labels = ", ".join(option.label for option in menu.options)
    raise UnknownCommand(f"There's no choice “{text}”. Try {labels}.")


LITERAL = re.compile(
    r"```(?:[\w+-]*\n)?((?:[^`]|`{1,2}(?!`))*+)```|``((?:[^`]|`(?!`))++)``|`([^`\n]+)`|\\([^A-Za-z0-9\s])"
)
# Characters that nobody types stand for what is literal until all markup is gone.
HELD = re.compile("[\ue000-\uf8ff]")
FIRST_HELD, LAST_HELD = 0xE000, 0xF8FF
EMPHASIS = [
    (re.compile(r"\[([^\[\]]+)\]\(<?([^()<>\s]+)>?\)"), r"\1 (\2)"),
    (re.compile(r"\*\*((?:[^*]|\*(?!\*))++)\*\*"), r"\1"),
    (re.compile(r"__((?:[^_]|_(?!_))++)__"), r"\1"),
    (re.compile(r"~~((?:[^~]|~(?!~))++)~~"), r"\1"),
    (re.compile(r"\*(?=\S)([^*]+?)(?<=\S)\*"), r"\1"),
    (re.compile(r"(?<!\w)_(?=\S)([^_]+?)(?<=\S)_(?!\w)"), r"\1"),
    (re.compile(r"^(?:#{1,3}|-#) +", re.MULTILINE), ""),
]
MARKDOWN_LINK = re.compile(r"https://discord\.com/channels/(?:[0-9]+|@me)/([0-9]+)/[0-9]+")
MENTION = re.compile(r"<(@&|@!?|#|/|t:|a?:)([^<>\s][^<>]*)>")


def plain_text(text: str, world: World) -> str:
    r"""Return text as Discord displays it: without markup and backslashes, with names for mentions.

    >>> plain_text(r"**Doom** 2\*d6 for </roll:1> at <t:0>", World())
    'Doom 2*d6 for /roll at 1970-01-01 00:00 UTC'
    """
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        kept = next((group for group in match.groups() if group is not None), "")
        if FIRST_HELD + len(held) > LAST_HELD:
            return kept
        held.append(kept)
        return chr(FIRST_HELD + len(held) - 1)

    text = LITERAL.sub(hold, text)
    text = MARKDOWN_LINK.sub(lambda match: f"({mentioned('#', match[1], world)} › message)", text)
    text = MENTION.sub(lambda match: mentioned(match[1], match[2], world), text)
    for pattern, kept in EMPHASIS:
        text = pattern.sub(kept, text)
    return HELD.sub(lambda match: released(match[0], held), text)


def released(mark: str, held: list[str]) -> str:
    """Return the literal text that a placeholder stands for."""
    place = ord(mark) - FIRST_HELD
    return held[place] if place < len(held) else mark


def mentioned(kind: str, what: str, world: World) -> str:
    """Return a mention as Discord displays it."""
    if kind in ("@", "@!"):
        user = world.users.get(int(what)) if what.isdigit() else None
        return f"@{user.display}" if user else "@unknown-user"
    if kind == "#":
        place = world.channels.get(int(what)) if what.isdigit() else None
        return f"#{place.name}" if place else "#unknown"
    if kind == "/":
        return "/" + what.rpartition(":")[0]
    if kind == "t:":
        return moment(what)
    if kind == "@&":
        return "@role"
    return f":{what.partition(':')[0]}:"


def moment(stamp: str) -> str:
    """Return a `<t:…>` time in UTC, so that transcripts are the same everywhere; unchanged if out of range.

    >>> moment("86400:R")
    '1970-01-02 00:00 UTC'
    >>> moment("86400:t")
    '00:00 UTC'
    """
    seconds, _, style = stamp.partition(":")
    if not seconds.lstrip("-").isdigit():
        return stamp
    try:
        at = datetime.fromtimestamp(int(seconds), UTC)
        return {"D": f"{at:%Y-%m-%d}", "t": f"{at:%H:%M} UTC"}.get(style, f"{at:%Y-%m-%d %H:%M} UTC")
    except (OverflowError, ValueError):
        return f"<t:{stamp}>"


def message_lines(message: Message, world: World, handle: int | None = None) -> list[str]:
    """Return a message, its files, and its numbered buttons and menus; the handle is on the last line."""
    lines = plain_text(message.text, world).splitlines()
    for embed in message.embeds:
        parts = [embed.get("title"), embed.get("description")]
        parts += [f"{field['name']}: {field['value']}" for field in embed.get("fields") or ()]
        lines += [line for part in parts if part for line in plain_text(part, world).splitlines()]
    lines += [f"[{part_words(part)}]" for part in shown_media(message.components)]
    lines += [
        f"[file {file.name}{': ' + file.description if file.description else ''}]"
        for file in not_shown(message.components, message.files)
    ]
    controls = list(control_lines(buttons_of(message), menus(message)))
    if controls and handle is not None:
        controls[-1] += f"   (message {handle})"
    return lines + controls


def part_words(part: Json) -> str:
    """Return an image or file of a message as text."""
    return f"file {part.get('name', '')}" if part.get("type") == FILE else f"picture{words(part)}"


def words(part: Json) -> str:
    """Return the alternative text of an image."""
    return f": {part['description']}" if part.get("description") else ""


def control_lines(all_buttons: list[MessageButton], all_menus: list[MessageMenu]) -> Iterator[str]:
    """Yield the buttons on one line, then one line per menu; the numbers continue."""
    if all_buttons:
        yield "  ".join(f"[{n}] {button_words(b)}" for n, b in enumerate(all_buttons, 1))
    for number, menu in enumerate(all_menus, len(all_buttons) + 1):
        options = " | ".join(option.label for option in menu.options)
        yield f"[{number}] {menu.placeholder or 'Choose'}: {options}".rstrip(": ")


def button_words(button: MessageButton) -> str:
    """Return the text on a button."""
    words = " ".join(part for part in (button.emoji, button.label) if part)
    if button.url:
        return f"{words} <{button.url}>"
    return f"{words} (off)" if button.disabled else words


def form_lines(form: OpenForm, world: World) -> list[str]:
    """Return a form as lines: the title, then each field with its choices and value."""
    return [
        f"Form: {form.title}",
        *("  " + line for field in form.fields for line in field_lines(field, world)),
    ]


def field_lines(field: FormField, world: World) -> list[str]:
    """Return one field of a form as lines."""
    if field.kind is FieldKind.NOTE:
        return plain_text(field.description, world).splitlines()
    notes = [field.description] if field.description else []
    notes += [] if field.required or field.kind is FieldKind.CHECKBOX else ["optional"]
    head = field.label + (f" ({', '.join(notes)})" if notes else "")
    if field.options:
        chosen = field.default if isinstance(field.default, list) else [field.default]
        return [f"{head}: {number_choices((o.label, o.value in chosen) for o in field.options)}"]
    if field.kind is FieldKind.CHECKBOX:
        return [f"{head}: {'yes' if field.default else 'no'}"]
    first, *others = (field.default if isinstance(field.default, str) else "").split("\n")
    return [f"{head}: {first}".rstrip(), *(f"  {line}" for line in others)]


def number_choices(choices: Iterable[tuple[str, bool]]) -> str:
    """Return the choices on one line, numbered, with the chosen ones marked.

    >>> number_choices([("d6", True), ("d8", False)])
    '1 d6 (chosen) | 2 d8'
    """
    return " | ".join(
        f"{number} {label}{' (chosen)' if chosen else ''}"
        for number, (label, chosen) in enumerate(choices, 1)
    )
