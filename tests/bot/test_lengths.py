"""How long a text may be: Discord is told, and the bot refuses what is longer before anything reads it."""

from pathlib import Path
from typing import Any

import pytest

from bot.loopback.model import InteractionKind, Json
from bot.loopback.reply import BotReply
from bot.views.question import Pressed
from tests.bench.pump import send_option, suggest
from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_hostile import STRING, Slot, lay, leading_to, slots
from tests.game import Game

LONGEST_OPTION, LONGEST_FIELD = 6000, 4000
"""Discord's own limits."""


def text_slots(game: Game) -> list[Slot]:
    """Return every option that takes typed text, as it is registered."""
    return [slot for slot in slots(game) if slot.option["type"] == STRING]


async def send_form(game: Game, press: Pressed, fields: dict[str, Any]) -> BotReply:
    """Send a form as only a forged client can."""
    parts = [
        {"type": 18, "component": {"type": 4, "custom_id": key, "value": text}}
        for key, text in fields.items()
    ]
    data: Json = {"custom_id": str(press), "components": parts}
    return await game.gm._act(InteractionKind.FORM, game.discord.table, data)


async def test_every_text_option_tells_discord_how_long_it_may_be(game: Game) -> None:
    found = text_slots(game)
    assert len(found) > 250
    assert [str(slot) for slot in found if not 0 < slot.option.get("max_length", 0) <= LONGEST_OPTION] == []


async def test_a_longer_option_is_refused_and_nothing_is_suggested_for_it(game: Game) -> None:
    await lay(game)
    before = await seen(game)
    for slot in text_slots(game):
        longest = slot.option["max_length"]
        reply = await send_option(game, slot, "\n" * (longest + 1))
        assert reply.text.replace("\\_", "_") == (
            f'The option "{slot.option["name"]}" has {longest + 1:,} characters; the limit is {longest:,}. '
            "Send a shorter text."
        )
        assert reply.private
        if slot.option.get("autocomplete"):
            assert await suggest(game, slot, "a" * (longest + 1)) == [], str(slot)
    assert await seen(game) == before


async def test_an_option_with_choices_takes_no_longer_text(game: Game) -> None:
    (ruleset,) = (c for c in game.discord.commands if c["name"] == "campaign")
    slot = Slot(ruleset, ("new",), {"name": "ruleset", "type": STRING}, ())
    assert 'The option "ruleset" has 4,000 characters' in (await send_option(game, slot, "x" * 4000)).text


async def test_every_form_says_how_long_its_texts_may_be_and_refuses_longer_ones(game: Game) -> None:
    await lay(game)
    before = await seen(game)
    handlers = game.bot.handlers
    assert len(handlers.forms) > 30
    for verb in handlers.forms:
        for key in ("name", "dice", "note", "when", "text", "sheet1", "value", "anything"):
            lengths = handlers.lengths[verb]
            longest = lengths.get(key, lengths.get("", 100))
            assert 0 < longest <= LONGEST_FIELD
            reply = await send_form(game, Pressed(verb, 1, 1, ""), {key: "\n" * (longest + 1)})
            assert reply.text == (
                f"That text has {longest + 1:,} characters; the limit is {longest:,}. Send a shorter text."
            ), (verb, key)
            assert reply.private
    assert await seen(game) == before


FORMS = {
    "Oppose": ("gm", {"Dice": 1000}),
    "Apply d8": ("gm", {"Name": 100}),
    "Join": ("carol", {"Name": 100, "Sheet": 4000}),
}


@pytest.mark.parametrize("label", FORMS)
async def test_a_form_tells_discord_how_long_its_fields_may_be(game: Game, label: str) -> None:
    await lay(game)
    who, fields = FORMS[label]
    opened = await game.person(who).press(await leading_to(game, label), label)
    assert opened.form is not None
    assert {name: opened.form.field(name).most for name in fields} == fields


async def test_a_refused_form_that_was_too_long_is_not_kept(game: Game) -> None:
    await lay(game)
    reply = await send_form(game, Pressed("changethis", 1, 1, "cortex"), {"dice": "d6 " * 4000})
    assert is_refused(reply)
    assert reply.buttons == []


@pytest.mark.parametrize("name", ["Roll this", "Import table", "Keep for the chronicle"])
async def test_a_message_longer_than_discord_allows_is_not_read(game: Game, name: str) -> None:
    await lay(game)
    reply = await game.gm.menu_command(name, await game.bob.write("2d6 " * 1001))
    assert reply.text == "That text has 4,004 characters; the limit is 4,000. Send a shorter text."
    assert reply.private


async def test_chosen_values_are_no_longer_than_a_menu_offers(game: Game) -> None:
    await lay(game)
    reply = await game.play("alice: /roll dice:3d6")
    data = {"component_type": 3, "custom_id": "dk:more:1:1:", "values": ["dk:keep:1:1:" + "1." * 4000]}
    assert reply.message is not None
    pressed = await game.alice._act(InteractionKind.COMPONENT, game.discord.table, data, reply.message)
    assert is_refused(pressed)


async def test_a_nickname_is_cut_to_the_length_of_a_name(game: Game) -> None:
    eve = game.discord.person("eve", display="E" * 5000)
    reply = await eve.slash("/roll dice:d6")
    assert "E" * 100 in reply.text or "E" * 80 in reply.text
    assert "E" * 101 not in reply.text


NESTED = {
    "lists": "[" * 900 + "]" * 900,
    "objects": '{"a":' * 900 + "1" + "}" * 900,
    "both": '[{"a":' * 450 + "1" + "}]" * 450,
    "a few more": "[" * 31 + "]" * 31,
    "more than Python reads": "[" * 5000 + "]" * 5000,
    "half a file": "[" * 900,
    "a table": '{"doomkeeper": "table", "version": 1, "table": ' + "[" * 900 + "]" * 900 + "}",
    "a character": '{"doomkeeper": "character", "version": ' + '{"a":' * 900 + "1" + "}" * 900 + "}",
    "a Toolkit sheet": '{"name": "X", "traitSets": ' + "[" * 900 + "]" * 900 + "}",
    "parts of parts": '{"name": "X", "traitSets": [' + '{"traits": [' * 450 + "]}" * 450 + "]}",
    "a blank": '{"character": {"traitSets": ' + "[" * 900 + "]" * 900 + "}}",
    "an actor": '{"type": "character", "img": "", "system": ' + "[" * 900 + "]" * 900 + "}",
    "a world": '{"cortexPrimeVersion": "1", "actorTypes": ' + "[" * 900 + "]" * 900 + "}",
}


@pytest.mark.parametrize("name", NESTED)
async def test_deeply_nested_json_is_refused_wherever_it_is_imported(
    table: Game, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "nested.json"
    path.write_text(NESTED[name], encoding="utf-8")
    shown = await table.gm.write(f"```json\n{NESTED[name][:3900]}```")
    replies = [
        await table.says(f"gm: /campaign import text:{NESTED[name][:6000]}"),
        await table.says(f"gm: /campaign import file:{path}"),
        await table.says(f"alice: /character import file:{path}"),
        await table.says(f"gm: /campaign new name:Another file:{path}"),
        await table.gm.menu_command("Import table", shown),
    ]
    for reply in replies:
        assert reply.failed is None
        assert reply.private
        assert "Something went wrong" not in reply.text
        assert reply.buttons == [], reply.text
