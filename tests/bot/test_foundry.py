"""Actors of Foundry, end to end."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.loopback.reply import menus
from rules.cortex.model import CORTEX
from tests.bot.test_buttons import is_refused, put_back, seen
from tests.bot.test_moving import file_of, state
from tests.bot.test_toolkit import DEEP, written, zoe
from tests.game import Game
from tests.rules.cortex.formats.test_foundry import DND, a_set, an_actor, dice
from tests.toolkit_files import VALID

ACTOR = an_actor(
    traitSets={"0": a_set("Attributes", {"name": "Mind", "dice": dice("10")})},
    assets={"0": {"label": "Torch", "dice": dice("6", "6")}},
    notes={"0": {"label": "Past", "value": "<p>Tall</p>"}},
    pets=2,
) | {"_stats": {"systemId": "cortexprime", "systemVersion": "0.2.16", "coreVersion": "13.342"}}


async def test_an_actor_comes_after_a_preview_and_goes_out_as_a_sheet_of_the_toolkit(
    table: Game, tmp_path: Path
) -> None:
    before = await state(table)
    shown = await table.says(f"bob: /character import file:{written(tmp_path, ACTOR)}")
    assert shown.private
    assert await state(table) == before
    for line in (
        "Attributes: imported as trait set, 1 trait",
        "Assets: imported as Signature assets, 1 trait",
        "The bot can't use these entries, but exports keep them: pets",
        "Exports also keep everything that only Foundry needs.",
    ):
        assert line in shown.text
    asked = await table.bob.choose(shown, "Change how a trait set is imported", ["assets"])
    menu = await table.bob.choose(asked, "Import Assets as", ["resources"])
    assert (await table.bob.press(menu, "Import")).text.startswith("Zoe has been imported")
    has = await zoe(table)
    assert (has.sheet["mind"].die, has.resources["torch"].more) == (10, (6,))
    back = json.loads(file_of(await table.says("gm: /character export who:Zoe as:Toolkit")))
    assert list(VALID.iter_errors(back)) == []
    assert back["custom"]["doomkeeper"]["foundry"]["system"] == {
        "actorType": {"name": "Character", "pets": 2}
    }
    await table.play("bob: /undo")
    assert await state(table) == before


async def test_of_several_actors_a_player_chooses_one_and_the_gm_brings_all(
    table: Game, tmp_path: Path
) -> None:
    path = written(tmp_path, [ACTOR, ACTOR | {"name": "Yan"}])
    shown = await table.says(f"bob: /character import file:{path}")
    assert shown.message is not None
    assert "Which character" in [menu.placeholder for menu in menus(shown.message)]
    everybody = await table.says(f"gm: /campaign import file:{path}")
    assert everybody.text.count("everything that only Foundry needs") == 1
    await table.gm.press(everybody, "Import")
    after = await state(table)
    assert CORTEX.has(after.characters["yan"]).pp == 3
    assert {"alice", "bob", "zoe", "yan"} <= set(after.characters)


EXT = ACTOR | {"_stats": {"systemId": "cortexprime-ext", "systemVersion": "1.0.0"}}
"""An actor of the system that goes on with cortexprime."""


def an_ext(name: str = "Zoe", **kind: Any) -> dict[str, Any]:
    return an_actor(**kind) | {"name": name, "_stats": EXT["_stats"]}


async def test_the_notes_of_further_tabs_come_each_below_its_title(table: Game, tmp_path: Path) -> None:
    note = {"allowRename": True, "allowDeletion": True, "allowEdit": False}
    tabs = {
        "0": {"id": "_notes-_1", "name": "Notes", "notes": {"0": {"label": "Past", "value": "<p>Tall</p>"}}},
        "1": {
            "id": "_9",
            "name": "Magic",
            "notes": [{"label": "Rotes", "value": "<b>Veil</b>", **note}, {"label": "Magic", "value": "Odd"}],
            "deletedSections": {"0": {"label": "Gone", "value": "<p>Old</p>"}},
        },
        "2": 5,
    }
    form = an_ext(additionalTabs=tabs, notes=[{"label": "Now", "value": "Here"}])
    shown = await table.says(f"gm: /campaign import file:{written(tmp_path, form)}")
    assert "kept and go back" not in shown.text
    await table.gm.press(shown, "Import")
    notes = (await state(table)).characters["zoe"].notes
    assert notes == "Now\nHere\nPast\nTall\n\nMagic: Rotes\nVeil\nMagic\nOdd"
    back = json.loads(file_of(await table.says("gm: /character export who:Zoe as:Toolkit")))
    assert "<p>Old</p>" in json.dumps(back["custom"])


async def test_an_sfx_that_is_not_unlocked_comes_as_words(table: Game, tmp_path: Path) -> None:
    said = "Spend a PP to reroll a die."
    sfx = [
        {"label": "Focus", "description": said, "unlocked": False},
        {"label": "Again", "description": said, "unlocked": True},
    ]
    mind = {"name": "Mind", "dice": dice("10"), "sfx": sfx}
    form = an_ext(traitSets=[a_set("Attributes", mind)])
    await table.gm.press(await table.says(f"gm: /campaign import file:{written(tmp_path, form)}"), "Import")
    sheet = (await table.says("gm: /character show who:Zoe")).text
    assert 'SFX Focus (Mind): "Not unlocked yet: Spend a PP to reroll a die."' in sheet
    assert "SFX Again (Mind): reroll, for 1 PP" in sheet
    first = file_of(await table.says("gm: /character export who:Zoe as:Toolkit"))
    (trait,) = json.loads(first)["traitSets"][0]["traits"]
    assert [each["description"] for each in trait["sfx"]] == [said, said]
    await table.play("gm: /character remove name:Zoe")
    again = written(tmp_path, first.decode())
    await table.gm.press(await table.says(f"gm: /campaign import file:{again}"), "Import")
    assert "Not unlocked yet" in (await table.says("gm: /character show who:Zoe")).text
    edited = (await table.says("gm: /character edit who:Zoe")).form
    assert edited is not None
    text = str(edited.field("Sheet").default)
    open_now = text.replace('"Not unlocked yet: Spend a PP to reroll a die."', "reroll, for 1 PP")
    await table.gm.submit(edited, {"Sheet": open_now})
    last = json.loads(file_of(await table.says("gm: /character export who:Zoe as:Toolkit")))
    assert last["traitSets"][0]["traits"][0]["sfx"][0]["custom"] == {"doomkeeper": {"locked": False}}


async def test_an_asset_of_two_dice_stays_so_in_the_form(table: Game, tmp_path: Path) -> None:
    form = an_ext(assets={"0": {"label": "Torch", "dice": dice("6", "6")}})
    await table.gm.press(await table.says(f"gm: /campaign import file:{written(tmp_path, form)}"), "Import")
    edited = (await table.says("gm: /character edit who:Zoe")).form
    assert edited is not None
    text = str(edited.field("Sheet").default)
    assert "Signature assets: Torch 2d6" in text
    before = await state(table)
    await table.gm.submit(edited, {"Sheet": text})
    assert await state(table) == before


POOL = an_ext(
    "The Dark",
    simpleTraits={"0": {"label": "Dice", "dice": dice("6", "6", "8"), "settings": {"valueType": "dice"}}},
)
POOL["system"]["actorType"]["name"] = "Doom Pool"
EMPTY = an_ext("Nothing")
EMPTY["system"]["actorType"]["name"] = "Limited doom pool"


async def test_a_doom_pool_is_no_character(table: Game, tmp_path: Path) -> None:
    for form in (POOL, [POOL]):
        for command in ("/character import", "/campaign import"):
            reply = await table.says(f"gm: {command} file:{written(tmp_path, form)}")
            assert is_refused(reply)
            assert "holds a doom pool from Foundry, not a character" in reply.text
            assert "/doom add dice:d8 2d6" in reply.text
    await table.play("gm: /doom add dice:d8 2d6")
    path = written(tmp_path, [POOL, ACTOR, EMPTY])
    shown = await table.says(f"gm: /campaign import file:{path}")
    assert "The Dark is a doom pool, so it isn't imported. Add its dice: /doom add dice:d8 2d6" in shown.text
    assert "Nothing is a doom pool, so it isn't imported.\n" in shown.text
    await table.gm.press(shown, "Import")
    assert {"the dark", "nothing"}.isdisjoint((await state(table)).characters)
    assert "zoe" in (await state(table)).characters


HOSTILE = {
    "settings": (
        {"cortexPrimeVersion": "1.0.0", "theme": {}, "actorTypes": {"0": {"name": "Doom Pool"}}},
        "holds the settings of Foundry's cortexprime, not an actor. In Foundry, choose Export Data",
    ),
    "items of another system": (
        [DND | {"_stats": {"systemId": "pf2e"}}] * 2,
        'holds items for "pf2e" in Foundry, not an actor',
    ),
    "an item of another system": (
        DND | {"_stats": {"systemId": "pf2e"}},
        'holds an item for "pf2e" in Foundry, not an actor',
    ),
    "actors of another system": (
        [DND | {"items": [], "_stats": {"systemId": "pf2e"}}] * 2,
        'Those actors were made for "pf2e" in Foundry. Send an actor made for cortexprime',
    ),
    "scenes": ([{"name": "Hall", "walls": [], "_stats": {}}] * 2, "holds scenes from Foundry"),
    "journals": ([{"name": "Diary", "pages": [], "_stats": {}}] * 2, "holds journals from Foundry"),
    "compendiums": ([{"name": "All", "actors": [], "_stats": {}}] * 2, "holds compendiums from Foundry"),
    "another system": (DND | {"items": [], "_stats": {"systemId": "dnd5e"}}, 'made for "dnd5e" in Foundry'),
    "no system": (DND | {"token": {}}, "made for an unnamed system in Foundry"),
    "an item": (
        DND,
        "holds an item from Foundry, not an actor. In Foundry, choose Export Data on a cortexprime actor",
    ),
    "a scene": ({"name": "Hall", "walls": [], "_stats": {}}, "holds a scene from Foundry"),
    "a journal": ({"name": "Diary", "pages": [], "_stats": {}}, "holds a journal from Foundry"),
    "a compendium": ({"name": "All", "actors": [], "_stats": {}}, "holds a compendium from Foundry"),
    "a macro": ({"command": "", "_stats": {}}, "holds something else from Foundry"),
    "a die as a power": (
        json.dumps(an_actor(assets=[{"dice": {"value": [1]}}])).replace("[1]", "[1e9]"),
        "size",
    ),
    "no number": (json.dumps(an_actor(pp=float("nan"))), "NaN isn't a number"),
    "a member twice": (
        '{"type": "character", "img": "", "system": {"a": 1, "a": 2}}',
        "it appears twice",
    ),
    "too deep": ('{"type": "character", "img": "", "system": ' + DEEP + "}", "nested too deeply"),
    "many traits": (
        an_actor(traitSets=[a_set("A", *[{"name": "x"}] * 5000)]),
        "5,000 traits; the limit",
    ),
    "many actors": ([an_actor()] * 1000, "1,000 characters; the limit"),
    "10 MB": (an_actor(notes=[{"value": "x" * 10_000_000}]), "1,000,000"),
}


async def test_what_cannot_be_read_is_refused_in_a_sentence_and_changes_nothing(
    table: Game, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for what, (form, why) in HOSTILE.items():
        with subtests.test(what=what):
            before = await state(table)
            for command in ("/character import", "/campaign import"):
                reply = await table.says(f"gm: {command} file:{written(tmp_path, form)}")
                assert is_refused(reply)
                assert why in reply.text
                assert not reply.buttons
            assert await state(table) == before


async def test_an_odd_actor_comes_with_what_can_be_read_of_it(
    table: Game, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    begun = (await seen(table))[1]
    forms = (
        an_actor(traitSets={"0": 5, "1": [a_set("A")]}, notes="x", assets=[["y"]], simpleTraits={"a": {}}),
        an_actor(pp=[3], traitSets=[a_set("A", {"name": {"a": 1}, "dice": [[8], None, {"b": 2}], "sfx": 3})]),
        an_actor() | {"system": {"actorType": [], "pp": 4}, "name": ["x"], "img": {}},
        an_actor(notes=[{"label": "x" * 200_000, "value": "y" * 200_000}]) | {"name": "z" * 200_000},
        an_actor(notes=[{"value": f"<p>&#{'9' * 5000};"}]),
    )
    for number, form in enumerate(forms):
        with subtests.test(number=number):
            await put_back(table, begun)
            shown = await table.says(f"gm: /campaign import file:{written(tmp_path, form)}")
            assert "Nothing has changed yet." in shown.text
            assert "imported" in (await table.gm.press(shown, "Import")).text


async def test_a_long_name_of_what_is_kept_leaves_room_for_who_comes(table: Game, tmp_path: Path) -> None:
    odd: dict[str, Any] = {"x" * 5000: 1, "a\n# b": 2, "\u200b": 3}
    form = an_actor(**odd)
    shown = await table.says(f"gm: /campaign import file:{written(tmp_path, form)}")
    assert f"The bot can't use these entries, but exports keep them: {'x' * 99}…, a # b and …" in shown.text
    assert shown.text.endswith("Zoe: 3 PP")


async def test_a_campaign_does_not_begin_with_an_actor(game: Game, tmp_path: Path) -> None:
    reply = await game.says(f"gm: /campaign new name:Skyfall file:{written(tmp_path, ACTOR)}")
    assert is_refused(reply)
    assert "That file holds a character. Start the campaign without it" in reply.text
