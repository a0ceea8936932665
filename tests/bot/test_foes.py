"""What the GM brings, as it is played: crises, bosses, mobs, GMCs, hero dice, takeouts, and their limits."""

import asyncio
from collections.abc import Iterator

import pytest

from bot.language.printers import harmless
from bot.loopback.model import Message, walk
from bot.loopback.reply import BotReply
from rules.cortex.model import CORTEX
from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_contests import do, points
from tests.game import Game

SHOUT = "**@every one** ||x||"
ON = "/campaign set setting:"


async def hit(game: Game, name: str, *faces: tuple[int, ...], dice: str = "2d6 d8") -> BotReply:
    """Alice's roll against something, with a message of her own; the dice are loaded."""
    game.dice.show(*faces)
    return await game.play(f"alice: /roll dice:{dice} vs:{name}")


async def told(game: Game, reply: BotReply) -> list[Message]:
    """The messages that follow an answer by themselves."""
    await game.at_rest()
    assert reply.more
    return reply.more


def labels(shown: BotReply) -> list[str]:
    """The labels of a reply's buttons."""
    return [button.label for button in shown.buttons]


async def test_a_gmc_rolls_on_those_who_are_named_by_who_or_on(table: Game) -> None:
    await table.play("gm: /gmc new name:Rex dice:Fangs d8, Claws d6")
    for options, line in (
        ("who:Alice", "On: Alice"),
        ("on:Alice", "On: Alice"),
        ("who:Alice on:Bob", "On: Bob and Alice"),
        ("who:Alice on:Alice", "On: Alice"),
    ):
        assert line in (await table.play(f"gm: /gmc roll name:Rex {options}")).text.splitlines()


async def test_H2_opportunities_are_offered_before_there_is_a_trait_to_step(table: Game) -> None:
    table.dice.show((1, 4))
    rolled = await table.play("gm: /gmc new name:Rex dice:Fangs d8, Claws d6", "gm: /gmc roll name:Rex")
    refused = await table.alice.press(rolled, "Opportunities: 1")
    assert refused.text.startswith("There's no complication or stress to step down")
    await table.play("alice: /comp add what:Lost die:d8")
    done = await do(table, "alice", rolled, "Opportunities: 1", {"What": "Step Alice · Lost down to d6"})
    assert "Alice · Lost d6 (was d8)" in done.text


# Crises


async def test_a_crisis_is_worn_down_and_its_end_is_told_in_a_message_of_its_own(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:d4 d6")
    first = await hit(table, "Fire", (4, 3, 2), (2, 2))
    done = await do(table, "alice", first, "Apply d8", {"Dice": "d6: removed"})
    assert "Crisis Fire: d4 (d6 removed). Why: d8 hits d6" in done.text
    assert done.more == []
    second = await hit(table, "Fire", (4, 3, 2), (2,))
    done = await do(table, "alice", second, "Apply d10")
    assert "Crisis Fire: empty (d4 removed). Why: d10 hits d4" in done.text
    assert [(message.text, message.pings) for message in await told(table, done)] == [
        ("### Crisis Fire is resolved\nAlice took its last die: 7 against 2.", frozenset())
    ]
    assert "There's no crisis yet." in (await table.says("gm: /crisis spend for:total")).text


async def test_a_further_effect_die_hits_another_die(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:d6 d12")
    first = await hit(table, "Fire", (6, 6, 2, 5), (2, 2), dice="2d6 2d8")
    bought = await do(table, "alice", first, "Spend", {"What": "Another effect die"})
    assert [label for label in labels(bought) if label.startswith("Apply")] == [
        "Apply d10 to Fire",
        "Apply d8 to Fire",
    ]
    once = await do(table, "alice", bought, "Apply d10", {"Dice": "d12: steps down to d10"})
    twice = await do(table, "alice", once, "Apply d8")
    assert "Crisis Fire: d10 (d6 removed). Why: d8 hits d6" in twice.text


async def test_a_failure_leaves_a_crisis_as_it_is(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d6")
    lost = await hit(table, "Fire", (2, 2, 2), (6, 6))
    assert "vs 12: failure" in lost.text
    assert not [label for label in labels(lost) if label.startswith("Apply")]


async def test_two_players_at_once_hit_one_die_each(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d6")
    table.dice.show((4, 3, 2), (2, 2), (4, 3, 2), (2, 2))
    rolls = [await table.play(f"{who}: /roll dice:2d6 d8 vs:Fire") for who in ("alice", "bob")]
    both = await asyncio.gather(
        do(table, "alice", rolls[0], "Apply d8"), do(table, "bob", rolls[1], "Apply d8")
    )
    assert not any(map(is_refused, both))
    assert CORTEX.of((await seen(table))[1]).crises == {}


async def test_the_last_die_is_hit_by_one_of_two(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:d6")
    table.dice.show((4, 3, 2), (4,), (4, 3, 2), (4,))
    rolls = [await table.play(f"{who}: /roll dice:2d6 d8 vs:Fire") for who in ("alice", "bob")]
    people = (table.alice, table.bob)
    buttons = [person.look_for(roll, "Apply d8") for person, roll in zip(people, rolls, strict=True)]
    both = await asyncio.gather(
        *(p.push(r, b) for p, r, b in zip(people, rolls, buttons, strict=True)),
    )
    assert sorted(bool(reply.updated) for reply in both) == [False, True]
    assert "Something went wrong" not in both[0].text + both[1].text


async def test_a_crisis_pays_for_itself_alone(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d8", "gm: /crisis new name:Flood dice:2d10")
    table.dice.show((5, 3), (4,))
    rolled = await table.play("gm: /crisis roll name:Fire")
    refused = await table.says("gm: /crisis spend name:Flood for:total")
    assert is_refused(refused)
    assert "Crisis Flood has no open roll" in refused.text
    joined = await table.play("gm: /crisis spend name:Fire for:die dice:d8")
    assert "Crisis Fire: d8 (d8 spent)" in joined.text
    opened = await table.gm.press(rolled, "Spend")
    assert opened.form is not None
    purses = [option.label for option in opened.form.field("Dice").options]
    assert purses == ["d8 from Crisis Fire", "d6 from doom"]


async def test_a_crisis_die_kept_pays_a_pp(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d8")
    kept = await table.play("gm: /crisis spend for:complication what:Smoke on:Alice keep_for_pp:true")
    assert "Alice: 2 PP" in kept.text
    assert "Alice · Smoke d8 (complication)" in kept.text
    assert CORTEX.of((await seen(table))[1]).crises["fire"].dice == {8: 2}


async def test_a_crisis_that_spends_its_last_die_is_resolved(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:d8")
    assert "Crisis Fire is resolved" in (await table.play("gm: /crisis spend for:extra what:Imp")).text


async def test_a_crisis_is_named_in_vs(table: Game, subtests: pytest.Subtests) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d6", "gm: /comp add what:Rain who:scene")
    for vs in ("Fire", "fire", "fi", "crisis fire", "Fire + Rain", "Fire + d8"):
        with subtests.test(vs=vs):
            assert "Crisis Fire" in (await table.play(f"alice: /roll dice:2d6 d8 vs:{vs}")).text


async def test_an_opposition_of_a_crisis_gives_opportunities(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d6", "alice: /comp add what:Lost")
    rolled = await hit(table, "Fire", (2, 2, 2), (1, 6))
    done = await do(table, "bob", rolled, "Opportunities: 1")
    assert "Alice · Lost d4" in done.text
    assert "Bob: 0 PP" in done.text


async def test_the_gm_opposes_a_roll_with_a_crisis(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d6")
    table.dice.show((4, 3, 2), (2, 2))
    rolled = await table.play("alice: /roll dice:2d6 d8")
    opposed = await do(table, "gm", rolled, "Oppose", {"What": "Fire"})
    assert "Crisis Fire: Total 4" in opposed.text
    assert "Crisis Fire: d6 (d6 removed)" in (await do(table, "alice", opposed, "Apply d8")).text


# Bosses, mobs, GMCs


async def test_a_boss_falls_die_by_die(table: Game) -> None:
    await table.play("gm: /gmc new name:Rex dice:2d8 kind:boss")
    for faces, label, said in (
        ((2, 2), "Apply d8", "Rex · Trouble d8 (complication)"),
        ((2, 2), "Apply: remove a boss die", "Rex: d8 (d8 knocked off)"),
        ((4,), "Apply d8", "Rex · Trouble d8 (complication)"),
    ):
        rolled = await hit(table, "Rex", (4, 4, 3), faces)
        assert said in (await do(table, "alice", rolled, label)).text
    rolled = await hit(table, "Rex", (4, 4, 3), (4,))
    done = await do(table, "alice", rolled, "Apply: remove a boss die")
    assert "Rex: empty (d8 knocked off)" in done.text
    assert [message.text for message in await told(table, done)] == [
        "### Rex is defeated\nAlice struck the last blow: 8 against 4."
    ]
    assert "rex" not in (await seen(table))[1].characters


async def test_what_takes_a_boss_die_says_that_its_name_is_not_used(table: Game) -> None:
    await table.play("gm: /gmc new name:Rex dice:2d6 kind:boss")
    table.dice.show((10, 9, 8), (1, 2))
    rolled = await table.play("alice: /roll dice:3d10 vs:Rex")
    form = (await table.alice.press(rolled, "Use effect for")).form
    assert form is not None
    assert form.field("Name").description == "On Rex, the die removes a boss die instead"


async def test_a_boss_may_be_hit_as_something_else(table: Game) -> None:
    await table.play("gm: /gmc new name:Rex dice:2d8 kind:boss")
    rolled = await hit(table, "Rex", (4, 4, 3), (2, 2))
    done = await do(table, "alice", rolled, "Use effect for…", {"What": "Mental stress d8", "On": "Rex"})
    assert "Rex · Mental stress d8" in done.text
    rolled = await hit(table, "Rex", (4, 4, 3), (2, 2), dice="2d6 d10")
    done = await do(table, "alice", rolled, "Use effect for…", {"What": "Mental stress d10", "On": "Rex"})
    assert "Rex · Mental stress is gone" in done.text
    assert "Rex: d8 (d8 knocked off)" in done.text


async def test_a_mobs_dice_are_hit_one_by_one_until_it_is_defeated(table: Game) -> None:
    await table.play("gm: /gmc new name:Rats dice:2d6 kind:mob")
    one = await hit(table, "Rats", (4, 4, 3), (2, 2))
    assert "Rats: d6 (d6 removed)" in (await do(table, "alice", one, "Apply d8")).text
    two = await hit(table, "Rats", (3, 2, 2), (2,))
    done = await do(table, "alice", two, "Apply d8")
    assert [message.text for message in await told(table, done)] == [
        "### Rats is defeated\nAlice struck the last blow: 5 against 2."
    ]


async def test_a_minor_gmc_gets_the_complication(table: Game) -> None:
    await table.play("gm: /gmc new name:Max dice:Claws d8, Swift d6")
    rolled = await hit(table, "Max", (4, 4, 3), (2, 2))
    done = await do(table, "alice", rolled, "Apply d8", {"What": "Complication d8", "Name": "Limping"})
    assert "Max · Limping d8 (complication)" in done.text


async def test_a_gmc_rolls_in_the_open_and_players_roll_against_that(table: Game) -> None:
    await table.play("gm: /gmc new name:Max dice:Claws d8, Swift d6")
    table.dice.show((1, 3), (4, 4, 3))
    rolled = await table.play("gm: /gmc roll name:Max on:Alice")
    assert "Claws d8: 1 (opportunity)" in rolled.text
    assert rolled.message is not None
    assert rolled.message.pings == {table.alice.id}
    assert is_refused(await table.bob.press(rolled, "Roll against"))
    answered = await do(table, "alice", rolled, "Roll against", {"Dice": "2d6 d8"})
    assert "Max: Total 3" in answered.text


async def test_a_gmc_that_left_is_no_longer_rolled_against(table: Game) -> None:
    made = await table.play("gm: /gmc new name:Max dice:Claws d8")
    await table.play("gm: /gmc remove name:Max")
    assert is_refused(await table.alice.press(made, "Roll against"))
    assert is_refused(await table.says("alice: /roll dice:2d6 vs:Max"))


async def test_doom_pays_for_a_gmc_by_its_highest_trait(table: Game) -> None:
    await table.play("gm: /doom set dice:d6 d8 2d12")
    await table.says("gm: /gmc new name:Max dice:Claws d10 away:true")
    assert is_refused(await table.says("gm: /doom spend for:gmc name:Max dice:d8"))
    assert "(d12 spent)" in (await table.play("gm: /doom spend for:gmc name:Max")).text
    assert is_refused(await table.says("gm: /doom spend for:gmc name:Max"))


async def test_suggestions_come_from_the_table(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(
        "gm: /crisis new name:Fire dice:d6 d8",
        "gm: /crisis new name:Flood dice:d10",
        "gm: /challenge new name:Storm",
        "gm: /gmc new name:Rex dice:Fangs d8, 4d10",
    )
    for line, offered in (
        ("/pp give who:Alice,", ["Alice, Bob"]),
        ("/crisis roll on:Alice,", ["Alice, Bob"]),
        ("/crisis roll on:", ["Alice", "Bob", "all"]),
        ("/challenge new name:Flood absent:", ["Alice", "Bob"]),
        ("/turn start who:Alice absent:Bob,", ["Bob, Alice"]),
        ("/crisis remove name:Fire dice:", ["d6", "d8"]),
        ("/crisis remove dice:", ["d6", "d8", "d10"]),
        ("/gmc roll name:Rex dice:", ["Fangs d8", "boss"]),
        ("/challenge first who:", ["Alice", "Bob"]),
        ("/contest start dice:d6 against:R", ["Rex"]),
        ("/roll dice:d6 vs:S", ["Storm"]),
    ):
        with subtests.test(line=line):
            found = [str(choice.value) for choice in await table.gm.complete(line)]
            assert [value for value in found if value in offered or "vs:" not in line] == offered


async def test_a_bosss_and_a_mobs_dice_have_a_name(table: Game) -> None:
    await table.play("gm: /gmc new name:Rex dice:Fangs d8, 3d10 kind:boss")
    await table.play("gm: /gmc new name:Rats dice:4d6 kind:mob")
    offered = [each.value for each in await table.gm.complete("/gmc roll name:Rex dice:")]
    assert offered == ["Fangs d8", "boss"]
    table.dice.show((4, 5, 6, 7), (3, 3, 3, 3, 2))
    assert "d10: 7" in (await table.play("gm: /gmc roll name:Rex dice:Fangs, boss")).text
    assert "Total 6" in (await table.play("gm: /gmc roll name:Rats dice:mob, d8")).text


# Hero dice, steps, takeouts


async def test_a_heroic_success_against_dice_banks_a_hero_die_once(game: Game) -> None:
    await game.table("prime")
    await game.play("gm: /crisis new name:Fire dice:d6 d10")
    rolled = await hit(game, "Fire", (6, 6, 3), (3, 2))
    applied = await do(game, "alice", rolled, "Apply d10", {"Dice": "d10: steps down to d8"})
    done = await do(game, "alice", applied, "Bank d6")
    assert "Alice: hero dice d6 (d6 added)" in done.text
    await game.play("gm: /scene end")
    assert (await game.says("alice: /hero show")).text == "Alice: hero dice d6"


async def test_a_hero_die_turns_a_failure(game: Game) -> None:
    await game.table("prime")
    await game.play("gm: /hero give who:Alice die:d10", "gm: /crisis new name:Fire dice:2d6")
    rolled = await hit(game, "Fire", (3, 2, 2), (4, 4), (7,))
    done = await do(game, "alice", rolled, "Spend", {"What": "Hero d10: roll it and add it to the total"})
    assert "vs 8: success" in done.text
    assert "Hero d10: 7" in done.text
    assert "Alice: 0 PP" in done.text
    assert CORTEX.has((await seen(game))[1].characters["alice"]).hero == {}


async def test_a_hero_dies_1_is_a_hitch_and_adds_nothing(game: Game) -> None:
    await game.table("prime")
    await game.play("gm: /hero give who:Alice die:d10")
    game.dice.show((3, 2, 2), (1,))
    rolled = await game.play("alice: /roll dice:2d6 d8 vs:8")
    done = await do(game, "alice", rolled, "Spend", {"What": "Hero d10: roll it and add it to the total"})
    assert "Hero d10: 1 (hitch)" in done.text
    assert "Hitches: 1" in labels(done)
    assert done.text.startswith("Alice, vs 8: failure\nTotal 5")


async def test_a_hero_die_is_used_once_by_two_at_once(game: Game) -> None:
    await game.table("prime")
    await game.play("gm: /hero give who:Alice die:d10", "gm: /pp set who:Alice number:5")
    game.dice.show((3, 2, 2))
    rolled = await game.play("alice: /roll dice:2d6 d8 vs:8")
    opened = [await game.alice.press(rolled, "Spend") for _ in range(2)]
    wanted = {"What": "Hero d10: use it as the effect die"}
    both = await asyncio.gather(*(game.alice.submit(one.form, wanted) for one in opened))
    assert sorted(map(is_refused, both)) == [False, True]
    assert await points(game, "alice") == 4


async def test_the_largest_hero_die_is_used_where_none_is_named(game: Game) -> None:
    await game.table("prime")
    await game.play("alice: /roll dice:2d6 d8 vs:3")
    assert "Alice has no hero dice" in (await game.says("alice: /hero use")).text
    await game.play("gm: /hero give who:Alice die:d6", "gm: /hero give who:Alice die:d10")
    assert "Alice: hero dice d6 (d10 used)" in (await game.play("alice: /hero use as:effect")).text


async def test_without_a_pp_no_hero_die_is_used(game: Game) -> None:
    await game.table("prime")
    await game.play("gm: /hero give who:Alice die:d10", "gm: /pp set who:Alice number:0")
    await game.play("alice: /roll dice:2d6 d8 vs:8")
    refused = await game.says("alice: /hero use die:d10")
    assert is_refused(refused)
    assert "1 PP" in refused.text
    assert CORTEX.has((await seen(game))[1].characters["alice"]).hero == {10: 1}


async def test_a_step_against_a_challenge_is_another_effect_die_for_nothing(table: Game) -> None:
    await table.play(
        "gm: /pp set who:Alice number:0",
        "gm: /challenge new name:Storm extra:1",
        "gm: /challenge first who:Alice",
    )
    rolled = await hit(table, "Storm", (8, 8, 7, 6), (2, 3, 1), dice="2d8 d10 d8")
    assert "effect d10 and d10" in rolled.text
    other = await do(table, "alice", rolled, "Total 16, effect d12")
    assert "past d12" in other.text
    back = await do(table, "alice", other, "Total 16, effect d10 and d10")
    once = await do(table, "alice", back, "Apply d10 to Storm")
    twice = await do(table, "alice", once, "Apply d10 to Storm")
    assert "Challenge Storm: d8" in twice.text


async def test_any_dice_of_a_heroic_success_are_two_effects_against_a_challenge(table: Game) -> None:
    await table.play("gm: /challenge new name:Storm extra:1", "gm: /challenge first who:Alice")
    rolled = await hit(table, "Storm", (8, 8, 7, 6), (2, 3, 1), dice="2d8 d10 d8")
    form = (await table.alice.press(rolled, "Other dice")).form
    kept = await table.alice.submit(form, {"Total": ["0", "2"], "Effect": ["1", "3"]})
    assert "Total 15, effect d10 and d8" in kept.text


async def test_a_boss_of_d12_says_whether_an_effect_takes_a_die(table: Game) -> None:
    await table.play("gm: /gmc new name:Rex dice:3d12 kind:boss")
    rolled = await hit(table, "Rex", (12, 11, 2), (8, 9, 1), dice="3d12")
    done = await do(table, "alice", rolled, "Apply: remove a boss die")
    assert "Rex" in done.text
    assert CORTEX.has((await seen(table))[1].characters["rex"]).pool == {12: 2}
    assert not [label for label in labels(done) if label.startswith("Apply")]
    rolled = await hit(table, "Rex", (12, 11, 2), (12, 10), dice="3d12")
    done = await do(table, "alice", rolled, "Apply d12 to Rex")
    assert "Rex · Trouble d12 (complication)" in done.text


async def test_steps_past_d12_raise_one_further_effect(table: Game) -> None:
    table.dice.show((12, 12, 2))
    rolled = await table.play("alice: /roll dice:3d12 vs:9")
    assert "3 takeouts, or one more effect of d10" in rolled.text
    assert "Apply d10" in labels(rolled)


async def test_odds_against_a_challenge_name_no_mean(table: Game) -> None:
    await table.play("gm: /challenge new name:Storm", "gm: /challenge first who:Alice")
    told = (await table.says("alice: /odds dice:2d8 d10 vs:Storm")).text
    assert "Heroic" in told
    assert "Mean total" not in told


async def test_a_takeout_by_an_effect_calls_the_player_who_stays_in(table: Game) -> None:
    table.dice.show((12, 3, 2))
    rolled = await table.play("alice: /roll dice:d12 2d12 vs:7")
    assert "past d12" in rolled.text
    wanted = {"What": "Complication that takes the target out", "Name": "Beaten", "On": "Bob"}
    done = await do(table, "alice", rolled, "Apply d12", wanted)
    (message,) = await told(table, done)
    assert message.text.startswith("### Bob is taken out by Beaten\nOut until the scene ends.")
    assert message.pings == {table.bob.id}
    assert is_refused(await table.alice.press(message, "Stay in: Bob"))
    stayed = await table.bob.submit((await table.bob.press(message, "Stay in: Bob")).form, {"Name": "Shaken"})
    assert "Bob stays in" in stayed.text
    assert "Bob · Shaken d6 (complication)" in stayed.text
    assert is_refused(await table.bob.press(message, "Stay in: Bob"))


async def test_a_used_up_roll_says_which_step_was_used_last(game: Game) -> None:
    await game.table("prime")
    await game.play("gm: /crisis new name:Fire dice:3d12")
    game.dice.show((12, 10, 10), (2, 2, 1))
    rolled = await game.play("bob: /roll dice:3d12 vs:Fire")
    assert "3 steps past d12: one more effect of d10" in rolled.text
    rolled = await do(game, "bob", rolled, "Apply: remove a d12")
    assert "2 steps past d12: one more effect of d8\n" in rolled.text
    rolled = await do(game, "bob", rolled, "Apply d8 to Fire")
    assert "2 steps past d12: one more effect of d8, then used\n" in rolled.text


async def take(game: Game, reply: BotReply, button: str, fields: dict[str, str | list[str]]) -> BotReply:
    """Press a button of an effect as Alice, and fill in its form."""
    return await game.alice.submit((await game.alice.press(reply, button)).form, fields)


async def test_as_many_takeouts_as_are_said_are_taken_at_once_or_one_by_one(table: Game) -> None:
    await table.play("gm: /gmc new name:Rex dice:Fangs d8", "gm: /gmc new name:Rat dice:Teeth d6")
    table.dice.show((12, 9, 2))
    rolled = await table.play("alice: /roll dice:3d12 vs:6")
    assert "3 steps past d12: 3 takeouts, or one more effect of d10" in rolled.text
    wanted: dict[str, str | list[str]] = {
        "What": "Complication that takes the target out",
        "Name": "Net",
        "On": ["Rex", "Rat"],
    }
    several: dict[str, str | list[str]] = {"What": "Complication d12", "On": ["Rex", "Rat"]}
    done = await take(table, rolled, "Apply d12", wanted)
    assert "1 step past d12: a takeout, or one more effect of d6" in done.text
    assert [label for label in labels(done) if label.startswith("Apply")] == ["Apply d12", "Apply d6"]
    state = (await seen(table))[1].characters
    assert [who for who in state if CORTEX.has(state[who]).is_taken_out] == ["rex", "rat"]
    form = (await table.alice.press(rolled, "Apply d12")).form
    assert form is not None
    assert form.field("On").most == 1  # one takeout is left
    done = await take(table, rolled, "Apply d12", several | {"On": "Bob"})
    done = await take(table, rolled, "Apply d6", wanted | {"On": "Bob"})
    assert not [label for label in labels(done) if label.startswith("Apply")]
    assert CORTEX.has((await seen(table))[1].characters["bob"]).is_taken_out
    table.dice.show((12, 9, 2))
    rolled = await table.play("alice: /roll dice:3d12 vs:6")
    refused = await take(table, rolled, "Apply d12", several)
    assert refused.text == "Only takeouts can have several targets. Choose one."


async def test_steps_past_d12_take_boss_dice_by_one_press_each(table: Game) -> None:
    await table.play("gm: /gmc new name:Rex dice:3d8 kind:boss")
    table.dice.show((6, 6, 2), (1, 1, 1))
    rolled = await table.play("alice: /roll dice:3d12 vs:Rex")
    for left in ({8: 2}, {8: 1}):
        rolled = await do(table, "alice", rolled, "Apply: remove a boss die")
        assert CORTEX.has((await seen(table))[1].characters["rex"]).pool == left
    await do(table, "alice", rolled, "Apply: remove a boss die")
    assert "rex" not in (await seen(table))[1].characters


# Settings


async def test_what_is_switched_off_names_the_setting(game: Game, subtests: pytest.Subtests) -> None:
    await game.table("heroic")
    for line, setting in (
        ("gm: /crisis new name:Fire dice:d6", "crisis pools"),
        ("gm: /crisis roll", "crisis pools"),
        ("gm: /crisis spend for:sfx", "crisis pools"),
        ("gm: /crisis add dice:d6", "crisis pools"),
        ("gm: /crisis end", "crisis pools"),
        ("bob: /crisis show", "crisis pools"),
        ("gm: /challenge new name:Storm", "challenges"),
        ("gm: /challenge roll", "challenges"),
        ("gm: /challenge first who:Alice", "challenges"),
        ("gm: /challenge act what:add", "challenges"),
        ("bob: /challenge show", "challenges"),
        ("gm: /hero give who:Alice die:d8", "heroic success"),
        ("alice: /hero use die:d8", "Ask gm to change this setting."),
    ):
        with subtests.test(line=line):
            before = await seen(game)
            refused = await game.says(line)
            assert refused.private
            assert " off in this campaign." in refused.text
            assert setting in f"{refused.text} {refused.buttons}"
            assert await seen(game) == before


async def test_what_is_switched_off_loses_nothing_and_refuses_its_buttons(table: Game) -> None:
    made = await table.play("gm: /crisis new name:Fire dice:2d6")
    rolled = await hit(table, "Fire", (4, 3, 2), (2, 2))
    button = table.alice.look_for(rolled, "Apply d8")
    await table.gm.press(await table.says(f"gm: {ON}crisis pools value:off"), "Set crisis pools")
    assert is_refused(await table.alice.press(made, "Roll against"))
    assert (
        "Crises are off in this campaign. Ask gm to change this setting."
        in (await table.says("alice: /roll dice:2d6 vs:Fire")).text
    )
    assert not (await table.alice.push(rolled, button)).updated
    await table.play(f"gm: {ON}crisis pools value:on")
    assert "Crisis Fire: 2d6" in (await table.says("bob: /crisis show")).text


# Limits


def everything(game: Game) -> Iterator[Message]:
    """Every message, private ones too."""
    for place in game.discord.world.channels.values():
        yield from place.messages.values()


def check_limits(game: Game) -> None:
    """No message is past Discord's limits, and none pings anybody but the people at the table."""
    players = {game.gm.id, game.alice.id, game.bob.id}
    for message in everything(game):
        assert len(message.text) <= 4000
        parts = list(walk(message.components))
        assert len(parts) <= 40
        assert all(len(part["components"]) <= 5 for part in parts if part["type"] == 1)
        assert message.pings <= players


async def all_pages(reply: BotReply) -> str:
    """A view's pages, one after the other."""
    texts = [reply.text]
    while any(label.startswith("Page") and not label.startswith("Page 1 ") for label in labels(reply)):
        await reply.by.press(reply, "Page")
        texts.append(reply.text)
    return "\n".join(texts)


async def test_many_crises_with_many_dice_stay_inside_the_limits(table: Game) -> None:
    await table.says("gm: /table pin")
    names = [f"{SHOUT} {n:02} {'_' * 60}"[:60] for n in range(20)]
    for name in names:
        made = await table.play(f"gm: /crisis new name:{name} dice:6d4 6d6 6d8 6d10 6d12")
    refused = await table.says("gm: /crisis new name:One more dice:d6")
    assert "20 crises" in refused.text
    assert (await table.alice.press(made, "Roll against")).form is not None
    shown = await table.says("bob: /crisis show")
    text = await all_pages(shown)
    for name in names:
        assert f"Crisis {harmless(name)}: 6d4 6d6 6d8 6d10 6d12" in text
    rolled = await table.play(f"alice: /roll dice:30d12 vs:{names[0]}")
    for button in list(rolled.buttons):
        person = table.alice if not button.label.startswith(("Oppose", "Hitches")) else table.gm
        assert "Something went wrong" not in (await person.push(rolled, button)).text
    text = await all_pages(await table.says("bob: /table show"))
    assert all(harmless(name) in text for name in names)
    await table.bot.pinned.later.flush()
    check_limits(table)


async def test_many_gmcs_with_long_names_stay_inside_the_limits(table: Game) -> None:
    await table.says("gm: /table pin")
    names = [f"{n:02} {SHOUT} {'*' * 80}"[:60] for n in range(58)]
    for name in names:
        await table.play(f"gm: /gmc new name:{name} dice:{'T' * 60} d8, 4d10")
    assert is_refused(await table.says("gm: /gmc new name:Too many dice:d6"))
    text = await all_pages(await table.says("bob: /gmc show"))
    assert all(harmless(name) in text for name in names)
    text = await all_pages(await table.says("bob: /table show"))
    assert all(harmless(name) in text for name in names)
    first = await table.play("gm: /turn start")
    for button in list(first.buttons):
        assert "Something went wrong" not in (await table.gm.push(first, button)).text
    rolled = await table.play("alice: /roll dice:2d6 d8")
    assert (await table.gm.press(rolled, "Oppose")).form is not None
    view = await table.says("bob: /gmc show")
    shared = await table.bob.press(view, "Share")
    assert not shared.private
    assert (await table.alice.press(shared, "Page 2")).updated
    opened = await table.bob.press(view, "Roll against 00")
    assert (await table.bob.submit(opened.form, {"Dice": "2d6"})).failed is None
    await table.play(f"alice: /contest start dice:2d6 against:{names[0]} note:{SHOUT}")
    await table.play("gm: /gmc remove name:57", "gm: /challenge new name:Storm")
    await table.bot.pinned.later.flush()
    check_limits(table)


async def test_names_that_mean_something_else_are_refused(table: Game, subtests: pytest.Subtests) -> None:
    for name in ("d6", "doom", "hard", "11", "scene", "all", "GM", "a + b", "Alice", "\u200b"):
        for line in ("crisis new name:{} dice:d6", "challenge new name:{}", "gmc new name:{} dice:d6"):
            with subtests.test(name=name, line=line):
                before = await seen(table)
                refused = await table.says(f"gm: /{line.format(name)}")
                assert is_refused(refused), refused.text
                assert await seen(table) == before


async def test_a_foe_that_is_over_says_so_wherever_it_is_named(
    table: Game, subtests: pytest.Subtests
) -> None:
    await table.play(
        "gm: /gmc new name:👻 Ghost dice:d8 kind:boss",
        "gm: /gmc hit name:👻 Ghost die:d12",
        "gm: /crisis new name:Fire dice:d6",
        "gm: /crisis remove name:Fire dice:d6",
    )
    for line, said in (
        ("gm: /gmc hit name:{} die:d8", "👻 Ghost is defeated."),
        ("gm: /gmc roll name:{}", "👻 Ghost is defeated."),
        ("gm: /gmc remove name:{}", "👻 Ghost is defeated."),
        ("gm: /gmc hit name:gmc {} die:d8", "👻 Ghost is defeated."),
        ("alice: /roll dice:2d6 vs:{}", "👻 Ghost is defeated. Try doom, a number such as 11 or dice."),
        ("gm: /crisis add name:Fire dice:d6", "Fire is resolved."),
        ("gm: /crisis roll name:Fire", "Fire is resolved."),
        ("gm: /gmc roll name:Rex", 'There\'s no GMC called "Rex".'),
    ):
        with subtests.test(line=line):
            refused = await table.says(line.format("👻 Ghost"))
            assert is_refused(refused)
            assert said in refused.text
    await table.play("gm: /gmc new name:👻 Ghost dice:d8")
    assert "👻 Ghost" in (await table.play("gm: /gmc roll name:👻 Ghost")).text
