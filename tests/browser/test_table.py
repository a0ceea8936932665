"""The pinned table beside the chat, and what waits for a seat."""

from playwright.async_api import expect

from tests.browser.heard import hears, listens
from tests.browser.house import House
from tests.browser.people import begins


async def test_the_table_stands_beside_the_chat_and_follows(house: House) -> None:
    await house.game.table()
    gm, alice = await house.sits("gm", width=1100), await house.sits("alice", width=390, scheme="dark")
    region = gm.page.get_by_role("region", name="Table")
    await expect(region).to_have_count(0)
    await gm.says("/table pin")
    await expect(region).to_contain_text("The docks")
    await expect(gm.page).to_have_title("#table · gm")
    house.game.dice.show([1, 3], [4, 6])
    await alice.says("/roll dice:d6 d8 vs:doom")
    await expect(region).to_contain_text("Waiting: GM 1 hitch")
    await expect(gm.page).to_have_title("(1) #table · gm")
    await expect(gm.page.locator("#icon")).to_have_attribute("href", "icon-waiting.svg")
    await expect(alice.page).to_have_title("#table · alice")
    await region.get_by_role("button", name="My sheet").focus()
    await gm.says("/doom add dice:d8")
    await region.get_by_role("button", name="My sheet").focus()
    await expect(region).to_contain_text("Doom pool: 2d6 d8")
    await expect(region.get_by_role("button", name="My sheet")).to_be_focused()
    await region.get_by_role("button", name=begins("Waiting")).click()
    await gm.sees("GM: 1 hitch")

    near = alice.page.get_by_role("region", name="Table")
    await expect(near).to_have_count(0)
    await alice.page.get_by_role("button", name="Table", exact=True).tap()
    await expect(near).to_be_visible()
    await expect(alice.page.get_by_role("heading", name="Table", exact=True)).to_be_focused()
    await alice.page.keyboard.press("Escape")
    await expect(near).to_have_count(0)
    await expect(alice.page.get_by_role("button", name="Table", exact=True)).to_be_focused()
    await alice.page.get_by_role("button", name="Table", exact=True).tap()
    await near.get_by_role("button", name="My sheet").tap()
    await alice.sees("Only you can see this.")
    await expect(near).to_have_count(0)
    await gm.says("/table unpin")
    await expect(region).to_have_count(0)
    assert gm.wrong + alice.wrong == []


async def test_the_title_counts_who_is_called_elsewhere(house: House) -> None:
    gm, alice = await house.sits("gm"), await house.sits("alice")
    await alice.page.get_by_role("button", name="New channel").click()
    await alice.sends({"Name": "side"})
    await expect(alice.page).to_have_title("#side · alice")
    await listens(alice)
    await gm.says("@Alice, come here")
    await hears(alice, "Something for you in #table.")
    await expect(alice.page).to_have_title("(1) #side · alice")
    await alice.page.get_by_role("button", name="#table for you").click()
    await expect(alice.page).to_have_title("#table · alice")
    await alice.sees("@alice, come here")
    assert gm.wrong + alice.wrong == []
