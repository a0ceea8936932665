"""Parse typed commands and check their options as a Discord client does."""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from bot.loopback import payloads
from bot.loopback.errors import InputRefused, UnknownCommand
from bot.loopback.model import Channel, File, Json, User, user_json
from bot.loopback.world import permissions

JsonMapping = dict[str, Any]
SUBCOMMAND, GROUP = 1, 2
INNER_OPTION = re.compile(r"(?<=\s)([a-z][a-z_]*):(?!//)(?=\S)")
"""What looks like an option behind another one's value; an address on the web does not."""
LOOKS_LIKE_OPTION = re.compile(r"^([\w-]+):\S")


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command as typed: the command, its subcommands, and the raw text of each option.

    `focused` is the option typed last, which autocomplete asks about.
    """

    command: JsonMapping
    path: tuple[str, ...]
    options: Sequence[JsonMapping]
    values: dict[str, str]
    focused: str | None

    @property
    def name(self) -> str:
        """The full name: `asset add`."""
        return " ".join((self.command["name"], *self.path))


def read(line: str, commands: Iterable[JsonMapping]) -> TypedCommand:
    """Parse a typed slash command.

    Raises UnknownCommand if there is no such command, subcommand or option; InputRefused if an option is
    given twice or a subcommand is missing.
    """
    by_name = {command["name"].lower(): command for command in commands if command.get("type", 1) == 1}
    word, rest = next_word(line.lstrip().removeprefix("/"))
    command = pick(by_name, word, f"/{word}", "command")
    path: list[str] = []
    inside = command
    while options_of(inside, subcommands=True):
        subs = {sub["name"].lower(): sub for sub in options_of(inside, subcommands=True)}
        so_far = " ".join(("/" + command["name"], *path))
        word, rest = next_word(rest)
        if not word:
            raise InputRefused(f"{so_far} needs one of: {', '.join(subs)}.")
        inside = pick(subs, word, f"{so_far} {word}", "subcommand")
        path.append(inside["name"])
    options = options_of(inside, subcommands=False)
    values, focused = split_values(rest, options, " ".join(("/" + command["name"], *path)))
    return TypedCommand(command, tuple(path), options, values, focused)


def next_word(text: str) -> tuple[str, str]:
    """Return the first word and the rest.

    >>> next_word("roll 2d6  d8")
    ('roll', '2d6  d8')
    """
    word, _, rest = text.lstrip().partition(" ")
    return word.rstrip(), rest.lstrip()


def pick(known: Mapping[str, JsonMapping], word: str, whole: str, what: str) -> JsonMapping:
    """Return the entry with that name, ignoring case.

    Raises UnknownCommand if there is none; the message suggests similar names.
    """
    found = known.get(word.lower())
    if found is None:
        raise UnknownCommand(f"There's no {what} {whole}.{nearest(word, known)}")
    return found


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a sentence that suggests the most similar names, or "".

    >>> nearest("rol", ["roll", "doom"])
    ' Did you mean roll?'
    """
    close = difflib.get_close_matches(word.lower(), list(known), n=3, cutoff=0.65)
    return f" Did you mean {' or '.join(close)}?" if close else ""


def options_of(thing: JsonMapping, *, subcommands: bool) -> list[JsonMapping]:
    """Return the subcommands of a command, or its ordinary options."""
    options = thing.get("options") or ()
    return [option for option in options if (option["type"] in (SUBCOMMAND, GROUP)) == subcommands]


@lru_cache(maxsize=512)
def marker(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that matches where an option is named."""
    alternatives = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?:^|(?<=\s))({alternatives}):", re.IGNORECASE)


def _marks(text: str, options: Sequence[JsonMapping]) -> Iterator[re.Match[str]]:
    """Yield where options are named; a colon in a fixed choice (`Ghost story: Four nights`) names none."""
    named = {option["name"].lower(): option for option in options}
    end = 0
    for mark in marker(tuple(option["name"] for option in options)).finditer(text):
        if mark.start() < end:
            continue
        yield mark
        typed = text[mark.end() :].lower()
        chosen = [c["name"] for c in named[mark[1].lower()].get("choices") or ()]
        end = mark.end() + max((len(name) for name in chosen if typed.startswith(name.lower())), default=0)


def split_values(text: str, options: Sequence[JsonMapping], whole: str) -> tuple[dict[str, str], str | None]:
    """Return the raw text of each option, and the option typed last (None if there is none).

    Text before the first option name belongs to the first required option. The last value keeps trailing
    spaces: during typing, they show that a word is finished.

    Raises UnknownCommand if the text names no option of this command; InputRefused if one is given twice.
    """
    names = tuple(option["name"] for option in options)
    marks = list(_marks(text, options)) if names else []
    lead = text[: marks[0].start()].strip() if marks else text.lstrip()
    values: dict[str, str] = {}
    focused: str | None = None
    if lead:
        focused = lead_option(lead, options, whole)
        values[focused] = lead
    _check_unknown(text, names, whole)
    for place, mark in enumerate(marks):
        end = marks[place + 1].start() if place + 1 < len(marks) else len(text)
        focused = next(name for name in names if name.lower() == mark[1].lower())
        if focused in values:
            raise InputRefused(f"{focused} is given twice.")
        values[focused] = (
            text[mark.end() : end].lstrip() if end == len(text) else text[mark.end() : end].strip()
        )
    return values, focused


def _check_unknown(text: str, names: Sequence[str], whole: str) -> None:
    """Refuse an unknown option: `who:Alice` where there is no `who`.

    Raises UnknownCommand, which suggests the options that exist, if there is one.
    """
    unknown = next((match[1] for match in INNER_OPTION.finditer(text) if match[1] not in names), None)
    if unknown:
        raise UnknownCommand(
            f"{whole} has no option {unknown}.{nearest(unknown, names) or option_names(names)}"
        )


def lead_option(lead: str, options: Sequence[JsonMapping], whole: str) -> str:
    """Return the option that text without an option name belongs to.

    Raises UnknownCommand if the text looks like another option, or no option is required.
    """
    names = [option["name"] for option in options]
    looks = LOOKS_LIKE_OPTION.match(lead)
    if looks:
        raise UnknownCommand(
            f"{whole} has no option {looks[1]}.{nearest(looks[1], names) or option_names(names)}"
        )
    if not options or not options[0].get("required"):
        raise UnknownCommand(f"{whole} doesn't take “{lead}”.{option_names(names)}")
    return str(names[0])


def option_names(names: Sequence[str]) -> str:
    """Return a sentence with all option names."""
    return f" Its options: {', '.join(names)}." if names else " It has no options."


STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(3, 12)
YES, NO = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}
NUMBERS: dict[int, Callable[[str], float]] = {INTEGER: int, NUMBER: float}

Given = Mapping[str, bytes]
"""The files that come with an act, by name; where there is no such thing, files are those of this machine."""


@dataclass(slots=True)
class Keyboard:
    """Converts the text of options to values, and collects the people and files they mention."""

    find_user: Callable[[str], User | None]
    find_channel: Callable[[str], Channel | None]
    upload: Callable[[str, bytes], File]
    user: User
    in_guild: bool = True
    given: Given | None = None
    files: dict[int, File] = field(default_factory=dict)
    users: dict[int, User] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)

    def filled(self, typed: TypedCommand) -> list[Json]:
        """Return the options of a complete command, nested as Discord sends them.

        Raises InputRefused if a Discord client would not send them.
        """
        for option in typed.options:
            if option.get("required") and not typed.values.get(option["name"], "").strip():
                raise InputRefused(f"/{typed.name} needs {option['name']}: {option['description']}")
        by_name = {option["name"]: option for option in typed.options}
        given = [
            {"name": name, "type": by_name[name]["type"], "value": self.value(by_name[name], text.strip())}
            for name, text in typed.values.items()
            if text.strip()
        ]
        return nested(typed, given)

    def partial(self, typed: TypedCommand) -> list[Json]:
        """Return the options of a command still being typed, unchecked.

        Raises InputRefused if no option is being typed; UnknownCommand if the option has no suggestions.
        """
        if typed.focused is None:
            raise InputRefused(f"Which option of /{typed.name} should be completed?")
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
                with suppress(InputRefused):
                    entry["value"] = self.value(option, typed.values[name].strip())
            given.append(entry)
        return nested(typed, given)

    def value(self, option: Any, text: str) -> Any:
        """Return an option's value from its text.

        Raises InputRefused if it has the wrong type or is outside the option's bounds or choices.
        """
        name, kind = option["name"], option["type"]
        if option.get("choices"):
            return choice_value(option, text)
        if kind == STRING:
            return bounded_text(option, text)
        if kind in NUMBERS:
            return bounded_number(option, text)
        if kind == BOOLEAN:
            if text.lower() in YES | NO:
                return text.lower() in YES
            raise InputRefused(f"{name} needs yes or no, not “{text}”.")
        if kind in (USER, MENTIONABLE):
            return self.person(text)
        if kind == CHANNEL:
            return self.place(text)
        if kind == ATTACHMENT:
            return self.file(text)
        raise InputRefused(f"{name} can't be typed here.")

    def person(self, text: str) -> str:
        """Return the id of a person.

        Raises InputRefused if nobody here has that name.
        """
        user = self.find_user(text)
        if user is None:
            raise InputRefused(f"Nobody here is called “{text.removeprefix('@')}”.")
        self.users[user.id] = user
        return str(user.id)

    def place(self, text: str) -> str:
        """Return the id of a channel.

        Raises InputRefused if there is no channel with that name.
        """
        place = self.find_channel(text)
        if place is None:
            raise InputRefused(f"There's no channel “{text}”.")
        self.channels[place.id] = place
        return str(place.id)

    def file(self, text: str) -> str:
        """Upload a file, either a given one or a local path, and return its id.

        Raises InputRefused if there is no such file or it is too large for Discord.
        """
        name, data = read_file(text) if self.given is None else given_file(text, self.given)
        if len(data) > payloads.FILE_LIMIT:
            raise InputRefused(f"The file {name} is over Discord's limit of 10 MiB.")
        file = self.upload(name, data)
        self.files[file.id] = file
        return str(file.id)

    def resolved(self) -> Json:
        """Return the full objects of the people, channels and files that were mentioned."""
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
    """Return the name and the bytes of a local file.

    Raises InputRefused if it cannot be read.
    """
    path = Path(text).expanduser()
    try:
        return path.name, path.read_bytes()
    except OSError as error:
        raise InputRefused(f"The file {text} cannot be read: {error.strerror}.") from None


def given_file(name: str, given: Given) -> tuple[str, bytes]:
    """Return the name and the bytes of a file that came with the command.

    Raises InputRefused if there is none with that name.
    """
    if name not in given:
        raise InputRefused(f"The file {name} is missing. Choose it again.")
    return name, given[name]


def member_without_user(user: User) -> Json:
    """Return a member as in `resolved`."""
    data = payloads.member(user)
    for key in ("user", "deaf", "mute"):
        del data[key]
    return data | {"permissions": str(int(user.permissions))}


def nested(typed: TypedCommand, given: list[Json]) -> list[Json]:
    """Return the options wrapped in their subcommand and group."""
    for depth, name in reversed(list(enumerate(typed.path))):
        is_group = depth == 0 and len(typed.path) == 2
        given = [{"name": name, "type": 2 if is_group else 1, "options": given}]
    return given


def choice_value(option: Any, text: str) -> Any:
    """Return the value of a fixed choice, given by its name or value.

    Raises InputRefused if there is no such choice.
    """
    for choice in option["choices"]:
        if text.lower() in (choice["name"].lower(), str(choice["value"]).lower()):
            return choice["value"]
    names = ", ".join(choice["name"] for choice in option["choices"])
    raise InputRefused(f"{option['name']} can be {names}, not “{text}”.")


def bounded_text(option: Any, text: str) -> str:
    """Return a text of an allowed length.

    Raises InputRefused if it is too short or too long.
    """
    least, most = option.get("min_length") or 0, option.get("max_length") or 6000
    if not least <= len(text) <= most:
        raise InputRefused(f"{option['name']} needs {least} to {most} characters, not {len(text)}.")
    return text


def bounded_number(option: Any, text: str) -> float:
    """Return a number within the option's bounds.

    Raises InputRefused if it is not a number or out of bounds.
    """
    try:
        number = NUMBERS[option["type"]](text)
    except ValueError:
        whole = "whole number" if option["type"] == INTEGER else "number"
        raise InputRefused(f"{option['name']} needs a {whole}, not “{text}”.") from None
    least, most = option.get("min_value"), option.get("max_value")
    if least is not None and number < least:
        raise InputRefused(f"{option['name']} must be at least {least}.")
    if most is not None and number > most:
        raise InputRefused(f"{option['name']} must be at most {most}.")
    return number
