"""What there is to see at the local table, and the numbers by which messages are named."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.local.driver import Loopback
from bot.local.errors import UnknownCommand
from bot.local.forms import Form
from bot.local.message import Channel, Message
from bot.local.people import Person
from bot.local.reply import buttons, menus
from bot.local.world import Happening


@dataclass(frozen=True, slots=True)
class Posted:
    """A message to be seen: new, or again after an edit."""

    message: Message
    handle: int
    is_edit: bool = False


@dataclass(frozen=True, slots=True)
class Removed:
    """A message that could be seen was deleted."""

    handle: int


@dataclass(frozen=True, slots=True)
class Opened:
    """A form opened."""

    form: Form


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The bot gave no valid answer, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Words:
    """The table's own words: help, seats, suggestions."""

    text: str


Sight = Posted | Removed | Opened | Unanswered | Words


class Sights:
    """Gathers what happens until someone looks; every message seen keeps its number.

    Edits that the bot makes on its own (the pinned table) are not news; edits that an
    interaction made are.
    """

    def __init__(self, loopback: Loopback) -> None:
        self.handles: dict[Message, int] = {}
        self.order: list[Message] = []
        self.count = 0
        self.waiting: list[Sight | Happening] = []
        self.limit = loopback.world.keep_messages
        loopback.world.listeners.append(self.waiting.append)

    def add(self, sight: Sight) -> None:
        """Something else to see."""
        self.waiting.append(sight)

    def show(self, message: Message) -> None:
        """Let a message be seen (again)."""
        self.add(Posted(message, self._handle(message)))

    def show_form(self, form: Form) -> None:
        """Let a form be seen."""
        self.add(Opened(form))

    def fail(self, reason: str) -> None:
        """Say that the bot did not answer."""
        self.add(Unanswered(reason))

    def take(self) -> list[Sight]:
        """All that there is to see since the last look, each message once and in its newest state."""
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
        """A message by its number.

        Raises:
            UnknownCommand: no message seen has it.
        """
        for message, number in self.handles.items():
            if number == handle:
                return message
        raise UnknownCommand(f"There's no message {handle}.")

    def visible(self, who: Person, place: Channel) -> Iterator[Message]:
        """The messages that someone sees in a place, the one last shown first."""
        for message in reversed(self.order):
            is_theirs = message.viewer in (None, who.user)
            if is_theirs and message.channel is place and not message.deleted:
                yield message

    def pressable(self, who: Person, place: Channel) -> Iterator[Message]:
        """Those with buttons or menus."""
        return (message for message in self.visible(who, place) if buttons(message) or menus(message))
