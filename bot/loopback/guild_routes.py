"""Routes for channels, guilds, events, emojis and application commands."""

import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from bot.loopback import payloads
from bot.loopback.errors import SLASH, ApiError, check_commands, invalid_form, unknown
from bot.loopback.model import (
    Channel,
    Emoji,
    Guild,
    Json,
    Message,
    Permission,
    ScheduledEvent,
    User,
    user_json,
)
from bot.loopback.server import Call, Route, Server
from bot.loopback.world import World

MOST_SAID, MOST_TAGS, LONGEST_TAG = 400, 5, 20
CHANNEL = "channels/{}"


def channel_routes(server: Server) -> list[Route]:
    """Return the routes for channels, guilds and users."""
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
    """Return the routes for the bot's own account, its application and the gateway URL."""

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
    """Return an application's profile from a request body, in Discord's format.

    Raises ApiError 50035 if the body is invalid.
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
    """Return installation parameters in Discord's format, with the permissions as a string."""
    return {**params, "permissions": str(params["permissions"])}


def channel(world: World, call: Call, needed: Permission | None) -> Channel:
    """Return the channel in the path, if the bot can see it and has the needed permission.

    Raises ApiError 10003 if there is no such channel; 50001 if it is hidden from the bot; 50013 if the
    permission is missing.
    """
    number = call.args[0]
    place = world.channels.get(int(number)) if number.isdigit() else None
    if place is None:
        raise unknown("Channel", 10003)
    if not (world.has_bot(place) and payloads.rights(place) & Permission.VIEW_CHANNEL):
        raise ApiError(403, 50001, "Missing Access")
    if needed is not None:
        require(place, needed)
    return place


def require(place: Channel, needed: Permission) -> None:
    """Check that the bot has a permission in a channel.

    Raises ApiError 50013 if the permission is missing.
    """
    if not payloads.rights(place) & needed:
        raise ApiError(403, 50013, "Missing Permissions")


def require_active(place: Channel) -> None:
    """Check that messages of a channel can be edited and pinned.

    Raises ApiError 50083 for an archived thread; 160005 for a locked one, unless the bot may manage threads.
    """
    if place.archived:
        raise ApiError(400, 50083, "Thread is archived")
    require_unlocked(place)


def require_unlocked(place: Channel) -> None:
    """Check that a channel is not a locked thread, unless the bot may manage threads.

    Raises ApiError 50083 if it is archived, too; 160005 otherwise.
    """
    if place.locked and not payloads.rights(place) & Permission.MANAGE_THREADS:
        raise (
            ApiError(400, 50083, "Thread is archived")
            if place.archived
            else ApiError(400, 160005, "Thread is locked")
        )


def require_answerable(place: Channel) -> None:
    """Check that commands can be answered in a channel.

    An answer needs no permission of the bot, so it may come in a locked thread that is active. The person who
    sent the command could write there. Raises ApiError 50083 for a thread that was archived and locked since.
    """
    if place.archived:
        require_unlocked(place)


def message_in(place: Channel, call: Call) -> Message:
    """Return the message in the path.

    Raises ApiError 10008 if there is no such message or it is private.
    """
    number = call.args[1]
    message = place.messages.get(int(number)) if number.isdigit() else None
    if message is None or message.is_private:
        raise unknown("Message", 10008)
    return message


def guild(world: World, call: Call) -> Guild:
    """Return the guild in the path.

    Raises ApiError 10004 if there is no such guild; 50001 if the bot is not in it.
    """
    found = world.guilds.get(int(call.args[0])) if call.args[0].isdigit() else None
    if found is None:
        raise unknown("Guild", 10004)
    if not found.has_bot:
        raise ApiError(403, 50001, "Missing Access")
    return found


def user(world: World, number: str) -> User:
    """Return a user by id.

    Raises ApiError 10013 if there is no such user.
    """
    found = world.users.get(int(number)) if number.isdigit() else None
    if found is None:
        raise unknown("User", 10013)
    return found


EVENTS = "guilds/{}/scheduled-events"
MOST = 100
EXTERNAL, GUILD_ONLY, SCHEDULED = 3, 2, 1


def event_routes(server: Server) -> list[Route]:
    """Return the routes for scheduled events."""
    world = server.world

    def listed(call: Call) -> Any:
        place = guild(world, call)
        return [event_json(each, place, world) for each in place.events.values()]

    def create(call: Call) -> Any:
        place = allowed(world, call)
        if len(place.events) >= MOST:
            raise ApiError(400, 30038, f"Maximum number of guild scheduled events reached ({MOST})")
        made = ScheduledEvent(world.snowflake(), "", "", "", "", "")
        change_event(made, call.body or {}, world)
        place.events[made.id] = made
        return event_json(made, place, world)

    def show(call: Call) -> Any:
        place = guild(world, call)
        return event_json(event_of(place, call), place, world)

    def change(call: Call) -> Any:
        place = allowed(world, call)
        event = event_of(place, call)
        change_event(event, call.body or {}, world)
        return event_json(event, place, world)

    def remove(call: Call) -> None:
        place = allowed(world, call)
        del place.events[event_of(place, call).id]

    return [
        Route("GET", EVENTS, listed),
        Route("POST", EVENTS, create, "create_guild_scheduled_event"),
        Route("GET", f"{EVENTS}/{{}}", show),
        Route("PATCH", f"{EVENTS}/{{}}", change, "update_guild_scheduled_event"),
        Route("DELETE", f"{EVENTS}/{{}}", remove),
    ]


def allowed(world: World, call: Call) -> Guild:
    """Return the guild in the path, if the bot may create events there.

    Raises ApiError 10004 if there is no such guild; 50013 if the permission is missing.
    """
    place = guild(world, call)
    if Permission.CREATE_EVENTS in place.denied:
        raise ApiError(403, 50013, "Missing Permissions")
    return place


def event_of(place: Guild, call: Call) -> ScheduledEvent:
    """Return the event in the path.

    Raises ApiError 10070 if there is no such event.
    """
    number = call.args[1]
    found = place.events.get(int(number)) if number.isdigit() else None
    if found is None:
        raise unknown("Guild Scheduled Event", 10070)
    return found


def change_event(event: ScheduledEvent, body: Json, world: World) -> None:
    """Change the fields of an event that the body contains.

    Raises ApiError 50035 if the body is invalid: an event starts in the future and ends after its start.
    """
    begins = body.get("scheduled_start_time") or event.begins
    ends = body.get("scheduled_end_time") or event.ends
    location = (body.get("entity_metadata") or {}).get("location") or event.location
    faults = []
    if not 1 <= len(location) <= 100:
        faults.append(("entity_metadata.location", "Must be between 1 and 100 in length."))
    if not begins or datetime.fromisoformat(begins) <= world.clock.now():
        faults.append(("scheduled_start_time", "Cannot schedule event in the past."))
    elif not ends or datetime.fromisoformat(ends) <= datetime.fromisoformat(begins):
        faults.append(("scheduled_end_time", "Cannot schedule event to end before the start."))
    if faults:
        raise invalid_form(faults)
    event.begins, event.ends, event.location = begins, ends, location
    event.name = body.get("name") or event.name
    event.description = body.get("description", event.description) or ""
    world.changed()


def event_json(event: ScheduledEvent, place: Guild, world: World) -> Json:
    """Return an event as a Discord JSON object."""
    return {
        "id": str(event.id),
        "guild_id": str(place.id),
        "channel_id": None,
        "creator_id": str(world.bot.id),
        "name": event.name,
        "description": event.description,
        "scheduled_start_time": event.begins,
        "scheduled_end_time": event.ends,
        "privacy_level": GUILD_ONLY,
        "status": SCHEDULED,
        "entity_type": EXTERNAL,
        "entity_id": None,
        "entity_metadata": {"location": event.location},
        "recurrence_rule": None,
    }


EMOJIS = "applications/{}/emojis"
MOST_EMOJIS = 2000
HEAVIEST = 256 * 1024
NAME = re.compile(r"[A-Za-z0-9_]{2,32}")
DATA_URI = re.compile(r"data:(image/(?:png|jpeg|gif|webp));base64,(.*)", re.DOTALL)


def emoji_routes(server: Server) -> list[Route]:
    """Return the routes for application emojis."""
    world = server.world

    def listed(call: Call) -> Any:
        return {"items": [emoji_json(each, world) for each in emojis_of(world, call).values()]}

    def create(call: Call) -> Any:
        kept = emojis_of(world, call)
        body = call.body or {}
        name = checked_name(kept, body.get("name"))
        kind, data = checked_image(body.get("image"))
        if len(kept) >= MOST_EMOJIS:
            raise ApiError(400, 30008, f"Maximum number of emojis reached ({MOST_EMOJIS})")
        made = Emoji(world.snowflake(), name, data, kind)
        kept[made.id] = made
        world.changed()
        return emoji_json(made, world)

    def show(call: Call) -> Any:
        return emoji_json(emoji_of(emojis_of(world, call), call.args[1]), world)

    def change(call: Call) -> Any:
        kept = emojis_of(world, call)
        emoji = emoji_of(kept, call.args[1])
        others = {number: each for number, each in kept.items() if each is not emoji}
        if "name" in (call.body or {}):
            emoji.name = checked_name(others, call.body["name"])
            world.changed()
        return emoji_json(emoji, world)

    def remove(call: Call) -> None:
        kept = emojis_of(world, call)
        del kept[emoji_of(kept, call.args[1]).id]
        world.changed()

    return [
        Route("GET", EMOJIS, listed),
        Route("POST", EMOJIS, create, "create_application_emoji"),
        Route("GET", f"{EMOJIS}/{{}}", show),
        Route("PATCH", f"{EMOJIS}/{{}}", change, "update_application_emoji"),
        Route("DELETE", f"{EMOJIS}/{{}}", remove),
    ]


def emojis_of(world: World, call: Call) -> dict[int, Emoji]:
    """Return the emojis of the application in the path, by id.

    Raises ApiError 10002 if there is no such application.
    """
    if call.args[0] != str(world.bot.id):
        raise unknown("Application", 10002)
    return world.emojis


def emoji_of(kept: dict[int, Emoji], number: str) -> Emoji:
    """Return an emoji by id.

    Raises ApiError 10014 if there is no such emoji.
    """
    emoji = kept.get(int(number)) if number.isdigit() else None
    if emoji is None:
        raise unknown("Emoji", 10014)
    return emoji


def checked_name(others: dict[int, Emoji], name: object) -> str:
    """Return a valid emoji name that none of the others has.

    Raises ApiError 50035 if the name is invalid or taken.
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
    """Return the MIME type and the bytes of an image in a data URI.

    Raises ApiError 50035 if it is not a valid image.
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
    """Return an emoji as a Discord JSON object."""
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


GLOBAL = "applications/{}/commands"
IN_GUILD = "applications/{}/guilds/{}/commands"


def command_routes(server: Server) -> list[Route]:
    """Return the routes for application commands."""
    world = server.world

    def listed(call: Call) -> Any:
        return list(commands_of(world, call).values())

    def replace_all(call: Call) -> Any:
        wanted = call.body or []
        check_commands(wanted)
        kept = commands_of(world, call)
        fresh = registered(world, call, wanted, kept)
        kept.clear()
        kept.update(fresh)
        world.command_puts += 1
        world.changed()
        return list(kept.values())

    def create(call: Call) -> Any:
        kept = commands_of(world, call)
        key = (call.body.get("type") or SLASH, call.body.get("name"))
        check_commands([*(command for other, command in kept.items() if other != key), call.body])
        fresh = registered(world, call, [call.body], kept)
        kept.update(fresh)
        return next(iter(fresh.values()))

    def show(call: Call) -> Any:
        return command_of(commands_of(world, call), call.args[-1])

    def change(call: Call) -> Any:
        kept = commands_of(world, call)
        command = command_of(kept, call.args[-1])
        changed = command | call.body
        others = [c for c in kept.values() if c is not command]
        check_commands([*others, changed])
        command |= call.body | {"version": str(world.snowflake())}
        del kept[next(key for key, c in kept.items() if c is command)]
        kept[command["type"], command["name"]] = command
        return command

    def remove(call: Call) -> None:
        kept = commands_of(world, call)
        command = command_of(kept, call.args[-1])
        del kept[command["type"], command["name"]]

    found: list[Route] = []
    for path, word in ((GLOBAL, ""), (IN_GUILD, "guild_")):
        found += [
            Route("GET", path, listed),
            Route("PUT", path, replace_all, f"bulk_set_{word}application_commands"),
            Route("POST", path, create, f"create_{word}application_command"),
            Route("GET", f"{path}/{{}}", show),
            Route("PATCH", f"{path}/{{}}", change, f"update_{word}application_command"),
            Route("DELETE", f"{path}/{{}}", remove),
        ]
    return found


def commands_of(world: World, call: Call) -> dict[tuple[int, str], Json]:
    """Return the commands of the application or guild in the path, by type and name.

    Raises ApiError 10002 or 10004 if there is no such application or guild.
    """
    if call.args[0] != str(world.bot.id):
        raise unknown("Application", 10002)
    guild_id = int(call.args[1]) if "/guilds/" in call.request.path else None
    if guild_id is not None and not (guild_id in world.guilds and world.guilds[guild_id].has_bot):
        raise unknown("Guild", 10004)
    return world.commands.setdefault(guild_id, {})


def command_of(kept: dict[tuple[int, str], Json], command_id: str) -> Json:
    """Return a command by id.

    Raises ApiError 10063 if there is no such command.
    """
    for command in kept.values():
        if command["id"] == command_id:
            return command
    raise unknown("application command", 10063)


def registered(
    world: World, call: Call, wanted: Iterable[Json], kept: dict[tuple[int, str], Json]
) -> dict[tuple[int, str], Json]:
    """Return commands as Discord would, by type and name; a command that existed keeps its id."""
    fresh: dict[tuple[int, str], Json] = {}
    for body in wanted:
        key = (body.get("type") or SLASH, body["name"])
        command: Json = {
            "id": kept[key]["id"] if key in kept else str(world.snowflake()),
            "application_id": str(world.bot.id),
            "version": str(world.snowflake()),
            "default_member_permissions": None,
            "nsfw": False,
            "options": [],
            "contexts": None,
            "integration_types": [0],
            **body,
            "type": key[0],
            "description": body.get("description") or "",
        }
        if "/guilds/" in call.request.path:
            command["guild_id"] = call.args[1]
        fresh[key] = command
    return fresh
