"""Cortex, as shared rules see it."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import attrgetter

from rules.cortex.carry.check import CHECKS, faults
from rules.cortex.rolling import roll
from rules.cortex.state import forgotten, renamed, thrown
from rules.cortex.state.facts import NamedPoolChanged, PoolChanged
from rules.cortex.state.in_force import come_to
from rules.cortex.state.kinds import Foe, Kind, NamedPool
from rules.cortex.state.part import CORTEX
from rules.cortex.state.rolled import HiddenDropped, HiddenRolled, RollChanged, RollMade
from rules.cortex.state.table import Challenge, Crisis, Roll
from rules.fact import Fact
from rules.game import Fault, Game
from rules.kinds import key
from rules.leaving import Leaving
from rules.luck import Thrown
from rules.names import SOMEBODY
from rules.table import Character, Table
from rules.values import replace
from rules.words import Phrase, Words

_PLAYER = attrgetter("player")


class Cortex(Game):
    """Pools of dice, plot points, doom."""

    part = CORTEX
    checks = CHECKS
    made = RollMade

    def ruled(self, table: Table) -> object:
        """The ruleset, and each setting of it."""
        return CORTEX.of(table).ruleset

    def newcomer(self, table: Table, character: Character) -> Character:
        """While a session runs they have their first plot points (P1)."""
        pp = CORTEX.of(table).ruleset.starting_pp if table.is_session else 0
        return CORTEX.give(character, replace(CORTEX.has(character), pp=pp))

    def taken_names(self, table: Table) -> Mapping[str, Phrase]:
        """Crises and challenges are rolled against by their names (K1, L1)."""
        here = CORTEX.of(table)
        return dict.fromkeys((*here.crises, *here.challenges), Words("a crisis or challenge"))

    def renamed(self, table: Table, who: str, name: str) -> Table:
        """Whoever is renamed is so in rolls, contests, pools and turns."""
        return renamed.renamed(table, who, name)

    def all_rolls(self, table: Table) -> Iterable[Roll]:
        """Those too that the GM made in secret (R9)."""
        here = CORTEX.of(table)
        return (*here.rolls.values(), *here.hidden.values())

    def people(self, table: Table) -> Iterable[int]:
        """Whoever rolled here, and whose last pools are known."""
        return (*map(_PLAYER, self.all_rolls(table)), *CORTEX.of(table).last_pools)

    def things(self, table: Table, names: Collection[str]) -> Iterable[str]:
        """Traits, tracks of stress, and pools."""
        here = CORTEX.of(table)
        for each in (*table.characters.values(), table.scenery):
            yield from (trait.label for kind in Kind for trait in CORTEX.has(each).traits(kind).values())
        pools: list[Crisis | Challenge | NamedPool] = [*here.crises.values(), *here.challenges.values()]
        pools += here.pools.values()
        yield from (pool.name for pool in pools if key(pool.name) not in names)
        yield from here.ruleset.stress

    def pool_names(self, table: Table) -> Iterable[str]:
        """Pools can be called as those who share them."""
        return CORTEX.of(table).pools

    def forgotten(self, table: Table, who: Leaving) -> Table:
        """Nobody is named in rolls, contests and pools."""
        return forgotten.forgotten(table, who)

    def forgotten_roll(self, roll: Roll, who: Leaving) -> Roll:
        """Nobody is named in what it was against, and in what followed from it."""
        return forgotten.forgotten_roll(roll, who)

    def forgotten_fact(self, fact: Fact, who: Leaving) -> Fact:
        """A pool that was called as somebody has another name."""
        if isinstance(fact, NamedPoolChanged) and who.is_left(fact.pool.name):
            return replace(fact, pool=replace(fact.pool, name=SOMEBODY, who=""))
        return super().forgotten_fact(fact, who)

    def most_rolls(self) -> int:
        """A table keeps so many open."""
        return roll.OPEN_ROLLS

    def as_made(self, fact: Fact) -> Fact | None:
        """The roll that was made or changed, with its effects of then."""
        return RollMade(fact.roll, fact.effects) if isinstance(fact, RollMade | RollChanged) else None

    def rolls_now(self, table: Table) -> Mapping[int, Fact]:
        """Each with what it comes to now."""
        rolls = CORTEX.of(table).rolls
        return {n: RollMade(each, come_to(table, each).counted) for n, each in rolls.items()}

    def named_in(self, fact: Fact) -> Iterable[str]:
        """Of dice that were rolled, on whom they were, and against what; of dice of doom, doom."""
        if isinstance(fact, PoolChanged) and fact.pool.foe is Foe.DOOM:
            return (Foe.DOOM,)
        if not isinstance(fact, RollMade | HiddenRolled | HiddenDropped):
            return super().named_in(fact)
        against = fact.roll.against
        return (fact.roll.who, *fact.roll.on, *(() if against is None else (against.label,)))

    def thrown(self, fact: Fact) -> Iterable[Thrown]:
        """A roll's dice as they were in the end, those against it, and each that was rolled again."""
        return thrown.thrown(fact)

    def faults(self, table: Table) -> Iterator[Fault]:
        """Only who is at the table has a turn, and only a GMC has a rank."""
        return faults(table)


GAME = Cortex()
"""One of the games that can be played."""
