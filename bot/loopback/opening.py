"""What a table offers while nothing has been said: a story, some dice, or a scene to watch."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from bot.loopback import demo, orders
from bot.loopback.completion import offers
from bot.loopback.driver import Loopback
from bot.loopback.model import Channel
from bot.loopback.people import Person
from bot.loopback.table import LocalTable, Sight, TextShown

START, ROLL, WATCH = "Start from a story", "Roll some dice", "Watch a scene"
"""The labels of the choices at an empty table."""
STORY = "/campaign new story:"
OWN_GAME = "/campaign new"
DICE = "/roll dice:2d6 d8"
"""The lines that begin a story (with its name behind), a game of one's own, and a first roll."""
PAUSE = 2.5
"""Seconds between the lines of a scene, so that people can read along."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to begin with: its label, what it is about, and the line that does it."""

    label: str
    about: str = ""
    line: str = ""


WAYS = (Choice(START), Choice(ROLL, line=DICE), Choice(WATCH))
"""The choices at an empty table, in order; the two without a line lead on."""


class Opening:
    """The numbered choices of a terminal while nothing has been said."""

    def __init__(self) -> None:
        self.choices: Sequence[Choice] = WAYS

    @property
    def text(self) -> str:
        """The choices, one a line."""
        return "\n".join(
            f"[{number}] {': '.join(filter(None, (each.label, each.about)))}"
            for number, each in enumerate(self.choices, 1)
        )

    def chosen(self, line: str) -> Choice | None:
        """Return the choice that a number or a label means; None for any other line.

        >>> Opening().chosen("2").label
        'Roll some dice'
        >>> Opening().chosen("watch a scene").label
        'Watch a scene'
        """
        for number, each in enumerate(self.choices, 1):
            if line.lower() in (str(number), each.label.lower()):
                return each
        return None


async def stories(who: Person, place: Channel) -> list[Choice]:
    """Return the ready-made stories that the bot offers, and the choice to play without one."""
    found = []
    for each in (await offers(who, place, STORY, ())).all:
        label, _, about = each.label.partition(": ")
        found.append(Choice(label, about, STORY[: len(STORY) - each.length] + each.words))
    return [*found, Choice("Our own game", "Bring your own characters and ideas.", OWN_GAME)]


def stage(loopback: Loopback) -> Channel:
    """Return a new channel for a scene."""
    taken = {place.name for place in loopback.world.in_guild(loopback.world.home)}
    names = ("a-scene", *(f"a-scene-{number}" for number in range(2, len(taken) + 3)))
    return loopback.channel(next(name for name in names if name not in taken))


async def played(table: LocalTable, place: Channel) -> AsyncIterator[list[Sight]]:
    """Play the scene in a channel, and yield what there is to see after each line."""
    before, table.place = table.place, place
    for line in demo.LIVE:
        if is_possible(table, line):
            table.sights.add(TextShown(line))
            yield await table.do(line)
            await table.loopback.world.clock.sleep(PAUSE)
    table.place = before


def is_possible(table: LocalTable, line: str) -> bool:
    """Return whether a line of the scene can be done: the dice decide which buttons there are."""
    who, text = table.whose(line)
    order = orders.read(text, table.known(who))
    if order is not None and order.verb == "press":
        return any(label.startswith(order.rest) for label in table.known(who).buttons)
    return order is None or order.verb != "send" or table.forms.of(who) is not None


class ScenePlayer:
    """The scenes that play themselves in this process."""

    def __init__(self, loopback: Loopback) -> None:
        self._loopback = loopback
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self) -> Channel:
        """Begin a scene in a channel of its own, and return the channel."""
        place = stage(self._loopback)
        task = asyncio.create_task(self._play(place))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return place

    async def _play(self, place: Channel) -> None:
        table = LocalTable(self._loopback)
        try:
            async for _ in played(table, place):
                pass
        finally:
            table.close()

    async def close(self, app: object = None) -> None:
        """Stop all scenes."""
        playing = [*self._tasks]
        for task in playing:
            task.cancel()
        if playing:
            await asyncio.wait(playing)
