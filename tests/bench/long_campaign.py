"""A campaign of 20,000 steps, and how long its recap, chronicle and statistics keep everybody else waiting.

Somebody else rolls dice all the while; how long they wait is printed beside how long the loop was held.
"""

import asyncio
import tempfile
import time
from pathlib import Path

from sqlalchemy import insert, select

from bot.clock import SYSTEM
from bot.store import codec, schema
from bot.worker import settle
from rules.facts import Began, Stretch
from rules.values import replace
from tests.bench.counts import newest_entry
from tests.bench.stalls import Watch, quiet
from tests.game import Game, playing

STEPS = 20_000
SESSIONS = 20
EVENING = (
    "alice: /roll dice:2d6 d8 vs:7 note:Force the door",
    "gm: /doom add dice:d6",
    "bob: /asset add what:Rope",
    "gm: /comp add what:Hurt who:Bob die:d8",
    "alice: /pp spend",
    "bob: /roll dice:3d8 note:Calm the crowd",
    "gm: /pp give who:all",
    "alice: /note text:The gate is shut.",
    "gm: /comp stepup what:Hurt who:Bob",
    "bob: /roll dice:d10 d8 vs:doom",
)
LINES = (
    "alice: /pp show",
    "alice: /log who:Bob count:50",
    "alice: /session recap",
    "alice: /session recap session:20",
    "alice: /session recap for:me",
    "alice: /stats who:all",
    "alice: /stats who:all session:20",
    "alice: /chronicle",
    "alice: /chronicle as:Markdown",
)


async def grow(game: Game) -> None:
    """Let the table have many steps: those of an evening, over and over, in some sessions."""
    await game.table()
    first = (await newest_entry(game)).number
    await game.play(*EVENING)
    last = await newest_entry(game)
    columns = schema.entry.c
    steps = select(schema.entry).where(columns.campaign_id == last.campaign, columns.number > first)
    async with game.ledger._engine.begin() as connection:
        evening = [row._asdict() for row in (await connection.execute(steps)).all()]
        rows = []
        for number in range(last.number + 1, STEPS + 1):
            row = dict(evening[number % len(evening)])
            if number % (STEPS // SESSIONS) == 0:
                session = 1 + number * SESSIONS // STEPS
                row["facts"] = codec.write_facts((Began(Stretch.SESSION, session),))
            row |= {"number": number, "position": number, "parent": number - 1, "tip": number}
            rows.append(row | {"state": None, "base": number, "interaction_id": None})
        table = replace(last.table, number=STEPS, session=SESSIONS + 1)
        rows[-1]["state"] = codec.pack(codec.write(table))
        await connection.execute(insert(schema.entry), rows)
    await game.restart()


async def measured(game: Game, line: str) -> None:
    """Print how long a command held the loop, how long others waited meanwhile, and how long it took."""
    watch, waits = Watch(), [0.0]
    place = game.discord.channel("elsewhere")

    async def play_elsewhere() -> None:
        while True:
            began = time.perf_counter()
            await game.bob.slash("/roll dice:2d6", channel=place)
            waits.append(time.perf_counter() - began)
            await asyncio.sleep(0.005)

    tasks = [asyncio.create_task(watch.run()), asyncio.create_task(play_elsewhere())]
    began, spent = time.perf_counter(), time.process_time()
    done = await game.says(line)
    took, spent = time.perf_counter() - began, time.process_time() - spent
    for task in tasks:
        task.cancel()
    assert done.failed is None, done
    waits.sort()
    row = [watch.wall, watch.own, waits[len(waits) // 2], waits[-1], took, spent]
    print(f"{line:<36}" + "".join(f"{each * 1e3:>9.1f}" for each in row))


async def measure_long() -> None:
    """Print the figures of each command that reads many steps."""
    quiet()
    heads = ("stall", "its CPU", "wait", "longest", "took", "CPU")
    print(f"{'ms':<36}" + "".join(f"{each:>9}" for each in heads))
    with tempfile.TemporaryDirectory() as folder:
        async with playing(Path(folder), deadline=60.0, patience=300.0, clock=SYSTEM) as game:
            settle()
            await grow(game)
            await game.bob.slash("/roll dice:2d6", channel=game.discord.channel("elsewhere"))
            for line in LINES:
                await measured(game, line)
