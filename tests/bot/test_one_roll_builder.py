"""A One-Roll pool is built from menus, typed in a form or found in a message."""

from tests.bot.one_roll import built
from tests.bot.test_buttons import is_refused
from tests.game import Game


async def test_every_rating_can_be_chosen_and_more_takes_a_difficulty(ore: Game) -> None:
    skills = ", ".join(
        f"{name} {letter}x 2d" for name in ("Lore", "Craft") for letter in "ABCDEFGHIJKLMNOPQR"
    )
    await ore.play("alice: /character unset trait:Fight", "alice: /character unset trait:Run")
    asked = await ore.says("alice: /character edit")
    assert asked.form is not None
    await ore.alice.submit(asked.form, {"Sheet": f"Stats: Body 3d\nSkills: {skills}"})
    shown = await built(ore, "Stats: Body 3d", "Skills (more): Craft Rx 2d")
    assert "Body + Craft Rx: 5d" in shown.text
    form = (await ore.alice.press(shown, "More")).form
    assert form is not None
    ore.dice.show([7, 7, 7, 1, 2])
    rolled = await ore.alice.submit(form, {"More or fewer dice": "width 3"})
    assert rolled.text.startswith("Rook: 3×7")


async def test_two_wiggle_dice_with_nothing_to_join_go_together(ore: Game) -> None:
    rolled = await ore.play("alice: /ore quick dice:2w")
    form = (await ore.alice.press(rolled, "Place")).form
    assert form is not None
    refused = await ore.alice.submit(form, {"Dice": "6 7"})
    assert refused.text.endswith("no rolled die shows that height. Set two or more to the same height.")


async def test_prose_with_ten_sided_dice_is_read(ore: Game) -> None:
    asked = await ore.alice.menu_command("Roll this", await ore.alice.write("I roll 6d10 now"))
    assert asked.text == "Dice in that message: `6d10`"
    ore.dice.show([7, 7, 7, 1, 2, 3])
    rolled = await ore.alice.press(asked, asked.buttons[0].label)
    assert rolled.text.startswith("Rook: 3×7")


async def test_a_pool_is_built_of_a_stat_and_a_skill_and_rolled(ore: Game) -> None:
    shown = await built(ore, "Stats: Body 3d")
    assert shown.private
    assert "Body: 3d" in shown.text
    assert "A set: 28.0%" in shown.text
    shown = await ore.alice.choose(shown, "Skills", ["Fight 2d 1w"])
    assert "Body + Fight: 5d 1w\nA set: 100.0%" in shown.text
    shown = await ore.alice.press(shown, "+1 die")
    ore.dice.show([7, 7, 3, 2, 1, 4])
    rolled = await ore.alice.press(shown, "Roll 6d 1w")
    assert not rolled.private
    assert rolled.text.startswith("Rook: 2×7\nloose 1 2 3 4, 1 wiggle die still to place\nDice of 6d 1w")
    assert "Order: 1. Rook 2×7" in (await ore.says("bob: /table show")).text


async def test_more_than_the_builder_has_is_typed_in_its_form(ore: Game) -> None:
    shown = await built(ore, "Stats: Body 3d", "Skills: Run 1d")
    form = (await ore.alice.press(shown, "More")).form
    assert form is not None
    ore.dice.show([7, 7, 3])
    reply = await ore.alice.submit(
        form, {"More or fewer dice": "-1d", "Height a set needs": "8", "What the roll is for": "Get away"}
    )
    assert reply.text.startswith("Rook: no set counts (2×7)\nGet away\nA set needs height 8\nloose 3")
    wrong = await ore.alice.submit(form, {"Height a set needs": "high"})
    assert wrong.text.startswith('"high" isn\'t a whole number')


async def test_fewer_than_two_dice_are_told_before_they_are_rolled(ore: Game) -> None:
    shown = await built(ore, "Skills: Run 1d")
    assert "A pool needs at least 2 dice" in shown.text
    assert [each.label for each in shown.buttons] == ["-1 die", "+1 die"]


async def test_who_has_no_ratings_is_offered_the_sheet(ore: Game) -> None:
    await ore.play("bob: /character new name:Bo")
    shown = await ore.bob.press(await ore.says("bob: /table show"), "Roll")
    assert shown.text == "Bo has no ratings on the sheet yet."
    form = (await ore.bob.press(shown, "Fill in my sheet")).form
    assert form is not None
    assert form.field("Sheet").default == "Stats:\nSkills:"
    await ore.bob.submit(form, {"Sheet": "Stats: Body 2d\nSkills: Bow 2d 1h"})
    assert "Skills Bow 2d 1h" in (await ore.says("bob: /character show")).text


async def test_the_gm_rolls_for_a_creature_from_the_same_button(ore: Game) -> None:
    await ore.play("gm: /gmc new name:Ogre dice:Claws 5d 1h, Hide 3d")
    shown = await ore.gm.press(await ore.says("gm: /table show"), "Roll")
    shown = await ore.gm.choose(shown, "Character", ["Ogre"])
    shown = await ore.gm.choose(shown, "Rating", ["Claws 5d 1h"])
    ore.dice.show([10, 2, 3, 4, 5])
    rolled = await ore.gm.press(shown, "Roll 5d 1h")
    assert rolled.text.startswith("Ogre: 2×10")


async def test_a_choice_of_what_is_gone_is_told(ore: Game) -> None:
    shown = await built(ore, "Stats: Body 3d")
    await ore.play("alice: /character unset trait:Body")
    gone = await ore.alice.press(shown, "+1 die")
    assert gone.text == "That rating is no longer on the sheet. Press Roll on the table again."
    await ore.play(*(f"alice: /character unset trait:{each}" for each in ("Mind", "Fight", "Run")))
    empty = await ore.says("alice: /character unset trait:Run")
    assert empty.text == "Rook has no ratings on the sheet. To fill it in: /character edit"
    several = await ore.says("alice: /character set trait:Luck die:2d, Pluck 3d trait_set:Stats")
    assert "isn't the dice of one rating, such as 2d 1w." in several.text


async def test_a_gm_without_creatures_types_the_dice(ore: Game) -> None:
    shown = await ore.gm.press(await ore.says("gm: /table show"), "Roll")
    assert shown.text == "Type the dice you roll."
    form = (await ore.gm.press(shown, "Type dice")).form
    assert form is not None
    ore.dice.show([7, 7, 3])
    assert (await ore.gm.submit(form, {"Dice": "3d"})).text.startswith("GM: 2×7")


async def test_a_difficulty_is_typed_with_the_dice_and_nothing_is_taken_for_dice(ore: Game) -> None:
    ore.dice.show([7, 7, 2, 1, 3])
    typed = await ore.play("alice: /ore roll dice:5d, width 3 height 6+")
    assert typed.text.startswith("Rook: no set counts (2×7)\nA set needs width 3 and height 6\n")
    for dice, told in (
        ("5d width 3 width 4", "The width is there twice."),
        ("5d 6", "For more dice, type 5d + 6d."),
        ("5d 6+", "For more dice, type 5d + 6d."),
        ("5d/2", "A pool can't be divided."),
        ("Body +", "Type what comes after +, or leave it out."),
        ("5d height 11", "A difficulty's height is 1 to 10, not 11."),
    ):
        refused = await ore.says(f"alice: /ore roll dice:{dice}")
        assert is_refused(refused), dice
        assert told in refused.text
    twice = await ore.says("alice: /ore odds dice:5d width 3 width:4")
    assert twice.text == "The width is there twice. Type it once."
