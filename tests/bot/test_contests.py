"""Contests as they are played: by command and by button, over days, several at once (T4)."""

import asyncio

import pytest

from bot.loopback.reply import BotReply, pressable
from rules.cortex.model import CORTEX
from tests.bot.test_buttons import is_refused, plain, seen
from tests.game import Game

START = "bob: /contest start dice:2d8 d6 against:Alice note:the map"
REX = "gm: /gmc new name:Rex dice:Fangs d10, Swift d8"


async def do(
    game: Game, who: str, reply: BotReply, label: str, fields: dict[str, str] | None = None
) -> BotReply:
    """Press a button, and send the form that it opens."""
    pressed = await game.person(who).press(reply, label)
    return pressed if pressed.form is None else await game.person(who).submit(pressed.form, fields)


async def begun(game: Game, *faces: tuple[int, ...]) -> BotReply:
    """Bob has rolled 9 against Alice; the next rolls are loaded."""
    game.dice.show((5, 4, 2), *faces)
    return await game.play(START)


async def points(game: Game, who: str) -> int:
    """Somebody's PP."""
    return CORTEX.has((await seen(game))[1].characters[who]).pp


async def test_it_goes_back_and_forth_by_button_until_a_side_fails(table: Game) -> None:
    first = await begun(table, (6, 5, 2), (8, 5, 2), (2, 2, 2))
    assert "Alice: beat 9 or give in." in first.text
    second = await do(table, "alice", first, "Roll against", {"Dice": "2d8 d6"})
    assert second.text.startswith("Alice, vs 9: success by 2\nTotal 11, effect d6. the map")
    third = await do(table, "bob", second, "Roll against")
    assert "Alice: beat 13 or give in." in third.text
    fourth = await do(table, "alice", third, "Roll against")
    assert "vs 13: failure" in fourth.text
    assert "Bob wins with effect d10" in fourth.text
    assert "Bob wins the contest" not in fourth.text  # a card of its own says so
    assert not {"Roll against", "Give in"} & {button.label for button in fourth.buttons}
    assert "There are no contests yet. Example: /contest" in (await table.says("alice: /contest show")).text


async def test_who_is_to_answer_is_said_once_and_no_longer_when_it_is_over(table: Game) -> None:
    first = await begun(table)
    assert first.text.count("Alice: beat 9 or give in") == 1
    over = await do(table, "alice", first, "Give in")
    await table.at_rest()
    assert "or give in" not in over.text
    assert "or give in" not in first.text


ALICE_ENDS, BOB_ENDS = "Alice gives in. Bob wins the contest", "Bob gives in. Alice wins the contest"
ANSWER, LATER = "alice: /contest answer dice:2d8", "gm: /scene end"
OUT = ("gm: /stress add what:Physical who:Alice die:d12", "gm: /stress stepup what:Physical who:Alice")


@pytest.mark.parametrize(
    ("faces", "end", "told"),
    [
        ((), ("press Give in",), ALICE_ENDS),
        ((), ("alice: /contest givein",), ALICE_ENDS),
        ((), ("gm: /contest givein",), ALICE_ENDS),
        ((), ("list Give in",), ALICE_ENDS),
        ((), ("share Give in",), ALICE_ENDS),
        ((), (LATER, "press Give in"), ALICE_ENDS),
        ((), (LATER, "alice: /contest givein"), ALICE_ENDS),
        ((), (LATER, "list Give in"), ALICE_ENDS),
        ((), (LATER, "share Give in"), ALICE_ENDS),
        ((6, 5), (ANSWER, "bob: /contest givein"), BOB_ENDS),
        ((6, 5), (ANSWER, LATER, "bob: /contest givein"), BOB_ENDS),
        ((2, 3), (ANSWER,), "Bob wins the contest"),
        ((2, 3), ("press Roll against",), "Bob wins the contest"),
        ((2, 3), ("list Roll against",), "Bob wins the contest"),
        ((2, 3), (LATER, ANSWER), "Bob wins the contest"),
        ((2, 3), (*OUT, ANSWER, "stands"), "Bob wins the contest"),
    ],
)
async def test_the_end_is_said_once(
    table: Game, faces: tuple[int, ...], end: tuple[str, ...], told: str
) -> None:
    first = await begun(table, *((faces,) if faces else ()))
    seen_first = {label: table.alice.look_for(first, label) for label in ("Give in", "Roll against")}
    reply = first
    for line in end:
        verb, _, label = line.partition(" ")
        if verb == "press":
            reply = await table.alice.push(first, seen_first[label])
        elif verb == "stands":
            reply = await table.gm.press(reply, "It stands")
        elif verb in ("list", "share"):
            shown = await table.says("alice: /contest show")
            shown = await table.alice.press(shown, "Share") if verb == "share" else shown
            reply = await table.alice.press(shown, label)
        else:
            reply = await table.play(line)
        if reply.form is not None:
            reply = await table.alice.submit(reply.form, {"Dice": "2d8"})
    await table.at_rest()
    said = [message.text for message in table.discord.messages() if "the contest" in message.text]
    assert [text.partition("\n")[0] for text in said if "goes on" not in text] == [f"### {told}"]
    assert not [text for text in said if "or give in" in text and "closed" not in text]


async def test_it_goes_back_and_forth_by_command(table: Game) -> None:
    await begun(table, (6, 5), (8, 5), (2, 2))
    await table.play("alice: /contest answer dice:2d8 against:Bob")
    assert "vs 11: success by 2" in (await table.play("bob: /contest escalate dice:2d8")).text
    assert "Bob wins with effect" in (await table.play("alice: /contest escalate dice:2d8")).text


async def test_the_log_tells_it_in_order(table: Game) -> None:
    await begun(table, (6, 5), (2, 2))
    await table.play("alice: /contest answer dice:2d8", "bob: /contest answer dice:2d8")
    recap = (await table.bob.press(await table.says("bob: /session recap"), "Every roll")).text
    rolls = [recap.index(said) for said in ("Total 9, effect", "vs 9: success by 2", "vs 11: failure")]
    assert rolls == sorted(rolls)
    assert recap.index("Alice wins the contest") > rolls[-1]


async def test_the_side_that_is_to_answer_is_called_each_time(table: Game) -> None:
    first = await begun(table, (6, 5, 2))
    assert first.message is not None
    assert first.message.pings == {table.alice.id}
    second = await do(table, "alice", first, "Roll against", {"Dice": "2d8 d6"})
    assert second.message is not None
    assert second.message.pings == {table.bob.id}


async def test_a_player_who_was_beaten_and_gives_in_gets_a_pp(table: Game) -> None:
    first = await begun(table, (6, 5, 2))
    second = await do(table, "alice", first, "Roll against", {"Dice": "2d8 d6"})
    done = await do(table, "bob", second, "Give in")
    assert not done.private
    assert done.text.endswith("Bob: 2 PP (+1, giving in)")
    await table.at_rest()
    assert "Give in" not in [button.label for button in second.buttons]


async def test_who_gives_in_without_a_roll_gets_nothing(table: Game) -> None:
    done = await do(table, "alice", await begun(table), "Give in")
    assert "PP" not in done.text


async def test_the_winner_has_the_effect_also_after_the_scene(table: Game) -> None:
    await begun(table, (8, 8, 2))
    await table.play("alice: /contest answer dice:2d8 d6", "gm: /scene end")
    done = await table.play("bob: /contest givein")
    assert "Alice, vs 9: heroic success by 7\nTotal 16, effect d8" in done.text
    assert "Apply d8" in [button.label for button in done.buttons]


async def test_a_gmc_who_gives_in_gets_nothing(table: Game) -> None:
    table.dice.show((5, 4))
    await table.play(REX)
    first = await table.play("alice: /contest start dice:2d8 against:Rex")
    assert is_refused(await table.bob.press(first, "Give in"))
    assert "PP" not in (await do(table, "gm", first, "Give in")).text
    assert await points(table, "rex") == 0


async def test_the_gm_begins_one_for_a_gmc_and_answers_for_it(table: Game) -> None:
    table.dice.show((5, 4), (8, 2), (9, 7))
    await table.play(REX)
    first = await table.play("gm: /contest start dice:Fangs, Swift against:Alice who:Rex")
    assert first.text.startswith("Rex: Total 9")
    second = await do(table, "alice", first, "Roll against", {"Dice": "2d8"})
    assert is_refused(await table.bob.press(second, "Roll against"))
    third = await do(table, "gm", second, "Roll against", {"Dice": "Fangs, Swift"})
    assert third.text.startswith("Rex, vs 10: heroic success by 6\nTotal 16")


async def test_a_gms_1s_are_opportunities_and_a_players_are_hitches(table: Game) -> None:
    table.dice.show((1, 4), (8, 1))
    await table.play(REX)
    first = await table.play("gm: /contest start dice:Fangs, Swift against:Alice who:Rex")
    second = await do(table, "alice", first, "Roll against", {"Dice": "2d8"})
    assert "(opportunity)" in first.text
    assert "d8: 1 (hitch)" in second.text
    assert "(opportunity)" in second.text
    assert "(hitch)" not in first.text


async def test_two_at_once_are_told_apart(table: Game) -> None:
    await table.play(REX)
    table.dice.show((5, 4), (6, 5))
    one = await table.play("bob: /contest start dice:2d8 against:Alice note:the map")
    two = await table.play("gm: /contest start dice:Fangs, Swift against:Alice who:Rex note:the hill")
    refused = await table.says("alice: /contest answer dice:2d8")
    assert is_refused(refused)
    assert "Choose a contest" in refused.text
    table.dice.show((8, 8), (2, 2))
    assert "the hill" in (await do(table, "alice", two, "Roll against", {"Dice": "2d8"})).text
    assert "the map" in (await do(table, "alice", one, "Roll against", {"Dice": "2d8"})).text
    shown = (await table.says("carol: /contest show")).text
    assert shown == "Contest Rex against Alice (the hill): Rex must beat 16 (2 rolls so far)"


@pytest.mark.parametrize("by", ["button", "command", "view"])
async def test_it_goes_on_after_its_scene_and_after_a_restart(table: Game, by: str) -> None:
    first = await begun(table)
    button = table.alice.look_for(first, "Roll against")
    await table.play("gm: /scene end", "gm: /session end", "gm: /session start", "gm: /scene start")
    await table.restart()
    table.dice.show((6, 5))
    if by == "command":
        done = await table.says("alice: /contest answer dice:2d8")
    else:
        view = await table.says("alice: /contest show")
        opened = await (
            table.alice.push(first, button) if by == "button" else table.alice.press(view, "Roll against Bob")
        )
        done = await table.alice.submit(opened.form, {"Dice": "2d8"})
    assert "vs 9: success by 2" in done.text
    assert "Bob: beat 11" in done.text


async def test_a_pp_that_turns_a_lost_one_calls_the_other_side_again(table: Game) -> None:
    await table.play("gm: /campaign set setting:reroll for 1 PP value:on")
    first = await begun(table, (3, 3, 2), (8,))
    lost = await do(table, "alice", first, "Roll against", {"Dice": "2d8 d6"})
    assert "Bob wins with effect" in lost.text
    turned = await do(table, "alice", lost, "Spend", {"What": "Reroll d8: 3"})
    assert "vs 9: success" in turned.text
    assert "Bob wins" not in turned.text
    await table.at_rest()
    assert turned.more
    assert [(told.text, told.pings) for told in turned.more] == [
        (f"Bob needs to answer Alice: beat 10 or give in.\n{table.bob.mention}", frozenset({table.bob.id}))
    ]
    await table.play("gm: /undo")
    assert "There are no contests yet. Example: /contest" in (await table.says("bob: /contest show")).text
    await table.play("gm: /redo")
    assert "Bob must beat 10" in (await table.says("bob: /contest show")).text


async def test_a_lost_one_turned_by_a_command_calls_the_other_side_too(table: Game) -> None:
    await table.play("gm: /campaign set setting:reroll for 1 PP value:on")
    first = await begun(table, (3, 3, 2), (8,))
    await do(table, "alice", first, "Roll against", {"Dice": "2d8 d6"})
    turned = await table.play("alice: /reroll dice:d8")
    assert "Bob: beat 10 or give in." in turned.text
    assert turned.message is not None
    assert turned.message.pings == {table.bob.id}
    assert turned.more == []


async def test_whoever_plays_a_character_now_answers_for_it(table: Game) -> None:
    first = await begun(table, (6, 5))
    carol = table.person("carol")
    await table.says("gm: /table pin")
    pinned = table.discord.pins()[0]
    asked = await table.alice.submit((await table.alice.press(pinned, "Join")).form, {"Name": "Ada"})
    await table.alice.press(asked, "Play Ada")
    await carol.choose(await carol.press(pinned, "Join"), "Choose a character", ["Alice"])
    assert is_refused(await table.alice.press(first, "Roll against"))
    assert is_refused(await table.alice.press(first, "Give in"))
    done = await do(table, "carol", first, "Roll against", {"Dice": "2d8"})
    assert done.text.startswith("Alice, vs ")


async def test_many_with_long_notes_stay_inside_the_limits(table: Game) -> None:
    await table.says("gm: /table pin")
    for number in range(20):
        await table.play(f"gm: /pp give who:{number} {'*' * 70}")
        line = f"alice: /contest start dice:2d6 against:{number} {'*' * 70} note:{'_' * 200}"
        await table.play(line)
    refused = await table.says("alice: /contest start dice:2d6 against:Bob")
    assert "20 open contests" in refused.text
    await table.play("gm: /scene end")
    for view in ("contest", "table"):
        shown = await table.says(f"bob: /{view} show")
        assert shown.failed is None
        assert any(button.label.startswith("Page") for button in shown.buttons)
    await table.bot.pinned.later.flush()
    assert len(table.discord.pins()[0].text) <= 4000


async def test_an_answered_roll_stays_as_it_is(table: Game) -> None:
    first = await begun(table, (6, 5, 2))
    buttons = {button.label: button for button in first.buttons}
    await do(table, "alice", first, "Roll against", {"Dice": "2d8 d6"})
    before = await seen(table)
    for label in ("Total 7, effect d8", "Spend"):
        refused = await table.bob.push(first, buttons[label])
        assert is_refused(refused), label
        assert "answered" in refused.text
    assert await seen(table) == before


async def test_the_winners_effect_counts_and_only_the_winner_uses_it(table: Game) -> None:
    first = await begun(table, (2, 2, 3))
    lost = await do(table, "alice", first, "Roll against", {"Dice": "2d8 d6"})
    assert "Bob wins with effect d6." in lost.text
    assert is_refused(await table.alice.press(lost, "Apply d6"))
    done = await do(table, "bob", lost, "Apply d6", {"What": "Complication d6", "Name": "Outwitted"})
    assert "Alice · Outwitted d6 (complication)" in done.text


async def test_an_effect_is_called_used_only_once_it_is(table: Game) -> None:
    first = await begun(table, (8, 8, 3), (2, 2))
    second = await do(table, "alice", first, "Roll against", {"Dice": "2d8 d6"})
    assert "Effect d6 stepped up. the map" in second.text
    await table.play("bob: /contest givein")
    await table.at_rest()
    assert "Apply d8" in [button.label for button in second.buttons]
    done = await do(
        table, "alice", second, "Apply d8", {"What": "Complication d8", "Name": "Tied", "On": "Bob"}
    )
    assert "Effect d6 stepped up, then used" in done.text
    assert "Bob · Tied d8 (complication)" in done.text


async def test_an_answer_and_giving_in_at_once_is_one_of_the_two(table: Game) -> None:
    first = await begun(table, (6, 5))
    number, _ = await seen(table)
    opened = await table.alice.press(first, "Roll against")
    button = table.gm.look_for(first, "Give in")
    both = await asyncio.gather(
        table.alice.submit(opened.form, {"Dice": "2d8"}), table.gm.push(first, button)
    )
    assert sorted(map(is_refused, both)) == [False, True], [reply.text for reply in both]
    assert (await seen(table))[0] == number + 1


async def test_every_step_is_undone_and_redone_exactly(table: Game) -> None:
    states = [(await seen(table))[1]]
    await begun(table, (6, 5), (8, 5))
    states.append((await seen(table))[1])
    for line in (
        "alice: /contest answer dice:2d8",
        "bob: /contest answer dice:2d8",
        "alice: /contest givein",
    ):
        await table.play(line)
        states.append((await seen(table))[1])
    for state in reversed(states[:-1]):
        await table.play("gm: /undo")
        assert plain((await seen(table))[1]) == plain(state)
    for state in states[1:]:
        await table.play("gm: /redo")
        assert plain((await seen(table))[1]) == plain(state)


async def test_whom_it_is_against_may_be_left_out_where_there_is_one_other(table: Game) -> None:
    assert "Bob: beat 5 or give in." in (await table.play("alice: /contest start dice:2d8")).text
    await table.play(REX)
    refused = await table.says("alice: /contest start dice:2d8")
    assert is_refused(refused)
    assert "Against whom? There are 2: Bob and Rex." in refused.text


async def test_it_works_where_the_table_is_open(game: Game) -> None:
    game.dice.show((5, 4), (6, 5))
    await game.play("alice: /pp give who:Bob", "alice: /contest start dice:2d8 against:Bob")
    assert "vs 9: success by 2" in (await game.play("bob: /contest answer dice:2d8")).text


async def given_in(game: Game, *, is_later: bool = False) -> BotReply:
    """Alice has beaten Bob's 9 by 11, and could keep 8 too; Bob gives in, or does so after the scene."""
    first = await begun(game, (6, 5, 2))
    second = await do(game, "alice", first, "Roll against", {"Dice": "2d8 d6"})
    if not is_later:
        await do(game, "bob", second, "Give in")
        return second
    await game.play("gm: /scene end")
    return await game.play("bob: /contest givein")


@pytest.mark.parametrize("is_later", [False, True], ids=["in the scene", "after it"])
async def test_who_has_won_since_the_other_gave_in_is_offered_nothing_that_fails(
    table: Game, is_later: bool
) -> None:
    await table.play("gm: /campaign set setting:reroll for 1 PP value:on")
    await table.play("alice: /sfx add name:Again benefit:reroll cost:1 PP")
    won = await given_in(table, is_later=is_later)
    await table.at_rest()
    assert won.message is not None
    labels = [button.label for button in pressable(won.message)]
    assert not [label for label in labels if label.startswith("Total 8")]
    assert "Apply d6" in labels
    form = (await table.alice.press(won, "Spend")).form
    assert form is not None
    offered = [option.label for option in form.field("What").options]
    assert not [option for option in offered if "eroll" in option or "Again" in option]
    lower = {"Total": ["d8: 6", "d6: 2"], "Effect": ["d8: 5"]}
    refused = await table.alice.submit((await table.alice.press(won, "Other dice")).form, lower)
    assert refused.text == "That contest is won. Keep a total above 9."
    for line in ("alice: /reroll dice:d8", "gm: /reroll remove:true who:Alice", "alice: /sfx use name:Again"):
        refused = await table.says(line)
        assert is_refused(refused), line
        assert refused.text == "That contest is won, so the dice of that roll stay as they are."
    done = await do(table, "alice", won, "Apply d6", {"What": "Complication d6", "Name": "Mud", "On": "Bob"})
    assert "Bob · Mud d6" in done.text
    assert "wins with effect" not in done.text


async def in_prime(game: Game) -> None:
    await game.table("prime")


LOSING = "Bob: now Total 9, vs 9: failure; Alice wins the contest"
REOPENED = "Bob: 0 PP (-1, another die in the total); Alice needs to answer Bob: beat 10 or give in."


@pytest.mark.begins(at=in_prime)
@pytest.mark.parametrize(
    ("deeds", "logged"),
    [
        (("Total 9: failure",), LOSING),
        (("Total 9: failure", "/undo"), f"Undone: “{LOSING}”"),
        (("Total 9: failure", "Spend"), REOPENED),
        (("Total 9: failure", "Spend", "/undo"), "Undone: “Bob: now Total 10, effect d8, vs 9: success by 1"),
        (("Total 9: failure", "Spend", "Total 9: failure"), LOSING),
    ],
)
async def test_a_contest_that_is_over_is_reopened_only_by_what_is_paid_for(
    game: Game, deeds: tuple[str, ...], logged: str
) -> None:
    game.dice.show((5, 4, 3), (4, 3, 6))
    await game.play("alice: /contest start dice:d10 d8 d6 against:Bob")
    answer = await game.play("bob: /contest answer dice:d10 d8 d6")
    for deed in deeds:
        if deed.startswith("/"):
            await game.play(f"bob: {deed}")
        elif deed == "Spend":
            await do(game, "bob", answer, deed, {"What": "Another die in the total"})
        else:
            await game.bob.press(answer, deed)
        await game.at_rest()
        assert answer.message is not None
        if "failure" in deed:
            labels = [button.label for button in pressable(answer.message)]
            assert not [label for label in labels if label.startswith("Total") and "PP" not in label]
            other = await game.bob.press(answer, "Other dice")
            refused = await game.bob.submit(other.form, {"Total": ["d10: 4", "d6: 6"], "Effect": ["d8: 3"]})
            assert refused.text == "Alice has won that contest. To take back the choice that lost it: /undo"
    assert logged in (await game.says("gm: /log count:1")).text.replace("\\", "")


async def test_who_has_won_may_keep_another_choice_that_wins(table: Game) -> None:
    first = await begun(table)
    await do(table, "alice", first, "Give in")
    kept = await table.bob.press(first, "Total 7, effect d8")
    assert "Total 7, effect d8" in kept.text
    assert "Apply d8" in [button.label for button in kept.buttons]


async def test_a_players_1_is_a_hitch_on_the_card_in_the_log_and_in_the_recap(table: Game) -> None:
    table.dice.show((1, 4, 5), (8, 1, 3))
    await table.play("bob: /contest start dice:2d8 d6 against:Alice")
    answered = await table.play("alice: /contest answer dice:2d8 d6")
    log = (await table.says("gm: /log")).text
    recap = (await table.bob.press(await table.says("bob: /session recap"), "Every roll")).text
    undone = await table.play("gm: /undo")
    for told in (answered.text, log, recap, undone.text):
        assert "(hitch)" in told
        assert "(opportunity)" not in told
    await table.play("gm: /redo", "gm: /scene end")
    again = await table.play("bob: /contest givein")
    assert "(opportunity)" not in again.text
    assert not [label for label in (b.label for b in again.buttons) if label.startswith("Opportunities")]
    thrown = (await table.says("gm: /stats who:GM")).text
    assert "d8" not in thrown


async def test_a_gmcs_1_is_an_opportunity_and_its_players_1_a_hitch_in_the_log(table: Game) -> None:
    table.dice.show((1, 4), (8, 1))
    await table.play(REX, "alice: /contest start dice:2d8 against:Rex")
    await table.play("gm: /contest answer dice:Fangs, Swift")
    log = (await table.says("gm: /log")).text
    assert "(Fangs d10: 8, Swift d8: 1 (opportunity) against d8: 1 (hitch), d8: 4)" in log
