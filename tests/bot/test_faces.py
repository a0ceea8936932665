"""The faces of dice as emojis of the bot's own: uploaded where they are missing, words where they are not."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot import guide
from bot.client.registry import DieEmojis
from bot.loopback.world import World
from bot.pictures import faces
from rules.dice import SIZES
from tests.game import Game, playing

UPLOADS = "POST /applications/*/emojis"
USUAL = tuple(each for each in faces.FACES if int(each[1:].partition("_")[0]) in SIZES)
ALL = {*faces.FACES}


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits between two uploads, nor for another try."""
    monkeypatch.setattr("bot.client.registry.PACE", 0)
    monkeypatch.setattr("bot.client.registry.PAUSES", (0.01,))


async def with_faces(game: Game) -> None:
    """A bot that has uploaded the faces, where they are not there yet."""
    game.dice_emojis = True
    await game.restart()
    await uploaded(game)


@pytest.fixture
async def pictured(tmp_path: Path) -> AsyncIterator[Game]:
    """A bot that has uploaded the faces; it did so once for all tests."""
    async with playing(tmp_path, with_faces) as game:
        await with_faces(game)
        yield game


async def uploaded(game: Game) -> None:
    """The bot has done what it does with the faces."""
    await game.rest()
    task = game.bot.faces._uploading
    assert task is not None
    assert task.done()


def named(world: World) -> dict[str, int]:
    return {emoji.name: emoji.id for emoji in world.emojis.values()}


async def test_the_faces_are_uploaded_and_each_has_its_markup(pictured: Game) -> None:
    there = named(pictured.discord.world)
    assert there.keys() == ALL
    assert pictured.bot.faces.markup.get("d10_7") == f"<:d10_7:{there['d10_7']}>"
    assert pictured.discord.world.emojis[there["d12_12"]].data == faces.picture("d12_12")


async def test_only_what_is_missing_is_uploaded(pictured: Game) -> None:
    world = pictured.discord.world
    before = named(world)
    del world.emojis[before.pop("d8_3")]
    await pictured.restart()
    await uploaded(pictured)
    assert named(world).keys() == ALL
    assert named(world).items() > before.items()


async def test_after_a_restart_there_is_one_question_and_no_upload(pictured: Game) -> None:
    pictured.discord.faults.fail(UPLOADS, status=403, times=100)
    with capture_logs() as logged:
        await pictured.restart()
        await uploaded(pictured)
    assert logged == []
    assert pictured.bot.faces.markup.get("d4_1")


def test_the_guide_says_how_many_emojis_are_uploaded() -> None:
    page = (Path(guide.__file__).parent / "host" / "settings.md").read_text(encoding="utf-8")
    assert f"uploads {len(faces.FACES)} emojis" in page


async def test_emojis_that_are_not_the_bots_faces_stay(game: Game) -> None:
    await game.bot.create_application_emoji(name="dragon", image=faces.picture("d4_1"))
    game.dice_emojis = True
    await game.restart()
    await uploaded(game)
    assert named(game.discord.world).keys() == {"dragon", *ALL}


async def test_another_picture_comes_under_the_same_name(
    pictured: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = named(pictured.discord.world)
    other = faces.picture("d4_2")

    def redrawn(name: str) -> bytes:
        return other if name == "d6_6" else faces.picture(name)

    monkeypatch.setattr("bot.client.registry.picture", redrawn)
    await pictured.restart()
    await uploaded(pictured)
    after = named(pictured.discord.world)
    assert {name for name in ALL if after[name] != before[name]} == {"d6_6"}
    assert after.keys() == {*ALL, "d6_6_old1"}, "messages from before keep their picture"
    assert after["d6_6_old1"] == before["d6_6"]
    assert pictured.discord.world.emojis[after["d6_6"]].data == other
    assert pictured.bot.faces.markup.get("d6_6") == f"<:d6_6:{after['d6_6']}>"
    await pictured.restart()
    await uploaded(pictured)
    assert named(pictured.discord.world) == after


async def test_an_older_process_that_knows_fewer_faces_takes_none_away(
    pictured: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = named(pictured.discord.world)
    with monkeypatch.context() as older:
        older.setattr("bot.client.registry.FACES", USUAL)
        await pictured.restart()
        await uploaded(pictured)
        assert pictured.bot.faces.markup.keys() == {*USUAL}
    await pictured.restart()
    await uploaded(pictured)
    assert named(pictured.discord.world) == before
    assert pictured.bot.faces.markup.get("d20_17") == f"<:d20_17:{before['d20_17']}>"


async def test_what_another_process_has_not_brought_yet_is_words(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.client.registry.FACES", USUAL)
    game.dice_emojis = True
    await game.restart()
    await uploaded(game)
    monkeypatch.setattr("bot.client.registry.FACES", faces.FACES)
    follower = DieEmojis(game.bot, game.bot._ledger)
    await follower.look()
    assert follower.markup.keys() == {*USUAL}


@pytest.mark.parametrize("times", [100, 1])
async def test_a_refusal_is_one_line_in_the_log_and_words_at_the_table(game: Game, times: int) -> None:
    game.dice_emojis = True
    await game.stop()
    game.discord.gateway.ready.clear()
    game.discord.faults.fail(UPLOADS, status=400, code=30008, message="Too many", times=times)
    with capture_logs() as logged:
        await game.start()
        await uploaded(game)
    assert [line["event"] for line in logged] == ["dice without a picture stay words"]
    assert logged[0]["exc_info"].code == 30008
    assert (game.bot.faces.markup.get("d6_1") is None) == (times == 100)
    assert "Total" in (await game.play("alice: /roll dice:2d6")).text


async def test_where_the_faces_are_off_nobody_asks_for_emojis(game: Game) -> None:
    game.discord.faults.fail("/emojis", status=403, times=100)
    await game.restart()
    await game.play("alice: /roll dice:2d6")
    assert [fault.times for fault in game.discord.faults.waiting] == [100]
    assert game.bot.faces.markup.get("d6_1") is None


async def test_an_upload_keeps_nobody_waiting(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.client.registry.PACE", 30)
    game.dice_emojis = True
    await game.stop()
    game.discord.gateway.ready.clear()
    listed = game.discord.faults.hold("GET /applications/*/emojis")
    await game.start()
    await game.play("alice: /roll dice:2d6")
    assert game.bot.faces.markup.get(faces.FACES[0]) is None
    listed.set()
    await game.at_rest()
    assert game.bot.faces.markup.get(faces.FACES[0])
    await game.play("alice: /roll dice:2d6")
    assert len(game.discord.world.emojis) == 1


async def test_a_bot_that_stops_uploads_nothing_more(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.client.registry.PACE", 30)
    game.dice_emojis = True
    await game.restart()
    await game.at_rest()
    assert game.bot.faces.markup.get(faces.FACES[0])
    task = game.bot.faces._uploading
    await game.restart()
    assert task is not None
    assert task.cancelled()
    await game.at_rest()
    assert len(game.discord.world.emojis) == 2


async def test_a_roll_shows_its_dice_as_pictures_with_label_and_size_behind(pictured: Game) -> None:
    await pictured.table()
    there = named(pictured.discord.world)
    pictured.dice.show((9, 4, 1), (5, 5))
    rolled = await pictured.play("alice: /roll dice:Mind d10, d8, d6 vs:doom")
    assert f"Total: <:d10_9:{there['d10_9']}> Mind d10, <:d8_4:{there['d8_4']}> d8" in rolled.text
    assert f"<:d6_1:{there['d6_1']}> d6 (hitch)" in rolled.text
    assert f"<:d6_5:{there['d6_5']}>" in rolled.text.splitlines()[-1]
    assert rolled.message is not None
    await pictured.play("gm: /comp add what:Rain who:scene", "gm: /reroll dice:d6 remove:true who:Alice")
    await pictured.at_rest()
    assert "(removed)" in rolled.message.text if rolled.message else False
    assert f"<:d6_1:{there['d6_1']}>" in rolled.message.text


async def test_N13_dice_of_further_sizes_are_pictures_too(pictured: Game) -> None:
    await pictured.table()
    await pictured.play("gm: /campaign set setting:sizes value:d3 d6 d8 d20")
    there = named(pictured.discord.world)
    pictured.dice.show((17, 3))
    rolled = await pictured.play("alice: /roll dice:Luck d20, d3")
    assert f"Total: <:d20_17:{there['d20_17']}> Luck d20, <:d3_3:{there['d3_3']}> d3" in rolled.text


async def test_N14_a_2_that_is_a_hitch_is_called_one(pictured: Game) -> None:
    await pictured.table()
    await pictured.play("gm: /campaign set setting:hitch on value:1-2")
    pictured.dice.show((9, 4, 2))
    rolled = await pictured.play("alice: /roll dice:d10, d8, d6")
    assert f"<:d6_2:{named(pictured.discord.world)['d6_2']}> d6 (hitch)" in rolled.text


async def test_a_table_may_have_its_dice_in_words(pictured: Game) -> None:
    await pictured.table()
    await pictured.play("gm: /campaign set setting:dice value:words")
    pictured.dice.show((9, 4))
    assert "Total: Mind d10: 9, d8: 4" in (await pictured.play("alice: /roll dice:Mind d10, d8")).text


async def test_the_largest_roll_fits_with_its_dice_as_pictures(pictured: Game) -> None:
    await pictured.table()
    await pictured.play("gm: /doom set dice:30d12")
    pictured.dice.show((12,) * 30, (11,) * 30)
    names = ", ".join(f"{'L' * 20}{n} d12" for n in range(30))
    rolled = await pictured.play(f"alice: /roll dice:{names} vs:doom")
    assert "<:d12_12:" in rolled.text
    assert len(rolled.text) < 4000


def pictures(there: dict[str, int], *names: str) -> str:
    return "".join(f"<:{name}:{there[name]}>" for name in names)


async def test_the_pinned_table_draws_dice_that_nobody_has_rolled(pictured: Game) -> None:
    await pictured.table()
    there = named(pictured.discord.world)
    await pictured.says("gm: /table pin")
    await pictured.play(
        "gm: /crisis new name:Fire dice:d4",
        "alice: /comp add what:Shaken die:d8",
        "gm: /doom add dice:d8",
    )
    await pictured.at_rest()
    (pinned,) = pictured.discord.pins()
    doom, fire, shaken = (pictures(there, *names) for names in (("d6", "d6", "d8"), ("d4",), ("d8",)))
    for text in (pinned.text, (await pictured.play("alice: /table show")).text):
        assert f"Doom pool: {doom}" in text
        assert f"Crisis Fire: {fire}" in text
        assert f"Shaken {shaken}" in text
    await pictured.play("gm: /campaign set setting:dice value:words")
    await pictured.at_rest()
    for text in (pinned.text, (await pictured.play("alice: /table show")).text):
        assert "Doom pool: 2d6 d8" in text
        assert "Shaken d8" in text


async def test_the_pinned_table_has_what_changed_since_its_last_edit_in_bold(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:d4", "alice: /comp add what:Shaken die:d8")
    await table.says("gm: /table pin")
    await table.play("alice: /comp add what:Rain die:d6")
    await table.at_rest()
    (pinned,) = table.discord.pins()
    assert "\nDoom pool: 2d6. Crisis Fire: d4" in pinned.text
    assert "\n**Alice**: 1 PP. Complications Shaken d8, **Rain d6**\n" in pinned.text
    await table.play("gm: /crisis add name:Fire dice:d6", "gm: /pp give who:Alice")
    await table.at_rest()
    assert "\nDoom pool: 2d6. **Crisis Fire: d4 d6**" in pinned.text
    assert "\n**Alice: 2 PP**. Complications Shaken d8, Rain d6\n" in pinned.text
    await table.restart()
    await table.play("gm: /doom add dice:d8")
    await table.at_rest()
    assert "\n**Doom pool: 2d6 d8**. Crisis Fire: d4 d6" in pinned.text, "as at first: the main things are"
    assert "\n**Alice: 2 PP**. Complications Shaken d8, Rain d6\n" in pinned.text


async def test_a_table_that_is_pinned_again_begins_as_the_first_time(table: Game) -> None:
    await table.says("gm: /table pin")
    await table.play("gm: /doom add dice:d8")
    await table.at_rest()
    await table.says("gm: /table unpin")
    await table.play("alice: /comp add what:Rain die:d6")
    await table.says("gm: /table pin")
    (pinned,) = table.discord.pins()
    assert "**Doom pool: 2d6 d8**" in pinned.text
    assert "**Alice: 1 PP**. Complications Rain d6\n" in pinned.text, (
        "nothing has changed since this one began"
    )
    assert len(table.bot.pinned._last) == 1


async def test_special_dice_of_one_roll_have_a_form_and_a_1_is_no_hitch(pictured: Game) -> None:
    await pictured.play("gm: /campaign new name:Skyfall ruleset:one-roll")
    there = named(pictured.discord.world)
    pictured.dice.show((7, 1, 7))
    rolled = await pictured.play("alice: /ore roll dice:3d 1h 1w e3")
    drawn = ", ".join(
        (
            pictures(there, "d10_1_thrown", "d10_7", "d10_7"),
            f"hard {pictures(there, 'd10_10_fixed')}",
            f"expert {pictures(there, 'd10_3_fixed')}",
        )
    )
    assert f"Dice of 3d 1w 1h e3: {drawn}" in rolled.text
    form = (await pictured.alice.press(rolled, "Place")).form
    assert form is not None
    await pictured.alice.submit(form, {"Dice": "7"})
    assert rolled.message is not None
    assert f"wiggle {pictures(there, 'd10_7_placed')}" in rolled.message.text
    assert rolled.message.text.startswith("### alice: 3×7")
    log = (await pictured.says("alice: /log")).text
    assert "Dice of 3d 1w 1h e3: 1 7 7, hard 10, expert 3" in log


async def test_the_largest_one_roll_pool_fits_with_its_dice_as_pictures(pictured: Game) -> None:
    await pictured.play("gm: /campaign new name:Skyfall ruleset:one-roll")
    await pictured.play("gm: /gmc new name:Guards dice:15d kind:crowd")
    pictured.dice.show((1,) * 15)
    rolled = await pictured.play("gm: /gmc roll name:Guards")
    assert rolled.text.count("<:d10_1_thrown:") == 15
    assert len(rolled.text) < 4000
