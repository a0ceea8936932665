"""The routes of webhooks: made and listed with a right, used by whoever has their token."""

import secrets
from typing import Any

from bot.local.channel_routes import channel
from bot.local.errors import ApiError, invalid_form, unknown
from bot.local.interaction import user_json
from bot.local.message import Channel, Json, Message, Webhook
from bot.local.places import Permission, User
from bot.local.posting import new_message
from bot.local.server import Call, Route, Server
from bot.local.world import World

MOST = 15
"""A channel has at most this many webhooks."""
FORBIDDEN = ("clyde", "discord")
"""A name with one of these in it is refused."""
LONGEST = 80
WEBHOOKS = "channels/{}/webhooks"


def routes(server: Server) -> list[Route]:
    """Every route of this page; those behind a token are the interactions' as well."""
    world = server.world

    def listed(call: Call) -> Any:
        place = channel(world, call, Permission.MANAGE_WEBHOOKS)
        return [payload(hook, world) for hook in _of(world, place)]

    def make(call: Call) -> Any:
        place = channel(world, call, Permission.MANAGE_WEBHOOKS)
        if len(_of(world, place)) >= MOST:
            raise ApiError(400, 30007, f"Maximum number of webhooks reached ({MOST})")
        name = str((call.body or {}).get("name") or "")
        check_name(name, "name")
        hook = Webhook(world.snowflake(), secrets.token_urlsafe(50), name, place)
        world.webhooks[hook.id] = hook
        world.changed()
        return payload(hook, world)

    return [Route("GET", WEBHOOKS, listed), Route("POST", WEBHOOKS, make, "create_webhook")]


def payload(hook: Webhook, world: World) -> Json:
    """A webhook as Discord writes one of the bot's own."""
    assert hook.channel.guild is not None
    return {
        "id": str(hook.id),
        "type": 1,
        "guild_id": str(hook.channel.guild.id),
        "channel_id": str(hook.channel.id),
        "user": user_json(world.bot),
        "name": hook.name,
        "avatar": None,
        "token": hook.token,
        "application_id": str(world.bot.id),
    }


def check_name(name: str, path: str) -> None:
    """Refuse a name that Discord does not take.

    Raises:
        ApiError: 50035.
    """
    if not 0 < len(name) <= LONGEST:
        raise invalid_form([(path, f"Must be between 1 and {LONGEST} in length.")])
    for word in FORBIDDEN:
        if word in name.casefold():
            raise invalid_form([(path, f'Username cannot contain "{word}"')])


def is_webhook(world: World, call: Call) -> bool:
    """Whether a request is to a webhook of a channel, not to one behind an interaction."""
    return call.args[0] != str(world.bot.id)


def executed(world: World, call: Call) -> Message:
    """The message that a webhook posts, under its own name or the one that it is given.

    Raises:
        ApiError: 10015, 10003 or 50035.
    """
    hook, body = _hook(world, call), call.body or {}
    name = body.get("username") or hook.name
    check_name(name, "username")
    avatar = body.get("avatar_url") or ""
    if avatar and not avatar.startswith(("https://", "http://")):
        raise invalid_form([("avatar_url", "Not a well formed URL.")])
    author = User(hook.id, name, name, is_bot=True, avatar=avatar)
    return new_message(world, _place(world, hook, call), body, call.uploads, author=author)


def removed(world: World, call: Call) -> None:
    """Delete a message that the webhook has posted.

    Raises:
        ApiError: 10015, 10003 or 10008.
    """
    hook, number = _hook(world, call), call.args[2]
    message = _place(world, hook, call).messages.get(int(number)) if number.isdigit() else None
    if message is None or message.webhook != hook.id:
        raise unknown("Message", 10008)
    world.delete(message)


def _of(world: World, place: Channel) -> list[Webhook]:
    return [hook for hook in world.webhooks.values() if hook.channel is place]


def _hook(world: World, call: Call) -> Webhook:
    """The webhook in the path, if the token there is its own."""
    found = world.webhooks.get(int(call.args[0])) if call.args[0].isdigit() else None
    if found is None:
        raise unknown("Webhook", 10015)
    if not secrets.compare_digest(found.token, call.args[1]):
        raise ApiError(401, 50027, "Invalid Webhook Token")
    return found


def _place(world: World, hook: Webhook, call: Call) -> Channel:
    """The webhook's channel, or the thread under it that is named."""
    number = call.request.query.get("thread_id")
    if number is None:
        return hook.channel
    thread = world.channels.get(int(number)) if number.isdigit() else None
    if thread is None or thread.parent is not hook.channel:
        raise unknown("Channel", 10003)
    return thread
