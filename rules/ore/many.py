"""Several actions of one character, and crowds: many pools in one go (O4, O5)."""

from collections.abc import Collection, Mapping, Sequence

from rules.dice import Throw
from rules.errors import NotAllowed
from rules.ore import throws
from rules.ore.notation import read, read_crowd
from rules.ore.part import Rating
from rules.ore.pool import MOST, OrePool
from rules.ore.roll import made, ratings
from rules.ore.sets import OreHand, OreKind, wide
from rules.result import Step
from rules.seats import Actor
from rules.table import Table
from rules.values import replace

MOST_POOLS = 50
"""A crowd has at most this many pools."""
LONGEST = 1000
"""Longer text is no crowd."""


def actions(
    table: Table,
    actor: Actor,
    throw: Throw,
    dice: Sequence[str],
    who: str | None = None,
    note: str | None = None,
) -> Step:
    """Several actions at once, each pool as typed: the smallest less 1d is rolled for each in turn (O4)."""
    known = ratings(table, actor, who)
    pools = [read(text, known, actor.agreed) for text in dice]
    if len(pools) < 2:
        raise NotAllowed("Each action needs a pool. Example: /ore actions dice:8d second:6d")
    return made(table, actor, OreKind.ACTIONS, lambda: in_turn(pools, throw), who, note)


def in_turn(pools: Sequence[OrePool], throw: Throw) -> tuple[OreHand, ...]:
    """The quick roll of each action: the width of each set leaves the dice for the next (O4).

    Special dice are no part of the normal ones (O3): each action has those of its own, used up by none. The
    die that is taken off is one over the most, where there are such.
    """
    least = min(pool.dice + pool.over for pool in pools) - 1
    left, over = min(MOST, least), max(0, least - MOST)
    hands: list[OreHand] = []
    for each in pools:
        pool = replace(each, dice=max(left, 0), called=each.called if left > 0 else 0, over=over)
        hands.append(throws.fast(_without_lone(pool), throw))
        left -= wide(hands[-1])
    return tuple(hands)


def _without_lone(pool: OrePool) -> OrePool:
    """A pool without its only wiggle die, where no other die is left for it to join (O3)."""
    is_lone = pool.wiggle == 1 and not (pool.dice or pool.hard or pool.expert)
    return replace(pool, wiggle=0) if is_lone else pool


def crowd(
    table: Table, actor: Actor, throw: Throw, dice: str, count: int = 1, note: str | None = None
) -> Step:
    """Many pools in one go, those between commas so many times each (O5)."""
    pools = pools_of(dice, count, ratings(table, actor), actor.agreed)
    return made(table, actor, OreKind.CROWD, lambda: throws.crowd(pools, throw), None, note)


def pools_of(
    dice: str,
    count: int = 1,
    known: Mapping[str, Rating] | None = None,
    decided: Collection[str] = (),
) -> list[OrePool]:
    """The pools of a crowd: `4d, 6d` three times are six. Raises NotAllowed for none or too many."""
    if not 1 <= count <= MOST_POOLS:
        raise NotAllowed(
            "A crowd can have 1 to {most_pools} pools, not {count}.",
            most_pools=MOST_POOLS,
            count=count,
        )
    if not dice.strip(" ,;\n"):
        raise NotAllowed("A crowd needs pools. Example: /ore crowd dice:4d count:12")
    pools = read_crowd(dice, known, decided) if len(dice) <= LONGEST else []
    if not pools or len(pools) * count > MOST_POOLS:
        raise NotAllowed(
            "That's too many pools; a crowd can have at most {most_pools}.",
            most_pools=MOST_POOLS,
        )
    return [pool for pool in pools for _ in range(count)]
