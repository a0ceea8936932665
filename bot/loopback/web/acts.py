"""Requests of the page: lines, presses, choices and forms of a seat."""

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.loopback import completion, keyboard
from bot.loopback.driver import Loopback
from bot.loopback.errors import InputRefused, UnknownCommand
from bot.loopback.model import Channel, Json, Message
from bot.loopback.reply import BotReply, buttons_of
from bot.loopback.web import views
from bot.loopback.web.access import Addresses, Knows, Seat, Seats, Stranger, at_hand

SCHEME = "Seat "
NO_SEAT = "This seat is no longer yours."


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What a page asks for: the seat, the words of the request, and its files by name."""

    seat: Seat
    body: Json
    files: dict[str, bytes] = field(default_factory=dict)

    def words(self, name: str) -> str:
        """A part of the request, as text."""
        return str(self.body.get(name) or "")


async def asked(request: web.Request, seats: Seats) -> PageRequest:
    """A request, from the seat whose secret comes with it.

    Raises:
        Stranger: no secret comes with it, or that of no seat.
        HTTPBadRequest: it cannot be read.
    """
    seat = seats.of(request.headers.get("Authorization", "").removeprefix(SCHEME))
    if not request.content_type.startswith("multipart/"):
        return PageRequest(seat, parsed(await request.text()))
    sent = await request.post()
    files = {part.filename: part.file.read() for part in sent.values() if isinstance(part, web.FileField)}
    return PageRequest(seat, parsed(str(sent.get("data", ""))), files)


def list_seats(seats: Seats) -> web.Response:
    """The seats, and which of them are taken."""
    people = seats.loopback.people()
    return answer([{"name": person.name, "is_taken": person.name in seats.taken} for person in people])


async def sit(request: web.Request, seats: Seats, out: Callable[[Seat], None]) -> web.Response:
    """Take a seat; the answer holds its secret."""
    body = parsed(await request.text())
    try:
        seat = seats.take(str(body.get("name") or ""))
    except InputRefused as error:
        return answer({"refused": str(error)}, 409)
    out(seat)
    return answer({"name": seat.person.name, "token": seat.token})


def refusal(error: InputRefused | Stranger) -> web.Response:
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


PATIENCE = 20.0
"""Seconds for which an act waits for a bot that is away."""
UNFIT = re.compile(r"[^\w-]+")
AWAY = "The bot is offline. Try again when it is back."


Act = Callable[[PageRequest], Awaitable[Json]]


@dataclass(frozen=True, slots=True)
class TableActions:
    """Everything that can be done at the table; `done` is how each is reached by name."""

    loopback: Loopback
    addresses: Addresses
    seats: Seats
    knows: Knows

    def done(self) -> dict[str, Act]:
        """The acts by name."""
        return {
            "offers": self.offers,
            "line": self.line,
            "press": self.press,
            "choose": self.choose,
            "submit": self.submit,
            "long": self.long,
            "dismiss": self.dismiss,
            "pins": self.pins,
            "earlier": self.earlier,
            "channel": self.channel,
            "leave": self.leave,
        }

    async def offers(self, asked: PageRequest) -> Json:
        """What could be typed next."""
        place, names = self.place(asked), [person.name for person in self.loopback.people()]
        line, who = asked.words("line"), asked.seat.person
        known = await at_hand(self.loopback, self.knows, who.user, place)
        first = (*known.first, *asked.seat.used)
        found = await completion.offers(who, place, line, names, in_full=True, first=first)
        return views.offers_view(found)

    async def line(self, asked: PageRequest) -> Json:
        """A command, or ordinary words."""
        line, who, place = asked.words("line").strip(), asked.seat.person, self.place(asked)
        if not line.startswith("/"):
            if not line and not asked.files:
                raise UnknownCommand("There is nothing to send.")
            await who.write(self.mentioning(line), place, files=asked.files)
            return {}
        await self.bot()
        asked.seat.has_used(keyboard.read(line, who.offered(place)).name)
        return self.came(asked, await who.slash(line, place, files=asked.files))

    async def press(self, asked: PageRequest) -> Json:
        """Press a button of a message."""
        message = self.message(asked)
        for button in buttons_of(message):
            if button.custom_id == asked.words("button"):
                await self.bot()
                return self.came(asked, await asked.seat.person.push(message, button))
        raise UnknownCommand("This button no longer exists.")

    async def choose(self, asked: PageRequest) -> Json:
        """Choose from a menu of a message."""
        message, values = self.message(asked), [str(value) for value in asked.body.get("values") or ()]
        await self.bot()
        return self.came(asked, await asked.seat.person.choose(message, asked.words("menu"), values))

    async def submit(self, asked: PageRequest) -> Json:
        """Send a form; it stays open if the bot does not answer."""
        number = asked.words("form")
        form, values = asked.seat.form(number), entered(asked.body.get("values"))
        await self.bot()
        reply = await asked.seat.person.submit(form, values, files=asked.files)
        if not reply.failed:
            del asked.seat.forms[number]
        return self.came(asked, reply)

    async def long(self, asked: PageRequest) -> Json:
        """A command for a message or for somebody."""
        who, name = asked.seat.person, asked.words("name")
        await self.bot()
        if "person" not in asked.body:
            return self.came(asked, await who.menu_command(name, self.message(asked)))
        for person in self.loopback.people():
            if str(person.id) == asked.words("person"):
                return self.came(asked, await who.menu_command(name, user=person, channel=self.place(asked)))
        raise UnknownCommand("Nobody here has that name.")

    async def dismiss(self, asked: PageRequest) -> Json:
        """Take a private message away."""
        message = self.message(asked)
        if not message.is_private:
            raise InputRefused("You can only dismiss messages that nobody else sees.")
        self.loopback.world.delete(message)
        return {}

    async def pins(self, asked: PageRequest) -> Json:
        """The pinned messages of a place, newest pin first."""
        return {"messages": self.seen(asked, self.place(asked).pins())}

    async def earlier(self, asked: PageRequest) -> Json:
        """The messages before the first one that the page shows."""
        before, user = asked.words("before"), asked.seat.person.user
        found = views.seen_in(self.place(asked), user, int(before) if before.isdecimal() else None)
        return {"messages": self.seen(asked, found), "is_all": len(found) < views.SHOWN}

    async def channel(self, asked: PageRequest) -> Json:
        """A channel by name, made when first named, as Discord writes such names."""
        name = UNFIT.sub("-", asked.words("name").strip().lower().removeprefix("#")).strip("-")
        if not name:
            raise UnknownCommand("A channel name needs letters or digits.")
        return {"place": str(self.loopback.channel(name[:40]).id)}

    async def leave(self, asked: PageRequest) -> Json:
        """Stand up."""
        self.seats.leave(asked.seat)
        return {}

    def seen(self, asked: PageRequest, found: list[Message]) -> list[Json]:
        """Messages as a seat sees them."""
        user, world = asked.seat.person.user, self.loopback.world
        return [views.message_view(m, world, self.addresses, user) for m in found if views.sees(user, m)]

    def mentioning(self, words: str) -> str:
        """Words in which `@name` mentions who is called so, as a message box writes it."""
        known = {person.name.lower(): person for person in self.loopback.people()}
        names = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
        called = re.compile(rf"(?<!\w)@({names})(?!\w)", re.IGNORECASE)
        return called.sub(lambda match: known[match[1].lower()].mention, words)

    def place(self, asked: PageRequest) -> Channel:
        """The place that a request is about.

        Raises:
            UnknownCommand: it is not there, or not for this seat.
        """
        number = asked.words("place")
        place = self.loopback.world.channels.get(int(number)) if number.isdecimal() else None
        if place is None or place.recipient not in (None, asked.seat.person.user):
            raise UnknownCommand("This channel no longer exists.")
        return place

    def message(self, asked: PageRequest) -> Message:
        """The message that a request is about.

        Raises:
            UnknownCommand: it is gone, or not for this seat.
        """
        number = asked.words("message")
        message = self.place(asked).messages.get(int(number)) if number.isdecimal() else None
        if message is None or not views.sees(asked.seat.person.user, message):
            raise UnknownCommand("The message is gone.")
        return message

    async def bot(self) -> None:
        """Wait for the bot.

        Raises:
            Refused: it does not come.
        """
        try:
            await self.loopback.ready(PATIENCE)
        except TimeoutError:
            raise InputRefused(AWAY) from None

    def came(self, asked: PageRequest, reply: BotReply) -> Json:
        """What the page has to know beside the messages: a form, or that there was no answer."""
        if reply.form is not None:
            number = asked.seat.open(reply.form)
            return {"form": views.form_view(reply.form, number, self.loopback.world)}
        return {"failed": reply.failed} if reply.failed else {}


def entered(values: object) -> dict[str, str | bool | list[str] | None]:
    """What was entered in a form: text, a tick, several choices, or nothing."""
    found: dict[str, str | bool | list[str] | None] = {}
    for name, value in values.items() if isinstance(values, dict) else ():
        if isinstance(value, list):
            found[name] = [str(one) for one in value]
        else:
            found[name] = value if value is None or isinstance(value, bool) else str(value)
    return found
