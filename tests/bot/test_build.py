"""The pool builder, end to end: menus, steps, odds, a restart, sharing."""

import asyncio

import pytest

from bot.loopback.reply import BotReply, menus
from tests.game import Game

SHEET = (
    "Distinctions: Reckless d8\nAttributes: Mind d10, Body d8\nSkills: Sharp d6\n"
    "Signature assets: Rope d8\nSFX: Focus: double Mind, for doom d6"
)


async def opened(table: Game) -> BotReply:
    """Alice's builder, with a sheet to build from."""
    form = (await table.says("alice: /character edit")).form
    await table.alice.submit(form, {"Sheet": SHEET})
    return await table.says("alice: /pool build")


MENU = "Traits and dice"


def labels(reply: BotReply) -> dict[str, list[str]]:
    """What the menu of traits offers, by what stands below each."""
    assert reply.message is not None
    (menu,) = (each for each in menus(reply.message) if each.placeholder.startswith(MENU))
    found: dict[str, list[str]] = {}
    for each in menu.options:
        found.setdefault(each.description, []).append(each.label)
    return found


def chosen(reply: BotReply) -> list[str]:
    """What is chosen in it."""
    (menu,) = (each for each in reply.menus if each.placeholder.startswith(MENU))
    return [each.label for each in menu.options if each.default]


def buttons(reply: BotReply) -> list[str]:
    return [button.label for button in reply.buttons]


async def adds(table: Game, reply: BotReply, *more: str) -> BotReply:
    """Alice chooses more in the menu, beside what is chosen."""
    return await table.alice.choose(reply, MENU, [*chosen(reply), *more])


async def test_a_name_that_is_on_no_sheet_says_whose_was_read(table: Game) -> None:
    built = await table.says("alice: /pool build")
    refused = await table.alice.submit((await table.alice.press(built, "Type it")).form, {"Dice": "Flight"})
    assert "Alice has no Flight." in refused.text


async def test_a_pool_is_built_from_menus_with_its_odds_and_rolled(table: Game) -> None:
    built = await opened(table)
    assert built.private
    assert labels(built)["Attributes"] == ["Mind d10", "Body d8"]
    built = await adds(table, built, "Mind d10")
    assert labels(built)["Attributes"] == ["Mind d10", "Body d8 for 1 PP"]
    built = await adds(table, built, "Sharp d6")
    built = await table.alice.press(await table.alice.press(built, "Change a die"), "Step up")
    built = await table.alice.press(built, "Done")
    built = await table.alice.choose(built, "Against", ["challenging"])
    built = await adds(table, built, "Focus: double Mind, for doom d6")
    assert "Your pool: Mind d10, Mind d10, Sharp d8\nAgainst: challenging" in built.text
    assert "Focus: double Mind, for doom d6; you pay the cost when you roll" in built.text
    assert "Success 74.9%, Heroic 45.9%" in built.text
    table.dice.show((9, 4, 3), (5, 6))
    rolled = await table.alice.press(built, "Roll")
    assert not rolled.private
    assert "Total: Mind d10: 9, Sharp d8: 3\nEffect: Mind d10: 4" in rolled.text
    assert "Doom pool: 3d6" in rolled.text
    again = await table.alice.press(built, "Roll")
    assert again.private
    assert "already been rolled or shared" in again.text


async def test_build_instead_of_dice_opens_it(table: Game) -> None:
    built = await table.says("alice: /roll dice:build vs:challenging")
    assert built.private
    assert "Your pool: empty\nAgainst: challenging" in built.text
    assert "/pool build" in (await table.says("alice: /odds dice:build")).text


async def test_it_survives_a_restart_and_is_each_persons_own(table: Game) -> None:
    built = await adds(table, await opened(table), "Mind d10")
    await table.restart()
    built = await adds(table, built, "Sharp d6")
    assert "Your pool: Mind d10, Sharp d6" in built.text
    assert "Your pool: empty" in (await table.says("bob: /pool build")).text
    assert "Your pool: Mind d10, Sharp d6" in (await table.says("alice: /pool build")).text
    assert "Your pool: empty" in (await table.alice.press(built, "Clear")).text


async def test_a_trait_that_is_removed_leaves_it(table: Game) -> None:
    built = await adds(table, await opened(table), "Sharp d6")
    built = await adds(table, built, "d8")
    await table.play("alice: /character unset trait:Sharp")
    built = await table.alice.press(built, "Change a die")
    assert "Sharp is gone, so it's no longer in the pool." in built.text
    built = await table.alice.press(built, "Double")
    assert "Your pool: 2d8" in built.text
    assert "Skills" not in labels(await table.alice.press(built, "Done"))


async def test_what_cannot_be_rolled_says_why_in_place(table: Game) -> None:
    built = await adds(table, await opened(table), "Mind d10", "d6")
    built = await table.alice.choose(built, "Against", ["doom"])
    await table.play("gm: /doom clear")
    built = await adds(table, built, "d8")
    assert "doom\nYou can't roll yet" in built.text
    assert "Roll" not in [button.label for button in built.buttons]


async def test_what_is_built_can_be_typed_on_and_rolled(table: Game) -> None:
    built = await adds(table, await opened(table), "Mind d10", "d6")
    built = await table.alice.choose(built, "Against", ["doom"])
    form = (await table.alice.press(built, "Type it")).form
    assert form is not None
    assert [field.default for field in form.inputs()] == ["Mind, d6", "doom", ""]
    rolled = await table.alice.submit(form, {"Dice": "Mind, 2d6", "What it's for": "The door"})
    assert not rolled.private
    assert "The door" in rolled.text
    refused = await table.alice.submit(form, {"Dice": "Mnid, 2d6"})
    assert "Did you mean Mind" in refused.text
    again = (await table.alice.press(refused, "Try again")).form
    assert again is not None
    assert again.field("Dice").default == "Mnid, 2d6"


async def test_two_presses_at_once_roll_once(table: Game) -> None:
    built = await adds(table, await opened(table), "Mind d10")
    rolled = await asyncio.gather(*(table.alice.press(built, "Roll") for _ in range(3)))
    assert sorted(reply.private for reply in rolled) == [False, True, True]


async def test_a_shared_pool_gets_dice_and_opposition_and_is_rolled_by_its_owner(table: Game) -> None:
    built = await adds(table, await opened(table), "Reckless d8")
    built = await table.alice.press(await table.alice.press(built, "Change a die"), "Hinder")
    built = await table.alice.press(built, "Done")
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


@pytest.mark.parametrize("label", [MENU, "Against"])
async def test_a_menu_of_an_older_time_harms_nothing(table: Game, label: str) -> None:
    built = await adds(table, await opened(table), "Mind d10")
    await table.play("alice: /character remove name:Alice", "alice: /character new name:Zoe")
    option = "Body d8 for 1 PP" if label == MENU else "challenging"
    late = await table.alice.choose(built, label, [option])
    assert late.failed is None
    gone = (
        "Something you chose is gone. Open the builder again."
        if label == MENU
        else ("Mind is gone, so it's no longer in the pool.")
    )
    assert gone in late.text


async def test_odds_and_roll_come_first_and_one_menu_has_all(table: Game) -> None:
    built = await opened(table)
    assert buttons(built) == ["Type it"]
    assert [menu.placeholder for menu in built.menus] == [MENU, "Against"]
    built = await adds(table, built, "Mind d10", "d6")
    assert built.text.startswith("Hitch ")
    assert "Your pool: Mind d10, d6\nAgainst: nothing yet" in built.text
    assert buttons(built) == ["Roll", "Change a die", "Type it", "Share", "Clear"]
    assert built.message is not None
    (box,) = built.message.components
    kinds = [[part["type"] for part in row["components"]] for row in box["components"] if row["type"] == 1]
    assert kinds == [[2] * 4, [2], [3], [3]]
    assert labels(built)[""] == ["d4", "d6", "d8", "d10", "d12", "Scale d8"]


async def test_a_sheet_of_forty_traits_has_two_pages_that_keep_what_is_chosen(table: Game) -> None:
    sheet = "Distinctions: Reckless d8\n" + "\n".join(
        f"{name}: " + ", ".join(f'"{name} {n}" d6' for n in range(13))
        for name in ("Attributes", "Skills", "Powers")
    )
    await table.alice.submit((await table.says("alice: /character edit")).form, {"Sheet": sheet})
    built = await table.says("alice: /pool build")
    assert sum(map(len, labels(built).values())) == 25
    assert built.menus[0].placeholder == "Traits and dice, page 1 of 2"
    built = await adds(table, built, "Attributes 3 d6")
    built = await table.alice.press(built, "Page 2 of 2")
    assert labels(built)["Powers"][-1].startswith("Powers 12 d6")
    built = await adds(table, built, next(each for each in labels(built)["Powers"] if "Powers 5 " in each))
    await table.restart()
    built = await adds(table, built, "d8")
    assert 'Your pool: "Attributes 3" d6, "Powers 5" d6, d8' in built.text
    assert buttons(built)[-2:] == ["Page 1 of 2", "Clear"]
    built = await table.alice.choose(built, "Against", ["hard"])
    assert chosen(built) == ["Powers 5 d6", "d8"]
    built = await table.alice.choose(built, "Traits and dice, page 2 of 2", ["d8"])
    assert 'Your pool: "Attributes 3" d6, d8\nAgainst: hard' in built.text
    assert not (await table.alice.press(built, "Roll")).private


async def test_what_came_meanwhile_and_was_not_offered_stays_in_the_pool(table: Game) -> None:
    built = await adds(table, await opened(table), "Mind d10")
    await table.play("alice: /asset add what:Lamp")
    other = await adds(table, await opened(table), "Lamp d6")
    stale = [menu for menu in built.menus if menu.placeholder == MENU]
    assert "Lamp d6" not in [each.label for each in stale[0].options]
    assert "Your pool: Mind d10, Lamp d6" in other.text
    later = await adds(table, built, "d8")
    assert "Your pool: Mind d10, Lamp d6, d8" in later.text
    assert "Lamp d6" in chosen(later)


async def test_a_die_of_the_pool_is_changed_and_rolled_at_once(table: Game) -> None:
    built = await adds(table, await adds(table, await opened(table), "Mind d10"), "Reckless d8")
    built = await table.alice.press(built, "Change a die")
    assert "The buttons below change Reckless" in built.text
    assert buttons(built) == [
        *("Step up", "Step down", "Double", "Split", "Remove"),
        *("Hinder", "Move first", "Done", "Roll"),
    ]
    assert [menu.placeholder for menu in built.menus] == ["Choose a die to change"]
    built = await table.alice.choose(built, 0, ["1. Mind"])
    await table.restart()
    built = await table.alice.press(built, "Split")
    assert "Your pool: double Mind d8, Reckless d8" in built.text
    built = await table.alice.press(built, "Take back")
    built = await table.alice.press(built, "Remove")
    assert "Your pool: Reckless d8" in built.text
    rolled = await table.alice.press(built, "Roll")
    assert not rolled.private


async def test_the_last_die_removed_leads_back_to_the_traits(table: Game) -> None:
    built = await table.alice.press(await adds(table, await opened(table), "d8"), "Change a die")
    built = await table.alice.press(built, "Remove")
    assert "Your pool: empty" in built.text
    assert built.menus[0].placeholder == MENU
    assert buttons(built) == ["Type it"]


async def test_an_sfx_says_on_which_die_it_would_be_used(table: Game) -> None:
    built = await opened(table)
    await table.play("alice: /sfx add name:Grow benefit:double")
    built = await adds(table, built, "Mind d10")
    assert "An SFX chosen now" not in built.text
    built = await adds(table, built, "Sharp d6")
    assert "The next SFX you choose applies to Sharp" in built.text


async def test_others_things_come_after_ones_own_with_their_owners_name(table: Game) -> None:
    await table.play(
        "gm: /asset add what:Ladder who:Bob",
        "alice: /asset add what:Rope",
        "gm: /asset add what:Smoke who:scene",
    )
    offered = labels(await table.says("alice: /pool build"))
    assert offered["Assets"] == ["Rope d6", "Bob · Ladder d6"]
    assert offered["The scene"] == ["Smoke d6"]
    built = await adds(table, await table.says("alice: /pool build"), "Bob · Ladder d6")
    assert "Your pool: Ladder d6" in built.text
