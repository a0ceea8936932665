"""Say texts without the names of somebody who is forgotten."""

import json
import re
from dataclasses import dataclass
from typing import Any, assert_never

from rules.names import SOMEBODY, Says, key

DELETED = "[deleted]"
"""Stands for a note that somebody typed who is forgotten."""


_STANDS = (
    ("It is the turn of ", r" \("),
    ("The sheet of ", " is changed"),
    ("acts against ", ", who"),
    (r"gives in\. ", " wins"),
    ("the contest of ", " and "),
    (" and ", ", in which "),
    (", in which ", " is to answer"),
)
"""Between which words of the log only somebody's name can stand."""


_TYPED = re.compile(r"(Why: |(?:PP|XP) \([+-][0-9]+, )([^;)\n]*)")
"""Where in an old line of the log stands what somebody typed."""


_CLOSED = re.compile(r"(?<=Closed are the rolls of )[^;.\n]*")


@dataclass(frozen=True, slots=True)
class Erasure:
    """Somebody who is forgotten: their Discord id, and all names they go by.

    Of the `names` those that are `left` are no character's, and those that are `shared` mean something else
    at the table too.
    """

    person: int
    names: frozenset[str]
    left: frozenset[str]
    shared: frozenset[str] = frozenset()
    steps: frozenset[int] = frozenset()
    """The numbers of the steps that they made."""
    is_author: bool = False
    """Whether the texts are of a step that they made, so that the notes in them are theirs."""

    def person_in(self, text: str) -> str:
        """The name of a person, or Somebody: a person goes by all of the names."""
        return SOMEBODY if key(text) in set(map(key, self.names)) else text

    def name_in(self, text: str) -> str:
        """The name of somebody at the table, or Somebody."""
        return SOMEBODY if self.is_left(text) else text

    def is_left(self, text: str) -> bool:
        """Whether a name is theirs, and no character's."""
        return key(text) in set(map(key, self.left))

    def note(self, text: str) -> str:
        """What somebody typed, without the names."""
        return reworded(text, self.names - self.shared)

    def own_note(self, text: str, player: int) -> str:
        """What was typed for a roll; DELETED where it is their own."""
        return DELETED if text and player == self.person else text

    def reworded(self, says: Says, text: str) -> str:
        """A text of that sort without the names."""
        match says:
            case Says.PERSON:
                return self.person_in(text)
            case Says.NAME:
                return self.name_in(text)
            case Says.NOTE:
                return DELETED if text and self.is_author else self.note(text)
            case Says.LABEL:
                return text
            case _:
                assert_never(says)

    def line(self, text: str) -> str:
        """A line of the log without the names; one that is a character's goes only from who plays."""
        for name in self.names - self.left:
            text = forgotten_player(text, name)
        return forgotten_line(text, self.left, self.shared)


def forgotten_line(line: str, names: frozenset[str], shared: frozenset[str] = frozenset()) -> str:
    """A line of the log without a person's names; one that is `shared` goes only where a person stands.

    One in small letters could be a word of the line itself: it goes there too, and from what was typed.
    """
    line = _TYPED.sub(lambda found: found[1] + reworded(found[2], names - shared), line)
    shared |= frozenset(name for name in names if name.islower())
    line = reworded(line, names - shared)
    for name in sorted(shared & names, key=len, reverse=True):
        word = re.escape(name)
        begins = rf"(^|; |\n|: ){word}(?=: | · | is | wins | stays | gives | uses | names | and )"
        line = re.sub(begins, rf"\g<1>{SOMEBODY}", forgotten_player(line, name))
        for before, behind in _STANDS:
            line = re.sub(rf"(?<={before}){word}(?={behind})", SOMEBODY, line)
        closed = _CLOSED.search(line)
        if closed:
            line = line.replace(closed[0], reworded(closed[0], frozenset({name})))
    return line


def forgotten_player(line: str, name: str) -> str:
    """A line of the log in which nobody of that name plays anybody, or is GM; a character keeps it."""
    word = re.escape(name)
    line = re.sub(rf"(?<=played by ){word}(?!\w)", SOMEBODY, line)
    return re.sub(rf"(?<!\w){word}(?= is (?:no longer )?GM\b)", SOMEBODY, line)


def reworded(text: str, names: frozenset[str]) -> str:
    """A text that says somebody wherever one of the names stands as a word."""
    # The longest first, or a part of a name would be left of the other.
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", SOMEBODY, text)
    return text


def unread(kept: str, person: int, names: frozenset[str]) -> str:
    """What cannot be read, as JSON, without a person: nobody knows where in it they stand, so everywhere."""
    before = json.loads(kept)
    said = [rf"(?<!\d){person}(?!\d)", *(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names)]
    said.sort(key=len, reverse=True)

    def leave(part: Any) -> Any:
        if isinstance(part, str):
            return re.sub("|".join(said), SOMEBODY, part, flags=re.IGNORECASE)
        if isinstance(part, dict):
            return {leave(name): leave(each) for name, each in part.items()}
        if isinstance(part, list):
            return [leave(each) for each in part]
        return 0 if not isinstance(part, bool) and part == person else part

    after = leave(before)
    return kept if after == before else json.dumps(after)
