"""Requests from the page: a seat's lines, presses, choices and forms."""

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from aiohttp import web

from bot.loopback import completion, keyboard, opening
from bot.loopback.driver import Loopback
from bot.loopback.errors import InputRefused, UnknownCommand
from bot.loopback.model import Channel, Json, Message
from bot.loopback.opening import ScenePlayer
from bot.loopback.reply import BotReply, buttons_of
from bot.loopback.web import views
from bot.loopback.web.access import Addresses, Knows, Seat, Seats, Stranger, at_hand

SCHEME = "Seat "
NO_SEAT = "This seat is no longer yours."


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request from a page: the seat, the fields of the request, and its files by name."""

    seat: Seat
    body: Json
    files: dict[str, bytes] = field(default_factory=dict)

    def words(self, name: str) -> str:
        """Return a field of the request as text."""
        return str(self.body.get(name) or "")


async def asked(request: web.Request, seats: Seats) -> PageRequest:
    """Read a request from the seat whose secret it carries.

    Raises Stranger if its secret is missing or belongs to no seat; HTTPBadRequest if it cannot be read.
    """
    seat = seats.of(request.headers.get("Authorization", "").removeprefix(SCHEME))
    if not request.content_type.startswith("multipart/"):
        return PageRequest(seat, parsed(await request.text()))
    sent = await request.post()
    files = {part.filename: part.file.read() for part in sent.values() if isinstance(part, web.FileField)}
    return PageRequest(seat, parsed(str(sent.get("data", ""))), files)


def list_seats(seats: Seats) -> web.Response:
    """Return the seats, and which of them are taken."""
    people = seats.loopback.people()
    return answer([{"name": person.name, "is_taken": person.name in seats.taken} for person in people])


async def sit(request: web.Request, seats: Seats, out: Callable[[Seat], None]) -> web.Response:
    """Take a seat and return its secret."""
    body = parsed(await request.text())
    try:
        seat = seats.take(str(body.get("name") or ""))
    except InputRefused as error:
        return answer({"refused": str(error)}, 409)
    out(seat)
    return answer({"name": seat.person.name, "token": seat.token})


def refusal(error: InputRefused | Stranger) -> web.Response:
    """Return the response that says why a request was refused."""
    if isinstance(error, Stranger):
        return answer({"refused": NO_SEAT}, 401)
    return answer({"refused": str(error)}, 422)


def answer(body: Any, status: int = 200) -> web.Response:
    """Return a JSON response."""
    return web.json_response(body, status=status)


def parsed(text: str) -> Json:
    """Parse a JSON object.

    Raises HTTPBadRequest if the text is not a JSON object.
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
    """The actions that a page can request; `done` maps their names to the methods."""

    loopback: Loopback
    addresses: Addresses
    seats: Seats
    knows: Knows
    scenes: ScenePlayer

    def done(self) -> dict[str, Act]:
        """Return the actions by name."""
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
            "stories": self.stories,
            "watch": self.watch,
            "channel": self.channel,
            "leave": self.leave,
        }

    async def offers(self, asked: PageRequest) -> Json:
        """Return the completions for what is being typed."""
        place, names = self.place(asked), [person.name for person in self.loopback.people()]
        line, who = asked.words("line"), asked.seat.person
        known = await at_hand(self.loopback, self.knows, who.user, place)
        first = (*known.first, *asked.seat.used)
        found = await completion.offers(who, place, line, names, in_full=True, first=first)
        return views.offers_view(found)

    async def line(self, asked: PageRequest) -> Json:
        """Run a command, or post an ordinary message.

        Raises UnknownCommand if the message is empty or there is no such command.
        """
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
        """Press a button of a message.

        Raises UnknownCommand if the message no longer has this button.
        """
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
        """Submit a form; it stays open if the bot does not answer."""
        number = asked.words("form")
        form, values = asked.seat.form(number), entered(asked.body.get("values"))
        await self.bot()
        reply = await asked.seat.person.submit(form, values, files=asked.files)
        if not reply.failed:
            del asked.seat.forms[number]
        return self.came(asked, reply)

    async def long(self, asked: PageRequest) -> Json:
        """Run a message or user command.

        Raises UnknownCommand if its message or person does not exist.
        """
        who, name = asked.seat.person, asked.words("name")
        await self.bot()
        if "person" not in asked.body:
            return self.came(asked, await who.menu_command(name, self.message(asked)))
        for person in self.loopback.people():
            if str(person.id) == asked.words("person"):
                return self.came(asked, await who.menu_command(name, user=person, channel=self.place(asked)))
        raise UnknownCommand("Nobody here has that name.")

    async def dismiss(self, asked: PageRequest) -> Json:
        """Dismiss a private message.

        Raises InputRefused if other people see the message too.
        """
        message = self.message(asked)
        if not message.is_private:
            raise InputRefused("You can only dismiss messages that nobody else sees.")
        self.loopback.world.delete(message)
        return {}

    async def pins(self, asked: PageRequest) -> Json:
        """Return the pinned messages of a place, newest pin first."""
        return {"messages": self.seen(asked, self.place(asked).pins())}

    async def earlier(self, asked: PageRequest) -> Json:
        """Return the messages before the first one that the page shows."""
        before, user = asked.words("before"), asked.seat.person.user
        found = views.seen_in(self.place(asked), user, int(before) if before.isdecimal() else None)
        return {"messages": self.seen(asked, found), "is_all": len(found) < views.SHOWN}

    async def stories(self, asked: PageRequest) -> Json:
        """Return what an empty table can begin with, each with the line that does it."""
        await self.bot()
        found = await opening.stories(asked.seat.person, self.place(asked))
        return {"stories": [asdict(each) for each in found]}

    async def watch(self, asked: PageRequest) -> Json:
        """Begin a scene that plays itself, and return its channel."""
        await self.bot()
        return {"place": str(self.scenes.begin().id)}

    async def channel(self, asked: PageRequest) -> Json:
        """Return a channel by name, in Discord's spelling; it is created on first use.

        Raises UnknownCommand if the name has no letters or digits.
        """
        name = UNFIT.sub("-", asked.words("name").strip().lower().removeprefix("#")).strip("-")
        if not name:
            raise UnknownCommand("A channel name needs letters or digits.")
        return {"place": str(self.loopback.channel(name[:40]).id)}

    async def leave(self, asked: PageRequest) -> Json:
        """Leave the seat."""
        self.seats.leave(asked.seat)
        return {}

    def seen(self, asked: PageRequest, found: list[Message]) -> list[Json]:
        """Return messages as the seat's person sees them."""
        user, world = asked.seat.person.user, self.loopback.world
        return [views.message_view(m, world, self.addresses, user) for m in found if views.sees(user, m)]

    def mentioning(self, words: str) -> str:
        """Replace each `@name` of a known person with a mention, as Discord's message box does."""
        known = {person.name.lower(): person for person in self.loopback.people()}
        names = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
        called = re.compile(rf"(?<!\w)@({names})(?!\w)", re.IGNORECASE)
        return called.sub(lambda match: known[match[1].lower()].mention, words)

    def place(self, asked: PageRequest) -> Channel:
        """Return the place that a request is about.

        Raises UnknownCommand if it does not exist or this seat cannot see it.
        """
        number = asked.words("place")
        place = self.loopback.world.channels.get(int(number)) if number.isdecimal() else None
        if place is None or place.recipient not in (None, asked.seat.person.user):
            raise UnknownCommand("This channel no longer exists.")
        return place

    def message(self, asked: PageRequest) -> Message:
        """Return the message that a request is about.

        Raises UnknownCommand if it is gone or this seat cannot see it.
        """
        number = asked.words("message")
        message = self.place(asked).messages.get(int(number)) if number.isdecimal() else None
        if message is None or not views.sees(asked.seat.person.user, message):
            raise UnknownCommand("The message is gone.")
        return message

    async def bot(self) -> None:
        """Wait until the bot is connected.

        Raises InputRefused if it does not connect in time.
        """
        try:
            await self.loopback.ready(PATIENCE)
        except TimeoutError:
            raise InputRefused(AWAY) from None

    def came(self, asked: PageRequest, reply: BotReply) -> Json:
        """Return what the page needs besides messages: a form, or that the bot did not answer."""
        if reply.form is not None:
            number = asked.seat.open(reply.form)
            return {"form": views.form_view(reply.form, number, self.loopback.world)}
        return {"failed": reply.failed} if reply.failed else {}


def entered(values: object) -> dict[str, str | bool | list[str] | None]:
    """Return the values of a form: text, a checkbox state, a list of choices, or None."""
    found: dict[str, str | bool | list[str] | None] = {}
    for name, value in values.items() if isinstance(values, dict) else ():
        if isinstance(value, list):
            found[name] = [str(one) for one in value]
        else:
            found[name] = value if value is None or isinstance(value, bool) else str(value)
    return found
