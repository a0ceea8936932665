"""What a seat sees, as plain JSON: messages, forms, and the room around them."""

from collections.abc import Iterable

from bot.local.completion import Offers, wants_file
from bot.local.driver import Loopback
from bot.local.forms import Field, FieldKind, Form
from bot.local.interaction import Interaction, Kind
from bot.local.message import Channel, Json, Message
from bot.local.people import Person
from bot.local.places import User
from bot.local.web.addresses import Addresses
from bot.local.web.markup import markup
from bot.local.web.parts import Parts
from bot.local.world import DM, THREADS, World

SHOWN = 100
"""Messages that a page shows at first, and more each time it asks."""


def message_view(message: Message, world: World, addresses: Addresses, viewer: User) -> Json:
    """A message as one person sees it."""
    opened = world.interactions.get(message.interaction or 0)
    return {
        "id": str(message.id),
        "place": str(message.channel.id),
        "author": person_view(message.author),
        "used": used(opened) if opened else None,
        "at": message.created,
        "is_edited": message.edited is not None,
        "is_pinned": message.pinned,
        "is_private": message.is_private,
        "is_loading": message.is_loading,
        "is_to_me": viewer.id in message.pings,
        "parts": Parts(message, world, addresses).all(),
    }


def used(opened: Interaction) -> Json:
    """Who did what a message answers: `/asset add`, or nothing for a press."""
    words = ""
    if opened.kind is Kind.COMMAND:
        data = opened.payload["data"]
        words = " ".join(command_words(data))
        words = f"/{words}" if data["type"] == 1 else words
    return {"by": person_view(opened.user), "what": words}


def command_words(data: Json) -> Iterable[str]:
    """The name of a command with those of its subcommands."""
    yield data["name"]
    for option in data.get("options") or ():
        if option["type"] in (1, 2):
            yield from command_words(option)


def person_view(user: User) -> Json:
    """Somebody."""
    return {"id": str(user.id), "name": user.display, "is_bot": user.is_bot}


def sees(user: User, message: Message) -> bool:
    """Whether a message is there for somebody."""
    if message.deleted or message.viewer not in (None, user):
        return False
    return message.channel.kind != DM or message.channel.recipient is user


def seen_in(place: Channel, user: User, before: int | None = None) -> list[Message]:
    """The newest messages that somebody sees in a place, oldest first; those before one, if it is named."""
    seen = [m for m in place.messages.values() if sees(user, m) and (before is None or m.id < before)]
    return seen[-SHOWN:]


def table_of(place: Channel, bot: User) -> Message | None:
    """The newest message that the bot has pinned in a place, or in the channel above a thread."""
    pinned = [message for message in place.pins() if message.author is bot and not message.is_private]
    if pinned or place.parent is None:
        return pinned[0] if pinned else None
    return table_of(place.parent, bot)


def places(loopback: Loopback, who: Person) -> list[Json]:
    """The places that somebody can go to: the channels with their threads, and a talk with the bot."""
    home = [place for place in loopback.world.in_guild(loopback.world.home) if not place.archived]
    found = []
    for channel in (place for place in home if place.kind not in THREADS):
        found.append(place_view(channel, f"#{channel.name}"))
        found += [place_view(place, place.name) for place in home if place.parent is channel]
    return [*found, place_view(loopback.dm(who), loopback.world.bot.display)]


def place_view(place: Channel, name: str) -> Json:
    """A place by name."""
    kind = {DM: "talk", **dict.fromkeys(THREADS, "thread")}.get(place.kind, "channel")
    return {"id": str(place.id), "name": name, "kind": kind}


def long_presses(who: Person, place: Channel) -> Json:
    """The commands for messages and for people."""
    offered = who.offered(place)
    return {
        "message": [command["name"] for command in offered if command["type"] == 3],
        "person": [command["name"] for command in offered if command["type"] == 2],
    }


def form_view(form: Form, number: str, world: World) -> Json:
    """A form to be filled in."""
    fields = [field_view(field, world) for field in form.fields]
    return {"id": number, "key": form.custom_id, "title": form.title, "fields": fields}


def field_view(field: Field, world: World) -> Json:
    """One field with its choices and what stands in it; a note is text with its markup."""
    if field.kind is FieldKind.NOTE:
        return {"kind": field.kind, "nodes": markup(field.description, world)}
    options = [{"label": o.label, "value": o.value, "about": o.description} for o in field.options]
    return {
        "id": field.custom_id,
        "label": field.label,
        "about": field.description,
        "kind": field.kind,
        "options": options,
        "value": field.default,
        "is_required": field.required,
        "least": field.least,
        "most": field.most,
        "placeholder": field.placeholder,
        "is_long": field.is_long,
    }


def offers_view(found: Offers) -> Json:
    """What could be typed next, and what is being typed."""
    option = found.option
    missing = [
        {"name": o["name"], "about": o["description"], "is_file": wants_file(o)} for o in found.missing
    ]
    return {
        "offers": [
            {"words": o.words, "length": o.length, "label": o.label, "about": o.about} for o in found.all
        ],
        "is_whole": found.is_whole,
        "path": found.path,
        "option": option and option["name"],
        "about": option and option["description"],
        "wants_file": wants_file(option),
        "missing": missing,
    }
