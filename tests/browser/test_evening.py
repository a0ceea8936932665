"""A whole evening by keyboard and by ear."""

import json
from pathlib import Path

from playwright.async_api import expect

from tests.browser.by_keys import Hands
from tests.browser.house import House
from tests.browser.people import begins


async def test_an_evening_by_keyboard_and_by_ear(house: House, tmp_path: Path) -> None:
    gm, alice = await Hands.come(house, "gm"), await Hands.come(house, "alice", scheme="dark")
    await gm.says("/campaign new name:Skyfall ruleset:adept")
    assert (await alice.hears("Skyfall begins")).startswith("gm used /campaign new. Skyfall begins.")
    await alice.presses("Join", "Skyfall begins")
    await alice.sends({"Name": "Alice", "Sheet": "Attributes: Mind d10, Body d8"})
    await gm.hears("Alice")
    await gm.presses("Pin", "Skyfall begins")
    await gm.hears("The table is pinned")
    await gm.says("/session start")
    await gm.says("/scene start name:The docks")
    await alice.hears("The docks")
    await alice.says("/character show")
    sheet = await alice.hears("Mind d10")
    assert sheet.endswith("Only you can see this.")

    house.game.dice.show([10, 1, 4, 3], [4, 6])
    await alice.says("/roll dice:Mind, d6, d6, d4 vs:doom note:Force the door")
    await alice.hears("Total 13, effect d6")
    await gm.hears("Force the door")
    await alice.chooses("Total 14", "More", "Force the door")
    assert "Doom pool" not in await gm.hears("Total 14, effect d4")
    await gm.presses("Hitches", "Force the door")
    await gm.sends({"Name": "Singed hands"})
    await alice.hears("Singed hands")
    await alice.presses("Apply", "Force the door")
    if await alice.seated.form.count():
        await alice.sends({})
    await gm.says("/doom add dice:2d8")
    await alice.hears("2d8")
    await gm.says("/crisis new name:Fire dice:2d8")
    await alice.hears("Fire")
    await gm.says("/undo")
    await alice.hears("gm used /undo")
    await gm.says("/odds dice:2d10 vs:10")
    assert await gm.hears("Success")
    chart = gm.seated.message("Success").get_by_role("img").first
    await expect(chart).to_have_js_property("naturalWidth", 800)

    await gm.says("/campaign export")
    await gm.hears("File: skyfall")
    await gm.goes_into("/campaign export")
    async with gm.seated.page.expect_download() as downloading:
        await gm.tab_to("skyfall")
        await gm.press("Enter")
    path = tmp_path / "skyfall.json"
    await (await downloading.value).save_as(path)
    assert "Alice" in json.dumps(json.loads(path.read_text()))
    await gm.press("Escape", "Escape")
    await gm.seated.page.keyboard.insert_text("/campaign import file:")
    await expect(gm.seated.page.get_by_role("option", name=begins("Choose a file"))).to_be_visible()
    async with gm.seated.page.expect_file_chooser() as choosing:
        await gm.press("ArrowDown", "Enter")
    await (await choosing.value).set_files(path)
    await expect(gm.seated.box).to_have_value("/campaign import file:skyfall.json")
    await gm.press("Enter")
    assert (await gm.hears("Import this table?")).endswith("1 button. Only you can see this.")
    await gm.goes_into("Import this table?")
    await gm.press("Enter")
    await alice.hears("Skyfall has been imported, with Alice.")
    assert gm.seated.wrong + alice.seated.wrong == []
