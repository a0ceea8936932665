"""What people can do at their keyboards, and what they then see."""

from pathlib import Path

import aiohttp
import pytest

from bot.loopback.driver import Loopback
from bot.loopback.errors import InputRefused, UnknownCommand
from bot.loopback.forms import FieldKind
from bot.loopback.world import KEPT_UPLOADS
from tests.bot.loopback.small_bot import SmallBot

pytestmark = pytest.mark.usefixtures("bot")


async def test_a_slash_command_is_answered_in_the_channel(discord_: Loopback) -> None:
    alice = discord_.person("alice")
    reply = await alice.slash("/roll dice:2d6 d8 vs:11")
    assert reply.text == "alice rolls 2d6 d8 vs 11 hard=False"
    assert not reply.private
    assert discord_.messages() == [reply.message]


async def test_a_private_answer_is_seen_by_one_person_only(discord_: Loopback) -> None:
    reply = await discord_.person("alice").slash("/roll 2d6 how:Secretly hard:yes")
    assert reply.private
    assert reply.text.endswith("hard=True")
    assert discord_.messages() == []


async def test_a_deferred_answer_is_awaited(discord_: Loopback) -> None:
    reply = await discord_.person("alice").slash("/slow")
    assert reply.text == "thought about it"
    assert not reply.message.is_loading  # type: ignore[union-attr]


async def test_threads_and_direct_messages_are_places_too(discord_: Loopback) -> None:
    alice = discord_.person("alice")
    for place in (discord_.thread("side"), discord_.dm(alice), discord_.channel("other")):
        reply = await alice.slash("/say hello", channel=place)
        assert discord_.messages(place) == [reply.message]


async def test_a_user_option_names_a_person(discord_: Loopback) -> None:
    bob = discord_.person("bob")
    reply = await discord_.person("alice").slash("/asset add what:Rope who:@bob")
    assert reply.text == f"Rope on {bob.mention}"


async def test_a_persistent_button_updates_its_message(discord_: Loopback) -> None:
    alice = discord_.person("alice")
    first = await alice.slash("/tally")
    assert first.text == "The count is 0"
    assert [button.label for button in first.buttons] == ["Count: 0"]
    second = await alice.press(first, "count")
    assert second.updated
    assert second.message is first.message
    assert second.text == "The count is 1"
    assert [version.text for version in second.message.versions] == ["The count is **0**"]  # type: ignore[union-attr]


@pytest.mark.parametrize("which", [0, "Who", "wh"])
async def test_a_button_is_found_by_number_or_label(discord_: Loopback, which: str | int) -> None:
    panel = await discord_.person("alice").slash("/panel")
    reply = await discord_.person("bob").press(panel, which)
    assert reply.text == "You are bob"
    assert reply.private
    assert not reply.updated


@pytest.mark.parametrize("which", ["Off", "Rules"])
async def test_a_disabled_button_and_a_link_send_nothing(
    discord_: Loopback, bot: SmallBot, which: str
) -> None:
    panel = await discord_.person("alice").slash("/panel")
    with pytest.raises(InputRefused):
        await discord_.person("alice").press(panel, which)
    assert len(bot.heard) == 1


async def test_a_press_that_is_deferred_shows_the_follow_up(discord_: Loopback) -> None:
    panel = await discord_.person("alice").slash("/panel")
    reply = await discord_.person("alice").press(panel, "Later")
    assert reply.text == "a follow-up"


async def test_a_menu_sends_the_chosen_value(discord_: Loopback) -> None:
    panel = await discord_.person("alice").slash("/panel")
    assert [option.label for option in panel.menus[0].options] == ["Red", "Blue"]
    reply = await discord_.person("alice").choose(panel, 0, ["blue"])
    assert reply.updated
    assert reply.text == "chose b"


@pytest.mark.parametrize("opened_by", ["command", "button"])
async def test_a_form_is_filled_in_and_sent(discord_: Loopback, opened_by: str) -> None:
    alice = discord_.person("alice")
    if opened_by == "command":
        opened = await alice.slash("/form")
    else:
        opened = await alice.press(await alice.slash("/panel"), "Form")
    assert opened.form is not None
    assert [field.kind for field in opened.form.fields] == [
        FieldKind.NOTE,
        FieldKind.TEXT,
        FieldKind.RADIO,
        FieldKind.SELECT,
    ]
    reply = await alice.submit(opened.form, {"name": "Broken Leg", "on": "alice"})
    assert reply.text == "Broken Leg d6 on Alice"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "Fill in Name"),
        ({"Name": "x" * 21}, "21"),
        ({"Name": "x", "Die": "d12"}, "can be d6, d8"),
        ({"Nmae": "x"}, "no field Nmae"),
    ],
)
async def test_a_form_refuses_what_a_client_would(
    discord_: Loopback, values: dict[str, str], sentence: str
) -> None:
    alice = discord_.person("alice")
    opened = await alice.slash("/form")
    with pytest.raises(InputRefused, match=sentence):
        await alice.submit(opened.form, values)


async def test_suggestions_come_from_the_bot(discord_: Loopback) -> None:
    choices = await discord_.person("alice").complete("/asset remove what:ro")
    assert [choice.name for choice in choices] == ["Broken Chair", "Rope", "Rotten Egg"]


async def test_long_press_commands_reach_messages_and_people(discord_: Loopback) -> None:
    alice, bob = discord_.person("alice"), discord_.person("bob")
    said = await alice.slash("/say something")
    assert (await alice.menu_command("Undo this", message=said)).text == "undone: something"
    assert (await alice.menu_command("give 1 pp", user=bob)).text == "1 PP for bob"


@pytest.mark.parametrize(
    ("line", "kind", "sentence"),
    [
        ("/rol 2d6", UnknownCommand, "Did you mean roll"),
        ("/roll dcie:2d6", UnknownCommand, "no option dcie"),
        ("/asset drop what:x", UnknownCommand, "no subcommand"),
        ("/asset", InputRefused, "needs one of: add, remove"),
        ("/roll", InputRefused, "needs dice"),
        ("/roll 2d6 vs:x", InputRefused, "whole number"),
        ("/roll 2d6 vs:31", InputRefused, "at most 30"),
        ("/roll 2d6 how:loud", InputRefused, "Openly, Secretly"),
        ("/asset add what:x who:@nobody", InputRefused, "Nobody here"),
        ("/tally now", UnknownCommand, "no options"),
    ],
)
async def test_a_client_sends_nothing_that_discord_would_refuse(
    discord_: Loopback, bot: SmallBot, line: str, kind: type[InputRefused], sentence: str
) -> None:
    with pytest.raises(kind, match=sentence):
        await discord_.person("alice").slash(line)
    assert bot.heard == []


async def test_mentions_notify_unless_the_bot_says_otherwise(discord_: Loopback) -> None:
    bob = discord_.person("bob")
    loud = await discord_.person("alice").slash("/mention @bob")
    quiet = await discord_.person("alice").slash("/mention @bob quietly:yes")
    assert loud.message is not None
    assert quiet.message is not None
    assert loud.message.pings == {bob.id}
    assert quiet.message.pings == frozenset()


async def test_a_pinned_message_is_listed_and_may_be_edited(discord_: Loopback) -> None:
    reply = await discord_.person("alice").slash("/pin")
    assert reply.text == "1 pinned"
    while discord_.pins()[0].text != "pinned words, edited":
        await discord_.person("alice").slash("/say waiting")
    assert discord_.pins()[0].pings == frozenset()


async def test_a_file_keeps_its_name_words_and_bytes(discord_: Loopback) -> None:
    reply = await discord_.person("alice").slash("/file")
    assert reply.message is not None
    (file,) = reply.message.files
    assert (file.name, file.description, file.data) == ("map.png", "A map", b"pixels")
    async with aiohttp.ClientSession() as session, session.get(file.url) as answer:
        assert await answer.read() == b"pixels"


async def test_a_file_can_be_given_to_a_command(discord_: Loopback, tmp_path: Path) -> None:
    path = tmp_path / "a map.json"
    path.write_text("{}")
    reply = await discord_.person("alice").slash(f"/weigh file:{path}")
    assert reply.text == "a map.json, 2, application/json: {}"


async def test_a_client_sends_no_file_that_is_not_there_or_too_large(
    discord_: Loopback, tmp_path: Path
) -> None:
    with pytest.raises(InputRefused, match="cannot be read: No such file"):
        await discord_.person("alice").slash("/weigh file:/nowhere/at.all")
    path = tmp_path / "large"
    path.write_bytes(bytes(10 * 1024 * 1024 + 1))
    with pytest.raises(InputRefused, match="10 MiB"):
        await discord_.person("alice").slash(f"/weigh file:{path}")


async def test_old_uploads_are_forgotten(discord_: Loopback, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("x")
    for _ in range(KEPT_UPLOADS + 2):
        await discord_.person("alice").slash(f"/weigh file:{path}")
    assert len(discord_.world.files) == KEPT_UPLOADS


async def test_a_long_press_brings_the_words_of_anybodys_message(discord_: Loopback) -> None:
    written = await discord_.person("bob").write("**Loud**\nwords")
    reply = await discord_.person("alice").menu_command("Undo this", message=written)
    assert reply.text == "undone: Loud\nwords"


async def test_a_long_press_brings_whom_the_words_mention(discord_: Loopback) -> None:
    alice, bob = map(discord_.person, ("alice", "bob"))
    written = await bob.write(f"{alice.mention}, {bob.mention} and {alice.mention}, not <@5>")
    reply = await alice.menu_command("Undo this", message=written)
    (message,) = reply.interaction.payload["data"]["resolved"]["messages"].values()
    assert [each["username"] for each in message["mentions"]] == ["alice", "bob"]


async def test_a_deleted_message_cannot_be_pressed(discord_: Loopback) -> None:
    panel = await discord_.person("alice").slash("/panel")
    assert panel.message is not None
    await discord_.delete_message(panel.message)
    with pytest.raises(InputRefused, match="deleted"):
        await discord_.person("alice").press(panel, 0)


async def test_follow_ups_stand_with_the_reply(discord_: Loopback) -> None:
    reply = await discord_.person("alice").slash("/slow")
    while not reply.more:
        await discord_.person("alice").slash("/say waiting")
    assert [message.text for message in reply.more] == ["and this"]
    assert reply.more[0].is_private


async def test_an_answer_can_be_taken_back_and_a_whisper_sent(discord_: Loopback) -> None:
    alice = discord_.person("alice")
    reply = await alice.slash("/tidy")
    while not discord_.messages(discord_.dm(alice)):
        await discord_.person("bob").slash("/say waiting", channel=discord_.channel("other"))
    assert reply.message is not None
    assert reply.message.deleted
    assert discord_.messages() == []
    assert [message.text for message in discord_.messages(discord_.dm(alice))] == ["psst"]


async def test_a_form_may_ask_for_people_channels_and_ticks(discord_: Loopback) -> None:
    alice = discord_.person("alice")
    discord_.person("bob")
    opened = await alice.slash("/choosers")
    kept = await alice.submit(opened.form, {"Where": "#table", "Traits": ["wit", "zeal"], "Sure": True})
    assert kept.text == "alice table Wit Zeal True"
    opened = await alice.slash("/choosers")
    changed = await alice.submit(opened.form, {"Who": "@bob", "Where": "table", "Traits": "Grit"})
    assert changed.text == "bob table Grit False"


async def test_a_command_is_offered_only_to_whom_and_where_it_may_be_used(discord_: Loopback) -> None:
    root, alice = discord_.person("root", manage_guild=True), discord_.person("alice")
    assert (await root.slash("/setup")).text == "set up"
    with pytest.raises(UnknownCommand):
        await alice.slash("/setup")
    with pytest.raises(UnknownCommand):
        await root.slash("/setup", channel=discord_.dm(root))
