"""What is remembered of sessions: any of them as a story, its steps, and what is offered at its end."""

import sqlite3
import textwrap
from datetime import timedelta
from pathlib import Path

from bot.cogs.table import count_attempts
from bot.language.printers import spelled
from bot.loopback.reply import BotReply
from bot.services.play import Play, Request
from bot.services.sessions import session, session_card, steps_of
from bot.store.history import Place
from bot.store.ledger import Ledger
from rules.table import Table
from tests.bot.store.test_migrate import RELEASED
from tests.bot.test_chronicle import file_of
from tests.bot.test_pictures import picture_of
from tests.clock import START
from tests.game import Game
from tests.rules.people import GRETA


async def recap(game: Game, who: str = "alice", session: str = "") -> BotReply:
    return await game.says(f"{who}: /session recap" + (f" session:{session}" if session else ""))


async def two(table: Game) -> None:
    """A session with a decided scene, and one in which only Bob has rolled."""
    table.dice.show((8, 7, 2), (1, 1))
    await table.play(
        "alice: /roll dice:d8 d8 d6 vs:5 note:Over the wall",
        "gm: /crisis new name:Fire dice:d6",
        "gm: /crisis end name:Fire",
        "alice: /comp add what:Lame die:d8",
        "alice: /note text:The map lies",
        "gm: /session title title:The fall",
        "gm: /session end",
        "gm: /session start",
        "bob: /roll dice:2d6 vs:9",
    )


async def test_a_session_is_a_story(table: Game) -> None:
    await two(table)
    recapped = await recap(table, session="the f")
    assert recapped.private
    assert recapped.text.splitlines() == [
        "Session 1: The fall",
        (
            "The docks. Alice: over the wall (heroic success). Alice came away with Lame d8. "
            "Crisis Fire ended. “The map lies”"
        ),
        "1 roll, 1 success. PP +2",
    ]
    assert picture_of(recapped.message)[0].startswith("Session 1: doom dice and PP.")
    assert (await recap(table, session="1")).text == recapped.text
    now = (await recap(table, session="2")).text.splitlines()
    assert now == ["Session 2", "1 roll.", "Still open: Alice: Lame d8", "1 roll, 2 hitches"]


async def test_a_story_tells_how_much_more_happened_than_has_room_and_who_has_xp(table: Game) -> None:
    table.dice.show((4, 3, 2))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:8 note:Over the wall")
    bought = await table.alice.press(rolled, "Spend")
    await table.alice.submit(bought.form, {"What": "Another die in the total"})
    long = "and all the way back over the roofs of the docks"
    for name in ("Fire", "Flood", "Fog", "Frost", "Fear", "Fall"):
        await table.play(f"alice: /note text:{name} {long}")
    await table.play("gm: /xp give who:Bob number:2")
    lines = (await recap(table)).text.splitlines()
    assert lines[1].startswith("The docks. Alice: over the wall (success). “Fire and all")
    assert lines[1].count("“") == 5
    assert lines[-1:] == ["1 roll, 1 success. PP +2 -1. XP +2. 1 more under Every roll"]
    written = await table.says("alice: /chronicle as:Markdown")
    assert "Decided by PP: Alice **9** vs 8, Over the wall" in file_of(written)[1]


async def test_what_everybody_got_is_said_once(table: Game) -> None:
    await table.play("gm: /xp give who:all number:2", "alice: /roll dice:2d6")
    assert (await recap(table)).text.splitlines()[-1] == "1 roll. PP +2. XP 2 each"


async def test_a_recap_is_what_concerned_ones_own_character(table: Game) -> None:
    await two(table)
    own = await table.says("alice: /session recap session:1 for:me")
    assert own.private
    assert own.text.splitlines() == [
        "Session 1: The fall",
        "The docks. Alice: over the wall (heroic success). Alice came away with Lame d8.",
        "1 roll, 1 success. PP +1",
    ]
    assert [each.label for each in own.buttons] == ["Every roll"]
    refused = await table.says("gm: /session recap for:me")
    assert refused.private
    assert "You don't play a character at this table" in refused.text


async def test_an_own_recap_knows_who_was_renamed_since(table: Game) -> None:
    await two(table)
    await table.play("alice: /character rename to:Zoe")
    own = (await table.says("alice: /session recap session:1 for:me")).text
    assert "Alice is now called Zoe. Zoe: over the wall (heroic success)." in own


async def test_who_could_not_come_is_offered_what_concerned_them_once(table: Game) -> None:
    at = START + timedelta(days=2)
    asked = await table.play(f"gm: /session plan when:{at:%Y-%m-%dT%H:%MZ}")
    await table.alice.press(asked, "Can't")
    await table.play("alice: /comp add what:Lost die:d8")
    await table.play("gm: /session end")
    assert table.discord.messages()[-1].text.startswith("### Session 1 ends"), "it has not been yet"
    table.discord.world.last_id += 2 * 24 * 3600 * 1000 + 60_000 << 22  # by Discord's clock it has begun
    await table.play("gm: /session start", "gm: /comp add what:Cold who:Alice", "gm: /session end")
    await table.at_rest()
    assert "while you were away" in table.discord.messages()[-1].text
    offered = table.discord.messages()[-1]
    assert offered.text.startswith("Alice: catch up on what happened with your character while you were away")
    assert offered.pings == {table.alice.user.id}
    await table.restart()
    own = await table.alice.press(offered, "Recap for me")
    assert own.private
    assert "Alice came away with Cold d6." in own.text
    assert "You don't play a character at this table" in (await table.gm.press(offered, "Recap for me")).text
    await table.play("gm: /session start", "gm: /session end")
    assert table.discord.messages()[-1].text.startswith("### Session 3 ends"), "it is offered once"


async def test_who_could_not_come_is_offered_it_where_the_next_session_ends_theirs(table: Game) -> None:
    at = START + timedelta(days=2)
    asked = await table.play(f"gm: /session plan when:{at:%Y-%m-%dT%H:%MZ}")
    await table.alice.press(asked, "Can't")
    table.discord.world.last_id += 2 * 24 * 3600 * 1000 + 60_000 << 22  # by Discord's clock it has begun
    await table.gm.press(await table.says("gm: /session start"), "End it and start session 2")
    begun = table.discord.messages()[-1]
    assert begun.text.startswith("### Session 1 ends"), "they were there"
    await table.play("alice: /comp add what:Cold")
    await table.gm.press(await table.says("gm: /session start"), "End it and start session 3")
    await table.at_rest()
    assert "while you were away" in table.discord.messages()[-1].text
    own = await table.alice.press(table.discord.messages()[-1], "Recap for me")
    assert own.text.startswith("Session 2\n")


async def test_what_is_open_stands_below_each_recap_until_it_is_done(table: Game) -> None:
    await table.play(
        "alice: /note text:Who sent the wolves? open:true about:Regent",
        "gm: /session title title:The fall",
    )
    await table.says("gm: /note text:The Regent did open:true hidden:true")
    ended = await table.play("gm: /session end")
    assert ended.text.splitlines() == [
        "Session 1 ends",
        "The fall",
        "The docks.",
        "Still open: Who sent the wolves?",
        "PP +2",
    ]
    assert "Still open: Who sent the wolves?; The Regent did" in (await table.says("gm: /session recap")).text
    await table.play("gm: /session start", "gm: /scene start name:The inn day:Third day of frost")
    assert "Still open: Who sent the wolves?" in (await recap(table)).text
    await table.play("alice: /note done:Who sent the wolves?")
    lines = (await recap(table)).text.splitlines()
    assert lines[1:] == ["The inn, Third day of frost. Done: Who sent the wolves?"]
    written = file_of(await table.says("alice: /chronicle as:Markdown"))[1]
    assert "- **Regent**: session 1\n  - Who sent the wolves?" in written


async def test_the_last_one_is_told_until_something_happens_in_the_next(table: Game) -> None:
    await table.play("alice: /asset add what:Rope", "gm: /session end", "gm: /session start")
    assert (await recap(table)).text.startswith("Session 1\n")
    await table.play("gm: /scene start name:The roof")
    assert (await recap(table)).text.startswith("Session 2\nThe roof.")


async def test_what_is_undone_is_not_told(table: Game) -> None:
    await table.play("alice: /note text:The map lies", "gm: /undo")
    assert "map" not in (await recap(table)).text


async def test_sessions_are_completed_by_number_and_title(table: Game) -> None:
    await two(table)
    offered = await table.alice.complete("/session recap session:")
    assert [(each.name, each.value) for each in offered] == [("2", "2"), ("1: The fall", "1")]
    assert [each.value for each in await table.alice.complete("/session recap session:fall")] == ["1"]


async def test_every_roll_has_the_steps_page_by_page_and_to_who_presses_alone(table: Game) -> None:
    for number in range(30):
        await table.play(
            f"gm: /comp add what:{number}{'x' * 60} who:scene",
            f"gm: /comp remove what:{number}{'x' * 60} who:scene",
        )
    ended = await table.play("gm: /session end")
    await table.restart()
    steps = await table.bob.press(ended, "Every roll")
    assert steps.private
    assert "gm: Session 1 begins" in steps.text
    turned = await table.bob.press(steps, "Page 2")
    assert turned.updated
    assert "gm: Session 1 ends" in turned.text or "Page 3" in str([b.label for b in turned.buttons])


async def test_the_end_of_a_session_offers_xp_a_title_and_the_next_one(table: Game) -> None:
    ended = await table.play("gm: /session end")
    assert [each.label for each in ended.buttons] == ["Give XP", "Next session", "Title", "Every roll"]
    for label in ("Give XP", "Next session", "Title"):
        refused = await table.alice.press(ended, label)
        assert refused.private
        assert "Only the GM can" in refused.text
    form = (await table.gm.press(ended, "Give XP")).form
    assert form is not None
    given = await table.gm.submit(form, {"How many": "2", "Why": "The map"})
    assert given.text == "Alice: 2 XP (+2, The map)\nBob: 2 XP (+2, The map)"
    assert "Session 2 begins" in (await table.gm.press(ended, "Next session")).text
    again = await table.gm.press(ended, "Next session")
    assert again.private
    assert "Session 2 has already begun" in again.text
    titled = (await table.gm.press(ended, "Title")).form
    assert titled is not None
    assert (await table.gm.submit(titled, {"Title": "The fall"})).text == "Session 1 is now called The fall"


async def test_an_evening_of_much_takes_twelve_lines_of_a_phone(table: Game) -> None:
    for number in range(12):
        await table.play(
            f"gm: /scene start name:Room {number}",
            f"gm: /crisis new name:Fire {number} dice:d6",
            f"gm: /crisis end name:Fire {number}",
            f"bob: /note text:Clue {number}",
        )
    text = (await recap(table)).text
    assert sum(len(textwrap.wrap(line, 40)) for line in text.splitlines()) <= 12
    assert "more under Every roll" in text
    ended = (await table.play("gm: /session end")).text
    assert sum(len(textwrap.wrap(line, 40)) for line in ended.splitlines()) <= 12


async def test_an_imported_table_ends_a_session_that_nobody_saw_begin(game: Game) -> None:
    table = '{"doomkeeper": "table", "version": 1, "table": {"session": 4, "is_session": true}}'
    await game.play("gm: /campaign new name:Sky")
    offered = await game.says(f"gm: /campaign import text:{table}")
    await game.gm.press(offered, offered.buttons[0].label)
    assert (await game.says("gm: /session end")).text.startswith("Session 4 ends")


async def test_steps_of_old_that_hold_sentences_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "released.db"
    with sqlite3.connect(path) as connection:
        connection.executescript((RELEASED / "0005.sql").read_text())
        ((channel, guild),) = connection.execute("SELECT channel_id, guild_id FROM channel, campaign")
    connection.close()
    ledger = await Ledger.open(f"sqlite+aiosqlite:///{path}", migrates=True)
    play, asked = Play(ledger), Request(GRETA, Place(channel, guild), 0)
    assert "Still open: Crisis Fire" in spelled(session_card(await session(play, asked)).lines[-2])
    lines = count_attempts(Table(), await steps_of(play, asked), "all").lines
    assert "starts at step 23. For earlier steps, see the log" in spelled(lines[-1])
    await ledger.close()


async def test_a_session_of_no_such_title_is_refused_with_those_there_are(table: Game) -> None:
    untitled = await table.says("bob: /session recap session:Harvest")
    assert untitled.text == "No session has a title yet. Type the number instead. Example: session:1"
    await table.play("gm: /session title title:The fall")
    refused = await table.says("bob: /session recap session:Harvest")
    assert refused.private
    assert "session" in refused.text
    assert "The fall" in refused.text


async def test_what_people_wrote_is_left_out_last_and_before_it_who_fell_and_who_won(table: Game) -> None:
    for number in range(6):
        await table.play(
            f"gm: /gmc new name:Guard {number} kind:boss dice:2d6",
            f"gm: /crisis new name:Flood in the lower hold {number} dice:d6",
            f'gm: /comp add what:"A long scar {number}" who:Bob',
        )
    await table.play(
        "gm: /stress add what:Physical who:Alice die:d12",
        "gm: /stress stepup what:Physical who:Alice",
        "bob: /note text:Nobody sails at night",
    )
    lines = (await recap(table)).text.splitlines()
    assert "“Nobody sails at night”" in lines[1]
    assert "Alice was taken out by Physical stress." in lines[1]
    assert lines[-1].endswith("more under Every roll")


async def test_who_fell_is_told_before_what_has_no_room(table: Game) -> None:
    await table.play("gm: /stress add what:Physical who:Alice die:d12")
    for number in range(8):
        await table.play(
            f"bob: /note text:The clue with the number {number} hangs on the wall of the old inn"
        )
    await table.play("gm: /stress stepup what:Physical who:Alice")
    lines = (await recap(table)).text
    assert "Alice was taken out by Physical stress." in lines
    assert "The clue with the number 0" in lines


async def test_who_was_taken_out_stayed_in_and_struck_the_last_blow_is_told(table: Game) -> None:
    await table.play(
        "gm: /gmc new name:Warden kind:boss dice:d6",
        "gm: /crisis new name:Fire dice:d6",
        "gm: /stress add what:Physical who:Alice die:d12",
    )
    out = await table.play("gm: /stress stepup what:Physical who:Alice")
    form = (await table.alice.press(out, "Stay in: Alice")).form
    await table.alice.submit(form, {"Name": "Singed"})
    for foe in ("Warden", "Fire"):
        table.dice.show((8, 8, 5), (1,))
        rolled = await table.play(f"bob: /roll dice:3d8 vs:{foe}")
        await table.bob.press(rolled, next(b.label for b in rolled.buttons if b.label.startswith("Apply")))
    happened = (
        "New here: Warden. Alice came away with Singed d6. Alice was nearly taken out, but stayed in. "
        "Bob struck the last blow against Warden and resolved Crisis Fire. And 2 other rolls."
    )
    assert (await recap(table)).text.splitlines()[1] == f"The docks. {happened}"
    written = file_of(await table.says("alice: /chronicle as:Markdown"))[1]
    assert (
        "### The docks\n\nNew here: Warden. Alice came away with Singed d6. And 2 other rolls.\n\n" in written
    )
    assert "**Bob struck the last blow against Warden and resolved Crisis Fire.**" in written
    own = await table.says("bob: /session recap for:me")
    assert "Bob struck the last blow against Warden" in own.text
    assert "stayed in" not in own.text
    await table.play("bob: /character rename to:Corvin")
    assert "Corvin struck the last blow against Warden" in (await recap(table)).text


async def test_a_boss_who_waits_is_in_no_recap_until_they_are_brought_in(table: Game) -> None:
    await table.play("gm: /gmc new name:Secret Beast dice:d6 kind:boss away:true")
    for who in ("gm", "bob"):
        assert "Secret Beast" not in (await table.says(f"{who}: /session recap")).text
    await table.play("gm: /doom spend for:gmc name:Secret Beast")
    recap = (await table.says("bob: /session recap")).text
    assert "New here: Secret Beast." in recap
    assert recap.count("Secret Beast") == 1


async def test_who_is_made_between_scenes_enters_none_and_is_told_in_the_next(table: Game) -> None:
    await table.play("gm: /scene start name:The mill", "alice: /roll dice:2d6", "gm: /scene end")
    made = await table.play("gm: /gmc new name:Ghost dice:Chill d8")
    assert made.text.startswith("Ghost is a new character")
    begun = await table.play("gm: /scene start name:The nest", "gm: /gmc new name:Imp dice:Claws d6")
    assert begun.text.startswith("Imp enters the scene")
    told = (await table.says("gm: /session recap")).text
    assert "New here: Ghost and Imp." in told[told.index("The nest") :]
    assert "Ghost" not in told[: told.index("The nest")]
