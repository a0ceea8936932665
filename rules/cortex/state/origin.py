"""What a character has of the file of another program that they came from.

A character of ours has no place for all that such a file says: tags, layout, a description in HTML. So the
file goes along as it was read, without the picture and without what is empty, and an export begins with it
and changes in it what has changed here. It is one text with its character: so undo, files, renaming and
removing need know nothing of it, and a step that changes the character keeps it once more, compressed.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from rules.dice import SIZES
from rules.leaving import Leaving
from rules.limits import Limit, Size
from rules.names import spelt
from rules.texts import Note
from rules.values import replace

LONGEST_FILE = 1_000_000
"""A file that goes along has at most this many characters."""

MOST_TOGETHER = 2_000_000
"""The files at a table have so many together: every command there carries them."""


@dataclass(frozen=True, slots=True)
class Aside:
    """What a sheet of another program says beside its traits: something without a die, or a remark."""

    set: Note
    label: Note
    note: Note = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """The file that a character came from, as JSON; what each of its trait sets was taken as; the sizes then.

    `taken` is empty where it goes by the set itself.
    """

    file: Annotated[str, Limit(has_lines=True, longest=LONGEST_FILE)]
    taken: tuple[str, ...] = ()
    sizes: tuple[Size, ...] = SIZES


def packed(form: Any) -> str:
    """A file as one line, in which no character is one that cannot be seen."""
    return spelt(json.dumps(form, ensure_ascii=False, separators=(",", ":")))


def forgotten_origin(origin: Origin, who: Leaving) -> Origin:
    """The file without somebody's names, wherever in it they stand."""
    form = json.loads(origin.file)
    fresh = each_text(form, who.note)
    return origin if fresh == form else replace(origin, file=packed(fresh))


def each_text(part: Any, say: Callable[[str], str]) -> Any:
    """A part of a file with each of its texts said otherwise; the names of its members stay."""
    if isinstance(part, str):
        return say(part)
    if isinstance(part, dict):
        return {name: each_text(each, say) for name, each in part.items()}
    return [each_text(each, say) for each in part] if isinstance(part, list) else part
