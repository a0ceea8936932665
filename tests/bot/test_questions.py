"""What the bot asks before it does something: who is meant, what is made, who pays."""

import pytest

from rules.cortex.model import CORTEX
from tests.bot.test_buttons import is_refused, put_back, seen
from tests.bot.test_contests import do
from tests.game import Game


async def test_a_question_is_answered_by_who_was_asked_where_it_was_asked(table: Game) -> None:
    await table.play("gm: /comp add what:Late who:Nova")
    asked = await table.says("gm: /pp give who:Nvoa")
    own = await table.says("bob: /table show")
    stolen = await table.bob.push(own, asked.buttons[0])
    assert "has expired" in stolen.text
    await table.begin("gm: /campaign new name:Other")
    elsewhere = await table.gm.press(asked, "Nova")
    assert "has expired" in elsewhere.text
    assert (await seen(table))[1].characters == {}


async def test_an_answer_means_whom_it_named(table: Game) -> None:
    await table.play("gm: /comp add what:Late who:Nova")
    asked = await table.says("gm: /pp give who:Nvoa")
    await table.play("gm: /character rename to:Zed who:Nova")
    gone = await table.gm.press(asked, "Nova")
    assert "is no longer at the table" in gone.text
    assert "nvoa" not in (await seen(table))[1].characters


async def test_a_player_without_a_character_is_asked_before_one_is_made(
    table: Game, subtests: pytest.Subtests
) -> None:
    table.person("carol")
    before = await seen(table)
    for line in (
        "/asset add what:Rope",
        "/comp add what:Cold",
        "/sfx add name:Luck benefit:add d6 cost:1 PP",
    ):
        with subtests.test(line):
            asked = await table.says(f"carol: {line}")
            assert asked.private
            assert asked.text == (
                "You don't play a character at this table yet. Create carol, or take another "
                "character: /character new"
            )
            assert [button.label for button in asked.buttons] == ["Create carol"]
            assert await seen(table) == before
    await table.play("gm: /character give name:Bob player:@gm", "gm: /character new name:Greta")
    asked = await table.says("carol: /asset add what:Rope")
    assert asked.text.endswith("or take another character: /character play"), "Bob waits for somebody"
    made = await asked.by.press(asked, "Create carol")
    assert made.text.splitlines() == [
        "carol: 0 PP (-1, Rope)",
        "carol · Rope d6 (asset)",
        "carol is a new character",
    ]
    assert (await table.play("carol: /comp add what:Cold")).text == "carol · Cold d6 (complication)"


async def test_dice_of_one_size_are_a_boss_or_a_mob_by_what_the_gm_says(
    table: Game, subtests: pytest.Subtests
) -> None:
    await table.play("gm: /doom set dice:2d12")
    _, start = await seen(table)
    for line in ("/gmc new name:Reed folk dice:3d6", "/doom spend for:gmc name:Reed folk: 3d6 dice:d12"):
        for answer in ("Boss", "Mob"):
            with subtests.test(line, answer=answer):
                await put_back(table, start)
                asked = await table.says(f"gm: {line}")
                assert asked.private
                assert asked.text == "Is Reed folk a boss or a mob?"
                made = await table.gm.press(asked, answer)
                assert f"Reed folk: 3d6 ({answer.lower()})" in made.text
    for dice, rank in (("Fangs d8, 2d6", "boss"), ("2d6 kind:mob", "mob")):
        assert f"2d6 ({rank})" in (await table.play(f"gm: /gmc new name:The {rank} dice:{dice}")).text


async def test_one_die_of_doom_makes_one_trait_for_whom_the_gm_says(
    table: Game, subtests: pytest.Subtests
) -> None:
    await table.play(
        "gm: /doom set dice:3d6", "gm: /crisis new name:Fire dice:2d6", "gm: /comp add what:Late who:Zoe"
    )
    _, start = await seen(table)
    for line in (
        "/doom spend for:complication name:Fog on:{}",
        "/doom spend for:asset name:Fog on:{}",
        "/crisis spend name:Fire for:complication what:Fog on:{}",
    ):
        for typed, answers in (
            ("all", ["Alice", "Bob", "Zoe"]),
            ("everyone", ["Alice", "Bob", "Zoe"]),
            ("Bob, Zoe", ["Bob", "Zoe"]),
            ("Zoe, Bob", ["Zoe", "Bob"]),
            ("scene, Alice", ["Alice", "The scene"]),
        ):
            with subtests.test(line.format(typed)):
                await put_back(table, start)
                asked = await table.says(f"gm: {line.format(typed)}")
                assert asked.private
                assert asked.text == "One die makes one trait. Who gets Fog?"
                assert [button.label for button in asked.buttons] == answers
                done = await table.gm.press(asked, answers[0])
                made = [text for text in done.text.splitlines() if " · Fog d6" in text]
                assert len(made) == 1
                assert made[0].startswith(f"{answers[0]} · ")
                there = (await seen(table))[1]
                assert set(there.characters) == {"alice", "bob", "zoe"}
    await put_back(table, start)
    asked = await table.says("gm: /doom spend for:complication name:Fog on:Alice, scene")
    assert "Scene · Fog d6" in (await table.gm.press(asked, "The scene")).text
    assert (
        "Scene · Smoke d6" in (await table.play("gm: /doom spend for:complication name:Smoke on:scene")).text
    )
    asked = await table.says("gm: /doom spend for:complication name:Haze on:all")
    await table.play("gm: /character remove name:Bob")
    gone = await table.gm.press(asked, "Bob")
    assert is_refused(gone)
    assert gone.text == "That character is no longer at the table. Send the command again."
    crowd = ", ".join(f"Guard {n}" for n in range(21))
    refused = await table.says(f"gm: /doom spend for:complication name:Fog on:{crowd}")
    assert "One die makes only one trait, so name only one character. Example: on:Guard 0" in refused.text


async def test_a_form_asks_about_a_name_too(table: Game) -> None:
    table.dice.show((4, 3, 2))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:5")
    fields = {"What": "Complication d8", "Name": "Tangled", "Or on someone new": "Bobb"}
    asked = await do(table, "alice", rolled, "Apply d8", fields)
    assert "Did you mean Bob?" in asked.text
    done = await table.alice.press(asked, "Bob")
    assert not done.private
    assert "Bob · Tangled d8 (complication)" in done.text
    assert CORTEX.has((await seen(table))[1].characters["bob"]).complications["tangled"].die == 8


async def test_join_asks_whoever_plays_somebody(table: Game) -> None:
    await table.says("gm: /table pin")
    form = (await table.alice.press(table.discord.pins()[0], "Join")).form
    asked = await table.alice.submit(form, {"Name": "Twin"})
    assert "Play Twin instead of Alice?" in asked.text
    assert (await seen(table))[1].characters["alice"].player == table.alice.id
    assert "Twin is played by alice" in (await table.alice.press(asked, "Play Twin")).text
    assert (await seen(table))[1].characters["alice"].player == 0
