"""A table that plays One-Roll shows, offers and counts nothing of another game."""

import re
from pathlib import Path

import pytest

from bot.loopback.reply import BotReply, buttons_of
from tests.bot.test_buttons import is_refused
from tests.bot.test_moving import exported
from tests.game import Game

CORTEX = re.compile(
    r"\b(?:PP|plot points?|doom|hitch(?:es)?|distinctions?|complications?|assets?|stress|effect d|crisis|"
    r"d4|d6|d8|d12|SFX|Cortex|Milestones?)\b",
    re.IGNORECASE,
)
"""Words of Cortex that nobody at the table should read."""
NOT_HERE = "This table's game doesn't use {} here. Leave it out."
ROOK = {"Name": "Rook", "Sheet": "Stats: Body 3d, Mind 2d\nSkills: Fight 2d 1w, Run 1d"}


@pytest.fixture
async def own(game: Game) -> Game:
    """A table of One-Roll in a scene, at which Alice plays Rook."""
    begun = await game.play("gm: /campaign new name:Skyfall ruleset:one-roll")
    joined = await game.alice.press(begun, "Join")
    assert joined.form is not None
    await game.alice.submit(joined.form, ROOK)
    await game.play("gm: /session start", "gm: /scene start name:The bridge")
    return game


async def built(own: Game, *choices: str) -> BotReply:
    """The builder of Alice, after these choices."""
    shown = await own.alice.press(await own.says("alice: /table show"), "Roll")
    for each in choices:
        if each.startswith(("+", "-")):
            shown = await own.alice.press(shown, each)
        else:
            menu, _, option = each.partition(": ")
            shown = await own.alice.choose(shown, menu, [option])
    return shown


async def test_xp_is_given_spent_and_told_as_in_any_game(own: Game) -> None:
    own.dice.show([7, 7, 3, 2, 1])
    await own.play("alice: /ore roll dice:5d")
    ended = await own.play("gm: /session end")
    asked = (await own.gm.press(ended, "Give XP")).form
    assert asked is not None
    given = await own.gm.submit(asked, {"How many": "3", "Why": "The bridge holds"})
    assert given.text == "Rook: 3 XP (+3, The bridge holds)"
    spent = await own.play("alice: /xp spend number:2 why:Fight 3d")
    assert spent.text == "Rook: 1 XP (-2, Fight 3d)"
    assert (await own.play("alice: /xp show")).text == "Rook: 1 XP"
    assert (await own.play("alice: /character show")).text.endswith("1 XP")
    assert (await own.says("gm: /session recap")).text.endswith("1 roll, 1 success. XP +3 -2")
    assert (await own.play("alice: /undo")).text == "Undone: Rook has 3 XP again"


async def test_help_says_where_a_word_is_only_of_another_game(own: Game, subtests: pytest.Subtests) -> None:
    for topic in ("plot points", "doom pool"):
        with subtests.test(topic=topic):
            assert (await own.says(f"alice: /help topic:{topic}")).text.startswith("There's no help on")
    assert (await own.says("alice: /help topic:how do I recover stress")).text.startswith("Take damage")
    for topic in ("commands", "what are the commands"):
        with subtests.test(topic=topic):
            assert (await own.says(f"alice: /help topic:{topic}")).text == (
                await own.says("alice: /help")
            ).text


async def test_every_rating_can_be_chosen_and_more_takes_a_difficulty(own: Game) -> None:
    skills = ", ".join(
        f"{name} {letter}x 2d" for name in ("Lore", "Craft") for letter in "ABCDEFGHIJKLMNOPQR"
    )
    await own.play("alice: /character unset trait:Fight", "alice: /character unset trait:Run")
    asked = await own.says("alice: /character edit")
    assert asked.form is not None
    await own.alice.submit(asked.form, {"Sheet": f"Stats: Body 3d\nSkills: {skills}"})
    shown = await built(own, "Stats: Body 3d", "Skills (more): Craft Rx 2d")
    assert "Body + Craft Rx: 5d" in shown.text
    form = (await own.alice.press(shown, "More")).form
    assert form is not None
    own.dice.show([7, 7, 7, 1, 2])
    rolled = await own.alice.submit(form, {"More or fewer dice": "width 3"})
    assert rolled.text.startswith("Rook: 3×7")


async def test_words_are_only_of_terms_that_the_game_has(own: Game, subtests: pytest.Subtests) -> None:
    for value in ("PP = Luck", "hitch = Oops", "doom pool = Threat"):
        with subtests.test(value=value):
            refused = await own.says(f"gm: /campaign set setting:words value:{value}")
            assert is_refused(refused)
            assert refused.text.endswith("Try session, act, scene, GM or GMC.")
    assert not is_refused(await own.says("gm: /campaign set setting:words value:scene = Chapter"))


async def test_no_xp_is_no_number_to_give(own: Game) -> None:
    ended = await own.play("gm: /session end")
    asked = (await own.gm.press(ended, "Give XP")).form
    assert asked is not None
    refused = await own.gm.submit(asked, {"How many": "0"})
    assert refused.text == "You can't choose 0 XP. Choose 1 to 999."


async def test_boxes_belong_to_sheets_of_one_roll(table: Game) -> None:
    refused = await table.says("gm: /ore hurt place:Body amount:2 who:Alice")
    assert refused.text == "Alice has no boxes. Only sheets of a One-Roll campaign have them."


async def test_two_wiggle_dice_with_nothing_to_join_go_together(own: Game) -> None:
    rolled = await own.play("alice: /ore quick dice:2w")
    form = (await own.alice.press(rolled, "Place")).form
    assert form is not None
    refused = await own.alice.submit(form, {"Dice": "6 7"})
    assert refused.text.endswith("no other die shows that height. Set two or more to the same height.")


async def test_a_company_hits_nobody(own: Game) -> None:
    await own.play(
        "gm: /gmc new name:Ogre dice:5d boxes:1-10 Body 9",
        "gm: /ore company name:Grey Ford ratings:might 3, treasure 2",
    )
    own.dice.show([7, 7, 7, 1, 2])
    acts = await own.play("gm: /ore act company:Grey Ford first:might second:treasure")
    assert "Hit" not in [each.label for each in acts.buttons]


async def test_prose_with_ten_sided_dice_is_read(own: Game) -> None:
    asked = await own.alice.menu_command("Roll this", await own.alice.write("I roll 6d10 now"))
    assert asked.text == "Dice in that message: `6d10`"
    own.dice.show([7, 7, 7, 1, 2, 3])
    rolled = await own.alice.press(asked, asked.buttons[0].label)
    assert rolled.text.startswith("Rook: 3×7")


async def test_nobody_opposes_their_own_roll(own: Game) -> None:
    rolled = await own.play("alice: /ore roll dice:3d")
    refused = await own.alice.press(rolled, "Roll against")
    assert is_refused(refused)
    assert refused.text == "That's Rook's own roll. Choose another one to oppose."


async def test_a_recap_says_who_won_and_decides_nothing_early(own: Game) -> None:
    await own.play("bob: /character new name:Bo")
    own.dice.show([8, 8, 8], [9, 9, 9], [1, 2])
    struck = await own.play("alice: /ore roll dice:3d note:Strike")
    against = await own.bob.press(struck, "Roll against")
    typed = await own.bob.press(against, "Type dice")
    assert typed.form is not None
    await own.bob.submit(typed.form, {"Dice": "3d", "What the roll is for": "Parry"})
    await own.play("alice: /ore roll dice:2d 1w note:Save the cat")
    recap = (await own.says("gm: /session recap")).text
    assert "Rook couldn't strike" in recap
    assert "Bo parried" in recap
    assert "couldn't save the cat" not in recap
    assert (await own.says("alice: /stats who:Rook")).text.splitlines()[1] == "1 of 1 roll with a set"


async def test_stats_know_a_character_who_has_not_rolled(own: Game) -> None:
    await own.play("bob: /ore roll dice:3d")
    assert (await own.says("alice: /stats")).text == "Rook\nNo dice were rolled."
    assert (await own.says("bob: /stats who:Rook")).text == "Rook\nNo dice were rolled."


async def test_no_word_of_cortex_is_read(own: Game) -> None:
    own.dice.show([7, 7, 3, 2, 1])
    lines = (
        *("gm: /gmc new name:Ogre dice:5d 1h", "gm: /gmc roll name:Ogre", "gm: /gmc show"),
        *("alice: /character show", "alice: /table show", "gm: /scene show", "alice: /stats", "gm: /help"),
        *("alice: /help", "gm: /campaign show", "gm: /campaign set setting:ruleset", "alice: /ore order"),
        *("gm: /campaign set setting:words", "gm: /table waiting", "gm: /log", "gm: /session recap"),
        *("alice: /help topic:fight", "alice: /help topic:sheet", "alice: /help topic:roll"),
        *("gm: /scene end", "gm: /session end", "gm: /session start", "bob: /help"),
    )
    for line in lines:
        reply = await own.says(line)
        shown = [reply.text, *(each.label for each in reply.buttons)]
        shown += [option.label for menu in reply.menus for option in menu.options]
        assert not CORTEX.search("\n".join(shown)), (line, CORTEX.findall("\n".join(shown)), shown)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/roll dice:2d6", "This table plays One-Roll. Use /ore roll dice:5d instead of /roll."),
        ("/odds dice:2d6", "This table plays One-Roll. Use /ore odds dice:5d instead of /odds."),
        ("/turn show", "This table plays One-Roll. Use /ore order instead of /turn show."),
        (
            "/stress add what:Physical",
            "This table plays One-Roll. Use /ore hurt instead of /stress add.",
        ),
        (
            "/gmc hit name:Rex die:d8",
            "This table plays One-Roll. Use /ore hurt instead of /gmc hit.",
        ),
        ("/scene start name:Two distinctions:Fog", NOT_HERE.format("distinctions")),
        ("/scene start name:Two kind:rest", NOT_HERE.format("kind")),
        ("/act start dice:d6", NOT_HERE.format("dice")),
        (
            "/gmc new name:Ogre dice:5d kind:boss",
            'There\'s no kind of GMC called "boss". Try crowd.',
        ),
        ("/gmc new name:Ogre dice:5d away:True", NOT_HERE.format("away")),
        ("/gmc roll name:Ogre keep:1", NOT_HERE.format("keep")),
        ("/character set trait:Body die:3d trait_set:Stats statement:Big", NOT_HERE.format("statement")),
    ],
)
async def test_what_belongs_to_another_game_says_what_to_use_here(own: Game, line: str, told: str) -> None:
    before = (await own.says("gm: /table show")).text
    reply = await own.says(f"gm: {line}")
    assert reply.private
    assert reply.text == told
    assert (await own.says("gm: /table show")).text == before


async def test_nothing_of_another_game_is_suggested(own: Game) -> None:
    assert await own.alice.complete("/roll dice:") == []
    assert await own.alice.complete("/asset remove what:") == []
    assert [each.name for each in await own.alice.complete("/character unset trait:")] == [
        *("Body", "Mind", "Fight", "Run")
    ]
    offered = {
        each.name for start in ("d", "hit", "pp") for each in await own.alice.complete(f"/help topic:{start}")
    }
    assert not any(CORTEX.search(each) for each in offered), offered
    assert {each.value for each in await own.gm.complete("/campaign set setting:d")} >= {"dice", "deadline"}
    assert "doom pool" not in {each.value for each in await own.gm.complete("/campaign set setting:d")}


async def test_a_button_from_before_the_change_of_game_does_nothing(table: Game) -> None:
    rolled = await table.play("alice: /roll dice:Mind d10, d8, d6")
    await table.play("gm: /campaign set setting:ruleset value:one-roll")
    reply = await table.alice.press(rolled, rolled.buttons[0].label)
    assert is_refused(reply)
    assert reply.text.startswith("This table plays One-Roll now, so that button no longer works.")
    await table.play("gm: /campaign set setting:ruleset value:adept")
    assert "PP" in (await table.says("gm: /table show")).text


async def test_sheets_that_would_be_set_aside_are_asked_about(table: Game) -> None:
    await table.play("alice: /character set trait:Mind die:d10 trait_set:Attributes")
    asked = await table.says("gm: /campaign set setting:ruleset value:one-roll")
    assert asked.text.startswith(
        "one-roll is another game. What Alice had is set aside until the ruleset is adept"
    )
    await table.gm.press(asked, "Set ruleset")
    assert "Mind" not in (await table.says("alice: /character show")).text
    await table.play("gm: /campaign set setting:ruleset value:adept")
    assert "Mind d10" in (await table.says("alice: /character show")).text


async def test_a_pool_is_built_of_a_stat_and_a_skill_and_rolled(own: Game) -> None:
    shown = await built(own, "Stats: Body 3d")
    assert shown.private
    assert "Body: 3d" in shown.text
    assert "A set: 28.0%" in shown.text
    shown = await own.alice.choose(shown, "Skills", ["Fight 2d 1w"])
    assert "Body + Fight: 5d 1w\nA set: 100.0%" in shown.text
    shown = await own.alice.press(shown, "+1 die")
    own.dice.show([7, 7, 3, 2, 1, 4])
    rolled = await own.alice.press(shown, "Roll 6d 1w")
    assert not rolled.private
    assert rolled.text.startswith("Rook: 2×7\nloose 1 2 3 4, 1 wiggle die still to place\nDice of 6d 1w")
    assert "Order: 1. Rook 2×7" in (await own.says("bob: /table show")).text


async def test_more_than_the_builder_has_is_typed_in_its_form(own: Game) -> None:
    shown = await built(own, "Stats: Body 3d", "Skills: Run 1d")
    form = (await own.alice.press(shown, "More")).form
    assert form is not None
    own.dice.show([7, 7, 3])
    reply = await own.alice.submit(
        form, {"More or fewer dice": "-1d", "Height a set needs": "8", "What the roll is for": "Get away"}
    )
    assert reply.text.startswith("Rook: no set counts (2×7)\nGet away\nA set needs height 8\nloose 3")
    wrong = await own.alice.submit(form, {"Height a set needs": "high"})
    assert wrong.text.startswith('"high" isn\'t a whole number')


async def test_fewer_than_two_dice_are_told_before_they_are_rolled(own: Game) -> None:
    shown = await built(own, "Skills: Run 1d")
    assert "A pool needs at least 2 dice" in shown.text
    assert [each.label for each in shown.buttons] == ["-1 die", "+1 die"]


async def test_who_has_no_ratings_is_offered_the_sheet(own: Game) -> None:
    await own.play("bob: /character new name:Bo")
    shown = await own.bob.press(await own.says("bob: /table show"), "Roll")
    assert shown.text == "Bo has no ratings on the sheet yet."
    form = (await own.bob.press(shown, "Fill in my sheet")).form
    assert form is not None
    assert form.field("Sheet").default == "Stats:\nSkills:"
    await own.bob.submit(form, {"Sheet": "Stats: Body 2d\nSkills: Bow 2d 1h"})
    assert "Skills Bow 2d 1h" in (await own.says("bob: /character show")).text


async def test_the_gm_rolls_for_a_creature_from_the_same_button(own: Game) -> None:
    await own.play("gm: /gmc new name:Ogre dice:Claws 5d 1h, Hide 3d")
    shown = await own.gm.press(await own.says("gm: /table show"), "Roll")
    shown = await own.gm.choose(shown, "Character", ["Ogre"])
    shown = await own.gm.choose(shown, "Rating", ["Claws 5d 1h"])
    own.dice.show([10, 2, 3, 4, 5])
    rolled = await own.gm.press(shown, "Roll 5d 1h")
    assert rolled.text.startswith("Ogre: 2×10")


@pytest.mark.parametrize(
    ("sheet", "told"),
    [
        ("Distinctions: Reckless", "needs dice"),
        ("Skills: Fight d8", "One-Roll dice are all d10"),
        ("Skills: Fight 2d, Fight 3d", "The sheet has Fight twice."),
        ("Skills: Fight 40d", "too many dice"),
    ],
)
async def test_a_line_that_is_no_rating_is_refused_with_its_number(own: Game, sheet: str, told: str) -> None:
    form = (await own.says("alice: /character edit")).form
    assert form is not None
    reply = await own.alice.submit(form, {"Sheet": f"Stats: Body 3d\n{sheet}"})
    assert reply.text.startswith("Line 2, ")
    assert told in reply.text
    assert "Fight 2d 1w" in (await own.says("alice: /character show")).text


async def test_a_rating_is_set_changed_and_removed_by_commands(own: Game) -> None:
    asked = await own.says("alice: /character set trait:Bow die:3d 1h")
    assert asked.text.startswith("Choose a trait set: Stats or Skills")
    await own.play("alice: /character set trait:Bow die:3d 1h trait_set:skills")
    await own.play("alice: /character set trait:Body die:4d", "alice: /character unset trait:Run")
    shown = (await own.says("alice: /character show")).text
    assert "Stats Body 4d, Mind 2d\nSkills Fight 2d 1w, Bow 3d 1h" in shown
    assert (
        await own.says("alice: /character set trait:Body die:4d")
    ).text == "Nothing changed on Rook's sheet."
    assert "needs dice" in (await own.says("alice: /character set trait:Luck trait_set:Stats")).text


async def test_a_changed_rating_is_told_and_told_again_when_undone(
    own: Game, subtests: pytest.Subtests
) -> None:
    told = {
        "trait:Climb die:3d trait_set:Skills": ("Climb 3d (new, in Skills)", "Climb is gone"),
        "trait:Body die:2d 1h": ("Body 2d 1h (was 3d)", "Body 3d again"),
        "trait:Body trait_set:Skills": ("Body 3d (now in Skills)", "Body 3d (Stats) again"),
        "trait:Mind die:1d trait_set:Gifts": ("Mind 1d (now in Gifts, was 2d)", "Mind 2d (Stats) again"),
    }
    for options, (done, undone) in told.items():
        with subtests.test(options=options):
            assert (await own.play(f"alice: /character set {options}")).text == f"Rook · {done}"
            assert (await own.play("alice: /undo")).text == f"Undone: Rook · {undone}"
    assert (await own.play("alice: /character unset trait:Run")).text == "Rook · Run is gone"
    assert (await own.play("alice: /undo")).text == "Undone: Rook · Run 1d is back"


async def test_undo_brings_the_game_back(table: Game) -> None:
    await table.play("gm: /campaign set setting:ruleset value:one-roll", "gm: /undo")
    assert "PP" in (await table.says("gm: /table show")).text


async def test_a_new_player_is_told_how_sets_work(own: Game) -> None:
    form = (await own.bob.press(await own.says("bob: /table show"), "Join")).form
    assert form is not None
    reply = await own.bob.submit(form, {"Name": "Bo"})
    await own.rest()
    (card,) = reply.more
    assert "Best at: Fight 2d 1w, Body 3d, Mind 3d" in card.text
    page = await own.bob.press(card, "How this works")
    assert "Dice that show the same number are a set." in page.text
    page = await own.bob.press(page, "Next")
    assert "A wiggle die (w) shows what you choose after the roll." in page.text
    assert "/undo takes back your last step." in (await own.bob.press(page, "Next")).text


async def test_a_creature_says_what_it_can_roll(own: Game) -> None:
    assert "Example: /gmc new name:Ogre dice:5d 1h" in (await own.says("gm: /gmc show")).text
    await own.play("gm: /gmc new name:Ogre dice:Claws 5d 1h, Hide 3d", "gm: /gmc new name:Rat dice:3d")
    for line, told in (
        ("/gmc roll name:Ogre", "Choose what Ogre rolls, such as dice:Claws."),
        ("/gmc roll name:Rat vs:8", NOT_HERE.format("vs")),
        ("/gmc roll name:Cat", 'There\'s no GMC called "Cat"'),
        ("/gmc new name:Cat dice:5d - 1d", "A rating can't have negative dice, such as -1d."),
    ):
        assert told in (await own.says(f"gm: {line}")).text, line
    offered = await own.gm.complete("/gmc roll name:Ogre dice:")
    assert [each.value for each in offered] == ["Claws", "Hide"]
    own.dice.show([1, 2, 3], [4, 5, 6])
    await own.play("gm: /gmc roll name:Rat", "gm: /gmc roll name:Ogre dice:Hide")
    assert "No set: Rat and Ogre" in (await own.says("gm: /table show")).text
    await own.play("gm: /gmc remove name:Rat")
    assert "Rat" not in (await own.says("gm: /gmc show")).text


async def test_a_choice_of_what_is_gone_is_told(own: Game) -> None:
    shown = await built(own, "Stats: Body 3d")
    await own.play("alice: /character unset trait:Body")
    gone = await own.alice.press(shown, "+1 die")
    assert gone.text == "That rating is no longer on the sheet. Press Roll on the table again."
    await own.play(*(f"alice: /character unset trait:{each}" for each in ("Mind", "Fight", "Run")))
    empty = await own.says("alice: /character unset trait:Run")
    assert empty.text == "Rook has no ratings on the sheet. To fill it in: /character edit"
    several = await own.says("alice: /character set trait:Luck die:2d, Pluck 3d trait_set:Stats")
    assert "isn't the dice of one rating, such as 2d 1w." in several.text


async def test_a_gm_without_creatures_types_the_dice(own: Game) -> None:
    shown = await own.gm.press(await own.says("gm: /table show"), "Roll")
    assert shown.text == "Type the dice you roll."
    form = (await own.gm.press(shown, "Type dice")).form
    assert form is not None
    own.dice.show([7, 7, 3])
    assert (await own.gm.submit(form, {"Dice": "3d"})).text.startswith("GM: 2×7")


async def test_a_set_hits_where_its_height_says(own: Game) -> None:
    await own.play("gm: /gmc new name:Ogre dice:5d boxes:1-9 Body 8 armour 1, 10 Head 4")
    own.dice.show([10, 10, 10, 2, 2])
    rolled = await own.play("alice: /ore roll dice:5d")
    form = (await own.alice.press(rolled, "Hit")).form
    assert form is not None
    assert [each.label for each in form.field("Set").options] == ["3×10", "2×2"]
    reply = await own.alice.submit(form, {"Damage": "killing", "The weapon adds": "1"})
    await own.rest()
    assert reply.more[0].text.startswith("Rook hits Ogre with 3×10: 4 killing. Ogre: Head gone")
    assert "Ogre: 5d. Head gone" in (await own.says("bob: /table show")).text
    late = await own.alice.submit(form, {"Damage": "killing", "The weapon adds": "1"})
    assert late.text == "That set is gone, or has been used."
    form = (await own.alice.press(rolled, "Hit")).form
    assert form is not None
    before = own.alice.look_for(rolled, "Hit")
    await own.alice.submit(form, {"Damage": "both"})
    await own.rest()
    assert "Body 1 killing, 1 shock of 8" in (await own.says("bob: /table show")).text
    assert "Hit" not in [each.label for each in rolled.buttons]
    assert (await own.alice.push(rolled, before)).text == "That roll has no set left to hit with."
    await own.play("gm: /undo")
    assert "Body 1 killing" not in (await own.says("bob: /table show")).text
    assert "Rook hits Ogre with 3×10" in (await own.says("bob: /log")).text


async def test_a_hit_without_a_set_or_anybody_to_hit_is_refused(own: Game) -> None:
    await own.play("gm: /gmc new name:Ogre dice:5d boxes:1-10 Body 8")
    own.dice.show([7, 7, 2])
    rolled = await own.play("alice: /ore roll dice:3d")
    await own.play("gm: /gmc remove name:Ogre")
    assert (await own.alice.press(rolled, "Hit")).text == "There's nobody left to hit."


async def test_the_next_round_begins_once(own: Game) -> None:
    await own.play("alice: /ore roll dice:5d")
    shown = await own.says("gm: /table show")
    assert is_refused(await own.alice.press(await own.says("alice: /table show"), "Next round"))
    assert "A new round begins." in (await own.gm.press(shown, "Next round")).text
    assert (await own.gm.press(shown, "Next round")).text == "That round is over. Roll for the next one."
    await own.play("alice: /ore roll dice:5d")
    assert (await own.gm.press(shown, "Next round")).text == "That round is over. Roll for the next one."


async def test_a_roll_that_the_gm_had_not_seen_stays_open_for_the_next_round(own: Game) -> None:
    await own.play("alice: /ore roll dice:5d")
    shown = await own.says("gm: /table show")
    own.dice.show([7, 7, 2])
    await own.play("bob: /ore roll dice:3d")
    assert "A new round begins." in (await own.gm.press(shown, "Next round")).text
    order = (await own.says("gm: /ore order")).text
    assert "bob: 2×7" in order
    assert "alice" not in order


async def test_a_crowds_sheet_says_how_many_it_is(own: Game, subtests: pytest.Subtests) -> None:
    await own.play("gm: /gmc new name:Guards dice:12d kind:crowd")
    asked = await own.says("gm: /character edit who:Guards")
    assert asked.form is not None
    assert asked.form.field("Sheet").default == "Members: 12"
    for sheet in ("Ratings: Guards 3d, Spear 4d", "Members: 3\nBoxes: Body 5", "Members: 99", ""):
        with subtests.test(sheet=sheet):
            refused = await own.gm.submit(asked.form, {"Sheet": sheet})
            assert is_refused(refused)
    told = await own.play("gm: /character set trait:Guards die:9d who:Guards")
    assert told.text == "Guards · Guards 9d (was 12d)"
    own.dice.show([7] * 9)
    assert is_refused(await own.says("gm: /character set trait:Spear die:2d trait_set:Skills who:Guards"))
    rolled = await own.play("gm: /gmc roll name:Guards dice:guards")
    assert rolled.text.startswith("Guards: 9×7")
    assert "Guards. 9 members" in (await own.says("bob: /table show")).text
    own.dice.show([7] * 7)
    fewer = await own.play("gm: /gmc roll name:Guards dice:Guards - 2d")
    assert fewer.text.startswith("Guards: 7×7")
    refused = await own.says("gm: /gmc new name:Mob dice:5d 1h kind:crowd")
    assert refused.text == (
        "A crowd has 2 to 15 members, a die each and no boxes. For 12 members, type dice:12d."
    )
    form = (await own.says("alice: /character edit")).form
    assert form is not None
    refused = await own.alice.submit(form, {"Sheet": "Stats: Body 3d\nMembers: 3"})
    assert refused.text == "Rook isn't a crowd. Leave out the line Members."


async def test_a_creature_is_renamed_with_its_rating(own: Game) -> None:
    await own.play("gm: /gmc new name:Bot dice:3d 2w", "gm: /character rename who:Bot to:Robot")
    assert "Robot: 3d 2w" in (await own.says("bob: /table show")).text
    own.dice.show([7, 7, 1])
    assert (await own.play("gm: /gmc roll name:Robot")).text.startswith("Robot: 2×7")
    await own.play("gm: /character rename who:Robot to:Gang 7d")
    form = (await own.says("gm: /character edit who:Gang 7d")).form
    assert form is not None
    assert (await own.gm.submit(form, {})).text == "Nothing changed on Gang 7d's sheet."


async def test_no_creature_has_a_name_that_means_something_else(own: Game, subtests: pytest.Subtests) -> None:
    for name in ("scene", "all", "GM"):
        with subtests.test(name=name):
            assert is_refused(await own.says(f"gm: /gmc new name:{name} dice:5d"))
    assert is_refused(await own.says("gm: /gmc new name:Bat dice:3d 12w"))
    refused = await own.says("gm: /gmc new name:Agent 3d dice:5d")
    assert refused.text == (
        "Agent 3d can't be the name of a rating. Give the dice another name, such as dice:Fight 5d."
    )
    await own.play("gm: /gmc new name:Agent 3d dice:Fight 5d")


async def test_a_crowd_falls_member_by_member(own: Game) -> None:
    await own.play("gm: /gmc new name:Guards dice:4d kind:crowd")
    assert "Guards. 4 members" in (await own.says("bob: /table show")).text
    own.dice.show([7, 7, 7, 2])
    rolled = await own.play("alice: /ore roll dice:4d")
    form = (await own.alice.press(rolled, "Hit")).form
    assert form is not None
    reply = await own.alice.submit(form, {})
    await own.rest()
    assert reply.more[0].text.startswith("Rook hits Guards with 3×7: 3 of them fall, 1 is left")
    own.dice.show([9, 9])
    rolled = await own.play("alice: /ore roll dice:2d")
    form = (await own.alice.press(rolled, "Hit")).form
    assert form is not None
    reply = await own.alice.submit(form, {})
    await own.rest()
    assert "1 of them falls, and nobody is left" in reply.more[0].text
    assert "Guards" not in (await own.says("bob: /table show")).text
    await own.play(
        "gm: /gmc new name:Ogre dice:5d boxes:1-10 Body 2 armour 1",
        "gm: /ore hurt place:Body amount:2 kind:shock who:Ogre",
    )
    assert "Ogre: 5d. Body out" in (await own.says("bob: /table show")).text
    assert "Body out, armour 1" in (await own.says("gm: /character show who:Ogre")).text
    await own.play("gm: /scene end", "gm: /session end")


async def test_boxes_are_filled_and_emptied_by_hand(own: Game) -> None:
    await own.play("gm: /gmc new name:Ogre dice:5d boxes:1-10 Body 8")
    assert (await own.says("gm: /ore hurt place:Body amount:3 kind:shock who:Ogre")).text == (
        "Ogre takes 3 shock: Body 3 shock of 8"
    )
    healed = await own.says("gm: /ore heal place:body amount:3 who:Ogre")
    assert healed.text == "Ogre heals: Body unhurt"
    refused = await own.says("alice: /ore hurt place:Head amount:1")
    assert refused.text.startswith("Rook has no boxes. They go on the sheet, in a line such as Boxes: Head 4")
    assert [each.value for each in await own.gm.complete("/ore heal who:Ogre place:")] == ["Body"]
    assert "Body 8" in (await own.says("gm: /character show who:Ogre")).text


async def test_a_planned_scene_begins_though_its_distinctions_are_of_another_game(game: Game) -> None:
    await game.play("gm: /campaign new story:Space crew")
    named = str((await game.gm.complete("/scene start name:"))[0].value)
    await game.gm.press(await game.says("gm: /campaign set setting:ruleset value:one-roll"), "Set ruleset")
    assert named in (await game.play(f"gm: /scene start name:{named}")).text


async def test_at_a_cortex_table_crowds_and_boxes_are_refused(table: Game) -> None:
    for line, told in (
        ("dice:4d6 kind:crowd", 'There\'s no kind of GMC called "crowd".'),
        ("dice:4d6 boxes:Head 4", NOT_HERE.format("boxes")),
    ):
        assert (await table.says(f"gm: /gmc new name:Mob {line}")).text.startswith(told)


async def test_a_roll_is_opposed_and_its_dice_taken_in_one_message(own: Game) -> None:
    await own.play("gm: /gmc new name:Ogre dice:5d")
    own.dice.show([8, 8, 8, 2, 1])
    attack = await own.play("gm: /gmc roll name:Ogre")
    shown = await own.alice.press(attack, "Roll against")
    assert shown.private
    assert "Against Ogre: 3×8" in shown.text
    shown = await own.alice.choose(shown, "Stats", ["Body 3d"])
    shown = await own.alice.choose(shown, "Skills", ["Fight 2d 1w"])
    own.dice.show([9, 9, 9, 2, 1])
    defence = await own.alice.press(shown, "Roll 5d 1w")
    assert defence.text.startswith("Rook: 3×9\nAgainst Ogre (3×8): Rook wins with the higher set")
    form = (await own.alice.press(defence, "Gobble")).form
    assert form is not None
    assert form.field("What").options[0].label == "Ogre: 3×8, by 3×9"
    after = await own.alice.submit(form, {"How many": "2"})
    assert "Against Ogre (no set): Rook wins" in after.text
    await own.play("gm: /session end")


async def test_a_contest_is_decided_by_width_then_height(own: Game) -> None:
    await own.play("gm: /gmc new name:Ogre dice:5d")
    for theirs, mine, told in (
        ([2, 2, 2, 9, 1], [10, 10, 1, 3, 5], "Against Ogre (3×2): Ogre wins with the wider set"),
        ([2, 2, 1, 9, 3], [2, 2, 1, 3, 5], "Against Ogre (2×2): even"),
        ([4, 4, 1, 9, 3], [2, 4, 1, 3, 5], "Against Ogre (2×4): Ogre wins"),
    ):
        own.dice.show(theirs)
        attack = await own.play("gm: /gmc roll name:Ogre")
        shown = await own.alice.choose(await own.alice.press(attack, "Roll against"), "Stats", ["Body 3d"])
        shown = await own.alice.press(await own.alice.press(shown, "+1 die"), "+1 die")
        own.dice.show(mine)
        assert told in (await own.alice.press(shown, "Roll 5d")).text, told
    await own.play("gm: /ore clear")
    late = await own.alice.press(shown, "Roll 5d")
    assert late.text.startswith("That roll is closed")


async def test_a_contest_says_who_wins_after_the_other_roll_changed(own: Game) -> None:
    await own.play("gm: /gmc new name:Ogre dice:5d 1w")
    own.dice.show([8, 8, 2, 3, 1])
    attack = await own.play("gm: /gmc roll name:Ogre")
    shown = await own.alice.choose(await own.alice.press(attack, "Roll against"), "Stats", ["Body 3d"])
    own.dice.show([9, 9, 1])
    defence = await own.alice.press(shown, "Roll 3d")
    assert "Against Ogre (2×8): Rook wins with the higher set" in defence.text
    form = (await own.gm.press(attack, "Place")).form
    assert form is not None
    await own.gm.submit(form, {})
    await own.at_rest()
    assert defence.message is not None
    assert "Against Ogre (3×8): Ogre wins with the wider set" in defence.message.text


async def test_the_gm_opposes_a_roll_with_a_crowd(own: Game) -> None:
    await own.play("gm: /gmc new name:Guards dice:4d kind:crowd")
    own.dice.show([7, 7, 7])
    attack = await own.play("alice: /ore roll dice:3d")
    shown = await own.gm.choose(await own.gm.press(attack, "Roll against"), "Character", ["Guards"])
    assert shown.text.startswith("Guards\nAgainst Rook: 3×7")
    own.dice.show([2, 2, 2, 2])
    opposed = await own.gm.press(shown, "Roll 4d")
    assert opposed.text.startswith("Guards: 4×2\nAgainst Rook (3×7): Guards wins with the wider set")


async def test_the_pinned_order_names_the_first_sets_and_how_many_more(own: Game) -> None:
    # Eleven dice always make a set.
    await own.play(f"gm: /ore crowd dice:11d count:40 note:{'Ravens ' * 20}")
    (line,) = [each for each in (await own.says("gm: /table show")).text.split("\n") if "Order" in each]
    assert line.count("pool ") == 8
    assert line.endswith(" more")
    assert len(line) < 700


@pytest.mark.parametrize("command", ["Give 1 PP"])
async def test_a_long_press_of_another_game_is_refused(own: Game, command: str) -> None:
    reply = await own.gm.menu_command(command, user=own.alice)
    assert is_refused(reply)
    assert reply.text == f"One-Roll has no {command}. To see what it has: /help"
    assert "PP" not in (await own.says("gm: /table show")).text


async def test_a_preview_of_an_import_shows_what_one_roll_has(own: Game, tmp_path: Path) -> None:
    path = await exported(own, tmp_path, "alice: /character export")
    await own.play("alice: /character rename to:Raven")
    preview = await own.says(f"gm: /character import file:{path}")
    assert "Body 3d" in preview.text
    assert CORTEX.search(preview.text) is None


async def test_a_player_who_imports_a_character_leaves_the_xp_behind(own: Game, tmp_path: Path) -> None:
    await own.play("gm: /xp give who:Rook number:4")
    path = await exported(own, tmp_path, "alice: /character export")
    await own.play("alice: /character rename to:Raven")
    preview = await own.says(f"bob: /character import file:{path}")
    assert "XP isn't imported: only the GM can give it." in preview.text
    await own.bob.press(preview, "Import")
    assert (await own.says("bob: /xp show")).text == "Raven: 4 XP"


async def test_a_roll_of_another_game_stays_as_it_was_when_the_ruleset_changes(table: Game) -> None:
    rolled = await table.play("alice: /roll dice:d8 d6")
    await table.play("gm: /campaign set setting:ruleset value:one-roll")
    form = (await table.alice.press(rolled, "What was it?")).form
    assert form is not None
    noted = await table.alice.submit(form, {"What the roll was for": "Leap"})
    assert not is_refused(noted)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert rolled.message is not None
    assert [each.label for each in buttons_of(rolled.message)] == ["What was it?"]


async def test_a_tie_is_neither_won_nor_lost_in_the_recap(own: Game) -> None:
    for name in ("Red Hill", "Grey Ford"):
        await own.play(f"gm: /ore company name:{name} ratings:might 2, treasure 1")
    for name, against in (("Grey Ford", ""), ("Red Hill", " against:Grey Ford note:Siege")):
        own.dice.show([3, 3, 1])
        await own.play(f"gm: /ore act company:{name} first:might second:treasure{against}")
    ended = (await own.says("gm: /session end")).text
    assert "rolled for siege" in ended or "siege (rolled" in ended
    assert "failed" not in ended
    assert "failure" not in ended


async def test_a_weapon_adds_nothing_against_a_crowd_and_says_so(own: Game) -> None:
    await own.play("gm: /gmc new name:Guards dice:4d kind:crowd")
    own.dice.show([7, 7, 2])
    form = (await own.alice.press(await own.play("alice: /ore roll dice:3d"), "Hit")).form
    assert form is not None
    assert (await own.alice.submit(form, {"The weapon adds": "2"})).text.startswith(
        "A weapon adds nothing against a crowd"
    )
    for typed in ("abc", "²", "-1"):
        assert (
            "isn't a whole number, such as 3."
            in (await own.alice.submit(form, {"The weapon adds": typed})).text
        )
    hit = await own.alice.submit(form, {})
    await own.rest()
    assert "2 of them fall, 2 are left" in hit.more[0].text


async def test_a_difficulty_is_typed_with_the_dice_and_nothing_is_taken_for_dice(own: Game) -> None:
    own.dice.show([7, 7, 2, 1, 3])
    typed = await own.play("alice: /ore roll dice:5d, width 3 height 6+")
    assert typed.text.startswith("Rook: no set counts (2×7)\nA set needs width 3 and height 6\n")
    for dice, told in (
        ("5d width 3 width 4", "The width is there twice."),
        ("5d 6", "For more dice, type 5d + 6d."),
        ("5d 6+", "For more dice, type 5d + 6d."),
        ("5d/2", "A pool can't be divided."),
        ("Body +", "Type what comes after +, or leave it out."),
        ("5d height 11", "A difficulty's height is 1 to 10, not 11."),
    ):
        refused = await own.says(f"alice: /ore roll dice:{dice}")
        assert is_refused(refused), dice
        assert told in refused.text
    twice = await own.says("alice: /ore odds dice:5d width 3 width:4")
    assert twice.text == "The width is there twice. Type it once."


async def test_the_recap_tells_who_went_down_by_hand_and_what_a_company_lost(own: Game) -> None:
    await own.play(
        "gm: /gmc new name:Ogre dice:5d boxes:1-9 Body 8, 10 Head 4",
        "gm: /ore company name:Redwater ratings:might 2, treasure 1",
        "gm: /ore hurt who:Ogre place:Body amount:2 kind:killing",
        "gm: /ore hurt who:Ogre place:Head amount:4 kind:killing",
        "gm: /ore company name:Redwater ratings:treasure 2",
        "gm: /ore company name:Redwater ratings:might 1",
    )
    told = (await own.says("gm: /session recap")).text
    assert "Ogre takes 4 killing: Head gone" in told
    assert "Body" not in told
    assert "Redwater: might 2 to 1, for good" in told
    assert "treasure" not in told
