"""How long the dearest commands hold the event loop: everybody else waits meanwhile.

The loopback Discord shares the loop with the bot here, so the first line says what a cheap command takes.
"""

import asyncio
import json
import logging
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog

from bot.loopback.reply import BotReply, buttons_of
from bot.store import files
from bot.store.history import Author, Draft, Place
from bot.views.privacy import SHOWN
from bot.worker import settle
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import with_traits
from rules.cortex.roll import OPEN_ROLLS
from rules.names import key
from rules.table import Character, Table
from rules.values import replace
from tests.bench.counts import laters
from tests.bench.fill import begun
from tests.bot.store.samples import told
from tests.bot.test_toolkit import a_set, a_sheet, a_trait
from tests.game import Game, playing

TICK = 0.001
MANY = 1000
LONG = 980
"""So many characters are typed into an option."""


@dataclass
class Watch:
    """The longest time in which the loop served nobody, in seconds of the clock and of its own CPU time."""

    wall: float = 0.0
    own: float = 0.0

    async def run(self) -> None:
        """Look at the clock with every turn of the loop."""
        while True:
            wall, own = time.perf_counter(), time.thread_time()
            await asyncio.sleep(TICK)
            self.wall = max(self.wall, time.perf_counter() - wall - TICK)
            self.own = max(self.own, time.thread_time() - own)


def large(size: int) -> Table:
    """A table of so many bytes as a file, or a little less."""
    sheet = {f"trait {n}": Trait(f"Trait {n}", 8, set="Skills", note="x" * 60) for n in range(100)}
    people: dict[str, Character] = {}
    while len(people) < 60:
        name = f"Somebody {len(people)}"
        people[key(name)] = with_traits(Character(name), TraitKind.TRAIT, sheet)
        if len(files.write_table(Table(characters=people), 1, 1)) > size:
            people.popitem()
            break
    return Table(name="Large", characters=people)


async def measured(
    game: Game, what: str, act: Callable[[], Awaitable[BotReply | object]], times: int = 3
) -> None:
    """Print how long a command, and what it leaves to be done, held the loop at worst, out of some times."""
    watch = Watch()
    task = asyncio.create_task(watch.run())
    took, spent = time.perf_counter(), time.process_time()
    for _ in range(times):
        done = await act()
        assert not isinstance(done, BotReply) or done.failed is None, done
        while _is_at_work(game):  # noqa: ASYNC110 - what is done later tells nobody
            await asyncio.sleep(0.01)
    took, spent = (time.perf_counter() - took) / times, (time.process_time() - spent) / times
    task.cancel()
    row = (watch.wall * 1e3, watch.own * 1e3, took * 1e3, spent * 1e3)
    print(f"{what:<44} {row[0]:>8.1f} {row[1]:>8.1f} {row[2]:>8.0f} {row[3]:>8.0f}")


def _is_at_work(game: Game) -> bool:
    """Whether a job is being done, or messages are still to be edited."""
    return bool(game.bot.keeper.jobs._running) or any(later.waits for later in laters(game))


def quiet() -> None:
    """Keep the log out of the figures: the bot is in this very process."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))


async def stalls() -> None:
    """Print the worst stall of each command that is known to be dear."""
    quiet()
    print(f"{'ms':<44} {'stall':>8} {'its CPU':>8} {'took':>8} {'CPU':>8}")
    with tempfile.TemporaryDirectory() as folder:
        async with playing(Path(folder), deadline=60.0, patience=300.0) as game:
            await _play(game, Path(folder))


async def _play(game: Game, folder: Path) -> None:
    settle()  # as a bot does that serves
    await game.table()
    places = [Place(number, game.discord.world.home.id) for number in range(1, MANY + 1)]
    await begun(game.ledger, places, game.gm.id)
    name = "Alice"
    for what, line in {
        "/pp set": "gm: /pp set who:Alice number:3",
        "/roll of one name, 980 characters": f"alice: /roll dice:{(name + ' ') * (LONG // 6)}",
        "/roll of letters, 980 characters": f"alice: /roll dice:{'a ' * (LONG // 2)}",
        "/odds of one name, 980 characters": f"alice: /odds dice:{(name + ' ') * (LONG // 6)}",
        "/odds of 30 dice keep 12": "alice: /odds dice:6d4 6d6 6d8 6d10 6d12 vs:30 keep:12",
        "/privacy show, GM of 1,000 campaigns": "gm: /privacy show",
        "/log of everything": "gm: /log count:50 who:Alice",
    }.items():
        await measured(game, what, lambda line=line: game.says(line))  # type: ignore[misc]
    await measured(game, "/scene end with 60 open rolls, all closed", lambda: _closed(game))
    await game.restart()
    await measured(
        game, "/privacy show, the same after a restart", lambda: game.says("gm: /privacy show"), times=1
    )
    await _grown(game, places[-SHOWN:])
    await game.restart()
    await measured(game, "/privacy show, tables of 20 kB", lambda: game.says("gm: /privacy show"), times=1)
    await measured(
        game, "/campaign join, suggestions of 1,000", lambda: game.gm.complete("/campaign join name:")
    )
    await measured(game, "/privacy delete of 1,000 campaigns", lambda: _forgotten(game), times=1)
    path = folder / "large.json"
    path.write_bytes(files.write_table(large(files.LARGEST), game.discord.world.home.id, 1))

    async def looked_at() -> BotReply:
        return await game.says(f"gm: /campaign import file:{path}")

    async def brought() -> BotReply:
        return await game.gm.press(await looked_at(), "Import")

    await measured(game, "/campaign import of 1 MB, preview", looked_at)
    await measured(game, "/campaign import of 1 MB, brought", brought)
    await measured(
        game, "/pp set at a table of 1 MB", lambda: game.says("gm: /pp set who:Somebody 1 number:3")
    )
    await measured(game, "/undo at a table of 1 MB", lambda: game.says("gm: /undo"))
    await measured(game, "/campaign export of 1 MB", lambda: game.says("gm: /campaign export"))
    await measured(game, "/privacy delete at a table of 1 MB", lambda: _forgotten(game), times=1)
    await game.table()
    sheets = folder / "sheets.json"
    sheets.write_text(json.dumps(_sheets()), encoding="utf-8")
    await measured(
        game,
        "/campaign import of 50 sheets, preview",
        lambda: game.says(f"gm: /campaign import file:{sheets}"),
    )
    await measured(
        game,
        "/character import of one of 50, preview",
        lambda: game.says(f"alice: /character import file:{sheets}"),
    )


def _sheets() -> list[object]:
    """As many characters of the Cortex Toolkit as a file may have, with as many traits, nearly 1 MB."""
    said = "x" * 850
    return [
        a_sheet(
            a_set("Distinctions", *[a_trait(f"Dis {n}", 8, said) for n in range(4)]),
            a_set("Skills", *[a_trait(f"Skill {n}", 6, said) for n in range(12)]),
            name=f"Person {number}",
            notes=f"<p>{said * 4}</p>",
        )
        for number in range(50)
    ]


async def _grown(game: Game, places: Sequence[Place]) -> None:
    """Let each table hold what four players have: 20 kB, more than most."""
    people = large(20_000).characters
    author = Author(game.gm.id, "gm")
    for place in places:
        await game.ledger.append(
            place, author, 0, lambda table: Draft(replace(table, characters=people), told("grown"))
        )


async def _closed(game: Game) -> BotReply:
    """End a scene whose rolls all lose their buttons."""
    await game.says("gm: /scene start")
    rolls = [await game.says("alice: /roll dice:2d6 d8 d10 vs:7 note:Jump") for _ in range(OPEN_ROLLS)]
    ended = await game.says("gm: /scene end")
    shown = [each.message for each in rolls if each.message is not None]
    while any(buttons_of(message) for message in shown):  # noqa: ASYNC110 - an edit tells nobody
        await asyncio.sleep(0.01)
    return ended


async def _forgotten(game: Game) -> BotReply:
    """Wait for it as long as it takes."""
    reply = await game.gm.press(await game.gm.slash("/privacy delete"), "Delete for ever")
    while "being deleted" in reply.text:  # noqa: ASYNC110 - an edit tells nobody
        await asyncio.sleep(0.01)
    return reply
