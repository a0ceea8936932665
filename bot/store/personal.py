"""Personal data: quiet hours, introductions, whispers, quotes and portraits."""

import hashlib
from collections.abc import Callable, Collection
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import ColumnElement, Select, bindparam, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import codec
from bot.store.history import WHISPERS_KEPT, Author, Draft, Entry, Whisper
from bot.store.pending import Notes
from bot.store.recorder import Recorder, Recording, known
from bot.store.schema import entry, portrait, whisper
from bot.store.writer import Write
from rules.campaign.notes import quotes_in, without_quote
from rules.campaign.schedule import QuietHours, answers, is_away, with_away
from rules.errors import TooLate
from rules.facts import Fact, Quoted, QuoteTakenOut
from rules.table import Table
from rules.values import replace


class AllQuietHours:
    """The quiet hours of all people."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    async def of(self, person: int) -> QuietHours:
        """Return a person's quiet hours."""
        return _read(await self._notes.read(_rest_key(person)))

    async def of_all(self, people: Collection[int]) -> dict[int, QuietHours]:
        """Return the quiet hours of several people, by person."""
        kept = await self._notes.read_all([_rest_key(person) for person in people]) if people else {}
        return {person: _read(kept.get(_rest_key(person))) for person in people}

    async def keep(self, person: int, rest: QuietHours) -> None:
        """Store a person's quiet hours."""
        if rest == QuietHours():
            await self._notes.drop(_rest_key(person))
        else:
            await self._notes.keep(_rest_key(person), codec.dump_whole(rest).decode())

    async def awake(self, person: int, campaign: int, now: datetime) -> datetime | None:
        """Return from when on a person may be notified about a campaign; None if they have muted it."""
        rest = await self.of(person)
        return None if campaign in rest.muted else rest.awake(now)

    async def told(self, table: Table) -> Table:
        """Return the table with people marked as away for the planned session by their quiet hours.

        Answers that people gave themselves take precedence.
        """
        plan = table.plan
        if plan is None or not plan.is_open:
            return table
        people = answers(table, plan)
        rests = await self.of_all(people)
        away = [player for player in people if is_away(plan, player, rests[player])]
        return replace(table, plan=with_away(table, plan, away)) if away else table


def _read(kept: str | None) -> QuietHours:
    try:
        return codec.strict().decode(kept, QuietHours) if kept else QuietHours()
    except ValueError:  # damaged: as if they had not asked for any
        return QuietHours()


def _rest_key(person: int) -> str:
    return f"rest:{person}"


KNOWN = "known"
"""What is stored about a person who isn't offered the introduction again."""


class Introductions:
    """The people who have seen the introduction or pressed `I know`, and aren't offered it again."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    async def knows(self, person: int) -> bool:
        """Return whether a person isn't offered the introduction again."""
        return await self._notes.read(_intro_key(person)) is not None

    async def keep(self, person: int) -> None:
        """Store that a person isn't offered it again."""
        await self._notes.keep(_intro_key(person), KNOWN)

    async def forget(self, person: int) -> None:
        """Delete what is stored about a person."""
        await self._notes.drop(_intro_key(person))


def _intro_key(person: int) -> str:
    return f"intro:{person}"


MOST_WHISPERS = 200
"""So many whispers of one person are kept, the latest."""


class Whispers:
    """The whispers that can still be opened."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._keep = recorder.insert(whisper).on_conflict_do_nothing(index_elements=["id"])

    async def keep(self, one: Whisper) -> None:
        """Store a whisper once; deletes the sender's oldest beyond MOST."""
        columns = whisper.c
        ours = select(columns.id).where(columns.sender_id == one.sender_id).order_by(columns.id.desc())
        oldest = ours.offset(MOST_WHISPERS - 1).limit(1).scalar_subquery()
        await self._recorder.write(
            delete(whisper).where(columns.sender_id == one.sender_id, columns.id <= oldest),
            Write(self._keep, values=asdict(one)),
        )

    async def find(self, number: int) -> Whisper | None:
        """Return a whisper; None if it can no longer be opened."""
        found = await self._found(whisper.c.id == number)
        return found[0] if found else None

    async def of(self, person: int) -> list[Whisper]:
        """Return all whispers that a person sent or received, oldest first."""
        return await self._found(_knows(person))

    async def between(self, one: int, other: int, since: datetime) -> list[Whisper]:
        """Return the whispers between two people since then, oldest first."""
        columns = whisper.c
        both = columns.sender_id.in_((one, other)) & columns.reader_id.in_((one, other))
        return await self._found(both & (columns.at >= since))

    async def drop(self, number: int) -> bool:
        """Delete a whisper; return whether it existed."""
        dropped = 0

        async def work(connection: AsyncConnection) -> None:
            nonlocal dropped
            dropped = (await connection.execute(delete(whisper).where(whisper.c.id == number))).rowcount

        await self._recorder.write(last=work)
        return dropped == 1

    async def forget(self, person: int) -> None:
        """Delete all whispers that a person sent or received."""
        await self._recorder.write(delete(whisper).where(_knows(person)))

    async def _found(self, wanted: ColumnElement[bool]) -> list[Whisper]:
        recent = whisper.c.at >= self._recorder.clock.now() - WHISPERS_KEPT
        rows = await self._recorder.reader.rows(select(whisper).where(wanted, recent).order_by(whisper.c.id))
        return [Whisper(**row._mapping) for row in rows]


def _knows(person: int) -> ColumnElement[bool]:
    return or_(whisper.c.sender_id == person, whisper.c.reader_id == person)


_REWORD = update(entry).where(
    entry.c.campaign_id == bindparam("of"), entry.c.number == bindparam("at_number")
)


class Quotes:
    """An index of kept messages, by message id and author."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    async def of(self, campaign: int, message: int) -> dict[int, list[Quoted]]:
        """Return the quotes of a message by the steps that hold them, including undone and taken-out ones."""
        found = {n: quotes_in(facts, message) for n, facts in (await self._about(campaign, message)).items()}
        return {number: quotes for number, quotes in found.items() if quotes}

    async def by(self, campaign: int, person: int) -> list[str]:
        """Return all texts of a person that are kept in a campaign, oldest first."""
        told = [fact for facts in (await self._about(campaign, person)).values() for fact in facts]
        own = (fact for fact in told if isinstance(fact, Quoted) and fact.player == person and fact.text)
        return list({quoted.message: quoted.text for quoted in own}.values())

    async def take_out(
        self,
        campaign: int,
        author: Author,
        interaction: int,
        message: int,
        check: Callable[[Table, Quoted], None],
    ) -> Entry:
        """Delete a kept message from all steps for good.

        `check` may refuse. The steps are changed together with a new last entry, so that a concurrent command
        that read the old steps collides with it and retries. Raises TooLate if the message is not kept.
        """

        async def prepare() -> Recording:
            newest = await known(self._recorder, campaign)  # first: a step that came later is met
            before = newest.entry
            told = await self._about(campaign, message)
            quotes = [quoted for facts in told.values() for quoted in quotes_in(facts, message)]
            quoted = next((each for each in quotes if each.text), None)
            if quoted is None:
                raise TooLate("Nothing from that message is kept any more.")
            check(before.table, quoted)
            draft = Draft(before.table, (QuoteTakenOut(quoted.by, quoted.who),))
            made = before.then(author, self._recorder.clock.now(), draft)
            # The table stays where it was: what is taken out is no step that could be undone.
            at = (before.step.position, before.step.parent, before.step.tip)
            step = replace(made.step, position=at[0], parent=at[1], tip=at[2])
            rows = [
                {
                    "of": campaign,
                    "at_number": number,
                    "facts": codec.write_facts(without_quote(facts, message)),
                }
                for number, facts in told.items()
                if quotes_in(facts, message)
            ]
            beside = tuple(Write(_REWORD, values=row) for row in rows)
            return Recording((replace(made, step=step),), beside=beside)

        return await self._recorder.record(interaction, prepare)

    async def _about(self, campaign: int, number: int) -> dict[int, tuple[Fact, ...]]:
        """The steps in which a quotation and an id stand, with what they tell, the oldest first."""
        rows = await self._recorder.reader.rows(_with(number).where(entry.c.campaign_id == campaign))
        return {row.number: codec.read_facts(row.facts) for row in rows if codec.may_hold(row.facts, Quoted)}


def _with(number: int) -> Select[tuple[int, str]]:
    """Steps in which a number stands."""
    there = entry.c.facts.contains(str(number))
    return select(entry.c.number, entry.c.facts).where(there).order_by(entry.c.number)


MOST_PORTRAITS = 150
"""So many portraits that one person brought to a campaign are kept, the latest."""


def digest_of(data: bytes) -> str:
    """Return the digest that identifies a portrait."""
    return hashlib.sha256(data).hexdigest()[:32]


def is_whole(digest: str, data: object) -> bool:
    """Return whether the data is the undamaged portrait with that digest."""
    return isinstance(data, bytes) and digest_of(data) == digest


class Portraits:
    """The portraits that people have uploaded."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._keep = recorder.insert(portrait).on_conflict_do_nothing(
            index_elements=["campaign_id", "digest"]
        )

    async def keep(self, campaign: int, person: int, data: bytes) -> str:
        """Store a portrait for the person who uploaded it; return its digest."""
        digest = digest_of(data)
        columns = portrait.c
        theirs = (columns.campaign_id == campaign, columns.player_id == person)
        latest = select(columns.at).where(*theirs).order_by(columns.at.desc())
        oldest = latest.offset(MOST_PORTRAITS - 1).limit(1).scalar_subquery()
        row = {
            "campaign_id": campaign,
            "digest": digest,
            "player_id": person,
            "data": data,
            "at": self._recorder.clock.now(),
        }
        await self._recorder.write(
            delete(portrait).where(*theirs, columns.at <= oldest),
            Write(self._keep, values=row),
        )
        return digest

    async def find(self, campaign: int, digest: str) -> bytes | None:
        """Return a portrait by its digest; None if it was deleted, has expired or is damaged."""
        return (await self.of(campaign, (digest,))).get(digest)

    async def of(self, campaign: int, digests: Collection[str]) -> dict[str, bytes]:
        """Return the stored portraits with these digests, by digest."""
        columns = (portrait.c.campaign_id == campaign, portrait.c.digest.in_(digests))
        rows = await self._recorder.reader.rows(select(portrait.c.digest, portrait.c.data).where(*columns))
        return {row.digest: row.data for row in rows if is_whole(row.digest, row.data)}

    async def by(self, campaign: int, person: int) -> dict[str, bytes]:
        """Return the portraits that a person uploaded to a campaign, by digest."""
        columns = (portrait.c.campaign_id == campaign, portrait.c.player_id == person)
        rows = await self._recorder.reader.rows(select(portrait.c.digest, portrait.c.data).where(*columns))
        return {row.digest: row.data for row in rows if is_whole(row.digest, row.data)}
