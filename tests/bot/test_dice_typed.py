"""Dice as people type them into commands: what is rolled, what is asked first, and what is refused."""

import pytest

from rules.cortex.model import CORTEX
from rules.dice import write_dice
from tests.bot.test_buttons import is_refused, put_back, seen
from tests.game import Game

SHEET = (
    "alice: /character set trait:Mind die:d10 trait_set:Attributes",
    "alice: /character set trait:Lore die:d8 trait_set:Skills",
    "alice: /dist add what:Double Agent",
)


async def test_dice_are_rolled_as_they_are_meant(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(*SHEET, "gm: /doom set dice:2d6 d8")
    begun = (await seen(table))[1]
    for line, faces, said in (
        ("dice:d8x2 d6 d4", (8, 7, 3, 2), "Total: d8: 8, d8: 7"),
        ("dice:2xd10 and a d6", (9, 8, 3), "Total: d10: 9, d10: 8"),
        ("dice:Mind(d10) + Lore(d8)", (9, 8), "Total: Mind d10: 9, Lore d8: 8"),
        ("dice:**d8** `d6`", (8, 6), "Total: d8: 8, d6: 6"),
        ("dice:Claws d8 Senses d10", (8, 9), "Total: Claws d8: 8, Senses d10: 9"),
        ("dice:Double Agent, d8", (7, 8), "Total: Double Agent d8: 7, d8: 8"),
        ("dice:4d6k3", (6, 5, 4, 3), "Total 15"),
        ("dice:3d6 keep 3 vs 12", (6, 5, 4), "Alice, vs 12: success by 3"),
        ("dice:3d6 vs 12 keep 3", (6, 5, 4), "Alice, vs 12: success by 3"),
        ("dice:Mind + Lore difficulty 12", (9, 8), "Alice, vs 12: heroic success by 5"),
        ("dice:Mind + Lore >= 12", (6, 5), "Against 12 or more"),
        ("dice:Mind + Lore vs:≥12", (6, 6), "Alice, vs 11: success by 1"),
        ("dice:Mind + Lore TN: 12", (6, 5), "Alice, vs 12: failure"),
    ):
        with subtests.test(line=line):
            await put_back(table, begun)
            table.dice.show(faces)
            assert said in (await table.play(f"alice: /roll {line}")).text


async def test_what_reads_in_two_ways_is_asked_with_the_pools(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(*SHEET)
    begun = (await seen(table))[1]
    for dice, offered in (
        ("4 d6", {"4d6": "4d6", "d4 + d6": "d4 d6"}),
        ("Lore 2d12", {"Lore 2d12": "2d12", "Lore d8 + 2d12": "d8 2d12"}),
        ("d12 Lore", {"Lore d12": "d12", "Lore d8 + d12": "d8 d12"}),
        ("Level 4 d8", {'"Level 4" d8': "d8", "Level d4 + d8": "d4 d8"}),
        ("Level 3 d8", {'"Level 3" d8': "d8", "Level 3d8": "3d8"}),
        ("d8 d6 x2", {"d8 + 2d6": "2d6 d8", "2d8 + 2d6": "2d6 2d8"}),
        ("~~d8~~ d6", {"d8 + d6": "d6 d8", "d6": "d6"}),
        ("2d6 d8; 2d10", {"2d6 + d8 + 2d10": "2d6 d8 2d10", "2d6 + d8": "2d6 d8", "2d10": "2d10"}),
        ("Double Trouble d8", {"Trouble 2d8": "2d8", '"Double Trouble" d8': "d8"}),
        ("Fight 8", {"Fight d8": "d8"}),
        ("Level 4 d8 vs 11", {'"Level 4" d8 vs 11': "d8", "Level d4 + d8 vs 11": "d4 d8"}),
    ):
        for answer, pool in offered.items():
            with subtests.test(dice=dice, answer=answer):
                await put_back(table, begun)
                asked = await table.says(f"alice: /roll dice:{dice}")
                assert asked.private
                assert [button.label for button in asked.buttons] == [f"Roll {each}" for each in offered]
                assert CORTEX.of((await seen(table))[1]).rolls == {}
                rolled = await table.alice.press(asked, f"Roll {answer}")
                assert not rolled.private, rolled.text
                (made,) = CORTEX.of((await seen(table))[1]).rolls.values()
                assert write_dice(die.size for die in made.hand.dice) == pool


async def test_a_saved_pool_takes_a_keep_and_what_it_is_against(table: Game) -> None:
    await table.play(*SHEET, "alice: /pool save name:Fly dice:Mind + Lore + d6 vs 11")
    for line, faces, said in (
        ("fly", (4, 3, 2), "Alice, vs 11: failure"),
        ("Fly k3", (4, 3, 5), "Alice, vs 11: success by 1"),
        ("fly vs 10 keep 3", (4, 3, 5), "Alice, vs 10: success by 2"),
    ):
        table.dice.show(faces)
        assert said in (await table.play(f"alice: /roll dice:{line}")).text


async def test_dice_of_a_pool_are_asked_about_where_they_are_kept(table: Game) -> None:
    asked = await table.says("gm: /doom add dice:6 d8")
    assert [button.label for button in asked.buttons] == ["6d8", "d6 + d8"]
    assert "Doom pool: 3d6 d8" in (await table.gm.press(asked, "d6 + d8")).text


async def test_dice_of_doom_are_picked_by_the_gm(table: Game) -> None:
    await table.play(*SHEET, "gm: /doom set dice:2d6 d8 d10", "gm: /character new name:Nova")
    table.dice.show((5, 4), (6, 8))
    picked = await table.play("gm: /roll dice:2d6 vs:doom d6 d8 who:Nova")
    assert "Doom pool: Total 14" in picked.text
    assert "d10" not in picked.text
    refused = await table.says("alice: /roll dice:2d6 vs:doom d6")
    assert is_refused(refused)
    assert "Only the GM can pick dice from the doom pool" in refused.text
    assert "has no d12" in (await table.says("gm: /roll dice:2d6 vs:doom d12 who:Nova")).text
    table.dice.show((5, 4), (2, 2, 2, 2, 8, 7))
    more = await table.play("alice: /roll dice:2d6 vs:doom + 2d8")
    assert "Doom pool with d8, d8: Total 15" in more.text


async def test_what_cannot_be_rolled_is_refused_by_name(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(*SHEET)
    for line, because in (
        ("dice:2d6!", '"2d6!" doesn\'t work'),
        ("dice:4d6 drop 1", '"drop" doesn\'t work'),
        ("dice:d8 < 12", '"<" doesn\'t work: a roll has to beat a number'),
        ("dice:d1O", "Did you mean d10?"),
        ("dice:5d", "Did you mean 5d6?"),
        ("dice:2d6Fire", "Did you mean 2d6?"),
        ("dice:½ d8", '"½" isn\'t a die. Type sizes such as d8.'),
        ("dice:d6 - d8", '"-" isn\'t a die or a known name.'),
        ("dice:Attributes: Mind", '"Attributes:" isn\'t part of a pool. Leave it out.'),
        ('dice:"Broken d8" d6', '"Broken d8" has a die in it. Leave d8 out of the name.'),
        ("dice:two 2d8", '"two 2d8" gives the number of dice twice. Give'),
        ("dice:Mind x2", '"x2" needs a die next to it'),
        ("dice:2d6 vs 11 vs 12", 'against two things: "vs 11 vs 12". Leave one of them out.'),
        (
            "dice:2d6 k3 keep:4",
            ("The option dice says keep 3, but the option keep says 4. Leave one of them out."),
        ),
        ("dice:2d6 k1 keep 3", "You typed two numbers for keep"),
        ("dice:2d6 vs:>= doom", '"doom" isn\'t a number. Type a number after >='),
    ):
        with subtests.test(line=line):
            refused = await table.says(f"alice: /roll {line}")
            assert is_refused(refused), refused.text
            assert because in refused.text
            assert CORTEX.of((await seen(table))[1]).rolls == {}


async def test_a_setting_or_a_challenge_says_both_ways_to_type_dice(table: Game) -> None:
    for line in (
        "gm: /campaign set setting:doom at the start of an act value:6 d8",
        "gm: /challenge new name:Storm difficulty:6 d8",
        "gm: /act start dice:6 d8",
    ):
        assert "could mean two things. Type 6d8 or d6 + d8." in (await table.says(line)).text


async def test_an_option_of_one_die_is_read_as_dice_are(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(
        "gm: /campaign set setting:heroic success value:hero dice and effect", "alice: /roll dice:2d6"
    )
    for die in ("ｄ８", "**d8**", " D8 ", "8"):
        with subtests.test(die=die):
            assert "d8 added" in (await table.play(f"gm: /hero give who:Alice die:{die}")).text
    assert '"d1²" isn\'t a die here. Use' in (await table.says("gm: /hero give who:Alice die:d1²")).text


async def test_nothing_typed_against_a_roll_is_read_as_something_else(
    table: Game, subtests: pytest.Subtests
) -> None:
    words = "gm: /campaign set setting:words value:doom pool = Threat, Threats, T"
    trouble = "gm: /comp add what:Angry who:Alice die:d8"
    await table.play(
        *SHEET, "gm: /doom set dice:2d6 d8", "gm: /crisis new name:Rain dice:2d6", trouble, words
    )
    begun = (await seen(table))[1]
    for line, said in (
        ("dice:Mind vs 12.", "Alice, vs 12:"),
        (
            "dice:Mind vs 12 hard",
            (
                '"12 hard" could be a number or dice. Type a number alone, or dice '
                "with their d. Example: vs:12"
            ),
        ),
        ("dice:Mind vs:8 8", '"8 8" could be a number or dice'),
        ("dice:Mind vs 9 + 8 men", '"8 men" could be a number or dice'),
        ("dice:Mind vs 10 or more", "Against 10 or more"),
        ("dice:Mind vs:10+", "Against 10 or more"),
        ("dice:Mind vs >= 10", "Against 10 or more"),
        ("dice:Mind tn >= 10", "Against 10 or more"),
        ("dice:Mind vs hard d6", "Put a plus between hard and d6. Example: vs:hard + d6"),
        ("dice:Mind vs Rain 2d6", "Put a plus between Rain and 2d6"),
        ("dice:Mind vs Threat d6", "Only the GM can pick dice from the threat"),
        ("dice:Mind vs 9 + Angry d6", "Angry is d8. Put a plus between it and other dice"),
        ("dice:Mind vs 9 + Angry d8", "Against 9 with Angry d8"),
    ):
        with subtests.test(line=line):
            await put_back(table, begun)
            assert said in (await table.says(f"alice: /roll {line}")).text


async def test_a_place_that_picks_dice_does_nothing_to_them(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(*SHEET, "gm: /doom set dice:2d6 d8", "alice: /pool add name:Go dice:2d6 d8")
    await table.play("gm: /campaign set setting:reroll for 1 PP value:on", "gm: /pp give who:Alice")
    await table.play("alice: /roll dice:Mind + d8 + d6 + d4 vs:11")
    begun = (await seen(table))[1]
    for line in (
        "gm: /doom remove dice:up d6",
        "gm: /doom spend dice:up d6 for:total",
        "alice: /pool remove name:Go dice:up d6",
        "alice: /reroll dice:up d8",
        "gm: /crisis new name:Fire from_doom:up d6",
    ):
        with subtests.test(line=line):
            assert '"up" doesn\'t belong with these dice' in (await table.says(line)).text
            assert (await seen(table))[1] == begun


async def test_no_new_name_of_the_gms_holds_a_die(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(*SHEET)
    for line in (
        "gm: /crisis new name:Fire 2d8 dice:d6",
        "gm: /challenge new name:Fire 2d8",
        "gm: /gmc new name:Fire 2d8 dice:Axe d6",
        "alice: /pool add name:Fire 2d8 dice:d6",
        "alice: /sfx add name:Fire 2d8 benefit:add d6",
    ):
        with subtests.test(line=line):
            assert '"Fire 2d8" has a die in it. Leave 2d8 out of the name.' in (await table.says(line)).text


async def test_a_saved_pool_is_rolled_alone(table: Game) -> None:
    await table.play(*SHEET, "alice: /pool save name:Fly dice:Mind + d8 vs:12")
    for dice in ("Fly d8", "d8 Fly", "Fly + d8"):
        assert (
            "Fly is a saved pool, so roll it without other dice"
            in (await table.says(f"alice: /roll dice:{dice}")).text
        )
    form = (await table.says("alice: /character edit")).form
    sent = await table.alice.submit(form, {"Sheet": "Attributes: Mind d10\nSaved pool: d8: 4d4"})
    assert '"d8" already means something in a dice pool' in sent.text


async def test_a_gmc_is_rolled_against_what_its_dice_say(table: Game) -> None:
    await table.play("gm: /gmc new name:Wolf dice:Bite d8")
    assert "Wolf, vs 8:" in (await table.play("gm: /gmc roll name:Wolf dice:Bite vs 8")).text
