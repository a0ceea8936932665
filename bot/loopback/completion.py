"""Completions for a command line."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.loopback import keyboard
from bot.loopback.errors import InputRefused
from bot.loopback.keyboard import ATTACHMENT, BOOLEAN, CHANNEL, USER
from bot.loopback.model import Channel, Json
from bot.loopback.people import Person


@dataclass(frozen=True, slots=True)
class Completion:
    """Text that replaces the last `length` characters typed."""

    words: str
    length: int
    label: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Completions:
    """All completions of a line; `is_whole` says that it could be sent as it is.

    `path` is the command, `option` the option being typed, `missing` the options that could be added.
    """

    all: list[Completion]
    is_whole: bool = False
    path: str = ""
    option: Json | None = None
    missing: Sequence[Json] = ()


async def offers(
    who: Person,
    place: Channel,
    text: str,
    names: Collection[str],
    *,
    in_full: bool = False,
    first: Sequence[str] = (),
) -> Completions:
    """Return the completions of a line; `names` are the people who can be mentioned.

    Commands are completed word by word or, if `in_full`, with their subcommands up to the first required
    option; the commands in `first` come first.
    """
    offered = [c for c in who.offered(place) if c["type"] == 1]
    begun = text.rpartition(" ")[2]
    found = next_names(text, offered)
    if found is not None and in_full:
        return Completions(list(full_names(text, offered, first)), is_whole_name(text, offered))
    if found is not None:
        return Completions([Completion(f"{word} ", len(begun), word, about) for word, about in found])
    try:
        typed = keyboard.read(text, offered)
    except InputRefused:
        return Completions(list(full_names(text, offered, first)) if in_full else [])
    missing = [option for option in typed.options if option["name"] not in typed.values]
    further = [
        Completion(f"{option['name']}:", len(begun), f"{option['name']}:", option["description"])
        for option in missing
        if option["name"].startswith(begun.lower())
    ]
    option = next((o for o in typed.options if o["name"] == typed.focused), None)
    values = [] if option is None else await _values(who, place, text, typed, option, names)
    return Completions([*values, *further], _is_whole(typed), f"/{typed.name}", option, missing)


def _is_whole(typed: keyboard.TypedCommand) -> bool:
    """Return whether every required option of a command is filled in."""
    return all(typed.values.get(o["name"], "").strip() for o in typed.options if o.get("required"))


async def _values(
    who: Person, place: Channel, text: str, typed: keyboard.TypedCommand, option: Json, names: Collection[str]
) -> list[Completion]:
    """Return the possible values of the option being typed."""
    typed_so_far = typed.values[option["name"]]
    begun = typed_so_far.strip().lower().lstrip("@#")
    if option.get("autocomplete"):
        choices = await who.complete(text, channel=place)
        return [Completion(str(choice.value), len(typed_so_far), choice.name) for choice in choices]
    if option.get("choices"):
        known = [choice["name"] for choice in option["choices"]]
    elif option["type"] == BOOLEAN:
        known = ["yes", "no"]
    elif option["type"] == USER:
        known = [f"@{name}" for name in names]
    elif option["type"] == CHANNEL:
        known = [f"#{each.name}" for each in who.channels(place)]
    else:
        return []
    return [Completion(w, len(typed_so_far), w) for w in known if w.lower().lstrip("@#").startswith(begun)]


def wants_file(option: Json | None) -> bool:
    """Return whether the option takes a file."""
    return option is not None and option["type"] == ATTACHMENT


def next_names(text: str, offered: list[Json]) -> list[tuple[str, str]] | None:
    """Return the matching commands or subcommands with descriptions; None once options follow."""
    *before, begun = text.removeprefix("/").split(" ")
    inside: Json | None = None
    for word in before:
        known = offered if inside is None else keyboard.options_of(inside, subcommands=True)
        inside = next((thing for thing in known if thing["name"] == word.lower()), None)
        if inside is None:
            return None
    known = offered if inside is None else keyboard.options_of(inside, subcommands=True)
    if inside is not None and not known:
        return None
    slash = "/" if inside is None else ""
    return [(slash + t["name"], t["description"]) for t in known if t["name"].startswith(begun.lower())]


def full_names(text: str, offered: Iterable[Json], first: Sequence[str] = ()) -> Iterator[Completion]:
    """Yield the full commands that start with the typed words, then those that contain all of them.

    Matches in the name come before matches in the description; among equals, those in `first` come first.
    """
    wanted = " ".join(text.removeprefix("/").lower().split())
    order = {name: place for place, name in enumerate(dict.fromkeys(first))}
    every = [one for command in offered for one in whole_commands(command, command["name"])]
    every.sort(key=lambda one: order.get(one[0], len(order)))

    def rank(name: str, about: str) -> int:
        if name.startswith(wanted):
            return 0
        fits = (all(word in words for word in wanted.split()) for words in (name, f"{name} {about}".lower()))
        return next((place for place, is_fit in enumerate(fits, 1) if is_fit), 3)

    ranked = [(rank(name, command["description"]), name, command) for name, command in every]
    for _, name, command in sorted((one for one in ranked if one[0] < 3), key=lambda one: one[0]):
        needed = next((o["name"] for o in command.get("options") or () if o.get("required")), None)
        words = f"/{name} {needed}:" if needed else f"/{name} "
        yield Completion(words, len(text), f"/{name}", command["description"])


def is_whole_name(text: str, offered: Iterable[Json]) -> bool:
    """Return whether the line is the name of a command without required options."""
    wanted = " ".join(text.removeprefix("/").lower().split())
    every = (one for command in offered for one in whole_commands(command, command["name"]))
    needs = [
        any(o.get("required") for o in inside.get("options") or ())
        for name, inside in every
        if name == wanted
    ]
    return bool(needs) and not any(needs)


def whole_commands(command: Json, name: str) -> Iterator[tuple[str, Json]]:
    """Yield a command, or each of its subcommands, with the full name."""
    inside = keyboard.options_of(command, subcommands=True)
    if not inside:
        yield name, command
    for sub in inside:
        yield from whole_commands(sub, f"{name} {sub['name']}")
