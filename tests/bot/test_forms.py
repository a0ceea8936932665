"""Buttons and forms besides those of a roll's dice: seats, views, refused forms, long rolls, the log."""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from bot.loopback.reply import BotReply
from tests.bot.test_buttons import is_refused, put_back, seen
from tests.game import Game

BARE = "alice: /roll dice:2d6 d8"
"""A roll where nobody has a seat, so that `Reroll` costs nothing."""


async def new_campaign(game: Game) -> BotReply:
    """A campaign that nobody has joined yet."""
    return await game.play("gm: /campaign new name:Skyfall ruleset:adept")


async def test_reroll_asks_which_die_and_shows_it_in_the_roll(game: Game) -> None:
    game.dice.show((2, 3, 4), (6,))
    reply = await game.play(BARE)
    opened = await game.alice.press(reply, "Reroll")
    done = await game.alice.submit(opened.form, {"Dice": "d6: 3"})
    assert done.updated
    assert "Total: d6: 6, d8: 4\nEffect: d6: 2" in done.text


async def test_a_single_die_is_rerolled_at_once(game: Game) -> None:
    game.dice.show((2,), (6,))
    done = await game.alice.press(await game.play("alice: /roll dice:d6"), "Reroll")
    assert done.updated
    assert "d6: 6" in done.text


async def test_two_presses_in_the_same_instant_reroll_once(game: Game) -> None:
    game.dice.show((2,), (6,))
    reply = await game.play("alice: /roll dice:d6")
    button = game.alice.look_for(reply, "Reroll")
    both = await asyncio.gather(*(game.alice.push(reply, button) for _ in range(2)))
    assert sorted(map(is_refused, both)) == [False, True]
    assert (await seen(game))[0] == 2


async def test_a_reroll_is_offered_anew_after_each(game: Game) -> None:
    reply = await game.play("alice: /roll dice:d6")
    for number in range(2, 5):
        assert (await game.alice.press(reply, "Reroll")).updated
        assert (await seen(game))[0] == number


async def test_only_who_rolled_rerolls(game: Game, subtests: pytest.Subtests) -> None:
    for dice in ("d6", "2d6 d8"):
        with subtests.test(dice=dice):
            reply = await game.play(f"alice: /roll dice:{dice}")
            refused = await game.bob.press(reply, "Reroll")
            assert is_refused(refused)
            assert "Alice" in refused.text or "alice" in refused.text


async def test_a_reroll_form_opened_before_a_restart_can_be_sent_after_it(game: Game) -> None:
    game.dice.show((2, 3, 4))
    opened = await game.alice.press(await game.play(BARE), "Reroll")
    await game.restart()
    game.dice.show((5,))
    assert "d6: 5" in (await game.alice.submit(opened.form, {})).text


async def test_join_gives_a_new_character(game: Game) -> None:
    opened = await game.alice.press(await new_campaign(game), "Join")
    done = await game.alice.submit(opened.form, {"Name": "Ada"})
    assert done.text == "Ada is played by alice"
    assert not done.private


async def test_join_offers_the_characters_that_nobody_plays(game: Game) -> None:
    new = await new_campaign(game)
    await game.play("gm: /pp give who:Ada, Rex")
    choosing = await game.alice.press(new, "Join")
    assert [option.label for option in choosing.menus[0].options] == ["Ada", "Rex"]
    done = await game.alice.choose(choosing, "Choose a character", ["Rex"])
    assert done.text == "Rex is played by alice"


async def test_two_who_join_as_the_same_in_the_same_instant_are_told_apart(game: Game) -> None:
    new = await new_campaign(game)
    forms = [(who, (await who.press(new, "Join")).form) for who in (game.alice, game.bob)]
    both = await asyncio.gather(*(who.submit(form, {"Name": "Ada"}) for who, form in forms))
    assert sorted(map(is_refused, both)) == [False, True]
    (late,) = (reply for reply in both if is_refused(reply))
    (early,) = (reply for reply in both if not is_refused(reply))
    assert f"{early.by.name} already plays Ada" in late.text


async def test_joining_twice_is_refused(game: Game) -> None:
    new = await new_campaign(game)
    form = (await game.alice.press(new, "Join")).form
    await game.alice.submit(form, {"Name": "Ada"})
    again = await game.alice.submit(form, {"Name": "Ada"})
    assert is_refused(again)
    assert "You already play Ada" in again.text


async def test_join_works_after_a_restart_and_so_does_its_open_form(game: Game) -> None:
    new = await new_campaign(game)
    opened = await game.alice.press(new, "Join")
    await game.restart()
    assert (await game.alice.submit(opened.form, {"Name": "Ada"})).text == "Ada is played by alice"
    opened = await game.bob.press(new, "Join")
    assert (await game.bob.submit(opened.form, {"Name": "Rex"})).text == "Rex is played by bob"


async def test_join_is_refused_when_its_table_is_archived(game: Game) -> None:
    new = await new_campaign(game)
    opened = await game.alice.press(new, "Join")
    await game.play("gm: /campaign archive")
    refused = await game.alice.submit(opened.form, {"Name": "Ada"})
    assert is_refused(refused)
    assert "archived" in refused.text


async def test_join_is_refused_when_its_table_is_deleted(game: Game) -> None:
    new = await new_campaign(game)
    opened = await game.alice.press(new, "Join")
    await game.gm.press(await game.says("gm: /campaign delete"), "Delete")
    assert is_refused(await game.alice.submit(opened.form, {"Name": "Ada"}))
    await game.at_rest()
    assert new.buttons == []


async def test_pin_pins_the_table_with_join(game: Game) -> None:
    await game.gm.press(await new_campaign(game), "Pin")
    (pinned,) = game.discord.pins()
    opened = await game.alice.press(pinned, "Join")
    assert (await game.alice.submit(opened.form, {"Name": "Ada"})).text == "Ada is played by alice"


async def test_pinning_again_puts_a_new_message_in_the_place_of_the_old_one(game: Game) -> None:
    new = await new_campaign(game)
    await game.gm.press(new, "Pin")
    (first,) = game.discord.pins()
    await game.restart()
    await game.gm.press(new, "Pin")
    await game.at_rest()
    (second,) = game.discord.pins()
    assert second is not first
    assert first.deleted


async def test_two_pins_in_the_same_instant_leave_one(game: Game) -> None:
    new = await new_campaign(game)
    await asyncio.gather(game.gm.press(new, "Pin"), game.alice.press(new, "Pin"))
    await game.at_rest()
    assert len(game.discord.pins()) == 1


async def test_my_sheet_of_a_pinned_table_is_that_of_who_pressed(table: Game) -> None:
    await table.says("gm: /table pin")
    shown = await table.bob.press(table.discord.pins()[0], "My sheet")
    assert shown.private
    assert shown.text.startswith("Bob\nplayed by bob\nBob: 1 PP")
    refused = await table.gm.press(table.discord.pins()[0], "My sheet")
    assert is_refused(refused)
    assert "You don't play a character at this table" in refused.text


async def test_a_first_roll_is_offered_the_likeliest_dice_of_the_sheet(table: Game) -> None:
    await table.says("gm: /table pin")
    await table.play(
        "alice: /dist add what:Old Sailor",
        "alice: /character set trait:Climb die:d8 trait_set:Skills",
        "alice: /character set trait:Sharp die:d6 trait_set:Skills",
    )
    opened = await table.alice.press(table.discord.pins()[0], "Roll")
    assert opened.private
    assert 'Your pool: "Old Sailor" d8, Climb d8' in opened.text
    form = (await table.alice.press(opened, "Type it")).form
    assert form is not None
    assert [field.default for field in form.inputs()] == ['"Old Sailor", Climb', "", ""]
    table.dice.show((4, 5), (2, 2))
    rolled = await table.alice.submit(form, {"Against": "doom", "What it's for": "Reach the mast"})
    assert rolled.text.startswith(
        "Alice, vs 4: heroic success by 5\nTotal 9, effect d6. Effect d4 stepped up"
    )
    assert "Reach the mast" in rolled.text


async def test_who_has_no_sheet_types_a_roll_and_is_offered_the_same_again(table: Game) -> None:
    await table.says("gm: /table pin")
    form = (await table.alice.press(table.discord.pins()[0], "Roll")).form
    assert form is not None
    await table.alice.submit(form, {"Dice": "2d6 d8"})
    again = (await table.alice.press(table.discord.pins()[0], "Roll")).form
    assert again is not None
    assert again.field("Dice").default == "2d6 d8"


async def test_what_waits_is_listed_with_where_it_is_until_its_roller_rolls_again(table: Game) -> None:
    await table.says("gm: /table pin")
    table.dice.show((1, 1, 5), (6, 2))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:2 note:the door")
    pin = table.discord.pins()[0]
    await table.at_rest()
    assert "Waiting: GM 2 hitches, Alice 1 effect" in pin.text
    listed = await table.bob.press(pin, "Waiting: 2")
    assert listed.private
    assert rolled.message is not None
    first, second = listed.text.splitlines()
    assert first.startswith(
        "GM: 2 hitches, of Alice: Total 5, effect d4, vs 2: success by 3 for the door (<t:"
    )
    assert second.startswith("Alice: 1 effect, of Alice: Total 5")
    assert first.endswith(str(rolled.message.id))
    table.dice.show((5, 5))
    await table.play("alice: /roll dice:2d6")
    await table.at_rest()
    assert "Waiting" not in pin.text


async def test_share_shows_everybody_what_one_saw(table: Game, subtests: pytest.Subtests) -> None:
    await table.play("alice: /asset add what:Rope", "alice: /comp add what:Lost", "alice: /stress add what:m")
    views = ("doom", "pp", "asset", "comp", "stress", "table", "scene", "campaign")
    seen_by_bob = {view: await table.says(f"bob: /{view} show") for view in views}
    await table.restart()
    for view, looked in seen_by_bob.items():
        with subtests.test(view=view):
            shared = await table.bob.press(looked, "Share")
            assert looked.private
            assert not shared.private
            assert shared.text == looked.text


async def test_share_shows_everybody_the_log_and_the_recap(table: Game, subtests: pytest.Subtests) -> None:
    seen_by_bob = {command: await table.says(f"bob: /{command}") for command in ("log", "session recap")}
    await table.restart()
    for command, looked in seen_by_bob.items():
        with subtests.test(command=command):
            shared = await table.bob.press(looked, "Share")
            assert not shared.private
            assert shared.text == looked.text


async def long_table(game: Game) -> BotReply:
    """A view of a table that is longer than a message."""
    await game.play(*(f"gm: /comp add what:{letter * 90} who:scene" for letter in "abcdefghijklmnopqrst"))
    await game.play(*(f"alice: /comp add what:{letter * 90}" for letter in "abcdefghijklmnopqrstuvw"))
    return await game.says("bob: /comp show")


async def test_pages_turn_where_they_stand_and_come_round(table: Game) -> None:
    looked = await long_table(table)
    first = looked.text
    await table.restart()
    second = await table.bob.press(looked, "Page 2 of 2")
    assert second.updated
    assert second.text != first
    assert (await table.bob.press(looked, "Page 1 of 2")).text == first


async def test_every_line_is_on_one_of_the_pages(table: Game) -> None:
    looked = await long_table(table)
    both = [looked.text, (await table.bob.press(looked, "Page 2")).text]
    for letter in "abcdefghijklmnopqrst":
        assert sum(f"Scene · {letter * 90} d6" in text for text in both) == 1


async def test_a_shared_page_can_be_turned_by_anybody(table: Game) -> None:
    shared = await table.bob.press(await long_table(table), "Share")
    assert (await table.alice.press(shared, "Page 2")).updated


async def test_try_again_opens_a_refused_form_as_it_was_typed(table: Game, subtests: pytest.Subtests) -> None:
    begun = (await seen(table))[1]
    for label, fields, why in (
        ("Roll against", {"Dice": "2d7 d8"}, "2d7"),
        ("Roll against", {"Dice": "Nothing known"}, "Nothing"),
        ("Opportunities", {"What": "Step Scene · Rain down to d4"}, "1 PP"),
    ):
        with subtests.test(label=label, why=why):
            await put_back(table, begun)
            table.dice.show((1, 4))
            await table.play("gm: /comp add what:Rain who:scene", "gm: /pp set who:Alice number:0")
            reply = await table.play("gm: /doom roll")
            opened = await table.alice.press(reply, label)
            refused = await table.alice.submit(opened.form, fields)
            assert is_refused(refused)
            assert why in refused.text
            again = (await table.alice.press(refused, "Try again")).form
            assert again is not None
            for name, typed in fields.items():
                field = again.field(name)
                chosen = [option.label for option in field.options if [option.value] == field.default]
                assert typed == field.default or typed in chosen
            await table.play("gm: /pp give who:Alice")
            done = await table.alice.submit(again, {"Dice": "2d6 d8"} if "Dice" in fields else {})
            assert not is_refused(done), done.text


async def test_a_form_that_is_tried_again_shows_its_roll_in_one_message(table: Game) -> None:
    table.dice.show((6, 5, 4), (2, 1))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:doom")
    opened = await table.alice.press(rolled, "Apply")
    refused = await table.alice.submit(opened.form, {"What": "Complication d10"})
    again = (await table.alice.press(refused, "Try again")).form
    before = len(table.discord.messages())
    done = await table.alice.submit(again, {"What": "Complication d10", "On": "Bob", "Name": "Fog"})
    assert not done.private
    assert done.text.startswith("Bob · Fog d10 (complication)")
    assert len(table.discord.messages()) == before + 1
    await table.at_rest()
    assert rolled.message is not None
    assert "Bob · Fog **d10** (complication)" in rolled.message.text


async def test_roll_against_offers_nothing_that_is_gone(table: Game) -> None:
    await table.play(
        "alice: /character set trait:Mind die:d10 trait_set:Attributes",
        "alice: /asset add what:Old rope die:d8",
    )
    await table.play("alice: /roll dice:Mind, Old rope, 2d6", "alice: /asset remove what:Old rope")
    reply = await table.play("gm: /crisis new name:Fire dice:d6 d8")
    form = (await table.alice.press(reply, "Roll against")).form
    assert form is not None
    assert form.field("Dice").default == "Mind d10, 2d6"


async def test_try_again_says_after_a_day_where_to_begin(table: Game) -> None:
    reply = await table.play("gm: /doom roll")
    opened = await table.alice.press(reply, "Roll against")
    refused = await table.alice.submit(opened.form, {"Dice": "2d7"})
    await table.stop()
    with closing(sqlite3.connect(table.file)) as file:
        file.execute("UPDATE waiting SET at = datetime(at, '-1 day')")
        file.commit()
    table.discord.gateway.ready.clear()
    await table.start()
    gone = await table.alice.press(refused, "Try again")
    assert is_refused(gone)
    assert "Press the button on the message again" in gone.text
    with closing(sqlite3.connect(table.file)) as file:
        assert file.execute("SELECT * FROM waiting").fetchall() == []


async def test_apply_without_a_name_says_what_is_missing_and_can_be_tried_again(table: Game) -> None:
    table.dice.show((4, 3, 2))
    reply = await table.play("alice: /roll dice:2d6 d8 vs:5")
    opened = await table.alice.press(reply, "Apply d8")
    refused = await table.alice.submit(opened.form, {"Name": "\u200b"})
    assert is_refused(refused)
    again = await table.alice.press(refused, "Try again")
    done = await table.alice.submit(again.form, {"Name": "Rope"})
    assert "Alice · Rope d8" in done.text


async def long_roll(game: Game, *faces: int) -> BotReply:
    """Alice rolls thirty dice with labels of 100 characters against thirty."""
    for number in range(30):
        await game.play(
            f"alice: /asset add what:a{number:02}{'x' * 97} die:d8 pay:false",
            f"gm: /comp add what:b{number:02}{'x' * 97} who:scene die:d8",
        )
    game.dice.show(faces, [4] * 30)
    pool = ", ".join(f"a{number:02}" for number in range(30))
    opposition = " + ".join(["d6", *(f"b{number:02}" for number in range(29))])
    return await game.play(f"alice: /roll dice:{pool} vs:{opposition}")


async def test_the_rest_of_a_roll_too_long_for_a_message_is_shown_to_who_asks(table: Game) -> None:
    reply = await long_roll(table, *([4] * 30))
    assert reply.text.startswith("Alice, vs ")
    assert reply.message is not None
    assert len([part for part in reply.message.components if part["type"] == 1]) <= 2
    await table.restart()
    rest = await table.bob.press(reply, "Show the rest")
    assert rest.private
    await table.at_rest()
    assert f"b28{'x' * 97} d8: 4" in rest.more[-1].text if rest.more else False
    told = "".join([rest.text, *(message.text for message in rest.more)])
    for number in range(29):
        assert f"a{number:02}{'x' * 97} d8: 4" in told.replace("\n", "")
        assert f"b{number:02}{'x' * 97} d8: 4" in told.replace("\n", "")


async def test_the_buttons_of_a_roll_too_long_for_a_message_work(table: Game) -> None:
    reply = await long_roll(table, 1, *([4] * 29))
    opened = await table.gm.press(reply, "Hitches: 1")
    done = await table.gm.submit(opened.form, {})
    assert done.updated
    assert done.text.startswith("Alice, vs 8: failure\nTotal 8")
    assert (await table.says("bob: /pp show")).text.startswith("Alice: 2 PP")


async def entangled(game: Game) -> BotReply:
    """A step that a later one is built on, refused to be undone alone."""
    await game.play("gm: /doom add dice:d8", "gm: /doom stepup die:d8")
    number = (await seen(game))[0] - 1
    return await game.says(f"gm: /undo step:{number}")


async def test_go_back_before_a_step_takes_back_all_that_is_built_on_it(table: Game) -> None:
    refused = await entangled(table)
    assert is_refused(refused)
    assert "step 7 builds on it" in refused.text
    await table.restart()
    done = await table.gm.press(refused, "Go back before step")
    assert not done.private
    assert "Doom pool: 2d6" in (await table.says("bob: /doom show")).text


async def test_going_back_twice_is_refused(table: Game) -> None:
    refused = await entangled(table)
    button = table.gm.look_for(refused, "Go back")
    both = await asyncio.gather(*(table.gm.push(refused, button) for _ in range(2)))
    assert sorted(map(is_refused, both)) == [False, True]
    before = await seen(table)
    assert is_refused(await table.gm.push(refused, button))
    assert await seen(table) == before


async def test_a_player_goes_back_only_over_their_own_steps(table: Game) -> None:
    await table.play("alice: /asset add what:Rope", "gm: /asset stepup what:Rope")
    refused = await table.says(f"alice: /undo step:{(await seen(table))[0] - 1}")
    assert is_refused(refused)
    assert "can't be undone by itself" in refused.text
    assert refused.buttons == []


async def test_going_back_tells_every_step_that_it_takes_back(table: Game) -> None:
    await table.play("alice: /asset add what:Rope", "gm: /doom add dice:d8", "gm: /asset stepup what:Rope")
    refused = await table.says(f"gm: /undo step:{(await seen(table))[0] - 2}")
    told = await table.gm.press(refused, "Go back")
    assert told.text.splitlines() == [
        "Undone: Alice · Rope d8 (was d6)",
        "Undone: Doom pool: 2d6 d8 (d8 added)",
        "Undone: Alice: 0 PP (-1, Rope); Alice · Rope d6 (asset)",
    ]


async def test_deleting_asks_first_and_works_once(table: Game) -> None:
    asked = await table.says("gm: /campaign delete")
    assert (await table.gm.press(asked, "Delete")).text.startswith("Skyfall is deleted")
    assert is_refused(await table.gm.press(asked, "Delete"))


async def test_what_contradicts_a_choice_is_asked_and_changes_nothing(
    table: Game, subtests: pytest.Subtests
) -> None:
    begun = (await seen(table))[1]
    for line, button, fields, hears in (
        (
            "alice: /roll dice:2d6 d8",
            "Hitches: 2",
            {"What": "doom each", "Name": "Singed"},
            "Doom doesn't need a name, but you entered Singed.",
        ),
        (
            "alice: /roll dice:2d6 d8 d4 vs:2",
            "Apply",
            {"What": "Complication", "Name": "Singed", "On": "Scene", "Or on someone new": "Rex"},
            "The scene and Rex are both filled in. Keep only one of them",
        ),
        (
            "alice: /roll dice:2d6 d8 d4 vs:2",
            "Apply",
            {"What": "Physical stress", "Name": "Singed"},
            "Physical stress doesn't need a name,",
        ),
    ):
        with subtests.test(line=line, hears=hears):
            await put_back(table, begun)
            who = table.gm if button == "Hitches: 2" else table.alice
            table.dice.show((1, 1, 5) if "vs" not in line else (4, 3, 5, 2))
            form = (await who.press(await table.play(line), button)).form
            assert form is not None
            before = await seen(table)
            refused = await who.submit(form, fields)
            assert is_refused(refused)
            assert hears in refused.text
            assert await seen(table) == before
            again = (await who.press(refused, "Try again")).form
            assert again is not None
            assert "Singed" in [each.default for each in again.inputs()]


async def test_spending_xp_asks_what_for_and_takes_nothing_before(table: Game) -> None:
    await table.play("gm: /xp give who:Alice number:3")
    form = (await table.says("alice: /xp spend number:2")).form
    assert form is not None
    assert "Alice: 3 XP" in (await table.says("alice: /xp show")).text
    blank = await table.alice.submit(form, {"What for": "  "})
    assert blank.text == "A field that isn't optional is empty. Fill it in."
    assert "Alice: 3 XP" in (await table.says("alice: /xp show")).text
    form = (await table.alice.press(blank, "Try again")).form
    assert form is not None
    spent = await table.alice.submit(form, {"What for": "Rope tricks"})
    assert spent.text == "Alice: 1 XP (-2, Rope tricks)"
    refused = await table.says("alice: /xp spend number:2")
    assert (refused.form, refused.text) == (None, "That costs 2 XP; Alice has 1.")
    form = (await table.says("gm: /xp spend who:Alice why: ")).form
    assert form is not None
    spent = await table.gm.submit(form, {"What for": "Climb d6"})
    assert spent.text == "Alice: 0 XP (-1, Climb d6)"


async def test_hitches_of_earlier_rolls_stay_in_one_small_line_until_the_scene_ends(table: Game) -> None:
    table.dice.show((1, 4, 5), (1, 3, 6))
    await table.play("alice: /roll dice:d6 d8 d10", "bob: /roll dice:d6 d8 d10")
    assert "GM: 1 hitch, of Alice" in (await table.says("gm: /table waiting")).text
    table.dice.show((2, 4, 5), (2, 3, 5))
    await table.play("alice: /roll dice:d6 d8 d10", "bob: /roll dice:d6 d8 d10")
    waits = (await table.says("gm: /table waiting")).text
    assert waits.startswith("From earlier rolls: Alice 1 hitch https")
    assert "Bob 1 hitch https" in waits
    assert "From earlier rolls" in (await table.says("gm: /scene show")).text
    await table.play("gm: /scene end")
    assert (await table.says("gm: /table waiting")).text == "Nobody needs to do anything right now."
