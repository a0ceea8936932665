"""The local table: several people at one keyboard, and what each of them sees."""

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.loopback import orders
from bot.loopback.driver import Loopback
from bot.loopback.errors import InputRefused, UnknownCommand
from bot.loopback.forms import OpenForm
from bot.loopback.keyboard import nearest
from bot.loopback.model import Channel, File, Message
from bot.loopback.orders import ACROSS, LONG_PRESS, Instruction, OpenForms, pick_number
from bot.loopback.people import Person
from bot.loopback.reply import BotReply, buttons_of, find_button, menus, pressable
from bot.loopback.world import Happening


@dataclass(frozen=True, slots=True)
class Posted:
    """A message to show: a new one, or one that was edited."""

    message: Message
    handle: int
    is_edit: bool = False


@dataclass(frozen=True, slots=True)
class Removed:
    """A visible message was deleted."""

    handle: int


@dataclass(frozen=True, slots=True)
class FormOpened:
    """A form was opened."""

    form: OpenForm


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The bot gave no valid answer, with the reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class TextShown:
    """Text from the table itself: help, seats, suggestions."""

    text: str


Sight = Posted | Removed | FormOpened | Unanswered | TextShown


class Display:
    """Collects what happens until the next look; every message shown keeps its number.

    Edits that the bot makes on its own (the pinned table) are not shown as news; edits by an
    interaction are.
    """

    def __init__(self, loopback: Loopback) -> None:
        self.handles: dict[Message, int] = {}
        self.order: list[Message] = []
        self.count = 0
        self.waiting: list[Sight | Happening] = []
        self.limit = loopback.world.keep_messages
        self.loopback = loopback
        loopback.world.listeners.append(self.hear)

    def close(self) -> None:
        """Stop collecting."""
        self.loopback.world.listeners.remove(self.hear)

    def hear(self, happening: Happening) -> None:
        """Take note of what happened."""
        self.waiting.append(happening)

    def add(self, sight: Sight) -> None:
        """Add something to show."""
        self.waiting.append(sight)

    def show(self, message: Message) -> None:
        """Show a message, or show it again."""
        self.add(Posted(message, self._handle(message)))

    def show_form(self, form: OpenForm) -> None:
        """Show a form."""
        self.add(FormOpened(form))

    def fail(self, reason: str) -> None:
        """Report that the bot did not answer."""
        self.add(Unanswered(reason))

    def take(self) -> list[Sight]:
        """Return everything since the last call; each message appears once, in its latest state."""
        happened = self.waiting[:]
        self.waiting.clear()
        seen: set[Message] = set()
        found: list[Sight] = []
        for one in happened:
            sight = self._news(one) if isinstance(one, Happening) else one
            if sight is None or (isinstance(sight, Posted) and sight.message in seen):
                continue
            if isinstance(sight, Posted):
                seen.add(sight.message)
            found.append(sight)
        return found

    def _news(self, happening: Happening) -> Sight | None:
        message = happening.message
        is_known = message in self.handles
        if happening.kind == "deleted":
            return Removed(self.handles[message]) if is_known else None
        if happening.kind == "pinned" or message.is_loading or message.deleted:
            return None
        is_edit = happening.kind == "edited" and is_known
        if happening.interaction is None and (is_edit or message.pinned):
            return None
        return Posted(message, self._handle(message), is_edit)

    def _handle(self, message: Message) -> int:
        if message in self.handles:
            self.order.remove(message)
        else:
            self.count += 1
            self.handles[message] = self.count
        self.order.append(message)
        if len(self.order) > self.limit:
            del self.handles[self.order.pop(0)]
        return self.handles[message]

    def by_handle(self, handle: int) -> Message:
        """Return a message by its number.

        Raises UnknownCommand if no message has that number.
        """
        for message, number in self.handles.items():
            if number == handle:
                return message
        raise UnknownCommand(f"There's no message {handle}.")

    def visible(self, who: Person, place: Channel) -> Iterator[Message]:
        """Yield the messages that a person sees in a place, the one shown last first."""
        for message in reversed(self.order):
            is_theirs = message.viewer in (None, who.user)
            if is_theirs and message.channel is place and not message.deleted:
                yield message

    def pressable(self, who: Person, place: Channel) -> Iterator[Message]:
        """Yield the visible messages that have buttons or menus."""
        return (message for message in self.visible(who, place) if buttons_of(message) or menus(message))


SEATS = ("gm", "alice", "bob")
QUIET = 0.03
AT_WORK = ("CommandTree-invoker", "discord-ui-", "discord.py: on_interaction")
"""How discord.py begins the names of the tasks in which a bot answers."""


class LocalTable:
    """The state of a local table: the seats, the current place and the open forms.

    `do` runs one line and returns what there is to see; the caller draws it.
    """

    def __init__(self, loopback: Loopback) -> None:
        self.loopback = loopback
        self.seats = {name: loopback.person(name, manage_guild=name == "gm") for name in SEATS}
        self.seat = self.seats["gm"]
        self.place: Channel | None = loopback.table
        self.forms = OpenForms()
        self.sights = Display(loopback)
        self.is_over = False
        self.verbs: Mapping[str, Callable[[Person, Instruction], object]] = {
            "as": self._as,
            "cancel": self._cancel,
            "channel": self._channel,
            "thread": self._thread,
            "dm": self._dm,
            "install": self._install,
            "elsewhere": self._elsewhere,
            "group": self._group,
            "hide": self._hide,
            "show": self._show,
            "seats": self._seats,
            "pins": self._pins,
            "read": self._read,
            "save": self._save,
            "help": self._help,
            "quit": self._quit,
        }

    def close(self) -> None:
        """Stop collecting what happens."""
        self.sights.close()

    @property
    def where(self) -> str:
        """The name of the current place, for prompts."""
        return "dm" if self.place is None else f"#{self.place.name}"

    def long_presses(self) -> list[str]:
        """Return the names of the message and user commands."""
        return [command["name"] for command in self.loopback.commands if command["type"] != 1]

    def known(self, who: Person) -> orders.Known:
        """Return what a line of that person can name now."""
        shown = self.sights.pressable(who, self.here(who))
        labels = {button.label for message in shown for button in pressable(message)}
        commands = {command["name"] for command in self.loopback.commands if command["type"] == 1}
        return orders.Known(self.long_presses(), commands, labels, self.seats)

    def whose(self, line: str) -> tuple[Person, str]:
        """Return who types this line, and the line without the name; new people get a seat."""
        if self.forms.has_field(self.seat, line):
            return self.seat, line
        name, rest = orders.split_seat(line, self.known(self.seat))
        return (self.seat if name is None else self.sit(name)), rest

    def sit(self, name: str) -> Person:
        """Return the person in a seat, ignoring case; a new name gets a new seat."""
        for known, person in self.seats.items():
            if known.lower() == name.lower():
                return person
        self.seats[name] = self.loopback.person(name)
        return self.seats[name]

    async def do(self, line: str) -> list[Sight]:
        """Run one line and return what there is to see afterwards.

        Raises UnknownCommand if the line is not understood; InputRefused if a Discord client would not
        allow it.
        """
        who, text = self.whose(line)
        order = orders.read(text, self.known(who))
        if self.forms.has_field(who, text) or (order is None and self.forms.of(who)):
            self.forms.enter(who, text)
            return []
        if order is None:
            word = text.split(" ", 1)[0]
            known = self.known(who)
            near = nearest(word, (*orders.WORDS, *known.commands, *known.buttons, *self.seats))
            ways = " Type dice (2d6 d8), a command (/roll 2d6 d8), a button or its number, or help."
            raise UnknownCommand(f"{text}.{near or ways}")
        if order.verb in self.verbs:
            self.verbs[order.verb](who, order)
            return self.sights.take()
        await self._act(who, order)
        await self.quiet()
        return self.sights.take()

    async def quiet(self) -> None:
        """Wait until the bot has finished its work and sent nothing for a moment.

        If the bot runs in this process, this waits as long as it works, however busy the machine is.
        """
        if working := [task for task in asyncio.all_tasks() if task.get_name().startswith(AT_WORK)]:
            await self.loopback.world.clock.wait(working, self.loopback.patience)
        before = -1
        while before != self.loopback.server.requests:
            before = self.loopback.server.requests
            await self.loopback.world.clock.sleep(QUIET)

    def here(self, who: Person) -> Channel:
        """Return where a person is: the current place, or their own direct messages."""
        return self.loopback.dm(who) if self.place is None else self.place

    async def _act(self, who: Person, order: Instruction) -> None:
        place = self.here(who)
        if order.verb == "slash":
            self._came(who, await who.slash(order.rest, channel=place))
        elif order.verb == "press":
            message, number = self._pressed(who, order)
            self._came(who, await who.press(message, number))
        elif order.verb == "choose":
            await self._choose(who, order)
        elif order.verb == "long":
            await self._long(who, order)
        elif order.verb == "send":
            await self._send(who, order)
        elif order.verb == "complete":
            choices = await who.complete(order.rest, channel=place)
            self.sights.add(TextShown("\n".join(choice.name for choice in choices) or "(no suggestions)"))
        elif order.verb == "say":
            await who.write(order.rest.replace("\\n", "\n"), channel=place)
        elif order.verb == "wait":
            await self.loopback.world.clock.sleep(seconds(order.rest))

    def _came(self, who: Person, reply: BotReply) -> None:
        """Show the outcomes of an action that its messages do not show."""
        if reply.failed:
            self.sights.fail(reply.failed)
        if reply.form is not None:
            self.forms.open(who, reply.form)
            self.sights.show_form(reply.form)

    def _pressed(self, who: Person, order: Instruction) -> tuple[Message, int | str]:
        """Return the message and the button (by index or label) that an order means."""
        if order.rest.isdigit():
            message = self._message(who, order.handle)
            number, count = int(order.rest), len(buttons_of(message))
            if count < number <= count + len(menus(message)):
                raise UnknownCommand(f"{number} is a menu. Type choose {number} and a choice.")
            return message, number - 1
        if order.handle is not None:
            return self._message(who, order.handle), order.rest
        newest = self._message(who, None)
        for message in self.sights.pressable(who, self.here(who)):
            try:
                find_button(pressable(message), order.rest)
            except UnknownCommand:
                continue
            return message, order.rest
        return newest, order.rest

    def _message(self, who: Person, handle: int | None, *, pressable: bool = True) -> Message:
        """Return a message by its number, or the newest one (with buttons)."""
        if handle is not None:
            return self.sights.by_handle(handle)
        found = self.sights.visible(who, self.here(who))
        for message in found if not pressable else self.sights.pressable(who, self.here(who)):
            return message
        raise UnknownCommand("There's nothing to press here." if pressable else "There's no message here.")

    async def _choose(self, who: Person, order: Instruction) -> None:
        number, _, what = order.rest.partition(" ")
        if not number.isdigit():
            raise UnknownCommand(
                f"choose {order.rest}. Type choose, the menu's number and a choice: choose 3 Red."
            )
        message = self._message(who, order.handle)
        index = int(number) - 1 - len(buttons_of(message))
        if not 0 <= index < len(menus(message)):
            raise UnknownCommand(f"{number} isn't a menu of that message.")
        menu = menus(message)[index]
        values = [pick_number(menu.options, value) for value in ACROSS.split(what.strip()) if value]
        self._came(who, await who.choose(message, index, values))

    async def _long(self, who: Person, order: Instruction) -> None:
        match = LONG_PRESS.match(order.rest)
        if match is None:
            raise UnknownCommand('Type a command and a message or person: long "Undo this" 4.')
        name = match["quoted"] or match["bare"]
        if match["seat"]:
            reply = await who.menu_command(name, user=self.sit(match["seat"]), channel=self.here(who))
        else:
            handle = int(match["handle"]) if match["handle"] else None
            message = self._message(who, handle, pressable=False)
            reply = await who.menu_command(name, message=message)
        self._came(who, reply)

    async def _send(self, who: Person, order: Instruction) -> None:
        reply = await who.submit(*self.forms.filled(who, order.rest))
        self.forms.close(who)
        self._came(who, reply)

    def _cancel(self, who: Person, order: Instruction) -> None:
        self.forms.close(who)

    def _as(self, who: Person, order: Instruction) -> None:
        if not re.fullmatch(r"@?[\w.-]+", order.rest):
            raise UnknownCommand(f"as {order.rest}. Type as and one name: as bob.")
        self.seat = self.sit(order.rest.removeprefix("@"))

    def _channel(self, who: Person, order: Instruction) -> None:
        self.place = self.loopback.channel(channel_name(order))

    def _thread(self, who: Person, order: Instruction) -> None:
        above = self.here(who)
        self.place = self.loopback.thread(channel_name(order), parent=above.parent or above)

    def _dm(self, who: Person, order: Instruction) -> None:
        self.place = None

    def _install(self, who: Person, order: Instruction) -> None:
        self.loopback.install(who)

    def _elsewhere(self, who: Person, order: Instruction) -> None:
        self.place = self.loopback.elsewhere()

    def _group(self, who: Person, order: Instruction) -> None:
        self.place = self.loopback.group("friends", *self.loopback.people())

    def _hide(self, who: Person, order: Instruction) -> None:
        self.loopback.hide(self._hideable(who), *map(self.sit, order.rest.split()))

    def _show(self, who: Person, order: Instruction) -> None:
        if not order.rest:
            raise UnknownCommand("show. Type show and a name: show bob.")
        self.loopback.show(self._hideable(who), *map(self.sit, order.rest.split()))

    def _hideable(self, who: Person) -> Channel:
        """Return the channel where a person is; for a thread, its parent."""
        place = self.here(who)
        if place.guild is None:
            raise InputRefused("Direct messages are already hidden.")
        return place.parent or place

    def _seats(self, who: Person, order: Instruction) -> None:
        names = (f"{name} (you)" if person is self.seat else name for name, person in self.seats.items())
        self.sights.add(TextShown(", ".join(names)))

    def _pins(self, who: Person, order: Instruction) -> None:
        pinned = self.loopback.pins(self.here(who))
        for message in pinned:
            self.sights.show(message)
        if not pinned:
            self.sights.add(TextShown("(nothing is pinned here)"))

    def _read(self, who: Person, order: Instruction) -> None:
        text = self._file(who, order.handle).data.decode(errors="replace")
        self.sights.add(TextShown(text or "(an empty file)"))

    def _save(self, who: Person, order: Instruction) -> None:
        if not order.rest:
            raise UnknownCommand("save. Type save and a path: save table.json.")
        file = self._file(who, order.handle)
        try:
            Path(order.rest).expanduser().write_bytes(file.data)
        except OSError as error:
            raise InputRefused(f"{order.rest} cannot be written: {error.strerror}.") from None
        self.sights.add(TextShown(f"({file.name} is saved as {order.rest})"))

    def _file(self, who: Person, handle: int | None) -> File:
        """Return the file of a message by its number, or of the newest message that has one."""
        if handle is None:
            seen: Iterable[Message] = self.sights.visible(who, self.here(who))
        else:
            seen = [self.sights.by_handle(handle)]
        for message in seen:
            if message.files:
                return message.files[0]
        raise UnknownCommand("There's no file here.")

    def _help(self, who: Person, order: Instruction) -> None:
        self.sights.add(TextShown(orders.HELP))

    def _quit(self, who: Person, order: Instruction) -> None:
        self.is_over = True


def channel_name(order: Instruction) -> str:
    """Return the name of a channel or thread.

    Raises UnknownCommand if no name is given.
    """
    name = order.rest.removeprefix("#")
    if not name:
        raise UnknownCommand(f"{order.verb}. Which {order.verb}?")
    return name


def seconds(text: str) -> float:
    """Return how long to wait, in seconds.

    Raises UnknownCommand if the text is not a number.
    """
    try:
        return float(text)
    except ValueError:
        raise UnknownCommand(f"wait {text}. Type wait and a number of seconds: wait 2.") from None
