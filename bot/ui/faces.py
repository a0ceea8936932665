"""The faces of dice as emojis of the bot's own, brought to Discord where they are missing.

Whatever Discord does not have, or refuses, stays words: `markup` lacks it. That an emoji is of another
picture than the one drawn now cannot be seen from outside, so a note keeps what each was made of; one without
a note is taken for the picture of now. Another picture comes under the same name, which is read aloud; the
old emoji stays under another name, so that old messages keep their pictures: a message holds the emoji's id.
"""

import asyncio
import hashlib
import json
from itertools import count
from typing import Any, cast

import discord
import structlog
from discord import Interaction

from bot.pictures.faces import FACES, name, picture
from bot.render.card import Card
from bot.side_lane import aside
from bot.store.ledger import Ledger
from rules.values import replace

log = structlog.get_logger(__name__)

PACE = 1.0
"""Seconds between two uploads; Discord has limits of its own for them, which it does not tell."""
PAUSES = (60.0, 600.0, 3600.0)
"""Seconds after which what failed is tried again."""


class DieEmojis:
    """What stands for the faces of dice in a text."""

    def __init__(self, client: discord.Client, ledger: Ledger) -> None:
        self._client = client
        self._ledger = ledger
        self.markup: dict[tuple[int, int], str] = {}
        """Faces by size and face as they are written in a message, `<:d10_7:…>`."""
        self._noted: str | None = None
        self._uploading: asyncio.Task[None] | None = None
        self.pace = PACE

    def begin(self) -> None:
        """Bring to Discord what is missing there, slowly and beside everything else."""
        self._uploading = asyncio.get_running_loop().create_task(self._upload())

    async def stop(self) -> None:
        """Bring nothing more."""
        if self._uploading is not None:
            self._uploading.cancel()
            await asyncio.wait({self._uploading})

    async def look(self) -> None:
        """Learn which faces another process has brought, where that has changed."""
        noted = await self._ledger.notes.read(self._key)
        if noted is None or noted == self._noted:
            return
        there = {emoji.name: emoji for emoji in await self._client.fetch_application_emojis()}
        brought = json.loads(noted).keys() & there.keys()
        self.markup = {each: str(there[name(*each)]) for each in FACES if name(*each) in brought}
        self._noted = noted

    @property
    def _key(self) -> str:
        """Where it is noted what each face was made of."""
        return f"faces:{self._client.application_id}"

    async def _upload(self) -> None:
        # Later than all that people wait for: until then words do.
        await self._client.wait_until_ready()
        for pause in (0.0, *PAUSES):
            await self._ledger.clock.sleep(pause)
            try:
                await self._bring()
                return
            except Exception as error:  # words stand for what is missing
                if not pause:
                    log.warning("dice without a picture stay words", reason=repr(error))

    async def _bring(self) -> None:
        """Upload the faces that Discord lacks, or has as they were drawn before."""
        key = self._key
        digests = await aside(0, _digests)
        noted: dict[str, str] = json.loads(await self._ledger.notes.read(key) or "{}")
        there = {emoji.name: emoji for emoji in await self._client.fetch_application_emojis()}
        self.markup = {each: str(there[name(*each)]) for each in FACES if name(*each) in there}
        now = {label: noted.get(label, digests[label]) for label in (name(*each) for each in self.markup)}
        if now != noted:
            await self._ledger.notes.keep(key, json.dumps(now))
        for each in FACES:
            label = name(*each)
            if now.get(label) == digests[label]:
                continue
            if self.markup.pop(each, None):
                # Discord changes no emoji's picture; words stand for it until the new one is there.
                former = next(old for n in count(1) if (old := f"{label}_old{n}") not in there)
                there[former] = await there[label].edit(name=former)
            made = await self._client.create_application_emoji(name=label, image=picture(*each))
            self.markup[each] = str(made)
            now[label] = digests[label]
            # After each, so that a bot which is stopped goes on from here.
            await self._ledger.notes.keep(key, json.dumps(now))
            await self._ledger.clock.sleep(self.pace)


def drawn(it: Interaction[Any], card: Card) -> Card:
    """A card whose dice are pictures, where its table wants them and Discord has them."""
    return card if card.is_in_words else replace(card, faces=faces_of(it).markup)


def faces_of(it: Interaction[Any]) -> DieEmojis:
    """The faces that the client has."""
    return cast("DieEmojis", it.client.faces)


def _digests() -> dict[str, str]:
    """What tells the pictures of all faces from other ones, by name."""
    return {name(*each): hashlib.sha256(picture(*each)).hexdigest()[:16] for each in FACES}
