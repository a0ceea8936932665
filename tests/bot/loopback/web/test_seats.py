"""A seat is its own secret."""

import json
from pathlib import Path

import aiohttp
import pytest

from bot.loopback.driver import Loopback
from bot.loopback.errors import InputRefused
from bot.loopback.web.access import Key, Seats, Stranger, kept_key
from bot.loopback.web.live import STRANGER
from tests.bot.loopback.web.conftest import KEY, Listener, Sits
from tests.patience import PATIENCE


async def test_a_taken_seat_is_nobody_elses(sits: Sits, web: aiohttp.ClientSession, address: str) -> None:
    await sits("alice")
    for name in ("alice", "Alice "):
        async with web.post(f"{address}seats", data=json.dumps({"name": name})) as answer:
            assert answer.status == 409
            assert "alice is taken" in (await answer.json())["refused"]
    async with web.get(f"{address}seats") as answer:
        taken = {seat["name"]: seat["is_taken"] for seat in await answer.json()}
    assert taken == {"gm": False, "alice": True, "bob": False}


@pytest.mark.parametrize("name", ["", "  ", "bot", "BOT", "<b>", "-x", "a" * 32, "a\nb", "a/b"])
def test_what_is_no_name_is_refused(discord_: Loopback, name: str) -> None:
    with pytest.raises(InputRefused, match="Use 1 to 31"):
        Seats(discord_, KEY).take(name)


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "a.b.YWxpY2U="])
async def test_a_forged_secret_opens_nothing(sits: Sits, token: str) -> None:
    alice = await sits("alice")
    real, alice.token = alice.token, token
    assert (await alice.post("line", line="hello"))[0] == 401
    listener = await Listener.open(alice)
    assert (await listener.socket.receive()).type is aiohttp.WSMsgType.CLOSE
    salt, mark, _ = real.split(".")
    alice.token = f"{salt}.{mark}.Z20="  # the seat of the GM, with the mark of Alice's
    assert (await alice.post("line", line="hello"))[0] == 401


@pytest.mark.parametrize(
    "token", ["\ud800", "\ud800.\udcff.YQ==", "a.b.\ud800", "a.b.\N{SNOWMAN}", "..", "a.b._w=="]
)
def test_what_is_no_text_opens_nothing_either(discord_: Loopback, token: str) -> None:
    with pytest.raises(Stranger):
        Seats(discord_, KEY).of(token)


async def test_a_secret_is_known_after_a_restart(discord_: Loopback) -> None:
    seats = Seats(discord_, KEY)
    carol = seats.take("Carol")
    again = Seats(discord_, KEY)
    assert again.of(carol.token).person is carol.person
    with pytest.raises(InputRefused):
        again.take("carol")
    with pytest.raises(Stranger):
        Seats(discord_, Key(b"other")).of(carol.token)


async def test_after_a_restart_a_seat_that_was_taken_anew_is_not_shared(discord_: Loopback) -> None:
    old = Seats(discord_, KEY).take("alice")
    seats = Seats(discord_, KEY)
    new = seats.take("alice")
    with pytest.raises(Stranger):
        seats.of(old.token)
    assert seats.of(new.token) is new


async def test_a_seat_that_was_left_is_free(sits: Sits) -> None:
    alice = await sits("alice")
    await alice.do("leave")
    assert (await alice.post("line", line="hello"))[0] == 401
    other = await sits("alice")
    assert other.token != alice.token
    assert (await alice.post("line", line="hello"))[0] == 401


async def test_the_pages_of_a_seat_that_was_left_hear_nothing_more(sits: Sits) -> None:
    alice = await sits("alice")
    page = await Listener.open(alice)
    await page.next("all")
    await alice.do("leave")
    again = await sits("alice")
    await again.do("line", line="/roll d6 how:Secretly")
    while (frame := await page.socket.receive(timeout=PATIENCE)).type is aiohttp.WSMsgType.TEXT:
        assert "rolls" not in frame.data
    assert frame.data == STRANGER


async def test_only_the_gm_manages_the_server(discord_: Loopback) -> None:
    seats = Seats(discord_, KEY)
    assert [seats.take(name).person.user.manage_guild for name in ("gm", "alice", "dora")] == [
        True,
        False,
        False,
    ]


async def test_the_host_reads_each_seats_own_address(sits: Sits, heard: list[str], address: str) -> None:
    alice = await sits("alice")
    assert heard == [f"alice took a seat: {address}#{alice.token}"]


def test_the_key_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "web.key"
    key = kept_key(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert kept_key(path) == key
    assert key.made("address") not in (key.made("seat"), kept_key(tmp_path / "other").made("address"))
    path.write_bytes(b"cut")
    assert kept_key(path) != key


def test_secrets_are_not_shown_where_things_are_printed(discord_: Loopback) -> None:
    seat = Seats(discord_, KEY).take("alice")
    assert seat.token not in repr(seat)
    assert "kkkk" not in repr(KEY)
