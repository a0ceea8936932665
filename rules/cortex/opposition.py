"""What opposes a roll: a number, a name, doom, dice, and what else is in the way (T1 to T3)."""

import re
from collections.abc import Iterable, Iterator, Sequence

from rules.campaign.seats import Actor, is_gm, is_group, name_members, require_gm, split_names
from rules.cortex import gm_pools
from rules.cortex.kinds import HARMFUL, Foe, Target, Trait, TraitKind
from rules.cortex.model import CORTEX, Against, Hand, Modifier, RolledDie, landed
from rules.cortex.pool import SOURCES, Die, Pool, Source, Special, TraitUse, sizes_of
from rules.cortex.pool_grammar import LONGEST
from rules.cortex.pool_text import Versus, read, read_versus, require_sizes
from rules.cortex.pool_words import DIFFICULTIES, canonical
from rules.cortex.push_and_challenge import helps
from rules.cortex.rating import read_named
from rules.cortex.ruleset import EffectBy, HitchOn, Opposition, ResourceUse, Ruleset
from rules.cortex.sfx import Act
from rules.cortex.sfx_effects import NOTHING, SfxBesidePool, handed, stepped_theirs
from rules.cortex.trait_lookup import find_trait, owners
from rules.custom_terms import is_meant, means
from rules.dice import Ladder, Throw
from rules.errors import NotAllowed, RuleError, Undecided, Unknown, Unreadable
from rules.names import (
    DidYouMean,
    alike,
    clean,
    find,
    find_same,
    fold,
    get_named,
    has_die,
    key,
    one_of,
)
from rules.table import Table
from rules.terms import Term
from rules.text import Phrase, Words, shorten
from rules.values import replace

_OWN_DOOM = re.compile(r"(?P<word>\S+(?:\s+\S+)*?)\s+(?P<dice>[0-9]*d[0-9].*)", re.IGNORECASE | re.DOTALL)
"""A word, and dice behind it."""


_ALONE = frozenset({*DIFFICULTIES, "doom"})


HIGHEST = 999
"""A difficulty is at most this."""


IN_THE_WAY = (*HARMFUL, TraitKind.DISTINCTION)
"""Kinds of trait that may stand in somebody's way (T3)."""


def against(
    table: Table,
    actor: Actor,
    typed: str,
    throw: Throw,
    theirs: tuple[Act, ...] = (),
    who: str = "",
    pool: Pool = (),
) -> Against:
    """Read what was typed as `vs` and roll its dice: `11`, `hard`, `doom`, `2d8`, `doom + Broken Leg`.

    `theirs` are the steps that SFX give those dice; for a number they change what is in the way (X1).
    `who` is the roller's name and `pool` their dice: trouble that is pushed there does not oppose, nor
    does a d4 that helps (N2, N3). Raises Unreadable, Unknown or Ambiguous for a part that means nothing
    here; NotAllowed for steps of a plain number and for a trait that is named twice.

    >>> kim = Actor(1, "Kim")
    >>> against(Table(), kim, "11", list).number
    11
    >>> against(Table(), kim, ">= 11", list).number
    10
    >>> against(Table(), kim, "hard", list).label
    'hard 2d10'
    >>> [die.size for die in against(Table(), kim, "2d8 + d6", list).hand.dice]
    [8, 8, 6]
    """
    return laid(table, actor, versus_of(table, typed), throw, theirs, who, pool)


def versus_of(table: Table, typed: str) -> Versus:
    """Return an opposition as typed, split into its base and what is added to it.

    >>> versus_of(Table(), "2d8 + Broken Leg d6").base
    '2d8'
    """
    if (word := typed.strip()).isdecimal() or word in _ALONE:  # nothing else could be meant
        return Versus(word)
    typed = name_opponent(table, typed)
    if (character := get_named(table.characters, typed)) is not None:
        return Versus(character.name)
    return read_versus(typed, [*names(table), *_titles(table)], CORTEX.of(table).ruleset)


def name_opponent(table: Table, typed: str) -> str:
    """Return an opposition as typed, with characters' names for mentions of members.

    Raises Unreadable for a group, and what `name_in_dice` raises.
    """
    groups = [part for part in split_names(table, typed) if is_group(part)]
    if groups and fold(typed) not in map(fold, names(table)):
        raise _one_opponent(table)
    return name_in_dice(table, typed)


def name_in_dice(table: Table, typed: str) -> str:
    """Return typed dice with characters' names for mentions of members.

    Raises Unreadable for a role; Unknown for a member who plays nobody; Ambiguous if they play several.
    """
    if "<@&" in typed:
        raise _one_opponent(table)
    try:
        return name_members(table, typed)
    except Unknown:
        raise Unknown(
            "That member doesn't play a character here. Try {choices}.", choices=_choices(table)
        ) from None


def _one_opponent(table: Table) -> Unreadable:
    return Unreadable("A roll has only one opponent. Try {choices}.", choices=_choices(table))


def _choices(table: Table) -> Phrase:
    others = [name for name in names(table) if name not in DIFFICULTIES][:3]
    return one_of([*others, Words("a number such as 11"), Words("dice")])


def laid(
    table: Table,
    actor: Actor,
    versus: Versus,
    throw: Throw,
    theirs: tuple[Act, ...] = (),
    who: str = "",
    pool: Pool = (),
) -> Against:
    """Return the opposition that `versus` says, with its dice rolled. Raises what `against` raises."""
    helping: tuple[str, ...] = ()
    if versus.more and _may_help(table, pool):
        found = {part: _is_help(table, actor, part, who, pool) for part in versus.more}
        helping = tuple(dict.fromkeys(name for name in found.values() if name))
        versus = replace(versus, more=tuple(part for part in versus.more if not found[part]))
    more = besides(table, actor, versus.more, who)
    if theirs:
        made = _stepped(table, actor, versus, more, throw, theirs)
    else:
        made = _rolled(table, actor, versus, more, throw)
    made = modified(made, versus.plus) if versus.plus else made
    return replace(made, helps=helping) if helping else made


def _rolled(table: Table, actor: Actor, versus: Versus, more: Pool, throw: Throw) -> Against:
    """An opposition with its dice rolled."""
    base = versus.base
    if _is_own_doom(table, actor, base):
        base = "doom"
    elif (own := _OWN_DOOM.fullmatch(base)) and _is_own_doom(table, actor, own["word"]):
        base = f"doom {own['dice']}"
    target = _target(table, base)
    if target is not None:
        return of_target(table, target, throw, more)
    pools = CORTEX.of(table).pools
    gathered = get_named(pools, base) if pools else None
    if gathered is not None:
        return rolled(gathered.dice, f"Pool {gathered.name}", table, throw, more)
    number, pool, label = _base(table, actor, base)
    if pool:
        if versus.is_least:
            raise NotAllowed(
                "{typed} isn't a number. Type a number after >=. Example: vs:>= 12", typed=shorten(base)
            )
        return rolled(pool, label, table, throw, more)
    if versus.is_least:
        number, label = max(0, number - 1), f"{number} or more"
    return Against(label, number=number + sum(die.size // 2 for die in more), plus=besides_of(more))


def _is_own_doom(table: Table, actor: Actor, typed: str) -> bool:
    """Whether that is the table's own word for doom. Raises Undecided where it could be a name too (N1)."""
    if not table.settings.words or not means(table, Term.DOOM_POOL, typed):
        return False
    named = {fold(each) for each in (*targets(table), *CORTEX.of(table).pools)}
    return is_meant(table, Term.DOOM_POOL, typed, actor.agreed, is_name=fold(typed) in named)


def _may_help(table: Table, pool: Pool) -> bool:
    """Whether anything that is named could help instead of standing in the way (N2, N3)."""
    return CORTEX.of(table).ruleset.d4_helps or any(die.source.use is TraitUse.PUSHED for die in pool)


def _is_help(table: Table, actor: Actor, typed: str, who: str, pool: Pool) -> str:
    """The name of trouble that is a d4 or is pushed by who rolls; nothing for what stands in the way."""
    try:
        owner, label, kind = find_trait(table, actor, IN_THE_WAY, typed)
    except RuleError:
        return ""
    trait = CORTEX.has(table.owner(owner)).traits(kind)[label]
    pushed = Source(kind, use=TraitUse.PUSHED)
    is_pushed = any(die.source == pushed and key(die.label) == label and owner == key(who) for die in pool)
    is_help = is_pushed or helps(CORTEX.of(table).ruleset, kind, trait.die)
    return f"{label_in_the_way(table, owner, trait, who)} d{trait.die}" if is_help else ""


def modified(laid: Against, plus: tuple[Modifier, ...]) -> Against:
    """Return an opposition with modifiers added; a difficulty never falls below 0 (N13).

    >>> modified(Against("11", 11), (Modifier(2, "rain"),)).number
    13
    >>> modified(Against("3", 3), (Modifier(-5),)).number
    0
    """
    if laid.hand is not None:
        return replace(laid, hand=replace(laid.hand, plus=(*laid.hand.plus, *plus)))
    number = laid.number + sum(each.number for each in plus)
    return replace(laid, number=max(0, number), modifiers=(*laid.modifiers, *plus))


def _stepped(
    table: Table, actor: Actor, versus: Versus, more: Pool, throw: Throw, theirs: tuple[Act, ...]
) -> Against:
    """An opposition, its dice stepped before they are rolled (X1)."""
    made = _rolled(table, actor, versus, more, lambda sizes: sizes)
    rules = CORTEX.of(table).ruleset
    if made.hand is not None:
        dice = tuple(Die(die.size, die.label, die.source, die.safe) for die in made.hand.dice)
        return replace(made, hand=thrown(stepped_theirs(dice, theirs, rules, actor.agreed), 2, table, throw))
    if not more:
        raise NotAllowed(
            "{laid} is a number, so it has no dice to step. Add a + and a die or trait. Example: "
            "vs:{number} + d6",
            laid=made.label,
            number=made.number,
        )
    fresh = stepped_theirs(more, theirs, rules, actor.agreed)
    number = made.number - sum(die.size // 2 for die in more) + sum(die.size // 2 for die in fresh)
    return replace(made, number=number, plus=besides_of(fresh))


def number_named(table: Table, difficulty: str) -> int:
    """Return the number of a named difficulty at this table (T1).

    >>> [number_named(Table(), name) for name in DIFFICULTIES]
    [3, 7, 11, 15, 19]
    """
    return CORTEX.of(table).ruleset.difficulties[[*DIFFICULTIES].index(difficulty)]


def targets(table: Table) -> dict[str, Target]:
    """Return the crises, challenges and GMCs that can be rolled against, by name (K3, L3, B1, B2)."""
    here = CORTEX.of(table)
    crises = here.crises if here.ruleset.crisis else {}
    challenges = here.challenges if here.ruleset.challenges else {}
    gmcs = {who: c.name for who, c in table.characters.items() if c.gmc and not c.away}
    return {
        **{name: Target(Foe.GMC, who) for who, name in gmcs.items()},
        **{each.name: Target(Foe.CHALLENGE, one) for one, each in challenges.items()},
        **{each.name: Target(Foe.CRISIS, one) for one, each in crises.items()},
    }


def gmc_named(table: Table, typed: str | None) -> str:
    """Return the key of the GMC that `typed` names before its first `+`; empty for anything else.

    >>> gmc_named(Table(), "hard")
    ''
    """
    target = _target(table, versus_of(table, typed).base) if typed else None
    return target.key if target is not None and target.foe is Foe.GMC else ""


def of_target(table: Table, target: Target, throw: Throw, more: Pool = ()) -> Against:
    """Return the opposition of a crisis, challenge or GMC: all its dice, rolled in the open (T2, K3, L3)."""
    pool = target_pool(table, target)
    return replace(rolled(pool, gm_pools.title(table, target), table, throw, more), target=target)


def target_pool(table: Table, target: Target) -> Pool:
    """Return the dice of a crisis or challenge, or a GMC's traits and boss or mob dice (B1, B2).

    Raises SettingOff if the campaign does not use that kind; NotAllowed for a GMC without dice.
    """
    gm_pools.require_on(table, target.foe)
    own = tuple(Die(size, "", SOURCES[target.foe]) for size in gm_pools.dice(table, target))
    if target.foe is not Foe.GMC:
        return own
    gmc = table.characters[target.key]
    has = CORTEX.has(gmc)
    held = (*has.sheet.values(), *has.distinctions.values())
    safe = CORTEX.of(table).ruleset.safe_dice
    traits = (
        Die(size, one.label, SOURCES[Foe.GMC], one.safe and safe) for one in held for size in sizes_of(one)
    )
    pool = (*traits, *own)
    if not pool:
        raise NotAllowed("{gmc} has no dice to roll. Example: /gmc roll name:{gmc} dice:2d8", gmc=gmc.name)
    return pool


def besides(
    table: Table, actor: Actor, parts: Sequence[str], who: str = "", there: tuple[str, ...] = ()
) -> Pool:
    """Return the dice of what else is in the way of `who`: traits once, dice as often as typed (T3).

    `there` names what is in the way already. Raises NotAllowed for a trait that is; Unreadable or
    Unknown for a part that means nothing here.

    >>> [die.size for die in besides(Table(), Actor(1, "Kim"), ["d8", "2d6"])]
    [8, 6, 6]
    """
    if not parts:
        return ()
    own = table.played_by(actor.id)
    who = who or ("" if own is None else own.name)
    dice: list[Die] = []
    for part in parts:
        for die in _besides(table, actor, part, who):
            if CORTEX.of(table).ruleset.d4_helps:
                require_in_the_way(table, die)
            name = besides_of((die,))[0]
            if die.label and name in (*there, *besides_of(tuple(dice))):
                raise NotAllowed(
                    "{name} already opposes this roll, and counts only once. Name another trait, or a die.",
                    name=name,
                )
            dice.append(die)
    return tuple(dice)


def require_in_the_way(table: Table, die: Die) -> None:
    """Raise NotAllowed for trouble of d4 where it helps and so is in nobody's way (N2)."""
    kind = die.source.kind
    if (
        die.source.use is None
        and isinstance(kind, TraitKind)
        and helps(CORTEX.of(table).ruleset, kind, die.size)
    ):
        raise NotAllowed(
            '{name} d4 can\'t be in the way, because the setting "d4 trouble helps" is on. Leave it out.',
            name=die.label,
        )


def rolled(pool: Pool, label: str, table: Table, throw: Throw, more: Pool = ()) -> Against:
    """Return the opposition of a pool and what else is in the way, rolled in the open (T2, T3, R9)."""
    hand = thrown((*pool, *more), 2, table, throw)
    if hand.by is EffectBy.ROLLED_AGAIN:  # only who rolls presses for the effect (N10)
        hand = replace(hand, by=EffectBy.DIE)
    return Against(label, hand=hand, plus=besides_of(more))


def thrown(
    pool: Pool,
    keep: int,
    table: Table,
    throw: Throw,
    beside: SfxBesidePool = NOTHING,
    plus: tuple[Modifier, ...] = (),
) -> Hand:
    """Roll a pool; the scale die lets its side keep one more if the setting says so (D7).

    `beside` is what SFX add to it (X1), `plus` what is added to its total (N13). Raises NotAllowed for
    more than 30 dice.

    >>> hand = thrown((Die(8), Die(6)), 2, Table(), lambda sizes: [5, 1])
    >>> [(die.size, die.face) for die in hand.dice]
    [(8, 5), (6, 1)]
    """
    here = CORTEX.of(table)
    if len(pool) > 30:
        raise NotAllowed("That's {count} dice; a pool can have at most 30.", count=len(pool))
    faces = throw([die.size for die in pool])
    rules, rolled = here.ruleset, zip(pool, faces, strict=True)
    is_usual = rules.hitch_on is HitchOn.ONE and rules.resources is not ResourceUse.APART
    if is_usual and not rules.safe_dice:  # so it is nearly always
        dice = tuple(RolledDie(d.size, face, d.label, d.source) for d, face in rolled)
    else:
        dice = tuple(landed(die, face, rules) for die, face in rolled)
    least = 1 if here.ruleset.lone_die else 2
    return Hand(
        (*dice, *map(handed, beside.hitches)),
        keep=keep + kept_by_scale(pool, rules) + beside.totals,
        effects_bought=beside.effects,
        least=least,
        raised=beside.raised,
        plus=plus,
        by=here.ruleset.effect,
        no_die=here.ruleset.no_die_left,
        has_apart=not is_usual and any(die.apart for die in dice),
    )


def kept_by_scale(dice: Iterable[Die | RolledDie], rules: Ruleset) -> int:
    """Return how many more dice a side keeps for its scale die: 1 or 0, by the settings (D7).

    >>> kept_by_scale((Die(8, source=Source(Special.SCALE)), Die(6)), Ruleset())
    1
    >>> kept_by_scale((Die(8), Die(6)), Ruleset())
    0
    """
    return int(rules.scale_keeps_extra and any(die.source.kind is Special.SCALE for die in dice))


def doom_pool(table: Table) -> Pool:
    """Return the doom dice to roll (M3). Raises SettingOff if doom is off; NotAllowed if empty (M9)."""
    gm_pools.require_doom(table)
    sizes = gm_pools.doom_dice(table)
    if not sizes:
        raise NotAllowed(
            "The {doom_pool.one} is empty. Roll against difficulty dice instead. Example: vs:challenging"
        )
    return tuple(Die(size, "", SOURCES[Foe.DOOM]) for size in sizes)


def names(table: Table) -> list[str]:
    """Return the names that `vs` can take at this table, the likeliest first, each once.

    >>> names(Table())
    ['very easy', 'easy', 'challenging', 'hard', 'very hard']
    """
    here = CORTEX.of(table)
    is_doom = here.ruleset.doom and bool(here.doom)
    gathered = [pool.name for pool in here.pools.values()]
    own = table.settings.words.get(Term.DOOM_POOL)
    doom_word = [own.one if own else "doom"] if is_doom else []
    found: dict[str, str] = {}
    for name in (*targets(table), *doom_word, *gathered, *DIFFICULTIES):
        found.setdefault(fold(name), name)
    return list(found.values())


def trait_names(table: Table) -> list[tuple[str, TraitKind, str, int]]:
    """Return everything that can be in the way: (owner's name, kind, label, die size)."""
    return [
        (owner.name, kind, trait.label, trait.die)
        for _, owner in owners(table)
        for kind in IN_THE_WAY
        for trait in CORTEX.has(owner).traits(kind).values()
        if not helps(CORTEX.of(table).ruleset, kind, trait.die)
    ]


def _target(table: Table, typed: str) -> Target | None:
    """The crisis, challenge or GMC of that name; by a beginning where it means nothing else."""
    found = targets(table)
    if not found:
        return None
    if (same := find_same(typed, found)) is not None:
        return found[same]
    word = fold(typed)
    for each, target in found.items():
        if word in map(fold, _titles_of(table, target.foe, each)):
            return target
    begun = [target for each, target in found.items() if word and fold(each).startswith(word)]
    is_other = word in (*DIFFICULTIES, "doom") or any(c.isdigit() for c in word) or "+" in word
    if is_other or not begun:
        return None
    return found[find(word, found, Words("opponent"))]


def _titles(table: Table) -> Iterator[str]:
    """What stands at the table as a target, with the word for its kind: `crisis Fire`."""
    for name, target in targets(table).items():
        yield from _titles_of(table, target.foe, name)


def _titles_of(table: Table, foe: Foe, name: str) -> Iterator[str]:
    """What a crisis, challenge or GMC is called with the word for it, or the table's own."""
    yield f"{foe} {name}"
    if own := table.settings.words.get(Term[foe.name]):
        yield from (f"{word} {name}" for word in (own.one, own.short))


def besides_of(more: Pool) -> tuple[str, ...]:
    """Return the names of what else is in the way, as they are displayed.

    >>> besides_of((Die(8, "Rain"), Die(6)))
    ('Rain d8', 'd6')
    """
    return tuple(f"{die.label} d{die.size}".strip() for die in more)


def number_of(table: Table, typed: str) -> tuple[int, str]:
    """Return a static difficulty as typed, and its label (T1). Raises NotAllowed for dice.

    >>> number_of(Table(), "13")
    (13, '13')
    """
    word = fold(typed)
    if word in DIFFICULTIES or word.removeprefix("-").isdigit():
        number, pool, label = _base(table, None, typed)
        if not pool:
            return number, label
    raise NotAllowed("A number opposes that roll, so type a number.")


def _base(table: Table, actor: Actor | None, typed: str) -> tuple[int, Pool, str]:
    """The number of the first part of an opposition, or its dice, and what it is called (T1, T2)."""
    here = CORTEX.of(table)
    word = fold(typed)
    if not word:
        raise Unreadable("Say what to roll against. Example: vs:11, vs:challenging or vs:2d8")
    bare = word.removeprefix("-")
    if bare.isascii() and bare.isdigit():
        if word.startswith("-") or len(bare) > 3:
            raise NotAllowed(
                "A difficulty can't be {typed}. Choose 0 to {highest}.",
                typed=shorten(typed),
                highest=HIGHEST,
            )
        return int(word), (), str(int(word))
    if word == "doom":
        gm_pools.require_on(table, Foe.DOOM)
        return 0, doom_pool(table), gm_pools.DOOM_NAME
    if word.startswith("doom ") and actor is not None:
        return 0, _picked(table, actor, typed[len("doom ") :]), gm_pools.DOOM_NAME
    _require_pools_on(table, word)
    if word in DIFFICULTIES:
        size = _difficulty_die(here.ruleset.sizes, word)
        if here.ruleset.opposition is Opposition.STATIC:
            number = number_named(table, word)
            return number, (), f"{word} {number}"
        return 0, (Die(size), Die(size)), f"{word} 2d{size}"
    return 0, _dice_of(table, actor, typed), clean(typed, Words("opposition"), LONGEST)[:60]


def _dice_of(table: Table, actor: Actor | None, typed: str) -> Pool:
    """Dice that oppose as they are typed. Raises Unreadable with what there is to roll against."""
    require_sizes(typed)
    _require_plus(table, typed)
    try:
        pool = read(typed, None, CORTEX.of(table).ruleset, decided=() if actor is None else actor.agreed).pool
    except Undecided:
        raise
    except RuleError:
        _require_of_kind(table, typed)
        if any(c.isdigit() for c in typed):
            raise
        known = names(table)
        _require_not_player(table, actor, typed)
        choices = _choices(table)
        parts = split_names(table, typed)
        if len(parts) > 1 and any(get_named(table.characters, part) for part in parts):
            raise _one_opponent(table) from None
        if ending := get_named(CORTEX.of(table).over, typed):
            raise NotAllowed(
                "{name} {ending}. Try {choices}.", name=typed, ending=gm_pools.OVER[ending], choices=choices
            ) from None
        if near := alike(typed, known):
            raise Unreadable(
                "You can't roll against {typed}. {offer}", typed=shorten(typed), offer=DidYouMean(near)
            ) from None
        raise Unreadable(
            "You can't roll against {typed}. Try {choices}.", typed=shorten(typed), choices=choices
        ) from None
    return pool


def _require_not_player(table: Table, actor: Actor | None, typed: str) -> None:
    """Refuse a player's character, who opposes by a roll of their own (T4, T6)."""
    character = get_named(table.characters, typed)
    if character is None or character.gmc:
        return
    name = character.name
    if actor is not None and is_gm(table, actor):
        raise NotAllowed("{name} is a player's character. To act on {name}, use on:{name}", name=name)
    raise NotAllowed(
        "{name} is a player's character. To roll against {name}: /contest start against:{name}", name=name
    )


def _require_plus(table: Table, typed: str) -> None:
    """Refuse dice right behind the name of what opposes, which would be lost: `hard d6`."""
    line = canonical(typed)
    for name in names(table):
        if line.startswith(f"{canonical(name)} ") and has_die(
            rest := line.removeprefix(canonical(name)).strip()
        ):
            raise NotAllowed(
                "Put a plus between {name} and {dice}. Example: vs:{name} + {dice}", name=name, dice=rest
            )


def _picked(table: Table, actor: Actor, typed: str) -> Pool:
    """Those dice of the doom pool alone, which the GM picks, or anybody where nobody is the GM (M3)."""
    doom_pool(table)
    if table.gms:
        require_gm(table, actor, Words("pick dice from the {doom_pool.one}"))
    wanted = gm_pools.those_of(table, gm_pools.DOOM, typed, actor.agreed)
    gm_pools.remove_dice(table, gm_pools.DOOM, wanted)  # refuses dice that it has not
    return tuple(Die(size, "", SOURCES[Foe.DOOM]) for size in wanted)


def _difficulty_die(sizes: Ladder, difficulty: str) -> int:
    """The size of a difficulty's pair: the largest there is for the hardest, no larger one elsewhere (T2)."""
    if difficulty == [*DIFFICULTIES][-1]:
        return sizes[-1]
    return max((size for size in sizes if size <= DIFFICULTIES[difficulty]), default=sizes[0])


def _require_pools_on(table: Table, word: str) -> None:
    """Refuse a crisis or challenge by name while the campaign plays without them."""
    here = CORTEX.of(table)
    for foe, held in ((Foe.CRISIS, here.crises), (Foe.CHALLENGE, here.challenges)):
        if word in held or gm_pools.bare(table, foe, word) in held:
            gm_pools.require_on(table, foe)


def _require_of_kind(table: Table, typed: str) -> None:
    """Refuse what is not there, where the word for its kind says what is meant: `crisis Fire`."""
    for foe in (Foe.CRISIS, Foe.CHALLENGE, Foe.GMC):
        if gm_pools.bare(table, foe, typed) != typed:
            gm_pools.find_pool(table, foe, typed)


def label_in_the_way(table: Table, owner: str, trait: Trait, who: str) -> str:
    """Return the label of a trait in `who`'s way, with its owner if another has one of that name (T3)."""
    name = table.owner(owner).name
    twins = (held for one, held in owners(table) if one != owner)
    has_twin = any(
        get_named(CORTEX.has(held).traits(kind), trait.label) for held in twins for kind in IN_THE_WAY
    )
    return f"{name} · {trait.label}" if has_twin and key(name) != key(who) else trait.label


def _besides(table: Table, actor: Actor, typed: str, who: str) -> Pool:
    """Dice or a trait that stand in the way of `who` besides (T3)."""
    if typed.isdecimal():
        raise Unreadable(
            "{typed} isn't a die: after a +, type the d too. Example: 11 + d8", typed=shorten(typed)
        )
    try:
        owner, label, kind = find_trait(table, actor, IN_THE_WAY, typed)
    except RuleError as error:
        require_sizes(typed)
        try:
            pool = read(typed, None, CORTEX.of(table).ruleset, decided=actor.agreed).pool
        except Undecided:
            raise
        except RuleError:
            if get_named(table.characters, typed) or find_same(typed, names(table)):
                raise _one_opponent(table) from None
            raise error from None
        if len(pool) != 1 and any(die.label for die in pool):
            raise Unreadable(
                "{typed} is too much: put one die or name after each +. Example: doom + d8",
                typed=shorten(typed),
            ) from None
        return pool
    trait = CORTEX.has(table.owner(owner)).traits(kind)[label]
    rating = read_named(typed, (trait.label,)).rating
    if rating is not None and (rating.die, rating.more) != (trait.die, trait.more):
        raise NotAllowed(
            "{name} is d{die}. Put a plus between it and other dice.",
            name=trait.label,
            die=trait.die,
        )
    return (Die(trait.die, label_in_the_way(table, owner, trait, who), SOURCES[kind]),)
