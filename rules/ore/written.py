"""One-Roll dice in what somebody writes: `I leap the wall (6d + 1wd)` means the pool `6d 1w`.

Of several pools the last one counts, and the others are said.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rules.errors import RuleError
from rules.ore.roll import full, typed
from rules.prose import bracketed, plain
from rules.seats import Actor
from rules.table import Table
from rules.values import replace

_SPECIAL = r"\d{0,2}\s?(?:hd|wd|h|w|hard dic?e|wiggle dic?e)(?!\w)|[ec]\d{1,2}(?!\w)"
_MORE = rf"(?:[\s,+]+(?:and\s+)?(?:an?\s+)?(?:{_SPECIAL}))*"
_POOL = re.compile(
    rf"(?<!\w)(?P<count>\d{{1,2}})\s?d(?P<ten>10)?(?!\w)(?P<more>{_MORE})",
    re.IGNORECASE,
)
_ONE = rf"(?<!\w)\d{{1,2}}\s?d(?:10)?(?!\w){_MORE}"
_AGAINST = re.compile(r"(?<!\w)(?:vs?\.?|versus|against)(?!\w)", re.IGNORECASE)
_SUM = re.compile(rf"{_ONE}(?:\s*\+\s*{_ONE})*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OreWritten:
    """The pool that a text means, as it would be typed, and what of it does not count.

    `is_sure` says that no other game has such dice.
    """

    dice: str
    is_sure: bool
    left: tuple[str, ...] = ()


def understood(table: Table, actor: Actor, text: str) -> OreWritten | None:
    """What a text means to whoever reads it; None where it has no pool.

    What stands in brackets goes first: names of ratings may be in it as well. What others wrote, and is
    quoted, is no part of it.
    """
    own, *theirs = _AGAINST.split(plain(text), maxsplit=1)
    left = tuple(" ".join(one[0].split()) for part in theirs for one in _POOL.finditer(part))
    found = (each for each in _candidates(own) if _can_be_rolled(table, actor, each.dice))
    pool = next(found, None)
    return replace(pool, left=(*pool.left, *left)) if pool else None


def _candidates(text: str) -> Iterator[OreWritten]:
    for inside in bracketed(text):
        if "+" in inside:
            yield OreWritten(inside, is_sure=False)
        yield from _pools(inside)
    yield from _pools(text)


def _pools(text: str) -> Iterator[OreWritten]:
    """The pools of a text, the last one first; plain `6d10` is one of another game."""
    sums = [list(_POOL.finditer(each[0])) for each in _SUM.finditer(text)]
    read = [[_spelt_pool(one) for one in pools] for pools in sums if _is_of_ours(pools)]
    for place, pools in reversed(list(enumerate(read))):
        left = tuple(" + ".join(others) for others in (*read[:place], *read[place + 1 :]))
        yield OreWritten(" + ".join(pools), is_sure=any(" " in pool for pool in pools), left=left)


def _is_of_ours(pools: Iterable[re.Match[str]]) -> bool:
    return all(pool["more"] or not pool["ten"] for pool in pools)


def _spelt_pool(pool: re.Match[str]) -> str:
    """A pool as it is typed: `6d 1w`."""
    special = (_spelt(one) for one in re.finditer(_SPECIAL, pool["more"], re.IGNORECASE))
    return " ".join([f"{pool['count']}d", *special])


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
