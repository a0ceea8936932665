"""What could be typed next in a command: its name, its options, their values; values come from the bot."""

from collections.abc import Collection
from dataclasses import dataclass

from bot.local import syntax
from bot.local.errors import Refused
from bot.local.keyboard import ATTACHMENT, BOOLEAN, USER
from bot.local.message import Channel, Json
from bot.local.people import Person


@dataclass(frozen=True, slots=True)
class Offer:
    """Words that take the place of the last `length` characters typed."""

    words: str
    length: int
    label: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Offers:
    """All that could follow; `is_whole` says that the line could be sent as it is.

    `path` is the command so far, `option` the option that is being typed.
    """

    all: list[Offer]
    is_whole: bool = False
    path: str = ""
    option: Json | None = None


async def offers(who: Person, place: Channel, text: str, names: Collection[str]) -> Offers:
    """What could follow the line typed so far; `names` are the people who can be named."""
    offered = [c for c in who.offered(place) if c["type"] == 1]
    begun = text.rpartition(" ")[2]
    found = next_names(text, offered)
    if found is not None:
        return Offers([Offer(f"{word} ", len(begun), word, about) for word, about in found])
    try:
        typed = syntax.read(text, offered)
    except Refused:
        return Offers([])
    missing = [
        Offer(f"{option['name']}:", len(begun), f"{option['name']}:", option["description"])
        for option in typed.options
        if option["name"] not in typed.values and option["name"].startswith(begun.lower())
    ]
    option = next((o for o in typed.options if o["name"] == typed.focused), None)
    values = [] if option is None else await _values(who, place, text, typed, option, names)
    return Offers([*values, *missing], _is_whole(typed), f"/{typed.name}", option)


def _is_whole(typed: syntax.Typed) -> bool:
    """Every option that a command needs is filled in."""
    return all(typed.values.get(o["name"], "").strip() for o in typed.options if o.get("required"))


async def _values(
    who: Person, place: Channel, text: str, typed: syntax.Typed, option: Json, names: Collection[str]
) -> list[Offer]:
    """What the option that is being typed could be."""
    typed_so_far = typed.values[option["name"]]
    begun = typed_so_far.strip().lower().lstrip("@")
    if option.get("autocomplete"):
        choices = await who.complete(text, channel=place)
        return [Offer(str(choice.value), len(typed_so_far), choice.name) for choice in choices]
    if option.get("choices"):
        known = [choice["name"] for choice in option["choices"]]
    elif option["type"] == BOOLEAN:
        known = ["yes", "no"]
    elif option["type"] == USER:
        known = [f"@{name}" for name in names]
    else:
        return []
    return [Offer(w, len(typed_so_far), w) for w in known if w.lower().lstrip("@").startswith(begun)]


def wants_file(option: Json | None) -> bool:
    """The option is filled by choosing a file."""
    return option is not None and option["type"] == ATTACHMENT


def next_names(text: str, offered: list[Json]) -> list[tuple[str, str]] | None:
    """The commands or subcommands that fit what is typed; nothing once options follow."""
    *before, begun = text.removeprefix("/").split(" ")
    inside: Json | None = None
    for word in before:
        known = offered if inside is None else syntax.options_of(inside, subcommands=True)
        inside = next((thing for thing in known if thing["name"] == word.lower()), None)
        if inside is None:
            return None
    known = offered if inside is None else syntax.options_of(inside, subcommands=True)
    if inside is not None and not known:
        return None
    slash = "/" if inside is None else ""
    return [(slash + t["name"], t["description"]) for t in known if t["name"].startswith(begun.lower())]
