"""Webhooks on the loopback Discord: made with a right, used with a token, under names that Discord takes."""

from typing import Any

import discord
import pytest

from bot.loopback.driver import Loopback
from bot.loopback.message_routes import MOST
from bot.loopback.model import Permission
from tests.bot.loopback.small_bot import SmallBot
from tests.bot.loopback.test_server import call


async def made(discord_: Loopback, bot: SmallBot) -> discord.Webhook:
    channel = bot.get_channel(discord_.table.id)
    assert isinstance(channel, discord.TextChannel)
    return await channel.create_webhook(name="Speaker")


async def test_a_webhook_posts_under_any_name_and_deletes_what_it_posted(
    discord_: Loopback, bot: SmallBot
) -> None:
    hook = await made(discord_, bot)
    sent = await hook.send("Grr", username="Rex", avatar_url="https://example.org/rex.png", wait=True)
    (kept,) = discord_.messages()
    assert (kept.text, kept.author.display, kept.author.avatar) == (
        "Grr",
        "Rex",
        "https://example.org/rex.png",
    )
    assert (sent.webhook_id, sent.author.name) == (hook.id, "Rex")
    assert (await call(discord_, "GET", f"/channels/{discord_.table.id}/webhooks"))[1][0]["name"] == "Speaker"
    await hook.delete_message(sent.id)
    assert discord_.messages() == []
    with pytest.raises(discord.NotFound) as gone:
        await hook.delete_message(sent.id)
    assert gone.value.code == 10008


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"content": "Grr", "username": "Clyde"}, 50035),
        ({"content": "Grr", "username": "My Discord"}, 50035),
        ({"content": "Grr", "username": "x" * 81}, 50035),
        ({"content": "Grr", "avatar_url": "rex.png"}, 50035),
        ({"content": ""}, 50006),
    ],
)
async def test_what_discord_does_not_take_is_refused(
    discord_: Loopback, bot: SmallBot, body: dict[str, Any], code: int
) -> None:
    hook = await made(discord_, bot)
    status, told = await call(discord_, "POST", f"/webhooks/{hook.id}/{hook.token}", body)
    assert (status, told["code"]) == (400, code)


async def test_without_right_token_thread_or_room_there_is_none(discord_: Loopback, bot: SmallBot) -> None:
    hook = await made(discord_, bot)
    for path, found in (
        (f"/webhooks/1/{hook.token}", (404, 10015)),
        (f"/webhooks/{hook.id}/x", (401, 50027)),
        (f"/webhooks/{hook.id}/{hook.token}?thread_id=1", (404, 10003)),
    ):
        status, told = await call(discord_, "POST", path, {"content": "Grr"})
        assert (status, told["code"]) == found
    for _ in range(MOST - 1):
        await made(discord_, bot)
    with pytest.raises(discord.HTTPException) as full:
        await made(discord_, bot)
    assert full.value.code == 30007
    discord_.forbid(discord_.table, Permission.MANAGE_WEBHOOKS)
    with pytest.raises(discord.Forbidden):
        await made(discord_, bot)
