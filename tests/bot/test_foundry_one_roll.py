"""Actors of Foundry's One-Roll systems come with ratings, special dice and boxes; the rest stays words."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.loopback.reply import BotReply
from tests.bot.test_buttons import is_refused
from tests.bot.test_toolkit import BLANK
from tests.game import Game

REIGN: dict[str, Any] = {
    "name": "Ysolde",
    "type": "character",
    "_stats": {"systemId": "reign"},
    "system": {
        "attributes": {"body": {"value": 3}, "sense": {"value": 2}},
        "skills": {
            "fight": {"value": 2, "expert": True, "master": False},
            "languageNative": {"value": 1, "expert": False, "master": True},
            "run": {"value": 0, "expert": False, "master": False},
        },
        "customSkills": {"x1": {"label": "Bow", "value": 4}},
        "esoterica": {"sorcery": 2, "master": True},
        "health": {"head": {"shock": 1, "killing": 1}, "torso": {"shock": 0, "killing": 0}},
        "modifiers": {"healthMax": {"torso": 2}, "naturalArmor": {"head": 1}},
        "biography": {"mission": "<p>See the <b>Reach</b></p>", "duty": ""},
    },
    "items": [
        {
            "name": "Mail",
            "type": "armor",
            "system": {"ar": 2, "equipped": True, "protectedLocations": {"torso": True}},
        },
        {"name": "Long bow", "type": "weapon", "system": {"damage": "Width Killing"}},
    ],
}
WILD: dict[str, Any] = {
    "name": "Nova",
    "type": "character",
    "_stats": {"systemId": "wild-talents-2e"},
    "system": {
        "attributes": {"body": {"normal": 2, "hard": 1, "wiggle": 0}},
        "skills": {"dodge": {"label": "Dodge", "value": 2, "hard": 0, "wiggle": 1, "attribute": "body"}},
        "health": {},
        "biography": {"passion": {"description": "The sky", "rating": 3}},
    },
    "items": [{"name": "Flight", "type": "power", "system": {"dice": {"normal": 4, "hard": 0, "wiggle": 2}}}],
}
SNAKE: dict[str, Any] = {
    "name": "Great snake",
    "type": "threat",
    "_stats": {"systemId": "reign"},
    "system": {
        "threatLevel": 3,
        "creatureMode": True,
        "creatureAttributes": {"body": 6, "coordination": 4},
        "creatureSkills": {"bite": 3, "hide": -1},
        "customLocations": [
            {
                "name": "Coils",
                "rollHeights": [1, 2, 3, 5],
                "woundBoxes": 12,
                "ar": 1,
                "shock": 2,
                "killing": 1,
            },
            {"name": "Head", "rollHeights": [10], "woundBoxes": 4},
        ],
        "specialRules": "Venom",
    },
}
MOB = {
    "name": "Bandits",
    "type": "threat",
    "system": {"threatLevel": 4, "magnitude": {"value": 12}, "attributes": {"body": {}}},
}


def written(folder: Path, form: Any) -> Path:
    path = folder / "actor.json"
    path.write_text(json.dumps(form), encoding="utf-8")
    return path


async def brought(game: Game, folder: Path, who: str, form: Any) -> BotReply:
    """The preview of a file, imported."""
    preview = await game.says(f"{who}: /character import file:{written(folder, form)}")
    await game.person(who).press(preview, "Import")
    return preview


@pytest.fixture
async def own(game: Game) -> Game:
    """A table of One-Roll."""
    await game.play("gm: /campaign new name:Skyfall ruleset:one-roll")
    return game


async def test_an_actor_of_reign_comes_with_dice_boxes_and_words(own: Game, tmp_path: Path) -> None:
    preview = await brought(own, tmp_path, "alice", REIGN)
    assert preview.text.startswith("Import this character? Nothing has changed yet.\nYsolde")
    shown = (await own.says("alice: /character show")).text
    assert "Stats Body 3d, Sense 2d" in shown
    assert "Skills Fight 2d e10, Language native 1d 1w, Bow 4d, Sorcery 2d 1w" in shown
    assert "Head 1 killing, 1 shock of 4, armour 1; Body 12, armour 2; Left arm 5" in shown
    assert "Mission: See the Reach" in shown
    assert "Armor: Mail" in shown
    assert "Weapon: Long bow" in shown


async def test_an_actor_of_wild_talents_comes_with_hard_and_wiggle_dice(own: Game, tmp_path: Path) -> None:
    await brought(own, tmp_path, "alice", WILD)
    shown = (await own.says("alice: /character show")).text
    assert "Stats Body 2d 1h\nSkills Dodge 2d 1w\nPowers Flight 4d 2w" in shown
    assert "Passion: The sky" in shown


async def test_creatures_and_mobs_come_for_the_gm(own: Game, tmp_path: Path) -> None:
    refused = await own.says(f"alice: /character import file:{written(tmp_path, SNAKE)}")
    assert is_refused(refused)
    await brought(own, tmp_path, "gm", SNAKE)
    shown = (await own.says("gm: /character show who:Great snake")).text
    assert "Stats Body 6d, Coordination 4d\nSkills Bite 3d, Hide 1w" in shown
    assert "Coils 1 killing, 2 shock of 12, armour 1; Head 4" in shown
    form = (await own.says("gm: /character edit who:Great snake")).form
    assert form is not None
    assert "1-3/5 Coils 12 armour 1, 10 Head 4" in str(form.field("Sheet").default)
    preview = await own.says(f"gm: /campaign import file:{written(tmp_path, [MOB, WILD])}")
    assert "They are: Bandits and Nova" in preview.text
    await own.gm.press(preview, "Import")
    assert "Bandits. 12 members" in (await own.says("bob: /table show")).text


async def test_names_and_places_that_no_sheet_can_have_are_made_so(own: Game, tmp_path: Path) -> None:
    snake: dict[str, Any] = json.loads(json.dumps(SNAKE))
    snake["system"]["creatureSkills"] = {"x": {"label": 'Weapon (2h) "big"', "value": 4}}
    snake["system"]["customLocations"][1]["rollHeights"] = [5, 10]
    await brought(own, tmp_path, "gm", snake)
    asked = await own.says("gm: /character edit who:Great snake")
    assert asked.form is not None
    sheet = str(asked.form.field("Sheet").default)
    assert 'Skills: "Weapon h big" 4d' in sheet
    assert "1-3/5 Coils 12 armour 1, 10 Head 4" in sheet
    reply = await own.gm.submit(asked.form, {})
    assert reply.text == "Nothing changed on Great snake's sheet."


async def test_an_actor_that_cannot_be_read_spoils_no_other(own: Game, tmp_path: Path) -> None:
    empty = {**WILD, "name": "Blank", "system": {"attributes": {"body": {"normal": 0}}}}
    preview = await own.says(f"alice: /character import file:{written(tmp_path, [WILD, empty])}")
    assert "Nova" in preview.text
    await own.alice.press(preview, "Import")
    assert "Body 2d 1h" in (await own.says("alice: /character show")).text


async def test_one_of_several_actors_is_chosen(own: Game, tmp_path: Path) -> None:
    preview = await own.says(f"alice: /character import file:{written(tmp_path, [REIGN, WILD])}")
    chosen = await own.alice.choose(preview, "Which character", ["Nova"])
    await own.alice.press(chosen, "Import")
    assert "Powers Flight 4d 2w" in (await own.says("alice: /character show")).text


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (
            {
                **REIGN,
                "type": "company",
                "system": {"attributes": {"body": {}}, "qualities": {"might": {"value": 3}}},
            },
            "/ore company name:Ysolde ratings:might 3",
        ),
        (
            {**REIGN, "items": [], "system": {"attributes": {"body": {"value": 0}}}},
            "Ysolde has no ratings in that file",
        ),
        (BLANK, "files it exported, Foundry actors of reign and Foundry actors of wild-talents-2e."),
        ({"system": {"attributes": {}}}, "The bot can only read files it exported"),
    ],
)
async def test_what_cannot_be_read_is_refused(own: Game, tmp_path: Path, form: Any, told: str) -> None:
    reply = await own.says(f"alice: /character import file:{written(tmp_path, form)}")
    assert is_refused(reply)
    assert told in reply.text.replace("\\", "")


async def test_files_of_another_game_are_neither_written_nor_begun_with(own: Game, tmp_path: Path) -> None:
    await own.play("alice: /character new name:Rook")
    assert (await own.says("alice: /character export as:Toolkit")).text == (
        "This table's game can't write such a file. Leave out as."
    )
    sheet = written(tmp_path, BLANK | {"isTemplate": True, "name": "Grey blank"})
    begun = await own.says(f"gm: /campaign new name:Two ruleset:one-roll file:{sheet}")
    assert begun.text == "That sheet is for another game than the ruleset. Leave one of them out."


async def test_an_actor_comes_to_a_cortex_table_as_well(table: Game, tmp_path: Path) -> None:
    await table.play("alice: /character rename to:Ada")
    preview = await table.says(f"gm: /campaign import file:{written(tmp_path, [WILD])}")
    await table.gm.press(preview, "Import")
    assert "Powers Flight 4d 2w" in (await table.says("gm: /character show who:Nova")).text


async def test_odd_numbers_and_names_of_a_creature_come_as_far_as_they_can(own: Game, tmp_path: Path) -> None:
    places = [
        {"name": "Leg 1, left", "rollHeights": 5, "woundBoxes": 4, "ar": 99},
        {"name": "12", "rollHeights": [1, "x", 99], "woundBoxes": -3},
        {"name": "x" * 90, "rollHeights": None},
    ]
    system = {"threatLevel": "threat", "creatureMode": True, "creatureAttributes": {"body": 99}}
    form = {
        "name": "Wyrm",
        "type": "threat",
        "_stats": {"systemId": "reign"},
        "items": [],
        "system": {**system, "customLocations": places},
    }
    await own.gm.press(await own.says(f"gm: /campaign import file:{written(tmp_path, [form])}"), "Import")
    shown = (await own.says("gm: /character show who:Wyrm")).text
    assert "Leg left 4, armour 30; Body 5; " in shown
    edited = await own.gm.press(await own.says("gm: /character show who:Wyrm"), "Edit")
    assert edited.form is not None
    assert "Nothing changed" in (await own.gm.submit(edited.form, {})).text
