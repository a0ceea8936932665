"""The next things that `/help` offers as buttons: each press does what it says."""

from tests.game import Game

STARTS = ["Start the first scene", "End session", "Show the table"]


async def test_without_a_table_a_press_rolls_or_begins_one(game: Game) -> None:
    reply = await game.says("alice: /help")
    assert [button.label for button in reply.buttons] == ["Roll", "Start a campaign"]
    form = (await game.alice.press(reply, "Roll")).form
    assert form is not None
    assert (await game.alice.submit(form, {"Dice": "2d6 d8"})).text.startswith("alice: Total ")
    form = (await game.alice.press(reply, "Start a campaign")).form
    assert form is not None
    begun = await game.alice.submit(form, {"Story": "Monster hunt"})
    assert begun.text.startswith("The Fen Below begins\n")


async def test_a_campaign_begins_by_the_ruleset_of_the_form(game: Game) -> None:
    form = (await game.alice.press(await game.says("alice: /help"), "Start a campaign")).form
    assert form is not None
    begun = await game.alice.submit(form, {"Name": "Skyfall", "Ruleset": "adept"})
    assert begun.text.startswith("Skyfall begins\nadept: ")


async def test_a_campaign_without_name_or_story_is_refused_with_the_form(game: Game) -> None:
    form = (await game.alice.press(await game.says("alice: /help"), "Start a campaign")).form
    assert form is not None
    refused = await game.alice.submit(form, {})
    assert refused.private
    assert refused.text.startswith("Type a name, or choose a story.")
    form = (await game.alice.press(refused, "Try again")).form
    assert form is not None
    assert (await game.alice.submit(form, {"Name": "Skyfall"})).text.startswith("Skyfall begins\n")


async def test_a_bare_command_opens_the_form_and_starts_the_campaign(game: Game) -> None:
    form = (await game.says("alice: /campaign new")).form
    assert form is not None
    assert [field.label for field in form.fields] == ["Name", "Story", "Ruleset"]
    assert [option.label for option in form.fields[1].options][:2] == ["Our own game", "Court intrigue"]
    begun = await game.alice.submit(form, {"Name": "Skyfall"})
    assert begun.text.startswith("Skyfall begins\n")
    assert "alice is the GM" in begun.text


async def test_a_bare_command_keeps_what_was_chosen_beside_the_name(game: Game) -> None:
    form = (await game.says("alice: /campaign new ruleset:adept open:true")).form
    assert form is not None
    begun = await game.alice.submit(form, {"Name": "Skyfall"})
    assert begun.text.startswith("Skyfall begins\nadept: ")
    assert "There's no GM, so everyone can do everything." in begun.text


async def test_the_gm_starts_a_session_and_a_scene_from_help(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:adept")
    reply = await game.says("gm: /help")
    assert [button.label for button in reply.buttons] == ["Start session", "Pin", "Settings"]
    assert (await game.gm.press(reply, "Start session")).text.startswith("Session 1 begins\n")
    reply = await game.says("gm: /help")
    assert [button.label for button in reply.buttons] == [
        "Start the first scene",
        "End session",
        "Show the table",
    ]
    form = (await game.gm.press(reply, "Start the first scene")).form
    assert form is not None
    assert (await game.gm.submit(form, {"Name": "The docks"})).text.startswith("Scene The docks begins")
    assert [button.label for button in (await game.says("gm: /help")).buttons] == ["Pin", "Roll", "End scene"]


async def test_a_player_is_led_from_the_sheet_to_rolls(table: Game) -> None:
    reply = await table.says("carol: /help")
    assert [button.label for button in reply.buttons] == ["Join", "Roll", "Show the table"]
    reply = await table.says("alice: /help")
    assert [button.label for button in reply.buttons] == ["Edit my sheet", "Roll", "Show the table"]
    form = (await table.alice.press(reply, "Edit my sheet")).form
    assert form is not None
    assert form.title == "Alice's sheet"
    await table.play("alice: /character set trait:Mind die:d10 trait_set:Attributes")
    reply = await table.says("alice: /help")
    assert [button.label for button in reply.buttons] == ["Roll", "My sheet", "Show the table"]


async def test_what_waits_for_the_one_who_asks_comes_first(table: Game) -> None:
    table.dice.show([1, 5, 6], [3, 2])
    await table.play("alice: /roll dice:2d6 d8 vs:doom")
    reply = await table.says("gm: /help")
    assert reply.text.startswith("Next: see what's waiting for you")
    assert [button.label for button in reply.buttons] == ["What's waiting", "Roll", "Show the table"]
    assert "1 hitch" in (await table.gm.press(reply, "What's waiting")).text
    assert "In play: Session 1, Act 1. The docks. Doom pool: 2d6" in reply.text


async def test_an_archived_campaign_is_told_how_to_come_back(table: Game) -> None:
    await table.play("gm: /campaign archive")
    reply = await table.says("gm: /help")
    assert reply.text.startswith("Next: bring the campaign back\nThis campaign is archived.")
    assert [button.label for button in reply.buttons] == ["Bring it back", "Show the table"]
    assert "In play" not in reply.text
    assert [button.label for button in (await table.says("alice: /help")).buttons] == ["Show the table"]
    assert "Skyfall is played in this channel" in (await table.gm.press(reply, "Bring it back")).text
    assert "Skyfall is no longer archived." in (await table.gm.press(reply, "Bring it back")).text


async def test_what_a_character_has_in_play_is_told(table: Game) -> None:
    await table.play("gm: /comp add what:Broken Leg who:Alice die:d8")
    assert "Alice: 1 PP. Complications Broken Leg d8" in (await table.says("alice: /help")).text
