"""One-Roll dice in what somebody writes: `I leap the wall (6d + 1wd)` means the pool `6d + 1wd`.

A stretch of text is found here, and read as a pool that is typed. Of several the last one counts, and the
others are said.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.errors import RuleError, Undecided
from rules.ore.roll import pool_of, ratings
from rules.ore.tokens import OreToken, Sort, normalized, tokens
from rules.prose import bracketed, plain
from rules.seats import Actor
from rules.table import Table
from rules.values import replace

_AGAINST = re.compile(r"(?<!\w)(?:vs?\.?|versus|against)(?!\w)", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,2}\s?d(?P<ten>10)?", re.IGNORECASE)
_SPECIAL = "(?:[+,]?&?S)"
_DICE = f"(?:D{_SPECIAL}*|T{_SPECIAL}+|N[DT]?{_SPECIAL}*)"
_STRETCH = re.compile(rf"{_DICE}(?:\+[CL]{{0,3}}{_DICE}|-[DT])*")
"""Dice and names that are one pool. T is `6d10`, also a die of other games; C begins with a capital."""
_LABEL = re.compile("C{1,3}$")


@dataclass(frozen=True, slots=True)
class OreWritten:
    """The pool that a text means, as it stands there, and what of it does not count.

    `is_sure` says that no other game has such dice.
    """

    dice: str
    is_sure: bool
    left: tuple[str, ...] = ()


def understood(table: Table, actor: Actor, text: str) -> OreWritten | None:
    """Return what a text means to whoever reads it; None where it has no pool.

    What stands in brackets goes first: names of ratings may be alone in it. What others wrote, and is
    quoted, is no part of it.
    """
    own, *theirs = _AGAINST.split(plain(text), maxsplit=1)
    left = tuple(each.dice for part in theirs for each in _pools(part, ()))
    try:
        names = [each.label for each in ratings(table, actor).values()]
    except RuleError:
        names = []
    pool = next((each for each in _candidates(own, names) if _can_be_rolled(table, actor, each.dice)), None)
    return replace(pool, left=(*pool.left, *left)) if pool else None


def _candidates(text: str, names: Sequence[str]) -> Iterator[OreWritten]:
    for inside in bracketed(text):
        sorts = _sorts(tokens(normalized(inside), names))
        if "+" in sorts or "N" in sorts:
            yield OreWritten(inside, is_sure="S" in sorts)
        yield from _pools(inside, names)[::-1]
    yield from _pools(text, names)[::-1]


def _pools(text: str, names: Sequence[str]) -> list[OreWritten]:
    """The pools of a text, each with all others as left out."""
    straight = normalized(text)
    found = tokens(straight, names)
    sorts = _sorts(found)
    pools = dict[str, bool]()
    for match in _STRETCH.finditer(sorts):
        if not set("DT+") & set(match[0]):
            continue  # a name alone may be any word
        has_labels = re.search(r"\+[CLN]", match[0])
        label = _LABEL.search(sorts[: match.start()]) if has_labels else None
        first = found[label.start() if label else match.start()]
        pools[" ".join(straight[first.start : found[match.end() - 1].end].split())] = "S" in match[0]
    return [OreWritten(each, sure, tuple(p for p in pools if p != each)) for each, sure in pools.items()]


def _sorts(found: Sequence[OreToken]) -> str:
    """A letter for each token, by what it can mean in prose."""
    return "".join(map(_sort, found))


def _sort(token: OreToken) -> str:
    if token.sort is Sort.DICE:
        number = _NUMBER.fullmatch(token.text)
        return "?" if number is None else "T" if number["ten"] else "D"
    if token.sort is Sort.WORD or token.is_loose:
        return "C" if token.text[0].isupper() else "L"
    return "?" if token.sort is Sort.COMMA and token.text != "," else token.sort


def _can_be_rolled(table: Table, actor: Actor, pool: str) -> bool:
    try:
        pool_of(table, actor, pool)
    except Undecided:
        return True  # it is asked when it is rolled
    except RuleError:
        return False
    return True
