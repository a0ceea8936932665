"""How many of our files and functions an interaction passes through, up to its answer.

    uv run python -m tests.bench.passed

The loopback Discord, which stands in for Discord, does not count. `tests.house` prints these figures, and
runs this file in a copy of another commit for those beside them.
"""

import asyncio
import json
import logging
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import structlog

from tests.game import Game, playing

ROOT = Path(__file__).parents[2]
OUTSIDE = ("bot/local/", "bot/loopback/")
"""The loopback Discord under its names."""
FACES = ((5, 1, 7, 4), (3, 2))


@contextmanager
def passing(found: set[tuple[str, str, int]]) -> Iterator[None]:
    """Note the file, the name and the line of each of our functions that is called meanwhile."""

    def look(frame: Any, what: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if what == "call" and file.startswith((f"{ROOT}/bot/", f"{ROOT}/rules/")):
            name = file[len(str(ROOT)) + 1 :]
            if not name.startswith(OUTSIDE):
                found.add((name, frame.f_code.co_qualname, frame.f_code.co_firstlineno))

    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)


async def _answered(game: Game) -> None:
    while game.bot.running.tasks:
        await asyncio.wait(game.bot.running.tasks)


async def _press(game: Game, name: str, on: Any, verb: str) -> Any:
    ids = [button.custom_id or "" for button in on.buttons]
    found = next(each for each in ids if each.startswith(f"dk:{verb}:"))
    return await game.person(name).press(on, found)


async def _hitch(game: Game, on: Any) -> None:
    """Press `Hitches`, and press or send what it offers."""
    shown = await _press(game, "gm", on, "hitches")
    await _answered(game)
    if shown.form is not None:
        await game.gm.submit(shown.form, {"Name": "Rope frays"})


async def passed(folder: Path) -> Mapping[str, Sequence[int]]:
    """Return the number of files and of functions by what is done."""
    figures: dict[str, Sequence[int]] = {}

    async def note(name: str, act: Any) -> None:
        found: set[tuple[str, str, int]] = set()
        with passing(found):
            await act
            await _answered(game)
        figures[name] = (len({file for file, *_ in found}), len(found))

    async with playing(folder) as game:
        await game.table()
        await game.says("gm: /table pin")
        await game.play("gm: /doom set dice:2d6", "gm: /doom add dice:d8")
        await note("/doom add", game.play("gm: /doom add dice:d6"))
        await game.play("gm: /doom set dice:2d6")
        game.dice.show(*FACES)
        last = await game.play("alice: /roll dice:2d6 d8 d10 vs:doom")
        await _answered(game)
        await note("a hitch in two presses", _hitch(game, last))
        game.dice.show(*FACES)
        await note("/roll vs doom", game.play("alice: /roll dice:2d6 d8 d10 vs:doom"))
        await note("/undo", game.play("alice: /undo"))
        await note("/table show", game.says("gm: /table show"))
    return figures


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    with tempfile.TemporaryDirectory(prefix="doomkeeper-") as made:
        sys.stdout.write(json.dumps(asyncio.run(passed(Path(made)))))
