"""The picture of a character, with the words for it."""

import re

from bot.language import say
from bot.render.card import Portrait
from rules.table import Character

_ADDRESS = re.compile(r"https://[^\s/]+\.[^\s/]+/\S{1,1900}")


def portrait_of(character: Character) -> Portrait | None:
    """The picture of a character: uploaded, or at an address that Discord takes."""
    if character.picture:
        alt = character.picture_alt or say("Portrait of {who}", who=character.name)
        return Portrait(f"attachment://{Portrait.named(character.picture)}", alt, character.picture)
    if not _ADDRESS.fullmatch(character.portrait):
        return None
    return Portrait(character.portrait, say("Portrait of {who}", who=character.name))
