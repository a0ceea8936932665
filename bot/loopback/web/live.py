"""Live updates for all open pages."""

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from bot.loopback.driver import Loopback
from bot.loopback.model import Channel, Json
from bot.loopback.web import views
from bot.loopback.web.access import Addresses, Knows, Seat, Seats, Stranger, at_hand
from bot.loopback.world import Happening

BACKLOG = 2_000
STRANGER, BEGIN_ANEW = 4001, 1012
FIRST_WORD = 10.0
"""Seconds in which a page has to say who it is."""


@dataclass(eq=False, slots=True)
class Tab:
    """An open page: its seat, the place it shows, and the updates not sent to it yet."""

    seat: Seat
    place: Channel
    news: "asyncio.Queue[Json]" = field(default_factory=lambda: asyncio.Queue(BACKLOG))
    is_behind: bool = False
    """It has missed news, and has to be told everything anew."""
    waits: int = -1
    """How much it was told to wait for its seat; -1 if it was told nothing yet."""
    is_over: bool = False
    """It is told nothing more."""

    def tell(self, news: Json) -> None:
        """Queue an update for the page."""
        try:
            self.news.put_nowait(news)
        except asyncio.QueueFull:
            self.is_behind = True


class LiveUpdates:
    """All open pages, and what each of them may see."""

    def __init__(self, loopback: Loopback, seats: Seats, addresses: Addresses, knows: Knows) -> None:
        self.loopback = loopback
        self.knows = knows
        self.seats = seats
        self.addresses = addresses
        self.tabs: set[Tab] = set()
        self.sockets: set[web.WebSocketResponse] = set()
        self.is_stale = False
        self.counting: asyncio.Task[None] | None = None
        self.counts_again = False
        loopback.world.listeners.append(self.happened)
        loopback.world.watchers.append(self.changed)

    async def close(self, app: web.Application) -> None:
        """Close the connection to every page."""
        self.loopback.world.listeners.remove(self.happened)
        self.loopback.world.watchers.remove(self.changed)
        for socket in list(self.sockets):
            await socket.close(code=1001)
        if self.counting is not None:
            self.counting.cancel()

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one page's WebSocket until it closes."""
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
        """Send a page its full state, then all updates until it closes."""
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
        """Send a page its updates while its seat is taken; one that falls behind must reconnect."""
        with suppress(ConnectionError):  # a socket that is closing takes nothing more
            while not socket.closed and not tab.is_behind:
                news = await tab.news.get()
                if tab.seat.is_left:
                    break
                await socket.send_json(news)
        tab.is_over = True
        await socket.close(code=STRANGER if tab.seat.is_left else BEGIN_ANEW)

    def go(self, tab: Tab, place_id: object) -> None:
        """Show a place: its messages, and the room data around them."""
        person = tab.seat.person
        place = self.loopback.world.channels.get(int(str(place_id))) if str(place_id).isdecimal() else None
        if place is not None and (place.recipient is None or place.recipient is person.user):
            tab.place = place
        seen = views.seen_in(tab.place, person.user)
        messages = [views.message_view(m, self.loopback.world, self.addresses, person.user) for m in seen]
        is_all = len(messages) < views.SHOWN
        everything = {"kind": "all", "me": views.person_view(person.user), "place": str(tab.place.id)}
        more = {"messages": messages, "is_all": is_all, "table": self.table(tab), "room": self.room(tab)}
        tab.tell(everything | more)
        tab.waits = -1
        self.count()

    def table(self, tab: Tab) -> Json | None:
        """Return the pinned table of the place that a page shows, or None."""
        world, user = self.loopback.world, tab.seat.person.user
        found = views.table_of(tab.place, world.bot)
        return views.message_view(found, world, self.addresses, user) if found else None

    def room(self, tab: Tab) -> Json:
        """Return what surrounds the messages: people, places, pins, commands, the bot's presence."""
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
        """Send a change to a message to every page that may see it."""
        message = happening.message
        for tab in self.tabs:
            user = tab.seat.person.user
            if happening.kind == "deleted" and message.channel is tab.place:
                tab.tell({"kind": "gone", "id": str(message.id)})
            elif views.sees(user, message) and message.channel is not tab.place:
                if happening.kind == "created":
                    about = {"place": str(message.channel.id), "id": str(message.id)}
                    tab.tell({"kind": "elsewhere", **about, "is_to_me": user.id in message.pings})
            elif views.sees(user, message):
                view = views.message_view(message, self.loopback.world, self.addresses, user)
                is_quiet = happening.interaction is None and happening.kind != "created"
                tab.tell({"kind": "message", "message": view, "is_quiet": is_quiet})
            if message.author is self.loopback.world.bot and message.channel in (tab.place, tab.place.parent):
                self.tell_table(tab, happening)
        if happening.kind in ("pinned", "deleted"):
            self.changed()
        self.count()

    def tell_table(self, tab: Tab, happening: Happening) -> None:
        """Send a page its pinned table if that is what changed."""
        is_other = happening.kind in ("pinned", "deleted")
        if is_other or views.table_of(tab.place, self.loopback.world.bot) is happening.message:
            tab.tell({"kind": "table", "message": self.table(tab)})

    def count(self) -> None:
        """Count the waiting tasks of every seat, without delaying other events."""
        self.counts_again = True
        if self.tabs and (self.counting is None or self.counting.done()):
            self.counting = asyncio.get_running_loop().create_task(self.tell_waits())

    async def tell_waits(self) -> None:
        """Send each page the number of tasks that wait for its seat, if it changed."""
        while self.counts_again:
            self.counts_again = False
            for tab in list(self.tabs):
                found = await at_hand(self.loopback, self.knows, tab.seat.person.user, tab.place)
                if found.waits != tab.waits:
                    tab.waits = found.waits
                    tab.tell({"kind": "waits", "count": found.waits})

    def changed(self) -> None:
        """Schedule a room update for every page, sent once the bot pauses."""
        if not self.is_stale:
            self.is_stale = True
            asyncio.get_running_loop().call_soon(self.tell_room)

    def tell_room(self) -> None:
        """Send every page its current room data."""
        self.count()  # a bot that is back says it anew
        for tab in self.tabs:
            tab.tell({"kind": "room", "room": self.room(tab)})
        self.is_stale = False


def said(text: str) -> Json:
    """Parse a message from a page.

    Raises ValueError if it is not a JSON object.
    """
    words = json.loads(text)
    if not isinstance(words, dict):
        raise ValueError(text)
    return words
