"""What an interaction takes, counted: the same figures on every machine, however busy it is.

Each kind is played on the loopback Discord, and what is edited after its answer is counted apart.
`limits.toml` beside this holds what each may take at most; `tests/bot/test_limits.py` holds that it does.
"""

import asyncio
import inspect
import re
import sys
import tomllib
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import aiosqlite
from sqlalchemy import event, func, select
from sqlalchemy.engine import Engine

from bot.client.debounce import Debouncer
from bot.loopback.reply import BotReply
from bot.store import schema
from bot.store.history import Entry, Place
from tests.bench.kinds import AGAINST_DOOM, ROLL
from tests.game import Game

LIMITS = Path(__file__).with_name("limits.toml")
ROOT = Path(__file__).parents[2]
NEVER = 3600.0
"""Seconds after which edits come by themselves: here they come when they are counted."""
ROUNDS = 3
"""Each kind is played so often, and the least counts: the first time much is made that stays."""
CLOSED = 10
"""A new scene closes so many rolls, where that is counted."""
_IDS = 16
"""So many bytes more or less an entry has by the ids in it, at most."""
_NO_ROOMS = ("language", "metrics_hooks", "__init__")
"""Every sentence passes the language, and in tests nobody listens to the hooks."""
_CAN_RESUME = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_TO_THE_THREAD = aiosqlite.Connection._execute.__code__


@dataclass(frozen=True, slots=True)
class Counts:
    """What an interaction takes up to its answer, and what the edits after it take.

    `trips` go to the database's thread, `bytes` are those of its entry, facts and state. `crossings` are
    calls from one room to another, where all of rules is one; `calls` are those of our own functions.
    """

    statements: int
    trips: int
    bytes: int
    crossings: int
    calls: int
    edit_statements: int
    edit_trips: int
    edit_calls: int


class Tally:
    """Counts while it listens: as the profiler of this thread, and to each statement, however it goes."""

    def __init__(self) -> None:
        self.statements = self.trips = self.crossings = self.calls = 0
        self._resumable: dict[int, FrameType] = {}  # kept, so that no other frame has the same id

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Count what is done meanwhile."""
        event.listen(Engine, "before_cursor_execute", self._ask)
        sys.setprofile(self._look)
        try:
            yield
        finally:
            sys.setprofile(None)
            event.remove(Engine, "before_cursor_execute", self._ask)

    def _ask(self, *_: Any) -> None:
        self.statements += 1

    def _look(self, frame: FrameType, what: str, _: Any) -> None:
        if what != "call":
            return
        code = frame.f_code
        here = room(code.co_filename)
        if here is None and code is not _TO_THE_THREAD:
            return
        if code.co_flags & _CAN_RESUME:  # it is called once, however often it goes on
            if id(frame) in self._resumable:
                return
            self._resumable[id(frame)] = frame
        if here is None:
            self.trips += 1
            return
        self.calls += 1
        there = room(frame.f_back.f_code.co_filename) if frame.f_back else None
        if there and there != here and not {here, there} & set(_NO_ROOMS):
            self.crossings += 1


@cache
def room(file: str) -> str | None:
    """Return the room that a file is in: a folder or a module of the bot, or the rules as a whole.

    None is for what is not the bot's, as the loopback Discord is not.
    `replace` and the clock are the standard library's in other words, and count as little as that.
    """
    if not file.startswith((f"{ROOT}/bot/", f"{ROOT}/rules/")):
        return None
    if file.startswith((f"{ROOT}/bot/loopback/", f"{ROOT}/bot/clock.py", f"{ROOT}/rules/values.py")):
        return None
    first, second, *_ = Path(file).relative_to(ROOT).parts
    return first if first == "rules" else second.removesuffix(".py")


def over(found: Mapping[str, Counts], limits: str) -> list[str]:
    """What takes more than the limits say, or has none, each as a line."""
    kept = tomllib.loads(limits)
    return [
        f"{name}: {what} {count}, at most {kept.get(name, {}).get(what)}"
        for name, counts in found.items()
        for what, count in asdict(counts).items()
        if count > kept.get(name, {}).get(what, -1)
    ]


def rewritten(limits: str, found: Mapping[str, Counts]) -> str:
    """The limits with what was found as their numbers; other lines stay, what is new comes last."""
    known = tomllib.loads(limits)
    for name, counts in found.items():
        if name not in known:
            limits += f'\n["{name}"]\n' + "".join(f"{each.name} = 0\n" for each in fields(counts))
    lines: list[str] = []
    now: Counts | None = None
    for line in limits.splitlines():
        if heading := re.fullmatch(r'\["(.*)"\]', line):
            now = found.get(heading[1])
        if now and (figure := re.fullmatch(r"(\w+) = \d+", line)):
            line = f"{figure[1]} = {_limit(figure[1], getattr(now, figure[1]))}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def _limit(what: str, count: int) -> int:
    """A count as a limit: the ids in an entry are others each time, and pack a little better or worse."""
    return count if what != "bytes" or not count else (count + _IDS) // _IDS * _IDS + _IDS


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of interaction: what people say before it is counted, and what is counted.

    What is counted is done to the last answer. `faces` are those of the dice, throw by throw; what is
    counted costs so many `times` as much as is told. What grows with the steps before it is counted at a
    table that begins `anew` for each round: else the first would be the least, whatever else happened in it.
    """

    before: Sequence[str]
    act: Callable[[Game, BotReply], Awaitable[object]]
    faces: Sequence[Sequence[int]] = ()
    times: int = 1
    anew: bool = False


def _said(line: str) -> Callable[[Game, BotReply], Awaitable[object]]:
    return lambda game, _: game.play(line)


def _pressed(name: str, verb: str) -> Callable[[Game, BotReply], Awaitable[object]]:
    """Somebody presses the first button with that verb."""

    async def press(game: Game, on: BotReply) -> object:
        ids = [button.custom_id or "" for button in on.buttons]
        found = next(each for each in ids if each.startswith(f"dk:{verb}:"))
        reply = await game.person(name).press(on, found)
        assert reply.failed is None, reply.failed
        assert reply.updated or reply.form, reply.text
        return reply

    return press


async def _completed(game: Game, _: BotReply) -> object:
    return await game.alice.complete("/roll dice:d")


async def _undo_older(game: Game, _: BotReply) -> object:
    """Undo the step before the last ten, none of which changed the same thing."""
    return await game.play(f"gm: /undo step:{(await newest_entry(game)).number - 10}")


_PLAIN = "alice: /roll dice:2d6 d8 d10"
_AGAINST_DOOM = f"alice: {AGAINST_DOOM}"
_FACES = ((9, 6, 4, 2), (3, 2))
KINDS: Mapping[str, Kind] = {
    "/undo": Kind((_AGAINST_DOOM,), _said("alice: /undo"), _FACES, anew=True),
    "/doom add": Kind((), _said("gm: /doom add dice:d6")),
    "/pp set": Kind((), _said("gm: /pp set who:Alice number:3")),
    "/roll": Kind((), _said(_PLAIN), ((5, 3, 7, 4),)),
    "/roll against a number": Kind((), _said(f"alice: {ROLL}"), ((5, 3, 7, 4),)),
    "/roll of traits against doom": Kind((), _said(_AGAINST_DOOM), _FACES),
    "keep another choice": Kind((_AGAINST_DOOM,), _pressed("alice", "keep"), _FACES),
    "Apply": Kind((_AGAINST_DOOM,), _pressed("alice", "apply"), _FACES),
    "Hitches": Kind((_AGAINST_DOOM,), _pressed("gm", "hitches"), ((9, 6, 1, 2), (3, 2))),
    "/table show": Kind((_AGAINST_DOOM,), lambda game, _: game.says("gm: /table show"), _FACES),
    "suggestions": Kind((), _completed),
    "a new scene": Kind((), _said("gm: /scene start name:Square")),
    "a new scene, for each roll closed": Kind(
        (_AGAINST_DOOM,) * CLOSED, _said("gm: /scene start name:Square"), _FACES * CLOSED, CLOSED
    ),
    "/undo of an older step": Kind(
        ("gm: /pp set who:Alice number:7", *("gm: /doom add dice:d6", "gm: /doom set dice:2d6") * 5),
        _undo_older,
        anew=True,
    ),
}


async def counted(
    game: Game, before: Sequence[str] = (), kinds: Mapping[str, Kind] = KINDS
) -> dict[str, Counts]:
    """What each kind of interaction takes, one after the other, at a table whose message is pinned.

    People say the lines `before` at each table first.
    """
    for later in laters(game):
        later.pause = later.retry = NEVER
    await _table(game, before)
    assert (await game.says("gm: /table pin")).failed is None
    return {name: await _counted(game, kind, before) for name, kind in kinds.items()}


async def _table(game: Game, before: Sequence[str]) -> None:
    """A table at which this was said."""
    await game.table()
    for line in before:
        await game.play(line)


async def _counted(game: Game, kind: Kind, before: Sequence[str]) -> Counts:
    found = [await _round(game, kind, before) for _ in range(ROUNDS)]
    return Counts(*(min(getattr(one, each.name) for one in found) for each in fields(Counts)))


async def _round(game: Game, kind: Kind, before: Sequence[str]) -> Counts:
    if kind.anew:
        await _table(game, before)
    last = await game.play("gm: /scene start name:Docks", "gm: /doom set dice:2d6")
    game.dice.show(*kind.faces)
    for line in kind.before:
        last = await game.play(line)
    await _answered(game)
    await _edited(game)
    newest = await newest_entry(game)
    answer, edits = Tally(), Tally()
    with answer.listening():
        await kind.act(game, last)
        await _answered(game)
    with edits.listening():
        await _edited(game)
    assert not game.dice.faces, "the dice were loaded for more throws"
    figures = (
        answer.statements, answer.trips, await _written(game, newest), answer.crossings, answer.calls,
        edits.statements, edits.trips, edits.calls,
    )  # fmt: skip
    return Counts(*(-(-each // kind.times) for each in figures))


def laters(game: Game) -> Sequence[Debouncer]:
    """What makes edits a moment after what they show."""
    bot = game.bot
    return [each.later for each in (bot.shown, bot.pinned, bot.dates, bot.post, bot.step_logs, bot.threads)]


async def _answered(game: Game) -> None:
    """Wait for all that the bot does by itself up to the end of an interaction."""
    while game.bot.running.tasks:
        await asyncio.wait(game.bot.running.tasks)


async def _edited(game: Game) -> None:
    """Make every edit that waits, and what comes of it."""
    while any(later._soon or later._waiting for later in laters(game)):
        for later in laters(game):
            await later.flush()
            later._hurry.clear()
    await game.ledger.shown.write()


async def newest_entry(game: Game) -> Entry:
    """The newest entry of the table."""
    entry = await game.ledger.look(Place(game.discord.table.id, game.discord.world.home.id))
    assert entry is not None
    return entry


async def _written(game: Game, after: Entry) -> int:
    """How many bytes the entries after that one have."""
    columns = schema.entry.c
    size = func.sum(func.length(columns.facts) + func.coalesce(func.length(columns.state), 0))
    later = (columns.campaign_id == after.campaign, columns.number > after.number)
    async with game.ledger._engine.connect() as connection:
        return int(await connection.scalar(select(size).where(*later)) or 0)
