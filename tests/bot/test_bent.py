"""Rolls that settings bend, through commands and buttons (N10, N13, N14, N22)."""

import pytest

from tests.bot.test_buttons import is_refused, put_back, seen
from tests.bot.test_contests import do
from tests.bot.test_rulings import labels, options
from tests.game import Game


async def test_N10_a_success_rolls_for_its_effect_once(table: Game) -> None:
    await table.play("gm: /campaign set setting:effect value:rolled again")
    table.dice.show((4, 5, 2))
    rolled = await table.play("alice: /roll dice:2d8 d10 vs:5")
    assert "Total 9" in rolled.text
    assert "effect" not in rolled.text
    assert "Roll effect" in labels(rolled)
    table.dice.show((2, 3, 7))
    done = await do(table, "alice", rolled, "Roll effect", {})
    assert "Total 9, effect d10" in done.text
    assert "Alice: rolled d8: 2, d8: 3, d10: 7 for the effect" in done.text
    assert "Apply d10" in labels(done)
    assert "Roll effect" not in labels(done)


async def test_N10_without_effects_apply_says_no_size(table: Game) -> None:
    await table.play("gm: /campaign set setting:effect value:none")
    table.dice.show((8, 9, 2))
    rolled = await table.play("alice: /roll dice:d8 d10 d6 vs:5")
    assert "Total 17" in rolled.text
    assert "effect" not in rolled.text.lower()
    assert "Apply" in labels(rolled)
    made = await do(table, "alice", rolled, "Apply", {"What": "Asset d10", "Name": "Rope"})
    assert "Alice · Rope d10" in made.text


async def test_N10_without_effects_a_crisis_is_hit_by_a_press_without_a_size(table: Game) -> None:
    await table.play("gm: /campaign set setting:effect value:none", "gm: /crisis new name:Fire dice:d4 d6")
    table.dice.show((8, 9, 2), (3, 2))
    rolled = await table.play("alice: /roll dice:d8 d10 d6 vs:Fire")
    assert "Apply to Fire" in labels(rolled)


async def test_N10_a_recovery_that_waits_for_its_effect_names_the_button_that_is_there(table: Game) -> None:
    await table.play(
        "gm: /campaign set setting:effect value:rolled again", "gm: /comp add what:Cold who:Alice die:d8"
    )
    table.dice.show((8, 2, 3), (1, 3, 4), (1, 9, 1))
    rolled = await table.play("alice: /comp recover what:Cold dice:d8 d10 d6")
    refused = await table.says("alice: /comp recover what:Cold dice:2d8")
    assert "already rolled to recover Alice · Cold d8. Press Roll effect on that roll first." in refused.text
    done = await do(table, "alice", rolled, "Roll effect", {})
    assert "Apply: remove Cold" in labels(done)
    refused = await table.says("alice: /comp recover what:Cold dice:2d8")
    assert "already rolled to recover Alice · Cold d8. Press Apply on that roll first." in refused.text


async def test_N10_what_effects_leave_nothing_to_keep_is_refused_unpaid(
    table: Game, subtests: pytest.Subtests
) -> None:
    await table.play(
        "alice: /sfx add name:Surge benefit:total cost:1 PP",
        "alice: /sfx add name:Spread benefit:effect cost:1 PP",
    )
    begun = (await seen(table))[1]
    for effect, line, because in (
        ("all dice", "/roll dice:4d6 keep:3", "In this campaign, all dice count toward the total"),
        (
            "all dice",
            "/odds dice:4d6 keep:1",
            ("In this campaign, all dice count toward the total, so leave keep out."),
        ),
        ("all dice", "/roll dice:4d6 + Surge", "Surge adds a die to the total, but in this"),
        ("none", "/roll dice:4d6 + Spread", "Spread adds an effect die, but this campaign doesn't keep"),
        (
            "rolled again",
            "/roll dice:4d6 + Spread",
            ("this campaign doesn't keep effect dice. Ask gm to change this setting."),
        ),
    ):
        with subtests.test(effect=effect, line=line):
            await put_back(table, begun)
            await table.play(f"gm: /campaign set setting:effect value:{effect}")
            refused = await table.says(f"alice: {line}")
            assert is_refused(refused)
            assert because in refused.text
            assert "Alice: 1 PP" in (await table.says("alice: /pp show")).text


async def test_N10_the_gm_corrects_what_opposes_where_all_its_dice_count(table: Game) -> None:
    await table.play(
        "gm: /campaign set setting:effect value:all dice",
        "gm: /doom add dice:d8 d10",
        "gm: /comp add what:Rain who:Alice die:d6",
    )
    table.dice.show((2, 3, 4), (2, 3, 4, 5), (6,))
    rolled = await table.play("alice: /roll dice:3d6 vs:doom")
    assert "Doom pool: Total 14. d6: 2, d6: 3, d8: 4, d10: 5" in rolled.text
    form = (await table.gm.press(rolled, "Oppose")).form
    assert form is not None
    assert [field.label for field in form.fields] == ["What", "In the way", "More in the way"]
    amended = await table.gm.submit(form, {"In the way": "Alice · Rain d6"})
    assert "Doom pool with Rain d6: Total 20" in amended.text


async def test_N10_odds_of_all_dice_say_of_none_that_they_are_kept(table: Game) -> None:
    await table.play("gm: /campaign set setting:effect value:all dice")
    assert "kept" not in (await table.says("alice: /odds dice:scale, 3d6")).text


async def test_N13_modifiers_are_asked_about_where_they_could_be_dice(table: Game) -> None:
    await table.play("gm: /campaign set setting:modifiers value:on")
    table.dice.show((5, 6))
    rolled = await table.play('alice: /roll dice:2d8, "High ground" +2 vs:11 -1')
    assert "Alice, vs 10: success by 3" in rolled.text
    assert "Total: d8: 5, d8: 6, High ground +2" in rolled.text
    assert "Against 11 with -1" in rolled.text
    asked = await table.says("alice: /roll dice:2d6 +8")
    assert labels(asked) == ["Roll 2d6 + d8", "Roll 2d6 +8"]
    table.dice.show((2, 3))
    assert "Total 13" in (await table.person("alice").press(asked, asked.buttons[1].custom_id or "")).text
    table.dice.show((4, 4))
    again = await table.play("alice: /roll dice:last")
    assert "Total: d6: 4, d6: 4, +8" in again.text
    await table.play("gm: /campaign set setting:modifiers value:off")
    refused = await table.says("alice: /roll dice:2d8 +2")
    assert '+2" is a modifier, and modifiers' in refused.text


async def test_N13_sizes_are_the_tables(table: Game) -> None:
    await table.play("gm: /campaign set setting:sizes value:d2, d4, d6, d8, d20")
    table.dice.show((2, 17, 6))
    assert "Total: d20: 17, d6: 6" in (await table.play("alice: /roll dice:d2 d20 d6")).text
    assert "Use d2, d4, d6, d8 or d20" in (await table.says("alice: /roll dice:d12")).text
    await table.play("gm: /comp add what:Mud who:Alice die:d8")
    assert "Alice · Mud d20" in (await table.play("gm: /comp stepup what:Mud")).text


async def test_N13_dice_off_the_list_are_named_where_they_lie(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(
        "gm: /doom add dice:d8 d12",
        "gm: /crisis new name:Ice dice:d8 d12",
        "gm: /campaign set setting:sizes value:d2 d6 d10 d14",
    )
    begun = (await seen(table))[1]
    for line, told in (
        ("/doom stepup die:d8", "Doom pool: 2d6 d10 d12"),
        ("/doom stepdown die:d12", "Doom pool: 2d6 d8 d10"),
        ("/doom remove dice:d8 d12", "Doom pool: 2d6"),
        ("/doom roll dice:d8 d12", "d12: "),
        ("/doom spend dice:d8 for:complication name:Fog", "Scene · Fog d8"),
        ("/doom spend dice:d12 for:distinction name:Fog", "Scene · Fog d8"),
        ("/crisis add name:Ice from_doom:d8", "Crisis Ice: 2d8 d12"),
        ("/crisis stepup die:d8", "Crisis Ice: d10 d12"),
        ("/crisis remove dice:d12", "Crisis Ice: d8"),
    ):
        with subtests.test(line=line):
            await put_back(table, begun)
            assert told in (await table.play(f"gm: {line}")).text
            assert "Use d2, d6, d10 or d14" in (await table.says("gm: /doom add dice:d4")).text


async def test_N13_hero_dice_and_what_is_hit_off_the_list_are_chosen(table: Game) -> None:
    await table.play(
        "gm: /campaign set setting:heroic success value:both",
        "gm: /hero give who:Alice die:d12",
        "gm: /crisis new name:Ice dice:d8 d12",
        "gm: /campaign set setting:sizes value:d2 d6 d10 d14",
    )
    table.dice.show((6, 5, 4), (1, 7), (1,))
    rolled = await table.play("alice: /roll dice:3d6 vs:Ice")
    await table.play("alice: /hero use die:d12 as:total")
    done = await do(table, "alice", rolled, "Apply", {"Dice": "d12: steps down to d10"})
    assert "Crisis Ice: d8 d10" in done.text


async def test_N13_an_open_roll_keeps_the_sizes_that_it_was_made_with(table: Game) -> None:
    table.dice.show((8, 7, 3))
    rolled = await table.play("alice: /roll dice:2d8 d12 vs:7")
    assert "step past d12: a takeout, or one more effect of d6" in rolled.text
    await table.play("gm: /campaign set setting:sizes value:d4 d6 d8 d10 d12 d14")
    done = await do(table, "alice", rolled, "Apply d12", {"What": "Asset d12", "Name": "Rope"})
    assert "step past d12: a takeout, or one more effect of d6" in done.text


async def test_N13_N22_a_botch_says_of_nothing_that_it_is_in_the_total(table: Game) -> None:
    await table.play(
        "gm: /campaign set setting:modifiers value:on", "gm: /campaign set setting:resources value:apart"
    )
    await table.play("alice: /character set trait:Wealth die:2d8 trait_set:Resources")
    table.dice.show((1, 1, 5, 3))
    botched = (await table.play("alice: /roll dice:d8 d6, Wealth +5 vs:3")).text
    assert "Total: " not in botched
    assert "d8: 1 (hitch), d6: 1 (hitch), Wealth d8: 5, Wealth d8: 3, +5" in botched


async def test_N13_odds_say_what_is_to_be_beaten_with_its_modifiers(table: Game) -> None:
    await table.play("gm: /campaign set setting:modifiers value:on")
    told = (await table.says("alice: /odds dice:2d8 +2 vs:8 -1")).text
    assert told.startswith("Success 81.2% vs 7\nOdds of 2d8, +2 vs 8 with -1, 7 in all")
    plain = (await table.says("alice: /odds dice:2d8 vs:5")).text
    assert plain.startswith("Success 81.2% vs 5")
    against_dice = (await table.says('alice: /odds dice:2d8 vs:doom "Wet" -1')).text
    assert "Odds of 2d8 vs Doom pool with Wet -1 (2d6)" in against_dice


async def test_N13_a_sheet_is_edited_with_the_sizes_that_stand_on_it(table: Game) -> None:
    await table.play(
        "alice: /character set trait:Strong die:d8 trait_set:Attributes",
        "alice: /character set trait:Crew die:d12 d8 trait_set:Skills",
        "alice: /sfx add name:Fury benefit:add d4",
        "gm: /campaign set setting:sizes value:d2 d6 d10 d14",
    )
    form = (await table.says("alice: /character edit")).form
    assert form is not None
    text = str(form.field("Sheet").default)
    changed = await table.alice.submit(form, {"Sheet": text.replace("Strong d8", "Strong d14")})
    assert "Alice's sheet has changed" in changed.text
    shown = (await table.says("alice: /character show")).text
    assert "Attributes Strong d14\nSkills Crew d12 d8" in shown
    form = (await table.says("alice: /character edit")).form
    assert form is not None
    refused = await table.alice.submit(form, {"Sheet": "Skills: Crew d16"})
    assert '"d16" isn\'t a die here. Use' in refused.text


async def test_N14_both_faces_are_hitches_and_each_complication_pays(table: Game) -> None:
    await table.play("gm: /campaign set setting:hitch on value:1-2")
    await table.play("gm: /campaign set setting:complications pay value:each")
    table.dice.show((2, 1, 5, 6))
    rolled = await table.play("alice: /roll dice:2d6 2d8")
    assert "d6: 2 (hitch)" in rolled.text
    assert "Hitches: 2" in labels(rolled)
    offered = await options(table, "gm", rolled, "Hitches: 2")
    assert any("pays 1 PP" in each for each in offered)
    assert "Doom: a die the size of each hitch (2d6), pays 1 PP each" in offered


async def test_N22_a_resource_is_added_and_another_after_the_roll(table: Game) -> None:
    await table.play("gm: /campaign set setting:resources value:apart")
    for name in ("Wealth", "Favour"):
        await table.play(f"alice: /character set trait:{name} die:d8 trait_set:Resources")
    table.dice.show((5, 6, 1))
    rolled = await table.play("alice: /roll dice:2d8, Wealth vs:13")
    assert "Alice, vs 13: failure" in rolled.text
    assert "Total: d8: 5, d8: 6, Wealth d8: 1" in rolled.text
    assert "Hitches" not in "".join(labels(rolled))
    table.dice.show((4,))
    done = await do(table, "alice", rolled, "Spend", {"What": "Add Favour d8 to the total"})
    assert "Alice, vs 13: success by 3" in done.text
    assert "Alice · Favour d8 is spent" in done.text


async def test_N21_a_resource_of_several_dice_is_spent_as_all_of_them(table: Game) -> None:
    await table.play(
        "gm: /campaign set setting:resources value:apart",
        "alice: /character set trait:Wealth die:2d8 trait_set:Resources",
    )
    rolled = await table.play("alice: /roll dice:2d6, Wealth")
    assert "Alice · Wealth 2d8 is spent until the scene ends" in rolled.text
    again = await table.play("gm: /resource refresh who:Alice")
    assert "Alice · Wealth 2d8 is ready to use again" in again.text


async def test_the_builder_has_the_tables_sizes_modifiers_and_safe_dice(table: Game) -> None:
    await table.play(
        "gm: /campaign set setting:sizes value:d2 d6 d8 d20",
        "gm: /campaign set setting:modifiers value:on",
        "gm: /campaign set setting:safe dice value:on",
        "alice: /character set trait:Luck die:safe d6 trait_set:Skills",
    )
    built = await table.says("alice: /pool build")
    offered = [option.label for option in built.menus[0].options]
    assert offered == ["Luck safe d6", "d2", "d6", "d8", "d20", "Scale d8"]
    built = await table.alice.choose(built, "Traits and dice", ["Luck safe d6", "d20"])
    assert "Your pool: Luck safe d6, d20" in built.text
    form = (await table.alice.press(built, "Type it")).form
    table.dice.show((1, 17))
    assert "Total 20" in (await table.alice.submit(form, {"Dice": "Luck, d20 +3"})).text
    assert "Luck safe d6" in [choice.name for choice in await table.alice.complete("/roll dice:lu")]
