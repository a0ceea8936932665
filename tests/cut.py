"""A line that breaks: a TCP proxy between the bot and its Discord, which cuts on a chosen request."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

import discord

from tests.patience import PATIENCE

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cut:
    """The connection breaks at a request whose "METHOD /path" matches, when Discord has had it or before."""

    pattern: str
    after: bool


@dataclass(slots=True)
class Proxy:
    """Hands requests on, one after the other on each connection, until one of them is to be cut."""

    host: str
    port: int
    cuts: list[Cut] = field(default_factory=list)
    done: list[Cut] = field(default_factory=list)

    def cut(self, pattern: str, *, after: bool) -> None:
        """Cut the next such request once."""
        self.cuts.append(Cut(pattern, after))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of the bot's."""
        upstream, downstream = await asyncio.open_connection(self.host, self.port)
        try:
            while request := await whole(reader):
                cut = self._due(request)
                if cut is None or cut.after:
                    downstream.write(request)
                    answer = await whole(upstream)
                if cut is not None:
                    return
                writer.write(answer)
        finally:
            writer.transport.abort()
            downstream.transport.abort()

    def _due(self, request: bytes) -> Cut | None:
        method, path, _ = request.split(b"\r\n", 1)[0].decode().split(" ")
        for cut in self.cuts:
            if fnmatchcase(f"{method} {path}", f"*{cut.pattern}*"):
                self.cuts.remove(cut)
                self.done.append(cut)
                return cut
        return None


async def whole(reader: asyncio.StreamReader) -> bytes:
    """One request or response with its body; nothing where the line is closed."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""
    found = LENGTH.search(head)
    return head + (await reader.readexactly(int(found[1])) if found else b"")


@asynccontextmanager
async def proxied() -> AsyncIterator[Proxy]:
    """Everything that the bot asks of Discord goes through the proxy; the gateway does not."""
    direct = discord.http.Route.BASE
    there = urlsplit(direct)
    assert there.hostname is not None
    assert there.port is not None
    proxy = Proxy(there.hostname, there.port)
    server = await asyncio.start_server(proxy.serve, there.hostname, 0)
    port = server.sockets[0].getsockname()[1]
    discord.http.Route.BASE = f"http://{there.hostname}:{port}{there.path}"
    try:
        yield proxy
    finally:
        discord.http.Route.BASE = direct
        server.close()


@dataclass(slots=True)
class Pipe:
    """A line of bytes to a server behind a Unix socket, which can be down for a while."""

    path: str
    port: int = 0
    _writers: set[asyncio.StreamWriter] = field(default_factory=set)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _server: asyncio.Server | None = None

    async def up(self) -> None:
        """Let connections through; on the same port, if it was up before."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    def down(self) -> None:
        """Break every connection, and refuse new ones."""
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def end(self) -> None:
        """Break every connection for good, and wait until they are gone."""
        self.down()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=PATIENCE)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if task := asyncio.current_task():
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        upstream, downstream = await asyncio.open_unix_connection(self.path)
        self._writers |= {writer, downstream}
        await asyncio.gather(_copy(reader, downstream), _copy(upstream, writer))


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.transport.abort()
