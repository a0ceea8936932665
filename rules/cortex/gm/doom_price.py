"""What doom dice pay for, and whether they do (M4, M5)."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from rules.cortex.state.kinds import Target, Use
from rules.cortex.state.table import Hand, Roll
from rules.cortex.traits import gm_pools
from rules.dice import SIZES, held_words, write
from rules.errors import NotAllowed
from rules.result import Step
from rules.seats import Actor
from rules.table import Table
from rules.words import Words


@dataclass(frozen=True, slots=True)
class Spent:
    """What was said of dice that are spent: their sizes, what for, under which name, on whom."""

    sizes: tuple[int, ...]
    use: Use
    label: str
    on: str | None

    @property
    def largest(self) -> int:
        """The size of the largest of them."""
        return max(self.sizes)


_ANY_DIE = Words("one die of any size")


@dataclass(frozen=True, slots=True)
class DoomUse:
    """What doom dice can be spent for: what it costs, what goes with it, and what it does."""

    buys: Words
    """What the price buys, in words."""
    does: Callable[[Table, Actor, Spent], Step] | None = None
    """What it does for the scene (M5); none where it does something for a roll."""
    betters: Callable[[Roll, Hand], Hand] | None = None
    """What it does to the dice of the GM in a roll, where the die that pays does not join them (M4)."""
    price: Words = _ANY_DIE
    """The price in words."""
    least: int = SIZES[0]
    """The least size of a die that pays."""
    count: int = 1
    """So many dice pay."""
    is_sized: bool = False
    """It makes a trait of the size of the die that pays (M5)."""
    is_named: bool = False
    """What it makes needs a name (M5)."""
    price_of: Callable[[Table, str, Collection[str]], int] | None = None
    """The size that what is named costs, where that is its own (M5)."""
    concerns_all: bool = False
    """Whoever is named is not whom it concerns alone: keeping the dice pays everybody (M6)."""

    @property
    def is_on_roll(self) -> bool:
        """It does something for a roll, which tells it itself (M4)."""
        return self.does is None


def check_price(use: Use, price: DoomUse, sizes: tuple[int, ...]) -> None:
    """Refuse dice that do not pay for that use (M4, M5)."""
    fits = len(sizes) == price.count and min(sizes) >= price.least
    if not fits:
        raise NotAllowed(
            "{sizes} doesn't pay for {use}: the price is {price}.",
            sizes=write(sizes),
            use=use,
            price=price.price,
        )


def smallest(
    table: Table, use: Use, price: DoomUse, purse: Target, label: str, agreed: Collection[str] = ()
) -> tuple[int, ...]:
    """The smallest dice in the pool that pay for that use."""
    if price.count > 1:
        return (price.least,) * price.count
    least = price.least
    if price.price_of is not None and label:
        least = max(least, price.price_of(table, label, agreed))
    fits = [size for size in gm_pools.dice(table, purse) if size >= least]
    if not fits:
        raise NotAllowed(
            "You can't afford {use}: it costs {price}. {pool}: {held}",
            use=use,
            price=price.price,
            pool=gm_pools.titled(table, purse),
            held=held_words(gm_pools.dice(table, purse)),
        )
    return (fits[0],)


def check_price_of(table: Table, purse: Target, least: int, size: int) -> None:
    """A GMC costs a die as large as its highest trait, the next larger where there is none (M5)."""
    if not least:
        return
    fits = [each for each in gm_pools.dice(table, purse) if each >= least]
    if not fits or size != fits[0]:
        if not fits:
            raise NotAllowed(
                "The highest trait is d{least}, so the price is d{least} or more. {pool}: {held}",
                least=least,
                pool=gm_pools.titled(table, purse),
                held=held_words(gm_pools.dice(table, purse)),
            )
        raise NotAllowed(
            "The highest trait is d{least}, so the price is d{price}. Example: dice:d{price}",
            least=least,
            price=fits[0],
        )
