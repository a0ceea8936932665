"""What the rules settle in the odd cases, as a player or a GM meets it at the table, by rule id."""

import asyncio

import pytest

from bot.loopback.model import Message
from bot.loopback.reply import BotReply, pressable
from rules.cortex.kinds import Result
from rules.cortex.model import CORTEX
from rules.cortex.outcome import verdict
from rules.cortex.roll import misjudged_rolls
from rules.dice import write_dice
from tests.bot.test_buttons import is_refused, put_back, seen
from tests.bot.test_contests import do
from tests.game import Game

ON = "gm: /campaign set setting:"


def labels(shown: BotReply) -> list[str]:
    """The labels of a reply's buttons, and of those in its menu `More`."""
    return [button.label for button in pressable(shown.message)] if shown.message else []


async def options(
    game: Game, who: str, shown: BotReply | Message, button: str, field: str = "What"
) -> list[str]:
    """What the form behind a button offers in a field."""
    form = (await game.person(who).press(shown, button)).form
    assert form is not None
    return [option.label for option in form.field(field).options]


# T6: a GM's roll on somebody is the action


async def test_T6_a_tie_is_the_players_when_the_gm_acts(table: Game, subtests: pytest.Subtests) -> None:
    await table.play("gm: /gmc new name:Rex dice:Fangs d8, Swift d8", "gm: /crisis new name:Fire dice:2d8")
    begun = (await seen(table))[1]
    for command in ("/gmc roll name:Rex on:Alice", "/doom roll on:Alice", "/crisis roll name:Fire on:Alice"):
        with subtests.test(command=command):
            await put_back(table, begun)
            table.dice.show((4, 4))
            rolled = await table.play(f"gm: {command}")
            table.dice.show((4, 4, 2))
            done = await do(table, "alice", rolled, "Roll against", {"Dice": "2d6 d8"})
            assert "vs 8: success" in done.text
            assert not [label for label in labels(done) if label.startswith("Apply")]


async def test_T6_an_acting_gm_has_to_be_higher_and_gets_the_steps_of_R7(table: Game) -> None:
    table.dice.show((6, 5, 4))
    await table.play("gm: /gmc new name:Rex dice:Fangs d6, Swift d6, Old d8")
    rolled = await table.play("gm: /gmc roll name:Rex on:Alice")
    table.dice.show((2, 3, 2))
    done = await do(table, "alice", rolled, "Roll against", {"Dice": "2d6 d8"})
    assert "vs 11: failure" in done.text
    assert [label for label in labels(done) if label.startswith("Apply")] == ["Apply d10"]
    hurt = await do(table, "gm", done, "Apply d10", {"What": "Physical stress d10"})
    assert "Alice · Physical stress d10" in hurt.text


async def test_T6_an_action_has_its_effect_by_the_reaction_alone(table: Game) -> None:
    await table.play("gm: /gmc new name:Rex dice:Fangs d8, Swift d8, Old d8")
    table.dice.show((8, 8, 3))
    rolled = await table.play("gm: /gmc roll name:Rex on:Alice")
    assert not [label for label in labels(rolled) if label.startswith("Apply")]
    table.dice.show((2, 2, 3))
    done = await do(table, "alice", rolled, "Roll against", {"Dice": "3d6"})
    assert "Apply d12" in labels(done)


async def test_R7_the_further_dice_that_are_told_are_those_that_can_be_used(table: Game) -> None:
    await table.play("gm: /crisis new name:Ice dice:12d12")
    table.dice.show((12, 12, 2, 2), (2,) * 12)
    rolled = await table.play("alice: /roll dice:4d12 vs:Ice")
    bought = await do(table, "alice", rolled, "Spend", {"What": "Another effect die"})
    assert (
        "past d12: one more effect of d12\nTotal: d12: 12, d12: 12\nEffect: d12: 2, d12: "
        "2\nCrisis Ice: Total 4"
    ) in bought.text
    assert "Effect past d12 and d12" in labels(bought) or "Effect past d12 and past d12" in labels(bought)


async def test_T6_without_on_a_gms_roll_is_a_difficulty(table: Game) -> None:
    await table.play("gm: /gmc new name:Rex dice:Fangs d8, Swift d8")
    table.dice.show((4, 4))
    rolled = await table.play("gm: /gmc roll name:Rex")
    table.dice.show((4, 4, 2))
    assert "vs 8: failure" in (await do(table, "alice", rolled, "Roll against", {"Dice": "2d6 d8"})).text


async def test_T6_in_heroic_a_resisting_winner_has_an_effect_with_steps(game: Game) -> None:
    await game.table("heroic")
    await game.play("gm: /gmc new name:Rex dice:Fangs d8, Swift d8")
    game.dice.show((2, 3))
    rolled = await game.play("gm: /gmc roll name:Rex on:Alice")
    game.dice.show((5, 6, 2))
    done = await do(game, "alice", rolled, "Roll against", {"Dice": "2d6 d8"})
    assert "vs 5: success by 6" in done.text
    assert "Apply d10" in labels(done)


async def test_T6_a_reaction_to_a_challenge_takes_no_turn(table: Game) -> None:
    await table.play("gm: /challenge new name:Storm extra:1", "gm: /challenge first who:Bob")
    table.dice.show((4, 4, 3))
    rolled = await table.play("gm: /challenge roll name:Storm on:Alice")
    table.dice.show((4, 4, 2))
    await do(table, "alice", rolled, "Roll against", {"Dice": "2d6 d8"})
    assert CORTEX.of((await seen(table))[1]).challenges["storm"].order.acted == ()


# K3, L3: past d12 is larger than a d12


async def test_K3_an_effect_past_d12_removes_a_d12(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d12")
    table.dice.show((12, 11, 2), (2, 2))
    rolled = await table.play("alice: /roll dice:3d12 vs:Fire")
    done = await do(table, "alice", rolled, "Apply: remove a d12")
    assert "Crisis Fire: d12 (d12 removed)" in done.text
    assert [label for label in labels(done) if label.startswith("Apply")] == ["Apply d8 to Fire"]


# P2: rerolls


async def test_P2_no_pp_buys_a_reroll(table: Game) -> None:
    table.dice.show((4, 3, 2))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:11")
    assert not [o for o in await options(table, "alice", rolled, "Spend") if o.startswith("Reroll")]
    refused = await table.says("alice: /reroll")
    assert is_refused(refused)
    assert refused.text == "Only an SFX can reroll dice in this campaign. Ask gm to change this setting."
    assert CORTEX.has((await seen(table))[1].characters["alice"]).pp == 1


@pytest.mark.parametrize("way", ["1 PP", "SFX"])
async def test_P2_another_die_that_would_change_nothing_is_said_before_it_is_paid(
    table: Game, way: str
) -> None:
    await table.play("alice: /sfx add name:Again benefit:total cost:1 PP")
    table.dice.show((6, 8, 2))
    rolled = await table.play("alice: /roll dice:d6 d8 d10 vs:11")
    if way == "SFX":
        asked = await table.says("alice: /sfx use name:Again")
    else:
        asked = await do(table, "alice", rolled, "Spend", {"What": "Another die in the total"})
    assert asked.text == "The best choice is still total 14, effect d10. Total 16 has effect d6."
    assert CORTEX.has((await seen(table))[1].characters["alice"]).pp == 1
    await table.alice.press(asked, "Keep total 16")
    await table.at_rest()
    assert rolled.message is not None
    assert "Total 16, effect d6" in rolled.message.text
    assert CORTEX.has((await seen(table))[1].characters["alice"]).pp == 0


async def test_P2_another_die_says_which_effect_the_highest_total_leaves(game: Game) -> None:
    await game.table("prime")
    game.dice.show((3, 3, 3), (2, 2))
    rolled = await game.play("bob: /roll dice:d10 d8 d12 vs:2d4")
    asked = await do(game, "bob", rolled, "Spend", {"What": "Another die in the total"})
    assert asked.text == "The best choice is still total 6, effect d12. Total 9 has effect d6."
    await game.bob.press(asked, "Keep total 9")
    await game.at_rest()
    assert rolled.message is not None
    assert "heroic success by 5\n**Total 9, effect d6**" in rolled.message.text


async def test_P2_a_gm_buys_no_reroll_for_doom(table: Game) -> None:
    table.dice.show((4, 3))
    rolled = await table.play("gm: /doom roll")
    assert not [o for o in await options(table, "gm", rolled, "Spend") if o.startswith("Reroll")]


async def test_P2_a_setting_sells_rerolls(table: Game) -> None:
    await table.play(ON + "reroll for 1 PP value:on")
    table.dice.show((4, 3, 2), (8,))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:11")
    assert "Reroll d8: 2" in await options(table, "alice", rolled, "Spend")
    assert "Total 12" in (await table.play("alice: /reroll dice:d8")).text


# C1: what a new asset costs


async def test_C1_a_players_asset_costs_its_pp_whatever_its_die(table: Game) -> None:
    done = await table.play("alice: /asset add what:Rope die:d8")
    assert "Alice: 0 PP (-1, Rope)" in done.text
    assert "Alice · Rope d8 (asset)" in done.text


async def test_C1_something_else_may_have_paid_for_an_asset(table: Game) -> None:
    done = await table.play("alice: /asset add what:Rope die:d8 pay:false")
    assert "Alice · Rope d8 (asset, something else paid)" in done.text
    assert CORTEX.has((await seen(table))[1].characters["alice"]).pp == 1


# H: hitches and opportunities


async def test_H1e_is_there_beside_a_d4_that_rolled_a_1(table: Game) -> None:
    table.dice.show((1, 1, 5))
    rolled = await table.play("alice: /roll dice:d4 d8 d6")
    way = "Doom: a die the size of the hitch (d8), pays 1 PP"
    assert way in await options(table, "gm", rolled, "Hitches")
    done = await do(table, "gm", rolled, "Hitches", {"What": way})
    assert CORTEX.of((await seen(table))[1]).doom == {6: 2, 8: 1}
    assert "Hitches: 1" in labels(done)


async def test_H2_an_opportunity_steps_stress_down(table: Game) -> None:
    await table.play("gm: /stress add what:Physical who:Bob die:d8")
    table.dice.show((1, 4))
    rolled = await table.play("gm: /doom roll")
    done = await do(
        table, "alice", rolled, "Opportunities: 1", {"What": "Step Bob · Physical stress down to d6"}
    )
    assert "Bob · Physical stress d6 (was d8)" in done.text


async def test_H2_all_opportunities_are_offered_first_for_the_one_price(table: Game) -> None:
    await table.play(
        "gm: /comp add what:Lost who:Alice die:d10",
        "gm: /comp add what:Cold who:Alice die:d4",
        "bob: /asset add what:Rope",
    )
    table.dice.show((1, 1))
    rolled = await table.play("gm: /doom roll")
    form = (await table.alice.press(rolled, "Opportunities: 2")).form
    assert form is not None
    assert form.title == "2 opportunities, for 1 PP"
    assert [option.label for option in form.field("What").options] == [
        "Step Alice · Lost down (d6 if you use all)",
        "Remove Alice · Cold",
        "Step Bob · Rope up (d10 if you use all)",
    ]
    done = await table.alice.submit(form, {})
    assert "Alice · Lost d6 (was d10)" in done.text
    assert "Alice: 0 PP" in done.text
    assert "Opportunities" not in " ".join(labels(done))


async def test_H2_fewer_opportunities_leave_the_rest(table: Game) -> None:
    await table.play("gm: /comp add what:Lost who:Alice die:d10")
    table.dice.show((1, 1))
    rolled = await table.play("gm: /doom roll")
    done = await do(table, "alice", rolled, "Opportunities: 2", {"How many": "1"})
    assert "Alice · Lost d8 (was d10)" in done.text
    assert "Opportunities: 1" in labels(done)


# K1: doom dice join a crisis


async def test_K1_doom_dice_join_a_crisis(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:d6", "gm: /crisis add from_doom:2d6 into:d8")
    at = (await seen(table))[1]
    here = CORTEX.of(at)
    assert here.doom == {}
    assert here.crises["fire"].dice == {6: 1, 8: 1}
    refused = await table.says("gm: /crisis add from_doom:2d6 into:d8")
    assert is_refused(refused)


# T5: a failed recovery that nobody applied


async def test_T5_a_failed_recovery_happens_when_the_scene_ends(table: Game) -> None:
    await table.play("alice: /comp add what:Lost die:d6")
    table.dice.show((1, 1, 2), (6, 6, 5))
    await table.play("alice: /comp recover what:Lost dice:2d8 d10 vs:3d6")
    ended = await table.play("gm: /scene end")
    assert "Alice · Lost d10 (was d6)" in ended.text
    assert CORTEX.has((await seen(table))[1].characters["alice"]).complications["lost"].die == 10


@pytest.mark.parametrize("kind", ["comp", "stress"])
async def test_T5_a_recovery_between_scenes_is_open_again_in_the_next(table: Game, kind: str) -> None:
    await table.play("gm: /scene end", f"alice: /{kind} add what:Mental die:d8")
    table.dice.show((3, 2), (1, 1, 2))
    rolled = await table.play(f"alice: /{kind} recover what:Mental dice:2d8 vs:3d6")
    await do(table, "alice", rolled, "Apply")
    again = f"bob: /{kind} recover what:Mental who:Alice dice:2d8"
    assert "Wait for the next scene" in (await table.says(again)).text
    await table.play("gm: /scene start name:Later", again)


async def test_T5_a_recovery_rolled_between_scenes_happens_when_the_next_starts(table: Game) -> None:
    await table.play("gm: /scene end", "alice: /comp add what:Lost die:d6")
    table.dice.show((8, 7, 10), (1, 1, 2))
    await table.play("alice: /comp recover what:Lost dice:2d8 d10 vs:3d6")
    begun = await table.play("gm: /scene start name:Later")
    assert "Alice · Lost is gone" in begun.text


# R3, R7: whose are the steps


async def test_R3_the_best_way_to_share_the_steps_is_recommended(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d6")
    table.dice.show((6, 6, 6, 6), (1, 2))
    rolled = await table.play("alice: /roll dice:4d6 vs:Fire")
    bought = await do(table, "alice", rolled, "Spend", {"What": "Another effect die"})
    assert [label for label in labels(bought) if label.startswith("Apply")] == [
        "Apply d8 to Fire",
        "Apply the other d8 to Fire",
    ]
    once = await do(table, "alice", bought, "Apply d8", {"Dice": "d6: is removed"})
    twice = await do(table, "alice", once, "Apply d8")
    assert CORTEX.of((await seen(table))[1]).crises == {}
    assert "Crisis Fire" in twice.text


async def test_R3_the_roller_may_share_the_steps_another_way(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d6")
    table.dice.show((6, 6, 6, 6), (1, 2))
    rolled = await table.play("alice: /roll dice:4d6 vs:Fire")
    bought = await do(table, "alice", rolled, "Spend", {"What": "Another effect die"})
    refused = await table.bob.press(bought, "Effect d10 and d6")
    assert is_refused(refused)
    other = await do(table, "alice", bought, "Effect d10 and d6")
    assert [label for label in labels(other) if label.startswith("Apply")] == [
        "Apply d10 to Fire",
        "Apply d6 to Fire",
    ]
    assert "Effect d8 and d8" in labels(other)


async def test_R3_several_ways_to_share_steps_are_a_form(table: Game) -> None:
    await table.play("gm: /pp give who:Alice")
    table.dice.show((8, 8, 7, 6, 4))
    rolled = await table.play("alice: /roll dice:2d8 3d6 vs:0")
    once = await do(table, "alice", rolled, "Spend", {"What": "Another effect die"})
    twice = await do(table, "alice", once, "Spend", {"What": "Another effect die"})
    ways = await options(table, "alice", twice, "Place 3 steps")
    assert len(ways) > 2
    done = await do(table, "alice", twice, "Place 3 steps", {"What": ways[-1]})
    sizes = ways[-1].removeprefix("Effect ").replace(" and ", ", ").split(", ")
    assert [label for label in labels(done) if label.startswith("Apply")] == [f"Apply {s}" for s in sizes[:2]]


# R1: any usable dice


async def test_R1_other_dice_than_the_listed_choices_can_be_kept(table: Game) -> None:
    table.dice.show((8, 7, 3, 2))
    rolled = await table.play("alice: /roll dice:d8 d10 d6 d4 vs:6")
    assert "Other dice" in labels(rolled)
    refused = await table.bob.press(rolled, "Other dice")
    assert is_refused(refused)
    form = (await table.alice.press(rolled, "Other dice")).form
    assert form is not None
    done = await table.alice.submit(form, {"Total": ["d6: 3", "d4: 2"], "Effect": "d8: 8"})
    assert "Total 5, effect d8" in done.text
    assert "vs 6: failure" in done.text


async def test_R1_what_cannot_be_kept_is_refused(table: Game, subtests: pytest.Subtests) -> None:
    table.dice.show((8, 7, 3, 2))
    rolled = await table.play("alice: /roll dice:d8 d10 d6 d4 vs:6")
    for fields, because in (
        (
            {"Total": ["d8: 8", "d10: 7"], "Effect": "d8: 8"},
            "count toward the total or the effect, not both",
        ),
        ({"Total": ["d8: 8", "d10: 7"], "Effect": []}, "Choose 1 die for the effect"),
        ({"Total": ["d8: 8", "d10: 7"], "Effect": ["d6: 3", "d4: 2"]}, "Choose 1 die for the effect"),
    ):
        with subtests.test(fields=str(fields)):
            form = (await table.alice.press(rolled, "Other dice")).form
            assert form is not None
            refused = await table.alice.submit(form, fields)
            assert is_refused(refused)
            assert because in refused.text
            assert "Total 11, effect d12" in (await table.says("bob: /log count:1")).text


async def test_R1_the_gm_moderates_the_opposition_with_any_dice(table: Game) -> None:
    table.dice.show((4, 3, 2), (8, 7, 2))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:3d8")
    form = (await table.gm.press(rolled, "Oppose")).form
    assert form is not None
    picked = {"What": "Other dice, as chosen below", "Total": ["d8: 2", "d8: 7"], "Effect": "d8: 8"}
    done = await table.gm.submit(form, picked)
    assert "vs 9" in done.text


async def test_R1_heroic_keeps_up_to_two(game: Game) -> None:
    await game.table("heroic")
    game.dice.show((7, 5, 1))
    rolled = await game.play("alice: /roll dice:d8 d10 d6 vs:4")
    assert "vs 4: success by 3\nTotal 7, effect d10" in rolled.text
    assert "Total 12, effect d6: heroic" in labels(rolled)


async def test_R7_the_effect_of_a_roll_is_told_the_same_everywhere(table: Game) -> None:
    table.dice.show((8, 7, 6, 3))
    rolled = await table.play("alice: /roll dice:d10 2d8 d6 vs:10 note:Jump")
    assert "\nTotal 15, effect d10. " in rolled.text
    assert labels(rolled)[:1] == ["Apply d10"]
    told = "Total 15, effect d10, vs 10: heroic success by 5"
    assert told in (await table.says("bob: /log count:1")).text
    assert any(told in choice.name for choice in await table.alice.complete("/undo step:"))
    assert told in (await table.says("alice: /undo")).text


async def test_R4_another_choice_says_how_it_would_go(table: Game) -> None:
    table.dice.show((3, 6, 9), (5, 4, 3))
    rolled = await table.play("alice: /roll dice:d8 d10 d12 vs:8")
    assert "vs 8: success by 1\nTotal 9, effect d12" in rolled.text
    assert {"Total 15, effect d10: heroic", "Total 12, effect d10"} <= set(labels(rolled))
    pressed = await table.alice.press(rolled, "Total 15, effect d10: heroic")
    assert "vs 8: heroic success by 7\nTotal 15, effect d10" in pressed.text
    assert "Total 9, effect d12: success" in labels(pressed)
    paid = await table.play("alice: /roll dice:3d6 vs:11")
    assert "Total 12, effect d4 for 1 PP: success" in labels(paid)


# Z1: hero dice


HERO = ON + "heroic success value:hero dice and effect"


async def test_Z1_a_hero_die_is_banked_at_once_for_the_next_roll(table: Game) -> None:
    await table.play(HERO, "gm: /pp give who:Alice number:3")
    table.dice.show((6, 6, 8), (2, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:2d10")
    assert "Bank d10" in labels(rolled)
    assert is_refused(await table.bob.press(rolled, "Bank d10"))
    done = await do(table, "alice", rolled, "Bank d10")
    assert "Alice: hero dice d10 (d10 added)" in done.text
    assert "Bank d10" not in labels(done)
    assert "Spend" in labels(done)
    assert not [o for o in await options(table, "alice", done, "Spend") if o.startswith("Hero")]
    table.dice.show((4, 3, 2))
    following = await table.play("alice: /roll dice:2d6 d8 vs:11")
    assert "Hero d10: roll it and add it to the total" in await options(table, "alice", following, "Spend")


async def test_Z1_what_nobody_banked_is_banked_when_the_scene_ends(table: Game) -> None:
    await table.play(HERO)
    table.dice.show((6, 6, 8), (2, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:2d10")
    await do(table, "alice", rolled, "Apply d10", {"What": "Asset d10", "Name": "Rope", "On": "Alice"})
    assert CORTEX.has((await seen(table))[1].characters["alice"]).hero == {}
    await table.play("gm: /scene end")
    assert CORTEX.has((await seen(table))[1].characters["alice"]).hero == {10: 1}


async def test_Z1_a_banked_roll_stays_a_heroic_success(table: Game) -> None:
    await table.play(HERO)
    table.dice.show((6, 6, 8), (2, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:2d10")
    done = await do(table, "alice", rolled, "Bank d10")
    form = (await table.alice.press(done, "Other dice")).form
    assert form is not None
    table.dice.show()
    refused = await table.alice.submit(form, {"Total": ["d6: 6", "d6: 6"], "Effect": "d8: 8"})
    assert refused.text
    assert CORTEX.has((await seen(table))[1].characters["alice"]).hero == {10: 1}


@pytest.mark.parametrize("is_spent", [False, True])
async def test_Z1_the_gms_ruling_takes_back_a_banked_die_that_is_not_spent(
    table: Game, is_spent: bool
) -> None:
    await table.play(HERO, "gm: /pp give who:Alice number:3")
    table.dice.show((6, 6, 8), (2, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:2d10")
    await do(table, "alice", rolled, "Bank d10")
    if is_spent:
        table.dice.show((4, 3, 2), (5,))
        await table.play("alice: /roll dice:2d6 d8 vs:11", "alice: /hero use die:d10 as:total")
    table.dice.show((9,))
    ruled = await do(table, "gm", rolled, "Oppose", {"More in the way": "d12"})
    assert "Alice, vs 12: success by 2" in ruled.text
    log = (await table.says("gm: /log")).text.splitlines()[1]
    became = "stays spent" if is_spent else "removed"
    assert log.endswith(f"; Alice: hero dice empty (d10 {became}: no heroic success any more)")
    assert log.count("hero dice") == 1
    assert CORTEX.has((await seen(table))[1].characters["alice"]).hero == {}
    assert not [label for label in labels(ruled) if label.startswith("Bank")]
    await table.play("gm: /undo")
    hero = CORTEX.has((await seen(table))[1].characters["alice"]).hero
    assert hero == ({} if is_spent else {10: 1})


BUILDS_ON = "can't be undone by itself: step"


@pytest.mark.parametrize(
    ("deeds", "rain", "is_refused"),
    [
        (("Bank d10", "hero"), 9, True),  # success by 3 without the hero die, which banks none
        (("Bank d10", "hero"), 3, False),
        (("hero",), 9, True),  # the choice before is no longer the best one
        (("Total 14, effect d8",), 9, True),
        (("Total 14, effect d8",), 2, False),
    ],
)
async def test_T3_Z1_an_undo_before_a_ruling_leaves_a_roll_that_fits_or_is_refused(
    table: Game, deeds: tuple[str, ...], rain: int, is_refused: bool
) -> None:
    await table.play(HERO, "gm: /pp give who:Alice number:3", "gm: /hero give who:Alice die:d8")
    table.dice.show((6, 6, 8), (2, 3), *([(5,)] if "hero" in deeds else []), (rain,))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:2d10")
    for deed in deeds:
        if deed == "hero":
            await table.play("alice: /hero use die:d8 as:total")
        else:
            await table.alice.press(rolled, deed)
    await do(table, "gm", rolled, "Oppose", {"More in the way": "Rain d12"})
    before = (await seen(table))[1]
    undone = await table.says("alice: /undo")
    assert (BUILDS_ON in undone.text) is is_refused
    after = (await seen(table))[1]
    assert (after == before) is is_refused
    (roll,) = CORTEX.of(after).rolls.values()
    how = verdict(roll)
    assert how is not None
    assert not roll.banked or how.result is Result.HEROIC
    assert not misjudged_rolls(after, before)


async def test_R3_P2_a_bought_effect_die_that_was_used_is_not_undone_by_itself(table: Game) -> None:
    table.dice.show((6, 6, 8, 5), (2, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 d10 vs:2d10")
    number = (await seen(table))[0]
    await do(table, "alice", rolled, "Spend", {"What": "Another effect die"})
    await do(table, "gm", rolled, "Apply d8", {"What": "Asset d8", "Name": "Rope", "On": "Bob"})
    refused = await table.says(f"gm: /undo step:{number + 1}")
    assert BUILDS_ON in refused.text


async def test_Z1_hero_dice_alone_leave_the_effect_as_it_is(table: Game) -> None:
    await table.play(ON + "heroic success value:both", ON + "heroic success value:hero dice")
    table.dice.show((6, 6, 8), (2, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:2d10")
    assert "heroic success by" in rolled.text
    assert "Effect stepped up" not in rolled.text
    assert "Bank d10" in labels(rolled)
    assert "Apply d6" in labels(rolled) or "Apply d8" in labels(rolled)


# D3, D4: doubling, and dice from doom


async def test_D3_a_doubled_trait_is_within_the_usual_pool_also_by_last(table: Game) -> None:
    await table.play("alice: /character set trait:Mind die:d10 trait_set:Attributes")
    first = await table.play("alice: /roll dice:double Mind, d6 vs:11")
    assert "over the limit" not in first.text
    again = await table.play("alice: /roll dice:last vs:11")
    assert "over the limit" not in again.text
    assert again.text.count("Mind d10") == 2
    assert (
        "over the limit. Press Spend to pay"
        in (await table.play("alice: /roll dice:Mind, Mind d10, d6")).text
    )


async def test_D4_a_doom_die_goes_into_a_pool_and_back_stepped_up(table: Game) -> None:
    await table.play("gm: /doom set dice:d6 d8")
    table.dice.show((5, 4, 3))
    rolled = await table.play("gm: /roll dice:from doom d8, 2d6")
    assert CORTEX.of((await seen(table))[1]).doom == {6: 1}
    assert is_refused(await table.alice.press(rolled, "Back to doom d10"))
    done = await do(table, "gm", rolled, "Back to doom d10")
    assert "Back to doom d10" not in labels(done)
    assert CORTEX.of((await seen(table))[1]).doom == {6: 1, 10: 1}


async def test_D4_dice_that_do_not_come_from_doom_are_refused(table: Game, subtests: pytest.Subtests) -> None:
    for line, because in (
        ("alice: /roll dice:from doom d6, 2d6", "Only the GM can take dice from doom"),
        ("gm: /roll dice:from doom d12, 2d6", "has no d12"),
        ("gm: /roll dice:2d6 from doom", "Type the die to take from doom"),
        ("gm: /pool add name:Escape dice:from doom d6", "You can take doom dice only when you roll."),
    ):
        with subtests.test(line=line):
            refused = await table.says(line)
            assert is_refused(refused)
            assert because in refused.text
            assert CORTEX.of((await seen(table))[1]).doom == {6: 2}


async def test_D4_an_sfx_that_says_so_takes_a_doom_die(table: Game) -> None:
    await table.play("alice: /sfx add name:Dare benefit:from doom d6 cost:1 PP")
    table.dice.show((5, 4, 3))
    rolled = await table.play("alice: /roll dice:2d6, Dare")
    assert "Doom d6: 3" in rolled.text
    assert CORTEX.of((await seen(table))[1]).doom == {6: 1}


# Sheets


async def test_an_example_sheet_has_no_description_for_a_heading(
    game: Game, subtests: pytest.Subtests
) -> None:
    for ruleset in ("prime", "heroic", "empire", "adept"):
        with subtests.test(ruleset=ruleset):
            place = game.discord.channel(ruleset)
            new = await game.gm.slash(f"/campaign new name:Skyfall ruleset:{ruleset}", place)
            form = (await game.alice.press(new, "Join")).form
            assert form is not None
            sheet = form.field("Sheet")
            heads = [line.partition(":")[0] for line in str(sheet.default).split("\n")]
            assert ("Resources" in heads) is (ruleset == "empire")
            assert "Signature assets" in heads
            assert not [head for head in heads if " or " in head or head == "Ability sets"]
            if ruleset == "heroic":
                assert heads[:3] == ["Distinctions", "Aptitudes", "Abilities"]


async def test_a_die_alone_is_the_trait_of_its_set(table: Game) -> None:
    form = (await table.says("alice: /character edit")).form
    assert form is not None
    await table.alice.submit(form, {"Sheet": "Tier: d8\nskills: Climb d6"})
    shown = await table.says("alice: /character show")
    assert "Tier Tier d8" in shown.text
    await table.play("alice: /character set trait:Fly die:d8 trait_set:SKILLS")
    assert "skills Climb d6, Fly d8" in (await table.says("alice: /character show")).text


# O: One-Roll


async def test_O3_special_dice_may_outnumber_normal_ones(table: Game) -> None:
    assert "10" in (await table.play("bob: /ore roll dice:1d 3h")).text
    assert "2×10" in (await table.play("bob: /ore roll dice:2h")).text
    refused = await table.says("bob: /ore roll dice:5d 11h")
    assert is_refused(refused)
    assert "10 of a kind" in refused.text


async def test_O5_a_crowd_says_that_it_rolls_the_quick_way(table: Game) -> None:
    assert "3 quick rolls" in (await table.play("gm: /ore crowd dice:4d count:3")).text


# Odds


async def test_odds_leave_out_what_is_nothing(table: Game) -> None:
    text = (await table.says("alice: /odds dice:2d6 vs:11")).text
    assert "0.0%" not in text
    assert "Success 2.8%" in text
    assert "0.0%" not in (await table.says("alice: /odds dice:2d4 vs:19")).text


async def test_R8_odds_of_a_heroic_success_are_those_of_the_choice_that_stands(table: Game) -> None:
    """Of d4 d12 against 0 with a third die, a larger effect often stands instead of five more."""
    text = (await table.says("alice: /odds dice:d12 vs:1")).text
    assert "Success 91.7%" in text
    assert "Heroic 58.3%" in text


async def test_T5_a_failed_recovery_of_a_d12_says_that_it_goes_past_it(table: Game) -> None:
    await table.play("gm: /comp add what:Arm die:d12 who:Alice")
    table.dice.show((1, 7), (9, 8, 8))
    rolled = await table.play("alice: /comp recover what:Arm dice:2d8 vs:d12 2d8")
    done = await do(table, "alice", rolled, "Apply: Arm up past d12")
    assert "Alice is taken out by Arm" in done.text


async def test_Z1_a_hero_die_that_shows_1_is_taken_back_instead_of_the_pp(table: Game) -> None:
    await table.play(HERO, "gm: /hero give who:Alice die:d8", "gm: /pp set who:Alice number:1")
    table.dice.show((6, 6, 8), (1,))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:30", "alice: /hero use as:total")
    assert not [label for label in labels(rolled) if label.startswith("Take back")]
    bought = await do(table, "gm", rolled, "Hitches: 1", {"Name": "Slip"})
    assert CORTEX.has((await seen(table))[1].characters["alice"]).pp == 1
    assert is_refused(await table.bob.press(bought, "Take back hero d8 for 1 PP"))
    presses = (table.alice.press(bought, "Take back hero d8 for 1 PP") for _ in range(2))
    done, late = sorted(await asyncio.gather(*presses), key=is_refused)
    assert "Hero d8: 1 (removed" in done.text
    alice = CORTEX.has((await seen(table))[1].characters["alice"])
    assert (alice.pp, alice.hero) == (0, {8: 1})
    assert is_refused(late)
    assert "That roll has no hero die to take back." in late.text


async def test_Z1_a_hitch_of_another_die_gives_no_hero_die_back(table: Game) -> None:
    await table.play(HERO, "gm: /hero give who:Alice die:d8", "gm: /pp set who:Alice number:1")
    table.dice.show((6, 1, 8), (5,))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:30", "alice: /hero use as:total")
    bought = await do(table, "gm", rolled, "Hitches: 1", {"Name": "Slip"})
    assert not [label for label in labels(bought) if label.startswith("Take back")]


# C3, C4, D3, T2


async def test_C3_an_effect_makes_what_is_there_larger_by_the_menu(table: Game) -> None:
    await table.play(
        "gm: /gmc new name:Rex dice:Fangs d6, Swift d6",
        "gm: /comp add what:Burnt who:Rex die:d6",
        "gm: /comp add what:Fog who:scene die:d10",
        "gm: /asset add what:Rope who:Alice die:d8",
    )
    table.dice.show((6, 6, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:9")
    offered = await options(table, "alice", rolled, "Apply d8")
    assert offered[-3:] == [
        "Alice · Rope d8: steps up",
        "Rex · Burnt d6: becomes d8",
        "Scene · Fog d10: steps up",
    ]
    form = (await table.alice.press(rolled, "Apply d8")).form
    refused = await table.alice.submit(form, {"What": "Rex · Burnt d6: becomes d8", "Name": "Wet"})
    assert is_refused(refused)
    assert "d6 doesn't need a name" in refused.text
    done = await table.alice.submit(form, {"What": "Rex · Burnt d6: becomes d8"})
    assert "Rex · Burnt d8" in done.text
    assert CORTEX.has((await seen(table))[1].characters["rex"]).complications["burnt"].die == 8


async def test_C3_whoever_lost_a_contest_has_what_is_there_in_the_menu(table: Game) -> None:
    await table.play("gm: /comp add what:Burnt who:Bob die:d6")
    table.dice.show((3, 2), (6, 5, 4))
    await table.play("bob: /contest start dice:2d6 against:Alice", "alice: /contest answer dice:2d6 d8")
    await table.play("bob: /contest givein")
    rolled = next(each for each in reversed(table.discord.messages()) if "Apply" in str(each.components))
    offered = await options(table, "alice", rolled, "Apply")
    assert "Bob · Burnt d6: becomes d10" in offered


async def test_C3_what_is_gone_since_the_menu_was_opened_is_said(table: Game) -> None:
    await table.play("gm: /comp add what:Fog who:scene die:d10")
    table.dice.show((6, 6, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:9")
    form = (await table.alice.press(rolled, "Apply d8")).form
    await table.play("gm: /comp remove what:Fog")
    late = await table.alice.submit(form, {"What": "Scene · Fog d10: steps up"})
    assert is_refused(late)
    assert "That trait is gone" in late.text


async def test_C4_the_gm_waives_the_price_of_a_player_who_has_no_pp(table: Game) -> None:
    await table.play("gm: /pp set who:Alice number:0", "gm: /comp add what:Burnt who:Alice die:d12")
    out = await table.play("gm: /comp stepup what:Burnt who:Alice")
    refused = await table.alice.submit((await table.alice.press(out, "Stay in: Alice")).form, {})
    assert is_refused(refused)
    assert "Alice has none. The GM can give some: /pp" in refused.text
    form = (await table.gm.press(out, "Stay in: Alice")).form
    assert form is not None
    assert form.title == "Stay in for free"
    done = await table.gm.submit(form, {"Name": "Shaken"})
    assert "Alice · Shaken d6" in done.text
    alice = CORTEX.has((await seen(table))[1].characters["alice"])
    assert (alice.pp, alice.is_taken_out) == (0, False)


async def test_C4_by_command_the_gm_waives_it_too(table: Game) -> None:
    await table.play("gm: /pp set who:Alice number:0", "gm: /comp add what:Burnt who:Alice die:d12")
    await table.play("gm: /comp stepup what:Burnt who:Alice")
    assert "Alice · Shaken d6" in (await table.play("gm: /comp stayin who:Alice name:Shaken")).text


async def test_D3_a_die_that_is_split_is_past_no_limit(table: Game) -> None:
    await table.play("alice: /character set trait:Climb die:d10 trait_set:Skills")
    rolled = await table.play("alice: /roll dice:split Climb + d6 vs:9")
    assert "over" not in rolled.text
    assert "A die over the limit" not in await options(table, "alice", rolled, "Spend")


async def test_each_takeout_is_avoided_at_its_own_price(table: Game) -> None:
    await table.play("gm: /pp set who:Alice number:2")
    for what in ("Hit", "Hot"):
        await table.play(f"gm: /comp add what:{what} d12 who:Alice")
        out = await table.play(f"gm: /comp stepup what:Alice · {what}")
    form = (await table.alice.press(out, "Stay in: Alice")).form
    assert form is not None
    assert form.title == "Stay in for 2 PP"
    stayed = await table.alice.submit(form, {"Name": "Scratch"})
    for said in ("Alice: 0 PP (-2, staying in)", "Alice stays in", "Scratch d6", "Scratch 2 d6"):
        assert said in stayed.text
    await table.play(
        "gm: /comp stepup what:Alice · Hit", "gm: /comp stepup what:Alice · Hot", "gm: /pp give who:Alice"
    )
    refused = await table.says("alice: /comp stayin name:Scratch")
    assert refused.text == "That costs 2 PP; Alice has 1. The GM can give more: /pp give"


async def test_trauma_from_stress_is_no_takeout_of_its_own(table: Game) -> None:
    await table.play(
        "gm: /stress add what:physical die:d12 who:Alice",
        "gm: /stress add what:physical die:d12 who:Alice trauma:true",
    )
    out = await table.play("gm: /stress stepup what:Alice · physical")
    assert "Alice stays in" in (await table.play("alice: /comp stayin name:Scratch")).text
    assert "1 PP" in out.text


@pytest.mark.parametrize("ruleset", ["prime", "empire", "adept"])
async def test_the_gm_keeps_a_gmc_in_for_what_the_game_has(game: Game, ruleset: str) -> None:
    await game.table(ruleset)
    await game.play("gm: /gmc new name:Ann dice:Mean d8 kind:minor", "gm: /comp add what:Hit d12 who:Ann")
    out = await game.play("gm: /comp stepup what:Ann · Hit")
    assert "The GM can keep them in, with a new complication d6." in out.text
    assert "PP" not in out.text
    form = (await game.gm.press(out, "Stay in: Ann")).form
    assert form is not None
    assert form.title == ("Stay in for a doom die" if ruleset == "adept" else "Stay in for free")
    assert "Ann stays in" in (await game.gm.submit(form, {"Name": "Limp"})).text


async def test_T2_very_hard_is_a_pair_of_the_largest_dice_there_are(table: Game) -> None:
    await table.play(ON + "opposition value:dice", ON + "sizes value:d4, d6, d8, d10, d12, d20")
    assert "very hard 2d20" in (await table.play("alice: /roll dice:2d6 d8 vs:very hard")).text
    await table.play(ON + "sizes value:d4, d6, d8")
    assert "very hard 2d8" in (await table.play("alice: /roll dice:2d6 d8 vs:very hard")).text
    assert "hard 2d8" in (await table.play("alice: /roll dice:2d6 d8 vs:hard")).text


async def test_T5_stress_is_found_by_its_track_behind_its_owner(table: Game) -> None:
    await table.play("gm: /stress add what:Physical who:Bob die:d8")
    rolled = await table.play("alice: /stress recover what:Bob · Physical dice:2d6 d8 vs:5")
    assert "To recover: Bob · Physical stress d8" in rolled.text
    refused = await table.says("alice: /stress recover what:Bob · Wit d8 dice:2d6 d8")
    assert is_refused(refused)
    assert "There's no stress called \"Bob · Wit" in refused.text


# What the GM looks at


async def test_B2_gmcs_are_shown_with_all_they_have(table: Game) -> None:
    await table.play(
        "gm: /gmc new name:Rex dice:Fangs d10, Swift d8",
        "gm: /dist add what:Angry who:Rex",
        "gm: /asset add what:Cloak who:Rex die:d6",
        "gm: /comp add what:Burnt who:Rex die:d8",
        "gm: /stress add what:Physical who:Rex die:d6",
        "gm: /sfx add name:Rend benefit:double Fangs who:Rex",
    )
    shown = await table.says("bob: /gmc show")
    assert shown.text.splitlines()[:2] == [
        "Rex (minor). Traits: Fangs d10, Swift d8. Distinctions: Angry d8. Assets: Cloak d6. "
        "Complications: Burnt d8. Stress: Physical stress d6",
        "Rex · SFX Rend: double Fangs",
    ]
    out = await table.play("gm: /stress stepup what:Physical who:Rex steps:5")
    assert "taken out" in out.text
    assert "Taken out" in (await table.says("bob: /gmc show")).text


async def test_L2_one_of_several_challenges_is_shown_alone_and_shared(table: Game) -> None:
    await table.play(
        "gm: /challenge new name:Race difficulty:hard", "gm: /challenge new name:Climb difficulty:easy"
    )
    shown = await table.says("bob: /challenge show name:race")
    assert "Challenge Race" in shown.text
    assert "Climb" not in shown.text
    shared = await table.bob.press(shown, "Share")
    assert "Challenge Race" in shared.text
    assert "Climb" not in shared.text
    await table.play("gm: /challenge end name:Race")
    late = await table.bob.press(shown, "Share")
    assert is_refused(late)
    assert "That's no longer at the table." in late.text
    assert is_refused(await table.says("bob: /challenge show name:Nothing"))


async def test_C4_what_was_free_when_the_form_was_opened_stays_free(table: Game) -> None:
    await table.play("gm: /pp set who:Alice number:0", "gm: /comp add what:Burnt who:Alice die:d12")
    out = await table.play("gm: /comp stepup what:Burnt who:Alice")
    form = (await table.gm.press(out, "Stay in: Alice")).form
    await table.play("gm: /pp set who:Alice number:2")
    await table.gm.submit(form, {"Name": "Shaken"})
    assert CORTEX.has((await seen(table))[1].characters["alice"]).pp == 2


async def test_Z1_each_pp_that_a_hitch_paid_gives_one_hero_die_back(table: Game) -> None:
    await table.play(HERO, "gm: /hero give who:Alice die:d8", "gm: /hero give who:Alice die:d10")
    await table.play("gm: /pp set who:Alice number:4")
    table.dice.show((6, 6, 8), (1,), (1,))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:30", "alice: /hero use", "alice: /hero use")
    bought = await do(table, "gm", rolled, "Hitches: 2", {"Name": "Slip"})
    (back,) = [label for label in labels(bought) if label.startswith("Take back")]
    done = await do(table, "alice", bought, back)
    assert "taken back" in done.text
    assert not [label for label in labels(done) if label.startswith("Take back")]


async def test_Z1_without_the_pp_no_hero_die_comes_back(table: Game) -> None:
    await table.play(HERO, "gm: /hero give who:Alice die:d8", "gm: /pp set who:Alice number:1")
    table.dice.show((6, 6, 8), (1,))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:30", "alice: /hero use as:total")
    bought = await do(table, "gm", rolled, "Hitches: 1", {"Name": "Slip"})
    await table.play("gm: /pp set who:Alice number:0")
    refused = await table.alice.press(bought, "Take back hero d8 for 1 PP")
    assert is_refused(refused)
    assert "Alice has none. The GM can give some: /pp" in refused.text


async def test_C3_what_gets_no_larger_is_not_offered(table: Game) -> None:
    await table.play(
        "gm: /gmc new name:Rex dice:Fangs d6, Swift d6",
        "gm: /asset add what:Cover who:scene die:d12",
        "gm: /comp add what:Fog who:scene die:d12",
        "gm: /comp add what:Burnt who:Rex die:d12",
    )
    table.dice.show((6, 6, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:9")
    offered = await options(table, "alice", rolled, "Apply d8")
    assert "Rex · Burnt d12: takes the target out" in offered
    assert not [option for option in offered if "Cover" in option or "Fog" in option]


async def test_B2_gmcs_are_shown_with_resources_and_parts(table: Game) -> None:
    await table.play(
        ON + "resources value:on",
        "gm: /gmc new name:Rex dice:Fight d8, Swift d8",
        "gm: /character set trait:Gold die:d6 trait_set:Resources who:Rex",
        "gm: /character set trait:Knives die:d6 who:Rex part_of:Fight",
    )
    text = (await table.says("bob: /gmc show")).text
    assert "Traits: Fight d8 (> Knives d6), Swift d8" in text
    assert "Resources: Gold d6" in text


async def test_D8_suggestions_for_a_reroll_are_dice_and_for_removing_also_words(table: Game) -> None:
    table.dice.show((6, 3, 5))
    await table.play("alice: /roll dice:2d6 d8")
    dice = [str(each.value) for each in await table.alice.complete("/reroll dice:")]
    assert dice == ["d6: 6", "d6: 3", "d8: 5"]
    removed = [str(each.value) for each in await table.gm.complete("/reroll remove:true who:Alice dice:")]
    assert removed == [*dice, "highest", "ones"]


async def test_X1_suggestions_for_an_sfx_are_the_dice_of_the_last_roll_and_people(table: Game) -> None:
    await table.play("alice: /sfx add name:Luck benefit:reroll")
    table.dice.show((6, 3))
    await table.play("alice: /roll dice:2d6")
    found = [str(each.value) for each in await table.alice.complete("/sfx use name:Luck on:")]
    assert found[:2] == ["d6: 6", "d6: 3"]
    assert "Bob" in found


async def test_N22_the_gm_sees_whose_resource_joins_the_total(table: Game) -> None:
    await table.play(
        ON + "resources value:apart",
        "alice: /character set trait:Rope die:d6 trait_set:Resources",
        "gm: /pp set who:Alice number:0",
    )
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:9")
    assert "Add Rope d6 to the total (Alice's)" in await options(table, "gm", rolled, "Spend")
    assert "Add Rope d6 to the total" in await options(table, "alice", rolled, "Spend")


# What nobody names


async def test_C3_each_thing_that_nobody_named_is_a_thing_of_its_own_until_it_is_renamed(table: Game) -> None:
    for label in ("Trouble", "Trouble 2", "Trouble 3"):
        table.dice.show((1, 4, 5), (3, 2))
        rolled = await table.play("alice: /roll dice:d6 d8 d10 vs:doom note:Climb the wall")
        form = (await table.gm.press(rolled, "Hitches")).form
        assert form is not None
        assert form.field("Name").placeholder == "Climb the wall"
        done = await table.gm.submit(form, {"What": "New complication d6, pays 1 PP"})
        assert f"Alice · {label} d6 (complication)" in done.text
    for label in ("Advantage", "Advantage 2"):
        table.dice.show((2, 4, 5), (3, 2))
        rolled = await table.play("alice: /roll dice:d6 d8 d10 vs:doom")
        assert f"Alice · {label} d10 (asset)" in (await do(table, "alice", rolled, "Apply", {})).text
    renamed = await table.play("alice: /comp rename what:Trouble 2 to:Twisted ankle")
    assert renamed.text == "Alice · Twisted ankle d6 (was Trouble 2)"
    assert (await table.says("alice: /comp rename what:Trouble to:twisted ankle")).text == (
        "Alice already has Twisted ankle d6. Type another label."
    )
    assert is_refused(await table.says("bob: /comp rename what:Trouble to:Mine"))
    await table.play(
        "gm: /comp rename what:Trouble 3 to:Lost", "alice: /asset rename what:Advantage to:High ground"
    )
    shown = (await table.says("alice: /table show")).text
    for label in ("High ground d10", "Advantage 2 d10", "Trouble d6", "Twisted ankle d6", "Lost d6"):
        assert label in shown
    assert (await table.play("alice: /undo")).text == "Undone: Alice · Advantage d10 again"


async def test_C3_a_recovery_goes_on_where_its_complication_is_renamed(table: Game) -> None:
    await table.play("alice: /comp add what:Trouble")
    table.dice.show((6, 5, 8), (1, 2, 3))
    rolled = await table.play("bob: /comp recover what:Trouble who:Alice dice:2d6 d8")
    await table.play("gm: /comp rename what:Trouble to:Twisted ankle")
    assert "Alice · Twisted ankle is gone" in (await table.bob.press(rolled, "Apply")).text


async def test_B1_unnamed_effects_gather_on_a_boss_as_before(table: Game) -> None:
    await table.play("gm: /gmc new name:Rex dice:3d10 kind:boss", "gm: /gmc hit name:Rex die:d4")
    assert "Rex · Trouble d6" in (await table.play("gm: /gmc hit name:Rex die:d6")).text


# D5: a d12 that cannot step up


@pytest.mark.parametrize(
    ("benefit", "against", "answers", "rolled"),
    [
        ("up theirs", "Rex", ["Fangs d10", "Claws d10"], "d8 d10 2d12"),
        ("up theirs, up theirs", "Rex", ["Fangs d10", "Claws d10"], "d8 3d12"),
        ("up theirs", "d12 + 2d10", [], "d10 2d12"),
        ("up theirs", "d12 + Webbed + d10", ["Webbed d10", "d10"], "d10 2d12"),
        ("up theirs", "2d12", [], "d6 2d12"),
        ("up theirs", "Rex + d12 + Webbed", ["Fangs d10", "Claws d10", "Webbed d10"], "d8 2d10 3d12"),
        ("up theirs", "2d10 + Webbed", [], "2d10 d12"),
    ],
)
async def test_D5_a_tie_below_the_oppositions_d12_is_the_rollers_to_break(
    game: Game, benefit: str, against: str, answers: list[str], rolled: str
) -> None:
    await game.table("heroic")
    await game.play(
        "gm: /gmc new name:Rex dice:Bulk d12, Fangs d10, Claws d10, Tail d8",
        "gm: /comp add what:Webbed die:d10 who:Alice",
        f"alice: /sfx add name:Taunt benefit:1 PP cost:{benefit}",
    )
    line = f"alice: /roll dice:2d6 Taunt vs:{against}"
    for answer in answers or [""]:
        made = await game.says(line)
        if answer:
            assert made.text == "Which die steps up instead of the d12?"
            assert [button.label for button in made.buttons][: len(answers)] == answers
            made = await game.alice.press(made, answer)
        here = CORTEX.of((await seen(game))[1])
        against_it = here.rolls[max(here.rolls)].against
        assert against_it is not None
        assert against_it.hand is not None
        dice = against_it.hand.dice
        assert write_dice([die.size for die in dice]) == rolled
        label = answer.rpartition(" ")[0]
        assert not label or [die.size for die in dice if die.label == label] == [12]


@pytest.mark.parametrize(
    ("benefit", "pieces", "against", "answers", "dice"),
    [
        (
            "up Mind",
            ["Mind d12", "Sharp d10", "Quick d10", "Lift: up Mind"],
            "",
            ["Sharp d10", "Quick d10"],
            "d10 2d12",
        ),
        ("1 PP", ["Mind d12", "Taunt: 1 PP, for up theirs"], "Rex", ["Fangs d10", "Claws d10"], "d12"),
    ],
)
async def test_D5_a_pool_that_is_built_asks_about_a_tie_when_it_is_rolled(
    game: Game, benefit: str, pieces: list[str], against: str, answers: list[str], dice: str
) -> None:
    await game.table("heroic")
    for trait in TRAITS:
        await game.play(f"alice: /character set trait:{trait} trait_set:{trait.split()[0]}s")
    await game.play(
        "gm: /gmc new name:Rex dice:Bulk d12, Fangs d10, Claws d10",
        f"alice: /sfx add name:Lift benefit:{benefit}",
        "alice: /sfx add name:Taunt benefit:1 PP cost:up theirs",
    )
    built = await game.says("alice: /pool build")
    if against:
        built = await game.alice.choose(built, "Against", [against])
    built = await game.alice.choose(built, 0, pieces)
    typed = ", ".join(each.partition(":")[0] for each in pieces)
    odds = await game.says(f"alice: /odds dice:{typed} vs:{against or 11}")
    assert "Odds of" in odds.text, "either die makes the same odds"
    assert "Mean total" in built.text
    assert "Which die" not in built.text
    asked = await game.alice.press(built, "Roll")
    assert asked.text == "Which die steps up instead of the d12?"
    assert [button.label for button in asked.buttons][:2] == answers
    await game.alice.press(asked, answers[1])
    made = CORTEX.of((await seen(game))[1])
    roll = made.rolls[max(made.rolls)]
    assert write_dice([die.size for die in roll.hand.dice]) == dice
    stepped = roll.against.hand.dice if roll.against and roll.against.hand else roll.hand.dice
    assert [die.size for die in stepped if die.label == answers[1].split()[0]] == [12]


TRAITS = ("Mind die:d12", "Sharp die:d10", "Quick die:d10", "Brave die:d8")


@pytest.mark.parametrize(
    ("dice", "answers", "rolled"),
    [
        ("up Mind, Sharp, Quick", ["Sharp d10", "Quick d10"], "d10 2d12"),
        ("up Mind, Sharp, d10", ["Sharp d10", "d10"], "d10 2d12"),
        ("up Mind, 2d10", [], "d10 2d12"),
        ("up Mind, Sharp, Brave", [], "d8 2d12"),
        ("up up Mind, Sharp, Quick", ["Sharp d10", "Quick d10"], "3d12"),
        ("up Mind", [], "d6 d12"),
        ("up Sharp, Quick", [], "d10 d12"),
        ("Lift, Mind, Sharp, Quick", ["Sharp d10", "Quick d10"], "d10 2d12"),
        ("Jab, Stuck, Sharp, Quick", ["Sharp d10", "Quick d10"], "d10 2d12"),
    ],
)
async def test_D5_a_tie_below_the_d12_is_the_rollers_to_break(
    game: Game, dice: str, answers: list[str], rolled: str
) -> None:
    await game.table("heroic")
    for trait in TRAITS:
        await game.play(f"alice: /character set trait:{trait} trait_set:{trait.split()[0]}s")
    await game.play("gm: /comp add what:Stuck who:Bob die:d12", "alice: /sfx add name:Jab benefit:up Stuck")
    await game.play("alice: /sfx add name:Lift benefit:up Mind")
    line = f"alice: /roll dice:{dice}"
    if answers:
        for place, answer in enumerate(answers):
            asked = await game.says(line)
            assert asked.text == "Which die steps up instead of the d12?"
            assert [button.label for button in asked.buttons][: len(answers)] == answers
            made = await game.alice.press(asked, answer)
            label = answer.rpartition(" ")[0]
            if "up up" not in dice and label:
                assert f"{label} d12" in made.text, place
    else:
        made = await game.play(line)
    here = CORTEX.of((await seen(game))[1])
    assert write_dice([die.size for die in here.rolls[max(here.rolls)].hand.dice]) == rolled
