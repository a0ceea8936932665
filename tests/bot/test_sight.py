"""Whose a table is that others may not see: its channel says who finds, joins, reads and restores it."""

import pytest

from bot.loopback.errors import InputRefused
from bot.loopback.model import Channel
from bot.loopback.reply import BotReply
from bot.loopback.server import Route, Server
from tests.bot.test_buttons import is_refused
from tests.game import Game

JOIN = "/campaign join name:Skyfall"


@pytest.fixture
async def secret(game: Game) -> Channel:
    """A channel that Alice and who manages the server see, with an open table in which she plays Ada."""
    place = game.discord.channel("secret")
    game.discord.hide(place)
    game.discord.show(place, game.alice, game.gm)
    await game.alice.slash("/campaign new name:Skyfall open:true", channel=place)
    await game.alice.slash("/character new name:Ada", channel=place)
    return place


async def offered(game: Game, who: str, line: str = "/campaign join name:") -> list[str]:
    """What is suggested to somebody in the first channel."""
    return [str(each.value) for each in await game.person(who).complete(line)]


class Fetches:
    """The members of threads that Discord was asked for."""

    def __init__(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        self.paths: list[str] = []
        find = server.find

        def counted(method: str, path: str) -> tuple[Route, tuple[str, ...]]:
            if method == "GET" and "/thread-members/" in path:
                self.paths.append(path)
            return find(method, path)

        monkeypatch.setattr(Server, "find", lambda _, method, path: counted(method, path))


async def test_a_table_of_a_hidden_channel_is_found_by_nobody_else(game: Game, secret: Channel) -> None:
    assert await offered(game, "bob") == []
    unknown = await game.says("bob: /campaign join name:Nowhere")
    refused = await game.says(f"bob: {JOIN}")
    assert is_refused(refused)
    assert refused.text == unknown.text.replace("Nowhere", "Skyfall")
    assert await offered(game, "alice") == ["Skyfall"]
    assert "Skyfall" in (await game.play(f"alice: {JOIN}")).text


async def test_a_role_or_a_person_that_a_channel_is_shown_to_sees_its_table(
    game: Game, secret: Channel
) -> None:
    game.discord.show(secret, game.discord.role("players", game.bob))
    assert await offered(game, "bob") == ["Skyfall"]
    game.discord.hide(secret, game.bob)
    assert await offered(game, "bob") == []
    assert is_refused(await game.says(f"bob: {JOIN}"))
    game.discord.show(secret, game.bob)
    assert not is_refused(await game.says(f"bob: {JOIN}"))


async def test_one_channel_of_several_is_enough(game: Game, secret: Channel) -> None:
    side = game.discord.channel("side")
    await game.alice.slash(JOIN, channel=side)
    assert await offered(game, "bob") == ["Skyfall"]
    assert not is_refused(await game.says(f"bob: {JOIN}"))


async def test_of_equal_names_only_those_are_numbered_that_one_sees(game: Game, secret: Channel) -> None:
    await game.bob.slash("/campaign new name:Skyfall open:true", channel=game.discord.channel("side"))
    assert await offered(game, "bob") == ["Skyfall"]
    assert await offered(game, "alice") == ["Skyfall", "Skyfall (2)"]


@pytest.mark.parametrize("is_hidden", [False, True])
async def test_a_thread_is_seen_like_its_channel(game: Game, secret: Channel, is_hidden: bool) -> None:
    thread = game.discord.thread("side", parent=secret if is_hidden else game.discord.channel("hall"))
    await game.alice.slash("/campaign new name:Deep Water open:true", channel=thread)
    assert ("Deep Water" in await offered(game, "bob")) == (not is_hidden)
    assert is_refused(await game.says("bob: /campaign join name:Deep Water")) == is_hidden


@pytest.mark.parametrize("who", ["alice", "bob"])
async def test_a_private_thread_is_seen_by_its_members_whom_one_fetch_knows(
    game: Game, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = game.discord.thread("plot", parent=game.discord.channel("hall"), people=(game.alice,))
    await game.alice.slash("/campaign new name:Deep Water open:true", channel=thread)
    fetches = Fetches(game.discord.server, monkeypatch)
    assert await offered(game, who) == []
    assert fetches.paths == []
    reply = await game.says(f"{who}: /campaign join name:deep water")
    assert is_refused(reply) == (who == "bob")
    (path,) = fetches.paths
    assert path.endswith(f"/channels/{thread.id}/thread-members/{game.person(who).id}")


async def test_where_discord_does_not_say_nobody_is_let_in(game: Game) -> None:
    thread = game.discord.thread("plot", parent=game.discord.channel("hall"), people=(game.alice,))
    await game.alice.slash("/campaign new name:Deep Water open:true", channel=thread)
    game.discord.faults.fail("/thread-members/", 403, code=50001)
    assert is_refused(await game.says("alice: /campaign join name:Deep Water"))
    assert not is_refused(await game.says("alice: /campaign join name:Deep Water"))


async def moved_away(game: Game, secret: Channel) -> BotReply:
    """A message of an open table that is played elsewhere by now, in a channel that everybody sees."""
    await game.alice.slash(JOIN, channel=game.discord.table)
    begun = await game.play("alice: /roll dice:2d6 d8")
    await game.says("alice: /table pin")
    await game.alice.slash("/campaign leave", channel=game.discord.table)
    return begun


async def test_an_old_button_opens_no_table_that_moved_out_of_sight(game: Game, secret: Channel) -> None:
    begun = await moved_away(game, secret)
    for which in [button.label for button in begun.buttons]:
        reply = await game.bob.press(begun, which)
        assert is_refused(reply), which
        assert (
            "That's out of date: the table was deleted, or isn't in this channel any more. To see this"
        ) in reply.text, which
    assert (
        "That's out of date: the table was deleted, or isn't in this channel any more. To see this"
        not in (await game.alice.press(begun, begun.buttons[0].label)).text
    )
    game.discord.show(secret, game.bob)
    assert (
        "That's out of date: the table was deleted, or isn't in this channel any more. To see this"
        not in (await game.bob.press(begun, begun.buttons[0].label)).text
    )


async def test_what_is_claimed_is_seen(game: Game, secret: Channel) -> None:
    assert is_refused(await game.says(f"bob: {JOIN}"))
    await game.play("bob: /campaign gm player:@bob")
    shown = (await game.alice.slash("/campaign show", channel=secret)).text
    assert "bob" not in shown


async def test_a_deleted_table_comes_back_by_who_deleted_it_and_still_sees_it(
    game: Game, secret: Channel
) -> None:
    asked = await game.gm.slash("/campaign delete", channel=secret)
    await game.gm.press(asked, "Delete")
    game.gm.user.manage_guild = False
    game.discord.hide(secret, game.gm)
    assert await offered(game, "gm", "/campaign restore name:") == []
    assert is_refused(await game.says("gm: /campaign restore name:Skyfall"))
    game.discord.show(secret, game.gm)
    assert await offered(game, "gm", "/campaign restore name:") == ["Skyfall"]
    assert not is_refused(await game.says("gm: /campaign restore name:Skyfall"))


async def test_who_manages_the_server_has_every_table_also_one_whose_channel_is_gone(
    game: Game, secret: Channel
) -> None:
    game.discord.hide(secret, game.gm)
    assert await offered(game, "gm") == ["Skyfall"]
    await game.discord.delete_channel(secret)
    assert await offered(game, "alice") == []
    assert is_refused(await game.says(f"alice: {JOIN}"))
    assert not is_refused(await game.says(f"gm: {JOIN}"))


async def test_a_gm_keeps_a_table_whose_channel_is_gone(game: Game) -> None:
    place = game.discord.channel("secret")
    await game.alice.slash("/campaign new name:Skyfall", channel=place)
    await game.discord.delete_channel(place)
    assert await offered(game, "alice") == ["Skyfall"]
    assert not is_refused(await game.says(f"alice: {JOIN}"))


async def test_an_open_table_that_rests_is_woken_by_who_saw_it_last(game: Game, secret: Channel) -> None:
    await game.alice.slash("/campaign new name:Deep Water open:true", channel=secret)
    assert await offered(game, "bob") == []
    assert is_refused(await game.says(f"bob: {JOIN}"))
    assert not is_refused(await game.says(f"alice: {JOIN}"))


async def test_who_plays_somebody_where_they_see_nothing_leaves_and_takes_them_along(
    game: Game, secret: Channel
) -> None:
    game.discord.hide(secret, game.alice)
    assert await offered(game, "alice", "/campaign leave name:") == ["Skyfall"]
    assert await offered(game, "alice", "/character export table:") == ["Skyfall"]
    assert await offered(game, "bob", "/campaign leave name:") == []
    exported = await game.says("alice: /character export table:Skyfall")
    assert exported.message is not None
    assert b'"Ada"' in exported.message.files[0].data
    left = await game.says("alice: /campaign leave name:Skyfall")
    assert left.private
    assert left.text == "Ada is played by nobody"
    assert is_refused(await game.says("alice: /campaign leave name:Skyfall"))
    assert is_refused(await game.says("alice: /character export table:Skyfall"))
    assert is_refused(await game.says("bob: /character export table:Skyfall"))
    assert "Ada: played by nobody" in (await game.gm.slash("/character list", channel=secret)).text


async def test_a_player_leaves_the_table_of_this_channel_without_naming_it(table: Game) -> None:
    for name, character in (("alice", "Alice"), ("bob", "Bob")):
        left = await table.says(f"{name}: /campaign leave")
        assert (left.private, left.text) == (True, f"{character} is played by nobody")
    table.discord.person("dave", manage_guild=True)
    for name in ("alice", "carol", "dave"):
        refused = await table.says(f"{name}: /campaign leave")
        assert refused.text.startswith("Only the GM can take this channel out of the campaign.")
    assert "no longer played in this channel" in (await table.play("gm: /campaign leave")).text


async def test_a_channel_that_one_does_not_see_takes_no_command_of_theirs(
    game: Game, secret: Channel
) -> None:
    with pytest.raises(InputRefused, match="bob can't see #secret"):
        await game.bob.slash("/table show", channel=secret)
