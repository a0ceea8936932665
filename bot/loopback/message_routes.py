"""Routes for messages, threads, webhooks and interaction responses."""

import secrets
from collections.abc import Mapping
from typing import Any

from bot.loopback import payloads
from bot.loopback.errors import ApiError, invalid_form, unknown
from bot.loopback.guild_routes import (
    CHANNEL,
    channel,
    message_in,
    require,
    require_active,
    require_answerable,
    require_unlocked,
    user,
)
from bot.loopback.model import (
    AnswerType,
    Channel,
    Json,
    Message,
    Permission,
    User,
    Webhook,
    user_json,
)
from bot.loopback.posting import edit, new_message
from bot.loopback.server import Call, Route, Server
from bot.loopback.world import PRIVATE_THREAD, TEXT, THREADS, World

MOST = 15
"""A channel has at most this many webhooks."""
FORBIDDEN = ("clyde", "discord")
"""A name with one of these in it is refused."""
LONGEST = 80
WEBHOOKS = "channels/{}/webhooks"


def webhook_routes(server: Server) -> list[Route]:
    """Return the routes for webhooks; those with a token also serve interaction responses."""
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
    """Return one of the bot's webhooks as a Discord JSON object."""
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
    """Check the name of a webhook.

    Raises ApiError 50035 if Discord would not accept the name.
    """
    if not 0 < len(name) <= LONGEST:
        raise invalid_form([(path, f"Must be between 1 and {LONGEST} in length.")])
    for word in FORBIDDEN:
        if word in name.casefold():
            raise invalid_form([(path, f'Username cannot contain "{word}"')])


def is_webhook(world: World, call: Call) -> bool:
    """Return whether a request is for a channel webhook, not for an interaction's."""
    return call.args[0] != str(world.bot.id)


def executed(world: World, call: Call) -> Message:
    """Post a message through a webhook, under its own name or the one in the request.

    Raises ApiError 10015 if there is no such webhook; 50027 if its token is wrong; 10003 if there is no
    such thread; 50035 or 50006 if the message is invalid or empty; 50083 or 160005 if the thread is locked.
    """
    hook, body = _hook(world, call), call.body or {}
    name = body.get("username") or hook.name
    check_name(name, "username")
    avatar = body.get("avatar_url") or ""
    if avatar and not avatar.startswith(("https://", "http://")):
        raise invalid_form([("avatar_url", "Not a well formed URL.")])
    author = User(hook.id, name, name, is_bot=True, avatar=avatar)
    place = _place(world, hook, call)
    require_unlocked(place)
    return new_message(world, place, body, call.uploads, author=author)


def removed(world: World, call: Call) -> None:
    """Delete a message that the webhook posted.

    Raises ApiError 10015 if there is no such webhook; 50027 if its token is wrong; 10003 if there is no
    such thread; 10008 if there is no such message.
    """
    hook, number = _hook(world, call), call.args[2]
    message = _place(world, hook, call).messages.get(int(number)) if number.isdigit() else None
    if message is None or message.webhook != hook.id:
        raise unknown("Message", 10008)
    world.delete(message)


def _of(world: World, place: Channel) -> list[Webhook]:
    return [hook for hook in world.webhooks.values() if hook.channel is place]


def _hook(world: World, call: Call) -> Webhook:
    """Return the webhook in the path, if its token is right."""
    found = world.webhooks.get(int(call.args[0])) if call.args[0].isdigit() else None
    if found is None:
        raise unknown("Webhook", 10015)
    if not secrets.compare_digest(found.token, call.args[1]):
        raise ApiError(401, 50027, "Invalid Webhook Token")
    return found


def _place(world: World, hook: Webhook, call: Call) -> Channel:
    """Return the webhook's channel, or the thread under it named in the query."""
    number = call.request.query.get("thread_id")
    if number is None:
        return hook.channel
    thread = world.channels.get(int(number)) if number.isdigit() else None
    if thread is None or thread.parent is not hook.channel:
        raise unknown("Channel", 10003)
    return thread


WEBHOOK = "webhooks/{}/{}"


def answer_routes(server: Server) -> list[Route]:
    """Return the routes for interaction responses."""
    answers = server.answers

    def first(call: Call) -> Any:
        opened = answers.waiting(*call.args)
        kind = (call.body or {}).get("type")
        if kind == AnswerType.UPDATE:
            require_active(opened.channel)
        elif kind in (AnswerType.MESSAGE, AnswerType.DEFER_MESSAGE):
            require_answerable(opened.channel)
            server.wake(opened.channel)
        answers.first(opened, call.body or {}, call.uploads)
        wants = call.request.query.get("with_response", "0").lower() in ("1", "true")
        return answers.receipt(opened) if wants else None

    def follow_up(call: Call) -> Any:
        if is_webhook(server.world, call):
            made = executed(server.world, call)
        else:
            opened = answers.answered(*call.args)
            require_answerable(opened.channel)
            made = answers.follow_up(opened, call.body or {}, call.uploads)
        server.wake(made.channel)
        return payloads.message(made)

    def show(call: Call) -> Any:
        application, token, which = call.args
        return payloads.message(answers.message_of(answers.answered(application, token), which))

    def change(call: Call) -> Any:
        application, token, which = call.args
        opened = answers.answered(application, token)
        message = answers.message_of(opened, which)
        return payloads.message(answers.change(opened, message, call.body or {}, call.uploads))

    def remove(call: Call) -> None:
        if is_webhook(server.world, call):
            return removed(server.world, call)
        application, token, which = call.args
        opened = answers.answered(application, token)
        return answers.remove(opened, answers.message_of(opened, which))

    one = f"{WEBHOOK}/messages/{{}}"
    return [
        Route("POST", "interactions/{}/{}/callback", first, "create_interaction_response", open=True),
        Route("POST", WEBHOOK, follow_up, "execute_webhook", open=True),
        Route("GET", one, show, open=True),
        Route("PATCH", one, change, "update_webhook_message", open=True),
        Route("DELETE", one, remove, open=True),
    ]


MOST_PINS = 250
OLD = 60 * 60.0
"""Seconds after which a message is old."""
MOST_OLD_EDITS, OLD_EDITS_PER = 3, 6.0
"""So many old messages of a channel can be edited in so many seconds, as observed; Discord doesn't say."""
MOST_SHOWN = 100
MESSAGES = "channels/{}/messages"


def message_routes(server: Server) -> list[Route]:
    """Return the routes that read, post, edit and delete messages."""
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
        require_unlocked(place)
        if place.recipient is not None:
            require_open(world, place, place.recipient)
        body = call.body or {}
        # What comes twice with one nonce is one message. Discord knows it for some minutes.
        if body.get("enforce_nonce"):
            for message in place.messages.values():
                if message.nonce is not None and message.nonce == body.get("nonce"):
                    return payloads.message(message)
        made = new_message(world, place, body, call.uploads)
        server.wake(place)
        return payloads.message(made)

    def show(call: Call) -> Any:
        return payloads.message(message_in(channel(world, call, Permission.READ_MESSAGE_HISTORY), call))

    def change(call: Call) -> Any:
        place = channel(world, call, None)
        message = message_in(place, call)
        require_active(place)
        _count_old_edit(world, message)
        edit(world, message, call.body or {}, call.uploads)
        return payloads.message(message)

    def remove(call: Call) -> None:
        place = channel(world, call, None)
        message = message_in(place, call)
        if place.archived:
            require_unlocked(place)
        world.delete(message)

    return [
        Route("GET", MESSAGES, show_all),
        Route("POST", MESSAGES, post, "create_message"),
        Route("GET", f"{MESSAGES}/{{}}", show),
        Route("PATCH", f"{MESSAGES}/{{}}", change, "update_message"),
        Route("DELETE", f"{MESSAGES}/{{}}", remove),
    ]


def require_open(world: World, place: Channel, person: User) -> None:
    """Check that a person accepts direct messages.

    Raises ApiError 50007 if they accept none; 50278 if they share no server with the bot.
    """
    if place.is_closed:
        raise ApiError(403, 50007, "Cannot send messages to this user")
    shared = [guild for guild in world.guilds.values() if guild.has_bot and person.id not in guild.gone]
    if not shared:
        raise ApiError(403, 50278, "Cannot send messages to this user due to having no mutual guilds")


def pin_routes(server: Server) -> list[Route]:
    """Return the routes that pin and unpin messages, under their current and their old paths."""
    world = server.world

    def pin(call: Call) -> None:
        place = channel(world, call, Permission.PIN_MESSAGES)
        message = message_in(place, call)
        require_active(place)
        if not message.pinned and len(place.pins()) >= MOST_PINS:
            raise ApiError(400, 30003, f"Maximum number of pins reached for the channel ({MOST_PINS})")
        world.pin(message, pinned=True)
        server.tell_pins(place)

    def unpin(call: Call) -> None:
        place = channel(world, call, Permission.PIN_MESSAGES)
        message = message_in(place, call)
        require_active(place)
        world.pin(message, pinned=False)
        server.tell_pins(place)

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


def _count_old_edit(world: World, message: Message) -> None:
    """Note an edit of a message older than an hour, of which a channel takes few at a time.

    Raises ApiError 30046 for one too many.
    """
    now, place = world.clock.now().timestamp(), message.channel
    if now - message.created <= OLD:
        return
    place.old_edits = [at for at in place.old_edits if now - at < OLD_EDITS_PER]
    if len(place.old_edits) >= MOST_OLD_EDITS:
        raise ApiError(
            429,
            30046,
            "Maximum number of edits to messages older than 1 hour reached. Try again later",
            retry_after=OLD_EDITS_PER - (now - place.old_edits[0]),
        )
    place.old_edits.append(now)


def _page(newest_first: list[Message], query: Mapping[str, str], most: int) -> list[Message]:
    """Return the messages before, after or around one, else the newest. Raises ApiError 50035."""
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
    """Parse a number in the query. Raises ApiError 50035 if it is not a number."""
    text = query.get(name, str(otherwise))
    if not (text.isascii() and text.isdigit()):
        raise invalid_form([(name, f'Value "{text}" is not int.')])
    return int(text)


def thread_routes(server: Server) -> list[Route]:
    """Return the routes for threads."""
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
        place.name = body.get("name", place.name)
        world.changed()
        server.change_thread(place, archived=bool(body.get("archived", place.archived)), locked=place.locked)
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
