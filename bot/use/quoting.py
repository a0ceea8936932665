"""Keeping what somebody wrote: at once, or once they have said so; and letting go of it for good."""

from dataclasses import dataclass
from functools import partial

from bot.asks.question import STALE, Pressed
from bot.play import NO_TABLE, Play
from bot.play.asked import Asked
from bot.render.card import Card
from bot.render.quotes import asking_card, kept_card, known_card, sign, taken_out_card
from bot.render.voice import speaker
from bot.store.ledger import Ledger
from rules.campaign.notes import may_take_out, quotable, quote, require_noter, require_own
from rules.campaign.seats import Actor, own_name
from rules.errors import NotAllowed, TooLate, Unknown
from rules.facts import Quoted
from rules.game import Step
from rules.table import Table
from rules.values import replace


@dataclass(frozen=True, slots=True)
class Written:
    """A message that somebody would keep: who wrote it, and its text.

    What was said as a character was said at the table of a `campaign`, `signed` with that name.
    """

    message: int
    author: int
    text: str
    campaign: int = 0
    signed: str = ""


class _Newer(Exception):
    """Something has happened since it was looked up whether a message is kept."""


class Quoting:
    """Keeps what people write, and lets go of it."""

    def __init__(self, play: Play, ledger: Ledger) -> None:
        self._play = play
        self._quotes = ledger.quotes

    async def keep(self, asked: Asked, written: Written) -> tuple[Card, int]:
        """Keep a message, or ask whoever wrote it; with the campaign that it is kept in.

        Raises Unknown where there is no table, NotAllowed for what is kept by nobody, or not by them.
        """
        campaign, table = await self._play.see(asked)
        if not campaign or asked.is_outside(table):
            raise Unknown(NO_TABLE)
        require_noter(table, asked.actor)
        if written.campaign not in (0, campaign):
            raise NotAllowed("That message is from another table, not from this channel's table.")
        written = replace(written, text=quotable(written.text))
        if (known := await self._kept(campaign, written.message)) is not None:
            return known_card(known, is_theirs=may_take_out(table, asked.actor, known)), campaign
        if written.author != asked.actor.id and not written.signed:
            return asking_card(written.text, written.message, written.author), campaign
        quoted = _quoted(table, asked.actor, written)
        if written.signed and written.author != asked.actor.id:
            await self._require_unrefused(campaign, written)
        return await self._keep(replace(asked, campaign=campaign), quoted), campaign

    async def agree(self, asked: Asked, press: Pressed, text: str) -> tuple[Card, int]:
        """Whoever wrote a message has it kept, as it stands in the message that asks them.

        Raises NotAllowed for others, TooLate where the text is not the one that they were asked about.
        """
        await self._play.look(asked)  # first: a table of another place says nothing, not even who may
        author, _, known_by = press.subject.partition(".")
        if asked.actor.id != int(author):
            raise NotAllowed("Only the author of that message can keep it.")
        if sign(text) != known_by:
            raise TooLate(STALE)
        quoted = Quoted(text, own_name(asked.actor), player=asked.actor.id, message=press.number)
        return await self._keep(asked, quoted), press.campaign

    async def take_out(self, asked: Asked, message: int) -> tuple[Card, int]:
        """Let go of what is kept of a message, for good. Raises what `require_own` does, and TooLate."""
        campaign, _ = await self._play.see(asked)

        def check(table: Table, quoted: Quoted) -> None:
            require_own(table, asked.actor, quoted)

        await self._quotes.take_out(campaign, asked.author, asked.interaction, message, check)
        self._play.changed(campaign)
        return taken_out_card(), campaign

    async def _keep(self, asked: Asked, quoted: Quoted) -> Card:
        """Keep it, if nobody has meanwhile: of two who do at once, both are told of the one that is kept."""
        while True:
            _, table = await self._play.see(asked)
            known = await self._kept(asked.campaign, quoted.message)
            if known is not None:
                return kept_card(known)
            try:
                done = await self._play.change(asked, partial(_if_same, number=table.number, quoted=quoted))
            except _Newer:
                continue
            return replace(kept_card(quoted), private=done.card.private)

    async def _kept(self, campaign: int, message: int) -> Quoted | None:
        """What is kept of a message, and not undone."""
        told = await self._quotes.of(campaign, message)
        if not told:
            return None
        found = await self._play.past.facts(campaign, (Quoted,), min(told))
        quotes = [fact for _, fact in found if isinstance(fact, Quoted)]
        return next((each for each in quotes if each.message == message and each.text), None)

    async def _require_unrefused(self, campaign: int, written: Written) -> None:
        """Refuse to keep once more what was taken out, to all but whoever wrote it."""
        told = await self._quotes.of(campaign, written.message)
        if any(not quoted.text for quotes in told.values() for quoted in quotes):
            raise NotAllowed("That message was kept, then taken out. Only the author can keep it again.")


def _if_same(table: Table, actor: Actor, *, number: int, quoted: Quoted) -> Step:
    """Keep it on the table on which it was looked up that it is not kept."""
    if table.number != number:
        raise _Newer
    return quote(table, actor, quoted)


def _quoted(table: Table, actor: Actor, written: Written) -> Quoted:
    """What is kept of a message, by whom, and as which character it was said."""
    is_own = written.author == actor.id
    by = own_name(actor) if is_own else _player(table, written.author)
    names = [each.name for each in table.characters.values()]
    who = speaker(written.signed, names) if written.signed else ""
    return Quoted(written.text, by, who, written.author, written.message)


def _player(table: Table, player: int) -> str:
    """The name of somebody who plays or is GM; nothing where they do no longer."""
    names = (each.player_name for each in table.characters.values() if each.player == player)
    return next(names, table.gms.get(player, ""))
