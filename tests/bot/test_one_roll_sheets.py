"""Ratings, crowds and creatures on One-Roll sheets, by form, by command and from files."""

from pathlib import Path

import pytest

from tests.bot.one_roll import CORTEX, NOT_HERE
from tests.bot.test_buttons import is_refused
from tests.bot.test_moving import exported
from tests.game import Game


async def test_boxes_belong_to_sheets_of_one_roll(table: Game) -> None:
    refused = await table.says("gm: /ore hurt place:Body amount:2 who:Alice")
    assert refused.text == "Alice has no boxes. Only sheets of a One-Roll campaign have them."


@pytest.mark.parametrize(
    ("sheet", "told"),
    [
        ("Distinctions: Reckless", "needs dice"),
        ("Skills: Fight d8", "One-Roll dice are all d10"),
        ("Skills: Fight 2d, Fight 3d", "The sheet has Fight twice."),
        ("Skills: Fight 40d", "too many dice"),
    ],
)
async def test_a_line_that_is_no_rating_is_refused_with_its_number(ore: Game, sheet: str, told: str) -> None:
    form = (await ore.says("alice: /character edit")).form
    assert form is not None
    reply = await ore.alice.submit(form, {"Sheet": f"Stats: Body 3d\n{sheet}"})
    assert reply.text.startswith("Line 2, ")
    assert told in reply.text
    assert "Fight 2d 1w" in (await ore.says("alice: /character show")).text


async def test_a_rating_is_set_changed_and_removed_by_commands(ore: Game) -> None:
    asked = await ore.says("alice: /character set trait:Bow die:3d 1h")
    assert asked.text.startswith("Choose a trait set: Stats or Skills")
    await ore.play("alice: /character set trait:Bow die:3d 1h trait_set:skills")
    await ore.play("alice: /character set trait:Body die:4d", "alice: /character unset trait:Run")
    shown = (await ore.says("alice: /character show")).text
    assert "Stats Body 4d, Mind 2d\nSkills Fight 2d 1w, Bow 3d 1h" in shown
    assert (
        await ore.says("alice: /character set trait:Body die:4d")
    ).text == "Nothing changed on Rook's sheet."
    assert "needs dice" in (await ore.says("alice: /character set trait:Luck trait_set:Stats")).text


async def test_a_changed_rating_is_told_and_told_again_when_undone(
    ore: Game, subtests: pytest.Subtests
) -> None:
    told = {
        "trait:Climb die:3d trait_set:Skills": ("Climb 3d (new, in Skills)", "Climb is gone"),
        "trait:Body die:2d 1h": ("Body 2d 1h (was 3d)", "Body 3d again"),
        "trait:Body trait_set:Skills": ("Body 3d (now in Skills)", "Body 3d (Stats) again"),
        "trait:Mind die:1d trait_set:Gifts": ("Mind 1d (now in Gifts, was 2d)", "Mind 2d (Stats) again"),
    }
    for options, (done, undone) in told.items():
        with subtests.test(options=options):
            assert (await ore.play(f"alice: /character set {options}")).text == f"Rook · {done}"
            assert (await ore.play("alice: /undo")).text == f"Undone: Rook · {undone}"
    assert (await ore.play("alice: /character unset trait:Run")).text == "Rook · Run is gone"
    assert (await ore.play("alice: /undo")).text == "Undone: Rook · Run 1d is back"


async def test_a_creature_says_what_it_can_roll(ore: Game) -> None:
    assert "Example: /gmc new name:Ogre dice:5d 1h" in (await ore.says("gm: /gmc show")).text
    await ore.play("gm: /gmc new name:Ogre dice:Claws 5d 1h, Hide 3d", "gm: /gmc new name:Rat dice:3d")
    for line, told in (
        ("/gmc roll name:Ogre", "Choose what Ogre rolls, such as dice:Claws."),
        ("/gmc roll name:Rat vs:8", NOT_HERE.format("vs")),
        ("/gmc roll name:Cat", 'There\'s no GMC called "Cat"'),
        ("/gmc new name:Cat dice:5d - 1d", "A rating can't have negative dice, such as -1d."),
    ):
        assert told in (await ore.says(f"gm: {line}")).text, line
    offered = await ore.gm.complete("/gmc roll name:Ogre dice:")
    assert [each.value for each in offered] == ["Claws", "Hide"]
    ore.dice.show([1, 2, 3], [4, 5, 6])
    await ore.play("gm: /gmc roll name:Rat", "gm: /gmc roll name:Ogre dice:Hide")
    assert "No set: Rat and Ogre" in (await ore.says("gm: /table show")).text
    await ore.play("gm: /gmc remove name:Rat")
    assert "Rat" not in (await ore.says("gm: /gmc show")).text


async def test_a_crowds_sheet_says_how_many_it_is(ore: Game, subtests: pytest.Subtests) -> None:
    await ore.play("gm: /gmc new name:Guards dice:12d kind:crowd")
    asked = await ore.says("gm: /character edit who:Guards")
    assert asked.form is not None
    assert asked.form.field("Sheet").default == "Members: 12"
    for sheet in ("Ratings: Guards 3d, Spear 4d", "Members: 3\nBoxes: Body 5", "Members: 99", ""):
        with subtests.test(sheet=sheet):
            refused = await ore.gm.submit(asked.form, {"Sheet": sheet})
            assert is_refused(refused)
    told = await ore.play("gm: /character set trait:Guards die:9d who:Guards")
    assert told.text == "Guards · Guards 9d (was 12d)"
    ore.dice.show([7] * 9)
    assert is_refused(await ore.says("gm: /character set trait:Spear die:2d trait_set:Skills who:Guards"))
    rolled = await ore.play("gm: /gmc roll name:Guards dice:guards")
    assert rolled.text.startswith("Guards: 9×7")
    assert "Guards. 9 members" in (await ore.says("bob: /table show")).text
    ore.dice.show([7] * 7)
    fewer = await ore.play("gm: /gmc roll name:Guards dice:Guards - 2d")
    assert fewer.text.startswith("Guards: 7×7")
    refused = await ore.says("gm: /gmc new name:Mob dice:5d 1h kind:crowd")
    assert refused.text == (
        "A crowd has 2 to 15 members, a die each and no boxes. For 12 members, type dice:12d."
    )
    form = (await ore.says("alice: /character edit")).form
    assert form is not None
    refused = await ore.alice.submit(form, {"Sheet": "Stats: Body 3d\nMembers: 3"})
    assert refused.text == "Rook isn't a crowd. Leave out the line Members."


async def test_a_creature_is_renamed_with_its_rating(ore: Game) -> None:
    await ore.play("gm: /gmc new name:Bot dice:3d 2w", "gm: /character rename who:Bot to:Robot")
    assert "Robot: 3d 2w" in (await ore.says("bob: /table show")).text
    ore.dice.show([7, 7, 1])
    assert (await ore.play("gm: /gmc roll name:Robot")).text.startswith("Robot: 2×7")
    await ore.play("gm: /character rename who:Robot to:Gang 7")
    form = (await ore.says("gm: /character edit who:Gang 7")).form
    assert form is not None
    assert (await ore.gm.submit(form, {})).text == "Nothing changed on Gang 7's sheet."


async def test_no_creature_has_a_name_that_means_something_else(ore: Game, subtests: pytest.Subtests) -> None:
    for name in ("scene", "all", "GM"):
        with subtests.test(name=name):
            assert is_refused(await ore.says(f"gm: /gmc new name:{name} dice:5d"))
    assert is_refused(await ore.says("gm: /gmc new name:Bat dice:3d 12w"))
    refused = await ore.says("gm: /gmc new name:Agent (boss) dice:5d")
    assert refused.text == (
        "Agent (boss) can't be the name of a rating. Give the dice another name, such as dice:Fight 5d."
    )
    await ore.play("gm: /gmc new name:Agent (boss) dice:Fight 5d")


async def test_a_preview_of_an_import_shows_what_one_roll_has(ore: Game, tmp_path: Path) -> None:
    path = await exported(ore, tmp_path, "alice: /character export")
    await ore.play("alice: /character rename to:Raven")
    preview = await ore.says(f"gm: /character import file:{path}")
    assert "Body 3d" in preview.text
    assert CORTEX.search(preview.text) is None


async def test_a_player_who_imports_a_character_leaves_the_xp_behind(ore: Game, tmp_path: Path) -> None:
    await ore.play("gm: /xp give who:Rook number:4")
    path = await exported(ore, tmp_path, "alice: /character export")
    await ore.play("alice: /character rename to:Raven")
    preview = await ore.says(f"bob: /character import file:{path}")
    assert "XP isn't imported: only the GM can give it." in preview.text
    await ore.bob.press(preview, "Import")
    assert (await ore.says("bob: /xp show")).text == "Raven: 4 XP"
