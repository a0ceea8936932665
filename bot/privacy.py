"""What is kept about a person: shown, exported, deleted."""

from dataclasses import replace

from bot.play import Asked, Play
from bot.render import privacy
from bot.render.card import Button, Card, Document, Tone
from bot.store import files
from bot.store.files import PersonTable
from bot.store.history import Entry
from rules.cortex.table import Character


class Privacy:
    """Looks after what is kept about whoever asks, wherever they have played."""

    def __init__(self, play: Play) -> None:
        self._play = play

    async def show(self, asked: Asked) -> Card:
        """What is kept about them, in words."""
        return _card(privacy.kept_lines(await self._tables(asked), asked.actor.id))

    async def export(self, asked: Asked) -> Card:
        """What is kept about them, as a file."""
        data = files.write_person(asked.actor.id, await self._tables(asked))
        lines = ("What is kept about you as a file.",)
        return Card(lines, private=True, document=Document("my-data.json", data))

    async def ask(self, asked: Asked) -> Card:
        """The question whether it shall be deleted."""
        entries = await self._entries(asked)
        if not entries:
            return _card([privacy.NOTHING])
        alone = [_name(each) for each in entries if set(each.table.gms) == {asked.actor.id}]
        lines = privacy.question_lines([_name(each) for each in entries], alone)
        return _card(lines, Button("Delete for ever", "forgetme", tone=Tone.DANGER))

    async def delete(self, asked: Asked) -> Card:
        """All of it is gone, wherever they have played, also where they have begun to meanwhile."""
        gone: set[int] = set()
        self._play.forgotten += 1
        while more := [one for one in await self._play.ledger.of_person(asked.actor.id) if one not in gone]:
            for campaign in more:
                await self._play.ledger.forget(campaign, asked.actor.id)
                self._play.changed(campaign)
            gone |= set(more)
        self._play.forgotten += 1
        return _card([privacy.deleted_line(len(gone)) if gone else privacy.NOTHING])

    async def _tables(self, asked: Asked) -> list[PersonTable]:
        """What each table that knows them keeps about them."""
        return [await self._kept(entry, asked.actor.id) for entry in await self._entries(asked)]

    async def _entries(self, asked: Asked) -> list[Entry]:
        """The tables that know them, as they are."""
        known = await self._play.ledger.of_person(asked.actor.id)
        entries = [await self._play.ledger.newest(campaign) for campaign in known]
        return [entry for entry in entries if entry is not None]

    async def _kept(self, entry: Entry, person: int) -> PersonTable:
        """What one table keeps."""
        table = entry.table
        own = [each for each in table.characters.values() if person in (each.player, each.owner)]
        return PersonTable(
            _name(entry),
            person in table.gms,
            tuple(_own(each, person) for each in own),
            tuple(roll for roll in table.rolls.values() if roll.player == person),
            tuple(roll for roll in table.ore.values() if roll.player == person),
            table.last_pools.get(person, ()),
            await self._play.ledger.build(entry.campaign, person),
            tuple(await self._play.ledger.steps_by(entry.campaign, person)),
        )


def _own(character: Character, person: int) -> Character:
    """A character of theirs, without who else plays it, or whose it is."""
    fresh = character if character.player == person else replace(character, player=0, player_name="")
    return fresh if fresh.owner == person else replace(fresh, owner=0)


def _name(entry: Entry) -> str:
    name = entry.table.name or "A table without a name"
    return f"{name} (deleted)" if entry.deleted else name


def _card(lines: list[str], *row: Button) -> Card:
    return Card(tuple(lines), (row,) if row else (), private=True)
