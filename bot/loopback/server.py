"""The REST API: routes, bodies, rate limits, and faults on order."""

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

from bot import settings
from bot.loopback.errors import ApiError, Schemas, Violation, invalid_form, kind
from bot.loopback.gateway import GUILDS, Gateway
from bot.loopback.model import Guild, Json
from bot.loopback.posting import Answers, Upload
from bot.loopback.world import World


@dataclass(slots=True)
class Fault:
    """What happens to the next requests whose "METHOD /path" matches the pattern."""

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
    """The faults ordered; each is used up after its number of times.

    A pattern is any part of "METHOD /path", with `*` for anything: "POST /interactions/*/callback".
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
        """Answer with an error; with `takes_effect` the request is done all the same."""
        self.waiting.append(
            Fault(pattern, times, status=status, code=code, message=message, takes_effect=takes_effect)
        )

    def rate_limit(self, pattern: str, retry_after: float = 0.1, times: int = 1) -> None:
        """Answer 429 and ask to come back after some seconds."""
        self.waiting.append(
            Fault(pattern, times, status=429, message="You are being rate limited.", retry_after=retry_after)
        )

    def delay(self, pattern: str, seconds: float, times: int = 1) -> None:
        """Do it some seconds later."""
        self.waiting.append(Fault(pattern, times, seconds=seconds))

    def hold(self, pattern: str, times: int = 1) -> asyncio.Event:
        """Do it only once the event that is given here is set."""
        released = asyncio.Event()
        self.waiting.append(Fault(pattern, times, released=released))
        return released

    def lose(self, pattern: str, times: int = 1, *, takes_effect: bool = False) -> None:
        """Cut the connection without any answer."""
        self.waiting.append(Fault(pattern, times, drops=True, takes_effect=takes_effect))

    async def drop_gateway(self, resumable: bool = True, code: int = 4000) -> None:
        """Cut every gateway connection; a session that is not resumable is forgotten."""
        await self.drop(resumable, code)

    def due(self, method: str, path: str) -> Fault | None:
        """The fault for this request, used once."""
        for fault in self.waiting:
            if fnmatchcase(f"{method} {path}", f"*{fault.pattern}*"):
                fault.times -= 1
                if fault.times <= 0:
                    self.waiting.remove(fault)
                return fault
        return None


def own_names(host: str = "") -> frozenset[str]:
    """The names by which this machine is called, that of `--host` included."""
    machine = socket.gethostname().lower()
    return frozenset({"localhost", machine, f"{machine}.local", host.lower()} - {""})


def is_own_name(host: str, names: Collection[str]) -> bool:
    """The name, with or without a port, is a number or a name of this machine.

    A page elsewhere that lets its name point here (DNS rebinding) comes by a foreign name; a number cannot be
    pointed anywhere.

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
    """A page that sends or connects here is of this very host and port; what is no page says no origin."""
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
    f"{settings.COMMAND} play --web and open the address it prints, like http://127.0.0.1:8377/…/"
)
PICTURES = ("image/gif", "image/jpeg", "image/png", "image/webp")


@dataclass(frozen=True, slots=True)
class Call:
    """One request: what stands in the `{}` of its route, the body and the files."""

    request: web.BaseRequest
    args: tuple[str, ...]
    body: Any = None
    uploads: list[Upload] = field(default_factory=list)


Handler = Callable[[Call], Any]


@dataclass(frozen=True, slots=True)
class Route:
    """One row of the table: `open` routes need no bot token (theirs is in the path)."""

    method: str
    path: str
    handler: Handler
    operation: str = ""
    open: bool = False


@dataclass(eq=False, slots=True)
class Server:
    """The parts that the routes share, and the door itself."""

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
        """Put routes into the table; more exact paths must come first."""
        for route in routes:
            parts = tuple(route.path.split("/"))
            self.table.setdefault((route.method, len(parts), parts[0]), []).append((parts, route))

    async def serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request, faults and errors included.

        Pages have no business here, wherever they are from: what people type is for the bot alone.
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
        """Let an ordered fault happen."""
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
        if fault.status != 429:
            return reply(fault.status, body)
        body |= {"retry_after": fault.retry_after, "global": False}
        response = reply(429, body)
        response.headers["Retry-After"] = str(fault.retry_after)
        return response

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Find the route, read the body, do it, and write the answer."""
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
            return reply(error.status, error.body())
        return web.Response(status=204, headers=NOTHING) if result is None else reply(200, result)

    def tell(self, event: str, data: Json, guild: Guild | None) -> None:
        """Tell a connected bot about something new, from ordinary (not async) code."""
        if self.gateway.sessions:
            told = self.gateway.tell(event, data, guild.id if guild else None, GUILDS)
            task = asyncio.get_running_loop().create_task(told)
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    def find(self, method: str, path: str) -> tuple[Route, tuple[str, ...]]:
        """The route for a path and what stands in its variables.

        Raises:
            ApiError: 404 if there is no such route.
        """
        if path.startswith(API):
            parts = path[len(API) + 1 :].split("/")
            for pattern, route in self.table.get((method, len(parts), parts[0]), ()):
                if all(want in (VARIABLE, got) for want, got in zip(pattern, parts, strict=True)):
                    variables = (got for want, got in zip(pattern, parts, strict=True) if want == VARIABLE)
                    return route, tuple(variables)
        raise ApiError(404, 0, "404: Not Found")

    def hold_against_schema(self, operation: str, body: Any) -> None:
        """Refuse and remember a body that does not fit Discord's description.

        Raises:
            ApiError: 50035 with the first misfit.
        """
        assert self.schemas is not None
        violation = self.schemas.check(operation, body)
        if violation is not None:
            self.violations.append(violation)
            raise invalid_form([("schema", violation.sentence)])

    def attachment(self, path: str) -> web.Response:
        """A file that hangs on a message."""
        number = path.split("/")[3]
        file = self.world.files.get(int(number)) if number.isdigit() else None
        if file is None:
            return web.Response(status=404)
        # A page that somebody uploads is not to be opened as one.
        served = kind(file) if kind(file) in PICTURES else "application/octet-stream"
        return web.Response(body=file.data, content_type=served)

    def emoji(self, path: str) -> web.Response:
        """The picture of an emoji, at `/emojis/123.png`."""
        number = path.removeprefix("/emojis/").rpartition(".")[0]
        emoji = self.world.emojis.get(int(number)) if number.isdigit() else None
        if emoji is None:
            return web.Response(status=404)
        return web.Response(body=emoji.data, content_type=emoji.kind)


def reply(status: int, body: Any) -> web.Response:
    """JSON with the headers that Discord sends."""
    return web.Response(status=status, headers=HEADERS, body=json.dumps(body, separators=(",", ":")).encode())


async def read(request: web.BaseRequest) -> tuple[Any, list[Upload]]:
    """The JSON body and the files of a request.

    Raises:
        ApiError: 50109 if the body is not JSON.
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
    """JSON, or Discord's error for what is none."""
    if not data:
        return None
    try:
        return json.loads(data)
    except ValueError:
        raise ApiError(400, 50109, "The request body contains invalid JSON.") from None
