"""A sheet's file in the form of `Join`, end to end."""

from pathlib import Path

import pytest

from bot.loopback.errors import InputRefused
from bot.loopback.forms import FieldKind, OpenForm
from bot.loopback.model import InteractionKind
from bot.loopback.reply import BotReply
from rules.cortex.model import CORTEX
from tests.bot.test_buttons import is_refused, put_back, seen
from tests.bot.test_foundry import ACTOR
from tests.bot.test_moving import state
from tests.bot.test_toolkit import ZOE, written
from tests.game import Game

FILE = "Sheet file"


async def begun(game: Game) -> BotReply:
    return await game.play("gm: /campaign new name:Skyfall ruleset:adept")


async def opened(game: Game, new: BotReply, who: str = "bob") -> OpenForm:
    form = (await game.person(who).press(new, "Join")).form
    assert form is not None
    return form


@pytest.mark.parametrize("sheet", [ZOE, ACTOR])
async def test_a_file_is_shown_first_and_who_it_brings_is_played(
    game: Game, tmp_path: Path, sheet: object
) -> None:
    form = await opened(game, await begun(game))
    assert [field.label for field in form.inputs()] == ["Name", "Sheet", FILE]
    assert form.field(FILE).kind is FieldKind.FILE
    assert form.field(FILE).description.endswith("replaces everything above")
    before = await state(game)
    shown = await game.bob.submit(form, {FILE: str(written(tmp_path, sheet)), "Name": "Ann"})
    assert shown.private
    assert shown.text.startswith("Import this character? Nothing has changed yet.")
    assert await state(game) == before
    assert (await game.bob.press(shown, "Import")).text == "Zoe has been imported and is played by bob"
    after = await state(game)
    assert after.played_by(game.bob.id) == after.characters["zoe"]
    assert "ann" not in after.characters


async def test_of_a_list_one_is_chosen_also_where_the_form_was_open_before_a_restart(
    game: Game, tmp_path: Path
) -> None:
    new = await begun(game)
    await game.play("gm: /pp give who:Ada")
    choosing = await game.bob.press(new, "Join")
    form = (await game.bob.press(choosing, "Somebody new")).form
    await game.restart()
    path = written(tmp_path, [ZOE, ACTOR | {"name": "Yan"}])
    shown = await game.bob.submit(form, {FILE: str(path)})
    chosen = await game.bob.choose(shown, "Which character", ["1"])
    assert (await game.bob.press(chosen, "Import")).text.startswith("Yan has been imported")
    assert CORTEX.has((await state(game)).characters["yan"]).sheet["mind"].die == 10


async def test_without_a_file_all_is_as_it_was(game: Game) -> None:
    form = await opened(game, await begun(game))
    done = await game.bob.submit(form, {"Name": "Ann", "Sheet": "Attributes: Mind d8"})
    assert done.text.startswith("Ann is played by bob")


async def test_a_file_that_cannot_be_read_is_refused_and_what_was_typed_comes_back(
    game: Game, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    new = await begun(game)
    before = (await seen(game))[1]
    path = tmp_path / "a, b; c.json"
    for data, why in (
        (b"{}", "The bot can only read files it exported"),
        (b"\xff\xfe\x00", "\" isn't UTF-8 text"),
        (b"x" * 1_000_001, "1,000,000"),
        (b'{"traitSets": [], "plotPoints": NaN}', "NaN isn't a number"),
        (b'{"name": "Hall", "walls": [], "_stats": {}}', "holds a scene from Foundry"),
        (b'{"traitSets": [], "isTemplate": true}', "That file is an empty sheet"),
    ):
        with subtests.test(why=why):
            await put_back(game, before)
            form = await opened(game, new)
            now = await state(game)
            path.write_bytes(data)
            refused = await game.bob.submit(
                form, {FILE: str(path), "Name": "Ann", "Sheet": "Attributes: Mind d8"}
            )
            assert is_refused(refused)
            assert why in refused.text
            assert await state(game) == now
            again = (await game.bob.press(refused, "Try again")).form
            assert again is not None
            assert (again.field("Name").default, again.field("Sheet").default) == (
                "Ann",
                "Attributes: Mind d8",
            )
            assert again.field(FILE).default == []
            assert (await game.bob.submit(again, {})).text.startswith("Ann is played by bob")


async def test_a_file_that_discord_sends_without_its_address_is_asked_for_again(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = await opened(game, await begun(game))
    monkeypatch.setattr("bot.loopback.keyboard.Keyboard.resolved", lambda _: {})
    refused = await game.bob.submit(form, {FILE: str(written(tmp_path, ZOE))})
    assert is_refused(refused)
    assert "Discord didn't hand over that file. Send it again in a moment." in refused.text


async def test_a_number_that_no_file_has_is_none_either(game: Game, subtests: pytest.Subtests) -> None:
    form = await opened(game, await begun(game))
    for number in ("x", "²", "1.5", "5,6", "9" * 100):
        with subtests.test(number=number):
            part = {"type": 4, "custom_id": "file", "value": number}
            data = {"custom_id": form.custom_id, "components": [{"type": 18, "component": part}]}
            refused = await game.bob._act(InteractionKind.FORM, game.discord.table, data)
            assert is_refused(refused)
            assert "Discord didn't hand over that file. Send it again in a moment." in refused.text


async def test_a_file_is_within_the_limits_of_discord(game: Game, tmp_path: Path) -> None:
    form = await opened(game, await begun(game))
    large, one = tmp_path / "large.json", str(written(tmp_path, ZOE))
    large.write_bytes(b" " * (10 * 1024 * 1024 + 1))
    for values, why in ((str(large), "10 MiB"), ([one, one], "needs 0 to 1 choices")):
        with pytest.raises(InputRefused, match=why):
            await game.bob.submit(form, {FILE: values})


async def test_a_file_comes_to_no_other_table_than_the_one_whose_join_was_pressed(
    game: Game, tmp_path: Path
) -> None:
    old = await begun(game)
    await game.begin("gm: /campaign new name:Second ruleset:adept")
    form = await opened(game, old)
    before = await state(game)
    refused = await game.bob.submit(form, {FILE: str(written(tmp_path, ZOE))})
    assert is_refused(refused)
    assert refused.text == (
        "Skyfall is no longer this channel's table. To import the file here: /character import"
    )
    assert await state(game) == before


async def test_of_a_table_that_rests_a_file_is_told_how_it_wakes(game: Game, tmp_path: Path) -> None:
    form = await opened(game, await begun(game))
    await game.play("gm: /campaign archive")
    before = await state(game)
    refused = await game.bob.submit(form, {FILE: str(written(tmp_path, ZOE))})
    assert is_refused(refused)
    assert refused.text == "Skyfall is archived. /campaign join wakes it."
    assert await state(game) == before
