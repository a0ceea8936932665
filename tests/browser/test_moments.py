"""What costs most taps, and the big moments of an evening, on a phone."""

from playwright.async_api import Locator, expect

from tests.browser.house import House
from tests.browser.people import Seated, begins
from tests.browser.test_looks import PHONE, nothing_found
from tests.browser.test_page import not_wider


async def sits_as_gm(house: House) -> Seated:
    """The GM of a scene in which Alice and Bob play."""
    await house.game.table()
    return await house.sits("gm", width=PHONE, scheme="dark")


async def shown(seated: Seated, words: str, what: str) -> Locator:
    """A card with these words is there, no wider than the phone, and axe finds nothing."""
    card = await seated.sees(words)
    await not_wider(seated)
    await nothing_found(seated, what)
    return card


async def chooses(seated: Seated, menu: str, option: str) -> None:
    """Choose from the newest menu of that name."""
    await seated.log.get_by_role("button", name=begins(menu)).last.tap()
    await seated.page.get_by_role("option", name=begins(option)).first.tap()


async def test_doom_dice_are_spent_by_taps_and_one_name(house: House) -> None:
    gm = await sits_as_gm(house)
    await house.game.play("gm: /doom set dice:2d6 d8")
    await gm.says("/doom spend")
    await shown(gm, "Spend doom dice", "what doom dice buy")
    await chooses(gm, "Dice", "d8")
    await chooses(gm, "What for", "Complication")
    await gm.sends({"Name": "Falling beams"})
    await shown(gm, "Scene · Falling beams d8 (complication)", "a die that was spent")


async def test_odds_are_rolled_and_the_log_is_turned(house: House) -> None:
    gm = await sits_as_gm(house)
    for _ in range(12):
        await house.game.play("gm: /doom add dice:d6")
    await gm.says("/odds dice:2d10 d8 vs:10")
    await shown(gm, "Success", "odds")
    await gm.presses_newest("Roll this")
    await shown(gm, "GM, vs 10", "a roll from its odds")
    await gm.says("/log")
    await gm.sees("15. gm")
    await gm.presses_newest("Older")
    await shown(gm, "1. gm", "the first steps of the log")
    await gm.presses_newest("Newer")
    await gm.sees("15. gm")


async def test_what_is_off_is_turned_on(house: House) -> None:
    gm = await sits_as_gm(house)
    await gm.says("/roll dice:2d8 hidden:true")
    await shown(gm, "Hidden rolls are off", "what is off")
    await gm.presses_newest("Turn on hidden")
    await shown(gm, "Only you can see this roll until you reveal it.", "a hidden roll")


async def test_a_roll_has_two_rows_and_a_menu(house: House) -> None:
    gm = await sits_as_gm(house)
    house.game.dice.show((10, 1, 4, 3))
    await house.game.says("alice: /roll dice:d10 d6 d6 d4 note:Force the door")
    card = await gm.sees("Force the door")
    buttons = card.locator(".parts").get_by_role("button")
    tops = set()
    for each in await buttons.all():
        box = await each.bounding_box()
        assert box is not None
        tops.add(round(box["y"]))
    assert await buttons.count() <= 6, "five, and the menu"
    assert len(tops) <= 3, "two rows, and the menu"
    await chooses(gm, "More", "What was it?")
    await expect(gm.form).to_be_visible()


async def test_big_moments_have_cards_with_what_follows(house: House) -> None:
    gm = await sits_as_gm(house)
    game = house.game
    await game.play("gm: /stress add what:Physical who:Alice die:d12")
    alice = await house.sits("alice", width=PHONE)
    await gm.says("/stress stepup what:Physical who:Alice")
    await shown(alice, "Alice is taken out by Physical stress", "somebody taken out")
    await alice.presses_newest("Stay in")
    await alice.sends({"Name": "Bruised"})
    await alice.sees("Bruised")
    await gm.says("/gmc new name:Warden dice:2d8 kind:boss")
    await gm.says("/gmc hit name:Warden die:d12")
    await shown(gm, "Warden loses 1 of 2 dice", "a boss that loses a die")
    await gm.says("/gmc hit name:Warden die:d12")
    await shown(gm, "Warden is defeated", "a boss that is defeated")
    await gm.says("/crisis new name:Fire dice:d4")
    game.dice.show((4, 3, 2), (2,))
    await alice.says("/roll dice:d10 2d6 vs:Fire")
    await alice.presses_newest("Apply")
    await shown(alice, "Crisis Fire is resolved", "a crisis that is resolved")
    game.dice.show((6, 5), (2, 3))
    await alice.says("/contest start dice:2d6 against:Bob note:The map")
    await game.says("bob: /contest answer dice:2d6")
    await shown(alice, "Alice wins the contest", "a contest that is won")
    game.dice.show((1, 1))
    await alice.says("/roll dice:2d6 vs:9")
    await shown(alice, "botch", "a botch")
    await alice.says("/safety x-card")
    await shown(gm, "X-card: stop", "the X-card")
    await gm.presses("End scene", "Crisis Fire is resolved")
    await shown(gm, "Scene The docks ends", "the end of a scene")
    await gm.says("/session end")
    told = await shown(gm, "Session 1 ends", "the end of a session")
    await expect(told).to_contain_text("resolved Crisis Fire")
    assert alice.wrong == []
