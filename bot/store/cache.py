"""What a process remembers: the newest table of each campaign, and which channels show it.

What is remembered may be out of date when another process writes to the same database. That does no
harm: whoever moves a channel away from a campaign adds an entry to that campaign, so a step on an old
table, or in a channel that has moved, always meets an entry with its own number.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.store.history import Entry
from rules.table import Table

LIMIT = 128 * 1024 * 1024
"""So many bytes are remembered, unless another number is set."""


@dataclass(slots=True, eq=False)
class Newest:
    """The newest entry of a campaign, written or about to be.

    `base` and `key` are the number and the text of the keyframe that its state is packed against; the key is
    None where it cannot be read, so that the next state has to be a keyframe.
    `written` is the future of its commit, None if it was read from the database. `guild` is the server that
    the campaign is of, 0 for direct messages, and `people` whom the database is known to know there, each
    with whether they are GM. `size` is about how many bytes it takes in memory.
    """

    entry: Entry
    base: int
    key: bytes | None
    guild: int
    people: Mapping[int, bool]
    size: int = 0
    written: asyncio.Future[None] | None = None
    channels: set[int] = field(default_factory=set)

    @property
    def is_settled(self) -> bool:
        """Whether the database is known to have it."""
        return self.written is None or self.written.done()

    @property
    def has_happened(self) -> bool:
        """Whether it was read or written, and not taken back."""
        return self.written is None or (self.written.done() and self.written.exception() is None)

    async def settle(self) -> bool:
        """Wait until it is written, or known not to be; whether it is."""
        if self.written is None:
            return True
        if not self.written.done():
            await asyncio.wait([self.written])
        return self.written.exception() is None


@dataclass(frozen=True, slots=True)
class Binding:
    """The campaign that a place shows, and the channel that it is bound by: its own or its parent."""

    campaign: int
    channel: int


def size_of(table: Table, text: bytes, key: bytes) -> int:
    """About how many bytes a table takes in memory with its keyframe, by the length of its text.

    Measured by sys.getsizeof over all parts: a new table of 250 bytes of text takes 3 kB; 100 rolls of 14 kB
    take 70 kB; 40 large sheets of 198 kB take 600 kB as they are read, 800 kB as they were made; 60 plain
    characters of 1.5 kB take 62 kB, since a character has as many fields as are ever used.
    """
    own = 0 if text is key else len(key)
    return 4_000 + 5 * len(text) + 1_000 * len(table.characters) + own


class Memory:
    """The newest entries of the campaigns that were used last, and the places that show them."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._size = 0
        self._newest: OrderedDict[int, Newest] = OrderedDict()
        self._seats: dict[int, Binding] = {}

    def __len__(self) -> int:
        return len(self._newest)

    @property
    def size(self) -> int:
        """About how many bytes are remembered."""
        return self._size

    def newest(self, campaign: int) -> Newest | None:
        """The newest known entry of a campaign."""
        known = self._newest.get(campaign)
        if known is not None:
            self._newest.move_to_end(campaign)
        return known

    def seat(self, channel: int) -> Binding | None:
        """Where a channel or a thread is known to belong."""
        return self._seats.get(channel)

    def advance(self, newest: Newest) -> None:
        """Remember the next entry of a campaign."""
        campaign = newest.entry.campaign
        if known := self._newest.get(campaign):
            newest.channels = known.channels
            self._size -= known.size
        self._newest[campaign] = newest
        self._newest.move_to_end(campaign)
        self._size += newest.size
        # The last one stays, however large: whoever has read it looks for it here next.
        while self._size > self._limit and len(self._newest) > 1:
            self.forget(next(iter(self._newest)))

    def take_in(self, read: Newest) -> bool:
        """Remember an entry as it was read; False if a newer one is known or is being written."""
        campaign = read.entry.campaign
        known = self._newest.get(campaign)
        if known is not None and known.entry.number >= read.entry.number:
            # What is being written may be taken back.
            return known.entry.number == read.entry.number and known.is_settled
        self.forget(campaign)
        self.advance(read)
        return True

    def sit(self, channel: int, seat: Binding) -> None:
        """Remember where a channel or thread belongs, as long as its campaign is remembered."""
        if known := self._newest.get(seat.campaign):
            self._seats[channel] = seat
            known.channels.add(channel)

    def leave(self, campaign: int) -> None:
        """Forget which places belong to a campaign."""
        if known := self._newest.get(campaign):
            for channel in known.channels:
                self._seats.pop(channel, None)
            known.channels = set()

    def forget(self, campaign: int) -> None:
        """Forget all about a campaign."""
        self.leave(campaign)
        if known := self._newest.pop(campaign, None):
            self._size -= known.size
