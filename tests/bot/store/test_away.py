"""A database that is away for a while: everybody is told, the log stays readable, and then it goes on."""

import asyncio
import signal
from pathlib import Path

import pytest

from bot.local.driver import Loopback
from tests.bot.test_process import TOKEN, Program, serving
from tests.cut import Pipe


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_while_the_database_is_away_people_are_told_and_the_log_has_one_line(
    tmp_path: Path, distant: str, pipe: Pipe
) -> None:
    async with serving(tmp_path, DATABASE_URL=distant) as (program, loopback):
        gm = loopback.person("gm")
        new = await gm.slash("/campaign new name:Skyfall open:true")
        pipe.down()
        lines = ["/pp give who:Alice", "/pp show", "/roll dice:2d6", "/log", "/undo"] * 3
        replies = await asyncio.gather(*(gm.slash(line) for line in lines))
        replies.append(await gm.press(new, "Join"))
        await gm.complete("/pp give who:Al")
        assert {reply.text for reply in replies} == {
            "The tables cannot be reached at the moment. Try again in a minute; /log shows then whether the "
            "change was made."
        }
        assert all(reply.private for reply in replies)
        await pipe.up()
        assert "Alice: 1 PP" in (await gm.slash("/pp give who:Alice")).text
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
    assert code == 0
    assert printed.count("database away") == 1, printed
    assert "Traceback" not in printed


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_a_database_that_is_away_at_the_start_is_waited_for_with_one_line(
    tmp_path: Path, distant: str, pipe: Pipe
) -> None:
    pipe.down()
    async with Loopback(TOKEN) as loopback:
        program = Program(tmp_path, loopback, DATABASE_URL=distant)
        await program.start()
        assert program.process.stdout is not None
        waiting = await program.process.stdout.readline()
        await pipe.up()
        await program.ready()
        assert "Alice: 1 PP" in (await loopback.person("gm").slash("/pp give who:Alice")).text
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
    assert code == 0
    assert b"cannot be used" in waiting
    assert "cannot be used" not in printed
    assert "Traceback" not in printed


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_told_to_stop_while_the_database_is_away_it_leaves(
    tmp_path: Path, distant: str, pipe: Pipe
) -> None:
    async with serving(tmp_path, DATABASE_URL=distant) as (program, loopback):
        gm = loopback.person("gm")
        await gm.slash("/pp give who:Alice")
        pipe.down()
        await asyncio.gather(*(gm.slash("/pp give who:Alice") for _ in range(5)))
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
    assert code == 0
    assert "Traceback" not in printed
