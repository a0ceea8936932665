"""The kinds of pools that the GM has: where each is kept, what it is called, who may touch it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from rules.cortex.state import turn
from rules.cortex.state.causes import Ending
from rules.cortex.state.kinds import Foe, Target
from rules.cortex.state.part import CORTEX
from rules.cortex.state.table import Challenge, Crisis
from rules.cortex.traits import exchange
from rules.dice import SIZES
from rules.every import every
from rules.table import Character, Table
from rules.values import replace
from rules.words import Words, later

_T = TypeVar("_T")

DOOM = Target(Foe.DOOM)


@dataclass(frozen=True, slots=True)
class FoeKind:
    """What is so of all pools of the GM of a kind."""

    noun: Words
    title: str
    """What stands before its name where a roll calls it so."""
    called: str
    """What one is called, with its name."""
    pools: Callable[[Table], Mapping[str, Crisis | Challenge | Character]]
    """Everything of the kind by its key: what has a name and dice."""
    put: Callable[[Table, str, Mapping[int, int]], Table]
    """The table on which one has other dice."""
    drop: Callable[[Table, str], Table]
    """The table without one."""
    ending: Ending
    """How one without dice is over."""
    switch: str = ""
    """The field of the ruleset without which the campaign has none; always there for none."""
    off: str = ""
    """What is said where a campaign plays without."""
    setting: str = ""
    """The campaign's setting that turns it on."""
    option: str = "name"
    """The option of `spend` that takes the name of what its dice buy."""
    least: int = SIZES[0]
    """The least die that it holds."""
    lasts: bool = False
    """It is there without dice, too."""
    one: Words | None = None
    """One with its article, of those that are rolled and ended by name."""


def _those(table: Table, foe: Foe) -> Mapping[str, Crisis | Challenge | Character]:
    return FOES[foe].pools(table)


def _gmcs(table: Table) -> Mapping[str, Character]:
    return {who: each for who, each in table.characters.items() if each.gmc}


def _with_crisis(table: Table, one: str, held: Mapping[int, int]) -> Table:
    here = CORTEX.of(table)
    return CORTEX.put(table, replace(here, crises={**here.crises, one: replace(here.crises[one], dice=held)}))


def _with_challenge(table: Table, one: str, held: Mapping[int, int]) -> Table:
    here = CORTEX.of(table)
    return CORTEX.put(
        table, replace(here, challenges={**here.challenges, one: replace(here.challenges[one], dice=held)})
    )


def _with_gmc(table: Table, who: str, held: Mapping[int, int]) -> Table:
    return table.with_owner(
        who, CORTEX.give(table.characters[who], replace(CORTEX.has(table.characters[who]), pool=held))
    )


def _without_gmc(table: Table, who: str) -> Table:
    name = table.characters[who].name
    left = replace(table, characters=_but(table.characters, who))
    return exchange.without(turn.without(left, who), name)


def _but(things: Mapping[str, _T], one: str) -> dict[str, _T]:
    return {name: thing for name, thing in things.items() if name != one}


FOES = every(
    Foe,
    {
        Foe.DOOM: FoeKind(
            Words("{doom_pool.short}"),
            "Doom pool",
            later("{doom_pool.One}"),
            pools=lambda table: {DOOM.key: Crisis("", CORTEX.of(table).doom)},  # one pool, which has no name
            put=lambda table, one, held: CORTEX.put(table, replace(CORTEX.of(table), doom=held)),
            drop=lambda table, one: CORTEX.put(table, replace(CORTEX.of(table), doom={})),
            ending=Ending.ENDED,
            switch="doom",
            setting="doom pool",
            off=later("The {doom_pool.one} is off in this campaign."),
            least=SIZES[1],
            lasts=True,
        ),
        Foe.CRISIS: FoeKind(
            Words("{crisis.one}"),
            "Crisis ",
            later("{crisis.One} {name}"),
            pools=lambda table: CORTEX.of(table).crises,
            put=_with_crisis,
            drop=lambda table, one: CORTEX.put(
                table, replace(CORTEX.of(table), crises=_but(CORTEX.of(table).crises, one))
            ),
            ending=Ending.RESOLVED,
            switch="crisis",
            one=Words("{crisis.a}"),
            setting="crisis pools",
            off=later("{crisis.Many} are off in this campaign."),
            option="what",
        ),
        Foe.CHALLENGE: FoeKind(
            Words("{challenge.one}"),
            "Challenge ",
            later("{challenge.One} {name}"),
            pools=lambda table: CORTEX.of(table).challenges,
            put=_with_challenge,
            drop=lambda table, one: CORTEX.put(
                table, replace(CORTEX.of(table), challenges=_but(CORTEX.of(table).challenges, one))
            ),
            ending=Ending.WON,
            switch="challenges",
            one=Words("{challenge.a}"),
            setting="challenges",
            off=later("{challenge.Many} are off in this campaign."),
        ),
        Foe.GMC: FoeKind(
            Words("{gmc.One}"),
            "",
            later("{name}"),
            _gmcs,
            _with_gmc,
            _without_gmc,
            Ending.DEFEATED,
        ),
    },
)
