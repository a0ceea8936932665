"""How much of the files of other programs goes along with characters: every command at a table carries it."""

from rules.cortex.state.origin import LONGEST_FILE, MOST_TOGETHER
from rules.cortex.state.part import CORTEX
from rules.errors import NotAllowed
from rules.table import Character, Table


def require_short(character: Character) -> None:
    """Refuse a file that is too long to go along with its character: what cannot be seen is written out."""
    if (count := _length(character)) > LONGEST_FILE:
        raise NotAllowed(
            "{who}'s sheet would have {count:,} characters; the limit is {most:,}. Shorten it, then "
            "send the file again.",
            who=character.name,
            count=count,
            most=LONGEST_FILE,
        )


def require_room(table: Table, character: Character) -> None:
    """Refuse a file that a table cannot keep beside those that came before."""
    lengths = {each.name: _length(each) for each in table.characters.values()}
    if (coming := _length(character)) and (count := sum(lengths.values()) + coming) > MOST_TOGETHER:
        raise NotAllowed(
            "With {who}, the imported sheets would have {count:,} characters; the limit is {most:,}. "
            "To make room, remove {name}, whose sheet is the longest: /character remove",
            who=character.name,
            count=count,
            most=MOST_TOGETHER,
            name=max(lengths, key=lengths.__getitem__),
        )


def _length(character: Character) -> int:
    """So many letters and signs the file has that somebody came from."""
    origin = CORTEX.has(character).origin
    return len(origin.file) if origin is not None else 0
