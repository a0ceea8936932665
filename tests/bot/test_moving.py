"""Tables and characters out and in as files, end to end."""

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from bot.loopback.reply import BotReply
from bot.services.play import Play, Request
from bot.services.responses import Done
from bot.store import files
from bot.store.files import LARGEST
from bot.store.history import Place
from bot.store.recorder import Busy
from bot.views.game import Rule
from rules.cortex.formats import cortexpal
from rules.cortex.model import CORTEX
from rules.table import Table
from rules.values import replace
from tests.bot.test_buttons import is_refused
from tests.game import Game, playing
from tests.rules.cortex.formats.test_cortexpal import INFO


async def state(game: Game, channel: str = "table") -> Table:
    """The newest table of a channel, whatever its number."""
    place = Place(game.discord.channel(channel).id, game.discord.world.home.id)
    entry = await game.ledger.look(place)
    return replace(entry.table, number=0, scene_place=0) if entry else Table()


def file_of(reply: BotReply) -> bytes:
    assert reply.message is not None
    (file,) = reply.message.files
    return file.data


async def exported(game: Game, folder: Path, line: str = "gm: /campaign export") -> Path:
    """A file that the bot gives."""
    reply = await game.says(line)
    assert reply.private
    path = folder / "export.json"
    path.write_bytes(file_of(reply))
    return path


async def test_a_table_comes_back_as_it_was_and_undo_takes_that_back(table: Game, tmp_path: Path) -> None:
    await table.play(
        "alice: /asset add what:Rope", "alice: /roll dice:2d6 d8 vs:doom", "gm: /doom add dice:d8"
    )
    await table.play("alice: /contest start dice:2d6 against:Bob")
    before = await state(table)
    path = await exported(table, tmp_path)
    await table.play("gm: /doom clear", "gm: /scene end", "alice: /character remove name:Alice")
    changed = await state(table)
    shown = await table.says(f"gm: /campaign import file:{path}")
    assert shown.private
    assert await state(table) == changed
    done = await table.gm.press(shown, "Import")
    assert not done.private
    assert done.text == "Skyfall has been imported, with Alice and Bob"
    assert [button.label for button in done.buttons] == ["Join", "Pin"]
    assert await state(table) == before
    await table.play("gm: /undo")
    assert await state(table) == changed
    await table.play("gm: /redo")
    assert await state(table) == before


async def test_where_there_is_no_table_there_is_no_file(game: Game) -> None:
    refused = await game.says("alice: /campaign export")
    assert is_refused(refused)
    assert "There's no table in this channel yet. Example: /campaign new name:Skyfall" in refused.text


async def test_a_file_that_is_too_large_to_come_back_leaves_out_portraits_and_says_so(
    table: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    face = tmp_path / "face.png"
    Image.new("RGB", (64, 64), "red").save(face)
    await table.play(f"alice: /character portrait picture:{face}")
    monkeypatch.setattr(files, "LARGEST", 100)
    reply = await table.says("gm: /campaign export")
    assert "With portraits, the file would be too large to import again, so they're left out." in reply.text
    size = len(file_of(reply))
    assert f"The file has {size:,} bytes; the limit for importing it again is 100." in reply.text
    assert not json.loads(file_of(reply)).get("pictures")


async def test_a_roll_that_comes_back_is_pressed_again(table: Game, tmp_path: Path) -> None:
    table.dice.show((3, 4, 5))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:5")
    path = await exported(table, tmp_path)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert [each.label for each in rolled.buttons] == ["What was it?"]
    await table.gm.press(await table.says(f"gm: /campaign import file:{path}"), "Import")
    await table.at_rest()
    assert len(rolled.buttons) > 1
    applied = await table.alice.press(rolled, "Apply")
    assert not is_refused(applied)


async def test_the_preview_says_what_it_brings_and_what_it_replaces(table: Game, tmp_path: Path) -> None:
    path = await exported(table, tmp_path)
    await table.play("gm: /gmc new name:Rex dice:2d8 kind:boss")
    shown = await table.says(f"gm: /campaign import file:{path}")
    assert (
        "The import replaces Skyfall and its characters (Alice, Bob and Rex); /undo brings them back."
    ) in shown.text
    assert "Alice: played by alice" in shown.text
    assert "Doom pool: 2d6" in shown.text


async def test_a_table_goes_into_another_channel_without_its_open_rolls(table: Game, tmp_path: Path) -> None:
    await table.play("alice: /roll dice:2d6 d8 vs:doom")
    path = await exported(table, tmp_path)
    before = await state(table)
    elsewhere = table.discord.channel("elsewhere")
    shown = await table.gm.slash(f"/campaign import file:{path}", channel=elsewhere)
    assert "These items belong to another table, so they aren't imported: 1 open roll" in shown.text
    await table.gm.press(shown, "Import")
    assert await state(table, "elsewhere") == CORTEX.put(before, replace(CORTEX.of(before), rolls={}))
    assert not is_refused(await table.alice.slash("/roll dice:d6", channel=elsewhere))


async def test_on_another_server_nobody_is_seated_and_players_join(table: Game, tmp_path: Path) -> None:
    path = await exported(table, tmp_path)
    form = json.loads(path.read_text())
    path.write_text(json.dumps(form | {"server": 5, "campaign": 6}))
    elsewhere = table.discord.channel("elsewhere")
    shown = await table.bob.slash(f"/campaign import file:{path}", channel=elsewhere)
    done = await table.bob.press(shown, "Import")
    now = await state(table, "elsewhere")
    assert list(now.gms.values()) == ["bob"]
    assert not any(each.player for each in now.characters.values())
    joined = await table.alice.choose(await table.alice.press(done, "Join"), "Choose a character", ["Alice"])
    assert joined.text == "Alice is played by alice"


async def test_a_bad_file_changes_nothing_and_the_place_of_the_fault_is_told(
    table: Game, tmp_path: Path
) -> None:
    path = await exported(table, tmp_path)
    path.write_text(path.read_text().replace('"name": "Alice"', '"name": "Alice", "colour": 3'))
    before = await state(table)
    reply = await table.says(f"gm: /campaign import file:{path}")
    assert is_refused(reply)
    assert reply.text == "characters.alice.colour: there's no such field."
    assert not reply.buttons
    assert await state(table) == before


async def test_what_is_no_text_of_ours_is_refused(
    table: Game, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    path = tmp_path / "odd.json"
    for data, why in (
        (b"x" * (LARGEST + 1), "has 1,000,001 bytes; the limit is 1,000,000"),
        (b"\xff\xfe\x00", '"odd.json" isn\'t UTF-8 text'),
        (b"", "is empty."),
        (b"\xef\xbb\xbf[]", "The bot can only read files"),
    ):
        with subtests.test(why=why):
            path.write_bytes(data)
            reply = await table.says(f"gm: /campaign import file:{path}")
            assert is_refused(reply)
            assert why in reply.text


async def test_what_nobody_reads_is_refused_with_what_can_be_read(
    table: Game, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    path = tmp_path / "odd.json"
    sheet = '{"name": "Zoe", "traitSets": []}'
    for text in ('{"some": 1}', '[{"some": 1}]', "[]", f'[{sheet}, {{"some": 1}}]', "5", "Hello"):
        path.write_text(text)
        for command in ("/character import", "/campaign import"):
            if command == "/campaign import" and text[0] not in "{[":
                continue  # it may be what CortexPal2000 shows, and is refused as that
            with subtests.test(text=text, command=command):
                reply = await table.says(f"gm: {command} file:{path}")
                assert is_refused(reply)
                for kind in (
                    "files it exported",
                    "Cortex Toolkit",
                    "Foundry actors of cortexprime, Foundry actors of reign and",
                    "CortexPal2000's /info",
                ):
                    assert kind in reply.text
        with subtests.test(text=text, command="/campaign new"):
            reply = await table.says(f"gm: /campaign new name:Other file:{path}")
            assert is_refused(reply)
            is_of_a_character = text.startswith(f"[{sheet}")
            assert (
                "That file holds a character. Start the campaign without it, then send the file: "
                "/character import"
                if is_of_a_character
                else "empty Cortex Toolkit sheet"
            ) in reply.text


@pytest.mark.parametrize("how", ["fails", "gone", "lost"])
async def test_a_file_that_discord_does_not_hand_over_is_told(table: Game, tmp_path: Path, how: str) -> None:
    path = await exported(table, tmp_path)
    faults = table.discord.faults
    if how == "lost":
        faults.lose("GET /attachments", times=5)
    else:
        faults.fail("GET /attachments", 404 if how == "gone" else 500)
    reply = await table.says(f"gm: /campaign import file:{path}")
    assert "Discord didn't hand over that file" in reply.text


async def test_after_a_restart_the_file_waits_on(table: Game, tmp_path: Path) -> None:
    shown = await table.says(f"gm: /campaign import file:{await exported(table, tmp_path)}")
    await table.restart()
    assert (await table.gm.press(shown, "Import")).text == ("Skyfall has been imported, with Alice and Bob")


async def test_a_character_that_waits_is_the_same_after_a_restart(table: Game, tmp_path: Path) -> None:
    path = tmp_path / "zoe.json"
    path.write_text('{"doomkeeper": "character", "version": 1, "character": {"name": "Zoe", "pp": 3}}')
    shown = await table.says(f"alice: /character import file:{path}")
    await table.restart()
    await table.play("gm: /pp give who:Bob")
    assert "nothing has been imported yet" not in (await table.alice.press(shown, "Import")).text
    assert "Zoe" in (await table.says("alice: /character list")).text


@pytest.mark.parametrize(
    ("ruleset", "sheet"),
    [
        (
            "adept",
            "Distinctions: Old Soldier d8\nSkills: Fight d10\nSFX: Focus (Fight): double, for doom d6",
        ),
        ("one-roll", "Stats: Body 3d\nSkills: Fight 2d 1w\nBoxes: Head 4, Body 10\nNotes: Late.\nAlways."),
    ],
)
async def test_a_sheet_as_text_reads_back(game: Game, tmp_path: Path, ruleset: str, sheet: str) -> None:
    begun = await game.play(f"gm: /campaign new name:Skyfall ruleset:{ruleset}")
    form = (await game.alice.press(begun, "Join")).form
    assert form is not None
    await game.alice.submit(form, {"Name": "Rook", "Sheet": sheet})
    reply = await game.says("alice: /character export as:Text")
    assert "Rook's sheet as a file" in reply.text
    assert reply.message is not None
    assert reply.message.files[0].name == "rook-s-sheet.txt"
    path = tmp_path / "rook.txt"
    path.write_bytes(file_of(reply))
    before = await game.says("alice: /character show who:Rook")
    await game.play("gm: /character remove name:Rook")
    shown = await game.says(f"alice: /character import file:{path}")
    assert "Import this character? Nothing has changed yet." in shown.text
    assert not is_refused(await game.alice.press(shown, "Import"))
    assert (await game.says("alice: /character show who:Rook")).text == before.text
    again = await game.says("alice: /character export as:Text")
    assert file_of(again) == path.read_bytes()
    assert "Rook is already at this table." in (await game.says(f"bob: /character import file:{path}")).text


@pytest.mark.parametrize("ruleset", ["prime", "one-roll"])
async def test_a_gmc_is_no_text(game: Game, ruleset: str) -> None:
    dice = {"prime": "Fangs d8", "one-roll": "5d boxes:1-10 Body 9"}[ruleset]
    await game.play(
        f"gm: /campaign new name:Skyfall ruleset:{ruleset}", f"gm: /gmc new name:Ogre dice:{dice}"
    )
    refused = await game.says("gm: /character export who:Ogre as:Text")
    assert is_refused(refused)
    assert refused.text == "Only a player's character fits into text. Export Ogre again without as."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Name:\nSkills: Fight d8", "name"),
        ("Name: Rook\nSkills: Fight", "Fight"),
        ("Rook\nSkills: Fight d8", "The bot can only read files it exported"),
    ],
)
async def test_a_text_that_is_no_sheet_is_refused(table: Game, tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "rook.txt"
    path.write_text(text)
    reply = await table.says(f"alice: /character import file:{path}")
    assert is_refused(reply)
    assert told in reply.text


async def test_of_many_previews_the_oldest_is_asked_for_again(table: Game) -> None:
    line = 'gm: /campaign import text:{"doomkeeper": "table", "version": 1, "table": {}}'
    first = await table.says(line)
    for _ in range(10):
        last = await table.says(line)
    assert "Send it again" in (await table.gm.press(first, "Import")).text
    assert not is_refused(await table.gm.press(last, "Import"))


async def test_a_gm_who_is_none_any_more_imports_nothing(table: Game, tmp_path: Path) -> None:
    path = await exported(table, tmp_path)
    await table.play("gm: /campaign gm player:@bob")
    shown = await table.says(f"bob: /campaign import file:{path}")
    await table.play("gm: /campaign gm player:@bob remove:true")
    refused = await table.bob.press(shown, "Import")
    assert "Only the GM" in refused.text
    await table.play("gm: /campaign gm player:@bob")
    again = await table.bob.press(shown, "Import")
    assert (
        "The table has changed in the meantime, so nothing has been imported yet. Import now?" in again.text
    )
    assert not is_refused(await table.bob.press(again, "Import"))


async def test_what_is_not_imported_waits_on(
    table: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = await table.says(f"gm: /campaign import file:{await exported(table, tmp_path)}")

    async def busy(*_: object, **__: object) -> None:
        raise Busy

    with monkeypatch.context() as patch:
        patch.setattr(table.ledger, "append", busy)
        assert "nothing was changed" in (await table.gm.press(shown, "Import")).text
    assert (await table.gm.press(shown, "Import")).text == ("Skyfall has been imported, with Alice and Bob")
    assert "no longer waiting" in (await table.gm.press(shown, "Import")).text


async def test_an_import_is_shown_again_where_the_table_has_changed(table: Game, tmp_path: Path) -> None:
    shown = await table.says(f"gm: /campaign import file:{await exported(table, tmp_path)}")
    await table.play("gm: /gmc new name:Rex dice:2d8 kind:boss")
    before = await state(table)
    again = await table.gm.press(shown, "Import")
    assert again.private
    assert "Import now?\nThe import replaces Skyfall and its characters (Alice, Bob and Rex);" in again.text
    assert [button.label for button in again.buttons] == ["Import"]
    assert await state(table) == before
    assert (await table.gm.press(again, "Import")).text == ("Skyfall has been imported, with Alice and Bob")


async def test_an_import_takes_the_place_of_no_table_that_it_did_not_show(
    table: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = await table.says(f"gm: /campaign import file:{await exported(table, tmp_path)}")
    change = Play.change

    async def slowly(self: Play, asked: Request, rule: Rule) -> Done:
        monkeypatch.undo()
        await table.play("gm: /doom add dice:d8")
        return await change(self, asked, rule)

    monkeypatch.setattr(Play, "change", slowly)
    refused = await table.gm.press(shown, "Import")
    assert is_refused(refused)
    assert "The table changed in the meantime. Press Import again" in refused.text
    assert "Doom pool: 2d6 d8" in (await table.says("gm: /doom show")).text


async def test_an_import_is_shown_again_where_a_table_has_begun_or_gone(table: Game, tmp_path: Path) -> None:
    path = await exported(table, tmp_path)
    elsewhere = table.discord.channel("elsewhere")
    shown = await table.gm.slash(f"/campaign import file:{path}", channel=elsewhere)
    await table.gm.slash("/campaign new name:Deep Water open:true", channel=elsewhere)
    again = await table.gm.press(shown, "Import")
    assert "Import now?\nThe import replaces Deep Water;" in again.text
    await table.gm.slash("/campaign leave", channel=elsewhere)
    once_more = await table.gm.press(again, "Import")
    assert "There's no table in this channel yet." in once_more.text
    assert not is_refused(await table.gm.press(once_more, "Import"))
    assert list((await state(table, "elsewhere")).characters) == ["alice", "bob"]


async def test_of_two_presses_at_once_one_imports(table: Game, tmp_path: Path) -> None:
    shown = await table.says(f"gm: /campaign import file:{await exported(table, tmp_path)}")
    replies = await asyncio.gather(*(table.gm.press(shown, "Import") for _ in range(2)))
    assert sorted(is_refused(reply) for reply in replies) == [False, True]


async def test_a_character_comes_whatever_else_is_played_meanwhile(table: Game, tmp_path: Path) -> None:
    path = await exported(table, tmp_path, "alice: /character export")
    path.write_text(path.read_text().replace('"name": "Alice"', '"name": "Zoe"'))
    shown = await table.says(f"bob: /character import file:{path}")
    await table.play("gm: /doom add dice:d8")
    assert (await table.bob.press(shown, "Import")).text.startswith("Zoe has been imported")


async def test_names_come_back_as_they_were_typed(table: Game, tmp_path: Path) -> None:
    names = ['Rex "the Red" O\'Neil', "👩‍🚀 Zoë", "Дарья", "x" * 80]
    for name in names:
        await table.play(f"gm: /pp give who:{name}", f"gm: /comp add what:{name} who:{name}")
    before = await state(table)
    path = await exported(table, tmp_path)
    await table.begin("gm: /campaign new name:Deep Water")
    await table.gm.press(await table.says(f"gm: /campaign import file:{path}"), "Import")
    now = await state(table)
    assert now == before
    assert [each.name for each in now.characters.values()][2:] == names


async def test_a_server_from_a_private_talk_is_none(table: Game, tmp_path: Path) -> None:
    path = await exported(table, tmp_path)
    private = table.discord.dm(table.bob)
    shown = await table.bob.slash(f"/campaign import file:{path}", channel=private)
    await table.bob.press(shown, "Import")
    entry = await table.ledger.look(Place(private.id))
    assert entry is not None
    assert list(entry.table.gms) == [table.bob.id]


async def test_the_message_of_another_bot_is_imported_by_long_press(game: Game) -> None:
    told = await game.person("cortexpal").write(INFO)
    shown = await game.alice.menu_command("Import table", message=told)
    assert shown.private
    assert "Mary Jane O'neil: played by nobody" in shown.text
    done = await game.alice.press(shown, "Import")
    assert done.text.startswith("table has been imported, with Alice and Mary Jane O'neil")
    joined = await game.bob.choose(await game.bob.press(done, "Join"), "Choose a character", ["Alice"])
    assert joined.text == "Alice is played by bob"
    assert "Alice: 3 PP" in (await game.says("bob: /table show")).text


async def test_a_long_press_on_any_other_message_says_what_it_is_for(game: Game) -> None:
    told = await game.alice.write("Hello")
    reply = await game.alice.menu_command("Import table", message=told)
    assert "neither a file from this bot" in reply.text


JSON = '{"doomkeeper": "table", "version": 1, "table": {"name": "Deep Water"}}'


async def test_what_stands_around_a_text_does_not_matter(
    game: Game, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    path = tmp_path / "odd.txt"
    for text in (
        f"\ufeff{JSON}",
        f"\ufeff\ufeff {JSON}",
        f"```json\n{JSON}\n```",
        f"```{JSON}```",
        f"```json {JSON} ```",
        f"\ufeff```\n{JSON}```\n",
        f"```\n{INFO}```",
        f"```{INFO}```",
    ):
        with subtests.test(text=text):
            path.write_text(text)
            told = await game.alice.write(text)
            for shown in (
                await game.alice.menu_command("Import table", message=told),
                await game.alice.slash(f"/campaign import file:{path}"),
            ):
                assert [button.label for button in shown.buttons] == ["Import"], shown.text
                assert "Not understood" not in shown.text


async def test_of_the_files_of_a_message_the_first_text_is_imported(game: Game) -> None:
    told = await game.alice.write("Here it is")
    for name, data in (("map.png", b"\x89PNG"), ("skyfall.json", JSON.encode()), ("b.json", b"x")):
        told.files.append(game.discord.world.upload(told.channel, name, data))
    shown = await game.alice.menu_command("Import table", message=told)
    assert [button.label for button in shown.buttons] == ["Import"]


async def test_beside_a_picture_the_words_of_a_message_are_imported(game: Game) -> None:
    told = await game.alice.write(INFO)
    told.files.append(game.discord.world.upload(told.channel, "map.png", b"\x89PNG"))
    shown = await game.alice.menu_command("Import table", message=told)
    assert "Mary Jane O'neil: played by nobody" in shown.text


async def test_a_long_press_on_a_message_without_a_text_says_what_to_press(
    game: Game, subtests: pytest.Subtests
) -> None:
    for name in ("", "map.png"):
        with subtests.test(name=name):
            told = await game.alice.write("")
            told.files += [game.discord.world.upload(told.channel, name, b"\x89PNG")] if name else []
            reply = await game.alice.menu_command("Import table", message=told)
            assert is_refused(reply)
            assert "That message has no text and no text file" in reply.text


async def test_what_is_kept_about_somebody_is_told_to_be_that(table: Game) -> None:
    kept = await table.says("gm: /privacy export")
    reply = await table.gm.menu_command("Import table", message=kept)
    assert "A file from /privacy export" in reply.text


async def test_pasted_info_says_what_it_did_not_understand(table: Game) -> None:
    shown = await table.says("gm: /campaign import text:**Plot Points** *Alice*: 3 *Bob*: many")
    assert r"Not understood: \*Bob\*: many" in shown.text


async def test_an_import_where_a_table_was_archived_begins_anew(table: Game, tmp_path: Path) -> None:
    path = await exported(table, tmp_path)
    before = await state(table)
    await table.play("gm: /campaign archive")
    shown = await table.says(f"gm: /campaign import file:{path}")
    assert "There's no table in this channel yet." in shown.text
    await table.gm.press(shown, "Import")
    assert await state(table) == before


async def test_a_character_goes_to_another_table(table: Game, tmp_path: Path) -> None:
    await table.play("alice: /character set trait:Mind die:d10 trait_set:Attributes")
    before = (await state(table)).characters["alice"]
    path = await exported(table, tmp_path, "alice: /character export")
    elsewhere = table.discord.channel("elsewhere")
    shown = await table.alice.slash(f"/character import file:{path}", channel=elsewhere)
    assert "Attributes Mind d10" in shown.text
    done = await table.alice.press(shown, "Import")
    assert done.text == "Alice has been imported and is played by alice"
    assert (await state(table, "elsewhere")).characters["alice"] == before
    assert not is_refused(await table.alice.slash("/undo", channel=elsewhere))


async def test_a_file_of_the_other_kind_is_told_where_it_goes(table: Game, tmp_path: Path) -> None:
    path = await exported(table, tmp_path)
    assert "/campaign import" in (await table.says(f"gm: /character import file:{path}")).text
    path = await exported(table, tmp_path, "gm: /character export who:Alice")
    assert "/character import" in (await table.says(f"gm: /campaign import file:{path}")).text


async def test_two_tables_pass_through_a_file_across_bots(table: Game, tmp_path: Path) -> None:
    path = await exported(table, tmp_path)
    before = await state(table)
    folder = tmp_path / "other"
    folder.mkdir()
    async with playing(folder) as other:
        await other.gm.press(await other.says(f"gm: /campaign import file:{path}"), "Import")
        now = await state(other)
    assert CORTEX.of(now).doom == CORTEX.of(before).doom
    assert list(now.characters) == list(before.characters)
    assert list(now.gms) == [other.gm.id]


@pytest.mark.parametrize("text", ["**Plot Points** *Alice*: 3", '{"doomkeeper": "table", "version": 1}'])
async def test_nobody_waits_while_a_text_is_read(
    table: Game, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    where: list[bool] = []

    for room in (cortexpal, files):

        def reading(text: str, read: Callable[[str], object] = room.read) -> object:
            where.append(threading.current_thread() is threading.main_thread())
            return read(text)

        monkeypatch.setattr(room, "read", reading)
    await table.says(f"gm: /campaign import text:{text}")
    assert where == [False]


async def test_a_large_file_of_another_program_is_refused_by_its_head(
    table: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "foreign.json"
    looked = list[object]()
    monkeypatch.setattr("bot.store.files.require_whole", lambda form, _: looked.append(form))
    lists = ",".join(["[[]]"] * 10_000)
    for text in (f"[{lists}]", f'{{"some": [{lists}]}}'):
        path.write_text(text)
        refused = await table.says(f"gm: /campaign import file:{path}")
        assert is_refused(refused)
        assert "The bot can only read files it exported" in refused.text
    assert looked == []


async def test_a_file_of_too_many_parts_is_refused_before_it_is_parsed(
    table: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.files.json", None)
    path = tmp_path / "many.json"
    path.write_text(f'{{"doomkeeper": "table", "x": [{"[],[[]]," * 40_000}0]}}')
    for line in ("gm: /campaign import", "alice: /character import"):
        refused = await table.says(f"{line} file:{path}")
        assert is_refused(refused)
        assert "That file has too many parts. The limit is 25,000 lists and objects." in refused.text
