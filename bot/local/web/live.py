"""What happens, told to every open page as it happens."""

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from bot.local.driver import Loopback
from bot.local.message import Channel, Json
from bot.local.web import views
from bot.local.web.addresses import Addresses
from bot.local.web.seats import Seat, Seats, Stranger
from bot.local.world import Happening

BACKLOG = 2_000
STRANGER, BEGIN_ANEW = 4001, 1012
FIRST_WORD = 10.0
"""Seconds in which a page has to say who it is."""


@dataclass(eq=False, slots=True)
class Tab:
    """One open page: its seat, the place it shows, and what it has not been told yet."""

    seat: Seat
    place: Channel
    news: "asyncio.Queue[Json]" = field(default_factory=lambda: asyncio.Queue(BACKLOG))
    is_behind: bool = False
    """It has missed news, and has to be told everything anew."""
    is_over: bool = False
    """It is told nothing more."""

    def tell(self, news: Json) -> None:
        """Let the page know something, when its turn comes."""
        try:
            self.news.put_nowait(news)
        except asyncio.QueueFull:
            self.is_behind = True


class Live:
    """Every open page, and what each may know."""

    def __init__(self, loopback: Loopback, seats: Seats, addresses: Addresses) -> None:
        self.loopback = loopback
        self.seats = seats
        self.addresses = addresses
        self.tabs: set[Tab] = set()
        self.sockets: set[web.WebSocketResponse] = set()
        self.is_stale = False
        loopback.world.listeners.append(self.happened)
        loopback.world.watchers.append(self.changed)

    async def close(self, app: web.Application) -> None:
        """Say goodbye to every page."""
        self.loopback.world.listeners.remove(self.happened)
        self.loopback.world.watchers.remove(self.changed)
        for socket in list(self.sockets):
            await socket.close(code=1001)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Talk to one page until it is closed."""
        socket = web.WebSocketResponse(heartbeat=20.0, max_msg_size=64 * 1024)
        await socket.prepare(request)
        self.sockets.add(socket)
        try:
            hello = said(await socket.receive_str(timeout=FIRST_WORD))
            tab = Tab(self.seats.of(str(hello.get("token"))), self.loopback.table)
            await self.show(socket, tab, hello)
        except (Stranger, ValueError, TypeError, TimeoutError):
            await socket.close(code=STRANGER)
        finally:
            self.sockets.discard(socket)
        return socket

    async def show(self, socket: web.WebSocketResponse, tab: Tab, hello: Json) -> None:
        """Tell a page everything, and then all the news, until it is closed."""
        tab.seat.tabs += 1
        self.tabs.add(tab)
        self.go(tab, hello.get("place"))
        self.changed()
        telling = asyncio.ensure_future(self.send_news(socket, tab))
        try:
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    self.go(tab, said(frame.data).get("place"))
        finally:
            self.tabs.discard(tab)
            tab.seat.tabs -= 1
            self.changed()
            if not tab.is_over:  # else it is just saying goodbye
                telling.cancel()
            await asyncio.wait({telling})

    async def send_news(self, socket: web.WebSocketResponse, tab: Tab) -> None:
        """Tell a page what it does not know yet, as long as its seat is taken; a slow one begins anew."""
        with suppress(ConnectionError):  # a socket that is closing takes nothing more
            while not socket.closed and not tab.is_behind:
                news = await tab.news.get()
                if tab.seat.is_left:
                    break
                await socket.send_json(news)
        tab.is_over = True
        await socket.close(code=STRANGER if tab.seat.is_left else BEGIN_ANEW)

    def go(self, tab: Tab, place_id: object) -> None:
        """Show a place: what stands there, and the room around it."""
        person = tab.seat.person
        place = self.loopback.world.channels.get(int(str(place_id))) if str(place_id).isdecimal() else None
        if place is not None and (place.recipient is None or place.recipient is person.user):
            tab.place = place
        seen = views.seen_in(tab.place, person.user)
        messages = [views.message_view(m, self.loopback.world, self.addresses, person.user) for m in seen]
        is_all = len(messages) < views.SHOWN
        everything = {"kind": "all", "me": views.person_view(person.user), "place": str(tab.place.id)}
        tab.tell(everything | {"messages": messages, "is_all": is_all, "room": self.room(tab)})

    def room(self, tab: Tab) -> Json:
        """What is around the messages: people, places, pins, commands, and whether the bot is there."""
        person, world = tab.seat.person, self.loopback.world
        here = {seat.person for seat in self.seats.taken.values() if seat.tabs}
        people = [views.person_view(p.user) | {"is_here": p in here} for p in self.loopback.people()]
        return {
            "is_bot_here": self.loopback.gateway.ready.is_set(),
            "bot": views.person_view(world.bot),
            "people": people,
            "places": views.places(self.loopback, person),
            "pins": len(tab.place.pins()),
            "long_presses": views.long_presses(person, tab.place),
        }

    def happened(self, happening: Happening) -> None:
        """A message came, changed or went: tell whom it concerns."""
        message = happening.message
        for tab in self.tabs:
            user = tab.seat.person.user
            if happening.kind == "deleted" and message.channel is tab.place:
                tab.tell({"kind": "gone", "id": str(message.id)})
            elif views.sees(user, message) and message.channel is not tab.place:
                if happening.kind == "created":
                    tab.tell({"kind": "elsewhere", "place": str(message.channel.id)})
            elif views.sees(user, message):
                view = views.message_view(message, self.loopback.world, self.addresses, user)
                is_quiet = happening.interaction is None and happening.kind != "created"
                tab.tell({"kind": "message", "message": view, "is_quiet": is_quiet})
        if happening.kind in ("pinned", "deleted"):
            self.changed()

    def changed(self) -> None:
        """Something around the messages changed: every page hears of it once the bot pauses."""
        if not self.is_stale:
            self.is_stale = True
            asyncio.get_running_loop().call_soon(self.tell_room)

    def tell_room(self) -> None:
        """Tell every page what is around the messages now."""
        for tab in self.tabs:
            tab.tell({"kind": "room", "room": self.room(tab)})
        self.is_stale = False


def said(text: str) -> Json:
    """What a page says.

    Raises:
        ValueError: it is no JSON object.
    """
    words = json.loads(text)
    if not isinstance(words, dict):
        raise ValueError(text)
    return words
