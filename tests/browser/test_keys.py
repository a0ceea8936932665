"""Walking the page by keyboard, and what is said aloud meanwhile."""

from pathlib import Path

from PIL import Image
from playwright.async_api import expect

from tests.browser.heard import hears, is_on, listens
from tests.browser.house import House
from tests.browser.people import begins


async def test_a_message_is_one_tab_stop_that_one_goes_into(house: House) -> None:
    await house.game.table()
    gm = await house.sits("gm")
    keys, page = gm.page.keyboard, gm.page
    await gm.says("/doom add dice:d8")
    await gm.sees("used /doom add")
    await gm.says("/pool build")
    await gm.sees("used /pool build")
    await gm.box.focus()
    await keys.press("Shift+Tab")  # Add a file
    await keys.press("Shift+Tab")
    await is_on(gm, "used /pool build")
    await keys.press("Shift+Tab")
    await is_on(gm, "used /doom add")
    await keys.press("ArrowDown")
    await is_on(gm, "used /pool build")
    await keys.press("ArrowUp")
    await is_on(gm, "used /doom add")
    await keys.press("Home")
    await is_on(gm, "Skyfall")
    await keys.press("Enter")
    await expect(page.locator("article :focus")).to_have_count(1)
    await keys.press("Tab")
    await expect(page.locator("article :focus")).to_have_count(1)
    await keys.press("Escape")
    await is_on(gm, "Skyfall")
    await keys.press("Escape")
    await expect(gm.box).to_be_focused()
    await keys.press("Control+ArrowUp")
    await is_on(gm, "used /pool build")
    await page.get_by_role("link", name="Skip to the newest message").focus()
    await keys.press("Enter")
    await is_on(gm, "used /pool build")
    assert gm.wrong == []


async def test_an_edit_says_what_has_changed_and_no_more(house: House) -> None:
    house.game.dice.show([10, 4])
    await house.game.table()
    alice, bob = await house.sits("alice"), await house.sits("bob")
    await listens(alice)
    await listens(bob)
    await alice.says("/roll dice:d10 d6 vs:5 note:Force the door")
    assert (await hears(bob, "Force the door")).startswith("alice used /roll. Alice")
    assert not (await hears(alice, "Force the door")).startswith("alice")
    await alice.presses_newest("Apply")
    await alice.sends({"Name": "Broken lock"})
    said = await hears(bob, "Broken lock")
    assert "Force the door" not in said
    await alice.says("I am in")
    assert await hears(bob, "I am in") == "alice: I am in."
    assert alice.wrong + bob.wrong == []


async def test_the_focus_goes_where_one_goes_on(house: House) -> None:
    alice = await house.sits("alice")
    keys, page = alice.page.keyboard, alice.page
    await page.get_by_role("button", name="New channel").focus()
    await keys.press("Enter")
    field = alice.form.get_by_label("Name")
    await expect(field).to_be_focused()
    await keys.press("Shift+Tab")
    await expect(alice.form.get_by_role("button", name="Cancel")).to_be_focused()
    await keys.press("Tab")
    await expect(field).to_be_focused()
    await keys.type("side")
    await keys.press("Enter")
    await expect(alice.box).to_be_focused()
    await expect(page.get_by_role("heading", name="#side")).to_be_visible()
    for level, names in ((1, ["#side"]), (2, ["What do you want to do?", "Places", "People"])):
        await expect(page.get_by_role("heading", level=level)).to_have_text(names)
    await house.game.alice.write("# Big\n### Small", house.game.discord.channel("side"))
    message = await alice.sees("Small")
    await expect(message.get_by_role("heading", level=3)).to_have_text("Big")
    await expect(message.get_by_role("heading", level=4)).to_have_text("Small")
    assert alice.wrong == []


async def test_several_lines_and_a_form_that_keeps_its_text(house: House) -> None:
    alice = await house.sits("alice")
    keys, page = alice.page.keyboard, alice.page
    await alice.box.focus()
    await keys.type("first")
    await keys.press("Shift+Enter")
    await keys.type("second")
    await expect(alice.box).to_have_value("first\nsecond")
    assert await alice.box.evaluate("one => one.offsetHeight") > 50
    await keys.press("Enter")
    await expect(alice.box).to_have_value("")
    await alice.sees("first\nsecond")
    assert house.game.discord.messages()[-1].text == "first\nsecond"

    await alice.says("/campaign new name:Skyfall ruleset:adept")
    for expected, told in (("alice", ""), ("Nova", "What you typed before has been restored.")):
        await alice.presses_newest("Join")
        name = alice.form.get_by_label(begins("Name"))
        await expect(name).to_have_value(expected)
        await expect(alice.form).to_have_accessible_description(told)
        await name.fill("Nova")
        await keys.press("Escape")
        await expect(alice.form).to_have_count(0)
    await alice.presses_newest("Join")
    await alice.form.get_by_role("button", name="Cancel").click()
    await alice.presses_newest("Join")
    await expect(alice.form.get_by_label(begins("Name"))).to_have_value("alice")
    await keys.press("Escape")
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.evaluate("() => document.documentElement.style.setProperty('font-size', '200%')")
    title = page.get_by_role("heading", level=1)
    await expect(title).to_have_text("#table")
    assert await title.evaluate("one => one.offsetWidth") > 100
    assert alice.wrong == []


async def test_what_is_needed_most_is_offered_first(house: House) -> None:
    await house.game.table()
    form = (await house.game.alice.slash("/character edit")).form
    await house.game.alice.submit(form, {"Sheet": "Attributes: Mind d10, Body d8"})
    gm, alice = await house.sits("gm"), await house.sits("alice")
    alices, gms = alice.page.get_by_role("option"), gm.page.get_by_role("option")
    await gm.box.press_sequentially("/")
    for place, name in enumerate(("/doom add", "/comp add", "/scene start", "/session start", "/roll")):
        await expect(gms.nth(place)).to_contain_text(name)
    await alice.says("/odds dice:2d6")
    await alice.box.press_sequentially("/")
    for place, name in enumerate(("/roll", "/asset add", "/pp spend", "/undo", "/odds")):
        await expect(alices.nth(place)).to_contain_text(name)
    await alice.box.fill("/plot points")
    await expect(alices.filter(has_text="/pp show")).to_be_visible()
    await alice.box.fill("/roll dice:")
    await expect(alices.first).to_have_text("Mind d10")
    await expect(alices.first.locator(".die.d10")).to_have_text("d10")
    await alice.box.press("Tab")
    await expect(alice.box).to_have_value("/roll dice:Mind")
    assert gm.wrong + alice.wrong == []


async def test_a_portrait_has_the_words_of_its_owner(house: House, tmp_path: Path) -> None:
    face = tmp_path / "face.png"
    Image.new("RGB", (64, 64), "teal").save(face)
    await house.game.table()
    await house.game.play(f"alice: /character portrait picture:{face} alt:A scar over the eye")
    bob = await house.sits("bob")
    await bob.says("/character show who:Alice")
    sheet = await bob.sees("Only you can see this.")
    await expect(sheet.get_by_role("img", name="A scar over the eye")).to_be_visible()
    await expect(sheet.get_by_role("link", name="A scar over the eye")).to_have_count(1)
    assert bob.wrong == []
