"""Campaigns of many steps are read page by page, and looked through in the worker thread."""

import threading

import pytest

from bot.services import play
from bot.store.reader import Reader
from rules.campaign.privacy import is_named
from tests.bot.test_chronicle import file_of
from tests.game import Game

EVENING = (
    "alice: /roll dice:2d6 d8 vs:7 note:Force the door",
    "gm: /doom add dice:d6",
    "gm: /undo",
    "bob: /asset add what:Rope",
    "gm: /note text:psst hidden:true",
    "gm: /undo",
    "gm: /redo",
    "gm: /session end",
    "gm: /session start",
    "bob: /roll dice:3d8 note:Calm the crowd",
    "bob: /asset add what:Lamp",
    "bob: /undo",
    "gm: /pp give who:all",
    "gm: /undo step:5",
)
SHOWN = (
    "alice: /session recap",
    "gm: /session recap session:1",
    "alice: /session recap for:me",
    "alice: /stats who:all",
    "alice: /stats who:all session:1",
    "gm: /log who:Bob count:50",
    "alice: /log count:50",
)


@pytest.mark.parametrize("many", [1, 2, 3, 7, 22])
async def test_what_is_told_of_many_steps_is_the_same_however_they_are_read(
    table: Game, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    for line in EVENING:
        await table.says(line)
    before = [(await table.says(line)).text for line in SHOWN]
    assert "psst" in before[1]
    assert "psst" not in before[6]
    written = file_of(await table.says("alice: /chronicle as:Markdown"))
    for module in ("bot.store.reader", "bot.worker"):
        monkeypatch.setattr(f"{module}.MANY", many)
    read, rows = list[int](), Reader.rows

    async def count(self: Reader, *args: object) -> object:
        found = await rows(self, *args)  # type: ignore[arg-type]
        if found and hasattr(found[0], "facts"):
            read.append(len(found))
        return found

    monkeypatch.setattr(Reader, "rows", count)
    assert [(await table.says(line)).text for line in SHOWN] == before
    assert file_of(await table.says("alice: /chronicle as:Markdown")) == written
    assert max(read) <= many


async def test_whom_many_steps_name_is_found_beside_the_event_loop(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in EVENING:
        await table.says(line)
    threads = list[threading.Thread]()

    def noted(facts: object, who: str) -> bool:
        threads.append(threading.current_thread())
        return is_named(facts, who)  # type: ignore[arg-type]

    monkeypatch.setattr(play, "is_named", noted)
    shown = (await table.says("gm: /log who:Bob count:1")).text
    assert set(threads) == {threading.main_thread()}
    assert len(threads) < len(EVENING), "no more steps are read than are shown"
    threads.clear()
    monkeypatch.setattr("bot.worker.MANY", 3)
    assert (await table.says("gm: /log who:Bob count:1")).text == shown
    assert threads
    assert threading.main_thread() not in threads
