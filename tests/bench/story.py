"""A long campaign, played by a script, and how much of it its story tells: recaps and chronicle."""

import random
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bot.language.printers import PHONE, phone_lines
from bot.loopback.reply import BotReply
from bot.worker import settle
from tests.bench.stalls import measured, quiet
from tests.bot.test_chronicle import file_of
from tests.game import Game, playing

SESSIONS = 22
STEPS = 1200
RULESETS = {1: "adept", 9: "heroic", 16: "prime"}
"""The ruleset of the sessions from that one on."""
SHOWN = (1, 9, 22)
"""The recaps of these sessions are printed, to be read by somebody."""
VERBS = ("Force", "Find", "Calm", "Outrun", "Climb", "Convince", "Cross", "Read")
THINGS = ("the door", "the ledger", "the crowd", "a patrol", "the wall", "the captain", "the ice", "the map")
QUESTIONS = ("Who sent the wolves?", "“Stand down!”", "The old gate")


@dataclass
class Script:
    """What is typed, and what rolls were said to be for."""

    lot: random.Random = field(default_factory=lambda: random.Random(22))
    names: list[str] = field(default_factory=lambda: ["Alice", "Bob"])
    noted: list[str] = field(default_factory=list)
    """What each roll with a note was for."""
    rolled: int = 0

    def note(self) -> str:
        """What somebody tries: no two of them are the same."""
        self.rolled += 1
        if self.lot.random() < 0.45:
            return ""
        number = len(self.noted) + 1
        if self.lot.random() < 0.12:
            said = f"{self.lot.choice(QUESTIONS)} {number}"
        else:
            said = f"{self.lot.choice(VERBS)} {self.lot.choice(THINGS)} {number}"
        self.noted.append(said)
        return f" note:{said}"

    def session(self, number: int, steps: int) -> Iterator[str]:
        """One evening, in so many steps."""
        if number in RULESETS and number > 1:
            yield f"gm: /campaign set setting:ruleset value:{RULESETS[number]}"
        yield "gm: /session start"
        if number % 5 == 0:
            fresh = f"Alice {number}"
            yield f"alice: /character rename to:{fresh}"
            self.names[0] = fresh
        made = 3
        scenes = self.lot.choice((2, 3, 3, 4))
        for scene in range(scenes):
            yield f"gm: /scene start name:Scene {number}.{scene + 1} of the long way home"
            for _ in range((steps - made) // scenes - 2):
                yield self.step(number)
            yield "gm: /scene end"
        yield f"gm: /session title title:The evening {number}"

    def step(self, number: int) -> str:
        """One thing that somebody does."""
        who = self.lot.choice(("alice", "bob"))
        kind = self.lot.random()
        if kind < 0.34:
            vs = self.lot.choice((" vs:5", " vs:8", " vs:11", "", " vs:2d8"))
            return f"{who}: /roll dice:2d6 d8 d10{vs}{self.note()}"
        if kind < 0.38:
            return f"{who}: /ore roll dice:6d{self.note()}"
        if kind < 0.44:
            return f"gm: /roll dice:2d8 d6{self.note()}"
        if kind < 0.56:
            return f"{who}: /comp add what:Trouble {self.lot.randrange(9)} die:d8"
        if kind < 0.62:
            return f"{who}: /note text:Clue {number}.{self.rolled} hangs on the wall of the inn"
        if kind < 0.66:
            return f"gm: /comp add what:Smoke {self.lot.randrange(5)} who:scene"
        return f"gm: /pp give who:{self.lot.choice(self.names)}"


async def story() -> None:
    """Print how much of a long campaign is told, in how many lines of a phone, and who waits for it."""
    quiet()
    with tempfile.TemporaryDirectory() as folder:
        async with playing(Path(folder), deadline=60.0, patience=300.0) as game:
            await _told(game, Script())


async def _told(game: Game, script: Script) -> None:
    await game.table()
    lines = [await _evening(game, script, number) for number in range(1, SESSIONS + 1)]
    steps = await game.says("gm: /log count:1")
    for number in SHOWN:
        print((await game.says(f"alice: /session recap session:{number}")).text, end="\n\n")
    print(f"{SESSIONS} sessions, {_number(steps)} steps, {len(RULESETS)} rulesets")
    written = file_of(await game.says("alice: /chronicle as:Markdown"))[1].replace("\\", "").casefold()
    tale = "\n".join(line for line in written.splitlines() if not line.startswith("- "))
    told = [note for note in script.noted if re.search(rf"{re.escape(_object(note))}\b", tale)]
    print(f"{script.rolled} rolls, {len(script.noted)} with a note, of which the chronicle tells {len(told)}")
    fit = sum(each <= 12 for each in lines)
    print(f"recaps: {min(lines)} to {max(lines)} lines of {PHONE}, {fit} of {len(lines)} in 12")
    page = file_of(await game.says("alice: /chronicle"))[1].encode()
    print(f"the chronicle: {len(page) / 1000:.0f} kB as a page, {len(written) / 1000:.0f} as Markdown")
    settle()  # as a bot does that serves
    print(f"{'ms':<44} {'stall':>8} {'its CPU':>8} {'took':>8} {'CPU':>8}")
    await measured(game, "/session recap", lambda: game.says("alice: /session recap session:12"))
    await measured(game, "/session recap for:me", lambda: game.says("alice: /session recap for:me"))
    await measured(game, "/chronicle", lambda: game.says("alice: /chronicle"))


def _object(note: str) -> str:
    """A note without its verb, which the story has in its past form."""
    return note.casefold().partition(" ")[2]


def _lines(told: BotReply) -> int:
    """How many lines of a phone a message takes above its buttons."""
    return sum(map(phone_lines, told.text.splitlines()))


async def _evening(game: Game, script: Script, number: int) -> int:
    """Play a session; how many lines of a phone its recap has."""
    for line in script.session(number, STEPS // SESSIONS):
        reply = await game.says(line)
        assert reply.failed is None, (line, reply.failed)
    ended = await game.says("gm: /session end")
    recap = await game.says("alice: /session recap")
    return max(_lines(ended), _lines(recap))


def _number(log: BotReply) -> str:
    return log.text.partition("\\")[0].partition(".")[0]
