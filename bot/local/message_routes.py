"""The routes of messages: what the bot does in a channel with its own rights."""

from collections.abc import Mapping
from typing import Any

from bot.local import payloads
from bot.local.channel_routes import CHANNEL, channel, message_in, require, unarchived
from bot.local.errors import ApiError, invalid_form
from bot.local.message import Message
from bot.local.places import Permission
from bot.local.posting import edit, new_message
from bot.local.server import Call, Route, Server
from bot.local.world import THREADS

MOST_PINS = 250
MOST_SHOWN = 100
MESSAGES = "channels/{}/messages"


def routes(server: Server) -> list[Route]:
    """Messages are shown, posted, edited and deleted."""
    world = server.world

    def show_all(call: Call) -> Any:
        place, query = channel(world, call, Permission.VIEW_CHANNEL), call.request.query
        most = _number(query, "limit", 50)
        if not 1 <= most <= MOST_SHOWN:
            raise invalid_form([("limit", f"Value should be between 1 and {MOST_SHOWN}.")])
        if not place.app_permissions & Permission.READ_MESSAGE_HISTORY:
            return []  # Discord refuses nothing here: there is just nothing to be seen
        newest_first = [m for m in reversed(place.messages.values()) if not m.is_private]
        return [payloads.message(m) for m in _page(newest_first, query, most)]

    def post(call: Call) -> Any:
        place = channel(world, call, None)
        require(
            place, Permission.SEND_MESSAGES_IN_THREADS if place.kind in THREADS else Permission.SEND_MESSAGES
        )
        if call.uploads:
            require(place, Permission.ATTACH_FILES)
        if place.archived and place.locked:
            raise ApiError(400, 50083, "Thread is archived")
        body = call.body or {}
        # What comes twice with one nonce is one message. Discord knows it for some minutes.
        if body.get("enforce_nonce"):
            for message in place.messages.values():
                if message.nonce is not None and message.nonce == body.get("nonce"):
                    return payloads.message(message)
        place.archived = False
        return payloads.message(new_message(world, place, body, call.uploads))

    def show(call: Call) -> Any:
        return payloads.message(message_in(channel(world, call, Permission.READ_MESSAGE_HISTORY), call))

    def change(call: Call) -> Any:
        place = channel(world, call, None)
        message = message_in(place, call)
        unarchived(place)
        edit(world, message, call.body or {}, call.uploads)
        return payloads.message(message)

    def remove(call: Call) -> None:
        place = channel(world, call, None)
        world.delete(message_in(place, call))

    return [
        Route("GET", MESSAGES, show_all),
        Route("POST", MESSAGES, post, "create_message"),
        Route("GET", f"{MESSAGES}/{{}}", show),
        Route("PATCH", f"{MESSAGES}/{{}}", change, "update_message"),
        Route("DELETE", f"{MESSAGES}/{{}}", remove),
    ]


def pin_routes(server: Server) -> list[Route]:
    """Messages are pinned and unpinned, by today's address and by the old one."""
    world = server.world

    def pin(call: Call) -> None:
        place = channel(world, call, Permission.PIN_MESSAGES)
        message = message_in(place, call)
        unarchived(place)
        if not message.pinned and len(place.pins()) >= MOST_PINS:
            raise ApiError(400, 30003, f"Maximum number of pins reached for the channel ({MOST_PINS})")
        world.pin(message, pinned=True)

    def unpin(call: Call) -> None:
        place = channel(world, call, Permission.PIN_MESSAGES)
        unarchived(place)
        world.pin(message_in(place, call), pinned=False)

    def pins(call: Call) -> Any:
        pinned = channel(world, call, Permission.READ_MESSAGE_HISTORY).pins()
        items = [{"pinned_at": payloads.moment(m.pinned_at), "message": payloads.message(m)} for m in pinned]
        return {"items": items, "has_more": False}

    def old_pins(call: Call) -> Any:
        pinned = channel(world, call, Permission.READ_MESSAGE_HISTORY).pins()
        return [payloads.message(m) for m in pinned]

    return [
        Route("GET", f"{MESSAGES}/pins", pins),
        Route("PUT", f"{MESSAGES}/pins/{{}}", pin),
        Route("DELETE", f"{MESSAGES}/pins/{{}}", unpin),
        Route("GET", f"{CHANNEL}/pins", old_pins),
        Route("PUT", f"{CHANNEL}/pins/{{}}", pin),
        Route("DELETE", f"{CHANNEL}/pins/{{}}", unpin),
    ]


def _page(newest_first: list[Message], query: Mapping[str, str], most: int) -> list[Message]:
    """The messages before, after or around one; else the newest. Raises ApiError 50035."""
    if "around" in query:
        at = _number(query, "around")
        later = [m for m in newest_first if m.id >= at][-(most // 2 + 1) :]
        return [*later, *(m for m in newest_first if m.id < at)][:most]
    if "after" in query:
        after = _number(query, "after")
        return [m for m in newest_first if m.id > after][-most:]
    before = _number(query, "before", newest_first[0].id + 1 if newest_first else 0)
    return [m for m in newest_first if m.id < before][:most]


def _number(query: Mapping[str, str], name: str, otherwise: int = 0) -> int:
    """A number in the address. Raises ApiError 50035 for what is none."""
    text = query.get(name, str(otherwise))
    if not (text.isascii() and text.isdigit()):
        raise invalid_form([(name, f'Value "{text}" is not int.')])
    return int(text)
