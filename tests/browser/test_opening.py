"""An empty table: a story, some dice, or a scene to watch."""

import pytest
from playwright.async_api import expect

from bot.loopback import opening
from tests.browser.house import House
from tests.browser.people import begins
from tests.browser.test_looks import PHONE, nothing_found
from tests.browser.test_page import not_wider


async def test_a_story_is_begun_a_character_taken_and_a_roll_made_in_six_taps(house: House) -> None:
    alice = await house.sits("alice", width=PHONE)
    page = alice.page
    await expect(page.get_by_role("heading", name="What do you want to do?")).to_be_visible()
    await not_wider(alice)
    await nothing_found(alice, "an empty table")
    await page.get_by_role("button", name=begins("Start from a story")).tap()
    await expect(page.get_by_role("heading", name="Which story?")).to_be_focused()
    await not_wider(alice)
    await nothing_found(alice, "the stories")
    await page.get_by_role("button", name=begins("Monster hunt")).tap()
    await (
        (await alice.sees("The Fen Below begins"))
        .get_by_role("button", name=begins("Choose a character"))
        .tap()
    )
    await page.get_by_role("option", name=begins("Sister Halda")).tap()
    card = await alice.sees("You play Sister Halda")
    await card.get_by_role("button", name="Roll", exact=True).tap()
    await (await alice.sees("Your pool: ")).get_by_role("button", name="Roll", exact=True).tap()
    await alice.sees("Sister Halda: Total")
    await not_wider(alice)
    await expect(page.get_by_role("heading", name="Which story?")).to_have_count(0)
    assert alice.wrong == []


async def test_our_own_game_opens_the_form_and_dice_are_rolled_at_once(house: House) -> None:
    alice = await house.sits("alice", width=PHONE, scheme="dark")
    await alice.page.get_by_role("button", name=begins("Start from a story")).tap()
    await alice.page.get_by_role("button", name=begins("Our own game")).tap()
    await alice.sends({"Name": "Skyfall"})
    await alice.sees("Skyfall begins")
    await alice.page.get_by_role("button", name="Places").tap()
    await alice.page.get_by_role("button", name="New channel").tap()
    await alice.sends({"Name": "side"})
    await alice.page.get_by_role("button", name=begins("Roll some dice")).tap()
    await alice.sees("alice: Total")
    assert alice.wrong == []


async def test_a_scene_plays_itself_in_a_channel_of_its_own(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "PAUSE", 0.0)
    alice = await house.sits("alice", width=PHONE)
    await alice.page.get_by_role("button", name=begins("Watch a scene")).tap()
    await expect(alice.page.get_by_role("heading", level=1)).to_have_text("#a-scene")
    await alice.sees("Session 1")
    await alice.sees("Next session")
    await nothing_found(alice, "a scene")
    assert alice.wrong == []
