"""One's own data, end to end: shown, exported, and deleted from every row of the database."""

import asyncio
import json
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import pytest

from bot.language.printers import spelled
from bot.loopback.people import Person
from bot.store import codec
from bot.store.history import Place
from bot.views.privacy import SHOWN, KeptAtTable, kept_lines, question_lines
from rules.cortex.model import CORTEX
from tests.bot.test_buttons import is_refused
from tests.bot.test_tables import begin_nameless
from tests.game import Game

NAME = "Zoltán O'Quill, Esq."


def rows(game: Game, *, states: bool = True) -> str:
    """All that the file of the database holds, its states unpacked."""
    path = Path(game.url.split("///")[1])
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    found = []
    for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        held = connection.execute(f"SELECT * FROM {table}").fetchall()
        found += [repr({key: row[key] for key in row.keys() if key != "state"}) for row in held]  # noqa: SIM118
        if table == "entry" and states:
            kept = {(row["campaign_id"], row["number"]): row for row in held if row["state"]}
            for (campaign, number), row in kept.items():
                if row["base"] == number:
                    text = codec.unpack(row["state"])
                else:
                    text = codec.unpack(row["state"], codec.unpack(kept[campaign, row["base"]]["state"]))
                found.append(repr(codec.read(text, number)))
    connection.close()
    return "\n".join(found)


def is_known(game: Game, person: Person, *, states: bool = True) -> bool:
    said = rows(game, states=states)
    names = ("Zoltán", "O'Quill", "Esq.")
    return str(person.id) in said or any(name.casefold() in said.casefold() for name in names)


async def with_zoltan(table: Game) -> Person:
    """Somebody with a name of their own, who leaves traces of all kinds."""
    zoltan = table.discord.person("zoltan", display=NAME)
    await zoltan.slash("/roll dice:2d6 d8")
    await zoltan.slash("/pp spend")
    await table.play("gm: /pp give who:Zoltán O'Quill Esq. number:2", "gm: /campaign gm player:@zoltan")
    await zoltan.slash("/doom add dice:d8")
    await zoltan.slash("/character new name:Mira")
    await zoltan.slash("/asset add what:Rope die:d8")
    await zoltan.slash("/roll dice:2d6 d8 vs:doom")
    await zoltan.slash("/contest start dice:2d6 against:Alice")
    await table.play("gm: /character give name:Bob player:@zoltan", "bob: /character play name:Bob")
    await zoltan.slash("/undo")
    await zoltan.slash("/redo")
    await table.advance(seconds=1)
    await zoltan.slash("/campaign new name:Elsewhere", channel=table.discord.channel("elsewhere"))
    return zoltan


async def test_what_is_kept_is_shown_in_words(table: Game) -> None:
    zoltan = await with_zoltan(table)
    shown = await zoltan.slash("/privacy show")
    assert shown.private
    first, second, *_ = shown.text.split("\n")
    assert first.startswith("Skyfall: you are GM, you play Mira, ")
    assert second == f"Elsewhere: you are GM, 1 step as {NAME}"


@pytest.mark.parametrize(
    ("owned", "said"), [(("Mira",), "Mira is yours"), (("Mira", "Rook"), "Mira and Rook are yours")]
)
def test_characters_that_somebody_else_plays_are_told_to_whom_they_belong(
    owned: tuple[str, ...], said: str
) -> None:
    line, *_ = kept_lines([KeptAtTable("Skyfall", False, (), owned, {NAME: 1})], 1)
    assert spelled(line) == f"Skyfall: {said}, 1 step as {NAME}"


@pytest.mark.parametrize(
    ("whispers", "own", "more"),
    [
        (0, True, "Your own dice and the pools you saved with them will be deleted."),
        (2, False, "Whispers you sent or received will be deleted."),
    ],
)
def test_what_else_goes_is_told_before_it_is_deleted(whispers: int, own: bool, more: str) -> None:
    _, stays = question_lines(["Skyfall", "Your own dice"], [], whispers, own=own)
    assert spelled(stays).endswith(f"under the name Somebody. {more}")


async def test_a_table_without_a_name_is_told_as_that(game: Game) -> None:
    await begin_nameless(game)
    assert (await game.says("gm: /privacy show")).text.startswith("A table without a name: 1 step as gm\n")


async def test_nothing_is_kept_about_who_never_did_anything(game: Game) -> None:
    for command in ("show", "delete"):
        reply = await game.bob.slash(f"/privacy {command}", channel=game.discord.dm(game.bob))
        assert reply.text == "The bot stores nothing about you."
        assert reply.buttons == []


async def test_what_is_kept_comes_as_a_file(table: Game) -> None:
    zoltan = await with_zoltan(table)
    reply = await zoltan.slash("/privacy export")
    assert reply.private
    assert reply.message is not None
    data = json.loads(reply.message.files[0].data)
    assert data["id"] == zoltan.id
    skyfall = next(each for each in data["tables"] if each["name"] == "Skyfall")
    assert [each["name"] for each in skyfall["characters"]] == ["Mira"]
    assert "2d6 d8" in skyfall["pools"]
    assert {each["name"] for each in skyfall["steps"]} == {NAME}


async def test_afterwards_no_row_has_id_or_name(table: Game) -> None:
    zoltan = await with_zoltan(table)
    assert is_known(table, zoltan)
    reply = await table.forget(zoltan)
    assert reply.private
    assert reply.text.startswith("Your data at 2 tables has been deleted.")
    assert not is_known(table, zoltan)
    assert (await zoltan.slash("/privacy show")).text == "The bot stores nothing about you."


async def test_not_a_byte_of_them_is_left_in_the_file(table: Game) -> None:
    zoltan = await with_zoltan(table)
    path = Path(table.url.split("///")[1])
    files = (path, path.with_name(f"{path.name}-wal"))
    traces = (struct.pack(">q", zoltan.id), str(zoltan.id).encode(), NAME.encode(), b"O'Quill")
    assert any(trace in file.read_bytes() for trace in traces for file in files)
    await table.forget(zoltan)
    assert not any(trace in file.read_bytes() for trace in traces for file in files)


async def test_it_asks_first_and_nothing_changes_until_the_press(table: Game) -> None:
    zoltan = await with_zoltan(table)
    before = rows(table)
    asked = await zoltan.slash("/privacy delete")
    assert "at 2 tables (Skyfall and Elsewhere)? This can't be undone." in asked.text
    assert "Elsewhere will have no GM, so everyone can do everything there." in asked.text
    assert "Skyfall then" not in asked.text
    assert rows(table) == before


async def test_characters_and_dice_stay_at_the_table(table: Game) -> None:
    zoltan = await with_zoltan(table)
    await table.forget(zoltan)
    shown = (await table.says("gm: /table show")).text
    assert "Mira: 1 PP. Assets Rope d8" in shown
    assert "Doom pool: 2d6 d8" in shown
    assert "Mira: played by nobody" in (await table.says("gm: /character list")).text
    assert not is_refused(await table.says("bob: /character play name:Mira"))


async def test_no_undo_brings_them_back(table: Game) -> None:
    zoltan = await with_zoltan(table)
    await table.forget(zoltan)
    for line in ("gm: /undo", "gm: /redo"):
        for _ in range(40):
            if is_refused(await table.says(line)):  # and so would be each further one
                break
        else:
            pytest.fail(f"there is no end of {line}")
        assert not is_known(table, zoltan)


async def test_the_others_and_their_steps_stay(table: Game) -> None:
    zoltan = await with_zoltan(table)
    entry = await table.ledger.look(Place(table.discord.table.id, table.discord.world.home.id))
    await table.forget(zoltan)
    after = await table.ledger.look(Place(table.discord.table.id, table.discord.world.home.id))
    assert entry is not None
    assert after is not None
    assert after.table.gms == {table.gm.id: "gm"}
    for who in ("alice", "bob"):
        assert after.table.characters[who] == entry.table.characters[who]
    assert "Session 1 begins; Alice: 1 PP" in (await table.says("gm: /log count:50")).text


async def test_the_button_works_after_a_restart_and_once(table: Game) -> None:
    zoltan = await with_zoltan(table)
    asked = await zoltan.slash("/privacy delete")
    await table.restart()
    told = await zoltan.press(asked, "Delete for ever")
    await table.at_rest()
    assert "has been deleted" in told.text
    assert (await zoltan.press(asked, "Delete for ever")).text == "The bot stores nothing about you."
    assert not is_known(table, zoltan)


async def test_the_pinned_table_follows(table: Game) -> None:
    zoltan = await with_zoltan(table)
    await zoltan.slash("/character rename to:Rolf who:Mira")
    await table.says("gm: /table pin")
    pinned = table.discord.pins()[0]
    versions = len(pinned.versions)
    await table.forget(zoltan)
    await table.at_rest()
    assert len(pinned.versions) > versions


async def test_their_old_buttons_are_the_gms(table: Game) -> None:
    zoltan = table.discord.person("zoltan", display=NAME)
    table.dice.show((3, 4, 5), (2, 2))
    rolled = await zoltan.slash("/roll dice:2d6 d8 vs:2d6")
    await table.forget(zoltan)
    assert is_refused(await zoltan.press(rolled, "Apply"))
    assert (await table.gm.press(rolled, "Apply")).form is not None


async def test_a_table_without_its_only_gm_is_open(table: Game) -> None:
    await table.forget(table.gm)
    assert not is_refused(await table.says("alice: /doom add dice:d8"))


async def test_all_at_once_nothing_is_lost_and_nothing_is_kept(table: Game) -> None:
    zoltan = await with_zoltan(table)
    asked = await zoltan.slash("/privacy delete")
    before = await points(table)
    lines = [table.says(f"{who}: /pp give who:Alice") for who in ("gm",) * 25]
    await asyncio.gather(*lines[:12], zoltan.press(asked, "Delete for ever"), *lines[12:])
    assert await points(table) == before + 25
    await table.at_rest()
    assert not is_known(table, zoltan)
    assert not is_known(table, zoltan)
    await table.play("gm: /doom add dice:d6", "gm: /undo")


async def points(game: Game) -> int:
    entry = await game.ledger.look(Place(game.discord.table.id, game.discord.world.home.id))
    assert entry is not None
    return CORTEX.has(entry.table.characters["alice"]).pp


async def test_a_bad_row_of_another_table_is_never_looked_at(table: Game) -> None:
    far = table.discord.channel("far", guild=table.discord.guild("Far away"))
    zoltan = table.discord.person("zoltan", display=NAME)
    await zoltan.slash("/roll dice:2d6 d8", channel=far)
    path = Path(table.url.split("///")[1])
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE entry SET state = x'00' WHERE actor_id != ?", (zoltan.id,))
    connection.close()
    assert "1 step as Zoltán" in (await zoltan.slash("/privacy show", channel=far)).text
    asked = await zoltan.slash("/privacy delete", channel=far)
    told = await zoltan.press(asked, "Delete for ever")
    await table.at_rest()
    assert "at 1 table has been deleted" in told.text
    assert not is_known(table, zoltan, states=False)


async def test_words_of_the_game_stay_in_the_log_of_who_is_called_so(table: Game) -> None:
    up = table.discord.person("up")
    await up.slash("/character new name:Mira")
    await table.play(
        "gm: /doom stepup die:d6",
        "gm: /asset add what:Rope who:Alice",
        "gm: /crisis new name:Fire dice:2d8",
        "gm: /crisis stepup die:d8",
        "gm: /pool add name:Second step dice:d6",
    )
    lines = (await table.says("gm: /log count:50")).text.splitlines()[1:]
    await table.forget(up)
    after = (await table.says("gm: /log count:50")).text.splitlines()[2:]
    assert "stepped up" in "".join(lines)
    assert [line for line in after if "Mira" not in line] == [line for line in lines if "Mira" not in line]
    assert "Somebody, " in next(line for line in after if "Mira is played by Somebody" in line)


async def test_of_very_many_tables_the_latest_are_shown(table: Game) -> None:
    for number in range(SHOWN):
        place = table.discord.channel(f"channel-{number}")
        await table.advance(seconds=1)
        await table.alice.slash(f"/campaign new name:Table {number}", channel=place)
    shown = (await table.says("alice: /privacy show")).text.splitlines()
    assert shown[:2] == [
        "1 older table isn't listed; /privacy export includes everything",
        "Table 0: you are GM, 1 step as alice",
    ]
    sent = await table.says("alice: /privacy export")
    assert sent.message is not None
    assert len(json.loads(sent.message.files[0].data)["tables"]) == SHOWN + 1


async def test_who_comes_back_begins_anew(table: Game) -> None:
    zoltan = await with_zoltan(table)
    await table.forget(zoltan)
    assert not is_refused(await zoltan.slash("/roll dice:2d6"))
    assert "1 step as Zoltán" in (await zoltan.slash("/privacy show")).text


@pytest.mark.parametrize("other", ["alice", "gm"])
async def test_nobody_presses_for_another(table: Game, other: str) -> None:
    zoltan = await with_zoltan(table)
    await table.forget(table.person(other))
    assert is_known(table, zoltan)


async def test_an_export_tells_nobody_elses_id(table: Game) -> None:
    await table.says("alice: /character give name:Alice player:@bob")
    sent = await table.says("alice: /privacy export")
    assert sent.message is not None
    assert str(table.bob.id) not in sent.message.files[0].data.decode()


async def test_a_file_that_was_looked_at_before_brings_nobody_back(table: Game, tmp_path: Path) -> None:
    zoltan = await with_zoltan(table)
    sent = await table.says("gm: /campaign export")
    assert sent.message is not None
    path = tmp_path / "table.json"
    path.write_bytes(sent.message.files[0].data)
    shown = await table.says(f"gm: /campaign import file:{path}")
    await table.forget(zoltan)
    refused = await table.gm.press(shown, "Import")
    assert "someone's data was deleted" in refused.text
    assert not is_known(table, zoltan)


async def test_notes_go_with_whoever_typed_them_and_nobody_elses_do(table: Game) -> None:
    zoltan = await with_zoltan(table)
    await zoltan.slash("/note text:The canary sings open:true")
    await zoltan.slash("/note text:The canary dies")
    await table.play("gm: /undo")
    await zoltan.slash("/roll dice:2d6 note:For the canary")
    await table.play("gm: /note text:The hangar burns open:true")
    assert "canary" in await kept(table)
    asked = await zoltan.slash("/privacy delete")
    assert "notes (including those on rolls" in asked.text
    await zoltan.press(asked, "Delete for ever")
    await table.at_rest()
    left = await kept(table)
    assert "canary" not in left
    assert left.count("The hangar burns") == 2  # in the step, and open at the table
    assert "Note: [deleted]" in (await table.says("gm: /log count:10")).text


async def kept(table: Game) -> str:
    """All that the database holds of what was done, the newest table unpacked."""
    with closing(sqlite3.connect(table.file)) as database:
        facts = [row[0] for row in database.execute("SELECT facts FROM entry")]
    entry = await table.ledger.look(Place(table.discord.table.id, table.discord.world.home.id))
    assert entry is not None
    return "\n".join([*facts, repr(entry.table)])
