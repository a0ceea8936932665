"""GMCs and the GM's open rolls: extras, minor and major GMCs, bosses, mobs (B1, B2, M3, M5, R9)."""

import re
from collections.abc import Collection, Sequence

from rules.campaign.characters import new_name
from rules.campaign.seats import Actor, require_gm, require_here, require_room, several
from rules.cortex import gm_pools
from rules.cortex.effects import label_on
from rules.cortex.facts import Called, Change, PoolChanged, TraitChanged
from rules.cortex.gm_pools import DOOM
from rules.cortex.kinds import MOST_RATING, RANKS, Foe, Rank, Target, Trait, TraitKind
from rules.cortex.model import CORTEX, CortexCharacter, Roll, ladder
from rules.cortex.opposition import against as read_against
from rules.cortex.opposition import doom_pool, require_in_the_way, target_pool, thrown
from rules.cortex.pool import SOURCES, Die, Pool, is_further, sizes_of, write_pool
from rules.cortex.pool_resolver import (
    Gathered,
    boss_dice,
    gather,
    known_names,
    paid_for,
    require_alone,
    typed_roll,
)
from rules.cortex.pool_text import read
from rules.cortex.roll import check_keep, mark_taken_out, placed
from rules.cortex.tokens import one_die
from rules.cortex.trait_lookup import new_label
from rules.cortex.traits import gained
from rules.dice import Throw
from rules.errors import NotAllowed, PossibleAnswer, Undecided, Unknown
from rules.facts import Fact, SeatChange, Seated
from rules.game import Step
from rules.names import CHARACTER_NAME, LABEL, clean, find, fold, get_named, key, require_one
from rules.table import Character, Table
from rules.text import Words
from rules.values import replace

_DICE = re.compile("[dD][0-9]")


_EXAMPLE = "/gmc new name:Rex dice:Fangs d10, 4d10"


def new(
    table: Table,
    actor: Actor,
    name: str,
    dice: str,
    kind: str | None = None,
    away: bool = False,
) -> Step:
    """Create a GMC in the scene, or with `away` outside it; labelled dice are traits (B1, B2).

    Raises NotAllowed for anybody but the GM and for dice that do not fit the kind; Undecided between
    boss and mob.
    """
    require_gm(table, actor, Words("make {gmc.a}"))
    require_room(table)
    label = _free(table, name)
    rank = Rank(find(kind, list(Rank), Words("kind of {gmc.one}"))) if kind and kind.strip() else None
    pool = read(dice, {}, CORTEX.of(table).ruleset, decided=actor.agreed, is_trait=True).pool
    return entered(table, gmc_of_dice(label, pool, rank or _boss_or_mob(actor, label, pool), away=away))


def _boss_or_mob(actor: Actor, name: str, pool: Pool) -> Rank | None:
    """Which of the two dice of one size are, where there are no traits; None where they are neither (B2).

    Raises Undecided until the actor has said it.
    """
    if len(pool) < 2 or len({(die.size, die.label) for die in pool}) > 1 or pool[0].label:
        return None
    signs = {rank: f"{rank} {key(name)}" for rank in (Rank.BOSS, Rank.MOB)}
    for rank, sign in signs.items():
        if sign in actor.agreed:
            return rank
    raise Undecided(
        "Is {name} a boss or a mob?",
        PossibleAnswer(Words("Boss"), signs[Rank.BOSS]),
        PossibleAnswer(Words("Mob"), signs[Rank.MOB]),
        name=name,
    )


def gmc_of_dice(name: str, pool: Pool, rank: Rank | None = None, *, away: bool = False) -> Character:
    """Return a GMC of these dice; without a rank the dice decide between extra, minor and boss (B2).

    Raises NotAllowed for dice that do not fit the rank.
    """
    plain = [die.size for die in pool if not die.label]
    if rank is None:
        rank = Rank.EXTRA if len(_firsts(pool)) == 1 else Rank.BOSS if plain else Rank.MINOR
    if rank is Rank.EXTRA and len(pool) == 1:
        pool = (replace(pool[0], label=pool[0].label or name),)
        plain = []
    _check(pool, plain, rank)
    traits = {key(die.label): _trait(die, pool) for die in _firsts(pool) if die.label}
    return CORTEX.give(
        Character(name, gmc=True, away=away),
        CortexCharacter(rank=rank, sheet=traits, pool=gm_pools.count_sizes(plain)),
    )


def _firsts(pool: Pool) -> Pool:
    """The dice of a GMC without the further ones of its traits (N21)."""
    return tuple(die for die in pool if not is_further(die))


def _trait(first: Die, pool: Pool) -> Trait:
    """A trait of a GMC, with all its dice (N21). Raises NotAllowed for too many."""
    more = tuple(die.size for die in pool if is_further(die) and fold(die.label) == fold(first.label))
    if len(more) >= MOST_RATING:
        raise NotAllowed("A trait can have at most {most} dice. Example: dice:Gang 3d6", most=MOST_RATING)
    return Trait(clean(first.label, LABEL), first.size, more=more, safe=first.safe)


def entered(table: Table, character: Character) -> Step:
    """Bring a GMC to the table and into the turn order at once (M5, B2)."""
    own = CORTEX.has(character)
    is_between = bool(table.scenes) and not table.is_scene
    there = SeatChange.NEW if is_between else SeatChange.ENTERS
    enters = there if CORTEX.of(table).order is None else SeatChange.ENTERS_ORDER
    facts: list[Fact] = [Seated(character.name, SeatChange.WAITS if character.away else enters)]
    facts += [TraitChanged(character.name, TraitKind.TRAIT, None, trait) for trait in own.sheet.values()]
    fresh = table.with_owner(key(character.name), character)
    sizes = gm_pools.dice(fresh, Target(Foe.GMC, key(character.name)))
    if sizes:
        called = Called(Foe.GMC, character.name)
        facts.append(PoolChanged(called, (), sizes, Change.ENTERED, rank=own.rank))
    return Step(fresh, tuple(facts))


def highest(character: Character) -> int:
    """Return the size of a GMC's highest trait, the price of bringing them in; 0 without traits (M5).

    >>> highest(gmc_of_dice("Rex", (Die(10, "Fangs"), Die(8, "Swift"))))
    10
    """
    own = CORTEX.has(character)
    held = (*own.sheet.values(), *own.distinctions.values(), *own.assets.values())
    return max((*(trait.die for trait in held), *own.pool), default=0)


def rollable(gmc: Character) -> list[str]:
    """Return the traits of a GMC with their dice, as they can be typed: `Fangs d10`; and `boss` or `mob`."""
    held, own = CORTEX.has(gmc).sheet.values(), boss_dice(gmc)
    typed = [write_pool(Die(size, each.label) for size in sizes_of(each)) for each in held]
    return typed if own is None else [*typed, own.label]


def hit(table: Table, actor: Actor, name: str, die: str, what: str | None = None) -> Step:
    """Hit a GMC with an effect: a boss gets a complication, a mob's largest die is hit (B1, B2).

    Raises NotAllowed for anybody but the GM; Unknown if there is no such GMC.
    """
    require_gm(table, actor, Words("hit {gmc.a} by hand"))
    target = find_gmc(table, name)
    size = one_die(die, ladder(table))
    gmc = table.characters[target.key]
    own = CORTEX.has(gmc)
    if own.rank is Rank.MOB:
        return gm_pools.struck(table, target, max(own.pool), size)
    if gm_pools.is_boss(table, target.key) and not (what or "").strip():
        label = label_on(table, target.key)
    else:
        label = new_label(table, target.key, TraitKind.COMPLICATION, what or "")
    return gained(table, target.key, TraitKind.COMPLICATION, label, size)


def remove(table: Table, actor: Actor, name: str) -> Step:
    """Remove a GMC from the table. Raises NotAllowed for anybody but the GM; Unknown if there is none."""
    require_gm(table, actor, Words("remove {gmc.a}"))
    target = find_gmc(table, name)
    left = Seated(table.characters[target.key].name, SeatChange.LEAVES)
    return Step(gm_pools.without_pool(table, target), (left,))


def find_gmc(table: Table, name: str) -> Target:
    """Return the GMC of that name. Raises Unknown if none fits; Ambiguous if several do."""
    known = [c.name for c in table.characters.values() if c.gmc]
    if not known and not CORTEX.of(table).over:
        raise Unknown("There are no {gmc.many} yet. Example: {example}", example=_EXAMPLE)
    return gm_pools.pool_by_name(table, Foe.GMC, name)


def _free(table: Table, name: str) -> str:
    label = clean(name, CHARACTER_NAME, 80)
    require_one(label)
    return new_name(table, label)


def _check(pool: Pool, plain: Sequence[int], rank: Rank) -> None:
    """Refuse dice that do not make a GMC of that kind (B1, B2)."""
    pool = _firsts(pool)
    labels = [fold(die.label) for die in pool if die.label]
    if len(set(labels)) < len(labels):
        raise NotAllowed("Two traits have the same label. Give each trait a different label.")
    kind = RANKS[rank]
    is_of_one_size = bool(plain) and len(set(plain)) == 1
    fits = is_of_one_size if kind.has_pool else not plain
    if not fits or (kind.most and len(pool) != kind.most):
        raise NotAllowed(kind.dice, rank=kind.noun)


def enter(table: Table, actor: Actor, label: str, size: int, *, is_extra: bool) -> Step:
    """Bring an extra with one trait, or a GMC, into the scene (M5, B2).

    `Thug: Brawler` names the trait, `Rex: Fangs d10, Swift d8` gives a GMC its dice. Raises NotAllowed
    if a player's character has that name or the GMC is there already; Undecided between boss and mob.
    """
    name, pool = _name_and_pool(table, label, actor.agreed)
    old = get_named(table.characters, label) or get_named(table.characters, name)
    if old is not None and not old.gmc:
        raise NotAllowed("{old} is a player's character. Give the {gmc.one} another name.", old=old.name)
    if old is not None and not old.away and not is_extra:
        raise NotAllowed("{old} is already in the {scene.one}.", old=old.name)
    if old is not None and not is_extra:
        return entered(table, replace(old, away=False))
    require_room(table)
    free = new_name(table, name)
    if is_extra or not pool:
        trait = pool[0].label if pool else label.partition(":")[2].strip()
        return entered(table, gmc_of_dice(free, (Die(size, trait or free),), Rank.EXTRA))
    return entered(table, gmc_of_dice(free, pool, _boss_or_mob(actor, free, pool)))


def price_of(table: Table, label: str, agreed: Collection[str] = ()) -> int:
    """Return the highest trait of the GMC that is to enter; 0 if the die that pays decides it."""
    name, pool = _name_and_pool(table, label, agreed)
    known = get_named(table.characters, label) or get_named(table.characters, name)
    if known is not None:
        return highest(known)
    return max((die.size for die in pool), default=0)


def _name_and_pool(table: Table, typed: str, agreed: Collection[str]) -> tuple[str, Pool]:
    """A name, and the dice after its colon, if those are dice (B2)."""
    name, _, rest = (part.strip() for part in typed.partition(":"))
    has_dice = bool(_DICE.search(rest))
    rules = CORTEX.of(table).ruleset
    pool = read(rest, {}, rules, decided=agreed, is_trait=True).pool if has_dice else ()
    return clean(name, CHARACTER_NAME, 80), pool


def roll_doom(
    table: Table,
    actor: Actor,
    throw: Throw,
    dice: str | None = None,
    with_: str | None = None,
    keep: int = 2,
    on: str | None = None,
) -> Step:
    """Roll all or some doom dice as the opposition, with what else is in the way (M3, R9).

    Raises NotAllowed for anybody but the GM and if the pool is empty; SettingOff if doom is off.
    """
    require_gm(table, actor, Words("roll the {doom_pool.one}"))
    pool = doom_pool(table)
    if dice and dice.strip():
        wanted = gm_pools.those_of(table, DOOM, dice, actor.agreed)
        gm_pools.remove_dice(table, DOOM, wanted)
        pool = tuple(Die(size, "", SOURCES[Foe.DOOM]) for size in wanted)
    return _rolled(table, actor, throw, DOOM, Gathered((*pool, *_besides(table, actor, with_))), keep, on)


def roll_pool(
    table: Table,
    actor: Actor,
    throw: Throw,
    foe: Foe,
    name: str | None = None,
    with_: str | None = None,
    keep: int = 2,
    on: str | None = None,
) -> Step:
    """Roll a crisis or a challenge as the opposition, with what else is in the way (K3, L3, R9).

    Raises NotAllowed for anybody but the GM; Unknown if there is no such pool.
    """
    require_gm(table, actor, Words("roll {foe}", foe=gm_pools.FOES[foe].one))
    target = gm_pools.find_pool(table, foe, name)
    pool = (*target_pool(table, target), *_besides(table, actor, with_))
    return _rolled(table, actor, throw, target, Gathered(pool), keep, on)


def roll_gmc(
    table: Table,
    actor: Actor,
    throw: Throw,
    name: str,
    dice: str | None = None,
    vs: str | None = None,
    keep: int = 2,
    on: str | None = None,
) -> Step:
    """Roll all dice of a GMC, or those that are typed, in the open (T6, B1, R9).

    Raises NotAllowed for anybody but the GM and for a GMC without dice; Unknown if there is no such
    GMC.
    """
    require_gm(table, actor, Words("roll for {gmc.a}"))
    target = find_gmc(table, name)
    require_here(table, target.key)
    if dice and dice.strip():
        gmc = table.characters[target.key].name
        typed = typed_roll(table, actor, dice, gmc)
        vs = typed.against(vs)
        pool = gather(table, actor, typed, None, gmc)
        pool = replace(pool, pool=_plain_dice(pool.pool, table.characters[target.key]))
    else:
        pool = Gathered(target_pool(table, target))
    return _rolled(table, actor, throw, target, pool, keep, on, vs)


def _plain_dice(pool: Pool, gmc: Character) -> Pool:
    """The pool with the own dice of a boss or a mob unlabelled, by which effects know them (B1, B2, K3)."""
    own = boss_dice(gmc)
    if own is None:
        return pool
    return tuple(
        Die(die.size, "", SOURCES[Foe.GMC], die.safe)
        if fold(die.label) == own.label and not die.source.is_new
        else die
        for die in pool
    )


def _rolled(
    table: Table,
    actor: Actor,
    throw: Throw,
    target: Target,
    pool: Gathered,
    keep: int,
    on: str | None,
    vs: str | None = None,
) -> Step:
    """Dice of the GM, rolled for the table to see; `on` says whom they concern (M3, R9, X1)."""
    concerned: tuple[str, ...] = ()
    if on and on.strip():
        table, keys = several(table, actor, on)
        for one in keys:
            require_here(table, one)
        concerned = tuple(table.characters[one].name for one in keys)
    title = gm_pools.title(table, target)
    if not (vs and vs.strip()):
        require_alone(pool)
    paid = paid_for(table, actor, pool, title, gm=True)
    table = paid.table
    keep = pool.kept(keep)
    check_keep(table, keep)
    hand = thrown(pool.pool, keep, table, throw, pool.beside, pool.plus)
    theirs = pool.beside.theirs
    opposing = read_against(table, actor, vs, throw, theirs, title) if vs and vs.strip() else None
    source = None if target == DOOM else target
    number = table.number + 1
    made = Roll(number, actor.id, title, hand, True, opposing, on=concerned, target=source)
    return placed(table, mark_taken_out(table, actor, made), facts=paid.facts)


def _besides(table: Table, actor: Actor, typed: str | None) -> Pool:
    """What else stands in the way, as typed behind `with` (M3)."""
    if not typed or not typed.strip():
        return ()
    known = known_names(table, None)
    pool = read(typed, known, CORTEX.of(table).ruleset, decided=actor.agreed).pool
    for die in pool:
        require_in_the_way(table, die)
    return pool
