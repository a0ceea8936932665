"""What is kept about a person: shown, exported, deleted."""

import asyncio
from base64 import b64encode
from dataclasses import replace

from bot.language import say
from bot.play import Asked, Play
from bot.render import privacy
from bot.render.card import Button, Card, Document, Tone, Weight, spelled
from bot.render.facts import summary
from bot.render.privacy import Seen
from bot.store import files
from bot.store.files import PersonStep, PersonTable, PersonWhisper
from bot.store.history import LogStep
from bot.store.ledger import Ledger
from bot.store.reader import CampaignLine
from bot.store.schema import UNKNOWN
from bot.store.whispers import Whisper
from bot.use.post import key_of, rest_of, set_rest
from rules.rest import Rest
from rules.table import Character, Table


class Privacy:
    """Looks after what is kept about whoever asks, wherever they have played."""

    def __init__(self, play: Play, ledger: Ledger, retention: int | None = None) -> None:
        """`retention` are the days until a server's tables go that the bot has left; None is never."""
        self._play = play
        self._ledger = ledger
        self._retention = retention

    async def show(self, asked: Asked) -> Card:
        """What is kept about them, in words."""
        known = await self._ledger.of_person(asked.actor.id)
        seen = [await self._seen(line, asked.actor.id) for line in known[-privacy.SHOWN :]]
        whispers = len(await self._ledger.whispers.of(asked.actor.id))
        rest = await rest_of(self._ledger, asked.actor.id)
        lines = privacy.kept_lines(seen, len(known), self._retention, whispers)
        return _card([*privacy.rest_lines(rest), *lines])

    async def export(self, asked: Asked) -> Card:
        """What is kept about them, as a file."""
        known = await self._ledger.of_person(asked.actor.id)
        parts = [await self._written(line, asked.actor.id) for line in known]
        whispers = await self._ledger.whispers.of(asked.actor.id)
        rest = await rest_of(self._ledger, asked.actor.id)
        data = files.write_person(asked.actor.id, parts, rest, map(_said, whispers))
        lines = (say("What is kept about you as a file."),)
        return Card(lines, private=True, document=Document("my-data.json", data))

    async def ask(self, asked: Asked) -> Card:
        """The question whether it shall be deleted."""
        known = await self._ledger.of_person(asked.actor.id)
        whispers = len(await self._ledger.whispers.of(asked.actor.id))
        is_rested = await rest_of(self._ledger, asked.actor.id) != Rest()
        if not (known or whispers or is_rested):
            return _card([say(privacy.NOTHING)])
        led = set(await self._ledger.led_alone_by(asked.actor.id))
        alone = [_name(line) for line in known if line.id in led]
        lines = privacy.question_lines([_name(line) for line in known], alone, whispers)
        return _card(lines, Button(say("Delete for ever"), "forgetme", weight=Weight.DANGER))

    async def delete(self, asked: Asked) -> Card:
        """All of it is gone, wherever they have played, also where they have begun to meanwhile."""
        gone: set[int] = set()
        whispers = await self._ledger.whispers.of(asked.actor.id)
        await self._ledger.whispers.forget(asked.actor.id)
        await self._ledger.waiting.forget(asked.actor.id)
        rested = await rest_of(self._ledger, asked.actor.id) != Rest()
        await set_rest(self._ledger, asked.actor.id, Rest())
        while more := await self._left(asked.actor.id, gone):
            for campaign in more:
                await self._ledger.forget(campaign, asked.actor.id)
                await self._ledger.jobs.drop(key_of(campaign, asked.actor.id))
                self._play.changed(campaign)
            gone |= set(more)
        await self._ledger.waiting.forget(asked.actor.id)
        await self._ledger.clear_traces()
        if whispers and not gone:
            return _card([privacy.deleted_whispers_line()])
        return _card([privacy.deleted_line(len(gone)) if gone or rested else say(privacy.NOTHING)])

    async def _left(self, person: int, gone: set[int]) -> list[int]:
        """The campaigns that know them, but for some."""
        return [line.id for line in await self._ledger.of_person(person) if line.id not in gone]

    async def _seen(self, line: CampaignLine, person: int) -> Seen:
        """What one table keeps, as far as it is shown."""
        table = await self._table(line)
        played = [each.name for each in table.characters.values() if each.player == person]
        owned = [each.name for each in table.characters.values() if each.owner == person != each.player]
        steps = await self._ledger.names_of(line.id, person)
        return Seen(_name(line), person in table.gms, played, owned, steps)

    async def _written(self, line: CampaignLine, person: int) -> bytes:
        """What one table keeps, as it is written down; others are served before."""
        await asyncio.sleep(0)
        table = await self._table(line)
        own = [each for each in table.characters.values() if person in (each.player, each.owner)]
        kept = PersonTable(
            _name(line),
            person in table.gms,
            tuple(_own(each, person) for each in own),
            tuple(r for r in (*table.rolls.values(), *table.hidden.values()) if r.player == person),
            tuple(roll for roll in table.ore.values() if roll.player == person),
            table.last_pools.get(person, ()),
            await self._ledger.build(line.id, person),
            tuple(map(_told, await self._ledger.steps_by(line.id, person))),
            {n: b64encode(d).decode() for n, d in (await self._ledger.portraits.by(line.id, person)).items()},
        )
        return files.write_person_table(kept)

    async def _table(self, line: CampaignLine) -> Table:
        """The table of a campaign; a blank one if it is gone meanwhile."""
        entry = await self._ledger.newest(line.id)
        return entry.table if entry else Table()


def _said(one: Whisper) -> PersonWhisper:
    """A whisper of theirs or to them, as it is written down."""
    return PersonWhisper(one.at, one.sender_name, one.reader_name, one.body)


def _told(step: LogStep) -> PersonStep:
    """A step of theirs, as it is written down."""
    at = None if step.at == UNKNOWN else step.at
    return PersonStep(step.number, at, step.author.name, spelled(summary(step.facts)))


def _own(character: Character, person: int) -> Character:
    """A character of theirs, without who else plays it, or whose it is."""
    fresh = character if character.player == person else replace(character, player=0, player_name="")
    return fresh if fresh.owner == person else replace(fresh, owner=0)


def _name(line: CampaignLine) -> str:
    name = line.name or say("A table without a name")
    return say("{table} (deleted)", table=name) if line.deleted else name


def _card(lines: list[str], *row: Button) -> Card:
    return Card(tuple(lines), (row,) if row else (), private=True, tone=Tone.CALM)
