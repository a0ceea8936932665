"""Store the channels, chat and pins of the local table, so that they survive a restart."""

import asyncio
import base64
import json
import logging
import os
import sqlite3
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bot.clock import Clock
from bot.loopback.driver import Loopback
from bot.loopback.model import (
    LOADING,
    AnswerType,
    Channel,
    Emoji,
    File,
    FirstResponse,
    Interaction,
    InteractionKind,
    Json,
    Message,
    ScheduledEvent,
    User,
    Webhook,
)
from bot.loopback.world import Happening, World

VERSION = 1
TABLES = """
CREATE TABLE IF NOT EXISTS thing (kind TEXT, id INTEGER, body TEXT NOT NULL, PRIMARY KEY (kind, id));
CREATE TABLE IF NOT EXISTS message (
    channel INTEGER, id INTEGER, pinned INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (channel, id)
);
CREATE TABLE IF NOT EXISTS file (id INTEGER PRIMARY KEY, message INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS file_of ON file (message);
"""
TOO_MANY = """
DELETE FROM message WHERE channel = ? AND NOT pinned AND id <= (
    SELECT id FROM message WHERE channel = ? ORDER BY id DESC LIMIT 1 OFFSET ?
)
"""


class TableFileUnusable(Exception):
    """The file cannot be used; the message is one line."""


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A stored message with its channel, and the data of its files by id."""

    channel: int
    id: int
    is_pinned: bool
    body: str
    files: dict[int, bytes] = field(default_factory=dict, repr=False)


@dataclass(slots=True)
class StoredRows:
    """All stored rows, or those that changed."""

    things: dict[tuple[str, int], str] = field(default_factory=dict)
    messages: list[MessageRow] = field(default_factory=list)
    lost: list[tuple[str, int]] = field(default_factory=list)
    """Things that are gone."""
    gone: list[tuple[int, int]] = field(default_factory=list)
    """Messages that are gone, by channel and id."""


class LocalTableFile:
    """The open database file; one thread at a time may use it, not always the same one."""

    def __init__(self, path: Path, most: int) -> None:
        self.path = path
        self.most = most
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # what is said here is for its owner alone
            self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._begin()
        except (OSError, sqlite3.Error) as error:
            raise TableFileUnusable(f"{path} cannot be used: {error}. Start over with --fresh") from error

    def _begin(self) -> None:
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise sqlite3.DatabaseError("it was made by a newer version of this program")
        self._database.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; {TABLES}")
        self._database.execute(f"PRAGMA user_version = {VERSION}")

    def read(self) -> StoredRows:
        """Return all stored rows, oldest messages first."""
        every = self._database.execute
        data: dict[int, dict[int, bytes]] = {}
        for number, message, blob in every("SELECT id, message, data FROM file ORDER BY id"):
            data.setdefault(message, {})[number] = blob
        rows = StoredRows(
            {(kind, number): body for kind, number, body in every("SELECT kind, id, body FROM thing")}
        )
        for channel, number, pinned, body in every("SELECT * FROM message ORDER BY id"):
            rows.messages.append(MessageRow(channel, number, bool(pinned), body, data.get(number, {})))
        return rows

    def write(self, rows: StoredRows) -> None:
        """Store the changed rows in one transaction. Raises sqlite3.Error if that fails."""
        with closing(self._database.cursor()) as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            try:
                self._write(cursor, rows)
                cursor.execute("COMMIT")
            except BaseException:
                cursor.execute("ROLLBACK")
                raise

    def _write(self, cursor: sqlite3.Cursor, rows: StoredRows) -> None:
        things = [(kind, number, body) for (kind, number), body in rows.things.items()]
        cursor.executemany("INSERT OR REPLACE INTO thing VALUES (?, ?, ?)", things)
        cursor.executemany("DELETE FROM thing WHERE kind = ? AND id = ?", rows.lost)
        kept = [(row.channel, row.id, row.is_pinned, row.body) for row in rows.messages]
        cursor.executemany("INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?)", kept)
        for row in rows.messages:
            cursor.execute(
                f"DELETE FROM file WHERE message = ? AND id NOT IN ({_marks(row.files)})",
                (row.id, *row.files),
            )
            files = [(number, row.id, data) for number, data in row.files.items()]
            cursor.executemany("INSERT OR IGNORE INTO file VALUES (?, ?, ?)", files)
        cursor.executemany("DELETE FROM message WHERE channel = ? AND id = ?", rows.gone)
        for channel in {row.channel for row in rows.messages}:
            cursor.execute(TOO_MANY, (channel, channel, self.most))
        if rows.gone or rows.messages:
            cursor.execute("DELETE FROM file WHERE message NOT IN (SELECT id FROM message)")

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def _marks(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)


def forget(path: Path) -> None:
    """Delete the file and the files that SQLite keeps beside it.

    Raises TableFileUnusable if it cannot be deleted.
    """
    for beside in ("", "-wal", "-shm"):
        try:
            path.with_name(path.name + beside).unlink(missing_ok=True)
        except OSError as error:
            raise TableFileUnusable(f"{path} cannot be deleted: {error}.") from error


FILES = "attachments://kept"
"""What stands for the address of files, whose port is another one each evening."""


def things(loopback: Loopback, known: dict[tuple[str, int], str]) -> dict[tuple[str, int], str]:
    """Serialize people, places, webhooks, emojis and events; an emoji in `known` is not serialized again."""
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
    """Restore the people, places, webhooks, emojis and events that were stored."""
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
        world.home.events[number] = ScheduledEvent(**event)


def _by_place(one: tuple[int, Json]) -> int:
    return int(one[1]["place"])


def _read_channel(world: World, number: int, body: Json) -> None:
    """Restore a channel; one that exists already keeps its id and gets the stored state."""
    place = world.channels.get(number)
    if place is None:
        home = world.home if body["is_here"] else None
        place = world.channels[number] = Channel(number, body["name"], body["kind"], home)
    place.parent = world.channels.get(body["parent"] or 0)
    place.recipient = world.users.get(body["recipient"] or 0)
    place.owner = world.users.get(body["owner"] or 0)
    place.archived, place.locked = body["archived"], body["locked"]
    place.people = set(body["people"])


def message_row(world: World, message: Message) -> MessageRow:
    """Return a message as a row, with the interaction behind it."""
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
    """Restore a message in its channel, if the channel still exists."""
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
    """Restore the interaction behind a message; its token keeps its age and may still be valid."""
    opened = world.interactions.get(body["id"])
    if opened is None:
        user = world.users.get(body["user"])
        if user is None:
            return
        first: asyncio.Future[FirstResponse | None] = asyncio.get_running_loop().create_future()
        at = world.clock.monotonic() - (world.clock.now().timestamp() - body["at"])
        kind = InteractionKind(body["kind"])
        opened = Interaction(body["id"], body["token"], kind, user, message.channel, at, first)
        opened.payload = {"data": body["data"]}
        opened.answer = FirstResponse(AnswerType.MESSAGE, {}, message)
        first.set_result(opened.answer)
        world.open_interaction(opened)
    opened.messages.append(message)
    if body["is_original"]:
        opened.original = message


log = logging.getLogger(__name__)

PAUSE = 0.3
"""Seconds in which what happens is gathered, to be written at once."""
AGAIN = 5.0
"""Seconds until what could not be written is tried again."""


class WorldRecorder:
    """Records the changes of a world in the file."""

    def __init__(self, loopback: Loopback, shelf: LocalTableFile, known: dict[tuple[str, int], str]) -> None:
        self.loopback = loopback
        self.shelf = shelf
        self.known = known
        self.fresh: dict[int, Message] = {}
        self.gone: set[tuple[int, int]] = set()
        self.is_other = False
        self.is_over = asyncio.Event()
        self.writing: asyncio.Task[None] | None = None
        loopback.world.listeners.append(self.happened)
        loopback.world.watchers.append(self.changed)

    def happened(self, happening: Happening) -> None:
        """Record that a message was created, edited or deleted."""
        message = happening.message
        if happening.kind == "deleted":
            self.fresh.pop(message.id, None)
            self.gone.add((message.channel.id, message.id))
        else:
            self.fresh[message.id] = message
        self.soon()

    def changed(self) -> None:
        """Record that people or places changed."""
        self.is_other = True
        self.soon()

    def soon(self) -> None:
        """Schedule a write."""
        if self.writing is None or self.writing.done():
            self.writing = asyncio.get_running_loop().create_task(self.write_soon())

    async def write_soon(self) -> None:
        """Write until no changes are left."""
        while (self.fresh or self.gone or self.is_other) and not self.is_over.is_set():
            await self.rest(PAUSE)
            if not await self.write():
                await self.rest(AGAIN)

    async def write(self) -> bool:
        """Write all recorded changes; return whether that succeeded."""
        fresh, gone = self.fresh, self.gone
        self.fresh, self.gone, self.is_other = {}, set(), False
        now = things(self.loopback, self.known)
        rows = StoredRows({key: body for key, body in now.items() if self.known.get(key) != body})
        rows.messages = [
            message_row(self.loopback.world, message) for message in fresh.values() if not message.deleted
        ]
        rows.lost = [key for key in self.known if key not in now]
        rows.gone = sorted(gone)
        try:
            await asyncio.to_thread(self.shelf.write, rows)
        except sqlite3.Error as error:
            log.warning("%s could not be written: %s", self.shelf.path, error)
            self.fresh, self.gone = {**fresh, **self.fresh}, gone | self.gone
            self.is_other = True
            return False
        self.known = now
        return True

    async def close(self) -> None:
        """Write the remaining changes and close the file."""
        self.loopback.world.listeners.remove(self.happened)
        self.loopback.world.watchers.remove(self.changed)
        self.is_over.set()
        if self.writing is not None:
            await asyncio.wait({self.writing})  # it may be in the middle of it
        await self.write()
        await asyncio.to_thread(self.shelf.close)

    async def rest(self, seconds: float) -> None:
        """Wait some seconds, or until the table is closed."""
        with suppress(TimeoutError):
            async with self.loopback.world.clock.timeout(seconds):
                await self.is_over.wait()


@asynccontextmanager
async def remembered(loopback: Loopback, path: Path, *, is_fresh: bool = False) -> AsyncIterator[None]:
    """Restore a table from its file and record its changes while the context is open.

    With `is_fresh`, the table starts empty. Raises TableFileUnusable if the file cannot be read or written.
    """
    world = loopback.world
    if is_fresh:
        await asyncio.to_thread(forget, path)
    shelf = await asyncio.to_thread(LocalTableFile, path, world.keep_messages)
    rows = await asyncio.to_thread(shelf.read)
    read_things(loopback, rows.things)
    for kept in rows.messages:
        read_row(world, kept)
    memory = WorldRecorder(loopback, shelf, rows.things)
    try:
        yield
    finally:
        await memory.close()
