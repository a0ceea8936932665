"""The pool builder, end to end: menus, steps, odds, a restart, sharing."""

import asyncio

import pytest

from bot.local.reply import Reply, menus
from tests.game import Game

SHEET = (
    "Distinctions: Reckless d8\nAttributes: Mind d10, Body d8\nSkills: Sharp d6\n"
    "Signature assets: Rope d8\nSFX: Focus: double Mind, for doom d6"
)


async def opened(table: Game) -> Reply:
    """Alice's builder, with a sheet to build from."""
    form = (await table.says("alice: /character edit")).form
    await table.alice.submit(form, {"Sheet": SHEET})
    return await table.says("alice: /pool build")


def labels(reply: Reply) -> dict[str, list[str]]:
    assert reply.message is not None
    return {menu.placeholder: [each.label for each in menu.options] for menu in menus(reply.message)}


async def test_a_name_that_is_on_no_sheet_says_whose_was_read(table: Game) -> None:
    built = await table.says("alice: /pool build")
    refused = await table.alice.submit((await table.alice.press(built, "Type")).form, {"Dice": "Flight"})
    assert "Alice has no Flight. You play Alice." in refused.text


async def test_a_pool_is_built_from_menus_with_its_odds_and_rolled(table: Game) -> None:
    built = await opened(table)
    assert built.private
    assert labels(built)["Attributes"] == ["Mind d10", "Body d8"]
    built = await table.alice.choose(built, "Attributes", ["Mind d10"])
    assert labels(built)["Attributes"] == ["Mind d10", "Body d8 for 1 PP"]
    built = await table.alice.choose(built, "Skills", ["Sharp d6"])
    built = await table.alice.press(built, "Step up")
    built = await table.alice.choose(built, "Against", ["challenging"])
    built = await table.alice.choose(built, "SFX", ["Focus: double Mind, for doom d6"])
    assert "Your pool: Mind d10, Mind d10, Sharp d8\nAgainst: challenging" in built.text
    assert "Focus: double Mind, for doom d6; paid when it is rolled" in built.text
    assert "Success 74.9%, Heroic 45.9%" in built.text
    table.dice.show((9, 4, 3), (5, 6))
    rolled = await table.alice.press(built, "Roll")
    assert not rolled.private
    assert "Total: Mind d10: 9, Sharp d8: 3\nEffect: Mind d10: 4" in rolled.text
    assert "Doom pool: 3d6" in rolled.text
    again = await table.alice.press(built, "Roll")
    assert again.private
    assert "rolled or shared already" in again.text


async def test_build_instead_of_dice_opens_it(table: Game) -> None:
    built = await table.says("alice: /roll dice:build vs:challenging")
    assert built.private
    assert "Your pool: empty\nAgainst: challenging" in built.text
    assert "/pool build" in (await table.says("alice: /odds dice:build")).text


async def test_it_survives_a_restart_and_is_each_persons_own(table: Game) -> None:
    built = await table.alice.choose(await opened(table), "Attributes", ["Mind d10"])
    await table.restart()
    built = await table.alice.choose(built, "Skills", ["Sharp d6"])
    assert "Your pool: Mind d10, Sharp d6" in built.text
    assert "Your pool: empty" in (await table.says("bob: /pool build")).text
    assert "Your pool: Mind d10, Sharp d6" in (await table.says("alice: /pool build")).text
    assert "Your pool: empty" in (await table.alice.press(built, "Clear")).text


async def test_a_trait_that_is_removed_leaves_it(table: Game) -> None:
    built = await table.alice.choose(await opened(table), "Skills", ["Sharp d6"])
    built = await table.alice.choose(built, "Dice", ["d8"])
    await table.play("alice: /character unset trait:Sharp")
    built = await table.alice.press(built, "Double")
    assert "Sharp is no longer there, and left the pool." in built.text
    assert "Skills" not in labels(built)


async def test_what_cannot_be_rolled_says_why_in_place(table: Game) -> None:
    built = await opened(table)
    form = (await table.alice.press(built, "Type")).form
    built = await table.alice.submit(form, {"Dice": "hinder Mind, 2d6", "Against": "doom"})
    assert "Not to be rolled yet: " in built.text
    assert "Roll" not in [button.label for button in built.buttons]
    form = (await table.alice.press(built, "Type")).form
    assert form is not None
    assert form.field("Dice").default == "hinder Mind, 2d6"
    refused = await table.alice.submit(form, {"Dice": "Mnid, 2d6"})
    assert "Did you mean Mind" in refused.text
    again = (await table.alice.press(refused, "Try again")).form
    assert again is not None
    assert again.field("Dice").default == "Mnid, 2d6"


async def test_two_presses_at_once_roll_once(table: Game) -> None:
    built = await table.alice.choose(await opened(table), "Attributes", ["Mind d10"])
    rolled = await asyncio.gather(*(table.alice.press(built, "Roll") for _ in range(3)))
    assert sorted(reply.private for reply in rolled) == [False, True, True]


async def test_a_shared_pool_gets_dice_and_opposition_and_is_rolled_by_its_owner(table: Game) -> None:
    built = await table.alice.choose(await opened(table), "Distinctions", ["Reckless d8"])
    built = await table.alice.press(built, "Hinder")
    shared = await table.alice.press(built, "Share")
    assert not shared.private
    assert "Pool Alice: Reckless d4; Reckless hinders (shared)" in shared.text
    form = (await table.bob.press(shared, "Add dice")).form
    await table.restart()
    await table.bob.submit(form, {"Dice": "2d6"})
    assert "Only the GM" in (await table.bob.press(shared, "Oppose")).text
    form = (await table.person("gm").press(shared, "Oppose")).form
    told = await table.person("gm").submit(form, {"Dice": "11"})
    assert "Pool Alice: Reckless d4, 2d6; Reckless hinders; against 11" in told.text
    assert "Only alice or the GM" in (await table.bob.press(shared, "Roll")).text
    rolled = await table.alice.press(shared, "Roll")
    assert "Reckless hinders" in rolled.text
    assert ", vs 11: " in rolled.text
    assert "rolled or cleared" in (await table.alice.press(shared, "Roll")).text


@pytest.mark.parametrize("label", ["Attributes", "Against"])
async def test_a_menu_of_an_older_time_harms_nothing(table: Game, label: str) -> None:
    built = await table.alice.choose(await opened(table), "Attributes", ["Mind d10"])
    await table.play("alice: /character remove name:Alice", "alice: /character new name:Zoe")
    option = "Mind d10" if label == "Attributes" else "challenging"
    late = await table.alice.choose(built, label, [option])
    assert late.failed is None
    assert "no longer there" in late.text
