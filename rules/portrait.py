"""Portraits that somebody uploads for a character; where they are kept is none of the rules' business."""

import re

from rules.errors import NotAllowed, Unreadable
from rules.facts import PortraitChanged
from rules.names import clean
from rules.result import Step
from rules.seats import Actor, owner_of, require_character
from rules.table import Character, Table
from rules.values import replace
from rules.words import Words

LONGEST_ALT = 300
"""What a portrait shows is told in at most this many characters."""
DIGEST = re.compile("[0-9a-f]{32}")
"""What a portrait is known by."""
_LINK = re.compile(r"https?://[^\s<>]{3,400}")


def link(typed: str) -> str:
    """The address of a picture as typed, or none. Raises Unreadable."""
    address = typed.strip()
    if address and not _LINK.fullmatch(address):
        raise Unreadable("a portrait needs a link. Example: Portrait: https://example.org/alice.png")
    return address


def change(
    table: Table, actor: Actor, who: str | None = None, picture: str = "", alt: str | None = None
) -> Step:
    """A character has that portrait, told in words by `alt`; without a picture it has none any more.

    Raises NotAllowed for whoever is neither its player nor the GM, and where there is none to take away.
    """
    character = whose(table, actor, who)
    told = clean(alt, Words("description"), LONGEST_ALT) if alt and alt.strip() else ""
    if not picture and not character.picture:
        raise NotAllowed(
            "{who} has no uploaded portrait. Attach a picture, or change the link on the sheet: "
            "/character edit",
            who=character.name,
        )
    fresh = replace(character, picture=picture, picture_alt=told if picture else "")
    key = next(k for k, each in table.characters.items() if each is character)
    return Step(table.with_owner(key, fresh), (PortraitChanged(character.name, is_gone=not picture),))


def whose(table: Table, actor: Actor, who: str | None = None) -> Character:
    """The character whose portrait somebody may change. Raises NotAllowed, Unknown or Ambiguous."""
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    require_character(table, actor, character, Words("change the portrait"))
    return character
