"""The emojis of an application on the loopback Discord."""

from base64 import b64encode

import aiohttp
import discord
import pytest

from bot.loopback.driver import Loopback
from tests.bot.loopback.small_bot import SmallBot
from tests.bot.loopback.test_server import call

PIXEL = b"\x89PNG\r\n\x1a\n" + b"x" * 20


def image(data: bytes = PIXEL, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{b64encode(data).decode()}"


def path(discord_: Loopback) -> str:
    return f"/applications/{discord_.world.bot.id}/emojis"


async def test_emojis_are_made_shown_renamed_and_removed(discord_: Loopback, bot: SmallBot) -> None:
    made = await bot.create_application_emoji(name="d10_7", image=PIXEL)
    assert str(made) == f"<:d10_7:{made.id}>"
    assert [each.name for each in await bot.fetch_application_emojis()] == ["d10_7"]
    await made.edit(name="d10_8")
    assert (await bot.fetch_application_emoji(made.id)).name == "d10_8"
    await made.delete()
    with pytest.raises(discord.NotFound) as gone:
        await bot.fetch_application_emoji(made.id)
    assert gone.value.code == 10014


async def test_the_picture_is_served_to_whoever_asks(discord_: Loopback, bot: SmallBot) -> None:
    made = await bot.create_application_emoji(name="d10_7", image=PIXEL)
    place = discord_.world.files_url.replace("/attachments", "/emojis")
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{place}/{made.id}.png") as answer:
            assert (answer.content_type, await answer.read()) == ("image/png", PIXEL)
        async with session.get(f"{place}/1.png") as answer:
            assert answer.status == 404


@pytest.mark.parametrize(
    ("body", "hears"),
    [
        ({"name": "x", "image": image()}, "between 2 and 32"),
        ({"name": "x" * 33, "image": image()}, "between 2 and 32"),
        ({"name": "d10-7", "image": image()}, "regex"),
        ({"name": "d10_7"}, "image"),
        ({"image": image()}, "required"),
        ({"name": "d10_7", "image": image(kind="svg+xml")}, "Invalid image"),
        ({"name": "d10_7", "image": "data:image/png;base64,%"}, "Invalid image"),
        ({"name": "d10_7", "image": image(b"x" * (256 * 1024 + 1))}, "256.0 kb"),
        ({"name": "taken", "image": image()}, "already exists"),
    ],
)
async def test_an_emoji_that_discord_would_not_take(
    discord_: Loopback, body: dict[str, str], hears: str
) -> None:
    discord_.server.schemas = None  # its own limits, also where a description is at hand
    await call(discord_, "POST", path(discord_), {"name": "taken", "image": image()})
    status, told = await call(discord_, "POST", path(discord_), body)
    assert (status, told["code"]) == (400, 50035)
    assert hears in str(told)
    assert len(discord_.world.emojis) == 1


async def test_an_application_has_so_many_emojis_at_most(
    discord_: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.loopback.guild_routes.MOST_EMOJIS", 1)
    assert (await call(discord_, "POST", path(discord_), {"name": "one", "image": image()}))[0] == 200
    status, told = await call(discord_, "POST", path(discord_), {"name": "two", "image": image()})
    assert (status, told["code"]) == (400, 30008)


async def test_the_emojis_of_another_application_are_not_there(discord_: Loopback) -> None:
    status, told = await call(discord_, "GET", "/applications/1/emojis")
    assert (status, told["code"]) == (404, 10002)
