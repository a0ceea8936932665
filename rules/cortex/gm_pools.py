"""The GM's dice: doom, crises, challenges, bosses and mobs; add, remove and step them (M1, K, L, B, D5)."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeVar

from rules.campaign.seats import Actor, name_members, require_gm
from rules.cortex import roll_status, turn
from rules.cortex.facts import Called, Cause, Change, Over, PoolChanged, Why, note_why
from rules.cortex.kinds import TROUBLE, Ending, Foe, Rank, Target, TraitKind
from rules.cortex.model import CORTEX, Challenge, Crisis, ladder
from rules.cortex.pool_text import read_dice
from rules.cortex.pool_words import step_up_pool
from rules.cortex.tokens import one_die
from rules.dice import SIZES, Ladder, check_count, down, held_words, up, with_those, write_dice
from rules.errors import NotAllowed, OptionNeeded, SettingOff, TooLate, Unknown
from rules.facts import Fact
from rules.game import Step
from rules.names import NAME, SCENE, clean, find, find_same, fold, get_named, key, offer, there_are
from rules.table import Character, Table
from rules.terms import Term, later
from rules.text import Phrase, Words
from rules.values import Value, exhaustive, replace

_T = TypeVar("_T")


DOOM = Target(Foe.DOOM)


class FoeKind(Value):
    """What all GM pools of one kind have in common."""

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
    return roll_status.without_contests_of(turn.without_in_turns(left, who), name)


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
    """Return the sizes of a pool's dice, rising. Raises TooLate if the pool is no longer there.

    >>> dice(Table(), DOOM)
    ()
    >>> dice(add_dice(Table(), DOOM, (8, 6, 8)).table, DOOM)
    (6, 8, 8)
    """
    held = _held(table, pool)
    return tuple(size for size in sorted(held) for _ in range(held[size]))


def those_of(table: Table, pool: Target, typed: str, agreed: Collection[str] = ()) -> tuple[int, ...]:
    """Return dice of a pool as typed, even of sizes that are not on the table's list (N13).

    Raises Unreadable for text that is not dice; TooLate if the pool is no longer there.
    """
    rules = CORTEX.of(table).ruleset
    fitting = replace(rules, sizes=with_those(rules.sizes, dice(table, pool)))
    return read_dice(typed, fitting, agreed, is_pick=True)


def die_of(table: Table, pool: Target, typed: str) -> int:
    """Return the size of one die of a pool as typed, even a size that is not on the table's list (N13).

    >>> die_of(Table(), DOOM, "D8")
    8
    """
    return one_die(typed, with_those(ladder(table), dice(table, pool)))


def title(table: Table, pool: Target) -> str:
    """Return a pool's title: `Doom pool`, `Crisis Fire`, `Challenge Storm`, `Rex`.

    >>> title(Table(), DOOM)
    'Doom pool'
    """
    return f"{FOES[pool.foe].title}{pools_of(table, pool.foe)[pool.key].name}"


def titled(table: Table, pool: Target) -> Phrase:
    """Return a pool's title in the table's words, for messages.

    >>> str(titled(Table(), DOOM))
    'Doom pool'
    """
    return Words(FOES[pool.foe].called, name=pools_of(table, pool.foe)[pool.key].name)


def called(table: Table, pool: Target) -> Called:
    """Return the name by which facts refer to a pool."""
    return Called(pool.foe, pools_of(table, pool.foe)[pool.key].name)


def is_there(table: Table, pool: Target) -> bool:
    """Return whether a pool or a GMC is still at the table.

    >>> is_there(Table(), DOOM), is_there(Table(), Target(Foe.CRISIS, "fire"))
    (True, False)
    """
    return pool.key in pools_of(table, pool.foe)


def is_on(table: Table, foe: Foe) -> bool:
    """Return whether the campaign uses pools of that kind.

    >>> is_on(Table(), Foe.GMC)
    True
    """
    switch = FOES[foe].switch
    return not switch or bool(getattr(CORTEX.of(table).ruleset, switch))


def require_on(table: Table, foe: Foe) -> None:
    """Raise SettingOff if the campaign does not use pools of that kind."""
    if not is_on(table, foe):
        raise SettingOff(FOES[foe].off, setting=FOES[foe].setting)


def find_pool(table: Table, foe: Foe, name: str | None) -> Target:
    """Return the pool of that name, or the only one of its kind if `name` is empty.

    Raises SettingOff if the kind is off; NotAllowed if there is none; OptionNeeded if there are several
    and none is named; Unknown or Ambiguous if the name fits none or several.
    """
    require_on(table, foe)
    known = [pool.name for pool in pools_of(table, foe).values()]
    if name and name.strip():
        return pool_by_name(table, foe, name)
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


OVER = exhaustive(
    Ending,
    {
        Ending.ENDED: Words("has ended"),
        Ending.RESOLVED: Words("is resolved"),
        Ending.WON: Words("is won"),
        Ending.LOST: Words("is lost"),
        Ending.DEFEATED: Words("is defeated"),
    },
)
"""What is said of an opponent that is over."""


def pool_by_name(table: Table, foe: Foe, name: str) -> Target:
    """Return the crisis, challenge or GMC of that name, or whose name starts with it, or of that member.

    Raises Unknown or Ambiguous if the name fits none or several; NotAllowed for one that is over.
    """
    known = [pool.name for pool in pools_of(table, foe).values()]
    try:
        typed = name_members(table, clean(name, NAME))
    except Unknown:
        raise Unknown(
            "That member has no {foe} here. {offer}", foe=FOES[foe].noun, offer=offer("", known)
        ) from None
    ending = get_named(CORTEX.of(table).over, bare(table, foe, typed))
    if ending and find_same(typed, known) is None:
        raise NotAllowed("{name} {ending}.", name=bare(table, foe, typed), ending=OVER[ending])
    is_whole = any(fold(each).startswith(fold(typed)) for each in known)
    return Target(foe, key(find(typed if is_whole else bare(table, foe, typed), known, FOES[foe].noun)))


def bare(table: Table, foe: Foe, name: str) -> str:
    """Return a name as typed without the word for its kind in front: `Fire` for `crisis Fire`.

    The table's own word for the kind is removed as well: `Peril Fire`.

    >>> bare(Table(), Foe.CRISIS, "crisis Fire")
    'Fire'
    >>> bare(Table(), Foe.CRISIS, "Fire")
    'Fire'
    >>> bare(Table(), Foe.CRISIS, "challenge Fire")
    'challenge Fire'
    """
    own = table.settings.words.get(Term[foe.name])
    for word in (foe.value, *((own.one, own.short) if own else ())):
        before, rest = name[: len(word) + 1], name[len(word) + 1 :]
        if rest and before[-1:].isspace() and fold(before) == fold(word):
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
    """Replace a pool's dice; a pool without dice is over, except doom (M1, K3, L5, B1).

    Raises NotAllowed for a d4 in the doom pool and for too many dice.
    """
    left = tuple(sorted(sizes))
    if left and left[0] < FOES[pool.foe].least:
        raise NotAllowed("The {doom_pool.one} can't hold a d4. Use d6 or larger.")
    check_count(len(left))
    name = called(table, pool)
    at = CORTEX.of(table).challenges[pool.key].order.round if pool.foe is Foe.CHALLENGE and left else 0
    facts: list[Fact] = [PoolChanged(name, dice(table, pool), left, change, dice_changed, steps, why, at)]
    kind = FOES[pool.foe]
    if left or kind.lasts:
        return Step(kind.put(table, pool.key, count_sizes(left)), tuple(facts))
    over = ended(table, pool, kind.ending)
    return Step(over.table, (*facts, *over.facts))


MOST_OVER = 20
"""A table remembers so many opponents that are over."""


def ended(table: Table, pool: Target, ending: Ending) -> Step:
    """End a crisis, a challenge or a GMC, and remember how."""
    name = called(table, pool)
    table = without_pool(table, pool)
    here = CORTEX.of(table)
    others = [(k, how) for k, how in here.over.items() if k != key(name.name)]
    over = dict([*others, (key(name.name), ending)][-MOST_OVER:])
    return Step(CORTEX.put(table, replace(here, over=over)), (Over(name, ending),))


def without_pool(table: Table, pool: Target) -> Table:
    """Return the table without that crisis, challenge or GMC."""
    return FOES[pool.foe].drop(table, pool.key)


def add_dice(table: Table, pool: Target, sizes: tuple[int, ...], why: Why | None = None) -> Step:
    """Add dice to a pool. Raises NotAllowed for a d4 in the doom pool and for too many dice.

    >>> dice(add_dice(Table(), DOOM, (6, 10)).table, DOOM)
    (6, 10)
    """
    return with_dice(table, pool, (*dice(table, pool), *sizes), Change.ADDED, sizes, why)


def remove_dice(
    table: Table,
    pool: Target,
    sizes: tuple[int, ...],
    change: Change = Change.REMOVED,
    why: Why | None = None,
) -> Step:
    """Remove dice from a pool. Raises NotAllowed if it has no such dice.

    >>> start = add_dice(Table(), DOOM, (6, 8, 8)).table
    >>> dice(remove_dice(start, DOOM, (8,)).table, DOOM)
    (6, 8)
    """
    left = Counter(dice(table, pool))
    left.subtract(sizes)
    if min(left.values(), default=0) < 0:
        raise _has_no(table, pool, write_dice(sizes))
    return with_dice(table, pool, left.elements(), change, sizes, why)


def stepped_up_once(table: Table, pool: Target, size: int) -> Step:
    """Step up one die of a pool; a d12 does what the setting says (D5, M1).

    >>> start = add_dice(Table(), DOOM, (6, 8)).table
    >>> dice(stepped_up_once(start, DOOM, 8).table, DOOM)
    (6, 10)
    """
    after = step_up_pool(dice(table, pool), size, CORTEX.of(table).ruleset)
    return with_dice(table, pool, after, Change.STEPPED_UP, (size,))


def stepped_down_once(table: Table, pool: Target, size: int) -> Step:
    """Step down one die of a pool; below d4, or for doom below d6, it is removed (M1, M8).

    >>> start = add_dice(Table(), DOOM, (6, 8)).table
    >>> dice(stepped_down_once(start, DOOM, 8).table, DOOM)
    (6, 6)
    >>> dice(stepped_down_once(start, DOOM, 6).table, DOOM)
    (8,)
    """
    left = list(dice(table, pool))
    left.remove(size)
    smaller = down(size, 1, ladder(table))
    left += [smaller] if smaller >= FOES[pool.foe].least else []
    return with_dice(table, pool, left, Change.STEPPED_DOWN, (size,))


def struck(table: Table, pool: Target, size: int, effect: int, *, is_past: bool = False) -> Step:
    """Hit a die of a pool with an effect die: a larger one removes it, others step it down (K3, L3, B2).

    A d4 that steps down is removed. An effect that `is_past` d12 is larger than a d12. Raises
    NotAllowed if the pool has no such die.
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
    """Return the size to which an effect die reduces the die that it hits; 0 if it removes it (K3).

    >>> fallen_to(10, 6), fallen_to(8, 8), fallen_to(6, 10), fallen_to(4, 4)
    (8, 6, 0, 0)
    >>> fallen_to(12, 12), fallen_to(12, 12, is_past=True)
    (10, 0)
    """
    return 0 if effect > size or is_past else down(size, 1, sizes)


def add(table: Table, actor: Actor, foe: Foe, dice: str, name: str | None = None, why: str = "") -> Step:
    """Add dice by hand (M8). Raises NotAllowed for anybody but the GM; Unreadable for text without dice."""
    require_gm(table, actor, Words("add {foe} dice", foe=FOES[foe].noun))
    return add_dice(
        table,
        find_pool(table, foe, name),
        read_dice(dice, CORTEX.of(table).ruleset, actor.agreed),
        note_why(why),
    )


def remove(table: Table, actor: Actor, foe: Foe, dice: str, name: str | None = None) -> Step:
    """Remove dice by hand (M8). Raises NotAllowed for anybody but the GM and for dice that are not there."""
    require_gm(table, actor, Words("remove {foe} dice", foe=FOES[foe].noun))
    pool = find_pool(table, foe, name)
    return remove_dice(table, pool, those_of(table, pool, dice, actor.agreed))


def step_up(
    table: Table, actor: Actor, foe: Foe, die: str | None = None, steps: int = 1, name: str | None = None
) -> Step:
    """Step up a die by hand, the smallest if `die` is empty (M8).

    Raises NotAllowed for anybody but the GM, for a die that is not there, and for steps outside 1 to 5.
    """
    require_gm(table, actor, Words("step up {foe} dice", foe=FOES[foe].noun))
    return stepped_up(table, find_pool(table, foe, name), die, steps)


def step_down(
    table: Table, actor: Actor, foe: Foe, die: str | None = None, steps: int = 1, name: str | None = None
) -> Step:
    """Step down a die by hand, the largest if `die` is empty (M8).

    Raises NotAllowed for anybody but the GM, for a die that is not there, and for steps outside 1 to 5.
    """
    require_gm(table, actor, Words("step down {foe} dice", foe=FOES[foe].noun))
    return stepped_down(table, find_pool(table, foe, name), die, steps)


def end(table: Table, actor: Actor, foe: Foe, name: str | None = None) -> Step:
    """End a crisis or a challenge and remove its dice. Raises NotAllowed for anybody but the GM."""
    require_gm(table, actor, Words("end {foe}", foe=FOES[foe].one))
    pool = find_pool(table, foe, name)
    return ended(table, pool, Ending.ENDED)


def stepped_up(table: Table, pool: Target, die: str | None = None, steps: int = 1) -> Step:
    """Step up a die of a pool, the smallest if `die` is empty (M8).

    Raises NotAllowed for a die that is not there and for steps outside 1 to 5.

    >>> start = add_dice(Table(), DOOM, (6, 8)).table
    >>> dice(stepped_up(start, DOOM).table, DOOM)
    (8, 8)
    >>> dice(stepped_up(start, DOOM, "d8", steps=2).table, DOOM)
    (6, 12)
    """
    first = size = _which(table, pool, die, smallest=True)
    _check_steps(steps)
    sizes = dice(table, pool)
    for _ in range(steps):
        sizes = step_up_pool(sizes, size, CORTEX.of(table).ruleset)
        size = up(size, 1, ladder(table))
    return with_dice(table, pool, sizes, Change.STEPPED_UP, (first,), steps=steps)


def stepped_down(table: Table, pool: Target, die: str | None = None, steps: int = 1) -> Step:
    """Step down a die of a pool, the largest if `die` is empty; too small a die is removed (M8).

    Raises NotAllowed for a die that is not there and for steps outside 1 to 5.

    >>> start = add_dice(Table(), DOOM, (6, 10)).table
    >>> dice(stepped_down(start, DOOM).table, DOOM)
    (6, 8)
    >>> dice(stepped_down(start, DOOM, steps=5).table, DOOM)
    (6,)
    """
    first = size = _which(table, pool, die, smallest=False)
    _check_steps(steps)
    left = list(dice(table, pool))
    left.remove(size)
    for _ in range(steps):
        size = down(size, 1, ladder(table)) if size else 0
    left = [*left, size] if size >= FOES[pool.foe].least else left
    return with_dice(table, pool, left, Change.STEPPED_DOWN, (first,), steps=steps)


def count_sizes(sizes: Iterable[int]) -> dict[int, int]:
    """Return how many dice there are of each size, the smallest size first.

    >>> count_sizes((8, 6, 8))
    {6: 1, 8: 2}
    """
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
    """Whether that character is a boss with dice left; `who` is a key."""
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
    """Remove a boss's largest die; without dice the boss is defeated (B1)."""
    size = max(CORTEX.has(table.characters[who]).pool)
    return remove_dice(table, Target(Foe.GMC, who), (size,), Change.KNOCKED_OFF)


DOOM_NAME = "Doom pool"


def doom_dice(table: Table) -> tuple[int, ...]:
    """Return the sizes of the doom dice, rising.

    >>> doom_dice(add_doom_dice(Table(), (10, 6)).table)
    (6, 10)
    """
    return dice(table, DOOM)


def require_doom(table: Table) -> None:
    """Raise SettingOff if the campaign has no doom pool."""
    require_on(table, Foe.DOOM)


def with_doom_dice(
    table: Table,
    sizes: tuple[int, ...],
    change: Change,
    why: Why | None = None,
    changed: tuple[int, ...] = (),
) -> Step:
    """Replace the dice of the doom pool. Raises NotAllowed for a d4, which it never holds (M1)."""
    return with_dice(table, DOOM, sizes, change, changed, why)


def add_doom_dice(table: Table, sizes: tuple[int, ...], why: Why | None = None) -> Step:
    """Add dice to the doom pool (M7). Raises NotAllowed for a d4 and for too many dice."""
    return add_dice(table, DOOM, sizes, why)


def step_up_doom_die(table: Table, size: int) -> Step:
    """Step up one doom die; a d12 does what the setting says (D5, M1)."""
    return stepped_up_once(table, DOOM, size)


def set_doom(table: Table, actor: Actor, pool: str) -> Step:
    """Set the whole doom pool (M8).

    Raises NotAllowed for anybody but the GM and for a d4; SettingOff if there is no doom pool;
    Unreadable for text that is not dice.
    """
    _require_doom_gm(table, actor, Words("set the {doom_pool.one}"))
    return with_doom_dice(table, read_dice(pool, CORTEX.of(table).ruleset, actor.agreed), Change.SET)


def clear_doom(table: Table, actor: Actor) -> Step:
    """Empty the doom pool (M8). Raises NotAllowed for anybody but the GM; SettingOff if doom is off."""
    _require_doom_gm(table, actor, Words("clear the {doom_pool.one}"))
    return with_doom_dice(table, (), Change.CLEARED)


def _require_doom_gm(table: Table, actor: Actor, what: Phrase) -> None:
    require_gm(table, actor, what)
    require_doom(table)
