"""Named pools: dice that anyone at the table gathers, changes and rolls (D2, D4, D5)."""

from rules import roller
from rules.cortex.notation.pool import read
from rules.cortex.notation.verbs import step_up_die
from rules.cortex.rolling import roll
from rules.cortex.rolling.gather import gather, gathered_before, known_names, vocabulary_of
from rules.cortex.rolling.opposition import against
from rules.cortex.rolling.roll import check_keep
from rules.cortex.state.causes import Change
from rules.cortex.state.facts import NamedPoolChanged
from rules.cortex.state.part import CORTEX, ladder
from rules.cortex.state.pool import NEW, Die, NamedPool, write_pool
from rules.cortex.state.ruleset import ANY_SIZE
from rules.cortex.tools.build import Build
from rules.cortex.traits import gm_pools
from rules.cortex.traits.traits import check_steps
from rules.dice import Throw, check_count, down, shorten
from rules.errors import NotAllowed, OptionNeeded, Unknown
from rules.kinds import key
from rules.names import GM, find, there_are
from rules.result import Step
from rules.seats import Actor, character_of, played_as, require_gm
from rules.table import Table
from rules.values import replace
from rules.words import Words

MOST_POOLS = 20
"""A table has at most this many named pools."""
_EXAMPLE = "/pool add name:Escape dice:2d8"


def add(table: Table, actor: Actor, dice: str, name: str | None = None) -> Step:
    """Dice join a named pool; a new name begins one (D4)."""
    here = CORTEX.of(table)
    character = character_of(table, actor)
    known = vocabulary_of(table, actor, None)
    known.update(known_names(table, character))
    known.whose = played_as(table, actor)
    reading = read(dice, known, here.ruleset, decided=actor.agreed)
    if reading.hindered:
        raise NotAllowed("You can only hinder {distinction.a} when you roll.")
    old = _held(table, name)
    is_own = old is None or not old.who or old.who == key(character_of(table, actor).name)
    pool = reading.pool if is_own else tuple(replace(die, source=NEW) for die in reading.pool)
    if old is None:
        label = gm_pools.new_name(table, _name(table, name))
        if len(here.pools) >= MOST_POOLS:
            raise NotAllowed(
                "A table can have at most {most_pools} named pools. Clear one first: /pool clear",
                most_pools=MOST_POOLS,
            )
        return _put(table, NamedPool(label, pool), Change.ADDED, pool)
    return _put(table, replace(old, dice=(*old.dice, *pool)), Change.ADDED, pool)


def remove(table: Table, actor: Actor, dice: str, name: str | None = None) -> Step:
    """Dice leave a named pool; without any it is gone (D4)."""
    pool = named(table, name)
    places = _meant(pool, dice)
    left = tuple(die for place, die in enumerate(pool.dice) if place not in places)
    return _put(table, replace(pool, dice=left), Change.REMOVED, _dice(pool, places))


def step_up(table: Table, actor: Actor, dice: str, name: str | None = None, steps: int = 1) -> Step:
    """Dice of a named pool step up; a d12 does what the setting says (D5)."""
    check_steps(steps)
    pool = named(table, name)
    places = _meant(pool, dice)
    changed = list(pool.dice)
    for place in places:
        for _ in range(steps):
            changed = step_up_die(changed, place, CORTEX.of(table).ruleset)
    return _put(table, replace(pool, dice=tuple(changed)), Change.STEPPED_UP, _dice(pool, places))


def step_down(table: Table, actor: Actor, dice: str, name: str | None = None, steps: int = 1) -> Step:
    """Dice of a named pool step down; under d4 they leave it (D5)."""
    check_steps(steps)
    pool = named(table, name)
    places = _meant(pool, dice)
    sizes = [die.size for die in pool.dice]
    for place in places:
        for _ in range(steps):
            sizes[place] = down(sizes[place], 1, ladder(table)) if sizes[place] else 0
    left = tuple(replace(die, size=size) for die, size in zip(pool.dice, sizes, strict=True) if size)
    return _put(table, replace(pool, dice=left), Change.STEPPED_DOWN, _dice(pool, places))


def double(table: Table, actor: Actor, dice: str, name: str | None = None) -> Step:
    """Dice of a named pool are there twice (D4)."""
    pool = named(table, name)
    places = _meant(pool, dice)
    twice = tuple(pool.dice[place] for place in places)
    return _put(table, replace(pool, dice=(*pool.dice, *twice)), Change.DOUBLED, twice)


def clear(table: Table, actor: Actor, name: str | None = None) -> Step:
    """A named pool goes."""
    return _put(table, replace(named(table, name), dice=()), Change.CLEARED)


def share(table: Table, actor: Actor, build: Build) -> Step:
    """What somebody builds lies on the table: others add dice, the GM opposes, then it is rolled (D2)."""
    here = CORTEX.of(table)
    if not build.pieces:
        raise NotAllowed("That pool has no dice yet. Choose a trait in the menus first.")
    name, _ = roller.roller(table, actor, build.who or None)
    gathered = gather(table, actor, build.text, None, name)
    sfx = tuple(each.name for each, _ in gathered.used)
    pool = NamedPool(name, gathered.pool, key(name), build.vs, gathered.hindered, sfx)
    if key(name) in here.pools:
        raise NotAllowed(
            "There's already a shared pool {name}, and others may have added to it. Roll it first: /pool "
            "roll name:{name}",
            name=name,
        )
    if len(here.pools) >= MOST_POOLS:
        raise NotAllowed(
            "A table can have at most {most_pools} named pools. Clear one first: /pool clear",
            most_pools=MOST_POOLS,
        )
    return _put(table, pool, Change.SHARED)


def oppose(table: Table, actor: Actor, vs: str, name: str | None = None) -> Step:
    """The GM says what a shared pool is to be rolled against (T2)."""
    require_opposing(table, actor)
    pool = named(table, name)
    owner = table.characters.get(pool.who)
    theirs = gathered_before(table, actor, pool, owner.name).beside.theirs if owner else ()
    against(table, actor, vs, lambda sizes: sizes, theirs)
    return _put(table, replace(pool, vs=" ".join(vs.split())), Change.OPPOSED)


def require_opposing(table: Table, actor: Actor) -> None:
    """Refuse anybody but the GM."""
    require_gm(table, actor, Words("oppose a pool"))


def throw_pool(
    table: Table, actor: Actor, throw: Throw, name: str | None = None, keep: int = 2, vs: str | None = None
) -> Step:
    """A named pool is rolled by whoever asks and stays; a shared one by its owner, and is gone (R1 to R9)."""
    here = CORTEX.of(table)
    pool = named(table, name)
    check_keep(table, keep)
    versus = vs if vs and vs.strip() else pool.vs or None
    if not pool.who or pool.who not in (*table.characters, key(GM)):
        return roll.make(table, actor, throw, write_pool(pool.dice), versus, keep, note=pool.name)
    owner = table.characters.get(pool.who)
    who = roller.roller(table, actor, owner.name if owner else GM)
    left = {k: each for k, each in here.pools.items() if k != key(pool.name)}
    gathered = gathered_before(table, actor, pool, who[0])
    return roll.thrown_for(
        CORTEX.put(table, replace(here, pools=left)), actor, throw, gathered, who, versus, keep
    )


def named(table: Table, name: str | None) -> NamedPool:
    """The pool that is meant; the only one where none is named. Raises Unknown or Ambiguous."""
    here = CORTEX.of(table)
    known = [pool.name for pool in here.pools.values()]
    if name and name.strip():
        return here.pools[key(find(name, known, Words("pool")))]
    if len(known) != 1:
        if not known:
            raise NotAllowed("There are no pools yet. Example: {example}", example=_EXAMPLE)
        raise OptionNeeded(
            "Choose a pool. {there_is}", option="name", choices=known, there_is=there_are(known)
        )
    return here.pools[key(known[0])]


def _held(table: Table, name: str | None) -> NamedPool | None:
    """The pool that dice join, None for a new one: an exact name, or the only pool where none is named."""
    here = CORTEX.of(table)
    if name and name.strip():
        return here.pools.get(key(" ".join(name.split())))
    return named(table, None) if here.pools else None


def _name(table: Table, name: str | None) -> str:
    if not name or not name.strip():
        raise NotAllowed("Give the pool a name. Example: {example}", example=_EXAMPLE)
    return name


def _meant(pool: NamedPool, typed: str) -> list[int]:
    """The places of the dice that are meant, by label or size. Raises Unknown for what is not there."""
    known = {die.label: Die(die.size, die.label) for die in pool.dice if die.label}
    places: list[int] = []
    for wanted in read(typed, known, ANY_SIZE, is_written=True, is_pick=True).pool:
        free = [place for place, die in enumerate(pool.dice) if place not in places and _is_die(die, wanted)]
        place = free[0] if free else None
        if place is None:
            missing = shorten(wanted.label or f"d{wanted.size}")
            raise Unknown(
                "Pool {pool} has no {missing}. Pool {pool}: {dice}",
                pool=pool.name,
                missing=missing,
                dice=write_pool(pool.dice),
            )
        places.append(place)
    return places


def _is_die(die: Die, wanted: Die) -> bool:
    return die.size == wanted.size and (not wanted.label or key(die.label) == key(wanted.label))


def _dice(pool: NamedPool, places: list[int]) -> tuple[Die, ...]:
    return tuple(pool.dice[place] for place in places)


def _put(table: Table, pool: NamedPool, change: Change, dice: tuple[Die, ...] = ()) -> Step:
    """A named pool as it is now; without dice it is gone."""
    here = CORTEX.of(table)
    check_count(len(pool.dice))
    pools = {k: each for k, each in here.pools.items() if k != key(pool.name) or pool.dice}
    if pool.dice:
        pools[key(pool.name)] = pool
    said = NamedPoolChanged(pool, change, dice)
    return Step(CORTEX.put(table, replace(here, pools=pools)), (said,))
