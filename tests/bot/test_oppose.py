"""What opposes a roll, put right by the GM after it was made (T3)."""

import asyncio

from bot.loopback.reply import BotReply, buttons_of
from rules.cortex.model import CORTEX
from tests.bot.test_buttons import is_refused, seen
from tests.game import Game


async def opposing(game: Game, rolled: BotReply, values: dict[str, object]) -> BotReply:
    """The GM's answer to what `Oppose` asks."""
    pressed = await game.gm.press(rolled, "Oppose")
    return await game.gm.submit(pressed.form, values)


async def test_T3_a_forgotten_complication_raises_the_number_and_costs_no_undo(table: Game) -> None:
    await table.play("gm: /comp add what:Broken Leg die:d8 who:Alice")
    table.dice.show((6, 5, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:9")
    assert "success by 2" in rolled.text
    done = await opposing(table, rolled, {"In the way": ["Alice · Broken Leg d8"]})
    assert "vs 13: failure" in done.text
    assert "Against 9 with Broken Leg d8" in done.text
    again = await opposing(table, done, {"In the way": []})
    assert "vs 9: success by 2" in again.text


async def test_T3_the_number_changes_and_keeps_what_is_in_the_way(table: Game) -> None:
    table.dice.show((6, 5, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:9 + d4")
    form = (await table.gm.press(rolled, "Oppose")).form
    assert form is not None
    assert form.field("Number").default == "9"
    done = await table.gm.submit(form, {"Number": "7", "More in the way": "d6"})
    assert "vs 12: failure" in done.text


async def test_T3_to_dice_each_joins_as_one_and_leaves_them(table: Game) -> None:
    await table.play("gm: /comp add what:Rain die:d8 who:scene")
    table.dice.show((6, 5, 3), (5, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:2d8")
    assert "success by 3" in rolled.text
    table.dice.show((8,))
    done = await opposing(table, rolled, {"In the way": ["Scene · Rain d8"]})
    assert "vs 13: failure" in done.text
    back = await opposing(table, done, {"In the way": []})
    assert "vs 8: success by 3" in back.text


async def test_T3_either_what_is_in_the_way_or_the_choice_of_dice(table: Game) -> None:
    table.dice.show((6, 5, 3), (5, 3, 7))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:3d8")
    refused = await opposing(table, rolled, {"What": "Other dice, as chosen below", "More in the way": "d6"})
    assert is_refused(refused)
    assert "Make that change first" in refused.text
    chosen = await opposing(
        table, rolled, {"What": "Other dice, as chosen below", "Total": ["0", "1"], "Effect": ["2"]}
    )
    assert "vs 8: success by 3" in chosen.text


async def test_T3_what_is_no_number_changes_nothing(table: Game) -> None:
    table.dice.show((6, 5, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:9")
    before = CORTEX.of((await seen(table))[1]).rolls
    for wrong, said in (
        ({"Number": "2d8"}, "A number opposes that"),
        ({"Number": "1000"}, "Choose 0 to 999"),
        ({"More in the way": "Snow"}, "no complication"),
        ({}, "That wouldn't change anything"),
    ):
        refused = await opposing(table, rolled, dict(wrong))
        assert is_refused(refused)
        assert said in refused.text
    assert CORTEX.of((await seen(table))[1]).rolls == before


async def test_T3_two_dice_that_oppose_can_be_put_right_with_an_empty_table(table: Game) -> None:
    table.dice.show((6, 5, 3), (5, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:2d8")
    await table.play("gm: /comp add what:Limp die:d8 who:Alice")
    table.dice.show((8,))
    done = await opposing(table, rolled, {"In the way": ["Alice · Limp d8"]})
    assert "vs 13: failure" in done.text


async def test_T3_a_complication_is_in_the_way_once(table: Game) -> None:
    await table.play("gm: /comp add what:Limp die:d8 who:Alice")
    table.dice.show((6, 5, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:9")
    twice = await opposing(table, rolled, {"In the way": ["Alice · Limp d8"], "More in the way": "Limp"})
    assert is_refused(twice)
    once = await opposing(table, rolled, {"More in the way": "Limp + d4 + d4"})
    assert "vs 17: failure" in once.text
    again = await opposing(table, once, {"More in the way": "Alice · Limp"})
    assert is_refused(again)
    assert "Limp d8 already opposes this roll" in again.text


async def test_T3_of_two_who_limp_each_is_in_the_way_by_name(table: Game) -> None:
    await table.play("gm: /comp add what:Limp die:d6 who:Alice", "gm: /comp add what:Limp die:d6 who:Bob")
    table.dice.show((6, 5, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:9 + Limp + Bob · Limp")
    assert "Against 9 with Limp d6, Bob · Limp d6" in rolled.text
    form = (await table.gm.press(rolled, "Oppose")).form
    assert form is not None
    assert [option.label for option in form.field("In the way").options] == ["Limp d6", "Bob · Limp d6"]
    once = await opposing(table, rolled, {"In the way": ["Bob · Limp d6"]})
    assert "vs 12: failure" in once.text
    assert "Against 9 with Bob · Limp d6" in once.text


async def test_D8_a_die_whose_1_was_used_stays_in_the_way(table: Game) -> None:
    await table.play(
        "gm: /comp add what:Rain who:scene die:d8",
        "gm: /comp add what:Leg who:Alice die:d8",
        "gm: /pp give who:Alice number:3",
    )
    table.dice.show((8, 8, 8), (3, 2, 1))
    rolled = await table.play("alice: /roll dice:3d8 vs:2d8 + Rain")
    form = (await table.alice.press(rolled, "Opportunities: 1")).form
    await table.alice.submit(form, {})
    assert CORTEX.has((await seen(table))[1].characters["alice"]).complications["leg"].die == 6
    refused = await opposing(table, rolled, {"In the way": []})
    assert is_refused(refused)
    assert "The 1 on Rain d8 was used as an opportunity, so you can't remove that die." in refused.text


async def test_T3_what_was_put_right_is_told_as_that(table: Game) -> None:
    await table.play("gm: /comp add what:Rain who:scene die:d8")
    table.dice.show((6, 3, 5))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:8")
    done = await opposing(table, rolled, {"In the way": ["Scene · Rain d8"]})
    assert done.text.count("with Rain d8") == 1
    log = (await table.says("alice: /log")).text.splitlines()
    assert "Alice: now against 8 with Rain d8; Alice: Total 11" in log[1]
    assert "Undone: “Alice: now against 8 with Rain d8" in (await table.play("gm: /undo")).text
    refused = await opposing(table, rolled, {"Number": "8.5"})
    assert "A number opposes that roll, so" in refused.text
    message = rolled.message
    assert message is not None
    await table.at_rest()
    assert any(each.label == "Total 11, effect d6" for each in buttons_of(message))
    await table.alice.press(rolled, "Total 11, effect d6")
    log = (await table.says("alice: /log")).text.splitlines()
    assert "Alice: now Total 11, effect d6, vs 8" in log[1]


async def test_T3_what_is_typed_twice_is_refused(table: Game) -> None:
    await table.play("gm: /comp add what:Limp die:d6 who:Alice")
    for vs in ("9 + Limp + Limp", "2d8 + Limp + limp d6", "doom + Alice · Limp + Limp"):
        refused = await table.says(f"alice: /roll dice:2d6 d8 vs:{vs}")
        assert is_refused(refused)
        assert "Limp d6 already opposes this roll, and counts only once." in refused.text
    assert "13 in all" in (await table.says("alice: /odds dice:2d6 d8 vs:9 + d4 + d4")).text
    asked = await table.says("alice: /odds dice:2d6 d8 vs:9 + Limp")
    assert "vs 12" in asked.text.splitlines()[0]


async def test_T3_only_the_gm_and_only_until_an_effect_is_applied(table: Game) -> None:
    table.dice.show((6, 5, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:9")
    assert "Only the GM" in (await table.alice.press(rolled, "Oppose")).text
    form = (await table.gm.press(rolled, "Oppose")).form
    await table.alice.submit((await table.alice.press(rolled, "Apply d8")).form, {"Name": "Rope"})
    late = await table.gm.submit(form, {"Number": "20"})
    assert is_refused(late)
    assert "applied" in late.text


async def test_T3_of_two_who_correct_at_once_each_counts(table: Game) -> None:
    table.dice.show((6, 5, 3))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:9")
    forms = [(await table.gm.press(rolled, "Oppose")).form for _ in range(2)]
    await asyncio.gather(
        table.gm.submit(forms[0], {"More in the way": "d4"}),
        table.gm.submit(forms[1], {"Number": "8"}),
    )
    against = next(iter(CORTEX.of((await seen(table))[1]).rolls.values())).against
    assert against is not None
    assert (against.number, against.plus) in ((10, ("d4",)), (8, ()))


async def doom_against(game: Game, dice: str = "d6 d8") -> BotReply:
    """Alice's roll against a doom pool of these dice, with a success by 3."""
    await game.play(f"gm: /doom set dice:{dice}")
    game.dice.show((6, 5, 3), (3, 5))
    return await game.play("alice: /roll dice:2d6 d8 vs:doom")


async def test_M4_the_gm_buys_for_the_doom_dice_that_oppose_a_roll(table: Game) -> None:
    await table.play("gm: /pp set who:Alice number:0")
    rolled = await doom_against(table)
    assert "success by 3" in rolled.text
    refused = await table.alice.press(rolled, "Spend")
    assert is_refused(refused)
    assert "Alice has no PP to spend" in refused.text
    pressed = await table.gm.press(rolled, "Spend")
    table.dice.show((8,))
    done = await table.gm.submit(
        pressed.form, {"What": "Add the spent die to the opposition", "Dice": "d8 from doom"}
    )
    assert "vs 13: failure" in done.text
    assert CORTEX.of((await seen(table))[1]).doom == {6: 1}
    late = await table.gm.submit(pressed.form, {"What": "Add the spent die to the opposition"})
    assert is_refused(late)
    assert CORTEX.of((await seen(table))[1]).doom == {6: 1}


async def test_M4_a_die_in_the_total_of_what_opposes_beside_what_the_player_buys(table: Game) -> None:
    await table.play("gm: /doom set dice:2d6 d8")
    table.dice.show((6, 5, 3), (3, 2, 5))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:doom")
    mine = (await table.alice.press(rolled, "Spend")).form
    assert mine is not None
    assert [option.label for option in mine.field("What").options] == [
        "Another die in the total",
    ]
    done = await table.gm.submit(
        (await table.gm.press(rolled, "Spend")).form, {"What": "Another die in the opposition's total"}
    )
    assert "vs 10: success by 1" in done.text
    assert sum(CORTEX.of((await seen(table))[1]).doom.values()) == 2


async def test_K4_a_crisis_that_opposes_pays_for_itself(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d8")
    table.dice.show((6, 5, 3), (3, 5))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:Fire")
    table.dice.show((7,))
    form = (await table.gm.press(rolled, "Spend")).form
    done = await table.gm.submit(form, {"What": "Add the spent die to the opposition"})
    assert "vs 12: failure" in done.text
    assert CORTEX.of((await seen(table))[1]).crises["fire"].dice == {8: 1}


async def test_D7_a_scale_die_that_joins_or_goes_changes_how_many_the_opposition_keeps(table: Game) -> None:
    table.dice.show((8, 8, 3), (6, 6), (6,))
    rolled = await table.play("alice: /roll dice:2d8 d10 vs:2d6")
    assert "vs 12: success by 4" in rolled.text
    scaled = await opposing(table, rolled, {"More in the way": "scale"})
    assert "vs 18: failure" in scaled.text
    table.dice.show((5,))
    smaller = await opposing(table, scaled, {"In the way": [], "More in the way": "d8"})
    assert "vs 12: success by 4" in smaller.text
    table.dice.show((4, 2))
    both = await opposing(table, smaller, {"More in the way": "scale + d4"})
    assert "vs 17: failure" in both.text
    await table.play("gm: /campaign set setting:scale keeps an extra die value:off")
    late = await opposing(table, both, {"In the way": ["d8", "d4"]})
    assert "vs 12: success by 4" in late.text


async def test_M4_what_a_players_pp_buy_is_offered_to_the_gm_with_whose_they_are(table: Game) -> None:
    await table.play(
        "alice: /sfx add name:Focus benefit:total cost:1 PP",
        "alice: /character set trait:Rope die:d6 trait_set:Resources",
        "gm: /pp set who:Alice number:2",
        "gm: /doom set dice:2d6 d8",
    )
    table.dice.show((6, 5, 3), (3, 2, 5))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:doom")
    form = (await table.gm.press(rolled, "Spend")).form
    assert form is not None
    offered = [option.label for option in form.field("What").options]
    assert offered == [
        "Another die in the opposition's total",
        "Add the spent die to the opposition",
        "Another die in the total (Alice pays 1 PP)",
    ]
    mine = (await table.alice.press(rolled, "Spend")).form
    assert mine is not None
    assert [option.label for option in mine.field("What").options] == [
        "Another die in the total",
        "Focus: total, for 1 PP",
    ]
    await table.play("gm: /pp set who:Alice number:0", "gm: /doom clear")
    refused = await table.gm.press(rolled, "Spend")
    assert is_refused(refused)
    assert "Alice has no PP to spend" in refused.text
