"""One-Roll dice in what somebody writes: `I leap the wall (6d + 1wd)` means the pool `6d 1w`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rules.errors import RuleError
from rules.ore.roll import full, typed
from rules.prose import bracketed, plain
from rules.seats import Actor
from rules.table import Table

_SPECIAL = r"\d{0,2}\s?(?:hd|wd|h|w|hard dic?e|wiggle dic?e)(?!\w)|[ec]\d{1,2}(?!\w)"
_POOL = re.compile(
    rf"(?<!\w)(?P<count>\d{{1,2}})\s?d(?P<ten>10)?(?!\w)"
    rf"(?P<more>(?:[\s,+]+(?:and\s+)?(?:an?\s+)?(?:{_SPECIAL}))*)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Written:
    """The pool that a text means, as it would be typed; `is_sure` says that no other game has such dice."""

    dice: str
    is_sure: bool


def understood(table: Table, actor: Actor, text: str) -> Written | None:
    """What a text means to whoever reads it; None where it has no pool.

    What stands in brackets goes first: names of ratings may be in it as well. Of several pools the last one
    counts. What others wrote, and is quoted, is no part of it.
    """
    found = (each for each in _candidates(plain(text)) if _can_be_rolled(table, actor, each.dice))
    return next(found, None)


def _candidates(text: str) -> Iterator[Written]:
    for inside in bracketed(text):
        if "+" in inside:
            yield Written(inside, is_sure=False)
        yield from _pools(inside)
    yield from _pools(text)


def _pools(text: str) -> Iterator[Written]:
    """The pools of a text, the last one first; plain `6d10` is one of another game."""
    for found in reversed(list(_POOL.finditer(text))):
        special = [_spelt(one) for one in re.finditer(_SPECIAL, found["more"], re.IGNORECASE)]
        if special or not found["ten"]:
            yield Written(" ".join([f"{found['count']}d", *special]), is_sure=bool(special))


def _spelt(special: re.Match[str]) -> str:
    """A special die as it is typed: `1w`, `2h`, `e7`."""
    one = re.fullmatch(r"(\d*)\s?([hw]).*|([ec]\d+)", special[0].lower())
    assert one is not None
    return one[3] or f"{one[1] or 1}{one[2]}"


def _can_be_rolled(table: Table, actor: Actor, pool: str) -> bool:
    try:
        typed(table, actor, full, lambda sizes: [1] * len(sizes), pool)
    except RuleError:
        return False
    return True
