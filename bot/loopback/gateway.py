"""The gateway: the WebSocket over which the bot receives events."""

import asyncio
import json
import secrets
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from bot.clock import Clock
from bot.loopback import payloads
from bot.loopback.model import Json, user_json
from bot.loopback.world import World

GUILDS, GUILD_MESSAGES = 1 << 0, 1 << 9
DISPATCH, HEARTBEAT, IDENTIFY, RESUME = 0, 1, 2, 6
REMEMBERED = 1_000
WRONG_TOKEN, WRONG_SHARD = 4004, 4010
GOODBYE = (1000, 1001)
BREATH = 0.05
"""Seconds until a heartbeat is answered.

discord.py notes when it sent a heartbeat only after it was sent, in a thread of its own. An answer that is
there before that is measured from the heartbeat before: `Can't keep up, … 41.3s behind`.
"""


@dataclass(eq=False, slots=True)
class GatewaySocket:
    """One open WebSocket, compressed if the bot asked for it."""

    socket: web.WebSocketResponse
    clock: Clock
    packer: Any = None
    beats: set[asyncio.Task[None]] = field(default_factory=set)
    """Answers to heartbeats, on their way."""

    def beat(self) -> None:
        """Schedule the acknowledgement of a heartbeat."""
        task = asyncio.get_running_loop().create_task(self.answer())
        self.beats.add(task)
        task.add_done_callback(self.beats.discard)

    async def answer(self) -> None:
        """Send a heartbeat acknowledgement, after a delay that stands for Discord's latency."""
        await self.clock.sleep(BREATH)
        await self.send('{"op":11}')

    async def send(self, text: str) -> None:
        """Send one payload, unless the socket is closing."""
        try:
            if self.packer is None:
                await self.socket.send_str(text)
            else:
                # By the flush's last bytes the other side knows that a payload is whole.
                packed = self.packer.compress(text.encode()) + self.packer.flush(zlib.Z_SYNC_FLUSH)
                await self.socket.send_bytes(packed)
        except ConnectionError:
            return


@dataclass(eq=False, slots=True)
class GatewaySession:
    """The events sent to a shard since it identified; a session outlives a lost socket."""

    id: str
    intents: int
    shard: tuple[int, int]
    line: GatewaySocket | None
    sequence: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    async def dispatch(self, event: str, data: str) -> None:
        """Number an event, store it, and send it if a socket is connected."""
        self.sequence += 1
        text = f'{{"op":0,"s":{self.sequence},"t":"{event}","d":{data}}}'
        self.sent.append((self.sequence, text))
        if self.line is not None:
            await self.line.send(text)

    def can_replay(self, sequence: int) -> bool:
        """Return whether every event after this sequence number is still stored."""
        return sequence <= self.sequence and (not self.sent or self.sent[0][0] <= sequence + 1)


@dataclass(eq=False, slots=True)
class Gateway:
    """All gateway sessions of the bot."""

    world: World
    token: str
    url: Callable[[], str]
    heartbeat: float = 41.25
    shards: int = 1
    """How many shards are recommended."""
    concurrency: int = 1
    """How many may identify at once: shards whose numbers differ by a multiple of it take turns."""
    pause: float = 0.0
    """Seconds between two turns; Discord has 5."""
    sessions: dict[str, GatewaySession] = field(default_factory=dict)
    lines: set[GatewaySocket] = field(default_factory=set)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    refuses: int = 0
    """The close code with which everybody is turned away, if not 0."""
    identified: int = 0
    resumed: int = 0
    hasty: int = 0
    """How many identified before it was their turn, and were sent away."""
    doubled: int = 0
    """How many identified while their shard was connected already."""
    held: list[tuple[GatewaySession, str, str]] | None = None
    """Events that are on their way for as long as they are held up; None where none are."""
    _turns: dict[int, float] = field(default_factory=dict)
    _count: int = 1

    async def serve(self, request: web.BaseRequest) -> web.WebSocketResponse:
        """Serve one WebSocket until it closes."""
        socket = web.WebSocketResponse(timeout=2.0, max_msg_size=0)
        await socket.prepare(request)
        packed = request.query.get("compress") == "zlib-stream"
        line = GatewaySocket(socket, self.world.clock, zlib.compressobj() if packed else None)
        self.lines.add(line)
        try:
            # HELLO: nothing else may come first.
            await line.send(dumps({"op": 10, "d": {"heartbeat_interval": int(self.heartbeat * 1000)}}))
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    await self.heard(line, json.loads(frame.data))
        finally:
            self.lost(line)
        return socket

    def lost(self, line: GatewaySocket) -> None:
        """Handle a closed socket; after close code 1000 or 1001, its session cannot be resumed."""
        self.lines.discard(line)
        for task in line.beats:
            task.cancel()
        for session in [s for s in self.sessions.values() if s.line is line]:
            session.line = None
            if line.socket.close_code in GOODBYE:
                del self.sessions[session.id]
        self.look()

    def look(self) -> None:
        """Update the bot's presence: it is online if all of its shards are connected."""
        self.present(self.served() >= set(range(self._count)))

    def present(self, is_there: bool) -> None:
        """Mark the bot as online or offline."""
        if is_there:
            self.ready.set()
        else:
            self.ready.clear()
        self.world.changed()

    def served(self) -> set[int]:
        """Return the connected shards, given the shard count of the latest identify."""
        there = [session.shard for session in self.sessions.values() if session.line is not None]
        return {number for number, count in there if count == self._count}

    async def heard(self, line: GatewaySocket, payload: Json) -> None:
        """Handle a payload from the bot: heartbeat, identify or resume; ignore the others."""
        if payload["op"] == HEARTBEAT:
            line.beat()
        elif payload["op"] == IDENTIFY:
            await self.identify(line, payload["d"])
        elif payload["op"] == RESUME:
            await self.resume(line, payload["d"])

    async def identify(self, line: GatewaySocket, hello: Json) -> None:
        """Start a session: send READY, then each guild of the shard."""
        if self.refuses:
            await line.socket.close(code=self.refuses, message=b"Not allowed.")
            return
        if hello.get("token") != self.token:
            await line.socket.close(code=WRONG_TOKEN, message=b"Authentication failed.")
            return
        number, count = shard = tuple(hello.get("shard") or (0, 1))
        if not 0 <= number < count:
            await line.socket.close(code=WRONG_SHARD, message=b"Invalid shard.")
            return
        if not self.is_in_turn(number):
            self.hasty += 1
            await line.send('{"op":9,"d":false}')
            return
        self.doubled += any(other.shard == shard and other.line for other in self.sessions.values())
        self._count = count
        session = GatewaySession(secrets.token_hex(16), hello.get("intents", 0), shard, line)
        self.sessions[session.id] = session
        self.identified += 1
        guilds = [g for g in self.world.guilds.values() if g.has_bot and owns(session, g.id)]
        data = {
            "v": 10,
            "user": {**user_json(self.world.bot), "verified": True, "mfa_enabled": False, "email": None},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.url(),
            "application": {"id": str(self.world.bot.id), "flags": 0},
            "private_channels": [],
            "shard": list(shard),
        }
        await session.dispatch("READY", dumps(data))
        if session.intents & GUILDS:
            for guild in guilds:
                await session.dispatch("GUILD_CREATE", dumps(payloads.guild(guild, self.world)))
        self.look()

    def is_in_turn(self, number: int) -> bool:
        """Return whether a shard may identify now; if so, the next one in its bucket has to wait."""
        now, turn = self.world.clock.monotonic(), number % self.concurrency
        if now - self._turns.get(turn, -self.pause) < self.pause:
            return False
        self._turns[turn] = now
        return True

    async def resume(self, line: GatewaySocket, last: Json) -> None:
        """Replay the events that a lost socket missed, or tell the bot to identify again."""
        session = self.sessions.get(last.get("session_id", ""))
        if last.get("token") != self.token:
            await line.socket.close(code=WRONG_TOKEN, message=b"Authentication failed.")
        elif session is None or not session.can_replay(last["seq"]):
            await line.send('{"op":9,"d":false}')
        else:
            for sequence, text in list(session.sent):
                if sequence > last["seq"]:
                    await line.send(text)
            session.line = line
            self.resumed += 1
            await session.dispatch("RESUMED", "{}")
            self.look()

    async def tell(self, event: str, data: Json, guild_id: int | None, intent: int = 0) -> None:
        """Send an event to the session of its shard, if that session has the intent."""
        guild = self.world.guilds.get(guild_id or 0)
        if guild is not None and not guild.has_bot and event != "INTERACTION_CREATE":
            return  # only what people ask of it there reaches it
        text = dumps(data)
        for session in list(self.sessions.values()):
            wanted = not intent or session.intents & intent
            if not wanted or not owns(session, guild_id or 0):
                continue
            if self.held is None:
                await session.dispatch(event, text)
            else:
                self.held.append((session, event, text))

    def hold(self) -> None:
        """Hold back all events from now on, as if Discord were slow or the bot hung."""
        self.held = []

    async def release(self) -> None:
        """Send the events that were held back, in order."""
        late, self.held = self.held or [], None
        for session, event, text in late:
            await session.dispatch(event, text)

    async def drop(self, resumable: bool, code: int) -> None:
        """Close every socket; if `resumable` is false, drop the sessions too."""
        if not resumable:
            self.sessions.clear()
        for session in self.sessions.values():
            session.line = None
        self.look()
        for line in list(self.lines):
            await line.socket.close(code=code)


def owns(session: GatewaySession, guild_id: int) -> bool:
    """Return whether a session's shard handles this guild (0: direct messages)."""
    number, count = session.shard
    return (guild_id >> 22) % count == number


def dumps(data: Any) -> str:
    """Return compact JSON."""
    return json.dumps(data, separators=(",", ":"))
