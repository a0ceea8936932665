"""Requests of the page: who asks, what for, and the answer as JSON."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.local.errors import Refused
from bot.local.message import Json
from bot.local.web.seats import Seat, Seats, Stranger

SCHEME = "Seat "
NO_SEAT = "This seat is no longer yours."


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page asks for: the seat, the words of the request, and its files by name."""

    seat: Seat
    body: Json
    files: dict[str, bytes] = field(default_factory=dict)

    def words(self, name: str) -> str:
        """A part of the request, as text."""
        return str(self.body.get(name) or "")


async def asked(request: web.Request, seats: Seats) -> Asked:
    """A request, from the seat whose secret comes with it.

    Raises:
        Stranger: no secret comes with it, or that of no seat.
        HTTPBadRequest: it cannot be read.
    """
    seat = seats.of(request.headers.get("Authorization", "").removeprefix(SCHEME))
    if not request.content_type.startswith("multipart/"):
        return Asked(seat, parsed(await request.text()))
    sent = await request.post()
    files = {part.filename: part.file.read() for part in sent.values() if isinstance(part, web.FileField)}
    return Asked(seat, parsed(str(sent.get("data", ""))), files)


def listed(seats: Seats) -> web.Response:
    """The seats, and which of them are taken."""
    people = seats.loopback.people()
    return answer([{"name": person.name, "is_taken": person.name in seats.taken} for person in people])


async def sit(request: web.Request, seats: Seats, out: Callable[[Seat], None]) -> web.Response:
    """Take a seat; the answer holds its secret."""
    body = parsed(await request.text())
    try:
        seat = seats.take(str(body.get("name") or ""))
    except Refused as error:
        return answer({"refused": str(error)}, 409)
    out(seat)
    return answer({"name": seat.person.name, "token": seat.token})


def refusal(error: Refused | Stranger) -> web.Response:
    """Why something was not done."""
    if isinstance(error, Stranger):
        return answer({"refused": NO_SEAT}, 401)
    return answer({"refused": str(error)}, 422)


def answer(body: Any, status: int = 200) -> web.Response:
    """JSON."""
    return web.json_response(body, status=status)


def parsed(text: str) -> Json:
    """A JSON object.

    Raises:
        HTTPBadRequest: it is none.
    """
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise web.HTTPBadRequest(text="This is not a JSON object.\n")
    return body
