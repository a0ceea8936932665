"""`/say` as it is met at a table: under the character's name, harmless, and taken back."""

from pathlib import Path

import pytest

from bot.loopback.model import Message, Permission
from bot.loopback.people import Person
from tests.bot.test_buttons import is_refused
from tests.bot.test_privacy import rows
from tests.game import Game

REX = "gm: /gmc new name:Rex dice:Fangs d8"


def last(game: Game) -> Message:
    """The last message that all see."""
    return game.discord.messages()[-1]


async def test_a_character_speaks_by_the_one_webhook_of_the_channel(table: Game) -> None:
    await table.play(REX)
    for line, name in (
        ("alice: /say text:Over here", "Alice (character)"),
        ("gm: /say text:Grr as:Rex", "Rex (GM)"),
    ):
        reply = await table.says(line)
        assert reply.private
        assert reply.text == f"Said as {name}."
        assert last(table).author.display == name
        assert last(table).interaction is None
        await table.restart()
    assert last(table).text == "Grr"
    assert len(table.discord.world.webhooks) == 1
    table.discord.world.webhooks.clear()
    await table.says("alice: /say text:Still here")
    assert last(table).webhook in table.discord.world.webhooks


async def test_in_a_thread_the_webhook_of_its_channel_speaks(table: Game) -> None:
    thread = table.discord.thread("aside")
    said = await table.alice.slash("/say text:Psst", thread)
    (message,) = table.discord.messages(thread)
    assert (message.text, message.author.display) == ("Psst", "Alice (character)")
    await table.alice.press(said, "Take back")
    assert table.discord.messages(thread) == []


async def take_portrait(game: Game) -> str:
    """Alice's sheet gets a portrait by its address."""
    form = (await game.says("alice: /character edit")).form
    assert form is not None
    address = "https://example.org/alice.png"
    await game.alice.submit(form, {"Sheet": f"{form.fields[0].default}\nPortrait: {address}"})
    return address


async def test_the_portrait_of_the_sheet_is_its_face(table: Game) -> None:
    address = await take_portrait(table)
    await table.says("alice: /say text:Over here")
    assert last(table).author.avatar == address


@pytest.mark.parametrize("how", ["without the right", "a name that Discord refuses", "no room for a webhook"])
async def test_where_there_is_no_webhook_a_card_says_it(table: Game, how: str) -> None:
    if how == "without the right":
        table.discord.forbid(table.discord.table, Permission.MANAGE_WEBHOOKS)
    elif how == "no room for a webhook":
        table.discord.faults.fail("POST /channels/*/webhooks", 400, 30007)
    else:
        await table.play("alice: /character rename to:Clyde")
    said = await table.says("alice: /say text:Over here")
    assert is_own(table, last(table))
    assert last(table).text.endswith("(alice)**\nOver here" if "name" in how else "(character)**\nOver here")
    await table.alice.press(said, "Take back")
    assert not is_own(table, last(table)) or "Over here" not in last(table).text


async def test_where_the_line_to_the_webhook_is_cut_it_may_have_been_said(table: Game) -> None:
    await table.says("alice: /say text:Over here")
    table.discord.faults.lose("POST /webhooks/*")
    refused = await table.says("alice: /say text:Over there")
    assert is_refused(refused)
    assert (
        "The bot couldn't reach Discord. If your words don't appear in the channel, try again."
        in refused.text
    )


def is_own(game: Game, message: Message) -> bool:
    return message.author is game.discord.world.bot and message.interaction is None


async def test_what_is_said_pings_nobody_and_does_nothing(table: Game) -> None:
    for rights in (True, False):
        if not rights:
            table.discord.forbid(table.discord.table, Permission.MANAGE_WEBHOOKS)
        await table.says(f"alice: /say text:@everyone <@{table.bob.id}> **now** https://example.org")
        assert last(table).pings == frozenset()
        assert r"\*\*now\*\*" in last(table).text
    await table.says("alice: /say text:one\n\n  two")
    assert last(table).text.endswith("one\ntwo")


async def test_nobody_speaks_as_somebody_else(table: Game) -> None:
    await table.play(REX)
    before = len(table.discord.messages())
    for line in (
        "bob: /say text:Hm as:Alice",
        "gm: /say text:Hm as:Alice",
        "bob: /say text:Hm as:Rex",
        "carol: /say text:Hm",
        "alice: /say text:\u200b",
    ):
        assert is_refused(await table.says(line)), line
    assert len(table.discord.messages()) == before


async def test_who_plays_a_gmc_does_not_pass_for_the_gm(table: Game) -> None:
    await table.play(REX, "gm: /character give name:Rex player:@bob")
    assert (await table.says("bob: /say text:Grr")).text == "Said as Rex (bob)."


async def test_it_is_taken_back_by_who_spoke_and_by_the_gm(table: Game) -> None:
    for right in (True, False):
        if not right:
            table.discord.forbid(table.discord.table, Permission.MANAGE_WEBHOOKS)
        for who in ("gm", "alice"):
            await table.says("alice: /say text:Over here")
            message = last(table)
            await table.restart()
            refused = await table.bob.menu_command("Undo this", message=message)
            assert "Only the speaker and the GM" in refused.text
            assert not message.deleted
            undone = await table.person(who).menu_command("Undo this", message=message)
            assert undone.text == "The message has been taken back and deleted."
            assert message.deleted


async def test_it_is_taken_back_once(table: Game) -> None:
    said = await table.says("alice: /say text:Over here")
    assert (await table.alice.press(said, "Take back")).updated
    assert not [m for m in table.discord.messages() if "Over here" in m.text]
    assert "Over here" not in rows(table)


async def test_what_cannot_be_deleted_any_more_is_said(table: Game) -> None:
    said = await table.says("alice: /say text:Over here")
    table.discord.forbid(table.discord.table, Permission.MANAGE_WEBHOOKS)
    await table.restart()
    refused = await table.alice.press(said, "Take back")
    assert is_refused(refused)
    assert "can't delete that message any more" in refused.text


async def test_completion_offers_whom_one_can_speak_as(table: Game) -> None:
    await table.play(REX)
    found = {}
    for who in ("alice", "gm", "carol"):
        person: Person = table.person(who)
        found[who] = [choice.value for choice in await person.complete("/say text:Hm as:")]
    assert found == {"alice": ["Alice"], "gm": ["Rex"], "carol": []}


async def test_who_is_forgotten_said_nothing(table: Game) -> None:
    await table.says("alice: /say text:Over here")
    await table.forget(table.alice)
    assert str(table.alice.id) not in rows(table)


KICK = "alice: /say text:I kick the **door** (Strong d10 + d6) vs 7"


@pytest.mark.parametrize("is_webhook", [True, False], ids=["webhook", "card"])
@pytest.mark.parametrize("portrait", ["none", "address", "file"])
async def test_dice_in_what_a_character_says_are_rolled(
    table: Game, face: Path, is_webhook: bool, portrait: str
) -> None:
    if not is_webhook:
        table.discord.forbid(table.discord.table, Permission.MANAGE_WEBHOOKS)
    if portrait == "file":
        await table.play(f"alice: /character portrait picture:{face}")
    elif portrait == "address":
        await take_portrait(table)
    await table.says(KICK)
    said = last(table)
    assert (said.author is table.discord.world.bot) != is_webhook
    read = await table.bob.menu_command("Roll this", said)
    assert read.private
    assert "Strong d10 + d6 vs 7" in read.text
    assert "kick" not in read.text
    table.dice.show((9, 5))
    rolled = await table.bob.press(read, "Roll")
    assert rolled.text.startswith("Bob, vs 7")


async def test_dice_in_what_the_bot_itself_says_are_not(table: Game) -> None:
    rolled = await table.says("alice: /roll dice:Strong d10, d6")
    noted = await table.says("gm: /note text:I kick the door (Strong d10 + d6)")
    for reply in (rolled, noted):
        refused = await table.bob.menu_command("Roll this", reply)
        assert is_refused(refused)
        assert refused.text == (
            "That's the bot's own message. Choose one that a person wrote, or said with /say."
        )
