"""What is remembered of sessions: any of them as a story, its steps, and what is offered at its end."""

import sqlite3
import textwrap
from pathlib import Path

from bot.cogs.session import session_card
from bot.cogs.stats import counted
from bot.language.printers import spelled
from bot.local.reply import Reply
from bot.play import Play
from bot.play.asked import Asked
from bot.store.history import Place
from bot.store.ledger import Ledger
from bot.use.sessions import session, steps_of
from tests.bot.store.test_migrate import RELEASED
from tests.bot.test_pictures import picture_of
from tests.game import Game
from tests.rules.people import GRETA


async def recap(game: Game, who: str = "alice", session: str = "") -> Reply:
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
        "Scene The docks: Crisis Fire ends; Alice keeps Lame d8",
        "Highest total: Alice 15 vs 5, Over the wall",
        "Heroic: Alice",
        "Note: The map lies",
        "Alice: 1 roll, 1 success, PP +1",
        "Bob: PP +1",
    ]
    assert picture_of(recapped.message)[0].startswith("Session 1: doom dice and PP.")
    assert (await recap(table, session="1")).text == recapped.text
    now = (await recap(table, session="2")).text.splitlines()
    assert now[-4:] == [
        "Highest total: Bob 0 vs 9",
        "Botch: Bob",
        "Open: Alice · Lame d8",
        "Bob: 1 roll, 2 hitches",
    ]


async def test_a_story_tells_what_a_pp_turned_who_has_xp_and_how_much_more_was_decided(table: Game) -> None:
    table.dice.show((4, 3, 2))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:8 note:Over the wall")
    bought = await table.alice.press(rolled, "Spend")
    await table.alice.submit(bought.form, {"What": "Another die in the total"})
    for name in ("Fire", "Flood", "Fog", "Frost", "Fear", "Fall"):
        await table.play(f"gm: /crisis new name:{name} dice:d6", f"gm: /crisis end name:{name}")
    await table.play("gm: /xp give who:Bob number:2")
    lines = (await recap(table)).text.splitlines()
    assert lines[1].startswith("Scene The docks: Crisis Fire ends; Crisis Flood ends; ")
    assert lines[1].endswith("Crisis Frost ends, and 2 more")
    assert "Turned by PP: Alice 9 vs 8, Over the wall" in lines
    assert lines[-1] == "Bob: PP +1, XP +2"


async def test_what_a_story_has_no_room_for_is_behind_its_button(table: Game) -> None:
    notes = (f"gm: /note text:{number} {'long' * 45}" for number in range(6))
    comps = (f"alice: /comp add what:{number} {'long' * 23}" for number in range(14))
    await table.play(*notes, *comps)
    assert (await recap(table)).text.endswith("\nThe rest is behind Every roll.")


async def test_the_last_one_is_told_until_something_happens_in_the_next(table: Game) -> None:
    await table.play("alice: /asset add what:Rope", "gm: /session end", "gm: /session start")
    assert (await recap(table)).text.startswith("Session 1\n")
    await table.play("gm: /scene start name:The roof")
    assert (await recap(table)).text.startswith("Session 2\nScene The roof")


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
        assert "Only the GM may" in refused.text
    form = (await table.gm.press(ended, "Give XP")).form
    assert form is not None
    given = await table.gm.submit(form, {"How many": "2", "Why": "The map"})
    assert given.text == "Alice: 2 XP (+2, The map)\nBob: 2 XP (+2, The map)"
    assert "Session 2 begins" in (await table.gm.press(ended, "Next session")).text
    again = await table.gm.press(ended, "Next session")
    assert again.private
    assert "Session 2 has begun already" in again.text
    titled = (await table.gm.press(ended, "Title")).form
    assert titled is not None
    assert (await table.gm.submit(titled, {"Title": "The fall"})).text == "Session 1 is called The fall"


async def test_an_evening_of_much_stays_short(table: Game) -> None:
    for number in range(12):
        await table.play(
            f"gm: /scene start name:Room {number}",
            f"gm: /crisis new name:Fire {number} dice:d6",
            f"gm: /crisis end name:Fire {number}",
            f"bob: /note text:Clue {number}",
        )
    text = (await recap(table)).text
    assert sum(len(textwrap.wrap(line, 40)) for line in text.splitlines()) <= 24
    assert "6 more: Every roll" in text


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
    play, asked = Play(ledger), Asked(GRETA, Place(channel, guild), 0)
    assert "Open: Crisis Fire" in spelled(session_card(await session(play, asked)).lines[1])
    lines = counted(await steps_of(play, asked), "all").lines
    assert "before step 23 stands in the log" in spelled(lines[-1])
    await ledger.close()
