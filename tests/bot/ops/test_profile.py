"""`sync --profile`: what Discord is told of the bot, what of it differs, and what Discord says no to."""

import os

import pytest

from bot.client.access import ASKED
from bot.loopback.driver import Loopback
from bot.ops.sync import listing
from tests.bot.ops.operator import Typing, aside
from tests.bot.ops.test_check import discord_, settings

__all__ = ["discord_"]
URL = "sqlite:///nowhere/none.db"
"""A database that is not looked at."""
PATCH = "PATCH /applications/@me"
WAY = (
    "applications.commands and bot with View Channel, Send Messages, Send Messages in Threads, Embed Links, "
    "Attach Files, Read Message History, Pin Messages"
)


async def test_the_profile_is_shown_and_set_and_then_nothing_differs(
    discord_: Loopback, types: Typing
) -> None:
    _, long, tags = listing()
    given = settings(discord_, URL)
    code, said = await aside(types, "sync", "--profile", "--dry-run", **given)
    assert (code, said.splitlines()) == (
        0,
        [
            f'Description: now none; should be "{long}".',
            f"Tags: now none; should be {', '.join(sorted(tags))}.",
            f"Install link: now none; should be {WAY}.",
            f"For servers: now none; should be {WAY}.",
            "For people: now none; should be applications.commands.",
            "Updating the profile would change: Description, Tags, Install link, For servers, For people.",
        ],
    )
    assert discord_.world.profile == {}
    assert "Run `sync --profile` to set the description" in (await aside(types, "check", **given))[1]
    code, said = await aside(types, "sync", "--profile", **given)
    assert (code, said.splitlines()[-1]) == (
        0,
        "Profile updated: Description, Tags, Install link, For servers, For people.",
    )
    link = {"scopes": ["applications.commands", "bot"], "permissions": str(ASKED.value)}
    assert discord_.world.profile == {
        "description": long,
        "tags": list(tags),
        "install_params": link,
        "integration_types_config": {
            "0": {"oauth2_install_params": link},
            "1": {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": "0"}},
        },
    }
    assert discord_.commands == []
    assert "sync --profile" not in (await aside(types, "check", **given))[1]
    for more in ((), ("--dry-run",)):
        code, said = await aside(types, "sync", "--profile", *more, **given)
        assert (code, said) == (0, "The profile is up to date.")


async def test_only_what_differs_is_named_and_a_link_of_ones_own_stays(
    discord_: Loopback, types: Typing
) -> None:
    given = settings(discord_, URL)
    assert (await aside(types, "sync", "--profile", **given))[0] == 0
    rights = ASKED.value | 1 << 3 | 1 << 29
    discord_.world.profile["custom_install_url"] = "https://example.org/add"
    discord_.world.profile["install_params"] = None
    way = {"oauth2_install_params": {"scopes": ["bot"], "permissions": str(rights)}}
    discord_.world.profile["integration_types_config"]["0"] = way
    discord_.world.profile["tags"].reverse()
    code, said = await aside(types, "sync", "--profile", **given)
    assert (code, said.splitlines()) == (
        0,
        [
            "Keeping your custom install link: https://example.org/add",
            f"For servers: now bot with {WAY.partition(' with ')[2]}, Manage Webhooks, Administrator; "
            f"should be {WAY}.",
            "Profile updated: For servers.",
        ],
    )
    assert discord_.world.profile["install_params"] is None
    _, said = await aside(types, "sync", "--profile", **given)
    assert said.splitlines()[1:] == ["The profile is up to date."]


async def test_without_the_word_nothing_of_the_profile_changes(
    url: str, discord_: Loopback, types: Typing
) -> None:
    assert (await aside(types, "sync", **settings(discord_, url)))[0] == 0
    assert discord_.world.profile == {}
    with pytest.raises(SystemExit):
        types("sync", "--profile", "--guild", "7")


@pytest.mark.parametrize(
    ("status", "code", "message", "ends", "says"),
    [
        (400, 50035, "Invalid Form Body", os.EX_CONFIG, "Discord rejected the request: Invalid Form Body."),
        (401, 0, "401: Unauthorized", os.EX_CONFIG, "Discord rejected the token. Set DISCORD_TOKEN"),
        (403, 20012, "Not yours", os.EX_CONFIG, "Discord rejected the request: Not yours."),
        (503, 0, "Upstream", 1, "Discord can't accept the profile right now: Upstream. Try again later."),
    ],
)
async def test_what_discord_refuses_is_one_sentence(
    discord_: Loopback, types: Typing, status: int, code: int, message: str, ends: int, says: str
) -> None:
    discord_.faults.fail(PATCH, status, times=9, code=code, message=message)
    ended, said = await aside(types, "sync", "--profile", **settings(discord_, URL))
    assert (ended, said.startswith(says), len(said.splitlines())) == (ends, True, 1), said
    assert discord_.world.profile == {}
