"""Facts of One-Roll games in words."""

from collections.abc import Iterable, Mapping, Sequence

from bot.language import say, say_of
from bot.language.line import Text, together
from bot.render.ore import roll
from bot.render.parts import listed, roller
from bot.render.telling import Telling, always
from rules.facts import Fact
from rules.ore.model import OreChanged, OreClosed, OreFact, OreGobbled, OreRolled
from rules.table import Table
from rules.values import exhaustive


def _ore_closed(fact: OreClosed) -> Text:
    return say("A new round begins. One-Roll rolls closed: {names}", names=listed(map(roller, fact.who)))


def _ore_change(fact: OreChanged) -> Text:
    """What was changed of a One-Roll roll: `Alice: wiggle dice on 6 and 6`."""
    if fact.tens:
        return say("{who}: the 10 counts as {height}", who=roller(fact.roll.who), height=fact.tens)
    return say_of(
        len(fact.placed),
        "{who}: {name} die on {heights}",
        "{who}: {name} dice on {heights}",
        who=roller(fact.roll.who),
        name=roll.special(fact.roll.hands[0].pool.wiggle_name),
        heights=listed(map(str, fact.placed)),
    )


def _gobbled(fact: OreGobbled) -> Text:
    """A set that was spoiled: `Bob: 2×8 spoils 1 die of Alice: 2×6 is no set any more`."""
    line = say_of(
        fact.count,
        "{who}: {own} spoils {count} die of {whose}",
        "{who}: {own} spoils {count} dice of {whose}",
        who=roller(fact.roll.who),
        own=fact.own,
        whose=roll.whose(fact.prey, fact.hand),
    )
    if fact.after:
        return say("{line}: {spoiled} is now {after}", line=line, spoiled=fact.spoiled, after=fact.after)
    return say("{line}: {spoiled} is no longer a set", line=line, spoiled=fact.spoiled)


def _rolled_in_log(fact: OreRolled, of: Sequence[Fact], is_told: bool) -> Text:
    return roll.seen(fact.roll)


def _changed_in_log(fact: OreChanged, of: Sequence[Fact], is_told: bool) -> Text:
    return together(_ore_change(fact), "; ", roll.headline(fact.roll))


def _spoiled(table: Table, fact: OreGobbled) -> Iterable[int]:
    """Whoever lost dice hears of it, unless it was by their own."""
    return () if fact.prey.player == fact.roll.player else (fact.prey.player,)


WORDS: Mapping[type[Fact], Telling] = exhaustive(
    OreFact,
    {
        OreClosed: Telling(_ore_closed),
        OreRolled: Telling(None, in_log=_rolled_in_log),
        OreChanged: Telling(_ore_change, in_log=_changed_in_log),
        OreGobbled: Telling(_gobbled, is_news=always, people=_spoiled),
    },
)
"""How each kind is told."""
