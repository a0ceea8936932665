"""The REST API: routing, request bodies, rate limits and injected faults."""

import asyncio
import ipaddress
import json
import re
import socket
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import unquote

from aiohttp import BodyPartReader, MultipartReader, web

from bot import paths
from bot.loopback import payloads
from bot.loopback.errors import ApiError, Schemas, Violation, invalid_form, kind
from bot.loopback.gateway import GUILDS, Gateway
from bot.loopback.model import Channel, Guild, Json
from bot.loopback.posting import Answers, Upload
from bot.loopback.world import World


@dataclass(slots=True)
class Fault:
    """A fault for the next requests whose "METHOD /path" matches the pattern."""

    pattern: str
    times: int
    status: int = 0
    code: int = 0
    message: str = "Internal Server Error"
    retry_after: float = 0.0
    seconds: float = 0.0
    released: asyncio.Event | None = None
    takes_effect: bool = False
    drops: bool = False


@dataclass(slots=True)
class Faults:
    """The injected faults; each is used a given number of times.

    A pattern matches "METHOD /path", with `*` for any text: "POST /interactions/*/callback".
    """

    drop: Callable[[bool, int], Awaitable[None]]
    waiting: list[Fault] = field(default_factory=list)

    def fail(
        self,
        pattern: str,
        status: int = 500,
        times: int = 1,
        *,
        code: int = 0,
        message: str = "Internal Server Error",
        takes_effect: bool = False,
    ) -> None:
        """Answer with an error; with `takes_effect`, the request is still executed."""
        self.waiting.append(
            Fault(pattern, times, status=status, code=code, message=message, takes_effect=takes_effect)
        )

    def rate_limit(self, pattern: str, retry_after: float = 0.1, times: int = 1) -> None:
        """Answer 429 with this `retry_after`, in seconds."""
        self.waiting.append(
            Fault(pattern, times, status=429, message="You are being rate limited.", retry_after=retry_after)
        )

    def delay(self, pattern: str, seconds: float, times: int = 1) -> None:
        """Execute the request some seconds later."""
        self.waiting.append(Fault(pattern, times, seconds=seconds))

    def hold(self, pattern: str, times: int = 1) -> asyncio.Event:
        """Hold the request until the returned event is set."""
        released = asyncio.Event()
        self.waiting.append(Fault(pattern, times, released=released))
        return released

    def lose(self, pattern: str, times: int = 1, *, takes_effect: bool = False) -> None:
        """Close the connection without an answer; with `takes_effect`, the request is still executed."""
        self.waiting.append(Fault(pattern, times, drops=True, takes_effect=takes_effect))

    async def drop_gateway(self, resumable: bool = True, code: int = 4000) -> None:
        """Close every gateway connection; sessions that are not resumable are dropped."""
        await self.drop(resumable, code)

    def due(self, method: str, path: str) -> Fault | None:
        """Return the fault for this request and count it as used, or None."""
        for fault in self.waiting:
            if fnmatchcase(f"{method} {path}", f"*{fault.pattern}*"):
                fault.times -= 1
                if fault.times <= 0:
                    self.waiting.remove(fault)
                return fault
        return None


def own_names(host: str = "") -> frozenset[str]:
    """Return the host names of this machine, including the one given with `--host`."""
    machine = socket.gethostname().lower()
    return frozenset({"localhost", machine, f"{machine}.local", host.lower()} - {""})


def is_own_name(host: str, names: Collection[str]) -> bool:
    """Return whether a Host header, with or without a port, is an IP address or a name of this machine.

    A foreign page whose name was made to resolve to this machine (DNS rebinding) sends a foreign name; an IP
    address cannot be made to resolve to another machine.

    >>> [is_own_name(host, {"localhost"}) for host in ("127.0.0.1:80", "[::1]", "localhost", "evil.net")]
    [True, True, True, False]
    """
    name = host.rpartition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.lower() in names
    return True


def is_own_page(headers: Mapping[str, str], host: str) -> bool:
    """Return whether a request comes from a page of this host and port, or has no Origin header."""
    origin = headers.get("Origin")
    return origin is None or origin.partition("://")[2] == host


API = "/api/v10"
# discord.py reads JSON only of exactly this type, and takes a 429 without Via for a ban.
HEADERS = {
    "Content-Type": "application/json",
    "Via": "1.1 loopback",
    "X-RateLimit-Limit": "100000",
    "X-RateLimit-Remaining": "99999",
    "X-RateLimit-Reset-After": "1.000",
    "X-RateLimit-Scope": "user",
}
NOTHING = HEADERS | {"Content-Type": "text/html; charset=utf-8"}
FILE_FIELD = re.compile(r"^files\[(\d+)\]$")
VARIABLE = "{}"
NAMES = own_names()
NO_PAGE = (
    "Only this table's bot can use this address. To play in a browser, run "
    f"{paths.COMMAND} play --web and open the address it prints, like http://127.0.0.1:8377/…/"
)
PICTURES = ("image/gif", "image/jpeg", "image/png", "image/webp")


@dataclass(frozen=True, slots=True)
class Call:
    """One request: the values for the `{}` in its route, the body and the files."""

    request: web.BaseRequest
    args: tuple[str, ...]
    body: Any = None
    uploads: list[Upload] = field(default_factory=list)


Handler = Callable[[Call], Any]


@dataclass(frozen=True, slots=True)
class Route:
    """One entry of the route table; `open` routes need no bot token (their token is in the path)."""

    method: str
    path: str
    handler: Handler
    operation: str = ""
    open: bool = False


@dataclass(eq=False, slots=True)
class Server:
    """The HTTP server, and the state that its routes share."""

    world: World
    gateway: Gateway
    answers: Answers
    faults: Faults
    token: str
    schemas: Schemas | None = None
    violations: list[Violation] = field(default_factory=list)
    requests: int = 0
    held: int = 0
    """How many requests wait for an ordered fault to be over."""
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    table: dict[tuple[str, int, str], list[tuple[tuple[str, ...], Route]]] = field(default_factory=dict)

    def add(self, routes: list[Route]) -> None:
        """Add routes to the table; more specific paths must come first."""
        for route in routes:
            parts = tuple(route.path.split("/"))
            self.table.setdefault((route.method, len(parts), parts[0]), []).append((parts, route))

    async def serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request, including faults and errors.

        Requests from web pages are refused, wherever the page is from: what people type is only for the bot.
        """
        if not is_own_name(request.host, NAMES) or not is_own_page(request.headers, request.host):
            return web.Response(status=403, text=f"{NO_PAGE}\n")
        path = request.path
        if path == "/gateway":
            return await self.gateway.serve(request)
        fault = self.faults.due(request.method, path.removeprefix(API)) if self.faults.waiting else None
        if fault is not None:
            return await self.faulty(request, fault)
        return await self.answer(request)

    async def faulty(self, request: web.BaseRequest, fault: Fault) -> web.StreamResponse:
        """Answer a request with an injected fault."""
        if fault.seconds or fault.released is not None:
            self.held += 1
            try:
                await self.world.clock.sleep(fault.seconds)
                if fault.released is not None:
                    await fault.released.wait()
            finally:
                self.held -= 1
            return await self.answer(request)
        if fault.takes_effect:
            await self.answer(request)
        else:
            await request.read()
        if fault.drops and request.transport is not None:
            request.transport.abort()
            return web.Response(status=499)
        body = {"code": fault.code, "message": fault.message}
        return reply(fault.status, body, fault.retry_after)

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer a request by its route. Raises nothing: an ApiError becomes the response."""
        if request.path.startswith("/attachments/"):
            return self.attachment(request.path)
        if request.path.startswith("/emojis/"):
            return self.emoji(request.path)
        self.requests += 1
        args: tuple[str, ...] = ()
        try:
            route, args = self.find(request.method, request.path)
            if not route.open and request.headers.get("Authorization") != f"Bot {self.token}":
                raise ApiError(401, 0, "401: Unauthorized")
            body, uploads = await read(request)
            if self.schemas is not None and route.operation and body is not None:
                self.hold_against_schema(route.operation, body)
            result = route.handler(Call(request, args, body, uploads))
        except ApiError as error:
            self.answers.note_refusal(args, error)
            return reply(error.status, error.body(), error.retry_after)
        return web.Response(status=204, headers=NOTHING) if result is None else reply(200, result)

    def tell(self, event: str, data: Json, guild: Guild | None) -> None:
        """Send an event to a connected bot, from synchronous code."""
        if self.gateway.sessions:
            told = self.gateway.tell(event, data, guild.id if guild else None, GUILDS)
            task = asyncio.get_running_loop().create_task(told)
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    def change_thread(self, place: Channel, *, archived: bool, locked: bool = False) -> None:
        """Archive, lock or reopen a thread, and tell the bot; nothing happens if it is so already."""
        if (place.archived, place.locked) != (archived, locked):
            place.archived, place.locked = archived, locked
            self.world.changed()
            self.tell("THREAD_UPDATE", payloads.channel(place), place.guild)

    def wake(self, place: Channel) -> None:
        """Make an archived thread active again, as a new message there does; a locked one stays locked."""
        self.change_thread(place, archived=False, locked=place.locked)

    def tell_pins(self, place: Channel) -> None:
        """Tell the bot that a message was pinned or unpinned in a channel."""
        newest = max((message.pinned_at for message in place.pins()), default=None)
        told = {"channel_id": str(place.id), "last_pin_timestamp": payloads.moment(newest)}
        self.tell("CHANNEL_PINS_UPDATE", told | guild_of(place), place.guild)

    def find(self, method: str, path: str) -> tuple[Route, tuple[str, ...]]:
        """Return the route for a path and the values of its variables.

        Raises ApiError 404 if there is no such route.
        """
        if path.startswith(API):
            parts = path[len(API) + 1 :].split("/")
            for pattern, route in self.table.get((method, len(parts), parts[0]), ()):
                if all(want in (VARIABLE, got) for want, got in zip(pattern, parts, strict=True)):
                    variables = (got for want, got in zip(pattern, parts, strict=True) if want == VARIABLE)
                    return route, tuple(variables)
        raise ApiError(404, 0, "404: Not Found")

    def hold_against_schema(self, operation: str, body: Any) -> None:
        """Check a body against Discord's OpenAPI description, and record the violation if there is one.

        Raises ApiError 50035 with the first error if the body does not match.
        """
        assert self.schemas is not None
        violation = self.schemas.check(operation, body)
        if violation is not None:
            self.violations.append(violation)
            raise invalid_form([("schema", violation.sentence)])

    def attachment(self, path: str) -> web.Response:
        """Return the response for a file attached to a message."""
        number = path.split("/")[3]
        file = self.world.files.get(int(number)) if number.isdigit() else None
        if file is None:
            return web.Response(status=404)
        # A page that somebody uploads is not to be opened as one.
        served = kind(file) if kind(file) in PICTURES else "application/octet-stream"
        return web.Response(body=file.data, content_type=served)

    def emoji(self, path: str) -> web.Response:
        """Return the response for an emoji image, at `/emojis/123.png`."""
        number = path.removeprefix("/emojis/").rpartition(".")[0]
        emoji = self.world.emojis.get(int(number)) if number.isdigit() else None
        if emoji is None:
            return web.Response(status=404)
        return web.Response(body=emoji.data, content_type=emoji.kind)


def guild_of(place: Channel) -> Json:
    """Return the part of an event that says in which guild it happened; nothing for direct messages."""
    return {} if place.guild is None else {"guild_id": str(place.guild.id)}


def reply(status: int, body: Any, retry_after: float = 0.0) -> web.Response:
    """Return a JSON response with Discord's headers; for status 429, with the seconds to wait."""
    headers = HEADERS
    if status == 429:
        body |= {"retry_after": retry_after, "global": False}
        headers = HEADERS | {"Retry-After": str(retry_after)}
    return web.Response(status=status, headers=headers, body=json.dumps(body, separators=(",", ":")).encode())


async def read(request: web.BaseRequest) -> tuple[Any, list[Upload]]:
    """Return the JSON body and the files of a request.

    Raises ApiError 50109 if the body is not JSON.
    """
    if not request.can_read_body:
        return None, []
    if not request.content_type.startswith("multipart/"):
        return parsed(await request.read()), []
    body: Any = {}
    uploads: list[Upload] = []
    form: MultipartReader = await request.multipart()
    async for part in form:
        if not isinstance(part, BodyPartReader):
            continue
        data = bytes(await part.read())
        found = FILE_FIELD.match(part.name or "")
        if found:
            uploads.append(Upload(found[1], unquote(part.filename or "file"), data))
        elif part.name == "payload_json":
            body = parsed(data)
    return body, uploads


def parsed(data: bytes) -> Any:
    """Parse JSON.

    Raises ApiError 50109 if it is not JSON.
    """
    if not data:
        return None
    try:
        return json.loads(data)
    except ValueError:
        raise ApiError(400, 50109, "The request body contains invalid JSON.") from None
