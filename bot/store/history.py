"""Entries and whispers as plain values: who did what, where and when. No SQL."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Protocol

from bot.store import codec
from rules.facts import Fact, Illegible
from rules.names import SOMEBODY
from rules.table import Table
from rules.values import replace


@dataclass(frozen=True, slots=True)
class Place:
    """A channel or thread on a server. `parent` is the channel of a thread, 0 for a channel."""

    channel: int
    guild: int = 0
    parent: int = 0


class PinState(StrEnum):
    """Whether the message that shows a table is pinned.

    `OWED`: it is to be pinned as soon as Discord lets the bot. `REMOVED`: somebody has unpinned it.
    """

    PINNED = "pinned"
    OWED = "owed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Pin:
    """The message that shows a table in a channel or thread."""

    channel: int
    message: int
    state: PinState = PinState.PINNED


class Sight(Protocol):
    """Which channels of a server a person can see."""

    @property
    def person(self) -> int:
        """The person's Discord id."""

    def look(self, channels: Collection[int]) -> bool | None:
        """Return whether they see one of the channels; None if only Discord can tell."""

    async def ask(self, channels: Collection[int]) -> bool:
        """Return whether they see one of the channels; asks Discord, and no answer counts as no."""


@dataclass(frozen=True, slots=True)
class NamedCampaign:
    """A campaign named by a button or form, and the place where that was used.

    If that place shows another campaign by now, or none, only people who see one of its channels (by `sight`)
    and its GMs may use it; without a sight, nobody may.
    """

    campaign: int
    place: Place
    sight: Sight | None = None


@dataclass(frozen=True, slots=True)
class Author:
    """The person who made a step: their Discord id and the name they used then."""

    id: int
    name: str


NOBODY = Author(0, SOMEBODY)
"""Who made the steps of a person who is forgotten, and those that nobody is to be known for."""


NEVER = datetime.fromtimestamp(0, UTC)
"""When steps were made that are not to be known."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The table that a rule produces, and what happened; `secret` means for GMs only.

    `rolls_only` means that it keeps nothing but rolls, so that there is no campaign yet.
    """

    table: Table
    facts: tuple[Fact, ...]
    secret: bool = False
    rolls_only: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """A channel that moved from one campaign to another; None stands for no campaign."""

    channel: int
    source: int | None
    target: int | None

    @property
    def back(self) -> "Move":
        """The move that reverses this one."""
        return Move(self.channel, self.target, self.source)


@dataclass(frozen=True, slots=True)
class LogStep:
    """One line of a table's history.

    - `position`: the step whose table holds after this one; its own number, except for undo and redo. -
    `parent`: the position before that one, 0 before the first. - `tip`: the position that redo leads to. -
    `undoes`, `redoes`: the step that it undoes or redoes, else 0. - `undone`: the current table is without
    this step. - `secret`: hidden from players. - `is_veiled`: the reader knows only its number. - `written`:
    the facts as stored; decoded only on demand, since most are never read. - `interaction`: the interaction
    that made it, if the step was read from the database.
    """

    number: int
    author: Author
    at: datetime
    written: str
    position: int
    parent: int
    tip: int
    undoes: int = 0
    redoes: int = 0
    moves: tuple[Move, ...] = ()
    undone: bool = False
    secret: bool = False
    is_veiled: bool = False
    interaction: int = field(default=0, compare=False)
    unread: tuple[Illegible, ...] = ()
    """What is kept beside the facts, and cannot be read."""

    @property
    def is_play(self) -> bool:
        """Whether this is a step of play, rather than an undo, a redo or a note about the rows themselves."""
        return self.position == self.number and not (self.undoes or self.redoes)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What happened, decoded."""
        return codec.read_facts(self.written) + self.unread

    @property
    def veiled(self) -> "LogStep":
        """A copy without author, time and facts."""
        return replace(
            self,
            author=NOBODY,
            at=NEVER,
            written=codec.write_facts(()),
            interaction=0,
            unread=(),
            is_veiled=True,
        )

    def __str__(self) -> str:
        return f"step {self.number}"


@dataclass(frozen=True, slots=True)
class Entry:
    """A step of a campaign with the table after it.

    - `repeated`: the interaction had been recorded before, and nothing was done again. - `deleted`: the
    campaign is deleted and can still be restored. - `rolls_only`: there is no campaign yet, only dice rolled
    in this place.
    """

    campaign: int
    step: LogStep
    table: Table
    repeated: bool = False
    deleted: bool = False
    rolls_only: bool = False

    @property
    def number(self) -> int:
        """The number of the step."""
        return self.step.number

    @property
    def author(self) -> Author:
        """The author of the step."""
        return self.step.author

    @property
    def at(self) -> datetime:
        """The time of the step."""
        return self.step.at

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of the step."""
        return self.step.facts

    def then(self, author: Author, at: datetime, draft: Draft, moves: tuple[Move, ...] = ()) -> "Entry":
        """Return the entry of the next step of play."""
        number, table = self.number + 1, draft.table
        step = LogStep(
            number,
            author,
            at,
            codec.write_facts(draft.facts),
            number,
            self.step.position,
            number,
            moves=moves,
            secret=draft.secret,
        )
        fresh = replace(table, number=number, lost=0)
        return Entry(self.campaign, step, fresh, rolls_only=self.rolls_only and draft.rolls_only)


WHISPERS_KEPT = timedelta(days=30)
"""How long a whisper can be opened: it is what people said, so not longer than anybody needs it."""


@dataclass(frozen=True, slots=True)
class Whisper:
    """A private message from one person to another; `id` is the interaction that sent it."""

    id: int
    sender_id: int
    sender_name: str
    reader_id: int
    reader_name: str
    body: str
    at: datetime
