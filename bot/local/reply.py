"""What a person sees after doing something: the message with its buttons and menus, or a form."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from bot.local.errors import UnknownCommand
from bot.local.forms import FieldOption, Form, known_option
from bot.local.interaction import Interaction
from bot.local.limits import SELECTS
from bot.local.message import Json, Message, walk
from bot.local.syntax import nearest

LINK = 5
_OWN_MARKUP = re.compile(r"(?<!\\)\*\*|^(?:###|-#) ", re.MULTILINE)
"""What a bot writes to give words weight; the same signs, typed by somebody, come with a backslash."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button of a message."""

    label: str
    custom_id: str | None
    style: int
    disabled: bool
    url: str | None
    emoji: str


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu of a message."""

    custom_id: str
    placeholder: str
    options: tuple[FieldOption, ...]
    least: int
    most: int
    disabled: bool
    type: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One suggestion while typing an option."""

    name: str
    value: str | int | float


class Presser(Protocol):
    """Whoever acted, and can press what came of it."""

    @property
    def name(self) -> str:
        """The name others see."""

    async def press(self, on: "Reply | Message", which: str | int) -> "Reply":
        """Press a button."""

    async def again(self, reply: "Reply") -> None:
        """Let the very same interaction reach the bot a second time."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of one command, press, choice or submitted form.

    `message` is the stored message in its newest state; `updated` says that it is the one
    that was pressed; `failed` is the reason when the bot gave no (valid) answer.
    """

    by: Presser
    interaction: Interaction
    message: Message | None = None
    form: Form | None = None
    updated: bool = False
    failed: str | None = None

    @property
    def text(self) -> str:
        """All visible text of the message, without its headings, bold and small print."""
        return _OWN_MARKUP.sub("", self.message.text) if self.message else ""

    @property
    def private(self) -> bool:
        """Only the person who acted sees it."""
        return self.message is not None and self.message.is_private

    @property
    def buttons(self) -> list[Button]:
        """The buttons, in reading order."""
        return buttons(self.message) if self.message else []

    @property
    def menus(self) -> list[Menu]:
        """The menus, in reading order."""
        return menus(self.message) if self.message else []

    @property
    def more(self) -> list[Message]:
        """The further messages (follow-ups) that came of the same interaction so far."""
        return [m for m in self.interaction.messages if m is not self.message and not m.deleted]


def buttons(message: Message) -> list[Button]:
    """The buttons of a message, in reading order."""
    return [read_button(part) for part in walk(message.components) if part["type"] == 2]


def read_button(part: Json) -> Button:
    """A button as the bot sent it."""
    emoji = (part.get("emoji") or {}).get("name") or ""
    return Button(
        part.get("label") or "",
        part.get("custom_id"),
        part["style"],
        bool(part.get("disabled")),
        part.get("url"),
        emoji,
    )


def menus(message: Message) -> list[Menu]:
    """The menus of a message, in reading order."""
    return [read_menu(part) for part in walk(message.components) if part["type"] in SELECTS]


def read_menu(part: Json) -> Menu:
    """A menu as the bot sent it."""
    options = tuple(
        FieldOption(o["label"], o["value"], o.get("description") or "", bool(o.get("default")))
        for o in part.get("options") or ()
    )
    least = part.get("min_values")
    return Menu(
        part["custom_id"],
        part.get("placeholder") or "",
        options,
        1 if least is None else least,
        part.get("max_values") or 1,
        bool(part.get("disabled")),
        part["type"],
    )


def find_button(all_of_them: list[Button], which: str | int) -> Button:
    """A button by index, label, beginning of its label, or custom id.

    Raises:
        UnknownCommand: there is no such button.
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


def find_menu(all_of_them: list[Menu], which: str | int) -> Menu:
    """A menu by index, beginning of its placeholder, or custom id.

    Raises:
        UnknownCommand: there is no such menu.
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
    """The sentence for a button or menu that is not there."""
    names = [name for name in known if name]
    hint = nearest(which, [name.lower() for name in names])
    if not hint and names:
        hint = f" Try {', '.join(names)}."
    return f"There's no {what} “{which}”.{hint}"


def menu_value(menu: Menu, text: str) -> str:
    """An option of a menu by value or label.

    Raises:
        UnknownCommand: it is none of the options.
    """
    found = known_option(menu.options, text)
    if found is not None:
        return found
    labels = ", ".join(option.label for option in menu.options)
    raise UnknownCommand(f"There's no choice “{text}”. Try {labels}.")
