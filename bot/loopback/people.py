"""People at their keyboards: everything that a person can do with the bot."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from bot.loopback import keyboard as loopback_keyboard
from bot.loopback import model, payloads
from bot.loopback.errors import InputRefused
from bot.loopback.forms import FieldKind, OpenForm, fill, read_form
from bot.loopback.gateway import GUILD_MESSAGES, Gateway
from bot.loopback.keyboard import Given, Keyboard, member_without_user
from bot.loopback.model import (
    AnswerType,
    Channel,
    FirstResponse,
    Interaction,
    InteractionKind,
    Json,
    Message,
    User,
    user_json,
)
from bot.loopback.reply import (
    BotReply,
    MessageButton,
    Suggestion,
    find_button,
    find_menu,
    menu_value,
    menus,
    pressable,
)
from bot.loopback.world import DM, GROUP, World, may, sees

BY_USER, ON_MESSAGE = 2, 3
BUTTON, PEOPLE_MENUS, CHANNEL_MENU = 2, (5, 7), 8


class Discord(Protocol):
    """The loopback Discord as people use it; `driver.Loopback` explains its timeouts."""

    deadline: float
    patience: float
    settle: float
    world: World
    gateway: Gateway

    @property
    def table(self) -> Channel:
        """The channel where people play when no other is given."""

    def find_user(self, text: str) -> User | None:
        """Return a user by name, display name, `@name` or mention, or None."""

    def find_channel(self, text: str) -> Channel | None:
        """Return a channel by name, `#name` or mention, or None."""

    async def send(
        self, user: User, place: Channel, kind: InteractionKind, data: Json, source: Message | None = None
    ) -> Interaction:
        """Open an interaction and send it to the bot."""

    def enter(self, user: User, place: Channel) -> None:
        """Open an archived thread for somebody who types or presses something there. Raises InputRefused."""

    async def deliver(self, opened: Interaction) -> None:
        """Send an interaction over the gateway; calling this again delivers it twice."""


class Person:
    """A person at a keyboard; each method is one action and returns its outcome."""

    __slots__ = ("loopback", "user")

    def __init__(self, loopback: Discord, user: User) -> None:
        self.loopback = loopback
        self.user = user

    def __repr__(self) -> str:
        return f"<{self.user.display}>"

    @property
    def id(self) -> int:
        """The user id."""
        return self.user.id

    @property
    def name(self) -> str:
        """The display name."""
        return self.user.display

    @property
    def mention(self) -> str:
        """The text that mentions this person in a message."""
        return f"<@{self.user.id}>"

    async def slash(
        self, line: str, channel: Channel | None = None, *, files: Given | None = None
    ) -> BotReply:
        """Type a slash command and wait for the answer; unless `files` is given, files are local paths.

        Raises UnknownCommand if there is no such command or option; InputRefused if a Discord client would
        not send it.
        """
        place = channel or self.loopback.table
        typed = loopback_keyboard.read(line, self.offered(place))
        keyboard = self._keyboard(place, files)
        data = command_data(typed.command, place) | {"options": keyboard.filled(typed)}
        resolved = keyboard.resolved()
        if resolved:
            data["resolved"] = resolved
        return await self._act(InteractionKind.COMMAND, place, data)

    async def write(
        self, text: str, channel: Channel | None = None, *, files: Given | None = None
    ) -> Message:
        """Post an ordinary message; the bot is notified without its content."""
        world = self.loopback.world
        place = channel or self.loopback.table
        self.loopback.enter(self.user, place)
        pings = model.pinged(text, None)
        written = world.clock.now().timestamp()
        message = Message(world.snowflake(), place, self.user, content=text, pings=pings, created=written)
        message.files = [world.add_file(place, name, data) for name, data in (files or {}).items()]
        world.post(message)
        unread = payloads.message(message) | {"content": ""}
        guild = place.guild.id if place.guild else None
        await self.loopback.gateway.tell("MESSAGE_CREATE", unread, guild, GUILD_MESSAGES)
        return message

    async def complete(self, line: str, channel: Channel | None = None) -> list[Suggestion]:
        """Return the bot's suggestions for the option typed last; files are left out of the request.

        Raises UnknownCommand if there is no such command or option, or the option has no suggestions.
        """
        place = channel or self.loopback.table
        typed = loopback_keyboard.read(line, self.offered(place))
        data = command_data(typed.command, place) | {"options": self._keyboard(place, {}).partial(typed)}
        opened = await self.loopback.send(self.user, place, InteractionKind.AUTOCOMPLETE, data)
        answer = await self._answer(opened)
        if answer is None:
            return []
        return [Suggestion(c["name"], c["value"]) for c in answer.data.get("choices") or ()]

    async def menu_command(
        self,
        name: str,
        message: "Message | BotReply | None" = None,
        user: "Person | None" = None,
        channel: Channel | None = None,
    ) -> BotReply:
        """Long-press a message or a person and choose a command of the bot.

        Raises UnknownCommand if there is no such command for messages or people; InputRefused if neither a
        message nor a person is given, or the message is gone or private to someone else.
        """
        target = message.message if isinstance(message, BotReply) else message
        if target is None and user is None:
            raise InputRefused("Choose a message or a person.")
        place = target.channel if target else channel or self.loopback.table
        kind = ON_MESSAGE if target else BY_USER
        offered = {c["name"].lower(): c for c in self.offered(place) if c["type"] == kind}
        command = loopback_keyboard.pick(
            offered, name, f"“{name}”", "command for messages" if target else "command for people"
        )
        data = command_data(command, place)
        if target is not None:
            self._see(target)
            users = self.loopback.world.users
            mentioned = [
                user_json(users[one]) for one in model.mentioned_users(target.content) if one in users
            ]
            shown = payloads.message(target) | {"mentions": mentioned}
            data |= {"target_id": str(target.id), "resolved": {"messages": {str(target.id): shown}}}
        elif user is not None:
            resolved: Json = {"users": {str(user.id): user_json(user.user)}}
            if place.guild is not None:
                resolved["members"] = {str(user.id): member_without_user(user.user)}
            data |= {"target_id": str(user.id), "resolved": resolved}
        return await self._act(InteractionKind.COMMAND, place, data)

    async def press(self, on: BotReply | Message, which: str | int) -> BotReply:
        """Press a button by index (from 0), label, start of the label, or custom id.

        A button may be in the message's menu `More`, from which it is then chosen.

        Raises UnknownCommand if there is no such button; InputRefused if it is a link or disabled, or if the
        message is gone or private to someone else.
        """
        return await self.push(on, self.look_for(on, which))

    def look_for(self, on: BotReply | Message, which: str | int) -> MessageButton:
        """Return the button that `press` would press.

        Raises UnknownCommand if there is no such button; InputRefused if the message is gone or private to
        someone else.
        """
        return find_button(pressable(self._see(on)), which)

    async def push(self, on: BotReply | Message, button: MessageButton) -> BotReply:
        """Press a button seen earlier, even if the message has changed since.

        Raises InputRefused if it is a link or disabled, or if the message is gone or private to someone else.
        """
        message = self._see(on)
        if button.custom_id is None:
            raise InputRefused(f"“{button.label}” is a link: {button.url}")
        if button.disabled:
            raise InputRefused(f"The button “{button.label}” is disabled.")
        data: Json = {"component_type": BUTTON, "custom_id": button.custom_id}
        if button.menu is not None:
            data = {"component_type": button.menu.type, "custom_id": button.menu.custom_id}
            data["values"] = [button.custom_id]
        return await self._act(InteractionKind.COMPONENT, message.channel, data, message)

    async def choose(
        self, on: BotReply | Message, menu: str | int = 0, values: Sequence[str] = ()
    ) -> BotReply:
        """Choose from a menu by label or value (people by name).

        Raises UnknownCommand if there is no such menu or option; InputRefused if too many or too few are
        chosen.
        """
        message = self._see(on)
        found = find_menu(menus(message), menu)
        if found.disabled:
            raise InputRefused(f"The menu “{found.placeholder}” is disabled.")
        if not found.least <= len(values) <= found.most:
            raise InputRefused(f"Choose {found.least} to {found.most}, not {len(values)}.")
        data: Json = {"component_type": found.type, "custom_id": found.custom_id}
        if found.type in (*PEOPLE_MENUS, CHANNEL_MENU):
            keyboard = self._keyboard(message.channel)
            find = keyboard.place if found.type == CHANNEL_MENU else keyboard.person
            data["values"] = [find(value) for value in values]
            data["resolved"] = keyboard.resolved()
        else:
            data["values"] = [menu_value(found, value) for value in values]
        return await self._act(InteractionKind.COMPONENT, message.channel, data, message)

    async def submit(
        self, form: OpenForm | None, values: Mapping[str, Any] | None = None, *, files: Given | None = None
    ) -> BotReply:
        """Fill in a form, by label or custom id, and submit it; other fields keep their values.

        Raises UnknownCommand if there is no such field or option; InputRefused if there is no form or a
        required field is empty.
        """
        if form is None:
            raise InputRefused("No form is open.")
        opened_by = form.opened_by
        keyboard = self._keyboard(opened_by.channel, files)
        find = {
            FieldKind.USER: keyboard.person,
            FieldKind.CHANNEL: keyboard.place,
            FieldKind.FILE: keyboard.file,
        }
        data: Json = {"custom_id": form.custom_id, "components": fill(form, values or {}, find)}
        resolved = keyboard.resolved()
        if resolved:
            data["resolved"] = resolved
        return await self._act(InteractionKind.FORM, opened_by.channel, data, opened_by.source)

    async def again(self, reply: BotReply) -> None:
        """Deliver the same interaction a second time and wait a moment for the bot to react."""
        opened = reply.interaction
        opened.repeated.clear()
        await self.loopback.deliver(opened)
        try:
            async with self.loopback.world.clock.timeout(self.loopback.settle):
                await opened.repeated.wait()
        except TimeoutError:
            return

    def offered(self, place: Channel) -> list[Json]:
        """Return the commands that this person sees in a channel."""
        context = {DM: 1, GROUP: 2}.get(place.kind, 0)
        world = self.loopback.world
        ways = {0} if world.has_bot(place) else set()
        ways |= {1} if self.user.id in world.installed else set()
        found = []
        for command in world.commands_in(place):
            needed = command.get("default_member_permissions")
            contexts = command.get("contexts")
            if not ways & set(command.get("integration_types") or (0,)):
                continue
            if contexts is not None and context not in contexts:
                continue
            if context and command.get("guild_id"):
                continue
            if needed is None or place.guild is None or may(self.user, int(needed)):
                found.append(command)
        return found

    def channels(self, place: Channel) -> list[Channel]:
        """Return the channels and threads that this person sees in a channel's guild."""
        inside = self.loopback.world.in_guild(place.guild) if place.guild else ()
        return [each for each in inside if sees(self.user, each)]

    def _keyboard(self, place: Channel, given: Given | None = None) -> Keyboard:
        return Keyboard(
            self.loopback.find_user,
            self.loopback.find_channel,
            partial(self.loopback.world.upload, place),
            self.user,
            place.guild is not None,
            given,
        )

    def _see(self, on: BotReply | Message) -> Message:
        message = on.message if isinstance(on, BotReply) else on
        if message is None:
            raise InputRefused("There's no message to press.")
        if message.deleted:
            raise InputRefused("That message was deleted.")
        if message.viewer not in (None, self.user):
            raise InputRefused(f"{self.name} can't see this message.")
        return message

    async def _act(
        self, kind: InteractionKind, place: Channel, data: Json, source: Message | None = None
    ) -> BotReply:
        opened = await self.loopback.send(self.user, place, kind, data, source)
        answer = await self._answer(opened)
        if answer is None:
            return BotReply(self, opened, failed=self._why(opened))
        if answer.type is AnswerType.FORM:
            return BotReply(self, opened, form=read_form(answer.data, opened))
        if answer.type is AnswerType.UPDATE:
            return BotReply(self, opened, answer.message, updated=True)
        if answer.type is AnswerType.MESSAGE:
            return BotReply(self, opened, answer.message)
        return await self._later(opened, answer)

    async def _answer(self, opened: Interaction) -> FirstResponse | None:
        try:
            async with self.loopback.world.clock.timeout(self.loopback.deadline):
                # Who waits no longer must not cancel it: the answer may still come, and is refused by it.
                return await asyncio.shield(opened.first)
        except TimeoutError:
            return None

    async def _later(self, opened: Interaction, answer: FirstResponse) -> BotReply:
        """Wait for the bot's message after a deferred response."""
        thinking = answer.type is AnswerType.DEFER_MESSAGE
        patience = self.loopback.patience if thinking else self.loopback.settle
        try:
            async with self.loopback.world.clock.timeout(patience):
                await opened.spoke.wait()
        except TimeoutError:
            if not thinking:
                return BotReply(self, opened)
        if answer.message is not None and answer.message.is_loading and not answer.message.deleted:
            return BotReply(self, opened, answer.message, failed=f"thinking, then nothing in {patience:g} s")
        there = [message for message in opened.messages if not message.deleted]
        if not there:
            return BotReply(self, opened, answer.message, updated=not thinking)
        return BotReply(self, opened, there[0])

    def _why(self, opened: Interaction) -> str:
        reason = f"no answer in {self.loopback.deadline:g} s"
        return f"{reason}; refused: {opened.refusals[-1]}" if opened.refusals else reason


def command_data(command: Json, place: Channel) -> Json:
    """Return the common fields of a command's data."""
    data: Json = {"id": command["id"], "name": command["name"], "type": command["type"]}
    if command.get("guild_id") and place.guild is not None:
        data["guild_id"] = command["guild_id"]
    return data
