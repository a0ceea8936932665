"""Nobody is let in without the address, by a foreign name, or from a foreign page."""

import re
import socket

import aiohttp
import pytest

from bot.loopback.server import is_own_name, own_names
from bot.loopback.web.server import PAGE
from tests.bot.loopback.web.conftest import Sits

INLINE = re.compile(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", re.IGNORECASE)


async def status(web: aiohttp.ClientSession, url: str, **headers: str) -> int:
    async with web.get(url, headers=headers, allow_redirects=False) as answer:
        return answer.status


async def test_the_page_is_there_for_who_knows_its_address(web: aiohttp.ClientSession, address: str) -> None:
    async with web.get(address) as answer:
        assert answer.status == 200
        assert answer.content_type == "text/html"


@pytest.mark.parametrize("path", ["", "wrong/", "wrong/seats", "app.js", "live"])
async def test_without_the_secret_there_is_nothing(
    web: aiohttp.ClientSession, address: str, path: str
) -> None:
    root = address.rpartition("/")[0].rpartition("/")[0]
    assert await status(web, f"{root}/{path}") == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example"])
async def test_a_foreign_name_is_refused(web: aiohttp.ClientSession, address: str, host: str) -> None:
    assert await status(web, address, Host=host) == 403


async def test_its_own_names_are_known(web: aiohttp.ClientSession, address: str) -> None:
    for host in ("localhost:80", "192.168.1.5:8377", "[::1]:8377", socket.gethostname()):
        assert await status(web, address, Host=host) == 200, host


def test_a_host_that_was_named_is_its_own() -> None:
    names = own_names("Table.example")
    assert is_own_name("table.example:8377", names)
    assert not is_own_name("other.example:8377", names)


async def test_a_wrong_address_says_how_the_right_one_looks(web: aiohttp.ClientSession, address: str) -> None:
    root, _, secret = address.rstrip("/").rpartition("/")
    for path, headers in (("/", {}), ("/", {"Host": "evil.example"}), (f"/{secret}/", {"Origin": "null"})):
        async with web.get(f"{root}{path}", headers=headers) as answer:
            said = await answer.text()
        assert f"it looks like {root}/…/" in said
        assert secret not in said


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:1", "null"])
async def test_a_foreign_page_is_refused(web: aiohttp.ClientSession, address: str, origin: str) -> None:
    async with web.post(f"{address}seats", data="{}", headers={"Origin": origin}) as answer:
        assert answer.status == 403
    with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
        await web.ws_connect(f"{address}live", headers={"Origin": origin})


async def test_its_own_page_is_let_in(web: aiohttp.ClientSession, address: str) -> None:
    origin = address.rpartition("/")[0].rpartition("/")[0]
    assert await status(web, f"{address}seats", Origin=origin) == 200


@pytest.mark.parametrize("path", ["", "app.js", "seats", "nothing", "files/1/x/y", "../"])
async def test_every_answer_keeps_a_browser_within_bounds(
    web: aiohttp.ClientSession, address: str, path: str
) -> None:
    async with web.get(f"{address}{path}") as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_nothing_on_the_page_is_inline() -> None:
    assert not INLINE.search((PAGE / "index.html").read_text())


def test_nothing_is_ever_read_as_markup() -> None:
    for path in PAGE.glob("*.js"):
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "DOMParser"):
            assert word not in path.read_text(), path.name


@pytest.mark.parametrize(
    "path",
    ["../server.py", "%2e%2e/server.py", "..%2fserver.py", "%2e%2e%2f%2e%2e%2f__init__.py", "/etc/passwd"],
)
async def test_only_the_page_can_be_fetched(web: aiohttp.ClientSession, address: str, path: str) -> None:
    from yarl import URL

    async with web.get(URL(address + path, encoded=True)) as answer:
        assert answer.status == 404


async def test_an_act_that_there_is_not_and_words_that_are_none(sits: Sits) -> None:
    alice = await sits("alice")
    headers = {"Authorization": f"Seat {alice.token}"}
    for act, body, wanted in (("fly", "{}", 404), ("line", "{", 400), ("line", "[]", 400)):
        async with alice.web.post(f"{alice.address}do/{act}", data=body, headers=headers) as answer:
            assert answer.status == wanted
