"""The page's server over the small bot, and people who ask it as a page does."""

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Protocol

import aiohttp
import pytest

from bot.loopback.driver import Loopback
from bot.loopback.web.access import Key
from bot.loopback.web.server import opened
from tests.bot.loopback.small_bot import SmallBot
from tests.patience import PATIENCE

Json = dict[str, Any]
KEY = Key(b"k" * 32)


class Sits(Protocol):
    """Somebody sits down."""

    async def __call__(self, name: str) -> "Asker": ...


@dataclass
class Asker:
    """Somebody with a seat, asking as the page does."""

    web: aiohttp.ClientSession
    address: str
    token: str
    place: str

    async def post(self, act: str, **words: Any) -> tuple[int, Json]:
        """The status and the answer."""
        headers = {"Authorization": f"Seat {self.token}"}
        body = json.dumps({"place": self.place, **words})
        async with self.web.post(f"{self.address}do/{act}", data=body, headers=headers) as answer:
            return answer.status, await answer.json()

    async def do(self, act: str, **words: Any) -> Json:
        """The answer to what is not refused."""
        status, body = await self.post(act, **words)
        assert status == 200, body
        return body

    async def give(self, act: str, files: dict[str, bytes], **words: Any) -> tuple[int, Json]:
        """The status and the answer to an act with files."""
        form = aiohttp.FormData({"data": json.dumps({"place": self.place, **words})}, quote_fields=False)
        for name, data in files.items():
            form.add_field("files", data, filename=name)
        headers = {"Authorization": f"Seat {self.token}"}
        async with self.web.post(f"{self.address}do/{act}", data=form, headers=headers) as answer:
            return answer.status, await answer.json()

    async def shown(self, place: str = "") -> list[Json]:
        """The messages that this seat sees."""
        return (await Listener.all(self, place))["messages"]  # type: ignore[no-any-return]


class Listener:
    """An open page, and the news it hears."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    @classmethod
    async def open(cls, who: Asker, place: str = "") -> "Listener":
        socket = await who.web.ws_connect(f"{who.address}live", autoclose=False)
        await socket.send_json({"token": who.token, "place": place or who.place})
        return cls(socket)

    @classmethod
    async def all(cls, who: Asker, place: str = "") -> Json:
        """All that a page is told at first."""
        listener = await cls.open(who, place)
        news = await listener.next("all")
        await listener.socket.close()
        return news

    async def next(self, kind: str, fits: Callable[[Json], object] = lambda news: True) -> Json:
        """The next news of a kind that fit."""
        while True:
            news: Json = await self.socket.receive_json(timeout=PATIENCE)
            if news["kind"] == kind and fits(news):
                return news


@pytest.fixture
async def heard() -> list[str]:
    """What the host reads in the terminal."""
    return []


@pytest.fixture
async def address(discord_: Loopback, bot: SmallBot, heard: list[str]) -> AsyncIterator[str]:
    async with opened(discord_, KEY, out=heard.append) as address:
        yield address


@pytest.fixture
async def web() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
def sits(discord_: Loopback, address: str, web: aiohttp.ClientSession) -> Sits:
    async def sit(name: str) -> Asker:
        async with web.post(f"{address}seats", data=json.dumps({"name": name})) as answer:
            body = await answer.json()
            assert answer.status == 200, body
        return Asker(web, address, body["token"], str(discord_.table.id))

    return sit
