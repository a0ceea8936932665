"""One-Roll games as they are played: `/ore`, its buttons and forms, beside another game or alone."""

import asyncio

import pytest

from bot.loopback.model import Message
from bot.loopback.reply import BotReply, buttons_of
from rules.ore.model import ORE
from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_contests import do
from tests.bot.test_sheets import edited
from tests.game import Game


def labels(shown: BotReply | Message) -> list[str]:
    return [button.label for button in (shown.buttons if isinstance(shown, BotReply) else buttons_of(shown))]


def shown(reply: BotReply) -> Message:
    assert reply.message is not None
    return reply.message


async def rolled(game: Game, line: str, *faces: tuple[int, ...]) -> BotReply:
    """A line, with loaded dice."""
    game.dice.show(*faces)
    return await game.play(line)


async def duel(game: Game) -> tuple[BotReply, BotReply]:
    """Alice attacks with 3×6, Bob dodges with 3×8."""
    attack = await rolled(game, "alice: /ore roll dice:4d", (6, 6, 1, 6))
    return attack, await rolled(game, "bob: /ore roll dice:4d", (8, 2, 8, 8))


async def test_a_full_roll_tells_sets_loose_dice_and_every_die(table: Game) -> None:
    reply = await rolled(table, "alice: /ore roll dice:7d note:To the roof", (6, 3, 9, 6, 9, 9, 1))
    assert reply.text == (
        "Alice: 3×9 (widest and highest), 2×6\nTo the roof\nloose 1 3\nDice of 7d: 1 3 6 6 9 9 9"
    )
    assert not reply.private


async def test_where_no_die_is_rolled_only_the_others_are_told(
    table: Game, subtests: pytest.Subtests
) -> None:
    for line, says in (
        ("roll dice:2h", "Dice of 2h: hard 10 10"),
        ("roll dice:0d 2w", "Dice of 2w: none rolled"),
    ):
        with subtests.test(line=line):
            assert (await table.says(f"alice: /ore {line}")).text.split("\n")[-1] == says


async def test_wiggle_dice_alone_are_told_without_others(table: Game) -> None:
    reply = await table.says("alice: /ore roll dice:2w")
    placed = await do(table, "alice", reply, "Place", {"Dice": "9 9"})
    assert placed.text.split("\n")[-1] == "Dice of 2w: wiggle 9 9"


async def test_a_quick_roll_tells_both_dice_and_the_second(table: Game) -> None:
    reply = await rolled(table, "alice: /ore quick dice:8d", (10, 6), (9,))
    assert reply.text == "Alice: 4×6\nQuick roll of 8d: Width d10: 10, Second d10: 9, Height d10: 6"


async def test_a_quick_roll_without_a_set_tells_both_dice(table: Game) -> None:
    reply = await rolled(table, "alice: /ore quick dice:4d", (5, 6))
    assert reply.text == "Alice: no set\nQuick roll of 4d: Width d10: 5, Height d10: 6"
    assert labels(reply) == ["What was it?"]


async def test_options_and_notation_give_the_same_pool(table: Game) -> None:
    faces = (6, 3, 6, 9)
    typed = await rolled(table, "alice: /ore roll dice:5d 2w 1h e7 c3", faces)
    given = await rolled(table, "alice: /ore roll dice:5d hard:1 wiggle:2 expert:7 called:3", faces)
    assert typed.text == given.text
    assert "Dice of 5d 2w 1h e7 c3: 3 6 6 9, hard 10, expert 7, called 3" in given.text


async def test_the_sources_example_of_several_actions(table: Game) -> None:
    reply = await rolled(table, "alice: /ore actions dice:8d second:6d", (6, 3), (4, 8))
    assert reply.text == (
        "Alice: 2 actions with 5d: 2×3, then no set\n"
        "Action 1, 5d: 2×3. Width d10: 6, Height d10: 3\n"
        "Action 2, 3d: no set. Width d10: 4, Height d10: 8"
    )


async def test_O4_an_action_without_dice_says_so_in_the_log(table: Game) -> None:
    await rolled(table, "alice: /ore actions dice:3d second:3d", (10, 4))
    assert "then no set (10 4; no dice)" in (await table.says("gm: /log")).text


async def test_one_changes_ones_mind_about_wiggle_dice_until_the_scene_ends(table: Game) -> None:
    first = await rolled(table, "alice: /ore roll dice:3d 1w", (6, 3, 6))
    assert "1 wiggle die still to place" in first.text
    assert "Alice: 3×6\nloose 3" in (await do(table, "alice", first, "Place")).text
    again = await do(table, "alice", first, "Place again", {"Dice": "3"})
    assert "Alice: 2×6 (widest and highest), 2×3" in again.text
    await table.play("gm: /scene end")
    await table.at_rest()
    assert labels(shown(first)) == ["What was it?"]
    assert "This roll is closed." in shown(first).text


async def test_the_gm_places_a_players_wiggle_dice(table: Game) -> None:
    first = await rolled(table, "alice: /ore roll dice:3d 1w", (6, 3, 6))
    assert "Alice: 3×6" in (await do(table, "gm", first, "Place")).text


async def test_wiggle_dice_wait_on_the_whole_table(table: Game) -> None:
    await rolled(table, "alice: /ore roll dice:3d 1w", (6, 3, 6))
    assert "Waiting: Alice 1 die still to place" in (await table.says("bob: /table show")).text


async def test_a_placement_that_cannot_be_is_offered_again_as_typed(table: Game) -> None:
    first = await rolled(table, "alice: /ore quick dice:5d 1w", (5, 6, 3))
    refused = await do(table, "alice", first, "Place", {"Dice": "9"})
    assert is_refused(refused)
    assert "Try 3 or 6" in refused.text
    again = await table.alice.press(refused, "Try again")
    assert again.form is not None
    assert "2×3" in (await table.alice.submit(again.form, {"Dice": "3"})).text


async def test_gobbling_changes_the_other_roll_and_tells_whom_it_concerns(table: Game) -> None:
    attack, dodge = await duel(table)
    done = await do(table, "bob", dodge, "Gobble", {"How many": "1"})
    assert "gobbling 8" in done.text
    await table.at_rest()
    assert done.more
    assert [(m.text.split("\n")[0], m.pings) for m in done.more] == [
        ("Bob: 3×8 spoils 1 die of Alice: 3×6 is now 2×6", frozenset({table.alice.id}))
    ]
    await table.at_rest()
    assert "Alice: 2×6\n-# loose 1" in shown(attack).text
    assert "spoiled 6" in shown(attack).text


async def test_a_set_of_a_crowd_beyond_the_menu_is_typed(table: Game) -> None:
    crowd = await rolled(table, "gm: /ore crowd dice:4d count:50 note:Guards", (7,) * 50, (6,) * 50)
    dodge = await rolled(table, "bob: /ore roll dice:2d", (8, 8))
    form = (await table.bob.press(dodge, "Gobble")).form
    assert form is not None
    assert len(form.field("What").options) == 25
    assert "GM (Guards), pool 50: 2×6, by 2×8" in form.field("Set").description
    refused = await table.bob.submit(form, {"Set": "pool 51"})
    assert is_refused(refused)
    assert "Example: GM (Guards), pool 1: 2×6, by 2×8" in refused.text
    again = (await table.bob.press(refused, "Try again")).form
    assert again is not None
    done = await table.bob.submit(again, {"Set": "pool 50", "How many": "1"})
    assert "Bob: 2×8 spoils 1 die of GM (Guards), pool 50" in done.text
    await table.at_rest()
    assert dodge.message is not None
    assert "gobbling 8" in dodge.message.text
    after = await table.bob.press(crowd, "Page 2 of 2")
    assert "Pool 50, 4d: no set. Width d10: 7, Height d10: 6, spoiled 6" in after.text


async def test_gobbling_with_no_prey_is_refused_with_an_example(table: Game) -> None:
    dodge = await rolled(table, "bob: /ore roll dice:2d", (8, 8))
    await rolled(table, "alice: /ore roll dice:3d", (6, 6, 6))
    refused = await table.bob.press(dodge, "Gobble")
    assert is_refused(refused)
    assert "else's, and no wider or higher than yours. Example: 2×8 spoils dice of 2×6" in refused.text


async def test_two_who_gobble_the_same_set_at_once_leave_no_die_spoiled_twice(table: Game) -> None:
    await rolled(table, "gm: /ore roll dice:2d", (6, 6))
    rolls = [await rolled(table, f"{who}: /ore roll dice:2d", (9, 9)) for who in ("alice", "bob")]
    people = (table.alice, table.bob)
    forms = [(await person.press(roll, "Gobble")).form for person, roll in zip(people, rolls, strict=True)]
    prey = [
        next(option.label for option in form.field("What").options if "GM" in option.label)
        for form in forms
        if form
    ]
    both = await asyncio.gather(
        *(p.submit(form, {"What": what}) for p, form, what in zip(people, forms, prey, strict=True))
    )
    assert sorted(map(is_refused, both)) == [False, True]
    attack = next(roll for roll in ORE.of((await seen(table))[1]).rolls.values() if roll.gm)
    assert attack.hands[0].spoiled == (6,)


async def test_gobbling_is_taken_back_whole(table: Game) -> None:
    attack, dodge = await duel(table)
    await do(table, "bob", dodge, "Gobble")
    await table.play("bob: /undo")
    await table.at_rest()
    assert "Alice: 3×6\n-# loose 1" in shown(attack).text
    assert "gobbling" not in shown(dodge).text


async def test_a_crowd_of_fifty_is_shown_in_two_pages_also_after_a_restart(table: Game) -> None:
    table.dice.show((1,) * 49 + (10,), (10,), (7,))
    first = await table.play("gm: /ore crowd dice:4d count:50 note:Guards")
    lines = first.text.split("\n")
    assert lines[:3] == [
        "GM: 50 quick rolls of 4d, 1 with a set",
        "Guards",
        "Pool 50, 4d: 3×7. Width d10: 10, Second d10: 10, Height d10: 7",
    ]
    assert first.more == []
    await table.restart()
    second = await table.bob.press(first, "Page 2 of 2")
    pools = [line for line in (*lines, *second.text.split("\n")) if line.startswith("Pool")]
    assert len(pools) == len(set(pools)) == 50
    assert labels(second)[-1] == "Page 1 of 2"


async def test_the_order_of_action_is_private_and_can_be_shared(table: Game) -> None:
    await duel(table)
    reply = await table.says("gm: /ore order")
    assert reply.text.replace("\\", "").split("\n") == [
        "Order of action:", "1. Bob: 3×8", "2. Alice: 3×6"
    ]  # fmt: skip
    assert reply.private
    assert not (await table.gm.press(reply, "Share")).private


async def test_a_roll_that_a_newer_one_has_replaced_is_not_open_in_the_order_of_action(table: Game) -> None:
    await rolled(table, "alice: /ore roll dice:3d 1w", (6, 3, 6))
    assert "Open: Alice" in (await table.says("gm: /ore order")).text
    await rolled(table, "alice: /ore roll dice:3d", (8, 8, 1))
    assert "Open" not in (await table.says("gm: /ore order")).text


async def test_odds_are_private_and_the_same_when_shared(table: Game) -> None:
    reply = await table.says("alice: /ore odds dice:2d")
    assert reply.private
    assert reply.text.split("\n")[:2] == ["Any set 10.0%", "Odds of 2d"]
    assert "Height 6 or more 5.0%" in reply.text
    public = await table.alice.press(reply, "Share")
    assert (public.private, public.text) == (False, reply.text)


async def test_all_odds_and_the_roll_itself_are_one_press_away(table: Game) -> None:
    reply = await table.says("alice: /ore odds dice:5d 1w 1h width:3 height:5")
    assert reply.text.startswith("A set of at least 3×5: 67.7%\nOdds of 5d 1w 1h")
    table.dice.show((2, 2, 3, 4, 5))
    rolled = await table.alice.press(reply, "Roll this")
    assert not rolled.private
    assert "A set needs width 3 and height 5" in rolled.text
    assert "Dice of 5d 1w 1h: 2 2 3 4 5, hard 10" in rolled.text
    everything = await table.alice.press(reply, "All")
    assert everything.text.startswith("A set of at least 3×5: 67.7%\nAny set 100.0%, quick 100.0%")
    table.dice.show((2, 2, 3, 4, 5))
    again = await table.alice.press(everything, "Roll this")
    assert "A set needs width 3 and height 5" in again.text


async def test_the_log_keeps_every_die_that_was_seen(table: Game) -> None:
    await rolled(table, "alice: /ore roll dice:4d", (6, 6, 1, 6))
    await rolled(table, "gm: /ore crowd dice:4d count:2", (7, 2), (9,))
    log = (await table.says("bob: /log")).text
    assert "Alice: 3×6, loose 1 (Dice of 4d: 1 6 6 6)" in log
    assert "GM: 2 quick rolls of 4d, 1 with a set: 1. 2×9 (7 9), 2. no set (2)" in log


async def test_ones_pools_are_suggested_first(table: Game) -> None:
    await rolled(table, "alice: /ore roll dice:5d 2w", (1, 2, 3, 4, 5))
    await rolled(table, "bob: /ore roll dice:3d", (1, 2, 3))
    offered = [choice.value for choice in await table.alice.complete("/ore quick dice:")]
    assert offered[:3] == ["5d 2w", "2d", "3d"]
    typed = [choice.value for choice in await table.alice.complete("/ore quick dice:7d 1h")]
    assert typed == ["7d 1h"]


async def test_it_works_where_nothing_is_set_up(game: Game) -> None:
    reply = await rolled(game, "carol: /ore roll dice:3d 1w", (6, 3, 6))
    assert reply.text.startswith("carol: 2×6\nloose 3, 1 wiggle die still to place")
    assert "carol: 3×6" in (await do(game, "carol", reply, "Place")).text


async def test_it_works_in_direct_messages(game: Game) -> None:
    place = game.discord.dm(game.alice)
    game.dice.show((6, 3, 6))
    reply = await game.alice.slash("/ore roll dice:3d 1w", channel=place)
    assert reply.failed is None
    assert "alice: 3×6" in (await do(game, "alice", reply, "Place")).text


async def test_it_lives_beside_a_cortex_roll_on_the_same_table(table: Game) -> None:
    one = await rolled(table, "alice: /ore roll dice:3d 1w", (6, 3, 6))
    other = await rolled(table, "alice: /roll dice:2d6 d8 vs:7", (5, 4, 3))
    assert "3×6" in (await do(table, "alice", one, "Place")).text
    assert "Apply d8" in labels(other)
    closed = await table.play("gm: /scene end")
    assert "Open rolls closed: Alice" in closed.text


async def test_what_cannot_be_is_refused_with_what_can_be(table: Game, subtests: pytest.Subtests) -> None:
    for line, hears in (
        ("/ore roll dice:31d", '"31d" is too many dice; the limit is 30.'),
        (
            "/ore roll dice:1d",
            "That's 1 die. A pool needs at least 2 dice and can have at most 10 normal dice.",
        ),
        ("/ore roll dice:9d 11w", "That's 11 wiggle dice; a pool can have at most 10 of a kind."),
        ("/ore roll dice:5d expert:0", "The expert die can show 1 to 10, not 0."),
        (
            "/ore quick dice:2w c3",
            ("A called shot needs a normal die, and this pool has none. Example: 5d c3"),
        ),
        ("/ore crowd dice:,", "A crowd needs pools. Example: /ore crowd dice:4d count:12"),
        ("/ore odds dice:Rope", ('"Rope" has no dice, and isn\'t a rating on your sheet. Example: Rope 3d')),
    ):
        with subtests.test(line=line):
            reply = await table.says(f"bob: {line}")
            assert is_refused(reply)
            assert reply.text == hears


async def test_O5_the_wiggle_dice_of_a_crowd_are_placed_pool_by_pool(table: Game) -> None:
    table.dice.show((9, 4), (4, 7, 6, 5))
    rolled = await table.play("gm: /ore crowd dice:4d 1w count:2")
    assert [button.label for button in rolled.buttons][:2] == ["Pool 1: place", "Pool 2: place"]
    form = (await table.gm.press(rolled, "Pool 1: place")).form
    assert form is not None
    done = await table.gm.submit(form, {"What": "On 4 (widest): 3×4"})
    assert "Pool 1, 4d 1w: 3×4" in done.text
    assert [button.label for button in done.buttons][:1] == ["Pool 2: place"]


# Dice as people type them


async def test_O6_the_card_says_names_penalties_and_what_is_over_the_most(
    table: Game, subtests: pytest.Subtests
) -> None:
    for line, faces, says in (
        ("roll dice:Body 3d + Fight 2d - 1d", (1, 1, 2, 2), "Dice of 4d (Body 3d + Fight 2d - 1d): 1 1 2 2"),
        ("roll dice:14d - 1d", (1, 2) * 5, "Dice of 10d (14d - 1d, 3 over 10): 1 1 1 1 1 2 2 2 2 2"),
        (
            "quick dice:**5d** MD, 2d penalty",
            (1, 2, 3),
            "Quick roll of 3d 1m (5d 1m - 2d): Width d10: 1, Height d10: 2, Height d10: 3",
        ),
        ("roll dice:5d − 1d", (1, 1, 2, 2), "Dice of 4d (5d - 1d): 1 1 2 2"),
    ):
        with subtests.test(line=line):
            assert says in (await rolled(table, f"alice: /ore {line}", faces)).text


async def test_O5_a_pool_of_a_crowd_has_up_to_15_dice_of_a_kind(table: Game) -> None:
    table.dice.show((7,) * 9 + (1, 2, 3, 4, 5, 6), (10,), (10,), (8,))
    reply = await table.play("gm: /ore crowd dice:Guards 17d, 4d")
    assert reply.text.split("\n")[1:] == [
        "Pool 1, 15d (Guards 17d, 2 over 15): 9×7, loose 1 2 3 4 5 6. Rolled 1 2 3 4 5 6 7 7 7 7 7 7 7 7 7",
        "Pool 2, 4d: 3×8. Width d10: 10, Second d10: 10, Height d10: 8",
    ]
    assert "1. 9×7, loose 1 2 3 4 5 6 (1 2 3" in (await table.says("bob: /log")).text


async def test_O4_the_die_for_several_actions_comes_off_those_over_the_most(table: Game) -> None:
    table.dice.show((1, 3), (1, 4))
    reply = await table.play("alice: /ore actions dice:12d second:Fight 13d")
    assert "Action 1, 10d (12d, 1 over 10): 2×3" in reply.text
    assert "Action 2, 8d (Fight 13d, 1 over 10)" in reply.text


RATINGS = "Ratings: Body 3, Magic MD, Claws 2hd; Luck 1td Armour 4hd, Cloak and Dagger 2d + 1w"


async def test_O1_ratings_are_read_on_a_sheet_by_the_same_grammar(table: Game) -> None:
    await edited(table, RATINGS)
    shown = (await table.says("alice: /character show")).text.replace("\\", "")
    assert 'Ratings Body 3d, Magic 1m, Claws 2h, Luck 1t, Armour 4h, "Cloak and Dagger" 2d 1w' in shown
    table.dice.show((1, 2, 3, 4))
    reply = await table.play("alice: /ore roll dice:cloak and dagger + Body - 1d")
    assert 'Dice of 4d 1w ("Cloak and Dagger" 2d 1w + Body 3d - 1d): 1 2 3 4' in reply.text
    odds = await table.says("alice: /ore odds dice:Body + 1d")
    assert "Odds of 4d (Body 3d + 1d)" in odds.text


async def test_dice_beside_the_name_of_other_dice_are_asked_about(table: Game) -> None:
    await edited(table, RATINGS)
    for command, answer, says in (
        ("roll dice:Body 5d", "Body 5d", "Dice of 5d (Body 5d): 1 2 3 4 5"),
        ("odds dice:Body 5d", "Body 3d + 5d", "Odds of 8d (Body 3d + 5d)"),
    ):
        asked = await table.says(f"alice: /ore {command}")
        assert '"Body 5d" could mean two things. Which do you mean?' in asked.text
        assert labels(asked) == ["Body 5d", "Body 3d + 5d"]
        table.dice.show((1, 2, 3, 4, 5))
        assert says in (await table.alice.press(asked, answer)).text


async def test_what_is_no_one_roll_die_is_refused_with_what_works(
    table: Game, subtests: pytest.Subtests
) -> None:
    for line, hears in (
        ("roll dice:2d6", '"2d6" isn\'t a One-Roll die: One-Roll dice are all d10. Example: 5d 2w'),
        ("roll dice:5d1O", '"5d1O" isn\'t a die. Did you mean 5d10?'),
        ("quick dice:5d!", '"!" isn\'t a One-Roll die. Use 5d, 2w, 1h, e7 or c3.'),
        ("odds dice:5d vs 4d", 'A One-Roll pool has no opposition. Leave out "vs".'),
        (
            "roll dice:5d drop 1",
            "\"drop\" doesn't work with One-Roll dice. If it's a name, put it in quotation marks.",
        ),
        (
            "roll dice:Hard Luck 3d",
            ('"Hard" means dice. If it\'s part of a name, put the name in quotation marks.'),
        ),
        ("roll dice:5d - 2w", "A penalty is a number of dice. Example: 5d - 2d"),
        (f"roll dice:{'5d ' * 70}", "That's 209 characters; the limit is 200."),
        ("crowd dice:4d and 6d", "Put commas between the pools of a crowd. Example: 4d, 3d + 3d"),
        (
            'roll dice:"2d Gun" 3d',
            ('"2d Gun" has dice in it. Leave the dice out of the name. Example: Body 3d'),
        ),
        (
            "actions dice:8d second:5d e7 e7",
            ("A pool can have only one expert die, not 7 and 7. Example: 5d e7"),
        ),
    ):
        with subtests.test(line=line):
            reply = await table.says(f"bob: /ore {line}")
            assert is_refused(reply)
            assert hears in reply.text
    for line, hears in (
        ("Body 3d, 4hd", "4h needs a name. Example: Body 4h"),
        ("Body 3d, Fight", '"Fight" needs dice. Example: Fight 3d'),
        ("Body 3d - 1d", "A rating can't have negative dice. Example: Body 3d, Fight 2d 1w"),
        ("Level 4 3d", '"Level 4 3d" could mean two things. Example: "Level 4" 3d'),
    ):
        with subtests.test(line=line):
            reply = await edited(table, f"Ratings: {line}")
            assert hears in reply.text.replace("\\", "")


async def test_roll_this_reads_names_and_penalties(table: Game) -> None:
    message = await table.alice.write("I leap: Body 3d + Fight 2d 1wd - 1d, and land")
    read = await table.alice.menu_command("Roll this", message)
    assert "`Body 3d + Fight 2d 1wd - 1d`" in read.text
    table.dice.show((1, 2, 3, 4))
    done = await table.alice.press(read, "Roll")
    assert "Dice of 4d 1w (Body 3d + Fight 2d 1w - 1d): 1 2 3 4" in done.text


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("width:3", "Alice: 3×4, doesn't count: 2×9\nA set needs width 3\n"),
        ("height:5", "Alice: 2×9, doesn't count: 3×4\nA set needs height 5\n"),
        (
            "width:3 height:5",
            "Alice: no set counts (3×4 and 2×9)\nA set needs width 3 and height 5\n",
        ),
    ],
)
async def test_O6_a_set_needs_the_width_and_height_of_the_difficulty_to_count(
    table: Game, typed: str, text: str
) -> None:
    shown = await rolled(table, f"alice: /ore roll dice:5d {typed}", (4, 4, 4, 9, 9))
    assert shown.text.startswith(text)
    order = (await table.says("alice: /ore order")).text
    assert ("Alice: no set" in order) is ("no set" in text)
    assert ("3×4" in order) is text.startswith("Alice: 3×4")


async def test_O6_a_difficulty_that_no_set_can_have_is_refused(table: Game) -> None:
    refused = await table.says("alice: /ore roll dice:5d width:1")
    assert is_refused(refused)
    assert refused.text.startswith("A difficulty's width is 2 to 31, not 1.")
    assert is_refused(await table.says("alice: /ore quick dice:5d height:11"))
