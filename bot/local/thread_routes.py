"""The routes of threads: they are opened, renamed, put away, and have members."""

from typing import Any

from bot.local import payloads
from bot.local.channel_routes import CHANNEL, channel, require, user
from bot.local.errors import ApiError, unknown
from bot.local.places import Permission
from bot.local.server import Call, Route, Server
from bot.local.world import PRIVATE_THREAD, TEXT, THREADS


def routes(server: Server) -> list[Route]:
    """Every route of this page."""
    world = server.world

    def open_thread(call: Call) -> Any:
        above = channel(world, call, Permission.CREATE_PUBLIC_THREADS)
        body = call.body or {}
        if above.kind != TEXT:
            raise ApiError(400, 50024, "Cannot execute action on this channel type")
        if not 1 <= len(body.get("name") or "") <= 100:
            raise ApiError(400, 50035, "Invalid Form Body")
        place = world.open_thread(body["name"], above, world.bot)
        server.tell("THREAD_CREATE", payloads.channel(place) | {"newly_created": True}, above.guild)
        return payloads.channel(place)

    def change_thread(call: Call) -> Any:
        place = channel(world, call, None)
        body = call.body or {}
        if place.kind not in THREADS or set(body) - {"archived", "name"}:
            raise ApiError(400, 50024, "Cannot execute action on this channel type")
        if place.owner is not world.bot:
            require(place, Permission.MANAGE_THREADS)
        place.archived = bool(body.get("archived", place.archived))
        place.name = body.get("name", place.name)
        world.changed()
        return payloads.channel(place)

    def show_member(call: Call) -> Any:
        place, who = channel(world, call, None), user(world, call.args[1])
        is_there = who.id in place.people or place.kind != PRIVATE_THREAD
        if place.kind not in THREADS or not is_there:
            raise unknown("Member", 10007)
        return {"id": str(place.id), "user_id": str(who.id), "join_timestamp": payloads.JOINED, "flags": 0}

    return [
        Route("GET", f"{CHANNEL}/thread-members/{{}}", show_member),
        Route("PATCH", CHANNEL, change_thread, "update_channel"),
        Route("POST", f"{CHANNEL}/threads", open_thread, "create_thread"),
    ]
