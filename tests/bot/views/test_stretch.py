"""Where a session, an act or a scene begins or ends: a card with the next step, one press away."""

from bot.loopback.reply import BotReply
from tests.bot.test_buttons import is_refused
from tests.game import Game


def labels(reply: BotReply) -> list[str | None]:
    return [button.label for button in reply.buttons]


async def test_an_evening_goes_from_card_to_card(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:adept", "alice: /character new name:Alice")
    session = await game.play("gm: /session start")
    assert session.text.splitlines()[0] == "Session 1 begins"
    assert "Alice: 1 PP" in session.text
    assert session.text.splitlines()[-1] == "Act 1 begins"
    assert labels(session) == ["Start the first scene"]
    form = (await game.gm.press(session, "Start the first scene")).form
    scene = await game.gm.submit(form, {"Name": "The docks", "Distinctions": "Fog, Rain d10"})
    assert scene.text.startswith("Scene The docks begins\nScene · Fog d8 (distinction)\nScene · Rain d10")
    assert labels(scene) == ["Roll", "End scene"]
    await game.restart()
    rolled = await game.alice.submit((await game.alice.press(scene, "Roll")).form, {"Dice": "2d6"})
    assert "Alice: " in rolled.text
    over = await game.gm.press(scene, "End scene")
    assert over.text.splitlines()[0] == "Scene The docks ends"
    assert over.text.splitlines()[-1] == "Open rolls closed: Alice"
    assert labels(over) == ["Start the next scene", "End session"]
    act = await game.play("gm: /act end")
    assert labels(act) == ["Start the next act", "Start the next scene", "End session"]
    assert (await game.gm.press(act, "Start the next act")).text.startswith("Act 2 begins")
    ended = await game.gm.press(act, "End session")
    assert ended.text.startswith("Session 1 ends")
    assert "Next session" in labels(ended)


async def test_a_next_step_is_the_gms_and_is_taken_once(table: Game) -> None:
    await table.play("gm: /scene end")
    over = await table.play("gm: /act end")
    for label in ("Start the next act", "Start the next scene", "End session"):
        assert is_refused(await table.alice.press(over, label))
    await table.gm.press(over, "Start the next act")
    assert "Act 2 has already begun." in (await table.gm.press(over, "Start the next act")).text
    form = (await table.gm.press(over, "Start the next scene")).form
    begun = await table.play("gm: /scene start name:The roof")
    assert "Another scene has already begun." in (await table.gm.submit(form, {"Name": "The pier"})).text
    assert "Another scene has already begun." in (await table.gm.press(over, "Start the next scene")).text
    await table.gm.press(begun, "End scene")
    assert "That scene has already ended." in (await table.gm.press(begun, "End scene")).text
    await table.gm.press(over, "End session")
    assert "has already ended." in (await table.gm.press(over, "End session")).text


async def test_what_ended_is_told_before_what_began(table: Game) -> None:
    await table.play("alice: /roll dice:2d6", "alice: /asset add what:Rope")
    begun = await table.play("gm: /scene start name:The roof day:Third day of frost")
    assert begun.message is not None
    (box,) = begun.message.components
    lines = [line for part in box["components"] if part["type"] == 10 for line in part["content"].split("\n")]
    assert lines == [
        "### Scene The docks ends",
        "Alice · Rope is gone",
        "-# Open rolls closed: Alice",
        "### Scene The roof begins",
        "-# Day: Third day of frost",
    ]
    await table.play("gm: /act start")
    act = await table.play("gm: /act start")
    assert act.text.splitlines() == ["Act 2 ends", "Act 3 begins"]


async def test_a_session_that_runs_is_ended_by_a_second_press_only(game: Game) -> None:
    began = await game.play("gm: /campaign new name:Skyfall ruleset:adept")
    await game.gm.press(began, "Start session")
    again = await game.gm.press(began, "Start session")
    assert is_refused(again)
    assert "Session 1 has already begun." in again.text
    asked = await game.says("gm: /session start")
    assert asked.private
    assert "Session 1 is still running." in asked.text
    begun = await game.gm.press(asked, "End it and start session 2")
    assert begun.text.splitlines()[0] == "Session 1 ends"
    assert "Session 2 begins" in begun.text.splitlines()
