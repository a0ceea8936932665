"""Entries and whispers as values: who did what, where and when. No SQL."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol

from bot.store import codec
from rules.facts import Fact, Illegible
from rules.names import SOMEBODY
from rules.table import Table
from rules.values import replace


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is said. `parent` is the channel of a thread, 0 for a channel."""

    channel: int
    guild: int = 0
    parent: int = 0


class Sight(Protocol):
    """Which channels of a server a person sees, who may see all of it if they manage it."""

    @property
    def person(self) -> int:
        """Who looks."""

    def look(self, channels: Collection[int]) -> bool | None:
        """Whether they see one of the channels; None where only Discord knows."""

    async def ask(self, channels: Collection[int]) -> bool:
        """The same, where Discord is asked; what it does not say either is not seen."""


@dataclass(frozen=True, slots=True)
class NamedCampaign:
    """A campaign as a button or a form names it, at the place where it is pressed or sent.

    Where that place shows another one by now, or none, it is only for who sees a channel of it by their
    `sight`, or is its GM; for nobody without one.
    """

    campaign: int
    place: Place
    sight: Sight | None = None


@dataclass(frozen=True, slots=True)
class Author:
    """Who made a step: their Discord id and the name they went by."""

    id: int
    name: str


NOBODY = Author(0, SOMEBODY)
"""Who made the steps of a person who is forgotten, and those that nobody is to be known for."""


NEVER = datetime.fromtimestamp(0, UTC)
"""When steps were made that are not to be known."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a rule makes of a table, and what happened; a `secret` one is the GM's alone.

    Where it keeps nothing but rolls it is `rolls_only`: there is no campaign yet.
    """

    table: Table
    facts: tuple[Fact, ...]
    secret: bool = False
    rolls_only: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """A channel that went from one campaign to another; None stands for no campaign."""

    channel: int
    source: int | None
    target: int | None

    @property
    def back(self) -> "Move":
        """The move that takes this one back."""
        return Move(self.channel, self.target, self.source)


@dataclass(frozen=True, slots=True)
class LogStep:
    """One line of a table's history.

    After it the table is as it was after the step `position`: its own number, unless it goes back or
    forward. `parent` is the position before that one (0 before the first), `tip` the one that redo
    leads to. `undoes` and `redoes` name the step that it takes or puts back, else 0. `undone` says
    that the table is without it now, `secret` that it is kept from players, `is_veiled` that whoever looks
    knows no more of it than its number. What happened is `written` as it is kept, since of most steps nobody
    asks it. `interaction` is the one that made it, where the step is read from the database.
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
        """Whether something was done, rather than undone, put back, or noted of the rows themselves."""
        return self.position == self.number and not (self.undoes or self.redoes)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What happened."""
        return codec.read_facts(self.written) + self.unread

    @property
    def veiled(self) -> "LogStep":
        """The step without who made it, when, and what happened."""
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

    `repeated` says that the same interaction had come before, and nothing was done again, `deleted` that the
    campaign is deleted, and waits for being brought back, `rolls_only` that it is none yet: people have only
    rolled dice there.
    """

    campaign: int
    step: LogStep
    table: Table
    repeated: bool = False
    deleted: bool = False
    rolls_only: bool = False

    @property
    def number(self) -> int:
        """The step's number."""
        return self.step.number

    @property
    def author(self) -> Author:
        """Who made the step."""
        return self.step.author

    @property
    def at(self) -> datetime:
        """When the step was made."""
        return self.step.at

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What happened in the step."""
        return self.step.facts

    def then(self, author: Author, at: datetime, draft: Draft, moves: tuple[Move, ...] = ()) -> "Entry":
        """The entry of the next step of play."""
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


UNKNOWN = datetime(1, 1, 1, tzinfo=UTC)
"""The moment that stands for one that cannot be read."""


WHISPERS_KEPT = timedelta(days=30)
"""How long a whisper can be opened: it is what people said, so not longer than anybody needs it."""


@dataclass(frozen=True, slots=True)
class Whisper:
    """What somebody said to one other person; `id` is the interaction by which it was said."""

    id: int
    sender_id: int
    sender_name: str
    reader_id: int
    reader_name: str
    body: str
    at: datetime
