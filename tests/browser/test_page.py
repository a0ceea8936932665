"""The table in a real browser, by clicks and keys."""

from base64 import b64decode
from pathlib import Path

import pytest
from playwright.async_api import expect

from bot.loopback.model import Emoji
from bot.loopback.web import views
from bot.loopback.web.access import Key
from bot.loopback.web.server import opened
from tests.browser.house import House
from tests.browser.people import Seated, begins, sit

PHONE = 390
DOT = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


async def test_two_seats_at_once(house: House) -> None:
    gm, alice = await house.sits("gm"), await house.sits("alice")
    await gm.says("/campaign new name:Skyfall ruleset:prime")
    await alice.says("<img src=x onerror=alert(1)> **loud** `<b>` <script>x</script>")
    heard = await gm.sees("<img src=x onerror=alert(1)>")
    await expect(heard.locator("strong")).to_have_text("loud")
    await expect(heard.locator("img, script, b")).to_have_count(0)
    await alice.says("/table show")
    await alice.sees("Only you can see this.")
    await gm.says("/roll dice:2d6")
    await alice.sees("used /roll")
    await expect(gm.log).not_to_contain_text("used /table show")
    await alice.page.get_by_role("button", name="Dismiss").click()
    await expect(alice.log).not_to_contain_text("Only you can see this.")
    third = await house.comes()
    taken = third.page.get_by_role("button", name=begins("alice"))
    await expect(taken).to_be_disabled()
    await third.page.get_by_label("Another name").fill("Alice")
    await third.page.get_by_role("button", name="Sit down").click()
    await expect(third.page.get_by_role("alert")).to_contain_text("alice is taken")
    await gm.page.get_by_role("article").last.click(button="right")
    await expect(gm.page.get_by_role("menuitem", name="Undo this")).to_be_visible()
    await gm.page.keyboard.press("Escape")
    await gm.box.fill("/no such thing")
    await gm.box.press("Enter")
    await expect(gm.page.get_by_role("alert")).to_contain_text("There's no command /no")
    await expect(gm.box).to_have_value("/no such thing")
    assert gm.wrong + alice.wrong == [
        "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"
    ]


async def test_a_phone(house: House) -> None:
    alice = await house.sits("alice", width=PHONE, scheme="dark")
    await alice.says("/campaign new name:Skyfall ruleset:adept")
    await alice.presses_newest("Join")
    await expect(alice.form).to_be_visible()
    await not_wider(alice)
    await alice.sends({"Name": "A" * 40})
    await alice.says("w" * 300)
    await alice.says("/roll dice:d10 d8 d8 d6 d6 d4 vs:10 note:" + "long words " * 8)
    await alice.says("/pool build")
    await alice.log.get_by_role("button", name=begins("Traits and dice")).last.tap()
    await alice.page.get_by_role("option", name="d8", exact=True).tap()
    await not_wider(alice)
    await alice.page.get_by_role("option", name="d10", exact=True).tap()
    await alice.page.get_by_role("heading", name="#table").tap()
    await alice.sees("d8 d10")
    await alice.box.fill("/roll dice:")
    await alice.page.get_by_role("button", name="+ vs").tap()
    await expect(alice.box).to_have_value("/roll dice: vs:")
    await not_wider(alice)
    await alice.box.fill("")
    await alice.page.get_by_role("button", name="Places").tap()
    await expect(alice.page.get_by_role("heading", name="People")).to_be_visible()
    await not_wider(alice)
    await alice.page.get_by_role("button", name="#table").tap()
    await expect(alice.page.get_by_role("heading", name="People")).not_to_be_visible()
    article = alice.log.get_by_role("article").last
    await article.evaluate(LONG_PRESS)
    await expect(alice.page.get_by_role("menuitem", name="Undo this")).to_be_visible()
    assert alice.wrong == []


LONG_PRESS = """(one) => {
  const { x, y } = one.getBoundingClientRect();
  const about = { bubbles: true, pointerType: "touch", clientX: x + 9, clientY: y + 9 };
  one.dispatchEvent(new PointerEvent("pointerdown", about));
}"""


async def not_wider(seated: Seated) -> None:
    """Nothing makes the page scroll sideways."""
    widths = "[document.documentElement.scrollWidth, document.querySelector('#log').scrollWidth, innerWidth]"
    whole, log, inner = await seated.page.evaluate(widths)
    assert whole <= inner
    assert log <= inner


async def test_the_keyboard_alone(house: House) -> None:
    came = await house.comes()
    page, keys = came.page, came.page.keyboard
    await page.locator("#seats button").first.wait_for()
    await keys.press("Tab")
    await expect(page.get_by_role("button", name="gm")).to_be_focused()
    await keys.press("Enter")
    await expect(came.box).to_be_focused()
    await keys.type("/campaign ne")
    # Not those of the first letters, which still may go.
    await expect(page.get_by_role("option").first).to_contain_text("/campaign new")
    await keys.press("ArrowDown")
    await expect(page.get_by_role("option", selected=True)).to_contain_text("/campaign new")
    await keys.press("Enter")
    await keys.type("name:Skyfall ruleset:adept")
    await keys.press("Enter")
    await came.sees("Skyfall")
    await keys.press("Control+ArrowUp")
    await keys.press("Enter")
    await expect(page.get_by_role("button", name="Join")).to_be_focused()
    await keys.press("Enter")
    await expect(came.form).to_be_visible()
    await expect(came.form.get_by_label(begins("Name"))).to_be_focused()
    await keys.press("Escape")
    await expect(page.get_by_role("button", name="Join")).to_be_focused()
    await came.box.focus()
    await keys.type("/pool build")
    await keys.press("Enter")
    menu = came.log.get_by_role("button", name=begins("Traits and dice")).last
    await menu.focus()
    await keys.press("Enter")
    await expect(page.get_by_role("listbox", name="Traits and dice")).to_be_focused()
    await keys.press("ArrowDown")
    await keys.press("ArrowDown")
    await keys.press("Space")
    await keys.press("Tab")
    await keys.press("Enter")
    await came.sees("pool: d8")
    more = came.log.get_by_role("article").last.get_by_role("button", name="Actions")
    await more.focus()
    await keys.press("Enter")
    await keys.press("ArrowDown")
    await keys.press("ArrowUp")
    await expect(page.get_by_role("menuitem").first).to_be_focused()
    await keys.press("Escape")
    await expect(more).to_be_focused()
    await page.get_by_role("button", name=begins("Pins")).focus()
    await keys.press("Enter")
    await expect(page.get_by_role("dialog", name="Pinned messages")).to_be_visible()
    await keys.press("Escape")
    await expect(page.get_by_role("button", name=begins("Pins"))).to_be_focused()
    assert came.wrong == []


async def test_a_file_in_a_form(house: House, tmp_path: Path) -> None:
    gm, alice = await house.sits("gm"), await house.sits("alice")
    await gm.says("/campaign new name:Skyfall ruleset:prime")
    for name, text in (("zoe.json", '{"name": "Zoe", "traitSets": []}'), ("bad, one.json", "{")):
        (tmp_path / name).write_text(text)
    button = (await alice.sees("Skyfall begins")).get_by_role("button", name="Join")
    for name, came in (("bad, one.json", "That isn't valid JSON"), ("zoe.json", "Import this character?")):
        await button.click()
        await alice.form.get_by_label(begins("Name")).fill("Ann")
        await alice.form.get_by_label(begins("Sheet file")).set_input_files(tmp_path / name)
        await alice.form.get_by_role("button", name="Submit").click()
        message = await alice.sees(came)
        button = message.get_by_role("button", name="Try again")
    await message.get_by_role("button", name="Import").click()
    await gm.sees("Zoe has been imported and is played by alice")


async def test_a_reload_and_a_restart(house: House) -> None:
    alice = await house.sits("alice")
    await alice.says("/campaign new name:Skyfall ruleset:prime")
    await alice.says("/table show")
    await alice.says("remember this")
    await alice.box.fill("not yet said")
    await alice.page.reload()
    await alice.sees("remember this")
    await alice.sees("Only you can see this.")
    await expect(alice.box).to_have_value("not yet said")
    other = await alice.page.context.new_page()
    await other.goto(house.address)
    await other.get_by_role("button", name="alice (continue)").click()
    await expect(other.get_by_role("log")).to_contain_text("remember this")
    await house.game.stop()
    house.game.discord.gateway.ready.clear()
    away = alice.page.get_by_role("status").filter(has_text="is offline. Waiting for it…")
    await expect(away).to_be_visible()
    await house.game.start()
    await expect(away).to_have_count(0)
    await alice.says("/roll dice:2d6")
    await alice.sees("used /roll")
    await alice.page.get_by_role("button", name="Leave the seat").click()
    await expect(alice.page.get_by_role("heading", name="Take a seat")).to_be_visible()


async def test_a_table_that_is_opened_anew(house: House) -> None:
    key, port, alice = Key(b"n" * 32), 0, await house.comes()
    for opening in range(2):
        async with opened(house.game.discord, key, port=port, out=lambda line: None) as address:
            port = int(address.split(":")[2].split("/")[0])
            if not opening:
                await alice.page.goto(address)
                await sit(alice.page, "alice")
            await alice.says(f"opened {opening}")
            await alice.sees(f"opened {opening}")
        await expect(alice.page.get_by_text("Connection lost. Reconnecting…")).to_be_visible()


async def test_places_and_what_was_said_before(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "SHOWN", 4)
    alice, bob = await house.sits("alice"), await house.sits("bob")
    for number in range(6):
        await alice.says(f"line {number} " + "and more words " * 60)
    await bob.sees("line 5")
    await bob.page.reload()
    await bob.sees("line 2")
    await expect(bob.log).not_to_contain_text("line 1")
    await bob.page.get_by_role("button", name="Earlier messages").click()
    await expect(bob.log).to_contain_text("line 0")
    assert await bob.page.get_by_role("article").count() == 6
    await bob.log.evaluate("log => log.scrollTo(0, 0)")
    await alice.says("the newest")
    await bob.page.get_by_role("button", name="New messages").click()
    await expect(bob.message("the newest")).to_be_in_viewport()
    await alice.page.get_by_role("button", name="New channel").click()
    await alice.sends({"Name": "Side quest"})
    await expect(alice.page.get_by_role("heading", name="#side-quest")).to_be_visible()
    await alice.says("psst")
    await bob.page.get_by_role("button", name="#side-quest new").click()
    await bob.sees("psst")
    await expect(bob.log).not_to_contain_text("the newest")
    assert alice.wrong + bob.wrong == []


async def test_pictures_emojis_and_times(house: House, tmp_path: Path) -> None:
    alice = await house.sits("alice")
    house.game.discord.world.emojis[5] = Emoji(5, "d10_7", DOT, "image/png")
    (tmp_path / "dot.png").write_bytes(DOT)
    async with alice.page.expect_file_chooser() as choosing:
        await alice.page.get_by_role("button", name="Add a file").click()
    await (await choosing.value).set_files(tmp_path / "dot.png")
    await expect(alice.page.get_by_role("list", name="Files to send")).to_contain_text("dot.png")
    await alice.says("look <:d10_7:5> at <t:0:f>")
    message = await alice.sees("look")
    await expect(message).to_contain_text("1 January 1970 at 01:00")
    for name in ("d10: 7", "dot.png"):
        picture = message.get_by_role("img", name=name)
        await expect(picture).to_have_js_property("naturalWidth", 1)
    assert alice.wrong == []
