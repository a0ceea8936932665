"""The routes of channels, guilds and users, and of the bot itself."""

from typing import Any

from bot.local import payloads
from bot.local.errors import ApiError, invalid_form, unknown
from bot.local.interaction import user_json
from bot.local.message import Channel, Json, Message
from bot.local.places import Guild, Permission, User
from bot.local.server import Call, Route, Server
from bot.local.world import World

MOST_SAID, MOST_TAGS, LONGEST_TAG = 400, 5, 20
CHANNEL = "channels/{}"


def routes(server: Server) -> list[Route]:
    """What a channel, a guild and a user are."""
    world = server.world

    def show_channel(call: Call) -> Any:
        return payloads.channel(channel(world, call, Permission.VIEW_CHANNEL))

    def open_dm(call: Call) -> Any:
        return payloads.channel(world.dm_with(user(world, str((call.body or {}).get("recipient_id")))))

    def show_guild(call: Call) -> Any:
        return payloads.guild(guild(world, call), world)

    def show_member(call: Call) -> Any:
        one = user(world, call.args[1])
        if one.id in guild(world, call).gone:
            raise unknown("Member", 10007)
        return payloads.member(one)

    def members(call: Call) -> Any:
        guild(world, call)
        return [payloads.member(one) for one in world.users.values()]

    return [
        Route("GET", CHANNEL, show_channel),
        Route("POST", f"{CHANNEL}/typing", lambda call: None),
        Route("POST", "users/@me/channels", open_dm, "create_dm"),
        Route("GET", "users/@me", lambda call: user_json(world.bot)),
        Route("GET", "users/{}", lambda call: user_json(user(world, call.args[0]))),
        Route("GET", "guilds/{}", show_guild),
        Route("GET", "guilds/{}/members", members),
        Route("GET", "guilds/{}/members/{}", show_member),
    ]


def gateway_routes(server: Server) -> list[Route]:
    """Who the bot is and where its gateway is."""

    def application(call: Call) -> Any:
        bot = server.world.bot
        return {
            "id": str(bot.id),
            "name": bot.name,
            "description": "",
            "icon": None,
            "bot_public": True,
            "integration_types_config": {"0": {}, "1": {}},
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "flags": server.world.application_flags,
            "owner": user_json(server.world.owner or bot),
            "team": None,
            "summary": "",
            **server.world.profile,
        }

    def describe(call: Call) -> Any:
        server.world.profile |= profile(call.body or {})
        return application(call)

    def gateway_bot(call: Call) -> Any:
        gateway = server.gateway
        limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": gateway.concurrency}
        return {"url": gateway.url(), "shards": gateway.shards, "session_start_limit": limit}

    return [
        Route("GET", "oauth2/applications/@me", application),
        Route("GET", "applications/@me", application),
        Route("PATCH", "applications/@me", describe, "update_my_application"),
        Route("GET", "gateway", lambda call: {"url": server.gateway.url()}, open=True),
        Route("GET", "gateway/bot", gateway_bot),
    ]


def profile(body: Json) -> Json:
    """What an application is to say of itself, as Discord gives it back.

    Raises:
        ApiError: 50035.
    """
    tags = body.get("tags") or []
    faults = [("description", f"Must be {MOST_SAID} or fewer in length.")]
    faults = faults if len(body.get("description") or "") > MOST_SAID else []
    faults += [("tags", f"Must be {MOST_TAGS} or fewer in length.")] if len(tags) > MOST_TAGS else []
    faults += [
        (f"tags.{place}", f"Must be {LONGEST_TAG} or fewer in length.")
        for place, tag in enumerate(tags)
        if len(tag) > LONGEST_TAG
    ]
    if faults:
        raise invalid_form(faults)
    kept = dict(body)
    if params := body.get("install_params"):
        kept["install_params"] = with_text(params)
    if ways := body.get("integration_types_config"):
        kept["integration_types_config"] = {
            way: {key: with_text(params) for key, params in config.items()} for way, config in ways.items()
        }
    return kept


def with_text(params: Json) -> Json:
    """What an application is added with, its rights as Discord gives them back: a number as text."""
    return {**params, "permissions": str(params["permissions"])}


def channel(world: World, call: Call, needed: Permission | None) -> Channel:
    """The channel in the path, if the bot may see it and has the right needed.

    Raises:
        ApiError: 10003 no such channel, 50001 hidden, 50013 without the right.
    """
    number = call.args[0]
    place = world.channels.get(int(number)) if number.isdigit() else None
    if place is None:
        raise unknown("Channel", 10003)
    if not (world.has_bot(place) and place.app_permissions & Permission.VIEW_CHANNEL):
        raise ApiError(403, 50001, "Missing Access")
    if needed is not None:
        require(place, needed)
    return place


def require(place: Channel, needed: Permission) -> None:
    """Refuse what the bot has no right to do in a channel.

    Raises:
        ApiError: 50013.
    """
    if not place.app_permissions & needed:
        raise ApiError(403, 50013, "Missing Permissions")


def unarchived(place: Channel) -> None:
    """Refuse to change anything in an archived thread.

    Raises:
        ApiError: 50083.
    """
    if place.archived:
        raise ApiError(400, 50083, "Thread is archived")


def message_in(place: Channel, call: Call) -> Message:
    """The message in the path; private messages are not to be had this way.

    Raises:
        ApiError: 10008.
    """
    number = call.args[1]
    message = place.messages.get(int(number)) if number.isdigit() else None
    if message is None or message.is_private:
        raise unknown("Message", 10008)
    return message


def guild(world: World, call: Call) -> Guild:
    """The guild in the path.

    Raises:
        ApiError: 10004 no such guild, 50001 the bot is not in it.
    """
    found = world.guilds.get(int(call.args[0])) if call.args[0].isdigit() else None
    if found is None:
        raise unknown("Guild", 10004)
    if not found.has_bot:
        raise ApiError(403, 50001, "Missing Access")
    return found


def user(world: World, number: str) -> User:
    """A user by id.

    Raises:
        ApiError: 10013.
    """
    found = world.users.get(int(number)) if number.isdigit() else None
    if found is None:
        raise unknown("User", 10013)
    return found
