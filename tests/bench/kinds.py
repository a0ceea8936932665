"""The kinds of interaction that are measured, and the tables at which they happen."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence

from bot.loopback.model import Channel, Message
from bot.loopback.people import Person
from bot.loopback.reply import BotReply
from tests.bench.bots import Running
from tests.bench.load import Act

TABLES = 50
"""Interactions are spread over so many tables."""
FULL = 5
"""So many of them have as many open rolls as there can be."""
OPEN_ROLLS = 60
POOL = 20
"""So many dice are added to a doom pool before it is emptied; it holds thirty at most."""
SETTLE = 3
"""Seconds after which the messages of rolls that a new scene has closed say so, all of them."""
MIXED = "rolls, PP, doom"
ROLL = "/roll dice:2d6 d8 d10 vs:11"
AGAINST_DOOM = "/roll dice:Strong d10, d8, d6, d4 vs:doom note:Force the door"
ADD = "/doom add dice:d6"
MIX = (ROLL, "/pp set who:Alice number:3", ROLL, ADD, ROLL, "/pp set who:Alice number:2", "/doom set dice:d8")


class Tables:
    """Tables with a GM and Alice in a scene, made by what people type: any version of the bot has them."""

    def __init__(self, running: Running) -> None:
        self.gm, self.alice = running.discord.person("gm"), running.discord.person("alice")
        self.places = [running.discord.channel(f"table-{n}") for n in range(TABLES)]
        self._shown: dict[Channel, BotReply] = {}
        self._pressing: defaultdict[Channel, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def begin(self) -> None:
        """Sit down everywhere."""
        for place in self.places:
            for line in (
                "/campaign new name:Skyfall ruleset:adept",
                "/session start",
                "/scene start name:Docks",
            ):
                await said(self.gm, line, place)
            await said(self.alice, ROLL, place)
            await said(self.gm, "/scene start name:Square", place)

    def kinds(self) -> Mapping[str, tuple[Act, Act | None]]:
        """What is measured, each with what clears the tables before every round, if anything does."""
        return {
            MIXED: (self._typed(self.gm, MIX), self._new_scene),
            "/doom add": (self._typed(self.gm, ("/doom set dice:d6", *[ADD] * POOL)), None),
            "/roll, no open rolls": (self._typed(self.alice, (ROLL,)), self._new_scene),
            "/roll, 60 open rolls": (self._typed(self.alice, (ROLL,), FULL), self._full),
            "add and /undo, 60 rolls": (self._typed(self.gm, (ADD, "/undo"), FULL), self._full),
            "/roll of traits vs doom": (self._typed(self.alice, (AGAINST_DOOM,)), self._new_scene),
            "keep another choice": (self._press, self._roll),
            "suggestions": (self._suggestions, None),
            "/table show": (self._typed(self.gm, ("/table show",)), None),
        }

    def _typed(self, who: Person, lines: Sequence[str], tables: int = TABLES) -> Act:
        async def act(n: int) -> None:
            await said(who, lines[n // tables % len(lines)], self.places[n % tables])

        return act

    async def _new_scene(self, _: int) -> None:
        for place in self.places:
            await said(self.gm, "/scene start name:Square", place)
        await asyncio.sleep(SETTLE)

    async def fill(self) -> Sequence[Message]:
        """Let some tables have as many open rolls as there can be: the messages that show them."""
        rolls = [
            await said(self.alice, ROLL, place) for place in self.places[:FULL] for _ in range(OPEN_ROLLS)
        ]
        return [each.message for each in rolls if each.message is not None]

    async def next_scene(self) -> None:
        """Begin another scene there, which closes all rolls."""
        for place in self.places[:FULL]:
            await said(self.gm, "/scene start name:Square", place)

    async def _full(self, _: int) -> None:
        await self.fill()

    async def _roll(self, _: int) -> None:
        await self._new_scene(0)
        for place in self.places:
            self._shown[place] = await said(self.alice, "/roll dice:Mind d10 2d8 2d6", place)
            while not _others(self._shown[place]):
                self._shown[place] = await said(self.alice, "/roll dice:Mind d10 2d8 2d6", place)

    async def _press(self, n: int) -> None:
        place = self.places[n % TABLES]
        async with self._pressing[place]:  # what is pressed is gone for the next
            shown = self._shown[place]
            pressed = await self.alice.press(shown, _others(shown)[0])
        assert pressed.updated, pressed.text

    async def _suggestions(self, n: int) -> None:
        assert await self.alice.complete("/roll dice:d", self.places[n % TABLES])


class Pongs:
    """The bare bot's one command."""

    def __init__(self, running: Running) -> None:
        self._gm, self._place = running.discord.person("gm"), running.discord.table

    async def act(self, _: int) -> None:
        """Type it."""
        await said(self._gm, "/pong", self._place)


async def said(who: Person, line: str, place: Channel) -> BotReply:
    """What somebody is told; it has to be an answer, and no refusal."""
    reply = await who.slash(line, place)
    assert reply.failed is None, (line, reply.failed)
    assert not reply.private or " show" in line, (line, reply.text)
    return reply


def _others(shown: BotReply) -> list[str]:
    """The buttons that keep another choice."""
    ids = (button.custom_id or "" for button in shown.buttons)
    return [each for each in ids if each.startswith("dk:keep:")]
