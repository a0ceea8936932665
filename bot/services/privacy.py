"""Show, export and delete what is stored about a person.

Deletion takes long for somebody who has played much, so it is a job that handles one campaign after another
and starts again if its process dies. The job's row holds the person's id and is deleted last. The job that
confirms the deletion comes after it and does not hold the id, only the answer to edit.
"""

import asyncio
import secrets
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot.clock import UNKNOWN
from bot.language import say
from bot.language.line import Text
from bot.language.printers import spelled
from bot.services.jobs import Kind
from bot.services.play import Play, Request
from bot.services.play_by_post import key_of
from bot.store import files
from bot.store.files import PersonStep, PersonTable, PersonWhisper
from bot.store.history import LogStep, Place, Whisper
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.store.places import CampaignLine
from bot.views import privacy
from bot.views.card import Button, Card, Document, Tone, Weight
from bot.views.facts import summary
from bot.views.privacy import UNNAMED, Host, KeptAtTable, responsible_lines
from rules.campaign.schedule import QuietHours
from rules.campaign.zones import local
from rules.game import played
from rules.table import Character, Table
from rules.values import replace

FORGET, FORGOTTEN = "forget", "forgotten"
"""The kinds of job: what is kept about somebody goes, and they are told that it has gone."""
UNANSWERED = timedelta(seconds=10)
"""After so long it is begun also where whoever was asked died before the answer."""
EDITED = timedelta(minutes=15)
"""So long Discord lets an answer be edited."""


@dataclass(frozen=True, slots=True)
class ForgetReply:
    """The Discord answer to edit once the deletion is done: its application, token and expiry (Unix time)."""

    application: int
    token: str
    until: float

    @classmethod
    def of(cls, payload: Mapping[str, Any]) -> "ForgetReply":
        """Decode the answer that a job is to edit from its payload."""
        return cls(payload["application"], payload["token"], payload["until"])

    def is_over(self, now: datetime) -> bool:
        """Return whether Discord no longer allows editing the answer."""
        return now.timestamp() > self.until


class Privacy:
    """Shows, exports and deletes what is stored about the caller, on all servers."""

    def __init__(
        self, play: Play, ledger: Ledger, retention: int | None = None, host: Host = UNNAMED
    ) -> None:
        """Set up the service.

        `retention` is the number of days until the tables of a server that the bot has left are deleted; None
        means never. `host` is the person responsible for the stored data.
        """
        self._play = play
        self._ledger = ledger
        self._retention = retention
        self._host = host

    async def show(self, asked: Request) -> Card:
        """Return a card that describes what is stored about the caller."""
        if await self._is_going(asked.actor.id):
            return _card([say(privacy.BEING)])
        known = await self._ledger.people.campaigns_of(asked.actor.id)
        shown = known[-privacy.SHOWN :]
        names = await self._ledger.people.names_of([line.id for line in shown], asked.actor.id)
        own = await self._own(asked.actor.id)
        seen = [
            await self._seen(line, asked.actor.id, names[line.id], is_own=line.id == own) for line in shown
        ]
        whispers = len(await self._ledger.whispers.of(asked.actor.id))
        rest = await self._ledger.quiet_hours.of(asked.actor.id)
        lines = privacy.kept_lines(seen, len(known), self._retention, whispers)
        intro = privacy.intro_lines(knows=await self._ledger.introductions.knows(asked.actor.id))
        return _card([*privacy.rest_lines(rest), *intro, *lines, *responsible_lines(self._host)])

    async def export(self, asked: Request) -> Card:
        """Return a card with a file of everything stored about the caller."""
        known = await self._ledger.people.campaigns_of(asked.actor.id)
        parts = [await self._written(line, asked.actor.id) for line in known]
        whispers = await self._ledger.whispers.of(asked.actor.id)
        rest = await self._ledger.quiet_hours.of(asked.actor.id)
        knows = await self._ledger.introductions.knows(asked.actor.id)
        data = files.write_person(asked.actor.id, parts, rest, map(_said, whispers), knows=knows)
        lines = (say("Here's what the bot stores about you, as a file."),)
        return Card(lines, private=True, document=Document("my-data.json", data))

    async def ask(self, asked: Request) -> Card:
        """Return the question whether to delete the caller's data, or say that there is none."""
        if await self._is_going(asked.actor.id):
            return _card([say(privacy.BEING)])
        known = await self._ledger.people.campaigns_of(asked.actor.id)
        whispers = len(await self._ledger.whispers.of(asked.actor.id))
        if not (known or whispers or await self._has_notes(asked.actor.id)):
            return _card([say(privacy.NOTHING)])
        led = set(await self._ledger.people.led_alone_by(asked.actor.id))
        alone: list[Text] = [_name(line) for line in known if line.id in led]
        own = await self._own(asked.actor.id) in {line.id for line in known}
        lines = privacy.question_lines([_name(line) for line in known], alone, whispers, own=own)
        return _card(lines, Button(say("Delete for ever"), "forgetme", weight=Weight.DANGER))

    async def delete(self, asked: Request, told: ForgetReply) -> Card:
        """Schedule the deletion of the caller's data on all servers; call `begin` after answering them."""
        person = asked.actor.id
        if await self._is_going(person):
            return _card([say(privacy.BEING)])
        known = len(await self._ledger.people.campaigns_of(person))
        whispers = len(await self._ledger.whispers.of(person))
        if not (known or whispers or await self._has_notes(person)):
            await self._ledger.waiting.forget(person)
            return _card([say(privacy.NOTHING)])
        answer = {"application": told.application, "token": told.token, "until": told.until}
        payload = {**answer, "person": person, "tables": known, "whispers": bool(whispers)}
        due = self._ledger.clock.now() + UNANSWERED
        await self._ledger.jobs.put(Job(_key(person), FORGET, due, payload=payload))
        return _card([say(privacy.BEING)])

    async def _has_notes(self, person: int) -> bool:
        """Whether the bot stores quiet hours for a person, or that they know the introduction."""
        if await self._ledger.quiet_hours.of(person) != QuietHours():
            return True
        return await self._ledger.introductions.knows(person)

    async def begin(self, asked: Request) -> None:
        """Start the deletion that `delete` scheduled."""
        await self._ledger.jobs.hasten(_key(asked.actor.id), self._ledger.clock.now())

    def kinds(self) -> Mapping[str, Kind]:
        """Return the handlers of these jobs by kind."""
        return {FORGET: self._forget}

    async def _forget(self, job: Job) -> None:
        """Let go of all that is kept about a person, also where they have begun to play meanwhile."""
        person, gone = int(job.payload["person"]), set[int]()
        await self._ledger.whispers.forget(person)
        await self._ledger.waiting.forget(person)
        await self._ledger.quiet_hours.keep(person, QuietHours())
        await self._ledger.introductions.forget(person)
        while more := await self._left(person, gone):
            own = await self._own(person)
            for campaign in more:
                if campaign == own:  # nobody else is there
                    await self._ledger.upkeep.erase(campaign)
                else:
                    await self._ledger.people.forget(campaign, person)
                await self._ledger.jobs.drop(key_of(campaign, person))
                self._play.changed(campaign)
            # Each once: somebody who plays on meanwhile would keep this from ever ending.
            gone |= set(more)
        # Once more, for what they have typed meanwhile.
        await self._ledger.waiting.forget(person)
        told = {key: value for key, value in job.payload.items() if key != "person"}
        tell = Job(f"{FORGOTTEN}:{secrets.token_hex(8)}", FORGOTTEN, self._ledger.clock.now(), payload=told)
        await self._ledger.jobs.change(job.key, tell)

    async def gone(self, job: Job) -> Card:
        """Remove the last traces from the database files and return the card that confirms the deletion."""
        await self._ledger.upkeep.clear_traces()
        tables = int(job.payload["tables"])
        if job.payload["whispers"] and not tables:
            return _card([privacy.deleted_whispers_line()])
        return _card([privacy.deleted_line(tables)])

    async def _is_going(self, person: int) -> bool:
        """Whether what is kept about them is being deleted."""
        return await self._ledger.jobs.get(_key(person)) is not None

    async def _left(self, person: int, gone: set[int]) -> list[int]:
        """The campaigns that know them, but for some."""
        return [line.id for line in await self._ledger.people.campaigns_of(person) if line.id not in gone]

    async def _own(self, person: int) -> int:
        """The campaign of somebody's own dice, where the bot is not on the server; 0 if there are none."""
        entry = await self._ledger.look(Place(person))
        return entry.campaign if entry else 0

    async def _seen(
        self, line: CampaignLine, person: int, steps: Mapping[str, int], *, is_own: bool
    ) -> KeptAtTable:
        """What one table keeps, as far as it is shown; others are served before."""
        await asyncio.sleep(0)
        table = await self._table(line)
        plays = [each.name for each in table.characters.values() if each.player == person]
        owned = [each.name for each in table.characters.values() if each.owner == person != each.player]
        if is_own:
            people = table.characters.values()
            saved = [name for each in people for game in played() for name in game.own(each)]
            return KeptAtTable(_name(line), False, (), (), steps, saved)
        quotes = await self._ledger.quotes.by(line.id, person)
        return KeptAtTable(_name(line), person in table.gms, plays, owned, steps, quotes=quotes)

    async def _written(self, line: CampaignLine, person: int) -> bytes:
        """What one table keeps, as it is written down; others are served before."""
        await asyncio.sleep(0)
        table = await self._table(line)
        zone = table.settings.zone
        own = [each for each in table.characters.values() if person in (each.player, each.owner)]
        kept = PersonTable(
            spelled(_name(line)),
            person in table.gms,
            tuple(_own(each, person) for each in own),
            tuple(_told(step, zone) for step in await self._ledger.people.steps_by(line.id, person)),
            {n: b64encode(d).decode() for n, d in (await self._ledger.portraits.by(line.id, person)).items()},
            tuple(await self._ledger.quotes.by(line.id, person)),
        )
        more = {name: each for game in played() for name, each in game.about(table, person).items()}
        built = await self._ledger.builds.of(line.id, person)
        if built is not None:
            more["building"] = built
        return files.write_person_table(kept, more)

    async def _table(self, line: CampaignLine) -> Table:
        """The table of a campaign; a blank one if it is gone meanwhile."""
        entry = await self._ledger.newest(line.id)
        return entry.table if entry else Table()


def _key(person: int) -> str:
    return f"{FORGET}:{person}"


def _said(one: Whisper) -> PersonWhisper:
    """A whisper of theirs or to them, as it is written down."""
    return PersonWhisper(one.at, one.sender_name, one.reader_name, one.body)


def _told(step: LogStep, zone: str) -> PersonStep:
    """A step of theirs, as it is written down, by the clocks of its table."""
    at = None if step.at == UNKNOWN else local(step.at, zone)
    return PersonStep(step.number, at, step.author.name, spelled(summary(step.facts), zone))


def _own(character: Character, person: int) -> Character:
    """A character of theirs, without who else plays it, or whose it is."""
    fresh = character if character.player == person else replace(character, player=0, player_name="")
    return fresh if fresh.owner == person else replace(fresh, owner=0)


def _name(line: CampaignLine) -> Text:
    name = line.name or say("A table without a name")
    return say("{table} (deleted)", table=name) if line.deleted else name


def _card(lines: list[Text], *row: Button) -> Card:
    return Card(tuple(lines), (row,) if row else (), private=True, tone=Tone.CALM)
