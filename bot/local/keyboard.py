"""From typed text to option values, with the checks a real Discord client makes before sending."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.local import payloads
from bot.local.errors import Refused, UnknownCommand
from bot.local.interaction import user_json
from bot.local.message import Channel, File, Json
from bot.local.places import User
from bot.local.rights import permissions
from bot.local.syntax import Typed

STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(3, 12)
YES, NO = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}
NUMBERS: dict[int, Callable[[str], float]] = {INTEGER: int, NUMBER: float}

Given = Mapping[str, bytes]
"""The files that come with an act, by name; where there is no such thing, files are those of this machine."""


@dataclass(slots=True)
class Keyboard:
    """Turns the words of one line into option values; gathers the people and files it names."""

    find_user: Callable[[str], User | None]
    find_channel: Callable[[str], Channel | None]
    upload: Callable[[str, bytes], File]
    user: User
    in_guild: bool = True
    given: Given | None = None
    files: dict[int, File] = field(default_factory=dict)
    users: dict[int, User] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)

    def filled(self, typed: Typed) -> list[Json]:
        """The options of a finished command, nested as Discord sends them.

        Raises:
            Refused: a client would not let this be sent.
        """
        for option in typed.options:
            if option.get("required") and not typed.values.get(option["name"], "").strip():
                raise Refused(f"/{typed.name} needs {option['name']}: {option['description']}")
        by_name = {option["name"]: option for option in typed.options}
        given = [
            {"name": name, "type": by_name[name]["type"], "value": self.value(by_name[name], text.strip())}
            for name, text in typed.values.items()
            if text.strip()
        ]
        return nested(typed, given)

    def partial(self, typed: Typed) -> list[Json]:
        """The options of a command still being typed; nothing is checked yet.

        Raises:
            Refused: no option is being typed.
            UnknownCommand: the option has no suggestions.
        """
        if typed.focused is None:
            raise Refused(f"Which option of /{typed.name} should be completed?")
        given: list[Json] = []
        for option in typed.options:
            name = option["name"]
            if name not in typed.values:
                continue
            entry: Json = {"name": name, "type": option["type"], "value": typed.values[name]}
            if name == typed.focused:
                if not option.get("autocomplete"):
                    raise UnknownCommand(f"{name} of /{typed.name} has no suggestions.")
                entry["focused"] = True
            else:
                with suppress(Refused):
                    entry["value"] = self.value(option, typed.values[name].strip())
            given.append(entry)
        return nested(typed, given)

    def value(self, option: Any, text: str) -> Any:
        """One option's value from what was typed.

        Raises:
            Refused: it is not of the option's kind, or outside its bounds or choices.
        """
        name, kind = option["name"], option["type"]
        if option.get("choices"):
            return chosen(option, text)
        if kind == STRING:
            return bounded_text(option, text)
        if kind in NUMBERS:
            return bounded_number(option, text)
        if kind == BOOLEAN:
            if text.lower() in YES | NO:
                return text.lower() in YES
            raise Refused(f"{name} needs yes or no, not “{text}”.")
        if kind in (USER, MENTIONABLE):
            return self.person(text)
        if kind == CHANNEL:
            return self.place(text)
        if kind == ATTACHMENT:
            return self.file(text)
        raise Refused(f"{name} can't be typed here.")

    def person(self, text: str) -> str:
        """The id of someone who is here.

        Raises:
            Refused: nobody of that name is.
        """
        user = self.find_user(text)
        if user is None:
            raise Refused(f"Nobody here is called “{text.removeprefix('@')}”.")
        self.users[user.id] = user
        return str(user.id)

    def place(self, text: str) -> str:
        """The id of a channel.

        Raises:
            Refused: there is none of that name.
        """
        place = self.find_channel(text)
        if place is None:
            raise Refused(f"There's no channel “{text}”.")
        self.channels[place.id] = place
        return str(place.id)

    def file(self, text: str) -> str:
        """The id of a file, uploaded: one that was given, or at that path of this machine.

        Raises:
            Refused: there is no such file, or it is too large for Discord.
        """
        name, data = read_file(text) if self.given is None else given_file(text, self.given)
        if len(data) > payloads.FILE_LIMIT:
            raise Refused(f"The file {name} is over Discord's limit of 10 MiB.")
        file = self.upload(name, data)
        self.files[file.id] = file
        return str(file.id)

    def resolved(self) -> Json:
        """The people, channels and files that were named, in full."""
        found: Json = {}
        if self.files:
            found["attachments"] = {
                str(file.id): payloads.attachment(file) | {"ephemeral": True} for file in self.files.values()
            }
        if self.users:
            found["users"] = {str(user.id): user_json(user) for user in self.users.values()}
        if self.users and self.in_guild:
            members = {str(user.id): member_without_user(user) for user in self.users.values()}
            found["members"] = members
        if self.channels:
            found["channels"] = {
                str(place.id): payloads.channel(place)
                | {"permissions": str(int(permissions(self.user, place)))}
                for place in self.channels.values()
            }
        return found


def read_file(text: str) -> tuple[str, bytes]:
    """The name and the bytes of a file of this machine.

    Raises:
        Refused: it cannot be read.
    """
    path = Path(text).expanduser()
    try:
        return path.name, path.read_bytes()
    except OSError as error:
        raise Refused(f"The file {text} cannot be read: {error.strerror}.") from None


def given_file(name: str, given: Given) -> tuple[str, bytes]:
    """The name and the bytes of a file that came with the act.

    Raises:
        Refused: none of that name did.
    """
    if name not in given:
        raise Refused(f"The file {name} is missing. Choose it again.")
    return name, given[name]


def member_without_user(user: User) -> Json:
    """A member as `resolved` carries one."""
    data = payloads.member(user)
    for key in ("user", "deaf", "mute"):
        del data[key]
    return data | {"permissions": str(int(user.permissions))}


def nested(typed: Typed, given: list[Json]) -> list[Json]:
    """Options wrapped in the subcommand and group they belong to."""
    for depth, name in reversed(list(enumerate(typed.path))):
        is_group = depth == 0 and len(typed.path) == 2
        given = [{"name": name, "type": 2 if is_group else 1, "options": given}]
    return given


def chosen(option: Any, text: str) -> Any:
    """The value of a fixed choice, found by its name or value."""
    for choice in option["choices"]:
        if text.lower() in (choice["name"].lower(), str(choice["value"]).lower()):
            return choice["value"]
    names = ", ".join(choice["name"] for choice in option["choices"])
    raise Refused(f"{option['name']} can be {names}, not “{text}”.")


def bounded_text(option: Any, text: str) -> str:
    """Text of an allowed length."""
    least, most = option.get("min_length") or 0, option.get("max_length") or 6000
    if not least <= len(text) <= most:
        raise Refused(f"{option['name']} needs {least} to {most} characters, not {len(text)}.")
    return text


def bounded_number(option: Any, text: str) -> float:
    """A number between the option's bounds."""
    try:
        number = NUMBERS[option["type"]](text)
    except ValueError:
        whole = "whole number" if option["type"] == INTEGER else "number"
        raise Refused(f"{option['name']} needs a {whole}, not “{text}”.") from None
    least, most = option.get("min_value"), option.get("max_value")
    if least is not None and number < least:
        raise Refused(f"{option['name']} must be at least {least}.")
    if most is not None and number > most:
        raise Refused(f"{option['name']} must be at most {most}.")
    return number
