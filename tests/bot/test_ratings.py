"""Names with ratings and sheets as people type them, through the program (L1 to L5)."""

import pytest

from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_sheets import edited
from tests.game import Game


@pytest.mark.parametrize("typed", ["Rope d8x2", "Rope 2d8", "2d8 Rope", "Rope: 2d8", "**Rope** two d8"])
async def test_N21_dice_behind_a_name_are_its_rating(table: Game, typed: str) -> None:
    if typed.endswith("two d8"):
        asked = await table.says(f"alice: /asset add what:{typed}")
        assert [button.label for button in asked.buttons] == ['"Rope two" d8', "Rope 2d8"]
        made = await table.alice.press(asked, "Rope 2d8")
    else:
        made = await table.play(f"alice: /asset add what:{typed}")
    assert "Alice · Rope 2d8 (asset)" in made.text


async def test_L5_a_number_behind_a_name_is_asked_and_nothing_is_paid_before(
    table: Game, subtests: pytest.Subtests
) -> None:
    before = await seen(table)
    for line, answer, says in (
        ("/asset add what:Level 4 d8", '"Level 4" d8', "Level 4 d8 (asset)"),
        ("/comp add what:Rope 8", "Rope d8", "Rope d8 (complication)"),
        ("/dist add what:12 Monkeys", '"12 Monkeys"', "12 Monkeys d8 (distinction)"),
        ("/character set trait:Level 3 d8 trait_set:Skills", "Level 3d8", "Level 3d8 (trait)"),
    ):
        with subtests.test(line):
            asked = await table.says(f"alice: {line}")
            assert asked.private
            assert asked.text.endswith("can be read in two ways. Which do you mean?")
            if line.startswith("/asset"):
                assert await seen(table) == before, "nobody has paid"
            assert says in (await table.alice.press(asked, answer)).text


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("/asset add what:Rope d8 vs 11", '"vs 11" only works in a roll. Leave it out here.'),
        ("/asset add what:Rope d8 +2", '"+2" only works in a roll. Leave it out here.'),
        ("/asset add what:Rope d7", '"d7" isn\'t a die here. Use d4'),
        ("/comp add what:Fire 2d8", '"Fire 2d8" has 2 dice. Type only one die. Example: Fire d8'),
        ("/dist add what:Lucky d6 Brave d8", "is too much. Type one name and its dice."),
        ("/comp stayin name:Shaken d8", '"Shaken d8" has a die in it. Leave d8 out of the name.'),
        ("/character set trait:Mind die:d8 trait_set:Roles d8", '"Roles d8" has a die in it.'),
    ],
)
async def test_L1_no_name_takes_in_what_was_meant_as_something_else(
    table: Game, line: str, says: str
) -> None:
    await table.play("alice: /comp add what:Broken Leg d12", "alice: /comp stepup what:Broken Leg")
    refused = await table.says(f"alice: {line}")
    assert is_refused(refused)
    assert says in refused.text


async def test_what_is_there_is_stepped_with_a_rating_behind_its_name(table: Game) -> None:
    await table.play('alice: /asset add what:"Level 4" d8', "alice: /asset add what:Crew d8 d6 pay:false")
    stepped = await table.play("alice: /asset stepup what:Level 4 d8")
    assert "Level 4 d10" in stepped.text
    assert "Crew 2d8" in (await table.play("alice: /asset stepup what:crew: d6")).text


async def test_a_trait_of_a_sheet_is_set_with_its_rating_in_its_name(table: Game) -> None:
    done = await table.play("alice: /character set trait:Mind d10 trait_set:Attributes")
    assert "Mind d10" in done.text
    assert "Mind d12" in (await table.play("alice: /character set trait:Mind: d12")).text


async def test_distinctions_of_a_scene_are_read_like_a_row_of_a_sheet(table: Game) -> None:
    begun = await table.play("gm: /scene start name:Pier distinctions:Fog (d6), d10 Dark; Cloak and Dagger")
    for one in ("Fog d6", "Dark d10", "Cloak and Dagger d8"):
        assert one in begun.text
    asked = await table.says("gm: /scene start name:Roof distinctions:Rain 6")
    assert "Rain d6" in (await table.gm.press(asked, "Rain d6")).text


async def test_a_doom_die_pays_for_what_is_typed_before_it(table: Game) -> None:
    await table.play("gm: /doom set dice:2d8 d6")
    assert "Fire d8" in (await table.play("gm: /doom spend for:complication name:d8 Fire")).text
    assert "Smoke d6" in (await table.play("gm: /doom spend for:complication name:Smoke (d6)")).text


async def test_a_sheet_on_one_line_loses_nothing(table: Game) -> None:
    await edited(table, "Attributes: Mind d6\nSkills: Fight d8")
    line = "Distinctions: Old Sailor, Reckless. Attributes: Mind d10, Body d8; Skills: Fight d8 Sneak d6"
    assert not is_refused(await edited(table, line))
    shown = (await table.says("alice: /character show")).text
    assert "Distinctions Old Sailor d8, Reckless d8\nAttributes Mind d10, Body d8\nSkills Fight d8" in shown


async def test_a_sheet_that_cannot_be_read_names_all_lines_and_changes_nothing(table: Game) -> None:
    await edited(table, "Attributes: Mind d6")
    before = await seen(table)
    refused = await edited(
        table,
        "Attributes: Mind d10\nAlone: d8 / Pair: d10\nSkills: Level 4 d8, Fight\n\nPowers\nFly d8 vs 11",
    )
    assert refused.text.splitlines()[:3] == [
        (
            'Line 2, "Alone: d8 / Pair: d10": these traits need a trait set. Example: Attributes: '
            "Alone d8, Pair d10"
        ),
        (
            'Line 3, "Skills: Level 4 d8, Fight": "Level 4 d8" could mean two things. Type "Level 4" d8 or '
            'Level d8 d4. "Fight" needs a die. Example: Fight d8'
        ),
        'Line 6, "Fly d8 vs 11": "vs 11" only works in a roll. Leave it out here.',
    ]
    assert await seen(table) == before
