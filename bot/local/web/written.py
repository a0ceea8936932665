"""People, places and messages as JSON that can be kept, and read again another day; pure."""

import asyncio
import base64
import json
from dataclasses import asdict

from bot.clock import Clock
from bot.local.driver import Loopback
from bot.local.interaction import Answer, AnswerType, Interaction, Kind
from bot.local.message import LOADING, Channel, File, Json, Message, Webhook
from bot.local.places import Emoji, Event, User
from bot.local.web.shelf import MessageRow
from bot.local.world import World

FILES = "attachments://kept"
"""What stands for the address of files, whose port is another one each evening."""


def things(loopback: Loopback, known: dict[tuple[str, int], str]) -> dict[tuple[str, int], str]:
    """People, places, webhooks, emojis and planned events; an emoji that is `known` is not written anew."""
    world = loopback.world
    found: dict[tuple[str, int], Json] = {}
    for place, person in enumerate(loopback.people()):
        is_manager = person.user.manage_guild
        found["person", person.id] = {"name": person.user.name, "manages": is_manager, "place": place}
    for place, channel in enumerate(world.channels.values()):
        if channel.guild in (None, world.home):
            found["channel", channel.id] = _channel(channel) | {"place": place}
    for hook in world.webhooks.values():
        found["webhook", hook.id] = {"token": hook.token, "name": hook.name, "channel": hook.channel.id}
    for event in world.home.events.values():
        found["event", event.id] = asdict(event)
    written = {key: json.dumps(body) for key, body in found.items()}
    for emoji in world.emojis.values():
        named = ("emoji", emoji.id)
        is_known = named in known and json.loads(known[named])["name"] == emoji.name
        written[named] = known[named] if is_known else json.dumps(_emoji(emoji))
    return written


def _channel(channel: Channel) -> Json:
    return {
        "name": channel.name,
        "kind": channel.kind,
        "is_here": channel.guild is not None,
        "parent": channel.parent.id if channel.parent else None,
        "recipient": channel.recipient.id if channel.recipient else None,
        "owner": channel.owner.id if channel.owner else None,
        "archived": channel.archived,
        "locked": channel.locked,
        "people": sorted(channel.people),
    }


def _emoji(emoji: Emoji) -> Json:
    return {"name": emoji.name, "kind": emoji.kind, "data": base64.b64encode(emoji.data).decode()}


def read_things(loopback: Loopback, written: dict[tuple[str, int], str]) -> None:
    """Let there be again whoever and whatever there was."""
    world = loopback.world
    found: dict[str, list[tuple[int, Json]]] = {}
    for (kind, number), body in written.items():
        found.setdefault(kind, []).append((number, json.loads(body)))
    for _, person in sorted(found.get("person", ()), key=_by_place):
        loopback.person(person["name"], manage_guild=person["manages"])
    for number, channel in sorted(found.get("channel", ()), key=_by_place):
        _read_channel(world, number, channel)
    for number, hook in found.get("webhook", ()):
        if place := world.channels.get(hook["channel"]):
            world.webhooks[number] = Webhook(number, hook["token"], hook["name"], place)
    for number, emoji in found.get("emoji", ()):
        data = base64.b64decode(emoji["data"])
        world.emojis[number] = Emoji(number, emoji["name"], data, emoji["kind"])
    for number, event in found.get("event", ()):
        world.home.events[number] = Event(**event)


def _by_place(one: tuple[int, Json]) -> int:
    return int(one[1]["place"])


def _read_channel(world: World, number: int, body: Json) -> None:
    """A place that is there anyway keeps its id and is as it was."""
    place = world.channels.get(number)
    if place is None:
        home = world.home if body["is_here"] else None
        place = world.channels[number] = Channel(number, body["name"], body["kind"], home)
    place.parent = world.channels.get(body["parent"] or 0)
    place.recipient = world.users.get(body["recipient"] or 0)
    place.owner = world.users.get(body["owner"] or 0)
    place.archived, place.locked = body["archived"], body["locked"]
    place.people = set(body["people"])


def row(world: World, message: Message) -> MessageRow:
    """A message as it is kept, with how it came about."""
    opened = world.interactions.get(message.interaction or 0)
    author = message.author
    body = {
        "author": author.id if author.id in world.users else _stranger(author),
        "viewer": message.viewer.id if message.viewer else None,
        "opened": _opened(opened, message, world.clock) if opened else None,
        "metadata": message.interaction_metadata,
        "content": message.content,
        "components": message.components,
        "embeds": message.embeds,
        "flags": message.flags,
        "files": [[file.id, file.name, file.description] for file in message.files],
        "pings": sorted(map(str, message.pings)),
        "nonce": message.nonce,
        "created": message.created,
        "edited": message.edited,
        "webhook": message.webhook,
        "pinned_at": message.pinned_at,
    }
    written = json.dumps(body).replace(json.dumps(world.files_url)[1:-1], FILES)
    files = {file.id: file.data for file in message.files}
    return MessageRow(message.channel.id, message.id, message.pinned, written, files)


def _stranger(author: User) -> Json:
    return {"id": author.id, "name": author.name, "display": author.display, "avatar": author.avatar}


def _opened(opened: Interaction, message: Message, clock: Clock) -> Json:
    data = {name: body for name, body in opened.payload["data"].items() if name != "resolved"}
    return {
        "id": opened.id,
        "token": opened.token,
        "kind": int(opened.kind),
        "user": opened.user.id,
        "at": clock.now().timestamp() - (clock.monotonic() - opened.opened),
        "is_original": opened.original is message,
        "data": data,
    }


def read_row(world: World, kept: MessageRow) -> None:
    """Let a message stand where it stood, if its place is still there."""
    world.last_id = max(world.last_id, kept.id)  # whatever has become of the clock
    place = world.channels.get(kept.channel)
    if place is None:
        return
    body = json.loads(kept.body.replace(FILES, json.dumps(world.files_url)[1:-1]))
    known = body["author"]
    author = world.users.get(known) if isinstance(known, int) else User(is_bot=True, **known)
    viewer = world.users.get(body["viewer"] or 0)
    is_unsaid = body["flags"] & LOADING  # nobody remembers what was thought about
    if author is None or is_unsaid or (body["viewer"] and viewer is None):
        return
    message = Message(
        kept.id,
        place,
        author,
        viewer,
        body["opened"]["id"] if body["opened"] else None,
        body["metadata"],
        body["content"],
        body["components"],
        body["embeds"],
        body["flags"],
        pings=frozenset(int(one) if one.isdigit() else one for one in body["pings"]),
        nonce=body["nonce"],
        created=body["created"],
        edited=body["edited"],
        webhook=body["webhook"],
        pinned_at=body["pinned_at"],
        pinned=kept.is_pinned,
    )
    for number, name, description in body["files"]:
        url = f"{world.files_url}/{place.id}/{number}/{name}"
        file = File(number, name, kept.files.get(number, b""), url, description)
        world.files[number] = file
        message.files.append(file)
    place.messages[message.id] = message
    if body["opened"]:
        _reopen(world, message, body["opened"])


def _reopen(world: World, message: Message, body: Json) -> None:
    """How a message came about; its token is as old as it is, and may still be good."""
    opened = world.interactions.get(body["id"])
    if opened is None:
        user = world.users.get(body["user"])
        if user is None:
            return
        first: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        at = world.clock.monotonic() - (world.clock.now().timestamp() - body["at"])
        kind = Kind(body["kind"])
        opened = Interaction(body["id"], body["token"], kind, user, message.channel, at, first)
        opened.payload = {"data": body["data"]}
        opened.answer = Answer(AnswerType.MESSAGE, {}, message)
        first.set_result(opened.answer)
        world.open_interaction(opened)
    opened.messages.append(message)
    if body["is_original"]:
        opened.original = message
