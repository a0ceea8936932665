"""What is kept about a person: shown, exported, deleted."""

from bot.play import Asked, Play
from bot.render import privacy
from bot.render.card import Button, Card, Document, Tone
from bot.store import files
from bot.store.files import PersonTable


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
        tables = await self._tables(asked)
        if not tables:
            return _card([privacy.NOTHING])
        return _card(
            privacy.question_lines(tables, await self._alone(asked)),
            Button("Delete for ever", "forgetme", tone=Tone.DANGER),
        )

    async def delete(self, asked: Asked) -> Card:
        """All of it is gone, wherever they have played; what is done meanwhile is looked for once more."""
        gone: set[int] = set()
        while more := [one for one in await self._play.ledger.of_person(asked.actor.id) if one not in gone]:
            for campaign in more:
                await self._play.ledger.forget(campaign, asked.actor.id)
                self._play.changed(campaign)
            gone |= set(more)
        return _card([privacy.deleted_line(len(gone)) if gone else privacy.NOTHING])

    async def _tables(self, asked: Asked) -> list[PersonTable]:
        """What each table that knows them keeps about them."""
        found = []
        for campaign in await self._play.ledger.of_person(asked.actor.id):
            entry = await self._play.ledger.newest(campaign)
            if entry is not None:
                steps = await self._play.ledger.steps_by(campaign, asked.actor.id)
                people = entry.table.characters.values()
                theirs = tuple(each for each in people if asked.actor.id in (each.player, each.owner))
                pools = entry.table.last_pools.get(asked.actor.id, ())
                is_gm = asked.actor.id in entry.table.gms
                name = entry.table.name or "A table without a name"
                building = await self._play.ledger.build(campaign, asked.actor.id)
                found.append(PersonTable(name, is_gm, theirs, pools, building, tuple(steps)))
        return found

    async def _alone(self, asked: Asked) -> list[str]:
        """The tables that have no other GM."""
        known = await self._play.ledger.of_person(asked.actor.id)
        entries = [await self._play.ledger.newest(campaign) for campaign in known]
        return [entry.table.name for entry in entries if entry and set(entry.table.gms) == {asked.actor.id}]


def _card(lines: list[str], *row: Button) -> Card:
    return Card(tuple(lines), (row,) if row else (), private=True)
