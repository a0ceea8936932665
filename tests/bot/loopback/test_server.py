"""What the loopback Discord promises the bot: deadlines, errors, faults, limits, the gateway."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest

from bot.loopback.driver import Loopback
from bot.loopback.errors import InputRefused
from bot.loopback.model import InteractionKind, Json, Permission
from bot.loopback.reply import BotReply
from tests.bot.loopback.small_bot import HASTY, Connected, SmallBot
from tests.patience import patient, until

ROW = {"type": 1, "components": [{"type": 2, "style": 1, "label": "x", "custom_id": "x"}]}
V2 = 1 << 15
Receive = Callable[[], Awaitable[Json]]


async def call(discord_: Loopback, method: str, path: str, body: Any = None, token: str = "") -> Any:
    """A bare request with the bot's token: the status and the JSON."""
    headers = {"Authorization": f"Bot {token or discord_.token}"}
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, discord_.api_url + path, json=body, headers=headers) as answer,
    ):
        assert answer.headers["Via"]
        if answer.status == 204:
            return 204, None
        assert answer.headers["Content-Type"] == "application/json"
        return answer.status, await answer.json()


async def code_for(discord_: Loopback, body: Json) -> int:
    """Discord's error code for a message with this body; 0 if it takes it."""
    status, told = await call(discord_, "POST", f"/channels/{discord_.table.id}/messages", body)
    return 0 if status == 200 else int(told["code"])


@HASTY
async def test_silence_is_reported_after_the_deadline(discord_: Loopback, bot: SmallBot) -> None:
    reply = await discord_.person("alice").slash("/silent")
    assert reply.failed == "no answer in 0.01 s"
    assert reply.message is None


async def test_a_second_answer_is_refused(discord_: Loopback, bot: SmallBot) -> None:
    await discord_.person("alice").slash("/twice")
    assert await bot.first_error_code() == 40060
    assert len(discord_.messages()) == 1


def refusals(discord_: Loopback) -> list[str]:
    """What was wrong with the bot's answers."""
    return [why for opened in discord_.world.interactions.values() for why in opened.refusals]


async def unanswered(discord_: Loopback, line: str, when: Callable[[], object]) -> BotReply:
    """What comes of a command for which Discord's time is over as soon as that is so."""
    said = asyncio.create_task(discord_.person("alice").slash(line))
    await until(when)
    discord_.give_up()
    return await said


async def test_an_answer_over_the_limit_is_refused_and_told(discord_: Loopback, bot: SmallBot) -> None:
    reply = await unanswered(discord_, "/say " + "x" * 2001, lambda: refusals(discord_))
    assert reply.failed is not None
    assert "50035" in reply.failed
    discord_.violations.clear()


async def test_the_same_interaction_can_come_twice(discord_: Loopback, bot: SmallBot) -> None:
    alice = discord_.person("alice")
    reply = await alice.slash("/say hello")
    await alice.again(reply)
    assert bot.heard == [reply.interaction.id] * 2
    assert len(discord_.messages()) == 1


async def test_a_wrong_token_fails_the_login(discord_: Loopback) -> None:
    with pytest.raises(discord.LoginFailure):
        async with Connected(discord_, token="wrong"):
            pass


async def test_a_wrong_token_closes_the_gateway_with_4004(discord_: Loopback) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(discord_.gateway_url) as socket:
        assert (await socket.receive_json())["op"] == 10
        await socket.send_json({"op": 2, "d": {"token": "wrong", "intents": 1}})
        await socket.receive()
        assert socket.close_code == 4004


@pytest.mark.parametrize(("code", "op"), [(4000, 0), (1000, 9)])
async def test_a_session_ends_with_a_goodbye_only(discord_: Loopback, code: int, op: int) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(discord_.gateway_url) as socket:
            await socket.receive_json()
            await socket.send_json({"op": 2, "d": {"token": discord_.token, "intents": 0}})
            ready = await socket.receive_json()
            await socket.close(code=code)
        async with session.ws_connect(discord_.gateway_url) as socket:
            await socket.receive_json()
            last = {"token": discord_.token, "session_id": ready["d"]["session_id"], "seq": 1}
            await socket.send_json({"op": 6, "d": last})
            assert (await socket.receive_json())["op"] == op
            await socket.send_json({"op": 1, "d": 1})
            assert (await socket.receive_json())["op"] == 11


async def test_a_rate_limited_answer_is_sent_again(
    discord_: Loopback, bot: SmallBot, caplog: pytest.LogCaptureFixture
) -> None:
    discord_.faults.rate_limit("POST /interactions/*/callback", retry_after=0.05)
    with caplog.at_level(logging.WARNING):
        reply = await discord_.person("alice").slash("/say hello")
    assert reply.text == "hello"
    assert "rate limited" in caplog.text


async def test_a_server_error_comes_as_often_as_ordered(discord_: Loopback) -> None:
    discord_.faults.fail("GET /users/@me", status=503, times=2)
    assert [(await call(discord_, "GET", "/users/@me"))[0] for _ in range(3)] == [503, 503, 200]


async def test_an_error_may_hide_that_the_request_was_done(discord_: Loopback) -> None:
    discord_.faults.fail("POST /channels", takes_effect=True)
    assert (await call(discord_, "POST", f"/channels/{discord_.table.id}/messages", {"content": "x"}))[
        0
    ] == 500
    assert len(discord_.messages()) == 1


async def test_a_lost_request_has_no_answer(discord_: Loopback) -> None:
    discord_.faults.lose("POST /channels")
    with pytest.raises(aiohttp.ClientError):
        await call(discord_, "POST", f"/channels/{discord_.table.id}/messages", {"content": "x"})
    assert discord_.messages() == []


async def test_an_answer_that_is_too_late_meets_an_unknown_interaction(
    discord_: Loopback, bot: SmallBot
) -> None:
    told = discord_.faults.hold("/callback")
    reply = await unanswered(discord_, "/say hello", lambda: not discord_.faults.waiting)
    assert reply.failed
    told.set()
    assert await bot.first_error_code() == 10062


async def test_an_answer_after_discords_time_is_too_late(discord_: Loopback, bot: SmallBot) -> None:
    discord_.server.answers.deadline = 0
    assert (await discord_.person("alice").slash("/say hello")).failed
    assert await bot.first_error_code() == 10062


async def test_an_interaction_during_a_lost_connection_is_replayed() -> None:
    async with patient() as discord_, Connected(discord_) as bot:
        await discord_.faults.drop_gateway(resumable=True)
        reply = await discord_.person("alice").slash("/say still here")
        assert reply.text == "still here"
        assert discord_.gateway.resumed == 1
        assert discord_.gateway.identified == 1
        assert bot.resumes == 1


async def test_a_forgotten_session_is_opened_anew() -> None:
    async with patient() as discord_, Connected(discord_):
        await discord_.faults.drop_gateway(resumable=False)
        await discord_.ready()
        assert discord_.gateway.identified == 2
        assert (await discord_.person("alice").slash("/say back")).text == "back"


@asynccontextmanager
async def shard(discord_: Loopback, number: int, count: int) -> AsyncIterator[Receive]:
    """A bare connection of one shard, which has identified; gives what comes, payload by payload."""
    async with aiohttp.ClientSession() as session, session.ws_connect(discord_.gateway_url) as socket:
        hello = {"token": discord_.token, "intents": 1, "shard": [number, count]}
        assert (await socket.receive_json())["op"] == 10
        await socket.send_json({"op": 2, "d": hello})
        yield socket.receive_json


async def test_each_guild_is_told_of_to_its_shard_and_direct_messages_to_the_first() -> None:
    async with patient(shards=2) as discord_:
        guilds = [discord_.world.home]
        while len({guild.id >> 22 & 1 for guild in guilds}) < 2:
            guilds.append(discord_.guild(f"guild {len(guilds)}"))
        async with shard(discord_, 0, 2) as first, shard(discord_, 1, 2) as second:
            for number, receive in enumerate((first, second)):
                ready = (await receive())["d"]
                mine = [str(guild.id) for guild in guilds if guild.id >> 22 & 1 == number]
                assert [guild["id"] for guild in ready["guilds"]] == mine
                assert [(await receive())["d"]["id"] for _ in mine] == mine
            await discord_.ready()
            alice = discord_.person("alice")
            await discord_.send(
                alice.user, discord_.dm(alice), InteractionKind.COMMAND, {"id": "1", "name": "x", "type": 1}
            )
            assert (await first())["t"] == "INTERACTION_CREATE"


async def test_who_identifies_before_their_turn_is_sent_away() -> None:
    async with patient(shards=4, concurrency=2, identify_pause=60) as discord_:
        async with (
            shard(discord_, 0, 4) as first,
            shard(discord_, 1, 4) as other,
            shard(discord_, 2, 4) as same,
        ):
            assert [(await each())["op"] for each in (first, other, same)] == [0, 0, 9]
        assert (discord_.gateway.identified, discord_.gateway.hasty) == (2, 1)


async def test_how_many_shards_are_recommended_is_told() -> None:
    async with patient(shards=4, concurrency=2) as discord_:
        _, told = await call(discord_, "GET", "/gateway/bot")
        assert (told["shards"], told["session_start_limit"]["max_concurrency"]) == (4, 2)


async def test_the_gateway_compresses_when_asked(discord_: Loopback, bot: SmallBot) -> None:
    assert all(line.packer is not None for line in discord_.gateway.lines)


async def test_commands_keep_their_ids_when_put_again(discord_: Loopback, bot: SmallBot) -> None:
    before = {command["name"]: command["id"] for command in discord_.commands}
    await bot.tree.sync()
    assert {command["name"]: command["id"] for command in discord_.commands} == before
    assert discord_.command_puts == 2


async def test_the_bot_knows_channels_made_later(discord_: Loopback, bot: SmallBot) -> None:
    place, thread = discord_.channel("new"), discord_.thread("side")
    await discord_.person("alice").slash("/say hello", channel=place)
    assert bot.get_channel(place.id) is not None
    assert isinstance(bot.get_channel(thread.id), discord.Thread)
    await discord_.delete_channel(place)
    await discord_.person("alice").slash("/say hello", channel=thread)
    assert bot.get_channel(place.id) is None


async def test_the_token_of_an_interaction_ends() -> None:
    async with patient(token_life=0.0) as discord_, Connected(discord_):
        reply = await discord_.person("alice").slash("/say hello")
        path = f"/webhooks/{discord_.world.bot.id}/{reply.interaction.token}"
        assert await call(discord_, "POST", path, {"content": "more"}) == (
            401,
            {"code": 50027, "message": "Invalid Webhook Token"},
        )


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"content": "x"}, 0),
        ({"content": ""}, 50006),
        ({"content": "x" * 2001}, 50035),
        ({"components": [ROW]}, 0),
        ({"components": [ROW, ROW]}, 50035),
        ({"components": [{"type": 10, "content": "x"}]}, 50035),
        ({"components": [{"type": 10, "content": "x"}], "flags": V2}, 0),
        ({"components": [{"type": 10, "content": "x" * 2001}] * 2, "flags": V2}, 50035),
        ({"components": [{"type": 10, "content": "x"}] * 41, "flags": V2}, 50035),
        ({"components": [{"type": 10, "content": "x"}], "content": "y", "flags": V2}, 50035),
        ({"components": [{"type": 1, "components": []}]}, 50035),
        (
            {
                "components": [
                    {
                        "type": 1,
                        "components": [
                            {"type": 2, "style": 1, "label": "x", "custom_id": str(n)} for n in range(6)
                        ],
                    }
                ]
            },
            50035,
        ),
        (
            {
                "components": [
                    {
                        "type": 1,
                        "components": [{"type": 2, "style": 1, "label": "x" * 81, "custom_id": "x"}],
                    }
                ]
            },
            50035,
        ),
        (
            {
                "components": [
                    {
                        "type": 1,
                        "components": [
                            {
                                "type": 3,
                                "custom_id": "x",
                                "options": [{"label": str(n), "value": str(n)} for n in range(26)],
                            }
                        ],
                    }
                ]
            },
            50035,
        ),
        ({"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}, 50035),
    ],
)
async def test_messages_have_discords_limits(discord_: Loopback, body: Json, code: int) -> None:
    assert await code_for(discord_, body) == code
    discord_.violations.clear()


async def test_components_v2_cannot_be_left(discord_: Loopback) -> None:
    path = f"/channels/{discord_.table.id}/messages"
    body = {"components": [{"type": 10, "content": "x"}], "flags": V2}
    _, made = await call(discord_, "POST", path, body)
    status, told = await call(discord_, "PATCH", f"{path}/{made['id']}", {"content": "words", "flags": 0})
    assert (status, told["code"]) == (400, 50035)


@pytest.mark.parametrize(
    ("taken", "method", "path", "code"),
    [
        (Permission.VIEW_CHANNEL, "POST", "/channels/{}/messages", 50001),
        (Permission.SEND_MESSAGES, "POST", "/channels/{}/messages", 50013),
        (Permission.PIN_MESSAGES, "PUT", "/channels/{}/messages/pins/1", 50013),
        (None, "PUT", "/channels/{}/messages/pins/1", 10008),
        (None, "PUT", "/channels/{}/pins/1", 10008),
        (None, "GET", "/channels/1", 10003),
        (None, "GET", "/users/1", 10013),
        (None, "GET", "/guilds/1", 10004),
        (None, "GET", "/nowhere", 0),
    ],
)
async def test_errors_have_discords_codes(
    discord_: Loopback, taken: Permission | None, method: str, path: str, code: int
) -> None:
    if taken is not None:
        discord_.forbid(discord_.table, taken)
    body = {"content": "x"} if method == "POST" else None
    status, told = await call(discord_, method, path.format(discord_.table.id), body)
    assert status >= 400
    assert told["code"] == code


async def test_messages_are_read_newest_first_as_far_as_the_bot_may(discord_: Loopback) -> None:
    path = f"/channels/{discord_.table.id}/messages"
    made = [(await call(discord_, "POST", path, {"content": str(number)}))[1]["id"] for number in range(60)]

    async def read(asked: str = "") -> list[str]:
        status, told = await call(discord_, "GET", f"{path}?{asked}")
        assert status == 200
        return [each["content"] for each in told]

    assert await read() == [str(number) for number in range(59, 9, -1)]
    assert await read("limit=2") == ["59", "58"]
    assert await read(f"limit=2&before={made[10]}") == ["9", "8"]
    assert await read(f"limit=2&after={made[10]}") == ["12", "11"]
    assert await read(f"limit=3&around={made[10]}") == ["11", "10", "9"]
    for wrong in ("limit=0", "limit=101", "limit=x", "before=x"):
        status, told = await call(discord_, "GET", f"{path}?{wrong}")
        assert (status, told["code"]) == (400, 50035)
    discord_.forbid(discord_.table, Permission.READ_MESSAGE_HISTORY)
    assert await read() == []
    discord_.forbid(discord_.table, Permission.VIEW_CHANNEL)
    assert (await call(discord_, "GET", path))[1]["code"] == 50001


async def test_an_archived_thread_takes_no_edits(discord_: Loopback) -> None:
    thread = discord_.thread("side")
    path = f"/channels/{thread.id}/messages"
    _, made = await call(discord_, "POST", path, {"content": "x"})
    discord_.archive(thread)
    for method, at in (("PATCH", made["id"]), ("PUT", f"pins/{made['id']}")):
        assert (await call(discord_, method, f"{path}/{at}", {"content": "y"}))[1]["code"] == 50083
    await call(discord_, "POST", path, {"content": "wakes it"})
    assert (await call(discord_, "PATCH", f"{path}/{made['id']}", {"content": "y"}))[0] == 200
    discord_.archive(thread)
    assert (await call(discord_, "DELETE", f"{path}/{made['id']}"))[0] == 204
    assert thread.archived


@pytest.mark.parametrize(("archived", "code"), [(True, 50083), (False, 160005)])
async def test_a_locked_thread_is_for_those_who_manage_threads(
    discord_: Loopback, *, archived: bool, code: int
) -> None:
    thread = discord_.thread("side")
    path = f"/channels/{thread.id}/messages"
    _, made = await call(discord_, "POST", path, {"content": "x"})
    (discord_.archive(thread, locked=True) if archived else discord_.lock(thread))
    for method, at in (("POST", ""), ("PATCH", f"/{made['id']}"), ("PUT", f"/pins/{made['id']}")):
        assert (await call(discord_, method, f"{path}{at}", {"content": "y"}))[1]["code"] == code
    with pytest.raises(InputRefused, match="locked"):
        await discord_.person("alice").write("hello?", thread)
    discord_.permit(thread, Permission.MANAGE_THREADS)
    assert (await call(discord_, "POST", path, {"content": "y"}))[0] == 200
    assert (thread.archived, thread.locked) == (False, True)
    assert (await call(discord_, "PATCH", f"{path}/{made['id']}", {"content": "y"}))[0] == 200


async def test_old_messages_are_edited_three_times_in_six_seconds(discord_: Loopback) -> None:
    path = f"/channels/{discord_.table.id}/messages"
    _, made = await call(discord_, "POST", path, {"content": "x"})
    discord_.messages()[0].created -= 3601
    told = [await call(discord_, "PATCH", f"{path}/{made['id']}", {"content": "y"}) for _ in range(4)]
    assert [status for status, _ in told] == [200, 200, 200, 429]
    assert told[-1][1]["code"] == 30046
    assert 0 < told[-1][1]["retry_after"] <= 6


async def test_a_bot_hears_of_threads_pins_and_permissions(discord_: Loopback) -> None:
    thread, home = discord_.thread("side"), discord_.world.home
    async with shard(discord_, 0, 1) as receive:
        assert [(await receive())["t"] for _ in range(2)] == ["READY", "GUILD_CREATE"]
        message = await discord_.person("alice").write("Hello", thread)
        discord_.pin(message)
        discord_.archive(thread)
        await discord_.person("alice").write("Hello again", thread)
        discord_.forbid(thread, Permission.VIEW_CHANNEL)
        discord_.permit(thread, Permission.VIEW_CHANNEL)
        discord_.forbid(home, Permission.PIN_MESSAGES)
        assert await call(discord_, "PUT", f"/channels/{thread.id}/messages/pins/{message.id}") == (
            403,
            {"code": 50013, "message": "Missing Permissions"},
        )
        heard = [await receive() for _ in range(7)]
    assert [each["t"] for each in heard] == [
        "CHANNEL_PINS_UPDATE",
        "THREAD_UPDATE",
        "THREAD_UPDATE",
        "CHANNEL_UPDATE",
        "CHANNEL_UPDATE",
        "THREAD_LIST_SYNC",
        "GUILD_ROLE_UPDATE",
    ]
    assert [each["d"]["thread_metadata"]["archived"] for each in heard[1:3]] == [True, False]
    assert [each["id"] for each in heard[5]["d"]["threads"]] == [str(thread.id)]
    assert int(heard[6]["d"]["role"]["permissions"]) & Permission.PIN_MESSAGES == 0


async def test_a_channel_has_at_most_250_pins(discord_: Loopback) -> None:
    path = f"/channels/{discord_.table.id}/messages"
    for _ in range(250):
        _, made = await call(discord_, "POST", path, {"content": "x"})
        assert (await call(discord_, "PUT", f"{path}/pins/{made['id']}"))[0] == 204
    _, made = await call(discord_, "POST", path, {"content": "x"})
    _, told = await call(discord_, "PUT", f"{path}/pins/{made['id']}")
    assert told["code"] == 30003


async def test_old_messages_are_forgotten_but_not_pinned_ones() -> None:
    async with patient(keep_messages=3) as discord_:
        path = f"/channels/{discord_.table.id}/messages"
        for number in range(6):
            _, made = await call(discord_, "POST", path, {"content": str(number)})
            if number == 0:
                await call(discord_, "PUT", f"{path}/pins/{made['id']}")
        assert [message.text for message in discord_.messages()] == ["0", "4", "5"]


@pytest.mark.parametrize(
    ("command", "fits"),
    [
        ({"name": "roll", "description": "Roll"}, True),
        ({"name": "Roll", "description": "Roll"}, False),
        ({"name": "roll", "description": "x" * 101}, False),
        ({"name": "two words", "description": "x"}, False),
        (
            {
                "name": "big",
                "description": "x",
                "options": [
                    {
                        "type": 3,
                        "name": f"o{n}",
                        "description": "x" * 90,
                        "choices": [{"name": f"{k}" + "n" * 30, "value": "v" * 30} for k in range(6)],
                    }
                    for n in range(20)
                ],
            },
            False,
        ),
        ({"name": "Undo this", "type": 3}, True),
    ],
)
async def test_commands_have_discords_limits(discord_: Loopback, command: Json, fits: bool) -> None:
    path = f"/applications/{discord_.world.bot.id}/commands"
    status, _ = await call(discord_, "PUT", path, [command])
    assert (status == 200) == fits
    discord_.violations.clear()


async def test_a_command_can_be_made_changed_and_removed_alone(discord_: Loopback) -> None:
    path = f"/applications/{discord_.world.bot.id}/guilds/{discord_.world.home.id}/commands"
    _, made = await call(discord_, "POST", path, {"name": "roll", "description": "Roll", "type": 1})
    _, changed = await call(discord_, "PATCH", f"{path}/{made['id']}", {"description": "Roll dice"})
    assert changed["id"] == made["id"]
    assert (await call(discord_, "GET", path))[1][0]["description"] == "Roll dice"
    assert (await call(discord_, "DELETE", f"{path}/{made['id']}"))[0] == 204
    assert discord_.commands == []


async def test_bodies_are_held_against_a_description(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = {"type": "object", "properties": {"content": {"$ref": "#/components/schemas/Words"}}}
    described = {
        "components": {"schemas": {"Words": {"type": "string", "maxLength": 3}}},
        "paths": {
            "/channels/{channel_id}/messages": {
                "post": {
                    "operationId": "create_message",
                    "requestBody": {"content": {"application/json": {"schema": words}}},
                }
            }
        },
    }
    (tmp_path / "api.json").write_text(json.dumps(described))
    monkeypatch.setenv("DISCORD_OPENAPI", str(tmp_path / "api.json"))
    async with patient() as discord_:
        assert await code_for(discord_, {"content": "yes"}) == 0
        assert await code_for(discord_, {"content": "long"}) == 50035
        (violation,) = discord_.violations
        assert violation.operation == "create_message"
        assert violation.sentence == "content: 'long' is too long"


async def test_a_button_still_works_after_the_bot_was_started_anew(discord_: Loopback) -> None:
    alice = discord_.person("alice")
    async with Connected(discord_):
        first = await alice.slash("/tally")
    async with Connected(discord_):
        assert (await alice.press(first, 0)).text == "The count is 1"


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Origin": "https://evil.example"}, {"Origin": "null"}],
    ids=["a foreign name", "a foreign page", "a page from nowhere"],
)
async def test_no_page_can_read_or_write_what_people_type(
    discord_: Loopback, bot: SmallBot, headers: dict[str, str]
) -> None:
    await discord_.person("alice").slash("/say a secret")
    path = f"{discord_.api_url}/channels/{discord_.table.id}/messages"
    known = headers | {"Authorization": f"Bot {discord_.token}"}
    async with aiohttp.ClientSession() as web:
        async with web.get(path, headers=known) as answer:
            assert (answer.status, "a secret" in await answer.text()) == (403, False)
        async with web.post(path, headers=known, json={"content": "written"}) as answer:
            assert "http://127.0.0.1:8377/…/" in await answer.text()
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await web.ws_connect(discord_.gateway_url, headers=headers)
    assert [message.text for message in discord_.messages()] == ["a secret"]


def test_each_run_has_a_token_that_nobody_knows() -> None:
    tokens = {Loopback().token for _ in range(2)}
    assert len(tokens) == 2
    assert all(len(token) > 40 for token in tokens)


@pytest.mark.parametrize(
    ("body", "hears"),
    [
        ({"description": "x" * 401}, "400 or fewer"),
        ({"tags": list("abcdef")}, "5 or fewer"),
        ({"tags": ["dice", "x" * 21]}, "20 or fewer"),
    ],
)
async def test_a_profile_that_discord_would_not_take(
    discord_: Loopback, body: dict[str, object], hears: str
) -> None:
    discord_.server.schemas = None  # its own limits, also where a description is at hand
    status, told = await call(discord_, "PATCH", "/applications/@me", body)
    assert (status, told["code"], hears in str(told)) == (400, 50035, True)
    assert discord_.world.profile == {}
    status, told = await call(discord_, "PATCH", "/applications/@me", {"description": "x" * 400})
    assert (status, told["description"]) == (200, "x" * 400)


async def test_a_person_takes_direct_messages_until_they_close_them_or_leave(discord_: Loopback) -> None:
    alice = discord_.person("alice")
    path = f"/channels/{discord_.dm(alice).id}/messages"
    assert (await call(discord_, "POST", path, {"content": "Hello"}))[0] == 200
    discord_.close_dm(alice)
    status, told = await call(discord_, "POST", path, {"content": "Hello"})
    assert (status, told["code"]) == (403, 50007)
    discord_.close_dm(alice, is_closed=False)
    discord_.world.home.gone.add(alice.user.id)
    status, told = await call(discord_, "POST", path, {"content": "Hello"})
    assert (status, told["code"]) == (403, 50278)
