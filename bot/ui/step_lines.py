"""The lines of a log as they are sent: each of a step, gathered in messages that have room to grow."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.language.printers import harmless
from bot.render.log import told_line
from bot.store import codec
from bot.store.history import LogStep
from bot.store.step_log import StepLine
from rules.facts import Fact
from rules.values import replace

LONGEST = 2000
"""A plain message has at most this many characters."""
ROOM = 1500
"""So many are written at once: lines grow where they are undone, or their rolls change."""
LINK = 100
"""A link has fewer characters than this."""


@dataclass(frozen=True, slots=True)
class LogMessage:
    """Lines that are to be told, since when, and the number by which Discord knows the message again."""

    text: str
    lines: tuple[StepLine, ...]
    since: float
    nonce: int = field(default_factory=lambda: secrets.randbits(63))


@dataclass(frozen=True, slots=True)
class LogSteps:
    """The steps that all may see, by number, and the rolls as they are now: what lines are made of."""

    server: int
    steps: Mapping[int, LogStep]
    rolls: Mapping[int, Fact]

    def text(self, line: StepLine, longest: int = ROOM - LINK) -> str:
        """A line as it is sent, of so many characters at most."""
        link = f"https://discord.com/channels/{self.server}/{line.answer_place}/{line.answer}"
        most = longest
        while True:
            told = told_line(self.steps[line.number], self.rolls, link if line.answer else "", most)
            said = harmless(told)
            if len(said) <= longest or most < 2:
                return said
            # How long a line is once it is harmless is seen only then.
            most = most * 2 // 3


def whole(sheet: LogSteps, lines: Sequence[StepLine]) -> str:
    """Lines that stand in one message, as it is to read now; where they have grown too long, each is cut."""
    text = "\n".join(map(sheet.text, lines))
    if len(text) <= LONGEST:
        return text
    return "\n".join(sheet.text(line, LONGEST // len(lines) - 1) for line in lines)


def messages(sheet: LogSteps, lines: Sequence[StepLine], since: float) -> list[LogMessage]:
    """New lines in as many messages as they need, with room to grow."""
    found: list[list[tuple[StepLine, str]]] = []
    room = 0
    for line in lines:
        text = sheet.text(line)
        size = len(text) + 1 + (0 if line.answer else LINK)
        if size > room:
            found.append([])
            room = ROOM
        found[-1].append((replace(line, sign=codec.sign(text)), text))
        room -= size
    return [
        LogMessage("\n".join(text for _, text in some), tuple(line for line, _ in some), since)
        for some in found
    ]
