"""Named pools that anybody fills and rolls, and pools that a character saves (D2, D4, D5)."""

from collections.abc import Mapping

from rules.campaign import rolls
from rules.campaign.characters import new_name
from rules.campaign.seats import Actor, character_of, owner_of, played_as, require_character, require_gm
from rules.cortex import roll
from rules.cortex.builder import Build
from rules.cortex.facts import Change, NamedPoolChanged, PoolKept
from rules.cortex.kinds import KeptPool
from rules.cortex.model import CORTEX, ladder
from rules.cortex.opposition import against, name_opponent
from rules.cortex.pool import NEW, Die, NamedPool, quote_label, write_pool
from rules.cortex.pool_grammar import parted
from rules.cortex.pool_resolver import (
    LAST,
    gather,
    gathered_before,
    known_names,
    recent_pool,
    typed_roll,
    vocabulary_of,
    with_sfx,
)
from rules.cortex.pool_text import MOST, saved_pool_label, saved_pool_texts
from rules.cortex.pool_text import read as read_pool
from rules.cortex.pool_text import read_saved_pool as read_line
from rules.cortex.pool_text import write_saved_pool as write_line
from rules.cortex.pool_words import WRITTEN, NameIndex, step_up_die
from rules.cortex.roll import check_keep
from rules.cortex.ruleset import ANY_SIZE
from rules.cortex.traits import check_steps
from rules.dice import Throw, check_count, down
from rules.errors import NotAllowed, OptionNeeded, RuleError, Undecided, Unknown
from rules.game import Step
from rules.names import GM, find, fold, get_named, key, put_named, there_are
from rules.table import Character, Table
from rules.text import Words, shorten
from rules.values import replace

MOST_POOLS = 20
"""A table has at most this many named pools."""


_EXAMPLE = "/pool add name:Escape dice:2d8"


def add(table: Table, actor: Actor, dice: str, name: str | None = None) -> Step:
    """Add dice to a named pool, or start one with a new name (D4).

    Raises NotAllowed for hindered distinctions, too many pools, and a new pool without a name.
    """
    here = CORTEX.of(table)
    character = character_of(table, actor)
    known = vocabulary_of(table, actor, None)
    known.update(known_names(table, character))
    known.whose = played_as(table, actor)
    reading = read_pool(dice, known, here.ruleset, decided=actor.agreed)
    if reading.hindered:
        raise NotAllowed("You can only hinder {distinction.a} when you roll.")
    old = _held(table, name)
    is_own = old is None or not old.who or old.who == key(character_of(table, actor).name)
    pool = reading.pool if is_own else tuple(replace(die, source=NEW) for die in reading.pool)
    if old is None:
        label = new_name(table, _name(table, name))
        if len(here.pools) >= MOST_POOLS:
            raise NotAllowed(
                "A table can have at most {most_pools} named pools. Clear one first: /pool clear",
                most_pools=MOST_POOLS,
            )
        return _put(table, NamedPool(label, pool), Change.ADDED, pool)
    return _put(table, replace(old, dice=(*old.dice, *pool)), Change.ADDED, pool)


def remove(table: Table, actor: Actor, dice: str, name: str | None = None) -> Step:
    """Remove dice from a named pool; without dice it is gone (D4). Raises Unknown for dice it lacks."""
    pool = find_named_pool(table, name)
    places = _meant(pool, dice)
    left = tuple(die for place, die in enumerate(pool.dice) if place not in places)
    return _put(table, replace(pool, dice=left), Change.REMOVED, _dice(pool, places))


def step_up(table: Table, actor: Actor, dice: str, name: str | None = None, steps: int = 1) -> Step:
    """Step up dice of a named pool; a d12 does what the setting says (D5).

    Raises Unknown for dice it lacks; NotAllowed for a wrong number of steps.
    """
    check_steps(steps)
    pool = find_named_pool(table, name)
    places = _meant(pool, dice)
    changed = list(pool.dice)
    for place in places:
        for _ in range(steps):
            changed = step_up_die(changed, place, CORTEX.of(table).ruleset, actor.agreed)
    return _put(table, replace(pool, dice=tuple(changed)), Change.STEPPED_UP, _dice(pool, places))


def step_down(table: Table, actor: Actor, dice: str, name: str | None = None, steps: int = 1) -> Step:
    """Step down dice of a named pool; below d4 they are removed (D5).

    Raises Unknown for dice it lacks; NotAllowed for a wrong number of steps.
    """
    check_steps(steps)
    pool = find_named_pool(table, name)
    places = _meant(pool, dice)
    sizes = [die.size for die in pool.dice]
    for place in places:
        for _ in range(steps):
            sizes[place] = down(sizes[place], 1, ladder(table)) if sizes[place] else 0
    left = tuple(replace(die, size=size) for die, size in zip(pool.dice, sizes, strict=True) if size)
    return _put(table, replace(pool, dice=left), Change.STEPPED_DOWN, _dice(pool, places))


def double(table: Table, actor: Actor, dice: str, name: str | None = None) -> Step:
    """Double dice of a named pool (D4). Raises Unknown for dice it lacks."""
    pool = find_named_pool(table, name)
    places = _meant(pool, dice)
    twice = tuple(pool.dice[place] for place in places)
    return _put(table, replace(pool, dice=(*pool.dice, *twice)), Change.DOUBLED, twice)


def clear(table: Table, actor: Actor, name: str | None = None) -> Step:
    """Remove a named pool."""
    return _put(table, replace(find_named_pool(table, name), dice=()), Change.CLEARED)


def share(table: Table, actor: Actor, build: Build) -> Step:
    """Share the pool that somebody is building, so that others can add dice before the roll (D2).

    Raises NotAllowed for an empty pool, too many pools, and one that is shared already.
    """
    here = CORTEX.of(table)
    if not build.pieces:
        raise NotAllowed("That pool has no dice yet. Choose a trait in the menus first.")
    name, _ = rolls.find_roller(table, actor, build.who or None)
    gathered = gather(table, actor, build.text, None, name)
    sfx = tuple(each.name for each, _ in gathered.used)
    pool = NamedPool(name, gathered.pool, key(name), build.vs, gathered.hindered, sfx, gathered.moved)
    if get_named(here.pools, name):
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
    """Set what a shared pool is rolled against (T2). Raises NotAllowed for anybody but the GM."""
    require_opposing(table, actor)
    pool = find_named_pool(table, name)
    owner = table.characters.get(pool.who)
    theirs = gathered_before(table, actor, pool, owner.name).beside.theirs if owner else ()
    vs = name_opponent(table, vs)
    against(table, actor, vs, lambda sizes: sizes, theirs)
    return _put(table, replace(pool, vs=" ".join(vs.split())), Change.OPPOSED)


def require_opposing(table: Table, actor: Actor) -> None:
    """Raise NotAllowed for anybody but the GM."""
    require_gm(table, actor, Words("oppose a pool"))


def throw_pool(
    table: Table, actor: Actor, throw: Throw, name: str | None = None, keep: int = 2, vs: str | None = None
) -> Step:
    """Roll a named pool, which stays; a shared one is rolled by its owner and is gone then (R1 to R9).

    Raises NotAllowed for somebody else's shared pool and for a wrong `keep`, and what rolling raises.
    """
    here = CORTEX.of(table)
    pool = find_named_pool(table, name)
    check_keep(table, keep)
    versus = vs if vs and vs.strip() else pool.vs or None
    if not pool.who or pool.who not in (*table.characters, key(GM)):
        return roll.make(table, actor, throw, write_pool(pool.dice), versus, keep, note=pool.name)
    owner = table.characters.get(pool.who)
    who = rolls.find_roller(table, actor, owner.name if owner else GM)
    left = {k: each for k, each in here.pools.items() if k != key(pool.name)}
    gathered = gathered_before(table, actor, pool, who[0])
    return roll.thrown_for(
        CORTEX.put(table, replace(here, pools=left)), actor, throw, gathered, who, versus, keep
    )


def find_named_pool(table: Table, name: str | None) -> NamedPool:
    """Return the pool of that name, or the only one if `name` is empty.

    Raises NotAllowed if there are no pools; OptionNeeded if there are several and none is named;
    Unknown or Ambiguous if the name fits none or several.
    """
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
        return get_named(here.pools, name)
    return find_named_pool(table, None) if here.pools else None


def _name(table: Table, name: str | None) -> str:
    if not name or not name.strip():
        raise NotAllowed("Give the pool a name. Example: {example}", example=_EXAMPLE)
    return name


def _meant(pool: NamedPool, typed: str) -> list[int]:
    """The places of the dice that are meant, by label or size. Raises Unknown for what is not there."""
    known = {die.label: Die(die.size, die.label) for die in pool.dice if die.label}
    places: list[int] = []
    for wanted in read_pool(typed, known, ANY_SIZE, is_written=True, is_pick=True).pool:
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
    return die.size == wanted.size and (not wanted.label or fold(die.label) == fold(wanted.label))


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


def save(
    table: Table,
    actor: Actor,
    name: str,
    dice: str | None = None,
    vs: str | None = None,
    who: str | None = None,
    remove: bool = False,
) -> Step:
    """Save a pool by name, or the last pool rolled if no dice are typed; `remove` deletes it (D2).

    A pool of that name is replaced. Raises NotAllowed for too many pools and for a name that means
    something else, and what reading the dice raises.
    """
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    own = CORTEX.has(character)
    require_character(table, actor, character, Words("save a pool"))
    if remove:
        return _let_go(table, owner, own.kept[key(find(name, _names(character), Words("saved pool")))])
    typed = dice if dice and dice.strip() else "last"
    if last := LAST.fullmatch(" ".join(typed.split())):
        known = with_sfx(known_names(table, character), character)
        typed = _by_names(recent_pool(table, actor.id, int(last[1] or 1)), known)
        actor = replace(actor, agreed=(*actor.agreed, WRITTEN))
    label = saved_pool_label(name)
    require_free(label, vocabulary_of(table, actor, character))
    read = typed_roll(table, actor, typed, character.name)
    versus = name_opponent(table, read.against(vs) or "")
    fresh = KeptPool(label, *saved_pool_texts(read.tree.dice, versus))
    if read_line(write_line(fresh)) != fresh:  # a sheet has it as a line, and is read again
        raise NotAllowed('If a name contains vs, put it in quotation marks. Example: "Man vs Wild" + d8')
    old = get_named(own.kept, label)
    fresh = replace(fresh, name=old.name) if old else fresh
    kept = put_named(own.kept, fresh.name, fresh)
    if len(kept) > MOST:
        raise NotAllowed(
            "{who} already has {most} saved pools, which is the limit. Remove one: /pool save name:{name} "
            "remove:True",
            who=character.name,
            most=MOST,
            name=next(iter(own.kept.values())).name,
        )
    after = table.with_owner(owner, CORTEX.give(character, replace(own, kept=kept)))
    return Step(after, (PoolKept(character.name, fresh, was=old),))


def _by_names(typed: str, known: Mapping[str, Die]) -> str:
    """A pool as it was rolled, with names alone for dice that have the sizes of now: they may grow."""
    now = {write_pool([Die(die.size, name)]): quote_label(name) for name, die in known.items()}
    return ", ".join(now.get(part, part) for part in typed.split(", "))


def require_free(label: str, known: NameIndex) -> None:
    """Raise NotAllowed for a name that means something in a pool, or would be cut short there.

    >>> require_free("Sneak attack", NameIndex())
    >>> require_free("build", NameIndex())
    Traceback (most recent call last):
        ...
    rules.errors.NotAllowed: "build" already means something in a dice pool. Choose another name.
    """
    if not (fold(label) in ("build", "show") or LAST.fullmatch(label) or _is_cut(label, known)):
        try:
            read_pool(label, known, is_roll=True)
        except Undecided:
            pass
        except RuleError:
            return
    raise NotAllowed(
        "{name} already means something in a dice pool. Choose another name.", name=shorten(label)
    )


def _is_cut(label: str, known: NameIndex) -> bool:
    """Whether a part of a name is read as what a roll is against or keeps, or cannot be read: `Fly k3`."""
    try:
        _, versus, keep = parted(label, known)
    except RuleError:
        return True
    return bool(versus or keep)


def _names(character: Character) -> list[str]:
    return [kept.name for kept in CORTEX.has(character).kept.values()]


def _let_go(table: Table, owner: str, kept: KeptPool) -> Step:
    character = table.characters[owner]
    own = CORTEX.has(character)
    left = {k: each for k, each in own.kept.items() if k != key(kept.name)}
    after = table.with_owner(owner, CORTEX.give(character, replace(own, kept=left)))
    return Step(after, (PoolKept(character.name, kept, is_gone=True),))
