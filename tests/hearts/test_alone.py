"""A table with a ruleset of Hearts plays nothing else."""

from tests.game import Game


async def test_a_table_of_its_own_shows_and_does_nothing_of_other_games(hearts: Game) -> None:
    begun = await hearts.says("gm: /campaign new name:Aces ruleset:hearts")
    reply = await hearts.gm.press(begun, "Archive it")
    assert reply.text.startswith("Aces begins\nhearts: pools of d6, of which the highest counts")
    await hearts.play("gm: /session start", "alice: /character new name:Alice")
    for line in ("alice: /roll dice:d6", "alice: /ore roll dice:5d", "gm: /doom add dice:d6"):
        assert (await hearts.says(line)).text == "This table plays Hearts. To roll: /hearts roll dice:3"
    assert (await hearts.says("gm: /gmc new name:Rex dice:d8")).text == "This table's game has no GMCs."
    await hearts.play("alice: /hearts roll dice:3")
    assert "PP" not in (await hearts.says("gm: /table show")).text
    assert "PP" not in (await hearts.says("alice: /stats")).text


async def test_its_sheet_is_what_is_joined_and_edited_with(hearts: Game) -> None:
    begun = await hearts.says("gm: /campaign new name:Aces ruleset:hearts")
    table = await hearts.gm.press(begun, "Archive it")
    form = (await hearts.alice.press(table, "Join")).form
    assert form is not None
    assert form.field("Sheet").default == "Bond: Alice"
    await hearts.alice.submit(form, {"Name": "Kit", "Sheet": "Bond: Alice"})
    shown = await hearts.says("alice: /character show")
    assert "Bond Alice" in shown.text
    assert "Distinctions" not in shown.text
    edit = (await hearts.says("alice: /character edit")).form
    assert edit is not None
    refused = await hearts.alice.submit(edit, {"Sheet": "Skills: Fight d8"})
    assert "A sheet has a bond." in refused.text


async def test_help_says_what_comes_next_in_any_game(hearts: Game) -> None:
    begun = await hearts.says("gm: /campaign new name:Aces ruleset:hearts")
    await hearts.gm.press(begun, "Archive it")
    assert "Press Join." in (await hearts.says("alice: /help")).text
    assert "starts the session." in (await hearts.says("gm: /help")).text
    await hearts.play("bob: /character new name:Bob", "bob: /hearts bond to:Bob")
    assert "Press Roll." in (await hearts.says("bob: /help")).text
    await hearts.play("alice: /character new name:Alice", "gm: /session start", "gm: /scene start")
    assert "When something is uncertain, ask for a roll." in (await hearts.says("gm: /help")).text
