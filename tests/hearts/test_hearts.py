"""A third game, joined by one argument: it is played like the others, wherever games are asked."""

import json
import re
from pathlib import Path

from bot.loopback.reply import BotReply
from tests.bot.test_moving import exported
from tests.bot.test_privacy import is_known
from tests.game import Game


def plain(reply: BotReply) -> str:
    """What a reply says, without what is strong in it."""
    return reply.text.replace("**", "")


async def scene(game: Game) -> BotReply:
    """A scene in which everything of Hearts happens; the message of Alice's roll."""
    game.dice.show([5, 2, 3], [6], [1, 4])
    rolled = await game.play(
        "gm: /session start",
        "gm: /scene start name:The docks",
        "gm: /hearts clock name:Storm by:2",
        "alice: /hearts roll dice:3 note:Jump",
    )
    await game.alice.press(rolled, "Push")
    await game.play(
        "alice: /hearts bond to:Bob why:Because of Bob and the sea",
        "gm: /hearts stress by:2 who:Bob",
        "gm: /hearts clock name:Storm by:4",
        "bob: /hearts roll dice:2",
    )
    return rolled


async def test_it_is_rolled_pushed_and_undone(hearts: Game) -> None:
    hearts.dice.show([5, 2, 3], [6])
    reply = await hearts.play("alice: /hearts roll dice:3 note:Jump")
    assert "Alice: 5, the highest of 5, 2 and 3" in reply.text
    pushed = await hearts.alice.press(reply, "Push")
    assert "Alice: 6, the highest of 5, 2, 3 and 6" in pushed.text
    assert "Stress 1" in (await hearts.says("bob: /table show")).text
    assert "pushes: 6" in (await hearts.play("alice: /undo")).text
    assert "Stress" not in (await hearts.says("bob: /table show")).text
    assert "pushes: 6" in (await hearts.play("alice: /redo")).text


async def test_a_step_of_it_is_taken_back_alone(hearts: Game) -> None:
    await hearts.play("gm: /hearts clock name:Storm by:2")
    await hearts.play("gm: /hearts stress by:2 who:Bob")
    log = (await hearts.says("gm: /log")).text
    assert "Storm: 2 of 6" in log
    (step,) = re.findall(r"([0-9]+).*Storm", log)
    await hearts.play(f"gm: /undo step:{step}")
    shown = (await hearts.says("gm: /table show")).text
    assert "Storm" not in shown
    assert "Stress 2" in shown


async def test_a_hidden_roll_is_seen_by_nobody_until_it_is_revealed(hearts: Game) -> None:
    hearts.dice.show([6, 1])
    made = await hearts.says("gm: /hearts roll dice:2 hidden:true")
    assert made.private
    assert "Only you see this." in made.text
    assert "highest" not in (await hearts.says("alice: /table show")).text
    assert "highest" not in (await hearts.says("alice: /log")).text
    assert "Hidden: GM: 6, the highest of 6 and 1" in (await hearts.says("gm: /table show")).text
    revealed = await hearts.gm.press(made, "Reveal")
    assert "GM: 6, the highest of 6 and 1" in revealed.text


async def test_its_views_and_settings_are_there(hearts: Game) -> None:
    begun = await hearts.says("gm: /campaign new name:Aces ruleset:hearts")
    await hearts.gm.press(begun, "Archive it")
    assert "No clock runs" in (await hearts.says("alice: /hearts show")).text
    await hearts.play("gm: /campaign set setting:clock size value:8", "gm: /hearts clock name:Storm")
    assert "Storm: 1 of 8" in (await hearts.says("alice: /hearts show")).text
    assert "clock size: 8. How many segments a clock has" in (await hearts.says("alice: /campaign show")).text
    (offered,) = await hearts.gm.complete("/campaign set setting:clock")
    assert offered.name == "clock size: how many segments a clock has"


async def test_it_is_told_in_log_recap_chronicle_and_stats(hearts: Game) -> None:
    await scene(hearts)
    log = (await hearts.says("gm: /log count:20")).text.replace("**", "")
    for line in ("Storm: 6 of 6", "Bob: stress 0 to 2", "Alice would do anything for Bob", "Alice pushes: 6"):
        assert line in log
    recap = (await hearts.says("alice: /session recap")).text.replace("**", "")
    assert "Storm: 6 of 6." in recap
    assert "2 rolls, 1 push. PP +2" in recap
    chronicle = await hearts.says("alice: /chronicle as:Markdown")
    assert chronicle.message is not None
    written = chronicle.message.files[0].data.decode().replace("**", "")
    for line in ("Storm: 6 of 6.", "Best heart: Alice: 6", "Alice: 1 roll, 1 push, PP +1"):
        assert line in written
    stats = (await hearts.says("alice: /stats")).text
    assert "1 push" in stats
    assert "d6: 4 rolled" in stats


async def test_a_scene_ends_it(hearts: Game) -> None:
    rolled = await scene(hearts)
    ended = await hearts.play("gm: /scene end")
    assert "Open rolls closed: Alice and Bob" in ended.text
    assert "Bob: stress 2 to 1" in ended.text
    assert "That roll is closed." in (await hearts.alice.press(rolled, "Push")).text


async def test_it_follows_who_is_renamed(hearts: Game) -> None:
    await scene(hearts)
    await hearts.play("bob: /character rename to:Rex")
    assert "Bond Rex" in plain(await hearts.says("alice: /character show"))
    chronicle = await hearts.says("alice: /chronicle as:Markdown")
    assert chronicle.message is not None
    written = chronicle.message.files[0].data.decode().replace("**", "")
    assert "Rex: 1 roll" in written
    assert "- Bob: " not in written


async def test_nothing_of_it_is_left_of_who_is_forgotten(hearts: Game) -> None:
    zoltan = hearts.person("Zoltan")
    await zoltan.slash("/character new name:Zoltan")
    await zoltan.slash("/hearts roll dice:2 note:For Zoltan")
    await hearts.play("alice: /hearts bond to:Zoltan why:Zoltan is kind")
    assert is_known(hearts, zoltan)
    export = await zoltan.slash("/privacy export")
    assert export.message is not None
    (file,) = export.message.files
    (kept,) = json.loads(file.data)["tables"]
    assert [roll["note"] for roll in kept["hearts_rolls"]] == ["For Zoltan"]
    await hearts.forget(zoltan)
    assert not is_known(hearts, zoltan)
    assert "Alice would do anything for Somebody. Why: Somebody is kind" in plain(
        await hearts.says("gm: /log count:20")
    )


async def test_it_goes_out_and_comes_in_as_a_file(hearts: Game, tmp_path: Path) -> None:
    await scene(hearts)
    await hearts.says("gm: /hearts roll dice:1 hidden:true")
    path = await exported(hearts, tmp_path)
    held = json.loads(path.read_text())["table"]
    assert held["games"]["hearts"]["rolls"]
    assert "hidden" not in held["games"]["hearts"]
    assert held["characters"]["alice"]["games"]["hearts"] == {"stress": 1, "bond": "Bob"}
    await hearts.play("gm: /hearts stress by:9 who:Alice")
    shown = await hearts.says(f"gm: /campaign import file:{path}")
    await hearts.gm.press(shown, "Import")
    assert "Alice: 1 PP. Stress 1" in plain(await hearts.says("gm: /table show"))
    damaged = json.loads(path.read_text())
    damaged["table"]["characters"]["alice"]["games"]["hearts"]["stress"] = 99
    path.write_text(json.dumps(damaged))
    refused = await hearts.says(f"gm: /campaign import file:{path}")
    assert "characters.alice.games.hearts.stress: 99 is too much" in refused.text


async def test_what_waits_in_it_is_told(hearts: Game) -> None:
    await hearts.play("gm: /hearts stress by:9 who:Alice")
    assert "Alice: 1 mercy, of stress" in plain(await hearts.says("gm: /table waiting"))


async def test_its_form_opens_and_its_answer_counts(hearts: Game) -> None:
    sheet = await hearts.says("alice: /character show")
    opened = await hearts.alice.press(sheet, "Bond")
    told = await hearts.alice.submit(opened.form, {"For whom": "Bob", "Why": "He is kind"})
    assert told.text == "Alice would do anything for Bob. Why: He is kind"
    assert "Bond Bob" in plain(await hearts.says("alice: /character show"))
    await hearts.play("alice: /undo")
    assert "Bond Bob" not in plain(await hearts.says("alice: /character show"))
    shown = await hearts.says("bob: /character show who:Alice")
    assert "Bond" not in [button.label for button in shown.buttons]


async def test_it_survives_a_restart(hearts: Game) -> None:
    rolled = await scene(hearts)
    await hearts.restart()
    assert "Stress 2" in (await hearts.says("bob: /table show")).text
    hearts.dice.show([3])
    pushed = await hearts.alice.press(rolled, "Push")
    assert "the highest of 5, 2, 3, 6 and 3" in pushed.text
