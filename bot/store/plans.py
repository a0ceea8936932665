"""Plans of steps that begin a campaign, or bring one to a channel."""

import secrets
from datetime import datetime

from bot.store import fact_codec
from bot.store.cache import Binding, Newest
from bot.store.history import Author, Draft, Entry, LogStep, Move, Place
from bot.store.recorder import Recording
from rules.facts import Fate, Moved
from rules.values import replace


def beginning(
    place: Place, seat: Binding | None, newest: Newest | None, author: Author, draft: Draft, *, at: datetime
) -> Recording:
    """A campaign of its own for a channel, or for the channel of a thread."""
    channel = seat.channel if seat else place.parent or place.channel
    return founding(replace(place, channel=channel), seat, newest, author, draft, at=at, archives=False)


def founding(
    place: Place,
    seat: Binding | None,
    newest: Newest | None,
    author: Author,
    draft: Draft,
    *,
    at: datetime,
    archives: bool,
) -> Recording:
    """A new campaign at a place, in the stead of the one that it showed."""
    campaign = secrets.randbits(40)
    moves = (Move(place.channel, seat.campaign, campaign),) if seat else ()
    step = LogStep(
        1,
        author,
        at,
        fact_codec.write_facts(draft.facts),
        position=1,
        parent=0,
        tip=1,
        moves=moves,
    )
    entry = Entry(campaign, step, replace(draft.table, number=1), rolls_only=draft.rolls_only)
    if not seat:
        return Recording((entry,), (Move(place.channel, None, campaign),), place.guild)
    plan = moving(entry, seat, newest, Fate.REPLACED, archives=archives)
    return replace(plan, guild=place.guild)


def moving(
    entry: Entry, seat: Binding | None, old: Newest | None, fate: Fate, *, archives: bool = False
) -> Recording:
    """A step that moves a channel, told also in the campaign that it leaves."""
    (move,) = entry.step.moves
    if seat is None or old is None:
        return Recording((entry,), (move,))
    table = replace(old.entry.table, archived=old.entry.table.archived or archives)
    gone = Draft(table, (Moved(table.name, fate),), rolls_only=True)
    # The campaign that it leaves has an entry of it too: there it is told, and met by whoever acts on an
    # old table.
    left = old.entry.then(entry.author, entry.at, gone, entry.step.moves)
    is_own = seat.channel == move.channel
    return Recording((entry, left), (move if is_own else replace(move, source=None),))
