"""Discord's limits on application commands and on suggestions."""

import re
from collections.abc import Iterator

from bot.local.errors import ApiError, invalid_form
from bot.local.limits import Fault, length
from bot.local.message import Json

# `\w` alone has no vowel signs of Devanagari and Thai, which Discord takes.
NAME = re.compile(r"^[-_'\w\u0900-\u097f\u0e00-\u0e7f]{1,32}$")
SLASH, BY_USER, ON_MESSAGE = 1, 2, 3
SIZE = 8000
MOST = {SLASH: 100, BY_USER: 15, ON_MESSAGE: 15}


def check_commands(commands: list[Json]) -> None:
    """Refuse a set of commands that Discord would not register.

    Raises:
        ApiError: 50035 with every fault found, or 30032 for too many commands.
    """
    faults: list[Fault] = []
    for place, command in enumerate(commands):
        faults += command_faults(str(place), command)
    names = [(command.get("type") or SLASH, command.get("name")) for command in commands]
    for place, name in enumerate(names):
        if name in names[:place]:
            faults.append((f"{place}.name", "Application command names must be unique"))
    if faults:
        raise invalid_form(faults)
    for kind, most in MOST.items():
        if sum(found == kind for found, _ in names) > most:
            raise ApiError(400, 30032, f"Maximum number of application commands reached ({most}).")


def command_faults(path: str, command: Json) -> Iterator[Fault]:
    """What is wrong with one command."""
    if (command.get("type") or SLASH) == SLASH:
        yield from named_faults(path, command)
        yield from options_faults(path, command.get("options") or [], depth=0)
        if size(command) > SIZE:
            yield path, f"Command exceeds maximum size ({SIZE})"
    else:
        yield from length(f"{path}.name", command.get("name"), 1, 32)
        if command.get("description"):
            yield f"{path}.description", "Context menu commands cannot have description"


def named_faults(path: str, thing: Json) -> Iterator[Fault]:
    """Names are 1 to 32 lower-case letters and the like; descriptions 1 to 100 characters."""
    name = thing.get("name")
    if not isinstance(name, str) or not NAME.match(name) or name != name.lower():
        yield f"{path}.name", f"Command name is invalid: {name}"
    yield from length(f"{path}.description", thing.get("description"), 1, 100)


def options_faults(path: str, options: list[Json], depth: int) -> Iterator[Fault]:
    """Options and subcommands, at most 25 on each level, required ones first."""
    if len(options) > 25:
        yield f"{path}.options", "Must be 25 or fewer in length."
    seen: set[object] = set()
    optional = False
    for place, option in enumerate(options):
        here = f"{path}.options.{place}"
        yield from named_faults(here, option)
        if option.get("name") in seen:
            yield f"{here}.name", "Option names must be unique"
        seen.add(option.get("name"))
        if option.get("type") in (1, 2):
            if depth + (option["type"] == 2) > 1:
                yield f"{here}.type", "Commands nest at most two deep"
            yield from options_faults(here, option.get("options") or [], depth + 1)
            continue
        if option.get("required") and optional:
            yield f"{here}.required", "Required options must be placed before non-required options"
        optional = optional or not option.get("required")
        yield from choices_faults(here, option)


def choices_faults(path: str, option: Json) -> Iterator[Fault]:
    """Fixed choices: at most 25, not together with autocomplete."""
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        yield f"{path}.autocomplete", "Autocomplete cannot be used together with choices"
    yield from suggestion_faults(f"{path}.choices", choices)


def suggestion_faults(path: str, choices: list[Json]) -> Iterator[Fault]:
    """At most 25 choices with short names and values."""
    if len(choices) > 25:
        yield path, "Must be 25 or fewer in length."
    for place, choice in enumerate(choices):
        yield from length(f"{path}.{place}.name", choice.get("name"), 1, 100)
        if isinstance(choice.get("value"), str):
            yield from length(f"{path}.{place}.value", choice["value"], 1, 100)


def check_suggestions(choices: list[Json]) -> None:
    """Refuse an autocomplete answer that Discord would not take.

    Raises:
        ApiError: 50035 with every fault found.
    """
    faults = list(suggestion_faults("data.choices", choices))
    if faults:
        raise invalid_form(faults)


def size(command: Json) -> int:
    """All characters of a command: names, descriptions and choice values, inside too."""
    own = len(command.get("name") or "") + len(command.get("description") or "")
    own += sum(
        len(choice["name"]) + len(str(choice["value"])) for choice in command.get("choices") or () if choice
    )
    return own + sum(size(option) for option in command.get("options") or ())
