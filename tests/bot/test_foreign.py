"""Foreign hands: what somebody forges, or carries from one place to another, touches no table of others.

Whoever knows a campaign's number can write it into the id of a button or a form. It has no say outside of
the campaign's own server, or of its own direct messages.
"""

from pathlib import Path

import pytest

from bot.loopback.model import Channel
from bot.loopback.people import Person
from bot.loopback.reply import BotReply
from rules.values import replace
from tests.bot.test_buttons import is_refused, seen
from tests.game import Game

ELSEWHERE = "That's out of date: the table was deleted"


async def carried(person: Person, button: BotReply, label: str, on: BotReply) -> BotReply:
    """Somebody presses a button of theirs that has the id of another one."""
    forged = next(each for each in button.buttons if each.label.startswith(label))
    return await person.push(on, replace(forged, disabled=False))


@pytest.fixture
async def far(game: Game) -> Channel:
    """A channel of another server."""
    return game.discord.channel("far", guild=game.discord.guild("Far away"))


async def of_their_own(person: Person, place: Channel) -> BotReply:
    """A message in a place where somebody is the GM."""
    return await person.slash("/campaign new name:Own", channel=place)


@pytest.mark.parametrize("where", ["another server", "direct messages"])
async def test_a_button_of_another_place_neither_shows_nor_changes_a_table(
    table: Game, far: Channel, where: str
) -> None:
    mallory = table.discord.person("mallory", manage_guild=True)
    own = await of_their_own(mallory, far if where == "another server" else table.discord.dm(mallory))
    shown = await table.says("gm: /table show")
    asked = await table.says("gm: /campaign delete")
    crisis = await table.play("gm: /crisis new name:Fire dice:2d6")
    rolled = await table.play("alice: /roll dice:2d6 d8")
    began = await table.begin("gm: /campaign new name:Skyfall")
    before = await seen(table)
    for reply, label in ((shown, "Share"), (asked, "Delete"), (crisis, "Roll against"), (began, "Join")):
        refused = await carried(mallory, reply, label, own)
        assert is_refused(refused), label
        assert ELSEWHERE in refused.text, label
    assert ELSEWHERE in (await carried(mallory, rolled, "Spend", own)).text
    assert await seen(table) == before


async def test_a_form_sent_from_another_server_changes_nothing(table: Game, far: Channel) -> None:
    mallory = table.discord.person("mallory")
    join = (await table.bob.press(await table.begin("gm: /campaign new name:Skyfall"), "Join")).form
    own = (await mallory.press(await of_their_own(mallory, far), "Join")).form
    assert join is not None
    assert own is not None
    before = await seen(table)
    refused = await mallory.submit(replace(own, custom_id=join.custom_id), {"Name": "Mallory"})
    assert is_refused(refused)
    assert ELSEWHERE in refused.text
    assert await seen(table) == before


async def test_direct_messages_have_no_say_in_one_another(game: Game) -> None:
    own, other = (game.discord.dm(person) for person in (game.alice, game.bob))
    secret = await game.alice.slash("/asset add what:Diary", channel=own)
    shown = await game.alice.slash("/table show", channel=own)
    assert not secret.private
    theirs = await of_their_own(game.bob, other)
    refused = await carried(game.bob, shown, "Share", theirs)
    assert ELSEWHERE in refused.text
    assert "Diary" in (await game.alice.press(shown, "Share")).text


async def test_a_pool_that_is_built_opens_only_at_its_own_server(table: Game, far: Channel) -> None:
    built = await table.says("alice: /pool build")
    own = await of_their_own(table.alice, far)
    assert ELSEWHERE in (await carried(table.alice, built, "Type it", own)).text
    assert (await table.alice.press(built, "Type it")).form is not None


async def test_a_file_is_imported_only_where_it_was_looked_at(
    table: Game, far: Channel, tmp_path: Path
) -> None:
    path = tmp_path / "table.json"
    path.write_text('{"doomkeeper": "table", "version": 1, "table": {"name": "Deep Water"}}')
    shown = await table.says(f"gm: /campaign import file:{path}")
    own = await of_their_own(table.gm, far)
    again = await carried(table.gm, shown, "Import", own)
    assert again.private
    assert "nothing has been imported yet" in again.text


async def test_what_somebody_typed_into_a_refused_form_opens_for_them_alone(table: Game) -> None:
    join = (await table.bob.press(await table.begin("gm: /campaign new name:Skyfall"), "Join")).form
    refused = await table.bob.submit(join, {"Name": "Anna, Bob"})
    private = await table.says("alice: /table show")
    stolen = await carried(table.alice, refused, "Try again", private)
    assert is_refused(stolen)
    assert "What you typed is gone." in stolen.text
    assert (await table.bob.press(refused, "Try again")).form is not None


async def test_at_its_own_server_a_table_is_pressed_from_any_channel(table: Game) -> None:
    shown = await table.says("gm: /table show")
    other = await of_their_own(table.gm, table.discord.channel("other"))
    assert "Skyfall" in (await carried(table.gm, shown, "Share", other)).text


async def test_a_file_without_bytes_is_refused_by_its_name(table: Game, tmp_path: Path) -> None:
    (tmp_path / "nothing.json").touch()
    for line in (
        "alice: /character import file",
        "gm: /campaign import file",
        "alice: /character portrait picture",
    ):
        reply = await table.says(f"{line}:{tmp_path / 'nothing.json'}")
        assert (reply.private, reply.text) == (True, '"nothing.json" is empty.')
