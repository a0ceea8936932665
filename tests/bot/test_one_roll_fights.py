"""Hits, boxes, crowds, contests and rounds of One-Roll."""

import pytest

from tests.bot.test_buttons import is_refused
from tests.game import Game


async def test_a_company_hits_nobody(ore: Game) -> None:
    await ore.play(
        "gm: /gmc new name:Ogre dice:5d boxes:1-10 Body 9",
        "gm: /ore company name:Grey Ford ratings:might 3, treasure 2",
    )
    ore.dice.show([7, 7, 7, 1, 2])
    acts = await ore.play("gm: /ore act company:Grey Ford first:might second:treasure")
    assert "Hit" not in [each.label for each in acts.buttons]


async def test_nobody_opposes_their_own_roll(ore: Game) -> None:
    rolled = await ore.play("alice: /ore roll dice:3d")
    refused = await ore.alice.press(rolled, "Roll against")
    assert is_refused(refused)
    assert refused.text == "That's Rook's own roll. Choose another one to oppose."


async def test_a_set_hits_where_its_height_says(ore: Game) -> None:
    await ore.play("gm: /gmc new name:Ogre dice:5d boxes:1-9 Body 8 armour 1, 10 Head 4")
    ore.dice.show([10, 10, 10, 2, 2])
    rolled = await ore.play("alice: /ore roll dice:5d")
    form = (await ore.alice.press(rolled, "Hit")).form
    assert form is not None
    assert [each.label for each in form.field("Set").options] == ["3×10", "2×2"]
    reply = await ore.alice.submit(form, {"Damage": "killing", "The weapon adds": "1"})
    await ore.rest()
    assert reply.more[0].text.startswith("Rook hits Ogre with 3×10: 4 killing. Ogre: Head gone")
    assert "Ogre: 5d. Head gone" in (await ore.says("bob: /table show")).text
    late = await ore.alice.submit(form, {"Damage": "killing", "The weapon adds": "1"})
    assert late.text == "That set is gone, or has been used."
    form = (await ore.alice.press(rolled, "Hit")).form
    assert form is not None
    before = ore.alice.look_for(rolled, "Hit")
    await ore.alice.submit(form, {"Damage": "both"})
    await ore.rest()
    assert "Body 1 killing, 1 shock of 8" in (await ore.says("bob: /table show")).text
    assert "Hit" not in [each.label for each in rolled.buttons]
    assert (await ore.alice.push(rolled, before)).text == "That roll has no set left to hit with."
    await ore.play("gm: /undo")
    assert "Body 1 killing" not in (await ore.says("bob: /table show")).text
    assert "Rook hits Ogre with 3×10" in (await ore.says("bob: /log")).text


async def test_a_hit_without_a_set_or_anybody_to_hit_is_refused(ore: Game) -> None:
    await ore.play("gm: /gmc new name:Ogre dice:5d boxes:1-10 Body 8")
    ore.dice.show([7, 7, 2])
    rolled = await ore.play("alice: /ore roll dice:3d")
    await ore.play("gm: /gmc remove name:Ogre")
    assert (await ore.alice.press(rolled, "Hit")).text == "There's nobody left to hit."


async def test_the_next_round_begins_once(ore: Game) -> None:
    await ore.play("alice: /ore roll dice:5d")
    shown = await ore.says("gm: /table show")
    assert is_refused(await ore.alice.press(await ore.says("alice: /table show"), "Next round"))
    assert "A new round begins." in (await ore.gm.press(shown, "Next round")).text
    assert (await ore.gm.press(shown, "Next round")).text == "That round is over. Roll for the next one."
    await ore.play("alice: /ore roll dice:5d")
    assert (await ore.gm.press(shown, "Next round")).text == "That round is over. Roll for the next one."


async def test_a_roll_that_the_gm_had_not_seen_stays_open_for_the_next_round(ore: Game) -> None:
    await ore.play("alice: /ore roll dice:5d")
    shown = await ore.says("gm: /table show")
    ore.dice.show([7, 7, 2])
    await ore.play("bob: /ore roll dice:3d")
    assert "A new round begins." in (await ore.gm.press(shown, "Next round")).text
    order = (await ore.says("gm: /ore order")).text
    assert "bob: 2×7" in order
    assert "alice" not in order


async def test_a_crowd_falls_member_by_member(ore: Game) -> None:
    await ore.play("gm: /gmc new name:Guards dice:4d kind:crowd")
    assert "Guards. 4 members" in (await ore.says("bob: /table show")).text
    ore.dice.show([7, 7, 7, 2])
    rolled = await ore.play("alice: /ore roll dice:4d")
    form = (await ore.alice.press(rolled, "Hit")).form
    assert form is not None
    reply = await ore.alice.submit(form, {})
    await ore.rest()
    assert reply.more[0].text.startswith("Rook hits Guards with 3×7: 3 of them fall, 1 is left")
    ore.dice.show([9, 9])
    rolled = await ore.play("alice: /ore roll dice:2d")
    form = (await ore.alice.press(rolled, "Hit")).form
    assert form is not None
    reply = await ore.alice.submit(form, {})
    await ore.rest()
    assert "1 of them falls, and nobody is left" in reply.more[0].text
    assert "Guards" not in (await ore.says("bob: /table show")).text
    await ore.play(
        "gm: /gmc new name:Ogre dice:5d boxes:1-10 Body 2 armour 1",
        "gm: /ore hurt place:Body amount:2 kind:shock who:Ogre",
    )
    assert "Ogre: 5d. Body out" in (await ore.says("bob: /table show")).text
    assert "Body out, armour 1" in (await ore.says("gm: /character show who:Ogre")).text
    await ore.play("gm: /scene end", "gm: /session end")


async def test_boxes_are_filled_and_emptied_by_hand(ore: Game) -> None:
    await ore.play("gm: /gmc new name:Ogre dice:5d boxes:1-10 Body 8")
    assert (await ore.says("gm: /ore hurt place:Body amount:3 kind:shock who:Ogre")).text == (
        "Ogre takes 3 shock: Body 3 shock of 8"
    )
    healed = await ore.says("gm: /ore heal place:body amount:3 who:Ogre")
    assert healed.text == "Ogre heals: Body unhurt"
    refused = await ore.says("alice: /ore hurt place:Head amount:1")
    assert refused.text.startswith("Rook has no boxes. They go on the sheet, in a line such as Boxes: Head 4")
    assert [each.value for each in await ore.gm.complete("/ore heal who:Ogre place:")] == ["Body"]
    assert "Body 8" in (await ore.says("gm: /character show who:Ogre")).text


async def test_a_roll_is_opposed_and_its_dice_taken_in_one_message(ore: Game) -> None:
    await ore.play("gm: /gmc new name:Ogre dice:5d")
    ore.dice.show([8, 8, 8, 2, 1])
    attack = await ore.play("gm: /gmc roll name:Ogre")
    shown = await ore.alice.press(attack, "Roll against")
    assert shown.private
    assert "Against Ogre: 3×8" in shown.text
    shown = await ore.alice.choose(shown, "Stats", ["Body 3d"])
    shown = await ore.alice.choose(shown, "Skills", ["Fight 2d 1w"])
    ore.dice.show([9, 9, 9, 2, 1])
    defence = await ore.alice.press(shown, "Roll 5d 1w")
    assert defence.text.startswith("Rook: 3×9\nAgainst Ogre (3×8): Rook wins with the higher set")
    form = (await ore.alice.press(defence, "Gobble")).form
    assert form is not None
    assert form.field("What").options[0].label == "Ogre: 3×8, by 3×9"
    after = await ore.alice.submit(form, {"How many": "2"})
    assert "Against Ogre (no set): Rook wins" in after.text
    await ore.play("gm: /session end")


async def test_a_contest_is_decided_by_width_then_height(ore: Game) -> None:
    await ore.play("gm: /gmc new name:Ogre dice:5d")
    for theirs, mine, told in (
        ([2, 2, 2, 9, 1], [10, 10, 1, 3, 5], "Against Ogre (3×2): Ogre wins with the wider set"),
        ([2, 2, 1, 9, 3], [2, 2, 1, 3, 5], "Against Ogre (2×2): even"),
        ([4, 4, 1, 9, 3], [2, 4, 1, 3, 5], "Against Ogre (2×4): Ogre wins"),
    ):
        ore.dice.show(theirs)
        attack = await ore.play("gm: /gmc roll name:Ogre")
        shown = await ore.alice.choose(await ore.alice.press(attack, "Roll against"), "Stats", ["Body 3d"])
        shown = await ore.alice.press(await ore.alice.press(shown, "+1 die"), "+1 die")
        ore.dice.show(mine)
        assert told in (await ore.alice.press(shown, "Roll 5d")).text, told
    await ore.play("gm: /ore clear")
    late = await ore.alice.press(shown, "Roll 5d")
    assert late.text.startswith("That roll is closed")


async def test_a_contest_says_who_wins_after_the_other_roll_changed(ore: Game) -> None:
    await ore.play("gm: /gmc new name:Ogre dice:5d 1w")
    ore.dice.show([8, 8, 2, 3, 1])
    attack = await ore.play("gm: /gmc roll name:Ogre")
    shown = await ore.alice.choose(await ore.alice.press(attack, "Roll against"), "Stats", ["Body 3d"])
    ore.dice.show([9, 9, 1])
    defence = await ore.alice.press(shown, "Roll 3d")
    assert "Against Ogre (2×8): Rook wins with the higher set" in defence.text
    form = (await ore.gm.press(attack, "Place")).form
    assert form is not None
    await ore.gm.submit(form, {})
    await ore.at_rest()
    assert defence.message is not None
    assert "Against Ogre (3×8): Ogre wins with the wider set" in defence.message.text


async def test_the_gm_opposes_a_roll_with_a_crowd(ore: Game) -> None:
    await ore.play("gm: /gmc new name:Guards dice:4d kind:crowd")
    ore.dice.show([7, 7, 7])
    attack = await ore.play("alice: /ore roll dice:3d")
    shown = await ore.gm.choose(await ore.gm.press(attack, "Roll against"), "Character", ["Guards"])
    assert shown.text.startswith("Guards\nAgainst Rook: 3×7")
    ore.dice.show([2, 2, 2, 2])
    opposed = await ore.gm.press(shown, "Roll 4d")
    assert opposed.text.startswith("Guards: 4×2\nAgainst Rook (3×7): Guards wins with the wider set")


async def test_the_pinned_order_names_the_first_sets_and_how_many_more(ore: Game) -> None:
    # Eleven dice always make a set.
    await ore.play(f"gm: /ore crowd dice:11d count:40 note:{'Ravens ' * 20}")
    (line,) = [each for each in (await ore.says("gm: /table show")).text.split("\n") if "Order" in each]
    assert line.count("pool ") == 8
    assert line.endswith(" more")
    assert len(line) < 700


async def test_a_weapon_adds_nothing_against_a_crowd_and_says_so(ore: Game) -> None:
    await ore.play("gm: /gmc new name:Guards dice:4d kind:crowd")
    ore.dice.show([7, 7, 2])
    form = (await ore.alice.press(await ore.play("alice: /ore roll dice:3d"), "Hit")).form
    assert form is not None
    assert (await ore.alice.submit(form, {"The weapon adds": "2"})).text.startswith(
        "A weapon adds nothing against a crowd"
    )
    for typed in ("abc", "²", "-1"):
        assert (
            "isn't a whole number, such as 3."
            in (await ore.alice.submit(form, {"The weapon adds": typed})).text
        )
    hit = await ore.alice.submit(form, {})
    await ore.rest()
    assert "2 of them fall, 2 are left" in hit.more[0].text


async def test_a_crowd_with_nobody_left_leaves_the_order(ore: Game) -> None:
    await ore.play("gm: /gmc new name:Guards dice:4d kind:crowd", "gm: /gmc new name:Ogre dice:5d")
    ore.dice.show([3, 3, 5, 6], [2, 2, 4, 5, 6], [9, 9, 9, 9, 1])
    await ore.play("gm: /gmc roll name:Guards", "gm: /gmc roll name:Ogre")
    hitting = await ore.play("alice: /ore roll dice:5d")
    order = (await ore.says("bob: /ore order")).text
    assert "Guards: 2×3" in order
    hit = await ore.alice.submit((await ore.alice.press(hitting, "Hit")).form, {})
    assert hit.failed is None, hit.text
    await ore.rest()
    for view in ("/ore order", "/table show"):
        order = (await ore.says(f"bob: {view}")).text
        assert "Guards: 2×3" not in order
        assert "Guards 2×3" not in order
        assert "Ogre" in order
    await ore.play("gm: /gmc remove name:Ogre")
    assert "Ogre" not in (await ore.says("bob: /ore order")).text
    await ore.says("gm: /undo")
    await ore.says("gm: /undo")
    assert "Guards: 2×3" in (await ore.says("bob: /ore order")).text


@pytest.mark.parametrize(
    ("dice", "count", "said"),
    [
        ("15d", 2, "GM: 2 full rolls of 15d"),
        ("15d", 1, "GM: 1 full roll of 15d"),
        ("11d", 3, "GM: 3 full rolls of 11d"),
        ("10d", 2, "GM: 2 quick rolls of 10d"),
        ("4d", 1, "GM: 1 quick roll of 4d"),
        ("4d, 15d", 1, "GM: 2 rolls, "),
        ("4d, 6d", 1, "GM: 2 quick rolls, "),
        ("12d, 15d", 2, "GM: 4 full rolls, "),
    ],
)
async def test_O5_what_is_rolled_in_full_is_not_called_quick(
    ore: Game, dice: str, count: int, said: str
) -> None:
    rolled = await ore.play(f"gm: /ore crowd dice:{dice} count:{count}")
    assert rolled.text.startswith(said)
    assert said.strip(", ") in (await ore.says("gm: /log")).text


@pytest.mark.parametrize("how", ["roll", "quick"])
async def test_O3_a_lone_wiggle_die_joins_no_single_expert_die(ore: Game, how: str) -> None:
    ore.dice.show([1, 5, 3] if how == "quick" else [1, 3, 5])
    rolled = await ore.play(f"alice: /ore {how} dice:3d 1w e7")
    form = (await ore.alice.press(rolled, "Place")).form
    assert form is not None
    assert not [option.label for option in form.field("What").options if "7" in option.label]
    refused = await ore.alice.submit(form, {"Dice": "7"})
    assert "You can't set a single wiggle die to 7: no rolled die shows that height." in refused.text
    rolled = await ore.play(f"alice: /ore {how} dice:1w e7")
    assert "no set" in rolled.text
    assert "Place" not in [button.label for button in rolled.buttons]
