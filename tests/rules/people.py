"""People, tables and dice to play with."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from rules.campaign.seats import Actor
from rules.cortex import gmc
from rules.cortex.kinds import Foe, Rank, Target, Trait, TraitKind
from rules.cortex.model import CORTEX, Challenge, CortexCharacter, CortexTable, Crisis, Roll, with_traits
from rules.cortex.pool_text import read
from rules.cortex.roll import make
from rules.cortex.ruleset import PRIME, Ruleset
from rules.dice import Throw
from rules.errors import RuleError, Undecided
from rules.game import Step
from rules.names import key
from rules.table import Character, Table
from rules.values import replace

T = TypeVar("T")
GRETA = Actor(1, "Greta")
ALICE = Actor(2, "Alice")
BOB = Actor(3, "Bob")
ZOE = Actor(9, "Zoe")
"""A stranger: no GM, and no character at the table."""


def faces(*given: int) -> Throw:
    """Dice that show the given faces, in this order; all of them have to be thrown."""
    left = list(given)

    def throw(sizes: Sequence[int]) -> list[int]:
        assert len(left) >= len(sizes), f"{sizes} thrown, {left} given"
        shown = [left.pop(0) for _ in sizes]
        assert all(1 <= face <= size for face, size in zip(shown, sizes, strict=True)), (shown, sizes)
        return shown

    return throw


def answered(actor: Actor, do: Callable[[Actor], T], place: int = 0) -> T:
    """What somebody does who gives the answer at that place to each question that comes first."""
    try:
        return do(actor)
    except Undecided as question:
        agreed = (*actor.agreed, question.answers[place].sign)
        return answered(replace(actor, agreed=agreed), do, place)


def never(sizes: Sequence[int]) -> list[int]:
    """Dice that must not be thrown."""
    raise AssertionError(f"{sizes} thrown")


def table(rules: Ruleset = PRIME, doom: Sequence[int] = (), pp: int = 1) -> Table:
    """A table of Greta's, with Alice and Bob, who play characters of their own names, and Rex, a GMC."""
    people = (
        CORTEX.give(Character("Alice", player=2), CortexCharacter(pp=pp)),
        CORTEX.give(Character("Bob", player=3), CortexCharacter(pp=pp)),
        Character("Rex", gmc=True),
    )
    return CORTEX.put(
        Table(gms={1: "Greta"}, characters={key(one.name): one for one in people}),
        CortexTable(ruleset=rules, doom={size: list(doom).count(size) for size in sorted(set(doom))}),
    )


def having(at: Table, who: str, kind: TraitKind, *traits: Trait) -> Table:
    """The table with more traits of somebody, or of the `scene`."""
    owner = at.owner(who)
    held = {**CORTEX.has(owner).traits(kind), **{key(trait.label): trait for trait in traits}}
    return at.with_owner(who, with_traits(owner, kind, held))


def facing(at: Table, name: str, dice: str, rank: Rank | None = None) -> Table:
    """The table with a GMC of those dice: `Fangs d8, 4d10` is a boss."""
    return at.with_owner(key(name), gmc.gmc_of_dice(name, read(dice).pool, rank))


def in_crisis(at: Table, *sizes: int, name: str = "Fire") -> Table:
    """The table with one crisis more."""
    here = CORTEX.of(at)
    held = {size: sizes.count(size) for size in sorted(set(sizes))}
    return CORTEX.put(at, replace(here, crises={**here.crises, key(name): Crisis(name, held)}))


def challenged(at: Table, *sizes: int, name: str = "Storm", rounds: int = 0) -> Table:
    """The table with one challenge more."""
    here = CORTEX.of(at)
    held = {size: sizes.count(size) for size in sorted(set(sizes))}
    return CORTEX.put(
        at, replace(here, challenges={**here.challenges, key(name): Challenge(name, held, rounds=rounds)})
    )


FIRE = Target(Foe.CRISIS, "fire")
STORM = Target(Foe.CHALLENGE, "storm")
REX = Target(Foe.GMC, "rex")


def newest(at: Table) -> Roll:
    """The roll with the highest number."""
    here = CORTEX.of(at)
    return here.rolls[max(here.rolls)]


def rolled(at: Table, who: Actor, dice: str, *shown: int, vs: str | None = None) -> Table:
    """The table after somebody's roll that showed those faces."""
    return after(make(at, who, faces(*shown), dice, vs))


def after(step: Step) -> Table:
    """The table of a step, recorded: the next step has the next number."""
    return replace(step.table, number=step.table.number + 1)


def pp(at: Table, who: str) -> int:
    """Somebody's plot points."""
    return CORTEX.has(at.characters[who]).pp


def die(at: Table, who: str, kind: TraitKind, label: str) -> int:
    """The size of somebody's trait, 0 if they have none of that label."""
    trait = CORTEX.has(at.owner(who)).traits(kind).get(key(label))
    return trait.die if trait else 0


def tried(rule: Callable[[], T]) -> T | None:
    """What a rule gives, or None where it refuses in a sentence that fits a message."""
    try:
        return rule()
    except RuleError as refusal:
        said = str(refusal)
    assert 0 < len(said) < 1900
    return None
