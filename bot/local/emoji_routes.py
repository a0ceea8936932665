"""The routes of an application's own emojis."""

import re
from base64 import b64decode
from binascii import Error as NotBase64
from typing import Any

from bot.local.errors import ApiError, invalid_form, unknown
from bot.local.interaction import user_json
from bot.local.message import Json
from bot.local.places import Emoji
from bot.local.server import Call, Route, Server
from bot.local.world import World

EMOJIS = "applications/{}/emojis"
MOST = 2000
HEAVIEST = 256 * 1024
NAME = re.compile(r"[A-Za-z0-9_]{2,32}")
DATA_URI = re.compile(r"data:(image/(?:png|jpeg|gif|webp));base64,(.*)", re.DOTALL)


def routes(server: Server) -> list[Route]:
    """Every route of this page."""
    world = server.world

    def listed(call: Call) -> Any:
        return {"items": [emoji_json(each, world) for each in shelf(world, call).values()]}

    def create(call: Call) -> Any:
        kept = shelf(world, call)
        body = call.body or {}
        name = checked_name(kept, body.get("name"))
        kind, data = checked_image(body.get("image"))
        if len(kept) >= MOST:
            raise ApiError(400, 30008, f"Maximum number of emojis reached ({MOST})")
        made = Emoji(world.snowflake(), name, data, kind)
        kept[made.id] = made
        world.changed()
        return emoji_json(made, world)

    def show(call: Call) -> Any:
        return emoji_json(one(shelf(world, call), call.args[1]), world)

    def change(call: Call) -> Any:
        kept = shelf(world, call)
        emoji = one(kept, call.args[1])
        others = {number: each for number, each in kept.items() if each is not emoji}
        if "name" in (call.body or {}):
            emoji.name = checked_name(others, call.body["name"])
            world.changed()
        return emoji_json(emoji, world)

    def remove(call: Call) -> None:
        kept = shelf(world, call)
        del kept[one(kept, call.args[1]).id]
        world.changed()

    return [
        Route("GET", EMOJIS, listed),
        Route("POST", EMOJIS, create, "create_application_emoji"),
        Route("GET", f"{EMOJIS}/{{}}", show),
        Route("PATCH", f"{EMOJIS}/{{}}", change, "update_application_emoji"),
        Route("DELETE", f"{EMOJIS}/{{}}", remove),
    ]


def shelf(world: World, call: Call) -> dict[int, Emoji]:
    """The emojis of the application in the path.

    Raises:
        ApiError: 10002 for an application that is not there.
    """
    if call.args[0] != str(world.bot.id):
        raise unknown("Application", 10002)
    return world.emojis


def one(kept: dict[int, Emoji], number: str) -> Emoji:
    """An emoji by id.

    Raises:
        ApiError: 10014 if there is none.
    """
    emoji = kept.get(int(number)) if number.isdigit() else None
    if emoji is None:
        raise unknown("Emoji", 10014)
    return emoji


def checked_name(others: dict[int, Emoji], name: object) -> str:
    """A name that an emoji may have beside the others.

    Raises:
        ApiError: 50035.
    """
    if not isinstance(name, str):
        raise invalid_form([("name", "This field is required")])
    if not 2 <= len(name) <= 32:
        raise invalid_form([("name", "Must be between 2 and 32 in length.")])
    if not NAME.fullmatch(name):
        raise invalid_form([("name", "String value did not match validation regex.")])
    if any(emoji.name == name for emoji in others.values()):
        raise invalid_form([("name", "An emoji with this name already exists.")])
    return name


def checked_image(image: object) -> tuple[str, bytes]:
    """The kind and the bytes of an image in a data URI.

    Raises:
        ApiError: 50035.
    """
    found = DATA_URI.fullmatch(image) if isinstance(image, str) else None
    if found is None:
        raise invalid_form([("image", "Invalid image data")])
    try:
        data = b64decode(found[2], validate=True)
    except NotBase64:
        raise invalid_form([("image", "Invalid image data")]) from None
    if len(data) > HEAVIEST:
        raise invalid_form([("image", "File cannot be larger than 256.0 kb.")])
    return found[1], data


def emoji_json(emoji: Emoji, world: World) -> Json:
    """An emoji as the routes return it."""
    return {
        "id": str(emoji.id),
        "name": emoji.name,
        "user": user_json(world.bot),
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }
