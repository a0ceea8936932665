"""Rounds as they are played: challenges with handoff, their turn and limit, and the turn order (L, M5)."""

import asyncio

import pytest

from bot.loopback.reply import BotReply
from rules.cortex.model import CORTEX
from tests.bot.test_buttons import is_refused, plain, put_back, seen
from tests.bot.test_contests import do
from tests.game import Game

STORM = "gm: /challenge new name:Storm"


def labels(shown: BotReply) -> list[str]:
    """The labels of a reply's buttons."""
    return [button.label for button in shown.buttons]


async def turn(game: Game, who: str, came: BotReply, *, wins: bool) -> BotReply:
    """Somebody's turn: they roll against the challenge, and apply what they got."""
    pool = CORTEX.of((await seen(game))[1]).challenges["storm"].dice
    count = sum(pool.values())
    game.dice.show(*((4, 3, 2), (2,) * count) if wins else ((2, 2, 2), (6, 5, *(2,) * count)[:count]))
    rolled = await do(game, who, came, "Roll against", {"Dice": "2d6 d8"})
    if not wins:
        return rolled
    return await do(game, who, rolled, "Apply")


async def acting(game: Game, line: str = STORM) -> BotReply:
    """A challenge whose own turn it is, everybody passed over."""
    await game.play(line, "gm: /challenge skip who:Alice")
    return await game.play("gm: /challenge skip who:Bob")


async def test_rounds_go_from_hand_to_hand_until_it_is_won(table: Game) -> None:
    new = await table.play(STORM)
    assert labels(new) == ["First: Alice", "First: Bob"]
    came = await do(table, "gm", new, "First: Alice")
    assert labels(came) == ["Roll against", "Next: Bob"]
    done = await turn(table, "alice", came, wins=True)
    assert "Challenge Storm: d6 d8, round 1 (d8 stepped down)" in done.text
    came = await do(table, "alice", done, "Next: Bob")
    assert came.message is not None
    assert came.message.pings == {table.bob.id}
    done = await turn(table, "bob", came, wins=True)
    assert "Challenge Storm: 2d6, round 1 (d8 stepped down)" in done.text
    assert labels(done) == ["Act", "What was it?"]
    acted = await do(table, "gm", done, "Act", {"What": "Step up d6"})
    assert "Challenge Storm: d6 d8, round 1 (d6 stepped up)" in acted.text
    assert "Challenge Storm, round 2 begins: Bob chooses who acts first" in acted.text
    came = await do(table, "bob", acted, "First: Bob")
    assert "It's Bob's turn (Challenge Storm, round 2)" in came.text


async def test_it_is_won_with_its_last_die_and_told_in_a_message_of_its_own(table: Game) -> None:
    await table.play(STORM, "gm: /challenge remove dice:d8")
    came = await table.play("gm: /challenge first who:Alice")
    table.dice.show((4, 3, 2), (2,))
    rolled = await do(table, "alice", came, "Roll against", {"Dice": "2d6 d10"})
    done = await do(table, "alice", rolled, "Apply")
    await table.at_rest()
    assert done.more
    assert [message.text for message in done.more] == [
        "### Challenge Storm is won\nAlice decided it: 7 against 2."
    ]
    assert [message.pings for message in done.more] == [frozenset()]
    assert labels(done) == ["What was it?"]
    assert is_refused(await table.says("gm: /challenge act what:add"))


async def test_a_failure_is_the_gms_to_apply_and_is_never_stepped_up(table: Game) -> None:
    await table.play(STORM)
    came = await table.play("gm: /challenge first who:Alice")
    table.dice.show((1, 1, 2), (8, 8))
    lost = await do(table, "alice", came, "Roll against", {"Dice": "2d6 d8"})
    assert "Challenge Storm wins with effect d4" in lost.text
    assert is_refused(await table.alice.press(lost, "Apply d4"))
    done = await do(table, "gm", lost, "Apply d4", {"What": "Mental stress d4"})
    assert "Alice · Mental stress d4" in done.text


async def test_it_acts_against_somebody_who_rolls_first_and_is_called(table: Game) -> None:
    acted = await do(table, "gm", await acting(table), "Act", {"What": "Against Alice"})
    assert acted.text.startswith("Challenge Storm acts against Alice; they roll first")
    assert acted.message is not None
    assert acted.message.pings == {table.alice.id}
    table.dice.show((2, 2, 2), (8, 7))
    rolled = await do(table, "alice", acted, "Roll against", {"Dice": "2d6 d8"})
    assert "vs 15: failure" in rolled.text
    assert "Challenge Storm wins with effect d8" in rolled.text
    assert "Challenge Storm, round 2 begins" in rolled.text
    hit = await do(table, "gm", rolled, "Apply d8", {"What": "Complication d8", "Name": "Soaked"})
    assert "Alice · Soaked d8 (complication)" in hit.text
    assert labels(hit) == ["First: Alice", "First: Bob", "What was it?"]


async def test_who_ties_with_a_challenge_that_acts_is_not_hit(table: Game) -> None:
    acted = await do(table, "gm", await acting(table), "Act", {"What": "Against Alice"})
    table.dice.show((5, 5, 2), (8, 2))
    rolled = await do(table, "alice", acted, "Roll against", {"Dice": "2d6 d8"})
    assert "vs 10: success" in rolled.text
    assert not [label for label in labels(rolled) if label.startswith("Apply")]


async def test_it_is_lost_when_dice_are_left_after_its_turn_in_the_last_round(
    table: Game, subtests: pytest.Subtests
) -> None:
    begun = (await seen(table))[1]
    for what in ("Add a d6", "Step up d8", "Against Alice"):
        with subtests.test(what=what):
            await put_back(table, begun)
            acted = await do(table, "gm", await acting(table, f"{STORM} rounds:1"), "Act", {"What": what})
            if what == "Against Alice":
                table.dice.show((2, 2, 2), (6, 5))
                acted = await do(table, "alice", acted, "Roll against", {"Dice": "2d6 d8"})
            assert "Challenge Storm is lost" in acted.text
            if what == "Against Alice":
                assert "Alice · Soaked" in (await do(table, "gm", acted, "Apply", {"Name": "Soaked"})).text
            assert (
                "There are no challenges yet. Example: /challenge"
                in (await table.says("bob: /challenge show")).text
            )


async def test_who_is_absent_or_taken_out_is_passed_over(table: Game) -> None:
    assert labels(await table.play(f"{STORM} absent:Bob")) == ["First: Alice"]
    await table.play("gm: /challenge end", "gm: /comp add what:Hurt who:Alice die:d12")
    await table.play("gm: /comp stepup what:Hurt")
    assert labels(await table.play(STORM)) == ["First: Bob"]
    refused = await table.says("gm: /challenge first who:Alice")
    assert is_refused(refused)
    assert "Still to go this round: Bob" in refused.text


async def test_who_is_taken_out_on_their_turn_does_not_hold_it_up(table: Game) -> None:
    await table.play(STORM, "gm: /challenge skip who:Bob", "gm: /challenge next who:Alice")
    await table.play("gm: /comp add what:Hurt who:Alice die:d12", "gm: /comp stepup what:Hurt")
    assert "Everyone else has acted; now it acts" in (await table.says("bob: /challenge show")).text
    await table.play("gm: /challenge act what:add")


async def test_nobody_acts_out_of_turn(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(STORM, "gm: /challenge first who:Alice")
    for line, why in (
        ("bob: /roll dice:2d6 vs:Storm", "challenge. The GM can skip them: /challenge skip who:Alice"),
        ("gm: /challenge act what:add", "Still to go this round: Alice and Bob"),
        ("bob: /challenge next who:Bob", "Only the GM or Alice"),
        ("alice: /challenge next who:Alice", "Still to go this round: Bob"),
        ("gm: /challenge first who:Bob", "has already begun"),
    ):
        with subtests.test(line=line):
            before = await seen(table)
            refused = await table.says(line)
            assert is_refused(refused)
            assert why in refused.text
            assert await seen(table) == before


async def test_nobody_acts_twice_in_a_round(table: Game) -> None:
    await table.play(STORM, "gm: /challenge first who:Alice")
    table.dice.show((2, 2, 2), (6, 5))
    await table.play("alice: /roll dice:2d6 d8 vs:Storm")
    refused = await table.says("alice: /roll dice:2d6 d8 vs:Storm")
    assert is_refused(refused)
    assert "Alice has already acted this round" in refused.text


async def test_the_turn_is_handed_on_once_by_two_at_once(table: Game) -> None:
    await table.play(STORM)
    came = await table.play("gm: /challenge first who:Alice")
    button = table.alice.look_for(came, "Next: Bob")
    both = await asyncio.gather(table.alice.push(came, button), table.gm.push(came, button))
    assert sorted(map(is_refused, both)) == [False, True]


async def test_a_turn_by_the_challenges_own_roll_counts_too(table: Game) -> None:
    await table.play(STORM, "gm: /challenge first who:Alice")
    table.dice.show((2, 2), (4, 3, 2))
    rolled = await table.play("gm: /challenge roll")
    hit = await do(table, "alice", rolled, "Roll against", {"Dice": "2d6 d8"})
    assert "Next: Bob" in labels(await do(table, "alice", hit, "Apply"))


async def test_two_challenges_go_on_beside_each_other(table: Game) -> None:
    await table.play(STORM, "gm: /challenge new name:Flood")
    refused = await table.says("gm: /challenge first who:Alice")
    assert "Which challenge? There are 2: Storm and Flood." in refused.text
    await table.play("gm: /challenge first who:Alice name:Flood", "gm: /challenge first who:Bob name:Storm")
    shown = (await table.says("bob: /challenge show")).text.splitlines()
    assert "Turn: Bob" in shown[0]
    assert "Turn: Alice" in shown[1]


async def test_it_all_goes_on_after_a_restart(table: Game) -> None:
    acted = await do(table, "gm", await acting(table), "Act", {"What": "Against Alice"})
    await table.restart()
    table.dice.show((2, 2, 2), (6, 5))
    rolled = await do(table, "alice", acted, "Roll against", {"Dice": "2d6 d8"})
    await table.restart()
    await do(table, "gm", rolled, "Apply", {})
    await table.restart()
    assert "It's Bob's turn" in (await do(table, "gm", rolled, "First: Bob")).text


async def test_every_step_of_a_round_is_undone_and_redone_exactly(table: Game) -> None:
    lines = (
        f"{STORM} rounds:1",
        "gm: /challenge first who:Alice",
        "alice: /roll dice:2d6 d8 vs:Storm",
        "alice: /challenge next who:Bob",
        "gm: /challenge skip who:Bob",
        "gm: /challenge act what:stepup",
    )
    table.dice.show((1, 2, 3), (6, 6))
    states = [(await seen(table))[1]]
    for line in lines:
        await table.play(line)
        states.append((await seen(table))[1])
    assert CORTEX.of(states[-1]).challenges == {}
    for state in reversed(states[:-1]):
        await table.play("gm: /undo")
        assert plain((await seen(table))[1]) == plain(state)
    for state in states[1:]:
        await table.play("gm: /redo")
        assert plain((await seen(table))[1]) == plain(state)


async def test_a_gmc_that_doom_brings_joins_the_turn_order(table: Game) -> None:
    await table.play("gm: /doom add dice:2d10", "gm: /gmc new name:Max dice:Claws d10, Swift d6 away:true")
    await table.play("gm: /turn start who:Alice")
    assert "Max" not in (await table.says("bob: /turn show")).text
    came = await table.play("gm: /doom spend for:gmc name:Max")
    assert "Doom pool: 2d6 d10 (d10 spent)" in came.text
    assert "Max enters the scene and joins the turn order" in came.text
    assert "Turn: Alice, then Bob and Max" in (await table.says("bob: /turn show")).text
    handed = await table.play("alice: /turn next who:Max")
    assert is_refused(await table.bob.press(handed, "Next: Bob"))
    assert "It's Bob's turn (round 1)" in (await do(table, "gm", handed, "Next: Bob")).text


async def test_the_turn_order_goes_round(table: Game) -> None:
    first = await table.play("gm: /turn start who:Alice")
    assert first.message is not None
    assert first.message.pings == {table.alice.id}
    second = await do(table, "alice", first, "Next: Bob")
    assert labels(second) == ["Next: Alice", "Next: Bob"]
    assert "It's Bob's turn (round 2)" in (await do(table, "bob", second, "Next: Bob")).text


async def test_the_table_shows_whose_turn_it_is_and_the_scene_ends_it(table: Game) -> None:
    await table.says("gm: /table pin")
    await table.play("gm: /turn start who:Alice")
    pinned = table.discord.pins()[0]
    await table.at_rest()
    assert "Turn: **Alice**, then Bob. Round 1" in pinned.text
    await table.play("gm: /scene end")
    await table.at_rest()
    assert "Turn" not in pinned.text


async def test_many_who_could_be_next_are_named_in_a_form(table: Game) -> None:
    for number in range(30):
        await table.play(f"gm: /gmc new name:Thug {number} dice:d6")
    first = await table.play("gm: /turn start who:Alice")
    assert labels(first)[-1] == "Next: someone else"
    assert is_refused(await table.bob.press(first, "Next: someone else"))
    opened = await table.alice.press(first, "Next: someone else")
    assert opened.form is not None
    assert "It's Thug 29's turn" in (await table.alice.submit(opened.form, {"Name": "Thug 29"})).text


async def test_L2_whoever_acted_last_names_the_first_by_command_too(table: Game) -> None:
    await table.play(STORM, "gm: /challenge first who:Alice", "alice: /challenge next who:Bob")
    await table.play("gm: /challenge act what:add")
    assert "Only the GM or Bob" in (await table.says("alice: /challenge first who:Alice")).text
    assert "Alice" in (await table.play("bob: /challenge first who:Alice")).text
    assert CORTEX.of((await seen(table))[1]).challenges["storm"].order.turn == "alice"


SPLIT = "gm: /doom spend dice:d10 for:split on:"


async def split(game: Game, parts: str) -> BotReply:
    """The group with Carol and Dan, split so."""
    await game.play("gm: /character new name:Carol", "gm: /character new name:Dan", "gm: /doom add dice:2d10")
    return await game.play(SPLIT + parts)


async def test_M5_a_split_group_is_joined_by_its_button_once(table: Game) -> None:
    came = await split(table, "Alice")
    assert "The group is split: Alice from Bob, Carol and Dan" in came.text
    assert is_refused(await table.alice.press(came, "Join again"))
    both = await asyncio.gather(*(table.gm.press(came, "Join again") for _ in range(2)))
    assert sorted(map(is_refused, both)) == [False, True]
    assert CORTEX.of((await seen(table))[1]).split == ()
    await table.play("gm: /undo")
    assert CORTEX.of((await seen(table))[1]).split == (("Alice",), ("Bob", "Carol", "Dan"))


async def test_M5_a_group_is_split_in_more_than_two_and_its_parts_meet_one_by_one(table: Game) -> None:
    came = await split(table, "Alice; Bob, Carol")
    assert "The group is split: Alice; Bob and Carol; Dan" in came.text
    one = await table.says("gm: /scene join who:Dan")
    assert is_refused(one)
    assert "Name someone from each part" in one.text
    met = await table.play("gm: /scene join who:Dan, Bob")
    assert "Together again: Bob, Carol and Dan. Still apart: Alice" in met.text
    assert "Split: Bob, Carol and Dan; Alice" in (await table.says("gm: /table show")).text
    assert "The group is together again" in (await table.play("gm: /scene join")).text
    assert "The group isn't split" in (await table.says("gm: /scene join")).text


async def test_M5_the_same_split_again_costs_nothing(table: Game) -> None:
    await split(table, "Alice; Bob, Carol")
    before = (await seen(table))[1]
    again = await table.says(SPLIT + "Dan; Alice; Carol, Bob")
    assert is_refused(again)
    assert "The group is already split like that: Alice; Bob and Carol; Dan." in again.text
    assert (await seen(table))[1] == before
    assert "The group is together again" in (await table.play("gm: /scene join who:all")).text


async def test_M5_groups_are_completed_and_no_name_holds_what_parts_them(table: Game) -> None:
    await table.play("gm: /doom add dice:d10")
    offered = await table.gm.complete("/doom spend for:split on:Alice; ")
    assert [each.value for each in offered] == ["Alice; Bob", "Alice; scene"]
    refused = await table.says("gm: /character new name:A;B")
    assert "Commas and semicolons separate names" in refused.text


async def test_M5_the_button_of_a_scene_that_ended_says_so(table: Game) -> None:
    came = await split(table, "Alice")
    await table.play("gm: /scene end")
    late = await table.gm.press(came, "Join again")
    assert late.text == "That scene has ended. To bring a split group back together: /scene join"


async def test_M5_parts_that_are_none_split_nothing_and_cost_nothing(
    table: Game, subtests: pytest.Subtests
) -> None:
    await split(table, "Alice")
    await table.play("gm: /scene join")
    for parts in ("Alice; Alice", "Alice, Bob, Carol, Dan", "; ;", "Alice; Zoe"):
        with subtests.test(parts=parts):
            before = (await seen(table))[1]
            assert is_refused(await table.says(SPLIT + parts))
            assert (await seen(table))[1] == before


# A roll out of turn, outside a challenge (L2)


async def test_a_roll_out_of_turn_says_whose_turn_it_was_until_the_gm_lets_it_stand(table: Game) -> None:
    await table.play("gm: /turn start who:Bob")
    rolled = await table.play("alice: /roll dice:2d6 d8")
    assert "It was Bob's turn." in rolled.text.splitlines()
    assert "Let it stand" in labels(rolled)
    (button,) = (each for each in rolled.buttons if each.label == "Let it stand")
    for who in (table.alice, table.bob):
        assert "Only the GM can say whether a roll stands" in (await who.press(rolled, "Let it stand")).text
    stands = await table.gm.press(rolled, "Let it stand")
    assert "turn" not in stands.text
    assert "Let it stand" not in labels(stands)
    again = await table.gm.push(rolled, button)
    assert is_refused(again)
    assert "gm got there first. That roll already stands. To" in again.text
    assert (await table.says("alice: /log")).text.splitlines()[1].endswith("Alice: the roll stands")
    await table.play("gm: /undo")
    await table.at_rest()
    assert rolled.message is not None
    assert "It was **Bob**'s turn." in rolled.message.text
    await table.play("bob: /character rename to:Corvin")
    await table.at_rest()
    assert "It was **Corvin**'s turn." in rolled.message.text


async def test_a_roll_out_of_turn_goes_on_as_any_and_closes_without_the_line(table: Game) -> None:
    await table.play("gm: /scene start name:The docks", "gm: /turn start who:Bob")
    table.dice.show((6, 5, 4))
    rolled = await table.play("alice: /contest start dice:2d6 d8 against:Bob")
    assert "It was Bob's turn." in rolled.text
    stands = await table.gm.press(rolled, "Let it stand")
    assert "Bob: beat 11 or give in." in stands.text
    assert (await table.says("alice: /log")).text.splitlines()[1].endswith("Alice: the roll stands")
    other = await table.play("alice: /roll dice:2d6 d8")
    await do(table, "alice", other, "Apply")
    await table.at_rest()
    assert other.message is not None
    assert "It was **Bob**'s turn." in other.message.text
    await table.play("gm: /scene end")
    await table.at_rest()
    assert other.message.text.endswith("This roll is closed.")
    assert "turn" not in other.message.text


@pytest.mark.parametrize(
    ("before", "line"),
    [
        (("gm: /turn start",), "alice: /roll dice:2d6 d8"),
        (("gm: /turn start who:Alice",), "alice: /roll dice:2d6 d8"),
        (("gm: /turn start who:Bob", "bob: /turn next who:Alice"), "alice: /roll dice:2d6 d8"),
        (("gm: /turn start who:Bob", "gm: /turn end"), "alice: /roll dice:2d6 d8"),
        (("gm: /turn start who:Bob",), "gm: /roll dice:2d6 d8"),
        (("gm: /turn start who:Bob",), "gm: /roll dice:2d6 d8 who:Alice"),
        (("gm: /turn start who:Bob",), "gm: /doom roll"),
        (
            ("gm: /turn start who:Bob", STORM, "gm: /challenge first who:Alice"),
            "alice: /roll dice:2d6 d8 vs:Storm",
        ),
        (
            ("gm: /turn start who:Bob", "bob: /contest start dice:2d6 against:Alice"),
            "alice: /contest answer dice:2d6 d8",
        ),
    ],
)
async def test_what_is_no_turn_or_in_turn_says_nothing_of_it(
    table: Game, before: tuple[str, ...], line: str
) -> None:
    await table.play(*before)
    rolled = await table.play(line)
    assert "'s turn" not in rolled.text
    assert "Let it stand" not in labels(rolled)


async def test_a_reaction_is_no_roll_out_of_turn(table: Game) -> None:
    await table.play("gm: /turn start who:Bob")
    rolled = await table.play("gm: /doom roll on:Alice")
    reaction = await do(table, "alice", rolled, "Roll against", {"Dice": "2d6 d8"})
    assert "'s turn" not in reaction.text


async def test_who_is_forgotten_is_in_no_roll_that_was_made_in_their_turn(table: Game) -> None:
    zoltan = table.discord.person("zoltan", display="Zoltan")
    await zoltan.slash("/character new name:Zoltan")
    await table.play("gm: /turn start who:Zoltan")
    rolled = await table.play("alice: /roll dice:2d6 d8")
    assert "It was Zoltan's turn." in rolled.text
    await zoltan.press(await zoltan.slash("/privacy delete"), "Delete for ever")
    await table.at_rest()
    (roll,) = CORTEX.of((await seen(table))[1]).rolls.values()
    assert roll.turn
    assert "Zoltan" not in roll.turn
