"""The GM's dice: doom, crises, challenges, bosses and mobs; add, remove and step them (M1, K, L, B, D5)."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from rules.campaign.characters import free_name
from rules.campaign.seats import Actor, require_gm
from rules.cortex import roll_status, turn
from rules.cortex.facts import Called, Cause, Change, Ending, Over, PoolChanged, Why, note_why
from rules.cortex.kinds import TROUBLE, Foe, Rank, Target, TraitKind
from rules.cortex.model import CORTEX, Challenge, Crisis, ladder
from rules.cortex.pool_text import read_dice
from rules.cortex.pool_words import step_up_pool
from rules.cortex.rating import without_die
from rules.cortex.tokens import one_die
from rules.dice import SIZES, Ladder, check_count, down, held_words, up, with_those, write_dice
from rules.errors import NotAllowed, OptionNeeded, SettingOff, TooLate
from rules.facts import Fact
from rules.game import Step
from rules.names import NAME, SCENE, clean, find, key, there_are
from rules.table import Character, Table
from rules.terms import Term, later
from rules.text import Phrase, Words
from rules.values import exhaustive, replace

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


def pools_of(table: Table, foe: Foe) -> Mapping[str, Crisis | Challenge | Character]:
    """Return the GM's pools of one kind by their keys: crises, challenges, GMCs, or the one doom pool."""
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
    return roll_status.without(turn.without(left, who), name)


def _but(things: Mapping[str, _T], one: str) -> dict[str, _T]:
    return {name: thing for name, thing in things.items() if name != one}


FOES = exhaustive(
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


MOST_POOLS = 20
"""A table has at most this many crises, and as many challenges."""


def dice(table: Table, pool: Target) -> tuple[int, ...]:
    """The sizes of a pool's dice, rising. Raises TooLate where the pool is no longer there."""
    held = _held(table, pool)
    return tuple(size for size in sorted(held) for _ in range(held[size]))


def those_of(table: Table, pool: Target, typed: str, agreed: Collection[str] = ()) -> tuple[int, ...]:
    """Dice of a pool as typed, also those that lie there off the table's list of sizes (N13)."""
    rules = CORTEX.of(table).ruleset
    fitting = replace(rules, sizes=with_those(rules.sizes, dice(table, pool)))
    return read_dice(typed, fitting, agreed, is_pick=True)


def die_of(table: Table, pool: Target, typed: str) -> int:
    """One die of a pool as typed, also one that lies there off the table's list of sizes (N13)."""
    return one_die(typed, with_those(ladder(table), dice(table, pool)))


def title(table: Table, pool: Target) -> str:
    """What a pool is called: `Doom pool`, `Crisis Fire`, `Challenge Storm`, `Rex`."""
    return f"{FOES[pool.foe].title}{pools_of(table, pool.foe)[pool.key].name}"


def titled(table: Table, pool: Target) -> Phrase:
    """What a pool is called, in a refusal."""
    return Words(FOES[pool.foe].called, name=pools_of(table, pool.foe)[pool.key].name)


def called(table: Table, pool: Target) -> Called:
    """A pool as facts name it."""
    return Called(pool.foe, pools_of(table, pool.foe)[pool.key].name)


def is_there(table: Table, pool: Target) -> bool:
    """Whether a pool, or a GMC, is still at the table."""
    return pool.key in pools_of(table, pool.foe)


def is_on(table: Table, foe: Foe) -> bool:
    """Whether the campaign plays with pools of that kind."""
    switch = FOES[foe].switch
    return not switch or bool(getattr(CORTEX.of(table).ruleset, switch))


def require_on(table: Table, foe: Foe) -> None:
    """Refuse pools that the campaign plays without."""
    if not is_on(table, foe):
        raise SettingOff(FOES[foe].off, setting=FOES[foe].setting)


def named(table: Table, foe: Foe, name: str | None) -> Target:
    """The pool that is meant; the only one of its kind where none is named. Raises Unknown, Ambiguous."""
    require_on(table, foe)
    known = [pool.name for pool in pools_of(table, foe).values()]
    if name and name.strip():
        return found(table, foe, name)
    if len(known) != 1:
        if not known:
            raise NotAllowed("There's no {foe} yet.", foe=FOES[foe].noun)
        raise OptionNeeded(
            "Which {foe}? {there_is}",
            option="name",
            choices=known,
            foe=FOES[foe].noun,
            there_is=there_are(known),
        )
    return Target(foe, key(known[0]))


def found(table: Table, foe: Foe, name: str) -> Target:
    """The crisis, challenge or GMC of that name, or whose name begins so. Raises Unknown or Ambiguous."""
    known = [pool.name for pool in pools_of(table, foe).values()]
    typed = clean(name, NAME)
    is_whole = any(key(each).startswith(key(typed)) for each in known)
    return Target(foe, key(find(typed if is_whole else bare(table, foe, typed), known, FOES[foe].noun)))


def new_name(table: Table, name: str) -> str:
    """Return the name for something new of the GM's. Raises Unreadable for one with a die in it (L1)."""
    return without_die(free_name(table, name))


def bare(table: Table, foe: Foe, name: str) -> str:
    """A name as typed without the word for its kind before it: `Fire` for `crisis Fire`.

    The table's own word is left out as well: `Peril Fire`.
    """
    own = table.settings.words.get(Term[foe.name])
    for word in (foe.value, *((own.one, own.short) if own else ())):
        before, rest = name[: len(word) + 1], name[len(word) + 1 :]
        if rest and before.casefold() == f"{word} ".casefold():
            return rest
    return name


def with_dice(
    table: Table,
    pool: Target,
    sizes: Iterable[int],
    change: Change,
    dice_changed: tuple[int, ...] = (),
    why: Why | None = None,
    steps: int = 1,
) -> Step:
    """A pool with other dice; without any it is over. Doom never holds a d4 (M1, K3, L5, B1)."""
    left = tuple(sorted(sizes))
    if left and left[0] < FOES[pool.foe].least:
        raise NotAllowed("The {doom_pool.one} can't hold a d4. Use d6 or larger.")
    check_count(len(left))
    name = called(table, pool)
    at = CORTEX.of(table).challenges[pool.key].order.round if pool.foe is Foe.CHALLENGE and left else 0
    facts: list[Fact] = [PoolChanged(name, dice(table, pool), left, change, dice_changed, steps, why, at)]
    kind = FOES[pool.foe]
    if left or kind.lasts:
        return Step(kind.put(table, pool.key, counted(left)), tuple(facts))
    facts.append(Over(name, kind.ending))
    return Step(without(table, pool), tuple(facts))


def without(table: Table, pool: Target) -> Table:
    """The table without that crisis, challenge or GMC."""
    return FOES[pool.foe].drop(table, pool.key)


def add_dice(table: Table, pool: Target, sizes: tuple[int, ...], why: Why | None = None) -> Step:
    """Dice join a pool."""
    return with_dice(table, pool, (*dice(table, pool), *sizes), Change.ADDED, sizes, why)


def remove_dice(
    table: Table,
    pool: Target,
    sizes: tuple[int, ...],
    change: Change = Change.REMOVED,
    why: Why | None = None,
) -> Step:
    """Dice leave a pool. Raises NotAllowed when it has no such dice."""
    left = Counter(dice(table, pool))
    left.subtract(sizes)
    if min(left.values(), default=0) < 0:
        raise _has_no(table, pool, write_dice(sizes))
    return with_dice(table, pool, left.elements(), change, sizes, why)


def stepped_up_once(table: Table, pool: Target, size: int) -> Step:
    """One die of a pool steps up; a d12 does what the setting says (D5, M1)."""
    after = step_up_pool(dice(table, pool), size, CORTEX.of(table).ruleset)
    return with_dice(table, pool, after, Change.STEPPED_UP, (size,))


def stepped_down_once(table: Table, pool: Target, size: int) -> Step:
    """One die of a pool steps down; under d4, for doom at d4, it is gone (M1, M8)."""
    left = list(dice(table, pool))
    left.remove(size)
    smaller = down(size, 1, ladder(table))
    left += [smaller] if smaller >= FOES[pool.foe].least else []
    return with_dice(table, pool, left, Change.STEPPED_DOWN, (size,))


def struck(table: Table, pool: Target, size: int, effect: int, *, is_past: bool = False) -> Step:
    """An effect die hits a die: a larger one removes it, else it steps down, a d4 goes (K3, L3, B2).

    One that `is_past` d12 is larger than a d12.
    """
    why = Why(Cause.HIT, dice=(effect, size))
    if effect > size or is_past:
        return remove_dice(table, pool, (size,), Change.REMOVED, why)
    left = list(dice(table, pool))
    if size not in left:
        raise _has_no(table, pool, f"d{size}")
    left.remove(size)
    fallen = down(size, 1, ladder(table))
    change = Change.STEPPED_DOWN if fallen else Change.REMOVED
    return with_dice(table, pool, (*left, fallen) if fallen else left, change, (size,), why)


def fallen_to(size: int, effect: int, sizes: Ladder = SIZES, *, is_past: bool = False) -> int:
    """What an effect die leaves of a die that it hits; 0 for nothing (K3)."""
    return 0 if effect > size or is_past else down(size, 1, sizes)


def add(table: Table, actor: Actor, foe: Foe, dice: str, name: str | None = None, why: str = "") -> Step:
    """The GM adds dice by hand (M8)."""
    require_gm(table, actor, Words("add {foe} dice", foe=FOES[foe].noun))
    return add_dice(
        table, named(table, foe, name), read_dice(dice, CORTEX.of(table).ruleset, actor.agreed), note_why(why)
    )


def remove(table: Table, actor: Actor, foe: Foe, dice: str, name: str | None = None) -> Step:
    """The GM removes dice by hand (M8)."""
    require_gm(table, actor, Words("remove {foe} dice", foe=FOES[foe].noun))
    pool = named(table, foe, name)
    return remove_dice(table, pool, those_of(table, pool, dice, actor.agreed))


def step_up(
    table: Table, actor: Actor, foe: Foe, die: str | None = None, steps: int = 1, name: str | None = None
) -> Step:
    """The GM steps up a die by hand, the smallest where none is named (M8)."""
    require_gm(table, actor, Words("step up {foe} dice", foe=FOES[foe].noun))
    return stepped_up(table, named(table, foe, name), die, steps)


def step_down(
    table: Table, actor: Actor, foe: Foe, die: str | None = None, steps: int = 1, name: str | None = None
) -> Step:
    """The GM steps down a die by hand, the largest where none is named (M8)."""
    require_gm(table, actor, Words("step down {foe} dice", foe=FOES[foe].noun))
    return stepped_down(table, named(table, foe, name), die, steps)


def end(table: Table, actor: Actor, foe: Foe, name: str | None = None) -> Step:
    """The GM ends a crisis or a challenge; its dice are gone."""
    require_gm(table, actor, Words("end {foe}", foe=FOES[foe].one))
    pool = named(table, foe, name)
    return Step(without(table, pool), (Over(called(table, pool), Ending.ENDED),))


def stepped_up(table: Table, pool: Target, die: str | None = None, steps: int = 1) -> Step:
    """A die of a pool steps up, the smallest where none is named (M8)."""
    first = size = _which(table, pool, die, smallest=True)
    _check_steps(steps)
    sizes = dice(table, pool)
    for _ in range(steps):
        sizes = step_up_pool(sizes, size, CORTEX.of(table).ruleset)
        size = up(size, 1, ladder(table))
    return with_dice(table, pool, sizes, Change.STEPPED_UP, (first,), steps=steps)


def stepped_down(table: Table, pool: Target, die: str | None = None, steps: int = 1) -> Step:
    """A die of a pool steps down, the largest where none is named (M8); under its least it is gone."""
    first = size = _which(table, pool, die, smallest=False)
    _check_steps(steps)
    left = list(dice(table, pool))
    left.remove(size)
    for _ in range(steps):
        size = down(size, 1, ladder(table)) if size else 0
    left = [*left, size] if size >= FOES[pool.foe].least else left
    return with_dice(table, pool, left, Change.STEPPED_DOWN, (first,), steps=steps)


def counted(sizes: Iterable[int]) -> dict[int, int]:
    """How many dice of each size, the smallest first."""
    return dict(sorted(Counter(sizes).items()))


def _held(table: Table, pool: Target) -> Mapping[int, int]:
    held = pools_of(table, pool.foe).get(pool.key)
    if held is None:
        raise TooLate("That {noun} is over or was undone.", noun=FOES[pool.foe].noun)
    return CORTEX.has(held).pool if isinstance(held, Character) else held.dice


def _which(table: Table, pool: Target, die: str | None, *, smallest: bool) -> int:
    sizes = dice(table, pool)
    if not sizes:
        raise NotAllowed("{start} is empty. Example: /doom add dice:2d6", start=_start(table, pool))
    size = die_of(table, pool, die) if die else (min if smallest else max)(sizes)
    if size not in sizes:
        raise _has_no(table, pool, f"d{size}")
    return size


def _has_no(table: Table, pool: Target, wanted: str) -> NotAllowed:
    """The refusal of dice that a pool does not hold, with what it holds."""
    sizes = dice(table, pool)
    return NotAllowed(
        "{start} has no {wanted}. {title}: {sizes}.",
        start=_start(table, pool),
        wanted=wanted,
        title=titled(table, pool),
        sizes=held_words(sizes),
    )


def _start(table: Table, pool: Target) -> Phrase:
    return Words("The {doom_pool.one}") if pool.foe is Foe.DOOM else titled(table, pool)


def _check_steps(steps: int) -> None:
    if not 1 <= steps <= 5:
        raise NotAllowed("You can't step by {steps}. Choose 1 to 5.", steps=steps)


def is_boss(table: Table, who: str) -> bool:
    """Whether they are a boss that has dice left."""
    if who == SCENE:
        return False
    character = table.characters[who]
    own = CORTEX.has(character)
    return own.rank is Rank.BOSS and bool(own.pool)


def is_exceeded(table: Table, who: str, kind: TraitKind, die: int, past: bool = False) -> bool:
    """Whether a trait of that size, or one stepped up past d12, exceeds the boss die (B1)."""
    return (
        kind in TROUBLE
        and is_boss(table, who)
        and (past or die > max(CORTEX.has(table.characters[who]).pool))
    )


def knocked(table: Table, who: str) -> Step:
    """A boss die goes; without any the boss is defeated (B1)."""
    size = max(CORTEX.has(table.characters[who]).pool)
    return remove_dice(table, Target(Foe.GMC, who), (size,), Change.KNOCKED_OFF)


DOOM_NAME = "Doom pool"


def doom_dice(table: Table) -> tuple[int, ...]:
    """The sizes of the doom dice, rising."""
    return dice(table, DOOM)


def require_doom(table: Table) -> None:
    """Refuse where the campaign plays without a doom pool."""
    require_on(table, Foe.DOOM)


def with_doom_dice(
    table: Table,
    sizes: tuple[int, ...],
    change: Change,
    why: Why | None = None,
    changed: tuple[int, ...] = (),
) -> Step:
    """The doom pool with other dice. Raises NotAllowed for a d4, which it never holds (M1)."""
    return with_dice(table, DOOM, sizes, change, changed, why)


def add_doom_dice(table: Table, sizes: tuple[int, ...], why: Why | None = None) -> Step:
    """Dice join the doom pool (M7)."""
    return add_dice(table, DOOM, sizes, why)


def step_up_doom_die(table: Table, size: int) -> Step:
    """One doom die steps up; a d12 does what the setting says (D5, M1)."""
    return stepped_up_once(table, DOOM, size)


def set_doom(table: Table, actor: Actor, pool: str) -> Step:
    """The GM sets the whole pool (M8)."""
    _require_doom_gm(table, actor, Words("set the {doom_pool.one}"))
    return with_doom_dice(table, read_dice(pool, CORTEX.of(table).ruleset, actor.agreed), Change.SET)


def clear_doom(table: Table, actor: Actor) -> Step:
    """The GM empties the pool (M8)."""
    _require_doom_gm(table, actor, Words("clear the {doom_pool.one}"))
    return with_doom_dice(table, (), Change.CLEARED)


def _require_doom_gm(table: Table, actor: Actor, what: Phrase) -> None:
    require_gm(table, actor, what)
    require_doom(table)
